// Building small specs in one line per element, and compiling them.

#ifndef TESTS_COMPILE_BUILD_H_
#define TESTS_COMPILE_BUILD_H_

#include <math.h>
#include <mujoco/mujoco.h>
#include <string.h>

#include "support/fail.h"

static inline mjsBody* world_of(mjSpec* s) {
  return mjs_findBody(s, "world");
}

static inline void set3(double* v, double x, double y, double z) {
  v[0] = x;
  v[1] = y;
  v[2] = z;
}

static inline mjsBody* add_body(mjsBody* parent, const char* name, double x, double y, double z) {
  mjsBody* body = mjs_addBody(parent, NULL);
  if (name) mjs_setName(body->element, name);
  set3(body->pos, x, y, z);
  return body;
}

static inline mjsGeom* add_geom(mjsBody* body, const char* name, mjtGeom type, double a, double b,
                                double c) {
  mjsGeom* geom = mjs_addGeom(body, NULL);
  if (name) mjs_setName(geom->element, name);
  geom->type = type;
  set3(geom->size, a, b, c);
  return geom;
}

static inline mjsJoint* add_joint(mjsBody* body, const char* name, mjtJoint type, double x,
                                  double y, double z) {
  mjsJoint* joint = mjs_addJoint(body, NULL);
  if (name) mjs_setName(joint->element, name);
  joint->type = type;
  set3(joint->axis, x, y, z);
  return joint;
}

static inline mjsSite* add_site(mjsBody* body, const char* name) {
  mjsSite* site = mjs_addSite(body, NULL);
  mjs_setName(site->element, name);
  return site;
}

static inline void set_euler(mjsOrientation* alt, double x, double y, double z) {
  alt->type = mjORIENTATION_EULER;
  set3(alt->euler, x, y, z);
}

// The model of a spec that must compile.
static inline mjModel* compile(mjSpec* s) {
  mjModel* m = mj_compile(s, NULL);
  if (!m) fail_msg("the spec should compile: %s", mjs_getError(s));
  return m;
}

// A spec that must not compile, for a reason with this text in it; the spec is deleted.
static inline void expect_refusal(mjSpec* s, const char* part) {
  mjModel* m = mj_compile(s, NULL);
  if (m) fail_msg("the spec should be refused: %s", part);
  if (!strstr(mjs_getError(s), part)) fail_msg("\"%s\" should say: %s", mjs_getError(s), part);
  mj_deleteSpec(s);
}

#define EXPECT_INTS(array_, ...)                                                                   \
  do {                                                                                             \
    const int expected_[] = {__VA_ARGS__};                                                         \
    for (size_t i_ = 0; i_ < sizeof(expected_) / sizeof(expected_[0]); i_++) {                     \
      if ((array_)[i_] != expected_[i_]) {                                                         \
        fail_msg("%s[%d] is %d, expected %d", #array_, (int)i_, (int)(array_)[i_], expected_[i_]); \
      }                                                                                            \
    }                                                                                              \
  } while (0)

// Numbers that were written down with about ten digits.
#define EXPECT_NUMS(array_, ...)                                                              \
  do {                                                                                        \
    const double expected_[] = {__VA_ARGS__};                                                 \
    const double tolerance_ = sizeof(mjtNum) == 8 ? 2e-10 : 2e-6;                             \
    for (size_t i_ = 0; i_ < sizeof(expected_) / sizeof(expected_[0]); i_++) {                \
      double found_ = (double)(array_)[i_];                                                   \
      if (!(fabs(found_ - expected_[i_]) <= tolerance_ * (1 + fabs(expected_[i_])))) {        \
        fail_msg("%s[%d] is %.12g, expected %.12g", #array_, (int)i_, found_, expected_[i_]); \
      }                                                                                       \
    }                                                                                         \
  } while (0)

#endif  // TESTS_COMPILE_BUILD_H_
