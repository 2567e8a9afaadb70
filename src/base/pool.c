#include "base/pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>

typedef struct ct_PoolBlock_ {
  struct ct_PoolBlock_* next;
  size_t used, room;
  void (*release)(void*);  // NULL, or what is to be done with `thing` when the block goes
  void* thing;
  _Alignas(16) char memory[];
} ct_PoolBlock;

enum { BLOCK = 1 << 16, ALIGNMENT = 16 };

// calloc gives zeroed pages for free, so nothing is cleared twice.
static ct_PoolBlock* add_block(ct_Pool* pool, size_t bytes) {
  size_t room = bytes > BLOCK ? bytes : BLOCK;
  ct_PoolBlock* block = (ct_PoolBlock*)calloc(1, sizeof(ct_PoolBlock) + room);
  if (!block) {
    mju_error("out of memory: %zu more bytes are needed", bytes);
    return NULL;
  }
  block->room = room;
  // a large object gets a block of its own behind the current one, which still has room
  if (bytes > BLOCK && pool->blocks) {
    block->next = pool->blocks->next;
    pool->blocks->next = block;
  } else {
    block->next = pool->blocks;
    pool->blocks = block;
  }
  return block;
}

void* ct_pool_alloc(ct_Pool* pool, size_t bytes) {
  if (bytes > SIZE_MAX / 2) {
    mju_error("out of memory: %zu more bytes are needed", bytes);
    return NULL;
  }
  size_t size = (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
  ct_PoolBlock* block = pool->blocks;
  if (!block || block->room - block->used < size) block = add_block(pool, size);
  if (!block) return NULL;
  void* p = block->memory + block->used;
  block->used += size;
  return p;
}

void* ct_pool_array(ct_Pool* pool, size_t count, size_t element) {
  size_t bytes;
  if (__builtin_mul_overflow(count, element, &bytes)) bytes = SIZE_MAX;
  return ct_pool_alloc(pool, bytes);
}

char* ct_pool_text_n(ct_Pool* pool, const char* text, size_t length) {
  char* copy = (char*)ct_pool_alloc(pool, length + 1);
  if (copy) memcpy(copy, text, length);
  return copy;
}

char* ct_pool_text(ct_Pool* pool, const char* text) {
  return ct_pool_text_n(pool, text, strlen(text));
}

void* ct_pool_grow(ct_Pool* pool, void* array, size_t used, size_t needed, size_t* room,
                   size_t element) {
  if (needed <= *room) return array;
  size_t larger = needed < 2 * *room ? 2 * *room : needed < 8 ? 8 : needed;
  void* copy = ct_pool_array(pool, larger, element);
  if (!copy) return NULL;
  if (used) memcpy(copy, array, used * element);
  *room = larger;
  return copy;
}

// Behind the first block of `into`, which still has room.
void ct_pool_join(ct_Pool* into, ct_Pool* from) {
  ct_PoolBlock** place = into->blocks ? &into->blocks->next : &into->blocks;
  ct_PoolBlock* rest = *place;
  *place = from->blocks;
  while (*place) place = &(*place)->next;
  *place = rest;
  from->blocks = NULL;
}

// The note is a block without room, behind the first one, which still has some.
bool ct_pool_hold(ct_Pool* pool, void (*release)(void*), void* thing) {
  ct_PoolBlock* note = (ct_PoolBlock*)calloc(1, sizeof(ct_PoolBlock));
  if (!note) {
    mju_error("out of memory: %zu more bytes are needed", sizeof(ct_PoolBlock));
    return false;
  }
  note->release = release;
  note->thing = thing;
  ct_PoolBlock** place = pool->blocks ? &pool->blocks->next : &pool->blocks;
  note->next = *place;
  *place = note;
  return true;
}

void ct_pool_free(ct_Pool* pool) {
  for (ct_PoolBlock *block = pool->blocks, *next; block; block = next) {
    next = block->next;
    if (block->release) block->release(block->thing);
    free(block);
  }
  pool->blocks = NULL;
}
