// R30.3, R0.2: a forged model is refused when it is loaded, or harmless in use. Every array, option
// and size of every recorded model gets, one entry at a time, values that no compiler would write
// there; what is not refused is simulated, inverted, measured and printed. A child process does it,
// so that one run names all findings: a crash or a hang is noted, and the next child goes on with
// the next attempt.
//
// Long arrays are sampled. CT_FORGE_ENTRIES is the number of entries tried in each of them,
// CT_FORGE_MODEL the only model.

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/model/fields.h"
#include "base/model/validate.h"
#include "fuzz/use_model.h"
#include "support/fail.h"
#include "support/models.h"

enum { USUAL_ENTRIES = 2, MOST_FINDINGS = 1000, NAME_BYTES = 200 };
static const struct itimerval patience = {.it_value = {.tv_sec = 20}};  // of processor time

// What a child is doing, for the parent to read when it has died.
typedef struct {
  long attempt;            // -1: all are done
  char place[NAME_BYTES];  // array[entry] = value
} Progress;

// The attempts with one model. They are counted; those before `start` were made by other children.
typedef struct {
  mjModel* model;
  long start, count;
  Progress* progress;
} Forgery;

static void ignore(const char* message) {
  (void)message;
}

// Is this attempt for us? If so, it is on record from now on.
static bool begins(Forgery* f, const char* name, mjtSize entry, double value) {
  long attempt = f->count++;
  if (attempt < f->start) return false;
  f->progress->attempt = attempt;
  snprintf(f->progress->place, NAME_BYTES, "%s[%ld] = %.17g", name, (long)entry, value);
  setitimer(ITIMER_PROF, &patience, NULL);
  return true;
}

