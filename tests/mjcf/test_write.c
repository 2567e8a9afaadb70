// Writing MJCF (R30.4): the form of the text, what is left out, what is refused, and texts of our
// models line by line as the reference writes them.

#include <math.h>
#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "mjcf/write/save.h"
#include "support/recorded.h"

#define IN(x_) "<mujoco>" x_ "</mujoco>"
#define WORLD(x_) IN("<worldbody>" x_ "</worldbody>")
#define BALL "<geom size='.1'/>"

static const bool as_recorded =
#if defined(mjUSESINGLE) || defined(CT_FAST)
    false;
#else
    true;
#endif

static mjSpec* compiled(const char* text) {
  char error[1000] = "";
  mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof(error));
  if (!spec) fail_msg("%s\nis refused: %s", text, error);
  mjModel* m = mj_compile(spec, NULL);
  if (!m) fail_msg("%s\nis not compiled: %s", text, mjs_getError(spec));
  mj_deleteModel(m);
  return spec;
}

static char* saved(const mjSpec* spec) {
  char error[1000] = "";
  int length = mj_saveXMLString(spec, NULL, 0, error, sizeof(error));
  if (length <= 0) fail_msg("the spec is not saved: %s", error);
  char* text = (char*)malloc((size_t)length + 1);
  assert_int_equal(mj_saveXMLString(spec, text, length + 1, error, sizeof(error)), 0);
  assert_int_equal(strlen(text), length);
  return text;
}

// The text of a model must contain a piece, or must not.
static void expect_in(const char* model, const char* piece, bool wanted) {
  mjSpec* spec = compiled(model);
  char* text = saved(spec);
  if ((strstr(text, piece) != NULL) != wanted) {
    fail_msg("expected%s: %s\n%s", wanted ? "" : " not", piece, text);
  }
  free(text);
  mj_deleteSpec(spec);
}
#define HAS(model_, piece_) expect_in(model_, piece_, true)
#define LACKS(model_, piece_) expect_in(model_, piece_, false)

// Form

static void an_empty_model_has_a_compiler_and_a_world(void** state) {
  (void)state;
  mjSpec* spec = mj_makeSpec();
  mj_deleteModel(mj_compile(spec, NULL));
  char* text = saved(spec);
  assert_string_equal(text,
                      "<mujoco model=\"MuJoCo Model\">\n  <compiler angle=\"radian\"/>\n\n"
                      "  <worldbody/>\n</mujoco>\n");
  free(text);
  mj_deleteSpec(spec);
}

static void numbers_have_six_digits_and_integers_none(void** state) {
  (void)state;
  static const char* const forms[][2] = {{"1", "1"},
                                         {"0.1", "0.1"},
                                         {"1e10", "1e+10"},
                                         {"3000000000", "3e+09"},
                                         {"2147483646", "2147483646"},
                                         {"2147483647", "2.14748e+09"},
                                         {"123456.7", "123457"},
                                         {"1234567.8", "1.23457e+06"},
                                         {"1e-13", "0"},
                                         {"0.99999999999999", "1"},
                                         {"-0.0", "0"},
                                         {"1e-7", "1e-07"},
                                         {"0.123456789", "0.123457"},
                                         {"-1.5e-300", "0"},
                                         {"1000000", "1000000"},
                                         {"0.1234565", "0.123456"},
                                         {"2.5e-5", "2.5e-05"},
                                         {"12345678", "12345678"}};
  for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
    char model[300], piece[100];
    snprintf(model, sizeof(model), IN("<custom><numeric name='n' data='%s'/></custom>"),
             forms[i][0]);
    snprintf(piece, sizeof(piece), "size=\"1\" data=\"%s\"/>", forms[i][1]);
    HAS(model, piece);
  }
}

static void more_digits_can_be_asked_for(void** state) {
  (void)state;
  const char* model = IN("<custom><numeric name='n' data='0.12345678901234559'/></custom>");
  _mjPRIVATE__set_xml_precision(17);
  HAS(model, "0.12345678901234559");
  assert_int_equal(_mjPRIVATE__get_xml_precision(), 17);
  _mjPRIVATE__set_xml_precision(6);
  HAS(model, "0.123457\"");
}

