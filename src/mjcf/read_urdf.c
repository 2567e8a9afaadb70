// URDF: links become bodies, joints become joints, and the order of bodies is that of a walk from
// the links that are nobody's child. What is drawn and what collides: urdf_shapes.c.
//
// As in the reference, a link named `world` is the world, there is no free joint unless the file
// says `floating`, and mimic, transmissions and the like have no effect.

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "mjcf/urdf.h"
#include "spec/pose.h"

typedef struct Link_ Link;

typedef struct Joint_ {
  const ct_Xml* xml;
  Link *parent, *child;
  struct Joint_* next;  // of the same parent
} Joint;

struct Link_ {
  const ct_Xml* xml;
  const char* name;
  ct_Body* body;
  const Joint* joint;  // whose child it is; NULL: a root
  Joint *first, *last;
  int depth;  // links above it
};

enum { MOST_DEPTH = 1022 };  // as many bodies inside each other as can be compiled

// Values

const ct_Xml* ct_urdf_child(ct_Reader* r, const ct_Xml* xml, const char* name) {
  const ct_Xml* found = ct_first_child(xml, name);
  for (const ct_Xml* other = found ? found->next : NULL; other; other = other->next) {
    if (!strcmp(other->name, name)) ct_refuse(r, other, NULL, "there can be one %s only", name);
  }
  return found;
}

const ct_Xml* ct_urdf_required_child(ct_Reader* r, const ct_Xml* xml, const char* name) {
  const ct_Xml* found = ct_urdf_child(r, xml, name);
  if (!found) ct_refuse(r, xml, NULL, "%s is missing", name);
  return found;
}

bool ct_urdf_numbers(ct_Reader* r, const ct_Xml* xml, const char* name, double* number, int n) {
  return ct_read_reals(r, xml, name, number, n, n) > 0;
}

void ct_urdf_required_numbers(ct_Reader* r, const ct_Xml* xml, const char* name, double* number,
                              int n) {
  ct_required(r, xml, name);
  if (!ct_urdf_numbers(r, xml, name, number, n)) ct_refuse(r, xml, name, "%s is empty", name);
}

// Turns about fixed x, then y, then z.
static void quat_of_rpy(double quat[4], const double rpy[3]) {
  static const double unit[4] = {1, 0, 0, 0};
  memcpy(quat, unit, sizeof(unit));
  for (int i = 0; i < 3; i++) {
    double turn[4] = {0, 0, 0, 0};
    ct_sincos64(&turn[i + 1], &turn[0], rpy[i] / 2);
    ct_quat_product(quat, turn, quat);
  }
}

void ct_urdf_origin(ct_Reader* r, const ct_Xml* xml, double pos[3], double quat[4]) {
  double rpy[3] = {0, 0, 0};
  memset(pos, 0, 3 * sizeof(double));
  const ct_Xml* origin = ct_urdf_child(r, xml, "origin");
  if (origin) {
    ct_urdf_numbers(r, origin, "xyz", pos, 3);
    ct_urdf_numbers(r, origin, "rpy", rpy, 3);
  }
  quat_of_rpy(quat, rpy);
}

// Settings

// The schema knows these elements; attributes that it does not know have no effect here.
static const ct_Xml* setting(ct_Reader* r, const ct_Xml* extension, const char* name) {
  ct_Xml* xml = (ct_Xml*)(uintptr_t)ct_urdf_child(r, extension, name);
  if (!xml) return NULL;
  xml->rule = ct_rule_below(ct_schema(), name);
  for (ct_Xml* child = xml->first; child; child = child->next) {
    child->rule = ct_rule_below(xml->rule, child->name);
    if (child->rule) ct_urdf_child(r, xml, child->name);
  }
  return xml;
}

static void read_settings(ct_Reader* r, const ct_Xml* root) {
  mjSpec* spec = &r->spec->spec;
  spec->strippath = spec->compiler.fusestatic = spec->compiler.discardvisual = 1;
  const ct_Xml* extension = ct_urdf_child(r, root, "mujoco");
  if (extension) {
    const ct_Xml* xml = setting(r, extension, "compiler");
    if (xml) ct_read_compiler(r, xml);
    xml = setting(r, extension, "option");
    if (xml) ct_read_option(r, xml);
    xml = setting(r, extension, "size");
    if (xml) ct_read_size(r, xml);
  }
  spec->compiler.degree = 0;
  const char* name = ct_given(root, "name");
  if (name) mjs_setString(spec->modelname, name);
}

// Links and joints

static Link* read_links(ct_Urdf* u, const ct_Xml* root, int* count) {
  ct_Reader* r = u->r;
  *count = 0;
  for (const ct_Xml* xml = root->first; xml; xml = xml->next) *count += !strcmp(xml->name, "link");
  Link* links = (Link*)ct_pool_array(&r->pool, (size_t)*count + 1, sizeof(Link));
  Link* link = links;
  for (const ct_Xml* xml = root->first; xml; xml = xml->next) {
    if (strcmp(xml->name, "link")) continue;
    link->xml = xml;
    link->name = ct_required(r, xml, "name");
    if (ct_dictionary_find(&u->links, link->name))
      ct_refuse(r, xml, "name", "another link has the same name");
    ct_dictionary_add(&u->links, &r->pool, link->name, link);
    link++;
  }
  return links;
}

