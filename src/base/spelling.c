// Nearest spelling of a name that is not known, for messages.

#include "base/spelling.h"

#include <string.h>

// Insertions, deletions and replacements from a to b; texts of 31 characters at most.
static int edit_distance(const char* a, const char* b) {
  enum { LONGEST = 32 };
  size_t n = strlen(a), m = strlen(b);
  if (n >= LONGEST || m >= LONGEST) return LONGEST;
  int row[LONGEST];
  for (size_t j = 0; j <= m; j++) row[j] = (int)j;
  for (size_t i = 1; i <= n; i++) {
    int corner = row[0];
    row[0] = (int)i;
    for (size_t j = 1; j <= m; j++) {
      int best = corner + (a[i - 1] != b[j - 1]);
      if (row[j] + 1 < best) best = row[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      corner = row[j];
      row[j] = best;
    }
  }
  return row[m];
}

void ct_spelling_add(ct_Spelling* nearest, const char* candidate) {
  int distance = edit_distance(nearest->wanted, candidate);
  int most = 1 + (int)strlen(nearest->wanted) / 4;
  // of a name of one letter, everything short is near
  if (strlen(nearest->wanted) < 2) return;
  if (distance > most || (nearest->found && distance >= nearest->distance)) return;
  nearest->found = candidate;
  nearest->distance = distance;
}