static void use_unless_refused(const Forgery* f) {
  if (mj_validateReferences(f->model)) return;
  mjModel* copy = mj_copyModel(NULL, f->model);
  use_names(copy);
  use_model(copy, f->count % 10 == 0);
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
static void forge_integer(Forgery* f, const ct_Field* field, mjtSize i, mjtSize n) {
  char* array = (char*)*ct_field_pointer(field, f->model);
  void *at = array + (size_t)i * field->element,
       *next = array + (size_t)((i + 1) % n) * field->element;
  mjtSize own = integer_at(field->type, at);
  bool index = field->target.kind >= CT_TARGET_ID;
  const mjtSize values[] = {-1,
                            0,
                            1,
                            index ? ct_model_size(f->model, field->target.size) : 100,
                            1 << 28,
                            (1 << 28) + 1,
                            own + 1,
                            own - 1,
                            integer_at(field->type, next)};
  for (size_t k = 0; k < sizeof(values) / sizeof(values[0]); k++) {
    if (values[k] == own || !begins(f, field->name, i, (double)values[k])) continue;
    set_integer(field->type, at, values[k]);
    use_unless_refused(f);
    set_integer(field->type, at, own);
  }
}

static void forge_real(Forgery* f, const ct_Field* field, mjtSize i) {
  static const float values[] = {NAN, INFINITY, -3e38f, 1e10f, -1, 0};
  char own[sizeof(double)];
  void* at = (char*)*ct_field_pointer(field, f->model) + (size_t)i * field->element;
  for (size_t k = 0; k < sizeof(values) / sizeof(values[0]); k++) {
    if (!begins(f, field->name, i, (double)values[k])) continue;
    memcpy(own, at, field->element);
    if (field->type == CT_TYPE_mjtNum) *(mjtNum*)at = (mjtNum)values[k];
    if (field->type == CT_TYPE_float) *(float*)at = values[k];
    use_unless_refused(f);
    memcpy(at, own, field->element);
  }
}

// The first and the last entry, and some between them. Numbers matter less: they lead nowhere.
static void forge_array(Forgery* f, const ct_Field* field) {
  bool real = field->type == CT_TYPE_mjtNum || field->type == CT_TYPE_float;
  if (field->type == CT_TYPE_char) return;
  const char* wish = getenv("CT_FORGE_ENTRIES");
  mjtSize most = wish ? atoi(wish) : real ? 1 : USUAL_ENTRIES;
  mjtSize n = ct_field_rows(field, f->model, NULL) * ct_field_columns(field, f->model);
  mjtSize tried = n < most ? n : most;
  for (mjtSize k = 0; k < tried; k++) {
    mjtSize i = tried < 2 ? 0 : k * (n - 1) / (tried - 1);
    if (real) {
      forge_real(f, field, i);
    } else {
      forge_integer(f, field, i, n);
    }
  }
}

// Numbers of iterations are not among the values: a large one is a wish that takes time.
static void forge_options(Forgery* f) {
  static const int integers[] = {-1, 0, 3, 100, 1 << 19};
  static const mjtNum reals[] = {NAN, INFINITY, -1, 0, 1e20f};
#define OPTION(type_, name_, extent_, value_, doc_)                                       \
  {                                                                                       \
    mjOption own = f->model->opt;                                                         \
    bool integer = !strcmp(#type_, "int"), limit = strstr(#name_, "iterations") != NULL;  \
    for (int k = 0; k < 5; k++) {                                                         \
      if (limit && integers[k] > 100) continue;                                           \
      if (!begins(f, "opt." #name_, 0, integer ? (double)integers[k] : (double)reals[k])) \
        continue;                                                                         \
      void* at = &f->model->opt.name_;                                                    \
      if (integer) *(int*)at = integers[k];                                               \
      if (!integer) *(mjtNum*)at = reals[k];                                              \
      use_unless_refused(f);                                                              \
      f->model->opt = own;                                                                \
    }                                                                                     \
  }
#include "settings.def"
}

// Sizes decide how the rest of a file is read, so these attempts load one.
static void forge_sizes(Forgery* f) {
  size_t bytes = (size_t)mj_sizeModel(f->model);
  char* file = (char*)malloc(bytes);
  mj_saveModel(f->model, NULL, file, (int)bytes);
  for (int k = 0; k < ct_nmodel_size; k++) {
    mjtSize own = *(const mjtSize*)((const char*)f->model + ct_model_sizes[k].offset);
    const mjtSize values[] = {-1, 0, own + 1, own - 1, 1 << 20, 1LL << 40, INT64_MAX};
    char* at = file + 5 * sizeof(int) + (size_t)k * sizeof(mjtSize);
    for (size_t v = 0; v < sizeof(values) / sizeof(values[0]); v++) {
      if (!begins(f, ct_model_sizes[k].name, 0, (double)values[v])) continue;
      memcpy(at, values + v, sizeof(mjtSize));
      mjModel* m = mj_loadModelBuffer(file, (int)bytes);
      if (m) use_model(m, false);
      mj_deleteModel(m);
    }
    memcpy(at, &own, sizeof(mjtSize));
  }
  free(file);
}

static void forge_from(const char* name, Progress* progress, long start) {
  mju_user_error = mju_user_warning = ignore;
  Forgery f = {.model = recorded_model(name), .start = start, .progress = progress};
  if (f.model->narena > 1 << 18) f.model->narena = 1 << 18;  // 13 MB would only take time
  for (int k = 0; k < ct_nmodel_field; k++) forge_array(&f, ct_model_fields + k);
  forge_options(&f);
  forge_sizes(&f);
  mj_deleteModel(f.model);
  progress->attempt = -1;
}

// cmocka makes failures of signals; here they are to end the child as they would end a program.
static const int deadly[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
enum { NDEADLY = sizeof(deadly) / sizeof(deadly[0]) };
static struct sigaction at_start[NDEADLY];

static void remember_signals(void) {
  for (int i = 0; i < NDEADLY; i++) sigaction(deadly[i], NULL, at_start + i);
}

static void restore_signals(void) {
  for (int i = 0; i < NDEADLY; i++) sigaction(deadly[i], at_start + i, NULL);
}

// Attempts from `start` on, in a child. Returns how it ended: 0 if well.
static int forge_in_child(const char* name, Progress* progress, long start) {
  fflush(NULL);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    restore_signals();
    forge_from(name, progress, start);
    _exit(0);
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  return status;
}

// Returns the number of findings.
static int forge(const char* name, Progress* progress) {
  int findings = 0;
  *progress = (Progress){0};
  for (long start = 0; start >= 0 && findings < MOST_FINDINGS; start = progress->attempt + 1) {
    int status = forge_in_child(name, progress, start);
    if (status == 0) break;
    findings++;
    bool hung = WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF;
    print_error("%s: %s: %s\n", name, progress->place, hung ? "takes for ever" : "crashes");
  }
  return findings;
}

static void every_forged_entry_is_refused_or_harmless(void** state) {
  (void)state;
  Progress* progress = (Progress*)mmap(NULL, sizeof(Progress), PROT_READ | PROT_WRITE,
                                       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  assert_true(progress != MAP_FAILED);
  int findings = 0;
  const char* only = getenv("CT_FORGE_MODEL");
  for (int i = 0; recorded_model_name(i); i++) {
    if (!only || !strcmp(only, recorded_model_name(i))) {
      findings += forge(recorded_model_name(i), progress);
    }
  }
  munmap(progress, sizeof(Progress));
  assert_int_equal(findings, 0);
}

int main(void) {
  remember_signals();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_forged_entry_is_refused_or_harmless),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
