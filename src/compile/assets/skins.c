// Skins: meshes that bones, which are bodies, pull along.
//
// Inline and file data end up in the same arrays. The weights that the bones have at a vertex are
// divided by their sum, in single precision, as they will be stored.

#include <string.h>

#include "compile/assets/asset_file.h"
#include "compile/assets/assets.h"
#include "compile/work/put.h"

enum { BONE_NAME = 40 };  // bytes of a body's name in a file

typedef struct {
  const char* body;
  ct_WorkBody* work;
  float pos[3], quat[4];
  int nvert;
  const int* vert;
  const float* given;  // weights as given
  float* weight;       // (nvert)
} Bone;

typedef struct ct_SkinArrays_ {
  const float *vert, *texcoord;
  const int* face;
  Bone* bone;
  int nvert, ntexcoord, nface,
      nbone;  // nvert, ntexcoord, nface: numbers, not vertices, until checked
} Skin;

static ct_WorkSkin* skin_at(const ct_Compiler* c, int i) {
  return CT_WORK(ct_WorkSkin, c->list[mjOBJ_SKIN], i);
}

// Given in the spec

static void take_given(ct_Compiler* c, const ct_WorkSkin* w, Skin* skin) {
  const mjsSkin* v = &w->v;
  int npos, nquat;
  skin->vert = ct_floats(v->vert, &skin->nvert);
  skin->texcoord = ct_floats(v->texcoord, &skin->ntexcoord);
  skin->face = ct_ints(v->face, &skin->nface);
  const float* pos = ct_floats(v->bindpos, &npos);
  const float* quat = ct_floats(v->bindquat, &nquat);
  size_t nbone = ct_vector_count(ct_vec(v->bodyname), sizeof(ct_String));
  if ((size_t)npos != 3 * nbone || (size_t)nquat != 4 * nbone ||
      ct_vector_count(ct_vec(v->vertid), sizeof(ct_Vector)) != nbone ||
      ct_vector_count(ct_vec(v->vertweight), sizeof(ct_Vector)) != nbone) {
    ct_fail(c, w->head.element, "bodies, poses, vertices and weights of bones differ in number");
  }
  skin->nbone = (int)nbone;
  skin->bone = (Bone*)ct_pool_array(&c->pool, nbone, sizeof(Bone));
  for (size_t i = 0; i < nbone; i++) {
    Bone* bone = &skin->bone[i];
    bone->body = ct_string_get(ct_strings_at(ct_vec(v->bodyname), i));
    memcpy(bone->pos, pos + 3 * i, sizeof(bone->pos));
    memcpy(bone->quat, quat + 4 * i, sizeof(bone->quat));
    const ct_Vector* vert = ct_vectors_at(ct_vec(v->vertid), i);
    const ct_Vector* weight = ct_vectors_at(ct_vec(v->vertweight), i);
    bone->nvert = (int)ct_vector_count(vert, sizeof(int));
    bone->vert = (const int*)(const void*)vert->begin;
    bone->given = (const float*)(const void*)weight->begin;
    if (ct_vector_count(weight, sizeof(float)) != (size_t)bone->nvert) {
      ct_fail(c, w->head.element, "bone %zu has %d vertices and another number of weights", i,
              bone->nvert);
    }
  }
}

// File

typedef struct {
  ct_Compiler* c;
  const ct_Element* e;
  const ct_AssetFile* file;
  size_t at;
} Cursor;

// The next bytes of the file, which may be fewer than are asked for.
static const unsigned char* take(Cursor* cursor, size_t count, size_t element, const char* what) {
  size_t left = cursor->file->size - cursor->at;
  if (count > left / element) {
    ct_fail(cursor->c, cursor->e, "file %.400s is not a skin: from byte %zu on it lacks %s",
            cursor->file->name, cursor->at, what);
  }
  const unsigned char* bytes = cursor->file->bytes + cursor->at;
  cursor->at += count * element;
  return bytes;
}

static float* take_floats(Cursor* cursor, size_t count, const char* what) {
  const unsigned char* bytes = take(cursor, count, 4, what);
  float* number = (float*)ct_pool_array(&cursor->c->pool, count, sizeof(float));
  for (size_t i = 0; i < count; i++) number[i] = ct_load_float(bytes + 4 * i);
  return number;
}

static int* take_ints(Cursor* cursor, size_t count, const char* what) {
  const unsigned char* bytes = take(cursor, count, 4, what);
  int* number = (int*)ct_pool_array(&cursor->c->pool, count, sizeof(int));
  for (size_t i = 0; i < count; i++) number[i] = ct_load_int(bytes + 4 * i);
  return number;
}

