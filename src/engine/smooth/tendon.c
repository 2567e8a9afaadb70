// Tendons: paths, lengths, Jacobians.
//
//   in    qpos                               (nq)             fixed tendons
//         site_xpos, geom_xpos, geom_xmat    (. x 3, 3, 9)    spatial tendons
//         cdof, subtree_com                  (nv x 6), (nbody x 3)
//   out   ten_length                         (ntendon)
//         ten_J                              (ntendon x nv)   dense, or packed rows with
//         ten_J_rownnz, _rowadr, _colind                      these, if Jacobians are sparse
//         ten_wrapadr, ten_wrapnum           (ntendon)        where the path's points are in
//         wrap_xpos, wrap_obj                (2 nwrap x 3), (2 nwrap)
//
// A fixed tendon is a linear function of joint positions. A spatial one is a string through sites
// and round geoms: straight pieces, and arcs on the geoms (wrap.c). A pulley ends one string and
// begins another, whose length counts only in part. With u the direction of a straight piece from
// point a of body A to point b of body B
//
//   d|b - a|/dt = u . (v_b - v_a),
//
// so the row of the tendon is the sum of pairs (pair.h) with the forces u at b and -u at a. A
// touching point counts as fixed to its geom and an arc as of constant length: a taut string is the
// shortest way, so sliding the point along the surface does not change the length in first order.
//
// Sparse rows have a column for every dof that moves one or both of the bodies of a piece, whether
// or not its entry is zero. Points and rows of all tendons are packed one after the other, and how
// many points there are depends on which geoms are touched. One lane takes the tendons in order and
// knows where each begins; several find the geoms first, then the counts, then the paths.
//
// Oddity: a joint that stands twice in a fixed tendon adds twice to its length; in a sparse row the
// coefficients add up, in a dense row the last one stays.

#include "engine/smooth/tendon.h"

#include "base/memory/scratch.h"
#include "base/model/awake.h"
#include "base/model/options.h"
#include "engine/smooth/pair.h"
#include "engine/smooth/wrap.h"
#include "math/mat.h"
#include "math/sparse.h"

#define PATH_SITE (-1)  // codes of wrap_obj
#define PATH_PULLEY (-2)

typedef struct {  // the path of one tendon
  const mjModel* m;
  const mjData* d;
  const ct_Detour* wraps;  // (nwrap) of geom elements; NULL: found on the way, see `wrap`
  int first, end;          // its elements
  ct_Detour wrap;          // of the last geom element passed, without `wraps`
} TendonPath;

typedef struct {  // a straight part of a path between two bodies
  const mjtNum *from, *to;
  int from_body, to_body;
} TendonPiece;

LANE_INLINE TendonPath tendon_path(const mjModel* m, const mjData* d, const ct_Detour* wraps,
                                   int tendon) {
  int first = m->tendon_adr[tendon];
  TendonPath path;
  path.m = m;
  path.d = d;
  path.wraps = wraps;
  path.first = first;
  path.end = first + m->tendon_num[tendon];
  path.wrap.arc = -1;
  return path;
}

LANE_INLINE bool is_fixed_tendon(const TendonPath* path) {
  return path->first < path->end && path->m->wrap_type[path->first] == mjWRAP_JOINT;
}

LANE_INLINE const ct_Detour* wrap_of(const TendonPath* path, int k) {
  return path->wraps ? path->wraps + k : &path->wrap;
}

LANE_INLINE bool touches_geom(const TendonPath* path, int k) {
  return ct_is_wrap_geom(path->m, k) && !(wrap_of(path, k)->arc < 0);  // a NaN is a touch too
}

// The pieces that lead to element k: none unless it is a site that follows a site, one, or two if a
// geom that is touched stands in between.
LANE_INLINE int pieces_to(const TendonPath* path, int k, TendonPiece piece[2]) {
  const mjModel* m = path->m;
  const mjData* d = path->d;
  int before = k - 1;
  if (before >= path->first && ct_is_wrap_geom(m, before)) before--;
  if (m->wrap_type[k] != mjWRAP_SITE || before < path->first ||
      m->wrap_type[before] != mjWRAP_SITE) {
    return 0;
  }
  // Each member is written once: a copy of the first piece would wait for its stores.
  int site0 = m->wrap_objid[before], site1 = m->wrap_objid[k];
  const mjtNum* to = d->site_xpos + 3 * site1;
  int to_body = m->site_bodyid[site1];
  piece[0].from = d->site_xpos + 3 * site0;
  piece[0].from_body = m->site_bodyid[site0];
  if (before == k - 1 || !touches_geom(path, k - 1)) {
    piece[0].to = to;
    piece[0].to_body = to_body;
    return 1;
  }
  piece[0].to = wrap_of(path, k - 1)->touch;
  piece[1].from = wrap_of(path, k - 1)->touch + 3;
  piece[0].to_body = piece[1].from_body = m->geom_bodyid[m->wrap_objid[k - 1]];
  piece[1].to = to;
  piece[1].to_body = to_body;
  return 2;
}

