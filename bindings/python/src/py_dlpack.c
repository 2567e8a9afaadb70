// Arrays of other libraries: what comes in by __cuda_array_interface__ or DLPack, what goes out by
// DLPack.
//
// Both protocols show memory: an address, sizes, strides, and where it is. DLPack hands a struct
// over in a capsule. Who takes the struct for good renames the capsule and calls the struct's
// deleter later; who only looks, as long as a call lasts, keeps the capsule, whose own destructor
// then does the same.

#include <stdlib.h>
#include <string.h>

#include "py_arrays.h"
#include "py_batch.h"

// The binary interface of DLPack: the plain struct, and the one of version 1, which can say that
// memory is read-only.

enum { ON_HOST = 1, ON_CUDA = 2, ON_CUDA_HOST = 3, ON_CUDA_MANAGED = 13 };
enum { KIND_INT = 0, KIND_UINT = 1, KIND_FLOAT = 2, KIND_BOOL = 6 };
#define READ_ONLY 1u

typedef struct {
  void* data;
  int32_t device_type, device;
  int32_t axes;
  uint8_t kind, bits;
  uint16_t lanes;
  int64_t *size, *stride;  // of numbers, not bytes; stride NULL: C order
  uint64_t offset;         // bytes
} Tensor;

typedef struct Plain_ {
  Tensor tensor;
  void* context;
  void (*deleter)(struct Plain_*);
} Plain;

typedef struct Versioned_ {
  uint32_t major, minor;
  void* context;
  void (*deleter)(struct Versioned_*);
  uint64_t flags;
  Tensor tensor;
} Versioned;

#define PLAIN_NAME "dltensor"
#define VERSIONED_NAME "dltensor_versioned"

// What comes in

// Memory must be the host's, or that of the batch's GPU.
static int check_place(const char* argument, int type, int number, const ctpy_Place* place) {
  int device = place->device;
  bool host = type == ON_HOST || type == ON_CUDA_HOST;
  if (host || (type == ON_CUDA_MANAGED && device >= 0)) return 0;
  if (type == ON_CUDA && device == number) return 0;
  if (type == ON_CUDA && device < 0) {
    PyErr_Format(PyExc_ValueError,
                 "%s: the numbers are in memory of a GPU, and %s; copy them to the host, as "
                 "tensor.cpu() does",
                 argument, place->memory ? "the batch is on the CPU" : "this is done on the host");
  } else {
    PyErr_Format(PyExc_ValueError,
                 "%s: the numbers are on device %d of type %d of DLPack, where this batch cannot "
                 "read; copy them to the host",
                 argument, number, type);
  }
  return -1;
}

static char kind_of(const Tensor* t) {
  if (t->lanes != 1 || t->bits % 8) return '?';
  if (t->kind == KIND_INT) return 'i';
  if (t->kind == KIND_UINT) return 'u';
  return t->kind == KIND_FLOAT ? 'f' : t->kind == KIND_BOOL ? 'b' : '?';
}

static PyObject* look_at(PyObject* capsule, const Tensor* t, bool readonly, const char* argument) {
  int64_t stride[CTPY_MAX_AXES];
  int bytes = t->bits / 8;
  for (int i = 0; t->stride && i < t->axes && i < CTPY_MAX_AXES; i++) {
    stride[i] = t->stride[i] * bytes;
  }
  ctpy_Foreign foreign = {.owner = capsule,
                          .data = (char*)t->data + t->offset,
                          .kind = kind_of(t),
                          .bytes = bytes,
                          .axes = t->axes,
                          .size = t->size,
                          .stride = t->stride ? stride : NULL,
                          .readonly = readonly,
                          .on_device = t->device_type == ON_CUDA};
  return ctpy_foreign_array(argument, &foreign);
}

// Order between streams. The stream that a batch makes for itself waits for CUDA's default stream,
// and the default stream for it; one that set_stream() was told may wait for nobody.

// The stream that a library is asked to make its numbers ready on.
static uintptr_t stream_of(PyObject* memory) {
  uintptr_t stream = memory ? ctpy_stream(memory) : CTPY_OWN_STREAM;
  return stream == CTPY_OWN_STREAM ? CTPY_DEFAULT_STREAM : stream;
}

// Makes the batch wait for a stream that numbers for it are ready on.
static int follow_stream(const ctpy_Place* place, uintptr_t stream) {
  if (place->device < 0 || !place->memory || stream == stream_of(place->memory)) return 0;
  return ctpy_put_in_order(place->memory, stream, true);
}

static bool is_on_cuda(PyObject* object) {
  PyObject* device = PyObject_CallMethod(object, "__dlpack_device__", NULL);
  PyObject* type = device && PyTuple_Check(device) ? PyTuple_GetItem(device, 0) : NULL;
  long number = type ? PyLong_AsLong(type) : 0;
  Py_XDECREF(device);
  PyErr_Clear();  // who does not say is asked as a library of the host is
  return number == ON_CUDA || number == ON_CUDA_MANAGED;
}

