#include "lanes/probes.h"

#include <math.h>
#include <string.h>

#include <corten/integrator.h>

#include "base/memory/scratch.h"
#include "base/private.h"
#include "derive/step_slopes.h"
#include "engine/constraint/constraint.h"
#include "engine/integrate.h"
#include "engine/inverse.h"
#include "engine/lane_flow.h"
#include "engine/smooth/energy.h"
#include "engine/smooth/factor.h"
#include "engine/smooth/jacobian.h"
#include "engine/smooth/mass_matrix.h"
#include "engine/smooth/position.h"
#include "engine/solver/solver.h"
#include "engine/step.h"
#include "math/strict.h"

// Every result is written by all lanes, 32 times in all, so that a lane with another result shows.
LANE_FN void probe_reductions(Lane g, Probe* p) {
  mjtNum sum, largest, smallest;
  int positive;
  LANE_SUM(sum, i, g, p->n, p->x[i]);
  LANE_MAX(largest, i, g, p->n, -1, p->x[i]);
  LANE_MIN(smallest, i, g, p->n, 1, p->x[i]);
  LANE_COUNT(positive, i, g, p->n, p->x[i] > 0 ? 1 : 0);
  LANE_FOR(k, g, LANE_MOST) {
    p->num[k] = sum;
    p->num[LANE_MOST + k] = largest;
    p->num[2 * LANE_MOST + k] = smallest;
    p->whole[k] = positive;
  }
  lane_sync(g);
}

// Three sums at once; the first has the bits of LANE_SUM.
LANE_FN void probe_sums(Lane g, Probe* p) {
  mjtNum sum;
  LaneSums sums = lane_no_sums(g);
  LANE_SUM(sum, i, g, p->n, p->x[i]);
  LANE_SUMS_FOR(i, g, p->n) {
    mjtNum x = i < p->n ? p->x[i] : 0;
    lane_sums_add(&sums, x, x * x, i < p->n ? 1 / (x * x + 1) : 0);
  }
  lane_sums_fold(g, &sums);
  LANE_FOR(k, g, LANE_MOST) {
    for (int z = 0; z < 3; z++) p->num[z * LANE_MOST + k] = sums.of[z];
    p->whole[k] = sum == sums.of[0];
  }
  lane_sync(g);
}

// whole = how many numbers before are positive; counted by answers of lanes and by sums before.
LANE_FN void probe_votes(Lane g, Probe* p) {
  int before = 0, votes = 0;
  for (int base = 0; base < p->n; base += lane_count(g)) {
    int i = base + lane_rank(g), all;
    bool positive = i < p->n && p->x[i] > 0;
    int lower = lane_sum_before(g, positive, &all);
    if (i < p->n) p->whole[i] = before + lower;
    before += all;
    for (unsigned left = lane_ballot(g, positive); left; left &= left - 1) {
      if (p->x[base + lane_lowest_bit(left)] > 0) votes++;
    }
  }
  int sum = lane_sum_int(g, lane_rank(g) == 0 ? votes : 0);
  LANE_FOR(k, g, LANE_MOST) {
    p->whole[p->n + k] = before == votes && sum == votes ? sum : -1;
  }
  lane_sync(g);
}

// num = x backwards: lanes keep the elements they own and hand them out.
LANE_FN void probe_turns(Lane g, Probe* p) {
  enum { MOST = 64 };
  int n = p->n < MOST ? p->n : MOST;
  mjtNum own[LANE_TURNS(MOST)];
  LANE_TURN(c, g, n, MOST) {
    own[c] = lane_element(g, c) < n ? p->x[lane_element(g, c)] : 0;
  }
  LANE_TURN_DOWN(c, g, n, MOST) {
    for (int r = 0; r < lane_count(g) && c * lane_count(g) + r < n; r++) {
      mjtNum x = lane_exchange_num(g, own[c], r);
      int to = n - 1 - (c * lane_count(g) + r);
      if (LANE_OWNS(g, to)) p->num[to] = x;
    }
  }
  lane_sync(g);
}

LANE_FN void probe_scan(Lane g, Probe* p) {
  int sum = lane_scan(g, p->whole, p->counts, p->n);
  LANE_FOR(k, g, LANE_MOST) {
    p->whole[p->n + k] = sum;
  }
  lane_sync(g);
}

// num = (3 x - x x) / (x + 4) - 2
LANE_FN void probe_wide(Lane g, Probe* p) {
  Wide three = wide_all(3), four = wide_all(4), two = wide_all(2);
  LANE_WIDE(i, g, p->n) {
    Wide x = wide_load(p->x + i);
    Wide top = wide_sub(wide_mul(three, x), wide_mul(x, x));
    wide_store(p->num + i, wide_sub(wide_div(top, wide_add(x, four)), two));
  }
  LANE_WIDE_REST(i, g, p->n) {
    mjtNum x = p->x[i];
    p->num[i] = (3 * x - x * x) / (x + 4) - 2;
  }
  lane_sync(g);
}

