// Abstract scenes against recorded ones of the reference: every geom in its order, with its label,
// eyes, lights, triangles of flexes and vertices of skins. The state is stepped through corten's
// own forward pass, so floats may differ by roundings of it; conform_scene compares bits.

#include <math.h>
#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/fail.h"
#include "support/models.h"
#include "support/states.h"

enum { GEOM_INTS = 8, GEOM_FLOATS = 23 };

static const double tolerance = 1e-5;

static int text_hash(const char* text) {
  uint32_t h = 2166136261u;
  for (; *text; text++) h = (h ^ (unsigned char)*text) * 16777619u;
  return (int)h;
}

static const int* ints_of(const RecordedState* s, const char* what, size_t* count) {
  char name[200];
  snprintf(name, sizeof(name), "%s%s", s->prefix, what);
  const int* values = recorded_ints(s->recorded, name, count);
  if (!values) fail_msg("%s is not recorded", name);
  return values;
}

// Floats, recorded as their bits.
static void expect_floats(const RecordedState* s, const char* what, const float* got,
                          const int* bits, size_t n) {
  for (size_t i = 0; i < n; i++) {
    float want;
    memcpy(&want, bits + i, sizeof(want));
    if (fabs((double)got[i] - (double)want) <= tolerance * (1 + fabs((double)want))) continue;
    fail_msg("%s%s, number %zu: %.9g, not %.9g", s->prefix, what, i, (double)got[i], (double)want);
  }
}

static void expect_geom(const RecordedState* s, int id, const mjvGeom* g, const int* ints,
                        const int* bits) {
  const int got[GEOM_INTS] = {g->type,     g->dataid, g->objtype,  g->objid,
                              g->category, g->matid,  g->texcoord, text_hash(g->label)};
  char what[200];
  for (int i = 0; i < GEOM_INTS; i++) {
    if (got[i] == ints[i]) continue;
    fail_msg("%sgeom %d (type %d of object %d %d, label '%s'), number %d: %d, not %d", s->prefix,
             id, g->type, g->objtype, g->objid, g->label, i, got[i], ints[i]);
  }
  snprintf(what, sizeof(what), "geom %d (type %d of object %d %d)", id, g->type, g->objtype,
           g->objid);
  assert_int_equal(g->segid, id);
  expect_floats(s, what, g->size, bits, GEOM_FLOATS);
}

static void expect_geoms(const RecordedState* s, const mjvScene* scn) {
  size_t nint, nfloat;
  const int* ints = ints_of(s, "geoms", &nint);
  const int* bits = ints_of(s, "floats", &nfloat);
  int count = (int)nint / GEOM_INTS, both = scn->ngeom < count ? scn->ngeom : count;
  for (int i = 0; i < both; i++) {
    expect_geom(s, i, scn->geoms + i, ints + GEOM_INTS * i, bits + GEOM_FLOATS * i);
  }
  if (scn->ngeom != count) fail_msg("%s: %d geoms, not %d", s->prefix, scn->ngeom, count);
}

static void expect_eyes_and_lights(const RecordedState* s, const mjvScene* scn) {
  size_t n;
  const int* eyes = ints_of(s, "eyes", &n);
  expect_floats(s, "left eye", scn->camera[0].pos, eyes, n / 2);
  expect_floats(s, "right eye", scn->camera[1].pos, eyes + n / 2, n / 2);
  const int* lights = ints_of(s, "lights", &n);
  assert_int_equal(scn->nlight, n / 20);
  for (int i = 0; i < scn->nlight; i++) {
    expect_floats(s, "direction of a light", scn->lights[i].pos, lights + 20 * i, 6);
    expect_floats(s, "light", scn->lights[i].attenuation, lights + 20 * i + 6, 14);
  }
}

static void expect_soft(const RecordedState* s, const mjvOption* opt, const mjvScene* scn) {
  size_t n, at = 0;
  if (scn->nflex) {
    const int* used = ints_of(s, "flexfaceused", &n);
    const int* face = ints_of(s, "flexface", &n);
    const int* normal = ints_of(s, "flexnormal", &n);
    for (int i = 0; i < scn->nflex; i++) {
      assert_int_equal(scn->flexfaceused[i], used[i]);
      size_t first = 9 * (size_t)scn->flexfaceadr[i], count = 9 * (size_t)used[i];
      expect_floats(s, "flexface", scn->flexface + first, face + at, count);
      expect_floats(s, "flexnormal", scn->flexnormal + first, normal + at, count);
      at += count;
    }
  }
  if (scn->nskin && opt->flags[mjVIS_SKIN]) {
    const int* vert = ints_of(s, "skinvert", &n);
    expect_floats(s, "skinvert", scn->skinvert, vert, n);
    const int* normal = ints_of(s, "skinnormal", &n);
    expect_floats(s, "skinnormal", scn->skinnormal, normal, n);
  }
}

