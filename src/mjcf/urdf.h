// URDF: what the files of its reader share. A document becomes a spec as read.h says of MJCF, but
// nothing in it is checked that is not read.

#ifndef CT_MJCF_URDF_H_
#define CT_MJCF_URDF_H_

#include "mjcf/read.h"

typedef struct ct_Urdf_ {
  ct_Reader* r;
  ct_Dictionary links;      // from names to what the reader knows of them
  ct_Dictionary materials;  // from names to float[4]
  ct_Dictionary meshes;     // from names of files without folder and ending
  ct_Dictionary geoms;      // names that are taken
} ct_Urdf;

// Reads a document whose root is `robot`.
void ct_read_urdf(ct_Reader* r, ct_Xml* root);

// A child of an element, NULL if there is none; several are refused.
const ct_Xml* ct_urdf_child(ct_Reader* r, const ct_Xml* xml, const char* name);
const ct_Xml* ct_urdf_required_child(ct_Reader* r, const ct_Xml* xml, const char* name);

// Exactly n numbers of an attribute; false: it is not there. The second: it must be.
bool ct_urdf_numbers(ct_Reader* r, const ct_Xml* xml, const char* name, double* number, int n);
void ct_urdf_required_numbers(ct_Reader* r, const ct_Xml* xml, const char* name, double* number,
                              int n);

// Pose of the child `origin`; without one, zero and the identity.
void ct_urdf_origin(ct_Reader* r, const ct_Xml* xml, double pos[3], double quat[4]);

// Colours of all materials in the document, by name; the first of a name counts.
void ct_urdf_materials(ct_Urdf* u, const ct_Xml* root);

// What is to be seen of a link, and what collides.
void ct_urdf_shapes(ct_Urdf* u, const ct_Xml* link, ct_Body* body);

#endif  // CT_MJCF_URDF_H_
