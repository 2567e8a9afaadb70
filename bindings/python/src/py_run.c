// Running a batch: steps, resets, rollouts, what became of it, saving.

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "py_arrays.h"
#include "py_batch.h"

// Steps

static PyObject* step(ctpy_Batch* self, PyObject* arguments, PyObject* names) {
  static char* keywords[] = {"n", "mask", NULL};
  int n = 1;
  PyObject* mask = NULL;
  Py_buffer chosen;
  if (!ctpy_parse(arguments, names, "|iO:step", keywords, &n, &mask)) return NULL;
  if (n <= 0) return PyErr_Format(PyExc_ValueError, "n: make at least one step, not %d", n);
  if (ctpy_open_mask(mask, self->n, &self->place, &chosen)) return NULL;
  PyObject* result = NULL;
  ctpy_Call call;
  if (!ctpy_begin_batch(self, &call)) {
    int code = ct_batch_step(self->batch, (const mjtByte*)chosen.buf, n);
    result = ctpy_none_after(self, &call, code);
  }
  PyBuffer_Release(&chosen);
  return result;
}

static int stage_of(const char* name) {
  if (!strcmp(name, "position")) return mjSTAGE_POS;
  if (!strcmp(name, "velocity")) return mjSTAGE_VEL;
  if (!strcmp(name, "acceleration")) return mjSTAGE_ACC;
  PyErr_Format(PyExc_ValueError,
               "stage: this is \"position\", \"velocity\" or \"acceleration\", not \"%s\"", name);
  return -1;
}

static PyObject* forward(ctpy_Batch* self, PyObject* arguments, PyObject* names) {
  static char* keywords[] = {"mask", "stage", NULL};
  PyObject* mask = NULL;
  const char* name = "acceleration";
  Py_buffer chosen;
  if (!ctpy_parse(arguments, names, "|Os:forward", keywords, &mask, &name)) {
    return NULL;
  }
  int stage = stage_of(name);
  if (stage < 0 || ctpy_open_mask(mask, self->n, &self->place, &chosen)) return NULL;
  PyObject* result = NULL;
  ctpy_Call call;
  if (!ctpy_begin_batch(self, &call)) {
    int code = ct_batch_forward(self->batch, (const mjtByte*)chosen.buf, stage);
    result = ctpy_none_after(self, &call, code);
  }
  PyBuffer_Release(&chosen);
  return result;
}

static PyObject* wait_for_all(ctpy_Batch* self, PyObject* nothing) {
  (void)nothing;
  ctpy_Call call;
  if (ctpy_begin_batch(self, &call)) return NULL;
  return ctpy_none_after(self, &call, ct_batch_wait(self->batch));
}

static PyObject* set_stream(ctpy_Batch* self, PyObject* argument) {
  ctpy_Call call;
  void* stream = PyLong_AsVoidPtr(argument);
  if (PyErr_Occurred()) {
    PyErr_Clear();
    return PyErr_Format(PyExc_TypeError,
                        "stream: this is the address of a stream as an integer, not %R", argument);
  }
  if (ctpy_begin_batch(self, &call)) return NULL;
  if (ctpy_end_batch(self, &call, ct_batch_set_stream(self->batch, stream))) return NULL;
  ctpy_set_stream(self->memory, stream ? (uintptr_t)stream : CTPY_DEFAULT_STREAM);
  return Py_NewRef(Py_None);
}

// Resets

typedef struct {
  PyObject *key, *states;
  int components;
} Start;

static PyObject* reset_to_states(ctpy_Batch* self, const mjtByte* mask, const Start* start) {
  if (start->components <= 0 || (start->components & ~mjSTATE_INTEGRATION)) {
    return PyErr_Format(PyExc_ValueError, "components: %d is not made of corten.STATE_ bits",
                        start->components);
  }
  ctpy_Shape shape = {2, {self->n, mj_stateSize(ctpy_model(self->model), start->components), 0}};
  Py_buffer from;
  if (ctpy_open(start->states, "states", CT_NUMBER, &shape, false, &self->place, &from))
    return NULL;
  PyObject* result = NULL;
  ctpy_Call call;
  if (!ctpy_begin_batch(self, &call)) {
    int code = ct_batch_reset_state(self->batch, mask, start->components, (const mjtNum*)from.buf);
    result = ctpy_none_after(self, &call, code);
  }
  PyBuffer_Release(&from);
  return result;
}

