// Sensors: what a stage writes to sensordata, and what a step keeps in the histories of sensors.
//
// sensor.c decides when a sensor is computed, the other files compute one.

#ifndef CT_ENGINE_SENSOR_SENSOR_H_
#define CT_ENGINE_SENSOR_SENSOR_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

#include "base/failure.h"
#include "base/lanes.h"

// All sensors of a stage (mjSTAGE_POS, VEL, ACC) -> sensordata; nothing if sensors are disabled.
// User sensors are set to zero, plugin sensors left alone: functions of the user do not exist
// here, the host calls them afterwards. CT_BAD_SENSOR: one of them cannot be computed.
LANE_FN int ct_sensors(Lane g, const mjModel* m, mjData* d, int stage);

// At the start of an integration: histories of sensors take the sample that is due. Those with a
// delay are computed for it. CT_BAD_SENSOR: one of them has no formula.
LANE_FN int ct_record_sensors(Lane g, const mjModel* m, mjData* d);

// Subtree velocities, or accelerations and forces of bodies, if this is the stage that has them and
// they are not there yet. For sensors of users and plugins, which may read them.
LANE_FN int ct_provide_for_users(Lane g, const mjModel* m, mjData* d, int stage);

// Clamps the values (sensor_dim) of a sensor as its cutoff says.
LANE_FN void ct_sensor_cutoff(const mjModel* m, int sensor, mjtNum* value);

// May the sensor be left alone because what it looks at sleeps? Asked only while something does.
LANE_FN bool ct_sensor_asleep(const mjModel* m, const mjData* d, int sensor);

// The value of one sensor by one lane, from what is already in d. Not for wide ones.
LANE_FN void ct_sensor_value(const mjModel* m, const mjData* d, int sensor, mjtNum* value);

// Wide sensors have many values that lanes share: images of distances, tactile skins.
LANE_INLINE bool ct_sensor_is_wide(const mjModel* m, int sensor) {
  int type = m->sensor_type[sensor];
  return type == mjSENS_TACTILE ||
         (type == mjSENS_RANGEFINDER && m->sensor_objtype[sensor] == mjOBJ_CAMERA);
}

// The values of a wide sensor. CT_BAD_SENSOR if it cannot be computed: no room for its rays, or a
// tactile sensor that touches a height field.
LANE_FN int ct_camera_ranges(Lane g, const mjModel* m, mjData* d, int sensor, mjtNum* value);
LANE_FN int ct_tactile(Lane g, const mjModel* m, const mjData* d, int sensor, mjtNum* value);

// Sensors with a file of their own. ct_site_range: rangefinder on a site.
LANE_FN void ct_site_range(const mjModel* m, const mjData* d, int sensor, mjtNum* value);
LANE_FN void ct_camera_projection(const mjModel* m, const mjData* d, int sensor, mjtNum value[2]);
LANE_FN void ct_contact_sensor(const mjModel* m, const mjData* d, int sensor, mjtNum* value);

// Where the ray of a pixel of a camera starts, and its direction; pixels count row by row.
LANE_FN void ct_pixel_ray(const mjModel* m, const mjData* d, int cam, int pixel, mjtNum origin[3],
                          mjtNum direction[3]);

// Is the point strictly inside the volume of the site?
LANE_FN bool ct_inside_site(const mjModel* m, const mjData* d, int site, const mjtNum point[3]);

#endif  // CT_ENGINE_SENSOR_SENSOR_H_
