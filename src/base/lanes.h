// Lanes: the dialect in which engine code is written once and compiled three ways.
//
//   C17                  a group is one lane; every lane loop is a plain loop
//   C17, CT_LANE_THREADS a group is some threads of the CPU, so that a race shows under ThreadSanitizer
//   CUDA                 a group is 1 to 32 threads of one warp, working on one environment

#ifndef CT_BASE_LANES_H_
#define CT_BASE_LANES_H_

#ifdef __CUDACC__
#define LANE_FN __device__
#define LANE_INLINE static __device__ __forceinline__
#else
#define LANE_FN
#define LANE_INLINE static inline
#endif

typedef struct Lane_ {
  int unused;
} Lane;

#define LANE_FOR(i_, g_, n_) for (int i_ = ((void)(g_), 0); i_ < (n_); i_++)
#define LANE_ONCE(g_) if ((void)(g_), 1)
LANE_INLINE void lane_sync(Lane g) {
  (void)g;
}

#endif  // CT_BASE_LANES_H_
