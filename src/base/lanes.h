// Lanes: the dialect in which engine code is written once and compiled three ways.
//
//   C17                   a group is one lane; every lane loop is a plain loop
//   C17, CT_LANE_THREADS  a group is some threads of the CPU; ThreadSanitizer sees races
//   CUDA                  a group is 1, 2, 4, 8, 16 or 32 threads of one warp
//
// A lane function takes its Lane by value and hands it on. All lanes of a group call it with the
// same arguments and meet at every lane_sync. docs/lanes.md has the rules and a worked example.

#ifndef CT_BASE_LANES_H_
#define CT_BASE_LANES_H_

#include <mujoco/mjtnum.h>

// Most lanes that a group can have. Also the number of slots of every sum, see LANE_SUM.
#define LANE_MOST 32

// LANE_FN marks functions that take a Lane, and whatever they call out of line. LANE_INLINE marks
// small functions in headers that know nothing of lanes; the host may call them too. LANE_RARE
// after LANE_FN keeps what most steps do not need out of the way of what they do.
#ifdef __CUDACC__
#define LANE_FN __device__
#define LANE_INLINE static __host__ __device__ __forceinline__
#define LANE_PRIMITIVE_ static __device__ __forceinline__
#define LANE_RARE
#else
#define LANE_FN
#define LANE_INLINE static inline __attribute__((always_inline))
#define LANE_PRIMITIVE_ static inline __attribute__((always_inline))
#define LANE_RARE __attribute__((noinline, cold))
#endif

// The handle, and the four things that differ from build to build:
//   lane_rank, lane_count  which lane of how many this is
//   lane_sync              what lanes wrote before it, all lanes see after it
//   lane_exchange_...      the value that lane `from` of the group passed; every lane must call it

#if defined(__CUDACC__)

typedef struct Lane_ {
  int rank;
  int count;
  unsigned mask;  // the group's threads in the warp
} Lane;

LANE_PRIMITIVE_ int lane_rank(Lane g) {
  return g.rank;
}

// A kernel compiled for one group size says so and saves registers and loops.
LANE_PRIMITIVE_ int lane_count(Lane g) {
#ifdef CT_LANE_COUNT
  (void)g;
  return CT_LANE_COUNT;
#else
  return g.count;
#endif
}

LANE_PRIMITIVE_ void lane_sync(Lane g) {
  if (lane_count(g) > 1) __syncwarp(g.mask);
}

LANE_PRIMITIVE_ mjtNum lane_exchange_num(Lane g, mjtNum x, int from) {
  return lane_count(g) > 1 ? __shfl_sync(g.mask, x, from, lane_count(g)) : x;
}

LANE_PRIMITIVE_ int lane_exchange_int(Lane g, int x, int from) {
  return lane_count(g) > 1 ? __shfl_sync(g.mask, x, from, lane_count(g)) : x;
}

// The group of this thread, for blocks of whole warps.
LANE_PRIMITIVE_ Lane lane_of_thread(int count) {
  int in_warp = (int)(threadIdx.x % 32);
  Lane g;
  g.rank = in_warp % count;
  g.count = count;
  g.mask = (count == 32 ? 0xffffffffu : (1u << count) - 1u) << (in_warp - g.rank);
  return g;
}

#elif defined(CT_LANE_THREADS)

typedef struct ct_LaneTeam_
    ct_LaneTeam;  // the threads of one group; whoever starts them defines it

typedef struct Lane_ {
  int rank;
  int count;
  ct_LaneTeam* team;
} Lane;

void ct_lane_barrier(ct_LaneTeam* team);
mjtNum ct_lane_exchange_num(Lane g, mjtNum x, int from);
int ct_lane_exchange_int(Lane g, int x, int from);

LANE_PRIMITIVE_ int lane_rank(Lane g) {
  return g.rank;
}

LANE_PRIMITIVE_ int lane_count(Lane g) {
  return g.count;
}

LANE_PRIMITIVE_ void lane_sync(Lane g) {
  ct_lane_barrier(g.team);
}

