// See inflate.h. The format is that of RFC 1951 inside RFC 1950.

#include "compile/assets/inflate.h"

#include <stdint.h>
#include <string.h>

enum { LONGEST = 15, FAST = 10, MOST_SYMBOLS = 288, NLENGTH = 29, NDISTANCE = 30, END = 256 };

// Bits

typedef struct {
  const unsigned char *next, *end;
  uint64_t bits;  // that have been read but not used, the first one lowest
  int nbits;
  bool broken;  // bits beyond the end were used
} Source;

// At least 56 bits from here on, zeros beyond the end. Far from the end, eight bytes are read at
// once; those that are not counted yet will be read again, to the same places.
static inline void refill(Source* s) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  if (s->end - s->next >= 8) {
    uint64_t word;
    memcpy(&word, s->next, 8);
    s->bits |= word << s->nbits;
    s->next += (63 - s->nbits) >> 3;
    s->nbits |= 56;
    return;
  }
#endif
  while (s->nbits < 56 && s->next < s->end) {
    s->bits |= (uint64_t)*s->next++ << s->nbits;
    s->nbits += 8;
  }
}

static inline unsigned take(Source* s, int count) {
  unsigned value = (unsigned)(s->bits & (((uint64_t)1 << count) - 1));
  s->bits >>= count;
  s->nbits -= count;
  if (s->nbits < 0) {
    s->broken = true;
    s->nbits = 0;
  }
  return value;
}

// Codes

typedef struct {
  uint16_t fast[1 << FAST];       // by the next bits: 16 * symbol + length; 0: longer than FAST
  uint16_t symbol[MOST_SYMBOLS];  // in the order of codes
  int count[LONGEST + 1];         // symbols by length
} Code;

static unsigned reverse(unsigned code, int length) {
  unsigned r = 0;
  for (int i = 0; i < length; i++) r |= ((code >> i) & 1) << (length - 1 - i);
  return r;
}

// From the lengths of all symbols' codes. False unless they use up all codes, or there is only one.
static bool make_code(Code* c, const unsigned char* length, int count) {
  int offset[LONGEST + 2] = {0}, first[LONGEST + 2] = {0}, used = 0, left = 1;
  memset(c, 0, sizeof(*c));
  for (int i = 0; i < count; i++) c->count[length[i]]++;
  c->count[0] = 0;
  for (int n = 1; n <= LONGEST; n++) {
    left = 2 * left - c->count[n];
    if (left < 0) return false;
    offset[n + 1] = offset[n] + c->count[n];
    first[n + 1] = (first[n] + c->count[n]) << 1;
    used += c->count[n];
  }
  if (left > 0 && !(used == 1 && c->count[1] == 1)) return false;
  for (int i = 0; i < count; i++) {
    int n = length[i];
    if (n == 0) continue;
    c->symbol[offset[n]++] = (uint16_t)i;
    unsigned code = reverse((unsigned)first[n]++, n);
    for (unsigned k = code; n <= FAST && k < 1 << FAST; k += 1u << n) {
      c->fast[k] = (uint16_t)(16 * i + n);
    }
  }
  return true;
}

// A symbol whose code is longer than FAST, or no code at all: -1.
static int decode_long(const Code* c, Source* s) {
  int code = 0, first = 0, index = 0;
  for (int n = 1; n <= LONGEST; n++) {
    code |= (int)take(s, 1);
    if (code - first < c->count[n]) return c->symbol[index + code - first];
    index += c->count[n];
    first = (first + c->count[n]) << 1;
    code <<= 1;
  }
  return -1;
}

static inline int decode(const Code* c, Source* s) {
  unsigned entry = c->fast[s->bits & ((1 << FAST) - 1)];
  if (entry == 0) return decode_long(c, s);
  take(s, (int)(entry & 15));
  return (int)(entry >> 4);
}

// Blocks

typedef struct {
  unsigned char *start, *next, *end;
} Sink;

static bool copy_stored(Source* s, Sink* out) {
  take(s, s->nbits & 7);
  refill(s);
  size_t count = take(s, 16);
  if ((take(s, 16) ^ count) != 0xffff || s->broken) return false;
  s->next -= s->nbits / 8;  // whole bytes that were read ahead
  s->bits = 0;
  s->nbits = 0;
  if (count > (size_t)(s->end - s->next) || count > (size_t)(out->end - out->next)) return false;
  memcpy(out->next, s->next, count);
  out->next += count;
  s->next += count;
  return true;
}

// Appends what stands `distance` before the end. It may reach into itself: then what has been
// written is as long a source for the rest, and grows.
static inline bool repeat(Sink* out, size_t distance, size_t count) {
  if (distance > (size_t)(out->next - out->start) || count > (size_t)(out->end - out->next)) {
    return false;
  }
  const unsigned char* from = out->next - distance;
  while (count > 0) {
    size_t ready = (size_t)(out->next - from), now = count < ready ? count : ready;
    memcpy(out->next, from, now);
    out->next += now;
    count -= now;
  }
  return true;
}

