/* Tables without a closed form: stress tests, limits of strain, a stiffness that grows. */
#include "val_stress_tests.h"
#include "val_limit.h"
#include "val_sag.h"
#include "val_table_impl.h"

#define LIMIT_CELLS 8
#define LIMIT_APART_M 0.01 /* sheets that hang otherwise; the limits' difference is 4 % of 1 m */
#define LIMIT_WITHIN 1e-3  /* of strain: what a triangle may be outside by */
#define BOTH 2

cb_status val_table_stress_tests(val_table *t, cb_err *err) {
  val_stress_tests r;
  CB_TRY(val_stress_tests_run(600, NULL, &r, err));
  for (int k = 0; k < r.n; k++) {
    val_table_add(
        t,
        (val_row){"stress-tests",
                  .predicted = r.row[k].crossings + r.row[k].not_finite + 1e3 * r.row[k].penetration_m,
                  .pass = r.row[k].pass, .seconds = r.row[k].seconds},
        "%s: got through", r.row[k].name);
  }
  return CB_OK;
}

/* Each sag against that of the lambda before: it must be less, and so must the strain at the pins. */
cb_status val_table_sag_particles(val_table *t, cb_err *err) {
  static const double lambda[] = {0, 1600, 51200, 204800};
  val_sag_result before = {0};
  for (size_t k = 0; k < sizeof lambda / sizeof *lambda; k++) {
    val_sag e = val_sag_default();
    val_sag_result r;
    e.lambda_N_per_m3 = lambda[k];
    CB_TRY(val_sag_run(&e, &r, err));
    if (k == 0) before = r;
    val_table_add(t,
                  (val_row){"sag-particles", .predicted = r.sag_m, .reference = before.sag_m,
                            .error = r.sag_m / before.sag_m - 1,
                            .pass = r.settled &&
                                    (k == 0 || (r.sag_m < before.sag_m && r.pin_strain < before.pin_strain)),
                            .seconds = r.seconds},
                  "lambda %g N/m3: sag at the pins [m]", lambda[k]);
    before = r;
  }
  return CB_OK;
}

static cb_status run_limit_swap(sim_limit_kind kind, val_limit_result r[BOTH], cb_err *err) {
  val_limit e = val_limit_default();
  e.kind = kind;
  e.cells = LIMIT_CELLS;
  CB_TRY(val_limit_run(&e, NULL, &r[0], err));
  e.swapped = true;
  return val_limit_run(&e, NULL, &r[1], err);
}

static void add_limit_swap(val_table *t, sim_limit_kind kind, const val_limit_result r[BOTH]) {
  const double apart_m = val_limit_apart(&r[0], &r[1]),
               wanted_m = kind == SIM_LIMIT_PRINCIPAL ? 0 : LIMIT_APART_M;
  val_table_add(t,
                (val_row){"limit-swap", .predicted = apart_m, .reference = wanted_m,
                          .pass = kind == SIM_LIMIT_PRINCIPAL ? apart_m == 0 : apart_m >= wanted_m},
                "%s: exchanged limits hang it apart by [m]", sim_limit_kind_names[kind]);
  const double worst = r[0].excess_worst > r[1].excess_worst ? r[0].excess_worst : r[1].excess_worst;
  val_table_add(t,
                (val_row){"limit-swap", .predicted = worst, .allowed = LIMIT_WITHIN, .error = worst,
                          .pass = worst <= LIMIT_WITHIN},
                "%s: a triangle outside its limit, at most", sim_limit_kind_names[kind]);
}

cb_status val_table_limit_swap(val_table *t, cb_err *err) {
  for (int kind = 0; kind <= SIM_LIMIT_MAPPED; kind++) {
    val_limit_result r[BOTH] = {{.rounds = 0}};
    cb_status st = run_limit_swap((sim_limit_kind)kind, r, err);
    if (st == CB_OK) add_limit_swap(t, (sim_limit_kind)kind, r);
    for (int k = 0; k < BOTH; k++) val_limit_clear(&r[k]);
    CB_TRY(st);
  }
  return CB_OK;
}
