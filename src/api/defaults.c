// Default values of the option structs. A fresh model starts with these; so does every field that a model
// file does not mention.

#include <mujoco/mujoco.h>
#include <string.h>

static const mjtNum default_solref[mjNREF] = {0.02, 1};
static const mjtNum default_solimp[mjNIMP] = {0.9, 0.95, 0.001, 0.5, 2};

void mj_defaultSolRefImp(mjtNum* solref, mjtNum* solimp) {
  if (solref) memcpy(solref, default_solref, sizeof(default_solref));
  if (solimp) memcpy(solimp, default_solimp, sizeof(default_solimp));
}

// The defaults of settings stand in the schema, beside their names.
#define VALUES(...) {__VA_ARGS__}

void mj_defaultOption(mjOption* opt) {
  static const mjOption option = {
#define OPTION(type, name, extent, value, doc) .name = value,
#include "settings.def"
  };
  *opt = option;
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
  *opt = option;
}

void mj_defaultVisual(mjVisual* vis) {
  static const mjVisual visual = {
#define VISUAL(part, type, name, extent, value, doc) .part.name = value,
#include "settings.def"
  };
  *vis = visual;
}