static void values_have_names_in_place_of_special_characters(void** state) {
  (void)state;
  HAS(IN("<custom><text name='t' data='a&amp;b &lt;c&gt; &quot;d&apos;'/></custom>"),
      "data=\"a&amp;b &lt;c&gt; &quot;d&apos;\"");
}

static void the_first_comment_is_kept(void** state) {
  (void)state;
  HAS("<mujoco model='m'><!-- words --><option/><!-- others --></mujoco>",
      "<mujoco model=\"m\">\n  <!-- words -->\n  <compiler");
}

static void sections_have_a_blank_line_before_them_wherever_they_stand(void** state) {
  (void)state;
  const char* model =
      IN("<default><tendon width='.1'/></default><worldbody><body><joint name='j'/>" BALL
         "</body></worldbody><actuator><motor name='m' joint='j'/></actuator>"
         "<sensor><clock/><actuatorpos actuator='m'/></sensor>");
  HAS(model, "<default>\n\n    <tendon width=\"0.1\"/>\n");
  HAS(model, "  <sensor>\n    <clock/>\n\n    <actuatorpos actuator=\"m\"/>\n");
}

// What is written

static void poses_have_frames_applied_and_frames_only_names(void** state) {
  (void)state;
  mjSpec* spec = compiled(WORLD(
      "<frame name='F' pos='1 0 0'><geom name='g1' size='.1'/><body name='b1'/></frame>"
      "<geom name='g2' size='.1'/><body name='b2'/>"
      "<frame pos='2 0 0'><geom name='g3' size='.1'/><body name='b3'/>"
      "<frame name='H'><body name='b5'/></frame></frame><body name='b4'/><frame name='F2'/>"));
  char* text = saved(spec);
  static const char* const order[] = {"name=\"g2\" size=\"0.1\"/>",
                                      "<frame name=\"F\">",
                                      "name=\"g1\" size=\"0.1\" pos=\"1 0 0\"",
                                      "<body name=\"b1\" pos=\"1 0 0\"/>",
                                      "name=\"g3\" size=\"0.1\" pos=\"2 0 0\"",
                                      "<frame name=\"H\">",
                                      "<body name=\"b5\" pos=\"2 0 0\"/>",
                                      "<body name=\"b3\" pos=\"2 0 0\"/>",
                                      "<frame name=\"F2\"/>",
                                      "<body name=\"b2\"/>",
                                      "<body name=\"b4\"/>"};
  const char* at = text;
  for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
    at = strstr(at, order[i]);
    if (!at) fail_msg("%s is missing, or too early, in\n%s", order[i], text);
  }
  free(text);
  mj_deleteSpec(spec);
}

static void values_of_the_class_are_left_out(void** state) {
  (void)state;
  const char* model = IN(
      "<default><geom rgba='1 0 0 1'/><default class='c'><geom condim='4' friction='2'/></default>"
      "</default><worldbody><geom class='c' size='.1' condim='4' friction='2 .005 .1'/>"
      "<body childclass='c'>" BALL "</body></worldbody>");
  HAS(model, "<geom class=\"c\" size=\"0.1\" friction=\"2 0.005 0.1\"/>");
  HAS(model, "<body childclass=\"c\">\n      <geom size=\"0.1\"/>");
  HAS(model, "<default class=\"c\">\n      <geom condim=\"4\" friction=\"2\"/>");
}

static void every_actuator_is_general(void** state) {
  (void)state;
  const char* model =
      IN("<worldbody><body><joint name='j'/>" BALL
         "</body></worldbody><actuator><position joint='j' kp='3' kv='1'/></actuator>");
  HAS(model, "<general joint=\"j\" biastype=\"affine\" gainprm=\"3\" biasprm=\"0 -3 -1\"/>");
}

static void keys_that_say_nothing_are_left_out(void** state) {
  (void)state;
  const char* model = IN("<worldbody><body><joint/>" BALL
                         "</body></worldbody><keyframe><key/><key qpos='1'/></keyframe>");
  HAS(model, "<keyframe>\n    <key qpos=\"1\"/>\n  </keyframe>");
  HAS(model, "<size nkey=\"2\"/>");
}

static void angles_are_radians(void** state) {
  (void)state;
  HAS(WORLD("<body><joint range='-90 90'/>" BALL "</body>"), "range=\"-1.5708 1.5708\"");
}

