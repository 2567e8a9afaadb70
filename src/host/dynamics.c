// Public functions that run stages in order: forward and inverse dynamics as a whole and in parts,
// a step as a whole and in two halves, the integrators.
//
// They follow the table of stages and the course of a step like the lane code (engine/stages.def,
// engine/flow.h), on one lane, and put around each stage what only the host knows: rules about
// edited models, callbacks, plugins, timers, warnings. Errors come when everything is back in its
// place, because a handler may not come back.

#include "host/dynamics.h"

#include <corten/integrator.h>
#include <corten/step.h>

#include "base/memory/data_memory.h"
#include "base/memory/scratch.h"
#include "base/model/faults.h"
#include "base/model/model_memory.h"
#include "base/private.h"
#include "engine/stage_headers.h"
#include "host/report.h"
#include "host/stage_functions.h"
#include "host/timer.h"
#include "host/walk.h"
#include "math/vec.h"

// Hooks: what the host does around a stage.

typedef struct {
  const char* name;               // the public function of the stage, for messages
  bool counts;                    // its timer counts once more
  int (*rule)(const mjModel* m);  // the first thing that the stage cannot take, or -1
  ct_Cause cause;                 // if there is one
  int (*instead)(ct_Walk* w);     // runs in place of the stage
  int (*after)(ct_Walk* w);       // runs behind it
} Hook;

static int check_state(ct_Walk* w) {
  if (w->strict) return ct_check_state(lane_one(), w->m, w->d);
  w->bad |= ct_reset_bad_state(w->m, w->d);
  return CT_OK;
}

static int check_acceleration(ct_Walk* w) {
  if (w->strict) return ct_check_acceleration(lane_one(), w->m, w->d);
  int bad = ct_reset_bad_acceleration(w->m, w->d);
  if (bad) w->factored_ahead = false;  // that was of another state
  w->bad |= bad;
  return CT_OK;
}

static int check_rates(ct_Walk* w) {
  return w->strict ? ct_check_rates(lane_one(), w->m, w->d) : CT_OK;
}

static int collide_woken(ct_Walk* w) {
  return ct_private(w->d)->woken ? ct_collide_with_users(w) : CT_OK;
}

// The narrow phase of flexes. Its run was counted with that of the geoms.
static int collide_flexes(ct_Walk* w) {
  mjtNum start = ct_clock();
  int status = ct_flex_collision(lane_one(), w->m, w->d);
  ct_timer_add(w->d, mjTIMER_COL_NARROW, start);
  ct_timer_add(w->d, mjTIMER_POS_COLLISION, start);
  return status;
}

static int collide_woken_flexes(ct_Walk* w) {
  return ct_has_flexes(w->m) && ct_private(w->d)->woken ? collide_flexes(w) : CT_OK;
}

static inline bool users_sense(const ct_Walk* w) {
  return mjcb_sensor || w->m->nplugin;
}

static int sense_position(ct_Walk* w) {
  return users_sense(w) ? ct_sense_for_users(w, mjSTAGE_POS) : CT_OK;
}

static int sense_velocity(ct_Walk* w) {
  return users_sense(w) ? ct_sense_for_users(w, mjSTAGE_VEL) : CT_OK;
}

static int sense_forces(ct_Walk* w) {
  return users_sense(w) ? ct_sense_for_users(w, mjSTAGE_ACC) : CT_OK;
}

// Counts as the functions that it stands for.
static int compare_inverse(ct_Walk* w) {
  mjtNum start = ct_clock();
  bool counts = w->d->nefc > 0;
  int status = ct_compare_inverse(lane_one(), w->m, w->d);
  if (counts) {
    w->d->timer[mjTIMER_CONSTRAINT].number++;
    ct_timer_count(w->d, mjTIMER_INVERSE, start);
  }
  return status;
}

static int open_integration(ct_Walk* w) {
  return ct_open_integration_by(lane_one(), w->m, w->d, w->integrator,
                                w->keep_factor || w->factored_ahead);
}

// What a neighbour makes superfluous. It is asked for accelerations where forces are complete.

// One that a bad state has not put an end to: after a reset the step is an ordinary one.
static ct_Neighbour* neighbour_of(ct_Walk* w) {
  if (w->neighbour && w->d->pstack < w->neighbour->pstack) w->neighbour = NULL;
  return w->neighbour;
}

