// Field-by-field comparison of two models or two data objects, driven by the schema's tables.
//
// What the reference leaves undefined is found, not listed: it computes every data twice, over
// memory filled with different bytes, and elements that differ between the two are skipped and
// counted.

#ifndef TESTS_CONFORMANCE_COMPARE_H_
#define TESTS_CONFORMANCE_COMPARE_H_

#include "conformance/spread.h"

void compare_models(const mjModel* reference, const mjModel* ours, const FieldFilter* filter,
                    FieldSink sink, void* context);

typedef enum {
  AFTER_FORWARD,
  AFTER_INVERSE,
  AFTER_STEP,  // by an integrator that evaluates once, so that only the state has moved on
} When;

// Three results for one state.
typedef struct {
  const mjData* reference;
  const mjData* twice;  // the reference's again, over other bytes
  const mjData* ours;
  When when;
  const RoundingSpread* spread;  // how far rounding moves the reference; NULL: not measured
} Results;

// Values behind the iterative solver agree to 1e-6 of the largest of their field, or to the
// solver's own tolerance if that is looser, and the cost of our acceleration is not worse. All
// other values agree to 1e-9 (floor 1e-12). Where the spread is known, ten times the spread of an
// element is added. mj_inverse works without a solver: there, only values
// that it leaves alone stay behind the solver of the forward pass.
void compare_data(const mjModel* m, const Results* results, const FieldFilter* filter,
                  FieldSink sink, void* context);

// Overwrites what came out of the solver with a pattern, in the second result, before mj_inverse.
// Where the pattern is found afterwards, mj_inverse has left the value alone.
void mark_solved(const mjModel* m, mjData* twice);

#endif  // TESTS_CONFORMANCE_COMPARE_H_
