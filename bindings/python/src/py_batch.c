// The type Batch: making, closing, properties. Fields are in py_fields.c, running in py_run.c,
// derivatives in py_derivative.c, functions of single environments in py_hooks.c.
//
// Arrays that lie on a batch keep its memory, and so does a call that another thread makes. close()
// ends a batch for new calls at once; its memory goes with the last of them. After a fork the child
// has the memory of a batch but not its threads: calls are refused there, and it is never
// destroyed.

#include "py_batch.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Errors of the library

static PyObject* exception_of(int code) {
  if (code == CT_BATCH_BAD_ARGUMENT) return PyExc_ValueError;
  if (code == CT_BATCH_NO_MEMORY) return PyExc_MemoryError;
  return code == CT_BATCH_UNSUPPORTED ? PyExc_NotImplementedError : ctpy_error;
}

// What the library says, without the name of its function, which nobody here has called; functions
// that it advises to call have other names here. The text stays until the next one of this thread.
static const char* plain_message(const char* text) {
  static _Thread_local char plain[1000];
  const char prefix[] = "ct_batch_", batch[] = "(b, ", options[] = "options.";
  const char* end = strncmp(text, prefix, strlen(prefix)) ? NULL : strstr(text, ": ");
  size_t used = 0;
  for (const char* p = end ? end + 2 : text; *p && used + 1 < sizeof(plain);) {
    if (!strncmp(p, prefix, strlen(prefix))) {
      p += strlen(prefix);
    } else if (!strncmp(p, options, strlen(options))) {
      p += strlen(options);
    } else if (!strncmp(p, batch, strlen(batch))) {
      plain[used++] = '(';
      p += strlen(batch);
    } else {
      plain[used++] = *p++;
    }
  }
  plain[used] = 0;
  return plain;
}

// The memory: the library's batch, and what it needs

typedef struct {
  PyObject_HEAD;
  ct_Batch* batch;
  PyObject* model;   // its memory
  int threads_of;    // the process that it was made in: its threads are nowhere else
  uintptr_t stream;  // of a GPU
  bool closed;       // by close(): the stream may be gone, and is not asked any more
} Memory;

static PyTypeObject* memory_type = NULL;

static Memory* new_memory(PyObject* model, int n, const ct_BatchOptions* options) {
  Memory* memory = PyObject_New(Memory, memory_type);
  if (!memory) return NULL;
  memory->model = Py_NewRef(ctpy_model_memory(model));
  memory->threads_of = (int)getpid();
  memory->stream = CTPY_OWN_STREAM;
  memory->closed = false;
  char error[600] = "";
  ctpy_Call call;
  ctpy_begin(&call);
  memory->batch = ct_batch_create(ctpy_model(model), n, options, error, sizeof(error));
  ctpy_end(&call);
  if (!memory->batch) {
    PyErr_SetString(options->required ? ctpy_error : PyExc_ValueError, plain_message(error));
  }
  if (!memory->batch || ctpy_report(&call)) {
    Py_DECREF((PyObject*)memory);
    return NULL;
  }
  return memory;
}

static void delete_memory(Memory* memory) {
  PyTypeObject* type = Py_TYPE((PyObject*)memory);
  if (memory->batch && memory->threads_of == (int)getpid()) ct_batch_destroy(memory->batch);
  Py_DECREF(memory->model);
  PyObject_Free(memory);
  Py_DECREF(type);
}

static int check_process(PyObject* memory) {
  if (((const Memory*)memory)->threads_of == (int)getpid()) return 0;
  PyErr_SetString(PyExc_RuntimeError,
                  "the batch was made before this process was forked, and its threads did not "
                  "come along; make one here, and use save() and restore()");
  return -1;
}

uintptr_t ctpy_stream(PyObject* memory) {
  return ((const Memory*)memory)->stream;
}

void ctpy_set_stream(PyObject* memory, uintptr_t stream) {
  ((Memory*)memory)->stream = stream;
}

int ctpy_put_in_order(PyObject* memory, uintptr_t stream, bool follow) {
  ct_Batch* batch = ((const Memory*)memory)->batch;
  void* address = (void*)stream;
  ctpy_Call call;
  if (((const Memory*)memory)->closed) return 0;
  if (check_process(memory)) return -1;
  Py_INCREF(memory);  // another thread may close the batch
  ctpy_begin(&call);
  int code = follow ? ct_batch_follow_stream(batch, address) : ct_batch_lead_stream(batch, address);
  ctpy_end(&call);
  if (code < 0) PyErr_SetString(exception_of(code), plain_message(ct_batch_error(batch)));
  Py_DECREF(memory);
  return code < 0 ? -1 : ctpy_report(&call);
}

