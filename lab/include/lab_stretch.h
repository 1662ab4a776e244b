/* Stretch of a cloth: its tests in the store -> fit_stretch -> a law in the store, and back. */
#ifndef LAB_STRETCH_H
#define LAB_STRETCH_H

#include <jansson.h>

#include "cb_store.h"
#include "fit_stretch.h"
#include "lab_friction.h" /* LAB_ANY_ORIGIN */

typedef struct lab_stretch_request {
  const char *cloth;
  int origin; /* only tests of that cb_origin, or LAB_ANY_ORIGIN */
  fit_stretch_options opt;
} lab_stretch_request;

/* One test and what became of it. */
typedef struct lab_stretch_test {
  int64_t test_id;
  char specimen[64];
  double direction_deg; /* NAN: not known */
  int repeat;
  fit_stretch_part part;
} lab_stretch_test;

/* A reading that was left out. */
typedef struct lab_stretch_outlier {
  int64_t test_id;
  size_t point; /* of the test, from 1 */
  double displacement_m, force_N, residual_N;
  double times; /* the scatter around there */
} lab_stretch_outlier;

typedef struct lab_stretch {
  fit_stretch_outcome outcome; /* all else only where FIT_STRETCH_OK, but the name of the cloth */
  bool fitted;                 /* false: the law was imported whole, and is all there is */
  int64_t law_id;              /* of the law that lab_stretch_fit stored; else 0 */
  cb_stretch_law law;
  double moduli_strain;            /* at which these are given */
  cb_stretch_moduli tensor, strip; /* of the law */
  lab_stretch_test *tests;         /* owned */
  size_t n_tests;
  lab_stretch_outlier *outliers; /* owned */
  size_t n_outliers;
} lab_stretch;

/* Fits, and stores the law where out->outcome is FIT_STRETCH_OK; any other outcome is no error, and stores
 * nothing. CB_E_NOTFOUND: no such cloth or no such tests. CB_E_RANGE: tests that cannot be fitted together.
 * Caller: lab_stretch_clear, also after a failure. */
CB_CHECKED cb_status lab_stretch_fit(cb_store *s, const lab_stretch_request *q, lab_stretch *out,
                                     cb_err *err);

/* The newest law of the cloth with what its fit said; law.id is its row. Caller: lab_stretch_clear, also
 * after a failure. */
CB_CHECKED cb_status lab_stretch_stored(cb_store *s, const char *cloth, lab_stretch *out, cb_err *err);
void lab_stretch_clear(lab_stretch *r);

/* The document of docs/json.md, "fit stretch": of the column and of --json. law_id is in it where it is not
 * 0; without a law it is the outcome. NULL: no memory. Caller: json_decref. */
json_t *lab_stretch_json(const lab_stretch *r);

/* ---- what a law says ---- */

typedef struct lab_stretch_question {
  const char *cloth;
  double angle_deg;             /* of the strip in the cloth, 0 = warp */
  double strain, force_N_per_m; /* one of them; the other NAN */
} lab_stretch_question;

typedef struct lab_stretch_answer {
  cb_stretch_law law;
  double strain, u_strain; /* strain NAN: the force is not reached; u NAN: the strain was given */
  cb_stretch_value value;  /* basis CB_STRETCH_BY_NOTHING: the law does not state that direction */
  double u95_N_per_m;      /* half-width of the interval that covers 95 % */
} lab_stretch_answer;

/* CB_E_NOTFOUND: no such cloth or law. */
CB_CHECKED cb_status lab_stretch_predict(cb_store *s, const lab_stretch_question *q, lab_stretch_answer *a,
                                         cb_err *err);
/* docs/json.md, "predict stretch", of an answer with a strain and a basis. NULL: no memory. Caller:
 * json_decref. */
json_t *lab_stretch_answer_json(const lab_stretch_question *q, const lab_stretch_answer *a);

#endif
