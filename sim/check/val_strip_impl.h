/* Making of val_strip and val_held, private to validate/. */
#ifndef VAL_STRIP_IMPL_H
#define VAL_STRIP_IMPL_H

#include "val_strip.h"

/* Makes a strip of that shape with its clamp. Clear *out even after an error. */
CB_CHECKED cb_status val_strip_init(const sim_rectangle *shape, val_strip *out, cb_err *err);

/* The same without a clamp (0), with one at x = 0 (1), or with one at either end (2). Without a clamp the
 * ends are still marked: what holds them is a hinge. */
CB_CHECKED cb_status val_strip_init_clamped(const sim_rectangle *shape, int clamps, val_strip *out,
                                            cb_err *err);

void val_strip_clear(val_strip *s);

/* Makes the strip a cloth of that material, which must outlive it, as must s. Clear *out even after an
 * error. */
CB_CHECKED cb_status val_held_init(const val_strip *s, const sim_material *material, val_held *out,
                                   cb_err *err);

/* The same with a weight, along -z. */
CB_CHECKED cb_status val_held_init_under(const val_strip *s, const sim_material *material,
                                         double gravity_m_per_s2, val_held *out, cb_err *err);

void val_held_clear(val_held *h);

/* Returns the mean over the tip of values per vertex. */
void val_strip_tip_mean(const val_strip *s, const double (*x)[3], double out[3]);
/* Returns the depth of the middle, -z: that of the parabola z = a + b d^2 through what lies within two edges.
 */
double val_strip_depth_m(const val_strip *s, double length_m, double edge_m, const double (*x)[3]);

#endif
