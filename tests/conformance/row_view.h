// Rows of the matrices in the arena, dense or sparse, under one shape.

#ifndef TESTS_CONFORMANCE_ROW_VIEW_H_
#define TESTS_CONFORMANCE_ROW_VIEW_H_

#include <mujoco/mujoco.h>

typedef struct {
  const mjtNum* values;
  const int* columns;  // NULL: dense, entry k is in column k
  int n;               // entries; -1: there is no such row, or its addresses lead out of the array
  int width;           // columns of the matrix, or of the block that the row is in
} RowView;

typedef RowView (*RowReader)(const mjModel* m, const mjData* d, int row);

RowView view_efc_J(const mjModel* m, const mjData* d, int row);
RowView view_iefc_J(const mjModel* m, const mjData* d, int row);  // rows in island order
RowView view_efc_AR(const mjModel* m, const mjData* d, int row);

// Column of entry k.
int view_column(const RowView* view, int k);

// Island of a place in island order, -1: none.
int island_of_place(const mjData* d, int place);

#endif  // TESTS_CONFORMANCE_ROW_VIEW_H_
