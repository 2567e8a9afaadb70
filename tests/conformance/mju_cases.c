#include "conformance/mju_cases.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const MjuEntry* mju_entry(int i) {
  const MjuTable tables[] = {mju_vector_table(), mju_solver_table(), mju_export_table()};
  for (int t = 0; t < 3; t++) {
    if (i < tables[t].count) return tables[t].entries + i;
    i -= tables[t].count;
  }
  return NULL;
}

mjData* mju_data_of(void* library) {
  const char* path = CT_SOURCE_DIR "/tests/recorded/models/humanoid.mjb";
  mjModel* m = LIBRARY_FUNCTION(library, mj_loadModel)(path, NULL);
  if (!m) {
    fprintf(stderr, "cannot load %s\n", path);
    exit(2);
  }
  mjData* d = LIBRARY_FUNCTION(library, mj_makeData)(m);
  LIBRARY_FUNCTION(library, mj_deleteModel)(m);
  return d;
}

const MjuException* mju_exception(int i) {
  static const char files[] = "works on files and resources; tests/base covers it";
  static const char errors[] = "ends or prints; tests/base covers errors and memory";
  static const char threads[] = "thread pool; tests/base covers it";
  static const char history[] = "history buffers; tests/base covers them";
  static const char text[] = "deals in text, not numbers; tests/base covers it";
  static const MjuException exceptions[] = {
      {"mju_getXMLDependencies", files},
      {"mju_openResource", files},
      {"mju_closeResource", files},
      {"mju_readResource", files},
      {"mju_getResourceDir", files},
      {"mju_isModifiedResource", files},
      {"mju_decodeResource", files},
      {"mju_error", errors},
      {"mju_error_i", errors},
      {"mju_error_s", errors},
      {"mju_warning", errors},
      {"mju_warning_i", errors},
      {"mju_warning_s", errors},
      {"mju_clearHandlers", errors},
      {"mju_malloc", errors},
      {"mju_free", errors},
      {"mju_writeLog", errors},
      {"mju_threadPoolCreate", threads},
      {"mju_bindThreadPool", threads},
      {"mju_threadPoolEnqueue", threads},
      {"mju_threadPoolDestroy", threads},
      {"mju_defaultTask", threads},
      {"mju_taskJoin", threads},
      {"mju_type2Str", text},
      {"mju_str2Type", text},
      {"mju_writeNumBytes", text},
      {"mju_warningText", text},
      {"mju_strncpy", text},
      {"mju_printMat", text},
      {"mju_printMatSparse", text},
      {"mju_encodeBase64", text},
      {"mju_decodeBase64", text},
      {"mju_isValidBase64", text},
      {"mju_error_raw", errors},
      {"mju_error_v", errors},
      {"mju_threadPoolCurrentWorkerId", threads},
      {"mju_threadPoolLockAllocMutex", threads},
      {"mju_threadPoolUnlockAllocMutex", threads},
      {"mju_threadPoolNumberOfThreads", threads},
      {"mju_getDestructiveInterferenceSize", threads},
      {"mju_historyInit", history},
      {"mju_historyInsert", history},
      {"mju_historyRead", history},
      {"mju_condataSize", "belongs to contact sensors"},
      {"mju_multiRayPrepare", "rays belong to collision and are compared there"},
      {"mju_rayGeom", "rays belong to collision and are compared there"},
      {"mju_raySkin", "rays belong to collision and are compared there"},
      {"mju_standardNormal",
       "draws from the C library's generator; its test checks the distribution"},
      {"mju_boxQPmalloc", "only allocates; test_boxqp checks the sizes"},
  };
  int count = (int)(sizeof(exceptions) / sizeof(exceptions[0]));
  return i < count ? exceptions + i : NULL;
}

Case mju_case(const MjuEntry* entry, int number, int largest, Tape* tape) {
  Case c;
  memset(&c, 0, sizeof(c));
  c.name = entry->name;
  c.number = number;
  c.largest = largest;
  c.tape = tape;
  c.flavour = (Flavour)(number % entry->flavours);
  return c;
}
