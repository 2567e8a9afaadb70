// A CSV file has a line of names and then one line per sample, written as the run goes on. An NPZ
// file is written at the end. Contacts, of which samples have different numbers, are kept in arrays
// without gaps; contact_start says where those of a sample begin. columns has the names of the CSV
// file's columns, in the order of the other arrays.

#include "recording.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "command.h"
#include "npz.h"

// Numbers that grow in number.
typedef struct {
  double* values;
  size_t count, room;
} Numbers;

// Arrays of contacts, with the width of their rows. Those before NCONTACT_WHOLE have whole numbers.
enum {
  CONTACT_GEOM,
  CONTACT_FLEX,
  CONTACT_ELEM,
  CONTACT_VERT,
  CONTACT_DIM,
  NCONTACT_WHOLE,
  CONTACT_DIST = NCONTACT_WHOLE,
  CONTACT_POS,
  CONTACT_FRAME,
  CONTACT_FORCE,
  NCONTACT
};
static const struct {
  const char* name;
  int width;
} contact_arrays[NCONTACT] = {{"contact_geom", 2}, {"contact_flex", 2},  {"contact_elem", 2},
                              {"contact_vert", 2}, {"contact_dim", 1},   {"contact_dist", 1},
                              {"contact_pos", 3},  {"contact_frame", 9}, {"contact_force", 6}};

struct Recording_ {
  const mjModel* m;
  mjData* d;
  const char *csv_path, *npz_path;
  FILE *csv, *npz;
  Field field[NSTANDARD_FIELD + MOST_FIELDS];
  int fields, total;           // total: numbers of a sample
  bool subtrees, body_forces;  // fields that no stage of a step needs to compute
  Numbers samples;             // (samples x total), for NPZ; the last one for CSV
  Numbers start;               // (samples + 1), for NPZ: first contact of each
  Numbers contacts[NCONTACT];
};

static double* add_numbers(Numbers* n, size_t count) {
  if (n->count + count > n->room) {
    size_t room = 2 * n->room + count + 256;
    double* values = (double*)realloc(n->values, room * sizeof(double));
    if (!values) return NULL;
    n->values = values;
    n->room = room;
  }
  n->count += count;
  return n->values + n->count - count;
}

// Opening

// Commas and quotes of names are doubled and quoted, as CSV wants it.
static void write_name(void* user, const char* text, const char* unit) {
  FILE* f = (FILE*)user;
  bool plain = !strpbrk(text, ",\"\n\r");
  (void)unit;
  if (strcmp(text, standard_fields[0]) != 0) fputc(',', f);  // before all but the first
  if (!plain) fputc('"', f);
  for (const char* c = text; *c; c++) {
    if (*c == '"') fputc('"', f);
    fputc(*c, f);
  }
  if (!plain) fputc('"', f);
}

static FILE* open_to_write(const char* path) {
  FILE* f = fopen(path, "wb");
  if (!f) failed("%s: cannot write: %s", path, strerror(errno));
  return f;
}

static bool take_field(Recording* r, const char* name) {
  Field field;
  if (!field_find(r->m, r->d, name, &field)) {
    failed("mjData has no array of numbers called %s (docs/fields.md lists them)", name);
    return false;
  }
  for (int i = 0; i < r->fields; i++) {
    if (!strcmp(r->field[i].name, name)) return true;
  }
  r->field[r->fields++] = field;
  r->total += field.rows * field.columns;
  if (!strncmp(name, "subtree_", 8)) r->subtrees = true;
  if (!strcmp(name, "cacc") || !strncmp(name, "cfrc_", 5)) r->body_forces = true;
  return true;
}

static bool open_files(Recording* r) {
  r->csv = r->csv_path ? open_to_write(r->csv_path) : NULL;
  r->npz = r->npz_path ? open_to_write(r->npz_path) : NULL;
  if ((r->csv_path && !r->csv) || (r->npz_path && !r->npz)) return false;
  for (int i = 0; r->csv && i < r->fields; i++) {
    field_columns(r->m, r->field + i, write_name, r->csv);
  }
  if (r->csv) fputc('\n', r->csv);
  return true;
}

