/* Air permeability of a cloth: from its tests in the store, by fit_permeability, to a law in the store; and
 * what stored laws say. docs/method/permeability.md has the method. Nothing here prints. */
#ifndef LAB_PERMEABILITY_H
#define LAB_PERMEABILITY_H

#include <jansson.h>

#include "cb_store.h"
#include "fit_permeability.h"

/* Permeability: the face velocity at a pressure. */
typedef struct lab_kappa {
  double pressure_Pa, kappa_m_per_s, u_m_per_s;
  double low_m_per_s, high_m_per_s; /* 95 % interval; NAN: unknown */
  bool inside_measured_range;
} lab_kappa;

/* One specimen of a fit. */
typedef struct lab_permeability_specimen {
  size_t points;
  double pressure_Pa; /* geometric mean of its points */
  lab_kappa at_100_Pa;
} lab_permeability_specimen;

/* The pressures reported: 100 and 200 Pa (ISO 9237), 125 Pa (ASTM D737), and one more: that of the tests'
 * standard, or of tests at one pressure. */
#define LAB_KAPPAS_MAX 4

/* A law with the results of its fit. Only material and fit.outcome are valid unless the outcome is
 * FIT_PERMEABILITY_OK. fit.specimens is NULL; see `specimens`. */
typedef struct lab_permeability {
  char material[64];
  fit_permeability_result fit;
  size_t n_tests;
  lab_kappa kappa[LAB_KAPPAS_MAX];
  size_t n_kappa;
  lab_permeability_specimen *specimens; /* owned; fit.n_specimens */
} lab_permeability;

/* Fits the tests of the cloth of that name (NULL: of every cloth that was tested) and stores the laws, in
 * one transaction. Another outcome than FIT_PERMEABILITY_OK is no error and stores nothing. specimen selects
 * the tests of one piece; NULL takes all. The caller calls lab_permeabilities_free on the n results. Errors:
 * CB_E_NOTFOUND without tests; CB_E_RANGE for real and virtual tests together. */
CB_CHECKED cb_status lab_permeability_fit_all(cb_store *s, const char *cloth, const char *specimen,
                                              lab_permeability **list, size_t *n, cb_err *err);
void lab_permeabilities_free(lab_permeability *list, size_t n);

/* Makes one element of `laws` of docs/reference/json, "fit permeability", which is stored and printed by
 * --json. Without a law it has the outcome. Returns NULL without memory. The caller calls json_decref. */
json_t *lab_permeability_json(const lab_permeability *r);

/* The law as in textbooks: dp = R v + S v^2, or v = c p^n. A term that the form of the law lacks is NAN. */
typedef struct lab_permeability_terms {
  double R_Pa_s_per_m, S_Pa_s2_per_m2, c_m_per_s, n;
} lab_permeability_terms;
lab_permeability_terms lab_permeability_terms_of(const cb_permeability_law *law);

/* ---- prediction ---- */

#define LAB_LAYERS_MAX 16

/* Several cloths in series. */
typedef struct lab_layers {
  cb_permeability_law law[LAB_LAYERS_MAX];
  int layers[LAB_LAYERS_MAX]; /* number of layers of each cloth */
  size_t n;
  bool paired; /* lab_layers_take_pair was here */
} lab_layers;

/* Adds layers of a cloth by a word: "Flannel" or "Flannel*3"; start from *out = {0}. Layers of a cloth that
 * is added again share its error. Errors: CB_E_ARG for any other word; CB_E_NOTFOUND without such a cloth or
 * law; CB_E_RANGE for real and virtual cloths together, or more than LAB_LAYERS_MAX cloths. */
CB_CHECKED cb_status lab_layers_add_word(cb_store *s, const char *word, lab_layers *out, cb_err *err);

/* Two layers of the same piece, or one of each cloth, were tested as the cloth `pair`: the laws of layers
 * then have what that says of this piece and of the contact, and predict it alone. Errors: CB_E_RANGE where
 * the cloths have not the same number of layers, or the pair is one of them; CB_E_NOTFOUND without its tests.
 */
CB_CHECKED cb_status lab_layers_take_pair(cb_store *s, const char *pair, lab_layers *layers, cb_err *err);

typedef struct lab_air_question {
  double pressure_Pa, velocity_m_per_s; /* one is given, the other is NAN */
  double thickness_m;      /* of all layers together, for the permeability in darcy; NAN: not given */
  double temperature_degC; /* of the air, likewise */
} lab_air_question;

typedef struct lab_air_answer {
  cb_permeability_value v;
  double velocity_factor, pressure_factor; /* 95 % interval: value / factor to value x factor */
  double piece_factor;                     /* likewise, for the velocity through a single piece */
  double darcy;                            /* NAN without a thickness */
} lab_air_answer;

/* Predicts velocity or pressure of the layers in series. */
lab_air_answer lab_air_predict(const lab_layers *layers, const lab_air_question *q);
/* Makes the document of docs/reference/json, "predict permeability". Returns NULL without memory. The
 * caller calls json_decref. */
json_t *lab_air_answer_json(const lab_layers *layers, const lab_air_answer *a);

#endif
