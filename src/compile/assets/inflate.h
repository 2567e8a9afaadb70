// Inflate: what was compressed by deflate, all at once.
//
// Pictures with large areas of one colour consist of long repetitions. Written straight into the
// whole picture, they are a few copies of memory each.

#ifndef CT_COMPILE_ASSETS_INFLATE_H_
#define CT_COMPILE_ASSETS_INFLATE_H_

#include <stdbool.h>
#include <stddef.h>

// Unpacks a zlib stream (RFC 1950) that makes exactly `nout` bytes. False if it does not, or is
// broken in any way; then `out` has whatever came before.
bool ct_inflate(unsigned char* out, size_t nout, const unsigned char* in, size_t nin);

#endif  // CT_COMPILE_ASSETS_INFLATE_H_
