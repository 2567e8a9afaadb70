// The four questions asked of a model: does it load, is the compiled model the same, does one
// evaluation give the same numbers, does the motion stay the same.
//
// Answers are written as lines to a stream, so that a process that asks about one model can die
// without taking what it has found with it:
//
//   B question engine                                        about to ask; a crash after this is
//   theirs R question verdict compared wrong undefined detail       the answer M question kind
//   stage field index reference ours error count where
//                                                            one disagreeing field
// Columns are separated by tabs.

#ifndef TESTS_CONFORMANCE_QUESTIONS_H_
#define TESTS_CONFORMANCE_QUESTIONS_H_

#include <stdio.h>

#include "conformance/compare.h"
#include "conformance/engine.h"

enum { ASK_LOADS, ASK_MODEL, ASK_FORWARD, ASK_TRAJECTORY, NQUESTION };
extern const char* const question_names[NQUESTION];

typedef struct {
  const Engine* reference;
  const Engine* ours;
  FieldFilter filter;
  unsigned ask;      // bit mask of questions
  int states;        // random states of the forward question
  int steps;         // length of the longest trajectory
  double seconds;    // budget of the trajectory question
  unsigned disable;  // extra mjDSBL_ bits set in the model's options
  FILE* answers;
} Inquiry;

// Asks about one model file.
void ask_about(const Inquiry* q, const char* path);

#endif  // TESTS_CONFORMANCE_QUESTIONS_H_
