// Pictures as bytes. See image.h.
//
// libpng reports errors by longjmp and keeps memory of its own, so the pixels are allocated before
// it starts: width and height stand at a fixed place of every PNG file. What the header claims is
// checked against the size of the file first, so that a small file cannot ask for much memory.
// Deflate cannot shrink data by more than 1032, and a byte holds at most 8 pixels: what claims more
// is broken. A picture of more pixels than 8192 x 8192 must have a byte for every 64 of them; those
// of real models have one for 60 at most, and only a picture of almost nothing has fewer.

#include "compile/assets/image.h"

#include "compile/assets/png_plain.h"

#include <png.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MOST_PIXELS_PER_BYTE = 8 * 1032 };
enum { LARGE_PICTURE = 8192 * 8192, MOST_PIXELS_PER_BYTE_OF_LARGE = 64 };

typedef struct {
  const unsigned char* bytes;
  size_t size, used;
} Source;

typedef struct {
  char* text;
  size_t size;
} Message;

static void on_error(png_structp png, png_const_charp text) {
  const Message* message = (const Message*)png_get_error_ptr(png);
  snprintf(message->text, message->size, "%s", text);
  png_longjmp(png, 1);
}

static const char too_long[] = "its data unpack to more than its width and height";

// The reference refuses what libpng warns of here.
static void on_warning(png_structp png, png_const_charp text) {
  if (strstr(text, "Too much image data")) png_error(png, too_long);
}

static void read_bytes(png_structp png, png_bytep to, size_t count) {
  Source* source = (Source*)png_get_io_ptr(png);
  if (count > source->size - source->used) png_error(png, "the file ends too early");
  memcpy(to, source->bytes + source->used, count);
  source->used += count;
}

// Width and height from the first chunk, if a file of this size may have so many pixels.
static bool read_header(const unsigned char* bytes, size_t size, ct_Image* image, char* error,
                        size_t nerror) {
  if (size < 33 || png_sig_cmp(bytes, 0, 8) != 0 || memcmp(bytes + 12, "IHDR", 4) != 0) {
    snprintf(error, nerror, "it is not a PNG file");
    return false;
  }
  uint32_t width = ct_load_big_endian(bytes + 16), height = ct_load_big_endian(bytes + 20);
  if (width == 0 || height == 0 || width > PNG_UINT_31_MAX || height > PNG_UINT_31_MAX) {
    snprintf(error, nerror, "width or height is 0 or too large");
    return false;
  }
  uint64_t pixels = (uint64_t)width * height;
  if (pixels / MOST_PIXELS_PER_BYTE > size) {
    snprintf(error, nerror, "it has too few bytes for its width and height");
    return false;
  }
  if (pixels > LARGE_PICTURE && pixels / MOST_PIXELS_PER_BYTE_OF_LARGE > size) {
    snprintf(error, nerror,
             "the file has %zu bytes but claims %u x %u pixels; above 8192 x 8192, a file needs a "
             "byte for every %d pixels: use a smaller picture",
             size, width, height, MOST_PIXELS_PER_BYTE_OF_LARGE);
    return false;
  }
  image->width = (int)width;
  image->height = (int)height;
  return true;
}

// Bytes per pixel that libpng is asked for. One channel is the first of three.
static int decoded_channels(const ct_Image* image) {
  return image->nchannel == 4 ? 4 : 3;
}

// Whatever the file has becomes 8 bits of red, green and blue, and of alpha if it is wanted.
// Returns how often libpng goes through the rows.
static int ask_for_bytes(png_structp png, const ct_Image* image) {
  png_set_expand(png);
  png_set_strip_16(png);
  png_set_gray_to_rgb(png);
  if (decoded_channels(image) == 4) {
    png_set_add_alpha(png, 0xff, PNG_FILLER_AFTER);
  } else {
    png_set_strip_alpha(png);
  }
  return png_set_interlace_handling(png);
}

// Row by row: an array of their addresses would take more memory than the pixels of a narrow
// picture.
static void read_rows(png_structp png, ct_Image* image, int passes) {
  size_t bytes_per_row = (size_t)decoded_channels(image) * (size_t)image->width;
  size_t height = (size_t)image->height;
  for (int p = 0; p < passes; p++) {
    for (size_t r = 0; r < height; r++) png_read_row(png, image->pixel + bytes_per_row * r, NULL);
  }
}

