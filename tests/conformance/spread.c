#include "conformance/spread.h"

#include <math.h>
#include <string.h>

#include "conformance/copy.h"
#include "conformance/cost.h"
#include "conformance/matching.h"

static const double unit = sizeof(mjtNum) < 8 ? 0x1p-23 : 0x1p-52;

// Delays and intervals are compared with times, which are no results of a formula.
static bool is_instant(const ct_Field* f) {
  return strstr(f->name, "_delay") || strstr(f->name, "_interval");
}

void move_model_by_rounding(mjModel* m, Random* r) {
  for (int i = 0; i < ct_nmodel_field; i++) {
    const ct_Field* f = ct_model_fields + i;
    if (f->type != CT_TYPE_mjtNum || strstr(f->name, "aabb") || is_instant(f)) continue;
    mjtNum* x = (mjtNum*)*ct_field_pointer(f, m);
    size_t n = ct_field_bytes(f, m, NULL) / sizeof(mjtNum);
    for (size_t k = 0; k < n; k++) x[k] += (mjtNum)(random_uniform(r, -2, 2) * unit * (double)x[k]);
  }
}

void move_by_rounding(const mjModel* m, mjData* d, const mjData* sleepers, Random* r) {
  for (int j = 0; j < m->njnt; j++) {
    if (sleepers->tree_asleep[m->dof_treeid[m->jnt_dofadr[j]]] >= 0) continue;
    int type = m->jnt_type[j];
    int nq = type == mjJNT_FREE ? 7 : type == mjJNT_BALL ? 4 : 1;
    int nv = type == mjJNT_FREE ? 6 : type == mjJNT_BALL ? 3 : 1;
    // a position of 0 is added to lengths and angles of about 1, a velocity of 0 is rest
    for (int k = m->jnt_qposadr[j]; k < m->jnt_qposadr[j] + nq; k++) {
      double size = fmax(1, fabs((double)d->qpos[k]));
      d->qpos[k] += (mjtNum)(random_uniform(r, -2, 2) * unit * size);
    }
    for (int k = m->jnt_dofadr[j]; k < m->jnt_dofadr[j] + nv; k++) {
      d->qvel[k] += (mjtNum)(random_uniform(r, -2, 2) * unit * (double)d->qvel[k]);
    }
  }
}

// One array

static void widen_number(mjtNum* spread, double x, double y) {
  double difference = x == y || (isnan(x) && isnan(y)) ? 0 : fabs(x - y);
  if (isnan(difference)) difference = INFINITY;
  if (difference > (double)*spread) *spread = (mjtNum)difference;
}

static void widen_array(char* spread, const char* a, const char* moved, ct_ElementType type,
                        size_t element, long n) {
  if (!spread || !a || !moved) return;
  for (long i = 0; i < n; i++) {
    size_t at = (size_t)i * element;
    if (type == CT_TYPE_mjtNum) {
      widen_number((mjtNum*)(spread + at), value_at(a + at, type), value_at(moved + at, type));
    } else if (memcmp(a + at, moved + at, element) != 0) {
      memset(spread + at, 1, element);
    }
  }
}

// All numbers of a contact come first, all integers after them.
static void widen_contacts(mjContact* spread, const mjContact* a, const mjContact* moved, int n) {
  const size_t numbers = offsetof(mjContact, dim), integers = sizeof(mjContact) - numbers;
  for (int i = 0; i < n; i++) {
    char* to = (char*)(spread + i);
    const char *x = (const char*)(a + i), *y = (const char*)(moved + i);
    widen_array(to, x, y, CT_TYPE_mjtNum, sizeof(mjtNum), (long)(numbers / sizeof(mjtNum)));
    widen_array(to + numbers, x + numbers, y + numbers, CT_TYPE_int, sizeof(int),
                (long)(integers / sizeof(int)));
  }
}

// The whole data

// A copy puts every array of the arena on a cache line of its own.
mjtSize spread_room(const mjData* reference) {
  return (mjtSize)reference->parena + 64 * (mjtSize)(ct_narena_field + 1);
}

void spread_start(const mjModel* m, RoundingSpread* spread, const mjData* reference) {
  copy_whole_data(m, spread->data, reference);
  for (int i = 0; i < ct_ndata_field; i++) {
    const ct_Field* f = ct_data_fields + i;
    if (belongs_to_plugins(f)) continue;
    memset(*ct_field_pointer(f, spread->data), 0, ct_field_bytes(f, m, reference));
  }
  for (int i = 0; i < ct_narena_field; i++) {
    const ct_Field* f = ct_arena_fields + i;
    void* array = *ct_field_pointer(f, spread->data);
    if (array) memset(array, 0, ct_field_bytes(f, m, reference));
  }
  memset(spread->data->energy, 0, sizeof(spread->data->energy));
  spread->cost = 0;
  spread->regrouped = 0;
}

static bool same_groups(const mjData* a, const mjData* moved) {
  bool same = a->nJ == moved->nJ && a->nA == moved->nA && a->nisland == moved->nisland &&
              a->nidof == moved->nidof;
  if (!same) return false;
  Matching match = match_rows(a, moved);
  same = match.same_order;
  matching_free(&match);
  return same;
}

static void widen_arena(const mjModel* m, RoundingSpread* spread, const mjData* a,
                        const mjData* moved) {
  for (int i = 0; i < ct_narena_field; i++) {
    const ct_Field* f = ct_arena_fields + i;
    char* to = (char*)*ct_field_pointer(f, spread->data);
    const char *x = (const char*)ct_field_array(f, a), *y = (const char*)ct_field_array(f, moved);
    long n = (long)(ct_field_bytes(f, m, a) / f->element);
    if (!to || !x || !y) continue;
    if (f->type == CT_TYPE_mjContact) {
      widen_contacts((mjContact*)to, (const mjContact*)x, (const mjContact*)y, (int)n);
    } else {
      widen_array(to, x, y, f->type, f->element, n);
    }
  }
  widen_number(&spread->cost, cost_of(m, a, a->qacc), cost_of(m, a, moved->qacc));
}

// A sample with other contacts has other forces everywhere: that the reference could have had other
// contacts excuses no number of an engine that found the same ones.
void spread_widen(const mjModel* m, RoundingSpread* spread, const mjData* reference,
                  const mjData* moved) {
  if (!same_groups(reference, moved)) {
    spread->regrouped++;
    return;
  }
  for (int i = 0; i < ct_ndata_field; i++) {
    const ct_Field* f = ct_data_fields + i;
    if (belongs_to_plugins(f)) continue;
    widen_array((char*)*ct_field_pointer(f, spread->data),
                (const char*)ct_field_array(f, reference), (const char*)ct_field_array(f, moved),
                f->type, f->element, (long)(ct_field_bytes(f, m, reference) / f->element));
  }
  for (int k = 0; k < 2; k++) {
    widen_number(spread->data->energy + k, (double)reference->energy[k], (double)moved->energy[k]);
  }
  widen_arena(m, spread, reference, moved);
}
