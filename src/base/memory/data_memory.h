// Memory of an mjData: one block with the public struct, corten's private struct, the schedule's
// integers and the buffer of all arrays (base/private.h), and a second block for the arena.

#ifndef CT_BASE_MEMORY_DATA_MEMORY_H_
#define CT_BASE_MEMORY_DATA_MEMORY_H_

#include <stdbool.h>

#include <mujoco/mujoco.h>

// An mjData for this model with its buffer zeroed, its arena poisoned (under the address sanitizer)
// and its schedule built; nothing else is set. NULL after an error, or after a warning if the sizes
// of the model make no sense.
mjData* ct_make_data(const mjModel* m);

// Copies everything between data of equal sizes: struct, buffer, what src has in its arena, status.
// dest keeps its own memory and plugin_data. for_scene leaves out large matrices that drawing does
// not need; those of the arena are NULL then. Both schedules must fit m (ct_schedule_fits).
void ct_copy_data(mjData* dest, const mjModel* m, const mjData* src, bool for_scene);

// Does the schedule of the data have the size that this model needs?
bool ct_schedule_fits(const mjData* d, const mjModel* m);

// The schedule of this model in place of that of another one with the same sizes, which the data
// was made for. An error and false if there is no room for it. Where sizes of the model were
// edited, the one that is there stays.
bool ct_renew_schedule(const mjModel* m, mjData* d);

// Fills all arrays of the buffer with one byte, except those of plugins.
void ct_fill_buffer(const mjModel* m, mjData* d, unsigned char byte);

// Empties the arena: all its arrays NULL but contact, which starts at its beginning.
void ct_clear_arena(mjData* d);

// Makes d, which stays at its address, the data that `content` is: sizes, arrays, arena, schedule.
// The old content of d goes; `content` is part of d from then on and is released with it.
void ct_replace_data(mjData* d, mjData* content);

void ct_free_data(mjData* d);

#endif  // CT_BASE_MEMORY_DATA_MEMORY_H_
