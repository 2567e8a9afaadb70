// The model: constants, enums, options and mjModel itself, which a compiler fills and a simulation
// reads. Fields of type int that hold a value of an enum say which one.

#ifndef MUJOCO_MJMODEL_H_
#define MUJOCO_MJMODEL_H_

#include <stddef.h>
#include <stdint.h>

#include <mujoco/mjtnum.h>

// clang-format off
#define mjPI           3.14159265358979323846  // circle constant
#define mjMAXVAL       1E+10                   // numbers of a state beyond it are bad
#define mjMINMU        1E-5                    // friction coefficients are at least this
#define mjMINIMP       0.0001                  // constraint impedances are at least this
#define mjMAXIMP       0.9999                  // constraint impedances are at most this
#define mjMAXCONPAIR   50                      // contacts that one pair of geoms may have
#define mjMAXTREEDEPTH 50                      // levels of a bounding volume hierarchy
#define mjMAXFLEXNODES 27                      // control points of an interpolated flex
#define mjMINAWAKE     10                      // slow steps before a tree falls asleep
#define mjNEQDATA      11                      // numbers in eq_data, per equality
#define mjNDYN         10                      // numbers in actuator_dynprm, per actuator
#define mjNGAIN        10                      // numbers in actuator_gainprm, per actuator
#define mjNBIAS        10                      // numbers in actuator_biasprm, per actuator
#define mjNFLUID       12                      // numbers in geom_fluid, per geom
#define mjNREF         2                       // numbers in a solref
#define mjNIMP         5                       // numbers in a solimp
#define mjNSENS        3                       // numbers in sensor_intprm, per sensor
#define mjNSOLVER      200                     // solver iterations that are recorded, per island
#define mjNISLAND      20                      // islands with recorded solver iterations

typedef enum mjtDisableBit_ {     // mjOption.disableflags: what a step leaves out
  mjDSBL_CONSTRAINT   = 1 << 0,   // all constraints
  mjDSBL_EQUALITY     = 1 << 1,   // equalities
  mjDSBL_FRICTIONLOSS = 1 << 2,   // friction loss of joints and tendons
  mjDSBL_LIMIT        = 1 << 3,   // limits of joints and tendons
  mjDSBL_CONTACT      = 1 << 4,   // collision detection and contacts
  mjDSBL_SPRING       = 1 << 5,   // springs of joints, tendons and flexes
  mjDSBL_DAMPER       = 1 << 6,   // dampers of joints, tendons and flexes
  mjDSBL_GRAVITY      = 1 << 7,   // gravity
  mjDSBL_CLAMPCTRL    = 1 << 8,   // clamping of controls to their range
  mjDSBL_WARMSTART    = 1 << 9,   // starting the solver from the last solution
  mjDSBL_FILTERPARENT = 1 << 10,  // the rule that a body does not collide with its parent
  mjDSBL_ACTUATION    = 1 << 11,  // actuator forces
  mjDSBL_REFSAFE      = 1 << 12,  // keeping solref[0] at two steps or more
  mjDSBL_SENSOR       = 1 << 13,  // sensor readings
  mjDSBL_MIDPHASE     = 1 << 14,  // bounding volume trees between broad and narrow phase
  mjDSBL_EULERDAMP    = 1 << 15,  // implicit joint damping in Euler
  mjDSBL_AUTORESET    = 1 << 16,  // reset when a state turns bad
  mjDSBL_NATIVECCD    = 1 << 17,  // native convex collision; the older algorithm is used
  mjDSBL_ISLAND       = 1 << 18,  // solving islands one by one
  mjNDISABLE          = 19,       // number of bits
} mjtDisableBit;

typedef enum mjtEnableBit_ {    // mjOption.enableflags: what a step does in addition
  mjENBL_OVERRIDE    = 1 << 0,  // contact parameters come from mjOption.o_*
  mjENBL_ENERGY      = 1 << 1,  // potential and kinetic energy
  mjENBL_FWDINV      = 1 << 2,  // compares forward with inverse dynamics: solver_fwdinv
  mjENBL_INVDISCRETE = 1 << 3,  // inverse dynamics of discrete steps
  mjENBL_MULTICCD    = 1 << 4,  // several contacts per convex pair
  mjENBL_SLEEP       = 1 << 5,  // trees at rest fall asleep
  mjNENABLE          = 6,       // number of bits
} mjtEnableBit;

typedef enum mjtJoint_ {  // kinds of joint, with coordinates and dofs
  mjJNT_FREE  = 0,        // pose, global (7, 6)
  mjJNT_BALL  = 1,        // rotation about a point (4, 3)
  mjJNT_SLIDE = 2,        // translation along an axis (1, 1)
  mjJNT_HINGE = 3,        // rotation about an axis (1, 1)
} mjtJoint;

typedef enum mjtGeom_ {     // shapes: those of models, then those of scenes only
  mjGEOM_PLANE     = 0,     // half space below z = 0
  mjGEOM_HFIELD    = 1,     // height field over a rectangle
  mjGEOM_SPHERE    = 2,     // ball
  mjGEOM_CAPSULE   = 3,     // cylinder along z with half balls at its ends
  mjGEOM_ELLIPSOID = 4,     // ellipsoid along its axes
  mjGEOM_CYLINDER  = 5,     // cylinder along z
  mjGEOM_BOX       = 6,     // box along its axes
  mjGEOM_MESH      = 7,     // triangle mesh, or its convex hull
  mjGEOM_SDF       = 8,     // signed distance function of a plugin or mesh
  mjNGEOMTYPES     = 9,     // number of shapes that a model can have
  mjGEOM_ARROW     = 100,   // arrow along z
  mjGEOM_ARROW1    = 101,   // arrow along z, tip no wider than the shaft
  mjGEOM_ARROW2    = 102,   // arrow with a tip at both ends
  mjGEOM_LINE      = 103,   // line along z
  mjGEOM_LINEBOX   = 104,   // edges of a box
  mjGEOM_FLEX      = 105,   // flex, drawn from mjvScene.flex*
  mjGEOM_SKIN      = 106,   // skin, drawn from mjvScene.skin*
  mjGEOM_LABEL     = 107,   // text without a shape
  mjGEOM_TRIANGLE  = 108,   // triangle
  mjGEOM_NONE      = 1001,  // no shape
} mjtGeom;

typedef enum mjtProjection_ {  // how a camera maps the world
  mjPROJ_PERSPECTIVE  = 0,     // rays through one point
  mjPROJ_ORTHOGRAPHIC = 1,     // parallel rays
} mjtProjection;

typedef enum mjtCamLight_ {      // how a camera or light follows bodies
  mjCAMLIGHT_FIXED         = 0,  // moves and turns with its body
  mjCAMLIGHT_TRACK         = 1,  // moves with its body, keeps its orientation in the world
  mjCAMLIGHT_TRACKCOM      = 2,  // likewise, with the centre of mass of the subtree
  mjCAMLIGHT_TARGETBODY    = 3,  // position as fixed; points at the target body
  mjCAMLIGHT_TARGETBODYCOM = 4,  // position as fixed; points at the target's subtree centre
} mjtCamLight;

typedef enum mjtLightType_ {  // kinds of light
  mjLIGHT_SPOT        = 0,    // cone with an edge
  mjLIGHT_DIRECTIONAL = 1,    // parallel rays
  mjLIGHT_POINT       = 2,    // in all directions
  mjLIGHT_IMAGE       = 3,    // picture of the surroundings
} mjtLightType;

typedef enum mjtTexture_ {  // how a texture covers a shape
  mjTEXTURE_2D     = 0,     // flat picture
  mjTEXTURE_CUBE   = 1,     // six faces around the object
  mjTEXTURE_SKYBOX = 2,     // six faces around the scene
} mjtTexture;

typedef enum mjtTextureRole_ {  // what a texture of a material holds
  mjTEXROLE_USER      = 0,      // left to the user
  mjTEXROLE_RGB       = 1,      // base colour
  mjTEXROLE_OCCLUSION = 2,      // how much the surroundings shade it
  mjTEXROLE_ROUGHNESS = 3,      // roughness
  mjTEXROLE_METALLIC  = 4,      // metalness
  mjTEXROLE_NORMAL    = 5,      // normals in tangent space
  mjTEXROLE_OPACITY   = 6,      // opacity
  mjTEXROLE_EMISSIVE  = 7,      // light that the surface emits
  mjTEXROLE_RGBA      = 8,      // base colour and opacity
  mjTEXROLE_ORM       = 9,      // occlusion, roughness and metalness in one picture
  mjNTEXROLE          = 10,     // number of roles
} mjtTextureRole;

typedef enum mjtColorSpace_ {  // how the bytes of a texture are meant
  mjCOLORSPACE_AUTO   = 0,     // as its file says, otherwise linear
  mjCOLORSPACE_LINEAR = 1,     // proportional to light
  mjCOLORSPACE_SRGB   = 2,     // with the sRGB curve
} mjtColorSpace;

typedef enum mjtIntegrator_ {  // ways to advance the state by one step
  mjINT_EULER        = 0,      // semi-implicit Euler, joint damping implicit
  mjINT_RK4          = 1,      // Runge-Kutta of fourth order
  mjINT_IMPLICIT     = 2,      // velocity derivatives of all forces, Coriolis included
  mjINT_IMPLICITFAST = 3,      // the same without Coriolis, symmetric
} mjtIntegrator;

