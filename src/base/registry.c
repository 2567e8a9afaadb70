#include "base/registry.h"

#include <stdbool.h>
#include <stdlib.h>

int ct_registry_count(ct_Registry* registry) {
  pthread_mutex_lock(&registry->lock);
  int count = registry->count;
  pthread_mutex_unlock(&registry->lock);
  return count;
}

void* ct_registry_item(ct_Registry* registry, int index) {
  pthread_mutex_lock(&registry->lock);
  void* item = index >= 0 && index < registry->count ? registry->items[index] : NULL;
  pthread_mutex_unlock(&registry->lock);
  return item;
}

static int find_locked(const ct_Registry* registry, ct_RegistryMatch matches, const void* what) {
  for (int i = 0; i < registry->count; i++) {
    if (matches(registry->items[i], what)) return i;
  }
  return -1;
}

int ct_registry_find(ct_Registry* registry, ct_RegistryMatch matches, const void* what) {
  pthread_mutex_lock(&registry->lock);
  int index = find_locked(registry, matches, what);
  pthread_mutex_unlock(&registry->lock);
  return index;
}

// Not from mju_malloc: the list outlives whatever hooks the user has set at the moment.
static bool make_room(ct_Registry* registry) {
  if (registry->count < registry->capacity) return true;
  int capacity = registry->capacity ? 2 * registry->capacity : 16;
  void** items = (void**)realloc(registry->items, (size_t)capacity * sizeof(void*));
  if (!items) return false;
  registry->items = items;
  registry->capacity = capacity;
  return true;
}

int ct_registry_add(ct_Registry* registry, void* item, ct_RegistryMatch matches, const void* what,
                    int* added) {
  *added = 0;
  pthread_mutex_lock(&registry->lock);
  int index = find_locked(registry, matches, what);
  if (index < 0 && make_room(registry)) {
    index = registry->count++;
    registry->items[index] = item;
    *added = 1;
  }
  pthread_mutex_unlock(&registry->lock);
  return index;
}
