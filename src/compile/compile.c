// mj_compile: the passes from a spec to a model, in order.
//
// Mistakes are reported one at a time, the first that a pass meets, so the order below is part of
// the behaviour. What each pass does stands at its function.

#include "compile/compile.h"

#include <corten/mjcf.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/model/model_memory.h"
#include "base/model/validate.h"
#include "compile/assets/asset_file.h"

static void prepare_spec(ct_Compiler* c) {
  ct_refuse_spec(c);
  ct_complete_folders(c);
  ct_append_keys(c);
  ct_name_assets(c);
  ct_pad_keys(c);
  ct_create_pending_keys(c);
}

// Geoms of meshes that were refused have nothing to be compiled from.
static void skip_geoms_of_mistaken_meshes(ct_Compiler* c) {
  for (int i = 0; i < CT_COUNT(c, mjOBJ_GEOM); i++) {
    ct_WorkGeom* geom = ct_geom_at(c, i);
    if (geom->mesh && geom->mesh->head.mistaken) geom->head.mistaken = true;
  }
}

static void compile_tree(ct_Compiler* c) {
  if (c->nmistake) skip_geoms_of_mistaken_meshes(c);
  ct_compile_bodies(c);
  if (c->settings->fusestatic && !c->nmistake) ct_fuse_static(c);
}

static void compile_lists(ct_Compiler* c) {
  ct_compile_flexes(c);
  ct_compile_skins(c);
  ct_compile_hfields(c);
  ct_compile_materials(c);
  ct_compile_pairs(c);
  ct_compile_excludes(c);
  ct_compile_equalities(c);
  ct_compile_tendons(c);
  ct_compile_actuators(c);
  ct_compile_sensors(c);
  ct_compile_numerics(c);
  ct_compile_texts(c);
  ct_compile_tuples(c);
  ct_compile_plugins(c);
  ct_stop_if_mistaken(c);
  ct_sort_pairs(c);
}

static void compute_sizes(ct_Compiler* c) {
  ct_count_objects(c);
  ct_size_tree(c);
  ct_size_flexes(c);
  ct_size_meshes(c);
  ct_size_skins(c);
  ct_size_hfields(c);
  ct_size_textures(c);
  ct_size_materials(c);
  ct_size_equalities(c);
  ct_size_tendons(c);
  ct_size_actuators(c);
  ct_size_customs(c);
  ct_size_plugins(c);
  ct_size_keys(c);
  ct_size_names(c);
  ct_size_arena(c);
  ct_check_moving_masses(c);
  ct_check_free_joints(c);
}

static void make_model(ct_Compiler* c) {
  char error[512];
  c->model = ct_make_model(&c->size, error, sizeof(error));
  if (!c->model) ct_fail(c, NULL, "the model cannot be made: %s", error);
  c->model->opt = c->spec->spec.option;
  c->model->vis = c->spec->spec.visual;
  mjStatistic stat = {1, 1, 0.2, 2, {0, 0, 0}};  // of a model without bodies
  c->model->stat = stat;
}

static void fill_model(ct_Compiler* c) {
  ct_copy_names(c);
  ct_copy_paths(c);
  ct_copy_tree(c);
  ct_copy_plugins(c);
  ct_copy_keys(c);
  ct_copy_cameras(c);
  ct_copy_lights(c);
  ct_copy_flexes(c);
  ct_copy_meshes(c);
  ct_copy_skins(c);
  ct_copy_hfields(c);
  ct_copy_textures(c);
  ct_copy_materials(c);
  ct_copy_pairs(c);
  ct_copy_equalities(c);
  ct_copy_tendons(c);
  ct_copy_actuators(c);
  ct_copy_sensors(c);
  ct_copy_customs(c);
  ct_copy_sparsity(c);
  ct_set_total_mass(c);
}

// What the engine computes runs without contacts and with all trees awake.
static void compute_constants(ct_Compiler* c) {
  mjModel* m = c->model;
  int disableflags = m->opt.disableflags, enableflags = m->opt.enableflags;
  m->opt.disableflags |= mjDSBL_CONTACT;
  m->opt.enableflags &= ~mjENBL_SLEEP;
  ct_set_constants(c);
  ct_set_length_ranges(c);
  ct_override_statistics(c);
  const char* bad = mj_validateReferences(m);
  if (bad) ct_fail(c, NULL, "the model is inconsistent: %s", bad);
  ct_try_model(c, disableflags, enableflags);
  m->opt.disableflags = disableflags;
  m->opt.enableflags = enableflags;
}

static void all_passes(ct_Compiler* c) {
  prepare_spec(c);
  ct_make_workspace(c);
  ct_make_names(c);
  ct_discard_materials(c);
  ct_resolve_assets(c);
  ct_compile_pairs(c);
  ct_mark_hulls(c);
  ct_count_user_numbers(c);
  ct_compile_meshes(c);
  ct_compile_textures(c);
  compile_tree(c);
  compile_lists(c);
  ct_discard_visual(c);
  compute_sizes(c);
  make_model(c);
  fill_model(c);
  compute_constants(c);
  ct_finish_spec(c);
}

// The message of the spec: of the failure, or of the last warning of a success.
static void report(ct_Compiler* c, bool done) {
  ct_Spec* spec = c->spec;
  ct_spec_error(spec, "%s", done ? c->warning : c->message);
  spec->warning = done && c->warning[0];
  spec->compiled = done;
  if (!done) ct_restore_state_places(c);
}

static ct_Compiler* make_compiler(mjSpec* s, const mjVFS* vfs) {
  ct_Compiler* c = (ct_Compiler*)mju_malloc(sizeof(ct_Compiler));
  if (!c) {
    mju_error("mj_compile: out of memory");
    return NULL;
  }
  memset(c, 0, sizeof(*c));
  c->spec = ct_spec(s);
  c->settings = &s->compiler;
  c->vfs = vfs;
  return c;
}

// The model that a compiler made, or NULL; the compiler goes.
static mjModel* finish_compiler(ct_Compiler* c, bool done) {
  mj_deleteData(c->data);
  mjModel* m = c->model;
  if (!done && m) {
    ct_free_model(m);
    m = NULL;
  }
  ct_asset_done(c);
  ct_pool_free(&c->pool);
  mju_free(c);
  return m;
}

mjModel* mj_compile(mjSpec* s, const mjVFS* vfs) {
  if (!s) {
    mju_warning("mj_compile: the spec is NULL");
    return NULL;
  }
  ct_Compiler* c = make_compiler(s, vfs);
  if (!c) return NULL;
  bool done = ct_listen_and_attempt(c, all_passes);
  report(c, done);
  return finish_compiler(c, done);
}

int ct_check_spec(mjSpec* s, const mjVFS* vfs, void (*told)(void* arg, const char* message),
                  void* arg) {
  ct_Compiler* c = make_compiler(s, vfs);
  if (!c) return 1;
  c->report = told;
  c->report_arg = arg;
  bool done = ct_listen_and_attempt(c, all_passes);
  int mistakes = c->nmistake;
  if (!done && !c->stopped) {
    told(arg, c->message);
    mistakes++;
  }
  if (done && c->warning[0]) told(arg, c->warning);
  report(c, done);
  ct_free_model(finish_compiler(c, done));
  return mistakes;
}
