// Steps of four environments side by side.
//
// The stages of stages.def that do not depend on contacts and rows come first, for all four at
// once, in words with a place for each (four_stages.c): poses, inertia and its factor, velocities,
// bias, passive forces, forces of simple actuators, the smooth acceleration, and the factor that
// Euler solves with if dofs are damped. Then each environment makes its step in its mjData, where
// stages whose results are there are passed over. Runge-Kutta does so four times.
//
//   d[0] ... d[3]  --transposed-->  words  --stages-->  words  --transposed-->  d[0] ... d[3]
//
// Only what the other stages read comes back, unless somebody looks. An environment that is special
// (a control that is not sensible, forces on bodies) makes the stages concerned by itself. What a
// model does not let through (ct_four_parts) everybody does by himself.

#include "batch/side_by_side.h"

#include <stdint.h>
#include <string.h>

#include "base/memory/scratch.h"
#include "base/model/faults.h"
#include "base/model/fields.h"
#include "base/private.h"
#include "batch/four_stages.h"
#include "engine/stage_headers.h"
#include "math/scalar.h"
#include "math/vec.h"

// Fields

typedef enum { ALWAYS, ONCE, DAMPED, SEEN } When;

typedef struct {
  size_t offset;  // of the pointer in mjModel or mjData
  const char* name;
  When when;
} FourField;

static const FourField fields[] = {
#define FOUR_MODEL(name_) {offsetof(mjModel, name_), #name_, ALWAYS},
#define FOUR_INPUT(name_, when_) {offsetof(mjData, name_), #name_, when_},
#define FOUR_RESULT(name_, when_) {offsetof(mjData, name_), #name_, when_},
#include "batch/four_fields.def"
};

enum {  // how many there are: of the model, then inputs, then results
#define FOUR_MODEL(name_) +1
  NMODEL = 0
#include "batch/four_fields.def"
  ,
#define FOUR_INPUT(name_, when_) +1
  NINPUT = 0
#include "batch/four_fields.def"
  ,
  NFIELD = sizeof(fields) / sizeof(fields[0]),
  FIRST_RESULT = NMODEL + NINPUT,
};

struct ct_SideBySide_ {
  char *model, *data;  // the structs with words
  ct_RunFour* run;
  Wide* room;          // of run
  Wide* word[NFIELD];  // of the fields
  int count[NFIELD];
  unsigned parts;   // CT_FOUR_...
  uint64_t done;    // stages whose results the words have
  bool seen;        // other stages look at all of them
  bool one_island;  // there is no other, ever
};

// What a model lets through

static bool moves_plainly(const mjModel* m, int joint) {
  return m->jnt_type[joint] == mjJNT_HINGE || m->jnt_type[joint] == mjJNT_SLIDE;
}

static bool is_plain_actuator(const mjModel* m, int i) {
  int transmission = m->actuator_trntype[i], gain = m->actuator_gaintype[i];
  int bias = m->actuator_biastype[i];
  return (transmission == mjTRN_JOINT || transmission == mjTRN_JOINTINPARENT) &&
         moves_plainly(m, m->actuator_trnid[2 * i]) && m->actuator_dyntype[i] == mjDYN_NONE &&
         m->actuator_actadr[i] < 0 && (gain == mjGAIN_FIXED || gain == mjGAIN_AFFINE) &&
         (bias == mjBIAS_NONE || bias == mjBIAS_AFFINE);
}

static bool has_plain_actuators(const mjModel* m) {
  if (m->na || m->nhistory || m->ngravcomp || m->opt.disableactuator) return false;
  for (int i = 0; i < m->nu; i++) {
    if (!is_plain_actuator(m, i)) return false;
  }
  return true;
}

