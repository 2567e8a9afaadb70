// Default values of the structs that pictures are made from.

#include <mujoco/mujoco.h>
#include <string.h>

#include "math/scalar.h"

void mjv_defaultCamera(mjvCamera* cam) {
  static const mjvCamera camera = {
      .type = mjCAMERA_FREE,
      .fixedcamid = -1,
      .trackbodyid = -1,
      .distance = 2,
      .azimuth = 90,
      .elevation = -45,
  };
  *cam = camera;
}

// Looks at the middle of the model from a distance at which all of it can be seen.
void mjv_defaultFreeCamera(const mjModel* m, mjvCamera* cam) {
  mjv_defaultCamera(cam);
  for (int i = 0; i < 3; i++) cam->lookat[i] = m->stat.center[i];
  cam->distance = 1.5 * m->stat.extent;
  cam->azimuth = m->vis.global.azimuth;
  cam->elevation = m->vis.global.elevation;
  cam->orthographic = m->vis.global.orthographic;
}

void mjv_defaultPerturb(mjvPerturb* pert) {
  static const mjvPerturb perturb = {
      .flexselect = -1,
      .skinselect = -1,
      .refquat = {1, 0, 0, 0},
      .scale = 1,
  };
  *pert = perturb;
}

void mjv_defaultOption(mjvOption* opt) {
  static const mjtByte shown[mjNGROUP] = {1, 1, 1};  // the first three groups of everything
  mjtByte* const groups[] = {opt->geomgroup,     opt->sitegroup, opt->jointgroup, opt->tendongroup,
                             opt->actuatorgroup, opt->flexgroup, opt->skingroup};
  memset(opt, 0, sizeof(*opt));
  opt->label = mjLABEL_NONE;
  opt->frame = mjFRAME_NONE;
  opt->bvh_depth = 1;
  for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
    memcpy(groups[i], shown, sizeof(shown));
  }
  for (int i = 0; i < mjNVISFLAG; i++) opt->flags[i] = mjVISSTRING[i][1][0] == '1';
}

void mjv_defaultScene(mjvScene* scn) {
  memset(scn, 0, sizeof(*scn));
}

void mjr_defaultContext(mjrContext* con) {
  memset(con, 0, sizeof(*con));
}

// The first lines of a figure have chosen colours, the others are spread by a Halton sequence.
static void default_line_colors(float color[mjMAXLINE][3]) {
  static const float chosen[][3] = {
      {1, 0.3f, 0.3f}, {0.1f, 1, 0.1f}, {0.3f, 0.3f, 1}, {0.1f, 1, 1},
      {1, 0.2f, 1},    {1, 1, 0.1f},    {1, 0.6f, 0.2f}, {0.6f, 0.7f, 0.4f},
  };
  static const int base[3] = {2, 3, 5};
  int nchosen = (int)(sizeof(chosen) / sizeof(chosen[0]));
  memcpy(color, chosen, sizeof(chosen));
  for (int line = nchosen; line < mjMAXLINE; line++) {
    for (int channel = 0; channel < 3; channel++) {
      color[line][channel] = (float)(0.1f + 0.8f * ct_halton(line, base[channel]));
    }
  }
}

void mjv_defaultFigure(mjvFigure* fig) {
  memset(fig, 0, sizeof(*fig));
  fig->flg_legend = 1;
  fig->flg_ticklabel[0] = fig->flg_ticklabel[1] = 1;
  fig->flg_extend = 1;
  fig->highlightid = -1;

  fig->linewidth = 3;
  fig->gridwidth = 1;
  fig->gridsize[0] = fig->gridsize[1] = 2;
  fig->range[0][1] = fig->range[1][1] = 1;

  for (int i = 0; i < 3; i++) {
    fig->gridrgb[i] = 0.4f;
    fig->textrgb[i] = 1;
  }
  fig->figurergba[3] = fig->panergba[3] = 1;
  fig->legendrgba[3] = 0.3f;
  default_line_colors(fig->linergb);

  strcpy(fig->xformat, "%.0f");
  strcpy(fig->yformat, "%.2g");
  strcpy(fig->minwidth, "XXX");
}
