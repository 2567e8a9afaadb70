// The viewer of `corten view`: a model that moves in a window, with panels on both sides.

#ifndef APPS_VIEWER_H_
#define APPS_VIEWER_H_

#include <mujoco/mujoco.h>
#include <stdbool.h>

#include "table.h"
#include "window.h"

enum { RECT_WINDOW, RECT_LEFT, RECT_RIGHT, RECT_VIEW, NRECT };  // of the window
enum { HISTORY = 1000 };                                        // steps that can be taken back

typedef struct {
  Window* window;
  const char* path;    // NULL: the built-in model
  char dropped[4096];  // path of a file that was dropped
  long long changed;   // when the file was, as stat has it

  mjModel* m;
  mjData* d;
  mjtNum* states;  // (HISTORY x state), a ring: where the motion was
  int state_size, newest, kept;

  const Table* recording;  // NULL: the model moves by itself
  double replayed;         // seconds since its beginning

  mjvOption opt;
  mjvCamera cam;
  mjvPerturb pert;
  mjvScene scn;
  mjrContext con;
  mjUI left, right;
  mjvFigure sensors, stages;
  mjTimerStat timers[mjNTIMER];  // at the last frame
  double stage_times[mjNTIMER];  // microseconds of a step, smoothed

  // what the panels change
  int run, speed;  // speed: number in a table of shares of real time
  int help, info, profiler, sensor_plot, fullscreen, sync, hide_left, hide_right;
  int spacing, colour, font, camera, key;

  double drawn, stepped, looked;  // when: last frame, last step, last look at the file
  double rate;                    // frames per second, smoothed
  double real_time;               // share of real time that is reached, smoothed
  char message[300];              // shown for a while
  double message_end;
  int pictures;  // screenshots that were made
} Viewer;

// view.c

// Loads a model from v->path and puts it in place of the one that is shown; false after a message,
// and then what was there stays.
bool viewer_load(Viewer* v);
void viewer_say(Viewer* v, const char* format, ...) mjPRINTFLIKE(2, 3);
void viewer_reset(Viewer* v, int key);  // key: -1 for none
void viewer_align(Viewer* v);
void viewer_screenshot(Viewer* v);
double viewer_speed(const Viewer* v);  // share of real time that is wanted

// Steps forward by one while paused; back as far as the history goes.
void viewer_step(Viewer* v);
void viewer_step_back(Viewer* v);

// A window that shows a recording of the model in that file; returns an exit code.
int view_recording(const char* path, const Table* recording);

// replay.c

// The state of a sample, with what the table does not have as it was; the sample at a time since
// the first one; the time from the first to the last.
void replay_row(const mjModel* m, mjData* d, const Table* t, size_t row);
size_t replay_find(const Table* t, double time);
double replay_length(const Table* t);

// view_panels.c

// Makes the panels for the model, and lays out the window.
void panels_make(Viewer* v);
void panels_place(Viewer* v);

// An event of the window: true if a panel took it.
bool panels_event(Viewer* v, mjuiState* state);

// Draws again what the motion has changed.
void panels_refresh(Viewer* v);

// The camera follows what the panel says, and the panel follows the camera.
void panels_camera(Viewer* v, int camera);

// view_mouse.c

void mouse_event(Viewer* v, const mjuiState* state);
void key_event(Viewer* v, const mjuiState* state);

// view_figures.c

void figures_make(Viewer* v);
void figures_add(Viewer* v);  // after the steps of a frame
void figures_draw(Viewer* v);
void overlays_draw(Viewer* v);

#endif  // APPS_VIEWER_H_
