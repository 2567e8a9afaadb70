// The schema of MJCF: schema/mjcf.def as tables that code can ask.

#ifndef CT_MJCF_SCHEMA_H_
#define CT_MJCF_SCHEMA_H_

#include <stdbool.h>
#include <stddef.h>

typedef struct ct_Word_ {
  const char* text;
  int value;
} ct_Word;

typedef struct ct_Words_ {
  const char* name;
  const ct_Word* word;
  int count;
} ct_Words;

typedef enum ct_ValueKind_ {
  CT_VALUE_REAL,      // numbers in double precision
  CT_VALUE_FLOAT,     // numbers in single precision
  CT_VALUE_INTEGER,   // one integer
  CT_VALUE_INTEGERS,  // several
  CT_VALUE_TEXT,
  CT_VALUE_WORD,
  CT_VALUE_QUAT,  // orientations: a quaternion, or one of the ways of mjsOrientation
  CT_VALUE_AXISANGLE,
  CT_VALUE_XYAXES,
  CT_VALUE_ZAXIS,
  CT_VALUE_EULER,
  CT_VALUE_OTHER,  // read by code
} ct_ValueKind;

typedef struct ct_Attribute_ {
  const char* set;
  const char* name;
  ct_ValueKind kind;
  int min, max;         // how many values; max 0: any number, into a vector
  size_t offset, size;  // of the member that it sets
  const ct_Word* word;
  int nword;
  const char* takes;  // CT_VALUE_OTHER: what it takes, in words
  const char* doc;
} ct_Attribute;

typedef struct ct_Allowed_ {
  const ct_Attribute* attribute;
  bool required;
  bool own;   // not part of the reference's schema
  bool idle;  // read, but changes nothing in the compiled model
} ct_Allowed;

typedef struct ct_Rule_ {  // an element where it may stand
  int depth;
  const char* name;
  char count;  // ! ? * R .
  const char *set, *attributes, *doc;
  const ct_Allowed* allowed;
  int nallowed;
  const struct ct_Rule_ *parent, *first, *next;
} ct_Rule;

// The rule of the root; the others hang below it.
const ct_Rule* ct_schema(void);

// All rules in the order of the table.
const ct_Rule* ct_rules(int* count);

// Rule of a child; NULL: there is none of that name. Elements of kind R are children of themselves.
const ct_Rule* ct_rule_below(const ct_Rule* rule, const char* name);

// NULL: not an attribute of the element.
const ct_Allowed* ct_rule_attribute(const ct_Rule* rule, const char* name);

ct_Words ct_words(const char* name);

typedef struct ct_Written_ {  // an attribute that is written
  const ct_Attribute* attribute;
  char mark;  // ! - = as in the table; 0: none
} ct_Written;

// A list of attributes that are written next to each other; an error if the table has none of the
// name.
const ct_Written* ct_written(const char* list, int* count);

#endif  // CT_MJCF_SCHEMA_H_
