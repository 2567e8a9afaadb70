// Derivatives of a batch (corten/derivative.h): matrices, products, rollouts, parameters, forward
// and inverse dynamics.
//
// Each method opens what it was given, makes the arrays that it will return, has all environments
// derived, and returns a dict: the arrays, and what the reports say, one number per environment.
// Rows of environments that have no derivative, or that the mask leaves out, are NaN: zeros would
// be believed.

#include <corten/derivative.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "py_arrays.h"
#include "py_batch.h"

#define MOST 8

typedef struct {
  ct_DerivativeOptions options;
  Py_buffer mask, in[MOST];
  int nin;
  const char* name[MOST];  // of the arrays that are returned
  PyObject* array[MOST];
  mjtNum* data[MOST];
  size_t row[MOST];  // numbers per environment
  int narray;
  int* results;  // (n) what the function returned
  ct_DerivativeReport* reports;
} Work;

// Opening and closing

static int read_method(const char* method, ct_DerivativeOptions* options) {
  static const char* const names[] = {"hybrid", "analytic", "differences"};
  for (int i = 0; i < 3; i++) {
    options->method = i;
    if (!strcmp(method, names[i])) return 0;
  }
  PyErr_Format(PyExc_ValueError,
               "method: this is \"hybrid\", \"analytic\" or \"differences\", not \"%s\"", method);
  return -1;
}

typedef struct {  // what every method takes
  PyObject* mask;
  const char* method;
  double eps, smoothing;
  int centred;
} Manner;
#define USUAL_MANNER \
  { NULL, "hybrid", 1e-6, 0, 1 }
#define MANNER_KEYWORDS "mask", "method", "eps", "centred", "smoothing"
#define MANNER_FORMAT "Osdpd"
#define MANNER_TARGETS(m_) &(m_).mask, &(m_).method, &(m_).eps, &(m_).centred, &(m_).smoothing

static int begin(const ctpy_Batch* self, const Manner* manner, Work* w) {
  memset(w, 0, sizeof(*w));
  ct_default_derivative_options(&w->options);
  w->options.eps = (mjtNum)manner->eps;
  w->options.smoothing = (mjtNum)manner->smoothing;
  w->options.centred = (mjtByte)(manner->centred != 0);
  if (read_method(manner->method, &w->options)) return -1;
  if (!(manner->eps > 0 && manner->eps <= 0.01)) {
    PyErr_SetString(PyExc_ValueError, "eps: this must be above 0 and at most 0.01");
    return -1;
  }
  if (!(manner->smoothing >= 0)) {
    PyErr_SetString(PyExc_ValueError, "smoothing: this must be 0 or above");
    return -1;
  }
  if (ctpy_open_mask(manner->mask, self->n, &self->place, &w->mask)) return -1;
  w->results = (int*)calloc((size_t)self->n, sizeof(int));
  w->reports = (ct_DerivativeReport*)calloc((size_t)self->n, sizeof(ct_DerivativeReport));
  if (!w->results || !w->reports) {
    PyErr_NoMemory();
    return -1;
  }
  for (int e = 0; e < self->n; e++) w->results[e] = -1;  // until a function has returned
  return 0;
}

static void end(Work* w) {
  PyBuffer_Release(&w->mask);
  for (int i = 0; i < w->nin; i++) PyBuffer_Release(w->in + i);
  for (int i = 0; i < w->narray; i++) Py_XDECREF(w->array[i]);
  free(w->results);
  free(w->reports);
}

// Numbers that came in; NULL for None. They are read on the host, whatever the batch is on.
static int take(Work* w, PyObject* object, const char* argument, ctpy_Shape shape,
                const mjtNum** to) {
  *to = NULL;
  if (object == Py_None) return 0;
  Py_buffer* buffer = w->in + w->nin;
  if (ctpy_open(object, argument, CT_NUMBER, &shape, false, &ctpy_host, buffer)) return -1;
  w->nin++;
  *to = (const mjtNum*)buffer->buf;
  return 0;
}

// A new array that will be returned.
static int give(Work* w, const char* name, ctpy_Shape shape, mjtNum** to) {
  void* data = NULL;
  PyObject* array = ctpy_new_array(&shape, CT_NUMBER, &data);
  if (!array) return -1;
  int i = w->narray++;
  w->name[i] = name;
  w->array[i] = array;
  w->data[i] = *to = (mjtNum*)data;
  w->row[i] = 1;
  for (int axis = 1; axis < shape.axes; axis++) w->row[i] *= (size_t)shape.size[axis];
  return 0;
}

