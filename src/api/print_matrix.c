// mju_printMat and mju_printMatSparse: matrices on standard output.

#include <mujoco/mujoco.h>
#include <stdio.h>

void mju_printMat(const mjtNum* mat, int nr, int nc) {
  for (int r = 0; r < nr; r++) {
    for (int c = 0; c < nc; c++) printf("%.8f ", (double)mat[(size_t)r * (size_t)nc + (size_t)c]);
    printf("\n");
  }
  printf("\n");
}

void mju_printMatSparse(const mjtNum* mat, int nr, const int* rownnz, const int* rowadr,
                        const int* colind) {
  for (int r = 0; r < nr; r++) {
    for (int k = rowadr[r]; k < rowadr[r] + rownnz[r]; k++) {
      printf("(%d %d): %9.6f  ", r, colind[k], (double)mat[k]);
    }
    printf("\n");
  }
  printf("\n");
}
