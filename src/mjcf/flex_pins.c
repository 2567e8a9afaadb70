// Pins: the points, or control points, of a flexcomp that stay with the body around it.

#include <string.h>

#include "mjcf/flexcomp.h"

typedef struct {  // one kind of list, from all pin elements together
  int* number;
  int count;
  size_t room;
  const ct_Xml* last;  // the element that gave the last numbers
} PinList;

static PinList read_list(ct_Reader* r, const ct_Flexcomp* comp, const char* attribute) {
  PinList list = {NULL, 0, 0, comp->xml};
  for (const ct_Xml* pin = comp->xml->first; pin; pin = pin->next) {
    int n;
    if (strcmp(pin->name, "pin")) continue;
    const int* given = ct_read_all_ints(r, pin, attribute, &n);
    if (!given) continue;
    size_t have = (size_t)list.count, now = have + (size_t)n;
    list.number = (int*)ct_pool_grow(&r->pool, list.number, have, now, &list.room, sizeof(int));
    memcpy(list.number + have, given, (size_t)n * sizeof(int));
    list.count += n;
    list.last = pin;
  }
  return list;
}

static void check_point(ct_Reader* r, const ct_Flexcomp* comp, const PinList* list,
                        const char* attribute, int i) {
  if (i >= 0 && i < comp->npoint) return;
  ct_refuse(r, list->last, attribute, "%s has point %d; there are %d, counted from 0", attribute, i,
            comp->npoint);
}

static void pin_points(ct_Reader* r, ct_Flexcomp* comp) {
  PinList id = read_list(r, comp, "id"), range = read_list(r, comp, "range");
  if (range.count % 2)
    ct_refuse(r, range.last, "range", "range needs pairs of numbers, got %d in all", range.count);
  if (comp->rigid) return;
  for (int i = 0; i < id.count; i++) {
    check_point(r, comp, &id, "id", id.number[i]);
    comp->pinned[id.number[i]] = true;
  }
  for (int i = 0; i < range.count; i += 2) {
    check_point(r, comp, &range, "range", range.number[i]);
    check_point(r, comp, &range, "range", range.number[i + 1]);
    for (int k = range.number[i]; k <= range.number[i + 1]; k++) comp->pinned[k] = true;
  }
}

// Along each axis, how many grid points there are to be pinned.
static void grid_sizes(const ct_Flexcomp* comp, int size[3]) {
  for (int k = 0; k < 3; k++) {
    bool nodes = ct_flexcomp_interpolated(comp) && comp->type != CT_FLEXCOMP_GRID;
    size[k] = nodes ? ct_flexcomp_order(comp) + 1 : comp->count[k];
  }
}

static void check_corner(ct_Reader* r, const ct_Flexcomp* comp, const PinList* list,
                         const char* attribute, const int* at) {
  int size[3];
  grid_sizes(comp, size);
  for (int k = 0; k < comp->flex.dim; k++) {
    if (at[k] >= 0 && at[k] < size[k]) continue;
    ct_refuse(r, list->last, attribute, "%s has %d; there are %d points along that axis", attribute,
              at[k], size[k]);
  }
}

// Oddity of the reference: control points are found by the numbers of the grid's points.
static void pin_at(ct_Reader* r, ct_Flexcomp* comp, const PinList* list, const int* at) {
  const int* n = comp->count;
  long long i = comp->flex.dim == 2 ? (long long)at[0] * n[1] + at[1]
                                    : ((long long)at[0] * n[1] + at[1]) * n[2] + at[2];
  int order = ct_flexcomp_order(comp), node = (order + 1) * (order + 1) * (order + 1);
  int most = order && node > comp->npoint ? node : comp->npoint;
  if (i >= most) ct_refuse(r, list->last, NULL, "the pin is at point %lld; there are %d", i, most);
  comp->pinned[i] = true;
}

static void pin_grid(ct_Reader* r, ct_Flexcomp* comp) {
  PinList grid = read_list(r, comp, "grid"), range = read_list(r, comp, "gridrange");
  int dim = comp->flex.dim;
  if (!grid.count && !range.count) return;
  const ct_Xml* pin = grid.count ? grid.last : range.last;
  if (comp->type != CT_FLEXCOMP_GRID && !ct_flexcomp_interpolated(comp))
    ct_refuse(r, pin, NULL, "grid and gridrange are for type grid and for control points");
  if (dim == 1) ct_refuse(r, pin, NULL, "grid and gridrange need dim 2 or 3; use id and range");
  if (grid.count % dim)
    ct_refuse(r, grid.last, "grid", "grid needs %d numbers per point, got %d", dim, grid.count);
  if (range.count % (2 * dim)) {
    ct_refuse(r, range.last, "gridrange", "gridrange needs %d numbers per range, got %d", 2 * dim,
              range.count);
  }
  if (comp->rigid) return;
  for (int i = 0; i < grid.count; i += dim) {
    check_corner(r, comp, &grid, "grid", grid.number + i);
    pin_at(r, comp, &grid, grid.number + i);
  }
  for (int i = 0; i < range.count; i += 2 * dim) {
    const int *from = range.number + i, *to = from + dim;
    check_corner(r, comp, &range, "gridrange", from);
    check_corner(r, comp, &range, "gridrange", to);
    int at[3], top = dim == 3 ? to[2] : 0, bottom = dim == 3 ? from[2] : 0;
    for (at[0] = from[0]; at[0] <= to[0]; at[0]++) {
      for (at[1] = from[1]; at[1] <= to[1]; at[1]++) {
        for (at[2] = bottom; at[2] <= top; at[2]++) pin_at(r, comp, &range, at);
      }
    }
  }
}

// Where all of it is rigid, pins are read but say nothing, not even which points they mean.
void ct_flexcomp_pin(ct_Reader* r, ct_Flexcomp* comp) {
  enum { MOST_NODES = 27 };
  size_t room = (size_t)(comp->npoint > MOST_NODES ? comp->npoint : MOST_NODES);
  comp->pinned = (bool*)ct_pool_array(&r->pool, room, sizeof(bool));
  pin_points(r, comp);
  pin_grid(r, comp);
  if (comp->dof == CT_FLEXDOF_RADIAL && !comp->rigid) comp->pinned[0] = true;
}
