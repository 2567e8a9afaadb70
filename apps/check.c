// corten check, schema, compile: what is wrong with a model file, what may stand in one, and making
// a compiled model of it.

#include <corten/mjcf.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"
#include "input.h"
#include "suspicions.h"

static void print_mistake(void* arg, const char* message) {
  char shown[2000];
  (void)arg;
  printf("%s\n", make_visible(shown, sizeof(shown), message));
}

// What the compiler says about a dof waits for the model, which knows its joint.
typedef struct {
  char text[500];
} HeldWarning;

static void print_or_hold(void* arg, const char* message) {
  HeldWarning* held = (HeldWarning*)arg;
  if (!held->text[0] && strstr(message, "DOF ")) {
    snprintf(held->text, sizeof(held->text), "%s", message);
  } else {
    print_mistake(NULL, message);
  }
}

static void print_held(const HeldWarning* held, const mjModel* m) {
  char named[1000];
  if (!held->text[0]) return;
  name_dofs_of(m);
  print_mistake(NULL, name_dofs(held->text, named, sizeof(named)));
  name_dofs_of(NULL);
}

// What the compiler says about a file without mistakes, and what looks like one. Returns how many
// mistakes it finds.
static int check_by_compiling(const char* file, const mjVFS* vfs, int* suspicions) {
  char error[1000] = "";
  mjSpec* spec =
      vfs ? mj_parseXML(file, vfs, error, sizeof(error)) : parse_model(file, error, sizeof(error));
  if (!spec) {
    print_mistake(NULL, error);
    return 1;
  }
  HeldWarning held = {""};
  int mistakes = ct_check_spec(spec, vfs, print_or_hold, &held);
  mjModel* m = mistakes ? NULL : mj_compile(spec, vfs);
  print_held(&held, m);
  if (m) *suspicions = print_suspicions(file, spec, m);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  return mistakes;
}

// A model that is compiled already: whether it loads.
static bool check_by_loading(const char* file, const mjVFS* vfs, int* suspicions) {
  mjModel* m = vfs ? mj_loadModel(file, vfs) : load_model(file);
  if (!m && vfs) failed("%s: not a usable model", file);
  if (!m) return false;
  *suspicions = print_suspicions(file, NULL, m);
  mj_deleteModel(m);
  return true;
}

static void ignore(const char* message) {
  (void)message;
}

// A file of a virtual file system; NULL: of the disk.
static int check_file(const char* file, const mjVFS* vfs) {
  char shown[2000];
  int mistakes = 0, suspicions = 0;
  if (ends_with(file, ".mjb")) {
    if (!check_by_loading(file, vfs, &suspicions)) return EXIT_FAILED;
  } else {
    mistakes = ct_check_mjcf(file, vfs, print_mistake, NULL);
    // what the reader warns of, it has said by now
    void (*warn)(const char*) = mju_user_warning;
    mju_user_warning = ignore;
    if (!mistakes) mistakes = check_by_compiling(file, vfs, &suspicions);
    mju_user_warning = warn;
  }
  if (mistakes) {
    return failed("%s: %d mistake%s; more may show once %s mended", file, mistakes,
                  mistakes == 1 ? "" : "s", mistakes == 1 ? "this is" : "these are");
  }
  make_visible(shown, sizeof(shown), file);
  if (suspicions) {
    printf("%s: no mistakes, but %d warning%s\n", shown, suspicions, suspicions == 1 ? "" : "s");
  } else {
    printf("%s: fine\n", shown);
  }
  return EXIT_FINE;
}

static int check_input(void) {
  InputModel in;
  if (!input_model_open(&in)) return EXIT_FAILED;
  int code = check_file(in.name, &in.vfs);
  input_model_close(&in);
  return code;
}

int command_check(int argc, char** argv) {
  if (argc < 2) return misused("check: which file?");
  int code = EXIT_FINE;
  for (int i = 1; i < argc; i++) {
    if (argv[i][0] == '-' && argv[i][1]) return misused("check: unknown option %s", argv[i]);
  }
  for (int i = 1; i < argc; i++) {
    int one = strcmp(argv[i], "-") ? check_file(argv[i], NULL) : check_input();
    if (one != EXIT_FINE) code = EXIT_FAILED;
  }
  return code;
}

static void print_line(void* arg, const char* line) {
  (void)arg;
  printf("%s\n", line);
}

static int describe_element(const char* name) {
  const char* similar = NULL;
  if (ct_describe_element(name, print_line, NULL, &similar)) return EXIT_FINE;
  char shown[200];
  make_visible(shown, sizeof(shown), name);
  if (similar) return failed("schema: there is no element %s; did you mean %s?", shown, similar);
  return failed("schema: there is no element %s", shown);
}

int command_schema(int argc, char** argv) {
  int html = argc == 2 && !strcmp(argv[1], "--html");
  if (argc > 2) return misused("schema: one element at a time, please");
  if (argc == 2 && !html && argv[1][0] == '-') return misused("schema: unknown option %s", argv[1]);
  if (argc == 2 && !html) return describe_element(argv[1]);
  int size = mj_printSchema(NULL, NULL, 0, html, 0) + 1;
  char* text = (char*)malloc((size_t)size);
  if (!text) return failed("schema: out of memory");
  mj_printSchema(NULL, text, size, html, 0);
  fputs(text, stdout);
  free(text);
  return EXIT_FINE;
}

// Writes a compiled model; NULL, or why that failed. Half a file does not stay, unless it is no
// plain file (a device, a pipe).
const char* save_model(const mjModel* m, const char* path) {
  mjtSize size = mj_sizeModel(m);
  if (size > INT_MAX) return "the model is larger than 2 GB";
  void* bytes = malloc((size_t)size);
  if (!bytes) return "out of memory";
  mj_saveModel(m, NULL, bytes, (int)size);
  errno = 0;
  FILE* file = fopen(path, "wb");
  const char* why = file ? NULL : strerror(errno);
  if (file && fwrite(bytes, 1, (size_t)size, file) != (size_t)size) why = strerror(errno);
  if (file && fclose(file) && !why) why = strerror(errno);
  free(bytes);
  struct stat about;
  if (file && why && !stat(path, &about) && S_ISREG(about.st_mode)) remove(path);
  return why;
}

int command_compile(int argc, char** argv) {
  if (argc != 3) return misused("compile: it takes a model file and the name of the .mjb to write");
  mjModel* m = load_model(argv[1]);
  if (!m) return EXIT_FAILED;
  const char* why = save_model(m, argv[2]);
  mj_deleteModel(m);
  return why ? failed("%s: cannot write the file: %s", argv[2], why) : EXIT_FINE;
}
