// The drop-in C interface: names, meanings and layouts of MuJoCo 3.5.0.

#ifndef MUJOCO_MUJOCO_H_
#define MUJOCO_MUJOCO_H_

#define mjVERSION_HEADER 3005000  // version of the interface; mj_version() tells the library's

#include <math.h>
#include <stdlib.h>

#include <mujoco/mjdata.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmacro.h>
#include <mujoco/mjmodel.h>
#include <mujoco/mjplugin.h>
#include <mujoco/mjrender.h>
#include <mujoco/mjsan.h>
#include <mujoco/mjspec.h>
#include <mujoco/mjthread.h>
#include <mujoco/mjtnum.h>
#include <mujoco/mjui.h>
#include <mujoco/mjvisualize.h>

#ifdef __cplusplus
extern "C" {
#endif

// What the user may put in place of the built-in reaction. NULL: the built-in one.
MJAPI extern void (*mju_user_error)(const char*);
MJAPI extern void (*mju_user_warning)(const char*);
MJAPI extern void* (*mju_user_malloc)(size_t);
MJAPI extern void (*mju_user_free)(void*);

// Callbacks into the pipeline. NULL: not called.
MJAPI extern mjfGeneric mjcb_passive;
MJAPI extern mjfGeneric mjcb_control;
MJAPI extern mjfConFilt mjcb_contactfilter;
MJAPI extern mjfSensor mjcb_sensor;
MJAPI extern mjfTime mjcb_time;
MJAPI extern mjfAct mjcb_act_dyn;
MJAPI extern mjfAct mjcb_act_gain;
MJAPI extern mjfAct mjcb_act_bias;

// The function that finds the contacts of each pair of geom types; the upper triangle is used.
MJAPI extern mjfCollision mjCOLLISIONFUNC[mjNGEOMTYPES][mjNGEOMTYPES];

// Names of flags, timers, labels and frames; for visual and rendering flags: name, default, key.
MJAPI extern const char* mjDISABLESTRING[mjNDISABLE];
MJAPI extern const char* mjENABLESTRING[mjNENABLE];
MJAPI extern const char* mjTIMERSTRING[mjNTIMER];
MJAPI extern const char* mjLABELSTRING[mjNLABEL];
MJAPI extern const char* mjFRAMESTRING[mjNFRAME];
MJAPI extern const char* mjVISSTRING[mjNVISFLAG][3];
MJAPI extern const char* mjRNDSTRING[mjNRNDFLAG][3];

// Elementary functions of mjtNum.
#ifdef mjUSESINGLE
#define mju_sqrt sqrtf
#define mju_exp expf
#define mju_sin sinf
#define mju_cos cosf
#define mju_tan tanf
#define mju_asin asinf
#define mju_acos acosf
#define mju_atan2 atan2f
#define mju_tanh tanhf
#define mju_pow powf
#define mju_abs fabsf
#define mju_log logf
#define mju_log10 log10f
#define mju_floor floorf
#define mju_ceil ceilf
#else
#define mju_sqrt sqrt
#define mju_exp exp
#define mju_sin sin
#define mju_cos cos
#define mju_tan tan
#define mju_asin asin
#define mju_acos acos
#define mju_atan2 atan2
#define mju_tanh tanh
#define mju_pow pow
#define mju_abs fabs
#define mju_log log
#define mju_log10 log10
#define mju_floor floor
#define mju_ceil ceil
#endif

// clang-format off
// BEGIN generated functions by schema/generate from schema/functions.def

// Virtual file system

// Prepares an empty virtual file system. Must come before any other use of it; mj_deleteVFS ends
// it.
MJAPI void mj_defaultVFS(mjVFS* vfs);

// Lets a provider serve every file below a path of the virtual file system. Returns 0, 2 if
// something is already there, -1 if path or provider is missing.
MJAPI int mj_mountVFS(mjVFS* vfs, const char* filepath, const mjpResourceProvider* provider);

// Takes back what was mounted or added under a path. Returns 0, or -1 if there is nothing.
MJAPI int mj_unmountVFS(mjVFS* vfs, const char* filename);

// Reads a file from disk into the virtual file system, where it is known by its name without
// folder. Returns 0, or 2 if that name is taken.
MJAPI int mj_addFileVFS(mjVFS* vfs, const char* directory, const char* filename);

// Copies nbuffer bytes into the virtual file system under a name. Returns 0, or 2 if that name is
// taken.
MJAPI int mj_addBufferVFS(mjVFS* vfs, const char* name, const void* buffer, int nbuffer);

// Removes one file. Returns 0, or -1 if there is none of that name.
MJAPI int mj_deleteFileVFS(mjVFS* vfs, const char* filename);

// Removes everything and releases the memory behind the virtual file system.
MJAPI void mj_deleteVFS(mjVFS* vfs);


// Asset cache

// Bytes that the asset cache holds at the moment.
MJAPI size_t mj_getCacheSize(const mjCache* cache);

// Bytes that the asset cache may hold.
MJAPI size_t mj_getCacheCapacity(const mjCache* cache);

// Changes how much the asset cache may hold and drops assets that no longer fit. Returns the new
// capacity.
MJAPI size_t mj_setCacheCapacity(mjCache* cache, size_t size);

// The asset cache of this process; owned by the library.
MJAPI mjCache* mj_getCache(void);

// Drops all assets from a cache.
MJAPI void mj_clearCache(mjCache* cache);


// From file to model

// Reads a model file (MJCF or URDF), from the virtual file system first if one is given, and
// compiles it. Returns a model for mj_deleteModel; on failure NULL and a message in error, which
// has room for error_sz bytes. A warning leaves its message there too.
MJAPI mjModel* mj_loadXML(const char* filename, const mjVFS* vfs, char* error, int error_sz);

// Reads a model file into a spec, without compiling it. Returns a spec for mj_deleteSpec, or NULL
// and a message in error.
MJAPI mjSpec* mj_parseXML(const char* filename, const mjVFS* vfs, char* error, int error_sz);

// Does the same as mj_parseXML with a text in place of a file.
MJAPI mjSpec* mj_parseXMLString(const char* xml, const mjVFS* vfs, char* error, int error_sz);

// Reads a file of any format for which there is a decoder, chosen by content type or, if that is
// NULL, by the file's extension. Returns a spec for mj_deleteSpec, or NULL and a message in error.
MJAPI mjSpec* mj_parse(const char* filename, const char* content_type, const mjVFS* vfs, char*
error, int error_sz);

// Turns a spec into a model. Returns a model for mj_deleteModel, or NULL; mjs_getError tells why.
MJAPI mjModel* mj_compile(mjSpec* s, const mjVFS* vfs);

// Carries real numbers that were edited in a compiled model back into the spec that it came from.
// Returns 1, or 0 with a message if the two do not belong together.
MJAPI int mj_copyBack(mjSpec* s, const mjModel* m);

// Compiles an edited spec into an existing model and, if d is not NULL, data, and keeps the state
// of everything that survived the edit. Returns 0; on failure -1, and model and data are gone.
MJAPI int mj_recompile(mjSpec* s, const mjVFS* vfs, mjModel* m, mjData* d);

// Writes the model that mj_loadXML read last as MJCF, with the real numbers of m if it is not NULL.
// Without filename the text goes to standard output. Returns 1, or 0 and a message in error.
MJAPI int mj_saveLastXML(const char* filename, const mjModel* m, char* error, int error_sz);

// Forgets the model that mj_loadXML keeps for mj_saveLastXML.
MJAPI void mj_freeLastXML(void);

// Writes a compiled spec as MJCF into xml. Returns 0, or -1 and a message in error; if xml_sz is
// too small, the length of the text without its final zero, and xml stays as it is.
MJAPI int mj_saveXMLString(const mjSpec* s, char* xml, int xml_sz, char* error, int error_sz);

// Writes a compiled spec as MJCF into a file. Returns 0, or -1 and a message in error.
MJAPI int mj_saveXML(const mjSpec* s, const char* filename, char* error, int error_sz);

// Lists the files that a model file needs: itself, all includes and all assets.
MJAPI void mju_getXMLDependencies(const char* filename, mjStringVec* dependencies);


// Simulation

// Moves the simulation on by opt.timestep: forward dynamics with the control callback in between,
// then the integrator that opt.integrator names.
MJAPI void mj_step(const mjModel* m, mjData* d);

// The first half of a step, up to and with velocities, so that a program can set controls from
// fresh quantities before mj_step2.
MJAPI void mj_step1(const mjModel* m, mjData* d);

// The second half of a step: actuation, accelerations, constraint forces, integration. A model set
// to RK4 is integrated by Euler here.
MJAPI void mj_step2(const mjModel* m, mjData* d);

// Computes everything that follows from the state, up to acceleration and sensors, without moving
// in time.
MJAPI void mj_forward(const mjModel* m, mjData* d);

// Inverse dynamics: from qpos, qvel and qacc the force qfrc_inverse that explains them.
MJAPI void mj_inverse(const mjModel* m, mjData* d);

// mj_forward without the stages up to skipstage (mjtStage), whose results must be valid, and
// without sensors if skipsensor is set.
MJAPI void mj_forwardSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor);

// mj_inverse without the stages up to skipstage (mjtStage), whose results must be valid, and
// without sensors if skipsensor is set.
MJAPI void mj_inverseSkip(const mjModel* m, mjData* d, int skipstage, int skipsensor);


// Making, copying, resetting, deleting

// Fills in the settings for the computation of actuator length ranges.
MJAPI void mj_defaultLROpt(mjLROpt* opt);

// Writes the default solver parameters: two numbers to solref, five to solimp. Either may be NULL.
MJAPI void mj_defaultSolRefImp(mjtNum* solref, mjtNum* solimp);

// Fills in the physics options of a model that says nothing about them.
MJAPI void mj_defaultOption(mjOption* opt);

// Fills in the visual options of a model that says nothing about them.
MJAPI void mj_defaultVisual(mjVisual* vis);

// Copies a model into dest, or into a new model for mj_deleteModel if dest is NULL. Returns the
// copy; a dest of another size is deleted, with an error.
MJAPI mjModel* mj_copyModel(mjModel* dest, const mjModel* src);

// Writes a model in binary form (.mjb): to a file if filename is given, otherwise into buffer,
// which mj_sizeModel bytes fit into.
MJAPI void mj_saveModel(const mjModel* m, const char* filename, void* buffer, int buffer_sz);

// Reads a model in binary form, from the virtual file system first if one is given. Returns a model
// for mj_deleteModel, or NULL after a warning.
MJAPI mjModel* mj_loadModel(const char* filename, const mjVFS* vfs);

// Reads a model in binary form from memory. Returns a model for mj_deleteModel, or NULL after a
// warning.
MJAPI mjModel* mj_loadModelBuffer(const void* buffer, int buffer_sz);

// Releases a model; NULL is fine.
MJAPI void mj_deleteModel(mjModel* m);

// Bytes that the model takes in binary form.
MJAPI mjtSize mj_sizeModel(const mjModel* m);

// Makes an mjData for simulating the model and resets it. Returns NULL after a warning if that
// fails; mj_deleteData releases it.
MJAPI mjData* mj_makeData(const mjModel* m);

// Copies an mjData, made for the same model, into dest, or into a new one for mj_deleteData if dest
// is NULL. Returns the copy. The stack of src must be empty.
MJAPI mjData* mj_copyData(mjData* dest, const mjModel* m, const mjData* src);

// Copies what drawing needs and leaves out large matrices of the dynamics. The result cannot be
// stepped; otherwise as mj_copyData.
MJAPI mjData* mjv_copyData(mjData* dest, const mjModel* m, const mjData* src);

// Sets the state to the model's initial one and clears everything else.
MJAPI void mj_resetData(const mjModel* m, mjData* d);

