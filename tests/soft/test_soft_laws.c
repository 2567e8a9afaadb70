// R20.1 to R20.12: flight keeps momentum and energy, cloth drapes, cables hang as catenaries,
// solids keep their volume, pins hold, springs stretch by F / k, flexes and rigid bodies do not
// disturb each other before they touch.

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/fail.h"
#include "support/text_models.h"

static mjModel* m;
static mjData* d;

// Joints are damped by this much.
static void open_damped_text(const char* option, const char* world, double damping) {
  static char text[8000];
  snprintf(text, sizeof(text),
           "<mujoco><option %s/><default><joint damping='%g'/></default>"
           "<worldbody>%s</worldbody></mujoco>",
           option, damping, world);
  m = text_model(text);
  d = mj_makeData(m);
  mj_forward(m, d);
}

static void open_text(const char* option, const char* world) {
  open_damped_text(option, world, 0);
}

static void close_text(void) {
  mj_deleteData(d);
  mj_deleteModel(m);
}

static void run_until(double time) {
  while ((double)d->time < time) mj_step(m, d);
  mj_forward(m, d);
  for (int i = 0; i < m->nq; i++) assert_true(isfinite((double)d->qpos[i]));
}

static double fastest(void) {
  double most = 0;
  for (int i = 0; i < m->nv; i++) most = fmax(most, fabs((double)d->qvel[i]));
  return most;
}

static double lowest_vertex(void) {
  double low = 1e9;
  for (int i = 0; i < m->nflexvert; i++) low = fmin(low, (double)d->flexvert_xpos[3 * i + 2]);
  return low;
}

static double longest_stretch(void) {
  double most = 0;
  for (int i = 0; i < m->nflexedge; i++) {
    most = fmax(most, fabs((double)(d->flexedge_length[i] / m->flexedge_length0[i]) - 1));
  }
  return most;
}

typedef struct {
  double momentum[3], spin[3];  // linear, and angular about the origin
  double kinetic, elastic;
} Motion;

// The energy s' K s / 4 of an element, s the differences of squared lengths of its n edges, K the
// upper triangle of its matrix.
static double element_energy(int element, int n) {
  const mjtNum* K = m->flex_stiffness + 21 * element;
  const int* edge = m->flex_elemedge + n * element;
  double s[6], energy = 0;
  for (int i = 0; i < n; i++) {
    double l = (double)d->flexedge_length[edge[i]], l0 = (double)m->flexedge_length0[edge[i]];
    s[i] = l * l - l0 * l0;
  }
  for (int i = 0; i < n; i++) {
    for (int j = i; j < n; j++) energy += (double)*K++ * s[i] * s[j] * (i == j ? 0.25 : 0.5);
  }
  return energy;
}

// Of the only flex, whose vertices or nodes are bodies that slide along the world's axes.
static Motion motion_of_flex(void) {
  Motion now = {{0, 0, 0}, {0, 0, 0}, 0, 0};
  mj_forward(m, d);
  for (int b = 1; b < m->nbody; b++) {
    const mjtNum *x = d->xpos + 3 * b, *v = d->qvel + m->body_dofadr[b];
    mjtNum spin[3];
    double mass = (double)m->body_mass[b];
    mju_cross(spin, x, v);
    for (int k = 0; k < 3; k++) {
      now.momentum[k] += mass * (double)v[k];
      now.spin[k] += mass * (double)spin[k];
      now.kinetic += mass * (double)(v[k] * v[k]) / 2;
    }
  }
  int edges[] = {1, 3, 6};
  bool elements = m->flex_dim[0] > 1 && !m->flex_interp[0];
  for (int e = 0; elements && e < m->nflexelem; e++) {
    now.elastic += element_energy(e, edges[m->flex_dim[0] - 1]);
  }
  for (int e = 0; m->flex_dim[0] == 1 && e < m->nflexedge; e++) {
    double stretch = (double)(d->flexedge_length[e] - m->flexedge_length0[e]);
    now.elastic += (double)m->flex_edgestiffness[0] * stretch * stretch / 2;
  }
  return now;
}

