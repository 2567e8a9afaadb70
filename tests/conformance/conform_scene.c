// conform_scene: abstract scenes, corten against the reference, on every model of a folder.
//
//   usage: conform_scene REFERENCE_LIB CORTEN_LIB FOLDER [FILTER]
//
// Both load the plugins beside their libraries. The reference loads a model and brings it to a few
// states; corten gets a copy of the data. Then both make scenes of it: with default options, with
// every flag turned over, with all flags and every label, every frame and every camera, and with
// random options, groups, categories, depths of trees, perturbations and room for geoms. Every
// geom, light and eye, all triangles of flexes and all vertices of skins must be equal float for
// float. What the mouse does (cameras, perturbations, selection) follows, to 1e-9. Each model has a
// process of its own and a few seconds.

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/copy.h"
#include "conformance/crew.h"
#include "conformance/engine.h"
#include "conformance/states.h"
#include "conformance/two_libraries.h"

enum { SECONDS = 60, STATES = 3, RANDOM_SCENES = 30, CLICKS = 40, DRAGS = 20, ROOM = 20000 };

#define TOLERANCE 1e-9

// One library with its data and what the user would hold.
typedef struct {
  const Engine* e;
  mjData* d;
  mjvScene scn;
  mjvCamera cam;
  mjvPerturb pert;
} Viewer;

typedef struct {
  long scenes, geoms, wrong_scenes, wrong_geoms, lights, faces, vertices;
  long moves, wrong_moves, clicks, wrong_clicks, hits;
  double worst_move;
  int preparing;  // models in which the reference is at work alone; what crashes there is its own
} Score;

static Score* score;         // shared with the children
static const char* current;  // model being compared
static int complaints;       // printed about it
static bool plugins;         // it has some
static bool draws_grids;     // one of them is a grid of touch sensors

#define CALL(viewer_, name_) LIBRARY_FUNCTION((viewer_)->e->handle, name_)
#define BOTH(theirs_, ours_, name_, call_) \
  do {                                     \
    Viewer* v = theirs_;                   \
    CALL(v, name_) call_;                  \
    v = ours_;                             \
    CALL(v, name_) call_;                  \
  } while (0)

static void complain(const char* what, const char* text) {
  if (complaints++ < 5) printf("%s: %s: %s\n", current, what, text);
}

// Comparison

static bool same_floats(const float* a, const float* b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (a[i] != b[i] && !(isnan(a[i]) && isnan(b[i]))) return false;
  }
  return true;
}

// Plugins compute colours of their own from a state, which may be rounded differently.
static bool same_colours(const mjvGeom* a, const mjvGeom* b) {
  float tolerance = plugins ? 1e-6f : 0;
  for (int i = 0; i < 4; i++) {
    if (!(fabsf(a->rgba[i] - b->rgba[i]) <= tolerance)) return same_floats(a->rgba, b->rgba, 4);
  }
  return true;
}

static bool same_geoms(const mjvGeom* a, const mjvGeom* b) {
  size_t ints = offsetof(mjvGeom, size), before = offsetof(mjvGeom, rgba) - ints;
  size_t after = offsetof(mjvGeom, label) - offsetof(mjvGeom, emission);
  return !memcmp(a, b, ints) && same_floats(a->size, b->size, before / sizeof(float)) &&
         same_colours(a, b) && same_floats(&a->emission, &b->emission, after / sizeof(float)) &&
         !strcmp(a->label, b->label) && same_floats(&a->modelrbound, &b->modelrbound, 1);
}

static void describe(char* text, size_t size, const mjvGeom* g) {
  snprintf(text, size,
           "type %d data %d obj %d %d cat %d mat %d tex %d seg %d size %.9g %.9g %.9g pos %.9g "
           "%.9g %.9g rgba %.9g %.9g %.9g %.9g em %.9g mat %.9g %.9g %.9g ... %.9g '%s'",
           g->type, g->dataid, g->objtype, g->objid, g->category, g->matid, g->texcoord, g->segid,
           (double)g->size[0], (double)g->size[1], (double)g->size[2], (double)g->pos[0],
           (double)g->pos[1], (double)g->pos[2], (double)g->rgba[0], (double)g->rgba[1],
           (double)g->rgba[2], (double)g->rgba[3], (double)g->emission, (double)g->mat[0],
           (double)g->mat[1], (double)g->mat[2], (double)g->mat[8], g->label);
}

