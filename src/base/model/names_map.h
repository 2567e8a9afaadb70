// Names to ids by hashing: the tables in mjModel.names_map, which the reference reads and writes
// too.
//
// A table for n objects has 2n slots, each an id or -1. A name lies in the slot of its hash, or in
// the next free one, going round. Objects without a name are not in the table.

#ifndef CT_BASE_MODEL_NAMES_MAP_H_
#define CT_BASE_MODEL_NAMES_MAP_H_

#include <stdint.h>

#define CT_NAMES_MAP_SLOTS_PER_OBJECT 2

// Empties all slots of a table.
void ct_names_map_clear(int* table, int64_t nslot);

// Puts an id into the first free slot for its name; an empty name is left out. The table must have
// a free slot.
void ct_names_map_insert(int* table, int64_t nslot, const char* name, int id);

// The id of a name, or -1. The name of id i starts at names + address[i]; ids are below nslot / 2.
int ct_names_map_find(const int* table, int64_t nslot, const char* names, const int* address,
                      const char* name);

#endif  // CT_BASE_MODEL_NAMES_MAP_H_
