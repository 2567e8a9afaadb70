// The second part of validation: what corten's own code relies on when it indexes arrays without
// looking, but the reference takes on trust. Every compiled model fulfils it; a file that does not
// is damaged, and is refused here rather than read out of bounds later (docs/differences.md).

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/model/sensor_rules.h"
#include "base/model/validate_rules.h"

// Indices that the schema lets be -1 and that are always there in a model.
static bool always_present(const mjModel* m) {
  static const size_t arrays[] = {
      offsetof(mjModel, jnt_bodyid),
      offsetof(mjModel, dof_bodyid),
      offsetof(mjModel, dof_jntid),
      offsetof(mjModel, dof_Madr),
      offsetof(mjModel, dof_treeid),
      offsetof(mjModel, tree_bodyadr),
      offsetof(mjModel, tree_dofadr),
      offsetof(mjModel, geom_bodyid),
      offsetof(mjModel, site_bodyid),
      offsetof(mjModel, cam_bodyid),
      offsetof(mjModel, light_bodyid),
      offsetof(mjModel, pair_geom1),
      offsetof(mjModel, pair_geom2),
      offsetof(mjModel, mesh_vertadr),
      offsetof(mjModel, mesh_face),
      offsetof(mjModel, mesh_polyvert),
      offsetof(mjModel, mesh_polymap),
      offsetof(mjModel, skin_face),
      offsetof(mjModel, skin_bonebodyid),
      offsetof(mjModel, skin_bonevertid),
      offsetof(mjModel, flex_vertadr),
      offsetof(mjModel, flex_edge),
      offsetof(mjModel, flex_elem),
      offsetof(mjModel, flex_elemedge),
      offsetof(mjModel, flex_shell),
      offsetof(mjModel, flex_vertedge),
      offsetof(mjModel, B_colind),
      offsetof(mjModel, M_colind),
      offsetof(mjModel, D_colind),
      offsetof(mjModel, mapM2M),
      offsetof(mjModel, mapD2M),
      offsetof(mjModel, flexedge_J_colind),
      offsetof(mjModel, flexvert_J_colind),
  };
  for (int k = 0; k < ct_nmodel_field; k++) {
    const ct_Field* f = ct_model_fields + k;
    bool listed =
        f->target.size == offsetof(mjModel, nnames);  // every object has a name, if an empty one
    for (size_t i = 0; i < sizeof(arrays) / sizeof(arrays[0]); i++)
      listed |= f->offset == arrays[i];
    if (!listed) continue;
    const int* entry = (const int*)ct_field_array(f, m);
    mjtSize n = ct_field_rows(f, m, NULL) * ct_field_columns(f, m);
    if (!ct_check_indices(f->name, entry, 0, n, 0, ct_model_size(m, f->target.size))) return false;
  }
  return true;
}

// Is an array of unchecked indices left to the rules below? Addresses of runs may stand at the end
// when the run is empty; indices of texture coordinates mean nothing when there are none.
static bool has_own_rule(const ct_Field* f) {
  size_t length = strlen(f->name);
  return (length > 3 && !strcmp(f->name + length - 3, "adr")) || strstr(f->name, "texcoord");
}

// Indices that the reference does not check.
static bool unchecked(const mjModel* m) {
  for (int k = 0; k < ct_nmodel_field; k++) {
    const ct_Field* f = ct_model_fields + k;
    if (f->target.kind != CT_TARGET_UNCHECKED || f->type != CT_TYPE_int || has_own_rule(f))
      continue;
    const int* entry = (const int*)ct_field_array(f, m);
    mjtSize n = ct_field_rows(f, m, NULL) * ct_field_columns(f, m);
    if (!ct_check_indices(f->name, entry, 0, n, -1, ct_model_size(m, f->target.size))) return false;
  }
  return true;
}

static bool runs(const char* name, const int* first, const int* count, mjtSize n, mjtSize size) {
  for (mjtSize i = 0; i < n; i++) {
    if (!ct_check_span(name, i, first[i], count[i], size)) return false;
  }
  return true;
}