// Plugins of the reference draw grids of touch sensors, which corten's do not (docs/plugins.md):
// geoms before all others, that is.
static int drawn_by_plugins(const mjvScene* a, const mjvScene* b) {
  return draws_grids && a->ngeom > b->ngeom ? a->ngeom - b->ngeom : 0;
}

// How many geoms differ.
static int compare_geoms(const mjvScene* a, const mjvScene* b, const char* what) {
  int wrong = 0, more = drawn_by_plugins(a, b);
  int ngeom = a->ngeom - more, n = ngeom < b->ngeom ? ngeom : b->ngeom;
  char text[2200], one[1000], other[1000];
  for (int i = 0; i < n; i++) {
    mjvGeom wanted = a->geoms[more + i];
    if (wanted.segid >= 0) wanted.segid -= more;
    if (same_geoms(&wanted, b->geoms + i)) continue;
    if (wrong++) continue;
    describe(one, sizeof(one), &wanted);
    describe(other, sizeof(other), b->geoms + i);
    snprintf(text, sizeof(text), "geom %d\n  reference %s\n  corten    %s", i, one, other);
    complain(what, text);
  }
  if (ngeom != b->ngeom || a->status != b->status) {
    snprintf(text, sizeof(text), "%d geoms, status %d, not %d, %d", b->ngeom, b->status, ngeom,
             a->status);
    complain(what, text);
    wrong++;
  }
  return wrong;
}

static int expect(bool good, const char* what, const char* part) {
  if (!good) complain(what, part);
  return !good;
}

static int compare_soft(const mjModel* m, const mjvScene* a, const mjvScene* b, const char* what) {
  int wrong = 0;
  bool flags = a->flexvertopt == b->flexvertopt && a->flexedgeopt == b->flexedgeopt &&
               a->flexfaceopt == b->flexfaceopt && a->flexskinopt == b->flexskinopt;
  wrong += expect(flags, what, "flags of flexes");
  wrong += expect(same_floats(a->flexvert, b->flexvert, 3 * (size_t)m->nflexvert), what,
                  "vertices of flexes");
  for (int i = 0; i < a->nflex; i++) {
    size_t first = (size_t)a->flexfaceadr[i], n = (size_t)a->flexfaceused[i];
    if (expect(a->flexfaceused[i] == b->flexfaceused[i], what, "number of faces")) {
      wrong++;
      continue;
    }
    score->faces += (long)n;
    wrong += expect(same_floats(a->flexface + 9 * first, b->flexface + 9 * first, 9 * n), what,
                    "corners of flexes");
    wrong += expect(same_floats(a->flexnormal + 9 * first, b->flexnormal + 9 * first, 9 * n), what,
                    "normals of flexes");
    if (m->flex_texcoordadr[i] < 0) continue;
    wrong += expect(same_floats(a->flextexcoord + 6 * first, b->flextexcoord + 6 * first, 6 * n),
                    what, "texture coordinates of flexes");
  }
  score->vertices += (long)m->nskinvert;
  wrong += expect(same_floats(a->skinvert, b->skinvert, 3 * (size_t)m->nskinvert), what,
                  "vertices of skins");
  wrong += expect(same_floats(a->skinnormal, b->skinnormal, 3 * (size_t)m->nskinvert), what,
                  "normals of skins");
  return wrong;
}

static int compare_lights(const mjvScene* a, const mjvScene* b, const char* what) {
  if (expect(a->nlight == b->nlight, what, "number of lights")) return 1;
  score->lights += a->nlight;
  bool same = true;
  for (int i = 0; i < a->nlight; i++) {
    const mjvLight *x = a->lights + i, *y = b->lights + i;
    same &= x->id == y->id && x->type == y->type && x->texid == y->texid &&
            x->headlight == y->headlight && x->castshadow == y->castshadow &&
            same_floats(x->pos, y->pos, 6) && same_floats(x->attenuation, y->attenuation, 14) &&
            same_floats(&x->bulbradius, &y->bulbradius, 3);
  }
  return expect(same, what, "lights");
}

// Scenes