static void mark_failures(const ctpy_Batch* self, Work* w) {
  for (int e = 0; e < self->n; e++) {
    if (!w->results[e]) continue;
    for (int i = 0; i < w->narray; i++) {
      mjtNum* row = w->data[i] + (size_t)e * w->row[i];
      for (size_t k = 0; k < w->row[i]; k++) row[k] = (mjtNum)NAN;
    }
  }
}

static int add(PyObject* dict, const char* name, PyObject* array) {
  PyObject* numpy = ctpy_to_numpy(array);
  int code = numpy ? PyDict_SetItemString(dict, name, numpy) : -1;
  Py_XDECREF(numpy);
  return code;
}

static int add_reports(const ctpy_Batch* self, const Work* w, PyObject* dict) {
  ctpy_Shape shape = {1, {self->n, 0, 0}};
  void *method, *reasons, *status, *worst;
  PyObject* arrays[] = {
      ctpy_new_array(&shape, CT_INT, &method), ctpy_new_array(&shape, CT_INT, &reasons),
      ctpy_new_array(&shape, CT_INT, &status), ctpy_new_array(&shape, CT_NUMBER, &worst)};
  bool all = arrays[0] && arrays[1] && arrays[2] && arrays[3];
  for (int e = 0; all && e < self->n; e++) {
    ((int*)method)[e] = w->results[e] ? -1 : w->reports[e].method;
    ((int*)reasons)[e] = w->reports[e].reasons;
    ((int*)status)[e] = w->reports[e].status;
    ((mjtNum*)worst)[e] = w->reports[e].worst;
  }
  static const char* const names[] = {"method", "reasons", "status", "worst"};
  int code = all ? 0 : -1;
  for (int i = 0; i < 4; i++) {
    if (code) {
      Py_XDECREF(arrays[i]);
    } else {
      code = add(dict, names[i], arrays[i]);
    }
  }
  return code;
}

static PyObject* results_of(const ctpy_Batch* self, Work* w) {
  mark_failures(self, w);
  PyObject* dict = PyDict_New();
  for (int i = 0; dict && i < w->narray; i++) {
    PyObject* array = w->array[i];
    w->array[i] = NULL;
    if (add(dict, w->name[i], array)) Py_CLEAR(dict);
  }
  if (dict && add_reports(self, w, dict)) Py_CLEAR(dict);
  return dict;
}

// All environments: what derives them returns a ct_BatchResult. Everything is closed behind it.
typedef int (*Derive)(ctpy_Batch* self, Work* w, void* what);

static PyObject* run(ctpy_Batch* self, Work* w, int code, Derive derive, void* what) {
  ctpy_Call call;
  if (!code) code = ctpy_begin_batch(self, &call);
  if (!code) code = ctpy_end_batch(self, &call, derive(self, w, what));
  PyObject* result = code ? NULL : results_of(self, w);
  end(w);
  return result;
}

// Sizes

static Py_ssize_t state_numbers(const ctpy_Batch* self) {
  const mjModel* m = ctpy_model(self->model);
  return (Py_ssize_t)(2 * m->nv + m->na);
}

static ctpy_Shape rows(const ctpy_Batch* self, Py_ssize_t numbers) {
  return (ctpy_Shape){2, {self->n, numbers, 0}};
}

static ctpy_Shape matrices(const ctpy_Batch* self, Py_ssize_t height, Py_ssize_t width) {
  return (ctpy_Shape){3, {self->n, height, width}};
}

typedef struct {  // a matrix that may be returned
  const char* name;
  Py_ssize_t height, width;
  mjtNum** to;
} Wanted;

// Those whose name is one of the letters, or all.
static int give_matrices(const ctpy_Batch* self, Work* w, const char* letters, const Wanted* list,
                         int n) {
  int code = 0;
  for (int i = 0; i < n && !code; i++) {
    if (letters && !strchr(letters, list[i].name[0])) continue;
    code = give(w, list[i].name, matrices(self, list[i].height, list[i].width), list[i].to);
  }
  return code;
}

