// corten.Batch: the object, and its methods by what they do.

#ifndef CORTEN_PY_BATCH_H_
#define CORTEN_PY_BATCH_H_

#include <pthread.h>

#include "py_arrays.h"

typedef struct ctpy_Batch_ {
  PyObject_HEAD;
  PyObject* memory;  // has the library's batch, together with the arrays on it; NULL: let go of
  ct_Batch* batch;   // the same
  PyObject* model;
  int n;
  ctpy_Place place;  // where its memory is
  int running;       // calls that are under way, on threads without the interpreter's lock
  bool closed;       // no more calls; the memory is let go of when nothing runs

  // functions of single environments (py_hooks.c)
  PyObject *outcome, *start;  // of the user; NULL: none
  int post_constraint;        // steps compute forces between bodies
  PyObject* raised[3];        // the first exception of a function in the call that is under way
  pthread_mutex_t turn;       // of the call that is under way: what is raised belongs to it
} ctpy_Batch;

// Opens and closes a call on a batch. Begin: 0, or -1 with an exception if the batch is closed or
// belongs to another process. End: raises what the code stands for, -1 with an exception.
int ctpy_begin_batch(ctpy_Batch* self, ctpy_Call* call);
int ctpy_end_batch(ctpy_Batch* self, ctpy_Call* call, int code);

// None after the end of a call; NULL if that has raised something.
PyObject* ctpy_none_after(ctpy_Batch* self, ctpy_Call* call, int code);

// What arrays hold is the memory, which leads back to nothing: NumPy's are not seen through by
// Python's collector of cycles, and functions that a batch holds may hold arrays on it.
//
// The stream that set_stream() was told; CTPY_OWN_STREAM: one that waits for the default.
uintptr_t ctpy_stream(PyObject* memory);
void ctpy_set_stream(PyObject* memory, uintptr_t stream);

// Makes the batch wait for a stream, or a stream for the batch. 0, or -1 with an exception.
int ctpy_put_in_order(PyObject* memory, uintptr_t stream, bool follow);

// Elements and type of a field; -1 with an exception. "state" is the whole state.
int ctpy_field(ctpy_Batch* self, const char* name, int* type);

// 0, or -1 with an IndexError that names the argument.
int ctpy_check_environment(const ctpy_Batch* self, const char* argument, int environment);

// The array on the batch's own memory.
PyObject* ctpy_view(ctpy_Batch* self, const char* name);

// Hands the hooks of the object to its batch. 0, or -1 with an exception.
int ctpy_install_hooks(ctpy_Batch* self);

// Does this thread run a function of the user for the batch?
bool ctpy_in_function(const ctpy_Batch* self);

int ctpy_add_environment(PyObject* module);

extern PyMethodDef ctpy_hook_methods[];
extern PyMethodDef ctpy_field_methods[];
extern PyMethodDef ctpy_run_methods[];
extern PyMethodDef ctpy_derivative_methods[];

#endif  // CORTEN_PY_BATCH_H_
