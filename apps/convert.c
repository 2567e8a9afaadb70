// corten convert, diff: a model as another kind of file, and what differs between two models.

#include <corten/differences.h>
#include <corten/mjcf.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static int convert_file(const char* in, const char* out, int keep_all) {
  char error[1000] = "";
  mjSpec* spec = parse_model(in, error, sizeof(error));
  if (!spec) return failed("%s", error);
  mjModel* m = mj_compile(spec, NULL);
  int code = EXIT_FAILED;
  if (!m) {
    failed("%s", mjs_getError(spec));
  } else if (!ends_with(out, ".xml")) {
    code = write_model(m, out);
  } else if (anchor_folders(spec, in, out)) {
    int result = keep_all ? ct_save_whole(spec, m, out, error, sizeof(error))
                          : mj_saveXML(spec, out, error, sizeof(error));
    code = result ? failed("%s", error) : EXIT_FINE;
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

int command_convert(int argc, char** argv) {
  int digits = 6, keep_all = 0;
  if (argc == 4 && !strcmp(argv[3], "--keep-all")) {
    keep_all = 1;
  } else if (argc == 5 && !strcmp(argv[3], "--digits")) {
    digits = atoi(argv[4]);
    if (digits < 1 || digits > 17) return misused("convert: --digits takes 1 to 17");
  } else if (argc != 3) {
    return misused("convert: it takes a model file and the name of the file to write");
  }
  const char *in = argv[1], *out = argv[2];
  if (!ends_with(out, ".xml") && !ends_with(out, ".mjb") && !ends_with(out, ".txt"))
    return misused("convert: %s: the name to write ends in .xml, .mjb or .txt", out);
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
  if (argc == 5 && !strcmp(argv[3], "--tolerance")) {
    char* end;
    tolerance = strtod(argv[4], &end);
    if (*end || !(tolerance >= 0)) return misused("diff: --tolerance takes a number");
  } else if (argc != 3) {
    return misused("diff: it takes two models");
  }
  mjModel *a = load_model(argv[1]), *b = a ? load_model(argv[2]) : NULL;
  int lines = a && b ? ct_diff_models(a, b, tolerance, print_difference, NULL) : -1;
  mj_deleteModel(a);
  mj_deleteModel(b);
  if (lines == 0) printf("no differences\n");
  return lines == 0 ? EXIT_FINE : EXIT_FAILED;
}
