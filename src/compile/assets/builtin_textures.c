// Built-in textures: gradient, checker and flat patterns, with marks on them.
//
// Faces of cubes and skyboxes follow each other as right, left, up, down, front, back. Coordinates
// of a pixel are x from -1 (left) to 1 and y from -1 (bottom) to 1. On a cube the pixel is seen
// from the centre at distance d = sqrt(1 + x^2 + y^2), and colours change with the elevation of
// that ray.

#include <math.h>
#include <string.h>

#include "compile/assets/textures.h"
#include "math/strict.h"

enum { FACE_LEFT = 1, FACE_UP = 2, FACE_DOWN = 3, FACE_FRONT = 4, FACE_BACK = 5, NFACE = 6 };

unsigned char ct_color_byte(double share) {
  double number = 255 * share;
  if (!(fabs(number) < 2147483648.0)) return 0;  // also what is not a number
  return (unsigned char)(int)number;
}

static void color_bytes(unsigned char byte[3], const double color[3]) {
  for (int i = 0; i < 3; i++) byte[i] = ct_color_byte(color[i]);
}

// Patterns

// Smooth step that goes through (-1, -1) and (1, 1).
static double smooth(double p) {
  return p / sqrt(1 + p * p) / (1 / sqrt(2));
}

// Between two colours: all of `to` where the step is -1, all of `from` where it is 1.
static void mix(unsigned char byte[3], const double from[3], const double to[3], double step) {
  double alpha = 0.5 * (1 + step);
  if (alpha < 0) alpha = 0;
  if (alpha > 1) alpha = 1;
  for (int i = 0; i < 3; i++) byte[i] = ct_color_byte(alpha * from[i] + (1 - alpha) * to[i]);
}

// Place of pixel i among n: from -1 to 1.
static double place(int i, int n) {
  return 2 * (double)i / (n - 1) - 1;
}

static void draw_flat_gradient(unsigned char* pixel, const mjsTexture* t, int width, int height) {
  for (int r = 0; r < height; r++) {
    double y = 1 - 2 * (double)r / (height - 1);
    for (int k = 0; k < width; k++, pixel += 3) {
      double x = place(k, width);
      mix(pixel, t->rgb2, t->rgb1, smooth(2 * sqrt(x * x + y * y) - 1));
    }
  }
}

static double distance(double x, double y) {
  return sqrt(1 + x * x + y * y);
}

static unsigned char* pixel_at(unsigned char* face, int width, int row, int column) {
  return face + 3 * ((size_t)row * (size_t)width + (size_t)column);
}

// A side is its own mirror image.
static void draw_side(unsigned char* side, const mjsTexture* t, int width) {
  for (int r = 0; r < width; r++) {
    double y = -place(r, width);
    for (int k = 0; 2 * k < width; k++) {
      unsigned char* pixel = pixel_at(side, width, r, k);
      double elevation = ct_asin64(y / distance(place(k, width), y)) / (mjPI / 2);
      mix(pixel, t->rgb1, t->rgb2, smooth(elevation));
      memcpy(pixel_at(side, width, r, width - 1 - k), pixel, 3);
    }
  }
}

// Writes a colour to all places that are as far from the middle of a face as this one.
static void write_eightfold(unsigned char* face, int width, int row, int column,
                            const unsigned char color[3]) {
  const int at[2] = {row, column}, mirror[2] = {width - 1 - row, width - 1 - column};
  for (int i = 0; i < 8; i++) {
    int r = i & 1 ? mirror[i >> 2] : at[i >> 2],
        k = i & 2 ? mirror[1 - (i >> 2)] : at[1 - (i >> 2)];
    memcpy(pixel_at(face, width, r, k), color, 3);
  }
}

// The face above has rings around its middle; the one below has the steps of the other negated.
static void draw_up_and_down(unsigned char* up, unsigned char* down, const mjsTexture* t,
                             int width) {
  for (int r = 0; 2 * r < width; r++) {
    for (int k = r; 2 * k < width; k++) {
      unsigned char color[3];
      double d = distance(place(k, width), place(r, width));
      double step = smooth(1 - ct_acos64(1 / d) / (mjPI / 2));
      mix(color, t->rgb1, t->rgb2, step);
      write_eightfold(up, width, r, k, color);
      mix(color, t->rgb1, t->rgb2, -step);
      write_eightfold(down, width, r, k, color);
    }
  }
}

static void draw_cube_gradient(unsigned char* pixel, const mjsTexture* t, int width) {
  size_t bytes = 3 * (size_t)width * (size_t)width;
  draw_side(pixel, t, width);
  draw_up_and_down(pixel + FACE_UP * bytes, pixel + FACE_DOWN * bytes, t, width);
  memcpy(pixel + FACE_LEFT * bytes, pixel, bytes);
  memcpy(pixel + FACE_FRONT * bytes, pixel, bytes);
  memcpy(pixel + FACE_BACK * bytes, pixel, bytes);
}

// Four squares; `a` is the colour of the upper left and the lower right one.
static void draw_checker(unsigned char* pixel, const unsigned char a[3], const unsigned char b[3],
                         int width, int height) {
  for (int r = 0; r < height; r++) {
    for (int k = 0; k < width; k++) {
      bool first = (r < height / 2) == (k < width / 2);
      memcpy(pixel + 3 * ((size_t)r * (size_t)width + (size_t)k), first ? a : b, 3);
    }
  }
}

