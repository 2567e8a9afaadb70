// Public functions of a batch that move fields: by name or by state components, as copies or views.

#include <corten/batch.h>

#include "batch/batch_core.h"

int ct_batch_field_size(ct_Batch* b, const char* name, int* type) {
  ct_BatchField field;
  if (!b) return ct_batch_refuse(CT_BATCH_BAD_ARGUMENT, "ct_batch_field_size: the batch is NULL");
  if (ct_need_field(b, name, &field)) return -1;
  if (type) *type = field.type;
  return field.size;
}

int ct_batch_keep(ct_Batch* b, const char* name) {
  ct_AtWork entry;
  ct_BatchField field;
  int code = ct_enter_batch(b, &entry, "ct_batch_keep");
  if (code) return code;
  code = ct_need_field(b, name, &field);
  if (!code && field.place == CT_PLACE_MODEL) {
    code = ct_batch_refuse(
        CT_BATCH_BAD_ARGUMENT,
        "ct_batch_keep: \"%s\" is a field of the model; ct_batch_vary is for those", name);
  }
  if (!code && field.place == CT_PLACE_DATA) code = b->backend->keep(b->self, &field);
  return ct_leave_batch(b, &entry, code);
}

static int vary(ct_Batch* b, const ct_BatchField* field) {
  char why[300];
  if (!ct_field_may_vary(field, why, sizeof(why))) {
    return ct_batch_refuse(CT_BATCH_BAD_ARGUMENT, "%s", why);
  }
  return b->backend->vary(b->self, field);
}

int ct_batch_vary(ct_Batch* b, const char* name) {
  ct_AtWork entry;
  ct_BatchField field;
  int code = ct_enter_batch(b, &entry, "ct_batch_vary");
  if (code) return code;
  code = ct_need_field(b, name, &field);
  if (!code) code = vary(b, &field);
  return ct_leave_batch(b, &entry, code);
}

int ct_batch_set_const(ct_Batch* b, const mjtByte* mask) {
  ct_AtWork entry;
  int code = ct_enter_batch(b, &entry, "ct_batch_set_const");
  if (code) return code;
  return ct_leave_batch(b, &entry, b->backend->set_const(b->self, mask));
}

// A field of mjData that is computed, used and overwritten by the next environment is not there.
static int need_kept(const ct_Batch* b, const ct_BatchField* field) {
  if (field->place != CT_PLACE_DATA || b->backend->has(b->self, field)) return CT_BATCH_OK;
  return ct_batch_refuse(
      CT_BATCH_BAD_ARGUMENT,
      "field \"%s\" is not kept; call ct_batch_keep(b, \"%s\") before the step, or "
      "create the batch with own_data",
      field->name, field->name);
}

static int need_pointer(const ct_BatchField* field, const void* pointer) {
  if (pointer || !field->size) return CT_BATCH_OK;
  return ct_batch_refuse(CT_BATCH_BAD_ARGUMENT, "the matrix for field \"%s\" is NULL", field->name);
}

int ct_batch_get(ct_Batch* b, const char* name, const mjtByte* mask, void* to) {
  ct_AtWork entry;
  ct_BatchField field;
  int code = ct_enter_batch(b, &entry, "ct_batch_get");
  if (code) return code;
  code = ct_need_field(b, name, &field);
  if (!code) code = need_kept(b, &field);
  if (!code) code = need_pointer(&field, to);
  if (!code && field.size) code = b->backend->read(b->self, &field, mask, to);
  return ct_leave_batch(b, &entry, code);
}

// Integers of mjData say what a step has found and where it lies; nobody else can know.
static int need_writable(const ct_BatchField* field) {
  if (field->place != CT_PLACE_DATA || field->type != CT_INT) return CT_BATCH_OK;
  return ct_batch_refuse(CT_BATCH_BAD_ARGUMENT,
                         "field \"%s\" is a result of a step and cannot be set", field->name);
}

int ct_batch_set(ct_Batch* b, const char* name, const mjtByte* mask, const void* from) {
  ct_AtWork entry;
  ct_BatchField field;
  int code = ct_enter_batch(b, &entry, "ct_batch_set");
  if (code) return code;
  code = ct_need_field(b, name, &field);
  if (!code) code = need_kept(b, &field);
  if (!code) code = need_writable(&field);
  if (!code) code = need_pointer(&field, from);
  if (!code && field.place == CT_PLACE_MODEL) code = vary(b, &field);
  if (!code && field.size) code = b->backend->write(b->self, &field, mask, from);
  return ct_leave_batch(b, &entry, code);
}

int ct_batch_get_state(ct_Batch* b, int state, const mjtByte* mask, mjtNum* to) {
  ct_AtWork entry;
  int code = ct_enter_batch(b, &entry, "ct_batch_get_state");
  if (code) return code;
  code = ct_need_state(state);
  if (!code) {
    ct_BatchField field = ct_state_field(b->model, state);
    code = need_pointer(&field, to);
    if (!code && field.size) code = b->backend->read(b->self, &field, mask, to);
  }
  return ct_leave_batch(b, &entry, code);
}

int ct_batch_set_state(ct_Batch* b, int state, const mjtByte* mask, const mjtNum* from) {
  ct_AtWork entry;
  int code = ct_enter_batch(b, &entry, "ct_batch_set_state");
  if (code) return code;
  code = ct_need_state(state);
  if (!code) {
    ct_BatchField field = ct_state_field(b->model, state);
    code = need_pointer(&field, from);
    if (!code && field.size) code = b->backend->write(b->self, &field, mask, from);
  }
  return ct_leave_batch(b, &entry, code);
}

int ct_batch_view(ct_Batch* b, const char* name, ct_BatchView* view) {
  if (!view) return ct_batch_refuse(CT_BATCH_BAD_ARGUMENT, "ct_batch_view: the view is NULL");
  ct_AtWork entry;
  ct_BatchField field;
  int code = ct_enter_batch(b, &entry, "ct_batch_view");
  if (code) return code;
  code = ct_need_field(b, name, &field);
  if (!code) code = b->backend->view(b->self, &field, view);
  return ct_leave_batch(b, &entry, code);
}

int ct_batch_view_state(ct_Batch* b, ct_BatchView* view) {
  if (!view) return ct_batch_refuse(CT_BATCH_BAD_ARGUMENT, "ct_batch_view_state: the view is NULL");
  ct_AtWork entry;
  int code = ct_enter_batch(b, &entry, "ct_batch_view_state");
  if (code) return code;
  ct_BatchField field = ct_state_field(b->model, mjSTATE_INTEGRATION);
  return ct_leave_batch(b, &entry, b->backend->view(b->self, &field, view));
}
