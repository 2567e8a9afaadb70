// PNG files as libpng writes them are read back to the byte, whoever reads them; broken ones are
// refused.

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "build.h"
#include "compile/assets/image.h"
#include "compile/assets/png_plain.h"

enum { WIDTH = 61, HEIGHT = 43 };

typedef struct {
  int channels;  // of the file
  int filter;    // PNG_FILTER_...
  int level, strategy;
  bool interlaced;
} Way;

typedef struct {
  unsigned char* bytes;
  size_t size;
} File;

static void append(png_structp png, png_bytep from, size_t count) {
  File* f = (File*)png_get_io_ptr(png);
  f->bytes = (unsigned char*)realloc(f->bytes, f->size + count);
  memcpy(f->bytes + f->size, from, count);
  f->size += count;
}

static void no_flush(png_structp png) {
  (void)png;
}

// Areas of one colour, ramps and noise, so that every kind of compression finds its use.
static void paint(unsigned char* pixel, int channels) {
  unsigned noise = 1;
  for (int r = 0; r < HEIGHT; r++) {
    for (int i = 0; i < WIDTH * channels; i++) {
      noise = noise * 1664525u + 1013904223u;
      unsigned value = r < 12 ? 200 : r < 24 ? 3 * (unsigned)i + 5 * (unsigned)r : noise >> 24;
      pixel[r * WIDTH * channels + i] = (unsigned char)value;
    }
  }
}

