// Textures: bytes given by a program, built-in patterns, pictures from files.
//
// A picture has nchannel bytes per pixel, row after row from the top. A cube or skybox consists of
// six square faces on top of each other (right, left, up, down, front, back), cut out of one file
// by a grid, read from one file each, or all the same, which is then stored once.

#include "compile/assets/textures.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "base/resource/cache.h"
#include "compile/assets/asset_file.h"
#include "compile/assets/assets.h"
#include "compile/assets/crew.h"
#include "compile/assets/image.h"

enum { NFACE = 6, MOST_CELLS = 12 };

static ct_WorkTexture* texture_at(const ct_Compiler* c, int i) {
  return CT_WORK(ct_WorkTexture, c->list[mjOBJ_TEXTURE], i);
}

// Bytes that v.width x v.height x v.nchannel make, which may come from anywhere.
static void set_size(ct_Compiler* c, ct_WorkTexture* t) {
  const mjsTexture* v = &t->v;
  const ct_Element* e = t->head.element;
  if (v->width < 1 || v->height < 1 || v->nchannel < 1) {
    ct_fail(c, e, "width, height and nchannel must be positive: %d x %d x %d", v->width, v->height,
            v->nchannel);
  }
  if ((long long)v->width * v->height > CT_MOST_TEXTURE_BYTES / v->nchannel) {
    ct_fail(c, e, "%d x %d x %d bytes are too many", v->width, v->height, v->nchannel);
  }
  t->npixel = (size_t)v->width * (size_t)v->height * (size_t)v->nchannel;
}

static unsigned char* allocate(ct_Compiler* c, ct_WorkTexture* t) {
  set_size(c, t);
  unsigned char* pixel = (unsigned char*)ct_pool_alloc(&c->pool, t->npixel);
  t->pixel = pixel;
  return pixel;
}

static void flip(ct_Image* image, const mjsTexture* v) {
  if (v->hflip) ct_image_hflip(image);
  if (v->vflip) ct_image_vflip(image);
}

// Without files

static void compile_given(ct_Compiler* c, ct_WorkTexture* t) {
  const ct_Vector* data = ct_vec(t->v.data);
  unsigned char* pixel = allocate(c, t);
  size_t given = ct_vector_count(data, 1);
  if (given != t->npixel) {
    ct_fail(c, t->head.element, "data has %zu bytes, but width x height x nchannel is %zu", given,
            t->npixel);
  }
  memcpy(pixel, data->begin, given);
  ct_Image image = {t->v.width, t->v.height, t->v.nchannel, pixel, false};
  flip(&image, &t->v);
}

// Three bytes per pixel are drawn even if the texture has four: the rest of its bytes are zero.
static void compile_builtin(ct_Compiler* c, ct_WorkTexture* t) {
  mjsTexture* v = &t->v;
  const ct_Element* e = t->head.element;
  if (v->width < 1) ct_fail(c, e, "a built-in texture needs a positive width");
  if (v->nchannel < 3) ct_fail(c, e, "a built-in texture needs 3 channels, not %d", v->nchannel);
  if (v->type == mjTEXTURE_2D) {
    if (v->height < 1) ct_fail(c, e, "a built-in texture needs a positive height");
  } else {
    if (v->width > INT_MAX / NFACE) ct_fail(c, e, "width %d is too large", v->width);
    v->height = NFACE * v->width;
  }
  ct_draw_texture(allocate(c, t), v);
}

// Files

// What becomes the texture as it is stays where it was read; what is cut into faces does not.
static ct_Pool* picture_pool(ct_Compiler* c, const ct_WorkTexture* t) {
  return t->v.type == mjTEXTURE_2D ? &c->pool : &c->scratch;
}

// A picture in the cache: its size, then its pixels.
typedef struct {
  int width, height;
  bool srgb;
} Header;