static bool unchecked_runs(const mjModel* m) {
  if (!runs("flex_nodeadr", m->flex_nodeadr, m->flex_nodenum, m->nflex, m->nflexnode)) return false;
  if (!runs("flex_vertedgeadr", m->flex_vertedgeadr, m->flex_vertedgenum, m->nflexvert,
            2 * m->nflexedge)) {
    return false;
  }
  if (!runs("mesh_octadr", m->mesh_octadr, m->mesh_octnum, m->nmesh, m->noct)) return false;
  if (!runs("B_rowadr", m->B_rowadr, m->B_rownnz, m->nbody, m->nB)) return false;
  if (!runs("M_rowadr", m->M_rowadr, m->M_rownnz, m->nv, m->nC)) return false;
  if (!runs("D_rowadr", m->D_rowadr, m->D_rownnz, m->nv, m->nD)) return false;
  if (!runs("flexedge_J_rowadr", m->flexedge_J_rowadr, m->flexedge_J_rownnz, m->nflexedge,
            m->nJfe)) {
    return false;
  }
  return runs("flexvert_J_rowadr", m->flexvert_J_rowadr, m->flexvert_J_rownnz, 2 * m->nflexvert,
              2 * m->nJfv);
}

// Names, paths and texts end within their arrays.
static bool texts(const mjModel* m) {
  if (m->nnames && m->names[m->nnames - 1])
    return ct_invalid("names does not end with a zero byte");
  if (m->npaths && m->paths[m->npaths - 1])
    return ct_invalid("paths does not end with a zero byte");
  if (m->npluginattr && m->plugin_attr[m->npluginattr - 1]) {
    return ct_invalid("plugin_attr does not end with a zero byte");
  }
  for (int i = 0; i < m->ntext; i++) {
    if (m->text_size[i] > 0 && m->text_data[m->text_adr[i] + m->text_size[i] - 1]) {
      return ct_invalid("text %d does not end with a zero byte", i);
    }
  }

  // the table of names: one block per type, in the order of the name_*adr arrays
  mjtSize at = 0;
  for (int k = 0; k < ct_nmodel_field; k++) {
    if (ct_model_fields[k].target.size != offsetof(mjModel, nnames)) continue;
    mjtSize n = ct_field_rows(ct_model_fields + k, m, NULL);
    if (!ct_check_indices("names_map", m->names_map, at, 2 * n, -1, n)) return false;
    at += 2 * n;
  }
  return true;
}

// The dofs of a joint know their joint. The mass matrix has its row addresses one after the other:
// row i of the legacy layout holds dof i and all its ancestors; row i of M the same in increasing
// order, or the diagonal alone for a simple dof.
static bool dofs(const mjModel* m) {
  static const int width[] = {6, 3, 1, 1};
  if (m->nv == 0 && m->nM) return ct_invalid("size nM is %lld without dofs", (long long)m->nM);
  for (int i = 0; i < m->nv; i++) {
    int joint = m->dof_jntid[i], parent = m->dof_parentid[i];
    int place = i - m->jnt_dofadr[joint];
    if (place < 0 || place >= width[m->jnt_type[joint]]) {
      return ct_invalid("dof_jntid[%d] is %d, but that joint has other dofs", i, joint);
    }

    mjtSize chain = (i + 1 < m->nv ? m->dof_Madr[i + 1] : m->nM) - m->dof_Madr[i];
    mjtSize above = parent < 0 ? 0 : m->dof_Madr[parent + 1] - m->dof_Madr[parent];
    if ((i == 0 && m->dof_Madr[0]) || chain != above + 1) {
      return ct_invalid("dof_Madr[%d] does not fit the number of its ancestors", i);
    }

    mjtSize row = m->dof_simplenum[i] ? 1 : chain;
    const int* column = m->M_colind + m->M_rowadr[i];
    int start = i ? m->M_rowadr[i - 1] + m->M_rownnz[i - 1] : 0;
    bool good = m->M_rowadr[i] == start && m->M_rownnz[i] == row;
    for (int j = i; good && row > 0; j = m->dof_parentid[j]) good = column[--row] == j;
    if (!good) return ct_invalid("row %d of M does not list the dof and its ancestors", i);
    if (!ct_check_index("D_diag", i, m->D_diag[i], 0, m->D_rownnz[i])) return false;
  }
  return true;
}

// Mocap bodies are counted without gaps, so that every pose in the data belongs to one.
static bool mocap_bodies(const mjModel* m) {
  mjtSize count = 0;
  for (int i = 0; i < m->nbody; i++) count += m->body_mocapid[i] >= 0;
  if (count == m->nmocap) return true;
  return ct_invalid("size nmocap is %lld, but %lld bodies are mocap bodies", (long long)m->nmocap,
                    (long long)count);
}

