/* clothbench validate limit-swap: which limits of strain know warp from weft. */
#include "cli_checks.h"
#include "cli_kind.h"
#include "val_limit.h"

#define CELLS 8
#define APART_M 0.01 /* sheets that hang otherwise; the limits' difference is 4 % of 1 m */
#define WITHIN 1e-3  /* of strain: what a triangle may be outside by */
#define BOTH 2

static cb_status run_both(sim_limit_kind kind, val_limit_result r[BOTH], cb_err *err) {
  val_limit e = val_limit_default();
  e.kind = kind;
  e.cells = CELLS;
  CB_TRY(val_limit_run(&e, NULL, &r[0], err));
  e.swapped = true;
  return val_limit_run(&e, NULL, &r[1], err);
}

static void add_rows(cli_checks *c, sim_limit_kind kind, const val_limit_result r[BOTH]) {
  const double apart_m = val_limit_apart(&r[0], &r[1]), wanted_m = kind == SIM_LIMIT_PRINCIPAL ? 0 : APART_M;
  cli_check *row = cli_checks_add(c, "limit-swap", "%s: exchanged limits hang it apart by [m]", sim_limit_kind_names[kind]);
  row->predicted = apart_m;
  row->reference = wanted_m;
  row->pass = kind == SIM_LIMIT_PRINCIPAL ? apart_m == 0 : apart_m >= wanted_m;
  row = cli_checks_add(c, "limit-swap", "%s: a triangle outside its limit, at most", sim_limit_kind_names[kind]);
  row->predicted = r[0].excess_worst > r[1].excess_worst ? r[0].excess_worst : r[1].excess_worst;
  row->allowed = WITHIN;
  row->error = row->predicted;
  row->pass = row->predicted <= WITHIN;
}

static cb_status check_limit_swap(cli_checks *c, cb_err *err) {
  for (int kind = 0; kind < SIM_LIMIT_KINDS; kind++) {
    val_limit_result r[BOTH] = {{.rounds = 0}};
    cb_status st = run_both((sim_limit_kind)kind, r, err);
    if (st == CB_OK) add_rows(c, (sim_limit_kind)kind, r);
    for (int k = 0; k < BOTH; k++) val_limit_clear(&r[k]);
    CB_TRY(st);
  }
  return CB_OK;
}

int cli_validate_limit_swap(int argc, char **argv) { return cli_checks_run("limit-swap", check_limit_swap, argc, argv); }
