#include "conformance/compare.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/fields.h"
#include "conformance/matching.h"

// Where elements of one field lie in the three structs, and how they are judged.
typedef struct {
  const char *a, *b, *ours;  // first result, second result over other bytes, corten's
  ct_ElementType type;
  size_t element;
  double tolerance;  // relative; the floor is 1e-3 of it, or equal to it behind a solver
  bool solved;
} Span;

typedef struct {
  const mjModel* m;
  const FieldFilter* filter;
  FieldSink sink;
  void* context;
} Job;

static bool wanted(const Job* job, const char* field, const char* stage) {
  const FieldFilter* f = job->filter;
  if (!f) return true;
  return (!f->field || strstr(field, f->field)) && (!f->stage || strstr(stage, f->stage));
}

static bool is_real(ct_ElementType type) {
  return type == CT_TYPE_mjtNum || type == CT_TYPE_float;
}

static double value_at(const char* p, ct_ElementType type) {
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
      return *(const float*)p;
    case CT_TYPE_mjtNum:
      return (double)*(const mjtNum*)p;
    default:
      return (double)*(const uintptr_t*)p;
  }
}

static bool defined_at(const Span* s, size_t at) {
  return !s->b || !memcmp(s->a + at, s->b + at, s->element);
}

// Largest finite magnitude of the defined elements, at least 1.
static double scale_of(const Span* s, long n) {
  double scale = 1;
  for (long i = 0; i < n; i++) {
    size_t at = (size_t)i * s->element;
    double x = fabs(value_at(s->a + at, s->type));
    if (x > scale && isfinite(x) && defined_at(s, at)) scale = x;
  }
  return scale;
}

// One element into the verdict. `ours` may lie at another place than the reference's element.
static void judge(const Span* s, const char* ours, long i, double scale, FieldVerdict* v) {
  size_t at = (size_t)i * s->element;
  if (!defined_at(s, at)) {
    v->undefined++;
    return;
  }
  v->compared++;
  double x = value_at(s->a + at, s->type), y = value_at(ours, s->type);
  if (x == y || (isnan(x) && isnan(y))) return;
  double floor = s->solved ? s->tolerance * scale : 1e-3 * s->tolerance * scale;
  double difference = fabs(x - y);
  if (is_real(s->type) && isfinite(x) && difference <= s->tolerance * fabs(x) + floor) return;
  double error = difference / (fabs(x) + scale);
  v->wrong++;
  if (v->wrong == 1 || error > v->error || isnan(error)) {
    v->index = i;
    v->reference = x;
    v->ours = y;
    v->error = error;
  }
}

static void compare_span(const Job* job, const Span* s, long n, FieldVerdict* v) {
  double scale = is_real(s->type) ? scale_of(s, n) : 1;
  for (long i = 0; i < n; i++) judge(s, s->ours + (size_t)i * s->element, i, scale, v);
  if (n > 0) job->sink(job->context, v);
}

// ------------------------------------------------------------------ models

// Search structures: any tree, hull order or hash table that finds the same things is right.
static bool is_search_structure(const char* name) {
  static const char* const prefixes[] = {"bvh_",      "oct_",        "mesh_graph", "names_map",
                                         "body_bvh",  "mesh_bvh",    "flex_bvh",   "mesh_oct",
                                         "mesh_poly", "mesh_polymap"};
  for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
    if (!strncmp(name, prefixes[i], strlen(prefixes[i]))) return true;
  }
  return false;
}

// Sizes that follow from search structures only.
static bool is_search_size(const char* name) {
  return !strncmp(name, "nbvh", 4) || !strcmp(name, "noct") || !strcmp(name, "nmeshgraph") ||
         !strncmp(name, "nmeshpoly", 9) || !strcmp(name, "nbuffer");
}

static void report_missing(const Job* job, FieldVerdict* v, double reference, double ours) {
  v->compared = v->wrong = 1;
  v->reference = reference;
  v->ours = ours;
  v->error = INFINITY;
  job->sink(job->context, v);
}

