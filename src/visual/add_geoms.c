// A scene brought up to date: all geoms in their order, then cameras, lights, flexes and skins.

#include <string.h>

#include "host/report.h"
#include "host/walk.h"
#include "visual/shown.h"
#include "visual/soft_surfaces.h"

// What each producer needs before it is asked. The table is the order of the list.
typedef struct Producer_ {
  void (*show)(const ct_Show* s);
  int categories;  // any of these must be wanted
  int flag;        // that must be on; -1: it asks by itself
} Producer;

enum { BODIES = mjCAT_STATIC | mjCAT_DYNAMIC, ASKS = -1 };

static const Producer producers[] = {
    {ct_show_flexes, mjCAT_DYNAMIC, ASKS},
    {ct_show_skins, mjCAT_DYNAMIC, mjVIS_SKIN},
    {ct_show_geoms, BODIES, ASKS},
    {ct_show_sites, BODIES, ASKS},
    {ct_show_tendons, mjCAT_DYNAMIC, mjVIS_TENDON},
    {ct_show_slidercranks, mjCAT_DYNAMIC, ASKS},
    {ct_show_geom_frames, mjCAT_DECOR, ASKS},
    {ct_show_site_frames, mjCAT_DECOR, ASKS},
    {ct_show_body_trees, mjCAT_DECOR, mjVIS_BODYBVH},
    {ct_show_flex_trees, mjCAT_DECOR, mjVIS_MESHBVH},
    {ct_show_mesh_trees, mjCAT_DECOR, mjVIS_MESHBVH},
    {ct_show_octrees, mjCAT_DECOR, mjVIS_MESHBVH},
    {ct_show_tactile, mjCAT_DECOR, mjVIS_CONTACTPOINT},
    {ct_show_inertias, mjCAT_DECOR, mjVIS_INERTIA},
    {ct_show_perturbation, mjCAT_DECOR, mjVIS_PERTOBJ},
    {ct_show_body_frames, mjCAT_DECOR, ASKS},
    {ct_show_selected_point, mjCAT_DECOR, mjVIS_SELECT},
    {ct_show_body_labels, mjCAT_DECOR, ASKS},
    {ct_show_joints, mjCAT_DECOR, mjVIS_JOINT},
    {ct_show_actuators, mjCAT_DECOR, mjVIS_ACTUATOR},
    {ct_show_island_labels, mjCAT_DECOR, ASKS},
    {ct_show_cameras, mjCAT_DECOR, mjVIS_CAMERA},
    {ct_show_lights, mjCAT_DECOR, mjVIS_LIGHT},
    {ct_show_centers_of_mass, mjCAT_DECOR, mjVIS_COM},
    {ct_show_skeleton, mjCAT_DECOR, mjVIS_AUTOCONNECT},
    {ct_show_rays, mjCAT_DECOR, mjVIS_RANGEFINDER},
    {ct_show_external_forces, mjCAT_DECOR, mjVIS_PERTFORCE},
    {ct_show_equalities, mjCAT_DECOR, mjVIS_CONSTRAINT},
    {ct_show_contacts, mjCAT_DECOR, ASKS},
};

void mjv_addGeoms(const mjModel* m, mjData* d, const mjvOption* opt, const mjvPerturb* pert,
                  int catmask, mjvScene* scn) {
  mjvPerturb none;
  mjv_defaultPerturb(&none);
  ct_Show s = {m, d, opt, pert ? pert : &none, catmask, scn};
  if (!ct_flag(&s, mjVIS_STATIC)) s.categories &= ~mjCAT_STATIC;
  for (size_t i = 0; i < sizeof(producers) / sizeof(producers[0]); i++) {
    const Producer* p = producers + i;
    if (!(p->categories & s.categories)) continue;
    if (p->flag == ASKS || ct_flag(&s, p->flag)) p->show(&s);
  }
}

// Plugins come first; they may also change colours of the model.
static void show_plugins(const mjModel* m, mjData* d, const mjvOption* opt, mjvScene* scn) {
  for (int i = 0; i < m->nplugin; i++) {
    int status = 0;
    const mjpPlugin* plugin = ct_plugin_of(m, d, i, &status);
    ct_report(m, d, status, "mjv_updateScene");
    if (plugin && plugin->visualize) plugin->visualize(m, d, opt, scn, i);
  }
}

// Geoms are placed before the camera is moved, so infinite planes follow the eyes one call late.
void mjv_updateScene(const mjModel* m, mjData* d, const mjvOption* opt, const mjvPerturb* pert,
                     mjvCamera* cam, int catmask, mjvScene* scn) {
  scn->ngeom = 0;
  scn->status = 0;
  show_plugins(m, d, opt, scn);
  mjv_addGeoms(m, d, opt, pert, catmask, scn);
  mjv_updateCamera(m, d, cam, scn);
  mjv_makeLights(m, d, scn);
  const mjtByte* flags = opt->flags;
  bool any_flex = flags[mjVIS_FLEXVERT] || flags[mjVIS_FLEXEDGE] || flags[mjVIS_FLEXFACE] ||
                  flags[mjVIS_FLEXSKIN];
  if (any_flex) mjv_updateActiveFlex(m, d, scn, opt);
  if (flags[mjVIS_SKIN]) mjv_updateActiveSkin(m, d, scn, opt);
  if (scn->status) mj_warning(d, mjWARN_VGEOMFULL, scn->maxgeom);
}
