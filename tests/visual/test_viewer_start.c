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

static char* contents(const char* path) {
  enum { ROOM = 1 << 18 };
  FILE* f = fopen(path, "r");
  if (!f) fail_msg("%s cannot be opened", path);
  char* text = (char*)calloc(1, ROOM);
  assert_true(fread(text, 1, ROOM - 1, f) > 0);
  fclose(f);
  return text;
}

// viewer_functions.txt lists what the viewer's binary asks the loader for. docs/api-coverage.md is
// made from the symbols of the library; what is not present there stops with an error.
static void what_the_viewer_calls_is_part_of_the_library(void** state) {
  (void)state;
  char* wanted = contents(CT_SOURCE_DIR "/tests/visual/viewer_functions.txt");
  char* coverage = contents(CT_SOURCE_DIR "/docs/api-coverage.md");
  int count = 0;
  for (const char* name = strtok(wanted, "\n"); name; name = strtok(NULL, "\n")) {
    char line[100];
    snprintf(line, sizeof(line), "| `%s` | present", name);
    if (!strstr(coverage, line)) fail_msg("%s is not part of the library", name);
    count++;
  }
  assert_int_equal(count, 56);
  free(wanted);
  free(coverage);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_scene_for_the_viewer_is_made_without_error_for_every_model),
      cmocka_unit_test(what_the_viewer_calls_is_part_of_the_library),
  };
  return cmocka_run_group_tests(tests, listen_to_messages, stop_listening);
}
