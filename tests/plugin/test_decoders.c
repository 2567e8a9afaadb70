// R30.2: decoders of STL and OBJ files, by the public table of decoders: what they make of a file,
// who is asked, and what is refused.

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins.h"
#include "support/fail.h"

static char warning[600];

static void keep_warning(const char* message) {
  snprintf(warning, sizeof(warning), "%s", message);
}

static const char tetrahedron[] =
    "# corners, then faces\n"
    "o thing\r\n"
    "v 0 0 0\n v 1 0 0\nv 0 1 0\nv 0 0 2\n"
    "f 1 3 2\nf 1 2 4\nf -4 -1 -2\nf 2 3 4\n";

static const char prism_with_a_dent[] =
    "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 1 .5 0\nv 0 2 0\n"
    "v 0 0 1\nv 2 0 1\nv 2 2 1\nv 1 .5 1\nv 0 2 1\n"
    "f 5 4 3 2 1\nf 6 7 8 9 10\nf 1 2 7 6\nf 2 3 8 7\nf 3 4 9 8\nf 4 5 10 9\nf 5 1 6 10\n";

static const char text_stl[] =
    "solid s\n"
    "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\nendloop\nendfacet\n"
    "facet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 0 2\nendloop\nendfacet\n"
    "facet normal 0 0 0\nouter loop\nvertex -0 0 0\nvertex 0 0 2\nvertex 0 1 0\nendloop\nendfacet\n"
    "facet normal 0 0 0\nouter loop\nvertex 1 0 0\nvertex 0 1 0\nvertex 0 0 2\nendloop\nendfacet\n"
    "endsolid\n";

// The same four triangles in binary.
static size_t make_binary(char bytes[84 + 4 * 50]) {
  static const float corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 2}};
  static const int face[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
  memset(bytes, 0, 84 + 4 * 50);
  bytes[80] = 4;
  for (int t = 0; t < 4; t++) {
    for (int c = 0; c < 3; c++) memcpy(bytes + 84 + 50 * t + 12 + 12 * c, corner[face[t][c]], 12);
  }
  return 84 + 4 * 50;
}

static mjSpec* parse(const char* name, const void* bytes, size_t size, const char* type) {
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  warning[0] = 0;
  mju_user_warning = keep_warning;
  if (bytes) assert_int_equal(mj_addBufferVFS(&vfs, name, bytes, (int)size), 0);
  char error[300] = "";
  mjSpec* spec = mj_parse(name, type, &vfs, error, sizeof(error));
  assert_true(spec || error[0]);
  mj_deleteVFS(&vfs);
  return spec;
}

static mjModel* model_of(const char* name, const void* bytes, size_t size, const char* type) {
  mjSpec* spec = parse(name, bytes, size, type);
  if (!spec) fail_msg("%s: %s", name, warning);
  mjModel* m = mj_compile(spec, NULL);  // the bytes are gone: the spec has all it needs
  if (!m) fail_msg("%s: %s", name, mjs_getError(spec));
  mj_deleteSpec(spec);
  return m;
}

// The model in which the mesh is read by the compiler's own reader.
static mjModel* model_by_file(const char* name, const void* bytes, size_t size) {
  static const char xml[] =
      "<mujoco><asset><mesh name='part' file='%s'/></asset><worldbody><body name='part'>"
      "<geom type='mesh' mesh='part'/></body></worldbody></mujoco>";
  char text[400], error[300] = "";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  snprintf(text, sizeof(text), xml, name);
  mj_addBufferVFS(&vfs, name, bytes, (int)size);
  mj_addBufferVFS(&vfs, "m.xml", text, (int)strlen(text));
  mjModel* m = mj_loadXML("m.xml", &vfs, error, sizeof(error));
  if (!m) fail_msg("%s", error);
  mj_deleteVFS(&vfs);
  return m;
}

