// A spec as MJCF: the order of the sections, and what cannot be written.

#include "mjcf/write/write.h"

#include <stdio.h>
#include <string.h>

#include "mjcf/write/save.h"

// Digits of numbers, for the calling thread; tests set more.
static _Thread_local int digits = 6;

int _mjPRIVATE__get_xml_precision(void) {
  return digits;
}

void _mjPRIVATE__set_xml_precision(int precision) {
  digits = precision;
}

// NULL, or a texture that only exists in memory.
static const ct_Element* buffer_texture(const ct_Spec* spec) {
  const ct_List* list = &spec->list[mjOBJ_TEXTURE];
  for (int i = 0; i < list->count; i++) {
    const mjsTexture* v = CT_VALUES(mjsTexture, list->item[i]);
    bool files = *ct_text(v->file) != 0;
    for (size_t k = 0; k < 6; k++) {
      files = files || !ct_string_empty(ct_strings_at(ct_vec(v->cubefiles), k));
    }
    if (v->builtin == mjBUILTIN_NONE && !files && v->gridsize[0] == 1 && v->gridsize[1] == 1)
      return list->item[i];
  }
  return NULL;
}

static bool refuse(const ct_Spec* spec, char* error, size_t size) {
  const ct_Element* texture = buffer_texture(spec);
  char name[300];
  error[0] = 0;
  if (!spec->compiled || !spec->compiled_whole) {
    snprintf(error, size, "only a compiled model can be written: call mj_compile first");
  } else if (spec->pending) {
    snprintf(error, size,
             "keyframes of attached or changed parts are not laid out yet: call mj_compile first");
  } else if (texture) {
    snprintf(error, size, "%s has neither file nor builtin: MJCF cannot hold its pixels",
             ct_describe(texture, name, sizeof(name)));
  }
  return error[0] != 0;
}

// Whether assets come from specs with folders of their own.
static bool has_foreign_files(const ct_Spec* spec) {
  static const mjtObj types[] = {mjOBJ_MESH, mjOBJ_TEXTURE, mjOBJ_HFIELD, mjOBJ_SKIN};
  for (size_t k = 0; k < sizeof(types) / sizeof(types[0]); k++) {
    const ct_List* list = &spec->list[types[k]];
    for (int i = 0; i < list->count; i++) {
      if (list->item[i]->settings != spec) return true;
    }
  }
  return false;
}

static void write_sections(ct_Writer* w, ct_Tag* root) {
  ct_put(w, root, "model", ct_text(w->spec->spec.modelname));
  const char* comment = ct_text(w->spec->spec.comment);
  if (*comment) ct_tag_comment(w, root, comment);
  ct_write_settings(w, root);
  ct_write_defaults(w, root);
  ct_write_extension(w, root);
  ct_write_custom(w, root);
  ct_write_assets(w, root);
  ct_write_worldbody(w, root);
  ct_write_contact(w, root);
  ct_write_deformable(w, root);
  ct_write_equality(w, root);
  ct_write_tendons(w, root);
  ct_write_actuators(w, root);
  ct_write_sensors(w, root);
  ct_write_keyframe(w, root);
}

char* ct_write_mjcf(const mjSpec* s, bool keep_all, size_t* length, char* error,
                    size_t error_size) {
  ct_Writer w = {.spec = ct_spec(s),
                 .whole = ct_spec(s)->compiled_whole,
                 .digits = digits,
                 .keep_all = keep_all,
                 .name_folders = keep_all && has_foreign_files(ct_spec(s))};
  if (refuse(w.spec, error, error_size)) return NULL;
  ct_Tag* root = ct_tag(&w, NULL, "mujoco");
  write_sections(&w, root);
  char* text = ct_print_tags(root, length);
  ct_pool_free(&w.pool);
  if (!text) snprintf(error, error_size, "out of memory: the text of the model is too long");
  return text;
}
