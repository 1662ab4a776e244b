/* Private to validate/. */
#ifndef VAL_DRAPE_IMPL_H
#define VAL_DRAPE_IMPL_H

#include "val_drape.h"

CB_CHECKED cb_status val_drape_run(const val_drape *e, val_drape_result *out, cb_err *err);

#endif