LANE_INLINE bool stands_between_sites(const mjModel* m, int k) {
  return k > 0 && k + 1 < m->nwrap && m->wrap_type[k - 1] == mjWRAP_SITE &&
         m->wrap_type[k + 1] == mjWRAP_SITE;
}

LANE_INLINE ct_Obstacle obstacle_at(const mjModel* m, const mjData* d, int k) {
  int geom = m->wrap_objid[k];
  ct_Obstacle obstacle = {m->wrap_type[k] == mjWRAP_CYLINDER, m->geom_size[3 * geom],
                          d->geom_xpos + 3 * geom, d->geom_xmat + 9 * geom};
  return obstacle;
}

LANE_INLINE const mjtNum* site_of_element(const mjModel* m, const mjData* d, int k) {
  return d->site_xpos + 3 * m->wrap_objid[k];
}

// Where the side point of geom element k is; NULL: it has none.
LANE_INLINE const mjtNum* side_of_element(const mjModel* m, const mjData* d, int k) {
  int side = ct_wrap_side(m, k);
  return side >= 0 && side < m->nsite ? d->site_xpos + 3 * side : NULL;
}

// The way round geom element k, between the sites on both sides of it.
LANE_FN static void wrap_element(const mjModel* m, const mjData* d, int k, ct_Detour* wrap) {
  wrap->arc = -1;
  if (!stands_between_sites(m, k)) return;
  ct_Obstacle obstacle = obstacle_at(m, d, k);
  *wrap = ct_wrap(&obstacle, site_of_element(m, d, k - 1), site_of_element(m, d, k + 1),
                  side_of_element(m, d, k));
}

#ifndef __CUDACC__

// Is it worth to go round four at a time?
LANE_FN static bool has_several_cylinders(const mjModel* m) {
  int count = 0;
  for (int k = 0; k < m->nwrap; k++) count += m->wrap_type[k] == mjWRAP_CYLINDER;
  return count >= 4;
}

// The ways round all geoms by one lane, four cylinders at a time.
LANE_FN static void wrap_by_fours(const mjModel* m, const mjData* d, ct_Detour* wraps) {
  ct_WrapTask task[4];
  ct_Detour* to[4];
  int n = 0;
  for (int k = 0; k < m->nwrap; k++) {
    if (!ct_is_wrap_geom(m, k)) continue;
    if (m->wrap_type[k] != mjWRAP_CYLINDER || !stands_between_sites(m, k)) {
      wrap_element(m, d, k, wraps + k);
      continue;
    }
    ct_WrapTask next = {obstacle_at(m, d, k), site_of_element(m, d, k - 1),
                        site_of_element(m, d, k + 1), side_of_element(m, d, k)};
    task[n] = next;
    to[n++] = wraps + k;
    if (n == 4) ct_wrap_four(task, to);
    n %= 4;
  }
  for (int i = 0; i < n; i++) {
    *to[i] = ct_wrap(&task[i].obstacle, task[i].x0, task[i].x1, task[i].side);
  }
}

#endif

// How many points the path has.
LANE_FN static int count_points(const TendonPath* path) {
  int count = 0;
  if (is_fixed_tendon(path)) return 0;
  for (int k = path->first; k < path->end; k++) {
    count += ct_is_wrap_geom(path->m, k) ? 2 * touches_geom(path, k) : 1;
  }
  return count;
}

LANE_INLINE void add_chain_bits(const mjModel* m, int* bits, int body) {
  for (int k = ct_last_dof(m, body); k >= 0; k = m->dof_parentid[k]) {
    bits[k / 32] = (int)((unsigned)bits[k / 32] | 1u << k % 32);
  }
}

