// The abstract scene: what there is to see of a model and its data, as lists of geoms and lights
// and as cameras, without a word about how it is drawn; and what the mouse does to it.

#ifndef MUJOCO_MJVISUALIZE_H_
#define MUJOCO_MJVISUALIZE_H_

#include <mujoco/mjdata.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjtnum.h>

// clang-format off
#define mjNGROUP       6     // groups that can be switched on and off
#define mjMAXLIGHT     100   // lights in a scene
#define mjMAXOVERLAY   500   // characters in a text overlay
#define mjMAXLINE      100   // lines in a figure
#define mjMAXLINEPNT   1001  // points in a line of a figure
#define mjMAXPLANEGRID 200   // grid divisions of a plane

typedef enum mjtCatBit_ {  // categories of geoms in a scene
  mjCAT_STATIC  = 1,       // bodies that cannot move
  mjCAT_DYNAMIC = 2,       // bodies that can
  mjCAT_DECOR   = 4,       // what is added to explain
  mjCAT_ALL     = 7,       // all three
} mjtCatBit;

typedef enum mjtMouse_ {   // what dragging the mouse does
  mjMOUSE_NONE       = 0,  // nothing
  mjMOUSE_ROTATE_V   = 1,  // turns about the vertical and the sideways axis
  mjMOUSE_ROTATE_H   = 2,  // turns about the viewing and the sideways axis
  mjMOUSE_MOVE_V     = 3,  // moves sideways and up
  mjMOUSE_MOVE_H     = 4,  // moves sideways and forward
  mjMOUSE_ZOOM       = 5,  // moves towards or away
  mjMOUSE_MOVE_V_REL = 6,  // moves sideways and up, by the axes of the thing moved
  mjMOUSE_MOVE_H_REL = 7,  // moves sideways and forward, likewise
} mjtMouse;

typedef enum mjtPertBit_ {    // what the mouse does to a selected body
  mjPERT_TRANSLATE = 1 << 0,  // pulls
  mjPERT_ROTATE    = 1 << 1,  // twists
} mjtPertBit;

typedef enum mjtCamera_ {  // kinds of abstract camera
  mjCAMERA_FREE     = 0,   // turns around a point
  mjCAMERA_TRACKING = 1,   // turns around a body and follows it
  mjCAMERA_FIXED    = 2,   // is a camera of the model
  mjCAMERA_USER     = 3,   // is set by the user, who fills mjvScene.camera
} mjtCamera;

typedef enum mjtLabel_ {      // which objects carry their name
  mjLABEL_NONE         = 0,   // none
  mjLABEL_BODY         = 1,   // bodies
  mjLABEL_JOINT        = 2,   // joints
  mjLABEL_GEOM         = 3,   // geoms
  mjLABEL_SITE         = 4,   // sites
  mjLABEL_CAMERA       = 5,   // cameras
  mjLABEL_LIGHT        = 6,   // lights
  mjLABEL_TENDON       = 7,   // tendons
  mjLABEL_ACTUATOR     = 8,   // actuators
  mjLABEL_CONSTRAINT   = 9,   // equality constraints
  mjLABEL_FLEX         = 10,  // flexes
  mjLABEL_SKIN         = 11,  // skins
  mjLABEL_SELECTION    = 12,  // the selected body
  mjLABEL_SELPNT       = 13,  // the selected point, with its coordinates
  mjLABEL_CONTACTPOINT = 14,  // contacts
  mjLABEL_CONTACTFORCE = 15,  // contact forces, with their size
  mjLABEL_ISLAND       = 16,  // islands
  mjNLABEL             = 17,  // number of choices
} mjtLabel;

typedef enum mjtFrame_ {  // which frames are drawn
  mjFRAME_NONE    = 0,    // none
  mjFRAME_BODY    = 1,    // bodies
  mjFRAME_GEOM    = 2,    // geoms
  mjFRAME_SITE    = 3,    // sites
  mjFRAME_CAMERA  = 4,    // cameras
  mjFRAME_LIGHT   = 5,    // lights
  mjFRAME_CONTACT = 6,    // contacts
  mjFRAME_WORLD   = 7,    // the world
  mjNFRAME        = 8,    // number of choices
} mjtFrame;

