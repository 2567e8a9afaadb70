// From the vertices of a cable to its bodies, joints, geoms, sites and excludes.
//
// Every body lies along the edge from one vertex to the next, with its x axis on the tangent. The
// other two axes of the first body come from its bend towards the second; from there on they are
// carried along by the smallest turn from tangent to tangent, so that the cable starts without
// twist.

#include "mjcf/cable.h"

#include <stdio.h>
#include <string.h>

#include "math/strict.h"
#include "spec/pose.h"

// Frames along the curve

typedef struct {
  double tangent[3], normal[3];
  double length;   // of the edge
  double quat[4];  // of the body, seen from the composite
} Edge;

// Vertices and the differences between them are in single precision.
static double edge_of(const ct_Cable* cable, int i, double tangent[3]) {
  const float* v = cable->vertex + 3 * i;
  for (int k = 0; k < 3; k++) {
    float difference = v[3 + k] - v[k];
    tangent[k] = (double)difference;
  }
  return ct_normalize64(tangent, 3);
}

static void first_normal(const ct_Cable* cable, Edge* edge, double binormal[3]) {
  double next[3] = {0, 0, 0};
  if (cable->count > 2) edge_of(cable, 1, next);
  ct_cross64(binormal, edge->tangent, next);
  ct_normalize64(binormal, 3);
  ct_cross64(edge->normal, binormal, edge->tangent);
  ct_normalize64(edge->normal, 3);
}

// Turns the normal by what turns one tangent into the next.
static void carry_normal(const Edge* before, Edge* edge, double binormal[3]) {
  double axis[3], turn[4] = {1, 0, 0, 0};
  ct_cross64(axis, before->tangent, edge->tangent);
  double sine = ct_normalize64(axis, 3);
  double angle = ct_atan264(sine, ct_dot64(before->tangent, edge->tangent));
  if (angle != 0) {
    double half;
    ct_sincos64(&half, &turn[0], angle / 2);
    for (int k = 0; k < 3; k++) turn[k + 1] = axis[k] * half;
  }
  ct_turn(edge->normal, before->normal, turn);
  ct_normalize64(edge->normal, 3);
  ct_cross64(binormal, edge->tangent, edge->normal);
  ct_normalize64(binormal, 3);
}

static Edge make_edge(const ct_Cable* cable, int i, const Edge* before) {
  Edge edge;
  double binormal[3];
  edge.length = edge_of(cable, i, edge.tangent);
  if (i == 0) {
    first_normal(cable, &edge, binormal);
  } else {
    carry_normal(before, &edge, binormal);
  }
  ct_quat_of_axes(edge.quat, edge.tangent, edge.normal, binormal);
  return edge;
}

// Elements

const char* ct_cable_name(ct_Reader* r, const ct_Cable* cable, const char* kind, int i) {
  size_t room = strlen(cable->prefix) + strlen(kind) + 16;
  char* name = (char*)ct_pool_alloc(&r->pool, room);
  if (i == 0) {
    snprintf(name, room, "%s%s_first", cable->prefix, kind);
  } else if (i == cable->count - 2) {
    snprintf(name, room, "%s%s_last", cable->prefix, kind);
  } else {
    snprintf(name, room, "%s%s_%d", cable->prefix, kind, i);
  }
  return name;
}

// Names that are used twice are found when the spec is compiled.
static void* take_name(ct_Element* e, const ct_Xml* xml, const char* name) {
  e->file = xml->file->name;
  e->line = xml->line;
  ct_set_name(e, name);
  return e->values;
}

static void* add_copy(ct_Body* body, const ct_Element* source, const ct_Xml* xml,
                      const char* name) {
  ct_Element* e = ct_add_in_body(body, ct_type(source), NULL);
  ct_values_copy(e, source);
  return take_name(e, xml, name);
}

