// Joints: limits, axes and anchors in the body, angles in radians.

#include "compile/bodies.h"

static double radians(double degrees) {
  return degrees * (mjPI / 180);
}

static void compile_range(ct_Compiler* c, ct_WorkJoint* joint) {
  const ct_Element* e = joint->head.element;
  mjsJoint* v = &joint->v;
  if (v->type == mjJNT_FREE) return;
  joint->limited = ct_is_limited(c, e, "range", v->limited, v->range);
  if (!joint->limited) return;  // the numbers stay as they are, degrees included
  bool ball = v->type == mjJNT_BALL;
  if (!ball && v->range[0] >= v->range[1]) {
    ct_fail(c, e, "range goes from %g to %g: the first number must be the smaller one", v->range[0],
            v->range[1]);
  }
  if (ball && v->range[0] != 0) {
    ct_fail(c, e, "range of a ball joint starts with %g: the first number must be 0", v->range[0]);
  }
  if (ct_settings(e)->degree && (ball || v->type == mjJNT_HINGE)) {
    v->range[0] = radians(v->range[0]);
    v->range[1] = radians(v->range[1]);
  }
}

static void compile_force_range(ct_Compiler* c, ct_WorkJoint* joint) {
  const ct_Element* e = joint->head.element;
  const mjsJoint* v = &joint->v;
  if (v->type == mjJNT_FREE || v->type == mjJNT_BALL) return;
  joint->actfrclimited = ct_is_limited(c, e, "actuatorfrcrange", v->actfrclimited, v->actfrcrange);
  if (joint->actfrclimited && v->actfrcrange[0] >= v->actfrcrange[1]) {
    ct_fail(c, e, "actuatorfrcrange goes from %g to %g: the first number must be the smaller one",
            v->actfrcrange[0], v->actfrcrange[1]);
  }
}

static void compile_axis(ct_Compiler* c, ct_WorkJoint* joint) {
  const ct_Element* e = joint->head.element;
  const ct_Frame* frame = ct_frame_of(c, e);
  mjsJoint* v = &joint->v;
  if (v->type == mjJNT_FREE || v->type == mjJNT_BALL) {
    v->axis[0] = v->axis[1] = 0;
    v->axis[2] = 1;
  } else if (frame) {
    ct_turn(v->axis, v->axis, frame->quat);
  }
  if (ct_normalize64(v->axis, 3) < CT_COMPILER_EPS)
    ct_fail(c, e, "axis is too short: it has no direction");

  if (v->type == mjJNT_FREE) {
    v->pos[0] = v->pos[1] = v->pos[2] = 0;
  } else if (frame) {
    double unused[4] = {1, 0, 0, 0};
    ct_pose_compose(v->pos, unused, frame->pos, frame->quat);
  }
}

void ct_compile_joint(ct_Compiler* c, ct_WorkJoint* joint) {
  const ct_Element* e = joint->head.element;
  mjsJoint* v = &joint->v;
  if ((int)v->type < mjJNT_FREE || (int)v->type > mjJNT_HINGE) {
    ct_fail(c, e, "%d is not a type of joint", (int)v->type);
  }
  joint->nq = v->type == mjJNT_FREE ? 7 : v->type == mjJNT_BALL ? 4 : 1;
  joint->nv = v->type == mjJNT_FREE ? 6 : v->type == mjJNT_BALL ? 3 : 1;
  ct_check_user(c, e, v->userdata, c->nuser_jnt);
  bool spring = v->springdamper[0] != 0 || v->springdamper[1] != 0;
  if (spring && (v->springdamper[0] <= 0 || v->springdamper[1] <= 0)) {
    ct_fail(c, e, "springdamper is %g %g: both numbers must be positive, or both 0",
            v->springdamper[0], v->springdamper[1]);
  }
  compile_range(c, joint);
  compile_force_range(c, joint);
  compile_axis(c, joint);
  if (v->type == mjJNT_HINGE && ct_settings(e)->degree) {
    v->ref = radians(v->ref);
    v->springref = radians(v->springref);
  }
}

// The joints of a body together.
void ct_check_joints(ct_Compiler* c, ct_WorkBody* body) {
  const ct_Element* e = body->head.element;
  const ct_WorkList* joints = &body->child[CT_CHILD_JOINT];
  bool ball = false, has_free = false;
  body->dofnum = 0;
  for (int i = 0; i < joints->count; i++) {
    const ct_WorkJoint* joint = CT_WORK(ct_WorkJoint, *joints, i);
    body->dofnum += joint->nv;
    if (ball && (joint->v.type == mjJNT_BALL || joint->v.type == mjJNT_HINGE)) {
      ct_fail(c, joint->head.element, "a body cannot turn about a joint after a ball joint");
    }
    if (joint->v.type == mjJNT_BALL) ball = true;
    if (joint->v.type == mjJNT_FREE) has_free = true;
  }
  if (body->dofnum > 6) {
    ct_fail(c, e, "the joints of the body have %d degrees of freedom, more than 6", body->dofnum);
  }
  if (has_free && joints->count > 1) {
    ct_fail(c, e, "a body with a free joint cannot have other joints");
  }
  if (body->v.mocap && (body->dofnum > 0 || !body->parent || !ct_is_world(body->parent))) {
    ct_fail(c, e, "a mocap body must be a child of the world without joints");
  }
}

// Late, as in the reference: the bodies around may have been fused into the world.
void ct_check_free_joints(ct_Compiler* c) {
  for (int i = 0; i < CT_COUNT(c, mjOBJ_JOINT); i++) {
    const ct_WorkJoint* joint = ct_joint_at(c, i);
    if (joint->v.type != mjJNT_FREE || ct_is_world(joint->body->parent)) continue;
    ct_fail(c, joint->body->head.element,
            "a free joint needs a child of the world, this body is inside another one");
  }
}
