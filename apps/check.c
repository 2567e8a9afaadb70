// corten check, schema, compile: what is wrong with a model file, what may stand in one, and making
// a compiled model of it.

#include <corten/mjcf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int command_check(int argc, char** argv) {
  if (argc != 2) return misused("check: which file? One, please");
  int mistakes = ct_check_mjcf(argv[1], NULL, print_mistake, NULL);
  if (!mistakes) mistakes = check_by_compiling(argv[1]);
  if (mistakes) return failed("%s: %d mistake%s", argv[1], mistakes, mistakes == 1 ? "" : "s");
  char shown[2000];
  printf("%s: fine\n", make_visible(shown, sizeof(shown), argv[1]));
  return EXIT_FINE;
}

int command_schema(int argc, char** argv) {
  int html = argc == 2 && !strcmp(argv[1], "--html");
  if (argc > 1 && !html) return misused("schema: unknown option %s", argv[1]);
  int size = mj_printSchema(NULL, NULL, 0, html, 0) + 1;
  char* text = (char*)malloc((size_t)size);
  if (!text) return failed("schema: out of memory");
  mj_printSchema(NULL, text, size, html, 0);
  fputs(text, stdout);
  free(text);
  return EXIT_FINE;
}

int command_compile(int argc, char** argv) {
  if (argc != 3) return misused("compile: it takes a model file and the name of the .mjb to write");
  mjModel* m = load_model(argv[1]);
  if (!m) return EXIT_FAILED;
  FILE* file = fopen(argv[2], "wb");
  if (file) fclose(file);
  if (file) mj_saveModel(m, argv[2], NULL, 0);
  mj_deleteModel(m);
  return file ? EXIT_FINE : failed("%s: cannot write the file", argv[2]);
}
