// Contact pairs and excluded bodies.
//
// Both are sorted by the ids of the two bodies, packed into one number, the signature. A pair that
// leaves numbers undefined (NaN, only a program can) takes them from its geoms, nearly as a contact
// without a pair would.

#include <math.h>
#include <stdlib.h>

#include "compile/compile.h"
#include "compile/work/put.h"

static int signature_of(const ct_WorkBody* first, const ct_WorkBody* second) {
  return (int)(((unsigned)first->head.id << 16) + (unsigned)second->head.id);
}

// Numbers from the geoms

// Weight of the first geom.
static double mix_of(const mjsGeom* a, const mjsGeom* b) {
  bool weighs_a = a->solmix >= CT_COMPILER_EPS, weighs_b = b->solmix >= CT_COMPILER_EPS;
  if (weighs_a && weighs_b) return a->solmix / (a->solmix + b->solmix);
  if (!weighs_a && !weighs_b) return 0.5;
  return weighs_a ? 1 : 0;
}

static void spread_friction(double friction[5], const double sliding_spinning_rolling[3]) {
  friction[0] = friction[1] = sliding_spinning_rolling[0];
  friction[2] = sliding_spinning_rolling[1];
  friction[3] = friction[4] = sliding_spinning_rolling[2];
}

// Geoms of equal rank: the larger friction, the smaller solref, the mean solimp.
static void fill_from_both(mjsPair* v, const mjsGeom* a, const mjsGeom* b) {
  if (isnan(v->friction[0])) {
    double larger[3];
    for (int i = 0; i < 3; i++) larger[i] = fmax(a->friction[i], b->friction[i]);
    spread_friction(v->friction, larger);
  }
  if (isnan(v->solref[0])) {
    for (int i = 0; i < mjNREF; i++) {
      v->solref[i] = a->solref[i] < b->solref[i] ? a->solref[i] : b->solref[i];
    }
  }
  if (isnan(v->solimp[0])) {
    mjtNum mix = (mjtNum)mix_of(a, b);
    for (int i = 0; i < mjNIMP; i++) v->solimp[i] = mix * a->solimp[i] + (1 - mix) * b->solimp[i];
  }
}

static void fill_from_one(mjsPair* v, const mjsGeom* geom) {
  if (isnan(v->friction[0])) spread_friction(v->friction, geom->friction);
  if (isnan(v->solref[0])) ct_put_nums(v->solref, geom->solref, mjNREF);
  if (isnan(v->solimp[0])) ct_put_nums(v->solimp, geom->solimp, mjNIMP);
}

static void fill_undefined(mjsPair* v, const mjsGeom* a, const mjsGeom* b) {
  if (isnan(v->margin)) v->margin = fmax(a->margin, b->margin);
  if (isnan(v->gap)) v->gap = fmax(a->gap, b->gap);
  if (a->priority == b->priority) {
    fill_from_both(v, a, b);
  } else {
    fill_from_one(v, a->priority > b->priority ? a : b);
  }
}

// Compiling

static ct_WorkGeom* find_geom(ct_Compiler* c, const ct_Element* e, const char* attribute,
                              const mjString* name) {
  ct_WorkGeom* geom = (ct_WorkGeom*)ct_lookup_or_fail(c, e, attribute, mjOBJ_GEOM, ct_text(name));
  geom->head.used = true;
  return geom;
}

static void compile_pair(ct_Compiler* c, ct_Work* work) {
  ct_WorkPair* pair = (ct_WorkPair*)work;
  const ct_Element* e = pair->head.element;
  ct_work_restart(&pair->head);
  mjsPair* v = &pair->v;
  if (v->condim != 1 && v->condim != 3 && v->condim != 4 && v->condim != 6) {
    ct_fail(c, e, "condim is %d, it must be 1, 3, 4 or 6", v->condim);
  }
  pair->geom1 = find_geom(c, e, "geom1", v->geomname1);
  pair->geom2 = find_geom(c, e, "geom2", v->geomname2);
  if (pair->geom1->body->head.id > pair->geom2->body->head.id) {
    ct_WorkGeom* swap = pair->geom1;
    pair->geom1 = pair->geom2;
    pair->geom2 = swap;
  }
  pair->signature = signature_of(pair->geom1->body, pair->geom2->body);
  fill_undefined(v, &pair->geom1->v, &pair->geom2->v);
}

