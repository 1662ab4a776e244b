#include "lab_predict.h"

#include <math.h>

#include "cb_json.h"
#include "cb_num.h"
#include "cb_stats.h"
#include "lab_friction.h"
#include "lab_budget_parts.h"
#include "lab_self_friction_parts.h"

void lab_answer_clear(lab_answer *a) {
  lab_pooled_clear(&a->pooled);
  *a = (lab_answer){.mu = NAN};
}

cb_status lab_friction_predict(cb_store *s, const lab_question *q, lab_answer *a, cb_err *err) {
  double angle_rad = cb_direction_rad(q->angle_deg), N = q->normal_force_N;
  *a = (lab_answer){.mu = NAN};
  CB_TRY(lab_friction_law_find(s, q->cloth, q->body, q->kind, &a->law, &a->pooled, err));
  if (q->contact_area_m2 > 0) a->law = cb_friction_law_on_area(&a->law, q->contact_area_m2);
  cb_friction_law_eval(&a->law, angle_rad, N, &a->value);
  a->u95_force_N = cb_student_t(0.95, a->value.dof) * a->value.u_force_N;
  if (N > 0) a->mu = a->value.force_N / N;
  if (q->wants_budget) CB_TRY(lab_force_budget_make(s, &a->law, angle_rad, N, &a->budget, err));
  return q->wants_draws ? fit_monte_carlo_force(&a->law, angle_rad, N, q->seed, &a->draws, err) : CB_OK;
}

static json_t *draws_json(const fit_monte_carlo *m, uint64_t seed) {
  return json_pack("{s:s, s:I, s:I, s:f, s:f, s:[f,f], s:[f,f], s:f, s:[f,f], s:f, s:f, s:f, s:i, s:b}",
                   "outcome", fit_mc_outcome_text[m->outcome], "draws", (json_int_t)m->draws, "seed",
                   (json_int_t)seed, "mean_N", m->mean_N, "u_N", m->u_N, "interval_N", m->low_N, m->high_N,
                   "shortest_interval_N", m->shortest_low_N, m->shortest_high_N, "interval_doubt_N",
                   m->doubt_N, "linear_interval_N", m->linear_low_N, m->linear_high_N, "d_low_N", m->d_low_N,
                   "d_high_N", m->d_high_N, "tolerance_N", m->tolerance_N[FIT_MC_DIGITS - 1],
                   "agreeing_digits", m->digits, "agrees", m->digits == FIT_MC_DIGITS);
}

json_t *lab_answer_json(const lab_question *q, const lab_answer *a) {
  const cb_friction_law *law = &a->law;
  const cb_friction_value *v = &a->value;
  return json_pack("{s:s, s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:o, s:f, s:b, s:s, s:s, s:o, s:o, s:o}",
                   "cloth", law->cloth, "body", law->body, "kind", cb_friction_kind_names[law->kind],
                   "angle_deg", q->angle_deg, "normal_force_N", q->normal_force_N, "contact_area_m2",
                   law->contact_area_m2, "force_N", v->force_N, "u_force_N", v->u_force_N, "u95_force_N",
                   a->u95_force_N, "mu", cb_json_real(a->mu), "dof", fmin(v->dof, 1e9),
                   "inside_measured_range", v->inside_measured_range, "origin", cb_origin_names[law->origin],
                   "model", cb_friction_model_names[law->model], "speed_m_per_s",
                   cb_json_real(law->speed_m_per_s), "budget",
                   q->wants_budget ? lab_force_budget_json(&a->budget) : json_null(), "monte_carlo",
                   q->wants_draws ? draws_json(&a->draws, q->seed) : json_null());
}

/* ---- cloth on cloth ---- */

cb_status lab_self_friction_predict(cb_store *s, const lab_self_question *q, lab_self_answer *a,
                                    cb_err *err) {
  double N = q->normal_force_N;
  *a = (lab_self_answer){.mu = NAN};
  CB_TRY(lab_self_friction_law_find(s, q->cloth, q->body, &a->law, err));
  if (q->contact_area_m2 > 0) a->law = cb_self_friction_law_on_area(&a->law, q->contact_area_m2);
  cb_self_friction_eval(&a->law, cb_direction_rad(q->angle_deg), cb_direction_rad(q->body_angle_deg), N,
                        &a->value);
  a->u95_force_N = cb_student_t(0.95, a->value.dof) * a->value.u_force_N;
  if (N > 0) a->mu = a->value.force_N / N;
  return CB_OK;
}

json_t *lab_self_answer_json(const lab_self_question *q, const lab_self_answer *a) {
  const cb_self_friction_law *law = &a->law;
  const cb_friction_value *v = &a->value;
  return json_pack(
      "{s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:o, s:f, s:b, s:s, s:s, s:s, s:o}", "cloth", law->cloth,
      "body", law->body, "angle_deg", q->angle_deg, "body_angle_deg", q->body_angle_deg, "normal_force_N",
      q->normal_force_N, "contact_area_m2", law->contact_area_m2, "force_N", v->force_N, "u_force_N",
      v->u_force_N, "u95_force_N", a->u95_force_N, "mu", cb_json_real(a->mu), "dof", fmin(v->dof, 1e9),
      "inside_measured_range", v->inside_measured_range, "origin", cb_origin_names[law->origin], "rule",
      cb_self_rule_names[law->form.rule], "exponent_from", cb_self_exponent_names[law->exponent_from],
      "speed_m_per_s", cb_json_real(law->speed_m_per_s));
}
