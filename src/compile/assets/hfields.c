// Height fields: heights from a file or given, moved and scaled to the range from 0 to 1.

#include <math.h>
#include <string.h>

#include "compile/assets/asset_file.h"
#include "compile/assets/assets.h"
#include "compile/assets/image.h"
#include "compile/work/put.h"

static ct_WorkHField* hfield_at(const ct_Compiler* c, int i) {
  return CT_WORK(ct_WorkHField, c->list[mjOBJ_HFIELD], i);
}

static size_t count_points(const ct_WorkHField* h) {
  return (size_t)h->v.nrow * (size_t)h->v.ncol;
}

static void allocate(ct_Compiler* c, ct_WorkHField* h, int nrow, int ncol) {
  h->v.nrow = nrow;
  h->v.ncol = ncol;
  h->data = (float*)ct_pool_array(&c->pool, count_points(h), sizeof(float));
}

// Sources

// The brighter, the higher. Pictures begin with the far row, heights with the near one.
static void read_png(ct_Compiler* c, ct_WorkHField* h, const ct_AssetFile* file) {
  ct_Image image = {0, 0, 1, NULL, false};
  char why[200];
  if (!ct_png_decode(&c->scratch, file->bytes, file->size, &image, why, sizeof(why))) {
    ct_fail(c, h->head.element, "file %.400s: %s", file->name, why);
  }
  allocate(c, h, image.height, image.width);
  size_t ncol = (size_t)image.width, nrow = (size_t)image.height;
  for (size_t r = 0; r < nrow; r++) {
    const unsigned char* row = image.pixel + (nrow - 1 - r) * ncol;
    for (size_t k = 0; k < ncol; k++) h->data[r * ncol + k] = (float)row[k];
  }
}

// Rows and columns as 32-bit integers, then all heights as 32-bit floats, near row first.
static void read_raw(ct_Compiler* c, ct_WorkHField* h, const ct_AssetFile* file) {
  const ct_Element* e = h->head.element;
  if (file->size < 8) ct_fail(c, e, "file %.400s: no numbers of rows and columns", file->name);
  int nrow = ct_load_int(file->bytes), ncol = ct_load_int(file->bytes + 4);
  bool fits = nrow > 0 && ncol > 0 && (file->size - 8) % 4 == 0 &&
              (uint64_t)nrow * (uint64_t)ncol == (file->size - 8) / 4;
  if (!fits) {
    ct_fail(
        c, e,
        "file %.400s is not a height field: its numbers of rows and columns, at its beginning, do "
        "not make its %zu bytes",
        file->name, file->size);
  }
  allocate(c, h, nrow, ncol);
  for (size_t i = 0; i < count_points(h); i++) h->data[i] = ct_load_float(file->bytes + 8 + 4 * i);
}

static void read_file(ct_Compiler* c, ct_WorkHField* h) {
  const ct_Element* e = h->head.element;
  ct_AssetFile file;
  ct_asset_open(c, e, &file, ct_mesh_folder(e), ct_text(h->v.file), ct_text(h->v.content_type));
  if (!strcmp(file.type, "image/png")) {
    read_png(c, h, &file);
  } else if (!file.type[0] || !strcmp(file.type, "image/vnd.mujoco.hfield")) {
    read_raw(c, h, &file);
  } else {
    ct_fail(c, e, "file %.400s: height fields cannot be read from %.100s", file.name, file.type);
  }
}

static void copy_given(ct_Compiler* c, ct_WorkHField* h) {
  const ct_Element* e = h->head.element;
  int count;
  const float* given = ct_floats(h->v.userdata, &count);
  if (h->v.nrow < 1 || h->v.ncol < 1) {
    ct_fail(c, e, "nrow and ncol must be positive, or a file be given");
  }
  if (count && (long long)h->v.nrow * h->v.ncol != count) {
    ct_fail_as_known(c, e, "elevation data length must match nrow*ncol",
                     "%d heights are given, nrow x ncol is %lld", count,
                     (long long)h->v.nrow * h->v.ncol);
  }
  if ((double)h->v.nrow * h->v.ncol > mjMAXVAL) ct_fail(c, e, "nrow x ncol is too large");
  allocate(c, h, h->v.nrow, h->v.ncol);
  if (count) memcpy(h->data, given, (size_t)count * sizeof(float));
}

// Passes

// What is not a number stays so; a flat field becomes 0.
static void normalise(ct_Compiler* c, const ct_WorkHField* h) {
  float low = 1e10f, high = -1e10f;
  size_t count = count_points(h);
  for (size_t i = 0; i < count; i++) {
    if (h->data[i] < low) low = h->data[i];
    if (h->data[i] > high) high = h->data[i];
  }
  if (low > high) ct_fail(c, h->head.element, "no height is a number of reasonable size");
  float range = high - low;
  for (size_t i = 0; i < count; i++) {
    h->data[i] -= low;
    if ((double)range > CT_COMPILER_EPS) h->data[i] /= range;
  }
}

static void compile_hfield(ct_Compiler* c, ct_Work* work) {
  ct_WorkHField* h = (ct_WorkHField*)work;
  const ct_Element* e = h->head.element;
  for (int i = 0; i < 4; i++) {
    if (!(h->v.size[i] > 0)) ct_fail(c, e, "the four sizes must be positive");
  }
  ct_asset_strip(e, h->v.file);
  if (ct_text(h->v.file)[0]) {
    if (ct_vector_count(ct_vec(h->v.userdata), sizeof(float)) > 0) {
      ct_fail(c, e, "heights are given and a file too; one of them is too many");
    }
    read_file(c, h);
  } else {
    copy_given(c, h);
  }
  normalise(c, h);
  ct_asset_done(c);
}

void ct_compile_hfields(ct_Compiler* c) {
  ct_each(c, &c->list[mjOBJ_HFIELD], compile_hfield);
}

void ct_size_hfields(ct_Compiler* c) {
  for (int i = 0; i < CT_COUNT(c, mjOBJ_HFIELD); i++) {
    c->size.nhfielddata += (mjtSize)count_points(hfield_at(c, i));
  }
}

void ct_copy_hfields(ct_Compiler* c) {
  mjModel* m = c->model;
  size_t next = 0;
  for (int i = 0; i < m->nhfield; i++) {
    const ct_WorkHField* h = hfield_at(c, i);
    ct_put(m->hfield_size + 4 * i, h->v.size, 4);
    m->hfield_nrow[i] = h->v.nrow;
    m->hfield_ncol[i] = h->v.ncol;
    m->hfield_adr[i] = (int)next;
    memcpy(m->hfield_data + next, h->data, count_points(h) * sizeof(float));
    next += count_points(h);
  }
}
