// R30.5: files of assets, good and bad ones. Files are made here and read through the virtual file
// system. Sanitizer builds show whether a bad one is read past its end.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "build.h"

typedef struct {
  unsigned char byte[4096];
  size_t size;
} File;

static void put_bytes(File* f, const void* bytes, size_t count) {
  if (count > sizeof(f->byte) - f->size) fail_msg("the file of the test is too large");
  memcpy(f->byte + f->size, bytes, count);
  f->size += count;
}

static void put_int(File* f, int32_t value) {
  put_bytes(f, &value, sizeof(value));
}

static void put_float(File* f, float value) {
  put_bytes(f, &value, sizeof(value));
}

static void put_text(File* f, const char* text) {
  put_bytes(f, text, strlen(text));
}

// Compiles an asset that is read from a file of this name; NULL, with the message, if it is
// refused.
static mjModel* load(const char* name, const File* f, const char* element, char* error, int size) {
  char xml[1000];
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  if (mj_addBufferVFS(&vfs, name, f->byte, (int)f->size) != 0) fail_msg("cannot add %s", name);
  snprintf(xml, sizeof(xml), "<mujoco><asset><%s name='a' file='%s'/></asset></mujoco>", element,
           name);
  mj_addBufferVFS(&vfs, "model.xml", xml, (int)strlen(xml));
  mjModel* m = mj_loadXML("model.xml", &vfs, error, size);
  mj_deleteVFS(&vfs);
  return m;
}

static mjModel* load_good(const char* name, const File* f, const char* element) {
  char error[1000] = "";
  mjModel* m = load(name, f, element, error, sizeof(error));
  if (!m) fail_msg("%s should be read: %s", name, error);
  return m;
}

static void expect_bad(const char* name, const File* f, const char* element, const char* part) {
  char error[1000] = "";
  mjModel* m = load(name, f, element, error, sizeof(error));
  if (m) fail_msg("%s should be refused: %s", name, part);
  if (!strstr(error, part)) fail_msg("\"%s\" should say: %s", error, part);
}

// Every beginning of a file must be refused or read, and never read past its end: the bytes end
// where their block ends.
static void try_all_beginnings(const char* name, const File* f, const char* element) {
  for (size_t size = 1; size < f->size; size++) {
    File* part = (File*)malloc(sizeof(File));
    memcpy(part->byte, f->byte, size);
    part->size = size;
    char error[1000] = "";
    mjModel* m = load(name, part, element, error, sizeof(error));
    if (!m && !error[0]) fail_msg("%zu bytes of %s are refused without a reason", size, name);
    mj_deleteModel(m);
    free(part);
  }
}

// Meshes

static const float corner[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int side[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};

static File make_stl(void) {
  File f = {.size = 80};
  put_int(&f, 4);
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 3; k++) put_float(&f, 0);
    for (int k = 0; k < 3; k++) put_bytes(&f, corner[side[i][k]], sizeof(corner[0]));
    put_bytes(&f, "\0\0", 2);
  }
  return f;
}

static File make_msh(void) {
  File f = {.size = 0};
  put_int(&f, 4);
  put_int(&f, 0);
  put_int(&f, 0);
  put_int(&f, 4);
  put_bytes(&f, corner, sizeof(corner));
  put_bytes(&f, side, sizeof(side));
  return f;
}

static File make_obj(void) {
  File f = {.size = 0};
  put_text(&f, "# a tetrahedron\nv 0 0 0\nv 1e0 0 0\r\nv 0 10.0E-1 0\nv 0 0 .1e+1 7\n");
  put_text(&f, "f 1 3 2\nf 1/1 2/2 4/3\nf -4 -1 -2\nl 1 2\nf 2//1 3//1 4//1\n");
  return f;
}

