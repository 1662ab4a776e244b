#include "lab_self_friction_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_json.h"
#include "cb_store_self_friction.h"
#include "cb_law_json.h"
#include "law.h"
#include "cb_num.h"
#include "lab_friction_parts.h"
#include "lab_pooled_impl.h"

#define SAME_SPEED 1.02 /* speeds this close are one, as in fit_friction */

void lab_self_friction_clear(lab_self_friction *f) {
  lab_pooled_clear(&f->pooled);
  *f = (lab_self_friction){.n_points = 0};
}

/* ---- the runs ---- */

typedef struct pulls {
  const char *cloth, *body;
  cb_friction_obs *obs; /* owned */
  size_t n;
} pulls;

static void keep_origin(pulls *p, int origin) {
  size_t kept = 0;
  for (size_t i = 0; i < p->n; i++)
    if (origin == LAB_ANY_ORIGIN || (int)p->obs[i].run.origin == origin) p->obs[kept++] = p->obs[i];
  p->n = kept;
}

static bool same_speed(const cb_run *a, const cb_run *b) {
  double low = fmin(a->speed_m_per_s, b->speed_m_per_s), high = fmax(a->speed_m_per_s, b->speed_m_per_s);
  return high <= SAME_SPEED * low || high == low;
}

/* Those that can say something: both angles, and a force. */
static void keep_usable(pulls *p, lab_self_friction *out) {
  size_t kept = 0;
  for (size_t i = 0; i < p->n; i++) {
    bool known = isfinite(p->obs[i].run.body_angle_deg), force = p->obs[i].point.kinetic_N > 0;
    out->n_unknown += !known;
    out->n_without += known && !force;
    if (known && force) p->obs[kept++] = p->obs[i];
  }
  p->n = cb_friction_obs_keep_most(p->obs, kept, same_speed);
  out->n_other_speed = kept - p->n;
  out->n_points = p->n;
}

static cb_status check_alike(const cb_store *s, const pulls *p, cb_err *err) {
  const cb_run *first = &p->obs[0].run;
  for (size_t i = 1; i < p->n; i++) {
    const cb_run *r = &p->obs[i].run;
    if (r->origin != first->origin)
      return cb_fail(err, CB_E_RANGE,
                     "%s: runs of '%s' on '%s' are %s and %s: a law comes from one of them, --origin "
                     "measured, imported or virtual "
                     "chooses",
                     cb_store_path(s), p->cloth, p->body, cb_origin_names[first->origin],
                     cb_origin_names[r->origin]);
    if (fabs(r->contact_area_m2 / first->contact_area_m2 - 1) > 1e-6)
      return cb_fail(
          err, CB_E_RANGE, "%s: runs of '%s' on '%s' were made on %g and %g cm2: one contact area was wanted",
          cb_store_path(s), p->cloth, p->body, 1e4 * first->contact_area_m2, 1e4 * r->contact_area_m2);
  }
  return CB_OK;
}

static cb_status gather_pulls(cb_store *s, int origin, pulls *p, lab_self_friction *out, cb_err *err) {
  cb_material cloth, body;
  CB_TRY(cb_store_material_find(s, CB_CLOTH, p->cloth, &cloth, err));
  CB_TRY(cb_store_material_find(s, CB_BODY, p->body, &body, err));
  CB_TRY(lab_friction_reduce(s, 0, &out->n_reduced, err));
  CB_TRY(lab_friction_observations(s, cloth.id, body.id, &p->obs, &p->n, err));
  keep_origin(p, origin);
  keep_usable(p, out);
  if (p->n > 0) return check_alike(s, p, err);
  const char *word = origin == LAB_ANY_ORIGIN ? "" : cb_origin_names[origin];
  return cb_fail(err, CB_E_NOTFOUND,
                 "%s: there are no finished %s%sruns of '%s' on '%s' with the body's angle known: "
                 "body_angles_deg in a campaign file, or "
                 "the column body_angle_deg of 'import friction', says it",
                 cb_store_path(s), word, word[0] ? " " : "", p->cloth, p->body);
}

/* ---- the fit ---- */

/* Where the pulls were made under one load: the slope of the pair's own law there, or 1. */
static cb_status choose_exponent(cb_store *s, const pulls *p, fit_self_options *opt, cb_err *err) {
  cb_friction_law law;
  double N = p->obs[0].run.normal_force_N, low[3], high[3];
  opt->exponent = 1;
  opt->u_exponent = FIT_SELF_U_EXPONENT;
  opt->exponent_from = CB_SELF_EXPONENT_ASSUMED;
  cb_status st = cb_store_law_find(s, p->cloth, p->body, CB_FRICTION_KINETIC, &law, err);
  if (st == CB_E_NOTFOUND) return CB_OK;
  CB_TRY(st);
  if (law.n_knots < 2 || cb_origin_is_real(law.origin) != cb_origin_is_real(p->obs[0].run.origin))
    return CB_OK;
  cb_friction_law_matrix(&law, N / 1.1, low);
  cb_friction_law_matrix(&law, N * 1.1, high);
  opt->exponent = log((high[0] + high[2]) / (low[0] + low[2])) / (2 * log(1.1));
  opt->u_exponent = cb_friction_law_u_exponent(&law, 1);
  opt->exponent_from = CB_SELF_EXPONENT_PAIR;
  return CB_OK;
}

