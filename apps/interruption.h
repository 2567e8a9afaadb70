// Ctrl-C: commands that write files end in good order when it comes.

#ifndef APPS_INTERRUPTION_H_
#define APPS_INTERRUPTION_H_

#include <stdbool.h>

// From now on, Ctrl-C does not end the program; whoever works for long asks whether it came.
void interruption_await(void);
bool interruption_came(void);

#endif  // APPS_INTERRUPTION_H_