static void read_bone(Cursor* cursor, Bone* bone) {
  const char* name = (const char*)take(cursor, BONE_NAME, 1, "bytes of a body's name");
  bone->body = ct_pool_text_n(&cursor->c->pool, name, strnlen(name, BONE_NAME - 1));
  const unsigned char* pose = take(cursor, 7, 4, "numbers of a bone's pose");
  for (size_t i = 0; i < 3; i++) bone->pos[i] = ct_load_float(pose + 4 * i);
  for (size_t i = 0; i < 4; i++) bone->quat[i] = ct_load_float(pose + 12 + 4 * i);
  bone->nvert = ct_load_int(take(cursor, 1, 4, "number of vertices"));
  if (bone->nvert < 1) {
    ct_fail(cursor->c, cursor->e, "file %.400s is not a skin: at byte %zu, a bone has no vertices",
            cursor->file->name, cursor->at - 4);
  }
  bone->vert = take_ints(cursor, (size_t)bone->nvert, "vertices of a bone");
  bone->given = take_floats(cursor, (size_t)bone->nvert, "weights of a bone");
}

static void read_file(ct_Compiler* c, const ct_WorkSkin* w, Skin* skin) {
  const ct_Element* e = w->head.element;
  const char* path = ct_text(w->v.file);
  const char* ending = strrchr(path, '.');
  if (!ending || strcasecmp(ending, ".skn") != 0) {
    ct_fail(c, e, "file %.400s: skins are read from files that end in .skn", path);
  }
  ct_AssetFile file;
  ct_asset_open(c, e, &file, ct_mesh_folder(e), path, NULL);
  Cursor cursor = {c, e, &file, 0};
  const int* count = take_ints(&cursor, 4, "numbers of vertices, texcoords, faces and bones");
  for (int i = 0; i < 4; i++) {
    if (count[i] < 0 || count[i] > INT32_MAX / 3) {
      ct_fail(c, e, "file %.400s is not a skin: its numbers of parts, at its beginning, are not",
              file.name);
    }
  }
  skin->nvert = 3 * count[0];
  skin->ntexcoord = 2 * count[1];
  skin->nface = 3 * count[2];
  skin->vert = take_floats(&cursor, (size_t)skin->nvert, "coordinates of vertices");
  skin->texcoord = take_floats(&cursor, (size_t)skin->ntexcoord, "texture coordinates");
  skin->face = take_ints(&cursor, (size_t)skin->nface, "corners of faces");
  skin->nbone = count[3];
  const size_t least = BONE_NAME + 7 * 4 + 4 + 8;
  if ((size_t)skin->nbone > (file.size - cursor.at) / least) {
    ct_fail(c, e, "file %.400s is not a skin: from byte %zu on it lacks bones", file.name,
            cursor.at);
  }
  skin->bone = (Bone*)ct_pool_array(&c->pool, (size_t)skin->nbone, sizeof(Bone));
  for (int i = 0; i < skin->nbone; i++) read_bone(&cursor, &skin->bone[i]);
  if (cursor.at != file.size) {
    ct_fail(c, e, "file %.400s is not a skin: at byte %zu there is more behind the last bone",
            file.name, cursor.at);
  }
}

// Checks

static void check_counts(ct_Compiler* c, const ct_Element* e, Skin* skin) {
  if (!skin->nvert || !skin->nface || !skin->nbone) {
    ct_fail(c, e, "a skin needs vertices, faces and bones");
  }
  if (skin->nvert % 3 || skin->nface % 3) {
    ct_fail(c, e, "vertices and faces come as three numbers each");
  }
  skin->nvert /= 3;
  skin->nface /= 3;
  if (skin->ntexcoord && skin->ntexcoord != 2 * skin->nvert) {
    ct_fail(c, e, "%d texture coordinates do not make two for each of %d vertices", skin->ntexcoord,
            skin->nvert);
  }
  skin->ntexcoord /= 2;
  for (int i = 0; i < 3 * skin->nface; i++) {
    if (skin->face[i] < 0 || skin->face[i] >= skin->nvert) {
      ct_fail(c, e, "face %d has vertex %d; there are %d, counted from 0", i / 3, skin->face[i],
              skin->nvert);
    }
  }
}

static void check_bone(ct_Compiler* c, const ct_Element* e, const Skin* skin, Bone* bone) {
  bone->work = (ct_WorkBody*)ct_lookup_or_fail(c, e, "body", mjOBJ_BODY, bone->body);
  if (bone->nvert < 1) ct_fail(c, e, "the bone of %.100s has no vertices", bone->body);
  for (int i = 0; i < bone->nvert; i++) {
    if (bone->vert[i] < 0 || bone->vert[i] >= skin->nvert) {
      ct_fail(c, e, "the bone of %.100s has vertex %d; there are %d", bone->body, bone->vert[i],
              skin->nvert);
    }
  }
  double quat[4];
  for (int i = 0; i < 4; i++) quat[i] = (double)bone->quat[i];
  ct_normalize64(quat, 4);
  for (int i = 0; i < 4; i++) bone->quat[i] = (float)quat[i];
}

