/* clothbench predict friction: force with uncertainty at any angle and load. Reads only. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli_budget.h"
#include "cli_friction.h"
#include "cli_kind.h"
#include "lab_predict.h"
#include "cb_plural.h"
#include "cb_num.h"
#include "cb_plus_minus.h"

/* The same question gets the same answer. */
#define MC_SEED 1

typedef struct request {
  lab_question question;
  const char *db, *kind_name;
  double area_cm2; /* 0: the law's own */
  bool json;
} request;

static cb_status predict_force(const request *q, lab_answer *a, cb_err *err) {
  cb_store *s;
  *a = (lab_answer){.mu = NAN};
  CB_TRY(cb_store_open(q->db, CB_STORE_READ, &s, err));
  return cb_store_close_after(s, lab_friction_predict(s, &q->question, a, err), err);
}

/* ---- Monte Carlo ---- */

static void print_draws(const fit_monte_carlo *m) {
  printf("  Monte Carlo, %zu draw%s (%s): mean %.5f N, standard uncertainty %.5f N\n", m->draws,
         CB_S(m->draws), fit_mc_outcome_text[m->outcome], m->mean_N, m->u_N);
  printf("    95 %% interval      %.5f to %.5f N, ends known to %.1g N; shortest %.5f to %.5f N\n", m->low_N,
         m->high_N, m->doubt_N, m->shortest_low_N, m->shortest_high_N);
  printf("    linear propagation %.5f to %.5f N: ends differ by %.2g and %.2g N, %.1g N are allowed\n",
         m->linear_low_N, m->linear_high_N, m->d_low_N, m->d_high_N, m->tolerance_N[FIT_MC_DIGITS - 1]);
  printf("    agrees with the linear propagation to %d digits: %s", FIT_MC_DIGITS,
         m->digits == FIT_MC_DIGITS ? "yes" : "no");
  printf(m->digits == FIT_MC_DIGITS ? "\n" : "; to 1 digit: %s\n", m->digits ? "yes" : "no");
}

/* ---- output ---- */

static void print_outside(const cb_friction_law *law, double angle_deg, double normal_force_N) {
  char exponent[CB_PLUS_MINUS];
  int side = normal_force_N > law->knots[0].normal_force_N;
  printf("  outside the measured loads: carried on by ");
  if (law->model == CB_MODEL_OFFSET)
    printf("the law (N + %.4g N) that was fitted inside\n", law->offset_N);
  else
    printf("the power law with exponent %s (95 %%)\n",
           cb_plus_minus_of_u(law->exponent, cb_friction_law_u_exponent(law, side), law->dof, exponent));
  const double until_N = cb_friction_law_known_until_N(law, angle_deg * CB_DEG, side);
  if (until_N > 0 && isfinite(until_N))
    printf("  %s %.3g N nothing is known: there the band is as wide as half the force\n",
           side ? "above" : "below", until_N);
}

static int print_answer(const lab_question *q, const lab_answer *a) {
  const cb_friction_law *law = &a->law;
  char force[CB_PLUS_MINUS];
  printf("%s on %s, %s friction at %g deg under %g N on %g cm2 (%s)\n", law->cloth, law->body,
         cb_friction_kind_names[law->kind], q->angle_deg, q->normal_force_N, 1e4 * law->contact_area_m2,
         cb_origin_names[law->origin]);
  printf("  force  %s N (95 %%)\n", cb_plus_minus(a->value.force_N, a->u95_force_N, " +- ", force));
  if (isfinite(a->mu)) printf("  mu     %.4f\n", a->mu);
  if (!a->value.inside_measured_range) print_outside(law, q->angle_deg, q->normal_force_N);
  if (q->wants_budget) cli_budget_force_print(&a->budget);
  if (q->wants_draws) print_draws(&a->draws);
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

static int show_answer(const request *r, const lab_answer *a) {
  const lab_question *q = &r->question;
  return r->json ? cli_print_json("predict", lab_answer_json(q, a)) : print_answer(q, a);
}

static int run_predict(const request *q) {
  cb_err err = {""};
  lab_answer a;
  cb_status st = predict_force(q, &a, &err);
  cli_pooled_warn(&a.pooled, q->question.cloth, q->question.body);
  if (a.law.n_knots > 0 && a.law.id == 0)
    cli_say("predict",
            "no stored law covers all runs of this pair: fitted just now, not stored ('clothbench fit "
            "friction' stores it)");
  int code = st == CB_OK ? show_answer(q, &a) : cli_fail("predict", st, &err);
  lab_answer_clear(&a);
  return code;
}

int cli_predict_friction(int argc, char **argv) {
  request q = {.kind_name = "kinetic", .question.seed = MC_SEED};
  lab_question *question = &q.question;
  const cli_opt opts[] = {
      {"cloth", CLI_CLOTH, &question->cloth, "the cloth's name", .required = true},
      {"body", CLI_BODY, &question->body, "the body's name", .required = true},
      {"angle-deg", CLI_NUMBER, &question->angle_deg, "sliding direction in the cloth, 0 = warp",
       .required = true},
      {"normal-force-N", CLI_NUMBER, &question->normal_force_N, "load", .required = true, .max = INFINITY},
      {"area-cm2", CLI_NUMBER, &q.area_cm2, "contact area; else that of the measurement", .min = 1e-3,
       .max = 1e6},
      {"kind", CLI_TEXT, &q.kind_name, "kinetic (default) or static"},
      {"budget", CLI_SWITCH, &question->wants_budget, "where the uncertainty comes from, entry by entry"},
      {"monte-carlo", CLI_SWITCH, &question->wants_draws,
       "laws drawn at random, against the linear propagation"},
      {"db", CLI_TEXT, &q.db, "the database file"},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  int stop = cli_parse(argc, argv,
                       "predict friction --cloth NAME --body NAME --angle-deg A --normal-force-N N "
                       "[--area-cm2 S] [--kind KIND] [--budget] [--monte-carlo] "
                       "[--db FILE] [--json]",
                       opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  bool kinetic = strcmp(q.kind_name, "kinetic") == 0;
  if (!kinetic && strcmp(q.kind_name, "static") != 0) {
    cli_say("predict", "--kind = '%s': kinetic or static was wanted", q.kind_name);
    return CLI_USAGE;
  }
  question->contact_area_m2 = 1e-4 * q.area_cm2;
  question->kind = kinetic ? CB_FRICTION_KINETIC : CB_FRICTION_STATIC;
  q.db = cli_db_to_read(q.db);
  return run_predict(&q);
}
