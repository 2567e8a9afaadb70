// The data: everything about one simulation that changes with time. Its state, what a step computes
// from it, contacts, statistics, and the types of functions that users may hook into a step.

#ifndef MUJOCO_MJDATA_H_
#define MUJOCO_MJDATA_H_

#include <stddef.h>
#include <stdint.h>

#include <mujoco/mjmodel.h>
#include <mujoco/mjthread.h>
#include <mujoco/mjtnum.h>

// clang-format off
typedef enum mjtState_ {           // parts of a state vector, bits for mj_getState
  mjSTATE_TIME         = 1 << 0,   // time
  mjSTATE_QPOS         = 1 << 1,   // positions of joints
  mjSTATE_QVEL         = 1 << 2,   // velocities of dofs
  mjSTATE_ACT          = 1 << 3,   // activations
  mjSTATE_HISTORY      = 1 << 4,   // past controls and readings
  mjSTATE_WARMSTART    = 1 << 5,   // accelerations that the solver starts from
  mjSTATE_CTRL         = 1 << 6,   // controls
  mjSTATE_QFRC_APPLIED = 1 << 7,   // forces on dofs
  mjSTATE_XFRC_APPLIED = 1 << 8,   // forces on bodies
  mjSTATE_EQ_ACTIVE    = 1 << 9,   // which equalities are on
  mjSTATE_MOCAP_POS    = 1 << 10,  // where mocap bodies are
  mjSTATE_MOCAP_QUAT   = 1 << 11,  // how mocap bodies are turned
  mjSTATE_USERDATA     = 1 << 12,  // the user's numbers
  mjSTATE_PLUGIN       = 1 << 13,  // state of plugins
  mjNSTATE             = 14,       // number of parts
  mjSTATE_PHYSICS      = 30,       // positions, velocities, activations, history
  mjSTATE_FULLPHYSICS  = 8223,     // those, time and plugins
  mjSTATE_USER         = 8128,     // what users write: controls, forces, mocap, ...
  mjSTATE_INTEGRATION  = 16383,    // everything that decides the next step
} mjtState;

typedef enum mjtConstraint_ {        // kinds of constraint row: efc_type
  mjCNSTR_EQUALITY             = 0,  // equality
  mjCNSTR_FRICTION_DOF         = 1,  // friction loss of a dof
  mjCNSTR_FRICTION_TENDON      = 2,  // friction loss of a tendon
  mjCNSTR_LIMIT_JOINT          = 3,  // limit of a joint
  mjCNSTR_LIMIT_TENDON         = 4,  // limit of a tendon
  mjCNSTR_CONTACT_FRICTIONLESS = 5,  // contact without friction
  mjCNSTR_CONTACT_PYRAMIDAL    = 6,  // edge of a contact's friction pyramid
  mjCNSTR_CONTACT_ELLIPTIC     = 7,  // axis of a contact's friction cone
} mjtConstraint;

typedef enum mjtConstraintState_ {  // where a row's force stands: efc_state
  mjCNSTRSTATE_SATISFIED = 0,       // no force: constraint holds by itself
  mjCNSTRSTATE_QUADRATIC = 1,       // force grows with the violation
  mjCNSTRSTATE_LINEARNEG = 2,       // constant negative friction
  mjCNSTRSTATE_LINEARPOS = 3,       // constant positive friction
  mjCNSTRSTATE_CONE      = 4,       // on the surface of the cone
} mjtConstraintState;

typedef enum mjtWarning_ {  // things that a step complains about
  mjWARN_INERTIA     = 0,   // mass matrix is close to singular
  mjWARN_CONTACTFULL = 1,   // no memory for all contacts
  mjWARN_CNSTRFULL   = 2,   // no memory for all constraint rows
  mjWARN_VGEOMFULL   = 3,   // scene has no room for all geoms
  mjWARN_BADQPOS     = 4,   // position is not finite or too large
  mjWARN_BADQVEL     = 5,   // velocity is not finite or too large
  mjWARN_BADQACC     = 6,   // acceleration is not finite or too large
  mjWARN_BADCTRL     = 7,   // control is not finite or too large
  mjNWARNING         = 8,   // number of kinds
} mjtWarning;

