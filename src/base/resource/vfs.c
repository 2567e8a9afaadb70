#include "base/resource/vfs.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/hash_table.h"
#include "base/resource/contents.h"
#include "base/resource/path.h"

// A file in memory or a mount. Both are a resource that serves its path and everything below.
typedef struct Entry_ {
  mjResource resource;  // name: the reduced path
  char* base;           // lower-cased base name
  bool scheme;          // a registered provider: serves names with its scheme and no path
} Entry;

typedef struct {
  pthread_mutex_t lock;
  Entry** entry;  // (nentry) in the order of adding; NULL: taken out
  int nentry, room, count;
  ct_HashTable by_path, by_base;  // places in `entry`
  ct_OpenResource* open;          // resources that are open in this file system
} Table;

// Room for twice as many entries as there are, without the gaps of those that were taken out. False
// if memory is short, and then all is as it was.
static bool make_room(Table* table) {
  int room = 2 * (table->count > 8 ? table->count : 8);
  // not mju_malloc: the lock is held, and an error handler may leave by longjmp
  Entry** entry = (Entry**)calloc((size_t)room, sizeof(Entry*));
  if (!entry || !ct_hash_reserve(&table->by_path, NULL, (size_t)room) ||
      !ct_hash_reserve(&table->by_base, NULL, (size_t)room)) {
    free(entry);
    return false;
  }
  ct_hash_clear(&table->by_path);
  ct_hash_clear(&table->by_base);
  int n = 0;
  for (int i = 0; i < table->nentry; i++) {
    if (!table->entry[i]) continue;
    entry[n] = table->entry[i];
    ct_hash_add(&table->by_path, ct_hash(entry[n]->resource.name), n);
    ct_hash_add(&table->by_base, ct_hash(entry[n]->base), n);
    n++;
  }
  free(table->entry);
  table->entry = entry;
  table->nentry = n;
  table->room = room;
  return true;
}

// The place of the entry with this path; -1: there is none.
static int find_path(const Table* table, const char* path, size_t length, uint64_t hash) {
  ct_HashSearch s = ct_hash_search(&table->by_path, hash);
  while (ct_hash_next(&table->by_path, &s)) {
    const char* name = table->entry[s.number]->resource.name;
    if (!strncmp(name, path, length) && !name[length]) break;
  }
  return s.number;
}

static int find_whole_path(const Table* table, const char* path) {
  return find_path(table, path, strlen(path), ct_hash(path));
}

// The longest part of the path that has an entry, cut at separators; the whole path counts as one.
static Entry* find_nearest(const Table* table, const char* path) {
  Entry* nearest = NULL;
  uint64_t hash = CT_HASH_START;
  for (size_t i = 0;; i++) {
    bool ends_here = path[i] == 0 || path[i] == '/' || path[i] == '\\';
    if (ends_here && i > 0) {
      int place = find_path(table, path, i, hash);
      if (place >= 0 && !table->entry[place]->scheme) nearest = table->entry[place];
    }
    if (path[i] == 0) return nearest;
    hash = ct_hash_byte(hash, path[i]);
  }
}

// Of several with the same base name, the newest counts.
static Entry* find_base(const Table* table, const char* base) {
  ct_HashSearch s = ct_hash_search(&table->by_base, ct_hash(base));
  int newest = -1;
  while (ct_hash_next(&table->by_base, &s)) {
    const Entry* entry = table->entry[s.number];
    if (s.number > newest && !entry->scheme && !strcmp(entry->base, base)) newest = s.number;
  }
  return newest >= 0 ? table->entry[newest] : NULL;
}

static void free_entry(Entry* entry) {
  mju_free(entry->resource.name);
  mju_free(entry->base);
  mju_free(entry);
}

// Takes over `path` in any case.
static Entry* make_entry(mjVFS* vfs, char* path, const mjpResourceProvider* provider, void* data) {
  Entry* entry = path ? (Entry*)mju_malloc(sizeof(Entry)) : NULL;
  if (!entry) {
    mju_free(path);
    return NULL;
  }
  memset(entry, 0, sizeof(*entry));
  entry->resource.name = path;
  entry->resource.vfs = vfs;
  entry->resource.provider = provider;
  entry->resource.data = data;
  entry->base = ct_path_lower_base(path);
  if (!entry->base) {
    free_entry(entry);
    return NULL;
  }
  return entry;
}

// Return codes of the public functions.
enum { DONE = 0, FAILED = -1, REPEATED = 2 };

static int insert_locked(Table* table, Entry* entry) {
  if (find_whole_path(table, entry->resource.name) >= 0) return REPEATED;
  if (table->nentry == table->room && !make_room(table)) return FAILED;
  int place = table->nentry++;
  table->entry[place] = entry;
  table->count++;
  ct_hash_add(&table->by_path, ct_hash(entry->resource.name), place);
  ct_hash_add(&table->by_base, ct_hash(entry->base), place);
  return DONE;
}

