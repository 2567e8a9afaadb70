// The list of geoms that can meet belongs to the model that it was made from. What it says is
// compared with a search by tests/collide/test_candidates.c.

#include "base/meetings.h"

#include "base/private.h"
#include "support/fail.h"
#include "support/text_models.h"

// Arrays of the model that have no whole number of words, so that each has an end of its own.
static const char scene[] =
    "<mujoco><worldbody><geom name='a' size='.1'/><geom name='b' size='.1' pos='1 0 0'/>"
    "<body name='p' pos='2 0 0'><freejoint/><geom name='c' size='.1'/></body>"
    "<body name='q' pos='3 0 0'><freejoint/><geom name='d' size='.1'/></body>"
    "<body name='r' pos='4 0 0'><freejoint/><geom name='e' size='.1'/><geom name='f' "
    "size='.1'/></body>"
    "<body name='s' pos='5 0 0'><freejoint/><geom name='g' size='.1'/></body></worldbody>"
    "<contact><exclude body1='p' body2='q'/><exclude body1='q' body2='r'/>"
    "<pair geom1='c' geom2='d'/><pair geom1='d' geom2='e'/><pair geom1='a' geom2='c'/>"
    "<pair geom1='b' geom2='c'/><pair geom1='a' geom2='g'/><pair geom1='b' geom2='g'/>"
    "</contact></mujoco>";

static void check_edits(const ct_Meetings* list, const mjModel* m, int* array, int n) {
  for (int i = 0; i < n; i++) {
    array[i] ^= 1;
    assert_false(ct_meetings_hold(list, m, false));
    array[i] ^= 1;
    assert_true(ct_meetings_hold(list, m, false));
  }
}

static void every_edit_of_what_it_was_made_from_ends_a_list(void** state) {
  (void)state;
  mjModel* m = text_model(scene);
  mjData* d = mj_makeData(m);
  const ct_Meetings* list = &ct_private(d)->schedule.meetings;
  assert_true(m->ngeom % 4 && m->nbody % 4 && m->npair % 4 && m->nexclude % 4);
  assert_true(list->count > 0 && ct_meetings_hold(list, m, false));
#define CHECK_EDITS(name_, count_) check_edits(list, m, m->name_, (int)(count_));
  CT_MEETING_INTEGERS(CHECK_EDITS)
#undef CHECK_EDITS
  assert_false(ct_meetings_hold(list, m, true));
  m->opt.disableflags ^= mjDSBL_FILTERPARENT;
  assert_false(ct_meetings_hold(list, m, false));
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void check_contact(const mjData* d, int contact, int geom1, int geom2) {
  assert_int_equal(d->contact[contact].geom[0], geom1);
  assert_int_equal(d->contact[contact].geom[1], geom2);
}

static void a_model_copied_over_may_have_its_geoms_on_other_bodies(void** state) {
  (void)state;
  mjModel* m = text_model(
      "<mujoco><worldbody><body><freejoint/><geom size='.1'/><geom size='.1' pos='.05 0 0'/></body>"
      "<body pos='.1 0 0'><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
  mjModel* other = text_model(
      "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body><body pos='.1 0 0'><freejoint/>"
      "<geom size='.1'/><geom size='.1' pos='-.05 0 0'/></body></worldbody></mujoco>");
  mjData* d = mj_makeData(m);
  mj_forward(m, d);
  assert_int_equal(d->ncon, 2);
  check_contact(d, 0, 0, 2);
  check_contact(d, 1, 1, 2);
  assert_ptr_equal(mj_copyModel(m, other), m);
  mj_forward(m, d);
  assert_int_equal(d->ncon, 2);
  check_contact(d, 0, 0, 1);
  check_contact(d, 1, 0, 2);
  mj_deleteData(d);
  mj_deleteModel(m);
  mj_deleteModel(other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_edit_of_what_it_was_made_from_ends_a_list),
      cmocka_unit_test(a_model_copied_over_may_have_its_geoms_on_other_bodies),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
