// The virtual file system: files in memory and providers mounted at a path, behind mjVFS.
//
// The public functions are in mujoco/mujoco.h. A file system may be read from several threads at a
// time; changing it while others read is safe too, but then who comes first is anybody's guess.

#ifndef CT_BASE_RESOURCE_VFS_H_
#define CT_BASE_RESOURCE_VFS_H_

#include <mujoco/mujoco.h>
#include <stdbool.h>

#include "base/resource/resource.h"

// Finds who serves a reduced path: the entry at that path, else at the nearest directory above it.
// Fills in provider and data of the resource; bytes in memory are held for it.
bool ct_vfs_find_path(const mjVFS* vfs, const char* path, mjResource* resource);

// The same by base name alone, in any directory and whatever the case. The entry added last wins.
bool ct_vfs_find_base(const mjVFS* vfs, const char* path, mjResource* resource);

// Lets a registered provider serve the resource. It is mounted in the file system, by its scheme,
// when it serves the first name there, and unmounted with the file system.
void ct_vfs_find_scheme(mjVFS* vfs, const mjpResourceProvider* provider, mjResource* resource);

// Puts a resource on the file system's list of open ones, and takes it off.
void ct_vfs_attach(mjVFS* vfs, ct_OpenResource* open);
void ct_vfs_detach(mjVFS* vfs, ct_OpenResource* open);

#endif  // CT_BASE_RESOURCE_VFS_H_
