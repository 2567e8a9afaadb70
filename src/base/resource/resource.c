// Resources: anything that can be opened and read like a file, wherever it lives.
//
// A name is served by the first of: a virtual file or a mount at that path, a mount at one of the
// directories above it, the registered provider of its scheme, a virtual file of the same base name
// in any directory, the disk.

#include "base/resource/resource.h"

#include <corten/mjcf.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/resource/contents.h"
#include "base/resource/path.h"
#include "base/resource/vfs.h"

// Decides who serves the resource, by its name.
static void choose_provider(mjResource* resource) {
  if (ct_vfs_find_path(resource->vfs, resource->name, resource)) return;
  const mjpResourceProvider* registered = mjp_getResourceProvider(resource->name);
  if (registered) {
    ct_vfs_find_scheme(resource->vfs, registered, resource);
    return;
  }
  if (ct_vfs_find_base(resource->vfs, resource->name, resource)) return;
  resource->provider = &ct_disk_provider;
}

// What this thread is opening: the newest, with the others behind it in `previous`.
static _Thread_local ct_OpenResource* opening;

static bool open_with_provider(ct_OpenResource* open) {
  mjResource* resource = &open->resource;
  const mjpResourceProvider* provider = resource->provider;
  open->previous = opening;
  opening = open;
  bool good = provider->open && provider->read && provider->open(resource);
  opening = open->previous;
  open->previous = NULL;
  return good;
}

// Frees what is ours; the provider is done with it.
static void free_resource(ct_OpenResource* open) {
  mju_free(open->resource.name);
  mj_deleteVFS(&open->own_vfs);
  mju_free(open);
}

ct_OpenResource* ct_resource_opening(void) {
  return opening;
}

void ct_resource_abandon(const ct_OpenResource* since) {
  while (opening && opening != since) {
    ct_OpenResource* open = opening;
    opening = open->previous;
    free_resource(open);
  }
}

// Who wants to know which files are read.
static void (*watcher)(void* arg, const char* path);
static void* watcher_arg;

void ct_watch_files(void (*opened)(void* arg, const char* path), void* arg) {
  watcher = opened;
  watcher_arg = arg;
}

static void report_failure(char* error, size_t nerror, const char* name, const char* why) {
  if (!error || !nerror) return;
  snprintf(error, nerror, "Error opening file '%s'%s%s", name, why ? ": " : "", why ? why : "");
}

const char* ct_resource_refusal(const char* dir, const char* name) {
  char* path = ct_path_join(dir, name);
  const char* why = path ? ct_file_refusal(path) : NULL;
  if (path && !why && access(path, R_OK) != 0) {
    why = errno == ENOENT ? "no such file" : errno == EACCES ? "permission denied" : NULL;
  }
  mju_free(path);
  return why;
}

mjResource* mju_openResource(const char* dir, const char* name, const mjVFS* vfs, char* error,
                             size_t nerror) {
  ct_OpenResource* open = name ? (ct_OpenResource*)mju_malloc(sizeof(ct_OpenResource)) : NULL;
  if (!open) {
    report_failure(error, nerror, name ? name : "(null)", NULL);
    return NULL;
  }
  memset(open, 0, sizeof(*open));
  mjResource* resource = &open->resource;
  if (vfs && vfs->impl_) {
    resource->vfs = (mjVFS*)vfs;
  } else {
    mj_defaultVFS(&open->own_vfs);
    resource->vfs = &open->own_vfs;
  }

  resource->name = ct_path_join(dir, name);
  if (resource->name) {
    choose_provider(resource);
    open->mount_data = resource->provider == &ct_memory_provider ? NULL : resource->data;
    if (open_with_provider(open)) {
      bool lent = open->mount_data && resource->data == open->mount_data;
      if (lent) resource->data = NULL;  // for the time of opening
      ct_vfs_attach(resource->vfs, open);
      if (watcher && resource->provider == &ct_disk_provider) watcher(watcher_arg, resource->name);
      if (error && nerror) error[0] = 0;
      return resource;
    }
  }
  bool on_disk = resource->provider == &ct_disk_provider;
  report_failure(error, nerror, name, on_disk ? ct_file_refusal(resource->name) : NULL);
  free_resource(open);
  return NULL;
}

void ct_resource_check_data(const mjResource* resource, const void* lent) {
  if (resource->data && resource->data != lent) {
    mju_warning("resource '%s': its provider left data behind; free it and set it to NULL",
                resource->name);
  }
}

void ct_resource_invalidate(ct_OpenResource* open) {
  mjResource* resource = &open->resource;
  if (!resource->provider) return;
  if (resource->provider->close) resource->provider->close(resource);
  ct_resource_check_data(resource, open->mount_data);
  resource->provider = NULL;
  resource->data = NULL;
  resource->vfs = NULL;
}

void mju_closeResource(mjResource* resource) {
  if (!resource) return;
  ct_OpenResource* open = (ct_OpenResource*)resource;
  if (resource->vfs) ct_vfs_detach(resource->vfs, open);
  ct_resource_invalidate(open);
  free_resource(open);
}

int mju_readResource(mjResource* resource, const void** buffer) {
  if (!buffer || !resource || !resource->provider || !resource->provider->read) return -1;
  return resource->provider->read(resource, buffer);
}

// At least the scheme belongs to the directory, even where no separator follows it.
void mju_getResourceDir(mjResource* resource, const char** dir, int* ndir) {
  if (!dir || !ndir) return;
  *dir = NULL;
  *ndir = 0;
  if (!resource || !resource->name) return;
  const char* name = resource->name;
  size_t length = (size_t)(ct_path_base(name) - name);
  const char* prefix = resource->provider ? resource->provider->prefix : NULL;
  size_t least = prefix ? strlen(prefix) + 1 : 0;
  if (length < least) {
    size_t whole = strlen(name);
    length = least < whole ? least : whole;
  }
  *dir = name;
  *ndir = (int)length;
}

// Whoever cannot tell has changed.
int mju_isModifiedResource(const mjResource* resource, const char* timestamp) {
  if (!resource || !resource->provider || !resource->provider->modified || !timestamp) return 1;
  return resource->provider->modified(resource, timestamp);
}
