// libFuzzer's entry: the fuzzer of the kind FEED, which the build names.

#include <limits.h>
#include <mujoco/mujoco.h>
#include <string.h>

#include "fuzz/feed.h"

int LLVMFuzzerInitialize(int* argc, char*** argv);
int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

static void ignore(const char* message) {
  (void)message;
}

int LLVMFuzzerInitialize(int* argc, char*** argv) {
  (void)argc, (void)argv;
  mju_user_error = mju_user_warning = ignore;
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  FEED(bytes, size);
  return 0;
}

#ifdef FIXED_LENGTH
size_t LLVMFuzzerCustomMutator(uint8_t* bytes, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t* bytes, size_t size, size_t most);

// A binary model of another length is refused at once, so most mutations replace single integers in
// place.
size_t LLVMFuzzerCustomMutator(uint8_t* bytes, size_t size, size_t most, unsigned seed) {
  if (seed % 4 == 0 || size < 2000) return LLVMFuzzerMutate(bytes, size, most);
  for (unsigned n = 1 + seed / 4 % 3; n > 0; n--) {
    static const int favourites[] = {-2, -1, 0, 1, 2, 3, 7, 100, INT_MAX, INT_MIN};
    seed = seed * 1664525u + 1013904223u;
    size_t at = (size_t)(seed >> 4) % (size - sizeof(int));
    int value;
    memcpy(&value, bytes + at, sizeof(int));
    seed = seed * 1664525u + 1013904223u;
    unsigned choice = seed >> 27;
    if (choice < 10)
      value = favourites[choice];
    else if (choice < 20)
      value = (int)((unsigned)value + 1);
    else
      value = (int)((unsigned)value - 1);
    memcpy(bytes + at, &value, sizeof(int));
  }
  return size;
}
#endif
