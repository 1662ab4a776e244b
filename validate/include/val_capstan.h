/* A strip over a cylinder, pulled at one end against a tension at the other until all of it slides: T2/T1.
 *
 * Reference: per width, dT/dphi = R tau(T/R) with tau the friction per area of the pair at that pressure, in
 * the strip's direction: exp(mu beta) for Coulomb's law (Euler, Eytelwein); T2^(1-n) = T1^(1-n) + (1-n) c
 * R^(1-n) beta for tau = c p^n (Howell, 1953). R is the radius at which the middle of the cloth lies; T is
 * less by what the strip's own motion takes, density V^2 (6e-4 of T1 by default). No weight, no bending
 * stiffness; a strain of more than 1 % at the tight end is refused. The strip is heavy (3 kg/m2), which tames
 * its vibrations lengthwise: while parts of it run backward friction acts the other way.
 *
 * What limits it, known and stated (discretisation):
 *   corners   vertices turn the strip by angles delta = h/R: ln T2/T1 = sum 2 artanh(mu tan(delta/2)), more
 *             by mu beta delta^2 (1 +
 * mu^2)/12 steps     normals are those of the step's begin and lag by V dt/R: so much more friction
 * coefficient, times (1 + mu^2) ends the first and the last vertex on the arc carry part of their pressure on
 * all of their area; with tau = c p^n that is more friction by the mean of s^n - s over parts s, (1 - n)/(2
 * (1 + n)), at either end: mu delta (1 - n)/(1 + n) */
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
} val_capstan;

typedef struct val_capstan_result {
  int vertices;
  double slack_N_per_m, tight_N_per_m; /* T1, T2: means over the last third of the pull */
  double ratio, expected_ratio, error; /* relative */
  double discretisation;               /* what corners and steps make the ratio larger by, relative */
  double unrest;                       /* largest difference of the ratio from its mean there, relative */
  double largest_strain;               /* T2 over the strip's stiffness */
  int touching, sliding, extrapolated; /* contacts at the end */
  bool agrees;                         /* within VAL_CAPSTAN_TOLERANCE beyond the discretisation */
  double seconds;
} val_capstan_result;

#define VAL_CAPSTAN_TOLERANCE 3e-3

/* mu = 0.3, half a turn on R = 50 mm, 20 mm wide, T1 = 2 N/m, 4 cells across, 1 ms. */
val_capstan val_capstan_default(void);
CB_CHECKED cb_status val_capstan_run(const val_capstan *e, val_capstan_result *out, cb_err *err);

#endif
