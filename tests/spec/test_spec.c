// R30.1 R40.3: the editable model: default values, lifetime, names, classes, signatures, small
// functions.

#include <math.h>
#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/model/fields.h"  // names of ours must not be the spec's
#include "math/vec.h"
#include "spec/copy.h"
#include "spec/keys.h"
#include "spec/pose.h"
#include "spec/spec.h"
#include "spec/user_values.h"
#include "support/recorded.h"

static mjsBody* world_of(mjSpec* spec) {
  return mjs_findBody(spec, "world");
}

static mjsBody* add_body(mjsBody* parent, const char* name) {
  mjsBody* body = mjs_addBody(parent, NULL);
  assert_int_equal(mjs_setName(body->element, name), 0);
  return body;
}

// Default values

// Compares a struct with the recorded non-zero words of the reference's.
static void expect_words(const char* name, const void* memory, size_t size) {
  Recorded* r = recorded_open("spec.rec");
  char path[64];
  size_t count, next = 0;
  snprintf(path, sizeof(path), "%s/index", name);
  const int* index = recorded_ints(r, path, &count);
  snprintf(path, sizeof(path), "%s/word", name);
  const int* word = recorded_ints(r, path, NULL);
  snprintf(path, sizeof(path), "%s/size", name);
  assert_int_equal(size, recorded_ints(r, path, NULL)[0]);
  for (size_t i = 0; i < size / 4; i++) {
    int32_t actual, expected = 0;
    memcpy(&actual, (const char*)memory + 4 * i, 4);
    if (next < count && (size_t)index[next] == i) expected = word[next++];
    if (actual != expected) {
      fail_msg("mjs_default%s: byte %zu: word %08x, expected %08x", name, 4 * i, (unsigned)actual,
               (unsigned)expected);
    }
  }
  assert_int_equal(next, count);
  recorded_close(r);
}

