// R30.1, R30.2: every model in models/ and every URDF file in models/urdf compiles to what the
// reference made of it: all fields of mjModel against the recorded .mjb, integers exactly, reals to
// 1e-9.

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "conformance/compare.h"

typedef struct {
  const char* model;
  long compared, wrong;
} Count;

// With contraction, weights of cable skins that are 1e-17 otherwise may be 0 and have no entry,
// normals, kept as floats, may be rounded the other way, and stiffness that cancels out is not 0.
static bool rounding_decides(const char* field) {
#ifdef CT_FAST
  return strstr(field, "skin_bonevert") || strstr(field, "skinbonevert") ||
         !strcmp(field, "mesh_normal") || !strcmp(field, "flex_stiffness");
#else
  (void)field;
  return false;
#endif
}

// Two principal moments of a mesh are equal but for rounding, which then chooses the axes.
static bool rounding_decides_axes(const char* folder, const char* name) {
#ifdef CT_FAST
  return !strcmp(folder, "/urdf") && !strcmp(name, "meshes");
#else
  (void)folder;
  (void)name;
  return false;
#endif
}

static void count_field(void* context, const FieldVerdict* v) {
  Count* c = (Count*)context;
  if (rounding_decides(v->field)) return;
  c->compared += v->compared;
  if (v->kind == FIELD_APART || !v->wrong) return;
  c->wrong += v->wrong;
  print_message("%s: %s[%ld]: recorded %.17g, compiled %.17g (%ld wrong)\n", c->model, v->field,
                v->worst.index, v->worst.reference, v->worst.ours, v->wrong);
}

// Compiles one model and compares; returns the number of wrong values.
static long check_model(const char* folder, const char* name, const char* ending) {
  char path[1024], error[1000] = "";
  snprintf(path, sizeof(path), "%s/models%s/%s%s", CT_SOURCE_DIR, folder, name, ending);
  mjModel* ours = mj_loadXML(path, NULL, error, sizeof(error));
  if (!ours) {
    print_message("%s does not load: %s\n", name, error);
    return 1;
  }
  snprintf(path, sizeof(path), "%s/tests/recorded/models%s/%s.mjb", CT_SOURCE_DIR, folder, name);
  mjModel* reference = mj_loadModel(path, NULL);
  assert_non_null(reference);
  reference->signature = ours->signature;  // a .mjb does not carry it
  Count c = {name, 0, 0};
  compare_models(reference, ours, NULL, count_field, &c);
  assert_true(c.compared > 200);
  mj_deleteModel(reference);
  mj_deleteModel(ours);
  return c.wrong;
}

static void check_folder(const char* folder, const char* ending, int least) {
#ifdef mjUSESINGLE
  skip();  // recorded models hold doubles
#endif
  char path[1024];
  snprintf(path, sizeof(path), "%s/models%s", CT_SOURCE_DIR, folder);
  DIR* open = opendir(path);
  assert_non_null(open);
  int models = 0;
  long wrong = 0;
  for (struct dirent* entry; (entry = readdir(open));) {
    char name[256];
    snprintf(name, sizeof(name), "%s", entry->d_name);
    char* dot = strrchr(name, '.');
    if (!dot || strcmp(dot, ending) != 0) continue;
    *dot = 0;
    models++;
    if (!rounding_decides_axes(folder, name)) wrong += check_model(folder, name, ending);
  }
  closedir(open);
  assert_true(models >= least);
  assert_int_equal(wrong, 0);
}

static void models_compile_to_the_recorded_numbers(void** state) {
  (void)state;
  check_folder("", ".xml", 40);
}

static void R30_2_urdf_files_compile_to_the_recorded_numbers(void** state) {
  (void)state;
  check_folder("/urdf", ".urdf", 30);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(models_compile_to_the_recorded_numbers),
      cmocka_unit_test(R30_2_urdf_files_compile_to_the_recorded_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
