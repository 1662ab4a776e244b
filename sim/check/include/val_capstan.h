/* Capstan: a strip over a cylinder is pulled at one end against a tension T1 at the other, until all of it
 * slides at the tension T2. Compared is T2/T1.
 *
 * Reference: per width, dT/dphi = R tau(T/R). tau is the friction per area of the pair at that pressure, in
 * the direction of the strip. T2/T1 is exp(mu beta) for Coulomb's law (Euler, Eytelwein). For tau = c p^n
 * (Howell, 1953), T2^(1-n) = T1^(1-n) + (1-n) c R^(1-n) beta. R is the radius of the middle of the cloth. T
 * is less by density V^2, for the motion of the strip (6e-4 of T1 by default). There is no weight and no
 * bending stiffness. A strain above 1 % at the tight end is refused. The strip is heavy (3 kg/m2) to damp
 * its vibrations lengthwise: where parts of it run backward, friction acts the other way.
 *
 * Known errors of the discretisation:
 * - Corners. Vertices turn the strip by angles delta = h/R. ln T2/T1 = sum 2 artanh(mu tan(delta/2)) is
 * larger by mu beta delta^2 (1 + mu^2)/12.
 * - Steps. Normals are those at the start of a step and lag by V dt/R. That adds beta (1 + mu^2) V dt/R.
 * - Ends. The first and the last vertex on the arc have part of their pressure on all of their area. With tau
 * = c p^n this adds friction by the mean of s^n - s over parts s, which is (1 - n)/(2 (1 + n)). Both ends
 *   together add mu delta (1 - n)/(1 + n). */
#ifndef VAL_CAPSTAN_H
#define VAL_CAPSTAN_H

#include "sim_cloth.h"

typedef struct val_capstan {
  sim_friction friction;
  sim_material material;
  double radius_m, wrap_rad, width_m;
  double tension_N_per_m; /* T1 */
  double angle_rad;       /* of the strip, from the warp */
  int cells_across;
  double dt_s;
  bool drum; /* the strip is held at the tight end, and the cylinder turns under it */
} val_capstan;

typedef struct val_capstan_result {
  int vertices;
  double slack_N_per_m, tight_N_per_m; /* T1, T2: means over the last third of the pull */
  double ratio, expected_ratio, error; /* T2/T1; error: relative */
  double discretisation;               /* known relative error of the ratio, as above */
  double unrest;                       /* greatest relative difference of the ratio from its mean there */
  double largest_strain;               /* T2 over the strip's stiffness */
  int touching, sliding, extrapolated; /* contacts at the end */
  bool agrees;                         /* |error - discretisation| <= VAL_CAPSTAN_TOLERANCE */
  double seconds;
} val_capstan_result;

#define VAL_CAPSTAN_TOLERANCE 3e-3
#define VAL_CAPSTAN_M_PER_S 0.02 /* of the strip over the cylinder */

/* Returns mu = 0.3, half a turn on R = 50 mm, 20 mm wide, T1 = 2 N/m, 4 cells across, steps of 1 ms. */
val_capstan val_capstan_default(void);
/* Errors: a number out of range, a strain above 1 %, memory; not to agree is none. */
CB_CHECKED cb_status val_capstan_run(const val_capstan *e, val_capstan_result *out, cb_err *err);

#endif
