/* clothbench validate sheet-slide: a sheet on the buffer of a tilted body. */
#include <math.h>
#include <stdio.h>

#include "cb_num.h"
#include "cli_checks.h"
#include "cli_kind.h"
#include "cli_validate.h"
#include "val_sheet.h"

/* Steeper than where it releases: it has to slide. */
#define BEYOND_RAD (10 * CB_DEG)

static double relative(double a, double b) { return b != 0 ? a / b - 1 : a; }

static cb_status add_slide(cli_checks *c, val_sheet e, double turned_deg, cb_err *err) {
  val_sheet_result r;
  e.turned_rad = turned_deg * CB_DEG;
  CB_TRY(val_sheet_run(&e, &r, err));
  cli_check *row = cli_checks_add(c, "sheet-slide", "%s body, %g deg slope, %g deg from warp: a [m/s2]", val_sheet_body_names[e.body],
                                  round(10 * e.angle_rad / CB_DEG) / 10, turned_deg);
  row->predicted = r.acceleration_m_per_s2;
  row->reference = r.expected_m_per_s2;
  row->error = relative(r.acceleration_m_per_s2, r.expected_m_per_s2);
  row->allowed = VAL_SHEET_TOLERANCE;
  row->pass = fabs(row->error) <= VAL_SHEET_TOLERANCE;
  row->seconds = r.seconds;
  if (e.body != VAL_SHEET_FREE) return CB_OK;
  row = cli_checks_add(c, "sheet-slide", "free body, %g deg from warp: given by friction [N s]", turned_deg);
  row->predicted = r.friction_Ns;
  row->reference = r.expected_friction_Ns;
  row->error = relative(r.friction_Ns, r.expected_friction_Ns);
  row->allowed = VAL_SHEET_TOLERANCE;
  row->pass = fabs(row->error) <= VAL_SHEET_TOLERANCE && r.momentum_error <= 1e-6;
  return CB_OK;
}

static cb_status add_hold(cli_checks *c, val_sheet e, double angle_rad, cb_err *err) {
  val_sheet_result r;
  e.angle_rad = angle_rad;
  e.duration_s = 2;
  CB_TRY(val_sheet_run(&e, &r, err));
  cli_check *row = cli_checks_add(c, "sheet-slide", "%s body, half a degree below release: way in 2 s [m]", val_sheet_body_names[e.body]);
  row->predicted = r.largest_m;
  row->pass = r.largest_m <= VAL_SHEET_DRIFT_M;
  row->seconds = r.seconds;
  return CB_OK;
}

static cb_status add_release(cli_checks *c, const val_sheet *given, double *release_rad, cb_err *err) {
  val_sheet e = *given;
  double angle;
  e.duration_s = 0.1;
  CB_TRY(val_sheet_release(&e, &angle, release_rad, err));
  cli_check *row = cli_checks_add(c, "sheet-slide", "%s body, %g deg from warp: releases [deg]", val_sheet_body_names[e.body],
                                  round(e.turned_rad / CB_DEG));
  row->predicted = angle / CB_DEG;
  row->reference = *release_rad / CB_DEG;
  row->error = relative(angle, *release_rad);
  row->allowed = VAL_SHEET_RELEASE_RAD / *release_rad;
  row->pass = fabs(angle - *release_rad) <= VAL_SHEET_RELEASE_RAD;
  return CB_OK;
}

static cb_status add_all(cli_checks *c, const val_sheet *given, cb_err *err) {
  static const double turned_deg[] = {0, 45, 90};
  double steepest = 0;
  for (int body = VAL_SHEET_TOLD; body <= VAL_SHEET_FREE; body++) {
    val_sheet e = *given;
    e.body = (val_sheet_body)body;
    for (int k = 0; k < 3 && body != VAL_SHEET_FREE; k += 2) {
      double release;
      e.turned_rad = turned_deg[k] * CB_DEG;
      CB_TRY(add_release(c, &e, &release, err));
      if (k == 0) CB_TRY(add_hold(c, e, release - CB_DEG / 2, err));
      steepest = fmax(steepest, release);
    }
    e.angle_rad = fmin(steepest + BEYOND_RAD, 85 * CB_DEG);
    for (int k = 0; k < 3; k++) CB_TRY(add_slide(c, e, turned_deg[k], err));
  }
  return CB_OK;
}

/* Where none is told: on 10 cm2, tau = c p^0.9, more friction along the warp. */
static const cb_friction_law example = {.form = CB_FORM_GENERAL,
                                        .contact_area_m2 = 1e-3,
                                        .model = CB_MODEL_POWER,
                                        .exponent = 0.9,
                                        .dof = INFINITY,
                                        .n_knots = 1,
                                        .knots = {{.normal_force_N = 1, .f_N = {0.3, 0.02, 0.2}}}};

cb_status cli_check_sheet_slide(cli_checks *c, cb_err *err) {
  val_sheet e = val_sheet_default();
  e.friction = (sim_friction){.kinetic_law = &example};
  return add_all(c, &e, err);
}

int cli_validate_sheet_slide(int argc, char **argv) {
  static cli_rubbing rubbing; /* two laws are large */
  static cli_checks checks;
  rubbing = (cli_rubbing)CLI_RUBBING_DEFAULT;
  val_sheet e = val_sheet_default();
  double areal_mass_g_m2 = 150, vertices = 200;
  bool json = false, pass = true;
  const cli_opt opts[] = {
      CLI_RUBBING_OPTIONS(rubbing),
      {.name = "areal-mass-g-m2", .kind = CLI_NUMBER, .value = &areal_mass_g_m2, .min = 0.1, .max = 1e5, .help = "else 150"},
      {.name = "vertices", .kind = CLI_NUMBER, .value = &vertices, .min = 9, .max = 1e6, .help = "of the sheet, about; else 200"},
      {.name = "dt-s", .kind = CLI_NUMBER, .value = &e.dt_s, .min = 1e-6, .max = 0.1, .help = "step; else 0.002"},
      {.name = "json", .kind = CLI_SWITCH, .value = &json, .help = "one JSON document on standard output"},
  };
  int stop = cli_parse(argc, argv, "validate sheet-slide " CLI_RUBBING_USAGE " [--areal-mass-g-m2 M] [--vertices N] [--dt-s H] [--json]",
                       opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  if (!cli_rubbing_in_order(&rubbing)) return CLI_USAGE;
  e.vertices = (int)vertices;
  e.areal_density_kg_per_m2 = 1e-3 * areal_mass_g_m2;
  cb_err err = {""};
  checks.n = 0;
  bool told = rubbing.cloth || !isnan(rubbing.mu) || !isnan(rubbing.mu_static);
  cb_status st = cli_rubbing_read(&rubbing, &e.friction, &err);
  if (!told) e.friction = (sim_friction){.kinetic_law = &example};
  if (st == CB_OK) st = add_all(&checks, &e, &err);
  if (st != CB_OK) return cli_fail("validate", st, &err);
  for (int k = 0; k < checks.n; k++) pass = pass && checks.row[k].pass;
  if (!json) {
    cli_checks_print(&checks, false);
    printf("\nverdict: %s\n", pass ? "pass" : "fail");
  }
  return cli_verdict(json, json ? cli_checks_json(&checks, "sheet-slide", 1, 1) : NULL, pass);
}
