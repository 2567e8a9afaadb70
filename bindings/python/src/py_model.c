// corten.Model: an mjModel that nobody changes, from files, texts, bytes.

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "py_schema.h"

typedef struct {
  PyObject_HEAD;
  mjModel* m;
  PyObject* memory;  // a capsule that deletes it: arrays and batches may outlive this object
} Model;

PyTypeObject* ctpy_model_type = NULL;

const mjModel* ctpy_model(PyObject* model) {
  return ((Model*)model)->m;
}

PyObject* ctpy_model_memory(PyObject* model) {
  return ((Model*)model)->memory;
}

static void delete_memory(PyObject* capsule) {
  mj_deleteModel((mjModel*)PyCapsule_GetPointer(capsule, NULL));
}

// Takes the mjModel; where there is none, raises the reason: what the call returned, or what the
// library said.
static PyObject* wrap(PyTypeObject* type, mjModel* m, const ctpy_Call* call, const char* reason) {
  if (!m) {
    const char* said = call->error[0] ? call->error : call->warning;
    PyErr_SetString(PyExc_ValueError, reason && *reason ? reason
                                      : *said           ? said
                                                        : "the model cannot be read");
    return NULL;
  }
  PyObject* memory = PyCapsule_New(m, NULL, delete_memory);
  if (!memory) mj_deleteModel(m);
  Model* self = !memory || ctpy_report(call) ? NULL : (Model*)PyType_GenericAlloc(type, 0);
  if (!self) {
    Py_XDECREF(memory);
    return NULL;
  }
  self->m = m;
  self->memory = memory;
  return (PyObject*)self;
}

// Reading

static bool ends_with(const char* path, const char* ending) {
  size_t n = strlen(path), k = strlen(ending);
  return n >= k && !strcasecmp(path + n - k, ending);
}

static PyObject* load(PyTypeObject* type, const char* path) {
  char error[1000] = "";
  ctpy_Call call;
  ctpy_begin(&call);
  mjModel* m = ends_with(path, ".mjb") ? mj_loadModel(path, NULL)
                                       : mj_loadXML(path, NULL, error, sizeof(error));
  ctpy_end(&call);
  if (!m && access(path, R_OK)) return PyErr_SetFromErrnoWithFilename(PyExc_OSError, path);
  return wrap(type, m, &call, error);
}

// Bytes of a path; 0 with an exception.
static int open_path(PyObject* object, PyObject** path) {
  int code = PyUnicode_FSConverter(object, path);
  if (!code) ctpy_name_argument("path");
  return code;
}

static PyObject* new_model(PyTypeObject* type, PyObject* arguments, PyObject* names) {
  static char* keywords[] = {"path", NULL};
  PyObject *object, *path = NULL;
  if (!ctpy_parse(arguments, names, "O:Model", keywords, &object)) return NULL;
  if (!open_path(object, &path)) return NULL;
  PyObject* model = load(type, PyBytes_AsString(path));
  Py_DECREF(path);
  return model;
}

// Puts {name: bytes} into a virtual file system.
static int add_assets(mjVFS* vfs, PyObject* assets) {
  PyObject *name, *bytes;
  Py_ssize_t i = 0;
  while (PyDict_Next(assets, &i, &name, &bytes)) {
    const char* path = PyUnicode_Check(name) ? ctpy_text(name, "assets") : NULL;
    if (!path || !PyBytes_Check(bytes) || PyBytes_Size(bytes) > INT_MAX) {
      if (!PyErr_Occurred()) {
        PyErr_SetString(PyExc_TypeError,
                        "assets: this must be a dict of names and bytes, of at most 2 GB each");
      }
      return -1;
    }
    int code = mj_addBufferVFS(vfs, path, PyBytes_AsString(bytes), (int)PyBytes_Size(bytes));
    if (code) {
      PyErr_Format(PyExc_ValueError, "assets: \"%s\" %s", path,
                   code == 2 ? "is there twice" : "cannot be taken");
      return -1;
    }
  }
  return 0;
}

static PyObject* from_string(PyTypeObject* type, PyObject* arguments, PyObject* names) {
  static char* keywords[] = {"xml", "assets", NULL};
  const char* xml;
  PyObject* assets = NULL;
  if (!ctpy_parse(arguments, names, "s|O!:from_string", keywords, &xml, &PyDict_Type, &assets)) {
    return NULL;
  }
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  if (assets && add_assets(&vfs, assets)) {
    mj_deleteVFS(&vfs);
    return NULL;
  }
  char error[1000] = "";
  ctpy_Call call;
  ctpy_begin(&call);
  mjSpec* spec = mj_parseXMLString(xml, &vfs, error, sizeof(error));
  mjModel* m = spec ? mj_compile(spec, &vfs) : NULL;
  if (spec && !m) snprintf(error, sizeof(error), "%s", mjs_getError(spec));
  mj_deleteSpec(spec);
  ctpy_end(&call);
  mj_deleteVFS(&vfs);
  return wrap(type, m, &call, error);
}

