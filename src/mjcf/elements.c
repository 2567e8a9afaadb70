// New elements of a spec: name, class, origin.

#include <string.h>

#include "base/spelling.h"
#include "mjcf/read.h"

void ct_named(ct_Reader* r, const ct_Xml* xml, ct_Element* e) {
  e->file = xml->file->name;
  e->line = xml->line;
  ct_set_line_info(e,
                   xml->file->level ? 0 : xml->line);  // oddity of the reference: 0 in an include
  const char* name = ct_given(xml, "name");
  if (name && !ct_set_name(e, name)) ct_refuse(r, xml, "name", "the name is used twice");
}

CT_MJCF_NORETURN static void unknown_class(ct_Reader* r, const ct_Xml* xml, const char* attribute,
                                           const char* name) {
  ct_Spelling nearest = {name, NULL, 0};
  for (int i = 0; i < r->spec->defaults.count; i++)
    ct_spelling_add(&nearest, ct_name(r->spec->defaults.item[i]));
  if (nearest.found) {
    ct_refuse(r, xml, attribute, "there is no default class \"%.60s\"; did you mean \"%.60s\"?",
              name, nearest.found);
  }
  ct_refuse(r, xml, attribute, "there is no default class \"%.60s\"", name);
}

const ct_Default* ct_class_of(ct_Reader* r, const ct_Xml* xml, const char* attribute,
                              const ct_Default* def) {
  const char* name = ct_given(xml, attribute);
  if (!name) return def;
  const ct_Default* named = ct_find_class(r->spec, name);
  if (!named) unknown_class(r, xml, attribute, name);
  return named;
}

ct_Element* ct_read_element(ct_Reader* r, const ct_Xml* xml, mjtObj type) {
  const ct_Default* def = NULL;
  if (ct_kind(type)->in_default)
    def = ct_class_of(r, xml, "class", ct_inherited_class(r->spec, "main"));
  ct_Element* e = ct_add_in_spec(r->spec, type, def);
  ct_named(r, xml, e);
  ct_read_rows(r, xml, e->values);
  return e;
}

ct_Element* ct_read_tree_element(ct_Reader* r, const ct_Xml* xml, mjtObj type,
                                 const ct_Scope* scope) {
  const ct_Default* def =
      ct_class_of(r, xml, "class", ct_inherited_class(r->spec, scope->class_name));
  ct_Element* e = ct_add_in_body(scope->body, type, def);
  e->frame = scope->frame;
  ct_named(r, xml, e);
  ct_read_rows(r, xml, e->values);
  return e;
}

const ct_Xml* ct_first_child(const ct_Xml* xml, const char* name) {
  for (const ct_Xml* child = xml->first; child; child = child->next) {
    if (!strcmp(child->name, name)) return child;
  }
  return NULL;
}