static void compare_sizes(const Job* job, const mjModel* reference, const mjModel* ours) {
  for (int i = 0; i < ct_nmodel_size; i++) {
    const ct_Member* member = ct_model_sizes + i;
    if (!wanted(job, member->name, "sizes")) continue;
    FieldVerdict v = {member->name, "sizes", FIELD_RESULT, 0, 0, 0, 0, 0, 0, 0};
    if (is_search_size(member->name)) v.kind = FIELD_APART;
    Span s = {(const char*)reference + member->offset,
              NULL,
              (const char*)ours + member->offset,
              CT_TYPE_mjtSize,
              sizeof(mjtSize),
              0,
              false};
    compare_span(job, &s, 1, &v);
  }
}

// mjOption, mjVisual and mjStatistic as runs of equal type, from the schema where it knows them.
static void compare_embedded(const Job* job, const mjModel* reference, const mjModel* ours) {
  const struct {
    const char* name;
    size_t offset, bytes;
    ct_ElementType type;
    size_t element;
  } runs[] = {
      {"opt", offsetof(mjModel, opt), offsetof(mjOption, integrator), CT_TYPE_mjtNum,
       sizeof(mjtNum)},
      {"opt flags", offsetof(mjModel, opt) + offsetof(mjOption, integrator),
       offsetof(mjOption, sdf_iterations) + sizeof(int) - offsetof(mjOption, integrator),
       CT_TYPE_int, sizeof(int)},
      {"vis", offsetof(mjModel, vis), sizeof(mjVisual), CT_TYPE_int, sizeof(int)},
      {"stat", offsetof(mjModel, stat), sizeof(mjStatistic), CT_TYPE_mjtNum, sizeof(mjtNum)},
      {"signature", offsetof(mjModel, signature), sizeof(uint64_t), CT_TYPE_mjtSize,
       sizeof(mjtSize)},
  };
  for (size_t i = 0; i < sizeof(runs) / sizeof(runs[0]); i++) {
    if (!wanted(job, runs[i].name, "options")) continue;
    FieldVerdict v = {runs[i].name, "options", FIELD_RESULT, 0, 0, 0, 0, 0, 0, 0};
    Span s = {(const char*)reference + runs[i].offset,
              NULL,
              (const char*)ours + runs[i].offset,
              runs[i].type,
              runs[i].element,
              1e-9,
              false};
    compare_span(job, &s, (long)(runs[i].bytes / runs[i].element), &v);
  }
}

void compare_models(const mjModel* reference, const mjModel* ours, const FieldFilter* filter,
                    FieldSink sink, void* context) {
  Job job = {reference, filter, sink, context};
  compare_sizes(&job, reference, ours);
  compare_embedded(&job, reference, ours);
  for (int i = 0; i < ct_nmodel_field; i++) {
    const ct_Field* f = ct_model_fields + i;
    const char* group = ct_field_group(f, ct_model_groups, ct_nmodel_group)->title;
    if (!wanted(&job, f->name, group)) continue;
    FieldVerdict v = {f->name, group, FIELD_RESULT, 0, 0, 0, 0, 0, 0, 0};
    if (is_search_structure(f->name)) v.kind = FIELD_APART;
    long n = (long)(ct_field_bytes(f, reference, NULL) / f->element);
    long k = (long)(ct_field_bytes(f, ours, NULL) / f->element);
    if (n != k) {
      report_missing(&job, &v, (double)n, (double)k);
      continue;
    }
    Span s = {(const char*)ct_field_array(f, reference),
              NULL,
              (const char*)ct_field_array(f, ours),
              f->type,
              f->element,
              f->type == CT_TYPE_float ? 1e-6 : 1e-9,
              false};
    compare_span(&job, &s, n, &v);
  }
}

// ------------------------------------------------------------------ data

// Members of mjData that say how memory and time were spent; two correct engines differ in them.
static bool is_bookkeeping(const char* name) {
  static const char* const names[] = {"narena", "nbuffer", "pstack", "pbase",     "parena",
                                      "timer",  "buffer",  "arena",  "threadpool"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    if (!strcmp(name, names[i])) return true;
  }
  return !strncmp(name, "maxuse_", 7);
}

static ct_ElementType member_type(const ct_Member* member) {
  if (!strcmp(member->type, "int")) return CT_TYPE_int;
  if (!strcmp(member->type, "mjtByte")) return CT_TYPE_mjtByte;
  if (!strcmp(member->type, "mjtNum")) return CT_TYPE_mjtNum;
  return CT_TYPE_mjtSize;
}

