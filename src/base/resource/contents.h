// The bytes of a file, and the two providers that are always there: one serves bytes that are in
// memory, the other files of the disk.
//
// Bytes in memory belong to a virtual file and to every resource opened on it; the last one to let
// go frees them. A resource therefore stays readable when its virtual file is deleted.

#ifndef CT_BASE_RESOURCE_CONTENTS_H_
#define CT_BASE_RESOURCE_CONTENTS_H_

#include <mujoco/mujoco.h>
#include <stdint.h>
#include <stdio.h>

typedef struct ct_Contents_ ct_Contents;

// Takes over `bytes` (made with mju_malloc, NULL if size is 0); frees them if it fails and returns
// NULL.
ct_Contents* ct_contents_make(void* bytes, int size);

// One user more, and one less.
void ct_contents_hold(ct_Contents* contents);
void ct_contents_release(ct_Contents* contents);

// Opens a file or a pipe of the disk for reading; NULL if that is not possible. Devices are
// refused, because they need not end, and pipes that nobody writes to.
FILE* ct_file_open(const char* path);

// Why a path that exists could not be opened ("it is a folder"); NULL: for another reason.
const char* ct_file_refusal(const char* path);

// Reads a file from where it stands to its end. Returns the number of bytes, and the bytes in a
// block for mju_free. What cannot be read (a directory, more than 2^31-1 bytes) is empty and warned
// about by name.
int ct_file_read(FILE* file, const char* name, void** bytes);

// resource->data of the first is a ct_Contents that the resource holds; of the second, its own
// affair.
extern const mjpResourceProvider ct_memory_provider;
extern const mjpResourceProvider ct_disk_provider;

#endif  // CT_BASE_RESOURCE_CONTENTS_H_
