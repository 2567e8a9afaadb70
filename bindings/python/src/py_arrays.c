#include "py_arrays.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Types of numbers

static const ctpy_Number numbers[] = {
    {CT_NUMBER, sizeof(mjtNum) == 8 ? 'd' : 'f', "", sizeof(mjtNum),
     sizeof(mjtNum) == 8 ? "float64" : "float32", 'f'},
    {CT_FLOAT, 'f', "", sizeof(float), "float32", 'f'},
    {CT_INT, 'i', "l", sizeof(int), "int32", 'i'},
    {CT_BYTE, 'B', "?b", 1, "uint8", 'u'},
    {CT_SIZE, 'q', "ln", sizeof(mjtSize), "int64", 'i'},
    {CTPY_BOOL, '?', "Bb", 1, "bool", 'b'},
};

static const ctpy_Number* number_of(int type) {
  const ctpy_Number* number = numbers;
  while (number->type != type) number++;
  return number;
}

const ctpy_Number* ctpy_number_of_kind(char kind, int bytes) {
  for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
    if (numbers[i].kind == kind && numbers[i].bytes == bytes) return numbers + i;
  }
  return NULL;
}

static bool format_is(const ctpy_Number* number, const Py_buffer* buffer) {
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

const ctpy_Place ctpy_host = {CTPY_HOST, false, NULL};

static PyTypeObject* array_type = NULL;

static ctpy_Array* new_object(const ctpy_Shape* shape, const ctpy_Number* number) {
  ctpy_Array* a = PyObject_New(ctpy_Array, array_type);
  if (!a) return NULL;
  a->owner = NULL;
  a->data = NULL;
  a->shape = *shape;
  a->number = number;
  a->format[0] = a->number->format;
  a->format[1] = 0;
  a->readonly = false;
  a->device = CTPY_HOST;
  a->borrowed = false;
  Py_ssize_t stride = a->number->bytes;
  for (int i = shape->axes - 1; i >= 0; i--) {
    a->strides[i] = stride;
    stride *= shape->size[i];
  }
  return a;
}

PyObject* ctpy_new_array(const ctpy_Shape* shape, int type, void** data) {
  Py_ssize_t bytes = ctpy_bytes(shape, type);
  ctpy_Array* a = bytes < 0 ? NULL : new_object(shape, number_of(type));
  if (!a) return NULL;
  a->data = (char*)calloc((size_t)bytes + 1, 1);  // not NULL where there is nothing to hold
  if (!a->data) {
    Py_DECREF(a);
    return PyErr_Format(PyExc_MemoryError, "there is no memory for an array of %zd bytes", bytes);
  }
  *data = a->data;
  return (PyObject*)a;
}

PyObject* ctpy_view_array(PyObject* owner, const ctpy_Shape* shape, const ct_BatchView* view,
                          int type, bool readonly, int device) {
  // a GPU may compute in float where the host has double
  if (type == CT_NUMBER && view->element == (int)sizeof(float)) type = CT_FLOAT;
  ctpy_Array* a = new_object(shape, number_of(type));
  if (!a) return NULL;
  a->owner = Py_NewRef(owner);
  a->data = (char*)view->data;
  a->strides[0] = (Py_ssize_t)view->stride;
  a->readonly = readonly;
  a->device = view->on_device ? device : CTPY_HOST;
  return (PyObject*)a;
}

PyObject* ctpy_foreign_array(const char* argument, const ctpy_Foreign* foreign) {
  const ctpy_Number* number = ctpy_number_of_kind(foreign->kind, foreign->bytes);
  if (!number) {
    return PyErr_Format(PyExc_TypeError, "%s: numbers of kind \"%c%d\" cannot be taken", argument,
                        foreign->kind, foreign->bytes);
  }
  if (foreign->axes > CTPY_MAX_AXES) {
    return PyErr_Format(PyExc_ValueError, "%s: an array of %d axes cannot be taken", argument,
                        foreign->axes);
  }
  ctpy_Shape shape = {foreign->axes, {0}};
  for (int i = 0; i < foreign->axes; i++) shape.size[i] = (Py_ssize_t)foreign->size[i];
  ctpy_Array* a = new_object(&shape, number);
  if (!a) return NULL;
  for (int i = 0; foreign->stride && i < foreign->axes; i++) {
    a->strides[i] = (Py_ssize_t)foreign->stride[i];
  }
  a->owner = Py_NewRef(foreign->owner);
  a->data = (char*)foreign->data;
  a->readonly = foreign->readonly;
  a->borrowed = foreign->on_device;
  return (PyObject*)a;
}

static void delete_array(ctpy_Array* a) {
  PyTypeObject* type = Py_TYPE((PyObject*)a);
  if (a->owner) {
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

static int export_array(ctpy_Array* a, Py_buffer* view, int flags) {
  const char* refusal = NULL;
  view->obj = NULL;
  if (a->device >= 0) refusal = "the array is in memory of a GPU; Batch.get() copies it";
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

// The interface can say that numbers are read-only, and PyTorch then refuses all of them, even to
// read. So it says nothing of it; DLPack 1, which PyTorch and NumPy take, does.
static PyObject* cuda_interface(ctpy_Array* a, void* closure) {
  (void)closure;
  if (a->device < 0) {
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
    result = Py_BuildValue("{s:O,s:s,s:(OO),s:O,s:i}", "shape", shape, "typestr", type, "data",
                           data, Py_False, "strides", strides, "version", 3);
  }
  Py_XDECREF(shape);
  Py_XDECREF(strides);
  Py_XDECREF(data);
  return result;
}

// NumPy would make an array of one object of it.
static PyObject* refuse_numpy(ctpy_Array* a, PyObject* arguments, PyObject* names) {
  (void)arguments;
  (void)names;
  return PyErr_Format(PyExc_TypeError,
                      "the array is in memory of GPU %d: torch.as_tensor, cupy.asarray or "
                      "jax.dlpack.from_dlpack take it as it is, Batch.get() copies it to the host",
                      a->device);
}

static PyObject* get_shape(ctpy_Array* a, void* closure) {
  (void)closure;
  return tuple_of(a->shape.size, a->shape.axes);
}

static PyObject* get_dtype(ctpy_Array* a, void* closure) {
  (void)closure;
  return PyUnicode_FromString(a->number->name);
}

static PyObject* get_device(ctpy_Array* a, void* closure) {
  (void)closure;
  return a->device < 0 ? PyUnicode_FromString("cpu") : PyUnicode_FromFormat("cuda:%d", a->device);
}

static Py_ssize_t array_length(ctpy_Array* a) {
  return a->shape.axes ? a->shape.size[0] : 0;
}

static PyObject* represent_array(ctpy_Array* a) {
  PyObject *shape = get_shape(a, NULL), *device = get_device(a, NULL), *text = NULL;
  if (shape && device) {
    text = PyUnicode_FromFormat("<corten array %R of %s on %U>", shape, a->number->name, device);
  }
  Py_XDECREF(shape);
  Py_XDECREF(device);
  return text;
}

static PyMethodDef array_methods[] = {
    {"__dlpack__", CTPY_METHOD(ctpy_dlpack), METH_VARARGS | METH_KEYWORDS, NULL},
    {"__dlpack_device__", CTPY_METHOD(ctpy_dlpack_device), METH_NOARGS, NULL},
    {"__array__", CTPY_METHOD(refuse_numpy), METH_VARARGS | METH_KEYWORDS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef array_properties[] = {
    {"__cuda_array_interface__", (getter)cuda_interface, NULL, NULL, NULL},
    {"shape", (getter)get_shape, NULL, "Sizes of the axes.", NULL},
    {"dtype", (getter)get_dtype, NULL, "Type of the numbers, as NumPy names it.", NULL},
    {"device", (getter)get_device, NULL, "\"cuda:0\" and so on.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot array_slots[] = {
    {Py_tp_doc,
     "Numbers of a batch in memory of a GPU. torch.as_tensor, cupy.asarray and\n"
     "jax.dlpack.from_dlpack make arrays of it that lie on the same memory and keep it alive."},
    {Py_tp_repr, CTPY_SLOT(represent_array)},
    {Py_mp_length, CTPY_SLOT(array_length)},
    {Py_tp_methods, array_methods},
    {Py_tp_dealloc, CTPY_SLOT(delete_array)},
    {Py_bf_getbuffer, CTPY_SLOT(export_array)},
    {Py_tp_getset, array_properties},
    {0, NULL},
};

static PyType_Spec array_spec = {
    "corten._corten._Array",
    sizeof(ctpy_Array),
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
  if (!array || ((ctpy_Array*)array)->device >= 0) return array;
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

static int check_array(const char* argument, const ctpy_Number* number, ctpy_Shape* shape,
                       const Py_buffer* buffer) {
  bool on_device = buffer->obj && Py_TYPE(buffer->obj) == array_type &&
                   ((const ctpy_Array*)buffer->obj)->borrowed;
  if (!format_is(number, buffer)) {
    char remedy[100];
    snprintf(remedy, sizeof(remedy),
             on_device ? "tensor.to(torch.%s) on the GPU" : "numpy.asarray(array, dtype=numpy.%s)",
             number->name);
    PyErr_Format(PyExc_TypeError,
                 "%s: the numbers must be %s, not of format \"%s\"; convert them, as with %s",
                 argument, number->name, buffer->format ? buffer->format : "B", remedy);
    return -1;
  }
  if (!shape_is(shape, buffer)) return refuse_shape(argument, shape, buffer);
  for (int i = 0; i < shape->axes; i++) {
    if (shape->size[i] < 0) shape->size[i] = buffer->shape[i];
  }
  if (PyBuffer_IsContiguous(buffer, 'C')) return 0;
  PyErr_Format(PyExc_ValueError, "%s: the numbers must lie one after the other; copy them with %s",
               argument,
               on_device ? "tensor.contiguous() on the GPU" : "numpy.ascontiguousarray(array)");
  return -1;
}

// Says that an object knows no protocol, and why the buffer protocol was not it.
static int refuse_object(const char* argument, const ctpy_Number* number, PyObject* why) {
  if (why) {
    PyErr_Format(PyExc_TypeError, "%s: the object does not give its numbers away: %S", argument,
                 why);
  } else {
    PyErr_Format(PyExc_TypeError,
                 "%s: this must be an array of %s; make one with numpy.asarray(%s, "
                 "dtype=numpy.%s)",
                 argument, number->name, argument, number->name);
  }
  return -1;
}

// The exception that was raised, as an object; it is no longer raised.
static PyObject* take_exception(void) {
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  Py_XDECREF(type);
  Py_XDECREF(trace);
  return value;
}

// The numbers of an object, by whichever protocol it knows. Arrays of CuPy and JAX have the buffer
// protocol and refuse it where their memory is a GPU's.
static int open_buffer(PyObject* object, const char* argument, const ctpy_Place* place,
                       const ctpy_Number** number, Py_buffer* buffer) {
  bool of_device = Py_TYPE(object) == array_type && ((const ctpy_Array*)object)->device >= 0;
  PyObject* why = NULL;
  if (PyObject_CheckBuffer(object) && !of_device) {
    if (!PyObject_GetBuffer(object, buffer, PyBUF_FULL_RO)) return 0;
    if (!PyErr_ExceptionMatches(PyExc_Exception)) return -1;
    why = take_exception();
  }
  PyObject* borrowed = ctpy_borrow(object, argument, place);
  if (!borrowed) {
    if (!PyErr_Occurred()) refuse_object(argument, *number, why);
    Py_XDECREF(why);
    return -1;
  }
  Py_XDECREF(why);
  // a GPU may compute in float where the host has double
  bool on_device = ((const ctpy_Array*)borrowed)->borrowed;
  if (on_device && place->single && (*number)->type == CT_NUMBER) *number = number_of(CT_FLOAT);
  int code = PyObject_GetBuffer(borrowed, buffer, PyBUF_FULL_RO);
  Py_DECREF(borrowed);
  return code;
}

int ctpy_open(PyObject* object, const char* argument, int type, ctpy_Shape* shape, bool writable,
              const ctpy_Place* place, Py_buffer* buffer) {
  const ctpy_Number* number = number_of(type);
  if (open_buffer(object, argument, place, &number, buffer)) return -1;
  int code = check_array(argument, number, shape, buffer);
  if (!code && writable && buffer->readonly) {
    PyErr_Format(PyExc_ValueError, "%s: the array is read-only", argument);
    code = -1;
  }
  if (code) PyBuffer_Release(buffer);
  return code;
}

int ctpy_open_mask(PyObject* object, Py_ssize_t n, const ctpy_Place* place, Py_buffer* buffer) {
  memset(buffer, 0, sizeof(*buffer));
  if (!object || object == Py_None) return 0;
  ctpy_Shape shape = {1, {n, 0, 0}};
  return ctpy_open(object, "mask", CTPY_BOOL, &shape, false, place, buffer);
}
