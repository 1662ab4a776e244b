/* Private to lab/. */
#ifndef LAB_FRICTION_IMPL_H
#define LAB_FRICTION_IMPL_H

#include "lab_friction.h"

/* Every finished pull without a point gets one. campaign_id 0: all campaigns. *n_reduced may be NULL. A pull
 * that cannot be reduced (no motion, no plateau) gets a point without forces whose method says why. */
CB_CHECKED cb_status lab_friction_reduce(cb_store *s, int64_t campaign_id, size_t *n_reduced, cb_err *err);

/* What a fit of the pair reads: stored points, and points of runs not yet reduced computed on the fly; runs
 * whose load is not known are left out. Caller: free(*list). */
CB_CHECKED cb_status lab_friction_observations(cb_store *s, int64_t cloth_id, int64_t body_id,
                                               cb_friction_obs **list, size_t *n, cb_err *err);

/* The same for a law's pair, with the body turned as in most runs, of runs that are as real as origin is. */
CB_CHECKED cb_status lab_friction_observations_like(cb_store *s, const char *cloth, const char *body,
                                                    int origin, cb_friction_obs **list, size_t *n,
                                                    cb_err *err);

/* fit_friction with what the rigs say on which the runs were made, and with the placement that other pairs
 * showed there. Nothing is stored. */
CB_CHECKED cb_status lab_friction_fit_runs(cb_store *s, const cb_friction_obs *obs, size_t n,
                                           const char *cloth, const char *body, fit_friction_options *opt,
                                           fit_friction_result *out, cb_err *err);

/* What the fit of one kind of force said beyond the law itself, as stored with it. NULL: no memory. */
json_t *lab_friction_verdicts_json(const lab_friction *f, cb_friction_kind kind);

/* Into what f holds of that kind; the law itself is left alone. CB_E_DB: it is no such document, and nothing
 * of it is in f. */
CB_CHECKED cb_status lab_friction_verdicts_read(const char *text, cb_friction_kind kind, lab_friction *f,
                                                cb_err *err);

#endif