static PyObject* reset_to_keys(ctpy_Batch* self, const mjtByte* mask, const Start* start) {
  Py_buffer keys;
  ctpy_Shape shape = {1, {self->n, 0, 0}};
  if (ctpy_open(start->key, "key", CT_INT, &shape, false, &self->place, &keys)) return NULL;
  PyObject* result = NULL;
  ctpy_Call call;
  if (!ctpy_begin_batch(self, &call)) {
    int code = ct_batch_reset_keys(self->batch, mask, (const int*)keys.buf);
    result = ctpy_none_after(self, &call, code);
  }
  PyBuffer_Release(&keys);
  return result;
}

static PyObject* reset_to_key(ctpy_Batch* self, const mjtByte* mask, const Start* start) {
  int key = -1;
  if (start->key != Py_None) {
    long number = PyLong_AsLong(start->key);
    if (number == -1 && PyErr_Occurred()) {
      PyErr_Clear();
      number = LONG_MAX;
    }
    if (number < -1 || number >= ctpy_model(self->model)->nkey) {
      return PyErr_Format(PyExc_ValueError,
                          "key: there is no keyframe %R; the model has %lld, and -1 is its default "
                          "state",
                          start->key, (long long)ctpy_model(self->model)->nkey);
    }
    key = (int)number;
  }
  ctpy_Call call;
  if (ctpy_begin_batch(self, &call)) return NULL;
  int code =
      key < 0 ? ct_batch_reset(self->batch, mask) : ct_batch_reset_key(self->batch, mask, key);
  return ctpy_none_after(self, &call, code);
}

static PyObject* reset(ctpy_Batch* self, PyObject* arguments, PyObject* names) {
  static char* keywords[] = {"mask", "key", "states", "components", NULL};
  PyObject* mask = NULL;
  Start start = {Py_None, Py_None, mjSTATE_INTEGRATION};
  Py_buffer chosen;
  if (!ctpy_parse(arguments, names, "|OOOi:reset", keywords, &mask, &start.key, &start.states,
                  &start.components)) {
    return NULL;
  }
  if (start.key != Py_None && start.states != Py_None) {
    PyErr_SetString(PyExc_TypeError, "key, states: a reset goes to one of them, not to both");
    return NULL;
  }
  if (ctpy_open_mask(mask, self->n, &self->place, &chosen)) return NULL;
  const mjtByte* bytes = (const mjtByte*)chosen.buf;
  PyObject* number = start.key == Py_None ? NULL : PyNumber_Index(start.key);  // also NumPy's
  PyErr_Clear();
  if (number) start.key = number;
  PyObject* result;
  if (start.states != Py_None) {
    result = reset_to_states(self, bytes, &start);
  } else if (start.key == Py_None || PyLong_Check(start.key)) {
    result = reset_to_key(self, bytes, &start);
  } else {
    result = reset_to_keys(self, bytes, &start);
  }
  Py_XDECREF(number);
  PyBuffer_Release(&chosen);
  return result;
}

// Rollouts

#define MOST_RECORDS 64

typedef struct {
  ct_Rollout rollout;
  ct_BatchRecord record[MOST_RECORDS];
  PyObject* array[MOST_RECORDS];
  PyObject* names;                 // a tuple
  PyObject* out;                   // a dict of arrays of the caller's to record into; NULL: none
  Py_buffer target[MOST_RECORDS];  // opened, for those that it has
  Py_buffer control, mask;
} Plan;

static ctpy_Shape shape_in_time(const ctpy_Batch* self, const Plan* plan, int size) {
  Py_ssize_t n = self->n, nstep = plan->rollout.nstep;
  ctpy_Shape shape = {3, {n, nstep, size}};
  if (plan->rollout.time_first) {
    shape.size[0] = nstep;
    shape.size[1] = n;
  }
  return shape;
}

static int open_controls(ctpy_Batch* self, Plan* plan, PyObject* controls, int nstep) {
  int state = plan->rollout.control_state;
  plan->rollout.nstep = nstep;
  if (controls == Py_None) return 0;
  if (state <= 0 || (state & ~mjSTATE_USER)) {
    PyErr_Format(PyExc_ValueError,
                 "components: %d is not made of bits of corten.STATE_USER, which are inputs",
                 state);
    return -1;
  }
  plan->rollout.nstep = nstep > 0 ? nstep : -1;
  ctpy_Shape shape = shape_in_time(self, plan, mj_stateSize(ctpy_model(self->model), state));
  if (ctpy_open(controls, "controls", CT_NUMBER, &shape, false, &self->place, &plan->control))
    return -1;
  Py_ssize_t given = shape.size[plan->rollout.time_first ? 0 : 1];
  if (given > INT32_MAX) {
    PyErr_SetString(PyExc_ValueError, "controls: these are too many steps for one call");
    return -1;
  }
  plan->rollout.nstep = (int)given;
  plan->rollout.control = (const mjtNum*)plan->control.buf;
  return 0;
}