LANE_PRIMITIVE_ mjtNum lane_exchange_num(Lane g, mjtNum x, int from) {
  return ct_lane_exchange_num(g, x, from);
}

LANE_PRIMITIVE_ int lane_exchange_int(Lane g, int x, int from) {
  return ct_lane_exchange_int(g, x, from);
}

#else

typedef struct Lane_ {
  char none;  // C has no empty struct
} Lane;

// The one lane there is. Only code that is never compiled as CUDA calls this: the public functions.
LANE_PRIMITIVE_ Lane lane_one(void) {
  Lane g = {0};
  return g;
}

LANE_PRIMITIVE_ int lane_rank(Lane g) {
  (void)g;
  return 0;
}

LANE_PRIMITIVE_ int lane_count(Lane g) {
  (void)g;
  return 1;
}

LANE_PRIMITIVE_ void lane_sync(Lane g) {
  (void)g;
}

LANE_PRIMITIVE_ mjtNum lane_exchange_num(Lane g, mjtNum x, int from) {
  (void)g;
  (void)from;
  return x;
}

LANE_PRIMITIVE_ int lane_exchange_int(Lane g, int x, int from) {
  (void)g;
  (void)from;
  return x;
}

#endif

// Loops

// Elements 0 <= i_ < n_, dealt out to the lanes. Iterations must not depend on each other.
#define LANE_FOR(i_, g_, n_)                                                    \
  for (int i_ = lane_rank(g_), i_##_lane_end_ = (int)(n_); i_ < i_##_lane_end_; \
       i_ += lane_count(g_))

// Is element i_ dealt to this lane by LANE_FOR? For loops over things that write to elements: all
// lanes go through the things, and only the owner of an element writes to it.
#define LANE_OWNS(g_, i_) ((i_) % lane_count(g_) == lane_rank(g_))

// What one lane does alone, such as writing a count that all lanes have computed.
#define LANE_ONCE(g_) if (lane_rank(g_) == 0)

// What one lane does alone while the others wait: it sees what all wrote before, and all see after
// it what it wrote. In uniform flow only, and without `break` or `return`.
#define LANE_ALONE(g_)                                                                    \
  for (int lane_alone_ = (lane_sync(g_), 1); lane_alone_; lane_alone_ = 0, lane_sync(g_)) \
    LANE_ONCE(g_)

// The integer that one lane finds, on all lanes, with whatever that lane wrote on the way:
//
//   int placed;
//   LANE_ANSWER(placed, g, place_rows(m, d, nrow));
//
// What the lane reads must be visible to it: a lane_sync stands before it where others wrote.
#define LANE_ANSWER(result_, g_, ...)                 \
  do {                                                \
    int lane_answer_ = 0;                             \
    LANE_ONCE(g_) {                                   \
      lane_answer_ = (int)(__VA_ARGS__);              \
    }                                                 \
    lane_sync(g_);                                    \
    (result_) = lane_broadcast_int(g_, lane_answer_); \
  } while (0)

