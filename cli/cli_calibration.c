#include "cli_calibration.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "cli_budget.h"

/* ---- JSON ---- */

json_t *cli_calibration_budget(const fit_calibration *f) {
  const fit_budget *b = &f->at_full_scale;
  return json_pack("{s:o, s:{s:f, s:f, s:o, s:f, s:f}, s:f, s:f}", "entries", lab_budget_entries_json(f->entry, f->n_entries), "at_full_scale",
                   "force_N", f->full_scale_N, "u_N", b->u, "dof", cb_json_real(b->dof), "k", b->k, "U_N", b->U, "u_rel", f->u_rel,
                   "u_floor_N", f->u_floor_N);
}

static json_t *points_json(const cb_calibration_point *p, size_t n) {
  json_t *list = json_array();
  for (size_t i = 0; i < n; i++)
    json_array_append_new(list, json_pack("{s:i, s:i, s:s, s:f, s:f, s:f, s:f, s:I, s:f}", "step", p[i].step, "cycle", p[i].cycle,
                                          "direction", cb_calibration_direction_names[p[i].direction], "mass_kg", p[i].mass_kg, "force_N",
                                          p[i].force_N, "reading", p[i].reading, "sd", p[i].sd, "n", (json_int_t)p[i].n, "t_s", p[i].t_s));
  return list;
}

static json_t *results_json(const cb_calibration *c) {
  return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "sensitivity_unit_per_N", cb_json_real(c->sensitivity),
                   "u_sensitivity_unit_per_N", cb_json_real(c->u_sensitivity), "intercept_unit", cb_json_real(c->intercept),
                   "u_intercept_unit", cb_json_real(c->u_intercept), "cov_intercept_sensitivity",
                   cb_json_real(c->cov_intercept_sensitivity), "residual_sd_unit", cb_json_real(c->residual_sd), "nonlinearity_N",
                   cb_json_real(c->nonlinearity_N), "hysteresis_N", cb_json_real(c->hysteresis_N), "repeatability_N",
                   cb_json_real(c->repeatability_N), "zero_return_N", cb_json_real(c->zero_return_N), "creep_N", cb_json_real(c->creep_N));
}

json_t *cli_calibration_document(const cb_calibration *c, const json_t *budget, const cb_calibration_point *points, size_t n) {
  json_t *doc =
      json_pack("{s:I, s:s, s:s, s:s, s:s, s:f, s:f, s:f, s:o, s:f, s:s, s:s, s:s, s:s, s:s, s:o, s:o, s:o, s:o}", "calibration_id",
                (json_int_t)c->id, "kind", cb_calibration_kind_names[c->kind], "origin", cb_origin_names[c->origin], "cell", c->cell,
                "unit", c->unit, "slope_N_per_unit", c->slope_N_per_unit, "u_rel", c->u_rel, "u_floor_N", c->u_floor_N, "dof",
                c->dof > 0 ? json_real(c->dof) : json_null(), "resolution_N", c->resolution_N, "certificate", c->certificate, "valid_from",
                c->valid_from, "valid_until", c->valid_until, "operator", c->operator_name, "created_at", c->created_at, "gravity_m_per_s2",
                c->gravity_m_per_s2 > 0 ? json_real(c->gravity_m_per_s2) : json_null(), "air_density_kg_per_m3",
                c->air_density_kg_per_m3 > 0 ? json_real(c->air_density_kg_per_m3) : json_null(), "temperature_degC",
                cb_json_real(c->temperature_degC), "full_scale_N", c->full_scale_N > 0 ? json_real(c->full_scale_N) : json_null());
  json_t *results = results_json(c);
  if (doc && results) (void)json_object_update(doc, results);
  json_decref(results);
  if (doc) (void)json_object_set_new(doc, "budget", budget ? json_deep_copy(budget) : json_null());
  if (doc) (void)json_object_set_new(doc, "points", points_json(points, n));
  return doc;
}

/* ---- text ---- */

