// Extension, custom fields and keyframes that are written.

#include <stdio.h>
#include <string.h>

#include "mjcf/write/write.h"

// Plugins

static void write_config(ct_Writer* w, ct_Tag* tag, const ct_Plugin* instance) {
  const char* name = ct_text(CT_VALUES(mjsPlugin, &instance->element)->plugin_name);
  const mjpPlugin* plugin = mjp_getPlugin(name, NULL);
  for (int i = 0; plugin && i < plugin->nattribute; i++) {
    const char* value = ct_map_get(&instance->attributes, plugin->attributes[i]);
    if (!value || !*value) continue;
    ct_Tag* config = ct_tag(w, tag, "config");
    ct_put(w, config, "key", plugin->attributes[i]);
    ct_put(w, config, "value", value);
  }
}

void ct_put_plugin(ct_Writer* w, ct_Tag* tag, const mjsPlugin* plugin) {
  const char* instance = ct_text(plugin->name);
  const ct_Element* e = *instance         ? ct_find(w->spec, mjOBJ_PLUGIN, instance)
                        : plugin->element ? ct_element(plugin->element)
                                          : NULL;
  if (e && !ct_string_empty(&e->name)) {
    ct_put(w, tag, "instance", ct_name(e));
    return;
  }
  ct_put_text(w, tag, "plugin", plugin->plugin_name);
  if (e) write_config(w, tag, (const ct_Plugin*)e);
}

static bool is_mentioned(const ct_Tag* section, const char* name) {
  for (const ct_Tag* tag = section->first; tag; tag = tag->next) {
    if (!strcmp(tag->first_value->value, name)) return true;
  }
  return false;
}

void ct_write_extension(ct_Writer* w, ct_Tag* root) {
  if (!w->spec->nplugin) return;
  ct_Tag* section = ct_tag(w, root, "extension");
  const ct_List* list = &w->spec->list[mjOBJ_PLUGIN];
  ct_Tag* plugin = NULL;
  for (int i = 0; i < list->count; i++) {
    if (ct_string_empty(&list->item[i]->name)) {
      if (w->keep_all) continue;
      break;  // those after it are forgotten, as in the reference
    }
    const ct_Plugin* instance = (const ct_Plugin*)list->item[i];
    const char* name = ct_text(CT_VALUES(mjsPlugin, list->item[i])->plugin_name);
    if (!plugin || strcmp(plugin->first_value->value, name)) {
      plugin = ct_tag(w, section, "plugin");
      ct_put(w, plugin, "plugin", name);
    }
    ct_Tag* tag = ct_tag(w, plugin, "instance");
    ct_put(w, tag, "name", ct_name(list->item[i]));
    write_config(w, tag, instance);
  }
  for (int i = 0; i < w->spec->nplugin; i++) {
    if (!is_mentioned(section, w->spec->plugin[i]))
      ct_put(w, ct_tag(w, section, "plugin"), "plugin", w->spec->plugin[i]);
  }
}

// Custom

static void write_numeric(ct_Writer* w, ct_Tag* section, const ct_Element* e) {
  const mjsNumeric* v = CT_VALUES(mjsNumeric, e);
  int count;
  const double* data = ct_compiled_vector(e, 0, v->data, &count);
  double* padded = (double*)ct_pool_array(&w->pool, (size_t)v->size + 1, sizeof(double));
  for (int i = 0; i < v->size && i < count; i++) padded[i] = data[i];
  ct_Tag* tag = ct_tag(w, section, "numeric");
  ct_put(w, tag, "name", ct_name(e));
  ct_put_int(w, tag, "size", v->size);
  ct_put_reals(w, tag, "data", padded, v->size, NULL);
}

static void write_tuple(ct_Writer* w, ct_Tag* section, const ct_Element* e) {
  static const double zero = 0;
  const mjsTuple* v = CT_VALUES(mjsTuple, e);
  int ntype, nprm;
  const int* type = ct_ints(v->objtype, &ntype);
  const double* prm = ct_compiled_vector(e, 0, v->objprm, &nprm);
  const ct_Vector* names = ct_vec(v->objname);
  int nname = (int)ct_vector_count(names, sizeof(ct_String));
  ct_Tag* tag = ct_tag(w, section, "tuple");
  ct_put(w, tag, "name", ct_name(e));
  for (int i = 0; i < ntype && i < nname; i++) {
    ct_Tag* member = ct_tag(w, tag, "element");
    const char* word = mju_type2Str(type[i]);
    if (word) ct_put(w, member, "objtype", word);
    ct_put(w, member, "objname", ct_string_get(ct_strings_at(names, (size_t)i)));
    if (i < nprm) ct_put_reals(w, member, "prm", &prm[i], 1, &zero);
  }
}

