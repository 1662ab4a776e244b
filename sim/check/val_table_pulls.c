/* Tables of the sled and the capstan. */
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

cb_status val_table_capstan(val_table *t, cb_err *err) {
  static const double wrap_deg[] = {90, 180, 360};
  for (size_t i = 0; i < sizeof wrap_deg / sizeof *wrap_deg; i++) {
    val_capstan e = val_capstan_default();
    val_capstan_result r;
    e.wrap_rad = wrap_deg[i] * CB_DEG;
    CB_TRY(val_capstan_run(&e, &r, err));
    val_table_add(
        t,
        (val_row){"capstan", .predicted = r.ratio, .reference = r.expected_ratio * (1 + r.discretisation),
                  .error = r.error - r.discretisation, .allowed = VAL_CAPSTAN_TOLERANCE, .pass = r.agrees,
                  .seconds = r.seconds},
        "mu 0.3, %g deg: T2/T1", wrap_deg[i]);
  }
  return CB_OK;
}