// Sets the bits (nv, 32 to a word) of the columns of a sparse row.
LANE_FN static void find_columns(const TendonPath* path, int* bits) {
  const mjModel* m = path->m;
  for (int w = 0; w < (m->nv + 31) / 32; w++) bits[w] = 0;
  for (int k = path->first; k < path->end; k++) {
    if (is_fixed_tendon(path)) {
      int dof = m->jnt_dofadr[m->wrap_objid[k]];
      bits[dof / 32] = (int)((unsigned)bits[dof / 32] | 1u << dof % 32);
      continue;
    }
    TendonPiece piece[2];
    int count = pieces_to(path, k, piece);
    for (int p = 0; p < count; p++) {
      if (piece[p].from_body == piece[p].to_body) continue;
      add_chain_bits(m, bits, piece[p].from_body);
      add_chain_bits(m, bits, piece[p].to_body);
    }
  }
}

// Lists the columns in rising order and returns how many there are; columns NULL only counts them.
LANE_INLINE int list_columns(const int* bits, int nv, int* columns) {
  int count = 0;
  for (int w = 0; w < (nv + 31) / 32; w++) {
    unsigned rest = (unsigned)bits[w];
    if (!columns) count += ct_count_bits(rest);
    for (; columns && rest; rest &= rest - 1) columns[count++] = 32 * w + ct_lowest_bit(rest);
  }
  return count;
}

// Adds to the row what a force at a point of a body does along the dofs that move it.
LANE_INLINE void add_force_along(const TendonPath* path, mjtNum* row, int body,
                                 const mjtNum point[3], const mjtNum force[3]) {
  const mjModel* m = path->m;
  ct_End end = ct_force_at(m, path->d, body, point, force);
  for (int k = ct_last_dof(m, body); k >= 0; k = m->dof_parentid[k]) {
    row[k] += ct_dot6(path->d->cdof + 6 * k, end.wrench);
  }
}

// Adds a straight piece to the row and returns its length. The row is that of length / divisor.
// Strings often begin where nothing moves; then one end is enough.
LANE_INLINE mjtNum add_piece(const TendonPath* path, const TendonPiece* piece, mjtNum divisor,
                             mjtNum* row) {
  const mjModel* m = path->m;
  mjtNum u[3], back[3];
  ct_sub3(u, piece->to, piece->from);
  if (piece->from_body == piece->to_body) return ct_norm3(u);
  mjtNum length = ct_normalize3(u);
  if (divisor != 1) ct_scl3(u, u, 1 / divisor);  // mostly there is no pulley
  if (ct_last_dof(m, piece->from_body) < 0) {
    add_force_along(path, row, piece->to_body, piece->to, u);
    return length;
  }
  ct_scl3(back, u, -1);
  ct_End from = ct_force_at(m, path->d, piece->from_body, piece->from, back);
  ct_End to = ct_force_at(m, path->d, piece->to_body, piece->to, u);
  ct_add_pair(m, path->d, row, &from, &to);
  return length;
}

LANE_INLINE int write_point(mjData* d, int at, const mjtNum* pos, int code) {
  if (pos) {
    ct_copy3(d->wrap_xpos + 3 * at, pos);
  } else {
    ct_zero3(d->wrap_xpos + 3 * at);
  }
  d->wrap_obj[at] = code;
  return at + 1;
}

// Walks the path of a spatial tendon: writes its points from place *at on, which moves to the place
// behind them, adds its pieces to the row, returns its length. The pieces are those of pieces_to.
LANE_FN static mjtNum walk_path(TendonPath* path, mjData* d, int* at, mjtNum* row) {
  const mjModel* m = path->m;
  mjtNum length = 0, divisor = 1;
  int point = *at, geom = -1;  // element of the geom since the last site
  TendonPiece piece = {NULL, NULL, 0, 0};
  for (int k = path->first, end = path->end; k < end; k++) {
    int type = m->wrap_type[k], id = m->wrap_objid[k];
    if (type == mjWRAP_SITE) {
      const mjtNum* to = d->site_xpos + 3 * id;
      int to_body = m->site_bodyid[id];
      if (piece.from) {
        mjtNum part = 0;
        if (geom >= 0 && !(wrap_of(path, geom)->arc < 0)) {  // a NaN is a touch too
          const ct_Detour* wrap = wrap_of(path, geom);
          int touched = m->wrap_objid[geom];
          part = wrap->arc;
          piece.to = wrap->touch;
          piece.to_body = m->geom_bodyid[touched];
          point = write_point(d, point, wrap->touch, touched);
          point = write_point(d, point, wrap->touch + 3, touched);
          part += add_piece(path, &piece, divisor, row);
          piece.from = wrap->touch + 3;
          piece.from_body = piece.to_body;
        }
        piece.to = to;
        piece.to_body = to_body;
        part += add_piece(path, &piece, divisor, row);
        length += divisor != 1 ? part / divisor : part;
      }
      point = write_point(d, point, to, PATH_SITE);
      piece.from = to;
      piece.from_body = to_body;
      geom = -1;
    } else if (ct_is_wrap_geom(m, k)) {
      if (!path->wraps) wrap_element(m, d, k, &path->wrap);
      if (geom >= 0) piece.from = NULL;
      geom = k;
    } else {
      piece.from = NULL;
      if (type == mjWRAP_PULLEY) {
        divisor = m->wrap_prm[k];
        point = write_point(d, point, NULL, PATH_PULLEY);
      }
    }
  }
  *at = point;
  return length;
}