static void free_recording(Recording* r) {
  for (int i = 0; i < NCONTACT; i++) free(r->contacts[i].values);
  free(r->start.values);
  free(r->samples.values);
  free(r);
}

Recording* recording_open(const mjModel* m, mjData* d, const char* csv, const char* npz,
                          const char* const* fields, int nfield) {
  Recording* r = (Recording*)calloc(1, sizeof(Recording));
  if (!r) {
    failed("there is no memory for a recording");
    return NULL;
  }
  r->m = m;
  r->d = d;
  r->csv_path = csv;
  r->npz_path = npz;
  bool good = true;
  for (int i = 0; i < NSTANDARD_FIELD; i++) good = take_field(r, standard_fields[i]) && good;
  for (int i = 0; good && i < nfield; i++) good = take_field(r, fields[i]);
  if (good && open_files(r)) return r;
  if (r->csv) fclose(r->csv);
  if (r->npz) fclose(r->npz);
  free_recording(r);
  return NULL;
}

// Adding

static bool add_contact(Recording* r, int id) {
  const mjContact* contact = r->d->contact + id;
  mjtNum force[6];
  double* at[NCONTACT];
  mj_contactForce(r->m, r->d, id, force);
  for (int i = 0; i < NCONTACT; i++) {
    at[i] = add_numbers(r->contacts + i, (size_t)contact_arrays[i].width);
    if (!at[i]) return false;
  }
  for (int k = 0; k < 2; k++) {
    at[CONTACT_GEOM][k] = contact->geom[k];
    at[CONTACT_FLEX][k] = contact->flex[k];
    at[CONTACT_ELEM][k] = contact->elem[k];
    at[CONTACT_VERT][k] = contact->vert[k];
  }
  at[CONTACT_DIM][0] = contact->dim;
  at[CONTACT_DIST][0] = (double)contact->dist;
  for (int k = 0; k < 3; k++) at[CONTACT_POS][k] = (double)contact->pos[k];
  for (int k = 0; k < 9; k++) at[CONTACT_FRAME][k] = (double)contact->frame[k];
  for (int k = 0; k < 6; k++) at[CONTACT_FORCE][k] = (double)force[k];
  return true;
}

static bool add_contacts(Recording* r) {
  double* start = add_numbers(&r->start, 1);
  if (!start) return false;
  *start = (double)r->contacts[CONTACT_DIM].count;
  for (int i = 0; i < r->d->ncon; i++) {
    if (!add_contact(r, i)) return false;
  }
  return true;
}

static void write_row(FILE* f, const double* row, int count) {
  for (int k = 0; k < count; k++) {
    fprintf(f, "%.*g%c", sizeof(mjtNum) == 8 ? 17 : 9, row[k], k + 1 < count ? ',' : '\n');
  }
}

int recording_add(Recording* r) {
  mjData* d = r->d;
  if (r->subtrees) mj_subtreeVel(r->m, d);
  if (r->body_forces) mj_rnePostConstraint(r->m, d);
  double* row = add_numbers(&r->samples, (size_t)r->total);
  if (!row || (r->npz && !add_contacts(r))) {
    return failed("there is no memory for the sample at %g s", (double)d->time);
  }
  double* at = row;
  for (int i = 0; i < r->fields; i++) {
    const Field* f = r->field + i;
    for (int k = 0; k < f->rows * f->columns; k++)
      *at++ = f->values ? (double)f->values[k] : d->ncon;
  }
  if (r->csv) write_row(r->csv, row, r->total);
  if (!r->npz) r->samples.count = 0;
  return EXIT_FINE;
}

// NPZ

static bool add_whole(Npz* npz, const char* name, int dimensions, const size_t* shape,
                      const double* values, size_t count) {
  int32_t* whole = (int32_t*)malloc(count * sizeof(int32_t) + 1);
  if (!whole) return false;
  for (size_t i = 0; i < count; i++) whole[i] = (int32_t)values[i];
  bool good = npz_add(npz, name, "i4", dimensions, shape, whole);
  free(whole);
  return good;
}

