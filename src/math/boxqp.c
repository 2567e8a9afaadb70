// Box-constrained quadratic programs by projected Newton steps. See boxqp.h.
//
// A variable at a bound whose gradient points outwards is clamped; the others are free. Each
// iteration takes a Newton step in the free ones, H_ff search = -(grad_f), projects it onto the box
// and shortens it until the value descends (Armijo). The factor of H_ff is kept as long as the
// clamped set stays. All scratch is in R.

#include "math/boxqp.h"

#include <stddef.h>

#include "math/cholesky.h"
#include "math/mat.h"
#include "math/vec.h"

// Single precision cannot see a gradient below 1e-4 of numbers around one.
#ifdef mjUSESINGLE
#define LEAST_GRADIENT ((mjtNum)1e-8)
#else
#define LEAST_GRADIENT ((mjtNum)1e-16)
#endif

ct_BoxQPOptions ct_default_boxqp(void) {
  ct_BoxQPOptions o = {.iterations = 100,
                       .gradient = LEAST_GRADIENT,
                       .backtrack = (mjtNum)0.5,
                       .least_step = (mjtNum)1e-22,
                       .armijo = (mjtNum)0.1};
  return o;
}

typedef struct {
  const mjtNum *H, *g, *lower, *upper;
  int n;
  mjtNum *x, *factor;
  mjtNum *gradient, *search, *candidate, *packed;  // (n) each, in R
  int* index;                                      // free variables, in R if the caller has none
  int* clamped;                                    // 1 if clamped, in R
  int nfree;
} Problem;

static mjtNum project(const Problem* p, mjtNum x, int i) {
  if (p->lower && x < p->lower[i]) return p->lower[i];
  if (p->upper && x > p->upper[i]) return p->upper[i];
  return x;
}

// x'H x / 2 + g'x. H counts as symmetric and is read below its diagonal only, as the factor does;
// the gradient reads full rows.
static mjtNum value(const Problem* p, const mjtNum* x) {
  mjtNum form = 0;
  for (int i = 0; i < p->n; i++) {
    const mjtNum* row = p->H + i * p->n;
    form += x[i] * (2 * ct_dot(row, x, i) + row[i] * x[i]);
  }
  return form / 2 + ct_dot(x, p->g, p->n);
}

// Decides which variables are clamped and lists the others. Returns whether any changed.
static int choose_free(Problem* p) {
  int changed = 0;
  p->nfree = 0;
  for (int i = 0; i < p->n; i++) {
    int at_lower = p->lower && p->x[i] == p->lower[i] && p->gradient[i] > 0;
    int at_upper = p->upper && p->x[i] == p->upper[i] && p->gradient[i] < 0;
    int clamped = at_lower || at_upper;
    changed |= clamped != p->clamped[i];
    p->clamped[i] = clamped;
    if (!clamped) p->index[p->nfree++] = i;
  }
  return changed;
}

// Factorises the free block; false if it is not positive definite.
static int factor_free(Problem* p) {
  int nf = p->nfree;
  for (int r = 0; r < nf; r++) {
    for (int c = 0; c <= r; c++) {
      p->factor[r * nf + c] = p->H[p->index[r] * p->n + p->index[c]];
    }
  }
  return ct_cholesky_factor_wide(p->factor, nf, mjMINVAL) == nf;
}

// Newton direction of the free variables: to -H_ff^-1 (g + H_fc x_c) from where they are.
static void find_search(Problem* p) {
  for (int r = 0; r < p->nfree; r++) {
    int i = p->index[r];
    mjtNum fixed = p->g[i];
    for (int j = 0; j < p->n; j++) {
      if (p->clamped[j]) fixed += p->H[i * p->n + j] * p->x[j];
    }
    p->packed[r] = fixed;
  }
  ct_cholesky_solve_wide(p->packed, p->factor, p->packed, p->nfree);
  ct_zero(p->search, p->n);
  for (int r = 0; r < p->nfree; r++) {
    int i = p->index[r];
    p->search[i] = -p->packed[r] - p->x[i];
  }
}

