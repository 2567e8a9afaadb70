// From points and elements to bodies, a flex and its equality.
//
// Every point that is not pinned becomes a body, with three sliding joints or one that points away
// from the origin of the parent. Where vertices are interpolated, control points in the box around
// all points, those of no element too, become bodies instead. A flex all of whose points are pinned
// is part of its parent.

#include <stdio.h>
#include <string.h>

#include "mjcf/flexcomp.h"
#include "spec/pose.h"

typedef struct {
  ct_Reader* r;
  const ct_Xml* xml;
  ct_Flexcomp* comp;
  ct_Body* parent;
  const char* parent_name;
  const mjsPlugin* plugin;  // of all bodies that carry vertices; NULL: none
} Maker;

static void* origin(ct_Element* e, const Maker* maker) {
  e->file = maker->xml->file->name;
  e->line = maker->xml->line;
  return e->values;
}

static void add_slide(const Maker* maker, ct_Body* body, const double axis[3]) {
  ct_Element* e = ct_add_in_body(body, mjOBJ_JOINT, NULL);
  mjsJoint* joint = (mjsJoint*)origin(e, maker);
  joint->type = mjJNT_SLIDE;
  memset(joint->pos, 0, sizeof(joint->pos));
  memcpy(joint->axis, axis, sizeof(joint->axis));
}

static void add_ball(const Maker* maker, ct_Body* body, int group) {
  ct_Element* e = ct_add_in_body(body, mjOBJ_GEOM, NULL);
  mjsGeom* geom = (mjsGeom*)origin(e, maker);
  geom->type = mjGEOM_SPHERE;
  geom->size[0] = maker->comp->flex.radius;
  if (group >= 0) geom->group = group;
}

// Plugins

// One instance serves all bodies, and is called after the flex.
static const mjsPlugin* read_plugin(const Maker* maker) {
  const ct_Xml* child = ct_first_child(maker->xml, "plugin");
  if (!child) return NULL;
  ct_Element* carrier = ct_element_make(maker->r->spec, mjOBJ_BODY, NULL);
  mjsPlugin* plugin = &CT_VALUES(mjsBody, carrier)->plugin;
  ct_read_plugin(maker->r, child, plugin);
  if (!plugin->element) return plugin;
  const char* flex = ct_name(maker->comp->element);
  size_t room = strlen(flex) + 16;
  char* name = (char*)ct_pool_alloc(&maker->r->pool, room);
  snprintf(name, room, "flexcomp_%s", flex);
  mjs_setString(plugin->name, name);
  ct_set_name(ct_element(plugin->element), name);
  return plugin;
}

static void give_plugin(const Maker* maker, ct_Body* body) {
  if (!maker->plugin) return;
  mjsPlugin* plugin = &CT_VALUES(mjsBody, &body->element)->plugin;
  plugin->active = 1;
  plugin->element = maker->plugin->element;
  mjs_setString(plugin->name, ct_text(maker->plugin->name));
  mjs_setString(plugin->plugin_name, ct_text(maker->plugin->plugin_name));
}

// Bodies

static ct_Body* add_body(const Maker* maker, const char* name, const double pos[3], double mass) {
  const ct_Flexcomp* comp = maker->comp;
  ct_Element* e = ct_add_in_body(maker->parent, mjOBJ_BODY, NULL);
  mjsBody* body = (mjsBody*)origin(e, maker);
  ct_set_name(e, name);
  memcpy(body->pos, pos, sizeof(body->pos));
  body->mass = mass;
  for (int k = 0; k < 3; k++) {
    body->ipos[k] = 0;
    body->inertia[k] = body->mass * (2.0 * comp->inertiabox * comp->inertiabox) / 3.0;
  }
  body->explicitinertial = 1;
  return (ct_Body*)e;
}

