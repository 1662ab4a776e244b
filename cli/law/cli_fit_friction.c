/* clothbench fit friction: runs of a pair -> points -> laws with verdicts. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli_friction.h"
#include "lab_friction_words.h"
#include "cli_kind.h"
#include "cli_selection.h"
#include "cb_plural.h"
#include "cb_plus_minus.h"
#include "cb_text.h"

typedef struct request {
  const char *cloth, *body, *db;
  cli_selection which;
  double at_N; /* 0: the measured loads alone */
  bool json, details;
} request;

/* ---- the readable table: a law ---- */

static void print_knots(const cb_friction_law *law) {
  static const char *const names[] = {"f00", "f01", "f11"};
  printf("  %12s", "load N");
  for (int i = 0; i < 3; i++) printf("  %10s  %9s", names[i], "u");
  printf("   (force N, standard uncertainty with calibration)\n");
  for (size_t k = 0; k < law->n_knots; k++) {
    double cov[3][3];
    cb_friction_law_knot_cov(law, k, cov);
    printf("  %12.5g", law->knots[k].normal_force_N);
    for (int i = 0; i < 3; i++) printf("  %10.5f  %9.5f", law->knots[k].f_N[i], sqrt(fmax(0, cov[i][i])));
    printf("\n");
  }
}

static void print_law(const lab_friction_force *force) {
  const cb_friction_law *law = &force->fit.law;
  print_knots(law);
  printf("  law %s, %s", cb_friction_model_names[law->model], cb_friction_form_names[law->form]);
  if (law->offset_N > 0) printf(", offset %.4g N", law->offset_N);
  if (law->speed_m_per_s > 0) printf(", at %.4g mm/s", 1e3 * law->speed_m_per_s);
  if (force->fit.n_candidates > 1) {
    const fit_candidate *second = &force->fit.candidates[1];
    printf("; runner-up %s, %s (AICc %+.1f)", cb_friction_model_names[second->model],
           cb_friction_form_names[second->form], second->delta);
  }
  char exponent[CB_PLUS_MINUS];
  printf("\n  exponent outside the loads %s, %g degrees of freedom\n",
         cb_plus_minus_of_u(law->exponent, cb_friction_law_u_exponent(law, 1), law->dof, exponent),
         round(10 * fmin(law->dof, 1e9)) / 10);
}

/* Where the measurements say that more load makes less friction. */
static void print_falling(const fit_test *t) {
  if (t->done && t->p_value < 0.01)
    printf("  the force falls by %.3g %% with rising load, p = %.3g: the curve was not made to rise\n",
           t->effect, t->p_value);
}

static void print_outlier(const lab_outlier *o, const char *what, const char *why) {
  char words[LAB_WORDS];
  (void)lab_friction_fault_words(&o->found, words);
  printf("  run %lld %s: at %g deg under %.4g N it is %+.1f %% off, %.1f sigma; %s%s%s\n",
         (long long)o->run_id, what, o->angle_deg, o->normal_force_N, o->found.departure_percent,
         o->found.sigma, why, words[0] ? "; " : "", words);
}

/* Runs that do not belong, or may not, by name. */
static void print_outliers(const lab_friction_force *force) {
  for (size_t i = 0; i < force->fit.n_outliers; i++)
    print_outlier(&force->outliers[i], "left out", "other runs at this direction and load contradict it");
  for (size_t i = 0; i < force->fit.n_doubtful; i++)
    print_outlier(&force->doubtful[i], "doubtful, kept",
                  "no other run at this direction and load contradicts it: repeat it");
}

/* Only where there are several lots. */
static void print_lots(const fit_friction_law *f) {
  const fit_lots *l = &f->lots;
  if (l->n < 2) return;
  if (!l->test.done) {
    printf("  %zu lot%s: too few runs at the same directions and loads tell whether they differ\n", l->n,
           CB_S(l->n));
    return;
  }
  printf("  %zu lot%s %s: %.2g %% apart at most, p = %.2g", l->n, CB_S(l->n),
         l->test.p_value < FIT_LOTS_P ? "differ" : "do not differ beyond chance", l->test.effect,
         l->test.p_value);
  if (l->sd_rel > 0) printf("; from lot to lot %.2g %%, in the band", 100 * l->sd_rel);
  printf("\n");
}