typedef enum mjtCone_ {  // friction cones
  mjCONE_PYRAMIDAL = 0,  // a pyramid of 2 (dim - 1) edges
  mjCONE_ELLIPTIC  = 1,  // the exact cone
} mjtCone;

typedef enum mjtJacobian_ {  // storage of constraint Jacobians
  mjJAC_DENSE  = 0,          // full matrices
  mjJAC_SPARSE = 1,          // compressed rows
  mjJAC_AUTO   = 2,          // sparse from 60 dofs on, otherwise dense
} mjtJacobian;

typedef enum mjtSolver_ {  // algorithms for constraint forces
  mjSOL_PGS    = 0,        // projected Gauss-Seidel over forces
  mjSOL_CG     = 1,        // nonlinear conjugate gradients over accelerations
  mjSOL_NEWTON = 2,        // Newton's method over accelerations
} mjtSolver;

typedef enum mjtEq_ {  // kinds of equality constraint
  mjEQ_CONNECT  = 0,   // a point of one body at a point of another
  mjEQ_WELD     = 1,   // a pose of one body at a pose of another
  mjEQ_JOINT    = 2,   // a polynomial between two joints
  mjEQ_TENDON   = 3,   // a polynomial between two tendons
  mjEQ_FLEX     = 4,   // edge lengths of a flex stay as they were
  mjEQ_FLEXVERT = 5,   // two invariants of the strain at each vertex of a flex stay zero
  mjEQ_DISTANCE = 6,   // two sites at a distance; corten's own, the reference refuses it
} mjtEq;

typedef enum mjtWrap_ {  // parts of a tendon's path
  mjWRAP_NONE     = 0,   // nothing
  mjWRAP_JOINT    = 1,   // a joint with a coefficient (fixed tendons)
  mjWRAP_PULLEY   = 2,   // a pulley: what follows is divided
  mjWRAP_SITE     = 3,   // a site to pass through
  mjWRAP_SPHERE   = 4,   // a ball to bend around
  mjWRAP_CYLINDER = 5,   // a cylinder to bend around
} mjtWrap;

typedef enum mjtTrn_ {         // what an actuator acts on
  mjTRN_JOINT         = 0,     // a joint, force in the child's axes
  mjTRN_JOINTINPARENT = 1,     // a joint, force in the parent's axes
  mjTRN_SLIDERCRANK   = 2,     // a slider-crank
  mjTRN_TENDON        = 3,     // a tendon
  mjTRN_SITE          = 4,     // a site, force and torque by its axes
  mjTRN_BODY          = 5,     // a body: pushes or pulls at its contacts
  mjTRN_UNDEFINED     = 1000,  // not set yet
} mjtTrn;

typedef enum mjtDyn_ {    // how activations follow controls
  mjDYN_NONE        = 0,  // no activation
  mjDYN_INTEGRATOR  = 1,  // activation' = control
  mjDYN_FILTER      = 2,  // low-pass, integrated by Euler
  mjDYN_FILTEREXACT = 3,  // low-pass, integrated exactly
  mjDYN_MUSCLE      = 4,  // rise and fall times of a muscle
  mjDYN_USER        = 5,  // mjcb_act_dyn
} mjtDyn;

typedef enum mjtGain_ {  // gain of an actuator's force
  mjGAIN_FIXED  = 0,     // a constant
  mjGAIN_AFFINE = 1,     // affine in length and velocity
  mjGAIN_MUSCLE = 2,     // force-length-velocity curve of a muscle
  mjGAIN_USER   = 3,     // mjcb_act_gain
} mjtGain;

typedef enum mjtBias_ {  // part of an actuator's force that no control scales
  mjBIAS_NONE   = 0,     // nothing
  mjBIAS_AFFINE = 1,     // affine in length and velocity
  mjBIAS_MUSCLE = 2,     // passive force of a muscle
  mjBIAS_USER   = 3,     // mjcb_act_bias
} mjtBias;

typedef enum mjtObj_ {   // kinds of object, as in mj_name2id
  mjOBJ_UNKNOWN  = 0,    // none
  mjOBJ_BODY     = 1,    // body, taken at its inertial frame
  mjOBJ_XBODY    = 2,    // body, taken at its own frame
  mjOBJ_JOINT    = 3,    // joint
  mjOBJ_DOF      = 4,    // degree of freedom
  mjOBJ_GEOM     = 5,    // geom
  mjOBJ_SITE     = 6,    // site
  mjOBJ_CAMERA   = 7,    // camera
  mjOBJ_LIGHT    = 8,    // light
  mjOBJ_FLEX     = 9,    // flex
  mjOBJ_MESH     = 10,   // mesh
  mjOBJ_SKIN     = 11,   // skin
  mjOBJ_HFIELD   = 12,   // height field
  mjOBJ_TEXTURE  = 13,   // texture
  mjOBJ_MATERIAL = 14,   // material
  mjOBJ_PAIR     = 15,   // contact parameters of a geom pair
  mjOBJ_EXCLUDE  = 16,   // body pair without contacts
  mjOBJ_EQUALITY = 17,   // equality
  mjOBJ_TENDON   = 18,   // tendon
  mjOBJ_ACTUATOR = 19,   // actuator
  mjOBJ_SENSOR   = 20,   // sensor
  mjOBJ_NUMERIC  = 21,   // named numbers
  mjOBJ_TEXT     = 22,   // named text
  mjOBJ_TUPLE    = 23,   // named list of objects
  mjOBJ_KEY      = 24,   // keyframe
  mjOBJ_PLUGIN   = 25,   // instance of a plugin
  mjNOBJECT      = 26,   // number of kinds in a model
  mjOBJ_FRAME    = 100,  // frame; spec only
  mjOBJ_DEFAULT  = 101,  // default class; spec only
  mjOBJ_MODEL    = 102,  // a whole spec; spec only
} mjtObj;

typedef enum mjtSensor_ {      // kinds of sensor, with what they read and in which frame
  mjSENS_TOUCH          = 0,   // normal force of the contacts inside a site
  mjSENS_ACCELEROMETER  = 1,   // acceleration without gravity, site axes
  mjSENS_VELOCIMETER    = 2,   // velocity, site axes
  mjSENS_GYRO           = 3,   // angular velocity, site axes
  mjSENS_FORCE          = 4,   // force from the parent, site axes
  mjSENS_TORQUE         = 5,   // torque from the parent, site axes
  mjSENS_MAGNETOMETER   = 6,   // magnetic field, site axes
  mjSENS_RANGEFINDER    = 7,   // distances along the rays of a site or camera
  mjSENS_CAMPROJECTION  = 8,   // pixel at which a camera sees a site
  mjSENS_JOINTPOS       = 9,   // position of a slide or hinge joint
  mjSENS_JOINTVEL       = 10,  // velocity of a slide or hinge joint
  mjSENS_TENDONPOS      = 11,  // length of a tendon
  mjSENS_TENDONVEL      = 12,  // velocity of a tendon
  mjSENS_ACTUATORPOS    = 13,  // length of an actuator's transmission
  mjSENS_ACTUATORVEL    = 14,  // velocity of an actuator's transmission
  mjSENS_ACTUATORFRC    = 15,  // force of an actuator
  mjSENS_JOINTACTFRC    = 16,  // force of all actuators on a joint
  mjSENS_TENDONACTFRC   = 17,  // force of all actuators on a tendon
  mjSENS_BALLQUAT       = 18,  // quaternion of a ball joint
  mjSENS_BALLANGVEL     = 19,  // angular velocity of a ball joint
  mjSENS_JOINTLIMITPOS  = 20,  // distance of a joint from its limit, less the margin
  mjSENS_JOINTLIMITVEL  = 21,  // rate of that distance
  mjSENS_JOINTLIMITFRC  = 22,  // force of a joint's limit
  mjSENS_TENDONLIMITPOS = 23,  // distance of a tendon from its limit, less the margin
  mjSENS_TENDONLIMITVEL = 24,  // rate of that distance
  mjSENS_TENDONLIMITFRC = 25,  // force of a tendon's limit
  mjSENS_FRAMEPOS       = 26,  // position of an object, world or reference frame
  mjSENS_FRAMEQUAT      = 27,  // orientation of an object, likewise
  mjSENS_FRAMEXAXIS     = 28,  // x axis of an object, likewise
  mjSENS_FRAMEYAXIS     = 29,  // y axis of an object, likewise
  mjSENS_FRAMEZAXIS     = 30,  // z axis of an object, likewise
  mjSENS_FRAMELINVEL    = 31,  // linear velocity of an object, likewise
  mjSENS_FRAMEANGVEL    = 32,  // angular velocity of an object, likewise
  mjSENS_FRAMELINACC    = 33,  // linear acceleration of an object, world axes
  mjSENS_FRAMEANGACC    = 34,  // angular acceleration of an object, world axes
  mjSENS_SUBTREECOM     = 35,  // centre of mass of a subtree
  mjSENS_SUBTREELINVEL  = 36,  // velocity of that centre
  mjSENS_SUBTREEANGMOM  = 37,  // angular momentum about that centre
  mjSENS_INSIDESITE     = 38,  // 1 while an object is inside a site
  mjSENS_GEOMDIST       = 39,  // distance of two geoms or bodies
  mjSENS_GEOMNORMAL     = 40,  // direction from one to the other
  mjSENS_GEOMFROMTO     = 41,  // nearest points of both
  mjSENS_CONTACT        = 42,  // contacts that match two objects
  mjSENS_E_POTENTIAL    = 43,  // potential energy
  mjSENS_E_KINETIC      = 44,  // kinetic energy
  mjSENS_CLOCK          = 45,  // simulated time
  mjSENS_TACTILE        = 46,  // pressure and slip at the vertices of a mesh
  mjSENS_PLUGIN         = 47,  // whatever a plugin says
  mjSENS_USER           = 48,  // whatever mjcb_sensor says
} mjtSensor;