void ct_write_custom(ct_Writer* w, ct_Tag* root) {
  ct_Tag* section = ct_tag(w, root, "custom");
  const ct_List* list = w->spec->list;
  for (int i = 0; i < list[mjOBJ_NUMERIC].count; i++)
    write_numeric(w, section, list[mjOBJ_NUMERIC].item[i]);
  for (int i = 0; i < list[mjOBJ_TEXT].count; i++) {
    const ct_Element* e = list[mjOBJ_TEXT].item[i];
    ct_Tag* tag = ct_tag(w, section, "text");
    ct_put(w, tag, "name", ct_name(e));
    ct_put(w, tag, "data", ct_text(CT_VALUES(mjsText, e)->data));
  }
  for (int i = 0; i < list[mjOBJ_TUPLE].count; i++)
    write_tuple(w, section, list[mjOBJ_TUPLE].item[i]);
  ct_drop_if_empty(section);
}

// Keyframes

// Numbers if any of them is not the default; NULL: 0.
static void put_state(ct_Writer* w, ct_Tag* tag, const char* name, const ct_Element* e, int k,
                      const mjDoubleVec* vector, const double* otherwise, int nother) {
  int count;
  const double* number = ct_compiled_vector(e, k, vector, &count);
  bool differs = false;
  for (int i = 0; i < count; i++) {
    double other = otherwise && i < nother ? otherwise[i] : 0;
    differs = differs || number[i] != other;
  }
  if (differs) ct_put_reals(w, tag, name, number, count, NULL);
}

static void write_key(ct_Writer* w, ct_Tag* section, const ct_Element* e, const double* mocap_pos,
                      const double* mocap_quat, int nmocap) {
  const mjsKey* v = CT_COMPILED(mjsKey, e);
  ct_Tag* tag = ct_tag(w, section, "key");
  if (!ct_string_empty(&e->name)) ct_put(w, tag, "name", ct_name(e));
  if (v->time != 0) ct_put_reals(w, tag, "time", &v->time, 1, NULL);
  put_state(w, tag, "qpos", e, 0, v->qpos, w->whole->qpos0, w->whole->nq);
  put_state(w, tag, "qvel", e, 1, v->qvel, NULL, 0);
  put_state(w, tag, "act", e, 2, v->act, NULL, 0);
  put_state(w, tag, "mpos", e, 3, v->mpos, mocap_pos, 3 * nmocap);
  put_state(w, tag, "mquat", e, 4, v->mquat, mocap_quat, 4 * nmocap);
  put_state(w, tag, "ctrl", e, 5, v->ctrl, NULL, 0);
  if (!w->keep_all) ct_drop_if_empty(tag);
}

void ct_write_keyframe(ct_Writer* w, ct_Tag* root) {
  const ct_List* keys = &w->spec->list[mjOBJ_KEY];
  ct_Tag* section = ct_tag(w, root, "keyframe");
  size_t nbody = (size_t)ct_count(w->spec, mjOBJ_BODY);
  double* pos = (double*)ct_pool_array(&w->pool, 3 * nbody, sizeof(double));
  double* quat = (double*)ct_pool_array(&w->pool, 4 * nbody, sizeof(double));
  int nmocap = 0;
  for (const ct_Body* b = w->spec->world; b; b = ct_next_body(b)) {
    const mjsBody* v = CT_COMPILED(mjsBody, &b->element);
    if (!v->mocap) continue;
    memcpy(pos + 3 * nmocap, v->pos, sizeof(v->pos));
    memcpy(quat + 4 * nmocap, v->quat, sizeof(v->quat));
    nmocap++;
  }
  for (int i = 0; i < keys->count; i++) write_key(w, section, keys->item[i], pos, quat, nmocap);
  ct_drop_if_empty(section);
}