// A flex that flies without gravity from speeds of up to 0.5 m/s. The rotation of a cell is that of
// its middle, as in the reference, so a cell keeps its spin only roughly, and what it stores is no
// sum over elements: `cell` asks for its momentum alone.
static void expect_kept(const char* flexcomp, bool cell) {
  open_text("timestep='2e-4' gravity='0 0 0' integrator='RK4'", flexcomp);
  for (int i = 0; i < m->nv; i++) d->qvel[i] = (mjtNum)((i * 7 % 11 - 5) / 10.0);
  Motion start = motion_of_flex();
  double all = start.kinetic, most = 0, scale = 0;
  double exact = sizeof(mjtNum) == 8 ? 1e-12 : 1e-4;
  double close = sizeof(mjtNum) == 8 ? 1e-6 : 1e-4;  // steps of RK4 do not keep the spin exactly
  for (int b = 1; b < m->nbody; b++) scale += 0.5 * (double)m->body_mass[b];
  for (int i = 0; i < 500; i++) {
    mj_step(m, d);
    Motion now = motion_of_flex();
    most = fmax(most, now.elastic);
    for (int k = 0; k < 3; k++) {
      double lost = fabs(now.momentum[k] - start.momentum[k]), spun = now.spin[k] - start.spin[k];
      if (!(lost < exact * scale)) fail_msg("step %d: momentum changed by %g", i, lost);
      if (!cell && !(fabs(spun) < close * scale)) fail_msg("step %d: spin by %g", i, spun);
    }
    double drift = fabs(now.kinetic + now.elastic - all);
    if (!cell && !(drift < 2e-3 * all)) fail_msg("step %d: energy %g of %g is lost", i, drift, all);
  }
  assert_true(cell || most > 0.1 * all);
  close_text();
}

// R20.1: elasticity gives to one vertex what it takes from others, and gives back what it stores.
static void flexes_in_flight_keep_momentum_and_energy(void** state) {
  (void)state;
  expect_kept(
      "<flexcomp name='c' type='grid' count='4 4 4' spacing='.05 .05 .05' dim='3' radius='.004'"
      " mass='1'><elasticity young='3e4' poisson='.3'/><contact selfcollide='none'/></flexcomp>",
      false);
  expect_kept(
      "<flexcomp name='c' type='grid' count='5 5 1' spacing='.05 .05 .05' dim='2' radius='.004'"
      " mass='.3'><elasticity young='3e4' poisson='.3' thickness='.003' elastic2d='stretch'/>"
      "<contact selfcollide='none'/></flexcomp>",
      false);
  expect_kept(
      "<flexcomp name='c' type='grid' count='8 1 1' spacing='.05 .05 .05' dim='1' radius='.004'"
      " mass='.3'><edge stiffness='200'/><contact selfcollide='none'/></flexcomp>",
      false);
  expect_kept(
      "<flexcomp name='c' type='grid' count='4 4 4' spacing='.05 .05 .05' dim='3' radius='.004'"
      " mass='1' dof='trilinear'><elasticity young='3e4' poisson='.3'/>"
      "<contact selfcollide='none'/></flexcomp>",
      true);
}

// R20.2
static void a_cloth_held_at_two_corners_drapes_and_keeps_its_edges(void** state) {
  (void)state;
  open_text("timestep='.004' iterations='20' tolerance='1e-6'",
            "<flexcomp name='c' type='grid' count='10 10 1' spacing='.02 .02 .02' dim='2'"
            " radius='.002' mass='.1'><edge equality='true' damping='.02' solref='.008 1'"
            " solimp='.99 .999 .0001'/><contact selfcollide='none'/><pin id='0 90'/></flexcomp>");
  run_until(2);
  assert_true(longest_stretch() < 0.05);
  assert_true(lowest_vertex() < -0.08);
  close_text();
}

// Sag of a chain of this length between points at this distance: a (cosh(span / 2a) - 1) where
// 2 a sinh(span / 2a) is the length.
static double catenary_sag(double length, double span) {
  double low = 0.01, high = 10;
  for (int i = 0; i < 200; i++) {
    double a = (low + high) / 2;
    if (2 * a * sinh(span / (2 * a)) > length) {
      low = a;
    } else {
      high = a;
    }
  }
  return low * (cosh(span / (2 * low)) - 1);
}

// R20.3
static void a_cable_hangs_as_a_catenary(void** state) {
  (void)state;
  char world[3000], *at = world;
  at += sprintf(at, "<flexcomp name='c' type='direct' dim='1' radius='.005' mass='.2' point='");
  for (int i = 0; i <= 20; i++) {
    double s = i / 20.0;
    at += sprintf(at, "%.9g 0 %.9g ", 0.8 * (s - 0.5), -0.3 * (1 - fabs(2 * s - 1)));
  }
  at += sprintf(at, "' element='");
  for (int i = 0; i < 20; i++) at += sprintf(at, "%d %d ", i, i + 1);
  sprintf(at,
          "'><edge equality='true' damping='.3' solref='.004 1' solimp='.99 .999 .0001'/>"
          "<contact selfcollide='none'/><pin id='0 20'/></flexcomp>");
  open_damped_text("timestep='.002'", world, 0.02);
  run_until(4);
  double sag = catenary_sag(1, 0.8);
  if (!(fabs(-lowest_vertex() - sag) < 0.1 * sag)) fail_msg("sag %g", -lowest_vertex());
  close_text();
}

