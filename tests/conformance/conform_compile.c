// conform_compile: random specs, built through the public functions of both libraries and compiled.
//
//   usage: conform_compile REFERENCE_LIB CORTEN_LIB [SPECS [FIRST_SEED [-v]]]
//
// A seed decides a spec: a tree of bodies in nested frames with geoms of all simple shapes, joints,
// sites, inertials and keyframes, and settings of the compiler. Some specs are wrong on purpose.
// Both libraries build it with the same calls; verdicts and models must agree. Prints, per field,
// how many models disagree and the worst case. Where the mass matrix at qpos0 is singular to
// rounding, what is computed from its inverse is nobody's number and is counted apart.

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/compare.h"
#include "conformance/condition.h"
#include "conformance/two_libraries.h"

// What a library must export

// clang-format off
#define API(X_)                                                                          \
  X_(mj_makeSpec)                                                                        \
  X_(mj_deleteSpec)                                                                      \
  X_(mj_compile) X_(mj_deleteModel) X_(mjs_getError) X_(mjs_findBody) X_(mjs_addBody)    \
      X_(mjs_addGeom) X_(mjs_addSite) X_(mjs_addJoint) X_(mjs_addFrame) X_(mjs_setFrame) \
          X_(mjs_setName) X_(mjs_setDouble) X_(mjs_addKey) X_(mjs_addFreeJoint) \
              X_(mj_makeData) X_(mj_deleteData) X_(mj_fwdPosition) X_(mj_fullM)
// clang-format on

typedef struct {
#define MEMBER_(name_) __typeof__(&name_) name_;
  API(MEMBER_)
#undef MEMBER_
} Library;

static Library open_library(void* handle) {
  Library library;
#define FIND_(name_) library.name_ = LIBRARY_FUNCTION(handle, name_);
  API(FIND_)
#undef FIND_
  return library;
}

// Chance

static uint64_t chance_state;

