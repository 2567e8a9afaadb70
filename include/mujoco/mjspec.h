// The editable model: one struct per element of MJCF, held together by an mjSpec and turned into an
// mjModel by mj_compile. Elements are made by mjs_add functions and belong to their spec. Names
// refer to other elements until then; positions are relative to the parent, and NaN in a field
// means that it was not set.

#ifndef MUJOCO_MJSPEC_H_
#define MUJOCO_MJSPEC_H_

#include <stddef.h>
#include <stdint.h>

#include <mujoco/mjmodel.h>
#include <mujoco/mjtnum.h>

// Strings and arrays inside a spec: opaque in C, the standard library's types in C++. C programs
// use mjs_setString and its relatives. A C++ program that touches them directly needs libc++, whose
// layout they have; others use the functions too.
#ifdef __cplusplus
#include <cstddef>
#include <string>
#include <vector>
typedef std::string mjString;
typedef std::vector<std::string> mjStringVec;
typedef std::vector<int> mjIntVec;
typedef std::vector<std::vector<int> > mjIntVecVec;
typedef std::vector<float> mjFloatVec;
typedef std::vector<std::vector<float> > mjFloatVecVec;
typedef std::vector<double> mjDoubleVec;
#if __cplusplus >= 201703L
typedef std::vector<std::byte> mjByteVec;
#else
typedef std::vector<unsigned char> mjByteVec;  // the same in memory
#endif
#else
typedef void mjString;
typedef void mjStringVec;
typedef void mjIntVec;
typedef void mjIntVecVec;
typedef void mjFloatVec;
typedef void mjFloatVecVec;
typedef void mjDoubleVec;
typedef void mjByteVec;
#endif

// clang-format off
typedef enum mjtGeomInertia_ {  // where the mass of a geom is
  mjINERTIA_VOLUME = 0,         // all through the volume
  mjINERTIA_SHELL  = 1,         // on the surface
} mjtGeomInertia;

typedef enum mjtMeshInertia_ {  // how inertia is computed from a mesh
  mjMESH_INERTIA_CONVEX = 0,    // from its convex hull
  mjMESH_INERTIA_EXACT  = 1,    // from its volume, which must be closed
  mjMESH_INERTIA_LEGACY = 2,    // from its volume, overlaps counted twice
  mjMESH_INERTIA_SHELL  = 3,    // from its surface
} mjtMeshInertia;

typedef enum mjtMeshBuiltin_ {     // meshes made by mjs_makeMesh
  mjMESH_BUILTIN_NONE        = 0,  // none
  mjMESH_BUILTIN_SPHERE      = 1,  // ball
  mjMESH_BUILTIN_HEMISPHERE  = 2,  // half a ball
  mjMESH_BUILTIN_CONE        = 3,  // cone, cut off or not
  mjMESH_BUILTIN_SUPERSPHERE = 4,  // superellipsoid
  mjMESH_BUILTIN_SUPERTORUS  = 5,  // supertoroid
  mjMESH_BUILTIN_WEDGE       = 6,  // part of a spherical shell
  mjMESH_BUILTIN_PLATE       = 7,  // flat rectangle
} mjtMeshBuiltin;

typedef enum mjtBuiltin_ {  // textures made without a file
  mjBUILTIN_NONE     = 0,   // none
  mjBUILTIN_GRADIENT = 1,   // from one colour to another
  mjBUILTIN_CHECKER  = 2,   // squares of two colours
  mjBUILTIN_FLAT     = 3,   // one colour, or two on cubes
} mjtBuiltin;

typedef enum mjtMark_ {  // marks on such textures
  mjMARK_NONE   = 0,     // none
  mjMARK_EDGE   = 1,     // lines along the edges
  mjMARK_CROSS  = 2,     // cross in the middle
  mjMARK_RANDOM = 3,     // dots at random
} mjtMark;

typedef enum mjtLimited_ {  // is a range in force?
  mjLIMITED_FALSE = 0,      // no
  mjLIMITED_TRUE  = 1,      // yes
  mjLIMITED_AUTO  = 2,      // if a range is given
} mjtLimited;