// mj_resetData that fills computed arrays with the byte debug_value, so that a read of something
// not computed yet shows.
MJAPI void mj_resetDataDebug(const mjModel* m, mjData* d, unsigned char debug_value);

// mj_resetData followed by the state of a keyframe; a key that does not exist is left out.
MJAPI void mj_resetDataKeyframe(const mjModel* m, mjData* d, int key);

// Opens a frame on the data's stack: what is allocated from now on is released by the matching
// mj_freeStack.
MJAPI void mj_markStack(mjData* d);

// Closes the latest frame of the stack and releases all that was allocated in it.
MJAPI void mj_freeStack(mjData* d);

// Takes bytes from the data's stack, starting at a multiple of alignment. No size gives NULL, no
// room is an error.
MJAPI void* mj_stackAllocByte(mjData* d, size_t bytes, size_t alignment);

// Takes room for size numbers from the data's stack. No size gives NULL, no room is an error.
MJAPI mjtNum* mj_stackAllocNum(mjData* d, size_t size);

// Takes room for size integers from the data's stack. No size gives NULL, no room is an error.
MJAPI int* mj_stackAllocInt(mjData* d, size_t size);

// Releases an mjData; NULL is fine.
MJAPI void mj_deleteData(mjData* d);

// Sets all mjcb_ callbacks to NULL.
MJAPI void mj_resetCallbacks(void);

// Recomputes the fields of the model that follow from others at its initial pose: masses of
// subtrees, inverse weights, lengths, statistics. For use after edits; d is overwritten.
MJAPI void mj_setConst(mjModel* m, mjData* d);

// Finds the range of lengths that one actuator can reach, by pulling it to both ends in simulation,
// and writes it into the model. Returns 1, or 0 and a message in error.
MJAPI int mj_setLengthRange(mjModel* m, mjData* d, int index, const mjLROpt* opt, char* error, int
error_sz);

// Makes a spec that holds nothing but the world body; mj_deleteSpec releases it.
MJAPI mjSpec* mj_makeSpec(void);

// Makes an independent copy of a spec for mj_deleteSpec; NULL on failure, with a message in s.
MJAPI mjSpec* mj_copySpec(const mjSpec* s);

// Gives up a spec. Specs that are attached to each other live until the last of them is given up;
// NULL is fine.
MJAPI void mj_deleteSpec(mjSpec* s);

// Allows the elements of a spec to use a registered plugin. Returns 0, or -1 if none of that name
// is registered.
MJAPI int mjs_activatePlugin(mjSpec* s, const char* name);

// Chooses how others are attached to this spec from now on: 1 as copies, 0 by sharing. Returns 0.
MJAPI int mjs_setDeepCopy(mjSpec* s, int deepcopy);


// Printing

// Writes all of a model as text, real numbers in float_format, to a file or, if filename is NULL,
// to standard output.
MJAPI void mj_printFormattedModel(const mjModel* m, const char* filename, const char* float_format);

// Writes all of a model as text to a file or, if filename is NULL, to standard output.
MJAPI void mj_printModel(const mjModel* m, const char* filename);

// Writes all of an mjData as text, real numbers in float_format, to a file or, if filename is NULL,
// to standard output.
MJAPI void mj_printFormattedData(const mjModel* m, const mjData* d, const char* filename, const
char* float_format);

// Writes all of an mjData as text to a file or, if filename is NULL, to standard output.
MJAPI void mj_printData(const mjModel* m, const mjData* d, const char* filename);

// Prints an nr x nc matrix to standard output, one row per line.
MJAPI void mju_printMat(const mjtNum* mat, int nr, int nc);

// Prints the entries of a sparse matrix (compressed rows) to standard output, each with its row and
// column.
MJAPI void mju_printMatSparse(const mjtNum* mat, int nr, const int* rownnz, const int* rowadr, const
int* colind);

// Writes the elements and attributes that MJCF knows, as text or as HTML, to a file and into
// buffer; either may be NULL. Returns the length of the whole text.
MJAPI int mj_printSchema(const char* filename, char* buffer, int buffer_sz, int flg_html, int
flg_pad);

// Writes an abstract scene as text to a file or, if filename is NULL, to standard output.
MJAPI void mj_printScene(const mjvScene* s, const char* filename);

// Writes an abstract scene as text, real numbers in float_format, to a file or, if filename is
// NULL, to standard output.
MJAPI void mj_printFormattedScene(const mjvScene* s, const char* filename, const char*
float_format);


// Stages of a step

// Everything that positions alone decide and that has no inertia in it: poses of bodies, centres of
// mass, cameras, lights, flexes, tendons.
MJAPI void mj_fwdKinematics(const mjModel* m, mjData* d);

// The position stage of forward dynamics: kinematics, mass matrix and factor, contacts, constraint
// rows, islands, transmissions.
MJAPI void mj_fwdPosition(const mjModel* m, mjData* d);

// The velocity stage of forward dynamics: velocities of bodies, tendons and actuators, passive
// forces, bias forces, reference acceleration of constraints.
MJAPI void mj_fwdVelocity(const mjModel* m, mjData* d);

// Actuator forces from controls and activations, and the rates of the activations: actuator_force,
// qfrc_actuator, act_dot.
MJAPI void mj_fwdActuation(const mjModel* m, mjData* d);

// Sums up all forces but those of constraints and solves for the acceleration that they alone would
// give: qfrc_smooth, qacc_smooth.
MJAPI void mj_fwdAcceleration(const mjModel* m, mjData* d);

// Runs the constraint solver: from qacc_smooth to qacc, efc_force and qfrc_constraint.
MJAPI void mj_fwdConstraint(const mjModel* m, mjData* d);

// Integrates with the semi-implicit Euler method, joint damping taken implicitly unless that is
// disabled.
MJAPI void mj_Euler(const mjModel* m, mjData* d);

// Integrates with an explicit Runge-Kutta method of order N; N must be 4.
MJAPI void mj_RungeKutta(const mjModel* m, mjData* d, int N);

// Integrates with velocity-dependent forces taken implicitly, in the variant that opt.integrator
// names (implicit or implicitfast).
MJAPI void mj_implicit(const mjModel* m, mjData* d);

// The position stage of inverse dynamics: as mj_fwdPosition, as far as the inverse needs it.
MJAPI void mj_invPosition(const mjModel* m, mjData* d);

// The velocity stage of inverse dynamics; the same work as mj_fwdVelocity.
MJAPI void mj_invVelocity(const mjModel* m, mjData* d);

// Constraint forces in closed form from the given qacc.
MJAPI void mj_invConstraint(const mjModel* m, mjData* d);

// Runs inverse dynamics on the result of forward dynamics and writes how far the two differ, in
// constraint and in applied forces, to solver_fwdinv.
MJAPI void mj_compareFwdInv(const mjModel* m, mjData* d);


// Parts of a stage

// Evaluates the sensors that depend on positions.
MJAPI void mj_sensorPos(const mjModel* m, mjData* d);

// Evaluates the sensors that depend on velocities.
MJAPI void mj_sensorVel(const mjModel* m, mjData* d);

// Evaluates the sensors that depend on accelerations and forces.
MJAPI void mj_sensorAcc(const mjModel* m, mjData* d);

// Potential energy of gravity and springs, into energy[0].
MJAPI void mj_energyPos(const mjModel* m, mjData* d);

// Kinetic energy, into energy[1].
MJAPI void mj_energyVel(const mjModel* m, mjData* d);

// Looks for numbers in qpos that are not finite or beyond 1e10. If there is one: a warning, and a
// reset unless that is disabled.
MJAPI void mj_checkPos(const mjModel* m, mjData* d);

// Looks for numbers in qvel that are not finite or beyond 1e10. If there is one: a warning, and a
// reset unless that is disabled.
MJAPI void mj_checkVel(const mjModel* m, mjData* d);

// Looks for numbers in qacc that are not finite or beyond 1e10. If there is one: a warning, and a
// reset followed by mj_forward unless that is disabled.
MJAPI void mj_checkAcc(const mjModel* m, mjData* d);

// Poses in the world of bodies, joints, geoms and sites, from qpos and the mocap poses.
MJAPI void mj_kinematics(const mjModel* m, mjData* d);

// Centres of mass of subtrees, and inertias and motion axes taken about them: subtree_com, cinert,
// cdof.
MJAPI void mj_comPos(const mjModel* m, mjData* d);

// Poses in the world of cameras and directions of lights, following their targets.
MJAPI void mj_camlight(const mjModel* m, mjData* d);

// Positions of flex vertices, lengths of flex edges and their Jacobians.
MJAPI void mj_flex(const mjModel* m, mjData* d);

// Paths, lengths and Jacobians of tendons.
MJAPI void mj_tendon(const mjModel* m, mjData* d);

// Lengths of actuators and their moment arms on the dofs.
MJAPI void mj_transmission(const mjModel* m, mjData* d);

// Composite rigid body inertias crb, and from them M, without the inertia of tendons. The legacy
// copy qM is left alone.
MJAPI void mj_crb(const mjModel* m, mjData* d);

// The mass matrix M, composite rigid bodies and tendon armature together.
MJAPI void mj_makeM(const mjModel* m, mjData* d);

// Factors the mass matrix as L'DL, sparse as the tree: qLD, qLDiagInv.
MJAPI void mj_factorM(const mjModel* m, mjData* d);

// Solves M x = y for n right hand sides, stored row after row, with the factor of the mass matrix.
MJAPI void mj_solveM(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, int n);

// Half of mj_solveM: x = sqrt(D^-1) inv(L') y for n rows, sqrtInvD being the roots of the inverse
// diagonal, so that x'x = y' M^-1 y.
MJAPI void mj_solveM2(const mjModel* m, mjData* d, mjtNum* x, const mjtNum* y, const mjtNum*
sqrtInvD, int n);

// Velocities of the bodies, and rates of the motion axes: cvel, cdof_dot.
MJAPI void mj_comVel(const mjModel* m, mjData* d);

// Forces that need no control: springs, dampers, gravity compensation, fluid, and their sum
// qfrc_passive.
MJAPI void mj_passive(const mjModel* m, mjData* d);

// Linear velocity of the centre of mass and angular momentum about it, for each subtree.
MJAPI void mj_subtreeVel(const mjModel* m, mjData* d);

// Recursive Newton-Euler: writes the forces that velocity and gravity demand to result (nv), with M
// qacc added if flg_acc is set.
MJAPI void mj_rne(const mjModel* m, mjData* d, int flg_acc, mjtNum* result);

// Accelerations of the bodies and the forces between them after all forces are known: cacc,
// cfrc_int, cfrc_ext.
MJAPI void mj_rnePostConstraint(const mjModel* m, mjData* d);

// Finds all contacts at the current poses and fills contact and ncon.
MJAPI void mj_collision(const mjModel* m, mjData* d);

// Builds the rows of all active constraints, from equalities to contacts, in the arena.
MJAPI void mj_makeConstraint(const mjModel* m, mjData* d);

// Finds the islands: sets of trees that constraints connect.
MJAPI void mj_island(const mjModel* m, mjData* d);

// Computes the inverse inertia in constraint space, J M^-1 J' + R, for solvers that work there.
MJAPI void mj_projectConstraint(const mjModel* m, mjData* d);

// Velocity of each constraint row and the acceleration that the row strives for: efc_vel, efc_aref.
MJAPI void mj_referenceConstraint(const mjModel* m, mjData* d);

// Forces, states and cost of all rows from jar = J qacc - aref. cost may be NULL; with
// flg_coneHessian the Hessians of elliptic contacts are computed too.
MJAPI void mj_constraintUpdate(const mjModel* m, mjData* d, const mjtNum* jar, mjtNum cost[1], int
flg_coneHessian);


// State, Jacobians, names, other support

// How many numbers the elements of the state that sig names (bits of mjtState) have together.
MJAPI int mj_stateSize(const mjModel* m, int sig);

