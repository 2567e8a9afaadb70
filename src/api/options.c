// Version, names of flags and timers, questions about the options of a model, sizes of what a
// contact sensor gives.

#include <mujoco/mujoco.h>

#include "api/exports.h"
#include "base/model/options.h"

// Questions about options, answered from what they are at the moment of the call

int mj_isPyramidal(const mjModel* m) {
  return m->opt.cone == mjCONE_PYRAMIDAL;
}

int mj_isSparse(const mjModel* m) {
  return ct_is_sparse(m);
}

// The dual matrix AR is needed by the dual solver and by the iterations that remove slip after any
// solver.
int mj_isDual(const mjModel* m) {
  return m->opt.solver == mjSOL_PGS || m->opt.noslip_iterations > 0;
}

int mj_version(void) {
  return mjVERSION_HEADER;
}

const char* mj_versionString(void) {
  return "3.5.0";
}

// Flags of the simulation, in the order of their bits.

const char* mjDISABLESTRING[mjNDISABLE] = {
    "Constraint", "Equality",  "Frictionloss", "Limit",        "Contact",   "Spring",  "Damper",
    "Gravity",    "Clampctrl", "Warmstart",    "Filterparent", "Actuation", "Refsafe", "Sensor",
    "Midphase",   "Eulerdamp", "AutoReset",    "NativeCCD",    "Island",
};

const char* mjENABLESTRING[mjNENABLE] = {
    "Override", "Energy", "Fwdinv", "InvDiscrete", "MultiCCD", "Sleep",
};

const char* mjTIMERSTRING[mjNTIMER] = {
    "step",          "forward",    "inverse",     "position",       "velocity",
    "actuation",     "constraint", "advance",     "pos_kinematics", "pos_inertia",
    "pos_collision", "pos_make",   "pos_project", "col_broadphase", "col_narrowphase",
};

const int mjCONDATA_SIZE[mjNCONDATA] = {1, 3, 3, 1, 3, 3, 3};

int mju_condataSize(int field_mask) {
  int size = 0;
  for (int i = 0; i < mjNCONDATA; i++) {
    if (field_mask & (1 << i)) size += mjCONDATA_SIZE[i];
  }
  return size;
}
