// Builds the schedules of a model. Runs once per data, on the host.
//
// Models come from files too, so nothing here trusts an index to be in order: a parent that does
// not precede its child counts as none, and a row of the mass matrix cannot be longer than its
// number.

#include "base/schedule.h"

#include <string.h>

#include "base/meetings.h"
#include "base/private.h"

// The tree of body b, -1 if it cannot move.
static int tree_of(const mjModel* m, int b) {
  int tree = m->body_treeid[b];
  return tree >= 0 && tree < m->ntree ? tree : -1;
}

static int chain_words_of(const mjModel* m, int b) {
  int tree = tree_of(m, b);
  return tree < 0 || m->tree_dofnum[tree] < 0 ? 0 : (m->tree_dofnum[tree] + 31) / 32;
}

size_t ct_chain_words(const mjModel* m) {
  size_t words = 0;
  for (int b = 0; b < m->nbody; b++) words += (size_t)chain_words_of(m, b);
  return words;
}

size_t ct_separator_room(const mjModel* m) {
  const size_t least = 256, most = 4096;
  size_t room = least;
  while (room < most && room < 16 * (size_t)m->nbody) room *= 2;
  return m->ngeom > 1 ? room : 0;
}

size_t ct_schedule_sources(const mjModel* m) {
  size_t count = 0;
#define ARRAY_COUNT(member_, count_) count += (size_t)(count_);
  CT_SCHEDULE_SOURCES(ARRAY_COUNT)
#undef ARRAY_COUNT
  return count;
}

bool ct_schedule_is_of(const ct_Schedule* s, const mjModel* m) {
  const int* kept = s->sources;
  bool same = true;
#define ARRAY_COMPARE(member_, count_)                                      \
  same = same && !memcmp(kept, m->member_, (size_t)(count_) * sizeof(int)); \
  kept += count_;
  CT_SCHEDULE_SOURCES(ARRAY_COMPARE)
#undef ARRAY_COMPARE
  return same;
}

size_t ct_schedule_bytes(const mjModel* m) {
  size_t bytes = 0;
#define ARRAY_BYTES(member_, count_) bytes += CT_ALIGN_UP((size_t)(count_) * sizeof(int));
  CT_SCHEDULE_ARRAYS(ARRAY_BYTES)
#undef ARRAY_BYTES
  return bytes;
}

// Where the arrays of a schedule are while they are written: the schedule itself shows them as
// const.
static int* writable(const int* array) {
  return (int*)(uintptr_t)array;
}

// Sorts first <= id < end by level (counting sort, so ids stay ordered within a level).
static void sort_by_level(ct_Levels* levels, int first, int end) {
  int *adr = writable(levels->adr), *item = writable(levels->item);
  levels->first = first;
  levels->end = end;
  levels->count = 0;
  for (int i = first; i < end; i++) {
    if (levels->level[i] >= levels->count) levels->count = levels->level[i] + 1;
  }

  // adr[l + 1] counts level l, then holds where the next item of level l goes, then where l ends
  for (int l = 0; l <= levels->count; l++) adr[l] = 0;
  for (int i = first; i < end; i++) adr[levels->level[i] + 1]++;
  int start = 0;
  for (int l = 0; l < levels->count; l++) {
    int size = adr[l + 1];
    adr[l + 1] = start;
    start += size;
  }
  for (int i = first; i < end; i++) item[adr[levels->level[i] + 1]++] = i;
}

// The parent of body b, 0 for bodies whose parent is out of order.
static int parent_of(const mjModel* m, int b) {
  int parent = m->body_parentid[b];
  return parent > 0 && parent < b ? parent : 0;
}

static void build_bodies(ct_Levels* bodies, const mjModel* m) {
  int nbody = (int)m->nbody;
  int* level = writable(bodies->level);
  level[0] = 0;
  for (int b = 1; b < nbody; b++) {
    int parent = parent_of(m, b);
    level[b] = parent == 0 ? 0 : level[parent] + 1;
  }
  sort_by_level(bodies, 1, nbody);
}

// Largest id first: a sum over children then has the order of a loop over all bodies from the last
// to the first.
static void build_children(ct_Schedule* s, const mjModel* m) {
  int nbody = (int)m->nbody;
  int *adr = writable(s->child_adr), *child = writable(s->child);
  for (int b = 0; b <= nbody; b++) adr[b] = 0;
  for (int b = 1; b < nbody; b++) adr[parent_of(m, b)]++;
  for (int b = 1; b < nbody; b++) adr[b] += adr[b - 1];
  adr[nbody] = adr[nbody - 1];
  for (int b = 1; b < nbody; b++) child[--adr[parent_of(m, b)]] = b;
}

