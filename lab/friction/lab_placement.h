/* Scatter from laying a sample anew on a rig, estimated from all pairs that were measured on it. Private to
 * lab/. */
#ifndef LAB_PLACEMENT_H
#define LAB_PLACEMENT_H

#include "cb_store.h"
#include "fit_friction.h"

/* Pools the scatter over all other pairs that can tell it, on rigs of the same name, real or virtual as the
 * run is. dof is 0 if there are none. */
CB_CHECKED cb_status lab_placement_of_others(cb_store *s, const cb_run *run, fit_placement *out, cb_err *err);

#endif