static int place_bodies(ct_Walk* w) {
  if (!neighbour_of(w)) return ct_kinematics(lane_one(), w->m, w->d);
  ct_kinematics_of(w->m, w->d, w->neighbour->first_body, w->neighbour->end_body);
  return CT_OK;
}

// Where compilers may contract, one pass over two matrices rounds otherwise than one over each.
#ifdef CT_FAST
enum { FAST_BUILD = 1 };
#else
enum { FAST_BUILD = 0 };
#endif

// Factors what Euler will ask for together with M, if nobody can change M, dampings or the time
// step before it does, nobody else uses its matrix, and there is enough to do. Pair functions of
// users could: where they are called it is factored again.
static bool factor_ahead(const ct_Walk* w) {
  const mjModel* m = w->m;
  if (FAST_BUILD) return false;
  return w->whole && w->integrator == mjINT_EULER && m->nC - m->nv >= 16 && !ct_sleep_enabled(m) &&
         !(m->opt.enableflags & mjENBL_FWDINV) && !ct_has_callbacks(m) &&
         ct_euler_is_implicit(lane_one(), m, w->d) && ct_factor_M_and_damped(lane_one(), m, w->d);
}

static int factor_inertia(ct_Walk* w) {
  if (neighbour_of(w)) return CT_OK;
  w->factored_ahead = factor_ahead(w);
  return w->factored_ahead ? CT_OK : ct_factor_M(lane_one(), w->m, w->d);
}

static int find_islands(ct_Walk* w) {
  return neighbour_of(w) ? CT_OK : ct_island(lane_one(), w->m, w->d);
}

static int accelerate(ct_Walk* w) {
  if (!neighbour_of(w)) return ct_acceleration(lane_one(), w->m, w->d);
  ct_smooth_force(lane_one(), w->m, w->d);
  return CT_OK;
}

static int solve_constraints(ct_Walk* w) {
  if (neighbour_of(w)) return w->neighbour->solve(w->neighbour, w->m, w->d);
  return ct_forward_constraint(lane_one(), w->m, w->d);
}

static int integrate_acceleration(ct_Walk* w) {
  if (neighbour_of(w)) return w->neighbour->integrate(w->neighbour, w->m, w->d);
  return ct_integrator_acceleration(lane_one(), w->m, w->d);
}

#define RULE(first_, cause_) .rule = (first_), .cause = (cause_)

static const Hook hooks[CT_NSTAGE] = {
    [CT_STAGE_check_state] = {.instead = check_state},
    [CT_STAGE_kinematics] = {.name = "mj_kinematics",
                             RULE(ct_bad_joint, CT_CAUSE_JOINT),
                             .instead = place_bodies,
                             .counts = true},
    [CT_STAGE_tendon] = {.name = "mj_tendon", RULE(ct_bad_side_site, CT_CAUSE_SIDE_SITE)},
    [CT_STAGE_mass_matrix] = {.counts = true},
    [CT_STAGE_factor] = {.instead = factor_inertia},
    [CT_STAGE_collision] = {.name = "mj_collision", .instead = ct_collide_with_users},
    [CT_STAGE_flex_collision] = {.name = "mj_collision", .instead = collide_flexes},
    [CT_STAGE_collision_of_woken] = {.name = "mj_collision", .instead = collide_woken},
    [CT_STAGE_flexes_of_woken] = {.name = "mj_collision", .instead = collide_woken_flexes},
    [CT_STAGE_rows] = {.name = "mj_makeConstraint",
                       RULE(ct_bad_equality, CT_CAUSE_EQUALITY),
                       .counts = true},
    [CT_STAGE_islands] = {.name = "mj_island", .instead = find_islands},
    [CT_STAGE_transmission] = {.name = "mj_transmission",
                               RULE(ct_bad_transmission, CT_CAUSE_TRANSMISSION)},
    [CT_STAGE_project] = {.name = "mj_projectConstraint", .counts = true},
    [CT_STAGE_sensors_of_position] = {.name = "mj_sensorPos", .after = sense_position},
    [CT_STAGE_passive] = {.name = "mj_passive", .after = ct_passive_of_users},
    [CT_STAGE_bias] = {.name = "mj_tendonBias", RULE(ct_bent_tendon, CT_CAUSE_BENT_TENDON)},
    [CT_STAGE_sensors_of_velocity] = {.name = "mj_sensorVel", .after = sense_velocity},
    [CT_STAGE_actuation] = {.name = "mj_fwdActuation", .instead = ct_actuate_with_users},
    [CT_STAGE_acceleration] = {.instead = accelerate},
    [CT_STAGE_constraint] = {.name = "mj_fwdConstraint",
                             .instead = solve_constraints,
                             .counts = true},
    [CT_STAGE_sensors_of_forces] = {.name = "mj_sensorAcc", .after = sense_forces},
    [CT_STAGE_check_acceleration] = {.instead = check_acceleration},
    [CT_STAGE_compare_inverse] = {.name = "mj_compareFwdInv", .instead = compare_inverse},
    [CT_STAGE_open_integration] = {.instead = open_integration},
    [CT_STAGE_integrator] = {.instead = integrate_acceleration},
    [CT_STAGE_check_rates] = {.instead = check_rates},
    [CT_STAGE_motion] = {.after = ct_advance_plugins},
    [CT_STAGE_inverse_constraint] = {.name = "mj_invConstraint", .counts = true},
};

