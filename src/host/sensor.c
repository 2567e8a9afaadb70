// Public functions of sensors: the stage, then the sensors of users and plugins, which lane code
// does not know.

#include "host/sensor.h"

#include <corten/status.h>

#include "base/model/awake.h"
#include "base/plugin.h"
#include "base/private.h"
#include "engine/sensor/sensor.h"

// Why a sensor could not be computed.
static const char* reason_of(const mjModel* m, const mjData* d, int sensor) {
  switch (m->sensor_type[sensor]) {
    case mjSENS_TACTILE:
      return ct_some_asleep(m, d)
                 ? "is tactile, which cannot be combined with sleep; clear mjENBL_SLEEP"
                 : "is tactile and touches a height field, which has no distance; take a mesh";
    case mjSENS_RANGEFINDER:
      return "has more rays than the stack has room for; raise memory in <size>";
    default:
      return "is one of a user or plugin, which cannot be computed for a delay; set it to 0";
  }
}

void ct_forget_bad_sensor(mjData* d) {
  if (!ct_private(d)->quiet) ct_private(d)->status &= ~(unsigned)CT_BAD_SENSOR;
}

void ct_report_bad_sensor(const mjModel* m, mjData* d, const char* function) {
  const ct_Private* p = ct_private(d);
  if (!(p->status & CT_BAD_SENSOR) || p->quiet) return;
  const char* name = mj_id2name(m, mjOBJ_SENSOR, p->bad_sensor);
  mju_error("%s: sensor %d '%s' %s", function, p->bad_sensor, name ? name : "",
            reason_of(m, d, p->bad_sensor));
}

static void run_user_sensors(const mjModel* m, mjData* d, int stage) {
  int count = 0;
  for (int i = 0; i < m->nsensor; i++) {
    count += m->sensor_type[i] == mjSENS_USER && m->sensor_needstage[i] == stage;
  }
  if (!count) return;
  if (mjcb_sensor) mjcb_sensor(m, d, stage);
  for (int i = 0; i < m->nsensor; i++) {
    if (m->sensor_type[i] != mjSENS_USER || m->sensor_needstage[i] != stage) continue;
    ct_sensor_cutoff(m, i, d->sensordata + m->sensor_adr[i]);
  }
}

// One instance of a plugin, and the cutoffs of its sensors. Plugins without a stage run with the
// positions; their sensors are not clamped.
static bool run_plugin(const mjModel* m, mjData* d, int instance, int stage) {
  const mjpPlugin* plugin = ct_plugin_of(m, instance, "mj_sensor");
  if (!plugin) return false;
  bool early = plugin->needstage == mjSTAGE_NONE && stage == mjSTAGE_POS;
  if (!(plugin->capabilityflags & mjPLUGIN_SENSOR)) return true;
  if (plugin->needstage != stage && !early) return true;
  ct_provide_for_users(lane_one(), m, d, stage);
  if (!ct_plugin_compute(m, d, instance, mjPLUGIN_SENSOR, "mj_sensor")) return false;
  for (int i = 0; i < m->nsensor; i++) {
    bool its = m->sensor_type[i] == mjSENS_PLUGIN && m->sensor_plugin[i] == instance;
    if (its && m->sensor_needstage[i] == stage) {
      ct_sensor_cutoff(m, i, d->sensordata + m->sensor_adr[i]);
    }
  }
  return true;
}

static void run_stage(const mjModel* m, mjData* d, int stage, const char* function) {
  if (m->opt.disableflags & mjDSBL_SENSOR) return;
  ct_forget_bad_sensor(d);
  ct_sensors(lane_one(), m, d, stage);
  ct_report_bad_sensor(m, d, function);
  run_user_sensors(m, d, stage);
  for (int i = 0; i < m->nplugin; i++) {
    if (!run_plugin(m, d, i, stage)) return;
  }
}

void mj_sensorPos(const mjModel* m, mjData* d) {
  run_stage(m, d, mjSTAGE_POS, "mj_sensorPos");
}

void mj_sensorVel(const mjModel* m, mjData* d) {
  run_stage(m, d, mjSTAGE_VEL, "mj_sensorVel");
}

void mj_sensorAcc(const mjModel* m, mjData* d) {
  run_stage(m, d, mjSTAGE_ACC, "mj_sensorAcc");
}
