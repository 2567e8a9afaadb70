// The members of mjModel and mjData as tables, expanded from schema/model.def and schema/data.def.
//
// Whatever treats all arrays alike (allocating, copying, saving, validating, printing) loops over
// these tables, so a new member is one line in the schema and nothing else.

#ifndef CT_BASE_MODEL_FIELDS_H_
#define CT_BASE_MODEL_FIELDS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mujoco/mujoco.h>

typedef enum ct_ElementType_ {  // named after the C type, so that the schema's type column selects
                                // it
  CT_TYPE_char,
  CT_TYPE_mjtByte,
  CT_TYPE_int,
  CT_TYPE_mjtSize,
  CT_TYPE_float,
  CT_TYPE_mjtNum,
  CT_TYPE_uintptr_t,
  CT_TYPE_mjContact,
} ct_ElementType;

typedef enum ct_TargetKind_ {
  CT_TARGET_NOTHING,    // entries are numbers
  CT_TARGET_ENUM,       // entries are values or bits of an enum
  CT_TARGET_ID,         // entries are indices, -1: none
  CT_TARGET_SPAN,       // entries are the first of a run; another array has its length
  CT_TARGET_UNCHECKED,  // entries are indices that the reference does not check as such
} ct_TargetKind;

typedef struct ct_Target_ {  // what the entries of an array mean
  ct_TargetKind kind;
  const char* name;  // the size or enum as the schema spells it; "" for numbers
  size_t size;       // offset of the size in mjModel that indices stay below
  size_t count;      // SPAN: offset of the pointer to the lengths in mjModel
} ct_Target;

// Offset that stands for "no such member". Offset 0 is mjModel.nq and therefore taken.
#define CT_NO_MEMBER SIZE_MAX

typedef struct ct_Field_ {  // one array of mjModel or mjData
  const char* name;
  const char* doc;
  int line;  // of the schema; orders fields and groups
  ct_ElementType type;
  size_t element;     // bytes of one element
  size_t offset;      // of the pointer in its struct
  bool rows_in_data;  // the row count is an int in mjData, not a mjtSize in mjModel
  size_t rows;        // offset of the row count
  const char* rows_name;
  int factor;         // columns = factor * the size at `columns`
  size_t columns;     // offset of a size in mjModel, or CT_NO_MEMBER for 1
  ct_Target target;   // mjModel only
  const char* stage;  // mjData only: who writes it
} ct_Field;

typedef struct ct_Member_ {  // one member that is not an array in a memory block
  const char* name;
  const char* doc;
  const char* type;  // C type as written, without extent
  size_t offset;
  size_t bytes;    // extent included
  size_t element;  // bytes of one element of its extent
} ct_Member;

typedef struct ct_Group_ {
  int line;
  const char* tag;  // such as BODY
  const char* title;
} ct_Group;

#define CT_NMODEL_SIZE 89
#define CT_NMODEL_ARRAY 456

extern const ct_Member ct_model_sizes[];  // mjtSize members in the order of .mjb
extern const int ct_nmodel_size;
extern const ct_Field ct_model_fields[];  // arrays in the buffer of a model
extern const int ct_nmodel_field;
extern const ct_Group ct_model_groups[];
extern const int ct_nmodel_group;

extern const ct_Member ct_data_values[];  // members of mjData that are not arrays in a memory block
extern const int ct_ndata_value;
extern const ct_Field ct_data_fields[];  // arrays in the buffer of an mjData
extern const int ct_ndata_field;
extern const ct_Field ct_arena_fields[];  // arrays in its arena
extern const int ct_narena_field;

// The size at an offset of mjModel.
static inline mjtSize ct_model_size(const mjModel* m, size_t offset) {
  return *(const mjtSize*)((const char*)m + offset);
}

// Rows and columns of an array. d may be NULL for fields of mjModel and buffer fields of mjData.
mjtSize ct_field_rows(const ct_Field* f, const mjModel* m, const mjData* d);
mjtSize ct_field_columns(const ct_Field* f, const mjModel* m);

// Bytes of an array of a model whose sizes are known to be good.
size_t ct_field_bytes(const ct_Field* f, const mjModel* m, const mjData* d);

// The same for sizes from outside; false if a factor is negative or the product does not fit.
bool ct_field_bytes_checked(const ct_Field* f, const mjModel* m, size_t* bytes);

// The pointer member of this field in a struct (mjModel or mjData, as the table says).
static inline void** ct_field_pointer(const ct_Field* f, void* owner) {
  return (void**)((char*)owner + f->offset);
}

static inline const void* ct_field_array(const ct_Field* f, const void* owner) {
  return *(void* const*)((const char*)owner + f->offset);
}

// Points the arrays of dest at the places in to_block that those of src have in from_block. NULL
// stays NULL.
void ct_rebase_fields(const ct_Field* fields, int nfield, void* dest, void* to_block,
                      const void* src, const void* from_block);

// The group that a field of the table stands in.
const ct_Group* ct_field_group(const ct_Field* f, const ct_Group* groups, int ngroup);

// Is this an array that no picture needs (schema/unseen.def)? Copies for visualisation leave it
// out.
bool ct_field_unseen(const ct_Field* f);

// Has every array of owner room where it lies in the buffer, by the sizes of m? It may be shorter
// than it was made; one that lies elsewhere is the caller's business.
bool ct_fields_have_room(const ct_Field* fields, int nfield, const mjModel* m, const void* owner,
                         const void* buffer, size_t nbuffer);

// Places all arrays of a table one after the other, each at the next multiple of 64 bytes, and
// returns the end of the last: the nbuffer of the struct. With owner and buffer given, sets the
// pointers. Returns false if the sizes do not fit into memory.
bool ct_place_fields(const ct_Field* fields, int nfield, const mjModel* m, void* owner,
                     void* buffer, size_t* nbuffer);

#endif  // CT_BASE_MODEL_FIELDS_H_