// The same tetrahedron in three formats: volume 1/6, centre 1/4.
static void meshes_of_three_formats_are_equal(void** state) {
  (void)state;
  File file[3] = {make_stl(), make_msh(), make_obj()};
  const char* name[3] = {"t.stl", "t.msh", "T.OBJ"};
  for (int i = 0; i < 3; i++) {
    mjModel* m = load_good(name[i], &file[i], "mesh");
    assert_int_equal(m->nmeshvert, 4);
    assert_int_equal(m->nmeshface, 4);
    EXPECT_NUMS(m->mesh_pos, 0.25, 0.25, 0.25);
    assert_string_equal(m->paths + m->mesh_pathadr[0], name[i]);
    mj_deleteModel(m);
  }
}

// Repeated vertices of an STL file become one, numbered by their first appearance.
static void meshes_of_one_file_are_the_same_if_their_settings_are(void** state) {
  (void)state;
  File f = make_obj();
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "t.obj", f.byte, (int)f.size);
  const char* xml =
      "<mujoco><asset><mesh name='a' file='t.obj'/><mesh name='b' file='t.obj' scale='2 2 2'/>"
      "<mesh name='c' file='t.obj'/><mesh name='d' file='t.obj' inertia='shell'/></asset>"
      "<worldbody><geom type='mesh' mesh='a'/><geom type='mesh' mesh='b'/><geom type='mesh' "
      "mesh='c'/><geom type='mesh' mesh='d'/></worldbody></mujoco>";
  mj_addBufferVFS(&vfs, "model.xml", xml, (int)strlen(xml));
  char error[500] = "";
  mjModel* m = mj_loadXML("model.xml", &vfs, error, sizeof(error));
  if (!m) fail_msg("%s", error);
  const float *a = m->mesh_vert + 3 * m->mesh_vertadr[0],
              *b = m->mesh_vert + 3 * m->mesh_vertadr[1],
              *c = m->mesh_vert + 3 * m->mesh_vertadr[2];
  for (int i = 0; i < 3 * m->mesh_vertnum[0]; i++) {
    assert_true(a[i] == c[i]);
    assert_float_equal(b[i], 2 * a[i], 1e-6);
  }
  assert_int_equal(m->mesh_graphadr[2], m->mesh_graphadr[1] + m->mesh_graphadr[1]);
  assert_memory_equal(m->mesh_graph + m->mesh_graphadr[0], m->mesh_graph + m->mesh_graphadr[2],
                      (size_t)m->mesh_graphadr[1] * sizeof(int));
  assert_true(m->geom_rbound[0] == m->geom_rbound[2]);
  assert_true(m->mesh_pos[9] != m->mesh_pos[0]);  // a shell balances elsewhere
  mj_deleteModel(m);
  mj_deleteVFS(&vfs);
}

static void vertices_of_stl_are_merged(void** state) {
  (void)state;
  File f = make_stl();
  mjModel* m = load_good("t.stl", &f, "mesh");
  EXPECT_INTS(m->mesh_face, 0, 1, 2, 0, 2, 3, 0, 3, 1, 2, 1, 3);
  mj_deleteModel(m);
}

static void faces_of_obj_are_cut_by_their_ears(void** state) {
  (void)state;
  File f = {.size = 0};
  put_text(&f,
           "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n");
  put_text(&f, "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n");
  put_text(&f, "g second\nf 1 2 3\n");
  mjModel* m = load_good("t.obj", &f, "mesh");
  assert_int_equal(m->nmeshface, 12);
  EXPECT_INTS(m->mesh_face, 3, 2, 1, 3, 1, 0, 4, 5, 6, 4, 6, 7);
  assert_int_equal(m->nmeshpoly, 6);
  mj_deleteModel(m);
}

// A tetrahedron and a ring beside it: one of 100 corners is cut
// into 98 triangles, one of 101 is left out, as in the reference. Its vertices stay.
static void faces_of_obj_with_more_than_a_hundred_corners_are_left_out(void** state) {
  (void)state;
  for (int n = 100; n <= 101; n++) {
    File f = {.size = 0};
    char text[64];
    put_text(&f, "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n");
    for (int k = 0; k < n; k++) {
      snprintf(text, sizeof(text), "v %.6f %.6f 2\n", cos(k * 6.283185 / n), sin(k * 6.283185 / n));
      put_text(&f, text);
    }
    put_text(&f, "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nf");
    for (int k = 0; k < n; k++) {
      snprintf(text, sizeof(text), " %d", 5 + k);
      put_text(&f, text);
    }
    mjModel* m = load_good("t.obj", &f, "mesh");
    assert_int_equal(m->nmeshvert, n + 4);
    assert_int_equal(m->nmeshface, n == 100 ? 102 : 4);
    mj_deleteModel(m);
  }
}

