// Default values of the settings structs. A fresh model starts with these; so does every field that
// a model file does not mention. The values stand in schema/settings.def.

#include <mujoco/mujoco.h>
#include <string.h>

#define VALUES(...) \
  { __VA_ARGS__ }

static const mjOption default_option = {
#define OPTION(type, name, extent, value, doc) .name = value,
#include "settings.def"
};

static const mjVisual default_visual = {
#define VISUAL(part, type, name, extent, value, doc) .part.name = value,
#include "settings.def"
};

void mj_defaultOption(mjOption* opt) {
  if (!opt) return;
  memcpy(opt, &default_option, sizeof(*opt));  // with its padding, which files have
}

void mj_defaultVisual(mjVisual* vis) {
  if (vis) memcpy(vis, &default_visual, sizeof(*vis));
}

// The parameters of constraints start with the same values as those that may override them.
void mj_defaultSolRefImp(mjtNum* solref, mjtNum* solimp) {
  if (solref) memcpy(solref, default_option.o_solref, sizeof(default_option.o_solref));
  if (solimp) memcpy(solimp, default_option.o_solimp, sizeof(default_option.o_solimp));
}

void mj_defaultLROpt(mjLROpt* opt) {
  static const mjLROpt option = {
      .mode = mjLRMODE_MUSCLE,
      .useexisting = 1,
      .accel = 20,
      .timeconst = 1,
      .timestep = 0.01,
      .inttotal = 10,
      .interval = 2,
      .tolrange = 0.05,
  };
  if (opt) *opt = option;
}
