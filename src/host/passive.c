// Public function of passive forces: the stage, then the user's callback and plugins.

#include "engine/smooth/passive.h"

#include <corten/status.h>

#include "base/plugin.h"
#include "base/private.h"
#include "host/report.h"

static void call_passive_plugins(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nplugin; i++) {
    if (!ct_plugin_compute(m, d, i, mjPLUGIN_PASSIVE, "mj_passive")) return;
  }
}

// The stage, which says only by its status that it had no room.
static void run_stage(const mjModel* m, mjData* d) {
  ct_Private* p = ct_private(d);
  unsigned before = p->status;
  p->status = CT_OK;
  ct_passive(lane_one(), m, d);
  bool full = (p->status & CT_ARENA_FULL) != 0;
  p->status |= before;
  if (full) ct_no_room(d, "mj_passive");
}

// Callback and plugins add to qfrc_passive. They too are off if springs and dampers are.
void mj_passive(const mjModel* m, mjData* d) {
  run_stage(m, d);
  if (!ct_has_passive(m)) return;
  if (mjcb_passive) mjcb_passive(m, d);
  if (m->nplugin) call_passive_plugins(m, d);
}
