// A batch as bytes, and back: a header, then every field that the batch has, with its name.
//
// Fields are read and written through the backend, so that a batch saved on one can go on on
// another. Everything is checked before anything is changed.

#include <corten/batch.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "batch/batch_core.h"
#include "batch/guard.h"

enum { NAME_ROOM = 48 };

typedef struct {
  char magic[8];
  uint64_t sum;        // of all bytes behind it
  uint64_t bytes;      // of everything
  uint64_t signature;  // of the model
  uint64_t seed;
  int32_t count, nfield, nstate, num_bytes;
} Header;

typedef struct {         // before the matrix of a field
  char name[NAME_ROOM];  // "": all of the state; model fields begin with "model."
  uint64_t bytes;
} Entry;

static const char magic[8] = {'C', 'T', 'B', 'A', 'T', 'C', 'H', '2'};

// Tells bytes that were damaged on their way from those that were saved. All matrices and headers
// have multiples of eight bytes.
static uint64_t sum_of(const char* bytes, size_t size) {
  const size_t first = offsetof(Header, bytes);
  uint64_t sum = 0xcbf29ce484222325u;
  for (size_t at = first; at + sizeof(sum) <= size; at += sizeof(sum)) {
    uint64_t word;
    memcpy(&word, bytes + at, sizeof(word));
    sum = (sum ^ word) * 0x100000001b3u;
    sum ^= sum >> 29;
  }
  return sum;
}

// Field i of all that the batch has; false behind the last. Calls must go from 0 upwards.
typedef struct {
  int place;  // 0: state, 1: outcome, 2: data, 3: model
  int i;
} Walk;

static const char* const outcome_names[] = {"status", "reward",  "terminated", "truncated",
                                            "steps",  "warning", "noise"};

// What is set up with an mjData, slots of plugins in this process, is nobody else's.
static bool belongs_to_the_process(const ct_BatchField* field) {
  return field->place == CT_PLACE_DATA && field->array && !strcmp(field->array->stage, "SETUP");
}

static bool next_field(ct_Batch* b, Walk* walk, ct_BatchField* field) {
  for (;;) {
    int i = walk->i++;
    bool there = false;
    if (walk->place == 0) {
      there = i == 0;
      if (there) *field = ct_state_field(b->model, mjSTATE_INTEGRATION);
    } else if (walk->place == 1) {
      there = i < CT_NOUTCOME && !ct_need_field(b, outcome_names[i], field);
    } else {
      ct_BatchPlace place = walk->place == 2 ? CT_PLACE_DATA : CT_PLACE_MODEL;
      there = ct_nth_batch_field(b->model, place, i, field);
    }
    if (there && field->size && b->backend->has(b->self, field) && !belongs_to_the_process(field)) {
      return true;
    }
    if (there) continue;
    if (walk->place == 3) return false;
    walk->place++;
    walk->i = 0;
  }
}

// Numbers of the next matrix stay aligned.
static size_t matrix_bytes(const ct_Batch* b, const ct_BatchField* field) {
  return ((size_t)b->setup.count * ct_batch_row_bytes(field) + 7) / 8 * 8;
}

static size_t saved_size(ct_Batch* b, int* nfield) {
  size_t bytes = sizeof(Header);
  Walk walk = {0, 0};
  ct_BatchField field;
  *nfield = 0;
  while (next_field(b, &walk, &field)) {
    bytes += sizeof(Entry) + matrix_bytes(b, &field);
    ++*nfield;
  }
  return bytes;
}

size_t ct_batch_saved_size(ct_Batch* b) {
  ct_AtWork entry;
  int nfield;
  if (ct_enter_batch(b, &entry, "ct_batch_saved_size")) return 0;
  size_t bytes = saved_size(b, &nfield);
  ct_leave_batch(b, &entry, CT_BATCH_OK);
  return bytes;
}

static Entry entry_of(const ct_Batch* b, const ct_BatchField* field) {
  Entry e;
  memset(&e, 0, sizeof(e));
  size_t at = 0;
  if (field->place == CT_PLACE_MODEL) {
    memcpy(e.name, "model.", 6);
    at = 6;
  }
  size_t length = strlen(field->name);
  if (length > NAME_ROOM - 1 - at) length = NAME_ROOM - 1 - at;
  if (field->place != CT_PLACE_STATE) memcpy(e.name + at, field->name, length);
  e.bytes = matrix_bytes(b, field);
  return e;
}

