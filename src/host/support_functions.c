// Public functions that compute with what stages have made: products with the mass matrix and with
// the Jacobian of constraints, frames, positions as such, forces of contacts and tendons.

#include "host/support_functions.h"

#include <string.h>

#include <corten/tendon.h>

#include "base/memory/arena_arrays.h"
#include "engine/constraint/constraint.h"
#include "engine/constraint/contact_force.h"
#include "engine/smooth/factor.h"
#include "engine/smooth/kinematics.h"
#include "engine/smooth/mass_matrix.h"
#include "engine/smooth/passive.h"
#include "engine/smooth/position.h"
#include "math/sparse.h"
#include "math/spatial.h"

// Positions

// An output is left alone if it is NULL or if what it is computed from is.
void mj_local2Global(mjData* d, mjtNum xpos[3], mjtNum xmat[9], const mjtNum pos[3],
                     const mjtNum quat[4], int body, mjtByte sameframe) {
  if (xpos && pos) ct_attached_position(d, xpos, pos, body, sameframe);
  if (xmat && quat) ct_attached_orientation(d, xmat, quat, body, sameframe);
}

void mj_integratePos(const mjModel* m, mjtNum* qpos, const mjtNum* qvel, mjtNum dt) {
  ct_integrate_position(lane_one(), m, qpos, qvel, dt);
}

void mj_integratePosInd(const mjModel* m, mjtNum* pos, const mjtNum* velocity, mjtNum time,
                        const int* bodies, int count) {
  ct_integrate_position_of(lane_one(), m, pos, velocity, time, bodies, count);
}

void mj_differentiatePos(const mjModel* m, mjtNum* qvel, mjtNum dt, const mjtNum* qpos1,
                         const mjtNum* qpos2) {
  ct_differentiate_position(lane_one(), m, qvel, dt, qpos1, qpos2);
}

void mj_normalizeQuat(const mjModel* m, mjtNum* qpos) {
  ct_normalize_position(lane_one(), m, qpos);
}

mjtNum mj_getTotalmass(const mjModel* m) {
  mjtNum total = 0;
  for (int b = 1; b < m->nbody; b++) {
    total += m->body_mass[b];
  }
  return total;
}

void mj_setTotalmass(mjModel* m, mjtNum newmass) {
  mjtNum scale = ct_max(mjMINVAL, newmass / ct_max(mjMINVAL, mj_getTotalmass(m)));
  for (int b = 1; b < m->nbody; b++) {
    m->body_mass[b] *= scale;
    ct_scl3(m->body_inertia + 3 * b, m->body_inertia + 3 * b, scale);
  }
}

// The mass matrix

void mj_mulM(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  ct_mul_M(lane_one(), m, d, res, vec);
}

void mj_mulM2(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  ct_mul_root_M(lane_one(), m, d, res, vec);
}

// M has the legacy layout: each row from its diagonal through the ancestors of the dof.
void mj_fullM(const mjModel* m, mjtNum* dst, const mjtNum* M) {
  mjtSize nv = m->nv;
  ct_zero(dst, (int)(nv * nv));
  for (int i = 0; i < nv; i++) {
    const mjtNum* value = M + m->dof_Madr[i];
    for (int j = i; j >= 0; j = m->dof_parentid[j]) {
      dst[i * nv + j] = dst[j * nv + i] = *value++;
    }
  }
}

// A dense destination receives the lower triangle only. Rows of a sparse one grow to hold M's.
void mj_addM(const mjModel* m, mjData* d, mjtNum* dst, int* rownnz, int* rowadr, int* colind) {
  if (!rownnz || !rowadr || !colind) {
    ct_add_sym_sparse(dst, d->M, (int)m->nv, m->M_rownnz, m->M_rowadr, m->M_colind, 0);
    return;
  }
  for (int i = 0; i < m->nv; i++) {
    int start = m->M_rowadr[i];
    rownnz[i] = ct_add_sparse_row(dst + rowadr[i], colind + rowadr[i], rownnz[i], d->M + start,
                                  m->M_colind + start, m->M_rownnz[i], 1);
  }
}

// x and y hold n vectors one after the other and may be the same array.
static void copy_vectors(const mjModel* m, mjtNum* x, const mjtNum* y, int n) {
  if (x != y && n > 0) memmove(x, y, (size_t)n * (size_t)m->nv * sizeof(mjtNum));
}

