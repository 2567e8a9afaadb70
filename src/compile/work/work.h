// The workspace that all passes of a compilation share, and what they do alike.
//
// mj_compile makes one ct_Compiler, runs the passes of compile.c in order and releases the
// workspace whatever happens. A pass looks at working copies, not at the spec: a copy holds the
// values of the public struct at the start (`v`, whose strings and vectors are still the spec's),
// which the passes overwrite by resolved ones (v.pos of a geom in a frame becomes its position in
// the body), and beside them what is derived. Working copies are listed by type in the order of the
// model and by body in the order of the spec. A reference to another element is a pointer to its
// copy, never an id: ids change until all elements that will not be in the model are gone, and are
// read from `head.id` when the model is filled.
//
// Mistakes end the compilation by ct_fail, from anywhere in the thread that called mj_compile.
// Memory comes from c->pool, or is released by somebody that c knows of: ct_fail does not return.

#ifndef CT_COMPILE_WORK_WORK_H_
#define CT_COMPILE_WORK_WORK_H_

#include <mujoco/mujoco.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/hash_table.h"
#include "base/pool.h"
#include "spec/pose.h"
#include "spec/spec.h"

#ifdef __GNUC__
#define CT_NORETURN __attribute__((noreturn))
#define CT_PRINTF(format_, values_) __attribute__((format(printf, format_, values_)))
#else
#define CT_NORETURN
#define CT_PRINTF(format_, values_)
#endif

// Poses are the same if no number differs by this much.
#define CT_FRAME_TOLERANCE 1e-6

// Working copies

typedef struct ct_Work_ {  // what all working copies begin with
  ct_Element* element;
  int id;         // position in the list of its type; in the end, in the model
  bool used;      // is referred to by an element that keeps it from being discarded as visual
  bool discard;   // will not be in the model
  bool mistaken;  // a mistake in it has been reported; later passes leave it alone
} ct_Work;

typedef struct ct_WorkList_ {
  ct_Work** item;
  int count;
  size_t room;
} ct_WorkList;

// Element i of a list, as the type that it is.
#define CT_WORK(type_, list_, i_) ((type_*)(list_).item[i_])

typedef struct ct_BodyTree_ {  // bounding volume hierarchy of a body, nodes in preorder
  int nnode, room;
  bool outdated;  // the body has got more geoms since
  int* depth;
  int* child;  // (nnode x 2)
  struct ct_WorkGeom_**
      leaf;     // geom of a leaf; of an inner node, what was there before (see bvh.c)
  double* box;  // (nnode x 6) centre, half sizes
} ct_BodyTree;

typedef struct ct_WorkBody_ {
  ct_Work head;
  mjsBody v;                     // pose, inertial pose, mass, inertia: resolved
  struct ct_WorkBody_* parent;   // NULL: the world
  struct ct_WorkBody_* weld;     // nearest body up to this one with joints; the world if none has
  ct_WorkList child[CT_NCHILD];  // without frames
  ct_Work* plugin;               // instance, or NULL
  int contype, conaffinity;
  double margin;
  ct_BodyTree tree;
  int surplus;  // rows of tree nodes that its fusions left behind
  int dofnum, dofadr, mocapid;
  int sameframe, simple;  // as in the model
} ct_WorkBody;

typedef struct ct_WorkJoint_ {
  ct_Work head;
  mjsJoint v;  // position, axis, range, ref in the model's terms
  ct_WorkBody* body;
  bool limited, actfrclimited;
  int nq, nv;  // coordinates, dofs
  int qposadr, dofadr;
} ct_WorkJoint;

typedef struct ct_WorkGeom_ {
  ct_Work head;
  mjsGeom v;  // pose and size as in the model
  ct_WorkBody* body;
  struct ct_WorkMesh_* mesh;  // also of a primitive fitted to it
  struct ct_WorkHField_* hfield;
  struct ct_WorkMaterial_* material;
  ct_Work* plugin;
  bool visual;              // cannot collide
  bool infers;              // contributes mass and inertia to its body
  double mass, inertia[3];  // about its own frame
  double aabb[6];           // centre, half sizes in its own frame
  double rbound;
  double fluid[mjNFLUID];
  double mesh_pos[3], mesh_quat[4];  // pose by which its mesh moved it
} ct_WorkGeom;

typedef struct ct_WorkSite_ {
  ct_Work head;
  mjsSite v;
  ct_WorkBody* body;
  struct ct_WorkMaterial_* material;
} ct_WorkSite;

