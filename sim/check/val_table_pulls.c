/* Tables of the sled and the capstan. */
#include <math.h>

#include "cb_num.h"
#include "val_capstan.h"
#include "val_sled.h"
#include "val_table_impl.h"

cb_status val_table_sled(val_table *t, cb_err *err) {
  val_sled e = val_sled_default();
  val_sled_result r;
  cb_status st = val_sled_run(&e, &r, err);
  for (int k = 0; st == CB_OK && k < 2; k++) {
    val_table_add(t,
                  (val_row){"sled", .predicted = k == 0 ? r.mu_static : r.mu_kinetic,
                            .reference = k == 0 ? r.expected_mu_static : r.expected_mu_kinetic,
                            .error = k == 0 ? r.static_error : r.kinetic_error, .allowed = VAL_SLED_TOLERANCE,
                            .pass = r.agrees, .seconds = k == 0 ? r.seconds : 0},
                  "ASTM D1894: %s coefficient of friction", k == 0 ? "static" : "kinetic");
  }
  val_sled_result_clear(&r);
  return st;
}

/* Under tau = c p^n (Howell): T2^(1-n) = T1^(1-n) + (1-n) c R^(1-n) wrap, less what the motion takes. */
static double howell_ratio(const val_capstan *e) {
  const cb_friction_law *law = e->friction.kinetic_law;
  const double n = law->exponent, c = law->knots[0].f_N[0] * pow(law->contact_area_m2, n - 1),
               i = e->material.areal_density_kg_per_m2 * VAL_CAPSTAN_M_PER_S * VAL_CAPSTAN_M_PER_S,
               r = e->radius_m + e->material.thickness_m / 2;
  return (pow(pow(e->tension_N_per_m - i, 1 - n) + (1 - n) * c * pow(r, 1 - n) * e->wrap_rad, 1 / (1 - n)) +
          i) /
         e->tension_N_per_m;
}

static cb_status add_capstan(val_table *t, const val_capstan *e, const char *what, cb_err *err) {
  val_capstan_result r;
  CB_TRY(val_capstan_run(e, &r, err));
  const double reference =
      (e->friction.kinetic_law ? howell_ratio(e) : r.expected_ratio) * (1 + r.discretisation);
  const double error = r.ratio / reference - 1;
  val_table_add(t,
                (val_row){"capstan", .predicted = r.ratio, .reference = reference, .error = error,
                          .allowed = VAL_CAPSTAN_TOLERANCE, .pass = fabs(error) <= VAL_CAPSTAN_TOLERANCE,
                          .seconds = r.seconds},
                "%s, %g deg: T2/T1", what, e->wrap_rad / CB_DEG);
  return CB_OK;
}

/* Coulomb's law; a power of the pressure; a drum that turns under a strip that is held. */
cb_status val_table_capstan(val_table *t, cb_err *err) {
  for (int k = 0; k < 6; k++) {
    val_capstan e = val_capstan_default();
    e.wrap_rad = (double[]){90, 180, 360, 90, 180, 180}[k] * CB_DEG;
    e.drum = k == 5;
    if (k == 3 || k == 4) e.friction = (sim_friction){.kinetic_law = &val_table_sheet_law};
    CB_TRY(add_capstan(t, &e, k < 3 ? "mu 0.3" : k < 5 ? "tau = c p^0.9" : "drum under a belt, mu 0.3", err));
  }
  return CB_OK;
}
