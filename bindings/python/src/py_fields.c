// Fields of a batch: views, copies, what is kept and what varies, noise.

#include <stdio.h>
#include <string.h>

#include "py_arrays.h"
#include "py_batch.h"

// What a field looks like

// One number per environment, not a row of one.
static bool is_single(const char* name) {
  static const char* const names[] = {"time",      "status", "reward", "terminated",
                                      "truncated", "steps",  "noise"};
  for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
    if (!strcmp(name, names[i])) return true;
  }
  return false;
}

static ctpy_Shape shape_of(const ctpy_Batch* self, const char* name, int size) {
  ctpy_Shape shape = {is_single(name) ? 1 : 2, {self->n, size, 0}};
  return shape;
}

static int type_in_python(const char* name, int type) {
  return !strcmp(name, "terminated") || !strcmp(name, "truncated") ? CTPY_BOOL : type;
}

int ctpy_field(ctpy_Batch* self, const char* name, int* type) {
  ctpy_Call call;
  if (ctpy_begin_batch(self, &call)) return -1;
  int size;
  if (!strcmp(name, "state")) {
    size = mj_stateSize(ct_batch_model(self->batch), mjSTATE_INTEGRATION);
    *type = CT_NUMBER;
  } else {
    size = ct_batch_field_size(self->batch, name, type);
  }
  return ctpy_end_batch(self, &call, size < 0 ? CT_BATCH_BAD_ARGUMENT : 0) ? -1 : size;
}

// Views

PyObject* ctpy_view(ctpy_Batch* self, const char* name) {
  int type;
  int size = ctpy_field(self, name, &type);
  if (size < 0) return NULL;
  ctpy_Shape shape = shape_of(self, name, size);
  void* nothing;
  if (!size) return ctpy_to_numpy(ctpy_new_array(&shape, type, &nothing));

  // held before the call, in which another thread may close the batch
  ctpy_Call call;
  ct_BatchView view;
  PyObject* memory = Py_XNewRef(self->memory);
  int code = ctpy_begin_batch(self, &call);
  if (!code) {
    code = strcmp(name, "state") ? ct_batch_view(self->batch, name, &view)
                                 : ct_batch_view_state(self->batch, &view);
    code = ctpy_end_batch(self, &call, code);
  }
  // Integers are results, or decide what a step does: set() looks at them before they are taken.
  bool readonly = type == CT_INT || type == CT_SIZE;
  PyObject* array = NULL;
  if (!code) {
    array = ctpy_view_array(memory, &shape, &view, type_in_python(name, type), readonly,
                            self->place.device);
  }
  Py_XDECREF(memory);
  return ctpy_to_numpy(array);
}

static PyObject* view_method(ctpy_Batch* self, PyObject* arguments) {
  const char* name;
  static char* keywords[] = {"field", NULL};
  return ctpy_parse(arguments, NULL, "s:view", keywords, &name) ? ctpy_view(self, name) : NULL;
}

// Copies

static PyObject* get(ctpy_Batch* self, PyObject* arguments, PyObject* names) {
  static char* keywords[] = {"field", "mask", "out", NULL};
  const char* name;
  PyObject *mask = NULL, *out = Py_None;
  if (!ctpy_parse(arguments, names, "s|OO:get", keywords, &name, &mask, &out)) {
    return NULL;
  }
  int type;
  int size = ctpy_field(self, name, &type);
  if (size < 0) return NULL;
  ctpy_Shape shape = shape_of(self, name, size);
  type = type_in_python(name, type);

  // where it goes: into the caller's array or a new one
  Py_buffer chosen, target;
  memset(&target, 0, sizeof(target));
  void* to = NULL;
  if (ctpy_open_mask(mask, self->n, &self->place, &chosen)) return NULL;
  PyObject* array = out == Py_None ? ctpy_new_array(&shape, type, &to) : Py_NewRef(out);
  if (array && out != Py_None) {
    if (ctpy_open(out, "out", type, &shape, true, &self->place, &target)) Py_CLEAR(array);
    to = array ? target.buf : NULL;
  }

  ctpy_Call call;
  if (array && ctpy_begin_batch(self, &call)) Py_CLEAR(array);
  if (array) {
    int code = strcmp(name, "state")
                   ? ct_batch_get(self->batch, name, (const mjtByte*)chosen.buf, to)
                   : ct_batch_get_state(self->batch, mjSTATE_INTEGRATION,
                                        (const mjtByte*)chosen.buf, (mjtNum*)to);
    if (ctpy_end_batch(self, &call, code)) Py_CLEAR(array);
  }
  PyBuffer_Release(&chosen);
  PyBuffer_Release(&target);
  return out == Py_None ? ctpy_to_numpy(array) : array;
}

