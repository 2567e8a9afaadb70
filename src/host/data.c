// Public functions that make, copy and delete data.

#include "host/data.h"

#include <stddef.h>

#include "base/memory/data_memory.h"
#include "base/model/fields.h"
#include "base/plugin.h"
#include "base/private.h"
#include "host/report.h"
#include "host/walk.h"

// Are the arrays of an mjData as long as those of one that is made for this model? All together,
// and each: what one has more, another may have less.
static bool arrays_fit(const mjData* d, const mjModel* m) {
  size_t nbuffer;
  return ct_place_fields(ct_data_fields, ct_ndata_field, m, NULL, NULL, &nbuffer) &&
         (mjtSize)nbuffer == d->nbuffer &&
         ct_fields_have_room(ct_data_fields, ct_ndata_field, m, d, d->buffer, nbuffer) &&
         ct_schedule_fits(d, m);
}

void mj_makeRawData(mjData** dest, const mjModel* m) {
  mjData* old = *dest;
  if (old && m->narena == old->narena && arrays_fit(old, m)) return;
  mj_deleteData(old);
  *dest = ct_make_data(m);
}

void mj_initPlugin(const mjModel* m, mjData* d) {
  for (int i = 0; i < m->nplugin; i++) {
    int status = CT_OK;
    const mjpPlugin* plugin = ct_plugin_of(m, d, i, &status);
    if (!plugin) {
      ct_report(m, d, status, "mj_makeData");
      return;
    }
    d->plugin[i] = m->plugin[i];
    if (plugin->init && plugin->init(m, d, i) < 0) {
      mju_error("mj_makeData: plugin %s could not initialise instance %d", plugin->name, i);
      return;
    }
    d->nplugin = i + 1;  // those that mj_deleteData has to destroy
  }
}

mjData* mj_makeData(const mjModel* m) {
  mjData* d = NULL;
  if (!m) {
    mju_warning("mj_makeData: the model is NULL");
    return NULL;
  }
  mj_makeRawData(&d, m);
  if (!d) return NULL;
  mj_initPlugin(m, d);
  mj_resetData(m, d);
  return d;
}

static mjData* copy_data(mjData* dest, const mjModel* m, const mjData* src, bool for_scene,
                         const char* function) {
  if (!m || !src) {
    mju_warning("%s: the %s is NULL", function, m ? "source" : "model");
    return NULL;
  }
  if (src->pstack != 0) {
    mju_error("%s: the stack of the source is in use", function);
    return NULL;
  }
  if (dest == src) return dest;
  // before anything is made: an error handler may return, or jump
  if (dest ? dest->nbuffer != src->nbuffer || dest->narena != src->narena
           : m->narena != src->narena) {
    mju_error("%s: dest and src belong to models of different sizes", function);
    return NULL;
  }
  if (!arrays_fit(src, m) || (dest && !arrays_fit(dest, m))) {
    mju_error("%s: dest and src belong to a model of other sizes than the one given: pass theirs",
              function);
    return NULL;
  }
  if (!dest) {
    mj_makeRawData(&dest, m);
    if (!dest) return NULL;
    mj_initPlugin(m, dest);
  }
  ct_copy_data(dest, m, src, for_scene);
  int status = CT_OK;
  for (int i = 0; i < m->nplugin; i++) {
    const mjpPlugin* plugin = ct_plugin_of(m, dest, i, &status);
    if (plugin && plugin->copy) plugin->copy(dest, m, src, i);
  }
  ct_report(m, dest, status, function);
  return dest;
}

mjData* mj_copyData(mjData* dest, const mjModel* m, const mjData* src) {
  return copy_data(dest, m, src, false, "mj_copyData");
}

mjData* mjv_copyData(mjData* dest, const mjModel* m, const mjData* src) {
  return copy_data(dest, m, src, true, "mjv_copyData");
}

void mj_deleteData(mjData* d) {
  if (!d) return;
  ct_destroy_plugins(d);
  ct_free_data(d);
}
