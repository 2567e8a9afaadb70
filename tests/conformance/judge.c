#include "conformance/judge.h"

#include <math.h>
#include <string.h>

const Tolerance exact_tolerance = {1e-9, 1e-12, 0};

bool wanted(const Job* job, const char* field, const char* stage) {
  const FieldFilter* f = job->filter;
  if (!f) return true;
  return (!f->field || strstr(field, f->field)) && (!f->stage || strstr(stage, f->stage));
}

FieldVerdict new_verdict(const char* field, const char* stage, FieldKind kind) {
  FieldVerdict v;
  memset(&v, 0, sizeof(v));
  v.field = field;
  v.stage = stage;
  v.kind = kind;
  return v;
}

bool is_real(ct_ElementType type) {
  return type == CT_TYPE_mjtNum || type == CT_TYPE_float;
}

double value_at(const char* p, ct_ElementType type) {
  switch (type) {
    case CT_TYPE_char:
      return *(const signed char*)p;
    case CT_TYPE_mjtByte:
      return *(const mjtByte*)p;
    case CT_TYPE_int:
      return *(const int*)p;
    case CT_TYPE_mjtSize:
      return (double)*(const mjtSize*)p;
    case CT_TYPE_float:
      return (double)*(const float*)p;
    case CT_TYPE_mjtNum:
      return (double)*(const mjtNum*)p;
    default:
      return (double)*(const uintptr_t*)p;
  }
}

bool defined_at(const Span* s, long i) {
  size_t at = (size_t)i * s->element;
  return !s->b || !memcmp(s->a + at, s->b + at, s->element);
}

double scale_of(const Span* s, long first, long n) {
  double scale = 1;
  for (long i = first; i < first + n; i++) {
    double x = fabs(value_at(s->a + (size_t)i * s->element, s->type));
    if (x > scale && isfinite(x) && defined_at(s, i)) scale = x;
  }
  return scale;
}

void judge_pair(FieldVerdict* v, long index, double reference, double ours, bool real,
                Tolerance tolerance, double scale) {
  double x = reference, y = ours, difference = fabs(x - y);
  v->compared++;
  if (x == y || (isnan(x) && isnan(y))) return;
  double allowed = tolerance.relative * fmax(fabs(x), fabs(y)) + tolerance.floor * scale;
  if (real && isfinite(x) && isfinite(y) && difference <= allowed) return;
  double error = isfinite(x) && isfinite(y) ? difference / (fabs(x) + scale) : INFINITY;
  Worst pair = {index, x, y, error};
  bool in_slack = !real || isinf(tolerance.slack) || difference <= allowed + tolerance.slack;
  if (tolerance.slack > 0 && in_slack) {
    v->compared--;
    v->undefined++;
    if (!v->rounded++ || error > v->worst_rounded.error) v->worst_rounded = pair;
    return;
  }
  if (!v->wrong++ || error > v->worst.error) v->worst = pair;
}

const double spread_factor = 10;

Tolerance tolerance_at(const Span* s, long i) {
  Tolerance t = s->tolerance;
  if (s->spread) t.slack = spread_factor * value_at(s->spread + (size_t)i * s->element, s->type);
  return t;
}

void judge_element(FieldVerdict* v, const Span* s, long i, long j, double scale) {
  if (!defined_at(s, i)) {
    v->undefined++;
    return;
  }
  double x = value_at(s->a + (size_t)i * s->element, s->type);
  double y = value_at(s->ours + (size_t)j * s->element, s->type);
  judge_pair(v, i, x, y, is_real(s->type), tolerance_at(s, i), scale);
}

void report(const Job* job, const FieldVerdict* v) {
  if (v->compared || v->undefined) job->sink(job->context, v);
}

void compare_span(const Job* job, const Span* s, long n, double scale, FieldVerdict* v) {
  for (long i = 0; i < n; i++) judge_element(v, s, i, i, scale);
  report(job, v);
}

void report_count(const Job* job, FieldVerdict* v, double reference, double ours) {
  v->compared = v->wrong = 1;
  v->worst.reference = reference;
  v->worst.ours = ours;
  v->worst.error = INFINITY;
  job->sink(job->context, v);
}
