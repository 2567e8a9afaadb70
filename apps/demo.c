// corten demo: the built-in humanoid, how fast its data is made, reset, copied and saved, and how
// it falls.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "command.h"

// The compiled humanoid, put into the program by the assembler (CORTEN_BUILTIN_MODEL is its path).
extern const unsigned char builtin_model[], builtin_model_end[];
__asm__(
    ".section .rodata\n"
    ".balign 16\n"
    ".global builtin_model, builtin_model_end\n"
    "builtin_model: .incbin \"" CORTEN_BUILTIN_MODEL
    "\"\n"
    "builtin_model_end: .byte 0\n"
    ".previous\n");

static int builtin_size(void) {
  return (int)((uintptr_t)builtin_model_end - (uintptr_t)builtin_model);
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

enum { REPEATS = 2000 };

static void report(const char* what, double started) {
  printf("  %-42s %10.2f us\n", what, (seconds() - started) / REPEATS * 1e6);
}

static void time_data(const mjModel* m) {
  double start = seconds();
  for (int i = 0; i < REPEATS; i++) mj_deleteData(mj_makeData(m));
  report("make and delete an mjData", start);

  mjData* d = mj_makeData(m);
  mjData* copy = mj_makeData(m);
  mjtNum* state =
      (mjtNum*)mju_malloc((size_t)mj_stateSize(m, mjSTATE_INTEGRATION) * sizeof(mjtNum));

  start = seconds();
  for (int i = 0; i < REPEATS; i++) mj_resetData(m, d);
  report("reset it", start);

  start = seconds();
  for (int i = 0; i < REPEATS; i++) mj_copyData(copy, m, d);
  report("copy it", start);

  start = seconds();
  for (int i = 0; i < REPEATS; i++) {
    mj_getState(m, d, state, mjSTATE_INTEGRATION);
    mj_setState(m, copy, state, mjSTATE_INTEGRATION);
  }
  report("take its state and put it into another", start);

  mju_free(state);
  mj_deleteData(copy);
  mj_deleteData(d);
}

mjModel* load_builtin_model(void) {
  mjModel* m = mj_loadModelBuffer(builtin_model, builtin_size());
  if (!m) failed("the built-in model does not load");
  return m;
}

int command_demo(int argc, char** argv) {
  if (argc > 1) return misused("demo: takes no arguments, got %s", argv[1]);
  mjModel* m = load_builtin_model();
  if (!m) return EXIT_FAILED;
  print_summary(m);
  printf("\n");
  print_tree(m);
  printf("\nan mjData of this model\n");
  time_data(m);
  printf("\ntwo seconds, in which it falls\n");
  int code = run_and_print(m, 2);
  mj_deleteModel(m);
  return code;
}