typedef struct ct_WorkCamera_ {
  ct_Work head;
  mjsCamera v;  // pose, fovy, intrinsic: resolved
  ct_WorkBody* body;
  ct_WorkBody* target;  // or NULL
} ct_WorkCamera;

typedef struct ct_WorkLight_ {
  ct_Work head;
  mjsLight v;
  ct_WorkBody* body;
  ct_WorkBody* target;              // or NULL
  struct ct_WorkTexture_* texture;  // or NULL
} ct_WorkLight;

// Assets

typedef struct ct_WorkMesh_ {
  ct_Work head;
  mjsMesh v;
  struct ct_WorkMaterial_* material;  // of geoms that have none, or NULL
  ct_Work* plugin;
  bool needs_hull;                  // marked before meshes are compiled
  bool needs_sdf;                   // is used by an sdf geom
  const struct ct_WorkMesh_* same;  // an earlier mesh that comes out the same, or NULL

  // results that geoms and sizes need; vertices are in the mesh's own frame
  double min[3], max[3];   // bounds of all vertices
  double pos[3], quat[4];  // the mesh's frame in the frame of the file
  double box[3];           // half sizes of the box of equal inertia
  double volume;           // or surface, by the mesh's way of inertia
  int nnode;               // of its bounding volume tree
  int bvhadr;              // first of them in the model; set before ct_copy_meshes

  struct ct_MeshArrays_* arrays;  // everything else, the mesh compiler's own
} ct_WorkMesh;

typedef struct ct_WorkHField_ {
  ct_Work head;
  mjsHField v;
  float* data;  // (v.nrow x v.ncol), normalised
} ct_WorkHField;

typedef struct ct_WorkTexture_ {
  ct_Work head;
  mjsTexture v;  // height, width, nchannel: of the pixels
  const unsigned char* pixel;
  size_t npixel;  // bytes
} ct_WorkTexture;

typedef struct ct_WorkMaterial_ {
  ct_Work head;
  mjsMaterial v;
  ct_WorkTexture* texture[mjNTEXROLE];  // by role, or NULL
} ct_WorkMaterial;

typedef struct ct_WorkSkin_ {
  ct_Work head;
  mjsSkin v;
  ct_WorkMaterial* material;
  struct ct_SkinArrays_* arrays;  // the skin compiler's own
} ct_WorkSkin;

typedef struct ct_WorkFlex_ {
  ct_Work head;
  mjsFlex v;
  ct_WorkMaterial* material;
  struct ct_FlexArrays_* arrays;  // the flex compiler's own
} ct_WorkFlex;

// Elements outside the tree

typedef struct ct_WorkPair_ {
  ct_Work head;
  mjsPair v;  // no undefined numbers left
  ct_WorkGeom *geom1, *geom2;
  int signature;
} ct_WorkPair;

typedef struct ct_WorkExclude_ {
  ct_Work head;
  mjsExclude v;
  ct_WorkBody *body1, *body2;
  int signature;
} ct_WorkExclude;

typedef struct ct_WorkEquality_ {
  ct_Work head;
  mjsEquality v;
  ct_Work *object1, *object2;  // of the type that v.type and v.objtype say; NULL: none
} ct_WorkEquality;

typedef struct ct_WorkWrap_ {  // part of a tendon's path
  const ct_Wrap* wrap;
  mjtWrap type;
  ct_Work* object;    // joint, site or geom; NULL: pulley
  ct_WorkSite* side;  // or NULL
  double number;      // coefficient or divisor
} ct_WorkWrap;

typedef struct ct_WorkTendon_ {
  ct_Work head;
  mjsTendon v;
  ct_WorkMaterial* material;
  ct_WorkWrap* path;
  int npath;
  bool limited, actfrclimited;
} ct_WorkTendon;

typedef struct ct_WorkActuator_ {
  ct_Work head;
  mjsActuator v;
  ct_Work* object[2];  // of trnid; NULL: -1
  ct_Work* plugin;
  bool ctrllimited, forcelimited, actlimited;
  int actadr;  // in the model; -1: no activation
} ct_WorkActuator;

typedef struct ct_WorkSensor_ {
  ct_Work head;
  mjsSensor v;
  ct_Work *object, *reference;  // or NULL
  ct_Work* plugin;
} ct_WorkSensor;

typedef struct ct_WorkNumeric_ {
  ct_Work head;
  mjsNumeric v;
} ct_WorkNumeric;

typedef struct ct_WorkText_ {
  ct_Work head;
  mjsText v;
} ct_WorkText;

