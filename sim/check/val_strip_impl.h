/* Making of val_strip and val_held, private to validate/. */
#ifndef VAL_STRIP_IMPL_H
#define VAL_STRIP_IMPL_H

#include "val_strip.h"

/* Makes a strip of that shape with its clamp. Clear *out even after an error. */
CB_CHECKED cb_status val_strip_init(const sim_rectangle *shape, val_strip *out, cb_err *err);

void val_strip_clear(val_strip *s);

/* Makes the strip a cloth of that material, which must outlive it, as must s. Clear *out even after an
 * error. */
CB_CHECKED cb_status val_held_init(const val_strip *s, const sim_material *material, val_held *out,
                                   cb_err *err);

void val_held_clear(val_held *h);

/* Returns the mean over the tip of values per vertex. */
void val_strip_tip_mean(const val_strip *s, const double (*x)[3], double out[3]);

#endif