static void inertia_that_was_not_given_is_not_written(void** state) {
  (void)state;
  LACKS(WORLD("<body><joint/>" BALL "</body>"), "<inertial");
  HAS(IN("<compiler saveinertial='true'/><worldbody><body><joint/>" BALL "</body></worldbody>"),
      "<inertial pos=\"0 0 0\" mass=\"4.18879\" diaginertia=\"0.0167552 0.0167552 0.0167552\"/>");
}

// Refusals

static void expect_refusal(const mjSpec* spec, const char* word) {
  char error[300] = "", path[] = "/tmp/corten_write_XXXXXX";
  assert_int_equal(mj_saveXMLString(spec, NULL, 0, error, sizeof(error)), -1);
  if (!strstr(error, word)) fail_msg("expected \"%s\" in: %s", word, error);
  error[0] = 0;
  assert_int_equal(mj_saveXML(spec, path, error, sizeof(error)), -1);
  if (!strstr(error, word)) fail_msg("expected \"%s\" in: %s", word, error);
}

static void what_was_never_compiled_is_refused(void** state) {
  (void)state;
  mjSpec* spec = mj_makeSpec();
  expect_refusal(spec, "mj_compile");
  expect_refusal(NULL, "NULL");
  mj_deleteSpec(spec);
}

static void a_texture_without_file_is_refused(void** state) {
  (void)state;
  mjSpec* spec = mj_makeSpec();
  mjsTexture* texture = mjs_addTexture(spec);
  mjs_setName(texture->element, "pixels");
  texture->type = mjTEXTURE_2D;
  texture->width = texture->height = 1;
  mjs_setBuffer(texture->data, "abc", 3);
  mj_deleteModel(mj_compile(spec, NULL));
  expect_refusal(spec, "\"pixels\"");
  mj_deleteSpec(spec);
}

static void a_buffer_that_is_too_small_is_left_alone(void** state) {
  (void)state;
  mjSpec* spec = compiled(WORLD(BALL));
  char xml[10] = "unchanged", error[300] = "";
  char* text = saved(spec);
  assert_int_equal(mj_saveXMLString(spec, xml, sizeof(xml), error, sizeof(error)), strlen(text));
  assert_string_equal(xml, "unchanged");
  assert_non_null(strstr(error, "bytes"));
  free(text);
  mj_deleteSpec(spec);
}

static void a_file_that_cannot_be_opened_is_named(void** state) {
  (void)state;
  mjSpec* spec = compiled(WORLD(BALL));
  char error[300] = "";
  assert_int_equal(mj_saveXML(spec, "/no/such/folder/m.xml", error, sizeof(error)), -1);
  assert_non_null(strstr(error, "/no/such/folder/m.xml"));
  mj_deleteSpec(spec);
}

static void nothing_is_saved_before_anything_was_loaded(void** state) {
  (void)state;
  char error[300] = "";
  mj_freeLastXML();
  assert_int_equal(mj_saveLastXML("", NULL, error, sizeof(error)), 0);
  assert_non_null(strstr(error, "mj_loadXML"));
}

// mj_copyBack

static void a_model_of_another_spec_is_refused(void** state) {
  (void)state;
  mjSpec *spec = compiled(WORLD(BALL)), *other = compiled(WORLD(BALL BALL));
  mjModel* m = mj_compile(other, NULL);
  assert_int_equal(mj_copyBack(spec, m), 0);
  assert_non_null(strstr(mjs_getError(spec), "mj_copyBack"));
  assert_int_equal(mj_copyBack(spec, NULL), 0);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  mj_deleteSpec(other);
}

static void copying_back_changes_what_is_saved_and_nothing_else(void** state) {
  (void)state;
  mjSpec* spec = compiled(WORLD("<body name='b'><joint/>" BALL "</body>"));
  mjModel* m = mj_compile(spec, NULL);
  m->body_pos[3] = 5;
  m->opt.timestep = (mjtNum)0.5;
  assert_int_equal(mj_copyBack(spec, m), 1);
  char* text = saved(spec);
  assert_non_null(strstr(text, "<body name=\"b\" pos=\"5 0 0\">"));
  assert_non_null(strstr(text, "<option timestep=\"0.5\"/>"));
  free(text);
  mjsBody* body = mjs_asBody(mjs_findElement(spec, mjOBJ_BODY, "b"));
  assert_true(body->pos[0] == 0 && spec->option.timestep < (mjtNum)0.01);

  // the next compilation starts from the spec again
  mj_deleteModel(m);
  mj_deleteModel(mj_compile(spec, NULL));
  text = saved(spec);
  assert_null(strstr(text, "pos=\"5 0 0\""));
  free(text);
  mj_deleteSpec(spec);
}

