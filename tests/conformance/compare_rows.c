#include "conformance/compare_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/cost.h"
#include "conformance/matching.h"
#include "conformance/row_view.h"
#include "conformance/rules.h"

typedef struct {  // what all functions here work with
  const Job* job;
  const Results* r;
  const Matching* match;
} Case;

// Contacts

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
    CONTACT(geom1, CT_TYPE_int, 1),
    CONTACT(geom2, CT_TYPE_int, 1),
    CONTACT(geom, CT_TYPE_int, 2),
    CONTACT(flex, CT_TYPE_int, 2),
    CONTACT(elem, CT_TYPE_int, 2),
    CONTACT(vert, CT_TYPE_int, 2),
    CONTACT(exclude, CT_TYPE_int, 1),
#undef CONTACT
};

// Contact i, compared in one member; indices count through the member's values of all contacts.
static void judge_contact(const Case* c, const ContactMember* member, int i, FieldVerdict* v) {
  const Results* r = c->r;
  bool real = is_real(member->type);
  bool solved = behind_solver(member->name) && r->when != AFTER_INVERSE;
  Span s = {(const char*)(r->reference->contact + i) + member->offset,
            (const char*)(r->twice->contact + i) + member->offset,
            (const char*)(r->ours->contact + c->match->contact[i]) + member->offset,
            member->type,
            real ? sizeof(mjtNum) : sizeof(int),
            solved ? solver_tolerance(c->job->m) : exact_tolerance,
            r->spread ? (const char*)(r->spread->data->contact + i) + member->offset : NULL};
  double scale = solved ? scale_of(&s, 0, member->count) : 1;
  for (int e = 0; e < member->count; e++) {
    if (!defined_at(&s, e)) {
      v->undefined++;
      continue;
    }
    size_t at = (size_t)e * s.element;
    judge_pair(v, (long)i * member->count + e, value_at(s.a + at, s.type),
               value_at(s.ours + at, s.type), real, tolerance_at(&s, e), scale);
  }
}

// The first row of a contact, which follows the matching of rows.
static void compare_addresses(const Case* c) {
  if (!wanted(c->job, "contact.efc_address", "CONSTRAINT")) return;
  const mjData *a = c->r->reference, *ours = c->r->ours;
  FieldVerdict v = new_verdict("contact.efc_address", "CONSTRAINT", FIELD_RESULT);
  for (int i = 0; i < a->ncon; i++) {
    int j = c->match->contact[i], row = a->contact[i].efc_address;
    if (j < 0) continue;
    if (row >= 0 && row < a->nefc && !c->match->same_order) row = c->match->row[row];
    judge_pair(&v, i, row, ours->contact[j].efc_address, false, exact_tolerance, 1);
  }
  report(c->job, &v);
}

static void compare_contacts(const Case* c) {
  size_t n = sizeof(contact_members) / sizeof(contact_members[0]);
  for (size_t k = 0; k < n; k++) {
    const ContactMember* member = contact_members + k;
    const char* stage = behind_solver(member->name) ? "SOLVER" : "COLLISION";
    if (!wanted(c->job, member->name, stage)) continue;
    FieldVerdict v = new_verdict(member->name, stage, FIELD_RESULT);
    for (int i = 0; i < c->r->reference->ncon; i++) {
      if (c->match->contact[i] >= 0) judge_contact(c, member, i, &v);
    }
    report(c->job, &v);
  }
  compare_addresses(c);
}

// Contacts or rows that only one side has; the index is that of the reference's first, or, where
// only ours has more, the number of the reference's.
static void report_unmatched(const Case* c, const char* field, const char* stage, const int* match,
                             int reference, int ours) {
  if (!wanted(c->job, field, stage)) return;
  FieldVerdict v = new_verdict(field, stage, FIELD_RESULT);
  v.compared = reference > ours ? reference : ours;
  v.worst.index = reference;
  int matched = 0;
  for (int i = 0; i < reference; i++) {
    if (match[i] >= 0) {
      matched++;
    } else if (!v.wrong++) {
      v.worst.index = i;
    }
  }
  v.wrong += ours - matched;
  v.worst.reference = reference;
  v.worst.ours = ours;
  v.worst.error = v.wrong ? (double)INFINITY : 0;
  report(c->job, &v);
}

// Matrices

typedef struct {
  const char *values, *columns;  // names of the fields
  const char* stage;
  RowReader view;
  const int* rows;     // matching of rows
  const int* numbers;  // matching of columns; NULL: they are the same on both sides
} MatrixFields;

