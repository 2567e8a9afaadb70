// What one question about one model adds up to, and the lines that tell it. Shared by the files
// that ask.

#ifndef TESTS_CONFORMANCE_TALLY_H_
#define TESTS_CONFORMANCE_TALLY_H_

#include <stdint.h>

#include "conformance/questions.h"

typedef struct {
  const Inquiry* q;
  const mjModel* m;  // the reference's, once there is one
  const char* path;  // of its file
  int integrator;    // that it is asked with
  int question;
  char where[80];  // what is being compared: "forward, state 3"
  long compared, wrong, undefined;
  long rounded;    // values or horizons that agree only thanks to what rounding does
  long regrouped;  // results of the reference, moved by rounding, that could excuse nothing
} Tally;

Tally new_tally(const Inquiry* q, int question);

// The reference's model as its file says; NULL, with the error, if the reference refuses it.
mjModel* load_reference(const Inquiry* q, const char* path, char* error, int error_size);

// The engine that works from now on.
void begin(const Inquiry* q, int question, const Engine* e);

// Takes the outcome of one field; a FieldSink.
void count_field(void* tally, const FieldVerdict* v);

void answer(const Tally* t, const char* verdict, const char* detail);

// After an error in an engine: "missing" if ours says that a function is not written yet and the
// model has what is known to be missing, "no" if it fails otherwise, "skipped" if it is the
// reference that fails.
void answer_error(const Tally* t, const Engine* e);

// Both engines read one model, so one that writes into it would deceive the other as well. False,
// with the answer "no" given, if the model differs from what it was when `before` was taken. The
// field is found by loading the model again.
uint64_t model_checksum(const mjModel* m);
bool left_model_alone(Tally* t, const mjModel* m, uint64_t before);

// Random numbers depend on the file's name, not on where it lies.
const char* model_name(const char* path);

void ask_forward(const Inquiry* q, const char* path, mjModel* m);
void ask_trajectory(const Inquiry* q, const char* path, mjModel* m);

#endif  // TESTS_CONFORMANCE_TALLY_H_