static PyType_Slot memory_slots[] = {
    {Py_tp_doc, "Where the environments of a batch are; arrays on them keep it."},
    {Py_tp_dealloc, CTPY_SLOT(delete_memory)},
    {0, NULL},
};

static PyType_Spec memory_spec = {
    "corten._corten._Memory",
    sizeof(Memory),
    0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    memory_slots,
};

// Calls

// Functions of the user may lead back to the batch.
static int forget_functions(ctpy_Batch* self) {
  Py_CLEAR(self->outcome);
  Py_CLEAR(self->start);
  return 0;
}

static void let_go_if_unused(ctpy_Batch* self) {
  if (!self->closed || self->running) return;
  forget_functions(self);
  self->batch = NULL;
  self->place.memory = NULL;
  Py_CLEAR(self->memory);
}

int ctpy_begin_batch(ctpy_Batch* self, ctpy_Call* call) {
  if (self->closed) {
    PyErr_SetString(PyExc_ValueError, "the batch is closed; make a new one");
    return -1;
  }
  if (check_process(self->memory)) return -1;
  self->running++;
  ctpy_begin(call);
  call->alone = !ctpy_in_function(self);  // the library refuses calls from there
  if (call->alone) pthread_mutex_lock(&self->turn);
  return 0;
}

int ctpy_end_batch(ctpy_Batch* self, ctpy_Call* call, int code) {
  PyObject* raised[3] = {NULL, NULL, NULL};
  ctpy_end(call);
  if (call->alone) {
    memcpy(raised, self->raised, sizeof(raised));
    memset(self->raised, 0, sizeof(self->raised));
    pthread_mutex_unlock(&self->turn);
  }
  self->running--;
  if (raised[0]) {
    PyErr_Restore(raised[0], raised[1], raised[2]);
    code = CT_BATCH_BAD_ARGUMENT;
  } else if (code < 0) {
    PyErr_SetString(exception_of(code), plain_message(ct_batch_error(self->batch)));
  }
  let_go_if_unused(self);
  return code < 0 ? -1 : ctpy_report(call);
}

PyObject* ctpy_none_after(ctpy_Batch* self, ctpy_Call* call, int code) {
  return ctpy_end_batch(self, call, code) ? NULL : Py_NewRef(Py_None);
}

int ctpy_check_environment(const ctpy_Batch* self, const char* argument, int environment) {
  if (environment >= 0 && environment < self->n) return 0;
  PyErr_Format(PyExc_IndexError, "%s: there is no environment %d; they are 0 to %d", argument,
               environment, self->n - 1);
  return -1;
}

// Making

// "cpu", "auto", "cuda" or "cuda:1". Whoever names a GPU gets that or an exception.
static int read_device(const char* device, ct_BatchOptions* options) {
  if (!strcmp(device, "cpu")) {
    options->backend = CT_BACKEND_CPU;
    return 0;
  }
  if (!strcmp(device, "auto")) {
    options->backend = CT_BACKEND_AUTO;
    return 0;
  }
  options->backend = CT_BACKEND_GPU;
  options->required = 1;
  if (!strcmp(device, "cuda")) return 0;
  char* end = NULL;
  long number = strncmp(device, "cuda:", 5) || !device[5] ? -1 : strtol(device + 5, &end, 10);
  if (number < 0 || number > INT_MAX || *end) {
    PyErr_Format(PyExc_ValueError,
                 "device: this is \"cpu\", \"cuda\", \"cuda:0\", \"cuda:1\" ... or \"auto\", not "
                 "\"%s\"",
                 device);
    return -1;
  }
  options->device = (int)number;
  return 0;
}

static int read_precision(const char* precision, ct_BatchOptions* options) {
  static const char* const names[] = {"strict", "fast", "float"};
  for (int i = 0; i < 3; i++) {
    options->precision = i;
    if (!strcmp(precision, names[i])) return 0;
  }
  PyErr_Format(PyExc_ValueError, "precision: this is \"strict\", \"fast\" or \"float\", not \"%s\"",
               precision);
  return -1;
}

