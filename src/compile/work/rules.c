// Rules that several types of elements share: limits, user numbers, orientations, frames.

#include <string.h>

#include "compile/work/work.h"

bool ct_is_limited(ct_Compiler* c, const ct_Element* e, const char* attribute, int limited,
                   const double range[2]) {
  bool given = range[0] != 0 || range[1] != 0;
  if (limited == mjLIMITED_AUTO && given && !ct_settings(e)->autolimits) {
    ct_fail(c, e,
            "%s is given but not switched on: say that it is limited or not, or set autolimits of "
            "the compiler",
            attribute);
  }
  return limited == mjLIMITED_TRUE || (limited == mjLIMITED_AUTO && range[0] < range[1]);
}

void ct_check_user(ct_Compiler* c, const ct_Element* e, const mjDoubleVec* user, int nuser) {
  int count;
  ct_doubles(user, &count);
  if (count > nuser) {
    ct_fail(c, e, "user has %d numbers, the size for this type (nuser) is %d", count, nuser);
  }
}

void ct_copy_user(mjtNum* row, const mjDoubleVec* user) {
  int count;
  const double* number = ct_doubles(user, &count);
  for (int i = 0; i < count; i++) row[i] = (mjtNum)number[i];
}

void ct_resolve_orientation(ct_Compiler* c, const ct_Element* e, double quat[4],
                            const mjsOrientation* alternative) {
  const mjsCompiler* settings = ct_settings(e);
  const char* bad = mjs_resolveOrientation(quat, settings->degree, settings->eulerseq, alternative);
  if (bad) ct_fail(c, e, "%s", bad);
}

// Frames

static void compile_frame(ct_Compiler* c, ct_Frame* frame) {
  const ct_Element* e = &frame->element;
  const mjsFrame* v = CT_VALUES(mjsFrame, e);
  memcpy(frame->pos, v->pos, sizeof(v->pos));
  memcpy(frame->quat, v->quat, sizeof(v->quat));
  ct_resolve_orientation(c, e, frame->quat, &v->alt);
  if (e->frame) {
    const ct_Frame* outer = (const ct_Frame*)e->frame;
    ct_pose_compose(frame->pos, frame->quat, outer->pos, outer->quat);
  }
  ct_normalize64(frame->quat, 4);
  frame->compiled = true;
}

// Outer frames come first. They mostly are compiled already, because they were made first.
void ct_compile_frame(ct_Compiler* c, ct_Element* e) {
  int depth = 0, limit = e->body ? ((const ct_Body*)e->body)->child[CT_CHILD_FRAME].count : 0;
  for (ct_Element* f = e; f && !((ct_Frame*)f)->compiled; f = f->frame) {
    if (++depth > limit) ct_fail(c, e, "the frame is inside itself");
  }
  for (; depth > 0; depth--) {
    ct_Element* f = e;
    for (int up = 1; up < depth; up++) f = f->frame;
    compile_frame(c, (ct_Frame*)f);
  }
}

const ct_Frame* ct_frame_of(ct_Compiler* c, const ct_Element* e) {
  if (!e->frame) return NULL;
  ct_compile_frame(c, e->frame);
  return (const ct_Frame*)e->frame;
}

void ct_apply_frame(ct_Compiler* c, const ct_Element* e, double pos[3], double quat[4]) {
  const ct_Frame* frame = ct_frame_of(c, e);
  if (frame) ct_pose_compose(pos, quat, frame->pos, frame->quat);
}
