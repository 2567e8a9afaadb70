// Plots and texts over the picture: sensors, time of the stages of a step, help, what is going on.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "viewer.h"

enum { POINTS = 200, MOST_LINES = 12 };  // of a plot

typedef struct {
  const char* name;
  int timer;
} Stage;

static const Stage stages[] = {
    {"step", mjTIMER_STEP},           {"poses", mjTIMER_POS_KINEMATICS},
    {"inertia", mjTIMER_POS_INERTIA}, {"contacts", mjTIMER_POS_COLLISION},
    {"rows", mjTIMER_POS_MAKE},       {"velocity", mjTIMER_VELOCITY},
    {"actuation", mjTIMER_ACTUATION}, {"solver", mjTIMER_CONSTRAINT},
    {"integration", mjTIMER_ADVANCE},
};
enum { NSTAGE = sizeof(stages) / sizeof(stages[0]) };

static void set_text(char* to, size_t size, const char* text) {
  snprintf(to, size, "%s", text);
}

// Plots have time or frames along x, and a y axis that grows with what is shown.
static void make_figure(mjvFigure* f, const char* title, const char* x) {
  mjv_defaultFigure(f);
  set_text(f->title, sizeof(f->title), title);
  set_text(f->xlabel, sizeof(f->xlabel), x);
  f->figurergba[3] = 0.5f;
  f->panergba[3] = 0;
  f->flg_extend = 1;
  f->linewidth = 2;
  f->gridsize[0] = f->gridsize[1] = 4;
  f->range[0][0] = f->range[0][1] = f->range[1][0] = f->range[1][1] = 0;
  f->range[0][1] = f->range[1][1] = -1;  // as wide as the points
  set_text(f->yformat, sizeof(f->yformat), "%.3g");
  set_text(f->xformat, sizeof(f->xformat), "%.1f");
}

static void name_sensor_lines(Viewer* v) {
  const mjModel* m = v->m;
  int line = 0;
  for (int i = 0; i < m->nsensor; i++) {
    const char* name = mj_id2name(m, mjOBJ_SENSOR, i);
    for (int k = 0; k < m->sensor_dim[i] && line < MOST_LINES; k++, line++) {
      char* text = v->sensors.linename[line];
      size_t room = sizeof(v->sensors.linename[line]);
      if (name && name[0]) {
        snprintf(text, room, m->sensor_dim[i] > 1 ? "%s %d" : "%s", name, k);
      } else {
        snprintf(text, room, m->sensor_dim[i] > 1 ? "sensor%d %d" : "sensor%d", i, k);
      }
    }
  }
}

void figures_make(Viewer* v) {
  make_figure(&v->sensors, "sensors", "seconds");
  make_figure(&v->stages, "microseconds of a step", "seconds");
  name_sensor_lines(v);
  for (int i = 0; i < NSTAGE; i++) {
    set_text(v->stages.linename[i], sizeof(v->stages.linename[i]), stages[i].name);
  }
  memset(v->timers, 0, sizeof(v->timers));
  memset(v->stage_times, 0, sizeof(v->stage_times));
}

// One more point at the right, the oldest goes.
static void add_point(mjvFigure* f, int line, float x, float y) {
  float* data = f->linedata[line];
  int n = f->linepnt[line];
  // time that goes back begins anew
  if (n > 0 && x < data[2 * (n - 1)]) n = 0;
  if (n == POINTS) {
    memmove(data, data + 2, 2 * (POINTS - 1) * sizeof(float));
    n--;
  }
  data[2 * n] = x;
  data[2 * n + 1] = y;
  f->linepnt[line] = n + 1;
}

static void add_sensors(Viewer* v) {
  float time = (float)v->d->time;
  int n = (int)v->m->nsensordata < MOST_LINES ? (int)v->m->nsensordata : MOST_LINES;
  for (int i = 0; i < n; i++) add_point(&v->sensors, i, time, (float)v->d->sensordata[i]);
}

