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
  val_table_add(t,
                (val_row){"balloon", .reference = r.pressure_Pa[0] * r.volume_m3[0],
                          .predicted = r.pressure_Pa[1] * r.volume_m3[1], .error = r.pv_error,
                          .allowed = VAL_BALLOON_TOLERANCE,
                          .pass = r.pv_error <= VAL_BALLOON_TOLERANCE && r.least_J > 0, .seconds = r.seconds},
                "%s case, %d vertices: P V [J]", case_words, r.vertices);
  val_table_add(t,
                (val_row){"balloon", .predicted = r.lost, .error = r.lost, .allowed = VAL_BALLOON_LOST,
                          .pass = r.lost <= VAL_BALLOON_LOST},
                "%s case: air lost, relative", case_words);
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
  val_table_add(t,
                (val_row){"leak", .predicted = r.over_Pa, .reference = r.expected_Pa, .error = r.error,
                          .allowed = VAL_LEAK_TOLERANCE, .pass = r.agrees, .seconds = r.seconds},
                "%s: over-pressure [Pa]", words);
  return CB_OK;
}

static cb_status add_free(val_table *t, double kappa, cb_err *err) {
  val_leak_free r;
  CB_TRY(val_leak_run_free(kappa, 0.005, &r, err));
  val_table_add(t,
                (val_row){"leak", .predicted = r.lost, .error = r.lost, .allowed = VAL_BALLOON_LOST,
                          .pass = r.stable && r.lost <= VAL_BALLOON_LOST, .seconds = r.seconds},
                "free case, %g m/s, 5 ms: air lost, calm at the end", kappa);
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
    val_table_add(
        t,
        (val_row){"chambers", .predicted = r.difference_Pa, .reference = r.expected_Pa, .error = r.error,
                  .allowed = VAL_LEAK_TOLERANCE, .pass = r.agrees, .seconds = r.seconds},
        "two time constants, %s: difference [Pa]", sim_air_solver_names[solver]);
  }
  return CB_OK;
}

cb_status val_table_wind(val_table *t, cb_err *err) {
  val_wind e = val_wind_default();
  val_wind_result r;
  CB_TRY(val_wind_run(&e, &r, err));
  val_table_add(
      t,
      (val_row){"wind", .predicted = r.in_m3_per_s, .reference = r.expected_m3_per_s, .error = r.error,
                .allowed = VAL_WIND_TOLERANCE, .pass = r.agrees, .seconds = r.seconds},
      "through a closed case, %d vertices: in [m3/s]", r.vertices);
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
    const double reference = k > 0 ? before : r.height_m;
    val_table_add(
        t,
        (val_row){"bounce", .predicted = r.height_m, .reference = reference,
                  .error = r.height_m / reference - 1,
                  .pass = r.height_m > 0 && (k == 0 || r.height_m < before) && r.growth <= VAL_BOUNCE_GROWTH,
                  .seconds = r.seconds},
        "%g m/s at 200 Pa: height, below the one before [m]", kappa[k]);
    before = r.height_m;
  }
  return CB_OK;
}
