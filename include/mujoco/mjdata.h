// mjdata.h

#ifndef MUJOCO_MJDATA_H_
#define MUJOCO_MJDATA_H_

#include <stddef.h>
#include <stdint.h>

#include <mujoco/mjmodel.h>
#include <mujoco/mjthread.h>
#include <mujoco/mjtnum.h>


typedef enum mjtState_ {  //
  mjSTATE_TIME         = 1,  //
  mjSTATE_QPOS         = 2,  //
  mjSTATE_QVEL         = 4,  //
  mjSTATE_ACT          = 8,  //
  mjSTATE_HISTORY      = 16,  //
  mjSTATE_WARMSTART    = 32,  //
  mjSTATE_CTRL         = 64,  //
  mjSTATE_QFRC_APPLIED = 128,  //
  mjSTATE_XFRC_APPLIED = 256,  //
  mjSTATE_EQ_ACTIVE    = 512,  //
  mjSTATE_MOCAP_POS    = 1024,  //
  mjSTATE_MOCAP_QUAT   = 2048,  //
  mjSTATE_USERDATA     = 4096,  //
  mjSTATE_PLUGIN       = 8192,  //
  mjNSTATE             = 14,  //
  mjSTATE_PHYSICS      = 30,  //
  mjSTATE_FULLPHYSICS  = 8223,  //
  mjSTATE_USER         = 8128,  //
  mjSTATE_INTEGRATION  = 16383,  //
} mjtState;

typedef enum mjtConstraint_ {  //
  mjCNSTR_EQUALITY             = 0,  //
  mjCNSTR_FRICTION_DOF         = 1,  //
  mjCNSTR_FRICTION_TENDON      = 2,  //
  mjCNSTR_LIMIT_JOINT          = 3,  //
  mjCNSTR_LIMIT_TENDON         = 4,  //
  mjCNSTR_CONTACT_FRICTIONLESS = 5,  //
  mjCNSTR_CONTACT_PYRAMIDAL    = 6,  //
  mjCNSTR_CONTACT_ELLIPTIC     = 7,  //
} mjtConstraint;

typedef enum mjtConstraintState_ {  //
  mjCNSTRSTATE_SATISFIED = 0,  //
  mjCNSTRSTATE_QUADRATIC = 1,  //
  mjCNSTRSTATE_LINEARNEG = 2,  //
  mjCNSTRSTATE_LINEARPOS = 3,  //
  mjCNSTRSTATE_CONE      = 4,  //
} mjtConstraintState;

typedef enum mjtWarning_ {  //
  mjWARN_INERTIA     = 0,  //
  mjWARN_CONTACTFULL = 1,  //
  mjWARN_CNSTRFULL   = 2,  //
  mjWARN_VGEOMFULL   = 3,  //
  mjWARN_BADQPOS     = 4,  //
  mjWARN_BADQVEL     = 5,  //
  mjWARN_BADQACC     = 6,  //
  mjWARN_BADCTRL     = 7,  //
  mjNWARNING         = 8,  //
} mjtWarning;

typedef enum mjtTimer_ {  //
  mjTIMER_STEP           = 0,  //
  mjTIMER_FORWARD        = 1,  //
  mjTIMER_INVERSE        = 2,  //
  mjTIMER_POSITION       = 3,  //
  mjTIMER_VELOCITY       = 4,  //
  mjTIMER_ACTUATION      = 5,  //
  mjTIMER_CONSTRAINT     = 6,  //
  mjTIMER_ADVANCE        = 7,  //
  mjTIMER_POS_KINEMATICS = 8,  //
  mjTIMER_POS_INERTIA    = 9,  //
  mjTIMER_POS_COLLISION  = 10,  //
  mjTIMER_POS_MAKE       = 11,  //
  mjTIMER_POS_PROJECT    = 12,  //
  mjTIMER_COL_BROAD      = 13,  //
  mjTIMER_COL_NARROW     = 14,  //
  mjNTIMER               = 15,  //
} mjtTimer;

typedef enum mjtSleepState_ {  //
  mjS_STATIC = -1,  //
  mjS_ASLEEP = 0,  //
  mjS_AWAKE  = 1,  //
} mjtSleepState;