static File written(const unsigned char* pixel, const Way* way) {
  File f = {NULL, 0};
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
  png_infop info = png_create_info_struct(png);
  png_set_write_fn(png, &f, append, no_flush);
  png_set_IHDR(png, info, WIDTH, HEIGHT, 8,
               way->channels == 4 ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB,
               way->interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_filter(png, 0, way->filter);
  png_set_compression_level(png, way->level);
  png_set_compression_strategy(png, way->strategy);
  png_set_compression_buffer_size(png, 1000);  // several chunks of pixels
  png_write_info(png, info);
  int passes = png_set_interlace_handling(png);
  for (int p = 0; p < passes; p++) {
    for (int r = 0; r < HEIGHT; r++) png_write_row(png, pixel + r * WIDTH * way->channels);
  }
  png_write_end(png, NULL);
  png_destroy_write_struct(&png, &info);
  return f;
}

// Reads a file as so many channels and compares with what was painted.
static void expect_picture(const File* f, const unsigned char* pixel, int channels, int wanted) {
  ct_Pool pool = {NULL};
  char error[200] = "";
  ct_Image image = {0, 0, wanted, NULL, false};
  if (!ct_png_decode(&pool, f->bytes, f->size, &image, error, sizeof(error))) {
    fail_msg("refused: %s", error);
  }
  assert_int_equal(image.width, WIDTH);
  assert_int_equal(image.height, HEIGHT);
  for (int i = 0; i < WIDTH * HEIGHT; i++) {
    for (int k = 0; k < wanted; k++) {
      int expected = k < channels ? pixel[channels * i + k] : 255;
      if (image.pixel[wanted * i + k] != expected) fail_msg("pixel %d, channel %d", i, k);
    }
  }
  ct_pool_free(&pool);
}

static void every_way_of_writing_is_read(void** state) {
  (void)state;
  static const int filters[] = {PNG_FILTER_NONE, PNG_FILTER_SUB,   PNG_FILTER_UP,
                                PNG_FILTER_AVG,  PNG_FILTER_PAETH, PNG_ALL_FILTERS};
  static const int levels[] = {0, 1, 9};
  static const int strategies[] = {0, 2, 4};  // zlib's: default, Huffman only, fixed codes
  unsigned char pixel[WIDTH * HEIGHT * 4];
  for (int i = 0; i < 6 * 3 * 3 * 4; i++) {
    Way way = {3 + i / 54 % 2, filters[i % 6], levels[i / 6 % 3], strategies[i / 18 % 3],
               i / 108 > 0};
    paint(pixel, way.channels);
    File f = written(pixel, &way);
    for (int wanted = 1; wanted <= 4; wanted += wanted == 1 ? 2 : 1) {
      expect_picture(&f, pixel, way.channels, wanted);
    }
    free(f.bytes);
  }
}

// The usual kind takes the short way, others do not.
static void plain_files_do_not_need_libpng(void** state) {
  (void)state;
  unsigned char pixel[WIDTH * HEIGHT * 4], out[HEIGHT * (1 + WIDTH * 4)];
  for (int interlaced = 0; interlaced < 2; interlaced++) {
    Way way = {3, PNG_ALL_FILTERS, 9, 0, interlaced > 0};
    paint(pixel, 3);
    File f = written(pixel, &way);
    unsigned char* packed = (unsigned char*)calloc(f.size + 4 * WIDTH, 1);
    bool done = ct_png_plain_decode(out, packed, f.bytes, f.size, WIDTH, HEIGHT) == CT_PNG_DECODED;
    assert_int_equal(done, !interlaced);
    if (done) assert_memory_equal(out, pixel, WIDTH * HEIGHT * 3);
    free(packed);
    free(f.bytes);
  }
}

// A byte that is not what it was is found by a checksum; a file that ends early has no end.
static void broken_files_are_refused(void** state) {
  (void)state;
  unsigned char pixel[WIDTH * HEIGHT * 4];
  Way way = {4, PNG_ALL_FILTERS, 6, 0, false};
  paint(pixel, 4);
  File f = written(pixel, &way);
  for (size_t at = 33; at + 12 < f.size; at += 7) {
    for (int cut = 0; cut < 2; cut++) {
      File broken = {(unsigned char*)malloc(f.size), cut ? at : f.size};
      memcpy(broken.bytes, f.bytes, f.size);
      broken.bytes[at] ^= 0x10;
      ct_Pool pool = {NULL};
      char error[200] = "";
      ct_Image image = {0, 0, 3, NULL, false};
      bool read = ct_png_decode(&pool, broken.bytes, broken.size, &image, error, sizeof(error));
      if (read) fail_msg("byte %zu is wrong, and nobody notices", at);
      assert_true(error[0] != 0);
      ct_pool_free(&pool);
      free(broken.bytes);
    }
  }
  free(f.bytes);
}

static void put_big_endian(unsigned char* p, unsigned value) {
  for (int i = 0; i < 4; i++) p[i] = (unsigned char)(value >> (24 - 8 * i));
}

static unsigned checksum(const unsigned char* p, size_t n) {
  unsigned crc = 0xFFFFFFFFu;
  for (size_t i = 0; i < 8 * n; i++) {
    if (i % 8 == 0) crc ^= p[i / 8];
    crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
  }
  return ~crc;
}

// The header of a black picture says a row less. Files with and without interlacing go different
// ways.
static void data_beyond_the_picture_are_refused(void** state) {
  (void)state;
  unsigned char pixel[WIDTH * HEIGHT * 3] = {0};
  for (int interlaced = 0; interlaced < 2; interlaced++) {
    Way way = {3, PNG_FILTER_NONE, 9, 0, interlaced > 0};
    File f = written(pixel, &way);
    put_big_endian(f.bytes + 20, HEIGHT - 1);
    put_big_endian(f.bytes + 29, checksum(f.bytes + 12, 17));
    ct_Pool pool = {NULL};
    char error[200] = "";
    ct_Image image = {0, 0, 3, NULL, false};
    assert_false(ct_png_decode(&pool, f.bytes, f.size, &image, error, sizeof(error)));
    assert_string_equal(error, "its data unpack to more than its width and height");
    ct_pool_free(&pool);
    free(f.bytes);
  }
}

// A file of some bytes that says it is so wide and high; what decoding it says.
static void claim(char* error, size_t nerror, size_t size, unsigned width, unsigned height) {
  static const unsigned char head[16] = {137, 80, 78, 71, 13, 10, 26, 10,
                                         0,   0,  0,  13, 73, 72, 68, 82};
  unsigned char* bytes = (unsigned char*)calloc(size, 1);
  memcpy(bytes, head, sizeof(head));
  put_big_endian(bytes + 16, width);
  put_big_endian(bytes + 20, height);
  ct_Pool pool = {NULL};
  ct_Image image = {0, 0, 3, NULL, false};
  error[0] = 0;
  assert_false(ct_png_decode(&pool, bytes, size, &image, error, nerror));
  ct_pool_free(&pool);
  free(bytes);
}

static void a_small_file_cannot_ask_for_a_huge_picture(void** state) {
  (void)state;
  char error[200];
  claim(error, sizeof(error), 60000, 20000, 20000);  // deflate could do that
  assert_non_null(strstr(error, "60000 bytes but claims 20000 x 20000 pixels"));
  assert_non_null(strstr(error, "a byte for every 64 pixels"));
  claim(error, sizeof(error), 60000, 20000, 30000);  // and not this
  assert_non_null(strstr(error, "too few bytes for its width and height"));
  claim(error, sizeof(error), 9000, 8192, 8192);  // large enough to be looked at, and then broken
  assert_null(strstr(error, "pixels"));
  claim(error, sizeof(error), 9000, 8192, 8193);
  assert_non_null(strstr(error, "8192 x 8193 pixels"));
}

// Rows of one pixel: what is kept for each of them counts more than the pixel.
static void a_picture_of_many_rows_takes_no_more_than_its_pixels(void** state) {
  (void)state;
  struct rusage before, after;
  char error[200];
  getrusage(RUSAGE_SELF, &before);
  claim(error, sizeof(error), 130000, 1, 8192 * 8192);
  getrusage(RUSAGE_SELF, &after);
  assert_null(strstr(error, "pixels"));  // it was looked at
  if (after.ru_maxrss - before.ru_maxrss > 400000) fail_msg("its rows take memory");
}

// The same with a chunk before the pixels that says it is 2 GB long.
static void a_small_file_cannot_ask_for_a_huge_chunk(void** state) {
  (void)state;
  static const char* const kinds[] = {"tEXt", "zTXt", "iTXt", "eXIf", "sPLT", "pCAL",
                                      "sCAL", "iCCP", "hIST", "tRNS", "prVt"};
  unsigned char pixel[WIDTH * HEIGHT * 3] = {0};
  Way way = {3, PNG_FILTER_NONE, 9, 0, true};
  File f = written(pixel, &way);
  size_t header = 33, size = f.size + 12;
  unsigned char* bytes = (unsigned char*)calloc(size, 1);
  for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++) {
    struct rusage before, after;
    memcpy(bytes, f.bytes, header);
    put_big_endian(bytes + header, 0x7fffffffu);
    memcpy(bytes + header + 4, kinds[k], 4);
    memcpy(bytes + header + 12, f.bytes + header, f.size - header);
    ct_Pool pool = {NULL};
    char error[200] = "";
    ct_Image image = {0, 0, 3, NULL, false};
    getrusage(RUSAGE_SELF, &before);
    assert_false(ct_png_decode(&pool, bytes, size, &image, error, sizeof(error)));
    getrusage(RUSAGE_SELF, &after);
    assert_true(error[0] != 0);
    if (after.ru_maxrss - before.ru_maxrss > 50000) fail_msg("%s takes memory", kinds[k]);
    ct_pool_free(&pool);
  }
  free(bytes);
  free(f.bytes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_way_of_writing_is_read),
      cmocka_unit_test(plain_files_do_not_need_libpng),
      cmocka_unit_test(broken_files_are_refused),
      cmocka_unit_test(data_beyond_the_picture_are_refused),
      cmocka_unit_test(a_small_file_cannot_ask_for_a_huge_picture),
      cmocka_unit_test(a_picture_of_many_rows_takes_no_more_than_its_pixels),
      cmocka_unit_test(a_small_file_cannot_ask_for_a_huge_chunk),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
