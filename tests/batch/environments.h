// Environments for tests of batches: many that differ, and the same ones stepped one by one.

#ifndef TESTS_BATCH_ENVIRONMENTS_H_
#define TESTS_BATCH_ENVIRONMENTS_H_

#include <corten/batch.h>
#include <mujoco/mujoco.h>

// A model of tests/recorded/models that a batch can step, small enough for all tests; NULL from the
// count on.
const char* steppable_model(int i);

// A batch with these threads and otherwise the defaults; fails the running test if it cannot be
// made.
ct_Batch* make_batch(const mjModel* m, int n, int threads);

// Velocities and controls of an environment: numbers that depend on i only.
void disturb_environment(const mjModel* m, mjData* d, int i);

// Controls of environment i at step t.
void choose_controls(const mjModel* m, mjtNum* ctrl, int i, int t);

// The same in all environments of a batch.
void disturb_batch(ct_Batch* b);
void control_batch(ct_Batch* b, int t);

// Environments that are stepped one by one with ct_step, each with an mjData of its own.
typedef struct {
  mjModel* m;
  int n;
  mjData** d;
} Loop;

Loop make_loop(mjModel* m, int n);
void step_loop(Loop* loop, int t, int substeps);  // controls, then steps
void free_loop(Loop* loop);

// Fails the test, naming model, environment and field, unless state, sensors and energy of the
// batch have the bits of these mjData.
void expect_same_bits(ct_Batch* b, const Loop* loop, const char* what);

// The same for one field of mjData that the batch keeps.
void expect_same_field(ct_Batch* b, const Loop* loop, const char* field);

// Fails the test unless the code is this one and the message contains the text.
void expect_refusal(ct_Batch* b, int got, int code, const char* text);

#endif  // TESTS_BATCH_ENVIRONMENTS_H_
