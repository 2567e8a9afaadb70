// One engine opened at run time: the reference, corten, or a second copy of either.
//
// Every function the comparison needs is looked up by name, so that engines with the same exported
// names live side by side. A call that ends in mju_error comes back to engine_try with the message.

#ifndef TESTS_CONFORMANCE_ENGINE_H_
#define TESTS_CONFORMANCE_ENGINE_H_

#include <setjmp.h>
#include <stdbool.h>

#include <mujoco/mujoco.h>

// What an engine must export. A line here is all it takes to use one more function.
// clang-format off
#define ENGINE_FUNCTIONS(X_)                                                          \
  X_(mj_loadXML) X_(mj_loadModel) X_(mj_loadModelBuffer) X_(mj_saveModel)             \
  X_(mj_sizeModel) X_(mj_copyModel) X_(mj_deleteModel) X_(mj_loadPluginLibrary)       \
  X_(mj_makeData) X_(mj_copyData) X_(mj_deleteData) X_(mj_resetData)                  \
  X_(mj_resetDataDebug) X_(mj_resetDataKeyframe)                                      \
  X_(mj_stateSize) X_(mj_getState) X_(mj_setState)                                    \
  X_(mj_forward) X_(mj_inverse) X_(mj_step) X_(mj_step1) X_(mj_step2)                 \
  X_(mj_makeConstraint) X_(mj_island) X_(mj_projectConstraint)                        \
  X_(mj_referenceConstraint) X_(mj_fwdConstraint) X_(mj_invConstraint)                \
  X_(mj_rnePostConstraint) X_(mj_subtreeVel)                                          \
  X_(mj_integratePos) X_(mj_differentiatePos) X_(mj_isSparse) X_(mj_fullM)            \
  X_(mj_markStack) X_(mj_freeStack) X_(mj_stackAllocByte) X_(mj_stackAllocNum)        \
  X_(mj_stackAllocInt)
// clang-format on

typedef struct {
  const char* label;  // how messages call it
  void* handle;
#define ENGINE_MEMBER_(name_) __typeof__(&name_) name_;
  ENGINE_FUNCTIONS(ENGINE_MEMBER_)
#undef ENGINE_MEMBER_
} Engine;

// Above every count of wrong models that a program may exit with.
enum { NO_ENGINE = 101 };

// Opens a library and switches its asset cache off. Ends the program with status NO_ENGINE if that
// fails.
Engine engine_open(const char* path, const char* label);

// Loads the plugin libraries (*.so) that lie in the folder "plugin" beside the engine's library, or
// in "corten/plugin". The reference's register themselves with the library that they were linked
// with, corten's with the one that opens them, whose names everything that is opened later finds
// first: the reference's go first. Both folders give the same plugins in the same order, so that a
// model of one engine means the same to the other. Returns how many were loaded.
int engine_load_plugins(const Engine* e, const char* path);

// Where an engine's mju_error lands while a call is being tried.
typedef struct {
  jmp_buf back;
  char message[1024];
} EngineTrap;

extern EngineTrap engine_trap;

// Runs a statement; if the engine raises an error, runs the other one instead. The message is then
// in engine_trap.message.
#define ENGINE_TRY(statement_, otherwise_) \
  do {                                     \
    engine_trap.message[0] = 0;            \
    if (!setjmp(engine_trap.back)) {       \
      statement_;                          \
    } else {                               \
      otherwise_;                          \
    }                                      \
  } while (0)

// True if a message says that a function is not written yet, or that a plugin is needed which is
// registered with another engine only; the second asks about the last error.
bool says_missing(const char* message);
bool engine_lacks_function(void);

#endif  // TESTS_CONFORMANCE_ENGINE_H_
