// Constraints between elements: contact pairs and exclusions, equalities, and tendons.

#include <string.h>

#include "mjcf/read.h"

// Contact

static void read_contact(ct_Reader* r, const ct_Xml* xml, void* arg) {
  (void)arg;
  if (!strcmp(xml->name, "pair")) ct_read_element(r, xml, mjOBJ_PAIR);
  if (!strcmp(xml->name, "exclude")) ct_read_element(r, xml, mjOBJ_EXCLUDE);
}

void ct_read_contact(ct_Reader* r, const ct_Xml* section) {
  for (const ct_Xml* xml = section->first; xml; xml = xml->next)
    ct_guarded(r, read_contact, xml, NULL);
}

// Equality

static void set_names(mjsEquality* equality, mjtObj type, const char* name1, const char* name2) {
  equality->objtype = type;
  if (name1) mjs_setString(equality->name1, name1);
  if (name2) mjs_setString(equality->name2, name2);
}

// Connect and weld hold two bodies or two sites. true: sites.
static bool read_sides(ct_Reader* r, const ct_Xml* xml, mjsEquality* equality) {
  const char *body1 = ct_given(xml, "body1"), *body2 = ct_given(xml, "body2");
  const char *site1 = ct_given(xml, "site1"), *site2 = ct_given(xml, "site2");
  bool bodies = body1 || body2 || ct_given(xml, "anchor") || ct_given(xml, "relpose");
  bool needs_anchor = equality->type == mjEQ_CONNECT;
  if ((site1 || site2) && bodies)
    ct_refuse(r, xml, NULL, "it holds either bodies or sites, not both");
  if (site1 && site2) {
    set_names(equality, mjOBJ_SITE, site1, site2);
    return true;
  }
  if (!body1 || (needs_anchor && !ct_given(xml, "anchor"))) {
    ct_refuse(r, xml, NULL, "needs body1%s, or site1 and site2", needs_anchor ? " and anchor" : "");
  }
  set_names(equality, mjOBJ_BODY, body1, body2);
  return false;
}

static void read_connect(ct_Reader* r, const ct_Xml* xml, mjsEquality* equality) {
  equality->type = mjEQ_CONNECT;
  if (read_sides(r, xml, equality)) return;
  if (!ct_read_reals(r, xml, "anchor", equality->data, 3, 3))
    ct_refuse(r, xml, "anchor", "anchor is empty");
}

static void read_weld(ct_Reader* r, const ct_Xml* xml, mjsEquality* equality) {
  equality->type = mjEQ_WELD;
  if (!read_sides(r, xml, equality)) {
    if (!ct_read_reals(r, xml, "anchor", equality->data, 3, 3))
      memset(equality->data, 0, 3 * sizeof(double));
    ct_read_reals(r, xml, "relpose", equality->data + 3, 7, 7);
  }
  ct_read_real(r, xml, "torquescale", equality->data + 10);
}

static void read_distance(ct_Reader* r, const ct_Xml* xml, mjsEquality* equality) {
  equality->type = mjEQ_DISTANCE;
  set_names(equality, mjOBJ_SITE, ct_given(xml, "site1"), ct_given(xml, "site2"));
  memset(equality->data, 0, sizeof(equality->data));
  ct_read_real(r, xml, "distance", equality->data);
}

static void read_follower(ct_Reader* r, const ct_Xml* xml, mjsEquality* equality, mjtEq type,
                          const char* first, const char* second) {
  equality->type = type;
  set_names(equality, mjOBJ_UNKNOWN, ct_given(xml, first), ct_given(xml, second));
  ct_read_reals(r, xml, "polycoef", equality->data, 1, 5);
}

static void read_flex(const ct_Xml* xml, mjsEquality* equality, mjtEq type) {
  equality->type = type;
  set_names(equality, mjOBJ_UNKNOWN, ct_given(xml, "flex"), NULL);
}

static void read_equality(ct_Reader* r, const ct_Xml* xml, void* arg) {
  (void)arg;
  mjsEquality* equality = CT_VALUES(mjsEquality, ct_read_element(r, xml, mjOBJ_EQUALITY));
  if (!strcmp(xml->name, "connect")) read_connect(r, xml, equality);
  if (!strcmp(xml->name, "weld")) read_weld(r, xml, equality);
  if (!strcmp(xml->name, "joint")) read_follower(r, xml, equality, mjEQ_JOINT, "joint1", "joint2");
  if (!strcmp(xml->name, "tendon"))
    read_follower(r, xml, equality, mjEQ_TENDON, "tendon1", "tendon2");
  if (!strcmp(xml->name, "flex")) read_flex(xml, equality, mjEQ_FLEX);
  if (!strcmp(xml->name, "flexvert")) read_flex(xml, equality, mjEQ_FLEXVERT);
  if (!strcmp(xml->name, "distance")) read_distance(r, xml, equality);
}

void ct_read_equality(ct_Reader* r, const ct_Xml* section) {
  for (const ct_Xml* xml = section->first; xml; xml = xml->next) {
    if (xml->rule) ct_guarded(r, read_equality, xml, NULL);
  }
}

// Tendon

// One number stands for both ends of the range without force.
void ct_read_tendon_values(ct_Reader* r, const ct_Xml* xml, mjsTendon* tendon) {
  if (ct_read_reals(r, xml, "springlength", tendon->springlength, 1, 2) == 1) {
    tendon->springlength[1] = tendon->springlength[0];
  }
}

static void read_path(ct_Reader* r, const ct_Xml* xml, mjsTendon* tendon) {
  double number = 0;
  mjsWrap* wrap = NULL;
  ct_require(r, xml);
  if (!strcmp(xml->name, "site")) {
    wrap = mjs_wrapSite(tendon, ct_given(xml, "site"));
  } else if (!strcmp(xml->name, "geom")) {
    wrap = mjs_wrapGeom(tendon, ct_given(xml, "geom"), ct_given(xml, "sidesite"));
  } else if (!strcmp(xml->name, "pulley")) {
    if (!ct_read_real(r, xml, "divisor", &number)) ct_refuse(r, xml, "divisor", "divisor is empty");
    wrap = mjs_wrapPulley(tendon, number);
  } else {
    if (!ct_read_real(r, xml, "coef", &number)) ct_refuse(r, xml, "coef", "coef is empty");
    wrap = mjs_wrapJoint(tendon, ct_given(xml, "joint"), number);
  }
  ct_element(wrap->element)->file = xml->file->name;
  ct_element(wrap->element)->line = xml->line;
}

static void read_tendon(ct_Reader* r, const ct_Xml* xml, void* arg) {
  (void)arg;
  mjsTendon* tendon = CT_VALUES(mjsTendon, ct_read_element(r, xml, mjOBJ_TENDON));
  ct_read_tendon_values(r, xml, tendon);
  for (const ct_Xml* part = xml->first; part; part = part->next) {
    if (part->rule) read_path(r, part, tendon);
  }
}

void ct_read_tendon(ct_Reader* r, const ct_Xml* section) {
  for (const ct_Xml* xml = section->first; xml; xml = xml->next) {
    if (xml->rule) ct_guarded(r, read_tendon, xml, NULL);
  }
}
