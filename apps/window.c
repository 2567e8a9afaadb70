#include "window.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Names and numbers of GLFW 3.
enum {
  GLFW_PRESS_ = 1,
  GLFW_RELEASE_ = 0,
  GLFW_MOD_SHIFT_ = 1,
  GLFW_MOD_CONTROL_ = 2,
  GLFW_MOD_ALT_ = 4,
  GLFW_SAMPLES_ = 0x2100D,
  GLFW_KEY_LEFT_SHIFT_ = 340,
  GLFW_KEY_LEFT_CONTROL_ = 341,
  GLFW_KEY_LEFT_ALT_ = 342,
  GLFW_KEY_RIGHT_SHIFT_ = 344,
  GLFW_KEY_RIGHT_CONTROL_ = 345,
  GLFW_KEY_RIGHT_ALT_ = 346,
};

typedef void GLFWwindow_;
typedef struct {
  int width, height, red, green, blue, rate;
} VideoMode;

// clang-format off
#define GLFW_FUNCTIONS(X_) \
  X_(int, Init, (void)) \
  X_(void, Terminate, (void)) \
  X_(void, WindowHint, (int hint, int value)) \
  X_(GLFWwindow_*, CreateWindow, (int width, int height, const char* title, void* monitor, GLFWwindow_* share)) \
  X_(void, DestroyWindow, (GLFWwindow_* w)) \
  X_(void, MakeContextCurrent, (GLFWwindow_* w)) \
  X_(void, SwapBuffers, (GLFWwindow_* w)) \
  X_(void, SwapInterval, (int interval)) \
  X_(void, PollEvents, (void)) \
  X_(int, WindowShouldClose, (GLFWwindow_* w)) \
  X_(void, SetWindowShouldClose, (GLFWwindow_* w, int value)) \
  X_(void, SetWindowTitle, (GLFWwindow_* w, const char* title)) \
  X_(void, GetFramebufferSize, (GLFWwindow_* w, int* width, int* height)) \
  X_(void, GetWindowSize, (GLFWwindow_* w, int* width, int* height)) \
  X_(void, GetWindowPos, (GLFWwindow_* w, int* x, int* y)) \
  X_(void*, GetPrimaryMonitor, (void)) \
  X_(const VideoMode*, GetVideoMode, (void* monitor)) \
  X_(void, SetWindowMonitor, (GLFWwindow_* w, void* monitor, int x, int y, int width, int height, int rate)) \
  X_(double, GetTime, (void)) \
  X_(int, GetKey, (GLFWwindow_* w, int key)) \
  X_(void*, SetKeyCallback, (GLFWwindow_* w, void (*f)(GLFWwindow_*, int, int, int, int))) \
  X_(void*, SetMouseButtonCallback, (GLFWwindow_* w, void (*f)(GLFWwindow_*, int, int, int))) \
  X_(void*, SetCursorPosCallback, (GLFWwindow_* w, void (*f)(GLFWwindow_*, double, double))) \
  X_(void*, SetScrollCallback, (GLFWwindow_* w, void (*f)(GLFWwindow_*, double, double))) \
  X_(void*, SetFramebufferSizeCallback, (GLFWwindow_* w, void (*f)(GLFWwindow_*, int, int))) \
  X_(void*, SetDropCallback, (GLFWwindow_* w, void (*f)(GLFWwindow_*, int, const char**)))
// clang-format on

#define GLFW_MEMBER(type_, name_, arguments_) type_(*name_) arguments_;
typedef struct {
  GLFW_FUNCTIONS(GLFW_MEMBER)
} Glfw;

struct Window_ {
  void* library;
  Glfw glfw;
  GLFWwindow_* handle;
  mjuiState state;
  WindowHandler handler;
  void* user;
  int x, y, width, height;  // before it filled the screen
  double clicked[2];        // where the last click was
};

static const double double_click = 0.25;  // seconds between its clicks
static const double same_place = 5;       // pixels between them, at most

// GLFW's callbacks know their window by a number; a program of ours has one.
static Window* open_window;

typedef void (*AnyFunction)(void);

static AnyFunction find(void* library, const char* name) {
  void* address = dlsym(library, name);
  AnyFunction function;
  memcpy(&function, &address, sizeof(function));  // C has no cast from object to function pointers
  return function;
}

