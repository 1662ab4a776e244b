#include "lab_strip.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_json.h"
#include "lab_en.h"
#include "lab_law.h"
#include "lab_stretch_impl.h"

/* ---- the two fits ---- */

static bool is_at(const cb_material_test *t, double angle_deg) {
  return isfinite(t->direction_deg) &&
         fabs(cb_stretch_fold_deg(t->direction_deg) - angle_deg) <= CB_STRETCH_SAME_DEG;
}

/* The tests at the angle first; returns how many. */
static size_t sort_tests(lab_stretch_tests *g, double angle_deg) {
  size_t n = 0;
  for (size_t i = 0; i < g->n; i++) {
    if (!is_at(g->inputs[i].test, angle_deg)) continue;
    const fit_stretch_input moved = g->inputs[i];
    g->inputs[i] = g->inputs[n];
    g->inputs[n++] = moved;
  }
  return n;
}

static cb_status fit_part(const fit_stretch_input *inputs, size_t n, const lab_stretch_request *q,
                          const char *which, cb_stretch_law *out, cb_err *err) {
  fit_stretch_result r = {.outcome = FIT_STRETCH_NO_CURVE};
  cb_status st = fit_stretch(inputs, n, &q->opt, &r, err);
  if (st == CB_OK && r.outcome != FIT_STRETCH_OK)
    st = cb_fail(err, CB_E_RANGE, "%s, %s: %s", q->cloth, which, fit_stretch_outcome_text[r.outcome]);
  *out = r.law;
  fit_stretch_clear(&r);
  return st;
}

/* ---- the comparison ---- */

static double expanded(const cb_stretch_value *v) {
  return lab_expanded_95(v->u_N_per_m, v->u_N_per_m, v->dof);
}

static cb_status compare(const cb_stretch_law *others, const cb_stretch_law *own, lab_strip *out,
                         cb_err *err) {
  const cb_stretch_direction *d = cb_stretch_find(own, out->angle_deg);
  double most = d ? cb_stretch_strain_max(d) : 0;
  for (size_t i = 0; i < others->n; i++) most = fmin(most, cb_stretch_strain_max(&others->directions[i]));
  for (int k = 0; k < LAB_STRIP_POINTS; k++) {
    lab_strip_point *p = &out->point[k];
    cb_stretch_value predicted, measured;
    p->strain = most * (k + 1) / LAB_STRIP_POINTS;
    cb_stretch_eval(others, out->angle_deg, p->strain, &predicted);
    cb_stretch_eval(own, out->angle_deg, p->strain, &measured);
    if (predicted.basis == CB_STRETCH_BY_NOTHING || !(most > 0))
      return cb_fail(
          err, CB_E_RANGE,
          "%s: the other directions do not tell %g degrees: three of them were wanted, 0 and 90 among them",
          out->cloth, out->angle_deg);
    p->predicted_N_per_m = predicted.force_N_per_m;
    p->measured_N_per_m = measured.force_N_per_m;
    p->U_predicted_N_per_m = expanded(&predicted);
    p->U_measured_N_per_m = expanded(&measured);
    p->en = lab_en(p->predicted_N_per_m, p->U_predicted_N_per_m, p->measured_N_per_m, p->U_measured_N_per_m);
    out->worst_en = fmax(out->worst_en, fabs(p->en));
  }
  out->form = others->form;
  out->pass = out->worst_en <= 1;
  return CB_OK;
}

static cb_status note_tests(const lab_stretch_tests *g, size_t n_at, lab_strip *out, cb_err *err) {
  out->test_ids = malloc((n_at + 1) * sizeof *out->test_ids);
  if (!out->test_ids) return cb_no_memory(err, "%zu tests", n_at);
  for (size_t i = 0; i < n_at; i++) out->test_ids[i] = g->inputs[i].test->id;
  out->n_tests = n_at;
  out->n_other_tests = g->n - n_at;
  return CB_OK;
}

