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

size_t mju_encodeBase64(char* text, const uint8_t* bytes, size_t count) {
  char* out = text;
  for (size_t i = 0; i < count; i += 3) {
    size_t left = count - i;
    uint32_t group = (uint32_t)bytes[i] << 16;
    if (left > 1) group |= (uint32_t)bytes[i + 1] << 8;
    if (left > 2) group |= bytes[i + 2];
    *out++ = alphabet[group >> 18];
    *out++ = alphabet[group >> 12 & 63];
    *out++ = left > 1 ? alphabet[group >> 6 & 63] : '=';
    *out++ = left > 2 ? alphabet[group & 63] : '=';
  }
  *out++ = 0;
  return (size_t)(out - text);
}

size_t mju_isValidBase64(const char* text) {
  size_t length = strlen(text);
  if (length == 0 || length % 4) return 0;
  size_t padding = text[length - 1] == '=' ? 1 : 0;
  if (padding && text[length - 2] == '=') padding = 2;
  for (size_t i = 0; i < length - padding; i++) {
    if (bits_of(text[i]) < 0) return 0;
  }
  return length / 4 * 3 - padding;
}

size_t mju_decodeBase64(uint8_t* bytes, const char* text) {
  uint8_t* out = bytes;
  for (size_t groups = strlen(text) / 4; groups > 0; groups--, text += 4) {
    uint32_t group = 0;
    for (int k = 0; k < 4; k++) {
      int bits = bits_of(text[k]);
      group = group << 6 | (uint32_t)(bits < 0 ? 0 : bits);
    }
    *out++ = (uint8_t)(group >> 16);
    if (text[2] != '=') *out++ = (uint8_t)(group >> 8 & 255);
    if (text[3] != '=') *out++ = (uint8_t)(group & 255);
  }
  return (size_t)(out - bytes);
}
