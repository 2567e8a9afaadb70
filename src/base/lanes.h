// Lanes: the dialect in which engine code is written once and compiled four ways.
//
//   C17                   a group is one lane; every lane loop is a plain loop
//   C17, CT_SIDE_BY_SIDE  one lane, and every number is a word of four environments: base/four.h
//   C17, CT_LANE_THREADS  a group is some threads of the CPU; ThreadSanitizer sees races
//   CUDA                  a group is 1, 2, 4, 8, 16 or 32 threads of one warp
//
// A lane function takes its Lane by value and hands it on. All lanes of a group call it with the
// same arguments and meet at every lane_sync. docs/lanes.md has the rules and a worked example.

#ifndef CT_BASE_LANES_H_
#define CT_BASE_LANES_H_

#include <stdbool.h>

#include <mujoco/mjtnum.h>

// Most lanes that a group can have. Also the number of slots of every sum, see LANE_SUM.
#define LANE_MOST 32

// LANE_FN marks functions that take a Lane, and whatever they call out of line. LANE_INLINE marks
// small functions in headers that know nothing of lanes; the host may call them too. LANE_RARE
// after LANE_FN keeps what most steps do not need out of the way of what they do. LANE_APART after
// it keeps one copy of what is called from several places on a GPU, which waits for instructions
// more than it computes; compilers would inline it everywhere.
#ifdef __CUDACC__
#define LANE_FN __device__
#define LANE_INLINE static __host__ __device__ __forceinline__
#define LANE_PRIMITIVE_ static __device__ __forceinline__
#define LANE_RARE __noinline__
#define LANE_APART __noinline__
#else
#define LANE_FN
#define LANE_INLINE static inline __attribute__((always_inline))
#define LANE_PRIMITIVE_ static inline __attribute__((always_inline))
#define LANE_RARE __attribute__((noinline, cold))
#define LANE_APART
#endif

// lane_num makes a number of a constant. lane_common is a number of the model that environments
// side by side have in common, for conditions.
#ifdef CT_SIDE_BY_SIDE
LANE_INLINE mjtNum lane_num(ct_Place x) {
  mjtNum all = {x, x, x, x};
  return all;
}
LANE_INLINE ct_Place lane_common(mjtNum x) {
  return x[0];
}
#else
LANE_INLINE mjtNum lane_num(mjtNum x) {
  return x;
}
LANE_INLINE mjtNum lane_common(mjtNum x) {
  return x;
}
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

// A kernel compiled for one group size says so with CT_LANE_COUNT and saves registers and loops.
#ifdef CT_LANE_COUNT
#define LANE_SLOTS_ (LANE_MOST / CT_LANE_COUNT)
LANE_PRIMITIVE_ int lane_count(Lane g) {
  (void)g;
  return CT_LANE_COUNT;
}

LANE_PRIMITIVE_ unsigned lane_mask_(Lane g) {
  return CT_LANE_COUNT == 32 ? 0xffffffffu : g.mask;
}
#else
LANE_PRIMITIVE_ int lane_count(Lane g) {
  return g.count;
}

LANE_PRIMITIVE_ unsigned lane_mask_(Lane g) {
  return g.mask;
}
#endif

LANE_PRIMITIVE_ void lane_sync(Lane g) {
  if (lane_count(g) > 1) __syncwarp(lane_mask_(g));
}

LANE_PRIMITIVE_ mjtNum lane_exchange_num(Lane g, mjtNum x, int from) {
  return lane_count(g) > 1 ? __shfl_sync(lane_mask_(g), x, from, lane_count(g)) : x;
}

