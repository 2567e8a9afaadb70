// Expands the schema tables into the text that people and compilers read.
//
//   in   schema/model.def, schema/data.def    fields of mjModel and mjData
//        schema/functions.def                 every public function
//        --symbols FILE                       what the library's objects define (nm -P)
//        --tests FILE                         the text of all tests
//   out  include/mujoco/{mjmodel,mjdata,mujoco}.h   the regions between BEGIN and END generated
//        --coverage FILE                      which functions are there, which are tested
//        --stubs FILE                         C source of those that are not
//
// A file is only written when its text changes, so a build that changes nothing touches nothing.

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A text that grows.
typedef struct {
  char* text;
  size_t size, room;
} Text;

static void die(const char* format, const char* what) {
  fprintf(stderr, "generate: ");
  fprintf(stderr, format, what);
  fprintf(stderr, "\n");
  exit(1);
}

static void append(Text* t, const char* piece, size_t n) {
  if (t->size + n + 1 > t->room) {
    t->room = 2 * (t->size + n + 1);
    t->text = (char*)realloc(t->text, t->room);
    if (!t->text) die("%s", "out of memory");
  }
  memcpy(t->text + t->size, piece, n);
  t->size += n;
  t->text[t->size] = 0;
}

__attribute__((format(printf, 2, 3))) static void put(Text* t, const char* format, ...) {
  char line[4096];
  va_list args;
  va_start(args, format);
  int n = vsnprintf(line, sizeof(line), format, args);
  va_end(args);
  if (n < 0 || (size_t)n >= sizeof(line)) die("line too long: %s", format);
  append(t, line, (size_t)n);
}

static bool read_file(Text* t, const char* path) {
  FILE* f = fopen(path, "rb");
  if (!f) return false;
  char block[65536];
  size_t n;
  while ((n = fread(block, 1, sizeof(block), f)) > 0) append(t, block, n);
  fclose(f);
  if (!t->text) append(t, "", 0);
  return true;
}

static void write_if_changed(const char* path, const Text* t) {
  Text old = {0};
  bool same = read_file(&old, path) && old.size == t->size && !memcmp(old.text, t->text, t->size);
  free(old.text);
  if (same) return;
  FILE* f = fopen(path, "wb");
  if (!f || fwrite(t->text, 1, t->size, f) != t->size || fclose(f)) die("cannot write %s", path);
}

// Replaces what stands between "// BEGIN generated LABEL" and the next "// END generated" of a file.
static void write_region(const char* root, const char* name, const char* label, const Text* body) {
  char path[1024], mark[128];
  snprintf(path, sizeof(path), "%s/%s", root, name);
  snprintf(mark, sizeof(mark), "// BEGIN generated %s ", label);
  Text old = {0}, fresh = {0};
  if (!read_file(&old, path)) die("cannot read %s", path);
  char* begin = strstr(old.text, mark);
  char* end = begin ? strstr(begin, "// END generated") : NULL;
  if (!end) die("%s has no region that starts with BEGIN generated and its label", path);
  begin = strchr(begin, '\n') + 1;
  append(&fresh, old.text, (size_t)(begin - old.text));
  append(&fresh, body->text, body->size);
  append(&fresh, end, strlen(end));
  write_if_changed(path, &fresh);
  free(old.text);
  free(fresh.text);
}

// ------------------------------------------------------------------ fields

// One line of model.def or data.def, as text. kind: g group, v value, s size, a array, r arena.
typedef struct {
  char kind;
  const char *type, *name, *rows, *cols, *doc;
} Field;

#define BY(n) #n
#define BY_SIZE(size) #size
#define BY_TIMES(n, size) #size "*" #n
#define MODEL(size) #size
#define DATA(size) #size

static const Field model_fields[] = {
#define MODEL_GROUP(tag, title) {'g', "", #tag, "", "", title},
#define MODEL_SIZE(name, doc) {'s', "mjtSize", #name, "", "", doc},
#define MODEL_VALUE(type, name, doc) {'v', #type, #name, "", "", doc},
#define MODEL_ARRAY(type, name, rows, cols, target, doc) {'a', #type, #name, #rows, cols, doc},
#include "model.def"
};