static int save(ct_Batch* b, char* to, size_t size) {
  Header h;
  char* start = to;
  int nfield;
  memset(&h, 0, sizeof(h));
  size_t bytes = saved_size(b, &nfield);
  if (!to || size < bytes) {
    return ct_batch_refuse(CT_BATCH_BAD_ARGUMENT,
                           "ct_batch_save: %zu bytes are needed, %zu are there", bytes,
                           to ? size : 0);
  }
  memcpy(h.magic, magic, sizeof(magic));
  h.bytes = bytes;
  h.signature = b->model->signature;
  h.seed = b->setup.options.seed;
  h.count = b->setup.count;
  h.nfield = nfield;
  h.nstate = (int32_t)b->setup.nstate;
  h.num_bytes = sizeof(mjtNum);
  memcpy(to, &h, sizeof(h));
  to += sizeof(h);

  Walk walk = {0, 0};
  ct_BatchField field;
  while (next_field(b, &walk, &field)) {
    Entry e = entry_of(b, &field);
    memcpy(to, &e, sizeof(e));
    to += sizeof(e);
    memset(to, 0, e.bytes);
    int code = b->backend->read(b->self, &field, NULL, to);
    if (code) return code;
    to += e.bytes;
  }
  h.sum = sum_of(start, bytes);
  memcpy(start, &h, sizeof(h));
  return CT_BATCH_OK;
}

int ct_batch_save(ct_Batch* b, void* to, size_t size) {
  ct_AtWork entry;
  int code = ct_enter_batch(b, &entry, "ct_batch_save");
  if (code) return code;
  return ct_leave_batch(b, &entry, save(b, (char*)to, size));
}

// Restoring

static int check_header(const ct_Batch* b, const char* from, size_t size, Header* h) {
  const int bad = CT_BATCH_BAD_ARGUMENT;
  if (!from || size < sizeof(Header))
    return ct_batch_refuse(bad, "ct_batch_restore: nothing is there");
  memcpy(h, from, sizeof(*h));
  if (memcmp(h->magic, magic, sizeof(magic)) || h->num_bytes != sizeof(mjtNum)) {
    return ct_batch_refuse(bad,
                           "ct_batch_restore: these bytes are not a batch of this build of corten");
  }
  if (h->bytes < sizeof(Header) || h->nfield < 1) {
    return ct_batch_refuse(bad, "ct_batch_restore: the header makes no sense");
  }
  if (h->bytes != size) {
    return ct_batch_refuse(bad, "ct_batch_restore: the batch has %llu bytes, %s%zu are there",
                           (unsigned long long)h->bytes, h->bytes > size ? "only " : "", size);
  }
  if (h->count != b->setup.count) {
    return ct_batch_refuse(bad, "ct_batch_restore: %d environments were saved, the batch has %d",
                           h->count, b->setup.count);
  }
  if (h->signature != b->model->signature || h->nstate != (int32_t)b->setup.nstate) {
    return ct_batch_refuse(bad, "ct_batch_restore: the batch was saved with another model");
  }
  if (h->sum != sum_of(from, (size_t)h->bytes)) {
    return ct_batch_refuse(bad, "ct_batch_restore: the bytes were damaged since they were saved");
  }
  return CT_BATCH_OK;
}

// The entry at `at` and its field; moves behind its matrix.
static int next_entry(const ct_Batch* b, const char* from, size_t size, size_t* at,
                      ct_BatchField* field, const char** matrix) {
  Entry e;
  if (size - *at < sizeof(e))
    return ct_batch_refuse(CT_BATCH_BAD_ARGUMENT, "ct_batch_restore: cut off");
  memcpy(&e, from + *at, sizeof(e));
  e.name[NAME_ROOM - 1] = 0;
  *at += sizeof(e);
  int code = CT_BATCH_OK;
  if (e.name[0]) {
    code = ct_need_field(b, e.name, field);
  } else {
    *field = ct_state_field(b->model, mjSTATE_INTEGRATION);
  }
  if (code) return code;
  if (e.bytes != matrix_bytes(b, field) || e.bytes > size - *at) {
    return ct_batch_refuse(CT_BATCH_BAD_ARGUMENT,
                           "ct_batch_restore: field \"%s\" has the wrong size", field->name);
  }
  *matrix = from + *at;
  *at += e.bytes;
  return CT_BATCH_OK;
}

static bool says_who_sleeps(const ct_BatchField* field) {
  return field->place == CT_PLACE_DATA && !strcmp(field->name, "tree_asleep");
}

