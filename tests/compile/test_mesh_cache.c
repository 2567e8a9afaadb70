// Assets from the cache: the same model to the last byte, and another one when a file has changed.

#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static unsigned char* bytes_of(const mjModel* m, size_t* size) {
  *size = (size_t)mj_sizeModel(m);
  unsigned char* bytes = (unsigned char*)malloc(*size);
  mj_saveModel(m, NULL, bytes, (int)*size);
  return bytes;
}

static mjModel* load(const char* path, const mjVFS* vfs) {
  char error[500] = "";
  mjModel* m = mj_loadXML(path, vfs, error, sizeof(error));
  if (!m) fail_msg("%s: %s", path, error);
  return m;
}

static int start_empty(void** state) {
  (void)state;
  mj_clearCache(mj_getCache());
  mj_setCacheCapacity(mj_getCache(), (size_t)100 << 20);
  return 0;
}

static void expect_same(mjModel* a, mjModel* b) {
  size_t na, nb;
  unsigned char *first = bytes_of(a, &na), *second = bytes_of(b, &nb);
  assert_int_equal(na, nb);
  assert_memory_equal(first, second, na);
  free(first);
  free(second);
}

static void a_model_from_the_cache_is_the_same(void** state) {
  (void)state;
  static const char* const models[] = {"meshes", "mesh_shapes", "textures", "fitted", "workshop"};
  for (size_t i = 0; i < sizeof(models) / sizeof(models[0]); i++) {
    char path[500];
    snprintf(path, sizeof(path), CT_SOURCE_DIR "/models/%s.xml", models[i]);
    mj_setCacheCapacity(mj_getCache(), 0);
    mjModel* without = load(path, NULL);
    mj_setCacheCapacity(mj_getCache(), (size_t)100 << 20);
    mjModel* fills = load(path, NULL);
    size_t size = mj_getCacheSize(mj_getCache());
    mjModel* uses = load(path, NULL);
    assert_true(size > 0 || strcmp(models[i], "meshes"));
    assert_int_equal(mj_getCacheSize(mj_getCache()), size);
    expect_same(without, fills);
    expect_same(without, uses);
    mj_deleteModel(without);
    mj_deleteModel(fills);
    mj_deleteModel(uses);
  }
}

#define OBJ(x_) "v 0 0 0\nv " x_ " 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"

static mjtNum width_of(const char* obj, const char* attributes) {
  char text[500];
  mjVFS vfs;
  snprintf(text, sizeof(text),
           "<mujoco><asset><mesh file='a.obj' %s/></asset><worldbody><geom type='mesh' mesh='a'/>"
           "</worldbody></mujoco>",
           attributes);
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "m.xml", text, (int)strlen(text));
  mj_addBufferVFS(&vfs, "a.obj", obj, (int)strlen(obj));
  mjModel* m = load("m.xml", &vfs);
  mjtNum width = m->geom_aabb[3];
  mj_deleteModel(m);
  mj_deleteVFS(&vfs);
  return width;
}

// The reference goes by names and time stamps, and by some of the settings only.
static void a_changed_file_or_setting_gives_another_mesh(void** state) {
  (void)state;
  mjtNum one = width_of(OBJ("1"), "");
  assert_true(width_of(OBJ("1"), "") == one);
  assert_true(width_of(OBJ("3"), "") > one);
  assert_true(width_of(OBJ("1"), "scale='2 2 2'") > one);
  assert_true(width_of(OBJ("1"), "inertia='exact'") == one);
}

static void poses_are_those_of_the_asset_that_asks(void** state) {
  (void)state;
  for (int i = 0; i < 2; i++) {
    mjVFS vfs;
    char text[500];
    snprintf(text, sizeof(text),
             "<mujoco><asset><mesh file='a.obj' refpos='%d 0 0'/></asset></mujoco>", i);
    mj_defaultVFS(&vfs);
    mj_addBufferVFS(&vfs, "m.xml", text, (int)strlen(text));
    mj_addBufferVFS(&vfs, "a.obj", OBJ("1"), (int)strlen(OBJ("1")));
    mjModel* m = load("m.xml", &vfs);
    assert_true((m->mesh_pos[0] < 0) == (i == 1));
    mj_deleteModel(m);
    mj_deleteVFS(&vfs);
  }
}

int main(void) {
#define TEST(name_) cmocka_unit_test_setup(name_, start_empty)
  const struct CMUnitTest tests[] = {
      TEST(a_model_from_the_cache_is_the_same),
      TEST(a_changed_file_or_setting_gives_another_mesh),
      TEST(poses_are_those_of_the_asset_that_asks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
