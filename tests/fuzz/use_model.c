#include "fuzz/use_model.h"

#include <setjmp.h>
#include <stdlib.h>

enum { MOST_OBJECTS = 10, MOST_NUMBERS = 1 << 20, MOST_ARENA = 1 << 22, STEPS = 2 };
enum { MOST_ITERATIONS = 10000 };

void use_names(const mjModel* m) {
  for (int type = 0; type < mjNOBJECT; type++) {
    for (int id = -1; id < 2 * MOST_OBJECTS; id++) {
      const char* name = mj_id2name(m, type, id);
      if (name) mj_name2id(m, type, name);
    }
    mj_name2id(m, type, "no such thing");
  }
}

// Programs leave a function that reports an error, and go on with the next thing.
static _Thread_local jmp_buf after_error;

static void leave(const char* message) {
  (void)message;
  longjmp(after_error, 1);
}

static void attempt(void (*thing)(const mjModel*, mjData*), const mjModel* m, mjData* d) {
  void (*usual)(const char*) = mju_user_error;
  mju_user_error = leave;
  if (!setjmp(after_error)) thing(m, d);
  mju_user_error = usual;
}

static int fewer(mjtSize n) {
  return n < MOST_OBJECTS ? (int)n : MOST_OBJECTS;
}

static void reset(const mjModel* m, mjData* d) {
  for (int key = -1; key < m->nkey && key < 3; key++) mj_resetDataKeyframe(m, d, key);
  mj_resetDataDebug(m, d, 0x5A);
  mj_resetData(m, d);
}

// Room for results. An error on the way must not leave it behind.
static _Thread_local mjtNum* room;

static void read_histories(const mjModel* m, mjData* d) {
  for (int i = 0; i < fewer(m->nu); i++) mj_readCtrl(m, d, i, 0, 1);
  for (int i = 0; i < fewer(m->nsensor); i++) mj_readSensor(m, d, i, 0, room, 2);
}

// Every pair of the first few geoms, and rays from all sides.
static void measure(const mjModel* m, mjData* d) {
  mjtNum fromto[6], normal[3];
  for (int i = 0; i < fewer(m->ngeom); i++) {
    for (int j = 0; j <= i; j++) mj_geomDistance(m, d, i, (int)m->ngeom - 1 - j, 1, fromto);
  }
  enum { NRAY = 4 };
  const mjtNum from[3] = {0.1, 0.2, 1}, ray[3 * NRAY] = {0, 0, -1, 1, 0, 0, -1, 2, 0, 0.1, 0.2, 1};
  mjtNum distance[NRAY], normals[3 * NRAY];
  int geom[NRAY];
  for (int i = 0; i < NRAY; i++) mj_ray(m, d, from, ray + 3 * i, NULL, 1, -1, geom, normal);
  mj_multiRay(m, d, from, ray, NULL, 1, -1, geom, distance, normals, NRAY, 10);
}

// Rays against the first few flexes, in every way, and their kinematics by themselves.
static void look_at_flexes(const mjModel* m, mjData* d) {
  const mjtNum from[3] = {0.1, 0.2, 1}, ray[3] = {0, 0.1, -1};
  mjtNum normal[3];
  mj_flex(m, d);
  for (int f = 0; f < fewer(m->nflex); f++) {
    for (int way = 0; way < 16; way++) {
      int vertex = -1;
      mjtByte vertices = way % 2 != 0, edges = (way & 2) != 0, faces = (way & 4) != 0;
      mj_rayFlex(m, d, way % 3, vertices, edges, faces, way > 7, f, from, ray, &vertex, normal);
    }
  }
}

static void ask_about_bodies(const mjModel* m, mjData* d) {
  mjtNum velocity[6], *first = room, *second = room + 3 * m->nv;
  for (int k = 0; k < fewer(m->nbody); k++) {
    int body = k % 2 ? k : (int)m->nbody - 1 - k;
    mj_jacBody(m, d, first, second, body);
    mj_jacSubtreeCom(m, d, first, body);
    mj_jacDot(m, d, first, second, d->xpos + 3 * body, body);
    mj_angmomMat(m, d, first, body);
    mj_objectVelocity(m, d, mjOBJ_BODY, body, velocity, 1);
    mj_objectAcceleration(m, d, mjOBJ_XBODY, body, velocity, 0);
    mj_applyFT(m, d, velocity, velocity + 3, d->xpos + 3 * body, body, first);
  }
}

static void ask_about_dofs(const mjModel* m, mjData* d) {
  mj_fullM(m, room, d->qM);
  mj_mulM(m, d, room, d->qvel);
  mj_solveM(m, d, room, d->qvel, 1);
  mj_differentiatePos(m, room, 0.1, d->qpos, m->qpos0);
}

static void ask_about_forces(const mjModel* m, mjData* d) {
  mjtNum force[6], cost;
  for (int i = 0; i < d->ncon && i < MOST_OBJECTS; i++) mj_contactForce(m, d, i, force);
  mj_mulJacTVec(m, d, room, d->efc_force);
  mj_constraintUpdate(m, d, d->efc_aref, &cost, 1);
}

static void print(const mjModel* m, mjData* d) {
  mj_printData(m, d, "/dev/null");
}

static void copy(const mjModel* m, mjData* d) {
  mj_deleteData(mj_copyData(NULL, m, d));
}

static void simulate(const mjModel* m, mjData* d) {
  for (int i = 0; i < STEPS; i++) mj_step(m, d);
  mj_forward(m, d);
  mj_inverse(m, d);
  mj_compareFwdInv(m, d);
  mj_subtreeVel(m, d);
  mj_rnePostConstraint(m, d);
  mj_energyPos(m, d);
  mj_energyVel(m, d);
}

// Does mjData of this model take reasonable memory?
static int reasonable(const mjModel* m) {
  return m->narena <= MOST_ARENA &&
         m->nuserdata + m->nsensordata + m->nhistory + m->nJmom + m->npluginstate + m->na <=
             MOST_NUMBERS;
}

static void set_constants(mjModel* m, mjData* d) {
  void (*usual)(const char*) = mju_user_error;
  mju_user_error = leave;
  if (!setjmp(after_error)) mj_setConst(m, d);
  mju_user_error = usual;
}

// How often solvers iterate is a wish that takes time, in the reference too; not a fault of a file.
static void hurry(mjOption* opt) {
  int* wishes[] = {&opt->iterations,     &opt->noslip_iterations, &opt->ls_iterations,
                   &opt->ccd_iterations, &opt->sdf_iterations,    &opt->sdf_initpoints};
  for (size_t i = 0; i < sizeof(wishes) / sizeof(wishes[0]); i++) {
    if (*wishes[i] > MOST_ITERATIONS) *wishes[i] = MOST_ITERATIONS;
  }
}

void use_model(mjModel* m, bool printed) {
  if (!reasonable(m)) return;
  hurry(&m->opt);
  mjData* d = mj_makeData(m);
  if (!d) return;
  size_t nv = (size_t)m->nv;
  room = (mjtNum*)calloc(nv * nv + 6 * nv + (size_t)m->nsensordata + 1, sizeof(mjtNum));
  void (*const things[])(const mjModel*, mjData*) = {
      reset,          read_histories,   simulate, measure, look_at_flexes, ask_about_bodies,
      ask_about_dofs, ask_about_forces, copy};
  for (size_t i = 0; i < sizeof(things) / sizeof(things[0]); i++) attempt(things[i], m, d);
  if (printed) attempt(print, m, d);
  set_constants(m, d);
  free(room);
  mj_deleteData(d);
}
