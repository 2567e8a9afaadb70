#include "base/model/faults.h"

#include <stdbool.h>
#include <stdio.h>

int ct_bad_joint(const mjModel* m) {
  for (int j = 0; j < m->njnt; j++) {
    if (m->jnt_type[j] < mjJNT_FREE || m->jnt_type[j] > mjJNT_HINGE) return j;
  }
  return -1;
}

static bool wraps_geom(const mjModel* m, int k) {
  return m->wrap_type[k] == mjWRAP_SPHERE || m->wrap_type[k] == mjWRAP_CYLINDER;
}

// Side sites are stored as real numbers, which users may edit, and rounded: -1 is none.
static bool side_site_exists(const mjModel* m, int k) {
  mjtNum side = m->wrap_prm[k];
  return side > (mjtNum)-1.5 && side < (mjtNum)m->nsite - (mjtNum)0.5;
}

// Is there a wrap around a geom whose side site does not exist? Without leaving early, and without
// asking what belongs to which tendon.
static bool some_side_site_is_bad(const mjModel* m) {
  const mjtNum* side = m->wrap_prm;
  const mjtNum end = (mjtNum)m->nsite - (mjtNum)0.5;
  int bad = 0;
  for (int k = 0; k < m->nwrap; k++) {
    int wraps = (m->wrap_type[k] == mjWRAP_SPHERE) | (m->wrap_type[k] == mjWRAP_CYLINDER);
    bad |= wraps & !((side[k] > (mjtNum)-1.5) & (side[k] < end));
  }
  return bad != 0;
}

int ct_bad_side_site(const mjModel* m) {
  if (!some_side_site_is_bad(m)) return -1;
  for (int t = 0; t < m->ntendon; t++) {
    int end = m->tendon_adr[t] + m->tendon_num[t];
    for (int k = m->tendon_adr[t]; k < end; k++) {
      if (m->wrap_type[k] == mjWRAP_JOINT) break;  // a fixed tendon
      if (wraps_geom(m, k) && !side_site_exists(m, k)) return k;
    }
  }
  return -1;
}

// All are looked at before one is looked for, because that is faster than leaving early.
int ct_bad_transmission(const mjModel* m) {
  int unknown = 0;
  for (int i = 0; i < m->nu; i++) unknown |= (unsigned)m->actuator_trntype[i] > mjTRN_BODY;
  for (int i = 0; i < m->nu && unknown; i++) {
    if ((unsigned)m->actuator_trntype[i] > mjTRN_BODY) return i;
  }
  return -1;
}

int ct_bad_equality(const mjModel* m) {
  if (m->opt.disableflags & mjDSBL_EQUALITY) return -1;
  for (int i = 0; i < m->neq; i++) {
    if (m->eq_type[i] < mjEQ_CONNECT || m->eq_type[i] > mjEQ_DISTANCE) return i;
  }
  return -1;
}

int ct_bent_tendon(const mjModel* m) {
  for (int t = 0; t < m->ntendon; t++) {
    int end = m->tendon_adr[t] + m->tendon_num[t];
    for (int k = m->tendon_adr[t]; m->tendon_armature[t] != 0 && k < end; k++) {
      if (wraps_geom(m, k)) return t;
    }
  }
  return -1;
}

ct_Cause ct_find_fault(const mjModel* m, int* id) {
  static const struct {
    ct_Cause cause;
    int (*first)(const mjModel* m);
  } rules[] = {
      {CT_CAUSE_JOINT, ct_bad_joint},
      {CT_CAUSE_SIDE_SITE, ct_bad_side_site},
      {CT_CAUSE_TRANSMISSION, ct_bad_transmission},
      {CT_CAUSE_EQUALITY, ct_bad_equality},
      {CT_CAUSE_BENT_TENDON, ct_bent_tendon},
  };
  for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
    *id = rules[i].first(m);
    if (*id >= 0) return rules[i].cause;
  }
  return (ct_Cause)0;
}

void ct_describe_fault(const mjModel* m, ct_Cause cause, int id, char* text, size_t size) {
  switch (cause) {
    case CT_CAUSE_JOINT:
      snprintf(text, size,
               "joint %d has type %d, which does not exist; set jnt_type to one of mjtJoint", id,
               m->jnt_type[id]);
      return;
    case CT_CAUSE_SIDE_SITE:
      snprintf(text, size, "wrap_prm[%d] is %g, but side sites are -1 (none) to %d", id,
               (double)m->wrap_prm[id], (int)m->nsite - 1);
      return;
    case CT_CAUSE_TRANSMISSION:
      snprintf(text, size, "actuator %d has transmission type %d, which does not exist", id,
               m->actuator_trntype[id]);
      return;
    case CT_CAUSE_EQUALITY:
      snprintf(text, size, "equality %d has type %d, which does not exist", id, m->eq_type[id]);
      return;
    case CT_CAUSE_SLEEPING_EQUALITY:
      snprintf(text, size,
               "equality %d is between tendons, which cannot be combined with sleep; "
               "clear mjENBL_SLEEP in opt.enableflags or eq_active[%d]",
               id, id);
      return;
    case CT_CAUSE_BENT_TENDON:
      snprintf(text, size,
               "tendon %d has armature and wraps around a geom; give it one or the other", id);
      return;
    case CT_CAUSE_ADRIFT:
      snprintf(text, size,
               "a constraint row has no dof that could move, as from an explicit pair of static "
               "geoms; leave the pair out, or set mjDSBL_ISLAND in opt.disableflags");
      return;
    case CT_CAUSE_SOLVER:
      snprintf(text, size, "unknown solver type %d", m->opt.solver);
      return;
    case CT_CAUSE_DISCRETE_INVERSE:
      snprintf(text, size,
               "accelerations of this integrator cannot be turned into continuous ones; use Euler "
               "or an implicit integrator, or leave out mjENBL_INVDISCRETE");
      return;
    case CT_CAUSE_PLUGIN_SLOT:
      snprintf(text, size,
               "plugin instance %d asks for slot %d, where no plugin is registered; load its "
               "library first",
               id, m->plugin[id]);
      return;
    case CT_CAUSE_PLUGIN_COMPUTE:
      snprintf(text, size, "the plugin of instance %d has no compute function", id);
      return;
  }
}