static void compare_warnings(const Job* job, const mjData* reference, const mjData* ours) {
  if (!wanted(job, "warning", "values")) return;
  FieldVerdict v = {"warning", "values", FIELD_RESULT, 0, 0, 0, 0, 0, 0, 0};
  Span s = {(const char*)reference->warning,
            NULL,
            (const char*)ours->warning,
            CT_TYPE_int,
            sizeof(int),
            0,
            false};
  compare_span(job, &s, (long)(mjNWARNING * sizeof(mjWarningStat) / sizeof(int)), &v);
}

static void compare_values(const Job* job, const mjData* reference, const mjData* twice,
                           const mjData* ours) {
  for (int i = 0; i < ct_ndata_value; i++) {
    const ct_Member* member = ct_data_values + i;
    if (is_bookkeeping(member->name) || !wanted(job, member->name, "values")) continue;
    if (!strcmp(member->name, "warning") || !strcmp(member->name, "solver")) continue;
    FieldVerdict v = {member->name, "values", FIELD_RESULT, 0, 0, 0, 0, 0, 0, 0};
    if (!strncmp(member->name, "solver", 6)) v.kind = FIELD_APART;
    size_t at = member->offset;
    Span s = {(const char*)reference + at,
              (const char*)twice + at,
              (const char*)ours + at,
              member_type(member),
              member->element,
              1e-9,
              false};
    compare_span(job, &s, (long)(member->bytes / member->element), &v);
  }
}

// Does this stage's output depend on the iterative solver's last digits?
static bool behind_solver(const char* stage) {
  return !strcmp(stage, "SOLVER") || !strcmp(stage, "POST") || !strcmp(stage, "STATE");
}

static double solver_tolerance(const mjModel* m) {
  return fmax(1e-6, (double)m->opt.tolerance);
}

// Rows of the moment matrix drop entries that are exactly zero. Where an entry vanishes
// mathematically, rounding decides whether it is there, and with it where all later rows start. So
// the matrix is compared entry by entry, not as it is stored.
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

static void compare_moments(const Job* job, const mjData* reference, const mjData* ours) {
  const mjModel* m = job->m;
  if (!m->nu || !m->nv || !wanted(job, "actuator_moment", "TRANSMISSION")) return;
  FieldVerdict v = {"actuator_moment", "TRANSMISSION", FIELD_RESULT, 0, 0, 0, 0, 0, 0, 0};
  mjtNum* rows = (mjtNum*)malloc(2 * sizeof(mjtNum) * (size_t)m->nv);
  mjtNum* own = rows + m->nv;
  for (int i = 0; i < m->nu; i++) {
    if (!moment_row(m, reference, i, rows)) continue;
    if (!moment_row(m, ours, i, own)) {
      v.compared += m->nv;
      v.wrong += m->nv;
      v.index = i;
      v.error = INFINITY;
      continue;
    }
    Span s = {
        (const char*)rows, NULL, (const char*)own, CT_TYPE_mjtNum, sizeof(mjtNum), 1e-9, false};
    double scale = scale_of(&s, (long)m->nv);
    for (long k = 0; k < m->nv; k++) judge(&s, (const char*)(own + k), k, scale, &v);
  }
  free(rows);
  job->sink(job->context, &v);
}

static void compare_buffer(const Job* job, const mjData* reference, const mjData* twice,
                           const mjData* ours, bool solved) {
  for (int i = 0; i < ct_ndata_field; i++) {
    const ct_Field* f = ct_data_fields + i;
    if (f->type == CT_TYPE_uintptr_t || !wanted(job, f->name, f->stage)) continue;
    if (is_moment(f->name)) continue;
    bool loose = solved && behind_solver(f->stage);
    FieldVerdict v = {f->name, f->stage, FIELD_RESULT, 0, 0, 0, 0, 0, 0, 0};
    if (!strcmp(f->name, "bvh_active")) v.kind = FIELD_APART;
    Span s = {(const char*)ct_field_array(f, reference),
              (const char*)ct_field_array(f, twice),
              (const char*)ct_field_array(f, ours),
              f->type,
              f->element,
              loose ? solver_tolerance(job->m) : 1e-9,
              loose};
    if (strcmp(f->name, "sensordata") != 0) {
      compare_span(job, &s, (long)(ct_field_bytes(f, job->m, reference) / f->element), &v);
      continue;
    }
    // sensors of the acceleration stage read the solver's result, the others do not
    for (int k = 0; k < job->m->nsensor; k++) {
      bool late = solved && job->m->sensor_needstage[k] == mjSTAGE_ACC;
      s.tolerance = late ? solver_tolerance(job->m) : 1e-9;
      s.solved = late;
      int first = job->m->sensor_adr[k], end = first + job->m->sensor_dim[k];
      for (int j = first; j < end; j++) {
        double scale = fmax(1, fabs((double)reference->sensordata[j]));
        judge(&s, s.ours + (size_t)j * s.element, j, scale, &v);
      }
    }
    if (v.compared || v.undefined) job->sink(job->context, &v);
  }
}