typedef enum mjtTimer_ {        // what is timed, if mjcb_time is set
  mjTIMER_STEP           = 0,   // mj_step
  mjTIMER_FORWARD        = 1,   // mj_forward
  mjTIMER_INVERSE        = 2,   // mj_inverse
  mjTIMER_POSITION       = 3,   // position stage
  mjTIMER_VELOCITY       = 4,   // velocity stage
  mjTIMER_ACTUATION      = 5,   // actuation stage
  mjTIMER_CONSTRAINT     = 6,   // constraint stage
  mjTIMER_ADVANCE        = 7,   // integration
  mjTIMER_POS_KINEMATICS = 8,   // position stage: kinematics, centres of mass, tendons
  mjTIMER_POS_INERTIA    = 9,   // position stage: mass matrix and its factor
  mjTIMER_POS_COLLISION  = 10,  // position stage: collision
  mjTIMER_POS_MAKE       = 11,  // position stage: constraint rows
  mjTIMER_POS_PROJECT    = 12,  // position stage: constraint space inertia
  mjTIMER_COL_BROAD      = 13,  // collision: broad phase
  mjTIMER_COL_NARROW     = 14,  // collision: narrow phase
  mjNTIMER               = 15,  // how many timers there are
} mjtTimer;

typedef enum mjtSleepState_ {  // of a body or tree
  mjS_STATIC = -1,             // cannot move
  mjS_ASLEEP = 0,              // at rest, not simulated
  mjS_AWAKE  = 1,              // simulated
} mjtSleepState;
// clang-format on

typedef struct mjContact_ {       // a contact point
  mjtNum dist;                    // gap between the surfaces; negative: depth
  mjtNum pos[3];                  // middle between the nearest points, world
  mjtNum frame[9];                // axes as rows: normal from geom[0] to geom[1], two tangents
  mjtNum includemargin;           // has constraint rows while dist is below: margin - gap
  mjtNum friction[5];             // sliding (2), spinning (1), rolling (2)
  mjtNum solref[mjNREF];          // stiffness and damping; see mjModel.geom_solref
  mjtNum solreffriction[mjNREF];  // same for the tangents; 0: as the normal
  mjtNum solimp[mjNIMP];          // impedance; see mjModel.geom_solimp
  mjtNum mu;                      // friction of the regularised cone; set with the rows
  mjtNum H[36];                   // Hessian of the elliptic cone; set by the solver
  int dim;                        // constraint dimensions: 1, 3, 4 or 6
  int geom1;                      // same as geom[0]; deprecated
  int geom2;                      // same as geom[1]; deprecated
  int geom[2];                    // geoms; -1: the side is a flex
  int flex[2];                    // flexes; -1: the side is a geom
  int elem[2];                    // elements; -1: a geom, or a vertex
  int vert[2];                    // vertices; -1: a geom, or an element
  int exclude;                    // 0: makes rows, 1: in gap, 3: no dofs, 4: passive flex
  int efc_address;                // first constraint row; -1: none
} mjContact;

typedef struct mjWarningStat_ {  // what is known about one kind of warning
  int lastinfo;                  // number that came with the last one, such as an index
  int number;                    // how often since the last reset
} mjWarningStat;

typedef struct mjTimerStat_ {  // what one timer has measured
  mjtNum duration;             // sum of all times, in mjcb_time's unit
  int number;                  // how many of them
} mjTimerStat;

typedef struct mjSolverStat_ {  // one iteration of the solver
  mjtNum improvement;           // fall of the cost, scaled
  mjtNum gradient;              // length of the gradient, scaled; not PGS
  mjtNum lineslope;             // slope at the end of the line search; not PGS
  int nactive;                  // rows that give force
  int nchange;                  // rows whose efc_state changed
  int neval;                    // evaluations in the line search
  int nupdate;                  // rank-one updates of the factor
} mjSolverStat;

