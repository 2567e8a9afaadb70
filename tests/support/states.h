// Recorded states: what the reference had before and after one stage, for many models and states.
//
//   RECORDED_STATES(s, "com_velocity") {
//     mj_comVel(s.model, s.data);
//     EXPECT_FIELD(s, cvel, PRECISION(1e-12, 1e-5));
//   }
//
// The data of a state has the recorded inputs of the stage; its outputs are NaN, whole numbers -99,
// until the stage writes them, so that nothing passes by accident. tests/record/record_stage.py
// writes the recordings.

#ifndef TESTS_SUPPORT_STATES_H_
#define TESTS_SUPPORT_STATES_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "support/recorded.h"

typedef struct RecordedState_ {
  Recorded* recorded;
  int first;         // of the arrays of this state in the recording
  char prefix[128];  // "humanoid/0/"
  char name[64];     // "humanoid"
  mjModel* model;
  mjData* data;
} RecordedState;

#define RECORDED_STATES(state_, stage_)                                                      \
  for (RecordedState state_ = recorded_states(stage_); recorded_state_open(&(state_), NULL); \
       recorded_state_next(&(state_)))

// The same for the states of one model.
#define RECORDED_STATES_OF(state_, stage_, model_)                                             \
  for (RecordedState state_ = recorded_states(stage_); recorded_state_open(&(state_), model_); \
       recorded_state_next(&(state_)))

RecordedState recorded_states(const char* stage);
bool recorded_state_open(RecordedState* s, const char* only_model);
void recorded_state_next(RecordedState* s);

// The tolerance for the precision that mjtNum has in this build.
#ifdef mjUSESINGLE
#define PRECISION(double_, float_) (float_)
#else
#define PRECISION(double_, float_) (double_)
#endif

// The array is what the reference wrote: |got - want| <= tolerance (1 + |want|).
#define EXPECT_FIELD(state_, field_, tolerance_) \
  expect_field(&(state_), #field_, (state_).data->field_, tolerance_)
void expect_field(const RecordedState* s, const char* field, const mjtNum* got, double tolerance);

// The same for an array of whole numbers, exactly.
#define EXPECT_INTS(state_, field_) expect_int_field(&(state_), #field_, (state_).data->field_)
void expect_int_field(const RecordedState* s, const char* field, const int* got);

// The same for any two arrays; `what` names them in the failure.
void expect_close(const char* what, const mjtNum* got, const mjtNum* want, int n, double tolerance);

#endif  // TESTS_SUPPORT_STATES_H_
