/* Friction of a pair, from the raw runs of a database to a law with its uncertainty. The main calls:
 *
 *   lab_friction_fit       raw runs -> points -> observations -> law, stored with what the fit said
 *   lab_friction_law_find  the newest law of a pair, fitted now where runs are newer
 *   lab_friction_predict   a force at any angle and load, with its uncertainty
 *
 * The others are steps of these. Nothing here prints. docs/friction-fit.md has the method. */
#ifndef LAB_FRICTION_H
#define LAB_FRICTION_H

#include <jansson.h>

#include "cb_store.h"
#include "fit_friction.h"
#include "lab_pooled.h"

#define LAB_ANY_ORIGIN (-1) /* where an int is a cb_origin or this */

/* ---- what a fit said ---- */

/* A run that does not belong, or may not. */
typedef struct lab_outlier {
  fit_outlier found; /* index: of the fit's own list; 0 where it was read from a document */
  int64_t run_id;
  double angle_deg, normal_force_N;
} lab_outlier;

/* One kind of force. There is a law where fit.outcome is FIT_FRICTION_OK. Of a law that came without its fit
 * only fit.law is known, and fit.n_points is 0. */
typedef struct lab_friction_force {
  fit_friction_law fit;
  lab_outlier outliers[FIT_MAX_OUTLIERS]; /* the runs of fit.outliers */
  lab_outlier doubtful[FIT_MAX_OUTLIERS]; /* the runs of fit.doubtful */
} lab_friction_force;

typedef struct lab_flag {
  char word[128];
  size_t n_runs;
} lab_flag;

/* What the forces rest on. */
typedef struct lab_friction_sources {
  size_t n_calibrations, n_flags, n_without_force; /* runs without a kinetic force */
  cb_calibration *calibrations;                    /* owned */
  lab_flag *flags;                                 /* owned; how many runs carry each flag */
} lab_friction_sources;

typedef struct lab_friction {
  char cloth[64], body[64];
  lab_friction_force kinetic, stat;
  fit_verdict verdict;   /* of the kinetic forces */
  fit_speed speed;       /* of the kinetic force */
  bool has_tests;        /* false: the law came without what its fit said */
  double body_angle_deg; /* of all runs; NAN: not known */
  lab_pooled pooled;
  /* Of a fit made just now; of a law that was read n_runs is 0, and so is all of this. */
  size_t n_runs;       /* that the fit was given */
  size_t n_reduced;    /* pulls of the whole database that got a point */
  size_t n_other_body; /* runs left out: the body was turned otherwise */
  bool mixes_origins;  /* the fit failed: runs of several origins, of which `origin` chooses one */
  lab_friction_sources sources;
} lab_friction;

void lab_friction_clear(lab_friction *f);

/* ---- fit ---- */

/* Gives every finished pull of the database its point, fits the runs of the pair, and stores the kinetic law
 * and, where there is one, the static law, each with its verdicts. origin: only runs of that origin, or
 * LAB_ANY_ORIGIN. CB_OK without a stored law: out->kinetic.fit.outcome says why. CB_E_NOTFOUND: no such
 * material, or no runs. CB_E_RANGE: runs that do not go together. A failure leaves what was found so far in
 * out. Caller: lab_friction_clear, also after a failure. */
CB_CHECKED cb_status lab_friction_fit(cb_store *s, const char *cloth, const char *body, int origin,
                                      lab_friction *out, cb_err *err);

/* The same for every pair that has runs; on_pair sees each after its law was stored, or could not be fitted.
 * *n_laws: stored kinetic laws. */
CB_CHECKED cb_status lab_friction_fit_all(cb_store *s, int origin,
                                          void (*on_pair)(void *context, const lab_friction *f),
                                          void *context, size_t *n_laws, cb_err *err);

/* ---- laws ---- */

/* The newest stored law; where it is missing or older than the points, a fit in memory (law->id = 0). Reads
 * only. pooled (may be NULL): what a fit in memory pooled, also where no law of that kind came of it; caller:
 * lab_pooled_clear, also after a failure. */
CB_CHECKED cb_status lab_friction_law_find(cb_store *s, const char *cloth, const char *body,
                                           cb_friction_kind kind, cb_friction_law *law, lab_pooled *pooled,
                                           cb_err *err);

/* The newest stored laws of a pair with what their fits said. Caller: lab_friction_clear, also after a
 * failure. */
CB_CHECKED cb_status lab_friction_stored(cb_store *s, const char *cloth, const char *body, lab_friction *out,
                                         cb_err *err);

/* ---- steps ---- */

/* ---- documents: docs/json.md, `fit friction` ---- */

/* A stored law, and what its fit said, into f: both kinds one after the other, f from {0}. */
CB_CHECKED cb_status lab_friction_law_read(cb_store *s, const cb_friction_law *law, lab_friction *f,
                                           cb_err *err);
/* All of it: laws, verdicts, and of a fit made just now its sources. NULL: no memory. */
json_t *lab_friction_json(const lab_friction *f);

/* The hypothesis tests of a verdict, by their names in the documents. */
typedef struct lab_friction_test {
  const char *name;   /* "isotropy" */
  const char *effect; /* what fit_test.effect is: "fitted_anisotropy_percent" */
  size_t offset;      /* of the fit_test in fit_verdict */
} lab_friction_test;
#define LAB_FRICTION_TESTS 7
extern const lab_friction_test lab_friction_tests[LAB_FRICTION_TESTS];
const fit_test *lab_friction_test_of(const fit_verdict *v, int test);

#endif
