// Steps of four environments side by side: what is smooth in a step is computed for all four in one
// word, the rest one after the other. Every environment has the bits that it would have alone.

#ifndef CT_BATCH_SIDE_BY_SIDE_H_
#define CT_BATCH_SIDE_BY_SIDE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <mujoco/mujoco.h>

#include "base/lanes.h"

enum { CT_ABREAST = 4 };  // how many walk side by side

typedef struct ct_SideBySide_ ct_SideBySide;

// Can environments of this model walk side by side? It takes more than that: four that have the
// model in common, each with an mjData, and no code of users between stages.
bool ct_may_walk_abreast(const mjModel* m);

// Does the processor have the instructions of four_stages_avx512.c?
bool ct_has_avx512(void);

// Words for four environments; NULL without memory. d: an mjData of the model, whose schedule must
// outlive it. avx512: with these instructions, and the same bits.
ct_SideBySide* ct_make_side_by_side(const mjModel* m, const mjData* d, bool avx512);
void ct_delete_side_by_side(ct_SideBySide* s);

size_t ct_side_by_side_bytes(const mjModel* m);

// What somebody looks at in an mjData after a step, beyond state, contacts, rows, constraint forces
// and sensors: nothing (0), everything, or some arrays by the offsets of their pointers.
#define CT_SEE_ALL UINT64_MAX
uint64_t ct_see_array(size_t offset);

// status[k] becomes what ct_step(m, d[k]) returns; those that are not to go are left alone.
void ct_step_abreast(ct_SideBySide* s, const mjModel* m, mjData* const d[CT_ABREAST],
                     const bool go[CT_ABREAST], uint64_t seen, int status[CT_ABREAST]);

#endif  // CT_BATCH_SIDE_BY_SIDE_H_
