// Lists of pairs of elements: what does not fit into the arena at once is listed piece by piece,
// with the same contacts in the same order.

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/fail.h"
#include "support/text_models.h"

enum { SLIVERS = 130, TEXT = 60000 };

// Appends a flex of slivers side by side along the diagonal of space: all boxes overlap, and
// every tenth sliver touches its neighbour.
static size_t add_slivers(char* text, size_t at, const char* name, double shift, const char* self) {
  at += (size_t)snprintf(text + at, TEXT - at,
                         "<body name='%s'><flexcomp name='f%s' type='direct' dim='2' mass='1'"
                         " radius='.003' point='",
                         name, name);
  for (int i = 0; i < SLIVERS; i++) {
    double u = 0.02 * (i % 12) + (i % 10 == 5 ? 0.015 : 0), v = 0.02 * (i / 12) + shift;
    for (int k = 0; k < 3; k++) {
      double along = k * 0.5, across = v + (k == 1 ? 0.002 : 0);
      at += (size_t)snprintf(text + at, TEXT - at, "%g %g %g ", along + u + across,
                             along - u + across, along - 2 * across);
    }
  }
  at += (size_t)snprintf(text + at, TEXT - at, "' element='");
  for (int i = 0; i < 3 * SLIVERS; i++) {
    at += (size_t)snprintf(text + at, TEXT - at, "%d ", i);
  }
  return at + (size_t)snprintf(text + at, TEXT - at,
                               "'><contact selfcollide='%s' internal='false'/></flexcomp></body>",
                               self);
}

// Collides two such flexes, which run into each other, in an arena of that size.
static mjData* collided(mjModel** m, const char* memory, const char* self, const char* midphase) {
  char* text = (char*)malloc(TEXT);
  assert_non_null(text);
  size_t at = (size_t)snprintf(text, TEXT,
                               "<mujoco><size memory='%s'/><option><flag midphase='%s'/></option>"
                               "<worldbody>",
                               memory, midphase);
  at = add_slivers(text, at, "a", 0, self);
  at = add_slivers(text, at, "b", 0.0035, self);
  at += (size_t)snprintf(text + at, TEXT - at, "</worldbody></mujoco>");
  assert_true(at < TEXT);
  *m = text_model(text);
  free(text);
  mjData* d = mj_makeData(*m);
  mj_kinematics(*m, d);
  mj_comPos(*m, d);
  mj_flex(*m, d);
  mj_collision(*m, d);
  assert_int_equal(d->warning[mjWARN_CONTACTFULL].number, 0);
  return d;
}

static void a_small_arena_has_the_contacts_of_a_large_one(void** state) {
  (void)state;
  const char* self[] = {"none", "bvh", "sap", "narrow", "auto", "auto"};
  for (int k = 0; k < 6; k++) {
    mjModel *m1, *m2;
    const char* midphase = k == 5 ? "disable" : "enable";
    mjData* small = collided(&m1, "500K", self[k], midphase);
    mjData* large = collided(&m2, "40M", self[k], midphase);
    if (large->ncon <= (sizeof(mjtNum) == sizeof(double) ? 100 : 19)) {
      fail_msg("%s: %d contacts", self[k], large->ncon);
    }
    assert_int_equal(small->ncon, large->ncon);
    for (int i = 0; i < large->ncon; i++) {
      const mjContact *a = small->contact + i, *b = large->contact + i;
      assert_memory_equal(a->flex, b->flex, sizeof(a->flex));
      assert_memory_equal(a->elem, b->elem, sizeof(a->elem));
      assert_memory_equal(a->pos, b->pos, sizeof(a->pos));
      assert_memory_equal(a->frame, b->frame, sizeof(a->frame));
      assert_true(a->dist == b->dist);
    }
    assert_true(small->maxuse_arena < large->maxuse_arena);  // it was made in pieces
    mj_deleteData(small);
    mj_deleteData(large);
    mj_deleteModel(m1);
    mj_deleteModel(m2);
  }
}

