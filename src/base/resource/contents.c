#include "base/resource/contents.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/resource/base64.h"

#define TIMESTAMP_BYTES 8

struct ct_Contents_ {
  atomic_int users;
  int size;
  uint64_t hash;
  void* bytes;
};

// Names a version of the contents. The reference combines with "or" where FNV-1a has "exclusive
// or", and empty contents hash to 0; stored timestamps compare equal only if we do the same.
static uint64_t contents_hash(const unsigned char* bytes, int size) {
  if (size == 0) return 0;
  uint64_t hash = 0xcbf29ce484222325u;
  for (int i = 0; i < size; i++) hash = (hash | bytes[i]) * 0x100000001b3u;
  return hash;
}

ct_Contents* ct_contents_make(void* bytes, int size) {
  ct_Contents* contents = (ct_Contents*)mju_malloc(sizeof(ct_Contents));
  if (!contents) {
    mju_free(bytes);
    return NULL;
  }
  atomic_init(&contents->users, 1);
  contents->size = size;
  contents->hash = contents_hash((const unsigned char*)bytes, size);
  contents->bytes = bytes;
  return contents;
}

void ct_contents_hold(ct_Contents* contents) {
  atomic_fetch_add(&contents->users, 1);
}

void ct_contents_release(ct_Contents* contents) {
  if (atomic_fetch_sub(&contents->users, 1) > 1) return;
  mju_free(contents->bytes);
  mju_free(contents);
}

// A timestamp is the base64 text of eight bytes, low byte first.
static void write_timestamp(char* timestamp, uint64_t value) {
  uint8_t bytes[TIMESTAMP_BYTES];
  for (int i = 0; i < TIMESTAMP_BYTES; i++) bytes[i] = (uint8_t)(value >> 8 * i & 255);
  mju_encodeBase64(timestamp, bytes, TIMESTAMP_BYTES);
}

// Decodes a timestamp as far as it goes and returns the number of bytes; only up to 8 are looked
// at.
static size_t read_timestamp(uint64_t* value, const char* timestamp) {
  uint8_t bytes[TIMESTAMP_BYTES + 1];
  *value = 0;
  if (strlen(timestamp) > 4 * ((TIMESTAMP_BYTES + 2) / 3)) return TIMESTAMP_BYTES + 1;
  size_t count = mju_decodeBase64(bytes, timestamp);
  for (size_t i = 0; i < count && i < TIMESTAMP_BYTES; i++) *value |= (uint64_t)bytes[i] << 8 * i;
  return count;
}

static int memory_open(mjResource* resource) {
  const ct_Contents* contents = (const ct_Contents*)resource->data;
  write_timestamp(resource->timestamp, contents->hash);
  return 1;
}

static int memory_read(mjResource* resource, const void** buffer) {
  const ct_Contents* contents = (const ct_Contents*)resource->data;
  *buffer = contents->bytes;
  return contents->size;
}

static void memory_close(mjResource* resource) {
  ct_contents_release((ct_Contents*)resource->data);
  resource->data = NULL;
}

// A virtual file is a mount like any other; removing it is the unmounting.
static int memory_unmount(mjResource* resource) {
  memory_close(resource);
  return 1;
}

// A timestamp without a single whole group counts as that of empty contents, as in the reference.
static int memory_modified(const mjResource* resource, const char* timestamp) {
  const ct_Contents* contents = (const ct_Contents*)resource->data;
  uint64_t value;
  return read_timestamp(&value, timestamp) > TIMESTAMP_BYTES || value != contents->hash;
}

const mjpResourceProvider ct_memory_provider = {
    NULL, memory_open, memory_read, memory_close, NULL, memory_unmount, memory_modified, NULL,
};

// A file of the disk: open until it is read for the first time, then bytes.
typedef struct {
  FILE* file;
  int64_t modified;
  int size;
  void* bytes;
} DiskFile;

