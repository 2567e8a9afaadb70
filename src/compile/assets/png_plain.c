// See png_plain.h. The format is that of the PNG specification, second edition (ISO/IEC 15948).

#include "compile/assets/png_plain.h"

#include <libdeflate.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SIGNATURE = 8, HEADER = 33, FRAME = 12 };  // FRAME: length, type and checksum of a chunk

int ct_png_plain_channels(const unsigned char* bytes, size_t size) {
  if (size < HEADER) return 0;
  const unsigned char* kind = bytes + 24;  // depth, colour type, compression, filter, interlace
  if (kind[0] != 8 || kind[2] || kind[3] || kind[4]) return 0;
  return kind[1] == 2 ? 3 : kind[1] == 6 ? 4 : 0;
}

// Chunks

// Collects the compressed pixels; returns how many bytes they are, 0 if a chunk is broken, out of
// place, or of a kind that changes what pixels mean.
static size_t collect(unsigned char* packed, const unsigned char* bytes, size_t size) {
  size_t at = SIGNATURE, npacked = 0;
  bool begun = false, ended = false;  // the pixels
  while (size - at >= FRAME) {
    const unsigned char* type = bytes + at + 4;
    size_t length = ct_load_big_endian(bytes + at);
    if (length > size - at - FRAME) return 0;
    if (ct_load_big_endian(type + 4 + length) != libdeflate_crc32(0, type, length + 4)) return 0;
    bool pixels = !memcmp(type, "IDAT", 4), first = at == SIGNATURE;
    bool optional = (type[0] & 32) != 0 && memcmp(type, "tRNS", 4) != 0;
    if (!memcmp(type, "IEND", 4)) return npacked;
    if (!(pixels ? !ended : optional || (first && !memcmp(type, "IHDR", 4)))) return 0;
    if (pixels) {
      memcpy(packed + npacked, type + 4, length);
      npacked += length;
      begun = true;
    }
    ended = begun && !pixels;
    at += FRAME + length;
  }
  return 0;
}

// Filters

// The one of left, up and upper left that is nearest to left + up - upper left.
static inline int nearest(int left, int up, int corner) {
  int a = abs(up - corner), b = abs(left - corner), c = abs(left + up - 2 * corner);
  int of_two = b <= c ? up : corner;
  return a <= b && a <= c ? left : of_two;
}

// Undoes the filter of one row. `up` is the row above; `out` may be some bytes below `in`.
static inline bool unfilter(unsigned char* out, const unsigned char* in, const unsigned char* up,
                            int filter, size_t count, size_t channels) {
  int left[4] = {0}, corner[4] = {0};
  switch (filter) {
    case 0:
      memmove(out, in, count);
      return true;
    case 1:
      for (size_t i = 0; i < count; i += channels) {
        for (size_t k = 0; k < channels; k++) {
          left[k] = (in[i + k] + left[k]) & 255;
          out[i + k] = (unsigned char)left[k];
        }
      }
      return true;
    case 2:
      for (size_t i = 0; i < count; i++) out[i] = (unsigned char)(in[i] + up[i]);
      return true;
    case 3:
      for (size_t i = 0; i < count; i += channels) {
        for (size_t k = 0; k < channels; k++) {
          left[k] = (in[i + k] + (left[k] + up[i + k]) / 2) & 255;
          out[i + k] = (unsigned char)left[k];
        }
      }
      return true;
    case 4:
      for (size_t i = 0; i < count; i += channels) {
        for (size_t k = 0; k < channels; k++) {
          int above = up[i + k];
          left[k] = (in[i + k] + nearest(left[k], above, corner[k])) & 255;
          corner[k] = above;
          out[i + k] = (unsigned char)left[k];
        }
      }
      return true;
    default:
      return false;
  }
}

// Rows with their filters in front become rows of pixels, from the first to the last: each moves a
// byte further down than the one before. The row above the first is `zero`.
static bool unfilter_rows(unsigned char* out, const unsigned char* zero, size_t height,
                          size_t count, size_t channels) {
  for (size_t r = 0; r < height; r++) {
    const unsigned char* in = out + r * (count + 1);
    unsigned char* row = out + r * count;
    const unsigned char* up = r ? row - count : zero;
    int filter = in[0];
    bool fine = channels == 3 ? unfilter(row, in + 1, up, filter, count, 3)
                              : unfilter(row, in + 1, up, filter, count, 4);
    if (!fine) return false;
  }
  return true;
}

// Unpacks a zlib stream (RFC 1950) that makes exactly `nout` bytes.
static ct_PngPlain inflate(unsigned char* out, size_t nout, const unsigned char* in, size_t nin) {
  struct libdeflate_decompressor* d = libdeflate_alloc_decompressor();
  if (!d) return CT_PNG_LEFT;
  enum libdeflate_result result = libdeflate_zlib_decompress(d, in, nin, out, nout, NULL);
  libdeflate_free_decompressor(d);
  if (result == LIBDEFLATE_INSUFFICIENT_SPACE) return CT_PNG_TOO_LONG;
  return result == LIBDEFLATE_SUCCESS ? CT_PNG_DECODED : CT_PNG_LEFT;
}

ct_PngPlain ct_png_plain_decode(unsigned char* out, unsigned char* packed,
                                const unsigned char* bytes, size_t size, size_t width,
                                size_t height) {
  size_t channels = (size_t)ct_png_plain_channels(bytes, size), count = width * channels;
  if (count == 0) return CT_PNG_LEFT;
  size_t npacked = collect(packed, bytes, size);
  if (npacked == 0) return CT_PNG_LEFT;
  ct_PngPlain result = inflate(out, height * (count + 1), packed, npacked);
  if (result != CT_PNG_DECODED) return result;
  bool fine = unfilter_rows(out, packed + size, height, count, channels);
  return fine ? CT_PNG_DECODED : CT_PNG_LEFT;
}