// What a stage took per step since the last frame.
static void add_stages(Viewer* v) {
  const mjTimerStat* now = v->d->timer;
  int steps = now[mjTIMER_STEP].number - v->timers[mjTIMER_STEP].number;
  if (steps > 0) {
    for (int i = 0; i < NSTAGE; i++) {
      int timer = stages[i].timer;
      double spent = (double)(now[timer].duration - v->timers[timer].duration) / steps;
      double* smooth = v->stage_times + timer;
      *smooth = *smooth > 0 ? *smooth + 0.2 * (spent - *smooth) : spent;
      add_point(&v->stages, i, (float)v->d->time, (float)*smooth);
    }
  }
  memcpy(v->timers, now, sizeof(v->timers));
}

void figures_add(Viewer* v) {
  if (!v->run) return;
  if (v->sensor_plot) add_sensors(v);
  add_stages(v);
}

void figures_draw(Viewer* v) {
  mjrRect view = window_state(v->window)->rect[RECT_VIEW];
  mjrRect place = {view.left + view.width - view.width / 3, view.bottom, view.width / 3,
                   view.height / 3};
  if (v->sensor_plot && v->m->nsensordata) {
    mjr_figure(place, &v->sensors, &v->con);
    place.bottom += place.height;
  } else if (v->sensor_plot) {
    mjr_overlay(mjFONT_NORMAL, mjGRID_BOTTOMRIGHT, view, "no sensors", NULL, &v->con);
  }
  if (v->profiler) mjr_figure(place, &v->stages, &v->con);
}

// Texts

static const char help_keys[] =
    "play, pause\nslower, faster\nstep back, step\nreset\nreload\nleft, right panel\n"
    "cameras\nfree camera\nalign the view\nframes, labels\ngroups of geoms, sites\nparent\n"
    "turn the view\nmove the view\nzoom\nselect\nlook there, follow\nturn, pull the body\n"
    "info, profiler, sensors\nfull screen\nscreenshot\nquit";
static const char help_values[] =
    "Space\n- =\nLeft, Right\nBackspace\nCtrl L\nTab, Shift Tab\n"
    "[ ]\nEsc\nCtrl A\nF6, F7\n0-5, Shift 0-5\nPage Up\n"
    "left drag\nright drag\nwheel\ndouble click\nright, Ctrl right double click\nCtrl left, right "
    "drag\n"
    "F2, F3, F4\nF5\nCtrl P\nCtrl Q";

static void draw_info(Viewer* v, mjrRect view) {
  char names[200], values[300];
  const mjData* d = v->d;
  snprintf(names, sizeof(names), "time\nspeed\nrows\ncontacts\nstep\nframes\nmemory%s",
           v->m->opt.enableflags & mjENBL_ENERGY ? "\nenergy" : "");
  int n =
      snprintf(values, sizeof(values),
               "%.3f s\n%.0f %% (of %.0f %%)\n%d\n%d\n%.1f us\n%.0f per second\n%.1f %% of %.1f MB",
               (double)d->time, v->run ? 100 * v->real_time : 0, 100 * viewer_speed(v), d->nefc,
               d->ncon, v->stage_times[mjTIMER_STEP], v->rate,
               100 * (double)d->maxuse_arena / (double)(d->narena ? d->narena : 1),
               (double)d->narena / 1048576);
  if (v->m->opt.enableflags & mjENBL_ENERGY) {
    snprintf(values + n, sizeof(values) - (size_t)n, "\n%.5g J",
             (double)(d->energy[0] + d->energy[1]));
  }
  mjr_overlay(mjFONT_NORMAL, mjGRID_BOTTOMLEFT, view, names, values, &v->con);
}

void overlays_draw(Viewer* v) {
  mjrRect view = window_state(v->window)->rect[RECT_VIEW];
  if (v->help) {
    mjr_overlay(mjFONT_NORMAL, mjGRID_TOPLEFT, view, help_keys, help_values, &v->con);
  }
  if (v->info) draw_info(v, view);
  if (!v->run) mjr_overlay(mjFONT_NORMAL, mjGRID_TOP, view, "paused", NULL, &v->con);
  if (v->speed && v->run) {
    char text[40];
    snprintf(text, sizeof(text), "%g %% of real time", 100 * viewer_speed(v));
    mjr_overlay(mjFONT_NORMAL, mjGRID_TOP, view, text, NULL, &v->con);
  }
  if (window_time(v->window) < v->message_end) {
    mjr_overlay(mjFONT_NORMAL, mjGRID_BOTTOM, view, v->message, NULL, &v->con);
  }
}
