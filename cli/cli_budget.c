#include "cli_budget.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cb_num.h"
#include "cli.h"
#include "cli_friction.h"
#include "fit_force_budget.h"

/* ---- entries ---- */

/* Infinite degrees of freedom are null: JSON has no number for them. */
static json_t *entry_json(const fit_budget_entry *e) {
  char type[] = {e->type, '\0'};
  return json_pack("{s:s, s:s, s:s, s:f, s:s, s:f, s:f, s:f, s:o, s:b}", "name", e->name, "type", type, "distribution", e->distribution,
                   "value", e->value, "unit", e->unit, "divisor", e->divisor, "sensitivity_N_per_unit", e->sensitivity, "u_N", e->u_N,
                   "dof", cb_json_real(e->dof), "in_proportion", e->in_proportion);
}

json_t *cli_budget_entries(const fit_budget_entry *e, size_t n) {
  json_t *list = json_array();
  for (size_t i = 0; i < n; i++) json_array_append_new(list, entry_json(&e[i]));
  return list;
}

static double number(const json_t *o, const char *key) { return json_number_value(json_object_get(o, key)); }
static const char *word(const json_t *o, const char *key) {
  const char *text = json_string_value(json_object_get(o, key));
  return text ? text : "";
}

static void print_dof(const json_t *dof) {
  if (json_is_number(dof))
    printf("%8.1f", json_number_value(dof));
  else
    printf("%8s", "inf");
}

void cli_budget_print(const json_t *entries, const json_t *sum) {
  size_t i;
  json_t *e;
  printf("    %-25s %-4s %-12s %10s %-8s %8s %12s %10s %8s\n", "entry", "type", "distribution", "value", "unit", "divisor", "sensitivity",
         "u [N]", "dof");
  json_array_foreach(entries, i, e) {
    printf("    %-25s %-4s %-12s %10.3g %-8s %8.3g %12.4g %10.3g ", word(e, "name"), word(e, "type"), word(e, "distribution"),
           number(e, "value"), word(e, "unit"), number(e, "divisor"), number(e, "sensitivity_N_per_unit"), number(e, "u_N"));
    print_dof(json_object_get(e, "dof"));
    putchar('\n');
  }
  printf("    combined: u = %.3g N, effective degrees of freedom", number(sum, "u_N"));
  print_dof(json_object_get(sum, "dof"));
  printf(", k = %.3f, U = %.3g N (95 %%)\n", number(sum, "k"), number(sum, "U_N"));
}

/* ---- a force ---- */

static json_t *force_json(const fit_force_budget *b) {
  return json_pack("{s:f, s:f, s:f, s:o, s:{s:f, s:o, s:f, s:f}}", "angle_deg", b->angle_rad / CB_DEG, "normal_force_N", b->normal_force_N,
                   "force_N", b->force_N, "entries", cli_budget_entries(b->entry, b->n_entries), "combined", "u_N", b->total.u, "dof",
                   cb_json_real(b->total.dof), "k", b->total.k, "U_N", b->total.U);
}

static const cb_friction_obs *nearest(const cb_friction_obs *obs, size_t n, cb_friction_kind kind, double angle_rad, double N) {
  const cb_friction_obs *best = NULL;
  double least = INFINITY;
  for (size_t i = 0; i < n; i++) {
    const cb_run *r = &obs[i].run;
    double turned = fabs(remainder(r->angle_deg - angle_rad / CB_DEG, 180)) / 45, away = turned + fabs(log(r->normal_force_N / N));
    if (!isfinite(kind == CB_FRICTION_KINETIC ? obs[i].point.kinetic_N : obs[i].point.static_N) || !(away < least)) continue;
    least = away;
    best = &obs[i];
  }
  return best;
}

typedef struct budgets {
  fit_force_budget predicted, run;
  bool has_run;
  const char *missing[FIT_NOT_ASSESSED];
  size_t n_missing;
} budgets;