static void print_force(const char *kind, const lab_friction_force *force) {
  if (force->fit.outcome != FIT_FRICTION_OK) return;
  printf("%s friction, %zu point%s, rms misfit %.3g N\n", kind, force->fit.n_points,
         CB_S(force->fit.n_points), force->fit.rmse_N);
  print_law(force);
}

/* What a reader must know of the force before he believes it. */
static void print_notes(const lab_friction_force *force) {
  if (force->fit.outcome != FIT_FRICTION_OK) return;
  print_falling(&force->fit.falling);
  print_lots(&force->fit);
  print_outliers(force);
  cli_friction_far_print(force);
}

/* ---- verdicts ---- */

/* " of campaign 3"; "" where there is only one campaign, or where the runs are of several. Returns out. */
static char *name_campaign(const lab_pooled *p, int64_t id, char out[64]) {
  out[0] = '\0';
  if (p->n > 1 && id > 0) (void)snprintf(out, 64, " of campaign %lld", (long long)id);
  return out;
}

/* "; 6 runs of campaign 1 are not in it". campaign_id: whose runs are in it. */
static void print_elsewhere(const lab_pooled *p, size_t n, int64_t campaign_id) {
  char of[64] = "";
  if (n == 0) return;
  if (p->n == 2) (void)name_campaign(p, p->campaigns[p->campaigns[0].id == campaign_id ? 1 : 0].id, of);
  printf("; %zu run%s%s %s not in it", n, CB_S(n), of[0] ? of : " of other campaigns", n == 1 ? "is" : "are");
}

static void print_mean(const lab_friction *f, const fit_angle *a) {
  char of[64];
  printf("  mu at %g deg  %.4f", a->angle_deg + 0.0, a->mean_mu);
  if (!isnan(a->sd_mu)) printf(", sd %.4f", a->sd_mu);
  printf(" (%zu run%s%s at %.4g N", a->n, a->n > 1 ? "s" : "", name_campaign(&f->pooled, a->campaign_id, of),
         f->verdict.fixed_load_N);
  print_elsewhere(&f->pooled, a->n_elsewhere, a->campaign_id);
  printf(")\n");
}

static void print_nonlinearity(const lab_friction *f, const fit_angle *a) {
  char of[64];
  printf("  nonlinearity at %g deg  %.1f %%", a->angle_deg + 0.0, a->nonlinearity_percent);
  if (!isnan(a->power_N))
    printf("; power law %.4g N (N / 1 N)^%.3f, R2 = %.4f", a->power_N, a->exponent, a->r2);
  if (!isnan(a->power_N) && a->n_sweep_elsewhere > 0) {
    printf(" (%zu run%s%s", a->n_sweep, a->n_sweep > 1 ? "s" : "",
           name_campaign(&f->pooled, a->sweep_campaign_id, of));
    print_elsewhere(&f->pooled, a->n_sweep_elsewhere, a->sweep_campaign_id);
    printf(")");
  }
  printf("\n");
}

static void print_angles(const lab_friction *f) {
  const fit_verdict *v = &f->verdict;
  for (size_t i = 0; i < v->n_angles; i++)
    if (v->angles[i].n > 0) print_mean(f, &v->angles[i]);
  for (size_t i = 0; i < v->n_angles; i++)
    if (!isnan(v->angles[i].nonlinearity_percent)) print_nonlinearity(f, &v->angles[i]);
}

static void print_tests(const fit_verdict *v) {
  for (int i = 0; i < LAB_FRICTION_TESTS; i++) {
    const fit_test *t = lab_friction_test_of(v, i);
    printf("  test of %-15s  ", lab_friction_tests[i].name);
    if (t->done)
      printf("p = %.3g, %s = %.4g\n", t->p_value, lab_friction_tests[i].effect, t->effect);
    else
      printf("not enough data\n");
  }
}