// Nodes of a tree come after their parents, so that walking down ends.
static bool volume_tree(const mjModel* m, const char* owner, int id, int first, int count,
                        mjtSize boxes, mjtSize leaves) {
  if (first + (mjtSize)count > boxes)
    return ct_invalid("bounding volumes of %s %d have no boxes", owner, id);
  for (int i = 0; i < count; i++) {
    const int* child = m->bvh_child + 2 * (first + i);
    bool leaf = child[0] == -1 && child[1] == -1;
    for (int k = 0; k < 2 && !leaf; k++) {
      if (child[k] == -1) continue;
      if (!ct_check_index("bvh_child", 2 * (first + i) + k, child[k], i + 1, count)) return false;
    }
    if (!ct_check_index("bvh_nodeid", first + i, m->bvh_nodeid[first + i], leaf ? 0 : -1, leaves)) {
      return false;
    }
  }
  return true;
}

static bool volumes(const mjModel* m) {
  if (m->nbvh != m->nbvhstatic + m->nbvhdynamic) {
    return ct_invalid("size nbvh is %lld, not the sum of nbvhstatic and nbvhdynamic",
                      (long long)m->nbvh);
  }
  for (int i = 0; i < m->nbody; i++) {
    if (!volume_tree(m, "body", i, m->body_bvhadr[i], m->body_bvhnum[i], m->nbvhstatic, m->ngeom)) {
      return false;
    }
  }
  for (int i = 0; i < m->nmesh; i++) {
    if (!volume_tree(m, "mesh", i, m->mesh_bvhadr[i], m->mesh_bvhnum[i], m->nbvhstatic,
                     m->mesh_facenum[i])) {
      return false;
    }
    for (int k = 0; k < m->mesh_octnum[i]; k++) {
      mjtSize node = m->mesh_octadr[i] + k;
      for (int c = 0; c < 8; c++) {
        int child = m->oct_child[8 * node + c];
        if (child == -1) continue;
        if (!ct_check_index("oct_child", 8 * node + c, child, 0, m->noct)) return false;
      }
    }
  }
  for (int i = 0; i < m->nflex; i++) {
    if (!volume_tree(m, "flex", i, m->flex_bvhadr[i], m->flex_bvhnum[i], m->nbvh,
                     m->flex_elemnum[i])) {
      return false;
    }
  }
  return true;
}

// Entries first .. first + count - 1 lie in 0 .. size - 1.
static bool all_below(const char* name, const int* array, mjtSize first, mjtSize count,
                      mjtSize size) {
  return ct_check_indices(name, array, first, count, 0, size);
}

// The convex hull of a mesh: numbers of vertices and faces, then four arrays (behaviour of
// mesh_graph).
static bool hull(const mjModel* m, int mesh) {
  mjtSize adr = m->mesh_graphadr[mesh];
  if (adr < 0) return true;
  if (adr + 2 > m->nmeshgraph)
    return ct_invalid("hull of mesh %d does not lie within mesh_graph", mesh);
  mjtSize nvert = m->mesh_graph[adr], nface = m->mesh_graph[adr + 1];
  mjtSize nedge = nvert + 3 * nface;
  if (nvert < 0 || nface < 0 || adr + 2 + 2 * nvert + nedge + 3 * nface > m->nmeshgraph) {
    return ct_invalid("hull of mesh %d does not lie within mesh_graph", mesh);
  }
  mjtSize edge = adr + 2 + 2 * nvert;
  if (!all_below("mesh_graph", m->mesh_graph, adr + 2, nvert, nedge)) return false;
  if (!all_below("mesh_graph", m->mesh_graph, adr + 2 + nvert, nvert, m->mesh_vertnum[mesh])) {
    return false;
  }
  if (!ct_check_indices("mesh_graph", m->mesh_graph, edge, nedge, -1, nvert)) return false;
  if (nedge && m->mesh_graph[edge + nedge - 1] != -1)
    return ct_invalid("hull of mesh %d has endless edges", mesh);
  return all_below("mesh_graph", m->mesh_graph, edge + nedge, 3 * nface, m->mesh_vertnum[mesh]);
}