static PyObject* call_dlpack(PyObject* method, uintptr_t stream, bool version) {
  PyObject* nothing = PyTuple_New(0);
  PyObject* names = PyDict_New();
  PyObject* number = PyLong_FromUnsignedLongLong(stream);
  PyObject* highest = Py_BuildValue("(ii)", 1, 0);
  bool ready = nothing && names && number && highest;
  if (ready && stream) ready = !PyDict_SetItemString(names, "stream", number);
  if (ready && version) ready = !PyDict_SetItemString(names, "max_version", highest);
  PyObject* capsule = ready ? PyObject_Call(method, nothing, names) : NULL;
  Py_XDECREF(nothing);
  Py_XDECREF(names);
  Py_XDECREF(number);
  Py_XDECREF(highest);
  return capsule;
}

// The capsule, of version 1 if the object knows it. Libraries know more or fewer of the arguments
// and refuse others, mostly by a TypeError; the last refusal is the one that is told. Who does not
// take a stream has made its numbers ready on the default one.
static PyObject* ask_for_capsule(PyObject* object, const ctpy_Place* place) {
  PyObject* method = PyObject_GetAttrString(object, "__dlpack__");
  if (!method) return NULL;
  bool stream = is_on_cuda(object);
  PyObject* capsule = NULL;
  for (int i = stream ? 0 : 2; !capsule && i < 4; i++) {
    if (PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_Exception)) break;
    PyErr_Clear();
    capsule = call_dlpack(method, i < 2 ? stream_of(place->memory) : 0, i % 2 == 0);
    if (capsule && stream && i >= 2 && follow_stream(place, CTPY_DEFAULT_STREAM)) {
      Py_CLEAR(capsule);
      break;
    }
  }
  Py_DECREF(method);
  return capsule;
}

static bool interface_is_read_only(PyObject* object) {
  PyObject* interface = PyObject_GetAttrString(object, "__cuda_array_interface__");
  PyObject* data =
      interface && PyDict_Check(interface) ? PyDict_GetItemString(interface, "data") : NULL;
  bool readonly = data && PyTuple_Check(data) && PyTuple_Size(data) == 2 &&
                  PyObject_IsTrue(PyTuple_GetItem(data, 1)) == 1;
  Py_XDECREF(interface);
  PyErr_Clear();
  return readonly;
}

static PyObject* borrow_capsule(PyObject* object, PyObject* capsule, const char* argument,
                                const ctpy_Place* place) {
  const Tensor* t = NULL;
  bool readonly = false;
  if (PyCapsule_IsValid(capsule, VERSIONED_NAME)) {
    const Versioned* v = (const Versioned*)PyCapsule_GetPointer(capsule, VERSIONED_NAME);
    if (v->major == 1) t = &v->tensor;
    readonly = (v->flags & READ_ONLY) != 0;
  } else if (PyCapsule_IsValid(capsule, PLAIN_NAME)) {
    t = &((const Plain*)PyCapsule_GetPointer(capsule, PLAIN_NAME))->tensor;
    // the plain struct cannot say it; JAX, whose arrays never change, says it elsewhere
    readonly = t->device_type == ON_CUDA && interface_is_read_only(object);
  }
  if (!t) {
    return PyErr_Format(PyExc_TypeError, "%s: what __dlpack__ gave is not a tensor of DLPack 1",
                        argument);
  }
  if (check_place(argument, t->device_type, t->device, place)) return NULL;
  return look_at(capsule, t, readonly, argument);
}

// Numbers of a tuple; how many, or -1. Zeros where there are more than fit.
static int read_numbers(PyObject* tuple, int64_t* to) {
  if (!tuple || !PyTuple_Check(tuple)) return -1;
  int n = (int)PyTuple_Size(tuple);
  for (int i = 0; i < n && i < CTPY_MAX_AXES; i++) {
    to[i] = PyLong_AsLongLong(PyTuple_GetItem(tuple, i));
    if (to[i] == -1 && PyErr_Occurred()) return -1;
  }
  return n;
}

