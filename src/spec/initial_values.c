// Built-in values of the elements: what a class `main` starts from. Everything that is not named is
// zero; NaN says "not given".

#include <math.h>

#include "spec/kinds.h"

// clang-format off
#define SOLREF {0.02, 1}
#define SOLIMP {0.9, 0.95, 0.001, 0.5, 2}
#define IDENTITY {1, 0, 0, 0}
#define GREY {0.5f, 0.5f, 0.5f, 1}
// clang-format on

// Options and visual settings come from the functions that set them, in mjs_defaultSpec.
const mjSpec ct_initial_spec = {
    .compiler =
        {
            .autolimits = 1,
            .settotalmass = -1,
            .degree = 1,
            .eulerseq = {'x', 'y', 'z'},
            .usethread = 1,
            .inertiafromgeom = mjINERTIAFROMGEOM_AUTO,
            .inertiagrouprange = {0, mjNGROUP - 1},
        },
    .stat = {.meaninertia = NAN, .meanmass = NAN, .meansize = NAN, .extent = NAN, .center = {NAN}},
    .memory = -1,
    .nuser_body = -1,
    .nuser_jnt = -1,
    .nuser_geom = -1,
    .nuser_site = -1,
    .nuser_cam = -1,
    .nuser_tendon = -1,
    .nuser_actuator = -1,
    .nuser_sensor = -1,
    .njmax = -1,
    .nconmax = -1,
    .nstack = -1,
};

const mjsBody ct_initial_body = {
    .quat = IDENTITY, .ipos = {NAN}, .iquat = IDENTITY, .fullinertia = {NAN}};

const mjsFrame ct_initial_frame = {.quat = IDENTITY};

const mjsJoint ct_initial_joint = {
    .type = mjJNT_HINGE,
    .axis = {0, 0, 1},
    .align = mjALIGNFREE_AUTO,
    .limited = mjLIMITED_AUTO,
    .solref_limit = SOLREF,
    .solimp_limit = SOLIMP,
    .actfrclimited = mjLIMITED_AUTO,
    .solref_friction = SOLREF,
    .solimp_friction = SOLIMP,
};

const mjsGeom ct_initial_geom = {
    .type = mjGEOM_SPHERE,
    .quat = IDENTITY,
    .fromto = {NAN},
    .contype = 1,
    .conaffinity = 1,
    .condim = 3,
    .friction = {1, 0.005, 0.0001},
    .solmix = 1,
    .solref = SOLREF,
    .solimp = SOLIMP,
    .mass = NAN,
    .density = 1000,
    .fluid_coefs = {0.5, 0.25, 1.5, 1, 1},
    .rgba = GREY,
    .fitscale = 1,
};

const mjsSite ct_initial_site = {
    .quat = IDENTITY,
    .fromto = {NAN},
    .size = {0.005, 0.005, 0.005},
    .type = mjGEOM_SPHERE,
    .rgba = GREY,
};

const mjsCamera ct_initial_camera = {
    .quat = IDENTITY,
    .mode = mjCAMLIGHT_FIXED,
    .proj = mjPROJ_PERSPECTIVE,
    .resolution = {1, 1},
    .output = mjCAMOUT_RGB,
    .fovy = 45,
    .ipd = 0.068,
};

const mjsLight ct_initial_light = {
    .dir = {0, 0, -1},
    .mode = mjCAMLIGHT_FIXED,
    .active = 1,
    .type = mjLIGHT_SPOT,
    .castshadow = 1,
    .bulbradius = 0.02f,
    .range = 10,
    .attenuation = {1, 0, 0},
    .cutoff = 45,
    .exponent = 10,
    .diffuse = {0.7f, 0.7f, 0.7f},
    .specular = {0.3f, 0.3f, 0.3f},
};

const mjsFlex ct_initial_flex = {
    .contype = 1,
    .conaffinity = 1,
    .condim = 3,
    .friction = {1, 0.005, 0.0001},
    .solmix = 1,
    .solref = SOLREF,
    .solimp = SOLIMP,
    .dim = 2,
    .radius = 0.005,
    .selfcollide = mjFLEXSELF_AUTO,
    .activelayers = 1,
    .rgba = GREY,
    .thickness = -1,
};

const mjsMesh ct_initial_mesh = {
    .refquat = IDENTITY,
    .scale = {1, 1, 1},
    .inertia = mjMESH_INERTIA_LEGACY,
    .maxhullvert = -1,
};

const mjsHField ct_initial_hfield = {.element = NULL};

const mjsSkin ct_initial_skin = {.rgba = GREY};