typedef enum mjtStage_ {  // what must be computed before a sensor is read
  mjSTAGE_NONE = 0,       // nothing
  mjSTAGE_POS  = 1,       // positions
  mjSTAGE_VEL  = 2,       // velocities
  mjSTAGE_ACC  = 3,       // accelerations and forces
} mjtStage;

typedef enum mjtDataType_ {   // what sensor readings are, for cutoff and noise
  mjDATATYPE_REAL       = 0,  // any number
  mjDATATYPE_POSITIVE   = 1,  // not negative
  mjDATATYPE_AXIS       = 2,  // unit vector
  mjDATATYPE_QUATERNION = 3,  // quaternion of length 1
} mjtDataType;

typedef enum mjtConDataField_ {  // what a contact sensor may report, bit numbers
  mjCONDATA_FOUND   = 0,         // how many contacts matched
  mjCONDATA_FORCE   = 1,         // force, contact frame
  mjCONDATA_TORQUE  = 2,         // torque, contact frame
  mjCONDATA_DIST    = 3,         // penetration, negative inside
  mjCONDATA_POS     = 4,         // position, world
  mjCONDATA_NORMAL  = 5,         // normal, world
  mjCONDATA_TANGENT = 6,         // first tangent, world
  mjNCONDATA        = 7,         // number of fields
} mjtConDataField;

typedef enum mjtRayDataField_ {  // what a rangefinder may report, bit numbers
  mjRAYDATA_DIST   = 0,          // distance along the ray, -1: no hit
  mjRAYDATA_DIR    = 1,          // direction of the ray, world
  mjRAYDATA_ORIGIN = 2,          // start of the ray, world
  mjRAYDATA_POINT  = 3,          // point that was hit, world
  mjRAYDATA_NORMAL = 4,          // normal of the surface there, world
  mjRAYDATA_DEPTH  = 5,          // distance along the camera's axis
  mjNRAYDATA       = 6,          // number of fields
} mjtRayDataField;

typedef enum mjtCamOutBit_ {  // pictures that a camera makes
  mjCAMOUT_RGB    = 1 << 0,   // colour
  mjCAMOUT_DEPTH  = 1 << 1,   // depth along the axis
  mjCAMOUT_DIST   = 1 << 2,   // distance along the pixel's ray
  mjCAMOUT_NORMAL = 1 << 3,   // normals of surfaces
  mjCAMOUT_SEG    = 1 << 4,   // ids of what is seen
  mjNCAMOUT       = 5,        // number of bits
} mjtCamOutBit;

typedef enum mjtSameFrame_ {   // which frame of its body an object shares
  mjSAMEFRAME_NONE       = 0,  // none
  mjSAMEFRAME_BODY       = 1,  // the body's own
  mjSAMEFRAME_INERTIA    = 2,  // the inertial one
  mjSAMEFRAME_BODYROT    = 3,  // orientation of the body's own
  mjSAMEFRAME_INERTIAROT = 4,  // orientation of the inertial one
} mjtSameFrame;

typedef enum mjtSleepPolicy_ {  // who may sleep, per tree
  mjSLEEP_AUTO         = 0,     // left to the compiler
  mjSLEEP_AUTO_NEVER   = 1,     // the compiler said no
  mjSLEEP_AUTO_ALLOWED = 2,     // the compiler said yes
  mjSLEEP_NEVER        = 3,     // the user said no
  mjSLEEP_ALLOWED      = 4,     // the user said yes
  mjSLEEP_INIT         = 5,     // the user said yes, and asleep from the start
} mjtSleepPolicy;

typedef enum mjtLRMode_ {   // actuators whose length range is computed
  mjLRMODE_NONE       = 0,  // none
  mjLRMODE_MUSCLE     = 1,  // muscles
  mjLRMODE_MUSCLEUSER = 2,  // muscles and user-defined gains or biases
  mjLRMODE_ALL        = 3,  // all
} mjtLRMode;

typedef enum mjtFlexSelf_ {  // how collisions of a flex with itself are found
  mjFLEXSELF_NONE   = 0,     // not at all
  mjFLEXSELF_NARROW = 1,     // every element pair
  mjFLEXSELF_BVH    = 2,     // bounding volume tree
  mjFLEXSELF_SAP    = 3,     // sweep and prune
  mjFLEXSELF_AUTO   = 4,     // tree for solids, sweep and prune otherwise
} mjtFlexSelf;

typedef enum mjtSDFType_ {     // how two signed distances make one
  mjSDFTYPE_SINGLE       = 0,  // the first alone
  mjSDFTYPE_INTERSECTION = 1,  // the larger of the two
  mjSDFTYPE_MIDSURFACE   = 2,  // their difference
  mjSDFTYPE_COLLISION    = 3,  // what the search for contacts descends
} mjtSDFType;
// clang-format on

typedef struct mjLROpt_ {  // how mj_setLengthRange finds ranges
  int mode;                // for which actuators: mjtLRMode
  int useexisting;         // keep ranges that are there already
  int uselimit;            // use the limits of joint or tendon where there are any
  mjtNum accel;            // acceleration that pulls towards either end
  mjtNum maxforce;         // cap on the force that gives it; 0: none
  mjtNum timeconst;        // time in which velocity dies out
  mjtNum timestep;         // simulated seconds per step
  mjtNum inttotal;         // simulated seconds at each end
  mjtNum interval;         // last seconds, in which the length must settle
  mjtNum tolrange;         // settled: change below this share of the range
} mjLROpt;

typedef struct mjCache_ {  // memory of assets that were read before
  void* impl_;             // private
} mjCache;

typedef struct mjVFS_ {  // files in memory, looked up before those on disk
  void* impl_;           // private
} mjVFS;

// clang-format off
// BEGIN generated settings by schema/generate from schema/settings.def
typedef struct mjOption_ {  // how a model is simulated; may change between steps
  mjtNum timestep;              // simulated seconds per step
  mjtNum impratio;              // how much stiffer friction is than the normal (elliptic cones)
  mjtNum tolerance;             // solver stops when an iteration gains less than this (scaled)
  mjtNum ls_tolerance;          // line search stops at this fraction of the first slope
  mjtNum noslip_tolerance;      // noslip pass stops when a sweep gains less than this (scaled)
  mjtNum ccd_tolerance;         // convex collision stops at this error of the distance
  mjtNum sleep_tolerance;       // trees whose velocities stay below this may fall asleep
  mjtNum gravity[3];            // acceleration of a falling body, world axes
  mjtNum wind[3];               // velocity of the medium, world axes
  mjtNum magnetic[3];           // magnetic field that magnetometers sense, world axes
  mjtNum density;               // mass of the medium per volume; 0: no lift, drag and added mass
  mjtNum viscosity;             // dynamic viscosity of the medium; 0: no viscous force
  mjtNum o_margin;              // replaces every contact's margin while mjENBL_OVERRIDE is on
  mjtNum o_solref[mjNREF];      // replaces solref likewise
  mjtNum o_solimp[mjNIMP];      // replaces solimp likewise
  mjtNum o_friction[5];         // replaces the friction coefficients likewise
  int integrator;               // how time moves on: mjtIntegrator
  int cone;                     // shape of friction cones: mjtCone
  int jacobian;                 // storage of constraint Jacobians: mjtJacobian
  int solver;                   // who computes constraint forces: mjtSolver
  int iterations;               // at most so many iterations of the solver
  int ls_iterations;            // at most so many evaluations per line search
  int noslip_iterations;        // at most so many noslip sweeps; 0: none
  int ccd_iterations;           // at most so many iterations per convex pair
  int disableflags;             // what is left out: bits of mjtDisableBit
  int enableflags;              // what is done in addition: bits of mjtEnableBit
  int disableactuator;          // bit k: actuators of group k give no force
  int sdf_initpoints;           // starting points per pair of signed distance functions
  int sdf_iterations;           // descent steps from each starting point
} mjOption;