// Our row written out: what it has in each column, and whether it has anything there.
typedef struct {
  mjtNum* value;
  char* stored;
} Written;

static void write_out(const RowView* row, Written* out) {
  memset(out->value, 0, sizeof(mjtNum) * (size_t)row->width);
  memset(out->stored, 0, (size_t)row->width);
  for (int k = 0; k < row->n; k++) {
    out->value[view_column(row, k)] = row->values[k];
    out->stored[view_column(row, k)] = 1;
  }
}

// One row: entries of the reference by column, then what only ours has. `first` is the index of the
// row's first entry.
static void judge_row(const RowView* a, const RowView* twice, const RowView* ours,
                      const mjtNum* spread, const int* numbers, long first, Written* own,
                      FieldVerdict* values, FieldVerdict* columns) {
  bool comparable = ours->n >= 0 && ours->width == a->width;
  if (comparable) write_out(ours, own);
  for (int k = 0; k < a->n; k++) {
    int column = view_column(a, k), at = numbers ? numbers[column] : column;
    bool there = comparable && at >= 0 && at < a->width && own->stored[at];
    bool in_place = !a->columns || numbers || (k < ours->n && ours->columns[k] == column);
    if (a->columns) {
      judge_pair(columns, first + k, column, there && in_place ? column : -1, false,
                 exact_tolerance, 1);
    }
    if (twice->n == a->n && memcmp(a->values + k, twice->values + k, sizeof(mjtNum)) != 0) {
      values->undefined++;
      continue;
    }
    double value = there ? (double)own->value[at] : (double)NAN;
    Span s = {
        NULL, NULL, NULL, CT_TYPE_mjtNum, sizeof(mjtNum), exact_tolerance, (const char*)spread};
    judge_pair(values, first + k, (double)a->values[k], value, true, tolerance_at(&s, first + k),
               1);
  }
  if (a->columns && comparable && ours->n > a->n) {
    judge_pair(columns, first, a->n, ours->n, false, exact_tolerance, 1);
  }
}

// `base` and `spread` are the whole array of values, the reference's and its spread.
static void compare_matrix(const Case* c, const MatrixFields* f, const mjtNum* base,
                           const mjtNum* spread) {
  const mjData *a = c->r->reference, *ours = c->r->ours;
  const mjModel* m = c->job->m;
  bool wants_values = wanted(c->job, f->values, f->stage);
  bool wants_columns = wanted(c->job, f->columns, f->stage);
  if (!base || (!wants_values && !wants_columns)) return;
  FieldVerdict values = new_verdict(f->values, f->stage, FIELD_RESULT);
  FieldVerdict columns = new_verdict(f->columns, f->stage, FIELD_RESULT);
  size_t most = (size_t)(m->nv > a->nefc ? m->nv : a->nefc) + 1;
  Written own = {(mjtNum*)malloc(sizeof(mjtNum) * most), (char*)malloc(most)};
  for (int i = 0; i < a->nefc; i++) {
    if (f->rows[i] < 0) continue;
    RowView x = f->view(m, a, i), y = f->view(m, ours, f->rows[i]);
    RowView twice = f->view(m, c->r->twice, i);
    if (x.n < 0) continue;
    long first = (long)(x.values - base);
    judge_row(&x, &twice, &y, spread, f->numbers, first, &own, &values, &columns);
  }
  free(own.value);
  free(own.stored);
  if (wants_values) report(c->job, &values);
  if (wants_columns) report(c->job, &columns);
}

static void compare_matrices(const Case* c) {
  const Matching* match = c->match;
  const mjData* a = c->r->reference;
  const MatrixFields J = {"efc_J", "efc_J_colind", "CONSTRAINT", view_efc_J, match->row, NULL};
  const MatrixFields iJ = {"iefc_J", "iefc_J_colind", "ISLAND", view_iefc_J, match->place, NULL};
  const MatrixFields AR = {"efc_AR",    "efc_AR_colind", "PROJECT",
                           view_efc_AR, match->row,      match->same_order ? NULL : match->row};
  const mjData* spread = c->r->spread ? c->r->spread->data : NULL;
  compare_matrix(c, &J, a->efc_J, spread ? spread->efc_J : NULL);
  if (a->nisland > 0) compare_matrix(c, &iJ, a->iefc_J, spread ? spread->iefc_J : NULL);
  compare_matrix(c, &AR, a->efc_AR, spread ? spread->efc_AR : NULL);
}

static bool in_matrix(const char* name) {
  static const char* const names[] = {"efc_J",         "efc_J_colind", "iefc_J",
                                      "iefc_J_colind", "efc_AR",       "efc_AR_colind"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    if (!strcmp(name, names[i])) return true;
  }
  return false;
}

