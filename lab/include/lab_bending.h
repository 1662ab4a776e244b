/* Bending of a cloth: from its tests in the store, by fit_bending, to a law in the store; and what a stored
 * law says. docs/method/bending.md has the method. Nothing here prints. */
#ifndef LAB_BENDING_H
#define LAB_BENDING_H

#include <jansson.h>

#include "cb_store.h"
#include "fit_bending.h"
#include "lab_friction.h" /* LAB_ANY_ORIGIN */

typedef struct lab_bending_request {
  const char *cloth;
  int origin; /* a cb_origin, to use only its tests; or LAB_ANY_ORIGIN */
  int test;   /* CB_TEST_CANTILEVER, CB_TEST_BENDING_MOMENT or CB_TEST_BUCKLING, to use only these; -1: all */
  double areal_density_kg_per_m2; /* for cantilevers whose table lacks it; 0: that of the cloth */
  double u_rel_areal_density;     /* relative standard uncertainty of areal_density_kg_per_m2 */
} lab_bending_request;

typedef enum lab_bending_source {
  LAB_BENDING_FITTED,   /* by lab_bending_fit, in this database or another */
  LAB_BENDING_DRAPES,   /* from drapes; lab_drape_stored reads the rest */
  LAB_BENDING_IMPORTED, /* as a whole, from a table of another program */
} lab_bending_source;

/* A law of bending with what its fit found. Only FITTED laws have more than cloth, law_id and fit.law. A law
 * read from the store lacks fit.n_tests, and its counts of tests are those of tests left out. */
typedef struct lab_bending {
  char cloth[64];
  int64_t law_id; /* row in the store; 0: not stored */
  lab_bending_source source;
  cb_test_kind test; /* of the first test */
  fit_bending_result fit;
} lab_bending;

/* Fits the tests, and stores the law if out->fit.outcome is FIT_BENDING_OK. Another outcome is no error and
 * stores nothing. Errors: CB_E_NOTFOUND without such a cloth or tests; CB_E_RANGE for tests that cannot be
 * fitted together; those of the store. */
CB_CHECKED cb_status lab_bending_fit(cb_store *s, const lab_bending_request *q, lab_bending *out,
                                     cb_err *err);

/* Reads the newest law of the cloth with what its fit found. Error: CB_E_NOTFOUND without a law. */
CB_CHECKED cb_status lab_bending_stored(cb_store *s, const char *cloth, lab_bending *out, cb_err *err);

/* Makes the document of docs/reference/json, "fit bending", which is stored and printed by --json. It has
 * law_id if that is not 0. Without a law it has the outcome and what was left out; from LAB_BENDING_DRAPES,
 * the law alone. Returns NULL without memory. The caller calls json_decref. */
json_t *lab_bending_json(const lab_bending *b);

/* ---- prediction ---- */

typedef struct lab_bending_question {
  const char *cloth;
  double angle_deg;               /* of the strip from the warp; any number */
  double curvature_per_m;         /* NAN: that of the overhanging strip, else one at which the law holds */
  double overhang_m;              /* length of a strip that hangs; NAN: none */
  double areal_density_kg_per_m2; /* for the overhang; NAN: that of the cloth */
} lab_bending_question;

typedef struct lab_bending_answer {
  cb_bending_law law;
  cb_origin origin;
  cb_bending_value value;
  double u95_B_Nm;               /* half-width of the 95 % interval; NAN: unknown */
  double curvature_per_m;        /* of the value; NAN: the law is a table, without a curvature */
  double chord_deg, u_chord_deg; /* of the overhang, below the horizontal; NAN: not asked */
} lab_bending_answer;

/* Predicts from the newest law. Errors: CB_E_NOTFOUND without cloth, law or areal density; CB_E_RANGE for a
 * strip so long that it hangs straight down. */
CB_CHECKED cb_status lab_bending_predict(cb_store *s, const lab_bending_question *q, lab_bending_answer *a,
                                         cb_err *err);
/* Makes the document of docs/reference/json, "predict bending". Returns NULL without memory. The caller
 * calls json_decref. */
json_t *lab_bending_answer_json(const lab_bending_question *q, const lab_bending_answer *a);

#endif
