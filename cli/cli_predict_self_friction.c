/* clothbench predict self-friction: force of cloth on cloth at any two angles and load, with uncertainty. Reads only. */
#include <math.h>
#include <stdio.h>

#include "cb_num.h"
#include "cb_stats.h"
#include "cli_kind.h"
#include "lab_self_friction.h"

typedef struct request {
  const char *cloth, *body, *db;
  double angle_deg, body_angle_deg, normal_force_N, area_cm2; /* area NAN: the law's own */
  bool json;
} request;

static cb_status find_law(const request *q, cb_self_friction_law *law, cb_err *err) {
  cb_store *s;
  CB_TRY(cb_store_open(q->db, CB_STORE_READ, &s, err));
  cb_status st = lab_self_friction_law_find(s, q->cloth, q->body, law, err);
  (void)cb_store_close(s, NULL);
  if (st == CB_OK && !isnan(q->area_cm2)) *law = cb_self_friction_law_on_area(law, 1e-4 * q->area_cm2);
  return st;
}

static int print_answer(const request *q, const cb_self_friction_law *law, const cb_friction_value *v) {
  double u95 = cb_student_t(0.95, v->dof) * v->u_force_N, mu = q->normal_force_N > 0 ? v->force_N / q->normal_force_N : NAN;
  if (q->json)
    return cli_print_json(
        "predict",
        json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:o, s:f, s:b, s:s, s:s, s:s, s:o}", "cloth", law->cloth, "body",
                  law->body, "angle_deg", q->angle_deg, "body_angle_deg", q->body_angle_deg, "normal_force_N", q->normal_force_N,
                  "contact_area_m2", law->contact_area_m2, "force_N", v->force_N, "u_force_N", v->u_force_N, "u95_force_N", u95, "mu",
                  cb_json_real(mu), "dof", fmin(v->dof, 1e9), "inside_measured_range", v->inside_measured_range, "origin",
                  cb_origin_names[law->origin], "rule", cb_self_rule_names[law->form.rule], "exponent_from",
                  cb_self_exponent_names[law->exponent_from], "speed_m_per_s", cb_json_real(law->speed_m_per_s)));
  printf("%s at %g deg on %s at %g deg under %g N on %g cm2 (%s)\n", law->cloth, q->angle_deg, law->body, q->body_angle_deg,
         q->normal_force_N, 1e4 * law->contact_area_m2, cb_origin_names[law->origin]);
  printf("  force  %.5f N +- %.5f N (95 %%; standard uncertainty %.5f N)\n", v->force_N, u95, v->u_force_N);
  if (isfinite(mu)) printf("  mu     %.4f\n", mu);
  if (!v->inside_measured_range)
    printf("  outside the measured loads: carried on by the power law with exponent %.3f +- %.3f (%s)\n", law->form.p[1],
           sqrt(law->cov[1][1]), cb_self_exponent_names[law->exponent_from]);
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

static int run_predict(const request *q) {
  cb_err err = {""};
  cb_self_friction_law law;
  cb_friction_value v;
  cb_status st = find_law(q, &law, &err);
  if (st != CB_OK) return cli_fail("predict", st, &err);
  /* A direction has no sign; the remainder also keeps huge angles exact. */
  cb_self_friction_eval(&law, remainder(q->angle_deg, 180) * CB_DEG, remainder(q->body_angle_deg, 180) * CB_DEG, q->normal_force_N, &v);
  return print_answer(q, &law, &v);
}

int cli_predict_self_friction(int argc, char **argv) {
  request q = {.area_cm2 = NAN};
  const cli_opt opts[] = {
      {.name = "cloth", .kind = CLI_TEXT, .value = &q.cloth, .help = "the cloth's name", .required = true},
      {.name = "body", .kind = CLI_TEXT, .value = &q.body, .help = "the name of the cloth it slides on", .required = true},
      {.name = "angle-deg",
       .kind = CLI_NUMBER,
       .value = &q.angle_deg,
       .help = "sliding direction in the cloth, 0 = warp",
       .required = true},
      {.name = "body-angle-deg", .kind = CLI_NUMBER, .value = &q.body_angle_deg, .help = "the same in the body", .required = true},
      {.name = "normal-force-N", .kind = CLI_NUMBER, .value = &q.normal_force_N, .max = INFINITY, .help = "load", .required = true},
      {.name = "area-cm2",
       .kind = CLI_NUMBER,
       .value = &q.area_cm2,
       .min = 1e-3,
       .max = 1e6,
       .help = "contact area; else that of the measurement"},
      {.name = "db", .kind = CLI_TEXT, .value = &q.db, .help = "the database file"},
      {.name = "json", .kind = CLI_SWITCH, .value = &q.json, .help = "one JSON document"},
  };
  int stop = cli_parse(argc, argv,
                       "predict self-friction --cloth NAME --body NAME --angle-deg A --body-angle-deg B --normal-force-N N [--area-cm2 S] "
                       "[--db FILE] [--json]",
                       opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  q.db = cli_db_path(q.db);
  return run_predict(&q);
}