static void build_dofs(ct_Levels* dofs, const mjModel* m) {
  int first = 0, end = 0;
  int* level = writable(dofs->level);
  for (int i = 0; i < m->nv; i++) {
    int ancestors = m->M_rownnz[i] - 1;
    level[i] = ancestors < 0 ? 0 : ancestors > i ? i : ancestors;
    if (level[i] == 0) continue;
    first = end ? first : i;
    end = i + 1;
  }
  sort_by_level(dofs, first, end);
}

// A chain is the parent's, if that moves at all, and the body's own dofs.
static void build_chains(ct_Schedule* s, const mjModel* m) {
  int *first = writable(s->chain_first), *adr = writable(s->chain_adr), *chain = writable(s->chain);
  int next = 0;
  for (int b = 0; b < m->nbody; b++) {
    int nword = chain_words_of(m, b), parent = b ? parent_of(m, b) : 0;
    bool same_tree = b > 0 && tree_of(m, parent) == tree_of(m, b);
    first[b] = nword ? m->tree_dofadr[tree_of(m, b)] : 0;
    adr[b] = next;
    for (int w = 0; w < nword; w++) chain[next + w] = same_tree ? chain[adr[parent] + w] : 0;
    for (int j = m->body_dofadr[b]; j < m->body_dofadr[b] + m->body_dofnum[b]; j++) {
      int bit = j - first[b];
      if (bit < 0 || bit >= 32 * nword) continue;
      chain[next + bit / 32] = (int)((unsigned)chain[next + bit / 32] | 1u << bit % 32);
    }
    next += nword;
  }
  adr[m->nbody] = next;
}

// Sets bit `column` of the two words of a row.
static void set_bit(int* words, int row, int column) {
  int* word = words + 2 * row + column / 32;
  *word = (int)((unsigned)*word | 1u << column % 32);
}

// The rows of the mass matrix.
static void build_rows(ct_Schedule* s, const mjModel* m) {
  int *row_of_entry = writable(s->row_of_entry), nv = (int)m->nv;
  int *above = writable(s->dofs_above), *below = writable(s->dofs_below);
  for (mjtSize a = 0; a < m->nC; a++) {
    row_of_entry[a] = m->M_rowadr[m->M_colind[a]];
  }
  for (int k = 0, adr = 0; k < nv; k++) {
    writable(s->pair_adr)[k] = adr;
    adr += 2 * (m->M_rownnz[k] + m->M_rownnz[k] % 2);
  }
  for (int k = 0; k < nv; k++) {
    int n = m->M_rownnz[k] - 1, lead = 0;
    const int* column = m->M_colind + m->M_rowadr[k];
    while (lead < n && column[lead] == column[0] + lead) lead++;
    writable(s->lead)[k] = lead;
  }
  for (int i = 0; i < 2 * nv; i++) above[i] = below[i] = 0;
  for (int k = 0; k < nv && nv <= 64; k++) {
    for (int i = 0; i < m->M_rownnz[k] - 1; i++) {
      int j = m->M_colind[m->M_rowadr[k] + i];
      set_bit(above, k, j);
      set_bit(below, j, k);
    }
  }
}

// Two dofs of a chain at a time, but where rows are so long that solving looks at each alone.
static void build_blocks(ct_Schedule* s, const mjModel* m) {
  ct_DofBlock* b = (ct_DofBlock*)(void*)writable(s->blocks);
  int* block_of = writable(s->block_of);
  s->nblock = 0;
  for (int k = 0; k < s->dofs.first; k++) block_of[k] = 0;
  for (int k = s->dofs.first; k < s->dofs.end; k++, b++) {
    int n = m->M_rownnz[k] - 1, start = m->M_rowadr[k], next = k + 1;
    bool two = next < s->dofs.end && m->M_rownnz[next] == n + 2 && s->lead[k] < CT_LONG_LEAD &&
               m->M_colind[m->M_rowadr[next] + n] == k;
    b->n = n > 0 ? n : 0;
    b->parent = n > 0 ? m->M_colind[start + n - 1] : -1;
    b->lead = s->lead[k] < n - 1 ? s->lead[k] : n - 1;
    b->above = start;
    block_of[k] = s->nblock;
    if (two) block_of[++k] = s->nblock;
    b->last = k;
    b->size = 1 + two;
    b->row = m->M_rowadr[k];
    s->nblock++;
  }
  for (int k = s->dofs.end; k < m->nv; k++) block_of[k] = s->nblock;
}