static int read_seed(PyObject* seed, ct_BatchOptions* options) {
  PyObject* number = seed ? PyNumber_Index(seed) : PyLong_FromLong(0);
  options->seed = number ? PyLong_AsUnsignedLongLong(number) : 0;
  Py_XDECREF(number);
  if (!PyErr_Occurred()) return 0;
  PyErr_Clear();
  PyErr_Format(number ? PyExc_ValueError : PyExc_TypeError, "seed: this is 0 to 2**64 - 1, not %R",
               seed);
  return -1;
}

static int read_options(PyObject* arguments, PyObject* names, PyObject** model, int* n,
                        ct_BatchOptions* options, int* post_constraint) {
  static char* keywords[] = {
      "model",     "n",         "device",          "threads",      "seed",
      "max_steps", "reset_key", "arena",           "reset_failed", "reset_done",
      "own_data",  "precision", "post_constraint", "first",        NULL};
  const char *device = "cpu", *precision = "strict";
  int reset_failed = 1, reset_done = 0;
  PyObject* seed = NULL;
  long long arena = 0;
  *options = ct_default_batch_options();
  if (!ctpy_parse(arguments, names, "Oi|s$iOiiLpppspi:Batch", keywords, model, n, &device,
                  &options->threads, &seed, &options->max_steps, &options->reset_key, &arena,
                  &reset_failed, &reset_done, &options->own_data, &precision, post_constraint,
                  &options->first)) {
    return -1;
  }
  if (!PyObject_TypeCheck(*model, ctpy_model_type)) {
    PyErr_Format(PyExc_TypeError,
                 "model: this must be a corten.Model, as corten.Model(path), not %R",
                 (PyObject*)Py_TYPE(*model));
    return -1;
  }
  options->arena = arena;
  options->auto_reset = (reset_failed ? CT_RESET_FAILED : 0) | (reset_done ? CT_RESET_DONE : 0);
  if (read_seed(seed, options) || read_device(device, options)) return -1;
  return read_precision(precision, options);
}

// The system promises more memory than it has, and ends a process that believes it.
static int check_memory(const mjModel* m, int n, const ct_BatchOptions* options) {
  if (options->backend != CT_BACKEND_CPU || n <= 0) return 0;
  double needed = (double)ct_batch_memory(m, n, options, NULL, 0);
  double there = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
  if (needed <= there) return 0;
  char text[200];
  snprintf(text, sizeof(text), "n: %d environments need %.1f GB, and the machine has %.1f GB", n,
           needed / 1e9, there / 1e9);
  PyErr_SetString(PyExc_MemoryError, text);
  return -1;
}

static PyObject* new_batch(PyTypeObject* type, PyObject* arguments, PyObject* names) {
  PyObject* model;
  int n, post_constraint = 0;
  ct_BatchOptions options;
  if (read_options(arguments, names, &model, &n, &options, &post_constraint)) return NULL;
  if (n < 1) {
    return PyErr_Format(PyExc_ValueError, "n: %d environments cannot be; ask for at least one", n);
  }
  if (check_memory(ctpy_model(model), n, &options)) return NULL;
  Memory* memory = new_memory(model, n, &options);
  ctpy_Batch* self = memory ? (ctpy_Batch*)PyType_GenericAlloc(type, 0) : NULL;
  if (!self) {
    Py_XDECREF((PyObject*)memory);
    return NULL;
  }
  pthread_mutex_init(&self->turn, NULL);
  self->model = Py_NewRef(model);
  self->n = n;
  self->memory = (PyObject*)memory;
  self->batch = memory->batch;
  self->place = ctpy_host;
  self->place.memory = self->memory;
  if (ct_batch_backend(self->batch) == CT_BACKEND_GPU) {
    const ct_BatchOptions* made = ct_batch_options(self->batch);
    self->place.device = made->device;
    self->place.single = made->precision == CT_PRECISION_FLOAT || sizeof(mjtNum) == sizeof(float);
  }
  self->post_constraint = post_constraint;
  if (post_constraint && ctpy_install_hooks(self)) {
    Py_DECREF(self);
    return NULL;
  }
  return (PyObject*)self;
}

static int visit_references(ctpy_Batch* self, visitproc visit, void* arg) {
  Py_VISIT(Py_TYPE((PyObject*)self));
  Py_VISIT(self->model);
  Py_VISIT(self->outcome);
  Py_VISIT(self->start);
  return 0;
}

