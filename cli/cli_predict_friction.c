/* clothbench predict friction: force with uncertainty at any angle and load. Reads only. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cb_num.h"
#include "cb_stats.h"
#include "cli_budget.h"
#include "cli_friction.h"
#include "cli_kind.h"
#include "fit_monte_carlo.h"

/* The same question gets the same answer. */
#define MC_SEED 1

typedef struct request {
  const char *cloth, *body, *db, *kind_name;
  double angle_deg, normal_force_N, area_cm2; /* area NAN: the law's own */
  cb_friction_kind kind;
  bool json, budget, monte_carlo;
} request;

typedef struct answer {
  cb_friction_law law;
  cb_friction_value value;
  json_t *budget; /* NULL: not asked for */
  fit_monte_carlo draws;
} answer;

static cb_status predict_from(cb_store *s, const request *q, answer *a, cb_err *err) {
  /* A direction has no sign; the remainder also keeps huge angles exact. */
  double angle_rad = remainder(q->angle_deg, 180) * CB_DEG;
  bool fresh = false;
  CB_TRY(cli_friction_law(s, q->cloth, q->body, q->kind, &a->law, &fresh, err));
  if (fresh)
    cli_say("predict", "no stored law covers all runs of this pair: fitted just now, not stored ('clothbench fit friction' stores it)");
  if (!isnan(q->area_cm2)) a->law = cb_friction_law_on_area(&a->law, 1e-4 * q->area_cm2);
  cb_friction_law_eval(&a->law, angle_rad, q->normal_force_N, &a->value);
  if (q->budget) CB_TRY(cli_budget_force(s, &a->law, angle_rad, q->normal_force_N, &a->budget, err));
  return q->monte_carlo ? fit_monte_carlo_force(&a->law, angle_rad, q->normal_force_N, MC_SEED, &a->draws, err) : CB_OK;
}

static cb_status predict(const request *q, answer *a, cb_err *err) {
  cb_store *s;
  CB_TRY(cb_store_open(q->db, CB_STORE_READ, &s, err));
  cb_status st = predict_from(s, q, a, err);
  (void)cb_store_close(s, NULL);
  return st;
}

/* ---- Monte Carlo ---- */

static json_t *draws_json(const fit_monte_carlo *m) {
  return json_pack("{s:s, s:I, s:I, s:f, s:f, s:[f,f], s:[f,f], s:f, s:[f,f], s:f, s:f, s:f, s:i, s:b}", "outcome",
                   fit_mc_outcome_text[m->outcome], "draws", (json_int_t)m->draws, "seed", (json_int_t)MC_SEED, "mean_N", m->mean_N, "u_N",
                   m->u_N, "interval_N", m->low_N, m->high_N, "shortest_interval_N", m->shortest_low_N, m->shortest_high_N,
                   "interval_doubt_N", m->doubt_N, "linear_interval_N", m->linear_low_N, m->linear_high_N, "d_low_N", m->d_low_N,
                   "d_high_N", m->d_high_N, "tolerance_N", m->tolerance_N[FIT_MC_DIGITS - 1], "agreeing_digits", m->digits, "agrees",
                   m->digits == FIT_MC_DIGITS);
}

static void print_draws(const fit_monte_carlo *m) {
  printf("  Monte Carlo, %zu draws (%s): mean %.5f N, standard uncertainty %.5f N\n", m->draws, fit_mc_outcome_text[m->outcome], m->mean_N,
         m->u_N);
  printf("    95 %% interval      %.5f to %.5f N, ends known to %.1g N; shortest %.5f to %.5f N\n", m->low_N, m->high_N, m->doubt_N,
         m->shortest_low_N, m->shortest_high_N);
  printf("    linear propagation %.5f to %.5f N: ends differ by %.2g and %.2g N, %.1g N are allowed\n", m->linear_low_N, m->linear_high_N,
         m->d_low_N, m->d_high_N, m->tolerance_N[FIT_MC_DIGITS - 1]);
  printf("    agrees with the linear propagation to %d digits: %s", FIT_MC_DIGITS, m->digits == FIT_MC_DIGITS ? "yes" : "no");
  printf(m->digits == FIT_MC_DIGITS ? "\n" : "; to 1 digit: %s\n", m->digits ? "yes" : "no");
}

