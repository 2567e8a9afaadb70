// The panels of the viewer: the left one for the program and the picture, the right one for the
// model's joints and controls. Keys of items are those of simulate.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "viewer.h"

enum { LEFT_AUX = 0, RIGHT_AUX = 1 };
enum { OPTION, SIMULATION, RENDERING, GROUPS };  // sections of the left panel
enum { JOINTS, CONTROLS };                       // and of the right one

// What an item does beyond changing its number; its mjuiItem.userid.
enum {
  DO_NOTHING,
  DO_SCREENSHOT,
  DO_QUIT,
  DO_LOOK,  // theme, font
  DO_FULLSCREEN,
  DO_SYNC,
  DO_RESET,
  DO_RELOAD,
  DO_ALIGN,
  DO_KEY,
  DO_CAMERA,
  DO_CLEAR,    // controls
  DO_FORWARD,  // a joint was moved
};

static mjuiDef end_of_table(void) {
  mjuiDef def;
  memset(&def, 0, sizeof(def));
  def.type = mjITEM_END;
  return def;
}

static void add(mjUI* ui, int type, const char* name, int state, void* data, const char* other,
                int what) {
  mjuiDef def[2];
  memset(def, 0, sizeof(def));
  def[0].type = type;
  snprintf(def[0].name, sizeof(def[0].name), "%s", name);
  def[0].state = state;
  def[0].pdata = data;
  snprintf(def[0].other, sizeof(def[0].other), "%s", other);
  def[0].otherint = type == mjITEM_SECTION ? 0 : what;
  def[1] = end_of_table();
  mjui_add(ui, def);
}

// Sections of the left panel

static void add_option(Viewer* v) {
  mjUI* ui = &v->left;
  add(ui, mjITEM_SECTION, "Option", mjPRESERVE, NULL, "AO", 0);
  add(ui, mjITEM_CHECKINT, "Help", 1, &v->help, " #290", DO_NOTHING);
  add(ui, mjITEM_CHECKINT, "Info", 1, &v->info, " #291", DO_NOTHING);
  add(ui, mjITEM_CHECKINT, "Profiler", 1, &v->profiler, " #292", DO_NOTHING);
  add(ui, mjITEM_CHECKINT, "Sensors", 1, &v->sensor_plot, " #293", DO_NOTHING);
  add(ui, mjITEM_CHECKINT, "Full screen", 1, &v->fullscreen, " #294", DO_FULLSCREEN);
  add(ui, mjITEM_CHECKINT, "Vertical sync", 1, &v->sync, "", DO_SYNC);
  add(ui, mjITEM_BUTTON, "Screenshot", 1, NULL, "CP", DO_SCREENSHOT);
  add(ui, mjITEM_BUTTON, "Quit", 1, NULL, "CQ", DO_QUIT);
  add(ui, mjITEM_SELECT, "Spacing", 1, &v->spacing, "tight\nwide", DO_LOOK);
  add(ui, mjITEM_SELECT, "Colour", 1, &v->colour, "red\norange\nwhite\nblack", DO_LOOK);
  add(ui, mjITEM_SELECT, "Font", 1, &v->font, "50 %\n100 %\n150 %\n200 %\n250 %\n300 %", DO_LOOK);
}

// The built-in model, a recording, and what came from standard input stay.
static bool can_reload(const Viewer* v) {
  return v->path && strcmp(v->path, "-") != 0 && !v->recording;
}

static void add_simulation(Viewer* v) {
  mjUI* ui = &v->left;
  char keys[40];
  int last = v->m->nkey > 0 ? (int)v->m->nkey - 1 : 0;
  snprintf(keys, sizeof(keys), "0 %d", last);
  add(ui, mjITEM_SECTION, "Simulation", mjPRESERVE, NULL, "AS", 0);
  add(ui, mjITEM_RADIO, "", 1, &v->run, "Pause\nRun", DO_NOTHING);
  add(ui, mjITEM_BUTTON, "Reset", 1, NULL, " #259", DO_RESET);
  add(ui, mjITEM_BUTTON, "Reload", can_reload(v), NULL, "CL", DO_RELOAD);
  add(ui, mjITEM_BUTTON, "Align", 1, NULL, "CA", DO_ALIGN);
  add(ui, mjITEM_BUTTON, "Load key", v->m->nkey > 0, NULL, "", DO_KEY);
  add(ui, mjITEM_SLIDERINT, "Key", v->m->nkey > 1, &v->key, keys, DO_NOTHING);
  add(ui, mjITEM_SELECT, "Speed", 1, &v->speed, "100 %\n50 %\n25 %\n10 %\n5 %\n2 %\n1 %",
      DO_NOTHING);
}