// Writes the elements of the state that sig names into one vector, in the order of their bits;
// mj_stateSize numbers.
MJAPI void mj_getState(const mjModel* m, const mjData* d, mjtNum* state, int sig);

// Picks the elements dstsig out of a vector that holds the elements srcsig. Everything asked for
// must be there.
MJAPI void mj_extractState(const mjModel* m, const mjtNum* src, int srcsig, mjtNum* dst, int
dstsig);

// Puts the elements that sig names from a vector into the data. Nothing else changes and nothing is
// recomputed.
MJAPI void mj_setState(const mjModel* m, mjData* d, const mjtNum* state, int sig);

// Copies the elements that sig names from one mjData into another of the same model.
MJAPI void mj_copyState(const mjModel* m, const mjData* src, mjData* dst, int sig);

// The control that actuator id sees at a time: the current one, or one out of its history if it has
// a delay. interp below 0 takes the model's interpolation, 0 holds, 1 is linear, 2 cubic.
MJAPI mjtNum mj_readCtrl(const mjModel* m, const mjData* d, int id, mjtNum time, int interp);

// The value that sensor id reports at a time, out of its history if it has one. Returns a pointer
// to it, or NULL with the interpolated value in result.
MJAPI const mjtNum* mj_readSensor(const mjModel* m, const mjData* d, int id, mjtNum time, mjtNum*
result, int interp);

// Fills the history of actuator id. times or values that are NULL stay as they are.
MJAPI void mj_initCtrlHistory(const mjModel* m, mjData* d, int id, const mjtNum* times, const
mjtNum* values);

// Fills the history of sensor id and sets the phase of its sampling. times or values that are NULL
// stay as they are.
MJAPI void mj_initSensorHistory(const mjModel* m, mjData* d, int id, const mjtNum* times, const
mjtNum* values, mjtNum phase);

// Stores time, positions, velocities, activations, mocap poses and controls of the data as keyframe
// k of the model.
MJAPI void mj_setKeyframe(mjModel* m, const mjData* d, int k);

// Appends a copy of a contact to those of the data. Returns 0, or 1 if there is no room. Constraint
// rows made before become invalid.
MJAPI int mj_addContact(const mjModel* m, mjData* d, const mjContact* con);

// 1 if friction cones are pyramids, 0 if they are elliptic.
MJAPI int mj_isPyramidal(const mjModel* m);

// 1 if constraint Jacobians are stored sparse, as the options ask or, if they leave it open, from
// 60 dofs on.
MJAPI int mj_isSparse(const mjModel* m);

// 1 if the solver needs the inverse inertia of mj_projectConstraint, which PGS and the no-slip pass
// do.
MJAPI int mj_isDual(const mjModel* m);

// Multiplies the constraint Jacobian with a vector of dofs: res (nefc) = J vec.
MJAPI void mj_mulJacVec(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec);

// Multiplies the transposed constraint Jacobian with a vector of rows: res (nv) = J' vec.
MJAPI void mj_mulJacTVec(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec);

// Jacobian of a point given in the world that moves with a body: translation in jacp (3 x nv),
// rotation in jacr (3 x nv). Either may be NULL.
MJAPI void mj_jac(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, const mjtNum
point[3], int body);

// Jacobian of a body's frame, as mj_jac.
MJAPI void mj_jacBody(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body);

// Jacobian of a body's centre of mass, as mj_jac.
MJAPI void mj_jacBodyCom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int body);

// Jacobian of the centre of mass of a body's subtree: translation in jacp (3 x nv).
MJAPI void mj_jacSubtreeCom(const mjModel* m, mjData* d, mjtNum* jacp, int body);

// Jacobian of a geom's centre, as mj_jac.
MJAPI void mj_jacGeom(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int geom);

// Jacobian of a site, as mj_jac.
MJAPI void mj_jacSite(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, int site);

// Jacobians of a point and of an axis, both given in the world, that move with a body (3 x nv
// each).
MJAPI void mj_jacPointAxis(const mjModel* m, mjData* d, mjtNum* jacPoint, mjtNum* jacAxis, const
mjtNum point[3], const mjtNum axis[3], int body);

// Time derivative of the Jacobian of mj_jac at the current velocity.
MJAPI void mj_jacDot(const mjModel* m, const mjData* d, mjtNum* jacp, mjtNum* jacr, const mjtNum
point[3], int body);

// Matrix (3 x nv) that takes qvel to the angular momentum of a body's subtree about its centre of
// mass.
MJAPI void mj_angmomMat(const mjModel* m, mjData* d, mjtNum* mat, int body);

// Id of the object of a type (mjtObj) with this name, or -1.
MJAPI int mj_name2id(const mjModel* m, int type, const char* name);

// Name of an object of a type (mjtObj), in the model's memory; NULL if it has none or does not
// exist.
MJAPI const char* mj_id2name(const mjModel* m, int type, int id);

// Writes the mass matrix, given in its legacy sparse layout, as a dense symmetric nv x nv matrix.
MJAPI void mj_fullM(const mjModel* m, mjtNum* dst, const mjtNum* M);

// Multiplies the mass matrix with a vector: res = M vec.
MJAPI void mj_mulM(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec);

// Multiplies a square root of the mass matrix with a vector, so that res'res = vec' M vec.
MJAPI void mj_mulM2(const mjModel* m, const mjData* d, mjtNum* res, const mjtNum* vec);

// Adds the mass matrix to dst, which is sparse with the given rows, or dense if rownnz, rowadr and
// colind are NULL.
MJAPI void mj_addM(const mjModel* m, mjData* d, mjtNum* dst, int* rownnz, int* rowadr, int* colind);

// Adds to qfrc_target (nv) what a force and a torque, acting at a point of a body, do to the dofs.
// All in world axes; force or torque may be NULL.
MJAPI void mj_applyFT(const mjModel* m, mjData* d, const mjtNum force[3], const mjtNum torque[3],
const mjtNum point[3], int body, mjtNum* qfrc_target);

// Velocity of a body, geom, site or camera, rotation first, in the axes of the object if flg_local
// is set, else in those of the world.
MJAPI void mj_objectVelocity(const mjModel* m, const mjData* d, int objtype, int objid, mjtNum
res[6], int flg_local);

// Acceleration of a body, geom, site or camera, rotation first, as mj_objectVelocity. Needs
// mj_rnePostConstraint.
MJAPI void mj_objectAcceleration(const mjModel* m, const mjData* d, int objtype, int objid, mjtNum
res[6], int flg_local);

// Smallest distance between two geoms, negative if they overlap, at most distmax. The segment that
// joins the nearest points goes to fromto if it is not NULL.
MJAPI mjtNum mj_geomDistance(const mjModel* m, const mjData* d, int geom1, int geom2, mjtNum
distmax, mjtNum fromto[6]);

// Force and torque of a contact in the contact's frame, normal first; zeros if it is not active.
MJAPI void mj_contactForce(const mjModel* m, const mjData* d, int id, mjtNum result[6]);

// The velocity that takes qpos1 to qpos2 in the time dt, quaternions included.
MJAPI void mj_differentiatePos(const mjModel* m, mjtNum* qvel, mjtNum dt, const mjtNum* qpos1, const
mjtNum* qpos2);

// Moves qpos on with a constant velocity for the time dt, quaternions included.
MJAPI void mj_integratePos(const mjModel* m, mjtNum* qpos, const mjtNum* qvel, mjtNum dt);

// Gives unit length to all quaternions in qpos.
MJAPI void mj_normalizeQuat(const mjModel* m, mjtNum* qpos);

// World pose of a frame given in a body's frame. sameframe (mjtSameFrame) tells when it coincides
// with a known one.
MJAPI void mj_local2Global(mjData* d, mjtNum xpos[3], mjtNum xmat[9], const mjtNum pos[3], const
mjtNum quat[4], int body, mjtByte sameframe);

// Sum of the masses of all bodies but the world.
MJAPI mjtNum mj_getTotalmass(const mjModel* m);

// Scales all masses and inertias so that the sum of masses is newmass. Derived quantities follow
// with mj_setConst.
MJAPI void mj_setTotalmass(mjModel* m, mjtNum newmass);

// Value of an attribute of a plugin instance, in the model's memory; empty if not set, NULL if
// there is no such instance or attribute.
MJAPI const char* mj_getPluginConfig(const mjModel* m, int plugin_id, const char* attrib);

// Opens a shared library, whose plugins register themselves.
MJAPI void mj_loadPluginLibrary(const char* path);

// Opens all shared libraries of a folder and calls back, if callback is not NULL, with the plugins
// that each registered.
MJAPI void mj_loadAllPluginLibraries(const char* directory, mjfPluginLibraryLoadCallback callback);

// The version as one number, 3005000 for 3.5.0: a program can compare it with mjVERSION_HEADER to
// see whether headers and library belong together.
MJAPI int mj_version(void);

// The version as text, "3.5.0".
MJAPI const char* mj_versionString(void);


// Rays

// Casts a ray from pnt along vec against the geoms. Returns the distance in units of vec, or -1;
// the geom goes to geomid and the surface normal to normal, both optional. geomgroup (6 flags,
// optional), flg_static and bodyexclude leave geoms out.
MJAPI mjtNum mj_ray(const mjModel* m, const mjData* d, const mjtNum pnt[3], const mjtNum vec[3],
const mjtByte* geomgroup, mjtByte flg_static, int bodyexclude, int geomid[1], mjtNum normal[3]);

// Casts nray rays from one point, as mj_ray, with results in geomid, dist and normal; nothing
// beyond cutoff is found.
MJAPI void mj_multiRay(const mjModel* m, mjData* d, const mjtNum pnt[3], const mjtNum* vec, const
mjtByte* geomgroup, mjtByte flg_static, int bodyexclude, int* geomid, mjtNum* dist, mjtNum* normal,
int nray, mjtNum cutoff);

// Distance along a ray to one height field geom, or -1; surface normal in normal if it is not NULL.
MJAPI mjtNum mj_rayHfield(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3], const
mjtNum vec[3], mjtNum normal[3]);

// Distance along a ray to one mesh geom, or -1; surface normal in normal if it is not NULL.
MJAPI mjtNum mj_rayMesh(const mjModel* m, const mjData* d, int geomid, const mjtNum pnt[3], const
mjtNum vec[3], mjtNum normal[3]);

// Distance along a ray to a primitive shape given by pose, size and type, or -1; surface normal in
// normal if it is not NULL.
MJAPI mjtNum mju_rayGeom(const mjtNum pos[3], const mjtNum mat[9], const mjtNum size[3], const
mjtNum pnt[3], const mjtNum vec[3], int geomtype, mjtNum normal[3]);

// Distance along a ray to the chosen parts of a flex, or -1; the nearest vertex goes to vertid and
// the surface normal to normal, both optional.
MJAPI mjtNum mj_rayFlex(const mjModel* m, const mjData* d, int flex_layer, mjtByte flg_vert, mjtByte
flg_edge, mjtByte flg_face, mjtByte flg_skin, int flexid, const mjtNum pnt[3], const mjtNum vec[3],
int vertid[1], mjtNum normal[3]);

// Distance along a ray to a triangulated skin, or -1; the nearest vertex goes to vertid if it is
// not NULL.
MJAPI mjtNum mju_raySkin(int nface, int nvert, const int* face, const float* vert, const mjtNum
pnt[3], const mjtNum vec[3], int vertid[1]);


// Cameras, perturbations, selection

// Fills in a free camera that looks at the origin.
MJAPI void mjv_defaultCamera(mjvCamera* cam);

// Fills in a free camera that has the whole model in view.
MJAPI void mjv_defaultFreeCamera(const mjModel* m, mjvCamera* cam);

// Fills in a perturbation that selects nothing.
MJAPI void mjv_defaultPerturb(mjvPerturb* pert);