// Entries of many short runs lie in 0 .. size - 1. Runs that follow each other are one.
static bool runs_below(const char* name, const int* array, const int* adr, const int* num,
                       mjtSize nrun, mjtSize size) {
  for (mjtSize i = 0; i < nrun;) {
    mjtSize first = adr[i], end = first + num[i];
    for (i++; i < nrun && (adr[i] == end || num[i] == 0); i++) end += num[i];
    if (!all_below(name, array, first, end - first, size)) return false;
  }
  return true;
}

static bool polygons(const mjModel* m, int i) {
  mjtSize poly = m->mesh_polyadr[i], vert = m->mesh_vertadr[i];
  return runs_below("mesh_polyvert", m->mesh_polyvert, m->mesh_polyvertadr + poly,
                    m->mesh_polyvertnum + poly, m->mesh_polynum[i], m->mesh_vertnum[i]) &&
         runs_below("mesh_polymap", m->mesh_polymap, m->mesh_polymapadr + vert,
                    m->mesh_polymapnum + vert, m->mesh_vertnum[i], m->mesh_polynum[i]);
}

// Faces and polygons of a mesh count its vertices from 0.
static bool meshes(const mjModel* m) {
  for (int i = 0; i < m->nmesh; i++) {
    mjtSize face = 3 * (mjtSize)m->mesh_faceadr[i], nface = 3 * (mjtSize)m->mesh_facenum[i];
    if (!all_below("mesh_face", m->mesh_face, face, nface, m->mesh_vertnum[i])) return false;

    // -1: a corner of an OBJ file may have no normal or no texture coordinate
    if (!ct_check_indices("mesh_facenormal", m->mesh_facenormal, face, nface, -1,
                          m->mesh_normalnum[i])) {
      return false;
    }
    if (m->mesh_texcoordadr[i] >= 0 && !ct_check_indices("mesh_facetexcoord", m->mesh_facetexcoord,
                                                         face, nface, -1, m->mesh_texcoordnum[i])) {
      return false;
    }
    if (!polygons(m, i)) return false;
    if (!hull(m, i)) return false;
  }
  for (int i = 0; i < m->nskin; i++) {
    if (!all_below("skin_face", m->skin_face, 3 * (mjtSize)m->skin_faceadr[i],
                   3 * (mjtSize)m->skin_facenum[i], m->skin_vertnum[i])) {
      return false;
    }
  }
  for (int i = 0; i < m->ngeom; i++) {
    if (!ct_check_index("geom_type", i, m->geom_type[i], 0, mjNGEOMTYPES)) return false;
    if (m->geom_type[i] == mjGEOM_HFIELD || m->geom_type[i] == mjGEOM_MESH) {
      if (!ct_check_index("geom_dataid", i, m->geom_dataid[i], 0, INT32_MAX)) return false;
    }
  }
  return true;
}

// Bodies of vertices and nodes, and how nodes carry vertices.
static bool flex_carriers(const mjModel* m, int i) {
  int order = m->flex_interp[i], n = order + 1;
  if (!ct_check_index("flex_interp", i, order, 0, 3)) return false;
  if (order && m->flex_nodenum[i] != n * n * n) {
    return ct_invalid("flex_nodenum[%d] is %d, but interpolation of order %d needs %d nodes", i,
                      m->flex_nodenum[i], order, n * n * n);
  }
  if (!all_below("flex_nodebodyid", m->flex_nodebodyid, m->flex_nodeadr[i], m->flex_nodenum[i],
                 m->nbody)) {
    return false;
  }
  return order || all_below("flex_vertbodyid", m->flex_vertbodyid, m->flex_vertadr[i],
                            m->flex_vertnum[i], m->nbody);
}

// The parts of flex i do not reach into those of the next one.
static bool flex_order(const mjModel* m, int i, int edges) {
  if (i + 1 == m->nflex) return true;
  mjtSize nelem = m->flex_elemnum[i];
  bool good = m->flex_vertadr[i] + m->flex_vertnum[i] <= m->flex_vertadr[i + 1] &&
              m->flex_edgeadr[i] + m->flex_edgenum[i] <= m->flex_edgeadr[i + 1] &&
              m->flex_elemadr[i] + nelem <= m->flex_elemadr[i + 1] &&
              m->flex_elemedgeadr[i] + nelem * edges <= m->flex_elemedgeadr[i + 1];
  return good || ct_invalid("vertices, edges or elements of flex %d are also those of the next", i);
}