// The row and length of a fixed tendon.
LANE_FN static mjtNum add_joints(const TendonPath* path, mjtNum* row, bool sparse) {
  const mjModel* m = path->m;
  mjtNum length = 0;
  for (int k = path->first; k < path->end; k++) {
    int joint = m->wrap_objid[k], dof = m->jnt_dofadr[joint];
    length += m->wrap_prm[k] * path->d->qpos[m->jnt_qposadr[joint]];
    row[dof] = sparse ? row[dof] + m->wrap_prm[k] : m->wrap_prm[k];
  }
  return length;
}

// Scratch of the stage.
typedef struct {
  ct_Detour* wraps;  // (nwrap)
  mjtNum* row;       // (nv) of this lane, zero between tendons; NULL: rows are dense
  int* bits;         // (nv, 32 to a word) of this lane
} TendonScratch;

// False without room. The arrays of single lanes lie one after the other.
LANE_FN static bool take_tendon_scratch(Lane g, const mjModel* m, mjData* d, TendonScratch* s) {
  int nv = (int)m->nv, words = (nv + 31) / 32;
  s->wraps = (ct_Detour*)(void*)lane_scratch_num(
      g, d, (int)m->nwrap * (int)(sizeof(ct_Detour) / sizeof(mjtNum)));
  s->row = NULL;
  s->bits = NULL;
  if (!s->wraps || !ct_is_sparse(m)) return s->wraps != NULL;
  s->row = lane_scratch_num(g, d, lane_count(g) * nv);
  s->bits = lane_scratch_int(g, d, lane_count(g) * words);
  if (!s->row || !s->bits) return false;
  s->row += lane_rank(g) * nv;
  s->bits += lane_rank(g) * words;
  ct_zero(s->row, nv);
  return true;
}

// Where each tendon's share of a packed array starts. Sleeping ones have none and keep their
// number.
LANE_FN static void place_tendons(Lane g, const mjModel* m, const mjData* d, int* adr,
                                  const int* num, bool filter) {
  if (!filter) {
    lane_scan(g, adr, num, (int)m->ntendon);
    return;
  }
  LANE_ONCE(g) {
    int next = 0;
    for (int i = 0; i < m->ntendon; i++) {
      if (ct_tendon_asleep(m, d, i)) continue;
      adr[i] = next;
      next += num[i];
    }
  }
  lane_sync(g);
}

// Finds the geoms that are touched, and from them how many points and columns each tendon has.
LANE_FN static void lay_out(Lane g, const mjModel* m, mjData* d, const TendonScratch* s,
                            bool filter) {
  LANE_FOR(k, g, m->nwrap) {
    if (ct_is_wrap_geom(m, k)) wrap_element(m, d, k, s->wraps + k);
  }
  lane_sync(g);
  int next = 0;  // of one lane, which lists columns at once
  LANE_FOR(i, g, m->ntendon) {
    bool asleep = filter && ct_tendon_asleep(m, d, i);
    if (s->row) d->ten_J_rownnz[i] = 0;
    if (asleep) continue;
    TendonPath path = tendon_path(m, d, s->wraps, i);
    d->ten_wrapnum[i] = count_points(&path);
    if (!s->row) continue;
    find_columns(&path, s->bits);
    bool alone = lane_count(g) == 1;
    d->ten_J_rownnz[i] = list_columns(s->bits, (int)m->nv, alone ? d->ten_J_colind + next : NULL);
    if (alone) next += d->ten_J_rownnz[i];
  }
  lane_sync(g);
  place_tendons(g, m, d, d->ten_wrapadr, d->ten_wrapnum, filter);
  if (s->row) lane_scan(g, d->ten_J_rowadr, d->ten_J_rownnz, (int)m->ntendon);
}

