// Pictures as PNG files.

#ifndef APPS_PICTURE_H_
#define APPS_PICTURE_H_

#include <stdint.h>

// Rows come from below, as OpenGL has them. EXIT_FINE, or another code after a message.
int picture_write_rgb(const char* path, int width, int height, const unsigned char* rgb);
int picture_write_grey16(const char* path, int width, int height, const uint16_t* grey);

#endif  // APPS_PICTURE_H_
