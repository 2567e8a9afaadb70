// corten render: a picture of a model, drawn without a window, written as PNG.

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "film.h"
#include "interruption.h"
#include "picture.h"
#include "studio.h"

typedef enum { COLOUR, DEPTH, SEGMENTS } Kind;

typedef struct {
  const char* path;  // NULL: the built-in model
  const char *out, *film;
  const char *camera, *key;  // names or numbers; NULL: not given
  int width, height;
  double time, fps;
  double azimuth, elevation, distance;  // of the free camera; NaN: not given
  Kind kind;
  signed char shown[mjNVISFLAG], drawn[mjNRNDFLAG];  // flags: 1 on, -1 off, 0 as they are
} RenderOptions;

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
                 {"--fps", &o->fps},
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
    if (!(o->fps > 0)) return misused("render: --fps needs a positive number");
    if (o->distance <= 0) return misused("render: --distance needs a positive number");
    return EXIT_FINE;
  }
  if (!strcmp(option, "--show") || !strcmp(option, "--hide")) return take_flag(o, option, value);
  if (!strcmp(option, "-o")) {
    o->out = value;
  } else if (!strcmp(option, "--video")) {
    o->film = value;
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
  static const char* const names[] = {"-o",       "--video",   "--fps",       "--size",
                                      "--camera", "--key",     "--show",      "--hide",
                                      "--time",   "--azimuth", "--elevation", "--distance"};
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
    } else if (!strcmp(argv[i], "--depth") || !strcmp(argv[i], "--segment")) {
      if (o->kind != COLOUR) return misused("render: either --depth or --segment");
      o->kind = argv[i][2] == 'd' ? DEPTH : SEGMENTS;
    } else if (argv[i][0] == '-' && argv[i][1]) {
      return misused("render: unknown option %s", argv[i]);
    } else if (o->path) {
      return misused("render: one model at a time, got %s and %s", o->path, argv[i]);
    } else {
      o->path = argv[i];
    }
  }
  if (o->film && !film_knows(o->film)) {
    return misused("render: a film is an .mp4 or a .gif, got %s", o->film);
  }
  if (o->film && o->out) return misused("render: either a picture (-o) or a film (--video)");
  if (o->film && o->kind == DEPTH) return misused("render: a film shows colours or segments");
  if (o->out && !ends_with(o->out, ".png")) {
    return misused("render: a picture ends in .png, got %s", o->out);
  }
  if (o->out || o->film) return EXIT_FINE;
  return misused("render: which picture? Name it with -o PICTURE.png");
}

// The state and the view

static int set_key(Studio* s, const RenderOptions* o) {
  const mjModel* m = s->m;
  if (!o->key) return EXIT_FINE;
  int key = find_object(m, mjOBJ_KEY, (int)m->nkey, o->key);
  if (key < 0) return failed("the model has no keyframe %s, there are %d", o->key, (int)m->nkey);
  mj_resetDataKeyframe(m, s->d, key);
  return EXIT_FINE;
}

// Steps until that time.
static int step_until(Studio* s, double end) {
  const mjModel* m = s->m;
  if (!(m->opt.timestep > 0)) {
    return failed("the timestep is %g; give the model a positive one", (double)m->opt.timestep);
  }
  while ((double)s->d->time < end - 0.5 * (double)m->opt.timestep && !interruption_came()) {
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
  int code = studio_camera(s, o->camera);
  if (code != EXIT_FINE) return code;
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

static int draw_picture(Studio* s, const RenderOptions* o) {
  int code = o->time > 0 ? step_until(s, (double)s->d->time + o->time) : EXIT_FINE;
  if (code != EXIT_FINE) return code;
  mj_forward(s->m, s->d);
  code = studio_light(s, o->width, o->height);
  if (code != EXIT_FINE) return code;
  studio_shoot(s, NULL);
  code = read_and_write(s, o);
  studio_dark(s);
  return code;
}

static int draw_frames(Studio* s, const RenderOptions* o, Film* film, unsigned char* rgb) {
  double start = (double)s->d->time, length = o->time > 0 ? o->time : 5;
  long frames = (long)floor(length * o->fps + 1e-9) + 1;
  int code = EXIT_FINE;
  for (long i = 0; i < frames && code == EXIT_FINE && !interruption_came(); i++) {
    code = step_until(s, start + (double)i / o->fps);
    if (code != EXIT_FINE) break;
    studio_shoot(s, rgb);
    code = film_add(film, rgb);
  }
  return code;
}

static int draw_film(Studio* s, const RenderOptions* o) {
  unsigned char* rgb = (unsigned char*)malloc(3 * (size_t)o->width * (size_t)o->height);
  if (!rgb) return failed("there is no memory for a picture of %d x %d", o->width, o->height);
  mj_forward(s->m, s->d);
  int code = studio_light(s, o->width, o->height);
  if (code == EXIT_FINE) {
    interruption_await();
    Film* film = film_open(o->film, o->width, o->height, o->fps);
    code = film ? draw_frames(s, o, film, rgb) : EXIT_FAILED;
    if (film && interruption_came()) {
      code = film_abandon(film);
    } else if (film && film_close(film) != EXIT_FINE) {
      code = EXIT_FAILED;
    }
    studio_dark(s);
  }
  free(rgb);
  return code;
}

static void set_flags(Studio* s, const RenderOptions* o) {
  for (int i = 0; i < mjNVISFLAG; i++) {
    if (o->shown[i]) s->opt.flags[i] = o->shown[i] > 0;
  }
  for (int i = 0; i < mjNRNDFLAG; i++) {
    if (o->drawn[i]) s->scn.flags[i] = o->drawn[i] > 0;
  }
  s->scn.flags[mjRND_SEGMENT] = o->kind != COLOUR;
}

int command_render(int argc, char** argv) {
  RenderOptions o;
  memset(&o, 0, sizeof(o));
  o.width = 640;
  o.height = 480;
  o.fps = 30;
  o.azimuth = o.elevation = o.distance = NAN;
  int code = parse(argc, argv, &o);
  if (code != EXIT_FINE) return code;
  mjModel* m = o.path ? load_model(o.path) : load_builtin_model();
  if (!m) return EXIT_FAILED;
  Studio s;
  name_dofs_of(m);
  code = studio_make(&s, m);
  if (code == EXIT_FINE) code = set_key(&s, &o);
  if (code == EXIT_FINE) code = set_camera(&s, &o);
  if (code == EXIT_FINE) {
    set_flags(&s, &o);
    code = o.film ? draw_film(&s, &o) : draw_picture(&s, &o);
  }
  name_dofs_of(NULL);
  studio_free(&s);
  return code;
}
