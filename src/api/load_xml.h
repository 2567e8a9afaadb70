// The model that was loaded last.

#ifndef CT_API_LOAD_XML_H_
#define CT_API_LOAD_XML_H_

#include <mujoco/mujoco.h>

// Calls use with the spec of the model that mj_loadXML read last, which cannot go meanwhile.
// Returns what use returns, or -1: there is none.
int ct_with_last_spec(int (*use)(mjSpec* spec, void* arg), void* arg);

#endif  // CT_API_LOAD_XML_H_
