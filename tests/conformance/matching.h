// Which contact and which constraint row of one data corresponds to which of another.
//
// Contacts are a set: engines may find them in another order. Two contacts correspond if they join
// the same objects, and among those the nearest positions go together. Rows follow: those of a
// contact with it, all others by type, id and how many of that type and id came before.

#ifndef TESTS_CONFORMANCE_MATCHING_H_
#define TESTS_CONFORMANCE_MATCHING_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

typedef struct {
  int* contact;     // (a->ncon) number in b, -1: none
  int* row;         // (a->nefc) number in b, -1: none
  bool same_order;  // both are the identity
  bool dense;       // Jacobians are dense
} Matching;

Matching match_rows(const mjModel* m, const mjData* a, const mjData* b);
void matching_free(Matching* match);

#endif  // TESTS_CONFORMANCE_MATCHING_H_
