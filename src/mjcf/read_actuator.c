// Actuators: what they act on, and the shortcuts for common kinds.
//
// A shortcut starts from the class's values and writes some of them (mjs_setTo...). Parameters that
// are not given come from the class where the reference takes them from there.

#include <string.h>

#include "mjcf/read.h"

typedef struct {
  const char* attribute;
  mjtTrn type;
} Target;

static void read_target(ct_Reader* r, const ct_Xml* xml, mjsActuator* actuator) {
  static const Target targets[] = {{"joint", mjTRN_JOINT},   {"jointinparent", mjTRN_JOINTINPARENT},
                                   {"tendon", mjTRN_TENDON}, {"cranksite", mjTRN_SLIDERCRANK},
                                   {"site", mjTRN_SITE},     {"body", mjTRN_BODY}};
  const char* found = NULL;
  for (size_t i = 0; i < sizeof(targets) / sizeof(targets[0]); i++) {
    const char* name = ct_given(xml, targets[i].attribute);
    if (!name) continue;
    if (found)
      ct_refuse(r, xml, targets[i].attribute, "%s and %s both say what it acts on", found,
                targets[i].attribute);
    found = targets[i].attribute;
    actuator->trntype = targets[i].type;
    mjs_setString(actuator->target, name);
  }
  bool crank = actuator->trntype == mjTRN_SLIDERCRANK || actuator->trntype == mjTRN_UNDEFINED;
  bool site = actuator->trntype == mjTRN_SITE || actuator->trntype == mjTRN_UNDEFINED;
  const char *slider = ct_given(xml, "slidersite"), *reference = ct_given(xml, "refsite");
  if (slider) mjs_setString(actuator->slidersite, slider);
  if (reference) mjs_setString(actuator->refsite, reference);
  if (!crank && slider)
    ct_refuse(r, xml, "slidersite", "slidersite is for slider-cranks, which need a cranksite");
  if (!crank && ct_given(xml, "cranklength"))
    ct_refuse(r, xml, "cranklength", "cranklength is for slider-cranks, which need a cranksite");
  if (!site && reference)
    ct_refuse(r, xml, "refsite", "refsite is for actuators that act on a site");
}

// A parameter with the value it has if it is not given.
static double parameter(ct_Reader* r, const ct_Xml* xml, const char* name, double value) {
  ct_read_real(r, xml, name, &value);
  return value;
}

static const char* read_servo(ct_Reader* r, const ct_Xml* xml, mjsActuator* actuator) {
  double kv, dampratio, timeconst;
  double kp = parameter(r, xml, "kp", actuator->gainprm[0]);
  double inheritrange = parameter(r, xml, "inheritrange", actuator->inheritrange);
  double* has_kv = ct_read_real(r, xml, "kv", &kv) ? &kv : NULL;
  double* has_ratio = ct_read_real(r, xml, "dampratio", &dampratio) ? &dampratio : NULL;
  if (!strcmp(xml->name, "intvelocity"))
    return mjs_setToIntVelocity(actuator, kp, has_kv, has_ratio, NULL, inheritrange);
  double* has_time = ct_read_real(r, xml, "timeconst", &timeconst) ? &timeconst : NULL;
  return mjs_setToPosition(actuator, kp, has_kv, has_ratio, has_time, inheritrange);
}

static const char* read_cylinder(ct_Reader* r, const ct_Xml* xml, mjsActuator* actuator) {
  double bias[3] = {actuator->biasprm[0], 0, 0};
  ct_read_reals(r, xml, "bias", bias, 3, 3);
  double timeconst = parameter(r, xml, "timeconst", actuator->dynprm[0]);
  double area = parameter(r, xml, "area", actuator->gainprm[0]);
  return mjs_setToCylinder(actuator, timeconst, bias[0], area, parameter(r, xml, "diameter", -1));
}

static const char* read_muscle(ct_Reader* r, const ct_Xml* xml, mjsActuator* actuator) {
  double timeconst[2] = {-1, -1}, range[2] = {-1, -1};
  ct_read_reals(r, xml, "timeconst", timeconst, 2, 2);
  ct_read_reals(r, xml, "range", range, 2, 2);
  double tausmooth = parameter(r, xml, "tausmooth", actuator->dynprm[2]);
  return mjs_setToMuscle(actuator, timeconst, tausmooth, range, parameter(r, xml, "force", -1),
                         parameter(r, xml, "scale", -1), parameter(r, xml, "lmin", -1),
                         parameter(r, xml, "lmax", -1), parameter(r, xml, "vmax", -1),
                         parameter(r, xml, "fpmax", -1), parameter(r, xml, "fvmax", -1));
}

void ct_read_actuator_values(ct_Reader* r, const ct_Xml* xml, mjsActuator* actuator) {
  const char *kind = xml->name, *mistake = "";
  if (!strcmp(kind, "motor")) {
    mistake = mjs_setToMotor(actuator);
  } else if (!strcmp(kind, "position") || !strcmp(kind, "intvelocity")) {
    mistake = read_servo(r, xml, actuator);
  } else if (!strcmp(kind, "velocity")) {
    mistake = mjs_setToVelocity(actuator, parameter(r, xml, "kv", actuator->gainprm[0]));
  } else if (!strcmp(kind, "damper")) {
    mistake = mjs_setToDamper(actuator, parameter(r, xml, "kv", 0));
  } else if (!strcmp(kind, "cylinder")) {
    mistake = read_cylinder(r, xml, actuator);
  } else if (!strcmp(kind, "muscle")) {
    mistake = read_muscle(r, xml, actuator);
  } else if (!strcmp(kind, "adhesion")) {
    mistake = mjs_setToAdhesion(actuator, parameter(r, xml, "gain", actuator->gainprm[0]));
  }
  if (mistake && *mistake) ct_refuse(r, xml, NULL, "%s", mistake);
}

static void read_actuator(ct_Reader* r, const ct_Xml* xml, void* arg) {
  (void)arg;
  mjsActuator* actuator = CT_VALUES(mjsActuator, ct_read_element(r, xml, mjOBJ_ACTUATOR));
  read_target(r, xml, actuator);
  ct_read_actuator_values(r, xml, actuator);
  if (!strcmp(xml->name, "plugin")) ct_read_plugin(r, xml, &actuator->plugin);
}

void ct_read_actuator(ct_Reader* r, const ct_Xml* section) {
  for (const ct_Xml* xml = section->first; xml; xml = xml->next) {
    if (xml->rule) ct_guarded(r, read_actuator, xml, NULL);
  }
}