// Pose in the room, where the user's head is, to pose in the model.
MJAPI void mjv_room2model(mjtNum modelpos[3], mjtNum modelquat[4], const mjtNum roompos[3], const
mjtNum roomquat[4], const mjvScene* scn);

// Pose in the model to pose in the room, where the user's head is.
MJAPI void mjv_model2room(mjtNum roompos[3], mjtNum roomquat[4], const mjtNum modelpos[3], const
mjtNum modelquat[4], const mjvScene* scn);

// Position, forward and up direction of the scene's camera in the model, the mean of both eyes.
// Outputs may be NULL.
MJAPI void mjv_cameraInModel(mjtNum headpos[3], mjtNum forward[3], mjtNum up[3], const mjvScene*
scn);

// Position, forward and up direction of the scene's camera in the room, the mean of both eyes.
// Outputs may be NULL.
MJAPI void mjv_cameraInRoom(mjtNum headpos[3], mjtNum forward[3], mjtNum up[3], const mjvScene*
scn);

// Height of what the camera sees at unit distance, the mean of both eyes.
MJAPI mjtNum mjv_frustumHeight(const mjvScene* scn);

// Turns a vector about the vertical so that its y axis follows the horizontal part of forward.
MJAPI void mjv_alignToCamera(mjtNum res[3], const mjtNum vec[3], const mjtNum forward[3]);

// Moves a camera as a mouse action (mjtMouse) asks; reldx and reldy are fractions of the window's
// height.
MJAPI void mjv_moveCamera(const mjModel* m, int action, mjtNum reldx, mjtNum reldy, const mjvScene*
scn, mjvCamera* cam);

// Moves the target of a perturbation as a mouse action (mjtMouse) asks; reldx and reldy are
// fractions of the window's height.
MJAPI void mjv_movePerturb(const mjModel* m, const mjData* d, int action, mjtNum reldx, mjtNum
reldy, const mjvScene* scn, mjvPerturb* pert);

// Moves the model in the room as a mouse action (mjtMouse) asks; roomup is the vertical of the
// room.
MJAPI void mjv_moveModel(const mjModel* m, int action, mjtNum reldx, mjtNum reldy, const mjtNum
roomup[3], mjvScene* scn);

// Starts a perturbation at the current pose of the selected body.
MJAPI void mjv_initPerturb(const mjModel* m, mjData* d, const mjvScene* scn, mjvPerturb* pert);

// Puts the selected body to the target pose: mocap bodies always, others only if flg_paused is set,
// then through their free root joint.
MJAPI void mjv_applyPerturbPose(const mjModel* m, mjData* d, const mjvPerturb* pert, int
flg_paused);

// Sets xfrc_applied of the selected body to the force of a spring and damper that pull it towards
// the target.
MJAPI void mjv_applyPerturbForce(const mjModel* m, mjData* d, const mjvPerturb* pert);

// The camera between two others.
MJAPI mjvGLCamera mjv_averageCamera(const mjvGLCamera* cam1, const mjvGLCamera* cam2);

// Finds what is under a point of the window, relx and rely from 0 to 1. Returns the body or -1;
// point and ids of geom, flex and skin go to the other arguments.
MJAPI int mjv_select(const mjModel* m, const mjData* d, const mjvOption* vopt, mjtNum aspectratio,
mjtNum relx, mjtNum rely, const mjvScene* scn, mjtNum selpnt[3], int geomid[1], int flexid[1], int
skinid[1]);


// Abstract scenes

// Fills in what an abstract scene shows unless told otherwise.
MJAPI void mjv_defaultOption(mjvOption* opt);

// Fills in colours, sizes and formats of an empty figure.
MJAPI void mjv_defaultFigure(mjvFigure* fig);

// Fills in a visual geom. size, pos, mat and rgba may be NULL and then have defaults.
MJAPI void mjv_initGeom(mjvGeom* geom, int type, const mjtNum size[3], const mjtNum pos[3], const
mjtNum mat[9], const float rgba[4]);

// Makes a visual geom of a type that has two ends (capsule, cylinder, arrow, line) join two points.
MJAPI void mjv_connector(mjvGeom* geom, int type, mjtNum width, const mjtNum from[3], const mjtNum
to[3]);

// Fills in an empty scene that owns no memory.
MJAPI void mjv_defaultScene(mjvScene* scn);

// Gives a scene memory for maxgeom visual geoms, and for the flexes and skins of the model.
// mjv_freeScene releases it.
MJAPI void mjv_makeScene(const mjModel* m, mjvScene* scn, int maxgeom);

// Releases the memory of a scene.
MJAPI void mjv_freeScene(mjvScene* scn);

// Builds the whole scene from model and data: geoms of the categories in catmask (mjtCatBit),
// camera, lights, flexes and skins.
MJAPI void mjv_updateScene(const mjModel* m, mjData* d, const mjvOption* opt, const mjvPerturb*
pert, mjvCamera* cam, int catmask, mjvScene* scn);

// Copies what drawing needs of a model into another of the same size, without large arrays of
// meshes, height fields and textures.
MJAPI void mjv_copyModel(mjModel* dest, const mjModel* src);

// Appends visual geoms of the categories in catmask (mjtCatBit) to those of the scene.
MJAPI void mjv_addGeoms(const mjModel* m, mjData* d, const mjvOption* opt, const mjvPerturb* pert,
int catmask, mjvScene* scn);

// Replaces the lights of the scene by those of the model.
MJAPI void mjv_makeLights(const mjModel* m, const mjData* d, mjvScene* scn);

// Sets the cameras of the scene, one per eye, from an abstract camera.
MJAPI void mjv_updateCamera(const mjModel* m, const mjData* d, mjvCamera* cam, mjvScene* scn);

// Moves the skins of the scene with their bones.
MJAPI void mjv_updateSkin(const mjModel* m, const mjData* d, mjvScene* scn);

// Position and axes of an abstract camera. Outputs may be NULL.
MJAPI void mjv_cameraFrame(mjtNum headpos[3], mjtNum forward[3], mjtNum up[3], mjtNum right[3],
const mjData* d, const mjvCamera* cam);

// Vertical and horizontal extents and clipping distances of what an abstract camera sees. Outputs
// may be NULL.
MJAPI void mjv_cameraFrustum(float zver[2], float zhor[2], float zclip[2], const mjModel* m, const
mjvCamera* cam);


// Rendering

// Fills in an empty rendering context.
MJAPI void mjr_defaultContext(mjrContext* con);

// Makes a rendering context for a model in the current OpenGL context and uploads all assets;
// fontscale is 50 to 300 percent.
MJAPI void mjr_makeContext(const mjModel* m, mjrContext* con, int fontscale);

// Loads the fonts in another scale; one of 50, 100, ... 300.
MJAPI void mjr_changeFont(int fontscale, mjrContext* con);

// Makes or replaces an auxiliary framebuffer.
MJAPI void mjr_addAux(int index, int width, int height, int samples, mjrContext* con);

// Releases what a rendering context has on the graphics side.
MJAPI void mjr_freeContext(mjrContext* con);

// Changes the size of the offscreen framebuffer.
MJAPI void mjr_resizeOffscreen(int width, int height, mjrContext* con);

// Sends a texture of the model, for example after an edit, to the graphics side.
MJAPI void mjr_uploadTexture(const mjModel* m, const mjrContext* con, int texid);

// Sends a mesh of the model, for example after an edit, to the graphics side.
MJAPI void mjr_uploadMesh(const mjModel* m, const mjrContext* con, int meshid);

// Sends a height field of the model, for example after an edit, to the graphics side.
MJAPI void mjr_uploadHField(const mjModel* m, const mjrContext* con, int hfieldid);

// Makes the context's current framebuffer the one of OpenGL again.
MJAPI void mjr_restoreBuffer(const mjrContext* con);

// Chooses between window and offscreen framebuffer (mjtFramebuffer); if only one exists, it is
// taken.
MJAPI void mjr_setBuffer(int framebuffer, mjrContext* con);

// Reads colours and depths of a rectangle from the current framebuffer, bottom row first. rgb (3
// bytes a pixel) or depth may be NULL.
MJAPI void mjr_readPixels(unsigned char* rgb, float* depth, mjrRect viewport, const mjrContext*
con);

// Draws colours and depths into a rectangle of the current framebuffer, bottom row first. rgb or
// depth may be NULL.
MJAPI void mjr_drawPixels(const unsigned char* rgb, const float* depth, mjrRect viewport, const
mjrContext* con);

// Copies a rectangle, colours or depths or both, from the current framebuffer to the other one.
MJAPI void mjr_blitBuffer(mjrRect src, mjrRect dst, int flg_color, int flg_depth, const mjrContext*
con);

// Draws into an auxiliary framebuffer from now on; mjr_restoreBuffer ends that.
MJAPI void mjr_setAux(int index, const mjrContext* con);

// Copies a rectangle from an auxiliary framebuffer to the current one.
MJAPI void mjr_blitAux(int index, mjrRect src, int left, int bottom, const mjrContext* con);

// Writes a text at x, y from 0 to 1 in the current viewport.
MJAPI void mjr_text(int font, const char* txt, const mjrContext* con, float x, float y, float r,
float g, float b);

// Writes two columns of text into a corner of a viewport (mjtGridPos).
MJAPI void mjr_overlay(int font, int gridpos, mjrRect viewport, const char* overlay, const char*
overlay2, const mjrContext* con);

// The whole current framebuffer as a rectangle.
MJAPI mjrRect mjr_maxViewport(const mjrContext* con);

// Fills a rectangle with a colour.
MJAPI void mjr_rectangle(mjrRect viewport, float r, float g, float b, float a);

// Fills a rectangle with a colour and writes a text in its middle.
MJAPI void mjr_label(mjrRect viewport, int font, const char* txt, float r, float g, float b, float
a, float rt, float gt, float bt, const mjrContext* con);

// Draws a figure with axes, lines and legend.
MJAPI void mjr_figure(mjrRect viewport, mjvFigure* fig, const mjrContext* con);

// Draws an abstract scene into a rectangle of the current framebuffer.
MJAPI void mjr_render(mjrRect viewport, mjvScene* scn, const mjrContext* con);

// Waits until the graphics side has done everything.
MJAPI void mjr_finish(void);

// The oldest error of OpenGL that was not asked for yet; 0 if none.
MJAPI int mjr_getError(void);

// Index of the first rectangle that contains a point, or -1.
MJAPI int mjr_findRect(int x, int y, int nrect, const mjrRect* rect);


// Widgets

// One of the built-in spacings of widgets.
MJAPI mjuiThemeSpacing mjui_themeSpacing(int ind);

// One of the built-in colour themes of widgets.
MJAPI mjuiThemeColor mjui_themeColor(int ind);

// Appends sections and items from a table of definitions.
MJAPI void mjui_add(mjUI* ui, const mjuiDef* def);

// Appends items from a table of definitions to one section.
MJAPI void mjui_addToSection(mjUI* ui, int sect, const mjuiDef* def);

// Computes the size that the widgets need.
MJAPI void mjui_resize(mjUI* ui, const mjrContext* con);

// Draws a section or an item anew, all of them if the number is -1.
MJAPI void mjui_update(int section, int item, const mjUI* ui, const mjuiState* state, const
mjrContext* con);

// Handles a mouse or key event. Returns the item that it changed, or NULL.
MJAPI mjuiItem* mjui_event(mjUI* ui, mjuiState* state, const mjrContext* con);

// Copies the widgets to the window.
MJAPI void mjui_render(mjUI* ui, const mjuiState* state, const mjrContext* con);


// Errors and memory

// Raises an error with a printf-like message: to the handler of the thread, to mju_user_error, or
// else to standard output, and then the process ends. If a handler returns, so does the call.
MJAPI void mju_error(const char* msg, ...) mjPRINTFLIKE(1, 2);

