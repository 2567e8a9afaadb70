// Paths of files and resources, as text: nothing here looks at a disk.
//
// Both / and \ separate segments. A path is absolute if it starts with a separator, with the scheme
// of a registered resource provider ("scheme:"), or with anything that ends in ":/" or ":\"
// ("C:/").

#ifndef CT_BASE_RESOURCE_PATH_H_
#define CT_BASE_RESOURCE_PATH_H_

#include <stddef.h>

#include "base/text.h"

#ifdef __cplusplus
extern "C" {
#endif

// Length of the part that makes a path absolute; 0 if it is relative.
size_t ct_path_prefix(const char* path);

// A copy of the path without "." segments and with every ".." taken back where it can be. The last
// segment and empty ones (doubled separators) stay as they are. The caller frees it with mju_free;
// NULL if memory is short.
char* ct_path_reduce(const char* path);

// The reduced path of `name` seen from `dir`: `name` alone if it is absolute. dir may be NULL.
// Freed with mju_free.
char* ct_path_join(const char* dir, const char* name);

// What follows the last separator.
const char* ct_path_base(const char* path);

// The same with A-Z made small: the name by which a file is found in any directory. Freed with
// mju_free.
char* ct_path_lower_base(const char* path);

#ifdef __cplusplus
}
#endif

#endif  // CT_BASE_RESOURCE_PATH_H_
