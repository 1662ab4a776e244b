/* Verdicts of pulls for those who show them: of one pull, of all of a campaign while it is measured, and
 * counted. docs/method/pull-validity.md. */
#ifndef LAB_VALIDITY_H
#define LAB_VALIDITY_H

#include "lab_point.h"

/* Sets *name to "valid", "doubtful" or "invalid" of a run's point, and words to the codes of its faults, or
 * to "said" where a person overruled the verdict. "": it is of no pull that was judged. */
CB_CHECKED cb_status lab_validity_said(cb_store *s, const cb_run *run, const cb_friction_point *p,
                                       const char **name, char words[96], cb_err *err);

/* Changes the points of runs whose verdict a person overruled (`db amend --set verdict=...`): one that is
 * said to be invalid has no force, one that is said to be valid or doubtful has the force that its reduction
 * found. Stored points stay. */
CB_CHECKED cb_status lab_overrule(cb_store *s, cb_friction_obs *list, size_t n, cb_err *err);

/* ---- many ---- */

typedef struct lab_tally {
  size_t n, n_of[FIT_INVALID + 1]; /* judged pulls, by verdict */
  size_t n_of_fault[FIT_N_FAULTS]; /* pulls by what made them what they are */
} lab_tally;

/* Counts a point; one that was not judged is left out. */
void lab_tally_point(lab_tally *t, const cb_friction_point *p);
/* "2 of 48 pulls are invalid: never slid; 1 is doubtful: step"; "all 48 pulls are valid"; "": none was
 * judged. Returns out. */
#define LAB_TALLY_WORDS 400
char *lab_tally_words(const lab_tally *t, char out[LAB_TALLY_WORDS]);

/* ---- a campaign that is measured ---- */

typedef struct lab_verdict {
  int64_t run_id;
  bool judged; /* false: it could not be reduced */
  fit_faults faults;
} lab_verdict;

/* Done pulls that were looked at; a zeroed one is empty. */
typedef struct lab_verdicts {
  lab_verdict *list; /* owned */
  size_t n;
} lab_verdicts;

/* Makes v that of the done pulls among runs. Each is reduced once, the newest first, and no more than `most`
 * in one call. A run that cannot be read counts as not judged. Error: CB_E_NOMEM. */
CB_CHECKED cb_status lab_verdicts_update(cb_store *s, const cb_run *runs, size_t n, size_t most,
                                         lab_verdicts *v, cb_err *err);
void lab_verdicts_clear(lab_verdicts *v);
/* Returns the verdict of a run; NULL: it was not judged. */
const lab_verdict *lab_verdicts_find(const lab_verdicts *v, int64_t run_id);
/* Counts them. */
lab_tally lab_verdicts_count(const lab_verdicts *v);
/* Returns the first fault of those that make the pull what it is; NULL: it is valid. */
const fit_fault_found *lab_verdict_worst(const lab_verdict *v);

#endif
