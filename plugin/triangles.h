// A surface of triangles that a decoder reads from a file, and the model made of it.

#ifndef PLUGIN_TRIANGLES_H_
#define PLUGIN_TRIANGLES_H_

#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct {  // numbers that grow in number
  float* at;
  int count, room;
} Floats;

typedef struct {
  int* at;
  int count, room;
} Ints;

typedef struct {
  const char* name;                       // of the file, for messages
  Floats vert, normal, texcoord;          // (n x 3), (n x 3), (n x 2)
  Ints face, face_normal, face_texcoord;  // (n x 3): corners by each of them; -1: not given
  bool refused;                           // a message has been given
} Surface;

// Adds a number; one that does not fit into memory is refused like anything else.
void push_float(Surface* s, Floats* list, float x);
void push_int(Surface* s, Ints* list, int i);

// Says why the file cannot be read, with its name in front. Only the first reason counts.
void refuse(Surface* s, const char* format, ...);

// Reads the bytes of a file of some format into a surface, or refuses.
typedef void (*ReadSurface)(Surface* s, const char* bytes, size_t size);

// The model of a file: a mesh with the name of the file, and a body of that name with the mesh as
// its geom. NULL after a warning. The caller owns it.
mjSpec* decode_surface(mjResource* resource, ReadSurface read);

// Registers a decoder of surfaces: a content type, endings separated by |.
void register_surface_decoder(const char* content_type, const char* extension, mjfDecode decode);

#endif  // PLUGIN_TRIANGLES_H_
