// flexcomp: what the element says, and the order in which it becomes bodies and a flex.

#include <limits.h>
#include <math.h>
#include <string.h>

#include "mjcf/flexcomp.h"
#include "spec/flex_material.h"
#include "spec/pose.h"

// Lists that grow

void ct_flexcomp_add_point(ct_Reader* r, ct_Flexcomp* comp, const double point[3]) {
  if (comp->npoint >= CT_FLEX_MOST_POINTS)
    ct_refuse(r, comp->xml, NULL, "more than %d points", CT_FLEX_MOST_POINTS);
  size_t n = (size_t)comp->npoint;
  comp->point =
      (double*)ct_pool_grow(&r->pool, comp->point, n, n + 1, &comp->point_room, 3 * sizeof(double));
  memcpy(comp->point + 3 * n, point, 3 * sizeof(double));
  comp->npoint++;
}

void ct_flexcomp_add_element(ct_Reader* r, ct_Flexcomp* comp, const int* vertex) {
  const int most = INT_MAX / 32;  // entries of flex_stiffness are counted in int
  if (comp->nelem >= most) ct_refuse(r, comp->xml, NULL, "more than %d elements", most);
  size_t n = (size_t)comp->nelem, width = (size_t)comp->flex.dim + 1;
  comp->elem =
      (int*)ct_pool_grow(&r->pool, comp->elem, n, n + 1, &comp->elem_room, width * sizeof(int));
  memcpy(comp->elem + width * n, vertex, width * sizeof(int));
  comp->nelem++;
}

void ct_flexcomp_add_texcoord(ct_Reader* r, ct_Flexcomp* comp, double u, double v) {
  size_t n = (size_t)comp->ntexcoord;
  comp->texcoord = (float*)ct_pool_grow(&r->pool, comp->texcoord, n, n + 1, &comp->texcoord_room,
                                        2 * sizeof(float));
  comp->texcoord[2 * n] = (float)u;
  comp->texcoord[2 * n + 1] = (float)v;
  comp->ntexcoord++;
}

// Reading

static void start(ct_Flexcomp* comp, ct_Element* e, const ct_Xml* xml) {
  static const ct_Flexcomp initial = {.count = {10, 10, 10},
                                      .spacing = {0.02, 0.02, 0.02},
                                      .scale = {1, 1, 1},
                                      .mass = 1,
                                      .inertiabox = 0.005,
                                      .quat = {1, 0, 0, 0}};
  *comp = initial;
  comp->flex = *CT_VALUES(mjsFlex, e);
  comp->element = e;
  comp->xml = xml;
  memcpy(comp->solref, comp->flex.solref, sizeof(comp->solref));
  memcpy(comp->solimp, comp->flex.solimp, sizeof(comp->solimp));
}

// A quaternion may have any length, and points get farther away with it, as in the reference.
static void read_orientation(ct_Reader* r, ct_Flexcomp* comp) {
  const ct_Xml* xml = comp->xml;
  const mjsCompiler* settings = &r->spec->spec.compiler;
  if (ct_given(xml, "quat") && comp->alt.type != mjORIENTATION_QUAT)
    ct_refuse(r, xml, "quat", "quat and another attribute both give the orientation");
  ct_read_reals(r, xml, "quat", comp->quat, 4, 4);
  const char* wrong =
      mjs_resolveOrientation(comp->quat, settings->degree, settings->eulerseq, &comp->alt);
  if (wrong) ct_refuse(r, xml, NULL, "%s", wrong);
}

static void read_parts(ct_Reader* r, ct_Flexcomp* comp) {
  for (const ct_Xml* part = comp->xml->first; part; part = part->next) {
    if (!strcmp(part->name, "edge")) {
      ct_read_rows(r, part, comp);
    } else if (!strcmp(part->name, "elasticity") || !strcmp(part->name, "contact")) {
      ct_read_rows(r, part, &comp->flex);
      ct_read_flex_material(r, part, &comp->flex, &comp->preset);
    }
  }
}

