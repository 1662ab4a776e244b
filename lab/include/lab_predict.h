/* The friction force of a pair at any angle and load, with its uncertainty. Reads only. Nothing here
   prints. */
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
  double angle_deg;       /* of sliding in the cloth, 0 = warp; any number */
  double normal_force_N;  /* >= 0 */
  double contact_area_m2; /* 0: that of the measurement */
  bool wants_budget;      /* where the uncertainty comes from */
  bool wants_draws;       /* laws drawn at random, against the linear propagation */
  uint64_t seed;          /* of the draws */
} lab_question;

typedef struct lab_answer {
  cb_friction_law law; /* on the area asked for; id 0: fitted just now, as no stored law covers all runs */
  cb_friction_value value; /* force with its standard uncertainty */
  double u95_force_N;      /* half-width of the interval that covers 95 % */
  double mu;               /* force over load; NAN under none */
  lab_force_budget budget; /* where it was wanted */
  fit_monte_carlo draws;   /* where they were wanted */
  lab_pooled pooled;       /* by a law that was fitted just now */
} lab_answer;

/* CB_E_NOTFOUND: no such material, or no law and no runs to fit one to. Caller: lab_answer_clear, also after
 * a failure. */
CB_CHECKED cb_status lab_friction_predict(cb_store *s, const lab_question *q, lab_answer *a, cb_err *err);
void lab_answer_clear(lab_answer *a);

/* docs/json.md, `predict friction`. NULL: no memory. */
json_t *lab_answer_json(const lab_question *q, const lab_answer *a);

/* ---- cloth on cloth ---- */

typedef struct lab_self_question {
  const char *cloth, *body;
  double angle_deg, body_angle_deg; /* of sliding in either cloth, 0 = warp; any numbers */
  double normal_force_N;            /* >= 0 */
  double contact_area_m2;           /* 0: that of the measurement */
} lab_self_question;

typedef struct lab_self_answer {
  cb_self_friction_law law; /* on the area asked for */
  cb_friction_value value;
  double u95_force_N, mu; /* as above */
} lab_self_answer;

/* By the newest stored law; CB_E_NOTFOUND: there is none. */
CB_CHECKED cb_status lab_self_friction_predict(cb_store *s, const lab_self_question *q, lab_self_answer *a,
                                               cb_err *err);
/* docs/json.md, `predict self-friction`. NULL: no memory. */
json_t *lab_self_answer_json(const lab_self_question *q, const lab_self_answer *a);

#endif
