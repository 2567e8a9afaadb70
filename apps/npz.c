#include "npz.h"

#include <libdeflate.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 128, ENTRY = 26, CENTRAL = 46 };

static void put16(unsigned char* p, unsigned x) {
  p[0] = (unsigned char)x;
  p[1] = (unsigned char)(x >> 8);
}

static void put32(unsigned char* p, uint32_t x) {
  put16(p, x & 0xffff);
  put16(p + 2, x >> 16);
}

// What an NPY file says before its numbers, padded to a whole number of 64 bytes.
static void fill_header(unsigned char header[HEADER], const char* type, int dimensions,
                        const size_t* shape) {
  char text[HEADER], sizes[80] = "";
  for (int i = 0; i < dimensions; i++) {
    size_t n = strlen(sizes);
    snprintf(sizes + n, sizeof(sizes) - n, i ? " %zu," : "%zu,", shape[i]);
  }
  int n = snprintf(text, sizeof(text), "{'descr': '<%s', 'fortran_order': False, 'shape': (%s), }",
                   type, sizes);
  memset(text + n, ' ', sizeof(text) - (size_t)n);
  text[HEADER - 10 - 1] = '\n';
  memcpy(header, "\x93NUMPY\x01\x00\x76\x00", 10);
  memcpy(header + 10, text, HEADER - 10);
}

// What the headers of a file, its own and that of the directory, share.
static void fill_entry(unsigned char p[ENTRY], size_t name, uint32_t crc, size_t size) {
  memset(p, 0, ENTRY);
  put16(p, 20);
  put16(p + 8, 0x21);  // 1 January 1980
  put32(p + 10, crc);
  put32(p + 14, (uint32_t)size);
  put32(p + 18, (uint32_t)size);
  put16(p + 22, (unsigned)name);
}

static bool add_to_directory(Npz* npz, const char* file, const unsigned char entry[ENTRY],
                             long offset) {
  size_t n = strlen(file);
  unsigned char* p = (unsigned char*)realloc(npz->central, npz->size + CENTRAL + n);
  if (!p) return false;
  npz->central = p;
  p += npz->size;
  memset(p, 0, CENTRAL);
  memcpy(p, "PK\1\2\24\0", 6);
  memcpy(p + 6, entry, ENTRY);
  put32(p + 42, (uint32_t)offset);
  memcpy(p + CENTRAL, file, n);
  npz->size += CENTRAL + n;
  npz->count++;
  return true;
}

bool npz_add(Npz* npz, const char* name, const char* type, int dimensions, const size_t* shape,
             const void* data) {
  unsigned char header[HEADER], entry[ENTRY];
  char file[100];
  size_t bytes = (size_t)atoi(type + 1) * (type[0] == 'U' ? sizeof(uint32_t) : 1);
  for (int i = 0; i < dimensions; i++) bytes *= shape[i];
  long offset = ftell(npz->f);
  if (offset < 0 || (uint64_t)offset + bytes + 1000 > UINT32_MAX) return false;
  snprintf(file, sizeof(file), "%s.npy", name);
  fill_header(header, type, dimensions, shape);
  uint32_t crc = libdeflate_crc32(0, header, HEADER);
  if (bytes) crc = libdeflate_crc32(crc, data, bytes);
  fill_entry(entry, strlen(file), crc, HEADER + bytes);
  fwrite("PK\3\4", 4, 1, npz->f);
  fwrite(entry, ENTRY, 1, npz->f);
  fputs(file, npz->f);
  fwrite(header, HEADER, 1, npz->f);
  if (bytes) fwrite(data, bytes, 1, npz->f);
  return add_to_directory(npz, file, entry, offset);
}

bool npz_finish(Npz* npz) {
  unsigned char tail[22] = "PK\5\6";
  put16(tail + 8, npz->count);
  put16(tail + 10, npz->count);
  put32(tail + 12, (uint32_t)npz->size);
  put32(tail + 16, (uint32_t)ftell(npz->f));
  fwrite(npz->central, npz->size, 1, npz->f);
  free(npz->central);
  npz->central = NULL;
  return fwrite(tail, sizeof(tail), 1, npz->f) == 1;
}
