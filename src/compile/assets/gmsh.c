// GMSH files: nodes and one kind of element, as text or binary, in the formats 2.2 and 4.1.
//
// Of a file two sections count, $Nodes and $Elements, wherever they stand. Format 4.1 sorts them
// into blocks, of which there must be one each, with nodes numbered from 1 on. In format 2.2 nodes
// are numbered by their order, whatever the file calls them, as in the reference. All elements are
// of one type. Every count is compared with the size of the file before anything is allocated.

#include "compile/assets/gmsh.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  ct_Compiler* c;
  const ct_Element* e;
  const ct_AssetFile* file;  // with a zero behind its bytes
  const char *at, *end;      // of the section that is read
  bool binary;
  ct_Gmsh* gmsh;
} Reader;

CT_NORETURN static void fail(const Reader* r, const char* what) {
  const char* begin = (const char*)r->file->bytes;
  size_t line = 1;
  if (r->binary) {
    ct_fail(r->c, r->e, "file %.300s, byte %zu: %s", r->file->name, (size_t)(r->at - begin), what);
  }
  for (const char* p = begin; p < r->at; p++) line += *p == '\n';
  ct_fail(r->c, r->e, "file %.300s, line %zu: %s", r->file->name, line, what);
}

// Numbers

static bool is_blank(char ch) {
  return ch == ' ' || (ch >= '\t' && ch <= '\r');
}

static void skip_blanks(Reader* r) {
  while (r->at < r->end && is_blank(*r->at)) r->at++;
}

// The end of a word that was read as a number.
static void take_word(Reader* r, const char* end, const char* what) {
  if (end == r->at || end > r->end || errno == ERANGE || (*end && !is_blank(*end))) fail(r, what);
  r->at = end;
}

static long long text_integer(Reader* r, const char* what) {
  char* end;
  skip_blanks(r);
  errno = 0;
  long long value = strtoll(r->at, &end, 10);
  take_word(r, end, what);
  return value;
}

static const unsigned char* take_bytes(Reader* r, size_t count, const char* what) {
  if ((size_t)(r->end - r->at) < count) fail(r, what);
  const unsigned char* bytes = (const unsigned char*)r->at;
  r->at += count;
  return bytes;
}

// An integer that binary files have in 4 bytes.
static long long integer(Reader* r, const char* what) {
  return r->binary ? ct_load_int(take_bytes(r, 4, what)) : text_integer(r, what);
}

// An integer that binary files of format 4.1 have in 8 bytes.
static long long long_integer(Reader* r, const char* what) {
  if (!r->binary) return text_integer(r, what);
  const unsigned char* bytes = take_bytes(r, 8, what);
  uint64_t low = (uint32_t)ct_load_int(bytes), high = (uint32_t)ct_load_int(bytes + 4);
  uint64_t value = low | high << 32;
  return value > INT64_MAX ? -1 : (long long)value;
}

static double real(Reader* r, const char* what) {
  char* end;
  double value;
  if (r->binary) {
    memcpy(&value, take_bytes(r, 8, what), sizeof(value));
  } else {
    skip_blanks(r);
    errno = 0;
    value = strtod(r->at, &end);
    take_word(r, end, what);
  }
  if (!(value > -mjMAXVAL && value < mjMAXVAL)) fail(r, "a coordinate is not a number below 1e10");
  return value;
}

// A number of things each of which takes some bytes of what is left.
static int count_of(Reader* r, long long count, size_t bytes, const char* what) {
  size_t left = (size_t)(r->end - r->at);
  if (count < 1 || (size_t)count > left / bytes || count > INT_MAX / 32) fail(r, what);
  return (int)count;
}

// Sections

// Bytes from the line behind `$name` to `$Endname`.
static void open_section(Reader* r, const char* name) {
  char begin[32], close[32];
  const char* bytes = (const char*)r->file->bytes;
  const char* end = bytes + r->file->size;
  snprintf(begin, sizeof(begin), "$%s", name);
  snprintf(close, sizeof(close), "$End%s", name);
  size_t nbegin = strlen(begin), nclose = strlen(close);
  const char *from = NULL, *to = NULL;
  for (const char* p = bytes; p < end && !to; p++) {
    p = (const char*)memchr(p, '$', (size_t)(end - p));
    if (!p) break;
    size_t left = (size_t)(end - p);
    if (!from && left > nbegin && !memcmp(p, begin, nbegin) && is_blank(p[nbegin])) {
      from = p + nbegin;
    } else if (from && left >= nclose && !memcmp(p, close, nclose)) {
      to = p;
    }
  }
  r->at = from ? from : bytes;
  if (!from || !to) {
    ct_fail(r->c, r->e, "file %.300s is not a whole GMSH file: %s is missing", r->file->name,
            from ? close : begin);
  }
  r->end = to;
  while (r->at < r->end && is_blank(*r->at) && *r->at != '\n') r->at++;
  if (r->at < r->end && *r->at == '\n') r->at++;
}

