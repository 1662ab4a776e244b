/* How a patch of cloth rubs on a body: Coulomb's two numbers, or the laws that the rig measured, per area.
 *
 * A law belongs to the contact area it was measured on. A patch of area A that is pressed with N takes part with its traction,
 * F = A/A0 f(N A0/A): refining a mesh does not change the friction (Chen, Feng, Wang 2013: traction over pressure). A cloth's own weight presses far less than any rig
 * does: what is extrapolated is counted, never hidden. */
#ifndef SIM_FRICTION_H
#define SIM_FRICTION_H

#include <stdbool.h>

#include "cb_friction_law.h"

typedef struct sim_friction {
  double mu_kinetic, mu_static;                    /* where no law is given; mu_static >= mu_kinetic >= 0 */
  const cb_friction_law *kinetic_law, *static_law; /* not owned; kinetic NULL: Coulomb; static NULL: as kinetic */
} sim_friction;

typedef struct sim_friction_force {
  double kinetic_N, static_N; /* static_N >= kinetic_N */
  bool extrapolated;          /* lighter or heavier than what was measured */
} sim_friction_force;

/* direction: of sliding, in the cloth's (warp, weft) plane, any length but 0. normal_force_N >= 0 on a patch of area_m2. */
sim_friction_force sim_friction_eval(const sim_friction *f, const double direction[2], double normal_force_N, double area_m2);

/* Errors: coefficients that are negative or not finite, static below kinetic, laws that are not in order. */
CB_CHECKED cb_status sim_friction_check(const sim_friction *f, cb_err *err);

#endif