// Matrices

static int derive_matrices(ctpy_Batch* self, Work* w, void* what) {
  return ct_batch_derivative(self->batch, (const mjtByte*)w->mask.buf, &w->options,
                             (const ct_DerivativeMatrices*)what, w->results, w->reports);
}

static PyObject* derivative(ctpy_Batch* self, PyObject* arguments, PyObject* names) {
  static char* keywords[] = {"which", MANNER_KEYWORDS, NULL};
  const char* which = "AB";
  Manner manner = USUAL_MANNER;
  if (!ctpy_parse(arguments, names, "|s" MANNER_FORMAT ":derivative", keywords, &which,
                  MANNER_TARGETS(manner))) {
    return NULL;
  }
  if (!*which || strspn(which, "ABCD") != strlen(which)) {
    return PyErr_Format(PyExc_ValueError, "which: these are letters of \"ABCD\", not \"%s\"",
                        which);
  }
  const mjModel* m = ctpy_model(self->model);
  Py_ssize_t n = state_numbers(self), nu = (Py_ssize_t)m->nu, ns = (Py_ssize_t)m->nsensordata;
  ct_DerivativeMatrices out = {NULL, NULL, NULL, NULL};
  const Wanted list[] = {
      {"A", n, n, &out.A}, {"B", n, nu, &out.B}, {"C", ns, n, &out.C}, {"D", ns, nu, &out.D}};
  Work w;
  int code = begin(self, &manner, &w);
  if (!code) code = give_matrices(self, &w, which, list, 4);
  return run(self, &w, code, derive_matrices, &out);
}

// Products

static int derive_product(ctpy_Batch* self, Work* w, void* what) {
  return ct_batch_derivative_product(self->batch, (const mjtByte*)w->mask.buf, &w->options,
                                     (const ct_DerivativeProduct*)what, w->results, w->reports);
}

static PyObject* derivative_product(ctpy_Batch* self, PyObject* arguments, PyObject* names) {
  static char* keywords[] = {"dx", "du", "by_y", MANNER_KEYWORDS, NULL};
  PyObject *dx = Py_None, *du = Py_None, *by_y = Py_None;
  Manner manner = USUAL_MANNER;
  if (!ctpy_parse(arguments, names, "|OOO" MANNER_FORMAT ":derivative_product", keywords, &dx, &du,
                  &by_y, MANNER_TARGETS(manner))) {
    return NULL;
  }
  if (dx == Py_None && du == Py_None && by_y == Py_None) {
    PyErr_SetString(PyExc_TypeError, "dx, du, by_y: at least one of them must be given");
    return NULL;
  }
  Py_ssize_t n = state_numbers(self), nu = (Py_ssize_t)ctpy_model(self->model)->nu;
  ct_DerivativeProduct product;
  memset(&product, 0, sizeof(product));
  Work w;
  int code = begin(self, &manner, &w);
  if (!code) code = take(&w, dx, "dx", rows(self, n), &product.dx);
  if (!code) code = take(&w, du, "du", rows(self, nu), &product.du);
  if (!code) code = take(&w, by_y, "by_y", rows(self, n), &product.by_y);
  if (!code && (product.dx || product.du)) code = give(&w, "dy", rows(self, n), &product.dy);
  if (!code && product.by_y) {
    code = give(&w, "by_x", rows(self, n), &product.by_x) ||
           give(&w, "by_u", rows(self, nu), &product.by_u);
  }
  return run(self, &w, code, derive_product, &product);
}

// Parameters of the model, as pairs of a field and an index

typedef struct {
  PyObject* pairs;  // a tuple, which keeps the names alive
  ct_Parameter* at;
  int n;
} Parameters;

// Elements of the field in the model must be more than the index.
static int check_parameter(ctpy_Batch* self, const ct_Parameter* p) {
  char name[100];
  int type, size;
  snprintf(name, sizeof(name), "model.%s", p->field);
  size = ctpy_field(self, name, &type);
  if (size < 0) return -1;
  if (type != CT_NUMBER) {
    PyErr_Format(PyExc_ValueError,
                 "parameters: \"%s\" has no derivative, it is not made of numbers", p->field);
    return -1;
  }
  if (p->index >= 0 && p->index < size) return 0;
  PyErr_Format(PyExc_IndexError, "parameters: \"%s\" has %d numbers, and none with index %d",
               p->field, size, p->index);
  return -1;
}

