// The public structs, enums and constants are laid out as in MuJoCo 3.5.0, so that programs
// and libraries compiled for it work with ours. tests/recorded/layout.def holds what the
// reference's headers measure.

#include <mujoco/mujoco.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

// One number of the reference with ours beside it.
typedef struct {
  const char *owner, *member, *what;
  double ours, reference;
} Fact;

#define IGNORE_STRUCT(struct_, size_)
#define IGNORE_PART(struct_, path_, offset_, size_)
#define IGNORE_FIELD(struct_, path_, offset_, size_, pointer_)
#define IGNORE_ENUM(enum_, name_, value_)
#define IGNORE_CONST(name_, value_)

#ifndef mjUSESINGLE

static const Fact sizes[] = {
#define LAYOUT_STRUCT(struct_, size_) {#struct_, "", "size", (double)sizeof(struct_), size_},
#define LAYOUT_PART IGNORE_PART
#define LAYOUT_FIELD IGNORE_FIELD
#define LAYOUT_ENUM IGNORE_ENUM
#define LAYOUT_CONST IGNORE_CONST
#include "recorded/layout.def"
#undef LAYOUT_STRUCT
#undef LAYOUT_PART
#undef LAYOUT_FIELD
};

// Fields: where they are, how long, and whether their address has the recorded type.
static const Fact fields[] = {
#define PLACE(struct_, path_, offset_, size_)                              \
  {#struct_, #path_, "offset", (double)offsetof(struct_, path_), offset_}, \
      {#struct_, #path_, "size", (double)sizeof(((struct_*)0)->path_), size_},
#define LAYOUT_STRUCT IGNORE_STRUCT
#define LAYOUT_PART PLACE
#define LAYOUT_FIELD(struct_, path_, offset_, size_, pointer_)       \
  PLACE(struct_, path_, offset_, size_){                             \
      #struct_, #path_, "is of type " #pointer_ " (as an address):", \
      _Generic(&((struct_*)0)->path_, pointer_ : 1, default : 0), 1},
#include "recorded/layout.def"
#undef LAYOUT_STRUCT
#undef LAYOUT_PART
#undef LAYOUT_FIELD
#undef LAYOUT_ENUM
#undef LAYOUT_CONST
};

static const Fact values[] = {
#define LAYOUT_STRUCT IGNORE_STRUCT
#define LAYOUT_PART IGNORE_PART
#define LAYOUT_FIELD IGNORE_FIELD
#define LAYOUT_ENUM(enum_, name_, value_) {#enum_, #name_, "value", (double)(enum_)name_, value_},
#define LAYOUT_CONST(name_, value_) {"macro", #name_, "value", (double)(name_), value_},
#include "recorded/layout.def"
};

#define COUNT(array) (int)(sizeof(array) / sizeof((array)[0]))

// Names every fact that differs, with both numbers, and returns how many there are.
static int report_differences(const Fact* facts, int n) {
  int different = 0;
  for (int i = 0; i < n; i++) {
    if (facts[i].ours == facts[i].reference) continue;
    print_error("%s%s%s: %s %.17g, the reference has %.17g\n", facts[i].owner,
                facts[i].member[0] ? "." : "", facts[i].member, facts[i].what, facts[i].ours,
                facts[i].reference);
    different++;
  }
  return different;
}

static void structs_have_the_size_of_the_reference(void** state) {
  (void)state;
  assert_int_equal(COUNT(sizes), 70);
  assert_int_equal(report_differences(sizes, COUNT(sizes)), 0);
}

static void fields_have_offset_size_and_type_of_the_reference(void** state) {
  (void)state;
  assert_int_equal(COUNT(fields), 3 * 1722 + 2 * 6);
  assert_int_equal(report_differences(fields, COUNT(fields)), 0);
}

static void enums_and_constants_have_the_values_of_the_reference(void** state) {
  (void)state;
  assert_int_equal(COUNT(values), 506 + 68);
  assert_int_equal(report_differences(values, COUNT(values)), 0);
}

#else

static void skip_single(void) {
  print_message("layouts were recorded with double numbers; this build has float\n");
  skip();
}

static void structs_have_the_size_of_the_reference(void** state) {
  (void)state;
  skip_single();
}

static void fields_have_offset_size_and_type_of_the_reference(void** state) {
  (void)state;
  skip_single();
}

static void enums_and_constants_have_the_values_of_the_reference(void** state) {
  (void)state;
  skip_single();
}

#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(structs_have_the_size_of_the_reference),
      cmocka_unit_test(fields_have_offset_size_and_type_of_the_reference),
      cmocka_unit_test(enums_and_constants_have_the_values_of_the_reference),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