typedef struct ct_WorkTuple_ {
  ct_Work head;
  mjsTuple v;
  ct_Work** object;  // one per entry
} ct_WorkTuple;

typedef struct ct_WorkKey_ {
  ct_Work head;
  mjsKey v;
} ct_WorkKey;

typedef struct ct_WorkPlugin_ {
  ct_Work head;
  mjsPlugin v;
  int slot;    // of the registry
  char* attr;  // values in the plugin's order, each closed by a zero
  int nattr;   // bytes
} ct_WorkPlugin;

// The compilation

typedef struct ct_NameTable_ {  // from names to positions at the time of numbering
  ct_HashTable table;
  const char** name;  // by position
  int nname;
  int nameless;  // last object without a name; -1: all have one
} ct_NameTable;

typedef struct ct_Dofs_ {  // degrees of freedom in the order of the model
  ct_WorkJoint** joint;
  int* parent;     // -1: first of a tree
  int* chain;      // how many dofs from this one to the root, itself included
  int* end;        // one after the last dof below this one
  int* simplenum;  // simple dofs in a row from here on
} ct_Dofs;

// Where the state of an element stood before this compilation.
typedef struct ct_FormerPlace_ {
  ct_Element* element;
  ct_StatePlace place;
} ct_FormerPlace;

typedef struct ct_Compiler_ {
  ct_Pool pool;
  ct_Spec* spec;
  const mjsCompiler* settings;  // of the top level; elements have their own, ct_settings
  const mjVFS* vfs;
  ct_Pool scratch;                                 // for the asset that is being compiled
  mjResource* file;                                // of that asset, while it is open
  struct ct_Crew_* crew;                           // that this thread is part of; NULL: it is alone
  jmp_buf* escape;                                 // where ct_fail goes
  char message[1000];                              // of the failure
  void (*report)(void* arg, const char* message);  // a spec is only checked: gets all mistakes
  void* report_arg;
  int nmistake;                 // reported so far
  bool stopped;                 // by ct_stop_if_mistaken
  char warning[1000];           // last one; empty: none
  ct_WorkList list[mjNOBJECT];  // by type, in the order of the model
  ct_NameTable names[mjNOBJECT];
  int* body_position;  // present position of the body with this first number; -1: fused
  int nuser_body, nuser_jnt, nuser_geom, nuser_site, nuser_cam, nuser_tendon, nuser_actuator,
      nuser_sensor;              // as the spec says, or the longest
  ct_Dofs dof;                   // from ct_size_tree on
  mjModel size;                  // only its sizes; the passes add theirs
  mjModel* model;                // NULL until sizes are known
  mjData* data;                  // while constants are computed
  mjStatistic computed;          // before those that are given take their place
  ct_FormerPlace* former_place;  // of the elements whose places were given out anew
  int nformer_place;             // 0: none were, the spec still speaks of its last model
  ct_KeySizes former_state_sizes;
} ct_Compiler;

// Typed access to the lists: how many, and the i-th.
#define CT_COUNT(c_, type_) ((c_)->list[type_].count)
static inline ct_WorkBody* ct_body_at(const ct_Compiler* c, int i) {
  return CT_WORK(ct_WorkBody, c->list[mjOBJ_BODY], i);
}
static inline ct_WorkJoint* ct_joint_at(const ct_Compiler* c, int i) {
  return CT_WORK(ct_WorkJoint, c->list[mjOBJ_JOINT], i);
}
static inline ct_WorkGeom* ct_geom_at(const ct_Compiler* c, int i) {
  return CT_WORK(ct_WorkGeom, c->list[mjOBJ_GEOM], i);
}
static inline ct_WorkSite* ct_site_at(const ct_Compiler* c, int i) {
  return CT_WORK(ct_WorkSite, c->list[mjOBJ_SITE], i);
}
static inline ct_WorkMesh* ct_mesh_at(const ct_Compiler* c, int i) {
  return CT_WORK(ct_WorkMesh, c->list[mjOBJ_MESH], i);
}

// Id for an array of the model: -1 for no object.
static inline int ct_id(const ct_Work* w) {
  return w ? w->id : -1;
}
#define CT_ID(work_) ((work_) ? (work_)->head.id : -1)

static inline bool ct_is_world(const ct_WorkBody* b) {
  return b->parent == NULL;
}

// Errors and warnings (errors.c)

// Ends the compilation. The message is preceded by where and what the element is (NULL: nothing).
CT_NORETURN void ct_fail(ct_Compiler* c, const ct_Element* e, const char* format, ...)
    CT_PRINTF(3, 4);

