#include "lanes/bits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/model/fields.h"
#include "lanes/probes.h"
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

bool lane_kernel_is_recorded(int kernel) {
  char name[128];
  snprintf(name, sizeof(name), "%s.rec", kernel_recordings[kernel]);
  return recorded_exists(name);
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

// Adds an array to the list of those that were written.
static void note_written(BitReport* report, const char* array) {
  char word[64];
  snprintf(word, sizeof(word), "%s ", array);
  if (strstr(report->wrote, word)) return;
  strncat(report->wrote, word, sizeof(report->wrote) - strlen(report->wrote) - 1);
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

BitReport compare_kernel_bits(int kernel, const LaneRunner* other, int nlane) {
  BitReport report;
  memset(&report, 0, sizeof(report));
  RECORDED_STATES(s, kernel_recordings[kernel]) {
    mjData* before = mj_copyData(NULL, s.model, s.data);
    mjData* copy = mj_copyData(NULL, s.model, s.data);
    int status = lanes_one()->run_kernel(kernel, 1, s.model, s.data);
    int other_status = other->run_kernel(kernel, nlane, s.model, copy);
    compare_ints(&report, s.prefix, "status", &status, &other_status, 1);
    compare_data(&report, s.prefix, s.model, s.data, copy);
    compare_arena(&report, s.prefix, s.model, s.data, copy, false);
    list_written(&report, s.model, s.data, before);
    mj_deleteData(copy);
    mj_deleteData(before);
    report.nstate++;
  }
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
