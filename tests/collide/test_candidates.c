// The list of geoms that can meet: a step that goes by it finds the pairs that a search finds, in
// the same order, whatever the model and the pose, also after the model was edited.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/meetings.h"
#include "base/memory/scratch.h"
#include "base/private.h"
#include "collide/pairs.h"
#include "collide/search.h"
#include "collide/sweep.h"
#include "support/fail.h"
#include "support/models.h"
#include "support/text_models.h"

typedef struct {
  ct_GeomPair pair[8192];
  int count;
} Found;

// Without those that were left out.
static void take(Found* to, const ct_PairList* list) {
  assert_non_null(list->pair);
  to->count = 0;
  for (int i = 0; i < list->count; i++) {
    if (list->pair[i].geom1 < 0) continue;
    assert_true(to->count < 8192);
    to->pair[to->count++] = list->pair[i];
  }
}

// Returns how many pairs there are.
static int compare(const char* what, const mjModel* m, mjData* d, bool all_masks) {
  static Found listed, searched;
  Lane g = lane_one();
  assert_true(lane_mark(g, d));
  ct_PairList list = ct_find_pairs(g, m, d, all_masks);
  take(&listed, &list);
  list = ct_search_pairs(g, m, d, all_masks, false);
  ct_drop_touching(g, m, d, &list);
  take(&searched, &list);
  lane_free(g, d);
  if (listed.count != searched.count) {
    fail_msg("%s: %d pairs by the list, %d by a search", what, listed.count, searched.count);
  }
  for (int i = 0; i < listed.count; i++) {
    ct_GeomPair a = listed.pair[i], b = searched.pair[i];
    if (a.geom1 != b.geom1 || a.geom2 != b.geom2 || a.pair != b.pair) {
      fail_msg("%s: pair %d is geoms %d and %d (pair %d) by the list, %d and %d (%d) by a search",
               what, i, a.geom1, a.geom2, a.pair, b.geom1, b.geom2, b.pair);
    }
  }
  return listed.count;
}

static unsigned seed = 1;

static unsigned draw(unsigned below) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 8) % below;
}

static mjtNum draw_num(void) {
  return (mjtNum)((int)draw(20001) - 10000) / 10000;
}

// Geoms stay where kinematics put them, or are crowded together, so that more of them meet. Some
// sit on a grid, where spheres touch.
static void pose(const mjModel* m, mjData* d, int kind) {
  for (int i = 0; i < m->nq; i++) d->qpos[i] = m->qpos0[i] + (kind ? draw_num() / 2 : 0);
  mj_kinematics(m, d);
  for (int i = 0; kind >= 2 && i < 3 * m->ngeom; i++) {
    mjtNum x = d->geom_xpos[i] / 4 + draw_num() / 8;
    d->geom_xpos[i] = kind == 2 ? x : (mjtNum)round((double)(x * 10)) / 10;
  }
}

static void shake_masks(mjModel* m) {
  for (int i = 0; i < m->ngeom; i++) {
    if (draw(4) == 0) m->geom_contype[i] = (int)draw(4);
    if (draw(4) == 0) m->geom_conaffinity[i] = (int)draw(4);
  }
  for (int b = 0; b < m->nbody; b++) {
    if (draw(4) == 0) m->body_contype[b] = (int)draw(4);
    if (draw(4) == 0) m->body_conaffinity[b] = (int)draw(4);
  }
  for (int i = 0; i < m->nexclude; i++) {
    if (draw(4) == 0) {
      m->exclude_signature[i] = (int)ct_pair_of_bodies((int)draw(4), 4 + (int)draw(4));
    }
  }
}

static void shake_flags(mjModel* m) {
  m->opt.disableflags ^= draw(3) == 0 ? mjDSBL_FILTERPARENT : 0;
  m->opt.disableflags ^= draw(3) == 0 ? mjDSBL_MIDPHASE : 0;
  m->opt.enableflags ^= draw(3) == 0 ? mjENBL_OVERRIDE : 0;
  m->opt.o_margin = (mjtNum)0.05 * draw_num();
}

// Some bodies asleep, as if the step had found them so.
static void put_to_sleep(mjModel* m, mjData* d) {
  m->opt.enableflags |= mjENBL_SLEEP;
  d->nbody_awake = 0;
  for (int b = 0; b < m->nbody; b++) {
    d->body_awake[b] = m->body_weldid[b] == 0 ? -1 : (int)draw(2);
    d->nbody_awake += d->body_awake[b] != 0;
  }
}

