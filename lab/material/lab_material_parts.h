/* The areal density of a material, private to lab/. */
#ifndef LAB_MATERIAL_PARTS_H
#define LAB_MATERIAL_PARTS_H

#include "lab_material.h"

/* Sets the areal density of *m to the mean of its tests, if it was not typed and tests have one. */
CB_CHECKED cb_status lab_material_weigh(cb_store *s, cb_material *m, cb_err *err);
/* lab_material_store within the caller's transaction. */
CB_CHECKED cb_status lab_material_put(cb_store *s, const char *file, exch_material *m, cb_err *err);

#endif
