// Compilation of a spec into a model: the passes, in the order of compile.c.
//
// Every noun has up to three functions, called from compile.c in this order. Those of tendons:
//   ct_compile_tendons(c)   checks, resolves, derives
//   ct_size_tendons(c)      adds to the sizes of the model, c->size
//   ct_copy_tendons(c)      fills the arrays of c->model
//
// Those of meshes, textures, skins, height fields and materials: assets/assets.h. What they share:
// work/work.h.

#ifndef CT_COMPILE_COMPILE_H_
#define CT_COMPILE_COMPILE_H_

#include "compile/assets/assets.h"
#include "compile/work/work.h"

// before the workspace is made: changes in the spec
void ct_refuse_spec(ct_Compiler* c);  // what can never be compiled
void ct_complete_folders(ct_Compiler* c);
void ct_name_assets(ct_Compiler* c);  // after their files
void ct_append_keys(ct_Compiler* c);  // keyframes up to spec.nkey
void ct_pad_keys(ct_Compiler* c);     // short vectors of keyframes
void ct_create_pending_keys(ct_Compiler* c);

// references to assets
void ct_discard_materials(ct_Compiler* c);  // discardvisual, first part
void ct_resolve_assets(ct_Compiler* c);
void ct_mark_hulls(ct_Compiler* c);
void ct_count_user_numbers(ct_Compiler* c);

// the tree; each body compiles its frames, geoms, joints, sites, cameras and lights
void ct_compile_bodies(ct_Compiler* c);
void ct_compile_geom(ct_Compiler* c, ct_WorkGeom* geom);
void ct_compile_joint(ct_Compiler* c, ct_WorkJoint* joint);
void ct_compile_site(ct_Compiler* c, ct_WorkSite* site);
void ct_compile_camera(ct_Compiler* c, ct_WorkCamera* camera);
void ct_compile_light(ct_Compiler* c, ct_WorkLight* light);
void ct_fuse_static(ct_Compiler* c);

// what is not in the tree
void ct_compile_flexes(ct_Compiler* c);
void ct_compile_pairs(ct_Compiler* c);  // twice: before meshes, and after the tree
void ct_compile_excludes(ct_Compiler* c);
void ct_compile_equalities(ct_Compiler* c);
void ct_compile_tendons(ct_Compiler* c);
void ct_compile_actuators(ct_Compiler* c);
void ct_compile_sensors(ct_Compiler* c);
void ct_compile_numerics(ct_Compiler* c);
void ct_compile_texts(ct_Compiler* c);
void ct_compile_tuples(ct_Compiler* c);
void ct_compile_plugins(ct_Compiler* c);
void ct_sort_pairs(ct_Compiler* c);      // pairs and excludes by signature
void ct_discard_visual(ct_Compiler* c);  // discardvisual, second part

// Plugin instance that an element names or owns; NULL if it has none. The plugin must be able to do
// what `capability` (mjtPluginCapabilityBit) says.
ct_Work* ct_resolve_plugin(ct_Compiler* c, const ct_Element* e, const mjsPlugin* plugin,
                           int capability);

// sizes of the model; nu, nsensor and the like are there already, from the lists
void ct_count_objects(ct_Compiler* c);
void ct_size_tree(ct_Compiler* c);
void ct_size_flexes(ct_Compiler* c);
void ct_size_equalities(ct_Compiler* c);
void ct_size_tendons(ct_Compiler* c);
void ct_size_actuators(ct_Compiler* c);  // with nJmom and their histories
void ct_size_customs(ct_Compiler* c);    // numerics, texts, tuples
void ct_size_plugins(ct_Compiler* c);
void ct_size_keys(ct_Compiler* c);
void ct_size_names(ct_Compiler* c);  // names and paths
void ct_size_arena(ct_Compiler* c);  // after all others
void ct_check_moving_masses(ct_Compiler* c);
void ct_check_free_joints(ct_Compiler* c);

// arrays of the model
void ct_copy_names(ct_Compiler* c);
void ct_copy_paths(ct_Compiler* c);
void ct_copy_tree(ct_Compiler* c);  // bodies, joints, dofs, geoms, sites, trees
void ct_copy_flexes(ct_Compiler* c);
void ct_copy_cameras(ct_Compiler* c);
void ct_copy_lights(ct_Compiler* c);
void ct_copy_pairs(ct_Compiler* c);  // and excludes
void ct_copy_equalities(ct_Compiler* c);
void ct_copy_tendons(ct_Compiler* c);
void ct_copy_actuators(ct_Compiler* c);
void ct_copy_sensors(ct_Compiler* c);  // with their sizes: some only the model tells
void ct_copy_customs(ct_Compiler* c);
void ct_copy_plugins(ct_Compiler* c);
void ct_copy_keys(ct_Compiler* c);

// After a failure: the state of the elements stands where it stood in the last model that was made.
void ct_restore_state_places(ct_Compiler* c);
void ct_copy_sparsity(ct_Compiler* c);

// what the engine computes on the finished model (derived.c); the model's flags are set for it
void ct_set_total_mass(ct_Compiler* c);

// Makes c->data anew for the model. The compiler owns it before anything can fail in it, since an
// error of the engine jumps out of mj_makeData and would leave the memory to nobody.
void ct_make_compiler_data(ct_Compiler* c, const mjModel* m);

void ct_set_constants(ct_Compiler* c);  // mj_setConst, spring-dampers
void ct_set_length_ranges(ct_Compiler* c);
void ct_override_statistics(ct_Compiler* c);
void ct_try_model(ct_Compiler* c, int disableflags, int enableflags);  // a full data, one step

void ct_trial_step(ct_Compiler* c);

// After success: what saving and mj_copyBack need stays with the spec (compiled_layer.c).
void ct_keep_compiled_layer(ct_Compiler* c);

// After success: ids, addresses of states and signature go back to the spec.
void ct_finish_spec(ct_Compiler* c);

#endif  // CT_COMPILE_COMPILE_H_