LANE_FN void probe_broadcast(Lane g, Probe* p) {
  int count = lane_broadcast_int(g, p->counts[lane_rank(g) % p->n]);
  LANE_FOR(k, g, LANE_MOST) {
    p->whole[k] = count;
  }
  lane_sync(g);
}

// Adds up in place, from the first to the last, and returns the sum. For one lane.
LANE_FN static int add_up(int* whole, int n) {
  for (int i = 1; i < n; i++) whole[i] += whole[i - 1];
  return whole[n - 1];
}

// One lane reads what all have written, then all read what it has written, twice over.
LANE_FN void probe_alone(Lane g, Probe* p) {
  int sum;
  LANE_FOR(i, g, p->n) {
    p->whole[i] = p->counts[i];
  }
  LANE_ALONE(g) {
    add_up(p->whole, p->n);
  }
  LANE_FOR(i, g, p->n) {
    p->num[i] = (mjtNum)p->whole[p->n - 1 - i];
  }
  lane_sync(g);
  LANE_ANSWER(sum, g, add_up(p->whole, p->n));
  LANE_FOR(k, g, LANE_MOST) {
    p->num[p->n + k] = (mjtNum)sum;
    p->whole[p->n + k] = p->whole[k % p->n];
  }
  lane_sync(g);
}

// Mixes the bits of x into a hash; NaN counts as one value, whatever bits it has.
LANE_FN static unsigned mix(unsigned hash, double x) {
  unsigned word[2] = {0, 0};
  if (x == x) memcpy(word, &x, sizeof(x));
  return ((hash ^ word[0]) * 16777619u ^ word[1]) * 16777619u;
}

// whole = a hash of all elementary functions at arguments of many sizes made from x. They claim the
// same bits everywhere.
LANE_FN void probe_elementary(Lane g, Probe* p) {
  LANE_FOR(i, g, p->n) {
    unsigned hash = 2166136261u;
    for (int k = -4; k < 4; k++) {
      double scale = k < 0 ? 1.0 / (1 << (-7 * k)) : 1 << (7 * k);
      double x = (double)p->x[i] * scale * 0.3, unit = x - floor(x);
      hash = mix(mix(mix(hash, ct_sin64(x)), ct_cos64(x)), ct_tan64(x));
      hash = mix(mix(mix(hash, ct_asin64(unit)), ct_acos64(unit)), ct_atan264(x, 1));
      hash = mix(mix(hash, ct_atan264(x, unit)), ct_exp64(x));
      hash = mix(mix(hash, ct_log64(x * x)), ct_pow64(x * x, unit));
    }
    p->whole[i] = (int)(hash >> 1);
  }
  lane_sync(g);
}

// Two loops, the second of which reads what other lanes wrote in the first.
LANE_FN void probe_sync(Lane g, Probe* p) {
  LANE_FOR(i, g, p->n) {
    p->whole[i] = p->counts[i];
  }
  lane_sync(g);
  LANE_FOR(i, g, p->n) {
    p->num[i] = (mjtNum)p->whole[p->n - 1 - i];
  }
  lane_sync(g);
}

// The same without the lane_sync: what ThreadSanitizer is there to find.
LANE_FN void probe_wrong_sync(Lane g, Probe* p) {
  LANE_FOR(i, g, p->n) {
    p->whole[i] = p->counts[i];
  }
  LANE_FOR(i, g, p->n) {
    p->num[i] = (mjtNum)p->whole[p->n - 1 - i];
  }
  lane_sync(g);
}

// Each lane adds up its own elements, so the order depends on the number of lanes: what the bit
// test is there to find.
LANE_FN void probe_wrong_sum(Lane g, Probe* p) {
  mjtNum sum = 0;
  for (int i = lane_rank(g); i < p->n; i += lane_count(g)) {
    sum += p->x[i];
  }
  for (int half = lane_count(g) / 2; half > 0; half /= 2) {
    sum += lane_exchange_num(g, sum, lane_rank(g) ^ half);
  }
  LANE_ONCE(g) {
    p->num[0] = sum;
  }
  lane_sync(g);
}

LANE_FN int adapt_solve(Lane g, const mjModel* m, mjData* d) {
  LANE_FOR(k, g, m->nv) {
    d->qacc_smooth[k] = d->qfrc_smooth[k];
  }
  lane_sync(g);
  ct_solve(g, m, d, d->qLD, d->qLDiagInv, d->qacc_smooth);
  return CT_OK;
}