// Elements of what the i-th record asks for: a field by name, or a set of state components.
static int read_record(ctpy_Batch* self, Plan* plan, int i, int* type) {
  PyObject* item = PyTuple_GetItem(plan->names, i);
  ct_BatchRecord* record = plan->record + i;
  *type = CT_NUMBER;
  if (PyUnicode_Check(item)) {
    const char* name = ctpy_text(item, "record");
    if (!name) return -1;
    int size = ctpy_field(self, name, type);
    if (!strcmp(name, "state")) {
      record->state = mjSTATE_INTEGRATION;
    } else {
      record->field = name;
    }
    return size;
  }
  long state = PyLong_AsLong(item);
  PyErr_Clear();  // -1 then, which is none either
  if (state <= 0 || (state & ~(long)mjSTATE_INTEGRATION)) {
    PyErr_SetString(PyExc_ValueError,
                    "record: this is a tuple of names of fields and of sets of corten.STATE_ bits");
    return -1;
  }
  record->state = (int)state;
  return mj_stateSize(ctpy_model(self->model), record->state);
}

// Where a record goes: the caller's array, of the host or the batch's GPU, or a new one.
static int make_target(ctpy_Batch* self, Plan* plan, int i, ctpy_Shape shape, int type) {
  PyObject* name = PyTuple_GetItem(plan->names, i);
  PyObject* given = plan->out ? PyDict_GetItemWithError(plan->out, name) : NULL;
  if (given) {
    if (ctpy_open(given, "out", type, &shape, true, &self->place, plan->target + i)) return -1;
    plan->array[i] = Py_NewRef(given);
    plan->record[i].out = plan->target[i].buf;
    return 0;
  }
  if (PyErr_Occurred()) return -1;
  plan->array[i] = ctpy_new_array(&shape, type, &plan->record[i].out);
  return plan->array[i] ? 0 : -1;
}

static int make_records(ctpy_Batch* self, Plan* plan, PyObject* names) {
  plan->names = PyUnicode_Check(names) ? PyTuple_Pack(1, names) : PySequence_Tuple(names);
  Py_ssize_t n = plan->names ? PyTuple_Size(plan->names) : -1;
  if (n < 0) return -1;
  if (n > MOST_RECORDS) {
    PyErr_Format(PyExc_ValueError, "record: at most %d can be recorded at once", MOST_RECORDS);
    return -1;
  }
  Py_ssize_t found = 0;
  for (int i = 0; i < (int)n; i++) {
    int type;
    int size = read_record(self, plan, i, &type);
    if (size < 0) return -1;
    if (make_target(self, plan, i, shape_in_time(self, plan, size), type)) return -1;
    plan->rollout.nrecord = i + 1;
    found += plan->target[i].obj != NULL;
  }
  if (plan->out && found < PyDict_Size(plan->out)) {
    PyErr_SetString(PyExc_ValueError, "out: every name of it must be in record, once");
    return -1;
  }
  plan->rollout.record = plan->record;
  return 0;
}

static PyObject* records_of(Plan* plan) {
  PyObject* result = PyDict_New();
  for (int i = 0; result && i < plan->rollout.nrecord; i++) {
    PyObject* array = plan->target[i].obj ? plan->array[i] : ctpy_to_numpy(plan->array[i]);
    plan->array[i] = NULL;
    if (!array || PyDict_SetItem(result, PyTuple_GetItem(plan->names, i), array)) Py_CLEAR(result);
    Py_XDECREF(array);
  }
  return result;
}

static PyObject* run_plan(ctpy_Batch* self, Plan* plan) {
  ctpy_Call call;
  if (plan->rollout.nstep <= 0) {
    PyErr_SetString(PyExc_ValueError, "controls, nstep: make at least one step");
    return NULL;
  }
  if (ctpy_begin_batch(self, &call)) return NULL;
  int code = ct_batch_rollout(self->batch, (const mjtByte*)plan->mask.buf, &plan->rollout);
  return ctpy_end_batch(self, &call, code) ? NULL : records_of(plan);
}

