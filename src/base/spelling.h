// Nearest spelling of a name that is not known, for messages: "there is no joint named "kne";
// did you mean "knee"?"

#ifndef CT_BASE_SPELLING_H_
#define CT_BASE_SPELLING_H_

// Finds the nearest spelling among candidates that are added one by one.
typedef struct ct_Spelling_ {
  const char* wanted;
  const char* found;  // NULL: nothing is near
  int distance;
} ct_Spelling;

void ct_spelling_add(ct_Spelling* nearest, const char* candidate);

#endif  // CT_BASE_SPELLING_H_
