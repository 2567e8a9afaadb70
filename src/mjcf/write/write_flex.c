// Flexes that are written, as `flex` elements whatever made them.

#include <string.h>

#include "mjcf/write/write.h"
#include "spec/flex_material.h"
#include "spec/kinds.h"

static void put_names(ct_Writer* w, ct_Tag* tag, const char* name, const mjStringVec* field) {
  const ct_Vector* names = ct_vec(field);
  size_t count = ct_vector_count(names, sizeof(ct_String)), room = 1;
  for (size_t i = 0; i < count; i++) room += ct_string_length(ct_strings_at(names, i)) + 1;
  char* text = (char*)ct_pool_alloc(&w->pool, room);
  char* end = text;
  for (size_t i = 0; i < count; i++) {
    const ct_String* s = ct_strings_at(names, i);
    if (i) *end++ = ' ';
    memcpy(end, ct_string_get(s), ct_string_length(s));
    end += ct_string_length(s);
  }
  if (*text) ct_put(w, tag, name, text);
}

// Indices as they were compiled; as they are in the spec if it was not.
static void put_indices(ct_Writer* w, ct_Tag* tag, const char* name, const ct_Element* e, int k,
                        const mjIntVec* live) {
  int count;
  const int* index = ct_ints(live, &count);
  const ct_Numbers* compiled = e->compiled ? &e->compiled->vector[k] : NULL;
  if (compiled && compiled->number) {
    int* copy = (int*)ct_pool_array(&w->pool, (size_t)compiled->count + 1, sizeof(int));
    count = compiled->count;
    for (int i = 0; i < count; i++) copy[i] = (int)compiled->number[i];
    index = copy;
  }
  ct_put_int_list(w, tag, name, index, count);
}

static void write_lists(ct_Writer* w, ct_Tag* tag, const ct_Element* e, const mjsFlex* v) {
  int count;
  put_names(w, tag, "body", v->vertbody);
  const double* number = ct_doubles(v->vert, &count);
  ct_put_real_list(w, tag, "vertex", number, count);
  put_indices(w, tag, "element", e, 0, v->elem);
  const float* texcoord = ct_floats(v->texcoord, &count);
  ct_put_float_list(w, tag, "texcoord", texcoord, count);
  put_indices(w, tag, "elemtexcoord", e, 1, v->elemtexcoord);
  put_names(w, tag, "node", v->nodebody);
  if (!w->keep_all) return;
  number = ct_doubles(v->node, &count);
  ct_put_real_list(w, tag, "nodepos", number, count);
  ct_put_word_unless(w, tag, "passive", "truth", v->passive, 0);
}

static void put_nums(ct_Writer* w, ct_Tag* tag, const char* name, const mjtNum* value, int count,
                     const mjtNum* otherwise) {
  double number[mjNIMP], other[mjNIMP];
  for (int i = 0; i < count; i++) {
    number[i] = (double)value[i];
    other[i] = (double)otherwise[i];
  }
  ct_put_reals(w, tag, name, number, count, other);
}

static void write_contact(ct_Writer* w, ct_Tag* around, const mjsFlex* v, const mjsFlex* d) {
  ct_Tag* tag = ct_tag(w, around, "contact");
  ct_put_int_unless(w, tag, "contype", v->contype, d->contype);
  ct_put_int_unless(w, tag, "conaffinity", v->conaffinity, d->conaffinity);
  ct_put_int_unless(w, tag, "condim", v->condim, d->condim);
  ct_put_int_unless(w, tag, "priority", v->priority, d->priority);
  ct_put_reals(w, tag, "friction", v->friction, 3, d->friction);
  ct_put_reals(w, tag, "solmix", &v->solmix, 1, &d->solmix);
  put_nums(w, tag, "solref", v->solref, mjNREF, d->solref);
  put_nums(w, tag, "solimp", v->solimp, mjNIMP, d->solimp);
  ct_put_reals(w, tag, "margin", &v->margin, 1, &d->margin);
  ct_put_reals(w, tag, "gap", &v->gap, 1, &d->gap);
  ct_put_word_unless(w, tag, "internal", "truth", v->internal, d->internal);
  ct_put_word_unless(w, tag, "selfcollide", "selfcollide", v->selfcollide, d->selfcollide);
  ct_put_int_unless(w, tag, "activelayers", v->activelayers, d->activelayers);
  ct_drop_if_empty(tag);
}

// Of the ways of elasticity in two dimensions only bending is written, as in the reference; and
// what the reference does not know.
static void write_material(ct_Writer* w, ct_Tag* around, const mjsFlex* v, const mjsFlex* d) {
  ct_Tag* tag = ct_tag(w, around, "elasticity");
  ct_put_reals(w, tag, "young", &v->young, 1, &d->young);
  ct_put_reals(w, tag, "poisson", &v->poisson, 1, &d->poisson);
  ct_put_reals(w, tag, "thickness", &v->thickness, 1, &d->thickness);
  ct_put_reals(w, tag, "damping", &v->damping, 1, &d->damping);
  bool by_angle = ct_flex_bends_by_angle(v);
  if (v->elastic2d == CT_ELASTIC_BENDS || by_angle || w->keep_all) {
    int known = v->elastic2d & (CT_ELASTIC_BENDS | CT_ELASTIC_STRETCHES);
    ct_put_word_unless(w, tag, "elastic2d", "elastic2d", known, d->elastic2d);
  }
  if (by_angle) ct_put(w, tag, "bending", "dihedral");
  tag = ct_tag(w, around, "edge");
  ct_put_reals(w, tag, "stiffness", &v->edgestiffness, 1, &d->edgestiffness);
  ct_put_reals(w, tag, "damping", &v->edgedamping, 1, &d->edgedamping);
  ct_drop_if_empty(tag);
}

void ct_write_flex(ct_Writer* w, ct_Tag* section, const ct_Element* e) {
  const mjsFlex *v = CT_COMPILED(mjsFlex, e), *d = &ct_initial_flex;
  ct_Tag* tag = ct_tag(w, section, "flex");
  if (!ct_string_empty(&e->name)) ct_put(w, tag, "name", ct_name(e));
  ct_put_reals(w, tag, "radius", &v->radius, 1, &d->radius);
  ct_put_text(w, tag, "material", v->material);
  ct_put_floats(w, tag, "rgba", v->rgba, 4, d->rgba);
  ct_put_word_unless(w, tag, "flatskin", "truth", v->flatskin, d->flatskin);
  ct_put_int_unless(w, tag, "dim", v->dim, d->dim);
  ct_put_int_unless(w, tag, "group", v->group, d->group);
  write_lists(w, tag, e, v);
  write_contact(w, tag, v, d);
  write_material(w, tag, v, d);
}