// ------------------------------------------------------------------ contacts and rows

typedef struct {
  const char* name;
  size_t offset;
  ct_ElementType type;
  int count;
} ContactMember;

static const ContactMember contact_members[] = {
#define CONTACT(name_, type_, count_) \
  { "contact." #name_, offsetof(mjContact, name_), type_, count_ }
    CONTACT(dist, CT_TYPE_mjtNum, 1),
    CONTACT(pos, CT_TYPE_mjtNum, 3),
    CONTACT(frame, CT_TYPE_mjtNum, 9),
    CONTACT(includemargin, CT_TYPE_mjtNum, 1),
    CONTACT(friction, CT_TYPE_mjtNum, 5),
    CONTACT(solref, CT_TYPE_mjtNum, mjNREF),
    CONTACT(solreffriction, CT_TYPE_mjtNum, mjNREF),
    CONTACT(solimp, CT_TYPE_mjtNum, mjNIMP),
    CONTACT(mu, CT_TYPE_mjtNum, 1),
    CONTACT(H, CT_TYPE_mjtNum, 36),
    CONTACT(dim, CT_TYPE_int, 1),
    CONTACT(geom, CT_TYPE_int, 2),
    CONTACT(flex, CT_TYPE_int, 2),
    CONTACT(elem, CT_TYPE_int, 2),
    CONTACT(vert, CT_TYPE_int, 2),
    CONTACT(exclude, CT_TYPE_int, 1),
#undef CONTACT
};

static void compare_contacts(const Job* job, const mjData* reference, const mjData* twice,
                             const mjData* ours, const Matching* match) {
  size_t n = sizeof(contact_members) / sizeof(contact_members[0]);
  for (size_t k = 0; k < n; k++) {
    const ContactMember* member = contact_members + k;
    if (!wanted(job, member->name, "COLLISION")) continue;
    size_t element = is_real(member->type) ? sizeof(mjtNum) : sizeof(int);
    FieldVerdict v = {member->name, "COLLISION", FIELD_RESULT, 0, 0, 0, 0, 0, 0, 0};
    for (int i = 0; i < reference->ncon; i++) {
      int j = match->contact[i];
      if (j < 0) continue;
      Span s = {(const char*)(reference->contact + i) + member->offset,
                (const char*)(twice->contact + i) + member->offset,
                (const char*)(ours->contact + j) + member->offset,
                member->type,
                element,
                1e-9,
                false};
      double scale = is_real(member->type) ? scale_of(&s, member->count) : 1;
      long wrong = v.wrong;
      for (int e = 0; e < member->count; e++) judge(&s, s.ours + (size_t)e * element, e, scale, &v);
      if (v.wrong > wrong) v.index = i * (long)member->count + v.index % member->count;
    }
    if (v.compared || v.undefined) job->sink(job->context, &v);
  }
}

// Contacts that only one side has.
static void report_unmatched(const Job* job, const mjData* reference, const mjData* ours,
                             const Matching* match) {
  if (!wanted(job, "contact", "COLLISION")) return;
  FieldVerdict v = {"contact", "COLLISION", FIELD_RESULT, 0, 0, 0, 0, 0, 0, 0};
  v.compared = reference->ncon;
  for (int i = 0; i < reference->ncon; i++) {
    if (match->contact[i] >= 0) continue;
    if (!v.wrong++) v.index = i;
  }
  if (ours->ncon > reference->ncon - v.wrong) v.wrong += ours->ncon - (reference->ncon - v.wrong);
  v.reference = reference->ncon;
  v.ours = ours->ncon;
  v.error = v.wrong ? INFINITY : 0;
  if (v.compared || v.wrong) job->sink(job->context, &v);
}

// Constraint rows of the reference that have no counterpart.
static void report_unmatched_rows(const Job* job, const mjData* reference, const mjData* ours,
                                  const Matching* match) {
  if (!wanted(job, "efc", "CONSTRAINT")) return;
  FieldVerdict v = {"efc", "CONSTRAINT", FIELD_RESULT, 0, 0, 0, 0, 0, 0, 0};
  v.compared = reference->nefc;
  for (int i = 0; i < reference->nefc; i++) {
    if (match->row[i] < 0 && !v.wrong++) v.index = i;
  }
  v.reference = reference->nefc;
  v.ours = ours->nefc;
  v.error = v.wrong ? INFINITY : 0;
  if (v.compared) job->sink(job->context, &v);
}

// Arrays with one entry (or a few) per constraint row follow the matching of rows.
static void compare_rows(const Job* job, const ct_Field* f, Span* s, long per_row,
                         const mjData* reference, const Matching* match, FieldVerdict* v) {
  double scale = is_real(f->type) ? scale_of(s, reference->nefc * per_row) : 1;
  for (int i = 0; i < reference->nefc; i++) {
    int j = match->row[i];
    if (j < 0) continue;
    for (long k = 0; k < per_row; k++) {
      judge(s, s->ours + (size_t)(j * per_row + k) * s->element, i * per_row + k, scale, v);
    }
  }
  if (v->compared || v->undefined) job->sink(job->context, v);
}

// Row numbers, contact numbers and island numbering change with the order of rows.
static bool depends_on_order(const ct_Field* f) {
  return !strcmp(f->stage, "ISLAND") || !strcmp(f->stage, "PROJECT") ||
         !strncmp(f->name, "iefc_", 5) || !strcmp(f->name, "efc_id") ||
         !strncmp(f->name, "efc_J_", 6) || !strcmp(f->name, "efc_island") ||
         !strncmp(f->name, "map_", 4);
}

static void compare_arena(const Job* job, const mjData* reference, const mjData* twice,
                          const mjData* ours, bool solved, const Matching* match) {
  for (int i = 0; i < ct_narena_field; i++) {
    const ct_Field* f = ct_arena_fields + i;
    if (f->type == CT_TYPE_mjContact || !wanted(job, f->name, f->stage)) continue;
    if (!match->same_order && depends_on_order(f)) continue;
    bool loose = solved && behind_solver(f->stage);
    FieldVerdict v = {f->name, f->stage, FIELD_RESULT, 0, 0, 0, 0, 0, 0, 0};
    Span s = {(const char*)ct_field_array(f, reference),
              (const char*)ct_field_array(f, twice),
              (const char*)ct_field_array(f, ours),
              f->type,
              f->element,
              loose ? solver_tolerance(job->m) : 1e-9,
              loose};
    long n = (long)(ct_field_bytes(f, job->m, reference) / f->element);
    if (!s.a || n <= 0) continue;
    bool shorter = (long)(ct_field_bytes(f, job->m, ours) / f->element) < n;
    bool by_row = f->rows_in_data && f->rows == offsetof(mjData, nefc);
    if (!s.ours || (shorter && !by_row)) {
      report_missing(job, &v, (double)n, 0);
    } else if (by_row) {
      compare_rows(job, f, &s, ct_field_columns(f, job->m), reference, match, &v);
    } else if (!strcmp(f->name, "efc_J") && !match->dense) {
      if (match->same_order) compare_span(job, &s, n, &v);
    } else if (!strcmp(f->name, "efc_J")) {
      compare_rows(job, f, &s, (long)job->m->nv, reference, match, &v);
    } else if (match->same_order) {
      compare_span(job, &s, n, &v);
    }
  }
}

void compare_data(const mjModel* m, const mjData* reference, const mjData* twice,
                  const mjData* ours, bool solved, const FieldFilter* filter, FieldSink sink,
                  void* context) {
  Job job = {m, filter, sink, context};
  compare_values(&job, reference, twice, ours);
  compare_warnings(&job, reference, ours);
  compare_buffer(&job, reference, twice, ours, solved);
  compare_moments(&job, reference, ours);
  Matching match = match_rows(m, reference, ours);
  report_unmatched(&job, reference, ours, &match);
  report_unmatched_rows(&job, reference, ours, &match);
  compare_contacts(&job, reference, twice, ours, &match);
  compare_arena(&job, reference, twice, ours, solved, &match);
  matching_free(&match);
}