static void share_weights(ct_Compiler* c, const ct_Element* e, Skin* skin) {
  float* sum = (float*)ct_pool_array(&c->scratch, (size_t)skin->nvert, sizeof(float));
  for (int b = 0; b < skin->nbone; b++) {
    const Bone* bone = &skin->bone[b];
    for (int i = 0; i < bone->nvert; i++) sum[bone->vert[i]] += bone->given[i];
  }
  for (int i = 0; i < skin->nvert; i++) {
    if (!((double)sum[i] > mjMINVAL)) {
      ct_fail(c, e, "no bone pulls vertex %d: its weights sum to %g", i, (double)sum[i]);
    }
  }
  for (int b = 0; b < skin->nbone; b++) {
    Bone* bone = &skin->bone[b];
    bone->weight = (float*)ct_pool_array(&c->pool, (size_t)bone->nvert, sizeof(float));
    for (int i = 0; i < bone->nvert; i++) bone->weight[i] = bone->given[i] / sum[bone->vert[i]];
  }
}

static void compile_skin(ct_Compiler* c, ct_Work* work) {
  ct_WorkSkin* w = (ct_WorkSkin*)work;
  const ct_Element* e = w->head.element;
  Skin* skin = (Skin*)ct_pool_alloc(&c->pool, sizeof(Skin));
  w->arrays = skin;
  ct_asset_strip(e, w->v.file);
  take_given(c, w, skin);
  if (ct_text(w->v.file)[0]) {
    if (skin->nvert || skin->ntexcoord || skin->nface || skin->nbone) {
      ct_fail(c, e, "a skin is given and a file too; one of them is too many");
    }
    read_file(c, w, skin);
  }
  check_counts(c, e, skin);
  for (int i = 0; i < skin->nbone; i++) check_bone(c, e, skin, &skin->bone[i]);
  share_weights(c, e, skin);
  ct_asset_done(c);
}

// Passes

void ct_compile_skins(ct_Compiler* c) {
  ct_each(c, &c->list[mjOBJ_SKIN], compile_skin);
}

void ct_size_skins(ct_Compiler* c) {
  for (int i = 0; i < CT_COUNT(c, mjOBJ_SKIN); i++) {
    const Skin* skin = skin_at(c, i)->arrays;
    c->size.nskinvert += skin->nvert;
    c->size.nskintexvert += skin->ntexcoord;
    c->size.nskinface += skin->nface;
    c->size.nskinbone += skin->nbone;
    for (int b = 0; b < skin->nbone; b++) c->size.nskinbonevert += skin->bone[b].nvert;
  }
}

static void copy_bones(mjModel* m, const Skin* skin, int bone, int* next) {
  for (int b = 0; b < skin->nbone; b++, bone++) {
    const Bone* from = &skin->bone[b];
    m->skin_bonevertadr[bone] = *next;
    m->skin_bonevertnum[bone] = from->nvert;
    ct_put_floats(m->skin_bonebindpos + 3 * bone, from->pos, 3);
    ct_put_floats(m->skin_bonebindquat + 4 * bone, from->quat, 4);
    m->skin_bonebodyid[bone] = from->work->head.id;
    memcpy(m->skin_bonevertid + *next, from->vert, (size_t)from->nvert * sizeof(int));
    ct_put_floats(m->skin_bonevertweight + *next, from->weight, from->nvert);
    *next += from->nvert;
  }
}

void ct_copy_skins(ct_Compiler* c) {
  mjModel* m = c->model;
  int vert = 0, texcoord = 0, face = 0, bone = 0, bonevert = 0;
  for (int i = 0; i < m->nskin; i++) {
    const ct_WorkSkin* w = skin_at(c, i);
    const Skin* skin = w->arrays;
    m->skin_matid[i] = CT_ID(w->material);
    m->skin_group[i] = w->v.group;
    ct_put_floats(m->skin_rgba + 4 * i, w->v.rgba, 4);
    m->skin_inflate[i] = w->v.inflate;
    m->skin_vertadr[i] = vert;
    m->skin_vertnum[i] = skin->nvert;
    m->skin_texcoordadr[i] = skin->ntexcoord ? texcoord : -1;
    m->skin_faceadr[i] = face;
    m->skin_facenum[i] = skin->nface;
    m->skin_boneadr[i] = bone;
    m->skin_bonenum[i] = skin->nbone;
    ct_put_floats(m->skin_vert + 3 * vert, skin->vert, 3 * skin->nvert);
    if (skin->ntexcoord) {
      ct_put_floats(m->skin_texcoord + 2 * texcoord, skin->texcoord, 2 * skin->ntexcoord);
    }
    memcpy(m->skin_face + 3 * face, skin->face, 3 * (size_t)skin->nface * sizeof(int));
    copy_bones(m, skin, bone, &bonevert);
    vert += skin->nvert;
    texcoord += skin->ntexcoord;
    face += skin->nface;
    bone += skin->nbone;
  }
}