static void read_given(ct_Reader* r, ct_Flexcomp* comp) {
  const ct_Xml* xml = comp->xml;
  int npoint, nelem, ntexcoord, width = comp->flex.dim + 1;
  comp->texcoord = ct_read_all_floats(r, xml, "texcoord", &ntexcoord);
  if (ntexcoord % 2)
    ct_refuse(r, xml, "texcoord", "texcoord has %d numbers, not 2 per point", ntexcoord);
  comp->ntexcoord = ntexcoord / 2;
  const char* given = ct_given(xml, "point")     ? "point"
                      : ct_given(xml, "element") ? "element"
                                                 : NULL;
  if (given && comp->type != CT_FLEXCOMP_DIRECT)
    ct_refuse(r, xml, given, "%s is for type direct; this type makes its own", given);
  if (comp->type != CT_FLEXCOMP_DIRECT) return;

  comp->point = ct_read_all_reals(r, xml, "point", &npoint);
  comp->elem = ct_read_all_ints(r, xml, "element", &nelem);
  if (!npoint || !nelem) ct_refuse(r, xml, NULL, "type direct needs point and element");
  if (npoint % 3) ct_refuse(r, xml, "point", "point has %d numbers, not 3 per point", npoint);
  if (nelem % width)
    ct_refuse(r, xml, "element", "element has %d numbers, not %d per element", nelem, width);
  comp->npoint = npoint / 3;
  comp->nelem = nelem / width;
}

// Checks

static void check_counts(ct_Reader* r, const ct_Flexcomp* comp) {
  int least = comp->dof == CT_FLEXDOF_RADIAL && comp->flex.dim == 3 ? 2 : 1;
  bool hollow = comp->type >= CT_FLEXCOMP_BOX && comp->type <= CT_FLEXCOMP_ELLIPSOID;
  if (hollow) least = 2;
  double all = 1;
  for (int i = 0; i < 3; i++) {
    if (comp->count[i] < least) {
      ct_refuse(r, comp->xml, "count", "count has %d; %d is the least here", comp->count[i], least);
    }
    all *= comp->count[i];
  }
  if (comp->flex.dim == 1) all = comp->count[0];
  if (all > CT_FLEX_MOST_POINTS) {
    ct_refuse(r, comp->xml, "count", "%d x %d x %d points are too many; %d is the most",
              comp->count[0], comp->count[1], comp->count[2], CT_FLEX_MOST_POINTS);
  }
  if (comp->flex.dim == 2 && !hollow && comp->count[2] != 1) {
    ct_refuse(r, comp->xml, "count", "a flat grid has one layer: its third count is 1, not %d",
              comp->count[2]);
  }
}

static void check_spacing(ct_Reader* r, const ct_Flexcomp* comp) {
  double least = 2 * comp->flex.radius + comp->flex.margin;
  for (int i = 0; i < 3; i++) {
    if (!(comp->spacing[i] < least)) continue;
    ct_refuse(r, comp->xml, "spacing",
              "spacing has %g, less than twice the radius and the margin, %g: neighbours overlap",
              comp->spacing[i], least);
  }
}

static void check(ct_Reader* r, const ct_Scope* scope, const ct_Flexcomp* comp) {
  const ct_Xml* xml = comp->xml;
  if (comp->flex.dim < 1 || comp->flex.dim > 3)
    ct_refuse(r, xml, "dim", "dim is %d; it can be 1, 2 or 3", comp->flex.dim);
  if (scope->body != r->spec->world && !ct_name(&scope->body->element)[0])
    ct_refuse(r, xml, NULL, "the body around it needs a name");
  if (comp->density < 0 || !(comp->density <= mjMAXVAL))
    ct_refuse(r, xml, "density", "density is %g; it must be positive", comp->density);
  if (ct_flex_stretches(&comp->flex) && comp->equality)
    ct_refuse(r, xml, NULL,
              "elastic2d that resists stretching and edge equality exclude each other");
  if (!(comp->mass >= mjMINVAL)) ct_refuse(r, xml, "mass", "mass is %g, not positive", comp->mass);
  if (!(comp->inertiabox >= mjMINVAL))
    ct_refuse(r, xml, "inertiabox", "inertiabox is %g, not positive", comp->inertiabox);
  for (int i = 0; i < 3; i++) {
    if (!(comp->scale[i] >= mjMINVAL))
      ct_refuse(r, xml, "scale", "scale has %g, which is not positive", comp->scale[i]);
  }
  if (ct_flexcomp_given(comp)) return;
  check_counts(r, comp);
  check_spacing(r, comp);
}

