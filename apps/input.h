// Standard input, which - stands for: a model or a recording.

#ifndef APPS_INPUT_H_
#define APPS_INPUT_H_

#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stdio.h>

// Standard input as a file that can be read from its start, again and again, by this function; NULL
// after a message.
FILE* input_open(void);

// Whether it is a model: XML, or a compiled one. What is empty is one, too, and load_model says
// that.
bool input_is_model(void);

// A model of it as a file of a virtual file system, which has the name that messages tell.
typedef struct {
  mjVFS vfs;
  const char* name;  // stdin.xml, stdin.urdf or stdin.mjb
  bool compiled;
  char* text;
} InputModel;

// False after a message, and then there is nothing to close.
bool input_model_open(InputModel* in);
void input_model_close(InputModel* in);

// Of a model; NULL after a message.
mjModel* input_load(void);

// Of a model in XML that is not compiled; NULL with the reason in `error`.
mjSpec* input_parse(char* error, int error_size);

#endif  // APPS_INPUT_H_