static int read_parameters(ctpy_Batch* self, PyObject* object, Parameters* p) {
  memset(p, 0, sizeof(*p));
  if (object == Py_None) return 0;
  p->pairs = PySequence_Tuple(object);
  p->n = p->pairs ? (int)PyTuple_Size(p->pairs) : 0;
  p->at = (ct_Parameter*)calloc((size_t)p->n + 1, sizeof(ct_Parameter));
  for (int i = 0; p->pairs && p->at && i < p->n; i++) {
    PyObject* pair = PyTuple_GetItem(p->pairs, i);
    if (!PyTuple_Check(pair) || !PyArg_ParseTuple(pair, "si", &p->at[i].field, &p->at[i].index)) {
      PyErr_Format(PyExc_TypeError,
                   "parameters: number %d is not a pair such as (\"dof_damping\", 3)", i);
      return -1;
    }
    if (check_parameter(self, p->at + i)) return -1;
  }
  if (!p->pairs) PyErr_SetString(PyExc_TypeError, "parameters: these are pairs (field, index)");
  if (p->pairs && !p->at) PyErr_NoMemory();
  return p->pairs && p->at ? 0 : -1;
}

static void drop_parameters(Parameters* p) {
  Py_XDECREF(p->pairs);
  free(p->at);
}

// Rollouts

static int open_rollout(ctpy_Batch* self, Work* w, PyObject* const* given, ct_RolloutProduct* r) {
  Py_ssize_t n = state_numbers(self), nu = (Py_ssize_t)ctpy_model(self->model)->nu;
  Py_ssize_t steps = r->steps;
  if (take(w, given[0], "controls", matrices(self, steps, nu), &r->ctrl) ||
      take(w, given[1], "dx", rows(self, n), &r->dx) ||
      take(w, given[2], "du", matrices(self, steps, nu), &r->du) ||
      take(w, given[3], "by_y", matrices(self, steps + 1, n), &r->by_y)) {
    return -1;
  }
  if ((r->dx || r->du) && give(w, "dy", matrices(self, steps + 1, n), &r->dy)) return -1;
  if (!r->by_y) return 0;
  if (give(w, "by_x", rows(self, n), &r->by_x) ||
      give(w, "by_u", matrices(self, steps, nu), &r->by_u)) {
    return -1;
  }
  return r->nparameter ? give(w, "by_parameter", rows(self, r->nparameter), &r->by_parameter) : 0;
}

static int derive_rollout(ctpy_Batch* self, Work* w, void* what) {
  return ct_batch_rollout_product(self->batch, (const mjtByte*)w->mask.buf, &w->options,
                                  (const ct_RolloutProduct*)what, w->results, w->reports);
}

static PyObject* rollout_product(ctpy_Batch* self, PyObject* arguments, PyObject* names) {
  static char* keywords[] = {"steps",      "controls",      "dx", "du", "by_y", "checkpoints",
                             "parameters", MANNER_KEYWORDS, NULL};
  PyObject* given[4] = {Py_None, Py_None, Py_None, Py_None};
  PyObject* parameters = Py_None;
  ct_RolloutProduct r;
  memset(&r, 0, sizeof(r));
  Manner manner = USUAL_MANNER;
  if (!ctpy_parse(arguments, names, "i|OOOOiO" MANNER_FORMAT ":rollout_product", keywords, &r.steps,
                  &given[0], &given[1], &given[2], &given[3], &r.checkpoints, &parameters,
                  MANNER_TARGETS(manner))) {
    return NULL;
  }
  if (r.steps <= 0 || r.checkpoints < 0) {
    PyErr_SetString(PyExc_ValueError, r.steps <= 0 ? "steps: make at least one"
                                                   : "checkpoints: this must be 0 or above");
    return NULL;
  }
  Parameters p = {NULL, NULL, 0};
  Work w;
  int code = begin(self, &manner, &w);
  if (!code) code = read_parameters(self, parameters, &p);
  r.nparameter = p.n;
  r.parameters = p.at;
  if (!code) code = open_rollout(self, &w, given, &r);
  PyObject* result = run(self, &w, code, derive_rollout, &r);
  drop_parameters(&p);
  return result;
}

