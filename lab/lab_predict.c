#include "lab_predict.h"

#include <math.h>

#include "cb_num.h"
#include "cb_stats.h"
#include "lab_friction.h"

void lab_answer_clear(lab_answer *a) {
  lab_pooled_clear(&a->pooled);
  *a = (lab_answer){.mu = NAN};
}

cb_status lab_friction_predict(cb_store *s, const lab_question *q, lab_answer *a, cb_err *err) {
  /* A direction has no sign; the remainder also keeps huge angles exact. */
  double angle_rad = remainder(q->angle_deg, 180) * CB_DEG, N = q->normal_force_N;
  *a = (lab_answer){.mu = NAN};
  CB_TRY(lab_friction_law_find(s, q->cloth, q->body, q->kind, &a->law, &a->pooled, err));
  if (q->contact_area_m2 > 0) a->law = cb_friction_law_on_area(&a->law, q->contact_area_m2);
  cb_friction_law_eval(&a->law, angle_rad, N, &a->value);
  a->u95_force_N = cb_student_t(0.95, a->value.dof) * a->value.u_force_N;
  if (N > 0) a->mu = a->value.force_N / N;
  if (q->wants_budget) CB_TRY(lab_force_budget_make(s, &a->law, angle_rad, N, &a->budget, err));
  return q->wants_draws ? fit_monte_carlo_force(&a->law, angle_rad, N, q->seed, &a->draws, err) : CB_OK;
}
