#include "host/report.h"

#include "base/error.h"
#include "base/model/awake.h"
#include "base/model/faults.h"
#include "base/private.h"

// A warning that was counted `times` by the stage.
static void say_first(const mjData* d, int warning, int times) {
  if (d->warning[warning].number == times) ct_say_warning(d, warning);
}

void ct_say_warnings(const mjData* d, int status) {
  if (status & CT_NO_ROWS) say_first(d, mjWARN_CNSTRFULL, 1);
  if (status & CT_FEWER_CONTACTS) say_first(d, mjWARN_CONTACTFULL, ct_private(d)->detail.lost);
  if (status & CT_BAD_CONTROL) say_first(d, mjWARN_BADCTRL, 1);
  if (status & CT_MIXED_SOLREF) {
    mju_warning("mj_makeConstraint: %s", ct_status_message(CT_MIXED_SOLREF));
  }
}

static void complain_of_model(const mjModel* m, const mjData* d, const char* function) {
  const ct_Detail* detail = &ct_private(d)->detail;
  char text[400];
  ct_describe_fault(m, (ct_Cause)detail->cause, detail->id, text, sizeof(text));
  mju_error("%s: %s", function, text);
}

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

static void complain_of_sensor(const mjModel* m, const mjData* d, const char* function) {
  int sensor = ct_private(d)->detail.sensor;
  const char* name = mj_id2name(m, mjOBJ_SENSOR, sensor);
  mju_error("%s: sensor %d '%s' %s", function, sensor, name ? name : "", reason_of(m, d, sensor));
}

static void complain_of_contact(const mjData* d, const char* function) {
  const ct_Detail* detail = &ct_private(d)->detail;
  if (detail->hits > 0) {
    mju_error("%s: geoms %d and %d have %d contacts; a pair has at most %d", function,
              detail->geom[0], detail->geom[1], detail->hits, mjMAXCONPAIR);
  } else {
    mju_error("%s: %s", function, ct_status_message(CT_BAD_CONTACT));
  }
}

void ct_report(const mjModel* m, mjData* d, int status, const char* function) {
  ct_private(d)->status |= (unsigned)(status & CT_PUBLIC_STATUS);
  if (status & CT_BAD_MODEL) {
    complain_of_model(m, d, function);
  } else if (status & CT_BAD_SENSOR) {
    complain_of_sensor(m, d, function);
  } else if (status & CT_BAD_CONTACT) {
    complain_of_contact(d, function);
  } else if (status & CT_LU_SINGULAR) {
    mju_error("%s: a pivot of M - h D is zero; take a smaller timestep, or implicitfast", function);
  } else if (status & CT_NO_SCRATCH) {
    mju_error(
        "mj_stackAlloc: out of memory, stack overflow in %s; give the model more memory in <size>",
        function);
  }
}
