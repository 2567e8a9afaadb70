// Exported functions of velocity derivatives.

#include "api/derivative.h"

#include "engine/smooth/velocity_derivative.h"

static void check_room(bool good, const char* function) {
  if (!good) mju_error("%s: the stack has no room; give the model more memory", function);
}

void mjd_smooth_vel(const mjModel* m, mjData* d, int with_bias) {
  check_room(ct_smooth_derivative(lane_one(), m, d, with_bias != 0), "mjd_smooth_vel");
}

void mjd_actuator_vel(const mjModel* m, mjData* d) {
  ct_actuator_derivative(lane_one(), m, d);
}

void mjd_passive_vel(const mjModel* m, mjData* d) {
  check_room(ct_passive_derivative(lane_one(), m, d), "mjd_passive_vel");
}