static void check_elements(ct_Reader* r, const ct_Flexcomp* comp) {
  int width = comp->flex.dim + 1;
  const char* attribute = comp->type == CT_FLEXCOMP_DIRECT ? "element" : NULL;
  if (!comp->nelem) {
    ct_refuse(r, comp->xml, NULL,
              "there are no elements; a grid needs two points along each of %d axes",
              comp->flex.dim);
  }
  for (int i = 0; i < comp->nelem * width; i++) {
    if (comp->elem[i] >= 0 && comp->elem[i] < comp->npoint) continue;
    ct_refuse(r, comp->xml, attribute, "element %d has point %d; there are %d, counted from 0",
              i / width, comp->elem[i], comp->npoint);
  }
}

// Points

static void scale_points(ct_Flexcomp* comp) {
  for (int i = 0; i < comp->npoint; i++) {
    for (int k = 0; k < 3; k++) comp->point[3 * i + k] *= comp->scale[k];
  }
}

static void move_points(ct_Flexcomp* comp) {
  for (int i = 0; i < comp->npoint; i++) {
    double* p = comp->point + 3 * i;
    ct_turn(p, p, comp->quat);
    for (int k = 0; k < 3; k++) p[k] += comp->pos[k];
  }
}

// What all points say, those that no element uses too, as in the reference.
static void survey_points(ct_Flexcomp* comp) {
  double *low = comp->low, *high = comp->high;
  int pinned = 0;
  memcpy(low, comp->point, sizeof(comp->low));
  memcpy(high, comp->point, sizeof(comp->high));
  for (int i = 0; i < 3 * comp->npoint; i++) {
    low[i % 3] = fmin(low[i % 3], comp->point[i]);
    high[i % 3] = fmax(high[i % 3], comp->point[i]);
  }
  for (int i = 0; i < comp->npoint; i++) pinned += comp->pinned[i];
  comp->centred = pinned == 0;
  comp->rigid = comp->rigid || pinned == comp->npoint;
}