static int insert(Table* table, Entry* entry) {
  pthread_mutex_lock(&table->lock);
  int code = insert_locked(table, entry);
  pthread_mutex_unlock(&table->lock);
  return code;
}

static Entry* take_out(Table* table, int place) {
  Entry* entry = table->entry[place];
  ct_hash_remove(&table->by_path, ct_hash(entry->resource.name), place);
  ct_hash_remove(&table->by_base, ct_hash(entry->base), place);
  table->entry[place] = NULL;
  table->count--;
  return entry;
}

// Unmounts and frees an entry that is no longer in the table.
static void end_entry(Entry* entry) {
  mjResource* resource = &entry->resource;
  if (resource->provider->unmount) resource->provider->unmount(resource);
  ct_resource_check_data(resource, NULL);
  free_entry(entry);
}

static Table* table_of(const mjVFS* vfs) {
  return vfs ? (Table*)vfs->impl_ : NULL;
}

void mj_defaultVFS(mjVFS* vfs) {
  if (!vfs) return;
  vfs->impl_ = NULL;
  Table* table = (Table*)mju_malloc(sizeof(Table));
  if (!table) return;
  memset(table, 0, sizeof(*table));
  pthread_mutex_init(&table->lock, NULL);
  vfs->impl_ = table;
}

void mj_deleteVFS(mjVFS* vfs) {
  Table* table = table_of(vfs);
  if (!table) return;
  int count = 0;
  for (ct_OpenResource* open = table->open; open; open = open->next) count++;
  if (count) {
    mju_warning("mj_deleteVFS: %d resources are still open; they cannot be used any more", count);
  }
  while (table->open) {
    ct_OpenResource* open = table->open;
    ct_vfs_detach(vfs, open);
    ct_resource_invalidate(open);
  }
  for (int i = table->nentry - 1; i >= 0; i--) {
    if (table->entry[i]) end_entry(table->entry[i]);
  }
  pthread_mutex_destroy(&table->lock);
  ct_hash_table_free(&table->by_path);
  ct_hash_table_free(&table->by_base);
  free(table->entry);
  mju_free(table);
  vfs->impl_ = NULL;
}

int mj_mountVFS(mjVFS* vfs, const char* filepath, const mjpResourceProvider* provider) {
  Table* table = table_of(vfs);
  if (!table || !filepath || !provider) return FAILED;
  Entry* entry = make_entry(vfs, ct_path_reduce(filepath), provider, NULL);
  if (!entry) return FAILED;
  int code = insert(table, entry);
  if (code != DONE) {
    free_entry(entry);
  } else if (provider->mount) {
    provider->mount(&entry->resource);
  }
  return code;
}

// Adds a file with these bytes (made with mju_malloc) under a reduced path; takes both over in any
// case.
static int add_bytes(mjVFS* vfs, char* path, void* bytes, int size) {
  ct_Contents* contents = ct_contents_make(bytes, size);
  if (!contents) {
    mju_free(path);
    return FAILED;
  }
  Entry* entry = make_entry(vfs, path, &ct_memory_provider, contents);
  int code = entry ? insert(table_of(vfs), entry) : FAILED;
  if (code != DONE) {
    ct_contents_release(contents);
    if (entry) free_entry(entry);
  }
  return code;
}

static bool has_path(Table* table, const char* path) {
  pthread_mutex_lock(&table->lock);
  bool found = find_whole_path(table, path) >= 0;
  pthread_mutex_unlock(&table->lock);
  return found;
}

// Known by its lower-cased base name alone. A file that is not there becomes an empty one: existing
// programs rely on the result being 0.
int mj_addFileVFS(mjVFS* vfs, const char* directory, const char* filename) {
  Table* table = table_of(vfs);
  if (!table || !filename) return FAILED;
  char* path = ct_path_join(directory, filename);
  char* base = path ? ct_path_lower_base(path) : NULL;
  if (!base || has_path(table, base)) {
    int code = base ? REPEATED : FAILED;
    mju_free(path);
    mju_free(base);
    return code;
  }
  void* bytes = NULL;
  int size = 0;
  FILE* file = ct_file_open(path);
  const char* why = file ? NULL : ct_file_refusal(path);
  if (why) mju_warning("cannot read '%s': %s", path, why);
  if (file) {
    size = ct_file_read(file, path, &bytes);
    fclose(file);
  }
  mju_free(path);
  return add_bytes(vfs, base, bytes, size);
}

