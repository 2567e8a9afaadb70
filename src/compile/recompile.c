// mj_recompile: compiles a spec again into the model and data that it has been compiled into, and
// carries the state over, element by element.
//
// Each joint, actuator and mocap body knows where its numbers stood in the last model
// (ct_Element.state), and the spec how many that model had: the mjModel that comes in may be a
// fresh one, which says nothing about the data. The numbers are set aside before the compilation
// and put back where the elements stand after it; what is new starts from the reference pose.
// Controls are the exception: as in the reference they go by the present order of actuators.

#include <string.h>

#include "base/memory/data_memory.h"
#include "base/model/model_memory.h"
#include "base/plugin.h"
#include "base/pool.h"
#include "compile/compile.h"
#include "spec/keys.h"

typedef struct {  // numbers of one element
  ct_Element* element;
  int npos, nvel;
  mjtNum pos[7], vel[6];
  mjtNum* act;
  int nact;
} Kept;

typedef struct {
  ct_Pool pool;
  Kept* item;
  int count;
  mjtNum time;
} State;

// Copies numbers of an array of an mjData, as far as they are inside it.
static int take(mjtNum* to, const mjtNum* from, int adr, int count, mjtSize size) {
  if (adr < 0 || adr + count > size) return 0;
  memcpy(to, from + adr, (size_t)count * sizeof(mjtNum));
  return count;
}

static int smaller(int a, mjtSize b) {
  return b < a ? (int)b : a;
}

// What the data has, as far as anybody knows: the sizes of the last model, and no more than those
// of the model that is given, if it has any.
static ct_KeySizes sizes_of_data(const ct_Spec* spec, const mjModel* m) {
  ct_KeySizes size = spec->state_sizes;
  if (!m->buffer) return size;
  size.nq = smaller(size.nq, m->nq);
  size.nv = smaller(size.nv, m->nv);
  size.na = smaller(size.na, m->na);
  size.nu = smaller(size.nu, m->nu);
  size.nmocap = smaller(size.nmocap, m->nmocap);
  return size;
}

static void keep_joint(Kept* kept, const ct_KeySizes* size, const mjData* d) {
  const ct_Element* e = kept->element;
  if (!ct_joint_goes_on(e)) return;
  kept->npos = take(kept->pos, d->qpos, e->state.qpos, ct_joint_nq(e), size->nq);
  kept->nvel = take(kept->vel, d->qvel, e->state.dof, ct_joint_nv(e), size->nv);
}

static void keep_actuator(State* state, Kept* kept, int i, const ct_KeySizes* size,
                          const mjData* d) {
  const ct_Element* e = kept->element;
  int nact = ct_actuator_kept_nact(e);
  kept->act = (mjtNum*)ct_pool_array(&state->pool, (size_t)nact, sizeof(mjtNum));
  kept->nact = take(kept->act, d->act, e->state.act, nact, size->na);
  kept->npos = take(kept->pos, d->ctrl, i, 1, size->nu);
}

static void keep_mocap(Kept* kept, const ct_KeySizes* size, const mjData* d) {
  int i = kept->element->state.mocap;
  kept->npos = take(kept->pos, d->mocap_pos, 3 * i, 3, 3 * size->nmocap);
  kept->nvel = take(kept->pos + 3, d->mocap_quat, 4 * i, 4, 4 * size->nmocap);
}

static State keep_state(ct_Spec* spec, const ct_KeySizes* size, const mjData* d) {
  static const mjtObj types[] = {mjOBJ_JOINT, mjOBJ_ACTUATOR, mjOBJ_BODY};
  State state = {{NULL}, NULL, 0, d->time};
  int count = 0;
  for (int k = 0; k < 3; k++) count += ct_count(spec, types[k]);
  state.item = (Kept*)ct_pool_array(&state.pool, (size_t)count, sizeof(Kept));
  for (int k = 0; k < 3; k++) {
    int i = 0;
    for (ct_Element* e = ct_first_element(spec, types[k]); e; e = ct_next_element(e), i++) {
      Kept* kept = &state.item[state.count++];
      kept->element = e;
      if (k == 0) keep_joint(kept, size, d);
      if (k == 1) keep_actuator(&state, kept, i, size, d);
      if (k == 2 && e->state.mocap >= 0) keep_mocap(kept, size, d);
    }
  }
  return state;
}

static void put(mjtNum* to, int adr, const mjtNum* from, int count, mjtSize size) {
  if (adr >= 0 && adr + count <= size) memcpy(to + adr, from, (size_t)count * sizeof(mjtNum));
}

static void restore_state(const State* state, const mjModel* m, mjData* d) {
  for (int i = 0; i < state->count; i++) {
    const Kept* kept = &state->item[i];
    const ct_Element* e = kept->element;
    switch (ct_type(e)) {
      case mjOBJ_JOINT:
        put(d->qpos, e->state.qpos, kept->pos, kept->npos, m->nq);
        put(d->qvel, e->state.dof, kept->vel, kept->nvel, m->nv);
        break;
      case mjOBJ_ACTUATOR:
        put(d->ctrl, e->state.ctrl, kept->pos, kept->npos, m->nu);
        put(d->act, e->state.act, kept->act, kept->nact, m->na);
        break;
      default:
        if (e->state.mocap < 0) break;
        put(d->mocap_pos, 3 * e->state.mocap, kept->pos, kept->npos, 3 * m->nmocap);
        put(d->mocap_quat, 4 * e->state.mocap, kept->pos + 3, kept->nvel, 4 * m->nmocap);
        break;
    }
  }
  d->time = state->time;
}

// The struct of `to` stays where it is and takes over the memory of `from`.
static void move_model(mjModel* to, mjModel* from) {
  mju_free(to->buffer);
  *to = *from;
  mju_free(from);
}

int mj_recompile(mjSpec* s, const mjVFS* vfs, mjModel* m, mjData* d) {
  if (!s || !m) {
    mju_warning("mj_recompile: the %s is NULL", s ? "model" : "spec");
    return -1;
  }
  State state = {{NULL}, NULL, 0, 0};
  ct_KeySizes size = sizes_of_data(ct_spec(s), m);
  if (d) state = keep_state(ct_spec(s), &size, d);
  mjModel* fresh = mj_compile(s, vfs);
  mjData* data = fresh && d ? mj_makeData(fresh) : NULL;
  if (!fresh || (d && !data)) {
    if (fresh) ct_free_model(fresh);
    mj_deleteData(d);
    ct_free_model(m);
    ct_pool_free(&state.pool);
    return -1;
  }
  if (d) {
    restore_state(&state, fresh, data);
    ct_destroy_plugins(d);
    ct_replace_data(d, data);
  }
  move_model(m, fresh);
  ct_pool_free(&state.pool);
  return 0;
}
