// conform_shapes: two shapes in many poses, corten against the reference.
//
//   usage: conform_shapes REFERENCE_LIB CORTEN_LIB [POSES [PAIR]]
//
// PAIR is a part of a name, as "box-" or "capsule-mesh"; without it all pairs are compared.
//
// For every pair of types that collide, two geoms are put into random poses: anywhere, on a lattice
// in quarter turns, where faces and edges are parallel, and nearly so; with and without margin,
// with several contacts per pair, and with the older convex solver. Compared are the contacts of
// mj_collision, mj_geomDistance, and rays against both (mj_ray, mj_multiRay). Numbers count as
// equal within 1e-9; how many have the same bits is printed too. Where contacts or distances differ
// by more, the reference is asked again in poses moved by rounding (spread.h): what its own answer
// moves by, times ten, is allowed, and counted apart.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/engine.h"
#include "conformance/spread.h"
#include "conformance/states.h"
#include "conformance/two_libraries.h"

enum { NTYPE = mjNGEOMTYPES, RAYS = 4, SAMPLES = 64 };

#define TOLERANCE 1e-9

static const char* const type_names[NTYPE] = {
    "plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh", "sdf"};

typedef struct {
  long cases, contacts, other_count, off, same_bits;
  long rounded;  // off, or in another number, but so is the reference moved by rounding
  double worst;
} Tally;

// The mesh: an irregular hull, a cube, or an upright prism over an irregular polygon with so many
// corners, whose top and bottom meet other faces in polygons of more than four corners.
enum { HULL = 0, CUBE = 4 };

typedef struct {  // one way of asking for contacts
  const char* name;
  int disable, enable;
  double margin;
  int mesh;
} Setting;

static const Setting settings[] = {
    {"plain", 0, 0, 0, HULL},
    {"margin", 0, 0, 0.05, HULL},
    {"cube", 0, 0, 0, CUBE},
    {"multiccd", 0, mjENBL_MULTICCD, 0, HULL},
    {"multiccd cube", 0, mjENBL_MULTICCD, 0, CUBE},
    {"multiccd prism 5", 0, mjENBL_MULTICCD, 0, 5},
    {"multiccd prism 6", 0, mjENBL_MULTICCD, 0, 6},
    {"multiccd prism 9", 0, mjENBL_MULTICCD, 0, 9},
    {"multiccd prism 14", 0, mjENBL_MULTICCD, 0, 14},
    {"multiccd margin", 0, mjENBL_MULTICCD, 0.05, CUBE},
    {"legacy", mjDSBL_NATIVECCD, 0, 0, HULL},
    {"legacy multiccd margin", mjDSBL_NATIVECCD, mjENBL_MULTICCD, 0.05, CUBE},
};
enum { NSETTING = sizeof(settings) / sizeof(settings[0]) };

static void write_geom(FILE* f, int type, const Setting* s, const char* name) {
  static const char* const sizes[NTYPE] = {"size='0 0 1'",     "hfield='h'",      "size='.2'",
                                           "size='.12 .2'",    "size='.3 .2 .1'", "size='.2 .2'",
                                           "size='.3 .2 .25'", "mesh='m'",        "mesh='m'"};
  fprintf(f, "<geom name='%s' type='%s' %s margin='%g'/>", name, type_names[type], sizes[type],
          s->margin / 2);
}

static void write_body(FILE* f, int type, const Setting* s, const char* name) {
  bool fixed = type == mjGEOM_PLANE || type == mjGEOM_HFIELD;
  if (!fixed) fprintf(f, "<body><freejoint/><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>");
  write_geom(f, type, s, name);
  if (!fixed) fprintf(f, "</body>");
}

