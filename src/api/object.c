// Public functions for velocities and accelerations of objects.

#include <mujoco/mujoco.h>

#include "engine/smooth/object.h"

// The frame of an object; an error names the function that asked for one that does not exist.
static bool find_frame(const char* function, const mjModel* m, const mjData* d, int type, int id,
                       ct_Frame* frame) {
  const mjtSize count = type == mjOBJ_BODY || type == mjOBJ_XBODY ? m->nbody
                        : type == mjOBJ_GEOM                      ? m->ngeom
                        : type == mjOBJ_SITE                      ? m->nsite
                        : type == mjOBJ_CAMERA                    ? m->ncam
                                                                  : -1;
  if (count < 0) {
    mju_error("%s: object type %d has no frame; bodies, geoms, sites and cameras do", function,
              type);
    return false;
  }
  if (id < 0 || id >= count) {
    mju_error("%s: %s %d does not exist, there are %d", function, mju_type2Str(type), id,
              (int)count);
    return false;
  }
  return ct_object_frame(m, d, type, id, frame);
}

void mj_objectVelocity(const mjModel* m, const mjData* d, int objtype, int objid, mjtNum res[6],
                       int flg_local) {
  ct_Frame frame;
  if (!find_frame("mj_objectVelocity", m, d, objtype, objid, &frame)) return;
  ct_frame_velocity(m, d, frame, flg_local != 0, res);
}

void mj_objectAcceleration(const mjModel* m, const mjData* d, int objtype, int objid, mjtNum res[6],
                           int flg_local) {
  ct_Frame frame;
  if (!find_frame("mj_objectAcceleration", m, d, objtype, objid, &frame)) return;
  ct_frame_acceleration(m, d, frame, flg_local != 0, res);
}