typedef enum mjtVisFlag_ {  // what is shown: mjvOption.flags
  mjVIS_CONVEXHULL   = 0,   // convex hulls in place of meshes
  mjVIS_TEXTURE      = 1,   // textures
  mjVIS_JOINT        = 2,   // joints
  mjVIS_CAMERA       = 3,   // cameras
  mjVIS_ACTUATOR     = 4,   // actuators
  mjVIS_ACTIVATION   = 5,   // activations in place of controls, as colour
  mjVIS_LIGHT        = 6,   // lights
  mjVIS_TENDON       = 7,   // tendons
  mjVIS_RANGEFINDER  = 8,   // rays of rangefinders
  mjVIS_CONSTRAINT   = 9,   // equality constraints
  mjVIS_INERTIA      = 10,  // inertias of bodies
  mjVIS_SCLINERTIA   = 11,  // inertia sizes by mass
  mjVIS_PERTFORCE    = 12,  // forces on bodies
  mjVIS_PERTOBJ      = 13,  // what the mouse pulls
  mjVIS_CONTACTPOINT = 14,  // contact points
  mjVIS_ISLAND       = 15,  // islands by colour
  mjVIS_CONTACTFORCE = 16,  // contact forces
  mjVIS_CONTACTSPLIT = 17,  // contact forces by normal and tangent
  mjVIS_TRANSPARENT  = 18,  // moving bodies half transparent
  mjVIS_AUTOCONNECT  = 19,  // rods from joint to joint, as a skeleton
  mjVIS_COM          = 20,  // centres of mass of subtrees
  mjVIS_SELECT       = 21,  // the selected point
  mjVIS_STATIC       = 22,  // bodies that cannot move
  mjVIS_SKIN         = 23,  // skins
  mjVIS_FLEXVERT     = 24,  // vertices of flexes
  mjVIS_FLEXEDGE     = 25,  // edges of flexes
  mjVIS_FLEXFACE     = 26,  // faces of flexes
  mjVIS_FLEXSKIN     = 27,  // smooth surfaces of flexes; hides the other three
  mjVIS_BODYBVH      = 28,  // bounding volumes of bodies
  mjVIS_MESHBVH      = 29,  // bounding volumes of meshes and flexes
  mjVIS_SDFITER      = 30,  // iterations of signed distance collision
  mjNVISFLAG         = 31,  // number of flags
} mjtVisFlag;

typedef enum mjtRndFlag_ {  // how it is drawn: mjvScene.flags
  mjRND_SHADOW     = 0,     // shadows
  mjRND_WIREFRAME  = 1,     // edges of triangles only
  mjRND_REFLECTION = 2,     // mirror images in reflective materials
  mjRND_ADDITIVE   = 3,     // colours add up where geoms are transparent
  mjRND_SKYBOX     = 4,     // sky
  mjRND_FOG        = 5,     // fog
  mjRND_HAZE       = 6,     // haze at the horizon
  mjRND_DEPTH      = 7,     // depth as grey
  mjRND_SEGMENT    = 8,     // one plain colour per geom
  mjRND_IDCOLOR    = 9,     // that colour tells segid + 1
  mjRND_CULL_FACE  = 10,    // back sides are skipped
  mjNRNDFLAG       = 11,    // number of flags
} mjtRndFlag;

typedef enum mjtStereo_ {     // pictures for two eyes
  mjSTEREO_NONE         = 0,  // one picture, from between the eyes
  mjSTEREO_QUADBUFFERED = 1,  // left and right buffers of the window
  mjSTEREO_SIDEBYSIDE   = 2,  // two halves of the picture
} mjtStereo;
// clang-format on

typedef struct mjvPerturb_ {  // what the mouse has selected and does to it
  int select;                 // selected body; 0: none
  int flexselect;             // selected flex; -1: none
  int skinselect;             // selected skin; -1: none
  int active;                 // mouse button held: bits of mjtPertBit
  int active2;                // second button held, likewise
  mjtNum refpos[3];           // where the body's inertial frame is to be
  mjtNum refquat[4];          // orientation it is to have
  mjtNum refselpos[3];        // where the selected point is to be
  mjtNum localpos[3];         // selected point, body frame
  mjtNum localmass;           // effective mass at that point
  mjtNum scale;               // world distance per mouse motion
} mjvPerturb;