static void expect_same_mesh(const mjModel* a, const mjModel* b) {
  assert_int_equal(a->nbody, 2);
  assert_int_equal(a->nmesh, 1);
  assert_int_equal(a->nmeshvert, b->nmeshvert);
  assert_int_equal(a->nmeshface, b->nmeshface);
  for (mjtSize i = 0; i < 3 * a->nmeshvert; i++) {
    if (!(fabsf(a->mesh_vert[i] - b->mesh_vert[i]) < 1e-6f)) {
      fail_msg("mesh_vert[%d] is %g, expected %g", (int)i, (double)a->mesh_vert[i],
               (double)b->mesh_vert[i]);
    }
  }
  if (!(fabs((double)(a->body_mass[1] / b->body_mass[1]) - 1) < 1e-6))
    fail_msg("mass %g, expected %g", (double)a->body_mass[1], (double)b->body_mass[1]);
}

static void a_file_becomes_a_body_with_its_mesh(void** state) {
  (void)state;
  char binary[84 + 4 * 50];
  size_t size = make_binary(binary);
  const struct {
    const char *name, *type;
    const void* bytes;
    size_t size;
  } file[] = {{"part.obj", NULL, tetrahedron, sizeof(tetrahedron) - 1},
              {"part.obj", "", prism_with_a_dent, sizeof(prism_with_a_dent) - 1},
              {"part.bin", "model/obj", tetrahedron, sizeof(tetrahedron) - 1},
              {"part.stl", NULL, binary, size},
              {"part.STL", "model/nonsense", binary, size},
              {"part.bin", "model/stl", text_stl, sizeof(text_stl) - 1}};
  for (size_t i = 0; i < sizeof(file) / sizeof(file[0]); i++) {
    mjModel* m = model_of(file[i].name, file[i].bytes, file[i].size, file[i].type);
    assert_string_equal(mj_id2name(m, mjOBJ_BODY, 1), "part");
    assert_string_equal(mj_id2name(m, mjOBJ_MESH, 0), "part");
    bool stl = i >= 3;
    mjModel* by_file = model_by_file(stl ? "part.stl" : "part.obj", stl ? binary : file[i].bytes,
                                     stl ? size : file[i].size);
    expect_same_mesh(m, by_file);
    mj_deleteModel(by_file);
    mj_deleteModel(m);
  }
}

static double volume_of(const mjModel* m) {
  double sum = 0;
  for (mjtSize f = 0; f < m->nmeshface; f++) {
    const float* v[3];
    for (int i = 0; i < 3; i++) v[i] = m->mesh_vert + 3 * m->mesh_face[3 * f + i];
    for (int i = 0; i < 3; i++) {
      int j = (i + 1) % 3, k = (i + 2) % 3;
      sum += (double)v[0][i] * ((double)v[1][j] * v[2][k] - (double)v[1][k] * v[2][j]) / 6;
    }
  }
  return sum;
}

// Two polygons with a dent, which a fan of triangles would fill.
static void dented_faces_are_cut_along_their_dent(void** state) {
  (void)state;
  mjModel* m = model_of("part.obj", prism_with_a_dent, sizeof(prism_with_a_dent) - 1, NULL);
  assert_int_equal(m->nmeshface, 2 * 3 + 5 * 2);
  double expected = 4 - 1.5;  // a square less a triangle, one high
  if (!(fabs(volume_of(m) - expected) < 1e-5)) {
    fail_msg("volume %g, expected %g", volume_of(m), expected);
  }
  for (int f = 0; f < 3; f++) {  // of the lower side, whose triangles all look down
    const float* v[3];
    for (int i = 0; i < 3; i++) v[i] = m->mesh_vert + 3 * m->mesh_face[3 * f + i];
    double look[3], side[2][3], down[3];
    for (int i = 0; i < 3; i++) {
      side[0][i] = (double)v[1][i] - v[0][i];
      side[1][i] = (double)v[2][i] - v[0][i];
    }
    for (int i = 0; i < 3; i++) {
      int j = (i + 1) % 3, k = (i + 2) % 3;
      look[i] = side[0][j] * side[1][k] - side[0][k] * side[1][j];
      // from the first vertex of the upper side to that of the lower one
      down[i] = (double)m->mesh_vert[i] - m->mesh_vert[3 * 5 + i];
    }
    assert_true(look[0] * down[0] + look[1] * down[1] + look[2] * down[2] > 0);
  }
  mj_deleteModel(m);
}

