// Public functions of scalars: comparisons, rounding, checks, random numbers, conversions and small
// sorts.

#include <mujoco/mujoco.h>
#include <stdlib.h>

#include "math/scalar.h"
#include "math/strict.h"

mjtNum mju_min(mjtNum a, mjtNum b) {
  return ct_min(a, b);
}

mjtNum mju_max(mjtNum a, mjtNum b) {
  return ct_max(a, b);
}

mjtNum mju_clip(mjtNum x, mjtNum min, mjtNum max) {
  return ct_clip(x, min, max);
}

mjtNum mju_sign(mjtNum x) {
  return ct_sign(x);
}

// Halves go up: 2.5 becomes 3, -2.5 becomes -2. What int cannot hold is undefined, as in C.
int mju_round(mjtNum x) {
  mjtNum below = (mjtNum)floor(x);
  return (int)(x - below < (mjtNum)0.5 ? below : below + 1);
}

int mju_isBad(mjtNum x) {
  return ct_is_bad(x);
}

int mju_isZero(const mjtNum* vec, int n) {
  for (int i = 0; i < n; i++) {
    if (!(vec[i] == 0)) {
      return 0;
    }
  }
  return 1;
}

mjtNum mju_sigmoid(mjtNum x) {
  return ct_sigmoid(x);
}

// Two independent normal numbers by Marsaglia's polar method, from the C library's rand.
mjtNum mju_standardNormal(mjtNum* num2) {
  mjtNum x1, x2, s;
  do {
    x1 = (mjtNum)(2.0 * rand() / RAND_MAX - 1);
    x2 = (mjtNum)(2.0 * rand() / RAND_MAX - 1);
    s = x1 * x1 + x2 * x2;
  } while (s >= 1 || s == 0);

  mjtNum w = ct_sqrt(-2 * ct_log(s) / s);
  if (num2 != NULL) {
    *num2 = x2 * w;
  }
  return x1 * w;
}

mjtNum mju_Halton(int index, int base) {
  return ct_halton(index, base);
}

void mju_f2n(mjtNum* res, const float* vec, int n) {
  for (int i = 0; i < n; i++) {
    res[i] = (mjtNum)vec[i];
  }
}

void mju_n2f(float* res, const mjtNum* vec, int n) {
  for (int i = 0; i < n; i++) {
    res[i] = (float)vec[i];
  }
}

void mju_d2n(mjtNum* res, const double* vec, int n) {
  for (int i = 0; i < n; i++) {
    res[i] = (mjtNum)vec[i];
  }
}

void mju_n2d(double* res, const mjtNum* vec, int n) {
  for (int i = 0; i < n; i++) {
    res[i] = (double)vec[i];
  }
}

void mju_insertionSort(mjtNum* list, int n) {
  for (int i = 1; i < n; i++) {
    mjtNum x = list[i];
    int j = i;
    for (; j > 0 && list[j - 1] > x; j--) {
      list[j] = list[j - 1];
    }
    list[j] = x;
  }
}

void mju_insertionSortInt(int* list, int n) {
  for (int i = 1; i < n; i++) {
    int x = list[i];
    int j = i;
    for (; j > 0 && list[j - 1] > x; j--) {
      list[j] = list[j - 1];
    }
    list[j] = x;
  }
}
