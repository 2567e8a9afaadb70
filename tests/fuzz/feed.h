// What reads foreign bytes, one function for each kind: given any bytes it returns. libFuzzer feeds
// them what it invents (fuzz.c), and the ordinary tests what it once found (test_findings.c).

#ifndef CORTEN_TESTS_FUZZ_FEED_H
#define CORTEN_TESTS_FUZZ_FEED_H

#include <stddef.h>
#include <stdint.h>

void feed_mjb(const uint8_t* bytes, size_t size);
void feed_mjcf(const uint8_t* bytes, size_t size);
void feed_model(const uint8_t* bytes, size_t size);
void feed_urdf(const uint8_t* bytes, size_t size);
void feed_stl(const uint8_t* bytes, size_t size);
void feed_obj(const uint8_t* bytes, size_t size);
void feed_msh(const uint8_t* bytes, size_t size);
void feed_gmsh(const uint8_t* bytes, size_t size);
void feed_png(const uint8_t* bytes, size_t size);
void feed_raw(const uint8_t* bytes, size_t size);
void feed_hfield(const uint8_t* bytes, size_t size);
void feed_skin(const uint8_t* bytes, size_t size);
void feed_edits(const uint8_t* bytes, size_t size);

#endif  // CORTEN_TESTS_FUZZ_FEED_H
