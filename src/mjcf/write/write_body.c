// The tree that is written: bodies, frames, and what bodies hold.
//
// Poses have the frames around them applied, so a frame is written only for its name or class. The
// order within a body follows the reference's, in which all frames come where the first child with
// a frame stands: see write_contents.

#include <math.h>
#include <string.h>

#include "mjcf/write/write.h"
#include "spec/kinds.h"
#include "spec/pose.h"

static const double zeros[10] = {0};

// Joints

void ct_write_joint(ct_Writer* w, ct_Tag* tag, const mjsJoint* v, const mjsJoint* d,
                    bool in_class) {
  bool axial = v->type == mjJNT_HINGE || v->type == mjJNT_SLIDE;
  if (!in_class) {
    if (v->type != mjJNT_FREE) ct_put_reals(w, tag, "pos", v->pos, 3, NULL);
    if (axial) ct_put_reals(w, tag, "axis", v->axis, 3, NULL);
  }
  ct_put_rows(w, tag, "joint_spring", v, d);
  if (in_class || v->type != mjJNT_FREE)
    ct_put_word_unless(w, tag, "limited", "limited", v->limited, d->limited);
  ct_put_reals(w, tag, "range", v->range, 2, d->range);
  if (in_class || axial) {
    ct_put_word_unless(w, tag, "actuatorfrclimited", "limited", v->actfrclimited, d->actfrclimited);
  }
  ct_put_rows(w, tag, "joint_limits", v, d);
}

static void write_joint(ct_Writer* w, ct_Tag* around, const ct_Element* e, const char* in_force) {
  const mjsJoint *v = CT_COMPILED(mjsJoint, e), *d = (const mjsJoint*)ct_class_values(w, e);
  ct_Tag* tag = ct_tag(w, around, "joint");
  if (!ct_string_empty(&e->name)) ct_put(w, tag, "name", ct_name(e));
  ct_put_class(w, tag, e, in_force);
  ct_write_joint(w, tag, v, d, false);
  ct_put_element_user(w, tag, e, v->userdata, d->userdata, w->whole->nuser_jnt);
}

// Geoms

// How many sizes a shape has.
static int size_count(mjtGeom type) {
  switch (type) {
    case mjGEOM_SPHERE:
      return 1;
    case mjGEOM_CAPSULE:
    case mjGEOM_CYLINDER:
      return 2;
    case mjGEOM_PLANE:
    case mjGEOM_ELLIPSOID:
    case mjGEOM_BOX:
      return 3;
    default:
      return 0;
  }
}

static bool same_pose(const double pos[3], const double quat[4], const ct_Compiled* mesh) {
  const double eps = 2.220446049250313e-16;
  for (int i = 0; i < 3; i++) {
    if (!(fabs(pos[i] - mesh->pos[i]) <= eps)) return false;
  }
  for (int i = 0; i < 4; i++) {
    if (!(fabs(quat[i] - mesh->quat[i]) <= eps)) return false;
  }
  return true;
}

// A mesh is written where its file puts it, which is not where the centred mesh is.
static void put_geom_pose(ct_Writer* w, ct_Tag* tag, const ct_Element* e, const mjsGeom* v) {
  const ct_Compiled* mesh = NULL;  // whose pose is taken off
  if (v->type == mjGEOM_MESH || v->type == mjGEOM_SDF) {
    const ct_Element* found = ct_find(w->spec, mjOBJ_MESH, ct_text(v->meshname));
    mesh = found ? found->compiled : NULL;
  } else if (w->keep_all && *ct_text(v->meshname)) {
    mesh = e->compiled;  // fitted to a mesh, and so it will be again
  }
  double pos[3], quat[4];
  memcpy(pos, v->pos, sizeof(pos));
  memcpy(quat, v->quat, sizeof(quat));
  if (mesh) {
    if (same_pose(pos, quat, mesh)) return;
    const double* q = mesh->quat;
    double back[4] = {q[0], -q[1], -q[2], -q[3]}, m[9], offset[3];
    ct_quat_product(quat, v->quat, back);
    ct_quat_matrix(m, quat);
    ct_matrix_times(offset, m, mesh->pos);
    for (int i = 0; i < 3; i++) pos[i] -= offset[i];
  }
  ct_put_reals(w, tag, "pos", pos, 3, zeros);
  ct_put_quat(w, tag, quat);
}

