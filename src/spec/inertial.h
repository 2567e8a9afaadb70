// Inertials of bodies that become one.

#ifndef CT_SPEC_INERTIAL_H_
#define CT_SPEC_INERTIAL_H_

#include "spec/spec.h"

// Adds the inertial that was given for a body to that of the body around it, which has one of its
// own afterwards, instead of that of its geoms if it had none.
void ct_merge_inertial(ct_Element* into, const ct_Element* from);

#endif  // CT_SPEC_INERTIAL_H_
