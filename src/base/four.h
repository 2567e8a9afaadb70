// Four environments side by side: the number of lane code becomes a word of four, one place for
// each environment.
//
// A source that includes this file before anything else compiles lane code in the fourth way
// (docs/lanes.md): mjtNum is ct_Four, so that an mjModel and an mjData are those of four
// environments, with words in place of numbers and the same integers. Arithmetic works as it is
// written. What does not is left out by CT_SIDE_BY_SIDE: conditions on numbers, since the four may
// answer differently, unless they are selections or about numbers that all have in common
// (lane_common). Nothing with an external name may be defined twice in a library, so such a source
// renames what it compiles.

#ifndef CT_BASE_FOUR_H_
#define CT_BASE_FOUR_H_

#ifdef CT_BASE_LANES_H_
#error "base/four.h stands before everything else"
#endif

#include <mujoco/mjtnum.h>

#define CT_SIDE_BY_SIDE
#define CT_ONLY_AWAKE  // base/model/options.h
#define CT_ONLY_RIGID
#define CT_ONLY_PRESENT

enum { CT_PLACES = 4 };

typedef mjtNum ct_Place;  // one number of one environment
typedef ct_Place ct_Four __attribute__((vector_size(4 * sizeof(ct_Place))));

#define mjtNum ct_Four

#endif  // CT_BASE_FOUR_H_