void ct_compile_pairs(ct_Compiler* c) {
  ct_each(c, &c->list[mjOBJ_PAIR], compile_pair);
}

static ct_WorkBody* find_body(ct_Compiler* c, const ct_Element* e, const char* attribute,
                              const mjString* name) {
  return (ct_WorkBody*)ct_lookup_or_fail(c, e, attribute, mjOBJ_BODY, ct_text(name));
}

static void compile_exclude(ct_Compiler* c, ct_Work* work) {
  ct_WorkExclude* exclude = (ct_WorkExclude*)work;
  const ct_Element* e = exclude->head.element;
  ct_WorkBody* one = find_body(c, e, "body1", exclude->v.bodyname1);
  ct_WorkBody* other = find_body(c, e, "body2", exclude->v.bodyname2);
  bool swap = one->head.id > other->head.id;
  exclude->body1 = swap ? other : one;
  exclude->body2 = swap ? one : other;
  exclude->signature = signature_of(exclude->body1, exclude->body2);
}

void ct_compile_excludes(ct_Compiler* c) {
  ct_each(c, &c->list[mjOBJ_EXCLUDE], compile_exclude);
}

// Sorting

typedef struct {
  int signature, id;
  ct_Work* work;
} SortKey;

static int compare_keys(const void* a, const void* b) {
  const SortKey *x = (const SortKey*)a, *y = (const SortKey*)b;
  if (x->signature != y->signature) return x->signature < y->signature ? -1 : 1;
  return (x->id > y->id) - (x->id < y->id);  // equal ones stay in order
}

static int work_signature(const ct_Work* w) {
  return ct_type(w->element) == mjOBJ_PAIR ? ((const ct_WorkPair*)w)->signature
                                           : ((const ct_WorkExclude*)w)->signature;
}

// The list of the spec takes the same order: ids of its elements are positions there.
static void sort_list(ct_Compiler* c, mjtObj type) {
  ct_WorkList* list = &c->list[type];
  ct_List* elements = &c->spec->list[type];
  if (list->count == 0) return;
  SortKey* key = (SortKey*)ct_pool_array(&c->pool, (size_t)list->count, sizeof(SortKey));
  for (int i = 0; i < list->count; i++) {
    key[i] = (SortKey){work_signature(list->item[i]), i, list->item[i]};
  }
  qsort(key, (size_t)list->count, sizeof(SortKey), compare_keys);
  for (int i = 0; i < list->count; i++) {
    list->item[i] = key[i].work;
    elements->item[i] = key[i].work->element;
  }
  ct_number_list(list);
  ct_list_number(elements);
}

void ct_sort_pairs(ct_Compiler* c) {
  sort_list(c, mjOBJ_PAIR);
  sort_list(c, mjOBJ_EXCLUDE);
}

// Copying

void ct_copy_pairs(ct_Compiler* c) {
  mjModel* m = c->model;
  for (int i = 0; i < m->npair; i++) {
    const ct_WorkPair* pair = CT_WORK(ct_WorkPair, c->list[mjOBJ_PAIR], i);
    const mjsPair* v = &pair->v;
    m->pair_dim[i] = v->condim;
    m->pair_geom1[i] = pair->geom1->head.id;
    m->pair_geom2[i] = pair->geom2->head.id;
    m->pair_signature[i] = pair->signature;
    ct_put_nums(m->pair_solref + mjNREF * i, v->solref, mjNREF);
    ct_put_nums(m->pair_solreffriction + mjNREF * i, v->solreffriction, mjNREF);
    ct_put_nums(m->pair_solimp + mjNIMP * i, v->solimp, mjNIMP);
    ct_put(m->pair_margin + i, &v->margin, 1);
    ct_put(m->pair_gap + i, &v->gap, 1);
    ct_put(m->pair_friction + 5 * i, v->friction, 5);
  }
  for (int i = 0; i < m->nexclude; i++) {
    m->exclude_signature[i] = CT_WORK(ct_WorkExclude, c->list[mjOBJ_EXCLUDE], i)->signature;
  }
}