static double volume_of(int element) {
  const int* v = m->flex_elem + 4 * element;
  mjtNum e[3][3], cross[3];
  for (int k = 0; k < 3; k++) {
    mju_sub3(e[k], d->flexvert_xpos + 3 * v[k + 1], d->flexvert_xpos + 3 * v[0]);
  }
  mju_cross(cross, e[0], e[1]);
  return (double)mju_dot3(cross, e[2]) / 6;
}

// How far the volume is from that at rest; no element may be inverted. Volumes are negative as the
// compiler orders the vertices.
static double volume_lost(double whole) {
  double now = 0;
  for (int i = 0; i < m->nflexelem; i++) {
    assert_true(volume_of(i) < 0);
    now += volume_of(i);
  }
  return fabs(now / whole - 1);
}

typedef struct {
  double falling, resting;  // most of the volume that was lost before and after this time
} Losses;

// Two seconds of a solid that starts on the ground, under its own weight all at once.
static Losses lose_volume(const char* elasticity, double rest) {
  char world[600];
  snprintf(world, sizeof(world),
           "<geom type='plane' size='1 1 1'/><flexcomp name='c' type='grid' count='5 5 5'"
           " spacing='.04 .04 .04' dim='3' radius='.004' mass='4' pos='0 0 .084'><elasticity"
           " poisson='.3' %s/><contact selfcollide='none'/></flexcomp>",
           elasticity);
  open_text("timestep='.002' integrator='implicitfast'", world);
  double whole = 0;
  Losses most = {0, 0};
  for (int i = 0; i < m->nflexelem; i++) whole += volume_of(i);
  while (d->time < 2) {
    mj_step(m, d);
    double lost = volume_lost(whole), *place = d->time < rest ? &most.falling : &most.resting;
    *place = fmax(*place, lost);
  }
  assert_true(d->ncon > 0);
  close_text();
  return most;
}

// R20.4: in every step, also the first ones, when the weight is twice its own for a moment. One
// that is half as stiff is within 5 % at rest and loses more before, as it must: the reference
// loses 2.49 %, then 1.19 % of the firm one, 7.32 %, then 3.86 % of the soft one.
static void a_solid_on_the_ground_keeps_its_volume(void** state) {
  (void)state;
  Losses firm = lose_volume("young='2e4' damping='.002'", 1);
  if (!(firm.falling < 0.05 && firm.resting < 0.02)) {
    fail_msg("the firm one loses %g, then %g", firm.falling, firm.resting);
  }
  Losses soft = lose_volume("young='1e4' damping='.002'", 1);
  if (!(soft.falling < 0.09 && soft.resting < 0.05)) {
    fail_msg("the soft one loses %g, then %g", soft.falling, soft.resting);
  }
}

typedef struct {
  double falling, resting;  // deepest before and after this time
  double jitter;            // fastest dof after it
} Lie;

// How deep the cloth is in the sphere: what contacts say, and the vertices by themselves.
static double cloth_depth(double reach) {
  double depth = 0;
  for (int i = 0; i < d->ncon; i++) depth = fmax(depth, -(double)d->contact[i].dist);
  for (int i = 0; i < m->nflexvert; i++) {
    depth = fmax(depth, reach - (double)mju_norm3(d->flexvert_xpos + 3 * i));
  }
  return depth;
}

// Three seconds of a cloth that falls on a sphere, the last half of them at rest.
static Lie lie_on_sphere(const char* option, const char* contact) {
  char world[800];
  snprintf(world, sizeof(world),
           "<geom type='sphere' size='.1' friction='1.5' %s/><flexcomp name='c' type='grid'"
           " count='7 7 1' spacing='.04 .04 .04' dim='2' radius='.01' mass='.1' pos='0 0 .112'>"
           "<edge equality='true' damping='.1'/><contact selfcollide='none' friction='1.5' %s/>"
           "</flexcomp>",
           contact, contact);
  open_text(option, world);
  Lie most = {0, 0, 0};
  while (d->time < 3) {
    mj_step(m, d);
    bool rests = d->time >= 1.5;
    double depth = cloth_depth(0.1 + 0.01), *place = rests ? &most.resting : &most.falling;
    *place = fmax(*place, depth);
    if (!rests) continue;
    assert_true(d->ncon > 0);
    most.jitter = fmax(most.jitter, fastest());
  }
  close_text();
  return most;
}

