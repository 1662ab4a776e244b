/* clothbench validate sag-particles: what a stiffness that grows does for the cloth at the pins. */
#include "cli_checks.h"
#include "cli_kind.h"
#include "val_sag.h"

/* Each sag against that of the lambda before: it must be less, and so must the strain at the pins. */
cb_status cli_check_sag_particles(cli_checks *c, cb_err *err) {
  static const double lambda[] = {0, 1600, 51200, 204800};
  val_sag_result before = {0};
  for (size_t k = 0; k < sizeof lambda / sizeof *lambda; k++) {
    val_sag e = val_sag_default();
    val_sag_result r;
    e.lambda_N_per_m3 = lambda[k];
    CB_TRY(val_sag_run(&e, &r, err));
    if (k == 0) before = r;
    cli_check *row = cli_checks_add(c, "sag-particles", "lambda %g N/m3: sag at the pins [m]", lambda[k]);
    row->predicted = r.sag_m;
    row->reference = before.sag_m;
    row->error = r.sag_m / before.sag_m - 1;
    row->pass = r.settled && (k == 0 || (r.sag_m < before.sag_m && r.pin_strain < before.pin_strain));
    row->seconds = r.seconds;
    before = r;
  }
  return CB_OK;
}

int cli_validate_sag_particles(int argc, char **argv) { return cli_checks_run("sag-particles", cli_check_sag_particles, argc, argv); }
