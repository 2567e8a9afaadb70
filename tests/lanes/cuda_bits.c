// The bit test on a GPU: everything on one lane of the CPU and on 1 to 32 lanes of a warp.
//
//   bits [FOLDER [WHAT...]]   FOLDER has the recordings and models of tests/recorded; default:
//   where
//                             they were built from. WHAT is kernels, probes or marches; default:
//                             all
//
// Prints one line per function or march. Exit code 0: all bits are the same, 1: some differ, 77: no
// GPU.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/cuda/upload.h"
#include "lanes/bits.h"
#include "lanes/cuda_runner.h"
#include "lanes/march.h"
#include "support/models.h"

static const int lanes[] = {1, 2, 4, 8, 16, 32};
enum { NLANES = sizeof(lanes) / sizeof(lanes[0]) };

static int print_report(const char* name, int nlane, const BitReport* report) {
  printf("%-16s %5d lanes %4d states  %-28s ", name, nlane, report->nstate, report->wrote);
  if (report->ndifferent) {
    printf("%d ARRAYS DIFFER: %s\n", report->ndifferent, report->first);
  } else {
    printf("identical (%d arrays compared)\n", report->nfield);
  }
  return report->ndifferent;
}

static int compare_kernels(void) {
  int ndifferent = 0;
  for (int kernel = 0; kernel < lane_kernel_count(); kernel++) {
    if (!lane_kernel_is_recorded(kernel)) continue;  // a stage that whole steps test
    for (int i = 0; i < NLANES; i++) {
      BitReport report = compare_kernel_bits(kernel, lanes_cuda(), lanes[i]);
      ndifferent += print_report(lane_kernel_name(kernel), lanes[i], &report);
    }
  }
  return ndifferent;
}

static int compare_probes(void) {
  int ndifferent = 0;
  for (int probe = 0; probe < lane_probe_count(); probe++) {
    if (lane_probe_is_wrong(probe)) continue;
    for (int i = 0; i < NLANES; i++) {
      BitReport report = compare_probe_bits(probe, lanes_cuda(), lanes[i]);
      ndifferent += print_report(lane_probe_name(probe), lanes[i], &report);
    }
  }
  return ndifferent;
}

// On every number of lanes; one line in all, and one for each difference.
static int compare_one_march(March march) {
  int ndifferent = 0, narray = 0;
  MarchReport report;
  if (!march_is_possible(&march)) return 0;
  for (int i = 0; i < NLANES; i++) {
    report = compare_march(&march, lanes_cuda(), lanes[i]);
    narray += report.bits.nfield;
    if (!report.bits.ndifferent) continue;
    ndifferent++;
    printf("%s, %s: %d ARRAYS DIFFER: %s\n", march.model, march_way_name(march.way),
           report.bits.ndifferent, report.bits.first);
  }
  printf("%-20s %-26s %4d steps, contacts %3d, rows %3d, islands %2d, asleep %2d, state %016llx  ",
         march.model, march_way_name(march.way), report.bits.nstate * MARCH_STRIDE, report.ncon,
         report.nefc, report.nisland, report.nasleep, report.hash);
  printf(ndifferent ? "DIFFERENT on %d numbers of lanes\n" : "identical (%d arrays compared)\n",
         ndifferent ? ndifferent : narray);
  fflush(stdout);
  return ndifferent;
}

// Every model and the heap as they are, the humanoid far, and those with much physics in every way.
static int compare_marches(void) {
  static const char* const rich[] = {"contacts", "equalities", "humanoid", "tendons",
                                     "sleepers", "workshop",   "heap",     "mesh_shapes"};
  int ndifferent = 0;
  for (int i = 0; recorded_model_name(i); i++) {
    March march = {recorded_model_name(i), 0, 100};
    ndifferent += compare_one_march(march);
  }
  March heap = {"heap", 0, 100};
  ndifferent += compare_one_march(heap);
  for (int way = 0; way < 2; way++) {
    March march = {"humanoid", way, 1000};
    ndifferent += compare_one_march(march);
  }
  for (int way = 1; way < march_way_count(); way++) {
    for (size_t i = 0; i < sizeof(rich) / sizeof(rich[0]); i++) {
      March march = {rich[i], way, 50};
      ndifferent += compare_one_march(march);
    }
  }
  return ndifferent;
}

static int compare_file(const char* file) {
  int ndifferent = 0;
  for (int way = 0; way < march_way_count(); way++) {
    March march = {file, way, way ? 20 : 100};
    ndifferent += compare_one_march(march);
  }
  return ndifferent;
}

static bool is_asked_for(int argc, char** argv, const char* what) {
  for (int i = 2; i < argc; i++) {
    if (!strcmp(argv[i], what)) return true;
  }
  return argc <= 2;
}

int main(int argc, char** argv) {
  if (argc > 1) setenv("CORTEN_RECORDED", argv[1], 1);
  if (!ct_cuda_available()) {
    fprintf(stderr, "no GPU: %s\n", ct_cuda_error());
    return 77;
  }
  int ndifferent = 0;
  if (is_asked_for(argc, argv, "kernels")) ndifferent += compare_kernels();
  if (is_asked_for(argc, argv, "probes")) ndifferent += compare_probes();
  if (is_asked_for(argc, argv, "marches")) ndifferent += compare_marches();
  for (int i = 2; i < argc; i++) {
    if (strstr(argv[i], ".mjb")) ndifferent += compare_file(argv[i]);
  }
  printf(ndifferent ? "bits differ\n" : "all bits are the same\n");
  return ndifferent ? 1 : 0;
}