// Names of cameras, one on each line; those that do not fit are left out.
static void camera_names(const mjModel* m, char* text, size_t room) {
  size_t n = (size_t)snprintf(text, room, "Free\nTracking");
  for (int i = 0; i < m->ncam && i < mjMAXUIMULTI - 2; i++) {
    const char* name = mj_id2name(m, mjOBJ_CAMERA, i);
    char line[mjMAXUINAME];
    if (name && name[0]) {
      snprintf(line, sizeof(line), "%s", name);
    } else {
      snprintf(line, sizeof(line), "camera %d", i);
    }
    if (n + strlen(line) + 2 > room) return;
    n += (size_t)snprintf(text + n, room - n, "\n%s", line);
  }
}

static void list_names(const char* const* names, int count, char* text, size_t room) {
  size_t n = 0;
  text[0] = 0;
  for (int i = 0; i < count && n < room; i++) {
    n += (size_t)snprintf(text + n, room - n, i ? "\n%s" : "%s", names[i]);
  }
}

// Boxes for flags that have a name, a default and a key.
static void add_flags(mjUI* ui, const char* (*names)[3], int count, mjtByte* flags) {
  for (int i = 0; i < count; i++) {
    char key[3] = "";
    if (names[i][2][0]) snprintf(key, sizeof(key), " %c", names[i][2][0]);
    add(ui, mjITEM_CHECKBYTE, names[i][0], 1, flags + i, key, DO_NOTHING);
  }
}

static void add_rendering(Viewer* v) {
  mjUI* ui = &v->left;
  char text[mjMAXUITEXT];
  add(ui, mjITEM_SECTION, "Rendering", mjPRESERVE, NULL, "AR", 0);
  camera_names(v->m, text, sizeof(text));
  add(ui, mjITEM_SELECT, "Camera", 1, &v->camera, text, DO_CAMERA);
  list_names(mjLABELSTRING, mjNLABEL, text, sizeof(text));
  add(ui, mjITEM_SELECT, "Label", 1, &v->opt.label, text, DO_NOTHING);
  list_names(mjFRAMESTRING, mjNFRAME, text, sizeof(text));
  add(ui, mjITEM_SELECT, "Frame", 1, &v->opt.frame, text, DO_NOTHING);
  add(ui, mjITEM_SEPARATOR, "Shown", mjSEPCLOSED + 1, NULL, "", 0);
  add_flags(ui, mjVISSTRING, mjNVISFLAG, v->opt.flags);
  add(ui, mjITEM_SEPARATOR, "Drawn", mjSEPCLOSED + 1, NULL, "", 0);
  add_flags(ui, mjRNDSTRING, mjNRNDFLAG, v->scn.flags);
}

static void add_groups(Viewer* v) {
  mjUI* ui = &v->left;
  const struct {
    const char* name;
    mjtByte* flags;
    const char* modifier;  // of keys 0 to 5; NULL: none
  } groups[] = {
      {"Geom", v->opt.geomgroup, " "},          {"Site", v->opt.sitegroup, "S"},
      {"Joint", v->opt.jointgroup, NULL},       {"Tendon", v->opt.tendongroup, NULL},
      {"Actuator", v->opt.actuatorgroup, NULL}, {"Flex", v->opt.flexgroup, NULL},
      {"Skin", v->opt.skingroup, NULL},
  };
  add(ui, mjITEM_SECTION, "Groups", mjPRESERVE, NULL, "AG", 0);
  for (size_t i = 0; i < sizeof(groups) / sizeof(groups[0]); i++) {
    add(ui, mjITEM_SEPARATOR, groups[i].name, mjSEPCLOSED + (i < 2), NULL, "", 0);
    for (int k = 0; k < mjNGROUP; k++) {
      char name[40], key[16] = "";
      snprintf(name, sizeof(name), "%s %d", groups[i].name, k);
      if (groups[i].modifier) snprintf(key, sizeof(key), "%s%d", groups[i].modifier, k);
      add(ui, mjITEM_CHECKBYTE, name, 1, groups[i].flags + k, key, DO_NOTHING);
    }
  }
}