/* Only where speeds were varied. */
static void print_speed(const fit_speed *s) {
  const fit_stribeck_curve *c = &s->stribeck;
  if (s->n_speeds < 2) return;
  printf("  %zu speed%s from %.4g to %.4g mm/s, the law at %.4g mm/s: %+.3g %% per decade, p = %.3g\n",
         s->n_speeds, CB_S(s->n_speeds), 1e3 * s->slowest_m_per_s, 1e3 * s->fastest_m_per_s,
         1e3 * s->law_m_per_s, s->test.done ? s->test.effect : NAN, s->test.done ? s->test.p_value : NAN);
  if (c->test.done)
    printf(
        "  Stribeck curve (times the law): %.4g + (%.4g - %.4g) exp(-(v / %.4g mm/s)^2) + %.4g v s/m, p = "
        "%.3g\n",
        c->coulomb, c->breakaway, c->coulomb, 1e3 * c->speed_m_per_s, c->viscous_s_per_m, c->test.p_value);
}

/* By the authors' rules. */
static void print_rules(const fit_verdict *v) {
  if (!isnan(v->anisotropy_percent))
    printf("  anisotropy %.1f %% by the rule of Chen et al. 2013, which allows %g %%\n",
           v->anisotropy_percent, FIT_ISOTROPIC_PERCENT);
  if (!isnan(v->nonlinearity_percent))
    printf("  nonlinearity %.1f %% by their rule, which allows %g %%\n", v->nonlinearity_percent,
           FIT_LINEAR_PERCENT);
}

/* ---- sources ---- */

static void print_calibration(const cb_calibration *c) {
  printf("  calibration %lld (%s, %s): u = %.2g %%", (long long)c->id, cb_calibration_kind_names[c->kind],
         c->certificate, 100 * c->u_rel);
  if (c->u_floor_N > 0) printf(" and %.2g N at every force", c->u_floor_N);
  if (c->dof > 0) printf(", %.3g degrees of freedom", c->dof);
  printf("\n");
}

/* Which runs are to be trusted less. */
static void print_faults(const lab_friction_sources *s) {
  for (size_t i = 0; i < s->n_flags; i++)
    printf("  %zu run%s flagged '%s'\n", s->flags[i].n_runs, s->flags[i].n_runs > 1 ? "s are" : " is",
           s->flags[i].word);
  if (s->n_without_force > 0)
    printf("  %zu run%s left out: no kinetic force could be told\n", s->n_without_force,
           s->n_without_force > 1 ? "s are" : " is");
}

static void print_details(const lab_friction *f) {
  print_rules(&f->verdict);
  print_angles(f);
  print_tests(&f->verdict);
  for (size_t i = 0; i < f->sources.n_calibrations; i++) print_calibration(&f->sources.calibrations[i]);
  print_force("kinetic", &f->kinetic);
  print_force("static", &f->stat);
}

static void print_table(const request *q, const lab_friction *f) {
  printf("%s on %s, %s\n", f->cloth, f->body, cb_origin_names[f->kinetic.fit.law.origin]);
  if (!isnan(f->body_angle_deg)) printf("  with the body at %g deg\n", f->body_angle_deg);
  cli_friction_said_print(f, q->at_N);
  print_speed(&f->speed);
  cli_pooled_print(&f->pooled);
  print_notes(&f->kinetic);
  print_notes(&f->stat);
  print_faults(&f->sources);
  if (q->details)
    print_details(f);
  else
    printf("  --details: the law, its tests and its calibration\n");
}

static int show_laws(const request *q, const lab_friction *f) {
  if (q->json) return cli_print_json("fit", lab_friction_json(f));
  print_table(q, f);
  if (fflush(stdout) == 0) return CLI_DONE;
  cli_say("fit", "the result could not be written to standard output");
  return CLI_FAILED;
}

/* ---- a database that only holds laws ---- */

static int show_stored(const void *request_, cb_store *s) {
  const request *q = request_;
  cb_err err = {""};
  lab_friction f;
  if (!q->cloth) {
    cli_say("fit", "%s holds laws only: --cloth and --body were wanted", q->db);
    return CLI_USAGE;
  }
  cb_status st = lab_friction_stored(s, q->cloth, q->body, &f, &err);
  int code = st == CB_OK ? show_laws(q, &f) : cli_fail("fit", st, &err);
  lab_friction_clear(&f);
  return code;
}

/* ---- a laboratory's database ---- */

