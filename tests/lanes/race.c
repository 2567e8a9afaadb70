// Runs one probe on four threads, for ThreadSanitizer to look at: race sync, race
// wrong_sync.

#include <stdio.h>
#include <string.h>

#include "lanes/bits.h"

int main(int argc, char** argv) {
  for (int probe = 0; argc == 2 && probe < lane_probe_count(); probe++) {
    if (!strcmp(lane_probe_name(probe), argv[1])) {
      BitReport report = compare_probe_bits(probe, lanes_threads(), 4);
      printf("%s: %d lengths, %d arrays differ\n", argv[1], report.nstate, report.ndifferent);
      return 0;
    }
  }
  fprintf(stderr, "usage: race PROBE\n");
  return 2;
}