static PyObject* rollout(ctpy_Batch* self, PyObject* arguments, PyObject* names) {
  static char* keywords[] = {"controls",   "nstep",      "record", "substeps", "mask",
                             "time_first", "components", "out",    NULL};
  PyObject *controls = Py_None, *record = NULL, *mask = NULL, *out = Py_None;
  int nstep = 0;
  Plan plan;
  memset(&plan, 0, sizeof(plan));
  plan.rollout.substeps = 1;
  plan.rollout.control_state = mjSTATE_CTRL;
  if (!ctpy_parse(arguments, names, "|OiOiOpiO:rollout", keywords, &controls, &nstep, &record,
                  &plan.rollout.substeps, &mask, &plan.rollout.time_first,
                  &plan.rollout.control_state, &out)) {
    return NULL;
  }
  if (out != Py_None && !PyDict_Check(out)) {
    PyErr_SetString(PyExc_TypeError, "out: this is a dict of arrays by what is recorded");
    return NULL;
  }
  plan.out = out == Py_None ? NULL : out;
  PyObject* whole = record ? Py_NewRef(record) : PyUnicode_FromString("state");
  PyObject* result = NULL;
  if (whole && !ctpy_open_mask(mask, self->n, &self->place, &plan.mask) &&
      !open_controls(self, &plan, controls, nstep)) {
    if (plan.rollout.nstep <= 0 || !make_records(self, &plan, whole)) {
      result = run_plan(self, &plan);
    }
  }
  Py_XDECREF(whole);
  Py_XDECREF(plan.names);
  for (int i = 0; i < MOST_RECORDS; i++) {
    Py_XDECREF(plan.array[i]);
    PyBuffer_Release(plan.target + i);
  }
  PyBuffer_Release(&plan.mask);
  PyBuffer_Release(&plan.control);
  return result;
}

// What became of it

static PyObject* failed(ctpy_Batch* self, PyObject* nothing) {
  (void)nothing;
  ctpy_Call call;
  if (ctpy_begin_batch(self, &call)) return NULL;
  int count = ct_batch_failed(self->batch);
  return ctpy_end_batch(self, &call, count) ? NULL : PyLong_FromLong(count);
}

static PyObject* reason(ctpy_Batch* self, PyObject* arguments) {
  int environment;
  ctpy_Call call;
  static char* keywords[] = {"environment", NULL};
  if (!ctpy_parse(arguments, NULL, "i:reason", keywords, &environment)) return NULL;
  if (ctpy_check_environment(self, "environment", environment)) return NULL;
  if (ctpy_begin_batch(self, &call)) return NULL;
  const char* text = ct_batch_reason(self->batch, environment);
  return ctpy_end_batch(self, &call, 0) ? NULL : PyUnicode_FromString(text ? text : "");
}

static PyObject* raised_by_name(const ct_BatchCounts* counts) {
  PyObject* raised = PyDict_New();
  for (int i = 0; raised && i < CT_NSTATUS; i++) {
    if (!counts->raised[i]) continue;
    PyObject* count = PyLong_FromLongLong(counts->raised[i]);
    if (!count || PyDict_SetItemString(raised, ct_status_name(1 << i), count)) Py_CLEAR(raised);
    Py_XDECREF(count);
  }
  return raised;
}

static PyObject* get_counts(ctpy_Batch* self, PyObject* nothing) {
  (void)nothing;
  ctpy_Call call;
  ct_BatchCounts c;
  if (ctpy_begin_batch(self, &call)) return NULL;
  if (ctpy_end_batch(self, &call, ct_batch_counts(self->batch, &c))) return NULL;
  PyObject* raised = raised_by_name(&c);
  if (!raised) return NULL;
  return Py_BuildValue("{s:L,s:L,s:N,s:L,s:L,s:L,s:i,s:i}", "steps", (long long)c.steps, "resets",
                       (long long)c.resets, "raised", raised, "arena", (long long)c.arena,
                       "arena_used", (long long)c.arena_used, "arena_needed",
                       (long long)c.arena_needed, "most_contacts", c.most_contacts, "most_rows",
                       c.most_rows);
}

// Copies of everything

static PyObject* copy(ctpy_Batch* self, PyObject* arguments) {
  int from, to;
  ctpy_Call call;
  static char* keywords[] = {"source", "target", NULL};
  if (!ctpy_parse(arguments, NULL, "ii:copy", keywords, &from, &to)) return NULL;
  if (ctpy_check_environment(self, "source", from) || ctpy_check_environment(self, "target", to))
    return NULL;
  if (ctpy_begin_batch(self, &call)) return NULL;
  return ctpy_none_after(self, &call, ct_batch_copy(self->batch, from, to));
}

