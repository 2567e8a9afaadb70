// Constraint rows, islands, AR and forces of rows: laws that need no reference, and slow twins.
// tests/conformance/conform_rows.c compares every array with the reference.

#include "engine/constraint/constraint.h"

#include <corten/status.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/private.h"
#include "support/fail.h"
#include "support/models.h"
#include "support/states.h"
#include "support/text_models.h"

static mjModel* m;
static mjData* d;

static void open_model(const char* name, int jacobian, int cone) {
  m = recorded_model(name);
  m->opt.jacobian = jacobian;
  m->opt.cone = cone;
  d = mj_makeData(m);
}

static void close_model(void) {
  mj_deleteData(d);
  mj_deleteModel(m);
}

// A position that has rows of many kinds: away from the reference, joints beyond limits.
static void disturb(int seed) {
  mju_zero(d->qvel, (int)m->nv);
  for (int i = 0; i < m->nv; i++) d->qvel[i] = mju_sin((mjtNum)(seed + 3 * i));
  mj_integratePos(m, d->qpos, d->qvel, 1);
}

static const char* const with_rows[] = {"equalities", "linkage",     "humanoid", "limits",
                                        "tendons",    "hand_sparse", "contacts", "convoy"};
enum { NMODEL = sizeof(with_rows) / sizeof(with_rows[0]) };

// Row i of J, full.
static void full_row(int i, mjtNum* row) {
  mju_zero(row, (int)m->nv);
  if (!mj_isSparse(m)) {
    mju_copy(row, d->efc_J + (size_t)i * (size_t)m->nv, (int)m->nv);
    return;
  }
  for (int k = d->efc_J_rowadr[i]; k < d->efc_J_rowadr[i] + d->efc_J_rownnz[i]; k++) {
    row[d->efc_J_colind[k]] = d->efc_J[k];
  }
}

// The rate of every residual that changes with positions alone is J v. Contacts are left out: their
// points move over the bodies.
static void jacobian_is_the_derivative_of_positions(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  int compared = 0;
  for (int k = 0; k < NMODEL; k++) {
    open_model(with_rows[k], mjJAC_DENSE, mjCONE_PYRAMIDAL);
    m->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_FRICTIONLOSS;
    disturb(k);
    mj_fwdPosition(m, d);
    mj_referenceConstraint(m, d);
    mjData *before = mj_copyData(NULL, m, d), *after = mj_copyData(NULL, m, d);
    mjtNum step = (mjtNum)1e-6;
    mj_integratePos(m, before->qpos, d->qvel, -step);
    mj_integratePos(m, after->qpos, d->qvel, step);
    mj_fwdPosition(m, before);
    mj_fwdPosition(m, after);
    for (int i = 0; i < d->nefc && before->nefc == d->nefc && after->nefc == d->nefc; i++) {
      mjtNum rate = (after->efc_pos[i] - before->efc_pos[i]) / (2 * step);
      expect_close(with_rows[k], &rate, d->efc_vel + i, 1, 1e-6);
      compared++;
    }
    mj_deleteData(before);
    mj_deleteData(after);
    close_model();
  }
  assert_true(compared > 20);
}

// Storage changes no number.
static void dense_and_sparse_rows_are_the_same(void** state) {
  (void)state;
  int compared = 0;
  for (int k = 0; k < NMODEL; k++) {
    for (int cone = 0; cone < 2; cone++) {
      open_model(with_rows[k], mjJAC_DENSE, cone);
      disturb(k);
      mj_fwdPosition(m, d);
      mjData* dense = d;
      mjModel* dense_model = m;
      open_model(with_rows[k], mjJAC_SPARSE, cone);
      disturb(k);
      mj_fwdPosition(m, d);
      mjtNum* row = (mjtNum*)malloc((size_t)m->nv * sizeof(mjtNum));
      for (int i = 0; i < d->nefc && d->nefc == dense->nefc; i++) {
        full_row(i, row);
        expect_close("J", row, dense->efc_J + (size_t)i * (size_t)m->nv, (int)m->nv,
                     PRECISION(1e-14, 1e-5));
        expect_close("R", d->efc_R + i, dense->efc_R + i, 1, PRECISION(1e-14, 1e-5));
        compared++;
      }
      free(row);
      close_model();
      m = dense_model;
      d = dense;
      close_model();
    }
  }
  assert_true(compared > 40);
}