// Items of a tree (bodies, dofs), parents before children; LANE_LEVELS_UP: children before parents.
// levels_ is a ct_Levels of base/schedule.h. One lane takes the items in the order of their
// ids; several take one level at a time, an item per lane, and meet after each, so no lane_sync is
// needed in or after it.
#if defined(__CUDACC__) || defined(CT_LANE_THREADS)
#define LANE_LEVEL_ITEMS_(item_, g_, levels_, level_)                                              \
  for (int item_##_lane_at_ = (levels_).adr[level_] + lane_rank(g_),                               \
           item_##_lane_end_ = (levels_).adr[(level_) + 1];                                        \
       item_##_lane_at_ < item_##_lane_end_; item_##_lane_at_ += lane_count(g_))                   \
    for (int item_ = (levels_).item[item_##_lane_at_], item_##_lane_once_ = 1; item_##_lane_once_; \
         item_##_lane_once_ = 0)
#define LANE_LEVELS(item_, g_, levels_)                                    \
  for (int item_##_lane_level_ = 0; item_##_lane_level_ < (levels_).count; \
       item_##_lane_level_++, lane_sync(g_))                               \
  LANE_LEVEL_ITEMS_(item_, g_, levels_, item_##_lane_level_)
#define LANE_LEVELS_UP(item_, g_, levels_)                                      \
  for (int item_##_lane_level_ = (levels_).count - 1; item_##_lane_level_ >= 0; \
       item_##_lane_level_--, lane_sync(g_))                                    \
  LANE_LEVEL_ITEMS_(item_, g_, levels_, item_##_lane_level_)
#else
#define LANE_LEVELS(item_, g_, levels_) \
  for (int item_ = ((void)(g_), (levels_).first); item_ < (levels_).end; item_++)
#define LANE_LEVELS_UP(item_, g_, levels_) \
  for (int item_ = ((void)(g_), (levels_).end - 1); item_ >= (levels_).first; item_--)
#endif

// Wide words: LANE_WIDTH neighbouring numbers at a time, four on the CPU and one per lane in CUDA.
//
//   LANE_WIDE(j, g, n) {
//     wide_store(y + j, wide_sub(wide_load(y + j), wide_mul(wide_all(a), wide_load(x + j))));
//   }
//   LANE_WIDE_REST(j, g, n) {
//     y[j] -= a * x[j];
//   }
//
// LANE_WIDE takes the whole words, LANE_WIDE_REST the last n mod LANE_WIDTH numbers one by one.
// Where rows are padded to a multiple of four there is no rest, and the second loop is left out.
// wide_gather and wide_scatter take the same member of neighbouring structs, such as the mass of
// four bodies.
#ifdef __CUDACC__
#define LANE_WIDTH 1
typedef mjtNum Wide;
LANE_PRIMITIVE_ Wide wide_load(const mjtNum* from) {
  return *from;
}
LANE_PRIMITIVE_ void wide_store(mjtNum* to, Wide x) {
  *to = x;
}
LANE_PRIMITIVE_ Wide wide_all(mjtNum x) {
  return x;
}
LANE_PRIMITIVE_ Wide wide_gather(const mjtNum* from, int stride) {
  (void)stride;
  return *from;
}
LANE_PRIMITIVE_ void wide_scatter(mjtNum* to, int stride, Wide x) {
  (void)stride;
  *to = x;
}
#else
#define LANE_WIDTH 4
typedef mjtNum Wide __attribute__((vector_size(LANE_WIDTH * sizeof(mjtNum))));
typedef mjtNum WideUnaligned_
    __attribute__((vector_size(LANE_WIDTH * sizeof(mjtNum)), aligned(sizeof(mjtNum)), may_alias));
LANE_PRIMITIVE_ Wide wide_load(const mjtNum* from) {
  return *(const WideUnaligned_*)from;
}
LANE_PRIMITIVE_ void wide_store(mjtNum* to, Wide x) {
  *(WideUnaligned_*)to = x;
}
LANE_PRIMITIVE_ Wide wide_all(mjtNum x) {
  Wide all = {x, x, x, x};
  return all;
}
LANE_PRIMITIVE_ Wide wide_gather(const mjtNum* from, int stride) {
  Wide x = {from[0], from[stride], from[2 * stride], from[3 * stride]};
  return x;
}
LANE_PRIMITIVE_ void wide_scatter(mjtNum* to, int stride, Wide x) {
  to[0] = x[0];
  to[stride] = x[1];
  to[2 * stride] = x[2];
  to[3 * stride] = x[3];
}
#endif
#define LANE_WIDE_OPERATION_(name_, operator_)        \
  LANE_PRIMITIVE_ Wide wide_##name_(Wide a, Wide b) { \
    return a operator_ b;                             \
  }
LANE_WIDE_OPERATION_(add, +)
LANE_WIDE_OPERATION_(sub, -)
LANE_WIDE_OPERATION_(mul, *)
LANE_WIDE_OPERATION_(div, /)

// x where a < b, and 0 elsewhere.
LANE_PRIMITIVE_ Wide wide_if_less(Wide a, Wide b, Wide x) {
#ifdef __CUDACC__
  return a < b ? x : 0;
#else
  typedef __typeof__(a < b) Mask;
  return (Wide)((a < b) & (Mask)x);
#endif
}

// x where a >= b, and 0 elsewhere; 0 where one of them is NaN.
LANE_PRIMITIVE_ Wide wide_if_not_less(Wide a, Wide b, Wide x) {
#ifdef __CUDACC__
  return a >= b ? x : 0;
#else
  typedef __typeof__(a >= b) Mask;
  return (Wide)((a >= b) & (Mask)x);
#endif
}

#define LANE_WIDE(j_, g_, n_)                                           \
  for (int j_ = LANE_WIDTH * lane_rank(g_), j_##_lane_end_ = (int)(n_); \
       j_ + LANE_WIDTH <= j_##_lane_end_; j_ += LANE_WIDTH * lane_count(g_))
#define LANE_WIDE_REST(j_, g_, n_)                                            \
  for (int j_##_lane_end_ = (int)(n_),                                        \
           j_ = j_##_lane_end_ - j_##_lane_end_ % LANE_WIDTH + lane_rank(g_); \
       j_ < j_##_lane_end_; j_ += lane_count(g_))

// Sums, largest and smallest of one number per element:
//
//   mjtNum cost;
//   LANE_SUM(cost, i, g, nefc, row_cost(d, i));
//
// The result has the same bits for every number of lanes and is the same on all lanes. Element i
// belongs to slot i mod 32; a slot adds its elements in order; slots are added by halving, slot s
// and slot s + 16, then s + 8, ... s + 1. A lane keeps the slots s = rank, rank + count, ..., so
// the first halvings are its own and the others are exchanges. Ties (+0, -0) go to the lower slot.
//
// On one lane a sum of up to 20 elements costs as much as a plain loop over 20, and one of 200 a
// quarter of the loop, because slots do not wait for each other. Many short sums, as in a matrix
// product, are better turned around (docs/lanes.md).
#define LANE_SUM(result_, i_, g_, n_, ...) \
  LANE_REDUCE_(result_, i_, g_, n_, 0, lane_plus_, lane_fold_plus_, __VA_ARGS__)
// start_ takes part: it is the result of zero elements.
#define LANE_MAX(result_, i_, g_, n_, start_, ...) \
  LANE_REDUCE_(result_, i_, g_, n_, start_, lane_larger_, lane_fold_larger_, __VA_ARGS__)
#define LANE_MIN(result_, i_, g_, n_, start_, ...) \
  LANE_REDUCE_(result_, i_, g_, n_, start_, lane_smaller_, lane_fold_smaller_, __VA_ARGS__)

#define LANE_REDUCE_(result_, i_, g_, n_, start_, combine_, fold_, ...)                    \
  do {                                                                                     \
    const int lane_n_ = (int)(n_), lane_own_ = LANE_MOST / lane_count(g_);                 \
    mjtNum lane_slot_[LANE_MOST];                                                          \
    for (int lane_s_ = 0; lane_s_ < LANE_MOST; lane_s_++) lane_slot_[lane_s_] = (start_);  \
    for (int lane_base_ = lane_rank(g_); lane_base_ < lane_n_; lane_base_ += LANE_MOST) {  \
      const int lane_left_ = (lane_n_ - lane_base_ + lane_count(g_) - 1) / lane_count(g_); \
      const int lane_some_ = lane_left_ < lane_own_ ? lane_left_ : lane_own_;              \
      for (int lane_s_ = 0; lane_s_ < lane_some_; lane_s_++) {                             \
        const int i_ = lane_base_ + lane_s_ * lane_count(g_);                              \
        lane_slot_[lane_s_] = combine_(lane_slot_[lane_s_], (__VA_ARGS__));                \
      }                                                                                    \
    }                                                                                      \
    (result_) = fold_(g_, lane_slot_);                                                     \
  } while (0)

LANE_PRIMITIVE_ mjtNum lane_plus_(mjtNum a, mjtNum b) {
  return a + b;
}
LANE_PRIMITIVE_ mjtNum lane_larger_(mjtNum a, mjtNum b) {
  return b > a ? b : a;
}
LANE_PRIMITIVE_ mjtNum lane_smaller_(mjtNum a, mjtNum b) {
  return b < a ? b : a;
}

// The lower slot is always the first operand, so both lanes of an exchange get the same bits. The
// halvings are written out because compilers make vectors of loops whose length they know.
#define LANE_HALVE_(combine_, half_)                                     \
  for (int s = 0; s < half_ && LANE_MOST / lane_count(g) > half_; s++) { \
    slot[s] = combine_(slot[s], slot[s + half_]);                        \
  }
#define LANE_FOLD_(name_, combine_)                                                 \
  LANE_PRIMITIVE_ mjtNum name_(Lane g, mjtNum* slot) {                              \
    LANE_HALVE_(combine_, 16)                                                       \
    LANE_HALVE_(combine_, 8)                                                        \
    LANE_HALVE_(combine_, 4)                                                        \
    LANE_HALVE_(combine_, 2)                                                        \
    LANE_HALVE_(combine_, 1)                                                        \
    mjtNum mine = slot[0];                                                          \
    for (int half = lane_count(g) / 2; half > 0; half /= 2) {                       \
      mjtNum other = lane_exchange_num(g, mine, lane_rank(g) ^ half);               \
      mine = (lane_rank(g) & half) ? combine_(other, mine) : combine_(mine, other); \
    }                                                                               \
    return mine;                                                                    \
  }
LANE_FOLD_(lane_fold_plus_, lane_plus_)
LANE_FOLD_(lane_fold_larger_, lane_larger_)
LANE_FOLD_(lane_fold_smaller_, lane_smaller_)

// Integers are exact, so their sums need no slots.

// Sum of an integer per element: LANE_COUNT(nactive, i, g, n, active[i]).
#define LANE_COUNT(result_, i_, g_, n_, ...)    \
  do {                                          \
    int lane_count_ = 0;                        \
    LANE_FOR(i_, g_, n_) {                      \
      lane_count_ += (__VA_ARGS__);             \
    }                                           \
    (result_) = lane_add_int_(g_, lane_count_); \
  } while (0)

LANE_PRIMITIVE_ int lane_add_int_(Lane g, int x) {
  for (int half = lane_count(g) / 2; half > 0; half /= 2) {
    x += lane_exchange_int(g, x, lane_rank(g) ^ half);
  }
  return x;
}

// before[i] = count[0] + ... + count[i-1]; returns the sum of all. before may be count itself. The
// counts must be visible to all lanes on entry; the sums are on return.
LANE_PRIMITIVE_ int lane_scan(Lane g, int* before, const int* count, int n) {
  int rank = lane_rank(g), sum = 0;
  for (int base = 0; base < n; base += lane_count(g)) {
    int own = base + rank < n ? count[base + rank] : 0;
    int upto = own;
    for (int stride = 1; stride < lane_count(g); stride *= 2) {
      int lower = lane_exchange_int(g, upto, rank >= stride ? rank - stride : rank);
      upto += rank >= stride ? lower : 0;
    }
    if (base + rank < n) before[base + rank] = sum + upto - own;
    sum += lane_exchange_int(g, upto, lane_count(g) - 1);
  }
  lane_sync(g);
  return sum;
}

// What lane 0 has, for all lanes.
LANE_PRIMITIVE_ mjtNum lane_broadcast_num(Lane g, mjtNum x) {
  return lane_exchange_num(g, x, 0);
}

LANE_PRIMITIVE_ int lane_broadcast_int(Lane g, int x) {
  return lane_exchange_int(g, x, 0);
}

#endif  // CT_BASE_LANES_H_
