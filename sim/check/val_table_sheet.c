/* Table of the sheet on the contact offset of a tilted body. */
#include <math.h>

#include "cb_num.h"
#include "val_table_impl.h"
#include "val_sheet_scene.h"

/* Steeper than where it releases: it has to slide. */
#define BEYOND_RAD (10 * CB_DEG)

const cb_friction_law val_table_sheet_law = {.form = CB_FORM_GENERAL,
                                             .contact_area_m2 = 1e-3,
                                             .model = CB_MODEL_POWER,
                                             .exponent = 0.9,
                                             .dof = INFINITY,
                                             .n_knots = 1,
                                             .knots = {{.normal_force_N = 1, .f_N = {0.3, 0.02, 0.2}}}};

static double relative(double a, double b) { return b != 0 ? a / b - 1 : a; }

static cb_status add_slide(val_table *t, val_sheet e, double turned_deg, cb_err *err) {
  val_sheet_result r;
  e.turned_rad = turned_deg * CB_DEG;
  CB_TRY(val_sheet_run(&e, &r, err));
  double error = relative(r.acceleration_m_per_s2, r.expected_m_per_s2);
  val_table_add(t,
                (val_row){"sheet-slide", .predicted = r.acceleration_m_per_s2,
                          .reference = r.expected_m_per_s2, .error = error, .allowed = VAL_SHEET_TOLERANCE,
                          .pass = fabs(error) <= VAL_SHEET_TOLERANCE, .seconds = r.seconds},
                "%s body, slope %g deg, %g from warp: a [m/s2]", val_sheet_body_names[e.body],
                round(10 * e.angle_rad / CB_DEG) / 10, turned_deg);
  if (e.body != VAL_SHEET_FREE) return CB_OK;
  error = relative(r.friction_Ns, r.expected_friction_Ns);
  val_table_add(t,
                (val_row){"sheet-slide", .predicted = r.friction_Ns, .reference = r.expected_friction_Ns,
                          .error = error, .allowed = VAL_SHEET_TOLERANCE,
                          .pass = fabs(error) <= VAL_SHEET_TOLERANCE && r.momentum_error <= 1e-6},
                "free body, %g deg from warp: given by friction [N s]", turned_deg);
  return CB_OK;
}

static cb_status add_hold(val_table *t, val_sheet e, double angle_rad, cb_err *err) {
  val_sheet_result r;
  e.angle_rad = angle_rad;
  e.duration_s = 2;
  CB_TRY(val_sheet_run(&e, &r, err));
  val_table_add(t,
                (val_row){"sheet-slide", .predicted = r.largest_m, .pass = r.largest_m <= VAL_SHEET_DRIFT_M,
                          .seconds = r.seconds},
                "%s body, half a degree below release: way in 2 s [m]", val_sheet_body_names[e.body]);
  return CB_OK;
}

static cb_status add_release(val_table *t, const val_sheet *given, double *release_rad, cb_err *err) {
  val_sheet e = *given;
  double angle;
  e.duration_s = 0.1;
  CB_TRY(val_sheet_release(&e, &angle, release_rad, err));
  val_table_add(
      t,
      (val_row){"sheet-slide", .predicted = angle / CB_DEG, .reference = *release_rad / CB_DEG,
                .error = relative(angle, *release_rad), .allowed = VAL_SHEET_RELEASE_RAD / *release_rad,
                .pass = fabs(angle - *release_rad) <= VAL_SHEET_RELEASE_RAD},
      "%s body, %g deg from warp: releases [deg]", val_sheet_body_names[e.body],
      round(e.turned_rad / CB_DEG));
  return CB_OK;
}

cb_status val_table_sheet(val_table *t, const val_sheet *given, cb_err *err) {
  static const double turned_deg[] = {0, 45, 90};
  double steepest = 0;
  for (int body = VAL_SHEET_PRESCRIBED; body <= VAL_SHEET_FREE; body++) {
    val_sheet e = *given;
    e.body = (val_sheet_body)body;
    for (int k = 0; k < 3 && body != VAL_SHEET_FREE; k += 2) {
      double release;
      e.turned_rad = turned_deg[k] * CB_DEG;
      CB_TRY(add_release(t, &e, &release, err));
      if (k == 0) CB_TRY(add_hold(t, e, release - CB_DEG / 2, err));
      steepest = fmax(steepest, release);
    }
    e.angle_rad = fmin(steepest + BEYOND_RAD, 85 * CB_DEG);
    for (int k = 0; k < 3; k++) CB_TRY(add_slide(t, e, turned_deg[k], err));
  }
  return CB_OK;
}

cb_status val_table_sheet_slide(val_table *t, cb_err *err) {
  val_sheet e = val_sheet_default();
  e.friction = (sim_friction){.kinetic_law = &val_table_sheet_law};
  return val_table_sheet(t, &e, err);
}
