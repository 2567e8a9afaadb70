// The functions of all stages, for whoever expands the table (stages.def). A stage in a new file is
// one more line here.

#ifndef CT_ENGINE_STAGE_HEADERS_H_
#define CT_ENGINE_STAGE_HEADERS_H_

#include "collide/collision.h"
#include "engine/constraint/constraint.h"
#include "engine/integrate.h"
#include "engine/inverse.h"
#include "engine/sensor/sensor.h"
#include "engine/smooth/acceleration.h"
#include "engine/smooth/actuation.h"
#include "engine/smooth/bias.h"
#include "engine/smooth/camlight.h"
#include "engine/smooth/com.h"
#include "engine/smooth/com_velocity.h"
#include "engine/smooth/energy.h"
#include "engine/smooth/factor.h"
#include "engine/smooth/kinematics.h"
#include "engine/smooth/mass_matrix.h"
#include "engine/smooth/passive.h"
#include "engine/smooth/sleep.h"
#include "engine/smooth/tendon.h"
#include "engine/smooth/transmission.h"
#include "engine/solver/solver.h"
#include "engine/step.h"
#include "soft/flex_contacts.h"
#include "soft/flex_edges.h"
#include "soft/flex_kinematics.h"

#endif  // CT_ENGINE_STAGE_HEADERS_H_
