// Integrators beyond those of mjtIntegrator. They are chosen the same way: opt.integrator.

#ifndef CORTEN_INTEGRATOR_H_
#define CORTEN_INTEGRATOR_H_

typedef enum ct_Integrator_ {
  // Implicit in joint springs and dof dampers, explicit in everything else (R7.2):
  //   (M + h D + h^2 K) v+ = M v + h f - h K (q - q_spring),
  // D and K diagonal, f all other forces. Stiff springs stay stable where the other integrators,
  // which treat springs explicitly, need a step below 2 / sqrt(k / m).
  CT_INT_SPRINGDAMPER = 64,

  // As mjINT_IMPLICIT, with all of the derivative (R13.7): tendons and actuators that join
  // different branches or trees couple their dofs, for which the sparse matrix of mjINT_IMPLICIT
  // has no place. The matrix is dense: nv^2 numbers on the stack, nv^3 / 3 operations a step.
  CT_INT_DENSE = 65,
} ct_Integrator;

#endif  // CORTEN_INTEGRATOR_H_
