/* Parts of lab_cloth_laws.h that a scene uses, too; private to lab/. */
#ifndef LAB_CLOTH_LAWS_PARTS_H
#define LAB_CLOTH_LAWS_PARTS_H

#include "lab_cloth_laws.h"
#include "sim_material.h"

/* Finds the cloth; an areal density that was not typed is the mean of the tests. Error: CB_E_NOTFOUND, whose
 * message lists the cloths. */
CB_CHECKED cb_status lab_cloth_facts(cb_store *s, const char *name, cb_material *out, cb_err *err);

/* Makes the curve of one axis from tested curves or from an imported table. Error: CB_E_NOTFOUND if the law
 * lacks it; the message says what would provide it. */
CB_CHECKED cb_status lab_cloth_curve(const cb_stretch_law *law, cb_stretch_axis axis, sim_curve *out,
                                     cb_err *err);

#endif
