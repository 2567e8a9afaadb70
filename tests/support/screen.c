#include "support/screen.h"

#include <stdio.h>

#if defined(__SANITIZE_ADDRESS__)
// What a driver keeps to itself is not ours to free.
void __lsan_do_leak_check(void);
const char* __lsan_default_suppressions(void);
const char* __lsan_default_suppressions(void) {
  return "leak:libEGL\nleak:libGL\nleak:swrast\nleak:libLLVM\nleak:_mesa_\nleak:libOSMesa\n"
         "leak:dri\nleak:<unknown module>\n";
}
#endif

bool open_test_screen(ct_Offscreen* screen) {
#if defined(__SANITIZE_THREAD__)
  (void)screen;
  return false;
#else
  char error[300] = "";
  bool opened = ct_open_offscreen(screen, error, sizeof(error));
  if (!opened) printf("%s\n", error);
  return opened;
#endif
}

void close_test_screen(ct_Offscreen* screen) {
#if defined(__SANITIZE_ADDRESS__)
  __lsan_do_leak_check();
#endif
  ct_close_offscreen(screen);
}