// Length, area or volume of all elements.
static double measure_elements(const ct_Flexcomp* comp) {
  int dim = comp->flex.dim;
  double sum = 0;
  for (int i = 0; i < comp->nelem; i++) {
    const int* vertex = comp->elem + (dim + 1) * i;
    double e[3][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, cross[3];
    for (int k = 0; k < dim; k++) {
      for (int j = 0; j < 3; j++) {
        e[k][j] = comp->point[3 * vertex[k + 1] + j] - comp->point[3 * vertex[0] + j];
      }
    }
    ct_cross64(cross, e[0], e[1]);
    if (dim == 1) sum += sqrt(ct_dot64(e[0], e[0]));
    if (dim == 2) sum += sqrt(ct_dot64(cross, cross)) / 2;
    if (dim == 3) sum += fabs(ct_dot64(cross, e[2])) / 6;
  }
  return sum;
}

// Mass from density, and the springs of lines from a material: a line of radius r has the section
// pi r^2, and an edge of length L the stiffness E pi r^2 / L, for which the mean length is taken.
static void weigh(ct_Reader* r, ct_Flexcomp* comp) {
  const ct_FlexMaterial* material = ct_flex_material(comp->preset);
  double density = comp->density > 0 ? comp->density : material ? material->density : 0;
  double size = measure_elements(comp), section = mjPI * comp->flex.radius * comp->flex.radius;
  if (comp->flex.dim == 1 && material && comp->flex.edgestiffness == 0 && !comp->equality) {
    comp->flex.edgestiffness =
        material->young * section * comp->nelem / (size > mjMINVAL ? size : mjMINVAL);
    if (comp->flex.edgedamping == 0) {
      comp->flex.edgedamping = material->damping * comp->flex.edgestiffness;
    }
  }
  if (density == 0 || ct_given(comp->xml, "mass")) return;
  if (comp->flex.dim == 1) size *= section;
  if (comp->flex.dim == 2)
    size *= comp->flex.thickness > 0 ? comp->flex.thickness : 2 * comp->flex.radius;
  comp->mass = density * size;
  if (!(comp->mass >= mjMINVAL)) {
    ct_refuse(r, comp->xml, "density", "density makes the mass %g, which is not positive",
              comp->mass);
  }
}

void ct_flexcomp_drop_unused(ct_Reader* r, ct_Flexcomp* comp) {
  int width = comp->flex.dim + 1, kept = 0;
  int* place = (int*)ct_pool_array(&r->pool, (size_t)comp->npoint + 1, sizeof(int));
  for (int i = 0; i < comp->nelem * width; i++) place[comp->elem[i]] = 1;
  bool by_corner = ct_vector_count(ct_vec(comp->flex.elemtexcoord), sizeof(int)) > 0;
  bool by_point = comp->ntexcoord && !by_corner;
  if (by_point && comp->ntexcoord < comp->npoint) {
    ct_refuse(r, comp->xml, "texcoord", "%d texture coordinates are not enough for %d points",
              comp->ntexcoord, comp->npoint);
  }
  for (int i = 0; i < comp->npoint; i++) {
    if (!place[i]) continue;
    memmove(comp->point + 3 * kept, comp->point + 3 * i, 3 * sizeof(double));
    if (by_point) {
      memmove(comp->texcoord + 2 * kept, comp->texcoord + 2 * i, 2 * sizeof(float));
    }
    comp->pinned[kept] = comp->pinned[i];
    place[i] = kept++;
  }
  for (int i = 0; i < comp->nelem * width; i++) comp->elem[i] = place[comp->elem[i]];
  bool dropped = kept < comp->npoint;
  comp->npoint = kept;
  if (by_point) comp->ntexcoord = kept;

  // oddity of the reference: if points were dropped, each of the others has a texture coordinate
  while (dropped && by_corner && comp->ntexcoord < kept) ct_flexcomp_add_texcoord(r, comp, 0, 0);
}

void ct_read_flexcomp(ct_Reader* r, const ct_Xml* xml, const ct_Scope* scope) {
  ct_Flexcomp comp;
  ct_Element* e = ct_add_in_spec(r->spec, mjOBJ_FLEX, NULL);
  ct_named(r, xml, e);
  start(&comp, e, xml);
  ct_read_rows(r, xml, &comp);
  read_orientation(r, &comp);
  read_parts(r, &comp);
  if (comp.type == CT_FLEXCOMP_SQUARE || comp.type == CT_FLEXCOMP_DISC) comp.flex.dim = 2;
  check(r, scope, &comp);
  read_given(r, &comp);

  if (comp.type == CT_FLEXCOMP_MESH) {
    ct_flexcomp_read_mesh(r, &comp);
  } else if (comp.type == CT_FLEXCOMP_GMSH) {
    ct_flexcomp_read_gmsh(r, &comp);
  } else if (comp.type != CT_FLEXCOMP_DIRECT) {
    ct_flexcomp_make_points(r, &comp);
  }
  check_elements(r, &comp);
  if (ct_flexcomp_given(&comp)) scale_points(&comp);
  ct_flexcomp_pin(r, &comp);
  move_points(&comp);
  survey_points(&comp);
  if (ct_flexcomp_given(&comp)) ct_flexcomp_drop_unused(r, &comp);
  weigh(r, &comp);
  ct_flexcomp_make(r, scope, &comp);
}
