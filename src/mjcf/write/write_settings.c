// Settings that are written: compiler, option, size, visual, statistic. Those of a model count
// after mj_copyBack, the spec's own otherwise.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "mjcf/settings_words.h"
#include "mjcf/write/write.h"

static void write_compiler(ct_Writer* w, ct_Tag* root) {
  static const double zero = 0;
  const mjsCompiler* v = &w->spec->spec.compiler;
  ct_Tag* tag = ct_tag(w, root, "compiler");
  ct_put(w, tag, "angle", "radian");
  if (w->keep_all) {
    // inertia stands with every body that has any; this is about the others
    const int* group = v->inertiagrouprange;
    double range[2] = {group[0], group[1]}, all[2] = {0, mjNGROUP - 1};
    ct_put_reals(w, tag, "inertiagrouprange", range, 2, all);
    if (v->inertiafromgeom == mjINERTIAFROMGEOM_FALSE) ct_put(w, tag, "inertiafromgeom", "false");
    if (v->fitaabb) ct_put(w, tag, "fitaabb", "true");
  }
  if (!w->name_folders) {
    ct_put_text(w, tag, "meshdir", v->meshdir);
    ct_put_text(w, tag, "texturedir", v->texturedir);
  }
  if (!v->usethread) ct_put(w, tag, "usethread", "false");
  ct_put_reals(w, tag, "boundmass", &v->boundmass, 1, &zero);
  ct_put_reals(w, tag, "boundinertia", &v->boundinertia, 1, &zero);
  if (v->alignfree && !w->keep_all) ct_put(w, tag, "alignfree", "true");
  if (!v->autolimits) ct_put(w, tag, "autolimits", "false");
}

// Option

static void write_flags(ct_Writer* w, ct_Tag* tag, const char* const* name, int n, int bits,
                        const char* word) {
  for (int i = 0; i < n; i++) {
    if (bits & 1 << i) ct_put(w, tag, name[i], word);
  }
}

static void write_disabled_groups(ct_Writer* w, ct_Tag* tag, int bits) {
  char text[128] = "";
  for (int i = 0; i < 31; i++) {
    if (!(bits & 1 << i)) continue;
    size_t used = strlen(text);
    snprintf(text + used, sizeof(text) - used, used ? " %d" : "%d", i);
  }
  if (*text) ct_put(w, tag, "actuatorgroupdisable", text);
}

static void write_option(ct_Writer* w, ct_Tag* root) {
  const mjOption* v = w->whole->copied_back ? &w->whole->option : &w->spec->spec.option;
  mjOption initial;
  mj_defaultOption(&initial);
  ct_Tag* tag = ct_tag(w, root, "option");
  ct_put_rows(w, tag, "option", v, &initial);
  write_disabled_groups(w, tag, v->disableactuator);
  ct_Tag* flag = ct_tag(w, tag, "flag");
  write_flags(w, flag, ct_disable_flags, mjNDISABLE, v->disableflags, "disable");
  write_flags(w, flag, ct_enable_flags, mjNENABLE, v->enableflags, "enable");
  ct_drop_if_empty(flag);
  ct_drop_if_empty(tag);
}

// Size

static void write_size(ct_Writer* w, ct_Tag* root) {
  const mjSpec* v = &w->spec->spec;
  const ct_CompiledWhole* c = w->whole;
  ct_Tag* tag = ct_tag(w, root, "size");
  if (v->memory != -1) ct_put(w, tag, "memory", mju_writeNumBytes((size_t)v->memory));
  ct_put_int_unless(w, tag, "njmax", v->njmax, -1);
  ct_put_int_unless(w, tag, "nconmax", v->nconmax, -1);
  ct_put_int_unless(w, tag, "nstack", (int)v->nstack, -1);
  ct_put_int_unless(w, tag, "nuserdata", v->nuserdata, 0);
  ct_put_int_unless(w, tag, "nkey", c->nkey, 0);
  ct_put_int_unless(w, tag, "nuser_body", c->nuser_body, 0);
  ct_put_int_unless(w, tag, "nuser_jnt", c->nuser_jnt, 0);
  ct_put_int_unless(w, tag, "nuser_geom", c->nuser_geom, 0);
  ct_put_int_unless(w, tag, "nuser_site", c->nuser_site, 0);
  ct_put_int_unless(w, tag, "nuser_cam", c->nuser_cam, 0);
  ct_put_int_unless(w, tag, "nuser_tendon", c->nuser_tendon, 0);
  ct_put_int_unless(w, tag, "nuser_actuator", c->nuser_actuator, 0);
  ct_put_int_unless(w, tag, "nuser_sensor", c->nuser_sensor, 0);
  ct_drop_if_empty(tag);
}

// Visual and statistic

static void write_visual(ct_Writer* w, ct_Tag* root) {
  static const char* const parts[] = {"quality", "headlight", "map", "scale", "rgba"};
  const mjVisual* v = w->whole->copied_back ? &w->whole->visual : &w->spec->spec.visual;
  mjVisual initial;
  mj_defaultVisual(&initial);
  const mjVisual* d = &initial;
  ct_Tag* tag = ct_tag(w, root, "visual");
  ct_Tag* part = ct_tag(w, tag, "global");
  ct_put_rows(w, part, "global_camera", v, d);
  ct_put_floats(w, part, "realtime", &v->global.realtime, 1, &d->global.realtime);
  ct_put_rows(w, part, "global_buffer", v, d);
  ct_drop_if_empty(part);
  for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
    part = ct_tag(w, tag, parts[i]);
    if (!strcmp(parts[i], "map")) {
      ct_put_rows(w, part, "map_near", v, d);
      ct_put_floats(w, part, "znear", &v->map.znear, 1, &d->map.znear);
      ct_put_rows(w, part, "map_far", v, d);
    } else {
      ct_put_rows(w, part, parts[i], v, d);
    }
    ct_drop_if_empty(part);
  }
  ct_drop_if_empty(tag);
}

static void write_statistic(ct_Writer* w, ct_Tag* root) {
  const mjStatistic* v = w->whole->copied_back ? &w->whole->stat : &w->spec->spec.stat;
  ct_Tag* tag = ct_tag(w, root, "statistic");
  double number[3] = {(double)v->meaninertia, 0, 0};
  ct_put_reals(w, tag, "meaninertia", number, 1, NULL);
  number[0] = (double)v->meanmass;
  ct_put_reals(w, tag, "meanmass", number, 1, NULL);
  number[0] = (double)v->meansize;
  ct_put_reals(w, tag, "meansize", number, 1, NULL);
  number[0] = (double)v->extent;
  ct_put_reals(w, tag, "extent", number, 1, NULL);
  for (int i = 0; i < 3; i++) number[i] = (double)v->center[i];
  ct_put_reals(w, tag, "center", number, 3, NULL);
  ct_drop_if_empty(tag);
}

void ct_write_settings(ct_Writer* w, ct_Tag* root) {
  write_compiler(w, root);
  write_option(w, root);
  write_size(w, root);
  write_visual(w, root);
  write_statistic(w, root);
}