static void put_mass(ct_Writer* w, ct_Tag* tag, const ct_Compiled* compiled, const mjsGeom* v,
                     const mjsGeom* d) {
  if (compiled && !isnan(v->mass) && w->keep_all) {
    ct_put_reals(w, tag, "mass", &v->mass, 1, NULL);
  } else if (compiled && !isnan(v->mass)) {
    double by_density = compiled->volume * d->density;
    ct_put_reals(w, tag, "mass", &compiled->mass, 1, &by_density);
  } else {
    ct_put_reals(w, tag, "density", &v->density, 1, &d->density);
  }
}

// Material of the geom, or of its mesh.
static const char* material_of(const ct_Writer* w, const mjsGeom* v) {
  const char *material = ct_text(v->material), *mesh = ct_text(v->meshname);
  if (*material || !*mesh || w->keep_all) return material;
  const ct_Element* e = ct_find(w->spec, mjOBJ_MESH, mesh);
  return e ? ct_text(CT_VALUES(mjsMesh, e)->material) : material;
}

static void put_geom_look(ct_Writer* w, ct_Tag* tag, const mjsGeom* v, const mjsGeom* d,
                          const char* material) {
  if (*material && strcmp(material, ct_text(d->material))) ct_put(w, tag, "material", material);
  ct_put_floats(w, tag, "rgba", v->rgba, 4, d->rgba);
  if (v->type == mjGEOM_HFIELD) ct_put_text(w, tag, "hfield", v->hfieldname);
  bool mesh = v->type == mjGEOM_MESH || v->type == mjGEOM_SDF;
  if (mesh || w->keep_all) ct_put_text(w, tag, "mesh", v->meshname);
  if (!mesh && w->keep_all) ct_put_reals(w, tag, "fitscale", &v->fitscale, 1, &d->fitscale);
}

void ct_write_geom(ct_Writer* w, ct_Tag* tag, const ct_Element* e, const mjsGeom* v,
                   const mjsGeom* d, bool in_class) {
  double coefs[5], other[5];
  if (in_class) {
    ct_put_reals(w, tag, "size", v->size, 3, d->size);
  } else {
    ct_put_reals(w, tag, "size", v->size, w->keep_all ? 3 : size_count(v->type), d->size);
    put_geom_pose(w, tag, e, v);
  }
  ct_put_rows(w, tag, "geom_contact", v, d);
  ct_put_word_unless(w, tag, "fluidshape", "fluidshape", v->fluid_ellipsoid != 0,
                     d->fluid_ellipsoid != 0);
  for (int i = 0; i < 5; i++) {
    coefs[i] = (double)v->fluid_coefs[i];
    other[i] = (double)d->fluid_coefs[i];
  }
  ct_put_reals(w, tag, "fluidcoef", coefs, 5, other);
  if (in_class || v->type != mjGEOM_MESH) {
    ct_put_word_unless(w, tag, "shellinertia", "truth", (int)v->typeinertia, (int)d->typeinertia);
  }
  if (!in_class || isnan(v->mass)) put_mass(w, tag, in_class ? NULL : e->compiled, v, d);
  put_geom_look(w, tag, v, d, in_class ? ct_text(v->material) : material_of(w, v));
}

static void write_geom(ct_Writer* w, ct_Tag* around, const ct_Element* e, const char* in_force) {
  const mjsGeom *v = CT_COMPILED(mjsGeom, e), *d = (const mjsGeom*)ct_class_values(w, e);
  ct_Tag* tag = ct_tag(w, around, "geom");
  if (!ct_string_empty(&e->name)) ct_put(w, tag, "name", ct_name(e));
  ct_put_class(w, tag, e, in_force);
  ct_write_geom(w, tag, e, v, d, false);
  ct_put_element_user(w, tag, e, v->userdata, d->userdata, w->whole->nuser_geom);
  if (v->plugin.active) ct_put_plugin(w, ct_tag(w, tag, "plugin"), &v->plugin);
}

// Sites

void ct_write_site(ct_Writer* w, ct_Tag* tag, const mjsSite* v, const mjsSite* d, bool in_class) {
  if (!in_class) {
    ct_put_reals(w, tag, "pos", v->pos, 3, NULL);
    ct_put_quat(w, tag, v->quat);
  }
  int nsize = in_class || w->keep_all ? 3 : size_count(v->type);
  ct_put_reals(w, tag, "size", v->size, nsize, d->size);
  ct_put_rows(w, tag, "site", v, d);
}

