// R0.2 R0.5: flexes and signed distance fields beside something that has no place. Steps end soon,
// and have the contacts and the warnings of the reference.

#include <corten/step.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "support/fail.h"
#include "support/messages.h"
#include "support/text_models.h"

#define CLOTH(name_, more_)                                                        \
  "<flexcomp name='" name_                                                         \
  "' type='grid' count='8 8 1' spacing='.05 .05 .05' radius='.01' mass='1' " more_ \
  "><contact"                                                                      \
  " selfcollide='none'/></flexcomp>"
#define STONE                                                                                    \
  "<asset><mesh name='stone' vertex='.29 .02 .05 -.27 .06 .03 .05 .21 -.02 -.03 -.2 .06 .04 .05" \
  " .19 -.02 .03 -.2 .18 .13 .1 -.17 .12 -.11 .16 -.13 -.09 -.18 -.1 .12 .1 .14 -.13 -.11 .13"   \
  " .12'/></asset>"
#define BESIDE_CLOTH(geom_)                            \
  "<mujoco><worldbody><body mocap='true'><geom " geom_ \
  "/></body>" CLOTH("c", "pos='0 0 .105'") "</worldbody></mujoco>"
#define BESIDE_STONE(geom_)                                                               \
  "<mujoco>" STONE                                                                        \
  "<worldbody><body><freejoint/><geom type='sdf' mesh='stone'/></body><body mocap='true'" \
  " pos='0 0 .2'><geom " geom_ "/></body></worldbody></mujoco>"

typedef struct {
  const char *name, *text;
  int at_nan, at_infinity, turned;  // contacts of the reference after the first step
  bool warned;                      // by the reference, of accelerations where there are contacts
} Case;

static const Case cases[] = {
    {"sphere, cloth", BESIDE_CLOTH("size='.1'"), 6, 0, 6, true},
    {"capsule, cloth", BESIDE_CLOTH("type='capsule' size='.1 .1'"), 48, 0, 48, true},
    {"box, cloth", BESIDE_CLOTH("type='box' size='.1 .1 .1'"), 104, 0, 104, true},
    {"cylinder, cloth", BESIDE_CLOTH("type='cylinder' size='.1 .1'"), 0, 0, 0, false},
    {"ellipsoid, cloth", BESIDE_CLOTH("type='ellipsoid' size='.1 .1 .1'"), 0, 0, 0, false},
    {"field, cloth",
     "<mujoco>" STONE "<worldbody>" CLOTH(
         "c", "pos='0 0 .2'") "<body mocap='true' pos='0 0 .2'>"
                              "<geom type='sdf' mesh='stone'/></body></worldbody></mujoco>",
     0, 0, 0, false},
    {"cloth that is fixed, cloth",
     "<mujoco><worldbody><body name='b' mocap='true'>" CLOTH("a", "rigid='true'") "</body>" CLOTH(
         "c", "pos='0 0 .015'") "</worldbody></mujoco>",
     0, 0, 0, false},
    {"cloth that is fixed, hills",
     "<mujoco><asset><hfield name='h' nrow='30' ncol='30' size='1 1 .1 .1'/></asset><worldbody>"
     "<geom type='hfield' hfield='h'/><body name='b' mocap='true'>" CLOTH(
         "a", "rigid='true'") "</body></worldbody></mujoco>",
     0, 0, 0, false},
    {"sphere, field", BESIDE_STONE("size='.1'"), 0, 0, 0, false},
    {"box, field", BESIDE_STONE("type='box' size='.1 .1 .1'"), 7, 0, 0, true},
    {"cylinder, field", BESIDE_STONE("type='cylinder' size='.1 .1'"), 0, 0, 0, false},
    {"field, field", BESIDE_STONE("type='sdf' mesh='stone'"), 0, 0, 0, false},
};
enum { NCASES = sizeof(cases) / sizeof(cases[0]) };

