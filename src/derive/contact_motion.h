// How a contact moves when the bodies of its two geoms move: its point, frame and distance.

#ifndef CT_DERIVE_CONTACT_MOTION_H_
#define CT_DERIVE_CONTACT_MOTION_H_

#include "derive/slopes.h"

// Linear maps of the motions (rotation; translation at the contact point) of the bodies of geom 0
// and geom 1.
typedef struct ct_ContactMotion_ {
  mjtNum point[2][6][3];  // of each side and unit motion: the contact point moves by this,
  mjtNum turn[2][6][3];   // the frame turns by this,
  mjtNum dist[2][6];      // and the distance grows by this
} ct_ContactMotion;

// The other way round: weights of point, turn and distance become those of the motions of the two
// bodies, pull.
typedef struct ct_ContactWeights_ {
  mjtNum point[3], turn[3], dist;
  mjtNum pull[2][6];
} ct_ContactWeights;

// Both are false if the contact has none. In s->reasons CT_SHAPES_BY_DIFFERENCES is set where the
// pair of shapes is nudged, CT_SHAPES_TO_TOLERANCE where an iteration found the contact.
LANE_FN bool ct_contact_motion(ct_Slopes* s, int contact, ct_ContactMotion* motion);
LANE_FN bool ct_contact_weights(ct_Slopes* s, int contact, ct_ContactWeights* weights);

#endif  // CT_DERIVE_CONTACT_MOTION_H_
