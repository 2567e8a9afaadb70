// Forward constraint dynamics: where solvers start, and on what.
//
//   in    qacc_smooth, qfrc_smooth, M and its factor, efc_*, islands, qacc_warmstart
//   out   qacc, qfrc_constraint, efc_force, efc_state, efc_b, island copies of these; solver,
//         solver_niter, solver_nnz
//
// The primal solvers start from the warm start or from the smooth acceleration, whichever costs
// less; the dual one from the forces of the warm start or from none. One choice for the whole
// model. Where islands are known, primal solvers work on one after the other; dofs outside of all
// islands have no constraints.
//
// Oddity kept from the reference: after a solve by islands efc_state still has the states at the
// smooth acceleration; those of the solution are in iefc_state.

#include "engine/solver/solver.h"

#include "base/memory/scratch.h"
#include "base/model/options.h"
#include "engine/smooth/mass_matrix.h"
#include "engine/solver/row_newton.h"
#include "math/lane_vec.h"

LANE_INLINE bool is_primal(const mjModel* m) {
  return ct_solver(m) == mjSOL_CG || ct_solver(m) == mjSOL_NEWTON;
}

LANE_INLINE bool solves_islands(const mjModel* m, const mjData* d) {
  return d->nisland > 0 && !(m->opt.disableflags & mjDSBL_ISLAND) && ct_noslip_iterations(m) <= 0 &&
         is_primal(m);
}

// Does the only island have everything, so that the model's arrays are solved on?
LANE_INLINE bool is_alone(const mjModel* m, const mjData* d) {
#ifdef CT_ONLY_ISLANDS
  (void)m, (void)d;
  return false;
#else
  return ct_is_everything(m, d);
#endif
}

// Are islands solved one after the other, each on arrays of its own?
LANE_INLINE bool gathers_islands(const mjModel* m, const mjData* d) {
  return solves_islands(m, d) && !is_alone(m, d);
}

LANE_FN static void accept_smooth(Lane g, const mjModel* m, mjData* d) {
  LANE_FOR(k, g, m->nv) {
    d->qfrc_constraint[k] = 0;
    d->qacc[k] = d->qacc_smooth[k];
  }
  LANE_FOR(i, g, mjNISLAND) {
    d->solver_niter[i] = 0;
  }
  lane_sync(g);
}

// res = J acc - aref
LANE_FN static void residuals(Lane g, const mjModel* m, const mjData* d, mjtNum* res,
                              const mjtNum* acc) {
  ct_mul_jac_vec(g, m, d, res, acc);
  lane_sync(g);
  LANE_FOR(i, g, d->nefc) {
    res[i] -= d->efc_aref[i];
  }
  lane_sync(g);
}

typedef struct {    // where a solver starts
  mjtNum* r;        // (nefc) J qacc - aref
  mjtNum* Ma;       // (nv) M qacc, for primal solvers
  mjtNum* dense_M;  // see ct_start_dense_M
} Start;

// (M qacc - qfrc_smooth)' (qacc - qacc_smooth)
LANE_FN static mjtNum twice_gauss(Lane g, const mjModel* m, const mjData* d, const mjtNum* Ma) {
#ifndef __CUDACC__
  if (lane_count(g) == 1) {
    return ct_slot_sum_of_differences(Ma, d->qfrc_smooth, d->qacc, d->qacc_smooth, (int)m->nv);
  }
#endif
  mjtNum sum;
  LANE_SUM(sum, k, g, m->nv, (Ma[k] - d->qfrc_smooth[k]) * (d->qacc[k] - d->qacc_smooth[k]));
  return sum;
}

// Is the warm start in qacc no worse than the smooth acceleration? cost: of its rows.
LANE_FN static bool warm_is_better(Lane g, const mjModel* m, mjData* d, mjtNum cost,
                                   const Start* s) {
  const mjtNum* Ma = s->Ma;
  ct_start_mul_M(g, m, d, s->dense_M, s->Ma, d->qacc);
  lane_sync(g);
  mjtNum gauss = twice_gauss(g, m, d, Ma);
  mjtNum smooth = ct_update_rows(g, ct_all_rows(d), d->contact, d->efc_b, false);
  return !(gauss / 2 + cost > smooth);
}

// Drops the forces of the warm start if they are worse than none: f'b + f' AR f / 2 > 0. residual:
// b + AR f, of what is kept.
LANE_FN static void judge_warm_forces(Lane g, const mjModel* m, mjData* d, mjtNum* residual) {
  int n = d->nefc;
  mjtNum* ARf = residual;
  ct_AR_times_force(g, m, d, ARf);
  lane_sync(g);
  mjtNum energy = lane_dot(g, d->efc_force, d->efc_b, n) + lane_dot(g, d->efc_force, ARf, n) / 2;
  lane_sync(g);
  bool worse = energy > 0;
  LANE_FOR(i, g, n) {
    residual[i] = worse ? d->efc_b[i] : d->efc_b[i] + ARf[i];
    if (worse) d->efc_force[i] = 0;
  }
  lane_sync(g);
}