// However many corners a face has, reading it takes time and memory like its text: a million cut by
// their ears, or remembered in a list that is searched, would take hours.
static void a_face_of_obj_with_a_million_corners_takes_no_longer_than_its_text(void** state) {
  (void)state;
  enum { CORNERS = 1000000 };
  static const char solid[] =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nf";
  size_t start = sizeof(solid) - 1, size = start + 2 * CORNERS;
  char* text = (char*)malloc(size);
  memcpy(text, solid, start);
  for (size_t k = 0; k < CORNERS; k++) {
    text[start + 2 * k] = ' ';
    text[start + 2 * k + 1] = (char)('1' + k % 4);
  }
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  assert_int_equal(mj_addBufferVFS(&vfs, "t.obj", text, (int)size), 0);
  mjSpec* s = mj_makeSpec();
  mjs_setString(mjs_addMesh(s, NULL)->file, "t.obj");
  clock_t before = clock();
  mjModel* m = mj_compile(s, &vfs);
  double seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
  if (!m) fail_msg("%s", mjs_getError(s));
  assert_int_equal(m->nmeshface, 4);
  if (seconds > 10) fail_msg("took %g seconds of processor time", seconds);
  mj_deleteModel(m);
  mj_deleteSpec(s);
  mj_deleteVFS(&vfs);
  free(text);
}

static void bad_meshes_are_refused(void** state) {
  (void)state;
  File f = make_stl();
  f.size--;
  expect_bad("t.stl", &f, "mesh",
             "not a binary STL file: its number of triangles, at byte 80, does not make its 283");
  f = make_stl();
  memset(f.byte + 80, 0x7f, 4);
  expect_bad("t.stl", &f, "mesh", "byte 80");
  f = make_stl();
  memset(f.byte + 96, 0xff, 4);
  expect_bad("t.stl", &f, "mesh", "byte 96: coordinate");

  f = make_msh();
  memset(f.byte + 12, 0x7f, 4);
  expect_bad("t.msh", &f, "mesh", "not an MSH file: its numbers of parts");
  f = make_msh();
  put_int(&f, 0);
  expect_bad("t.msh", &f, "mesh", "do not make its 116 bytes");
  f = make_msh();
  memset(f.byte + 64, 0x7f, 4);
  expect_bad("t.msh", &f, "mesh", "triangle 0 has vertex");

  f = make_obj();
  put_text(&f, "f 1 2 0\n");
  expect_bad("t.obj", &f, "mesh", "t.obj:11: indices of faces count from 1");
  f = make_obj();
  put_text(&f, "f 1 2 3 9\n");
  expect_bad("t.obj", &f, "mesh", "a vertex that is not there");
  f = (File){.size = 0};
  put_text(&f, "v 1 1 1e999\nv 0 0 0\nv 1 0 0\nv 0 1 0\n");
  expect_bad("t.obj", &f, "mesh", "not a finite number");
  expect_bad("t.ply", &f, "mesh", "STL, OBJ and MSH");
  f = make_obj();
  expect_bad("t.obj", &f, "mesh texcoord='0 0 1 0 0 1'",
             "mesh \"a\": triangle 1 has texture coordinate 3");
}

