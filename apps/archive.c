// A ZIP archive has a directory at its end, which says where its files are; each is an NPY file,
// with a line of Python that tells type and shape, and then the numbers. Whatever a file claims is
// compared with what is there before it is believed.

#include "archive.h"

#include <errno.h>
#include <libdeflate.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"

enum { LOCAL = 30, CENTRAL = 46, TAIL = 22 };  // bytes of headers
enum { STORED = 0, DEFLATED = 8 };

struct Archive_ {
  char path[1024];
  unsigned char* bytes;
  size_t size, at;          // at: next entry of the directory
  unsigned left;            // entries
  unsigned char* inflated;  // the file that was read last; NULL: it is stored as it is
};

static unsigned get16(const unsigned char* p) {
  return (unsigned)(p[0] | p[1] << 8);
}

static uint32_t get32(const unsigned char* p) {
  return get16(p) | (uint32_t)get16(p + 2) << 16;
}

// Opening

static bool read_all(Archive* a, FILE* f) {
  long size = fseek(f, 0, SEEK_END) ? -1 : ftell(f);
  rewind(f);
  a->bytes = size >= 0 ? (unsigned char*)malloc((size_t)size + 1) : NULL;
  a->size = a->bytes ? fread(a->bytes, 1, (size_t)size, f) : 0;
  return a->bytes && a->size == (size_t)size;
}

// The tail is the last thing of the file, but for a comment.
static bool find_directory(Archive* a) {
  for (size_t back = TAIL; back <= a->size && back <= TAIL + 65535; back++) {
    const unsigned char* tail = a->bytes + a->size - back;
    if (memcmp(tail, "PK\5\6", 4) != 0) continue;
    a->left = get16(tail + 10);
    a->at = get32(tail + 16);
    return a->at <= a->size;
  }
  return false;
}

Archive* archive_open(FILE* f, const char* path) {
  Archive* a = (Archive*)calloc(1, sizeof(Archive));
  if (!a) {
    failed("%s: there is no memory for it", path);
    return NULL;
  }
  snprintf(a->path, sizeof(a->path), "%s", path);
  errno = 0;
  if (!read_all(a, f)) {
    failed("%s: cannot read the file: %s", path, errno ? strerror(errno) : "it is cut off");
  } else if (!find_directory(a)) {
    failed("%s: an archive without a directory; it is cut off", path);
  } else {
    return a;
  }
  archive_close(a);
  return NULL;
}

void archive_close(Archive* a) {
  if (!a) return;
  free(a->inflated);
  free(a->bytes);
  free(a);
}

// Files

static const unsigned char* inflate(Archive* a, const unsigned char* packed, size_t n,
                                    size_t size) {
  struct libdeflate_decompressor* d = libdeflate_alloc_decompressor();
  size_t got = 0;
  // deflate makes at most 1032 times as much of a byte
  if (d && size / 1032 <= n) a->inflated = (unsigned char*)malloc(size + 1);
  bool good = a->inflated && libdeflate_deflate_decompress(d, packed, n, a->inflated, size, &got) ==
                                 LIBDEFLATE_SUCCESS;
  if (d) libdeflate_free_decompressor(d);
  return good && got == size ? a->inflated : NULL;
}

// The bytes of the file that an entry of the directory names; NULL: they are not sound.
static const unsigned char* read_file(Archive* a, const unsigned char* entry) {
  size_t packed = get32(entry + 20), size = get32(entry + 24), at = get32(entry + 42);
  unsigned method = get16(entry + 10);
  if (at > a->size || a->size - at < LOCAL || memcmp(a->bytes + at, "PK\3\4", 4)) return NULL;
  size_t start = at + LOCAL + get16(a->bytes + at + 26) + get16(a->bytes + at + 28);
  if (start > a->size || a->size - start < packed) return NULL;
  free(a->inflated);
  a->inflated = NULL;
  const unsigned char* bytes = a->bytes + start;
  if (method == DEFLATED) bytes = inflate(a, bytes, packed, size);
  if (method == STORED && packed != size) bytes = NULL;
  if (method != STORED && method != DEFLATED) bytes = NULL;
  return bytes && libdeflate_crc32(0, bytes, size) == get32(entry + 16) ? bytes : NULL;
}

// Arrays

// What stands behind a key of the header, such as 'shape'; NULL if it is not there.
static const char* value_of(const char* header, const char* key) {
  const char* at = strstr(header, key);
  if (at) at += strlen(key);
  while (at && *at == ' ') at++;
  return at;
}