// One picture that is not a gradient: the whole of a flat texture (face -1), or a face of a cube.
static void draw_squares(unsigned char* pixel, const mjsTexture* t, int face, int width,
                         int height) {
  unsigned char a[3], b[3];
  color_bytes(a, t->rgb1);
  color_bytes(b, t->rgb2);
  if (t->builtin == mjBUILTIN_CHECKER) {
    bool exchanged = face == FACE_FRONT || face == FACE_BACK;
    draw_checker(pixel, exchanged ? b : a, exchanged ? a : b, width, height);
  } else {
    const unsigned char* color = face == FACE_DOWN ? b : a;
    draw_checker(pixel, color, color, width, height);
  }
}

// Marks

static void draw_lines(unsigned char* pixel, const unsigned char mark[3], int mode, int width,
                       int height) {
  for (int r = 0; r < height; r++) {
    for (int k = 0; k < width; k++) {
      bool edge = r == 0 || r == height - 1 || k == 0 || k == width - 1;
      bool cross = k == width / 2 || r == height / 2;
      if (mode == mjMARK_EDGE ? edge : cross) {
        memcpy(pixel + 3 * ((size_t)r * (size_t)width + (size_t)k), mark, 3);
      }
    }
  }
}

// Mersenne Twister MT19937-64: Matsumoto and Nishimura, "Mersenne twister: a 623-dimensionally
// equidistributed uniform pseudo-random number generator", 1998; 64-bit parameters of 2000.
enum { TWISTER_SIZE = 312, TWISTER_SHIFT = 156 };

typedef struct {
  uint64_t word[TWISTER_SIZE];
  int next;
} Twister;

static void twister_seed(Twister* t, uint64_t seed) {
  t->word[0] = seed;
  for (uint64_t i = 1; i < TWISTER_SIZE; i++) {
    uint64_t last = t->word[i - 1];
    t->word[i] = 6364136223846793005u * (last ^ (last >> 62)) + i;
  }
  t->next = TWISTER_SIZE;
}

static uint64_t twist(uint64_t upper, uint64_t lower, uint64_t shifted) {
  const uint64_t low = 0x7fffffffu;  // the lower 31 bits
  uint64_t x = (upper & ~low) | (lower & low);
  return shifted ^ (x >> 1) ^ (x & 1 ? 0xb5026f5aa96619e9u : 0);
}

static void twister_turn(Twister* t) {
  uint64_t* w = t->word;
  int i = 0;
  for (; i < TWISTER_SIZE - TWISTER_SHIFT; i++) {
    w[i] = twist(w[i], w[i + 1], w[i + TWISTER_SHIFT]);
  }
  for (; i < TWISTER_SIZE - 1; i++) {
    w[i] = twist(w[i], w[i + 1], w[i + TWISTER_SHIFT - TWISTER_SIZE]);
  }
  w[i] = twist(w[i], w[0], w[i + TWISTER_SHIFT - TWISTER_SIZE]);
  t->next = 0;
}

static uint64_t twister_draw(Twister* t) {
  if (t->next == TWISTER_SIZE) twister_turn(t);
  uint64_t x = t->word[t->next++];
  x ^= (x >> 29) & 0x5555555555555555u;
  x ^= (x << 17) & 0x71d67fffeda60000u;
  x ^= (x << 37) & 0xfff7eee000000000u;
  return x ^ (x >> 43);
}

// Is a draw, taken as a number from 0 to 1, below the share?
static bool is_below(uint64_t draw, double share) {
  return (double)draw / 18446744073709551616.0 < share;
}

// Largest draw that is below a positive share: found once, it spares a conversion for every pixel.
static uint64_t largest_below(double share) {
  uint64_t most = 0;
  for (uint64_t bit = (uint64_t)1 << 63; bit; bit >>= 1) {
    if (is_below(most | bit, share)) most |= bit;
  }
  return most;
}

static void draw_dots(unsigned char* pixel, const unsigned char mark[3], double share,
                      size_t count) {
  Twister twister;
  twister_seed(&twister, 42);
  uint64_t most = largest_below(share);
  for (size_t i = 0; i < count; i++) {
    if (twister_draw(&twister) <= most) memcpy(pixel + 3 * i, mark, 3);
  }
}

// Both

void ct_draw_texture(unsigned char* pixel, const mjsTexture* t) {
  bool flat = t->type == mjTEXTURE_2D;
  int height = flat ? t->height : t->width;
  size_t bytes = 3 * (size_t)t->width * (size_t)height;
  unsigned char mark[3];
  color_bytes(mark, t->markrgb);
  bool gradient = t->builtin == mjBUILTIN_GRADIENT;
  if (gradient && flat) {
    draw_flat_gradient(pixel, t, t->width, height);
  } else if (gradient) {
    draw_cube_gradient(pixel, t, t->width);
  }
  for (int face = 0; face < (flat ? 1 : NFACE); face++) {
    unsigned char* picture = pixel + bytes * (size_t)face;
    if (!gradient) draw_squares(picture, t, flat ? -1 : face, t->width, height);
    if (t->mark == mjMARK_EDGE || t->mark == mjMARK_CROSS) {
      draw_lines(picture, mark, t->mark, t->width, height);
    }
  }
  if (t->mark == mjMARK_RANDOM && t->random > 0) {
    draw_dots(pixel, mark, t->random, (size_t)t->width * (size_t)t->height);
  }
}
