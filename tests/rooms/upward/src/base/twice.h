// Half of a name that two files and two types and two tags have.

typedef struct ct_Twice_ {
  int base;
} ct_Twice;

enum ct_TwiceTag { CT_BASE };
