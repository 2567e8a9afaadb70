#include "conformance/states.h"

#include <math.h>

Random random_seeded(const char* text, int number) {
  uint64_t h = 1469598103934665603u;
  for (; *text; text++) h = (h ^ (unsigned char)*text) * 1099511628211u;
  Random r = {h + (uint64_t)number * 0x9e3779b97f4a7c15u};
  return r;
}

// Steele, Lea, Flood: Fast splittable pseudorandom number generators (2014), the SplitMix64
// finaliser.
static uint64_t random_bits(Random* r) {
  uint64_t z = (r->state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

double random_uniform(Random* r, double low, double high) {
  return low + (high - low) * ((double)(random_bits(r) >> 11) * 0x1p-53);
}

// A number inside the range if it is one, else inside [low, high].
static mjtNum pick(Random* r, bool limited, const mjtNum range[2], double low, double high) {
  if (limited && range[0] < range[1]) {
    low = fmax(range[0], -100);
    high = fmin(range[1], 100);
  }
  return (mjtNum)random_uniform(r, low, high);
}

void randomise_controls(const mjModel* m, mjData* d, Random* r) {
  for (int i = 0; i < m->nu; i++) {
    d->ctrl[i] = pick(r, m->actuator_ctrllimited[i], m->actuator_ctrlrange + 2 * i, -1, 1);
  }
}

// Ball and free joints move by a random step in their tangent space; scalar joints are drawn from
// their range.
static void randomise_positions(const Engine* e, const mjModel* m, mjData* d, Random* r) {
  for (int i = 0; i < m->nv; i++) {
    int joint = m->dof_jntid[i], type = m->jnt_type[joint];
    bool translation = type == mjJNT_FREE && i - m->jnt_dofadr[joint] < 3;
    double reach = translation ? 0.05 : type == mjJNT_FREE || type == mjJNT_BALL ? 0.5 : 0.0;
    d->qvel[i] = (mjtNum)random_uniform(r, -reach, reach);
  }
  e->mj_integratePos(m, d->qpos, d->qvel, 1);
  for (int j = 0; j < m->njnt; j++) {
    if (m->jnt_type[j] != mjJNT_HINGE && m->jnt_type[j] != mjJNT_SLIDE) continue;
    mjtNum* q = d->qpos + m->jnt_qposadr[j];
    double reach = m->jnt_type[j] == mjJNT_HINGE ? 0.5 : 0.05;
    *q = pick(r, m->jnt_limited[j], m->jnt_range + 2 * j, *q - reach, *q + reach);
  }
}

static void randomise_mocap(const mjModel* m, mjData* d, Random* r) {
  for (int i = 0; i < 3 * m->nmocap; i++) d->mocap_pos[i] += (mjtNum)random_uniform(r, -0.05, 0.05);
  for (int i = 0; i < m->nmocap; i++) {
    mjtNum* q = d->mocap_quat + 4 * i;
    double norm = 0;
    for (int k = 0; k < 4; k++) {
      q[k] += (mjtNum)random_uniform(r, -0.2, 0.2);
      norm += (double)(q[k] * q[k]);
    }
    for (int k = 0; k < 4; k++) q[k] = (mjtNum)(q[k] / sqrt(norm));
  }
}

void randomise_state(const Engine* e, const mjModel* m, mjData* d, Random* r) {
  if (m->nkey && random_uniform(r, 0, 1) < 0.5) {
    e->mj_resetDataKeyframe(m, d, (int)random_uniform(r, 0, (double)m->nkey));
  }
  randomise_positions(e, m, d, r);
  for (int i = 0; i < m->nv; i++) d->qvel[i] = (mjtNum)random_uniform(r, -1, 1);
  for (int i = 0; i < m->nu; i++) {
    bool limited = m->actuator_actlimited[i];
    for (int k = 0; k < m->actuator_actnum[i]; k++) {
      d->act[m->actuator_actadr[i] + k] = pick(r, limited, m->actuator_actrange + 2 * i, 0, 1);
    }
  }
  randomise_controls(m, d, r);
  for (int i = 0; i < m->nv; i++) d->qfrc_applied[i] = (mjtNum)random_uniform(r, -0.1, 0.1);
  for (int i = 6; i < 6 * m->nbody; i++) d->xfrc_applied[i] = (mjtNum)random_uniform(r, -0.1, 0.1);
  randomise_mocap(m, d, r);
}
