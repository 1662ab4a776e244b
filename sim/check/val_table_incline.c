/* Table of the cloth on a slope against the rigid body. */
#include <math.h>

#include "cb_num.h"
#include "val_incline.h"
#include "val_table_impl.h"

static cb_status add_hold(val_table *t, double angle_deg, cb_err *err) {
  val_incline e = val_incline_default();
  val_incline_result r;
  e.angle_rad = angle_deg * CB_DEG;
  e.duration_s = 10;
  CB_TRY(val_incline_run(&e, &r, err));
  val_table_add(t, (val_row){"incline", .predicted = r.largest_m, .pass = r.agrees, .seconds = r.seconds},
                "%g deg under mu 0.3: way in 10 s [m]", angle_deg);
  return CB_OK;
}

static cb_status add_slide(val_table *t, double angle_deg, double dt_s, sim_cloth_scheme scheme,
                           cb_err *err) {
  val_incline e = val_incline_default();
  val_incline_result r;
  e.angle_rad = angle_deg * CB_DEG;
  e.dt_s = dt_s;
  e.scheme = scheme;
  CB_TRY(val_incline_run(&e, &r, err));
  val_table_add(t,
                (val_row){"incline", .predicted = r.acceleration_m_per_s2, .reference = r.expected_m_per_s2,
                          .error = r.acceleration_m_per_s2 / r.expected_m_per_s2 - 1,
                          .allowed = VAL_INCLINE_ACCELERATION, .pass = r.agrees, .seconds = r.seconds},
                "%g deg, mu 0.3, %s, %g ms: a [m/s2]", angle_deg, sim_cloth_scheme_names[scheme], 1e3 * dt_s);
  return CB_OK;
}

/* tau = c p^n, and friction that differs by direction: on 10 cm2. */
static cb_friction_law example_law(double f00, double f01, double f11, double exponent) {
  return (cb_friction_law){.form = CB_FORM_GENERAL,
                           .contact_area_m2 = 1e-3,
                           .model = CB_MODEL_POWER,
                           .exponent = exponent,
                           .dof = INFINITY,
                           .n_knots = 1,
                           .knots = {{.normal_force_N = 1, .f_N = {f00, f01, f11}}}};
}

static cb_status add_path(val_table *t, sim_cloth_scheme scheme, cb_err *err) {
  cb_friction_law law = example_law(0.5, 0.05, 0.3, 1);
  val_incline e = val_incline_default();
  val_incline_result r;
  e.friction = (sim_friction){.kinetic_law = &law};
  e.angle_rad = 25 * CB_DEG;
  e.turned_rad = 30 * CB_DEG;
  e.launch_m_per_s = 1;
  e.launch_rad = 70 * CB_DEG;
  e.duration_s = 0.4;
  e.scheme = scheme;
  CB_TRY(val_incline_run(&e, &r, err));
  val_table_add(
      t,
      (val_row){"incline", .predicted = r.displacement_m[1], .reference = r.expected_m[1] + r.scheme_m[1],
                .error = r.way_error, .allowed = VAL_INCLINE_PATH, .pass = r.agrees, .seconds = r.seconds},
      "anisotropic, launch at 70 deg, %s: across [m]", sim_cloth_scheme_names[scheme]);
  return CB_OK;
}

static cb_status add_release(val_table *t, double areal_mass_g_m2, int vertices, cb_err *err) {
  cb_friction_law law = example_law(0.4, 0, 0.4, 0.8);
  val_incline e = val_incline_default();
  val_release r;
  e.friction = (sim_friction){.kinetic_law = &law};
  e.material.areal_density_kg_per_m2 = 1e-3 * areal_mass_g_m2;
  e.vertices = vertices;
  e.duration_s = 0.1;
  CB_TRY(val_incline_release(&e, VAL_RELEASE_WITHIN_DEG * CB_DEG, &r, err));
  val_table_add(t,
                (val_row){"incline", .predicted = r.angle_rad / CB_DEG, .reference = r.expected_rad / CB_DEG,
                          .error = r.angle_rad / r.expected_rad - 1,
                          .allowed = VAL_RELEASE_RAD / r.expected_rad, .pass = r.agrees},
                "F = c N^0.8, %g g/m2, %d vertices: releases [deg]", areal_mass_g_m2, r.vertices);
  return CB_OK;
}

cb_status val_table_incline(val_table *t, cb_err *err) {
  static const double holds[] = {10, 16, 16.5}, slides[] = {17, 20, 30, 45}, step[] = {0.001, 0.002};
  for (size_t i = 0; i < sizeof holds / sizeof *holds; i++) CB_TRY(add_hold(t, holds[i], err));
  for (size_t i = 0; i < sizeof slides / sizeof *slides; i++)
    CB_TRY(add_slide(t, slides[i], 0.005, SIM_BACKWARD_EULER, err));
  for (size_t i = 0; i < sizeof step / sizeof *step; i++)
    CB_TRY(add_slide(t, 30, step[i], SIM_BACKWARD_EULER, err));
  CB_TRY(add_slide(t, 30, 0.005, SIM_BDF2, err));
  CB_TRY(add_path(t, SIM_BACKWARD_EULER, err));
  CB_TRY(add_path(t, SIM_BDF2, err));
  for (int k = 0; k < 3; k++)
    for (int fine = 0; fine < 2; fine++) CB_TRY(add_release(t, 50 * pow(3, k), fine ? 5000 : 1250, err));
  return CB_OK;
}