// AR = J M^-1 J' + R, one column at a time.
static void expect_projection(const char* name, int jacobian) {
  mjtNum* row = (mjtNum*)malloc((size_t)m->nv * sizeof(mjtNum));
  mjtNum* want = (mjtNum*)malloc(((size_t)d->nefc + 1) * sizeof(mjtNum));
  mjtNum* got = (mjtNum*)malloc(((size_t)d->nefc + 1) * sizeof(mjtNum));
  for (int i = 0; i < d->nefc; i++) {
    full_row(i, row);
    mj_solveM(m, d, row, row, 1);
    mj_mulJacVec(m, d, want, row);
    want[i] += d->efc_R[i];
    mju_zero(got, d->nefc);
    int start = jacobian ? d->efc_AR_rowadr[i] : i * d->nefc;
    int count = jacobian ? d->efc_AR_rownnz[i] : d->nefc;
    for (int c = 0; c < count; c++) {
      got[jacobian ? d->efc_AR_colind[start + c] : c] = d->efc_AR[start + c];
    }
    expect_close(name, got, want, d->nefc, PRECISION(1e-9, 1e-2));
  }
  free(got);
  free(want);
  free(row);
}

static void projection_is_what_solving_for_each_row_gives(void** state) {
  (void)state;
  for (int k = 0; k < NMODEL; k++) {
    for (int jacobian = 0; jacobian < 2; jacobian++) {
      open_model(with_rows[k], jacobian, mjCONE_ELLIPTIC);
      m->opt.solver = mjSOL_PGS;
      disturb(k);
      mj_fwdPosition(m, d);
      expect_projection(with_rows[k], jacobian);
      close_model();
    }
  }
}

// Trees of a hinge that two branches hang on, each with a tendon between the ends of its branches,
// and a tendon through all trees.
static mjModel* tendons_of_trees(int trees) {
  size_t room = (size_t)(trees + 1) * 1000;
  char* text = (char*)malloc(room);
  size_t n = (size_t)snprintf(text, room, "<mujoco><option solver='PGS'/><worldbody>");
#define ADD(...) n += (size_t)snprintf(text + n, room - n, __VA_ARGS__)
  for (int t = 0; t < trees; t++) {
    ADD("<body pos='0 %d 0'><joint axis='0 1 0' frictionloss='.1'/><geom size='.1'/>", t);
    for (int branch = 0; branch < 2; branch++) {
      ADD("<body pos='%d 0 0'><joint axis='0 1 0'/><geom size='.1'/><body pos='0 0 .5'>", branch);
      ADD("<joint name='j%d%c' axis='1 1 0'/><geom size='.1'/></body></body>", t, 'a' + branch);
    }
    ADD("</body>");
  }
  ADD("</worldbody><tendon><fixed name='all' frictionloss='1'>");
  for (int t = 0; t < trees; t++) ADD("<joint joint='j%da' coef='%d'/>", t, t + 1);
  for (int t = 0; t < trees; t++) {
    ADD("</fixed><fixed name='t%d' frictionloss='1'>", t);
    ADD("<joint joint='j%da' coef='1'/><joint joint='j%db' coef='2'/>", t, t);
  }
  ADD("</fixed></tendon></mujoco>");
#undef ADD
  mjModel* model = text_model(text);
  free(text);
  return model;
}

