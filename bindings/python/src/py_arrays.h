// Arrays between Python and the library: numbers that go in are checked, numbers that come out are
// NumPy arrays on memory of a batch or of their own.

#ifndef CORTEN_PY_ARRAYS_H_
#define CORTEN_PY_ARRAYS_H_

#include "py_module.h"

#define CTPY_MAX_AXES 3

// What an array holds: a ct_BatchType, or a truth value of one byte.
#define CTPY_BOOL 100

typedef struct ctpy_Shape_ {
  int axes;
  Py_ssize_t size[CTPY_MAX_AXES];
} ctpy_Shape;

int ctpy_add_array(PyObject* module);

// Number of bytes; -1, with MemoryError, if there is no such number.
Py_ssize_t ctpy_bytes(const ctpy_Shape* shape, int type);

// A new array of zeros and where its numbers lie. NULL with an exception.
PyObject* ctpy_new_array(const ctpy_Shape* shape, int type, void** data);

// An array on memory of `owner`, whose rows lie `stride` bytes apart. `release` is called with the
// owner when the array dies. Memory of a device stays there: the object has
// __cuda_array_interface__ and is not a NumPy array.
PyObject* ctpy_view_array(PyObject* owner, void (*release)(PyObject* owner),
                          const ctpy_Shape* shape, const ct_BatchView* view, int type,
                          bool readonly);

// numpy.asarray of either; the reference to the argument is taken. NULL stays NULL.
PyObject* ctpy_to_numpy(PyObject* array);

// Opens an array that was passed as `argument`: right type, right shape, one block in C order. In
// a shape -1 takes any size and has it afterwards; not on the last axis.
// 0, or -1 with an exception that names the argument; then there is nothing to release.
int ctpy_open(PyObject* object, const char* argument, int type, ctpy_Shape* shape, bool writable,
              Py_buffer* buffer);

// The same for a mask of n environments; None leaves buffer->buf NULL.
int ctpy_open_mask(PyObject* object, Py_ssize_t n, Py_buffer* buffer);

#endif  // CORTEN_PY_ARRAYS_H_
