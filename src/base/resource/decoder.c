// Decoders: who turns a resource of some format into an editable model.
//
// One entry stands for one content type or one file extension; a decoder with several has several
// entries, as a caller of mjp_findDecoder sees.

#include "base/resource/decoder.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/registry.h"
#include "base/resource/path.h"

static ct_Registry decoders = CT_REGISTRY_INIT;

void mjp_defaultDecoder(mjpDecoder* decoder) {
  if (decoder) memset(decoder, 0, sizeof(*decoder));
}

// Two texts that may both be missing.
static bool same_or_missing(const char* a, const char* b) {
  return a && b ? ct_same_text(a, b) : a == b;
}

static int has_key(const void* item, const void* what) {
  const mjpDecoder* a = (const mjpDecoder*)item;
  const mjpDecoder* b = (const mjpDecoder*)what;
  return same_or_missing(a->content_type, b->content_type) &&
         same_or_missing(a->extension, b->extension);
}

// Adds an entry for a key of which exactly one text is set; takes the key's texts over.
static void register_key(mjpDecoder key) {
  mjpDecoder* entry = (mjpDecoder*)mju_malloc(sizeof(*entry));
  if (!entry) return;
  *entry = key;
  int added = 0;
  int slot = ct_registry_add(&decoders, entry, has_key, &key, &added);
  if (!added && slot >= 0) {
    const mjpDecoder* there = (const mjpDecoder*)ct_registry_item(&decoders, slot);
    if (there->decode != key.decode || there->can_decode != key.can_decode) {
      mju_error("another decoder of '%s' is already registered",
                key.content_type ? key.content_type : key.extension);
    }
  }
  if (!added) {
    mju_free((void*)key.content_type);
    mju_free((void*)key.extension);
    mju_free(entry);
  }
}

static char* copy_piece(const char* text, size_t length) {
  char* copy = (char*)mju_malloc(length + 1);
  if (!copy) return NULL;
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

// Extensions come as a list; a content type is one, as it stands.
void mjp_registerDecoder(const mjpDecoder* decoder) {
  if (!decoder) {
    mju_warning("mjp_registerDecoder: the decoder is NULL");
    return;
  }
  const char* type = decoder->content_type ? decoder->content_type : "";
  const char* extension = decoder->extension ? decoder->extension : "";
  if (!decoder->decode || !decoder->can_decode) {
    mju_warning("a decoder needs the callbacks decode and can_decode");
    return;
  }
  if (!type[0] && !extension[0]) {
    mju_warning("a decoder needs a content type or extensions");
    return;
  }

  mjpDecoder key = *decoder;
  key.extension = NULL;
  key.content_type = type[0] ? ct_copy_text(type) : NULL;
  if (key.content_type) register_key(key);

  key.content_type = NULL;
  while (*extension) {
    size_t length = strcspn(extension, "|");
    key.extension = length ? copy_piece(extension, length) : NULL;
    if (key.extension) register_key(key);
    extension += length;
    if (*extension) extension++;
  }
}

// The decoder with this key, if it wants the resource.
static const mjpDecoder* find_key(const mjResource* resource, const char* type,
                                  const char* extension) {
  mjpDecoder key = {type, extension, NULL, NULL};
  int index = ct_registry_find(&decoders, has_key, &key);
  const mjpDecoder* decoder = (const mjpDecoder*)ct_registry_item(&decoders, index);
  return decoder && decoder->can_decode(resource) ? decoder : NULL;
}

const mjpDecoder* mjp_findDecoder(const mjResource* resource, const char* content_type) {
  const mjpDecoder* decoder = NULL;
  if (content_type && content_type[0]) decoder = find_key(resource, content_type, NULL);
  if (decoder || !resource || !resource->name) return decoder;
  const char* extension = strrchr(ct_path_base(resource->name), '.');
  return extension ? find_key(resource, NULL, extension) : NULL;
}

mjSpec* mju_decodeResource(mjResource* resource, const char* content_type, const mjVFS* vfs) {
  const mjpDecoder* decoder = mjp_findDecoder(resource, content_type);
  if (decoder) return decoder->decode(resource, vfs);
  bool named = resource && resource->name;
  mju_warning("no decoder is registered for %s", named ? resource->name : "what has no name");
  return NULL;
}

mjSpec* ct_decode(const char* file, const char* content_type, const mjVFS* vfs) {
  mjResource name = {0};
  name.name = (char*)(uintptr_t)file;
  char why[200];
  mjResource* resource = file ? mju_openResource("", file, vfs, why, sizeof(why)) : NULL;
  mjSpec* spec = mju_decodeResource(resource ? resource : &name, content_type, vfs);
  if (resource) mju_closeResource(resource);
  return spec;
}