static bool has_plain_springs(const mjModel* m) {
  if (m->ngravcomp || m->opt.viscosity != 0 || m->opt.density != 0) return false;
  for (int j = 0; j < m->njnt; j++) {
    if (!moves_plainly(m, j) && m->jnt_stiffness[j] != 0) return false;
  }
  for (int t = 0; t < m->ntendon; t++) {
    if (m->tendon_stiffness[t] != 0 || m->tendon_damping[t] != 0) return false;
  }
  return true;
}

static bool has_light_tendons(const mjModel* m) {
  for (int t = 0; t < m->ntendon; t++) {
    if (m->tendon_armature[t] != 0) return false;
  }
  return true;
}

static bool has_only_fixed_tendons(const mjModel* m) {
  for (int k = 0; k < m->nwrap; k++) {
    if (m->wrap_type[k] != mjWRAP_JOINT) return false;
  }
  return true;
}

static bool is_damped_euler(const mjModel* m) {
  if (m->opt.integrator != mjINT_EULER) return false;
  if (m->opt.disableflags & (mjDSBL_EULERDAMP | mjDSBL_DAMPER)) return false;
  for (int k = 0; k < m->nv; k++) {
    if (m->dof_damping[k] > 0) return true;
  }
  return false;
}

static unsigned parts_of(const mjModel* m) {
  const unsigned forces = CT_FOUR_INERTIA | CT_FOUR_PASSIVE | CT_FOUR_BIAS | CT_FOUR_ACTUATION;
  unsigned parts = 0;
  if (has_light_tendons(m)) parts |= CT_FOUR_INERTIA | CT_FOUR_BIAS;
  if (has_plain_springs(m)) parts |= CT_FOUR_PASSIVE;
  if (has_plain_actuators(m)) parts |= CT_FOUR_ACTUATION;
  if (parts == forces) parts |= CT_FOUR_ACCELERATION;
  if ((parts & CT_FOUR_INERTIA) && is_damped_euler(m)) parts |= CT_FOUR_DAMPED;
  return parts;
}

static uint64_t bit(ct_Stage stage) {
  return (uint64_t)1 << stage;
}

_Static_assert(CT_NSTAGE <= 64, "stages are bits");

// With a damped Euler it is the factor that the integration opens with.
static uint64_t stages_of(unsigned parts) {
  uint64_t done =
      bit(CT_STAGE_kinematics) | bit(CT_STAGE_com_position) | bit(CT_STAGE_com_velocity);
  if (parts & CT_FOUR_INERTIA) done |= bit(CT_STAGE_mass_matrix) | bit(CT_STAGE_factor);
  if (parts & CT_FOUR_PASSIVE) done |= bit(CT_STAGE_passive);
  if (parts & CT_FOUR_BIAS) done |= bit(CT_STAGE_bias);
  if (parts & CT_FOUR_ACTUATION) done |= bit(CT_STAGE_actuation);
  if (parts & CT_FOUR_ACCELERATION) done |= bit(CT_STAGE_acceleration);
  if (parts & CT_FOUR_DAMPED) done |= bit(CT_STAGE_open_integration);
  return done;
}

// Stages that need not be made at all if nobody looks: forces have been computed without them.
static uint64_t unseen_stages(void) {
  return bit(CT_STAGE_camlight) | bit(CT_STAGE_transmission) | bit(CT_STAGE_actuator_velocity);
}

// Do stages that everybody makes alone look at frames, velocities or single forces?
static bool other_stages_look(const mjModel* m, unsigned parts) {
  int integrator = m->opt.integrator;
  return !(parts & CT_FOUR_ACCELERATION) || ct_has_sensors(m) || m->neq > 0 ||
         !has_only_fixed_tendons(m) || ct_has_energy(m) || ct_compares_inverse(m) ||
         (integrator != mjINT_EULER && integrator != mjINT_RK4);
}

// Where compilers may reorder sums, they do so in another way for words.
#ifdef CT_FAST
static const bool bits_are_fixed = false;
#else
static const bool bits_are_fixed = true;
#endif

