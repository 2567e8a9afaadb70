// Actuators: what they act on, ranges, sizes of activations.

#include "base/model/actuator_target.h"
#include "compile/compile.h"
#include "compile/sample_history.h"
#include "compile/work/put.h"

static ct_WorkActuator* actuator_at(const ct_Compiler* c, int i) {
  return CT_WORK(ct_WorkActuator, c->list[mjOBJ_ACTUATOR], i);
}

// Transmission

static void resolve_slider(ct_Compiler* c, ct_WorkActuator* actuator) {
  const ct_Element* e = actuator->head.element;
  const char* slider = ct_text(actuator->v.slidersite);
  if (actuator->v.cranklength <= 0) {
    ct_fail(c, e, "cranklength is %g, it must be positive", actuator->v.cranklength);
  }
  if (!slider[0]) ct_fail(c, e, "a slider-crank needs a slidersite");
  actuator->object[1] = ct_lookup_or_fail(c, e, "slidersite", mjOBJ_SITE, slider);
}

static void resolve_target(ct_Compiler* c, ct_WorkActuator* actuator) {
  const ct_Element* e = actuator->head.element;
  const mjsActuator* v = &actuator->v;
  mjtObj type = ct_transmission_object((int)v->trntype);
  if (type == mjOBJ_UNKNOWN) {
    ct_fail(c, e, "the transmission is missing: name a joint, tendon, site or body to act on");
  }
  if (!ct_text(v->target)[0]) ct_fail(c, e, "the name of what it acts on is missing");
  actuator->object[0] =
      ct_lookup_or_fail(c, e, "target of the transmission", type, ct_text(v->target));
  actuator->object[1] = NULL;
  const char* reference = ct_text(v->refsite);
  if (v->trntype == mjTRN_SLIDERCRANK) resolve_slider(c, actuator);
  if (v->trntype == mjTRN_SITE && reference[0]) {
    actuator->object[1] = ct_lookup_or_fail(c, e, "refsite", mjOBJ_SITE, reference);
  }
}

// Ranges

static const double* range_of_target(ct_Compiler* c, const ct_WorkActuator* actuator) {
  const ct_Work* target = actuator->object[0];
  if (actuator->v.trntype == mjTRN_TENDON) return ((const ct_WorkTendon*)target)->v.range;
  const ct_WorkJoint* joint = (const ct_WorkJoint*)target;
  if (actuator->v.trntype == mjTRN_JOINT &&
      (joint->v.type == mjJNT_HINGE || joint->v.type == mjJNT_SLIDE)) {
    return joint->v.range;
  }
  ct_fail(c, actuator->head.element, "inheritrange needs a hinge, a slide or a tendon to act on");
}

// The range of a servo's goal is that of its target, scaled about its middle. The range of an
// unlimited hinge is still in degrees here; it is taken as it is.
static void inherit_range(ct_Compiler* c, ct_WorkActuator* actuator) {
  mjsActuator* v = &actuator->v;
  const ct_Element* e = actuator->head.element;
  bool servo = v->gaintype == mjGAIN_FIXED && v->biastype == mjBIAS_AFFINE &&
               v->gainprm[0] == -v->biasprm[1];
  if (!servo || !(v->inheritrange > 0)) return;
  double* range = v->ctrlrange;
  if (v->dyntype == mjDYN_INTEGRATOR) {
    range = v->actrange;
  } else if (v->dyntype != mjDYN_NONE && v->dyntype != mjDYN_FILTEREXACT) {
    ct_fail(c, e, "inheritrange is for servos of positions and integrated velocities only");
  }
  const double* from = range_of_target(c, actuator);
  if (from[0] == from[1]) {
    ct_fail(c, e, "inheritrange: \"%s\" has no range", ct_name(actuator->object[0]->element));
  }
  double middle = (from[0] + from[1]) / 2, radius = v->inheritrange * (from[1] - from[0]) / 2;
  range[0] = middle - radius;
  range[1] = middle + radius;
}

static bool compile_limit(ct_Compiler* c, const ct_Element* e, const char* attribute, int limited,
                          const double range[2]) {
  bool in_force = ct_is_limited(c, e, attribute, limited, range);
  if (in_force && range[0] >= range[1]) {
    ct_fail(c, e, "%s goes from %g to %g: the first number must be the smaller one", attribute,
            range[0], range[1]);
  }
  return in_force;
}

static void compile_limits(ct_Compiler* c, ct_WorkActuator* actuator) {
  const ct_Element* e = actuator->head.element;
  const mjsActuator* v = &actuator->v;
  actuator->forcelimited = compile_limit(c, e, "forcerange", v->forcelimited, v->forcerange);
  actuator->ctrllimited = compile_limit(c, e, "ctrlrange", v->ctrllimited, v->ctrlrange);
  actuator->actlimited = compile_limit(c, e, "actrange", v->actlimited, v->actrange);
  if (actuator->actlimited && v->dyntype == mjDYN_NONE) {
    ct_fail(c, e, "actrange is in force, but the actuator has no activation (dyntype none)");
  }
}

// Activation and muscles

static void compile_activation(ct_Compiler* c, ct_WorkActuator* actuator) {
  const ct_Element* e = actuator->head.element;
  mjsActuator* v = &actuator->v;
  bool active = v->dyntype != mjDYN_NONE;
  if (!v->plugin.active) {
    if (v->actdim > 1 && v->dyntype != mjDYN_USER) {
      ct_fail(c, e, "actdim is %d: more than one needs dyntype user", v->actdim);
    }
    if (v->actdim == 1 && !active) ct_fail(c, e, "actdim is 1, but dyntype is none");
    if (v->actdim == 0 && active) ct_fail(c, e, "actdim is 0, but dyntype is not none");
  }
  if (v->actdim < 0) v->actdim = active;
}

