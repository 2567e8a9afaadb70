// Every public function, global variable and callback has the type it has in MuJoCo 3.5.0,
// and every function can be linked. tests/recorded/signatures.def holds the types.

#include <mujoco/mujoco.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef void (*AnyFunction)(void);

// Whether ours has the recorded type; address: what the linker found, NULL for types.
typedef struct {
  const char *name, *type;
  bool same;
  AnyFunction address;
} Declaration;

static const Declaration functions[] = {
#define SIGNATURE(result_, name_, params_) \
  {#name_, #result_ " " #params_,          \
   _Generic(&(name_), result_(*) params_   \
            : true, default                \
            : false),                      \
   (AnyFunction)(name_)},
#define GLOBAL(name_, pointer_)
#define CALLBACK(name_, type_)
#include "recorded/signatures.def"
#undef SIGNATURE
#undef GLOBAL
#undef CALLBACK
};

static const Declaration globals_and_callbacks[] = {
#define SIGNATURE(result_, name_, params_)
#define GLOBAL(name_, pointer_)          \
  {#name_, #pointer_ " (as an address)", \
   _Generic(&(name_), pointer_           \
            : true, default              \
            : false),                    \
   NULL},
#define CALLBACK(name_, type_) \
  {#name_, #type_, _Generic((name_)0, type_ : true, default : false), NULL},
#include "recorded/signatures.def"
};

#define COUNT(array) (int)(sizeof(array) / sizeof((array)[0]))

static int report_differences(const Declaration* d, int n) {
  int different = 0;
  for (int i = 0; i < n; i++) {
    if (d[i].same) continue;
    print_error("%s: the reference declares %s\n", d[i].name, d[i].type);
    different++;
  }
  return different;
}

static void functions_have_the_types_of_the_reference(void** state) {
  (void)state;
  assert_int_equal(COUNT(functions), 519);
  assert_int_equal(report_differences(functions, COUNT(functions)), 0);
}

static void functions_can_be_linked(void** state) {
  (void)state;
  for (int i = 0; i < COUNT(functions); i++) {
    if (!functions[i].address) fail_msg("%s has no address", functions[i].name);
  }
}

static void globals_and_callbacks_have_the_types_of_the_reference(void** state) {
  (void)state;
  assert_int_equal(COUNT(globals_and_callbacks), 20 + 17);
  assert_int_equal(report_differences(globals_and_callbacks, COUNT(globals_and_callbacks)), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(functions_have_the_types_of_the_reference),
      cmocka_unit_test(functions_can_be_linked),
      cmocka_unit_test(globals_and_callbacks_have_the_types_of_the_reference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