bool ct_may_walk_abreast(const mjModel* m) {
  int id, integrator = m->opt.integrator;
  bool known = integrator >= mjINT_EULER && integrator <= mjINT_IMPLICITFAST;
  return bits_are_fixed && m->nv > 0 && !m->nflex && !m->nplugin &&
         !(m->opt.enableflags & mjENBL_SLEEP) && known && !ct_find_fault(m, &id);
}

// Words

static int count_of(const mjModel* m, int i) {
  const ct_Field* table = i < NMODEL ? ct_model_fields : ct_data_fields;
  int n = i < NMODEL ? ct_nmodel_field : ct_ndata_field;
  for (int k = 0; k < n; k++) {
    if (table[k].offset != fields[i].offset) continue;
    return (int)(ct_field_rows(table + k, m, NULL) * ct_field_columns(table + k, m));
  }
  return 0;
}

static void** pointer_in(char* owner, size_t offset) {
  return (void**)(void*)(owner + offset);
}

// Sizes and integers of the model are those of the struct with words. Numbers that it has no words
// for are not to be had.
static void fill_model(ct_SideBySide* s, const mjModel* m) {
  const size_t first = offsetof(mjModel, qpos0), at = ct_four_model_pointers();
  memcpy(s->model, m, offsetof(mjModel, opt));
  memcpy(s->model + at, (const char*)m + first, offsetof(mjModel, signature) - first);
  for (int k = 0; k < ct_nmodel_field; k++) {
    if (ct_model_fields[k].type != CT_TYPE_mjtNum) continue;
    *pointer_in(s->model, at + ct_model_fields[k].offset - first) = NULL;
  }
  for (int i = 0; i < NMODEL; i++) {
    const mjtNum* from = *(mjtNum* const*)((const char*)m + fields[i].offset);
    *pointer_in(s->model, ct_four_field_offset(i)) = s->word[i];
    for (int k = 0; k < s->count[i]; k++) s->word[i][k] = wide_all(from[k]);
  }
  ct_FourOptions o = {
      (double)m->opt.timestep,
      {(double)m->opt.gravity[0], (double)m->opt.gravity[1], (double)m->opt.gravity[2]},
      m->opt.disableflags};
  ct_four_set_options(s->model, &o);
}

static void fill_data(ct_SideBySide* s, const mjData* d) {
  for (int i = NMODEL; i < NFIELD; i++) {
    *pointer_in(s->data, ct_four_field_offset(i)) = s->word[i];
  }
  ct_four_set_schedule(s->data, &ct_private(d)->schedule);
}

// Where the parts of the memory begin, one after the other, and where it ends.
typedef struct {
  size_t model, data, words, end;
} Layout;

static Layout layout_of(const mjModel* m) {
  Layout at;
  size_t words = 12 * (size_t)m->nbody;
  for (int i = 0; i < NFIELD; i++) words += (size_t)count_of(m, i);
  at.model = CT_ALIGN_UP(sizeof(ct_SideBySide));
  at.data = at.model + CT_ALIGN_UP(ct_four_model_bytes());
  at.words = at.data + CT_ALIGN_UP(ct_four_data_bytes());
  at.end = at.words + words * sizeof(Wide);
  return at;
}

size_t ct_side_by_side_bytes(const mjModel* m) {
  return layout_of(m).end;
}

bool ct_has_avx512(void) {
#ifdef __x86_64__
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512vl");
#else
  return false;
#endif
}

ct_SideBySide* ct_make_side_by_side(const mjModel* m, const mjData* d, bool avx512) {
  Layout at = layout_of(m);
  char* memory = (char*)mju_malloc(at.end);
  if (!memory) return NULL;
  memset(memory, 0, at.end);
  ct_SideBySide* s = (ct_SideBySide*)(void*)memory;
  s->model = memory + at.model;
  s->data = memory + at.data;
  s->room = (Wide*)(void*)(memory + at.words);
  Wide* next = s->room + 12 * m->nbody;
  for (int i = 0; i < NFIELD; i++) {
    s->count[i] = count_of(m, i);
    s->word[i] = next;
    next += s->count[i];
  }
  s->run = avx512 ? ct_run_four_avx512 : ct_run_four;
  s->parts = parts_of(m);
  s->done = stages_of(s->parts);
  s->seen = other_stages_look(m, s->parts);
  s->one_island = ct_has_one_island(m) && m->npair == 0;  // a pair may be of what cannot move
  fill_model(s, m);
  fill_data(s, d);
  return s;
}

