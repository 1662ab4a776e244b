#include "lab_slide_seal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_json.h"
#include "lab_slide_parts.h"

/* How far the measured pull may be from the predicted one. */
#define ANGLE_WITHIN_DEG 0.5
#define LOAD_WITHIN_REL 0.01
#define SPEED_WITHIN_REL 0.02

/* ---- predict ---- */

static cb_status newest_of_pair(cb_store *s, const lab_slide_question *q, cb_run *run, cb_err *err) {
  cb_run_filter filter = cb_run_filter_all();
  cb_material cloth, body;
  cb_run *list;
  size_t n;
  CB_TRY(cb_store_material_find(s, CB_CLOTH, q->cloth, &cloth, err));
  CB_TRY(cb_store_material_find(s, CB_BODY, q->body, &body, err));
  filter.cloth_id = cloth.id;
  filter.body_id = body.id;
  filter.status = CB_RUN_DONE;
  CB_TRY(cb_store_runs(s, &filter, &list, &n, err));
  while (n > 0 && (list[n - 1].incline_deg != 0 || list[n - 1].rig_id == 0)) n--;
  if (n > 0) *run = list[n - 1];
  free(list);
  return n > 0 ? CB_OK
               : cb_fail(err, CB_E_NOTFOUND,
                         "%s: no finished, level run of '%s' on '%s' on a rig: its rig is wanted",
                         cb_store_path(s), q->cloth, q->body);
}

static cb_status find_like(cb_store *s, const lab_slide_question *q, cb_run *run, cb_err *err) {
  char cloth[64], body[64];
  if (q->like_run_id == 0) return newest_of_pair(s, q, run, err);
  CB_TRY(cb_store_run_get(s, q->like_run_id, run, err));
  CB_TRY(lab_slide_pair(s, run, cloth, body, err));
  if (strcmp(cloth, q->cloth) == 0 && strcmp(body, q->body) == 0) return CB_OK;
  return cb_fail(err, CB_E_RANGE, "%s: run %lld is of '%s' on '%s': one of '%s' on '%s' was wanted",
                 cb_store_path(s), (long long)run->id, cloth, body, q->cloth, q->body);
}

static void fill_quantity(lab_slide_quantity *q, double predicted, double u, double U) {
  *q = lab_slide_not_compared;
  q->compared = isfinite(predicted); /* it is listed */
  q->predicted = predicted;
  q->u_predicted = u;
  q->U_predicted = U;
}

static cb_status predict_case(const lab_slide_case *c, lab_slide_verdict *out, cb_err *err) {
  lab_slide_simulated r;
  cb_status st = lab_slide_predict(c, &r, err);
  if (st == CB_OK) {
    *out = lab_slide_describe(c);
    fill_quantity(&out->q[LAB_SLIDE_STATIC_PEAK], c->has_static ? r.best.static_N : NAN, r.u.static_N,
                  r.U.static_N);
    fill_quantity(&out->q[LAB_SLIDE_KINETIC_PLATEAU], r.best.kinetic_N, r.u.kinetic_N, r.U.kinetic_N);
    fill_quantity(&out->q[LAB_SLIDE_BREAKAWAY], r.best.breakaway_m, r.u.breakaway_m, r.U.breakaway_m);
    out->q[LAB_SLIDE_CURVE_RMS] = lab_slide_not_compared;
    lab_slide_keep_curve(c, &r.trace, out);
  }
  lab_slide_simulated_clear(&r);
  return st;
}

cb_status lab_slide_foresee(cb_store *s, const lab_slide_question *q, lab_slide_verdict *out, cb_err *err) {
  lab_slide_case c;
  cb_run like;
  CB_TRY(find_like(s, q, &like, err));
  if (!isnan(q->angle_deg)) like.angle_deg = q->angle_deg;
  if (!isnan(q->normal_force_N)) like.normal_force_N = q->normal_force_N;
  cb_status st = lab_slide_case_load(s, &like, LAB_SLIDE_SLED, LAB_SLIDE_AREA, &c, err);
  if (st == CB_OK) st = predict_case(&c, out, err);
  lab_slide_case_clear(&c);
  return st;
}

/* The document of a verdict without what only a measurement gives. */
json_t *lab_slide_foreseen_json(const lab_slide_verdict *v) {
  static const char *const later[] = {"measured", "u_measured",        "U95_measured",    "E_n",
                                      "pass",     "predicted_by_sled", "from_sled_over_u"};
  static const char *const none[] = {"verdict", "worst_E_n", "not_compared", "sheet", "elastic", "sealed"};
  json_t *doc = lab_slide_json(v), *one;
  size_t i;
  json_array_foreach(json_object_get(doc, "quantities"), i,
                     one) for (size_t k = 0; k < sizeof later / sizeof later[0]; k++)(void)
      json_object_del(one, later[k]);
  for (size_t k = 0; doc && k < sizeof none / sizeof none[0]; k++) (void)json_object_del(doc, none[k]);
  return doc;
}

/* ---- judge ---- */