static int read_interface(PyObject* interface, ctpy_Foreign* f, int64_t* size, int64_t* stride) {
  if (!PyDict_Check(interface)) return -1;
  PyObject* data = PyDict_GetItemString(interface, "data");
  PyObject* typestr = PyDict_GetItemString(interface, "typestr");
  PyObject* strides = PyDict_GetItemString(interface, "strides");
  const char* type =
      typestr && PyUnicode_Check(typestr) ? PyUnicode_AsUTF8AndSize(typestr, NULL) : NULL;
  f->axes = read_numbers(PyDict_GetItemString(interface, "shape"), size);
  if (f->axes < 0 || !type || strlen(type) < 3 || !data || !PyTuple_Check(data) ||
      PyTuple_Size(data) != 2) {
    return -1;
  }
  f->kind = type[0] == '>' ? '?' : type[1];
  f->bytes = atoi(type + 2);
  f->data = PyLong_AsVoidPtr(PyTuple_GetItem(data, 0));
  f->readonly = PyObject_IsTrue(PyTuple_GetItem(data, 1)) != 0;
  f->size = size;
  f->stride = NULL;
  if (strides && strides != Py_None) {
    if (read_numbers(strides, stride) != f->axes) return -1;
    f->stride = stride;
  }
  return PyErr_Occurred() ? -1 : 0;
}

// Where the numbers are ready, as the interface says it: 1 is the default stream, which is also
// meant where there is no word.
static uintptr_t stream_of_interface(PyObject* interface) {
  PyObject* stream = PyDict_GetItemString(interface, "stream");
  void* address = stream && PyLong_Check(stream) ? PyLong_AsVoidPtr(stream) : NULL;
  PyErr_Clear();
  return address ? (uintptr_t)address : CTPY_DEFAULT_STREAM;
}

static PyObject* borrow_interface(PyObject* object, PyObject* interface, const char* argument,
                                  const ctpy_Place* place) {
  int64_t size[CTPY_MAX_AXES], stride[CTPY_MAX_AXES];
  ctpy_Foreign foreign = {.owner = object, .on_device = true};
  if (read_interface(interface, &foreign, size, stride)) {
    PyErr_Clear();
    return PyErr_Format(PyExc_TypeError, "%s: its __cuda_array_interface__ is not complete",
                        argument);
  }
  // the interface does not say which GPU; the driver reads from any of them
  if (check_place(argument, ON_CUDA, place->device < 0 ? 0 : place->device, place)) return NULL;
  if (follow_stream(place, stream_of_interface(interface))) return NULL;
  return ctpy_foreign_array(argument, &foreign);
}

// An exception of the other library, told in its words, after the name of the argument.
static void name_exception(PyObject* type, PyObject* value, PyObject* trace, const char* argument) {
  if (!type) return;
  bool of_buffers = PyErr_GivenExceptionMatches(type, PyExc_BufferError);
  PyErr_NormalizeException(&type, &value, &trace);
  PyErr_Format(of_buffers ? PyExc_BufferError : PyExc_TypeError,
               "%s: the object does not give its numbers away: %S", argument, value);
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(trace);
}

// DLPack first: it makes the other library's stream finish what the numbers still wait for.
PyObject* ctpy_borrow(PyObject* object, const char* argument, const ctpy_Place* place) {
  PyObject *type = NULL, *value = NULL, *trace = NULL, *array = NULL;
  if (PyObject_HasAttrString(object, "__dlpack__")) {
    PyObject* capsule = ask_for_capsule(object, place);
    if (capsule) {
      array = borrow_capsule(object, capsule, argument, place);
      Py_DECREF(capsule);
      return array;
    }
    if (!PyErr_ExceptionMatches(PyExc_Exception)) return NULL;
    PyErr_Fetch(&type, &value, &trace);
  }
  PyObject* interface = PyObject_GetAttrString(object, "__cuda_array_interface__");
  if (!interface) {
    PyErr_Clear();  // tensors of the host refuse it in their own ways
    name_exception(type, value, trace, argument);
    return NULL;
  }
  array = borrow_interface(object, interface, argument, place);
  Py_DECREF(interface);
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(trace);
  return array;
}

// What goes out

typedef struct {  // what a struct leads to; the array stays alive as long
  PyObject* array;
  int64_t size[CTPY_MAX_AXES], stride[CTPY_MAX_AXES];
} Export;

static void release_export(void* context) {
  Export* e = (Export*)context;
  PyGILState_STATE state = PyGILState_Ensure();
  Py_DECREF(e->array);
  PyGILState_Release(state);
  free(e);
}

static void delete_plain(Plain* p) {
  release_export(p->context);
  free(p);
}

static void delete_versioned(Versioned* v) {
  release_export(v->context);
  free(v);
}

// Of capsules that nobody took.
static void end_plain(PyObject* capsule) {
  if (!PyCapsule_IsValid(capsule, PLAIN_NAME)) return;
  Plain* p = (Plain*)PyCapsule_GetPointer(capsule, PLAIN_NAME);
  p->deleter(p);
}

static void end_versioned(PyObject* capsule) {
  if (!PyCapsule_IsValid(capsule, VERSIONED_NAME)) return;
  Versioned* v = (Versioned*)PyCapsule_GetPointer(capsule, VERSIONED_NAME);
  v->deleter(v);
}