// The right panel

static void name_of(const mjModel* m, int type, int id, char text[mjMAXUINAME]) {
  const char* name = mj_id2name(m, type, id);
  if (name && name[0]) {
    snprintf(text, mjMAXUINAME, "%s", name);
  } else {
    snprintf(text, mjMAXUINAME, "%s %d", mju_type2Str(type), id);
  }
}

static void add_slider(mjUI* ui, const char* name, mjtNum* value, bool limited,
                       const mjtNum range[2], double other, int what) {
  char text[80];
  snprintf(text, sizeof(text), "%.6g %.6g", limited ? (double)range[0] : -other,
           limited ? (double)range[1] : other);
  add(ui, mjITEM_SLIDERNUM, name, 1, value, text, what);
}

static void add_joints(Viewer* v) {
  const mjModel* m = v->m;
  char name[mjMAXUINAME];
  add(&v->right, mjITEM_SECTION, "Joint", mjPRESERVE, NULL, "AJ", 0);
  for (int i = 0; i < m->njnt && v->right.sect[JOINTS].nitem < mjMAXUIITEM; i++) {
    bool slide = m->jnt_type[i] == mjJNT_SLIDE;
    if (!slide && m->jnt_type[i] != mjJNT_HINGE) continue;
    name_of(m, mjOBJ_JOINT, i, name);
    add_slider(&v->right, name, v->d->qpos + m->jnt_qposadr[i], m->jnt_limited[i],
               m->jnt_range + 2 * i, slide ? 1 : 3.1416, DO_FORWARD);
  }
}

static void add_controls(Viewer* v) {
  const mjModel* m = v->m;
  char name[mjMAXUINAME];
  add(&v->right, mjITEM_SECTION, "Control", mjPRESERVE, NULL, "AC", 0);
  add(&v->right, mjITEM_BUTTON, "Clear all", m->nu > 0, NULL, "", DO_CLEAR);
  for (int i = 0; i < m->nu && v->right.sect[CONTROLS].nitem < mjMAXUIITEM; i++) {
    name_of(m, mjOBJ_ACTUATOR, i, name);
    add_slider(&v->right, name, v->d->ctrl + i, m->actuator_ctrllimited[i],
               m->actuator_ctrlrange + 2 * i, 1, DO_NOTHING);
  }
}

// Making and placing

static void make_panel(mjUI* ui, const Viewer* v, int rectangle, int aux) {
  ui->spacing = mjui_themeSpacing(v->spacing);
  ui->color = mjui_themeColor(v->colour);
  ui->rectid = rectangle;
  ui->auxid = aux;
  ui->nsect = 0;
  ui->mousesect = ui->editsect = 0;
}

// Items of a panel say by their userid what they do, and mjui_add keeps otherint there.
void panels_make(Viewer* v) {
  bool first = v->left.nsect == 0;
  make_panel(&v->left, v, RECT_LEFT, LEFT_AUX);
  make_panel(&v->right, v, RECT_RIGHT, RIGHT_AUX);
  if (first) {
    v->left.sect[OPTION].state = v->left.sect[SIMULATION].state = mjSECT_OPEN;
    v->right.sect[CONTROLS].state = mjSECT_OPEN;
  }
  add_option(v);
  add_simulation(v);
  add_rendering(v);
  add_groups(v);
  add_joints(v);
  add_controls(v);
  panels_place(v);
}

static void place_panel(Viewer* v, mjUI* ui) {
  mjui_resize(ui, &v->con);
  mjr_addAux(ui->auxid, ui->width, ui->maxheight, ui->spacing.samples, &v->con);
  mjui_update(-1, -1, ui, window_state(v->window), &v->con);
}