LANE_PRIMITIVE_ int lane_exchange_int(Lane g, int x, int from) {
  return lane_count(g) > 1 ? __shfl_sync(lane_mask_(g), x, from, lane_count(g)) : x;
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

// LANE_ROLLED before a loop: one copy of its body on a GPU. Lane loops have it, since most end
// after one turn; so should loops that are long in code and short in turns.
#ifdef __CUDACC__
#define LANE_ROLLED _Pragma("unroll 1")
#else
#define LANE_ROLLED
#endif

// Elements 0 <= i_ < n_, dealt out to the lanes. Iterations must not depend on each other.
#define LANE_FOR(i_, g_, n_)                                                    \
  LANE_ROLLED                                                                   \
  for (int i_ = lane_rank(g_), i_##_lane_end_ = (int)(n_); i_ < i_##_lane_end_; \
       i_ += lane_count(g_))

// Is element i_ dealt to this lane by LANE_FOR? For loops over things that write to elements: all
// lanes go through the things, and only the owner of an element writes to it.
#define LANE_OWNS(g_, i_) ((i_) % lane_count(g_) == lane_rank(g_))

// A lane that keeps something for each of its elements has it in an array by turns: element
// turn_ * count + rank. most_ bounds the turns, so that the array can be a few registers.
//
//   mjtNum x[LANE_TURNS(MOST)];
//   LANE_TURN(c, g, n, MOST) {
//     int i = lane_element(g, c);
//     if (i < n) x[c] = ...
//   }
//
// All lanes take the same turns, so exchanges are allowed inside.
#ifdef CT_LANE_COUNT
#define LANE_TURNS(most_) (((most_) + CT_LANE_COUNT - 1) / CT_LANE_COUNT)
#define LANE_UNROLL_ _Pragma("unroll")
#else
#define LANE_TURNS(most_) (most_)
#define LANE_UNROLL_
#endif
#define LANE_TURN(turn_, g_, n_, most_) \
  LANE_UNROLL_ for (int turn_ = 0;      \
                    turn_ < LANE_TURNS(most_) && turn_ * lane_count(g_) < (int)(n_); turn_++)
#define LANE_TURN_DOWN(turn_, g_, n_, most_)                       \
  LANE_UNROLL_ for (int turn_ = LANE_TURNS(most_) - 1; turn_ >= 0; \
                    turn_--) if (turn_ * lane_count(g_) < (int)(n_))

LANE_PRIMITIVE_ int lane_element(Lane g, int turn) {
  return turn * lane_count(g) + lane_rank(g);
}

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

// Wide words: LANE_WIDTH neighbouring numbers at a time, four on the CPU, and one per lane in CUDA
// and where a number is a word already.
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
// wide_gather takes the same member of neighbouring structs, such as the mass of four bodies.
#if defined(__CUDACC__) || defined(CT_SIDE_BY_SIDE)
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
#endif
#define LANE_WIDE_OPERATION_(name_, operator_)        \
  LANE_PRIMITIVE_ Wide wide_##name_(Wide a, Wide b) { \
    return a operator_ b;                             \
  }
LANE_WIDE_OPERATION_(add, +)
LANE_WIDE_OPERATION_(sub, -)
LANE_WIDE_OPERATION_(mul, *)
LANE_WIDE_OPERATION_(div, /)

#ifndef CT_SIDE_BY_SIDE
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
#endif

#if LANE_WIDTH > 1
// The answers to a comparison, all bits of a place set or none; on the CPU only.
#ifdef mjUSESINGLE
typedef int WideMask __attribute__((vector_size(LANE_WIDTH * sizeof(int))));
#else
typedef long long WideMask __attribute__((vector_size(LANE_WIDTH * sizeof(long long))));
#endif

// Which places of a mask are set, as bits.
LANE_PRIMITIVE_ unsigned wide_bits(WideMask mask) {
#if defined(__AVX__) && !defined(mjUSESINGLE)
  return (unsigned)__builtin_ia32_movmskpd256((Wide)mask);
#else
  return (unsigned)((mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8));
#endif
}

// a < b ? a : b and a > b ? a : b in every place: b if one of them is NaN.
// gcc makes four scalar instructions of a loop over places.
#if defined(__AVX__) && !defined(mjUSESINGLE)
LANE_PRIMITIVE_ Wide wide_smaller(Wide a, Wide b) {
  return __builtin_ia32_minpd256(a, b);
}
LANE_PRIMITIVE_ Wide wide_larger(Wide a, Wide b) {
  return __builtin_ia32_maxpd256(a, b);
}
#else
LANE_PRIMITIVE_ Wide wide_smaller(Wide a, Wide b) {
  for (int k = 0; k < LANE_WIDTH; k++) b[k] = a[k] < b[k] ? a[k] : b[k];
  return b;
}
LANE_PRIMITIVE_ Wide wide_larger(Wide a, Wide b) {
  for (int k = 0; k < LANE_WIDTH; k++) b[k] = a[k] > b[k] ? a[k] : b[k];
  return b;
}
#endif

