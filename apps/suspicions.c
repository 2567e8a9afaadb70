#include "suspicions.h"

#include <math.h>
#include <mujoco/mjxmacro.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "command.h"

static const double pi = 3.14159265358979323846;
static const double most_radians = 6.5;  // a turn, and what rounding makes of it

typedef struct {
  const char* file;
  mjSpec* spec;
  const mjModel* m;
  int count;
} Suspicions;

// where: as a spec says it of an element ("line 12", perhaps of another file); "": nowhere.
static void suspect(Suspicions* s, const char* where, const char* format, ...) mjPRINTFLIKE(3, 4);
static void suspect(Suspicions* s, const char* where, const char* format, ...) {
  char text[500], shown[2000];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof(text), format, args);
  va_end(args);
  s->count++;
  printf("%s", make_visible(shown, sizeof(shown), s->file));
  if (!strcmp(where, "line 0")) {
    printf(": in a file that it includes");
  } else if (!strncmp(where, "line ", 5)) {
    printf(":%s", make_visible(shown, sizeof(shown), where + 5));
  } else if (where[0]) {
    printf(": %s", make_visible(shown, sizeof(shown), where));
  }
  printf(": warning: %s\n", make_visible(shown, sizeof(shown), text));
}

// NaN

static bool has_nan(const mjtNum* x, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (isnan((double)x[i])) return true;
  }
  return false;
}

// What the compiler derives from meshes: faces without an area have no normal, and nobody minds.
static bool is_derived(const char* name) {
  return !strcmp(name, "mesh_polynormal");
}

