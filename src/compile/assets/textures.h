// Built-in textures.

#ifndef CT_COMPILE_ASSETS_TEXTURES_H_
#define CT_COMPILE_ASSETS_TEXTURES_H_

#include "compile/work/work.h"

// Most bytes of one texture: 16 GiB.
#define CT_MOST_TEXTURE_BYTES (1LL << 34)

// The byte of a colour's share: its product with 255, without fraction, modulo 256.
unsigned char ct_color_byte(double share);

// Draws pattern and mark into width x height pixels of 3 bytes (a cube: six squares on each other).
void ct_draw_texture(unsigned char* pixel, const mjsTexture* texture);

#endif  // CT_COMPILE_ASSETS_TEXTURES_H_
