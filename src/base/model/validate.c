// Validation of a compiled model, in three parts. This file holds the rules of the reference: what
// the schema says about every index array, and rules that a table cannot say. validate_layout.c
// holds what corten's own code relies on beyond them, validate_tree.c what it relies on in the tree
// of bodies and dofs. A model that passes all of them can be used without reading or writing
// outside its arrays.

#include "base/model/validate.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/model/objects.h"
#include "base/model/validate_rules.h"

static _Thread_local char message[256];

bool ct_invalid(const char* format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof(message), format, args);
  va_end(args);
  return false;
}

// Is this a type of which a model has numbered objects?
static bool counted(int objtype) {
  const ct_ObjectType* type = ct_object_type(objtype);
  return type && type->name;
}

bool ct_index_is_wrong(const char* array, mjtSize at, mjtSize index, mjtSize lowest, mjtSize size) {
  return ct_invalid("%s[%lld] is %lld, allowed are %lld to %lld", array, (long long)at,
                    (long long)index, (long long)lowest, (long long)size - 1);
}

// The smallest and the largest entry tell whether one is wrong; only then which one matters.
bool ct_check_indices(const char* name, const int* array, mjtSize first, mjtSize count,
                      mjtSize lowest, mjtSize size) {
  int least = INT_MAX, most = INT_MIN;
  for (mjtSize i = first; i < first + count; i++) {
    least = array[i] < least ? array[i] : least;
    most = array[i] > most ? array[i] : most;
  }
  if (count <= 0 || (least >= lowest && most < size)) return true;
  for (mjtSize i = first; i < first + count; i++) {
    if (!ct_check_index(name, i, array[i], lowest, size)) return false;
  }
  return true;
}

bool ct_span_is_wrong(const char* array, mjtSize at, mjtSize first, mjtSize count, mjtSize size) {
  return ct_invalid("%s[%lld] is %lld for %lld entries, but there are %lld", array, (long long)at,
                    (long long)first, (long long)count, (long long)size);
}

// Every ID and SPAN of the schema.
static bool targets(const mjModel* m) {
  for (int k = 0; k < ct_nmodel_field; k++) {
    const ct_Field* f = ct_model_fields + k;
    if (f->target.kind != CT_TARGET_ID && f->target.kind != CT_TARGET_SPAN) continue;
    const int* entry = (const int*)ct_field_array(f, m);
    const int* count = NULL;
    if (f->target.kind == CT_TARGET_SPAN) count = *(int* const*)((const char*)m + f->target.count);
    mjtSize size = ct_model_size(m, f->target.size);
    mjtSize n = ct_field_rows(f, m, NULL) * ct_field_columns(f, m);
    if (!count && !ct_check_indices(f->name, entry, 0, n, -1, size)) return false;
    for (mjtSize i = 0; count && i < n; i++) {
      if (!ct_check_span(f->name, i, entry[i], count[i], size)) return false;
    }
  }
  return true;
}

// Parents come before children; so do the roots of trees and the bodies that one is welded to.
static bool bodies(const mjModel* m) {
  for (int i = 0; i < m->nbody; i++) {
    if (!ct_check_index("body_parentid", i, m->body_parentid[i], 0, i ? i : 1)) return false;
    if (!ct_check_index("body_rootid", i, m->body_rootid[i], 0, i + 1)) return false;
    if (!ct_check_index("body_weldid", i, m->body_weldid[i], 0, i + 1)) return false;
  }
  return true;
}

static bool joints(const mjModel* m) {
  static const int position_width[] = {7, 4, 1, 1}, velocity_width[] = {6, 3, 1, 1};
  for (int i = 0; i < m->njnt; i++) {
    if (!ct_check_index("jnt_type", i, m->jnt_type[i], 0, mjJNT_HINGE + 1)) return false;
    int q = position_width[m->jnt_type[i]], v = velocity_width[m->jnt_type[i]];
    if (!ct_check_index("jnt_qposadr", i, m->jnt_qposadr[i], 0, m->nq - q + 1)) return false;
    if (!ct_check_index("jnt_dofadr", i, m->jnt_dofadr[i], 0, m->nv - v + 1)) return false;
  }
  for (int i = 0; i < m->nv; i++) {
    if (!ct_check_index("dof_parentid", i, m->dof_parentid[i], -1, i)) return false;
  }
  return true;
}

