// The measure of agreement: two numbers, two arrays, and what to say about them.
//
// Integers agree if they are equal, reals if
//
//   |a - b| <= relative max(|a|, |b|) + floor scale + slack
//
// NaN agrees with NaN, an infinity with itself. The scale is 1 unless a comparison has a reason for
// another one, which it states. The slack is 0 unless rounding moves the reference itself
// (spread.h); a number that agrees only thanks to it counts as undefined.

#ifndef TESTS_CONFORMANCE_JUDGE_H_
#define TESTS_CONFORMANCE_JUDGE_H_

#include <stdbool.h>
#include <stddef.h>

#include "base/model/fields.h"

typedef enum {
  FIELD_RESULT,  // must agree
  FIELD_APART,   // search structures and statistics: compared, reported apart
} FieldKind;

typedef struct {           // the worst of several pairs of numbers
  long index;              // in the reference's array
  double reference, ours;  // the two values there
  double error;            // |a - b| / (|a| + scale) there
} Worst;

typedef struct {      // outcome for one field
  const char* field;  // "efc_force", "contact.dist"
  const char* stage;  // who writes it; the group for fields of a model
  FieldKind kind;
  long compared, wrong;  // elements
  long undefined;        // skipped: the reference itself does not define them
  long rounded;          // of these, what agrees only thanks to the slack
  Worst worst;           // of those that are wrong
  Worst worst_rounded;
} FieldVerdict;

// Called once for every field compared.
typedef void (*FieldSink)(void* context, const FieldVerdict* verdict);

// Only fields and stages that contain these texts are compared; NULL: all.
typedef struct {
  const char* field;
  const char* stage;
} FieldFilter;

typedef struct {
  double relative, floor;
  double slack;
} Tolerance;

// What a formula computes: the number of REQUIREMENTS, "Units of agreement".
extern const Tolerance exact_tolerance;

typedef struct {  // one comparison of two structs
  const mjModel* m;
  const FieldFilter* filter;
  FieldSink sink;
  void* context;
} Job;

// Where elements of one field lie in the three structs, and how they are judged.
typedef struct {
  const char *a, *b, *ours;  // reference, its second result over other bytes or NULL, ours
  ct_ElementType type;
  size_t element;
  Tolerance tolerance;
  const char* spread;  // how far rounding moves the reference's elements; NULL: not measured
} Span;

bool wanted(const Job* job, const char* field, const char* stage);
FieldVerdict new_verdict(const char* field, const char* stage, FieldKind kind);
bool is_real(ct_ElementType type);
double value_at(const char* p, ct_ElementType type);

// Did the reference write this element, that is, did both its results get the same bits?
bool defined_at(const Span* s, long i);

// Another engine computes a number by a formula of its own, with several roundings, not one.
extern const double spread_factor;

// The span's tolerance, with what is allowed because rounding moves element i.
Tolerance tolerance_at(const Span* s, long i);

// Largest finite magnitude of defined elements first ... first + n - 1 of the reference, at
// least 1.
double scale_of(const Span* s, long first, long n);

// Counts one pair of numbers under this index.
void judge_pair(FieldVerdict* v, long index, double reference, double ours, bool real,
                Tolerance tolerance, double scale);

// Counts element i of the reference against element j of ours.
void judge_element(FieldVerdict* v, const Span* s, long i, long j, double scale);

// Compares n elements with this scale and reports.
void compare_span(const Job* job, const Span* s, long n, double scale, FieldVerdict* v);

// Reports that ours has another number of elements, or none.
void report_count(const Job* job, FieldVerdict* v, double reference, double ours);

// Reports a verdict unless nothing was looked at.
void report(const Job* job, const FieldVerdict* v);

#endif  // TESTS_CONFORMANCE_JUDGE_H_
