#include "derive/step_work.h"

#include "derive/contact_motion.h"

LANE_INLINE mjtNum* take(mjtNum** room, size_t n) {
  mjtNum* start = *room;
  *room += (n + 3) / 4 * 4;
  return start;
}

LANE_INLINE int* take_ints(int** room, size_t n) {
  int* start = *room;
  *room += n;
  return start;
}

LANE_FN size_t ct_step_work_numbers(const mjModel* m, int rows, size_t width) {
  size_t nv = (size_t)m->nv, nb = (size_t)m->nbody, nt = (size_t)m->ntendon;
  size_t n = 2 * nv * width + 2 * nv * nv + 2 * nv;  // right-hand sides, H, M^
  n += 12 * nv + (size_t)m->na + 12 * nv + 6 * nb;   // vectors, sums before dofs
  n += nb * (CT_BODY_SLOPE + 6 + CT_BURDEN + CT_BODY_PAIR + CT_GROUND) +
       nv * (CT_DOF_SLOPE + 6 + CT_COLUMN_SLOPE) + CT_UPPER * (nv + 3) + width;  // scratch of parts
  n += 3 * nt * nv + (size_t)(m->na + m->nu * (1 + CT_DRIVE)) +
       3 * (size_t)rows;  // tendons, activations, rows
  n += sizeof(ct_ContactMotion) / sizeof(mjtNum) + 36 * (nv + 3) + LANE_MOST * nv;
  n += 3 * (size_t)m->nD + 2 * (size_t)m->nC + nv;
  n += m->nu + m->ntendon > 0 ? nv * (nv + 2) : 0;  // of one transmission
  return n + 4 * 40;                                // rounding up
}

LANE_FN size_t ct_step_work_ints(const mjModel* m, int rows) {
  size_t nv = (size_t)m->nv, words = (nv + 31) / 32;
  size_t matrix = nv * words + 2 * (nv + 1) + nv * nv;
  return 2 * matrix + 4 * nv + words + (size_t)rows + 2;
}

LANE_FN static void place_matrix(ct_SparseMatrix* a, int n, mjtNum** room, int** ints) {
  size_t size = (size_t)n;
  a->n = n;
  a->words = (n + 31) / 32;
  a->value = take(room, size * size);
  a->inverse = take(room, size);
  a->pattern = (unsigned*)take_ints(ints, size * (size_t)a->words);
  a->row_adr = take_ints(ints, size + 1);
  a->col_adr = take_ints(ints, size + 1);
  a->row_col = take_ints(ints, size * size / 2);
  a->col_row = take_ints(ints, size * size / 2);
}

