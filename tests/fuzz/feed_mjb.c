// R30.3: binary models from anywhere. Whatever loads is used the way programs use a model, and must
// come back byte for byte when it is saved.

#include <mujoco/mujoco.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/feed.h"
#include "fuzz/use_model.h"

void feed_mjb(const uint8_t* bytes, size_t size) {
  if (size > 1 << 20) return;
  mjModel* m = mj_loadModelBuffer(bytes, (int)size);
  if (!m) return;

  void* again = malloc(size);
  if ((size_t)mj_sizeModel(m) != size) abort();
  mj_saveModel(m, NULL, again, (int)size);
  if (memcmp(bytes, again, size)) abort();
  free(again);

  m->narena = m->narena < 1 << 16 ? m->narena : 1 << 16;  // the usual 13 MB would only take time
  use_names(m);
  mjModel* copy = mj_copyModel(NULL, m);
  use_model(m, true);
  mjv_copyModel(copy, m);
  mj_printModel(copy, "/dev/null");
  mj_deleteModel(copy);
  mj_deleteModel(m);
}
