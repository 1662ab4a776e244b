/* clothbench predict slide: the pull of a rig by the laws of a pair, before it is measured. */
#include <math.h>
#include <stdio.h>

#include "cb_plus_minus.h"
#include "cli_kind.h"
#include "cli_seal.h"
#include "lab_slide_seal.h"

typedef struct request {
  lab_slide_question question;
  double like_run;
  const char *db, *seal;
  bool json;
} request;

static void print_prediction(const lab_slide_verdict *v) {
  char text[CB_PLUS_MINUS];
  printf("slide of %s on %s, %g deg, %.4g N normal force, %g mm/s, on the rig of run %lld\n\n", v->cloth,
         v->body, v->angle_deg, v->normal_force_N, 1e3 * v->speed_m_per_s, (long long)v->run_id);
  printf("%-24s predicted (95 %%)\n", "");
  for (int i = 0; i < LAB_SLIDE_QUANTITIES; i++)
    if (v->q[i].compared)
      printf("%-24s %s %s\n", lab_slide_quantity_names[i],
             cb_plus_minus(v->q[i].predicted, v->q[i].U_predicted, " +- ", text),
             lab_slide_quantity_units[i]);
  if (!v->inside_measured_range) printf("\nthe load lies outside the law's measured range\n");
}

static cb_status foresee(const request *q, lab_slide_verdict *v, cb_err *err) {
  cb_store *s;
  CB_TRY(cb_store_open(cli_db_to_read(q->db), CB_STORE_READ, &s, err));
  return cb_store_close_after(s, lab_slide_foresee(s, &q->question, v, err), err);
}

static int run_predict(const request *q) {
  lab_slide_verdict v;
  cb_err err = {""};
  cb_status st = q->seal ? lab_seal_check_new(q->seal, &err) : CB_OK;
  if (st == CB_OK) st = foresee(q, &v, &err);
  if (st == CB_OK && q->seal) st = cli_seal_write(q->seal, "slide", lab_slide_foreseen_json(&v), &err);
  if (st != CB_OK) return cli_fail("predict", st, &err);
  if (q->json) return cli_print_json("predict", lab_slide_foreseen_json(&v));
  print_prediction(&v);
  return CLI_DONE;
}

int cli_predict_slide(int argc, char **argv) {
  request q = {.question = {.angle_deg = NAN, .normal_force_N = NAN}};
  const cli_opt opts[] = {
      {"cloth", CLI_CLOTH, &q.question.cloth, "the cloth's name", .required = true},
      {"body", CLI_BODY, &q.question.body, "the body's name", .required = true},
      {"angle-deg", CLI_NUMBER, &q.question.angle_deg, "sliding direction in the cloth; else that of the run",
       .min = -360, .max = 360},
      {"normal-force-N", CLI_NUMBER, &q.question.normal_force_N, "load; else that of the run", .min = 1e-6,
       .max = 1e6},
      {"like-run", CLI_NUMBER, &q.like_run,
       "rig, area, speed and travel of this run; else of the newest of the pair", .min = 1, .max = 9e15},
      {"seal", CLI_TEXT, &q.seal, "write the prediction and its SHA-256, for 'validate slide --sealed'"},
      {"db", CLI_TEXT, &q.db, "the database file"},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  int stop =
      cli_parse(argc, argv,
                "predict slide --cloth NAME --body NAME [--angle-deg A] [--normal-force-N N] [--like-run ID] "
                "[--seal FILE] [--db FILE] [--json]",
                opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  q.question.like_run_id = (int64_t)q.like_run;
  return run_predict(&q);
}