static bool copy_compressed(Source* s, Sink* out, const Code* literals, const Code* distances) {
  static const uint16_t length_base[NLENGTH] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                                15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                                67, 83, 99, 115, 131, 163, 195, 227, 258};
  static const uint8_t length_bits[NLENGTH] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                               2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
  static const uint16_t distance_base[NDISTANCE] = {
      1,   2,   3,   4,   5,   7,    9,    13,   17,   25,   33,   49,   65,    97,    129,
      193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
  while (!s->broken) {
    refill(s);
    int symbol = decode(literals, s);
    if (symbol < 0) return false;
    if (symbol < END) {
      if (out->next == out->end) return false;
      *out->next++ = (unsigned char)symbol;
      continue;
    }
    if (symbol == END) return true;
    symbol -= END + 1;
    if (symbol >= NLENGTH) return false;
    size_t count = length_base[symbol] + take(s, length_bits[symbol]);
    refill(s);
    int far = decode(distances, s);
    if (far < 0 || far >= NDISTANCE) return false;
    size_t distance = distance_base[far] + take(s, far < 4 ? 0 : far / 2 - 1);
    if (!repeat(out, distance, count)) return false;
  }
  return false;
}

static bool copy_fixed(Source* s, Sink* out) {
  unsigned char length[MOST_SYMBOLS];
  Code literals, distances;
  for (int i = 0; i < MOST_SYMBOLS; i++) {
    length[i] = (unsigned char)(i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8);
  }
  make_code(&literals, length, MOST_SYMBOLS);
  memset(length, 5, 32);
  make_code(&distances, length, 32);
  return copy_compressed(s, out, &literals, &distances);
}

// The lengths of codes are themselves compressed.
static bool read_lengths(Source* s, const Code* code, unsigned char* length, int count) {
  for (int i = 0; i < count;) {
    refill(s);
    int symbol = decode(code, s), times = 1;
    unsigned char value = (unsigned char)symbol;
    if (symbol < 0 || s->broken) return false;
    if (symbol == 16) {
      if (i == 0) return false;
      value = length[i - 1];
      times = 3 + (int)take(s, 2);
    } else if (symbol >= 17) {
      value = 0;
      times = symbol == 17 ? 3 + (int)take(s, 3) : 11 + (int)take(s, 7);
    }
    if (times > count - i) return false;
    memset(length + i, value, (size_t)times);
    i += times;
  }
  return true;
}

static bool copy_dynamic(Source* s, Sink* out) {
  static const uint8_t order[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                    11, 4,  12, 3, 13, 2, 14, 1, 15};
  unsigned char length[MOST_SYMBOLS + 32] = {0};
  Code literals, distances;
  int nliteral = 257 + (int)take(s, 5), ndistance = 1 + (int)take(s, 5), n = 4 + (int)take(s, 4);
  if (nliteral > 286 || ndistance > NDISTANCE) return false;
  for (int i = 0; i < n; i++) {
    refill(s);
    length[order[i]] = (unsigned char)take(s, 3);
  }
  if (!make_code(&literals, length, 19)) return false;
  memset(length, 0, 19);
  if (!read_lengths(s, &literals, length, nliteral + ndistance) || length[END] == 0) return false;
  return make_code(&literals, length, nliteral) &&
         make_code(&distances, length + nliteral, ndistance) &&
         copy_compressed(s, out, &literals, &distances);
}

// Streams

static uint32_t adler32(const unsigned char* p, size_t count) {
  enum { BASE = 65521, RUN = 5552 };  // RUN: no overflow of 32 bits within
  uint32_t a = 1, b = 0;
  while (count > 0) {
    size_t n = count < RUN ? count : RUN;
    for (size_t i = 0; i < n; i++) {
      a += p[i];
      b += a;
    }
    a %= BASE;
    b %= BASE;
    p += n;
    count -= n;
  }
  return b << 16 | a;
}

bool ct_inflate(unsigned char* out, size_t nout, const unsigned char* in, size_t nin) {
  if (nin < 6 || (in[0] & 15) != 8 || in[0] >> 4 > 7 || in[1] & 32 || (in[0] * 256 + in[1]) % 31) {
    return false;
  }
  Source s = {in + 2, in + nin, 0, 0, false};
  Sink sink = {out, out, out + nout};
  bool last = false;
  while (!last) {
    refill(&s);
    last = take(&s, 1) == 1;
    unsigned type = take(&s, 2);
    bool fine = type == 0   ? copy_stored(&s, &sink)
                : type == 1 ? copy_fixed(&s, &sink)
                : type == 2 ? copy_dynamic(&s, &sink)
                            : false;
    if (!fine || s.broken) return false;
  }
  take(&s, s.nbits & 7);
  refill(&s);
  uint32_t sum = 0;
  for (int i = 0; i < 4; i++) sum = sum << 8 | take(&s, 8);
  return !s.broken && sink.next == sink.end && sum == adler32(out, nout);
}
