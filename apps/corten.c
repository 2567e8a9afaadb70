// corten: the command line. Each subcommand is a function in a file of its own; this one finds it,
// and sends warnings and errors of the library to standard error so that standard output holds the
// answer only.

#include <corten/version.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "command.h"
#include "input.h"
#include "manual.h"

static void to_standard_error(const char* kind, const char* message) {
  char shown[2000];
  fflush(stdout);
  fprintf(stderr, "corten: %s%s\n", kind, make_visible(shown, sizeof(shown), message));
}

// The library's warnings tell dofs and actuators by number; people know joints and names.
static const mjModel* named_model;

void name_dofs_of(const mjModel* m) {
  named_model = m;
}

// Puts the name of an object in place of its number behind a word; false: there is none.
static bool name_object(char* named, size_t room, const char* message, const char* word, int type,
                        const int* ids, mjtSize count) {
  const char* at = strstr(message, word);
  size_t n = strlen(word);
  int id = -1, used = 0;
  char title[120];
  if (!at || sscanf(at + n, "%d%n", &id, &used) != 1 || id < 0 || id >= count) return false;
  object_title(named_model, type, ids ? ids[id] : id, title, sizeof(title));
  snprintf(named, room, "%.*s%s%s", (int)(at - message), message, title, at + n + (size_t)used);
  return true;
}

const char* name_dofs(const char* message, char* named, size_t room) {
  const mjModel* m = named_model;
  bool found = m && (name_object(named, room, message, "DOF ", mjOBJ_JOINT, m->dof_jntid, m->nv) ||
                     name_object(named, room, message, "ACTUATOR ", mjOBJ_ACTUATOR, NULL, m->nu));
  return found ? named : message;
}

// While a file is loaded there is no model yet: such warnings wait for it.
static struct {
  bool on;
  int count;
  char text[4][500];
} held;

static void on_warning(const char* message) {
  char named[2000];
  if (held.on && held.count < 4 && (strstr(message, "DOF ") || strstr(message, "ACTUATOR "))) {
    snprintf(held.text[held.count++], sizeof(held.text[0]), "%s", message);
    return;
  }
  to_standard_error("warning: ", name_dofs(message, named, sizeof(named)));
}

static void release_warnings(const mjModel* m) {
  held.on = false;
  name_dofs_of(m);
  for (int i = 0; i < held.count; i++) on_warning(held.text[i]);
  name_dofs_of(NULL);
  held.count = 0;
}

static void on_error(const char* message) {
  to_standard_error("", message);
  exit(EXIT_FAILED);
}

static void complain(const char* format, va_list args) {
  char message[1000];
  vsnprintf(message, sizeof(message), format, args);
  to_standard_error("", message);
}

int failed(const char* format, ...) {
  va_list args;
  va_start(args, format);
  complain(format, args);
  va_end(args);
  return EXIT_FAILED;
}

int misused(const char* format, ...) {
  va_list args;
  va_start(args, format);
  complain(format, args);
  va_end(args);
  fprintf(stderr, "try: corten --help\n");
  return EXIT_USAGE;
}

int ends_with(const char* text, const char* tail) {
  size_t n = strlen(text), k = strlen(tail);
  return n >= k && !strcmp(text + n - k, tail);
}

static bool is_for_a_decoder(const char* path) {
  mjResource name = {0};
  name.name = (char*)(uintptr_t)path;
  return mjp_findDecoder(&name, NULL) != NULL;
}

mjSpec* parse_model(const char* path, char* error, int error_size) {
  if (!strcmp(path, "-")) return input_parse(error, error_size);
  if (is_for_a_decoder(path)) return mj_parse(path, NULL, NULL, error, error_size);
  return mj_parseXML(path, NULL, error, error_size);
}

static mjModel* load_decoded(const char* path) {
  char error[1000] = "";
  mjSpec* spec = parse_model(path, error, sizeof(error));
  mjModel* model = spec ? mj_compile(spec, NULL) : NULL;
  if (!model)
    failed("%s%s%s", spec ? path : "", spec ? ": " : "", spec ? mjs_getError(spec) : error);
  if (spec) mj_deleteSpec(spec);
  return model;
}

