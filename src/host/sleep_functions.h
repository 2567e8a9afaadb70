// Functions of sleep and islands that the reference's library exports without declaring them in its
// header.

#ifndef CT_HOST_SLEEP_FUNCTIONS_H_
#define CT_HOST_SLEEP_FUNCTIONS_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

// 1 awake, 0 asleep, -1 static: an object of a type (mjtObj) that has such a state.
MJAPI int mj_sleepState(const mjModel* m, const mjData* d, int object_type, int object);

// tree_awake, body_awake and the lists of what is awake, from tree_asleep.
MJAPI void mj_updateSleep(const mjModel* m, mjData* d);

// Wakes the ring that a tree sleeps in, by writing the countdown into asleep (ntree) of all its
// trees; an awake tree gets the smaller of both. Returns how many woke.
MJAPI int mj_wakeTree(int* asleep, int ntree, int tree, int countdown);

// component: the connected component of each vertex of a graph, -1 for those without edges; returns
// how many there are. Edges of vertex v go to neighbour[first_edge[v] ...]. scratch: as many
// numbers as there are edges.
MJAPI int mj_floodFill(int* component, int vertices, const int* edge_count, const int* first_edge,
                       const int* neighbour, int* scratch);

#ifdef __cplusplus
}
#endif

#endif  // CT_HOST_SLEEP_FUNCTIONS_H_
