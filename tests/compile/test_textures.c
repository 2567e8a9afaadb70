// R30.5: built-in textures, materials, height fields and skins without files. Numbers are the
// reference's.

#include "build.h"

static mjsTexture* add_texture(mjSpec* s, mjtTexture type, int builtin, int width, int height) {
  mjsTexture* t = mjs_addTexture(s);
  mjs_setName(t->element, "t");
  t->type = type;
  t->builtin = builtin;
  t->width = width;
  t->height = height;
  return t;
}

static void expect_reds(const mjModel* m, int first, const int* expected, int count) {
  for (int i = 0; i < count; i++) {
    int red = m->tex_data[3 * (first + i)];
    if (red != expected[i]) fail_msg("red of pixel %d is %d, not %d", first + i, red, expected[i]);
  }
}

static void gradients_are_the_references(void** state) {
  (void)state;
  const int flat[15] = {0, 0, 0, 0, 0, 0, 127, 255, 127, 0, 0, 0, 0, 0, 0};
  const int side[9] = {193, 208, 193, 127, 127, 127, 61, 46, 61};
  const int up[9] = {193, 208, 193, 208, 255, 208, 193, 208, 193};
  const int down[9] = {61, 46, 61, 46, 0, 46, 61, 46, 61};
  mjSpec* s = mj_makeSpec();
  mjsTexture* t = add_texture(s, mjTEXTURE_2D, mjBUILTIN_GRADIENT, 5, 3);
  set3(t->rgb1, 1, 0, 0);
  set3(t->rgb2, 0, 0, 1);
  mjModel* m = compile(s);
  expect_reds(m, 0, flat, 15);
  mj_deleteModel(m);
  t->type = mjTEXTURE_CUBE;
  t->width = 3;
  m = compile(s);
  assert_int_equal(m->tex_height[0], 18);
  expect_reds(m, 0, side, 9);
  expect_reds(m, 18, up, 9);
  expect_reds(m, 27, down, 9);
  expect_reds(m, 45, side, 9);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

// Dots are drawn by MT19937-64 with seed 42.
static void random_marks_are_the_references(void** state) {
  (void)state;
  const int dots[9] = {5, 10, 18, 19, 25, 34, 39, 51, 52};
  mjSpec* s = mj_makeSpec();
  mjsTexture* t = add_texture(s, mjTEXTURE_2D, mjBUILTIN_FLAT, 8, 8);
  t->mark = mjMARK_RANDOM;
  t->random = 0.1;
  set3(t->markrgb, 1, 1, 1);
  mjModel* m = compile(s);
  int found = 0;
  for (int i = 0; i < 64; i++) {
    if (m->tex_data[3 * i] != 255) continue;
    if (found == 9 || dots[found] != i) fail_msg("pixel %d should not be marked", i);
    found++;
  }
  assert_int_equal(found, 9);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

// Colours outside 0..1 wrap around.
static void checkers_change_colours_on_front_and_back(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  mjsTexture* t = add_texture(s, mjTEXTURE_SKYBOX, mjBUILTIN_CHECKER, 2, 0);
  set3(t->rgb1, 1.5, -0.2, 0.1);
  set3(t->rgb2, 0, 0, 0);
  mjModel* m = compile(s);
  EXPECT_INTS(m->tex_data, 126, 205, 25, 0, 0, 0, 0, 0, 0, 126, 205, 25);
  EXPECT_INTS(m->tex_data + 48, 0, 0, 0, 126, 205, 25, 126, 205, 25, 0, 0, 0);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void bad_textures_are_refused(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  add_texture(s, mjTEXTURE_2D, mjBUILTIN_FLAT, 0, 4);
  expect_refusal(s, "positive width");
  s = mj_makeSpec();
  add_texture(s, mjTEXTURE_CUBE, mjBUILTIN_FLAT, 0x7fffffff, 0);
  expect_refusal(s, "too large");
  s = mj_makeSpec();
  add_texture(s, mjTEXTURE_2D, mjBUILTIN_FLAT, 0x7fffffff, 0x7fffffff);
  expect_refusal(s, "too many");
  s = mj_makeSpec();
  add_texture(s, mjTEXTURE_2D, mjBUILTIN_FLAT, 4, 4)->nchannel = 1;
  expect_refusal(s, "needs 3 channels");
  s = mj_makeSpec();
  add_texture(s, mjTEXTURE_CUBE, mjBUILTIN_NONE, 4, 4);
  expect_refusal(s, "needs a pattern (builtin) or a file");
}

// The size is looked at before the bytes, which are not there.
static void a_texture_may_be_larger_than_two_gigabytes(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  mjsTexture* t = add_texture(s, mjTEXTURE_2D, mjBUILTIN_NONE, 40000, 20000);
  unsigned char byte = 0;
  mjs_setBuffer(t->data, &byte, 1);
  expect_refusal(s, "data has 1 bytes, but width x height x nchannel is 2400000000");
  s = mj_makeSpec();
  add_texture(s, mjTEXTURE_CUBE, mjBUILTIN_FLAT, 40000, 0);
  expect_refusal(s, "40000 x 240000 x 3 bytes are too many");
}

static void materials_point_at_textures_by_role(void** state) {
  (void)state;
  mjSpec* s = mj_makeSpec();
  add_texture(s, mjTEXTURE_2D, mjBUILTIN_FLAT, 1, 1);
  mjsMaterial* material = mjs_addMaterial(s, NULL);
  mjs_setName(material->element, "m");
  mjs_setInStringVec(material->textures, mjTEXROLE_RGB, "t");
  mjModel* m = compile(s);
  EXPECT_INTS(m->mat_texid, -1, 0, -1, -1, -1, -1, -1, -1, -1, -1);
  EXPECT_NUMS(m->mat_specular, 0.5);
  EXPECT_NUMS(m->mat_metallic, -1);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

static void heights_are_normalised(void** state) {
  (void)state;
  const float height[6] = {4, 5, 9, 1, 2, 3};
  mjSpec* s = mj_makeSpec();
  mjsHField* h = mjs_addHField(s);
  mjs_setName(h->element, "h");
  h->nrow = 2;
  h->ncol = 3;
  const double size[4] = {1, 2, 3, 4};
  memcpy(h->size, size, sizeof(size));
  mjs_setFloat(h->userdata, height, 6);
  mjsGeom* geom = add_geom(world_of(s), NULL, mjGEOM_HFIELD, 0, 0, 0);
  mjs_setString(geom->hfieldname, "h");
  mjModel* m = compile(s);
  EXPECT_NUMS(m->hfield_data, 0.375, 0.5, 1, 0, 0.125, 0.25);
  EXPECT_NUMS(m->geom_size, 1, 2, 2.75);
  EXPECT_NUMS(m->geom_aabb, 0, 0, -0.5, 1, 2, 3.5);
  EXPECT_NUMS(m->geom_rbound, 4.58257569496);
  mj_deleteModel(m);
  h->nrow = 3;
  expect_refusal(s, "6 heights are given, nrow x ncol is 9");
}

static void weights_of_skins_are_shared(void** state) {
  (void)state;
  const char* xml =
      "<mujoco><deformable><skin name='s' vertex='0 0 0 1 0 0 0 1 0 1 1 0' face='0 1 2'>"
      "<bone body='world' bindpos='0 0 0' bindquat='1 1 1 1' vertid='0 1 2' vertweight='1 2 3'/>"
      "<bone body='world' bindpos='0 0 0' bindquat='1 0 0 0' vertid='2 3' vertweight='1 .5'/>"
      "</skin></deformable></mujoco>";
  char error[500] = "";
  mjSpec* s = mj_parseXMLString(xml, NULL, error, sizeof(error));
  if (!s) fail_msg("%s", error);
  mjModel* m = compile(s);
  EXPECT_NUMS(m->skin_bonevertweight, 1, 1, 0.75, 0.25, 1);
  EXPECT_NUMS(m->skin_bonebindquat, 0.5, 0.5, 0.5, 0.5);
  EXPECT_INTS(m->skin_texcoordadr, -1);
  mj_deleteModel(m);
  mj_deleteSpec(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(gradients_are_the_references),
      cmocka_unit_test(random_marks_are_the_references),
      cmocka_unit_test(checkers_change_colours_on_front_and_back),
      cmocka_unit_test(bad_textures_are_refused),
      cmocka_unit_test(a_texture_may_be_larger_than_two_gigabytes),
      cmocka_unit_test(materials_point_at_textures_by_role),
      cmocka_unit_test(heights_are_normalised),
      cmocka_unit_test(weights_of_skins_are_shared),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