static mjModel* load_any(const char* path) {
  if (!strcmp(path, "-")) return input_load();
  if (is_for_a_decoder(path)) return load_decoded(path);
  if (!ends_with(path, ".mjb")) {
    char error[1000] = "";
    mjModel* model = mj_loadXML(path, NULL, error, sizeof(error));
    if (!model) failed("%s", error);
    if (model && *error) on_warning(error);
    return model;
  }
  FILE* f = fopen(path, "rb");
  if (!f) {
    failed("%s: cannot open the file", path);
    return NULL;
  }
  fclose(f);
  mjModel* m = mj_loadModel(path, NULL);
  if (!m) failed("%s: not a usable model", path);
  return m;
}

mjModel* load_model(const char* path) {
  held.on = true;
  mjModel* m = load_any(path);
  release_warnings(m);
  return m;
}

// Takes --option=value apart where the command has such an option. Returns the number of arguments.
static int take_apart(const Entry* command, int argc, char** argv, char** out) {
  int n = 0;
  for (int i = 0; i < argc; i++) {
    char* equals = argv[i][0] == '-' && argv[i][1] == '-' ? strchr(argv[i], '=') : NULL;
    const Entry* option = equals ? find_option(command, argv[i], (size_t)(equals - argv[i])) : NULL;
    out[n++] = argv[i];
    if (!option) continue;
    if (!option->arguments[0]) {
      misused("%s: %s takes no value", command->name, option->name);
      return -1;
    }
    *equals = 0;
    out[n++] = equals + 1;
  }
  out[n] = NULL;
  return n;
}

// An option where a value should be is a value that was forgotten. False after a message.
static bool has_values(const Entry* command, int argc, char** argv) {
  for (int i = 1; i + 1 < argc; i++) {
    const Entry* option = find_option(command, argv[i], strlen(argv[i]));
    if (!option || !option->arguments[0]) continue;
    if (find_option(command, argv[i + 1], strlen(argv[i + 1]))) {
      misused("%s: %s needs a value, %s; got %s", command->name, option->name, option->arguments,
              argv[i + 1]);
      return false;
    }
    i++;
  }
  return true;
}

static int call(const Entry* command, int argc, char** argv) {
  // the arguments of another program are its own
  bool foreign = command->run == command_exec;
  for (int i = 1; i < (foreign && argc > 2 ? 2 : argc); i++) {
    if (strcmp(argv[i], "--help") != 0 && (i > 1 || strcmp(argv[i], "-h") != 0)) continue;
    print_command_help(command);
    return EXIT_FINE;
  }
  if (foreign) return command->run(argc, argv);
  char** apart = (char**)malloc((size_t)(2 * argc + 1) * sizeof(char*));
  if (!apart) return failed("out of memory");
  int n = take_apart(command, argc, argv, apart);
  int code = n < 0 || !has_values(command, n, apart) ? EXIT_USAGE : command->run(n, apart);
  free(apart);
  return code;
}

static int run_command(int argc, char** argv) {
  if (take_plugin_option(&argc, argv)) return EXIT_USAGE;
  if (argc < 2) {
    print_help();
    return EXIT_USAGE;
  }
  bool help = !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help");
  const Entry* command = find_command(argv[help && argc > 2 ? 2 : 1]);
  if (help && argc > 2 && command) {
    print_command_help(command);
    return EXIT_FINE;
  }
  if (help) {
    print_help();
    return EXIT_FINE;
  }
  if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "version")) {
    printf("corten %s (MuJoCo interface %s)\n", ct_version(), mj_versionString());
    return EXIT_FINE;
  }
  if (command) return load_plugins() ? call(command, argc - 1, argv + 1) : EXIT_FAILED;
  const char* similar = similar_command(argv[1]);
  if (!similar) return misused("there is no command \"%s\"", argv[1]);
  return misused("there is no command \"%s\"; did you mean %s?", argv[1], similar);
}

int main(int argc, char** argv) {
  mju_user_warning = on_warning;
  mju_user_error = on_error;
  int code = run_command(argc, argv);
  if (fflush(stdout) || ferror(stdout)) return failed("cannot write the answer");
  return code;
}
