/* clothbench validate incline --run: does the law of a pair predict a release or a slide on a slope? */
#include <math.h>
#include <stdio.h>

#include "cli_table.h"
#include "cli_validate.h"
#include "cli_verdict.h"
#include "lab_incline.h"

static void print_text(const lab_incline_verdict *v) {
  const bool release = v->law_kind == CB_FRICTION_STATIC;
  printf("%s: run %lld, %s on %s, %g deg in the cloth, %.4g g on a slope of %.4g deg (law: %s %s)\n\n",
         release ? "release" : "incline", (long long)v->run_id, v->cloth, v->body, v->angle_deg,
         1e3 * v->mass_kg, v->incline_deg, cb_origin_names[v->origin_law],
         cb_friction_kind_names[v->law_kind]);
  cli_print_quantities(v->q, lab_incline_quantity_names, lab_incline_quantity_units, LAB_INCLINE_QUANTITIES);
  cli_print_scatter(&v->scatter, v->inside_measured_range);
  printf("verdict: %s (largest |E_n| %.2f, 1 is allowed)\n", v->pass ? "pass" : "fail", v->worst_en);
}

static cb_status judge(const char *path, int64_t run_id, lab_incline_verdict *v, cb_err *err) {
  cb_store *s;
  cb_run run;
  CB_TRY(cb_store_open(path, CB_STORE_READ, &s, err));
  cb_status st = cb_store_run_get(s, run_id, &run, err);
  if (st == CB_OK) st = lab_incline_judge(s, &run, v, err);
  return cb_store_close_after(s, st, err);
}

static cb_status keep(cb_store *s, void *verdict, cb_err *err) { return lab_incline_store(s, verdict, err); }

int cli_validate_incline_run(const char *path, double run_id, bool json) {
  cb_err err = {""};
  lab_incline_verdict v;
  if (run_id != floor(run_id)) {
    cli_say("validate", "--run = %g: must be a whole number", run_id);
    return CLI_USAGE;
  }
  cb_status st = judge(path, (int64_t)run_id, &v, &err);
  if (st == CB_OK) st = cli_verdict_keep(path, keep, &v, &err);
  if (st != CB_OK) return cli_fail("validate", st, &err);
  if (!json) print_text(&v);
  return cli_verdict(json, json ? lab_incline_json(&v) : NULL, v.pass);
}