static void write_mesh(FILE* f, int mesh) {
  fprintf(f, "<mesh name='m' vertex='");
  if (mesh == CUBE) {
    for (int i = 0; i < 8; i++) {
      fprintf(f, "%g %g %g ", i & 1 ? .25 : -.25, i & 2 ? .25 : -.25, i & 4 ? .25 : -.25);
    }
  } else if (mesh != HULL) {
    Random r = random_seeded("prism", mesh);
    for (int i = 0; i < mesh; i++) {
      double angle = 2 * M_PI * (i + random_uniform(&r, 0, .6)) / mesh;
      double x = .3 * cos(angle), y = .25 * sin(angle);
      fprintf(f, "%.6f %.6f .2 %.6f %.6f -.2 ", x, y, x, y);
    }
  } else {
    Random r = random_seeded("hull", 0);
    for (int i = 0; i < 30; i++) {
      double p[3], length = 0;
      for (int k = 0; k < 3; k++) {
        p[k] = random_uniform(&r, -1, 1);
        length += p[k] * p[k];
      }
      for (int k = 0; k < 3; k++) fprintf(f, "%.6f ", p[k] / sqrt(length) * (k == 0 ? .3 : .2));
    }
  }
  fprintf(f, "'/>");
}

static mjModel* make_model(const Engine* e, int type1, int type2, const Setting* s) {
  char path[] = "/tmp/conform_shapesXXXXXX.xml", error[500] = "";
  int file = mkstemps(path, 4);
  FILE* f = fdopen(file, "w");
  fprintf(f, "<mujoco><asset>");
  write_mesh(f, s->mesh);
  fprintf(f, "<hfield name='h' nrow='9' ncol='7' size='.6 .8 .3 .1' elevation='");
  Random r = random_seeded("terrain", 0);
  for (int i = 0; i < 63; i++) fprintf(f, "%.3f ", random_uniform(&r, 0, 1));
  fprintf(f, "'/></asset><worldbody>");
  write_body(f, type1, s, "a");
  write_body(f, type2, s, "b");
  fprintf(f, "</worldbody></mujoco>");
  fclose(f);
  mjModel* m = e->mj_loadXML(path, NULL, error, sizeof(error));
  unlink(path);
  if (!m) printf("%s-%s: %s\n", type_names[type1], type_names[type2], error);
  if (m) {
    m->opt.disableflags |= s->disable;
    m->opt.enableflags |= s->enable;
  }
  return m;
}

// A free body somewhere near the origin: kind 0 anywhere, 1 on a lattice in quarter turns, 2
// nearly.
static void random_pose(Random* r, mjtNum* q, int kind) {
  for (int k = 0; k < 7; k++) q[k] = (mjtNum)random_uniform(r, k < 3 ? -.35 : -1, k < 3 ? .35 : 1);
  if (kind == 0) return;
  static const double turns[6][4] = {{1, 0, 0, 0}, {1, 1, 0, 0}, {1, 0, 1, 0},
                                     {1, 0, 0, 1}, {0, 1, 0, 0}, {1, 1, 1, 1}};
  const double* turn = turns[(int)random_uniform(r, 0, 5.999)];
  double tiny = kind == 2 ? pow(10, random_uniform(r, -12, -1)) : 0;
  for (int k = 0; k < 7; k++) {
    double base = k < 3 ? .05 * round(q[k] / .05) : turn[k - 3];
    q[k] = (mjtNum)(base + tiny * random_uniform(r, -1, 1));
  }
}

static void count_error(Tally* t, double worst) {
  t->same_bits += worst == 0;
  t->off += !(worst <= TOLERANCE);
  if (!(worst <= t->worst)) t->worst = worst;
}

static double difference(const mjtNum* a, const mjtNum* b, int n) {
  double worst = 0;
  for (int i = 0; i < n; i++) {
    double d = fabs((double)(a[i] - b[i]));
    if (a[i] != b[i] && !(d <= worst)) worst = d;
  }
  return worst;
}

// Largest difference of distance, position and frame; infinite if the numbers of contacts differ.
static double contacts_apart(const mjData* want, const mjData* got) {
  double worst = want->ncon == got->ncon ? 0 : INFINITY;
  for (int i = 0; i < want->ncon && i < got->ncon; i++) {
    worst = fmax(worst, difference(&want->contact[i].dist, &got->contact[i].dist, 13));
  }
  return worst;
}

typedef struct {  // the reference, and where it is asked again
  const Engine* reference;
  const mjModel* m;
  const mjData* theirs;
  mjData* moved;
} Doubt;

