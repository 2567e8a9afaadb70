// OpenGL without a window, for tests of what is drawn.

#ifndef TESTS_SUPPORT_SCREEN_H_
#define TESTS_SUPPORT_SCREEN_H_

#include <stdbool.h>

#include "render/offscreen.h"

// False, after a word, where there is none; and under the thread sanitizer, because drivers have
// threads that no one has instrumented.
bool open_test_screen(ct_Offscreen* screen);

// Leaks are counted before it: once libEGL has unloaded the driver, its memory looks like ours.
void close_test_screen(ct_Offscreen* screen);

#endif  // TESTS_SUPPORT_SCREEN_H_
