#include "lanes/bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fields.h"
#include "lanes/probes.h"
#include "support/models.h"
#include "support/states.h"

static const char* const kernel_names[] = {
#define KERNEL_(name_, recording_, function_) #name_,
#include "lanes/kernels.def"
};

static const char* const kernel_recordings[] = {
#define KERNEL_(name_, recording_, function_) #recording_,
#include "lanes/kernels.def"
};

static const char* const probe_names[] = {
#define PROBE_NAME(name_) #name_,
    PROBES(PROBE_NAME)
#undef PROBE_NAME
};

int lane_kernel_count(void) {
  return (int)(sizeof(kernel_names) / sizeof(kernel_names[0]));
}

const char* lane_kernel_name(int kernel) {
  return kernel_names[kernel];
}

int lane_probe_count(void) {
  return (int)(sizeof(probe_names) / sizeof(probe_names[0]));
}

const char* lane_probe_name(int probe) {
  return probe_names[probe];
}

bool lane_probe_is_wrong(int probe) {
  return !strncmp(probe_names[probe], "wrong_", 6);
}

static void note_difference(BitReport* report, const char* where, const char* array, size_t byte) {
  if (report->ndifferent++ == 0) {
    snprintf(report->first, sizeof(report->first), "%s%s differs first at byte %zu", where, array,
             byte);
  }
}

static void compare_bytes(BitReport* report, const char* where, const char* array, const void* a,
                          const void* b, size_t size) {
  report->nfield++;
  for (size_t i = 0; i < size; i++) {
    if (((const char*)a)[i] != ((const char*)b)[i]) {
      note_difference(report, where, array, i);
      return;
    }
  }
}

// Adds an array to the list of those that were written.
static void note_written(BitReport* report, const char* array) {
  char word[64];
  snprintf(word, sizeof(word), "%s ", array);
  if (strstr(report->wrote, word)) return;
  strncat(report->wrote, word, sizeof(report->wrote) - strlen(report->wrote) - 1);
}

// Contacts without the padding at their end.
static void compare_contacts(BitReport* report, const char* where, const mjData* d,
                             const mjData* other) {
  for (int c = 0; c < d->ncon; c++) {
    compare_bytes(report, where, "contact", d->contact + c, other->contact + c,
                  offsetof(mjContact, efc_address) + sizeof(int));
  }
}

static void compare_data(BitReport* report, const char* where, const mjModel* m, const mjData* d,
                         const mjData* other) {
  for (int i = 0; i < ct_ndata_field; i++) {
    const ct_Field* f = ct_data_fields + i;
    compare_bytes(report, where, f->name, ct_field_array(f, d), ct_field_array(f, other),
                  ct_field_bytes(f, m, d));
  }
  if (d->ncon != other->ncon) {
    note_difference(report, where, "ncon", 0);
  } else if (d->ncon) {
    compare_contacts(report, where, d, other);
  }
}

static void list_written(BitReport* report, const mjModel* m, const mjData* d,
                         const mjData* before) {
  for (int i = 0; i < ct_ndata_field; i++) {
    const ct_Field* f = ct_data_fields + i;
    size_t bytes = ct_field_bytes(f, m, d);
    if (bytes && memcmp(ct_field_array(f, d), ct_field_array(f, before), bytes) != 0) {
      note_written(report, f->name);
    }
  }
  if (d->ncon != before->ncon) note_written(report, "contact");
}

// What the reference, and so the engine, leaves unset: indices of dense Jacobians, and room behind
// the islands.
static bool is_undefined(const ct_Field* f, const mjModel* m) {
  if (f->type == CT_TYPE_mjContact || !strcmp(f->name, "efc_b")) return true;
  bool dense = m->opt.jacobian == mjJAC_DENSE || (m->opt.jacobian == mjJAC_AUTO && m->nv < 60);
  return (dense && strstr(f->name, "J_")) || !strncmp(f->name, "i", 1);
}

// Arrays in the arena, if the kernel has made them. Rows and islands that are left out of a count
// may be undefined, so that dense Jacobians end with the last row.
static void compare_arena(BitReport* report, const RecordedState* s, const mjData* other) {
  compare_bytes(report, s->prefix, "parena", &s->data->parena, &other->parena, sizeof(size_t));
  compare_bytes(report, s->prefix, "nefc", &s->data->nefc, &other->nefc, sizeof(int));
  if (s->data->nefc != other->nefc || s->data->parena != other->parena) return;
  for (int i = 0; i < ct_narena_field; i++) {
    const ct_Field* f = ct_arena_fields + i;
    const char* mine = (const char*)ct_field_array(f, s->data);
    const char* its = (const char*)ct_field_array(f, other);
    if (!mine || !its || is_undefined(f, s->model)) continue;
    compare_bytes(report, s->prefix, f->name, mine, its, ct_field_bytes(f, s->model, s->data));
  }
}