// Changes the number of bytes per pixel in place: the first ones stay, those that are missing are
// opaque.
static void repack(ct_Image* image, int channels) {
  size_t from = (size_t)channels, to = (size_t)image->nchannel;
  size_t count = (size_t)image->width * (size_t)image->height;
  for (size_t i = 0; to < from && i < count; i++) {
    for (size_t k = 0; k < to; k++) image->pixel[to * i + k] = image->pixel[from * i + k];
  }
  for (size_t i = count; to > from && i-- > 0;) {  // from 3 to 4
    memmove(image->pixel + to * i, image->pixel + from * i, from);
    image->pixel[to * i + from] = 255;
  }
}

// Runs libpng; false if it jumped. It always reads what stands before the pixels. `packed` is
// scratch for plain files, NULL for others.
static bool run(png_structp png, png_infop info, Source* source, ct_Image* image,
                unsigned char* packed) {
  if (setjmp(png_jmpbuf(png))) return false;
  png_set_read_fn(png, source, read_bytes);
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
  // Colour profiles are not asked for: libpng would take some of them for an sRGB chunk. Nor are
  // those for which it takes as much memory as they claim to be long.
  static const char unread[] = "iCCP\0tEXt\0zTXt\0iTXt\0eXIf\0sPLT\0pCAL\0sCAL";
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, (png_const_bytep)unread,
                              (int)sizeof(unread) / 5);
  png_read_info(png, info);
  image->srgb = png_get_valid(png, info, PNG_INFO_sRGB) != 0;
  ct_PngPlain plain = CT_PNG_LEFT;
  if (packed) {
    plain = ct_png_plain_decode(image->pixel, packed, source->bytes, source->size,
                                (size_t)image->width, (size_t)image->height);
  }
  if (plain == CT_PNG_TOO_LONG) png_error(png, too_long);
  if (plain == CT_PNG_DECODED) {
    repack(image, ct_png_plain_channels(source->bytes, source->size));
    return true;
  }
  int passes = ask_for_bytes(png, image);
  png_read_update_info(png, info);
  if (png_get_rowbytes(png, info) != (size_t)decoded_channels(image) * (size_t)image->width) {
    png_error(png, "rows have an unexpected size");
  }
  read_rows(png, image, passes);
  png_read_end(png, NULL);
  repack(image, decoded_channels(image));
  return true;
}

bool ct_png_decode(ct_Pool* pool, const unsigned char* bytes, size_t size, ct_Image* image,
                   char* error, size_t nerror) {
  if (!read_header(bytes, size, image, error, nerror)) return false;
  size_t height = (size_t)image->height, width = (size_t)image->width;
  bool plain = ct_png_plain_channels(bytes, size) > 0;
  image->pixel = (unsigned char*)ct_pool_array(pool, height, 4 * width + (plain ? 1 : 0));
  unsigned char* packed = plain ? (unsigned char*)ct_pool_alloc(pool, size + 4 * width) : NULL;
  if (!image->pixel || (plain && !packed)) return false;

  Source source = {bytes, size, 0};
  Message message = {error, nerror};
  snprintf(error, nerror, "out of memory");
  png_structp png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &message, on_error, on_warning);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  bool done = info && run(png, info, &source, image, packed);
  png_destroy_read_struct(&png, &info, NULL);
  return done;
}

// Flips

static void exchange(unsigned char* a, unsigned char* b, size_t count) {
  for (size_t i = 0; i < count; i++) {
    unsigned char byte = a[i];
    a[i] = b[i];
    b[i] = byte;
  }
}

void ct_image_hflip(ct_Image* image) {
  size_t n = (size_t)image->nchannel, width = (size_t)image->width;
  for (size_t r = 0; r < (size_t)image->height; r++) {
    unsigned char* row = image->pixel + r * width * n;
    for (size_t k = 0; k < width / 2; k++) exchange(row + k * n, row + (width - 1 - k) * n, n);
  }
}

void ct_image_vflip(ct_Image* image) {
  size_t bytes = (size_t)image->width * (size_t)image->nchannel, height = (size_t)image->height;
  for (size_t r = 0; r < height / 2; r++) {
    exchange(image->pixel + r * bytes, image->pixel + (height - 1 - r) * bytes, bytes);
  }
}
