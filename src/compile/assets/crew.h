// A crew: threads that compile the assets of one list together.
//
// There are as many as CPUs, if there is enough to do. What comes out does not depend on how many:
// assets do not look at each other, a mistake is that of the first asset that has one, a warning
// that of the last.

#ifndef CT_COMPILE_ASSETS_CREW_H_
#define CT_COMPILE_ASSETS_CREW_H_

#include "compile/work/work.h"

// Compiles all assets of a type. `compile` gets a compiler of its own thread: same spec, lists and
// settings, but its own memory, file and messages.
void ct_compile_with_crew(ct_Compiler* c, mjtObj type,
                          void (*compile)(ct_Compiler* c, ct_Work* asset));

// Only one thread at a time speaks to the providers of files, which may be the user's.
void ct_crew_lock_files(ct_Compiler* c);
void ct_crew_unlock_files(ct_Compiler* c);

#endif  // CT_COMPILE_ASSETS_CREW_H_
