// Memory of abstract scenes: as much as the reference gives to the same models.

#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/models.h"

static void a_scene_without_model_has_defaults(void** state) {
  (void)state;
  mjvScene scn;
  mjv_defaultScene(&scn);
  mjv_makeScene(NULL, &scn, 0);
  const mjtByte flags[mjNRNDFLAG] = {1, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1};
  assert_memory_equal(scn.flags, flags, sizeof(flags));
  assert_true(scn.scale == 1 && scn.rotate[0] == 1);
  assert_null(scn.geoms);
  mjv_freeScene(&scn);
}

static void flexes_have_room_for_all_their_faces(void** state) {
  (void)state;
  mjModel* m = recorded_model("cloth");
  mjvScene scn;
  mjv_defaultScene(&scn);
  mjv_makeScene(m, &scn, 7);
  const int facenum[3] = {32, 12, 24}, faceadr[3] = {0, 32, 44};
  assert_int_equal(scn.nflex, 3);
  assert_memory_equal(scn.flexfacenum, facenum, sizeof(facenum));
  assert_memory_equal(scn.flexfaceadr, faceadr, sizeof(faceadr));
  assert_memory_equal(scn.flexvertadr, m->flex_vertadr, 3 * sizeof(int));
  assert_memory_equal(scn.flexedge, m->flex_edge, (size_t)m->nflexedge * 2 * sizeof(int));
  scn.flexface[9 * 68 - 1] = scn.flexnormal[9 * 68 - 1] = scn.flextexcoord[6 * 68 - 1] = 1;
  scn.geoms[6].type = mjGEOM_BOX;
  scn.geomorder[6] = scn.flexfaceused[2] = 0;

  // made again for another model, it lets go of what it had
  mjModel* other = recorded_model("sleeve");
  mjv_makeScene(other, &scn, 3);
  assert_int_equal(scn.nflex, 0);
  assert_null(scn.flexface);
  assert_int_equal(scn.maxgeom, 3);
  mjv_freeScene(&scn);
  mj_deleteModel(other);
  mj_deleteModel(m);
}

static void skins_have_room_for_their_vertices(void** state) {
  (void)state;
  mjModel* m = recorded_model("sleeve");
  mjvScene scn;
  mjv_defaultScene(&scn);
  mjv_makeScene(m, &scn, 0);
  const int facenum[3] = {4, 1, 4}, vertadr[3] = {0, 6, 9}, vertnum[3] = {6, 3, 6};
  assert_int_equal(scn.nskin, 3);
  assert_memory_equal(scn.skinfacenum, facenum, sizeof(facenum));
  assert_memory_equal(scn.skinvertadr, vertadr, sizeof(vertadr));
  assert_memory_equal(scn.skinvertnum, vertnum, sizeof(vertnum));
  scn.skinvert[44] = scn.skinnormal[44] = 1;
  mjv_freeScene(&scn);
  assert_null(scn.skinvert);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_scene_without_model_has_defaults),
      cmocka_unit_test(flexes_have_room_for_all_their_faces),
      cmocka_unit_test(skins_have_room_for_their_vertices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
