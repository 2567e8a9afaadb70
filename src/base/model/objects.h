// The types of objects that a model is made of: what they are called, how many there are, where
// their names stand. One table for everything that asks.

#ifndef CT_BASE_MODEL_OBJECTS_H_
#define CT_BASE_MODEL_OBJECTS_H_

#include <mujoco/mujoco.h>

typedef struct {
  const char* name;     // "body", NULL for numbers that are not types
  size_t count_offset;  // in mjModel, of the number of objects
  size_t
      name_adr_offset;  // in mjModel, of the array with the addresses of their names; 0: no names
} ct_ObjectType;

// Row of the table for an mjtObj from 0 to mjNOBJECT - 1; NULL beyond. The names of the types that
// have some, and their tables in names_map, lie in the order of mjtObj, xbody left out: it is body
// again.
const ct_ObjectType* ct_object_type(int type);

// How many objects of this type the model has, and the addresses of their names (NULL: they have
// none).
int ct_object_count(const mjModel* m, int type);
const int* ct_object_name_adr(const mjModel* m, int type);

// First slot in names_map of a type with names.
int64_t ct_object_map_start(const mjModel* m, int type);

#endif  // CT_BASE_MODEL_OBJECTS_H_
