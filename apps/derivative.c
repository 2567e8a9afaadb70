// corten derivative: how a step of a model changes with its state, and how well analytic
// derivatives and differences agree about it.

#include <corten/derivative.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

typedef struct {
  const char* file;  // NULL: the built-in model
  double time;       // to step before
  bool json, picture;
} Wish;

typedef struct {
  int n, nu;
  mjtNum *A, *B;
  ct_DerivativeReport report;
  ct_DerivativeCheck check;
  bool checked;
} Answer;

static double norm_of(const mjtNum* x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (double)x[i] * (double)x[i];
  return sqrt(sum);
}

// The largest magnitude among the eigenvalues of A, by powers of it: |A^k x|^(1/k) over the last
// half of many steps.
static double spectral_radius(const mjtNum* A, int n) {
  enum { ROUNDS = 400 };
  double *x = (double*)malloc(((size_t)n + 1) * sizeof(double)), grown = 0;
  double* y = (double*)malloc(((size_t)n + 1) * sizeof(double));
  for (int i = 0; x && i < n; i++) x[i] = 1 + 0.1 * (i % 7);
  for (int k = 0; x && y && k < ROUNDS; k++) {
    double size = 0;
    for (int i = 0; i < n; i++) {
      y[i] = 0;
      for (int j = 0; j < n; j++) y[i] += (double)A[i * n + j] * x[j];
      size += y[i] * y[i];
    }
    size = sqrt(size);
    for (int i = 0; i < n; i++) x[i] = size > 0 ? y[i] / size : 0;
    if (k > 0) grown += 2 * k >= ROUNDS ? log(size > 0 ? size : 1e-300) : 0;
  }
  free(x);
  free(y);
  return n ? exp(grown / (ROUNDS / 2)) : 0;
}

static void print_reasons(int reasons, const char* lead, const char* between) {
  for (int k = 0; k < 30; k++) {
    if (!(reasons >> k & 1)) continue;
    printf("%s%s", lead, ct_derivative_reason(1 << k));
    lead = between;
  }
}

// Blocks of at most 60 columns: space, '.', 'o' or '#' for the size of the largest entry.
static void print_picture(const mjtNum* A, int n) {
  int cell = (n + 59) / 60;
  for (int i = 0; i < n; i += cell) {
    for (int j = 0; j < n; j += cell) {
      double most = 0;
      for (int r = i; r < n && r < i + cell; r++) {
        for (int c = j; c < n && c < j + cell; c++) most = fmax(most, fabs((double)A[r * n + c]));
      }
      putchar(most > 0.1 ? '#' : most > 1e-4 ? 'o' : most > 1e-12 ? '.' : ' ');
    }
    putchar('\n');
  }
}

static const char* method_name(const Answer* a) {
  return a->report.method == CT_DERIVATIVE_ANALYTIC ? "analytic" : "differences";
}

static void print_json(const Answer* a) {
  printf("{\"state\": %d, \"controls\": %d, \"method\": \"%s\", \"reasons\": [", a->n, a->nu,
         method_name(a));
  for (int k = 0, some = 0; k < 30; k++) {
    if (!(a->report.reasons >> k & 1)) continue;
    printf("%s\"%s\"", some++ ? ", " : "", ct_derivative_reason(1 << k));
  }
  printf("], \"norm_A\": %.9g, \"norm_B\": %.9g, \"spectral_radius\": %.9g",
         norm_of(a->A, a->n * a->n), norm_of(a->B, a->n * a->nu), spectral_radius(a->A, a->n));
  if (a->checked) {
    printf(", \"error_A\": %.3g, \"error_B\": %.3g", (double)a->check.error_A,
           (double)a->check.error_B);
  }
  printf("}\n");
}

static void print_text(const Answer* a, const Wish* wish) {
  printf("state        %d numbers, %d controls\n", a->n, a->nu);
  printf("method       %s\n", method_name(a));
  print_reasons(a->report.reasons, "             because of ", "\n             and ");
  if (a->report.reasons) printf("\n");
  printf("|A|          %.6g\n|B|          %.6g\n", norm_of(a->A, a->n * a->n),
         norm_of(a->B, a->n * a->nu));
  printf("eigenvalues  at most about %.6g in magnitude\n", spectral_radius(a->A, a->n));
  if (a->checked) {
    printf(
        "check        A differs from centred differences by %.1e of its largest number, at "
        "(%d, %d)\n",
        (double)a->check.error_A, a->check.row_A, a->check.column_A);
    if (a->nu) {
      printf("             B by %.1e, at (%d, %d)\n", (double)a->check.error_B, a->check.row_B,
             a->check.column_B);
    }
  }
  if (wish->picture) print_picture(a->A, a->n);
}

static int derive_and_print(mjModel* m, const Wish* wish) {
  mjData* d = mj_makeData(m);
  if (!d) return EXIT_FAILED;
  while ((double)d->time < wish->time) mj_step(m, d);
  Answer a = {.n = (int)(2 * m->nv + m->na), .nu = (int)m->nu};
  a.A = (mjtNum*)calloc((size_t)a.n * (size_t)a.n + 1, sizeof(mjtNum));
  a.B = (mjtNum*)calloc((size_t)a.n * (size_t)a.nu + 1, sizeof(mjtNum));
  int result = EXIT_FAILED;
  ct_DerivativeMatrices out = {a.A, a.B, NULL, NULL};
  if (a.A && a.B && ct_derivative(m, d, NULL, &out, &a.report) == 0) {
    a.checked = ct_check_derivative(m, d, NULL, &a.check) == 0;
    if (wish->json) {
      print_json(&a);
    } else {
      print_text(&a, wish);
    }
    result = EXIT_FINE;
  } else {
    failed("derivative: the state at %g s has none", (double)d->time);
  }
  free(a.A);
  free(a.B);
  mj_deleteData(d);
  return result;
}

int command_derivative(int argc, char** argv) {
  Wish wish = {NULL, 0, false, false};
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--json")) {
      wish.json = true;
    } else if (!strcmp(argv[i], "--picture")) {
      wish.picture = true;
    } else if (!strcmp(argv[i], "--time") && i + 1 < argc) {
      char* end;
      wish.time = strtod(argv[++i], &end);
      if (*end || !(wish.time >= 0 && wish.time < 1e6)) {
        return misused("derivative: --time needs a number that is not negative, got %s", argv[i]);
      }
    } else if (argv[i][0] == '-') {
      return misused("derivative: unknown option %s", argv[i]);
    } else if (wish.file) {
      return misused("derivative: one file at a time, please");
    } else {
      wish.file = argv[i];
    }
  }
  mjModel* m = wish.file ? load_model(wish.file) : load_builtin_model();
  if (!m) return EXIT_FAILED;
  int result = derive_and_print(m, &wish);
  mj_deleteModel(m);
  return result;
}
