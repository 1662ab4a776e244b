/* Which runs count. */
#ifndef LAB_SELECTION_H
#define LAB_SELECTION_H

#include <stdbool.h>
#include <stdint.h>

#include "cb_store.h"

#define LAB_ANY_ORIGIN (-1) /* for an int that is a cb_origin or this */

/* A member that is NULL or 0 lets every run pass. */
typedef struct lab_selection {
  int origin;           /* a cb_origin; LAB_ANY_ORIGIN lets every run pass */
  const char *lot;      /* of the cloth, as the campaign recorded it */
  const char *specimen; /* of the cloth: name or mark */
  const char *rig;      /* name of the rig; of imported runs the file and line */
  int64_t campaign_id;
  /* Of the start of the run, UTC: 2026, 2026-11, 2026-11-24 or 2026-11-24T10:30. Both ends count: until
   * 2026-11 takes all of November. */
  const char *since, *until;
} lab_selection;

/* True if more than the origin is selected. */
bool lab_selection_is_partial(const lab_selection *sel);

/* "lot B, since 2026-01-03"; "" where every run passes. */
void lab_selection_text(const lab_selection *sel, char out[320]);

/* Keeps the selected runs, in their order, at the front. */
CB_CHECKED cb_status lab_selection_runs(cb_store *s, const lab_selection *sel, cb_run *runs, size_t *n,
                                        cb_err *err);
/* Does the same with observations. */
CB_CHECKED cb_status lab_selection_keep(cb_store *s, const lab_selection *sel, cb_friction_obs *obs,
                                        size_t *n, cb_err *err);

/* "12 of 40 runs: lot B, since 2026-01-03": of the finished runs of the cloth and the body (NULL: of any); ""
 * where every run passes. Errors: CB_E_NOTFOUND if no run is selected; CB_E_ARG if since or until is no such
 * date. */
CB_CHECKED cb_status lab_selection_say(cb_store *s, const lab_selection *sel, const char *cloth,
                                       const char *body, char out[400], cb_err *err);
/* Keeps the campaigns of which a run is selected, in their order, at the front. */
CB_CHECKED cb_status lab_selection_campaigns(cb_store *s, const lab_selection *sel, cb_campaign *list,
                                             size_t *n, cb_err *err);

#endif
