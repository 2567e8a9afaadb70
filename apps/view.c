// corten view: a model in a window, where it moves, is pulled by the mouse and driven by sliders.
// One thread does it all: between two frames the motion is taken as far as time has gone on, as far
// as the processor allows.

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "command.h"
#include "picture.h"
#include "viewer.h"

enum { MOST_GEOMS = 20000 };
static const double share_of_frame = 0.7;  // of a frame's time that steps may take
static const double look_every = 0.5;      // seconds between looks at the file

// Shares of real time, in the order of the panel's list.
static const double speeds[] = {1, 0.5, 0.25, 0.1, 0.05, 0.02, 0.01};
enum { NSPEED = sizeof(speeds) / sizeof(speeds[0]) };

double viewer_speed(const Viewer* v) {
  return speeds[v->speed >= 0 && v->speed < NSPEED ? v->speed : 0];
}

void viewer_say(Viewer* v, const char* format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(v->message, sizeof(v->message), format, args);
  va_end(args);
  v->message_end = (v->window ? window_time(v->window) : 0) + 4;
}

// Microseconds, for the timers of stages.
static mjtNum microseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (mjtNum)(1e6 * (double)(t.tv_sec % 100000) + 1e-3 * (double)t.tv_nsec);
}

// Files

static long long change_of(const char* path) {
  struct stat about;
  if (!path || stat(path, &about) != 0) return 0;
  return (long long)about.st_mtim.tv_sec * 1000000000 + about.st_mtim.tv_nsec + about.st_size;
}

// What came from standard input is there once.
static bool from_input(const char* path) {
  return path && !strcmp(path, "-");
}

static mjModel* load(const char* path, char* error, int size) {
  if (!path) return load_builtin_model();
  if (from_input(path)) return load_model(path);
  if (!ends_with(path, ".mjb")) return mj_loadXML(path, NULL, error, size);
  mjModel* m = mj_loadModel(path, NULL);
  if (!m) snprintf(error, (size_t)size, "%s: not a usable model", path);
  return m;
}

static void let_go(Viewer* v) {
  mj_deleteData(v->d);
  mj_deleteModel(v->m);
  free(v->states);
  v->d = NULL;
  v->m = NULL;
  v->states = NULL;
}

static void show_name(Viewer* v) {
  char title[200];
  snprintf(title, sizeof(title), "%s - corten", v->m->names[0] ? v->m->names : "model");
  if (v->window) window_set_title(v->window, title);
}

// What is new for a window: a context with its meshes and textures, a scene, panels.
static void show_model(Viewer* v) {
  v->m->vis.quality.offsamples = 4;
  mjv_makeScene(v->m, &v->scn, MOST_GEOMS);
  mjr_makeContext(v->m, &v->con, 50 * (v->font + 1));
  mjv_defaultPerturb(&v->pert);
  viewer_align(v);
  show_name(v);
  figures_make(v);
  panels_make(v);
}

bool viewer_load(Viewer* v) {
  char error[1000] = "";
  v->changed = change_of(v->path);
  mjModel* m = load(v->path, error, sizeof(error));
  mjData* d = m ? mj_makeData(m) : NULL;
  if (!d) {
    if (m) snprintf(error, sizeof(error), "there is no memory for an mjData of this model");
    mj_deleteModel(m);
    if (error[0]) failed("%s", error);
    viewer_say(v, "%s", error);
    return false;
  }
  let_go(v);
  v->m = m;
  v->d = d;
  v->state_size = mj_stateSize(m, mjSTATE_INTEGRATION);
  v->states = (mjtNum*)calloc((size_t)HISTORY * (size_t)v->state_size, sizeof(mjtNum));
  v->kept = v->newest = 0;
  v->key = 0;
  mj_forward(m, d);
  if (v->window) show_model(v);
  return true;
}

// A file that changes is loaded again, a moment later: whoever writes it may not have finished.
static void look_at_file(Viewer* v, double now) {
  if (!v->path || v->recording || now - v->looked < look_every) return;
  v->looked = now;
  long long changed = change_of(v->path);
  if (changed && changed != v->changed && viewer_load(v)) viewer_say(v, "reloaded");
}

// Motion

static void remember(Viewer* v) {
  if (!v->states) return;
  v->newest = (v->newest + 1) % HISTORY;
  mj_getState(v->m, v->d, v->states + (size_t)v->newest * (size_t)v->state_size,
              mjSTATE_INTEGRATION);
  if (v->kept < HISTORY) v->kept++;
}

