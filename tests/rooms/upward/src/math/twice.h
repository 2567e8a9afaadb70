// The other half of a name that two files and two types have.

typedef struct ct_Twice_ {
  int math;
} ct_Twice;