// What the recording asked for.
static void read_options(const RecordedState* s, mjvOption* opt, mjvCamera* cam) {
  size_t n;
  const int* asked = ints_of(s, "options", &n);
  assert_int_equal(n, mjNVISFLAG + 5);
  mjv_defaultOption(opt);
  for (int i = 0; i < mjNVISFLAG; i++) opt->flags[i] = (mjtByte)asked[i];
  opt->label = asked[mjNVISFLAG];
  opt->frame = asked[mjNVISFLAG + 1];
  mjv_defaultFreeCamera(s->model, cam);
  cam->type = asked[mjNVISFLAG + 2];
  cam->fixedcamid = asked[mjNVISFLAG + 3];
  cam->trackbodyid = asked[mjNVISFLAG + 4];
}

static void scenes_are_those_of_the_reference(void** state) {
  (void)state;
  SKIP_IN_SINGLE_PRECISION();  // recorded models have default statistics there
  RECORDED_STATES(s, "scenes") {
    mjvOption opt;
    mjvCamera cam;
    mjvPerturb pert;
    mjvScene scn;
    read_options(&s, &opt, &cam);
    mjv_defaultPerturb(&pert);
    pert.select = s.model->nbody > 1;
    pert.active = mjPERT_TRANSLATE | mjPERT_ROTATE;
    pert.localpos[0] = (mjtNum)0.1;
    pert.localpos[1] = (mjtNum)0.05;
    pert.localpos[2] = (mjtNum)-0.1;
    mjv_defaultScene(&scn);
    mjv_makeScene(s.model, &scn, 1000);
    if (!s.model->nflex) mj_forward(s.model, s.data);  // a flex is seen as it was recorded
    for (int i = 0; i < 2; i++) {
      mjv_updateScene(s.model, s.data, &opt, &pert, &cam, mjCAT_ALL, &scn);
    }
    expect_geoms(&s, &scn);
    expect_eyes_and_lights(&s, &scn);
    expect_soft(&s, &opt, &scn);
    mjv_freeScene(&scn);
  }
}

// Without a recording

static mjModel* small_model(mjData** d) {
  mjModel* m = recorded_model("humanoid");
  *d = mj_makeData(m);
  mj_forward(m, *d);
  return m;
}

static void a_full_scene_has_the_first_geoms_and_warns(void** state) {
  (void)state;
  mjData* d;
  mjModel* m = small_model(&d);
  mjvOption opt;
  mjvCamera cam;
  mjvScene all, few;
  mjv_defaultOption(&opt);
  mjv_defaultFreeCamera(m, &cam);
  mjv_defaultScene(&all);
  mjv_defaultScene(&few);
  mjv_makeScene(m, &all, 100);
  mjv_makeScene(m, &few, 5);
  mjv_updateScene(m, d, &opt, NULL, &cam, mjCAT_ALL, &all);
  assert_int_equal(all.status, 0);
  d->warning[mjWARN_VGEOMFULL].number = 1;  // the text has been said
  mjv_updateScene(m, d, &opt, NULL, &cam, mjCAT_ALL, &few);
  assert_int_equal(few.status, 1);
  assert_int_equal(few.ngeom, 5);
  assert_int_equal(d->warning[mjWARN_VGEOMFULL].number, 2);
  assert_int_equal(d->warning[mjWARN_VGEOMFULL].lastinfo, 5);
  for (int i = 0; i < 5; i++) {
    assert_int_equal(few.geoms[i].objid, all.geoms[i].objid);
    assert_memory_equal(few.geoms[i].size, all.geoms[i].size, sizeof(few.geoms[i].size));
  }
  mjv_freeScene(&all);
  mjv_freeScene(&few);
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void geoms_of_users_can_be_appended(void** state) {
  (void)state;
  mjData* d;
  mjModel* m = small_model(&d);
  mjvOption opt;
  mjvScene scn;
  mjv_defaultOption(&opt);
  mjv_defaultScene(&scn);
  mjv_makeScene(m, &scn, 200);
  mjv_addGeoms(m, d, &opt, NULL, mjCAT_DYNAMIC, &scn);
  int moving = scn.ngeom;
  assert_true(moving > 10);
  mjv_addGeoms(m, d, &opt, NULL, mjCAT_STATIC, &scn);
  assert_true(scn.ngeom > moving);
  for (int i = 0; i < scn.ngeom; i++) {
    assert_int_equal(scn.geoms[i].category, i < moving ? mjCAT_DYNAMIC : mjCAT_STATIC);
    assert_int_equal(scn.geoms[i].segid, i);
  }
  mjv_freeScene(&scn);
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scenes_are_those_of_the_reference),
      cmocka_unit_test(a_full_scene_has_the_first_geoms_and_warns),
      cmocka_unit_test(geoms_of_users_can_be_appended),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
