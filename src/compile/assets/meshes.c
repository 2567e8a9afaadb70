// Meshes: from a file or given; hull, normals, polygons, own frame, tree; arrays of the model.

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/dictionary.h"
#include "compile/assets/assets.h"
#include "compile/assets/crew.h"
#include "compile/assets/mesh.h"
#include "compile/work/put.h"

// Sources

// The numbers of a file, or those of the spec; not both.
static int choose(ct_Compiler* c, const ct_Element* e, const char* what, int infile, int given) {
  if (infile && given) {
    ct_fail(c, e, "%s: the file has some, and some are given beside it; one is too many", what);
  }
  return infile ? infile : given;
}

static void read_file(ct_Compiler* c, const ct_WorkMesh* w, const ct_AssetFile* file,
                      ct_MeshFile* mesh, bool* obj) {
  const ct_Element* e = w->head.element;
  const double* scale = w->v.scale;
  bool mirrored = scale[0] * scale[1] * scale[2] <= 0;
  if (!strcmp(file->type, "model/stl")) {
    ct_read_stl(c, e, file, mirrored, mesh);
  } else if (!strcmp(file->type, "model/obj")) {
    ct_read_obj(c, e, file, mirrored, mesh);
    *obj = true;
  } else if (!strcmp(file->type, "model/vnd.mujoco.msh")) {
    ct_read_msh(c, e, file, mirrored, mesh);
  } else {
    static const char wanted[] = "meshes are read from STL, OBJ and MSH files";
    if (file->type[0])
      ct_fail(c, e, "file %.400s: %s, not from %.100s", file->name, wanted, file->type);
    ct_fail(c, e,
            "file %.400s: %s; its name has none of their endings, and there is no content_type",
            file->name, wanted);
  }
}