static cb_status check_same(const lab_slide_verdict *sealed, const lab_slide_case *c, cb_err *err) {
  const cb_run *r = &c->run;
  if (strcmp(sealed->cloth, c->kinetic.cloth) != 0 || strcmp(sealed->body, c->kinetic.body) != 0)
    return cb_fail(err, CB_E_RANGE, "run %lld is of '%s' on '%s': the sealed prediction is of '%s' on '%s'",
                   (long long)r->id, c->kinetic.cloth, c->kinetic.body, sealed->cloth, sealed->body);
  if (fabs(r->angle_deg - sealed->angle_deg) <= ANGLE_WITHIN_DEG &&
      fabs(r->normal_force_N / sealed->normal_force_N - 1) <= LOAD_WITHIN_REL &&
      fabs(r->speed_m_per_s / sealed->speed_m_per_s - 1) <= SPEED_WITHIN_REL &&
      r->direction == sealed->direction)
    return CB_OK;
  return cb_fail(
      err, CB_E_RANGE,
      "run %lld has %g deg, %.4g N, %.4g mm/s %s: the sealed prediction has %g deg, %.4g N, %.4g mm/s %s",
      (long long)r->id, r->angle_deg, r->normal_force_N, 1e3 * r->speed_m_per_s,
      r->direction > 0 ? "forward" : "backward", sealed->angle_deg, sealed->normal_force_N,
      1e3 * sealed->speed_m_per_s, sealed->direction > 0 ? "forward" : "backward");
}

static cb_status check_later(const cb_run *run, const lab_seal *seal, cb_err *err) {
  if (strcmp(run->started_at, seal->sealed_at) >= 0) return CB_OK;
  return cb_fail(err, CB_E_RANGE,
                 "run %lld began %s, before the prediction was sealed, %s: it is no test of it",
                 (long long)run->id, run->started_at, seal->sealed_at);
}

/* The predicted curve as the trace of an even motion: only force over place is asked of it. */
static cb_status trace_of_curve(const lab_slide_verdict *v, cb_trace *out, cb_err *err) {
  *out = (cb_trace){.position_m = {0}};
  for (size_t i = 0; i < v->n_curve; i++) {
    const double t = v->curve_x_m[i] / v->speed_m_per_s;
    CB_TRY(cb_series_push(&out->position_m, t, v->direction * v->curve_x_m[i], err));
    CB_TRY(cb_series_push(&out->force_N, t, v->direction * v->curve_N[i], err));
  }
  return CB_OK;
}

static void prediction_of(const lab_slide_verdict *v, lab_slide_simulated *r) {
  const lab_slide_quantity *peak = &v->q[LAB_SLIDE_STATIC_PEAK], *plateau = &v->q[LAB_SLIDE_KINETIC_PLATEAU],
                           *place = &v->q[LAB_SLIDE_BREAKAWAY];
  r->best = (lab_slide_prediction){peak->predicted, plateau->predicted, place->predicted};
  r->u = (lab_slide_prediction){peak->u_predicted, plateau->u_predicted, place->u_predicted};
  r->U = (lab_slide_prediction){peak->U_predicted, plateau->U_predicted, place->U_predicted};
}

static cb_status read_sealed(const lab_seal *seal, lab_slide_verdict *out, cb_err *err) {
  char *text = cb_json_text(seal->prediction);
  if (!text) return cb_no_memory(err, "a sealed prediction");
  cb_status st = lab_slide_read(text, out, err);
  free(text);
  if (st != CB_OK) return st;
  if (out->n_curve >= 2 && out->speed_m_per_s > 0 && out->normal_force_N > 0 &&
      out->q[LAB_SLIDE_KINETIC_PLATEAU].U_predicted > 0)
    return CB_OK;
  return cb_fail(err, CB_E_DB, "the sealed prediction has no plateau with an uncertainty");
}

static cb_status compare_sealed(const lab_slide_case *c, const lab_slide_verdict *sealed,
                                lab_slide_verdict *out, cb_err *err) {
  lab_slide_simulated r = {.best = {NAN, NAN, NAN}};
  prediction_of(sealed, &r);
  cb_status st = trace_of_curve(sealed, &r.trace, err);
  if (st == CB_OK) st = lab_slide_compare_with(c, &r, out, err);
  lab_slide_simulated_clear(&r);
  out->law_kinetic_id = sealed->law_kinetic_id;
  out->law_static_id = sealed->law_static_id;
  return st;
}

cb_status lab_slide_judge_sealed(cb_store *s, const cb_run *run, const lab_seal *seal, lab_slide_verdict *out,
                                 cb_err *err) {
  lab_slide_verdict *sealed = malloc(sizeof *sealed);
  lab_slide_case c = {.cloth = NULL};
  if (!sealed) return cb_no_memory(err, "a sealed prediction");
  cb_status st = read_sealed(seal, sealed, err);
  if (st == CB_OK) st = check_later(run, seal, err);
  if (st == CB_OK) st = lab_slide_case_load(s, run, LAB_SLIDE_SLED, LAB_SLIDE_AREA, &c, err);
  if (st == CB_OK) st = check_same(sealed, &c, err);
  if (st == CB_OK) st = compare_sealed(&c, sealed, out, err);
  if (st == CB_OK) out->seal = seal;
  lab_slide_case_clear(&c);
  free(sealed);
  return st;
}
