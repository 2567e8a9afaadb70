// Data with invented contacts, constraint rows and islands, the same numbers every time, in any
// order of contacts: what two engines that agree would leave.
//
// Contact c touches tree c % 2, which is island c % 2, and has four rows.

#ifndef TESTS_HARNESS_MADE_UP_H_
#define TESTS_HARNESS_MADE_UP_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

enum { CONTACTS = 4, ROWS_EACH = 4, ROWS = CONTACTS * ROWS_EACH, ISLANDS = 2 };

// A model of eighteen trees with three dofs each, with dense or sparse Jacobians.
mjModel* load_trees(bool sparse);

// The contacts in this order.
mjData* make_up(const mjModel* m, const int order[CONTACTS]);
void delete_made_up(mjData* d);

#endif  // TESTS_HARNESS_MADE_UP_H_
