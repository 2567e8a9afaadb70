// Directed edges of meshes, found by hashing.

#include <stdint.h>

#include "compile/assets/mesh.h"

struct ct_Edge_ {
  int group, from, to;
  int number;
};

ct_EdgeTable ct_edges_make(ct_Pool* pool, size_t count) {
  ct_EdgeTable edges = {{NULL, 0, 0}, NULL};
  ct_hash_reserve(&edges.table, pool, count);
  edges.edge = (struct ct_Edge_*)ct_pool_array(pool, count, sizeof(*edges.edge));
  return edges;
}

static uint64_t hash(int group, int from, int to) {
  uint64_t h = (uint32_t)from | (uint64_t)(uint32_t)to << 32;
  return (h ^ (h >> 31)) * 0xbf58476d1ce4e5b9u + (uint32_t)group;
}

int* ct_edges_at(ct_EdgeTable* edges, int group, int from, int to) {
  uint64_t h = hash(group, from, to);
  ct_HashSearch s = ct_hash_search(&edges->table, h);
  while (ct_hash_next(&edges->table, &s)) {
    struct ct_Edge_* edge = &edges->edge[s.number];
    if (edge->group == group && edge->from == from && edge->to == to) return &edge->number;
  }
  size_t added = edges->table.used;
  ct_hash_add(&edges->table, h, (int)added);
  edges->edge[added] = (struct ct_Edge_){group, from, to, -1};
  return &edges->edge[added].number;
}