static cb_status make_budgets(cb_store *s, const cb_friction_law *law, const cb_friction_obs *obs, size_t n, budgets *b, cb_err *err) {
  double angle_rad = b->predicted.angle_rad, N = b->predicted.normal_force_N;
  fit_friction_options opt;
  fit_friction_result r;
  CB_TRY(cli_friction_fit(s, obs, n, law->cloth, law->body, &opt, &r, err));
  const fit_friction_law *fit = law->kind == CB_FRICTION_KINETIC ? &r.kinetic : &r.stat;
  if (fit->outcome != FIT_FRICTION_OK) return CB_OK;
  fit_force_scatter scatter = fit_force_scatter_of(obs, n, fit, &opt);
  fit_force_budget_law(law, angle_rad, N, &scatter, &b->predicted);
  b->n_missing = fit_force_not_assessed(law, &scatter, b->missing);
  const cb_friction_obs *run = nearest(obs, n, law->kind, angle_rad, N);
  if (!run) return CB_OK;
  cb_calibration c = {.resolution_N = 0};
  if (run->run.calibration_id) CB_TRY(cb_store_calibration_get(s, run->run.calibration_id, &c, err));
  fit_force_budget_run(&fit->law, run, &scatter, c.resolution_N, &b->run);
  b->has_run = true;
  return CB_OK;
}

/* Runs as real as the law. */
static cb_status observations(cb_store *s, const cb_friction_law *law, cb_friction_obs **obs, size_t *n, cb_err *err) {
  cb_material c, b;
  size_t all, kept = 0;
  CB_TRY(cb_store_material_find(s, CB_CLOTH, law->cloth, &c, err));
  CB_TRY(cb_store_material_find(s, CB_BODY, law->body, &b, err));
  CB_TRY(cli_friction_observations(s, c.id, b.id, obs, &all, err));
  for (size_t i = 0; i < all; i++)
    if (cb_origin_is_real((*obs)[i].run.origin) == cb_origin_is_real(law->origin)) (*obs)[kept++] = (*obs)[i];
  *n = cb_friction_obs_one_body_angle(*obs, kept);
  return CB_OK;
}

cb_status cli_budget_force(cb_store *s, const cb_friction_law *law, double angle_rad, double normal_force_N, json_t **out, cb_err *err) {
  cb_friction_obs *obs;
  size_t n;
  budgets b = {.has_run = false};
  CB_TRY(observations(s, law, &obs, &n, err));
  fit_force_budget_law(law, angle_rad, normal_force_N, NULL, &b.predicted);
  b.n_missing = fit_force_not_assessed(law, NULL, b.missing);
  cb_status st = n > 0 ? make_budgets(s, law, obs, n, &b, err) : CB_OK;
  free(obs);
  if (st != CB_OK) return st;
  json_t *missing = json_array();
  for (size_t i = 0; i < b.n_missing; i++) json_array_append_new(missing, json_string(b.missing[i]));
  *out = json_pack("{s:o, s:o, s:o}", "predicted", force_json(&b.predicted), "run", b.has_run ? force_json(&b.run) : json_null(),
                   "not_assessed", missing);
  return *out ? CB_OK : cb_fail(err, CB_E_NOMEM, "no memory for the budget");
}

static void print_force(const char *what, const json_t *b) {
  printf("  %s: %.5f N at %g deg under %.4g N\n", what, number(b, "force_N"), number(b, "angle_deg"), number(b, "normal_force_N"));
  cli_budget_print(json_object_get(b, "entries"), json_object_get(b, "combined"));
}

void cli_budget_force_print(const json_t *budget) {
  size_t i;
  json_t *text;
  print_force("budget of the predicted force", json_object_get(budget, "predicted"));
  if (json_is_object(json_object_get(budget, "run"))) print_force("budget of the nearest run", json_object_get(budget, "run"));
  json_array_foreach(json_object_get(budget, "not_assessed"), i, text) printf("  not assessed: %s\n", json_string_value(text));
}