static cb_status judge(const lab_stretch_request *q, lab_stretch_tests *g, lab_strip *out, cb_err *err) {
  static const char others_words[] = "the tests of the other directions",
                    own_words[] = "the tests at that angle";
  const size_t n_at = sort_tests(g, out->angle_deg);
  cb_stretch_law *laws = calloc(2, sizeof *laws); /* 20 KB each */
  if (!laws) return cb_no_memory(err, "two laws of '%s'", q->cloth);
  cb_status st = n_at > 0 ? note_tests(g, n_at, out, err)
                          : cb_fail(err, CB_E_NOTFOUND, "%s: there is no stretch test at %g degrees",
                                    q->cloth, out->angle_deg);
  if (st == CB_OK) st = fit_part(g->inputs + n_at, g->n - n_at, q, others_words, &laws[0], err);
  if (st == CB_OK) st = fit_part(g->inputs, n_at, q, own_words, &laws[1], err);
  if (st == CB_OK) st = compare(&laws[0], &laws[1], out, err);
  free(laws);
  return st;
}

cb_status lab_strip_judge(cb_store *s, const lab_stretch_request *q, double angle_deg, lab_strip *out,
                          cb_err *err) {
  cb_material m;
  lab_stretch_tests g = {.n = 0};
  *out = (lab_strip){.angle_deg = cb_stretch_fold_deg(angle_deg)};
  (void)snprintf(out->cloth, sizeof out->cloth, "%s", q->cloth);
  CB_TRY(cb_store_material_find(s, CB_CLOTH, q->cloth, &m, err));
  cb_status st = lab_stretch_gather(q, s, m.id, &g, err);
  if (st == CB_OK) st = judge(q, &g, out, err);
  lab_stretch_tests_clear(&g);
  return st;
}

void lab_strip_clear(lab_strip *r) {
  free(r->test_ids);
  r->test_ids = NULL;
  r->n_tests = 0;
}

/* ---- the row ---- */

cb_status lab_strip_keep(cb_store *s, lab_strip *r, cb_err *err) {
  cb_material m;
  CB_TRY(cb_store_material_find(s, CB_CLOTH, r->cloth, &m, err));
  cb_validation row = {.experiment = "stretch",
                       .cloth_id = m.id,
                       .test_ids = r->test_ids,
                       .n_tests = r->n_tests,
                       .pass = r->pass,
                       .worst_en = r->worst_en};
  json_t *doc = lab_strip_json(r);
  row.result_json = cb_json_text(doc);
  json_decref(doc);
  if (!row.result_json) return cb_no_memory(err, "the verdict on '%s'", r->cloth);
  const cb_status st = cb_store_validation_put(s, &row, err);
  free(row.result_json);
  r->validation_id = row.id;
  return st;
}

/* ---- the document ---- */

static json_t *points_json(const lab_strip *r) {
  json_t *points = json_array();
  for (int k = 0; points && k < LAB_STRIP_POINTS; k++) {
    const lab_strip_point *p = &r->point[k];
    (void)json_array_append_new(
        points,
        json_pack("{s:f, s:f, s:f, s:f, s:f, s:f}", "strain", p->strain, "predicted_N_per_m",
                  p->predicted_N_per_m, "U_predicted_N_per_m", p->U_predicted_N_per_m, "measured_N_per_m",
                  p->measured_N_per_m, "U_measured_N_per_m", p->U_measured_N_per_m, "en", p->en));
  }
  return points;
}

json_t *lab_strip_json(const lab_strip *r) {
  return json_pack("{s:s, s:s, s:s, s:f, s:s, s:I, s:I, s:o, s:f, s:o}", "experiment", "stretch", "verdict",
                   r->pass ? "pass" : "fail", "cloth", r->cloth, "angle_deg", r->angle_deg, "form",
                   cb_stretch_form_names[r->form], "tests", (json_int_t)r->n_tests, "other_tests",
                   (json_int_t)r->n_other_tests, "points", points_json(r), "worst_en", r->worst_en,
                   "validation_id",
                   r->validation_id > 0 ? json_integer((json_int_t)r->validation_id) : json_null());
}
