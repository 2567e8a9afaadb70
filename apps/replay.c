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

// Numbers of a field in a row, where the table has them.
static void take_field(mjtNum* to, mjtSize n, const Table* t, size_t row, const char* field) {
  const double* from = table_field(t, row, field);
  for (mjtSize i = 0; from && i < n; i++) to[i] = (mjtNum)from[i];
}

void replay_row(const mjModel* m, mjData* d, const Table* t, size_t row) {
  take_field(&d->time, 1, t, row, "time");
  take_field(d->qpos, m->nq, t, row, "qpos");
  take_field(d->qvel, m->nv, t, row, "qvel");
  take_field(d->act, m->na, t, row, "act");
  take_field(d->ctrl, m->nu, t, row, "ctrl");
  take_field(d->mocap_pos, 3 * m->nmocap, t, row, "mocap_pos");
  take_field(d->mocap_quat, 4 * m->nmocap, t, row, "mocap_quat");
  mj_forward(m, d);
}

// Names of a field's columns as the model has them, compared with those of a table.
typedef struct {
  const Table* t;
  const char* field;
  int first, column, wrong;  // wrong: the first that differs, -1 for none
  char wanted[300];          // its name by the model
} ColumnCheck;

// Arrays of NumPy have numbers for names.
static void check_name(void* user, const char* name, const char* unit) {
  ColumnCheck* c = (ColumnCheck*)user;
  const char* found = c->t->names[c->column];
  char number[120];
  (void)unit;
  snprintf(number, sizeof(number), "%s.%d", c->field, c->column - c->first);
  bool same = !strcmp(found, name) || !strcmp(found, number) || !strcmp(found, c->field);
  if (c->wrong < 0 && !same) {
    c->wrong = c->column;
    snprintf(c->wanted, sizeof(c->wanted), "%s", name);
  }
  c->column++;
}

static int check_field(const mjModel* m, const Field* field, const Table* t, const char* path) {
  int count, first = table_find(t, field->name, &count), wanted = field->rows * field->columns;
  if (first < 0) return EXIT_FINE;
  if (count != wanted) {
    return failed("%s: %s has %d columns, but a recording of this model has %d", path, field->name,
                  count, wanted);
  }
  ColumnCheck check = {.t = t, .field = field->name, .first = first, .column = first, .wrong = -1};
  field_columns(m, field, check_name, &check);
  if (check.wrong < 0) return EXIT_FINE;
  return failed("%s: column %d is %s, but in a recording of this model it is %s", path,
                check.wrong + 1, t->names[check.wrong], check.wanted);
}

int check_columns(const mjModel* m, const Table* t, const char* path) {
  int count, code = EXIT_FINE;
  if (table_find(t, "time", &count) < 0 || (m->nq && table_find(t, "qpos", &count) < 0)) {
    return failed("%s has no columns of time and qpos, which a recording has", path);
  }
  mjData* d = mj_makeData(m);
  if (!d) return failed("there is no memory for an mjData of this model");
  for (int i = 0; i < NSTANDARD_FIELD && code == EXIT_FINE; i++) {
    Field field;
    if (field_find(m, d, standard_fields[i], &field)) code = check_field(m, &field, t, path);
  }
  mj_deleteData(d);
  return code;
}

// Times of a table: that of a row stands `columns` numbers behind that of the row before.
double replay_length(const Table* t) {
  const double* time = table_field(t, 0, "time");
  return time[(t->rows - 1) * (size_t)t->columns] - time[0];
}

// The sample that is nearest before a time since the first one.
size_t replay_find(const Table* t, double time) {
  const double* at = table_field(t, 0, "time");
  size_t row = 0, step = (size_t)t->columns;
  while (row + 1 < t->rows && at[(row + 1) * step] - at[0] <= time) row++;
  return row;
}

#define MOST_FRAMES 1e9

static int film_recording(Studio* s, const Table* t, const ReplayOptions* o) {
  double length = replay_length(t);
  if (!(length >= 0 && length * o->fps < MOST_FRAMES)) {
    return failed("%s: no film can be %g seconds long", o->film, length);
  }
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
  if (!o->recording) return misused("replay: which model, and which recording?");
  if (!strcmp(o->path, "-") && !strcmp(o->recording, "-")) {
    return misused("replay: standard input is either the model or the recording");
  }
  return EXIT_FINE;
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
