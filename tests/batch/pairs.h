// Batches of the same environments on the CPU and on a GPU: both get the same calls, and what they
// have is compared bit by bit.

#ifndef TESTS_BATCH_PAIRS_H_
#define TESTS_BATCH_PAIRS_H_

#include <corten/batch.h>
#include <stdbool.h>

enum { N = 5 };  // environments of a batch, unless there are to be many

typedef struct {
  const mjModel* m;
  int n;
  ct_Batch *cpu, *gpu;
} Pair;

// Says why not, the first time.
bool there_is_a_gpu(void);

#define NEEDS_GPU() \
  if (!there_is_a_gpu()) skip()

// N environments with these options, or the defaults for NULL; fails the running test if there can
// be none.
ct_Batch* make_on(const mjModel* m, int backend, const ct_BatchOptions* from);
// n environments with these options.
Pair make_many(const mjModel* m, int n, const ct_BatchOptions* options);
Pair make_pair(const mjModel* m);
Pair make_pair_with(const mjModel* m, const ct_BatchOptions* options);
void free_pair(Pair* p);

// Both calls must be good. p is the pair.
#define BOTH(call_cpu_, call_gpu_)                                               \
  do {                                                                           \
    if (call_cpu_) fail_msg("%s: CPU: %s", p->m->names, ct_batch_error(p->cpu)); \
    if (call_gpu_) fail_msg("%s: GPU: %s", p->m->names, ct_batch_error(p->gpu)); \
  } while (0)

void set_both(Pair* p, const char* field, const mjtByte* mask, const void* matrix);
void step_both(Pair* p, const mjtByte* mask, int nstep);
void disturb_both(Pair* p);
void control_both(Pair* p, int t);

// Fail the test, naming model, environment and numbers, unless all bits are the same.
void expect_same_matrix(const Pair* p, const char* field, const char* a, const char* b, size_t row);
void expect_same_field_of_both(Pair* p, const char* field);
void expect_same(Pair* p);  // state, status, sensors, energy, episodes, warnings and noise

#endif  // TESTS_BATCH_PAIRS_H_
