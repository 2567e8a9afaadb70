// Tendons: what their paths go through, and which paths are possible.
//
// A path whose first part is a joint is a weighted sum of joints (fixed tendon). Any other is a
// line through sites in space, round spheres and cylinders, and over pulleys that begin new
// branches.

#include "compile/compile.h"
#include "compile/work/put.h"

static ct_WorkTendon* tendon_at(const ct_Compiler* c, int i) {
  return CT_WORK(ct_WorkTendon, c->list[mjOBJ_TENDON], i);
}

static bool is_fixed(const ct_WorkTendon* tendon) {
  return tendon->path[0].type == mjWRAP_JOINT;
}

static bool is_geom(mjtWrap type) {
  return type == mjWRAP_SPHERE || type == mjWRAP_CYLINDER;
}

// Parts of the path

static void resolve_geom(ct_Compiler* c, const ct_Element* e, ct_WorkWrap* part) {
  const char* name = ct_name(&part->wrap->element);
  const char* side = ct_string_get(&part->wrap->side);
  part->object = ct_lookup_or_fail(c, e, "geom", mjOBJ_GEOM, name);
  part->object->used = true;
  switch (((const ct_WorkGeom*)part->object)->v.type) {
    case mjGEOM_SPHERE:
      part->type = mjWRAP_SPHERE;
      break;
    case mjGEOM_CYLINDER:
      part->type = mjWRAP_CYLINDER;
      break;
    default:
      ct_fail(c, e, "geom \"%s\" is neither sphere nor cylinder: a tendon cannot go round it",
              name);
  }
  CT_VALUES(mjsWrap, &part->wrap->element)->type = part->type;  // the spec tells it from now on
  part->side = NULL;
  if (side[0]) part->side = (ct_WorkSite*)ct_lookup_or_fail(c, e, "sidesite", mjOBJ_SITE, side);
}

static void resolve_part(ct_Compiler* c, const ct_Element* e, ct_WorkWrap* part) {
  const char* name = ct_name(&part->wrap->element);
  part->type = CT_VALUES(mjsWrap, &part->wrap->element)->type;
  part->number = part->wrap->number;
  switch (part->type) {
    case mjWRAP_JOINT:
      part->object = ct_lookup_or_fail(c, e, "joint", mjOBJ_JOINT, name);
      break;
    case mjWRAP_SITE:
      part->object = ct_lookup_or_fail(c, e, "site", mjOBJ_SITE, name);
      break;
    case mjWRAP_SPHERE:
    case mjWRAP_CYLINDER:
      resolve_geom(c, e, part);
      break;
    case mjWRAP_PULLEY:
      if (part->number < 0) ct_fail(c, e, "divisor of a pulley is %g: negative", part->number);
      break;
    default:
      ct_fail(c, e, "%d is not a type of a part of a path", (int)part->type);
  }
}

static void resolve_path(ct_Compiler* c, ct_WorkTendon* tendon) {
  const ct_Element* e = tendon->head.element;
  const ct_List* path = &((const ct_Tendon*)e)->path;
  if (path->count == 0) ct_fail(c, e, "the path is empty");
  tendon->npath = path->count;
  tendon->path = (ct_WorkWrap*)ct_pool_array(&c->pool, (size_t)path->count, sizeof(ct_WorkWrap));
  for (int i = 0; i < path->count; i++) {
    tendon->path[i].wrap = (const ct_Wrap*)path->item[i];
    resolve_part(c, e, &tendon->path[i]);
  }
}

// The path as a whole

static void check_fixed(ct_Compiler* c, const ct_WorkTendon* tendon) {
  for (int i = 0; i < tendon->npath; i++) {
    if (tendon->path[i].type != mjWRAP_JOINT) {
      ct_fail(c, tendon->head.element, "the path begins with a joint: all parts must be joints");
    }
  }
}

// Neighbours of part i; mjWRAP_NONE at the ends.
static mjtWrap before(const ct_WorkTendon* tendon, int i) {
  return i > 0 ? tendon->path[i - 1].type : mjWRAP_NONE;
}
static mjtWrap after(const ct_WorkTendon* tendon, int i) {
  return i + 1 < tendon->npath ? tendon->path[i + 1].type : mjWRAP_NONE;
}

static bool ends_branch(mjtWrap type) {
  return type == mjWRAP_NONE || type == mjWRAP_PULLEY;
}

static void check_spatial_part(ct_Compiler* c, const ct_WorkTendon* tendon, int i) {
  const ct_Element* e = tendon->head.element;
  const ct_WorkWrap* part = &tendon->path[i];
  const char* name = ct_name(&part->wrap->element);
  mjtWrap last = before(tendon, i), next = after(tendon, i);
  if (part->type == mjWRAP_JOINT) {
    ct_fail(c, e, "joint \"%s\" is in a path that does not begin with a joint", name);
  }
  if (part->type == mjWRAP_PULLEY && last == mjWRAP_PULLEY) {
    ct_fail(c, e, "part %d of the path is a pulley after a pulley", i);
  }
  if (part->type == mjWRAP_PULLEY && next == mjWRAP_NONE) {
    ct_fail(c, e, "the path ends with a pulley");
  }
  if (part->type == mjWRAP_SITE && ends_branch(last) && ends_branch(next)) {
    ct_fail(c, e, "site \"%s\" is alone: it needs a neighbour on its branch", name);
  }
  if (part->type == mjWRAP_SITE && last == mjWRAP_SITE &&
      part->object == tendon->path[i - 1].object) {
    ct_fail(c, e, "site \"%s\" is twice in a row in the path", name);
  }
  if (!is_geom(part->type)) return;
  if (last != mjWRAP_SITE || next != mjWRAP_SITE) {
    ct_fail(c, e, "geom \"%s\" is not between two sites of the path", name);
  }
  if (tendon->v.armature > 0) {
    ct_fail(c, e, "armature is %g: a tendon round geom \"%s\" cannot have any", tendon->v.armature,
            name);
  }
}

