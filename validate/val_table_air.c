/* Tables of the air between cloth and body. */
#include <math.h>
#include <stdio.h>

#include "val_balloon.h"
#include "val_bounce.h"
#include "val_leak.h"
#include "val_table_impl.h"
#include "val_wind.h"

static cb_status add_balloon(val_table *t, const char *case_words, const val_balloon *e, cb_err *err) {
  val_balloon_result r;
  CB_TRY(val_balloon_run(e, &r, err));
  val_row *row = val_table_add(t, "balloon", "%s case, %d vertices: P V [J]", case_words, r.vertices);
  row->reference = r.pressure_Pa[0] * r.volume_m3[0];
  row->predicted = r.pressure_Pa[1] * r.volume_m3[1];
  row->error = r.pv_error;
  row->allowed = VAL_BALLOON_TOLERANCE;
  row->pass = r.pv_error <= VAL_BALLOON_TOLERANCE && r.least_J > 0;
  row->seconds = r.seconds;
  row = val_table_add(t, "balloon", "%s case: air lost, relative", case_words);
  row->predicted = row->error = r.lost;
  row->allowed = VAL_BALLOON_LOST;
  row->pass = r.lost <= VAL_BALLOON_LOST;
  return CB_OK;
}

cb_status val_table_balloon(val_table *t, cb_err *err) {
  val_balloon e = val_balloon_default();
  CB_TRY(add_balloon(t, "rigid", &e, err));
  e.rigid = false;
  e.ball_m[1] = 0.064;
  e.duration_s = 0.05;
  e.dt_s = 1e-3;
  return add_balloon(t, "cloth", &e, err);
}

static cb_status add_leak(val_table *t, const char *words, const val_leak *e, cb_err *err) {
  val_leak_result r;
  CB_TRY(val_leak_run(e, &r, err));
  val_row *row = val_table_add(t, "leak", "%s: over-pressure [Pa]", words);
  row->predicted = r.over_Pa;
  row->reference = r.expected_Pa;
  row->error = r.error;
  row->allowed = VAL_LEAK_TOLERANCE;
  row->pass = r.agrees;
  row->seconds = r.seconds;
  return CB_OK;
}

static cb_status add_free(val_table *t, double kappa, cb_err *err) {
  val_leak_free r;
  CB_TRY(val_leak_run_free(kappa, 0.005, &r, err));
  val_row *row = val_table_add(t, "leak", "free case, %g m/s, 5 ms: air lost, calm at the end", kappa);
  row->predicted = row->error = r.lost;
  row->allowed = VAL_BALLOON_LOST;
  row->pass = r.stable && r.lost <= VAL_BALLOON_LOST;
  row->seconds = r.seconds;
  return CB_OK;
}

cb_status val_table_leak(val_table *t, cb_err *err) {
  char words[48];
  val_leak e = val_leak_default();
  for (int decade = -4; decade <= 1; decade++) {
    e.kappa_m_per_s = pow(10, decade);
    (void)snprintf(words, sizeof words, "%g m/s at 200 Pa, two time constants", e.kappa_m_per_s);
    CB_TRY(add_leak(t, words, &e, err));
  }
  const cb_permeability_law law = {.material = "case",
                                   .reference_Pa = 100,
                                   .curve = {CB_PERMEABILITY_FORCHHEIMER, 0.1, 0.6},
                                   .dof_level = INFINITY,
                                   .dof_shape = INFINITY,
                                   .min_Pa = 10,
                                   .max_Pa = 1000};
  e.law = &law;
  e.times = 1;
  CB_TRY(add_leak(t, "Forchheimer, 60 % inertial at 100 Pa", &e, err));
  CB_TRY(add_free(t, 0, err));
  for (int decade = -4; decade <= 1; decade++) CB_TRY(add_free(t, pow(10, decade), err));
  return CB_OK;
}

cb_status val_table_chambers(val_table *t, cb_err *err) {
  for (int solver = SIM_AIR_CG; solver <= SIM_AIR_BICGSTAB; solver++) {
    val_chambers_result r;
    CB_TRY(val_chambers_run((sim_air_solver)solver, &r, err));
    val_row *row =
        val_table_add(t, "chambers", "two time constants, %s: difference [Pa]", sim_air_solver_names[solver]);
    row->predicted = r.difference_Pa;
    row->reference = r.expected_Pa;
    row->error = r.error;
    row->allowed = VAL_LEAK_TOLERANCE;
    row->pass = r.agrees;
    row->seconds = r.seconds;
  }
  return CB_OK;
}

cb_status val_table_wind(val_table *t, cb_err *err) {
  val_wind e = val_wind_default();
  val_wind_result r;
  CB_TRY(val_wind_run(&e, &r, err));
  val_row *row = val_table_add(t, "wind", "through a closed case, %d vertices: in [m3/s]", r.vertices);
  row->predicted = r.in_m3_per_s;
  row->reference = r.expected_m3_per_s;
  row->error = r.error;
  row->allowed = VAL_WIND_TOLERANCE;
  row->pass = r.agrees;
  row->seconds = r.seconds;
  return CB_OK;
}

/* Each height against that of the cloth before, which lets less through: it must be lower. */
cb_status val_table_bounce(val_table *t, cb_err *err) {
  static const double kappa[] = {0, 0.001, 0.003, 0.01, 0.03};
  double before = 0;
  for (size_t k = 0; k < sizeof kappa / sizeof *kappa; k++) {
    val_bounce e = val_bounce_default();
    val_bounce_result r;
    e.kappa_m_per_s = kappa[k];
    CB_TRY(val_bounce_run(&e, &r, err));
    val_row *row = val_table_add(t, "bounce", "%g m/s at 200 Pa: height, below the one before [m]", kappa[k]);
    row->predicted = r.height_m;
    row->reference = k > 0 ? before : r.height_m;
    row->error = r.height_m / row->reference - 1;
    row->pass = r.height_m > 0 && (k == 0 || r.height_m < before) && r.growth <= VAL_BOUNCE_GROWTH;
    row->seconds = r.seconds;
    before = r.height_m;
  }
  return CB_OK;
}