// A model from elsewhere may name any file as an asset, and its sender may see the message.
static void files_that_are_no_assets_are_not_quoted(void** state) {
  (void)state;
  static const char* const ways[][2] = {
      {"t.stl", "mesh"},
      {"t.obj", "mesh"},
      {"t.msh", "mesh"},
      {"t.ply", "mesh"},
      {"t.skn", "skin"},
      {"t.bin", "texture type='2d'"},
      {"t", "mesh"},
      {"t.png", "texture type='2d'"},
      {"t", "hfield size='1 1 1 1'"},
      {"t.png", "hfield size='1 1 1 1'"},
  };
  File f = {.size = 0};
  put_text(&f,
           "root:x:0:0:root:/root:/bin/bash\ndaemon:x:1:1:daemon:/usr/sbin:/usr/sbin/nologin\n"
           "bin:x:2:2:bin:/bin:/usr/sbin/nologin\n");
  for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
    char error[500] = "", number[20];
    mjModel* m = load(ways[i][0], &f, ways[i][1], error, sizeof(error));
    assert_null(m);
    assert_true(error[0] != 0);
    if (strstr(error, "root") || strstr(error, "daemon")) fail_msg("quotes: %s", error);
    for (size_t k = 0; k + 4 <= f.size; k += 4) {
      int32_t value;
      memcpy(&value, f.byte + k, 4);
      snprintf(number, sizeof(number), "%d", value);
      if (strstr(error, number)) fail_msg("quotes byte %zu: %s", k, error);
    }
  }
}

static void truncated_meshes_do_no_harm(void** state) {
  (void)state;
  File f = make_stl();
  try_all_beginnings("t.stl", &f, "mesh");
  f = make_msh();
  try_all_beginnings("t.msh", &f, "mesh");
  f = make_obj();
  try_all_beginnings("t.obj", &f, "mesh");
}

// Pictures

// 2 x 2 pixels: red, green / blue, white; 8 bits of RGB.
static const unsigned char png[] = {
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44,
    0x52, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x02, 0x08, 0x02, 0x00, 0x00, 0x00, 0xfd,
    0xd4, 0x9a, 0x73, 0x00, 0x00, 0x00, 0x12, 0x49, 0x44, 0x41, 0x54, 0x78, 0xda, 0x63, 0xf8,
    0xcf, 0xc0, 0xc0, 0x00, 0xc2, 0x0c, 0xff, 0x81, 0x00, 0x00, 0x1f, 0xee, 0x05, 0xfb, 0xf1,
    0xab, 0xba, 0x77, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82};

static File make_png(void) {
  File f = {.size = 0};
  put_bytes(&f, png, sizeof(png));
  return f;
}

static void pictures_become_textures(void** state) {
  (void)state;
  File f = make_png();
  mjModel* m = load_good("t.png", &f, "texture type='2d' vflip='true'");
  EXPECT_INTS(m->tex_data, 0, 0, 255, 255, 255, 255, 255, 0, 0, 0, 255, 0);
  assert_int_equal(m->tex_colorspace[0], mjCOLORSPACE_LINEAR);
  mj_deleteModel(m);
  m = load_good("t.png", &f, "texture type='2d' nchannel='4' hflip='true'");
  EXPECT_INTS(m->tex_data, 0, 255, 0, 255, 255, 0, 0, 255, 255, 255, 255, 255, 0, 0, 255, 255);
  mj_deleteModel(m);
  m = load_good("t.png", &f,
                "texture type='cube' gridsize='2 2' gridlayout='RL.B' rgb1='.1 .2 .3'");
  assert_int_equal(m->tex_height[0], 6);
  EXPECT_INTS(m->tex_data, 255, 0, 0, 0, 255, 0, 25, 51, 76, 25, 51, 76, 25, 51, 76, 255, 255, 255);
  mj_deleteModel(m);
}

// The near row of a height field is the lower one of its picture; grey is the red of a picture.
static void pictures_become_height_fields(void** state) {
  (void)state;
  File f = make_png();
  mjModel* m = load_good("t.png", &f, "hfield size='1 1 1 1'");
  EXPECT_NUMS(m->hfield_data, 0, 1, 1, 0);
  mj_deleteModel(m);
}