static PyObject* load_bytes(PyTypeObject* type, PyObject* argument, uint64_t signature) {
  Py_buffer bytes;
  if (PyObject_GetBuffer(argument, &bytes, PyBUF_SIMPLE)) {
    PyErr_SetString(PyExc_TypeError,
                    "data: these must be the bytes of an .mjb file, one after the other");
    return NULL;
  }
  if (bytes.len > INT_MAX) {
    PyBuffer_Release(&bytes);
    PyErr_SetString(PyExc_ValueError, "data: at most 2 GB can be read; take a file");
    return NULL;
  }
  ctpy_Call call;
  ctpy_begin(&call);
  mjModel* m = mj_loadModelBuffer(bytes.buf, (int)bytes.len);
  ctpy_end(&call);
  PyBuffer_Release(&bytes);
  if (m) m->signature = signature;
  return wrap(type, m, &call, NULL);
}

static PyObject* from_bytes(PyTypeObject* type, PyObject* argument) {
  return load_bytes(type, argument, 0);
}

// A pickled model comes back with the signature, which the bytes do not have: what batches of the
// one have saved is for batches of the other, too.
static PyObject* unpickle(PyTypeObject* type, PyObject* arguments) {
  PyObject* bytes;
  unsigned long long signature;
  if (!PyArg_ParseTuple(arguments, "OK:_unpickle", &bytes, &signature)) return NULL;
  return load_bytes(type, bytes, signature);
}

// Writing

static PyObject* to_bytes(Model* self, PyObject* nothing) {
  (void)nothing;
  mjtSize size = mj_sizeModel(self->m);
  if (size > INT_MAX) {
    PyErr_SetString(PyExc_ValueError, "the model has more than 2 GB; save it to a file");
    return NULL;
  }
  PyObject* bytes = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)size);
  if (!bytes) return NULL;
  ctpy_Call call;
  char* to = PyBytes_AsString(bytes);
  ctpy_begin(&call);
  mj_saveModel(self->m, NULL, to, (int)size);
  ctpy_end(&call);
  if (ctpy_report(&call)) Py_CLEAR(bytes);
  return bytes;
}

static PyObject* save(Model* self, PyObject* argument) {
  PyObject* path = NULL;
  if (!open_path(argument, &path)) return NULL;
  const char* text = PyBytes_AsString(path);
  ctpy_Call call;
  ctpy_begin(&call);
  mj_saveModel(self->m, text, NULL, 0);
  ctpy_end(&call);
  // a file that cannot be written is a warning of the library
  if (call.warning[0]) PyErr_SetString(PyExc_OSError, call.warning);
  int code = call.warning[0] ? -1 : ctpy_report(&call);
  Py_DECREF(path);
  return code ? NULL : Py_NewRef(Py_None);
}

// Names

static int type_of_objects(const char* kind) {
  int type = mju_str2Type(kind);
  if (type <= mjOBJ_UNKNOWN) {
    PyErr_Format(PyExc_ValueError,
                 "kind: there are no objects \"%s\"; take \"body\", \"joint\", \"geom\", \"site\", "
                 "\"actuator\", \"sensor\" ...",
                 kind);
    return -1;
  }
  return type;
}

static PyObject* id_of(Model* self, PyObject* arguments) {
  const char *kind, *name;
  static char* keywords[] = {"kind", "name", NULL};
  if (!ctpy_parse(arguments, NULL, "ss:id", keywords, &kind, &name)) return NULL;
  int type = type_of_objects(kind);
  if (type < 0) return NULL;
  int id = mj_name2id(self->m, type, name);
  if (id < 0) {
    PyErr_Format(PyExc_KeyError, "the model has no %s \"%s\"", kind, name);
    return NULL;
  }
  return PyLong_FromLong(id);
}

static PyObject* name_of(Model* self, PyObject* arguments) {
  const char* kind;
  int id;
  static char* keywords[] = {"kind", "id", NULL};
  if (!ctpy_parse(arguments, NULL, "si:name", keywords, &kind, &id)) return NULL;
  int type = type_of_objects(kind);
  if (type < 0) return NULL;
  const char* name = mj_id2name(self->m, type, id);
  return PyUnicode_FromString(name ? name : "");
}

static PyObject* state_size(Model* self, PyObject* arguments) {
  int state = mjSTATE_INTEGRATION;
  static char* keywords[] = {"components", NULL};
  if (!ctpy_parse(arguments, NULL, "|i:state_size", keywords, &state)) return NULL;
  if (state <= 0 || (state & ~mjSTATE_INTEGRATION)) {
    PyErr_Format(PyExc_ValueError, "components: %d is not made of corten.STATE_ bits", state);
    return NULL;
  }
  return PyLong_FromLong(mj_stateSize(self->m, state));
}

// Sizes and arrays

