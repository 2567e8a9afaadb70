// A CSV file has a line of names and then one line per sample, written as the run goes on. An NPZ
// file is a ZIP archive of NPY files, one array each, stored as they are; it is written at the end.

#include "recording.h"

#include <errno.h>
#include <libdeflate.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

// The arrays of a sample, in the order of the columns.
enum { TIME, QPOS, QVEL, ACT, CTRL, SENSORDATA, NCON, NARRAY };

static const char* const names[NARRAY] = {"time", "qpos",       "qvel", "act",
                                          "ctrl", "sensordata", "ncon"};

struct Recording_ {
  const mjModel* m;
  const char *csv_path, *npz_path;
  FILE *csv, *npz;
  int width[NARRAY], total;  // columns of each array, of all
  double* rows;              // (count x total), for NPZ
  size_t count, room;
};

// Names of columns

static void object_name(const mjModel* m, int type, int id, char text[100]) {
  const char* name = mj_id2name(m, type, id);
  if (name && name[0]) {
    snprintf(text, 100, "%s", name);
  } else {
    snprintf(text, 100, "%s%d", mju_type2Str(type), id);
  }
}

// Commas and quotes of names are doubled and quoted, as CSV wants it.
static void write_name(FILE* f, const char* array, const char* name, const char* part) {
  char text[300];
  snprintf(text, sizeof(text), "%s.%s%s%s", array, name, part[0] ? "." : "", part);
  bool plain = !strpbrk(text, ",\"\n\r");
  fputc(',', f);
  if (!plain) fputc('"', f);
  for (const char* c = text; *c; c++) {
    if (*c == '"') fputc('"', f);
    fputc(*c, f);
  }
  if (!plain) fputc('"', f);
}

static void write_joint_names(FILE* f, const mjModel* m, bool velocity) {
  static const char* const position_parts[7] = {"x", "y", "z", "qw", "qx", "qy", "qz"};
  static const char* const velocity_parts[6] = {"vx", "vy", "vz", "wx", "wy", "wz"};
  for (int j = 0; j < m->njnt; j++) {
    char name[100];
    object_name(m, mjOBJ_JOINT, j, name);
    const char* array = velocity ? "qvel" : "qpos";
    int type = m->jnt_type[j], first = type == mjJNT_BALL ? 3 : 0, end = velocity ? 6 : 7;
    if (type == mjJNT_HINGE || type == mjJNT_SLIDE) {
      write_name(f, array, name, "");
      continue;
    }
    for (int i = first; i < end; i++) {
      write_name(f, array, name, velocity ? velocity_parts[i] : position_parts[i]);
    }
  }
}

static void write_header(FILE* f, const mjModel* m) {
  char name[100], part[20];
  fputs("time", f);
  write_joint_names(f, m, false);
  write_joint_names(f, m, true);
  for (int i = 0; i < m->nu; i++) {
    object_name(m, mjOBJ_ACTUATOR, i, name);
    for (int k = 0; k < m->actuator_actnum[i]; k++) {
      snprintf(part, sizeof(part), "%d", k);
      write_name(f, "act", name, m->actuator_actnum[i] > 1 ? part : "");
    }
  }
  for (int i = 0; i < m->nu; i++) {
    object_name(m, mjOBJ_ACTUATOR, i, name);
    write_name(f, "ctrl", name, "");
  }
  for (int i = 0; i < m->nsensor; i++) {
    object_name(m, mjOBJ_SENSOR, i, name);
    for (int k = 0; k < m->sensor_dim[i]; k++) {
      snprintf(part, sizeof(part), "%d", k);
      write_name(f, "sensordata", name, m->sensor_dim[i] > 1 ? part : "");
    }
  }
  fputs(",ncon\n", f);
}

// Opening and adding

static FILE* open_to_write(const char* path) {
  FILE* f = fopen(path, "wb");
  if (!f) failed("%s: cannot write: %s", path, strerror(errno));
  return f;
}

Recording* recording_open(const mjModel* m, const char* csv, const char* npz) {
  Recording* r = (Recording*)calloc(1, sizeof(Recording));
  if (!r) return NULL;
  const int width[NARRAY] = {1,          (int)m->nq,          (int)m->nv, (int)m->na,
                             (int)m->nu, (int)m->nsensordata, 1};
  r->m = m;
  r->csv_path = csv;
  r->npz_path = npz;
  memcpy(r->width, width, sizeof(width));
  for (int i = 0; i < NARRAY; i++) r->total += width[i];
  r->csv = csv ? open_to_write(csv) : NULL;
  r->npz = npz ? open_to_write(npz) : NULL;
  if ((csv && !r->csv) || (npz && !r->npz)) {
    if (r->csv) fclose(r->csv);
    if (r->npz) fclose(r->npz);
    free(r);
    return NULL;
  }
  if (r->csv) write_header(r->csv, m);
  return r;
}

static double* room_for_row(Recording* r) {
  if (r->count == r->room) {
    size_t room = r->room ? 2 * r->room : 1024;
    double* rows = (double*)realloc(r->rows, room * (size_t)r->total * sizeof(double));
    if (!rows) return NULL;
    r->rows = rows;
    r->room = room;
  }
  return r->rows + r->count * (size_t)r->total;
}

