// Noise: public functions that draw numbers, and that disturb a field of all environments.
//
// Each environment counts how many numbers it has drawn ("noise"); number k of environment i is a
// function of seed, i and k (philox.h). Threads, masks and the order of calls on other environments
// have no say in it.

#include <corten/batch.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "batch/batch_core.h"
#include "batch/philox.h"
#include "math/vec.h"

mjtNum ct_draw(uint64_t seed, int environment, uint64_t counter, int noise, mjtNum low,
               mjtNum high) {
  ct_RandomBlock block = ct_random_block(seed, environment, counter);
  if (noise == CT_NOISE_NORMAL) return (mjtNum)(low + high * ct_random_normal(block));
  return (mjtNum)(low + (high - low) * ct_random_uniform(block));
}

// Are both numbers there in the precision of the batch, and the way from one to the other?
static bool reaches(mjtNum low, mjtNum high, int noise, bool in_float) {
  double most = in_float || sizeof(mjtNum) == sizeof(float) ? (double)FLT_MAX : DBL_MAX;
  if (fabs((double)low) > most || fabs((double)high) > most) return false;
  return noise != CT_NOISE_UNIFORM || fabs((double)high / 2 - (double)low / 2) <= most / 2;
}

static int check_noise(const ct_Batch* b, int noise, int use, mjtNum low, mjtNum high) {
  if (noise != CT_NOISE_UNIFORM && noise != CT_NOISE_NORMAL) {
    return ct_batch_refuse(CT_BATCH_BAD_ARGUMENT, "noise %d is not a ct_BatchNoise", noise);
  }
  if (use < CT_NOISE_SET || use > CT_NOISE_SCALE) {
    return ct_batch_refuse(CT_BATCH_BAD_ARGUMENT, "use %d is not a ct_BatchNoiseUse", use);
  }
  if (!isfinite(low) || !isfinite(high)) {
    return ct_batch_refuse(CT_BATCH_BAD_ARGUMENT,
                           "low is %g and high is %g; noise needs two finite numbers", (double)low,
                           (double)high);
  }
  bool in_float = b && b->setup.options.precision == CT_PRECISION_FLOAT;
  if (!reaches(low, high, noise, in_float)) {
    return ct_batch_refuse(CT_BATCH_BAD_ARGUMENT,
                           "low is %g and high is %g; noise in %s does not reach that far",
                           (double)low, (double)high,
                           in_float || sizeof(mjtNum) == sizeof(float) ? "float" : "double");
  }
  return CT_BATCH_OK;
}

typedef struct {
  int noise, use;
  mjtNum low, high;
} Kind;

static mjtNum disturbed(mjtNum x, mjtNum drawn, int use) {
  return use == CT_NOISE_SET ? drawn : use == CT_NOISE_ADD ? x + drawn : x * drawn;
}

// One row, in the precision that it has.
static void disturb_row(const ct_Batch* b, const ct_BatchField* field, void* row, int environment,
                        mjtSize* drawn, const Kind* kind) {
  for (int k = 0; k < field->size; k++) {
    mjtNum x = ct_draw(b->setup.options.seed, b->setup.options.first + environment,
                       (uint64_t)(*drawn)++, kind->noise, kind->low, kind->high);
    if (field->type == CT_FLOAT) {
      float* at = (float*)row + k;
      *at = (float)disturbed((mjtNum)*at, x, kind->use);
    } else {
      mjtNum* at = (mjtNum*)row + k;
      *at = disturbed(*at, x, kind->use);
    }
  }
  if (field->place != CT_PLACE_STATE) return;
  if (field->state == mjSTATE_QPOS) mj_normalizeQuat(b->model, (mjtNum*)row);
  for (int k = 0; field->state == mjSTATE_MOCAP_QUAT && k < b->model->nmocap; k++) {
    ct_normalize4((mjtNum*)row + 4 * k);
  }
}

// Through matrices of the host: every backend has them.
static int disturb(ct_Batch* b, const ct_BatchField* field, const mjtByte* mask, const Kind* kind) {
  ct_BatchField counter;
  size_t n = (size_t)b->setup.count, bytes = ct_batch_row_bytes(field);
  char* rows = (char*)malloc(n * bytes + 1);
  mjtSize* drawn = (mjtSize*)malloc(n * sizeof(mjtSize));
  int code = rows && drawn
                 ? ct_need_field(b, "noise", &counter)
                 : ct_batch_refuse(CT_BATCH_NO_MEMORY, "ct_batch_noise: there is no memory");
  if (!code) code = b->backend->read(b->self, field, NULL, rows);
  if (!code) code = b->backend->read(b->self, &counter, NULL, drawn);
  for (size_t i = 0; !code && i < n; i++) {
    if (!mask || mask[i]) disturb_row(b, field, rows + i * bytes, (int)i, drawn + i, kind);
  }
  if (!code) code = b->backend->write(b->self, field, NULL, rows);
  if (!code) code = b->backend->write(b->self, &counter, NULL, drawn);
  free(rows);
  free(drawn);
  return code;
}

