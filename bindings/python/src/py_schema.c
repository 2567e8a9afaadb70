#include "py_schema.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// What an array holds for Python. Text and addresses are nothing for it.
#define TYPE_OF(pointer_) \
  _Generic((pointer_),       \
      mjtNum*: CT_NUMBER,    \
      int*: CT_INT,          \
      mjtByte*: CT_BYTE,     \
      mjtSize*: CT_SIZE,     \
      default: sizeof(mjtNum) != sizeof(float) && IS_FLOAT(pointer_) ? CT_FLOAT : -1)
#define IS_FLOAT(pointer_) _Generic((pointer_), float* : 1, default : 0)
// clang-format off
#define MEMBER(struct_, name_) offsetof(struct_, name_), TYPE_OF(((struct_*)0)->name_)
#define SIZE_AT(name_) offsetof(mjModel, name_)

// Columns of a row: a number that is always there, and a size of the model that it is multiplied with.
#define BY(n_) n_, -1
#define BY_SIZE(size_) 1, (ptrdiff_t)SIZE_AT(size_)
#define BY_TIMES(n_, size_) n_, (ptrdiff_t)SIZE_AT(size_)

const ctpy_SchemaField ctpy_model_arrays[] = {
#define MODEL_ARRAY(type_, name_, rows_, cols_, target_, doc_) \
  {#name_, MEMBER(mjModel, name_), SIZE_AT(rows_), cols_, doc_},
#include "model.def"
};
const int ctpy_nmodel_array = sizeof(ctpy_model_arrays) / sizeof(ctpy_model_arrays[0]);

const ctpy_SchemaField ctpy_data_arrays[] = {
#define DATA_ARRAY(type_, name_, rows_, cols_, stage_, doc_) \
  {#name_, MEMBER(mjData, name_), SIZE_AT(rows_), cols_, doc_},
#include "data.def"
};
const int ctpy_ndata_array = sizeof(ctpy_data_arrays) / sizeof(ctpy_data_arrays[0]);

const ctpy_SchemaSize ctpy_sizes[] = {
#define MODEL_SIZE(name_, doc_) {#name_, SIZE_AT(name_), doc_ "."},
#include "model.def"
};
const int ctpy_nsize = sizeof(ctpy_sizes) / sizeof(ctpy_sizes[0]);
// clang-format on

mjtSize ctpy_size_in(const mjModel* m, size_t at) {
  mjtSize size;
  memcpy(&size, (const char*)m + at, sizeof(size));
  return size;
}

static const char* size_name(size_t at) {
  for (int i = 0; i < ctpy_nsize; i++) {
    if (ctpy_sizes[i].at == at) return ctpy_sizes[i].name;
  }
  return "?";
}

// Shape and meaning, as a text that stays; NULL with MemoryError.
static const char* document(const ctpy_SchemaField* field) {
  char columns[100] = "";
  if (field->columns >= 0 && field->factor != 1) {
    snprintf(columns, sizeof(columns), ", %d %s", field->factor, size_name((size_t)field->columns));
  } else if (field->columns >= 0) {
    snprintf(columns, sizeof(columns), ", %s", size_name((size_t)field->columns));
  } else if (field->factor != 1) {
    snprintf(columns, sizeof(columns), ", %d", field->factor);
  }
  const char* rows = size_name(field->rows);
  size_t room = strlen(rows) + strlen(columns) + strlen(field->doc) + 10;
  char* text = (char*)malloc(room);
  if (!text) {
    PyErr_NoMemory();
    return NULL;
  }
  snprintf(text, room, "(%s%s): %s.", rows, *columns ? columns : ",", field->doc);
  return text;
}

int ctpy_schema_properties(PyGetSetDef* to, int room, const ctpy_SchemaField* field, int count,
                           getter get) {
  int n = 0;
  for (int i = 0; i < count && n < room; i++) {
    if (field[i].type < 0) continue;
    const char* doc = document(field + i);
    if (!doc) return -1;
    to[n++] = (PyGetSetDef){field[i].name, get, NULL, doc, (void*)(uintptr_t)(field + i)};
  }
  return n;
}

PyObject* ctpy_schema_array(PyObject* owner, const ctpy_SchemaField* field, const mjModel* m,
                            const void* from, bool readonly) {
  static const int bytes[] = {
      [CT_NUMBER] = sizeof(mjtNum), [CT_FLOAT] = sizeof(float),  [CT_INT] = sizeof(int),
      [CT_BYTE] = sizeof(mjtByte),  [CT_SIZE] = sizeof(mjtSize),
  };
  mjtSize columns = field->columns < 0 ? 1 : ctpy_size_in(m, (size_t)field->columns);
  columns *= field->factor;
  ctpy_Shape shape = {2, {(Py_ssize_t)ctpy_size_in(m, field->rows), (Py_ssize_t)columns, 0}};
  if (field->columns < 0 && field->factor == 1) shape.axes = 1;
  void* nothing;
  if (!shape.size[0] || !columns) {
    return ctpy_to_numpy(ctpy_new_array(&shape, field->type, &nothing));
  }
  ct_BatchView view = {.element = bytes[field->type]};
  memcpy(&view.data, (const char*)from + field->at, sizeof(view.data));
  view.stride = (size_t)columns * (size_t)view.element;
  return ctpy_to_numpy(ctpy_view_array(owner, &shape, &view, field->type, readonly, CTPY_HOST));
}
