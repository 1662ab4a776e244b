/* Friction, between store, fit and screen: what `fit`, `predict`, `report` and `demo` share. */
#ifndef CLI_FRICTION_H
#define CLI_FRICTION_H

#include <jansson.h>

#include "cb_store.h"
#include "fit_friction.h"

/* Every finished pull without a point gets one. campaign_id 0: all campaigns. *n_reduced may be NULL. A pull that cannot be reduced
 * (no motion, no plateau) gets a point without forces whose method says why. */
CB_CHECKED cb_status cli_friction_reduce(cb_store *s, int64_t campaign_id, size_t *n_reduced, cb_err *err);

/* What a fit of the pair reads: stored points, and points of runs not yet reduced computed on the fly; runs whose
 * load is not known are left out. Caller: free(*list). */
CB_CHECKED cb_status cli_friction_observations(cb_store *s, int64_t cloth_id, int64_t body_id, cb_friction_obs **list, size_t *n,
                                               cb_err *err);

/* fit_friction with what the rigs say on which the runs were made, and with the placement that other pairs showed there. */
CB_CHECKED cb_status cli_friction_fit(cb_store *s, const cb_friction_obs *obs, size_t n, const char *cloth, const char *body,
                                      fit_friction_options *opt, fit_friction_result *out, cb_err *err);

/* Stores the kinetic law, and the static one where there is one, with their verdicts; sets their ids. One transaction. */
CB_CHECKED cb_status cli_friction_store(cb_store *s, const cb_friction_obs *obs, size_t n, const fit_friction_options *opt,
                                        fit_friction_result *r, cb_err *err);

/* The newest stored law; where it is missing or older than the points, a fit in memory (*fresh = true). Reads only. */
CB_CHECKED cb_status cli_friction_law(cb_store *s, const char *cloth, const char *body, cb_friction_kind kind, cb_friction_law *law,
                                      bool *fresh, cb_err *err);

/* {"calibrations": [...], "flags": {"zero-drift": 3}, "runs_without_force": 1}: what the forces rest on. Caller: json_decref. */
CB_CHECKED cb_status cli_friction_sources(cb_store *s, const cb_friction_obs *obs, size_t n, json_t **out, cb_err *err);

/* What the fit of obs[0 .. n) said beyond the law itself, and whose runs they are (cli_pooled.h); stored verbatim with it. Caller:
 * json_decref. */
CB_CHECKED cb_status cli_friction_verdicts(cb_store *s, const fit_friction_result *r, const cb_friction_obs *obs, size_t n,
                                           cb_friction_kind kind, json_t **out, cb_err *err);
/* The document of `fit friction --json` from laws and their verdicts; stat (may be NULL): the static law. Steals no reference. */
json_t *cli_friction_document(const cb_friction_law *kinetic, json_t *kinetic_verdicts, const cb_friction_law *stat, json_t *stat_verdicts);

#endif
