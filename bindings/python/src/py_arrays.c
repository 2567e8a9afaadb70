#include "py_arrays.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Types of numbers

typedef struct {
  int type;
  char format;       // of the module struct, which the buffer protocol speaks
  const char* same;  // other formats with the same meaning, if the number of bytes agrees
  int bytes;
  const char* name;  // as NumPy has it
  char kind;         // of the array interface
} Number;

static const Number numbers[] = {
    {CT_NUMBER, sizeof(mjtNum) == 8 ? 'd' : 'f', "", sizeof(mjtNum),
     sizeof(mjtNum) == 8 ? "float64" : "float32", 'f'},
    {CT_FLOAT, 'f', "", sizeof(float), "float32", 'f'},
    {CT_INT, 'i', "l", sizeof(int), "int32", 'i'},
    {CT_BYTE, 'B', "?b", 1, "uint8", 'u'},
    {CT_SIZE, 'q', "ln", sizeof(mjtSize), "int64", 'i'},
    {CTPY_BOOL, '?', "Bb", 1, "bool", 'b'},
};

static const Number* number_of(int type) {
  const Number* number = numbers;
  while (number->type != type) number++;
  return number;
}

static bool format_is(const Number* number, const Py_buffer* buffer) {
  const char* format = buffer->format ? buffer->format : "B";
  if (*format == '@' || *format == '=') format++;
  if (!format[0] || format[1] || buffer->itemsize != number->bytes) return false;
  return format[0] == number->format || strchr(number->same, format[0]);
}

Py_ssize_t ctpy_bytes(const ctpy_Shape* shape, int type) {
  Py_ssize_t bytes = number_of(type)->bytes;
  for (int i = 0; i < shape->axes; i++) {
    if (__builtin_mul_overflow(bytes, shape->size[i], &bytes)) {
      PyErr_SetString(PyExc_MemoryError, "an array of this size cannot be");
      return -1;
    }
  }
  return bytes;
}

// The type _Array: what NumPy looks into

typedef struct {
  PyObject_HEAD;
  PyObject* owner;  // of the numbers; NULL: this object itself
  void (*release)(PyObject* owner);
  char* data;
  ctpy_Shape shape;
  Py_ssize_t strides[CTPY_MAX_AXES];
  const Number* number;
  char format[2];
  bool readonly, on_device;
} Array;

static PyTypeObject* array_type = NULL;

static Array* new_object(const ctpy_Shape* shape, int type) {
  Array* a = PyObject_New(Array, array_type);
  if (!a) return NULL;
  a->owner = NULL;
  a->release = NULL;
  a->data = NULL;
  a->shape = *shape;
  a->number = number_of(type);
  a->format[0] = a->number->format;
  a->format[1] = 0;
  a->readonly = a->on_device = false;
  Py_ssize_t stride = a->number->bytes;
  for (int i = shape->axes - 1; i >= 0; i--) {
    a->strides[i] = stride;
    stride *= shape->size[i];
  }
  return a;
}

PyObject* ctpy_new_array(const ctpy_Shape* shape, int type, void** data) {
  Py_ssize_t bytes = ctpy_bytes(shape, type);
  Array* a = bytes < 0 ? NULL : new_object(shape, type);
  if (!a) return NULL;
  a->data = (char*)calloc((size_t)bytes + 1, 1);  // not NULL where there is nothing to hold
  if (!a->data) {
    Py_DECREF(a);
    return PyErr_NoMemory();
  }
  *data = a->data;
  return (PyObject*)a;
}

PyObject* ctpy_view_array(PyObject* owner, void (*release)(PyObject* owner),
                          const ctpy_Shape* shape, const ct_BatchView* view, int type,
                          bool readonly) {
  // a GPU may compute in float where the host has double
  if (type == CT_NUMBER && view->element == (int)sizeof(float)) type = CT_FLOAT;
  Array* a = new_object(shape, type);
  if (!a) return NULL;
  a->owner = Py_NewRef(owner);
  a->release = release;
  a->data = (char*)view->data;
  a->strides[0] = (Py_ssize_t)view->stride;
  a->readonly = readonly;
  a->on_device = view->on_device != 0;
  return (PyObject*)a;
}

static void delete_array(Array* a) {
  PyTypeObject* type = Py_TYPE((PyObject*)a);
  if (a->owner) {
    a->release(a->owner);
    Py_DECREF(a->owner);
  } else {
    free(a->data);
  }
  PyObject_Free(a);
  Py_DECREF(type);
}

