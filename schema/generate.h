// What the parts of the generator share: texts that grow, and the rows of the field tables.

#ifndef CORTEN_SCHEMA_GENERATE_H_
#define CORTEN_SCHEMA_GENERATE_H_

#include <stdbool.h>
#include <stddef.h>

#define COUNT(array) (int)(sizeof(array) / sizeof((array)[0]))

// A text that grows. Starts as {0}; text is released with free.
typedef struct {
  char* text;
  size_t size, room;
} Text;

// Says what went wrong and ends the program; format has one %s, for what.
void die(const char* format, const char* what);

void append(Text* t, const char* piece, size_t n);
__attribute__((format(printf, 2, 3))) void put(Text* t, const char* format, ...);

bool read_file(Text* t, const char* path);
void write_if_changed(const char* path, const Text* t);

// Replaces what stands between "// BEGIN generated LABEL" and the next "// END generated" of
// root/name.
void write_region(const char* root, const char* name, const char* label, const Text* body);

// Writes root/name as a whole.
void write_page(const char* root, const char* name, const Text* page);

// The target column of model.def. kind: ' ' nothing, e enum, i id, s span, u unchecked index.
typedef struct {
  char kind;
  const char* of;     // the size or enum
  const char* count;  // span: the array with the counts
} Target;

// One line of model.def or data.def. kind: g group, v value, s size, a array, r arena. A group has
// its title in doc and, in model.def, its tag in name.
typedef struct {
  char kind;
  const char *type, *name, *rows, *cols;
  Target target;      // arrays of the model
  const char* stage;  // arrays of the data
  const char* doc;
} Field;

extern const Field model_fields[], data_fields[];
extern const int nmodel_field, ndata_field;

static inline bool is_array(const Field* f) {
  return f->kind == 'a' || f->kind == 'r';
}

// The struct declarations, documented.
void put_model_struct(Text* t);
void put_data_struct(Text* t);

// One line of settings.def. kind: o option, s statistic, p part of mjVisual, v member of such a
// part.
typedef struct {
  char kind;
  const char *part, *type, *name, *extent;
  const char* value;  // of a fresh model, in brackets
  const char* doc;
} Setting;

extern const Setting settings[];
extern const int nsetting;

// A number, and not an array of them?
static inline bool is_single(const Setting* s) {
  return s->extent[0] == '1' && !s->extent[1];
}

// mjOption, mjVisual and mjStatistic, documented.
void put_settings_structs(Text* t);

// Their part of docs/fields.md, with defaults.
void put_settings_tables(Text* t);

// The lists of mjxmacro.h.
void put_lists(Text* t);

// docs/mjcf.md: elements and attributes of model files.
void put_mjcf_page(Text* t);

// docs/fields.md: every field with type, shape and meaning.
void put_fields_page(Text* t);

#endif  // CORTEN_SCHEMA_GENERATE_H_
