// The module corten._corten: its types, its constants, and how it calls the library.

#include "py_module.h"

#include <corten/derivative.h>
#include <stdio.h>
#include <string.h>

#include "py_batch.h"

PyObject* ctpy_error = NULL;

// Calls

// Handlers of one thread; they come before those of the process. Bindings are what they are for.
MJAPI void (*_mjPRIVATE__get_tls_error_fn(void))(const char*);
MJAPI void (*_mjPRIVATE__get_tls_warning_fn(void))(const char*);
MJAPI void _mjPRIVATE__set_tls_error_fn(void (*handler)(const char*));
MJAPI void _mjPRIVATE__set_tls_warning_fn(void (*handler)(const char*));

static _Thread_local ctpy_Call* innermost = NULL;

// A handler that returns is enough: corten's functions then do nothing or return NULL.
static void keep_error(const char* message) {
  if (!innermost->error[0]) snprintf(innermost->error, sizeof(innermost->error), "%s", message);
}

static void keep_warning(const char* message) {
  if (!innermost->warning[0]) {
    snprintf(innermost->warning, sizeof(innermost->warning), "%s", message);
  }
}

void ctpy_begin(ctpy_Call* call) {
  call->error[0] = call->warning[0] = 0;
  call->error_before = _mjPRIVATE__get_tls_error_fn();
  call->warning_before = _mjPRIVATE__get_tls_warning_fn();
  call->outer = innermost;
  innermost = call;
  _mjPRIVATE__set_tls_error_fn(keep_error);
  _mjPRIVATE__set_tls_warning_fn(keep_warning);
  call->thread = PyEval_SaveThread();
}

void ctpy_end(ctpy_Call* call) {
  PyEval_RestoreThread(call->thread);
  _mjPRIVATE__set_tls_error_fn(call->error_before);
  _mjPRIVATE__set_tls_warning_fn(call->warning_before);
  innermost = call->outer;
}

int ctpy_report(const ctpy_Call* call) {
  if (call->error[0]) {
    PyErr_SetString(ctpy_error, call->error);
    return -1;
  }
  return call->warning[0] ? PyErr_WarnEx(PyExc_RuntimeWarning, call->warning, 1) : 0;
}

// Functions

static PyObject* version(PyObject* module, PyObject* nothing) {
  (void)module;
  (void)nothing;
  return PyUnicode_FromString(mj_versionString());
}

static PyObject* status_names(PyObject* module, PyObject* argument) {
  (void)module;
  long bits = PyLong_AsLong(argument);
  if (bits == -1 && PyErr_Occurred()) return NULL;
  PyObject* names = PyList_New(0);
  for (int i = 0; names && i < CT_NSTATUS; i++) {
    if (!(bits & (1L << i))) continue;
    PyObject* name = PyUnicode_FromString(ct_status_name(1 << i));
    if (!name || PyList_Append(names, name)) Py_CLEAR(names);
    Py_XDECREF(name);
  }
  return names;
}

static PyObject* derivative_reasons(PyObject* module, PyObject* argument) {
  (void)module;
  long bits = PyLong_AsLong(argument);
  if (bits == -1 && PyErr_Occurred()) return NULL;
  PyObject* names = PyList_New(0);
  for (int bit = 1; names && bit <= CT_SHAPES_TO_TOLERANCE; bit <<= 1) {
    if (!(bits & bit)) continue;
    PyObject* name = PyUnicode_FromString(ct_derivative_reason(bit));
    if (!name || PyList_Append(names, name)) Py_CLEAR(names);
    Py_XDECREF(name);
  }
  return names;
}

static PyMethodDef functions[] = {
    {"version", version, METH_NOARGS,
     "version() -> str\n\nThe version of MuJoCo whose interface the library has."},
    {"status_names", status_names, METH_O,
     "status_names(bits) -> list of str\n\nWhat the bits of an environment's status mean, such as "
     "[\"bad qpos\"]."},
    {"derivative_reasons", derivative_reasons, METH_O,
     "derivative_reasons(bits) -> list of str\n\nWhy a derivative is not analytic in all of its "
     "parts, from \"reasons\" of Batch.derivative and the like."},
    {NULL, NULL, 0, NULL},
};

// Constants

typedef struct {
  const char* name;
  int value;
} Constant;

static const Constant constants[] = {
    {"STATE_TIME", mjSTATE_TIME},
    {"STATE_QPOS", mjSTATE_QPOS},
    {"STATE_QVEL", mjSTATE_QVEL},
    {"STATE_ACT", mjSTATE_ACT},
    {"STATE_HISTORY", mjSTATE_HISTORY},
    {"STATE_WARMSTART", mjSTATE_WARMSTART},
    {"STATE_CTRL", mjSTATE_CTRL},
    {"STATE_QFRC_APPLIED", mjSTATE_QFRC_APPLIED},
    {"STATE_XFRC_APPLIED", mjSTATE_XFRC_APPLIED},
    {"STATE_EQ_ACTIVE", mjSTATE_EQ_ACTIVE},
    {"STATE_MOCAP_POS", mjSTATE_MOCAP_POS},
    {"STATE_MOCAP_QUAT", mjSTATE_MOCAP_QUAT},
    {"STATE_USERDATA", mjSTATE_USERDATA},
    {"STATE_PLUGIN", mjSTATE_PLUGIN},
    {"STATE_PHYSICS", mjSTATE_PHYSICS},
    {"STATE_FULLPHYSICS", mjSTATE_FULLPHYSICS},
    {"STATE_USER", mjSTATE_USER},
    {"STATE_INTEGRATION", mjSTATE_INTEGRATION},
};

static int add_constants(PyObject* module) {
  int failures = 0;
  for (int i = 0; i < CT_NSTATUS; i++) failures |= ct_status_is_failure(1 << i) ? 1 << i : 0;
  if (PyModule_AddIntConstant(module, "FAILURES", failures)) return -1;
  for (size_t i = 0; i < sizeof(constants) / sizeof(constants[0]); i++) {
    if (PyModule_AddIntConstant(module, constants[i].name, constants[i].value)) return -1;
  }
  return 0;
}

// The module

static struct PyModuleDef definition = {
    .m_base = PyModuleDef_HEAD_INIT,
    .m_name = "corten._corten",
    .m_doc = "Models and batches of corten. Use the package corten, which has everything of it.",
    .m_size = -1,
    .m_methods = functions,
};

PyMODINIT_FUNC PyInit__corten(void);
PyMODINIT_FUNC PyInit__corten(void) {
  PyObject* module = PyModule_Create(&definition);
  if (!module) return NULL;
  ctpy_error = PyErr_NewExceptionWithDoc(
      "corten.Error", "The library could not do it; the message says why and what to do.",
      PyExc_RuntimeError, NULL);
  if (!ctpy_error || PyModule_AddObjectRef(module, "Error", ctpy_error) || add_constants(module) ||
      ctpy_add_array(module) || ctpy_add_model(module) || ctpy_add_batch(module) ||
      ctpy_add_environment(module)) {
    Py_DECREF(module);
    return NULL;
  }
  return module;
}