static bool geoms(const mjModel* m) {
  for (int i = 0; i < m->ngeom; i++) {
    if (!ct_check_index("geom_condim", i, m->geom_condim[i], 0, 7)) return false;
    if (m->geom_type[i] == mjGEOM_HFIELD) {
      if (!ct_check_index("geom_dataid", i, m->geom_dataid[i], -1, m->nhfield)) return false;
    } else if (m->geom_type[i] == mjGEOM_MESH || m->geom_type[i] == mjGEOM_SDF) {
      if (!ct_check_index("geom_dataid", i, m->geom_dataid[i], -1, m->nmesh)) return false;
    }
  }
  return true;
}

// Does a block of depth x rows x columns starting at `first` end within `size`?
static bool block_fits(mjtSize first, int rows, int columns, int depth, mjtSize size) {
  if (first < 0 || first > size || rows < 0 || columns < 0 || depth < 0) return false;
  mjtSize n;
  return !__builtin_mul_overflow((mjtSize)rows * columns, (mjtSize)depth, &n) && n <= size - first;
}

static bool images(const mjModel* m) {
  for (int i = 0; i < m->nhfield; i++) {
    if (!block_fits(m->hfield_adr[i], m->hfield_nrow[i], m->hfield_ncol[i], 1, m->nhfielddata)) {
      return ct_invalid("hfield_adr[%d]: %d x %d numbers from %d on do not lie within hfield_data",
                        i, m->hfield_nrow[i], m->hfield_ncol[i], m->hfield_adr[i]);
    }
  }
  for (int i = 0; i < m->ntex; i++) {
    if (!block_fits(m->tex_adr[i], m->tex_height[i], m->tex_width[i], m->tex_nchannel[i],
                    m->ntexdata)) {
      return ct_invalid("tex_adr[%d]: %d x %d x %d bytes from %lld on do not lie within tex_data",
                        i, m->tex_height[i], m->tex_width[i], m->tex_nchannel[i],
                        (long long)m->tex_adr[i]);
    }
  }
  return true;
}

// A signature holds two body ids of 16 bits each.
static bool signature(const mjModel* m, const char* array, int at, int value) {
  if (!ct_check_index(array, at, value & 0xFFFF, 0, m->nbody)) return false;
  return ct_check_index(array, at, (value >> 16) & 0xFFFF, 0, m->nbody);
}

static bool pairs(const mjModel* m) {
  for (int i = 0; i < m->npair; i++) {
    if (!signature(m, "pair_signature", i, m->pair_signature[i])) return false;
  }
  for (int i = 0; i < m->nexclude; i++) {
    if (!signature(m, "exclude_signature", i, m->exclude_signature[i])) return false;
  }
  return true;
}

static bool equality(const mjModel* m, int i) {
  int one = m->eq_obj1id[i], two = m->eq_obj2id[i], objtype = m->eq_objtype[i];
  mjtSize size = 0, lowest = -1, end = 0;
  switch (m->eq_type[i]) {
    case mjEQ_CONNECT:
    case mjEQ_WELD:
      if (objtype != mjOBJ_BODY && objtype != mjOBJ_SITE) {
        return ct_invalid("eq_objtype[%d] is %d, allowed are body and site", i, objtype);
      }
      size = end = ct_object_count(m, objtype), lowest = 0;
      break;
    case mjEQ_DISTANCE:
      if (objtype != mjOBJ_SITE) {
        return ct_invalid("eq_objtype[%d] is %d, a distance is between sites", i, objtype);
      }
      size = end = m->nsite, lowest = 0;
      break;
    case mjEQ_JOINT:
      size = end = m->njnt;
      break;
    case mjEQ_TENDON:
      size = end = m->ntendon;
      break;
    case mjEQ_FLEX:
    case mjEQ_FLEXVERT:
      size = m->nflex, end = 0;
      break;
    default:
      return ct_invalid("eq_type[%d] is %d, which is not an equality", i, m->eq_type[i]);
  }
  if (!ct_check_index("eq_obj1id", i, one, 0, size)) return false;
  return ct_check_index("eq_obj2id", i, two, lowest, end);
}

static bool equalities(const mjModel* m) {
  for (int i = 0; i < m->neq; i++) {
    if (!equality(m, i)) return false;
  }
  return true;
}

static bool wraps(const mjModel* m) {
  for (int i = 0; i < m->nwrap; i++) {
    mjtSize size;
    switch (m->wrap_type[i]) {
      case mjWRAP_NONE:
      case mjWRAP_PULLEY:
        continue;
      case mjWRAP_JOINT:
        size = m->njnt;
        break;
      case mjWRAP_SITE:
        size = m->nsite;
        break;
      case mjWRAP_SPHERE:
      case mjWRAP_CYLINDER:
        size = m->ngeom;
        break;
      default:
        return ct_invalid("wrap_type[%d] is %d, which is not a path element", i, m->wrap_type[i]);
    }
    if (!ct_check_index("wrap_objid", i, m->wrap_objid[i], 0, size)) return false;
  }
  return true;
}

