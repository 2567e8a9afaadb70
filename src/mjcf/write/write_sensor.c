// Sensors that are written.

#include <string.h>

#include <corten/mjcf.h>

#include "mjcf/write/write.h"
#include "spec/kinds.h"

static void put_object(ct_Writer* w, ct_Tag* tag, const mjsSensor* v) {
  const char* word = mju_type2Str(v->objtype);
  if (word) ct_put(w, tag, "objtype", word);
  ct_put_text(w, tag, "objname", v->objname);
}

static void put_reference(ct_Writer* w, ct_Tag* tag, const mjsSensor* v) {
  if (v->reftype == mjOBJ_UNKNOWN) return;
  const char* word = mju_type2Str(v->reftype);
  if (word) ct_put(w, tag, "reftype", word);
  ct_put_text(w, tag, "refname", v->refname);
}

static void put_frame(ct_Writer* w, ct_Tag* tag, const mjsSensor* v) {
  put_object(w, tag, v);
  put_reference(w, tag, v);
}

// Two objects, by names that tell what they are.
static void put_between(ct_Writer* w, ct_Tag* tag, const mjsSensor* v) {
  ct_put_text(w, tag, v->objtype == mjOBJ_GEOM ? "geom1" : "body1", v->objname);
  ct_put_text(w, tag, v->reftype == mjOBJ_GEOM ? "geom2" : "body2", v->refname);
}

static void put_contact(ct_Writer* w, ct_Tag* tag, const mjsSensor* v) {
  static const struct {
    mjtObj type;
    const char *first, *second;
  } sides[] = {{mjOBJ_BODY, "body1", "body2"},
               {mjOBJ_XBODY, "subtree1", "subtree2"},
               {mjOBJ_GEOM, "geom1", "geom2"},
               {mjOBJ_SITE, "site", NULL}};
  for (size_t i = 0; i < sizeof(sides) / sizeof(sides[0]); i++) {
    if (v->objtype == sides[i].type) ct_put_text(w, tag, sides[i].first, v->objname);
  }
  for (size_t i = 0; i < sizeof(sides) / sizeof(sides[0]); i++) {
    if (v->reftype == sides[i].type && sides[i].second)
      ct_put_text(w, tag, sides[i].second, v->refname);
  }
  ct_put_int_unless(w, tag, "num", v->intprm[2], 1);
  if (v->intprm[0] != 1) ct_put_words(w, tag, "data", "contactdata", (unsigned)v->intprm[0]);
  ct_put_word_unless(w, tag, "reduce", "reduce", v->intprm[1], 0);
}

static void put_ray(ct_Writer* w, ct_Tag* tag, const mjsSensor* v) {
  ct_put_text(w, tag, v->objtype == mjOBJ_CAMERA ? "camera" : "site", v->objname);
  if (v->intprm[0] != 1) ct_put_words(w, tag, "data", "raydata", (unsigned)v->intprm[0]);
}

static void put_user_sensor(ct_Writer* w, ct_Tag* tag, const mjsSensor* v) {
  if (v->objtype != mjOBJ_UNKNOWN) put_object(w, tag, v);
  ct_put_int(w, tag, "dim", v->dim);
  ct_put_word(w, tag, "needstage", "stage", (int)v->needstage);
  ct_put_word(w, tag, "datatype", "datatype", (int)v->datatype);
}

static void put_plugin_sensor(ct_Writer* w, ct_Tag* tag, const mjsSensor* v) {
  if (v->objtype != mjOBJ_UNKNOWN) put_object(w, tag, v);
  if (w->keep_all) put_reference(w, tag, v);
  ct_put_plugin(w, tag, &v->plugin);
}

// What a sensor is attached to.
static void put_attachment(ct_Writer* w, ct_Tag* tag, const mjsSensor* v) {
  switch ((int)v->type) {
    case mjSENS_RANGEFINDER:
      put_ray(w, tag, v);
      break;
    case mjSENS_CAMPROJECTION:
      ct_put_text(w, tag, "site", v->objname);
      ct_put_text(w, tag, "camera", v->refname);
      break;
    case mjSENS_INSIDESITE:
      put_object(w, tag, v);
      ct_put_text(w, tag, "site", v->refname);
      break;
    case mjSENS_GEOMDIST:
    case mjSENS_GEOMNORMAL:
    case mjSENS_GEOMFROMTO:
      put_between(w, tag, v);
      break;
    case mjSENS_CONTACT:
      put_contact(w, tag, v);
      break;
    case mjSENS_TACTILE:
      ct_put_text(w, tag, "geom", v->refname);
      ct_put_text(w, tag, "mesh", v->objname);
      break;
    case mjSENS_USER:
      put_user_sensor(w, tag, v);
      break;
    case mjSENS_PLUGIN:
      put_plugin_sensor(w, tag, v);
      break;
    default:
      if (v->type >= mjSENS_FRAMEPOS && v->type <= mjSENS_FRAMEANGACC) {
        put_frame(w, tag, v);
      } else if (v->objtype != mjOBJ_UNKNOWN) {
        ct_put_text(w, tag, mju_type2Str(v->objtype), v->objname);
      }
      break;
  }
}

// Energies have names by which they cannot be read again, as in the reference.
static const char* element_of(const ct_Writer* w, mjtSensor type) {
  if (w->keep_all) return ct_sensor_element((int)type);
  if (type == mjSENS_E_POTENTIAL) return "potential";
  if (type == mjSENS_E_KINETIC) return "kinetic";
  return ct_sensor_element((int)type);
}

void ct_write_sensors(ct_Writer* w, ct_Tag* root) {
  ct_Tag* section = ct_tag(w, root, "sensor");
  const ct_List* list = &w->spec->list[mjOBJ_SENSOR];
  for (int i = 0; i < list->count; i++) {
    const ct_Element* e = list->item[i];
    mjsSensor v = *CT_COMPILED(mjsSensor, e);
    const char* element = element_of(w, v.type);
    if (!element) continue;
    ct_Tag* tag = ct_tag(w, section, element);
    put_attachment(w, tag, &v);
    if (!ct_string_empty(&e->name)) ct_put(w, tag, "name", ct_name(e));
    if (v.type == mjSENS_PLUGIN) v.noise = 0;
    ct_put_rows(w, tag, "sensor", &v, &ct_initial_sensor);
    ct_put_element_user(w, tag, e, v.userdata, NULL, w->whole->nuser_sensor);
  }
  ct_drop_if_empty(section);
}
