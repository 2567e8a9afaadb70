// Schedules: every item once, parents before children, addresses that point at rows.

#include "base/schedule.h"

#include <string.h>

#include "base/private.h"
#include "support/fail.h"
#include "support/models.h"

static const char* const models[] = {"humanoid", "tree_branching", "tree_free_and_chain",
                                     "tree_mixed"};
enum { NMODEL = sizeof(models) / sizeof(models[0]) };

// Position of each item in the order of levels; checks that each occurs once.
static void positions(const ct_Levels* levels, int* position, int* level) {
  for (int i = levels->first; i < levels->end; i++) position[i] = -1;
  assert_int_equal(levels->adr[0], 0);
  assert_int_equal(levels->adr[levels->count], levels->end - levels->first);
  for (int l = 0; l < levels->count; l++) {
    assert_true(levels->adr[l] < levels->adr[l + 1] || l == 0);  // roots may be left out
    for (int k = levels->adr[l]; k < levels->adr[l + 1]; k++) {
      int item = levels->item[k];
      assert_in_range(item, levels->first, levels->end - 1);
      assert_int_equal(position[item], -1);
      position[item] = k;
      level[item] = l;
    }
  }
}

static void parents_stand_on_earlier_levels(void** state) {
  (void)state;
  for (int i = 0; i < NMODEL; i++) {
    mjModel* m = recorded_model(models[i]);
    mjData* d = mj_makeData(m);
    const ct_Schedule* s = &ct_private(d)->schedule;
    int position[64], level[64];
    positions(&s->bodies, position, level);
    for (int b = 1; b < m->nbody; b++) {
      int parent = m->body_parentid[b];
      assert_int_equal(level[b], parent ? level[parent] + 1 : 0);
    }
    for (int k = 0; k < 64; k++) level[k] = -1;  // dofs that are coupled to no other are not listed
    positions(&s->dofs, position, level);
    for (int a = 0, k = 0; k < m->nv; k++) {
      assert_true(m->M_rownnz[k] == 1 || level[k] >= 0);
      for (; a < m->M_rowadr[k] + m->M_rownnz[k] - 1; a++)
        assert_true(level[m->M_colind[a]] < level[k]);
      a++;
    }
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

static void children_are_listed_from_the_last(void** state) {
  (void)state;
  for (int i = 0; i < NMODEL; i++) {
    mjModel* m = recorded_model(models[i]);
    mjData* d = mj_makeData(m);
    const ct_Schedule* s = &ct_private(d)->schedule;
    int next = 0;
    for (int parent = 0; parent < m->nbody; parent++) {
      assert_int_equal(s->child_adr[parent], next);
      for (int b = (int)m->nbody - 1; b > 0; b--) {
        if (m->body_parentid[b] == parent) assert_int_equal(s->child[next++], b);
      }
    }
    assert_int_equal(s->child_adr[m->nbody], m->nbody - 1);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

static void entries_know_the_row_of_their_column(void** state) {
  (void)state;
  for (int i = 0; i < NMODEL; i++) {
    mjModel* m = recorded_model(models[i]);
    mjData* d = mj_makeData(m);
    const int* row_of_entry = ct_private(d)->schedule.row_of_entry;
    for (int a = 0; a < m->nC; a++) assert_int_equal(row_of_entry[a], m->M_rowadr[m->M_colind[a]]);
    mj_deleteData(d);
    mj_deleteModel(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parents_stand_on_earlier_levels),
      cmocka_unit_test(children_are_listed_from_the_last),
      cmocka_unit_test(entries_know_the_row_of_their_column),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
