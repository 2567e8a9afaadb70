// What screenshots show, in numbers that a shell can compare.
//   pixels differ A.png B.png X Y WIDTH HEIGHT    how many pixels of that part are not the same
//   pixels red A.png X Y WIDTH HEIGHT             mean column of the part's red pixels, -1 without
//   any
// Parts are counted from the upper left.

#include <png.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  png_image about;
  unsigned char* rgb;
} Picture;

typedef struct {
  int x, y, width, height;
} Part;

static bool read_picture(const char* path, Picture* p) {
  memset(p, 0, sizeof(*p));
  p->about.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&p->about, path)) return false;
  p->about.format = PNG_FORMAT_RGB;
  p->rgb = (unsigned char*)malloc(PNG_IMAGE_SIZE(p->about));
  return p->rgb && png_image_finish_read(&p->about, NULL, p->rgb, 0, NULL);
}

static bool read_part(char** argv, Part* part) {
  *part = (Part){atoi(argv[0]), atoi(argv[1]), atoi(argv[2]), atoi(argv[3])};
  return part->x >= 0 && part->y >= 0 && part->width > 0 && part->height > 0;
}

static bool has(const Picture* p, Part part) {
  return part.x + part.width <= (int)p->about.width && part.y + part.height <= (int)p->about.height;
}

static const unsigned char* pixel(const Picture* p, int x, int y) {
  return p->rgb + 3 * ((size_t)y * p->about.width + (size_t)x);
}

static int count_differences(const Picture* a, const Picture* b, Part part) {
  int count = 0;
  for (int y = part.y; y < part.y + part.height; y++) {
    for (int x = part.x; x < part.x + part.width; x++) {
      count += memcmp(pixel(a, x, y), pixel(b, x, y), 3) != 0;
    }
  }
  return count;
}

static int mean_red_column(const Picture* p, Part part) {
  long sum = 0, count = 0;
  for (int y = part.y; y < part.y + part.height; y++) {
    for (int x = part.x; x < part.x + part.width; x++) {
      const unsigned char* c = pixel(p, x, y);
      if (c[0] < 50 || c[0] < 2 * c[1] || c[0] < 2 * c[2]) continue;
      sum += x;
      count++;
    }
  }
  return count ? (int)(sum / count) : -1;
}

int main(int argc, char** argv) {
  Picture a = {0}, b = {0};
  Part part;
  int result = 1;
  if (argc == 8 && !strcmp(argv[1], "differ") && read_part(argv + 4, &part)) {
    if (read_picture(argv[2], &a) && read_picture(argv[3], &b) && has(&a, part) && has(&b, part)) {
      printf("%d\n", count_differences(&a, &b, part));
      result = 0;
    }
  } else if (argc == 7 && !strcmp(argv[1], "red") && read_part(argv + 3, &part)) {
    if (read_picture(argv[2], &a) && has(&a, part)) {
      printf("%d\n", mean_red_column(&a, part));
      result = 0;
    }
  }
  if (result) fprintf(stderr, "pixels: not pictures with that part\n");
  free(a.rgb);
  free(b.rgb);
  return result;
}
