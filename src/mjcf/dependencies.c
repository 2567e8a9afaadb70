// mju_getXMLDependencies: the files that a model file mentions, and those that they mention.
//
// Nothing is read as a model: elements count by their names, wherever they stand. Every file's
// names are seen from its own folder, and its folders of assets are those that its own compiler
// elements name.

#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <string.h>

#include "base/resource/path.h"
#include "mjcf/read.h"

typedef struct {
  ct_Reader reader;       // pool, mistakes
  ct_Vector* found;       // strings
  const char** document;  // those of them that mention others
  size_t ndocument, room;
} Search;

// Folders of one document. The first that is given counts.
typedef struct {
  const char *directory, *meshdir, *texturedir, *assetdir;
} Folders;

// true: it was not known yet.
static bool note(Search* search, const char* path) {
  size_t n = ct_vector_count(search->found, sizeof(ct_String));
  for (size_t i = 0; i < n; i++) {
    if (ct_string_equal(ct_strings_at(search->found, i), path)) return false;
  }
  ct_strings_append(search->found, path);
  return true;
}

static void note_document(Search* search, const char* path) {
  if (!note(search, path)) return;
  search->document =
      (const char**)ct_pool_grow(&search->reader.pool, (void*)search->document, search->ndocument,
                                 search->ndocument + 1, &search->room, sizeof(char*));
  search->document[search->ndocument++] = path;
}

static void note_asset(Search* search, const ct_Xml* xml, const char* attribute,
                       const Folders* folders, const char* below) {
  const char* file = ct_given(xml, attribute);
  if (!file || !*file) return;
  ct_Reader* r = &search->reader;
  note(search, ct_join(r, folders->directory, below ? ct_join(r, below, file) : file));
}

static void first_given(const ct_Xml* xml, const char* attribute, const char** folder) {
  if (!*folder) *folder = ct_given(xml, attribute);
}

static void find_folders(const ct_Xml* xml, Folders* folders) {
  if (!strcmp(xml->name, "compiler")) {
    first_given(xml, "meshdir", &folders->meshdir);
    first_given(xml, "texturedir", &folders->texturedir);
    first_given(xml, "assetdir", &folders->assetdir);
  }
  for (const ct_Xml* child = xml->first; child; child = child->next) find_folders(child, folders);
}

static void find_files(Search* search, const ct_Xml* xml, const Folders* folders) {
  static const char* const faces[7] = {"file",     "fileright", "fileleft", "fileup",
                                       "filedown", "filefront", "fileback"};
  const char* meshes = folders->meshdir ? folders->meshdir : folders->assetdir;
  const char* textures = folders->texturedir ? folders->texturedir : folders->assetdir;
  const char* name = xml->name;
  if (!strcmp(name, "include") || !strcmp(name, "model")) {
    const char* file = ct_given(xml, "file");
    if (file && *file) note_document(search, ct_join(&search->reader, folders->directory, file));
  } else if (!strcmp(name, "mesh") || !strcmp(name, "skin") || !strcmp(name, "flexcomp")) {
    note_asset(search, xml, "file", folders, meshes);
  } else if (!strcmp(name, "hfield")) {
    note_asset(search, xml, "file", folders, folders->assetdir);
  } else if (!strcmp(name, "texture")) {
    for (int i = 0; i < 7; i++) note_asset(search, xml, faces[i], folders, textures);
  }
  for (const ct_Xml* child = xml->first; child; child = child->next)
    find_files(search, child, folders);
}

static void look_into(Search* search, const char* path) {
  ct_Reader* r = &search->reader;
  ct_Text text;
  ct_XmlDocument document;
  char why[200];
  int line;
  if (!ct_read_text(r, "", path, &text)) ct_refuse(r, NULL, NULL, "%.400s: cannot be read", path);
  if (!ct_xml_read(&r->pool, path, text.text, text.length, &document, why, sizeof(why), &line)) {
    ct_refuse(r, NULL, NULL, "%.400s:%d: %s", path, line, why);
  }
  Folders folders = {text.directory, NULL, NULL, NULL};
  find_folders(document.root, &folders);
  find_files(search, document.root, &folders);
}

void mju_getXMLDependencies(const char* filename, mjStringVec* dependencies) {
  if (!filename || !dependencies) {
    mju_warning("mju_getXMLDependencies: the %s is NULL", filename ? "list" : "name of the file");
    return;
  }
  Search search;
  jmp_buf out;
  memset(&search, 0, sizeof(search));
  search.found = (ct_Vector*)dependencies;
  search.reader.out = &out;
  ct_strings_free(search.found);
  volatile bool failed = false;
  if (!setjmp(out)) {
    note_document(&search, ct_join(&search.reader, NULL, filename));
    for (size_t i = 0; i < search.ndocument; i++) look_into(&search, search.document[i]);
  } else {
    failed = true;
  }
  ct_pool_free(&search.reader.pool);
  if (failed) mju_error("mju_getXMLDependencies: %s", search.reader.message);
}