static void delete_batch(ctpy_Batch* self) {
  PyTypeObject* type = Py_TYPE((PyObject*)self);
  PyObject_GC_UnTrack(self);
  self->closed = true;
  let_go_if_unused(self);
  pthread_mutex_destroy(&self->turn);
  Py_XDECREF(self->model);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

static PyObject* close_batch(ctpy_Batch* self, PyObject* nothing) {
  (void)nothing;
  if (self->memory) ((Memory*)self->memory)->closed = true;
  self->closed = true;
  let_go_if_unused(self);
  return Py_NewRef(Py_None);
}

static PyObject* enter(ctpy_Batch* self, PyObject* nothing) {
  (void)nothing;
  return Py_NewRef((PyObject*)self);
}

static PyObject* leave(ctpy_Batch* self, PyObject* arguments) {
  (void)arguments;
  return close_batch(self, NULL);
}

// Properties

static PyObject* get_closed(ctpy_Batch* self, void* closure) {
  (void)closure;
  return PyBool_FromLong(self->closed);
}

static PyObject* get_model(ctpy_Batch* self, void* closure) {
  (void)closure;
  return Py_NewRef(self->model);
}

static PyObject* get_n(ctpy_Batch* self, void* closure) {
  (void)closure;
  return PyLong_FromLong(self->n);
}

// Options as they came out; the batch must be there.
static const ct_BatchOptions* options_of(ctpy_Batch* self) {
  if (!self->closed) return ct_batch_options(self->batch);
  PyErr_SetString(PyExc_ValueError, "the batch is closed; make a new one");
  return NULL;
}

static PyObject* get_threads(ctpy_Batch* self, void* closure) {
  (void)closure;
  const ct_BatchOptions* options = options_of(self);
  return options ? PyLong_FromLong(options->threads) : NULL;
}

static PyObject* get_seed(ctpy_Batch* self, void* closure) {
  (void)closure;
  const ct_BatchOptions* options = options_of(self);
  return options ? PyLong_FromUnsignedLongLong(options->seed) : NULL;
}

static PyObject* get_device(ctpy_Batch* self, void* closure) {
  (void)closure;
  const ct_BatchOptions* options = options_of(self);
  if (!options) return NULL;
  if (ct_batch_backend(self->batch) == CT_BACKEND_CPU) return PyUnicode_FromString("cpu");
  return PyUnicode_FromFormat("cuda:%d", options->device);
}

static PyObject* get_view(ctpy_Batch* self, void* closure) {
  return ctpy_view(self, (const char*)closure);
}

static Py_ssize_t length(ctpy_Batch* self) {
  return self->n;
}

static PyObject* get_item(ctpy_Batch* self, PyObject* key) {
  const char* name = PyUnicode_Check(key) ? ctpy_text(key, "field") : NULL;
  if (name) return ctpy_view(self, name);
  if (!PyErr_Occurred()) {
    PyErr_SetString(PyExc_TypeError, "a batch is asked for fields by name, as in batch[\"qpos\"]");
  }
  return NULL;
}

static PyObject* represent(ctpy_Batch* self) {
  if (self->closed) return PyUnicode_FromString("<corten.Batch, closed>");
  PyObject* device = get_device(self, NULL);
  if (!device) return NULL;
  PyObject* text = PyUnicode_FromFormat("<corten.Batch of %d environments on %U>", self->n, device);
  Py_DECREF(device);
  return text;
}

#define VIEW(name_, doc_) \
  { name_, (getter)get_view, NULL, doc_, (void*)(uintptr_t)name_ }
static PyGetSetDef properties[] = {
    {"closed", (getter)get_closed, NULL, "Has close() been called?", NULL},
    {"model", (getter)get_model, NULL, "The model that it was made of.", NULL},
    {"n", (getter)get_n, NULL, "Number of environments.", NULL},
    {"threads", (getter)get_threads, NULL, "How many threads work, the caller included.", NULL},
    {"seed", (getter)get_seed, NULL, "Seed of the noise.", NULL},
    {"device", (getter)get_device, NULL, "\"cpu\" or \"cuda:0\" and so on.", NULL},
    VIEW("state", "(n, state_size): everything that decides the next step, shared."),
    VIEW("time", "(n,): simulated seconds, shared."),
    VIEW("qpos", "(n, nq): positions, shared."),
    VIEW("qvel", "(n, nv): velocities, shared."),
    VIEW("act", "(n, na): activations of actuators, shared."),
    VIEW("ctrl", "(n, nu): controls, shared."),
    VIEW("sensordata", "(n, nsensordata): what sensors read after the last call, shared."),
    VIEW("status", "(n,) int32: bits of what went wrong in the last call, see status_names."),
    VIEW("reward", "(n,): rewards, shared."),
    VIEW("terminated", "(n,) bool: episodes that have ended, shared."),
    VIEW("truncated", "(n,) bool: episodes that were cut off, shared."),
    VIEW("steps", "(n,) int32: calls of step since the last reset."),
    {NULL, NULL, NULL, NULL, NULL},
};

// The type

static PyMethodDef own_methods[] = {
    {"close", CTPY_METHOD(close_batch), METH_NOARGS,
     "close()\n\nEnds the batch. Arrays on it stay valid; its memory goes with the last of them."},
    {"__enter__", CTPY_METHOD(enter), METH_NOARGS, NULL},
    {"__exit__", CTPY_METHOD(leave), METH_VARARGS, NULL},
};
#define NOWN ((int)(sizeof(own_methods) / sizeof(own_methods[0])))
#define MOST_METHODS 48

// The methods of all files in one table, which the type points to for good.
static PyMethodDef methods[MOST_METHODS + 1];

static void list_methods(void) {
  int n = 0;
  for (int i = 0; i < NOWN; i++) methods[n++] = own_methods[i];
  PyMethodDef* const tables[] = {ctpy_field_methods, ctpy_run_methods, ctpy_derivative_methods,
                                 ctpy_hook_methods};
  for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
    for (const PyMethodDef* m = tables[i]; m->ml_name && n < MOST_METHODS; m++) methods[n++] = *m;
  }
}

