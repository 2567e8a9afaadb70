// Lights of a scene: the headlight and the active lights of the model.

#include <string.h>

#include <mujoco/mujoco.h>

static void rounded3(float to[3], const mjtNum from[3]) {
  for (int i = 0; i < 3; i++) to[i] = (float)from[i];
}

static void copied3(float to[3], const float from[3]) {
  memcpy(to, from, 3 * sizeof(float));
}

// A light at the eye, shining where it looks.
static void add_headlight(const mjModel* m, mjvScene* scn) {
  mjvLight* light = scn->lights + scn->nlight++;
  mjtNum head[3] = {0, 0, 0}, forward[3] = {1, 0, 0};
  memset(light, 0, sizeof(*light));
  light->id = light->texid = -1;
  light->type = mjLIGHT_DIRECTIONAL;
  light->headlight = 1;
  light->bulbradius = 0.02f;
  light->range = 10;
  mjv_cameraInModel(head, forward, NULL, scn);
  rounded3(light->pos, head);
  rounded3(light->dir, forward);
  copied3(light->ambient, m->vis.headlight.ambient);
  copied3(light->diffuse, m->vis.headlight.diffuse);
  copied3(light->specular, m->vis.headlight.specular);
}

static void add_light(const mjModel* m, const mjData* d, int id, mjvScene* scn) {
  mjvLight* light = scn->lights + scn->nlight++;
  memset(light, 0, sizeof(*light));
  light->id = id;
  light->type = m->light_type[id];
  light->texid = m->light_texid[id];
  light->castshadow = m->light_castshadow[id];
  light->bulbradius = m->light_bulbradius[id];
  light->intensity = m->light_intensity[id];
  light->range = m->light_range[id];
  rounded3(light->pos, d->light_xpos + 3 * id);
  rounded3(light->dir, d->light_xdir + 3 * id);
  copied3(light->ambient, m->light_ambient + 3 * id);
  copied3(light->diffuse, m->light_diffuse + 3 * id);
  copied3(light->specular, m->light_specular + 3 * id);
  if (light->type == mjLIGHT_SPOT) {
    copied3(light->attenuation, m->light_attenuation + 3 * id);
    light->exponent = m->light_exponent[id];
    light->cutoff = m->light_cutoff[id];
  }
}

void mjv_makeLights(const mjModel* m, const mjData* d, mjvScene* scn) {
  scn->nlight = 0;
  if (m->vis.headlight.active) add_headlight(m, scn);
  for (int i = 0; i < m->nlight && scn->nlight < mjMAXLIGHT; i++) {
    if (m->light_active[i]) add_light(m, d, i, scn);
  }
}