static Link* named_link(ct_Urdf* u, const ct_Xml* joint, const char* side) {
  const ct_Xml* xml = ct_urdf_required_child(u->r, joint, side);
  const char* name = ct_required(u->r, xml, "link");
  Link* link = (Link*)ct_dictionary_find(&u->links, name);
  if (!link) ct_refuse(u->r, xml, "link", "there is no link \"%.60s\"", name);
  return link;
}

static Joint* read_joint_links(ct_Urdf* u, const ct_Xml* root, int* count) {
  ct_Reader* r = u->r;
  *count = 0;
  for (const ct_Xml* xml = root->first; xml; xml = xml->next) *count += !strcmp(xml->name, "joint");
  Joint* joints = (Joint*)ct_pool_array(&r->pool, (size_t)*count + 1, sizeof(Joint));
  Joint* joint = joints;
  for (const ct_Xml* xml = root->first; xml; xml = xml->next) {
    if (strcmp(xml->name, "joint")) continue;
    joint->xml = xml;
    joint->parent = named_link(u, xml, "parent");
    joint->child = named_link(u, xml, "child");
    if (joint->child->joint) {
      ct_refuse(r, xml, NULL, "the link \"%.60s\" is the child of another joint already",
                joint->child->name);
    }
    joint->child->joint = joint;
    if (joint->parent->last) {
      joint->parent->last->next = joint;
    } else {
      joint->parent->first = joint;
    }
    joint->parent->last = joint;
    joint++;
  }
  return joints;
}

// Bodies

static void make_body(ct_Urdf* u, Link* link, ct_Body* parent) {
  if (link->joint) link->depth = link->joint->parent->depth + 1;
  if (link->depth > MOST_DEPTH)
    ct_refuse(u->r, link->xml, NULL, "more than %d links in a row", MOST_DEPTH + 1);
  if (!strcmp(link->name, "world")) {
    link->body = u->r->spec->world;
    return;
  }
  ct_Element* e = ct_add_in_body(parent, mjOBJ_BODY, NULL);
  e->file = link->xml->file->name;
  e->line = link->xml->line;
  ct_set_name(e, link->name);
  link->body = (ct_Body*)e;
}

// Depth first, children in the order of joints.
static void make_bodies(ct_Urdf* u, Link* root) {
  make_body(u, root, u->r->spec->world);
  const Joint* joint = root->first;
  while (joint) {
    Link* link = joint->child;
    make_body(u, link, joint->parent->body);
    const Joint* next = link->first;
    while (!next && joint) {  // up to the nearest that has a sister
      next = joint->next;
      joint = next ? NULL : joint->parent == root ? NULL : joint->parent->joint;
    }
    joint = next;
  }
}

static void make_tree(ct_Urdf* u, Link* links, int count) {
  for (int i = 0; i < count; i++) {
    if (!links[i].joint) make_bodies(u, &links[i]);
  }
  for (int i = 0; i < count; i++) {
    if (!links[i].body)
      ct_refuse(u->r, links[i].xml, NULL, "the link is its own ancestor: joints form a circle");
  }
}

// A matrix that is zero stands for no inertia; only then the turn of the origin counts.
static void read_inertial(ct_Urdf* u, const ct_Xml* link, mjsBody* body) {
  static const char* const moments[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  ct_Reader* r = u->r;
  const ct_Xml* xml = ct_urdf_child(r, link, "inertial");
  if (!xml) return;
  double quat[4], inertia[6];
  bool zero = true;
  ct_urdf_origin(r, xml, body->ipos, quat);
  ct_urdf_required_numbers(r, ct_urdf_required_child(r, xml, "mass"), "value", &body->mass, 1);
  const ct_Xml* matrix = ct_urdf_required_child(r, xml, "inertia");
  for (int i = 0; i < 6; i++) {
    ct_urdf_required_numbers(r, matrix, moments[i], &inertia[i], 1);
    zero = zero && inertia[i] == 0;
  }
  body->explicitinertial = 1;
  memcpy(zero ? body->iquat : body->fullinertia, zero ? quat : inertia,
         zero ? sizeof(quat) : sizeof(inertia));
}

static void read_link(ct_Reader* r, const ct_Xml* xml, void* arg) {
  ct_Urdf* u = (ct_Urdf*)arg;
  const Link* link = (const Link*)ct_dictionary_find(&u->links, ct_required(r, xml, "name"));
  read_inertial(u, xml, CT_VALUES(mjsBody, &link->body->element));
  ct_urdf_shapes(u, xml, link->body);
}

// Joints

typedef enum { HINGE, SLIDE, FIXED, FREE, PLANAR, BALL } Type;

static Type type_of(ct_Reader* r, const ct_Xml* xml) {
  static const struct {
    const char* name;
    Type type;
  } types[] = {{"revolute", HINGE}, {"continuous", HINGE}, {"prismatic", SLIDE}, {"fixed", FIXED},
               {"floating", FREE},  {"planar", PLANAR},    {"spherical", BALL}};
  const char* name = ct_required(r, xml, "type");
  for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
    if (!strcmp(types[i].name, name)) return types[i].type;
  }
  ct_refuse(r, xml, "type",
            "type is \"%.40s\"; it can be revolute, continuous, prismatic, fixed, floating, planar "
            "or spherical",
            name);
}

