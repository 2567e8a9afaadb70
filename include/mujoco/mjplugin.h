// Extension points: resource providers, decoders and engine plugins.

#ifndef MUJOCO_MJPLUGIN_H_
#define MUJOCO_MJPLUGIN_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjspec.h>
#include <mujoco/mjtnum.h>
#include <mujoco/mjvisualize.h>

struct mjpResourceProvider;

typedef struct mjResource_ {                   // something that can be opened and read like a file
  char* name;                                  // full name, scheme or path included
  void* data;                                  // owned by the provider
  mjVFS* vfs;                                  // file system it was opened in
  char timestamp[512];                         // when or in which version it was opened
  const struct mjpResourceProvider* provider;  // who serves it
} mjResource;

typedef int (*mjfOpenResource)(mjResource* resource);                       // 0: failure
typedef int (*mjfReadResource)(mjResource* resource, const void** buffer);  // bytes, -1: failure
typedef void (*mjfCloseResource)(mjResource* resource);   // frees what open allocated
typedef int (*mjfMountResource)(mjResource* resource);    // 0: failure
typedef int (*mjfUnmountResource)(mjResource* resource);  // 0: failure

// Sign of (resource's time - timestamp); 0: unchanged.
typedef int (*mjfResourceModified)(const mjResource* resource, const char* timestamp);

struct mjpResourceProvider {     // serves all resources whose name starts with a scheme
  const char* prefix;            // scheme, without the colon
  mjfOpenResource open;          // required
  mjfReadResource read;          // required
  mjfCloseResource close;        // required
  mjfMountResource mount;        // when mounted into a virtual file system
  mjfUnmountResource unmount;    // when unmounted from it
  mjfResourceModified modified;  // optional
  void* data;                    // for the provider's own use
};
typedef struct mjpResourceProvider mjpResourceProvider;

typedef mjSpec* (*mjfDecode)(mjResource* resource, const mjVFS* vfs);  // caller owns the spec
typedef int (*mjfCanDecode)(const mjResource* resource);               // nonzero: yes

struct mjpDecoder {          // turns resources of a format into specs
  const char* content_type;  // such as "model/obj"; one text, not a list
  const char* extension;     // such as ".obj"; several are separated by |
  mjfCanDecode can_decode;   // a quick look
  mjfDecode decode;          // the work
};
typedef struct mjpDecoder mjpDecoder;

// clang-format off
typedef enum mjtPluginCapabilityBit_ {  // what a plugin computes
  mjPLUGIN_ACTUATOR = 1 << 0,           // forces of actuators
  mjPLUGIN_SENSOR   = 1 << 1,           // sensor readings
  mjPLUGIN_PASSIVE  = 1 << 2,           // forces that need no control
  mjPLUGIN_SDF      = 1 << 3,           // signed distances
} mjtPluginCapabilityBit;
// clang-format on

typedef struct mjpPlugin_ {  // an engine plugin: a table of callbacks, one instance per use
  const char* name;          // unique name

  int nattribute;                 // number of attributes it can be configured with
  const char* const* attributes;  // their names

  int capabilityflags;  // bits of mjtPluginCapabilityBit
  int needstage;        // stage its sensors wait for (mjtStage)

  // size of one instance's state in mjData.plugin_state; required
  int (*nstate)(const mjModel* m, int instance);

  // numbers that one sensor of it writes; required of sensor plugins
  int (*nsensordata)(const mjModel* m, int instance, int sensor_id);

  // an mjData is made; required; 0: fine, -1: failed
  int (*init)(const mjModel* m, mjData* d, int instance);

  // an mjData is deleted
  void (*destroy)(mjData* d, int instance);

  // an mjData is copied
  void (*copy)(mjData* dest, const mjModel* m, const mjData* src, int instance);

  // an mjData is reset; required
  void (*reset)(const mjModel* m, mjtNum* plugin_state, void* plugin_data, int instance);

  // outputs are wanted; required
  void (*compute)(const mjModel* m, mjData* d, int instance, int capability_bit);

  // time moves on by one step
  void (*advance)(const mjModel* m, mjData* d, int instance);

  // a scene is being made
  void (*visualize)(const mjModel* m, mjData* d, const mjvOption* opt, mjvScene* scn, int instance);

  // activation derivatives are wanted: after the built-in ones, before compute
  void (*actuator_act_dot)(const mjModel* m, mjData* d, int instance);

  // signed distance and its gradient at a point, in local coordinates
  mjtNum (*sdf_distance)(const mjtNum point[3], const mjData* d, int instance);
  void (*sdf_gradient)(mjtNum gradient[3], const mjtNum point[3], const mjData* d, int instance);

  // the same distance while a model is compiled; attribute texts to numbers; bounding box
  mjtNum (*sdf_staticdistance)(const mjtNum point[3], const mjtNum* attributes);
  void (*sdf_attribute)(mjtNum attribute[], const char* name[], const char* value[]);
  void (*sdf_aabb)(mjtNum aabb[6], const mjtNum* attributes);
} mjpPlugin;

typedef struct mjSDF_ {      // a pair of signed distance functions to be combined
  const mjpPlugin** plugin;  // plugin of each side
  int* id;                   // instance of each side
  mjtSDFType type;           // how they are combined
  mjtNum* relpos;            // position of the second in the first
  mjtNum* relmat;            // orientation of the second in the first
  mjtGeom* geomtype;         // geom type of each side
} mjSDF;

// Opens the function that a plugin library runs when it is loaded.
#if defined(__GNUC__) || defined(__clang__)
#define mjPLUGIN_LIB_INIT __attribute__((constructor)) static void _mjplugin_init(void)
#endif

// Told by mj_loadAllPluginLibraries: file, first new slot (-1: none), number of new plugins.
typedef void (*mjfPluginLibraryLoadCallback)(const char* filename, int first, int count);

#endif  // MUJOCO_MJPLUGIN_H_
