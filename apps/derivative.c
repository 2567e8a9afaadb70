// corten derivative: how a step of a model changes with its state, and how well analytic
// derivatives and differences agree about it.

#include <corten/derivative.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "eigenvalues.h"
#include "json.h"

typedef struct {
  const char* file;  // NULL: the built-in model
  double time;       // to step before
  bool json, picture;
} Wish;

typedef struct {
  int n, nu;
  mjtNum *A, *B;
  ct_DerivativeReport report;
  Eigenvalue* eigenvalue;  // (n) of A; NULL: they were not found
  ct_DerivativeCheck check;
  bool checked, border_A, border_B;  // both sides of a difference disagree where the worst error is
} Answer;

enum { SHOWN = 8 };  // eigenvalues

static double norm_of(const mjtNum* x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (double)x[i] * (double)x[i];
  return sqrt(sum);
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

static void print_member(const char* name, double value) {
  printf(", \"%s\": ", name);
  json_number(value);
}

static void print_json(const Answer* a) {
  printf("{\"state\": %d, \"controls\": %d, \"method\": \"%s\", \"reasons\": [", a->n, a->nu,
         method_name(a));
  for (int k = 0, some = 0; k < 30; k++) {
    if (!(a->report.reasons >> k & 1)) continue;
    printf("%s\"%s\"", some++ ? ", " : "", ct_derivative_reason(1 << k));
  }
  printf("]");
  print_member("norm_A", norm_of(a->A, a->n * a->n));
  print_member("norm_B", norm_of(a->B, a->n * a->nu));
  if (a->eigenvalue) {
    printf(", \"eigenvalues\": [");
    for (int i = 0; i < a->n; i++) {
      printf(i ? ", [" : "[");
      json_number(a->eigenvalue[i].real);
      printf(", ");
      json_number(a->eigenvalue[i].imaginary);
      printf("]");
    }
    printf("]");
  }
  if (a->checked) {
    print_member("error_A", (double)a->check.error_A);
    printf(", \"at_A\": [%d, %d], \"border_A\": %s", a->check.row_A, a->check.column_A,
           a->border_A ? "true" : "false");
    print_member("error_B", (double)a->check.error_B);
    printf(", \"at_B\": [%d, %d], \"border_B\": %s", a->check.row_B, a->check.column_B,
           a->border_B ? "true" : "false");
  }
  printf("}\n");
}

static void print_eigenvalues(const Answer* a) {
  if (!a->eigenvalue) {
    printf("eigenvalues  were not found\n");
    return;
  }
  printf("eigenvalues ");
  for (int i = 0; i < a->n && i < SHOWN; i++) {
    const Eigenvalue* x = a->eigenvalue + i;
    printf(" %.6g", x->real);
    if (fabs(x->imaginary) > 1e-8 * magnitude_of(*x)) printf("%+.6gi", x->imaginary);
  }
  printf("%s\n             the largest magnitude is %.9g\n", a->n > SHOWN ? " ..." : "",
         a->n ? magnitude_of(a->eigenvalue[0]) : 0);
}

static const char* border_note(bool border) {
  return border
             ? "\n             where its two sides disagree: a border, at which the analytic one "
               "is that of the active side"
             : "";
}

static void print_text(const Answer* a, const Wish* wish) {
  printf("state        %d numbers, %d controls\n", a->n, a->nu);
  printf("method       %s\n", method_name(a));
  print_reasons(a->report.reasons, "             because of ", "\n             and ");
  if (a->report.reasons) printf("\n");
  printf("|A|          %.6g\n|B|          %.6g\n", norm_of(a->A, a->n * a->n),
         norm_of(a->B, a->n * a->nu));
  print_eigenvalues(a);
  if (a->checked) {
    printf(
        "check        A differs from centred differences by %.1e of its largest number, at "
        "(%d, %d)%s\n",
        (double)a->check.error_A, a->check.row_A, a->check.column_A, border_note(a->border_A));
    if (a->nu) {
      printf("             B by %.1e, at (%d, %d)%s\n", (double)a->check.error_B, a->check.row_B,
             a->check.column_B, border_note(a->border_B));
    }
  }
  if (wish->picture) print_picture(a->A, a->n);
}

// Do differences ahead and to both sides disagree at row, column by a part of the error?
static bool at_border(const mjtNum* ahead, const mjtNum* both, int columns, int row, int column,
                      mjtNum error, int n) {
  double largest = 0;
  for (int i = 0; i < n; i++) largest = fmax(largest, fabs((double)both[i]));
  if (row < 0 || column < 0 || n == 0) return false;
  double kink = fabs((double)(ahead[row * columns + column] - both[row * columns + column]));
  return (double)error > 1e-6 && kink > (double)error * largest / 10;
}

static void look_for_borders(const mjModel* m, mjData* d, Answer* a) {
  size_t n = (size_t)a->n, numbers = n * (n + (size_t)a->nu) + 1;
  mjtNum *ahead = (mjtNum*)calloc(2 * numbers, sizeof(mjtNum)), *both = ahead + numbers;
  ct_DerivativeOptions o;
  ct_default_derivative_options(&o);
  o.method = CT_DERIVATIVE_DIFFERENCES;
  ct_DerivativeMatrices out = {both, both + n * n, NULL, NULL};
  if (ahead && ct_derivative(m, d, &o, &out, NULL) == 0) {
    o.centred = 0;
    out.A = ahead;
    out.B = ahead + n * n;
    if (ct_derivative(m, d, &o, &out, NULL) == 0) {
      const ct_DerivativeCheck* c = &a->check;
      a->border_A = at_border(ahead, both, a->n, c->row_A, c->column_A, c->error_A, a->n * a->n);
      a->border_B = at_border(ahead + n * n, both + n * n, a->nu, c->row_B, c->column_B, c->error_B,
                              a->n * a->nu);
    }
  }
  free(ahead);
}

// Steps until that time. EXIT_FINE, or another code after a message.
static int step_until(const mjModel* m, mjData* d, double end) {
  if (end > 0 && !(m->opt.timestep > 0)) {
    return failed("the timestep is %g; give the model a positive one", (double)m->opt.timestep);
  }
  while ((double)d->time < end) {
    double before = (double)d->time;
    mj_step(m, d);
    if (!((double)d->time > before)) {
      return failed("the motion diverged at %g s and was reset; take a smaller timestep", before);
    }
  }
  return EXIT_FINE;
}

static int derive_and_print(mjModel* m, const Wish* wish) {
  mjData* d = mj_makeData(m);
  if (!d) return EXIT_FAILED;
  if (step_until(m, d, wish->time) != EXIT_FINE) {
    mj_deleteData(d);
    return EXIT_FAILED;
  }
  Answer a = {.n = (int)(2 * m->nv + m->na), .nu = (int)m->nu};
  a.A = (mjtNum*)calloc((size_t)a.n * (size_t)a.n + 1, sizeof(mjtNum));
  a.B = (mjtNum*)calloc((size_t)a.n * (size_t)a.nu + 1, sizeof(mjtNum));
  int result = EXIT_FAILED;
  ct_DerivativeMatrices out = {a.A, a.B, NULL, NULL};
  if (a.A && a.B && ct_derivative(m, d, NULL, &out, &a.report) == 0) {
    a.checked = ct_check_derivative(m, d, NULL, &a.check) == 0;
    if (a.checked) look_for_borders(m, d, &a);
    a.eigenvalue = (Eigenvalue*)calloc((size_t)a.n + 1, sizeof(Eigenvalue));
    if (a.eigenvalue && !find_eigenvalues(a.A, a.n, a.eigenvalue)) {
      free(a.eigenvalue);
      a.eigenvalue = NULL;
    }
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
  free(a.eigenvalue);
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
    } else if (argv[i][0] == '-' && argv[i][1]) {
      return misused("derivative: unknown option %s", argv[i]);
    } else if (wish.file) {
      return misused("derivative: one file at a time, please");
    } else {
      wish.file = argv[i];
    }
  }
  mjModel* m = wish.file ? load_model(wish.file) : load_builtin_model();
  if (!m) return EXIT_FAILED;
  name_dofs_of(m);
  int result = derive_and_print(m, &wish);
  name_dofs_of(NULL);
  mj_deleteModel(m);
  return result;
}
