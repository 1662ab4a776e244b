/* Private to lab/. */
#ifndef LAB_MATERIAL_IMPL_H
#define LAB_MATERIAL_IMPL_H

#include "lab_material.h"

/* Where nobody typed the areal density, but it was weighed with the tests: their mean, into *m. */
CB_CHECKED cb_status lab_material_weigh(cb_store *s, cb_material *m, cb_err *err);
/* lab_material_store within the caller's transaction. */
CB_CHECKED cb_status lab_material_put(cb_store *s, const char *file, exch_material *m, cb_err *err);

#endif