static PyObject* get_size(Model* self, void* closure) {
  const ctpy_SchemaSize* size = (const ctpy_SchemaSize*)closure;
  return PyLong_FromLongLong(ctpy_size_in(self->m, size->at));
}

static PyObject* get_array(Model* self, void* closure) {
  const ctpy_SchemaField* field = (const ctpy_SchemaField*)closure;
  return ctpy_schema_array(self->memory, field, self->m, self->m, true);
}

static PyObject* get_signature(Model* self, void* closure) {
  (void)closure;
  return PyLong_FromUnsignedLongLong(self->m->signature);
}

static PyObject* get_timestep(Model* self, void* closure) {
  (void)closure;
  return PyFloat_FromDouble((double)self->m->opt.timestep);
}

#define MOST_PROPERTIES 640
static PyGetSetDef properties[MOST_PROPERTIES + 1];

// Everything that the schema has of a model, and how long a step is.
static int list_properties(void) {
  int n = 0;
  properties[n++] =
      (PyGetSetDef){"timestep", (getter)get_timestep, NULL, "Seconds of a step.", NULL};
  properties[n++] = (PyGetSetDef){"_signature", (getter)get_signature, NULL, NULL, NULL};
  for (int i = 0; i < ctpy_nsize && n < MOST_PROPERTIES; i++) {
    const ctpy_SchemaSize* size = ctpy_sizes + i;
    properties[n++] =
        (PyGetSetDef){size->name, (getter)get_size, NULL, size->doc, (void*)(uintptr_t)size};
  }
  int more = ctpy_schema_properties(properties + n, MOST_PROPERTIES - n, ctpy_model_arrays,
                                    ctpy_nmodel_array, (getter)get_array);
  return more < 0 ? -1 : 0;
}

static PyObject* represent(Model* self) {
  char text[200];
  snprintf(text, sizeof(text), "<corten.Model nq=%lld nv=%lld nu=%lld nbody=%lld>",
           (long long)self->m->nq, (long long)self->m->nv, (long long)self->m->nu,
           (long long)self->m->nbody);
  return PyUnicode_FromString(text);
}

// The type

static void delete_model(Model* self) {
  PyTypeObject* type = Py_TYPE((PyObject*)self);
  Py_XDECREF(self->memory);
  ((freefunc)PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

static PyMethodDef methods[] = {
    {"from_string", CTPY_METHOD(from_string), METH_CLASS | METH_VARARGS | METH_KEYWORDS,
     "from_string(xml, assets=None)\n\nA model from the text of an MJCF file. assets: {name: "
     "bytes} "
     "for the files that it names."},
    {"from_bytes", CTPY_METHOD(from_bytes), METH_CLASS | METH_O,
     "from_bytes(data)\n\nA model from the bytes of an .mjb file."},
    {"_unpickle", CTPY_METHOD(unpickle), METH_CLASS | METH_VARARGS, NULL},
    {"to_bytes", CTPY_METHOD(to_bytes), METH_NOARGS,
     "to_bytes() -> bytes\n\nThe model as the bytes of an .mjb file."},
    {"save", CTPY_METHOD(save), METH_O, "save(path)\n\nWrites the model as an .mjb file."},
    {"id", CTPY_METHOD(id_of), METH_VARARGS,
     "id(kind, name) -> int\n\nWhich object of a kind (\"body\", \"joint\", \"geom\" ...) has this "
     "name."},
    {"name", CTPY_METHOD(name_of), METH_VARARGS,
     "name(kind, id) -> str\n\nThe name of an object; \"\" if it has none."},
    {"state_size", CTPY_METHOD(state_size), METH_VARARGS,
     "state_size(components=STATE_INTEGRATION) -> int\n\nNumbers in a state with these "
     "components."},
    {NULL, NULL, 0, NULL},
};

static PyType_Slot slots[] = {
    {Py_tp_doc,
     "Model(path)\n--\n\nA model from an MJCF or .mjb file. It cannot be changed; models that "
     "differ "
     "among\nenvironments are Batch.vary. Pickles as its bytes. model.nbody, model.body_mass and "
     "so on "
     "are\nsizes and arrays of mjModel; arrays are read-only."},
    {Py_tp_new, CTPY_SLOT(new_model)},
    {Py_tp_dealloc, CTPY_SLOT(delete_model)},
    {Py_tp_repr, CTPY_SLOT(represent)},
    {Py_tp_methods, methods},
    {Py_tp_getset, properties},
    {0, NULL},
};

static PyType_Spec spec = {
    "corten._corten.Model", sizeof(Model), 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots,
};

int ctpy_add_model(PyObject* module) {
  if (list_properties()) return -1;
  ctpy_model_type = (PyTypeObject*)PyType_FromSpec(&spec);
  return ctpy_model_type ? PyModule_AddObjectRef(module, "Model", (PyObject*)ctpy_model_type) : -1;
}
