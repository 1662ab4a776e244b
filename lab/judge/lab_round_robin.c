#include "lab_round_robin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_json.h"
#include "cb_plural.h"
#include "cb_stats.h"
#include "lab_en.h"
#include "lab_sides.h"

#define LEVEL 0.05   /* of the test of consistency */
#define MANY_DOF 1e9 /* of a known variance */

/* ---- a laboratory's figure ---- */

/* Means over some of the cells. */
typedef struct figure {
  double ln_mu, u95;
} figure;

typedef bool belongs(const lab_compare_cell *cell, const lab_compare_cell *at);

static bool is_any(const lab_compare_cell *cell, const lab_compare_cell *at) {
  (void)cell, (void)at;
  return true;
}
static bool has_angle(const lab_compare_cell *cell, const lab_compare_cell *at) {
  return cell->angle_deg == at->angle_deg;
}
static bool has_load(const lab_compare_cell *cell, const lab_compare_cell *at) {
  return cell->normal_force_N == at->normal_force_N;
}

static figure figure_of(const cb_friction_law *law, const lab_compare_cell *cells, size_t n_cells,
                        belongs *in, const lab_compare_cell *at) {
  double mean[CB_LAW_MAX_EFFECTS] = {0}, ln_mu = 0;
  lab_side_value v = {.n = 0};
  size_t n = 0;
  for (size_t i = 0; i < n_cells; i++) {
    if (!in(&cells[i], at)) continue;
    lab_side_evaluate(law, &cells[i], false, &v);
    ln_mu += log(v.mu);
    for (size_t j = 0; j < v.n; j++) mean[j] += v.rel[j];
    n++;
  }
  const double U = cb_student_t(0.95, law->dof) * lab_root_of_squares(mean, v.n);
  return (figure){ln_mu / (double)n, U / (double)n};
}

/* ---- the largest consistent subset ---- */

typedef struct reference {
  double mean, u95, chi_squared, p_value;
} reference;

/* Of the laboratories whose bit is set. U over its factor is the standard uncertainty, known as U is. */
static reference reference_of(const figure *f, size_t n, unsigned subset) {
  const double k = cb_normal_quantile(0.975);
  double sum = 0, weights = 0, chi = 0;
  int members = 0;
  for (size_t i = 0; i < n; i++) {
    if (!(subset >> i & 1)) continue;
    const double w = k * k / (f[i].u95 * f[i].u95);
    sum += w * f[i].ln_mu, weights += w;
    members++;
  }
  for (size_t i = 0; i < n; i++)
    if (subset >> i & 1) chi += pow(k * (f[i].ln_mu - sum / weights) / f[i].u95, 2);
  const double dof = members - 1;
  return (reference){sum / weights, k / sqrt(weights), chi,
                     members > 1 ? cb_f_p_upper(chi / dof, dof, MANY_DOF) : 1};
}

static int members_of(unsigned subset) {
  int n = 0;
  for (; subset; subset &= subset - 1) n++;
  return n;
}

/* The subset with the most members that passes the test; of several, the one with the least chi squared. One
 * of two that disagree cannot be told to be right, so it has at least two; 0: there is none. */
static unsigned largest_consistent(const figure *f, size_t n) {
  unsigned best = 0;
  double least = INFINITY;
  for (unsigned subset = 1; subset < 1u << n; subset++) {
    const int members = members_of(subset), most = members_of(best);
    if (members < 2 || members < most) continue;
    const reference r = reference_of(f, n, subset);
    if (r.p_value < LEVEL || (members == most && r.chi_squared >= least)) continue;
    best = subset;
    least = r.chi_squared;
  }
  return best;
}

/* ---- Youden's plot ---- */

/* The first and the last angle; where there is one angle, the least and the largest load. */
static belongs *parts_of(const lab_compare_cell *cells, size_t n, const lab_compare_cell *at[2],
                         char name[2][48]) {
  at[0] = &cells[0];
  at[1] = &cells[n - 1];
  const bool angles = at[0]->angle_deg != at[1]->angle_deg;
  for (int k = 0; k < 2; k++)
    (void)snprintf(name[k], 48, angles ? "%g deg" : "%g N",
                   angles ? at[k]->angle_deg : at[k]->normal_force_N);
  return angles ? has_angle : has_load;
}

static void fill_youden(const lab_side *m, const lab_compare_cell *cells, unsigned subset,
                        lab_round_robin *out) {
  const lab_compare_cell *at[2];
  belongs *in = parts_of(cells, out->n_cells, at, out->part);
  for (int k = 0; k < 2; k++) {
    figure f[LAB_ROUND_ROBIN_MAX] = {{0}};
    for (size_t i = 0; i < out->n_labs; i++) f[i] = figure_of(&m[i].law, cells, out->n_cells, in, at[k]);
    const reference r = reference_of(f, out->n_labs, subset);
    for (size_t i = 0; i < out->n_labs; i++) {
      out->lab[i].youden[k] = f[i].ln_mu - r.mean;
      out->lab[i].u95_part[k] = f[i].u95;
    }
  }
}