typedef struct mjVisual_ {  // how a model is shown; no influence on physics
  struct {  // free camera, window and drawing in general
    int cameraid;               // camera that a viewer opens with; -1: the free one
    int orthographic;           // free camera: 0: perspective, 1: parallel projection
    float fovy;                 // free camera: vertical angle in degrees, or height if parallel
    float ipd;                  // free camera: distance of the two eyes
    float azimuth;              // free camera: first azimuth in degrees
    float elevation;            // free camera: first elevation in degrees
    float linewidth;            // pixels of wires and rays
    float glow;                 // light that the selected object emits
    float realtime;             // simulated seconds per second that a viewer starts with
    int offwidth;               // offscreen picture: columns
    int offheight;              // offscreen picture: rows
    int ellipsoidinertia;       // inertias are drawn as 0: boxes, 1: ellipsoids
    int bvactive;               // nonzero: bounding volumes that collision visited stand out
  } global;

  struct {  // resolution
    int shadowsize;             // shadow map: texels per side
    int offsamples;             // offscreen picture: samples per pixel; 0: one
    int numslices;              // facets around round shapes
    int numstacks;              // facets along round shapes
    int numquads;               // squares per side of a box face
  } quality;

  struct {  // light at the eye
    float ambient[3];           // colour that reaches every surface
    float diffuse[3];           // colour scattered by lit surfaces
    float specular[3];          // colour of highlights
    int active;                 // nonzero: switched on
  } headlight;

  struct {  // from physical quantities to what is shown
    float stiffness;            // pull of the mouse per distance
    float stiffnessrot;         // twist of the mouse per angle
    float force;                // length of arrows per force
    float torque;               // length of arrows per torque
    float alpha;                // opacity factor of moving bodies when shown transparent
    float fogstart;             // where fog begins, in extents
    float fogend;               // where nothing is seen any more, in extents
    float znear;                // near clipping plane, in extents
    float zfar;                 // far clipping plane, in extents
    float haze;                 // share of the sky that blends into the horizon
    float shadowclip;           // half width of shadows of directional lights, in extents
    float shadowscale;          // share of a spot light's cone that casts shadows
    float actuatortendon;       // tendons with an actuator are drawn so many times wider
  } map;

  struct {  // sizes of decorations, in units of mjStatistic.meansize
    float forcewidth;           // force arrows: radius
    float contactwidth;         // contact discs: radius
    float contactheight;        // contact discs: thickness
    float connect;              // rods from joint to joint: radius
    float com;                  // balls at centres of mass: radius
    float camera;               // camera symbols
    float light;                // light symbols
    float selectpoint;          // ball at the point that was clicked: radius
    float jointlength;          // joint arrows: length
    float jointwidth;           // joint arrows: radius
    float actuatorlength;       // actuator symbols: length
    float actuatorwidth;        // actuator symbols: radius
    float framelength;          // axes of frames: length
    float framewidth;           // axes of frames: radius
    float constraint;           // lines between equality anchors: radius
    float slidercrank;          // slider-crank rods: radius
    float frustum;              // camera frusta: distance of the far side
  } scale;

  struct {  // colours of decorations
    float fog[4];               // fog
    float haze[4];              // haze at the horizon
    float force[4];             // arrows of external forces
    float inertia[4];           // inertia boxes and ellipsoids
    float joint[4];             // joint arrows
    float actuator[4];          // actuators at rest
    float actuatornegative[4];  // actuators at the lower end of their range
    float actuatorpositive[4];  // actuators at the upper end of their range
    float com[4];               // balls at centres of mass
    float camera[4];            // camera symbols
    float light[4];             // light symbols
    float selectpoint[4];       // ball at the point that was clicked
    float connect[4];           // rods from joint to joint
    float contactpoint[4];      // contact discs
    float contactforce[4];      // arrows of contact forces
    float contactfriction[4];   // their tangential part, when split
    float contacttorque[4];     // arrows of contact torques
    float contactgap[4];        // discs of contacts inside their gap, which give no force
    float rangefinder[4];       // rays of rangefinders
    float constraint[4];        // lines between equality anchors
    float slidercrank[4];       // slider-crank rods
    float crankbroken[4];       // rods too short to reach the slider
    float frustum[4];           // camera frusta
    float bv[4];                // bounding volumes
    float bvactive[4];          // bounding volumes that collision visited
  } rgba;
} mjVisual;

typedef struct mjStatistic_ {  // typical quantities of a model
  mjtNum meaninertia;           // average of the mass matrix diagonal at qpos0; scales solver tolerances
  mjtNum meanmass;              // average mass of bodies, the world left out
  mjtNum meansize;              // typical length of a body; unit of mjVisual.scale
  mjtNum extent;                // longest side of the box around everything; unit of view distances
  mjtNum center[3];             // middle of that box
} mjStatistic;
// END generated
// clang-format on

