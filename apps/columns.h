// The quantities of mjData that a recording has, and the names and units of their columns.

#ifndef APPS_COLUMNS_H_
#define APPS_COLUMNS_H_

#include <mujoco/mujoco.h>
#include <stdbool.h>

typedef struct {
  const char* name;      // of the member of mjData
  const char* kind;      // what has one row each: "nbody", "nv", ...
  const mjtNum* values;  // (rows x columns), in mjData; NULL: ncon, a whole number
  int rows, columns;
} Field;

// A quantity by its name: time, ncon, energy, or an array of mjData whose numbers are mjtNum;
// false: there is none.
bool field_find(const mjModel* m, const mjData* d, const char* name, Field* field);

// The quantities that every recording has, in order. Poses of mocap bodies come last: models
// without any have no column of them.
enum { NSTANDARD_FIELD = 9 };
extern const char* const standard_fields[NSTANDARD_FIELD];

// Calls back with the name and unit ("" for none that is known) of each column, in order.
typedef void (*ColumnHandler)(void* user, const char* name, const char* unit);
void field_columns(const mjModel* m, const Field* field, ColumnHandler handler, void* user);

// What the name of a column alone says about its unit; "" for nothing.
const char* unit_by_name(const char* column);

// "joint knee", or "joint 3" for one without a name.
void object_title(const mjModel* m, int type, int id, char* text, int room);

#endif  // APPS_COLUMNS_H_