// The machine

typedef int(StageFunction)(Lane g, const mjModel* m, mjData* d);

enum { mjTIMER_UNTIMED = -1 };

static inline bool stops(const ct_Walk* w, int status) {
  return status && (status & (w->strict ? CT_GRAVE : CT_ERRORS)) != 0;
}

// Timers of single stages. Those of collision and actuation are kept by their hooks, others belong
// to parts of a step.
static inline bool is_timer_of_stages(int timer) {
  return timer == mjTIMER_POS_KINEMATICS || timer == mjTIMER_POS_INERTIA ||
         timer == mjTIMER_POS_MAKE || timer == mjTIMER_POS_PROJECT || timer == mjTIMER_CONSTRAINT;
}

// The clock is read only where the time of another timer begins: reading it takes time too.
static __attribute__((noinline)) void change_timer(ct_Walk* w, int timer) {
  if (w->timer == timer) return;
  mjtNum now = mjcb_time();
  if (w->timer >= 0) w->d->timer[w->timer].duration += now - w->since;
  w->timer = timer;
  w->since = now;
}

static __attribute__((noinline)) void note_problem(ct_Walk* w, int stage, int status) {
  if (stops(w, status) && w->failed < 0) w->failed = stage;
  if (!w->silent) ct_say_warnings(w->d, status);
}

// Inlined with a stage that is known, so that hooks which it does not have cost nothing.
static inline __attribute__((always_inline)) int run_stage(ct_Walk* w, const mjModel* m, mjData* d,
                                                           ct_Stage stage, int timer,
                                                           StageFunction* function) {
  const Hook* hook = &hooks[stage];
  if (w->timed) change_timer(w, is_timer_of_stages(timer) ? timer : -1);
  if (hook->counts && timer >= 0) d->timer[timer].number++;
  int broken = hook->rule ? hook->rule(m) : -1, status;
  if (broken >= 0) {
    status = ct_blame_model(lane_one(), d, hook->cause, broken);
  } else {
    status = hook->instead ? hook->instead(w) : function(lane_one(), m, d);
    if (hook->after && !stops(w, status)) status |= hook->after(w);
  }
  if (__builtin_expect(status, CT_OK) != CT_OK) note_problem(w, (int)stage, status);
  return status;
}

static inline mjtNum begin_part(ct_Walk* w) {
  return w->timed ? mjcb_time() : 0;
}

// Runge-Kutta has no timer for its end.
static inline void end_part(ct_Walk* w, mjData* d, int timer, mjtNum start) {
  if (timer == mjTIMER_ADVANCE && w->integrator == mjINT_RK4) return;
  if (w->timed) {
    change_timer(w, -1);
    d->timer[timer].duration += mjcb_time() - start;
  }
  d->timer[timer].number++;
}

static void call_control(const ct_Walk* w) {
  if (mjcb_control && !(w->m->opt.disableflags & mjDSBL_ACTUATION)) mjcb_control(w->m, w->d);
}

