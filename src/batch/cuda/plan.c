// Stages that follow one another and belong to the same part become one launch. See plan.h.

#include "batch/cuda/plan.h"

#include <string.h>

#include "base/failure.h"
#include "base/model/options.h"
#include "engine/solver/problem.h"

// Kernels

// Types of geoms that may collide, as bits. Where models vary, geoms may begin to.
static int shapes_of(const mjModel* m, bool varied) {
  int shapes = 0;
  for (int i = 0; i < m->ngeom; i++) {
    if (varied || m->geom_contype[i] || m->geom_conaffinity[i]) shapes |= 1 << m->geom_type[i];
  }
  for (int i = 0; i < m->npair; i++) {
    shapes |= 1 << m->geom_type[m->pair_geom1[i]];
    shapes |= 1 << m->geom_type[m->pair_geom2[i]];
  }
  return shapes;
}

static bool takes(const ct_KernelNeeds* needs, const mjModel* m, bool varied) {
  if (needs->shared && varied) return false;
  if (needs->solver >= 0 && (m->opt.solver != needs->solver || m->opt.noslip_iterations > 0)) {
    return false;
  }
  if (needs->cone >= 0 && m->opt.cone != needs->cone) return false;
  if (needs->integrator >= 0 && m->opt.integrator != needs->integrator) return false;
  if (needs->small && (ct_is_sparse(m) || m->nv > needs->small)) return false;
  if (needs->present && ct_has_history(m)) return false;
  if (needs->awake && ct_sleep_enabled(m)) return false;
  if (needs->rigid && ct_has_flexes(m)) return false;
  return !needs->shapes || !(shapes_of(m, varied) & ~needs->shapes);
}

// Bytes for each environment with so many blocks on a multiprocessor, each of which takes a bit for
// the device itself.
static size_t room_of_slot(const ct_PlanFor* what, const ct_PartKernel* k, int blocks) {
  size_t own = blocks > 1 ? 1024 : 0;
  return (what->shared_memory / (size_t)blocks - own) / (size_t)(k->threads / k->lanes) / 16 * 16;
}

// Dofs of the largest island that a kernel for small islands takes. Robots are islands of their own
// mostly, and what a larger one would need is better used by more environments at a time.
static int most_of_island(const ct_PartKernel* k, const mjModel* m) {
  int largest = 0;
  for (int t = 0; t < m->ntree; t++) {
    if (m->tree_dofnum[t] > largest) largest = m->tree_dofnum[t];
  }
  return largest > k->needs.islands / 2 ? largest : k->needs.islands;
}

// Dofs of the problems that a kernel has memory set apart for.
static int most_dofs(const ct_PartKernel* k, const mjModel* m) {
  return k->needs.islands ? most_of_island(k, m) : (int)m->nv;
}

static size_t near_bytes(const ct_PlanFor* what, const ct_PartKernel* k) {
  return k->near ? (size_t)ct_near_numbers(most_dofs(k, what->model)) * sizeof(mjtNum) : 0;
}

// The first kernel that fits, among those for all states or those for small islands.
static const ct_PartKernel* find_kernel(const ct_PlanFor* what, ct_KernelPart part, bool islands) {
  for (int i = 0; i < ct_npart_kernel; i++) {
    const ct_PartKernel* k = ct_part_kernels[i];
    if (k->part != part || (k->needs.islands != 0) != islands) continue;
    if (!takes(&k->needs, what->model, what->varied)) continue;
    if ((size_t)what->front + near_bytes(what, k) <= room_of_slot(what, k, 1)) return k;
  }
  return NULL;
}

const ct_PartKernel* ct_choose_kernel(const ct_PlanFor* what, ct_KernelPart part) {
  return find_kernel(what, part, false);
}

// A kernel for states with small islands before the one for all; NULL where there is nothing to
// gain.
static const ct_PartKernel* choose_islands_kernel(const ct_PlanFor* what,
                                                  const ct_PlannedLaunch* launch) {
  const mjModel* m = what->model;
  const ct_KernelNeeds* needs = &launch->kernel->needs;
  if (needs->small || m->ntree < 2 || (m->opt.disableflags & mjDSBL_ISLAND)) return NULL;
  const ct_PartKernel* k = find_kernel(what, launch->kernel->part, true);
  return k && most_of_island(k, m) <= k->needs.islands ? k : NULL;
}

// The flow

static void plan_stage(ct_Plan* plan, const mjModel* m, int stage) {
  (void)m;
  ct_KernelPart part = ct_part_of_stage(stage);
  uint64_t bit = CT_STAGE_BIT(stage);
  ct_PlannedLaunch* last = plan->count ? plan->launch + plan->count - 1 : NULL;
  bool follows = last && last->slept == plan->slept && last->stages < bit &&
                 ct_part_of_stage(__builtin_ctzll(last->stages)) == part;
  if (follows) {
    last->stages |= bit;
  } else if (plan->count == CT_MOST_LAUNCHES) {
    plan->full = true;
  } else {
    ct_PlannedLaunch launch = {.stages = bit, .slept = plan->slept};
    plan->launch[plan->count++] = launch;
  }
}

