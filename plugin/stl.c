// Decoder of STL files, binary and text.
//
// Binary: 80 bytes of anything, the number of triangles, and for each a normal, three corners and
// two bytes, 50 in all, little-endian. Text: `facet normal x y z`, `outer loop`, three times
// `vertex x y z`, `endloop`, `endfacet`. Normals are not used: they follow from the corners.
// Corners at the same place are one vertex.

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "plugins.h"
#include "triangles.h"

enum { HEADER = 80, RECORD = 50 };

// Vertices

typedef struct {  // from places to vertices: open addressing, -1 is free
  int* slot;
  size_t mask;
} Places;

static bool open_places(Places* p, size_t corners) {
  size_t size = 16;
  while (size < 2 * corners) size *= 2;
  p->slot = (int*)malloc(size * sizeof(int));
  p->mask = size - 1;
  if (p->slot) memset(p->slot, 0xff, size * sizeof(int));
  return p->slot != NULL;
}

static size_t scatter(const float v[3]) {
  uint64_t h = 1469598103934665603u;
  for (int i = 0; i < 3; i++) {
    uint32_t bits;
    memcpy(&bits, v + i, sizeof(bits));
    if (bits == 0x80000000u) bits = 0;  // -0 is the same place, also where compilers deny it
    h = (h ^ bits) * 1099511628211u;
  }
  return (size_t)(h ^ (h >> 32));
}

static void add_corner(Surface* s, Places* p, const float v[3]) {
  size_t k = scatter(v) & p->mask;
  for (; p->slot[k] >= 0; k = (k + 1) & p->mask) {
    const float* known = s->vert.at + 3 * (size_t)p->slot[k];
    if (known[0] == v[0] && known[1] == v[1] && known[2] == v[2]) break;
  }
  if (p->slot[k] < 0) {
    p->slot[k] = s->vert.count / 3;
    for (int i = 0; i < 3; i++) push_float(s, &s->vert, v[i]);
  }
  push_int(s, &s->face, p->slot[k]);
}

// Binary

static uint32_t little_endian(const char* bytes) {
  const unsigned char* b = (const unsigned char*)bytes;
  return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static bool is_binary(const char* bytes, size_t size) {
  if (size < HEADER + 4) return false;
  return size == HEADER + 4 + (size_t)RECORD * little_endian(bytes + HEADER);
}

static void read_binary(Surface* s, Places* places, const char* bytes) {
  uint32_t count = little_endian(bytes + HEADER);
  for (uint32_t t = 0; t < count && !s->refused; t++) {
    const char* corners = bytes + HEADER + 4 + (size_t)RECORD * t + 12;  // behind the normal
    for (int c = 0; c < 3; c++) {
      float v[3];
      for (int i = 0; i < 3; i++) {
        uint32_t bits = little_endian(corners + 12 * c + 4 * i);
        memcpy(&v[i], &bits, sizeof(bits));
        if (!isfinite(v[i])) refuse(s, "has a coordinate that is not finite, in triangle %u", t);
      }
      if (!s->refused) add_corner(s, places, v);
    }
  }
}

// Text

static bool is_blank(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

// The next word; false at the end. Bytes end with a zero.
static bool next_word(const char** at, const char** word, size_t* length, int* line) {
  while (is_blank(**at)) *line += *(*at)++ == '\n';
  *word = *at;
  while (**at && !is_blank(**at)) (*at)++;
  *length = (size_t)(*at - *word);
  return *length > 0;
}

static bool read_vertex(Surface* s, const char** at, int* line, float v[3]) {
  for (int i = 0; i < 3; i++) {
    const char* word;
    size_t length;
    char* end;
    bool found = next_word(at, &word, &length, line);
    v[i] = found ? strtof(word, &end) : 0;
    if (!found || end != *at || !isfinite(v[i])) {
      refuse(s, "line %d: a vertex needs three numbers", *line);
      return false;
    }
  }
  return true;
}

static void read_text(Surface* s, Places* places, const char* text) {
  const char *at = text, *word;
  size_t length;
  int line = 1, corners = 0;
  while (!s->refused && next_word(&at, &word, &length, &line)) {
    if (length == 6 && !memcmp(word, "vertex", 6)) {
      float v[3];
      if (!read_vertex(s, &at, &line, v)) return;
      add_corner(s, places, v);
      corners++;
    } else if (length == 7 && !memcmp(word, "endloop", 7)) {
      if (corners != 3) refuse(s, "line %d: a facet has three corners, not %d", line, corners);
      corners = 0;
    }
  }
  if (corners) refuse(s, "line %d: the file ends inside a facet", line);
}

// Decoder

static void read_stl(Surface* s, const char* bytes, size_t size) {
  bool binary = is_binary(bytes, size);
  if (!binary && (size < 5 || memcmp(bytes, "solid", 5) != 0)) {
    refuse(s,
           "is not an STL file: it does not begin with 'solid', and the number of triangles at "
           "byte 80 does not make its %zu bytes",
           size);
    return;
  }
  Places places;
  char* text = binary ? NULL : (char*)malloc(size + 1);
  bool ready = open_places(&places, binary ? size / RECORD * 3 : size / 12 + 1);
  if (!ready || (!binary && !text)) {
    refuse(s, "needs more memory than there is");
  } else if (binary) {
    read_binary(s, &places, bytes);
  } else {
    memcpy(text, bytes, size);
    text[size] = 0;
    read_text(s, &places, text);
  }
  free(places.slot);
  free(text);
}

static mjSpec* decode_stl(mjResource* resource, const mjVFS* vfs) {
  (void)vfs;
  return decode_surface(resource, read_stl);
}

void register_stl(void) {
  register_surface_decoder("model/stl", ".stl", decode_stl);
}
