// Integrators beyond those of mjtIntegrator. They are chosen the same way: opt.integrator.

#ifndef CORTEN_INTEGRATOR_H_
#define CORTEN_INTEGRATOR_H_

typedef enum ct_Integrator_ {
  // Implicit in joint springs and dof dampers, explicit in everything else (R7.2):
  //   (M + h D + h^2 K) v+ = M v + h f - h K (q - q_spring),
  // D and K diagonal, f all other forces. Stiff springs stay stable where the other integrators,
  // which treat springs explicitly, need a step below 2 / sqrt(k / m).
  CT_INT_SPRINGDAMPER = 64,
} ct_Integrator;

#endif  // CORTEN_INTEGRATOR_H_