BitReport compare_kernel_bits(int kernel, const LaneRunner* other, int nlane) {
  BitReport report;
  memset(&report, 0, sizeof(report));
  RECORDED_STATES(s, kernel_recordings[kernel]) {
    mjData* before = mj_copyData(NULL, s.model, s.data);
    mjData* copy = mj_copyData(NULL, s.model, s.data);
    lanes_one()->run_kernel(kernel, 1, s.model, s.data);
    other->run_kernel(kernel, nlane, s.model, copy);
    compare_data(&report, s.prefix, s.model, s.data, copy);
    compare_arena(&report, &s, copy);
    list_written(&report, s.model, s.data, before);
    mj_deleteData(copy);
    mj_deleteData(before);
    report.nstate++;
  }
  return report;
}

static int kernel_named(const char* name) {
  int kernel = 0;
  while (strcmp(kernel_names[kernel], name) != 0) kernel++;
  return kernel;
}

// Controls of step k: integers make them, so that they are the same everywhere.
static void steer(const mjModel* m, mjData* d, int k) {
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = (mjtNum)((k * 31 + i * 17) % 41 - 20) / 20;
}

// FNV-1a
static unsigned long long mix_bytes(unsigned long long hash, const void* x, size_t bytes) {
  for (size_t i = 0; i < bytes; i++) {
    hash = (hash ^ ((const unsigned char*)x)[i]) * 1099511628211ull;
  }
  return hash;
}

unsigned long long state_hash(const mjModel* m, const mjData* d) {
  unsigned long long hash = 14695981039346656037ull;
  hash = mix_bytes(hash, &d->time, sizeof(d->time));
  hash = mix_bytes(hash, d->qpos, (size_t)m->nq * sizeof(mjtNum));
  hash = mix_bytes(hash, d->qvel, (size_t)m->nv * sizeof(mjtNum));
  return mix_bytes(hash, d->act, (size_t)m->na * sizeof(mjtNum));
}

BitReport compare_march_bits(const LaneRunner* other, int nlane, int nstep,
                             unsigned long long* hashes) {
  BitReport report;
  memset(&report, 0, sizeof(report));
  int step = kernel_named("step");  // two steps at a time
  mjModel* m = recorded_model("humanoid");
  m->opt.disableflags |= mjDSBL_CONSTRAINT;
  mjData *d = mj_makeData(m), *copy = mj_makeData(m);
  for (int k = 2; k <= nstep; k += 2) {
    steer(m, d, k);
    steer(m, copy, k);
    lanes_one()->run_kernel(step, 1, m, d);
    other->run_kernel(step, nlane, m, copy);
    if (k % MARCH_LOOK) continue;
    char where[32];
    snprintf(where, sizeof(where), "step %d: ", k);
    compare_data(&report, where, m, d, copy);
    hashes[report.nstate++] = state_hash(m, copy);
  }
  snprintf(report.wrote, sizeof(report.wrote), "time %.2f of the humanoid", (double)d->time);
  mj_deleteData(copy);
  mj_deleteData(d);
  mj_deleteModel(m);
  return report;
}

enum { LONGEST = 200, NUM = LONGEST + 4 * LANE_MOST, WHOLE = LONGEST + LANE_MOST };

// Numbers of mixed size and sign, so that sums depend on their order, with both zeros among them.
static void fill_probe_input(mjtNum* x, int* counts) {
  unsigned random = 12345;
  for (int i = 0; i < LONGEST; i++) {
    random = random * 1664525u + 1013904223u;
    mjtNum unit = (mjtNum)((int)(random >> 8) % 20001 - 10000) / 10000;
    x[i] = i % 7 == 3 ? (mjtNum)(i % 2 ? 0.0 : -0.0) : unit * (mjtNum)(1 << (random >> 28));
    counts[i] = (int)(random >> 29);
  }
}

BitReport compare_probe_bits(int probe, const LaneRunner* other, int nlane) {
  BitReport report;
  memset(&report, 0, sizeof(report));
  static mjtNum x[LONGEST], num[2][NUM];
  static int counts[LONGEST], whole[2][WHOLE];
  fill_probe_input(x, counts);
  for (int n = 1; n <= LONGEST; n += n < 70 ? 1 : 13) {
    memset(num, 0, sizeof(num));
    memset(whole, 0, sizeof(whole));
    Probe p = {n, x, counts, num[0], whole[0]}, q = {n, x, counts, num[1], whole[1]};
    lanes_one()->run_probe(probe, 1, &p);
    other->run_probe(probe, nlane, &q);
    char where[32];
    snprintf(where, sizeof(where), "length %d: ", n);
    compare_bytes(&report, where, "num", num[0], num[1], sizeof(num[0]));
    compare_bytes(&report, where, "whole", whole[0], whole[1], sizeof(whole[0]));
    report.nstate++;
  }
  return report;
}