typedef enum mjtAlignFree_ {  // is a free joint moved to its body's inertial frame?
  mjALIGNFREE_FALSE = 0,      // no
  mjALIGNFREE_TRUE  = 1,      // yes
  mjALIGNFREE_AUTO  = 2,      // as the compiler says
} mjtAlignFree;

typedef enum mjtInertiaFromGeom_ {  // is the inertia of bodies computed from geoms?
  mjINERTIAFROMGEOM_FALSE = 0,      // no: every body says its own
  mjINERTIAFROMGEOM_TRUE  = 1,      // yes: what bodies say is ignored
  mjINERTIAFROMGEOM_AUTO  = 2,      // for bodies that do not say
} mjtInertiaFromGeom;

typedef enum mjtOrientation_ {  // ways to give an orientation
  mjORIENTATION_QUAT      = 0,  // quaternion
  mjORIENTATION_AXISANGLE = 1,  // a turn about an axis
  mjORIENTATION_XYAXES    = 2,  // x axis and y axis
  mjORIENTATION_ZAXIS     = 3,  // z axis, by the shortest turn
  mjORIENTATION_EULER     = 4,  // three turns, see mjsCompiler.eulerseq
} mjtOrientation;
// clang-format on

typedef struct mjsElement_ {  // handle of any element
  mjtObj elemtype;            // what it is; tells which mjs_as function applies
  uint64_t signature;         // of the structure; set in a spec's handle only
} mjsElement;

typedef struct mjsCompiler_ {  // how a spec becomes a model
  mjtByte autolimits;          // mjLIMITED_AUTO means what it says
  double boundmass;            // bodies that move have this mass or more
  double boundinertia;         // bodies that move have these moments or more
  double settotalmass;         // scale masses to this sum; 0 or less: leave them
  mjtByte balanceinertia;      // repair moments that violate the triangle inequality
  mjtByte fitaabb;             // fit shapes to a mesh by its bounding box
  mjtByte degree;              // angles are in degrees
  char eulerseq[3];            // order of the turns; capitals: about fixed axes
  mjtByte discardvisual;       // leave out geoms and assets that only matter to the eye
  mjtByte usethread;           // several threads at a time
  mjtByte fusestatic;          // merge bodies that cannot move with their parents
  int inertiafromgeom;         // mjtInertiaFromGeom
  int inertiagrouprange[2];    // geoms of which groups have mass: first, last
  mjtByte saveinertial;        // write inertias of all bodies when saving
  int alignfree;               // free joints at inertial frames
  mjLROpt LRopt;               // how length ranges of actuators are found
  mjString* meshdir;           // folder of meshes
  mjString* texturedir;        // folder of textures
} mjsCompiler;

typedef struct mjSpec_ {          // model that can be edited
  mjsElement* element;            // its handle
  mjString* modelname;            // name
  mjsCompiler compiler;           // compilation
  mjtByte strippath;              // file names without folders
  mjOption option;                // simulation
  mjVisual visual;                // visualisation
  mjStatistic stat;               // statistics; NaN: computed
  mjtSize memory;                 // bytes of the arena; -1: estimated
  int nemax;                      // no longer used
  int nuserdata;                  // numbers in mjData.userdata
  int nuser_body;                 // numbers per body in body_user; -1: as many as needed
  int nuser_jnt;                  // same for joints
  int nuser_geom;                 // same for geoms
  int nuser_site;                 // same for sites
  int nuser_cam;                  // same for cameras
  int nuser_tendon;               // same for tendons
  int nuser_actuator;             // same for actuators
  int nuser_sensor;               // same for sensors
  int nkey;                       // keyframes at least
  int njmax;                      // at most so many constraint rows; deprecated
  int nconmax;                    // at most so many contacts; deprecated
  mjtSize nstack;                 // numbers on the stack; deprecated
  mjString* comment;              // text at the top of a saved file
  mjString* modelfiledir;         // folder of the file it was read from
  mjtByte hasImplicitPluginElem;  // an element carries a plugin of its own
} mjSpec;

typedef struct mjsOrientation_ {  // orientation other than by quaternion
  mjtOrientation type;            // which of the below
  double axisangle[4];            // axis, angle
  double xyaxes[6];               // x axis, y axis
  double zaxis[3];                // z axis
  double euler[3];                // angles
} mjsOrientation;