static const Field data_fields[] = {
#define DATA_GROUP(title) {'g', "", "", "", "", title},
#define DATA_VALUE(type, name, extent, doc) {'v', #type, #name, #extent, "", doc},
#define DATA_ARRAY(type, name, rows, cols, stage, doc) {'a', #type, #name, #rows, cols, doc},
#define DATA_ARENA(type, name, rows, cols, stage, doc) {'r', #type, #name, rows, cols, doc},
#include "data.def"
};

#define COUNT(array) (int)(sizeof(array) / sizeof((array)[0]))

// The members of a struct, documented, comments aligned.
static void put_struct(Text* t, const char* name, const char* doc, const Field* f, int n) {
  put(t, "typedef struct %s_ {  // %s\n", name, doc);
  for (int i = 0; i < n; i++) {
    char member[256];
    if (f[i].kind == 'g') {
      put(t, "%s  // %s\n", i ? "\n" : "", f[i].doc);
      continue;
    }
    bool array = f[i].kind == 'a' || f[i].kind == 'r';
    snprintf(member, sizeof(member), "  %s%s %s%s;", f[i].type, array ? "*" : "", f[i].name,
             array ? "" : f[i].rows);
    put(t, "%-34s  // ", member);
    if (array && strcmp(f[i].cols, "1")) {
      put(t, "(%s x %s) ", f[i].rows, f[i].cols);
    } else if (array) {
      put(t, "(%s) ", f[i].rows);
    }
    put(t, "%s\n", f[i].doc);
  }
  put(t, "} %s;\n", name);
}

// ------------------------------------------------------------------ functions

// One line of functions.def. kind: s section, f function, e exported but not declared.
typedef struct {
  char kind;
  const char *result, *name, *params, *doc;
} Function;

static const Function functions[] = {
#define SECTION(title) {'s', "", "", "", title},
#define FUNCTION(result, name, params, doc) {'f', #result, #name, #params, doc},
#define EXPORT(name) {'e', "void", #name, "(void)", ""},
#include "functions.def"
};

// Writes text with a prefix on every line, broken at 100 columns.
static void put_wrapped(Text* t, const char* prefix, const char* text) {
  size_t column = 0;
  while (*text) {
    size_t word = strcspn(text, " ");
    if (column && column + 1 + word > 100) {
      put(t, "\n");
      column = 0;
    }
    put(t, "%s%.*s", column ? " " : prefix, (int)word, text);
    column += word + (column ? 1 : strlen(prefix));
    text += word;
    while (*text == ' ') text++;
  }
  put(t, "\n");
}

static void put_declarations(Text* t) {
  for (int i = 0; i < COUNT(functions); i++) {
    const Function* f = functions + i;
    if (f->kind == 's') {
      if (i + 1 < COUNT(functions) && functions[i + 1].kind == 'e') break;
      put(t, "\n// ---- %s\n\n", f->doc);
      continue;
    }
    put_wrapped(t, "// ", f->doc);
    char line[2048];
    bool printf_like = strstr(f->params, "...") != NULL;
    snprintf(line, sizeof(line), "MJAPI %s %s%s%s;", f->result, f->name, f->params,
             printf_like ? " mjPRINTFLIKE(1, 2)" : "");
    put_wrapped(t, "", line);
    put(t, "\n");
  }
}

// ------------------------------------------------------------------ stubs and coverage

// Does the text contain this word as a whole identifier?
static bool has_word(const char* text, const char* word) {
  size_t n = strlen(word);
  for (const char* p = text; (p = strstr(p, word)); p += n) {
    bool starts = p == text || !(isalnum((unsigned char)p[-1]) || p[-1] == '_');
    bool ends = !(isalnum((unsigned char)p[n]) || p[n] == '_');
    if (starts && ends) return true;
  }
  return false;
}