static bool load_glfw(Window* w, char* error, size_t size) {
  static const char* const names[] = {"libglfw.so.3", "libglfw.so"};
  for (int i = 0; i < 2 && !w->library; i++) w->library = dlopen(names[i], RTLD_NOW);
  if (!w->library) {
    snprintf(error, size, "a window needs GLFW; install it (Debian: libglfw3)");
    return false;
  }
  bool whole = true;
#define GLFW_FIND(type_, name_, arguments_)                             \
  w->glfw.name_ = (type_(*) arguments_)find(w->library, "glfw" #name_); \
  whole = whole && w->glfw.name_;
  GLFW_FUNCTIONS(GLFW_FIND)
  if (!whole) snprintf(error, size, "GLFW is too old; version 3 or later is needed");
  return whole;
}

// Events

static void tell(Window* w, int type) {
  w->state.type = type;
  w->handler(w->user, &w->state);
}

// Which rectangle the mouse is over; the window itself is number 0.
static void find_rectangle(Window* w) {
  mjuiState* s = &w->state;
  int found = mjr_findRect((int)floor(s->x), (int)floor(s->y), s->nrect - 1, s->rect + 1);
  s->mouserect = found + 1;
}

static void set_modifiers(Window* w) {
  const Glfw* g = &w->glfw;
#define DOWN(key_) (g->GetKey(w->handle, key_) == GLFW_PRESS_)
  w->state.control = DOWN(GLFW_KEY_LEFT_CONTROL_) || DOWN(GLFW_KEY_RIGHT_CONTROL_);
  w->state.shift = DOWN(GLFW_KEY_LEFT_SHIFT_) || DOWN(GLFW_KEY_RIGHT_SHIFT_);
  w->state.alt = DOWN(GLFW_KEY_LEFT_ALT_) || DOWN(GLFW_KEY_RIGHT_ALT_);
#undef DOWN
}

static void on_key(GLFWwindow_* handle, int key, int code, int action, int modifiers) {
  Window* w = open_window;
  (void)handle;
  (void)code;
  set_modifiers(w);
  if (action == GLFW_RELEASE_) return;
  w->state.control = w->state.control || (modifiers & GLFW_MOD_CONTROL_);
  w->state.shift = w->state.shift || (modifiers & GLFW_MOD_SHIFT_);
  w->state.alt = w->state.alt || (modifiers & GLFW_MOD_ALT_);
  w->state.key = key;
  w->state.keytime = w->glfw.GetTime();
  tell(w, mjEVENT_KEY);
}

static void on_button(GLFWwindow_* handle, int button, int action, int modifiers) {
  Window* w = open_window;
  mjuiState* s = &w->state;
  static const int buttons[] = {mjBUTTON_LEFT, mjBUTTON_RIGHT, mjBUTTON_MIDDLE};
  (void)handle;
  (void)modifiers;
  if (button < 0 || button > 2) return;
  int* const down[] = {&s->left, &s->right, &s->middle};
  set_modifiers(w);
  find_rectangle(w);
  *down[button] = action == GLFW_PRESS_;
  if (action == GLFW_PRESS_) {
    double now = w->glfw.GetTime();
    bool here =
        fabs(s->x - w->clicked[0]) <= same_place && fabs(s->y - w->clicked[1]) <= same_place;
    s->doubleclick = buttons[button] == s->button && now - s->buttontime < double_click && here;
    w->clicked[0] = s->x;
    w->clicked[1] = s->y;
    s->button = buttons[button];
    s->buttontime = now;
    // the rectangle where a drag began gets what follows
    s->dragrect = s->mouserect;
    s->dragbutton = s->button;
    tell(w, mjEVENT_PRESS);
  } else {
    tell(w, mjEVENT_RELEASE);
    if (!s->left && !s->right && !s->middle) s->dragrect = s->dragbutton = 0;
  }
}

// GLFW counts from above and in units that need not be pixels.
static void on_move(GLFWwindow_* handle, double x, double y) {
  Window* w = open_window;
  mjuiState* s = &w->state;
  int width, height;
  w->glfw.GetWindowSize(handle, &width, &height);
  double scale = width > 0 ? (double)s->rect[0].width / width : 1;
  x *= scale;
  y = s->rect[0].height - y * scale;
  s->dx = x - s->x;
  s->dy = y - s->y;
  s->x = x;
  s->y = y;
  find_rectangle(w);
  tell(w, mjEVENT_MOVE);
}

static void on_scroll(GLFWwindow_* handle, double x, double y) {
  Window* w = open_window;
  (void)handle;
  w->state.sx = x;
  w->state.sy = y;
  set_modifiers(w);
  find_rectangle(w);
  tell(w, mjEVENT_SCROLL);
}

static void on_resize(GLFWwindow_* handle, int width, int height) {
  Window* w = open_window;
  (void)handle;
  w->state.rect[0].width = width;
  w->state.rect[0].height = height;
  tell(w, mjEVENT_RESIZE);
}

static void on_drop(GLFWwindow_* handle, int count, const char** paths) {
  Window* w = open_window;
  (void)handle;
  w->state.dropcount = count;
  w->state.droppaths = paths;
  tell(w, mjEVENT_FILESDROP);
  w->state.dropcount = 0;
  w->state.droppaths = NULL;
}

static void listen_to_events(Window* w) {
  const Glfw* g = &w->glfw;
  g->SetKeyCallback(w->handle, on_key);
  g->SetMouseButtonCallback(w->handle, on_button);
  g->SetCursorPosCallback(w->handle, on_move);
  g->SetScrollCallback(w->handle, on_scroll);
  g->SetFramebufferSizeCallback(w->handle, on_resize);
  g->SetDropCallback(w->handle, on_drop);
}

// The window

Window* window_open(const char* title, int width, int height, WindowHandler handler, void* user,
                    char* error, size_t size) {
  Window* w = (Window*)calloc(1, sizeof(Window));
  if (!w) {
    snprintf(error, size, "there is no memory for a window");
    return NULL;
  }
  w->handler = handler;
  w->user = user;
  bool loaded = load_glfw(w, error, size), begun = loaded && w->glfw.Init();
  if (begun) {
    w->glfw.WindowHint(GLFW_SAMPLES_, 4);
    w->handle = w->glfw.CreateWindow(width, height, title, NULL, NULL);
  }
  if (!w->handle) {
    if (loaded) {
      snprintf(error, size,
               "no window can be opened here: there is no display, or it has no OpenGL; corten "
               "render draws without one");
    }
    if (begun) w->glfw.Terminate();
    free(w);
    return NULL;
  }
  open_window = w;
  w->state.nrect = 1;
  w->glfw.MakeContextCurrent(w->handle);
  w->glfw.SwapInterval(1);
  w->glfw.GetFramebufferSize(w->handle, &w->state.rect[0].width, &w->state.rect[0].height);
  listen_to_events(w);
  return w;
}

void window_close(Window* w) {
  w->glfw.DestroyWindow(w->handle);
  w->glfw.Terminate();
  open_window = NULL;
  free(w);  // the library stays: drivers do not like to be unloaded
}

mjuiState* window_state(Window* w) {
  return &w->state;
}

bool window_poll(Window* w) {
  w->glfw.PollEvents();
  return !w->glfw.WindowShouldClose(w->handle);
}

void window_ask_to_close(Window* w) {
  w->glfw.SetWindowShouldClose(w->handle, 1);
}

void window_show(Window* w) {
  w->glfw.SwapBuffers(w->handle);
}

double window_time(const Window* w) {
  return w->glfw.GetTime();
}

void window_set_title(Window* w, const char* title) {
  w->glfw.SetWindowTitle(w->handle, title);
}

void window_set_fullscreen(Window* w, bool on) {
  const Glfw* g = &w->glfw;
  void* monitor = g->GetPrimaryMonitor();
  const VideoMode* mode = monitor ? g->GetVideoMode(monitor) : NULL;
  if (on && mode) {
    g->GetWindowPos(w->handle, &w->x, &w->y);
    g->GetWindowSize(w->handle, &w->width, &w->height);
    g->SetWindowMonitor(w->handle, monitor, 0, 0, mode->width, mode->height, mode->rate);
  } else if (!on && w->width > 0) {
    g->SetWindowMonitor(w->handle, NULL, w->x, w->y, w->width, w->height, 0);
  }
}

void window_set_sync(Window* w, bool on) {
  w->glfw.SwapInterval(on);
}
