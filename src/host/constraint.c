// Public functions of constraint rows: making them, what follows from them, products with their
// Jacobian, contacts of the user.

#include "host/constraint.h"

#include <corten/status.h>

#include "base/memory/arena_arrays.h"
#include "base/private.h"
#include "host/report.h"

void ct_report_rows(mjData* d, ct_RowResult result, const char* function) {
  switch (result) {
    case CT_ROWS_NO_ROOM:
      ct_warn_or_count(d, mjWARN_CNSTRFULL, (int)d->narena);
      break;
    case CT_ROWS_NO_SCRATCH:
      ct_no_room(d, function);
      break;
    case CT_ROWS_ADRIFT:
      ct_wrong_model(
          d,
          "%s: a constraint row has no dof that could move, as from an explicit pair of static "
          "geoms; leave the pair out, or set mjDSBL_ISLAND in opt.disableflags",
          function);
      break;
    default:
      break;
  }
}

static bool equalities_are_known(const mjModel* m, mjData* d) {
  if (m->opt.disableflags & mjDSBL_EQUALITY) return true;
  for (int i = 0; i < m->neq; i++) {
    if (m->eq_type[i] >= mjEQ_CONNECT && m->eq_type[i] <= mjEQ_FLEXVERT) continue;
    ct_wrong_model(d, "mj_makeConstraint: equality %d has type %d, which does not exist", i,
                   m->eq_type[i]);
    return false;
  }
  return true;
}

void mj_makeConstraint(const mjModel* m, mjData* d) {
  if (!equalities_are_known(m, d)) return;
  unsigned* status = &ct_private(d)->status;
  unsigned before = *status;
  *status &= ~(unsigned)CT_MIXED_SOLREF;
  ct_RowResult result = ct_make_constraint(lane_one(), m, d);
  if ((*status & CT_MIXED_SOLREF) && !ct_private(d)->quiet) {
    mju_warning("mj_makeConstraint: %s", ct_status_message(CT_MIXED_SOLREF));
  }
  *status |= before;
  ct_report_rows(d, result, "mj_makeConstraint");
}

void mj_island(const mjModel* m, mjData* d) {
  ct_report_rows(d, ct_island(lane_one(), m, d), "mj_island");
}

void mj_projectConstraint(const mjModel* m, mjData* d) {
  ct_report_rows(d, ct_project_constraint(lane_one(), m, d), "mj_projectConstraint");
}

void mj_referenceConstraint(const mjModel* m, mjData* d) {
  ct_reference_constraint(lane_one(), m, d);
}

void mj_constraintUpdate(const mjModel* m, mjData* d, const mjtNum* jar, mjtNum cost[1],
                         int flg_coneHessian) {
  mjtNum sum = ct_constraint_update(lane_one(), m, d, jar, flg_coneHessian != 0);
  if (cost) cost[0] = sum;
}

void mj_constraintUpdate_impl(int nequality, int nfriction, int nrow, const mjtNum* stiffness,
                              const mjtNum* compliance, const mjtNum* friction_limit,
                              const mjtNum* residual, const int* row_type, const int* row_id,
                              mjContact* contact, int* row_state, mjtNum* row_force,
                              mjtNum total[1], int with_cone_hessian) {
  ct_RowSet rows = {nequality, nfriction,  nrow,           row_type,  row_id,
                    stiffness, compliance, friction_limit, row_state, row_force};
  mjtNum sum = ct_update_rows(lane_one(), rows, contact, residual, with_cone_hessian != 0);
  if (total) total[0] = sum;
}

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
