// Files that flexes are made from. They are read with the compiler's readers but before there is a
// compilation: one is made up for them.

#include <stdio.h>
#include <string.h>

#include "compile/assets/gmsh.h"

typedef struct {
  ct_Compiler c;  // first: a pass knows its job by it
  ct_FlexSource* source;
  ct_Gmsh* gmsh;
  ct_MeshFile* mesh;
} Job;

static void open_file(Job* job, ct_AssetFile* file) {
  ct_Element* e = job->source->flex;
  const char* name = job->source->file;
  if (e->settings->spec.strippath) {
    const char* slash = strrchr(name, '/');
    if (slash) name = slash + 1;
  }
  ct_asset_open(&job->c, e, file, ct_mesh_folder(e), name, NULL);
}

static void gmsh_pass(ct_Compiler* c) {
  Job* job = (Job*)(void*)c;
  ct_AssetFile file;
  open_file(job, &file);
  ct_read_gmsh(c, job->source->flex, &file, job->gmsh);
}

// Vertices

static uint64_t hash_vertex(const float v[3]) {
  uint64_t h = 0;
  for (int i = 0; i < 3; i++) {
    float x = v[i] == 0 ? 0 : v[i];
    uint32_t bits;
    memcpy(&bits, &x, sizeof(bits));
    h = (h ^ bits) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
  }
  return h;
}

// The first of the vertices in the same place stands for all.
static void merge_vertices(Job* job) {
  ct_MeshFile* mesh = job->mesh;
  int nvert = mesh->nvert / 3, kept = 0;
  ct_HashTable table = {NULL, 0, 0};
  ct_hash_reserve(&table, &job->c.scratch, (size_t)nvert);
  int* place = (int*)ct_pool_array(&job->c.scratch, (size_t)nvert + 1, sizeof(int));
  for (int i = 0; i < nvert; i++) {
    const float* v = mesh->vert + 3 * i;
    uint64_t hash = hash_vertex(v);
    ct_HashSearch s = ct_hash_search(&table, hash);
    place[i] = -1;
    while (place[i] < 0 && ct_hash_next(&table, &s)) {
      const float* other = mesh->vert + 3 * s.number;
      if (v[0] == other[0] && v[1] == other[1] && v[2] == other[2]) place[i] = s.number;
    }
    if (place[i] >= 0) continue;
    place[i] = kept;
    memmove(mesh->vert + 3 * kept, v, 3 * sizeof(float));
    ct_hash_add(&table, hash, kept++);
  }
  for (int i = 0; i < mesh->nface; i++) mesh->face[i] = place[mesh->face[i]];
  mesh->nvert = 3 * kept;
}

static void* keep(Job* job, const void* array, int count, size_t element) {
  if (!count) return NULL;
  void* copy = ct_pool_array(job->source->pool, (size_t)count, element);
  memcpy(copy, array, (size_t)count * element);
  return copy;
}

static void check_faces(const Job* job, const ct_AssetFile* file) {
  const ct_MeshFile* mesh = job->mesh;
  ct_Compiler* c = (ct_Compiler*)(uintptr_t)&job->c;
  if (!mesh->nvert || !mesh->nface)
    ct_fail(c, job->source->flex, "file %.300s has no faces", file->name);
  for (int i = 0; i < mesh->nface; i++) {
    if (mesh->face[i] >= 0 && mesh->face[i] < mesh->nvert / 3) continue;
    ct_fail(c, job->source->flex, "file %.300s: face %d has vertex %d; there are %d", file->name,
            i / 3, mesh->face[i] + 1, mesh->nvert / 3);
  }
}

static void surface_pass(ct_Compiler* c) {
  Job* job = (Job*)(void*)c;
  ct_MeshFile* mesh = job->mesh;
  const ct_Element* e = job->source->flex;
  ct_AssetFile file;
  open_file(job, &file);
  if (!strcmp(file.type, "model/stl")) {
    ct_read_stl(c, e, &file, false, mesh);
  } else if (!strcmp(file.type, "model/obj")) {
    ct_read_obj(c, e, &file, false, mesh);
  } else {
    ct_fail(c, e, "file %.300s: surfaces are read from .stl and .obj files", file.name);
  }
  check_faces(job, &file);
  merge_vertices(job);
  mesh->vert = (float*)keep(job, mesh->vert, mesh->nvert, sizeof(float));
  mesh->face = (int*)keep(job, mesh->face, mesh->nface, sizeof(int));
  mesh->texcoord = (float*)keep(job, mesh->texcoord, mesh->ntexcoord, sizeof(float));
  mesh->facetexcoord = (int*)keep(job, mesh->facetexcoord, mesh->nfacetexcoord, sizeof(int));
}

// Both

// The reader of MJCF knows better where the flex stands.
static void take_message(Job* job) {
  char place[500];
  ct_describe(job->source->flex, place, sizeof(place));
  const char* text = job->c.message;
  size_t n = strlen(place);
  if (!strncmp(text, place, n) && text[n] == ':') text += n + 2;
  snprintf(job->source->message, sizeof(job->source->message), "%s", text);
}

static bool run(Job* job, void (*pass)(ct_Compiler* c)) {
  ct_Spec* spec = job->source->flex->spec;
  job->c.spec = spec;
  job->c.settings = &spec->spec.compiler;
  job->c.vfs = job->source->vfs;
  bool done = ct_listen_and_attempt(&job->c, pass);
  if (!done) take_message(job);
  ct_asset_done(&job->c);
  if (done) {
    ct_pool_join(job->source->pool, &job->c.pool);
  } else {
    ct_pool_free(&job->c.pool);
  }
  return done;
}

bool ct_load_gmsh(ct_FlexSource* source, ct_Gmsh* gmsh) {
  Job job = {.source = source, .gmsh = gmsh};
  return run(&job, gmsh_pass);
}

bool ct_load_surface(ct_FlexSource* source, ct_MeshFile* mesh) {
  memset(mesh, 0, sizeof(*mesh));
  Job job = {.source = source, .mesh = mesh};
  return run(&job, surface_pass);
}