// What the library has for one mjData, for all environments

typedef struct {
  Work* work;
  void (*derive)(const mjModel* m, mjData* d, int e, void* each);
  const Parameters* parameters;
  mjtNum* P;
  const mjtNum* qacc;
  ct_ForwardMatrices forward;
  ct_InverseMatrices inverse;
  mjtByte less_actuation;
} Each;

static int derive_each(ctpy_Batch* self, Work* w, void* what) {
  Each* each = (Each*)what;
  return ct_batch_apply(self->batch, (const mjtByte*)w->mask.buf, each->derive, each, 0);
}

static void derive_parameters(const mjModel* m, mjData* d, int e, void* argument) {
  const Each* each = (const Each*)argument;
  size_t numbers = (size_t)(2 * m->nv + m->na) * (size_t)each->parameters->n;
  each->work->results[e] =
      ct_parameter_derivative(m, d, &each->work->options, each->parameters->n, each->parameters->at,
                              each->P + (size_t)e * numbers, each->work->reports + e);
}

static PyObject* parameter_derivative(ctpy_Batch* self, PyObject* arguments, PyObject* names) {
  static char* keywords[] = {"parameters", MANNER_KEYWORDS, NULL};
  PyObject* parameters;
  Manner manner = USUAL_MANNER;
  if (!ctpy_parse(arguments, names, "O|" MANNER_FORMAT ":parameter_derivative", keywords,
                  &parameters, MANNER_TARGETS(manner))) {
    return NULL;
  }
  Parameters p = {NULL, NULL, 0};
  Work w;
  Each each = {.work = &w, .derive = derive_parameters, .parameters = &p};
  int code = begin(self, &manner, &w);
  if (!code) code = read_parameters(self, parameters, &p);
  if (!code) code = give(&w, "P", matrices(self, state_numbers(self), p.n), &each.P);
  PyObject* result = run(self, &w, code, derive_each, &each);
  drop_parameters(&p);
  return result;
}

static void derive_forward(const mjModel* m, mjData* d, int e, void* argument) {
  const Each* each = (const Each*)argument;
  size_t nv = (size_t)m->nv, at = (size_t)e * nv;
  ct_ForwardMatrices one = {each->forward.q + at * nv, each->forward.v + at * nv,
                            each->forward.act + at * (size_t)m->na,
                            each->forward.ctrl + at * (size_t)m->nu, each->forward.force + at * nv};
  each->work->results[e] =
      ct_forward_derivative(m, d, &each->work->options, &one, each->work->reports + e);
}

static PyObject* forward_derivative(ctpy_Batch* self, PyObject* arguments, PyObject* names) {
  static char* keywords[] = {MANNER_KEYWORDS, NULL};
  Manner manner = USUAL_MANNER;
  if (!ctpy_parse(arguments, names, "|" MANNER_FORMAT ":forward_derivative", keywords,
                  MANNER_TARGETS(manner))) {
    return NULL;
  }
  const mjModel* m = ctpy_model(self->model);
  Py_ssize_t nv = (Py_ssize_t)m->nv;
  Work w;
  Each each = {.work = &w, .derive = derive_forward};
  const Wanted list[] = {{"q", nv, nv, &each.forward.q},
                         {"v", nv, nv, &each.forward.v},
                         {"act", nv, (Py_ssize_t)m->na, &each.forward.act},
                         {"ctrl", nv, (Py_ssize_t)m->nu, &each.forward.ctrl},
                         {"force", nv, nv, &each.forward.force}};
  int code = begin(self, &manner, &w);
  if (!code) code = give_matrices(self, &w, NULL, list, 5);
  return run(self, &w, code, derive_each, &each);
}

static void derive_inverse(const mjModel* m, mjData* d, int e, void* argument) {
  const Each* each = (const Each*)argument;
  size_t nv = (size_t)m->nv, at = (size_t)e * nv * nv;
  memcpy(d->qacc, each->qacc + (size_t)e * nv, nv * sizeof(mjtNum));
  ct_InverseMatrices one = {each->inverse.q + at, each->inverse.v + at, each->inverse.a + at};
  each->work->results[e] = ct_inverse_derivative(m, d, &each->work->options, each->less_actuation,
                                                 &one, each->work->reports + e);
}

