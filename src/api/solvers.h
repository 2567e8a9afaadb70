// Solvers that the reference's library exports without declaring them in its header.

#ifndef CT_API_SOLVERS_H_
#define CT_API_SOLVERS_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

// min x'A x / 2 + b'x subject to sum (x_i / scale_i)^2 <= radius^2 in 2 and 3 dimensions; 1 if the
// constraint is active.
MJAPI int mju_QCQP2(mjtNum* x, const mjtNum* A, const mjtNum* b, const mjtNum* scale,
                    mjtNum radius);
MJAPI int mju_QCQP3(mjtNum* x, const mjtNum* A, const mjtNum* b, const mjtNum* scale,
                    mjtNum radius);

// mju_boxQP with its constants as arguments: iterations, squared gradient to stop at, factor on the
// step, least step, fraction of the promised descent that is enough. report_text (report_room
// bytes, or NULL) receives one line on how it ended.
MJAPI int mju_boxQPoption(mjtNum* x, mjtNum* room, int* free_index, const mjtNum* hessian,
                          const mjtNum* slope, int size, const mjtNum* least, const mjtNum* most,
                          int iterations, mjtNum least_gradient, mjtNum shorten, mjtNum least_step,
                          mjtNum enough, char* report_text, int report_room);

// Force of a muscle over normalised length, and its time constant over the excess of the control
// over the activation: `rise` above zero, `fall` below, joined smoothly over the width `blend`.
MJAPI mjtNum mju_muscleGainLength(mjtNum stretch, mjtNum shortest, mjtNum longest);
MJAPI mjtNum mju_muscleDynamicsTimescale(mjtNum excess, mjtNum rise, mjtNum fall, mjtNum blend);

#ifdef __cplusplus
}
#endif

#endif  // CT_API_SOLVERS_H_
