// R30.1: NULL in place of any argument of the functions that edit specs, and of those that read,
// write and name models and register plugins: a return value or a warning says so, and nothing ends
// the process. That no function of a spec was forgotten is checked by the list of all functions.

#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/fail.h"

static const char text[] =
    "<mujoco><asset><mesh name='me' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>"
    "<worldbody><body name='b'><joint name='j'/><geom name='g' size='.1'/><frame name='f'/></body>"
    "</worldbody><tendon><fixed name='t'><joint joint='j' coef='1'/></fixed></tendon>"
    "<actuator><motor name='a' joint='j'/></actuator></mujoco>";

static int warnings;

static void count_warning(const char* message) {
  (void)message;
  warnings++;
}

static void fail_by_error(const char* message) {
  fail_msg("an error: %s", message);
}

static mjSpec* spec;
static mjModel* model;

static int set_up(void** state) {
  (void)state;
  char error[300] = "";
  mju_user_warning = count_warning;
  mju_user_error = fail_by_error;
  spec = mj_parseXMLString(text, NULL, error, sizeof(error));
  if (!spec) fail_msg("%s", error);
  model = mj_compile(spec, NULL);
  assert_non_null(model);
  return 0;
}

static int tear_down(void** state) {
  (void)state;
  mj_deleteModel(model);
  mj_deleteSpec(spec);
  mju_user_warning = NULL;
  mju_user_error = NULL;
  return 0;
}

// Calls. Each notes what was called.

enum { MOST = 400 };
static const char* called[MOST];
static int ncalled;

static void note(const char* call) {
  assert_true(ncalled < MOST);
  called[ncalled++] = call;
}

