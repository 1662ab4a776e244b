#include "lab_compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_json.h"
#include "cb_stats.h"
#include "lab_en.h"
#include "lab_sides.h"

/* The same weights and load cell; in two files, ids say nothing. */
static bool same_calibration(const lab_compare_side side[2], const lab_side m[2]) {
  const int64_t first = m[0].obs[0].run.calibration_id;
  if (side[0].s != side[1].s || first == 0) return false;
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < m[k].n; i++)
      if (m[k].obs[i].run.calibration_id != first) return false;
  return true;
}

/* ---- the comparison ---- */

/* Fills one side of every cell; returns the expanded relative uncertainty of the mean over them. */
static double evaluate_side(const cb_friction_law *law, int k, lab_compare *out) {
  double mean[CB_LAW_MAX_EFFECTS] = {0};
  lab_side_value v = {.n = 0};
  for (size_t i = 0; i < out->n_cells; i++) {
    lab_compare_cell *c = &out->cells[i];
    lab_side_evaluate(law, c, out->one_calibration, &v);
    c->mu[k] = v.mu;
    c->u[k] = lab_root_of_squares(v.rel, v.n) * v.mu;
    c->u95[k] = cb_student_t(0.95, v.dof) * c->u[k];
    for (size_t j = 0; j < v.n; j++) mean[j] += v.rel[j] / (double)out->n_cells;
  }
  return cb_student_t(0.95, law->dof) * lab_root_of_squares(mean, v.n);
}

/* As many independent comparisons of equals stay within this in 95 of 100 (Sidak, JASA 62, 626, 1967). */
static double limit_of(size_t n_cells) {
  const double each = pow(0.95, 1 / (double)n_cells);
  return cb_normal_quantile(0.5 + 0.5 * each) / cb_normal_quantile(0.975);
}

static void judge(const lab_side m[2], lab_compare *out) {
  const double U[2] = {evaluate_side(&m[0].law, 0, out), evaluate_side(&m[1].law, 1, out)};
  for (size_t i = 0; i < out->n_cells; i++) {
    lab_compare_cell *c = &out->cells[i];
    c->en = lab_en(c->mu[0], c->u95[0], c->mu[1], c->u95[1]);
    out->difference_rel += log(c->mu[0] / c->mu[1]) / (double)out->n_cells;
    out->worst_en = fmax(out->worst_en, fabs(c->en));
  }
  out->u95_rel = hypot(U[0], U[1]);
  out->en = out->difference_rel / out->u95_rel;
  out->worst_limit = limit_of(out->n_cells);
  out->agree = fabs(out->en) <= 1 && out->worst_en <= out->worst_limit;
}

cb_status lab_compare_pair(const lab_compare_side side[2], const char *cloth, const char *body,
                           cb_friction_kind kind, lab_compare *out, cb_err *err) {
  lab_side m[2] = {{.obs = NULL}};
  *out = (lab_compare){.kind = kind};
  (void)snprintf(out->cloth, sizeof out->cloth, "%s", cloth);
  (void)snprintf(out->body, sizeof out->body, "%s", body);
  cb_status st = CB_OK;
  for (int k = 0; k < 2 && st == CB_OK; k++) {
    st = lab_side_measure(&side[k], cloth, body, kind, &m[k], err);
    out->n_runs[k] = m[k].n;
  }
  if (st == CB_OK) out->one_calibration = same_calibration(side, m);
  if (st == CB_OK) st = lab_side_cells(m, 2, &out->cells, &out->n_cells, err);
  if (st == CB_OK) judge(m, out);
  for (int k = 0; k < 2; k++) {
    free(m[k].obs);
    m[k].obs = NULL;
  }
  return st;
}

void lab_compare_clear(lab_compare *c) {
  free(c->cells);
  *c = (lab_compare){.n_cells = 0};
}

json_t *lab_compare_json(const lab_compare *c) {
  json_t *cells = json_array();
  for (size_t i = 0; i < c->n_cells; i++) {
    const lab_compare_cell *p = &c->cells[i];
    (void)json_array_append_new(
        cells, json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "angle_deg", cb_json_real(p->angle_deg),
                         "normal_force_N", cb_json_real(p->normal_force_N), "mu_a", cb_json_real(p->mu[0]),
                         "u95_mu_a", cb_json_real(p->u95[0]), "mu_b", cb_json_real(p->mu[1]), "u95_mu_b",
                         cb_json_real(p->u95[1]), "en", cb_json_real(p->en)));
  }
  return json_pack("{s:s, s:s, s:s, s:I, s:I, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:b}", "cloth", c->cloth,
                   "body", c->body, "kind", cb_friction_kind_names[c->kind], "runs_a",
                   (json_int_t)c->n_runs[0], "runs_b", (json_int_t)c->n_runs[1], "one_calibration",
                   c->one_calibration, "cells", cells, "worst_en", cb_json_real(c->worst_en),
                   "worst_en_limit", cb_json_real(c->worst_limit), "difference_rel",
                   cb_json_real(c->difference_rel), "u95_difference_rel", cb_json_real(c->u95_rel), "en",
                   cb_json_real(c->en), "agree", c->agree);
}
