// Values of JSON on standard output.

#ifndef APPS_JSON_H_
#define APPS_JSON_H_

#include <mujoco/mujoco.h>

// A text with its quotes. Bytes that are no UTF-8 are written as the characters of that number.
void json_string(const char* text);

// JSON has no NaN and no infinity: they are null.
void json_number(double x);
void json_numbers(const mjtNum* x, int n);

// "name": the name of an object, or null.
void json_name(const mjModel* m, int type, int id);

#endif  // APPS_JSON_H_