LANE_FN void ct_place_step_work(ct_StepWork* w, const mjModel* m, mjData* d, int width,
                                mjtNum* room, int* ints) {
  ct_Slopes* s = &w->s;
  size_t nv = (size_t)m->nv, nb = (size_t)m->nbody, nt = (size_t)m->ntendon;
  w->mover = CT_MOVES_BY_A;
  w->opened = w->lean = w->columns = false;
  s->m = m;
  s->d = d;
  s->nv = (int)nv;
  s->na = (int)m->na;
  s->nu = (int)m->nu;
  s->width = width;
  s->acts = s->pushed = true;
  s->y = s->x = s->z = NULL;
  s->rhs = take(&room, nv * (size_t)width);
  w->other = take(&room, nv * (size_t)width);
  place_matrix(&s->H, s->nv, &room, &ints);
  place_matrix(&w->Mhat, s->nv, &room, &ints);
  s->acc = take(&room, nv);
  w->moved = take(&room, nv);
  w->rest = take(&room, nv);
  w->sum = take(&room, nv);
  w->along = take(&room, nv);
  w->across = take(&room, nv);
  w->column = take(&room, 2 * nv + (size_t)m->na);
  s->speed_before = take(&room, 6 * nv);
  s->push_before = take(&room, 6 * nv);
  s->push = take(&room, 6 * nb);
  s->body = take(&room, nb * CT_BODY_SLOPE);
  s->dof = take(&room, nv * CT_DOF_SLOPE);
  s->upper = take(&room, CT_UPPER * (nv + 3));
  s->twist = take(&room, 6 * nb);
  s->twist_before = take(&room, 6 * nv);
  s->burden = take(&room, nb * CT_BURDEN);
  s->pair = take(&room, nb * CT_BODY_PAIR);
  s->by = take(&room, (size_t)width);
  s->column = take(&room, nv * CT_COLUMN_SLOPE);
  s->table = take(&room, 36 * (nv + 3));
  s->row = take(&room, LANE_MOST * nv);
  s->length_v = take(&room, nt * nv);
  s->length_a = take(&room, nt * nv);
  s->length_gap = take(&room, nt * nv);
  s->act_by_act = take(&room, (size_t)m->na);
  s->act_by_ctrl = take(&room, (size_t)m->nu);
  s->drive = take(&room, (size_t)m->nu * CT_DRIVE);
  size_t moved = m->nu + m->ntendon > 0 ? nv : 0;
  s->lever = take(&room, moved);
  s->stretch = take(&room, moved);
  s->bend = take(&room, moved * nv);
  s->jar = take(&room, (size_t)d->nefc);
  s->force = take(&room, (size_t)d->nefc);
  s->weight = take(&room, (size_t)d->nefc);
  s->smoothing = 0;
  s->motion = take(&room, sizeof(ct_ContactMotion) / sizeof(mjtNum));
  s->ground = take(&room, nb * CT_GROUND);
  s->ground_B = 0;
  s->grounded = false;
  w->qDeriv = take(&room, (size_t)m->nD);
  w->qLU = take(&room, (size_t)m->nD);
  w->lu = take(&room, (size_t)m->nD);
  w->qH = take(&room, (size_t)m->nC);
  w->LD = take(&room, (size_t)m->nC);
  w->invD = take(&room, nv);
  s->first = take_ints(&ints, nv);
  s->last = take_ints(&ints, nv);
  s->list = take_ints(&ints, nv + (nv + 31) / 32);
  s->driven = take_ints(&ints, nv);
  s->state = take_ints(&ints, (size_t)d->nefc);
  s->answer = take_ints(&ints, 1);
  s->reasons = (unsigned*)take_ints(&ints, 1);
}

LANE_FN void ct_load_M(Lane g, const mjModel* m, const ct_SparseMatrix* a, const mjtNum* M) {
  LANE_FOR(i, g, a->n) {
    ct_zero(ct_sparse_entry(a, i, 0), i + 1);
    for (int w = 0; w < a->words; w++) a->pattern[i * a->words + w] = 0;
    int start = m->M_rowadr[i], end = start + m->M_rownnz[i];
    for (int e = start; e < end; e++) {
      int j = m->M_colind[e];
      *ct_sparse_entry(a, i, j) = M[e];
      if (j != i) ct_mark_entry(a, i, j);
    }
  }
  lane_sync(g);
}

LANE_FN static void list_factor(const mjModel* m, const ct_SparseMatrix* a) {
  int n = a->n, count = 0;
  for (int j = 0; j <= n; j++) a->col_adr[j] = 0;
  for (int i = 0; i < n; i++) {
    a->row_adr[i] = count;
    for (int e = m->M_rowadr[i]; e < m->M_rowadr[i] + m->M_rownnz[i] - 1; e++) {
      a->row_col[count++] = m->M_colind[e];
      a->col_adr[m->M_colind[e] + 1]++;
    }
  }
  a->row_adr[n] = count;
  ct_list_columns(a);
}

LANE_FN void ct_load_factor(Lane g, const mjModel* m, const ct_SparseMatrix* a, const mjtNum* LD,
                            const mjtNum* invD) {
  LANE_FOR(i, g, a->n) {
    int start = m->M_rowadr[i], end = start + m->M_rownnz[i] - 1;
    for (int e = start; e < end; e++) *ct_sparse_entry(a, i, m->M_colind[e]) = LD[e];
    a->inverse[i] = invD[i];
  }
  LANE_ALONE(g) {
    list_factor(m, a);
  }
}