static void write_site(ct_Writer* w, ct_Tag* around, const ct_Element* e, const char* in_force) {
  const mjsSite *v = CT_COMPILED(mjsSite, e), *d = (const mjsSite*)ct_class_values(w, e);
  ct_Tag* tag = ct_tag(w, around, "site");
  if (!ct_string_empty(&e->name)) ct_put(w, tag, "name", ct_name(e));
  ct_put_class(w, tag, e, in_force);
  ct_write_site(w, tag, v, d, false);
  ct_put_element_user(w, tag, e, v->userdata, d->userdata, w->whole->nuser_site);
}

// Cameras and lights

void ct_write_camera(ct_Writer* w, ct_Tag* tag, const mjsCamera* v, const mjsCamera* d,
                     bool in_class) {
  if (!in_class) {
    ct_put_reals(w, tag, "pos", v->pos, 3, NULL);
    ct_put_quat(w, tag, v->quat);
  }
  ct_put_rows(w, tag, "camera", v, d);
  if (v->output != d->output) ct_put_words(w, tag, "output", "output", (unsigned)v->output);
  ct_put_word_unless(w, tag, "projection", "projection", (int)v->proj, (int)d->proj);
  if (v->sensor_size[0] > 0 && v->sensor_size[1] > 0) {
    ct_put_rows(w, tag, "camera_sensor", v, d);
  } else {
    ct_put_reals(w, tag, "fovy", &v->fovy, 1, &d->fovy);
  }
}

static void write_camera(ct_Writer* w, ct_Tag* around, const ct_Element* e, const char* in_force) {
  const mjsCamera *v = CT_COMPILED(mjsCamera, e), *d = (const mjsCamera*)ct_class_values(w, e);
  ct_Tag* tag = ct_tag(w, around, "camera");
  if (!ct_string_empty(&e->name)) ct_put(w, tag, "name", ct_name(e));
  ct_put_class(w, tag, e, in_force);
  ct_put_text(w, tag, "target", v->targetbody);
  ct_write_camera(w, tag, v, d, false);
  ct_put_element_user(w, tag, e, v->userdata, d->userdata, w->whole->nuser_cam);
}

void ct_write_light(ct_Writer* w, ct_Tag* tag, const mjsLight* v, const mjsLight* d,
                    bool in_class) {
  if (!in_class) {
    ct_put_reals(w, tag, "pos", v->pos, 3, NULL);
    ct_put_reals(w, tag, "dir", v->dir, 3, NULL);
  }
  ct_put_rows(w, tag, "light_look", v, d);
  ct_put_rows(w, tag, "light_shine", v, d);
}

static void write_light(ct_Writer* w, ct_Tag* around, const ct_Element* e, const char* in_force) {
  const mjsLight *v = CT_COMPILED(mjsLight, e), *d = (const mjsLight*)ct_class_values(w, e);
  ct_Tag* tag = ct_tag(w, around, "light");
  if (!ct_string_empty(&e->name)) ct_put(w, tag, "name", ct_name(e));
  ct_put_class(w, tag, e, in_force);
  ct_put_text(w, tag, "target", v->targetbody);
  ct_write_light(w, tag, v, d, false);
}

// Bodies

// Moments of a flat body add up to the third exactly; those of a model in single precision are
// rounded one by one, and would be refused when they are read.
static void put_moments(ct_Writer* w, ct_Tag* tag, const double inertia[3]) {
  double moment[3] = {inertia[0], inertia[1], inertia[2]};
  for (int k = 0; k < 3 && sizeof(mjtNum) == 4; k++) {
    double others = moment[(k + 1) % 3] + moment[(k + 2) % 3];
    if (moment[k] > others && moment[k] < others * (1 + 1e-6)) moment[k] = others;
  }
  ct_put_reals(w, tag, "diaginertia", moment, 3, NULL);
}

static void write_inertial(ct_Writer* w, ct_Tag* around, const mjsBody* v) {
  const mjsCompiler* settings = &w->spec->spec.compiler;
  bool given = v->explicitinertial && settings->inertiafromgeom != mjINERTIAFROMGEOM_TRUE;
  if (w->keep_all) {
    // a body without mass has its own pose as that of its inertia, unless a frame is around it
    bool same =
        !memcmp(v->ipos, v->pos, sizeof(v->pos)) && !memcmp(v->iquat, v->quat, sizeof(v->quat));
    given = given || v->mass > 0 || !same;
  }
  if (!settings->saveinertial && !given) return;
  ct_Tag* tag = ct_tag(w, around, "inertial");
  ct_put_reals(w, tag, "pos", v->ipos, 3, NULL);
  ct_put_quat(w, tag, v->iquat);
  ct_put_reals(w, tag, "mass", &v->mass, 1, NULL);
  put_moments(w, tag, v->inertia);
}