// clang-format off
// BEGIN generated mjData by schema/generate from schema/data.def
typedef struct mjData_ {  // state and results of one simulation
  // memory
  mjtSize narena;   // bytes of the arena, stack included
  mjtSize nbuffer;  // bytes of the buffer
  int nplugin;      // plugin instances that were started
  size_t pstack;    // bytes of stack in use, from the arena's end downwards
  size_t pbase;     // address of the newest stack mark; 0: none
  size_t parena;    // bytes of arena in use, from its start upwards

  // high-water marks
  mjtSize maxuse_stack;                     // most bytes of stack used
  mjtSize maxuse_threadstack[mjMAXTHREAD];  // the same for each thread of the pool
  mjtSize maxuse_arena;                     // most bytes of arena and stack used together
  int maxuse_con;                           // most contacts
  int maxuse_efc;                           // most constraint rows

  // solver, warning and timer records
  mjSolverStat solver[mjNISLAND * mjNSOLVER];  // mjNSOLVER iterations each of mjNISLAND islands
  int solver_niter[mjNISLAND];                 // iterations per island
  int solver_nnz[mjNISLAND];                   // entries of Hessian and factor, or of AR, per island
  mjtNum solver_fwdinv[2];                     // forward against inverse: constraint, applied force
  mjWarningStat warning[mjNWARNING];           // one record per mjtWarning
  mjTimerStat timer[mjNTIMER];                 // one record per mjtTimer

  // how many: contacts, constraint rows, islands
  int ncon;     // contacts, also those that make no row
  int ne;       // equality rows; they come first
  int nf;       // friction loss rows; they come next
  int nl;       // limit rows; contact rows are the rest
  int nefc;     // constraint rows
  int nJ;       // entries of efc_J
  int nA;       // entries of efc_AR
  int nisland;  // islands
  int nidof;    // dofs that belong to islands

  // how many are awake
  int ntree_awake;    // trees
  int nbody_awake;    // bodies, those that cannot move included
  int nparent_awake;  // bodies below the world whose parent is not asleep
  int nv_awake;       // dofs

  // which lazy quantities are up to date
  mjtByte flg_energypos;   // energy[0]
  mjtByte flg_energyvel;   // energy[1]
  mjtByte flg_subtreevel;  // subtree_linvel, subtree_angmom
  mjtByte flg_rnepost;     // cacc, cfrc_int, cfrc_ext

  // time and energy
  mjtNum time;       // simulated time in seconds
  mjtNum energy[2];  // potential, then kinetic

  // memory blocks
  void* buffer;  // holds what lasts; every array starts at a multiple of 64
  void* arena;   // holds contacts, constraint rows, islands, stack

  // state
  mjtNum* qpos;            // (nq) positions of joints
  mjtNum* qvel;            // (nv) velocities of dofs
  mjtNum* act;             // (na) activations of actuators
  mjtNum* history;         // (nhistory) buffers of past controls and sensor readings
  mjtNum* qacc_warmstart;  // (nv) qacc of the last step; the solver starts from it
  mjtNum* plugin_state;    // (npluginstate) state variables of plugins

  // inputs
  mjtNum* ctrl;          // (nu) controls
  mjtNum* qfrc_applied;  // (nv) forces on dofs
  mjtNum* xfrc_applied;  // (nbody x 6) force, torque on body at its com, world axes
  mjtByte* eq_active;    // (neq) is the equality on?
  mjtNum* mocap_pos;     // (nmocap x 3) position of mocap bodies in the world
  mjtNum* mocap_quat;    // (nmocap x 4) orientation of mocap bodies in the world

  // rates of the state
  mjtNum* qacc;     // (nv) accelerations of dofs
  mjtNum* act_dot;  // (na) rates of activations

  // user data and sensor readings
  mjtNum* userdata;    // (nuserdata) for the user; the engine does not look at it
  mjtNum* sensordata;  // (nsensordata) readings of all sensors

  // sleep
  int* tree_asleep;  // (ntree) asleep: next tree of its ring; awake: countdown to -1

  // plugins
  int* plugin;             // (nplugin) slot of its kind in the registry of plugins
  uintptr_t* plugin_data;  // (nplugin) pointer that the instance keeps for itself

  // poses
  mjtNum* xpos;        // (nbody x 3) body origin in the world
  mjtNum* xquat;       // (nbody x 4) body orientation in the world
  mjtNum* xmat;        // (nbody x 9) the same as a matrix, row after row
  mjtNum* xipos;       // (nbody x 3) body's centre of mass in the world
  mjtNum* ximat;       // (nbody x 9) principal axes of inertia in the world, as columns
  mjtNum* xanchor;     // (njnt x 3) joint anchor in the world, before the joint moves
  mjtNum* xaxis;       // (njnt x 3) joint axis in the world, before the joint moves
  mjtNum* geom_xpos;   // (ngeom x 3) geom origin in the world
  mjtNum* geom_xmat;   // (ngeom x 9) geom orientation in the world
  mjtNum* site_xpos;   // (nsite x 3) site origin in the world
  mjtNum* site_xmat;   // (nsite x 9) site orientation in the world
  mjtNum* cam_xpos;    // (ncam x 3) camera position in the world
  mjtNum* cam_xmat;    // (ncam x 9) camera orientation in the world; looks along -z
  mjtNum* light_xpos;  // (nlight x 3) light position in the world
  mjtNum* light_xdir;  // (nlight x 3) unit direction of shining in the world

  // spatial quantities about centres of mass
  mjtNum* subtree_com;  // (nbody x 3) centre of mass of a body and all its descendants
  mjtNum* cdof;         // (nv x 6) motion axis (rotation, translation) about the tree's com
  mjtNum* cinert;       // (nbody x 10) inertia (6), mass x offset (3), mass; about the same point

  // flexes
  mjtNum* flexvert_xpos;    // (nflexvert x 3) vertex in the world
  mjtNum* flexelem_aabb;    // (nflexelem x 6) box of an element, radius added: centre, half sizes
  mjtNum* flexedge_J;       // (nJfe) derivative of edge lengths, sparse
  mjtNum* flexedge_length;  // (nflexedge) length of an edge
  mjtNum* flexvert_J;       // (nJfv x 2) derivative of vertex strains, sparse
  mjtNum* flexvert_length;  // (nflexvert x 2) two strain invariants of a vertex, mass-weighted

  // dynamic bounding volumes
  mjtNum* bvh_aabb_dyn;  // (nbvhdynamic x 6) box of a flex tree's node: centre, half sizes

  // tendons
  int* ten_wrapadr;    // (ntendon) first point of its path
  int* ten_wrapnum;    // (ntendon) how many points; 0: fixed tendon
  int* ten_J_rownnz;   // (ntendon) entries in the row of ten_J, if sparse
  int* ten_J_rowadr;   // (ntendon) first of them
  int* ten_J_colind;   // (ntendon x nv) their dofs
  mjtNum* ten_J;       // (ntendon x nv) derivative of lengths: dense rows, or packed
  mjtNum* ten_length;  // (ntendon) length
  int* wrap_obj;       // (nwrap x 2) point is on: geom id, -1 site, -2 pulley
  mjtNum* wrap_xpos;   // (nwrap x 6) points of all paths in the world

  // transmissions
  mjtNum* actuator_length;  // (nu) length of the transmission, gear included
  int* moment_rownnz;       // (nu) entries in the row of actuator_moment
  int* moment_rowadr;       // (nu) first of them
  int* moment_colind;       // (nJmom) their dofs
  mjtNum* actuator_moment;  // (nJmom) derivative of lengths, sparse

  // inertia
  mjtNum* crb;        // (nbody x 10) inertia of a body and its descendants, as cinert
  mjtNum* qM;         // (nM) M in the older layout: diagonal, then ancestors upwards
  mjtNum* M;          // (nC) joint space inertia, lower half, sparse
  mjtNum* qLD;        // (nC) M = L' D L: D on the diagonal, L elsewhere
  mjtNum* qLDiagInv;  // (nv) 1 / D

  // bounding volumes in use
  mjtByte* bvh_active;  // (nbvh) was the node visited by collision or rays?

  // what is awake
  int* tree_awake;        // (ntree) 1: awake, 0: asleep
  int* body_awake;        // (nbody) 1: awake, 0: asleep, -1: cannot move
  int* body_awake_ind;    // (nbody) bodies that are not asleep, ascending
  int* parent_awake_ind;  // (nbody) bodies whose parent is not asleep, ascending
  int* dof_awake_ind;     // (nv) dofs of awake trees, ascending

  // velocities
  mjtNum* flexedge_velocity;  // (nflexedge) rate of edge length
  mjtNum* ten_velocity;       // (ntendon) rate of length
  mjtNum* actuator_velocity;  // (nu) rate of length
  mjtNum* cvel;               // (nbody x 6) velocity (rotation, translation) about the tree's com
  mjtNum* cdof_dot;           // (nv x 6) time derivative of cdof

  // forces that depend on position and velocity
  mjtNum* qfrc_bias;      // (nv) Coriolis, centrifugal, gravity: what qacc = 0 needs
  mjtNum* qfrc_spring;    // (nv) springs of joints, tendons and flexes
  mjtNum* qfrc_damper;    // (nv) dampers of joints, tendons and flexes
  mjtNum* qfrc_gravcomp;  // (nv) gravity compensation
  mjtNum* qfrc_fluid;     // (nv) drag and lift
  mjtNum* qfrc_passive;   // (nv) sum of these, plugins and callback

  // momenta of subtrees
  mjtNum* subtree_linvel;  // (nbody x 3) how fast subtree_com moves
  mjtNum* subtree_angmom;  // (nbody x 3) angular momentum, taken at subtree_com

  // matrices of the implicit integrators
  mjtNum* qH;         // (nC) factor of M plus implicit damping, laid out as qLD
  mjtNum* qHDiagInv;  // (nv) 1 / D of that factor
  mjtNum* qDeriv;     // (nD) derivative of smooth forces by qvel, pattern D
  mjtNum* qLU;        // (nD) M - h qDeriv, then its LU factor, pattern D

  // actuation
  mjtNum* actuator_force;  // (nu) force along its length; actuator_moment spreads it
  mjtNum* qfrc_actuator;   // (nv) actuator forces on dofs, and gravcomp sent that way

  // unconstrained motion
  mjtNum* qfrc_smooth;  // (nv) all forces but constraints
  mjtNum* qacc_smooth;  // (nv) acceleration that they cause

  // constraint and inverse forces
  mjtNum* qfrc_constraint;  // (nv) J' efc_force
  mjtNum* qfrc_inverse;     // (nv) force that would cause qacc

  // accelerations and forces of bodies
  mjtNum* cacc;      // (nbody x 6) acceleration (rotation, translation), plus -gravity
  mjtNum* cfrc_int;  // (nbody x 6) torque, force of the parent on it, through joints
  mjtNum* cfrc_ext;  // (nbody x 6) torque, force from contacts, equalities, xfrc_applied

  // contacts
  mjContact* contact;  // (ncon) contacts, in order of detection

  // constraint rows
  int* efc_type;             // (nefc) kind of row (mjtConstraint)
  int* efc_id;               // (nefc) its equality, dof, joint, tendon or contact
  int* efc_J_rownnz;         // (nefc) entries in the row of J, if sparse
  int* efc_J_rowadr;         // (nefc) first of them
  int* efc_J_rowsuper;       // (nefc) rows after it that have the same dofs
  int* efc_J_colind;         // (nJ) their dofs
  mjtNum* efc_J;             // (nJ) derivative of positions: dense rows, or sparse
  mjtNum* efc_pos;           // (nefc) violation, or distance of the contact
  mjtNum* efc_margin;        // (nefc) position below which the row acts
  mjtNum* efc_frictionloss;  // (nefc) largest force of a friction row
  mjtNum* efc_diagApprox;    // (nefc) estimate of the diagonal of J inv(M) J'
  mjtNum* efc_KBIP;          // (nefc x 4) K and B of the reference, impedance, its slope
  mjtNum* efc_D;             // (nefc) 1 / R
  mjtNum* efc_R;             // (nefc) regularisation, added to the diagonal of J inv(M) J'
  int* tendon_efcadr;        // (ntendon) first row of a tendon; -1: none

  // islands: trees and dofs
  int* tree_island;      // (ntree) which island it is in; -1: without constraints
  int* island_ntree;     // (nisland) trees of an island
  int* island_itreeadr;  // (nisland) first of them in map_itree2tree
  int* map_itree2tree;   // (ntree) trees by island, then the free ones
  int* dof_island;       // (nv) which island it is in; -1: without constraints
  int* island_nv;        // (nisland) dofs of an island
  int* island_idofadr;   // (nisland) first of them in island order
  int* island_dofadr;    // (nisland) first of them in model order
  int* map_dof2idof;     // (nv) place of a dof in island order
  int* map_idof2dof;     // (nv) dofs by island, then the free ones
  mjtNum* ifrc_smooth;   // (nidof) qfrc_smooth in island order
  mjtNum* iacc_smooth;   // (nidof) qacc_smooth in island order
  int* iM_rownnz;        // (nidof) entries in the row of iM
  int* iM_rowadr;        // (nidof) first of them
  int* iM_colind;        // (nC) their dofs, counted in the island
  mjtNum* iM;            // (nC) M in island order
  mjtNum* iLD;           // (nC) qLD in island order
  mjtNum* iLDiagInv;     // (nidof) qLDiagInv in island order
  mjtNum* iacc;          // (nidof) qacc in island order

  // islands: constraint rows
  int* efc_island;            // (nefc) island of a row
  int* island_ne;             // (nisland) equality rows of an island
  int* island_nf;             // (nisland) friction loss rows of an island
  int* island_nefc;           // (nisland) rows of an island
  int* island_iefcadr;        // (nisland) first of them in island order
  int* map_efc2iefc;          // (nefc) place of a row in island order
  int* map_iefc2efc;          // (nefc) rows by island
  int* iefc_type;             // (nefc) efc_type in island order
  int* iefc_id;               // (nefc) efc_id in island order
  int* iefc_J_rownnz;         // (nefc) efc_J_rownnz in island order
  int* iefc_J_rowadr;         // (nefc) first entry of the row of iefc_J
  int* iefc_J_rowsuper;       // (nefc) rows after it with the same dofs, in the island
  int* iefc_J_colind;         // (nJ) dofs, counted in the island
  mjtNum* iefc_J;             // (nJ) efc_J in island order
  mjtNum* iefc_frictionloss;  // (nefc) efc_frictionloss in island order
  mjtNum* iefc_D;             // (nefc) efc_D in island order
  mjtNum* iefc_R;             // (nefc) efc_R in island order

  // constraint space inertia, for solvers that work there
  int* efc_AR_rownnz;  // (nefc) entries in the row of AR, if sparse
  int* efc_AR_rowadr;  // (nefc) first of them
  int* efc_AR_colind;  // (nA) their rows
  mjtNum* efc_AR;      // (nA) J inv(M) J' + R: dense, or sparse

  // constraint rows: velocity and reference acceleration
  mjtNum* efc_vel;   // (nefc) J qvel
  mjtNum* efc_aref;  // (nefc) acceleration that the row aims at
  mjtNum* efc_b;     // (nefc) J qacc_smooth - aref

  // constraint rows: results
  mjtNum* iefc_aref;        // (nefc) efc_aref in island order
  int* iefc_state;          // (nefc) efc_state in island order, as solved
  mjtNum* iefc_force;       // (nefc) efc_force in island order
  int* efc_state;           // (nefc) which part of its cost a row is in (mjtConstraintState)
  mjtNum* efc_force;        // (nefc) force of a row
  mjtNum* ifrc_constraint;  // (nidof) qfrc_constraint in island order

  // threads and fingerprint
  uintptr_t threadpool;  // thread pool to work with; 0: none
  uint64_t signature;    // that of the model it was made for
} mjData;
// END generated
// clang-format on

// Functions that users write; mujoco.h has the variables to put them into. A contact filter returns
// nonzero to drop a pair.
typedef void (*mjfGeneric)(const mjModel* m, mjData* d);
typedef int (*mjfConFilt)(const mjModel* m, mjData* d, int geom1, int geom2);
typedef void (*mjfSensor)(const mjModel* m, mjData* d, int stage);    // stage: mjtStage
typedef mjtNum (*mjfTime)(void);                                      // a time in any unit
typedef mjtNum (*mjfAct)(const mjModel* m, const mjData* d, int id);  // of actuator id

// Finds up to mjMAXCONPAIR contacts of two geoms that are closer than margin; returns how many.
typedef int (*mjfCollision)(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2,
                            mjtNum margin);

#endif  // MUJOCO_MJDATA_H_
