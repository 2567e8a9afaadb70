// R30.5: files of assets from anywhere: meshes, flexes, pictures, height fields, skins. Whatever is
// read becomes part of a model, in every way an attribute may ask for.

#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/feed.h"
#include "plugins.h"

// One model with the bytes as the file of one asset; `asset` is its element and attributes.
static void load(const char* file, const char* asset, const uint8_t* bytes, size_t size) {
  if (size == 0 || size > 1 << 20) return;
  char xml[500], error[500] = "";
  snprintf(xml, sizeof(xml),
           "<mujoco><asset><%s name='a' file='%s'/></asset><worldbody>%s</worldbody></mujoco>",
           asset, file, strncmp(asset, "mesh", 4) ? "" : "<geom type='mesh' mesh='a'/>");
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, file, bytes, (int)size);
  mj_addBufferVFS(&vfs, "model.xml", xml, (int)strlen(xml));
  mjModel* m = mj_loadXML("model.xml", &vfs, error, sizeof(error));
  if (!m && !*error) abort();
  mj_deleteModel(m);
  mj_deleteVFS(&vfs);
}

// The last byte chooses among the ways to use the file: it is the one that readers look at least.
static const char* way(const char* const* ways, int n, const uint8_t* bytes, size_t size) {
  return ways[size ? bytes[size - 1] % n : 0];
}

static const char* const mesh_ways[] = {
    "mesh",
    "mesh scale='-1 1 2' inertia='exact'",
    "mesh inertia='shell' smoothnormal='true'",
    "mesh inertia='convex' maxhullvert='6'",
};

// The same file as a model, by the decoder of the plugins.
static void decode(const char* file, const uint8_t* bytes, size_t size) {
  if (size == 0 || size > 1 << 20) return;
  char error[500] = "";
  register_stl();
  register_obj();
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, file, bytes, (int)size);
  mjSpec* spec = mj_parse(file, NULL, &vfs, error, sizeof(error));
  if (!spec && !*error) abort();
  if (spec) {
    mj_deleteModel(mj_compile(spec, NULL));
    mj_deleteSpec(spec);
  }
  mj_deleteVFS(&vfs);
}

void feed_stl(const uint8_t* bytes, size_t size) {
  load("f.stl", way(mesh_ways, 4, bytes, size), bytes, size);
  decode("f.stl", bytes, size);
}

void feed_obj(const uint8_t* bytes, size_t size) {
  load("f.obj", way(mesh_ways, 4, bytes, size), bytes, size);
  decode("f.obj", bytes, size);
}

void feed_msh(const uint8_t* bytes, size_t size) {
  load("f.msh", way(mesh_ways, 4, bytes, size), bytes, size);
}

// The points of a flex; meshes of STL and OBJ files go the same way once they are read.
void feed_gmsh(const uint8_t* bytes, size_t size) {
  if (size == 0 || size > 1 << 20) return;
  static const char xml[] =
      "<mujoco><worldbody><flexcomp name='a' type='gmsh' rigid='true' file='f.msh'>"
      "<elasticity young='1' poisson='.2'/></flexcomp></worldbody></mujoco>";
  char error[500] = "";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "f.msh", bytes, (int)size);
  mj_addBufferVFS(&vfs, "model.xml", xml, (int)strlen(xml));
  mjModel* m = mj_loadXML("model.xml", &vfs, error, sizeof(error));
  if (!m && !*error) abort();
  mj_deleteModel(m);
  mj_deleteVFS(&vfs);
}

void feed_png(const uint8_t* bytes, size_t size) {
  static const char* const ways[] = {
      "texture type='2d' nchannel='4'",
      "texture type='skybox'",
      "texture type='cube' gridsize='3 4' gridlayout='.U..LFRB.D..'",
      "hfield size='1 1 1 1'",
  };
  load("f.png", way(ways, 4, bytes, size), bytes, size);
}

void feed_raw(const uint8_t* bytes, size_t size) {
  static const char* const ways[] = {
      "texture type='2d'",
      "texture type='cube' nchannel='4'",
      "texture type='cube' gridsize='3 4' gridlayout='.U..LFRB.D..'",
  };
  load("f.bin", way(ways, 3, bytes, size), bytes, size);
}

void feed_hfield(const uint8_t* bytes, size_t size) {
  load("f.bin", "hfield size='1 1 1 1'", bytes, size);
}

void feed_skin(const uint8_t* bytes, size_t size) {
  load("f.skn", "skin", bytes, size);
}
