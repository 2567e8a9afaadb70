// Solvers that the reference's library exports without declaring them in its header.

#ifndef CT_API_SOLVERS_H_
#define CT_API_SOLVERS_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

// min x'A x / 2 + b'x subject to sum (x_i / d_i)^2 <= r^2 in 2 and 3 dimensions; 1 if the
// constraint is active.
MJAPI int mju_QCQP2(mjtNum* res, const mjtNum* A, const mjtNum* b, const mjtNum* d, mjtNum r);
MJAPI int mju_QCQP3(mjtNum* res, const mjtNum* A, const mjtNum* b, const mjtNum* d, mjtNum r);

// mju_boxQP with its constants as arguments: iterations, squared gradient to stop at, factor on the
// step, least step, fraction of the promised descent that is enough. log (logsz bytes, or NULL)
// receives one line on how it ended.
MJAPI int mju_boxQPoption(mjtNum* res, mjtNum* R, int* index, const mjtNum* H, const mjtNum* g,
                          int n, const mjtNum* lower, const mjtNum* upper, int maxiter,
                          mjtNum mingrad, mjtNum backtrack, mjtNum minstep, mjtNum armijo,
                          char* log, int logsz);

// Force of a muscle over normalised length, and its time constant over control minus activation.
MJAPI mjtNum mju_muscleGainLength(mjtNum length, mjtNum lmin, mjtNum lmax);
MJAPI mjtNum mju_muscleDynamicsTimescale(mjtNum dctrl, mjtNum tau_act, mjtNum tau_deact,
                                         mjtNum smoothing_width);

#ifdef __cplusplus
}
#endif

#endif  // CT_API_SOLVERS_H_
