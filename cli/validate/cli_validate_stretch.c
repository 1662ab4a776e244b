/* clothbench validate stretch: a strip in a direction that the law of the others predicts, against its tests.
 */
#include <math.h>
#include <stdio.h>

#include "cb_plus_minus.h"
#include "cli_kind.h"
#include "cli_verdict.h"
#include "lab_strip.h"
#include "cb_plural.h"

typedef struct request {
  lab_stretch_request lab;
  double angle_deg;
  const char *db, *origin;
  bool json;
} request;

static cb_status judge(const request *q, lab_strip *out, cb_err *err) {
  cb_store *s;
  *out = (lab_strip){.n_tests = 0};
  CB_TRY(cb_store_open(q->db, CB_STORE_READ, &s, err));
  return cb_store_close_after(s, lab_strip_judge(s, &q->lab, q->angle_deg, out, err), err);
}

static cb_status keep(cb_store *s, void *verdict, cb_err *err) { return lab_strip_keep(s, verdict, err); }

static void print_strip(const lab_strip *r) {
  char predicted[CB_PLUS_MINUS], measured[CB_PLUS_MINUS];
  printf("%s at %g deg: %zu test%s, predicted from %zu test%s of other directions by the form '%s'\n",
         r->cloth, r->angle_deg, r->n_tests, CB_S(r->n_tests), r->n_other_tests, CB_S(r->n_other_tests),
         cb_stretch_form_names[r->form]);
  printf("  %9s  %24s  %24s  %7s\n", "strain %", "predicted N/m, U 95 %", "measured N/m, U 95 %", "E_n");
  for (int k = 0; k < LAB_STRIP_POINTS; k++) {
    const lab_strip_point *p = &r->point[k];
    printf("  %9.3f  %24s  %24s  %7.2f\n", 100 * p->strain,
           cb_plus_minus(p->predicted_N_per_m, p->U_predicted_N_per_m, " +- ", predicted),
           cb_plus_minus(p->measured_N_per_m, p->U_measured_N_per_m, " +- ", measured), p->en);
  }
  if (r->validation_id > 0) printf("kept as validation %lld\n", (long long)r->validation_id);
  printf("verdict: %s\n", r->pass ? "pass" : "fail");
}

static int show_strip(const request *q, lab_strip *r) {
  cb_err err = {""};
  const cb_status st = cli_verdict_keep(q->db, keep, r, &err);
  if (st != CB_OK) return cli_fail("validate", st, &err);
  if (!q->json) print_strip(r);
  const int code = q->json ? cli_print_json("validate", lab_strip_json(r)) : CLI_DONE;
  return code == CLI_DONE && !r->pass ? CLI_NEGATIVE : code;
}

int cli_validate_stretch(int argc, char **argv) {
  request q = {.lab = {.opt = fit_stretch_options_default()}, .angle_deg = NAN};
  const cli_opt opts[] = {
      {"cloth", CLI_CLOTH, &q.lab.cloth, "the cloth's name", .required = true},
      {.name = "angle-deg",
       .kind = CLI_NUMBER,
       .value = &q.angle_deg,
       .required = true,
       .min = -360,
       .max = 360,
       .help = "the direction that is predicted, from the warp"},
      {"origin", CLI_TEXT, &q.origin, "only tests that are measured, imported, virtual or simulated"},
      {"db", CLI_TEXT, &q.db, "the database file"},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  int stop = cli_parse(argc, argv,
                       "validate stretch --cloth NAME --angle-deg D [--origin ORIGIN] [--db FILE] [--json]",
                       opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  q.db = cli_db_path(q.db);
  if (!cli_fit_origin(q.origin, &q.lab.origin)) return CLI_USAGE;
  cb_err err = {""};
  lab_strip r;
  const cb_status st = judge(&q, &r, &err);
  const int code = st == CB_OK ? show_strip(&q, &r) : cli_fail("validate", st, &err);
  lab_strip_clear(&r);
  return code;
}
