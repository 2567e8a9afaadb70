// Half of a name that two files and two types have.

typedef struct ct_Twice_ {
  int base;
} ct_Twice;
