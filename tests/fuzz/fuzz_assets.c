// R30.5: files of assets from anywhere. The first byte says what the others are: a mesh (STL, OBJ,
// MSH), a picture (PNG or raw) as texture or height field, a skin. Whatever is read becomes part of
// a model.

#include <mujoco/mujoco.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

int LLVMFuzzerInitialize(int* argc, char*** argv);
int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

static void ignore(const char* message) {
  (void)message;
}

int LLVMFuzzerInitialize(int* argc, char*** argv) {
  (void)argc, (void)argv;
  mju_user_error = mju_user_warning = ignore;
  return 0;
}

static const char* const asset[][2] = {
    {"f.stl", "mesh"},
    {"f.obj", "mesh"},
    {"f.obj", "mesh scale='-1 1 1' inertia='exact'"},
    {"f.msh", "mesh inertia='shell'"},
    {"f.png", "texture type='2d' nchannel='4'"},
    {"f.bin", "texture type='cube' gridsize='3 4' gridlayout='.U..LFRB.D..'"},
    {"f.png", "hfield size='1 1 1 1'"},
    {"f.bin", "hfield size='1 1 1 1'"},
    {"f.skn", "skin"},
};

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  if (size < 2) return 0;
  const char* const* chosen = asset[bytes[0] % (sizeof(asset) / sizeof(asset[0]))];
  char xml[500], error[500];
  snprintf(xml, sizeof(xml),
           "<mujoco><asset><%s name='a' file='%s'/></asset><worldbody>%s</worldbody></mujoco>",
           chosen[1], chosen[0],
           strncmp(chosen[1], "mesh", 4) ? "" : "<geom type='mesh' mesh='a'/>");
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, chosen[0], bytes + 1, (int)size - 1);
  mj_addBufferVFS(&vfs, "model.xml", xml, (int)strlen(xml));
  mjModel* m = mj_loadXML("model.xml", &vfs, error, sizeof(error));
  mj_deleteModel(m);
  mj_deleteVFS(&vfs);
  return 0;
}
