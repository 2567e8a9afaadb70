// Many attempts of which any may crash or hang, with a list of all that do. A child process makes
// them; when it dies, the attempt is noted and the next child goes on with the next one.
//
// Made for the tests that ask for harmlessness: an ordinary test would stop at the first crash and
// not say where it was.

#ifndef TESTS_SUPPORT_ATTEMPTS_H_
#define TESTS_SUPPORT_ATTEMPTS_H_

#include <stdbool.h>

typedef struct Attempts_ Attempts;

// Begins the next attempt, under a name. False: not this child's, leave it out. An attempt that
// takes more than 20 seconds of processor time counts as one that hangs.
bool attempt_begins(Attempts* a, const char* name, ...) __attribute__((format(printf, 2, 3)));

// How many attempts have begun, with those that were left out.
long attempts_so_far(const Attempts* a);

// Lets children call `work`, which makes the same attempts in the same order every time. Prints the
// attempts that crashed or hung, under this title, and returns their number.
int count_harmful_attempts(const char* title, void (*work)(Attempts*, void* arg), void* arg);

// For the first line of main: signals as they were before cmocka turned them into failures.
void remember_signals(void);

#endif  // TESTS_SUPPORT_ATTEMPTS_H_
