// R30.1 R40.3: whatever is done to specs in whatever order, they stay sound and release all memory.
// A random walk through the public functions, with the same numbers in every run; the address
// sanitizer watches.

#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "spec/spec.h"

enum { NSPEC = 4, STEPS = 3000 };

typedef struct {
  mjSpec* spec[NSPEC];
  uint32_t random;
  int names;  // made so far
} Walk;

static int draw(Walk* w, int n) {
  w->random = w->random * 1664525u + 1013904223u;
  return (int)((w->random >> 8) % (uint32_t)n);
}

// Soundness

static void expect_list(const ct_List* list, const ct_Spec* spec, const ct_Element* body) {
  for (int i = 0; i < list->count; i++) {
    const ct_Element* e = list->item[i];
    assert_int_equal(e->position, i);
    assert_ptr_equal(e->spec, spec);
    assert_ptr_equal(e->body, body);
    assert_null(e->twin);
    if (!ct_string_empty(&e->name))
      assert_non_null(ct_find((ct_Spec*)spec, ct_type(e), ct_name(e)));
  }
}

static void expect_sound(mjSpec* s) {
  ct_Spec* spec = ct_spec(s);
  for (const ct_Body* b = spec->world; b; b = ct_next_body(b)) {
    for (int k = 0; k < CT_NCHILD; k++) expect_list(&b->child[k], spec, &b->element);
  }
  for (int type = 0; type < mjNOBJECT; type++) expect_list(&spec->list[type], spec, NULL);
  if (s->element->signature != 0) assert_true(s->element->signature == ct_spec_signature(spec));
}

// Edits

static mjsElement* draw_element(Walk* w, mjSpec* s, mjtObj type) {
  int count = ct_count(ct_spec(s), type);
  if (count == 0) return NULL;
  mjsElement* e = mjs_firstElement(s, type);
  for (int i = draw(w, count); i > 0; i--) e = mjs_nextElement(s, e);
  return e;
}

static void name(Walk* w, mjsElement* e) {
  char text[32];
  snprintf(text, sizeof(text), "n%d", w->names++);
  if (draw(w, 4)) mjs_setName(e, text);
}

static const char* name_or_nothing(mjsElement* e) {
  return e ? mjs_getString(mjs_getName(e)) : "nobody";
}

static void add_in_tree(Walk* w, mjSpec* s) {
  mjsBody* body = mjs_asBody(draw_element(w, s, mjOBJ_BODY));
  mjsElement* e = NULL;
  switch (draw(w, 6)) {
    case 0:
    case 1:
      e = mjs_addBody(body, NULL)->element;
      mjs_asBody(e)->mocap = draw(w, 3) == 0;
      break;
    case 2: {
      mjsJoint* joint = mjs_addJoint(body, NULL);
      joint->type = (mjtJoint)draw(w, 4);
      e = joint->element;
      mjs_addSensor(s);  // the next addition notices the type
      break;
    }
    case 3:
      e = mjs_addGeom(body, NULL)->element;
      break;
    case 4:
      e = mjs_addSite(body, NULL)->element;
      break;
    default:
      e = mjs_addFrame(body, NULL)->element;
      break;
  }
  name(w, e);
  mjsFrame* frame = mjs_asFrame(draw_element(w, s, mjOBJ_FRAME));
  if (frame && draw(w, 2)) mjs_setFrame(e, frame);
}

static void add_outside(Walk* w, mjSpec* s) {
  switch (draw(w, 6)) {
    case 0: {
      mjsActuator* a = mjs_addActuator(s, NULL);
      a->trntype = mjTRN_JOINT;
      if (draw(w, 2)) a->dyntype = mjDYN_INTEGRATOR;
      mjs_setString(a->target, name_or_nothing(draw_element(w, s, mjOBJ_JOINT)));
      name(w, a->element);
      break;
    }
    case 1: {
      mjsPair* pair = mjs_addPair(s, NULL);
      mjs_setString(pair->geomname1, name_or_nothing(draw_element(w, s, mjOBJ_GEOM)));
      mjs_setString(pair->geomname2, name_or_nothing(draw_element(w, s, mjOBJ_GEOM)));
      name(w, pair->element);
      break;
    }
    case 2: {
      mjsTendon* tendon = mjs_addTendon(s, NULL);
      mjs_wrapSite(tendon, name_or_nothing(draw_element(w, s, mjOBJ_SITE)));
      mjs_wrapGeom(tendon, name_or_nothing(draw_element(w, s, mjOBJ_GEOM)), "");
      name(w, tendon->element);
      break;
    }
    case 3:
      name(w, mjs_addSensor(s)->element);
      break;
    case 4:
      name(w, mjs_addMaterial(s, NULL)->element);
      break;
    default:
      if (ct_count(ct_spec(s), mjOBJ_KEY) < 2) mjs_addKey(s)->time = 1;
      break;
  }
}