// Waits until a pipe has something to read or a writer, for a second at most. Whether it has a
// writer only reading tells, so the first byte goes back into the stream.
static bool wait_for_writer(FILE* pipe) {
  enum { TRIES = 100 };
  const struct timespec pause = {0, 10000000};
  unsigned char first;
  for (int i = 0; i < TRIES; i++) {
    ssize_t n = read(fileno(pipe), &first, 1);
    if (n == 1) return ungetc(first, pipe) != EOF;
    if (n < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
    nanosleep(&pause, NULL);
  }
  return false;
}

const char* ct_file_refusal(const char* path) {
  struct stat status;
  if (stat(path, &status) != 0 || S_ISREG(status.st_mode)) return NULL;
  if (S_ISDIR(status.st_mode)) return "it is a folder";
  if (S_ISFIFO(status.st_mode)) return "it is a pipe that nobody writes to";
  return "it is a device or a socket; files and pipes can be read";
}

// Looked at before it is opened, because opening a device can have effects, and opened without
// waiting, because a pipe may have no writer.
FILE* ct_file_open(const char* path) {
  struct stat status;
  if (stat(path, &status) != 0) return NULL;
  bool pipe = S_ISFIFO(status.st_mode);
  if (!pipe && !S_ISREG(status.st_mode)) return NULL;
  int number = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (number < 0) return NULL;
  FILE* file = fdopen(number, "rb");
  if (!file) {
    close(number);
    return NULL;
  }
  if (pipe && !wait_for_writer(file)) {
    fclose(file);
    return NULL;
  }
  fcntl(number, F_SETFL, fcntl(number, F_GETFL) & ~O_NONBLOCK);
  return file;
}

static int disk_open(mjResource* resource) {
  FILE* file = ct_file_open(resource->name);
  if (!file) return 0;
  struct stat status;
  DiskFile* disk = (DiskFile*)mju_malloc(sizeof(DiskFile));
  if (!disk || fstat(fileno(file), &status) != 0) {
    mju_free(disk);
    fclose(file);
    return 0;
  }
  disk->file = file;
  disk->modified = (int64_t)status.st_mtime;
  disk->size = 0;
  disk->bytes = NULL;
  resource->data = disk;
  write_timestamp(resource->timestamp, (uint64_t)disk->modified);
  return 1;
}

static int disk_read(mjResource* resource, const void** buffer) {
  DiskFile* disk = (DiskFile*)resource->data;
  if (disk->file) {
    disk->size = ct_file_read(disk->file, resource->name, &disk->bytes);
    fclose(disk->file);
    disk->file = NULL;
  }
  *buffer = disk->bytes;
  return disk->size;
}

static void disk_close(mjResource* resource) {
  DiskFile* disk = (DiskFile*)resource->data;
  if (disk->file) fclose(disk->file);
  mju_free(disk->bytes);
  mju_free(disk);
  resource->data = NULL;
}

static int disk_modified(const mjResource* resource, const char* timestamp) {
  const DiskFile* disk = (const DiskFile*)resource->data;
  uint64_t value;
  if (mju_isValidBase64(timestamp) != TIMESTAMP_BYTES) return 1;
  read_timestamp(&value, timestamp);
  int64_t then = (int64_t)value;
  return (disk->modified > then) - (disk->modified < then);
}

const mjpResourceProvider ct_disk_provider = {
    NULL, disk_open, disk_read, disk_close, NULL, NULL, disk_modified, NULL,
};

// Grows by doubling because a pipe does not tell its size; a regular file fits in the first block.
static size_t first_block(FILE* file) {
  struct stat status;
  if (fstat(fileno(file), &status) == 0 && S_ISREG(status.st_mode) && status.st_size >= 0) {
    return (size_t)status.st_size + 1;  // room to notice the end without growing
  }
  return 1 << 16;
}

static void* grow(void* block, size_t used, size_t room) {
  void* larger = mju_malloc(room);
  if (larger && used) memcpy(larger, block, used);
  mju_free(block);
  return larger;
}

int ct_file_read(FILE* file, const char* name, void** bytes) {
  *bytes = NULL;
  size_t used = 0;
  size_t room = first_block(file);
  bool too_large = room > (size_t)INT_MAX + 1;
  char* block = too_large ? NULL : (char*)grow(NULL, 0, room);
  while (block && !too_large) {
    size_t count = fread(block + used, 1, room - used, file);
    if (count == 0) break;
    used += count;
    too_large = used > INT_MAX;
    if (used == room && !too_large) block = (char*)grow(block, used, room *= 2);
  }

  bool failed = !block || too_large || ferror(file);
  if (failed) {
    const char* why = too_large ? "files above 2 GB are not supported" : strerror(errno);
    mju_warning("cannot read '%s': %s", name, why);
  }
  if (failed || used == 0) {
    mju_free(block);
    return 0;
  }
  *bytes = block;
  return (int)used;
}