// Four rows of four become four columns.
LANE_PRIMITIVE_ void wide_transpose(Wide x[4]) {
  Wide a = __builtin_shufflevector(x[0], x[1], 0, 4, 2, 6);
  Wide b = __builtin_shufflevector(x[0], x[1], 1, 5, 3, 7);
  Wide c = __builtin_shufflevector(x[2], x[3], 0, 4, 2, 6);
  Wide d = __builtin_shufflevector(x[2], x[3], 1, 5, 3, 7);
  x[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
  x[1] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
  x[2] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
  x[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

// x where a is set, y where b is, which is nowhere else, and 0 where neither is.
LANE_PRIMITIVE_ Wide wide_choose(WideMask a, Wide x, WideMask b, Wide y) {
  return (Wide)((a & (WideMask)x) | (b & (WideMask)y));
}
#endif

#define LANE_WIDE(j_, g_, n_)                                           \
  LANE_ROLLED                                                           \
  for (int j_ = LANE_WIDTH * lane_rank(g_), j_##_lane_end_ = (int)(n_); \
       j_ + LANE_WIDTH <= j_##_lane_end_; j_ += LANE_WIDTH * lane_count(g_))
#define LANE_WIDE_REST(j_, g_, n_)                                            \
  LANE_ROLLED                                                                 \
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

#ifdef CT_LANE_COUNT
// With the number of lanes known a lane's slots are a few registers. They take turns: the one whose
// turn it is stands first and moves to the end. All lanes make as many turns, the last without an
// element.
#define LANE_REDUCE_(result_, i_, g_, n_, start_, combine_, fold_, ...)                     \
  do {                                                                                      \
    const int lane_n_ = (int)(n_);                                                          \
    mjtNum lane_slot_[LANE_SLOTS_];                                                         \
    for (int lane_s_ = 0; lane_s_ < LANE_SLOTS_; lane_s_++) lane_slot_[lane_s_] = (start_); \
    LANE_ROLLED                                                                             \
    for (int lane_turn_ = lane_turns_(lane_n_), i_ = lane_rank(g_); lane_turn_ > 0;         \
         lane_turn_--) {                                                                    \
      mjtNum lane_next_ = lane_slot_[0];                                                    \
      if (i_ < lane_n_) lane_next_ = combine_(lane_next_, (__VA_ARGS__));                   \
      lane_next_slot_(lane_slot_, lane_next_);                                              \
      i_ += lane_count(g_);                                                                 \
    }                                                                                       \
    (result_) = fold_(g_, lane_slot_, true);                                                \
  } while (0)

LANE_PRIMITIVE_ int lane_turns_(int n) {
  return (n + LANE_MOST - 1) / LANE_MOST * LANE_SLOTS_;
}

LANE_PRIMITIVE_ void lane_next_slot_(mjtNum* slot, mjtNum last) {
#pragma unroll
  for (int s = 0; s < LANE_SLOTS_ - 1; s++) slot[s] = slot[s + 1];
  slot[LANE_SLOTS_ - 1] = last;
}
#else
#define LANE_SLOTS_ LANE_MOST
// On one lane so few elements leave all slots but the first as they were: those are neither filled
// nor added, since what they start with changes nothing.
#define LANE_FEW_ 8
#define LANE_REDUCE_(result_, i_, g_, n_, start_, combine_, fold_, ...)                    \
  do {                                                                                     \
    const int lane_n_ = (int)(n_), lane_own_ = LANE_MOST / lane_count(g_);                 \
    const bool lane_many_ = lane_count(g_) > 1 || lane_n_ > LANE_FEW_;                     \
    mjtNum lane_slot_[LANE_MOST];                                                          \
    for (int lane_s_ = 0; lane_s_ < LANE_FEW_; lane_s_++) lane_slot_[lane_s_] = (start_);  \
    if (lane_many_) {                                                                      \
      for (int lane_s_ = LANE_FEW_; lane_s_ < LANE_MOST; lane_s_++) {                      \
        lane_slot_[lane_s_] = (start_);                                                    \
      }                                                                                    \
    }                                                                                      \
    for (int lane_base_ = lane_rank(g_); lane_base_ < lane_n_; lane_base_ += LANE_MOST) {  \
      const int lane_left_ = (lane_n_ - lane_base_ + lane_count(g_) - 1) / lane_count(g_); \
      const int lane_some_ = lane_left_ < lane_own_ ? lane_left_ : lane_own_;              \
      for (int lane_s_ = 0; lane_s_ < lane_some_; lane_s_++) {                             \
        const int i_ = lane_base_ + lane_s_ * lane_count(g_);                              \
        lane_slot_[lane_s_] = combine_(lane_slot_[lane_s_], (__VA_ARGS__));                \
      }                                                                                    \
    }                                                                                      \
    (result_) = fold_(g_, lane_slot_, lane_many_);                                         \
  } while (0)
#endif

#ifndef CT_SIDE_BY_SIDE
LANE_PRIMITIVE_ mjtNum lane_plus_(mjtNum a, mjtNum b) {
  return a + b;
}
LANE_PRIMITIVE_ mjtNum lane_larger_(mjtNum a, mjtNum b) {
  return b > a ? b : a;
}
LANE_PRIMITIVE_ mjtNum lane_smaller_(mjtNum a, mjtNum b) {
  return b < a ? b : a;
}

// The lower slot is always the first operand, so both lanes of an exchange get the same bits; of a
// sum they do anyway. The halvings are written out because compilers make vectors of loops whose
// length they know.
#define LANE_HALVE_(combine_, half_)                                     \
  for (int s = 0; s < half_ && LANE_MOST / lane_count(g) > half_; s++) { \
    slot[s] = combine_(slot[s], slot[s + half_]);                        \
  }
#define LANE_HALVES_(combine_, many_) \
  if (many_) {                        \
    LANE_HALVE_(combine_, 16)         \
    LANE_HALVE_(combine_, 8)          \
  }                                   \
  LANE_HALVE_(combine_, 4)            \
  LANE_HALVE_(combine_, 2)            \
  LANE_HALVE_(combine_, 1)
#define LANE_FOLD_(name_, combine_)                                                 \
  LANE_PRIMITIVE_ mjtNum name_(Lane g, mjtNum* slot, bool many) {                   \
    LANE_HALVES_(combine_, many)                                                    \
    mjtNum mine = slot[0];                                                          \
    for (int half = lane_count(g) / 2; half > 0; half /= 2) {                       \
      mjtNum other = lane_exchange_num(g, mine, lane_rank(g) ^ half);               \
      mine = (lane_rank(g) & half) ? combine_(other, mine) : combine_(mine, other); \
    }                                                                               \
    return mine;                                                                    \
  }
LANE_FOLD_(lane_fold_larger_, lane_larger_)
LANE_FOLD_(lane_fold_smaller_, lane_smaller_)

LANE_PRIMITIVE_ mjtNum lane_halve_own_(Lane g, mjtNum* slot, bool many) {
  LANE_HALVES_(lane_plus_, many)
  (void)g;
  return slot[0];
}

LANE_PRIMITIVE_ mjtNum lane_fold_plus_(Lane g, mjtNum* slot, bool many) {
  mjtNum mine = lane_halve_own_(g, slot, many);
  for (int half = lane_count(g) / 2; half > 0; half /= 2) {
    mine += lane_exchange_num(g, mine, lane_rank(g) ^ half);
  }
  return mine;
}

// Up to three sums over the same elements, for groups of several lanes: terms are made together,
// and the exchanges of one sum do not wait for those of another. Each has the bits of LANE_SUM.
//
//   LaneSums sums = lane_no_sums(g);
//   LANE_SUMS_FOR(i, g, n) {
//     Point at = i < n ? term(i) : nothing;
//     lane_sums_add(&sums, at.cost, at.slope, at.curvature);
//   }
//   lane_sums_fold(g, &sums);  // sums.of[0] to sums.of[2]
//
// All lanes make as many turns, so i may be n or more; what is added then must be 0.
typedef struct LaneSums_ {
  mjtNum slot[3][LANE_SLOTS_];
  int at, own;  // whose turn it is of how many, where the number of lanes is not known before
  mjtNum of[3];
} LaneSums;

LANE_PRIMITIVE_ LaneSums lane_no_sums(Lane g) {
  LaneSums sums;
  sums.at = 0;
  sums.own = LANE_MOST / lane_count(g);
  for (int k = 0; k < 3; k++) {
    for (int s = 0; s < LANE_SLOTS_; s++) sums.slot[k][s] = 0;
  }
  return sums;
}

#define LANE_SUMS_FOR(i_, g_, n_)                                                     \
  LANE_ROLLED                                                                         \
  for (int i_ = lane_rank(g_),                                                        \
           i_##_lane_end_ = i_ + ((int)(n_) + LANE_MOST - 1) / LANE_MOST * LANE_MOST; \
       i_ < i_##_lane_end_; i_ += lane_count(g_))

LANE_PRIMITIVE_ void lane_sums_add(LaneSums* sums, mjtNum a, mjtNum b, mjtNum c) {
#ifdef CT_LANE_COUNT
  lane_next_slot_(sums->slot[0], sums->slot[0][0] + a);
  lane_next_slot_(sums->slot[1], sums->slot[1][0] + b);
  lane_next_slot_(sums->slot[2], sums->slot[2][0] + c);
#else
  sums->slot[0][sums->at] += a;
  sums->slot[1][sums->at] += b;
  sums->slot[2][sums->at] += c;
  sums->at = (sums->at + 1) % sums->own;
#endif
}

LANE_PRIMITIVE_ void lane_sums_fold(Lane g, LaneSums* sums) {
  mjtNum a = lane_halve_own_(g, sums->slot[0], true);
  mjtNum b = lane_halve_own_(g, sums->slot[1], true);
  mjtNum c = lane_halve_own_(g, sums->slot[2], true);
  for (int half = lane_count(g) / 2; half > 0; half /= 2) {
    mjtNum x = lane_exchange_num(g, a, lane_rank(g) ^ half);
    mjtNum y = lane_exchange_num(g, b, lane_rank(g) ^ half);
    mjtNum z = lane_exchange_num(g, c, lane_rank(g) ^ half);
    a += x;
    b += y;
    c += z;
  }
  sums->of[0] = a;
  sums->of[1] = b;
  sums->of[2] = c;
}

#endif

// Integers are exact, so their sums need no slots.

// Sum of an integer per element: LANE_COUNT(nactive, i, g, n, active[i]).
#define LANE_COUNT(result_, i_, g_, n_, ...)   \
  do {                                         \
    int lane_count_ = 0;                       \
    LANE_FOR(i_, g_, n_) {                     \
      lane_count_ += (__VA_ARGS__);            \
    }                                          \
    (result_) = lane_sum_int(g_, lane_count_); \
  } while (0)

LANE_PRIMITIVE_ int lane_sum_int(Lane g, int x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  if (lane_count(g) > 1) return __reduce_add_sync(lane_mask_(g), x);
#endif
  for (int half = lane_count(g) / 2; half > 0; half /= 2) {
    x += lane_exchange_int(g, x, lane_rank(g) ^ half);
  }
  return x;
}

// Sum of x over the lanes before this one; all: over all lanes.
LANE_PRIMITIVE_ int lane_sum_before(Lane g, int x, int* all) {
  int rank = lane_rank(g), upto = x;
  for (int stride = 1; stride < lane_count(g); stride *= 2) {
    int lower = lane_exchange_int(g, upto, rank >= stride ? rank - stride : rank);
    upto += rank >= stride ? lower : 0;
  }
  *all = lane_exchange_int(g, upto, lane_count(g) - 1);
  return upto - x;
}

// Number of the lowest bit that is set; there must be one.
LANE_PRIMITIVE_ int lane_lowest_bit(unsigned bits) {
#ifdef __CUDACC__
  return __ffs((int)bits) - 1;
#else
  return __builtin_ctz(bits);
#endif
}

// Bit r: what lane r of the group answers.
LANE_PRIMITIVE_ unsigned lane_ballot(Lane g, bool yes) {
#ifdef __CUDACC__
  unsigned all = __ballot_sync(lane_mask_(g), yes);
  if (lane_count(g) == 32) return all;
  int first = (int)(threadIdx.x % 32) - lane_rank(g);
  return (all >> first) & ((1u << (lane_count(g) & 31)) - 1u);
#else
  unsigned all = 0;
  for (int r = 0; r < lane_count(g); r++) {
    all |= (unsigned)lane_exchange_int(g, yes, r) << r;
  }
  return all;
#endif
}

// How many lanes before this one answer yes; all: how many of all lanes.
LANE_PRIMITIVE_ int lane_yes_before(Lane g, bool yes, int* all) {
#ifdef __CUDACC__
  unsigned bits = lane_ballot(g, yes);
  *all = __popc(bits);
  return __popc(bits & ((1u << lane_rank(g)) - 1u));
#else
  return lane_sum_before(g, yes, all);
#endif
}

// before[i] = count[0] + ... + count[i-1]; returns the sum of all. before may be count itself. The
// counts must be visible to all lanes on entry; the sums are on return.
LANE_PRIMITIVE_ int lane_scan(Lane g, int* before, const int* count, int n) {
  int rank = lane_rank(g), sum = 0;
  for (int base = 0; base < n; base += lane_count(g)) {
    int own = base + rank < n ? count[base + rank] : 0, all;
    int lower = lane_sum_before(g, own, &all);
    if (base + rank < n) before[base + rank] = sum + lower;
    sum += all;
  }
  lane_sync(g);
  return sum;
}

// What lane 0 has, for all lanes.
LANE_PRIMITIVE_ int lane_broadcast_int(Lane g, int x) {
  return lane_exchange_int(g, x, 0);
}

#endif  // CT_BASE_LANES_H_
