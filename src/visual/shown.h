// What is shown of a model: geoms that are appended to a scene, one after the other.
//
// Producers (ct_show_...) each know one kind of object; add_geoms.c calls them in the order in
// which their geoms stand in the list. A geom is begun, filled and thereby kept:
//
//   mjvGeom* geom = ct_begin_geom(s, mjOBJ_SITE, site, category);
//   if (!geom) return;  // no room; the scene knows
//   mjv_initGeom(geom, ...);
//
// Which numbers are rounded to float, and when, is part of the contract: scenes agree with the
// reference's float for float.

#ifndef CT_VISUAL_SHOWN_H_
#define CT_VISUAL_SHOWN_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

// What a producer works with.
typedef struct ct_Show_ {
  const mjModel* m;
  mjData* d;
  const mjvOption* opt;
  const mjvPerturb* pert;
  int categories;  // mjtCatBit that are wanted
  mjvScene* scn;
} ct_Show;

// Building blocks

// The next geom of the list, with defaults; NULL if there is no room, which the status of the scene
// remembers.
mjvGeom* ct_begin_geom(const ct_Show* s, int objtype, int objid, int category);

// The same for what explains: category DECOR.
mjvGeom* ct_begin_decor(const ct_Show* s, int objtype, int objid);

// Takes the last geom back.
void ct_drop_geom(const ct_Show* s);

// A capsule, cylinder, arrow or line of a colour between two points, appended as decoration.
// Returns it, or NULL without room.
mjvGeom* ct_show_connector(const ct_Show* s, int objtype, int objid, int type, mjtNum width,
                           const mjtNum from[3], const mjtNum to[3], const float rgba[4]);

void ct_show_line(const ct_Show* s, int objtype, int objid, const mjtNum from[3],
                  const mjtNum to[3], const float rgba[4]);

void ct_show_triangle(const ct_Show* s, int objtype, int objid, const mjtNum v0[3],
                      const mjtNum v1[3], const mjtNum v2[3], const float rgba[4]);

// A ball of a colour.
mjvGeom* ct_show_ball(const ct_Show* s, int objtype, int objid, const mjtNum pos[3],
                      const mjtNum mat[9], mjtNum radius, const float rgba[4]);

// Three axes, red, green and blue.
void ct_show_frame(const ct_Show* s, int objid, const mjtNum pos[3], const mjtNum mat[9],
                   mjtNum length, mjtNum width);

// Colour and surface from a material (-1: none) and an object's own colour.
void ct_apply_material(const ct_Show* s, mjvGeom* geom, int material, const float rgba[4]);

// The name of an object, or its type and number, as label.
void ct_label(const ct_Show* s, mjvGeom* geom, int objtype, int objid);

// The same if that is what labels show.
void ct_label_if(const ct_Show* s, mjvGeom* geom, int label, int objtype, int objid);

// Emits light because it is selected.
void ct_glow(const ct_Show* s, mjvGeom* geom);

// Colour of an island, told by its first dof (negative: none).
void ct_island_color(float rgba[4], int dof, bool awake);

// The first dof of the island of a constraint row; -1 if there are no islands.
int ct_dof_of_row(const mjData* d, int row);

// Impedance of the limit of a joint or tendon (mjCNSTR_LIMIT_...); 0 if it is not active.
mjtNum ct_limit_impedance(const mjData* d, int kind, int id);

// rgb between a colour and that of active constraints.
void ct_mix_with_constraint(const ct_Show* s, float rgb[3], mjtNum impedance);

// Static or dynamic?
int ct_category_of_body(const mjModel* m, int body);

// Is a body of that category wanted?
bool ct_body_wanted(const ct_Show* s, int body);

// Is the flag on, is the group shown?
bool ct_flag(const ct_Show* s, int flag);
bool ct_group_shown(const mjtByte groups[mjNGROUP], int group);

// A number of vis.scale in lengths; rounded to float, as nearly all decorations have it.
float ct_decor_size(const ct_Show* s, float scale);

// A point of a body, from the body's frame to the world.
void ct_body_point(const mjData* d, mjtNum res[3], const mjtNum local[3], int body);

// Consecutive points of the path of a tendon; false for a gap (pulley). Both on a wrapping geom:
// *wrapped.
bool ct_tendon_segment(const mjData* d, int point, const mjtNum** from, const mjtNum** to,
                       bool* wrapped);

// Producers, in the order of the list

void ct_show_flexes(const ct_Show* s);
void ct_show_skins(const ct_Show* s);
void ct_show_geoms(const ct_Show* s);
void ct_show_sites(const ct_Show* s);
void ct_show_tendons(const ct_Show* s);
void ct_show_slidercranks(const ct_Show* s);
void ct_show_geom_frames(const ct_Show* s);
void ct_show_site_frames(const ct_Show* s);
void ct_show_body_trees(const ct_Show* s);
void ct_show_flex_trees(const ct_Show* s);
void ct_show_mesh_trees(const ct_Show* s);
void ct_show_octrees(const ct_Show* s);
void ct_show_tactile(const ct_Show* s);
void ct_show_inertias(const ct_Show* s);
void ct_show_perturbation(const ct_Show* s);
void ct_show_body_frames(const ct_Show* s);
void ct_show_selected_point(const ct_Show* s);
void ct_show_body_labels(const ct_Show* s);
void ct_show_joints(const ct_Show* s);
void ct_show_actuators(const ct_Show* s);
void ct_show_island_labels(const ct_Show* s);
void ct_show_cameras(const ct_Show* s);
void ct_show_lights(const ct_Show* s);
void ct_show_centers_of_mass(const ct_Show* s);
void ct_show_skeleton(const ct_Show* s);
void ct_show_rays(const ct_Show* s);
void ct_show_external_forces(const ct_Show* s);
void ct_show_equalities(const ct_Show* s);
void ct_show_contacts(const ct_Show* s);

#endif  // CT_VISUAL_SHOWN_H_
