// corten replay: a recording of corten run, shown in a window or as a film. Its columns are those
// that the model gives (recording.c); nothing is stepped.

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "command.h"
#include "film.h"
#include "interruption.h"
#include "studio.h"
#include "table.h"
#include "viewer.h"

typedef struct {
  const char *path, *recording, *film, *camera;
  double fps;
  int width, height;
} ReplayOptions;

// Columns that every recording of a model has, up to the number of contacts.
static long common_columns(const mjModel* m) {
  return 2 + (long)(m->nq + m->nv + m->na + m->nu + m->nsensordata);
}

// Where mocap bodies were follows, where there are any.
static bool has_mocap(const mjModel* m, const Table* t) {
  return m->nmocap && t->columns >= common_columns(m) + 7 * (long)m->nmocap;
}

void replay_row(const mjModel* m, mjData* d, const Table* t, size_t row) {
  const double* at = t->values + row * (size_t)t->columns;
  d->time = (mjtNum)*at++;
  for (int i = 0; i < m->nq; i++) d->qpos[i] = (mjtNum)*at++;
  for (int i = 0; i < m->nv; i++) d->qvel[i] = (mjtNum)*at++;
  for (int i = 0; i < m->na; i++) d->act[i] = (mjtNum)*at++;
  for (int i = 0; i < m->nu; i++) d->ctrl[i] = (mjtNum)*at++;
  if (has_mocap(m, t)) {
    at += m->nsensordata + 1;
    for (int i = 0; i < 3 * m->nmocap; i++) d->mocap_pos[i] = (mjtNum)*at++;
    for (int i = 0; i < 4 * m->nmocap; i++) d->mocap_quat[i] = (mjtNum)*at++;
  }
  mj_forward(m, d);
}

// Names of a recording's columns as they come, compared with those of a table.
typedef struct {
  const Table* t;
  int column, wrong;  // wrong: the first that differs, -1 for none
  char wanted[300];   // its name by the model
} ColumnCheck;

static void check_name(void* user, const char* name, const char* unit) {
  ColumnCheck* c = (ColumnCheck*)user;
  (void)unit;
  if (c->wrong < 0 && c->column < c->t->columns && strcmp(c->t->names[c->column], name) != 0) {
    c->wrong = c->column;
    snprintf(c->wanted, sizeof(c->wanted), "%s", name);
  }
  c->column++;
}

static int check_names(const mjModel* m, const Table* t, const char* path) {
  ColumnCheck check = {.t = t, .wrong = -1};
  mjData* d = mj_makeData(m);
  if (!d) return failed("there is no memory for an mjData of this model");
  for (int i = 0; i < NSTANDARD_FIELD; i++) {
    Field field;
    if (field_find(m, d, standard_fields[i], &field)) {
      field_columns(m, &field, check_name, &check);
    }
  }
  mj_deleteData(d);
  if (check.wrong < 0) return EXIT_FINE;
  return failed("%s: column %d is %s, but in a recording of this model it is %s", path,
                check.wrong + 1, t->names[check.wrong], check.wanted);
}

int check_columns(const mjModel* m, const Table* t, const char* path) {
  long wanted = common_columns(m);
  if (t->columns < wanted || strcmp(t->names[wanted - 1], "ncon") != 0) {
    return failed("%s has %d columns, but a recording of this model has %ld", path, t->columns,
                  wanted);
  }
  return t->rows ? check_names(m, t, path) : failed("%s has no samples", path);
}

// The sample that is nearest before a time since the first one.
size_t replay_find(const Table* t, double time) {
  size_t row = 0;
  double start = t->values[0];
  while (row + 1 < t->rows && t->values[(row + 1) * (size_t)t->columns] - start <= time) row++;
  return row;
}