static PyObject* save(ctpy_Batch* self, PyObject* nothing) {
  (void)nothing;
  ctpy_Call call;
  if (ctpy_begin_batch(self, &call)) return NULL;
  size_t size = ct_batch_saved_size(self->batch);
  void* saved = malloc(size + 1);
  int code = saved ? ct_batch_save(self->batch, saved, size) : 0;
  PyObject* bytes = NULL;
  if (!ctpy_end_batch(self, &call, code)) {
    bytes =
        saved ? PyBytes_FromStringAndSize((const char*)saved, (Py_ssize_t)size) : PyErr_NoMemory();
  }
  free(saved);
  return bytes;
}

static PyObject* restore(ctpy_Batch* self, PyObject* argument) {
  Py_buffer bytes;
  if (PyObject_GetBuffer(argument, &bytes, PyBUF_SIMPLE)) {
    PyErr_SetString(PyExc_TypeError, "saved: these must be the bytes that save() gave");
    return NULL;
  }
  PyObject* result = NULL;
  ctpy_Call call;
  if (!ctpy_begin_batch(self, &call)) {
    int code = ct_batch_restore(self->batch, bytes.buf, (size_t)bytes.len);
    result = ctpy_none_after(self, &call, code);
    if (code == CT_BATCH_BAD_ARGUMENT) ctpy_name_argument("saved");
  }
  PyBuffer_Release(&bytes);
  return result;
}

PyMethodDef ctpy_run_methods[] = {
    {"step", CTPY_METHOD(step), METH_VARARGS | METH_KEYWORDS,
     "step(n=1, mask=None)\n\nMakes n steps in all environments, or in those that the mask "
     "selects: "
     "(n,) of bool. The interpreter's lock is free meanwhile."},
    {"forward", CTPY_METHOD(forward), METH_VARARGS | METH_KEYWORDS,
     "forward(mask=None, stage=\"acceleration\")\n\nRecomputes what follows from the state without "
     "a "
     "step, up to \"position\", \"velocity\" or \"acceleration\"."},
    {"wait", CTPY_METHOD(wait_for_all), METH_NOARGS,
     "wait()\n\nWaits until a GPU has done everything that was asked for."},
    {"set_stream", CTPY_METHOD(set_stream), METH_O,
     "set_stream(stream)\n\nGPU: the stream, as an address, that all further work is queued on, "
     "such as torch.cuda.current_stream().cuda_stream. Without it a batch works on a stream of its "
     "own that waits for the default stream, and the default stream for it."},
    {"reset", CTPY_METHOD(reset), METH_VARARGS | METH_KEYWORDS,
     "reset(mask=None, key=None, states=None, components=STATE_INTEGRATION)\n\nTo the default "
     "state, "
     "to a keyframe (a number for all, or int32 (n,), -1 for the default), or to states with the "
     "given components."},
    {"rollout", CTPY_METHOD(rollout), METH_VARARGS | METH_KEYWORDS,
     "rollout(controls=None, nstep=0, record=\"state\", substeps=1, mask=None, time_first=False, "
     "components=STATE_CTRL, out=None) -> dict\n\nA trajectory in one call. controls: (n, nstep, "
     "nu). "
     "record: "
     "names of fields, and sets of STATE_ bits; the result has an array (n, nstep, size) for each. "
     "time_first: (nstep, n, size) everywhere. components: what controls holds. out: arrays to "
     "record into, by name, of the host or the GPU."},
    {"failed", CTPY_METHOD(failed), METH_NOARGS,
     "failed() -> int\n\nHow many environments did not make their last step."},
    {"reason", CTPY_METHOD(reason), METH_VARARGS,
     "reason(environment) -> str\n\nWhy an environment is flagged and what to do; \"\" if it is "
     "not."},
    {"counts", CTPY_METHOD(get_counts), METH_NOARGS,
     "counts() -> dict\n\nSteps made, automatic resets, how often each problem was raised, use of "
     "the "
     "arena, most contacts and rows."},
    {"copy", CTPY_METHOD(copy), METH_VARARGS,
     "copy(source, target)\n\nMakes one environment what another one is."},
    {"save", CTPY_METHOD(save), METH_NOARGS,
     "save() -> bytes\n\nEverything but the model and the options."},
    {"restore", CTPY_METHOD(restore), METH_O,
     "restore(saved)\n\nGoes on from what save() of a batch of the same model and size gave."},
    {NULL, NULL, 0, NULL},
};
