// Equality constraints: the objects they are between. What depends on the initial pose is completed
// by mj_setConst.

#include <math.h>

#include "compile/compile.h"
#include "compile/flex_arrays.h"
#include "compile/work/put.h"

// What a constraint of this type is between; mjOBJ_UNKNOWN: no such type.
static mjtObj object_type(const mjsEquality* v) {
  switch (v->type) {
    case mjEQ_CONNECT:
    case mjEQ_WELD:
      return v->objtype;
    case mjEQ_DISTANCE:
      return mjOBJ_SITE;
    case mjEQ_JOINT:
      return mjOBJ_JOINT;
    case mjEQ_TENDON:
      return mjOBJ_TENDON;
    case mjEQ_FLEX:
    case mjEQ_FLEXVERT:
      return mjOBJ_FLEX;
    default:
      return mjOBJ_UNKNOWN;
  }
}

static void check_distance(ct_Compiler* c, const ct_Element* e, const mjsEquality* v) {
  if (v->objtype != mjOBJ_SITE && v->objtype != mjOBJ_UNKNOWN) {
    ct_fail(c, e, "a distance is between two sites");
  }
  if (!(v->data[0] >= 0) || isinf(v->data[0])) {
    ct_fail(c, e, "distance %g is not a length; 0 takes that of the initial pose", v->data[0]);
  }
}

static mjtObj check_type(ct_Compiler* c, const ct_WorkEquality* eq) {
  const ct_Element* e = eq->head.element;
  mjtObj type = object_type(&eq->v);
  bool between_bodies = eq->v.type == mjEQ_CONNECT || eq->v.type == mjEQ_WELD;
  if (eq->v.type == mjEQ_DISTANCE) check_distance(c, e, &eq->v);
  if (between_bodies && type != mjOBJ_BODY && type != mjOBJ_SITE) {
    ct_fail(c, e, "connect and weld are between two bodies or two sites");
  }
  if (type == mjOBJ_UNKNOWN) ct_fail(c, e, "%d is not a type of equality", (int)eq->v.type);
  return type;
}

static void check_joint(ct_Compiler* c, const ct_Element* e, const ct_Work* object) {
  const ct_WorkJoint* joint = (const ct_WorkJoint*)object;
  if (joint && joint->v.type != mjJNT_HINGE && joint->v.type != mjJNT_SLIDE) {
    ct_fail(c, e, "joint \"%s\" is neither hinge nor slide", ct_name(joint->head.element));
  }
}

static void check_flex(ct_Compiler* c, const ct_Element* e, const ct_Work* object) {
  const ct_WorkFlex* flex = (const ct_WorkFlex*)object;
  if (flex->head.mistaken || !flex->arrays->rigid) return;
  ct_fail(c, e, "flex \"%s\" is rigid: it has nothing to constrain", ct_name(object->element));
}

static void compile_equality(ct_Compiler* c, ct_Work* work) {
  ct_WorkEquality* eq = (ct_WorkEquality*)work;
  const ct_Element* e = eq->head.element;
  const char *name1 = ct_text(eq->v.name1), *name2 = ct_text(eq->v.name2);
  mjtObj type = check_type(c, eq);
  eq->object1 = ct_lookup_or_fail(c, e, "first object", type, name1);
  eq->object2 = NULL;
  if (name2[0]) {
    eq->object2 = ct_lookup_or_fail(c, e, "second object", type, name2);
  } else if (type == mjOBJ_BODY) {
    eq->object2 = &ct_body_at(c, 0)->head;
  } else if (type == mjOBJ_SITE) {
    ct_fail(c, e, "the second site is missing");
  }
  if (eq->object1 == eq->object2) {
    ct_fail(c, e, "both objects are \"%s\"", ct_name(eq->object1->element));
  }
  if (type == mjOBJ_JOINT) {
    check_joint(c, e, eq->object1);
    check_joint(c, e, eq->object2);
  }
  if (type == mjOBJ_FLEX) check_flex(c, e, eq->object1);
}

void ct_compile_equalities(ct_Compiler* c) {
  ct_each(c, &c->list[mjOBJ_EQUALITY], compile_equality);
}

// Rows that the constraints can have at most. A weld counts seven although it has six.
void ct_size_equalities(ct_Compiler* c) {
  for (int i = 0; i < CT_COUNT(c, mjOBJ_EQUALITY); i++) {
    mjtEq type = CT_WORK(ct_WorkEquality, c->list[mjOBJ_EQUALITY], i)->v.type;
    c->size.nemax += type == mjEQ_CONNECT ? 3 : type == mjEQ_WELD ? 7 : 1;
  }
}

void ct_copy_equalities(ct_Compiler* c) {
  mjModel* m = c->model;
  for (int i = (int)m->neq - 1; i >= 0; i--) {
    const ct_WorkEquality* eq = CT_WORK(ct_WorkEquality, c->list[mjOBJ_EQUALITY], i);
    const mjsEquality* v = &eq->v;
    bool between_bodies = v->type == mjEQ_CONNECT || v->type == mjEQ_WELD;
    m->eq_type[i] = (int)v->type;
    m->eq_obj1id[i] = ct_id(eq->object1);
    m->eq_obj2id[i] = ct_id(eq->object2);
    m->eq_objtype[i] = between_bodies             ? (int)v->objtype
                       : v->type == mjEQ_DISTANCE ? (int)mjOBJ_SITE
                                                  : 0;
    m->eq_active0[i] = v->active;
    ct_put_nums(m->eq_solref + mjNREF * i, v->solref, mjNREF);
    ct_put_nums(m->eq_solimp + mjNIMP * i, v->solimp, mjNIMP);
    ct_put(m->eq_data + mjNEQDATA * i, v->data, mjNEQDATA);

    // a flex knows the first constraint on it: backwards, the last to be written
    if (v->type == mjEQ_FLEX) m->flex_edgeequality[eq->object1->id] = 1;
    if (v->type == mjEQ_FLEXVERT) m->flex_edgeequality[eq->object1->id] = 2;
  }
}
