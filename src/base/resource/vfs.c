#include "base/resource/vfs.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/resource/contents.h"
#include "base/resource/path.h"

// A file in memory or a mount. Both are a resource that serves its path and everything below.
typedef struct Entry_ {
  mjResource resource;  // name: the reduced path
  char* base;           // lower-cased base name
  uint64_t path_hash;
  uint64_t base_hash;
  struct Entry_* next_path;  // in the same bucket
  struct Entry_* next_base;
  struct Entry_* older;  // in the order of adding
  struct Entry_* newer;
} Entry;

typedef struct {
  pthread_mutex_t lock;
  size_t count;
  size_t nbucket;   // a power of two, never below count
  Entry** by_path;  // (nbucket) chains, newest first
  Entry** by_base;  // (nbucket) chains, newest first
  Entry* oldest;
  Entry* newest;
  ct_OpenResource* open;  // resources that are open in this file system
} Table;

#define FIRST_BUCKETS 16

// FNV-1a, so that the hashes of all leading parts of a path come out of one pass.
#define HASH_START 0xcbf29ce484222325u

static uint64_t hash_add(uint64_t hash, char c) {
  return (hash ^ (unsigned char)c) * 0x100000001b3u;
}

static uint64_t hash_text(const char* text) {
  uint64_t hash = HASH_START;
  while (*text) hash = hash_add(hash, *text++);
  return hash;
}

static size_t bucket_of(const Table* table, uint64_t hash) {
  return (size_t)(hash ^ hash >> 32) & (table->nbucket - 1);
}

// Puts an entry in front of its two chains.
static void chain(Table* table, Entry* entry) {
  Entry** path_head = table->by_path + bucket_of(table, entry->path_hash);
  Entry** base_head = table->by_base + bucket_of(table, entry->base_hash);
  entry->next_path = *path_head;
  entry->next_base = *base_head;
  *path_head = entry;
  *base_head = entry;
}

static void unchain(Table* table, const Entry* entry) {
  Entry** link = table->by_path + bucket_of(table, entry->path_hash);
  while (*link != entry) link = &(*link)->next_path;
  *link = entry->next_path;
  link = table->by_base + bucket_of(table, entry->base_hash);
  while (*link != entry) link = &(*link)->next_base;
  *link = entry->next_base;
}

// Gives the table this many buckets; false if memory is short, and then it is as it was.
static bool set_buckets(Table* table, size_t nbucket) {
  size_t bytes = nbucket * sizeof(Entry*);
  // not mju_malloc: the lock is held, and an error handler may leave by longjmp
  Entry** by_path = (Entry**)calloc(1, bytes);
  Entry** by_base = (Entry**)calloc(1, bytes);
  if (!by_path || !by_base) {
    free(by_path);
    free(by_base);
    return false;
  }
  free(table->by_path);
  free(table->by_base);
  table->by_path = by_path;
  table->by_base = by_base;
  table->nbucket = nbucket;
  for (Entry* entry = table->oldest; entry; entry = entry->newer) chain(table, entry);
  return true;
}

static Entry* find_path(const Table* table, const char* path, size_t length, uint64_t hash) {
  Entry* entry = table->by_path[bucket_of(table, hash)];
  for (; entry; entry = entry->next_path) {
    if (entry->path_hash == hash && strncmp(entry->resource.name, path, length) == 0 &&
        entry->resource.name[length] == 0) {
      return entry;
    }
  }
  return NULL;
}

static Entry* find_whole_path(const Table* table, const char* path) {
  return find_path(table, path, strlen(path), hash_text(path));
}

// The longest part of the path that has an entry, cut at separators; the whole path counts as one.
static Entry* find_nearest(const Table* table, const char* path) {
  Entry* nearest = NULL;
  uint64_t hash = HASH_START;
  for (size_t i = 0;; i++) {
    bool ends_here = path[i] == 0 || path[i] == '/' || path[i] == '\\';
    if (ends_here && i > 0) {
      Entry* entry = find_path(table, path, i, hash);
      if (entry) nearest = entry;
    }
    if (path[i] == 0) return nearest;
    hash = hash_add(hash, path[i]);
  }
}

static Entry* find_base(const Table* table, const char* base) {
  uint64_t hash = hash_text(base);
  Entry* entry = table->by_base[bucket_of(table, hash)];
  while (entry && !(entry->base_hash == hash && strcmp(entry->base, base) == 0)) {
    entry = entry->next_base;
  }
  return entry;
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
  entry->path_hash = hash_text(path);
  entry->base_hash = hash_text(entry->base);
  return entry;
}

// Return codes of the public functions.
enum { DONE = 0, FAILED = -1, REPEATED = 2 };

static int insert_locked(Table* table, Entry* entry) {
  if (find_whole_path(table, entry->resource.name)) return REPEATED;
  if (table->count == table->nbucket && !set_buckets(table, 2 * table->nbucket)) return FAILED;
  entry->older = table->newest;
  *(table->newest ? &table->newest->newer : &table->oldest) = entry;
  table->newest = entry;
  table->count++;
  chain(table, entry);
  return DONE;
}

static int insert(Table* table, Entry* entry) {
  pthread_mutex_lock(&table->lock);
  int code = insert_locked(table, entry);
  pthread_mutex_unlock(&table->lock);
  return code;
}

static void take_out(Table* table, const Entry* entry) {
  unchain(table, entry);
  *(entry->older ? &entry->older->newer : &table->oldest) = entry->newer;
  *(entry->newer ? &entry->newer->older : &table->newest) = entry->older;
  table->count--;
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
  vfs->impl_ = NULL;
  Table* table = (Table*)mju_malloc(sizeof(Table));
  if (!table) return;
  memset(table, 0, sizeof(*table));
  if (!set_buckets(table, FIRST_BUCKETS)) {
    mju_free(table);
    return;
  }
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
  for (Entry* entry = table->newest; entry;) {
    Entry* older = entry->older;
    end_entry(entry);
    entry = older;
  }
  pthread_mutex_destroy(&table->lock);
  free(table->by_path);
  free(table->by_base);
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
  bool found = find_whole_path(table, path) != NULL;
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
  Entry* entry = find_whole_path(table, path);
  if (entry) take_out(table, entry);
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
