// Compiled meshes in the cache of assets: a mesh that was made from the same bytes and settings
// before is taken from there.

#include <string.h>

#include "base/resource/cache.h"
#include "compile/assets/mesh.h"

// What everybody needs of a mesh, before its arrays.
typedef struct {
  double min[3], max[3], pos[3], quat[4], box[3], volume;
  int nnode;
  ct_MeshArrays arrays;
} Kept;

typedef void (*Visit)(void* arg, void** array, size_t bytes);

// All arrays of a mesh with their sizes.
static void each_array(ct_MeshArrays* a, int nnode, Visit visit, void* arg) {
#define ARRAY(member_, count_) \
  visit(arg, (void**)(void*)&a->member_, (size_t)(count_) * sizeof(*a->member_))
  ARRAY(vert, 3 * a->nvert);
  ARRAY(normal, 3 * a->nnormal);
  ARRAY(texcoord, 2 * a->ntexcoord);
  ARRAY(face, 3 * a->nface);
  ARRAY(facenormal, 3 * a->nface);
  ARRAY(facetexcoord, 3 * a->nface);
  ARRAY(graph, a->ngraph);
  ARRAY(polyvertadr, a->npoly);
  ARRAY(polyvertnum, a->npoly);
  ARRAY(polyvert, a->npolyvert);
  ARRAY(polymapadr, a->nvert);
  ARRAY(polymapnum, a->nvert);
  ARRAY(polymap, a->npolymap);
  ARRAY(polynormal, 3 * a->npoly);
  ARRAY(bvh_depth, nnode);
  ARRAY(bvh_child, 2 * nnode);
  ARRAY(bvh_face, nnode);
  ARRAY(bvh_box, 6 * nnode);
  ARRAY(oct_depth, a->noct);
  ARRAY(oct_child, 8 * a->noct);
  ARRAY(oct_box, 6 * a->noct);
  ARRAY(oct_distance, 8 * a->noct);
#undef ARRAY
}

static size_t rounded(size_t bytes) {
  return (bytes + 15) & ~(size_t)15;
}

// Everything that the mesh is made from.
ct_CacheKey ct_mesh_key(const ct_WorkMesh* w, const ct_AssetFile* file) {
  const mjsMesh* v = &w->v;
  int flags[] = {(int)v->inertia, v->smoothnormal, v->needsdf,
                 v->maxhullvert,  w->needs_hull,   w->needs_sdf};
  ct_CacheKey key = ct_cache_key();
  ct_cache_key_add(&key, "mesh", 4);
  ct_cache_key_add(&key, v->refpos, sizeof(v->refpos));
  ct_cache_key_add(&key, v->refquat, sizeof(v->refquat));
  ct_cache_key_add(&key, v->scale, sizeof(v->scale));
  ct_cache_key_add(&key, flags, sizeof(flags));
  ct_cache_key_add(&key, file->type, strlen(file->type));
  ct_cache_key_add(&key, file->bytes, file->size);
  return key;
}

// Taking out

typedef struct {
  char* next;  // where the next array lies
} Reading;

// The pointers in the block are of the time when it was made: they only tell which arrays there
// are. The arrays themselves are those of the cache, and nobody writes to a mesh that is made.
static void point(void* arg, void** array, size_t bytes) {
  Reading* r = (Reading*)arg;
  if (!*array) return;
  *array = r->next;
  r->next += rounded(bytes);
}

bool ct_mesh_from_cache(ct_Compiler* c, ct_WorkMesh* w, const ct_CacheKey* key) {
  size_t size;
  const void* block = ct_cache_borrow(key, &c->pool, &size);
  if (!block) return false;
  Kept* kept = (Kept*)ct_pool_alloc(&c->pool, sizeof(Kept));
  memcpy(kept, block, sizeof(Kept));
  Reading reading = {(char*)(uintptr_t)block + rounded(sizeof(Kept))};
  each_array(&kept->arrays, kept->nnode, point, &reading);
  w->arrays = &kept->arrays;
  w->arrays->hullface = NULL;  // only needed while a mesh is made
  memcpy(w->min, kept->min, sizeof(w->min));
  memcpy(w->max, kept->max, sizeof(w->max));
  memcpy(w->pos, kept->pos, sizeof(w->pos));
  memcpy(w->quat, kept->quat, sizeof(w->quat));
  memcpy(w->box, kept->box, sizeof(w->box));
  w->volume = kept->volume;
  w->nnode = kept->nnode;
  return true;
}

// Putting in

typedef struct {
  size_t size;
  char* block;  // NULL: only the size is asked for
} Writing;

static void write_array(void* arg, void** array, size_t bytes) {
  Writing* w = (Writing*)arg;
  if (!*array) return;
  if (w->block && bytes) memcpy(w->block + w->size, *array, bytes);
  w->size += rounded(bytes);
}

void ct_mesh_to_cache(ct_Compiler* c, const ct_WorkMesh* w, const ct_CacheKey* key) {
  ct_MeshArrays arrays = *w->arrays;
  Writing writing = {rounded(sizeof(Kept)), NULL};
  each_array(&arrays, w->nnode, write_array, &writing);
  writing.block = (char*)ct_pool_alloc(&c->scratch, writing.size);
  Kept* kept = (Kept*)(void*)writing.block;
  memcpy(kept->min, w->min, sizeof(w->min));
  memcpy(kept->max, w->max, sizeof(w->max));
  memcpy(kept->pos, w->pos, sizeof(w->pos));
  memcpy(kept->quat, w->quat, sizeof(w->quat));
  memcpy(kept->box, w->box, sizeof(w->box));
  kept->volume = w->volume;
  kept->nnode = w->nnode;
  kept->arrays = arrays;
  size_t size = writing.size;
  writing.size = rounded(sizeof(Kept));
  each_array(&arrays, w->nnode, write_array, &writing);
  ct_cache_add(key, writing.block, size);
}