static void put_body(ct_Writer* w, ct_Tag* tag, const ct_Element* e, const char* in_force) {
  const mjsBody* v = CT_COMPILED(mjsBody, e);
  const char* class_name = ct_class_that_is_left(w->spec, ct_string_get(&e->class_name));
  if (!ct_string_empty(&e->name)) ct_put(w, tag, "name", ct_name(e));
  bool plain = !*class_name || (!w->keep_all && !strcmp(class_name, "main"));
  if (!plain && strcmp(class_name, in_force)) ct_put(w, tag, "childclass", class_name);
  if (v->pos[0] != 0 || v->pos[1] != 0 || v->pos[2] != 0)
    ct_put_reals(w, tag, "pos", v->pos, 3, NULL);
  ct_put_quat(w, tag, v->quat);
  if (v->mocap) ct_put(w, tag, "mocap", "true");
  ct_put_reals(w, tag, "gravcomp", &v->gravcomp, 1, zeros);
  ct_put_word_unless(w, tag, "sleep", "sleep", (int)v->sleep, mjSLEEP_AUTO);
  ct_put_element_user(w, tag, e, v->userdata, NULL, w->whole->nuser_body);
  write_inertial(w, tag, v);
}

// A body and its children, by the frames that they are in: place 0 is for those in no frame, place
// 1 + i for those in the i-th frame of the body.
typedef struct {
  ct_Writer* w;
  const ct_Body* body;
  const ct_Element** item[CT_NCHILD];
  int* first[CT_NCHILD];  // where those of a place begin
  int framed;             // position of the first body in any frame
} Walk;

static void write_body(ct_Writer* w, ct_Tag* around, const ct_Body* body, const char* in_force);

// -1: in a frame of another body
static int place_of(const ct_Body* body, const ct_Element* e) {
  if (!e->frame) return 0;
  return e->frame->body == &body->element ? 1 + e->frame->position : -1;
}

// Sorts children of a kind by their places, by counting, so that a body with many frames takes no
// longer than many bodies.
static void sort_children(Walk* walk, int kind) {
  const ct_List* list = &walk->body->child[kind];
  int nplace = 1 + walk->body->child[CT_CHILD_FRAME].count;
  int* first = (int*)ct_pool_array(&walk->w->pool, (size_t)nplace + 2, sizeof(int));
  const ct_Element** item = (const ct_Element**)ct_pool_array(
      &walk->w->pool, (size_t)list->count + 1, sizeof(const ct_Element*));

  // first[p + 2] counts those at p, then first[p + 1] tells where they begin
  for (int i = 0; i < list->count; i++) {
    int place = place_of(walk->body, list->item[i]);
    if (place >= 0) first[place + 2]++;
  }
  for (int p = 0; p < nplace; p++) first[p + 2] += first[p + 1];

  // each that is put moves that on, in the end to where those of the next place begin
  for (int i = 0; i < list->count; i++) {
    int place = place_of(walk->body, list->item[i]);
    if (place >= 0) item[first[place + 1]++] = list->item[i];
  }
  walk->item[kind] = item;
  walk->first[kind] = first;
}

static Walk walk_through(ct_Writer* w, const ct_Body* body) {
  Walk walk = {.w = w, .body = body};
  const ct_List* bodies = &body->child[CT_CHILD_BODY];
  if (w->keep_all) return walk;  // frames do not count
  for (int k = 0; k < CT_NCHILD; k++) sort_children(&walk, k);
  while (walk.framed < bodies->count && !bodies->item[walk.framed]->frame) walk.framed++;
  return walk;
}

