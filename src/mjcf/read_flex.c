// Flexes that are written out: their bodies, vertices and elements are given.

#include <string.h>

#include "mjcf/read.h"
#include "spec/flex_material.h"

static void read_bodies(ct_Reader* r, const ct_Xml* xml, const char* attribute,
                        mjStringVec* names) {
  int n;
  const char* text = ct_given(xml, attribute);
  if (!text) return;
  char** word = ct_split(r, text, &n);
  for (int i = 0; i < n; i++) ct_strings_append((ct_Vector*)names, word[i]);
}

// Oddity of the reference: vertcollide and passive get the value of internal if that is given, else
// of flatskin. Where neither is given it takes what happens to be in memory; here they count.
static void repeat_truth(ct_Reader* r, const ct_Xml* xml, const ct_Xml* contact, mjsFlex* flex) {
  int truth;
  if (!ct_read_word(r, contact, "internal", "truth", &truth) &&
      !ct_read_word(r, xml, "flatskin", "truth", &truth)) {
    return;
  }
  if (ct_given(contact, "vertcollide")) flex->vertcollide = truth;
  if (ct_given(contact, "passive")) flex->passive = truth;
}

// Numbers of a material for what is not given.
static void take_material(const ct_Xml* xml, const ct_FlexMaterial* material, mjsFlex* flex) {
  if (!ct_given(xml, "young")) flex->young = material->young;
  if (!ct_given(xml, "poisson")) flex->poisson = material->poisson;
  if (!ct_given(xml, "damping")) flex->damping = material->damping;
  if (!ct_given(xml, "thickness")) flex->thickness = material->thickness;
}

void ct_read_flex_material(ct_Reader* r, const ct_Xml* xml, mjsFlex* flex, int* preset) {
  int dihedral = 0, number = 0;
  if (strcmp(xml->name, "elasticity") != 0) return;
  if (ct_read_word(r, xml, "preset", "flexpreset", &number)) {
    take_material(xml, ct_flex_material(number), flex);
    *preset = number;
  }
  ct_read_word(r, xml, "bending", "flexbending", &dihedral);
  if (!dihedral) return;
  if (!ct_flex_bends(flex)) {
    ct_refuse(r, xml, "bending", "bending needs elastic2d bend or both");
  }
  flex->elastic2d |= CT_ELASTIC_DIHEDRAL;
}

void ct_read_flex(ct_Reader* r, const ct_Xml* xml) {
  ct_Element* e = ct_read_element(r, xml, mjOBJ_FLEX);
  mjsFlex* flex = CT_VALUES(mjsFlex, e);
  read_bodies(r, xml, "body", flex->vertbody);
  read_bodies(r, xml, "node", flex->nodebody);
  int preset;
  for (const ct_Xml* part = xml->first; part; part = part->next) {
    ct_read_rows(r, part, flex);
    ct_read_flex_material(r, part, flex, &preset);
    if (!strcmp(part->name, "contact")) repeat_truth(r, xml, part, flex);
  }
  int truth;
  if (ct_read_word(r, xml, "passive", "truth", &truth)) flex->passive = truth;
}