void viewer_step(Viewer* v) {
  if (v->recording) {
    v->replayed += (double)v->m->opt.timestep;
    return;
  }
  remember(v);
  mju_zero(v->d->xfrc_applied, 6 * (int)v->m->nbody);
  mjv_applyPerturbForce(v->m, v->d, &v->pert);
  mj_step(v->m, v->d);
}

void viewer_step_back(Viewer* v) {
  if (v->recording) {
    v->replayed -= (double)v->m->opt.timestep;
    return;
  }
  if (!v->kept) {
    viewer_say(v, "there is no earlier state");
    return;
  }
  mj_setState(v->m, v->d, v->states + (size_t)v->newest * (size_t)v->state_size,
              mjSTATE_INTEGRATION);
  v->newest = (v->newest + HISTORY - 1) % HISTORY;
  v->kept--;
  mj_forward(v->m, v->d);
}

void viewer_reset(Viewer* v, int key) {
  if (key >= 0 && key < v->m->nkey) {
    mj_resetDataKeyframe(v->m, v->d, key);
  } else {
    mj_resetData(v->m, v->d);
  }
  mj_forward(v->m, v->d);
  v->kept = 0;
  v->replayed = 0;
}

void viewer_align(Viewer* v) {
  mjv_defaultFreeCamera(v->m, &v->cam);
  v->camera = 0;
}

// A recording begins anew when it has ended.
static void advance_recording(Viewer* v, double passed) {
  const Table* t = v->recording;
  double length = replay_length(t);
  if (v->run) v->replayed += passed * viewer_speed(v);
  if (v->replayed > length || v->replayed < 0) v->replayed = 0;
  replay_row(v->m, v->d, t, replay_find(t, v->replayed));
  if (v->run) v->real_time = viewer_speed(v);
}

// As many steps as time has gone on for, and as the processor can make before the next frame.
static void advance(Viewer* v, double now) {
  double wanted = fmin(now - v->stepped, 0.1) * viewer_speed(v);
  v->stepped = now;
  if (v->recording) {
    advance_recording(v, wanted / viewer_speed(v));
    return;
  }
  if (!v->run) {
    mjv_applyPerturbPose(v->m, v->d, &v->pert, 1);
    mj_forward(v->m, v->d);
    return;
  }
  mjv_applyPerturbPose(v->m, v->d, &v->pert, 0);
  double start = (double)v->d->time, limit = window_time(v->window) + share_of_frame / 30;
  double step = fmax((double)v->m->opt.timestep, 1e-6);
  while ((double)v->d->time - start + 0.5 * step < wanted && window_time(v->window) < limit) {
    double before = (double)v->d->time;
    viewer_step(v);
    if ((double)v->d->time <= before) {
      viewer_say(v, "the motion diverged and was reset; take a smaller timestep");
      break;
    }
  }
  double done = (double)v->d->time - start;
  if (wanted > 0) v->real_time += 0.05 * (done / wanted * viewer_speed(v) - v->real_time);
}

// Drawing

static void draw(Viewer* v) {
  mjrRect view = window_state(v->window)->rect[RECT_VIEW];
  mjv_updateScene(v->m, v->d, &v->opt, &v->pert, &v->cam, mjCAT_ALL, &v->scn);
  mjr_render(view, &v->scn, &v->con);
  figures_draw(v);
  overlays_draw(v);
  if (!v->hide_left) mjui_render(&v->left, window_state(v->window), &v->con);
  if (!v->hide_right) mjui_render(&v->right, window_state(v->window), &v->con);
}

// The whole window as a frame shows it, but for the message, in the first file of its name that is
// not there.
void viewer_screenshot(Viewer* v) {
  mjrRect window = window_state(v->window)->rect[RECT_WINDOW];
  unsigned char* rgb = (unsigned char*)malloc(3 * (size_t)window.width * (size_t)window.height + 1);
  char path[64];
  struct stat about;
  if (!rgb) return;
  do {
    snprintf(path, sizeof(path), "corten-%04d.png", v->pictures++);
  } while (stat(path, &about) == 0 && v->pictures < 10000);
  v->message_end = 0;
  panels_place(v);  // with the numbers of this moment
  draw(v);
  mjr_readPixels(rgb, NULL, window, &v->con);
  if (picture_write_rgb(path, window.width, window.height, rgb) == EXIT_FINE) {
    viewer_say(v, "%s", path);
    printf("%s\n", path);
    fflush(stdout);
  } else {
    viewer_say(v, "%s cannot be written", path);
  }
  free(rgb);
}

// Events

