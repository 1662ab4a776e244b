/* Stretch of a cloth: from its tests in the store, by fit_stretch, to a law in the store; and what a stored
 * law says. docs/method/stretch.md has the method. Nothing here prints. */
#ifndef LAB_STRETCH_H
#define LAB_STRETCH_H

#include <jansson.h>

#include "cb_store.h"
#include "fit_stretch.h"
#include "lab_friction.h" /* LAB_ANY_ORIGIN */

typedef struct lab_stretch_request {
  const char *cloth;
  int origin; /* a cb_origin, to use only its tests; or LAB_ANY_ORIGIN */
  fit_stretch_options opt;
} lab_stretch_request;

/* One test and its part in the fit. */
typedef struct lab_stretch_test {
  int64_t test_id;
  char specimen[64];
  double direction_deg; /* NAN: unknown */
  int repeat;
  fit_stretch_part part;
} lab_stretch_test;

/* A reading that the fit left out. */
typedef struct lab_stretch_outlier {
  int64_t test_id;
  size_t point; /* number in the test, from 1 */
  double displacement_m, force_N, residual_N;
  double times; /* residual over the local scatter */
} lab_stretch_outlier;

typedef struct lab_stretch {
  fit_stretch_outcome outcome; /* unless FIT_STRETCH_OK, only the name of the cloth is valid beside it */
  bool fitted;                 /* false: the law was imported as a whole, and nothing else is valid */
  int64_t law_id;              /* row that lab_stretch_fit stored; else 0 */
  cb_stretch_law law;
  double moduli_strain;            /* strain of the moduli below */
  cb_stretch_moduli tensor, strip; /* moduli of the law */
  lab_stretch_test *tests;         /* owned */
  size_t n_tests;
  lab_stretch_outlier *outliers; /* owned */
  size_t n_outliers;
  fit_test first;     /* fit_stretch_result.first */
  size_t shear_tests; /* that made the curve at 45 degrees; 0: a strip did, or there is none */
  double shear_N_per_m, u_shear_N_per_m; /* their G, per radian */
} lab_stretch;

/* Fits the tests, with G of the cloth's shear tests where no strip near 45 degrees was tested, and stores the
 * law if out->outcome is FIT_STRETCH_OK. Another outcome is no error and stores nothing. The caller calls
 * lab_stretch_clear, even after an error. Errors: CB_E_NOTFOUND without such a cloth or tests; CB_E_RANGE for
 * tests that cannot be fitted together. */
CB_CHECKED cb_status lab_stretch_fit(cb_store *s, const lab_stretch_request *q, lab_stretch *out,
                                     cb_err *err);

/* Reads the newest law of the cloth with the results of its fit; law.id is its row. The caller calls
 * lab_stretch_clear, even after an error. Error: CB_E_NOTFOUND without a law. */
CB_CHECKED cb_status lab_stretch_stored(cb_store *s, const char *cloth, lab_stretch *out, cb_err *err);
void lab_stretch_clear(lab_stretch *r);

/* Makes the document of docs/reference/json, "fit stretch", which is stored and printed by --json. It has
 * law_id if that is not 0. Without a law it has the outcome. Returns NULL without memory. The caller calls
 * json_decref. */
json_t *lab_stretch_json(const lab_stretch *r);

/* No test is the first of its piece (repeat 1): the law is not of fresh cloth. */
bool lab_stretch_pulled_before(const lab_stretch *r);
/* Pieces of cloth behind the curve of a direction; a test that does not name its piece has one of its own. */
size_t lab_stretch_pieces(const lab_stretch *r, double angle_deg);

/* ---- prediction ---- */

typedef struct lab_stretch_question {
  const char *cloth;
  double angle_deg;             /* of the strip, from the warp */
  double strain, force_N_per_m; /* one is given, the other is NAN */
} lab_stretch_question;

typedef struct lab_stretch_answer {
  cb_stretch_law law;
  double strain, u_strain; /* strain NAN: the force is not reached; u_strain NAN: the strain was given */
  cb_stretch_value value;  /* basis CB_STRETCH_BY_NOTHING: the law lacks this direction */
  double u95_N_per_m;      /* half-width of the 95 % interval */
} lab_stretch_answer;

/* Predicts from the newest law. Error: CB_E_NOTFOUND without such a cloth or law. */
CB_CHECKED cb_status lab_stretch_predict(cb_store *s, const lab_stretch_question *q, lab_stretch_answer *a,
                                         cb_err *err);
/* Makes the document of docs/reference/json, "predict stretch", for an answer with a strain and a basis.
 * Returns NULL without memory. The caller calls json_decref. */
json_t *lab_stretch_answer_json(const lab_stretch_question *q, const lab_stretch_answer *a);

#endif