// Ends the compilation with a message, and beneath it, if a program made the element, with what
// programs look for in messages: a sentence that they know, the element, and its info. Those read
// from files have file and line in front and no such lines.
CT_NORETURN void ct_fail_as_known(ct_Compiler* c, const ct_Element* e, const char* known,
                                  const char* format, ...) CT_PRINTF(4, 5);

// The same for the model as a whole, by where a setting stands if a file has it.
CT_NORETURN void ct_fail_setting(ct_Compiler* c, ct_Setting setting, const char* format, ...)
    CT_PRINTF(3, 4);

// Ends the compilation with a message that says where already.
CT_NORETURN void ct_fail_as_told(ct_Compiler* c, const char* message);

// Keeps a message that does not prevent a model; the last one counts.
void ct_warn(ct_Compiler* c, const ct_Element* e, const char* format, ...) CT_PRINTF(3, 4);

// Like ct_fail for an element, but returns when a spec is only checked.
void ct_complain(ct_Compiler* c, const ct_Element* e, const char* format, ...) CT_PRINTF(3, 4);

// Compiles an element, or those of a list one by one. When a spec is only checked, a mistake ends
// one element and not the loop, and the element is not looked at again; ct_stop_if_mistaken ends
// the compilation at a point beyond which elements that are wrong would do harm.
typedef void (*ct_CompileOne)(ct_Compiler* c, ct_Work* work);
void ct_one(ct_Compiler* c, ct_Work* work, ct_CompileOne compile);
void ct_each(ct_Compiler* c, const ct_WorkList* list, ct_CompileOne compile);
void ct_stop_if_mistaken(ct_Compiler* c);

// The same with mju_error and mju_warning of this thread coming here as failures and warnings.
bool ct_listen_and_attempt(ct_Compiler* c, void (*pass)(ct_Compiler* c));

// Workspace, ids and names (workspace.c, lookup.c)

void ct_make_workspace(ct_Compiler* c);  // copies of all elements, in the order of the spec
void ct_work_append(ct_Compiler* c, ct_WorkList* list, ct_Work* w);
void ct_work_restart(ct_Work* w);              // values as in the spec again
const void* ct_work_values(const ct_Work* w);  // the public struct, as far as it is resolved
void ct_number_list(ct_WorkList* list);        // ids by position
void ct_number_tree(ct_Compiler* c);           // lists of joints, geoms ... anew, body by body
void ct_drop_discarded(ct_WorkList* list);     // closes the gaps and numbers the rest
void ct_make_names(ct_Compiler* c);            // tables of names; repeats are refused

// The working copy of the element of this type with this name; NULL: none. Follows the reference in
// what names mean during and after the fusing of static bodies, and in that an empty name is the
// last object without one.
ct_Work* ct_lookup(const ct_Compiler* c, mjtObj type, const char* name);

// The same for a reference that may not be missing: fails with e's place, the attribute that
// refers, and the name.
ct_Work* ct_lookup_or_fail(ct_Compiler* c, const ct_Element* e, const char* attribute, mjtObj type,
                           const char* name);

// Rules shared by several elements (rules.c)

// Is a range in force? Fails if it cannot be told (autolimits off, limited auto, range given).
bool ct_is_limited(ct_Compiler* c, const ct_Element* e, const char* attribute, int limited,
                   const double range[2]);

// User numbers: refuses too many; copies into a row that is zero.
void ct_check_user(ct_Compiler* c, const ct_Element* e, const mjDoubleVec* user, int nuser);
void ct_copy_user(mjtNum* row, const mjDoubleVec* user);

// Overrides quat by the orientation that is given otherwise, if one is.
void ct_resolve_orientation(ct_Compiler* c, const ct_Element* e, double quat[4],
                            const mjsOrientation* alternative);

// The frame that an element is in, with its pose in the body; NULL: in none.
const ct_Frame* ct_frame_of(ct_Compiler* c, const ct_Element* e);
void ct_compile_frame(ct_Compiler* c, ct_Element* frame);

// Composes a pose with the frame of its element, if it is in one.
void ct_apply_frame(ct_Compiler* c, const ct_Element* e, double pos[3], double quat[4]);

// Principal axes and moments, decreasing, of a symmetric matrix (3 x 3); false if the smallest is
// not positive. (principal_axes.c)
bool ct_principal_axes(double moment[3], double quat[4], const double matrix[9]);

#endif  // CT_COMPILE_WORK_WORK_H_