static void a_copy_of_a_compiled_spec_can_be_saved(void** state) {
  (void)state;
  mjSpec* spec = compiled(WORLD("<body euler='0 0 90'><joint range='0 90'/>" BALL "</body>"));
  mjSpec* copy = mj_copySpec(spec);
  char *text = saved(spec), *same = saved(copy);
  assert_string_equal(text, same);
  free(text);
  free(same);
  mj_deleteSpec(spec);
  same = saved(copy);
  free(same);
  mj_deleteSpec(copy);
}

// Texts of our models

static void compare_lines(const Recorded* r, const char* model, const char* way, const char* text) {
  char name[200];
  snprintf(name, sizeof(name), "%s/%s", model, way);
  size_t count = 0, line = 0;
  const int* hash = recorded_ints(r, name, &count);
  if (!hash) fail_msg("%s is not recorded", name);
  for (const char* p = text;; line++) {
    size_t length = strcspn(p, "\n");
    uint64_t h = 0xcbf29ce484222325u;  // FNV-1a
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char)p[i]) * 0x100000001b3u;
    if (line >= count || (int)(h >> 33) != hash[line]) {
      fail_msg("%s: the reference has another line %zu than\n%.*s", name, line + 1,
               length < 500 ? (int)length : 500, p);
    }
    if (!p[length]) break;
    p += length + 1;
  }
  if (line + 1 != count) fail_msg("%s: %zu lines, not %zu", name, line + 1, count);
}

// Once every child of the body was looked at again for every frame of it: seven seconds.
static void many_frames_are_soon_written(void** state) {
  (void)state;
  enum { COUNT = 20000, ROOM = 80 };
  char* model = (char*)malloc((COUNT + 1) * ROOM);
  char* end = model + sprintf(model, "<mujoco><worldbody>");
  for (int i = 0; i < COUNT; i++) {
    end += sprintf(end, "<frame pos='%d 0 0'><body><geom size='1'/></body></frame>", i);
  }
  sprintf(end, "</worldbody></mujoco>");
  mjSpec* spec = compiled(model);
  clock_t before = clock();
  char* text = saved(spec);
  assert_true((double)(clock() - before) / CLOCKS_PER_SEC < 3);
  int bodies = 0;
  for (const char* p = text; (p = strstr(p, "<body")); p++) bodies++;
  assert_int_equal(bodies, COUNT);
  free(model);
  free(text);
  mj_deleteSpec(spec);
}

static void times(mjtNum* number, mjtSize count) {
  for (mjtSize i = 0; i < count; i++) number[i] = number[i] * (mjtNum)1.25 + (mjtNum)0.0625;
}

// As tests/record/record_saved.py does.
static void change(mjModel* m) {
  times(m->body_pos, 3 * m->nbody);
  times(m->body_mass, m->nbody);
  times(m->body_user, m->nbody * m->nuser_body);
  times(m->jnt_range, 2 * m->njnt);
  times(m->jnt_stiffness, m->njnt);
  times(m->dof_damping, m->nv);
  times(m->geom_size, 3 * m->ngeom);
  times(m->geom_friction, 3 * m->ngeom);
  times(m->site_pos, 3 * m->nsite);
  times(m->cam_fovy, m->ncam);
  times(m->light_pos, 3 * m->nlight);
  times(m->pair_margin, m->npair);
  times(m->eq_data, mjNEQDATA * m->neq);
  times(m->tendon_range, 2 * m->ntendon);
  times(m->actuator_gainprm, mjNGAIN * m->nu);
  times(m->actuator_ctrlrange, 2 * m->nu);
  times(m->sensor_cutoff, m->nsensor);
  times(m->numeric_data, m->nnumericdata);
  times(m->key_qpos, m->nkey * m->nq);
  m->opt.timestep *= 2;
  m->stat.meansize *= 2;
}