// Pixels that nothing will change are read where they are: pictures are the largest part of many
// models, and every copy of them touches fresh memory.
static bool picture_from_cache(const ct_CacheKey* key, ct_Pool* pool, bool changes,
                               ct_Image* image) {
  size_t size;
  const char* block =
      (const char*)(changes ? ct_cache_find(key, pool, &size) : ct_cache_borrow(key, pool, &size));
  if (!block) return false;
  Header header;
  memcpy(&header, block, sizeof(header));
  image->width = header.width;
  image->height = header.height;
  image->srgb = header.srgb;
  image->pixel = (unsigned char*)(uintptr_t)(block + sizeof(header));
  return true;
}

static void picture_to_cache(ct_Compiler* c, const ct_CacheKey* key, const ct_Image* image) {
  Header header;
  memset(&header, 0, sizeof(header));
  header.width = image->width;
  header.height = image->height;
  header.srgb = image->srgb;
  size_t bytes = (size_t)image->width * (size_t)image->height * (size_t)image->nchannel;
  char* block = (char*)ct_pool_alloc(&c->scratch, sizeof(header) + bytes);
  memcpy(block, &header, sizeof(header));
  memcpy(block + sizeof(header), image->pixel, bytes);
  ct_cache_add(key, block, sizeof(header) + bytes);
}

static void read_png(ct_Compiler* c, const ct_WorkTexture* t, const ct_AssetFile* file,
                     ct_Image* image) {
  const ct_Element* e = t->head.element;
  char why[200];
  int n = t->v.nchannel;
  if (n != 1 && n != 3 && n != 4) ct_fail(c, e, "PNG files have 1, 3 or 4 channels, not %d", n);
  image->nchannel = n;
  bool cached = ct_cache_is_on();
  ct_CacheKey key = ct_cache_key();
  if (cached) {
    ct_cache_key_add(&key, "png", 3);
    ct_cache_key_add(&key, &n, sizeof(n));
    ct_cache_key_add(&key, file->bytes, file->size);
    bool changes = t->v.hflip || t->v.vflip;
    if (picture_from_cache(&key, picture_pool(c, t), changes, image)) return;
  }
  if (!ct_png_decode(picture_pool(c, t), file->bytes, file->size, image, why, sizeof(why))) {
    ct_fail(c, e, "file %.400s: %s", file->name, why);
  }
  if (cached) picture_to_cache(c, &key, image);
}

// Width and height as 32-bit integers, then three bytes per pixel.
static void read_raw(ct_Compiler* c, const ct_WorkTexture* t, const ct_AssetFile* file,
                     ct_Image* image) {
  const ct_Element* e = t->head.element;
  if (t->v.nchannel != 3) {
    ct_fail(c, e, "file %.400s: raw textures have 3 channels, not %d", file->name, t->v.nchannel);
  }
  if (file->size < 8) ct_fail(c, e, "file %.400s: no width and height", file->name);
  int width = ct_load_int(file->bytes), height = ct_load_int(file->bytes + 4);
  bool fits = width > 0 && height > 0 && (file->size - 8) % 3 == 0 &&
              (uint64_t)width * (uint64_t)height == (file->size - 8) / 3;
  if (!fits) {
    ct_fail(c, e,
            "file %.400s is not a texture: its width and height, at its beginning, do not make its "
            "%zu bytes",
            file->name, file->size);
  }
  image->width = width;
  image->height = height;
  image->nchannel = 3;
  image->pixel = (unsigned char*)ct_pool_alloc(picture_pool(c, t), file->size);
  memcpy(image->pixel, file->bytes + 8, file->size - 8);
}