// mju_error with one integer.
MJAPI void mju_error_i(const char* msg, int i);

// mju_error with one text.
MJAPI void mju_error_s(const char* msg, const char* text);

// Raises a warning with a printf-like message: to the handler of the thread, to mju_user_warning,
// or else to standard output.
MJAPI void mju_warning(const char* msg, ...) mjPRINTFLIKE(1, 2);

// mju_warning with one integer.
MJAPI void mju_warning_i(const char* msg, int i);

// mju_warning with one text.
MJAPI void mju_warning_s(const char* msg, const char* text);

// Sets mju_user_error, mju_user_warning, mju_user_malloc and mju_user_free to NULL.
MJAPI void mju_clearHandlers(void);

// Memory that starts at a multiple of 64 bytes, through mju_user_malloc if that is set; for
// mju_free. Failure is an error.
MJAPI void* mju_malloc(size_t size);

// Gives back what mju_malloc gave; NULL is fine.
MJAPI void mju_free(void* ptr);

// Counts a warning (mjtWarning) in the data and raises it the first time; info is a number for its
// text.
MJAPI void mj_warning(mjData* d, int warning, int info);

// Appends a dated entry to the log file.
MJAPI void mju_writeLog(const char* type, const char* msg);

// The latest message of a spec, empty if there is none; owned by the spec.
MJAPI const char* mjs_getError(mjSpec* s);

// 1 if the latest message of a spec is a warning of a compilation that succeeded.
MJAPI int mjs_isWarning(mjSpec* s);


// Vectors and dense matrices

// res = 0.
MJAPI void mju_zero3(mjtNum res[3]);

// res = data.
MJAPI void mju_copy3(mjtNum res[3], const mjtNum data[3]);

// res = vec * scl.
MJAPI void mju_scl3(mjtNum res[3], const mjtNum vec[3], mjtNum scl);

// res = vec1 + vec2.
MJAPI void mju_add3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3]);

// res = vec1 - vec2.
MJAPI void mju_sub3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3]);

// res += vec.
MJAPI void mju_addTo3(mjtNum res[3], const mjtNum vec[3]);

// res -= vec.
MJAPI void mju_subFrom3(mjtNum res[3], const mjtNum vec[3]);

// res += vec * scl.
MJAPI void mju_addToScl3(mjtNum res[3], const mjtNum vec[3], mjtNum scl);

// res = vec1 + vec2 * scl.
MJAPI void mju_addScl3(mjtNum res[3], const mjtNum vec1[3], const mjtNum vec2[3], mjtNum scl);

// Gives vec unit length; one shorter than mjMINVAL becomes (1, 0, 0). Returns the old length.
MJAPI mjtNum mju_normalize3(mjtNum vec[3]);

// Length of a vector.
MJAPI mjtNum mju_norm3(const mjtNum vec[3]);

// Dot product.
MJAPI mjtNum mju_dot3(const mjtNum vec1[3], const mjtNum vec2[3]);

// Distance of two points.
MJAPI mjtNum mju_dist3(const mjtNum pos1[3], const mjtNum pos2[3]);

// res = mat vec, mat being 3 x 3.
MJAPI void mju_mulMatVec3(mjtNum res[3], const mjtNum mat[9], const mjtNum vec[3]);

// res = mat' vec, mat being 3 x 3.
MJAPI void mju_mulMatTVec3(mjtNum res[3], const mjtNum mat[9], const mjtNum vec[3]);

// res = a x b.
MJAPI void mju_cross(mjtNum res[3], const mjtNum a[3], const mjtNum b[3]);

// res = 0.
MJAPI void mju_zero4(mjtNum res[4]);

// res = (1, 0, 0, 0), the quaternion that does not rotate.
MJAPI void mju_unit4(mjtNum res[4]);

// res = data.
MJAPI void mju_copy4(mjtNum res[4], const mjtNum data[4]);

// Gives vec unit length, unless it has it up to mjMINVAL; one shorter than mjMINVAL becomes (1, 0,
// 0, 0). Returns the old length.
MJAPI mjtNum mju_normalize4(mjtNum vec[4]);

// res = 0, for n numbers.
MJAPI void mju_zero(mjtNum* res, int n);

// res = val in all n entries.
MJAPI void mju_fill(mjtNum* res, mjtNum val, int n);

// res = vec, for n numbers.
MJAPI void mju_copy(mjtNum* res, const mjtNum* vec, int n);

// Sum of n numbers.
MJAPI mjtNum mju_sum(const mjtNum* vec, int n);

// Sum of the absolute values of n numbers.
MJAPI mjtNum mju_L1(const mjtNum* vec, int n);

// res = vec * scl.
MJAPI void mju_scl(mjtNum* res, const mjtNum* vec, mjtNum scl, int n);

// res = vec1 + vec2.
MJAPI void mju_add(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, int n);

// res = vec1 - vec2.
MJAPI void mju_sub(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, int n);

// res += vec.
MJAPI void mju_addTo(mjtNum* res, const mjtNum* vec, int n);

// res -= vec.
MJAPI void mju_subFrom(mjtNum* res, const mjtNum* vec, int n);

// res += vec * scl.
MJAPI void mju_addToScl(mjtNum* res, const mjtNum* vec, mjtNum scl, int n);

// res = vec1 + vec2 * scl.
MJAPI void mju_addScl(mjtNum* res, const mjtNum* vec1, const mjtNum* vec2, mjtNum scl, int n);

// Gives res unit length; one shorter than mjMINVAL becomes (1, 0, ..., 0). Returns the old length.
MJAPI mjtNum mju_normalize(mjtNum* res, int n);

// Length of a vector of n numbers.
MJAPI mjtNum mju_norm(const mjtNum* res, int n);

// Dot product of n numbers.
MJAPI mjtNum mju_dot(const mjtNum* vec1, const mjtNum* vec2, int n);

// res (nr) = mat vec, mat being nr x nc.
MJAPI void mju_mulMatVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc);

// res (nc) = mat' vec, mat being nr x nc.
MJAPI void mju_mulMatTVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int nr, int nc);

// vec1' mat vec2, mat being n x n.
MJAPI mjtNum mju_mulVecMatVec(const mjtNum* vec1, const mjtNum* mat, const mjtNum* vec2, int n);

// res (nc x nr) = mat', mat being nr x nc.
MJAPI void mju_transpose(mjtNum* res, const mjtNum* mat, int nr, int nc);

// res = (mat + mat') / 2, n x n; res may be mat.
MJAPI void mju_symmetrize(mjtNum* res, const mjtNum* mat, int n);

// mat = identity, n x n.
MJAPI void mju_eye(mjtNum* mat, int n);

// res (r1 x c2) = mat1 (r1 x c1) mat2 (c1 x c2).
MJAPI void mju_mulMatMat(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int
c2);

// res (r1 x r2) = mat1 (r1 x c1) mat2' (mat2: r2 x c1).
MJAPI void mju_mulMatMatT(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int
r2);

// res (c1 x c2) = mat1' mat2 (mat1: r1 x c1, mat2: r1 x c2).
MJAPI void mju_mulMatTMat(mjtNum* res, const mjtNum* mat1, const mjtNum* mat2, int r1, int c1, int
c2);

// res (nc x nc) = mat' diag(diag) mat, mat being nr x nc; a diag of NULL counts as ones.
MJAPI void mju_sqrMatTD(mjtNum* res, const mjtNum* mat, const mjtNum* diag, int nr, int nc);

// Carries a motion or, with flg_force, a force (rotation first) from the point oldpos to newpos,
// and then into axes rotated by rotnew2old, unless that is NULL.
MJAPI void mju_transformSpatial(mjtNum res[6], const mjtNum vec[6], int flg_force, const mjtNum
newpos[3], const mjtNum oldpos[3], const mjtNum rotnew2old[9]);


// Sparse matrices

// Turns a dense nr x nc matrix into compressed rows without its zeros. Returns 0, or 1 if nnz
// entries are not enough.
MJAPI int mju_dense2sparse(mjtNum* res, const mjtNum* mat, int nr, int nc, int* rownnz, int* rowadr,
int* colind, int nnz);

// Turns compressed rows into a dense nr x nc matrix.
MJAPI void mju_sparse2dense(mjtNum* res, const mjtNum* mat, int nr, int nc, const int* rownnz, const
int* rowadr, const int* colind);


// Quaternions

// Rotates a vector by a quaternion.
MJAPI void mju_rotVecQuat(mjtNum res[3], const mjtNum vec[3], const mjtNum quat[4]);

// The conjugate quaternion, which rotates back.
MJAPI void mju_negQuat(mjtNum res[4], const mjtNum quat[4]);

// Product of quaternions: rotation by quat2, then by quat1.
MJAPI void mju_mulQuat(mjtNum res[4], const mjtNum quat1[4], const mjtNum quat2[4]);

// Product of a quaternion with (0, axis).
MJAPI void mju_mulQuatAxis(mjtNum res[4], const mjtNum quat[4], const mjtNum axis[3]);

// Quaternion of a rotation by an angle about an axis of unit length.
MJAPI void mju_axisAngle2Quat(mjtNum res[4], const mjtNum axis[3], mjtNum angle);

// Angular velocity that makes the rotation quat in the time dt, the short way round.
MJAPI void mju_quat2Vel(mjtNum res[3], const mjtNum quat[4], mjtNum dt);

// Rotation vector, in the frame of qb, that takes qb to qa.
MJAPI void mju_subQuat(mjtNum res[3], const mjtNum qa[4], const mjtNum qb[4]);

// 3 x 3 matrix of a quaternion of unit length.
MJAPI void mju_quat2Mat(mjtNum res[9], const mjtNum quat[4]);

// Quaternion of a 3 x 3 rotation matrix.
MJAPI void mju_mat2Quat(mjtNum quat[4], const mjtNum mat[9]);

// Time derivative of a quaternion that turns with an angular velocity given in the world.
MJAPI void mju_derivQuat(mjtNum res[4], const mjtNum quat[4], const mjtNum vel[3]);

// Turns quat by the angular velocity vel, given in its own frame, for the time scale.
MJAPI void mju_quatIntegrate(mjtNum quat[4], const mjtNum vel[3], mjtNum scale);

// Quaternion that takes the z axis to the direction of vec by the shortest turn.
MJAPI void mju_quatZ2Vec(mjtNum quat[4], const mjtNum vec[3]);

// Finds the rotation nearest to any 3 x 3 matrix, starting from quat. Returns the number of
// iterations.
MJAPI int mju_mat2Rot(mjtNum quat[4], const mjtNum mat[9]);

// Quaternion of three turns; seq has three letters of xyz for axes that turn along or XYZ for axes
// that stay.
MJAPI void mju_euler2Quat(mjtNum quat[4], const mjtNum euler[3], const char* seq);


// Poses

// Pose 2, given in pose 1, as seen from where pose 1 is given.
MJAPI void mju_mulPose(mjtNum posres[3], mjtNum quatres[4], const mjtNum pos1[3], const mjtNum
quat1[4], const mjtNum pos2[3], const mjtNum quat2[4]);

// The pose that undoes a pose.
MJAPI void mju_negPose(mjtNum posres[3], mjtNum quatres[4], const mjtNum pos[3], const mjtNum
quat[4]);

// Carries a point out of the frame of a pose: rotates it, then adds the position.
MJAPI void mju_trnVecPose(mjtNum res[3], const mjtNum pos[3], const mjtNum quat[4], const mjtNum
vec[3]);


// Factorisations and small solvers

// Factors a symmetric matrix in place into L L', L in the lower triangle; the upper one is not
// touched. Pivots below mindiag are raised to it. Returns n less the number of those.
MJAPI int mju_cholFactor(mjtNum* mat, int n, mjtNum mindiag);