void panels_place(Viewer* v) {
  mjuiState* s = window_state(v->window);
  place_panel(v, &v->left);
  place_panel(v, &v->right);
  mjrRect all = s->rect[RECT_WINDOW];
  int left = v->hide_left ? 0 : v->left.width, right = v->hide_right ? 0 : v->right.width;
  int width = all.width - left - right;
  s->nrect = NRECT;
  s->rect[RECT_LEFT] = (mjrRect){0, 0, left, all.height};
  s->rect[RECT_RIGHT] = (mjrRect){all.width - right, 0, right, all.height};
  s->rect[RECT_VIEW] = (mjrRect){left, 0, width > 1 ? width : 1, all.height};
}

// Events

void panels_camera(Viewer* v, int camera) {
  v->camera = camera;
  if (camera <= 0) {
    v->cam.type = mjCAMERA_FREE;
  } else if (camera == 1 && v->pert.select > 0) {
    v->cam.type = mjCAMERA_TRACKING;
    v->cam.trackbodyid = v->pert.select;
  } else if (camera == 1) {
    v->cam.type = mjCAMERA_FREE;
    v->camera = 0;
    viewer_say(v, "select a body to follow");
  } else {
    v->cam.type = mjCAMERA_FIXED;
    v->cam.fixedcamid = camera - 2;
  }
}

static void do_item(Viewer* v, const mjuiItem* item) {
  switch (item->userid) {
    case DO_SCREENSHOT:
      viewer_screenshot(v);
      break;
    case DO_QUIT:
      window_ask_to_close(v->window);
      break;
    case DO_LOOK:
      mjr_changeFont(50 * (v->font + 1), &v->con);
      panels_make(v);
      break;
    case DO_FULLSCREEN:
      window_set_fullscreen(v->window, v->fullscreen);
      break;
    case DO_SYNC:
      window_set_sync(v->window, v->sync);
      break;
    case DO_RESET:
      viewer_reset(v, -1);
      break;
    case DO_RELOAD:
      if (viewer_load(v)) viewer_say(v, "reloaded");
      break;
    case DO_ALIGN:
      viewer_align(v);
      break;
    case DO_KEY:
      viewer_reset(v, v->key);
      break;
    case DO_CAMERA:
      panels_camera(v, v->camera);
      break;
    case DO_CLEAR:
      mju_zero(v->d->ctrl, (int)v->m->nu);
      break;
    case DO_FORWARD:
      mj_forward(v->m, v->d);
      break;
    default:
      break;
  }
}

// Which panel an event is for; keys go to both.
static bool is_for(const mjUI* ui, const mjuiState* s) {
  if (s->type == mjEVENT_KEY) return s->key != 0;
  if (s->type == mjEVENT_SCROLL) return s->mouserect == ui->rectid;
  return (s->dragrect ? s->dragrect : s->mouserect) == ui->rectid;
}

bool panels_event(Viewer* v, mjuiState* s) {
  mjUI* const panels[] = {&v->left, &v->right};
  for (int i = 0; i < 2; i++) {
    mjUI* ui = panels[i];
    // a field that is edited wants to know of clicks elsewhere
    bool leaves = s->type == mjEVENT_PRESS && ui->editsect;
    if (!is_for(ui, s) && !leaves) continue;
    int key = s->key;
    const mjuiItem* item = mjui_event(ui, s, &v->con);
    if (item) {
      int userid = item->userid;
      do_item(v, item);
      if (userid != DO_LOOK && userid != DO_RELOAD) panels_place(v);
      return true;
    }
    if (s->type == mjEVENT_KEY) {
      if (key && !s->key) return true;
    } else if (is_for(ui, s)) {
      return true;
    }
  }
  return false;
}

// Joints and controls move by themselves, and other numbers by keys.
void panels_refresh(Viewer* v) {
  static int frame;
  const mjuiState* s = window_state(v->window);
  if (frame++ % 10 || v->hide_right) return;
  if (v->right.mousesect || v->right.editsect) return;
  for (int i = 0; i < v->right.nsect; i++) {
    if (v->right.sect[i].state == mjSECT_OPEN) mjui_update(i, -1, &v->right, s, &v->con);
  }
}
