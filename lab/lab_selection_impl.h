/* Use of lab_selection.h, private to lab/. */
#ifndef LAB_SELECTION_IMPL_H
#define LAB_SELECTION_IMPL_H

#include "cb_store.h"
#include "lab_selection.h"

/* CB_E_ARG: since or until is no such date. */
CB_CHECKED cb_status lab_selection_check(const lab_selection *sel, cb_err *err);

/* Keeps the selected observations, in their order, at the front. */
CB_CHECKED cb_status lab_selection_keep(cb_store *s, const lab_selection *sel, cb_friction_obs *obs,
                                        size_t *n, cb_err *err);

#endif
