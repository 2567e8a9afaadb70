// Exported helpers of thread pools that the public headers do not declare. The public ones (create,
// bind, enqueue, join, destroy) are in mujoco/mujoco.h.

#ifndef CT_BASE_THREAD_POOL_H_
#define CT_BASE_THREAD_POOL_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

// Number of workers of a pool.
MJAPI size_t mju_threadPoolNumberOfThreads(mjThreadPool* workers);

// Which worker of the pool is calling: 1 to n; 0 for any other thread.
MJAPI size_t mju_threadPoolCurrentWorkerId(mjThreadPool* workers);

// Guards what the workers allocate together, such as the arena of the data that the pool is bound
// to.
MJAPI void mju_threadPoolLockAllocMutex(mjThreadPool* workers);
MJAPI void mju_threadPoolUnlockAllocMutex(mjThreadPool* workers);

// How far apart two addresses must be for threads that write them not to slow each other down.
MJAPI size_t mju_getDestructiveInterferenceSize(void);

#ifdef __cplusplus
}
#endif

#endif  // CT_BASE_THREAD_POOL_H_