// Solves L L' res = vec with a factor of mju_cholFactor; res may be vec.
MJAPI void mju_cholSolve(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int n);

// Changes a factor of mju_cholFactor into that of the matrix plus, or without flg_plus minus, x x'.
// Overwrites x. Returns n less the number of pivots that had to be raised.
MJAPI int mju_cholUpdate(mjtNum* mat, mjtNum* x, int n, int flg_plus);

// Factors a symmetric matrix in band-dense form in place, with its diagonal scaled by 1 + diagmul
// and raised by diagadd. Returns the smallest pivot, 0 on failure.
MJAPI mjtNum mju_cholFactorBand(mjtNum* mat, int ntotal, int nband, int ndense, mjtNum diagadd,
mjtNum diagmul);

// Solves with a factor of mju_cholFactorBand; res may be vec.
MJAPI void mju_cholSolveBand(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int ntotal, int
nband, int ndense);

// Turns a matrix in band-dense form into a dense one, mirrored into the upper triangle if flg_sym
// is set.
MJAPI void mju_band2Dense(mjtNum* res, const mjtNum* mat, int ntotal, int nband, int ndense, mjtByte
flg_sym);

// Turns the lower triangle of a dense matrix into band-dense form.
MJAPI void mju_dense2Band(mjtNum* res, const mjtNum* mat, int ntotal, int nband, int ndense);

// Multiplies a matrix in band-dense form with nvec vectors, stored one after the other; as a
// symmetric one if flg_sym is set.
MJAPI void mju_bandMulMatVec(mjtNum* res, const mjtNum* mat, const mjtNum* vec, int ntotal, int
nband, int ndense, int nvec, mjtByte flg_sym);

// Where the diagonal entry i of a matrix in band-dense form is stored.
MJAPI int mju_bandDiag(int i, int ntotal, int nband, int ndense);

// Eigenvalues, largest first, and eigenvectors, as columns and as a quaternion, of a symmetric 3 x
// 3 matrix. Returns the number of iterations.
MJAPI int mju_eig3(mjtNum eigval[3], mjtNum eigvec[9], mjtNum quat[4], const mjtNum mat[9]);

// Minimises x'Hx/2 + g'x within lower and upper bounds, starting from res; bounds may be NULL. R
// takes the factor of the free part and needs n (n + 7) numbers, index, which may be NULL, the free
// entries. Returns how many are free, -1 on failure.
MJAPI int mju_boxQP(mjtNum* res, mjtNum* R, int* index, const mjtNum* H, const mjtNum* g, int n,
const mjtNum* lower, const mjtNum* upper);

// Allocates all arrays of mju_boxQP for n numbers, for mju_free; index, lower and upper may be
// NULL.
MJAPI void mju_boxQPmalloc(mjtNum** res, mjtNum** R, int** index, mjtNum** H, mjtNum** g, int n,
mjtNum** lower, mjtNum** upper);


// Muscles, scalars, strings, conversions

// Active force of a muscle per activation: peak force times the curves of length and velocity,
// negative because it pulls.
MJAPI mjtNum mju_muscleGain(mjtNum len, mjtNum vel, const mjtNum lengthrange[2], mjtNum acc0, const
mjtNum prm[9]);

// Passive force of a muscle at a length, negative because it pulls.
MJAPI mjtNum mju_muscleBias(mjtNum len, const mjtNum lengthrange[2], mjtNum acc0, const mjtNum
prm[9]);

// Rate of a muscle's activation; prm has the time constants of activation and deactivation and the
// width of the passage between them.
MJAPI mjtNum mju_muscleDynamics(mjtNum ctrl, mjtNum act, const mjtNum prm[3]);

// Contact force, normal first, to coordinates along the 2 (dim - 1) edges of the friction pyramid.
MJAPI void mju_encodePyramid(mjtNum* pyramid, const mjtNum* force, const mjtNum* mu, int dim);

// Coordinates along the edges of a friction pyramid to contact force, normal first.
MJAPI void mju_decodePyramid(mjtNum* force, const mjtNum* pyramid, const mjtNum* mu, int dim);

// Position after the time dt of a unit mass on a spring Kp and a damper Kv, exactly.
MJAPI mjtNum mju_springDamper(mjtNum pos0, mjtNum vel0, mjtNum Kp, mjtNum Kv, mjtNum dt);

// The smaller of two numbers.
MJAPI mjtNum mju_min(mjtNum a, mjtNum b);

// The larger of two numbers.
MJAPI mjtNum mju_max(mjtNum a, mjtNum b);

// x, but not below min and not above max.
MJAPI mjtNum mju_clip(mjtNum x, mjtNum min, mjtNum max);

// -1, 0 or 1 as x is negative, zero or positive.
MJAPI mjtNum mju_sign(mjtNum x);

// The nearest integer; halves go up.
MJAPI int mju_round(mjtNum x);

// What a type of object (mjtObj) is called in MJCF; NULL if it is not a type.
MJAPI const char* mju_type2Str(int type);

// Type of object (mjtObj) of a name in MJCF; mjOBJ_UNKNOWN if it is none.
MJAPI int mju_str2Type(const char* str);

// A number of bytes as text, with a unit (1K, 3M) where that is exact. Valid until the thread calls
// again.
MJAPI const char* mju_writeNumBytes(size_t nbytes);

// What a warning (mjtWarning) says, with info in it. Valid until the thread calls again.
MJAPI const char* mju_warningText(int warning, size_t info);

// 1 if x is not a number or beyond 1e10 in size.
MJAPI int mju_isBad(mjtNum x);

// 1 if all n numbers are zero.
MJAPI int mju_isZero(const mjtNum* vec, int n);

// A random number from the normal distribution, and an independent second one in num2 unless that
// is NULL. Draws from the C library's rand.
MJAPI mjtNum mju_standardNormal(mjtNum* num2);

// Converts n numbers from float.
MJAPI void mju_f2n(mjtNum* res, const float* vec, int n);

// Converts n numbers to float.
MJAPI void mju_n2f(float* res, const mjtNum* vec, int n);

// Converts n numbers from double.
MJAPI void mju_d2n(mjtNum* res, const double* vec, int n);

// Converts n numbers to double.
MJAPI void mju_n2d(double* res, const mjtNum* vec, int n);

// Sorts n numbers in place, smallest first; good for lists that are short or nearly sorted.
MJAPI void mju_insertionSort(mjtNum* list, int n);

// Sorts n integers in place, smallest first; good for lists that are short or nearly sorted.
MJAPI void mju_insertionSortInt(int* list, int n);

// Element index of the Halton sequence in a base: numbers that fill 0 to 1 evenly.
MJAPI mjtNum mju_Halton(int index, int base);

// Copies up to n - 1 bytes of a text and always ends it. Returns dst.
MJAPI char* mju_strncpy(char* dst, const char* src, int n);

// Smooth step from 0 at x = 0 to 1 at x = 1, with two continuous derivatives.
MJAPI mjtNum mju_sigmoid(mjtNum x);


// Signed distances

// The plugin that gives the signed distance of geom id.
MJAPI const mjpPlugin* mjc_getSDF(const mjModel* m, int id);

// Signed distance of the point x from a shape or combination of shapes.
MJAPI mjtNum mjc_distance(const mjModel* m, const mjData* d, const mjSDF* s, const mjtNum x[3]);

// Gradient of the signed distance at the point x.
MJAPI void mjc_gradient(const mjModel* m, const mjData* d, const mjSDF* s, mjtNum gradient[3], const
mjtNum x[3]);


// Derivatives

// Derivatives of a step by finite differences of size eps, one-sided or centred: A of state by
// state, B of state by controls, C and D of sensors by the same. The state is (dq, qvel, act); each
// may be NULL.
MJAPI void mjd_transitionFD(const mjModel* m, mjData* d, mjtNum eps, mjtByte flg_centered, mjtNum*
A, mjtNum* B, mjtNum* C, mjtNum* D);

// Derivatives of inverse dynamics by finite differences of size eps: of force and sensors by
// position, velocity and acceleration, and of the mass matrix by position. Each may be NULL; with
// flg_actuation the force is less that of the actuators.
MJAPI void mjd_inverseFD(const mjModel* m, mjData* d, mjtNum eps, mjtByte flg_actuation, mjtNum*
DfDq, mjtNum* DfDv, mjtNum* DfDa, mjtNum* DsDq, mjtNum* DsDv, mjtNum* DsDa, mjtNum* DmDq);

// Derivatives of mju_subQuat by small turns of qa and qb (3 x 3 each); each may be NULL.
MJAPI void mjd_subQuat(const mjtNum qa[4], const mjtNum qb[4], mjtNum Da[9], mjtNum Db[9]);

// Derivatives of mju_quatIntegrate, as a small turn, by a turn of the quaternion, by the velocity
// and by the scale; each may be NULL.
MJAPI void mjd_quatIntegrate(const mjtNum vel[3], mjtNum scale, mjtNum Dquat[9], mjtNum Dvel[9],
mjtNum Dscale[3]);


// Plugins, providers, decoders

// Fills in a description of a plugin that can do nothing.
MJAPI void mjp_defaultPlugin(mjpPlugin* plugin);

// Makes a plugin known for the whole process. Returns its slot; the same plugin again gives the
// same slot, another one of that name is an error.
MJAPI int mjp_registerPlugin(const mjpPlugin* plugin);

// How many plugins are registered.
MJAPI int mjp_pluginCount(void);

// The registered plugin of a name, and its slot if that is not NULL; NULL and -1 if there is none.
MJAPI const mjpPlugin* mjp_getPlugin(const char* name, int* slot);

// The registered plugin at a slot, or NULL.
MJAPI const mjpPlugin* mjp_getPluginAtSlot(int slot);

// Fills in a description of a resource provider that can do nothing.
MJAPI void mjp_defaultResourceProvider(mjpResourceProvider* provider);

// Makes a provider known for all resources whose name starts with its prefix and a colon. Returns
// its slot, counted from 1, or -1 after a warning.
MJAPI int mjp_registerResourceProvider(const mjpResourceProvider* provider);

// How many resource providers are registered.
MJAPI int mjp_resourceProviderCount(void);

// The provider whose prefix a resource name starts with, or NULL.
MJAPI const mjpResourceProvider* mjp_getResourceProvider(const char* resource_name);

// The registered provider at a slot, counted from 1, or NULL.
MJAPI const mjpResourceProvider* mjp_getResourceProviderAtSlot(int slot);

// Makes a decoder known that turns files of some content types or extensions into specs.
MJAPI void mjp_registerDecoder(const mjpDecoder* decoder);

// Fills in a description of a decoder that can do nothing.
MJAPI void mjp_defaultDecoder(mjpDecoder* decoder);

// The decoder for a content type or, failing that, for the resource's extension; NULL if there is
// none.
MJAPI const mjpDecoder* mjp_findDecoder(const mjResource* resource, const char* content_type);


// Resources

// Opens a resource by name, relative to dir, in the virtual file system, with a provider or on
// disk. Returns one for mju_closeResource, or NULL and a message in error.
MJAPI mjResource* mju_openResource(const char* dir, const char* name, const mjVFS* vfs, char* error,
size_t nerror);

// Closes a resource and releases what was read from it; NULL is fine.
MJAPI void mju_closeResource(mjResource* resource);

// Points buffer at the contents of a resource, which keeps them. Returns their length, or -1.
MJAPI int mju_readResource(mjResource* resource, const void** buffer);

// Points dir at the part of a resource's name up to its last separator, ndir bytes long.
MJAPI void mju_getResourceDir(mjResource* resource, const char** dir, int* ndir);

// Compares a resource with an earlier timestamp of it: 0 if it is the same, otherwise it has
// changed.
MJAPI int mju_isModifiedResource(const mjResource* resource, const char* timestamp);

