// Bounding volume trees over any leaves. See volume_tree.h.
//
// A set of leaves is split along the longest side of its box into two halves by their keys. Keys
// closer than 1e-14 and those that are not numbers are ordered by leaf. That is no strict weak
// order, so what ends up in which half depends on the algorithm of selection, which is the
// reference's (select_middle).

#include "compile/assets/volume_tree.h"

#include <math.h>
#include <stdbool.h>

#include "spec/pose.h"

typedef struct {
  const ct_VolumeLeaf* leaf;
  int* order;  // leaves, rearranged
  ct_VolumeTree* tree;
} Builder;

// Selection

typedef struct {
  const ct_VolumeLeaf* leaf;
  int* order;
  int axis;
} Selection;

static bool less(const Selection* s, int i, int j) {
  int a = s->order[i], b = s->order[j];
  double difference = s->leaf[a].key[s->axis] - s->leaf[b].key[s->axis];
  if (fabs(difference) > CT_COMPILER_EPS) return difference < 0;
  return a < b;
}

static void exchange(Selection* s, int i, int j) {
  int a = s->order[i];
  s->order[i] = s->order[j];
  s->order[j] = a;
}

// Sorts three places; returns how often it exchanged.
static int sort_three(Selection* s, int x, int y, int z) {
  if (!less(s, y, x)) {
    if (!less(s, z, y)) return 0;
    exchange(s, y, z);
    if (!less(s, y, x)) return 1;
    exchange(s, x, y);
    return 2;
  }
  if (less(s, z, y)) {
    exchange(s, x, z);
    return 1;
  }
  exchange(s, x, y);
  if (!less(s, z, y)) return 1;
  exchange(s, y, z);
  return 2;
}

static void selection_sort(Selection* s, int first, int end) {
  for (int i = first; i < end - 1; i++) {
    int smallest = i;
    for (int j = i + 1; j < end; j++) {
      if (less(s, j, smallest)) smallest = j;
    }
    if (smallest != i) exchange(s, i, smallest);
  }
}

static bool is_sorted(const Selection* s, int first, int end) {
  for (int i = first + 1; i < end; i++) {
    if (less(s, i, i - 1)) return false;
  }
  return true;
}

// Nothing is below the first element: splits into what is not above it and what is. Returns where
// the second part starts.
static int split_off_smallest(Selection* s, int first, int end) {
  int i = first + 1, j = end - 1;
  if (!less(s, first, j)) {
    for (;; i++) {
      if (i == j) return end;
      if (less(s, first, i)) break;
    }
    exchange(s, i, j);
    i++;
  }
  if (i == j) return end;
  for (;;) {
    while (!less(s, first, i)) i++;
    do {
      j--;
    } while (less(s, first, j));
    if (i >= j) return i;
    exchange(s, i, j);
    i++;
  }
}

// One round on [*first, *end): moves a bound towards place k; true when k is in place.
static bool narrow(Selection* s, int* first, int* end, int k) {
  int f = *first, l = *end, m = f + (l - f) / 2;
  int exchanges = sort_three(s, f, m, l - 1);
  int i = f, j = l - 1;
  if (!less(s, i, m)) {
    for (j = l - 2; j > f && !less(s, j, m);) j--;
    if (j == f) {
      int start = split_off_smallest(s, f, l);
      *first = start;
      return k < start;
    }
    exchange(s, i, j);
    exchanges++;
  }
  i++;
  if (i < j) {
    for (;;) {
      while (less(s, i, m)) i++;
      do {
        j--;
      } while (!less(s, j, m));
      if (i >= j) break;
      exchange(s, i, j);
      exchanges++;
      if (m == i) m = j;
      i++;
    }
  }
  if (i != m && less(s, m, i)) {
    exchange(s, i, m);
    exchanges++;
  }
  if (k == i) return true;
  if (exchanges == 0 && (k < i ? is_sorted(s, f, i) : is_sorted(s, i, l))) return true;
  if (k < i) {
    *end = i;
  } else {
    *first = i + 1;
  }
  return false;
}

// Rearranges so that place k has what it would have if all were sorted, smaller ones before it.
static void select_middle(Selection* s, int first, int end, int k) {
  while (k != end) {
    int n = end - first;
    if (n <= 1) return;
    if (n == 2) {
      if (less(s, end - 1, first)) exchange(s, first, end - 1);
      return;
    }
    if (n == 3) {
      sort_three(s, first, first + 1, first + 2);
      return;
    }
    if (n <= 7) {
      selection_sort(s, first, end);
      return;
    }
    if (narrow(s, &first, &end, k)) return;
  }
}

// Building

double ct_box_side(double box[6], int axis, double low, double high) {
  if (fabs(high - low) < CT_COMPILER_EPS) {
    low -= CT_COMPILER_EPS;
    high += CT_COMPILER_EPS;
  }
  box[axis] = (high + low) / 2;
  box[axis + 3] = (high - low) / 2;
  return high - low;
}

int ct_longest_side(const double side[3]) {
  int axis = side[1] >= side[0] + CT_COMPILER_EPS ? 1 : 0;
  return side[2] >= side[axis] + CT_COMPILER_EPS ? 2 : axis;
}

// Box around leaves as centre and half sizes; returns the axis to split along.
static int enclose(double box[6], const ct_VolumeLeaf* leaf, const int* order, int count) {
  double side[3];
  for (int i = 0; i < 3; i++) {
    double low = leaf[order[0]].low[i], high = leaf[order[0]].high[i];
    for (int k = 1; k < count; k++) {
      low = fmin(low, leaf[order[k]].low[i]);
      high = fmax(high, leaf[order[k]].high[i]);
    }
    side[i] = ct_box_side(box, i, low, high);
  }
  return ct_longest_side(side);
}

// Halves are equal, so the depth is logarithmic and recursion is safe.
static int build(Builder* b, int first, int count, int depth) {
  ct_VolumeTree* t = b->tree;
  int node = t->nnode++;
  int axis = enclose(t->box + 6 * node, b->leaf, b->order + first, count);
  t->depth[node] = depth;
  t->child[2 * node] = t->child[2 * node + 1] = -1;
  t->leaf[node] = count == 1 ? b->order[first] : -1;
  if (count == 1) return node;
  int half = count / 2;
  Selection s = {b->leaf, b->order, axis};
  select_middle(&s, first, first + count, first + half);
  t->child[2 * node] = build(b, first, half, depth + 1);
  t->child[2 * node + 1] = build(b, first + half, count - half, depth + 1);
  return node;
}

ct_VolumeTree ct_make_volume_tree(ct_Pool* pool, ct_Pool* scratch, const ct_VolumeLeaf* leaf,
                                  int count) {
  ct_VolumeTree tree = {0, NULL, NULL, NULL, NULL};
  if (count == 0) return tree;
  size_t nnode = 2 * (size_t)count - 1;
  tree.depth = (int*)ct_pool_array(pool, nnode, sizeof(int));
  tree.child = (int*)ct_pool_array(pool, nnode, 2 * sizeof(int));
  tree.leaf = (int*)ct_pool_array(pool, nnode, sizeof(int));
  tree.box = (double*)ct_pool_array(pool, nnode, 6 * sizeof(double));
  Builder b = {leaf, (int*)ct_pool_array(scratch, (size_t)count, sizeof(int)), &tree};
  for (int i = 0; i < count; i++) b.order[i] = i;
  build(&b, 0, count, 0);
  return tree;
}