// corten's plugins do not draw the search for contacts of distance fields (docs/plugins.md).
static void compare_scene(const mjModel* m, Viewer* theirs, Viewer* ours, const mjvOption* wanted,
                          int categories, const char* what) {
  mjvOption shown = *wanted, *opt = &shown;
  if (plugins) shown.flags[mjVIS_SDFITER] = 0;
  ours->cam = theirs->cam;
  ours->pert = theirs->pert;
  BOTH(theirs, ours, mjv_updateScene, (m, v->d, opt, &v->pert, &v->cam, categories, &v->scn));
  const mjvScene *a = &theirs->scn, *b = &ours->scn;
  int geoms = compare_geoms(a, b, what);
  int wrong = geoms;
  wrong += expect(!memcmp(a->camera, b->camera, sizeof(a->camera)), what, "eyes");
  wrong += expect(!memcmp(theirs->cam.lookat, ours->cam.lookat, sizeof(ours->cam.lookat)), what,
                  "lookat");
  wrong += compare_lights(a, b, what);
  wrong += compare_soft(m, a, b, what);
  score->scenes++;
  score->geoms += a->ngeom;
  score->wrong_geoms += geoms;
  score->wrong_scenes += wrong > 0;
}

static void make_scenes(const mjModel* m, Viewer* theirs, Viewer* ours, int room) {
  BOTH(theirs, ours, mjv_makeScene, (m, &v->scn, room));
  const mjvScene *a = &theirs->scn, *b = &ours->scn;
  for (int i = 0; i < a->nflex; i++) {
    bool same = a->flexfacenum[i] == b->flexfacenum[i] && a->flexfaceadr[i] == b->flexfaceadr[i];
    score->wrong_scenes += expect(same, "mjv_makeScene", "room for faces");
  }

  // so that what nobody writes is equal
  for (int k = 0; k < 2; k++) {
    mjvScene* scn = k ? &ours->scn : &theirs->scn;
    if (scn->skinvert) memset(scn->skinvert, 0, 3 * (size_t)m->nskinvert * sizeof(float));
    if (scn->skinnormal) memset(scn->skinnormal, 0, 3 * (size_t)m->nskinvert * sizeof(float));
    if (scn->flexvert) memset(scn->flexvert, 0, 3 * (size_t)m->nflexvert * sizeof(float));
    for (int i = 0; i < scn->nflex; i++) scn->flexfaceused[i] = 0;
  }
}

static void default_view(const mjModel* m, Viewer* viewer) {
  CALL(viewer, mjv_defaultFreeCamera)(m, &viewer->cam);
  CALL(viewer, mjv_defaultPerturb)(&viewer->pert);
}

static int pick(Random* r, mjtSize count) {
  return (int)random_uniform(r, 0, (double)count);
}

static void pick_camera(const mjModel* m, Random* r, mjvCamera* cam) {
  int kind = pick(r, m->ncam ? 3 : 2);
  cam->azimuth = random_uniform(r, -180, 180);
  cam->elevation = random_uniform(r, -89, 89);
  cam->distance = m->stat.extent * random_uniform(r, 0.2, 4);
  for (int i = 0; i < 3; i++) cam->lookat[i] += m->stat.extent * random_uniform(r, -3, 3);
  cam->type = kind == 2 ? mjCAMERA_FIXED : kind == 1 ? mjCAMERA_TRACKING : mjCAMERA_FREE;
  cam->trackbodyid = pick(r, m->nbody);
  cam->fixedcamid = m->ncam ? pick(r, m->ncam) : -1;
}

static void pick_perturbation(const mjModel* m, Random* r, mjvPerturb* pert) {
  pert->select = pick(r, m->nbody);
  pert->flexselect = pick(r, m->nflex + 1) - 1;
  pert->skinselect = pick(r, m->nskin + 1) - 1;
  pert->active = pick(r, 4);
  pert->active2 = pick(r, 4);
  mjtNum length = 0;
  for (int i = 0; i < 4; i++) {
    pert->refquat[i] = (mjtNum)random_uniform(r, -1, 1);
    length += pert->refquat[i] * pert->refquat[i];
  }
  for (int i = 0; i < 4; i++) pert->refquat[i] /= sqrt(length);
  for (int i = 0; i < 3; i++) {
    pert->refpos[i] = (mjtNum)random_uniform(r, -1, 1);
    pert->refselpos[i] = (mjtNum)random_uniform(r, -1, 1);
    pert->localpos[i] = (mjtNum)random_uniform(r, -0.2, 0.2);
  }
}