typedef struct mjContact_ {  //
  mjtNum dist;  //
  mjtNum pos[3];  //
  mjtNum frame[9];  //
  mjtNum includemargin;  //
  mjtNum friction[5];  //
  mjtNum solref[2];  //
  mjtNum solreffriction[2];  //
  mjtNum solimp[5];  //
  mjtNum mu;  //
  mjtNum H[36];  //
  int dim;  //
  int geom1;  //
  int geom2;  //
  int geom[2];  //
  int flex[2];  //
  int elem[2];  //
  int vert[2];  //
  int exclude;  //
  int efc_address;  //
} mjContact;

typedef struct mjWarningStat_ {  //
  int lastinfo;  //
  int number;  //
} mjWarningStat;

typedef struct mjTimerStat_ {  //
  mjtNum duration;  //
  int number;  //
} mjTimerStat;

typedef struct mjSolverStat_ {  //
  mjtNum improvement;  //
  mjtNum gradient;  //
  mjtNum lineslope;  //
  int nactive;  //
  int nchange;  //
  int neval;  //
  int nupdate;  //
} mjSolverStat;

// BEGIN generated mjData by schema/generate from schema/data.def
typedef struct mjData_ {  // state and results of one simulation
  // memory
  mjtSize narena;                   // 
  mjtSize nbuffer;                  // 
  int nplugin;                      // 
  size_t pstack;                    // 
  size_t pbase;                     // 
  size_t parena;                    // 

  // high-water marks
  mjtSize maxuse_stack;             // 
  mjtSize maxuse_threadstack[128];  // 
  mjtSize maxuse_arena;             // 
  int maxuse_con;                   // 
  int maxuse_efc;                   // 

  // solver, warning and timer records
  mjSolverStat solver[4000];        // 
  int solver_niter[20];             // 
  int solver_nnz[20];               // 
  mjtNum solver_fwdinv[2];          // 
  mjWarningStat warning[8];         // 
  mjTimerStat timer[15];            // 

  // how many: contacts, constraint rows, islands
  int ncon;                         // 
  int ne;                           // 
  int nf;                           // 
  int nl;                           // 
  int nefc;                         // 
  int nJ;                           // 
  int nA;                           // 
  int nisland;                      // 
  int nidof;                        // 

  // how many are awake
  int ntree_awake;                  // 
  int nbody_awake;                  // 
  int nparent_awake;                // 
  int nv_awake;                     // 

  // which lazy quantities are up to date
  mjtByte flg_energypos;            // 
  mjtByte flg_energyvel;            // 
  mjtByte flg_subtreevel;           // 
  mjtByte flg_rnepost;              // 

  // time and energy
  mjtNum time;                      // 
  mjtNum energy[2];                 // 

  // memory blocks
  void* buffer;                     // 
  void* arena;                      // 

  // state
  mjtNum* qpos;                     // (nq) 
  mjtNum* qvel;                     // (nv) 
  mjtNum* act;                      // (na) 
  mjtNum* history;                  // (nhistory) 
  mjtNum* qacc_warmstart;           // (nv) 
  mjtNum* plugin_state;             // (npluginstate) 

  // inputs
  mjtNum* ctrl;                     // (nu) 
  mjtNum* qfrc_applied;             // (nv) 
  mjtNum* xfrc_applied;             // (nbody x 6) 
  mjtByte* eq_active;               // (neq) 
  mjtNum* mocap_pos;                // (nmocap x 3) 
  mjtNum* mocap_quat;               // (nmocap x 4) 

  // rates of the state
  mjtNum* qacc;                     // (nv) 
  mjtNum* act_dot;                  // (na) 

  // user data and sensor readings
  mjtNum* userdata;                 // (nuserdata) 
  mjtNum* sensordata;               // (nsensordata) 

  // sleep
  int* tree_asleep;                 // (ntree) 

  // plugins
  int* plugin;                      // (nplugin) 
  uintptr_t* plugin_data;           // (nplugin) 

  // poses
  mjtNum* xpos;                     // (nbody x 3) 
  mjtNum* xquat;                    // (nbody x 4) 
  mjtNum* xmat;                     // (nbody x 9) 
  mjtNum* xipos;                    // (nbody x 3) 
  mjtNum* ximat;                    // (nbody x 9) 
  mjtNum* xanchor;                  // (njnt x 3) 
  mjtNum* xaxis;                    // (njnt x 3) 
  mjtNum* geom_xpos;                // (ngeom x 3) 
  mjtNum* geom_xmat;                // (ngeom x 9) 
  mjtNum* site_xpos;                // (nsite x 3) 
  mjtNum* site_xmat;                // (nsite x 9) 
  mjtNum* cam_xpos;                 // (ncam x 3) 
  mjtNum* cam_xmat;                 // (ncam x 9) 
  mjtNum* light_xpos;               // (nlight x 3) 
  mjtNum* light_xdir;               // (nlight x 3) 

  // spatial quantities about centres of mass
  mjtNum* subtree_com;              // (nbody x 3) 
  mjtNum* cdof;                     // (nv x 6) 
  mjtNum* cinert;                   // (nbody x 10) 

  // flexes
  mjtNum* flexvert_xpos;            // (nflexvert x 3) 
  mjtNum* flexelem_aabb;            // (nflexelem x 6) 
  mjtNum* flexedge_J;               // (nJfe) 
  mjtNum* flexedge_length;          // (nflexedge) 
  mjtNum* flexvert_J;               // (nJfv x 2) 
  mjtNum* flexvert_length;          // (nflexvert x 2) 

  // dynamic bounding volumes
  mjtNum* bvh_aabb_dyn;             // (nbvhdynamic x 6) 

  // tendons
  int* ten_wrapadr;                 // (ntendon) 
  int* ten_wrapnum;                 // (ntendon) 
  int* ten_J_rownnz;                // (ntendon) 
  int* ten_J_rowadr;                // (ntendon) 
  int* ten_J_colind;                // (ntendon x nv) 
  mjtNum* ten_J;                    // (ntendon x nv) 
  mjtNum* ten_length;               // (ntendon) 
  int* wrap_obj;                    // (nwrap x 2) 
  mjtNum* wrap_xpos;                // (nwrap x 6) 

  // transmissions
  mjtNum* actuator_length;          // (nu) 
  int* moment_rownnz;               // (nu) 
  int* moment_rowadr;               // (nu) 
  int* moment_colind;               // (nJmom) 
  mjtNum* actuator_moment;          // (nJmom) 

  // inertia
  mjtNum* crb;                      // (nbody x 10) 
  mjtNum* qM;                       // (nM) 
  mjtNum* M;                        // (nC) 
  mjtNum* qLD;                      // (nC) 
  mjtNum* qLDiagInv;                // (nv) 

  // bounding volumes in use
  mjtByte* bvh_active;              // (nbvh) 

  // what is awake
  int* tree_awake;                  // (ntree) 
  int* body_awake;                  // (nbody) 
  int* body_awake_ind;              // (nbody) 
  int* parent_awake_ind;            // (nbody) 
  int* dof_awake_ind;               // (nv) 

  // velocities
  mjtNum* flexedge_velocity;        // (nflexedge) 
  mjtNum* ten_velocity;             // (ntendon) 
  mjtNum* actuator_velocity;        // (nu) 
  mjtNum* cvel;                     // (nbody x 6) 
  mjtNum* cdof_dot;                 // (nv x 6) 

  // forces that depend on position and velocity
  mjtNum* qfrc_bias;                // (nv) 
  mjtNum* qfrc_spring;              // (nv) 
  mjtNum* qfrc_damper;              // (nv) 
  mjtNum* qfrc_gravcomp;            // (nv) 
  mjtNum* qfrc_fluid;               // (nv) 
  mjtNum* qfrc_passive;             // (nv) 

  // momenta of subtrees
  mjtNum* subtree_linvel;           // (nbody x 3) 
  mjtNum* subtree_angmom;           // (nbody x 3) 

  // matrices of the implicit integrators
  mjtNum* qH;                       // (nC) 
  mjtNum* qHDiagInv;                // (nv) 
  mjtNum* qDeriv;                   // (nD) 
  mjtNum* qLU;                      // (nD) 

  // actuation
  mjtNum* actuator_force;           // (nu) 
  mjtNum* qfrc_actuator;            // (nv) 

  // unconstrained motion
  mjtNum* qfrc_smooth;              // (nv) 
  mjtNum* qacc_smooth;              // (nv) 

  // constraint and inverse forces
  mjtNum* qfrc_constraint;          // (nv) 
  mjtNum* qfrc_inverse;             // (nv) 

  // accelerations and forces of bodies
  mjtNum* cacc;                     // (nbody x 6) 
  mjtNum* cfrc_int;                 // (nbody x 6) 
  mjtNum* cfrc_ext;                 // (nbody x 6) 

  // contacts
  mjContact* contact;               // (ncon) 

  // constraint rows
  int* efc_type;                    // (nefc) 
  int* efc_id;                      // (nefc) 
  int* efc_J_rownnz;                // (nefc) 
  int* efc_J_rowadr;                // (nefc) 
  int* efc_J_rowsuper;              // (nefc) 
  int* efc_J_colind;                // (nJ) 
  mjtNum* efc_J;                    // (nJ) 
  mjtNum* efc_pos;                  // (nefc) 
  mjtNum* efc_margin;               // (nefc) 
  mjtNum* efc_frictionloss;         // (nefc) 
  mjtNum* efc_diagApprox;           // (nefc) 
  mjtNum* efc_KBIP;                 // (nefc x 4) 
  mjtNum* efc_D;                    // (nefc) 
  mjtNum* efc_R;                    // (nefc) 
  int* tendon_efcadr;               // (ntendon) 

  // islands: trees and dofs
  int* tree_island;                 // (ntree) 
  int* island_ntree;                // (nisland) 
  int* island_itreeadr;             // (nisland) 
  int* map_itree2tree;              // (ntree) 
  int* dof_island;                  // (nv) 
  int* island_nv;                   // (nisland) 
  int* island_idofadr;              // (nisland) 
  int* island_dofadr;               // (nisland) 
  int* map_dof2idof;                // (nv) 
  int* map_idof2dof;                // (nv) 
  mjtNum* ifrc_smooth;              // (nidof) 
  mjtNum* iacc_smooth;              // (nidof) 
  int* iM_rownnz;                   // (nidof) 
  int* iM_rowadr;                   // (nidof) 
  int* iM_colind;                   // (nC) 
  mjtNum* iM;                       // (nC) 
  mjtNum* iLD;                      // (nC) 
  mjtNum* iLDiagInv;                // (nidof) 
  mjtNum* iacc;                     // (nidof) 

  // islands: constraint rows
  int* efc_island;                  // (nefc) 
  int* island_ne;                   // (nisland) 
  int* island_nf;                   // (nisland) 
  int* island_nefc;                 // (nisland) 
  int* island_iefcadr;              // (nisland) 
  int* map_efc2iefc;                // (nefc) 
  int* map_iefc2efc;                // (nefc) 
  int* iefc_type;                   // (nefc) 
  int* iefc_id;                     // (nefc) 
  int* iefc_J_rownnz;               // (nefc) 
  int* iefc_J_rowadr;               // (nefc) 
  int* iefc_J_rowsuper;             // (nefc) 
  int* iefc_J_colind;               // (nJ) 
  mjtNum* iefc_J;                   // (nJ) 
  mjtNum* iefc_frictionloss;        // (nefc) 
  mjtNum* iefc_D;                   // (nefc) 
  mjtNum* iefc_R;                   // (nefc) 

  // constraint space inertia, for solvers that work there
  int* efc_AR_rownnz;               // (nefc) 
  int* efc_AR_rowadr;               // (nefc) 
  int* efc_AR_colind;               // (nA) 
  mjtNum* efc_AR;                   // (nA) 

  // constraint rows: velocity and reference acceleration
  mjtNum* efc_vel;                  // (nefc) 
  mjtNum* efc_aref;                 // (nefc) 
  mjtNum* efc_b;                    // (nefc) 

  // constraint rows: results
  mjtNum* iefc_aref;                // (nefc) 
  int* iefc_state;                  // (nefc) 
  mjtNum* iefc_force;               // (nefc) 
  int* efc_state;                   // (nefc) 
  mjtNum* efc_force;                // (nefc) 
  mjtNum* ifrc_constraint;          // (nidof) 

  // threads and fingerprint
  uintptr_t threadpool;             // 
  uint64_t signature;               // 
} mjData;
// END generated

// callbacks
typedef void (*mjfGeneric)(const mjModel* m, mjData* d);
typedef int (*mjfConFilt)(const mjModel* m, mjData* d, int geom1, int geom2);
typedef void (*mjfSensor)(const mjModel* m, mjData* d, int stage);
typedef mjtNum (*mjfTime)(void);
typedef mjtNum (*mjfAct)(const mjModel* m, const mjData* d, int id);
typedef int (*mjfCollision)(const mjModel* m, const mjData* d, mjContact* con, int g1, int g2, mjtNum margin);

#endif  // MUJOCO_MJDATA_H_
