// mj_printModel: a model as text for people. Sizes, settings, then one block per object with all
// its arrays, then keyframes, sparsity and bounding volumes. Everything that is an array in the
// schema is found there, so a new field is printed without a line here.

#include <string.h>

#include "api/printer.h"
#include "base/model/objects.h"

// Kinds of objects in the order they are printed: the heading, the group in the schema, the number
// of objects.
typedef struct {
  const char *heading, *group;
  int type;       // mjtObj, for the name; 0: objects have none
  size_t number;  // offset in mjModel
} Kind;

static const Kind kinds[] = {
    {"BODY", "BODY", mjOBJ_BODY, offsetof(mjModel, nbody)},
    {"JOINT", "JOINT", mjOBJ_JOINT, offsetof(mjModel, njnt)},
    {"DOF", "DOF", 0, offsetof(mjModel, nv)},
    {"TREE", "TREE", 0, offsetof(mjModel, ntree)},
    {"GEOM", "GEOM", mjOBJ_GEOM, offsetof(mjModel, ngeom)},
    {"SITE", "SITE", mjOBJ_SITE, offsetof(mjModel, nsite)},
    {"CAMERA", "CAMERA", mjOBJ_CAMERA, offsetof(mjModel, ncam)},
    {"LIGHT", "LIGHT", mjOBJ_LIGHT, offsetof(mjModel, nlight)},
    {"FLEX", "FLEX", mjOBJ_FLEX, offsetof(mjModel, nflex)},
    {"MESH", "MESH", mjOBJ_MESH, offsetof(mjModel, nmesh)},
    {"SKIN", "SKIN", mjOBJ_SKIN, offsetof(mjModel, nskin)},
    {"HEIGHTFIELD", "HFIELD", mjOBJ_HFIELD, offsetof(mjModel, nhfield)},
    {"TEXTURE", "TEXTURE", mjOBJ_TEXTURE, offsetof(mjModel, ntex)},
    {"MATERIAL", "MATERIAL", mjOBJ_MATERIAL, offsetof(mjModel, nmat)},
    {"PAIR", "PAIR", mjOBJ_PAIR, offsetof(mjModel, npair)},
    {"EXCLUDE", "EXCLUDE", mjOBJ_EXCLUDE, offsetof(mjModel, nexclude)},
    {"EQUALITY", "EQUALITY", mjOBJ_EQUALITY, offsetof(mjModel, neq)},
    {"TENDON", "TENDON", mjOBJ_TENDON, offsetof(mjModel, ntendon)},
    {"ACTUATOR", "ACTUATOR", mjOBJ_ACTUATOR, offsetof(mjModel, nu)},
    {"SENSOR", "SENSOR", mjOBJ_SENSOR, offsetof(mjModel, nsensor)},
    {"PLUGIN", "PLUGIN", mjOBJ_PLUGIN, offsetof(mjModel, nplugin)},
};

static const char* name_of(const mjModel* m, int type, int id) {
  const char* name = mj_id2name(m, type, id);
  return name ? name : "";
}

static const char* group_of(const ct_Field* f) {
  return ct_field_group(f, ct_model_groups, ct_nmodel_group)->tag;
}

// Bytes of all arrays of a group, as they are in a file.
static size_t group_bytes(const mjModel* m, const char* group) {
  size_t bytes = 0;
  for (int i = 0; i < ct_nmodel_field; i++) {
    if (!strcmp(group_of(ct_model_fields + i), group))
      bytes += ct_field_bytes(ct_model_fields + i, m, NULL);
  }
  return bytes;
}

static void print_memory(ct_Printer* p, const mjModel* m) {
  size_t total = (size_t)mj_sizeModel(m), meshes = group_bytes(m, "MESH"),
         volumes = group_bytes(m, "BVH");
  size_t textures = group_bytes(m, "TEXTURE"), skins = group_bytes(m, "SKIN");
  fprintf(p->out, "MEMORY\n");
  ct_print_memory(p, "total", total);
  ct_print_memory(p, "meshes", meshes);
  ct_print_memory(p, "bvhs", volumes);
  ct_print_memory(p, "textures", textures);
  ct_print_memory(p, "skins", skins);
  ct_print_memory(p, "other", total - meshes - volumes - textures - skins);
}