static void move(const Doubt* doubt, Random* r) {
  const mjModel* m = doubt->m;
  memcpy(doubt->moved->qpos, doubt->theirs->qpos, (size_t)m->nq * sizeof(mjtNum));
  move_by_rounding(m, doubt->moved, doubt->moved, r);
  LIBRARY_FUNCTION(doubt->reference->handle, mj_fwdPosition)(m, doubt->moved);
}

static void compare_contacts(Tally* t, const Doubt* doubt, const mjData* got) {
  const mjData* want = doubt->theirs;
  Random r = random_seeded("spread", 0);
  double worst = contacts_apart(want, got), moves = 0;
  t->cases++;
  t->contacts += want->ncon;
  for (int k = 0; k < SAMPLES && worst > TOLERANCE; k++) {
    move(doubt, &r);
    moves = fmax(moves, contacts_apart(want, doubt->moved));
  }
  if (worst > TOLERANCE && worst <= spread_factor * moves) {
    t->rounded++;
  } else if (want->ncon != got->ncon) {
    t->other_count++;
  } else {
    count_error(t, worst);
  }
}

static void ask_distance(const Engine* e, const mjModel* m, const mjData* d, int first, mjtNum most,
                         mjtNum answer[7]) {
  answer[6] = LIBRARY_FUNCTION(e->handle, mj_geomDistance)(m, d, first, 1 - first, most, answer);
}

static void compare_distance(Tally* t, const Doubt* doubt, const Engine* corten, const mjData* ours,
                             Random* r) {
  mjtNum want[7], got[7],
      most = (mjtNum)(random_uniform(r, 0, 1) < .2 ? 0 : random_uniform(r, 0, 1));
  int first = random_uniform(r, 0, 1) < .5;
  ask_distance(doubt->reference, doubt->m, doubt->theirs, first, most, want);
  ask_distance(corten, doubt->m, ours, first, most, got);
  Random noise = random_seeded("spread", 0);
  double worst = difference(want, got, 7), moves = 0;
  t->cases++;
  for (int k = 0; k < SAMPLES && worst > TOLERANCE; k++) {
    mjtNum again[7];
    move(doubt, &noise);
    ask_distance(doubt->reference, doubt->m, doubt->moved, first, most, again);
    moves = fmax(moves, difference(want, again, 7));
  }
  if (worst > TOLERANCE && worst <= spread_factor * moves) {
    t->rounded++;
  } else {
    count_error(t, worst);
  }
}

static void compare_rays(Tally* t, const Engine* reference, const Engine* corten, const mjModel* m,
                         mjData* theirs, mjData* ours, Random* r) {
  mjtNum pnt[3], vec[3 * RAYS], want[4], got[4], many[2][4 * RAYS];
  int geom[2], geoms[2][RAYS];
  bool straight = random_uniform(r, 0, 1) < .3;
  for (int k = 0; k < 3; k++) pnt[k] = (mjtNum)random_uniform(r, -1, 1);
  for (int k = 0; k < 3 * RAYS; k++) {
    vec[k] = (mjtNum)random_uniform(r, -.3, .3) - pnt[k % 3];
    if (straight) vec[k] = k % 3 == k / 3 % 3 ? (mjtNum)(pnt[k % 3] > 0 ? -1 : 1) : 0;
  }
  for (int i = 0; i < RAYS; i++) {
    want[0] = LIBRARY_FUNCTION(reference->handle, mj_ray)(m, theirs, pnt, vec + 3 * i, NULL, 1, -1,
                                                          geom, want + 1);
    got[0] = LIBRARY_FUNCTION(corten->handle, mj_ray)(m, ours, pnt, vec + 3 * i, NULL, 1, -1,
                                                      geom + 1, got + 1);
    t->cases++;
    if (geom[0] != geom[1])
      t->other_count++;
    else
      count_error(t, difference(want, got, 4));
  }
  LIBRARY_FUNCTION(reference->handle, mj_multiRay)
  (m, theirs, pnt, vec, NULL, 1, -1, geoms[0], many[0], many[0] + RAYS, RAYS, 2);
  LIBRARY_FUNCTION(corten->handle, mj_multiRay)
  (m, ours, pnt, vec, NULL, 1, -1, geoms[1], many[1], many[1] + RAYS, RAYS, 2);
  t->cases++;
  if (memcmp(geoms[0], geoms[1], sizeof(geoms[0])))
    t->other_count++;
  else
    count_error(t, difference(many[0], many[1], 4 * RAYS));
}