typedef struct mjvCamera_ {  // camera as users think of it
  int type;                  // mjtCamera
  int fixedcamid;            // camera of the model, if fixed
  int trackbodyid;           // body to follow, if tracking
  mjtNum lookat[3];          // point to look at
  mjtNum distance;           // from the camera to that point
  mjtNum azimuth;            // turn about the vertical axis, degrees
  mjtNum elevation;          // tilt out of the horizontal plane, degrees; below: negative
  int orthographic;          // 0: perspective, 1: parallel projection
} mjvCamera;

typedef struct mjvGLCamera_ {  // camera as OpenGL thinks of it
  float pos[3];                // position
  float forward[3];            // viewing direction
  float up[3];                 // direction that is up in the picture
  float frustum_center;        // middle of the near plane, sideways
  float frustum_width;         // half width of the near plane; 0: from the aspect ratio
  float frustum_bottom;        // lower edge of the near plane
  float frustum_top;           // upper edge of the near plane
  float frustum_near;          // distance of the near plane
  float frustum_far;           // distance of the far plane
  int orthographic;            // 0: perspective, 1: parallel projection
} mjvGLCamera;

typedef struct mjvGeom_ {  // geom of a scene
  int type;                // mjtGeom
  int dataid;              // height field, plane, 2 mesh or 2 mesh + 1 (its hull); -1: none
  int objtype;             // what it stands for: mjtObj
  int objid;               // and which one; -1: none
  int category;            // mjtCatBit
  int matid;               // material; -1: none
  int texcoord;            // has texture coordinates of its own
  int segid;               // place in the list, for segmentation; -1: not shown there
  float size[3];           // half sizes; see mjModel.geom_size
  float pos[3];            // centre
  float mat[9];            // orientation
  float rgba[4];           // colour and opacity
  float emission;          // light it gives off
  float specular;          // strength of highlights
  float shininess;         // narrowness of highlights
  float reflectance;       // strength of mirror images
  char label[100];         // text beside it; empty: none
  float camdist;           // distance from the camera; set when drawn
  float modelrbound;       // radius of the model's geom; 0: not from one
  mjtByte transparent;     // is drawn after what is opaque; set when drawn
} mjvGeom;

typedef struct mjvLight_ {  // light of a scene
  int id;                   // light of the model; -1: headlight
  float pos[3];             // position
  float dir[3];             // direction of its axis
  int type;                 // mjtLightType
  int texid;                // picture of an image light; -1: none
  float attenuation[3];     // constant, linear and quadratic loss with distance
  float cutoff;             // half angle of a spot in degrees
  float exponent;           // sharpness of a spot
  float ambient[3];         // colour that reaches every surface
  float diffuse[3];         // colour scattered by lit surfaces
  float specular[3];        // colour of highlights
  mjtByte headlight;        // is the headlight
  mjtByte castshadow;       // casts shadows
  float bulbradius;         // radius, for soft shadows
  float intensity;          // candela, for renderers that know it
  float range;              // reach, for renderers that know it
} mjvLight;

typedef struct mjvOption_ {         // what a scene shows
  int label;                        // names: mjtLabel
  int frame;                        // frames: mjtFrame
  mjtByte geomgroup[mjNGROUP];      // geoms of which groups
  mjtByte sitegroup[mjNGROUP];      // sites of which groups
  mjtByte jointgroup[mjNGROUP];     // joints of which groups
  mjtByte tendongroup[mjNGROUP];    // tendons of which groups
  mjtByte actuatorgroup[mjNGROUP];  // actuators of which groups
  mjtByte flexgroup[mjNGROUP];      // flexes of which groups
  mjtByte skingroup[mjNGROUP];      // skins of which groups
  mjtByte flags[mjNVISFLAG];        // bits as bytes: mjtVisFlag
  int bvh_depth;                    // level of bounding volumes to show
  int flex_layer;                   // layer of solid flexes to show
} mjvOption;

