// Geoms and sites: pose in the body, size, bounds, mass and inertia.

#include <math.h>
#include <string.h>

#include "compile/compile.h"
#include "compile/geom_shape.h"

static bool is_mesh(const ct_WorkGeom* geom) {
  return geom->v.type == mjGEOM_MESH || geom->v.type == mjGEOM_SDF;
}

static void check_type(ct_Compiler* c, const ct_WorkGeom* geom) {
  const ct_Element* e = geom->head.element;
  int type = (int)geom->v.type, condim = geom->v.condim;
  if (type < 0 || type >= mjNGEOMTYPES) ct_fail(c, e, "%d is not a type of geom", type);
  if (condim != 1 && condim != 3 && condim != 4 && condim != 6) {
    ct_fail(c, e, "condim is %d: it must be 1, 3, 4 or 6", condim);
  }
  if (is_mesh(geom) && !geom->mesh) ct_fail(c, e, "a geom of type mesh or sdf needs a mesh");
  if (type == mjGEOM_HFIELD && !geom->hfield)
    ct_fail(c, e, "a geom of type hfield needs an hfield");
  if (type != mjGEOM_HFIELD && geom->hfield) {
    ct_fail(c, e, "hfield is for geoms of type hfield, this one has another type");
  }
  if (type == mjGEOM_PLANE && !ct_is_world(geom->body->weld)) {
    ct_fail(c, e, "planes cannot move: put it into the world or a body without joints");
  }
}

// Pose and size

static void fit_to_bounds(const ct_WorkMesh* mesh, mjtGeom type, double size[3], double centre[3]) {
  double half[3];
  for (int i = 0; i < 3; i++) {
    centre[i] = (mesh->min[i] + mesh->max[i]) / 2;
    half[i] = mesh->max[i] - centre[i];
  }
  double across = fmax(half[0], half[1]);
  switch (type) {
    case mjGEOM_SPHERE:
      size[0] = fmax(across, half[2]);
      break;
    case mjGEOM_CAPSULE:
      size[0] = across;
      size[1] = half[2] - across;
      break;
    case mjGEOM_CYLINDER:
      size[0] = across;
      size[1] = half[2];
      break;
    default:
      memcpy(size, half, sizeof(half));
      break;
  }
}

static void fit_to_inertia(const ct_WorkMesh* mesh, mjtGeom type, double size[3]) {
  const double* box = mesh->box;
  switch (type) {
    case mjGEOM_SPHERE:
      size[0] = (box[0] + box[1] + box[2]) / 3;
      break;
    case mjGEOM_CAPSULE:
      size[0] = (box[0] + box[1]) / 2;
      size[1] = fmax(0, box[2] - size[0] / 2);
      break;
    case mjGEOM_CYLINDER:
      size[0] = (box[0] + box[1]) / 2;
      size[1] = box[2];
      break;
    default:
      memcpy(size, box, sizeof(mesh->box));
      break;
  }
}

// Shapes other than meshes take their size from the mesh; all sit in the mesh's frame.
static void apply_mesh(ct_Compiler* c, ct_WorkGeom* geom) {
  const ct_Element* e = geom->head.element;
  const ct_WorkMesh* mesh = geom->mesh;
  mjsGeom* v = &geom->v;
  double centre[3] = {0, 0, 0};
  if (!isnan(v->fromto[0])) ct_fail(c, e, "fromto and mesh exclude each other");
  if (is_mesh(geom)) {
    if (v->typeinertia == mjINERTIA_SHELL) {
      ct_fail(c, e, "shellinertia is not for meshes: set inertia=\"shell\" of the mesh");
    }
  } else {
    if (v->type == mjGEOM_PLANE) ct_fail(c, e, "a plane cannot be fitted to a mesh");
    if (ct_settings(e)->fitaabb) {
      fit_to_bounds(mesh, v->type, v->size, centre);
    } else {
      fit_to_inertia(mesh, v->type, v->size);
    }
    for (int i = 0; i < 3; i++) v->size[i] *= v->fitscale;
  }
  double pos[3], quat[4], m[9];
  ct_quat_matrix(m, mesh->quat);
  ct_matrix_times(pos, m, centre);
  for (int i = 0; i < 3; i++) pos[i] += mesh->pos[i];
  memcpy(quat, mesh->quat, sizeof(quat));
  memcpy(geom->mesh_pos, pos, sizeof(pos));
  memcpy(geom->mesh_quat, quat, sizeof(quat));
  ct_pose_compose(pos, quat, v->pos, v->quat);
  memcpy(v->pos, pos, sizeof(pos));
  memcpy(v->quat, quat, sizeof(quat));
}

