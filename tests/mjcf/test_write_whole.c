// R30.4: ct_save_whole writes a text that gives the same model again: every field of all our
// models, and of small ones for each thing that mj_saveXML loses as the reference does.

#include <dirent.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <corten/mjcf.h>

#include "base/model/fields.h"
#include "support/fail.h"

#define IN(x_) "<mujoco>" x_ "</mujoco>"
#define WORLD(x_) IN("<worldbody>" x_ "</worldbody>")

// Poses are put together from the pose of a mesh and the rest, and quaternions are normalised
// again.
static const double rounding = sizeof(mjtNum) == 8 ? 1e-13 : 1e-5;

// The first field in which two models differ; NULL: none. A model whose bodies were fused has nodes
// in its search trees that nothing uses, which a model that is read without them has not.
static const char* different_field(const mjModel* a, const mjModel* b, bool fused) {
  for (int i = 0; i < ct_nmodel_field; i++) {
    const ct_Field* f = ct_model_fields + i;
    size_t size = ct_field_bytes(f, a, NULL);
    bool tree = !strncmp(f->name, "bvh_", 4);
    if (fused && tree) continue;
    if (size != ct_field_bytes(f, b, NULL)) return f->name;
    const void *x = ct_field_array(f, a), *y = ct_field_array(f, b);
    if (!size || !memcmp(x, y, size)) continue;
    // boxes whose numbers are rounded to float are not sorted as those that they were made from
    if (tree && sizeof(mjtNum) == 4) continue;
    if (f->type != CT_TYPE_mjtNum) return f->name;
    for (size_t k = 0; k < size / f->element; k++) {
      double p = (double)((const mjtNum*)x)[k], q = (double)((const mjtNum*)y)[k];
      if (!(fabs(p - q) <= rounding * fmax(1, fmax(fabs(p), fabs(q))))) return f->name;
    }
  }
  bool same =
      !memcmp(&a->opt, &b->opt, sizeof(a->opt)) && !memcmp(&a->vis, &b->vis, sizeof(a->vis));
  return same ? NULL : "options";
}

static char* text_of(mjSpec* spec, const mjModel* m, bool whole) {
  char error[1000] = "";
  int length = whole ? ct_save_whole_string(spec, m, NULL, 0, error, sizeof(error))
                     : mj_saveXMLString(spec, NULL, 0, error, sizeof(error));
  if (length <= 0) fail_msg("the spec is not saved: %s", error);
  char* text = (char*)malloc((size_t)length + 1);
  int result = whole ? ct_save_whole_string(spec, m, text, length + 1, error, sizeof(error))
                     : mj_saveXMLString(spec, text, length + 1, error, sizeof(error));
  assert_int_equal(result, 0);
  return text;
}

// What differs after a round trip; "" if the text cannot be read again, NULL: nothing.
static const char* lost(mjSpec* spec, const mjModel* m, bool whole) {
  char error[1000] = "";
  char* text = text_of(spec, m, whole);
  mjSpec* again = mj_parseXMLString(text, NULL, error, sizeof(error));
  if (again) mjs_setString(again->modelfiledir, mjs_getString(spec->modelfiledir));
  mjModel* n = again ? mj_compile(again, NULL) : NULL;
  const char* field = n ? different_field(m, n, spec->compiler.fusestatic) : "";
  if (whole && !n) fail_msg("%s\nis refused: %s", text, again ? mjs_getError(again) : error);
  mj_deleteModel(n);
  mj_deleteSpec(again);
  free(text);
  return field;
}

static void ignore(const char* message) {
  (void)message;
}

static int compare_file(const char* path) {
  char error[1000] = "";
  mjSpec* spec = mj_parseXML(path, NULL, error, sizeof(error));
  mjModel* m = spec ? mj_compile(spec, NULL) : NULL;
  if (!m) fail_msg("%s: %s", path, spec ? mjs_getError(spec) : error);
  const char* field = lost(spec, m, true);
  if (field) fail_msg("%s: %s is lost", path, field);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  return 1;
}

static void all_our_models_come_back_whole(void** state) {
  (void)state;
  mju_user_warning = ignore;
  int compared = 0;
  DIR* folder = opendir(CT_SOURCE_DIR "/models");
  assert_non_null(folder);
  for (const struct dirent* entry = readdir(folder); entry; entry = readdir(folder)) {
    char path[600];
    size_t n = strlen(entry->d_name);
    if (n < 5 || strcmp(entry->d_name + n - 4, ".xml")) continue;
    snprintf(path, sizeof(path), "%s/models/%s", CT_SOURCE_DIR, entry->d_name);
    compared += compare_file(path);
  }
  closedir(folder);
  assert_true(compared >= 60);
  mju_user_warning = NULL;
}

// What the reference loses

#define BALL "<geom size='.1'/>"
#define TETRAHEDRON "vertex='0 0 0  1 0 0  0 1 0  0 0 1'"

