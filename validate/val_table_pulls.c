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
    val_row *row =
        val_table_add(t, "sled", "ASTM D1894: %s coefficient of friction", k == 0 ? "static" : "kinetic");
    row->predicted = k == 0 ? r.mu_static : r.mu_kinetic;
    row->reference = k == 0 ? r.expected_mu_static : r.expected_mu_kinetic;
    row->error = k == 0 ? r.static_error : r.kinetic_error;
    row->allowed = VAL_SLED_TOLERANCE;
    row->pass = r.agrees;
    row->seconds = k == 0 ? r.seconds : 0;
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
    val_row *row = val_table_add(t, "capstan", "mu 0.3, %g deg: T2/T1", wrap_deg[i]);
    row->predicted = r.ratio;
    row->reference = r.expected_ratio * (1 + r.discretisation);
    row->error = r.error - r.discretisation;
    row->allowed = VAL_CAPSTAN_TOLERANCE;
    row->pass = r.agrees;
    row->seconds = r.seconds;
  }
  return CB_OK;
}
