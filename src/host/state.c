// The state of an mjData as one vector of numbers, and as a keyframe of the model.
//
// A signature is a set of bits, one per element of the state (mjtState). The vector holds the
// elements whose bit is set, in the order of the bits. Copying into an mjData changes these
// elements and nothing else: quaternions are not normalised, nothing is recomputed, sleeping trees
// sleep on.

#include "host/state.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

// Where an element of the state lives in mjData.
typedef enum { INSIDE, NUMBERS, BYTES } Storage;  // in the struct itself, or in an array

typedef struct {
  Storage storage;
  size_t data_offset;  // in mjData, of the number or of the pointer to the array
  size_t rows_offset;  // in mjModel, of the number of rows; not for INSIDE
  int columns;
} Element;

#define ARRAY(storage_, field_, rows_, columns_) \
  { storage_, offsetof(mjData, field_), offsetof(mjModel, rows_), columns_ }

static const Element elements[mjNSTATE] = {
    {INSIDE, offsetof(mjData, time), 0, 1},
    ARRAY(NUMBERS, qpos, nq, 1),
    ARRAY(NUMBERS, qvel, nv, 1),
    ARRAY(NUMBERS, act, na, 1),
    ARRAY(NUMBERS, history, nhistory, 1),
    ARRAY(NUMBERS, qacc_warmstart, nv, 1),
    ARRAY(NUMBERS, ctrl, nu, 1),
    ARRAY(NUMBERS, qfrc_applied, nv, 1),
    ARRAY(NUMBERS, xfrc_applied, nbody, 6),
    ARRAY(BYTES, eq_active, neq, 1),
    ARRAY(NUMBERS, mocap_pos, nmocap, 3),
    ARRAY(NUMBERS, mocap_quat, nmocap, 4),
    ARRAY(NUMBERS, userdata, nuserdata, 1),
    ARRAY(NUMBERS, plugin_state, npluginstate, 1),
};

static size_t element_size(const mjModel* m, const Element* e) {
  if (e->storage == INSIDE) return (size_t)e->columns;
  return (size_t) * (const mjtSize*)((const char*)m + e->rows_offset) * (size_t)e->columns;
}

static void* element_of(const mjData* d, const Element* e) {
  char* member = (char*)d + e->data_offset;
  return e->storage == INSIDE ? member : *(void**)member;
}

// What an assignment to a byte makes of a number on the reference's machines, without undefined
// conversions: the lowest byte of the integer part, 0 if that is not an int.
static mjtByte byte_of(mjtNum x) {
  int whole = x > -2147483649.0 && x < 2147483648.0 ? (int)x : 0;
  return (mjtByte)(whole & 255);
}

static bool signature_is_valid(const char* function, int sig) {
  if (sig >= 0 && sig < 1 << mjNSTATE) return true;
  if (sig < 0) {
    mju_error("%s: invalid state signature %d: it is a sum of bits of mjtState", function, sig);
  } else {
    mju_error("%s: invalid state signature %d >= 2^mjNSTATE", function, sig);
  }
  return false;
}

int mj_stateSize(const mjModel* m, int sig) {
  if (!signature_is_valid("mj_stateSize", sig)) return 0;
  size_t size = 0;
  for (int i = 0; i < mjNSTATE; i++) {
    if (sig & (1 << i)) size += element_size(m, elements + i);
  }
  return (int)size;
}

void mj_getState(const mjModel* m, const mjData* d, mjtNum* state, int sig) {
  if (!signature_is_valid("mj_getState", sig)) return;
  for (int i = 0; i < mjNSTATE; i++) {
    if (!(sig & (1 << i))) continue;
    const Element* e = elements + i;
    size_t size = element_size(m, e);
    const void* from = element_of(d, e);
    if (e->storage == BYTES) {
      for (size_t k = 0; k < size; k++) state[k] = ((const mjtByte*)from)[k];
    } else if (size) {
      memcpy(state, from, size * sizeof(mjtNum));
    }
    state += size;
  }
}

void mj_setState(const mjModel* m, mjData* d, const mjtNum* state, int sig) {
  if (!signature_is_valid("mj_setState", sig)) return;
  for (int i = 0; i < mjNSTATE; i++) {
    if (!(sig & (1 << i))) continue;
    const Element* e = elements + i;
    size_t size = element_size(m, e);
    void* to = element_of(d, e);
    if (e->storage == BYTES) {
      for (size_t k = 0; k < size; k++) ((mjtByte*)to)[k] = byte_of(state[k]);
    } else if (size) {
      memcpy(to, state, size * sizeof(mjtNum));
    }
    state += size;
  }
}

