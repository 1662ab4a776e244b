/* Bending of a cloth: its tests in the store -> fit_bending -> a law in the store, and back. */
#ifndef LAB_BENDING_H
#define LAB_BENDING_H

#include <jansson.h>

#include "cb_store.h"
#include "fit_bending.h"
#include "lab_friction.h" /* LAB_ANY_ORIGIN */

typedef struct lab_bending_request {
  const char *cloth;
  int origin;                     /* only tests of that cb_origin, or LAB_ANY_ORIGIN */
  int test;                       /* only CB_TEST_CANTILEVER or CB_TEST_BENDING_MOMENT; -1: either */
  double areal_density_kg_per_m2; /* of cantilevers whose table does not give it; 0: the cloth's */
  double u_rel_areal_density;
} lab_bending_request;

typedef enum lab_bending_source {
  LAB_BENDING_FITTED,   /* by lab_bending_fit, here or in the database that it came from */
  LAB_BENDING_DRAPES,   /* from drapes: lab_drape_stored has the rest */
  LAB_BENDING_IMPORTED, /* whole, as a table of another program */
} lab_bending_source;

/* All but cloth, law_id and fit.law only where FITTED. From a text, fit lacks what the document does not
 * hold: n_tests, and the counts of tests are those of left_out. */
typedef struct lab_bending {
  char cloth[64];
  int64_t law_id; /* row in the store; 0: none */
  lab_bending_source source;
  cb_test_kind test; /* of the first test */
  fit_bending_result fit;
} lab_bending;

/* Fits, and stores the law where out->fit.outcome is FIT_BENDING_OK; any other outcome is no error, and
 * stores nothing. CB_E_NOTFOUND: no such cloth or no such tests. CB_E_RANGE: tests that cannot be fitted
 * together. */
CB_CHECKED cb_status lab_bending_fit(cb_store *s, const lab_bending_request *q, lab_bending *out,
                                     cb_err *err);

/* The newest law of the cloth with what its fit said. */
CB_CHECKED cb_status lab_bending_stored(cb_store *s, const char *cloth, lab_bending *out, cb_err *err);

/* The document of docs/json.md, "fit bending": of the column and of --json. law_id is in it where it is not
 * 0; without a law it is the outcome and what was left out. LAB_BENDING_DRAPES: the law alone. NULL: no
 * memory. Caller: json_decref. */
json_t *lab_bending_json(const lab_bending *b);

/* ---- what a law says ---- */

typedef struct lab_bending_question {
  const char *cloth;
  double angle_deg;               /* of the strip, 0 = warp; any number */
  double curvature_per_m;         /* NAN: that of the overhang, else where the law holds */
  double overhang_m;              /* of a strip that hangs; NAN: none */
  double areal_density_kg_per_m2; /* for that; NAN: the cloth's */
} lab_bending_question;

typedef struct lab_bending_answer {
  cb_bending_law law;
  cb_origin origin;
  cb_bending_value value;
  double u95_B_Nm;               /* half-width of the interval that covers 95 %; NAN: not known */
  double curvature_per_m;        /* of the value; NAN: of a table, which holds at none */
  double chord_deg, u_chord_deg; /* of the overhang below the horizontal; NAN: not asked */
} lab_bending_answer;

/* CB_E_NOTFOUND: no such cloth or law, or the areal density is not known. CB_E_RANGE: so long a strip hangs
 * straight down. */
CB_CHECKED cb_status lab_bending_predict(cb_store *s, const lab_bending_question *q, lab_bending_answer *a,
                                         cb_err *err);
/* docs/json.md, "predict bending". NULL: no memory. Caller: json_decref. */
json_t *lab_bending_answer_json(const lab_bending_question *q, const lab_bending_answer *a);

#endif
