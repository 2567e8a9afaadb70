// Inertia of bodies: given, or from geoms; bounds.

#include "compile/inertia.h"

#include <math.h>
#include <string.h>

// The order of the products is the reference's: early stops in the search for principal axes make
// much of the last bits.
void ct_add_inertia(double sum[9], const double quat[4], const double moment[3], double mass,
                    const double offset[3]) {
  double r[9];
  ct_quat_matrix(r, quat);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      double turned = 0;
      for (int k = 0; k < 3; k++) turned += r[3 * i + k] * (moment[k] * r[3 * j + k]);
      sum[3 * i + j] += turned;
    }
  }
  double x = offset[0], y = offset[1], z = offset[2];
  double xy = -mass * x * y, xz = -mass * x * z, yz = -mass * y * z;
  double point[9] = {mass * (y * y + z * z), xy, xz, xy, mass * (x * x + z * z), yz, xz, yz,
                     mass * (x * x + y * y)};
  for (int i = 0; i < 9; i++) sum[i] += point[i];
}

static bool contributes(const ct_WorkGeom* geom) {
  const int* range = ct_settings(geom->body->head.element)->inertiagrouprange;
  return geom->v.group >= range[0] && geom->v.group <= range[1] && geom->mass > CT_COMPILER_EPS;
}

// One geom hands over its inertia as it is; several are added about their common centre of mass.
static void inertia_from_geoms(ct_Compiler* c, ct_WorkBody* body) {
  const ct_WorkList* geoms = &body->child[CT_CHILD_GEOM];
  mjsBody* v = &body->v;
  const ct_WorkGeom* last = NULL;
  int count = 0;
  double mass = 0, centre[3] = {0, 0, 0}, sum[9] = {0};
  for (int i = 0; i < geoms->count; i++) {
    const ct_WorkGeom* geom = CT_WORK(ct_WorkGeom, *geoms, i);
    if (!contributes(geom)) continue;
    last = geom;
    count++;
    mass += geom->mass;
    for (int k = 0; k < 3; k++) centre[k] += geom->mass * geom->v.pos[k];
  }
  if (count == 0) return;
  if (count == 1) {
    v->mass = last->mass;
    memcpy(v->ipos, last->v.pos, sizeof(v->ipos));
    memcpy(v->iquat, last->v.quat, sizeof(v->iquat));
    memcpy(v->inertia, last->inertia, sizeof(v->inertia));
    return;
  }

  if (mass < CT_COMPILER_EPS) ct_fail(c, body->head.element, "the mass of its geoms is too small");
  v->mass = mass;
  for (int k = 0; k < 3; k++) v->ipos[k] = centre[k] / mass;
  for (int i = 0; i < geoms->count; i++) {
    const ct_WorkGeom* geom = CT_WORK(ct_WorkGeom, *geoms, i);
    if (!contributes(geom)) continue;
    double offset[3];
    for (int k = 0; k < 3; k++) offset[k] = geom->v.pos[k] - v->ipos[k];
    ct_add_inertia(sum, geom->v.quat, geom->inertia, geom->mass, offset);
  }
  if (!ct_principal_axes(v->inertia, v->iquat, sum)) {
    ct_fail(c, body->head.element, "the inertia of its geoms is too small or not positive");
  }
}

// What is given

static void given_inertia(ct_Compiler* c, ct_WorkBody* body) {
  const ct_Element* e = body->head.element;
  mjsBody* v = &body->v;
  if (isnan(v->fullinertia[0])) {
    ct_resolve_orientation(c, e, v->iquat, &v->ialt);
    return;
  }
  if (v->ialt.type != mjORIENTATION_QUAT) {
    ct_fail(c, e, "fullinertia and an orientation of the inertial frame exclude each other");
  }
  if (v->inertia[0] != 0 || v->inertia[1] != 0 || v->inertia[2] != 0) {
    ct_fail(c, e, "fullinertia and diaginertia exclude each other");
  }
  const double* f = v->fullinertia;  // xx yy zz xy xz yz
  double matrix[9] = {f[0], f[3], f[4], f[3], f[1], f[5], f[4], f[5], f[2]};
  if (!ct_principal_axes(v->inertia, v->iquat, matrix)) {
    for (int i = 0; i < 6; i++) {
      if (!isfinite(f[i])) ct_fail(c, e, "fullinertia must be of finite numbers");
    }
    if (isnan(v->inertia[2])) ct_fail(c, e, "the numbers of fullinertia are too large");
    ct_fail(c, e, "fullinertia must be positive definite, its smallest moment is %g",
            v->inertia[2]);
  }
}