static int check_target(ct_Batch* b, const char* name, ct_BatchField* field) {
  char why[300];
  int code = ct_need_field(b, name, field);
  if (code) return code;
  if (field->type != CT_NUMBER && field->type != CT_FLOAT) {
    return ct_batch_refuse(CT_BATCH_BAD_ARGUMENT, "field \"%s\" has integers, which get no noise",
                           name);
  }
  if (field->place == CT_PLACE_DATA && !b->backend->has(b->self, field)) {
    return ct_batch_refuse(CT_BATCH_BAD_ARGUMENT,
                           "field \"%s\" is not kept; call ct_batch_keep first", name);
  }
  if (field->place != CT_PLACE_MODEL) return CT_BATCH_OK;
  if (!ct_field_may_vary(field, why, sizeof(why))) {
    return ct_batch_refuse(CT_BATCH_BAD_ARGUMENT, "%s", why);
  }
  return b->backend->vary(b->self, field);
}

int ct_batch_noise(ct_Batch* b, const char* name, const mjtByte* mask, int noise, int use,
                   mjtNum low, mjtNum high) {
  int code = check_noise(b, noise, use, low, high);
  if (code) return code;
  ct_AtWork entry;
  code = ct_enter_batch(b, &entry, "ct_batch_noise");
  if (code) return code;
  ct_BatchField field;
  Kind kind = {noise, use, low, high};
  code = check_target(b, name, &field);
  if (!code && field.size) {
    code = b->backend->noise ? b->backend->noise(b->self, &field, mask, noise, use, low, high)
                             : disturb(b, &field, mask, &kind);
  }
  return ct_leave_batch(b, &entry, code);
}

static void draw_numbers(const ct_Batch* b, int environment, const Kind* kind, mjtSize* drawn,
                         mjtNum* out, int n) {
  for (int k = 0; k < n; k++) {
    out[k] = ct_draw(b->setup.options.seed, b->setup.options.first + environment,
                     (uint64_t)(*drawn)++, kind->noise, kind->low, kind->high);
  }
}

// The counter comes from the device and goes back.
static int draw_for_device(ct_Batch* b, const ct_BatchField* counter, int environment,
                           const Kind* kind, mjtNum* out, int n) {
  size_t count = (size_t)b->setup.count;
  mjtSize* drawn = (mjtSize*)calloc(count, sizeof(mjtSize));
  mjtByte* mask = (mjtByte*)calloc(count, 1);
  int code = drawn && mask
                 ? CT_BATCH_OK
                 : ct_batch_refuse(CT_BATCH_NO_MEMORY, "ct_batch_draw: there is no memory");
  if (!code) {
    mask[environment] = 1;
    code = b->backend->read(b->self, counter, mask, drawn);
  }
  if (!code) {
    draw_numbers(b, environment, kind, drawn + environment, out, n);
    code = b->backend->write(b->self, counter, mask, drawn);
  }
  if (!code && b->backend->wait) code = b->backend->wait(b->self);  // what it takes is freed
  free(mask);
  free(drawn);
  return code;
}

// In a hook the environment belongs to the thread that calls it, so that its counter needs no lock.
static int draw(ct_Batch* b, int environment, const Kind* kind, mjtNum* out, int n) {
  ct_BatchField counter;
  ct_BatchView view;
  int code = ct_need_field(b, "noise", &counter);
  if (!code) code = b->backend->view(b->self, &counter, &view);
  if (code) return code;
  if (view.on_device) return draw_for_device(b, &counter, environment, kind, out, n);
  mjtSize* drawn = (mjtSize*)((char*)view.data + (size_t)environment * view.stride);
  draw_numbers(b, environment, kind, drawn, out, n);
  return CT_BATCH_OK;
}

int ct_batch_draw(ct_Batch* b, int environment, int noise, mjtNum low, mjtNum high, mjtNum* out,
                  int n) {
  int code = check_noise(b, noise, CT_NOISE_SET, low, high);
  if (code) return code;
  if (!b || environment < 0 || environment >= b->setup.count || n < 0 || (n && !out)) {
    return ct_batch_refuse(CT_BATCH_BAD_ARGUMENT,
                           "ct_batch_draw: give a batch, one of its environments, and room for %d "
                           "numbers",
                           n);
  }
  Kind kind = {noise, CT_NOISE_SET, low, high};
  if (ct_at_work(b)) return draw(b, environment, &kind, out, n);
  ct_AtWork entry;
  code = ct_enter_batch(b, &entry, "ct_batch_draw");
  if (code) return code;
  return ct_leave_batch(b, &entry, draw(b, environment, &kind, out, n));
}