// Moves x along the search direction; false if no step descends.
static int line_search(Problem* p, mjtNum slope, const ct_BoxQPOptions* o) {
  mjtNum old = value(p, p->x), now, step = 1;
  do {
    for (int i = 0; i < p->n; i++) {
      p->candidate[i] = project(p, p->x[i] + step * p->search[i], i);
    }
    now = value(p, p->candidate);
    step *= o->backtrack;
    if (step < o->least_step) return 0;
  } while ((now - old) / (step * slope) < o->armijo);
  ct_copy(p->x, p->candidate, p->n);
  return 1;
}

// One iteration. Returns the number of free variables, or -1; *ended is set when there is nothing
// left to do.
static int iterate(Problem* p, const ct_BoxQPOptions* o, const char** ended) {
  ct_mul_mat_vec(p->gradient, p->H, p->x, p->n, p->n);
  ct_add_to(p->gradient, p->g, p->n);
  int changed = choose_free(p);
  if (p->nfree == 0) {
    *ended = "all variables are at their bounds";
    return 0;
  }
  if (changed && !factor_free(p)) {
    *ended = "the free block of H is not positive definite";
    return -1;
  }

  mjtNum squares = 0;
  for (int r = 0; r < p->nfree; r++) {
    squares += p->gradient[p->index[r]] * p->gradient[p->index[r]];
  }
  if (squares < o->gradient) {
    *ended = "the gradient vanishes";
    return p->nfree;
  }

  find_search(p);
  mjtNum slope = ct_dot(p->search, p->gradient, p->n);
  if (slope >= 0) {
    *ended = "the search direction does not descend";
    return -1;
  }
  if (!line_search(p, slope, o)) *ended = "no step is short enough to descend";
  return p->nfree;
}

static int solve_bounded(Problem* p, const ct_BoxQPOptions* o, ct_BoxQPReport* report) {
  for (int i = 0; i < p->n; i++) {
    p->x[i] = project(p, p->x[i], i);
    p->clamped[i] = -1;  // unlike either state, so that the first iteration factorises
  }
  int result = 0;
  for (; report->iterations < o->iterations && !report->ended; report->iterations++) {
    result = iterate(p, o, &report->ended);
  }
  if (!report->ended) report->ended = "no iterations are left";
  return result;
}

// Without bounds the minimum is one solve away.
static int solve_unbounded(Problem* p, ct_BoxQPReport* report) {
  for (int i = 0; i < p->n; i++) {
    p->index[i] = i;
  }
  p->nfree = p->n;
  report->ended = "H is not positive definite";
  if (!factor_free(p)) return -1;
  report->ended = "solved without bounds";
  ct_cholesky_solve_wide(p->x, p->factor, p->g, p->n);
  ct_scl(p->x, p->x, -1, p->n);
  return p->n;
}

int ct_boxqp(mjtNum* res, mjtNum* R, int* index, const mjtNum* H, const mjtNum* g, int n,
             const mjtNum* lower, const mjtNum* upper, const ct_BoxQPOptions* options,
             ct_BoxQPReport* report) {
  mjtNum* vectors = R + n * n;
  Problem p;
  p.H = H;
  p.g = g;
  p.lower = lower;
  p.upper = upper;
  p.n = n;
  p.x = res;
  p.factor = R;
  p.gradient = vectors;
  p.search = vectors + n;
  p.candidate = vectors + 2 * n;
  p.packed = vectors + 3 * n;
  // cppcheck-suppress invalidPointerCast ; scratch without a type of its own
  p.clamped = (int*)(vectors + 4 * n);
  // cppcheck-suppress invalidPointerCast
  p.index = index ? index : (int*)(vectors + 5 * n);
  p.nfree = 0;
  ct_BoxQPReport own;
  if (!report) report = &own;
  report->iterations = 0;
  report->ended = NULL;
  return lower || upper ? solve_bounded(&p, options, report) : solve_unbounded(&p, report);
}