void ct_delete_side_by_side(ct_SideBySide* s) {
  mju_free(s);
}

// From four arrays to words and back, n numbers each.

static void to_words(Wide* to, const mjtNum* const from[CT_ABREAST], int n) {
  int i = 0;
  for (; i + LANE_WIDTH <= n; i += LANE_WIDTH) {
    Wide x[CT_ABREAST];
    for (int k = 0; k < CT_ABREAST; k++) x[k] = wide_load(from[k] + i);
    wide_transpose(x);
    for (int k = 0; k < LANE_WIDTH; k++) to[i + k] = x[k];
  }
  for (; i < n; i++) {
    Wide last = {from[0][i], from[1][i], from[2][i], from[3][i]};
    to[i] = last;
  }
}

static void from_words(mjtNum* const to[CT_ABREAST], const Wide* from, int n) {
  int i = 0;
  for (; i + LANE_WIDTH <= n; i += LANE_WIDTH) {
    Wide x[LANE_WIDTH];
    for (int k = 0; k < LANE_WIDTH; k++) x[k] = from[i + k];
    wide_transpose(x);
    for (int k = 0; k < CT_ABREAST; k++) wide_store(to[k] + i, x[k]);
  }
  for (; i < n; i++) {
    for (int k = 0; k < CT_ABREAST; k++) to[k][i] = from[i][k];
  }
}

static mjtNum* array_of(const mjData* d, int field) {
  return *(mjtNum* const*)((const char*)d + fields[field].offset);
}

static void bring_inputs(ct_SideBySide* s, mjData* const d[CT_ABREAST], int pass) {
  for (int i = NMODEL; i < FIRST_RESULT; i++) {
    if (pass > 0 && fields[i].when == ONCE) continue;
    const mjtNum* from[CT_ABREAST];
    for (int k = 0; k < CT_ABREAST; k++) from[k] = array_of(d[k], i);
    to_words(s->word[i], from, s->count[i]);
  }
}

#ifdef CT_CHECKS
// What does not come back is not to be read.
static void spoil(mjData* const d[CT_ABREAST], int field, int n) {
  for (int k = 0; k < CT_ABREAST; k++) {
    for (int i = 0; i < n; i++) array_of(d[k], field)[i] = NAN;
  }
}
#else
static void spoil(mjData* const d[CT_ABREAST], int field, int n) {
  (void)d;
  (void)field;
  (void)n;
}
#endif

static uint64_t bit_of_result(int field) {
  return (uint64_t)1 << (field - FIRST_RESULT);
}

_Static_assert(NFIELD - FIRST_RESULT < 64, "results are bits");

// Does no stage that walks abreast, or is left out, have to do with an array?
static bool is_of_others(const ct_Field* f) {
  static const char* const stages[] = {"STATE",   "INPUT",     "CONSTRAINT", "ISLAND",
                                       "PROJECT", "REFERENCE", "SOLVER",     "SENSOR"};
  for (size_t i = 0; i < sizeof(stages) / sizeof(stages[0]); i++) {
    if (!strcmp(f->stage, stages[i])) return true;
  }
  return false;
}

uint64_t ct_see_array(size_t offset) {
  for (int i = FIRST_RESULT; i < NFIELD; i++) {
    if (fields[i].offset == offset) return bit_of_result(i);
  }
  for (int k = 0; k < ct_ndata_field; k++) {
    if (ct_data_fields[k].offset == offset && is_of_others(ct_data_fields + k)) return 0;
  }
  return CT_SEE_ALL;
}