static void pick_options(Random* r, mjvOption* opt) {
  mjtByte* groups[] = {opt->geomgroup,     opt->sitegroup, opt->jointgroup, opt->tendongroup,
                       opt->actuatorgroup, opt->flexgroup, opt->skingroup};
  for (int i = 0; i < mjNVISFLAG; i++) opt->flags[i] = (mjtByte)pick(r, 2);
  for (int k = 0; k < 7; k++) {
    for (int i = 0; i < mjNGROUP; i++) groups[k][i] = pick(r, 3) > 0;
  }
  opt->label = pick(r, mjNLABEL);
  opt->frame = pick(r, mjNFRAME);
  opt->bvh_depth = pick(r, 6);
  opt->flex_layer = pick(r, 3);
}

static void compare_systematic(mjModel* m, Viewer* theirs, Viewer* ours) {
  mjvOption opt, all;
  char what[80];
  CALL(theirs, mjv_defaultOption)(&opt);
  default_view(m, theirs);
  compare_scene(m, theirs, ours, &opt, mjCAT_ALL, "default options");
  compare_scene(m, theirs, ours, &opt, mjCAT_ALL, "default options again");
  for (int i = 0; i < mjNVISFLAG; i++) {
    opt.flags[i] = !opt.flags[i];
    snprintf(what, sizeof(what), "flag %d turned over", i);
    compare_scene(m, theirs, ours, &opt, mjCAT_ALL, what);
    opt.flags[i] = !opt.flags[i];
  }
  all = opt;
  memset(all.flags, 1, sizeof(all.flags));
  for (int i = 0; i < mjNLABEL; i++) {
    all.label = i;
    snprintf(what, sizeof(what), "all flags, label %d", i);
    compare_scene(m, theirs, ours, &all, mjCAT_ALL, what);
  }
  all.flags[mjVIS_INERTIA] = 0;
  all.flags[mjVIS_FLEXSKIN] = 0;
  for (int i = 0; i < mjNFRAME; i++) {
    all.frame = i;
    snprintf(what, sizeof(what), "all flags but two, frame %d", i);
    compare_scene(m, theirs, ours, &all, mjCAT_ALL, what);
  }
  for (int i = 0; i < m->ncam && i < 20; i++) {
    theirs->cam.type = mjCAMERA_FIXED;
    theirs->cam.fixedcamid = i;
    snprintf(what, sizeof(what), "camera %d", i);
    compare_scene(m, theirs, ours, &opt, mjCAT_ALL, what);
  }
}

static void compare_random(mjModel* m, Viewer* theirs, Viewer* ours, Random* r) {
  mjvOption opt;
  char what[80];
  CALL(theirs, mjv_defaultOption)(&opt);
  mjVisual vis = m->vis;
  for (int i = 0; i < RANDOM_SCENES; i++) {
    default_view(m, theirs);
    pick_options(r, &opt);
    pick_camera(m, r, &theirs->cam);
    pick_perturbation(m, r, &theirs->pert);
    m->vis.global.orthographic = pick(r, 3) == 0;
    m->vis.global.ellipsoidinertia = pick(r, 2);
    m->vis.global.bvactive = pick(r, 2);
    for (int k = 0; k < 6 * m->nbody; k++) {
      theirs->d->xfrc_applied[k] = ours->d->xfrc_applied[k] = random_uniform(r, -1, 1);
    }
    snprintf(what, sizeof(what), "random options %d", i);
    compare_scene(m, theirs, ours, &opt, pick(r, 3) ? mjCAT_ALL : pick(r, 8), what);
  }
  m->vis = vis;
}

static void compare_without_room(mjModel* m, Viewer* theirs, Viewer* ours) {
  const int rooms[] = {0, 1, 5, 40};
  mjvOption opt;
  CALL(theirs, mjv_defaultOption)(&opt);
  memset(opt.flags, 1, sizeof(opt.flags));
  for (int k = 0; k < 4; k++) {
    make_scenes(m, theirs, ours, rooms[k]);
    default_view(m, theirs);
    compare_scene(m, theirs, ours, &opt, mjCAT_ALL, "little room");
    const mjWarningStat *a = theirs->d->warning + mjWARN_VGEOMFULL,
                        *b = ours->d->warning + mjWARN_VGEOMFULL;
    score->wrong_scenes +=
        expect(a->number == b->number && a->lastinfo == b->lastinfo, "little room", "warnings");
  }
  make_scenes(m, theirs, ours, ROOM);
}