// Bounds

// NaN stays: it is an error of a later check, or nobody's business in a body that cannot move.
static double at_least(double x, double bound) {
  return x < bound ? bound : x;
}

static void check_inertia(ct_Compiler* c, ct_WorkBody* body) {
  const ct_Element* e = body->head.element;
  const mjsCompiler* settings = ct_settings(e);
  mjsBody* v = &body->v;
  double* inertia = v->inertia;
  v->mass = at_least(v->mass, settings->boundmass);
  for (int i = 0; i < 3; i++) inertia[i] = at_least(inertia[i], settings->boundinertia);
  if (v->mass < 0) ct_fail(c, e, "mass is negative");
  for (int i = 0; i < 3; i++) {
    if (inertia[i] < 0) ct_fail(c, e, "inertia is negative");
  }
  if (inertia[0] + inertia[1] < inertia[2] || inertia[0] + inertia[2] < inertia[1] ||
      inertia[1] + inertia[2] < inertia[0]) {
    if (!settings->balanceinertia) {
      ct_fail(c, e,
              "inertia %g %g %g is of no body: two moments must add up to the third at least; "
              "balanceinertia of the compiler repairs it",
              inertia[0], inertia[1], inertia[2]);
    }
    inertia[0] = inertia[1] = inertia[2] = (inertia[0] + inertia[1] + inertia[2]) / 3;
  }
}

void ct_compile_given_inertia(ct_Compiler* c, ct_WorkBody* body) {
  given_inertia(c, body);
}

void ct_compile_inertia(ct_Compiler* c, ct_WorkBody* body) {
  mjsBody* v = &body->v;
  int from_geom = ct_settings(body->head.element)->inertiafromgeom;
  bool undefined = isnan(v->ipos[0]);
  if (!ct_is_world(body) &&
      (from_geom == mjINERTIAFROMGEOM_TRUE || (from_geom == mjINERTIAFROMGEOM_AUTO && undefined))) {
    inertia_from_geoms(c, body);
  }

  // without anything to go by, the inertial pose is a copy of the body's pose in its parent
  if (isnan(v->ipos[0])) {
    memcpy(v->ipos, v->pos, sizeof(v->ipos));
    memcpy(v->iquat, v->quat, sizeof(v->iquat));
  }
  if (!ct_is_world(body)) check_inertia(c, body);
}

// Moving bodies

static bool has_mass(const ct_WorkBody* body) {
  const mjsBody* v = &body->v;
  return v->mass >= mjMINVAL && v->inertia[0] >= mjMINVAL && v->inertia[1] >= mjMINVAL &&
         v->inertia[2] >= mjMINVAL;
}

// A body that moves needs mass, its own or that of bodies fixed to it.
void ct_check_moving_masses(ct_Compiler* c) {
  int nbody = CT_COUNT(c, mjOBJ_BODY);
  bool* good = (bool*)ct_pool_array(&c->pool, (size_t)nbody, sizeof(bool));
  for (int i = nbody - 1; i > 0; i--) {
    const ct_WorkBody* body = ct_body_at(c, i);
    if (has_mass(body)) good[i] = true;
    bool moves = body->child[CT_CHILD_JOINT].count > 0;
    if (!moves && good[i]) good[body->parent->head.id] = true;
  }
  for (int i = 1; i < nbody; i++) {
    const ct_WorkBody* body = ct_body_at(c, i);
    if (body->child[CT_CHILD_JOINT].count > 0 && !good[i]) {
      ct_fail(
          c, body->head.element,
          "a body that moves needs mass and inertia of at least %g: give it geoms or an inertial",
          mjMINVAL);
    }
  }
}
