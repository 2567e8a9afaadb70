// ct_diff_models: lines that tell by name what differs.

#include <corten/differences.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define MODEL(top_, arm_, rest_)                                                           \
  "<mujoco><worldbody>" top_ "<body name='arm'><joint name='j' damping='1'/>" arm_         \
  "<geom size='.1'/><geom size='.2' rgba='1 0 0 1'/><site name='tip'/></body></worldbody>" \
  "<actuator><motor name='m' joint='j'/></actuator>" rest_ "</mujoco>"
#define PLAIN MODEL("", "", "")

static mjModel* compiled(const char* text) {
  char error[500] = "";
  mjSpec* spec = mj_parseXMLString(text, NULL, error, sizeof(error));
  mjModel* m = spec ? mj_compile(spec, NULL) : NULL;
  if (!m) fail_msg("%s\n%s", text, spec ? mjs_getError(spec) : error);
  mj_deleteSpec(spec);
  return m;
}

static char told[4000];

static void note(void* arg, const char* line) {
  (void)arg;
  size_t used = strlen(told);
  snprintf(told + used, sizeof(told) - used, "%s\n", line);
}

static void expect(const char* a, const char* b, double tolerance, const char* lines) {
  mjModel *first = compiled(a), *second = compiled(b);
  told[0] = 0;
  int count = 0, n = ct_diff_models(first, second, tolerance, note, NULL);
  for (const char* p = told; *p; p++) count += *p == '\n';
  assert_string_equal(told, lines);
  assert_int_equal(n, count);
  mj_deleteModel(first);
  mj_deleteModel(second);
}

static void a_model_does_not_differ_from_itself(void** state) {
  (void)state;
  expect(PLAIN, PLAIN, 0, "");
}

static void values_are_told_by_the_name_of_their_object(void** state) {
  (void)state;
  mjModel *a = compiled(PLAIN), *b = compiled(PLAIN);
  b->dof_damping[0] = 2;
  b->geom_size[3] = (mjtNum)0.5;
  b->opt.timestep *= 2;
  told[0] = 0;
  assert_int_equal(ct_diff_models(a, b, 0, note, NULL), 3);
  assert_non_null(strstr(told, "option timestep is 0.002, then 0.004\n"));
  assert_non_null(strstr(told, "joint \"j\": damping is 1, then 2\n"));
  assert_non_null(strstr(told, "geom 2 of body \"arm\": size is 0.2 0 0, then 0.5 0 0\n"));
  mj_deleteModel(a);
  mj_deleteModel(b);
}

static void a_body_in_front_changes_no_other(void** state) {
  (void)state;
  mjModel *a = compiled(PLAIN),
          *b = compiled(MODEL("<body name='new'><geom size='.1'/></body>", "", ""));
  told[0] = 0;
  ct_diff_models(a, b, 0, note, NULL);
  assert_non_null(strstr(told, "only in the second: body \"new\"\n"));
  assert_non_null(strstr(told, "only in the second: geom 1 of body \"new\"\n"));
  assert_null(strstr(told, "\"arm\":"));
  assert_null(strstr(told, "actuator"));
  mj_deleteModel(a);
  mj_deleteModel(b);
}

static void references_are_compared_by_name(void** state) {
  (void)state;
  const char* jump = MODEL("", "<joint name='i' axis='1 0 0'/>", "");
  mjModel *a = compiled(jump), *b = compiled(jump);
  b->actuator_trnid[0] = mj_name2id(b, mjOBJ_JOINT, "i");
  told[0] = 0;
  assert_int_equal(ct_diff_models(a, b, 0, note, NULL), 1);
  assert_string_equal(told, "actuator \"m\": trnid is \"j\", then \"i\"\n");
  mj_deleteModel(a);
  mj_deleteModel(b);
}

static void small_differences_can_be_allowed(void** state) {
  (void)state;
  mjModel *a = compiled(PLAIN), *b = compiled(PLAIN);
  b->dof_damping[0] += (mjtNum)1e-5;
  assert_int_equal(ct_diff_models(a, b, 1e-4, note, NULL), 0);
  assert_int_equal(ct_diff_models(a, b, 1e-6, note, NULL), 1);
  mj_deleteModel(a);
  mj_deleteModel(b);
}

// Numbers get as many digits as they need to differ, types get words.
static void differences_can_be_seen(void** state) {
  (void)state;
  mjModel *a = compiled(PLAIN), *b = compiled(PLAIN);
  b->opt.timestep += (mjtNum)1e-8;
  b->geom_type[1] = mjGEOM_BOX;
  told[0] = 0;
  assert_int_equal(ct_diff_models(a, b, 0, note, NULL), 2);
  assert_null(strstr(told, "is 0.002, then 0.002\n"));
  assert_non_null(strstr(told, "option timestep is 0.002, then 0.00200001\n"));
  assert_non_null(strstr(told, ", then box\n"));
  mj_deleteModel(a);
  mj_deleteModel(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_model_does_not_differ_from_itself),
      cmocka_unit_test(values_are_told_by_the_name_of_their_object),
      cmocka_unit_test(a_body_in_front_changes_no_other),
      cmocka_unit_test(references_are_compared_by_name),
      cmocka_unit_test(small_differences_can_be_allowed),
      cmocka_unit_test(differences_can_be_seen),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