static void the_list_finds_what_a_search_finds(void** state) {
  (void)state;
  int pairs = 0, lists = 0;
  for (int k = 0; recorded_model_name(k); k++) {
    const char* name = recorded_model_name(k);
    mjModel* m = recorded_model(name);
    mjData* d = mj_makeData(m);
    lists += ct_private(d)->schedule.meetings.count > 0;
    for (int i = 0; i < 40; i++) {
      if (i >= 20) shake_flags(m);
      if (i >= 24 && i % 2) shake_masks(m);
      pose(m, d, i % 4);
      if (i >= 32) put_to_sleep(m, d);
      pairs += compare(name, m, d, i >= 28 && i % 3 == 0);
    }
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  assert_true(lists > 10);
  assert_true(pairs > 1000);
}

// A number that is none passes the bounds that it meets, in both ways alike.
static void the_list_finds_what_a_search_finds_among_bad_numbers(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  mjData* d = mj_makeData(m);
  for (int i = 0; i < 40; i++) {
    pose(m, d, 2);
    for (int k = 0; k < 3; k++) {
      d->geom_xpos[draw(3 * (unsigned)m->ngeom)] = (mjtNum)(i % 2 ? NAN : INFINITY);
    }
    compare("humanoid", m, d, false);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// Robots side by side, single bodies of several shapes, and what does not move: too many geoms to
// list pairs of two trees.
static const char crowd[] =
    "<mujoco><worldbody><geom type='plane' size='2 2 .1'/><geom type='box' size='.3 .3 .1'/>"
    "<body name='post'><geom type='capsule' size='.05 .4'/><geom size='.1' pos='0 0 .5'/></body>"
    "<replicate count='9' offset='.13 .1 .05'><body name='root' pos='-.5 -.5 .3'><freejoint/>"
    "<geom type='box' size='.1 .08 .05'/><geom name='head' size='.07' pos='0 0 .15'/>"
    "<geom type='capsule' size='.03 .1' pos='.1 0 0'/>"
    "<body name='arm' pos='.15 0 0'><joint/><geom type='capsule' size='.04 .1'/>"
    "<geom type='ellipsoid' size='.05 .07 .1' pos='0 0 .2'/><body name='hand' pos='.1 0 .1'>"
    "<joint/><geom type='cylinder' size='.04 .1'/></body></body>"
    "<body name='leg' pos='-.1 0 -.1'><joint/><geom size='.06' contype='2' conaffinity='3'/>"
    "<body name='foot' pos='0 0 -.1'><geom type='box' size='.06 .04 .02' margin='.02'/>"
    "</body></body></body></replicate><replicate count='12' offset='.1 .07 .02'><body name='ball'>"
    "<freejoint/><geom size='.08'/></body><body name='brick' pos='.1 -.2 .1'><freejoint/>"
    "<geom type='box' size='.1 .04 .03' contype='2' conaffinity='1'/></body></replicate>"
    "</worldbody><contact><exclude body1='root0' body2='root1'/><exclude body1='hand2' body2="
    "'foot3'/>%s</contact></mujoco>";

static void pairs_of_two_trees_are_those_of_a_search(void** state) {
  (void)state;
  static const char* const predefined[] = {
      "", "<pair geom1='head0' geom2='head3'/><pair geom1='head4' geom2='head2' margin='.1'/>"};
  int pairs = 0;
  for (int i = 0; i < 400; i++) {
    char text[4096];
    snprintf(text, sizeof(text), crowd, predefined[i % 2]);
    mjModel* m = text_model(text);
    mjData* d = mj_makeData(m);
    if (i % 5 == 1) shake_flags(m);
    if (i % 5 == 2) shake_masks(m);
    pose(m, d, i / 2 % 4);
    if (i % 5 == 3) put_to_sleep(m, d);
    for (int k = 0; k < 3 && i % 5 == 4; k++) {
      d->geom_xpos[draw(3 * (unsigned)m->ngeom)] = (mjtNum)(i % 2 ? NAN : INFINITY);
    }
    pairs += compare("crowd", m, d, false);
    if (i % 5 != 2) assert_true(ct_private(d)->schedule.meetings.ntree > 20);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  assert_true(pairs > 10000);
}

// Capsules of other lengths and directions, some of them points, some parallel, with margins of
// either sign. Their boxes are too large, so that they decide less.
static void shake_round_geoms(mjModel* m, mjData* d) {
  for (int i = 0; i < m->ngeom; i++) {
    mjtNum* size = m->geom_size + 3 * i;
    mjtNum half = draw(8) == 0 ? 0 : (1 + draw_num()) / 8, quat[4];
    m->geom_margin[i] = draw(3) ? 0 : draw_num() / 50;
    if (m->geom_type[i] != mjGEOM_CAPSULE && m->geom_type[i] != mjGEOM_SPHERE) continue;
    size[0] = draw(8) == 0 ? 0 : (1 + draw_num()) / 16;
    if (m->geom_type[i] == mjGEOM_CAPSULE) size[1] = half;
    m->geom_rbound[i] = size[0] + size[1] + (mjtNum)0.01;
    for (int k = 0; k < 3; k++) m->geom_aabb[6 * i + k] = 0;
    for (int k = 3; k < 6; k++) m->geom_aabb[6 * i + k] = (mjtNum)0.05 + size[0] + size[1];
    for (int k = 0; k < 4; k++) quat[k] = draw(3) ? draw_num() : k == 0;
    mju_normalize4(quat);
    mju_quat2Mat(d->geom_xmat + 9 * i, quat);
  }
}

// Returns how many pairs are left out; none that has contacts may be.
static int compare_touching(const char* what, const mjModel* m, mjData* d) {
  static Found all, some;
  ct_Hit hit[CT_MOST_HITS];
  Lane g = lane_one();
  assert_true(lane_mark(g, d));
  ct_PairList list = ct_find_pairs(g, m, d, false);
  take(&all, &list);
  list = ct_find_touching_pairs(g, m, d);
  take(&some, &list);
  lane_free(g, d);
  int at = 0;
  for (int i = 0; i < all.count; i++) {
    ct_GeomPair a = all.pair[i], b = some.pair[at < some.count ? at : 0];
    if (at < some.count && a.geom1 == b.geom1 && a.geom2 == b.geom2 && a.pair == b.pair) {
      at++;
    } else if (ct_collide_pair(m, d, hit, a, ct_pair_margin(m, a))) {
      fail_msg("%s: geoms %d and %d have a contact and are left out", what, a.geom1, a.geom2);
    }
  }
  assert_int_equal(at, some.count);
  return all.count - some.count;
}

static void what_is_left_out_has_no_contact(void** state) {
  (void)state;
  int out = 0;
  for (int k = 0; recorded_model_name(k); k++) {
    const char* name = recorded_model_name(k);
    mjModel* m = recorded_model(name);
    mjData* d = mj_makeData(m);
    for (int i = 0; i < 48; i++) {
      pose(m, d, i % 4);
      if (i >= 8) shake_round_geoms(m, d);
      if (i >= 40 && m->ngeom) d->geom_xpos[draw(3 * (unsigned)m->ngeom)] = (mjtNum)NAN;
      out += compare_touching(name, m, d);
    }
    mj_deleteData(d);
    mj_deleteModel(m);
  }
  assert_true(out > 1000);
}

static void an_edited_model_still_fits_its_data(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  mjData* d = mj_makeData(m);
  int before = ct_private(d)->schedule.meetings.count;
  assert_true(before > 100);
  for (int i = 0; i < m->ngeom; i++) m->geom_contype[i] = m->geom_conaffinity[i] = i == 0;
  mj_forward(m, d);
  assert_int_equal(d->ncon, 0);
  assert_int_equal(ct_private(d)->schedule.meetings.count, 0);
  mjData* copy = mj_copyData(NULL, m, d);
  assert_non_null(copy);
  assert_int_equal(ct_private(copy)->schedule.meetings.count, 0);
  mj_deleteData(copy);
  mj_deleteData(d);
  mj_deleteModel(m);
}

// Eight balls that touch their neighbours.
static mjModel* model_of_balls(const char* contact) {
  char text[2048];
  int n = snprintf(text, sizeof(text), "<mujoco><worldbody>");
  for (int i = 0; i < 8; i++) {
    n += snprintf(text + n, sizeof(text) - (size_t)n,
                  "<body name='b%d' pos='%g 0 0'><freejoint/><geom name='g%d' size='.1'/></body>",
                  i, 0.15 * i, i);
  }
  snprintf(text + n, sizeof(text) - (size_t)n, "</worldbody><contact>%s</contact></mujoco>",
           contact);
  return text_model(text);
}

// An mjData has no array of exclusions or predefined pairs, so that models that differ in nothing
// else may take turns with one.
static void models_with_more_exclusions_and_pairs_share_an_mjdata(void** state) {
  (void)state;
  mjModel* plain = model_of_balls("");
  mjModel* fewer =
      model_of_balls("<exclude body1='b0' body2='b1'/><exclude body1='b3' body2='b4'/>");
  mjModel* more = model_of_balls(
      "<pair geom1='g0' geom2='g7' margin='9'/><pair geom1='g0' geom2='g6' margin='9'/>");
  mjData* d = mj_makeData(plain);
  size_t bytes = ct_schedule_bytes(plain);
  char* before = (char*)malloc(bytes);
  for (int turn = 0; turn < 2; turn++) {
    mj_forward(plain, d);
    assert_int_equal(d->ncon, 7);
    memcpy(before, ct_schedule_memory(&ct_private(d)->schedule), bytes);
    mj_forward(fewer, d);
    assert_int_equal(d->ncon, 5);
    mj_forward(more, d);
    assert_int_equal(d->ncon, 9);
    assert_memory_equal(before, ct_schedule_memory(&ct_private(d)->schedule), bytes);
  }
  free(before);
  mj_deleteData(d);
  mj_deleteModel(plain);
  mj_deleteModel(fewer);
  mj_deleteModel(more);
}

static void large_scenes_have_no_list(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  mjtSize ngeom = m->ngeom;
  assert_true(ct_meeting_room(m) > 0);
  m->ngeom = 100000;
  assert_int_equal(ct_meeting_room(m), 0);
  assert_int_equal(ct_meeting_integers(m), 0);
  m->ngeom = ngeom;
  mj_deleteModel(m);
}

// A box somewhere; kind 0: turned anyhow, 1: along the axes on a grid, so that boxes touch, 2: as 0
// with a matrix that also stretches, 3: without end along two axes, 4: with a number that is none.
typedef struct {
  mjtNum box[6], pos[3], mat[9];
} PosedBox;

static PosedBox draw_box(int kind) {
  PosedBox b;
  mjtNum quat[4] = {1, 0, 0, 0};
  for (int k = 0; k < 3; k++) {
    b.box[k] = kind == 1 ? 0 : draw_num() / 4;
    b.box[3 + k] = kind == 1 ? (mjtNum)0.25 * (mjtNum)(1 + draw(3)) : (1 + draw_num()) / 2;
    b.pos[k] = kind == 1 ? (mjtNum)0.25 * (mjtNum)draw(9) : draw_num();
  }
  for (int k = 0; k < 4 && kind != 1; k++) quat[k] = draw_num();
  mju_normalize4(quat);
  if (kind == 2) quat[0] *= (mjtNum)1.0001;
  for (int k = 0; k < 4 && kind == 2; k++) quat[k] *= 1 + draw_num() / 10;
  mju_quat2Mat(b.mat, quat);
  if (kind == 3 || kind == 5) b.box[3] = b.box[4] = (mjtNum)mjMAXVAL;
  if (kind == 5) {
    b.box[0] = b.box[1] = 0;
    b.box[5] = (mjtNum)mjMAXVAL / 2;
    b.box[2] = -b.box[5];
  }
  if (kind == 4) b.pos[draw(3)] = (mjtNum)NAN;
  return b;
}

static void six_axes_at_once_say_what_each_says(void** state) {
  (void)state;
  int meeting = 0;
  for (int trial = 0; trial < 200000; trial++) {
    int kind = trial % 8, other = kind > 4 ? 0 : kind;
    PosedBox a = draw_box(kind > 5 ? 0 : kind), b = draw_box(other == 3 ? 0 : other);
    if (kind == 5 && trial % 3) {  // a floor, and boxes that may touch it
      for (int k = 0; k < 9; k++) a.mat[k] = k % 4 == 0;
      b = draw_box(trial % 3);
      if (trial % 5 == 0) {  // an edited matrix, a little askew, or short of an axis
        a.mat[draw(9)] += draw_num() * mju_pow(10, -(mjtNum)draw(16));
        if (draw(3) == 0) a.mat[4 * draw(3)] = 0;
      }
    }
    mjtNum margin = trial % 3 ? 0 : draw_num() / 8;
    bool quick = ct_boxes_meet(a.box, a.pos, a.mat, b.box, b.pos, b.mat, margin);
    bool exact = ct_boxes_meet_exactly(a.box, a.pos, a.mat, b.box, b.pos, b.mat, margin);
    if (quick != exact)
      fail_msg("boxes of kind %d, trial %d: %d, not %d", kind, trial, quick, exact);
    meeting += exact;
  }
  assert_true(meeting > 20000 && meeting < 180000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_list_finds_what_a_search_finds),
      cmocka_unit_test(the_list_finds_what_a_search_finds_among_bad_numbers),
      cmocka_unit_test(pairs_of_two_trees_are_those_of_a_search),
      cmocka_unit_test(what_is_left_out_has_no_contact),
      cmocka_unit_test(an_edited_model_still_fits_its_data),
      cmocka_unit_test(models_with_more_exclusions_and_pairs_share_an_mjdata),
      cmocka_unit_test(large_scenes_have_no_list),
      cmocka_unit_test(six_axes_at_once_say_what_each_says),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