typedef struct mjsPlugin_ {  // plugin instance, or an element's link to one
  mjsElement* element;       // handle of the instance
  mjString* name;            // name of the instance
  mjString* plugin_name;     // name of the plugin
  mjtByte active;            // there is one
  mjString* info;            // where it was defined, for messages
} mjsPlugin;

typedef struct mjsBody_ {    // body
  mjsElement* element;       // handle
  mjString* childclass;      // class of its children
  double pos[3];             // position
  double quat[4];            // orientation
  mjsOrientation alt;        // orientation, instead of quat
  double mass;               // mass
  double ipos[3];            // position of the inertial frame; NaN: from geoms
  double iquat[4];           // orientation of the inertial frame
  double inertia[3];         // moments about its axes
  mjsOrientation ialt;       // orientation, instead of iquat
  double fullinertia[6];     // xx yy zz xy xz yz, instead of moments; NaN: none
  mjtByte mocap;             // is moved by mocap_pos and mocap_quat
  double gravcomp;           // share of its weight that is taken off
  mjtSleepPolicy sleep;      // may its tree sleep?
  mjDoubleVec* userdata;     // the user's numbers
  mjtByte explicitinertial;  // what is said about inertia counts
  mjsPlugin plugin;          // its plugin
  mjString* info;            // where it was defined, for messages
} mjsBody;

typedef struct mjsFrame_ {  // frame that moves what is put into it
  mjsElement* element;      // handle
  mjString* childclass;     // class of what is put into it
  double pos[3];            // position
  double quat[4];           // orientation
  mjsOrientation alt;       // orientation, instead of quat
  mjString* info;           // where it was defined, for messages
} mjsFrame;

typedef struct mjsJoint_ {         // joint
  mjsElement* element;             // handle
  mjtJoint type;                   // kind
  double pos[3];                   // anchor
  double axis[3];                  // axis
  double ref;                      // value of the coordinate in the pose of the spec
  int align;                       // free joints: mjtAlignFree
  double stiffness;                // spring: stiffness
  double springref;                // spring: value at rest
  double springdamper[2];          // spring from time constant and damping ratio; 0 0: not used
  int limited;                     // range in force? mjtLimited
  double range[2];                 // range
  double margin;                   // limit is active this far before the end of the range
  mjtNum solref_limit[mjNREF];     // limit: stiffness and damping
  mjtNum solimp_limit[mjNIMP];     // limit: impedance
  int actfrclimited;               // actfrcrange in force? mjtLimited
  double actfrcrange[2];           // range of the sum of actuator forces
  double armature;                 // inertia added to its dofs
  double damping;                  // damping
  double frictionloss;             // dry friction
  mjtNum solref_friction[mjNREF];  // friction: stiffness and damping
  mjtNum solimp_friction[mjNIMP];  // friction: impedance
  int group;                       // group
  mjtByte actgravcomp;             // gravity compensation counts as actuator force
  mjDoubleVec* userdata;           // the user's numbers
  mjString* info;                  // where it was defined, for messages
} mjsJoint;

typedef struct mjsGeom_ {      // geom
  mjsElement* element;         // handle
  mjtGeom type;                // shape
  double pos[3];               // position
  double quat[4];              // orientation
  mjsOrientation alt;          // orientation, instead of quat
  double fromto[6];            // both ends of a capsule or the like; NaN: not used
  double size[3];              // half sizes, by shape
  int contype;                 // collides where contype of one
  int conaffinity;             // meets conaffinity of the other
  int condim;                  // constraint dimensions of contacts: 1, 3, 4, 6
  int priority;                // of two geoms the higher one decides contact parameters
  double friction[3];          // sliding, spinning, rolling
  double solmix;               // weight in the mean of two geoms' parameters
  mjtNum solref[mjNREF];       // contact: stiffness and damping
  mjtNum solimp[mjNIMP];       // contact: impedance
  double margin;               // contacts are found at this distance
  double gap;                  // and make force at this much less
  double mass;                 // mass; NaN: from density
  double density;              // mass per volume or surface
  mjtGeomInertia typeinertia;  // where the mass is
  mjtNum fluid_ellipsoid;      // nonzero: drag and lift of an ellipsoid
  mjtNum fluid_coefs[5];       // blunt drag, slender drag, angular drag, Kutta lift, Magnus lift
  mjString* material;          // material
  float rgba[4];               // colour and opacity
  int group;                   // group
  mjString* hfieldname;        // height field, if it is one
  mjString* meshname;          // mesh, if it is one or is fitted to one
  double fitscale;             // factor on sizes fitted to a mesh
  mjDoubleVec* userdata;       // the user's numbers
  mjsPlugin plugin;            // its plugin
  mjString* info;              // where it was defined, for messages
} mjsGeom;

