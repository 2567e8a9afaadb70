// corten exec: any program, with corten in place of the reference's library. The loader looks into
// LD_LIBRARY_PATH before it looks beside a program, so the folder of our library goes to its front.

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

// The folder of libmujoco.so.3.5.0, seen from this program: ../lib/corten in an installation and in
// a folder of a build.
static int find_library(char folder[PATH_MAX]) {
  char self[PATH_MAX], path[PATH_MAX + 64];
  ssize_t n = readlink("/proc/self/exe", self, sizeof(self) - 1);
  if (n <= 0) return failed("exec: cannot find out where corten is");
  self[n] = 0;
  char* slash = strrchr(self, '/');
  if (slash) *slash = 0;
  snprintf(path, sizeof(path), "%s/../lib/corten", self);
  if (!realpath(path, folder)) return failed("exec: %s: %s", path, strerror(errno));
  snprintf(path, sizeof(path), "%s/libmujoco.so.3.5.0", folder);
  if (access(path, R_OK) != 0) return failed("exec: %s: %s", path, strerror(errno));
  return EXIT_FINE;
}

int command_exec(int argc, char** argv) {
  char folder[PATH_MAX], value[2 * PATH_MAX];
  if (argc < 2) return misused("exec: which program?");
  int code = find_library(folder);
  if (code != EXIT_FINE) return code;
  const char* before = getenv("LD_LIBRARY_PATH");
  snprintf(value, sizeof(value), "%s%s%s", folder, before && before[0] ? ":" : "",
           before ? before : "");
  setenv("LD_LIBRARY_PATH", value, 1);
  execvp(argv[1], argv + 1);
  return failed("exec: %s: %s", argv[1], strerror(errno));
}
