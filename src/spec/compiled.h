// The compiled layer: what the last compilation made of a spec and of each element of it.
//
// Saving writes these values and not the editable ones, and mj_copyBack changes nothing else. The
// layer of an element is its public struct with all numbers resolved; pointers in it lead to the
// element's own strings and vectors, which are read as they are now.

#ifndef CT_SPEC_COMPILED_H_
#define CT_SPEC_COMPILED_H_

#include "spec/spec.h"

enum { CT_COMPILED_VECTORS = 6 };  // a key has this many

typedef struct ct_Numbers_ {  // numbers that take the place of a vector of the element
  double* number;             // NULL: the vector counts
  int count;
} ct_Numbers;

struct ct_Compiled_ {
  bool swapped;            // pairs, excludes: what is named second comes first
  double mass, volume;     // geoms: mass that counts for the body; volume, or surface of a shell
  double pos[3], quat[4];  // meshes: their frame in the frame of the file; geoms of a mesh: the
                           // pose by which that moved them
  ct_Numbers vector[CT_COMPILED_VECTORS];  // from a model; keys: qpos qvel act mpos mquat ctrl,
                                           // skins: bindquat vertweight of all bones,
                                           // flexes: elem elemtexcoord
  double values[];                         // public struct
};

struct ct_CompiledWhole_ {  // what belongs to no element
  int nuser_body, nuser_jnt, nuser_geom, nuser_site, nuser_cam, nuser_tendon, nuser_actuator,
      nuser_sensor;
  int nkey;
  double* qpos0;
  int nq;
  mjStatistic computed;  // statistics before those that were given took their place
  bool copied_back;      // the rest is from a model
  mjOption option;
  mjVisual visual;
  mjStatistic stat;  // NaN: as computed
};

// The layer of an element, made if there is none. Its public struct is not filled.
ct_Compiled* ct_make_compiled(ct_Element* e);
ct_CompiledWhole* ct_make_compiled_whole(ct_Spec* spec);

// Copies of the layers, for copies of elements and specs.
void ct_copy_compiled(ct_Element* to, const ct_Element* from);
void ct_copy_compiled_whole(ct_Spec* to, const ct_Spec* from);

void ct_free_compiled(ct_Element* e);
void ct_free_compiled_whole(ct_Spec* spec);

// Public struct of the layer. An element that was never compiled has the values of its class.
const void* ct_compiled_values(const ct_Element* e);
#define CT_COMPILED(type_, element_) ((const type_*)ct_compiled_values(element_))

// Numbers that take the place of the k-th vector from now on; released by the layer.
void ct_set_numbers(ct_Compiled* compiled, int k, const mjtNum* number, int count);
void ct_set_float_numbers(ct_Compiled* compiled, int k, const float* number, int count);
void ct_set_int_numbers(ct_Compiled* compiled, int k, const int* number, int count);
void ct_forget_numbers(ct_Compiled* compiled);

// The k-th vector of an element: numbers from a model, or the vector as it is.
const double* ct_compiled_vector(const ct_Element* e, int k, const mjDoubleVec* vector, int* count);

#endif  // CT_SPEC_COMPILED_H_
