// Half of a name that two files have.