static void expect_lie(const char* what, Lie seen, Lie most) {
  if (seen.falling < most.falling && seen.resting < most.resting && seen.jitter < most.jitter) {
    return;
  }
  fail_msg("%s: falling %g, at rest %g deep, speed %g", what, seen.falling, seen.resting,
           seen.jitter);
}

// R20.5: never deeper than 1 mm, not when it falls on the sphere either, and at rest for a second
// and a half. How deep is up to the softness that contacts are given: the reference has 0.69 mm in
// the fall and 0.05 mm at rest with the hard ones, 1.63 and 0.33 mm with those of two steps, and
// with its default (solref .02) 8.9 and 2.5 mm, which are not asked for here.
static void a_cloth_on_a_sphere_lies_still_on_its_surface(void** state) {
  (void)state;
  Lie hard = lie_on_sphere("timestep='.001'", "solref='.002 1' solimp='.95 .99 .001'");
  expect_lie("hard contacts", hard, (Lie){1e-3, 2e-4, 5e-3});
  Lie usual = lie_on_sphere("timestep='.002'", "solref='.004 1'");
  expect_lie("contacts of two steps", usual, (Lie){2e-3, 1e-3, 5e-3});
}

// R20.6: E A / L = 2000, F = 10
static void an_edge_stretches_by_force_over_stiffness(void** state) {
  (void)state;
  open_text("timestep='.001' gravity='0 0 -10'",
            "<flexcomp name='c' type='direct' dim='1' point='0 0 0 0 0 -.5' element='0 1'"
            " radius='.01' mass='2' pos='0 0 1'><edge stiffness='2000' damping='40'/>"
            "<pin id='0'/></flexcomp>");
  run_until(2);
  double stretch = (double)d->flexedge_length[0] - 0.5;
  assert_true(fabs(stretch - 0.005) < 5e-5);
  close_text();
}

// R20.7
static void pinned_vertices_do_not_move_at_all(void** state) {
  (void)state;
  open_text("",
            "<flexcomp name='c' type='grid' count='4 4 1' spacing='.05 .05 .05' dim='2'"
            " radius='.01'><edge equality='true'/><pin id='0 3 12'/></flexcomp>");
  const int pin[] = {0, 3, 12};
  mjtNum before[9];
  for (int i = 0; i < 9; i++) before[i] = d->flexvert_xpos[3 * pin[i / 3] + i % 3];
  run_until(0.3);
  for (int i = 0; i < 9; i++) assert_true(d->flexvert_xpos[3 * pin[i / 3] + i % 3] == before[i]);
  assert_true(fastest() > 0);
  close_text();
}

// R20.8
static void a_grid_has_the_vertices_and_edges_of_its_triangles(void** state) {
  (void)state;
  open_text("",
            "<flexcomp name='c' type='grid' count='5 5 1' spacing='.04 .04 .04' dim='2'"
            " radius='.01'/>");
  assert_int_equal(m->nflexvert, 25);
  assert_int_equal(m->nflexedge, 56);
  assert_int_equal(m->nflexelem, 32);
  close_text();
}

// R20.9
static void a_free_vertex_is_a_point_mass_that_falls(void** state) {
  (void)state;
  open_text("",
            "<flexcomp name='c' type='direct' dim='1' point='0 0 0 0 0 1' element='0 1'"
            " radius='.01' mass='4'><contact selfcollide='none'/></flexcomp>");
  mjtNum M[36];
  mj_fullM(m, M, d->qM);
  for (int i = 0; i < 36; i++) assert_true(M[i] == (i / 6 == i % 6 ? 2 : 0));
  for (int i = 0; i < 6; i++) {
    assert_true(fabs((double)(d->qacc[i] - m->opt.gravity[i % 3])) < 1e-5);
  }
  close_text();
}

static const char pendulum[] =
    "<body pos='1 0 0'><joint type='hinge' axis='0 1 0'/><geom type='capsule' size='.02'"
    " fromto='0 0 0 .3 0 0' mass='1'/></body>";

// R20.10
static void a_cloth_and_a_pendulum_do_not_feel_each_other(void** state) {
  (void)state;
  open_text("", pendulum);
  mjtNum alone = d->qacc[0];
  close_text();
  char world[2000];
  snprintf(world, sizeof(world),
           "%s<flexcomp name='c' type='grid' count='2 2 1' spacing='.1 .1 .1' dim='2'"
           " radius='.01'><edge equality='true'/></flexcomp>",
           pendulum);
  open_text("", world);
  assert_int_equal(m->nv, 13);
  mjtNum M[169];
  mj_fullM(m, M, d->qM);
  for (int i = 1; i < 13; i++) assert_true(M[i] == 0 && M[13 * i] == 0);
  assert_true(fabs((double)(d->qacc[0] - alone)) < 1e-5);
  close_text();
}