typedef struct mjsSite_ {  // site
  mjsElement* element;     // handle
  double pos[3];           // position
  double quat[4];          // orientation
  mjsOrientation alt;      // orientation, instead of quat
  double fromto[6];        // both ends of a capsule or the like; NaN: not used
  double size[3];          // half sizes, by shape
  mjtGeom type;            // shape
  mjString* material;      // material
  int group;               // group
  float rgba[4];           // colour and opacity
  mjDoubleVec* userdata;   // the user's numbers
  mjString* info;          // where it was defined, for messages
} mjsSite;

typedef struct mjsCamera_ {   // camera
  mjsElement* element;        // handle
  double pos[3];              // position
  double quat[4];             // orientation
  mjsOrientation alt;         // orientation, instead of quat
  mjtCamLight mode;           // how it follows bodies
  mjString* targetbody;       // body that it points at
  mjtProjection proj;         // projection
  int resolution[2];          // columns and rows
  int output;                 // pictures it makes: bits of mjtCamOutBit
  double fovy;                // vertical angle in degrees; parallel: height
  double ipd;                 // distance of the two eyes
  float intrinsic[4];         // focal lengths and principal point, in metres
  float sensor_size[2];       // width and height of the sensor, in metres; 0 0: fovy counts
  float focal_length[2];      // focal lengths in metres
  float focal_pixel[2];       // focal lengths in pixels
  float principal_length[2];  // principal point in metres
  float principal_pixel[2];   // principal point in pixels
  mjDoubleVec* userdata;      // the user's numbers
  mjString* info;             // where it was defined, for messages
} mjsCamera;

typedef struct mjsLight_ {  // light
  mjsElement* element;      // handle
  double pos[3];            // position
  double dir[3];            // direction of its axis
  mjtCamLight mode;         // how it follows bodies
  mjString* targetbody;     // body that it points at
  mjtByte active;           // switched on
  mjtLightType type;        // kind
  mjString* texture;        // picture of an image light
  mjtByte castshadow;       // casts shadows
  float bulbradius;         // radius, for soft shadows
  float intensity;          // candela, for renderers that know it
  float range;              // reach, for renderers that know it
  float attenuation[3];     // constant, linear and quadratic loss with distance
  float cutoff;             // half angle of a spot in degrees
  float exponent;           // sharpness of a spot
  float ambient[3];         // colour that reaches every surface
  float diffuse[3];         // colour scattered by lit surfaces
  float specular[3];        // colour of highlights
  mjString* info;           // where it was defined, for messages
} mjsLight;