// Moves a row from scratch to its place and leaves zeros behind. One lane has listed its columns.
LANE_FN static void pack_row(Lane g, const TendonPath* path, mjData* d, const TendonScratch* s,
                             int tendon) {
  int at = d->ten_J_rowadr[tendon], count = d->ten_J_rownnz[tendon];
  if (lane_count(g) > 1) {
    find_columns(path, s->bits);
    list_columns(s->bits, (int)path->m->nv, d->ten_J_colind + at);
  }
  for (int k = 0; k < count; k++) {
    int column = d->ten_J_colind[at + k];
    d->ten_J[at + k] = s->row[column];
    s->row[column] = 0;
  }
}

// All tendons with dense rows by one lane; wraps NULL: ways round geoms are found in passing.
LANE_FN static void follow_in_order(const mjModel* m, mjData* d, const ct_Detour* wraps) {
  bool filter = ct_some_asleep(m, d);
  int nv = (int)m->nv, at = 0;
  ct_zero(d->ten_J, (int)m->ntendon * nv);
  for (int i = 0; i < m->ntendon; i++) {
    TendonPath path = tendon_path(m, d, wraps, i);
    mjtNum* row = d->ten_J + i * nv;
    d->ten_length[i] = 0;
    if (filter && ct_tendon_asleep(m, d, i)) continue;
    d->ten_wrapadr[i] = at;
    d->ten_length[i] =
        is_fixed_tendon(&path) ? add_joints(&path, row, false) : walk_path(&path, d, &at, row);
    d->ten_wrapnum[i] = at - d->ten_wrapadr[i];
  }
}

// All tendons by any number of lanes.
LANE_FN static void follow_together(Lane g, const mjModel* m, mjData* d, const TendonScratch* s) {
  bool filter = ct_some_asleep(m, d);
  int nv = (int)m->nv;
  lay_out(g, m, d, s, filter);
  LANE_FOR(i, g, m->ntendon) {
    TendonPath path = tendon_path(m, d, s->wraps, i);
    mjtNum* row = s->row ? s->row : d->ten_J + i * nv;
    int at = d->ten_wrapadr[i];
    d->ten_length[i] = 0;
    if (!s->row) ct_zero(row, nv);
    if (filter && ct_tendon_asleep(m, d, i)) continue;
    d->ten_length[i] = is_fixed_tendon(&path) ? add_joints(&path, row, s->row != NULL)
                                              : walk_path(&path, d, &at, row);
    if (s->row) pack_row(g, &path, d, s, i);
  }
}

// By one lane, with dense rows.
LANE_FN static int follow_alone(Lane g, const mjModel* m, mjData* d) {
#ifndef __CUDACC__
  if (has_several_cylinders(m) && !ct_some_asleep(m, d)) {
    if (!lane_mark(g, d)) return CT_STACK_FULL;
    int room = (int)m->nwrap * (int)(sizeof(ct_Detour) / sizeof(mjtNum));
    ct_Detour* wraps = (ct_Detour*)(void*)lane_scratch_num(g, d, room);
    if (wraps) wrap_by_fours(m, d, wraps);
    if (wraps) follow_in_order(m, d, wraps);
    lane_free(g, d);
    return wraps ? CT_OK : CT_STACK_FULL;
  }
#endif
  (void)g;
  follow_in_order(m, d, NULL);
  return CT_OK;
}

LANE_FN int ct_tendon(Lane g, const mjModel* m, mjData* d) {
  if (m->ntendon == 0) return CT_OK;
  if (lane_count(g) == 1 && !ct_is_sparse(m)) return follow_alone(g, m, d);
  if (!lane_mark(g, d)) return CT_STACK_FULL;
  TendonScratch s;
  bool room = take_tendon_scratch(g, m, d, &s);
  if (room) follow_together(g, m, d, &s);
  lane_free(g, d);
  return room ? CT_OK : CT_STACK_FULL;
}

LANE_FN int ct_tendon_velocity(Lane g, const mjModel* m, mjData* d) {
  bool sparse = ct_is_sparse(m);
  LANE_FOR(i, g, m->ntendon) {
    if (sparse) {
      int at = d->ten_J_rowadr[i];
      d->ten_velocity[i] =
          ct_dot_sparse(d->ten_J + at, d->ten_J_colind + at, d->ten_J_rownnz[i], d->qvel);
    } else {
      d->ten_velocity[i] = ct_dot(d->ten_J + (size_t)i * (size_t)m->nv, d->qvel, (int)m->nv);
    }
  }
  lane_sync(g);
  return CT_OK;
}

