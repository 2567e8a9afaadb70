// Files of assets: where they are looked for, what they contain, and careful reading of them.

#ifndef CT_COMPILE_ASSETS_ASSET_FILE_H_
#define CT_COMPILE_ASSETS_ASSET_FILE_H_

#include <stdint.h>
#include <string.h>

#include "compile/work/work.h"

typedef struct ct_AssetFile_ {
  const char* name;  // as it was opened, for messages
  const char* type;  // content type; empty: unknown
  const unsigned char* bytes;
  size_t size;
} ct_AssetFile;

// Opens a file and reads all of it; fails if there is none or it is empty. The bytes stay until the
// next one is opened or the asset is done. `folder` is the asset folder, seen from that of the
// model; `content_type` may be NULL or empty and is then told from the ending.
void ct_asset_open(ct_Compiler* c, const ct_Element* e, ct_AssetFile* file, const char* folder,
                   const char* path, const char* content_type);

// Where meshes, height fields and skins are looked for.
const char* ct_mesh_folder(const ct_Element* e);

// With `strippath`, takes the folders away from a file name of the spec.
void ct_asset_strip(const ct_Element* e, mjString* path);

// Closes the file and gives up c->scratch: an asset is finished.
void ct_asset_done(ct_Compiler* c);

// Little-endian numbers at any address.
static inline int32_t ct_load_int(const unsigned char* p) {
  uint32_t u = (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
  int32_t i;
  memcpy(&i, &u, sizeof(i));
  return i;
}

static inline float ct_load_float(const unsigned char* p) {
  int32_t i = ct_load_int(p);
  float f;
  memcpy(&f, &i, sizeof(f));
  return f;
}

#endif  // CT_COMPILE_ASSETS_ASSET_FILE_H_