static PyObject* inverse_derivative(ctpy_Batch* self, PyObject* arguments, PyObject* names) {
  static char* keywords[] = {"qacc", "less_actuation", MANNER_KEYWORDS, NULL};
  PyObject* qacc;
  int less = 0;
  Manner manner = USUAL_MANNER;
  if (!ctpy_parse(arguments, names, "O|p" MANNER_FORMAT ":inverse_derivative", keywords, &qacc,
                  &less, MANNER_TARGETS(manner))) {
    return NULL;
  }
  Py_ssize_t nv = (Py_ssize_t)ctpy_model(self->model)->nv;
  Work w;
  Each each = {.work = &w, .derive = derive_inverse, .less_actuation = (mjtByte)(less != 0)};
  const Wanted list[] = {{"q", nv, nv, &each.inverse.q},
                         {"v", nv, nv, &each.inverse.v},
                         {"a", nv, nv, &each.inverse.a}};
  int code = begin(self, &manner, &w);
  if (!code && qacc == Py_None) {
    PyErr_SetString(PyExc_TypeError, "qacc: this must be an array of accelerations");
    code = -1;
  }
  if (!code) code = take(&w, qacc, "qacc", rows(self, nv), &each.qacc);
  if (!code) code = give_matrices(self, &w, NULL, list, 3);
  return run(self, &w, code, derive_each, &each);
}

#define MANNER_SIGNATURE \
  "mask=None, method=\"hybrid\", eps=1e-6, centred=True, smoothing=0) -> dict\n\n"
#define REPORTS                                                                                   \
  " Beside the arrays the dict has one number per environment: \"method\" (1 analytic, 2 "        \
  "differences, -1 there is none, or the mask leaves it out, and the rows are NaN), \"reasons\" " \
  "(derivative_reasons), "                                                                        \
  "\"status\", \"worst\". The batch stays as it is. docs/derivatives.md has the mathematics."

PyMethodDef ctpy_derivative_methods[] = {
    {"derivative", CTPY_METHOD(derivative), METH_VARARGS | METH_KEYWORDS,
     "derivative(which=\"AB\", " MANNER_SIGNATURE
     "How the next state (dq, qvel, act) and the sensors change with state and controls: A (n, N, "
     "N), B (n, N, nu), C and D of the sensors, N = 2 nv + na." REPORTS},
    {"derivative_product", CTPY_METHOD(derivative_product), METH_VARARGS | METH_KEYWORDS,
     "derivative_product(dx=None, du=None, by_y=None, " MANNER_SIGNATURE
     "dy = A dx + B du, and by_x = A' by_y, by_u = B' by_y, without the matrices." REPORTS},
    {"rollout_product", CTPY_METHOD(rollout_product), METH_VARARGS | METH_KEYWORDS,
     "rollout_product(steps, controls=None, dx=None, du=None, by_y=None, checkpoints=0, "
     "parameters=None, " MANNER_SIGNATURE
     "The same of a rollout from the states that the batch has: dy (n, steps + 1, N), and with "
     "by_y (n, steps + 1, N) the gradients by_x, by_u (n, steps, nu) and by_parameter." REPORTS},
    {"parameter_derivative", CTPY_METHOD(parameter_derivative), METH_VARARGS | METH_KEYWORDS,
     "parameter_derivative(parameters, " MANNER_SIGNATURE
     "How the next state changes with numbers of the model: P (n, N, count). parameters: pairs "
     "such as (\"dof_damping\", 3), (\"opt.gravity\", 2)." REPORTS},
    {"forward_derivative", CTPY_METHOD(forward_derivative), METH_VARARGS | METH_KEYWORDS,
     "forward_derivative(" MANNER_SIGNATURE
     "How accelerations change with position, velocity, activation, control and applied force: q, "
     "v, force (n, nv, nv), act (n, nv, na), ctrl (n, nv, nu). No integrator is involved." REPORTS},
    {"inverse_derivative", CTPY_METHOD(inverse_derivative), METH_VARARGS | METH_KEYWORDS,
     "inverse_derivative(qacc, less_actuation=False, " MANNER_SIGNATURE
     "How the forces of inverse dynamics at accelerations qacc (n, nv) change with position, "
     "velocity and acceleration: q, v, a, (n, nv, nv) each." REPORTS},
    {NULL, NULL, 0, NULL},
};
