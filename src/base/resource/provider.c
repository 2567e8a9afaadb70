// Resource providers: who serves names that start with a scheme, such as "http:".

#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <string.h>

#include "base/registry.h"
#include "base/resource/path.h"

static ct_Registry providers = CT_REGISTRY_INIT;

void mjp_defaultResourceProvider(mjpResourceProvider* provider) {
  if (provider) memset(provider, 0, sizeof(*provider));
}

// A scheme as in RFC 3986: a letter, then letters, digits and + . -
static bool is_scheme(const char* text) {
  if (!text || ct_lower(*text) < 'a' || ct_lower(*text) > 'z') return false;
  for (; *text; text++) {
    char c = ct_lower(*text);
    if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && !strchr("+.-", c)) return false;
  }
  return true;
}

static int has_prefix(const void* item, const void* prefix) {
  return ct_same_text(((const mjpResourceProvider*)item)->prefix, (const char*)prefix);
}

// Equal but for the case of the prefix.
static bool same_provider(const mjpResourceProvider* a, const mjpResourceProvider* b) {
  return a->open == b->open && a->read == b->read && a->close == b->close && a->mount == b->mount &&
         a->unmount == b->unmount && a->modified == b->modified && a->data == b->data;
}

static mjpResourceProvider* copy_provider(const mjpResourceProvider* provider) {
  mjpResourceProvider* copy = (mjpResourceProvider*)mju_malloc(sizeof(*copy));
  if (!copy) return NULL;
  *copy = *provider;
  copy->prefix = ct_copy_text(provider->prefix);
  return copy;
}

static void delete_provider(mjpResourceProvider* provider) {
  if (!provider) return;
  mju_free((void*)provider->prefix);
  mju_free(provider);
}

int mjp_registerResourceProvider(const mjpResourceProvider* provider) {
  if (!provider) {
    mju_warning("mjp_registerResourceProvider: the provider is NULL");
    return -1;
  }
  if (!is_scheme(provider->prefix)) {
    mju_warning("resource provider: '%s' is not a scheme (a letter, then letters, digits, + . -)",
                provider->prefix ? provider->prefix : "(null)");
    return -1;
  }
  if (!provider->open || !provider->read || !provider->close) {
    mju_warning("resource provider '%s' needs the callbacks open, read and close",
                provider->prefix);
    return -1;
  }

  mjpResourceProvider* copy = copy_provider(provider);
  int added = 0;
  int slot = -1;
  if (copy && copy->prefix) {
    slot = ct_registry_add(&providers, copy, has_prefix, provider->prefix, &added);
  }
  if (!added) delete_provider(copy);
  if (slot < 0) return -1;

  const mjpResourceProvider* there = (const mjpResourceProvider*)ct_registry_item(&providers, slot);
  if (!same_provider(there, provider)) {
    mju_error("another resource provider '%s' is already registered", provider->prefix);
    return 0;
  }
  return slot + 1;
}

int mjp_resourceProviderCount(void) {
  return ct_registry_count(&providers);
}

// A piece of text that is not closed by a zero.
typedef struct {
  const char* start;
  size_t length;
} Piece;

static int has_scheme(const void* item, const void* what) {
  const char* prefix = ((const mjpResourceProvider*)item)->prefix;
  const Piece* scheme = (const Piece*)what;
  for (size_t i = 0; i < scheme->length; i++) {
    if (!prefix[i] || ct_lower(prefix[i]) != ct_lower(scheme->start[i])) return 0;
  }
  return prefix[scheme->length] == 0;
}

const mjpResourceProvider* mjp_getResourceProvider(const char* resource_name) {
  const char* colon = resource_name ? strchr(resource_name, ':') : NULL;
  if (!colon) return NULL;
  Piece scheme = {resource_name, (size_t)(colon - resource_name)};
  int index = ct_registry_find(&providers, has_scheme, &scheme);
  return (const mjpResourceProvider*)ct_registry_item(&providers, index);
}

// Slots of providers count from 1; 0 is nobody.
const mjpResourceProvider* mjp_getResourceProviderAtSlot(int slot) {
  return slot > 0 ? (const mjpResourceProvider*)ct_registry_item(&providers, slot - 1) : NULL;
}