static void check_muscle(ct_Compiler* c, const ct_Element* e, const double* prm) {
  if (prm[0] >= prm[1]) {
    ct_fail(c, e, "range of the muscle goes from %g to %g: the first must be the smaller one",
            prm[0], prm[1]);
  }
  if (prm[4] >= 1 || prm[5] <= 1) {
    ct_fail(c, e, "lmin and lmax of the muscle are %g and %g: 1 must lie between them", prm[4],
            prm[5]);
  }
  if (prm[3] <= 0 || prm[6] <= 0 || prm[7] <= 0 || prm[8] <= 0) {
    ct_fail(c, e, "scale, vmax, fpmax and fvmax of the muscle must be positive");
  }
}

static void compile_actuator(ct_Compiler* c, ct_Work* work) {
  ct_WorkActuator* actuator = (ct_WorkActuator*)work;
  const ct_Element* e = actuator->head.element;
  mjsActuator* v = &actuator->v;
  ct_check_user(c, e, v->userdata, c->nuser_actuator);
  ct_check_history(c, e, v->nsample, v->delay);
  resolve_target(c, actuator);
  inherit_range(c, actuator);
  compile_limits(c, actuator);
  compile_activation(c, actuator);
  if (v->gaintype == mjGAIN_MUSCLE) check_muscle(c, e, v->gainprm);
  if (v->biastype == mjBIAS_MUSCLE) check_muscle(c, e, v->biasprm);
  actuator->plugin = ct_resolve_plugin(c, e, &v->plugin, mjPLUGIN_ACTUATOR);
}

void ct_compile_actuators(ct_Compiler* c) {
  ct_each(c, &c->list[mjOBJ_ACTUATOR], compile_actuator);
}

// Sizes and arrays

static int moments_of(const ct_Compiler* c, const ct_WorkActuator* actuator) {
  mjtTrn type = actuator->v.trntype;
  if (type != mjTRN_JOINT && type != mjTRN_JOINTINPARENT) return (int)c->size.nv;
  return ((const ct_WorkJoint*)actuator->object[0])->nv;
}

void ct_size_actuators(ct_Compiler* c) {
  for (int i = 0; i < CT_COUNT(c, mjOBJ_ACTUATOR); i++) {
    ct_WorkActuator* actuator = actuator_at(c, i);
    actuator->actadr = actuator->v.actdim > 0 ? (int)c->size.na : -1;
    c->size.na += actuator->v.actdim;
    c->size.nJmom += moments_of(c, actuator);
    c->size.nhistory += ct_history_size(actuator->v.nsample, 1);
  }
}

static void copy_numbers(mjModel* m, const mjsActuator* v, int i) {
  ct_put(m->actuator_dynprm + mjNDYN * i, v->dynprm, mjNDYN);
  ct_put(m->actuator_gainprm + mjNGAIN * i, v->gainprm, mjNGAIN);
  ct_put(m->actuator_biasprm + mjNBIAS * i, v->biasprm, mjNBIAS);
  ct_put(m->actuator_delay + i, &v->delay, 1);
  ct_put(m->actuator_ctrlrange + 2 * i, v->ctrlrange, 2);
  ct_put(m->actuator_forcerange + 2 * i, v->forcerange, 2);
  ct_put(m->actuator_actrange + 2 * i, v->actrange, 2);
  ct_put(m->actuator_lengthrange + 2 * i, v->lengthrange, 2);
  ct_put(m->actuator_gear + 6 * i, v->gear, 6);
  ct_put(m->actuator_cranklength + i, &v->cranklength, 1);
}

static void copy_actuator(mjModel* m, const ct_WorkActuator* actuator, int i) {
  const mjsActuator* v = &actuator->v;
  m->actuator_trntype[i] = (int)v->trntype;
  m->actuator_dyntype[i] = (int)v->dyntype;
  m->actuator_gaintype[i] = (int)v->gaintype;
  m->actuator_biastype[i] = (int)v->biastype;
  m->actuator_trnid[2 * i] = ct_id(actuator->object[0]);
  m->actuator_trnid[2 * i + 1] = ct_id(actuator->object[1]);
  m->actuator_actadr[i] = actuator->actadr;
  m->actuator_actnum[i] = v->actdim;
  m->actuator_group[i] = v->group;
  m->actuator_history[2 * i] = v->nsample;
  m->actuator_history[2 * i + 1] = v->interp;
  m->actuator_ctrllimited[i] = actuator->ctrllimited;
  m->actuator_forcelimited[i] = actuator->forcelimited;
  m->actuator_actlimited[i] = actuator->actlimited;
  m->actuator_actearly[i] = v->actearly;
  m->actuator_plugin[i] = ct_id(actuator->plugin);
}

void ct_copy_actuators(ct_Compiler* c) {
  mjModel* m = c->model;
  int64_t history = 0;
  for (int i = 0; i < m->nu; i++) {
    const ct_WorkActuator* actuator = actuator_at(c, i);
    copy_actuator(m, actuator, i);
    copy_numbers(m, &actuator->v, i);
    ct_copy_user(m->actuator_user + i * m->nuser_actuator, actuator->v.userdata);
    m->actuator_historyadr[i] = actuator->v.nsample > 0 ? (int)history : -1;
    history += ct_history_size(actuator->v.nsample, 1);
  }
}
