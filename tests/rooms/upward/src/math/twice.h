// The other half of a name that two files have.
