/* Private to lab/. */
#ifndef LAB_MATERIAL_IMPL_H
#define LAB_MATERIAL_IMPL_H

#include "lab_material.h"

/* Where nobody typed the areal density, but it was weighed with the tests: their mean, into *m. */
CB_CHECKED cb_status lab_material_weigh(cb_store *s, cb_material *m, cb_err *err);

#endif