static void compile_pose(ct_Compiler* c, ct_WorkGeom* geom) {
  const ct_Element* e = geom->head.element;
  mjsGeom* v = &geom->v;
  ct_normalize64(v->quat, 4);
  if (geom->mesh && !isnan(v->fromto[0])) ct_fail(c, e, "fromto and mesh exclude each other");
  if (!isnan(v->fromto[0])) {
    const char* bad = ct_shape_from_ends(v->type, v->fromto, v->pos, v->quat, v->size);
    if (bad) ct_fail(c, e, "%s", bad);
  } else {
    ct_resolve_orientation(c, e, v->quat, &v->alt);
  }
  if (geom->mesh) apply_mesh(c, geom);
}

static void compile_size(ct_Compiler* c, ct_WorkGeom* geom) {
  const ct_Element* e = geom->head.element;
  double* size = geom->v.size;
  ct_shape_check(c, e, geom->v.type, size);
  if (geom->v.type == mjGEOM_HFIELD) {
    const double* field = geom->hfield->v.size;
    size[0] = field[0];
    size[1] = field[1];
    size[2] = 0.25 * field[2] + 0.5 * field[3];
  } else if (is_mesh(geom)) {
    for (int i = 0; i < 3; i++) size[i] = fmax(fabs(geom->mesh->min[i]), fabs(geom->mesh->max[i]));
  }
  for (int i = 0; i < 3; i++) {
    if (isnan(size[i])) ct_fail(c, e, "size %d is not a number", i);
  }
}

// Bounds

static void find_extent(const ct_WorkGeom* geom, double low[3], double high[3]) {
  const double* size = geom->v.size;
  double half[3] = {size[0], size[1], size[2]};
  switch (geom->v.type) {
    case mjGEOM_PLANE:
      half[0] = half[1] = half[2] = 1e10;
      break;
    case mjGEOM_SPHERE:
      half[1] = half[2] = size[0];
      break;
    case mjGEOM_CAPSULE:
      half[1] = size[0];
      half[2] = size[0] + size[1];
      break;
    case mjGEOM_CYLINDER:
      half[1] = size[0];
      half[2] = size[1];
      break;
    default:
      break;
  }
  for (int i = 0; i < 3; i++) {
    low[i] = -half[i];
    high[i] = half[i];
  }
  if (geom->v.type == mjGEOM_PLANE) high[2] = 0;
  if (geom->v.type == mjGEOM_HFIELD) {
    low[2] = -geom->hfield->v.size[3];
    high[2] = geom->hfield->v.size[2];
  }
  if (is_mesh(geom)) {
    memcpy(low, geom->mesh->min, 3 * sizeof(double));
    memcpy(high, geom->mesh->max, 3 * sizeof(double));
  }
}

static double bounding_radius(const ct_WorkGeom* geom) {
  const double* size = geom->v.size;
  switch (geom->v.type) {
    case mjGEOM_HFIELD: {
      const double* f = geom->hfield->v.size;
      return sqrt(f[0] * f[0] + f[1] * f[1] + fmax(f[2] * f[2], f[3] * f[3]));
    }
    case mjGEOM_SPHERE:
      return size[0];
    case mjGEOM_CAPSULE:
      return size[0] + size[1];
    case mjGEOM_CYLINDER:
      return sqrt(size[0] * size[0] + size[1] * size[1]);
    case mjGEOM_ELLIPSOID:
      return fmax(fmax(size[0], size[1]), size[2]);
    case mjGEOM_BOX:
    case mjGEOM_MESH:
    case mjGEOM_SDF:
      return sqrt(ct_dot64(size, size));
    default:
      return 0;
  }
}

