// R30.3, R0.2: a forged model is refused when it is loaded, or harmless in use. Every array, option
// and size of every recorded model gets, one entry at a time, values that no compiler would write
// there; what is not refused is simulated, inverted, measured and printed.
//
// Long arrays are sampled. CT_FORGE_ENTRIES is the number of entries tried in each of them,
// CT_FORGE_MODEL the only model.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/model/fields.h"
#include "base/model/validate.h"
#include "fuzz/use_model.h"
#include "support/attempts.h"
#include "support/fail.h"
#include "support/models.h"

enum { USUAL_ENTRIES = 2 };

static void ignore(const char* message) {
  (void)message;
}

static void use_unless_refused(const Attempts* a, const mjModel* m) {
  if (mj_validateReferences(m)) return;
  mjModel* copy = mj_copyModel(NULL, m);
  use_names(copy);
  use_model(copy, attempts_so_far(a) % 10 == 0);
  mj_deleteModel(copy);
}

static mjtSize integer_at(ct_ElementType type, const void* at) {
  if (type == CT_TYPE_int) return *(const int*)at;
  if (type == CT_TYPE_mjtByte) return *(const mjtByte*)at;
  return *(const mjtSize*)at;
}

static void set_integer(ct_ElementType type, void* at, mjtSize value) {
  if (type == CT_TYPE_int) *(int*)at = (int)value;
  if (type == CT_TYPE_mjtByte) *(mjtByte*)at = (mjtByte)value;
  if (type == CT_TYPE_mjtSize) *(mjtSize*)at = value;
}

// The borders of what an entry may be, far beyond them, and its neighbours.
static void forge_integer(Attempts* a, mjModel* m, const ct_Field* f, mjtSize i, mjtSize n) {
  char* array = (char*)*ct_field_pointer(f, m);
  void *at = array + (size_t)i * f->element, *next = array + (size_t)((i + 1) % n) * f->element;
  mjtSize own = integer_at(f->type, at);
  bool index = f->target.kind >= CT_TARGET_ID;
  const mjtSize values[] = {-1,
                            0,
                            1,
                            index ? ct_model_size(m, f->target.size) : 100,
                            1 << 28,
                            (1 << 28) + 1,
                            own + 1,
                            own - 1,
                            integer_at(f->type, next)};
  for (size_t k = 0; k < sizeof(values) / sizeof(values[0]); k++) {
    if (values[k] == own) continue;
    if (!attempt_begins(a, "%s[%lld] = %lld", f->name, (long long)i, (long long)values[k]))
      continue;
    set_integer(f->type, at, values[k]);
    use_unless_refused(a, m);
    set_integer(f->type, at, own);
  }
}

static void forge_real(Attempts* a, mjModel* m, const ct_Field* f, mjtSize i) {
  static const float values[] = {NAN, -3e38f, -1, 0};
  char own[sizeof(double)];
  void* at = (char*)*ct_field_pointer(f, m) + (size_t)i * f->element;
  for (size_t k = 0; k < sizeof(values) / sizeof(values[0]); k++) {
    if (!attempt_begins(a, "%s[%lld] = %g", f->name, (long long)i, (double)values[k])) continue;
    memcpy(own, at, f->element);
    if (f->type == CT_TYPE_mjtNum) *(mjtNum*)at = (mjtNum)values[k];
    if (f->type == CT_TYPE_float) *(float*)at = values[k];
    use_unless_refused(a, m);
    memcpy(at, own, f->element);
  }
}

// The first and the last entry, and some between them. Numbers matter less: they lead nowhere.
static void forge_array(Attempts* a, mjModel* m, const ct_Field* f) {
  bool real = f->type == CT_TYPE_mjtNum || f->type == CT_TYPE_float;
  if (f->type == CT_TYPE_char) return;
  const char* wish = getenv("CT_FORGE_ENTRIES");
  mjtSize most = wish ? atoi(wish) : real ? 1 : USUAL_ENTRIES;
  mjtSize n = ct_field_rows(f, m, NULL) * ct_field_columns(f, m), tried = n < most ? n : most;
  for (mjtSize k = 0; k < tried; k++) {
    mjtSize i = tried < 2 ? 0 : k * (n - 1) / (tried - 1);
    if (real) {
      forge_real(a, m, f, i);
    } else {
      forge_integer(a, m, f, i, n);
    }
  }
}

static void forge_option(Attempts* a, mjModel* m, const char* name, void* at, bool real) {
  static const int integers[] = {-1, 0, 3, 100, 1 << 19};
  static const mjtNum reals[] = {NAN, INFINITY, -1, 0, 1e20f};
  mjOption own = m->opt;
  for (int k = 0; k < 5; k++) {
    if (integers[k] > 100 && strstr(name, "iterations")) continue;  // a wish that takes time
    if (!attempt_begins(a, "opt.%s, value %d", name, k)) continue;
    if (real) *(mjtNum*)at = reals[k];
    if (!real) *(int*)at = integers[k];
    use_unless_refused(a, m);
    m->opt = own;
  }
}

static void forge_options(Attempts* a, mjModel* m) {
#define OPTION(type_, name_, extent_, value_, doc_) \
  forge_option(a, m, #name_, &m->opt.name_, !strcmp(#type_, "mjtNum"));
#include "settings.def"
}

// Sizes decide how the rest of a file is read, so these attempts load one.
static void forge_sizes(Attempts* a, const mjModel* m) {
  size_t bytes = (size_t)mj_sizeModel(m);
  char* file = (char*)malloc(bytes);
  mj_saveModel(m, NULL, file, (int)bytes);
  for (int k = 0; k < ct_nmodel_size; k++) {
    mjtSize own = ct_model_size(m, ct_model_sizes[k].offset);
    const mjtSize values[] = {-1, 0, own + 1, own - 1, 1 << 20, 1LL << 40, INT64_MAX};
    char* at = file + 5 * sizeof(int) + (size_t)k * sizeof(mjtSize);
    for (size_t v = 0; v < sizeof(values) / sizeof(values[0]); v++) {
      if (!attempt_begins(a, "%s = %lld", ct_model_sizes[k].name, (long long)values[v])) continue;
      memcpy(at, values + v, sizeof(mjtSize));
      mjModel* forged = mj_loadModelBuffer(file, (int)bytes);
      if (forged) use_model(forged, false);
      mj_deleteModel(forged);
    }
    memcpy(at, &own, sizeof(mjtSize));
  }
  free(file);
}

static void forge(Attempts* a, void* name) {
  mju_user_error = mju_user_warning = ignore;
  mjModel* m = recorded_model((const char*)name);
  if (m->narena > 1 << 18) m->narena = 1 << 18;  // the usual 13 MB would only take time
  for (int k = 0; k < ct_nmodel_field; k++) forge_array(a, m, ct_model_fields + k);
  forge_options(a, m);
  forge_sizes(a, m);
  mj_deleteModel(m);
}

static void every_forged_entry_is_refused_or_harmless(void** state) {
  (void)state;
  int findings = 0;
  const char *only = getenv("CT_FORGE_MODEL"), *name;
  for (int i = 0; (name = recorded_model_name(i)); i++) {
    if (only && strcmp(only, name)) continue;
    findings += count_harmful_attempts(name, forge, (void*)(uintptr_t)name);
  }
  assert_int_equal(findings, 0);
}

int main(void) {
  remember_signals();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_forged_entry_is_refused_or_harmless),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