static int number_kind(char kind) {
  return kind == 'f' ? KIND_FLOAT : kind == 'i' ? KIND_INT : kind == 'u' ? KIND_UINT : KIND_BOOL;
}

static void describe(const ctpy_Array* a, Export* e, Tensor* t) {
  for (int i = 0; i < a->shape.axes; i++) {
    e->size[i] = a->shape.size[i];
    e->stride[i] = a->strides[i] / a->number->bytes;
  }
  *t = (Tensor){.data = a->data,
                .device_type = a->device < 0 ? ON_HOST : ON_CUDA,
                .device = a->device < 0 ? 0 : a->device,
                .axes = a->shape.axes,
                .kind = (uint8_t)number_kind(a->number->kind),
                .bits = (uint8_t)(8 * a->number->bytes),
                .lanes = 1,
                .size = e->size,
                .stride = e->stride};
}

static PyObject* make_capsule(ctpy_Array* a, bool versioned) {
  Export* e = (Export*)calloc(1, sizeof(Export));
  void* whole = calloc(1, versioned ? sizeof(Versioned) : sizeof(Plain));
  PyObject* capsule = NULL;
  if (e && whole) {
    e->array = Py_NewRef((PyObject*)a);
    if (versioned) {
      Versioned* v = (Versioned*)whole;
      *v = (Versioned){1, 0, e, delete_versioned, a->readonly ? READ_ONLY : 0, {0}};
      describe(a, e, &v->tensor);
      capsule = PyCapsule_New(v, VERSIONED_NAME, end_versioned);
    } else {
      Plain* p = (Plain*)whole;
      *p = (Plain){{0}, e, delete_plain};
      describe(a, e, &p->tensor);
      capsule = PyCapsule_New(p, PLAIN_NAME, end_plain);
    }
    if (!capsule) Py_DECREF(e->array);
  } else {
    PyErr_NoMemory();
  }
  if (!capsule) {
    free(e);
    free(whole);
  }
  return capsule;
}

// The stream of the consumer comes after what the batch was asked so far. None is the default
// stream, -1 asks for no order.
static int make_ready_on(const ctpy_Array* a, PyObject* stream) {
  if (a->device < 0 || !a->owner) return 0;
  uintptr_t number = CTPY_DEFAULT_STREAM;
  if (stream != Py_None) {
    number = (uintptr_t)PyLong_AsVoidPtr(stream);
    if (PyErr_Occurred()) {
      PyErr_Clear();
      PyErr_SetString(PyExc_TypeError, "stream: this is the address of a stream as an integer");
      return -1;
    }
  }
  if (!number) number = CTPY_DEFAULT_STREAM;
  if (number == UINTPTR_MAX || number == stream_of(a->owner)) return 0;
  return ctpy_put_in_order(a->owner, number, false);
}

PyObject* ctpy_dlpack(ctpy_Array* a, PyObject* arguments, PyObject* names) {
  static char* keywords[] = {"stream", "max_version", "dl_device", "copy", NULL};
  PyObject *stream = Py_None, *version = Py_None, *device = Py_None, *copy = Py_None;
  if (!ctpy_parse(arguments, names, "|$OOOO:__dlpack__", keywords, &stream, &version, &device,
                  &copy)) {
    return NULL;
  }
  if (copy == Py_True) {
    PyErr_SetString(PyExc_BufferError, "copy: the array is shown, not copied; Batch.get() copies");
    return NULL;
  }
  int type = a->device < 0 ? ON_HOST : ON_CUDA, number = a->device < 0 ? 0 : a->device, t, n;
  if (device != Py_None && (!PyTuple_Check(device) || !PyArg_ParseTuple(device, "ii", &t, &n) ||
                            t != type || n != number)) {
    PyErr_Clear();
    PyErr_SetString(PyExc_BufferError, "dl_device: the array is on another device and stays there");
    return NULL;
  }
  int major = 0, minor = 0;
  if (version != Py_None &&
      (!PyTuple_Check(version) || !PyArg_ParseTuple(version, "ii", &major, &minor))) {
    PyErr_Clear();
    PyErr_SetString(PyExc_TypeError, "max_version: this is a pair of integers");
    return NULL;
  }
  if (a->readonly && major < 1) {
    PyErr_SetString(PyExc_BufferError,
                    "the array is read-only, which DLPack before version 1 cannot say");
    return NULL;
  }
  return make_ready_on(a, stream) ? NULL : make_capsule(a, major >= 1);
}

PyObject* ctpy_dlpack_device(ctpy_Array* a, PyObject* nothing) {
  (void)nothing;
  return Py_BuildValue("(ii)", a->device < 0 ? ON_HOST : ON_CUDA, a->device < 0 ? 0 : a->device);
}
