#include "conformance/case.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void tape_clear(Tape* tape) {
  tape->count = tape->position = 0;
}

void tape_free(Tape* tape) {
  free(tape->values);
  memset(tape, 0, sizeof(*tape));
}

static void tape_write(Tape* tape, double value) {
  if (tape->count == tape->capacity) {
    tape->capacity = tape->capacity ? 2 * tape->capacity : 256;
    tape->values = (double*)realloc(tape->values, tape->capacity * sizeof(double));
    if (!tape->values) abort();
  }
  tape->values[tape->count++] = value;
}

// A tape that ends early, or that was written by another version of the case, cannot be replayed at
// all.
static double tape_read(const Case* c) {
  if (c->tape->position >= c->tape->count) {
    fprintf(stderr, "%s case %d: the recording ends early; record it again\n", c->name, c->number);
    abort();
  }
  return c->tape->values[c->tape->position++];
}

typedef struct Block_ {
  struct Block_* next;
  double data[];
} Block;

static void free_blocks(Case* c) {
  for (Block* b = (Block*)c->blocks; b;) {
    Block* next = b->next;
    free(b);
    b = next;
  }
  c->blocks = NULL;
}

static void run(Case* c, CaseFunction function) {
  c->outputs = c->mismatches = 0;
  c->message[0] = 0;
  function(c);
  free_blocks(c);
}

void case_record(Case* c, CaseFunction function, uint64_t seed) {
  c->replay = false;
  c->random = seed;
  run(c, function);
}

bool case_replay(Case* c, CaseFunction function) {
  c->replay = true;
  run(c, function);
  return c->mismatches == 0;
}

void* case_memory(Case* c, size_t bytes) {
  Block* b = (Block*)calloc(1, sizeof(Block) + bytes);
  if (!b) abort();
  b->next = (Block*)c->blocks;
  c->blocks = b;
  return b->data;
}