static mjsJoint* add_joint(ct_Reader* r, const Joint* joint, mjtJoint type, const double axis[3],
                           const char* ending) {
  ct_Element* e = ct_add_in_body(joint->child->body, mjOBJ_JOINT, NULL);
  mjsJoint* v = CT_VALUES(mjsJoint, e);
  const char* name = ct_required(r, joint->xml, "name");
  size_t room = strlen(name) + strlen(ending) + 1;
  char* whole = (char*)ct_pool_alloc(&r->pool, room);
  snprintf(whole, room, "%s%s", name, ending);
  e->file = joint->xml->file->name;
  e->line = joint->xml->line;
  ct_set_name(e, whole);  // a clash is a mistake of compilation
  v->type = type;
  memcpy(v->axis, axis, sizeof(v->axis));
  return v;
}

// Two slides along the axes that the rotation from z to the axis makes of x and y, then a hinge.
static int add_planar(ct_Reader* r, const Joint* joint, const double axis[3], mjsJoint* made[3]) {
  double direction[3], quat[4], m[9];
  memcpy(direction, axis, sizeof(direction));
  ct_normalize64(direction, 3);
  ct_quat_to_z(quat, direction);
  ct_quat_matrix(m, quat);
  double x[3] = {m[0], m[3], m[6]}, y[3] = {m[1], m[4], m[7]};
  made[0] = add_joint(r, joint, mjJNT_SLIDE, x, "_TX");
  made[1] = add_joint(r, joint, mjJNT_SLIDE, y, "_TY");
  made[2] = add_joint(r, joint, mjJNT_HINGE, axis, "_RZ");
  return 3;
}

static void read_limit(ct_Reader* r, const ct_Xml* xml, mjsJoint* joint) {
  double effort = 0;
  bool lower = ct_urdf_numbers(r, xml, "lower", &joint->range[0], 1);
  bool upper = ct_urdf_numbers(r, xml, "upper", &joint->range[1], 1);
  if (lower != upper || joint->range[0] > joint->range[1]) joint->limited = mjLIMITED_FALSE;
  ct_urdf_numbers(r, xml, "effort", &effort, 1);
  if (fabs(effort) > 0) {
    joint->actfrcrange[0] = -fabs(effort);
    joint->actfrcrange[1] = fabs(effort);
  }
}

static void read_joint_values(ct_Reader* r, const ct_Xml* xml, mjsJoint* const* made, int count) {
  const ct_Xml* limit = ct_urdf_child(r, xml, "limit");
  if (limit) read_limit(r, limit, made[0]);
  const ct_Xml* dynamics = ct_urdf_child(r, xml, "dynamics");
  if (!dynamics) return;
  for (int i = 0; i < count; i++) {
    ct_urdf_numbers(r, dynamics, "damping", &made[i]->damping, 1);
    ct_urdf_numbers(r, dynamics, "friction", &made[i]->frictionloss, 1);
  }
}

static void read_joint(ct_Reader* r, const ct_Xml* xml, void* arg) {
  const Joint* joint = (const Joint*)arg;
  mjsBody* body = CT_VALUES(mjsBody, &joint->child->body->element);
  double axis[3] = {1, 0, 0};
  mjsJoint* made[3];
  int count = 1;
  ct_required(r, xml, "name");
  Type type = type_of(r, xml);
  ct_urdf_origin(r, xml, body->pos, body->quat);
  const ct_Xml* given = ct_urdf_child(r, xml, "axis");
  if (given) ct_urdf_required_numbers(r, given, "xyz", axis, 3);
  switch (type) {
    case HINGE:
      made[0] = add_joint(r, joint, mjJNT_HINGE, axis, "");
      break;
    case SLIDE:
      made[0] = add_joint(r, joint, mjJNT_SLIDE, axis, "");
      break;
    case FREE:
      made[0] = add_joint(r, joint, mjJNT_FREE, axis, "");
      break;
    case BALL:
      made[0] = add_joint(r, joint, mjJNT_BALL, axis, "");
      break;
    case PLANAR:
      count = add_planar(r, joint, axis, made);
      break;
    default:
      return;
  }
  read_joint_values(r, xml, made, count);
}

void ct_read_urdf(ct_Reader* r, ct_Xml* root) {
  ct_Urdf u = {.r = r};
  int nlink, njoint;
  read_settings(r, root);
  ct_urdf_materials(&u, root);
  Link* links = read_links(&u, root, &nlink);
  Joint* joints = read_joint_links(&u, root, &njoint);
  make_tree(&u, links, nlink);
  for (int i = 0; i < nlink; i++) ct_guarded(r, read_link, links[i].xml, &u);
  for (int i = 0; i < njoint; i++) ct_guarded(r, read_joint, joints[i].xml, &joints[i]);
}