// true: format 4.1; false: 2.2.
static bool read_format(Reader* r) {
  static const char name[] = "$MeshFormat";
  bool starts = r->file->size > strlen(name) && !memcmp(r->file->bytes, name, strlen(name));
  if (!starts) ct_fail(r->c, r->e, "file %.300s does not start with $MeshFormat", r->file->name);
  open_section(r, "MeshFormat");
  double version = real(r, "the version of the format is missing");
  long long type = text_integer(r, "the type of the file is missing");
  if (version != 4.1 && version != 2.2) fail(r, "only the formats 2.2 and 4.1 are read");
  if (type != 0 && type != 1) fail(r, "a GMSH file is text (0) or binary (1)");
  if (type == 1) {
    text_integer(r, "the size of numbers is missing");
    while (r->at < r->end && *r->at != '\n') r->at++;
    r->at++;
    r->binary = true;
    if (integer(r, "the mark of the order of bytes is missing") != 1)
      fail(r, "the bytes are not in little-endian order");
  }
  return version == 4.1;
}

static void allocate_points(Reader* r, long long count, size_t bytes) {
  r->gmsh->npoint = count_of(r, count, bytes, "the number of nodes does not fit the section");
  r->gmsh->point = (double*)ct_pool_array(&r->c->pool, (size_t)r->gmsh->npoint, 3 * sizeof(double));
}

static void allocate_elements(Reader* r, long long count, size_t bytes) {
  size_t width = (size_t)r->gmsh->dim + 1;
  r->gmsh->nelem = count_of(r, count, bytes, "the number of elements does not fit the section");
  r->gmsh->elem = (int*)ct_pool_array(&r->c->pool, (size_t)r->gmsh->nelem * width, sizeof(int));
}

static void read_point(Reader* r, int i) {
  for (int k = 0; k < 3; k++) r->gmsh->point[3 * i + k] = real(r, "a coordinate is missing");
}

static int node_index(Reader* r, long long tag) {
  if (tag < 1 || tag > r->gmsh->npoint) fail(r, "an element has a node that does not exist");
  return (int)tag - 1;
}

static int dimension_of(Reader* r, long long type) {
  if (type != 1 && type != 2 && type != 4)
    fail(r, "elements are lines (1), triangles (2) or tetrahedra (4)");
  return type == 4 ? 3 : (int)type;
}

// Format 4.1

static int nodes_by_block(Reader* r) {
  open_section(r, "Nodes");
  long long blocks = long_integer(r, "the number of blocks of nodes is missing");
  long long nodes = long_integer(r, "the number of nodes is missing");
  long_integer(r, "the smallest tag is missing");
  long long most = long_integer(r, "the largest tag is missing");
  int dim = (int)integer(r, "the dimension of the nodes is missing");
  integer(r, "the tag of the block is missing");
  integer(r, "it is missing whether nodes are parametric");
  long long here = long_integer(r, "the number of nodes in the block is missing");
  if (blocks != 1 || nodes != here) fail(r, "all nodes must be in one block");
  if (most != nodes) fail(r, "nodes must be numbered from 1 to their number");
  allocate_points(r, nodes, r->binary ? 32 : 8);
  for (int i = 0; i < r->gmsh->npoint; i++) {
    if (long_integer(r, "the tag of a node is missing") != i + 1)
      fail(r, "tags of nodes must follow each other");
  }
  for (int i = 0; i < r->gmsh->npoint; i++) read_point(r, i);
  return dim;
}

