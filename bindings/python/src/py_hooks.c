// Functions of Python for single environments: hooks after steps and resets, apply; and contacts.
//
// A function gets an Environment: its number, and mjData as it is on the thread that works on it.
// Arrays lie on that memory, which lives as long as they do; what they show after the function has
// returned is whatever the thread does next. Threads come for the
// interpreter's lock one after the other. The first exception is raised by the call that the
// function was called in, and no function is called after it.

#include <stdlib.h>
#include <string.h>

#include "py_batch.h"
#include "py_schema.h"

// Environments

typedef struct {
  PyObject_HEAD;
  PyObject* memory;  // of the batch
  const mjModel* m;
  mjData* d;  // NULL: the function has returned
  int number;
} Environment;

static PyTypeObject* environment_type = NULL;

static mjData* data_of(const Environment* self) {
  if (self->d) return self->d;
  PyErr_SetString(PyExc_ValueError,
                  "the environment is there for the function that it was passed to, and that has "
                  "returned; take copies of what is needed");
  return NULL;
}

// Numbers may be written, which is what functions are for; integers decide where a step reads.
static PyObject* get_array(Environment* self, void* closure) {
  const ctpy_SchemaField* field = (const ctpy_SchemaField*)closure;
  mjData* d = data_of(self);
  return d ? ctpy_schema_array(self->memory, field, self->m, d, field->type != CT_NUMBER) : NULL;
}

static PyObject* get_time(Environment* self, void* closure) {
  (void)closure;
  mjData* d = data_of(self);
  return d ? PyFloat_FromDouble((double)d->time) : NULL;
}

static PyObject* get_number(Environment* self, void* closure) {
  (void)closure;
  return PyLong_FromLong(self->number);
}

// Contacts

typedef struct {
  const char* name;
  size_t at;
  int type, size;
} ContactMember;

