#include "engine/constraint.h"
LANE_FN ct_RowResult ct_island(Lane g, const mjModel* m, mjData* d) {
  (void)g;
  (void)m;
  (void)d;
  return CT_ROWS_GOOD;
}
LANE_FN ct_RowResult ct_project_constraint(Lane g, const mjModel* m, mjData* d) {
  (void)g;
  (void)m;
  (void)d;
  return CT_ROWS_GOOD;
}
