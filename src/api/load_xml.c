// Loading a model from a file: reading, then compiling. The spec of the last model that was loaded
// is kept, so that mj_saveLastXML can write it.

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "api/load_xml.h"
#include "mjcf/mjcf.h"

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

int ct_with_last_spec(int (*use)(mjSpec* spec, void* arg), void* arg) {
  pthread_mutex_lock(&guard);
  int result = last ? use(last, arg) : -1;
  pthread_mutex_unlock(&guard);
  return result;
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

// The decoder of a content type or, without one, of a file's ending.
static const mjpDecoder* decoder_of(const char* filename, const char* content_type) {
  mjResource name = {0};
  name.name = (char*)(uintptr_t)filename;
  return mjp_findDecoder(&name, content_type ? content_type : "");
}

mjSpec* mj_parse(const char* filename, const char* content_type, const mjVFS* vfs, char* error,
                 int error_sz) {
  if (filename &&
      (ct_is_xml(filename, NULL) || (content_type && !strcmp(content_type, "text/xml")))) {
    return mj_parseXML(filename, vfs, error, error_sz);
  }
  if (error && error_sz > 0) *error = 0;
  mjSpec* spec = NULL;
  const mjpDecoder* decoder = filename ? decoder_of(filename, content_type) : NULL;
  if (decoder && decoder->decode) {
    char why[200];
    mjResource* resource = mju_openResource("", filename, vfs, why, sizeof(why));
    mjResource nameless = {0};
    nameless.name = (char*)(uintptr_t)filename;
    spec = decoder->decode(resource ? resource : &nameless, vfs);
    if (resource) mju_closeResource(resource);
  } else {
    mju_warning("mj_parse: no decoder for %s", filename ? filename : "NULL");
  }
  if (!spec && error && error_sz > 0) {
    snprintf(error, (size_t)error_sz, "%s: could not decode the file",
             filename ? filename : "NULL");
  }
  return spec;
}
