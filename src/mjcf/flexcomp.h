// flexcomp while it is read: what the element says, and the points and elements that follow.
//
// read_flexcomp.c reads it, flex_points.c or a file gives it points and elements, flex_pins.c finds
// the points that stay where they are, and flex_bodies.c makes the bodies and the flex.

#ifndef CT_MJCF_FLEXCOMP_H_
#define CT_MJCF_FLEXCOMP_H_

#include "mjcf/read.h"

typedef enum ct_FlexcompType_ {  // as in the table of words
  CT_FLEXCOMP_GRID,
  CT_FLEXCOMP_BOX,
  CT_FLEXCOMP_CYLINDER,
  CT_FLEXCOMP_ELLIPSOID,
  CT_FLEXCOMP_SQUARE,
  CT_FLEXCOMP_DISC,
  CT_FLEXCOMP_CIRCLE,
  CT_FLEXCOMP_MESH,
  CT_FLEXCOMP_GMSH,
  CT_FLEXCOMP_DIRECT,
} ct_FlexcompType;

typedef enum ct_FlexDof_ {
  CT_FLEXDOF_FULL,
  CT_FLEXDOF_RADIAL,
  CT_FLEXDOF_TRILINEAR,
  CT_FLEXDOF_QUADRATIC,
} ct_FlexDof;

enum { CT_FLEX_MOST_POINTS = 1000000 };  // far beyond what is of use, and short of what overflows

typedef struct ct_Flexcomp_ {
  mjsFlex flex;  // values of the flex to be; strings and vectors are the element's own
  ct_Element* element;
  const ct_Xml* xml;

  // what the element says
  int type, dof;
  int count[3];
  double spacing[3], scale[3];
  mjtByte rigid;  // or all points are pinned
  double mass, inertiabox;
  double density;  // 0: mass counts
  int preset;      // 0: none
  double pos[3], quat[4], origin[3];
  mjsOrientation alt;
  int equality;  // 1: of edges, 2: of vertices
  mjtNum solref[mjNREF], solimp[mjNIMP];

  // points (npoint x 3), elements (nelem x (dim + 1)), texture coordinates (ntexcoord), all in the
  // reader's pool
  double* point;
  int* elem;
  float* texcoord;
  int npoint, nelem, ntexcoord;
  size_t point_room, elem_room, texcoord_room;

  bool* pinned;            // (npoint, or nodes if these are more)
  bool centred;            // no point is pinned
  double low[3], high[3];  // corners of the box around all points, where control points are
} ct_Flexcomp;

static inline bool ct_flexcomp_interpolated(const ct_Flexcomp* comp) {
  return comp->dof == CT_FLEXDOF_TRILINEAR || comp->dof == CT_FLEXDOF_QUADRATIC;
}

// Control points along an axis.
static inline int ct_flexcomp_order(const ct_Flexcomp* comp) {
  return comp->dof == CT_FLEXDOF_TRILINEAR ? 1 : comp->dof == CT_FLEXDOF_QUADRATIC ? 2 : 0;
}

// Do points come from the element or a file, and not from count and spacing?
static inline bool ct_flexcomp_given(const ct_Flexcomp* comp) {
  return comp->type >= CT_FLEXCOMP_MESH;
}

// One more point or element, refused when there are too many.
void ct_flexcomp_add_point(ct_Reader* r, ct_Flexcomp* comp, const double point[3]);
void ct_flexcomp_add_element(ct_Reader* r, ct_Flexcomp* comp, const int* vertex);
void ct_flexcomp_add_texcoord(ct_Reader* r, ct_Flexcomp* comp, double u, double v);

// Points and elements of the types that count and spacing describe.
void ct_flexcomp_make_points(ct_Reader* r, ct_Flexcomp* comp);

// Points and elements of a file.
void ct_flexcomp_read_mesh(ct_Reader* r, ct_Flexcomp* comp);
void ct_flexcomp_read_gmsh(ct_Reader* r, ct_Flexcomp* comp);

// Which points stay where they are, by all pin elements.
void ct_flexcomp_pin(ct_Reader* r, ct_Flexcomp* comp);

// Points that no element uses are gone afterwards.
void ct_flexcomp_drop_unused(ct_Reader* r, ct_Flexcomp* comp);

// Bodies, flex and equality.
void ct_flexcomp_make(ct_Reader* r, const ct_Scope* scope, ct_Flexcomp* comp);

#endif  // CT_MJCF_FLEXCOMP_H_
