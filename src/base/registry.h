// An append-only list shared by all threads: what plugins, resource providers and decoders are
// registered in.
//
// Items are never moved or removed, so a pointer to one stays valid for the life of the process.
// Lookups are linear; a registry holds dozens of items, not thousands.

#ifndef CT_BASE_REGISTRY_H_
#define CT_BASE_REGISTRY_H_

#include <pthread.h>

typedef struct ct_Registry_ {
  pthread_mutex_t lock;
  int count;
  int capacity;
  void** items;
} ct_Registry;

#define CT_REGISTRY_INIT \
  { PTHREAD_MUTEX_INITIALIZER, 0, 0, NULL }

// Number of items, and one of them; NULL outside 0..count-1.
int ct_registry_count(ct_Registry* registry);
void* ct_registry_item(ct_Registry* registry, int index);

// Index of the first item for which `matches(item, what)` is nonzero, else -1.
typedef int (*ct_RegistryMatch)(const void* item, const void* what);
int ct_registry_find(ct_Registry* registry, ct_RegistryMatch matches, const void* what);

// Appends the item unless one that matches `what` is there; returns the index of whichever is in
// the registry now, -1 if memory is short. *added says which it was.
int ct_registry_add(ct_Registry* registry, void* item, ct_RegistryMatch matches, const void* what,
                    int* added);

#endif  // CT_BASE_REGISTRY_H_