static void texture_coordinates_and_normals_come_if_every_corner_has_them(void** state) {
  (void)state;
  static const char whole[] =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 2\nvt 0 .25\nvt 1 1\nvn 0 0 1\n"
      "f 1/1/1 3/2/1 2/1/1\nf 1/1/1 2/2/1 4/1/1\nf 1/1/1 4/2/1 3/1/1\nf 2/1/1 3/2/1 4/1/1\n";
  mjModel* m = model_of("part.obj", whole, sizeof(whole) - 1, NULL);
  assert_int_equal(m->nmeshtexcoord, 2);
  assert_true(m->mesh_texcoord[1] == 0.75f);
  assert_int_equal(m->nmeshnormal, 1);
  mj_deleteModel(m);

  char partly[sizeof(whole)];
  memcpy(partly, whole, sizeof(whole));
  memcpy(strstr(partly, "2/1/1\nf"), "2    \n", 6);
  m = model_of("part.obj", partly, sizeof(partly) - 1, NULL);
  assert_int_equal(m->nmeshtexcoord, 0);
  mj_deleteModel(m);
}

static void decoded_files_can_be_attached_as_models(void** state) {
  (void)state;
  static const char xml[] =
      "<mujoco><asset><model name='m' file='part.obj'/></asset><worldbody>"
      "<attach model='m' body='part' prefix='one_'/></worldbody></mujoco>";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "part.obj", tetrahedron, sizeof(tetrahedron) - 1);
  mj_addBufferVFS(&vfs, "m.xml", xml, sizeof(xml) - 1);
  char error[300] = "";
  mjModel* m = mj_loadXML("m.xml", &vfs, error, sizeof(error));
  if (!m) fail_msg("%s", error);
  assert_int_equal(mj_name2id(m, mjOBJ_BODY, "one_part"), 1);
  assert_int_equal(mj_name2id(m, mjOBJ_MESH, "one_part"), 0);
  mj_deleteModel(m);
  mj_deleteVFS(&vfs);
}

static void meshes_of_models_keep_the_reader_of_the_compiler(void** state) {
  (void)state;
  static const char two[] =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
      "o more\nv 5 5 5\nv 6 5 5\nv 5 6 5\nf 5 6 7\n";
  mjModel* decoded = model_of("part.obj", two, sizeof(two) - 1, NULL);
  mjModel* by_file = model_by_file("part.obj", two, sizeof(two) - 1);
  assert_int_equal(decoded->nmeshface, 5);  // all of it
  assert_int_equal(by_file->nmeshface, 4);  // the first shape, as in the reference
  mj_deleteModel(decoded);
  mj_deleteModel(by_file);
}

static void expect_refusal(const char* name, const void* bytes, size_t size, const char* why) {
  mjSpec* spec = parse(name, bytes, size, NULL);
  if (spec) fail_msg("%s is taken, expected \"%s\"", name, why);
  if (!strstr(warning, why)) fail_msg("says \"%s\", expected \"%s\"", warning, why);
  if (!strstr(warning, name)) fail_msg("says \"%s\", without the name of the file", warning);
}

#define EXPECT_REFUSAL(name_, text_, why_) expect_refusal(name_, text_, sizeof(text_) - 1, why_)

