/* One simulated drape, private to validate/. */
#ifndef VAL_DRAPE_IMPL_H
#define VAL_DRAPE_IMPL_H

#include "val_drape.h"

/* Simulates one drape. shape: takes its cloth; NULL: not wanted. Not to settle is an outcome. Errors: a
 * number out of range, those of sim_cloth and fit_drape, memory. */
CB_CHECKED cb_status val_drape_run(const val_drape *e, val_drape_result *out, val_drape_shape *shape,
                                   cb_err *err);

/* Returns the drape of seed i, with the cloth as that seed draws it. */
val_drape val_drape_drawn(const val_drape_many *e, int i);

#endif