// What a body holds at a place, except bodies.
static void write_held(const Walk* walk, ct_Tag* tag, int place, const char* in_force) {
  typedef void (*Write)(ct_Writer * w, ct_Tag * around, const ct_Element* e, const char* in_force);
  static const Write write[] = {write_joint, write_geom, write_site, write_camera, write_light};
  ct_Writer* w = walk->w;
  for (int k = CT_CHILD_JOINT; k <= CT_CHILD_LIGHT; k++) {
    const ct_List* list = &walk->body->child[k];
    int from = w->keep_all ? 0 : walk->first[k][place];
    int to = w->keep_all ? list->count : walk->first[k][place + 1];
    for (int i = from; i < to; i++) {
      write[k - CT_CHILD_JOINT](w, tag, w->keep_all ? list->item[i] : walk->item[k][i], in_force);
    }
  }
  const mjsBody* v = CT_COMPILED(mjsBody, &walk->body->element);
  if (v->plugin.active) ct_put_plugin(w, ct_tag(w, tag, "plugin"), &v->plugin);
}

static void write_contents(const Walk* walk, ct_Tag* tag, int place, const char* in_force);

static void write_frames(const Walk* walk, ct_Tag* tag, int place, const char* in_force) {
  const int* first = walk->first[CT_CHILD_FRAME];
  for (int i = first[place]; i < first[place + 1]; i++) {
    const ct_Element* frame = walk->item[CT_CHILD_FRAME][i];
    const char* class_name =
        ct_class_that_is_left(walk->w->spec, ct_string_get(&frame->class_name));
    bool classed = *class_name && strcmp(class_name, "main");
    ct_Tag* inside = tag;
    if (classed || !ct_string_empty(&frame->name)) {
      inside = ct_tag(walk->w, tag, "frame");
      if (!ct_string_empty(&frame->name)) ct_put(walk->w, inside, "name", ct_name(frame));
      if (classed) ct_put(walk->w, inside, "childclass", class_name);
    }
    write_contents(walk, inside, 1 + frame->position, classed ? class_name : in_force);
  }
}

// Frames come after the first child of the body that is in any frame, or at the end.
static void write_contents(const Walk* walk, ct_Tag* tag, int place, const char* in_force) {
  const int* first = walk->first[CT_CHILD_BODY];
  const ct_Element** bodies = walk->item[CT_CHILD_BODY];
  int i = first[place], end = first[place + 1];
  write_held(walk, tag, place, in_force);
  for (; i < end && bodies[i]->position <= walk->framed; i++) {
    write_body(walk->w, tag, (const ct_Body*)bodies[i], in_force);
  }
  write_frames(walk, tag, place, in_force);
  for (; i < end; i++) write_body(walk->w, tag, (const ct_Body*)bodies[i], in_force);
}

// Everything in its order, which frames would disturb: their poses are in what they hold. Those
// with a name are there for who looks for them.
static void write_all(const Walk* walk, ct_Tag* tag, const char* in_force) {
  ct_Writer* w = walk->w;
  const ct_List *frames = &walk->body->child[CT_CHILD_FRAME],
                *bodies = &walk->body->child[CT_CHILD_BODY];
  write_held(walk, tag, 0, in_force);
  for (int i = 0; i < frames->count; i++) {
    const ct_Frame* frame = (const ct_Frame*)frames->item[i];
    if (ct_string_empty(&frame->element.name)) continue;
    ct_Tag* inside = ct_tag(w, tag, "frame");
    ct_put(w, inside, "name", ct_name(&frame->element));
    ct_put_class(w, inside, &frame->element, in_force);
    if (!frame->compiled) continue;
    ct_put_reals(w, inside, "pos", frame->pos, 3, zeros);
    ct_put_quat(w, inside, frame->quat);
  }
  for (int i = 0; i < bodies->count; i++)
    write_body(w, tag, (const ct_Body*)bodies->item[i], in_force);
}

static void write_body(ct_Writer* w, ct_Tag* around, const ct_Body* body, const char* in_force) {
  ct_Tag* tag = ct_tag(w, around, "body");
  put_body(w, tag, &body->element, in_force);
  const char* class_name = ct_class_that_is_left(w->spec, ct_string_get(&body->element.class_name));
  Walk walk = walk_through(w, body);
  if (*class_name) in_force = class_name;
  if (w->keep_all) {
    write_all(&walk, tag, in_force);
  } else {
    write_contents(&walk, tag, 0, in_force);
  }
}

void ct_write_worldbody(ct_Writer* w, ct_Tag* root) {
  Walk walk = walk_through(w, w->spec->world);
  ct_Tag* tag = ct_tag(w, root, "worldbody");
  if (w->keep_all) {
    write_all(&walk, tag, "main");
  } else {
    write_contents(&walk, tag, 0, "main");
  }
}
