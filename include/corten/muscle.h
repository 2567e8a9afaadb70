// Hill-type muscles: fibres at an angle to a tendon that does not stretch.
//
// They stand beside the built-in muscle of actuators and are selected by an actuator's parameters:
//
//   <general tendon="achilles" dyntype="muscle" dynprm="0.01 0.04" gaintype="user" biastype="user"
//            gainprm="3549 0.05 0.25 0.4363 10 0 0 0 0 1989"
//            biasprm="3549 0.05 0.25 0.4363 10 0 0 0 0 1989"/>
//
// gainprm and biasprm hold, in this order, the first nine members of ct_HillMuscle, of which the
// last four take their usual values where they are 0, and then CT_HILL. The actuator's length (gear
// included) is the length of muscle and tendon together in metres; its activation, or without one
// its control, is how many of the fibres work, 0 to 1. Callbacks for user gains and biases are not
// called for such an actuator. The reference loads such models too, and takes the gain as 1 and the
// bias as 0.

#ifndef CORTEN_MUSCLE_H_
#define CORTEN_MUSCLE_H_

#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CT_HILL 1989  // gainprm[9] and biasprm[9] of a Hill-type muscle

typedef struct ct_HillMuscle_ {
  mjtNum force;           // greatest isometric force of the fibres, N
  mjtNum fibre;           // fibre length at which it is reached, m
  mjtNum slack;           // length of the tendon, m
  mjtNum pennation;       // angle between fibres and tendon at that fibre length, rad
  mjtNum vmax;            // greatest speed of shortening, fibre lengths per second
  mjtNum width;           // of the bell of active force over length
  mjtNum passive_strain;  // strain at which passive force is `force`
  mjtNum passive_shape;   // how sharply it rises
  mjtNum eccentric;       // force of lengthening fibres over isometric force, at most
  mjtNum activation;      // time constants of activation and deactivation, s
  mjtNum deactivation;
} ct_HillMuscle;

// A muscle of 1000 N with fibres of 0.1 m, without pennation and tendon.
MJAPI void ct_default_hill(ct_HillMuscle* muscle);

// A muscle of an adult by name: "biceps" (long head), "quadriceps" (rectus femoris),
// "gastrocnemius" (medial head), "soleus". False for other names.
MJAPI int ct_hill_preset(ct_HillMuscle* muscle, const char* name);

// Makes actuator `id` of a model such a muscle. Its activation dynamics are those of muscles if it
// has an activation; without one its control acts at once.
MJAPI void ct_set_hill(mjModel* m, int id, const ct_HillMuscle* muscle);

// Force along the actuator per activation, and force without activation, of muscle parameters as in
// gainprm. Negative: it pulls. len and vel are those of muscle and tendon together.
MJAPI mjtNum ct_hill_gain(mjtNum len, mjtNum vel, const mjtNum prm[10]);
MJAPI mjtNum ct_hill_bias(mjtNum len, const mjtNum prm[10]);

#ifdef __cplusplus
}
#endif

#endif  // CORTEN_MUSCLE_H_
