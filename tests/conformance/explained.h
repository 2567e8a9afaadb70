// Differences that were looked into and are the reference's, each with its reason: a list in a file
// that only gets shorter. What is on it is answered "explained" instead of "no".

#ifndef TESTS_CONFORMANCE_EXPLAINED_H_
#define TESTS_CONFORMANCE_EXPLAINED_H_

#include "conformance/crew.h"

// Applies the list in the file at `path` to the reports. A line
//
//   model/flex/bunny.xml | forward | state 2; state 7 | why
//
// explains a "no" to the question "forward" about the model whose path ends so, if everything that
// differs was found in the places of the third column (parts of Mismatch.where). A difference
// elsewhere, or more of them than were kept, stays "no". # begins a comment.
//
// Returns how many lines are wrong, each of which is told on standard output: a model that agrees
// is to be taken off the list, and a line that cannot be read is to be mended. Models that were not
// asked about are not looked at. -1: the file cannot be opened.
int apply_explanations(const char* path, ModelReport* reports, int count);

#endif  // TESTS_CONFORMANCE_EXPLAINED_H_
