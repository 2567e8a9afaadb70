// The table of commands, and texts that follow from it.

#ifndef APPS_MANUAL_H_
#define APPS_MANUAL_H_

#include <stddef.h>

// A command, or one of the options that follow it.
typedef struct {
  const char *name, *arguments, *text;  // arguments: what an option wants, "" for nothing
  int (*run)(int argc, char** argv);    // argv[0] is the command's name; NULL: an option
} Entry;

// NULL: there is none. The name of an option has n characters.
const Entry* find_command(const char* name);
const Entry* find_option(const Entry* command, const char* name, size_t n);

// The command that is spelled most like a name; NULL: none is near.
const char* similar_command(const char* name);

void print_help(void);
void print_command_help(const Entry* command);

#endif  // APPS_MANUAL_H_