static bool asks_for(int flags, int what) {
  return (flags & what) == what;
}

static int export_array(Array* a, Py_buffer* view, int flags) {
  const char* refusal = NULL;
  view->obj = NULL;
  if (a->on_device) refusal = "the array is in memory of a GPU; use __cuda_array_interface__";
  if (a->readonly && asks_for(flags, PyBUF_WRITABLE)) refusal = "the array is read-only";

  view->buf = a->data;
  view->itemsize = a->number->bytes;
  view->ndim = a->shape.axes;
  view->len = view->itemsize;
  for (int i = 0; i < view->ndim; i++) view->len *= a->shape.size[i];
  view->format = a->format;
  view->shape = a->shape.size;
  view->strides = a->strides;
  view->suboffsets = NULL;
  view->internal = NULL;
  view->readonly = a->readonly;

  bool in_order = PyBuffer_IsContiguous(view, 'C') != 0;
  bool wants_order = !asks_for(flags, PyBUF_STRIDES) || asks_for(flags, PyBUF_C_CONTIGUOUS) ||
                     asks_for(flags, PyBUF_ANY_CONTIGUOUS);
  if (wants_order && !in_order) refusal = "the rows of the array do not follow one another";
  if (asks_for(flags, PyBUF_F_CONTIGUOUS) && !PyBuffer_IsContiguous(view, 'F')) {
    refusal = "the array is not in Fortran order";
  }
  if (refusal) {
    PyErr_SetString(PyExc_BufferError, refusal);
    return -1;
  }
  if (!asks_for(flags, PyBUF_FORMAT)) view->format = NULL;
  if (!asks_for(flags, PyBUF_STRIDES)) view->strides = NULL;
  if (!asks_for(flags, PyBUF_ND)) view->shape = NULL;
  view->obj = Py_NewRef((PyObject*)a);
  return 0;
}

static PyObject* tuple_of(const Py_ssize_t* sizes, int n) {
  PyObject* tuple = PyTuple_New(n);
  for (int i = 0; tuple && i < n; i++) {
    PyObject* size = PyLong_FromSsize_t(sizes[i]);
    if (!size || PyTuple_SetItem(tuple, i, size)) Py_CLEAR(tuple);
  }
  return tuple;
}

static PyObject* cuda_interface(Array* a, void* closure) {
  (void)closure;
  if (!a->on_device) {
    PyErr_SetString(PyExc_AttributeError, "the array is in memory of the host");
    return NULL;
  }
  char type[8];
  snprintf(type, sizeof(type), "%c%c%d", a->number->bytes == 1 ? '|' : '<', a->number->kind,
           a->number->bytes);
  PyObject* shape = tuple_of(a->shape.size, a->shape.axes);
  PyObject* strides = tuple_of(a->strides, a->shape.axes);
  PyObject* data = PyLong_FromVoidPtr(a->data);
  PyObject* result = NULL;
  if (shape && strides && data) {
    result =
        Py_BuildValue("{s:O,s:s,s:(OO),s:O,s:i}", "shape", shape, "typestr", type, "data", data,
                      a->readonly ? Py_True : Py_False, "strides", strides, "version", 3);
  }
  Py_XDECREF(shape);
  Py_XDECREF(strides);
  Py_XDECREF(data);
  return result;
}