// R20.11
static void newton_takes_about_as_many_rounds_with_a_cloth(void** state) {
  (void)state;
  const char* rigid =
      "<geom type='plane' size='2 2 1'/><body pos='0 0 .1'><freejoint/><geom type='box'"
      " size='.1 .1 .1'/></body>";
  open_text("", rigid);
  int without = 0, with = 0;
  for (int i = 0; i < 100; i++) {
    mj_step(m, d);
    without = d->solver_niter[0] > without ? d->solver_niter[0] : without;
  }
  close_text();
  char world[2000];
  snprintf(world, sizeof(world),
           "%s<flexcomp name='c' type='grid' count='4 4 1' spacing='.1 .1 .1' dim='2' pos='1 0 1'"
           " radius='.01'><edge equality='true'/><pin id='0 3'/></flexcomp>",
           rigid);
  open_text("", world);
  for (int i = 0; i < 100; i++) {
    mj_step(m, d);
    for (int k = 0; k < d->nisland && k < mjNISLAND; k++) {
      with = d->solver_niter[k] > with ? d->solver_niter[k] : with;
    }
  }
  if (with > 2 * without) fail_msg("%d rounds, without the cloth %d", with, without);
  assert_int_equal(d->warning[mjWARN_BADQACC].number, 0);
  close_text();
}

// R20.12
static void a_ball_rests_on_a_rubber_cloth_with_its_weight(void** state) {
  (void)state;
  open_text("timestep='.002' integrator='implicitfast'",
            "<body pos='0 0 .61'><freejoint/><geom type='sphere' size='.1' mass='1'/></body>"
            "<flexcomp name='c' type='grid' count='7 7 1' spacing='.1 .1 .1' dim='2' radius='.01'"
            " mass='1'><edge damping='5'/><elasticity young='2e5' poisson='.3' thickness='.003'"
            " damping='.001' elastic2d='stretch'/><contact selfcollide='none' solref='.01 1'/>"
            "<pin gridrange='0 0 0 6'/><pin gridrange='6 0 6 6'/><pin gridrange='0 0 6 0'/>"
            "<pin gridrange='0 6 6 6'/></flexcomp>");
  run_until(3);
  double mean = 0;
  for (int i = 0; i < 500; i++) {
    mj_step(m, d);
    mean += (double)d->qfrc_constraint[2] / 500;
  }
  if (!(fabs(mean - 9.81) < 0.981)) fail_msg("the cloth pushes with %g N", mean);
  close_text();
}

static void a_chain_over_an_edge_comes_to_rest(void** state) {
  (void)state;
  open_text(
      "timestep='.016666666666666666' integrator='implicitfast' cone='elliptic'"
      " impratio='1000' noslip_iterations='5'",
      "<geom type='box' size='.3 .2 .1'/><flexcomp name='c' type='grid' count='11 1 1'"
      " spacing='.04 .04 .04' dim='1' radius='.01' mass='.2' pos='.14 0 .11'>"
      "<edge equality='true' damping='3'/><contact selfcollide='none'/></flexcomp>");
  for (int i = 0; i < 500; i++) mj_step(m, d);
  if (!(fastest() < 1e-4)) fail_msg("moves with %g m/s", fastest());
  assert_true(lowest_vertex() < 0.1);
  close_text();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(flexes_in_flight_keep_momentum_and_energy),
      cmocka_unit_test(a_cloth_held_at_two_corners_drapes_and_keeps_its_edges),
      cmocka_unit_test(a_cable_hangs_as_a_catenary),
      cmocka_unit_test(a_solid_on_the_ground_keeps_its_volume),
      cmocka_unit_test(a_cloth_on_a_sphere_lies_still_on_its_surface),
      cmocka_unit_test(an_edge_stretches_by_force_over_stiffness),
      cmocka_unit_test(pinned_vertices_do_not_move_at_all),
      cmocka_unit_test(a_grid_has_the_vertices_and_edges_of_its_triangles),
      cmocka_unit_test(a_free_vertex_is_a_point_mass_that_falls),
      cmocka_unit_test(a_cloth_and_a_pendulum_do_not_feel_each_other),
      cmocka_unit_test(newton_takes_about_as_many_rounds_with_a_cloth),
      cmocka_unit_test(a_ball_rests_on_a_rubber_cloth_with_its_weight),
      cmocka_unit_test(a_chain_over_an_edge_comes_to_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