static void raw_files_are_read(void** state) {
  (void)state;
  File f = {.size = 0};
  put_int(&f, 2);
  put_int(&f, 1);
  put_float(&f, 3);
  put_float(&f, 5);
  mjModel* m = load_good("t.bin", &f, "hfield size='1 1 1 1'");
  EXPECT_NUMS(m->hfield_data, 0, 1);
  assert_int_equal(m->hfield_nrow[0], 2);
  mj_deleteModel(m);
  f.size = 14;  // 2 x 1 pixels of 3 bytes
  m = load_good("t.bin", &f, "texture type='2d'");
  assert_int_equal(m->tex_width[0], 2);
  assert_int_equal(m->ntexdata, 6);
  mj_deleteModel(m);
  try_all_beginnings("t.bin", &f, "hfield size='1 1 1 1'");
  f.size = 15;
  expect_bad("t.bin", &f, "texture type='2d'",
             "not a texture: its width and height, at its beginning, do not make its 15");
  memset(f.byte, 0x7f, 8);
  expect_bad("t.bin", &f, "texture type='2d'", "do not make");
  expect_bad("t.bin", &f, "hfield size='1 1 1 1'", "do not make");
}

static void bad_pictures_are_refused(void** state) {
  (void)state;
  File f = make_png();
  try_all_beginnings("t.png", &f, "texture type='2d'");
  memset(f.byte + 16, 0x3f, 8);
  expect_bad("t.png", &f, "texture type='2d'", "too few bytes for its width and height");
  f = make_png();
  f.byte[45] ^= 1;
  expect_bad("t.png", &f, "texture type='2d'", "t.png");
  f.byte[0] = 0;
  expect_bad("t.png", &f, "texture type='2d'", "it is not a PNG file");
  f = make_png();
  expect_bad("t.png", &f, "texture type='cube' gridsize='1 2'", "cannot be cut");
}

// Skins

static File make_skn(void) {
  File f = {.size = 0};
  char body[40] = "world";
  put_int(&f, 3);
  put_int(&f, 0);
  put_int(&f, 1);
  put_int(&f, 1);
  for (int i = 0; i < 3; i++) put_bytes(&f, corner[i], sizeof(corner[0]));
  put_bytes(&f, side[0], sizeof(side[0]));
  put_bytes(&f, body, sizeof(body));
  for (int i = 0; i < 3; i++) put_float(&f, 0);
  for (int i = 0; i < 4; i++) put_float(&f, 1);
  put_int(&f, 3);
  for (int i = 0; i < 3; i++) put_int(&f, i);
  for (int i = 0; i < 3; i++) put_float(&f, (float)(i + 1));
  return f;
}

static void skins_are_read(void** state) {
  (void)state;
  File f = make_skn();
  mjModel* m = load_good("s.skn", &f, "skin");
  assert_int_equal(m->nskinvert, 3);
  EXPECT_NUMS(m->skin_bonevertweight, 1, 1, 1);
  EXPECT_NUMS(m->skin_bonebindquat, 0.5, 0.5, 0.5, 0.5);
  mj_deleteModel(m);
  try_all_beginnings("s.skn", &f, "skin");
  put_int(&f, 0);
  expect_bad("s.skn", &f, "skin", "there is more behind the last bone");
  f = make_skn();
  memset(f.byte + 12, 0x1f, 4);
  expect_bad("s.skn", &f, "skin", "not a skin: from byte 64 on it lacks bones");
  f = make_skn();
  f.byte[f.size - 16] = 9;
  expect_bad("s.skn", &f, "skin", "has vertex 9; there are 3");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(meshes_of_three_formats_are_equal),
      cmocka_unit_test(vertices_of_stl_are_merged),
      cmocka_unit_test(meshes_of_one_file_are_the_same_if_their_settings_are),
      cmocka_unit_test(faces_of_obj_are_cut_by_their_ears),
      cmocka_unit_test(faces_of_obj_with_more_than_a_hundred_corners_are_left_out),
      cmocka_unit_test(a_face_of_obj_with_a_million_corners_takes_no_longer_than_its_text),
      cmocka_unit_test(bad_meshes_are_refused),
      cmocka_unit_test(files_that_are_no_assets_are_not_quoted),
      cmocka_unit_test(truncated_meshes_do_no_harm),
      cmocka_unit_test(pictures_become_textures),
      cmocka_unit_test(pictures_become_height_fields),
      cmocka_unit_test(raw_files_are_read),
      cmocka_unit_test(bad_pictures_are_refused),
      cmocka_unit_test(skins_are_read),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