static int set_field(ctpy_Batch* self, const char* name, const char* argument, PyObject* values,
                     PyObject* mask) {
  int type;
  int size = ctpy_field(self, name, &type);
  if (size < 0) return -1;
  ctpy_Shape shape = shape_of(self, name, size);
  Py_buffer chosen, from;
  if (ctpy_open_mask(mask, self->n, &self->place, &chosen)) return -1;
  if (ctpy_open(values, argument, type_in_python(name, type), &shape, false, &self->place, &from)) {
    PyBuffer_Release(&chosen);
    return -1;
  }
  ctpy_Call call;
  int code = ctpy_begin_batch(self, &call);
  if (!code) {
    code = strcmp(name, "state")
               ? ct_batch_set(self->batch, name, (const mjtByte*)chosen.buf, from.buf)
               : ct_batch_set_state(self->batch, mjSTATE_INTEGRATION, (const mjtByte*)chosen.buf,
                                    (const mjtNum*)from.buf);
    code = ctpy_end_batch(self, &call, code);
  }
  PyBuffer_Release(&chosen);
  PyBuffer_Release(&from);
  return code;
}

static PyObject* set(ctpy_Batch* self, PyObject* arguments, PyObject* names) {
  static char* keywords[] = {"field", "values", "mask", NULL};
  const char* name;
  PyObject *values, *mask = NULL;
  if (!ctpy_parse(arguments, names, "sO|O:set", keywords, &name, &values, &mask)) {
    return NULL;
  }
  return set_field(self, name, "values", values, mask) ? NULL : Py_NewRef(Py_None);
}

// Sets of state components

static int size_of_state(ctpy_Batch* self, int state) {
  if (state <= 0 || (state & ~mjSTATE_INTEGRATION)) {
    PyErr_Format(PyExc_ValueError, "components: %d is not made of corten.STATE_ bits", state);
    return -1;
  }
  return mj_stateSize(ctpy_model(self->model), state);
}

static PyObject* get_state(ctpy_Batch* self, PyObject* arguments, PyObject* names) {
  static char* keywords[] = {"components", "mask", NULL};
  int state = mjSTATE_INTEGRATION;
  PyObject* mask = NULL;
  if (!ctpy_parse(arguments, names, "|iO:get_state", keywords, &state, &mask)) {
    return NULL;
  }
  int size = size_of_state(self, state);
  Py_buffer chosen;
  if (size < 0 || ctpy_open_mask(mask, self->n, &self->place, &chosen)) return NULL;
  ctpy_Shape shape = {2, {self->n, size, 0}};
  void* to = NULL;
  PyObject* array = ctpy_new_array(&shape, CT_NUMBER, &to);
  ctpy_Call call;
  if (array && ctpy_begin_batch(self, &call)) Py_CLEAR(array);
  if (array) {
    int code = ct_batch_get_state(self->batch, state, (const mjtByte*)chosen.buf, (mjtNum*)to);
    if (ctpy_end_batch(self, &call, code)) Py_CLEAR(array);
  }
  PyBuffer_Release(&chosen);
  return ctpy_to_numpy(array);
}