static void add_slides(const Maker* maker, ct_Body* body) {
  static const double axis[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (int k = 0; k < 3; k++) add_slide(maker, body, axis[k]);
}

static void append_name(mjStringVec* names, const char* name) {
  ct_strings_append((ct_Vector*)names, name);
}

static void append_place(mjDoubleVec* places, const double place[3]) {
  for (int k = 0; k < 3; k++) ct_vector_append((ct_Vector*)places, &place[k], sizeof(double));
}

static char* name_room(const Maker* maker, size_t* size) {
  *size = strlen(ct_name(maker->comp->element)) + 48;
  return (char*)ct_pool_alloc(&maker->r->pool, *size);
}

// Vertices that move by themselves

static void make_vertex(const Maker* maker, int i, char* name, size_t size) {
  ct_Flexcomp* comp = maker->comp;
  static const double nowhere[3] = {0, 0, 0};
  const double* point = comp->point + 3 * i;
  if (comp->pinned[i]) {
    append_name(comp->flex.vertbody, maker->parent_name);
    append_place(comp->flex.vert, point);
    give_plugin(maker, maker->parent);
    return;
  }
  snprintf(name, size, "%s_%d", ct_name(comp->element), i);
  ct_Body* body = add_body(maker, name, point, comp->mass / comp->npoint);
  append_name(comp->flex.vertbody, name);
  if (!comp->centred) append_place(comp->flex.vert, nowhere);
  give_plugin(maker, body);
  if (comp->flex.vertcollide) add_ball(maker, body, 4);
  if (comp->dof == CT_FLEXDOF_RADIAL) {
    add_slide(maker, body, point);
  } else {
    add_slides(maker, body);
  }
}

static void make_vertices(const Maker* maker) {
  size_t size;
  char* name = name_room(maker, &size);
  for (int i = 0; i < maker->comp->npoint; i++) make_vertex(maker, i, name, size);
}

// Vertices that control points move

static void make_node(const Maker* maker, const int at[3], int i, const double place[3], char* name,
                      size_t size) {
  static const double nowhere[3] = {0, 0, 0}, weight[3] = {1 / 6.0, 2 / 3.0, 1 / 6.0};
  ct_Flexcomp* comp = maker->comp;
  if (comp->pinned[i]) {
    append_name(comp->flex.nodebody, maker->parent_name);
    append_place(comp->flex.node, place);
    return;
  }
  double mass = comp->mass / 8;
  if (comp->dof == CT_FLEXDOF_QUADRATIC)
    mass = comp->mass * weight[at[0]] * weight[at[1]] * weight[at[2]];
  snprintf(name, size, "%s_%d_%d_%d", ct_name(comp->element), at[0], at[1], at[2]);
  ct_Body* body = add_body(maker, name, place, mass);
  append_name(comp->flex.nodebody, name);
  if (!comp->centred) append_place(comp->flex.node, nowhere);
  if (comp->flex.vertcollide) add_ball(maker, body, -1);
  add_slides(maker, body);
}

static void make_nodes(const Maker* maker) {
  ct_Flexcomp* comp = maker->comp;
  int order = ct_flexcomp_order(comp), at[3], i = 0;
  const double *low = comp->low, *high = comp->high;
  size_t size;
  char* name = name_room(maker, &size);
  for (int k = 0; k < comp->npoint; k++) {
    append_name(comp->flex.vertbody, maker->parent_name);
    append_place(comp->flex.vert, comp->point + 3 * k);
  }
  give_plugin(maker, maker->parent);
  for (at[0] = 0; at[0] <= order; at[0]++) {
    for (at[1] = 0; at[1] <= order; at[1]++) {
      for (at[2] = 0; at[2] <= order; at[2]++) {
        double place[3];
        for (int k = 0; k < 3; k++) place[k] = low[k] + at[k] * (high[k] - low[k]) / order;
        make_node(maker, at, i++, place, name, size);
      }
    }
  }
}

static void make_rigid(const Maker* maker) {
  ct_Flexcomp* comp = maker->comp;
  append_name(comp->flex.vertbody, maker->parent_name);
  ct_vector_set((ct_Vector*)comp->flex.vert, comp->point, 3 * (size_t)comp->npoint, sizeof(double));
}

// The whole

static void make_equality(const Maker* maker) {
  const ct_Flexcomp* comp = maker->comp;
  ct_Element* e = ct_add_in_spec(maker->r->spec, mjOBJ_EQUALITY, NULL);
  mjsEquality* equality = (mjsEquality*)origin(e, maker);
  equality->type = comp->equality == 2 ? mjEQ_FLEXVERT : mjEQ_FLEX;
  equality->active = 1;
  memcpy(equality->solref, comp->solref, sizeof(comp->solref));
  memcpy(equality->solimp, comp->solimp, sizeof(comp->solimp));
  mjs_setString(equality->name1, ct_name(comp->element));
}

// Bodies of one model have numbers of 16 bits; far too many would take long to be refused.
static void check_bodies(const Maker* maker, int moving) {
  enum { MOST_BODIES = 65533 };
  const ct_Flexcomp* comp = maker->comp;
  if (moving <= MOST_BODIES || ct_flexcomp_interpolated(comp)) return;
  ct_refuse(maker->r, comp->xml, NULL,
            "%d points that move need as many bodies, and %d is the most; dof trilinear needs 8",
            moving, MOST_BODIES);
}

void ct_flexcomp_make(ct_Reader* r, const ct_Scope* scope, ct_Flexcomp* comp) {
  Maker maker = {.r = r, .xml = comp->xml, .comp = comp, .parent = scope->body};
  maker.parent_name = ct_name(&scope->body->element);
  if (!maker.parent_name[0]) maker.parent_name = "world";
  int pinned = 0;
  for (int i = 0; i < comp->npoint; i++) pinned += comp->pinned[i];
  if (!comp->rigid) maker.plugin = read_plugin(&maker);
  if (comp->rigid) {
    make_rigid(&maker);
  } else if (ct_flexcomp_interpolated(comp)) {
    make_nodes(&maker);
  } else {
    check_bodies(&maker, comp->npoint - pinned);
    make_vertices(&maker);
  }
  ct_vector_set((ct_Vector*)comp->flex.elem, comp->elem,
                (size_t)comp->nelem * (size_t)(comp->flex.dim + 1), sizeof(int));
  if (comp->ntexcoord) {
    ct_vector_set((ct_Vector*)comp->flex.texcoord, comp->texcoord, 2 * (size_t)comp->ntexcoord,
                  sizeof(float));
  }
  *CT_VALUES(mjsFlex, comp->element) = comp->flex;
  if (comp->equality && !comp->rigid) make_equality(&maker);
}