static void texts_of_our_models_are_the_reference_s(void** state) {
  (void)state;
  Recorded* r = recorded_open("saved.rec");
  int compared = 0;
  for (int i = 0; i < recorded_count(r); i++) {
    char model[100], path[400], error[1000] = "";
    if (sscanf(recorded_name(r, i), "%99[^/]/plain", model) != 1) continue;
    if (!strstr(recorded_name(r, i), "/plain")) continue;
    snprintf(path, sizeof(path), CT_SOURCE_DIR "/models/%s.xml", model);
    mjSpec* spec = mj_parseXML(path, NULL, error, sizeof(error));
    mjModel* m = spec ? mj_compile(spec, NULL) : NULL;
    if (!m) fail_msg("%s: %s", path, spec ? mjs_getError(spec) : error);
    char* text = saved(spec);
    if (as_recorded) compare_lines(r, model, "plain", text);
    free(text);
    change(m);
    assert_int_equal(mj_copyBack(spec, m), 1);
    text = saved(spec);
    if (as_recorded) compare_lines(r, model, "back", text);
    free(text);
    mj_deleteModel(m);
    mj_deleteSpec(spec);
    compared++;
  }
  assert_true(compared >= 60);
  recorded_close(r);
}

// A class that was deleted is written nowhere; its elements have the one around it.
static void deleted_classes_are_left_out(void** state) {
  (void)state;
  mjSpec* spec = compiled(
      "<mujoco><default><default class='out'><geom rgba='0 1 0 1'/>"
      "<default class='in'><geom size='.2'/></default></default></default>"
      "<worldbody><body name='a' childclass='in'><geom/><frame name='f' childclass='in'>"
      "<geom class='in'/></frame></body></worldbody></mujoco>");
  assert_int_equal(mjs_delete(spec, mjs_findDefault(spec, "in")->element), 0);
  for (int again = 0; again < 2; again++) {
    if (again) assert_non_null(mjs_addDefault(spec, "in", NULL));
    mjModel* m = mj_compile(spec, NULL);
    assert_non_null(m);
    mj_deleteModel(m);
    char *text = saved(spec), error[300] = "";
    const char* first = strstr(text, "\"in\"");
    assert_int_equal(first != NULL, again);
    if (again) assert_null(strstr(first + 1, "<default class=\"in\""));
    if (!again) assert_non_null(strstr(text, "childclass=\"out\""));
    mjSpec* reread = mj_parseXMLString(text, NULL, error, sizeof(error));
    if (!reread) fail_msg("%s\n%s", error, text);
    mj_deleteSpec(reread);
    free(text);
  }
  mj_deleteSpec(spec);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_empty_model_has_a_compiler_and_a_world),
      cmocka_unit_test(numbers_have_six_digits_and_integers_none),
      cmocka_unit_test(more_digits_can_be_asked_for),
      cmocka_unit_test(values_have_names_in_place_of_special_characters),
      cmocka_unit_test(the_first_comment_is_kept),
      cmocka_unit_test(sections_have_a_blank_line_before_them_wherever_they_stand),
      cmocka_unit_test(poses_have_frames_applied_and_frames_only_names),
      cmocka_unit_test(values_of_the_class_are_left_out),
      cmocka_unit_test(every_actuator_is_general),
      cmocka_unit_test(keys_that_say_nothing_are_left_out),
      cmocka_unit_test(angles_are_radians),
      cmocka_unit_test(inertia_that_was_not_given_is_not_written),
      cmocka_unit_test(what_was_never_compiled_is_refused),
      cmocka_unit_test(a_texture_without_file_is_refused),
      cmocka_unit_test(a_buffer_that_is_too_small_is_left_alone),
      cmocka_unit_test(a_file_that_cannot_be_opened_is_named),
      cmocka_unit_test(nothing_is_saved_before_anything_was_loaded),
      cmocka_unit_test(a_model_of_another_spec_is_refused),
      cmocka_unit_test(copying_back_changes_what_is_saved_and_nothing_else),
      cmocka_unit_test(a_copy_of_a_compiled_spec_can_be_saved),
      cmocka_unit_test(many_frames_are_soon_written),
      cmocka_unit_test(deleted_classes_are_left_out),
      cmocka_unit_test(texts_of_our_models_are_the_reference_s),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
