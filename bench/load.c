#include "load.h"

#include <stdio.h>
#include <string.h>

mjModel* load_timed(const Engine* e, const char* path, const mjVFS* vfs, char* error, int room,
                    LoadTime* time) {
  mjModel* volatile m = NULL;
  error[0] = 0;
  time->busy = process_seconds();
  time->wall = wall_seconds();
  ENGINE_TRY(m = e->mj_loadXML(path, vfs, error, room), m = NULL);
  time->wall = wall_seconds() - time->wall;
  time->busy = process_seconds() - time->busy;
  if (!m && !error[0]) snprintf(error, (size_t)room, "%s", engine_trap.message);
  return m;
}

// False, and the refusal noted, if the engine does not load the thing.
static bool load_once(LoadRounds* r, const Engine* e, Loader load, const void* thing,
                      LoadTime* time) {
  mjModel* m = load(e, thing, r->refusal, sizeof(r->refusal), time);
  if (!m) {
    r->refused_by = e->label;
    return false;
  }
  e->mj_deleteModel(m);
  return true;
}

void measure_loads(LoadRounds* r, const Engine* reference, const Engine* corten, Loader load,
                   const void* thing, int least, double budget) {
  LoadTime a, b;
  memset(r, 0, sizeof(*r));
  if (!load_once(r, reference, load, thing, &a) || !load_once(r, corten, load, thing, &b)) return;
  double until = wall_seconds() + budget;
  for (int i = 0; i < MAX_ROUNDS && (i < least || wall_seconds() < until); i++) {
    bool first = reference_goes_first(i);
    bool fine = load_once(r, first ? reference : corten, load, thing, first ? &a : &b) &&
                load_once(r, first ? corten : reference, load, thing, first ? &b : &a);
    if (!fine) return;
    add_round(&r->busy, a.busy, b.busy);
    add_round(&r->wall, a.wall, b.wall);
  }
}