static const struct {
  const char *what, *model;
} losses[] = {
    {"digits", WORLD("<body pos='.123456789012345 0 0'>" BALL "</body>")},
    {"what is nearly an integer", WORLD("<geom size='.1' pos='1.0000000000005 0 0'/>")},
    {"the order that frames stand in",
     WORLD("<frame name='f' pos='1 0 0'><body name='a'/></frame><body name='b'/>"
           "<frame><body name='c'/></frame>")},
    {"class main inside another",
     IN("<default><default class='c'><geom rgba='1 0 0 1'/></default></default><worldbody>"
        "<body childclass='c'><geom size='.1' class='main'/>" BALL "</body></worldbody>")},
    {"a ref of 0 in a class with another",
     IN("<default><default class='c'><joint ref='30'/></default></default><worldbody><body>" BALL
        "<joint class='c' ref='0'/></body></worldbody>")},
    {"a total mass", IN("<compiler settotalmass='5'/><worldbody><body>" BALL "<freejoint/></body>"
                        "</worldbody>")},
    {"groups without mass",
     IN("<compiler inertiagrouprange='1 2'/><worldbody><body><geom size='.1' group='1'/>"
        "<geom size='.2' group='3' pos='1 0 0'/><freejoint/></body></worldbody>")},
    {"that geoms have no mass",
     IN("<compiler inertiafromgeom='false'/><worldbody><body pos='1 0 0'>" BALL "</body>"
        "</worldbody>")},
    {"sizes that a shape does not use", WORLD("<geom size='.1 .2 .3'/><site size='.1 .2 .3'/>")},
    {"the mesh that a shape is fitted to",
     IN("<asset><mesh name='m' " TETRAHEDRON "/></asset><worldbody><geom type='box' mesh='m' "
        "fitscale='1.5' pos='1 2 3' euler='10 20 30'/></worldbody>")},
    {"the size of a hull",
     IN("<asset><mesh name='m' builtin='sphere' params='2' maxhullvert='6'/></asset><worldbody>"
        "<body><geom type='mesh' mesh='m'/><freejoint/></body></worldbody>")},
    {"exact vertices",
     IN("<asset><mesh name='m' builtin='supersphere' params='9 .3 .7'/></asset><worldbody>"
        "<geom type='mesh' mesh='m'/></worldbody>")},
    {"elasticity of shells",
     IN("<worldbody><flexcomp name='f' type='grid' count='3 3 1' spacing='.1 .1 .1' dim='2' "
        "mass='1'><elasticity young='1e3' thickness='.01' elastic2d='both'/></flexcomp>"
        "</worldbody>")},
    {"control points",
     IN("<worldbody><flexcomp name='f' type='grid' count='3 3 3' spacing='.1 .1 .1' dim='3' "
        "mass='1' "
        "dof='trilinear'><elasticity young='1e3'/><contact selfcollide='none' internal='false' "
        "passive='true'/>"
        "</flexcomp></worldbody>")},
    {"sensors of energy", IN("<sensor><e_potential name='p'/><e_kinetic/></sensor>")},
    {"empty keys", IN("<worldbody><body>" BALL "<joint/></body></worldbody><keyframe><key/>"
                      "<key name='k' qpos='1'/></keyframe>")},
    {"aligned free joints",
     IN("<compiler alignfree='true'/><worldbody><body><freejoint/><geom size='.1 .2 .3' type='box' "
        "pos='1 2 3' euler='10 20 30'/></body></worldbody>")},
};

static void what_the_reference_loses_is_kept(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof(losses) / sizeof(losses[0]); i++) {
    char error[1000] = "";
    mjSpec* spec = mj_parseXMLString(losses[i].model, NULL, error, sizeof(error));
    mjModel* m = spec ? mj_compile(spec, NULL) : NULL;
    if (!m) fail_msg("%s: %s", losses[i].what, spec ? mjs_getError(spec) : error);
    if (sizeof(mjtNum) == 8 && !lost(spec, m, false)) fail_msg("%s: not lost", losses[i].what);
    const char* field = lost(spec, m, true);
    if (field) fail_msg("%s: %s is lost", losses[i].what, field);
    mj_deleteModel(m);
    mj_deleteSpec(spec);
  }
}

// Numbers that a program changed in the model are what is saved.
static void the_model_counts(void** state) {
  (void)state;
  char error[1000] = "";
  mjSpec* spec = mj_parseXMLString(WORLD("<body>" BALL "<freejoint/></body>"), NULL, error, 1000);
  mjModel* m = mj_compile(spec, NULL);
  m->body_mass[1] = 7;
  m->geom_friction[0] = (mjtNum)0.12345672;
  char* text = text_of(spec, m, true);
  assert_non_null(strstr(text, "mass=\"7\""));
  assert_non_null(strstr(text, "friction=\"0.1234567"));
  free(text);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
}

static void what_cannot_be_saved_is_refused(void** state) {
  (void)state;
  char error[1000] = "";
  mjSpec *spec = mj_makeSpec(), *other = mj_makeSpec();
  assert_int_equal(ct_save_whole_string(spec, NULL, NULL, 0, error, sizeof(error)), -1);
  assert_non_null(strstr(error, "compile"));
  mj_deleteModel(mj_compile(spec, NULL));
  mjs_addBody(mjs_findBody(other, "world"), NULL);
  mjModel* m = mj_compile(other, NULL);
  assert_int_equal(ct_save_whole_string(spec, m, NULL, 0, error, sizeof(error)), -1);
  assert_non_null(strstr(error, "not compiled from this spec"));
  assert_int_equal(ct_save_whole(NULL, NULL, "x", error, sizeof(error)), -1);
  assert_int_equal(ct_save_whole(spec, NULL, NULL, error, sizeof(error)), -1);
  mj_deleteModel(m);
  mj_deleteSpec(spec);
  mj_deleteSpec(other);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(all_our_models_come_back_whole),
      cmocka_unit_test(what_the_reference_loses_is_kept),
      cmocka_unit_test(the_model_counts),
      cmocka_unit_test(what_cannot_be_saved_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
