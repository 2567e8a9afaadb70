// A window with OpenGL, made by GLFW, which is looked for when a window is asked for. Mouse and
// keys become an mjuiState, as the widgets want it.

#ifndef APPS_WINDOW_H_
#define APPS_WINDOW_H_

#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct Window_ Window;

// Called for each event, with state->type set.
typedef void (*WindowHandler)(void* user, mjuiState* state);

// Opens a window and makes its OpenGL context current; NULL with a sentence in error if that cannot
// be.
Window* window_open(const char* title, int width, int height, WindowHandler handler, void* user,
                    char* error, size_t size);
void window_close(Window* w);

// The state that events change. rect[0] is the window, in pixels.
mjuiState* window_state(Window* w);

// Handles what has happened. False: the window is to be closed.
bool window_poll(Window* w);
void window_ask_to_close(Window* w);

// Shows what was drawn.
void window_show(Window* w);

// Seconds since it was opened.
double window_time(const Window* w);

void window_set_title(Window* w, const char* title);
void window_set_fullscreen(Window* w, bool on);
void window_set_sync(Window* w, bool on);

#endif  // APPS_WINDOW_H_
