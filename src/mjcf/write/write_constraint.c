// Contact pairs and exclusions, equalities, tendons and skins that are written.

#include <math.h>
#include <string.h>

#include "mjcf/write/write.h"
#include "spec/kinds.h"

static ct_Tag* named(ct_Writer* w, ct_Tag* section, const char* element, const ct_Element* e) {
  ct_Tag* tag = ct_tag(w, section, element);
  if (!ct_string_empty(&e->name)) ct_put(w, tag, "name", ct_name(e));
  return tag;
}

// Contact

static void put_two(ct_Writer* w, ct_Tag* tag, const ct_Element* e, const char* first,
                    const mjString* one, const char* second, const mjString* other) {
  bool swapped = e->compiled && e->compiled->swapped;
  ct_put_text(w, tag, first, swapped ? other : one);
  ct_put_text(w, tag, second, swapped ? one : other);
}

void ct_write_contact(ct_Writer* w, ct_Tag* root) {
  ct_Tag* section = ct_tag(w, root, "contact");
  const ct_List *pairs = &w->spec->list[mjOBJ_PAIR], *excludes = &w->spec->list[mjOBJ_EXCLUDE];
  for (int i = 0; i < pairs->count; i++) {
    const ct_Element* e = pairs->item[i];
    const mjsPair* v = CT_COMPILED(mjsPair, e);
    ct_Tag* tag = ct_tag(w, section, "pair");
    ct_put_class(w, tag, e, NULL);
    put_two(w, tag, e, "geom1", CT_VALUES(mjsPair, e)->geomname1, "geom2",
            CT_VALUES(mjsPair, e)->geomname2);
    if (!ct_string_empty(&e->name)) ct_put(w, tag, "name", ct_name(e));
    ct_put_rows(w, tag, "pair", v, ct_class_values(w, e));
  }
  for (int i = 0; i < excludes->count; i++) {
    const ct_Element* e = excludes->item[i];
    const mjsExclude* v = CT_VALUES(mjsExclude, e);
    put_two(w, named(w, section, "exclude", e), e, "body1", v->bodyname1, "body2", v->bodyname2);
  }
  ct_drop_if_empty(section);
}

// Equality

static void put_sides(ct_Writer* w, ct_Tag* tag, const mjsEquality* v, const char* first,
                      const char* second) {
  ct_put_text(w, tag, first, v->name1);
  ct_put_text(w, tag, second, v->name2);
}

static void write_connect(ct_Writer* w, ct_Tag* tag, const mjsEquality* v) {
  if (v->objtype == mjOBJ_SITE) {
    put_sides(w, tag, v, "site1", "site2");
    return;
  }
  put_sides(w, tag, v, "body1", "body2");
  ct_put_reals(w, tag, "anchor", v->data, 3, NULL);
}

static void write_weld(ct_Writer* w, ct_Tag* tag, const mjsEquality* v) {
  if (v->objtype == mjOBJ_SITE) {
    put_sides(w, tag, v, "site1", "site2");
  } else {
    put_sides(w, tag, v, "body1", "body2");
    ct_put_reals(w, tag, "anchor", v->data, 3, NULL);
    ct_put_reals(w, tag, "relpose", v->data + 3, 7, NULL);
  }
  ct_put_reals(w, tag, "torquescale", v->data + 10, 1, NULL);
}

static const char* const equality_names[] = {"connect", "weld",     "joint",   "tendon",
                                             "flex",    "flexvert", "distance"};

static void write_equality(ct_Writer* w, ct_Tag* section, const ct_Element* e) {
  const mjsEquality* v = CT_COMPILED(mjsEquality, e);
  if ((size_t)v->type >= sizeof(equality_names) / sizeof(equality_names[0])) return;
  ct_Tag* tag = named(w, section, equality_names[v->type], e);
  ct_put_class(w, tag, e, NULL);
  switch (v->type) {
    case mjEQ_CONNECT:
      write_connect(w, tag, v);
      break;
    case mjEQ_WELD:
      write_weld(w, tag, v);
      break;
    case mjEQ_JOINT:
    case mjEQ_TENDON:
      if (v->type == mjEQ_JOINT) {
        put_sides(w, tag, v, "joint1", "joint2");
      } else {
        put_sides(w, tag, v, "tendon1", "tendon2");
      }
      ct_put_reals(w, tag, "polycoef", v->data, 5, NULL);
      break;
    case mjEQ_DISTANCE:
      put_sides(w, tag, v, "site1", "site2");
      ct_put_reals(w, tag, "distance", v->data, 1, NULL);
      break;
    default:
      ct_put_text(w, tag, "flex", v->name1);
      break;
  }
  ct_put_rows(w, tag, "equality", v, ct_class_values(w, e));
}

void ct_write_equality(ct_Writer* w, ct_Tag* root) {
  ct_Tag* section = ct_tag(w, root, "equality");
  const ct_List* list = &w->spec->list[mjOBJ_EQUALITY];
  for (int i = 0; i < list->count; i++) write_equality(w, section, list->item[i]);
  ct_drop_if_empty(section);
}

// Tendons

// One number if both ends are the same, here and in the class.
static void put_springlength(ct_Writer* w, ct_Tag* tag, const mjsTendon* v, const mjsTendon* d) {
  bool one = v->springlength[0] == v->springlength[1] && d->springlength[0] == d->springlength[1];
  ct_put_reals(w, tag, "springlength", v->springlength, one ? 1 : 2, d->springlength);
}

void ct_write_tendon(ct_Writer* w, ct_Tag* tag, const mjsTendon* v, const mjsTendon* d,
                     bool spatial) {
  ct_put_rows(w, tag, "tendon", v, d);
  put_springlength(w, tag, v, d);
  if (spatial) ct_put_rows(w, tag, "tendon_look", v, d);
}

