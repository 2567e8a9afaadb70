// Data objects, field by field: single members and the arrays of the buffer. Contacts, constraint
// rows and islands, which follow an order of their own, are in compare_rows.c.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/compare.h"
#include "conformance/compare_rows.h"
#include "conformance/rules.h"

// Single members

static ct_ElementType member_type(const ct_Member* member) {
  if (!strcmp(member->type, "int")) return CT_TYPE_int;
  if (!strcmp(member->type, "mjtByte")) return CT_TYPE_mjtByte;
  if (!strcmp(member->type, "mjtNum")) return CT_TYPE_mjtNum;
  return CT_TYPE_mjtSize;
}

static void compare_warnings(const Job* job, const Results* r) {
  if (!wanted(job, "warning", "values")) return;
  FieldVerdict v = new_verdict("warning", "values", FIELD_RESULT);
  Span s = {(const char*)r->reference->warning,
            NULL,
            (const char*)r->ours->warning,
            CT_TYPE_int,
            sizeof(int),
            exact_tolerance,
            NULL};
  compare_span(job, &s, (long)(mjNWARNING * sizeof(mjWarningStat) / sizeof(int)), 1, &v);
}

// Single members count and switch, apart from the energies.
static const char* spread_of_member(const Results* r, const ct_Member* member) {
  bool is_number = member_type(member) == CT_TYPE_mjtNum && strcmp(member->name, "time") != 0;
  return r->spread && is_number ? (const char*)r->spread->data + member->offset : NULL;
}

static void compare_values(const Job* job, const Results* r) {
  for (int i = 0; i < ct_ndata_value; i++) {
    const ct_Member* member = ct_data_values + i;
    if (is_bookkeeping(member->name) || !wanted(job, member->name, "values")) continue;
    if (!strcmp(member->name, "warning") || !strcmp(member->name, "solver")) continue;
    FieldVerdict v = new_verdict(member->name, "values",
                                 is_statistic(member->name) ? FIELD_APART : FIELD_RESULT);
    size_t at = member->offset;
    Span s = {(const char*)r->reference + at,
              (const char*)r->twice + at,
              (const char*)r->ours + at,
              member_type(member),
              member->element,
              exact_tolerance,
              spread_of_member(r, member)};
    compare_span(job, &s, (long)(member->bytes / member->element), 1, &v);
  }
}

// Moment arms

// Rows of the moment matrix drop entries that are exactly zero. Where an entry vanishes
// mathematically, rounding decides whether it is there, and with it where all later rows start. So
// the matrix is compared entry by entry, not as it is stored; the index is that of the full matrix.
static bool is_moment(const char* name) {
  return !strcmp(name, "actuator_moment") || !strncmp(name, "moment_", 7);
}

// Row i of the moment matrix, written out; false if it does not fit its arrays.
static bool moment_row(const mjModel* m, const mjData* d, int i, mjtNum* row) {
  int start = d->moment_rowadr[i], n = d->moment_rownnz[i];
  memset(row, 0, sizeof(mjtNum) * (size_t)m->nv);
  if (start < 0 || n < 0 || n > m->nv || start > m->nJmom - n) return false;
  for (int k = start; k < start + n; k++) {
    int column = d->moment_colind[k];
    if (column < 0 || column >= m->nv) return false;
    row[column] = d->actuator_moment[k];
  }
  return true;
}

static void compare_moments(const Job* job, const Results* r) {
  const mjModel* m = job->m;
  int nv = (int)m->nv;
  if (!m->nu || !nv || !wanted(job, "actuator_moment", "TRANSMISSION")) return;
  FieldVerdict v = new_verdict("actuator_moment", "TRANSMISSION", FIELD_RESULT);
  mjtNum* row = (mjtNum*)malloc(2 * sizeof(mjtNum) * (size_t)nv);
  mjtNum* own = row + nv;
  for (int i = 0; i < m->nu; i++) {
    if (!moment_row(m, r->reference, i, row)) continue;
    bool fits = moment_row(m, r->ours, i, own);
    for (int k = 0; k < nv; k++) {
      double ours = fits ? (double)own[k] : (double)NAN;
      judge_pair(&v, (long)i * nv + k, (double)row[k], ours, true, exact_tolerance, 1);
    }
  }
  free(row);
  report(job, &v);
}

