// R0.4: accelerations of bodies and the forces on and between them. The reference's numbers, the
// tie to Newton-Euler, and wrenches of contacts and joined bodies that can be written down by hand.

#include "engine/constraint/post_constraint.h"

#include <math.h>
#include <string.h>

#include "math/spatial.h"
#include "support/fail.h"
#include "support/models.h"
#include "support/states.h"

enum { MOST = 64 };  // dofs of a test model

// Forces of the states go up to thousands, and add up to small ones: single precision keeps four
// digits of the largest.
static void agrees_with_the_reference(void** state) {
  (void)state;
  RECORDED_STATES(s, "post_constraint") {
    mj_rnePostConstraint(s.model, s.data);
    EXPECT_FIELD(s, cacc, PRECISION(1e-13, 1e-4));
    EXPECT_FIELD(s, cfrc_ext, PRECISION(1e-13, 1e-4));
    EXPECT_FIELD(s, cfrc_int, PRECISION(1e-12, 1e-2));
    assert_int_equal(s.data->flg_rnepost, 1);
  }
}

// What a body receives from its parent, along its axes, is what its dofs must do.
static void forces_between_bodies_drive_the_dofs(void** state) {
  (void)state;
  RECORDED_STATES(s, "post_constraint") {
    int nv = (int)s.model->nv;
    mjtNum expected[MOST], along[MOST];
    memset(s.data->xfrc_applied, 0, 6 * (size_t)s.model->nbody * sizeof(mjtNum));
    mj_rnePostConstraint(s.model, s.data);
    mj_rne(s.model, s.data, 1, expected);
    for (int j = 0; j < nv; j++) {
      along[j] = ct_dot6(s.data->cdof + 6 * j, s.data->cfrc_int + 6 * s.model->dof_bodyid[j]);
    }
    expect_close(s.prefix, along, expected, nv, PRECISION(1e-12, 1e-3));
  }
}