int recording_add(Recording* r, const mjData* d) {
  const mjtNum* arrays[NARRAY] = {&d->time, d->qpos, d->qvel, d->act, d->ctrl, d->sensordata, NULL};
  double* row = room_for_row(r);
  if (!row) return failed("there is no memory for %zu samples", r->count + 1);
  int at = 0;
  for (int i = 0; i < NARRAY; i++) {
    for (int k = 0; k < r->width[i]; k++) row[at++] = arrays[i] ? (double)arrays[i][k] : d->ncon;
  }
  for (int k = 0; r->csv && k < r->total; k++) {
    fprintf(r->csv, "%.*g%c", sizeof(mjtNum) == 8 ? 17 : 9, row[k], k + 1 < r->total ? ',' : '\n');
  }
  if (r->npz) r->count++;
  return EXIT_FINE;
}

// NPZ

static void put16(unsigned char* p, unsigned x) {
  p[0] = (unsigned char)x;
  p[1] = (unsigned char)(x >> 8);
}

static void put32(unsigned char* p, uint32_t x) {
  put16(p, x & 0xffff);
  put16(p + 2, x >> 16);
}

// One array as an NPY file in memory: its header, padded to 64 bytes, then its numbers.
static unsigned char* make_npy(const Recording* r, int array, size_t* size) {
  int first = 0, width = r->width[array];
  for (int i = 0; i < array; i++) first += r->width[i];
  bool flat = array == TIME || array == NCON;
  char text[128] = "", shape[64];
  snprintf(shape, sizeof(shape), flat ? "(%zu,)" : "(%zu, %d)", r->count, width);
  int n = snprintf(text, sizeof(text), "{'descr': '<f8', 'fortran_order': False, 'shape': %s, }",
                   shape);
  memset(text + n, ' ', sizeof(text) - (size_t)n);
  text[117] = '\n';  // with the 10 bytes before it, 128 in all
  size_t bytes = r->count * (size_t)width * sizeof(double);
  unsigned char* file = (unsigned char*)malloc(128 + bytes + 1);
  if (!file) return NULL;
  memcpy(file, "\x93NUMPY\x01\x00\x76\x00", 10);
  memcpy(file + 10, text, 118);
  double* out = (double*)(void*)(file + 128);
  for (size_t i = 0; i < r->count; i++) {
    memcpy(out + i * (size_t)width, r->rows + i * (size_t)r->total + first,
           (size_t)width * sizeof(double));
  }
  *size = 128 + bytes;
  return file;
}

// The entry of a file: what local and central headers share, from the version on.
static void fill_entry(unsigned char p[26], const char* name, uint32_t crc, size_t size) {
  memset(p, 0, 26);
  put16(p, 20);
  put16(p + 8, 0x21);  // 1 January 1980
  put32(p + 10, crc);
  put32(p + 14, (uint32_t)size);
  put32(p + 18, (uint32_t)size);
  put16(p + 22, (unsigned)strlen(name));
}

static bool write_npz(const Recording* r) {
  unsigned char central[NARRAY * 80], *end_of_central = central, entry[26], tail[22] = "PK\5\6";
  for (int i = 0; i < NARRAY; i++) {
    char name[32];
    size_t size = 0;
    snprintf(name, sizeof(name), "%s.npy", names[i]);
    unsigned char* file = make_npy(r, i, &size);
    if (!file || size > UINT32_MAX) {
      free(file);
      return false;
    }
    long offset = ftell(r->npz);
    fill_entry(entry, name, libdeflate_crc32(0, file, size), size);
    fwrite("PK\3\4", 4, 1, r->npz);
    fwrite(entry, sizeof(entry), 1, r->npz);
    fwrite(name, strlen(name), 1, r->npz);
    fwrite(file, size, 1, r->npz);
    free(file);
    memcpy(end_of_central, "PK\1\2\24\0", 6);
    memcpy(end_of_central + 6, entry, sizeof(entry));
    memset(end_of_central + 32, 0, 10);
    put32(end_of_central + 42, (uint32_t)offset);
    memcpy(end_of_central + 46, name, strlen(name));
    end_of_central += 46 + strlen(name);
  }
  put16(tail + 8, NARRAY);
  put16(tail + 10, NARRAY);
  put32(tail + 12, (uint32_t)(end_of_central - central));
  put32(tail + 16, (uint32_t)ftell(r->npz));
  fwrite(central, (size_t)(end_of_central - central), 1, r->npz);
  return fwrite(tail, sizeof(tail), 1, r->npz) == 1;
}

static int close_file(FILE* f, const char* path, bool good) {
  bool written = !ferror(f) && good;
  if (fclose(f) != 0) written = false;
  return written ? EXIT_FINE : failed("%s: cannot write all of it", path);
}

int recording_close(Recording* r) {
  int code = EXIT_FINE;
  if (r->csv && close_file(r->csv, r->csv_path, true) != EXIT_FINE) code = EXIT_FAILED;
  if (r->npz && close_file(r->npz, r->npz_path, write_npz(r)) != EXIT_FINE) code = EXIT_FAILED;
  free(r->rows);
  free(r);
  return code;
}