static void suspect_options(Suspicions* s) {
  const mjModel* m = s->m;
#define X(type_, name_) \
  if (has_nan(&m->opt.name_, 1)) suspect(s, "", "opt.%s is NaN", #name_);
  MJOPTION_FLOATS
#undef X
#define X(name_, length_) \
  if (has_nan(m->opt.name_, length_)) suspect(s, "", "opt.%s has a number that is NaN", #name_);
  MJOPTION_VECTORS
#undef X
  if (m->opt.timestep == 0) suspect(s, "", "the timestep is 0; nothing will move");
  if (m->opt.timestep < 0) {
    suspect(s, "", "the timestep is %g; time will run backwards", (double)m->opt.timestep);
  }
}

// Every array of numbers of the model, by its name.
static void suspect_arrays(Suspicions* s) {
  const mjModel* m = s->m;
  MJMODEL_POINTERS_PREAMBLE(m)
#define XNV X
#define X(type_, name_, rows_, columns_)                                                      \
  if (sizeof(type_) == sizeof(mjtNum) && !strcmp(#type_, "mjtNum") && !is_derived(#name_) &&  \
      has_nan((const mjtNum*)(const void*)m->name_, (size_t)m->rows_ * (size_t)(columns_))) { \
    suspect(s, "", "%s has a number that is NaN", #name_);                                    \
  }
  MJMODEL_POINTERS
#undef X
#undef XNV
}

// Ranges of joints

// Where a joint stands in the file; "" if that is not known.
static const char* place_of_joint(const Suspicions* s, int joint) {
  mjsElement* e = s->spec ? mjs_firstElement(s->spec, mjOBJ_JOINT) : NULL;
  while (e && mjs_getId(e) != joint) e = mjs_nextElement(s->spec, e);
  return e ? mjs_getString(mjs_asJoint(e)->info) : "";
}

// Whole half turns, up to ten turns, are what somebody counted in radians.
static bool is_counted_in_pi(double x) {
  double halves = x / pi;
  return halves < 20.5 && fabs(halves - round(halves)) < 1e-3;
}

static const char* degrees_as_radians(const Suspicions* s) {
  return ends_with(s->file, ".urdf") ? "URDF takes radians" : "<compiler angle=\"degree\"/>";
}

// Other limits of more than a turn are hardly radians; limits that are all within 3.2 degrees look
// like radians.
static void suspect_ranges(Suspicions* s) {
  const mjModel* m = s->m;
  const double degree = pi / 180;
  int limited = 0, small = 0, example = -1;
  char name[120];
  for (int i = 0; i < m->njnt; i++) {
    bool hinge = m->jnt_type[i] == mjJNT_HINGE;
    if (!m->jnt_limited[i] || (!hinge && m->jnt_type[i] != mjJNT_BALL)) continue;
    double low = (double)m->jnt_range[2 * i], high = (double)m->jnt_range[2 * i + 1];
    double most = fmax(fabs(low), fabs(high));
    limited += hinge;
    if (hinge && most > 0 && most <= 3.2 * degree) small++, example = i;
    if (most <= most_radians || is_counted_in_pi(most)) continue;
    object_title(m, mjOBJ_JOINT, i, name, sizeof(name));
    suspect(s, place_of_joint(s, i), "%s has a range of %g to %g rad; if degrees are meant: %s",
            name, low, high, degrees_as_radians(s));
  }
  if (!small || small < limited) return;
  object_title(m, mjOBJ_JOINT, example, name, sizeof(name));
  suspect(s, place_of_joint(s, example),
          "all hinges have ranges within 3.2 degrees (%s: %.3g to %.3g); if radians are meant: "
          "<compiler angle=\"radian\"/>",
          name, (double)m->jnt_range[2 * example] / degree,
          (double)m->jnt_range[2 * example + 1] / degree);
}

// Orientations

// Angles of a file are what they say, before the compiler makes quaternions of them. Whole twelfths
// of a half turn (15 degrees), given with three digits or more, are hardly degrees.
static bool looks_like_radians(double x) {
  double twelfths = fabs(x) / (pi / 12);
  return twelfths > 0.5 && fabs(x) <= most_radians && x != round(x) &&
         fabs(twelfths - round(twelfths)) * (pi / 12) < 1e-3;
}

static bool looks_like_degrees(double x) {
  return fabs(x) > most_radians && !is_counted_in_pi(fabs(x));
}

// The first angle of an orientation that looks like the other unit; NULL: none does.
static const double* odd_angle(const mjsOrientation* o, bool degree) {
  const double* angle = o->type == mjORIENTATION_EULER ? o->euler : o->axisangle + 3;
  int count = o->type == mjORIENTATION_EULER ? 3 : o->type == mjORIENTATION_AXISANGLE;
  for (int i = 0; i < count; i++) {
    if (degree ? looks_like_radians(angle[i]) : looks_like_degrees(angle[i])) return angle + i;
  }
  return NULL;
}

static void suspect_orientation(Suspicions* s, mjsElement* e, const mjsOrientation* o,
                                const mjString* info) {
  const mjSpec* owner = mjs_getSpec(e);
  bool degree = owner ? owner->compiler.degree : true;
  const double* angle = odd_angle(o, degree);
  if (!angle) return;
  const char* name = mjs_getString(mjs_getName(e));
  suspect(s, mjs_getString(info),
          "%s%s%s is turned by %g %s; if %s are meant: <compiler angle=\"%s\"/>",
          mju_type2Str(e->elemtype), name[0] ? " " : "", name, *angle, degree ? "degrees" : "rad",
          degree ? "radians" : "degrees", degree ? "radian" : "degree");
}

static void suspect_orientations(Suspicions* s) {
  mjSpec* spec = s->spec;
  for (mjsElement* e = mjs_firstElement(spec, mjOBJ_BODY); e; e = mjs_nextElement(spec, e)) {
    const mjsBody* body = mjs_asBody(e);
    suspect_orientation(s, e, &body->alt, body->info);
    suspect_orientation(s, e, &body->ialt, body->info);
  }
  for (mjsElement* e = mjs_firstElement(spec, mjOBJ_FRAME); e; e = mjs_nextElement(spec, e)) {
    suspect_orientation(s, e, &mjs_asFrame(e)->alt, mjs_asFrame(e)->info);
  }
  for (mjsElement* e = mjs_firstElement(spec, mjOBJ_GEOM); e; e = mjs_nextElement(spec, e)) {
    suspect_orientation(s, e, &mjs_asGeom(e)->alt, mjs_asGeom(e)->info);
  }
  for (mjsElement* e = mjs_firstElement(spec, mjOBJ_SITE); e; e = mjs_nextElement(spec, e)) {
    suspect_orientation(s, e, &mjs_asSite(e)->alt, mjs_asSite(e)->info);
  }
  for (mjsElement* e = mjs_firstElement(spec, mjOBJ_CAMERA); e; e = mjs_nextElement(spec, e)) {
    suspect_orientation(s, e, &mjs_asCamera(e)->alt, mjs_asCamera(e)->info);
  }
}

int print_suspicions(const char* file, mjSpec* spec, const mjModel* m) {
  Suspicions s = {file, spec, m, 0};
  suspect_arrays(&s);
  suspect_options(&s);
  suspect_ranges(&s);
  if (spec) suspect_orientations(&s);
  return s.count;
}
