// Public functions that load and save models: .mjb files, and model files, which are read and then
// compiled. The spec of the last model that was loaded is kept, so that mj_saveLastXML can write
// it.

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include "base/model/mjb.h"
#include "base/resource/decoder.h"
#include "mjcf/mjcf.h"
#include "mjcf/write/save.h"

// .mjb files

enum { ERROR_BYTES = 512 };

mjtSize mj_sizeModel(const mjModel* m) {
  return m ? (mjtSize)ct_mjb_size(m) : 0;
}

static bool write_to_file(void* sink, const void* piece, size_t size) {
  return fwrite(piece, 1, size, (FILE*)sink) == size;
}

static bool write_to_memory(void* sink, const void* piece, size_t size) {
  char** end = (char**)sink;
  memcpy(*end, piece, size);
  *end += size;
  return true;
}

static void save_to_file(const mjModel* m, const char* filename) {
  FILE* f = fopen(filename, "wb");
  if (!f) {
    mju_warning("mj_saveModel: cannot open '%s': %s", filename, strerror(errno));
    return;
  }
  bool written = ct_mjb_write(m, write_to_file, f);
  if (fclose(f) != 0 || !written) {
    mju_warning("mj_saveModel: cannot write '%s': %s", filename, strerror(errno));
  }
}

void mj_saveModel(const mjModel* m, const char* filename, void* buffer, int buffer_sz) {
  if (!m) {
    mju_warning("mj_saveModel: the model is NULL");
    return;
  }
  if (filename) {
    save_to_file(m, filename);
    return;
  }
  if (!buffer) {
    mju_warning("mj_saveModel: neither a file nor a buffer is given");
    return;
  }
  size_t size = ct_mjb_size(m);
  if (buffer_sz < 0 || (size_t)buffer_sz < size) {
    mju_error("mj_saveModel: the buffer has %d bytes, the model needs %zu (mj_sizeModel)",
              buffer_sz, size);
    return;
  }
  char* end = (char*)buffer;
  ct_mjb_write(m, write_to_memory, &end);
}

mjModel* mj_loadModelBuffer(const void* buffer, int buffer_sz) {
  char error[ERROR_BYTES] = "no bytes";
  mjModel* m = NULL;
  if (buffer && buffer_sz > 0) m = ct_mjb_read(buffer, (size_t)buffer_sz, error, sizeof(error));
  if (!m) mju_warning("mj_loadModelBuffer: %s", error);
  return m;
}

mjModel* mj_loadModel(const char* filename, const mjVFS* vfs) {
  char error[ERROR_BYTES] = "";
  mjResource* resource = mju_openResource("", filename, vfs, error, sizeof(error));
  if (!resource) {
    mju_warning("mj_loadModel: %s", error);
    return NULL;
  }
  const void* bytes = NULL;
  int size = mju_readResource(resource, &bytes);
  mjModel* m = NULL;
  if (size < 0) {
    snprintf(error, sizeof(error), "cannot be read");
  } else {
    m = ct_mjb_read(bytes, (size_t)size, error, sizeof(error));
  }
  mju_closeResource(resource);
  if (!m) mju_warning("mj_loadModel: '%s': %s", filename, error);
  return m;
}

// Model files

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static mjSpec* last;

static void keep(mjSpec* spec) {
  pthread_mutex_lock(&guard);
  mjSpec* before = last;
  last = spec;
  pthread_mutex_unlock(&guard);
  mj_deleteSpec(before);
}

void mj_freeLastXML(void) {
  keep(NULL);
}

mjModel* mj_loadXML(const char* filename, const mjVFS* vfs, char* error, int error_sz) {
  mjSpec* spec = mj_parseXML(filename, vfs, error, error_sz);
  if (!spec) return NULL;
  mjModel* m = mj_compile(spec, vfs);
  const char* message = mjs_getError(spec);
  if (error && error_sz > 0 && message && (!m || mjs_isWarning(spec))) {
    snprintf(error, (size_t)error_sz, "%s", message);
  }
  if (m) {
    keep(spec);
  } else {
    mj_deleteSpec(spec);
  }
  return m;
}

// Saving

static void tell(char* error, int error_sz, const char* message) {
  if (error && error_sz > 0) snprintf(error, (size_t)error_sz, "%s", message);
}

// NULL after a message.
static char* text_of(const char* function, const mjSpec* s, bool keep_all, size_t* length,
                     char* error, int error_sz) {
  char why[ERROR_BYTES] = "the spec is NULL", message[2 * ERROR_BYTES];
  char* text = s ? ct_write_mjcf(s, keep_all, length, why, sizeof(why)) : NULL;
  if (!text) {
    snprintf(message, sizeof(message), "%s: %s", function, why);
    tell(error, error_sz, message);
  }
  return text;
}