void cli_calibration_print_line(const cb_calibration *c) {
  printf("calibration %-4lld %-9s %-9s cell %s, %.6g N per %s, u %.2g %%", (long long)c->id, cb_calibration_kind_names[c->kind],
         cb_origin_names[c->origin], c->cell[0] ? c->cell : "not said", c->slope_N_per_unit, c->unit, 100 * c->u_rel);
  if (c->u_floor_N > 0) printf(" and %.2g N", c->u_floor_N);
  printf(", %s%s%s%s\n", c->valid_from[0] ? "from " : "", c->valid_from, c->valid_until[0] ? " until " : "", c->valid_until);
}

static void print_fact(const char *name, double value_N, double full_scale_N) {
  if (!isnan(value_N)) printf("  %-16s %.3g N (%.3f %% of full scale)\n", name, value_N, 100 * value_N / full_scale_N);
}

static double number(const json_t *o, const char *key) { return json_number_value(json_object_get(o, key)); }

static void print_budget(const json_t *budget) {
  const json_t *sum = json_object_get(budget, "at_full_scale");
  const fit_budget b = {number(sum, "u_N"), cb_json_number(sum, "dof"), number(sum, "k"), number(sum, "U_N")};
  fit_budget_entry entries[FIT_CALIBRATION_ENTRIES];
  size_t n = lab_budget_entries_read(json_object_get(budget, "entries"), entries, FIT_CALIBRATION_ENTRIES);
  printf("  uncertainty budget at %.4g N\n", number(sum, "force_N"));
  cli_budget_print(entries, n, &b);
}

static void print_points(const cb_calibration_point *p, size_t n) {
  printf("  step cycle way       mass [g]   force [N]      reading        sd      n\n");
  for (size_t i = 0; i < n; i++)
    printf("  %4d %5d %-8s %9.3f %11.6f %12.7g %9.2g %6zu\n", p[i].step, p[i].cycle, cb_calibration_direction_names[p[i].direction],
           1e3 * p[i].mass_kg, p[i].force_N, p[i].reading, p[i].sd, p[i].n);
}

void cli_calibration_print(const cb_calibration *c, const json_t *budget, const cb_calibration_point *points, size_t n) {
  cli_calibration_print_line(c);
  printf("  certificate      %s\n", c->certificate[0] ? c->certificate : "none");
  if (c->operator_name[0]) printf("  operator         %s\n", c->operator_name);
  if (c->kind != CB_CALIBRATION_MEASURED) return;
  printf("  gravity, air     %.6g m/s2, %.4g kg/m3\n", c->gravity_m_per_s2, c->air_density_kg_per_m3);
  printf("  line             reading = %.6g + %.8g F; u %.2g, %.2g; covariance %.3g; residuals %.2g %s\n", c->intercept, c->sensitivity,
         c->u_intercept, c->u_sensitivity, c->cov_intercept_sensitivity, c->residual_sd, c->unit);
  print_fact("nonlinearity", c->nonlinearity_N, c->full_scale_N);
  print_fact("hysteresis", c->hysteresis_N, c->full_scale_N);
  print_fact("repeatability", c->repeatability_N, c->full_scale_N);
  print_fact("zero return", c->zero_return_N, c->full_scale_N);
  print_fact("creep", c->creep_N, c->full_scale_N);
  print_fact("digit", c->resolution_N, c->full_scale_N);
  if (budget) print_budget(budget);
  if (n > 0) print_points(points, n);
}

cb_status cli_calibration_show(cb_store *s, int64_t id, bool json, cb_err *err) {
  cb_calibration c;
  cb_calibration_point *points = NULL;
  char *text = NULL;
  size_t n = 0;
  cb_status st = CB_OK;
  json_t *budget = NULL;
  CB_GOTO(cb_store_calibration_get(s, id, &c, err));
  CB_GOTO(cb_store_calibration_points(s, id, &points, &n, err));
  CB_GOTO(cb_store_calibration_budget(s, id, &text, err));
  budget = cb_json_read(text);
  if (json && cli_print_json("calibrate", cli_calibration_document(&c, budget, points, n)) != CLI_DONE)
    st = cb_fail(err, CB_E_IO, "standard output could not be written");
  if (!json) cli_calibration_print(&c, budget, points, n);
done:
  json_decref(budget);
  free(text);
  free(points);
  return st;
}