static void write_part(ct_Writer* w, ct_Tag* around, const ct_Wrap* part) {
  const char* name = ct_name(&part->element);
  ct_Tag* tag;
  switch ((int)CT_VALUES(mjsWrap, &part->element)->type) {
    case mjWRAP_JOINT:
      tag = ct_tag(w, around, "joint");
      ct_put(w, tag, "joint", name);
      ct_put_reals(w, tag, "coef", &part->number, 1, NULL);
      break;
    case mjWRAP_SITE:
      ct_put(w, ct_tag(w, around, "site"), "site", name);
      break;
    case mjWRAP_SPHERE:
    case mjWRAP_CYLINDER:
      tag = ct_tag(w, around, "geom");
      ct_put(w, tag, "geom", name);
      if (!ct_string_empty(&part->side)) ct_put(w, tag, "sidesite", ct_string_get(&part->side));
      break;
    case mjWRAP_PULLEY:
      ct_put_reals(w, ct_tag(w, around, "pulley"), "divisor", &part->number, 1, NULL);
      break;
    default:
      break;
  }
}

void ct_write_tendons(ct_Writer* w, ct_Tag* root) {
  ct_Tag* section = ct_tag(w, root, "tendon");
  const ct_List* list = &w->spec->list[mjOBJ_TENDON];
  for (int i = 0; i < list->count; i++) {
    const ct_Element* e = list->item[i];
    const ct_List* path = &((const ct_Tendon*)e)->path;
    if (!path->count) continue;
    bool fixed = CT_VALUES(mjsWrap, path->item[0])->type == mjWRAP_JOINT;
    const mjsTendon *v = CT_COMPILED(mjsTendon, e), *d = (const mjsTendon*)ct_class_values(w, e);
    ct_Tag* tag = named(w, section, fixed ? "fixed" : "spatial", e);
    ct_put_class(w, tag, e, NULL);
    ct_write_tendon(w, tag, v, d, !fixed);
    ct_put_element_user(w, tag, e, v->userdata, d->userdata, w->whole->nuser_tendon);
    for (int k = 0; k < path->count; k++) write_part(w, tag, (const ct_Wrap*)path->item[k]);
  }
  ct_drop_if_empty(section);
}

// Skins

// first: of the weights of the bone among those of the skin; moves on to the next bone.
static void write_bone(ct_Writer* w, ct_Tag* around, const ct_Element* e, int i, int* first) {
  const mjsSkin* v = CT_VALUES(mjsSkin, e);
  const ct_Numbers* compiled = e->compiled ? e->compiled->vector : NULL;
  bool normal = !w->keep_all && compiled && compiled[0].number && compiled[1].number;
  ct_Tag* tag = ct_tag(w, around, "bone");
  ct_put(w, tag, "body", ct_string_get(ct_strings_at(ct_vec(v->bodyname), (size_t)i)));
  int n;
  ct_put_floats(w, tag, "bindpos", ct_floats(v->bindpos, &n) + 3 * i, 3, NULL);
  if (normal && 4 * i + 4 <= compiled[0].count) {
    ct_put_reals(w, tag, "bindquat", compiled[0].number + 4 * i, 4, NULL);
  } else {
    ct_put_floats(w, tag, "bindquat", ct_floats(v->bindquat, &n) + 4 * i, 4, NULL);
  }
  const int* id = ct_ints(ct_vectors_at(ct_vec(v->vertid), (size_t)i), &n);
  ct_put_int_list(w, tag, "vertid", id, n);
  const float* weight = ct_floats(ct_vectors_at(ct_vec(v->vertweight), (size_t)i), &n);
  if (normal && *first + n <= compiled[1].count) {
    ct_put_real_list(w, tag, "vertweight", compiled[1].number + *first, n);
  } else {
    ct_put_float_list(w, tag, "vertweight", weight, n);
  }
  *first += n;
}

static void write_skin(ct_Writer* w, ct_Tag* section, const ct_Element* e) {
  const mjsSkin* v = CT_COMPILED(mjsSkin, e);
  ct_Tag* tag = named(w, section, "skin", e);
  int count;
  ct_put_file(w, tag, "file", e, ct_text(v->file), ct_text(ct_settings(e)->meshdir));
  ct_put_text(w, tag, "material", v->material);
  ct_put_int_unless(w, tag, "group", v->group, ct_initial_skin.group);
  ct_put_floats(w, tag, "rgba", v->rgba, 4, ct_initial_skin.rgba);
  ct_put_floats(w, tag, "inflate", &v->inflate, 1, &ct_initial_skin.inflate);
  if (*ct_text(v->file)) return;
  const float* number = ct_floats(v->vert, &count);
  ct_put_float_list(w, tag, "vertex", number, count);
  number = ct_floats(v->texcoord, &count);
  ct_put_float_list(w, tag, "texcoord", number, count);
  const int* face = ct_ints(v->face, &count);
  ct_put_int_list(w, tag, "face", face, count);
  int nbone = (int)ct_vector_count(ct_vec(v->bodyname), sizeof(ct_String));
  for (int i = 0, first = 0; i < nbone; i++) write_bone(w, tag, e, i, &first);
}

void ct_write_deformable(ct_Writer* w, ct_Tag* root) {
  ct_Tag* section = ct_tag(w, root, "deformable");
  const ct_List *flexes = &w->spec->list[mjOBJ_FLEX], *skins = &w->spec->list[mjOBJ_SKIN];
  for (int i = 0; i < flexes->count; i++) ct_write_flex(w, section, flexes->item[i]);
  for (int i = 0; i < skins->count; i++) write_skin(w, section, skins->item[i]);
  ct_drop_if_empty(section);
}
