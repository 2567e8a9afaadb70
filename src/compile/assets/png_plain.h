// PNG files of the usual kind, decoded in place: 8 bits of red, green, blue and perhaps alpha, not
// interlaced. libdeflate unpacks the whole picture at once and is faster than zlib, which libpng is
// bound to: docs/dependencies.md has the numbers. Everything else, and everything that is not as it
// should be, is left to libpng.

#ifndef CT_COMPILE_ASSETS_PNG_PLAIN_H_
#define CT_COMPILE_ASSETS_PNG_PLAIN_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Numbers in a PNG file have their highest byte first.
static inline uint32_t ct_load_big_endian(const unsigned char* p) {
  return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | (uint32_t)p[3];
}

typedef enum {
  CT_PNG_DECODED,
  CT_PNG_LEFT,     // libpng must have a look
  CT_PNG_TOO_LONG  // the file unpacks to more than the picture; nothing beyond that was unpacked
} ct_PngPlain;

// Bytes per pixel in the file if it is of this kind; 0 if it is not. The file must begin with a
// whole header chunk.
int ct_png_plain_channels(const unsigned char* bytes, size_t size);

// Decodes into `out`, which has room for height * (1 + width * channels) bytes; the pixels are then
// at its beginning, as many channels as the file has. `packed` is scratch of size + 4 * width bytes
// that are zero.
ct_PngPlain ct_png_plain_decode(unsigned char* out, unsigned char* packed,
                                const unsigned char* bytes, size_t size, size_t width,
                                size_t height);

#endif  // CT_COMPILE_ASSETS_PNG_PLAIN_H_