#define FLOW_FN static inline  // not every machine runs everything
#define FLOW_INLINE static inline __attribute__((always_inline))
#define FLOW_PARAMETERS ct_Walk *w, const mjModel *m, mjData *d
#define FLOW_WITH w, m, d
#define FLOW_RUN(name_, function_, timer_) \
  run_stage(w, m, d, CT_STAGE_##name_, mjTIMER_##timer_, function_)
#define FLOW_STOPS(status_) stops(w, status_)
#define FLOW_CONTROL() call_control(w)
#define FLOW_BEGIN(timer_) mjtNum start_##timer_ = begin_part(w)
#define FLOW_END(timer_) end_part(w, d, mjTIMER_##timer_, start_##timer_)
#define FLOW_RUNGE_KUTTA() (w->integrator == mjINT_RK4)
#define FLOW_IF_SLEPT() if (ct_private(d)->integration.slept)
#define FLOW_IF_STOPPED(status_) if (stops(w, status_))
#include "engine/flow.h"

// A model that is not the one of the last time, or has been written over, may have other trees.
static inline void know_model(const mjModel* m, mjData* d) {
  ct_Private* p = ct_private(d);
  unsigned written = ct_models_written();
  if (p->model == m && p->models_seen == written) return;
  if (!ct_renew_schedule(m, d)) return;
  p->model = m;
  p->models_seen = written;
}

static ct_Walk walk_of(const mjModel* m, mjData* d) {
  know_model(m, d);
  ct_Walk w = {m,  d, false, false, m->opt.integrator, false, false, false, -1, mjcb_time != NULL,
               -1, 0, NULL,  0};
  return w;
}

// Says what went wrong, and who found it.
static void end_walk(const ct_Walk* w, int status, const char* function) {
  if (!status) return;
  const char* name = w->failed >= 0 ? hooks[w->failed].name : NULL;
  ct_report(w->m, w->d, status, name ? name : function);
}

void ct_walk(const mjModel* m, mjData* d, unsigned parts, const char* function) {
  ct_Walk w = walk_of(m, d);
  end_walk(&w, flow_step(&w, m, d, parts), function);
}

int ct_walk_silently(const mjModel* m, mjData* d, unsigned parts) {
  ct_Walk w = walk_of(m, d);
  w.silent = true;
  return flow_step(&w, m, d, parts);
}

void ct_walk_one(const mjModel* m, mjData* d, ct_Stage stage, const char* function) {
  ct_Walk w = walk_of(m, d);
  int status = CT_OK;
  switch (stage) {
#define STAGE(name_, function_, part_, applies_, timer_, kernel_)               \
  case CT_STAGE_##name_:                                                        \
    status = run_stage(&w, m, d, CT_STAGE_##name_, mjTIMER_UNTIMED, function_); \
    break;
#include "engine/stages.def"
    default:
      break;
  }
  end_walk(&w, status, function);
}

// Parts of a forward pass

void mj_fwdKinematics(const mjModel* m, mjData* d) {
  ct_Walk w = walk_of(m, d);
  w.timed = false;
  int status = flow_run(&w, m, d, CT_PART_KINEMATICS);
  d->timer[mjTIMER_POS_KINEMATICS].number--;  // only whole position stages count
  end_walk(&w, status, "mj_fwdKinematics");
}

void mj_fwdPosition(const mjModel* m, mjData* d) {
  ct_walk(m, d, CT_ALL_POSITIONS, "mj_fwdPosition");
}

void mj_fwdVelocity(const mjModel* m, mjData* d) {
  ct_walk(m, d, CT_PART_VELOCITY, "mj_fwdVelocity");
}

// Parts of a forward pass that still have to be made, and of these without sensors if so wished.
static unsigned parts_to_run(int valid, int no_sensors) {
  unsigned parts = CT_TO_ACCELERATION;
  if (valid < mjSTAGE_VEL) parts |= CT_TO_VELOCITY;
  if (valid < mjSTAGE_POS) parts |= CT_TO_POSITION;
  return no_sensors ? parts & ~(unsigned)(CT_ALL_SENSORS | CT_PART_BODY_FORCES) : parts;
}

void mj_forwardSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor) {
  ct_walk(m, d, parts_to_run(skipstage, skipsensor), "mj_forward");
}

void mj_forward(const mjModel* m, mjData* d) {
  mj_forwardSkip(m, d, mjSTAGE_NONE, 0);
}

// Steps

static bool is_implicit(const mjModel* m) {
  return m->opt.integrator == mjINT_IMPLICIT || m->opt.integrator == mjINT_IMPLICITFAST;
}

static bool integrator_exists(const mjModel* m, const char* function) {
  int integrator = m->opt.integrator;
  if (is_implicit(m) || integrator == mjINT_EULER || integrator == mjINT_RK4 ||
      integrator == CT_INT_SPRINGDAMPER || integrator == CT_INT_DENSE) {
    return true;
  }
  mju_error("%s: there is no integrator %d; set opt.integrator to one of mjtIntegrator", function,
            integrator);
  return false;
}

static int step_skipping(ct_Walk* w, int valid, int no_sensors) {
  const mjModel* m = w->m;
  mjtNum start = ct_clock();
  w->keep_factor = (w->integrator == mjINT_EULER && valid >= mjSTAGE_POS) ||
                   (is_implicit(m) && valid >= mjSTAGE_VEL);
  w->whole = true;
  unsigned parts = CT_PART_START | parts_to_run(valid, no_sensors) | CT_PART_CHECK | CT_INTEGRATION;
  int status = flow_step(w, m, w->d, parts);
  ct_timer_count(w->d, mjTIMER_STEP, start);
  return status;
}

void mj_stepSkip(const mjModel* m, mjData* d, int valid, int no_sensors) {
  if (!integrator_exists(m, "mj_step")) return;
  ct_Walk w = walk_of(m, d);
  end_walk(&w, step_skipping(&w, valid, no_sensors), "mj_step");
}

int ct_step_skipping(const mjModel* m, mjData* d, int valid, int no_sensors,
                     ct_Neighbour* neighbour) {
  ct_Walk w = walk_of(m, d);
  w.neighbour = neighbour;
  int status = step_skipping(&w, valid, no_sensors);
  return status | w.bad;
}

void mj_step(const mjModel* m, mjData* d) {
  mj_stepSkip(m, d, mjSTAGE_NONE, 0);
}

void mj_step1(const mjModel* m, mjData* d) {
  mjtNum start = ct_clock();
  ct_Walk w = walk_of(m, d);
  int status = flow_step(&w, m, d, CT_PART_START | CT_TO_POSITION | CT_TO_VELOCITY);
  if (mjcb_control && !stops(&w, status)) mjcb_control(m, d);  // also where actuation is disabled
  ct_timer_count(d, mjTIMER_STEP, start);
  end_walk(&w, status, "mj_step1");
}

// Integrators that the reference does not have, so that nobody expects Euler in their place.
static bool halves_exist(const mjModel* m) {
  if (m->opt.integrator != CT_INT_DENSE && m->opt.integrator != CT_INT_SPRINGDAMPER) return true;
  mju_error("mj_step2: integrator %d steps as a whole only; call mj_step", m->opt.integrator);
  return false;
}

// The two halves count as one step. Runge-Kutta needs more than one forward pass, so Euler stands
// in for it. Oddity: body forces are not forgotten.
void mj_step2(const mjModel* m, mjData* d) {
  if (!halves_exist(m)) return;
  mjtNum start = ct_clock();
  ct_Walk w = walk_of(m, d);
  if (!is_implicit(m)) w.integrator = mjINT_EULER;
  int status = flow_step(
      &w, m, d,
      CT_PART_ACCELERATION | CT_PART_ACCELERATION_SENSORS | CT_PART_CHECK | CT_INTEGRATION);
  ct_timer_add(d, mjTIMER_STEP, start);
  end_walk(&w, status, "mj_step2");
}

// Integrators

static void integrate(const mjModel* m, mjData* d, int integrator, int keep_factor,
                      const char* function) {
  ct_Walk w = walk_of(m, d);
  w.integrator = integrator;
  w.keep_factor = keep_factor != 0;
  end_walk(&w, flow_integrate(&w, m, d), function);
}

void mj_EulerSkip(const mjModel* m, mjData* d, int keep_factor) {
  integrate(m, d, mjINT_EULER, keep_factor, "mj_Euler");
}

void mj_Euler(const mjModel* m, mjData* d) {
  mj_EulerSkip(m, d, 0);
}

void mj_implicitSkip(const mjModel* m, mjData* d, int keep_factor) {
  if (!is_implicit(m)) {
    mju_error("mj_implicit: opt.integrator is %d; set it to implicit or implicitfast",
              m->opt.integrator);
    return;
  }
  integrate(m, d, m->opt.integrator, keep_factor, "mj_implicit");
}

void mj_implicit(const mjModel* m, mjData* d) {
  mj_implicitSkip(m, d, 0);
}

void mj_RungeKutta(const mjModel* m, mjData* d, int N) {
  if (N != 4) {
    mju_error("mj_RungeKutta: order %d does not exist; take 4", N);
    return;
  }
  integrate(m, d, mjINT_RK4, 0, "mj_RungeKutta");
}

// Inverse dynamics

void mj_invPosition(const mjModel* m, mjData* d) {
  ct_walk(m, d, CT_PART_KINEMATICS | CT_PART_POSITION, "mj_invPosition");
}

void mj_invVelocity(const mjModel* m, mjData* d) {
  ct_walk(m, d, CT_PART_VELOCITY, "mj_invVelocity");
}

// Unlike in forward dynamics, energies that are not asked for stay as they are.
static unsigned inverse_parts(const mjModel* m, int valid, int no_sensors) {
  unsigned parts = parts_to_run(valid, no_sensors) & ~(unsigned)CT_PART_FORWARD_POSITION;
  return ct_has_energy(m) ? parts : parts & ~(unsigned)CT_PART_POSITION_ENERGY;
}

// qacc comes back as it was given, whatever the stages made of it.
static int inverse_of_given(ct_Walk* w, unsigned parts) {
  Lane g = lane_one();
  int nv = (int)w->m->nv;
  if (!lane_mark(g, w->d)) return CT_STACK_FULL;
  mjtNum* given = lane_scratch_num(g, w->d, nv);
  int status = CT_STACK_FULL;
  if (given) {
    ct_copy(given, w->d->qacc, nv);
    status = flow_inverse(w, w->m, w->d, parts);
    ct_copy(w->d->qacc, given, nv);
  }
  lane_free(g, w->d);
  return status;
}

static int inverse_skipping(ct_Walk* w, int valid, int no_sensors) {
  mjtNum start = ct_clock();
  int status = inverse_of_given(w, inverse_parts(w->m, valid, no_sensors));
  ct_timer_count(w->d, mjTIMER_INVERSE, start);
  return status;
}

void mj_inverseSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor) {
  ct_Walk w = walk_of(m, d);
  end_walk(&w, inverse_skipping(&w, skipstage, skipsensor), "mj_inverse");
}