// What stands around edges and vertices.
static bool flex_neighbours(const mjModel* m, int i) {
  mjtSize nvert = m->flex_vertnum[i], nedge = m->flex_edgenum[i];
  mjtSize edge = m->flex_edgeadr[i], vertex = m->flex_vertadr[i];
  if (!ct_check_indices("flex_edgeflap", m->flex_edgeflap, 2 * edge, 2 * nedge, -1, nvert)) {
    return false;
  }
  for (mjtSize v = vertex; v < vertex + nvert; v++) {
    if (!all_below("flex_vertedge", m->flex_vertedge, m->flex_vertedgeadr[v],
                   m->flex_vertedgenum[v], nedge)) {
      return false;
    }
  }
  return true;
}

// Elements of a flex of dimension dim have dim + 1 vertices; all its indices count from 0.
static bool flexes(const mjModel* m) {
  static const int edges[] = {0, 1, 3, 6};  // of one element
  for (int i = 0; i < m->nflex; i++) {
    int dim = m->flex_dim[i];
    mjtSize nvert = m->flex_vertnum[i], nedge = m->flex_edgenum[i], nelem = m->flex_elemnum[i];
    if (!ct_check_index("flex_dim", i, dim, 1, 4)) return false;
    if (!flex_carriers(m, i) || !flex_order(m, i, edges[dim]) || !flex_neighbours(m, i)) {
      return false;
    }
    if (!ct_check_span("flex_elemdataadr", i, m->flex_elemdataadr[i], nelem * (dim + 1),
                       m->nflexelemdata)) {
      return false;
    }
    if (!ct_check_span("flex_elemedgeadr", i, m->flex_elemedgeadr[i], nelem * edges[dim],
                       m->nflexelemedge)) {
      return false;
    }
    if (!ct_check_span("flex_shelldataadr", i, m->flex_shelldataadr[i],
                       (mjtSize)m->flex_shellnum[i] * dim, m->nflexshelldata)) {
      return false;
    }
    if (m->flex_texcoordadr[i] >= 0) {
      if (!all_below("flex_elemtexcoord", m->flex_elemtexcoord, m->flex_elemdataadr[i],
                     nelem * (dim + 1), m->nflextexcoord - m->flex_texcoordadr[i])) {
        return false;
      }
    }
    if (!all_below("flex_elem", m->flex_elem, m->flex_elemdataadr[i], nelem * (dim + 1), nvert)) {
      return false;
    }
    if (!all_below("flex_elemedge", m->flex_elemedge, m->flex_elemedgeadr[i], nelem * edges[dim],
                   nedge)) {
      return false;
    }
    if (!all_below("flex_edge", m->flex_edge, 2 * (mjtSize)m->flex_edgeadr[i], 2 * nedge, nvert)) {
      return false;
    }
    if (!all_below("flex_shell", m->flex_shell, m->flex_shelldataadr[i],
                   (mjtSize)m->flex_shellnum[i] * dim, nvert)) {
      return false;
    }
    for (mjtSize k = m->flex_evpairadr[i]; k < (mjtSize)m->flex_evpairadr[i] + m->flex_evpairnum[i];
         k++) {
      if (!ct_check_index("flex_evpair", 2 * k, m->flex_evpair[2 * k], 0, nelem)) return false;
      if (!ct_check_index("flex_evpair", 2 * k + 1, m->flex_evpair[2 * k + 1], 0, nvert)) {
        return false;
      }
    }
  }
  return true;
}

// Paths of tendons: joints only, or sites with wrapping geoms and pulleys between them.
static bool paths(const mjModel* m) {
  for (int i = 0; i < m->ntendon; i++) {
    int first = m->tendon_adr[i], last = first + m->tendon_num[i] - 1;
    for (int k = first; k <= last; k++) {
      int type = m->wrap_type[k];
      if ((type == mjWRAP_JOINT) != (m->wrap_type[first] == mjWRAP_JOINT)) {
        return ct_invalid("wrap_type[%d]: joints and other elements in one path (tendon %d)", k, i);
      }
      bool geom = type == mjWRAP_SPHERE || type == mjWRAP_CYLINDER;
      if (geom && (k == first || k == last || m->wrap_type[k - 1] != mjWRAP_SITE ||
                   m->wrap_type[k + 1] != mjWRAP_SITE)) {
        return ct_invalid("wrap_type[%d]: a geom that is not between two sites (tendon %d)", k, i);
      }
      mjtNum side = m->wrap_prm[k];
      if (geom && !(side >= -1 && side < (mjtNum)m->nsite && side == floor(side))) {
        return ct_invalid("wrap_prm[%d] is %g, which is not a site", k, (double)side);
      }
      if (type == mjWRAP_PULLEY && k == last) return ct_invalid("tendon %d ends with a pulley", i);
    }
  }
  return true;
}

