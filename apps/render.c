// corten render: a picture of a model, drawn without a window, written as PNG.

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "picture.h"
#include "render/offscreen.h"

typedef enum { COLOUR, DEPTH, SEGMENTS } Kind;

typedef struct {
  const char* path;  // NULL: the built-in model
  const char* out;
  const char *camera, *key;  // names or numbers; NULL: not given
  int width, height;
  double time;
  double azimuth, elevation, distance;  // of the free camera; NaN: not given
  Kind kind;
  signed char shown[mjNVISFLAG], drawn[mjNRNDFLAG];  // flags: 1 on, -1 off, 0 as they are
} RenderOptions;

// What is drawn, and with what.
typedef struct {
  mjModel* m;
  mjData* d;
  mjvOption opt;
  mjvCamera cam;
  mjvScene scn;
  mjrContext con;
} Studio;

// The command line

static bool read_number(const char* text, double* number) {
  char* end;
  *number = strtod(text, &end);
  return end != text && !*end && isfinite(*number);
}

static bool read_size(const char* text, RenderOptions* o) {
  int used = 0;
  return sscanf(text, "%dx%d%n", &o->width, &o->height, &used) == 2 && !text[used] &&
         o->width > 0 && o->height > 0 && o->width <= 16384 && o->height <= 16384;
}

// "contact-point" is what the viewer calls "Contact Point".
static bool is_called(const char* name, const char* text) {
  for (; *name && *text; name++, text++) {
    char c = *text == '-' || *text == '_' ? ' ' : *text;
    if (tolower((unsigned char)*name) != tolower((unsigned char)c)) return false;
  }
  return !*name && !*text;
}

static int take_flag(RenderOptions* o, const char* option, const char* value) {
  signed char on = !strcmp(option, "--show") ? 1 : -1;
  for (int i = 0; i < mjNVISFLAG; i++) {
    if (!is_called(mjVISSTRING[i][0], value)) continue;
    o->shown[i] = on;
    return EXIT_FINE;
  }
  for (int i = 0; i < mjNRNDFLAG; i++) {
    if (!is_called(mjRNDSTRING[i][0], value)) continue;
    o->drawn[i] = on;
    return EXIT_FINE;
  }
  return misused("render: %s does not know %s; try joint, contact-point, range-finder, shadow",
                 option, value);
}

// An option with a value. EXIT_FINE, or what misused returned.
static int take_value(RenderOptions* o, const char* option, const char* value) {
  const struct {
    const char* name;
    double* number;
  } numbers[] = {{"--time", &o->time},
                 {"--azimuth", &o->azimuth},
                 {"--elevation", &o->elevation},
                 {"--distance", &o->distance}};
  if (!value) return misused("render: %s needs a value", option);
  for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
    if (strcmp(option, numbers[i].name) != 0) continue;
    if (!read_number(value, numbers[i].number)) {
      return misused("render: %s needs a number, got %s", option, value);
    }
    if (o->time < 0) return misused("render: --time needs a number that is not negative");
    return EXIT_FINE;
  }
  if (!strcmp(option, "--show") || !strcmp(option, "--hide")) return take_flag(o, option, value);
  if (!strcmp(option, "-o")) {
    o->out = value;
  } else if (!strcmp(option, "--camera")) {
    o->camera = value;
  } else if (!strcmp(option, "--key")) {
    o->key = value;
  } else if (!read_size(value, o)) {
    return misused("render: --size needs WIDTHxHEIGHT in pixels, got %s", value);
  }
  return EXIT_FINE;
}

static bool has_value(const char* option) {
  static const char* const names[] = {"-o",     "--size", "--camera",  "--key",       "--show",
                                      "--hide", "--time", "--azimuth", "--elevation", "--distance"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    if (!strcmp(option, names[i])) return true;
  }
  return false;
}

static int parse(int argc, char** argv, RenderOptions* o) {
  for (int i = 1; i < argc; i++) {
    if (has_value(argv[i])) {
      int code = take_value(o, argv[i], i + 1 < argc ? argv[i + 1] : NULL);
      if (code != EXIT_FINE) return code;
      i++;
    } else if (!strcmp(argv[i], "--depth")) {
      o->kind = DEPTH;
    } else if (!strcmp(argv[i], "--segment")) {
      o->kind = SEGMENTS;
    } else if (argv[i][0] == '-' && argv[i][1]) {
      return misused("render: unknown option %s", argv[i]);
    } else if (o->path) {
      return misused("render: one model at a time, got %s and %s", o->path, argv[i]);
    } else {
      o->path = argv[i];
    }
  }
  return o->out ? EXIT_FINE : misused("render: which picture? Name it with -o PICTURE.png");
}

// The state and the view

// The number of an object that is named by its name or number; -1: there is none.
static int find_object(const mjModel* m, int type, int count, const char* text) {
  int id = mj_name2id(m, type, text);
  double number;
  if (id < 0 && read_number(text, &number) && number >= 0 && number < count) id = (int)number;
  return id;
}

static int set_state(Studio* s, const RenderOptions* o) {
  const mjModel* m = s->m;
  if (o->key) {
    int key = find_object(m, mjOBJ_KEY, (int)m->nkey, o->key);
    if (key < 0) return failed("the model has no keyframe %s, there are %d", o->key, (int)m->nkey);
    mj_resetDataKeyframe(m, s->d, key);
  }
  if (o->time > 0 && !(m->opt.timestep > 0)) {
    return failed("the timestep is %g; give the model a positive one", (double)m->opt.timestep);
  }
  double end = (double)s->d->time + o->time - 0.5 * (double)m->opt.timestep;
  while (o->time > 0 && (double)s->d->time < end) {
    double before = (double)s->d->time;
    mj_step(m, s->d);
    if (!((double)s->d->time > before)) {
      return failed("the motion diverged at %g s and was reset; take a smaller timestep", before);
    }
  }
  mj_forward(m, s->d);
  return EXIT_FINE;
}

