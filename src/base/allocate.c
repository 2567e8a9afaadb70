// The one place where memory is asked for and given back, with the user's hooks in front.

#include <mujoco/mujoco.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/private.h"

void* mju_malloc(size_t size) {
  void* memory = NULL;
  if (mju_user_malloc) {
    memory = mju_user_malloc(size);
  } else if (size <= SIZE_MAX - CT_ALIGN) {
    size_t padded = CT_ALIGN_UP(size);
    memory =
        aligned_alloc(CT_ALIGN, padded ? padded : CT_ALIGN);  // no size gives NULL but a failure
  }
  if (!memory) mju_error("mju_malloc: no memory for %zu bytes", size);
  return memory;
}

void mju_free(void* ptr) {
  if (!ptr) return;
  if (mju_user_free) {
    mju_user_free(ptr);
  } else {
    free(ptr);
  }
}
