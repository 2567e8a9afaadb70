// What decoders of surfaces have in common: lists that grow, refusals, and the model that a surface
// becomes. See triangles.h.

#include "triangles.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Lists

// Room for one more item; NULL if there is none.
static void* grow(void* at, int count, int* room, size_t size) {
  if (count < *room) return at;
  int wanted = *room ? 2 * *room : 256;
  void* grown = *room > INT_MAX / 2 ? NULL : realloc(at, (size_t)wanted * size);
  if (grown) *room = wanted;
  return grown;
}

void push_float(Surface* s, Floats* list, float x) {
  float* at = (float*)grow(list->at, list->count, &list->room, sizeof(float));
  if (!at) {
    refuse(s, "has more numbers than there is memory for");
    return;
  }
  list->at = at;
  list->at[list->count++] = x;
}

void push_int(Surface* s, Ints* list, int i) {
  int* at = (int*)grow(list->at, list->count, &list->room, sizeof(int));
  if (!at) {
    refuse(s, "has more triangles than there is memory for");
    return;
  }
  list->at = at;
  list->at[list->count++] = i;
}

static void release(Surface* s) {
  free(s->vert.at);
  free(s->normal.at);
  free(s->texcoord.at);
  free(s->face.at);
  free(s->face_normal.at);
  free(s->face_texcoord.at);
}

void refuse(Surface* s, const char* format, ...) {
  if (s->refused) return;
  s->refused = true;
  char why[300];
  va_list rest;
  va_start(rest, format);
  vsnprintf(why, sizeof(why), format, rest);
  va_end(rest);
  mju_warning("%.400s %s", s->name, why);
}

// Models

// The name of a file without folders and ending.
static void stem(const char* path, char* text, size_t size) {
  const char* base = path;
  for (const char* c = path; *c; c++) {
    if (*c == '/' || *c == '\\' || *c == ':') base = c + 1;
  }
  snprintf(text, size, "%s", base);
  char* dot = strrchr(text, '.');
  if (dot) *dot = 0;
}

// Is there one for every corner?
static bool complete(const Surface* s, const Ints* corners) {
  if (corners->count != s->face.count) return false;
  for (int i = 0; i < corners->count; i++) {
    if (corners->at[i] < 0) return false;
  }
  return true;
}

static mjSpec* model_of(const Surface* s) {
  mjSpec* spec = mj_makeSpec();
  char name[256];
  stem(s->name, name, sizeof(name));
  mjs_setString(spec->modelname, name);

  // the mesh, with normals and texture coordinates if every corner has one
  mjsMesh* mesh = mjs_addMesh(spec, NULL);
  mjs_setName(mesh->element, name);
  mjs_setFloat(mesh->uservert, s->vert.at, s->vert.count);
  mjs_setInt(mesh->userface, s->face.at, s->face.count);
  if (complete(s, &s->face_normal)) {
    mjs_setFloat(mesh->usernormal, s->normal.at, s->normal.count);
    mjs_setInt(mesh->userfacenormal, s->face_normal.at, s->face_normal.count);
  }
  if (complete(s, &s->face_texcoord)) {
    mjs_setFloat(mesh->usertexcoord, s->texcoord.at, s->texcoord.count);
    mjs_setInt(mesh->userfacetexcoord, s->face_texcoord.at, s->face_texcoord.count);
  }

  // a body that has it
  mjsBody* body = mjs_addBody(mjs_findBody(spec, "world"), NULL);
  mjs_setName(body->element, name);
  mjsGeom* geom = mjs_addGeom(body, NULL);
  geom->type = mjGEOM_MESH;
  mjs_setString(geom->meshname, name);
  return spec;
}

mjSpec* decode_surface(mjResource* resource, ReadSurface read) {
  Surface s;
  memset(&s, 0, sizeof(s));
  s.name = resource->name ? resource->name : "a file without a name";
  const void* bytes = NULL;
  int size = resource->provider || resource->data ? mju_readResource(resource, &bytes) : -1;
  if (size < 0 || !bytes) {
    refuse(&s, "cannot be read");
  } else {
    read(&s, (const char*)bytes, (size_t)size);
  }
  if (s.face.count == 0) refuse(&s, "has no triangles");
  mjSpec* spec = s.refused ? NULL : model_of(&s);
  release(&s);
  return spec;
}

// The ending or the content type has decided already.
static int accept_any(const mjResource* resource) {
  return resource && resource->name;
}

void register_surface_decoder(const char* content_type, const char* extension, mjfDecode decode) {
  mjpDecoder decoder;
  mjp_defaultDecoder(&decoder);
  decoder.content_type = content_type;
  decoder.extension = extension;
  decoder.can_decode = accept_any;
  decoder.decode = decode;
  mjp_registerDecoder(&decoder);
}
