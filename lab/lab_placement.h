/* What laying a sample anew changes on a rig, from all pairs that were measured on it. */
#ifndef LAB_PLACEMENT_H
#define LAB_PLACEMENT_H

#include "cb_store.h"
#include "fit_friction.h"

/* Pooled over the pairs other than the run's own whose runs could tell, on rigs of the same name, as real as
 * the run is. dof 0: there are none. */
CB_CHECKED cb_status lab_placement_of_others(cb_store *s, const cb_run *run, fit_placement *out, cb_err *err);

#endif