const mjsTexture ct_initial_texture = {
    .type = mjTEXTURE_CUBE,
    .colorspace = mjCOLORSPACE_AUTO,
    .builtin = mjBUILTIN_NONE,
    .rgb1 = {0.8, 0.8, 0.8},
    .rgb2 = {0.5, 0.5, 0.5},
    .random = 0.01,
    .nchannel = 3,
    .gridsize = {1, 1},
    .gridlayout = {'.', '.', '.', '.', '.', '.', '.', '.', '.', '.', '.', '.'},
};

const mjsMaterial ct_initial_material = {
    .texrepeat = {1, 1},
    .specular = 0.5f,
    .shininess = 0.5f,
    .metallic = -1,
    .roughness = -1,
    .rgba = {1, 1, 1, 1},
};

const mjsPair ct_initial_pair = {
    .condim = 3,
    .solref = SOLREF,
    .solimp = SOLIMP,
    .friction = {1, 1, 0.005, 0.0001, 0.0001},
};

const mjsExclude ct_initial_exclude = {.element = NULL};

const mjsEquality ct_initial_equality = {
    .type = mjEQ_CONNECT,
    .data = {[1] = 1, [10] = 1},
    .active = 1,
    .solref = SOLREF,
    .solimp = SOLIMP,
};

// Unlike a joint's, the actuator force range of a tendon has to be switched on: the reference's
// choice.
const mjsTendon ct_initial_tendon = {
    .springlength = {-1, -1},
    .solref_friction = SOLREF,
    .solimp_friction = SOLIMP,
    .limited = mjLIMITED_AUTO,
    .actfrclimited = mjLIMITED_FALSE,
    .solref_limit = SOLREF,
    .solimp_limit = SOLIMP,
    .width = 0.003,
    .rgba = GREY,
};

const mjsWrap ct_initial_wrap = {.element = NULL};

const mjsActuator ct_initial_actuator = {
    .gaintype = mjGAIN_FIXED,
    .gainprm = {1},
    .biastype = mjBIAS_NONE,
    .dyntype = mjDYN_NONE,
    .dynprm = {1},
    .actdim = -1,
    .trntype = mjTRN_UNDEFINED,
    .gear = {1},
    .ctrllimited = mjLIMITED_AUTO,
    .forcelimited = mjLIMITED_AUTO,
    .actlimited = mjLIMITED_AUTO,
};

const mjsSensor ct_initial_sensor = {
    .type = mjSENS_TOUCH, .datatype = mjDATATYPE_REAL, .needstage = mjSTAGE_ACC};

const mjsNumeric ct_initial_numeric = {.element = NULL};
const mjsText ct_initial_text = {.element = NULL};
const mjsTuple ct_initial_tuple = {.element = NULL};
const mjsKey ct_initial_key = {.element = NULL};
const mjsPlugin ct_initial_plugin = {.element = NULL};

void mjs_defaultSpec(mjSpec* spec) {
  if (!spec) return;
  *spec = ct_initial_spec;
  mj_defaultLROpt(&spec->compiler.LRopt);
  mj_defaultOption(&spec->option);
  mj_defaultVisual(&spec->visual);
}

void mjs_defaultOrientation(mjsOrientation* orient) {
  static const mjsOrientation none = {.type = mjORIENTATION_QUAT};
  if (orient) *orient = none;
}

#define DEFAULT_FUNCTION(struct_, name_)           \
  void mjs_default##struct_(mjs##struct_* name_) { \
    if (name_) *name_ = ct_initial_##name_;        \
  }

DEFAULT_FUNCTION(Body, body)
DEFAULT_FUNCTION(Frame, frame)
DEFAULT_FUNCTION(Joint, joint)
DEFAULT_FUNCTION(Geom, geom)
DEFAULT_FUNCTION(Site, site)
DEFAULT_FUNCTION(Camera, camera)
DEFAULT_FUNCTION(Light, light)
DEFAULT_FUNCTION(Flex, flex)
DEFAULT_FUNCTION(Mesh, mesh)
DEFAULT_FUNCTION(HField, hfield)
DEFAULT_FUNCTION(Skin, skin)
DEFAULT_FUNCTION(Texture, texture)
DEFAULT_FUNCTION(Material, material)
DEFAULT_FUNCTION(Pair, pair)
DEFAULT_FUNCTION(Equality, equality)
DEFAULT_FUNCTION(Tendon, tendon)
DEFAULT_FUNCTION(Actuator, actuator)
DEFAULT_FUNCTION(Sensor, sensor)
DEFAULT_FUNCTION(Numeric, numeric)
DEFAULT_FUNCTION(Text, text)
DEFAULT_FUNCTION(Tuple, tuple)
DEFAULT_FUNCTION(Key, key)
DEFAULT_FUNCTION(Plugin, plugin)
