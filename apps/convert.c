// corten convert, diff: a model as another kind of file, and what differs between two models.

#include <corten/differences.h>
#include <corten/mjcf.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "command.h"

// Not part of the public headers; the library exports it, as the reference does.
extern void _mjPRIVATE__set_xml_precision(int precision);

// Folders

// The absolute path of the folder of a file, with a slash behind it; NULL after a message.
static char* folder_of(const char* file) {
  const char* slash = strrchr(file, '/');
  char* name = slash ? strdup(file) : strdup("./");
  if (slash && name) name[slash - file + 1] = 0;
  char* path = name ? realpath(name, NULL) : NULL;
  if (!path) failed("%s: the folder cannot be found", file);
  char* whole = path ? (char*)malloc(strlen(path) + 2) : NULL;
  if (whole) sprintf(whole, "%s/", path);
  free(name);
  free(path);
  return whole;
}

// A file in another folder finds meshes and textures by folders that do not depend on its place.
static void anchor(mjString* folder, const char* from) {
  const char* name = mjs_getString(folder);
  if (*name == '/') return;
  char* whole = (char*)malloc(strlen(from) + strlen(name) + 1);
  if (!whole) return;
  sprintf(whole, "%s%s", from, name);
  mjs_setString(folder, whole);
  free(whole);
}

static int has_files(mjSpec* spec) {
  static const mjtObj types[] = {mjOBJ_MESH, mjOBJ_TEXTURE, mjOBJ_HFIELD, mjOBJ_SKIN};
  for (int i = 0; i < 4; i++) {
    if (mjs_firstElement(spec, types[i])) return 1;
  }
  return 0;
}

static int anchor_folders(mjSpec* spec, const char* in, const char* out) {
  char *from = folder_of(in), *to = folder_of(out);
  int fine = from && to;
  if (fine && strcmp(from, to) && has_files(spec)) {
    anchor(spec->compiler.meshdir, from);
    anchor(spec->compiler.texturedir, from);
  }
  free(from);
  free(to);
  return fine;
}

// Converting

static int write_model(const mjModel* m, const char* out) {
  if (ends_with(out, ".mjb")) {
    const char* why = save_model(m, out);
    return why ? failed("%s: cannot write the file: %s", out, why) : EXIT_FINE;
  }
  FILE* f = fopen(out, "w");
  if (!f) return failed("%s: cannot write the file", out);
  fclose(f);
  mj_printModel(m, out);
  return EXIT_FINE;
}

static int is_same_file(const char* a, const char* b) {
  struct stat one, other;
  return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
         one.st_ino == other.st_ino;
}

// A file that the model reads is not written to.
typedef struct {
  const char* out;
  atomic_int is_read;
} Watch;

static void note_file(void* arg, const char* path) {
  Watch* watch = (Watch*)arg;
  if (is_same_file(path, watch->out)) watch->is_read = 1;
}

// What no text can hold.
static void tell_of_world(const mjModel* m, const char* out) {
  static const mjtNum zero[3] = {0, 0, 0};
  if (m->body_mass[0] == 0 && !memcmp(m->body_pos, zero, sizeof(zero))) return;
  fprintf(stderr, "corten: %s: MJCF has no words for the pose, mass and inertia of the world\n",
          out);
}

static int convert_file(const char* in, const char* out, int keep_all) {
  char error[1000] = "";
  Watch watch = {out, 0};
  ct_watch_files(note_file, &watch);
  mjSpec* spec = parse_model(in, error, sizeof(error));
  mjModel* m = spec ? mj_compile(spec, NULL) : NULL;
  ct_watch_files(NULL, NULL);
  int code = EXIT_FAILED;
  if (!spec) {
    failed("%s", error);
  } else if (!m) {
    failed("%s", mjs_getError(spec));
  } else if (watch.is_read) {
    code = misused("convert: %s is a file that the model reads; what is written takes another name",
                   out);
  } else if (!ends_with(out, ".xml")) {
    code = write_model(m, out);
  } else if (anchor_folders(spec, in, out)) {
    int result = keep_all ? ct_save_whole(spec, m, out, error, sizeof(error))
                          : mj_saveXML(spec, out, error, sizeof(error));
    code = result ? failed("%s", error) : EXIT_FINE;
    if (keep_all && code == EXIT_FINE) tell_of_world(m, out);
  }
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  return code;
}

static int convert_binary(const char* in, const char* out) {
  if (ends_with(out, ".xml"))
    return failed("%s: a compiled model cannot become MJCF again; convert the file it came from",
                  in);
  mjModel* m = load_model(in);
  if (!m) return EXIT_FAILED;
  int code = write_model(m, out);
  mj_deleteModel(m);
  return code;
}

// A whole number from 1 to 17; 0: it is not.
static int read_digits(const char* text) {
  char* end;
  long n = text ? strtol(text, &end, 10) : 0;
  return n >= 1 && n <= 17 && !*end ? (int)n : 0;
}

int command_convert(int argc, char** argv) {
  int digits = 6, keep_all = 0, files = 0;
  const char* file[2] = {NULL, NULL};
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--keep-all")) {
      keep_all = 1;
    } else if (!strcmp(argv[i], "--digits")) {
      digits = read_digits(++i < argc ? argv[i] : NULL);
      if (!digits) return misused("convert: --digits takes 1 to 17");
    } else if (argv[i][0] == '-' && argv[i][1]) {
      return misused("convert: unknown option %s", argv[i]);
    } else if (files < 2) {
      file[files++] = argv[i];
    } else {
      return misused("convert: one model at a time, got %s, too", argv[i]);
    }
  }
  const char *in = file[0], *out = file[1];
  if (!out) return misused("convert: it takes a model file and the name of the file to write");
  if (!ends_with(out, ".xml") && !ends_with(out, ".mjb") && !ends_with(out, ".txt"))
    return misused("convert: %s: the name to write ends in .xml, .mjb or .txt", out);
  if (strcmp(in, "-") && is_same_file(in, out))
    return misused("convert: %s is the file to read; what is written takes another name", out);
  _mjPRIVATE__set_xml_precision(digits);
  return ends_with(in, ".mjb") ? convert_binary(in, out) : convert_file(in, out, keep_all);
}

// Differences

static void print_difference(void* arg, const char* line) {
  char shown[2000];
  (void)arg;
  printf("%s\n", make_visible(shown, sizeof(shown), line));
}

int command_diff(int argc, char** argv) {
  double tolerance = 0;
  const char* file[2] = {NULL, NULL};
  int files = 0;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--tolerance")) {
      char* end = NULL;
      if (++i < argc) tolerance = strtod(argv[i], &end);
      if (!end || end == argv[i] || *end || !(tolerance >= 0)) {
        return misused("diff: --tolerance takes a number");
      }
    } else if (argv[i][0] == '-' && argv[i][1]) {
      return misused("diff: unknown option %s", argv[i]);
    } else if (files < 2) {
      file[files++] = argv[i];
    } else {
      return misused("diff: it takes two models, got %s, too", argv[i]);
    }
  }
  if (files < 2) return misused("diff: it takes two models");
  if (!strcmp(file[0], "-") && !strcmp(file[1], "-")) {
    return misused("diff: one of the models comes from a file");
  }
  mjModel *a = load_model(file[0]), *b = a ? load_model(file[1]) : NULL;
  int lines = a && b ? ct_diff_models(a, b, tolerance, print_difference, NULL) : -1;
  mj_deleteModel(a);
  mj_deleteModel(b);
  if (lines == 0) printf("no differences\n");
  return lines == 0 ? EXIT_FINE : EXIT_FAILED;
}
