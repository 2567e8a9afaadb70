#include "base/model/fields.h"

#include <string.h>

#include "base/private.h"

// How the schema's columns become initialisers. Each expands to the members named beside it.
#define BY(n_) n_, CT_NO_MEMBER                               // factor, columns
#define BY_SIZE(size_) 1, offsetof(mjModel, size_)            // factor, columns
#define BY_TIMES(n_, size_) n_, offsetof(mjModel, size_)      // factor, columns
#define MODEL(size_) false, offsetof(mjModel, size_), #size_  // rows_in_data, rows, rows_name
#define DATA(count_) true, offsetof(mjData, count_), #count_  // rows_in_data, rows, rows_name
#define NOTHING \
  { CT_TARGET_NOTHING, "", CT_NO_MEMBER, CT_NO_MEMBER }
#define ENUM(enum_) \
  { CT_TARGET_ENUM, #enum_, CT_NO_MEMBER, CT_NO_MEMBER }
#define ID(size_) \
  { CT_TARGET_ID, #size_, offsetof(mjModel, size_), CT_NO_MEMBER }
#define SPAN(size_, count_) \
  { CT_TARGET_SPAN, #size_, offsetof(mjModel, size_), offsetof(mjModel, count_) }
#define UNCHECKED(size_) \
  { CT_TARGET_UNCHECKED, #size_, offsetof(mjModel, size_), CT_NO_MEMBER }

#define COUNT(array_) ((int)(sizeof(array_) / sizeof((array_)[0])))

// What a field of either struct has in common, up to the rows.
#define FIELD(owner_, type_, name_, doc_) \
#name_, doc_, __LINE__, CT_TYPE_##type_, sizeof(type_), offsetof(owner_, name_)
#define MEMBER(owner_, type_, name_, doc_) \
  { #name_, doc_, #type_, offsetof(owner_, name_), sizeof(((owner_*)NULL)->name_), sizeof(type_) }

const ct_Member ct_model_sizes[] = {
#define MODEL_SIZE(name, doc) MEMBER(mjModel, mjtSize, name, doc),
#include "model.def"
};
const int ct_nmodel_size = COUNT(ct_model_sizes);

const ct_Field ct_model_fields[] = {
#define MODEL_ARRAY(type, name, rows, cols, target, doc) \
  {FIELD(mjModel, type, name, doc), MODEL(rows), cols, target, ""},
#include "model.def"
};
const int ct_nmodel_field = COUNT(ct_model_fields);

const ct_Group ct_model_groups[] = {
#define MODEL_GROUP(tag, title) {__LINE__, #tag, title},
#include "model.def"
};
const int ct_nmodel_group = COUNT(ct_model_groups);

const ct_Member ct_data_values[] = {
#define DATA_VALUE(type, name, extent, doc) MEMBER(mjData, type, name, doc),
#include "data.def"
};
const int ct_ndata_value = COUNT(ct_data_values);

const ct_Field ct_data_fields[] = {
#define DATA_ARRAY(type, name, rows, cols, stage, doc) \
  {FIELD(mjData, type, name, doc), MODEL(rows), cols, NOTHING, #stage},
#include "data.def"
};
const int ct_ndata_field = COUNT(ct_data_fields);

const ct_Field ct_arena_fields[] = {
#define DATA_ARENA(type, name, rows, cols, stage, placed, doc) \
  {FIELD(mjData, type, name, doc), rows, cols, NOTHING, #stage},
#include "data.def"
};
const int ct_narena_field = COUNT(ct_arena_fields);

// The numbers stand in every .mjb file; a schema that disagrees with them makes unreadable files.
_Static_assert(sizeof(ct_model_sizes) / sizeof(ct_Member) == CT_NMODEL_SIZE, "sizes of .mjb");
_Static_assert(sizeof(ct_model_fields) / sizeof(ct_Field) == CT_NMODEL_ARRAY, "arrays of .mjb");

mjtSize ct_field_rows(const ct_Field* f, const mjModel* m, const mjData* d) {
  if (f->rows_in_data) return *(const int*)((const char*)d + f->rows);
  return ct_model_size(m, f->rows);
}

mjtSize ct_field_columns(const ct_Field* f, const mjModel* m) {
  return f->factor * (f->columns == CT_NO_MEMBER ? 1 : ct_model_size(m, f->columns));
}

size_t ct_field_bytes(const ct_Field* f, const mjModel* m, const mjData* d) {
  return (size_t)ct_field_rows(f, m, d) * (size_t)ct_field_columns(f, m) * f->element;
}

bool ct_field_bytes_checked(const ct_Field* f, const mjModel* m, size_t* bytes) {
  mjtSize rows = ct_model_size(m, f->rows), columns = 1;
  if (f->columns != CT_NO_MEMBER) columns = ct_model_size(m, f->columns);
  if (rows < 0 || columns < 0) return false;
  size_t n = (size_t)rows;
  return !__builtin_mul_overflow(n, (size_t)columns, &n) &&
         !__builtin_mul_overflow(n, (size_t)f->factor, &n) &&
         !__builtin_mul_overflow(n, f->element, bytes);
}

void ct_rebase_fields(const ct_Field* fields, int nfield, void* dest, void* to_block,
                      const void* src, const void* from_block) {
  for (int i = 0; i < nfield; i++) {
    const char* from = (const char*)ct_field_array(fields + i, src);
    *ct_field_pointer(fields + i, dest) =
        from ? (char*)to_block + (from - (const char*)from_block) : NULL;
  }
}

const ct_Group* ct_field_group(const ct_Field* f, const ct_Group* groups, int ngroup) {
  const ct_Group* found = groups;
  for (int i = 0; i < ngroup && groups[i].line < f->line; i++) found = groups + i;
  return found;
}

bool ct_field_unseen(const ct_Field* f) {
  static const char* const unseen[] = {
#define UNSEEN(name) #name,
#include "unseen.def"
  };
  for (size_t i = 0; i < sizeof(unseen) / sizeof(unseen[0]); i++) {
    if (!strcmp(f->name, unseen[i])) return true;
  }
  return false;
}

bool ct_fields_have_room(const ct_Field* fields, int nfield, const mjModel* m, const void* owner,
                         const void* buffer, size_t nbuffer) {
  uintptr_t begin = (uintptr_t)buffer, end = begin + nbuffer;
  for (int i = nfield - 1; i >= 0; i--) {
    uintptr_t at = (uintptr_t)ct_field_array(fields + i, owner);
    size_t bytes;
    if (at < begin || at > begin + nbuffer) continue;
    if (!ct_field_bytes_checked(fields + i, m, &bytes) || at > end || bytes > end - at)
      return false;
    end = at;  // where the one before has to end
  }
  return true;
}

bool ct_place_fields(const ct_Field* fields, int nfield, const mjModel* m, void* owner,
                     void* buffer, size_t* nbuffer) {
  // far enough below the largest number that rounding up cannot wrap
  const size_t limit = (size_t)PTRDIFF_MAX - CT_ALIGN;
  size_t end = 0;
  for (int i = 0; i < nfield; i++) {
    size_t bytes, start = CT_ALIGN_UP(end);
    if (!ct_field_bytes_checked(fields + i, m, &bytes)) return false;
    if (start > limit || bytes > limit - start) return false;
    if (buffer) *ct_field_pointer(fields + i, owner) = (char*)buffer + start;
    end = start + bytes;
  }
  *nbuffer = end;
  return true;
}
