// What an open resource carries beyond the public struct.

#ifndef CT_BASE_RESOURCE_RESOURCE_H_
#define CT_BASE_RESOURCE_RESOURCE_H_

#include <mujoco/mujoco.h>

typedef struct ct_OpenResource_ {
  mjResource resource;                // first: the public pointer points here
  const void* mount_data;             // what the mount lent to resource.data
  mjVFS own_vfs;                      // where it was opened if the caller had no file system
  struct ct_OpenResource_* previous;  // in the list that its file system keeps
  struct ct_OpenResource_* next;
} ct_OpenResource;

// Lets the provider close the resource. The struct stays, unusable, until mju_closeResource.
void ct_resource_invalidate(ct_OpenResource* open);

// Why a name cannot be opened on the disk ("it is a folder", "no such file"); NULL: it can, or for
// another reason.
const char* ct_resource_refusal(const char* dir, const char* name);

// Warns if somebody's close or unmount left data behind that would leak.
void ct_resource_check_data(const mjResource* resource, const void* lent);

// An error inside a provider's open may jump past mju_openResource. Who catches it asks before the
// attempt what this thread is opening, and frees afterwards what has been left half open since.
ct_OpenResource* ct_resource_opening(void);
void ct_resource_abandon(const ct_OpenResource* since);

#endif  // CT_BASE_RESOURCE_RESOURCE_H_