static void compile_bounds(ct_WorkGeom* geom) {
  double low[3], high[3];
  find_extent(geom, low, high);
  for (int i = 0; i < 3; i++) {
    geom->aabb[i] = (low[i] + high[i]) / 2;
    geom->aabb[i + 3] = (high[i] - low[i]) / 2;
  }
  geom->rbound = bounding_radius(geom);
}

// Mass and inertia

static void set_inertia(ct_WorkGeom* geom) {
  const double* size = is_mesh(geom) ? geom->mesh->box : geom->v.size;
  ct_shape_inertia(geom->inertia, geom->v.type, geom->v.typeinertia, size, geom->mass);
}

// `mass` wins over `density`. A shape without volume has no mass, whatever is asked.
static void compile_mass(ct_Compiler* c, ct_WorkGeom* geom) {
  mjsGeom* v = &geom->v;
  double volume =
      is_mesh(geom) ? geom->mesh->volume : ct_shape_volume(v->type, v->typeinertia, v->size);
  if (!isnan(v->mass)) {
    if (v->mass == 0) {
      geom->mass = 0;
      v->density = 0;
    } else if (volume > CT_COMPILER_EPS) {
      geom->mass = v->mass;
      v->density = v->mass / volume;
      set_inertia(geom);
    }
  } else if (v->density != 0) {
    geom->mass = v->density * volume;
    set_inertia(geom);
  }
  const ct_Element* e = geom->head.element;
  if (geom->mass < 0 || v->density < 0) ct_fail(c, e, "mass and density cannot be negative");
  for (int i = 0; i < 3; i++) {
    if (geom->inertia[i] < 0) ct_fail(c, e, "the inertia of the geom is negative");
  }
}

static bool infers(const ct_WorkGeom* geom) {
  const mjsCompiler* settings = ct_settings(geom->head.element);
  int group = geom->v.group;
  if (ct_is_world(geom->body)) return false;
  if (geom->body->v.explicitinertial && settings->inertiafromgeom != mjINERTIAFROMGEOM_TRUE) {
    return false;
  }
  return group >= settings->inertiagrouprange[0] && group <= settings->inertiagrouprange[1];
}

static void compile_fluid(ct_WorkGeom* geom) {
  geom->fluid[0] = 1;
  for (int i = 0; i < 5; i++) geom->fluid[1 + i] = (double)geom->v.fluid_coefs[i];
  ct_shape_fluid(geom->fluid + 6, geom->fluid + 9, geom->v.type, geom->v.size);
}

void ct_compile_geom(ct_Compiler* c, ct_WorkGeom* geom) {
  const ct_Element* e = geom->head.element;
  ct_check_user(c, e, geom->v.userdata, c->nuser_geom);
  check_type(c, geom);
  geom->visual = geom->v.contype == 0 && geom->v.conaffinity == 0;
  compile_pose(c, geom);
  compile_size(c, geom);
  compile_bounds(geom);
  geom->infers = infers(geom);
  if (geom->infers) compile_mass(c, geom);
  if (geom->v.fluid_ellipsoid > 0) compile_fluid(geom);
  geom->plugin = ct_resolve_plugin(c, e, &geom->v.plugin, mjPLUGIN_SDF);
  ct_apply_frame(c, e, geom->v.pos, geom->v.quat);
}

// Sites

void ct_compile_site(ct_Compiler* c, ct_WorkSite* site) {
  const ct_Element* e = site->head.element;
  mjsSite* v = &site->v;
  ct_check_user(c, e, v->userdata, c->nuser_site);
  int type = (int)v->type;
  if (type < 0 || type >= mjNGEOMTYPES || type == mjGEOM_MESH || type == mjGEOM_HFIELD ||
      type == mjGEOM_PLANE) {
    ct_fail(c, e, "a site cannot be a mesh, height field or plane");
  }
  if (!isnan(v->fromto[0])) {
    const char* bad = ct_shape_from_ends(v->type, v->fromto, v->pos, v->quat, v->size);
    if (bad) ct_fail(c, e, "%s", bad);
  } else {
    ct_resolve_orientation(c, e, v->quat, &v->alt);
  }
  ct_apply_frame(c, e, v->pos, v->quat);
  ct_normalize64(v->quat, 4);
  ct_shape_check(c, e, v->type, v->size);
}
