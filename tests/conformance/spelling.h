// What the words of a command line can be, and the nearest of them to a word that is none.

#ifndef TESTS_CONFORMANCE_SPELLING_H_
#define TESTS_CONFORMANCE_SPELLING_H_

#include <stdbool.h>

#include "conformance/questions.h"

// Number of single-letter changes that turn one word into the other, letter case apart.
int spelling_distance(const char* a, const char* b);

// Questions named in a list separated by commas. False, with a message on standard error, if one
// does not exist.
bool parse_questions(const char* list, unsigned* ask);

// Does the filter let at least one field through that the questions look at? If not, says so on
// standard error with the nearest name.
bool filter_matches(const FieldFilter* filter, unsigned ask);

#endif  // TESTS_CONFORMANCE_SPELLING_H_
