// corten check, schema, compile: what is wrong with a model file, what may stand in one, and making
// a compiled model of it.

#include <corten/mjcf.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <mujoco/mjxmacro.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"

static void print_mistake(void* arg, const char* message) {
  char shown[2000];
  (void)arg;
  printf("%s\n", make_visible(shown, sizeof(shown), message));
}

// What the compiler says about a file without mistakes; returns how many it finds.
static int check_by_compiling(const char* file) {
  char error[1000] = "";
  mjSpec* spec = mj_parseXML(file, NULL, error, sizeof(error));
  if (!spec) {
    print_mistake(NULL, error);
    return 1;
  }
  int mistakes = ct_check_spec(spec, NULL, print_mistake, NULL);
  mj_deleteSpec(spec);
  return mistakes;
}

// What a model may mean, but hardly does.

static int suspicions;  // of the file that is being checked

static void print_suspicion(const char* file, const char* format, ...) mjPRINTFLIKE(2, 3);
static void print_suspicion(const char* file, const char* format, ...) {
  char text[500], shown[2000];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof(text), format, args);
  va_end(args);
  suspicions++;
  printf("%s: ", make_visible(shown, sizeof(shown), file));
  printf("warning: %s\n", make_visible(shown, sizeof(shown), text));
}

static bool has_nan(const mjtNum* x, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (isnan((double)x[i])) return true;
  }
  return false;
}

// What the compiler derives from meshes: faces without an area have no normal, and nobody minds.
static bool is_derived(const char* name) {
  return !strcmp(name, "mesh_polynormal");
}

static void suspect_options(const char* file, const mjModel* m) {
#define X(type_, name_) \
  if (has_nan(&m->opt.name_, 1)) print_suspicion(file, "opt.%s is NaN", #name_);
  MJOPTION_FLOATS
#undef X
#define X(name_, length_)                                             \
  if (has_nan(m->opt.name_, length_)) {                               \
    print_suspicion(file, "opt.%s has a number that is NaN", #name_); \
  }
  MJOPTION_VECTORS
#undef X
}

// Every array of numbers of the model, by its name.
static void suspect_nan(const char* file, const mjModel* m) {
  MJMODEL_POINTERS_PREAMBLE(m)
#define XNV X
#define X(type_, name_, rows_, columns_)                                                      \
  if (sizeof(type_) == sizeof(mjtNum) && !strcmp(#type_, "mjtNum") && !is_derived(#name_) &&  \
      has_nan((const mjtNum*)(const void*)m->name_, (size_t)m->rows_ * (size_t)(columns_))) { \
    print_suspicion(file, "%s has a number that is NaN", #name_);                             \
  }
  MJMODEL_POINTERS
#undef X
#undef XNV
}

static void suspect_timestep(const char* file, const mjModel* m) {
  if (m->opt.timestep > 0) return;
  print_suspicion(file, "the timestep is %g; nothing will move", (double)m->opt.timestep);
}

static void joint_name(const mjModel* m, int joint, char text[100]) {
  const char* name = mj_id2name(m, mjOBJ_JOINT, joint);
  if (name && name[0]) {
    snprintf(text, 100, "joint %s", name);
  } else {
    snprintf(text, 100, "joint %d", joint);
  }
}

// Whole half turns, up to ten turns, are what somebody counted in radians.
static bool is_counted_in_pi(double x) {
  double halves = x / 3.14159265358979;
  return halves < 20.5 && fabs(halves - round(halves)) < 1e-3;
}

// Other limits of more than a turn are hardly radians; limits that are all within 3.2 degrees look
// like radians.
static void suspect_angles(const char* file, const mjModel* m) {
  const double degree = 3.14159265358979 / 180, most_radians = 6.5;
  int limited = 0, small = 0, example = -1;
  char name[100];
  for (int i = 0; i < m->njnt; i++) {
    bool hinge = m->jnt_type[i] == mjJNT_HINGE;
    if (!m->jnt_limited[i] || (!hinge && m->jnt_type[i] != mjJNT_BALL)) continue;
    double low = (double)m->jnt_range[2 * i], high = (double)m->jnt_range[2 * i + 1];
    double most = fmax(fabs(low), fabs(high));
    limited += hinge;
    if (hinge && most > 0 && most <= 3.2 * degree) small++, example = i;
    if (most <= most_radians || is_counted_in_pi(most)) continue;
    joint_name(m, i, name);
    print_suspicion(file,
                    "%s has a range of %g to %g rad; if degrees are meant: <compiler "
                    "angle=\"degree\"/>",
                    name, low, high);
  }
  if (!small || small < limited) return;
  joint_name(m, example, name);
  print_suspicion(file,
                  "all hinges have ranges within 3.2 degrees (%s: %.3g to %.3g); if radians are "
                  "meant: <compiler angle=\"radian\"/>",
                  name, (double)m->jnt_range[2 * example] / degree,
                  (double)m->jnt_range[2 * example + 1] / degree);
}

// Whether it loads.
static bool suspect(const char* file) {
  mjModel* m = load_model(file);
  if (!m) return false;
  suspect_nan(file, m);
  suspect_options(file, m);
  suspect_timestep(file, m);
  suspect_angles(file, m);
  mj_deleteModel(m);
  return true;
}

static void ignore(const char* message) {
  (void)message;
}

static int check_file(const char* file) {
  char shown[2000];
  int mistakes = 0;
  suspicions = 0;
  if (!strcmp(file, "-") || ends_with(file, ".mjb")) {
    if (!suspect(file)) return EXIT_FAILED;
  } else {
    mistakes = ct_check_mjcf(file, NULL, print_mistake, NULL);
    // what the reader warns of, it has said by now
    void (*warn)(const char*) = mju_user_warning;
    mju_user_warning = ignore;
    if (!mistakes) mistakes = check_by_compiling(file);
    if (!mistakes) suspect(file);
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

int command_check(int argc, char** argv) {
  if (argc < 2) return misused("check: which file?");
  int code = EXIT_FINE;
  for (int i = 1; i < argc; i++) {
    if (argv[i][0] == '-' && argv[i][1]) return misused("check: unknown option %s", argv[i]);
  }
  for (int i = 1; i < argc; i++) {
    if (check_file(argv[i]) != EXIT_FINE) code = EXIT_FAILED;
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