int ct_inverse_skipping(const mjModel* m, mjData* d, int valid, int no_sensors) {
  ct_Walk w = walk_of(m, d);
  return inverse_skipping(&w, valid, no_sensors);
}

void mj_inverse(const mjModel* m, mjData* d) {
  mj_inverseSkip(m, d, mjSTAGE_NONE, 0);
}

// A step that reports

static int step_and_report(const mjModel* m, mjData* d) {
  int id;
  ct_Cause fault = ct_find_fault(m, &id);
  if (fault) return ct_blame_model(lane_one(), d, fault, id);
  know_model(m, d);
  if (!ct_has_user_code(m)) return ct_step_lanes(lane_one(), m, d);
  ct_Walk w = walk_of(m, d);
  w.strict = w.silent = true;
  return flow_step(&w, m, d, CT_STEP);
}

bool ct_can_step(const mjModel* m, const char* function) {
  if (!integrator_exists(m, function)) return false;
  int joint = ct_bad_joint(m);
  if (joint < 0) return true;
  char text[200];
  ct_describe_fault(m, CT_CAUSE_JOINT, joint, text, sizeof(text));
  mju_error("%s: %s", function, text);
  return false;
}

int ct_step(const mjModel* m, mjData* d) {
  if (!ct_can_step(m, "ct_step")) return -1;
  int status = step_and_report(m, d) & CT_PUBLIC_STATUS;
  ct_private(d)->status |= (unsigned)status;
  return status;
}
