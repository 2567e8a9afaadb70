// What it takes to draw a model without a window.

#ifndef APPS_STUDIO_H_
#define APPS_STUDIO_H_

#include <mujoco/mujoco.h>

#include "render/offscreen.h"

typedef struct {
  mjModel* m;
  mjData* d;
  mjvOption opt;
  mjvCamera cam;
  mjvScene scn;
  mjrContext con;
  ct_Offscreen offscreen;
  int width, height;
} Studio;

// Takes the model, with its data; options and scene are there after that. EXIT_FINE, or another
// code after a message. studio_free gives everything back, the model too.
int studio_make(Studio* s, mjModel* m);
void studio_free(Studio* s);

// The camera by name or number; "free" or NULL for the model's own choice.
int studio_camera(Studio* s, const char* name);

// An OpenGL context for pictures of this size, and drawing the data as it is. The first picture
// is drawn twice, because infinite planes follow the eye one call late.
int studio_light(Studio* s, int width, int height);
void studio_shoot(Studio* s, unsigned char* rgb);
void studio_dark(Studio* s);

// The number of an object that is named by its name or number; -1: there is none.
int find_object(const mjModel* m, int type, int count, const char* text);

#endif  // APPS_STUDIO_H_
