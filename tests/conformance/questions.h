// The four questions asked of a model: does it load, is the compiled model the same, does one
// evaluation give the same numbers, does the motion stay the same.
//
// Answers are written as lines to a stream, so that a process that asks about one model can die
// without taking what it has found with it. Columns are separated by tabs:
//
//   B question engine      about to let this engine work; a crash after this is its own
//   M question kind stage field index reference ours error count where
//                          one disagreeing field; kind: "result", "apart" (search structures,
//                          statistics) or "rounding" (excused, because rounding decides it)
//   H integrator horizon verdict ours chaos
//                          one horizon of one trajectory
//   E question rounded regrouped
//                          what agrees only thanks to what rounding does to the reference, and how
//                          many of its moved results had other contacts and could excuse nothing
//   R question verdict compared wrong undefined detail
//                          the answer

#ifndef TESTS_CONFORMANCE_QUESTIONS_H_
#define TESTS_CONFORMANCE_QUESTIONS_H_

#include <stdio.h>

#include "conformance/compare.h"
#include "conformance/engine.h"

enum { ASK_LOADS, ASK_MODEL, ASK_FORWARD, ASK_TRAJECTORY, NQUESTION };
extern const char* const question_names[NQUESTION];

enum { NHORIZON = 4, NINTEGRATOR = 5 };
extern const int horizons[NHORIZON];                     // in steps
extern const char* const integrator_names[NINTEGRATOR];  // the model's own comes first

typedef struct {
  const Engine* reference;
  const Engine* ours;
  FieldFilter filter;
  unsigned ask;         // bit mask of questions
  int states;           // random states of the forward question
  int steps;            // length of the longest trajectory
  double seconds;       // budget of the trajectory question
  unsigned disable;     // extra mjDSBL_ bits set in the model's options
  bool given_contacts;  // forward starts at the constraint rows, from the reference's contacts
  FILE* answers;
} Inquiry;

// Asks about one model file.
void ask_about(const Inquiry* q, const char* path);

#endif  // TESTS_CONFORMANCE_QUESTIONS_H_
