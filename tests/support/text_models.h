// Models for tests that are written in the test: MJCF as text.

#ifndef TESTS_SUPPORT_TEXT_MODELS_H_
#define TESTS_SUPPORT_TEXT_MODELS_H_

#include <mujoco/mujoco.h>

// Compiles the text; fails the running test, with what the reader or compiler said, if it cannot.
mjModel* text_model(const char* text);

// The same; NULL, and the reason in `why`, if the text is refused.
mjModel* try_text_model(const char* text, char* why, int size);

#endif  // TESTS_SUPPORT_TEXT_MODELS_H_