static void say_overruled(const lab_friction *f) {
  char reason[sizeof f->overruled->reason], person[sizeof f->overruled->operator_name];
  if (f->n_overruled > 0)
    cli_say("fit", "%zu verdict%s %s overruled", f->n_overruled, CB_S(f->n_overruled),
            CB_WERE(f->n_overruled));
  for (size_t i = 0; i < f->n_overruled; i++) {
    const cb_correction *c = &f->overruled[i];
    cli_say("fit", "run %lld is %s, says %s: %s", (long long)c->run_id, c->is,
            cb_text_show(c->operator_name, person, sizeof person),
            cb_text_show(c->reason, reason, sizeof reason));
  }
}

/* Which runs there were, and what differs between them. */
static void say_runs(const request *q, const lab_friction *f) {
  char angle[32] = "an angle that is not known";
  if (!isnan(f->body_angle_deg)) (void)snprintf(angle, sizeof angle, "%g deg", f->body_angle_deg);
  if (f->n_reduced > 0)
    cli_say("fit", "%zu run%s reduced to friction points", f->n_reduced,
            f->n_reduced == 1 ? " was" : "s were");
  if (f->n_voided > 0)
    cli_say("fit", "%zu run%s of %s on %s voided, and left out", f->n_voided, CB_S(f->n_voided), f->cloth,
            f->body);
  if (f->n_amended > 0)
    cli_say("fit", "%zu run%s of %s on %s amended", f->n_amended, CB_S(f->n_amended), f->cloth, f->body);
  say_overruled(f);
  if (f->n_other_body > 0)
    cli_say("fit",
            "%zu run%s left out: the law is that of the body at %s; 'clothbench fit self-friction' takes all",
            f->n_other_body, f->n_other_body == 1 ? " is" : "s are", angle);
  cli_pooled_warn(&f->pooled, q->cloth, q->body);
  if (lab_selection_is_partial(&q->which.sel))
    cli_say("fit", "this law holds for the %zu selected run%s and was not stored", f->n_runs,
            CB_S(f->n_runs));
}

/* What went wrong in the pulls, and what to do. */
static void say_faults(const lab_friction_sources *s) {
  if (s->judged.n_of[FIT_INVALID] > 0)
    cli_say("fit", "%zu of %zu pull%s %s invalid, and in no law", s->judged.n_of[FIT_INVALID], s->n_pulls,
            CB_S(s->n_pulls), CB_ARE(s->judged.n_of[FIT_INVALID]));
  if (s->judged.n_of[FIT_DOUBTFUL] > 0)
    cli_say("fit", "%zu of %zu pull%s %s doubtful, and %s with the uncertainty of that",
            s->judged.n_of[FIT_DOUBTFUL], s->n_pulls, CB_S(s->n_pulls), CB_ARE(s->judged.n_of[FIT_DOUBTFUL]),
            CB_PLURAL(s->judged.n_of[FIT_DOUBTFUL], "counts", "count"));
  if (s->n_left_out > 0)
    cli_say("fit", "%zu of %zu pull%s %s left out: others at %s direction and load contradict %s",
            s->n_left_out, s->n_pulls, CB_S(s->n_pulls), CB_ARE(s->n_left_out),
            CB_PLURAL(s->n_left_out, "its", "their"), CB_PLURAL(s->n_left_out, "it", "them"));
  if (s->n_unjudged > 0)
    cli_say(
        "fit",
        "%zu of %zu pull%s %s no verdict: an earlier version reduced %s, and the readings are not here; what "
        "helps: pull again",
        s->n_unjudged, s->n_pulls, CB_S(s->n_pulls), CB_PLURAL(s->n_unjudged, "has", "have"),
        CB_PLURAL(s->n_unjudged, "it", "them"));
  cli_faults_say("fit", s->judged.n_of_fault);
}

/* Ran, but nothing could be fitted: an outcome, not an error. */
static int show_outcome(const request *q, const fit_friction_law *fit) {
  char why[FIT_WHY];
  fit_friction_why(fit, why);
  cli_say("fit", "%s on %s: %s; no law was stored", q->cloth, q->body, why);
  if (q->json)
    (void)cli_print_json("fit",
                         json_pack("{s:s, s:s, s:s}", "cloth", q->cloth, "body", q->body, "outcome", why));
  return CLI_NEGATIVE;
}

