#include "support/states.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/model/fields.h"
#include "support/fail.h"
#include "support/models.h"

RecordedState recorded_states(const char* stage) {
  char name[128];
  snprintf(name, sizeof(name), "%s.rec", stage);
  RecordedState s;
  memset(&s, 0, sizeof(s));
  s.recorded = recorded_open(name);
  return s;
}

// Length of the part of "humanoid/0/in/cdof" that names the state: up to and with the second slash.
static size_t prefix_length(const char* name) {
  const char* slash = strchr(name, '/');
  slash = slash ? strchr(slash + 1, '/') : NULL;
  return slash ? (size_t)(slash + 1 - name) : strlen(name);
}

static bool in_state(const RecordedState* s, int i) {
  return i < recorded_count(s->recorded) &&
         !strncmp(recorded_name(s->recorded, i), s->prefix, strlen(s->prefix));
}

static const ct_Field* field_named(const char* name) {
  for (int i = 0; i < ct_ndata_field; i++) {
    if (!strcmp(ct_data_fields[i].name, name)) return ct_data_fields + i;
  }
  fail_msg("mjData has no array %s", name);
  return NULL;
}

// Sets an array to what was recorded under `name`, or, as an output, to NaN and -99.
static void set_field(RecordedState* s, const char* name, const char* field, bool output) {
  const ct_Field* f = field_named(field);
  size_t n = ct_field_bytes(f, s->model, s->data) / f->element, count = 0;
  bool whole = f->type == CT_TYPE_int;
  const double* numbers = whole ? NULL : recorded_doubles(s->recorded, name, &count);
  const int* ints = whole ? recorded_ints(s->recorded, name, &count) : NULL;
  if (n != count) fail_msg("%s has %zu numbers, not %zu", name, count, n);
  void* array = *ct_field_pointer(f, s->data);
  for (size_t k = 0; k < n; k++) {
    if (whole) ((int*)array)[k] = output ? -99 : ints[k];
    if (!whole) ((mjtNum*)array)[k] = output ? (mjtNum)NAN : (mjtNum)numbers[k];
  }
}

static void load_state(RecordedState* s) {
  s->model = recorded_model(s->name);
  s->data = mj_makeData(s->model);
  if (!s->data) fail_msg("no data for %s", s->name);
  for (int i = s->first; in_state(s, i); i++) {
    const char* name = recorded_name(s->recorded, i);
    const char* role = name + strlen(s->prefix);
    if (!strncmp(role, "in/", 3)) set_field(s, name, role + 3, false);
    if (!strncmp(role, "out/", 4)) set_field(s, name, role + 4, true);
  }
}

bool recorded_state_open(RecordedState* s, const char* only_model) {
  while (s->first < recorded_count(s->recorded)) {
    const char* name = recorded_name(s->recorded, s->first);
    snprintf(s->prefix, sizeof(s->prefix), "%.*s", (int)prefix_length(name), name);
    snprintf(s->name, sizeof(s->name), "%.*s", (int)strcspn(name, "/"), name);
    if (!only_model || !strcmp(s->name, only_model)) {
      load_state(s);
      return true;
    }
    recorded_state_next(s);
  }
  recorded_close(s->recorded);
  return false;
}

void recorded_state_next(RecordedState* s) {
  while (in_state(s, s->first)) s->first++;
  mj_deleteData(s->data);
  mj_deleteModel(s->model);
  s->data = NULL;
  s->model = NULL;
}

// Written so that NaN fails.
static void expect_number(const char* what, int i, double got, double want, double tolerance) {
  if (!(fabs(got - want) <= tolerance * (1 + fabs(want)))) {
    fail_msg("%s[%d] is %.17g, expected %.17g (off by %.2g, tolerance %.2g)", what, i, got, want,
             fabs(got - want), tolerance);
  }
}

void expect_close(const char* what, const mjtNum* got, const mjtNum* want, int n,
                  double tolerance) {
  for (int i = 0; i < n; i++) expect_number(what, i, (double)got[i], (double)want[i], tolerance);
}

void expect_field(const RecordedState* s, const char* field, const mjtNum* got, double tolerance) {
  char what[256];
  snprintf(what, sizeof(what), "%sout/%s", s->prefix, field);
  size_t count;
  const double* want = recorded_doubles(s->recorded, what, &count);
  if (!want) fail_msg("%s is not recorded", what);
  for (size_t i = 0; i < count; i++)
    expect_number(what, (int)i, (double)got[i], want[i], tolerance);
}

void expect_int_field(const RecordedState* s, const char* field, const int* got) {
  char what[256];
  snprintf(what, sizeof(what), "%sout/%s", s->prefix, field);
  size_t count;
  const int* want = recorded_ints(s->recorded, what, &count);
  if (!want) fail_msg("%s is not recorded", what);
  for (size_t i = 0; i < count; i++) {
    if (got[i] != want[i]) fail_msg("%s[%zu] is %d, expected %d", what, i, got[i], want[i]);
  }
}