// M times a vector, and its root times it.
LANE_FN int adapt_product(Lane g, const mjModel* m, mjData* d) {
  LANE_FOR(k, g, m->nv) {
    d->qvel[k] = (mjtNum)(k % 7 - 3) / 3;
  }
  lane_sync(g);
  ct_mul_M(g, m, d, d->qfrc_smooth, d->qvel);
  int status = ct_factor_M(g, m, d);
  ct_mul_root_M(g, m, d, d->qacc_smooth, d->qvel);
  return status;
}

LANE_FN int adapt_inverse(Lane g, const mjModel* m, mjData* d) {
  int status = ct_mass_matrix(g, m, d);
  status |= ct_inverse_bias(g, m, d);
  return status | ct_inverse_force(g, m, d);
}

LANE_FN int adapt_subtree_mass(Lane g, const mjModel* m, mjData* d) {
  const ct_Schedule* s = &ct_private(d)->schedule;
  LANE_LEVELS_UP(b, g, s->bodies) {
    mjtNum mass = m->body_mass[b];
    for (int c = s->child_adr[b]; c < s->child_adr[b + 1]; c++) {
      mass += d->cvel[6 * s->child[c]];
    }
    d->cvel[6 * b] = mass;
  }
  return CT_OK;
}

LANE_FN int adapt_scratch(Lane g, const mjModel* m, mjData* d) {
  int nv = (int)m->nv;
  if (!lane_mark(g, d)) return CT_STACK_FULL;
  mjtNum* copy = lane_scratch_num(g, d, nv);
  int* back = lane_scratch_int(g, d, nv);
  if (copy && back) {
    LANE_FOR(i, g, nv) {
      copy[i] = d->qvel[i];
      back[i] = nv - 1 - i;
    }
    lane_sync(g);
    LANE_FOR(i, g, nv) {
      d->qacc_smooth[i] = copy[back[i]];
    }
  }
  lane_free(g, d);
  return copy && back ? CT_OK : CT_STACK_FULL;
}

LANE_FN int adapt_jacobian(Lane g, const mjModel* m, mjData* d) {
  int last = (int)m->nbody - 1;
  ct_jac(g, m, d, d->cdof_dot, d->cdof_dot + 3 * m->nv, d->xipos, last);
  return CT_OK;
}

LANE_FN int adapt_jacobian_rate(Lane g, const mjModel* m, mjData* d) {
  ct_jac_dot(g, m, d, d->cinert, NULL, d->xipos, (int)m->nbody - 1);
  return CT_OK;
}

LANE_FN int adapt_momentum(Lane g, const mjModel* m, mjData* d) {
  return ct_subtree_momentum(g, m, d, d->cdof_dot, d->cdof_dot + 3 * m->nv, 1);
}

LANE_FN int adapt_position(Lane g, const mjModel* m, mjData* d) {
  const mjtNum* force = d->subtree_com;
  int status = ct_energy_position(g, m, d) | ct_energy_velocity(g, m, d);
  LANE_ONCE(g) {
    d->qfrc_smooth[0] = d->energy[0];
    d->qfrc_smooth[1] = d->energy[1];
  }
  ct_integrate_position(g, m, d->qpos, d->qvel, (mjtNum)0.3);
  ct_differentiate_position(g, m, d->qacc_smooth, (mjtNum)0.3, m->qpos0, d->qpos);
  ct_apply_force(g, m, d, d->qacc_smooth, force, force, d->xipos, (int)m->nbody - 1);
  return status;
}

// Contacts, rows, islands, AR and reference accelerations. AR is there for the dual solver.
LANE_FN int adapt_rows(Lane g, const mjModel* m, mjData* d) {
  int status = flow_step(g, m, d, CT_ALL_POSITIONS | CT_PART_VELOCITY);
  LANE_FOR(k, g, m->nv) {
    d->qacc[k] = d->qfrc_passive[k];
  }
  lane_sync(g);
  return status | ct_inverse_constraint(g, m, d);
}

LANE_FN int adapt_step(Lane g, const mjModel* m, mjData* d) {
  int status = ct_step_lanes(g, m, d);
  return status | ct_step_lanes(g, m, d);
}

// to_i = sum over rows i, i + nv, ... of x (rows x columns), each number with a weight of its own.
LANE_FN static void fold(Lane g, mjtNum* to, int nv, const mjtNum* x, int rows, int columns) {
  LANE_FOR(i, g, nv) {
    mjtNum sum = 0;
    for (int r = i; r < rows; r += nv) {
      for (int c = 0; c < columns; c++) sum += x[r * columns + c] * (mjtNum)(r + 2 * c + 1);
    }
    to[i] = sum;
  }
  lane_sync(g);
}

