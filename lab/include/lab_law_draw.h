/* Laws at random, from those that their uncertainty allows: for Monte Carlo. Each function changes a law into
 * a draw. It returns false where the law does not know its uncertainty, and then leaves it as it is. The same
 * law and random numbers give the same draw. */
#ifndef LAB_LAW_DRAW_H
#define LAB_LAW_DRAW_H

#include "cb_bending_law.h"
#include "cb_compression_law.h"
#include "cb_permeability_law.h"
#include "cb_rng.h"
#include "cb_self_friction_law.h"
#include "cb_stretch_law.h"

bool lab_draw_friction(cb_rng *rng, cb_friction_law *law);
/* The level at the middle of the measured loads, with all that the law doubts there. */
bool lab_draw_self_friction(cb_rng *rng, cb_self_friction_law *law);
/* Each direction as a whole: scatter and calibration shift a curve more than they bend it. True if one does.
 */
bool lab_draw_stretch(cb_rng *rng, cb_stretch_law *law);
/* Rigidities with their covariance, widths. */
bool lab_draw_bending(cb_rng *rng, cb_bending_law *law);
/* The thickness under the lightest pressure against that under the heaviest. */
bool lab_draw_compression(cb_rng *rng, cb_compression_law *law);
/* The level at the middle of the measured pressures. */
bool lab_draw_permeability(cb_rng *rng, cb_permeability_law *law);

#endif