// Fills in what the file lacks from the spec.
static void add_given(ct_Compiler* c, const ct_WorkMesh* w, ct_MeshFile* mesh, bool from_file) {
  const mjsMesh* v = &w->v;
  const ct_Element* e = w->head.element;
  int nvert, nnormal, ntexcoord, nface, nfacenormal, nfacetexcoord;
  const float* vert = ct_floats(v->uservert, &nvert);
  const float* normal = ct_floats(v->usernormal, &nnormal);
  const float* texcoord = ct_floats(v->usertexcoord, &ntexcoord);
  const int* face = ct_ints(v->userface, &nface);
  const int* facenormal = ct_ints(v->userfacenormal, &nfacenormal);
  const int* facetexcoord = ct_ints(v->userfacetexcoord, &nfacetexcoord);
  if (!from_file) nfacenormal = 0;  // as in the reference, which uses it only beside a file
  choose(c, e, "normals", mesh->nfacenormal, nnormal);
#define CHOOSE(field_, what_, type_)                              \
  if (!mesh->n##field_) mesh->field_ = (type_*)(uintptr_t)field_; \
  mesh->n##field_ = choose(c, e, what_, mesh->n##field_, n##field_)
  CHOOSE(vert, "vertices", float);
  CHOOSE(normal, "normals", float);
  CHOOSE(texcoord, "texture coordinates", float);
  CHOOSE(face, "faces", int);
  CHOOSE(facenormal, "normals of faces", int);
  CHOOSE(facetexcoord, "texture coordinates of faces", int);
#undef CHOOSE
}

static void check_source(ct_Compiler* c, const ct_WorkMesh* w, const ct_MeshFile* mesh, bool obj) {
  const ct_Element* e = w->head.element;
  if (mesh->nvert < 12)
    ct_fail(c, e, "at least 4 vertices are needed, there are %d", mesh->nvert / 3);
  if (mesh->nvert % 3) ct_fail(c, e, "%d coordinates do not make vertices", mesh->nvert);
  if (mesh->nnormal % 3) ct_fail(c, e, "%d numbers do not make normals", mesh->nnormal);
  if (mesh->ntexcoord % 2)
    ct_fail(c, e, "%d numbers do not make texture coordinates", mesh->ntexcoord);
  if (mesh->nface % 3) ct_fail(c, e, "%d corners do not make triangles", mesh->nface);
  if (mesh->nface / 3 > INT_MAX / 12) ct_fail(c, e, "%d triangles are too many", mesh->nface / 3);
  for (int i = 0; i < mesh->nvert; i++) {
    if (!isfinite(mesh->vert[i])) {
      ct_fail(c, e, "vertex %d: coordinate %d is not a finite number", i / 3, i % 3);
    }
  }
  if (mesh->ntexcoord && !mesh->nfacetexcoord && !obj && mesh->ntexcoord / 2 != mesh->nvert / 3) {
    ct_fail(c, e, "%d texture coordinates are given for %d vertices", mesh->ntexcoord / 2,
            mesh->nvert / 3);
  }
  for (int i = 0; i < mesh->nface; i++) {
    if (mesh->face[i] < 0 || mesh->face[i] >= mesh->nvert / 3) {
      ct_fail(c, e, "triangle %d has vertex %d; there are %d vertices", i / 3, mesh->face[i],
              mesh->nvert / 3);
    }
  }
}

static int* keep_ints(ct_Compiler* c, const int* from, int count) {
  if (count == 0) return NULL;
  int* to = (int*)ct_pool_array(&c->pool, (size_t)count, sizeof(int));
  memcpy(to, from, (size_t)count * sizeof(int));
  return to;
}

static float* keep_floats(ct_Compiler* c, const float* from, int count) {
  if (count == 0) return NULL;
  float* to = (float*)ct_pool_array(&c->pool, (size_t)count, sizeof(float));
  memcpy(to, from, (size_t)count * sizeof(float));
  return to;
}

// file: NULL if the mesh has none.
static void load(ct_Compiler* c, ct_WorkMesh* w, const ct_AssetFile* file) {
  const ct_Element* e = w->head.element;
  ct_MeshArrays* a = w->arrays;
  ct_MeshFile mesh;
  bool obj = false;
  memset(&mesh, 0, sizeof(mesh));
  if (file) {
    read_file(c, w, file, &mesh, &obj);
  } else if (w->plugin) {
    ct_read_field(c, w, &mesh);
  }
  add_given(c, w, &mesh, file != NULL);
  check_source(c, w, &mesh, obj);
  a->nvert = mesh.nvert / 3;
  a->nnormal = mesh.nnormal / 3;
  a->ntexcoord = mesh.ntexcoord / 2;
  a->nface = mesh.nface / 3;
  a->vert = (double*)ct_pool_array(&c->pool, (size_t)mesh.nvert, sizeof(double));
  for (int i = 0; i < mesh.nvert; i++) a->vert[i] = (double)mesh.vert[i];
  a->normal = keep_floats(c, mesh.normal, mesh.nnormal);
  a->texcoord = keep_floats(c, mesh.texcoord, mesh.ntexcoord);
  a->face = keep_ints(c, mesh.face, mesh.nface);
  if (a->nnormal && mesh.nfacenormal) {
    if (mesh.nfacenormal != mesh.nface) {
      ct_fail(c, e, "faces by normal and by vertex differ in number: %d and %d", mesh.nfacenormal,
              mesh.nface);
    }
    a->facenormal = keep_ints(c, mesh.facenormal, mesh.nfacenormal);
  }
  if (mesh.nfacetexcoord && a->ntexcoord) {
    if (mesh.nfacetexcoord != mesh.nface) {
      ct_fail(c, e, "faces by texture coordinate and by vertex differ in number: %d and %d",
              mesh.nfacetexcoord, mesh.nface);
    }
    a->facetexcoord = keep_ints(c, mesh.facetexcoord, mesh.nfacetexcoord);
  }
}

// Compilation

// Indices that were not given follow those of vertices.
static void complete_indices(ct_Compiler* c, ct_MeshArrays* a) {
  int n = 3 * a->nface;
  if (!a->facetexcoord && a->ntexcoord) a->facetexcoord = keep_ints(c, a->face, n);
  if (a->facenormal) return;
  int stride = a->nnormal / a->nvert;
  a->facenormal = keep_ints(c, a->face, n);
  for (int i = 0; i < n; i++) a->facenormal[i] *= stride;
}

// Faces of a file and numbers that are given beside it need not fit each other.
static void check_indices(ct_Compiler* c, const ct_WorkMesh* w, const int* index, int count,
                          const char* what) {
  for (int i = 0; index && i < 3 * w->arrays->nface; i++) {
    if (index[i] < 0 || index[i] >= count) {
      ct_fail(c, w->head.element, "triangle %d has %s %d; there are %d", i / 3, what, index[i],
              count);
    }
  }
}

static void make_mesh(ct_Compiler* c, ct_WorkMesh* w, const ct_AssetFile* file) {
  w->arrays = (ct_MeshArrays*)ct_pool_alloc(&c->pool, sizeof(ct_MeshArrays));
  ct_MeshArrays* a = w->arrays;
  load(c, w, file);
  ct_mesh_check_orientation(c, w);
  bool convex = w->v.inertia == mjMESH_INERTIA_CONVEX;
  if (a->nface == 0 || w->needs_hull || convex) ct_mesh_make_hull(c, w);
  if (a->nface == 0) {
    a->nface = a->nhullface;
    a->face = keep_ints(c, a->hullface, 3 * a->nhullface);
  }
  if (a->nnormal == 0) ct_mesh_make_normals(c, w);
  complete_indices(c, a);
  check_indices(c, w, a->facetexcoord, a->ntexcoord, "texture coordinate");
  check_indices(c, w, a->facenormal, a->nnormal, "normal");
  ct_mesh_find_polygons(c, w);
  ct_mesh_place(c, w);
  ct_mesh_polygon_normals(c, w);
  ct_mesh_make_tree(c, w);
  if (!w->plugin && (w->needs_sdf || w->v.needsdf)) ct_mesh_make_octree(c, w);
}

// Meshes of the same file

static bool has_numbers(const mjsMesh* v) {
  const ct_Vector* const vectors[] = {ct_vec(v->uservert),       ct_vec(v->usernormal),
                                      ct_vec(v->usertexcoord),   ct_vec(v->userface),
                                      ct_vec(v->userfacenormal), ct_vec(v->userfacetexcoord)};
  for (size_t i = 0; i < sizeof(vectors) / sizeof(vectors[0]); i++) {
    if (vectors[i]->begin != vectors[i]->end) return true;
  }
  return false;
}

// A mesh from a file alone may be in the cache. One that was made with a warning is not kept, so
// that the next compilation warns too.
static void compile_mesh(ct_Compiler* c, ct_Work* asset) {
  ct_WorkMesh* w = (ct_WorkMesh*)asset;
  const ct_Element* e = w->head.element;
  if (w->same) return;
  ct_asset_strip(e, w->v.file);
  if (!ct_text(w->v.file)[0]) {
    make_mesh(c, w, NULL);
    return;
  }
  ct_AssetFile file;
  ct_asset_open(c, e, &file, ct_mesh_folder(e), ct_text(w->v.file), ct_text(w->v.content_type));
  bool cached = ct_cache_is_on() && !w->v.plugin.active && !has_numbers(&w->v);
  ct_CacheKey key = {{0, 0}, 0};
  if (cached) key = ct_mesh_key(w, &file);
  if (cached && ct_mesh_from_cache(c, w, &key)) return;
  make_mesh(c, w, &file);
  if (cached && !c->warning[0]) ct_mesh_to_cache(c, w, &key);
}

// All that a mesh is made from, as a text; NULL: more than a file and some settings.
static const char* recipe(ct_Compiler* c, const ct_WorkMesh* w) {
  const mjsMesh* v = &w->v;
  const char *file = ct_text(v->file), *type = ct_text(v->content_type);
  if (!*file || v->plugin.active || has_numbers(v)) return NULL;
  enum { NUMBERS = 400 };
  size_t room = strlen(file) + strlen(type) + NUMBERS;
  char* text = (char*)ct_pool_alloc(&c->pool, room);
  snprintf(text, room, "%p %a %a %a %a %a %a %a %a %a %a %d %d %d %d %d %d %s\n%s",
           (void*)w->head.element->settings, v->refpos[0], v->refpos[1], v->refpos[2],
           v->refquat[0], v->refquat[1], v->refquat[2], v->refquat[3], v->scale[0], v->scale[1],
           v->scale[2], (int)v->inertia, v->smoothnormal, v->needsdf, v->maxhullvert, w->needs_hull,
           w->needs_sdf, type, file);
  return text;
}

static void find_same(ct_Compiler* c) {
  ct_Dictionary made = {{NULL, 0, 0}, NULL, 0};
  for (int i = 0; i < CT_COUNT(c, mjOBJ_MESH); i++) {
    ct_WorkMesh* w = ct_mesh_at(c, i);
    const char* text = recipe(c, w);
    if (!text) continue;
    w->same = (const ct_WorkMesh*)ct_dictionary_find(&made, text);
    if (!w->same) ct_dictionary_add(&made, &c->pool, text, w);
  }
}

static void take_results(ct_WorkMesh* w) {
  const ct_WorkMesh* same = w->same;
  ct_asset_strip(w->head.element, w->v.file);
  memcpy(w->min, same->min, sizeof(w->min));
  memcpy(w->max, same->max, sizeof(w->max));
  memcpy(w->pos, same->pos, sizeof(w->pos));
  memcpy(w->quat, same->quat, sizeof(w->quat));
  memcpy(w->box, same->box, sizeof(w->box));
  w->volume = same->volume;
  w->nnode = same->nnode;
  w->arrays = same->arrays;
}

void ct_compile_meshes(ct_Compiler* c) {
  find_same(c);
  ct_compile_with_crew(c, mjOBJ_MESH, compile_mesh);
  for (int i = 0; i < CT_COUNT(c, mjOBJ_MESH); i++) {
    if (ct_mesh_at(c, i)->same) take_results(ct_mesh_at(c, i));
  }
}

// Arrays

void ct_size_meshes(ct_Compiler* c) {
  mjModel* size = &c->size;
  for (int i = 0; i < CT_COUNT(c, mjOBJ_MESH); i++) {
    const ct_MeshArrays* a = ct_mesh_at(c, i)->arrays;
    size->nmeshvert += a->nvert;
    size->nmeshnormal += a->nnormal;
    size->nmeshtexcoord += a->ntexcoord;
    size->nmeshface += a->nface;
    size->nmeshgraph += a->ngraph;
    size->nmeshpoly += a->npoly;
    size->nmeshpolyvert += a->npolyvert;
    size->nmeshpolymap += a->npolymap;
    size->noct += a->noct;
  }
}

typedef struct {  // where the next mesh goes
  int vert, normal, texcoord, face, graph, poly, polyvert, polymap, oct;
} Next;

static void copy_ints(int* to, const int* from, int count) {
  if (count) memcpy(to, from, (size_t)count * sizeof(int));
}

static void copy_surface(mjModel* m, int i, const ct_MeshArrays* a, Next* next) {
  m->mesh_vertadr[i] = next->vert;
  m->mesh_vertnum[i] = a->nvert;
  m->mesh_normaladr[i] = next->normal;
  m->mesh_normalnum[i] = a->nnormal;
  m->mesh_texcoordadr[i] = a->ntexcoord ? next->texcoord : -1;
  m->mesh_texcoordnum[i] = a->ntexcoord;
  m->mesh_faceadr[i] = next->face;
  m->mesh_facenum[i] = a->nface;
  m->mesh_graphadr[i] = a->ngraph ? next->graph : -1;
  for (int k = 0; k < 3 * a->nvert; k++) m->mesh_vert[3 * next->vert + k] = (float)a->vert[k];
  ct_put_floats(m->mesh_normal + 3 * next->normal, a->normal, 3 * a->nnormal);
  if (a->ntexcoord) {
    ct_put_floats(m->mesh_texcoord + 2 * next->texcoord, a->texcoord, 2 * a->ntexcoord);
    copy_ints(m->mesh_facetexcoord + 3 * next->face, a->facetexcoord, 3 * a->nface);
  }
  copy_ints(m->mesh_face + 3 * next->face, a->face, 3 * a->nface);
  copy_ints(m->mesh_facenormal + 3 * next->face, a->facenormal, 3 * a->nface);
  copy_ints(m->mesh_graph + next->graph, a->graph, a->ngraph);
}

static void copy_polygons(mjModel* m, int i, const ct_MeshArrays* a, const Next* next) {
  m->mesh_polyadr[i] = next->poly;
  m->mesh_polynum[i] = a->npoly;
  for (int k = 0; k < a->npoly; k++) {
    m->mesh_polyvertadr[next->poly + k] = next->polyvert + a->polyvertadr[k];
    m->mesh_polyvertnum[next->poly + k] = a->polyvertnum[k];
    ct_put(m->mesh_polynormal + 3 * (next->poly + k), a->polynormal + 3 * k, 3);
  }
  copy_ints(m->mesh_polyvert + next->polyvert, a->polyvert, a->npolyvert);
  for (int k = 0; k < a->nvert; k++) {
    m->mesh_polymapadr[next->vert + k] = next->polymap + a->polymapadr[k];
    m->mesh_polymapnum[next->vert + k] = a->polymapnum[k];
  }
  copy_ints(m->mesh_polymap + next->polymap, a->polymap, a->npolymap);
}

static void copy_trees(mjModel* m, int i, const ct_WorkMesh* w, int oct) {
  const ct_MeshArrays* a = w->arrays;
  int bvh = w->bvhadr;
  m->mesh_bvhadr[i] = bvh;
  m->mesh_bvhnum[i] = w->nnode;
  copy_ints(m->bvh_depth + bvh, a->bvh_depth, w->nnode);
  copy_ints(m->bvh_child + 2 * bvh, a->bvh_child, 2 * w->nnode);
  copy_ints(m->bvh_nodeid + bvh, a->bvh_face, w->nnode);
  ct_put(m->bvh_aabb + 6 * bvh, a->bvh_box, 6 * w->nnode);
  m->mesh_octadr[i] = a->noct ? oct : -1;
  m->mesh_octnum[i] = a->noct;
  if (!a->noct) return;
  copy_ints(m->oct_depth + oct, a->oct_depth, a->noct);
  copy_ints(m->oct_child + 8 * oct, a->oct_child, 8 * a->noct);
  ct_put(m->oct_aabb + 6 * oct, a->oct_box, 6 * a->noct);
  ct_put(m->oct_coeff + 8 * oct, a->oct_distance, 8 * a->noct);
}

void ct_copy_meshes(ct_Compiler* c) {
  mjModel* m = c->model;
  Next next = {0, 0, 0, 0, 0, 0, 0, 0, 0};
  for (int i = 0; i < m->nmesh; i++) {
    const ct_WorkMesh* w = ct_mesh_at(c, i);
    const ct_MeshArrays* a = w->arrays;
    copy_surface(m, i, a, &next);
    copy_polygons(m, i, a, &next);
    copy_trees(m, i, w, next.oct);
    ct_put(m->mesh_scale + 3 * i, w->v.scale, 3);
    ct_put(m->mesh_pos + 3 * i, w->pos, 3);
    ct_put(m->mesh_quat + 4 * i, w->quat, 4);
    next.vert += a->nvert;
    next.normal += a->nnormal;
    next.texcoord += a->ntexcoord;
    next.face += a->nface;
    next.graph += a->ngraph;
    next.poly += a->npoly;
    next.polyvert += a->npolyvert;
    next.polymap += a->npolymap;
    next.oct += a->noct;
  }
}