static PyObject* set_state(ctpy_Batch* self, PyObject* arguments, PyObject* names) {
  static char* keywords[] = {"states", "components", "mask", NULL};
  int state = mjSTATE_INTEGRATION;
  PyObject *states, *mask = NULL;
  if (!ctpy_parse(arguments, names, "O|iO:set_state", keywords, &states, &state, &mask)) {
    return NULL;
  }
  int size = size_of_state(self, state);
  Py_buffer chosen, from;
  if (size < 0 || ctpy_open_mask(mask, self->n, &self->place, &chosen)) return NULL;
  ctpy_Shape shape = {2, {self->n, size, 0}};
  PyObject* result = NULL;
  if (!ctpy_open(states, "states", CT_NUMBER, &shape, false, &self->place, &from)) {
    ctpy_Call call;
    if (!ctpy_begin_batch(self, &call)) {
      int code = ct_batch_set_state(self->batch, state, (const mjtByte*)chosen.buf,
                                    (const mjtNum*)from.buf);
      result = ctpy_none_after(self, &call, code);
    }
    PyBuffer_Release(&from);
  }
  PyBuffer_Release(&chosen);
  return result;
}

// Keeping and varying

static PyObject* keep(ctpy_Batch* self, PyObject* arguments) {
  const char* name;
  ctpy_Call call;
  static char* keywords[] = {"field", NULL};
  if (!ctpy_parse(arguments, NULL, "s:keep", keywords, &name)) return NULL;
  if (ctpy_begin_batch(self, &call)) return NULL;
  if (ctpy_end_batch(self, &call, ct_batch_keep(self->batch, name))) return NULL;
  return ctpy_view(self, name);
}

static PyObject* vary(ctpy_Batch* self, PyObject* arguments, PyObject* names) {
  static char* keywords[] = {"field", "values", "mask", NULL};
  const char* name;
  PyObject *values = Py_None, *mask = NULL;
  if (!ctpy_parse(arguments, names, "s|OO:vary", keywords, &name, &values, &mask)) {
    return NULL;
  }
  ctpy_Call call;
  if (ctpy_begin_batch(self, &call)) return NULL;
  if (ctpy_end_batch(self, &call, ct_batch_vary(self->batch, name))) return NULL;
  if (values != Py_None && set_field(self, name, "values", values, mask)) return NULL;
  return ctpy_view(self, name);
}

static PyObject* set_const(ctpy_Batch* self, PyObject* arguments, PyObject* names) {
  static char* keywords[] = {"mask", NULL};
  PyObject* mask = NULL;
  Py_buffer chosen;
  ctpy_Call call;
  if (!ctpy_parse(arguments, names, "|O:set_const", keywords, &mask)) return NULL;
  if (ctpy_open_mask(mask, self->n, &self->place, &chosen)) return NULL;
  PyObject* result = NULL;
  if (!ctpy_begin_batch(self, &call)) {
    int code = ct_batch_set_const(self->batch, (const mjtByte*)chosen.buf);
    result = ctpy_none_after(self, &call, code);
  }
  PyBuffer_Release(&chosen);
  return result;
}

// Noise

// The place of a word in a list that ends with NULL; -1 with an exception that names the argument.
static int choice(const char* argument, const char* word, const char* const* words) {
  char all[100] = "";
  for (int i = 0; words[i]; i++) {
    if (!strcmp(word, words[i])) return i;
    size_t used = strlen(all);
    snprintf(all + used, sizeof(all) - used, "%s\"%s\"", i ? ", " : "", words[i]);
  }
  PyErr_Format(PyExc_ValueError, "%s: this is one of %s, not \"%s\"", argument, all, word);
  return -1;
}

static const char* const kinds[] = {"uniform", "normal", NULL};
static const char* const uses[] = {"set", "add", "scale", NULL};

static PyObject* noise(ctpy_Batch* self, PyObject* arguments, PyObject* names) {
  static char* keywords[] = {"field", "low", "high", "kind", "use", "mask", NULL};
  const char *name, *kind = "uniform", *use = "set";
  double low, high;
  PyObject* mask = NULL;
  if (!ctpy_parse(arguments, names, "sdd|ssO:noise", keywords, &name, &low, &high, &kind, &use,
                  &mask)) {
    return NULL;
  }
  int which = choice("kind", kind, kinds), how = choice("use", use, uses);
  Py_buffer chosen;
  if (which < 0 || how < 0 || ctpy_open_mask(mask, self->n, &self->place, &chosen)) return NULL;
  PyObject* result = NULL;
  ctpy_Call call;
  if (!ctpy_begin_batch(self, &call)) {
    int code = ct_batch_noise(self->batch, name, (const mjtByte*)chosen.buf, which, how,
                              (mjtNum)low, (mjtNum)high);
    result = ctpy_none_after(self, &call, code);
  }
  PyBuffer_Release(&chosen);
  return result;
}

