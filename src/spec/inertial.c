// The inertial of a body that becomes a frame of the body around it.
//
// Two bodies that are welded together are one with the sum of their masses m, their common centre
// of mass c, and the tensor
//
//   I = sum (R_i J_i R_i' + m_i (|d_i|^2 1 - d_i d_i')),   d_i = c_i - c
//
// where J_i is the tensor of each about its own centre and R_i turns it into the common frame. The
// result is given as fullinertia, so that nothing has to be diagonalised.

#include "spec/inertial.h"

#include <math.h>
#include <string.h>

#include "spec/pose.h"

typedef struct {
  double mass, center[3], tensor[9];
} Inertial;

// What a program has given for a body, in the frame of the body.
static Inertial given(const ct_Element* e) {
  const mjsBody* body = CT_VALUES(mjsBody, e);
  const double* full = body->fullinertia;  // xx yy zz xy xz yz
  Inertial result = {body->mass, {body->ipos[0], body->ipos[1], body->ipos[2]}, {0}};
  if (!isnan(full[0])) {
    const double tensor[9] = {full[0], full[3], full[4], full[3], full[1],
                              full[5], full[4], full[5], full[2]};
    memcpy(result.tensor, tensor, sizeof(tensor));
    return result;
  }
  const mjsCompiler* settings = ct_settings(e);
  double quat[4], turn[9];
  memcpy(quat, body->iquat, sizeof(quat));
  mjs_resolveOrientation(quat, settings->degree, settings->eulerseq, &body->ialt);
  ct_normalize64(quat, 4);
  ct_quat_matrix(turn, quat);
  for (int i = 0; i < 9; i++) {
    for (int k = 0; k < 3; k++) {
      result.tensor[i] += turn[3 * (i / 3) + k] * body->inertia[k] * turn[3 * (i % 3) + k];
    }
  }
  return result;
}

// The same seen from where the pose of the body is given.
static void move_to(Inertial* it, const double pos[3], const double quat[4]) {
  double turn[9], product[9] = {0}, turned[9] = {0};
  ct_quat_matrix(turn, quat);
  ct_matrix_times(it->center, turn, it->center);
  for (int i = 0; i < 3; i++) it->center[i] += pos[i];
  for (int i = 0; i < 9; i++) {
    for (int k = 0; k < 3; k++) product[i] += turn[3 * (i / 3) + k] * it->tensor[3 * k + i % 3];
  }
  for (int i = 0; i < 9; i++) {
    for (int k = 0; k < 3; k++) turned[i] += product[3 * (i / 3) + k] * turn[3 * (i % 3) + k];
  }
  memcpy(it->tensor, turned, sizeof(turned));
}

static Inertial sum(const Inertial* a, const Inertial* b) {
  Inertial result = {a->mass + b->mass, {0}, {0}};
  const Inertial* part[2] = {a, b};
  for (int i = 0; i < 3; i++) {
    result.center[i] = (a->mass * a->center[i] + b->mass * b->center[i]) / result.mass;
  }
  for (int n = 0; n < 2; n++) {
    double d[3];
    for (int i = 0; i < 3; i++) d[i] = part[n]->center[i] - result.center[i];
    for (int i = 0; i < 9; i++) {
      double squares = i % 4 == 0 ? ct_dot64(d, d) : 0;
      result.tensor[i] += part[n]->tensor[i] + part[n]->mass * (squares - d[i / 3] * d[i % 3]);
    }
  }
  return result;
}

// Pose of a body in the body around it, with all frames between, as far as they can be resolved.
static void pose_of(const ct_Element* e, double pos[3], double quat[4]) {
  const mjsBody* body = CT_VALUES(mjsBody, e);
  memcpy(pos, body->pos, 3 * sizeof(double));
  memcpy(quat, body->quat, 4 * sizeof(double));
  ct_normalize64(quat, 4);
  for (const ct_Element* f = e->frame; f; f = f->frame) {
    const mjsFrame* frame = CT_VALUES(mjsFrame, f);
    const mjsCompiler* settings = ct_settings(f);
    double turn[4];
    memcpy(turn, frame->quat, sizeof(turn));
    mjs_resolveOrientation(turn, settings->degree, settings->eulerseq, &frame->alt);
    ct_normalize64(turn, 4);
    ct_pose_compose(pos, quat, frame->pos, turn);
  }
}

void ct_merge_inertial(ct_Element* into, const ct_Element* from) {
  mjsBody* body = CT_VALUES(mjsBody, into);
  double pos[3], quat[4];
  pose_of(from, pos, quat);
  Inertial own = {0, {0}, {0}}, other = given(from);
  if (body->explicitinertial) own = given(into);
  move_to(&other, pos, quat);
  Inertial all = sum(&own, &other);

  const double full[6] = {all.tensor[0], all.tensor[4], all.tensor[8],
                          all.tensor[1], all.tensor[2], all.tensor[5]};
  body->explicitinertial = 1;
  body->mass = all.mass;
  memcpy(body->ipos, all.center, sizeof(all.center));
  memcpy(body->fullinertia, full, sizeof(full));
  memset(body->inertia, 0, sizeof(body->inertia));
  memset(body->iquat, 0, sizeof(body->iquat));
  body->iquat[0] = 1;
  mjs_defaultOrientation(&body->ialt);
}
