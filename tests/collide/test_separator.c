// Directions that keep shapes apart, remembered from step to step: contacts are those of a search
// that knows nothing, whatever the table holds.

#include <stdint.h>
#include <string.h>

#include "base/private.h"
#include "collide/separator.h"
#include "support/fail.h"
#include "support/text_models.h"

static const char heap[] =
    "<mujoco><asset><mesh name='rock' vertex='.1 0 0 -.1 0 0 0 .12 0 0 -.1 0 0 0 .1 0 0 -.13"
    " .06 .06 .06 -.06 .06 .06 .06 -.06 .06 .06 .06 -.06 -.06 -.06 .06 -.06 -.06 -.06'/></asset>"
    "<worldbody><geom type='plane' size='2 2 .1'/><replicate count='3' offset='.03 .05 .35'>"
    "<body pos='0 0 .3'><freejoint/><geom type='mesh' mesh='rock'/></body>"
    "<body pos='.2 0 .3'><freejoint/><geom type='ellipsoid' size='.1 .06 .08'/></body>"
    "<body pos='0 .2 .3'><freejoint/><geom type='cylinder' size='.07 .08' margin='.01'/></body>"
    "<body pos='.2 .2 .3'><freejoint/><geom type='capsule' size='.05 .08'/></body>"
    "<body pos='.1 .1 .5'><freejoint/><geom type='box' size='.08 .05 .1'/></body>"
    "</replicate></worldbody></mujoco>";

static int* table_of(mjData* d) {
  return (int*)(uintptr_t)ct_private(d)->schedule.separators;
}

// Entries that hold a pair.
static int known_pairs(const mjModel* m, mjData* d) {
  int known = 0;
  for (size_t i = 0; i < ct_separator_room(m); i++) {
    known += table_of(d)[CT_SEPARATOR_SIZE * i] != 0;
  }
  return known;
}

// Keeps pairs, and makes everything else what it never was.
static void spoil_table(const mjModel* m, mjData* d, unsigned seed) {
  for (size_t i = 0; i < ct_separator_room(m); i++) {
    int* entry = table_of(d) + CT_SEPARATOR_SIZE * i;
    for (int k = 1; k < CT_SEPARATOR_SIZE; k++) {
      seed = seed * 1664525u + 1013904223u;
      float number = (float)((int)(seed >> 8) % 2001 - 1000);
      entry[k] = (int)seed;
      if (k > 2) memcpy(entry + k, &number, sizeof(number));
    }
  }
}

static void compare_contacts(int step, const mjData* d, const mjData* fresh) {
  if (d->ncon != fresh->ncon) {
    fail_msg("step %d: %d contacts with a table, %d without", step, d->ncon, fresh->ncon);
  }
  for (int i = 0; i < d->ncon; i++) {
    const mjContact *a = d->contact + i, *b = fresh->contact + i;
    bool same = a->dist == b->dist && !memcmp(a->pos, b->pos, sizeof(a->pos)) &&
                !memcmp(a->frame, b->frame, sizeof(a->frame)) && a->geom[0] == b->geom[0] &&
                a->geom[1] == b->geom[1];
    if (!same) fail_msg("step %d: contact %d differs with a table", step, i);
  }
}

// Steps a heap that falls, with a margin of all geoms if it is negative, and collides each of its
// poses once more with an empty table. Returns how many pairs the table knew in the mean.
static int fall(bool spoiled, mjtNum margin) {
  mjModel* m = text_model(heap);
  for (int i = 0; margin < 0 && i < m->ngeom; i++) m->geom_margin[i] = margin;
  mjData *d = mj_makeData(m), *fresh = mj_makeData(m);
  int known = 0, contacts = 0;
  const int steps = 400;
  for (int step = 0; step < steps; step++) {
    if (spoiled) spoil_table(m, d, (unsigned)step);
    mj_step(m, d);
    memset(table_of(fresh), 0, CT_SEPARATOR_SIZE * sizeof(int) * ct_separator_room(m));
    mju_copy(fresh->qpos, d->qpos, (int)m->nq);
    mj_fwdPosition(m, fresh);
    mj_fwdPosition(m, d);
    compare_contacts(step, d, fresh);
    known += known_pairs(m, d);
    contacts += d->ncon;
  }
  assert_true(contacts > steps);
  mj_deleteData(d);
  mj_deleteData(fresh);
  mj_deleteModel(m);
  return known / steps;
}

static void what_is_remembered_changes_no_contact(void** state) {
  (void)state;
  assert_true(fall(false, 0) > 5);
}

static void not_even_if_it_is_wrong(void** state) {
  (void)state;
  assert_true(fall(true, 0) > 5);
}

static void shapes_that_may_sink_in_are_searched_every_time(void** state) {
  (void)state;
  assert_int_equal(fall(false, (mjtNum)-0.005), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_remembered_changes_no_contact),
      cmocka_unit_test(shapes_that_may_sink_in_are_searched_every_time),
      cmocka_unit_test(not_even_if_it_is_wrong),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