// clang-format off
// BEGIN generated mjModel by schema/generate from schema/model.def
typedef struct mjModel_ {  // a compiled model; arrays live in one buffer
  // sizes: coordinates, controls, tree, inertia matrices
  mjtSize nq;           // length of qpos: 7 per free joint, 4 per ball, else 1
  mjtSize nv;           // length of qvel: 6 per free joint, 3 per ball, else 1
  mjtSize nu;           // actuators, and so entries of ctrl
  mjtSize na;           // activation variables of all actuators together
  mjtSize nbody;        // bodies; body 0 is the world
  mjtSize nbvh;         // nodes of all bounding volume trees
  mjtSize nbvhstatic;   // those of bodies and meshes: boxes fixed in a local frame
  mjtSize nbvhdynamic;  // those of flexes: boxes follow the motion
  mjtSize noct;         // octree nodes of all meshes used as distance fields
  mjtSize njnt;         // joints
  mjtSize ntree;        // kinematic trees with at least one dof
  mjtSize nM;           // entries of qM: dofs times their ancestors, itself included
  mjtSize nB;           // entries of the body-dof pattern B
  mjtSize nC;           // entries of M: nM less what simple dofs do not need
  mjtSize nD;           // entries of the symmetric pattern D: 2 nM - nv

  // sizes: what is attached to bodies
  mjtSize ngeom;   // geoms
  mjtSize nsite;   // sites
  mjtSize ncam;    // cameras
  mjtSize nlight;  // lights

  // sizes: flexes
  mjtSize nflex;           // flexes
  mjtSize nflexnode;       // control nodes of interpolated flexes
  mjtSize nflexvert;       // vertices of all flexes
  mjtSize nflexedge;       // edges of all flexes, each counted once
  mjtSize nflexelem;       // elements of all flexes
  mjtSize nflexelemdata;   // entries of flex_elem: dim + 1 per element
  mjtSize nflexelemedge;   // entries of flex_elemedge: 1, 3 or 6 per element
  mjtSize nflexshelldata;  // entries of flex_shell: dim per border fragment
  mjtSize nflexevpair;     // element-vertex pairs tested for self-contact
  mjtSize nflextexcoord;   // texture coordinates of all flexes
  mjtSize nJfe;            // entries of the sparse edge Jacobian flexedge_J
  mjtSize nJfv;            // entries of the sparse vertex Jacobian flexvert_J

  // sizes: meshes, skins, height fields, textures, materials
  mjtSize nmesh;          // meshes
  mjtSize nmeshvert;      // vertices of all meshes
  mjtSize nmeshnormal;    // normals of all meshes
  mjtSize nmeshtexcoord;  // texture coordinates of all meshes
  mjtSize nmeshface;      // triangles of all meshes
  mjtSize nmeshgraph;     // integers of all convex hull graphs
  mjtSize nmeshpoly;      // flat polygons of all meshes
  mjtSize nmeshpolyvert;  // corners of all these polygons
  mjtSize nmeshpolymap;   // entries of the map from vertices to polygons
  mjtSize nskin;          // skins
  mjtSize nskinvert;      // vertices of all skins
  mjtSize nskintexvert;   // texture coordinates of all skins
  mjtSize nskinface;      // triangles of all skins
  mjtSize nskinbone;      // bones of all skins
  mjtSize nskinbonevert;  // vertices attached to bones, counted per bone
  mjtSize nhfield;        // height fields
  mjtSize nhfielddata;    // heights of all height fields
  mjtSize ntex;           // textures
  mjtSize ntexdata;       // bytes of all textures
  mjtSize nmat;           // materials

  // sizes: contact rules, equalities, tendons, sensors
  mjtSize npair;     // explicit geom pairs
  mjtSize nexclude;  // excluded body pairs
  mjtSize neq;       // equality constraints
  mjtSize ntendon;   // tendons
  mjtSize nwrap;     // path elements of all tendons
  mjtSize nsensor;   // sensors

  // sizes: custom data, keyframes, mocap bodies, plugins
  mjtSize nnumeric;      // custom number fields
  mjtSize nnumericdata;  // numbers in them
  mjtSize ntext;         // custom texts
  mjtSize ntextdata;     // their bytes, ending zeros included
  mjtSize ntuple;        // custom tuples
  mjtSize ntupledata;    // members of all tuples
  mjtSize nkey;          // keyframes
  mjtSize nmocap;        // bodies posed by mocap_pos and mocap_quat
  mjtSize nplugin;       // plugin instances
  mjtSize npluginattr;   // bytes of their configuration texts

  // sizes: numbers of user data per object
  mjtSize nuser_body;      // numbers in each row of body_user
  mjtSize nuser_jnt;       // numbers in each row of jnt_user
  mjtSize nuser_geom;      // numbers in each row of geom_user
  mjtSize nuser_site;      // numbers in each row of site_user
  mjtSize nuser_cam;       // numbers in each row of cam_user
  mjtSize nuser_tendon;    // numbers in each row of tendon_user
  mjtSize nuser_actuator;  // numbers in each row of actuator_user
  mjtSize nuser_sensor;    // numbers in each row of sensor_user

  // sizes: names and file names
  mjtSize nnames;      // bytes of all names, ending zeros included
  mjtSize npaths;      // bytes of all file names; 1 if there are none
  mjtSize nnames_map;  // slots of the name tables: 2 per object

  // sizes: derived, and bounds for the data
  mjtSize nJmom;         // room for the sparse actuator_moment
  mjtSize ngravcomp;     // bodies with positive gravcomp
  mjtSize nemax;         // room for equality rows: 3 per connect, 7 per weld, else 1
  mjtSize njmax;         // wanted number of constraint rows; -1: not said
  mjtSize nconmax;       // wanted number of contacts; -1: not said
  mjtSize nuserdata;     // entries of userdata
  mjtSize nsensordata;   // entries of sensordata: sum of sensor_dim
  mjtSize npluginstate;  // state variables of all plugin instances
  mjtSize nhistory;      // entries of history: control and sensor buffers
  mjtSize narena;        // bytes of mjData's arena, stack included
  mjtSize nbuffer;       // bytes of the block behind the arrays below

  // options, visualisation, statistics, memory
  mjOption opt;      // what the user may change between steps
  mjVisual vis;      // settings of pictures
  mjStatistic stat;  // typical sizes and masses at qpos0
  void* buffer;      // the block; every array starts at a multiple of 64

  // reference configurations
  mjtNum* qpos0;        // (nq) qpos of the pose in which the model was written
  mjtNum* qpos_spring;  // (nq) qpos at which joint springs are at rest

  // bodies
  int* body_parentid;        // (nbody) parent; the world is its own
  int* body_rootid;          // (nbody) its ancestor just below the world, or itself
  int* body_weldid;          // (nbody) nearest body up to it that has joints; 0: cannot move
  int* body_mocapid;         // (nbody) row of mocap_pos and mocap_quat; -1: not mocap
  int* body_jntnum;          // (nbody) how many joints connect it to its parent
  int* body_jntadr;          // (nbody) first of them; -1: none
  int* body_dofnum;          // (nbody) how many dofs these joints have
  int* body_dofadr;          // (nbody) first of them; -1: none
  int* body_treeid;          // (nbody) its kinematic tree; -1: cannot move
  int* body_geomnum;         // (nbody) how many geoms it carries
  int* body_geomadr;         // (nbody) first of them; -1: none
  mjtByte* body_simple;      // (nbody) diagonal inertia block: 0 no, 1 yes, 2 yes, slides only
  mjtByte* body_sameframe;   // (nbody) how (ipos, iquat) equals the body frame (mjtSameFrame)
  mjtNum* body_pos;          // (nbody x 3) origin in the parent's frame at qpos0
  mjtNum* body_quat;         // (nbody x 4) orientation in the parent's frame at qpos0
  mjtNum* body_ipos;         // (nbody x 3) centre of mass in the body frame
  mjtNum* body_iquat;        // (nbody x 4) principal axes of inertia in the body frame
  mjtNum* body_mass;         // (nbody) mass
  mjtNum* body_subtreemass;  // (nbody) mass of it and all its descendants
  mjtNum* body_inertia;      // (nbody x 3) principal moments of inertia, about ipos along iquat
  mjtNum* body_invweight0;   // (nbody x 2) mean inverse inertia at qpos0: translation, rotation
  mjtNum* body_gravcomp;     // (nbody) share of its weight that is lifted; 1: weightless
  mjtNum* body_margin;       // (nbody) largest geom_margin on it
  mjtNum* body_user;         // (nbody x nuser_body) user's numbers
  int* body_plugin;          // (nbody) plugin giving it passive forces; -1: none
  int* body_contype;         // (nbody) geom_contype of all its geoms, or-ed
  int* body_conaffinity;     // (nbody) geom_conaffinity of all its geoms, or-ed
  int* body_bvhadr;          // (nbody) root of its bounding volume tree; -1: none
  int* body_bvhnum;          // (nbody) nodes of that tree

  // bounding volume hierarchies of bodies, meshes and flexes
  int* bvh_depth;    // (nbvh) distance from the root of its tree
  int* bvh_child;    // (nbvh x 2) two children, counted from the root; -1 -1: leaf
  int* bvh_nodeid;   // (nbvh) at leaves: geom, or face or element of its owner
  mjtNum* bvh_aabb;  // (nbvhstatic x 6) box, centre and half sizes, in the owner's frame

  // octrees of signed distance fields
  int* oct_depth;     // (noct) distance from the root of its octree
  int* oct_child;     // (noct x 8) eight children, counted from the root; -1: leaf
  mjtNum* oct_aabb;   // (noct x 6) box, centre and half sizes, in the mesh frame
  mjtNum* oct_coeff;  // (noct x 8) signed distance at the eight corners of the box

  // joints
  int* jnt_type;               // (njnt) kind of joint (mjtJoint)
  int* jnt_qposadr;            // (njnt) first of its entries in qpos
  int* jnt_dofadr;             // (njnt) first of its dofs
  int* jnt_bodyid;             // (njnt) body that it moves
  int* jnt_group;              // (njnt) group for showing and hiding
  mjtByte* jnt_limited;        // (njnt) is its range enforced?
  mjtByte* jnt_actfrclimited;  // (njnt) is the actuator force on it limited?
  mjtByte* jnt_actgravcomp;    // (njnt) does gravcomp count as actuator force here?
  mjtNum* jnt_solref;          // (njnt x mjNREF) limit: time constant, damping ratio; or -K, -B
  mjtNum* jnt_solimp;          // (njnt x mjNIMP) limit: impedance curve
  mjtNum* jnt_pos;             // (njnt x 3) anchor in the body frame
  mjtNum* jnt_axis;            // (njnt x 3) unit axis in the body frame; z for ball and free
  mjtNum* jnt_stiffness;       // (njnt) spring constant about qpos_spring
  mjtNum* jnt_range;           // (njnt x 2) lowest, highest position; ball: 0, largest angle
  mjtNum* jnt_actfrcrange;     // (njnt x 2) lowest, highest total actuator force
  mjtNum* jnt_margin;          // (njnt) the limit becomes active this far before its end
  mjtNum* jnt_user;            // (njnt x nuser_jnt) user's numbers

  // degrees of freedom
  int* dof_bodyid;           // (nv) body that it moves
  int* dof_jntid;            // (nv) joint that it belongs to
  int* dof_parentid;         // (nv) next dof towards the root; -1: first of its tree
  int* dof_treeid;           // (nv) kinematic tree that it moves
  int* dof_Madr;             // (nv) its diagonal entry in qM; ancestors follow upwards
  int* dof_simplenum;        // (nv) simple dofs in a row from here on; 0: not simple
  mjtNum* dof_solref;        // (nv x mjNREF) friction loss: time constant, damping ratio
  mjtNum* dof_solimp;        // (nv x mjNIMP) friction loss: impedance curve
  mjtNum* dof_frictionloss;  // (nv) largest dry friction force
  mjtNum* dof_armature;      // (nv) inertia added to the diagonal of M (rotor)
  mjtNum* dof_damping;       // (nv) force against the motion, per velocity
  mjtNum* dof_invweight0;    // (nv) diagonal of M's inverse at qpos0, averaged per joint
  mjtNum* dof_M0;            // (nv) diagonal of M at qpos0, without tendon armature
  mjtNum* dof_length;        // (nv) turns qvel into a speed: 1, or body size if it rotates

  // kinematic trees that can move
  int* tree_bodyadr;       // (ntree) first body
  int* tree_bodynum;       // (ntree) how many bodies follow one another
  int* tree_dofadr;        // (ntree) first dof
  int* tree_dofnum;        // (ntree) how many dofs follow one another
  int* tree_sleep_policy;  // (ntree) may it fall asleep? (mjtSleepPolicy)

  // geoms
  int* geom_type;           // (ngeom) shape (mjtGeom)
  int* geom_contype;        // (ngeom) bits that others' conaffinity is compared with
  int* geom_conaffinity;    // (ngeom) bits that others' contype is compared with
  int* geom_condim;         // (ngeom) contact dimensions it asks for: 1, 3, 4 or 6
  int* geom_bodyid;         // (ngeom) body that carries it
  int* geom_dataid;         // (ngeom) its mesh or height field, by type; -1: none
  int* geom_matid;          // (ngeom) material; -1: none
  int* geom_group;          // (ngeom) group for showing and hiding
  int* geom_priority;       // (ngeom) the higher of two decides contact parameters
  int* geom_plugin;         // (ngeom) plugin giving its distance function; -1: none
  mjtByte* geom_sameframe;  // (ngeom) frame of its body that its own equals (mjtSameFrame)
  mjtNum* geom_solmix;      // (ngeom) weight when parameters of equals are mixed
  mjtNum* geom_solref;      // (ngeom x mjNREF) contact: time constant, damping ratio; or -K, -B
  mjtNum* geom_solimp;      // (ngeom x mjNIMP) contact: impedance curve
  mjtNum* geom_size;        // (ngeom x 3) half sizes, radius and half length, by type
  mjtNum* geom_aabb;        // (ngeom x 6) box, centre and half sizes, in the geom frame
  mjtNum* geom_rbound;      // (ngeom) radius of a ball around its origin; 0: plane, infinite
  mjtNum* geom_pos;         // (ngeom x 3) origin in the body frame
  mjtNum* geom_quat;        // (ngeom x 4) orientation in the body frame
  mjtNum* geom_friction;    // (ngeom x 3) sliding, torsional, rolling coefficients
  mjtNum* geom_margin;      // (ngeom) contacts are reported below this distance
  mjtNum* geom_gap;         // (ngeom) and act only below margin - gap
  mjtNum* geom_fluid;       // (ngeom x mjNFLUID) ellipsoid in fluid: on, 5 factors, 6 added masses
  mjtNum* geom_user;        // (ngeom x nuser_geom) user's numbers
  float* geom_rgba;         // (ngeom x 4) colour where there is no material

  // sites
  int* site_type;           // (nsite) shape in which it is drawn and tested (mjtGeom)
  int* site_bodyid;         // (nsite) body that carries it
  int* site_matid;          // (nsite) material; -1: none
  int* site_group;          // (nsite) group for showing and hiding
  mjtByte* site_sameframe;  // (nsite) frame of its body that its own equals (mjtSameFrame)
  mjtNum* site_size;        // (nsite x 3) half sizes, radius and half length, by type
  mjtNum* site_pos;         // (nsite x 3) origin in the body frame
  mjtNum* site_quat;        // (nsite x 4) orientation in the body frame
  mjtNum* site_user;        // (nsite x nuser_site) user's numbers
  float* site_rgba;         // (nsite x 4) colour where there is no material

  // cameras
  int* cam_mode;          // (ncam) how it follows the motion (mjtCamLight)
  int* cam_bodyid;        // (ncam) body that carries it
  int* cam_targetbodyid;  // (ncam) body it looks at in target modes; -1: none
  mjtNum* cam_pos;        // (ncam x 3) where it sits in the body frame
  mjtNum* cam_quat;       // (ncam x 4) orientation in the body frame; looks along -z
  mjtNum* cam_poscom0;    // (ncam x 3) at qpos0: from the target's subtree com, world axes
  mjtNum* cam_pos0;       // (ncam x 3) at qpos0: from the body's origin, world axes
  mjtNum* cam_mat0;       // (ncam x 9) at qpos0: orientation in the world
  int* cam_projection;    // (ncam) perspective or parallel (mjtProjection)
  mjtNum* cam_fovy;       // (ncam) vertical opening in degrees; parallel: height in metres
  mjtNum* cam_ipd;        // (ncam) distance between the eyes of a stereo pair
  int* cam_resolution;    // (ncam x 2) pixels: width, height
  int* cam_output;        // (ncam) kinds of images it delivers, as bits (mjtCamOutBit)
  float* cam_sensorsize;  // (ncam x 2) sensor width, height in metres; 0: fovy counts
  float* cam_intrinsic;   // (ncam x 4) focal lengths x, y, principal point x, y in metres
  mjtNum* cam_user;       // (ncam x nuser_cam) user's numbers

  // lights
  int* light_mode;            // (nlight) how it follows the motion (mjtCamLight)
  int* light_bodyid;          // (nlight) body that carries it
  int* light_targetbodyid;    // (nlight) body it points at in target modes; -1: none
  int* light_type;            // (nlight) spot, directional, point or image (mjtLightType)
  int* light_texid;           // (nlight) texture of an image light; -1: none
  mjtByte* light_castshadow;  // (nlight) 0: its light goes through objects
  float* light_bulbradius;    // (nlight) radius of the bulb, for soft shadows
  float* light_intensity;     // (nlight) in candela, for physically based renderers
  float* light_range;         // (nlight) distance at which it has no effect any more
  mjtByte* light_active;      // (nlight) is it on?
  mjtNum* light_pos;          // (nlight x 3) where it sits in the body frame
  mjtNum* light_dir;          // (nlight x 3) unit direction of shining in the body frame
  mjtNum* light_poscom0;      // (nlight x 3) at qpos0: from the target's subtree com, world axes
  mjtNum* light_pos0;         // (nlight x 3) at qpos0: from the body's origin, world axes
  mjtNum* light_dir0;         // (nlight x 3) at qpos0: direction in the world
  float* light_attenuation;   // (nlight x 3) constant, linear and quadratic fading
  float* light_cutoff;        // (nlight) half angle of a spot in degrees
  float* light_exponent;      // (nlight) how sharply a spot fades off its axis
  float* light_ambient;       // (nlight x 3) ambient colour
  float* light_diffuse;       // (nlight x 3) diffuse colour
  float* light_specular;      // (nlight x 3) specular colour

  // flexes: deformable bodies of lines, triangles or tetrahedra
  int* flex_contype;            // (nflex) bits that others' conaffinity is compared with
  int* flex_conaffinity;        // (nflex) bits that others' contype is compared with
  int* flex_condim;             // (nflex) contact dimensions it asks for: 1, 3, 4 or 6
  int* flex_priority;           // (nflex) the higher of two decides contact parameters
  mjtNum* flex_solmix;          // (nflex) weight when parameters of equals are mixed
  mjtNum* flex_solref;          // (nflex x mjNREF) contact: time constant, damping ratio; or -K, -B
  mjtNum* flex_solimp;          // (nflex x mjNIMP) contact: impedance curve
  mjtNum* flex_friction;        // (nflex x 3) sliding, torsional, rolling coefficients
  mjtNum* flex_margin;          // (nflex) contacts are reported below this distance
  mjtNum* flex_gap;             // (nflex) and act only below margin - gap
  mjtByte* flex_internal;       // (nflex) do contacts keep its elements from folding over?
  int* flex_selfcollide;        // (nflex) how own elements are tested for contact (mjtFlexSelf)
  int* flex_activelayers;       // (nflex) element layers from the border that collide; dim 3
  int* flex_passive;            // (nflex) are contacts springs instead of constraints?
  int* flex_dim;                // (nflex) what it is made of: lines 1, triangles 2, tetrahedra 3
  int* flex_matid;              // (nflex) material; -1: none
  int* flex_group;              // (nflex) group for showing and hiding
  int* flex_interp;             // (nflex) order of interpolation from nodes; 0: none
  int* flex_nodeadr;            // (nflex) first node
  int* flex_nodenum;            // (nflex) how many nodes
  int* flex_vertadr;            // (nflex) first vertex
  int* flex_vertnum;            // (nflex) how many vertices
  int* flex_edgeadr;            // (nflex) first edge
  int* flex_edgenum;            // (nflex) how many edges
  int* flex_elemadr;            // (nflex) first element
  int* flex_elemnum;            // (nflex) how many elements
  int* flex_elemdataadr;        // (nflex) first entry in flex_elem
  int* flex_elemedgeadr;        // (nflex) first entry in flex_elemedge
  int* flex_shellnum;           // (nflex) how many border fragments
  int* flex_shelldataadr;       // (nflex) first entry in flex_shell; -1: none
  int* flex_evpairadr;          // (nflex) first entry in flex_evpair; -1: none
  int* flex_evpairnum;          // (nflex) how many of them
  int* flex_texcoordadr;        // (nflex) first texture coordinate; -1: none
  int* flex_nodebodyid;         // (nflexnode) body that carries a node
  int* flex_vertbodyid;         // (nflexvert) body that carries a vertex; -1: interpolated
  int* flex_vertedgeadr;        // (nflexvert) first of a vertex's entries in flex_vertedge
  int* flex_vertedgenum;        // (nflexvert) how many edges meet there; only for flexvert
  int* flex_vertedge;           // (nflexedge x 2) edges around each vertex, counted in the flex
  int* flex_edge;               // (nflexedge x 2) its two vertices, ascending, counted in the flex
  int* flex_edgeflap;           // (nflexedge x 2) vertices opposite it in its triangles; -1: none
  int* flex_elem;               // (nflexelemdata) dim + 1 vertices per element, counted in the flex
  int* flex_elemtexcoord;       // (nflexelemdata) texture coordinates of its corners
  int* flex_elemedge;           // (nflexelemedge) edges of each element, counted in the flex
  int* flex_elemlayer;          // (nflexelem) layers between the element and the border
  int* flex_shell;              // (nflexshelldata) vertices of the border fragments
  int* flex_evpair;             // (nflexevpair x 2) element and a vertex of its neighbour
  mjtNum* flex_vert;            // (nflexvert x 3) vertex in the frame of its body
  mjtNum* flex_vert0;           // (nflexvert x 3) vertex at rest, as share of the box: 0 to 1
  mjtNum* flex_vertmetric;      // (nflexvert x 4) 2 x 2 inverse rest metric, for flexvert
  mjtNum* flex_node;            // (nflexnode x 3) node in the frame of its body
  mjtNum* flex_node0;           // (nflexnode x 3) node at rest, in the world
  mjtNum* flexedge_length0;     // (nflexedge) length at qpos0
  mjtNum* flexedge_invweight0;  // (nflexedge) J inv(M) J' of its length at qpos0
  mjtNum* flex_radius;          // (nflex) thickness that all elements are grown by
  mjtNum* flex_size;            // (nflex x 3) half sizes of the box around it at rest
  mjtNum* flex_stiffness;       // (nflexelem x 21) elasticity of squared edge lengths, upper half
  mjtNum* flex_bending;         // (nflexedge x 17) bending of edge and flaps: 4 x 4, curvature
  mjtNum* flex_damping;         // (nflex) share of elastic stiffness that damps, in seconds
  mjtNum* flex_edgestiffness;   // (nflex) spring constant of edges
  mjtNum* flex_edgedamping;     // (nflex) damping of edges
  int* flex_edgeequality;       // (nflex) rows it has: 0 none, 1 per edge, 2 per vertex
  mjtByte* flex_rigid;          // (nflex) do all vertices move as one body?
  mjtByte* flexedge_rigid;      // (nflexedge) do both ends move as one body?
  mjtByte* flex_centered;       // (nflex) are all vertices (nodes) at their bodies' origins?
  mjtByte* flex_flatskin;       // (nflex) draw facets instead of smooth shading?
  int* flex_bvhadr;             // (nflex) root of its bounding volume tree; -1: none
  int* flex_bvhnum;             // (nflex) nodes of that tree
  int* flexedge_J_rownnz;       // (nflexedge) entries in the edge's row of flexedge_J
  int* flexedge_J_rowadr;       // (nflexedge) first of them
  int* flexedge_J_colind;       // (nJfe) their dofs
  int* flexvert_J_rownnz;       // (nflexvert x 2) entries in the vertex's two rows of flexvert_J
  int* flexvert_J_rowadr;       // (nflexvert x 2) first of them
  int* flexvert_J_colind;       // (nJfv x 2) their dofs
  float* flex_rgba;             // (nflex x 4) colour where there is no material
  float* flex_texcoord;         // (nflextexcoord x 2) texture coordinates

  // meshes
  int* mesh_vertadr;        // (nmesh) first vertex
  int* mesh_vertnum;        // (nmesh) how many vertices
  int* mesh_faceadr;        // (nmesh) first triangle
  int* mesh_facenum;        // (nmesh) how many triangles
  int* mesh_bvhadr;         // (nmesh) root of its bounding volume tree
  int* mesh_bvhnum;         // (nmesh) nodes of that tree
  int* mesh_octadr;         // (nmesh) root of its octree; -1: none
  int* mesh_octnum;         // (nmesh) nodes of that octree
  int* mesh_normaladr;      // (nmesh) first normal
  int* mesh_normalnum;      // (nmesh) how many normals
  int* mesh_texcoordadr;    // (nmesh) first texture coordinate; -1: none
  int* mesh_texcoordnum;    // (nmesh) how many of them
  int* mesh_graphadr;       // (nmesh) its convex hull in mesh_graph; -1: none
  float* mesh_vert;         // (nmeshvert x 3) vertices, about the com along principal axes
  float* mesh_normal;       // (nmeshnormal x 3) unit normals, in the same frame
  float* mesh_texcoord;     // (nmeshtexcoord x 2) texture coordinates
  int* mesh_face;           // (nmeshface x 3) three vertices, counted in the mesh
  int* mesh_facenormal;     // (nmeshface x 3) three normals, counted in the mesh; -1: none
  int* mesh_facetexcoord;   // (nmeshface x 3) three texcoords, counted in the mesh; -1: none
  int* mesh_graph;          // (nmeshgraph) hulls: sizes, edge starts, vertices, edges, faces
  mjtNum* mesh_scale;       // (nmesh x 3) scale that the file's vertices were multiplied by
  mjtNum* mesh_pos;         // (nmesh x 3) mesh frame's origin in the frame of the file
  mjtNum* mesh_quat;        // (nmesh x 4) mesh frame's orientation in the frame of the file
  int* mesh_pathadr;        // (nmesh) file name in paths; -1: no file
  int* mesh_polynum;        // (nmesh) how many flat polygons
  int* mesh_polyadr;        // (nmesh) first of them
  mjtNum* mesh_polynormal;  // (nmeshpoly x 3) polygon's normal in the mesh frame
  int* mesh_polyvertadr;    // (nmeshpoly) polygon's first corner in mesh_polyvert
  int* mesh_polyvertnum;    // (nmeshpoly) how many corners
  int* mesh_polyvert;       // (nmeshpolyvert) corners in order, counted in the mesh
  int* mesh_polymapadr;     // (nmeshvert) vertex's first entry in mesh_polymap
  int* mesh_polymapnum;     // (nmeshvert) in how many polygons it is
  int* mesh_polymap;        // (nmeshpolymap) polygons around each vertex, counted in the mesh

  // skins
  int* skin_matid;             // (nskin) material; -1: none
  int* skin_group;             // (nskin) group for showing and hiding
  float* skin_rgba;            // (nskin x 4) colour where there is no material
  float* skin_inflate;         // (nskin) vertices are moved outwards by this
  int* skin_vertadr;           // (nskin) first vertex
  int* skin_vertnum;           // (nskin) how many vertices
  int* skin_texcoordadr;       // (nskin) first texture coordinate; -1: none
  int* skin_faceadr;           // (nskin) first triangle
  int* skin_facenum;           // (nskin) how many triangles
  int* skin_boneadr;           // (nskin) first bone
  int* skin_bonenum;           // (nskin) how many bones
  float* skin_vert;            // (nskinvert x 3) vertex in the world when the bones are as bound
  float* skin_texcoord;        // (nskintexvert x 2) texture coordinates
  int* skin_face;              // (nskinface x 3) three vertices, counted in the skin
  int* skin_bonevertadr;       // (nskinbone) bone's first entry in skin_bonevertid
  int* skin_bonevertnum;       // (nskinbone) how many vertices it pulls
  float* skin_bonebindpos;     // (nskinbone x 3) its body's position when it was bound
  float* skin_bonebindquat;    // (nskinbone x 4) its body's orientation when it was bound
  int* skin_bonebodyid;        // (nskinbone) body that moves it
  int* skin_bonevertid;        // (nskinbonevert) vertices it pulls, counted in the skin
  float* skin_bonevertweight;  // (nskinbonevert) how strongly; all bones of a vertex sum to 1
  int* skin_pathadr;           // (nskin) file name in paths; -1: no file

  // height fields
  mjtNum* hfield_size;  // (nhfield x 4) half width x, half depth y, highest z, base below 0
  int* hfield_nrow;     // (nhfield) samples along y
  int* hfield_ncol;     // (nhfield) samples along x
  int* hfield_adr;      // (nhfield) first height
  float* hfield_data;   // (nhfielddata) heights from 0 to 1, row after row from -y, -x
  int* hfield_pathadr;  // (nhfield) file name in paths; -1: no file

  // textures
  int* tex_type;        // (ntex) plane image, cube or skybox (mjtTexture)
  int* tex_colorspace;  // (ntex) how colours are encoded (mjtColorSpace)
  int* tex_height;      // (ntex) rows of pixels; 6 squares for a full cube
  int* tex_width;       // (ntex) columns of pixels
  int* tex_nchannel;    // (ntex) bytes per pixel
  mjtSize* tex_adr;     // (ntex) first byte
  mjtByte* tex_data;    // (ntexdata) pixels, row after row from the top
  int* tex_pathadr;     // (ntex) file name in paths; -1: no file

  // materials
  int* mat_texid;           // (nmat x mjNTEXROLE) texture for each mjtTextureRole; -1: none
  mjtByte* mat_texuniform;  // (nmat) repeat per metre instead of per object?
  float* mat_texrepeat;     // (nmat x 2) how often the texture repeats along its two axes
  float* mat_emission;      // (nmat) share of light it sends out itself
  float* mat_specular;      // (nmat) strength of highlights
  float* mat_shininess;     // (nmat) sharpness of highlights
  float* mat_reflectance;   // (nmat) share of light it mirrors
  float* mat_metallic;      // (nmat) metalness of physically based shading; -1: unset
  float* mat_roughness;     // (nmat) roughness of physically based shading; -1: unset
  float* mat_rgba;          // (nmat x 4) colour

  // geom pairs with their own contact parameters
  int* pair_dim;                // (npair) contact dimensions: 1, 3, 4 or 6
  int* pair_geom1;              // (npair) geom on the body with the smaller id
  int* pair_geom2;              // (npair) the other geom
  int* pair_signature;          // (npair) their bodies: first << 16, plus second; sorted
  mjtNum* pair_solref;          // (npair x mjNREF) normal: time constant, damping ratio; or -K, -B
  mjtNum* pair_solreffriction;  // (npair x mjNREF) the same for friction; 0 0: as for the normal
  mjtNum* pair_solimp;          // (npair x mjNIMP) impedance curve
  mjtNum* pair_margin;          // (npair) contacts are reported below this distance
  mjtNum* pair_gap;             // (npair) and act only below margin - gap
  mjtNum* pair_friction;        // (npair x 5) sliding twice, torsional, rolling twice

  // body pairs without contacts
  int* exclude_signature;  // (nexclude) smaller body << 16, plus larger body; sorted

  // equality constraints
  int* eq_type;         // (neq) kind of constraint (mjtEq)
  int* eq_obj1id;       // (neq) first object, of a kind that eq_type says
  int* eq_obj2id;       // (neq) second object; -1: none
  int* eq_objtype;      // (neq) connect and weld: body or site; distance: site; others: 0 (mjtObj)
  mjtByte* eq_active0;  // (neq) is it on after a reset?
  mjtNum* eq_solref;    // (neq x mjNREF) time constant, damping ratio; or -K, -B
  mjtNum* eq_solimp;    // (neq x mjNIMP) impedance curve
  mjtNum* eq_data;      // (neq x mjNEQDATA) anchors, relative pose, polynomial or distance, by type

  // tendons
  int* tendon_adr;                // (ntendon) first element of its path
  int* tendon_num;                // (ntendon) how many elements
  int* tendon_matid;              // (ntendon) material; -1: none
  int* tendon_group;              // (ntendon) group for showing and hiding
  int* tendon_treenum;            // (ntendon) how many kinematic trees its path touches
  int* tendon_treeid;             // (ntendon x 2) the first two of them; -1: fewer
  mjtByte* tendon_limited;        // (ntendon) is its range enforced?
  mjtByte* tendon_actfrclimited;  // (ntendon) is the total actuator force on it limited?
  mjtNum* tendon_width;           // (ntendon) radius in which it is drawn
  mjtNum* tendon_solref_lim;      // (ntendon x mjNREF) limit: time constant, damping ratio; -K, -B
  mjtNum* tendon_solimp_lim;      // (ntendon x mjNIMP) limit: impedance curve
  mjtNum* tendon_solref_fri;      // (ntendon x mjNREF) friction loss: time constant, damping ratio
  mjtNum* tendon_solimp_fri;      // (ntendon x mjNIMP) friction loss: impedance curve
  mjtNum* tendon_range;           // (ntendon x 2) shortest, longest length
  mjtNum* tendon_actfrcrange;     // (ntendon x 2) lowest, highest total actuator force
  mjtNum* tendon_margin;          // (ntendon) the limit becomes active this far before its end
  mjtNum* tendon_stiffness;       // (ntendon) spring constant
  mjtNum* tendon_damping;         // (ntendon) force against change of length, per velocity
  mjtNum* tendon_armature;        // (ntendon) inertia against change of length
  mjtNum* tendon_frictionloss;    // (ntendon) largest dry friction force along it
  mjtNum* tendon_lengthspring;    // (ntendon x 2) the spring is slack between these lengths
  mjtNum* tendon_length0;         // (ntendon) length at qpos0
  mjtNum* tendon_invweight0;      // (ntendon) J inv(M) J' of its length at qpos0
  mjtNum* tendon_user;            // (ntendon x nuser_tendon) user's numbers
  float* tendon_rgba;             // (ntendon x 4) colour where there is no material

  // paths of tendons
  int* wrap_type;    // (nwrap) kind of path element (mjtWrap)
  int* wrap_objid;   // (nwrap) its joint, site or geom; -1: pulley
  mjtNum* wrap_prm;  // (nwrap) joint: coefficient, pulley: divisor, geom: side site

  // actuators
  int* actuator_trntype;           // (nu) what it acts on (mjtTrn)
  int* actuator_dyntype;           // (nu) how activation follows control (mjtDyn)
  int* actuator_gaintype;          // (nu) how force depends on control or activation (mjtGain)
  int* actuator_biastype;          // (nu) force that is there without control (mjtBias)
  int* actuator_trnid;             // (nu x 2) joint, tendon, site or body; second site or -1
  int* actuator_actadr;            // (nu) its first activation variable; -1: none
  int* actuator_actnum;            // (nu) how many it has
  int* actuator_group;             // (nu) group for showing, hiding and switching off
  int* actuator_history;           // (nu x 2) samples kept; read by 0 hold, 1 linear, 2 cubic
  int* actuator_historyadr;        // (nu) its buffer in history; -1: none
  mjtNum* actuator_delay;          // (nu) it sees control this many seconds late
  mjtByte* actuator_ctrllimited;   // (nu) is control clamped to ctrlrange?
  mjtByte* actuator_forcelimited;  // (nu) is force clamped to forcerange?
  mjtByte* actuator_actlimited;    // (nu) is activation clamped to actrange?
  mjtNum* actuator_dynprm;         // (nu x mjNDYN) of dyntype: time constants ...
  mjtNum* actuator_gainprm;        // (nu x mjNGAIN) of gaintype: factor, or muscle's nine
  mjtNum* actuator_biasprm;        // (nu x mjNBIAS) of biastype: constant, per length, per velocity
  mjtByte* actuator_actearly;      // (nu) does force use the activation after this step?
  mjtNum* actuator_ctrlrange;      // (nu x 2) lowest, highest control
  mjtNum* actuator_forcerange;     // (nu x 2) lowest, highest force
  mjtNum* actuator_actrange;       // (nu x 2) lowest, highest activation
  mjtNum* actuator_gear;           // (nu x 6) scales length and moment; 6 for free joints, sites
  mjtNum* actuator_cranklength;    // (nu) length of the rod of a slider-crank
  mjtNum* actuator_acc0;           // (nu) norm of qacc that unit force causes at qpos0
  mjtNum* actuator_length0;        // (nu) length at qpos0
  mjtNum* actuator_lengthrange;    // (nu x 2) shortest, longest length it can reach
  mjtNum* actuator_user;           // (nu x nuser_actuator) user's numbers
  int* actuator_plugin;            // (nu) plugin giving its force; -1: none

  // sensors
  int* sensor_type;         // (nsensor) what it measures (mjtSensor)
  int* sensor_datatype;     // (nsensor) kind of numbers (mjtDataType)
  int* sensor_needstage;    // (nsensor) stage after which it can be read (mjtStage)
  int* sensor_objtype;      // (nsensor) kind of object it sits on (mjtObj)
  int* sensor_objid;        // (nsensor) that object; -1: none
  int* sensor_reftype;      // (nsensor) kind of object it measures relative to (mjtObj)
  int* sensor_refid;        // (nsensor) that object; -1: the world
  int* sensor_intprm;       // (nsensor x mjNSENS) data bits; contact also: reduction, slots
  int* sensor_dim;          // (nsensor) how many numbers it delivers
  int* sensor_adr;          // (nsensor) first of them in sensordata
  mjtNum* sensor_cutoff;    // (nsensor) values are clamped to this size; 0: not at all
  mjtNum* sensor_noise;     // (nsensor) standard deviation, for the user; not applied
  int* sensor_history;      // (nsensor x 2) samples kept; read by 0 hold, 1 linear, 2 cubic
  int* sensor_historyadr;   // (nsensor) its buffer in history; -1: none
  mjtNum* sensor_delay;     // (nsensor) it is read this many seconds late
  mjtNum* sensor_interval;  // (nsensor x 2) period, phase of measuring in seconds; 0: every step
  mjtNum* sensor_user;      // (nsensor x nuser_sensor) user's numbers
  int* sensor_plugin;       // (nsensor) plugin computing it; -1: none

  // plugin instances
  int* plugin;           // (nplugin) slot of its kind in the registry of plugins
  int* plugin_stateadr;  // (nplugin) its first state variable in plugin_state
  int* plugin_statenum;  // (nplugin) how many it has
  char* plugin_attr;     // (npluginattr) values of settings, each ended by a zero byte
  int* plugin_attradr;   // (nplugin) its first byte in plugin_attr

  // custom numbers, texts and tuples
  int* numeric_adr;      // (nnumeric) first number
  int* numeric_size;     // (nnumeric) how many numbers
  mjtNum* numeric_data;  // (nnumericdata) the numbers
  int* text_adr;         // (ntext) first byte
  int* text_size;        // (ntext) bytes, ending zero included
  char* text_data;       // (ntextdata) the texts, each ended by a zero byte
  int* tuple_adr;        // (ntuple) first member
  int* tuple_size;       // (ntuple) how many members
  int* tuple_objtype;    // (ntupledata) kind of member (mjtObj)
  int* tuple_objid;      // (ntupledata) the member, an id of its kind
  mjtNum* tuple_objprm;  // (ntupledata) a number that goes with it

  // keyframes
  mjtNum* key_time;   // (nkey) time
  mjtNum* key_qpos;   // (nkey x nq) qpos
  mjtNum* key_qvel;   // (nkey x nv) qvel
  mjtNum* key_act;    // (nkey x na) act
  mjtNum* key_mpos;   // (nkey x nmocap*3) mocap_pos
  mjtNum* key_mquat;  // (nkey x nmocap*4) mocap_quat
  mjtNum* key_ctrl;   // (nkey x nu) ctrl

  // names
  int* name_bodyadr;      // (nbody) start of its name in names
  int* name_jntadr;       // (njnt) start of its name in names
  int* name_geomadr;      // (ngeom) start of its name in names
  int* name_siteadr;      // (nsite) start of its name in names
  int* name_camadr;       // (ncam) start of its name in names
  int* name_lightadr;     // (nlight) start of its name in names
  int* name_flexadr;      // (nflex) start of its name in names
  int* name_meshadr;      // (nmesh) start of its name in names
  int* name_skinadr;      // (nskin) start of its name in names
  int* name_hfieldadr;    // (nhfield) start of its name in names
  int* name_texadr;       // (ntex) start of its name in names
  int* name_matadr;       // (nmat) start of its name in names
  int* name_pairadr;      // (npair) start of its name in names
  int* name_excludeadr;   // (nexclude) start of its name in names
  int* name_eqadr;        // (neq) start of its name in names
  int* name_tendonadr;    // (ntendon) start of its name in names
  int* name_actuatoradr;  // (nu) start of its name in names
  int* name_sensoradr;    // (nsensor) start of its name in names
  int* name_numericadr;   // (nnumeric) start of its name in names
  int* name_textadr;      // (ntext) start of its name in names
  int* name_tupleadr;     // (ntuple) start of its name in names
  int* name_keyadr;       // (nkey) start of its name in names
  int* name_pluginadr;    // (nplugin) start of its name in names
  char* names;            // (nnames) model name, then all others, each ended by a zero byte
  int* names_map;         // (nnames_map) hash table per kind: id, or -1 for an empty slot

  // file names of assets
  char* paths;  // (npaths) file names as in the model, each ended by a zero byte

  // sparsity of matrices over dofs
  int* B_rownnz;  // (nbody) dofs of the body's ancestors, itself and descendants
  int* B_rowadr;  // (nbody) first of them in B_colind
  int* B_colind;  // (nB) dofs, ascending
  int* M_rownnz;  // (nv) entries in the dof's row of M: ancestors, then itself
  int* M_rowadr;  // (nv) first of them
  int* M_colind;  // (nC) dofs, ascending, the diagonal last
  int* mapM2M;    // (nC) entry of qM for each entry of M
  int* D_rownnz;  // (nv) entries in the dof's row: ancestors and descendants too
  int* D_rowadr;  // (nv) first of them
  int* D_diag;    // (nv) place of the diagonal within the row
  int* D_colind;  // (nD) dofs, ascending
  int* mapM2D;    // (nD) entry of M for each entry of D; -1: M has none
  int* mapD2M;    // (nC) entry of D for each entry of M

  // fingerprint
  uint64_t signature;  // hash of which objects there are; 0 after loading
} mjModel;
// END generated
// clang-format on

#endif  // MUJOCO_MJMODEL_H_
