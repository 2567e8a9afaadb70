// Built-in values of every element type, as the table of types (kinds.c) and the public mjs_default
// functions (initial_values.c) share them.

#ifndef CT_SPEC_KINDS_H_
#define CT_SPEC_KINDS_H_

#include "spec/spec.h"

extern const mjSpec ct_initial_spec;
extern const mjsBody ct_initial_body;
extern const mjsFrame ct_initial_frame;
extern const mjsJoint ct_initial_joint;
extern const mjsGeom ct_initial_geom;
extern const mjsSite ct_initial_site;
extern const mjsCamera ct_initial_camera;
extern const mjsLight ct_initial_light;
extern const mjsFlex ct_initial_flex;
extern const mjsMesh ct_initial_mesh;
extern const mjsHField ct_initial_hfield;
extern const mjsSkin ct_initial_skin;
extern const mjsTexture ct_initial_texture;
extern const mjsMaterial ct_initial_material;
extern const mjsPair ct_initial_pair;
extern const mjsExclude ct_initial_exclude;
extern const mjsEquality ct_initial_equality;
extern const mjsTendon ct_initial_tendon;
extern const mjsWrap ct_initial_wrap;
extern const mjsActuator ct_initial_actuator;
extern const mjsSensor ct_initial_sensor;
extern const mjsNumeric ct_initial_numeric;
extern const mjsText ct_initial_text;
extern const mjsTuple ct_initial_tuple;
extern const mjsKey ct_initial_key;
extern const mjsPlugin ct_initial_plugin;

#endif  // CT_SPEC_KINDS_H_