/* What all forces share: the calibration, and the cart, which is under every load. */
static void add_shared(const pulls *p, cb_self_friction_law *law) {
  double calibration = 0, load = 0;
  for (size_t i = 0; i < p->n; i++) {
    const cb_friction_obs *o = &p->obs[i];
    calibration = fmax(calibration, o->u_rel_calibration);
    load = fmax(load, o->run.u_normal_force_N / o->run.normal_force_N);
    law->u_floor_N = fmax(law->u_floor_N, o->u_floor_calibration_N);
  }
  law->u_rel_common = hypot(calibration, law->form.p[1] * load);
}

static cb_status fit_tensors(cb_store *s, const pulls *p, fit_self_friction *out, cb_err *err) {
  fit_self_options opt = {.same = strcmp(p->cloth, p->body) == 0};
  fit_self_obs *obs = malloc((p->n + 1) * sizeof *obs);
  if (!obs) return cb_no_memory(err, "%zu pulls", p->n);
  for (size_t i = 0; i < p->n; i++) {
    const cb_run *r = &p->obs[i].run;
    obs[i] = (fit_self_obs){.angle_rad = {r->angle_deg * CB_DEG, r->body_angle_deg * CB_DEG},
                            .normal_force_N = r->normal_force_N,
                            .force_N = p->obs[i].point.kinetic_N};
  }
  cb_status st = choose_exponent(s, p, &opt, err);
  if (st == CB_OK) st = fit_self_friction_fit(obs, p->n, &opt, out, err);
  free(obs);
  return st;
}

/* What the fit leaves to its caller. */
static cb_status complete_law(const pulls *p, cb_self_friction_law *law, cb_err *err) {
  const cb_run *first = &p->obs[0].run;
  (void)snprintf(law->cloth, sizeof law->cloth, "%s", p->cloth);
  (void)snprintf(law->body, sizeof law->body, "%s", p->body);
  law->origin = first->origin;
  law->contact_area_m2 = first->contact_area_m2;
  law->speed_m_per_s = first->speed_m_per_s > 0 ? first->speed_m_per_s : NAN;
  add_shared(p, law);
  return cb_self_friction_law_check(law, err);
}

/* ---- to the store ---- */

static cb_status store_law(cb_store *s, const pulls *p, const lab_self_friction *f, cb_err *err) {
  const cb_self_friction_law *law = &f->fit.law;
  cb_self_friction_row row = {
      .cloth_id = p->obs[0].run.cloth_id, .body_id = p->obs[0].run.body_id, .origin = law->origin};
  int64_t *points = malloc((p->n + 1) * sizeof *points);
  json_t *doc = lab_self_friction_json(f);
  row.result_json = cb_json_text(doc);
  cb_status st = CB_OK;
  if (!points || !row.result_json)
    CB_GOTO(cb_no_memory(err, "the law of '%s' on '%s'", law->cloth, law->body));
  for (size_t i = 0; i < p->n; i++) points[i] = p->obs[i].point.id;
  (void)snprintf(row.form, sizeof row.form, "%s", cb_self_rule_names[law->form.rule]);
  (void)snprintf(row.method, sizeof row.method, "ln F: two tensors, rule by least misfit; exponent %s",
                 cb_self_exponent_names[law->exponent_from]);
  CB_GOTO(cb_store_self_friction_put(s, &row, points, p->n, err));
done:
  json_decref(doc);
  free(points);
  free(row.result_json);
  return st;
}

static cb_status fit_and_store(cb_store *s, const pulls *p, lab_self_friction *out, cb_err *err) {
  CB_TRY(fit_tensors(s, p, &out->fit, err));
  if (out->fit.outcome != FIT_SELF_OK) return CB_OK;
  CB_TRY(complete_law(p, &out->fit.law, err));
  CB_TRY(lab_pooled_of(s, p->obs, p->n, &out->pooled, err));
  return store_law(s, p, out, err);
}

cb_status lab_self_friction_fit(cb_store *s, const char *cloth, const char *body, int origin,
                                lab_self_friction *out, cb_err *err) {
  pulls p = {.cloth = cloth, .body = body};
  *out = (lab_self_friction){.fit.outcome = FIT_SELF_TOO_FEW};
  cb_status st = gather_pulls(s, origin, &p, out, err);
  if (st == CB_OK) st = fit_and_store(s, &p, out, err);
  free(p.obs);
  return st;
}

/* ---- from the store ---- */

cb_status lab_self_friction_stored(cb_store *s, const char *cloth, const char *body, lab_self_friction *out,
                                   cb_err *err) {
  cb_self_friction_row row = {.id = 0};
  *out = (lab_self_friction){.n_points = 0};
  cb_status st = cb_store_self_friction_newest(s, cloth, body, &row, err);
  if (st == CB_OK) st = lab_self_friction_read(&row, out, err);
  free(row.result_json);
  return st;
}

cb_status lab_self_friction_law_find(cb_store *s, const char *cloth, const char *body,
                                     cb_self_friction_law *law, cb_err *err) {
  cb_self_friction_row row = {.id = 0};
  cb_status st = cb_store_self_friction_newest(s, cloth, body, &row, err);
  if (st == CB_OK) st = cb_self_friction_parse(&row, law, err);
  free(row.result_json);
  return st;
}