// Few trees of a row are looked up one by one, more are not; and rows have dofs whose parents they
// do not have.
static void projection_knows_tendons_of_any_number_of_trees(void** state) {
  (void)state;
  static const int trees[] = {1, 2, 7, 8, 9, 20};
  for (size_t k = 0; k < sizeof(trees) / sizeof(trees[0]); k++) {
    for (int jacobian = 0; jacobian < 2; jacobian++) {
      m = tendons_of_trees(trees[k]);
      m->opt.jacobian = jacobian;
      d = mj_makeData(m);
      disturb(trees[k]);
      mj_fwdPosition(m, d);
      assert_int_equal(d->nefc, 2 * trees[k] + 1);
      expect_projection("tendons", jacobian);
      close_model();
    }
  }
}

// Two trees are in one island if and only if a path of rows leads from one to the other.
static void islands_are_connected_components(void** state) {
  (void)state;
  int islands = 0;
  for (int k = 0; k < NMODEL; k++) {
    open_model(with_rows[k], mjJAC_DENSE, mjCONE_PYRAMIDAL);
    disturb(k);
    mj_fwdPosition(m, d);
    int ntree = (int)m->ntree;
    int* label = (int*)malloc((size_t)ntree * sizeof(int));
    for (int t = 0; t < ntree; t++) label[t] = t;
    for (int round = 0; round < ntree; round++) {
      for (int i = 0; i < d->nefc; i++) {
        const mjtNum* J = d->efc_J + (size_t)i * (size_t)m->nv;
        int least = ntree;
        for (int j = 0; j < m->nv; j++) {
          int t = m->dof_treeid[j];
          if (J[j] != 0 && label[t] < least) least = label[t];
        }
        for (int j = 0; j < m->nv; j++) {
          if (J[j] != 0) label[m->dof_treeid[j]] = least;
        }
      }
    }
    for (int a = 0; a < ntree && d->nisland; a++) {
      for (int b = 0; b < ntree; b++) {
        if (d->tree_island[a] < 0 || d->tree_island[b] < 0) continue;
        assert_int_equal(d->tree_island[a] == d->tree_island[b], label[a] == label[b]);
      }
    }
    islands += d->nisland;
    free(label);
    close_model();
  }
  assert_true(islands > 5);
}

// What row i of an island has is what its row of the model has, dof by dof; whether one island has
// everything or there are several.
static void compare_island_row(int i) {
  int row = d->map_iefc2efc[i], island = d->efc_island[row], first = d->island_idofadr[island];
  int start = d->island_iefcadr[island], nv = d->island_nv[island];
  mjtNum full[1000];
  assert_int_equal(d->map_efc2iefc[row], i);
  assert_int_equal(d->iefc_type[i], d->efc_type[row]);
  assert_int_equal(d->iefc_id[i], d->efc_id[row]);
  assert_true(d->iefc_D[i] == d->efc_D[row] && d->iefc_R[i] == d->efc_R[row]);
  assert_true(d->iefc_frictionloss[i] == d->efc_frictionloss[row]);
  assert_true(d->iefc_force[i] == d->efc_force[row] && d->iefc_aref[i] == d->efc_aref[row]);
  full_row(row, full);
  for (int k = 0; k < nv && !mj_isSparse(m); k++) {
    assert_true(d->iefc_J[d->nidof * start + (i - start) * nv + k] ==
                full[d->map_idof2dof[first + k]]);
  }
  for (int k = 0; mj_isSparse(m) && k < d->iefc_J_rownnz[i]; k++) {
    int at = d->iefc_J_rowadr[i] + k;
    assert_true(d->iefc_J[at] == full[d->map_idof2dof[first + d->iefc_J_colind[at]]]);
  }
}

