// Which contact and which constraint row of one mjData corresponds to which of another.
//
// Contacts are a set: engines may find them in another order. Two contacts correspond if they join
// the same objects, and among those the nearest positions go together. Rows follow: those of a
// contact with it, all others by type, id and how many of that type and id came before. Places in
// island order follow from rows: an island holds its rows in their original order, and islands are
// numbered by their smallest tree, whatever the order of contacts.

#ifndef TESTS_CONFORMANCE_MATCHING_H_
#define TESTS_CONFORMANCE_MATCHING_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

typedef struct {
  int* contact;     // (a->ncon) number in b, -1: none
  int* row;         // (a->nefc) number in b, -1: none
  int* place;       // (a->nefc) place in b's island order for each of a's, -1: none
  int* own_place;   // (b->nefc) place that b's row must have in island order, -1: none
  bool same_order;  // contacts and rows are the same in number and order
} Matching;

Matching match_rows(const mjData* a, const mjData* b);
void matching_free(Matching* match);

#endif  // TESTS_CONFORMANCE_MATCHING_H_