// The reference steps two such cloths with as little memory: no contact, no warning.
static void cloths_in_one_point_step_with_little_memory(void** state) {
  (void)state;
  const char* self[] = {"none", "bvh", "sap", "narrow"};
  for (int k = 0; k < 4; k++) {
    char text[1000];
    size_t at = (size_t)snprintf(text, sizeof(text), "<mujoco><size memory='500K'/><worldbody>");
    for (int i = 0; i < 2; i++) {
      at += (size_t)snprintf(text + at, sizeof(text) - at,
                             "<flexcomp name='c%d' type='grid' count='12 12 1' spacing='.05 .05"
                             " .05' mass='1' radius='.001' pos='0 0 %d'><contact selfcollide='%s'/>"
                             "<edge damping='.1'/></flexcomp>",
                             i, i, self[k]);
    }
    snprintf(text + at, sizeof(text) - at, "</worldbody></mujoco>");
    mjModel* m = text_model(text);
    mjData* d = mj_makeData(m);
    for (int j = 0; j < m->njnt; j++) {
      const mjtNum* pos = m->body_pos + 3 * m->jnt_bodyid[j];
      d->qpos[m->jnt_qposadr[j]] = -mju_dot3(pos, m->jnt_axis + 3 * j);
    }
    // in single precision, rounding parts the points in the second step
    for (int i = 0; i < (sizeof(mjtNum) == sizeof(double) ? 2 : 1); i++) mj_step(m, d);
    assert_int_equal(d->ncon, 0);
    for (int i = 0; i < mjNWARNING; i++) assert_int_equal(d->warning[i].number, 0);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

// A crumpled cloth: which elements touch, the smaller number first, as marks in (elements^2).
enum { CRUMPLED = 2 * 11 * 11 };

static int mark_touching(const char* self, unsigned seed, unsigned char* touching) {
  char text[600];
  snprintf(text, sizeof(text),
           "<mujoco><worldbody><flexcomp name='f' type='grid' count='12 12 1' spacing='.1 .1 .1'"
           " radius='.01' mass='1' dim='2'><contact selfcollide='%s' internal='false'/></flexcomp>"
           "</worldbody></mujoco>",
           self);
  mjModel* m = text_model(text);
  mjData* d = mj_makeData(m);
  assert_int_equal(m->nflexelem, CRUMPLED);
  for (int i = 0; i < m->nq; i++) {
    seed = seed * 1664525u + 1013904223u;
    d->qpos[i] = ((mjtNum)(seed >> 8) / (1 << 24) - (mjtNum)0.5) / 4;
  }
  mj_kinematics(m, d);
  mj_comPos(m, d);
  mj_flex(m, d);
  mj_collision(m, d);
  int ncon = d->ncon;
  memset(touching, 0, CRUMPLED * CRUMPLED);
  for (int i = 0; i < ncon; i++) {
    int a = d->contact[i].elem[0], b = d->contact[i].elem[1];
    touching[a < b ? CRUMPLED * a + b : CRUMPLED * b + a] = 1;
  }
  mj_deleteData(d);
  mj_deleteModel(m);
  return ncon;
}

// Pairs found by a sweep, by a walk down the tree and by asking all are the same.
static void a_crumpled_cloth_touches_itself_however_pairs_are_found(void** state) {
  (void)state;
  static unsigned char swept[CRUMPLED * CRUMPLED], asked[CRUMPLED * CRUMPLED];
  for (unsigned seed = 1; seed <= 5; seed++) {
    int ncon = mark_touching("sap", seed, swept);
    mark_touching("narrow", seed, asked);
    if (ncon < 100) fail_msg("%d contacts", ncon);
    assert_memory_equal(swept, asked, sizeof(asked));
    mark_touching("bvh", seed, asked);
    assert_memory_equal(swept, asked, sizeof(asked));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_small_arena_has_the_contacts_of_a_large_one),
      cmocka_unit_test(cloths_in_one_point_step_with_little_memory),
      cmocka_unit_test(a_crumpled_cloth_touches_itself_however_pairs_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