static void compare_island_dof(int i) {
  int dof = d->map_idof2dof[i], first = d->island_idofadr[d->dof_island[dof]];
  assert_int_equal(d->map_dof2idof[dof], i);
  assert_true(d->iacc[i] == d->qacc[dof] && d->iacc_smooth[i] == d->qacc_smooth[dof]);
  assert_true(d->ifrc_smooth[i] == d->qfrc_smooth[dof]);
  assert_true(d->ifrc_constraint[i] == d->qfrc_constraint[dof]);
  assert_true(d->iLDiagInv[i] == d->qLDiagInv[dof]);
  assert_int_equal(d->iM_rownnz[i], m->M_rownnz[dof]);
  for (int k = 0; k < d->iM_rownnz[i]; k++) {
    int at = d->iM_rowadr[i] + k, from = m->M_rowadr[dof] + k;
    assert_true(d->iM[at] == d->M[from] && d->iLD[at] == d->qLD[from]);
    assert_int_equal(d->map_idof2dof[first + d->iM_colind[at]], m->M_colind[from]);
  }
}

static void islands_have_the_numbers_of_the_model(void** state) {
  (void)state;
  int whole = 0, several = 0;
  for (int k = 0; k < 2 * NMODEL; k++) {
    open_model(with_rows[k / 2], k % 2 ? mjJAC_SPARSE : mjJAC_DENSE, mjCONE_PYRAMIDAL);
    m->opt.solver = mjSOL_NEWTON;
    m->opt.noslip_iterations = 0;
    disturb(k);
    mj_forward(m, d);
    assert_true(m->nv <= 1000);
    if (d->nisland) {
      for (int i = 0; i < d->nefc; i++) compare_island_row(i);
      for (int i = 0; i < d->nidof; i++) compare_island_dof(i);
      if (ct_is_everything(m, d)) {
        whole++;
      } else {
        several++;
      }
    }
    close_model();
  }
  assert_true(whole > 2 && several > 2);
}

// Force is minus the derivative of the cost.
static void forces_are_slopes_of_the_cost(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  for (int cone = 0; cone < 2; cone++) {
    open_model("humanoid", mjJAC_DENSE, cone);
    d->qpos[2] -= (mjtNum)0.05;
    mj_fwdPosition(m, d);
    mj_fwdVelocity(m, d);
    assert_true(d->ncon > 0);
    mjtNum* jar = (mjtNum*)malloc((size_t)d->nefc * sizeof(mjtNum));
    for (int i = 0; i < d->nefc; i++) jar[i] = mju_sin((mjtNum)i) - (mjtNum)0.3;
    for (int i = 0; i < d->nefc; i++) {
      mjtNum cost[2], step = (mjtNum)1e-6, kept = jar[i];
      jar[i] = kept + step;
      mj_constraintUpdate(m, d, jar, cost, 0);
      jar[i] = kept - step;
      mj_constraintUpdate(m, d, jar, cost + 1, 0);
      jar[i] = kept;
      mj_constraintUpdate(m, d, jar, NULL, 0);
      mjtNum slope = (cost[1] - cost[0]) / (2 * step);
      expect_close("force", d->efc_force + i, &slope, 1, 1e-5);
    }
    free(jar);
    close_model();
  }
}

// An arena that is too small: a warning, contacts without rows, and a step without constraints.
static void rows_without_room_are_given_up_as_a_whole(void** state) {
  (void)state;
  open_model("humanoid", mjJAC_DENSE, mjCONE_PYRAMIDAL);
  d->qpos[2] -= (mjtNum)0.05;
  mj_fwdPosition(m, d);
  int ncon = d->ncon;
  assert_true(d->nefc > 0 && ncon > 0);
  mjtSize narena = d->narena;
  d->narena = (mjtSize)((size_t)ncon * sizeof(mjContact) + 512);  // less than the rows had
  d->pstack = 0;
  assert_int_equal(ct_make_constraint(lane_one(), m, d), CT_ROWS_FULL);
  assert_int_equal(d->warning[mjWARN_CNSTRFULL].number, 1);
  assert_int_equal(ct_status(d), CT_OK);  // a stage returns its status, the host keeps it
  mj_makeConstraint(m, d);
  assert_int_equal(d->warning[mjWARN_CNSTRFULL].number, 2);
  assert_int_equal(d->ncon, ncon);
  assert_int_equal(d->nefc + d->ne + d->nf + d->nl + d->nisland, 0);
  assert_null(d->efc_J);
  for (int c = 0; c < ncon; c++) assert_int_equal(d->contact[c].efc_address, -1);
  assert_true(d->parena == (size_t)ncon * sizeof(mjContact));
  assert_true(ct_status(d) & CT_ARENA_FULL);
  d->narena = narena;
  close_model();
}

