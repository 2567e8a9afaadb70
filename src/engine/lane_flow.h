// The course of a step (flow.h) for a group of lanes: stages are called, one after the other. Its
// functions belong to the file that includes this one.

#ifndef CT_ENGINE_LANE_FLOW_H_
#define CT_ENGINE_LANE_FLOW_H_

#include "base/private.h"
#include "engine/stage_headers.h"

#define FLOW_FN LANE_FN static inline  // not every machine runs everything
#define FLOW_INLINE LANE_PRIMITIVE_
#define FLOW_PARAMETERS Lane g, const mjModel *m, mjData *d
#define FLOW_WITH g, m, d
#define FLOW_RUN(name_, function_, timer_) function_(g, m, d)
#define FLOW_STOPS(status_) (((status_)&CT_GRAVE) != 0)
#define FLOW_CONTROL() (void)0
#define FLOW_BEGIN(timer_) (void)0
#define FLOW_END(timer_) (void)0
#define FLOW_RUNGE_KUTTA() (ct_private(d)->integration.integrator == mjINT_RK4)
#define FLOW_IF_SLEPT() if (ct_private(d)->integration.slept)
#define FLOW_IF_STOPPED(status_) if (FLOW_STOPS(status_))
#include "engine/flow.h"

#endif  // CT_ENGINE_LANE_FLOW_H_
