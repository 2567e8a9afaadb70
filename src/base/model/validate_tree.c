// The third part of validation: the tree of bodies, joints and dofs. Most integers about it follow
// from the parents of the bodies and the types of the joints; the reference takes them on trust,
// and the engine walks along them without looking. A compiled model fulfils all of this, so it is
// asked for to the letter: a weld that leads past a joint would be walked for ever, and a run of
// simple dofs that is too long would be written past its end.

#include "base/model/validate_rules.h"

// The entries of the bodies' runs, such as joints: each knows its body, and none is left over.
static bool owned(const mjModel* m, const char* name, const int* first, const int* count,
                  const int* owner, mjtSize total) {
  mjtSize found = 0;
  for (int b = 0; b < m->nbody; b++) {
    found += count[b];
    for (int i = first[b]; i < first[b] + count[b]; i++) {
      if (owner[i] != b)
        return ct_invalid("%s[%d] is %d, but body %d has it", name, i, owner[i], b);
    }
  }
  if (found == total) return true;
  return ct_invalid("%s: bodies have %lld of %lld entries", name, (long long)found,
                    (long long)total);
}

static bool expect(const char* array, int at, int is, int expected) {
  if (is == expected) return true;
  return ct_invalid("%s[%d] is %d, but the tree makes it %d", array, at, is, expected);
}

// Where each body hangs: the body below the world it descends from, the moving body it is part of,
// and its kinematic tree. Trees are counted in the order of their first bodies.
static bool bodies(const mjModel* m) {
  int ntree = 0;
  if (!expect("body_rootid", 0, m->body_rootid[0], 0)) return false;
  if (!expect("body_weldid", 0, m->body_weldid[0], 0)) return false;
  if (!expect("body_treeid", 0, m->body_treeid[0], -1)) return false;
  if (!expect("body_jntnum", 0, m->body_jntnum[0], 0)) return false;
  for (int b = 1; b < m->nbody; b++) {
    int parent = m->body_parentid[b], tree = m->body_treeid[parent];
    bool moves = m->body_jntnum[b] > 0;
    if (moves && tree < 0) tree = ntree++;
    if (!expect("body_rootid", b, m->body_rootid[b], parent ? m->body_rootid[parent] : b)) {
      return false;
    }
    if (!expect("body_weldid", b, m->body_weldid[b], moves ? b : m->body_weldid[parent])) {
      return false;
    }
    if (!expect("body_treeid", b, m->body_treeid[b], tree)) return false;
  }
  if (ntree == m->ntree) return true;
  return ct_invalid("size ntree is %lld, but bodies are in %d trees", (long long)m->ntree, ntree);
}

// Joints follow the bodies, and coordinates and dofs follow the joints, without gaps.
static bool joints(const mjModel* m) {
  static const int position_width[] = {7, 4, 1, 1}, velocity_width[] = {6, 3, 1, 1};
  int q = 0, v = 0;
  if (!owned(m, "jnt_bodyid", m->body_jntadr, m->body_jntnum, m->jnt_bodyid, m->njnt)) return false;
  for (int i = 0; i < m->njnt; i++) {
    if (!expect("jnt_qposadr", i, m->jnt_qposadr[i], q)) return false;
    if (!expect("jnt_dofadr", i, m->jnt_dofadr[i], v)) return false;
    int width = velocity_width[m->jnt_type[i]];
    if (v + width > m->nv) return ct_invalid("joint %d has dofs beyond nv", i);
    for (int j = v; j < v + width; j++) {
      if (!expect("dof_jntid", j, m->dof_jntid[j], i)) return false;
      if (!expect("dof_bodyid", j, m->dof_bodyid[j], m->jnt_bodyid[i])) return false;
    }
    q += position_width[m->jnt_type[i]];
    v += width;
  }
  if (q == m->nq && v == m->nv) return true;
  return ct_invalid("joints have %d coordinates and %d dofs, but nq is %lld and nv is %lld", q, v,
                    (long long)m->nq, (long long)m->nv);
}

// The dof that the first dof of body b hangs on: the last of the moving body above, -1 if there is
// none.
static int dof_above(const mjModel* m, int b) {
  int above = m->body_weldid[m->body_parentid[b]];
  return above ? m->body_dofadr[above] + m->body_dofnum[above] - 1 : -1;
}

static bool dofs(const mjModel* m) {
  if (!owned(m, "dof_bodyid", m->body_dofadr, m->body_dofnum, m->dof_bodyid, m->nv)) return false;
  for (int i = (int)m->nv - 1; i >= 0; i--) {
    int body = m->dof_bodyid[i], run = i + 1 < m->nv ? m->dof_simplenum[i + 1] + 1 : 1;
    int parent = i > m->body_dofadr[body] ? i - 1 : dof_above(m, body);
    if (!expect("dof_parentid", i, m->dof_parentid[i], parent)) return false;
    if (!expect("dof_treeid", i, m->dof_treeid[i], m->body_treeid[body])) return false;
    if (!expect("dof_simplenum", i, m->dof_simplenum[i], m->dof_simplenum[i] ? run : 0)) {
      return false;
    }
  }
  return true;
}

// The bodies and the dofs of a tree follow one another, and none is left over.
static bool tree_runs(const mjModel* m) {
  mjtSize bodies_found = 0, dofs_found = 0, moving = 0;
  for (int t = 0; t < m->ntree; t++) {
    bodies_found += m->tree_bodynum[t], dofs_found += m->tree_dofnum[t];
    for (int b = m->tree_bodyadr[t]; b < m->tree_bodyadr[t] + m->tree_bodynum[t]; b++) {
      if (m->body_treeid[b] != t) return ct_invalid("tree %d does not own all of its bodies", t);
    }
    for (int j = m->tree_dofadr[t]; j < m->tree_dofadr[t] + m->tree_dofnum[t]; j++) {
      if (m->dof_treeid[j] != t) return ct_invalid("tree %d does not own all of its dofs", t);
    }
  }
  for (int b = 0; b < m->nbody; b++) moving += m->body_treeid[b] >= 0;
  if (bodies_found == moving && dofs_found == m->nv) return true;
  return ct_invalid("trees have %lld of %lld moving bodies and %lld of %lld dofs",
                    (long long)bodies_found, (long long)moving, (long long)dofs_found,
                    (long long)m->nv);
}

bool ct_validate_tree(const mjModel* m) {
  if (!bodies(m)) return false;
  if (!joints(m)) return false;
  if (!dofs(m)) return false;
  if (!tree_runs(m)) return false;
  return owned(m, "geom_bodyid", m->body_geomadr, m->body_geomnum, m->geom_bodyid, m->ngeom);
}
