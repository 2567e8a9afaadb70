// R30.1, R30.2: model files from anywhere. The bytes lie as a file in a virtual file system, beside
// a file that they may include. feed_mjcf reads them into a spec and lists all mistakes; feed_model
// also compiles and saves, with a few small assets at hand.

#include <corten/mjcf.h>
#include <mujoco/mujoco.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/feed.h"
#include "spec/containers.h"

static void put(mjVFS* vfs, const char* name, const char* text) {
  mj_addBufferVFS(vfs, name, text, (int)strlen(text));
}

static void open_files(mjVFS* vfs, const uint8_t* bytes, size_t size) {
  mj_defaultVFS(vfs);
  mj_addBufferVFS(vfs, "fuzz.xml", bytes, (int)size);
  put(vfs, "beside.xml", "<a><compiler meshdir='m'/><include file='fuzz.xml'/></a>");
  put(vfs, "child.xml",
      "<mujoco model='child'><worldbody><body name='b'><joint name='j'/><geom size='1'/></body>"
      "</worldbody><actuator><motor joint='j'/></actuator></mujoco>");
  put(vfs, "a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
  put(vfs, "a.msh",
      "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 "
      "1\n$EndNodes\n"
      "$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n");
}

static void no_report(void* arg, const char* message) {
  (void)arg;
  if (!*message) abort();
}

void feed_mjcf(const uint8_t* bytes, size_t size) {
  if (size == 0 || size > 1 << 20) return;
  char error[300] = "";
  mjVFS vfs;
  open_files(&vfs, bytes, size);
  mjSpec* spec = mj_parseXML("fuzz.xml", &vfs, error, sizeof(error));
  if (!spec == !*error) abort();
  int mistakes = ct_check_mjcf("fuzz.xml", &vfs, no_report, NULL);
  if (!spec != (mistakes > 0)) abort();
  mj_deleteSpec(spec);
  mj_deleteVFS(&vfs);
}

// Length ranges are found by simulation, as long as the model says and the compiler allows: seconds
// for a file that is in order. What it does is the same after a hundred steps.
static void hurry(mjSpec* spec) {
  static const int first[12] = {0, 1, 2, 3, 0, 1, 2, 4, 0, 1, 2, 5};
  mjtNum step = spec->option.timestep, *total = &spec->compiler.LRopt.inttotal;
  if (*total > 100 * step && *total <= 1000000 * step) *total = 100 * step;
  for (mjsElement* e = mjs_firstElement(spec, mjOBJ_TEXTURE); e; e = mjs_nextElement(spec, e)) {
    mjsTexture* texture = mjs_asTexture(e);  // a large pattern takes seconds and gigabytes
    if (texture->width > 1000) texture->width = 1000;
    if (texture->height > 1000) texture->height = 1000;
  }
  for (mjsElement* e = mjs_firstElement(spec, mjOBJ_FLEX); e; e = mjs_nextElement(spec, e)) {
    mjsFlex* flex = mjs_asFlex(e);  // so does a large grid
    size_t size =
        (size_t)(((const ct_Vector*)flex->elem)->end - ((const ct_Vector*)flex->elem)->begin);
    if (size > 40000 * sizeof(int)) mjs_setInt(flex->elem, first, 12);
  }
}

// What was compiled is saved, or refused with a reason.
static void save(mjSpec* spec, const mjModel* m) {
  char error[300] = "";
  if (mj_saveXMLString(spec, NULL, 0, error, sizeof(error)) == 0 || !*error) abort();
  if (!mj_copyBack(spec, m)) abort();
  if (mj_saveXMLString(spec, NULL, 0, error, sizeof(error)) == 0) abort();
}

void feed_model(const uint8_t* bytes, size_t size) {
  if (size == 0 || size > 1 << 20) return;
  char error[300] = "";
  mjVFS vfs;
  open_files(&vfs, bytes, size);
  mjSpec* spec = mj_parseXML("fuzz.xml", &vfs, error, sizeof(error));
  if (!spec && !*error) abort();
  if (spec) {
    hurry(spec);
    mjModel* m = mj_compile(spec, &vfs);
    if (!m && !*mjs_getError(spec)) abort();
    if (m) save(spec, m);
    mj_deleteModel(m);
  }
  mj_deleteSpec(spec);
  mj_deleteVFS(&vfs);
}

// The root decides that a file is URDF, whatever it is called.
void feed_urdf(const uint8_t* bytes, size_t size) {
  feed_mjcf(bytes, size);
  feed_model(bytes, size);
}
