#include "base/resource/base64.h"

#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// The six bits of a character, -1 if it is none of the 64.
static int bits_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  if (c == '/') return 63;
  return -1;
}

size_t mju_encodeBase64(char* buf, const uint8_t* data, size_t ndata) {
  char* out = buf;
  for (size_t i = 0; i < ndata; i += 3) {
    size_t left = ndata - i;
    uint32_t group = (uint32_t)data[i] << 16;
    if (left > 1) group |= (uint32_t)data[i + 1] << 8;
    if (left > 2) group |= data[i + 2];
    *out++ = alphabet[group >> 18];
    *out++ = alphabet[group >> 12 & 63];
    *out++ = left > 1 ? alphabet[group >> 6 & 63] : '=';
    *out++ = left > 2 ? alphabet[group & 63] : '=';
  }
  *out++ = 0;
  return (size_t)(out - buf);
}

size_t mju_isValidBase64(const char* s) {
  size_t length = strlen(s);
  if (length == 0 || length % 4) return 0;
  size_t padding = s[length - 1] == '=' ? 1 : 0;
  if (padding && s[length - 2] == '=') padding = 2;
  for (size_t i = 0; i < length - padding; i++) {
    if (bits_of(s[i]) < 0) return 0;
  }
  return length / 4 * 3 - padding;
}

size_t mju_decodeBase64(uint8_t* buf, const char* s) {
  uint8_t* out = buf;
  for (size_t groups = strlen(s) / 4; groups > 0; groups--, s += 4) {
    uint32_t group = 0;
    for (int k = 0; k < 4; k++) {
      int bits = bits_of(s[k]);
      group = group << 6 | (uint32_t)(bits < 0 ? 0 : bits);
    }
    *out++ = (uint8_t)(group >> 16);
    if (s[2] != '=') *out++ = (uint8_t)(group >> 8 & 255);
    if (s[3] != '=') *out++ = (uint8_t)(group & 255);
  }
  return (size_t)(out - buf);
}
