// composite: what the element says about a cable, the only kind that is still made.
//
// A cable's vertices are given, or lie on a curve: each coordinate is the arc length, a circle's
// cosine or sine, or zero. Default classes have no part in it: what all joints, geoms and sites
// have in common stands inside the element itself.

#include <string.h>

#include "math/strict.h"
#include "mjcf/cable.h"
#include "spec/pose.h"
#include "spec/references.h"

enum {
  MOST_VERTICES = 10000,  // far beyond what can be compiled: bodies nest 1023 deep
};

// Kinds that are no longer made, and what takes their place.
static const struct {
  const char *type, *instead;
} gone[] = {{"particle", "replicate"},
            {"grid", "flexcomp"},
            {"rope", "composite of type cable"},
            {"loop", "flexcomp"},
            {"cloth", "flexcomp"}};

static void check_type(ct_Reader* r, const ct_Xml* xml) {
  int value;
  const char* type = ct_required(r, xml, "type");
  ct_read_word(r, xml, "type", "composite", &value);
  for (size_t i = 0; i < sizeof(gone) / sizeof(gone[0]); i++) {
    if (!strcmp(type, gone[i].type)) {
      ct_refuse(r, xml, "type", "composites of type %s are no longer made; use %s", type,
                gone[i].instead);
    }
  }
}

// Parts

// The element without an attribute that has no effect, not even as a mistake.
static ct_Xml without(ct_Reader* r, const ct_Xml* xml, const char* name) {
  ct_Xml rest = *xml;
  size_t n = (size_t)xml->nattribute;
  rest.attribute = (ct_XmlAttribute*)ct_pool_array(&r->pool, n + 1, sizeof(ct_XmlAttribute));
  rest.nattribute = 0;
  for (int i = 0; i < xml->nattribute; i++) {
    if (strcmp(xml->attribute[i].name, name)) rest.attribute[rest.nattribute++] = xml->attribute[i];
  }
  return rest;
}

static void read_joint(ct_Reader* r, const ct_Xml* xml, mjsJoint* joint) {
  int kind;
  double unused[5];
  const ct_Xml* child = ct_first_child(xml, "joint");
  joint->group = 3;
  if (child) {
    ct_Xml rest = without(r, child, "limited");
    ct_read_rows(r, &rest, joint);
    ct_read_word(r, child, "kind", "kind", &kind);
    ct_read_reals(r, child, "solreffix", unused, 1, 2);
    ct_read_reals(r, child, "solimpfix", unused, 1, 5);
    for (const ct_Xml* next = child->next; next; next = next->next) {
      if (!strcmp(next->name, "joint")) ct_refuse(r, next, NULL, "a cable has one kind of joint");
    }
  }
  joint->type = mjJNT_BALL;
}

static void read_geom(ct_Reader* r, const ct_Xml* xml, int count, mjsGeom* geom) {
  const ct_Xml* child = ct_first_child(xml, "geom");
  if (child) ct_read_rows(r, child, geom);
  if (geom->type != mjGEOM_CAPSULE && geom->type != mjGEOM_CYLINDER && geom->type != mjGEOM_BOX) {
    ct_refuse(r, child ? child : xml, NULL, "geoms of a cable are capsules, cylinders or boxes");
  }
  if (geom->type == mjGEOM_BOX && count == 2) {
    ct_refuse(r, child, NULL, "the skin of a cable of boxes needs 4 vertices or more, got 2");
  }
}

static void read_site(ct_Reader* r, const ct_Xml* xml, mjsSite* site) {
  const ct_Xml* child = ct_first_child(xml, "site");
  site->group = 3;
  if (child) ct_read_rows(r, child, site);
}

static void read_skin(ct_Reader* r, const ct_Xml* xml, ct_CableSkin* skin) {
  const ct_Xml* child = ct_first_child(xml, "skin");
  int texcoord;
  float unused;
  skin->material = "";
  for (int i = 0; i < 4; i++) skin->rgba[i] = 1;
  if (!child) return;
  if (ct_read_word(r, child, "texcoord", "truth", &texcoord)) skin->texcoord = texcoord != 0;
  if (ct_given(child, "material")) skin->material = ct_given(child, "material");
  if (ct_read_int(r, child, "group", &skin->group) &&
      (skin->group < 0 || skin->group >= mjNGROUP)) {
    ct_refuse(r, child, "group", "group is %d; groups are 0 to %d", skin->group, mjNGROUP - 1);
  }
  ct_read_floats(r, child, "rgba", skin->rgba, 4, 4);
  ct_read_floats(r, child, "inflate", &unused, 1, 1);
  ct_read_int(r, child, "subgrid", &skin->subgrid);
}

// One instance serves all bodies.
static void read_plugin(ct_Reader* r, const ct_Xml* xml, const char* prefix, mjsPlugin* plugin) {
  const ct_Xml* child = ct_first_child(xml, "plugin");
  if (!child) return;
  const char* name = ct_given(child, "plugin");
  if (!name || strcmp(name, "mujoco.elasticity.cable"))
    ct_refuse(r, child, "plugin", "the plugin of a cable is mujoco.elasticity.cable");
  ct_read_plugin(r, child, plugin);
  if (!plugin->element) return;
  ct_String* text = ct_str(plugin->name);
  ct_string_set(text, "composite");
  ct_Rename rename = {"", prefix};
  ct_rename(text, &rename);
  ct_set_name(ct_element(plugin->element), ct_string_get(text));
}

// Vertices

typedef enum { ZERO, LENGTH, COSINE, SINE } Shape;

