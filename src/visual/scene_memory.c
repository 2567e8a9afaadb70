// Memory of an abstract scene: room for geoms, and for the flexes and skins of a model.
//
// What is drawn of a flex are triangles, and how many there can be depends on its dimension: of a
// surface both sides of every element and of the rim; of a volume the outer shell, or one layer of
// tetrahedra, four triangles each, whichever is more.

#include <mujoco/mujoco.h>
#include <stddef.h>
#include <string.h>

// Defaults of the flags, from the strings that the viewer shows.
static void default_flags(mjvScene* scn) {
  for (int i = 0; i < mjNRNDFLAG; i++) scn->flags[i] = mjRNDSTRING[i][1][0] == '1';
}

void mjv_freeScene(mjvScene* scn) {
  void* const blocks[] = {scn->geoms,        scn->geomorder,    scn->flexedgeadr, scn->flexedgenum,
                          scn->flexvertadr,  scn->flexvertnum,  scn->flexfaceadr, scn->flexfacenum,
                          scn->flexfaceused, scn->flexedge,     scn->flexvert,    scn->flexface,
                          scn->flexnormal,   scn->flextexcoord, scn->skinfacenum, scn->skinvertadr,
                          scn->skinvertnum,  scn->skinvert,     scn->skinnormal};
  for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++) mju_free(blocks[i]);
  memset(scn, 0, sizeof(*scn));
}

// Arrays of n elements; NULL if there are none.
static int* ints(mjtSize n) {
  return n > 0 ? (int*)mju_malloc((size_t)n * sizeof(int)) : NULL;
}

static int* copied(const int* from, mjtSize n) {
  int* to = ints(n);
  if (to) memcpy(to, from, (size_t)n * sizeof(int));
  return to;
}

static float* floats(mjtSize n) {
  return n > 0 ? (float*)mju_malloc((size_t)n * sizeof(float)) : NULL;
}

// Elements of the fullest layer of a volume; layers count from the outside, without gaps.
static int fullest_layer(const mjModel* m, int flex) {
  const int* layer = m->flex_elemlayer + m->flex_elemadr[flex];
  int fullest = 0;
  for (int k = 0;; k++) {
    int count = 0;
    for (int i = 0; i < m->flex_elemnum[flex]; i++) count += layer[i] == k;
    if (count == 0) return fullest;
    if (count > fullest) fullest = count;
  }
}

static int most_faces(const mjModel* m, int flex) {
  int shell = m->flex_shellnum[flex];
  if (m->flex_dim[flex] == 2) return 2 * (shell + m->flex_elemnum[flex]);
  int inside = 4 * fullest_layer(m, flex);
  return inside > shell ? inside : shell;
}

static void make_flexes(const mjModel* m, mjvScene* scn) {
  mjtSize n = m->nflex, nface = 0;
  scn->nflex = (int)n;
  scn->flexedgeadr = copied(m->flex_edgeadr, n);
  scn->flexedgenum = copied(m->flex_edgenum, n);
  scn->flexvertadr = copied(m->flex_vertadr, n);
  scn->flexvertnum = copied(m->flex_vertnum, n);
  scn->flexedge = copied(m->flex_edge, 2 * m->nflexedge);
  scn->flexvert = floats(3 * m->nflexvert);
  scn->flexfaceadr = ints(n);
  scn->flexfacenum = ints(n);
  scn->flexfaceused = ints(n);
  if (!scn->flexfaceadr || !scn->flexfacenum) return;
  for (int i = 0; i < n; i++) {
    scn->flexfaceadr[i] = (int)nface;
    scn->flexfacenum[i] = most_faces(m, i);
    nface += scn->flexfacenum[i];
  }
  scn->flexface = floats(9 * nface);
  scn->flexnormal = floats(9 * nface);
  scn->flextexcoord = floats(6 * nface);
}

static void make_skins(const mjModel* m, mjvScene* scn) {
  scn->nskin = (int)m->nskin;
  scn->skinfacenum = copied(m->skin_facenum, m->nskin);
  scn->skinvertadr = copied(m->skin_vertadr, m->nskin);
  scn->skinvertnum = copied(m->skin_vertnum, m->nskin);
  scn->skinvert = floats(3 * m->nskinvert);
  scn->skinnormal = floats(3 * m->nskinvert);
}

void mjv_makeScene(const mjModel* m, mjvScene* scn, int maxgeom) {
  mjv_freeScene(scn);
  if (maxgeom > 0) {
    scn->maxgeom = maxgeom;
    scn->geoms = (mjvGeom*)mju_malloc((size_t)maxgeom * sizeof(mjvGeom));
    scn->geomorder = ints(maxgeom);
  }
  default_flags(scn);
  scn->scale = 1;
  scn->rotate[0] = 1;
  if (m && m->nflex > 0) make_flexes(m, scn);
  if (m && m->nskin > 0) make_skins(m, scn);
}
