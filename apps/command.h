// What the subcommands of `corten` share: exit codes, messages, loading.

#ifndef APPS_COMMAND_H_
#define APPS_COMMAND_H_

#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stddef.h>

enum { EXIT_FINE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_INTERRUPTED = 130 };

int command_info(int argc, char** argv);
int command_run(int argc, char** argv);
int command_demo(int argc, char** argv);
int command_check(int argc, char** argv);
int command_schema(int argc, char** argv);
int command_compile(int argc, char** argv);
int command_convert(int argc, char** argv);
int command_diff(int argc, char** argv);
int command_speed(int argc, char** argv);
int command_derivative(int argc, char** argv);
int command_render(int argc, char** argv);
int command_plot(int argc, char** argv);
int command_view(int argc, char** argv);
int command_replay(int argc, char** argv);
int command_compare(int argc, char** argv);
int command_exec(int argc, char** argv);
int command_manual(int argc, char** argv);
int command_completion(int argc, char** argv);

// Prints "corten: ..." to standard error; returns EXIT_FAILED or EXIT_USAGE.
int failed(const char* format, ...) mjPRINTFLIKE(1, 2);
int misused(const char* format, ...) mjPRINTFLIKE(1, 2);

// From now on, warnings name joints of this model instead of dofs by number; NULL: of none.
void name_dofs_of(const mjModel* m);

// A warning with the name of the joint or actuator in place of its number, for which `named` has
// room; the message itself where there is none.
const char* name_dofs(const char* message, char* named, size_t room);

// A text of a model for a terminal: control characters as \\x1b, the end cut off if it is long.
// Returns `shown`.
const char* make_visible(char* shown, size_t room, const char* text);

// Bytes of the UTF-8 character that a text starts with; 0: it starts with none.
int utf8_length(const unsigned char* p);

// Writes a compiled model; NULL, or why that failed. Half a file does not stay.
const char* save_model(const mjModel* m, const char* path);

// Whether a name ends so.
int ends_with(const char* text, const char* tail);

// Takes `--plugins FOLDER` out of a command line; EXIT_FINE, or EXIT_USAGE after a message.
int take_plugin_option(int* argc, char** argv);

// Loads plugin libraries: those of that folder, or else those installed with corten. False
// after a message.
bool load_plugins(void);

// Loads a model from a file of a format this version knows, - for standard input; NULL after a
// message. The caller deletes it.
mjModel* load_model(const char* path);

// The spec of a model file that is not compiled; files that a decoder is registered for (STL and
// OBJ, by the plugins that come with corten) become a body with a mesh.
mjSpec* parse_model(const char* path, char* error, int error_size);

// The humanoid that is part of the program; NULL after a message. The caller deletes it.
mjModel* load_builtin_model(void);

// Steps a model for that many seconds of its own time and prints energy, momentum and speed.
// Returns an exit code. Switches energy on.
int run_and_print(mjModel* m, double time);

// What `corten info` and `corten demo` print about a model.
void print_summary(const mjModel* m);
void print_tree(const mjModel* m);

#endif  // APPS_COMMAND_H_
