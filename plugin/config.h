// The configuration of a plugin instance as numbers.

#ifndef PLUGIN_CONFIG_H_
#define PLUGIN_CONFIG_H_

#include <mujoco/mujoco.h>
#include <stdbool.h>

// How many numbers a text has, at most `most` of which are written; -1 if something else is in it
// or a number is not finite.
int config_numbers(const char* text, double* number, int most);

// Reads what an instance is configured with: `count` numbers if the attribute is given, else
// *number stays as it is. Anything else is told in a warning that names plugin and attribute, and
// makes the answer false. *given (which may be NULL) says whether the attribute is there.
bool config_read(const mjModel* m, int instance, const char* key, double* number, int count,
                 bool* given);

// One number, in a range; the ends are part of it.
bool config_between(const mjModel* m, int instance, const char* key, double* number, double low,
                    double high);

#endif  // PLUGIN_CONFIG_H_