#define GIVES(value_, call_)                                   \
  do {                                                         \
    note(#call_);                                              \
    if (!((call_) == (value_))) fail_msg("wrong: %s", #call_); \
  } while (0)
#define GIVES_NULL(call_) GIVES(NULL, call_)

// Functions that say "" if all is well.
#define COMPLAINS(call_)                                         \
  do {                                                           \
    note(#call_);                                                \
    const char* said_ = call_;                                   \
    if (!said_ || !*said_) fail_msg("no complaint: %s", #call_); \
  } while (0)

// Functions without a return value that cannot do what they are asked for.
#define WARNS(call_)                                                 \
  do {                                                               \
    note(#call_);                                                    \
    int before_ = warnings;                                          \
    call_;                                                           \
    if (warnings != before_ + 1) fail_msg("no warning: %s", #call_); \
  } while (0)

#define DOES_NOTHING(call_) (note(#call_), (void)(call_))

static void nothing_is_found_in_nothing(void** state) {
  (void)state;
  mjsBody* body = mjs_findBody(spec, "b");
  GIVES_NULL(mjs_getSpec(NULL));
  GIVES_NULL(mjs_findSpec(NULL, "b"));
  GIVES_NULL(mjs_findSpec(spec, NULL));
  GIVES_NULL(mjs_findBody(NULL, "b"));
  GIVES_NULL(mjs_findBody(spec, NULL));
  GIVES_NULL(mjs_findElement(NULL, mjOBJ_BODY, "b"));
  GIVES_NULL(mjs_findElement(spec, mjOBJ_BODY, NULL));
  GIVES_NULL(mjs_findChild(NULL, "b"));
  GIVES_NULL(mjs_findChild(body, NULL));
  GIVES_NULL(mjs_findFrame(NULL, "f"));
  GIVES_NULL(mjs_findFrame(spec, NULL));
  GIVES_NULL(mjs_findDefault(NULL, "main"));
  GIVES_NULL(mjs_findDefault(spec, NULL));
  GIVES_NULL(mjs_getParent(NULL));
  GIVES_NULL(mjs_getFrame(NULL));
  GIVES_NULL(mjs_getDefault(NULL));
  GIVES_NULL(mjs_getSpecDefault(NULL));
  GIVES(-1, mjs_getId(NULL));
  GIVES_NULL(mjs_getName(NULL));
  COMPLAINS(mjs_getError(NULL));
  GIVES(0, mjs_isWarning(NULL));
  GIVES_NULL(mjs_firstChild(NULL, mjOBJ_BODY, 1));
  GIVES_NULL(mjs_nextChild(NULL, body->element, 1));
  GIVES_NULL(mjs_nextChild(body, NULL, 1));
  GIVES_NULL(mjs_firstElement(NULL, mjOBJ_BODY));
  GIVES_NULL(mjs_nextElement(NULL, body->element));
  GIVES_NULL(mjs_nextElement(spec, NULL));
  GIVES(-1, mjs_sensorDim(NULL));
  GIVES_NULL(mjs_getPluginAttributes(NULL));
  GIVES_NULL(mjs_getUserValue(NULL, "key"));
  GIVES_NULL(mjs_getUserValue(body->element, NULL));
}

static void nothing_is_of_no_kind(void** state) {
  (void)state;
  GIVES_NULL(mjs_asBody(NULL));
  GIVES_NULL(mjs_asGeom(NULL));
  GIVES_NULL(mjs_asJoint(NULL));
  GIVES_NULL(mjs_asSite(NULL));
  GIVES_NULL(mjs_asCamera(NULL));
  GIVES_NULL(mjs_asLight(NULL));
  GIVES_NULL(mjs_asFrame(NULL));
  GIVES_NULL(mjs_asActuator(NULL));
  GIVES_NULL(mjs_asSensor(NULL));
  GIVES_NULL(mjs_asFlex(NULL));
  GIVES_NULL(mjs_asPair(NULL));
  GIVES_NULL(mjs_asEquality(NULL));
  GIVES_NULL(mjs_asExclude(NULL));
  GIVES_NULL(mjs_asTendon(NULL));
  GIVES_NULL(mjs_asNumeric(NULL));
  GIVES_NULL(mjs_asText(NULL));
  GIVES_NULL(mjs_asTuple(NULL));
  GIVES_NULL(mjs_asKey(NULL));
  GIVES_NULL(mjs_asMesh(NULL));
  GIVES_NULL(mjs_asHField(NULL));
  GIVES_NULL(mjs_asSkin(NULL));
  GIVES_NULL(mjs_asTexture(NULL));
  GIVES_NULL(mjs_asMaterial(NULL));
  GIVES_NULL(mjs_asPlugin(NULL));
}

static void paths_of_nothing_are_empty(void** state) {
  (void)state;
  mjsTendon* tendon = mjs_asTendon(mjs_findElement(spec, mjOBJ_TENDON, "t"));
  GIVES(0, mjs_getWrapNum(NULL));
  GIVES_NULL(mjs_getWrap(NULL, 0));
  GIVES_NULL(mjs_getWrap(tendon, -1));
  GIVES_NULL(mjs_getWrap(tendon, 1));
  GIVES_NULL(mjs_getWrapTarget(NULL));
  GIVES_NULL(mjs_getWrapSideSite(NULL));
  GIVES(1, mjs_getWrapDivisor(NULL));
  GIVES(1, mjs_getWrapCoef(NULL));
  GIVES_NULL(mjs_wrapSite(NULL, "s"));
  GIVES_NULL(mjs_wrapSite(tendon, NULL));
  GIVES_NULL(mjs_wrapGeom(NULL, "g", ""));
  GIVES_NULL(mjs_wrapGeom(tendon, NULL, ""));
  GIVES_NULL(mjs_wrapJoint(NULL, "j", 1));
  GIVES_NULL(mjs_wrapJoint(tendon, NULL, 1));
  GIVES_NULL(mjs_wrapPulley(NULL, 1));
  assert_int_equal(mjs_getWrapNum(tendon), 1);
  DOES_NOTHING(mjs_wrapGeom(tendon, "g", NULL));  // has no side site
}

static void nothing_is_added_to_nothing(void** state) {
  (void)state;
  GIVES_NULL(mjs_addSensor(NULL));
  GIVES_NULL(mjs_addFlex(NULL));
  GIVES_NULL(mjs_addExclude(NULL));
  GIVES_NULL(mjs_addNumeric(NULL));
  GIVES_NULL(mjs_addText(NULL));
  GIVES_NULL(mjs_addTuple(NULL));
  GIVES_NULL(mjs_addKey(NULL));
  GIVES_NULL(mjs_addPlugin(NULL));
  GIVES_NULL(mjs_addHField(NULL));
  GIVES_NULL(mjs_addSkin(NULL));
  GIVES_NULL(mjs_addTexture(NULL));
  GIVES_NULL(mjs_addActuator(NULL, NULL));
  GIVES_NULL(mjs_addPair(NULL, NULL));
  GIVES_NULL(mjs_addEquality(NULL, NULL));
  GIVES_NULL(mjs_addTendon(NULL, NULL));
  GIVES_NULL(mjs_addMesh(NULL, NULL));
  GIVES_NULL(mjs_addMaterial(NULL, NULL));
  GIVES_NULL(mjs_addBody(NULL, NULL));
  GIVES_NULL(mjs_addSite(NULL, NULL));
  GIVES_NULL(mjs_addJoint(NULL, NULL));
  GIVES_NULL(mjs_addGeom(NULL, NULL));
  GIVES_NULL(mjs_addCamera(NULL, NULL));
  GIVES_NULL(mjs_addLight(NULL, NULL));
  GIVES_NULL(mjs_addFreeJoint(NULL));
  GIVES_NULL(mjs_addFrame(NULL, NULL));
  GIVES_NULL(mjs_addDefault(NULL, "c", NULL));
  GIVES_NULL(mjs_addDefault(spec, NULL, NULL));
}

static void edits_of_nothing_are_refused(void** state) {
  (void)state;
  mjsBody *body = mjs_findBody(spec, "b"), *none = NULL;
  mjsFrame* frame = mjs_findFrame(spec, "f");
  GIVES_NULL(mjs_attach(NULL, body->element, "", ""));
  GIVES_NULL(mjs_attach(frame->element, NULL, "", ""));
  GIVES(-1, mjs_delete(NULL, body->element));
  GIVES(-1, mjs_delete(spec, NULL));
  GIVES_NULL(mjs_bodyToFrame(NULL));
  GIVES_NULL(mjs_bodyToFrame(&none));
  GIVES(-1, mjs_setName(NULL, "b"));
  GIVES(-1, mjs_setName(body->element, NULL));
  GIVES(-1, mjs_setFrame(NULL, frame));
  GIVES(-1, mjs_setFrame(body->element, NULL));
  DOES_NOTHING(mjs_setDefault(NULL, mjs_getSpecDefault(spec)));
  DOES_NOTHING(mjs_setDefault(body->element, NULL));
  GIVES(-1, mjs_activatePlugin(NULL, "p"));
  GIVES(-1, mjs_activatePlugin(spec, NULL));
  GIVES(-1, mjs_setDeepCopy(NULL, 1));
  GIVES(-1, mjs_makeMesh(NULL, mjMESH_BUILTIN_SPHERE, NULL, 1));
  mjsMesh* mesh = mjs_asMesh(mjs_findElement(spec, mjOBJ_MESH, "me"));
  GIVES(-1, mjs_makeMesh(mesh, mjMESH_BUILTIN_SPHERE, NULL, 1));
  assert_non_null(strstr(mjs_getError(spec), "params is NULL"));
}

static void settings_of_nothing_are_complained_about(void** state) {
  (void)state;
  double quat[4] = {1, 0, 0, 0};
  mjsOrientation euler = {.type = mjORIENTATION_EULER};
  mjsActuator* actuator = mjs_asActuator(mjs_findElement(spec, mjOBJ_ACTUATOR, "a"));
  COMPLAINS(mjs_setToMotor(NULL));
  COMPLAINS(mjs_setToPosition(NULL, 1, NULL, NULL, NULL, 0));
  COMPLAINS(mjs_setToIntVelocity(NULL, 1, NULL, NULL, NULL, 0));
  COMPLAINS(mjs_setToVelocity(NULL, 1));
  COMPLAINS(mjs_setToDamper(NULL, 1));
  COMPLAINS(mjs_setToCylinder(NULL, 1, 1, 1, 1));
  COMPLAINS(mjs_setToMuscle(NULL, NULL, 0, NULL, -1, -1, -1, -1, -1, -1, -1));
  COMPLAINS(mjs_setToAdhesion(NULL, 1));
  COMPLAINS(mjs_resolveOrientation(NULL, 0, "xyz", &euler));
  COMPLAINS(mjs_resolveOrientation(quat, 0, NULL, &euler));
  COMPLAINS(mjs_resolveOrientation(quat, 0, "xyz", NULL));

  // times and range of a muscle that are not given are those of a muscle
  assert_string_equal(mjs_setToMuscle(actuator, NULL, 0, NULL, -1, -1, -1, -1, -1, -1, -1), "");
  assert_true(actuator->dynprm[0] == 0.01 && actuator->gainprm[0] == 0.75);
}

static void strings_and_vectors_stay_as_they_are(void** state) {
  (void)state;
  mjsElement* element = mjs_findBody(spec, "b")->element;
  mjsTuple* tuple = mjs_addTuple(spec);
  mjsSkin* skin = mjs_addSkin(spec);
  mjsMesh* mesh = mjs_addMesh(spec, NULL);
  mjsText* words = mjs_addText(spec);
  mjsTexture* texture = mjs_addTexture(spec);
  const double number = 1;
  int count = 7;
  GIVES_NULL(mjs_getString(NULL));
  GIVES_NULL(mjs_getDouble(NULL, &count));
  assert_int_equal(count, 0);
  mjs_setDouble(tuple->objprm, &number, 1);
  GIVES(1, *mjs_getDouble(tuple->objprm, NULL));
  WARNS(mjs_setDouble(NULL, &number, 1));
  WARNS(mjs_setDouble(tuple->objprm, NULL, 1));
  GIVES(1, *mjs_getDouble(tuple->objprm, &count));
  mjs_setString(words->data, "as it was");
  WARNS(mjs_setString(NULL, "a"));
  WARNS(mjs_setString(words->data, NULL));
  assert_string_equal(mjs_getString(words->data), "as it was");
  WARNS(mjs_setBuffer(NULL, "a", 1));
  WARNS(mjs_setBuffer(texture->data, NULL, 1));
  WARNS(mjs_setInt(NULL, &count, 1));
  WARNS(mjs_setInt(tuple->objtype, NULL, 1));
  WARNS(mjs_setFloat(NULL, NULL, 0));
  WARNS(mjs_setFloat(mesh->uservert, NULL, 1));
  WARNS(mjs_appendIntVec(NULL, &count, 1));
  WARNS(mjs_appendIntVec(skin->vertid, NULL, 1));
  WARNS(mjs_appendFloatVec(NULL, NULL, 0));
  WARNS(mjs_appendFloatVec(skin->vertweight, NULL, 1));
  WARNS(mjs_appendString(NULL, "a"));
  WARNS(mjs_appendString(tuple->objname, NULL));
  WARNS(mjs_setStringVec(NULL, "a"));
  WARNS(mjs_setStringVec(tuple->objname, NULL));
  mjs_appendString(tuple->objname, "b");
  GIVES(0, mjs_setInStringVec(NULL, 0, "a"));
  GIVES(0, mjs_setInStringVec(tuple->objname, 0, NULL));
  GIVES(0, mjs_setInStringVec(tuple->objname, 1, "a"));
  GIVES(0, mjs_setInStringVec(tuple->objname, -1, "a"));
  DOES_NOTHING(mjs_setDouble(tuple->objprm, NULL, 0));  // an empty vector
  DOES_NOTHING(mjs_setPluginAttributes(NULL, NULL));
  DOES_NOTHING(mjs_setPluginAttributes(mjs_addPlugin(spec), NULL));
  WARNS(mjs_setUserValue(NULL, "key", &count));
  WARNS(mjs_setUserValue(element, NULL, &count));
  WARNS(mjs_setUserValueWithCleanup(NULL, "key", &count, NULL));
  WARNS(mjs_setUserValueWithCleanup(element, NULL, &count, NULL));
  DOES_NOTHING(mjs_deleteUserValue(NULL, "key"));
  DOES_NOTHING(mjs_deleteUserValue(element, NULL));
}

static void defaults_of_nothing_are_not_set(void** state) {
  (void)state;
  DOES_NOTHING(mjs_defaultSpec(NULL));
  DOES_NOTHING(mjs_defaultOrientation(NULL));
  DOES_NOTHING(mjs_defaultBody(NULL));
  DOES_NOTHING(mjs_defaultFrame(NULL));
  DOES_NOTHING(mjs_defaultJoint(NULL));
  DOES_NOTHING(mjs_defaultGeom(NULL));
  DOES_NOTHING(mjs_defaultSite(NULL));
  DOES_NOTHING(mjs_defaultCamera(NULL));
  DOES_NOTHING(mjs_defaultLight(NULL));
  DOES_NOTHING(mjs_defaultFlex(NULL));
  DOES_NOTHING(mjs_defaultMesh(NULL));
  DOES_NOTHING(mjs_defaultHField(NULL));
  DOES_NOTHING(mjs_defaultSkin(NULL));
  DOES_NOTHING(mjs_defaultTexture(NULL));
  DOES_NOTHING(mjs_defaultMaterial(NULL));
  DOES_NOTHING(mjs_defaultPair(NULL));
  DOES_NOTHING(mjs_defaultEquality(NULL));
  DOES_NOTHING(mjs_defaultTendon(NULL));
  DOES_NOTHING(mjs_defaultActuator(NULL));
  DOES_NOTHING(mjs_defaultSensor(NULL));
  DOES_NOTHING(mjs_defaultNumeric(NULL));
  DOES_NOTHING(mjs_defaultText(NULL));
  DOES_NOTHING(mjs_defaultTuple(NULL));
  DOES_NOTHING(mjs_defaultKey(NULL));
  DOES_NOTHING(mjs_defaultPlugin(NULL));
  DOES_NOTHING(mj_defaultOption(NULL));
  DOES_NOTHING(mj_defaultVisual(NULL));
  DOES_NOTHING(mj_defaultLROpt(NULL));
  DOES_NOTHING(mj_defaultVFS(NULL));
  DOES_NOTHING(mjp_defaultPlugin(NULL));
  DOES_NOTHING(mjp_defaultDecoder(NULL));
  DOES_NOTHING(mjp_defaultResourceProvider(NULL));
}

static void no_model_is_made_of_nothing(void** state) {
  (void)state;
  char error[100] = "", room[100];
  GIVES_NULL(mj_parse(NULL, NULL, NULL, error, sizeof(error)));
  GIVES_NULL(mj_parseXML(NULL, NULL, error, sizeof(error)));
  GIVES_NULL(mj_parseXML(NULL, NULL, NULL, 0));
  GIVES_NULL(mj_parseXMLString(NULL, NULL, error, sizeof(error)));
  GIVES_NULL(mj_parseXMLString("<", NULL, NULL, 0));
  GIVES_NULL(mj_loadXML(NULL, NULL, error, sizeof(error)));
  GIVES_NULL(mj_loadXML("nowhere.xml", NULL, NULL, 0));
  GIVES_NULL(mj_loadModel(NULL, NULL));
  GIVES_NULL(mj_loadModelBuffer(NULL, 10));
  GIVES_NULL(mj_compile(NULL, NULL));
  GIVES_NULL(mj_copySpec(NULL));
  GIVES_NULL(mj_copyModel(NULL, NULL));
  GIVES_NULL(mj_copyModel(model, NULL));
  GIVES(-1, mj_recompile(NULL, NULL, model, NULL));
  GIVES(-1, mj_recompile(spec, NULL, NULL, NULL));
  GIVES(0, mj_copyBack(NULL, model));
  GIVES(0, mj_copyBack(spec, NULL));
  GIVES(-1, mj_saveXML(NULL, "out.xml", error, sizeof(error)));
  GIVES(-1, mj_saveXML(spec, NULL, error, sizeof(error)));
  GIVES(-1, mj_saveXMLString(NULL, room, sizeof(room), error, sizeof(error)));
  DOES_NOTHING(mj_saveXMLString(spec, NULL, 0, NULL, 0));
  DOES_NOTHING(mj_saveLastXML(NULL, NULL, error, sizeof(error)));
  GIVES(0, mj_sizeModel(NULL));
  WARNS(mj_saveModel(NULL, "out.mjb", NULL, 0));
  WARNS(mj_saveModel(model, NULL, NULL, 0));
  WARNS(mj_printModel(NULL, "out.txt"));
  WARNS(mj_printData(NULL, NULL, "out.txt"));
  WARNS(mj_printData(model, NULL, "out.txt"));
  GIVES_NULL(mj_makeData(NULL));
  GIVES_NULL(mj_copyData(NULL, model, NULL));
  DOES_NOTHING(mj_deleteModel(NULL));
  DOES_NOTHING(mj_deleteData(NULL));
  DOES_NOTHING(mj_deleteSpec(NULL));
  GIVES(-1, mj_name2id(NULL, mjOBJ_BODY, "b"));
  GIVES(-1, mj_name2id(model, mjOBJ_BODY, NULL));
  GIVES_NULL(mj_id2name(NULL, mjOBJ_BODY, 0));
  WARNS(mju_getXMLDependencies(NULL, NULL));
}

static void plugins_and_resources_of_nothing_are_refused(void** state) {
  (void)state;
  mjVFS vfs;
  char error[100];
  const char* folder = "";
  int length = 0;
  mj_defaultVFS(&vfs);
  GIVES_NULL(mj_getPluginConfig(NULL, 0, "key"));
  GIVES_NULL(mj_getPluginConfig(model, 0, NULL));
  WARNS(mj_loadPluginLibrary(NULL));
  DOES_NOTHING(mj_loadAllPluginLibraries(NULL, NULL));
  GIVES(-1, mjp_registerPlugin(NULL));
  GIVES(-1, mjp_registerResourceProvider(NULL));
  WARNS(mjp_registerDecoder(NULL));
  GIVES_NULL(mjp_getPlugin(NULL, NULL));
  GIVES_NULL(mjp_getResourceProvider(NULL));
  GIVES_NULL(mjp_findDecoder(NULL, NULL));
  GIVES_NULL(mju_openResource(NULL, NULL, &vfs, error, sizeof(error)));
  GIVES(-1, mju_readResource(NULL, NULL));
  mj_addBufferVFS(&vfs, "file", "text", 4);
  mjResource* resource = mju_openResource("", "file", &vfs, error, sizeof(error));
  assert_non_null(resource);
  GIVES(-1, mju_readResource(resource, NULL));
  mju_closeResource(resource);
  DOES_NOTHING(mju_closeResource(NULL));
  DOES_NOTHING(mju_getResourceDir(NULL, &folder, &length));
  DOES_NOTHING(mju_getResourceDir(NULL, NULL, NULL));
  GIVES_NULL(folder);
  GIVES_NULL(mju_decodeResource(NULL, NULL, NULL));
  DOES_NOTHING(mj_addFileVFS(NULL, "", "file"));
  DOES_NOTHING(mj_addFileVFS(&vfs, NULL, NULL));
  DOES_NOTHING(mj_addBufferVFS(NULL, "file", "a", 1));
  DOES_NOTHING(mj_addBufferVFS(&vfs, NULL, "a", 1));
  DOES_NOTHING(mj_addBufferVFS(&vfs, "file", NULL, 1));
  DOES_NOTHING(mj_mountVFS(NULL, "folder", NULL));
  DOES_NOTHING(mj_mountVFS(&vfs, NULL, NULL));
  DOES_NOTHING(mj_unmountVFS(NULL, "folder"));
  DOES_NOTHING(mj_unmountVFS(&vfs, NULL));
  DOES_NOTHING(mj_deleteFileVFS(NULL, "file"));
  DOES_NOTHING(mj_deleteFileVFS(&vfs, NULL));
  DOES_NOTHING(mj_deleteVFS(NULL));
  mj_deleteVFS(&vfs);
}

// Last: every function of a spec that takes something was called above.
static void no_function_was_forgotten(void** state) {
  (void)state;
  static const struct {
    const char *name, *parameters;
  } function[] = {
#define SIGNATURE(result_, name_, parameters_) {#name_, #parameters_},
#define GLOBAL(name_, type_)
#define CALLBACK(name_, type_)
#include "recorded/signatures.def"
#undef SIGNATURE
#undef GLOBAL
#undef CALLBACK
  };
  for (size_t k = 0; k < sizeof(function) / sizeof(function[0]); k++) {
    size_t length = strlen(function[k].name);
    bool found = strncmp(function[k].name, "mjs_", 4) || !strchr(function[k].parameters, '*');
    for (int i = 0; i < ncalled && !found; i++) {
      const char* call = called[i] + (called[i][0] == '*');
      found = !strncmp(call, function[k].name, length) && call[length] == '(';
    }
    if (!found) fail_msg("%s is not tried with NULL", function[k].name);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_is_found_in_nothing),
      cmocka_unit_test(nothing_is_of_no_kind),
      cmocka_unit_test(paths_of_nothing_are_empty),
      cmocka_unit_test(nothing_is_added_to_nothing),
      cmocka_unit_test(edits_of_nothing_are_refused),
      cmocka_unit_test(settings_of_nothing_are_complained_about),
      cmocka_unit_test(strings_and_vectors_stay_as_they_are),
      cmocka_unit_test(defaults_of_nothing_are_not_set),
      cmocka_unit_test(no_model_is_made_of_nothing),
      cmocka_unit_test(plugins_and_resources_of_nothing_are_refused),
      cmocka_unit_test(no_function_was_forgotten),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