static PyObject* draw(ctpy_Batch* self, PyObject* arguments, PyObject* names) {
  static char* keywords[] = {"environment", "count", "low", "high", "kind", NULL};
  const char* kind = "uniform";
  int environment, count;
  double low = 0, high = 1;
  if (!ctpy_parse(arguments, names, "ii|dds:draw", keywords, &environment, &count, &low, &high,
                  &kind)) {
    return NULL;
  }
  int which = choice("kind", kind, kinds);
  if (which < 0 || ctpy_check_environment(self, "environment", environment)) return NULL;
  if (count < 0) return PyErr_Format(PyExc_ValueError, "count: %d numbers cannot be", count);
  ctpy_Shape shape = {1, {count, 0, 0}};
  void* to = NULL;
  PyObject* array = ctpy_new_array(&shape, CT_NUMBER, &to);
  ctpy_Call call;
  if (array && ctpy_begin_batch(self, &call)) Py_CLEAR(array);
  if (array) {
    int code = ct_batch_draw(self->batch, environment, which, (mjtNum)low, (mjtNum)high,
                             (mjtNum*)to, count);
    if (ctpy_end_batch(self, &call, code)) Py_CLEAR(array);
  }
  return ctpy_to_numpy(array);
}

PyMethodDef ctpy_field_methods[] = {
    {"view", CTPY_METHOD(view_method), METH_VARARGS,
     "view(field) -> array\n\nThe batch's own numbers, as batch[field]; what is written there is "
     "what the next call sees. Integers are read-only."},
    {"get", CTPY_METHOD(get), METH_VARARGS | METH_KEYWORDS,
     "get(field, mask=None, out=None) -> array\n\nA copy of a field, or of any array of the model "
     "as "
     "every environment has it. Rows that the mask leaves out are zeros, or stay as they are in "
     "out."},
    {"set", CTPY_METHOD(set), METH_VARARGS | METH_KEYWORDS,
     "set(field, values, mask=None)\n\nCopies rows into a field. A field of the model varies from "
     "then on."},
    {"get_state", CTPY_METHOD(get_state), METH_VARARGS | METH_KEYWORDS,
     "get_state(components=STATE_INTEGRATION, mask=None) -> array\n\nStates as mujoco.mj_getState "
     "gives them, one row per environment."},
    {"set_state", CTPY_METHOD(set_state), METH_VARARGS | METH_KEYWORDS,
     "set_state(states, components=STATE_INTEGRATION, mask=None)"},
    {"keep", CTPY_METHOD(keep), METH_VARARGS,
     "keep(field) -> array\n\nFrom now on every environment keeps this field of mjData, such as "
     "\"xpos\"."},
    {"vary", CTPY_METHOD(vary), METH_VARARGS | METH_KEYWORDS,
     "vary(field, values=None, mask=None) -> array\n\nFrom now on every environment has this field "
     "of the model for itself, such as \"body_mass\" or \"opt.gravity\". set_const() recomputes "
     "what "
     "follows."},
    {"set_const", CTPY_METHOD(set_const), METH_VARARGS | METH_KEYWORDS,
     "set_const(mask=None)\n\nRecomputes per environment what mj_setConst derives from a model."},
    {"noise", CTPY_METHOD(noise), METH_VARARGS | METH_KEYWORDS,
     "noise(field, low, high, kind=\"uniform\", use=\"set\", mask=None)\n\nSets every element of a "
     "field to a random number, adds one or scales by one (use=\"add\", \"scale\"). Uniform "
     "between "
     "low and high, or normal with mean low and standard deviation high."},
    {"draw", CTPY_METHOD(draw), METH_VARARGS | METH_KEYWORDS,
     "draw(environment, count, low=0, high=1, kind=\"uniform\") -> array\n\nRandom numbers of one "
     "environment. They depend on seed, environment and how many it has drawn."},
    {NULL, NULL, 0, NULL},
};