static double uniform(void) {  // splitmix64
  uint64_t z = chance_state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

static int below(int n) {
  return (int)(uniform() * n);
}

static int happens(double probability) {
  return uniform() < probability;
}

static double between(double low, double high) {
  return low + (high - low) * uniform();
}

static void random_vector(double* v, int n, double size) {
  for (int i = 0; i < n; i++) v[i] = between(-size, size);
}

// Pieces

static void random_orientation(double quat[4], mjsOrientation* alt) {
  static const double right[5] = {-90, 0, 45, 90, 180};
  switch (below(8)) {
    case 0:
      random_vector(quat, 4, 1);
      break;
    case 1:
      alt->type = mjORIENTATION_AXISANGLE;
      random_vector(alt->axisangle, 3, 1);
      alt->axisangle[3] = between(-200, 200);
      break;
    case 2:
      alt->type = mjORIENTATION_XYAXES;
      random_vector(alt->xyaxes, 6, 1);
      break;
    case 3:
      alt->type = mjORIENTATION_ZAXIS;
      random_vector(alt->zaxis, 3, 1);
      break;
    case 4:
      alt->type = mjORIENTATION_EULER;
      for (int i = 0; i < 3; i++) alt->euler[i] = right[below(5)];
      break;
    default:
      break;
  }
}

static void random_user(const Library* l, mjDoubleVec* user) {
  double numbers[3] = {1, 2, 3};
  if (happens(0.1)) l->mjs_setDouble(user, numbers, 1 + below(3));
}

static void set_name(const Library* l, mjsElement* e, const char* prefix, int number) {
  char name[40];
  snprintf(name, sizeof(name), "%s%d", prefix, number);
  if (happens(0.6)) l->mjs_setName(e, name);
}

typedef struct {
  const Library* l;
  mjSpec* spec;
  int nbody, ngeom, nsite, njoint;
  mjsFrame* frame[4];  // of the present body
  int nframe;
} Story;

static void maybe_in_frame(Story* s, mjsElement* e) {
  if (s->nframe && happens(0.4)) s->l->mjs_setFrame(e, s->frame[below(s->nframe)]);
}

static void add_geom(Story* s, mjsBody* body, int is_world) {
  static const mjtGeom shape[] = {mjGEOM_SPHERE,   mjGEOM_CAPSULE, mjGEOM_ELLIPSOID,
                                  mjGEOM_CYLINDER, mjGEOM_BOX,     mjGEOM_PLANE};
  mjsGeom* geom = s->l->mjs_addGeom(body, NULL);
  set_name(s->l, geom->element, "g", s->ngeom++);
  geom->type = shape[below(is_world ? 6 : 5)];
  for (int i = 0; i < 3; i++) geom->size[i] = between(0.02, 0.4);
  if (happens(0.003)) geom->size[below(3)] = -0.1;
  int long_shape = geom->type != mjGEOM_SPHERE && geom->type != mjGEOM_PLANE;
  if (long_shape && happens(0.25)) {
    random_vector(geom->fromto, 6, 0.5);
  } else {
    if (happens(0.7)) random_vector(geom->pos, 3, 0.5);
    random_orientation(geom->quat, &geom->alt);
  }
  if (happens(0.3)) geom->contype = below(3);
  if (happens(0.3)) geom->conaffinity = below(3);
  if (happens(0.2)) geom->contype = geom->conaffinity = 0;
  if (happens(0.2)) geom->mass = happens(0.2) ? 0 : between(0.1, 2);
  if (happens(0.2)) geom->density = happens(0.2) ? 0 : between(1, 3000);
  if (happens(0.2)) geom->typeinertia = mjINERTIA_SHELL;
  if (happens(0.2)) geom->fluid_ellipsoid = 1;
  if (happens(0.2)) geom->group = below(6);
  if (happens(0.2)) geom->margin = between(0, 0.1);
  random_user(s->l, geom->userdata);
  maybe_in_frame(s, geom->element);
}

static void add_site(Story* s, mjsBody* body) {
  mjsSite* site = s->l->mjs_addSite(body, NULL);
  set_name(s->l, site->element, "s", s->nsite++);
  if (happens(0.7)) random_vector(site->pos, 3, 0.5);
  random_orientation(site->quat, &site->alt);
  maybe_in_frame(s, site->element);
}

static void add_joint(Story* s, mjsBody* body) {
  static const mjtJoint type[] = {mjJNT_HINGE, mjJNT_HINGE, mjJNT_SLIDE, mjJNT_BALL};
  mjsJoint* joint = s->l->mjs_addJoint(body, NULL);
  set_name(s->l, joint->element, "j", s->njoint++);
  joint->type = type[below(4)];
  if (happens(0.5)) random_vector(joint->axis, 3, 1);
  if (happens(0.5)) random_vector(joint->pos, 3, 0.3);
  if (happens(0.3)) {
    joint->range[0] = joint->type == mjJNT_BALL ? 0 : between(-90, 0);
    joint->range[1] = between(-10, 90);
  }
  if (happens(0.02)) joint->limited = below(3);
  if (happens(0.1)) joint->actfrcrange[1] = 1;
  if (happens(0.3)) joint->ref = between(-20, 20);
  if (happens(0.3)) joint->springref = between(-20, 20);
  if (happens(0.3)) joint->armature = 0.1;
  if (happens(0.3)) joint->damping = 0.2;
  random_user(s->l, joint->userdata);
  maybe_in_frame(s, joint->element);
}

static void add_inertial(mjsBody* body) {
  body->explicitinertial = 1;
  body->mass = between(0.1, 3);
  random_vector(body->ipos, 3, 0.3);
  if (happens(0.3)) {
    static const double full[6] = {0.3, 0.4, 0.5, 0.03, -0.02, 0.01};
    memcpy(body->fullinertia, full, sizeof(full));
    return;
  }
  for (int i = 0; i < 3; i++) body->inertia[i] = between(0.2, 0.45);
  random_orientation(body->iquat, &body->ialt);
}

// A whole spec

static void furnish(Story* s, mjsBody* body, int is_world) {
  s->nframe = 0;
  int nframe = happens(0.4) ? below(4) : 0, ngeom = below(4), nsite = below(2);
  for (int i = 0; i < nframe; i++) {
    mjsFrame* outer = s->nframe && happens(0.5) ? s->frame[below(s->nframe)] : NULL;
    mjsFrame* frame = s->l->mjs_addFrame(body, outer);
    random_vector(frame->pos, 3, 0.5);
    random_orientation(frame->quat, &frame->alt);
    s->frame[s->nframe++] = frame;
  }
  for (int i = 0; i < ngeom; i++) add_geom(s, body, is_world);
  for (int i = 0; i < nsite; i++) add_site(s, body);
}

static void add_joints(Story* s, mjsBody* body, int below_world) {
  if (below_world && happens(0.25)) {
    mjsJoint* joint = s->l->mjs_addFreeJoint(body);
    if (happens(0.4)) joint->align = below(3);
  } else if (below_world && happens(0.1)) {
    body->mocap = 1;
  } else if (happens(0.6)) {
    int n = 1 + (happens(0.1) ? 1 : 0);
    for (int i = 0; i < n; i++) add_joint(s, body);
  }
}

static void add_bodies(Story* s, mjsBody* parent, int depth) {
  int n = depth == 0 ? 1 + below(3) : depth < 5 ? below(3) : 0;
  mjsFrame* frame = s->nframe ? s->frame[0] : NULL;
  for (int i = 0; i < n; i++) {
    mjsBody* body = s->l->mjs_addBody(parent, NULL);
    set_name(s->l, body->element, "b", s->nbody++);
    if (frame && happens(0.3)) s->l->mjs_setFrame(body->element, frame);
    if (happens(0.8)) random_vector(body->pos, 3, 1);
    random_orientation(body->quat, &body->alt);
    if (happens(0.2)) add_inertial(body);
    if (happens(0.1)) body->gravcomp = 1;
    random_user(s->l, body->userdata);
    furnish(s, body, 0);
    add_joints(s, body, depth == 0);
    add_bodies(s, body, depth + 1);
  }
}

static void random_settings(mjsCompiler* compiler) {
  if (happens(0.3)) compiler->degree = 0;
  if (happens(0.3)) compiler->fusestatic = 1;
  if (happens(0.2)) compiler->discardvisual = 1;
  if (happens(0.2)) compiler->balanceinertia = 1;
  if (happens(0.9)) {
    compiler->boundmass = 0.5;
    compiler->boundinertia = 0.01;
  }
  if (happens(0.2)) compiler->settotalmass = 10;
  if (happens(0.3)) compiler->alignfree = 1;
  if (happens(0.03)) compiler->autolimits = 0;
  if (happens(0.2)) compiler->inertiafromgeom = below(3);
  if (happens(0.2)) compiler->inertiagrouprange[1] = 2;
  if (happens(0.2)) memcpy(compiler->eulerseq, "ZYx", 3);
}

static void add_keys(Story* s) {
  if (happens(0.3)) s->spec->nkey = below(3);
  if (!happens(0.3)) return;
  mjsKey* key = s->l->mjs_addKey(s->spec);
  double numbers[40];
  random_vector(numbers, 40, 1);
  key->time = 0.5;
  if (happens(0.7)) s->l->mjs_setDouble(key->qpos, numbers, 1 + below(6));
  if (happens(0.3)) s->l->mjs_setDouble(key->qvel, numbers, 1 + below(6));
  if (happens(0.05)) s->l->mjs_setDouble(key->mpos, numbers, 3);
}

static mjSpec* tell(const Library* l, uint64_t seed) {
  chance_state = seed * 1000003;
  Story s = {l, l->mj_makeSpec(), 0, 0, 0, 0, {NULL}, 0};
  random_settings(&s.spec->compiler);
  mjsBody* world = l->mjs_findBody(s.spec, "world");
  furnish(&s, world, 1);
  add_bodies(&s, world, 0);
  add_keys(&s);
  return s.spec;
}

// Singular mass matrices

// The condition number of the mass matrix at qpos0, as the reference computes that matrix.
static double mass_condition(const Library* l, const mjModel* m) {
  mjData* d = l->mj_makeData(m);
  int nv = (int)m->nv;
  mjtNum* M = (mjtNum*)malloc(sizeof(mjtNum) * (size_t)(nv * nv + 1));
  double* copy = (double*)malloc(sizeof(double) * (size_t)(nv * nv + 1));
  l->mj_fwdPosition(m, d);
  l->mj_fullM(m, M, d->qM);
  for (int i = 0; i < nv * nv; i++) copy[i] = (double)M[i];
  double condition = matrix_condition(copy, nv);
  free(copy);
  free(M);
  l->mj_deleteData(d);
  return condition;
}

// Comparing

enum { MOST_FIELDS = 600 };

typedef struct {
  FieldVerdict verdict;  // the worst
  int models;
  uint64_t seed;
} Row;

static Row rows[MOST_FIELDS];
static int nrow;
static uint64_t present_seed;

typedef struct {
  double condition;  // of the mass matrix
  int any;           // some field differs
  int undefined;     // a field differs that depends on the inverse of a singular matrix
} Comparison;

static void note(void* context, const FieldVerdict* v) {
  Comparison* c = (Comparison*)context;
  if (!v->wrong) return;
  if (needs_inverse_mass(v->field) && c->condition > MOST_CONDITION) {
    c->undefined = 1;
    return;
  }
  c->any = 1;
  int i = 0;
  while (i < nrow && strcmp(rows[i].verdict.field, v->field) != 0) i++;
  if (i == nrow) {
    if (nrow == MOST_FIELDS) return;
    nrow++;
    rows[i].verdict = *v;
    rows[i].seed = present_seed;
  }
  rows[i].models++;
  if (v->worst.error > rows[i].verdict.worst.error) {
    rows[i].verdict = *v;
    rows[i].seed = present_seed;
  }
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: %s REFERENCE_LIB CORTEN_LIB [SPECS [FIRST_SEED [-v]]]\n", argv[0]);
    return 2;
  }
  TwoLibraries libraries = two_libraries_open(argv[1], argv[2]);
  Library reference = open_library(libraries.reference), corten = open_library(libraries.corten);
  int specs = argc > 3 ? atoi(argv[3]) : 500, first = argc > 4 ? atoi(argv[4]) : 1;
  int verbose = argc > 5, accepted = 0, refused = 0, verdicts = 0, different = 0, singular = 0;
  for (int i = 0; i < specs; i++) {
    present_seed = (uint64_t)(first + i);
    mjSpec *a = tell(&reference, present_seed), *b = tell(&corten, present_seed);
    mjModel *ma = reference.mj_compile(a, NULL), *mb = corten.mj_compile(b, NULL);
    Comparison c = {0, 0, 0};
    if (!ma != !mb) {
      verdicts++;
      printf("seed %d: reference: %s\n         corten: %s\n", first + i,
             ma ? "compiles" : reference.mjs_getError(a), mb ? "compiles" : corten.mjs_getError(b));
    } else if (ma) {
      accepted++;
      c.condition = mass_condition(&reference, ma);
      compare_models(ma, mb, NULL, note, &c);
      if (verbose && (c.any || c.undefined))
        printf("seed %d: differs; condition number %.3g\n", first + i, c.condition);
    } else {
      refused++;
      if (verbose)
        printf("seed %d: %s | %s\n", first + i, reference.mjs_getError(a), corten.mjs_getError(b));
    }
    different += c.any;
    singular += c.undefined;
    if (ma) reference.mj_deleteModel(ma);
    if (mb) corten.mj_deleteModel(mb);
    reference.mj_deleteSpec(a);
    corten.mj_deleteSpec(b);
  }
  for (int i = 0; i < nrow; i++) {
    printf("%-24s %5d models, worst %.3g in seed %d at %ld: %.17g, corten %.17g\n",
           rows[i].verdict.field, rows[i].models, rows[i].verdict.worst.error, (int)rows[i].seed,
           rows[i].verdict.worst.index, rows[i].verdict.worst.reference,
           rows[i].verdict.worst.ours);
  }
  printf(
      "%d specs: %d compiled by both, %d of them differ; %d refused by both; %d verdicts differ\n"
      "%d with a mass matrix that is singular to rounding differ in its inverse alone\n",
      specs, accepted, different, refused, verdicts, singular);
  return verdicts || different;
}