static int fit_one_pair(const request *q, cb_store *s) {
  cb_err err = {""};
  lab_friction f;
  cb_status st = cli_selection_say("fit", s, &q->which.sel, q->cloth, q->body, &err);
  if (st != CB_OK) return cli_fail("fit", st, &err);
  st = lab_friction_fit(s, q->cloth, q->body, &q->which.sel, &f, &err);
  say_runs(q, &f);
  say_faults(&f.sources);
  int code;
  if (st != CB_OK)
    code = cli_fail("fit", st, &err);
  else
    code = f.kinetic.fit.outcome == FIT_FRICTION_OK ? show_laws(q, &f) : show_outcome(q, &f.kinetic.fit);
  if (f.mixes_origins) cli_say("fit", "--origin measured, imported or virtual chooses one");
  lab_friction_clear(&f);
  return code;
}

static void print_line(void *n_pairs, const lab_friction *f) {
  const fit_friction_law *fit = &f->kinetic.fit;
  (*(size_t *)n_pairs)++;
  cli_pooled_warn(&f->pooled, f->cloth, f->body);
  if (fit->outcome != FIT_FRICTION_OK) {
    char why[FIT_WHY];
    fit_friction_why(fit, why);
    printf("%s on %s: %s; no law was stored\n", f->cloth, f->body, why);
    return;
  }
  printf("%s on %s: %s %s law from %zu point%s, rms misfit %.3g N", f->cloth, f->body,
         cb_friction_form_names[fit->law.form], cb_friction_model_names[fit->law.model], fit->n_points,
         CB_S(fit->n_points), fit->rmse_N);
  if (fit->n_outliers > 0) printf("; left out: %zu", fit->n_outliers);
  if (fit->n_doubtful > 0) printf("; doubtful, kept: %zu", fit->n_doubtful);
  if (f->n_voided > 0) printf("; voided: %zu", f->n_voided);
  if (f->n_amended > 0) printf("; amended: %zu", f->n_amended);
  printf("\n");
}

static int fit_every_pair(const request *q, cb_store *s) {
  cb_err err = {""};
  size_t n_laws, n_pairs = 0;
  cb_status st = lab_friction_fit_all(s, q->which.sel.origin, print_line, &n_pairs, &n_laws, &err);
  if (st != CB_OK) return cli_fail("fit", st, &err);
  if (n_laws > 0) return CLI_DONE;
  if (n_pairs > 0) return CLI_NEGATIVE; /* each has said why it has no law */
  cli_say("fit", "%s: there are no finished runs of any pair from which a law could be fitted",
          cb_store_path(s));
  return CLI_NEGATIVE;
}

static int fit_one_or_all(const void *request_, cb_store *s) {
  const request *q = request_;
  return q->cloth ? fit_one_pair(q, s) : fit_every_pair(q, s);
}

int cli_fit_friction(int argc, char **argv) {
  request q = {0};
  const cli_opt opts[] = {
      {"cloth", CLI_TEXT, &q.cloth, "the cloth's name"},
      {"body", CLI_TEXT, &q.body, "the body's name; without both: every pair"},
      {"db", CLI_TEXT, &q.db, "the database file"},
      CLI_SELECTION_OPTIONS(q.which),
      {"at-N", CLI_NUMBER, &q.at_N, "the coefficients under this load, too", .min = 1e-6, .max = 1e6},
      {"details", CLI_SWITCH, &q.details, "the law, its tests and its calibration, too"},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  int stop = cli_parse(
      argc, argv,
      "fit friction [--cloth NAME --body NAME [SELECTION]] [--at-N LOAD] [--details] [--db FILE] [--json]\n"
      "The law of a selection by more than its origin is shown, not stored.",
      opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  q.db = cli_db_path(q.db);
  stop = cli_selection_take("fit", &q.which);
  if (stop >= 0) return stop;
  if (!q.cloth && lab_selection_is_partial(&q.which.sel)) {
    cli_say("fit", "a selection of runs: --cloth and --body were wanted, too");
    return CLI_USAGE;
  }
  if (!q.cloth != !q.body || (!q.cloth && q.json)) {
    cli_say("fit", q.json ? "--json: --cloth and --body were wanted, too"
                          : "--cloth and --body: both or none of them were wanted");
    return CLI_USAGE;
  }
  return cli_fit_run(q.db, show_stored, fit_one_or_all, &q);
}
