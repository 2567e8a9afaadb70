#include "collide/contact.h"

typedef struct {  // what all contacts of a pair share
  mjtNum friction[5], solref[mjNREF], solreffriction[mjNREF], solimp[mjNIMP];
  mjtNum includemargin;
  int dim;
} PairParameters;

LANE_INLINE void set_friction(mjtNum friction[5], mjtNum slide, mjtNum spin, mjtNum roll) {
  friction[0] = friction[1] = slide;
  friction[2] = spin;
  friction[3] = friction[4] = roll;
}

// The geom of higher priority decides alone.
LANE_FN static void take_geom_parameters(const mjModel* m, PairParameters* p, int geom) {
  const mjtNum* friction = m->geom_friction + 3 * geom;
  p->dim = m->geom_condim[geom];
  ct_copy(p->solref, m->geom_solref + mjNREF * geom, mjNREF);
  ct_copy(p->solimp, m->geom_solimp + mjNIMP * geom, mjNIMP);
  set_friction(p->friction, friction[0], friction[1], friction[2]);
}

// Share of the first geom in the mixture. Mixing weights that are practically zero do not count.
LANE_INLINE mjtNum mixing_weight(mjtNum mix1, mjtNum mix2) {
  bool some1 = mix1 >= (mjtNum)mjMINVAL, some2 = mix2 >= (mjtNum)mjMINVAL;
  if (some1 && some2) return mix1 / (mix1 + mix2);
  return some1 ? (mjtNum)1 : some2 ? (mjtNum)0 : (mjtNum)0.5;
}

// At equal priority: the larger condim and friction, a weighted mean of the rest. References in the
// direct form (not positive) do not mix; the smaller, stiffer one holds.
LANE_FN static void mix_geom_parameters(const mjModel* m, PairParameters* p, int g1, int g2) {
  const mjtNum *ref1 = m->geom_solref + mjNREF * g1, *ref2 = m->geom_solref + mjNREF * g2;
  const mjtNum *imp1 = m->geom_solimp + mjNIMP * g1, *imp2 = m->geom_solimp + mjNIMP * g2;
  const mjtNum *f1 = m->geom_friction + 3 * g1, *f2 = m->geom_friction + 3 * g2;
  mjtNum weight = mixing_weight(m->geom_solmix[g1], m->geom_solmix[g2]);
  int dim1 = m->geom_condim[g1], dim2 = m->geom_condim[g2];
  p->dim = dim1 > dim2 ? dim1 : dim2;
  bool mixes = ref1[0] > 0 && ref2[0] > 0;
  for (int k = 0; k < mjNREF; k++) {
    p->solref[k] = mixes ? weight * ref1[k] + (1 - weight) * ref2[k] : ct_min(ref1[k], ref2[k]);
  }
  for (int k = 0; k < mjNIMP; k++) p->solimp[k] = weight * imp1[k] + (1 - weight) * imp2[k];
  set_friction(p->friction, ct_max(f1[0], f2[0]), ct_max(f1[1], f2[1]), ct_max(f1[2], f2[2]));
}

LANE_FN static void override_parameters(const mjModel* m, PairParameters* p) {
  ct_copy(p->solref, m->opt.o_solref, mjNREF);
  ct_copy(p->solreffriction, m->opt.o_solref, mjNREF);
  ct_copy(p->solimp, m->opt.o_solimp, mjNIMP);
  ct_copy(p->friction, m->opt.o_friction, 5);
}

LANE_FN static PairParameters pair_parameters(const mjModel* m, ct_GeomPair pair) {
  PairParameters p;
  int g1 = pair.geom1, g2 = pair.geom2, k = pair.pair;
  mjtNum gap;
  ct_zero(p.solreffriction, mjNREF);
  if (k >= 0) {
    gap = m->pair_gap[k];
    p.dim = m->pair_dim[k];
    ct_copy(p.solref, m->pair_solref + mjNREF * k, mjNREF);
    ct_copy(p.solreffriction, m->pair_solreffriction + mjNREF * k, mjNREF);
    ct_copy(p.solimp, m->pair_solimp + mjNIMP * k, mjNIMP);
    ct_copy(p.friction, m->pair_friction + 5 * k, 5);
  } else {
    gap = m->geom_gap[g1] + m->geom_gap[g2];
    int priority1 = m->geom_priority[g1], priority2 = m->geom_priority[g2];
    if (priority1 == priority2) {
      mix_geom_parameters(m, &p, g1, g2);
    } else {
      take_geom_parameters(m, &p, priority1 > priority2 ? g1 : g2);
    }
  }
  if (m->opt.enableflags & mjENBL_OVERRIDE) override_parameters(m, &p);
  for (int i = 0; i < 5; i++) p.friction[i] = ct_max((mjtNum)mjMINMU, p.friction[i]);
  p.includemargin = ct_pair_margin(m, pair) - gap;
  return p;
}

LANE_FN bool ct_complete_frame(mjtNum frame[9]) {
  mjtNum *x = frame, *y = frame + 3;
  if (ct_normalize3(x) < (mjtNum)0.5) return false;
  if (ct_dot3(y, y) < (mjtNum)0.25) {
    bool along_y = !(x[1] < (mjtNum)0.5 && x[1] > (mjtNum)-0.5);
    y[0] = 0;
    y[1] = along_y ? 0 : 1;
    y[2] = along_y ? 1 : 0;
  }
  ct_add_to_scl3(y, x, -ct_dot3(x, y));
  ct_normalize3(y);
  ct_cross(frame + 6, x, y);
  return true;
}

LANE_FN bool ct_write_contacts(const mjModel* m, mjContact* contact, const ct_Hit* hit, int count,
                               ct_GeomPair pair) {
  PairParameters p = pair_parameters(m, pair);
  bool good = p.dim >= 1 && p.dim <= 6;
  for (int i = 0; i < count; i++) {
    mjContact* c = contact + i;
    c->dist = hit[i].dist;
    ct_copy3(c->pos, hit[i].pos);
    ct_copy(c->frame, hit[i].frame, 6);
    good = ct_complete_frame(c->frame) && good;
    c->includemargin = p.includemargin;
    ct_copy(c->friction, p.friction, 5);
    ct_copy(c->solref, p.solref, mjNREF);
    ct_copy(c->solreffriction, p.solreffriction, mjNREF);
    ct_copy(c->solimp, p.solimp, mjNIMP);
    c->mu = 0;
    ct_zero(c->H, 36);
    c->dim = p.dim;
    c->geom1 = c->geom[0] = pair.geom1;
    c->geom2 = c->geom[1] = pair.geom2;
    c->flex[0] = c->flex[1] = c->elem[0] = c->elem[1] = c->vert[0] = c->vert[1] = -1;
    c->exclude = c->dist >= p.includemargin;
    c->efc_address = -1;
  }
  return good;
}