static void on_event(void* user, mjuiState* state) {
  Viewer* v = (Viewer*)user;
  if (state->type == mjEVENT_FILESDROP && v->recording) return;
  if (state->type == mjEVENT_FILESDROP && state->dropcount > 0) {
    char before[sizeof(v->dropped)];
    const char* old = v->path;
    memcpy(before, v->dropped, sizeof(before));
    snprintf(v->dropped, sizeof(v->dropped), "%s", state->droppaths[0]);
    v->path = v->dropped;
    if (viewer_load(v)) return;
    memcpy(v->dropped, before, sizeof(before));
    v->path = old;
    return;
  }
  if (state->type == mjEVENT_RESIZE) {
    panels_place(v);
    return;
  }
  if (panels_event(v, state)) return;
  if (state->type == mjEVENT_KEY) {
    key_event(v, state);
  } else {
    mouse_event(v, state);
  }
}

// Frames until the window is closed; frames: at most so many, 0 for any number.
static void show_frames(Viewer* v, long frames) {
  v->stepped = v->drawn = window_time(v->window);
  for (long i = 0; (!frames || i < frames) && window_poll(v->window); i++) {
    double now = window_time(v->window), passed = now - v->drawn;
    v->drawn = now;
    if (passed > 0) v->rate += 0.1 * (1 / passed - v->rate);
    look_at_file(v, now);
    advance(v, now);
    figures_add(v);
    panels_refresh(v);
    draw(v);
    window_show(v->window);
  }
}

typedef struct {
  const char *path, *key;
  int width, height;
  double frames;
  bool paused;
} ViewOptions;

static int parse(int argc, char** argv, ViewOptions* o) {
  for (int i = 1; i < argc; i++) {
    const char* value = i + 1 < argc ? argv[i + 1] : NULL;
    int used = 0;
    if (!strcmp(argv[i], "--paused")) {
      o->paused = true;
    } else if (!strcmp(argv[i], "--key")) {
      if (!value) return misused("view: --key needs a keyframe");
      o->key = value;
      i++;
    } else if (!strcmp(argv[i], "--size")) {
      if (!value || sscanf(value, "%dx%d%n", &o->width, &o->height, &used) != 2 || value[used] ||
          o->width < 100 || o->height < 100 || o->width > 16384 || o->height > 16384) {
        return misused("view: --size needs WIDTHxHEIGHT in pixels, 100 or more");
      }
      i++;
    } else if (!strcmp(argv[i], "--frames")) {
      o->frames = value ? strtod(value, NULL) : 0;
      if (!(o->frames >= 1)) return misused("view: --frames needs a number of frames");
      i++;
    } else if (argv[i][0] == '-' && argv[i][1]) {
      return misused("view: unknown option %s", argv[i]);
    } else if (o->path) {
      return misused("view: one model at a time, got %s and %s", o->path, argv[i]);
    } else {
      o->path = argv[i];
    }
  }
  return EXIT_FINE;
}

static int set_key(Viewer* v, const char* name) {
  char* end;
  int key = mj_name2id(v->m, mjOBJ_KEY, name);
  long number = strtol(name, &end, 10);
  if (key < 0 && *name && !*end && number >= 0 && number < v->m->nkey) key = (int)number;
  if (key < 0) return failed("the model has no keyframe %s, there are %d", name, (int)v->m->nkey);
  v->key = key;
  viewer_reset(v, key);
  return EXIT_FINE;
}

static int show(const ViewOptions* o, const Table* recording) {
  Viewer* v = (Viewer*)calloc(1, sizeof(Viewer));
  if (!v) return failed("there is no memory for a viewer");
  char error[300] = "";
  v->path = o->path;
  v->run = !o->paused;
  v->sync = v->font = 1;
  v->recording = recording;
  mjv_defaultOption(&v->opt);
  mjv_defaultScene(&v->scn);
  mjr_defaultContext(&v->con);
  int code = viewer_load(v) ? EXIT_FINE : EXIT_FAILED;
  if (code == EXIT_FINE && o->key) code = set_key(v, o->key);
  if (code == EXIT_FINE) {
    v->window = window_open("corten", o->width, o->height, on_event, v, error, sizeof(error));
    if (!v->window) code = failed("%s", error);
  }
  if (v->window) {
    mjcb_time = microseconds;
    show_model(v);
    show_frames(v, (long)o->frames);
    mjcb_time = NULL;
    mjr_freeContext(&v->con);
    window_close(v->window);
  }
  mjv_freeScene(&v->scn);
  let_go(v);
  free(v);
  return code;
}

int command_view(int argc, char** argv) {
  ViewOptions o = {NULL, NULL, 1280, 800, 0, false};
  int code = parse(argc, argv, &o);
  return code == EXIT_FINE ? show(&o, NULL) : code;
}

int view_recording(const char* path, const Table* recording) {
  ViewOptions o = {path, NULL, 1280, 800, 0, false};
  return show(&o, recording);
}
