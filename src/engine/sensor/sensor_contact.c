// Contact sensors: which contacts match, and what is said about them.
//
//   in    contact, efc_force, poses of sites
//   out   num slots, each with the chosen fields: found, force, torque, dist, pos, normal, tangent
//
// A contact joins two sides. The sensor has up to two criteria, a geom, a body, a subtree or (the
// first only) the volume of a site, and reports contacts as if their normal went from what matches
// the first to what matches the second: a contact that lies the other way round is turned by pi
// about its second tangent, and its wrench is the opposite one.

#include <math.h>

#include "engine/constraint/contact_force.h"
#include "engine/sensor/sensor.h"
#include "math/mat.h"

enum { NO_MATCH = 0, MATCHES = 1, MATCHES_FLIPPED = -1 };
enum { REDUCE_NONE, REDUCE_MINDIST, REDUCE_MAXFORCE, REDUCE_NETFORCE };

// Does a geom (-1: a flex) satisfy a criterion? Sites and no criterion at all take every geom.
LANE_FN static bool criterion_matches(const mjModel* m, int type, int id, int geom) {
  if (type == mjOBJ_UNKNOWN || type == mjOBJ_SITE) return true;
  if (geom < 0) return false;
  int body = m->geom_bodyid[geom];
  if (type == mjOBJ_GEOM) return geom == id;
  if (type == mjOBJ_BODY) return body == id;
  while (body > id) body = m->body_parentid[body];  // subtree: parents have smaller ids
  return body == id;
}

LANE_FN static int match_contact(const mjModel* m, const mjData* d, int sensor, int contact) {
  const mjContact* con = d->contact + contact;
  int type1 = m->sensor_objtype[sensor], id1 = m->sensor_objid[sensor];
  int type2 = m->sensor_reftype[sensor], id2 = m->sensor_refid[sensor];
  if (type1 == mjOBJ_UNKNOWN && type2 == mjOBJ_UNKNOWN) return MATCHES;
  if (type1 == mjOBJ_SITE && !ct_inside_site(m, d, id1, con->pos)) return NO_MATCH;
  bool a0 = criterion_matches(m, type1, id1, con->geom[0]);
  bool a1 = criterion_matches(m, type1, id1, con->geom[1]);
  bool b0 = criterion_matches(m, type2, id2, con->geom[0]);
  bool b1 = criterion_matches(m, type2, id2, con->geom[1]);
  if (!(a0 || a1) || !(b0 || b1)) return NO_MATCH;
  if (type2 == mjOBJ_UNKNOWN) return a0 ? MATCHES : MATCHES_FLIPPED;
  if (type1 == mjOBJ_UNKNOWN) return b1 ? MATCHES : MATCHES_FLIPPED;
  if (a0 && b1) return MATCHES;
  return a1 && b0 ? MATCHES_FLIPPED : NO_MATCH;
}

// What a slot tells.
typedef struct ContactReport_ {
  mjtNum found, dist;
  mjtNum force[3], torque[3], pos[3], normal[3], tangent[3];
} ContactReport;

LANE_INLINE int put_field(mjtNum* slot, int chosen, int field, const mjtNum* x, int n) {
  if (!(chosen & 1 << field)) return 0;
  ct_copy(slot, x, n);
  return n;
}

// Returns the size of the slot.
LANE_FN static int write_report(mjtNum* slot, const ContactReport* r, int chosen) {
  int n = put_field(slot, chosen, mjCONDATA_FOUND, &r->found, 1);
  n += put_field(slot + n, chosen, mjCONDATA_FORCE, r->force, 3);
  n += put_field(slot + n, chosen, mjCONDATA_TORQUE, r->torque, 3);
  n += put_field(slot + n, chosen, mjCONDATA_DIST, &r->dist, 1);
  n += put_field(slot + n, chosen, mjCONDATA_POS, r->pos, 3);
  n += put_field(slot + n, chosen, mjCONDATA_NORMAL, r->normal, 3);
  return n + put_field(slot + n, chosen, mjCONDATA_TANGENT, r->tangent, 3);
}

LANE_FN static ContactReport report_contact(const mjModel* m, const mjData* d, int contact,
                                            int match, int found) {
  const mjContact* con = d->contact + contact;
  mjtNum wrench[6], sign = (mjtNum)match;
  ContactReport r;
  ct_contact_force(m, d, contact, wrench);
  r.found = (mjtNum)found;
  r.dist = con->dist;
  ct_copy3(r.force, wrench);
  ct_copy3(r.torque, wrench + 3);
  r.force[2] *= sign;
  r.torque[2] *= sign;
  ct_copy3(r.pos, con->pos);
  ct_scl3(r.normal, con->frame, sign);
  ct_scl3(r.tangent, con->frame + 3, sign);
  return r;
}

