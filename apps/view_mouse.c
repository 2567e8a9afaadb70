// Mouse and keys over the picture, as in simulate: drags turn and move the camera, with control
// they pull the selected body; double clicks select.

#include <math.h>
#include <string.h>

#include "viewer.h"

// The camera, or with control the selected body.
static int action_of(const mjuiState* s) {
  if (s->right) return s->shift ? mjMOUSE_MOVE_H : mjMOUSE_MOVE_V;
  if (s->left) return s->shift ? mjMOUSE_ROTATE_H : mjMOUSE_ROTATE_V;
  return mjMOUSE_ZOOM;
}

static void begin_pulling(Viewer* v, const mjuiState* s) {
  int active = 0;
  if (s->control && v->pert.select > 0) {
    active = s->button == mjBUTTON_RIGHT  ? mjPERT_TRANSLATE
             : s->button == mjBUTTON_LEFT ? mjPERT_ROTATE
                                          : 0;
  }
  if (active && !v->pert.active) mjv_initPerturb(v->m, v->d, &v->scn, &v->pert);
  v->pert.active = active;
}

// The left button selects, the right one looks there, and with control follows the body.
static void double_click(Viewer* v, const mjuiState* s) {
  const mjrRect* r = s->rect + RECT_VIEW;
  mjtNum point[3];
  int geom = -1, flex = -1, skin = -1;
  int body =
      mjv_select(v->m, v->d, &v->opt, (mjtNum)r->width / (mjtNum)r->height,
                 (mjtNum)((s->x - r->left) / r->width), (mjtNum)((s->y - r->bottom) / r->height),
                 &v->scn, point, &geom, &flex, &skin);
  if (s->button == mjBUTTON_RIGHT) {
    if (body >= 0) mju_copy3(v->cam.lookat, point);
    if (s->control && body > 0) {
      v->cam.type = mjCAMERA_TRACKING;
      v->cam.trackbodyid = body;
      v->cam.fixedcamid = -1;
      v->camera = 1;
    }
    return;
  }
  if (body < 0) {
    v->pert.select = 0;
    v->pert.flexselect = v->pert.skinselect = -1;
  } else {
    mjtNum offset[3];
    v->pert.select = body;
    v->pert.flexselect = flex;
    v->pert.skinselect = skin;
    mju_sub3(offset, point, v->d->xpos + 3 * body);
    mju_mulMatTVec(v->pert.localpos, v->d->xmat + 9 * body, offset, 3, 3);
  }
  v->pert.active = 0;
}

void mouse_event(Viewer* v, const mjuiState* s) {
  double height = s->rect[RECT_VIEW].height > 0 ? s->rect[RECT_VIEW].height : 1;
  switch (s->type) {
    case mjEVENT_PRESS:
      if (s->mouserect != RECT_VIEW) return;
      if (s->doubleclick) {
        double_click(v, s);
      } else {
        begin_pulling(v, s);
      }
      return;
    case mjEVENT_RELEASE:
      v->pert.active = 0;
      return;
    case mjEVENT_SCROLL:
      if (s->mouserect != RECT_VIEW) return;
      mjv_moveCamera(v->m, mjMOUSE_ZOOM, 0, (mjtNum)(-0.05 * s->sy), &v->scn, &v->cam);
      return;
    case mjEVENT_MOVE:
      if (s->dragrect != RECT_VIEW || !(s->left || s->right || s->middle)) return;
      mjtNum dx = (mjtNum)(s->dx / height), dy = (mjtNum)(-s->dy / height);
      if (v->pert.active) {
        mjv_movePerturb(v->m, v->d, action_of(s), dx, dy, &v->scn, &v->pert);
      } else {
        mjv_moveCamera(v->m, action_of(s), dx, dy, &v->scn, &v->cam);
      }
      return;
    default:
      return;
  }
}

// Keys

static void turn_over(mjtByte* flag) {
  *flag = !*flag;
}

// Cameras in a circle: the free one, the one that follows, those of the model.
static void next_camera(Viewer* v, int by) {
  int count = 2 + (int)v->m->ncam;
  panels_camera(v, (v->camera + by + count) % count);
}

static void select_parent(Viewer* v) {
  if (v->pert.select <= 0) return;
  v->pert.select = v->m->body_parentid[v->pert.select];
  mju_zero3(v->pert.localpos);
}

void key_event(Viewer* v, const mjuiState* s) {
  int key = s->key;
  if (key >= '0' && key <= '5') {
    turn_over((s->shift ? v->opt.sitegroup : v->opt.geomgroup) + (key - '0'));
    panels_place(v);
    return;
  }
  switch (key) {
    case ' ':
      v->run = !v->run;
      v->pert.active = 0;
      break;
    case mjKEY_RIGHT:
      v->run = 0;
      viewer_step(v);
      break;
    case mjKEY_LEFT:
      v->run = 0;
      viewer_step_back(v);
      break;
    case '-':
      if (v->speed < 6) v->speed++;
      break;
    case '=':
      if (v->speed > 0) v->speed--;
      break;
    case mjKEY_TAB:
      if (s->shift) {
        v->hide_right = !v->hide_right;
      } else {
        v->hide_left = !v->hide_left;
      }
      break;
    case mjKEY_ESCAPE:
      panels_camera(v, 0);
      break;
    case '[':
      next_camera(v, -1);
      break;
    case ']':
      next_camera(v, 1);
      break;
    case mjKEY_F6:
      v->opt.frame = (v->opt.frame + 1) % mjNFRAME;
      break;
    case mjKEY_F7:
      v->opt.label = (v->opt.label + 1) % mjNLABEL;
      break;
    case mjKEY_PAGE_UP:
      select_parent(v);
      break;
    default:
      return;
  }
  panels_place(v);
}
