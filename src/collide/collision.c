// Contacts of all geoms in the current position.
//
//   in    geom_xpos (ngeom x 3), geom_xmat (ngeom x 9), body_awake (nbody)
//   out   ncon, contact (ncon), at the start of the arena
//
// candidates.c lists pairs of geoms in the order of their contacts. Each lane takes one pair and
// finds its hits; then the group agrees where they go, and each lane writes its own. So the order
// does not depend on the number of lanes.
//
// Before a pair is looked at, room for the most contacts that it could have is asked for. Without
// it the pair is skipped, and counted as the warning mjWARN_CONTACTFULL.

#include "collide/collision.h"

#include <mujoco/mjxmacro.h>

#include "base/scratch.h"
#include "collide/pairs.h"

LANE_FN static void forget_arena(mjData* d) {
  CT_POISON(d->arena, d->parena);
  d->parena = 0;
#define X(type_, name_, rows_, columns_) d->name_ = NULL;
#define XNV X
  MJDATA_ARENA_POINTERS_SOLVER
  MJDATA_ARENA_POINTERS_DUAL
  MJDATA_ARENA_POINTERS_ISLAND
#undef XNV
#undef X
  d->contact = (mjContact*)d->arena;
  d->ncon = 0;
  d->ne = d->nf = d->nl = d->nefc = d->nJ = d->nA = 0;
  d->nisland = d->nidof = 0;
}

LANE_FN bool ct_start_contacts(Lane g, const mjModel* m, mjData* d) {
  lane_sync(g);
  LANE_ONCE(g) {
    forget_arena(d);
  }
  if (m->vis.global.bvactive) {
    LANE_FOR(i, g, m->nbvh) {
      d->bvh_active[i] = 0;
    }
  }
  lane_sync(g);
  return !(m->opt.disableflags & (mjDSBL_CONSTRAINT | mjDSBL_CONTACT)) && m->nbody + m->nflex >= 2;
}

LANE_INLINE void count_full(mjData* d, int ncon, int times) {
  d->warning[mjWARN_CONTACTFULL].number += times;
  d->warning[mjWARN_CONTACTFULL].lastinfo = ncon;
}

LANE_FN void ct_append_contacts(Lane g, const mjModel* m, mjData* d, const ct_PairList* list) {
  ct_Hit hit[CT_MOST_HITS];
  int ncon = d->ncon, refused = 0;
  lane_sync(g);
  for (int base = 0; base < list->count; base += lane_count(g)) {
    int at = base + lane_rank(g), found = 0;
    ct_GeomPair pair = {-1, -1, -1};
    if (at < list->count) pair = list->pair[at];
    if (pair.geom1 >= 0) found = ct_collide_pair(m, d, hit, pair, ct_pair_margin(m, pair));

    // all lanes place all hits of this round, in the order of their pairs
    int before = ncon, mine = -1;
    for (int r = 0; r < lane_count(g) && base + r < list->count; r++) {
      int hits = lane_exchange_int(g, found, r);
      if (list->pair[base + r].geom1 < 0) continue;
      if (!ct_contacts_have_room(d, ncon)) {
        refused++;
        continue;
      }
      if (r == lane_rank(g)) mine = ncon;
      ncon += hits;
    }
    if (ncon == before) continue;
    LANE_ONCE(g) {
      ct_arena_alloc(d, (size_t)(ncon - before) * sizeof(mjContact), sizeof(mjtNum));
    }
    lane_sync(g);
    if (mine >= 0 && found) ct_write_contacts(m, d->contact + mine, hit, found, pair);
  }
  LANE_ONCE(g) {
    d->ncon = ncon;
    if (refused) count_full(d, ncon, refused);
  }
  lane_sync(g);
}

LANE_FN void ct_collision(Lane g, const mjModel* m, mjData* d) {
  if (!ct_start_contacts(g, m, d) || !lane_mark(g, d)) return;
  ct_PairList list = ct_find_pairs(g, m, d, false);
  if (list.pair) ct_append_contacts(g, m, d, &list);
  lane_free(g, d);
}
