// Constraint rows, islands and the solver on their own: ours gets everything that the reference
// knew when it had found its contacts, and builds rows, islands and forces from there.

#ifndef TESTS_CONFORMANCE_GIVEN_CONTACTS_H_
#define TESTS_CONFORMANCE_GIVEN_CONTACTS_H_

#include "conformance/tally.h"

// All three data are at the same state. False if an engine raised an error (told in the answer).
bool compare_given_contacts(const mjModel* m, mjData* a, mjData* b, mjData* ours, int number,
                            Tally* t);

#endif  // TESTS_CONFORMANCE_GIVEN_CONTACTS_H_
