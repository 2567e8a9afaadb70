// What a compilation does to the spec before it looks closer: refuse the hopeless, complete folders
// and names, count user numbers.

#include <string.h>

#include "base/resource/path.h"
#include "compile/compile.h"
#include "spec/keys.h"

enum {
  MAX_BODIES = 65534,  // with flexes; body ids are packed in pairs of 16 bits
  MAX_DEPTH = 1024,    // of bodies inside bodies, the world being at 0
};

// Names the first body that is too many.
static void check_number(ct_Compiler* c) {
  int most = MAX_BODIES - 1 - ct_count(c->spec, mjOBJ_FLEX);
  int number = 1;
  for (const ct_Body* b = c->spec->world; b; b = ct_next_body(b), number++) {
    if (number > most) {
      ct_fail(c, &b->element, "there are %d bodies, with flexes at most %d are possible",
              ct_count(c->spec, mjOBJ_BODY), MAX_BODIES - 1);
    }
  }
}

static void check_depth(ct_Compiler* c) {
  int depth = 0;
  for (const ct_Body *b = c->spec->world, *next; b; b = next) {
    next = ct_next_body(b);
    if (!next) break;
    for (const ct_Element* e = &b->element; e != next->element.body; e = e->body) depth--;
    if (++depth >= MAX_DEPTH) {
      ct_fail(c, &next->element, "bodies are nested %d deep, at most %d levels are possible", depth,
              MAX_DEPTH - 1);
    }
  }
}

// Bodies that were to be deleted, but that keys kept in the spec. This is said once.
static void check_undeletable(ct_Compiler* c) {
  if (!c->spec->undeletable) return;
  c->spec->undeletable = false;
  const ct_Element* kept = NULL;
  for (ct_Body* b = c->spec->world; b; b = ct_next_body(b)) {
    if (b->element.undeletable && !kept) kept = &b->element;
    b->element.undeletable = false;
  }
  if (!kept) return;
  ct_fail(c, kept,
          "it was to be deleted, but keys have other sizes than the model; mend them, delete "
          "again and look at what mjs_delete returns");
}

void ct_refuse_spec(ct_Compiler* c) {
  const ct_Spec* spec = c->spec;
  check_undeletable(c);
  if (spec->attached) {
    ct_fail(c, NULL, "the spec is part of another one by reference: compile that one");
  }
  if (spec->world->child[CT_CHILD_JOINT].count > 0) {
    ct_fail(c, spec->world->child[CT_CHILD_JOINT].item[0], "the world cannot have joints");
  }
  check_number(c);
  check_depth(c);
}

// Folders and names

static void close_folder(ct_Compiler* c, mjString* folder) {
  ct_String* s = ct_str(folder);
  size_t length = ct_string_length(s);
  if (length == 0 || ct_string_get(s)[length - 1] == '/') return;
  char* text = ct_pool_text_n(&c->pool, ct_string_get(s), length + 1);
  text[length] = '/';
  ct_string_set(s, text);
}

void ct_complete_folders(ct_Compiler* c) {
  close_folder(c, c->spec->spec.compiler.meshdir);
  close_folder(c, c->spec->spec.compiler.texturedir);
}

// An element without a name gets that of its file, without folders and ending.
static void name_after_file(ct_Compiler* c, ct_Element* e, const mjString* file) {
  if (!ct_string_empty(&e->name)) return;
  char* name = ct_pool_text(&c->pool, ct_path_base(ct_text(file)));
  char* dot = strrchr(name, '.');
  if (dot) *dot = 0;
  if (name[0]) ct_set_name(e, name);
}

static const mjString* file_of(const ct_Element* e) {
  switch (ct_type(e)) {
    case mjOBJ_MESH:
      return CT_VALUES(mjsMesh, e)->file;
    case mjOBJ_SKIN:
      return CT_VALUES(mjsSkin, e)->file;
    case mjOBJ_HFIELD:
      return CT_VALUES(mjsHField, e)->file;
    default:
      return CT_VALUES(mjsTexture, e)->file;
  }
}

