// Field-by-field comparison of two models or two data objects, driven by the schema's tables.
//
// Integers must be equal. Reals agree if |a - b| <= rel |a| + floor, with rel 1e-9 and floor
// 1e-12 max(1, largest |a| of the field), or, for what comes out of an iterative solver, with 1e-6
// (or the solver's tolerance, if that is looser) in both places. NaN agrees with NaN.
//
// What the reference leaves undefined is found, not listed: it computes every data twice, over
// memory filled with different bytes, and elements that differ between the two are skipped and
// counted.

#ifndef TESTS_CONFORMANCE_COMPARE_H_
#define TESTS_CONFORMANCE_COMPARE_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

typedef enum {
  FIELD_RESULT,  // must agree
  FIELD_APART,   // search structures and statistics: compared, reported apart
} FieldKind;

typedef struct {      // outcome for one field
  const char* field;  // "efc_force", "contact.dist"
  const char* stage;  // who writes it; the group for fields of a model
  FieldKind kind;
  long compared, wrong;    // elements
  long undefined;          // skipped: the reference itself does not define them
  long index;              // of the worst disagreement
  double reference, ours;  // the two values there
  double error;            // |a - b| / (|a| + scale) there
} FieldVerdict;

// Called once for every field compared.
typedef void (*FieldSink)(void* context, const FieldVerdict* verdict);

// Only fields and stages that contain these texts are compared; NULL: all.
typedef struct {
  const char* field;
  const char* stage;
} FieldFilter;

void compare_models(const mjModel* reference, const mjModel* ours, const FieldFilter* filter,
                    FieldSink sink, void* context);

// `twice` is the reference's second result over other bytes; `solved` says that constraint forces
// come from an iterative solver (mj_forward) and not from a formula (mj_inverse).
void compare_data(const mjModel* m, const mjData* reference, const mjData* twice,
                  const mjData* ours, bool solved, const FieldFilter* filter, FieldSink sink,
                  void* context);

#endif  // TESTS_CONFORMANCE_COMPARE_H_
