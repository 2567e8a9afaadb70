// Functions of sleep and islands that the reference's library exports without declaring them in its
// header.

#ifndef CT_HOST_SLEEP_H_
#define CT_HOST_SLEEP_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

// 1 awake, 0 asleep, -1 static: an object of a type (mjtObj) that has such a state.
MJAPI int mj_sleepState(const mjModel* m, const mjData* d, int type, int id);

// tree_awake, body_awake and the lists of what is awake, from tree_asleep.
MJAPI void mj_updateSleep(const mjModel* m, mjData* d);

// Wakes the ring that tree i sleeps in, by writing wakeval into tree_asleep (ntree) of all its
// trees; an awake tree gets the smaller of both. Returns how many woke.
MJAPI int mj_wakeTree(int* tree_asleep, int ntree, int i, int wakeval);

// island (nr) = connected component of each vertex of a graph, -1 for those without edges; returns
// how many components there are. Edges of vertex r go to colind[rowadr[r] ...]. stack: as many
// numbers as there are edges.
MJAPI int mj_floodFill(int* island, int nr, const int* rownnz, const int* rowadr, const int* colind,
                       int* stack);

#ifdef __cplusplus
}
#endif

#endif  // CT_HOST_SLEEP_H_
