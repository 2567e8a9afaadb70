#include "base/awake.h"

static int body_state(const mjModel* m, const mjData* d, int b) {
  int tree = m->body_treeid[b];
  if (tree >= 0) return d->tree_awake[tree];
  return m->body_mocapid[m->body_rootid[b]] >= 0 ? 1 : -1;
}

void ct_update_awake(const mjModel* m, mjData* d) {
  d->ntree_awake = d->nbody_awake = d->nparent_awake = d->nv_awake = 0;
  for (int t = 0; t < m->ntree; t++) {
    d->tree_awake[t] = d->tree_asleep[t] < 0;
    d->ntree_awake += d->tree_awake[t];
  }
  for (int b = 0; b < m->nbody; b++) {
    d->body_awake[b] = body_state(m, d, b);
    if (d->body_awake[b]) d->body_awake_ind[d->nbody_awake++] = b;
    if (b > 0 && d->body_awake[m->body_parentid[b]]) d->parent_awake_ind[d->nparent_awake++] = b;
  }
  for (int j = 0; j < m->nv; j++) {
    if (d->tree_awake[m->dof_treeid[j]]) d->dof_awake_ind[d->nv_awake++] = j;
  }
}
