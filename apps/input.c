#include "input.h"

#include <ctype.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

// A pipe is copied into a file that nobody sees; a file is taken as it is, from where it stands.
FILE* input_open(void) {
  static FILE* file;
  static off_t start;
  if (!file) {
    start = lseek(STDIN_FILENO, 0, SEEK_CUR);
    if (start >= 0) file = stdin;
  }
  if (!file) {
    char part[65536];
    size_t n;
    FILE* copy = tmpfile();
    while (copy && (n = fread(part, 1, sizeof(part), stdin)) > 0) {
      if (fwrite(part, 1, n, copy) == n) continue;
      fclose(copy);
      copy = NULL;
    }
    if (!copy) {
      failed("standard input: there is no room for a copy of it");
      return NULL;
    }
    file = copy;
    start = 0;
  }
  fseeko(file, start, SEEK_SET);
  return file;
}

// All of it, with a zero behind it; NULL after a message. The caller frees it.
static char* read_all(size_t* size) {
  FILE* f = input_open();
  size_t room = 65536;
  char* text = f ? (char*)malloc(room) : NULL;
  *size = 0;
  while (text) {
    size_t n = fread(text + *size, 1, room - *size - 1, f);
    *size += n;
    if (n == 0) break;
    if (*size + 1 == room) {
      char* more = (char*)realloc(text, room *= 2);
      if (!more) free(text);
      text = more;
    }
  }
  if (f && !text) failed("standard input: out of memory");
  if (text) text[*size] = 0;
  return text;
}

// A compiled model does not begin with text.
static bool is_compiled(const char* text, size_t size) {
  return size > 4 && memchr(text, 0, 64 < size ? 64 : size);
}

bool input_is_model(void) {
  char start[65] = "", *at = start;
  FILE* f = input_open();
  size_t n = f ? fread(start, 1, 64, f) : 0;
  if (!strncmp(start, "PK\3\4", 4)) return false;
  if (n == 0 || is_compiled(start, n)) return true;
  if (!strncmp(at, "\xEF\xBB\xBF", 3)) at += 3;
  while (isspace((unsigned char)*at)) at++;
  return *at == '<' || !*at;
}

bool input_model_open(InputModel* in) {
  size_t size;
  memset(in, 0, sizeof(*in));
  in->text = read_all(&size);
  if (!in->text) return false;
  in->compiled = is_compiled(in->text, size);
  bool urdf = !in->compiled && strstr(in->text, "<robot") && !strstr(in->text, "<mujoco");
  in->name = in->compiled ? "stdin.mjb" : urdf ? "stdin.urdf" : "stdin.xml";
  mj_defaultVFS(&in->vfs);
  if (size == 0) {
    failed("standard input is empty; - takes a model from there");
  } else if (size > INT_MAX || mj_addBufferVFS(&in->vfs, in->name, in->text, (int)size) != 0) {
    failed("standard input cannot be taken");
  } else {
    return true;
  }
  input_model_close(in);
  return false;
}

void input_model_close(InputModel* in) {
  mj_deleteVFS(&in->vfs);
  free(in->text);
}

mjModel* input_load(void) {
  InputModel in;
  char error[1000] = "";
  if (!input_model_open(&in)) return NULL;
  mjModel* m = in.compiled ? mj_loadModel(in.name, &in.vfs)
                           : mj_loadXML(in.name, &in.vfs, error, sizeof(error));
  if (!m) failed("%s", error[0] ? error : "standard input: not a usable model");
  input_model_close(&in);
  return m;
}

mjSpec* input_parse(char* error, int error_size) {
  size_t size;
  char* text = read_all(&size);
  mjSpec* spec = NULL;
  if (!text || size == 0) {
    snprintf(error, (size_t)error_size, "standard input is empty; - takes a model from there");
  } else if (strlen(text) < size) {
    snprintf(error, (size_t)error_size,
             "standard input: a compiled model has no text; name its file");
  } else {
    spec = mj_parseXMLString(text, NULL, error, error_size);
  }
  free(text);
  return spec;
}
