// Pictures as bytes: from PNG files, turned over.

#ifndef CT_COMPILE_ASSETS_IMAGE_H_
#define CT_COMPILE_ASSETS_IMAGE_H_

#include "base/pool.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct ct_Image_ {
  int width, height, nchannel;
  unsigned char* pixel;  // (height x width x nchannel), top row first
  bool srgb;             // the file says that colours are sRGB
} ct_Image;

// Decodes a PNG file to 8 bits and image->nchannel (1: grey, 3: RGB, 4: RGBA) per pixel; memory
// comes from the pool. Grey of a coloured picture is its red; 16 bits lose the lower 8; alpha that
// is not asked for is dropped without blending. False, with the reason in `error`, if it is not a
// PNG or broken.
bool ct_png_decode(ct_Pool* pool, const unsigned char* bytes, size_t size, ct_Image* image,
                   char* error, size_t nerror);

// Mirrors left to right, and upside down.
void ct_image_hflip(ct_Image* image);
void ct_image_vflip(ct_Image* image);

#endif  // CT_COMPILE_ASSETS_IMAGE_H_