// One field of all samples; `first` is its first number in a sample.
static bool add_field(const Recording* r, Npz* npz, const Field* f, int first, size_t samples) {
  size_t width = (size_t)f->rows * (size_t)f->columns;
  const size_t shape[3] = {samples, (size_t)f->rows, (size_t)f->columns};
  double* values = (double*)malloc(samples * width * sizeof(double) + 1);
  if (!values) return false;
  for (size_t i = 0; i < samples; i++) {
    memcpy(values + i * width, r->samples.values + i * (size_t)r->total + first,
           width * sizeof(double));
  }
  int dimensions = !f->kind[0] ? 1 : f->columns == 1 ? 2 : 3;
  bool good = f->values ? npz_add(npz, f->name, "f8", dimensions, shape, values)
                        : add_whole(npz, f->name, dimensions, shape, values, samples * width);
  free(values);
  return good;
}

static bool add_contact_arrays(const Recording* r, Npz* npz) {
  bool good = add_whole(npz, "contact_start", 1, &r->start.count, r->start.values, r->start.count);
  for (int i = 0; good && i < NCONTACT; i++) {
    const Numbers* n = r->contacts + i;
    size_t width = (size_t)contact_arrays[i].width;
    const size_t shape[2] = {n->count / width, width};
    int dimensions = width > 1 ? 2 : 1;
    const char* name = contact_arrays[i].name;
    good = i < NCONTACT_WHOLE ? add_whole(npz, name, dimensions, shape, n->values, n->count)
                              : npz_add(npz, name, "f8", dimensions, shape, n->values);
  }
  return good;
}

// Names of columns as NumPy has them: as many characters for each as the longest needs.
typedef struct {
  uint32_t* text;  // NULL: they are measured
  size_t longest, count;
} Names;

static size_t count_characters(const char* text) {
  size_t n = 0;
  for (; *text; text++) n += ((unsigned char)*text & 0xC0) != 0x80;
  return n;
}

static void take_name(void* user, const char* name, const char* unit) {
  Names* names = (Names*)user;
  const unsigned char* p = (const unsigned char*)name;
  uint32_t* to = names->text ? names->text + names->count * names->longest : NULL;
  (void)unit;
  names->count++;
  if (!to) {
    size_t n = count_characters(name);
    if (n > names->longest) names->longest = n;
    return;
  }
  for (size_t i = 0; *p && i < names->longest; i++) {
    int n = utf8_length(p);
    uint32_t c = n > 1 ? *p & (0x7Fu >> n) : *p;  // what is not UTF-8 is taken byte by byte
    for (int k = 1; k < n; k++) c = c << 6 | (p[k] & 0x3F);
    to[i] = c;
    p += n > 1 ? n : 1;
  }
}

static void take_names(const Recording* r, Names* names) {
  names->count = 0;
  for (int i = 0; i < r->fields; i++) field_columns(r->m, r->field + i, take_name, names);
}

static bool add_names(const Recording* r, Npz* npz) {
  Names names = {NULL, 1, 0};
  take_names(r, &names);
  const size_t count = names.count;
  char type[20];
  snprintf(type, sizeof(type), "U%zu", names.longest);
  names.text = (uint32_t*)calloc(count * names.longest + 1, sizeof(uint32_t));
  if (!names.text) return false;
  take_names(r, &names);
  bool good = npz_add(npz, "columns", type, 1, &count, names.text);
  free(names.text);
  return good;
}

static bool write_npz(Recording* r) {
  Npz npz = {r->npz, NULL, 0, 0};
  size_t samples = r->samples.count / (size_t)r->total;
  double* end = add_numbers(&r->start, 1);
  bool good = end != NULL;
  if (end) *end = (double)r->contacts[CONTACT_DIM].count;
  for (int i = 0, first = 0; good && i < r->fields; i++) {
    good = add_field(r, &npz, r->field + i, first, samples);
    first += r->field[i].rows * r->field[i].columns;
  }
  if (good) good = add_names(r, &npz) && add_contact_arrays(r, &npz);
  return npz_finish(&npz) && good;
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
  free_recording(r);
  return code;
}
