// The course of a step: which parts of the table of stages run in which order, what is repeated,
// and what happens after a failure. Written once, for every machine that runs stages:
//
// clang-format off
//   lanes     engine/lane_flow.h           stages are called, one after the other
//   the host  host/dynamics.c              the same with callbacks, plugins, timers and warnings
//   a GPU     batch/cuda/plan.c            stages become launches, and environments decide for themselves
//
// A machine defines these and includes this file:
//
//   FLOW_FN, FLOW_INLINE                  how its functions are declared, and those that must be inlined
//   FLOW_PARAMETERS, FLOW_WITH            what they take beside parts, and the same as arguments; a model m among them
//   FLOW_RUN(name_, function_, timer_)    runs a stage and returns its status
//   FLOW_STOPS(status_)                   do these bits end the step?
//   FLOW_CONTROL()                        users may set controls
//   FLOW_BEGIN(timer_), FLOW_END(timer_)  around what belongs to a timer
//   FLOW_RUNGE_KUTTA()                    is that the integrator?
//   FLOW_IF_SLEPT()                       if (trees fell asleep)
//   FLOW_IF_STOPPED(status_)              if (the step has ended with these bits)
// clang-format on

// Stages of these parts, as far as the model needs them, up to the first that fails. Lines of other
// parts vanish where the compiler knows `parts`.
FLOW_INLINE int flow_run(FLOW_PARAMETERS, unsigned parts) {
  int status = CT_OK;
#define STAGE(name_, function_, part_, applies_, timer_, kernel_)          \
  if ((parts & CT_PART_##part_) && CT_STAGE_APPLIES(part_, applies_, m)) { \
    int bits_of_##name_ = FLOW_RUN(name_, function_, timer_);              \
    if (bits_of_##name_) { /* one question for a stage that went well */   \
      status |= bits_of_##name_;                                           \
      if (FLOW_STOPS(status)) return status;                               \
    }                                                                      \
  }
#include "engine/stages.def"
  return status;
}

// A forward pass, or what `parts` leaves of it.
FLOW_FN int flow_pass(FLOW_PARAMETERS, unsigned parts) {
  int status = CT_OK;
  if (parts & CT_ALL_POSITIONS) {
    FLOW_BEGIN(POSITION);
    status |= flow_run(FLOW_WITH, parts & CT_ALL_POSITIONS);
    FLOW_END(POSITION);
    if (FLOW_STOPS(status)) return status;
    status |= flow_run(FLOW_WITH, parts & (CT_PART_POSITION_SENSORS | CT_PART_POSITION_ENERGY));
    if (FLOW_STOPS(status)) return status;
  }
  if (parts & CT_PART_VELOCITY) {
    FLOW_BEGIN(VELOCITY);
    status |= flow_run(FLOW_WITH, parts & CT_PART_VELOCITY);
    FLOW_END(VELOCITY);
    if (FLOW_STOPS(status)) return status;
    status |= flow_run(FLOW_WITH, parts & (CT_PART_VELOCITY_SENSORS | CT_PART_VELOCITY_ENERGY));
    if (FLOW_STOPS(status)) return status;
  }
  if (parts & CT_PART_CONTROL) FLOW_CONTROL();
  return status | flow_run(FLOW_WITH, parts & (CT_PART_ACCELERATION | CT_PART_BODY_FORCES |
                                               CT_PART_ACCELERATION_SENSORS));
}

// The same; it counts as a forward pass if users may set controls in it.
FLOW_FN int flow_forward(FLOW_PARAMETERS, unsigned parts) {
  if (!(parts & CT_PART_CONTROL)) return flow_pass(FLOW_WITH, parts);
  FLOW_BEGIN(FORWARD);
  int status = flow_pass(FLOW_WITH, parts);
  FLOW_END(FORWARD);
  return status;
}

// From accelerations to what the state advances by. Runge-Kutta evaluates three times more.
FLOW_FN int flow_rates(FLOW_PARAMETERS) {
  if (!FLOW_RUNGE_KUTTA()) return flow_run(FLOW_WITH, CT_PART_INTEGRATOR);
  int status = CT_OK;
  for (int pass = 1; pass < 4 && !FLOW_STOPS(status); pass++) {
    status |= flow_run(FLOW_WITH, CT_PART_NEXT_EVALUATION);
    status |= flow_forward(FLOW_WITH, CT_EVALUATION);
    if (!FLOW_STOPS(status)) status |= flow_run(FLOW_WITH, CT_PART_KEEP_EVALUATION);
  }
  if (FLOW_STOPS(status)) return status;
  return status | flow_run(FLOW_WITH, CT_PART_MEAN_RATES);
}

// Trees that fall asleep in the middle are computed once more, with everything that depends on
// velocities; the step itself still moves by the first accelerations.
FLOW_FN int flow_advance(FLOW_PARAMETERS) {
  int status = flow_run(FLOW_WITH, CT_PART_ACTIVATIONS);
  if (!FLOW_STOPS(status)) {
    FLOW_IF_SLEPT() {
      status |= flow_forward(FLOW_WITH, CT_TO_VELOCITY | CT_TO_ACCELERATION);
      if (!FLOW_STOPS(status)) status |= flow_run(FLOW_WITH, CT_PART_ASLEEP);
    }
  }
  if (FLOW_STOPS(status)) return status;
  return status | flow_run(FLOW_WITH, CT_PART_MOTION);
}

// The next state, or the one from before if a stage fails. The integration is open.
FLOW_FN int flow_opened(FLOW_PARAMETERS) {
  int status = flow_rates(FLOW_WITH);
  if (!FLOW_STOPS(status)) status |= flow_advance(FLOW_WITH);
  FLOW_IF_STOPPED(status) {
    status |= flow_run(FLOW_WITH, CT_PART_UNDO);
  }
  return status;
}

FLOW_FN int flow_integrate(FLOW_PARAMETERS) {
  FLOW_BEGIN(ADVANCE);
  int status = flow_run(FLOW_WITH, CT_PART_OPEN);
  if (!FLOW_STOPS(status)) status |= flow_opened(FLOW_WITH);
  FLOW_END(ADVANCE);
  return status;
}

// A step, or what `parts` leaves of it.
FLOW_FN int flow_step(FLOW_PARAMETERS, unsigned parts) {
  int status = flow_run(FLOW_WITH, parts & CT_PART_START);
  if (FLOW_STOPS(status)) return status;
  status |= flow_forward(FLOW_WITH, parts);
  if (FLOW_STOPS(status)) return status;
  status |= flow_run(FLOW_WITH, parts & CT_PART_CHECK);
  if (FLOW_STOPS(status) || !(parts & CT_PART_OPEN)) return status;
  return status | flow_integrate(FLOW_WITH);
}

// Inverse dynamics from the acceleration in qacc, which may be another afterwards.
FLOW_FN int flow_inverse(FLOW_PARAMETERS, unsigned parts) {
  int status = flow_forward(FLOW_WITH, parts & (CT_TO_POSITION | CT_TO_VELOCITY));
  if (!FLOW_STOPS(status)) status |= flow_run(FLOW_WITH, CT_PART_INVERSE);
  if (!FLOW_STOPS(status)) {
    status |= flow_run(FLOW_WITH, parts & (CT_PART_BODY_FORCES | CT_PART_ACCELERATION_SENSORS));
  }
  if (FLOW_STOPS(status)) return status;
  return status | flow_run(FLOW_WITH, CT_PART_INVERSE_FORCE);
}
