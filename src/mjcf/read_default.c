// Default classes: templates of elements.

#include <string.h>

#include "mjcf/read.h"

static void read_template(ct_Reader* r, const ct_Xml* xml, void* arg) {
  mjsDefault* def = (mjsDefault*)((ct_Default*)arg)->element.values;
  const char* name = xml->name;
  if (!strcmp(name, "mesh")) {
    ct_read_rows(r, xml, def->mesh);
    ct_read_mesh_values(r, xml, def->mesh);
  } else if (!strcmp(name, "material")) {
    ct_read_rows(r, xml, def->material);
    ct_read_material_values(r, xml, def->material);
  } else if (!strcmp(name, "joint")) {
    ct_read_rows(r, xml, def->joint);
  } else if (!strcmp(name, "geom")) {
    ct_read_rows(r, xml, def->geom);
    ct_read_geom_values(r, xml, def->geom);
  } else if (!strcmp(name, "site")) {
    ct_read_rows(r, xml, def->site);
  } else if (!strcmp(name, "camera")) {
    ct_read_rows(r, xml, def->camera);
    ct_read_camera_values(r, xml, def->camera);
  } else if (!strcmp(name, "light")) {
    ct_read_rows(r, xml, def->light);
    ct_read_light_values(r, xml, def->light);
  } else if (!strcmp(name, "pair")) {
    ct_read_rows(r, xml, def->pair);
  } else if (!strcmp(name, "equality")) {
    ct_read_rows(r, xml, def->equality);
  } else if (!strcmp(name, "tendon")) {
    ct_read_rows(r, xml, def->tendon);
    ct_read_tendon_values(r, xml, def->tendon);
  } else {
    ct_read_rows(r, xml, def->actuator);
    ct_read_actuator_values(r, xml, def->actuator);
  }
}

static void read_class(ct_Reader* r, const ct_Xml* xml, void* parent);

// Templates first, then the classes below, which start as copies of this one.
static void read_content(ct_Reader* r, const ct_Xml* xml, ct_Default* def) {
  for (const ct_Xml* child = xml->first; child; child = child->next) {
    if (child->rule && strcmp(child->name, "default")) ct_guarded(r, read_template, child, def);
  }
  for (const ct_Xml* child = xml->first; child; child = child->next) {
    if (child->rule && !strcmp(child->name, "default")) ct_guarded(r, read_class, child, def);
  }
}

static void read_class(ct_Reader* r, const ct_Xml* xml, void* parent) {
  const char* name = ct_given(xml, "class");
  if (!name || !*name) ct_refuse(r, xml, NULL, "a default inside another one needs a class name");
  if (ct_find_class(r->spec, name))
    ct_refuse(r, xml, "class", "the class \"%.60s\" is defined twice", name);
  ct_Default* def = ct_add_class(r->spec, name, (ct_Default*)parent);
  def->element.file = xml->file->name;
  def->element.line = xml->line;
  read_content(r, xml, def);
}

void ct_read_default(ct_Reader* r, const ct_Xml* section) {
  const char* name = ct_given(section, "class");
  if (name && *name && strcmp(name, "main")) {
    ct_refuse(r, section, "class", "the outermost default is \"main\", not \"%.60s\"", name);
  }
  read_content(r, section, (ct_Default*)r->spec->defaults.item[0]);
}
