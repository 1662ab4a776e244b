/* clothbench predict self-friction: force of cloth on cloth at any two angles and load, with uncertainty.
 * Reads only. */
#include <math.h>
#include <stdio.h>

#include "cb_plus_minus.h"
#include "cli_kind.h"
#include "lab_predict.h"

typedef struct request {
  lab_self_question question;
  const char *db;
  double area_cm2; /* 0: the law's own */
  bool json;
} request;

static cb_status predict_force(const request *q, lab_self_answer *a, cb_err *err) {
  cb_store *s;
  CB_TRY(cb_store_open(q->db, CB_STORE_READ, &s, err));
  return cb_store_close_after(s, lab_self_friction_predict(s, &q->question, a, err), err);
}

static int print_answer(const lab_self_question *q, const lab_self_answer *a) {
  const cb_self_friction_law *law = &a->law;
  char force[CB_PLUS_MINUS], exponent[CB_PLUS_MINUS];
  printf("%s at %g deg on %s at %g deg under %g N on %g cm2 (%s)\n", law->cloth, q->angle_deg, law->body,
         q->body_angle_deg, q->normal_force_N, 1e4 * law->contact_area_m2, cb_origin_names[law->origin]);
  printf("  force  %s N (95 %%)\n", cb_plus_minus(a->value.force_N, a->u95_force_N, " +- ", force));
  if (isfinite(a->mu)) printf("  mu     %.4f\n", a->mu);
  if (!a->value.inside_measured_range)
    printf("  outside the measured loads: carried on by the power law with exponent %s (95 %%, %s)\n",
           cb_plus_minus_of_u(law->form.p[1], sqrt(law->cov[1][1]), law->dof, exponent),
           cb_self_exponent_names[law->exponent_from]);
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

static int run_predict(const request *q) {
  cb_err err = {""};
  lab_self_answer a;
  cb_status st = predict_force(q, &a, &err);
  if (st != CB_OK) return cli_fail("predict", st, &err);
  return q->json ? cli_print_json("predict", lab_self_answer_json(&q->question, &a))
                 : print_answer(&q->question, &a);
}

int cli_predict_self_friction(int argc, char **argv) {
  request q = {.area_cm2 = 0};
  lab_self_question *question = &q.question;
  const cli_opt opts[] = {
      {"cloth", CLI_CLOTH, &question->cloth, "the cloth's name", .required = true},
      {"body", CLI_CLOTH, &question->body, "the name of the cloth it slides on", .required = true},
      {"angle-deg", CLI_NUMBER, &question->angle_deg, "sliding direction in the cloth, 0 = warp",
       .required = true},
      {"body-angle-deg", CLI_NUMBER, &question->body_angle_deg, "the same in the body", .required = true},
      {"normal-force-N", CLI_NUMBER, &question->normal_force_N, "load", .required = true, .max = INFINITY},
      {"area-cm2", CLI_NUMBER, &q.area_cm2, "contact area; else that of the measurement", .min = 1e-3,
       .max = 1e6},
      {"db", CLI_TEXT, &q.db, "the database file"},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  int stop = cli_parse(argc, argv,
                       "predict self-friction --cloth NAME --body NAME --angle-deg A --body-angle-deg B "
                       "--normal-force-N N [--area-cm2 S] "
                       "[--db FILE] [--json]",
                       opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  q.db = cli_db_to_read(q.db);
  question->contact_area_m2 = 1e-4 * q.area_cm2;
  return run_predict(&q);
}