// Type and shape; false: nothing that a table can have. *count: numbers, or texts.
static bool read_header(const char* header, Array* array, size_t* count) {
  const char *type = value_of(header, "'descr':"), *shape = value_of(header, "'shape':");
  const char* order = value_of(header, "'fortran_order':");
  if (!type || !shape || !order || strncmp(order, "False", 5) || *shape != '(') return false;
  if (sscanf(type, "'<%c%d'", &array->kind, &array->size) != 2) return false;
  bool number =
      (array->kind == 'f' || array->kind == 'i') && (array->size == 4 || array->size == 8);
  if (!number && !(array->kind == 'U' && array->size > 0 && array->size < 10000)) return false;
  array->rows = array->width = 1;
  int dimensions = 0;
  for (const char* at = shape + 1; *at && *at != ')';) {
    char* end;
    unsigned long long n = strtoull(at, &end, 10);
    if (end == at || n > UINT32_MAX) return false;
    size_t* side = dimensions++ ? &array->width : &array->rows;
    if (n && *side > SIZE_MAX / 16 / n) return false;
    *side *= (size_t)n;
    for (at = end; *at == ',' || *at == ' ';) at++;
  }
  if (array->width && array->rows > SIZE_MAX / 65536 / array->width) return false;
  *count = array->rows * array->width;
  return true;
}

static bool read_array(const unsigned char* bytes, size_t size, Array* array) {
  char header[2000];
  if (size < 12 || memcmp(bytes, "\x93NUMPY", 6) != 0) return false;
  size_t start = bytes[6] == 1 ? 10 : 12;
  size_t length = bytes[6] == 1 ? get16(bytes + 8) : get32(bytes + 8), count;
  if (length >= sizeof(header) || size - start < length) return false;
  memcpy(header, bytes + start, length);
  header[length] = 0;
  if (!read_header(header, array, &count)) return false;
  array->data = bytes + start + length;
  size_t each = (size_t)array->size * (array->kind == 'U' ? 4 : 1);
  return count <= (size - start - length) / each;
}

int archive_next(Archive* a, Array* array, bool* more) {
  memset(array, 0, sizeof(*array));
  *more = a->left > 0;
  if (!*more) return EXIT_FINE;
  const unsigned char* entry = a->bytes + a->at;
  if (a->size - a->at < CENTRAL || memcmp(entry, "PK\1\2", 4) != 0) {
    return failed("%s: the directory of the archive is broken", a->path);
  }
  size_t name = get16(entry + 28);
  size_t whole = CENTRAL + name + get16(entry + 30) + get16(entry + 32);
  if (a->size - a->at < whole) return failed("%s: the archive is cut off", a->path);
  a->at += whole;
  a->left--;
  snprintf(array->name, sizeof(array->name), "%.*s", (int)name, (const char*)entry + CENTRAL);
  char* tail = ends_with(array->name, ".npy") ? array->name + strlen(array->name) - 4 : NULL;
  if (tail) *tail = 0;
  const unsigned char* bytes = read_file(a, entry);
  if (!bytes) return failed("%s: %s is not sound", a->path, array->name);
  if (tail && read_array(bytes, get32(entry + 24), array)) return EXIT_FINE;
  return failed("%s: %s is not an array of numbers that can be read", a->path, array->name);
}

double array_number(const Array* a, size_t i) {
  const unsigned char* p = a->data + i * (size_t)a->size;
  uint64_t bits = get32(p);
  if (a->size == 8) bits |= (uint64_t)get32(p + 4) << 32;
  uint32_t low = (uint32_t)bits;
  double wide;
  float narrow;
  memcpy(&wide, &bits, sizeof(wide));
  memcpy(&narrow, &low, sizeof(narrow));
  if (a->kind == 'f') return a->size == 8 ? wide : (double)narrow;
  return a->size == 8 ? (double)(int64_t)bits : (double)(int32_t)low;
}

void array_text(const Array* a, size_t i, char* text, size_t room) {
  size_t n = 0;
  for (int k = 0; k < a->size && n + 5 < room; k++) {
    uint32_t c = get32(a->data + 4 * (i * (size_t)a->size + (size_t)k));
    if (!c) break;
    if (c < 0x80) {
      text[n++] = (char)c;
      continue;
    }
    int more = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
    text[n++] = (char)(lead[more] | (c >> 6 * more & 0x3f));
    while (more--) text[n++] = (char)(0x80 | (c >> 6 * more & 0x3f));
  }
  text[n] = 0;
}
