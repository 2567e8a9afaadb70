// Parts of the sensor stage that the public headers do not declare.

#ifndef CT_HOST_SENSOR_H_
#define CT_HOST_SENSOR_H_

#include <mujoco/mujoco.h>

// Whatever runs sensors forgets what was wrong with them before, and reports afterwards.
void ct_forget_bad_sensor(mjData* d);

// If a sensor could not be computed: an error of `function` that names it and says why.
void ct_report_bad_sensor(const mjModel* m, mjData* d, const char* function);

#endif  // CT_HOST_SENSOR_H_