static void add_geom(ct_Reader* r, const ct_Xml* xml, const ct_Cable* cable, ct_Body* body, int i,
                     double length) {
  size_t room = strlen(cable->prefix) + 16;
  char* name = (char*)ct_pool_alloc(&r->pool, room);
  snprintf(name, room, "%sG%d", cable->prefix, i);
  mjsGeom* geom = (mjsGeom*)add_copy(body, cable->geom, xml, name);
  if (geom->type == mjGEOM_BOX) {
    geom->pos[0] = geom->size[0] = length / 2;
  } else {
    memset(geom->fromto, 0, sizeof(geom->fromto));
    geom->fromto[3] = length;
  }
}

static void add_joint(ct_Reader* r, const ct_Xml* xml, const ct_Cable* cable, ct_Body* body,
                      int i) {
  if (i == 0 && !strcmp(cable->initial, "none")) return;
  mjsJoint* joint = (mjsJoint*)add_copy(body, cable->joint, xml, ct_cable_name(r, cable, "J", i));
  if (i > 0 || strcmp(cable->initial, "free")) return;
  joint->type = mjJNT_FREE;
  joint->damping = joint->armature = joint->frictionloss = 0;
}

// At both ends; a single body has one, at its far end.
static void add_site(ct_Reader* r, const ct_Xml* xml, const ct_Cable* cable, ct_Body* body, int i,
                     double length) {
  bool last = i == cable->count - 2;
  if (i > 0 && !last) return;
  mjsSite* site = (mjsSite*)add_copy(body, cable->site, xml, ct_cable_name(r, cable, "S", i));
  if (last) site->pos[0] = length;
}

static void exclude_next(ct_Reader* r, const ct_Xml* xml, const ct_Cable* cable, int i) {
  if (i == cable->count - 2) return;
  ct_Element* e = ct_add_in_spec(r->spec, mjOBJ_EXCLUDE, NULL);
  mjsExclude* exclude = (mjsExclude*)take_name(e, xml, "");
  mjs_setString(exclude->bodyname1, ct_cable_name(r, cable, "B", i));
  mjs_setString(exclude->bodyname2, ct_cable_name(r, cable, "B", i + 1));
}

static ct_Body* add_body(ct_Reader* r, const ct_Xml* xml, const ct_Cable* cable, ct_Body* parent,
                         int i, const Edge* before, const Edge* edge) {
  mjsBody* body = (mjsBody*)add_copy(parent, cable->body, xml, ct_cable_name(r, cable, "B", i));
  if (i == 0) {
    for (int k = 0; k < 3; k++) body->pos[k] = cable->offset[k] + (double)cable->vertex[k];
    memcpy(body->quat, edge->quat, sizeof(body->quat));
  } else {
    double back[4] = {before->quat[0], -before->quat[1], -before->quat[2], -before->quat[3]};
    body->pos[0] = before->length;
    ct_quat_product(body->quat, back, edge->quat);
  }
  ct_Body* made = (ct_Body*)body->element;
  add_geom(r, xml, cable, made, i, edge->length);
  add_joint(r, xml, cable, made, i);
  add_site(r, xml, cable, made, i, edge->length);
  exclude_next(r, xml, cable, i);
  return made;
}

// A text that tells programs that draw models of the cable.
static void add_text(ct_Reader* r, const ct_Xml* xml, const ct_Cable* cable) {
  size_t room = strlen(cable->prefix) + 16;
  char* text = (char*)ct_pool_alloc(&r->pool, room);
  snprintf(text, room, "composite_%s", cable->prefix);
  ct_Element* e = ct_add_in_spec(r->spec, mjOBJ_TEXT, NULL);
  take_name(e, xml, text);
  snprintf(text, room, "rope_%s", cable->prefix);
  mjs_setString(CT_VALUES(mjsText, e)->data, text);
}

void ct_make_cable(ct_Reader* r, const ct_Xml* xml, const ct_Scope* scope, const ct_Cable* cable) {
  Edge before = {0}, edge;
  ct_Body* body = scope->body;
  add_text(r, xml, cable);
  for (int i = 0; i < cable->count - 1; i++) {
    edge = make_edge(cable, i, &before);
    body = add_body(r, xml, cable, body, i, &before, &edge);
    if (i == 0) body->element.frame = scope->frame;
    before = edge;
  }
  if (CT_VALUES(mjsGeom, cable->geom)->type == mjGEOM_BOX) ct_make_cable_skin(r, xml, cable);
}