// Without its order a solver could not use them. The humanoid is its only island, found without a
// search.
static void rows_whose_only_island_has_no_room_are_given_up(void** state) {
  (void)state;
  open_model("humanoid", mjJAC_DENSE, mjCONE_PYRAMIDAL);
  d->qpos[2] -= (mjtNum)0.05;
  mj_fwdPosition(m, d);
  mjtSize narena = d->narena;
  d->pstack = 0;
  assert_int_equal(ct_make_constraint(lane_one(), m, d), CT_OK);
  assert_true(d->nefc > 0);
  d->narena = (mjtSize)d->parena + 512;
  assert_int_equal(ct_island(lane_one(), m, d), CT_ROWS_FULL);
  assert_int_equal(d->nefc + d->nisland + d->nidof, 0);
  assert_null(d->efc_J);
  for (int c = 0; c < d->ncon; c++) assert_int_equal(d->contact[c].efc_address, -1);
  d->narena = narena;
  close_model();
}

static void contacts_of_the_user_are_appended_and_end_rows(void** state) {
  (void)state;
  open_model("humanoid", mjJAC_DENSE, mjCONE_PYRAMIDAL);
  d->qpos[2] -= (mjtNum)0.05;
  mj_fwdPosition(m, d);
  int ncon = d->ncon, nefc = d->nefc;
  assert_int_equal(mj_addContact(m, d, d->contact), 0);
  assert_int_equal(d->ncon, ncon + 1);
  assert_true(d->nefc == 0 && d->efc_J == NULL && d->contact[0].efc_address == -1);
  assert_memory_equal(d->contact[ncon].pos, d->contact[0].pos, sizeof(d->contact[0].pos));
  mj_makeConstraint(m, d);
  assert_true(d->nefc > nefc);
  close_model();
}

// A coil of 40 balls on hinges that touch each other and the floor, in all dimensions that contacts
// have, and behind it trees of one and two dofs.
static mjModel* coil_model(void) {
  char text[16000];
  const char* dim[4] = {"1", "3", "4", "6"};
  int n =
      snprintf(text, sizeof(text),
               "<mujoco><worldbody><geom type='plane' size='9 9 1' pos='0 0 -.05' condim='1'/>");
  for (int i = 0; i < 40; i++) {
    n += snprintf(text + n, sizeof(text) - (size_t)n,
                  "<body pos='.1 0 0'><joint axis='0 0 1'/>"
                  "<geom size='.06' friction='.7 .02 .01' condim='%s'/>",
                  dim[i % 4]);
  }
  for (int i = 0; i < 40; i++) n += snprintf(text + n, sizeof(text) - (size_t)n, "</body>");
  snprintf(
      text + n, sizeof(text) - (size_t)n,
      "<body pos='0 2 0'><joint type='slide' axis='0 0 1'/><geom size='.06' condim='6'/></body>"
      "<body pos='.1 2 0'><joint type='slide'/><joint axis='0 0 1'/>"
      "<geom size='.06' condim='4'/></body></worldbody></mujoco>");
  return text_model(text);
}

