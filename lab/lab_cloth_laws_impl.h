/* Private to lab/. */
#ifndef LAB_CLOTH_LAWS_IMPL_H
#define LAB_CLOTH_LAWS_IMPL_H

#include "lab_cloth_laws.h"
#include "sim_material.h"

/* The cloth's facts, weighed. CB_E_NOTFOUND lists the cloths there are. */
CB_CHECKED cb_status lab_cloth_facts(cb_store *s, const char *name, cb_material *out, cb_err *err);

/* Of curves that were tested, or of a table that was imported. CB_E_NOTFOUND: the law does not tell it; says
 * what would. */
CB_CHECKED cb_status lab_cloth_curve(const cb_stretch_law *law, cb_stretch_axis axis, sim_curve *out,
                                     cb_err *err);

#endif
