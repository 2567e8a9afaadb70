// Binary mesh files: STL, and the reference's own MSH.
//
// Every count is compared with the size of the file before anything is allocated.

#include <limits.h>
#include <math.h>
#include <string.h>

#include "compile/assets/mesh.h"

static void exchange_corners(int* face, int nface) {
  for (int i = 0; i < nface; i++) {
    int corner = face[3 * i + 1];
    face[3 * i + 1] = face[3 * i + 2];
    face[3 * i + 2] = corner;
  }
}

static float* load_floats(ct_Compiler* c, const unsigned char* bytes, size_t count) {
  float* number = (float*)ct_pool_array(&c->scratch, count, sizeof(float));
  for (size_t i = 0; i < count; i++) number[i] = ct_load_float(bytes + 4 * i);
  return number;
}

static int* load_ints(ct_Compiler* c, const unsigned char* bytes, size_t count) {
  int* number = (int*)ct_pool_array(&c->scratch, count, sizeof(int));
  for (size_t i = 0; i < count; i++) number[i] = ct_load_int(bytes + 4 * i);
  return number;
}

// STL

enum { STL_HEAD = 84, STL_RECORD = 50, STL_MOST_FACES = 200000 };

static bool same_place(const float a[3], const float b[3]) {
  return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

static uint64_t hash_place(const float v[3]) {
  uint64_t h = 0;
  for (int i = 0; i < 3; i++) {
    float x = v[i] == 0 ? 0 : v[i];  // both zeros are the same place
    uint32_t bits;
    memcpy(&bits, &x, sizeof(bits));
    h = (h ^ bits) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
  }
  return h;
}

// The vertex at this place; a new one if there is none.
static int find_vertex(ct_HashTable* table, ct_MeshFile* mesh, const float v[3]) {
  uint64_t hash = hash_place(v);
  ct_HashSearch s = ct_hash_search(table, hash);
  while (ct_hash_next(table, &s)) {
    if (same_place(mesh->vert + 3 * s.number, v)) return s.number;
  }
  int added = mesh->nvert / 3;
  memcpy(mesh->vert + mesh->nvert, v, 3 * sizeof(float));
  mesh->nvert += 3;
  ct_hash_add(table, hash, added);
  return added;
}

// What the file says about itself is quoted nowhere before it is known to be of its kind: it may be
// a file of other secrets, and messages go to whoever sent the model.
static int count_triangles(ct_Compiler* c, const ct_Element* e, const ct_AssetFile* file) {
  if (file->size < STL_HEAD) {
    ct_fail(c, e, "file %.400s: %zu bytes are too few for a binary STL file", file->name,
            file->size);
  }
  int n = ct_load_int(file->bytes + 80);
  if (n > 0 && file->size == STL_HEAD + STL_RECORD * (size_t)n) {
    if (n <= STL_MOST_FACES) return n;
    ct_fail(c, e, "file %.400s: %d triangles, 1 to %d are possible", file->name, n, STL_MOST_FACES);
  }
  if (!memcmp(file->bytes, "solid", 5)) {
    ct_fail(c, e, "file %.400s seems to be an STL file in text; only binary ones are read",
            file->name);
  }
  ct_fail(
      c, e,
      "file %.400s is not a binary STL file: its number of triangles, at byte 80, does not make "
      "its %zu bytes",
      file->name, file->size);
}

void ct_read_stl(ct_Compiler* c, const ct_Element* e, const ct_AssetFile* file, bool mirrored,
                 ct_MeshFile* mesh) {
  const float farthest = 1073741824.0f;  // 2^30
  int n = count_triangles(c, e, file);
  size_t ncorner = 3 * (size_t)n;
  ct_HashTable table = {NULL, 0, 0};  // from coordinates to the vertex that has them
  ct_hash_reserve(&table, &c->scratch, ncorner);
  mesh->vert = (float*)ct_pool_array(&c->scratch, ncorner, 3 * sizeof(float));
  mesh->face = (int*)ct_pool_array(&c->scratch, ncorner, sizeof(int));
  mesh->nface = (int)ncorner;
  for (size_t k = 0; k < ncorner; k++) {
    size_t offset = STL_HEAD + STL_RECORD * (k / 3) + 12 + 12 * (k % 3);
    float v[3];
    for (size_t i = 0; i < 3; i++) {
      v[i] = ct_load_float(file->bytes + offset + 4 * i);
      if (!(fabsf(v[i]) <= farthest)) {
        ct_fail(c, e, "file %.400s, byte %zu: coordinate %g is not a number below 2^30", file->name,
                offset + 4 * i, (double)v[i]);
      }
    }
    mesh->face[k] = find_vertex(&table, mesh, v);
  }
  if (mirrored) exchange_corners(mesh->face, n);
}

// MSH

// Numbers of vertices, normals, texture coordinates and triangles, then all of them.
void ct_read_msh(ct_Compiler* c, const ct_Element* e, const ct_AssetFile* file, bool mirrored,
                 ct_MeshFile* mesh) {
  static const size_t width[4] = {3, 3, 2, 3};
  size_t count[4], bytes = 16;
  bool fits = file->size >= 16;
  for (size_t i = 0; i < 4 && fits; i++) {
    int n = ct_load_int(file->bytes + 4 * i);
    fits = n >= 0 && (size_t)n < INT_MAX / (4 * width[i]);
    count[i] = fits ? (size_t)n : 0;
    bytes += 4 * width[i] * count[i];
  }
  if (!fits || file->size != bytes) {
    ct_fail(
        c, e,
        "file %.400s is not an MSH file: its numbers of parts, at its beginning, do not make its "
        "%zu bytes",
        file->name, file->size);
  }
  if (count[0] < 4)
    ct_fail(c, e, "file %.400s, byte 0: at least 4 vertices are needed", file->name);
  if ((count[1] && count[1] != count[0]) || (count[2] && count[2] != count[0])) {
    ct_fail(c, e,
            "file %.400s: normals and texture coordinates must be none, or one for each of %zu "
            "vertices",
            file->name, count[0]);
  }
  const unsigned char* at = file->bytes + 16;
  mesh->vert = load_floats(c, at, 3 * count[0]);
  at += 12 * count[0];
  mesh->normal = load_floats(c, at, 3 * count[1]);
  at += 12 * count[1];
  mesh->texcoord = load_floats(c, at, 2 * count[2]);
  at += 8 * count[2];
  mesh->face = load_ints(c, at, 3 * count[3]);
  mesh->facenormal = load_ints(c, at, 3 * count[3]);
  mesh->facetexcoord = count[2] ? load_ints(c, at, 3 * count[3]) : NULL;
  mesh->nvert = (int)(3 * count[0]);
  mesh->nnormal = (int)(3 * count[1]);
  mesh->ntexcoord = (int)(2 * count[2]);
  mesh->nface = mesh->nfacenormal = (int)(3 * count[3]);
  mesh->nfacetexcoord = count[2] ? mesh->nface : 0;

  // the reference leaves the order of normals and texture coordinates as it is
  if (mirrored) exchange_corners(mesh->face, mesh->nface / 3);
}