// qacc, and residuals and M qacc there. What M qacc_smooth differs from qfrc_smooth by is a
// rounding error, but it decides whether a first iteration counts.
LANE_FN static void choose_start(Lane g, const mjModel* m, mjData* d, const Start* s) {
  mjtNum* r = s->r;
  bool warm = !(m->opt.disableflags & mjDSBL_WARMSTART);
  if (warm) {
    LANE_FOR(k, g, m->nv) {
      d->qacc[k] = d->qacc_warmstart[k];
    }
    lane_sync(g);
    residuals(g, m, d, r, d->qacc);
    mjtNum cost = ct_update_rows(g, ct_all_rows(d), d->contact, r, false);
    if (is_primal(m)) {
      warm = warm_is_better(g, m, d, cost, s);
    } else {
      judge_warm_forces(g, m, d, r);
    }
  } else {
    LANE_FOR(i, g, d->nefc) {
      d->efc_force[i] = 0;
    }
  }
  bool some_lone = d->nisland > 0 && !ct_private(d)->one_island && d->nidof < m->nv;
  LANE_FOR(k, g, !warm || some_lone ? m->nv : 0) {
    if (!warm || d->dof_island[k] < 0) d->qacc[k] = d->qacc_smooth[k];
  }
  lane_sync(g);
  if (!warm) {
    LANE_FOR(i, g, d->nefc) {
      r[i] = d->efc_b[i];
    }
  }
  bool known = warm && (d->nisland == 0 || solves_islands(m, d));  // lone dofs are in no island
  if (is_primal(m) && !known) ct_start_mul_M(g, m, d, s->dense_M, s->Ma, d->qacc);
  lane_sync(g);
}

// Islands

LANE_FN static void gather_islands(Lane g, mjData* d, mjtNum* ir, const mjtNum* r, mjtNum* iMa,
                                   const mjtNum* Ma, mjtNum* ir_smooth) {
  LANE_FOR(i, g, d->nidof) {
    int k = d->map_idof2dof[i];
    iMa[i] = Ma[k];
    d->ifrc_smooth[i] = d->qfrc_smooth[k];
    d->ifrc_constraint[i] = d->qfrc_constraint[k];
    d->iacc_smooth[i] = d->qacc_smooth[k];
    d->iacc[i] = d->qacc[k];
  }
  LANE_FOR(i, g, d->nefc) {
    int row = d->map_iefc2efc[i];
    d->iefc_force[i] = d->efc_force[row];
    d->iefc_aref[i] = d->efc_aref[row];
    ir[i] = r[row];
    ir_smooth[i] = d->efc_b[row];
  }
  lane_sync(g);
}

LANE_FN static void scatter_islands(Lane g, mjData* d) {
  LANE_FOR(i, g, d->nidof) {
    d->qacc[d->map_idof2dof[i]] = d->iacc[i];
    d->qfrc_constraint[d->map_idof2dof[i]] = d->ifrc_constraint[i];
  }
  LANE_FOR(i, g, d->nefc) {
    d->efc_force[d->map_iefc2efc[i]] = d->iefc_force[i];
  }
  lane_sync(g);
}

// The only island there is has the order of the model, and the solver works on the model's arrays.
// efc_state stays that at the smooth acceleration, as after any solve by islands; states at the
// solution are not kept where nothing is kept of islands.
LANE_FN static bool make_only_island(Lane g, mjData* d, ct_Problem* p) {
  mjtNum trace = 0;
  p->rows.state = ct_islands_have_room(d) ? d->iefc_state : lane_scratch_int(g, d, d->nefc);
  if (!p->rows.state) return false;
  if (lane_count(g) == 1) {
    for (int i = 0; i < p->n; i++) trace += p->M[p->M_rowadr[i] + p->M_rownnz[i] - 1];
  } else {  // loads do not wait for each other
    mjtNum* diagonal = lane_scratch_num(g, d, p->n);
    if (!diagonal) return false;
    LANE_FOR(i, g, p->n) {
      diagonal[i] = p->M[p->M_rowadr[i] + p->M_rownnz[i] - 1];
    }
    lane_sync(g);
    for (int i = 0; i < p->n; i++) trace += diagonal[i];
  }
  p->scale = 1 / trace;
  p->island = 0;
  p->alone = true;
  return true;
}

