// What the files of the Python extension share: one call into the library, and the types.
//
// Only the stable interface of CPython 3.11 is used, so that one binary serves every later version,
// and only the buffer protocol, so that NumPy is needed when arrays are used, not when they are
// compiled.

#ifndef CORTEN_PY_MODULE_H_
#define CORTEN_PY_MODULE_H_

#define PY_SSIZE_T_CLEAN
#define Py_LIMITED_API 0x030B0000
#include <Python.h>
#include <corten/batch.h>
#include <stdbool.h>

// A call into the library, made without the interpreter's lock. Errors and warnings that it raises
// on this thread are kept instead of printed: an error would end the process.
typedef struct ctpy_Call_ {
  PyThreadState* thread;
  void (*error_before)(const char*);
  void (*warning_before)(const char*);
  struct ctpy_Call_* outer;
  char error[600], warning[600];  // the first of each; "": none
  bool alone;                     // it has the batch for itself (py_batch.c)
} ctpy_Call;

void ctpy_begin(ctpy_Call* call);
void ctpy_end(ctpy_Call* call);

// After the end: raises what the library said. An error is a corten.Error, a warning a
// RuntimeWarning. 0, or -1 if there is an exception now.
int ctpy_report(const ctpy_Call* call);

// PyArg_ParseTupleAndKeywords, but its exceptions begin with the argument's name. Without names,
// NULL, arguments come by position only.
int ctpy_parse(PyObject* arguments, PyObject* names, const char* format, char** keywords, ...);

// The text of a string, without an end in its middle; NULL with an exception that begins with the
// argument's name.
const char* ctpy_text(PyObject* object, const char* argument);

// Puts the argument's name before the text of the exception that is raised, unless it is one that a
// method of the argument has raised.
void ctpy_name_argument(const char* argument);

// corten.Error: the library failed in a way that is not the argument's fault.
extern PyObject* ctpy_error;

// Functions with keywords have another type than the table of methods says.
#define CTPY_METHOD(function_) ((PyCFunction)(void (*)(void))(function_))
#define CTPY_SLOT(function_) ((void*)(function_))

// The type Model
extern PyTypeObject* ctpy_model_type;
int ctpy_add_model(PyObject* module);
const mjModel* ctpy_model(PyObject* model);

// What keeps the mjModel alive and leads to nothing else, for arrays and batches; borrowed.
PyObject* ctpy_model_memory(PyObject* model);

// The type Batch
int ctpy_add_batch(PyObject* module);

#endif  // CORTEN_PY_MODULE_H_