// Row k of the basis of a contact, from Jacobians of its bodies at its point.
static void basis_row(const mjContact* con, int k, const mjtNum* jac[2], mjtNum* row) {
  int nv = (int)m->nv;
  const mjtNum* axis = con->frame + 3 * (k % 3);
  for (int dof = 0; dof < nv; dof++) {
    row[dof] = 0;
    for (int i = 0; i < 3; i++) {
      int at = (k / 3 * 3 + i) * nv + dof;
      row[dof] += axis[i] * (jac[1][at] - jac[0][at]);
    }
  }
}

static void compare_contact(const mjContact* con) {
  enum { MOST_DOFS = 64 };
  static mjtNum jac[2][6 * MOST_DOFS], basis[6][MOST_DOFS];
  const mjtNum* jacobian[2] = {jac[0], jac[1]};
  int nv = (int)m->nv, pyramid = m->opt.cone == mjCONE_PYRAMIDAL && con->dim > 1;
  for (int side = 0; side < 2; side++) {
    mj_jac(m, d, jac[side], jac[side] + 3 * nv, con->pos, m->geom_bodyid[con->geom[side]]);
  }
  for (int k = 0; k < con->dim; k++) basis_row(con, k, jacobian, basis[k]);
  int rows = pyramid ? 2 * (con->dim - 1) : con->dim;
  for (int i = 0; i < rows; i++) {
    mjtNum row[MOST_DOFS];
    full_row(con->efc_address + i, row);
    for (int dof = 0; dof < nv; dof++) {
      mjtNum along = pyramid ? con->friction[i / 2] * basis[1 + i / 2][dof] : 0;
      mjtNum expected = pyramid ? basis[0][dof] + (i % 2 ? -along : along) : basis[i][dof];
      if (!(mju_abs(row[dof] - expected) <= 1e-13)) {
        fail_msg("row %d, dof %d: %.17g, but the motion is %.17g", con->efc_address + i, dof,
                 row[dof], expected);
      }
    }
  }
}

static void rows_of_contacts_are_motions_at_their_points(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  for (int k = 0; k < 4; k++) {
    m = coil_model();
    m->opt.jacobian = k % 2 ? mjJAC_SPARSE : mjJAC_DENSE;
    m->opt.cone = k / 2 ? mjCONE_ELLIPTIC : mjCONE_PYRAMIDAL;
    d = mj_makeData(m);
    for (int i = 0; i < 40; i++) d->qpos[i] = (mjtNum)0.3;
    mj_forward(m, d);
    assert_true(d->ncon > 60);
    for (int c = 0; c < d->ncon; c++) compare_contact(d->contact + c);
    close_model();
  }
}

// More joints than counting keeps a list of: every second is beyond its upper limit.
static void limits_of_many_joints_all_have_rows(void** state) {
  (void)state;
  enum { JOINTS = 300 };
  static char text[JOINTS * 120];
  int n = snprintf(text, sizeof(text), "<mujoco><worldbody>");
  for (int i = 0; i < JOINTS; i++) {
    n += snprintf(text + n, sizeof(text) - (size_t)n,
                  "<body><joint type='slide' limited='true' range='-1 %d'/>"
                  "<geom size='.1' contype='0'/></body>",
                  i % 2 ? 1 : 3);
  }
  snprintf(text + n, sizeof(text) - (size_t)n, "</worldbody></mujoco>");
  m = text_model(text);
  d = mj_makeData(m);
  for (int i = 0; i < JOINTS; i++) d->qpos[i] = 2;
  mj_forward(m, d);
  assert_int_equal(d->nefc, JOINTS / 2);
  for (int i = 0; i < d->nefc; i++) {
    assert_int_equal(d->efc_id[i], 2 * i + 1);
    assert_true(d->efc_pos[i] == -1);
  }
  close_model();
}