// What is kept of the only island, after its solve.
LANE_FN static void keep_only_island(Lane g, const mjModel* m, mjData* d) {
  ct_copy_numbers(g, d->ifrc_smooth, d->qfrc_smooth, (int)m->nv);
  ct_copy_numbers(g, d->ifrc_constraint, d->qfrc_constraint, (int)m->nv);
  ct_copy_numbers(g, d->iacc_smooth, d->qacc_smooth, (int)m->nv);
  ct_copy_numbers(g, d->iacc, d->qacc, (int)m->nv);
  ct_copy_numbers(g, d->iefc_force, d->efc_force, d->nefc);
  ct_copy_numbers(g, d->iefc_aref, d->efc_aref, d->nefc);
  lane_sync(g);
}

// All rows together, the only island, or one island after the other.
LANE_FN static int solve_primal(Lane g, const mjModel* m, mjData* d, const Start* s) {
  bool gathered = gathers_islands(m, d), alone = !gathered && solves_islands(m, d);
  mjtNum *ir = s->r, *iMa = s->Ma, *ir_smooth = d->efc_b;
  if (gathered) {
    ir = lane_scratch_num(g, d, 2 * d->nefc);
    iMa = lane_scratch_num(g, d, d->nidof);
    if (!ir || !iMa) return CT_STACK_FULL;
    ir_smooth = ir + d->nefc;
    gather_islands(g, d, ir, s->r, iMa, s->Ma, ir_smooth);
  }
  int status = CT_OK, count = gathered ? d->nisland : 1;
  LANE_ROLLED for (int island = 0; island < count; island++) {
    if (!lane_mark(g, d)) return CT_STACK_FULL;
    ct_Problem p = gathered ? ct_island_problem(m, d, island) : ct_whole_problem(m, d);
    if (alone && !make_only_island(g, d, &p)) return CT_STACK_FULL;
    if (!gathered) p.dense_M = s->dense_M;
    int row = gathered ? d->island_iefcadr[island] : 0,
        dof = gathered ? d->island_idofadr[island] : 0;
    status |= ct_solve_primal(g, m, d, &p, ir + row, iMa + dof, ir_smooth + row);
    lane_free(g, d);
    if (status & CT_NO_SCRATCH) return status;
  }
  if (gathered) scatter_islands(g, d);
  if (alone && !ct_private(d)->one_island) keep_only_island(g, m, d);
  return status;
}

LANE_FN static int solve_constraints(Lane g, const mjModel* m, mjData* d) {
  int rows = ct_pad4(d->nefc);
  mjtNum* x = lane_scratch_num(g, d, rows + (int)m->nv);
  if (!x) return CT_STACK_FULL;
  Start start = {x, x + rows, NULL};
  LANE_FOR(i, g, rows - d->nefc) {
    x[d->nefc + i] = 0;
  }
  bool dense = is_primal(m) && !gathers_islands(m, d) && !ct_has_few_rows(m, (int)m->nv, d->nefc);
  if (dense) start.dense_M = ct_start_dense_M(g, m, d);
  residuals(g, m, d, d->efc_b, d->qacc_smooth);
  choose_start(g, m, d, &start);
  LANE_FOR(k, g, m->nv) {
    d->qfrc_constraint[k] = 0;
  }
  LANE_FOR(i, g, mjNISLAND) {
    d->solver_niter[i] = 0;
  }
  lane_sync(g);
  int status = is_primal(m) ? solve_primal(g, m, d, &start) : ct_solve_dual(g, m, d, start.r);
  bool solved = !(status & CT_NO_SCRATCH);
  if (solved && ct_noslip_iterations(m) > 0) status |= ct_stop_slip(g, m, d);
  return status;
}

// What dual solvers work on; made here if the options did not ask for one when positions were new.
LANE_FN static int provide_projection(Lane g, const mjModel* m, mjData* d) {
  if (ct_solver(m) != mjSOL_PGS && !is_primal(m)) {
    return ct_blame_model(g, d, CT_CAUSE_SOLVER, ct_solver(m));
  }
  if (d->efc_AR || (is_primal(m) && ct_noslip_iterations(m) <= 0)) return CT_OK;
  return ct_project_constraint(g, m, d);
}

// Bits with which there is no solution.
enum { UNSOLVED = CT_ARENA_FULL | CT_BAD_MODEL };

LANE_FN int ct_forward_constraint(Lane g, const mjModel* m, mjData* d) {
  if (d->nefc == 0) {
    accept_smooth(g, m, d);
    return CT_OK;
  }
  int status = provide_projection(g, m, d);
  if (!(status & UNSOLVED)) {
    if (lane_mark(g, d)) {
      status |= solve_constraints(g, m, d);
      lane_free(g, d);
    } else {
      status |= CT_STACK_FULL;
    }
  }
  if (status & UNSOLVED) accept_smooth(g, m, d);
  return status;
}
