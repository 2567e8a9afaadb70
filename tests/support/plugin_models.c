#include "support/plugin_models.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/fail.h"
#include "support/recorded.h"

mjModel* plugin_model(const char* name) {
  char path[1000], error[1000] = "";
  snprintf(path, sizeof(path), "%s/tests/plugin/%s", CT_SOURCE_DIR, name);
  mjModel* m = mj_loadXML(path, NULL, error, sizeof(error));
  if (!m) fail_msg("%s", error);
  return m;
}

void expect_refused_model(const char* xml, const char* part) {
  char error[1000] = "";
  mjSpec* spec = mj_parseXMLString(xml, NULL, error, sizeof(error));
  mjModel* m = spec ? mj_compile(spec, NULL) : NULL;
  if (spec) snprintf(error, sizeof(error), "%s", mjs_getError(spec));
  mj_deleteSpec(spec);
  bool accepted = m != NULL;
  mj_deleteModel(m);
  if (accepted) fail_msg("accepted, though \"%s\"", part);
  if (!strstr(error, part)) fail_msg("expected \"%s\" in \"%s\"", part, error);
}

typedef struct {
  const double* want;
  double tolerance;
  int row;
} Comparison;

static void compare(Comparison* c, const char* what, const mjtNum* got, int count) {
  for (int i = 0; i < count; i++, c->want++) {
    double error = fabs((double)got[i] - *c->want);
    if (!(error <= c->tolerance * fmax(1, fabs(*c->want)))) {
      fail_msg("row %d: %s[%d] is %.17g, expected %.17g", c->row, what, i, (double)got[i],
               *c->want);
    }
  }
}

void expect_recorded_steps(const char* name, int steps, int every, double tolerance,
                           double (*control)(int actuator, int step)) {
  char text[100];
  snprintf(text, sizeof(text), "%s.xml", name);
  mjModel* m = plugin_model(text);
  mjData* d = mj_makeData(m);
  Recorded* r = recorded_open("plugins.rec");
  snprintf(text, sizeof(text), "%s/states", name);
  size_t count = 0;
  Comparison c = {recorded_doubles(r, text, &count), tolerance, 0};
  assert_int_equal(count, (steps / every) * (m->nq + m->nv + m->na + m->nu));
  for (int step = 0; step < steps; step++) {
    for (int i = 0; i < m->nu; i++) d->ctrl[i] = (mjtNum)control(i, step);
    mj_step(m, d);
    if (step % every != every - 1) continue;
    compare(&c, "qpos", d->qpos, (int)m->nq);
    compare(&c, "qvel", d->qvel, (int)m->nv);
    compare(&c, "act", d->act, (int)m->na);
    compare(&c, "actuator_force", d->actuator_force, (int)m->nu);
    c.row++;
  }
  recorded_close(r);
  mj_deleteData(d);
  mj_deleteModel(m);
}
