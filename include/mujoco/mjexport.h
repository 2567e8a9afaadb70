// MJAPI marks what the shared library shows to the outside; everything else stays hidden.

#ifndef MUJOCO_MJEXPORT_H_
#define MUJOCO_MJEXPORT_H_

#if defined(MJ_STATIC)
#define MJAPI
#define MJLOCAL
#elif defined(_WIN32)
#ifdef MJ_DLL_EXPORTS
#define MJAPI __declspec(dllexport)
#else
#define MJAPI __declspec(dllimport)
#endif
#define MJLOCAL
#else
#define MJAPI __attribute__((visibility("default")))
#define MJLOCAL __attribute__((visibility("hidden")))
#endif

#endif  // MUJOCO_MJEXPORT_H_
