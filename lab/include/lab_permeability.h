/* Air through cloth: its tests in the store -> fit_permeability -> a law in the store, and back. */
#ifndef LAB_PERMEABILITY_H
#define LAB_PERMEABILITY_H

#include <jansson.h>

#include "cb_store.h"
#include "fit_permeability.h"

/* Permeability at a pressure: the face velocity there. */
typedef struct lab_kappa {
  double pressure_Pa, kappa_m_per_s, u_m_per_s;
  double low_m_per_s, high_m_per_s; /* 95 %; NAN: no limit is known */
  bool inside_measured_range;
} lab_kappa;

typedef struct lab_permeability_specimen {
  size_t points;
  double pressure_Pa; /* of its points, geometric mean */
  lab_kappa at_100_Pa;
} lab_permeability_specimen;

/* ISO 9237's 100 and 200 Pa, ASTM D737's 125 Pa; one more of the standard of the tests, or of tests at one
 * pressure. */
#define LAB_KAPPAS_MAX 4

/* All but name and outcome only where FIT_PERMEABILITY_OK. fit.specimens is NULL: `specimens` has them. */
typedef struct lab_permeability {
  char material[64];
  fit_permeability_result fit;
  size_t n_tests;
  lab_kappa kappa[LAB_KAPPAS_MAX];
  size_t n_kappa;
  lab_permeability_specimen *specimens; /* owned; fit.n_specimens */
} lab_permeability;

/* The same for the cloth of that name (NULL: every cloth that was tested), in one transaction. CB_E_NOTFOUND:
 * nothing was tested. Caller: lab_permeabilities_free. */
CB_CHECKED cb_status lab_permeability_fit_all(cb_store *s, const char *cloth, const char *specimen,
                                              lab_permeability **list, size_t *n, cb_err *err);
void lab_permeabilities_free(lab_permeability *list, size_t n);

/* One of `laws` of docs/json.md, "fit permeability": of the column and of --json; without a law it is the
 * outcome. NULL: no memory. Caller: json_decref. */
json_t *lab_permeability_json(const lab_permeability *r);

/* R, S, c and n as textbooks write the law; NAN where its form has none. */
typedef struct lab_permeability_terms {
  double R_Pa_s_per_m, S_Pa_s2_per_m2, c_m_per_s, n;
} lab_permeability_terms;
lab_permeability_terms lab_permeability_terms_of(const cb_permeability_law *law);

/* ---- what laws say ---- */

#define LAB_LAYERS_MAX 16

/* Cloths in series. */
typedef struct lab_layers {
  cb_permeability_law law[LAB_LAYERS_MAX];
  int layers[LAB_LAYERS_MAX]; /* of each */
  size_t n;
} lab_layers;

/* Adds layers of a cloth by a word: "Flannel" or "Flannel*3". A cloth that is named twice is one law with
 * more layers: its error is the same in all of them. layers starts as {0}. CB_E_ARG: the word is neither.
 * CB_E_NOTFOUND: no such cloth or law. CB_E_RANGE: real and virtual cloths do not mix; more than
 * LAB_LAYERS_MAX cloths. */
CB_CHECKED cb_status lab_layers_add_word(cb_store *s, const char *word, lab_layers *out, cb_err *err);

typedef struct lab_air_question {
  double pressure_Pa, velocity_m_per_s; /* one of them; the other NAN */
  double thickness_m;                   /* of all layers, for the permeability in darcy; NAN: not given */
  double temperature_degC;              /* of the air, for the same */
} lab_air_question;

typedef struct lab_air_answer {
  cb_permeability_value v;
  double velocity_factor, pressure_factor; /* 95 %: either way */
  double piece_factor;                     /* of the velocity, of single pieces */
  double darcy;                            /* NAN: the thickness was not given */
} lab_air_answer;

lab_air_answer lab_air_predict(const lab_layers *layers, const lab_air_question *q);
/* docs/json.md, "predict permeability". NULL: no memory. Caller: json_decref. */
json_t *lab_air_answer_json(const lab_layers *layers, const lab_air_answer *a);

#endif
