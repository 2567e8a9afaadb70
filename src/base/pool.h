// A pool: memory for work that is given up as a whole.
//
// Reading and compiling a model make thousands of small objects and may stop at any of a thousand
// errors. They take memory from a pool, never free single objects, and release everything at once,
// so that no path leaks. Not for engine code, which takes scratch from the data's arena.

#ifndef CT_BASE_POOL_H_
#define CT_BASE_POOL_H_

#include <stdbool.h>
#include <stddef.h>

typedef struct ct_Pool_ {
  struct ct_PoolBlock_* blocks;  // newest first
} ct_Pool;

// Zeroed memory, aligned to 16 bytes. Raises mju_error and returns NULL when there is none.
void* ct_pool_alloc(ct_Pool* pool, size_t bytes);

// The same for count elements; refuses products that overflow.
void* ct_pool_array(ct_Pool* pool, size_t count, size_t element);

char* ct_pool_text(ct_Pool* pool, const char* text);
char* ct_pool_text_n(ct_Pool* pool, const char* text, size_t length);

// Keeps something that is not the pool's own until everything is released: release(thing) then.
// False, after mju_error, when there is no memory to note it.
bool ct_pool_hold(ct_Pool* pool, void (*release)(void*), void* thing);

// Releases everything; the pool is empty and usable again.
void ct_pool_free(ct_Pool* pool);

// Moves everything of `from` to `into`.
void ct_pool_join(ct_Pool* into, ct_Pool* from);

// Makes room for at least `needed` elements in an array that grows: returns the array or its larger
// copy. *room is the present number of elements and is updated.
void* ct_pool_grow(ct_Pool* pool, void* array, size_t used, size_t needed, size_t* room,
                   size_t element);

#endif  // CT_BASE_POOL_H_