typedef struct mjsFlex_ {  // deformable body
  mjsElement* element;     // handle
  int contype;             // collides where contype of one
  int conaffinity;         // meets conaffinity of the other
  int condim;              // constraint dimensions of contacts: 1, 3, 4, 6
  int priority;            // of two sides the higher one decides contact parameters
  double friction[3];      // sliding, spinning, rolling
  double solmix;           // weight in the mean of two sides' parameters
  mjtNum solref[mjNREF];   // contact: stiffness and damping
  mjtNum solimp[mjNIMP];   // contact: impedance
  double margin;           // contacts are found at this distance
  double gap;              // and make force at this much less
  int dim;                 // 1: lines, 2: triangles, 3: tetrahedra
  double radius;           // half thickness for collision
  double size[3];          // half sizes of the box of control points
  mjtByte internal;        // contacts inside an element
  mjtByte flatskin;        // flat shading
  int selfcollide;         // collisions with itself: mjtFlexSelf
  int vertcollide;         // vertices collide as balls
  int passive;             // contacts act as passive forces
  int activelayers;        // outer layers of a solid that collide
  int group;               // group
  double edgestiffness;    // edges: spring stiffness
  double edgedamping;      // edges: damping
  float rgba[4];           // colour and opacity
  mjString* material;      // material
  double young;            // Young's modulus
  double poisson;          // Poisson's ratio
  double damping;          // Rayleigh damping
  double thickness;        // thickness of a shell
  int elastic2d;           // shells: 0: no elasticity, 1: bending, 2: stretching, 3: both
  mjStringVec* nodebody;   // bodies of control points
  mjStringVec* vertbody;   // bodies of vertices
  mjDoubleVec* node;       // positions of control points in their bodies
  mjDoubleVec* vert;       // positions of vertices in their bodies
  mjIntVec* elem;          // vertices of elements
  mjFloatVec* texcoord;    // texture coordinates
  mjIntVec* elemtexcoord;  // texture coordinates of elements
  mjString* info;          // where it was defined, for messages
} mjsFlex;

typedef struct mjsMesh_ {      // mesh
  mjsElement* element;         // handle
  mjString* content_type;      // format of the file; empty: by its ending
  mjString* file;              // file
  double refpos[3];            // this point of the file becomes the origin
  double refquat[4];           // and this orientation the identity
  double scale[3];             // factors along the axes
  mjtMeshInertia inertia;      // how inertia is computed
  mjtByte smoothnormal;        // one normal per vertex and not per face
  mjtByte needsdf;             // is used as a signed distance function
  int maxhullvert;             // vertices that the convex hull may have; -1: any
  mjFloatVec* uservert;        // vertices, if there is no file
  mjFloatVec* usernormal;      // normals
  mjFloatVec* usertexcoord;    // texture coordinates
  mjIntVec* userface;          // faces by vertex
  mjIntVec* userfacenormal;    // faces by normal
  mjIntVec* userfacetexcoord;  // faces by texture coordinate
  mjsPlugin plugin;            // its plugin
  mjString* material;          // material
  mjString* info;              // where it was defined, for messages
} mjsMesh;

typedef struct mjsHField_ {  // height field
  mjsElement* element;       // handle
  mjString* content_type;    // format of the file; empty: by its ending
  mjString* file;            // file
  double size[4];            // half sizes along x and y, height of 1, thickness of the base
  int nrow;                  // rows
  int ncol;                  // columns
  mjFloatVec* userdata;      // heights, if there is no file
  mjString* info;            // where it was defined, for messages
} mjsHField;

typedef struct mjsSkin_ {     // skin
  mjsElement* element;        // handle
  mjString* file;             // file
  mjString* material;         // material
  float rgba[4];              // colour and opacity
  float inflate;              // distance that it is blown up
  int group;                  // group
  mjFloatVec* vert;           // vertices
  mjFloatVec* texcoord;       // texture coordinates
  mjIntVec* face;             // faces
  mjStringVec* bodyname;      // bodies that move it
  mjFloatVec* bindpos;        // their positions when it was bound
  mjFloatVec* bindquat;       // their orientations then
  mjIntVecVec* vertid;        // vertices that each body moves
  mjFloatVecVec* vertweight;  // and how strongly
  mjString* info;             // where it was defined, for messages
} mjsSkin;

typedef struct mjsTexture_ {  // texture
  mjsElement* element;        // handle
  mjtTexture type;            // how it covers a shape
  mjtColorSpace colorspace;   // how its bytes are meant
  int builtin;                // made without a file: mjtBuiltin
  int mark;                   // mark on it: mjtMark
  double rgb1[3];             // first colour
  double rgb2[3];             // second colour
  double markrgb[3];          // colour of the mark
  double random;              // share of texels that are random dots
  int height;                 // rows
  int width;                  // columns
  int nchannel;               // bytes per texel
  mjString* content_type;     // format of the file; empty: by its ending
  mjString* file;             // file
  int gridsize[2];            // rows and columns of faces in one file
  char gridlayout[12];        // which face is where: letters of RLUDFB, dots for none
  mjStringVec* cubefiles;     // files of the faces: right, left, up, down, front, back
  mjByteVec* data;            // texels, if there is no file
  mjtByte hflip;              // mirrored left to right
  mjtByte vflip;              // mirrored upside down
  mjString* info;             // where it was defined, for messages
} mjsTexture;