static uint64_t random_bits(Case* c) {
  uint64_t z = (c->random += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

double case_random(Case* c) {
  return (double)(random_bits(c) >> 11) * 0x1p-53;
}

static double draw_edge(Case* c, bool finite) {
  static const double edges[] = {0.0,    -0.0,   5e-324,   -3e-310,   1e200,
                                 -1e200, 1e-200, INFINITY, -INFINITY, NAN};
  int choices = finite ? 7 : 10;
  double u = case_random(c);
  if (u < 0.7) return 4 * case_random(c) - 2;
  return edges[(int)(case_random(c) * choices)];
}

static double draw(Case* c) {
  switch (c->flavour) {
    case INTEGERS:
      return (double)((int)(case_random(c) * 7) - 3);
    case SCALES: {
      double u = 2 * case_random(c) - 1;
      return u * pow(10, 16 * case_random(c) - 8);
    }
    case EDGES:
      return draw_edge(c, true);
    case NOT_FINITE:
      return draw_edge(c, false);
    case ORDINARY:
    default:
      return 4 * case_random(c) - 2;
  }
}

void case_input(Case* c, mjtNum* x, int n) {
  for (int i = 0; i < n; i++) {
    if (c->replay) {
      x[i] = (mjtNum)tape_read(c);
    } else {
      tape_write(c->tape, (double)x[i]);
    }
  }
}

void case_input_ints(Case* c, int* x, int n) {
  for (int i = 0; i < n; i++) {
    if (c->replay) {
      x[i] = (int)tape_read(c);
    } else {
      tape_write(c->tape, x[i]);
    }
  }
}

int case_int(Case* c, int lo, int hi) {
  int x = c->replay ? 0 : lo + (int)(case_random(c) * (hi - lo + 1));
  case_input_ints(c, &x, 1);
  return x;
}

int case_size(Case* c) {
  return case_int(c, 0, c->largest);
}

int* case_ints(Case* c, int n, int lo, int hi) {
  int* x = (int*)case_memory(c, (size_t)n * sizeof(int));
  for (int i = 0; i < n; i++) x[i] = case_int(c, lo, hi);
  return x;
}

mjtNum case_number(Case* c) {
  mjtNum x = c->replay ? 0 : (mjtNum)draw(c);
  case_input(c, &x, 1);
  return x;
}

mjtNum* case_numbers(Case* c, int n) {
  mjtNum* x = (mjtNum*)case_memory(c, (size_t)n * sizeof(mjtNum));
  for (int i = 0; i < n; i++) x[i] = case_number(c);
  return x;
}

mjtNum case_uniform(Case* c, mjtNum lo, mjtNum hi) {
  mjtNum x = c->replay ? 0 : lo + (mjtNum)case_random(c) * (hi - lo);
  case_input(c, &x, 1);
  return x;
}

mjtNum* case_uniforms(Case* c, int n, mjtNum lo, mjtNum hi) {
  mjtNum* x = (mjtNum*)case_memory(c, (size_t)n * sizeof(mjtNum));
  for (int i = 0; i < n; i++) x[i] = case_uniform(c, lo, hi);
  return x;
}

mjtNum* case_output(Case* c, int n) {
  mjtNum* x = (mjtNum*)case_memory(c, (size_t)n * sizeof(mjtNum));
  for (int i = 0; i < n; i++) x[i] = (mjtNum)(0.5 + i);
  return x;
}

int* case_output_ints(Case* c, int n) {
  int* x = (int*)case_memory(c, (size_t)n * sizeof(int));
  for (int i = 0; i < n; i++) x[i] = -100 - i;
  return x;
}

mjtNum* case_copy(Case* c, const mjtNum* x, int n) {
  mjtNum* y = (mjtNum*)case_memory(c, (size_t)n * sizeof(mjtNum));
  if (n > 0) memcpy(y, x, (size_t)n * sizeof(mjtNum));
  return y;
}

static void mismatch(Case* c, int index, double got, double expected, double tolerance) {
  if (c->mismatches++ == 0) {
    snprintf(c->message, sizeof(c->message),
             "%s case %d, output %d, index %d: %.17g instead of %.17g (tolerance %.2g)", c->name,
             c->number, c->outputs, index, got, expected, tolerance);
  }
}

static void compare(Case* c, int index, double got, double expected, double tolerance) {
  if (got == expected || (isnan(got) && isnan(expected))) return;
  if (isfinite(got) && isfinite(expected) && fabs(got - expected) <= tolerance) return;
  mismatch(c, index, got, expected, tolerance);
}

void expect_same(Case* c, const mjtNum* x, int n) {
  for (int i = 0; i < n; i++) {
    if (!c->replay) {
      tape_write(c->tape, (double)x[i]);
      continue;
    }
    double expected = tape_read(c);
    compare(c, i, (double)x[i], expected, 1e-15 * fabs(expected));
  }
  c->outputs++;
}

void expect_close(Case* c, const mjtNum* x, int n, double tolerance) {
  double largest = 0;
  size_t start = c->tape->position;
  for (int i = 0; c->replay && i < n; i++) {
    double expected = fabs(tape_read(c));
    if (isfinite(expected) && expected > largest) largest = expected;
  }
  c->tape->position = start;
  for (int i = 0; i < n; i++) {
    if (!c->replay) {
      tape_write(c->tape, (double)x[i]);
    } else {
      compare(c, i, (double)x[i], tape_read(c), tolerance * largest);
    }
  }
  c->outputs++;
}

void expect_sum(Case* c, const mjtNum* x, int n, const double* magnitudes, int terms) {
  for (int i = 0; i < n; i++) {
    if (!c->replay) {
      tape_write(c->tape, (double)x[i]);
      continue;
    }
    // a denormal product may round in either order: allow its last bit; magnitudes that overflow
    // bound nothing, so allow as much of the result itself
    double expected = tape_read(c);
    double magnitude = isfinite(magnitudes[i]) ? magnitudes[i] : fabs(expected);
    compare(c, i, (double)x[i], expected, (terms + 1) * (CASE_EPS * magnitude + 5e-324));
  }
  c->outputs++;
}

void expect_ints(Case* c, const int* x, int n) {
  for (int i = 0; i < n; i++) {
    if (c->replay) {
      compare(c, i, x[i], tape_read(c), 0);
    } else {
      tape_write(c->tape, x[i]);
    }
  }
  c->outputs++;
}

double* magnitude_product(Case* c, const mjtNum* a, int a_row, int a_col, const mjtNum* b,
                          int b_row, int b_col, int r, int k, int m) {
  double* sum = (double*)case_memory(c, (size_t)(r * m) * sizeof(double));
  for (int i = 0; i < r; i++) {
    for (int j = 0; j < m; j++) {
      for (int l = 0; l < k; l++) {
        sum[i * m + j] += fabs((double)a[i * a_row + l * a_col] * (double)b[l * b_row + j * b_col]);
      }
    }
  }
  return sum;
}

double* magnitude_dot(Case* c, const mjtNum* a, const mjtNum* b, int n) {
  return magnitude_product(c, a, 0, 1, b, 1, 0, 1, n, 1);
}
