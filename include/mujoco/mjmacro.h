// Small macros that programs written for the C interface use.

#ifndef MUJOCO_MJMACRO_H_
#define MUJOCO_MJMACRO_H_

// The larger and the smaller of two values; arguments are evaluated twice.
#define mjMAX(a, b) (((a) > (b)) ? (a) : (b))
#define mjMIN(a, b) (((a) < (b)) ? (a) : (b))

// Is this bit set in the options of the model `m` in scope?
#define mjDISABLED(x) (m->opt.disableflags & (x))
#define mjENABLED(x) (m->opt.enableflags & (x))

// Is the group of actuator i switched off in the options of the model `m` in scope?
#define mjACTUATORDISABLED(i) (m->opt.disableactuator & (1 << m->actuator_group[i]))

// Lets the compiler check a printf-like function: argument n is the format, m the first value.
#if defined(__GNUC__) || defined(__clang__)
#define mjPRINTFLIKE(n, m) __attribute__((format(printf, n, m)))
#else
#define mjPRINTFLIKE(n, m)
#endif

#endif  // MUJOCO_MJMACRO_H_
