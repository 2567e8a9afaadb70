// An mjData of one engine filled with everything that another engine computed.

#ifndef TESTS_CONFORMANCE_COPY_H_
#define TESTS_CONFORMANCE_COPY_H_

#include <mujoco/mujoco.h>
#include <stdbool.h>

#include "base/model/fields.h"

// Which plugins an mjData has and what they keep there, which is nobody else's business.
bool belongs_to_plugins(const ct_Field* f);

// All arrays, contacts, constraint rows and islands included, and their counts; the copies in the
// arena are the receiver's own, in the public order.
void copy_whole_data(const mjModel* m, mjData* to, const mjData* from);

#endif  // TESTS_CONFORMANCE_COPY_H_