// Mouse

static void compare_numbers(const mjtNum* a, const mjtNum* b, int n, const char* what) {
  double scale = 1, error = 0;
  for (int i = 0; i < n; i++) scale = fmax(scale, fabs((double)a[i]));
  for (int i = 0; i < n; i++) {
    if (isnan(a[i]) && isnan(b[i])) continue;
    error = fmax(error, fabs((double)(a[i] - b[i])) / scale);
    if (isnan(a[i]) != isnan(b[i])) error = INFINITY;
  }
  score->moves++;
  score->worst_move = fmax(score->worst_move, error);
  if (error <= TOLERANCE) return;
  char text[80];
  snprintf(text, sizeof(text), "off by %g", error);
  complain(what, text);
  score->wrong_moves++;
}

static void compare_views(Viewer* theirs, Viewer* ours) {
  mjtNum a[10], b[10];
  CALL(theirs, mjv_cameraInModel)(a, a + 3, a + 6, &theirs->scn);
  CALL(ours, mjv_cameraInModel)(b, b + 3, b + 6, &ours->scn);
  a[9] = CALL(theirs, mjv_frustumHeight)(&theirs->scn);
  b[9] = CALL(ours, mjv_frustumHeight)(&ours->scn);
  compare_numbers(a, b, 10, "mjv_cameraInModel");
  CALL(theirs, mjv_cameraInRoom)(a, a + 3, a + 6, &theirs->scn);
  CALL(ours, mjv_cameraInRoom)(b, b + 3, b + 6, &ours->scn);
  compare_numbers(a, b, 9, "mjv_cameraInRoom");
  mjtNum pos[3] = {0.3, -0.4, 0.5}, quat[4] = {0.5, -0.5, 0.5, 0.5};
  CALL(theirs, mjv_room2model)(a, a + 3, pos, quat, &theirs->scn);
  CALL(ours, mjv_room2model)(b, b + 3, pos, quat, &ours->scn);
  compare_numbers(a, b, 7, "mjv_room2model");
  CALL(theirs, mjv_model2room)(a, a + 3, pos, quat, &theirs->scn);
  CALL(ours, mjv_model2room)(b, b + 3, pos, quat, &ours->scn);
  compare_numbers(a, b, 7, "mjv_model2room");
}

static void compare_drag(mjModel* m, Viewer* theirs, Viewer* ours, Random* r) {
  mjtNum dx = random_uniform(r, -0.5, 0.5), dy = random_uniform(r, -0.5, 0.5), up[3] = {0, 0, 1};
  int action = 1 + pick(r, 7);
  BOTH(theirs, ours, mjv_moveCamera, (m, action, dx, dy, &v->scn, &v->cam));
  compare_numbers(theirs->cam.lookat, ours->cam.lookat, 6, "mjv_moveCamera");

  // the model in the room
  mjvScene* scenes[2] = {&theirs->scn, &ours->scn};
  float turn[4] = {0.6f, 0, 0.8f, 0}, scale = (float)random_uniform(r, 0.2, 3);
  for (int k = 0; k < 2; k++) {
    scenes[k]->enabletransform = 1;
    memcpy(scenes[k]->rotate, turn, sizeof(turn));
    scenes[k]->translate[0] = 0.7f;
    scenes[k]->scale = scale;
  }
  BOTH(theirs, ours, mjv_moveModel, (m, action, dx, dy, up, &v->scn));
  mjtNum placed[2][8];
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 3; i++) placed[k][i] = scenes[k]->translate[i];
    for (int i = 0; i < 4; i++) placed[k][3 + i] = scenes[k]->rotate[i];
    placed[k][7] = scenes[k]->scale;
  }
  compare_numbers(placed[0], placed[1], 8, "mjv_moveModel");
  compare_views(theirs, ours);
  for (int k = 0; k < 2; k++) scenes[k]->enabletransform = 0;
}

