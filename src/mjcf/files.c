// Files that a model file names: includes, and the names of assets.
//
// All names are seen from the folder of the model file. A name that is not found there is seen from
// the folder of the included file in which it stands.

#include <stdint.h>
#include <string.h>

#include "base/resource/path.h"
#include "base/resource/resource.h"
#include "mjcf/read.h"

enum {
  DEEPEST_INCLUDE = 100,   // includes inside each other
  DEEPEST_ELEMENT = 2000,  // elements inside each other, over all files
};

char* ct_join(ct_Reader* r, const char* directory, const char* name) {
  char* joined = ct_path_join(directory, name);
  if (!joined) ct_refuse(r, NULL, NULL, "out of memory");
  char* text = ct_pool_text(&r->pool, joined);
  mju_free(joined);
  return text;
}

bool ct_read_text(ct_Reader* r, const char* directory, const char* name, ct_Text* text) {
  mjResource* resource = mju_openResource(directory, name, r->vfs, r->message, sizeof(r->message));
  if (!resource) return false;
  const void* content = NULL;
  const char* dir = NULL;
  int ndir = 0, n = mju_readResource(resource, &content);
  mju_getResourceDir(resource, &dir, &ndir);
  text->directory = ct_pool_text_n(&r->pool, dir ? dir : "", (size_t)ndir);
  text->name = ct_pool_text(&r->pool, resource->name);
  text->length = n > 0 ? (size_t)n : 0;
  text->text = n > 0 ? ct_pool_text_n(&r->pool, (const char*)content, (size_t)n) : "";
  mju_closeResource(resource);
  if (n <= 0) strcpy(r->message, n < 0 ? "cannot be read" : "is empty");
  return n > 0;
}

static bool exists(ct_Reader* r, const char* directory, const char* name) {
  char error[200];
  mjResource* resource = mju_openResource(directory, name, r->vfs, error, sizeof(error));
  if (resource) mju_closeResource(resource);
  return resource != NULL;
}

const char* ct_file_name(ct_Reader* r, const ct_Xml* xml, const char* attribute,
                         const char* folder) {
  const char* file = ct_given(xml, attribute);
  if (!file) return NULL;
  const char* name = ct_join(r, NULL, file);
  if (!*file || ct_path_prefix(name) || !xml->file->directory) return name;
  if (exists(r, folder, name)) return name;
  return ct_join(r, xml->file->directory, name);
}

// Includes

static void note_included(ct_Reader* r, const char* name) {
  ct_dictionary_add(&r->included, &r->pool, name, name);
}

// Opens an included file, from the model's folder or from that of the file that includes it.
static void open_include(ct_Reader* r, const ct_Xml* xml, const char* name, ct_Text* text) {
  if (ct_read_text(r, r->directory, name, text)) return;
  const char* here = xml->file->directory;
  if (here && !ct_path_prefix(name)) {
    const char* beside = ct_join(r, here, ct_join(r, NULL, ct_given(xml, "file")));
    if (ct_read_text(r, r->directory, beside, text)) return;
  }
  const char* why = ct_resource_refusal(r->directory, name);
  ct_refuse(r, xml, "file", "cannot include %.200s: %s", name,
            why ? why : "no such file, or it is empty");
}

// Folder of an included file, seen from the model's folder if that is not absolute.
static const char* folder_of(const ct_Reader* r, const ct_Text* text) {
  size_t n = strlen(r->directory);
  bool below = !ct_path_prefix(r->directory) && !strncmp(text->directory, r->directory, n);
  return below ? text->directory + n : text->directory;
}

static void include(ct_Reader* r, ct_Xml** link) {
  const ct_Xml* xml = *link;
  const char* file = ct_required(r, xml, "file");
  if (xml->first || xml->other) ct_refuse(r, xml, NULL, "must be empty");
  if (xml->file->level >= DEEPEST_INCLUDE)
    ct_refuse(r, xml, NULL, "more than %d includes inside each other", DEEPEST_INCLUDE);
  const char* name = ct_file_name(r, xml, "file", r->directory);
  if (ct_dictionary_find(&r->included, name))
    ct_refuse(r, xml, "file", "%.200s is included already", file);
  ct_Text text;
  open_include(r, xml, name, &text);
  note_included(r, ct_join(r, xml->file->directory ? xml->file->directory : "", name));

  ct_XmlDocument document;
  char why[200];
  int line;
  if (!ct_xml_read(&r->pool, text.name, text.text, text.length, &document, why, sizeof(why),
                   &line)) {
    ct_refuse(r, xml, "file", "%.200s:%d: %s", text.name, line, why);
  }
  if (!document.root->first) ct_refuse(r, xml, "file", "%.200s has nothing to include", text.name);
  ct_XmlFile* source = (ct_XmlFile*)(uintptr_t)document.root->file;
  source->name = ct_spec_text(r->spec, text.name);
  source->directory = folder_of(r, &text);
  source->level = xml->file->level + 1;
  ct_xml_replace(link, document.root->first, document.root->last);
}

static void note_folders(ct_Reader* r, const ct_Xml* xml) {
  const char* meshdir = ct_given(xml, "meshdir");
  const char* texturedir = ct_given(xml, "texturedir");
  const char* assetdir = ct_given(xml, "assetdir");
  if (meshdir) r->meshdir = meshdir;
  if (texturedir) r->texturedir = texturedir;
  if (assetdir) r->assetdir = assetdir;
}

static void expand(ct_Reader* r, ct_Xml* xml, int depth) {
  if (depth > DEEPEST_ELEMENT)
    ct_refuse(r, xml, NULL, "more than %d elements inside each other", DEEPEST_ELEMENT);
  if (ct_same_text(xml->name, "compiler")) note_folders(r, xml);
  ct_Xml** link = &xml->first;
  while (*link) {
    ct_Xml* child = *link;
    if (ct_same_text(child->name, "include")) {
      include(r, link);  // *link is now the first of what was included
    } else {
      expand(r, child, depth + 1);
      link = &child->next;
    }
  }
}

void ct_expand_includes(ct_Reader* r, ct_Xml* root, const char* file) {
  if (file) note_included(r, file);
  expand(r, root, 1);
}
