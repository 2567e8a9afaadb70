// A string of length L between two points, h apart across and v apart upwards, hangs as a catenary
//   y(x) = beta cosh((x - o) / beta) + w
// whose parameter beta = b h solves
//   1 / sqrt(2 b sinh(1 / (2 b)) - 1) = 1 / sqrt(sqrt(L^2 - v^2) / h - 1) = K,
// a form that is nearly linear in b, so that Newton's method needs a few steps.

#include "visual/hanging_string.h"

#include <math.h>
#include <stdbool.h>

#include "math/vec.h"

// Hyperbolic functions from one exponential.
static mjtNum cosh_of(mjtNum x) {
  mjtNum e = (mjtNum)exp((double)x);
  return (e + 1 / e) / 2;
}

static void hyperbolic(mjtNum* sine, mjtNum* cosine, mjtNum x) {
  mjtNum e = (mjtNum)exp((double)x);
  *sine = (e - 1 / e) / 2;
  *cosine = (e + 1 / e) / 2;
}

// g(b) = 1 / sqrt(2 b sinh(1 / (2 b)) - 1) - K
static mjtNum excess(mjtNum b, mjtNum K) {
  mjtNum sine, cosine;
  hyperbolic(&sine, &cosine, 1 / (2 * b));
  return 1 / ct_sqrt(2 * b * sine - 1) - K;
}

static mjtNum excess_slope(mjtNum b) {
  mjtNum a = 1 / (2 * b), sine, cosine;
  hyperbolic(&sine, &cosine, a);
  return (a * cosine - sine) * (mjtNum)pow((double)(2 * b * sine - 1), -1.5);
}

// Newton's method; a step that does not bring g closer to zero is halved.
static mjtNum solve_shape(mjtNum K) {
  mjtNum b = K / ct_sqrt(24), g = excess(b, K);
  for (int round = 0; round < 50 && !(ct_abs(g) < (mjtNum)1e-9); round++) {
    mjtNum step = -g / excess_slope(b), b_new = b, g_new = g;
    for (int halving = 0; halving <= 10; halving++) {
      b_new = b + step;
      g_new = excess(b_new, K);
      if (ct_abs(g_new) < ct_abs(g)) break;
      step /= 2;
    }
    b = b_new;
    g = g_new;
  }
  return b;
}

static void place(mjtNum point[3], const mjtNum end0[3], const mjtNum across[3], mjtNum x,
                  const mjtNum up[3], mjtNum y) {
  for (int i = 0; i < 3; i++) point[i] = end0[i] + across[i] * x + up[i] * y;
}

int ct_hang_string(mjtNum (*point)[3], int n, const mjtNum end0[3], const mjtNum end1[3],
                   const mjtNum gravity[3], mjtNum length) {
  ct_copy3(point[0], end0);
  if (ct_dist3(end0, end1) > length) {
    ct_copy3(point[1], end1);
    return 2;
  }

  // axes of the plane it hangs in
  mjtNum up[3], across[3], x[3];
  ct_scl3(up, gravity, -1);
  ct_normalize3(up);
  ct_sub3(x, end1, end0);
  ct_scl3(across, up, ct_dot3(up, x));
  ct_sub3(across, x, across);
  if (ct_normalize3(across) < (mjtNum)mjMINVAL) ct_zero3(across);
  mjtNum h = ct_dot3(x, across), v = ct_dot3(x, up);

  // nearly vertical: down and up again
  if (length > 100 * h) {
    mjtNum down = -(ct_sqrt(length * length - h * h) - v) / 2;
    place(point[1], end0, across, h * down / (2 * down - v), up, down);
    ct_copy3(point[2], end1);
    return 3;
  }

  mjtNum beta = solve_shape(1 / ct_sqrt(ct_sqrt(length * length - v * v) / h - 1)) * h;
  mjtNum o = -((mjtNum)log((double)((length + v) / (length - v))) * beta - h) / 2;
  mjtNum w = -beta * cosh_of(o / beta);
  for (int i = 1; i < n - 1; i++) {
    mjtNum along = (mjtNum)i * h / (mjtNum)n;  // the last piece spans two, as in the reference
    place(point[i], end0, across, along, up, beta * cosh_of((along - o) / beta) + w);
  }
  ct_copy3(point[n - 1], end1);
  return n;
}
