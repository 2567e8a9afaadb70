// Keyframes of a spec while its tree is still changing.
//
// A key is a row of numbers laid out for the tree as it is, or as it was when it was compiled last.
// When a part of the tree is deleted, or attached to another spec, keys are taken apart into values
// per joint, actuator and mocap body (gathered), and wait as pending keys until the next
// compilation, which makes real keys of them and puts the values where their elements are then.

#ifndef CT_SPEC_KEYS_H_
#define CT_SPEC_KEYS_H_

#include "spec/spec.h"

typedef struct ct_PendingValue_ {
  ct_Element* element;  // joint, actuator or mocap body, if it is in the spec that the key waits in
  double pos[7];        // coordinates of a joint; position and orientation of a mocap body; control
  double vel[6];        // velocities of a joint
  double* act;          // activations of an actuator, from malloc
  int nact;
  bool no_pos, no_quat;  // the key does not say it: that of the model
} ct_PendingValue;

struct ct_PendingKey_ {
  ct_PendingKey* next;
  ct_Element* key;  // the real key, once made
  ct_String name;
  double time;
  bool has_qpos, has_qvel, has_act, has_ctrl, has_mpos, has_mquat;  // which vectors the key has
  int nvalue;
  ct_PendingValue* value;
};

ct_KeySizes ct_key_sizes(const ct_Spec* spec);

// Coordinates and velocities of a joint; activations of an actuator.
int ct_joint_nq(const ct_Element* joint);
int ct_joint_nv(const ct_Element* joint);
int ct_actuator_nact(const ct_Element* actuator);

// What an element has of its state in the last model, if its kind is another one since. A joint
// with no more coordinates than it had then keeps the first ones, another starts anew; an actuator
// keeps as many activations as it has now and had then.
bool ct_joint_goes_on(const ct_Element* joint);
int ct_actuator_kept_nact(const ct_Element* actuator);

// Extends vectors of keys that are not empty but shorter than the tree needs.
void ct_keys_pad(ct_Spec* spec);

// Are all vectors of all keys empty, or of the size that the tree needs, or of that of the last
// model, if the last compilation succeeded? If not: false, and a message in `report`.
bool ct_keys_fit(const ct_Spec* spec, ct_Spec* report);

// All keys taken apart; the keys themselves stay. For what came after the last model, keys of its
// size say nothing.
ct_PendingKey* ct_keys_gather(const ct_Spec* spec);

// Adds keys at the end of a spec's pending ones.
void ct_keys_append(ct_Spec* spec, ct_PendingKey* keys);
void ct_keys_free(ct_PendingKey* keys);

ct_PendingKey* ct_keys_copy(const ct_PendingKey* keys);

// Copies that refer to the twins of elements; values of elements without a twin are left out.
ct_PendingKey* ct_keys_of_twins(const ct_PendingKey* keys);

// For the compiler. First, before ids are given out: real keys, still empty, for the pending ones.
void ct_pending_make(ct_Spec* spec);

// Last, when the reference positions of the model are known and every element's `state` tells where
// its numbers go: the keys' vectors. After that nothing is pending.
void ct_pending_fill(ct_Spec* spec, const mjModel* m);

#endif  // CT_SPEC_KEYS_H_
