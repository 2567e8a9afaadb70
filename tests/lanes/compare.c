#include "lanes/compare.h"

#include <stdio.h>
#include <string.h>

#include "base/model/fields.h"

// An element of an array in words.
static void describe(char text[40], ct_ElementType type, const void* x) {
  switch (type) {
    case CT_TYPE_mjtNum:
      snprintf(text, 40, "%.17g", (double)*(const mjtNum*)x);
      break;
    case CT_TYPE_int:
      snprintf(text, 40, "%d", *(const int*)x);
      break;
    default:
      snprintf(text, 40, "0x%02x", *(const unsigned char*)x);
      break;
  }
}

static void note_difference(BitReport* report, const char* where, const char* array, size_t i,
                            const char* one, const char* other) {
  if (report->ndifferent++ == 0) {
    snprintf(report->first, sizeof(report->first), "%s%s[%zu] is %s, not %s", where, array, i,
             other, one);
  }
}

static void compare_array(BitReport* report, const char* where, const char* array,
                          ct_ElementType type, size_t element, const void* a, const void* b,
                          size_t bytes) {
  report->nfield++;
  if (!bytes || memcmp(a, b, bytes) == 0) return;
  size_t i = 0;
  while (memcmp((const char*)a + i, (const char*)b + i, element) == 0) i += element;
  char one[40], other[40];
  describe(one, type, (const char*)a + i);
  describe(other, type, (const char*)b + i);
  note_difference(report, where, array, i / element, one, other);
}

void compare_bytes(BitReport* report, const char* where, const char* array, const void* a,
                   const void* b, size_t size) {
  compare_array(report, where, array, CT_TYPE_char, 1, a, b, size);
}

void compare_ints(BitReport* report, const char* where, const char* array, const int* a,
                  const int* b, size_t n) {
  compare_array(report, where, array, CT_TYPE_int, sizeof(int), a, b, n * sizeof(int));
}

// Numbers come first in a contact, whole numbers behind them.
static void compare_contacts(BitReport* report, const char* where, const mjData* a,
                             const mjData* b) {
  for (int c = 0; c < a->ncon; c++) {
    const mjContact *one = a->contact + c, *other = b->contact + c;
    char name[40];
    snprintf(name, sizeof(name), "contact[%d] as numbers", c);
    compare_array(report, where, name, CT_TYPE_mjtNum, sizeof(mjtNum), one, other,
                  offsetof(mjContact, dim));
    snprintf(name, sizeof(name), "contact[%d] from dim on", c);
    compare_ints(report, where, name, &one->dim, &other->dim,
                 (offsetof(mjContact, efc_address) - offsetof(mjContact, dim)) / sizeof(int) + 1);
  }
}

void compare_data(BitReport* report, const char* where, const mjModel* m, const mjData* a,
                  const mjData* b) {
  for (int i = 0; i < ct_ndata_field; i++) {
    const ct_Field* f = ct_data_fields + i;
    compare_array(report, where, f->name, f->type, f->element, ct_field_array(f, a),
                  ct_field_array(f, b), ct_field_bytes(f, m, a));
  }
  compare_ints(report, where, "ncon", &a->ncon, &b->ncon, 1);
  if (a->ncon && a->ncon == b->ncon) compare_contacts(report, where, a, b);
}

// What the reference, and so the engine, leaves unset: indices of dense Jacobians, and room behind
// the islands.
static bool is_undefined(const ct_Field* f, const mjModel* m) {
  if (!strcmp(f->name, "efc_b")) return true;
  bool dense = m->opt.jacobian == mjJAC_DENSE || (m->opt.jacobian == mjJAC_AUTO && m->nv < 60);
  return (dense && strstr(f->name, "J_")) || !strncmp(f->name, "i", 1);
}

// Rows and islands that are left out of a count may be undefined, so that dense Jacobians end with
// the last row.
void compare_arena(BitReport* report, const char* where, const mjModel* m, const mjData* a,
                   const mjData* b, bool same_bytes_before) {
  compare_bytes(report, where, "parena", &a->parena, &b->parena, sizeof(size_t));
  compare_ints(report, where, "nefc", &a->nefc, &b->nefc, 1);
  if (a->nefc != b->nefc || a->parena != b->parena) return;
  for (int i = 0; i < ct_narena_field; i++) {
    const ct_Field* f = ct_arena_fields + i;
    const char *one = (const char*)ct_field_array(f, a), *other = (const char*)ct_field_array(f, b);
    if (!one || !other || f->type == CT_TYPE_mjContact) continue;
    if (!same_bytes_before && is_undefined(f, m)) continue;
    compare_array(report, where, f->name, f->type, f->element, one, other, ct_field_bytes(f, m, a));
  }
}

// Addresses, what only the host keeps, and how much scratch was used: some is taken per lane.
static bool is_incomparable(const ct_Member* member) {
  static const char* const names[] = {"pbase", "threadpool", "timer", "maxuse_stack",
                                      "maxuse_arena"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    if (!strcmp(member->name, names[i])) return true;
  }
  return strchr(member->type, '*') != NULL;
}

void compare_values(BitReport* report, const char* where, const mjData* a, const mjData* b) {
  for (int i = 0; i < ct_ndata_value; i++) {
    const ct_Member* member = ct_data_values + i;
    if (is_incomparable(member)) continue;
    bool number = !strcmp(member->type, "mjtNum"), whole = !strcmp(member->type, "int");
    compare_array(report, where, member->name,
                  number  ? CT_TYPE_mjtNum
                  : whole ? CT_TYPE_int
                          : CT_TYPE_char,
                  number || whole ? member->element : 1, (const char*)a + member->offset,
                  (const char*)b + member->offset, member->bytes);
  }
}