// Turns counts of n things into the places where the things of each one start, so that filling
// moves each start to its end.
static void starts_from_counts(int* end, mjtSize n) {
  int next = 0;
  for (mjtSize i = 0; i < n; i++) {
    int count = end[i];
    end[i] = next;
    next += count;
  }
}

// A vertex of flex f, or -1 if there is no such vertex.
static int vertex_of(const mjModel* m, int f, int vertex) {
  mjtSize at = (mjtSize)m->flex_vertadr[f] + vertex;
  return vertex >= 0 && at < m->nflexvert ? (int)at : -1;
}

static void list_edges_of_vertices(int* end, int* edges, const mjModel* m, int f) {
  for (int e = m->flex_edgeadr[f]; e < m->flex_edgeadr[f] + m->flex_edgenum[f]; e++) {
    for (int side = 0; side < 2; side++) {
      int vertex = vertex_of(m, f, m->flex_edge[2 * e + side]);
      if (vertex < 0) continue;
      if (edges) edges[end[vertex]] = e;
      end[vertex]++;
    }
  }
}

static void list_elements_of_edges(int* end, int* elements, const mjModel* m, int f) {
  const int edges_of[4] = {0, 1, 3, 6};
  int dim = m->flex_dim[f], first = m->flex_elemedgeadr[f];
  if (dim < 1 || dim > 3) return;
  for (int k = first; k < first + edges_of[dim] * m->flex_elemnum[f]; k++) {
    mjtSize edge = (mjtSize)m->flex_edgeadr[f] + m->flex_elemedge[k];
    if (edge < 0 || edge >= m->nflexedge) continue;
    if (elements) elements[end[edge]] = k;
    end[edge]++;
  }
}

// Who is around whom in flexes.
static void build_flexes(ct_Schedule* s, const mjModel* m) {
  int *edges_end = writable(s->edges_end), *elements_end = writable(s->elements_end);
  int nflex = (int)m->nflex;
  for (mjtSize i = 0; i < m->nflexvert; i++) edges_end[i] = 0;
  for (mjtSize i = 0; i < m->nflexedge; i++) elements_end[i] = 0;
  for (int f = 0; f < nflex; f++) list_edges_of_vertices(edges_end, NULL, m, f);
  for (int f = 0; f < nflex; f++) list_elements_of_edges(elements_end, NULL, m, f);
  starts_from_counts(edges_end, m->nflexvert);
  starts_from_counts(elements_end, m->nflexedge);
  for (int f = 0; f < nflex; f++) list_edges_of_vertices(edges_end, writable(s->edges), m, f);
  for (int f = 0; f < nflex; f++) {
    list_elements_of_edges(elements_end, writable(s->elements), m, f);
  }
}

void ct_schedule_place(ct_Schedule* s, void* memory, const mjModel* m) {
  char* next = (char*)memory;
#define PLACE_ARRAY(member_, count_)          \
  s->member_ = (const int*)(const void*)next; \
  next += CT_ALIGN_UP((size_t)(count_) * sizeof(int));
  CT_SCHEDULE_ARRAYS(PLACE_ARRAY)
#undef PLACE_ARRAY
}

const void* ct_schedule_memory(const ct_Schedule* s) {
  return s->bodies.level;  // the first of the arrays
}

static void keep_sources(ct_Schedule* s, const mjModel* m) {
  int* kept = writable(s->sources);
  s->nsource = (int)ct_schedule_sources(m);
#define ARRAY_KEEP(member_, count_)                         \
  memcpy(kept, m->member_, (size_t)(count_) * sizeof(int)); \
  kept += count_;
  CT_SCHEDULE_SOURCES(ARRAY_KEEP)
#undef ARRAY_KEEP
}

void ct_schedule_build(ct_Schedule* s, void* memory, const mjModel* m) {
  ct_schedule_place(s, memory, m);
  build_bodies(&s->bodies, m);
  build_children(s, m);
  build_dofs(&s->dofs, m);
  build_chains(s, m);
  build_rows(s, m);
  build_blocks(s, m);
  if (m->nflex) build_flexes(s, m);
  s->meetings.nexclude = (int)m->nexclude;
  s->meetings.npair = (int)m->npair;
  ct_list_meetings(&s->meetings, m, false);
  for (size_t i = 0; i < CT_SEPARATOR_SIZE * ct_separator_room(m); i++) {
    writable(s->separators)[i] = 0;
  }
  keep_sources(s, m);
}