static void put_stubs(Text* t, const char* symbols) {
  put(t, "// Functions that this version does not have. Generated by schema/generate.\n\n");
  put(t, "#include <mujoco/mujoco.h>\n\n#include \"base/missing.h\"\n\n");
  for (int i = 0; i < COUNT(functions); i++) {
    const Function* f = functions + i;
    if (f->kind == 's' || has_word(symbols, f->name)) continue;
    bool returns = strcmp(f->result, "void") != 0;
    if (f->kind == 'e') put(t, "MJAPI void %s(void);\n", f->name);
    if (returns) {
      put(t, "%s %s%s { CT_MISSING_RESULT(%s, %s) }\n", f->result, f->name, f->params, f->result,
          f->name);
    } else {
      put(t, "void %s%s { CT_MISSING(%s) }\n", f->name, f->params, f->name);
    }
  }
}

static void put_coverage(Text* t, const char* symbols, const char* tests) {
  int present = 0, tested = 0, total = 0;
  Text rows = {0};
  for (int i = 0; i < COUNT(functions); i++) {
    const Function* f = functions + i;
    if (f->kind == 's') {
      put(&rows, "\n## %s\n\n| function | state |\n|---|---|\n", f->doc);
      continue;
    }
    bool here = has_word(symbols, f->name), proved = here && has_word(tests, f->name);
    total++, present += here, tested += proved;
    put(&rows, "| `%s` | %s |\n", f->name, proved ? "present, tested" : here ? "present" : "not yet");
  }
  put(t, "# API coverage\n\n");
  put(t, "Generated by `schema/generate` from `schema/functions.def`, the symbols of the built library ");
  put(t, "and the names that the tests mention; do not edit.\n\n");
  put(t, "Of %d functions %d are present, %d of them named in a test. ", total, present, tested);
  put(t, "The others stop with `NAME is not part of this version of corten`.\n");
  append(t, rows.text, rows.size);
  free(rows.text);
}

int main(int argc, char** argv) {
  const char *root = NULL, *symbols_path = NULL, *stubs_path = NULL, *tests_path = NULL;
  const char* coverage_path = NULL;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--symbols") && i + 1 < argc) {
      symbols_path = argv[++i];
    } else if (!strcmp(argv[i], "--stubs") && i + 1 < argc) {
      stubs_path = argv[++i];
    } else if (!strcmp(argv[i], "--tests") && i + 1 < argc) {
      tests_path = argv[++i];
    } else if (!strcmp(argv[i], "--coverage") && i + 1 < argc) {
      coverage_path = argv[++i];
    } else {
      root = argv[i];
    }
  }
  if (!root) die("usage: generate ROOT [--symbols FILE [--stubs FILE] [--tests FILE --coverage FILE]]%s", "");

  if (!symbols_path) {
    Text model = {0}, data = {0}, declarations = {0};
    put_struct(&model, "mjModel", "a compiled model; arrays live in one buffer", model_fields,
               COUNT(model_fields));
    put_struct(&data, "mjData", "state and results of one simulation", data_fields,
               COUNT(data_fields));
    put_declarations(&declarations);
    write_region(root, "include/mujoco/mjmodel.h", "mjModel", &model);
    write_region(root, "include/mujoco/mjdata.h", "mjData", &data);
    write_region(root, "include/mujoco/mujoco.h", "functions", &declarations);
    free(model.text), free(data.text), free(declarations.text);
    return 0;
  }

  Text symbols = {0}, tests = {0}, out = {0};
  if (!read_file(&symbols, symbols_path)) die("cannot read %s", symbols_path);
  if (stubs_path) {
    put_stubs(&out, symbols.text);
    write_if_changed(stubs_path, &out);
  }
  if (tests_path && coverage_path) {
    if (!read_file(&tests, tests_path)) die("cannot read %s", tests_path);
    out.size = 0;
    put_coverage(&out, symbols.text, tests.text);
    write_if_changed(coverage_path, &out);
  }
  free(symbols.text), free(tests.text), free(out.text);
  return 0;
}