static void what_cannot_be_decoded_is_refused_with_its_place(void** state) {
  (void)state;
  EXPECT_REFUSAL("a.obj", "v 0 0 0\nv 1 x 0\n", "line 2: 3 numbers are needed");
  EXPECT_REFUSAL("a.obj", "v 0 0 0\nv 1 inf 0\n", "line 2: 3 numbers are needed");
  EXPECT_REFUSAL("a.obj", "v 0 0 0\nf 1 1 2\n", "line 2: a face names one that is not there");
  EXPECT_REFUSAL("a.obj", "v 0 0 0\nf 1 1 -2\n", "line 2: a face names one that is not there");
  EXPECT_REFUSAL("a.obj", "v 0 0 0\nf 1/1 1 1\n", "there are 0");
  EXPECT_REFUSAL("a.obj", "v 0 0 0\nf 1 1\n", "line 2: a face has at least three corners");
  EXPECT_REFUSAL("a.obj", "v 0 0 0\nf 1 1 1x\n", "i, i/j, i//k or i/j/k");
  EXPECT_REFUSAL("a.obj", "v 0 0 0\n", "has no triangles");
  EXPECT_REFUSAL("a.stl", "solid s\nvertex 0 0\nendloop\n", "line 3: a vertex needs three numbers");
  EXPECT_REFUSAL("a.stl", "solid s\nvertex 0 0 0\nendloop\n", "a facet has three corners, not 1");
  EXPECT_REFUSAL("a.stl", "solid s\nvertex 0 0 0\n", "ends inside a facet");
  EXPECT_REFUSAL("a.stl", "solid s\nendsolid\n", "has no triangles");
  EXPECT_REFUSAL("a.stl", "something else", "is not an STL file");
  char binary[84 + 4 * 50];
  size_t size = make_binary(binary);
  expect_refusal("a.stl", binary, size - 1, "is not an STL file");
  const float wrong = NAN;
  memcpy(binary + 84 + 50 + 12, &wrong, 4);
  expect_refusal("a.stl", binary, size, "not finite, in triangle 1");
  expect_refusal("missing.stl", NULL, 0, "cannot be read");
}

static int register_decoders(void** state) {
  (void)state;
  register_stl();
  register_obj();
  return 0;
}

// A round plate, as one face of n corners; with a dent, one of them is in the middle.
static char* make_plate(int n, bool dent, size_t* size) {
  char* text = (char*)malloc((size_t)n * 80 + 100);
  size_t used = 0;
  for (int i = 0; i < n; i++) {
    double angle = 6.283185307179586 * i / n, r = dent && i == 7 ? 0 : 1;
    used += (size_t)sprintf(text + used, "v %.9f %.9f 0\n", r * cos(angle), r * sin(angle));
  }
  used += (size_t)sprintf(text + used, "v 0 0 1\nf");
  for (int i = n; i > 0; i--) used += (size_t)sprintf(text + used, " %d", i);
  for (int i = 1; i <= n; i++) {
    used += (size_t)sprintf(text + used, "\nf %d %d %d", i, i % n + 1, n + 1);
  }
  *size = used;
  return text;
}

// R0.2: the time does not grow faster than the file, or the face is refused; with ears for all of
// them these plates would take hours.
static void faces_with_many_corners_take_no_longer_than_their_text(void** state) {
  (void)state;
  size_t size;
  char* plate = make_plate(500, false, &size);
  mjModel* m = model_of("plate.obj", plate, size, NULL);
  assert_int_equal(m->mesh_facenum[0], 498 + 500);
  mj_deleteModel(m);
  free(plate);
  plate = make_plate(200000, false, &size);
  mjSpec* spec = parse("plate.obj", plate, size, NULL);
  if (!spec) fail_msg("%s", warning);
  mj_deleteSpec(spec);
  free(plate);
  plate = make_plate(200000, true, &size);
  expect_refusal("plate.obj", plate, size, "a face with dents has at most 100 corners, not 200000");
  free(plate);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_file_becomes_a_body_with_its_mesh),
      cmocka_unit_test(dented_faces_are_cut_along_their_dent),
      cmocka_unit_test(texture_coordinates_and_normals_come_if_every_corner_has_them),
      cmocka_unit_test(decoded_files_can_be_attached_as_models),
      cmocka_unit_test(meshes_of_models_keep_the_reader_of_the_compiler),
      cmocka_unit_test(faces_with_many_corners_take_no_longer_than_their_text),
      cmocka_unit_test(what_cannot_be_decoded_is_refused_with_its_place),
  };
  return cmocka_run_group_tests(tests, register_decoders, NULL);
}