static int save_string(const char* function, const mjSpec* s, bool keep_all, char* xml, int xml_sz,
                       char* error, int error_sz) {
  size_t length;
  char* text = text_of(function, s, keep_all, &length, error, error_sz);
  if (!text) return -1;
  int result = 0;
  if (!xml || xml_sz < 0 || length + 1 > (size_t)xml_sz) {
    char message[ERROR_BYTES];
    snprintf(message, sizeof(message), "%s: the text needs %zu bytes, xml has %d", function,
             length + 1, xml_sz);
    tell(error, error_sz, message);
    result = (int)length;
  } else {
    memcpy(xml, text, length + 1);
  }
  mju_free(text);
  return result;
}

int mj_saveXMLString(const mjSpec* s, char* xml, int xml_sz, char* error, int error_sz) {
  return save_string("mj_saveXMLString", s, false, xml, xml_sz, error, error_sz);
}

// false, and a message, if a model is given that does not belong to the spec.
static bool put_back(const char* function, mjSpec* s, const mjModel* m, char* error, int error_sz) {
  if (!s || !m || mj_copyBack(s, m)) return true;
  char message[2 * ERROR_BYTES];
  snprintf(message, sizeof(message), "%s: %s", function, mjs_getError(s));
  tell(error, error_sz, message);
  return false;
}

int ct_save_whole_string(mjSpec* s, const mjModel* m, char* xml, int xml_sz, char* error,
                         int error_sz) {
  if (!put_back("ct_save_whole_string", s, m, error, error_sz)) return -1;
  return save_string("ct_save_whole_string", s, true, xml, xml_sz, error, error_sz);
}

// false, and a message, if the file cannot be written.
static bool put_text(const char* function, FILE* f, const char* filename, const char* text,
                     size_t length, char* error, int error_sz) {
  bool written = fwrite(text, 1, length, f) == length;
  if (f == stdout ? fflush(f) == 0 && written : fclose(f) == 0 && written) return true;
  char message[ERROR_BYTES];
  snprintf(message, sizeof(message), "%s: cannot write '%.300s': %s", function, filename,
           strerror(errno));
  tell(error, error_sz, message);
  return false;
}

static FILE* open_to_write(const char* function, const char* filename, char* error, int error_sz) {
  FILE* f = fopen(filename, "wb");
  if (f) return f;
  char message[ERROR_BYTES];
  snprintf(message, sizeof(message), "%s: cannot open '%.300s': %s", function, filename,
           strerror(errno));
  tell(error, error_sz, message);
  return NULL;
}

static int save_file(const char* function, const mjSpec* s, bool keep_all, const char* filename,
                     char* error, int error_sz) {
  size_t length;
  if (!filename) {
    char message[ERROR_BYTES];
    snprintf(message, sizeof(message), "%s: the name of the file is NULL", function);
    tell(error, error_sz, message);
    return -1;
  }
  char* text = text_of(function, s, keep_all, &length, error, error_sz);
  if (!text) return -1;
  FILE* f = open_to_write(function, filename, error, error_sz);
  bool done = f && put_text(function, f, filename, text, length, error, error_sz);
  mju_free(text);
  return done ? 0 : -1;
}

int mj_saveXML(const mjSpec* s, const char* filename, char* error, int error_sz) {
  return save_file("mj_saveXML", s, false, filename, error, error_sz);
}

int ct_save_whole(mjSpec* s, const mjModel* m, const char* file, char* error, int error_sz) {
  if (!put_back("ct_save_whole", s, m, error, error_sz)) return -1;
  return save_file("ct_save_whole", s, true, file, error, error_sz);
}

// The caller holds `guard`. A model that does not belong to the spec changes nothing.
static int save_last(FILE* f, const char* filename, const mjModel* m, char* error, int error_sz) {
  size_t length;
  if (!last) {
    tell(error, error_sz, "mj_saveLastXML: no model has been loaded by mj_loadXML");
    if (f != stdout) fclose(f);
    return 0;
  }
  if (m) mj_copyBack(last, m);
  char* text = text_of("mj_saveLastXML", last, false, &length, error, error_sz);
  if (!text && f != stdout) fclose(f);
  bool done = text && put_text("mj_saveLastXML", f, filename, text, length, error, error_sz);
  mju_free(text);
  return done;
}

int mj_saveLastXML(const char* filename, const mjModel* m, char* error, int error_sz) {
  bool to_file = filename && *filename;
  if (error && error_sz > 0) *error = 0;
  FILE* f = to_file ? open_to_write("mj_saveLastXML", filename, error, error_sz) : stdout;
  if (!f) return 0;
  pthread_mutex_lock(&guard);
  int done = save_last(f, to_file ? filename : "standard output", m, error, error_sz);
  pthread_mutex_unlock(&guard);
  return done;
}

mjSpec* mj_parse(const char* filename, const char* content_type, const mjVFS* vfs, char* error,
                 int error_sz) {
  if (filename && ct_is_xml(filename, content_type)) {
    return mj_parseXML(filename, vfs, error, error_sz);
  }
  if (error && error_sz > 0) *error = 0;
  mjSpec* spec = ct_decode(filename, content_type, vfs);
  if (!spec && error && error_sz > 0) {
    snprintf(error, (size_t)error_sz, "%s: could not decode the file",
             filename ? filename : "NULL");
  }
  return spec;
}
