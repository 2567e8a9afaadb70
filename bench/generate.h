// Models of any size, written for benchmarks, and their way to an engine.
//
// Nothing touches the disk: a model and its meshes are buffers of a virtual file system, of which
// each engine has its own.

#ifndef BENCH_GENERATE_H_
#define BENCH_GENERATE_H_

#include <stdio.h>

#include "conformance/engine.h"
#include "load.h"

typedef struct {
  char* text;  // MJCF
  size_t length;
  char* mesh;  // file that the model refers to, or NULL
  size_t nmesh;
  const char* meshname;
} Generated;

typedef void (*Generator)(Generated* g, int size);

// For stepping.
void generate_chain(Generated* g, int links);     // hinges, not colliding
void generate_boxes(Generated* g, int count);     // free, close together above a plane
void generate_cloth(Generated* g, int vertices);  // a square that falls over a ball
void generate_jelly(Generated* g, int vertices);  // a cube on a plane

void generate_near(Generated* g, int bodies);  // of many geoms, with sensors of their distances

// For loading.
void generate_flat(Generated* g, int bodies);       // side by side
void generate_tree(Generated* g, int bodies);       // chains of twenty
void generate_statics(Generated* g, int bodies);    // colliding, fused into the world
void generate_sphere(Generated* g, int triangles);  // OBJ, all vertices on the hull
void generate_bumpy(Generated* g, int triangles);   // binary STL, most vertices inside the hull

void generated_free(Generated* g);

// Loads a generated model and times it. NULL with a message in `error` if it does not load.
mjModel* generated_load(const Engine* e, const Generated* g, char* error, int room, LoadTime* time);

#endif  // BENCH_GENERATE_H_
