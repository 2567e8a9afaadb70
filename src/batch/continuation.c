#include "batch/continuation.h"

#include <string.h>

struct ct_Continuation_ {
  const ct_CpuBatch* b;
  mjtNum* state;  // (n x nstate) that the stages were computed from
  char* varied;   // (n x room) likewise, as many columns as there were
  size_t room;    // bytes of all varied fields of one simulation
  int ncolumn;
  mjtByte* valid;  // (n)
};

ct_Continuation* ct_make_continuation(const ct_CpuBatch* b) {
  ct_Continuation* c = (ct_Continuation*)mju_malloc(sizeof(ct_Continuation));
  if (!c) return NULL;
  memset(c, 0, sizeof(*c));
  c->b = b;
  c->state = (mjtNum*)mju_malloc((size_t)b->n * b->nstate * sizeof(mjtNum));
  c->valid = (mjtByte*)mju_malloc((size_t)b->n);
  if (!c->state || !c->valid) {
    ct_delete_continuation(c);
    return NULL;
  }
  ct_forget_stages(c);
  return c;
}

void ct_delete_continuation(ct_Continuation* c) {
  if (!c) return;
  mju_free(c->state);
  mju_free(c->varied);
  mju_free(c->valid);
  mju_free(c);
}

void ct_forget_stages(ct_Continuation* c) {
  memset(c->valid, 0, (size_t)c->b->n);
}

static size_t varied_bytes(const ct_CpuBatch* b) {
  size_t bytes = 0;
  for (int i = 0; i < b->varied.count; i++) bytes += b->varied.item[i].bytes;
  return bytes;
}

void ct_prepare_stages(ct_Continuation* c) {
  const ct_CpuBatch* b = c->b;
  if (c->ncolumn == b->varied.count) return;
  ct_forget_stages(c);
  mju_free(c->varied);
  c->room = varied_bytes(b);
  c->varied = (char*)mju_malloc((size_t)b->n * c->room);
  c->ncolumn = c->varied ? b->varied.count : -1;
}

void ct_note_stages(ct_Continuation* c, int sim, const mjModel* m, bool valid) {
  const ct_CpuBatch* b = c->b;
  c->valid[sim] = 0;
  if (!valid || m->nhistory || m->nplugin || c->ncolumn != b->varied.count) return;
  memcpy(c->state + (size_t)sim * b->nstate, ct_state_row(b, sim), b->nstate * sizeof(mjtNum));
  char* to = c->varied + (size_t)sim * c->room;
  for (int i = 0; i < c->ncolumn; i++) {
    const ct_Column* column = b->varied.item + i;
    if (column->bytes) memcpy(to, ct_column_row(column, sim), column->bytes);
    to += column->bytes;
  }
  c->valid[sim] = 1;
}

static bool callbacks_are_installed(void) {
  return mjcb_passive || mjcb_sensor || mjcb_contactfilter || mjcb_act_bias || mjcb_act_gain ||
         mjcb_act_dyn || mjcb_control;
}

bool ct_still_valid(const ct_Continuation* c, int sim) {
  const ct_CpuBatch* b = c->b;
  if (!c->valid[sim] || c->ncolumn != b->varied.count || callbacks_are_installed()) return false;
  const int later = mjSTATE_CTRL | mjSTATE_QFRC_APPLIED | mjSTATE_XFRC_APPLIED;
  const mjtNum *row = ct_state_row(b, sim), *was = c->state + (size_t)sim * b->nstate;
  for (int i = 0; i < mjNSTATE; i++) {
    size_t at = b->component[i], bytes = (b->component[i + 1] - at) * sizeof(mjtNum);
    if ((later & (1 << i)) || !bytes) continue;
    if (memcmp(row + at, was + at, bytes)) return false;
  }
  const char* from = c->varied + (size_t)sim * c->room;
  for (int i = 0; i < c->ncolumn; i++) {
    const ct_Column* column = b->varied.item + i;
    if (column->bytes && memcmp(from, ct_column_row(column, sim), column->bytes)) return false;
    from += column->bytes;
  }
  return true;
}
