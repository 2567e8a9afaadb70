// What mujoco.viewer.launch_passive calls before its caller may go on. It makes the scene in a
// thread of its own, and the caller waits for that thread: an error there, and it waits for ever.

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fail.h"
#include "support/messages.h"
#include "support/models.h"

enum { MAX_GEOM = 100000 };  // of the viewer

static void a_scene_for_the_viewer_is_made_without_error_for_every_model(void** state) {
  (void)state;
  mjvCamera camera;
  mjvOption option;
  mjvPerturb perturb;
  mjv_defaultCamera(&camera);
  mjv_defaultOption(&option);
  mjv_defaultPerturb(&perturb);
  for (int i = 0; recorded_model_name(i); i++) {
    mjModel* m = recorded_model(recorded_model_name(i));
    mjData* d = mj_makeData(m);
    mjvScene scene;
    mjv_defaultScene(&scene);
    mjv_makeScene(m, &scene, MAX_GEOM);
    assert_int_equal(scene.maxgeom, MAX_GEOM);
    assert_non_null(scene.geoms);
    mjv_defaultFreeCamera(m, &camera);
    mj_forward(m, d);
    mjv_updateScene(m, d, &option, &perturb, &camera, mjCAT_ALL, &scene);
    if (count_errors()) fail_msg("%s: %s", recorded_model_name(i), newest_message());
    mjv_freeScene(&scene);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// Functions of the library that the viewer's binary asks the loader for.
static const char* const wanted[] = {
    "mj_copyData",
    "mj_copyModel",
    "mj_deleteData",
    "mj_deleteModel",
    "mj_forward",
    "mj_getState",
    "mj_printData",
    "mj_printModel",
    "mj_resetData",
    "mj_resetDataKeyframe",
    "mj_saveLastXML",
    "mj_saveModel",
    "mj_setKeyframe",
    "mj_setState",
    "mj_stateSize",
    "mj_step",
    "mj_versionString",
    "mj_warning",
    "mjr_addAux",
    "mjr_changeFont",
    "mjr_drawPixels",
    "mjr_defaultContext",
    "mjr_figure",
    "mjr_findRect",
    "mjr_freeContext",
    "mjr_makeContext",
    "mjr_overlay",
    "mjr_readPixels",
    "mjr_rectangle",
    "mjr_render",
    "mjr_uploadHField",
    "mjr_uploadMesh",
    "mjui_add",
    "mjr_uploadTexture",
    "mjui_event",
    "mjui_render",
    "mjui_resize",
    "mjui_themeColor",
    "mjui_themeSpacing",
    "mjui_update",
    "mjv_copyData",
    "mjv_applyPerturbForce",
    "mjv_applyPerturbPose",
    "mjv_copyModel",
    "mjv_defaultScene",
    "mjv_defaultFreeCamera",
    "mjv_defaultCamera",
    "mjv_defaultFigure",
    "mjv_freeScene",
    "mjv_initPerturb",
    "mjv_defaultOption",
    "mjv_makeScene",
    "mjv_moveCamera",
    "mjv_movePerturb",
    "mjv_select",
    "mjv_updateScene",
};

// docs/api-coverage.md is made from the symbols of the library; what is not there is a function
// that stops with an error.
static void what_the_viewer_calls_is_part_of_the_library(void** state) {
  (void)state;
  FILE* f = fopen(CT_SOURCE_DIR "/docs/api-coverage.md", "r");
  assert_non_null(f);
  enum { ROOM = 1 << 18 };
  char* text = (char*)calloc(1, ROOM);
  assert_true(fread(text, 1, ROOM - 1, f) > 0);
  fclose(f);
  for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
    char line[100];
    snprintf(line, sizeof(line), "| `%s` | present", wanted[i]);
    if (!strstr(text, line)) fail_msg("%s is not part of the library", wanted[i]);
  }
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_scene_for_the_viewer_is_made_without_error_for_every_model),
      cmocka_unit_test(what_the_viewer_calls_is_part_of_the_library),
  };
  return cmocka_run_group_tests(tests, listen_to_messages, stop_listening);
}