#define EXPECT_DEFAULT(struct_, name_)             \
  do {                                             \
    struct_ values;                                \
    memset(&values, 0xff, sizeof(values));         \
    mjs_default##name_(&values);                   \
    expect_words(#name_, &values, sizeof(values)); \
  } while (0)

static void default_functions_write_every_byte_as_the_reference_does(void** state) {
  (void)state;
  if (sizeof(mjtNum) != sizeof(double)) skip();  // the layout was recorded in double precision
  EXPECT_DEFAULT(mjSpec, Spec);
  EXPECT_DEFAULT(mjsOrientation, Orientation);
  EXPECT_DEFAULT(mjsBody, Body);
  EXPECT_DEFAULT(mjsFrame, Frame);
  EXPECT_DEFAULT(mjsJoint, Joint);
  EXPECT_DEFAULT(mjsGeom, Geom);
  EXPECT_DEFAULT(mjsSite, Site);
  EXPECT_DEFAULT(mjsCamera, Camera);
  EXPECT_DEFAULT(mjsLight, Light);
  EXPECT_DEFAULT(mjsFlex, Flex);
  EXPECT_DEFAULT(mjsMesh, Mesh);
  EXPECT_DEFAULT(mjsHField, HField);
  EXPECT_DEFAULT(mjsSkin, Skin);
  EXPECT_DEFAULT(mjsTexture, Texture);
  EXPECT_DEFAULT(mjsMaterial, Material);
  EXPECT_DEFAULT(mjsPair, Pair);
  EXPECT_DEFAULT(mjsEquality, Equality);
  EXPECT_DEFAULT(mjsTendon, Tendon);
  EXPECT_DEFAULT(mjsActuator, Actuator);
  EXPECT_DEFAULT(mjsSensor, Sensor);
  EXPECT_DEFAULT(mjsNumeric, Numeric);
  EXPECT_DEFAULT(mjsText, Text);
  EXPECT_DEFAULT(mjsTuple, Tuple);
  EXPECT_DEFAULT(mjsKey, Key);
  EXPECT_DEFAULT(mjsPlugin, Plugin);
}

// An element of every kind has the built-in values and pointers that lead somewhere.
static void new_elements_have_default_values_and_no_null_pointers(void** state) {
  (void)state;
  mjSpec* spec = mj_makeSpec();
  for (int type = 0; type <= mjOBJ_MODEL; type++) {
    const ct_Kind* kind = ct_kind((mjtObj)type);
    if (!kind || type == mjOBJ_MODEL) continue;
    ct_Element* e = ct_element_make(ct_spec(spec), kind->type, NULL);
    assert_int_equal(e->handle.elemtype, type);
    mjsElement* handle;
    memcpy(&handle, e->values, sizeof(handle));
    assert_ptr_equal(handle, &e->handle);
    char* copy = (char*)malloc(kind->size);
    assert_non_null(copy);
    memcpy(copy, e->values, kind->size);
    memset(copy, 0, sizeof(void*));
    for (int i = 0; i < kind->nfield; i++) {
      void* pointer;
      memcpy(&pointer, copy + kind->field[i].offset, sizeof(pointer));
      assert_non_null(pointer);
      memset(copy + kind->field[i].offset, 0, sizeof(void*));
    }
    if (kind->name_field) memset(copy + kind->name_field, 0, sizeof(void*));
    if (kind->class_field) memset(copy + kind->class_field, 0, sizeof(void*));
    if (type != mjOBJ_DEFAULT) assert_memory_equal(copy, kind->initial, kind->size);
    free(copy);
  }
  mj_deleteSpec(spec);
}

// Strings and vectors

// What a C++ program does through the pointers of the structs: replaces buffers by its own.
static void strings_and_vectors_may_be_replaced_from_outside(void** state) {
  (void)state;
  mjSpec* spec = mj_makeSpec();
  mjsGeom* geom = mjs_addGeom(world_of(spec), NULL);
  mjs_setString(geom->material, "a material with quite a long name");
  ct_String* material = (ct_String*)geom->material;
  free(material->full.text);
  material->full.room = 64 + 1;
  material->full.length = 40;
  material->full.text = (char*)malloc(64);
  memset(material->full.text, 'x', 40);
  material->full.text[40] = 0;

  ct_Vector* user = (ct_Vector*)geom->userdata;
  double* numbers = (double*)malloc(4 * sizeof(double));
  for (int i = 0; i < 3; i++) numbers[i] = i;
  user->begin = (char*)numbers;
  user->end = (char*)(numbers + 3);
  user->limit = (char*)(numbers + 4);

  mjSpec* copy = mj_copySpec(spec);
  mjsGeom* twin = mjs_asGeom(mjs_firstElement(copy, mjOBJ_GEOM));
  int n;
  assert_int_equal(strlen(mjs_getString(twin->material)), 40);
  assert_float_equal(mjs_getDouble(twin->userdata, &n)[2], 2, 0);
  assert_int_equal(n, 3);
  mjs_setString(geom->material, "short");
  assert_string_equal(mjs_getString(geom->material), "short");
  mj_deleteSpec(spec);
  assert_int_equal(mjs_getString(twin->material)[39], 'x');
  mj_deleteSpec(copy);
}

static void string_vectors_are_split_at_white_space(void** state) {
  (void)state;
  mjSpec* spec = mj_makeSpec();
  mjsTuple* tuple = mjs_addTuple(spec);
  mjs_setStringVec(tuple->objname, "  one two\tthree\n");
  const ct_Vector* names = ct_vec(tuple->objname);
  assert_int_equal(ct_vector_count(names, sizeof(ct_String)), 3);
  assert_string_equal(ct_string_get(ct_strings_at(names, 2)), "three");
  mjs_setStringVec(tuple->objname, "");
  assert_int_equal(ct_vector_count(names, sizeof(ct_String)), 0);
  mj_deleteSpec(spec);
}

// A name that a program writes to directly is found nevertheless.
static void names_written_without_notice_are_found(void** state) {
  (void)state;
  mjSpec* spec = mj_makeSpec();
  mjsBody* body = add_body(world_of(spec), "before");
  ct_string_set((ct_String*)mjs_getName(body->element), "after");
  assert_ptr_equal(mjs_findBody(spec, "after"), body);
  assert_null(mjs_findBody(spec, "before"));
  assert_int_equal(mjs_setName(mjs_addBody(body, NULL)->element, "after"), -1);
  mj_deleteSpec(spec);
}

// Ten thousand named bodies are made in time that grows with their number and not with its square.
static void many_names_are_no_burden(void** state) {
  (void)state;
  mjSpec* spec = mj_makeSpec();
  ct_spec(spec)->loading = true;  // as a reader does: one signature at the end
  enum { MANY = 20000 };
  char name[32];
  mjsBody* body = world_of(spec);
  for (int i = 0; i < MANY; i++) {
    snprintf(name, sizeof(name), "body%d", i);
    body = add_body(i % 100 ? body : world_of(spec), name);
  }
  for (int i = 0; i < MANY; i++) {
    snprintf(name, sizeof(name), "body%d", i);
    assert_non_null(mjs_findBody(spec, name));
  }
  assert_null(mjs_findBody(spec, "nobody"));
  ct_spec(spec)->loading = false;
  ct_spec_changed(ct_spec(spec), true);
  assert_int_equal(ct_count(ct_spec(spec), mjOBJ_BODY), MANY + 1);
  mj_deleteSpec(spec);
}

// Lifetime

// After attaching, specs may go in any order; what a program still holds stays readable.
static void specs_attached_to_each_other_go_in_any_order(void** state) {
  (void)state;
  for (int by_copy = 0; by_copy < 2; by_copy++) {
    for (int order = 0; order < 6; order++) {
      mjSpec *parent = mj_makeSpec(), *child = mj_makeSpec();
      mjs_setDeepCopy(parent, by_copy);
      mjsBody* body = add_body(world_of(child), "b");
      mjsGeom* geom = mjs_addGeom(body, NULL);
      mjsFrame* frame = mjs_addFrame(world_of(parent), NULL);
      mjsElement* result = mjs_attach(frame->element, body->element, "p_", "");
      assert_non_null(result);
      mjs_addSite(mjs_asBody(result), NULL);
      mjSpec* copy = mj_copySpec(parent);

      mjSpec* specs[3] = {parent, child, copy};
      int first = order / 2, second = (first + 1 + order % 2) % 3, last = 3 - first - second;
      mj_deleteSpec(specs[first]);
      if (first == 0 && !by_copy) {
        assert_ptr_equal(mjs_getSpec(body->element), child);
        assert_string_equal(mjs_getString(mjs_getName(body->element)), "p_b");
        assert_ptr_equal(mjs_getParent(geom->element), body);
        assert_null(mjs_firstChild(body, mjOBJ_SITE, 0));
      }
      mj_deleteSpec(specs[second]);
      mj_deleteSpec(specs[last]);
    }
  }
}

static void model_assets_go_with_the_spec_that_has_them(void** state) {
  (void)state;
  mjSpec *parent = mj_makeSpec(), *child = mj_makeSpec();
  mjs_setString(child->modelname, "asset");
  mjs_addSpec(parent, child);
  assert_ptr_equal(mjs_findSpec(parent, "asset"), child);
  assert_null(mjs_findSpec(parent, "other"));
  mjs_setDeepCopy(parent, 1);
  mjsFrame* frame = mjs_addFrame(world_of(parent), NULL);
  add_body(world_of(child), "b");
  assert_non_null(mjs_attach(frame->element, child->element, "1", ""));
  assert_non_null(mjs_attach(frame->element, child->element, "2", ""));
  assert_non_null(mjs_findBody(parent, "2b"));
  mj_deleteSpec(parent);
}

// Settings of the compiler are those of the spec that an element was defined in, also in copies.
static void attached_elements_keep_their_settings(void** state) {
  (void)state;
  for (int by_copy = 0; by_copy < 2; by_copy++) {
    mjSpec *parent = mj_makeSpec(), *child = mj_makeSpec();
    mjs_setDeepCopy(parent, by_copy);
    mjsBody* body = add_body(world_of(child), "b");
    mjsFrame* frame = mjs_addFrame(world_of(parent), NULL);
    mjsElement* result = mjs_attach(frame->element, body->element, "p_", "");
    child->compiler.degree = 0;
    assert_int_equal(ct_settings(ct_element(result))->degree, 0);
    assert_int_equal(ct_settings(ct_element(frame->element))->degree, 1);
    mjSpec* copy = mj_copySpec(parent);
    assert_int_equal(ct_settings(ct_element(mjs_findBody(copy, "p_b")->element))->degree, 0);
    mj_deleteSpec(child);
    mj_deleteSpec(parent);
    mj_deleteSpec(copy);
  }
}

static void a_failed_attachment_changes_nothing(void** state) {
  (void)state;
  mjSpec *parent = mj_makeSpec(), *child = mj_makeSpec();
  mjs_setDeepCopy(parent, 1);
  mjsFrame* frame = mjs_addFrame(world_of(parent), NULL);
  mjs_setName(mjs_addNumeric(parent)->element, "p_n");
  mjs_setName(mjs_addNumeric(child)->element, "n");
  mjs_setName(mjs_addText(child)->element, "t");
  mjs_addDefault(child, "c", NULL);
  mjsBody* body = add_body(world_of(child), "b");
  uint64_t signature = parent->element->signature;
  assert_null(mjs_attach(frame->element, body->element, "p_", ""));
  assert_non_null(strstr(mjs_getError(parent), "p_n"));
  assert_int_equal(parent->element->signature, signature);
  assert_int_equal(ct_count(ct_spec(parent), mjOBJ_BODY), 1);
  assert_int_equal(ct_count(ct_spec(parent), mjOBJ_TEXT), 0);
  assert_null(mjs_findDefault(parent, "p_c"));
  assert_non_null(mjs_attach(frame->element, body->element, "q_", ""));
  mj_deleteSpec(parent);
  mj_deleteSpec(child);
}

// A key that came with an attached body follows its first copy, and loses its controls when a body
// is deleted.
static void pending_keys_follow_the_first_copy(void** state) {
  (void)state;
  mjSpec *parent = mj_makeSpec(), *child = mj_makeSpec();
  mjs_setDeepCopy(parent, 1);
  mjsBody* body = add_body(world_of(child), "b");
  mjs_setName(mjs_addJoint(body, NULL)->element, "j");
  mjsActuator* motor = mjs_addActuator(child, NULL);
  motor->trntype = mjTRN_JOINT;
  mjs_setString(motor->target, "j");
  double five = 5;
  mjsKey* row = mjs_addKey(child);
  mjs_setDouble(row->qpos, &five, 1);
  mjs_setDouble(row->ctrl, &five, 1);
  mjsFrame* frame = mjs_addFrame(world_of(parent), NULL);
  assert_non_null(mjs_attach(frame->element, body->element, "p_", ""));
  const ct_PendingKey* key = ct_spec(parent)->pending;
  assert_int_equal(key->nvalue, 2);
  assert_string_equal(ct_name(key->value[0].element), "p_j");
  for (int i = 0; i < 2; i++) {
    assert_non_null(
        mjs_attach(frame->element, mjs_findBody(parent, "p_b")->element, "", i ? "2" : "1"));
    assert_string_equal(ct_name(key->value[0].element), "p_j1");
    assert_float_equal(key->value[0].pos[0], 5, 0);
  }
  assert_int_equal(mjs_delete(parent, mjs_findBody(parent, "p_b")->element), 0);
  assert_int_equal(key->nvalue, 1);
  assert_int_equal(mjs_delete(parent, mjs_findBody(parent, "p_b1")->element), 0);
  assert_int_equal(key->nvalue, 0);
  mj_deleteSpec(parent);
  mj_deleteSpec(child);
}

// Signature and ids

static void signatures_are_those_of_the_reference(void** state) {
  (void)state;
  mjSpec* spec = mj_makeSpec();
  assert_true(spec->element->signature == 0);
  assert_true(ct_spec_signature(ct_spec(spec)) == 0x32ef5598ddf004a0u);
  for (int i = 0; i < 2; i++) {
    mjsBody* body = add_body(world_of(spec), i ? "b2" : "b1");
    mjs_addJoint(body, NULL);
    mjs_addGeom(body, NULL);
  }
  mjs_addActuator(spec, NULL);
  assert_true(spec->element->signature == 0xb35eb7919cff7f4cu);
  mj_deleteSpec(spec);
}

// The slow twin reads the whole text of a copy, so that what the spec itself remembers is left
// alone.
static uint64_t hash_line(uint64_t hash, int spaces, const char* line) {
  for (int i = 0; i < spaces && i < 1024; i++) hash = (hash * 33) ^ ' ';
  for (; *line; line++) hash = (hash * 33) ^ (uint64_t)*line;
  return hash;
}

// Deeper than the indentation grows.
static void the_signature_of_a_deep_chain_is_the_hash_of_its_text(void** state) {
  (void)state;
  enum { DEPTH = 600 };
  mjSpec* spec = mj_makeSpec();
  mjsBody* body = mjs_findBody(spec, "world");
  for (int i = 0; i < DEPTH; i++) body = mjs_addBody(body, NULL);
  uint64_t hash = hash_line(5381, 0, "\n");
  for (int i = 0; i <= DEPTH; i++) hash = hash_line(hash, 2 * i, "<body>\n");
  for (int i = DEPTH; i >= 0; i--) hash = hash_line(hash, 2 * i, "</body>\n");
  assert_true(spec->element->signature == hash % UINT64_MAX);
  mj_deleteSpec(spec);
}

static void expect_signature_of_a_copy(mjSpec* spec) {
  mjSpec* copy = mj_copySpec(spec);
  assert_true(spec->element->signature == copy->element->signature);
  mj_deleteSpec(copy);
}

// The text as it is described in signature.c, for a world with geoms, and lists.
static void put_text(uint64_t* hash, const char* text, int count) {
  for (int i = 0; i < count; i++) {
    for (const char* c = text; *c; c++) *hash = (*hash * 33) ^ (uint64_t)*c;
  }
}

static void the_signature_of_many_elements_is_the_hash_of_their_text(void** state) {
  (void)state;
  mjSpec* spec = mj_makeSpec();
  for (int i = 1; i < 300; i++) {
    mjs_addGeom(world_of(spec), NULL);
    mjs_addLight(world_of(spec), NULL);
    mjs_addMesh(spec, NULL);
    mjs_addEquality(spec, NULL);
    mjs_addSensor(spec)->type = mjSENS_CLOCK;
    if (i % 7 == 0) mjs_addKey(spec);
    mjs_addActuator(spec, NULL);
    uint64_t hash = 5381;
    put_text(&hash, "\n<body>\n", 1);
    put_text(&hash, "  <geom/>\n", i);
    put_text(&hash, "  <light/>\n", i);
    put_text(&hash, "</body>\n", 1);
    put_text(&hash, "<mesh/>\n", i);
    put_text(&hash, "<equality/>\n", i - 1);
    put_text(&hash, "<actuator/>\n", i);
    char sensor[40];
    snprintf(sensor, sizeof(sensor), "<sensor>%d<sensor/>\n", (int)mjSENS_CLOCK);
    put_text(&hash, sensor, i);
    put_text(&hash, "<key/>\n", i / 7);
    assert_true(spec->element->signature == hash % UINT64_MAX);
  }
  mj_deleteSpec(spec);
}

static void signatures_are_kept_up_to_date_piece_by_piece(void** state) {
  (void)state;
  mjSpec* spec = mj_makeSpec();
  enum { MANY = 60 };
  mjsBody* body[MANY] = {world_of(spec)};
  unsigned random = 1;
  for (int i = 1; i < MANY; i++) {
    random = random * 1103515245u + 12345u;
    mjsBody* parent = body[(random >> 16) % (unsigned)i];
    body[i] = mjs_addBody(parent, NULL);
    expect_signature_of_a_copy(spec);
    mjs_addGeom(body[(random >> 8) % (unsigned)i], NULL);
    mjsJoint* joint = mjs_addJoint(body[i], NULL);
    if (i % 3 == 0) joint->type = mjJNT_BALL;
    switch (i % 4) {
      case 0:
        mjs_addSensor(spec)->type = mjSENS_CLOCK;
        break;
      case 1:
        mjs_addSite(body[(random >> 12) % (unsigned)i], NULL);
        break;
      case 2:
        mjs_addFrame(body[i], NULL);
        break;
      default:
        mjs_delete(spec, mjs_firstElement(spec, mjOBJ_GEOM));
        break;
    }
    mjs_addKey(spec);
    expect_signature_of_a_copy(spec);
  }
  mj_deleteSpec(spec);
}

static void ids_of_the_tree_are_void_after_an_edit(void** state) {
  (void)state;
  mjSpec* spec = mj_makeSpec();
  mjsBody* body = add_body(world_of(spec), "b");
  mjsGeom* geom = mjs_addGeom(body, NULL);
  mjsActuator* actuator = mjs_addActuator(spec, NULL);
  assert_int_equal(mjs_getId(geom->element), -1);
  assert_int_equal(mjs_getId(world_of(spec)->element), 0);
  assert_int_equal(mjs_getId(actuator->element), 0);
  ct_spec_number(ct_spec(spec));
  assert_int_equal(mjs_getId(body->element), 1);
  assert_int_equal(mjs_getId(geom->element), 0);
  mjs_addSite(body, NULL);
  assert_int_equal(mjs_getId(body->element), -1);
  assert_int_equal(mjs_getId(actuator->element), 0);
  mj_deleteSpec(spec);
}

// Deleting

// The reference crashes here; corten refuses and goes on.
static void what_cannot_be_deleted_is_refused(void** state) {
  (void)state;
  mjSpec *spec = mj_makeSpec(), *other = mj_makeSpec();
  mjsFrame* frame = mjs_addFrame(world_of(spec), NULL);
  mjsGeom* foreign = mjs_addGeom(world_of(other), NULL);
  assert_int_equal(mjs_delete(spec, frame->element), -1);
  assert_int_equal(mjs_delete(spec, world_of(spec)->element), -1);
  assert_int_equal(mjs_delete(spec, foreign->element), -1);
  assert_non_null(strstr(mjs_getError(spec), "another spec"));
  assert_int_equal(mjs_delete(spec, mjs_getSpecDefault(spec)->geom->element), -1);
  mjsGeom* geom = mjs_addGeom(world_of(spec), NULL);
  assert_int_equal(mjs_delete(spec, geom->element), 0);
  assert_int_equal(mjs_delete(spec, geom->element), -1);
  assert_float_equal(geom->density, 1000, 0);  // still there to be read
  mj_deleteSpec(spec);
  mj_deleteSpec(other);
}

static void elements_of_a_deleted_class_fall_back_to_its_parent(void** state) {
  (void)state;
  mjSpec* spec = mj_makeSpec();
  mjsDefault* above = mjs_addDefault(spec, "above", NULL);
  above->geom->group = 3;
  mjsDefault* def = mjs_addDefault(spec, "def", above);
  mjsBody* body = mjs_addBody(world_of(spec), def);
  assert_int_equal(mjs_delete(spec, def->element), 0);
  assert_int_equal(mjs_addGeom(body, NULL)->group, 3);
  assert_non_null(mjs_addDefault(spec, "def", NULL));
  mj_deleteSpec(spec);
}

static void a_frame_cannot_hold_itself(void** state) {
  (void)state;
  mjSpec* spec = mj_makeSpec();
  mjsFrame* outer = mjs_addFrame(world_of(spec), NULL);
  mjsFrame* inner = mjs_addFrame(world_of(spec), outer);
  assert_int_equal(mjs_setFrame(outer->element, inner), -1);
  assert_int_equal(mjs_setFrame(outer->element, outer), -1);
  mj_deleteSpec(spec);
}

// Small functions

static int cleaned;
static void clean(const void* data) {
  cleaned += *(const int*)data;
}

static void user_values_are_cleaned_up(void** state) {
  (void)state;
  static const int one = 1, ten = 10, hundred = 100;
  mjSpec* spec = mj_makeSpec();
  mjsElement* e = mjs_addGeom(world_of(spec), NULL)->element;
  cleaned = 0;
  mjs_setUserValueWithCleanup(e, "a", &one, clean);
  mjs_setUserValue(e, "b", &ten);
  assert_ptr_equal(mjs_getUserValue(e, "a"), &one);
  mjs_setUserValueWithCleanup(e, "a", &hundred, clean);
  assert_int_equal(cleaned, 1);
  mjs_deleteUserValue(e, "b");
  assert_null(mjs_getUserValue(e, "b"));
  mj_deleteSpec(spec);
  assert_int_equal(cleaned, 101);
}

static void plugin_attributes_are_copied(void** state) {
  (void)state;
  mjSpec* spec = mj_makeSpec();
  mjsPlugin* plugin = mjs_addPlugin(spec);
  ct_Map map;
  ct_map_init(&map);
  ct_map_set(&map, "key", "value");
  mjs_setPluginAttributes(plugin, &map);
  ct_map_free(&map);
  mjSpec* copy = mj_copySpec(spec);
  mj_deleteSpec(spec);
  mjsPlugin* twin = mjs_asPlugin(mjs_firstElement(copy, mjOBJ_PLUGIN));
  assert_string_equal(ct_map_get((const ct_Map*)mjs_getPluginAttributes(twin), "key"), "value");
  mj_deleteSpec(copy);
}

static void orientations_are_resolved(void** state) {
  (void)state;
  mjsOrientation o;
  double q[4] = {1, 0, 0, 0}, half = sqrt(0.5);
  mjs_defaultOrientation(&o);
  assert_null(mjs_resolveOrientation(q, 1, "xyz", &o));
  o.type = mjORIENTATION_AXISANGLE;
  o.axisangle[2] = 2;
  o.axisangle[3] = 90;
  assert_null(mjs_resolveOrientation(q, 1, "xyz", &o));
  assert_float_equal(q[0], half, 1e-15);
  assert_float_equal(q[3], half, 1e-15);
  o.type = mjORIENTATION_EULER;
  o.euler[0] = o.euler[2] = mjPI / 2;
  assert_null(mjs_resolveOrientation(q, 0, "xyz", &o));
  for (int i = 0; i < 4; i++) assert_float_equal(q[i], i == 2 ? -0.5 : 0.5, 1e-15);
  assert_null(mjs_resolveOrientation(q, 0, "XYZ", &o));
  for (int i = 0; i < 4; i++) assert_float_equal(q[i], 0.5, 1e-15);
  assert_non_null(mjs_resolveOrientation(q, 0, "xya", &o));
  o.type = mjORIENTATION_ZAXIS;
  assert_non_null(mjs_resolveOrientation(q, 0, "xyz", &o));
  o.zaxis[2] = -1;
  assert_null(mjs_resolveOrientation(q, 0, "xyz", &o));
  assert_float_equal(q[1], 1, 0);
  o.type = mjORIENTATION_XYAXES;
  o.xyaxes[1] = o.xyaxes[4] = 1;
  assert_non_null(mjs_resolveOrientation(q, 0, "xyz", &o));
  o.xyaxes[3] = -1;
  assert_null(mjs_resolveOrientation(q, 0, "xyz", &o));
  assert_float_equal(q[3], half, 1e-15);
}

// Test vector of the position servo, with its refusal on the second call.
static void a_position_servo_refuses_two_kinds_of_damping(void** state) {
  (void)state;
  mjSpec* spec = mj_makeSpec();
  mjsActuator* a = mjs_addActuator(spec, NULL);
  double kv = 1, ratio = 1;
  assert_string_equal(mjs_setToPosition(a, 3, &kv, NULL, NULL, 0), "");
  assert_string_not_equal(mjs_setToPosition(a, 3, &kv, &ratio, NULL, 0), "");
  assert_int_equal(a->gaintype, mjGAIN_FIXED);
  assert_int_equal(a->biastype, mjBIAS_AFFINE);
  assert_float_equal(a->gainprm[0], 3, 0);
  assert_float_equal(a->biasprm[1], -3, 0);
  assert_float_equal(a->biasprm[2], -1, 0);
  mj_deleteSpec(spec);
}

static void sensors_know_their_dimension(void** state) {
  (void)state;
  mjSpec* spec = mj_makeSpec();
  mjsSensor* sensor = mjs_addSensor(spec);
  static const int dims[mjSENS_USER + 1] = {1, 3, 3, 3, 3, 3, 3, 1, 2, 1, 1, 1, 1, 1, 1, 1, 1,
                                            1, 4, 3, 1, 1, 1, 1, 1, 1, 3, 4, 3, 3, 3, 3, 3, 3,
                                            3, 3, 3, 3, 1, 1, 3, 6, 8, 1, 1, 1, 0, 0, 7};
  sensor->dim = 7;
  sensor->intprm[2] = 2;
  for (int type = 0; type <= mjSENS_USER; type++) {
    sensor->type = (mjtSensor)type;
    sensor->intprm[0] = type == mjSENS_CONTACT ? 3 : 1;
    assert_int_equal(mjs_sensorDim(sensor), dims[type]);
  }
  sensor->type = (mjtSensor)99;
  assert_int_equal(mjs_sensorDim(sensor), -1);
  mj_deleteSpec(spec);
}

static void ignore(const char* message) {
  (void)message;
}

// R40.3: functions that return something say so by it when they are given nothing.
static void functions_refuse_null(void** state) {
  (void)state;
  mju_user_warning = ignore;
  mjSpec *s = mj_makeSpec(), *child = mj_makeSpec();
  mjModel* m = mj_compile(s, NULL);
  assert_non_null(m);
  mjsBody *world = mjs_findBody(s, "world"), *body = mjs_addBody(world, NULL), *none = NULL;
  mjsElement* frame = mjs_addFrame(world, NULL)->element;
  assert_null(mj_compile(NULL, NULL));
  assert_null(mj_copySpec(NULL));
  assert_int_equal(mj_copyBack(NULL, m), 0);
  assert_int_equal(mj_copyBack(s, NULL), 0);
  assert_int_equal(mj_recompile(NULL, NULL, m, NULL), -1);
  assert_int_equal(mj_recompile(s, NULL, NULL, NULL), -1);
  assert_null(mjs_attach(NULL, child->element, "", ""));
  assert_null(mjs_attach(frame, NULL, "", ""));
  assert_non_null(mjs_attach(frame, child->element, NULL, NULL));
  assert_int_equal(mjs_delete(NULL, body->element), -1);
  assert_int_equal(mjs_delete(s, NULL), -1);
  assert_int_equal(mjs_setName(NULL, "a"), -1);
  assert_int_equal(mjs_setName(body->element, NULL), -1);
  assert_int_equal(mjs_setDeepCopy(NULL, 1), -1);
  assert_null(mjs_findElement(s, mjOBJ_BODY, NULL));
  assert_null(mjs_findElement(NULL, mjOBJ_BODY, "a"));
  assert_null(mjs_findDefault(s, NULL));
  assert_null(mjs_addDefault(s, NULL, NULL));
  assert_null(mjs_addBody(NULL, NULL));
  assert_null(mjs_addFrame(NULL, NULL));
  assert_null(mjs_addPair(NULL, NULL));
  assert_null(mjs_addKey(NULL));
  assert_null(mjs_wrapSite(NULL, "a"));
  assert_null(mjs_firstElement(NULL, mjOBJ_BODY));
  assert_null(mjs_nextElement(s, NULL));
  assert_null(mjs_getSpec(NULL));
  assert_null(mjs_getParent(NULL));
  assert_null(mjs_getFrame(NULL));
  assert_null(mjs_getDefault(NULL));
  assert_null(mjs_bodyToFrame(NULL));
  assert_null(mjs_bodyToFrame(&none));
  assert_string_equal(mjs_getError(NULL), "the spec is NULL");
  assert_int_equal(mjs_isWarning(NULL), 0);
  mju_user_warning = NULL;
  mj_deleteModel(m);
  mj_deleteSpec(child);
  mj_deleteSpec(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(default_functions_write_every_byte_as_the_reference_does),
      cmocka_unit_test(new_elements_have_default_values_and_no_null_pointers),
      cmocka_unit_test(strings_and_vectors_may_be_replaced_from_outside),
      cmocka_unit_test(string_vectors_are_split_at_white_space),
      cmocka_unit_test(names_written_without_notice_are_found),
      cmocka_unit_test(many_names_are_no_burden),
      cmocka_unit_test(specs_attached_to_each_other_go_in_any_order),
      cmocka_unit_test(model_assets_go_with_the_spec_that_has_them),
      cmocka_unit_test(attached_elements_keep_their_settings),
      cmocka_unit_test(a_failed_attachment_changes_nothing),
      cmocka_unit_test(pending_keys_follow_the_first_copy),
      cmocka_unit_test(signatures_are_those_of_the_reference),
      cmocka_unit_test(the_signature_of_a_deep_chain_is_the_hash_of_its_text),
      cmocka_unit_test(the_signature_of_many_elements_is_the_hash_of_their_text),
      cmocka_unit_test(signatures_are_kept_up_to_date_piece_by_piece),
      cmocka_unit_test(ids_of_the_tree_are_void_after_an_edit),
      cmocka_unit_test(what_cannot_be_deleted_is_refused),
      cmocka_unit_test(elements_of_a_deleted_class_fall_back_to_its_parent),
      cmocka_unit_test(a_frame_cannot_hold_itself),
      cmocka_unit_test(user_values_are_cleaned_up),
      cmocka_unit_test(plugin_attributes_are_copied),
      cmocka_unit_test(orientations_are_resolved),
      cmocka_unit_test(a_position_servo_refuses_two_kinds_of_damping),
      cmocka_unit_test(sensors_know_their_dimension),
      cmocka_unit_test(functions_refuse_null),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