// A history buffer holds two numbers, then a time and `width` values per sample.
static bool history(const mjModel* m, const char* name, int i, int samples, int adr, int width) {
  if (samples <= 0) return true;
  mjtSize count = 2 + (mjtSize)samples * (1 + (mjtSize)width);
  if (adr >= 0 && adr + count <= m->nhistory) return true;
  return ct_invalid("%s[%d]: %lld numbers from %d on do not lie within history", name, i,
                    (long long)count, adr);
}

static bool equals_size(const char* name, mjtSize size, mjtSize needed) {
  if (size == needed) return true;
  return ct_invalid("size %s is %lld, needed are %lld", name, (long long)size, (long long)needed);
}

// Sizes of mjData are memory that mj_makeData asks for, and no array of the model is as long. The
// user's own data may have any size.
static bool sizes_of_data(const mjModel* m) {
  enum { MOST_HISTORY = 1 << 24 };  // numbers that no buffer has
  mjtSize buffers = 0, readings = 0, states = 0;
  for (int i = 0; i < m->nu; i++) {
    int samples = m->actuator_history[2 * i];
    if (samples > 0) buffers += 2 + 2 * (mjtSize)samples;
  }
  for (int i = 0; i < m->nsensor; i++) {
    int samples = m->sensor_history[2 * i];
    if (samples > 0) buffers += 2 + (mjtSize)samples * (1 + (mjtSize)m->sensor_dim[i]);
    readings += m->sensor_dim[i];
  }
  for (int i = 0; i < m->nplugin; i++) states += m->plugin_statenum[i];
  // buffers may have been made shorter by hand since the model was compiled
  if (m->nhistory < buffers || m->nhistory - buffers > MOST_HISTORY) {
    return ct_invalid("size nhistory is %lld, needed are %lld", (long long)m->nhistory,
                      (long long)buffers);
  }
  return equals_size("nsensordata", m->nsensordata, readings) &&
         equals_size("npluginstate", m->npluginstate, states) &&
         (m->nJmom <= m->nu * (m->nv > 6 ? m->nv : 6) ||
          ct_invalid("size nJmom is %lld for %lld actuators and %lld dofs", (long long)m->nJmom,
                     (long long)m->nu, (long long)m->nv));
}

static bool transmissions(const mjModel* m) {
  static const int width[] = {6, 3, 1, 1};
  mjtSize moments = 0, activations = 0;
  for (int i = 0; i < m->nu; i++) {
    activations += m->actuator_actnum[i];
    int type = m->actuator_trntype[i], id = m->actuator_trnid[2 * i];
    bool joint = type == mjTRN_JOINT || type == mjTRN_JOINTINPARENT;
    moments += joint ? width[m->jnt_type[id]] : m->nv;
    if (type == mjTRN_SITE) {
      if (!ct_check_index("actuator_trnid", 2 * i + 1, m->actuator_trnid[2 * i + 1], -1,
                          m->nsite)) {
        return false;
      }
    }
    if (!history(m, "actuator_historyadr", i, m->actuator_history[2 * i], m->actuator_historyadr[i],
                 1)) {
      return false;
    }
  }
  if (activations != m->na)
    return ct_invalid("size na is %lld, actuators have %lld activations", (long long)m->na,
                      (long long)activations);
  if (moments > m->nJmom)
    return ct_invalid("size nJmom is %lld, needed are %lld", (long long)m->nJmom,
                      (long long)moments);
  return true;
}

// Ball sensors look at ball joints only; the rest is a matter of the type.
static bool object_suits(const mjModel* m, const ct_SensorRule* rule, int i) {
  int type = m->sensor_type[i], objtype = m->sensor_objtype[i];
  if (objtype == mjOBJ_UNKNOWN && rule->alone) return true;
  if (!ct_sensor_sees(rule->object, objtype)) return false;
  bool ball = type == mjSENS_BALLQUAT || type == mjSENS_BALLANGVEL;
  return !ball || m->jnt_type[m->sensor_objid[i]] == mjJNT_BALL;
}