// KTX is for the renderer: its bytes stay as they are.
static void read_ktx(ct_Compiler* c, const ct_WorkTexture* t, const ct_AssetFile* file,
                     ct_Image* image) {
  const ct_Element* e = t->head.element;
  if (t->v.hflip || t->v.vflip) ct_fail(c, e, "file %.400s: KTX cannot be flipped", file->name);
  if (t->v.nchannel != 1) ct_fail(c, e, "file %.400s: KTX needs nchannel=\"1\"", file->name);
  image->width = (int)file->size;
  image->height = image->nchannel = 1;
  image->pixel = (unsigned char*)ct_pool_alloc(picture_pool(c, t), file->size);
  memcpy(image->pixel, file->bytes, file->size);
}

static void read_picture(ct_Compiler* c, ct_WorkTexture* t, const char* path, ct_Image* image) {
  const ct_Element* e = t->head.element;
  ct_AssetFile file;
  memset(image, 0, sizeof(*image));
  ct_asset_open(c, e, &file, ct_text(ct_settings(e)->texturedir), path, ct_text(t->v.content_type));
  if (!strcmp(file.type, "image/png")) {
    read_png(c, t, &file, image);
  } else if (!strcmp(file.type, "image/ktx")) {
    read_ktx(c, t, &file, image);
  } else if (!file.type[0] || !strcmp(file.type, "image/vnd.mujoco.texture")) {
    read_raw(c, t, &file, image);
  } else {
    ct_fail(c, e, "file %.400s: textures cannot be read from %.100s", file.name, file.type);
  }
  if (t->v.colorspace == mjCOLORSPACE_AUTO) {
    t->v.colorspace = image->srgb ? mjCOLORSPACE_SRGB : mjCOLORSPACE_LINEAR;
  }
  flip(image, &t->v);
}

static void store_whole(ct_Compiler* c, ct_WorkTexture* t, const ct_Image* image) {
  t->v.width = image->width;
  t->v.height = image->height;
  if (t->v.type == mjTEXTURE_2D) {
    set_size(c, t);
    t->pixel = image->pixel;
  } else {
    unsigned char* pixel = allocate(c, t);
    memcpy(pixel, image->pixel, t->npixel);
  }
}

// Cubes

// Room for six faces of a width, all in the first colour.
static unsigned char* allocate_cube(ct_Compiler* c, ct_WorkTexture* t, int width) {
  if (t->v.nchannel != 3) {
    ct_fail(c, t->head.element, "cubes and skyboxes from files need 3 channels, not %d",
            t->v.nchannel);
  }
  if (width > INT_MAX / NFACE) ct_fail(c, t->head.element, "faces are too large");
  t->v.width = width;
  t->v.height = NFACE * width;
  unsigned char* pixel = allocate(c, t);
  unsigned char color[3];
  for (int i = 0; i < 3; i++) color[i] = ct_color_byte(t->v.rgb1[i]);
  for (size_t i = 0; i < t->npixel; i += 3) memcpy(pixel + i, color, 3);
  return pixel;
}

static void copy_face(unsigned char* pixel, int face, int width, const ct_Image* image, int row,
                      int column) {
  size_t bytes = 3 * (size_t)width;
  for (int r = 0; r < width; r++) {
    size_t from = (size_t)(row + r) * (size_t)image->width + (size_t)column;
    size_t to = ((size_t)face * (size_t)width + (size_t)r) * bytes;
    memcpy(pixel + to, image->pixel + 3 * from, bytes);
  }
}

// Face that a letter of the grid stands for; -1: none.
static int face_of(ct_Compiler* c, const ct_WorkTexture* t, char letter) {
  static const char letters[] = "RLUDFB";
  if (letter == '.') return -1;
  const char* found = letter ? strchr(letters, letter) : NULL;
  if (!found)
    ct_fail(c, t->head.element, "gridlayout has '%c', which is not one of RLUDFB.", letter);
  return (int)(found - letters);
}