LANE_FN int adapt_slopes(Lane g, const mjModel* m, mjData* d) {
  int nv = (int)m->nv, n = 2 * nv + (int)m->na, nu = (int)m->nu, ns = (int)m->nsensordata;
  int status = ct_step_lanes(g, m, d);
  bool chain = m->opt.integrator == mjINT_RK4;  // whose slopes are a host's
  if (nv == 0 || chain || ct_reasons_of_model(m) || !lane_mark(g, d)) return status;
  mjtNum* x = lane_scratch_num(g, d, (n + ns) * (n + nu) + 2 * n + nu);
  if (x) {
    mjtNum *B = x + n * n, *C = B + n * nu, *D = C + ns * n, *by_y = D + ns * nu, *by_x = by_y + n;
    ct_DerivativeProduct product = {NULL, NULL, NULL, by_y, by_x, by_x + n};
    ct_SlopeTarget matrices, one;
    memset(&matrices, 0, sizeof(matrices));
    memset(&one, 0, sizeof(one));
    matrices.A = x;
    matrices.B = B;
    matrices.C = C;
    matrices.D = D;
    one.product = &product;
    LANE_FOR(i, g, n) {
      by_y[i] = (mjtNum)(i % 7 - 3);
    }
    LANE_FOR(i, g, (n + ns) * (n + nu)) {
      x[i] = 0;
    }
    LANE_FOR(i, g, n + nu) {
      by_x[i] = 0;
    }
    lane_sync(g);
    status |= ct_step_slopes(g, m, d, &matrices);
    status |= ct_step_slopes(g, m, d, &one);
    fold(g, d->qacc_smooth, nv, x, n, n);
    fold(g, d->qfrc_smooth, nv, B, n, nu);
    fold(g, d->qfrc_passive, nv, C, ns, n + nu);
    fold(g, d->qfrc_bias, nv, by_x, n + nu, 1);
  }
  lane_free(g, d);
  return status | (x ? CT_OK : CT_STACK_FULL);
}

LANE_FN int adapt_march(Lane g, const mjModel* m, mjData* d) {
  int status = CT_OK;
  for (int i = 0; i < MARCH_STRIDE; i++) status |= ct_step_lanes(g, m, d);
  return status;
}

LANE_FN int adapt_solver(Lane g, const mjModel* m, mjData* d) {
  return ct_forward_constraint(g, m, d);
}

// The solver for more dofs than a word has bits, from the smooth acceleration of a forward pass.
LANE_FN int adapt_large_solver(Lane g, const mjModel* m, mjData* d) {
  int status = flow_forward(g, m, d, CT_FORWARD);
  if (!d->nefc) return status;
  if (!lane_mark(g, d)) return CT_STACK_FULL;
  mjtNum *r = lane_scratch_num(g, d, d->nefc), *Ma = lane_scratch_num(g, d, (int)m->nv);
  ct_Problem p = ct_whole_problem(m, d);
  p.small = p.few_rows = false;
  LANE_FOR(k, g, m->nv) {
    d->qacc[k] = d->qacc_smooth[k];
    Ma[k] = d->qfrc_smooth[k];
  }
  LANE_FOR(i, g, d->nefc) {
    r[i] = d->efc_b[i];
  }
  lane_sync(g);
  status |= ct_solve_primal(g, m, d, &p, r, Ma, d->efc_b);
  lane_free(g, d);
  return status;
}

// From accelerations to the next state, by an integrator that need not be the model's.
LANE_FN static int integrate_by(Lane g, const mjModel* m, mjData* d, int integrator) {
  int status = ct_open_integration_by(g, m, d, integrator, false);
  return FLOW_STOPS(status) ? status : status | flow_opened(g, m, d);
}

LANE_FN int adapt_runge_kutta(Lane g, const mjModel* m, mjData* d) {
  int status = flow_forward(g, m, d, CT_FORWARD);
  return status | integrate_by(g, m, d, mjINT_RK4);
}

LANE_FN int adapt_implicitfast(Lane g, const mjModel* m, mjData* d) {
  int status = flow_forward(g, m, d, CT_FORWARD);
  return status | integrate_by(g, m, d, mjINT_IMPLICITFAST);
}

LANE_FN int adapt_spring_damper(Lane g, const mjModel* m, mjData* d) {
  int status = flow_forward(g, m, d, CT_FORWARD);
  return status | integrate_by(g, m, d, CT_INT_SPRINGDAMPER);
}