static PyGetSetDef array_properties[] = {
    {"__cuda_array_interface__", (getter)cuda_interface, NULL, NULL, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot array_slots[] = {
    {Py_tp_doc, "Numbers of a batch. NumPy arrays lie on it and keep it alive."},
    {Py_tp_dealloc, CTPY_SLOT(delete_array)},
    {Py_bf_getbuffer, CTPY_SLOT(export_array)},
    {Py_tp_getset, array_properties},
    {0, NULL},
};

static PyType_Spec array_spec = {
    "corten._corten._Array",
    sizeof(Array),
    0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    array_slots,
};

int ctpy_add_array(PyObject* module) {
  array_type = (PyTypeObject*)PyType_FromSpec(&array_spec);
  return array_type ? PyModule_AddObjectRef(module, "_Array", (PyObject*)array_type) : -1;
}

PyObject* ctpy_to_numpy(PyObject* array) {
  static PyObject* asarray = NULL;
  if (!array || ((Array*)array)->on_device) return array;
  if (!asarray) {
    PyObject* numpy = PyImport_ImportModule("numpy");
    asarray = numpy ? PyObject_GetAttrString(numpy, "asarray") : NULL;
    Py_XDECREF(numpy);
  }
  PyObject* result = asarray ? PyObject_CallFunctionObjArgs(asarray, array, NULL) : NULL;
  Py_DECREF(array);
  return result;
}

// Arrays that come in

// "(64, 21)"; a size of -1 is any.
static void write_shape(char* text, size_t room, const Py_ssize_t* size, int axes) {
  size_t used = (size_t)snprintf(text, room, "(");
  for (int i = 0; i < axes && used < room; i++) {
    const char* comma = i + 1 < axes ? ", " : axes == 1 ? "," : "";
    int n = size[i] < 0 ? snprintf(text + used, room - used, "any%s", comma)
                        : snprintf(text + used, room - used, "%zd%s", size[i], comma);
    used += (size_t)n;
  }
  if (used < room) snprintf(text + used, room - used, ")");
}

static int refuse_shape(const char* argument, const ctpy_Shape* shape, const Py_buffer* buffer) {
  char wanted[100], given[100];
  write_shape(wanted, sizeof(wanted), shape->size, shape->axes);
  write_shape(given, sizeof(given), buffer->shape, buffer->ndim);
  PyErr_Format(PyExc_ValueError, "%s: the shape must be %s, not %s", argument, wanted, given);
  return -1;
}

// One number per environment may come as (n,) and as (n, 1).
static bool shape_is(const ctpy_Shape* shape, const Py_buffer* buffer) {
  int axes = shape->axes, given = buffer->ndim;
  for (int i = 0; i < axes || i < given; i++) {
    Py_ssize_t wanted = i < axes ? shape->size[i] : 1;
    Py_ssize_t have = i < given ? buffer->shape[i] : 1;
    if (wanted != have && wanted >= 0) return false;
  }
  return given > 0 && given >= axes - 1 && given <= axes + 1;
}

static int check_array(const char* argument, const Number* number, ctpy_Shape* shape,
                       const Py_buffer* buffer) {
  if (!format_is(number, buffer)) {
    PyErr_Format(PyExc_TypeError,
                 "%s: the numbers must be %s, not of format \"%s\"; convert them with "
                 "numpy.asarray(%s, dtype=numpy.%s)",
                 argument, number->name, buffer->format ? buffer->format : "B", argument,
                 number->name);
    return -1;
  }
  if (!shape_is(shape, buffer)) return refuse_shape(argument, shape, buffer);
  for (int i = 0; i < shape->axes; i++) {
    if (shape->size[i] < 0) shape->size[i] = buffer->shape[i];
  }
  if (PyBuffer_IsContiguous(buffer, 'C')) return 0;
  PyErr_Format(PyExc_ValueError,
               "%s: the numbers must lie one after the other; copy them with "
               "numpy.ascontiguousarray(%s)",
               argument, argument);
  return -1;
}

int ctpy_open(PyObject* object, const char* argument, int type, ctpy_Shape* shape, bool writable,
              Py_buffer* buffer) {
  const Number* number = number_of(type);
  if (!PyObject_CheckBuffer(object)) {
    PyErr_Format(PyExc_TypeError,
                 "%s: this must be an array of %s; make one with numpy.asarray(%s, "
                 "dtype=numpy.%s)",
                 argument, number->name, argument, number->name);
    return -1;
  }
  if (PyObject_GetBuffer(object, buffer, PyBUF_FULL_RO)) {
    PyErr_Format(PyExc_TypeError, "%s: the object does not give its numbers away", argument);
    return -1;
  }
  int code = check_array(argument, number, shape, buffer);
  if (!code && writable && buffer->readonly) {
    PyErr_Format(PyExc_ValueError, "%s: the array is read-only", argument);
    code = -1;
  }
  if (code) PyBuffer_Release(buffer);
  return code;
}

int ctpy_open_mask(PyObject* object, Py_ssize_t n, Py_buffer* buffer) {
  memset(buffer, 0, sizeof(*buffer));
  if (!object || object == Py_None) return 0;
  ctpy_Shape shape = {1, {n, 0, 0}};
  return ctpy_open(object, "mask", CTPY_BOOL, &shape, false, buffer);
}