static const char documentation[] =
    "Batch(model, n, device=\"cpu\", *, threads=0, seed=0, max_steps=0, reset_key=-1, arena=0,\n"
    "      reset_failed=True, reset_done=False, own_data=False, precision=\"strict\",\n"
    "      post_constraint=False, first=0)\n--\n\n"
    "n environments of one model that are stepped together.\n\n"
    "device        \"cpu\", \"cuda\", \"cuda:1\", or \"auto\": the GPU if there is one\n"
    "threads       how many work, the caller included; 0: as many as there are cores\n"
    "seed          of noise() and draw()\n"
    "max_steps     steps after a reset until an environment is truncated; 0: no limit\n"
    "reset_key     keyframe that automatic resets go to; -1: the default state\n"
    "arena         bytes of the arena that an environment steps in; 0: as the model says\n"
    "reset_failed  environments whose step failed are reset by their next step\n"
    "reset_done    so are those that are terminated or truncated\n"
    "own_data      every environment keeps all its arrays; slower\n"
    "precision     GPU: \"strict\", \"fast\" or \"float\"\n"
    "first         which environment of a larger batch the first one is: noise is as there\n"
    "post_constraint  steps also compute cacc, cfrc_int and cfrc_ext, which keep() then shows; "
    "CPU\n\n"
    "batch[\"qpos\"] is an array on the batch's own memory, one row per environment; so is every\n"
    "other field of the state, \"sensordata\", \"energy\", what keep() was told, and what vary() "
    "has\n"
    "made different. Arrays stay valid as long as they exist.";

static PyType_Slot slots[] = {
    {Py_tp_doc, (void*)(uintptr_t)documentation},
    {Py_tp_new, CTPY_SLOT(new_batch)},
    {Py_tp_dealloc, CTPY_SLOT(delete_batch)},
    {Py_tp_traverse, CTPY_SLOT(visit_references)},
    {Py_tp_clear, CTPY_SLOT(forget_functions)},
    {Py_tp_repr, CTPY_SLOT(represent)},
    {Py_mp_length, CTPY_SLOT(length)},
    {Py_mp_subscript, CTPY_SLOT(get_item)},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0, NULL},
};

static PyType_Spec spec = {
    "corten._corten.Batch",
    sizeof(ctpy_Batch),
    0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    slots,
};

int ctpy_add_batch(PyObject* module) {
  memory_type = (PyTypeObject*)PyType_FromSpec(&memory_spec);
  if (!memory_type) return -1;
  list_methods();
  PyObject* type = PyType_FromSpec(&spec);
  return type ? PyModule_AddObjectRef(module, "Batch", type) : -1;
}