#define MEMBER(name_, type_, size_) \
  { #name_, offsetof(mjContact, name_), type_, size_ }
static const ContactMember members[] = {
    MEMBER(dist, CT_NUMBER, 1),
    MEMBER(pos, CT_NUMBER, 3),
    MEMBER(frame, CT_NUMBER, 9),
    MEMBER(includemargin, CT_NUMBER, 1),
    MEMBER(friction, CT_NUMBER, 5),
    MEMBER(solref, CT_NUMBER, mjNREF),
    MEMBER(solimp, CT_NUMBER, mjNIMP),
    MEMBER(mu, CT_NUMBER, 1),
    MEMBER(dim, CT_INT, 1),
    MEMBER(geom, CT_INT, 2),
    MEMBER(flex, CT_INT, 2),
    MEMBER(elem, CT_INT, 2),
    MEMBER(vert, CT_INT, 2),
    MEMBER(exclude, CT_INT, 1),
    MEMBER(efc_address, CT_INT, 1),
};
#define NMEMBER ((int)(sizeof(members) / sizeof(members[0])))

// Contacts of one environment on their way out of it.
typedef struct {
  int count;
  mjContact* contact;
  mjtNum* force;  // 6 each; NULL: not asked for
} Found;

typedef struct {
  Found* of;  // (n)
  bool wants_force;
  int missed;  // environments without memory for theirs; atomic
} Search;

static bool take_contacts(const mjModel* m, const mjData* d, bool wants_force, Found* found) {
  size_t count = (size_t)d->ncon;
  if (!count) return true;
  found->contact = (mjContact*)malloc(count * sizeof(mjContact));
  found->force = wants_force ? (mjtNum*)malloc(6 * count * sizeof(mjtNum)) : NULL;
  if (!found->contact || (wants_force && !found->force)) return false;
  found->count = d->ncon;
  memcpy(found->contact, d->contact, count * sizeof(mjContact));
  for (int i = 0; wants_force && i < d->ncon; i++) mj_contactForce(m, d, i, found->force + 6 * i);
  return true;
}

static void find_contacts(const mjModel* m, mjData* d, int environment, void* argument) {
  Search* search = (Search*)argument;
  if (search->wants_force) {
    mj_forward(m, d);
  } else {
    mj_fwdPosition(m, d);
  }
  if (!take_contacts(m, d, search->wants_force, search->of + environment)) {
    __atomic_fetch_add(&search->missed, 1, __ATOMIC_RELAXED);
  }
}

static int add_array(PyObject* result, const char* name, PyObject* array) {
  PyObject* numpy = ctpy_to_numpy(array);
  int code = numpy ? PyDict_SetItemString(result, name, numpy) : -1;
  Py_XDECREF(numpy);
  return code;
}

static int add_member(PyObject* result, const ContactMember* member, const Found* found, int n,
                      int count) {
  ctpy_Shape shape = {member->size == 1 ? 1 : 2, {count, member->size, 0}};
  void* to = NULL;
  PyObject* array = ctpy_new_array(&shape, member->type, &to);
  size_t bytes = (size_t)member->size * (member->type == CT_INT ? sizeof(int) : sizeof(mjtNum));
  char* next = (char*)to;
  for (int e = 0; array && e < n; e++) {
    for (int i = 0; i < found[e].count; i++, next += bytes) {
      memcpy(next, (const char*)(found[e].contact + i) + member->at, bytes);
    }
  }
  return add_array(result, member->name, array);
}

static int add_forces(PyObject* result, const Found* found, int n, int count) {
  ctpy_Shape shape = {2, {count, 6, 0}};
  void* to = NULL;
  PyObject* array = ctpy_new_array(&shape, CT_NUMBER, &to);
  mjtNum* next = (mjtNum*)to;
  for (int e = 0; array && e < n; e++) {
    if (!found[e].count) continue;
    memcpy(next, found[e].force, 6 * (size_t)found[e].count * sizeof(mjtNum));
    next += 6 * found[e].count;
  }
  return add_array(result, "force", array);
}

static int add_numbers(PyObject* result, const Found* found, int n, int count) {
  ctpy_Shape shape = {1, {count, 0, 0}};
  void* to = NULL;
  PyObject* array = ctpy_new_array(&shape, CT_INT, &to);
  int* next = (int*)to;
  for (int e = 0; array && e < n; e++) {
    for (int i = 0; i < found[e].count; i++) *next++ = e;
  }
  return add_array(result, "environment", array);
}

// A dict of arrays with a row for every contact; those of n environments one after the other.
static PyObject* contact_arrays(const Found* found, int n, bool with_force, bool with_number) {
  int count = 0;
  for (int e = 0; e < n; e++) count += found[e].count;
  PyObject* result = PyDict_New();
  int code = result ? 0 : -1;
  for (int i = 0; !code && i < NMEMBER; i++) {
    code = add_member(result, members + i, found, n, count);
  }
  if (!code && with_force) code = add_forces(result, found, n, count);
  if (!code && with_number) code = add_numbers(result, found, n, count);
  if (code) Py_CLEAR(result);
  return result;
}

static void forget_contacts(Found* found, int n) {
  for (int e = 0; e < n; e++) {
    free(found[e].contact);
    free(found[e].force);
  }
}

static PyObject* contacts(ctpy_Batch* self, PyObject* arguments, PyObject* names) {
  static char* keywords[] = {"mask", "force", NULL};
  PyObject* mask = NULL;
  int force = 0;
  Py_buffer chosen;
  if (!ctpy_parse(arguments, names, "|Op:contacts", keywords, &mask, &force)) {
    return NULL;
  }
  if (ctpy_open_mask(mask, self->n, &self->place, &chosen)) return NULL;
  Search search = {(Found*)calloc((size_t)self->n, sizeof(Found)), force, 0};
  PyObject* result = search.of ? NULL : PyErr_NoMemory();
  ctpy_Call call;
  if (search.of && !ctpy_begin_batch(self, &call)) {
    int code =
        ct_batch_apply(self->batch, (const mjtByte*)chosen.buf, find_contacts, &search, false);
    if (!ctpy_end_batch(self, &call, code)) {
      result = search.missed ? PyErr_NoMemory() : contact_arrays(search.of, self->n, force, true);
    }
  }
  if (search.of) forget_contacts(search.of, self->n);
  free(search.of);
  PyBuffer_Release(&chosen);
  return result;
}

static PyObject* get_contact(Environment* self, void* closure) {
  (void)closure;
  mjData* d = data_of(self);
  if (!d) return NULL;
  Found found = {0, NULL, NULL};
  PyObject* result = take_contacts(self->m, d, false, &found)
                         ? contact_arrays(&found, 1, false, false)
                         : PyErr_NoMemory();
  forget_contacts(&found, 1);
  return result;
}

// Calls of functions

// The exception of this thread waits for the end of the call; a later one is forgotten.
static void keep_exception(ctpy_Batch* self) {
  if (self->raised[0]) {
    PyErr_Clear();
  } else {
    PyErr_Fetch(self->raised, self->raised + 1, self->raised + 2);
  }
}

// The functions that this thread is in, the innermost first.
typedef struct Running_ {
  const ctpy_Batch* batch;
  const struct Running_* outer;
} Running;
static _Thread_local const Running* innermost = NULL;

bool ctpy_in_function(const ctpy_Batch* self) {
  const Running* r = innermost;
  while (r && r->batch != self) r = r->outer;
  return r != NULL;
}

// What the function returns; NULL if it was not called or has raised something. The lock is held.
static PyObject* call_function(ctpy_Batch* self, PyObject* function, const mjModel* m, mjData* d,
                               int number) {
  if (self->raised[0]) return NULL;
  Environment* environment = (Environment*)PyType_GenericAlloc(environment_type, 0);
  PyObject* result = NULL;
  if (environment) {
    environment->memory = Py_NewRef(self->memory);
    environment->m = m;
    environment->d = d;
    environment->number = number;
    const Running running = {self, innermost};
    innermost = &running;
    result = PyObject_CallFunctionObjArgs(function, environment, NULL);
    innermost = running.outer;
    environment->d = NULL;
  }
  Py_XDECREF((PyObject*)environment);
  if (!result) keep_exception(self);
  return result;
}

// A reward, or a reward and one or two truth values.
static void read_outcome(ctpy_Batch* self, PyObject* from, ct_BatchOutcome* outcome) {
  double reward = 0;
  int terminated = outcome->terminated, truncated = outcome->truncated;
  bool good = true;
  if (PyTuple_Check(from)) {
    good = PyArg_ParseTuple(from,
                            "d|pp;outcome: a function returns reward, (reward, terminated) "
                            "or (reward, terminated, truncated)",
                            &reward, &terminated, &truncated) != 0;
  } else if (from != Py_None) {
    reward = PyFloat_AsDouble(from);
    good = !PyErr_Occurred();
  }
  if (!good) {
    keep_exception(self);
    return;
  }
  outcome->reward = (mjtNum)reward;
  outcome->terminated = (mjtByte)terminated;
  outcome->truncated = (mjtByte)truncated;
}

// post_constraint computes what a step leaves out unless a sensor asks for it: cacc, cfrc_int,
// cfrc_ext.
static void after_step(const mjModel* m, mjData* d, int environment, void* argument,
                       ct_BatchOutcome* outcome) {
  ctpy_Batch* self = (ctpy_Batch*)argument;
  if (self->post_constraint) mj_rnePostConstraint(m, d);
  if (!self->outcome) return;
  PyGILState_STATE state = PyGILState_Ensure();
  PyObject* result = call_function(self, self->outcome, m, d, environment);
  if (result) read_outcome(self, result, outcome);
  Py_XDECREF(result);
  PyGILState_Release(state);
}

static void run_function(ctpy_Batch* self, PyObject* function, const mjModel* m, mjData* d,
                         int environment) {
  PyGILState_STATE state = PyGILState_Ensure();
  Py_XDECREF(call_function(self, function, m, d, environment));
  PyGILState_Release(state);
}

static void after_reset(const mjModel* m, mjData* d, int environment, void* argument) {
  ctpy_Batch* self = (ctpy_Batch*)argument;
  if (self->start) run_function(self, self->start, m, d, environment);
}

int ctpy_install_hooks(ctpy_Batch* self) {
  ct_BatchHooks hooks = {NULL, NULL, self};
  if (self->outcome || self->post_constraint) hooks.outcome = after_step;
  if (self->start) hooks.start = after_reset;
  bool any = hooks.outcome || hooks.start;
  ctpy_Call call;
  if (ctpy_begin_batch(self, &call)) return -1;
  return ctpy_end_batch(self, &call, ct_batch_set_hooks(self->batch, any ? &hooks : NULL));
}

static int check_function(const char* argument, PyObject* function) {
  if (function == Py_None || PyCallable_Check(function)) return 0;
  PyErr_Format(PyExc_TypeError, "%s: this is a function of an environment, or None", argument);
  return -1;
}

static PyObject* or_nobody(PyObject* function) {
  return function == Py_None ? NULL : Py_NewRef(function);
}

static PyObject* set_hooks(ctpy_Batch* self, PyObject* arguments, PyObject* names) {
  static char* keywords[] = {"outcome", "start", NULL};
  PyObject *outcome = Py_None, *start = Py_None;
  if (!ctpy_parse(arguments, names, "|OO:set_hooks", keywords, &outcome, &start)) {
    return NULL;
  }
  if (check_function("outcome", outcome) || check_function("start", start)) return NULL;
  if (self->running) {
    PyErr_SetString(PyExc_RuntimeError, "the batch is at work; set hooks between its calls");
    return NULL;
  }
  PyObject *outcome_before = self->outcome, *start_before = self->start;
  self->outcome = or_nobody(outcome);
  self->start = or_nobody(start);
  if (ctpy_install_hooks(self)) {  // those from before stay
    Py_XDECREF(self->outcome);
    Py_XDECREF(self->start);
    self->outcome = outcome_before;
    self->start = start_before;
    return NULL;
  }
  Py_XDECREF(outcome_before);
  Py_XDECREF(start_before);
  return Py_NewRef(Py_None);
}

typedef struct {
  ctpy_Batch* batch;
  PyObject* function;
} Application;

static void apply_function(const mjModel* m, mjData* d, int environment, void* argument) {
  const Application* a = (const Application*)argument;
  run_function(a->batch, a->function, m, d, environment);
}

static PyObject* apply(ctpy_Batch* self, PyObject* arguments, PyObject* names) {
  static char* keywords[] = {"function", "mask", "save", NULL};
  PyObject *function, *mask = NULL;
  int save = 0;
  Py_buffer chosen;
  if (!ctpy_parse(arguments, names, "O|Op:apply", keywords, &function, &mask, &save)) {
    return NULL;
  }
  if (!PyCallable_Check(function)) {
    return PyErr_Format(PyExc_TypeError, "function: this is a function of an environment");
  }
  if (self->place.device != CTPY_HOST) {
    return PyErr_Format(PyExc_NotImplementedError,
                        "functions of Python do not run on a GPU; use its arrays, or a batch of "
                        "the CPU");
  }
  if (ctpy_open_mask(mask, self->n, &self->place, &chosen)) return NULL;
  Application application = {self, function};
  PyObject* result = NULL;
  ctpy_Call call;
  if (!ctpy_begin_batch(self, &call)) {
    int code =
        ct_batch_apply(self->batch, (const mjtByte*)chosen.buf, apply_function, &application, save);
    result = ctpy_none_after(self, &call, code);
  }
  PyBuffer_Release(&chosen);
  return result;
}

PyMethodDef ctpy_hook_methods[] = {
    {"set_hooks", CTPY_METHOD(set_hooks), METH_VARARGS | METH_KEYWORDS,
     "set_hooks(outcome=None, start=None)\n\nCPU: functions that are called with a "
     "corten.Environment. outcome: after the steps of every call of step, and after every step of "
     "a rollout; it returns reward, (reward, terminated) or (reward, terminated, truncated). "
     "start: after every reset, automatic ones too. What they write into numbers of the state "
     "stays. They run one at a time, because they hold the interpreter's lock."},
    {"apply", CTPY_METHOD(apply), METH_VARARGS | METH_KEYWORDS,
     "apply(function, mask=None, save=False)\n\nCPU: calls function(environment) for every "
     "environment, with a corten.Environment. save: what it writes into numbers of the state and "
     "of kept fields stays."},
    {"contacts", CTPY_METHOD(contacts), METH_VARARGS | METH_KEYWORDS,
     "contacts(mask=None, force=False) -> dict\n\nContacts at the present positions, a row each: "
     "\"environment\", and \"geom\", \"dist\", \"pos\", \"frame\" and so on as in mjContact. "
     "force: also \"force\", (n, 6) in the axes of the contact, as mj_contactForce, which takes a "
     "forward pass."},
    {NULL, NULL, 0, NULL},
};

// The type

static void delete_environment(Environment* self) {
  PyTypeObject* type = Py_TYPE((PyObject*)self);
  Py_XDECREF(self->memory);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

static PyObject* represent(Environment* self) {
  return PyUnicode_FromFormat("<corten.Environment %d%s>", self->number,
                              self->d ? "" : ", no longer there");
}

#define MOST_PROPERTIES 200
static PyGetSetDef properties[MOST_PROPERTIES + 1];

static int list_properties(void) {
  int n = 0;
  properties[n++] = (PyGetSetDef){"number", (getter)get_number, NULL, "Which one it is.", NULL};
  properties[n++] = (PyGetSetDef){"time", (getter)get_time, NULL, "Simulated seconds.", NULL};
  properties[n++] = (PyGetSetDef){
      "contact", (getter)get_contact, NULL,
      "Contacts of the last forward pass, as Batch.contacts has them: a dict of arrays, copies.",
      NULL};
  int more = ctpy_schema_properties(properties + n, MOST_PROPERTIES - n, ctpy_data_arrays,
                                    ctpy_ndata_array, (getter)get_array);
  return more < 0 ? -1 : 0;
}

static const char documentation[] =
    "One environment of a batch, for functions of Batch.set_hooks and Batch.apply.\n\n"
    "environment.qpos, environment.xpos and so on are arrays of mjData, as docs/fields.md lists "
    "them, on\nthe memory that a step works on. Numbers may be written, integers are read-only.";

static PyType_Slot slots[] = {
    {Py_tp_doc, (void*)(uintptr_t)documentation},
    {Py_tp_dealloc, CTPY_SLOT(delete_environment)},
    {Py_tp_repr, CTPY_SLOT(represent)},
    {Py_tp_getset, properties},
    {0, NULL},
};

static PyType_Spec spec = {
    "corten._corten.Environment",
    sizeof(Environment),
    0,
    Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    slots,
};

int ctpy_add_environment(PyObject* module) {
  if (list_properties()) return -1;
  environment_type = (PyTypeObject*)PyType_FromSpec(&spec);
  return environment_type
             ? PyModule_AddObjectRef(module, "Environment", (PyObject*)environment_type)
             : -1;
}