static void print_tally(const char* name, const char* setting, const Tally* t) {
  if (!t->cases) return;
  long judged = t->cases - t->other_count - t->rounded;
  printf("%-20s %-22s %7ld %8ld %8ld %6ld %6ld %6.1f %9.1e\n", name, setting, t->cases, t->contacts,
         t->rounded, t->other_count, t->off,
         100.0 * (double)t->same_bits / (double)(judged > 0 ? judged : 1), t->worst);
}

static bool collide(int type1, int type2) {
  return type2 > mjGEOM_HFIELD && !(type1 == mjGEOM_HFIELD && type2 == mjGEOM_SDF) &&
         !(type1 == mjGEOM_MESH && type2 == mjGEOM_SDF);
}

static void pair_name(char* name, size_t size, int type1, int type2) {
  snprintf(name, size, "%s-%s", type_names[type1], type_names[type2]);
}

static long compare_pair(const Engine* reference, const Engine* corten, int type1, int type2,
                         const Setting* s, int poses) {
  char name[64];
  Tally contacts = {0}, distances = {0}, rays = {0};
  pair_name(name, sizeof(name), type1, type2);
  mjModel* m = make_model(reference, type1, type2, s);
  if (!m) return 1;
  mjData *theirs = reference->mj_makeData(m), *ours = corten->mj_makeData(m);
  Doubt doubt = {reference, m, theirs, reference->mj_makeData(m)};
  Random r = random_seeded(name, 0);
  for (int i = 0; i < poses; i++) {
    for (int q = 0; q < m->nq; q += 7) random_pose(&r, theirs->qpos + q, i % 3);
    LIBRARY_FUNCTION(reference->handle, mj_fwdPosition)(m, theirs);
    memcpy(ours->geom_xpos, theirs->geom_xpos, 6 * sizeof(mjtNum));
    memcpy(ours->geom_xmat, theirs->geom_xmat, 18 * sizeof(mjtNum));
    memcpy(ours->xipos, theirs->xipos, (size_t)m->nbody * 3 * sizeof(mjtNum));
    memcpy(ours->ximat, theirs->ximat, (size_t)m->nbody * 9 * sizeof(mjtNum));
    LIBRARY_FUNCTION(corten->handle, mj_collision)(m, ours);
    compare_contacts(&contacts, &doubt, ours);
    compare_distance(&distances, &doubt, corten, ours, &r);
    if (s == settings) compare_rays(&rays, reference, corten, m, theirs, ours, &r);
  }
  print_tally(name, s->name, &contacts);
  print_tally(name, "distance", &distances);
  print_tally(name, "rays", &rays);
  reference->mj_deleteData(theirs);
  reference->mj_deleteData(doubt.moved);
  corten->mj_deleteData(ours);
  return contacts.other_count + contacts.off + distances.off + rays.other_count + rays.off;
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: conform_shapes REFERENCE_LIB CORTEN_LIB [POSES [PAIR]]\n");
    return 2;
  }
  int poses = argc > 3 ? atoi(argv[3]) : 300;
  const char* only = argc > 4 ? argv[4] : "";
  long wrong = 0;
  Engine reference = engine_open(argv[1], "reference"), corten = engine_open(argv[2], "corten");
  printf("%-20s %-22s %7s %8s %8s %6s %6s %6s %9s\n", "pair", "setting", "cases", "contacts",
         "rounded", "count", "off", "bits %", "worst");
  for (int type1 = 0; type1 < NTYPE; type1++) {
    for (int type2 = type1; type2 < NTYPE; type2++) {
      char name[64];
      pair_name(name, sizeof(name), type1, type2);
      if (!collide(type1, type2) || !strstr(name, only)) continue;
      for (int s = 0; s < NSETTING; s++) {
        if (settings[s].mesh > CUBE && type2 < mjGEOM_MESH) continue;
        int fewer = type2 == mjGEOM_SDF ? poses / 20 + 1 : poses;
        wrong += compare_pair(&reference, &corten, type1, type2, settings + s, fewer);
      }
    }
  }
  printf("%ld differences\n", wrong);
  return wrong > 0;
}