// Force and torque of a contact in world axes, on the second object.
LANE_FN static void world_wrench(const mjModel* m, const mjData* d, int contact, int match,
                                 mjtNum force[3], mjtNum torque[3]) {
  mjtNum wrench[6];
  ct_contact_force(m, d, contact, wrench);
  ct_scl(wrench, wrench, (mjtNum)match, 6);
  ct_mul_mat_t_vec3(force, d->contact[contact].frame, wrench);
  ct_mul_mat_t_vec3(torque, d->contact[contact].frame, wrench + 3);
}

// All matches as one wrench, at the mean of their points weighted by force; in world axes.
LANE_FN static ContactReport report_net_force(const mjModel* m, const mjData* d, int sensor,
                                              int found) {
  ContactReport r;
  mjtNum force[3], torque[3], arm[3], moment[3], weights = 0;
  const mjtNum x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
  ct_zero3(r.force);
  ct_zero3(r.torque);
  ct_zero3(r.pos);
  for (int i = 0; i < d->ncon; i++) {
    int match = match_contact(m, d, sensor, i);
    if (match == NO_MATCH) continue;
    mjtNum wrench[6];
    ct_contact_force(m, d, i, wrench);
    mjtNum weight = ct_norm3(wrench);
    weights += weight;
    ct_add_to_scl3(r.pos, d->contact[i].pos, weight);
  }
  ct_scl3(r.pos, r.pos, 1 / ct_max(weights, (mjtNum)mjMINVAL));
  for (int i = 0; i < d->ncon; i++) {
    int match = match_contact(m, d, sensor, i);
    if (match == NO_MATCH) continue;
    world_wrench(m, d, i, match, force, torque);
    ct_sub3(arm, d->contact[i].pos, r.pos);
    ct_cross(moment, arm, force);
    ct_add_to3(r.force, force);
    ct_add_to3(r.torque, torque);
    ct_add_to3(r.torque, moment);
  }
  r.found = (mjtNum)found;
  r.dist = 0;
  ct_copy3(r.normal, x);
  ct_copy3(r.tangent, y);
  return r;
}

// Smaller keys come first; equal ones in the order of the contacts. What is not a number comes
// last.
LANE_FN static mjtNum order_of_contact(const mjModel* m, const mjData* d, int contact, int reduce) {
  mjtNum wrench[6], key = d->contact[contact].dist;
  if (reduce != REDUCE_MINDIST && reduce != REDUCE_MAXFORCE) return 0;
  if (reduce == REDUCE_MAXFORCE) {
    ct_contact_force(m, d, contact, wrench);
    key = -ct_dot3(wrench, wrench);
  }
  return key == key ? key : (mjtNum)INFINITY;
}

// The match that follows contact `last` (-1: start) in the order; -1 if there is none. This keeps
// no list, because slots are few.
LANE_FN static int next_match(const mjModel* m, const mjData* d, int sensor, int reduce, int last) {
  int next = -1;
  mjtNum key = 0, last_key = last < 0 ? 0 : order_of_contact(m, d, last, reduce);
  for (int i = reduce == REDUCE_NONE ? last + 1 : 0; i < d->ncon; i++) {
    if (match_contact(m, d, sensor, i) == NO_MATCH) continue;
    if (reduce == REDUCE_NONE) return i;
    mjtNum its = order_of_contact(m, d, i, reduce);
    bool behind = last < 0 || its > last_key || (its == last_key && i > last);
    if (!behind || (next >= 0 && its >= key)) continue;
    next = i;
    key = its;
  }
  return next;
}

LANE_FN void ct_contact_sensor(const mjModel* m, const mjData* d, int sensor, mjtNum* value) {
  const int* prm = m->sensor_intprm + mjNSENS * sensor;
  int chosen = prm[0], reduce = prm[1], slots = prm[2], found = 0;
  ct_zero(value, m->sensor_dim[sensor]);
  for (int i = 0; i < d->ncon; i++) found += match_contact(m, d, sensor, i) != NO_MATCH;
  if (reduce == REDUCE_NETFORCE) {
    ContactReport r = report_net_force(m, d, sensor, found);
    write_report(value, &r, chosen);
    return;
  }
  for (int slot = 0, last = -1; slot < slots && slot < found; slot++) {
    last = next_match(m, d, sensor, reduce, last);
    if (last < 0) return;
    ContactReport r = report_contact(m, d, last, match_contact(m, d, sensor, last), found);
    value += write_report(value, &r, chosen);
  }
}