static void elements_by_block(Reader* r, int node_dim) {
  open_section(r, "Elements");
  long long blocks = long_integer(r, "the number of blocks of elements is missing");
  long long elements = long_integer(r, "the number of elements is missing");
  long_integer(r, "the smallest tag is missing");
  long_integer(r, "the largest tag is missing");
  int dim = (int)integer(r, "the dimension of the elements is missing");
  integer(r, "the tag of the block is missing");
  long long type = integer(r, "the type of the elements is missing");
  long long here = long_integer(r, "the number of elements in the block is missing");
  if (blocks != 1 || elements != here) fail(r, "all elements must be in one block");
  if (dim != node_dim) fail(r, "nodes and elements have different dimensions");
  if (dimension_of(r, type) != dim) fail(r, "the type of the elements is not of their dimension");
  r->gmsh->dim = dim;
  int width = dim + 1;
  allocate_elements(r, elements, (r->binary ? 8 : 2) * ((size_t)width + 1));
  for (int i = 0; i < r->gmsh->nelem; i++) {
    long_integer(r, "the tag of an element is missing");
    for (int k = 0; k < width; k++) {
      long long tag = long_integer(r, "a node of an element is missing");
      r->gmsh->elem[width * i + k] = node_index(r, tag);
    }
  }
}

// Format 2.2

// A count has a line of its own, also in binary files.
static long long count_line(Reader* r, const char* what) {
  long long count = text_integer(r, what);
  while (r->at < r->end && *r->at != '\n') {
    if (!is_blank(*r->at++)) fail(r, what);
  }
  r->at += r->at < r->end;
  return count;
}

static void nodes_in_order(Reader* r) {
  open_section(r, "Nodes");
  long long nodes = count_line(r, "the number of nodes is missing");
  allocate_points(r, nodes, r->binary ? 28 : 8);
  for (int i = 0; i < r->gmsh->npoint; i++) {
    integer(r, "the number of a node is missing");
    read_point(r, i);
  }
}

typedef struct {  // what stands before elements: in text before each, in binary before many
  long long type, tags;
} ElementHead;

// Elements are all of the type of the first.
static void start_element(Reader* r, int i, ElementHead head, long long count) {
  int dim = dimension_of(r, head.type);
  if (head.tags < 0 || head.tags > 1000) fail(r, "the number of tags of an element is missing");
  if (i == 0) {
    r->gmsh->dim = dim;
    allocate_elements(r, count, r->binary ? 4 : 2);
  }
  if (dim != r->gmsh->dim) fail(r, "elements are of several types; one alone is possible");
}

static void read_element(Reader* r, int i, ElementHead head) {
  int width = r->gmsh->dim + 1;
  for (long long k = 0; k < head.tags; k++) integer(r, "a tag of an element is missing");
  for (int k = 0; k < width; k++) {
    r->gmsh->elem[width * i + k] = node_index(r, integer(r, "a node of an element is missing"));
  }
}

static void elements_in_order(Reader* r) {
  open_section(r, "Elements");
  long long count = count_line(r, "the number of elements is missing");
  if (count < 1) fail(r, "there are no elements");
  ElementHead head = {0, 0};
  for (int i = 0; i == 0 || i < r->gmsh->nelem;) {
    long long follow = 1;
    if (!r->binary) integer(r, "the number of an element is missing");
    head.type = integer(r, "the type of an element is missing");
    if (r->binary) follow = integer(r, "the number of elements in a row is missing");
    head.tags = integer(r, "the number of tags of an element is missing");
    start_element(r, i, head, count);
    if (follow < 1 || follow > r->gmsh->nelem - i)
      fail(r, "the number of elements in a row does not fit that of all");
    for (long long k = 0; k < follow; k++) {
      if (r->binary) integer(r, "the number of an element is missing");
      read_element(r, i++, head);
    }
  }
}

void ct_read_gmsh(ct_Compiler* c, const ct_Element* e, const ct_AssetFile* file, ct_Gmsh* gmsh) {
  // text is read by functions that stop at a zero, which files do not have
  ct_AssetFile closed = *file;
  closed.bytes =
      (const unsigned char*)ct_pool_text_n(&c->scratch, (const char*)file->bytes, file->size);
  Reader r = {.c = c, .e = e, .file = &closed, .gmsh = gmsh};
  memset(gmsh, 0, sizeof(*gmsh));
  if (read_format(&r)) {
    elements_by_block(&r, nodes_by_block(&r));
  } else {
    nodes_in_order(&r);
    elements_in_order(&r);
  }
}
