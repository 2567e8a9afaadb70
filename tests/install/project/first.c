// A first program, as a user of MuJoCo writes it: load a model, make an mjData, copy it, save the
// model. Compiles as C and as C++.
//
// usage: first MODEL.mjb SAVED.mjb

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <string.h>

int main(int argc, const char** argv) {
  if (argc != 3) {
    printf("usage: first MODEL.mjb SAVED.mjb\n");
    return 1;
  }
  if (mj_version() != mjVERSION_HEADER) {
    printf("header %d, library %d\n", mjVERSION_HEADER, mj_version());
    return 1;
  }

  mjModel* m = mj_loadModel(argv[1], NULL);
  if (!m) {
    printf("cannot load %s\n", argv[1]);
    return 1;
  }
  mjData* d = mj_makeData(m);
  d->time = 1.5;
  for (int i = 0; i < m->nv; i++) d->qvel[i] = 0.25 * i;

  mjData* copy = mj_copyData(NULL, m, d);
  int same = copy->time == d->time &&
             memcmp(copy->qvel, d->qvel, sizeof(mjtNum) * (size_t)m->nv) == 0 &&
             memcmp(copy->qpos, m->qpos0, sizeof(mjtNum) * (size_t)m->nq) == 0;

  mj_saveModel(m, argv[2], NULL, 0);
  printf("%d bodies, %d degrees of freedom, copy is %s\n", (int)m->nbody, (int)m->nv,
         same ? "equal" : "different");

  mj_deleteData(copy);
  mj_deleteData(d);
  mj_deleteModel(m);
  return same ? 0 : 1;
}