static bool only_slept(ct_Plan* plan, bool slept) {
  plan->slept = slept;
  return slept;
}

// Environments decide for themselves whether they go on: nothing stops the plan, and what puts the
// state back is always in it.
#define FLOW_FN static inline
#define FLOW_INLINE static inline
#define FLOW_PARAMETERS ct_Plan *plan, const mjModel *m
#define FLOW_WITH plan, m
#define FLOW_RUN(name_, function_, timer_) (plan_stage(plan, m, CT_STAGE_##name_), CT_OK)
#define FLOW_STOPS(status_) ((void)(status_), false)
#define FLOW_CONTROL() (void)0
#define FLOW_BEGIN(timer_) (void)0
#define FLOW_END(timer_) (void)0
#define FLOW_RUNGE_KUTTA() ct_is_runge_kutta(m)
#define FLOW_IF_SLEPT() \
  for (bool go_ = ct_may_sleep(m) && only_slept(plan, true); go_; go_ = only_slept(plan, false))
#define FLOW_IF_STOPPED(status_)
#include "engine/flow.h"

// Room that an integration takes must outlive the launch, unless it is closed in the same one.
static bool may_use_shared_scratch(uint64_t stages) {
  bool opens = (stages & CT_STAGE_BIT(CT_STAGE_open_integration)) != 0;
  return !opens || (stages & CT_STAGE_BIT(CT_STAGE_close_integration));
}

static int slot_of(const ct_PlanFor* what, const ct_PlannedLaunch* launch) {
  const ct_PartKernel* k = launch->kernel;
  size_t slot = (size_t)(what->front + launch->near);
  if (may_use_shared_scratch(launch->stages)) slot += (size_t)k->scratch;
  size_t most = room_of_slot(what, k, 1), wanted = room_of_slot(what, k, k->blocks);
  size_t least = (size_t)(what->front + launch->near + k->scratch / 2);
  if (slot > wanted) slot = wanted > least ? wanted : least;
  return (int)(slot < most ? slot : most);
}

static void use_kernel(const ct_PlanFor* what, ct_PlannedLaunch* launch, const ct_PartKernel* k) {
  launch->kernel = k;
  launch->near = (int)near_bytes(what, k);
  launch->slot = slot_of(what, launch);
}

// States with small islands go to kernels of their own where there are such.
static void divide_launches(ct_Plan* plan, const ct_PlanFor* what) {
  for (int i = 0; i < plan->count; i++) {
    ct_PlannedLaunch* launch = plan->launch + i;
    const ct_PartKernel* k = choose_islands_kernel(what, launch);
    if (!k || plan->count == CT_MOST_LAUNCHES) continue;
    memmove(launch + 1, launch, (size_t)(plan->count - i) * sizeof(*launch));
    plan->count++;
    use_kernel(what, launch, k);
    launch[0].islands = most_of_island(k, what->model);
    launch[1].islands = -launch[0].islands;
    i++;
  }
}

// Are there more environments than the device works on at a time? Below that neither order nor
// lines gain anything.
static bool takes_turns(const ct_PlanFor* what, const ct_PartKernel* k) {
  int64_t at_a_time = (int64_t)what->multiprocessors * k->blocks * (k->threads / k->lanes);
  return what->environments > at_a_time;
}

// Solvers take environments of the same size together. Where there are many, they go in two
// lines, so that one begins with a part of the step while the other one ends with the one before;
// kernels beside each other fill the device as well and are slower in two lines.
static void arrange(ct_Plan* plan, const ct_PlanFor* what) {
  bool beside = false;
  for (int i = 0; i < plan->count; i++) {
    ct_PlannedLaunch* launch = plan->launch + i;
    launch->ordered = launch->kernel->part == CT_KERNEL_SOLVER && takes_turns(what, launch->kernel);
    if (launch->ordered) plan->lines = 2;
    if (launch->islands) beside = true;
    if (launch->islands < 0) launch->ordered = launch[-1].ordered;  // one order for both
  }
  if (beside || !plan->lines) plan->lines = 1;
}

bool ct_make_plan(ct_Plan* plan, const ct_PlanFor* what, unsigned parts, bool check) {
  memset(plan, 0, sizeof(*plan));
  flow_step(plan, what->model, parts);
  if (check) plan_stage(plan, what->model, CT_STAGE_check_acceleration);
  for (int i = 0; i < plan->count; i++) {
    ct_PlannedLaunch* launch = plan->launch + i;
    ct_KernelPart part = ct_part_of_stage(__builtin_ctzll(launch->stages));
    use_kernel(what, launch, ct_choose_kernel(what, part));
  }
  divide_launches(plan, what);
  arrange(plan, what);
  return !plan->full;
}

void ct_free_plan(ct_Plan* plan) {
  if (plan->graph) cudaGraphExecDestroy(plan->graph);
  plan->graph = NULL;
}
