// Contacts of all geoms in the current position.
//
//   in    geom_xpos (ngeom x 3), geom_xmat (ngeom x 9), body_awake (nbody)
//   out   ncon, contact (ncon), at the start of the arena
//
// candidates.c lists pairs of geoms in the order of their contacts. Each lane takes one pair and
// finds its hits; then the group agrees where they go, and each lane writes its own. So the order
// does not depend on the number of lanes.
//
// Nothing is written to bvh_active, which only a drawing of bounding volumes would show.
//
// Before a pair is looked at, room for the most contacts that it could have is asked for. Without
// it the pair is skipped and counted as the warning mjWARN_CONTACTFULL.

#include "collide/collision.h"

#include "base/memory/arena_arrays.h"
#include "base/memory/scratch.h"
#include "collide/pairs.h"
#include "collide/separator.h"

LANE_FN void ct_start_contacts(Lane g, mjData* d) {
  lane_sync(g);
  LANE_ONCE(g) {
    d->ncon = 0;
    d->contact = (mjContact*)d->arena;
  }
  ct_forget_rows(g, d);
  lane_sync(g);
}

LANE_FN static int collide(Lane g, const mjModel* m, mjData* d, ct_Hit* hit, ct_GeomPair pair) {
  mjtNum margin = ct_pair_margin(m, pair);
#ifndef __CUDACC__
  if (lane_count(g) == 1 && ct_is_found_by_gjk(m, pair)) {
    return ct_collide_remembering(m, d, hit, pair, margin);
  }
#endif
  return ct_collide_pair(m, d, hit, pair, margin);
}

LANE_FN int ct_append_contacts(Lane g, const mjModel* m, mjData* d, const ct_PairList* list) {
  ct_Hit hit[CT_MOST_HITS];
  int ncon = d->ncon, refused = 0, mistakes = 0, bad;
  lane_sync(g);
  for (int base = 0; base < list->count; base += lane_count(g)) {
    int at = base + lane_rank(g), found = 0;
    ct_GeomPair pair = {-1, -1, -1};
    if (at < list->count) pair = list->pair[at];
    if (pair.geom1 >= 0) found = collide(g, m, d, hit, pair);

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
    if (mine >= 0 && found) {
      mistakes += !ct_write_contacts(m, d->contact + mine, hit, found, pair);
    }
  }
  LANE_COUNT(bad, r, g, lane_count(g), r == lane_rank(g) ? mistakes : 0);
  LANE_ONCE(g) {
    d->ncon = ncon;
    ct_private(d)->detail.lost = refused;
    ct_private(d)->detail.hits = 0;
  }
  lane_sync(g);
  if (refused) ct_count_warning(g, d, mjWARN_CONTACTFULL, ncon, refused);
  return (refused ? CT_CONTACTS_FULL : CT_OK) | (bad ? CT_BAD_CONTACT : CT_OK);
}

LANE_FN int ct_collision(Lane g, const mjModel* m, mjData* d) {
  ct_start_contacts(g, d);
  if (!ct_has_contacts(m)) return CT_OK;
  if (!lane_mark(g, d)) return CT_STACK_FULL;
  ct_PairList list = ct_find_touching_pairs(g, m, d);
  int status = list.pair ? ct_append_contacts(g, m, d, &list) : CT_STACK_FULL;
  lane_free(g, d);
  return status;
}