// What the reference has there: a step that went wrong is reset, its poses are not.
static void no_force_pushes_nothing_where_poses_are_no_numbers(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  for (int i = 3; i < 3 * m->nbody; i++) d->xipos[i] = (mjtNum)NAN;
  d->xfrc_applied[6 * 2 + 5] = 1;
  mj_rnePostConstraint(m, d);
  assert_true(isnan(d->cfrc_ext[6 * 2]));
  for (int k = 0; k < 6; k++) assert_true(d->cfrc_ext[6 * 3 + k] == 0);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// A model with its poses, and constraint rows that the test writes.
typedef struct {
  mjModel* m;
  mjData* d;
  mjContact contact;
  mjtNum force[12];
  int type[12], id[12];
} Scene;

static void open_scene(Scene* s, const char* model) {
  memset(s, 0, sizeof(*s));
  s->m = recorded_model(model);
  s->d = mj_makeData(s->m);
  mj_kinematics(s->m, s->d);
  mj_comPos(s->m, s->d);
  mj_comVel(s->m, s->d);
  s->d->efc_force = s->force;
  s->d->efc_type = s->type;
  s->d->efc_id = s->id;
}

static void close_scene(Scene* s) {
  s->d->ncon = s->d->nefc = s->d->ne = 0;
  s->d->contact = NULL;
  s->d->efc_force = NULL;
  s->d->efc_type = s->d->efc_id = NULL;
  mj_deleteData(s->d);
  mj_deleteModel(s->m);
}

// The external force on body b, with its torque about a point.
static void external_about(const Scene* s, int b, const mjtNum point[3], mjtNum wrench[6]) {
  ct_transform_force(wrench, s->d->cfrc_ext + 6 * b, point,
                     s->d->subtree_com + 3 * s->m->body_rootid[b], NULL);
}

// A contact with sliding friction between two bodies of the humanoid, its normal along y.
static void open_contact(Scene* s, int cone) {
  open_scene(s, "humanoid");
  s->m->opt.cone = cone;
  mjContact* c = &s->contact;
  const mjtNum frame[9] = {0, 1, 0, 0, 0, 1, 1, 0, 0}, pos[3] = {(mjtNum)0.3, (mjtNum)-0.2, 1};
  memcpy(c->frame, frame, sizeof(frame));
  ct_copy3(c->pos, pos);
  c->dim = 3;
  c->friction[0] = c->friction[1] = (mjtNum)0.5;
  c->geom[0] = s->m->body_geomadr[1];
  c->geom[1] = s->m->body_geomadr[3];
  s->d->contact = c;
  s->d->ncon = 1;
}

static void expect_contact_wrench(Scene* s, const mjtNum world[3]) {
  const mjtNum expected[6] = {0, 0, 0, world[0], world[1], world[2]};
  mjtNum got[6];
  mj_rnePostConstraint(s->m, s->d);
  external_about(s, 3, s->contact.pos, got);
  expect_close("second body", got, expected, 6, PRECISION(1e-13, 1e-4));
  external_about(s, 1, s->contact.pos, got);
  ct_scl(got, got, -1, 6);
  expect_close("first body", got, expected, 6, PRECISION(1e-13, 1e-4));
}

static void a_contact_pushes_its_bodies_apart_at_its_point(void** state) {
  (void)state;
  Scene s;
  open_contact(&s, mjCONE_ELLIPTIC);
  const mjtNum rows[3] = {7, 2, -1}, world[3] = {-1, 7, 2};  // frame' rows
  ct_copy3(s.force, rows);
  expect_contact_wrench(&s, world);
  close_scene(&s);
}

// Edges 1, 2 along the first tangent, 3, 4 along the second: normal 10, tangents mu times the
// differences.
static void a_pyramid_adds_up_its_edges(void** state) {
  (void)state;
  Scene s;
  mjtNum force[6];
  open_contact(&s, mjCONE_PYRAMIDAL);
  const mjtNum edges[4] = {4, 3, 1, 2}, world[3] = {(mjtNum)-0.5, 10, (mjtNum)0.5};
  const mjtNum expected[6] = {10, (mjtNum)0.5, (mjtNum)-0.5, 0, 0, 0};
  memcpy(s.force, edges, sizeof(edges));
  mj_contactForce(s.m, s.d, 0, force);
  expect_close("force", force, expected, 6, PRECISION(1e-15, 1e-6));
  expect_contact_wrench(&s, world);
  close_scene(&s);
}

static void contacts_without_rows_have_no_force(void** state) {
  (void)state;
  Scene s;
  mjtNum force[6];
  const mjtNum zero[6] = {0};
  const int bad[2] = {-1, 1};
  open_contact(&s, mjCONE_ELLIPTIC);
  s.force[0] = 7;
  for (int i = 0; i < 2; i++) {
    force[0] = 9;
    mj_contactForce(s.m, s.d, bad[i], force);
    expect_close("no such contact", force, zero, 6, 0);
  }
  s.contact.efc_address = -1;
  mj_contactForce(s.m, s.d, 0, force);
  expect_close("no rows", force, zero, 6, 0);
  expect_contact_wrench(&s, zero);
  close_scene(&s);
}

// Rows of one equality, at the start.
static void open_equality(Scene* s, const char* name, int rows) {
  open_scene(s, "equalities");
  int eq = mj_name2id(s->m, mjOBJ_EQUALITY, name);
  for (int i = 0; i < rows; i++) {
    s->type[i] = mjCNSTR_EQUALITY;
    s->id[i] = eq;
    s->force[i] = (mjtNum)(i + 1);
  }
  s->d->ne = s->d->nefc = rows;
}

static void expect_joined(Scene* s, int body, const mjtNum point[3], mjtNum sign, int rows) {
  mjtNum got[6], expected[6] = {0, 0, 0, sign, 2 * sign, 3 * sign};
  for (int i = 3; i < rows; i++) expected[i - 3] = sign * (mjtNum)(i + 1);
  external_about(s, body, point, got);
  expect_close("wrench", got, expected, 6, PRECISION(1e-13, 1e-4));
}

static void a_connect_pulls_at_the_anchors_of_its_bodies(void** state) {
  (void)state;
  Scene s;
  open_equality(&s, "pin", 3);
  mj_rnePostConstraint(s.m, s.d);
  int eq = s.id[0];
  for (int side = 0; side < 2; side++) {
    int body = side ? s.m->eq_obj2id[eq] : s.m->eq_obj1id[eq];
    mjtNum point[3];
    ct_mul_mat_vec3(point, s.d->xmat + 9 * body, s.m->eq_data + mjNEQDATA * eq + 3 * side);
    ct_add_to3(point, s.d->xpos + 3 * body);
    expect_joined(&s, body, point, side ? -1 : 1, 3);
  }
  close_scene(&s);
}

static void a_weld_of_sites_turns_their_bodies(void** state) {
  (void)state;
  Scene s;
  open_equality(&s, "glue_sites", 6);
  mj_rnePostConstraint(s.m, s.d);
  for (int side = 0; side < 2; side++) {
    int site = mj_name2id(s.m, mjOBJ_SITE, side ? "b_side" : "a_top");
    expect_joined(&s, s.m->site_bodyid[site], s.d->site_xpos + 3 * site, side ? -1 : 1, 6);
  }
  close_scene(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_the_reference),
      cmocka_unit_test(forces_between_bodies_drive_the_dofs),
      cmocka_unit_test(no_force_pushes_nothing_where_poses_are_no_numbers),
      cmocka_unit_test(a_contact_pushes_its_bodies_apart_at_its_point),
      cmocka_unit_test(a_pyramid_adds_up_its_edges),
      cmocka_unit_test(contacts_without_rows_have_no_force),
      cmocka_unit_test(a_connect_pulls_at_the_anchors_of_its_bodies),
      cmocka_unit_test(a_weld_of_sites_turns_their_bodies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