static void print_sizes(ct_Printer* p, const mjModel* m) {
  fprintf(p->out, "\nSIZES\n");
  for (int i = 0; i < ct_nmodel_size; i++) {
    mjtSize n = ct_model_size(m, ct_model_sizes[i].offset);
    if (n) fprintf(p->out, "  %-19s %lld\n", ct_model_sizes[i].name, (long long)n);
  }
}

static void print_number_setting(ct_Printer* p, const char* name, const void* x, int n) {
  fprintf(p->out, "  %-19s", name);
  ct_print_numbers(p, (const mjtNum*)x, n);
  fputc('\n', p->out);
}

static void print_int_setting(ct_Printer* p, const char* name, const void* x) {
  fprintf(p->out, "  %-19s %d\n", name, *(const int*)x);
}

// Single numbers, then integers, then vectors.
static void print_option(ct_Printer* p, const mjOption* opt) {
  enum { is_mjtNum, is_int };
  fprintf(p->out, "\nOPTION\n");
#define OPTION(type, name, extent, value, doc) \
  if (is_##type == is_mjtNum && (extent) == 1) print_number_setting(p, #name, &opt->name, 1);
#include "settings.def"
#define OPTION(type, name, extent, value, doc) \
  if (is_##type == is_int) print_int_setting(p, #name, &opt->name);
#include "settings.def"
#define OPTION(type, name, extent, value, doc) \
  if (is_##type == is_mjtNum && (extent) > 1) print_number_setting(p, #name, &opt->name, extent);
#include "settings.def"
}

static void print_statistic(ct_Printer* p, const mjModel* m) {
  mjtNum mass = 0;
  for (int i = 0; i < m->nbody; i++) mass += m->body_mass[i];
  fprintf(p->out, "\n%-21s", "totalmass");
  ct_print_number(p, (double)mass);
  fprintf(p->out, "\n\nSTATISTIC\n");
#define STATISTIC(type, name, extent, value, doc) \
  print_number_setting(p, #name, &m->stat.name, extent);
#include "settings.def"
}

// One row of an array.
static void print_row(ct_Printer* p, const mjModel* m, const ct_Field* f, int row) {
  mjtSize columns = ct_field_columns(f, m);
  bool real = f->type == CT_TYPE_mjtNum || f->type == CT_TYPE_float;
  if (columns == 0) return;
  fprintf(p->out, "  %-21s", f->name);
  for (mjtSize k = 0; k < columns; k++) {
    if (!real) fputc(' ', p->out);
    ct_print_element(p, f, ct_field_array(f, m), row * columns + k);
    fputc(' ', p->out);
  }
  fputc('\n', p->out);
}

static void print_path(ct_Printer* p, const mjModel* m, int tendon) {
  fprintf(p->out, "  path\n    type  objid  prm\n");
  for (int k = m->tendon_adr[tendon]; k < m->tendon_adr[tendon] + m->tendon_num[tendon]; k++) {
    fprintf(p->out, "    %-6d%-6d", m->wrap_type[k], m->wrap_objid[k]);
    ct_print_number(p, (double)m->wrap_prm[k]);
    fputc('\n', p->out);
  }
}

static void print_objects(ct_Printer* p, const mjModel* m, const Kind* kind) {
  mjtSize n = ct_model_size(m, kind->number);
  for (int i = 0; i < n; i++) {
    fprintf(p->out, "\n%s %d:\n", kind->heading, i);
    if (kind->type) fprintf(p->out, "  %-21s %s\n", "name", name_of(m, kind->type, i));
    for (int k = 0; k < ct_nmodel_field; k++) {
      const ct_Field* f = ct_model_fields + k;
      if (f->rows == kind->number && !strcmp(group_of(f), kind->group)) print_row(p, m, f, i);
    }
    if (kind->type == mjOBJ_MESH && m->mesh_graphadr[i] >= 0) {
      const int* graph = m->mesh_graph + m->mesh_graphadr[i];
      fprintf(p->out, "  %-21s %d\n  %-21s %d\n", "qhull face", graph[1], "qhull vert", graph[0]);
    }
    if (kind->type == mjOBJ_TENDON) print_path(p, m, i);
  }
  if (n) fputc('\n', p->out);
}

static void print_custom(ct_Printer* p, const mjModel* m) {
  for (int i = 0; i < m->nnumeric; i++) {
    fprintf(p->out, "\nNUMERIC %d:\n  name         %s\n  size         %d\n  value       ", i,
            name_of(m, mjOBJ_NUMERIC, i), m->numeric_size[i]);
    ct_print_numbers(p, m->numeric_data + m->numeric_adr[i], m->numeric_size[i]);
    fputc('\n', p->out);
  }
  for (int i = 0; i < m->ntext; i++) {
    fprintf(p->out, "\nTEXT %d:\n  name         %s\n  size         %d\n  value        %s\n", i,
            name_of(m, mjOBJ_TEXT, i), m->text_size[i], m->text_data + m->text_adr[i]);
  }
  for (int i = 0; i < m->ntuple; i++) {
    fprintf(p->out, "\nTUPLE %d:\n  name         %s\n  size         %d\n  elements\n", i,
            name_of(m, mjOBJ_TUPLE, i), m->tuple_size[i]);
    for (int k = m->tuple_adr[i]; k < m->tuple_adr[i] + m->tuple_size[i]; k++) {
      const char* type = mju_type2Str(m->tuple_objtype[k]);
      fprintf(p->out, "       %s %d, prm = ", type ? type : "", m->tuple_objid[k]);
      ct_print_number(p, (double)m->tuple_objprm[k]);
      fputc('\n', p->out);
    }
  }
  if (m->nnumeric + m->ntext + m->ntuple) fputc('\n', p->out);
}

// Column c of a keyframe's row as it is where the model starts.
static mjtNum start_of(const mjModel* m, const ct_Field* f, mjtSize c) {
  if (f->offset == offsetof(mjModel, key_qpos)) return m->qpos0[c];
  bool position = f->offset == offsetof(mjModel, key_mpos);
  if (!position && f->offset != offsetof(mjModel, key_mquat)) return 0;
  mjtSize width = position ? 3 : 4, mocap = c / width, k = c % width;
  for (mjtSize b = 0; b < m->nbody; b++) {
    if (m->body_mocapid[b] == mocap) return (position ? m->body_pos : m->body_quat)[width * b + k];
  }
  return 0;
}

// The parts of a keyframe that differ from that.
static void print_key(ct_Printer* p, const mjModel* m, int i) {
  if (mj_id2name(m, mjOBJ_KEY, i))
    fprintf(p->out, "key_name%d    %s\n", i, name_of(m, mjOBJ_KEY, i));
  if (m->key_time[i] != 0) fprintf(p->out, "key_time%d    %.4f\n", i, (double)m->key_time[i]);
  for (int k = 0; k < ct_nmodel_field; k++) {
    const ct_Field* f = ct_model_fields + k;
    mjtSize columns = ct_field_columns(f, m);
    if (f->rows != offsetof(mjModel, nkey) || f->type != CT_TYPE_mjtNum ||
        !strcmp(f->name, "key_time")) {
      continue;
    }
    const mjtNum* row = (const mjtNum*)ct_field_array(f, m) + i * columns;
    bool start = true;
    for (mjtSize c = 0; c < columns; c++) {
      start = start && row[c] == start_of(m, f, c);
    }
    if (start) continue;
    fprintf(p->out, "%s%d   ", f->name, i);
    ct_print_numbers(p, row, columns);
    fputc('\n', p->out);
  }
}

static void print_ints(ct_Printer* p, const char* title, const int* x, mjtSize n) {
  fprintf(p->out, "%s\n ", title);
  for (mjtSize i = 0; i < n; i++) fprintf(p->out, " %d", x[i]);
  fprintf(p->out, "\n\n");
}

static void print_sparsity(ct_Printer* p, const mjModel* m) {
  if (m->nv == 0) return;
  ct_print_pattern(p, "B: body-dof matrix", m->nbody, m->nv, m->B_rownnz, m->B_rowadr, m->B_colind,
                   NULL);
  print_ints(p, "B_ROWNNZ", m->B_rownnz, m->nbody);
  print_ints(p, "B_ROWADR", m->B_rowadr, m->nbody);
  print_ints(p, "B_COLIND", m->B_colind, m->nB);
  ct_print_pattern(p, "M: reduced inertia matrix", m->nv, m->nv, m->M_rownnz, m->M_rowadr,
                   m->M_colind, NULL);
  print_ints(p, "M_ROWNNZ", m->M_rownnz, m->nv);
  print_ints(p, "M_ROWADR", m->M_rowadr, m->nv);
  print_ints(p, "M_COLIND", m->M_colind, m->nC);
  print_ints(p, "MAPM2M", m->mapM2M, m->nC);
  ct_print_pattern(p, "D: dof-dof matrix", m->nv, m->nv, m->D_rownnz, m->D_rowadr, m->D_colind,
                   m->D_diag);
  print_ints(p, "D_ROWNNZ", m->D_rownnz, m->nv);
  print_ints(p, "D_ROWADR", m->D_rowadr, m->nv);
  print_ints(p, "D_COLIND", m->D_colind, m->nD);
  print_ints(p, "MAPM2D", m->mapM2D, m->nD);
  print_ints(p, "MAPD2M", m->mapD2M, m->nC);
}

static void print_volumes(ct_Printer* p, const mjModel* m) {
  if (m->nbvh == 0) return;
  fprintf(p->out, "\nBVH:\n  id      depth   nodeid  child[0]  child[1]\n");
  for (int i = 0; i < m->nbvh; i++) {
    fprintf(p->out, "  %-8d%-8d% -8d% -10d% d\n", i, m->bvh_depth[i], m->bvh_nodeid[i],
            m->bvh_child[2 * i], m->bvh_child[2 * i + 1]);
  }
  fputc('\n', p->out);
}

void mj_printFormattedModel(const mjModel* m, const char* filename, const char* float_format) {
  ct_Printer p;
  if (!m) {
    mju_warning("mj_printModel: the model is NULL");
    return;
  }
  if (!ct_printer_open(&p, "mj_printModel", filename, float_format)) return;
  fprintf(p.out, "MuJoCo version %s\nmodel name     %s\n\n", mj_versionString(), m->names);
  print_memory(&p, m);
  print_sizes(&p, m);
  print_option(&p, &m->opt);
  print_statistic(&p, m);
  fprintf(p.out, "\nqpos0                ");
  ct_print_numbers(&p, m->qpos0, m->nq);
  fprintf(p.out, "\n\nqpos_spring          ");
  ct_print_numbers(&p, m->qpos_spring, m->nq);
  fprintf(p.out, "\n\n");
  for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) print_objects(&p, m, kinds + i);
  print_custom(&p, m);
  for (int i = 0; i < m->nkey; i++) print_key(&p, m, i);
  if (m->nkey) fputc('\n', p.out);
  print_sparsity(&p, m);
  fprintf(p.out, "\nSIGNATURE\n  %llu\n", (unsigned long long)m->signature);
  print_volumes(&p, m);
  ct_printer_close(&p);
}

void mj_printModel(const mjModel* m, const char* filename) {
  mj_printFormattedModel(m, filename, NULL);
}