int mj_addBufferVFS(mjVFS* vfs, const char* name, const void* buffer, int nbuffer) {
  Table* table = table_of(vfs);
  if (!table || !name || nbuffer < 0 || (nbuffer > 0 && !buffer)) return FAILED;
  char* path = ct_path_reduce(name);
  if (!path || has_path(table, path)) {
    int code = path ? REPEATED : FAILED;
    mju_free(path);
    return code;
  }
  void* bytes = nbuffer ? mju_malloc((size_t)nbuffer) : NULL;
  if (nbuffer && !bytes) {
    mju_free(path);
    return FAILED;
  }
  if (bytes) memcpy(bytes, buffer, (size_t)nbuffer);
  return add_bytes(vfs, path, bytes, nbuffer);
}

// Takes the entry at a path out of the table and ends it; frees the path.
static int remove_path(Table* table, char* path) {
  if (!path) return FAILED;
  pthread_mutex_lock(&table->lock);
  int place = find_whole_path(table, path);
  Entry* entry = place >= 0 ? take_out(table, place) : NULL;
  pthread_mutex_unlock(&table->lock);
  mju_free(path);
  if (!entry) return FAILED;
  end_entry(entry);
  return DONE;
}

int mj_unmountVFS(mjVFS* vfs, const char* filename) {
  Table* table = table_of(vfs);
  if (!table || !filename) return FAILED;
  return remove_path(table, ct_path_reduce(filename));
}

int mj_deleteFileVFS(mjVFS* vfs, const char* filename) {
  Table* table = table_of(vfs);
  if (!table || !filename) return FAILED;
  if (remove_path(table, ct_path_reduce(filename)) == DONE) return DONE;
  return remove_path(table, ct_path_lower_base(filename));
}

// Hands the entry to a resource that is being opened. Bytes are held under the lock, so that nobody
// can delete the file in between.
static bool serve(const Entry* entry, mjResource* resource) {
  if (!entry) return false;
  resource->provider = entry->resource.provider;
  resource->data = entry->resource.data;
  if (resource->provider == &ct_memory_provider) ct_contents_hold((ct_Contents*)resource->data);
  return true;
}

bool ct_vfs_find_path(const mjVFS* vfs, const char* path, mjResource* resource) {
  Table* table = table_of(vfs);
  if (!table) return false;
  pthread_mutex_lock(&table->lock);
  bool found = serve(find_nearest(table, path), resource);
  pthread_mutex_unlock(&table->lock);
  return found;
}

bool ct_vfs_find_base(const mjVFS* vfs, const char* path, mjResource* resource) {
  Table* table = table_of(vfs);
  char* base = table ? ct_path_lower_base(path) : NULL;
  if (!base) return false;
  pthread_mutex_lock(&table->lock);
  bool found = serve(find_base(table, base), resource);
  pthread_mutex_unlock(&table->lock);
  mju_free(base);
  return found;
}

// The mount of a registered provider; NULL: there is none yet. The lock must be held.
static const Entry* find_scheme(const Table* table, const mjpResourceProvider* provider) {
  int place = find_whole_path(table, provider->prefix);
  const Entry* entry = place >= 0 ? table->entry[place] : NULL;
  return entry && entry->scheme ? entry : NULL;
}

// Two threads may mount at the same time: the second takes its own back.
void ct_vfs_find_scheme(mjVFS* vfs, const mjpResourceProvider* provider, mjResource* resource) {
  resource->provider = provider;
  Table* table = table_of(vfs);
  if (!table) return;
  pthread_mutex_lock(&table->lock);
  bool found = serve(find_scheme(table, provider), resource);
  pthread_mutex_unlock(&table->lock);
  if (found) return;
  Entry* entry = make_entry(vfs, ct_copy_text(provider->prefix), provider, NULL);
  if (!entry) return;
  entry->scheme = true;
  if (provider->mount) provider->mount(&entry->resource);
  pthread_mutex_lock(&table->lock);
  bool repeated = insert_locked(table, entry) != DONE;
  serve(repeated ? find_scheme(table, provider) : entry, resource);
  pthread_mutex_unlock(&table->lock);
  if (repeated) end_entry(entry);
}

void ct_vfs_attach(mjVFS* vfs, ct_OpenResource* open) {
  Table* table = table_of(vfs);
  if (!table) return;
  pthread_mutex_lock(&table->lock);
  open->next = table->open;
  if (open->next) open->next->previous = open;
  table->open = open;
  pthread_mutex_unlock(&table->lock);
}

void ct_vfs_detach(mjVFS* vfs, ct_OpenResource* open) {
  Table* table = table_of(vfs);
  if (!table) return;
  pthread_mutex_lock(&table->lock);
  *(open->previous ? &open->previous->next : &table->open) = open->next;
  if (open->next) open->next->previous = open->previous;
  open->previous = NULL;
  open->next = NULL;
  pthread_mutex_unlock(&table->lock);
}