// Even if there is no other row to write.
static void contacts_that_no_dof_moves_say_so(void** state) {
  (void)state;
  m = text_model(
      "<mujoco><option jacobian='sparse'><flag island='disable'/></option><worldbody>"
      "<geom name='a' size='.1'/><geom name='b' size='.1' pos='.15 0 0'/>"
      "<body pos='0 0 1'><joint/><geom size='.1'/></body></worldbody>"
      "<contact><pair geom1='a' geom2='b'/></contact></mujoco>");
  d = mj_makeData(m);
  mj_forward(m, d);
  assert_int_equal(d->ncon, 1);
  assert_int_equal(d->nefc, 0);
  assert_int_equal(d->contact[0].efc_address, -1);
  assert_int_equal(d->contact[0].exclude, 3);
  close_model();
}

// Four joints at a time are compared with both of their limits, each with its margin.
static void joints_have_rows_from_the_margin_of_a_limit_on(void** state) {
  (void)state;
  enum { JOINTS = 8 };
  static const double at[JOINTS] = {0.9, 0.9, -0.9, -0.9, 1.1, 0.7, -1.1, -0.7};
  static const int limited[] = {1, 3, 4, 6};  // odd ones have a margin of 0.2
  char text[JOINTS * 160];
  int n = snprintf(text, sizeof(text), "<mujoco><worldbody>");
  for (int i = 0; i < JOINTS; i++) {
    n += snprintf(text + n, sizeof(text) - (size_t)n,
                  "<body><joint type='slide' limited='true' range='-1 1' margin='%g'/>"
                  "<geom size='.1' contype='0'/></body>",
                  i % 2 ? 0.2 : 0);
  }
  snprintf(text + n, sizeof(text) - (size_t)n, "</worldbody></mujoco>");
  m = text_model(text);
  d = mj_makeData(m);
  for (int i = 0; i < JOINTS; i++) d->qpos[i] = (mjtNum)at[i];
  mj_forward(m, d);
  assert_int_equal(d->nefc, 4);
  for (int i = 0; i < d->nefc; i++) assert_int_equal(d->efc_id[i], limited[i]);
  m->jnt_margin[0] = (mjtNum)0.2;  // edits count from the next step on
  mj_forward(m, d);
  assert_int_equal(d->nefc, 5);
  assert_int_equal(d->efc_id[0], 0);
  close_model();
}

// Inverse dynamics of a step's acceleration gives back what was applied.
static void inverse_dynamics_undoes_forward_dynamics(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();
  for (int cone = 0; cone < 2; cone++) {
    open_model("humanoid", mjJAC_DENSE, cone);
    m->opt.tolerance = 0;
    d->qpos[2] -= (mjtNum)0.02;
    for (int i = 0; i < m->nu; i++) d->ctrl[i] = mju_sin((mjtNum)i) / 2;
    mj_forward(m, d);
    assert_true(d->nefc > 0);
    mj_compareFwdInv(m, d);
    assert_true(d->solver_fwdinv[0] < 1e-6 && d->solver_fwdinv[1] < 1e-6);
    close_model();
  }
}

#define TEST(name_) cmocka_unit_test(name_)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(jacobian_is_the_derivative_of_positions),
      TEST(dense_and_sparse_rows_are_the_same),
      TEST(projection_is_what_solving_for_each_row_gives),
      TEST(projection_knows_tendons_of_any_number_of_trees),
      TEST(islands_are_connected_components),
      TEST(islands_have_the_numbers_of_the_model),
      TEST(forces_are_slopes_of_the_cost),
      TEST(rows_without_room_are_given_up_as_a_whole),
      TEST(rows_whose_only_island_has_no_room_are_given_up),
      TEST(contacts_of_the_user_are_appended_and_end_rows),
      TEST(rows_of_contacts_are_motions_at_their_points),
      TEST(limits_of_many_joints_all_have_rows),
      TEST(contacts_that_no_dof_moves_say_so),
      TEST(joints_have_rows_from_the_margin_of_a_limit_on),
      TEST(inverse_dynamics_undoes_forward_dynamics),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