static void bring_results(const ct_SideBySide* s, mjData* const d[CT_ABREAST], uint64_t seen) {
  for (int i = FIRST_RESULT; i < NFIELD; i++) {
    mjtNum* to[CT_ABREAST];
    for (int k = 0; k < CT_ABREAST; k++) to[k] = array_of(d[k], i);
    if (fields[i].when == DAMPED && !(s->parts & CT_FOUR_DAMPED)) continue;
    if (fields[i].when == SEEN && !(seen & bit_of_result(i))) {
      spoil(d, i, s->count[i]);
    } else {
      from_words(to, s->word[i], s->count[i]);
    }
  }
}

// One environment

// Stages that it has to make by itself, because of controls or forces that others do not have.
static uint64_t own_stages(const mjModel* m, const mjData* d) {
  bool bad = false;
  for (int i = 0; i < m->nu; i++) bad |= ct_is_bad(d->ctrl[i]);
  uint64_t own = bad ? bit(CT_STAGE_actuation) | bit(CT_STAGE_acceleration) : 0;
  if (ct_any_bit(d->xfrc_applied, 6 * (int)m->nbody)) own |= bit(CT_STAGE_acceleration);
  return own;
}

// Bias forces of one environment need scratch; where that has no room the step ends.
static int room_for_bias(const mjModel* m, mjData* d) {
  Lane g = lane_one();
  if (!lane_mark(g, d)) return CT_STACK_FULL;
  const mjtNum* scratch = lane_scratch_num(g, d, 12 * (int)m->nbody);
  lane_free(g, d);
  return scratch ? CT_OK : CT_STACK_FULL;
}

// The stage is known to the compiler.
static inline __attribute__((always_inline)) int run_rest(uint64_t done, const mjModel* m,
                                                          mjData* d, ct_Stage stage,
                                                          int (*function)(Lane g, const mjModel* m,
                                                                          mjData* d)) {
  bool is_done = (done & bit(stage)) != 0;
  if (stage == CT_STAGE_open_integration) {
    return ct_open_integration_by(lane_one(), m, d, m->opt.integrator, is_done);
  }
  if (!is_done) return function(lane_one(), m, d);
  return stage == CT_STAGE_bias ? room_for_bias(m, d) : CT_OK;
}

#define FLOW_FN static inline
#define FLOW_INLINE static inline __attribute__((always_inline))
#define FLOW_PARAMETERS uint64_t done, const mjModel *m, mjData *d
#define FLOW_WITH done, m, d
#define FLOW_RUN(name_, function_, timer_) run_rest(done, m, d, CT_STAGE_##name_, function_)
#define FLOW_STOPS(status_) (((status_)&CT_GRAVE) != 0)
#define FLOW_CONTROL() (void)0
#define FLOW_BEGIN(timer_) (void)0
#define FLOW_END(timer_) (void)0
#define FLOW_RUNGE_KUTTA() false  // evaluations are made by all four: next_evaluations
#define FLOW_IF_SLEPT() if (false)
#define FLOW_IF_STOPPED(status_) if (FLOW_STOPS(status_))
#include "engine/flow.h"

// All four

typedef struct {
  ct_SideBySide* s;
  const mjModel* m;
  mjData* d[CT_ABREAST];
  bool go[CT_ABREAST];  // not any more once a step has failed
  int status[CT_ABREAST];
  uint64_t own[CT_ABREAST];  // stages that it makes by itself throughout the step
  uint64_t done[CT_ABREAST];
  uint64_t seen;
} Row;

// One line of the four: statement_ for every k that still goes.
#define ROW_FOR(k_, row_)                 \
  for (int k_ = 0; k_ < CT_ABREAST; k_++) \
    if ((row_)->go[k_])

