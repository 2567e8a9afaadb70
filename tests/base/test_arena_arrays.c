// Arrays of the arena: all of them are placed, in groups, aligned, none over another, and forgotten
// as a whole.

#include "base/memory/arena_arrays.h"

#include "base/model/fields.h"
#include "support/fail.h"
#include "support/models.h"

// Islands, and a sparse AR: a step that needs every array.
static mjData* step_with_all(mjModel* m) {
  m->opt.solver = mjSOL_PGS;
  m->opt.jacobian = mjJAC_SPARSE;
  mjData* d = mj_makeData(m);
  while (d->nefc == 0 || d->nisland == 0) mj_step(m, d);
  return d;
}

static size_t start_of(const ct_Field* f, const mjData* d) {
  return (size_t)((const char*)ct_field_array(f, d) - (const char*)d->arena);
}

static void every_array_lies_alone_inside_the_arena(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  mjData* d = step_with_all(m);
  for (int i = 0; i < ct_narena_field; i++) {
    const ct_Field* f = ct_arena_fields + i;
    if (!ct_field_array(f, d)) fail_msg("%s has no place", f->name);
    size_t start = start_of(f, d), end = start + ct_field_bytes(f, m, d);
    size_t unit = f->type == CT_TYPE_mjContact ? sizeof(mjtNum) : f->element;
    if (start % unit)
      fail_msg("%s starts at byte %zu, not at a multiple of %zu", f->name, start, unit);
    if (end > d->parena) fail_msg("%s ends at byte %zu of %zu", f->name, end, d->parena);
    for (int k = 0; k < i; k++) {
      const ct_Field* other = ct_arena_fields + k;
      size_t from = start_of(other, d), to = from + ct_field_bytes(other, m, d);
      if (start < to && from < end) fail_msg("%s lies over %s", f->name, other->name);
    }
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

// Programs that look into the arena of the reference find the same here.
static void arrays_of_a_group_follow_the_order_of_the_schema(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  mjData* d = step_with_all(m);
  size_t last[CT_PLACED_AR_COLUMNS + 1] = {0};
#define DATA_ARENA(type, name, rows, cols, stage, placed, doc)                  \
  {                                                                             \
    size_t start = (size_t)((const char*)d->name - (const char*)d->arena);      \
    if (start < last[CT_PLACED_##placed]) fail_msg("%s lies too early", #name); \
    last[CT_PLACED_##placed] = start;                                           \
  }
#include "data.def"
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void forgetting_rows_leaves_contacts_alone(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  mjData* d = step_with_all(m);
  while (d->ncon == 0) mj_step(m, d);
  int ncon = d->ncon;
  ct_forget_rows(lane_one(), d);
  assert_int_equal(d->ncon, ncon);
  assert_int_equal(d->nefc, 0);
  assert_int_equal(d->nisland, 0);
  assert_int_equal(d->parena, (size_t)ncon * sizeof(mjContact));
  for (int i = 0; i < ncon; i++) assert_int_equal(d->contact[i].efc_address, -1);
  for (int i = 0; i < ct_narena_field; i++) {
    const ct_Field* f = ct_arena_fields + i;
    bool contacts = f->type == CT_TYPE_mjContact;
    if (contacts != (ct_field_array(f, d) != NULL)) fail_msg("%s is left", f->name);
  }
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void without_room_nothing_is_placed(void** state) {
  (void)state;
  mjModel* m = recorded_model("humanoid");
  mjData* d = mj_makeData(m);
  size_t before = d->parena;
  d->nefc = (int)(d->narena / (mjtSize)sizeof(mjtNum));
  assert_false(ct_place_arrays(m, d, CT_PLACED_ROWS));
  assert_true(d->parena == before);
  assert_null(d->efc_type);
  d->nefc = 0;
  mj_deleteData(d);
  mj_deleteModel(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_array_lies_alone_inside_the_arena),
      cmocka_unit_test(arrays_of_a_group_follow_the_order_of_the_schema),
      cmocka_unit_test(forgetting_rows_leaves_contacts_alone),
      cmocka_unit_test(without_room_nothing_is_placed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
