// Plugin libraries of the command line: those of a folder that was named, or else those that are
// installed with corten.

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

static const char* named;  // --plugins, or NULL
static int nlibrary;

static void count_library(const char* file, int first, int count) {
  (void)file;
  (void)first;
  (void)count;
  nlibrary++;
}

// The folder beside the program: bin/corten and lib/corten/plugin, wherever the two are.
static bool own_folder(char* folder, size_t room) {
  char program[PATH_MAX];
  ssize_t n = readlink("/proc/self/exe", program, sizeof(program) - 1);
  if (n <= 0) return false;
  program[n] = 0;
  char* slash = strrchr(program, '/');
  if (!slash) return false;
  *slash = 0;
  return (size_t)snprintf(folder, room, "%s/../lib/corten/plugin", program) < room;
}

int take_plugin_option(int* argc, char** argv) {
  int kept = 1;
  for (int i = 1; i < *argc; i++) {
    bool foreign = kept > 1 && !strcmp(argv[1], "exec");  // the arguments of another program
    if (foreign || strcmp(argv[i], "--plugins") != 0) {
      argv[kept++] = argv[i];
      continue;
    }
    if (++i == *argc) return misused("--plugins needs a folder");
    if (named) return misused("--plugins is given twice");
    named = argv[i];
  }
  *argc = kept;
  return EXIT_FINE;
}

bool load_plugins(void) {
  char folder[PATH_MAX];
  if (named) {
    mj_loadAllPluginLibraries(named, count_library);
    if (nlibrary == 0) failed("%s: there is no plugin library (*.so) in this folder", named);
    return nlibrary > 0;
  }
  if (own_folder(folder, sizeof(folder))) mj_loadAllPluginLibraries(folder, NULL);
  return true;
}
