// What flexes are made of: kinds of elasticity in two dimensions, and materials by name.
//
// mjsFlex.elastic2d is the reference's 0 to 3, which are two bits; a third one, corten's own, says
// that bending goes by the angle between triangles (soft/bending.c).

#ifndef CT_SPEC_FLEX_MATERIAL_H_
#define CT_SPEC_FLEX_MATERIAL_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

enum {
  CT_ELASTIC_BENDS = 1,
  CT_ELASTIC_STRETCHES = 2,
  CT_ELASTIC_DIHEDRAL = 4,
};

static inline bool ct_flex_bends(const mjsFlex* v) {
  return (v->elastic2d & CT_ELASTIC_BENDS) != 0;
}

static inline bool ct_flex_stretches(const mjsFlex* v) {
  return (v->elastic2d & CT_ELASTIC_STRETCHES) != 0;
}

static inline bool ct_flex_bends_by_angle(const mjsFlex* v) {
  return ct_flex_bends(v) && (v->elastic2d & CT_ELASTIC_DIHEDRAL) != 0;
}

typedef struct ct_FlexMaterial_ {  // docs/flex.md has the sources
  double young;                    // Pa
  double poisson;
  double density;    // kg/m^3
  double thickness;  // m, of cloths and films
  double damping;    // s, of elements and bending
} ct_FlexMaterial;

// The material of a number in the table of words "flexpreset", from 1 on.
const ct_FlexMaterial* ct_flex_material(int number);

#endif  // CT_SPEC_FLEX_MATERIAL_H_