typedef struct mjsMaterial_ {  // material
  mjsElement* element;         // handle
  mjStringVec* textures;       // textures by mjtTextureRole
  mjtByte texuniform;          // repeat per size and not per object
  float texrepeat[2];          // repeats along both sides
  float emission;              // light it gives off
  float specular;              // strength of highlights
  float shininess;             // narrowness of highlights
  float reflectance;           // strength of mirror images
  float metallic;              // metalness; -1: not said
  float roughness;             // roughness; -1: not said
  float rgba[4];               // colour and opacity
  mjString* info;              // where it was defined, for messages
} mjsMaterial;

typedef struct mjsPair_ {         // contact parameters of two geoms
  mjsElement* element;            // handle
  mjString* geomname1;            // one geom
  mjString* geomname2;            // the other
  int condim;                     // constraint dimensions: 1, 3, 4, 6
  mjtNum solref[mjNREF];          // stiffness and damping
  mjtNum solreffriction[mjNREF];  // same for the tangents; 0 0: as the normal
  mjtNum solimp[mjNIMP];          // impedance
  double margin;                  // contacts are found at this distance
  double gap;                     // and make force at this much less
  double friction[5];             // sliding (2), spinning (1), rolling (2)
  mjString* info;                 // where it was defined, for messages
} mjsPair;

typedef struct mjsExclude_ {  // two bodies that do not collide
  mjsElement* element;        // handle
  mjString* bodyname1;        // one body
  mjString* bodyname2;        // the other
  mjString* info;             // where it was defined, for messages
} mjsExclude;

typedef struct mjsEquality_ {  // equality constraint
  mjsElement* element;         // handle
  mjtEq type;                  // kind
  double data[mjNEQDATA];      // numbers, by kind
  mjtByte active;              // switched on at the start
  mjString* name1;             // one object
  mjString* name2;             // the other; empty: world, or a constant
  mjtObj objtype;              // what the objects are: body or site, joint, ...
  mjtNum solref[mjNREF];       // stiffness and damping
  mjtNum solimp[mjNIMP];       // impedance
  mjString* info;              // where it was defined, for messages
} mjsEquality;

typedef struct mjsTendon_ {        // tendon
  mjsElement* element;             // handle
  double stiffness;                // spring: stiffness
  double springlength[2];          // spring: lengths without force, from to; -1 -1: as in qpos0
  double damping;                  // damping
  double frictionloss;             // dry friction
  mjtNum solref_friction[mjNREF];  // friction: stiffness and damping
  mjtNum solimp_friction[mjNIMP];  // friction: impedance
  double armature;                 // mass that moves along it
  int limited;                     // range in force? mjtLimited
  int actfrclimited;               // actfrcrange in force? mjtLimited
  double range[2];                 // range of lengths
  double actfrcrange[2];           // range of the sum of actuator forces
  double margin;                   // limit is active this far before the end of the range
  mjtNum solref_limit[mjNREF];     // limit: stiffness and damping
  mjtNum solimp_limit[mjNIMP];     // limit: impedance
  mjString* material;              // material
  double width;                    // radius when drawn
  float rgba[4];                   // colour and opacity
  int group;                       // group
  mjDoubleVec* userdata;           // the user's numbers
  mjString* info;                  // where it was defined, for messages
} mjsTendon;

typedef struct mjsWrap_ {  // part of a tendon's path
  mjsElement* element;     // handle
  mjtWrap type;            // kind
  mjString* info;          // where it was defined, for messages
} mjsWrap;

