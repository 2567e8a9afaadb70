// R20.13: materials of flexes by name, and mass by density.

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

#include "support/fail.h"
#include "support/text_models.h"

static mjModel* load(const char* attributes, const char* parts, char* why, int room) {
  char text[2000];
  snprintf(text, sizeof(text),
           "<mujoco><worldbody><flexcomp name='f' type='grid' %s>%s</flexcomp></worldbody>"
           "</mujoco>",
           attributes, parts);
  return try_text_model(text, why, room);
}

static mjModel* must_load(const char* attributes, const char* parts) {
  char why[500] = "";
  mjModel* m = load(attributes, parts, why, sizeof(why));
  if (!m) fail_msg("%s: %s", parts, why);
  return m;
}

static double mass_of(const mjModel* m) {
  return (double)m->body_subtreemass[0];
}

static void expect_near(double got, double want) {
  if (!(fabs(got - want) <= 1e-5 * fabs(want))) fail_msg("%.9g, expected %.9g", got, want);
}

static const char square[] = "dim='2' count='11 11 1' spacing='.1 .1 .1' radius='.001'";

static void every_material_has_numbers(void** state) {
  (void)state;
  const char* names[] = {"cotton",      "silk",    "leather",    "rubber", "paper",
                         "membrane",    "gelatin", "tissue",     "muscle", "foam",
                         "stiffrubber", "rope",    "steelcable", "hair",   "chain"};
  for (int i = 0; i < 15; i++) {
    char parts[100];
    snprintf(parts, sizeof(parts), "<elasticity preset='%s' elastic2d='both'/>", names[i]);
    mjModel* m = must_load("dim='2' count='3 3 1' spacing='.1 .1 .1'", parts);
    assert_true(mass_of(m) > 0 && m->flex_damping[0] > 0 && m->flex_stiffness[0] > 0);
    mj_deleteModel(m);
  }
}

static void a_cloth_weighs_its_area_times_thickness_and_density(void** state) {
  (void)state;
  mjModel* m = must_load(square, "<elasticity preset='cotton'/>");
  expect_near(mass_of(m), 400 * 4e-4);  // one square metre
  mj_deleteModel(m);
  m = must_load(square, "<elasticity preset='cotton' thickness='.001'/>");
  expect_near(mass_of(m), 0.4);
  mj_deleteModel(m);
  m = must_load("dim='2' count='11 11 1' spacing='.1 .1 .1' mass='3'",
                "<elasticity preset='cotton'/>");
  expect_near(mass_of(m), 3);
  mj_deleteModel(m);
}

static void density_gives_the_mass_of_lines_and_solids(void** state) {
  (void)state;
  mjModel* m =
      must_load("dim='1' count='11 1 1' spacing='.1 .1 .1' radius='.01' density='1000'", "");
  expect_near(mass_of(m), 1000 * mjPI * 1e-4);  // one metre
  mj_deleteModel(m);
  m = must_load("dim='3' count='3 3 3' spacing='.1 .1 .1' density='1000'", "");
  expect_near(mass_of(m), 8);
  mj_deleteModel(m);
}

static void a_rope_has_the_stiffness_of_its_section(void** state) {
  (void)state;
  mjModel* m = must_load("dim='1' count='11 1 1' spacing='.1 .1 .1' radius='.01'",
                         "<elasticity preset='rope'/>");
  expect_near((double)m->flex_edgestiffness[0], 1e9 * mjPI * 1e-4 / 0.1);
  expect_near((double)m->flex_edgedamping[0], 1e-3 * (double)m->flex_edgestiffness[0]);
  mj_deleteModel(m);
}

static void what_is_given_stays(void** state) {
  (void)state;
  mjModel* m = must_load(square, "<elasticity preset='rubber' damping='.5' elastic2d='stretch'/>");
  expect_near((double)m->flex_damping[0], 0.5);
  mj_deleteModel(m);
}

static void mistakes_are_refused(void** state) {
  (void)state;
  char why[500] = "";
  assert_null(load(square, "<elasticity preset='coton'/>", why, sizeof(why)));
  assert_true(strstr(why, "coton") && strstr(why, "cotton"));
  assert_null(load("dim='1' count='3 1 1' density='-1'", "", why, sizeof(why)));
  assert_non_null(strstr(why, "density"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_material_has_numbers),
      cmocka_unit_test(a_cloth_weighs_its_area_times_thickness_and_density),
      cmocka_unit_test(density_gives_the_mass_of_lines_and_solids),
      cmocka_unit_test(a_rope_has_the_stiffness_of_its_section),
      cmocka_unit_test(what_is_given_stays),
      cmocka_unit_test(mistakes_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
