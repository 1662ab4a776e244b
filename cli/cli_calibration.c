#include "cli_calibration.h"

#include <math.h>
#include <stdio.h>

#include "cli_budget.h"

void cli_calibration_print_line(const cb_calibration *c) {
  printf("calibration %-4lld %-9s %-9s cell %s, %.6g N per %s, u %.2g %%", (long long)c->id,
         cb_calibration_kind_names[c->kind], cb_origin_names[c->origin], c->cell[0] ? c->cell : "not said",
         c->slope_N_per_unit, c->unit, 100 * c->u_rel);
  if (c->u_floor_N > 0) printf(" and %.2g N", c->u_floor_N);
  printf(", %s%s%s%s\n", c->valid_from[0] ? "from " : "", c->valid_from, c->valid_until[0] ? " until " : "",
         c->valid_until);
}

static void print_fact(const char *name, double value_N, double full_scale_N) {
  if (!isnan(value_N))
    printf("  %-16s %.3g N (%.3f %% of full scale)\n", name, value_N, 100 * value_N / full_scale_N);
}

static void print_points(const cb_calibration_point *p, size_t n) {
  printf("  step cycle way       mass [g]   force [N]      reading        sd      n\n");
  for (size_t i = 0; i < n; i++)
    printf("  %4d %5d %-8s %9.3f %11.6f %12.7g %9.2g %6zu\n", p[i].step, p[i].cycle,
           cb_calibration_direction_names[p[i].direction], 1e3 * p[i].mass_kg, p[i].force_N, p[i].reading,
           p[i].sd, p[i].n);
}

void cli_calibration_print(const lab_calibration *calibration, bool points) {
  const cb_calibration *c = &calibration->row;
  const lab_calibration_budget *budget = &calibration->budget;
  cli_calibration_print_line(c);
  printf("  certificate      %s\n", c->certificate[0] ? c->certificate : "none");
  if (c->operator_name[0]) printf("  operator         %s\n", c->operator_name);
  if (c->kind != CB_CALIBRATION_MEASURED) return;
  printf("  gravity, air     %.6g m/s2, %.4g kg/m3\n", c->gravity_m_per_s2, c->air_density_kg_per_m3);
  printf("  line             reading = %.6g + %.8g F; u %.2g, %.2g; covariance %.3g; residuals %.2g %s\n",
         c->intercept, c->sensitivity, c->u_intercept, c->u_sensitivity, c->cov_intercept_sensitivity,
         c->residual_sd, c->unit);
  print_fact("nonlinearity", c->nonlinearity_N, c->full_scale_N);
  print_fact("hysteresis", c->hysteresis_N, c->full_scale_N);
  print_fact("repeatability", c->repeatability_N, c->full_scale_N);
  print_fact("zero return", c->zero_return_N, c->full_scale_N);
  print_fact("creep", c->creep_N, c->full_scale_N);
  print_fact("digit", c->resolution_N, c->full_scale_N);
  if (budget->n_entries > 0) {
    printf("  uncertainty budget at %.4g N\n", budget->force_N);
    cli_budget_print(budget->entry, budget->n_entries, &budget->at_full_scale);
  }
  if (points && calibration->n_points > 0) print_points(calibration->points, calibration->n_points);
}
