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

// A type of numbers, as the protocols of arrays name it.
typedef struct ctpy_Number_ {
  int type;
  char format;       // of the module struct, which the buffer protocol speaks
  const char* same;  // other formats with the same meaning, if the number of bytes agrees
  int bytes;
  const char* name;  // as NumPy has it
  char kind;         // of the array interface
} ctpy_Number;

// The type _Array: what NumPy, PyTorch and the like look into.
typedef struct ctpy_Array_ {
  PyObject_HEAD;
  PyObject* owner;  // of the numbers; NULL: this object itself
  char* data;
  ctpy_Shape shape;
  Py_ssize_t strides[CTPY_MAX_AXES];  // bytes
  const ctpy_Number* number;
  char format[2];
  bool readonly;
  int device;     // number of the GPU that has the memory; CTPY_HOST
  bool borrowed;  // memory of a GPU that is only passed on
} ctpy_Array;

#define CTPY_HOST (-1)

// Where a batch has its memory, and what mjtNum is there.
typedef struct ctpy_Place_ {
  int device;        // number of a GPU; CTPY_HOST
  bool single;       // numbers of the device are float; those of the host are what they are
  PyObject* memory;  // the batch's (py_batch.h), not held by it; NULL: the host, whatever the batch
} ctpy_Place;

// Streams of CUDA as DLPack names them: addresses, but for these.
#define CTPY_OWN_STREAM 0
#define CTPY_DEFAULT_STREAM 1

extern const ctpy_Place ctpy_host;

int ctpy_add_array(PyObject* module);

// The numbers of a kind and size; NULL: there are none here.
const ctpy_Number* ctpy_number_of_kind(char kind, int bytes);

// Number of bytes; -1, with MemoryError, if there is no such number.
Py_ssize_t ctpy_bytes(const ctpy_Shape* shape, int type);

// A new array of zeros and where its numbers lie. NULL with an exception.
PyObject* ctpy_new_array(const ctpy_Shape* shape, int type, void** data);

// An array on memory of `owner`, whose rows lie `stride` bytes apart. Memory of a device, which is
// that GPU's, stays there: the object has __cuda_array_interface__ and __dlpack__ and is not a
// NumPy array. NumPy hides the owner from Python's collector of cycles, so it must not lead to
// anything.
PyObject* ctpy_view_array(PyObject* owner, const ctpy_Shape* shape, const ct_BatchView* view,
                          int type, bool readonly, int device);

// An array on memory that `owner` keeps alive, as somebody else has described it: sizes, and
// strides in bytes, NULL for C order. NULL with a TypeError or ValueError that names the argument.
typedef struct ctpy_Foreign_ {
  PyObject* owner;
  void* data;
  char kind;
  int bytes, axes;
  const int64_t *size, *stride;
  bool readonly, on_device;
} ctpy_Foreign;
PyObject* ctpy_foreign_array(const char* argument, const ctpy_Foreign* foreign);

// An array on what an object shows by __cuda_array_interface__ or __dlpack__; where the memory is
// must be where the batch is, and its stream comes after what the numbers wait for. NULL with an
// exception, or without one if the object knows neither.
PyObject* ctpy_borrow(PyObject* object, const char* argument, const ctpy_Place* place);

// The methods __dlpack__ and __dlpack_device__ of an _Array.
PyObject* ctpy_dlpack(ctpy_Array* a, PyObject* arguments, PyObject* names);
PyObject* ctpy_dlpack_device(ctpy_Array* a, PyObject* nothing);

// numpy.asarray of either; the reference to the argument is taken. NULL stays NULL.
PyObject* ctpy_to_numpy(PyObject* array);

// Opens an array that was passed as `argument`: right type, right shape, one block in C order, in
// memory of the host or of the batch's GPU. It comes by the buffer protocol, by
// __cuda_array_interface__ or by __dlpack__. In a shape -1 takes any size and has it afterwards;
// not on the last axis.
// 0, or -1 with an exception that names the argument; then there is nothing to release.
int ctpy_open(PyObject* object, const char* argument, int type, ctpy_Shape* shape, bool writable,
              const ctpy_Place* place, Py_buffer* buffer);

// The same for a mask of n environments; None leaves buffer->buf NULL.
int ctpy_open_mask(PyObject* object, Py_ssize_t n, const ctpy_Place* place, Py_buffer* buffer);

#endif  // CORTEN_PY_ARRAYS_H_