void mj_copyState(const mjModel* m, const mjData* src, mjData* dst, int sig) {
  if (!signature_is_valid("mj_copyState", sig)) return;
  for (int i = 0; i < mjNSTATE; i++) {
    const Element* e = elements + i;
    size_t size = element_size(m, e);
    if (!(sig & (1 << i)) || !size) continue;
    size_t bytes = size * (e->storage == BYTES ? sizeof(mjtByte) : sizeof(mjtNum));
    memmove(element_of(dst, e), element_of(src, e), bytes);
  }
}

void mj_extractState(const mjModel* m, const mjtNum* src, int srcsig, mjtNum* dst, int dstsig) {
  if (!signature_is_valid("mj_extractState", srcsig)) return;
  if (dstsig & ~srcsig) {
    mju_error("mj_extractState: dstsig %d asks for elements that srcsig %d does not have", dstsig,
              srcsig);
    return;
  }
  for (int i = 0; i < mjNSTATE; i++) {
    if (!(srcsig & (1 << i))) continue;
    size_t size = element_size(m, elements + i);
    if (dstsig & (1 << i)) {
      if (size)
        memmove(dst, src, size * sizeof(mjtNum));  // may be in place: dst never overtakes src
      dst += size;
    }
    src += size;
  }
}

// What a keyframe keeps, beside time: parallel arrays of data and model.
typedef struct {
  size_t data_offset;  // in mjData, of the pointer to the array
  size_t key_offset;   // in mjModel, of the pointer to its copies, one row per keyframe
  size_t rows_offset;  // in mjModel, of the number of rows
  int columns;
} KeyElement;

#define KEPT(field_, key_, rows_, columns_) \
  { offsetof(mjData, field_), offsetof(mjModel, key_), offsetof(mjModel, rows_), columns_ }

static const KeyElement key_elements[] = {
    KEPT(qpos, key_qpos, nq, 1),
    KEPT(qvel, key_qvel, nv, 1),
    KEPT(act, key_act, na, 1),
    KEPT(mocap_pos, key_mpos, nmocap, 3),
    KEPT(mocap_quat, key_mquat, nmocap, 4),
    KEPT(ctrl, key_ctrl, nu, 1),
};

#define NKEY_ELEMENT (int)(sizeof(key_elements) / sizeof(key_elements[0]))

// Element i of the data, of keyframe k, and their common size in bytes.
typedef struct {
  mjtNum *data, *key;
  size_t bytes;
} KeyPair;

static KeyPair key_pair(const mjModel* m, const mjData* d, int i, int k) {
  const KeyElement* e = key_elements + i;
  size_t size = (size_t) * (const mjtSize*)((const char*)m + e->rows_offset) * (size_t)e->columns;
  KeyPair pair;
  pair.data = *(mjtNum* const*)((const char*)d + e->data_offset);
  pair.key = *(mjtNum* const*)((const char*)m + e->key_offset) + (size_t)k * size;
  pair.bytes = size * sizeof(mjtNum);
  return pair;
}

void mj_setKeyframe(mjModel* m, const mjData* d, int k) {
  if (k < 0 || k >= m->nkey) {
    if (k < 0) mju_error("mj_setKeyframe: there is no keyframe %d", k);
    if (k >= m->nkey) {
      mju_error("mj_setKeyframe: index must be smaller than %d (keyframes allocated in model)",
                (int)m->nkey);
    }
    return;
  }
  m->key_time[k] = d->time;
  for (int i = 0; i < NKEY_ELEMENT; i++) {
    KeyPair pair = key_pair(m, d, i, k);
    if (pair.bytes) memcpy(pair.key, pair.data, pair.bytes);
  }
}

void ct_load_keyframe(const mjModel* m, mjData* d, int k) {
  d->time = m->key_time[k];
  for (int i = 0; i < NKEY_ELEMENT; i++) {
    KeyPair pair = key_pair(m, d, i, k);
    if (pair.bytes) memcpy(pair.data, pair.key, pair.bytes);
  }
}