// Arrays of the buffer

enum { LEFT_ALONE = 0x5b };  // the byte of the pattern that mark_solved leaves

static void mark(void* at, size_t bytes) {
  memset(at, LEFT_ALONE, bytes);
}

static bool is_marked(const char* at, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) {
    if (at[i] != LEFT_ALONE) return false;
  }
  return true;
}

void mark_solved(const mjModel* m, mjData* twice) {
  if (!twice->nefc) return;  // no solver ran
  for (int i = 0; i < ct_ndata_field; i++) {
    const ct_Field* f = ct_data_fields + i;
    bool input = !strcmp(f->name, "qacc");
    if (!behind_solver(f->name) || input) continue;
    mark(*ct_field_pointer(f, twice), ct_field_bytes(f, m, twice));
  }
  for (int k = 0; k < m->nsensor; k++) {
    if (m->sensor_needstage[k] != mjSTAGE_ACC) continue;
    mark(twice->sensordata + m->sensor_adr[k], sizeof(mjtNum) * (size_t)m->sensor_dim[k]);
  }
}

typedef struct {  // how the elements of a run are judged
  bool behind_solver;
  double scale;    // of the floor
  double largest;  // of the values that the solver's tolerance is taken of
} Manner;

// Is element i still what the solver left? mj_inverse rewrites most of it.
static bool is_solved(const Results* r, const Span* s, long i) {
  if (r->when != AFTER_INVERSE) return r->reference->nefc > 0;
  return is_marked(s->b + (size_t)i * s->element, s->element);
}

// Elements first ... first + n - 1.
static void judge_run(const Job* job, const Results* r, const Span* s, long first, long n,
                      Manner how, FieldVerdict* v) {
  Span loose = *s;
  loose.tolerance = solver_tolerance(job->m);
  if (r->when == AFTER_INVERSE) loose.b = NULL;  // the pattern is there instead
  for (long i = first; i < first + n; i++) {
    bool solved = how.behind_solver && is_solved(r, s, i);
    judge_element(v, solved ? &loose : s, i, i, solved ? how.largest : how.scale);
  }
}

// Sensors of the acceleration stage read the solver's result, the others do not.
static void judge_sensors(const Job* job, const Results* r, const Span* s, FieldVerdict* v) {
  const mjModel* m = job->m;
  Span plain = *s;
  plain.b = NULL;
  for (int k = 0; k < m->nsensor; k++) {
    int first = m->sensor_adr[k], n = m->sensor_dim[k];
    Manner how = {m->sensor_needstage[k] == mjSTAGE_ACC, 1, scale_of(&plain, first, n)};
    judge_run(job, r, s, first, n, how, v);
  }
}

// Forces and accelerations of dofs and bodies are sums over the kinematic tree, and small ones are
// what is left of large ones: the floor is taken of the largest value in the tree.
static bool sums_over_tree(const ct_Field* f) {
  static const char* const stages[] = {"BIAS",   "PASSIVE", "ACTUATION", "ACCELERATION",
                                       "SOLVER", "INVERSE", "POST"};
  bool of_dofs = f->rows == offsetof(mjModel, nv), of_bodies = f->rows == offsetof(mjModel, nbody);
  for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
    if ((of_dofs || of_bodies) && !strcmp(f->stage, stages[i])) return true;
  }
  return false;
}

// Tree of a dof or body that row i of a field is about; -1: none.
static int tree_of(const ct_Field* f, const mjModel* m, long i) {
  return f->rows == offsetof(mjModel, nv) ? m->dof_treeid[i] : m->body_treeid[i];
}

// Forces that are left when weight, inertia and constraint forces have been balanced.
static bool is_balance(const ct_Field* f) {
  return !strcmp(f->name, "qfrc_inverse") || !strncmp(f->name, "cfrc_", 5);
}

static void include(double* scale, double part) {
  if (isfinite(part)) *scale = fmax(*scale, fabs(part));
}

