// A cable: a chain of bodies along a curve, which a composite element stands for.

#ifndef CT_MJCF_CABLE_H_
#define CT_MJCF_CABLE_H_

#include "mjcf/read.h"

typedef struct ct_CableSkin_ {
  const char* material;
  float rgba[4];
  int group;
  int subgrid;    // points between two vertices; 0 or less: none, and no middle row
  bool texcoord;  // make texture coordinates
} ct_CableSkin;

typedef struct ct_Cable_ {
  const char* prefix;        // of all names
  int count;                 // vertices; between them are count - 1 bodies
  const float* vertex;       // (count x 3)
  double offset[3];          // of the first one
  const char* initial;       // joint of the first body: "free", "none", or else a ball
  ct_Element *body, *joint;  // what all bodies are copies of, in no list
  ct_Element *geom, *site;
  ct_CableSkin skin;
} ct_Cable;

// Name of a part, in the reader's pool: "pB_first", "pB_3", "pB_last".
const char* ct_cable_name(ct_Reader* r, const ct_Cable* cable, const char* kind, int i);

void ct_make_cable(ct_Reader* r, const ct_Xml* xml, const ct_Scope* scope, const ct_Cable* cable);
void ct_make_cable_skin(ct_Reader* r, const ct_Xml* xml, const ct_Cable* cable);

#endif  // CT_MJCF_CABLE_H_
