/* Private to validate/. */
#ifndef VAL_STRIP_IMPL_H
#define VAL_STRIP_IMPL_H

#include "val_strip.h"

/* Clear it even after a failed init. */
CB_CHECKED cb_status val_strip_init(const sim_rectangle *shape, val_strip *out, cb_err *err);

void val_strip_clear(val_strip *s);

CB_CHECKED cb_status val_held_init(const val_strip *s, const sim_material *material, val_held *out,
                                   cb_err *err);

void val_held_clear(val_held *h);

/* Mean of what stands per vertex, over the tip. */
void val_strip_tip_mean(const val_strip *s, const double (*x)[3], double out[3]);

#endif
