#include "conformance/rules.h"

#include <math.h>
#include <string.h>

static bool listed(const char* name, const char* const* names, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (!strcmp(name, names[i])) return true;
  }
  return false;
}
#define LISTED(name_, names_) listed(name_, names_, sizeof(names_) / sizeof(names_[0]))

bool behind_solver(const char* field) {
  static const char* const names[] = {
      "qacc",       "qfrc_constraint", "efc_force", "efc_state", "iacc",     "iefc_force",
      "iefc_state", "ifrc_constraint", "cacc",      "cfrc_int",  "cfrc_ext",
      "contact.H",  // of the last iterate in the cone's surface
  };
  return LISTED(field, names);
}

bool integrates_solver(const char* field) {
  static const char* const names[] = {"qpos", "qvel", "qacc_warmstart", "history"};
  return LISTED(field, names);
}

Tolerance solver_tolerance(const mjModel* m) {
  Tolerance t = {0, fmax(1e-6, (double)m->opt.tolerance), 0};
  return t;
}

bool is_bookkeeping(const char* value) {
  static const char* const names[] = {"narena", "nbuffer", "pstack", "pbase",     "parena",
                                      "timer",  "buffer",  "arena",  "threadpool"};
  return LISTED(value, names) || !strncmp(value, "maxuse_", 7);
}

bool is_statistic(const char* field) {
  return !strcmp(field, "bvh_active") || !strncmp(field, "solver", 6);
}