// Is the second object there, where the first is not all that is measured? Contact sensors may do
// without, but then they say so.
static bool reference_suits(const mjModel* m, const ct_SensorRule* rule, int i) {
  if (m->sensor_type[i] == mjSENS_CONTACT && m->sensor_reftype[i] != mjOBJ_UNKNOWN) {
    return m->sensor_refid[i] >= 0;
  }
  if (rule->reference == CT_SEES_FRAME || rule->alone) return true;
  return m->sensor_refid[i] >= 0 && ct_sensor_sees(rule->reference, m->sensor_reftype[i]);
}

// The number of values a sensor writes; -1 if that is not known here.
static mjtSize sensor_width(const mjModel* m, int i) {
  const int* prm = m->sensor_intprm + mjNSENS * i;
  int id = m->sensor_objid[i];
  switch (m->sensor_type[i]) {
    case mjSENS_RANGEFINDER: {
      mjtSize rays = 1;
      if (m->sensor_objtype[i] == mjOBJ_CAMERA) {
        rays = (mjtSize)m->cam_resolution[2 * id] * m->cam_resolution[2 * id + 1];
      }
      mjtSize one = ct_sensor_fields_width(mjSENS_RANGEFINDER, prm[0]), all;
      return __builtin_mul_overflow(rays, one, &all) ? INT64_MAX : all;
    }
    case mjSENS_CONTACT:
      return prm[2] < 0 ? INT64_MAX
                        : prm[2] * (mjtSize)ct_sensor_fields_width(mjSENS_CONTACT, prm[0]);
    case mjSENS_TACTILE:
      return 3 * (mjtSize)m->mesh_vertnum[id];
    default:
      return ct_sensor_rule(m->sensor_type[i])->width;
  }
}

// A camera has as many rays as pixels, and they are counted by int, with a few numbers for each.
static bool cameras(const mjModel* m) {
  for (int i = 0; i < m->ncam; i++) {
    int width = m->cam_resolution[2 * i], height = m->cam_resolution[2 * i + 1];
    if (width < 0 || height < 0 || (mjtSize)width * height > INT32_MAX / 8) {
      return ct_invalid("cam_resolution: camera %d has %d x %d pixels", i, width, height);
    }
  }
  return true;
}

// A contact has at most six dimensions.
static bool pair_dimensions(const mjModel* m) {
  for (int i = 0; i < m->npair; i++) {
    if (!ct_check_index("pair_dim", i, m->pair_dim[i], 0, 7)) return false;
  }
  return true;
}

static bool sensor_layout(const mjModel* m) {
  for (int i = 0; i < m->nsensor; i++) {
    const ct_SensorRule* rule = ct_sensor_rule(m->sensor_type[i]);
    if (!object_suits(m, rule, i)) {
      return ct_invalid("sensor_objtype[%d] is %d, which does not suit sensor type %d", i,
                        m->sensor_objtype[i], m->sensor_type[i]);
    }
    if (!reference_suits(m, rule, i)) {
      return ct_invalid("sensor %d: reference %d of type %d does not suit sensor type %d", i,
                        m->sensor_refid[i], m->sensor_reftype[i], m->sensor_type[i]);
    }
    mjtSize width = sensor_width(m, i);
    if (width >= 0 && width != m->sensor_dim[i]) {
      return ct_invalid("sensor_dim[%d] is %d, but the sensor writes %lld numbers", i,
                        m->sensor_dim[i], (long long)width);
    }
    if (!history(m, "sensor_historyadr", i, m->sensor_history[2 * i], m->sensor_historyadr[i],
                 m->sensor_dim[i])) {
      return false;
    }
  }
  return true;
}

bool ct_validate_layout(const mjModel* m) {
  return always_present(m) && unchecked(m) && unchecked_runs(m) && texts(m) && dofs(m) &&
         mocap_bodies(m) && volumes(m) && meshes(m) && flexes(m) && paths(m) && transmissions(m) &&
         cameras(m) && pair_dimensions(m) && sensor_layout(m) && sizes_of_data(m);
}