// What a step would follow to places that are not there.
static int check_entry(const ct_Batch* b, const ct_BatchField* field, const char* matrix) {
  char why[300];
  if (field->place == CT_PLACE_MODEL && !ct_field_may_vary(field, why, sizeof(why))) {
    return ct_batch_refuse(CT_BATCH_BAD_ARGUMENT, "ct_batch_restore: %s", why);
  }
  size_t count = says_who_sleeps(field) ? (size_t)b->setup.count * (size_t)field->size : 0;
  for (size_t i = 0; i < count; i++) {
    int tree;
    memcpy(&tree, matrix + i * sizeof(int), sizeof(int));
    if (tree < b->model->ntree) continue;
    return ct_batch_refuse(CT_BATCH_BAD_ARGUMENT,
                           "ct_batch_restore: environment %d: there is no tree %d to sleep with",
                           (int)(i / (size_t)field->size), tree);
  }
  return CT_BATCH_OK;
}

static int make_room(ct_Batch* b, const ct_BatchField* field) {
  if (b->backend->has(b->self, field)) return CT_BATCH_OK;
  return field->place == CT_PLACE_MODEL ? b->backend->vary(b->self, field)
                                        : b->backend->keep(b->self, field);
}

// Fields that the batch has and the saved one had not begin anew: as a reset leaves them, or as the
// model has them.
static int begin_anew(ct_Batch* b, const mjData* fresh) {
  Walk walk = {2, 0};
  ct_BatchField field;
  int code = CT_BATCH_OK;
  while (!code && next_field(b, &walk, &field)) {
    size_t bytes = ct_batch_row_bytes(&field);
    bool data = field.place == CT_PLACE_DATA;
    const void* from = ct_batch_field_in(&field, data ? (const void*)fresh : (void*)b->model);
    char* rows = (char*)malloc((size_t)b->setup.count * bytes);
    if (!rows) return ct_batch_refuse(CT_BATCH_NO_MEMORY, "ct_batch_restore: there is no memory");
    for (int i = 0; i < b->setup.count; i++) memcpy(rows + (size_t)i * bytes, from, bytes);
    code = b->backend->write(b->self, &field, NULL, rows);
    free(rows);
  }
  return code;
}

// All entries are looked at, then there is room for all, then they are written: who sleeps last,
// because who is awake follows from that.
typedef enum { CHECK, MAKE_ROOM, WRITE, WRITE_SLEEP, PASSES } Pass;

static int visit_entry(ct_Batch* b, Pass pass, const ct_BatchField* field, const char* matrix) {
  if (belongs_to_the_process(field)) return CT_BATCH_OK;
  switch (pass) {
    case CHECK:
      return check_entry(b, field, matrix);
    case MAKE_ROOM:
      return make_room(b, field);
    default:
      if (says_who_sleeps(field) != (pass == WRITE_SLEEP)) return CT_BATCH_OK;
      return b->backend->write(b->self, field, NULL, matrix);
  }
}

// An mjData after a reset, for those who delete it; NULL after a message.
static mjData* make_fresh(const ct_Batch* b) {
  ct_Listener listener;
  ct_listen(&listener);
  mjData* d = mj_makeData(b->model);
  ct_stop_listening(&listener);
  if (!d) ct_batch_refuse(CT_BATCH_NO_MEMORY, "ct_batch_restore: %s", listener.message);
  return d;
}

static int restore_into(ct_Batch* b, const mjData* fresh, const char* from, size_t size) {
  Header h;
  ct_BatchField field;
  const char* matrix = NULL;
  int code = check_header(b, from, size, &h);
  for (int pass = CHECK; pass < PASSES && !code; pass++) {
    size_t at = sizeof(h);
    if (pass == WRITE) code = begin_anew(b, fresh);
    for (int i = 0; i < h.nfield && !code; i++) {
      code = next_entry(b, from, (size_t)h.bytes, &at, &field, &matrix);
      if (!code) code = visit_entry(b, (Pass)pass, &field, matrix);
    }
  }
  if (!code) b->setup.options.seed = h.seed;
  return code;
}

static int restore(ct_Batch* b, const char* from, size_t size) {
  mjData* fresh = make_fresh(b);
  int code = fresh ? restore_into(b, fresh, from, size) : CT_BATCH_NO_MEMORY;
  mj_deleteData(fresh);
  return code;
}

int ct_batch_restore(ct_Batch* b, const void* from, size_t size) {
  ct_AtWork entry;
  int code = ct_enter_batch(b, &entry, "ct_batch_restore");
  if (code) return code;
  return ct_leave_batch(b, &entry, restore(b, (const char*)from, size));
}
