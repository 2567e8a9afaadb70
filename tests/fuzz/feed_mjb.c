// R30.3: binary models from anywhere. Whatever loads is used the way programs use a model, and must
// come back byte for byte when it is saved.

#include <mujoco/mujoco.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/feed.h"

static void use_names(const mjModel* m) {
  for (int type = 0; type < mjNOBJECT; type++) {
    for (int id = -1; id < 20; id++) {
      const char* name = mj_id2name(m, type, id);
      if (name) mj_name2id(m, type, name);
    }
    mj_name2id(m, type, "no such thing");
  }
}

// Data that takes reasonable memory is made, reset, copied and printed.
static void use_data(const mjModel* m) {
  if (m->narena > 1 << 22) return;
  mjtSize numbers =
      m->nuserdata + m->nsensordata + m->nhistory + m->nJmom + m->npluginstate + m->na;
  if (numbers > 1 << 20) return;
  mjData* d = mj_makeData(m);
  if (!d) return;
  for (int key = -1; key < m->nkey && key < 3; key++) mj_resetDataKeyframe(m, d, key);
  mj_resetDataDebug(m, d, 0x5A);
  mj_resetData(m, d);
  for (int i = 0; i < m->nu && i < 10; i++) mj_readCtrl(m, d, i, 0, 1);
  mjtNum* result = (mjtNum*)malloc(((size_t)m->nsensordata + 1) * sizeof(mjtNum));
  for (int i = 0; i < m->nsensor && i < 10; i++) mj_readSensor(m, d, i, 0, result, 2);
  free(result);
  mjData* copy = mj_copyData(NULL, m, d);
  mj_deleteData(copy);
  mj_printData(m, d, "/dev/null");
  mj_deleteData(d);
}

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
  use_data(m);
  mjModel* copy = mj_copyModel(NULL, m);
  mjv_copyModel(copy, m);
  mj_printModel(copy, "/dev/null");
  mj_deleteModel(copy);
  mj_deleteModel(m);
}
