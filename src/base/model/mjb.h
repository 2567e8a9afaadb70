// Binary models (.mjb): a model as a sequence of bytes, the same as the reference writes.
//
//   5 ints       54321, bytes of mjtNum, number of sizes, version, number of arrays
//   89 int64     the sizes, in the order of the public struct
//   3 structs    mjOption, mjVisual, mjStatistic as they lie in memory
//   456 arrays   in the order of the public struct, without gaps
//
// Little-endian. The signature is not stored: a model that has been read has 0.

#ifndef CT_BASE_MODEL_MJB_H_
#define CT_BASE_MODEL_MJB_H_

#include <stdbool.h>
#include <stddef.h>

#include <mujoco/mujoco.h>

// Bytes that a model takes in this form.
size_t ct_mjb_size(const mjModel* m);

// Where the bytes go: called with one piece after the other; false stops writing.
typedef bool (*ct_MjbSink)(void* sink, const void* piece, size_t size);

// Writes a model; false if the sink refused a piece.
bool ct_mjb_write(const mjModel* m, ct_MjbSink write, void* sink);

// The model that is stored in these bytes, every index of it checked; NULL with a text in error if
// they are not one. Safe for bytes from anywhere.
mjModel* ct_mjb_read(const void* bytes, size_t size, char* error, size_t nerror);

#endif  // CT_BASE_MODEL_MJB_H_
