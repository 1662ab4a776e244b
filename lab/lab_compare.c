#include "lab_compare.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_json.h"
#include "cb_num.h"
#include "cb_stats.h"
#include "lab_en.h"
#include "lab_friction_impl.h"
#include "lab_selection.h"

/* Angles and loads that are the same place of a plan. */
#define SAME_ANGLE_DEG 0.5
#define SAME_LOAD_REL 0.01

typedef struct measured {
  cb_friction_obs *obs; /* owned */
  size_t n;
  cb_friction_law law;
} measured;

/* ---- the runs of a side ---- */

static cb_status fit_side(const lab_compare_side *side, const char *cloth, const char *body,
                          cb_friction_kind kind, measured *m, cb_err *err) {
  static fit_friction_result r;
  fit_friction_options opt;
  CB_TRY(lab_friction_fit_runs(side->s, m->obs, m->n, cloth, body, &opt, &r, err));
  const fit_friction_law *f = kind == CB_FRICTION_KINETIC ? &r.kinetic : &r.stat;
  if (f->outcome != FIT_FRICTION_OK)
    return cb_fail(err, CB_E_NOTFOUND, "%s: no %s friction law can be fitted to these %zu runs: %s",
                   cb_store_path(side->s), cb_friction_kind_names[kind], m->n,
                   fit_friction_outcome_text[f->outcome]);
  m->law = f->law;
  return CB_OK;
}

static cb_status measure_side(const lab_compare_side *side, const lab_compare *out, measured *m,
                              cb_err *err) {
  cb_material cloth, body;
  CB_TRY(cb_store_material_find(side->s, CB_CLOTH, out->cloth, &cloth, err));
  CB_TRY(cb_store_material_find(side->s, CB_BODY, out->body, &body, err));
  CB_TRY(lab_friction_observations(side->s, cloth.id, body.id, &m->obs, &m->n, err));
  const lab_selection wanted = {.origin = LAB_ANY_ORIGIN, .lot = side->lot, .campaign_id = side->campaign_id};
  CB_TRY(lab_selection_keep(side->s, &wanted, m->obs, &m->n, err));
  m->n = cb_friction_obs_one_body_angle(m->obs, m->n);
  if (m->n == 0)
    return cb_fail(err, CB_E_NOTFOUND, "%s: '%s' on '%s' has no finished runs%s%s", cb_store_path(side->s),
                   out->cloth, out->body, side->lot ? " of lot " : "", side->lot ? side->lot : "");
  return fit_side(side, out->cloth, out->body, out->kind, m, err);
}

/* The same weights and load cell; in two files, ids say nothing. */
static bool same_calibration(const lab_compare_side side[2], const measured m[2]) {
  const int64_t first = m[0].obs[0].run.calibration_id;
  if (side[0].s != side[1].s || first == 0) return false;
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < m[k].n; i++)
      if (m[k].obs[i].run.calibration_id != first) return false;
  return true;
}

/* ---- cells ---- */

static bool is_measured(const cb_friction_law *law, double normal_force_N) {
  cb_friction_value v;
  cb_friction_law_eval(law, 0, normal_force_N, &v);
  return v.inside_measured_range;
}

static bool has_cell(const lab_compare *c, const cb_run *r) {
  for (size_t i = 0; i < c->n_cells; i++)
    if (fabs(c->cells[i].angle_deg - r->angle_deg) < SAME_ANGLE_DEG &&
        fabs(c->cells[i].normal_force_N / r->normal_force_N - 1) < SAME_LOAD_REL)
      return true;
  return false;
}

static int by_angle_and_load(const void *a, const void *b) {
  const lab_compare_cell *p = a, *q = b;
  if (p->angle_deg != q->angle_deg) return p->angle_deg < q->angle_deg ? -1 : 1;
  return (p->normal_force_N > q->normal_force_N) - (p->normal_force_N < q->normal_force_N);
}

static cb_status find_cells(const measured m[2], lab_compare *out, cb_err *err) {
  out->cells = calloc(m[0].n + m[1].n, sizeof *out->cells);
  if (!out->cells) return cb_no_memory(err, "%zu cells", m[0].n + m[1].n);
  for (int k = 0; k < 2; k++)
    for (size_t i = 0; i < m[k].n; i++) {
      const cb_run *r = &m[k].obs[i].run;
      if (has_cell(out, r) || !is_measured(&m[0].law, r->normal_force_N) ||
          !is_measured(&m[1].law, r->normal_force_N))
        continue;
      out->cells[out->n_cells++] =
          (lab_compare_cell){.angle_deg = r->angle_deg, .normal_force_N = r->normal_force_N};
    }
  qsort(out->cells, out->n_cells, sizeof *out->cells, by_angle_and_load);
  return out->n_cells > 0
             ? CB_OK
             : cb_fail(err, CB_E_RANGE, "'%s' on '%s': the measured loads of the two sides do not meet",
                       out->cloth, out->body);
}

/* ---- the comparison ---- */

/* Effects of the sources on ln mu at a cell; that of a calibration which both sides share is 0. */
static size_t effects_at(const cb_friction_law *law, const lab_compare_cell *c, bool one_calibration,
                         double *rel) {
  const size_t n = cb_friction_law_effects(law, c->angle_deg * CB_PI / 180, c->normal_force_N, rel);
  if (one_calibration) rel[n - 1] = 0; /* the last of them */
  return n;
}

static double root_of_squares(const double *v, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += v[i] * v[i];
  return sqrt(sum);
}

/* Fills one side of every cell; returns the expanded relative uncertainty of the mean over them. */
static double evaluate_side(const cb_friction_law *law, int k, lab_compare *out) {
  double mean[CB_LAW_MAX_EFFECTS] = {0}, rel[CB_LAW_MAX_EFFECTS];
  size_t n = 0;
  for (size_t i = 0; i < out->n_cells; i++) {
    lab_compare_cell *c = &out->cells[i];
    cb_friction_value v;
    cb_friction_law_eval(law, c->angle_deg * CB_PI / 180, c->normal_force_N, &v);
    n = effects_at(law, c, out->one_calibration, rel);
    c->mu[k] = v.force_N / c->normal_force_N;
    c->u95[k] = cb_student_t(0.95, v.dof) * root_of_squares(rel, n) * c->mu[k];
    for (size_t j = 0; j < n; j++) mean[j] += rel[j] / (double)out->n_cells;
  }
  return cb_student_t(0.95, law->dof) * root_of_squares(mean, n);
}

/* As many independent comparisons of equals stay within this in 95 of 100 (Sidak, JASA 62, 626, 1967). */
static double limit_of(size_t n_cells) {
  const double each = pow(0.95, 1 / (double)n_cells);
  return cb_normal_quantile(0.5 + 0.5 * each) / cb_normal_quantile(0.975);
}

static void judge(const measured m[2], lab_compare *out) {
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
  static measured m[2];
  *out = (lab_compare){.kind = kind};
  (void)snprintf(out->cloth, sizeof out->cloth, "%s", cloth);
  (void)snprintf(out->body, sizeof out->body, "%s", body);
  cb_status st = CB_OK;
  for (int k = 0; k < 2 && st == CB_OK; k++) {
    m[k] = (measured){.n = 0};
    st = measure_side(&side[k], out, &m[k], err);
    out->n_runs[k] = m[k].n;
  }
  if (st == CB_OK) out->one_calibration = same_calibration(side, m);
  if (st == CB_OK) st = find_cells(m, out, err);
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