static void compare_perturbation(mjModel* m, Viewer* theirs, Viewer* ours, Random* r) {
  pick_perturbation(m, r, &theirs->pert);
  ours->pert = theirs->pert;
  BOTH(theirs, ours, mjv_initPerturb, (m, v->d, &v->scn, &v->pert));
  compare_numbers(theirs->pert.refpos, ours->pert.refpos, 15, "mjv_initPerturb");
  ours->pert = theirs->pert;
  mjtNum dx = random_uniform(r, -0.5, 0.5), dy = random_uniform(r, -0.5, 0.5);
  int action = 1 + pick(r, 7), paused = pick(r, 2);
  BOTH(theirs, ours, mjv_movePerturb, (m, v->d, action, dx, dy, &v->scn, &v->pert));
  compare_numbers(theirs->pert.refpos, ours->pert.refpos, 15, "mjv_movePerturb");
  ours->pert = theirs->pert;
  BOTH(theirs, ours, mjv_applyPerturbForce, (m, v->d, &v->pert));
  compare_numbers(theirs->d->xfrc_applied, ours->d->xfrc_applied, 6 * (int)m->nbody,
                  "mjv_applyPerturbForce");
  BOTH(theirs, ours, mjv_applyPerturbPose, (m, v->d, &v->pert, paused));
  compare_numbers(theirs->d->qpos, ours->d->qpos, (int)m->nq, "mjv_applyPerturbPose");
  compare_numbers(theirs->d->mocap_pos, ours->d->mocap_pos, 3 * (int)m->nmocap,
                  "mjv_applyPerturbPose");
}

// The reference adds the address of the first node twice where vertices are interpolated, so only
// the first such flex has a body and a point.
static bool names_wrong_node(const mjModel* m, int flex) {
  return flex >= 0 && m->flex_interp[flex] > 0 && m->flex_nodeadr[flex] > 0;
}

static void compare_click(mjModel* m, Viewer* theirs, Viewer* ours, Random* r) {
  mjvOption opt;
  CALL(theirs, mjv_defaultOption)(&opt);
  mjtNum x = random_uniform(r, 0, 1), y = random_uniform(r, 0, 1), point[2][3] = {{0}};
  int id[2][4];
  Viewer* viewers[2] = {theirs, ours};
  for (int k = 0; k < 2; k++) {
    Viewer* v = viewers[k];
    id[k][3] = CALL(v, mjv_select)(m, v->d, &opt, 1.5, x, y, &v->scn, point[k], id[k], id[k] + 1,
                                   id[k] + 2);
  }
  score->clicks++;
  score->hits += id[0][3] >= 0;
  if (id[0][1] == id[1][1] && names_wrong_node(m, id[0][1])) return;
  if (!memcmp(id[0], id[1], sizeof(id[0]))) {
    compare_numbers(point[0], point[1], 3, "mjv_select");
    return;
  }
  char text[200];
  snprintf(text, sizeof(text), "body %d geom %d flex %d skin %d, not %d %d %d %d", id[1][3],
           id[1][0], id[1][1], id[1][2], id[0][3], id[0][0], id[0][1], id[0][2]);
  complain("mjv_select", text);
  score->wrong_clicks++;
}

static void compare_mouse(mjModel* m, Viewer* theirs, Viewer* ours, Random* r) {
  mjvOption opt;
  CALL(theirs, mjv_defaultOption)(&opt);
  default_view(m, theirs);
  theirs->cam.distance *= 0.6;
  compare_scene(m, theirs, ours, &opt, mjCAT_ALL, "mouse");
  for (int i = 0; i < CLICKS; i++) compare_click(m, theirs, ours, r);
  for (int i = 0; i < DRAGS; i++) {
    default_view(m, theirs);
    pick_camera(m, r, &theirs->cam);
    theirs->cam.type = pick(r, 3);
    if (theirs->cam.fixedcamid < 0 && theirs->cam.type == mjCAMERA_FIXED) theirs->cam.type = 0;
    ours->cam = theirs->cam;
    BOTH(theirs, ours, mjv_updateCamera, (m, v->d, &v->cam, &v->scn));
    compare_drag(m, theirs, ours, r);
    compare_perturbation(m, theirs, ours, r);
  }
}

