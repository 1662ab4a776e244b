/* Friction of a pair of cloth and body: from the raw runs of a database to a law with its uncertainty.
 * docs/method/friction-fit.md has the method. The main functions:
 *
 *     lab_friction_fit       from raw runs to points, observations and a law, stored with the fit's results.
 *     lab_friction_law_find  the newest law of a pair, fitted in memory if runs are newer.
 *     lab_friction_predict   a force at any angle and load, with its uncertainty (lab_predict.h).
 *
 * Nothing here prints. */
#ifndef LAB_FRICTION_H
#define LAB_FRICTION_H

#include <jansson.h>

#include "cb_store_correction.h"
#include "fit_fault.h"
#include "fit_friction.h"
#include "lab_pooled.h"
#include "lab_selection.h"
#include "lab_validity.h"

/* ---- results of a fit ---- */

/* A run that is an outlier, or may be one. */
typedef struct lab_outlier {
  fit_outlier found; /* its index is that in the fit's list; 0 if read from a document */
  int64_t run_id;
  double angle_deg, normal_force_N;
} lab_outlier;

/* One kind of force, kinetic or static. There is a law if fit.outcome is FIT_FRICTION_OK. A law that was
 * imported without its fit has only fit.law, and fit.n_points is 0. */
typedef struct lab_friction_force {
  fit_friction_law fit;
  lab_outlier outliers[FIT_MAX_OUTLIERS]; /* the runs of fit.outliers */
  lab_outlier doubtful[FIT_MAX_DOUBTFUL]; /* the runs of fit.doubtful */
  lab_outlier far[FIT_MAX_OUTLIERS];      /* the runs of fit.far */
  bool has_far;                           /* false: read from a document of a version that did not look */
} lab_friction_force;

/* A flag of runs. */
typedef struct lab_flag {
  char word[128];
  size_t n_runs;
} lab_flag;

/* Calibrations, flags and validity of the runs behind a law. */
typedef struct lab_friction_sources {
  size_t n_calibrations, n_flags, n_without_force; /* n_without_force: runs without a kinetic force */
  cb_calibration *calibrations;                    /* owned */
  lab_flag *flags;                                 /* owned */
  size_t n_pulls;                                  /* all */
  lab_tally judged;  /* those with a verdict; invalid ones have no force, and are in no law */
  size_t n_unjudged; /* pulls without a verdict (lab_point_is_unjudged) */
  size_t n_left_out; /* pulls that others contradict: kinetic.fit.outliers */
} lab_friction_sources;

/* The laws of a pair with the results of their fit. */
typedef struct lab_friction {
  char cloth[64], body[64];
  lab_friction_force kinetic, stat;
  fit_verdict verdict;   /* of the kinetic forces */
  fit_speed speed;       /* of the kinetic force */
  bool has_tests;        /* false: the law was imported without its fit */
  double body_angle_deg; /* of all runs; NAN: unknown */
  lab_pooled pooled;
  /* Of lab_friction_fit alone; all 0 for a law that was read. */
  size_t n_runs;            /* runs that were fitted */
  size_t n_reduced;         /* pulls of the whole database that were reduced to points */
  size_t n_other_body;      /* runs left out, with the body at another angle */
  size_t n_voided;          /* pulls of the pair that a person voided */
  size_t n_amended;         /* pulls of the pair with a condition that a person amended */
  size_t n_overruled;       /* runs of which a person said what their verdict is */
  cb_correction *overruled; /* owned: who said what of them */
  bool mixes_origins;       /* the fit failed for runs of several origins; `origin` selects one */
  lab_friction_sources sources;
} lab_friction;

void lab_friction_clear(lab_friction *f);

/* ---- fit ---- */

/* Reduces every finished pull of the database to a point and fits the selected runs of the pair. Stores the
 * kinetic law and, if there is one, the static law, each with its verdicts; a law of a partial selection is
 * not stored, as the newest law stands for the pair. CB_OK without a stored law is an outcome: see
 * out->kinetic.fit.outcome. The caller calls lab_friction_clear, even after an error; *out then has what was
 * found so far. Errors: CB_E_NOTFOUND without such a material or runs; CB_E_RANGE for runs that cannot be
 * fitted together. */
CB_CHECKED cb_status lab_friction_fit(cb_store *s, const char *cloth, const char *body,
                                      const lab_selection *sel, lab_friction *out, cb_err *err);

/* Does the same without storing anything, also in a file that is open for reading. Pulls that were not
 * reduced are reduced in memory. */
CB_CHECKED cb_status lab_friction_preview(cb_store *s, const char *cloth, const char *body,
                                          const lab_selection *sel, lab_friction *out, cb_err *err);

/* Does what lab_friction_fit does for every pair that has runs. on_pair gets each pair after its law was
 * stored or could not be fitted. *n_laws counts the stored kinetic laws. */
CB_CHECKED cb_status lab_friction_fit_all(cb_store *s, int origin,
                                          void (*on_pair)(void *context, const lab_friction *f),
                                          void *context, size_t *n_laws, cb_err *err);

/* ---- laws ---- */

/* Finds the newest stored law. If it is missing or older than the points, the pair is fitted in memory, and
 * law->id is 0. It only reads. pooled may be NULL; it gets what a fit in memory pooled, even if that gave no
 * law of this kind. The caller calls lab_pooled_clear, even after an error. Error: CB_E_NOTFOUND without a
 * law and runs. */
CB_CHECKED cb_status lab_friction_law_find(cb_store *s, const char *cloth, const char *body,
                                           cb_friction_kind kind, cb_friction_law *law, lab_pooled *pooled,
                                           cb_err *err);

/* Reads the newest stored laws of a pair with the results of their fits. The caller calls
 * lab_friction_clear, even after an error. Error: CB_E_NOTFOUND without a law. */
CB_CHECKED cb_status lab_friction_stored(cb_store *s, const char *cloth, const char *body, lab_friction *out,
                                         cb_err *err);

/* ---- documents: docs/reference/json, `fit friction` ---- */

/* Reads a stored law and the results of its fit into f. Start from f = {0}; call it for both kinds in
 * turn. */
CB_CHECKED cb_status lab_friction_law_read(cb_store *s, const cb_friction_law *law, lab_friction *f,
                                           cb_err *err);
/* Makes the document: laws, verdicts and, after lab_friction_fit, the sources. Returns NULL without memory.
 * The caller calls json_decref. */
json_t *lab_friction_json(const lab_friction *f);

/* The hypothesis tests of a verdict, with their names in the documents. */
typedef struct lab_friction_test {
  const char *name;   /* "isotropy" */
  const char *effect; /* meaning of fit_test.effect: "fitted_anisotropy_percent" */
  size_t offset;      /* offset of the fit_test in fit_verdict */
} lab_friction_test;
#define LAB_FRICTION_TESTS 8
extern const lab_friction_test lab_friction_tests[LAB_FRICTION_TESTS];
const fit_test *lab_friction_test_of(const fit_verdict *v, int test);

#endif
