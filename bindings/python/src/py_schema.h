// Arrays of mjModel and mjData as the schema lists them: names, shapes and documentation for
// properties of types.

#ifndef CORTEN_PY_SCHEMA_H_
#define CORTEN_PY_SCHEMA_H_

#include "py_arrays.h"

typedef struct ctpy_SchemaField_ {
  const char* name;
  size_t at;          // of the pointer in its struct
  int type;           // ct_BatchType; -1: nothing for Python, such as text
  size_t rows;        // of the size in mjModel
  int factor;         // columns that are always there
  ptrdiff_t columns;  // times this size in mjModel; -1: no more
  const char* doc;
} ctpy_SchemaField;

extern const ctpy_SchemaField ctpy_model_arrays[];
extern const int ctpy_nmodel_array;
extern const ctpy_SchemaField ctpy_data_arrays[];
extern const int ctpy_ndata_array;

typedef struct ctpy_SchemaSize_ {
  const char* name;
  size_t at;
  const char* doc;
} ctpy_SchemaSize;

extern const ctpy_SchemaSize ctpy_sizes[];
extern const int ctpy_nsize;

// The value of a size.
mjtSize ctpy_size_in(const mjModel* m, size_t at);

// Properties of a type for `count` fields, with shape and meaning as their documentation; `get`
// finds its field as closure. Returns how many there are, at most `room`; -1 with MemoryError.
int ctpy_schema_properties(PyGetSetDef* to, int room, const ctpy_SchemaField* field, int count,
                           getter get);

// A NumPy array on an array of `from`, an mjModel or mjData of model m, whose memory `owner` keeps
// alive. NULL with an exception.
PyObject* ctpy_schema_array(PyObject* owner, const ctpy_SchemaField* field, const mjModel* m,
                            const void* from, bool readonly);

#endif  // CORTEN_PY_SCHEMA_H_
