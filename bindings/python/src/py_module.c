// The module corten._corten: its types, its constants, and how it calls the library.

#include "py_module.h"

#include <corten/derivative.h>
#include <limits.h>
#include <stdarg.h>
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

// Arguments

const char* ctpy_text(PyObject* object, const char* argument) {
  Py_ssize_t size = 0;
  const char* text = PyUnicode_Check(object) ? PyUnicode_AsUTF8AndSize(object, &size) : NULL;
  if (text && strlen(text) == (size_t)size) return text;
  if (text) {
    PyErr_Format(PyExc_ValueError, "%s: the text has a null character", argument);
  } else if (PyErr_Occurred()) {
    PyErr_Clear();
    PyErr_Format(PyExc_ValueError, "%s: the text has a character that UTF-8 has not", argument);
  } else {
    PyErr_Format(PyExc_TypeError, "%s: this must be a str, not %R", argument, object);
  }
  return NULL;
}

void ctpy_name_argument(const char* argument) {
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  if (PyErr_GivenExceptionMatches(type, PyExc_UnicodeError)) {  // cannot be made of a text
    PyErr_Format(PyExc_ValueError, "%s: %S", argument, value);
  } else if (type == PyExc_TypeError || type == PyExc_ValueError || type == PyExc_OverflowError) {
    PyErr_Format(type, "%s: %S", argument, value);
  } else {  // of the argument's own methods
    PyErr_Restore(type, value, trace);
    return;
  }
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(trace);
}

static bool fits(PyObject* number, long long low, long long high) {
  long long value = PyLong_AsLongLong(number);
  return !PyErr_Occurred() && value >= low && value <= high;
}

// Is this what a unit of a format takes? An exception may be set, or not.
static bool suits(char unit, PyObject* object) {
  if (unit == 'i') return fits(object, INT_MIN, INT_MAX);
  if (unit == 'L') return fits(object, LLONG_MIN, LLONG_MAX);
  if (unit == 'd') {
    PyFloat_AsDouble(object);
  } else if (unit == 's') {
    return ctpy_text(object, "") != NULL;
  }
  return !PyErr_Occurred();
}

static void refuse_argument(const char* name, char unit, PyObject* object) {
  PyErr_Clear();
  if (unit == 's') {
    ctpy_text(object, name);
  } else if (PyLong_Check(object) && unit != 'd') {
    PyErr_Format(PyExc_OverflowError, "%s: %R is out of range; this is an integer of %d bits", name,
                 object, unit == 'i' ? 32 : 64);
  } else {
    PyErr_Format(PyExc_TypeError, "%s: this must be %s, not %R", name,
                 unit == 'd' ? "a number" : "an integer", object);
  }
}

// Looks for the first argument that its unit does not take. -1 with an exception: there is one.
static int check_units(PyObject* arguments, PyObject* names, const char* format, char** keywords) {
  Py_ssize_t given = PyTuple_Size(arguments);
  int at = 0;
  for (const char* unit = format; *unit && *unit != ':' && keywords[at]; unit++) {
    if (strchr("|$!&", *unit)) continue;
    PyObject* object = at < given ? PyTuple_GetItem(arguments, at)
                       : names    ? PyDict_GetItemString(names, keywords[at])
                                  : NULL;
    if (object && !suits(*unit, object)) {
      refuse_argument(keywords[at], *unit, object);
      return -1;
    }
    at++;
  }
  return 0;
}

int ctpy_parse(PyObject* arguments, PyObject* names, const char* format, char** keywords, ...) {
  if (check_units(arguments, names, format, keywords)) return 0;
  va_list targets;
  va_start(targets, keywords);
  int code = PyArg_VaParseTupleAndKeywords(arguments, names, format, keywords, targets);
  va_end(targets);
  return code;
}

// Functions

static PyObject* version(PyObject* module, PyObject* nothing) {
  (void)module;
  (void)nothing;
  return PyUnicode_FromString(mj_versionString());
}

// An integer of bits. -1 may come with an exception.
static long bits_of(PyObject* argument) {
  long bits = PyLong_AsLong(argument);
  if (bits == -1 && PyErr_Occurred()) ctpy_name_argument("bits");
  return bits;
}

static PyObject* status_names(PyObject* module, PyObject* argument) {
  (void)module;
  long bits = bits_of(argument);
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
  long bits = bits_of(argument);
  if (bits == -1 && PyErr_Occurred()) return NULL;
  PyObject* names = PyList_New(0);
  for (int bit = 1; names && bit <= CT_NO_SLOPE_PARAMETER; bit <<= 1) {
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