static void check_spatial(ct_Compiler* c, const ct_WorkTendon* tendon) {
  const ct_Element* e = tendon->head.element;
  if (tendon->npath < 2) ct_fail(c, e, "the path has one part, in space it needs at least two");
  if (tendon->v.width <= 0) ct_fail(c, e, "width is %g, it must be positive", tendon->v.width);
  if (tendon->v.armature < 0) {
    ct_fail(c, e, "armature is %g, it cannot be negative", tendon->v.armature);
  }
  for (int i = 0; i < tendon->npath; i++) check_spatial_part(c, tendon, i);
}

// Limits

static void check_order(ct_Compiler* c, const ct_Element* e, const char* attribute,
                        const double range[2]) {
  if (range[0] >= range[1]) {
    ct_fail(c, e, "%s goes from %g to %g: the first number must be the smaller one", attribute,
            range[0], range[1]);
  }
}

static void compile_limits(ct_Compiler* c, ct_WorkTendon* tendon) {
  const ct_Element* e = tendon->head.element;
  const mjsTendon* v = &tendon->v;
  tendon->limited = ct_is_limited(c, e, "range", v->limited, v->range);
  tendon->actfrclimited = ct_is_limited(c, e, "actuatorfrcrange", v->actfrclimited, v->actfrcrange);
  if (tendon->limited) check_order(c, e, "range", v->range);
  if (tendon->actfrclimited) {
    check_order(c, e, "actuatorfrcrange", v->actfrcrange);
    if (v->actfrcrange[0] > 0 || v->actfrcrange[1] < 0) {
      ct_fail(c, e, "actuatorfrcrange goes from %g to %g: it must contain 0", v->actfrcrange[0],
              v->actfrcrange[1]);
    }
  }
  if (v->springlength[0] > v->springlength[1]) {
    ct_fail(c, e, "springlength goes from %g to %g: the first number cannot be the larger one",
            v->springlength[0], v->springlength[1]);
  }
}

static void compile_tendon(ct_Compiler* c, ct_Work* work) {
  ct_WorkTendon* tendon = (ct_WorkTendon*)work;
  ct_check_user(c, tendon->head.element, tendon->v.userdata, c->nuser_tendon);
  resolve_path(c, tendon);
  if (is_fixed(tendon)) {
    check_fixed(c, tendon);
  } else {
    check_spatial(c, tendon);
  }
  compile_limits(c, tendon);
}

void ct_compile_tendons(ct_Compiler* c) {
  ct_each(c, &c->list[mjOBJ_TENDON], compile_tendon);
}

// Sizes and arrays

void ct_size_tendons(ct_Compiler* c) {
  for (int i = 0; i < CT_COUNT(c, mjOBJ_TENDON); i++) c->size.nwrap += tendon_at(c, i)->npath;
}

static void copy_part(mjModel* m, const ct_WorkWrap* part, int adr) {
  double number = part->number;
  if (part->type == mjWRAP_SITE) number = 0;
  if (is_geom(part->type)) number = CT_ID(part->side);
  m->wrap_type[adr] = (int)part->type;
  m->wrap_objid[adr] = ct_id(part->object);
  m->wrap_prm[adr] = (mjtNum)number;
}

static void copy_numbers(mjModel* m, const mjsTendon* v, int i) {
  ct_put(m->tendon_width + i, &v->width, 1);
  ct_put_nums(m->tendon_solref_lim + mjNREF * i, v->solref_limit, mjNREF);
  ct_put_nums(m->tendon_solimp_lim + mjNIMP * i, v->solimp_limit, mjNIMP);
  ct_put_nums(m->tendon_solref_fri + mjNREF * i, v->solref_friction, mjNREF);
  ct_put_nums(m->tendon_solimp_fri + mjNIMP * i, v->solimp_friction, mjNIMP);
  ct_put(m->tendon_range + 2 * i, v->range, 2);
  ct_put(m->tendon_actfrcrange + 2 * i, v->actfrcrange, 2);
  ct_put(m->tendon_margin + i, &v->margin, 1);
  ct_put(m->tendon_stiffness + i, &v->stiffness, 1);
  ct_put(m->tendon_damping + i, &v->damping, 1);
  ct_put(m->tendon_armature + i, &v->armature, 1);
  ct_put(m->tendon_frictionloss + i, &v->frictionloss, 1);
  ct_put(m->tendon_lengthspring + 2 * i, v->springlength, 2);
  ct_put_floats(m->tendon_rgba + 4 * i, v->rgba, 4);
}

void ct_copy_tendons(ct_Compiler* c) {
  mjModel* m = c->model;
  for (int i = 0, adr = 0; i < m->ntendon; i++) {
    const ct_WorkTendon* tendon = tendon_at(c, i);
    m->tendon_adr[i] = adr;
    m->tendon_num[i] = tendon->npath;
    m->tendon_matid[i] = CT_ID(tendon->material);
    m->tendon_group[i] = tendon->v.group;
    m->tendon_limited[i] = tendon->limited;
    m->tendon_actfrclimited[i] = tendon->actfrclimited;
    copy_numbers(m, &tendon->v, i);
    ct_copy_user(m->tendon_user + i * m->nuser_tendon, tendon->v.userdata);
    for (int k = 0; k < tendon->npath; k++) copy_part(m, &tendon->path[k], adr++);
  }
}
