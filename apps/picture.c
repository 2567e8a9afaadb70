#include "picture.h"

#include <png.h>
#include <string.h>

#include "command.h"

// A PNG has rows from above: a negative stride turns them over.
static int write_png(const char* path, int width, int height, const void* pixels,
                     png_uint_32 format, int row) {
  png_image image;
  memset(&image, 0, sizeof(image));
  image.version = PNG_IMAGE_VERSION;
  image.width = (png_uint_32)width;
  image.height = (png_uint_32)height;
  image.format = format;
  if (png_image_write_to_file(&image, path, 0, pixels, -row, NULL)) return EXIT_FINE;
  return failed("%s: cannot write the picture: %s", path, image.message);
}

int picture_write_rgb(const char* path, int width, int height, const unsigned char* rgb) {
  return write_png(path, width, height, rgb, PNG_FORMAT_RGB, 3 * width);
}

int picture_write_grey16(const char* path, int width, int height, const uint16_t* grey) {
  return write_png(path, width, height, grey, PNG_FORMAT_LINEAR_Y, width);
}