typedef struct mjvScene_ {      // everything there is to draw
  int maxgeom;                  // room for geoms
  int ngeom;                    // how many there are
  mjvGeom* geoms;               // (maxgeom) the geoms
  int* geomorder;               // (maxgeom) their order of drawing, by distance
  int nflex;                    // flexes
  int* flexedgeadr;             // (nflex) first edge
  int* flexedgenum;             // (nflex) edges
  int* flexvertadr;             // (nflex) first vertex
  int* flexvertnum;             // (nflex) vertices
  int* flexfaceadr;             // (nflex) first face
  int* flexfacenum;             // (nflex) room for faces
  int* flexfaceused;            // (nflex) faces to draw
  int* flexedge;                // (nflexedge x 2) vertices of edges
  float* flexvert;              // (nflexvert x 3) positions of vertices
  float* flexface;              // (faces x 9) positions of corners
  float* flexnormal;            // (faces x 9) normals at corners
  float* flextexcoord;          // (faces x 6) texture coordinates at corners
  mjtByte flexvertopt;          // mjVIS_FLEXVERT when it was made
  mjtByte flexedgeopt;          // mjVIS_FLEXEDGE when it was made
  mjtByte flexfaceopt;          // mjVIS_FLEXFACE when it was made
  mjtByte flexskinopt;          // mjVIS_FLEXSKIN when it was made
  int nskin;                    // skins
  int* skinfacenum;             // (nskin) faces
  int* skinvertadr;             // (nskin) first vertex
  int* skinvertnum;             // (nskin) vertices
  float* skinvert;              // (nskinvert x 3) positions
  float* skinnormal;            // (nskinvert x 3) normals
  int nlight;                   // lights
  mjvLight lights[mjMAXLIGHT];  // the lights
  mjvGLCamera camera[2];        // left eye, right eye
  mjtByte enabletransform;      // the three below apply
  float translate[3];           // model to room: shift
  float rotate[4];              // model to room: turn
  float scale;                  // model to room: factor
  int stereo;                   // mjtStereo
  mjtByte flags[mjNRNDFLAG];    // bits as bytes: mjtRndFlag
  int framewidth;               // pixels of a frame around the picture; 0: none
  float framergb[3];            // its colour
  int status;                   // 0: fine, 1: geoms were left out
} mjvScene;

typedef struct mjvFigure_ {       // curves over two axes
  int flg_legend;                 // name lines
  int flg_ticklabel[2];           // numbers along x, along y
  int flg_extend;                 // widen fixed ranges to the data
  int flg_barplot;                // bars: pairs of points are lines
  int flg_selection;              // vertical line at selection
  int flg_symmetric;              // y range symmetric about 0
  float linewidth;                // pixels of curves
  float gridwidth;                // pixels of grid lines
  int gridsize[2];                // grid points along x, along y
  float gridrgb[3];               // colour of the grid
  float figurergba[4];            // colour around the axes
  float panergba[4];              // colour between the axes
  float legendrgba[4];            // colour behind names
  float textrgb[3];               // colour of texts
  float linergb[mjMAXLINE][3];    // colours of lines
  float range[2][2];              // x from, to; y from, to; from >= to: automatic
  char xformat[20];               // printf format of x numbers
  char yformat[20];               // printf format of y numbers
  char minwidth[20];              // text as wide as y numbers at least are
  char title[1000];               // title; parts for subplots are separated by two spaces
  char xlabel[100];               // text below the x axis
  char linename[mjMAXLINE][100];  // names of lines; empty: not named
  int legendoffset;               // first line to be named
  int subplot;                    // part of the title that is bright
  int highlight[2];               // pixel that the mouse points at
  int highlightid;                // line to emphasise when it points at none; -1: none
  float selection;                // x of the vertical line
  int linepnt[mjMAXLINE];         // points per line
  float linedata[mjMAXLINE][2 * mjMAXLINEPNT];  // x and y of the points, in turn
  int xaxispixel[2];                            // drawn: first and last pixel of x axis
  int yaxispixel[2];                            // drawn: first and last pixel of y axis
  float xaxisdata[2];                           // drawn: range of x axis
  float yaxisdata[2];                           // drawn: range of y axis
} mjvFigure;

#endif  // MUJOCO_MJVISUALIZE_H_
