// corten: the command line. Each subcommand is a function in a file of its own; this one finds it,
// and sends warnings and errors of the library to standard error so that standard output holds the
// answer only.

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

#define CORTEN_TEXT(x_) #x_
#define CORTEN_STRING(x_) CORTEN_TEXT(x_)

static const Command commands[] = {
    {"info", "FILE [--json]", "sizes, body tree, joints, actuators and sensors of a model",
     command_info},
    {"run", "[FILE] [--time T] [--smooth]",
     "step a model for T seconds: energy, momentum, steps per second, time of each stage; also "
     "--steps N, "
     "--key NAME, --ctrl VALUE, noise[:S] or FILE (--seed S), --csv FILE and --npz FILE (--every K "
     "steps), "
     "--json, --timestep H, --integrator and --solver NAME",
     command_run},
    {"render", "[FILE] -o PICTURE.png",
     "draw a model without a window; also --size WxH, --camera NAME, --key NAME, --time T (seconds "
     "to "
     "step first), --depth (millimetres, 16 bits), --segment, --show and --hide (joint, "
     "contact-force, "
     "shadow ...), and for the free camera --azimuth, --elevation (degrees), --distance",
     command_render},
    {"view", "[FILE]",
     "a model in a window (needs GLFW and a display): play, pause, pull, sliders, plots; F1 there "
     "shows the keys; also --paused, --key NAME, --size WxH, --frames N (closes after them)",
     command_view},
    {"plot", "RECORDING.csv -o PICTURE.svg",
     "draw columns of a recording over time; also --columns PATTERN (\"sensordata.*\", again for "
     "more), "
     "--title TEXT, --size WxH",
     command_plot},
    {"speed", "[FILE] [--batch N] [--gpu]",
     "steps per second of N environments; also --threads T, --substeps K, --seconds S, --csv, and "
     "with --gpu (libcorten_cuda.so, made by make cuda) --fast or --float",
     command_speed},
    {"derivative", "[FILE] [--time T] [--json] [--picture]",
     "how a step changes with state and controls after T seconds, and how exactly that is known",
     command_derivative},
    {"check", "FILE", "all mistakes of a model file that can be seen at once", command_check},
    {"compile", "FILE OUT.mjb", "compile a model file", command_compile},
    {"convert", "IN OUT [--digits N | --keep-all]",
     "a model as another file: MJCF, URDF or .mjb becomes .xml (not from .mjb), .mjb or .txt; "
     "--keep-all: the .xml gives the same model again",
     command_convert},
    {"diff", "A B [--tolerance T]",
     "what differs between two models, by name; exit code 1 if anything does", command_diff},
    {"schema", "[ELEMENT | --html]",
     "elements and attributes that a model file can have, or what one element takes",
     command_schema},
    {"demo", "", "the built-in model: what it is, how it moves, how fast that is", command_demo},
};
#define NCOMMAND (int)(sizeof(commands) / sizeof(commands[0]))

static void to_standard_error(const char* kind, const char* message) {
  char shown[2000];
  fflush(stdout);
  fprintf(stderr, "corten: %s%s\n", kind, make_visible(shown, sizeof(shown), message));
}

static void on_warning(const char* message) {
  to_standard_error("warning: ", message);
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

mjModel* load_model(const char* path) {
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

static void print_help(void) {
  printf("corten: MuJoCo's physics in plain C\n\nusage:\n");
  for (int i = 0; i < NCOMMAND; i++) {
    char usage[64];
    snprintf(usage, sizeof(usage), "%s %s", commands[i].name, commands[i].arguments);
    printf("  corten %-33s  %s\n", usage, commands[i].summary);
  }
  printf("  corten %-33s  %s\n", "--version",
         "versions of corten and of the interface it implements");
  printf("  corten %-33s  %s\n", "--help", "this text");
  printf("\nexit codes: 0 fine, 1 the work failed, 2 the command line is wrong\n");
}

static int run_command(int argc, char** argv) {
  if (argc < 2) {
    print_help();
    return EXIT_USAGE;
  }
  if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
    print_help();
    return EXIT_FINE;
  }
  if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "version")) {
    printf("corten %s (MuJoCo interface %s)\n", CORTEN_STRING(CORTEN_VERSION), mj_versionString());
    return EXIT_FINE;
  }
  for (int i = 0; i < NCOMMAND; i++) {
    if (!strcmp(argv[1], commands[i].name)) return commands[i].run(argc - 1, argv + 1);
  }
  return misused("there is no command \"%s\"", argv[1]);
}

int main(int argc, char** argv) {
  mju_user_warning = on_warning;
  mju_user_error = on_error;
  int code = run_command(argc, argv);
  if (fflush(stdout) || ferror(stdout)) return failed("cannot write the answer");
  return code;
}
