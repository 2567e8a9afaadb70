// Global tables and hooks that programs read and set: names of flags and timers, callbacks, the
// table of collision functions.

#include "api/strings.h"

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

// What a picture shows.

const char* mjLABELSTRING[mjNLABEL] = {
    "None",      "Body",     "Joint",    "Geom",         "Site",   "Camera",
    "Light",     "Tendon",   "Actuator", "Constraint",   "Flex",   "Skin",
    "Selection", "SelPoint", "Contact",  "ContactForce", "Island",
};

const char* mjFRAMESTRING[mjNFRAME] = {
    "None", "Body", "Geom", "Site", "Camera", "Light", "Contact", "World",
};

// Flags of a picture: name, default, key of the viewer that toggles it.

const char* mjVISSTRING[mjNVISFLAG][3] = {
    {"Convex Hull", "0", "H"},   {"Texture", "1", "X"},        {"Joint", "0", "J"},
    {"Camera", "0", "Q"},        {"Actuator", "0", "U"},       {"Activation", "0", ","},
    {"Light", "0", "Z"},         {"Tendon", "1", "V"},         {"Range Finder", "1", "Y"},
    {"Equality", "0", "E"},      {"Inertia", "0", "I"},        {"Scale Inertia", "0", "'"},
    {"Perturb Force", "0", "B"}, {"Perturb Object", "1", "O"}, {"Contact Point", "0", "C"},
    {"Island", "0", "N"},        {"Contact Force", "0", "F"},  {"Contact Split", "0", "P"},
    {"Transparent", "0", "T"},   {"Auto Connect", "0", "A"},   {"Center of Mass", "0", "M"},
    {"Select Point", "0", ""},   {"Static Body", "1", "D"},    {"Skin", "1", ";"},
    {"Flex Vert", "0", ""},      {"Flex Edge", "1", ""},       {"Flex Face", "0", ""},
    {"Flex Skin", "1", ""},      {"Body Tree", "0", "`"},      {"Mesh Tree", "0", "\\"},
    {"SDF iters", "0", ""},
};

const char* mjRNDSTRING[mjNRNDFLAG][3] = {
    {"Shadow", "1", "S"},   {"Wireframe", "0", "W"}, {"Reflection", "1", "R"},
    {"Additive", "0", "L"}, {"Skybox", "1", "K"},    {"Fog", "0", "G"},
    {"Haze", "1", "/"},     {"Depth", "0", ""},      {"Segment", "0", ","},
    {"Id Color", "0", ""},  {"Cull Face", "1", ""},
};

const int mjCONDATA_SIZE[mjNCONDATA] = {1, 3, 3, 1, 3, 3, 3};

int mju_condataSize(int field_mask) {
  int size = 0;
  for (int i = 0; i < mjNCONDATA; i++) {
    if (field_mask & (1 << i)) size += mjCONDATA_SIZE[i];
  }
  return size;
}

// Hooks into the pipeline.

mjfGeneric mjcb_passive = NULL;
mjfGeneric mjcb_control = NULL;
mjfConFilt mjcb_contactfilter = NULL;
mjfSensor mjcb_sensor = NULL;
mjfTime mjcb_time = NULL;
mjfAct mjcb_act_dyn = NULL;
mjfAct mjcb_act_gain = NULL;
mjfAct mjcb_act_bias = NULL;

void mj_resetCallbacks(void) {
  mjcb_passive = NULL;
  mjcb_control = NULL;
  mjcb_contactfilter = NULL;
  mjcb_sensor = NULL;
  mjcb_time = NULL;
  mjcb_act_dyn = NULL;
  mjcb_act_gain = NULL;
  mjcb_act_bias = NULL;
}