void mj_solveM(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, int n) {
  copy_vectors(m, x, y, n);
  for (int i = 0; i < n; i++) {
    ct_solve(lane_one(), m, d, d->qLD, d->qLDiagInv, x + i * m->nv);
  }
}

void mj_solveM2(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, const mjtNum* sqrtInvD,
                int n) {
  copy_vectors(m, x, y, n);
  for (int i = 0; i < n; i++) {
    mjtNum* one = x + i * m->nv;
    ct_solve_half(lane_one(), m, d, d->qLD, one);
    for (int k = 0; k < m->nv; k++) {
      one[k] *= sqrtInvD[k];
    }
  }
}

// Constraints

void mj_mulJacVec(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  ct_mul_jac_vec(lane_one(), m, d, res, vec);
}

void mj_mulJacTVec(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec) {
  ct_mul_jac_t_vec(lane_one(), m, d, res, vec);
}

int mj_addContact(const mjModel* m, mjData* d, const mjContact* con) {
  (void)m;
  mjContact added = *con;  // it may be one of those that are in the arena already
  ct_forget_rows(lane_one(), d);
  mjContact* place = (mjContact*)ct_arena_alloc(d, sizeof(mjContact), _Alignof(mjContact));
  if (!place) {
    mj_warning(d, mjWARN_CONTACTFULL, d->ncon);
    return 1;
  }
  *place = added;
  d->ncon++;
  return 0;
}

void mj_contactForce(const mjModel* m, const mjData* d, int id, mjtNum result[6]) {
  if (id >= 0 && id < d->ncon) {
    ct_contact_force(m, d, id, result);
  } else {
    ct_zero6(result);
  }
}

// Tendons

static void add_passive_forces(const mjModel* m, const mjData* d, mjtNum* force) {
  bool spring = !(m->opt.disableflags & mjDSBL_SPRING);
  bool damper = !(m->opt.disableflags & mjDSBL_DAMPER);
  for (int t = 0; t < m->ntendon; t++) {
    force[t] = (spring ? ct_tendon_spring(m, d, t) : 0) -
               (damper ? m->tendon_damping[t] * d->ten_velocity[t] : 0);
  }
}

static void add_actuator_forces(const mjModel* m, const mjData* d, mjtNum* force) {
  for (int i = 0; i < m->nu; i++) {
    if (m->actuator_trntype[i] != mjTRN_TENDON) continue;
    force[m->actuator_trnid[2 * i]] += m->actuator_gear[6 * i] * d->actuator_force[i];
  }
}

// A row of an equality pulls its first tendon and, by the slope of the polynomial, the second.
static void add_equality_force(const mjModel* m, const mjData* d, int row, mjtNum* force) {
  int equality = d->efc_id[row], second = m->eq_obj2id[equality];
  const mjtNum* c = m->eq_data + mjNEQDATA * equality;
  if (m->eq_type[equality] != mjEQ_TENDON) return;
  force[m->eq_obj1id[equality]] += d->efc_force[row];
  if (second < 0) return;
  mjtNum x = d->ten_length[second] - m->tendon_length0[second];
  mjtNum slope = c[1] + x * (2 * c[2] + x * (3 * c[3] + x * 4 * c[4]));
  force[second] -= slope * d->efc_force[row];
}

// The position of a limit's row is the distance to it: which of the two is it?
static mjtNum limit_side(const mjModel* m, const mjData* d, int row, int tendon) {
  mjtNum lower = d->ten_length[tendon] - m->tendon_range[2 * tendon];
  mjtNum upper = m->tendon_range[2 * tendon + 1] - d->ten_length[tendon];
  mjtNum to_lower = d->efc_pos[row] - lower, to_upper = d->efc_pos[row] - upper;
  return to_lower * to_lower <= to_upper * to_upper ? 1 : -1;
}

static void add_constraint_forces(const mjModel* m, const mjData* d, mjtNum* force) {
  for (int row = 0; row < d->nefc; row++) {
    int id = d->efc_id[row];
    switch (d->efc_type[row]) {
      case mjCNSTR_EQUALITY:
        add_equality_force(m, d, row, force);
        break;
      case mjCNSTR_FRICTION_TENDON:
        force[id] += d->efc_force[row];
        break;
      case mjCNSTR_LIMIT_TENDON:
        force[id] += limit_side(m, d, row, id) * d->efc_force[row];
        break;
    }
  }
}

void ct_tendon_force(const mjModel* m, const mjData* d, mjtNum* force) {
  add_passive_forces(m, d, force);
  add_actuator_forces(m, d, force);
  add_constraint_forces(m, d, force);
}
