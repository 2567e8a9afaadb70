#include "collide/contact.h"

#include <string.h>

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

// What a geom or a flex brings into a contact.
typedef struct {
  int dim, priority;
  mjtNum solmix;
  const mjtNum *solref, *solimp, *friction;
} ContactSide;

LANE_INLINE ContactSide geom_side(const mjModel* m, int geom) {
  ContactSide s = {m->geom_condim[geom],           m->geom_priority[geom],
                   m->geom_solmix[geom],           m->geom_solref + mjNREF * geom,
                   m->geom_solimp + mjNIMP * geom, m->geom_friction + 3 * geom};
  return s;
}

LANE_INLINE ContactSide flex_side(const mjModel* m, int flex) {
  ContactSide s = {m->flex_condim[flex],           m->flex_priority[flex],
                   m->flex_solmix[flex],           m->flex_solref + mjNREF * flex,
                   m->flex_solimp + mjNIMP * flex, m->flex_friction + 3 * flex};
  return s;
}

// The side of higher priority decides alone.
LANE_INLINE void take_parameters(PairParameters* p, const ContactSide* s) {
  p->dim = s->dim;
  ct_copy(p->solref, s->solref, mjNREF);
  ct_copy(p->solimp, s->solimp, mjNIMP);
  set_friction(p->friction, s->friction[0], s->friction[1], s->friction[2]);
}

// Share of the first side in the mixture. Mixing weights that are practically zero do not count.
LANE_INLINE mjtNum mixing_weight(mjtNum mix1, mjtNum mix2) {
  bool some1 = mix1 >= (mjtNum)mjMINVAL, some2 = mix2 >= (mjtNum)mjMINVAL;
  if (some1 && some2) return mix1 / (mix1 + mix2);
  return some1 ? (mjtNum)1 : some2 ? (mjtNum)0 : (mjtNum)0.5;
}

// At equal priority: the larger condim and friction, a weighted mean of the rest. References in the
// direct form (not positive) do not mix; the smaller, stiffer one holds.
LANE_INLINE void mix_parameters(PairParameters* p, const ContactSide* s1, const ContactSide* s2) {
  const mjtNum *ref1 = s1->solref, *ref2 = s2->solref, *imp1 = s1->solimp, *imp2 = s2->solimp;
  const mjtNum *f1 = s1->friction, *f2 = s2->friction;
  mjtNum weight = mixing_weight(s1->solmix, s2->solmix);
  p->dim = s1->dim > s2->dim ? s1->dim : s2->dim;
  bool mixes = ref1[0] > 0 && ref2[0] > 0;
  for (int k = 0; k < mjNREF; k++) {
    p->solref[k] = mixes ? weight * ref1[k] + (1 - weight) * ref2[k] : ct_min(ref1[k], ref2[k]);
  }
  for (int k = 0; k < mjNIMP; k++) p->solimp[k] = weight * imp1[k] + (1 - weight) * imp2[k];
  set_friction(p->friction, ct_max(f1[0], f2[0]), ct_max(f1[1], f2[1]), ct_max(f1[2], f2[2]));
}

LANE_INLINE void join_parameters(PairParameters* p, const ContactSide* s1, const ContactSide* s2) {
  if (s1->priority == s2->priority) {
    mix_parameters(p, s1, s2);
  } else {
    take_parameters(p, s1->priority > s2->priority ? s1 : s2);
  }
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
    ContactSide side1 = geom_side(m, g1), side2 = geom_side(m, g2);
    join_parameters(&p, &side1, &side2);
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

// The frame of contact i of a pair. Contacts of one face have it in common.
LANE_FN static inline bool write_frame(mjContact* c, const ct_Hit* hit, int i) {
#ifndef __CUDACC__
  if (i && !memcmp(hit[0].frame, hit[-1].frame, sizeof(hit->frame))) {
    ct_copy(c[0].frame, c[-1].frame, 9);
    return true;  // or the one before was bad already
  }
#endif
  (void)i;
  ct_copy(c->frame, hit->frame, 6);
  return ct_complete_frame(c->frame);
}

// The fields that are the same for all kinds of contacts. False if hit i of a pair has no normal.
LANE_FN static inline bool write_contact(mjContact* c, const ct_Hit* hit, int i,
                                         const PairParameters* p) {
  c->dist = hit->dist;
  ct_copy3(c->pos, hit->pos);
  bool good = write_frame(c, hit, i);
  c->includemargin = p->includemargin;
  ct_copy(c->friction, p->friction, 5);
  ct_copy(c->solref, p->solref, mjNREF);
  ct_copy(c->solreffriction, p->solreffriction, mjNREF);
  ct_copy(c->solimp, p->solimp, mjNIMP);
  c->mu = 0;
  ct_zero(c->H, 36);
  c->dim = p->dim;
  c->exclude = c->dist >= p->includemargin;
  c->efc_address = -1;
  return good;
}

LANE_FN bool ct_write_contacts(const mjModel* m, mjContact* contact, const ct_Hit* hit, int count,
                               ct_GeomPair pair) {
  PairParameters p = pair_parameters(m, pair);
  bool good = p.dim >= 1 && p.dim <= 6;
  for (int i = 0; i < count; i++) {
    mjContact* c = contact + i;
    good = write_contact(c, hit + i, i, &p) && good;
    c->geom1 = c->geom[0] = pair.geom1;
    c->geom2 = c->geom[1] = pair.geom2;
    c->flex[0] = c->flex[1] = c->elem[0] = c->elem[1] = c->vert[0] = c->vert[1] = -1;
  }
  return good;
}

LANE_FN bool ct_write_touches(const mjModel* m, mjContact* contact, const ct_Hit* hit, int count,
                              const ct_Touch* touch) {
  PairParameters p;
  ContactSide side[2];
  for (int k = 0; k < 2; k++) {
    const ct_TouchSide* s = touch->side + k;
    side[k] = s->geom >= 0 ? geom_side(m, s->geom) : flex_side(m, s->flex);
  }
  ct_zero(p.solreffriction, mjNREF);
  join_parameters(&p, side, side + 1);
  if (touch->frictionless) p.dim = 1;
  if (m->opt.enableflags & mjENBL_OVERRIDE) override_parameters(m, &p);
  for (int i = 0; i < 5; i++) p.friction[i] = ct_max((mjtNum)mjMINMU, p.friction[i]);
  p.includemargin = touch->margin - touch->gap;
  bool good = p.dim >= 1 && p.dim <= 6;
  for (int i = 0; i < count; i++) {
    mjContact* c = contact + i;
    good = write_contact(c, hit + i, i, &p) && good;
    for (int k = 0; k < 2; k++) {
      c->geom[k] = touch->side[k].geom;
      c->flex[k] = touch->side[k].flex;
      c->elem[k] = touch->side[k].elem;
      c->vert[k] = touch->side[k].vert;
    }
    c->geom1 = c->geom[0];
    c->geom2 = c->geom[1];
  }
  return good;
}