static void refuse_nameless(ct_Compiler* c, const ct_Element* e) {
  if (ct_type(e) == mjOBJ_MATERIAL) ct_fail(c, e, "a name is needed");
  const char* file = ct_text(file_of(e));
  if (*file) ct_fail(c, e, "the file \"%.200s\" gives it no name: a name is needed", file);
  ct_fail(c, e, "a name or a file is needed");
}

void ct_name_assets(ct_Compiler* c) {
  static const mjtObj with_file[] = {mjOBJ_MESH, mjOBJ_SKIN, mjOBJ_HFIELD, mjOBJ_TEXTURE};
  for (int k = 0; k < 4; k++) {
    const ct_List* list = &c->spec->list[with_file[k]];
    for (int i = 0; i < list->count; i++) {
      name_after_file(c, list->item[i], file_of(list->item[i]));
    }
  }

  static const mjtObj with_name[] = {mjOBJ_MESH, mjOBJ_HFIELD, mjOBJ_MATERIAL, mjOBJ_TEXTURE};
  for (int k = 0; k < 4; k++) {
    const ct_List* list = &c->spec->list[with_name[k]];
    for (int i = 0; i < list->count; i++) {
      const ct_Element* e = list->item[i];
      bool skybox =
          with_name[k] == mjOBJ_TEXTURE && CT_VALUES(mjsTexture, e)->type == mjTEXTURE_SKYBOX;
      if (ct_string_empty(&e->name) && !skybox) refuse_nameless(c, e);
    }
  }
}

// Keyframes

// More keyframes than this take gigabytes even if they are empty.
#define MOST_KEYS 1000000

void ct_append_keys(ct_Compiler* c) {
  ct_Spec* spec = c->spec;
  if (spec->spec.nkey > MOST_KEYS)
    ct_fail_setting(c, CT_SETTING_NKEY, "nkey is %d, more than the %d that are possible",
                    spec->spec.nkey, MOST_KEYS);
  while (spec->list[mjOBJ_KEY].count < spec->spec.nkey) {
    ct_list_append(&spec->list[mjOBJ_KEY], ct_element_make(spec, mjOBJ_KEY, NULL));
  }
}

void ct_pad_keys(ct_Compiler* c) {
  ct_keys_pad(c->spec);
}

void ct_create_pending_keys(ct_Compiler* c) {
  ct_pending_make(c->spec);
}

// User numbers

// The given size, or the length of the longest list among objects of the type.
static int user_size(const ct_Compiler* c, mjtObj type, size_t field, int given) {
  if (given >= 0) return given;
  int longest = 0;
  const ct_WorkList* list = &c->list[type];
  for (int i = 0; i < list->count; i++) {
    mjDoubleVec* const* user = (mjDoubleVec* const*)((char*)list->item[i]->element->values + field);
    int count;
    ct_doubles(*user, &count);
    if (count > longest) longest = count;
  }
  return longest;
}

void ct_count_user_numbers(ct_Compiler* c) {
  const mjSpec* s = &c->spec->spec;
#define USER_SIZE(member_, type_, struct_) \
  c->member_ = user_size(c, type_, offsetof(struct_, userdata), s->member_)
  USER_SIZE(nuser_body, mjOBJ_BODY, mjsBody);
  USER_SIZE(nuser_jnt, mjOBJ_JOINT, mjsJoint);
  USER_SIZE(nuser_geom, mjOBJ_GEOM, mjsGeom);
  USER_SIZE(nuser_site, mjOBJ_SITE, mjsSite);
  USER_SIZE(nuser_cam, mjOBJ_CAMERA, mjsCamera);
  USER_SIZE(nuser_tendon, mjOBJ_TENDON, mjsTendon);
  USER_SIZE(nuser_actuator, mjOBJ_ACTUATOR, mjsActuator);
  USER_SIZE(nuser_sensor, mjOBJ_SENSOR, mjsSensor);
#undef USER_SIZE
}