// Arrays with an entry per row

static bool ends_with(const char* text, const char* end) {
  size_t n = strlen(text), k = strlen(end);
  return n >= k && !strcmp(text + n - k, end);
}

static bool in_island_order(const char* name) {
  return !strncmp(name, "iefc_", 5) || !strcmp(name, "map_iefc2efc");
}

static bool is_contact_type(int type) {
  return type == mjCNSTR_CONTACT_FRICTIONLESS || type == mjCNSTR_CONTACT_PYRAMIDAL ||
         type == mjCNSTR_CONTACT_ELLIPTIC;
}

// How many rows after this one, up to the end of its run, have the same columns.
static int rows_alike(const Case* c, RowReader view, const mjData* d, int row, int end) {
  int n = 0;
  RowView x = view(c->job->m, d, row);
  for (int j = row + 1; j < end; j++, n++) {
    RowView y = view(c->job->m, d, j);
    size_t bytes = sizeof(int) * (size_t)(x.n > 0 ? x.n : 0);
    if (!x.columns || !y.columns || x.n != y.n || memcmp(x.columns, y.columns, bytes)) break;
  }
  return n;
}

// What our entry j must be for the reference's value x in row i: numbers of contacts and rows are
// translated, runs of equal rows are counted again.
static double translated(const Case* c, const char* name, int i, int j, double x) {
  const mjData *a = c->r->reference, *ours = c->r->ours;
  bool island = in_island_order(name);
  if (c->match->same_order) return x;
  if (ends_with(name, "efc_id")) {
    int type = island ? a->iefc_type[i] : a->efc_type[i];
    return is_contact_type(type) && x >= 0 && x < a->ncon ? c->match->contact[(int)x] : x;
  }
  if (!strcmp(name, "map_efc2iefc")) return c->match->own_place[j];
  if (!strcmp(name, "map_iefc2efc")) return x >= 0 && x < a->nefc ? c->match->row[(int)x] : x;
  if (ends_with(name, "_rowsuper")) {
    int k = island ? island_of_place(ours, j) : -1;
    int end = k < 0 ? ours->nefc : ours->island_iefcadr[k] + ours->island_nefc[k];
    return rows_alike(c, island ? view_iefc_J : view_efc_J, ours, j, end);
  }
  return x;
}

// PGS, and the no-slip sweeps that may follow any solver, know forces, not residuals.
static bool solves_dual(const mjModel* m) {
  return m->opt.solver == mjSOL_PGS || m->opt.noslip_iterations > 0;
}

static double largest_force(const mjData* d) {
  double largest = 1;
  for (int i = 0; i < d->nefc; i++) largest = fmax(largest, fabs((double)d->efc_force[i]));
  return largest;
}

// May the state of this row be another one? Only on the border between the two, and the row's
// residual is known as well as the acceleration is. States are those at qacc, or, where islands
// were solved one by one, those at qacc_smooth; solvers of the dual problem look at forces instead.
static bool state_is_open(const Case* c, const char* name, int i) {
  const mjData* a = c->r->reference;
  if (!ends_with(name, "efc_state")) return false;
  int row = in_island_order(name) ? a->map_iefc2efc[i] : i;
  if (row < 0 || row >= a->nefc || !a->efc_aref) return false;
  bool forward = c->r->when != AFTER_INVERSE;
  double tolerance = forward ? solver_tolerance(c->job->m).floor : 1e-9;
  bool near = forward && solves_dual(c->job->m)
                  ? at_dual_border(a, row, tolerance * largest_force(a))
                  : at_border(c->job->m, a, row, a->qacc, tolerance);
  return near || at_border(c->job->m, a, row, a->qacc_smooth, 1e-9);
}

static void compare_row_field(const Case* c, const ct_Field* f, Span* s, FieldVerdict* v) {
  const mjData* a = c->r->reference;
  const int* match = in_island_order(f->name) ? c->match->place : c->match->row;
  long width = (long)ct_field_columns(f, c->job->m);
  bool solved = behind_solver(f->name) && c->r->when != AFTER_INVERSE;
  if (solved) s->tolerance = solver_tolerance(c->job->m);
  double all = solved && is_real(f->type) ? scale_of(s, 0, a->nefc * width) : 1;
  for (int i = 0; i < a->nefc; i++) {
    if (match[i] < 0) continue;
    for (long k = i * width; k < (i + 1) * width; k++) {
      long own = match[i] * width + k - i * width;
      if (!defined_at(s, k)) {
        v->undefined++;
        continue;
      }
      double x = value_at(s->a + (size_t)k * s->element, s->type);
      double y = value_at(s->ours + (size_t)own * s->element, s->type);
      if (x != y && state_is_open(c, f->name, i)) y = x;
      judge_pair(v, k, translated(c, f->name, i, match[i], x), y, is_real(f->type),
                 tolerance_at(s, k), all);
    }
  }
  report(c->job, v);
}

