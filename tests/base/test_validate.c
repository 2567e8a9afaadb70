// R30.3: a model with one wrong index is refused, and the message names the array.

#include "base/model/validate.h"

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/messages.h"
#include "support/models.h"

static void every_recorded_model_is_valid(void** state) {
  (void)state;
  for (int i = 0; recorded_model_name(i); i++) {
    mjModel* m = recorded_model(recorded_model_name(i));
    const char* problem = mj_validateReferences(m);
    if (problem) fail_msg("%s: %s", recorded_model_name(i), problem);
    mj_deleteModel(m);
  }
}

// With one entry changed the model is refused with a message that contains `says`; without, it is
// valid.
#define REFUSED(model_, entry_, value_, says_)                                         \
  do {                                                                                 \
    __typeof__(entry_) own_ = (entry_);                                                \
    (entry_) = (__typeof__(entry_))(value_);                                           \
    const char* problem_ = mj_validateReferences(model_);                              \
    if (!problem_) fail_msg("%s may be %g", #entry_, (double)(value_));                \
    if (!strstr(problem_, says_)) fail_msg("%s = %s: %s", #entry_, #value_, problem_); \
    (entry_) = own_;                                                                   \
    assert_null(mj_validateReferences(model_));                                        \
  } while (0)

static void bodies_joints_and_dofs_are_in_order(void** state) {
  (void)state;
  mjModel* m = recorded_model("tree");
  REFUSED(m, m->body_parentid[3], 3, "body_parentid[3] is 3, allowed are 0 to 2");
  REFUSED(m, m->body_parentid[0], 1, "body_parentid[0]");
  REFUSED(m, m->body_rootid[2], 3, "body_rootid[2]");
  REFUSED(m, m->body_weldid[2], -1, "body_weldid[2]");
  REFUSED(m, m->body_jntnum[1], -1, "body_jntadr[1]");
  REFUSED(m, m->body_jntnum[1], INT_MAX, "body_jntadr[1]");
  REFUSED(m, m->body_geomadr[1], -1, "body_geomadr[1]");
  REFUSED(m, m->jnt_type[0], 4, "jnt_type[0]");
  REFUSED(m, m->jnt_type[m->njnt - 1], mjJNT_FREE, "jnt_qposadr");
  REFUSED(m, m->jnt_qposadr[0], -1, "jnt_qposadr[0]");
  REFUSED(m, m->dof_parentid[2], 2, "dof_parentid[2]");
  REFUSED(m, m->dof_jntid[3], 0, "dof_jntid[3]");
  REFUSED(m, m->dof_Madr[2], 0, "dof_Madr");
  REFUSED(m, m->geom_condim[0], 7, "geom_condim[0]");
  REFUSED(m, m->geom_bodyid[0], -1, "geom_bodyid[0]");
  REFUSED(m, m->geom_type[0], 9, "geom_type[0]");
  REFUSED(m, m->M_colind[1], 5, "row 1 of M");
  REFUSED(m, m->M_rownnz[4], 0, "row 4 of M");
  REFUSED(m, m->D_diag[0], m->nv + 1, "D_diag[0]");
  REFUSED(m, m->B_rownnz[0], m->nB + 1, "B_rowadr[0]");
  REFUSED(m, m->bvh_child[0], 0, "bvh_child[0]");
  REFUSED(m, m->names[m->nnames - 1], 'x', "names");
  REFUSED(m, m->names_map[0], m->nbody, "names_map[0]");
  mj_deleteModel(m);
}

// What follows from the tree is asked for to the letter: the engine walks along it without looking.
static void integers_that_follow_from_the_tree_are_as_it_makes_them(void** state) {
  (void)state;
  mjModel* m = recorded_model("tree_mixed");
  int simple = 0;
  while (simple < m->nv && !m->dof_simplenum[simple]) simple++;
  assert_true(simple < m->nv);
  REFUSED(m, m->dof_simplenum[simple], 1 << 28, "dof_simplenum");
  REFUSED(m, m->dof_simplenum[m->nv - 1], 100, "dof_simplenum");
  REFUSED(m, m->dof_simplenum[m->nv - 1], -1, "dof_simplenum");
  REFUSED(m, m->M_rowadr[0], 1, "row 0 of M");
  REFUSED(m, m->body_treeid[1], 1, "body_treeid[1]");
  REFUSED(m, m->body_dofnum[m->nbody - 1], 0, "dof_bodyid");
  REFUSED(m, m->dof_treeid[0], 1, "dof_treeid[0]");
  REFUSED(m, m->tree_dofnum[0], 0, "trees have");
  REFUSED(m, m->tree_bodynum[0], 0, "trees have");
  mj_deleteModel(m);

  m = recorded_model("tendons");
  int moving = 1;
  while (!m->body_jntnum[moving]) moving++;
  REFUSED(m, m->body_weldid[moving], moving - 1, "body_weldid");
  mj_deleteModel(m);

  m = recorded_model("mocap");
  REFUSED(m, m->body_weldid[1], 1, "body_weldid[1] is 1, but the tree makes it 0");
  REFUSED(m, m->body_rootid[1], 0, "body_rootid[1]");
  mj_deleteModel(m);

  m = recorded_model("replicas");
  REFUSED(m, m->geom_bodyid[m->ngeom - 1], 0, "geom_bodyid");
  mj_deleteModel(m);
}

static void pictures_have_as_many_pixels_as_can_be_counted(void** state) {
  (void)state;
  mjModel* m = recorded_model("views");
  assert_true(m->ncam > 0);
  m->cam_resolution[1] = 1 << 16;
  assert_null(mj_validateReferences(m));
  REFUSED(m, m->cam_resolution[0], 1 << 16, "cam_resolution");
  REFUSED(m, m->cam_resolution[0], -1, "cam_resolution");
  mj_deleteModel(m);
}

static void assets_lie_within_their_arrays(void** state) {
  (void)state;
  mjModel* m = recorded_model("tetrahedron");
  REFUSED(m, m->mesh_face[0], 4, "mesh_face[0]");
  REFUSED(m, m->mesh_graph[m->mesh_graphadr[0]], 1000, "hull of mesh 0");
  int corner = m->mesh_polyvertadr[m->mesh_polynum[0] - 1];
  REFUSED(m, m->mesh_polyvert[0], m->mesh_vertnum[0], "mesh_polyvert[0]");
  REFUSED(m, m->mesh_polyvert[corner], m->mesh_vertnum[0], "mesh_polyvert[");
  REFUSED(m, m->mesh_polymap[1], m->mesh_polynum[0], "mesh_polymap[1]");
  REFUSED(m, m->mesh_polymap[1], -1, "mesh_polymap[1]");
  REFUSED(m, m->mesh_facenormal[2], m->mesh_normalnum[0], "mesh_facenormal[2]");
  REFUSED(m, m->mesh_vertnum[0], 5000, "mesh_vertadr[0]");
  REFUSED(m, m->tex_height[0], INT_MAX, "tex_adr[0]");
  REFUSED(m, m->tex_adr[0], INT64_MAX, "tex_adr[0]");
  REFUSED(m, m->mat_texid[0], 7, "mat_texid");
  REFUSED(m, m->geom_dataid[0], 2, "geom_dataid[0]");
  REFUSED(m, m->skin_bonevertid[0], 3, "skin_bonevertid[0]");
  mj_deleteModel(m);

  m = recorded_model("hills");
  REFUSED(m, m->hfield_nrow[0], 5, "hfield_adr[0]");
  REFUSED(m, m->hfield_adr[0], -1, "hfield_adr[0]");
  REFUSED(m, m->geom_dataid[0], -1, "geom_dataid[0]");
  REFUSED(m, m->pair_dim[0], 7, "pair_dim[0]");
  REFUSED(m, m->pair_signature[0], 99, "pair_signature[0]");
  mj_deleteModel(m);

  m = recorded_model("cloth");
  REFUSED(m, m->flex_elem[0], 9, "flex_elem[0]");
  REFUSED(m, m->flex_dim[0], 4, "flex_dim[0]");
  REFUSED(m, m->flex_edge[0], m->nflexvert, "flex_edge[0]");
  mj_deleteModel(m);
}

static void references_by_type_are_checked_against_that_type(void** state) {
  (void)state;
  mjModel* m = recorded_model("equalities");
  REFUSED(m, m->eq_type[0], 99, "eq_type[0]");
  REFUSED(m, m->eq_objtype[0], mjOBJ_GEOM, "eq_objtype[0]");
  REFUSED(m, m->eq_obj2id[0], -1, "eq_obj2id[0]");
  REFUSED(m, m->eq_obj1id[5], m->njnt, "eq_obj1id[5]");
  REFUSED(m, m->eq_obj2id[5], -2, "eq_obj2id[5]");
  mj_deleteModel(m);

  m = recorded_model("actuators");
  REFUSED(m, m->actuator_trntype[0], mjTRN_UNDEFINED, "actuator_trntype[0]");
  REFUSED(m, m->actuator_trnid[0], m->njnt, "actuator_trnid[0]");
  REFUSED(m, m->actuator_historyadr[17], 1, "actuator_historyadr[17]");
  REFUSED(m, m->nJmom, 3, "nJmom");
  REFUSED(m, m->nJmom, 1 << 30, "nJmom");
  REFUSED(m, m->nhistory, m->nhistory - 1, "history");
  REFUSED(m, m->nhistory, 1 << 30, "nhistory");
  REFUSED(m, m->nsensordata, 1 << 30, "nsensordata");
  REFUSED(m, m->npluginstate, 1 << 30, "npluginstate");
  REFUSED(m, m->na, m->na + 1, "activations");
  mj_deleteModel(m);

  m = recorded_model("tendons");
  REFUSED(m, m->wrap_type[0], 6, "wrap_type[0]");
  REFUSED(m, m->wrap_objid[0], m->njnt, "wrap_objid[0]");
  REFUSED(m, m->wrap_type[m->tendon_adr[1] + 2], mjWRAP_PULLEY, "not between two sites");
  REFUSED(m, m->wrap_prm[m->tendon_adr[1] + 1], 0.5, "wrap_prm");
  mj_deleteModel(m);

  m = recorded_model("sensors");
  REFUSED(m, m->sensor_type[0], mjSENS_USER + 1, "sensor_type[0]");
  REFUSED(m, m->sensor_objtype[0], 77, "sensor_objtype[0]");
  REFUSED(m, m->sensor_objtype[0], mjOBJ_GEOM, "does not suit");
  REFUSED(m, m->sensor_objid[0], m->nsite, "sensor_objid[0]");
  REFUSED(m, m->sensor_dim[1], 4, "sensor_dim[1]");
  REFUSED(m, m->sensor_adr[m->nsensor - 1], m->nsensordata - 1, "do not lie within sensordata");
  REFUSED(m, m->cam_resolution[0], 4, "sensor_dim[8]");
  mj_deleteModel(m);

  m = recorded_model("touch");  // a contact sensor with a second criterion
  REFUSED(m, m->sensor_refid[4], -1, "sensor 4");
  mj_deleteModel(m);

  m = recorded_model("custom");
  REFUSED(m, m->tuple_objtype[0], 0, "tuple_objtype[0]");
  REFUSED(m, m->tuple_objid[0], -1, "tuple_objid[0]");
  REFUSED(m, m->text_size[0], INT_MAX, "text_adr[0]");
  mj_deleteModel(m);

  m = recorded_model("humanoid");
  REFUSED(m, m->exclude_signature[0], m->nbody << 16, "exclude_signature[0]");
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_recorded_model_is_valid),
      cmocka_unit_test(bodies_joints_and_dofs_are_in_order),
      cmocka_unit_test(integers_that_follow_from_the_tree_are_as_it_makes_them),
      cmocka_unit_test(pictures_have_as_many_pixels_as_can_be_counted),
      cmocka_unit_test(assets_lie_within_their_arrays),
      cmocka_unit_test(references_by_type_are_checked_against_that_type),
  };
  return cmocka_run_group_tests(tests, listen_to_messages, stop_listening);
}