static int film_recording(Studio* s, const Table* t, const ReplayOptions* o) {
  double length = t->values[(t->rows - 1) * (size_t)t->columns] - t->values[0];
  unsigned char* rgb = (unsigned char*)malloc(3 * (size_t)o->width * (size_t)o->height);
  if (!rgb) return failed("there is no memory for a picture of %d x %d", o->width, o->height);
  replay_row(s->m, s->d, t, 0);
  int code = studio_light(s, o->width, o->height);
  interruption_await();
  Film* film = code == EXIT_FINE ? film_open(o->film, o->width, o->height, o->fps) : NULL;
  if (code == EXIT_FINE && !film) code = EXIT_FAILED;
  long frames = (long)floor(length * o->fps + 1e-9) + 1;
  for (long i = 0; film && i < frames && code == EXIT_FINE && !interruption_came(); i++) {
    replay_row(s->m, s->d, t, replay_find(t, (double)i / o->fps));
    studio_shoot(s, rgb);
    code = film_add(film, rgb);
  }
  if (film && interruption_came()) {
    code = film_abandon(film);
  } else if (film && film_close(film) != EXIT_FINE) {
    code = EXIT_FAILED;
  }
  if (s->offscreen.library) studio_dark(s);
  free(rgb);
  return code;
}

static int take_value(ReplayOptions* o, const char* option, const char* value) {
  int used = 0;
  if (!value) return misused("replay: %s needs a value", option);
  if (!strcmp(option, "--video")) {
    o->film = value;
  } else if (!strcmp(option, "--camera")) {
    o->camera = value;
  } else if (!strcmp(option, "--fps")) {
    char* end;
    o->fps = strtod(value, &end);
    if (end == value || *end || !(o->fps > 0)) {
      return misused("replay: --fps needs a positive number");
    }
  } else if (!strcmp(option, "--size")) {
    if (sscanf(value, "%dx%d%n", &o->width, &o->height, &used) != 2 || value[used] ||
        o->width < 1 || o->height < 1 || o->width > 16384 || o->height > 16384) {
      return misused("replay: --size needs WIDTHxHEIGHT in pixels, got %s", value);
    }
  } else {
    return misused("replay: unknown option %s", option);
  }
  return EXIT_FINE;
}

static int parse(int argc, char** argv, ReplayOptions* o) {
  for (int i = 1; i < argc; i++) {
    if (argv[i][0] == '-' && argv[i][1]) {
      int code = take_value(o, argv[i], i + 1 < argc ? argv[i + 1] : NULL);
      if (code != EXIT_FINE) return code;
      i++;
    } else if (!o->path) {
      o->path = argv[i];
    } else if (!o->recording) {
      o->recording = argv[i];
    } else {
      return misused("replay: a model and a recording, please");
    }
  }
  if (o->film && !film_knows(o->film)) {
    return misused("replay: a film is an .mp4 or a .gif, got %s", o->film);
  }
  if (!o->film && o->path && !strcmp(o->path, "-")) {
    return misused("replay: a window takes the model from a file; --video takes it from -, too");
  }
  return o->recording ? EXIT_FINE : misused("replay: which model, and which recording?");
}

int command_replay(int argc, char** argv) {
  ReplayOptions o = {NULL, NULL, NULL, NULL, 30, 640, 480};
  int code = parse(argc, argv, &o);
  if (code != EXIT_FINE) return code;
  Table t;
  mjModel* m = load_model(o.path);
  if (!m) return EXIT_FAILED;
  code = table_read(&t, o.recording);
  if (code != EXIT_FINE) {
    mj_deleteModel(m);
    return code;
  }
  Studio s;
  code = check_columns(m, &t, o.recording);
  if (code != EXIT_FINE) {
    mj_deleteModel(m);
  } else if (o.film) {
    code = studio_make(&s, m);
    if (code == EXIT_FINE) code = studio_camera(&s, o.camera);
    if (code == EXIT_FINE) code = film_recording(&s, &t, &o);
    studio_free(&s);
  } else {
    mj_deleteModel(m);
    code = view_recording(o.path, &t);
  }
  table_free(&t);
  return code;
}
