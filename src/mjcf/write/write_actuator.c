// Actuators that are written. All are `general`, whatever shortcut made them, but for plugins.

#include "mjcf/write/write.h"

static void put_target(ct_Writer* w, ct_Tag* tag, const mjsActuator* v) {
  switch ((int)v->trntype) {
    case mjTRN_JOINT:
      ct_put_text(w, tag, "joint", v->target);
      break;
    case mjTRN_JOINTINPARENT:
      ct_put_text(w, tag, "jointinparent", v->target);
      break;
    case mjTRN_TENDON:
      ct_put_text(w, tag, "tendon", v->target);
      break;
    case mjTRN_SLIDERCRANK:
      ct_put_text(w, tag, "cranksite", v->target);
      ct_put_text(w, tag, "slidersite", v->slidersite);
      break;
    case mjTRN_SITE:
      ct_put_text(w, tag, "site", v->target);
      ct_put_text(w, tag, "refsite", v->refsite);
      break;
    case mjTRN_BODY:
      ct_put_text(w, tag, "body", v->target);
      break;
    default:
      break;
  }
}

void ct_write_actuator(ct_Writer* w, ct_Tag* tag, const mjsActuator* v, const mjsActuator* d,
                       bool in_class) {
  ct_put_rows(w, tag, "actuator", v, d);
  int actdim = in_class ? d->actdim : v->dyntype != mjDYN_NONE;
  ct_put_int_unless(w, tag, "actdim", v->actdim, actdim);
  ct_put_rows(w, tag, "actuator_activation", v, d);
  if (v->plugin.active) {
    ct_put_plugin(w, tag, &v->plugin);
  } else {
    ct_put_rows(w, tag, "actuator_force", v, d);
  }
}

void ct_write_actuators(ct_Writer* w, ct_Tag* root) {
  ct_Tag* section = ct_tag(w, root, "actuator");
  const ct_List* list = &w->spec->list[mjOBJ_ACTUATOR];
  for (int i = 0; i < list->count; i++) {
    const ct_Element* e = list->item[i];
    const mjsActuator *v = CT_COMPILED(mjsActuator, e),
                      *d = (const mjsActuator*)ct_class_values(w, e);
    ct_Tag* tag = ct_tag(w, section, v->plugin.active ? "plugin" : "general");
    if (!ct_string_empty(&e->name)) ct_put(w, tag, "name", ct_name(e));
    ct_put_class(w, tag, e, NULL);
    put_target(w, tag, v);
    ct_write_actuator(w, tag, v, d, false);
    ct_put_element_user(w, tag, e, v->userdata, d->userdata, w->whole->nuser_actuator);
  }
  ct_drop_if_empty(section);
}
