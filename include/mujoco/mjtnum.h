// Basic number types: the real number of a simulation, bytes and sizes.

#ifndef MUJOCO_MJTNUM_H_
#define MUJOCO_MJTNUM_H_

#include <stdint.h>

// Real numbers are double unless the library and its user are both compiled with mjUSESINGLE.
#ifdef mjUSESINGLE
typedef float mjtNum;
#define mjMINVAL 1E-15f  // smallest number allowed as a denominator
#else
#ifndef mjUSEDOUBLE
#define mjUSEDOUBLE
#endif
typedef double mjtNum;
#define mjMINVAL 1E-15
#endif

typedef unsigned char mjtByte;  // flags and pixels
typedef int64_t mjtSize;        // sizes of arrays and buffers

#endif  // MUJOCO_MJTNUM_H_