static void delete_something(Walk* w, mjSpec* s) {
  static const mjtObj types[] = {mjOBJ_BODY,     mjOBJ_BODY,   mjOBJ_GEOM,   mjOBJ_JOINT,
                                 mjOBJ_SITE,     mjOBJ_TENDON, mjOBJ_SENSOR, mjOBJ_PAIR,
                                 mjOBJ_ACTUATOR, mjOBJ_FRAME};
  mjtObj type = types[draw(w, 10)];
  mjsElement* e = draw_element(w, s, type);
  if (!e) return;
  if (type == mjOBJ_BODY && draw(w, 3) == 0) {
    mjsBody* body = mjs_asBody(e);
    mjs_bodyToFrame(&body);
  } else {
    mjs_delete(s, e);
  }
}

// Sensors without an object are copied by every attachment, so their number may double each time.
static int size_of(mjSpec* s) {
  return ct_count(ct_spec(s), mjOBJ_BODY) + ct_count(ct_spec(s), mjOBJ_SENSOR);
}

static void attach(Walk* w, mjSpec* parent, mjSpec* child) {
  mjsElement* frame = draw_element(w, parent, mjOBJ_FRAME);
  mjsElement* what = child->element;
  if (draw(w, 2)) what = draw_element(w, child, draw(w, 2) ? mjOBJ_BODY : mjOBJ_FRAME);
  if (!frame || !what || size_of(parent) + size_of(child) > 300) return;
  char prefix[16];
  snprintf(prefix, sizeof(prefix), "p%d", w->names++);
  mjs_setDeepCopy(parent, draw(w, 3) > 0);
  mjs_attach(frame, what, draw(w, 8) ? prefix : "", "");
}

static void replace(Walk* w, int i, mjSpec* by) {
  mj_deleteSpec(w->spec[i]);
  w->spec[i] = by;
}

static void step(Walk* w) {
  int i = draw(w, NSPEC), j = draw(w, NSPEC);
  mjSpec* s = w->spec[i];
  if (ct_spec(s)->attached) {  // others have its elements: it is only good for being given up
    replace(w, i, mj_makeSpec());
    return;
  }
  int what = draw(w, 40);
  if (what < 20) {
    add_in_tree(w, s);
  } else if (what < 28) {
    add_outside(w, s);
  } else if (what < 34) {
    delete_something(w, s);
  } else if (what < 37) {
    if (!ct_spec(w->spec[j])->attached) attach(w, s, w->spec[j]);
  } else if (what < 38) {
    replace(w, j, mj_copySpec(s));
  } else if (what < 39) {
    replace(w, j, mj_makeSpec());
  } else {
    name(w, draw_element(w, s, mjOBJ_BODY));
  }
}

static void ignore(const char* message) {
  (void)message;
}

static void random_edits_leave_specs_sound(void** state) {
  (void)state;
  mju_user_warning = ignore;  // keys of attached specs that wait for their compilation
  for (uint32_t seed = 1; seed <= 4; seed++) {
    Walk w = {{NULL}, seed, 0};
    for (int i = 0; i < NSPEC; i++) w.spec[i] = mj_makeSpec();
    for (int k = 0; k < STEPS; k++) {
      step(&w);
      if (k % 50 == 0) {
        for (int i = 0; i < NSPEC; i++) {
          if (!ct_spec(w.spec[i])->attached) expect_sound(w.spec[i]);
        }
      }
    }
    for (int i = 0; i < NSPEC; i++) mj_deleteSpec(w.spec[i]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(random_edits_leave_specs_sound)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
