#include "conformance/matching.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool same_objects(const mjContact* a, const mjContact* b) {
  return !memcmp(a->geom, b->geom, sizeof(a->geom)) && !memcmp(a->flex, b->flex, sizeof(a->flex)) &&
         !memcmp(a->elem, b->elem, sizeof(a->elem)) && !memcmp(a->vert, b->vert, sizeof(a->vert));
}

static double distance(const mjContact* a, const mjContact* b) {
  double d = 0;
  for (int k = 0; k < 3; k++) d += fabs((double)(a->pos[k] - b->pos[k]));
  return d;
}

// Greedy: each contact of a takes the nearest free one of b. The usual case, equal order, costs one
// look.
static void match_contacts(Matching* match, const mjData* a, const mjData* b) {
  bool* taken = (bool*)calloc((size_t)b->ncon + 1, sizeof(bool));
  for (int i = 0; i < a->ncon; i++) {
    int best = -1;
    double nearest = 0.01;  // farther apart they are different contacts
    bool in_place = i < b->ncon && !taken[i] && same_objects(a->contact + i, b->contact + i) &&
                    distance(a->contact + i, b->contact + i) < 1e-9;
    if (in_place) best = i;
    for (int j = 0; j < b->ncon && !in_place; j++) {
      if (taken[j] || !same_objects(a->contact + i, b->contact + j)) continue;
      double d = distance(a->contact + i, b->contact + j);
      if (d < nearest) {
        nearest = d;
        best = j;
      }
    }
    match->contact[i] = best;
    if (best >= 0) taken[best] = true;
    if (best != i) match->same_order = false;
  }
  free(taken);
}

static bool is_contact_row(int type) {
  return type == mjCNSTR_CONTACT_FRICTIONLESS || type == mjCNSTR_CONTACT_PYRAMIDAL ||
         type == mjCNSTR_CONTACT_ELLIPTIC;
}

// Rows of one constraint are consecutive: position of row i within its run.
static int place_in_run(const mjData* d, int i) {
  int k = 0;
  while (i - k > 0 && d->efc_type[i - k - 1] == d->efc_type[i] &&
         d->efc_id[i - k - 1] == d->efc_id[i]) {
    k++;
  }
  return k;
}

// First row of b of this type and id, looked for from a hint onwards, with wrap-around.
static int first_row(const mjData* b, int type, int id, int hint) {
  for (int n = 0; n < b->nefc; n++) {
    int j = (hint + n) % b->nefc;
    if (b->efc_type[j] == type && b->efc_id[j] == id) return j - place_in_run(b, j);
  }
  return -1;
}

static void match_efc(Matching* match, const mjData* a, const mjData* b) {
  for (int i = 0; i < a->nefc; i++) {
    int id = a->efc_id[i], type = a->efc_type[i];
    if (is_contact_row(type)) id = id >= 0 && id < a->ncon ? match->contact[id] : -1;
    int place = place_in_run(a, i), hint = i - place < b->nefc ? i - place : 0;
    int first = id < 0 || !b->nefc ? -1 : first_row(b, type, id, hint);
    int j = first < 0 ? -1 : first + place;
    bool fits = j >= 0 && j < b->nefc && b->efc_type[j] == type && b->efc_id[j] == id;
    match->row[i] = fits ? j : -1;
    if (match->row[i] != i) match->same_order = false;
  }
}

// The place of every row of d in island order: islands one after the other, rows as they come.
static void place_rows(const mjData* d, int* place) {
  for (int i = 0; i < d->nefc; i++) place[i] = -1;
  if (d->nisland <= 0 || !d->efc_island) return;
  int next = 0;
  for (int k = 0; k < d->nisland; k++) {
    for (int i = 0; i < d->nefc; i++) {
      if (d->efc_island[i] == k) place[i] = next++;
    }
  }
}

static void match_places(Matching* match, const mjData* a, const mjData* b) {
  place_rows(b, match->own_place);
  int* theirs = (int*)calloc((size_t)a->nefc + 1, sizeof(int));
  place_rows(a, theirs);
  for (int i = 0; i < a->nefc; i++) match->place[i] = -1;
  for (int i = 0; i < a->nefc; i++) {
    if (theirs[i] >= 0 && match->row[i] >= 0) {
      match->place[theirs[i]] = match->own_place[match->row[i]];
    }
  }
  free(theirs);
}

Matching match_rows(const mjData* a, const mjData* b) {
  Matching match;
  match.contact = (int*)calloc((size_t)a->ncon + 1, sizeof(int));
  match.row = (int*)calloc((size_t)a->nefc + 1, sizeof(int));
  match.place = (int*)calloc((size_t)a->nefc + 1, sizeof(int));
  match.own_place = (int*)calloc((size_t)b->nefc + 1, sizeof(int));
  match.same_order = a->ncon == b->ncon && a->nefc == b->nefc;
  match_contacts(&match, a, b);
  match_efc(&match, a, b);
  match_places(&match, a, b);
  return match;
}

void matching_free(Matching* match) {
  free(match->contact);
  free(match->row);
  free(match->place);
  free(match->own_place);
}