// The arena

static bool has_row_entries(const ct_Field* f) {
  return f->rows_in_data && f->rows == offsetof(mjData, nefc);
}

static void compare_arena_field(const Case* c, const ct_Field* f) {
  const mjData *a = c->r->reference, *ours = c->r->ours;
  FieldVerdict v = new_verdict(f->name, f->stage, FIELD_RESULT);
  Span s = {(const char*)ct_field_array(f, a),
            (const char*)ct_field_array(f, c->r->twice),
            (const char*)ct_field_array(f, ours),
            f->type,
            f->element,
            exact_tolerance,
            c->r->spread ? (const char*)ct_field_array(f, c->r->spread->data) : NULL};
  long n = (long)(ct_field_bytes(f, c->job->m, a) / f->element);
  if (!s.a || n <= 0) return;
  long own = s.ours ? (long)(ct_field_bytes(f, c->job->m, ours) / f->element) : 0;
  bool by_row = has_row_entries(f);
  if (own < n && (!by_row || !own)) {
    report_count(c->job, &v, (double)n, (double)own);
  } else if (by_row) {
    compare_row_field(c, f, &s, &v);
  } else if (behind_solver(f->name) && c->r->when != AFTER_INVERSE) {
    s.tolerance = solver_tolerance(c->job->m);
    compare_span(c->job, &s, n, scale_of(&s, 0, n), &v);
  } else {
    compare_span(c->job, &s, n, 1, &v);
  }
}

// Dense matrices have no lists of columns: the arrays are there, and nobody writes them. They lie
// where collision kept contacts, so both results of the reference may hold the same leftovers.
static bool is_unused(const char* name, const mjModel* m) {
  bool dense = m->opt.jacobian == mjJAC_DENSE || (m->opt.jacobian == mjJAC_AUTO && m->nv < 60);
  return dense && (strstr(name, "efc_J_row") || strstr(name, "efc_AR_row"));
}

static void compare_arena(const Case* c) {
  for (int i = 0; i < ct_narena_field; i++) {
    const ct_Field* f = ct_arena_fields + i;
    if (f->type == CT_TYPE_mjContact || in_matrix(f->name)) continue;
    if (is_unused(f->name, c->job->m)) continue;
    if (!c->match->same_order && has_row_entries(f) && ends_with(f->name, "_rowadr")) continue;
    if (wanted(c->job, f->name, f->stage)) compare_arena_field(c, f);
  }
}

// Our acceleration must not cost more than the reference's by more than the improvement at which
// the solver itself stops. The no-slip pass leaves the minimum on purpose.
static void compare_cost(const Case* c) {
  const mjData *a = c->r->reference, *ours = c->r->ours;
  const mjModel* m = c->job->m;
  if (!a->nefc || a->nefc != ours->nefc || m->opt.noslip_iterations > 0) return;
  if (c->r->when == AFTER_INVERSE || !wanted(c->job, "cost", "SOLVER")) return;
  FieldVerdict v = new_verdict("cost", "SOLVER", FIELD_RESULT);
  double theirs = cost_of(m, a, a->qacc), own = cost_of(m, a, ours->qacc);
  double slack = fmax(1e-9 * fabs(theirs), cost_resolution(m));
  if (c->r->spread) slack += spread_factor * (double)c->r->spread->cost;
  v.compared = 1;
  v.worst.reference = theirs;
  v.worst.ours = own;
  if (!(own <= theirs + slack) && !isnan(theirs)) {
    v.wrong = 1;
    v.worst.error = (own - theirs) / (fabs(theirs) + 1);
  }
  report(c->job, &v);
}

void compare_rows(const Job* job, const Results* results) {
  const mjData *a = results->reference, *ours = results->ours;
  Matching match = match_rows(a, ours);
  Case c = {job, results, &match};
  report_unmatched(&c, "contact", "COLLISION", match.contact, a->ncon, ours->ncon);
  report_unmatched(&c, "efc", "CONSTRAINT", match.row, a->nefc, ours->nefc);
  compare_contacts(&c);
  compare_arena(&c);
  compare_matrices(&c);
  compare_cost(&c);
  matching_free(&match);
}