static bool actuators(const mjModel* m) {
  for (int i = 0; i < m->nu; i++) {
    mjtSize size;
    switch (m->actuator_trntype[i]) {
      case mjTRN_JOINT:
      case mjTRN_JOINTINPARENT:
        size = m->njnt;
        break;
      case mjTRN_TENDON:
        size = m->ntendon;
        break;
      case mjTRN_SITE:
      case mjTRN_SLIDERCRANK:
        size = m->nsite;
        break;
      case mjTRN_BODY:
        size = m->nbody;
        break;
      default:
        return ct_invalid("actuator_trntype[%d] is %d, which is not a transmission", i,
                          m->actuator_trntype[i]);
    }
    if (!ct_check_index("actuator_trnid", 2 * i, m->actuator_trnid[2 * i], 0, size)) return false;
    if (m->actuator_trntype[i] == mjTRN_SLIDERCRANK) {
      if (!ct_check_index("actuator_trnid", 2 * i + 1, m->actuator_trnid[2 * i + 1], 0, size)) {
        return false;
      }
    }
  }
  return true;
}

// Oddity of the reference, kept because it decides which models load: the sensor's mesh id is taken
// for a geom id, and the body of that geom must have a geom that can collide.
static bool tactile(const mjModel* m, int i) {
  int geom = m->sensor_objid[i];
  if (m->sensor_type[i] != mjSENS_TACTILE || geom < 0 || geom >= m->ngeom) return true;
  int body = m->geom_bodyid[geom];
  if (body < 0) return true;
  for (int k = 0; k < m->body_geomnum[body]; k++) {
    int g = m->body_geomadr[body] + k;
    if (m->geom_contype[g] || m->geom_conaffinity[g]) return true;
  }
  return ct_invalid("sensor %d (tactile): body %d has no geom that can collide", i, body);
}

static bool sensors(const mjModel* m) {
  for (int i = 0; i < m->nsensor; i++) {
    if (!ct_check_index("sensor_type", i, m->sensor_type[i], 0, mjSENS_USER + 1)) return false;
    if (m->sensor_adr[i] < 0 || m->sensor_dim[i] < 0 ||
        (mjtSize)m->sensor_adr[i] + m->sensor_dim[i] > m->nsensordata) {
      return ct_invalid("sensor %d: %d numbers from %d on do not lie within sensordata", i,
                        m->sensor_dim[i], m->sensor_adr[i]);
    }
    int objtype = m->sensor_objtype[i], reftype = m->sensor_reftype[i];
    if (!counted(objtype) && objtype != mjOBJ_UNKNOWN) {
      return ct_invalid("sensor_objtype[%d] is %d, which is not a type of object", i, objtype);
    }
    if (!counted(reftype) && reftype != mjOBJ_UNKNOWN) {
      return ct_invalid("sensor_reftype[%d] is %d, which is not a type of object", i, reftype);
    }
    if (counted(objtype)) {
      if (!ct_check_index("sensor_objid", i, m->sensor_objid[i], 0, ct_object_count(m, objtype))) {
        return false;
      }
    }
    if (counted(reftype)) {
      if (!ct_check_index("sensor_refid", i, m->sensor_refid[i], -1, ct_object_count(m, reftype))) {
        return false;
      }
    }
    if (!tactile(m, i)) return false;
  }
  return true;
}

static bool tuples(const mjModel* m) {
  for (int i = 0; i < m->ntupledata; i++) {
    int type = m->tuple_objtype[i];
    if (!counted(type))
      return ct_invalid("tuple_objtype[%d] is %d, which is not a type of object", i, type);
    if (!ct_check_index("tuple_objid", i, m->tuple_objid[i], 0, ct_object_count(m, type))) {
      return false;
    }
  }
  return true;
}

static bool all_rules(const mjModel* m) {
  return targets(m) && bodies(m) && joints(m) && geoms(m) && images(m) && pairs(m) &&
         equalities(m) && wraps(m) && actuators(m) && sensors(m) && tuples(m) &&
         ct_validate_layout(m) && ct_validate_tree(m);
}

const char* mj_validateReferences(const mjModel* m) {
  return all_rules(m) ? NULL : message;
}
