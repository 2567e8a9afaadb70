#include "studio.h"

#include <stdlib.h>
#include <string.h>

#include "command.h"

int find_object(const mjModel* m, int type, int count, const char* text) {
  char* end;
  int id = mj_name2id(m, type, text);
  long number = strtol(text, &end, 10);
  if (id < 0 && end != text && !*end && number >= 0 && number < count) id = (int)number;
  return id;
}

int studio_make(Studio* s, mjModel* m) {
  memset(s, 0, sizeof(*s));
  s->m = m;
  s->d = mj_makeData(m);
  mjv_defaultOption(&s->opt);
  mjv_defaultScene(&s->scn);
  if (!s->d) return failed("there is no memory for an mjData of this model");
  mjv_makeScene(m, &s->scn, 100000);
  return EXIT_FINE;
}

void studio_free(Studio* s) {
  mjv_freeScene(&s->scn);
  mj_deleteData(s->d);
  mj_deleteModel(s->m);
}

int studio_camera(Studio* s, const char* name) {
  const mjModel* m = s->m;
  mjv_defaultFreeCamera(m, &s->cam);
  if (name && strcmp(name, "free") != 0) {
    int id = find_object(m, mjOBJ_CAMERA, (int)m->ncam, name);
    if (id < 0) return failed("the model has no camera %s, there are %d", name, (int)m->ncam);
    s->cam.type = mjCAMERA_FIXED;
    s->cam.fixedcamid = id;
  } else if (!name && m->vis.global.cameraid >= 0 && m->vis.global.cameraid < m->ncam) {
    s->cam.type = mjCAMERA_FIXED;
    s->cam.fixedcamid = m->vis.global.cameraid;
  }
  return EXIT_FINE;
}

int studio_light(Studio* s, int width, int height) {
  char error[300] = "";
  if (!ct_open_offscreen(&s->offscreen, error, sizeof(error))) return failed("%s", error);
  s->width = width;
  s->height = height;
  s->m->vis.global.offwidth = width;
  s->m->vis.global.offheight = height;
  mjr_defaultContext(&s->con);
  mjr_makeContext(s->m, &s->con, mjFONTSCALE_150);
  mjr_setBuffer(mjFB_OFFSCREEN, &s->con);
  mjv_updateScene(s->m, s->d, &s->opt, NULL, &s->cam, mjCAT_ALL, &s->scn);
  return EXIT_FINE;
}

void studio_shoot(Studio* s, unsigned char* rgb) {
  mjrRect whole = {0, 0, s->width, s->height};
  mjv_updateScene(s->m, s->d, &s->opt, NULL, &s->cam, mjCAT_ALL, &s->scn);
  mjr_render(whole, &s->scn, &s->con);
  if (rgb) mjr_readPixels(rgb, NULL, whole, &s->con);
}

void studio_dark(Studio* s) {
  mjr_freeContext(&s->con);
  ct_close_offscreen(&s->offscreen);
}