// What is balanced: bias, constraint forces, terms of mass times acceleration.
static void include_parts(const mjModel* m, const mjData* d, double* scales) {
  for (int i = 0; i < m->nv; i++) {
    double* scale = scales + m->dof_treeid[i];
    include(scale, (double)d->qfrc_bias[i]);
    include(scale, (double)d->qfrc_constraint[i]);
    for (int k = m->M_rowadr[i]; k < m->M_rowadr[i] + m->M_rownnz[i]; k++) {
      include(scale, (double)(d->M[k] * d->qacc[m->M_colind[k]]));
    }
  }
}

// The largest magnitudes of a field in each tree, at least 1, then the largest of all, for the
// world, which carries every tree. Freed by the caller.
static double* scales_of_trees(const Job* job, const Results* r, const ct_Field* f, const Span* s) {
  const mjModel* m = job->m;
  long rows = (long)ct_field_rows(f, m, NULL), columns = (long)ct_field_columns(f, m);
  double* scales = (double*)malloc(sizeof(double) * (size_t)(m->ntree + 1));
  for (int tree = 0; tree <= m->ntree; tree++) scales[tree] = 1;
  for (long i = 0; i < rows; i++) {
    int tree = tree_of(f, m, i);
    if (tree >= 0) scales[tree] = fmax(scales[tree], scale_of(s, i * columns, columns));
  }
  if (is_balance(f)) include_parts(m, r->reference, scales);
  for (int tree = 0; tree < m->ntree; tree++) {
    scales[m->ntree] = fmax(scales[m->ntree], scales[tree]);
  }
  return scales;
}

// The most that a velocity gains in a step, and a position at most.
static double largest_gain(const mjModel* m, const mjData* d) {
  double largest = 0;
  for (int i = 0; i < m->nv; i++) largest = fmax(largest, fabs((double)d->qacc[i]));
  return (double)m->opt.timestep * largest;
}

static void judge_field(const Job* job, const Results* r, const ct_Field* f, const Span* s, long n,
                        FieldVerdict* v) {
  Span plain = *s;
  plain.b = NULL;
  Manner how = {behind_solver(f->name), 1, 1};
  if (how.behind_solver) how.largest = scale_of(&plain, 0, n);
  if (r->when == AFTER_STEP && integrates_solver(f->name)) {
    how.behind_solver = true;
    how.largest = fmax(scale_of(&plain, 0, n), largest_gain(job->m, r->reference));
  }
  if (!sums_over_tree(f)) {
    judge_run(job, r, s, 0, n, how, v);
    return;
  }
  double* scales = scales_of_trees(job, r, f, s);
  long columns = (long)ct_field_columns(f, job->m);
  for (long i = 0; i < n / columns; i++) {
    int tree = tree_of(f, job->m, i);
    how.scale = scales[tree < 0 ? job->m->ntree : tree];
    judge_run(job, r, s, i * columns, columns, how, v);
  }
  free(scales);
}

static void compare_buffer(const Job* job, const Results* r) {
  for (int i = 0; i < ct_ndata_field; i++) {
    const ct_Field* f = ct_data_fields + i;
    if (f->type == CT_TYPE_uintptr_t || !wanted(job, f->name, f->stage)) continue;
    if (is_moment(f->name)) continue;
    FieldVerdict v =
        new_verdict(f->name, f->stage, is_statistic(f->name) ? FIELD_APART : FIELD_RESULT);
    Span s = {(const char*)ct_field_array(f, r->reference),
              (const char*)ct_field_array(f, r->twice),
              (const char*)ct_field_array(f, r->ours),
              f->type,
              f->element,
              exact_tolerance,
              r->spread ? (const char*)ct_field_array(f, r->spread->data) : NULL};
    if (!strcmp(f->name, "sensordata")) {
      judge_sensors(job, r, &s, &v);
    } else {
      judge_field(job, r, f, &s, (long)(ct_field_bytes(f, job->m, r->reference) / f->element), &v);
    }
    report(job, &v);
  }
}

void compare_data(const mjModel* m, const Results* results, const FieldFilter* filter,
                  FieldSink sink, void* context) {
  Job job = {m, filter, sink, context};
  compare_values(&job, results);
  compare_warnings(&job, results);
  compare_buffer(&job, results);
  compare_moments(&job, results);
  compare_rows(&job, results);
}