typedef struct mjsActuator_ {  // actuator
  mjsElement* element;         // handle
  mjtGain gaintype;            // gain: kind
  double gainprm[mjNGAIN];     // gain: its numbers
  mjtBias biastype;            // bias: kind
  double biasprm[mjNBIAS];     // bias: its numbers
  mjtDyn dyntype;              // activation: kind
  double dynprm[mjNDYN];       // activation: its numbers
  int actdim;                  // activation variables; -1: as the kind needs
  mjtByte actearly;            // force sees the activation of the coming step
  mjtTrn trntype;              // what it acts on: kind
  double gear[6];              // scale of length and force, by axis
  mjString* target;            // what it acts on: name
  mjString* refsite;           // site whose frame counts
  mjString* slidersite;        // slider-crank: site of the slider
  double cranklength;          // slider-crank: length of the rod
  double lengthrange[2];       // lengths it can reach; 0 0: computed where needed
  double inheritrange;         // range of controls from the target's, times this; 0: not
  int ctrllimited;             // ctrlrange in force? mjtLimited
  double ctrlrange[2];         // range of controls
  int forcelimited;            // forcerange in force? mjtLimited
  double forcerange[2];        // range of forces
  int actlimited;              // actrange in force? mjtLimited
  double actrange[2];          // range of activations
  int group;                   // group
  int nsample;                 // past controls that are kept
  int interp;                  // between them: 0: last one, 1: linear, 2: cubic
  double delay;                // control acts so many seconds late
  mjDoubleVec* userdata;       // the user's numbers
  mjsPlugin plugin;            // its plugin
  mjString* info;              // where it was defined, for messages
} mjsActuator;

typedef struct mjsSensor_ {  // sensor
  mjsElement* element;       // handle
  mjtSensor type;            // kind
  mjtObj objtype;            // what it is attached to: kind
  mjString* objname;         // what it is attached to: name
  mjtObj reftype;            // what it is relative to: kind
  mjString* refname;         // what it is relative to: name
  int intprm[mjNSENS];       // parameters, by kind
  mjtDataType datatype;      // what its readings are
  mjtStage needstage;        // after which stage it is read
  int dim;                   // numbers it reads
  double cutoff;             // readings are clipped to this; 0: not
  double noise;              // standard deviation, for the user; not applied
  int nsample;               // past readings that are kept
  int interp;                // between them: 0: last one, 1: linear, 2: cubic
  double delay;              // readings are so many seconds late
  double interval[2];        // seconds between readings, and offset (-period to 0)
  mjDoubleVec* userdata;     // the user's numbers
  mjsPlugin plugin;          // its plugin
  mjString* info;            // where it was defined, for messages
} mjsSensor;

typedef struct mjsNumeric_ {  // named numbers
  mjsElement* element;        // handle
  mjDoubleVec* data;          // the first ones
  int size;                   // how many there are
  mjString* info;             // where it was defined, for messages
} mjsNumeric;

typedef struct mjsText_ {  // named text
  mjsElement* element;     // handle
  mjString* data;          // the text
  mjString* info;          // where it was defined, for messages
} mjsText;

typedef struct mjsTuple_ {  // named list of objects
  mjsElement* element;      // handle
  mjIntVec* objtype;        // their kinds: mjtObj
  mjStringVec* objname;     // their names
  mjDoubleVec* objprm;      // a number for each
  mjString* info;           // where it was defined, for messages
} mjsTuple;

typedef struct mjsKey_ {  // keyframe
  mjsElement* element;    // handle
  double time;            // time
  mjDoubleVec* qpos;      // positions of joints
  mjDoubleVec* qvel;      // velocities of dofs
  mjDoubleVec* act;       // activations
  mjDoubleVec* mpos;      // positions of mocap bodies
  mjDoubleVec* mquat;     // orientations of mocap bodies
  mjDoubleVec* ctrl;      // controls
  mjString* info;         // where it was defined, for messages
} mjsKey;

typedef struct mjsDefault_ {  // class of default values
  mjsElement* element;        // handle
  mjsJoint* joint;            // for joints
  mjsGeom* geom;              // for geoms
  mjsSite* site;              // for sites
  mjsCamera* camera;          // for cameras
  mjsLight* light;            // for lights
  mjsFlex* flex;              // for flexes
  mjsMesh* mesh;              // for meshes
  mjsMaterial* material;      // for materials
  mjsPair* pair;              // for contact pairs
  mjsEquality* equality;      // for equalities
  mjsTendon* tendon;          // for tendons
  mjsActuator* actuator;      // for actuators
} mjsDefault;

#endif  // MUJOCO_MJSPEC_H_
