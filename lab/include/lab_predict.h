/* Prediction of the friction force of a pair at any angle and load, with its uncertainty. It only reads.
 * Nothing here prints. */
#ifndef LAB_PREDICT_H
#define LAB_PREDICT_H

#include <jansson.h>

#include "cb_store.h"
#include "fit_monte_carlo.h"
#include "lab_budget.h"
#include "lab_pooled.h"
#include "lab_self_friction.h"

typedef struct lab_question {
  const char *cloth, *body;
  cb_friction_kind kind;
  double angle_deg;       /* direction of sliding, from the warp; any number */
  double normal_force_N;  /* >= 0 */
  double contact_area_m2; /* 0: that of the measurements */
  bool wants_budget;      /* fills answer.budget */
  bool wants_draws;       /* fills answer.draws: a Monte Carlo check of the linear propagation */
  uint64_t seed;          /* of the draws */
} lab_question;

typedef struct lab_answer {
  cb_friction_law law;     /* on the area asked for; id 0: fitted in memory, as runs are newer */
  cb_friction_value value; /* force with its standard uncertainty */
  double u95_force_N;      /* half-width of the 95 % interval */
  double mu;               /* force over load; NAN without load */
  lab_force_budget budget; /* if wanted */
  fit_monte_carlo draws;   /* if wanted */
  lab_pooled pooled;       /* if the law was fitted in memory */
} lab_answer;

/* Predicts a force. The caller calls lab_answer_clear, even after an error. Error: CB_E_NOTFOUND without
 * such a material, or without a law and runs. */
CB_CHECKED cb_status lab_friction_predict(cb_store *s, const lab_question *q, lab_answer *a, cb_err *err);
void lab_answer_clear(lab_answer *a);

/* Makes the document of docs/reference/json, `predict friction`. Returns NULL without memory. The caller
 * calls json_decref. */
json_t *lab_answer_json(const lab_question *q, const lab_answer *a);

/* ---- cloth on cloth ---- */

typedef struct lab_self_question {
  const char *cloth, *body;
  double angle_deg, body_angle_deg; /* direction of sliding in either cloth, from its warp; any numbers */
  double normal_force_N;            /* >= 0 */
  double contact_area_m2;           /* 0: that of the measurement */
} lab_self_question;

typedef struct lab_self_answer {
  cb_self_friction_law law; /* on the area asked for */
  cb_friction_value value;
  double u95_force_N, mu; /* as in lab_answer */
} lab_self_answer;

/* Predicts a force by the newest stored law. Error: CB_E_NOTFOUND without a law. */
CB_CHECKED cb_status lab_self_friction_predict(cb_store *s, const lab_self_question *q, lab_self_answer *a,
                                               cb_err *err);
/* Makes the document of docs/reference/json, `predict self-friction`. Returns NULL without memory. The
 * caller calls json_decref. */
json_t *lab_self_answer_json(const lab_self_question *q, const lab_self_answer *a);

#endif
