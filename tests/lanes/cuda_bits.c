// The bit test on a GPU: every kernel and probe on one lane of the CPU and on 1 to 32 lanes of a
// warp.
//
//   bits [FOLDER [march]]    FOLDER has the recordings and models of tests/recorded; default: where
//   they were built from. march: only the thousand steps of the humanoid
//
// Prints one line per function and number of lanes. Exit code 0: all bits are the same, 1: some
// differ, 77: no GPU.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch/cuda/upload.h"
#include "lanes/bits.h"
#include "lanes/cuda_runner.h"

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

// A thousand smooth steps of the humanoid on n lanes; the hashes say what was computed.
static int march(int nlane) {
  unsigned long long hashes[MARCH / MARCH_LOOK];
  BitReport report = compare_march_bits(lanes_cuda(), nlane, MARCH, hashes);
  int ndifferent = print_report("march", nlane, &report);
  for (int i = 0; i < MARCH / MARCH_LOOK; i++) {
    printf("    step %4d  %016llx\n", (i + 1) * MARCH_LOOK, hashes[i]);
  }
  return ndifferent;
}

int main(int argc, char** argv) {
  bool only_march = argc > 2 && !strcmp(argv[2], "march");
  if (argc > 1) setenv("CORTEN_RECORDED", argv[1], 1);
  if (!ct_cuda_available()) {
    fprintf(stderr, "no GPU: %s\n", ct_cuda_error());
    return 77;
  }
  int ndifferent = 0;
  for (int i = 0; i < NLANES; i++) ndifferent += march(lanes[i]);
  for (int kernel = 0; kernel < lane_kernel_count() && !only_march; kernel++) {
    for (int i = 0; i < NLANES; i++) {
      BitReport report = compare_kernel_bits(kernel, lanes_cuda(), lanes[i]);
      ndifferent += print_report(lane_kernel_name(kernel), lanes[i], &report);
    }
  }
  for (int probe = 0; probe < lane_probe_count() && !only_march; probe++) {
    if (lane_probe_is_wrong(probe)) continue;
    for (int i = 0; i < NLANES; i++) {
      BitReport report = compare_probe_bits(probe, lanes_cuda(), lanes[i]);
      ndifferent += print_report(lane_probe_name(probe), lanes[i], &report);
    }
  }
  printf(ndifferent ? "bits differ\n" : "all bits are the same\n");
  return ndifferent ? 1 : 0;
}