static int set_camera(Studio* s, const RenderOptions* o) {
  const mjModel* m = s->m;
  mjv_defaultFreeCamera(m, &s->cam);
  if (o->camera && strcmp(o->camera, "free") != 0) {
    int id = find_object(m, mjOBJ_CAMERA, (int)m->ncam, o->camera);
    if (id < 0) return failed("the model has no camera %s, there are %d", o->camera, (int)m->ncam);
    s->cam.type = mjCAMERA_FIXED;
    s->cam.fixedcamid = id;
  } else if (!o->camera && m->vis.global.cameraid >= 0 && m->vis.global.cameraid < m->ncam) {
    s->cam.type = mjCAMERA_FIXED;
    s->cam.fixedcamid = m->vis.global.cameraid;
  }
  if (!isnan(o->azimuth)) s->cam.azimuth = (mjtNum)o->azimuth;
  if (!isnan(o->elevation)) s->cam.elevation = (mjtNum)o->elevation;
  if (!isnan(o->distance)) s->cam.distance = (mjtNum)o->distance;
  return EXIT_FINE;
}

// The picture

// Distances along the axis of the camera in millimetres, at most 65535; pixels of nothing have
// that too.
static void distances_of(const Studio* s, const float* depth, uint16_t* out, size_t n) {
  const mjvGLCamera* cam = s->scn.camera;
  double near = (double)cam->frustum_near, far = (double)cam->frustum_far;
  for (size_t i = 0; i < n; i++) {
    // depth is 1 at the near plane and 0 at the far one
    double z = cam->orthographic ? far - (double)depth[i] * (far - near)
                                 : near * far / (near + (double)depth[i] * (far - near));
    double millimetres = depth[i] > 0 ? 1000 * z : 65535;
    out[i] = (uint16_t)fmin(65535, floor(millimetres + 0.5));
  }
}

static int read_and_write(Studio* s, const RenderOptions* o) {
  mjrRect whole = {0, 0, o->width, o->height};
  size_t n = (size_t)o->width * (size_t)o->height;
  int code;
  if (o->kind == DEPTH) {
    float* depth = (float*)malloc(n * sizeof(float));
    uint16_t* grey = (uint16_t*)malloc(n * sizeof(uint16_t));
    if (depth && grey) {
      s->con.readDepthMap = mjDEPTH_ZEROFAR;
      mjr_readPixels(NULL, depth, whole, &s->con);
      distances_of(s, depth, grey, n);
      code = picture_write_grey16(o->out, o->width, o->height, grey);
    } else {
      code = failed("there is no memory for a picture of %d x %d", o->width, o->height);
    }
    free(depth);
    free(grey);
  } else {
    unsigned char* rgb = (unsigned char*)malloc(3 * n);
    if (!rgb) return failed("there is no memory for a picture of %d x %d", o->width, o->height);
    mjr_readPixels(rgb, NULL, whole, &s->con);
    code = picture_write_rgb(o->out, o->width, o->height, rgb);
    free(rgb);
  }
  return code;
}

static int draw(Studio* s, const RenderOptions* o) {
  ct_Offscreen offscreen;
  char error[300] = "";
  mjrRect whole = {0, 0, o->width, o->height};
  if (!ct_open_offscreen(&offscreen, error, sizeof(error))) return failed("%s", error);
  s->m->vis.global.offwidth = o->width;
  s->m->vis.global.offheight = o->height;
  mjr_defaultContext(&s->con);
  mjr_makeContext(s->m, &s->con, mjFONTSCALE_150);
  mjr_setBuffer(mjFB_OFFSCREEN, &s->con);
  for (int i = 0; i < mjNVISFLAG; i++) {
    if (o->shown[i]) s->opt.flags[i] = o->shown[i] > 0;
  }
  for (int i = 0; i < mjNRNDFLAG; i++) {
    if (o->drawn[i]) s->scn.flags[i] = o->drawn[i] > 0;
  }
  s->scn.flags[mjRND_SEGMENT] = o->kind != COLOUR;
  for (int i = 0; i < 2; i++) {  // infinite planes follow the eye one call late
    mjv_updateScene(s->m, s->d, &s->opt, NULL, &s->cam, mjCAT_ALL, &s->scn);
  }
  mjr_render(whole, &s->scn, &s->con);
  int code = read_and_write(s, o);
  mjr_freeContext(&s->con);
  ct_close_offscreen(&offscreen);
  return code;
}

int command_render(int argc, char** argv) {
  RenderOptions o;
  memset(&o, 0, sizeof(o));
  o.width = 640;
  o.height = 480;
  o.azimuth = o.elevation = o.distance = NAN;
  int code = parse(argc, argv, &o);
  if (code != EXIT_FINE) return code;
  Studio s;
  memset(&s, 0, sizeof(s));
  s.m = o.path ? load_model(o.path) : load_builtin_model();
  if (!s.m) return EXIT_FAILED;
  s.d = mj_makeData(s.m);
  if (!s.d) return failed("there is no memory for an mjData of this model");
  mjv_defaultOption(&s.opt);
  mjv_defaultScene(&s.scn);
  mjv_makeScene(s.m, &s.scn, 100000);
  code = set_state(&s, &o);
  if (code == EXIT_FINE) code = set_camera(&s, &o);
  if (code == EXIT_FINE) code = draw(&s, &o);
  mjv_freeScene(&s.scn);
  mj_deleteData(s.d);
  mj_deleteModel(s.m);
  return code;
}