// One end of a straight piece for ct_tendon_dot. The entry of dof k in the Jacobian of the length
// is u . (v + w x r), where (w, v) is its axis and r the point's offset from the reference point,
// so its derivative is
//
//   (v', w') . (u, r x u)  +  (v, w) . (u', r x u')  +  w . (r' x u)
//
// with the rate of the axis, of the direction and of the point.
typedef struct {
  ct_End along, turning;  // forces u and u' at the point
  mjtNum sweep[3];        // r' x u
} EndRate;

LANE_INLINE EndRate end_rate(const mjModel* m, const mjData* d, int body, const mjtNum point[3],
                             const mjtNum velocity[3], const mjtNum u[3], const mjtNum udot[3]) {
  EndRate end;
  end.along = ct_force_at(m, d, body, point, u);
  end.turning = ct_force_at(m, d, body, point, udot);
  ct_cross(end.sweep, velocity, u);
  return end;
}

LANE_INLINE mjtNum entry_rate(const mjModel* m, const mjData* d, const EndRate* end, int k) {
  const mjtNum* axis = d->cdof + 6 * k;
  mjtNum rate[6];
  ct_axis_rate(m, d, k, rate);
  return ct_dot6(rate, end->along.wrench) + ct_dot6(axis, end->turning.wrench) +
         ct_dot3(axis, end->sweep);
}

LANE_INLINE void point_velocity(const mjModel* m, const mjData* d, mjtNum velocity[3], int body,
                                const mjtNum point[3]) {
  mjtNum offset[3];
  ct_sub3(offset, point, ct_reference_point(m, d, body));
  ct_jac_column(velocity, d->cvel + 6 * body, offset);
}

// Adds the rates of the entries of one piece. Entry k belongs to lane k mod the number of lanes.
LANE_FN static void add_piece_rate(Lane g, const TendonPath* path, const TendonPiece* piece,
                                   mjtNum divisor, mjtNum* Jdot) {
  const mjModel* m = path->m;
  const mjData* d = path->d;
  mjtNum u[3], udot[3], from_velocity[3], to_velocity[3];
  point_velocity(m, d, from_velocity, piece->from_body, piece->from);
  point_velocity(m, d, to_velocity, piece->to_body, piece->to);
  ct_sub3(u, piece->to, piece->from);
  mjtNum length = ct_normalize3(u);

  // u' is the part of the relative velocity across u, over the length
  ct_sub3(udot, to_velocity, from_velocity);
  ct_add_to_scl3(udot, u, -ct_dot3(u, udot));
  ct_scl3(udot, udot, length > mjMINVAL ? 1 / length : 0);

  EndRate from = end_rate(m, d, piece->from_body, piece->from, from_velocity, u, udot);
  EndRate to = end_rate(m, d, piece->to_body, piece->to, to_velocity, u, udot);
  int i = ct_last_dof(m, piece->from_body), j = ct_last_dof(m, piece->to_body);
  while (i != j) {
    int k = i > j ? i : j;
    if (k % lane_count(g) == lane_rank(g)) {
      mjtNum rate = i > j ? -entry_rate(m, d, &from, k) : entry_rate(m, d, &to, k);
      Jdot[k] += rate / divisor;
    }
    if (i > j) {
      i = m->dof_parentid[i];
    } else {
      j = m->dof_parentid[j];
    }
  }
}

LANE_FN void ct_tendon_dot(Lane g, const mjModel* m, const mjData* d, int tendon, mjtNum* Jdot) {
  LANE_FOR(k, g, m->nv) {
    Jdot[k] = 0;
  }
  lane_sync(g);
  TendonPath path = tendon_path(m, d, NULL, tendon);
  mjtNum divisor = 1;
  for (int k = path.first; k < path.end && !is_fixed_tendon(&path); k++) {
    TendonPiece piece[2];
    if (m->wrap_type[k] == mjWRAP_PULLEY) divisor = m->wrap_prm[k];
    if (k > path.first && ct_is_wrap_geom(m, k - 1)) continue;
    if (pieces_to(&path, k, piece) == 1 && piece[0].from_body != piece[0].to_body) {
      add_piece_rate(g, &path, piece, divisor, Jdot);
    }
  }
  lane_sync(g);
}
