// R30.1: model files from anywhere. libFuzzer feeds a file that lies in a virtual file system
// beside a file that it may include; whatever is read becomes a spec, which is released again, and
// all mistakes of the others are listed. Seeds are our own models, the dictionary is made from the
// schema.

#include <corten/mjcf.h>
#include <mujoco/mujoco.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int* argc, char*** argv);
int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size);

static void ignore(const char* message) {
  (void)message;
}

int LLVMFuzzerInitialize(int* argc, char*** argv) {
  (void)argc, (void)argv;
  mju_user_error = mju_user_warning = ignore;
  return 0;
}

static void no_report(void* arg, const char* message) {
  (void)arg;
  if (!*message) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  static const char beside[] = "<a><compiler meshdir='m'/><include file='fuzz.xml'/></a>";
  if (size == 0 || size > 1 << 20) return 0;
  char error[300] = "";
  mjVFS vfs;
  mj_defaultVFS(&vfs);
  mj_addBufferVFS(&vfs, "fuzz.xml", bytes, (int)size);
  mj_addBufferVFS(&vfs, "beside.xml", beside, (int)strlen(beside));
  mjSpec* spec = mj_parseXML("fuzz.xml", &vfs, error, sizeof(error));
  if (!spec == !*error) abort();
  int mistakes = ct_check_mjcf("fuzz.xml", &vfs, no_report, NULL);
  if (!spec != (mistakes > 0)) abort();
  mj_deleteSpec(spec);
  mj_deleteVFS(&vfs);
  return 0;
}