// How many contacts a box has with a field hangs on last bits, which contraction changes.
#if defined(CT_FAST) || defined(mjUSESINGLE)
enum { COUNTED = false };
#else
enum { COUNTED = true };
#endif

// Steps twice with a bad number in the pose of the body that programs move.
static void step_with(const Case* c, mjtNum bad, bool turned, int contacts, bool warned) {
  mjModel* m = text_model(c->text);
  mjData* d = mj_makeData(m);
  mjtNum* pose = turned ? d->mocap_quat : d->mocap_pos;
  for (int i = 0; i < 3 + turned; i++) pose[i] = bad;
  mj_step(m, d);
  if (COUNTED ? d->ncon != contacts : !d->ncon != !contacts) {
    fail_msg("%s: %d contacts, the reference has %d", c->name, d->ncon, contacts);
  }
  mj_step(m, d);
  if ((d->warning[mjWARN_BADQACC].number > 0) != warned) fail_msg("%s: warning", c->name);
  assert_int_equal(count_warnings(), warned);
  for (int i = 0; i < m->nq; i++) assert_true(isfinite((double)d->qpos[i]));
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void what_has_no_place_has_the_contacts_of_the_reference(void** state) {
  (void)state;
  alarm(300);
  for (int i = 0; i < NCASES; i++) {
    const Case* c = cases + i;
    step_with(c, (mjtNum)NAN, false, c->at_nan, c->warned);
    step_with(c, (mjtNum)INFINITY, false, c->at_infinity, false);
  }
  alarm(0);
}

// A sphere has no orientation that matters, nor what it touches.
static void what_has_no_orientation_has_the_contacts_of_the_reference(void** state) {
  (void)state;
  alarm(300);
  for (int i = 0; i < NCASES; i++) {
    const Case* c = cases + i;
    bool warned = c->turned > 0 && i > 0;
    step_with(c, (mjtNum)NAN, true, c->turned, warned);
    step_with(c, (mjtNum)INFINITY, true, c->turned, warned);
  }
  alarm(0);
}

// Vertices at NaN are found before anything is computed from them: a warning and a reset, or a
// status. Stages that are called alone end as well.
static void vertices_without_a_place_are_noticed(void** state) {
  (void)state;
  const char* self[] = {"none", "bvh", "sap", "narrow"};
  alarm(300);
  for (int k = 0; k < 8; k++) {
    char text[1000];
    snprintf(text, sizeof(text),
             "<mujoco><worldbody><flexcomp name='a' type='grid' dim='%d' count='4 4 %d' spacing='"
             ".05 .05 .05' radius='.01' mass='1'><contact selfcollide='%s'/></flexcomp><flexcomp"
             " name='b' type='grid' count='5 5 1' spacing='.05 .05 .05' pos='0 0 .06' radius='.01'"
             " mass='1'><contact selfcollide='%s'/></flexcomp></worldbody></mujoco>",
             k < 4 ? 2 : 3, k < 4 ? 1 : 3, self[k % 4], self[k % 4]);
    mjModel* m = text_model(text);
    mjData* d = mj_makeData(m);
    for (int every = 1; every <= 7; every += 3) {
      mj_resetData(m, d);
      for (int i = 0; i < m->nq; i += every) d->qpos[i] = (mjtNum)NAN;
      mj_fwdPosition(m, d);
      assert_true(ct_step(m, d) & CT_BAD_QPOS);
      assert_int_equal(count_warnings() + count_errors(), 0);
      mj_step(m, d);
      expect_one_warning("QPOS");
      assert_true(d->time == m->opt.timestep && isfinite((double)d->qpos[0]));
    }
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  alarm(0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_has_no_place_has_the_contacts_of_the_reference),
      cmocka_unit_test(what_has_no_orientation_has_the_contacts_of_the_reference),
      cmocka_unit_test(vertices_without_a_place_are_noticed),
  };
  return cmocka_run_group_tests(tests, listen_to_messages, stop_listening);
}