// Turns a resource into a spec with the decoder for its content type or extension. Returns one for
// mj_deleteSpec, or NULL.
MJAPI mjSpec* mju_decodeResource(mjResource* resource, const char* content_type, const mjVFS* vfs);


// Threads

// Starts number_of_threads workers, which wait for tasks. mju_threadPoolDestroy ends them.
MJAPI mjThreadPool* mju_threadPoolCreate(size_t number_of_threads);

// Binds a pool to an mjData, which can be done once. A step has the same results and takes the same
// time with and without it.
MJAPI void mju_bindThreadPool(mjData* d, void* thread_pool);

// Gives a new task to the next free worker. The task must stay where it is until it is complete.
MJAPI void mju_threadPoolEnqueue(mjThreadPool* thread_pool, mjTask* task);

// Finishes what is queued, ends the workers and releases the pool; NULL is fine.
MJAPI void mju_threadPoolDestroy(mjThreadPool* thread_pool);

// Fills in a new task without function.
MJAPI void mju_defaultTask(mjTask* task);

// Waits until an enqueued task is complete.
MJAPI void mju_taskJoin(mjTask* task);


// Attaching

// Puts a body, frame or whole spec into a body, frame or site, with prefix and suffix around all
// names, and takes along everything that refers to it. Shares or copies as mjs_setDeepCopy says.
// Returns what was attached, or NULL; mjs_getError of the parent's spec tells why.
MJAPI mjsElement* mjs_attach(mjsElement* parent, const mjsElement* child, const char* prefix, const
char* suffix);


// Adding elements to the tree

// Adds a child to a body; elements put into it take their values from class def, or if that is NULL
// from its parent's. Returns the new body, owned by its spec.
MJAPI mjsBody* mjs_addBody(mjsBody* body, const mjsDefault* def);

// Adds a site to a body, with the values of class def, or if that is NULL of the body's. Returns
// it; the spec owns it.
MJAPI mjsSite* mjs_addSite(mjsBody* body, const mjsDefault* def);

// Adds a joint to a body, with the values of class def, or if that is NULL of the body's. Returns
// it; the spec owns it.
MJAPI mjsJoint* mjs_addJoint(mjsBody* body, const mjsDefault* def);

// Adds a free joint with built-in values to a body. Returns it; the spec owns it.
MJAPI mjsJoint* mjs_addFreeJoint(mjsBody* body);

// Adds a geom to a body, with the values of class def, or if that is NULL of the body's. Returns
// it; the spec owns it.
MJAPI mjsGeom* mjs_addGeom(mjsBody* body, const mjsDefault* def);

// Adds a camera to a body, with the values of class def, or if that is NULL of the body's. Returns
// it; the spec owns it.
MJAPI mjsCamera* mjs_addCamera(mjsBody* body, const mjsDefault* def);

// Adds a light to a body, with the values of class def, or if that is NULL of the body's. Returns
// it; the spec owns it.
MJAPI mjsLight* mjs_addLight(mjsBody* body, const mjsDefault* def);

// Adds a frame to a body, inside parentframe unless that is NULL. Returns it; the spec owns it.
MJAPI mjsFrame* mjs_addFrame(mjsBody* body, mjsFrame* parentframe);

// Takes an element out of its spec; a body goes with its subtree and with what referred to it, a
// class with its descendants. Returns 0, or -1 with a message in the spec.
MJAPI int mjs_delete(mjSpec* spec, mjsElement* element);


// Adding other elements

// Adds an actuator, with the values of class def, or if that is NULL of the main class. Returns it;
// the spec owns it.
MJAPI mjsActuator* mjs_addActuator(mjSpec* s, const mjsDefault* def);

// Adds a sensor. Returns it; the spec owns it.
MJAPI mjsSensor* mjs_addSensor(mjSpec* s);

// Adds a flex. Returns it; the spec owns it.
MJAPI mjsFlex* mjs_addFlex(mjSpec* s);

// Adds a contact pair, with the values of class def, or if that is NULL of the main class. Returns
// it; the spec owns it.
MJAPI mjsPair* mjs_addPair(mjSpec* s, const mjsDefault* def);

// Adds a pair of bodies that do not collide. Returns it; the spec owns it.
MJAPI mjsExclude* mjs_addExclude(mjSpec* s);

// Adds an equality constraint, with the values of class def, or if that is NULL of the main class.
// Returns it; the spec owns it.
MJAPI mjsEquality* mjs_addEquality(mjSpec* s, const mjsDefault* def);

// Adds a tendon without path, with the values of class def, or if that is NULL of the main class.
// Returns it; the spec owns it.
MJAPI mjsTendon* mjs_addTendon(mjSpec* s, const mjsDefault* def);

// Leads the path of a tendon on through a site. Returns the new piece of the path.
MJAPI mjsWrap* mjs_wrapSite(mjsTendon* tendon, const char* name);

// Leads the path of a tendon on around a geom, on the side of sidesite unless that is empty.
// Returns the new piece of the path.
MJAPI mjsWrap* mjs_wrapGeom(mjsTendon* tendon, const char* name, const char* sidesite);

// Adds coef times the position of a joint to the length of a fixed tendon. Returns the new piece of
// the path.
MJAPI mjsWrap* mjs_wrapJoint(mjsTendon* tendon, const char* name, double coef);

// Starts a new branch of a tendon, whose length is divided by divisor. Returns the new piece of the
// path.
MJAPI mjsWrap* mjs_wrapPulley(mjsTendon* tendon, double divisor);

// Adds a custom array of numbers. Returns it; the spec owns it.
MJAPI mjsNumeric* mjs_addNumeric(mjSpec* s);

// Adds a custom text. Returns it; the spec owns it.
MJAPI mjsText* mjs_addText(mjSpec* s);

// Adds a custom list of objects. Returns it; the spec owns it.
MJAPI mjsTuple* mjs_addTuple(mjSpec* s);

// Adds a keyframe. Returns it; the spec owns it.
MJAPI mjsKey* mjs_addKey(mjSpec* s);

// Adds an instance of a plugin. Returns it; the spec owns it.
MJAPI mjsPlugin* mjs_addPlugin(mjSpec* s);

// Adds a default class below parent, or if that is NULL below the main class, with the values of
// that class. Returns it, or NULL if the name is taken; the spec owns it.
MJAPI mjsDefault* mjs_addDefault(mjSpec* s, const char* classname, const mjsDefault* parent);


// Actuator shortcuts

// Makes an actuator a motor: force proportional to control. Returns an empty text.
MJAPI const char* mjs_setToMotor(mjsActuator* actuator);

// Makes an actuator a position servo with gain kp; kv or dampratio, and timeconst of a filter,
// where they are not NULL. Returns a message, empty if all is well.
MJAPI const char* mjs_setToPosition(mjsActuator* actuator, double kp, double kv[1], double
dampratio[1], double timeconst[1], double inheritrange);

// Makes an actuator a position servo whose target is the integral of its control; arguments as in
// mjs_setToPosition. Returns a message, empty if all is well.
MJAPI const char* mjs_setToIntVelocity(mjsActuator* actuator, double kp, double kv[1], double
dampratio[1], double timeconst[1], double inheritrange);

// Makes an actuator a velocity servo with gain kv. Returns an empty text.
MJAPI const char* mjs_setToVelocity(mjsActuator* actuator, double kv);

// Makes an actuator a damper whose strength is kv times the control. Returns a message, empty if
// all is well.
MJAPI const char* mjs_setToDamper(mjsActuator* actuator, double kv);

// Makes an actuator a pneumatic or hydraulic cylinder; a diameter that is not negative replaces the
// area. Returns an empty text.
MJAPI const char* mjs_setToCylinder(mjsActuator* actuator, double timeconst, double bias, double
area, double diameter);

// Makes an actuator a muscle; arguments that are negative leave the value as it is. Returns a
// message, empty if all is well.
MJAPI const char* mjs_setToMuscle(mjsActuator* actuator, double timeconst[2], double tausmooth,
double range[2], double force, double scale, double lmin, double lmax, double vmax, double fpmax,
double fvmax);

// Makes an actuator an adhesion of a body to what it touches. Returns a message, empty if all is
// well.
MJAPI const char* mjs_setToAdhesion(mjsActuator* actuator, double gain);


// Adding assets

// Adds a mesh, with the values of class def, or if that is NULL of the main class. Returns it; the
// spec owns it.
MJAPI mjsMesh* mjs_addMesh(mjSpec* s, const mjsDefault* def);

// Adds a height field. Returns it; the spec owns it.
MJAPI mjsHField* mjs_addHField(mjSpec* s);

// Adds a skin. Returns it; the spec owns it.
MJAPI mjsSkin* mjs_addSkin(mjSpec* s);

// Adds a texture. Returns it; the spec owns it.
MJAPI mjsTexture* mjs_addTexture(mjSpec* s);

// Adds a material, with the values of class def, or if that is NULL of the main class. Returns it;
// the spec owns it.
MJAPI mjsMaterial* mjs_addMaterial(mjSpec* s, const mjsDefault* def);

// Fills a mesh with one of the built-in shapes. Returns 0; -1 for wrong parameters and 1 for an
// unknown shape, with a message in the spec.
MJAPI int mjs_makeMesh(mjsMesh* mesh, mjtMeshBuiltin builtin, double* params, int nparams);


// Finding elements

// The spec that an element belongs to.
MJAPI mjSpec* mjs_getSpec(mjsElement* element);

// The spec of that model name among those that are attached to a spec, or NULL.
MJAPI mjSpec* mjs_findSpec(mjSpec* spec, const char* name);

// The body of that name, or NULL.
MJAPI mjsBody* mjs_findBody(mjSpec* s, const char* name);

// The element of that type and name, or NULL.
MJAPI mjsElement* mjs_findElement(mjSpec* s, mjtObj type, const char* name);

// The body of that name in a body's subtree, the body itself included, or NULL.
MJAPI mjsBody* mjs_findChild(mjsBody* body, const char* name);

// The body that an element is in; NULL for the world and for elements outside the tree.
MJAPI mjsBody* mjs_getParent(mjsElement* element);

// The frame that an element is in, or NULL.
MJAPI mjsFrame* mjs_getFrame(mjsElement* element);

// The frame of that name, or NULL.
MJAPI mjsFrame* mjs_findFrame(mjSpec* s, const char* name);

// The default class of an element, or NULL.
MJAPI mjsDefault* mjs_getDefault(mjsElement* element);

// The default class of that name, or NULL.
MJAPI mjsDefault* mjs_findDefault(mjSpec* s, const char* classname);

// The main default class of a spec.
MJAPI mjsDefault* mjs_getSpecDefault(mjSpec* s);

// Id that an element has in the compiled model; -1 if there is none yet or for NULL.
MJAPI int mjs_getId(mjsElement* element);

// The first element of a type in a body, with recurse also in its descendants; NULL if there is
// none.
MJAPI mjsElement* mjs_firstChild(mjsBody* body, mjtObj type, int recurse);

// The element that follows child in the walk that mjs_firstChild begins; NULL at the end.
MJAPI mjsElement* mjs_nextChild(mjsBody* body, mjsElement* child, int recurse);

// The first element of a type in a spec; NULL if there is none.
MJAPI mjsElement* mjs_firstElement(mjSpec* s, mjtObj type);

// The element of the same type that follows element; NULL at the end.
MJAPI mjsElement* mjs_nextElement(mjSpec* s, mjsElement* element);

// The site, geom or joint of a piece of a tendon's path; NULL for a pulley or if it is not found.
MJAPI mjsElement* mjs_getWrapTarget(mjsWrap* wrap);

// The site on whose side a tendon goes around a geom, or NULL.
MJAPI mjsSite* mjs_getWrapSideSite(mjsWrap* wrap);