/* ---- the verdict ---- */

static void judge(const lab_side *m, const lab_compare_cell *cells, lab_round_robin *out) {
  figure f[LAB_ROUND_ROBIN_MAX] = {{0}};
  const size_t n = out->n_labs;
  const unsigned all = (1u << n) - 1;
  for (size_t i = 0; i < n; i++) f[i] = figure_of(&m[i].law, cells, out->n_cells, is_any, NULL);
  const reference of_all = reference_of(f, n, all);
  const unsigned found = largest_consistent(f, n), subset = found ? found : all;
  const reference r = reference_of(f, n, subset);
  for (size_t i = 0; i < n; i++) {
    lab_participant *p = &out->lab[i];
    const double U2 = f[i].u95 * f[i].u95, ref2 = r.u95 * r.u95;
    p->consistent = found >> i & 1;
    p->deviation_rel = f[i].ln_mu - r.mean;
    p->u95_rel = f[i].u95;
    p->en = p->deviation_rel / sqrt(subset >> i & 1 ? U2 - ref2 : U2 + ref2);
    out->n_consistent += p->consistent;
  }
  out->mu = exp(r.mean);
  out->u95_rel = r.u95;
  out->chi_squared = of_all.chi_squared;
  out->p_value = of_all.p_value;
  fill_youden(m, cells, subset, out);
}

static cb_status measure_all(const lab_compare_side *sides, lab_side *m, lab_round_robin *out, cb_err *err) {
  for (size_t i = 0; i < out->n_labs; i++) {
    CB_TRY(lab_side_measure(&sides[i], out->cloth, out->body, out->kind, &m[i], err));
    (void)snprintf(out->lab[i].name, sizeof out->lab[i].name, "%s", cb_store_path(sides[i].s));
    out->lab[i].n_runs = m[i].n;
  }
  return CB_OK;
}

cb_status lab_round_robin_make(const lab_compare_side *sides, size_t n, const char *cloth, const char *body,
                               cb_friction_kind kind, lab_round_robin *out, cb_err *err) {
  *out = (lab_round_robin){.kind = kind, .n_labs = n};
  if (n < 3 || n > LAB_ROUND_ROBIN_MAX)
    return cb_fail(err, CB_E_ARG, "%zu database%s: 3 to %d were wanted", n, CB_S(n), LAB_ROUND_ROBIN_MAX);
  (void)snprintf(out->cloth, sizeof out->cloth, "%s", cloth);
  (void)snprintf(out->body, sizeof out->body, "%s", body);
  lab_compare_cell *cells = NULL;
  lab_side *m = calloc(n, sizeof *m);
  if (!m) return cb_no_memory(err, "%zu laboratories", n);
  cb_status st = measure_all(sides, m, out, err);
  if (st == CB_OK) st = lab_side_cells(m, n, &cells, &out->n_cells, err);
  if (st == CB_OK) judge(m, cells, out);
  for (size_t i = 0; i < n; i++) free(m[i].obs);
  free(m);
  free(cells);
  return st;
}

json_t *lab_round_robin_json(const lab_round_robin *r) {
  json_t *labs = json_array();
  for (size_t i = 0; i < r->n_labs; i++) {
    const lab_participant *p = &r->lab[i];
    (void)json_array_append_new(
        labs, json_pack("{s:s, s:I, s:o, s:o, s:o, s:b, s:[oo], s:[oo]}", "database", p->name, "runs",
                        (json_int_t)p->n_runs, "deviation_rel", cb_json_real(p->deviation_rel), "u95_rel",
                        cb_json_real(p->u95_rel), "en", cb_json_real(p->en), "consistent", p->consistent,
                        "youden", cb_json_real(p->youden[0]), cb_json_real(p->youden[1]), "u95_youden",
                        cb_json_real(p->u95_part[0]), cb_json_real(p->u95_part[1])));
  }
  return json_pack("{s:s, s:s, s:s, s:I, s:o, s:o, s:o, s:o, s:[ss], s:o, s:b}", "cloth", r->cloth, "body",
                   r->body, "kind", cb_friction_kind_names[r->kind], "cells", (json_int_t)r->n_cells, "mu",
                   cb_json_real(r->mu), "u95_rel", cb_json_real(r->u95_rel), "chi_squared",
                   cb_json_real(r->chi_squared), "p_value", cb_json_real(r->p_value), "youden_parts",
                   r->part[0], r->part[1], "labs", labs, "agree", r->n_consistent == r->n_labs);
}