/* ---- output ---- */

static void print_outside(const cb_friction_law *law, double normal_force_N) {
  int side = normal_force_N > law->knots[0].normal_force_N;
  printf("  outside the measured loads: carried on by ");
  if (law->model == CB_MODEL_OFFSET)
    printf("the law (N + %.4g N) that was fitted inside\n", law->offset_N);
  else
    printf("the power law with exponent %.3f +- %.3f\n", law->exponent, cb_friction_law_u_exponent(law, side));
}

static int print_answer(const request *q, const answer *a) {
  const cb_friction_law *law = &a->law;
  const cb_friction_value *v = &a->value;
  double u95 = cb_student_t(0.95, v->dof) * v->u_force_N, mu = q->normal_force_N > 0 ? v->force_N / q->normal_force_N : NAN;
  if (q->json)
    return cli_print_json(
        "predict", json_pack("{s:s, s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:o, s:f, s:b, s:s, s:s, s:o, s:o, s:o}", "cloth", law->cloth,
                             "body", law->body, "kind", cb_friction_kind_names[law->kind], "angle_deg", q->angle_deg, "normal_force_N",
                             q->normal_force_N, "contact_area_m2", law->contact_area_m2, "force_N", v->force_N, "u_force_N", v->u_force_N,
                             "u95_force_N", u95, "mu", cb_json_real(mu), "dof", fmin(v->dof, 1e9), "inside_measured_range",
                             v->inside_measured_range, "origin", cb_origin_names[law->origin], "model", cb_friction_model_names[law->model],
                             "speed_m_per_s", cb_json_real(law->speed_m_per_s), "budget", a->budget ? json_incref(a->budget) : json_null(),
                             "monte_carlo", q->monte_carlo ? draws_json(&a->draws) : json_null()));
  printf("%s on %s, %s friction at %g deg under %g N on %g cm2 (%s)\n", law->cloth, law->body, cb_friction_kind_names[law->kind],
         q->angle_deg, q->normal_force_N, 1e4 * law->contact_area_m2, cb_origin_names[law->origin]);
  printf("  force  %.5f N +- %.5f N (95 %%; standard uncertainty %.5f N)\n", v->force_N, u95, v->u_force_N);
  if (isfinite(mu)) printf("  mu     %.4f\n", mu);
  if (!v->inside_measured_range) print_outside(law, q->normal_force_N);
  if (a->budget) cli_budget_force_print(a->budget);
  if (q->monte_carlo) print_draws(&a->draws);
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

static int run_predict(const request *q) {
  cb_err err = {""};
  answer a = {.budget = NULL};
  cb_status st = predict(q, &a, &err);
  int code = st == CB_OK ? print_answer(q, &a) : cli_fail("predict", st, &err);
  json_decref(a.budget);
  return code;
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
      {.name = "budget", .kind = CLI_SWITCH, .value = &q.budget, .help = "where the uncertainty comes from, entry by entry"},
      {.name = "monte-carlo", .kind = CLI_SWITCH, .value = &q.monte_carlo, .help = "laws drawn at random, against the linear propagation"},
      {.name = "db", .kind = CLI_TEXT, .value = &q.db, .help = "the database file"},
      {.name = "json", .kind = CLI_SWITCH, .value = &q.json, .help = "one JSON document"},
  };
  int stop = cli_parse(
      argc, argv,
      "predict friction --cloth NAME --body NAME --angle-deg A --normal-force-N N [--area-cm2 S] [--kind KIND] [--budget] [--monte-carlo] "
      "[--db FILE] [--json]",
      opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
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