// Divisor of a pulley; 1 after a warning for other pieces of a path.
MJAPI double mjs_getWrapDivisor(mjsWrap* wrap);

// Coefficient of a joint in a fixed tendon; 1 after a warning for other pieces of a path.
MJAPI double mjs_getWrapCoef(mjsWrap* wrap);


// Setting attributes

// Names an element. Returns 0, or -1 with a message in the spec if another one of its type has that
// name.
MJAPI int mjs_setName(mjsElement* element, const char* name);

// Replaces the contents of a byte vector by a copy of size bytes.
MJAPI void mjs_setBuffer(mjByteVec* dest, const void* array, int size);

// Replaces a string by a copy of text.
MJAPI void mjs_setString(mjString* dest, const char* text);

// Replaces a vector of strings by the words of text, which blanks separate.
MJAPI void mjs_setStringVec(mjStringVec* dest, const char* text);

// Replaces entry i of a vector of strings. Returns 1, or 0 after an error if there is no such
// entry.
MJAPI mjtByte mjs_setInStringVec(mjStringVec* dest, int i, const char* text);

// Appends a copy of text to a vector of strings.
MJAPI void mjs_appendString(mjStringVec* dest, const char* text);

// Replaces the contents of an integer vector by a copy of size entries.
MJAPI void mjs_setInt(mjIntVec* dest, const int* array, int size);

// Appends a vector with a copy of size integers to a vector of vectors.
MJAPI void mjs_appendIntVec(mjIntVecVec* dest, const int* array, int size);

// Replaces the contents of a float vector by a copy of size entries.
MJAPI void mjs_setFloat(mjFloatVec* dest, const float* array, int size);

// Appends a vector with a copy of size floats to a vector of vectors.
MJAPI void mjs_appendFloatVec(mjFloatVecVec* dest, const float* array, int size);

// Replaces the contents of a double vector by a copy of size entries.
MJAPI void mjs_setDouble(mjDoubleVec* dest, const double* array, int size);

// Replaces the attributes of a plugin instance by those of a map from names to values (a C++
// std::map).
MJAPI void mjs_setPluginAttributes(mjsPlugin* plugin, void* attributes);


// Reading attributes

// The name of an element; owned by the element.
MJAPI mjString* mjs_getName(mjsElement* element);

// The characters of a string, valid until it changes.
MJAPI const char* mjs_getString(const mjString* source);

// The contents of a double vector, valid until it changes, and their number in size if that is not
// NULL.
MJAPI const double* mjs_getDouble(const mjDoubleVec* source, int* size);

// How many pieces the path of a tendon has.
MJAPI int mjs_getWrapNum(const mjsTendon* tendonspec);

// Piece i of the path of a tendon; a wrong i is an error.
MJAPI mjsWrap* mjs_getWrap(const mjsTendon* tendonspec, int i);

// The attributes of a plugin instance as a map from names to values (a C++ std::map), owned by the
// instance.
MJAPI const void* mjs_getPluginAttributes(const mjsPlugin* plugin);


// Classes, frames, user values

// Gives an element another default class; its values stay as they are.
MJAPI void mjs_setDefault(mjsElement* element, const mjsDefault* def);

// Puts an element into a frame of the same body. Returns 0, or -1 with a message in the spec.
MJAPI int mjs_setFrame(mjsElement* dest, mjsFrame* frame);

// Turns any of the ways to write an orientation into a quaternion, with angles in degrees or
// radians and Euler angles in the order of sequence. Returns NULL, or a message.
MJAPI const char* mjs_resolveOrientation(double quat[4], mjtByte degree, const char* sequence, const
mjsOrientation* orientation);

// Replaces a body by a frame with its pose, and moves its contents to the parent. The body is gone
// and the pointer becomes NULL. Returns the frame.
MJAPI mjsFrame* mjs_bodyToFrame(mjsBody** body);

// Keeps a pointer of the user with an element, under a key.
MJAPI void mjs_setUserValue(mjsElement* element, const char* key, const void* data);

// As mjs_setUserValue; the function is called with the pointer when it is replaced or forgotten, or
// when the element goes.
MJAPI void mjs_setUserValueWithCleanup(mjsElement* element, const char* key, const void* data, void
(*cleanup)(const void*));

// The pointer that the user kept with an element under a key, or NULL.
MJAPI const void* mjs_getUserValue(mjsElement* element, const char* key);

// Forgets the pointer that the user kept with an element under a key.
MJAPI void mjs_deleteUserValue(mjsElement* element, const char* key);

// How many numbers a sensor gives; -1 for an unknown type.
MJAPI int mjs_sensorDim(const mjsSensor* sensor);


// Default elements

// Fills in the values of a new spec in a struct of the caller; a spec of the library would lose its
// contents.
MJAPI void mjs_defaultSpec(mjSpec* spec);

// Fills in an orientation that is given by the quaternion beside it.
MJAPI void mjs_defaultOrientation(mjsOrientation* orient);

// Fills in the built-in values of a body in a struct of the caller; one inside a spec would lose
// its contents.
MJAPI void mjs_defaultBody(mjsBody* body);

// Fills in the built-in values of a frame in a struct of the caller; one inside a spec would lose
// its contents.
MJAPI void mjs_defaultFrame(mjsFrame* frame);

// Fills in the built-in values of a joint in a struct of the caller; one inside a spec would lose
// its contents.
MJAPI void mjs_defaultJoint(mjsJoint* joint);

// Fills in the built-in values of a geom in a struct of the caller; one inside a spec would lose
// its contents.
MJAPI void mjs_defaultGeom(mjsGeom* geom);

// Fills in the built-in values of a site in a struct of the caller; one inside a spec would lose
// its contents.
MJAPI void mjs_defaultSite(mjsSite* site);

// Fills in the built-in values of a camera in a struct of the caller; one inside a spec would lose
// its contents.
MJAPI void mjs_defaultCamera(mjsCamera* camera);

// Fills in the built-in values of a light in a struct of the caller; one inside a spec would lose
// its contents.
MJAPI void mjs_defaultLight(mjsLight* light);

// Fills in the built-in values of a flex in a struct of the caller; one inside a spec would lose
// its contents.
MJAPI void mjs_defaultFlex(mjsFlex* flex);

// Fills in the built-in values of a mesh in a struct of the caller; one inside a spec would lose
// its contents.
MJAPI void mjs_defaultMesh(mjsMesh* mesh);

// Fills in the built-in values of a height field in a struct of the caller; one inside a spec would
// lose its contents.
MJAPI void mjs_defaultHField(mjsHField* hfield);

// Fills in the built-in values of a skin in a struct of the caller; one inside a spec would lose
// its contents.
MJAPI void mjs_defaultSkin(mjsSkin* skin);

// Fills in the built-in values of a texture in a struct of the caller; one inside a spec would lose
// its contents.
MJAPI void mjs_defaultTexture(mjsTexture* texture);

// Fills in the built-in values of a material in a struct of the caller; one inside a spec would
// lose its contents.
MJAPI void mjs_defaultMaterial(mjsMaterial* material);

// Fills in the built-in values of a contact pair in a struct of the caller; one inside a spec would
// lose its contents.
MJAPI void mjs_defaultPair(mjsPair* pair);

// Fills in the built-in values of an equality constraint in a struct of the caller; one inside a
// spec would lose its contents.
MJAPI void mjs_defaultEquality(mjsEquality* equality);

// Fills in the built-in values of a tendon in a struct of the caller; one inside a spec would lose
// its contents.
MJAPI void mjs_defaultTendon(mjsTendon* tendon);

// Fills in the built-in values of an actuator in a struct of the caller; one inside a spec would
// lose its contents.
MJAPI void mjs_defaultActuator(mjsActuator* actuator);

// Fills in the built-in values of a sensor in a struct of the caller; one inside a spec would lose
// its contents.
MJAPI void mjs_defaultSensor(mjsSensor* sensor);

// Fills in the built-in values of a custom array of numbers in a struct of the caller; one inside a
// spec would lose its contents.
MJAPI void mjs_defaultNumeric(mjsNumeric* numeric);

// Fills in the built-in values of a custom text in a struct of the caller; one inside a spec would
// lose its contents.
MJAPI void mjs_defaultText(mjsText* text);

// Fills in the built-in values of a custom list of objects in a struct of the caller; one inside a
// spec would lose its contents.
MJAPI void mjs_defaultTuple(mjsTuple* tuple);

// Fills in the built-in values of a keyframe in a struct of the caller; one inside a spec would
// lose its contents.
MJAPI void mjs_defaultKey(mjsKey* key);

// Fills in the built-in values of a plugin instance in a struct of the caller; one inside a spec
// would lose its contents.
MJAPI void mjs_defaultPlugin(mjsPlugin* plugin);


// From a handle to its element

// The body behind a handle; NULL if it is something else.
MJAPI mjsBody* mjs_asBody(mjsElement* element);

// The geom behind a handle; NULL if it is something else.
MJAPI mjsGeom* mjs_asGeom(mjsElement* element);

// The joint behind a handle; NULL if it is something else.
MJAPI mjsJoint* mjs_asJoint(mjsElement* element);

// The site behind a handle; NULL if it is something else.
MJAPI mjsSite* mjs_asSite(mjsElement* element);

// The camera behind a handle; NULL if it is something else.
MJAPI mjsCamera* mjs_asCamera(mjsElement* element);

// The light behind a handle; NULL if it is something else.
MJAPI mjsLight* mjs_asLight(mjsElement* element);

// The frame behind a handle; NULL if it is something else.
MJAPI mjsFrame* mjs_asFrame(mjsElement* element);

// The actuator behind a handle; NULL if it is something else.
MJAPI mjsActuator* mjs_asActuator(mjsElement* element);

// The sensor behind a handle; NULL if it is something else.
MJAPI mjsSensor* mjs_asSensor(mjsElement* element);

// The flex behind a handle; NULL if it is something else.
MJAPI mjsFlex* mjs_asFlex(mjsElement* element);

// The contact pair behind a handle; NULL if it is something else.
MJAPI mjsPair* mjs_asPair(mjsElement* element);

// The equality constraint behind a handle; NULL if it is something else.
MJAPI mjsEquality* mjs_asEquality(mjsElement* element);

// The exclusion behind a handle; NULL if it is something else.
MJAPI mjsExclude* mjs_asExclude(mjsElement* element);

// The tendon behind a handle; NULL if it is something else.
MJAPI mjsTendon* mjs_asTendon(mjsElement* element);

// The custom array of numbers behind a handle; NULL if it is something else.
MJAPI mjsNumeric* mjs_asNumeric(mjsElement* element);

// The custom text behind a handle; NULL if it is something else.
MJAPI mjsText* mjs_asText(mjsElement* element);

// The custom list of objects behind a handle; NULL if it is something else.
MJAPI mjsTuple* mjs_asTuple(mjsElement* element);

// The keyframe behind a handle; NULL if it is something else.
MJAPI mjsKey* mjs_asKey(mjsElement* element);

// The mesh behind a handle; NULL if it is something else.
MJAPI mjsMesh* mjs_asMesh(mjsElement* element);

// The height field behind a handle; NULL if it is something else.
MJAPI mjsHField* mjs_asHField(mjsElement* element);

// The skin behind a handle; NULL if it is something else.
MJAPI mjsSkin* mjs_asSkin(mjsElement* element);

// The texture behind a handle; NULL if it is something else.
MJAPI mjsTexture* mjs_asTexture(mjsElement* element);

// The material behind a handle; NULL if it is something else.
MJAPI mjsMaterial* mjs_asMaterial(mjsElement* element);

// The plugin instance behind a handle; NULL if it is something else.
MJAPI mjsPlugin* mjs_asPlugin(mjsElement* element);

// END generated
// clang-format on

#ifdef __cplusplus
}
#endif

#endif  // MUJOCO_MUJOCO_H_
