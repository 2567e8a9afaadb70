// Custom fields, plugins, keyframes.

#include <string.h>

#include "mjcf/read.h"

// Custom

enum { MOST_NUMBERS = 500, NOT_GIVEN = 501 };

static void read_numeric(ct_Reader* r, const ct_Xml* xml) {
  mjsNumeric* numeric = CT_VALUES(mjsNumeric, ct_read_element(r, xml, mjOBJ_NUMERIC));
  int n, size = NOT_GIVEN;
  const double* data = ct_read_all_reals(r, xml, "data", &n);
  ct_read_int(r, xml, "size", &size);
  if (size == NOT_GIVEN) size = n;
  if (size < 1 || size > MOST_NUMBERS)
    ct_refuse(r, xml, NULL, "size is %d; 1 to %d numbers are possible", size, MOST_NUMBERS);
  if (n > size) ct_refuse(r, xml, "data", "data has %d numbers, but size is %d", n, size);
  numeric->size = size;
  ct_Vector* vector = (ct_Vector*)numeric->data;
  ct_vector_set(vector, data, (size_t)n, sizeof(double));
  ct_vector_resize(vector, (size_t)size, sizeof(double));
}

static void read_text(ct_Reader* r, const ct_Xml* xml) {
  mjsText* text = CT_VALUES(mjsText, ct_read_element(r, xml, mjOBJ_TEXT));
  const char* data = ct_required(r, xml, "data");
  if (!*data) ct_refuse(r, xml, "data", "data is empty");
  mjs_setString(text->data, data);
}

// Names are split at blanks; one that has some is too many names, which the compiler refuses.
static void append_words(ct_Reader* r, ct_Vector* names, const char* text) {
  int n;
  char** words = ct_split(r, text, &n);
  for (int i = 0; i < n; i++) ct_strings_append(names, words[i]);
}

static void read_tuple(ct_Reader* r, const ct_Xml* xml) {
  mjsTuple* tuple = CT_VALUES(mjsTuple, ct_read_element(r, xml, mjOBJ_TUPLE));
  for (const ct_Xml* member = xml->first; member; member = member->next) {
    if (strcmp(member->name, "element")) continue;
    double number = 0;
    ct_require(r, member);
    int type = mju_str2Type(ct_given(member, "objtype"));
    if (type == mjOBJ_UNKNOWN)
      ct_refuse(r, member, "objtype", "objtype is \"%.40s\", which is not a type of object",
                ct_given(member, "objtype"));
    ct_read_real(r, member, "prm", &number);
    ct_vector_append((ct_Vector*)tuple->objtype, &type, sizeof(int));
    ct_vector_append((ct_Vector*)tuple->objprm, &number, sizeof(double));
    append_words(r, (ct_Vector*)tuple->objname, ct_given(member, "objname"));
  }
}

static void read_custom(ct_Reader* r, const ct_Xml* xml, void* arg) {
  (void)arg;
  if (!strcmp(xml->name, "numeric")) read_numeric(r, xml);
  if (!strcmp(xml->name, "text")) read_text(r, xml);
  if (!strcmp(xml->name, "tuple")) read_tuple(r, xml);
}

void ct_read_custom(ct_Reader* r, const ct_Xml* section) {
  for (const ct_Xml* xml = section->first; xml; xml = xml->next)
    ct_guarded(r, read_custom, xml, NULL);
}

// Plugins

static void read_config(ct_Reader* r, const ct_Xml* xml, ct_Map* attributes) {
  for (const ct_Xml* config = xml->first; config; config = config->next) {
    if (strcmp(config->name, "config")) continue;
    ct_require(r, config);
    const char* key = ct_given(config, "key");
    if (ct_map_get(attributes, key))
      ct_refuse(r, config, "key", "the key \"%.60s\" is given twice", key);
    ct_map_set(attributes, key, ct_given(config, "value"));
  }
}

static ct_Plugin* add_instance(ct_Reader* r, const ct_Xml* xml, const char* plugin) {
  ct_Element* e = ct_add_in_spec(r->spec, mjOBJ_PLUGIN, NULL);
  e->file = xml->file->name;
  e->line = xml->line;
  mjs_setString(CT_VALUES(mjsPlugin, e)->plugin_name, plugin);
  read_config(r, xml, &((ct_Plugin*)e)->attributes);
  return (ct_Plugin*)e;
}

static void read_extension(ct_Reader* r, const ct_Xml* xml, void* arg) {
  (void)arg;
  const char* name = ct_required(r, xml, "plugin");
  if (mjs_activatePlugin(&r->spec->spec, name))
    ct_refuse(r, xml, "plugin", "the plugin \"%.60s\" is not registered", name);
  for (const ct_Xml* instance = xml->first; instance; instance = instance->next) {
    if (strcmp(instance->name, "instance")) continue;
    ct_required(r, instance, "name");
    ct_Plugin* p = add_instance(r, instance, name);
    ct_named(r, instance, &p->element);
  }
}

void ct_read_extension(ct_Reader* r, const ct_Xml* section) {
  for (const ct_Xml* xml = section->first; xml; xml = xml->next)
    ct_guarded(r, read_extension, xml, NULL);
}

// An instance that is named takes no parameters here; otherwise a new one is made for the element.
void ct_read_plugin(ct_Reader* r, const ct_Xml* xml, mjsPlugin* plugin) {
  const char* name = ct_given(xml, "plugin");
  const char* instance = ct_given(xml, "instance");
  plugin->active = 1;
  if (name) mjs_setString(plugin->plugin_name, name);
  if (instance && *instance) {
    mjs_setString(plugin->name, instance);
    return;
  }
  plugin->element = &add_instance(r, xml, name ? name : "")->element.handle;
  r->spec->spec.hasImplicitPluginElem = 1;
}

// Keyframes

static void read_key(ct_Reader* r, const ct_Xml* xml, void* arg) {
  (void)arg;
  ct_read_element(r, xml, mjOBJ_KEY);
}

void ct_read_keyframe(ct_Reader* r, const ct_Xml* section) {
  for (const ct_Xml* xml = section->first; xml; xml = xml->next) {
    if (xml->rule) ct_guarded(r, read_key, xml, NULL);
  }
}