static void join_status(Row* row, int k, int status) {
  row->status[k] |= status;
  if (FLOW_STOPS(status)) row->go[k] = false;
}

// Everything smooth, for the states that the four are in. pass: of Runge-Kutta, from 0. What
// somebody will see after the step comes back in the last one.
static void walk_abreast(Row* row, int pass) {
  ct_SideBySide* s = row->s;
  bool last = pass == (row->m->opt.integrator == mjINT_RK4 ? 3 : 0);
  uint64_t seen = s->seen ? CT_SEE_ALL : last ? row->seen : 0;
  for (int k = 0; k < CT_ABREAST; k++) {
    ct_private(row->d[k])->one_island = s->one_island && !(last && row->seen == CT_SEE_ALL);
  }
  for (int k = 0; k < CT_ABREAST; k++) {
    if (pass == 0) row->own[k] = own_stages(row->m, row->d[k]);
    row->done[k] = s->done & ~row->own[k];
    if (row->own[k]) seen = CT_SEE_ALL;
  }
  for (int k = 0; k < CT_ABREAST && seen != CT_SEE_ALL; k++) row->done[k] |= unseen_stages();
  bring_inputs(s, row->d, pass);
  s->run(s->model, s->data, s->room, s->parts);
  bring_results(s, row->d, seen);
}

// Runge-Kutta after the first evaluation. The integration of each that goes is open.
static void next_evaluations(Row* row) {
  for (int pass = 1; pass < 4; pass++) {
    ROW_FOR(k, row) {
      join_status(row, k, flow_run(0, row->m, row->d[k], CT_PART_NEXT_EVALUATION));
    }
    walk_abreast(row, pass);
    ROW_FOR(k, row) {
      join_status(row, k, flow_forward(row->done[k], row->m, row->d[k], CT_EVALUATION));
    }
    ROW_FOR(k, row) {
      join_status(row, k, flow_run(0, row->m, row->d[k], CT_PART_KEEP_EVALUATION));
    }
  }
  ROW_FOR(k, row) {
    join_status(row, k, flow_run(0, row->m, row->d[k], CT_PART_MEAN_RATES));
  }
}

static void step_by_runge_kutta(Row* row) {
  bool open[CT_ABREAST] = {false, false, false, false};
  ROW_FOR(k, row) {
    int status = flow_step(row->done[k], row->m, row->d[k], CT_STEP & ~(unsigned)CT_PART_OPEN);
    if (!FLOW_STOPS(status)) {
      status |= flow_run(0, row->m, row->d[k], CT_PART_OPEN);
      open[k] = !FLOW_STOPS(status);
    }
    join_status(row, k, status);
  }
  next_evaluations(row);
  ROW_FOR(k, row) {
    join_status(row, k, flow_advance(0, row->m, row->d[k]));
  }
  for (int k = 0; k < CT_ABREAST; k++) {
    if (open[k] && !row->go[k]) {
      row->status[k] |= flow_run(0, row->m, row->d[k], CT_PART_UNDO);
    }
  }
}

void ct_step_abreast(ct_SideBySide* s, const mjModel* m, mjData* const d[CT_ABREAST],
                     const bool go[CT_ABREAST], uint64_t seen, int status[CT_ABREAST]) {
  Row row = {s, m, {d[0], d[1], d[2], d[3]}, {go[0], go[1], go[2], go[3]}, {0}, {0}, {0}, seen};
  walk_abreast(&row, 0);
  if (m->opt.integrator == mjINT_RK4) {
    step_by_runge_kutta(&row);
  } else {
    ROW_FOR(k, &row) {
      row.status[k] = flow_step(row.done[k], m, d[k], CT_STEP);
    }
  }
  for (int k = 0; k < CT_ABREAST; k++) {
    ct_private(d[k])->one_island = false;
    if (!go[k]) continue;
    status[k] = row.status[k] & CT_PUBLIC_STATUS;
    ct_private(d[k])->status |= (unsigned)status[k];
  }
}
