#include "conformance/row_view.h"

#include <stdbool.h>
#include <stddef.h>

static const RowView no_row = {NULL, NULL, -1, 0};

static bool is_sparse(const mjModel* m) {
  return m->opt.jacobian == mjJAC_SPARSE || (m->opt.jacobian == mjJAC_AUTO && m->nv >= 60);
}

static RowView dense_view(const mjtNum* values, long total, long start, int width) {
  RowView view = {values + start, NULL, width, width};
  if (!values || start < 0 || width < 0 || start > total - width) return no_row;
  return view;
}

static RowView sparse_view(const mjtNum* values, const int* columns, long total, const int* rowadr,
                           const int* rownnz, int row, int width) {
  if (!values || !columns || !rowadr || !rownnz) return no_row;
  RowView view = {values + rowadr[row], columns + rowadr[row], rownnz[row], width};
  if (rowadr[row] < 0 || view.n < 0 || view.n > width || rowadr[row] > total - view.n) {
    return no_row;
  }
  for (int k = 0; k < view.n; k++) {
    if (view.columns[k] < 0 || view.columns[k] >= width) return no_row;
  }
  return view;
}

int view_column(const RowView* view, int k) {
  return view->columns ? view->columns[k] : k;
}

RowView view_efc_J(const mjModel* m, const mjData* d, int row) {
  int nv = (int)m->nv;
  if (row < 0 || row >= d->nefc) return no_row;
  if (!is_sparse(m)) return dense_view(d->efc_J, d->nJ, (long)row * nv, nv);
  return sparse_view(d->efc_J, d->efc_J_colind, d->nJ, d->efc_J_rowadr, d->efc_J_rownnz, row, nv);
}

int island_of_place(const mjData* d, int place) {
  for (int k = 0; k < d->nisland; k++) {
    int first = d->island_iefcadr[k];
    if (place >= first && place < first + d->island_nefc[k]) return k;
  }
  return -1;
}

RowView view_iefc_J(const mjModel* m, const mjData* d, int row) {
  bool there = row >= 0 && row < d->nefc && d->nisland > 0 && d->island_iefcadr && d->island_nv;
  int island = there ? island_of_place(d, row) : -1;
  if (island < 0) return no_row;
  int width = d->island_nv[island], first = d->island_iefcadr[island];
  if (is_sparse(m)) {
    return sparse_view(d->iefc_J, d->iefc_J_colind, d->nJ, d->iefc_J_rowadr, d->iefc_J_rownnz, row,
                       width);
  }
  long start = (long)d->nidof * first + (long)(row - first) * width;
  return dense_view(d->iefc_J, d->nJ, start, width);
}

RowView view_efc_AR(const mjModel* m, const mjData* d, int row) {
  if (row < 0 || row >= d->nefc) return no_row;
  if (!is_sparse(m)) return dense_view(d->efc_AR, d->nA, (long)row * d->nefc, d->nefc);
  return sparse_view(d->efc_AR, d->efc_AR_colind, d->nA, d->efc_AR_rowadr, d->efc_AR_rownnz, row,
                     d->nefc);
}
