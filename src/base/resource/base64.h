// Base64: bytes as printable text (RFC 4648, section 4), four characters for each three bytes.

#ifndef CT_BASE_RESOURCE_BASE64_H_
#define CT_BASE_RESOURCE_BASE64_H_

#include <mujoco/mjexport.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

// Writes the text of `count` bytes and a final zero; returns how many characters were written, the
// zero included: 4 ceil(count / 3) + 1.
MJAPI size_t mju_encodeBase64(char* text, const uint8_t* bytes, size_t count);

// How many bytes a text stands for; 0 if it is empty or not base64.
MJAPI size_t mju_isValidBase64(const char* text);

// Writes the bytes of a text and returns their number. Characters outside the alphabet count as
// zero bits, and a last group of less than four characters is left out: ask mju_isValidBase64
// first.
MJAPI size_t mju_decodeBase64(uint8_t* bytes, const char* text);

#ifdef __cplusplus
}
#endif

#endif  // CT_BASE_RESOURCE_BASE64_H_
