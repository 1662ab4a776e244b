/* The steps of lab_friction.h, private to lab/. */
#ifndef LAB_FRICTION_PARTS_H
#define LAB_FRICTION_PARTS_H

#include "cb_store.h"
#include "fit_friction.h"
#include "lab_friction.h"

/* Reduces every finished pull without a point; campaign_id 0 means all campaigns. A pull that cannot be
 * reduced (no motion, no plateau) gets a point without forces whose method says why. *n_reduced counts the
 * pulls; it may be NULL. */
CB_CHECKED cb_status lab_friction_reduce(cb_store *s, int64_t campaign_id, size_t *n_reduced, cb_err *err);

/* Lists the observations that a fit of the pair uses: stored points, and points of unreduced runs, computed
 * in memory. Runs with an unknown load are left out. The caller frees *list. */
CB_CHECKED cb_status lab_friction_observations(cb_store *s, int64_t cloth_id, int64_t body_id,
                                               cb_friction_obs **list, size_t *n, cb_err *err);

/* Widens the uncertainties of doubtful pulls (lab_point_validity), so that their doubt is the same after they
 * are averaged. Error: CB_E_NOMEM. */
CB_CHECKED cb_status lab_friction_share_doubt(cb_friction_obs *list, size_t n, cb_err *err);

/* Lists observations by names, for the angle of the body in most runs, and for real or virtual runs as origin
 * is. */
CB_CHECKED cb_status lab_friction_observations_like(cb_store *s, const char *cloth, const char *body,
                                                    int origin, cb_friction_obs **list, size_t *n,
                                                    cb_err *err);

/* Runs fit_friction with the uncertainties of the rigs of the runs, and with the scatter of placement from
 * other pairs on these rigs. Nothing is stored. */
CB_CHECKED cb_status lab_friction_fit_runs(cb_store *s, const cb_friction_obs *obs, size_t n,
                                           const char *cloth, const char *body, fit_friction_options *opt,
                                           fit_friction_result *out, cb_err *err);

/* Makes the document of a fit's results beyond the law itself, for one kind, as stored with the law. Returns
 * NULL without memory. */
json_t *lab_friction_verdicts_json(const lab_friction *f, cb_friction_kind kind);

/* Reads such a document into f; the law itself stays. Error: CB_E_DB for another document; f then has no
 * results of that kind. */
CB_CHECKED cb_status lab_friction_verdicts_read(const char *text, cb_friction_kind kind, lab_friction *f,
                                                cb_err *err);

/* The lot of the cloth of every run, as its campaign recorded it. */

typedef struct lab_lots {
  fit_lot_of *of; /* of every observation; owned; NULL: fewer than two lots were recorded, or too many */
  size_t n;
} lab_lots;

/* Runs without a recorded lot are a lot of their own, once two others were recorded. The caller frees
 * out->of. */
CB_CHECKED cb_status lab_lots_of(cb_store *s, const cb_friction_obs *obs, size_t n, lab_lots *out,
                                 cb_err *err);

/* Scatter from laying a sample anew on a rig, estimated from all pairs that were measured on it. */

/* Pools the scatter over all other pairs that can tell it, on rigs of the same name, real or virtual as the
 * run is. dof is 0 if there are none. */
CB_CHECKED cb_status lab_placement_of_others(cb_store *s, const cb_run *run, fit_placement *out, cb_err *err);

#endif
