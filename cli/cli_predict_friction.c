/* clothbench predict friction: force with uncertainty at any angle and load. Reads only. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cb_num.h"
#include "cb_stats.h"
#include "cli_friction.h"
#include "cli_kind.h"

typedef struct request {
  const char *cloth, *body, *db, *kind_name;
  double angle_deg, normal_force_N, area_cm2; /* area NAN: the law's own */
  cb_friction_kind kind;
  bool json;
} request;

static cb_status load_law(const request *q, cb_friction_law *law, cb_err *err) {
  cb_store *s;
  bool fresh = false;
  CB_TRY(cb_store_open(q->db, CB_STORE_READ, &s, err));
  cb_status st = cli_friction_law(s, q->cloth, q->body, q->kind, law, &fresh, err);
  (void)cb_store_close(s, NULL);
  if (st == CB_OK && fresh)
    cli_say("predict", "no stored law covers all runs of this pair: fitted just now, not stored ('clothbench fit friction' stores it)");
  return st;
}

static void print_outside(const cb_friction_law *law, double normal_force_N) {
  int side = normal_force_N > law->knots[0].normal_force_N;
  printf("  outside the measured loads: carried on by ");
  if (law->model == CB_MODEL_OFFSET)
    printf("the law (N + %.4g N) that was fitted inside\n", law->offset_N);
  else
    printf("the power law with exponent %.3f +- %.3f\n", law->exponent, cb_friction_law_u_exponent(law, side));
}

static int print_value(const request *q, const cb_friction_law *law, const cb_friction_value *v) {
  double u95 = cb_student_t(0.95, v->dof) * v->u_force_N, mu = q->normal_force_N > 0 ? v->force_N / q->normal_force_N : NAN;
  if (q->json)
    return cli_print_json(
        "predict", json_pack("{s:s, s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:o, s:f, s:b, s:s, s:s, s:o}", "cloth", law->cloth, "body",
                             law->body, "kind", cb_friction_kind_names[law->kind], "angle_deg", q->angle_deg, "normal_force_N",
                             q->normal_force_N, "contact_area_m2", law->contact_area_m2, "force_N", v->force_N, "u_force_N", v->u_force_N,
                             "u95_force_N", u95, "mu", cli_json_real(mu), "dof", fmin(v->dof, 1e9), "inside_measured_range",
                             v->inside_measured_range, "origin", cb_origin_names[law->origin], "model", cb_friction_model_names[law->model],
                             "speed_m_per_s", cli_json_real(law->speed_m_per_s)));
  printf("%s on %s, %s friction at %g deg under %g N on %g cm2 (%s)\n", law->cloth, law->body, cb_friction_kind_names[law->kind],
         q->angle_deg, q->normal_force_N, 1e4 * law->contact_area_m2, cb_origin_names[law->origin]);
  printf("  force  %.5f N +- %.5f N (95 %%; standard uncertainty %.5f N)\n", v->force_N, u95, v->u_force_N);
  if (isfinite(mu)) printf("  mu     %.4f\n", mu);
  if (!v->inside_measured_range) print_outside(law, q->normal_force_N);
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

static int run_predict(const request *q) {
  cb_err err = {""};
  cb_friction_law law;
  cb_friction_value v;
  cb_status st = load_law(q, &law, &err);
  if (st != CB_OK) return cli_fail("predict", st, &err);
  if (!isnan(q->area_cm2)) law = cb_friction_law_on_area(&law, 1e-4 * q->area_cm2);
  /* A direction has no sign; the remainder also keeps huge angles exact. */
  cb_friction_law_eval(&law, remainder(q->angle_deg, 180) * CB_DEG, q->normal_force_N, &v);
  return print_value(q, &law, &v);
}

int cli_predict_friction(int argc, char **argv) {
  request q = {.kind_name = "kinetic", .area_cm2 = NAN};
  const cli_opt opts[] = {
      {.name = "cloth", .kind = CLI_TEXT, .value = &q.cloth, .help = "the cloth's name", .required = true},
      {.name = "body", .kind = CLI_TEXT, .value = &q.body, .help = "the body's name", .required = true},
      {.name = "angle-deg",
       .kind = CLI_NUMBER,
       .value = &q.angle_deg,
       .help = "sliding direction in the cloth, 0 = warp",
       .required = true},
      {.name = "normal-force-N", .kind = CLI_NUMBER, .value = &q.normal_force_N, .max = INFINITY, .help = "load", .required = true},
      {.name = "area-cm2",
       .kind = CLI_NUMBER,
       .value = &q.area_cm2,
       .min = 1e-3,
       .max = 1e6,
       .help = "contact area; else that of the measurement"},
      {.name = "kind", .kind = CLI_TEXT, .value = &q.kind_name, .help = "kinetic (default) or static"},
      {.name = "db", .kind = CLI_TEXT, .value = &q.db, .help = "the database file"},
      {.name = "json", .kind = CLI_SWITCH, .value = &q.json, .help = "one JSON document"},
  };
  int stop = cli_parse(
      argc, argv,
      "predict friction --cloth NAME --body NAME --angle-deg A --normal-force-N N [--area-cm2 S] [--kind KIND] [--db FILE] [--json]", opts,
      sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  bool kinetic = strcmp(q.kind_name, "kinetic") == 0;
  if (!kinetic && strcmp(q.kind_name, "static") != 0) {
    cli_say("predict", "--kind = '%s': kinetic or static was wanted", q.kind_name);
    return CLI_USAGE;
  }
  q.kind = kinetic ? CB_FRICTION_KINETIC : CB_FRICTION_STATIC;
  q.db = cli_db_path(q.db);
  return run_predict(&q);
}
