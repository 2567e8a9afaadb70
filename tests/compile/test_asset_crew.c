// Assets are compiled by several threads; models and messages do not show it.

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "build.h"

enum { NMESH = 9, NTEXTURE = 5, RING = 40 };

// CPUs of the machine that these tests pretend to run on: this function takes the place of the C
// library's. The first mesh of each model takes long enough for others to be called.
static int ncpu = 1;

int sched_getaffinity(pid_t process, size_t size, cpu_set_t* cpus) {
  (void)process;
  CPU_ZERO_S(size, cpus);
  for (int i = 0; i < ncpu; i++) CPU_SET_S((size_t)i, size, cpus);
  return 0;
}

// A bumpy ball of its own for every mesh: as a cloud of points, so that hull and faces are found.
static void add_ball(mjSpec* s, int number) {
  static float vert[3 * RING * RING];
  for (int i = 0; i < RING * RING; i++) {
    double polar = mjPI * (i / RING + 1) / (RING + 1), around = 2 * mjPI * (i % RING) / RING;
    double r = 1 + 0.1 * sin(number + 5 * polar) * cos(3 * around);
    vert[3 * i] = (float)(r * sin(polar) * cos(around));
    vert[3 * i + 1] = (float)(1.3 * r * sin(polar) * sin(around));
    vert[3 * i + 2] = (float)(1.7 * r * cos(polar));
  }
  char name[16];
  snprintf(name, sizeof(name), "m%d", number);
  mjsMesh* mesh = mjs_addMesh(s, NULL);
  mjs_setName(mesh->element, name);
  mjs_setFloat(mesh->uservert, vert, 3 * RING * RING);
  mjsGeom* geom = add_geom(add_body(world_of(s), NULL, number, 0, 0), NULL, mjGEOM_MESH, 0, 0, 0);
  mjs_setString(geom->meshname, name);
}

static void add_texture(mjSpec* s, int number) {
  char name[16];
  snprintf(name, sizeof(name), "t%d", number);
  mjsTexture* texture = mjs_addTexture(s);
  mjs_setName(texture->element, name);
  texture->type = number % 2 ? mjTEXTURE_CUBE : mjTEXTURE_2D;
  texture->builtin = mjBUILTIN_GRADIENT;
  texture->mark = mjMARK_RANDOM;
  texture->random = 0.1 * number;
  texture->width = texture->height = 20 + number;
  texture->rgb1[number % 3] = 1;
}

static mjSpec* spec_with_assets(bool usethread) {
  mjSpec* s = mj_makeSpec();
  s->compiler.usethread = usethread;
  for (int i = 0; i < NMESH; i++) add_ball(s, i);
  for (int i = 0; i < NTEXTURE; i++) add_texture(s, i);
  return s;
}

// The bytes of the .mjb file that a spec makes.
static char* saved(bool usethread, int nthread, int* size) {
  ncpu = nthread;
  mjSpec* s = spec_with_assets(usethread);
  mjModel* m = compile(s);
  *size = (int)mj_sizeModel(m);
  char* bytes = (char*)malloc((size_t)*size);
  mj_saveModel(m, NULL, bytes, *size);
  mj_deleteModel(m);
  mj_deleteSpec(s);
  return bytes;
}

static void threads_do_not_change_a_byte(void** state) {
  (void)state;
  int nalone, ncrew;
  char* alone = saved(false, 8, &nalone);
  for (int nthread = 2; nthread <= 8; nthread *= 2) {
    char* crew = saved(true, nthread, &ncrew);
    assert_int_equal(ncrew, nalone);
    assert_memory_equal(crew, alone, (size_t)nalone);
    free(crew);
  }
  free(alone);
}

// A mesh that cannot be compiled: fewer than four points.
static void break_mesh(mjSpec* s, int number) {
  static const float point[9] = {0};
  char name[16];
  snprintf(name, sizeof(name), "m%d", number);
  mjs_setFloat(mjs_asMesh(mjs_findElement(s, mjOBJ_MESH, name))->uservert, point, 3 * number / 2);
}

static void the_first_mistake_is_told_by_any_number_of_threads(void** state) {
  (void)state;
  char alone[1000] = "";
  for (int nthread = 1; nthread <= 8; nthread *= 2) {
    ncpu = nthread;
    mjSpec* s = spec_with_assets(true);
    break_mesh(s, 2);
    break_mesh(s, 4);
    assert_null(mj_compile(s, NULL));
    if (nthread == 1) {
      snprintf(alone, sizeof(alone), "%s", mjs_getError(s));
      assert_non_null(strstr(alone, "m2"));
    } else {
      assert_string_equal(mjs_getError(s), alone);
    }
    mj_deleteSpec(s);
  }
}

// Files are read one at a time, from a folder that all threads share.
static void threads_share_virtual_files(void** state) {
  (void)state;
  static const char tetrahedron[] =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mjSpec* s = mj_makeSpec();
  add_ball(s, 0);
  for (int i = 0; i < NMESH; i++) {
    char name[40];
    snprintf(name, sizeof(name), "file%d.obj", i);
    mj_addBufferVFS(&vfs, name, tetrahedron, (int)sizeof(tetrahedron) - 1);
    mjs_setString(mjs_addMesh(s, NULL)->file, name);
  }
  ncpu = 4;
  mjModel* m = mj_compile(s, &vfs);
  if (!m) fail_msg("%s", mjs_getError(s));
  assert_int_equal(m->nmesh, 1 + NMESH);
  for (int i = 1; i <= NMESH; i++) assert_int_equal(m->mesh_facenum[i], 4);
  mj_deleteModel(m);
  mj_deleteSpec(s);
  mj_deleteVFS(&vfs);
}

// A provider whose files end in an error, not in a refusal.
static int open_nothing(mjResource* resource) {
  (void)resource;
  mju_error("this provider fails");
  return 0;
}
static int read_nothing(mjResource* resource, const void** buffer) {
  (void)resource;
  *buffer = NULL;
  return 0;
}
static void close_nothing(mjResource* resource) {
  (void)resource;
}

static void a_provider_that_fails_does_not_block_the_others(void** state) {
  (void)state;
  mjpResourceProvider provider;
  mjp_defaultResourceProvider(&provider);
  provider.prefix = "failing";
  provider.open = open_nothing;
  provider.read = read_nothing;
  provider.close = close_nothing;
  assert_true(mjp_registerResourceProvider(&provider) > 0);
  mjSpec* s = mj_makeSpec();
  add_ball(s, 0);
  for (int i = 0; i < NMESH; i++) {
    char name[32];
    snprintf(name, sizeof(name), "failing:file%d.obj", i);
    mjs_setString(mjs_addMesh(s, NULL)->file, name);
  }
  ncpu = 4;
  expect_refusal(s, "this provider fails");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(threads_do_not_change_a_byte),
      cmocka_unit_test(the_first_mistake_is_told_by_any_number_of_threads),
      cmocka_unit_test(threads_share_virtual_files),
      cmocka_unit_test(a_provider_that_fails_does_not_block_the_others),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