static void cut_faces(ct_Compiler* c, ct_WorkTexture* t, const ct_Image* image) {
  const ct_Element* e = t->head.element;
  int rows = t->v.gridsize[0], columns = t->v.gridsize[1];
  if (rows < 1 || columns < 1 || (long long)rows * columns > MOST_CELLS) {
    ct_fail(c, e, "gridsize %d %d must be positive and make 12 cells at most", rows, columns);
  }
  int width = image->width / columns;
  if (width != image->height / rows || image->width % columns || image->height % rows) {
    ct_fail(c, e, "a picture of %d x %d cannot be cut into %d x %d squares (width x height)",
            image->width, image->height, columns, rows);
  }
  if (rows == 1 && columns == 1) {
    store_whole(c, t, image);
    return;
  }
  unsigned char* pixel = allocate_cube(c, t, width);
  for (int cell = 0; cell < rows * columns; cell++) {
    int face = face_of(c, t, t->v.gridlayout[cell]);
    if (face < 0) continue;
    copy_face(pixel, face, width, image, cell / columns * width, cell % columns * width);
  }
}

static void compile_faces(ct_Compiler* c, ct_WorkTexture* t) {
  const ct_Element* e = t->head.element;
  const ct_Vector* files = ct_vec(t->v.cubefiles);
  int count = (int)ct_vector_count(files, sizeof(ct_String));
  unsigned char* pixel = NULL;
  for (int face = 0; face < count && face < NFACE; face++) {
    ct_String* path = ct_strings_at(files, (size_t)face);
    ct_asset_strip(e, (mjString*)path);
    if (ct_string_empty(path)) continue;
    ct_Image image;
    read_picture(c, t, ct_string_get(path), &image);
    if (image.width != image.height || (pixel && image.width != t->v.width)) {
      ct_fail(c, e, "file %.400s: faces must be squares of one size, this one is %d x %d",
              ct_string_get(path), image.width, image.height);
    }
    if (!pixel) pixel = allocate_cube(c, t, image.width);
    copy_face(pixel, face, image.width, &image, 0, 0);
  }
  if (!pixel) ct_fail(c, e, "a texture needs a pattern (builtin) or a file");
}

// Passes

static void compile_texture(ct_Compiler* c, ct_Work* asset) {
  ct_WorkTexture* t = (ct_WorkTexture*)asset;
  const ct_Element* e = t->head.element;
  ct_asset_strip(e, t->v.file);
  const char* path = ct_text(t->v.file);
  if (ct_vector_count(ct_vec(t->v.data), 1) > 0) {
    compile_given(c, t);
  } else if (t->v.builtin != mjBUILTIN_NONE) {
    compile_builtin(c, t);
  } else if (path[0]) {
    ct_Image image;
    read_picture(c, t, path, &image);
    if (t->v.type == mjTEXTURE_2D) {
      store_whole(c, t, &image);
    } else {
      cut_faces(c, t, &image);
    }
  } else if (t->v.type == mjTEXTURE_2D) {
    ct_fail(c, e, "a texture needs a pattern (builtin) or a file");
  } else {
    compile_faces(c, t);
  }
}

void ct_compile_textures(ct_Compiler* c) {
  ct_compile_with_crew(c, mjOBJ_TEXTURE, compile_texture);
}

void ct_size_textures(ct_Compiler* c) {
  for (int i = 0; i < CT_COUNT(c, mjOBJ_TEXTURE); i++) {
    c->size.ntexdata += (mjtSize)texture_at(c, i)->npixel;
  }
}

void ct_copy_textures(ct_Compiler* c) {
  mjModel* m = c->model;
  mjtSize next = 0;
  for (int i = 0; i < m->ntex; i++) {
    const ct_WorkTexture* t = texture_at(c, i);
    m->tex_type[i] = (int)t->v.type;
    m->tex_colorspace[i] = (int)t->v.colorspace;
    m->tex_height[i] = t->v.height;
    m->tex_width[i] = t->v.width;
    m->tex_nchannel[i] = t->v.nchannel;
    m->tex_adr[i] = next;
    memcpy(m->tex_data + next, t->pixel, t->npixel);
    next += (mjtSize)t->npixel;
  }
}