// States

// The first state is that of the file or its keyframe, the others have been simulated from random
// ones.
static void prepare(const Engine* reference, mjModel* m, mjData* d, int state) {
  Random random = random_seeded(current, state);
  reference->mj_resetData(m, d);
  if (state == 0 && m->nkey > 0) reference->mj_resetDataKeyframe(m, d, 0);
  if (state > 0) {
    randomise_state(reference, m, d, &random);
    for (int i = 0; i < 20 * state; i++) reference->mj_step(m, d);
  }
  reference->mj_forward(m, d);
}

// What plugins keep for themselves, such as stresses that they show as colours, cannot be copied:
// they compute it of the same state.
static void copy_state(const Engine* corten, const mjModel* m, mjData* to, const mjData* from) {
  copy_whole_data(m, to, from);
  if (!m->nplugin) return;
  corten->mj_forward(m, to);
  copy_whole_data(m, to, from);
}

static void compare_model(const Engine* reference, const Engine* corten, mjModel* m) {
  Viewer theirs = {0}, ours = {0};
  theirs.e = reference;
  ours.e = corten;
  theirs.d = reference->mj_makeData(m);
  ours.d = corten->mj_makeData(m);
  BOTH(&theirs, &ours, mjv_defaultScene, (&v->scn));
  make_scenes(m, &theirs, &ours, ROOM);
  for (int state = 0; state < STATES; state++) {
    Random random = random_seeded(current, 100 + state);
    score->preparing++;
    prepare(reference, m, theirs.d, state);
    score->preparing--;
    copy_state(corten, m, ours.d, theirs.d);
    compare_systematic(m, &theirs, &ours);
    compare_random(m, &theirs, &ours, &random);
    if (state == 0 && !draws_grids) compare_without_room(m, &theirs, &ours);
    compare_mouse(m, &theirs, &ours, &random);
  }
}

static bool has_grid(const Engine* reference, const mjModel* m) {
  for (int i = 0; i < m->nplugin; i++) {
    const mjpPlugin* plugin =
        LIBRARY_FUNCTION(reference->handle, mjp_getPluginAtSlot)(m->plugin[i]);
    if (plugin && !strcmp(plugin->name, "mujoco.sensor.touch_grid")) return true;
  }
  return false;
}

// How a model fared.
enum { COMPARED, REFUSED, STOPPED };

static int judge_model(const ModelReport* model, void* engines) {
  const Engine *reference = (const Engine*)engines, *corten = reference + 1;
  char error[1000];
  mjModel* m = NULL;
  current = model->name;
  ENGINE_TRY(m = reference->mj_loadXML(model->path, NULL, error, sizeof(error)), m = NULL);
  if (!m) return REFUSED;
  plugins = m->nplugin > 0;
  draws_grids = has_grid(reference, m);
  ENGINE_TRY(compare_model(reference, corten, m), {
    printf("%s: %s\n", current, engine_trap.message);
    return STOPPED;
  });
  return COMPARED;
}

int main(int argc, char** argv) {
  Engine engines[2];
  score = (Score*)shared_memory(sizeof(Score));
  Fates fates = ask_about_folder(argc, argv, SECONDS, judge_model, engines);
  printf("%ld scenes with %ld geoms, %ld lights, %ld faces of flexes, %ld vertices of skins\n",
         score->scenes, score->geoms, score->lights, score->faces, score->vertices);
  printf("wrong: %ld scenes, %ld geoms\n", score->wrong_scenes, score->wrong_geoms);
  printf("mouse: %ld answers, %ld wrong, worst %.1e; %ld clicks, %ld hits, %ld wrong\n",
         score->moves, score->wrong_moves, score->worst_move, score->clicks, score->hits,
         score->wrong_clicks);
  printf(
      "%d models: %d compared, %d refused by the reference, %d stopped, %d crashed or out of "
      "time, %d of them in the reference's own step\n",
      fates.models, fates.count[COMPARED], fates.count[REFUSED], fates.count[STOPPED], fates.lost,
      score->preparing);
  bool wrong = score->wrong_scenes || score->wrong_moves || score->wrong_clicks;
  return wrong || fates.lost > score->preparing || fates.count[STOPPED] > 0 ||
         fates.count[COMPARED] == 0;
}
