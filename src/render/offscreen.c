#include "render/offscreen.h"

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <mujoco/mujoco.h>

// Names and numbers of EGL 1.5, of its extensions for devices, and of OSMesa.
enum {
  EGL_NONE_ = 0x3038,
  EGL_RED_SIZE_ = 0x3024,
  EGL_GREEN_SIZE_ = 0x3023,
  EGL_BLUE_SIZE_ = 0x3022,
  EGL_ALPHA_SIZE_ = 0x3021,
  EGL_DEPTH_SIZE_ = 0x3025,
  EGL_STENCIL_SIZE_ = 0x3026,
  EGL_SURFACE_TYPE_ = 0x3033,
  EGL_PBUFFER_BIT_ = 1,
  EGL_RENDERABLE_TYPE_ = 0x3040,
  EGL_OPENGL_BIT_ = 8,
  EGL_OPENGL_API_ = 0x30A2,
  EGL_PLATFORM_DEVICE_ = 0x313F,
  OSMESA_RGBA_ = 0x1908,
  GL_UNSIGNED_BYTE_ = 0x1401,
  MOST_DEVICES = 16,
  SIDE = 8  // pixels of the buffer of OSMesa; pictures are drawn elsewhere
};

typedef void (*AnyFunction)(void);

static AnyFunction find(void* library, const char* name) {
  void* address = dlsym(library, name);
  AnyFunction function;
  memcpy(&function, &address, sizeof(function));  // C has no cast from object to function pointers
  return function;
}

#define FUNCTION(result_, name_, arguments_) \
  result_(*name_) arguments_ = (result_(*) arguments_)find(o->library, #name_)

// EGL

static bool start_display(ct_Offscreen* o, void* display) {
  FUNCTION(unsigned, eglInitialize, (void* display_, int* major, int* minor));
  if (!display || !eglInitialize || !eglInitialize(display, NULL, NULL)) return false;
  o->display = display;
  return true;
}

// Devices need no display server; without that extension, whatever display is the default.
static bool open_display(ct_Offscreen* o) {
  FUNCTION(AnyFunction, eglGetProcAddress, (const char* name));
  FUNCTION(void*, eglGetDisplay, (void* native));
  if (!eglGetProcAddress || !eglGetDisplay) return false;
  unsigned (*query)(int, void**, int*) =
      (unsigned (*)(int, void**, int*))eglGetProcAddress("eglQueryDevicesEXT");
  void* (*display_of)(unsigned, void*, const int*) =
      (void* (*)(unsigned, void*, const int*))eglGetProcAddress("eglGetPlatformDisplayEXT");
  void* devices[MOST_DEVICES];
  int count = 0;
  if (query && display_of && query(MOST_DEVICES, devices, &count)) {
    for (int i = 0; i < count; i++) {
      if (start_display(o, display_of(EGL_PLATFORM_DEVICE_, devices[i], NULL))) return true;
    }
  }
  return start_display(o, eglGetDisplay(NULL));
}

static bool open_egl(ct_Offscreen* o) {
  static const int wanted[] = {EGL_RED_SIZE_,
                               8,
                               EGL_GREEN_SIZE_,
                               8,
                               EGL_BLUE_SIZE_,
                               8,
                               EGL_ALPHA_SIZE_,
                               8,
                               EGL_DEPTH_SIZE_,
                               24,
                               EGL_STENCIL_SIZE_,
                               8,
                               EGL_SURFACE_TYPE_,
                               EGL_PBUFFER_BIT_,
                               EGL_RENDERABLE_TYPE_,
                               EGL_OPENGL_BIT_,
                               EGL_NONE_};
  o->library = dlopen("libEGL.so.1", RTLD_NOW | RTLD_GLOBAL);
  if (!o->library || !open_display(o)) return false;
  FUNCTION(unsigned, eglBindAPI, (unsigned api));
  FUNCTION(unsigned, eglChooseConfig,
           (void* display, const int* list, void** configs, int size, int* count));
  FUNCTION(void*, eglCreateContext, (void* display, void* config, void* share, const int* list));
  FUNCTION(unsigned, eglMakeCurrent, (void* display, void* draw, void* read, void* context));
  void* config = NULL;
  int count = 0;
  if (!eglBindAPI || !eglChooseConfig || !eglCreateContext || !eglMakeCurrent) return false;
  if (!eglBindAPI(EGL_OPENGL_API_)) return false;
  if (!eglChooseConfig(o->display, wanted, &config, 1, &count) || count < 1) return false;
  o->context = eglCreateContext(o->display, config, NULL, NULL);
  return o->context && eglMakeCurrent(o->display, NULL, NULL, o->context);
}

static void close_egl(ct_Offscreen* o) {
  FUNCTION(unsigned, eglMakeCurrent, (void* display, void* draw, void* read, void* context));
  FUNCTION(unsigned, eglDestroyContext, (void* display, void* context));
  if (!o->display) return;
  eglMakeCurrent(o->display, NULL, NULL, NULL);
  if (o->context) eglDestroyContext(o->display, o->context);
}

// OSMesa

static bool open_osmesa(ct_Offscreen* o) {
  static const char* const names[] = {"libOSMesa.so.8", "libOSMesa.so.6", "libOSMesa.so"};
  for (int i = 0; i < 3 && !o->library; i++) o->library = dlopen(names[i], RTLD_NOW | RTLD_GLOBAL);
  if (!o->library) return false;
  FUNCTION(void*, OSMesaCreateContextExt,
           (unsigned format, int depth, int stencil, int accumulation, void* share));
  FUNCTION(unsigned char, OSMesaMakeCurrent,
           (void* context, void* buffer, unsigned type, int width, int height));
  if (!OSMesaCreateContextExt || !OSMesaMakeCurrent) return false;
  o->context = OSMesaCreateContextExt(OSMESA_RGBA_, 24, 8, 0, NULL);
  o->pixels = mju_malloc(4 * SIDE * SIDE);
  return o->context && o->pixels &&
         OSMesaMakeCurrent(o->context, o->pixels, GL_UNSIGNED_BYTE_, SIDE, SIDE);
}

static void close_osmesa(ct_Offscreen* o) {
  FUNCTION(void, OSMesaDestroyContext, (void* context));
  if (o->context && OSMesaDestroyContext) OSMesaDestroyContext(o->context);
  mju_free(o->pixels);
}

// Either. Libraries and the display stay: drivers do not like to be unloaded, and leave memory
// behind when they are. Whoever opens again gets the same display.

bool ct_open_offscreen(ct_Offscreen* o, char* error, size_t size) {
  memset(o, 0, sizeof(*o));
  if (open_egl(o)) return true;
  close_egl(o);
  memset(o, 0, sizeof(*o));
  if (open_osmesa(o)) return true;
  if (o->library) close_osmesa(o);
  memset(o, 0, sizeof(*o));
  snprintf(error, size,
           "neither EGL nor OSMesa gives an OpenGL context; install a driver for EGL (Mesa's: "
           "libegl1 and libgl1-mesa-dri) or OSMesa (libosmesa6)");
  return false;
}

void ct_close_offscreen(ct_Offscreen* o) {
  if (o->display) {
    close_egl(o);
  } else if (o->context) {
    close_osmesa(o);
  }
  memset(o, 0, sizeof(*o));
}