static Shape shape_of(ct_Reader* r, const ct_Xml* xml, const char* word) {
  static const char* const names[] = {"0", "s", "cos(s)", "sin(s)"};
  for (int i = 0; i < 4; i++) {
    if (!strcmp(word, names[i])) return (Shape)i;
  }
  ct_refuse(r, xml, "curve", "curve has \"%.40s\"; it can have s, cos(s), sin(s) or 0", word);
}

// Blanks behind the last word count as that word once more.
static void read_curve(ct_Reader* r, const ct_Xml* xml, Shape curve[3]) {
  int n;
  const char* text = ct_given(xml, "curve");
  if (!text || !*text) return;
  char** word = ct_split(r, text, &n);
  if (n == 0) ct_refuse(r, xml, "curve", "curve has no words; it can have s, cos(s), sin(s) or 0");
  if (n > 3) ct_refuse(r, xml, "curve", "curve takes 1 to 3 words, got %d", n);
  for (int i = 0; i < n; i++) curve[i] = shape_of(r, xml, word[i]);
  bool blank_behind = strchr(" \t\n\v\f\r", text[strlen(text) - 1]) != NULL;
  if (blank_behind && n == 3) ct_refuse(r, xml, "curve", "curve has blanks behind its three words");
  if (blank_behind) curve[n] = curve[n - 1];
}

static double coordinate(Shape shape, const double size[3], int i, int last) {
  double sine, cosine;
  ct_sincos64(&sine, &cosine, mjPI * i * size[2] / last);
  switch (shape) {
    case LENGTH:
      return i * size[0] / last;
    case COSINE:
      return size[1] * cosine;
    case SINE:
      return size[1] * sine;
    default:
      return 0;
  }
}

static void follow_curve(ct_Reader* r, const ct_Xml* xml, const double size[3], ct_Cable* cable) {
  Shape curve[3] = {ZERO, ZERO, ZERO};
  double quat[4] = {1, 0, 0, 0};
  read_curve(r, xml, curve);
  ct_read_reals(r, xml, "quat", quat, 4, 4);
  float* vertex = (float*)ct_pool_array(&r->pool, (size_t)cable->count * 3, sizeof(float));
  for (int i = 0; i < cable->count; i++) {
    double point[3];
    for (int k = 0; k < 3; k++) point[k] = coordinate(curve[k], size, i, cable->count - 1);
    ct_turn(point, point, quat);
    for (int k = 0; k < 3; k++) vertex[3 * i + k] = (float)point[k];
  }
  cable->vertex = vertex;
}

static void check_counts(ct_Reader* r, const ct_Xml* xml, const int count[3]) {
  for (int i = 0; i < 3; i++) {
    if (count[i] < 1) ct_refuse(r, xml, "count", "count has %d; it must be positive", count[i]);
  }
}

static void check_shape(ct_Reader* r, const ct_Xml* xml, const int count[3]) {
  if (count[0] < 2 || count[1] > 1 || count[2] > 1) {
    ct_refuse(r, xml, "count", "a cable needs 2 vertices or more, in one row; got %d x %d x %d",
              count[0], count[1], count[2]);
  }
  if (count[0] == 3) {
    ct_refuse(r, xml, "count", "a cable of 3 vertices cannot be made; 2, or 4 and more, can");
  }
  if (count[0] > MOST_VERTICES) {
    ct_refuse(r, xml, "count", "a cable of %d vertices is too long; %d is the most", count[0],
              MOST_VERTICES);
  }
}

static void read_vertices(ct_Reader* r, const ct_Xml* xml, ct_Cable* cable) {
  int count[3] = {1, 1, 1}, n;
  double size[3] = {1, 0, 0};
  ct_read_ints(r, xml, "count", count, 1, 3);
  ct_read_reals(r, xml, "size", size, 1, 3);
  check_counts(r, xml, count);
  cable->vertex = ct_read_all_floats(r, xml, "vertex", &n);
  if (cable->vertex) {
    if (count[0] > 1) ct_refuse(r, xml, "vertex", "vertex and count both say how many there are");
    count[0] = n / 3;
    count[1] = 1;
  } else if (ct_dot64(size, size) < 1e-15) {
    ct_refuse(r, xml, "size", "size is zero");
  }
  check_shape(r, xml, count);
  cable->count = count[0];
  if (!cable->vertex) follow_curve(r, xml, size, cable);
}

void ct_read_composite(ct_Reader* r, const ct_Xml* xml, const ct_Scope* scope) {
  ct_Cable cable = {0};
  check_type(r, xml);
  cable.prefix = ct_given(xml, "prefix") ? ct_given(xml, "prefix") : "";
  cable.initial = ct_given(xml, "initial") ? ct_given(xml, "initial") : "";
  cable.body = ct_element_make(r->spec, mjOBJ_BODY, NULL);
  cable.joint = ct_element_make(r->spec, mjOBJ_JOINT, NULL);
  cable.geom = ct_element_make(r->spec, mjOBJ_GEOM, NULL);
  cable.site = ct_element_make(r->spec, mjOBJ_SITE, NULL);
  ct_read_reals(r, xml, "offset", cable.offset, 3, 3);
  read_joint(r, xml, CT_VALUES(mjsJoint, cable.joint));
  read_skin(r, xml, &cable.skin);
  read_site(r, xml, CT_VALUES(mjsSite, cable.site));
  read_vertices(r, xml, &cable);
  read_geom(r, xml, cable.count, CT_VALUES(mjsGeom, cable.geom));
  read_plugin(r, xml, cable.prefix, &CT_VALUES(mjsBody, cable.body)->plugin);
  ct_make_cable(r, xml, scope, &cable);
}
