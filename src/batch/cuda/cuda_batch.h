// The GPU backend: environments in device memory (environments.h), stepped by a plan of kernels.

#ifndef CT_BATCH_CUDA_CUDA_BATCH_H_
#define CT_BATCH_CUDA_CUDA_BATCH_H_

#include "batch/backend.h"
#include "batch/batch_fields.h"
#include "batch/cuda/environments.h"
#include "batch/cuda/order.h"
#include "batch/cuda/plan.h"

enum { CT_NSTAGE_PLAN = 4 };  // a step, and forward passes up to positions, velocities, all

typedef struct ct_DeviceColumn_ {  // a field of the model that varies
  ct_BatchField field;
  char* rows;    // on the device; a member of the struct has none, it lies in the models
  size_t bytes;  // of a row
} ct_DeviceColumn;

typedef struct ct_LaunchTimes_ {  // of the launches of a step, with CORTEN_CUDA_TIMES
  double seconds[CT_MOST_LAUNCHES];
  int64_t steps;
} ct_LaunchTimes;

// Launches of some of the environments, which wait for each other only.
typedef struct ct_LaunchLine_ {
  cudaStream_t stream;
  cudaEvent_t end;
  cudaStream_t side;  // for kernels beside one another, from `fork` to `join`
  cudaEvent_t fork, join;
  int* scratch;  // (CT_ORDER_SCRATCH) on the device
} ct_LaunchLine;

enum { CT_MOST_LINES = 2 };

typedef struct ct_GpuBatch_ {
  ct_BatchSetup* setup;
  const mjModel* m;  // on the host
  int n, device, multiprocessors;
  size_t shared_memory, free_memory;
  mjData* desk;  // on the host: for resets and for environments on their way

  ct_Environments e;
  mjModel model;       // with addresses of the device
  mjModel* models;     // (n) on the device, once something varies
  mjModel* one_model;  // on the device: the one that all share

  ct_BatchField* kept;
  int nkept;
  ct_DeviceColumn* varied;
  int nvaried;

  ct_Plan plan[CT_NSTAGE_PLAN];  // by mjtStage; the first is that of a step
  ct_LaunchTimes* times;         // NULL: nobody asks
  cudaStream_t own_stream, stream;
  ct_LaunchLine line[CT_MOST_LINES];  // that of the first is own_stream
  cudaEvent_t begin;                  // from here on they part
  int* order;                         // (n) on the device: ct_Ordering
  cudaEvent_t passed;                 // where a stream is that another one is to wait for
  mjtByte* mask;                      // (n) on the device: room for a mask of the host
  char* staging;                      // on the device: room for a matrix
  size_t nstaging;
  void* memory[CT_NMODEL_ARRAY + 64];  // of the device, to be freed: all fields may vary
  int nmemory;
  char error[500];
  char reason[240];
} ct_GpuBatch;

// Writes the message and returns the code.
int ct_cuda_refuse(ct_GpuBatch* b, int code, const char* format, ...) mjPRINTFLIKE(3, 4);

// Was that good? Otherwise the message says what was being done.
bool ct_cuda_good(ct_GpuBatch* b, cudaError_t code, const char* what);
// The same as a ct_BatchResult.
int ct_cuda_result(ct_GpuBatch* b, cudaError_t code, const char* what);

// Device memory that lives as long as the batch, set to zero; NULL after a message.
void* ct_cuda_allocate(ct_GpuBatch* b, size_t bytes, const char* what);
// With a copy of bytes of the host.
void* ct_cuda_upload(ct_GpuBatch* b, const void* from, size_t bytes, const char* what);
// Room for a matrix of that many bytes, shared by everybody; NULL after a message.
char* ct_cuda_staging(ct_GpuBatch* b, size_t bytes);

bool ct_is_device_memory(const void* pointer);
// Rows of the host, `pitch` bytes apart, to packed ones of the device. When it returns, the host
// may write there again: the driver copies ordinary memory first, and page-locked memory is waited
// for.
cudaError_t ct_bring_rows(ct_GpuBatch* b, void* to, const void* from, size_t pitch, size_t bytes,
                          size_t rows);
// A mask of the host or the device, on the host, or on the device, where NULL stays NULL.
int ct_cuda_host_mask(void* self, const mjtByte* mask, mjtByte* to);
int ct_device_mask(ct_GpuBatch* b, const mjtByte* mask, const mjtByte** on_device);

// cuda_making.c
int ct_cuda_estimate(const ct_BatchSetup* setup, size_t* each, size_t* once, char* error,
                     size_t nerror);
void* ct_cuda_create(ct_BatchSetup* setup, char* error, size_t nerror);
void ct_cuda_destroy(void* self);
void ct_cuda_make_plans(ct_GpuBatch* b);

// cuda_backend.c
__attribute__((visibility("default"))) const ct_Backend* ct_cuda_backend(char* error,
                                                                         size_t nerror);
int ct_cuda_counts(void* self, ct_BatchCounts* counts);

// cuda_run.c
void ct_print_launch_times(const ct_GpuBatch* b);
int ct_cuda_run(void* self, const ct_BatchRun* run);
int ct_cuda_reset(void* self, const ct_BatchStart* start);

// cuda_slopes.c
int ct_cuda_derive(void* self, const ct_BatchSlopes* slopes);

// cuda_fields.c
typedef struct ct_DeviceRows_ {  // where a field is on the device; at NULL: it is shared
  char* at;
  size_t stride, bytes;
} ct_DeviceRows;

ct_DeviceRows ct_device_rows(const ct_GpuBatch* b, const ct_BatchField* field);
// After what sleeps was written: who is awake.
int ct_cuda_update_sleep(ct_GpuBatch* b, int environment);

// Rows of a field to a matrix whose rows are `pitch` bytes apart, in host or device memory; and
// from one.
int ct_cuda_take_out(ct_GpuBatch* b, const ct_BatchField* field, const mjtByte* mask, char* to,
                     size_t pitch);
int ct_cuda_put_in(ct_GpuBatch* b, const ct_BatchField* field, const mjtByte* mask,
                   const char* from, size_t pitch);
// One row.
int ct_cuda_get_row(ct_GpuBatch* b, const ct_BatchField* field, int environment, void* to);
int ct_cuda_set_row(ct_GpuBatch* b, const ct_BatchField* field, int environment, const void* from);

int ct_cuda_keep(void* self, const ct_BatchField* field);
int ct_cuda_vary(void* self, const ct_BatchField* field);
bool ct_cuda_has(void* self, const ct_BatchField* field);
int ct_cuda_read(void* self, const ct_BatchField* field, const mjtByte* mask, void* to);
int ct_cuda_write(void* self, const ct_BatchField* field, const mjtByte* mask, const void* from);
int ct_cuda_view(void* self, const ct_BatchField* field, ct_BatchView* view);
int ct_cuda_noise(void* self, const ct_BatchField* field, const mjtByte* mask, int noise, int use,
                  mjtNum low, mjtNum high);

// cuda_single.c
int ct_cuda_copy(void* self, int from, int to);
int ct_cuda_get_data(void* self, int environment, mjModel* m, mjData* d);
int ct_cuda_set_data(void* self, int environment, const mjData* d);
int ct_cuda_set_const(void* self, const mjtByte* mask);

#endif  // CT_BATCH_CUDA_CUDA_BATCH_H_
