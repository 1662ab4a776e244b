/* A strip of heavy cloth between two clamps that approach each other: the elastica, clamped at both ends
 * along the motion, bulges up or down. It is inextensible. Its moment per width is B K and friction: a slider
 * per place, stiff up to the onset and then at its limit (Prandtl), as in docs/method/bending.md.
 * With the slope theta towards the bulge, s the length from a clamp, L the free length, w the weight per area
 * (below zero where the strip bulges up) and T the tension per width along the motion:
 *
 *   M' = T sin theta - w (L / 2 - s) cos theta,   M = B theta' + friction,   theta(0) = theta(L) = 0
 *
 * Friction remembers: the force depends on all distances before. docs/method/fab.md is the page. */
#ifndef FIT_BUCKLED_STRIP_H
#define FIT_BUCKLED_STRIP_H

#include <stdbool.h>

/* Pieces of half the strip; the other half is its mirror image. The force of an elastic strip is off by less
 * than (pi / pieces)^2 / 4, which the tests measure. */
enum { FIT_BUCKLED_PIECES = 32 };

typedef struct fit_buckled_strip {
  double length_m;                /* free, between the clamps */
  double B_Nm;                    /* > 0 */
  double friction_N, onset_per_m; /* half of 2HB, >= 0; > 0 */
  double weight_N_per_m2;         /* > 0: it bulges down; < 0: up */
} fit_buckled_strip;

/* Where a strip is, and how it came there; lengths over its free length, moments over B / L. */
typedef struct fit_buckled_state {
  double shortening;                    /* of the distance of the clamps */
  double tension;                       /* T L^2 / B */
  double slope[FIT_BUCKLED_PIECES + 1]; /* rad, from the clamp to the middle */
  double slip[FIT_BUCKLED_PIECES];      /* curvature at which the slider of a piece holds nothing */
} fit_buckled_state;

/* A flat strip whose clamps are at its free length. */
void fit_buckled_begin(fit_buckled_state *state);

/* Moves the clamps in small steps until they are `shortening_m` nearer than the free length, 0 < shortening_m
 * < length_m. Returns the tension per width [N/m], below zero where the strip pushes the clamps apart; NAN,
 * once and for all of this state, if no equilibrium was found. */
double fit_buckled_move(const fit_buckled_strip *strip, double shortening_m, fit_buckled_state *state);

#endif
