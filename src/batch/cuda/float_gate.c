// What a library in float shows to a host in double: see ct_FloatGate.

#include <stdlib.h>
#include <string.h>

#include "base/model/model_memory.h"
#include "batch/cuda/cuda_batch.h"
#include "batch/guard.h"

#ifdef mjUSESINGLE

static void narrow(float* to, const double* from, size_t count) {
  for (size_t i = 0; i < count; i++) to[i] = (float)from[i];
}

static void take_array(mjModel* m, const ct_Field* f, const void* from) {
  void* to = *ct_field_pointer(f, m);
  size_t bytes = ct_field_bytes(f, m, NULL);
  if (!bytes || !from) return;
  if (f->type == CT_TYPE_mjtNum) {
    narrow((float*)to, (const double*)from, bytes / sizeof(float));
  } else {
    memcpy(to, from, bytes);
  }
}

static void take_settings(mjModel* m, const ct_WideModel* wide) {
  ct_BatchField field;
  int k = 0;
  for (int i = 0; ct_nth_batch_field(m, CT_PLACE_MODEL, i, &field) && k < CT_MOST_SETTINGS; i++) {
    if (field.array) continue;
    void* to = ct_batch_field_in(&field, m);
    const void* from = wide->setting[k++];
    if (field.type == CT_NUMBER) {
      narrow((float*)to, (const double*)from, (size_t)field.size);
    } else {
      memcpy(to, from, ct_batch_row_bytes(&field));
    }
  }
}

static mjModel* make_model(const ct_WideModel* wide, char* error, size_t nerror) {
  mjModel sizes;
  memset(&sizes, 0, sizeof(sizes));
  for (int i = 0; i < ct_nmodel_size; i++) {
    memcpy((char*)&sizes + ct_model_sizes[i].offset, wide->size + i, sizeof(mjtSize));
  }
  mjModel* m = ct_make_model(&sizes, error, nerror);
  if (!m) return NULL;
  for (int i = 0; i < ct_nmodel_field; i++) take_array(m, ct_model_fields + i, wide->array[i]);
  take_settings(m, wide);
  m->signature = wide->signature;
  return m;
}

static bool find_field(const mjModel* m, const char* name, int state, ct_BatchField* field) {
  char why[200];
  if (name) return ct_find_batch_field(m, name, field, why, sizeof(why));
  *field = ct_state_field(m, state);
  return true;
}

static int get_row(void* self, const ct_BatchField* field, int environment, void* to) {
  return ct_cuda_get_row((ct_GpuBatch*)self, field, environment, to);
}

static int set_row(void* self, const ct_BatchField* field, int environment, const void* from) {
  return ct_cuda_set_row((ct_GpuBatch*)self, field, environment, from);
}

static int update_sleep(void* self, int environment) {
  return ct_cuda_update_sleep((ct_GpuBatch*)self, environment);
}

static int disturb(void* self, const ct_BatchField* field, const mjtByte* mask, int noise, int use,
                   double low, double high) {
  return ct_cuda_noise(self, field, mask, noise, use, (float)low, (float)high);
}

__attribute__((visibility("default"))) const ct_FloatGate* ct_cuda_float_gate(char* error,
                                                                              size_t nerror);

const ct_FloatGate* ct_cuda_float_gate(char* error, size_t nerror) {
  static ct_FloatGate gate = {
      .version = CT_BACKEND_VERSION,
      .make_model = make_model,
      .delete_model = mj_deleteModel,
      .find_field = find_field,
      .get_row = get_row,
      .set_row = set_row,
      .update_sleep = update_sleep,
      .noise = disturb,
      .is_device_memory = ct_is_device_memory,
  };
  const ct_Backend* backend = ct_cuda_backend(error, nerror);
  if (!backend) return NULL;
  if (!gate.backend) gate.backend = backend;  // batches that live go on reading it
  return &gate;
}

#endif  // mjUSESINGLE
