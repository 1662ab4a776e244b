/* clothbench chart: the friction of one pair or the reading of a weight over time, with control charts;
 * against a specification. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_plural.h"
#include "cb_plus_minus.h"
#include "cb_stats.h"
#include "cli_selection.h"
#include "cli_db.h"
#include "cli_person.h"
#include "lab_alarm.h"
#include "lab_spec.h"
#include "report_certificate.h"
#include "report_figures.h"
#include "report_gnuplot.h"

typedef struct request {
  const char *db, *kind, *by, *figure, *spec, *certificate;
  double baseline, weight_g;
  bool json, store;
  cli_selection which;
  lab_chart_query q;
} request;

#define DAYS(q) ((q)->by_campaign ? "campaign" : "day")

/* "12.3 +- 0.4" of a shift, in percent of the centre, with its sign. */
static const char *percent(const lab_chart *c, double value, double u, char out[CB_PLUS_MINUS]) {
  const double scale = 100 / c->chart.limits.center;
  return cb_plus_minus(scale * value, cb_student_t(0.95, INFINITY) * scale * u, " +- ", out);
}

static void print_limits(const request *r, const lab_chart *c) {
  const fit_chart_limits *l = &c->chart.limits;
  const char *day = DAYS(&r->q);
  char text[CB_PLUS_MINUS];
  if (l->n == 0) {
    printf("  no limits: at least %d %ss that scatter were wanted\n", FIT_CHART_LEAST, day);
    return;
  }
  const double rel = 100 * l->sigma / l->center;
  printf("  centre of the first %zu %ss: %s = %s (95 %%); sigma of a %s: %.2g %%\n", l->n, day,
         c->weight_kg > 0 ? "read / true" : "mu", cb_plus_minus_of_u(l->center, l->u_center, INFINITY, text),
         day, rel);
  if (l->correlated)
    printf("  neighbours are alike (correlation %.2f): wider limits; side and trend are not judged\n", l->r1);
  printf("  a lasting shift of %.2g %% is found after %.0f %ss on average, one of %.2g %% after %.0f\n", rel,
         fit_chart_delay(FIT_CHART_CUSUM, 1), day, 2 * rel, fit_chart_delay(FIT_CHART_CUSUM, 2));
}

static const char *name(const request *r, const lab_chart_point *p, char out[24]) {
  if (!r->q.by_campaign) return p->day;
  (void)snprintf(out, 24, "#%lld", (long long)p->campaign_id);
  return out;
}

static void print_alarms(const request *r, const lab_chart *c) {
  char text[CB_PLUS_MINUS];
  if (c->chart.n_alarms > 0)
    printf("  %-7s %-8s %-10s  %-10s  %-10s %20s\n", "chart", "", DAYS(&r->q), "until", "since",
           "shift [%] (95 %)");
  for (size_t i = 0; i < c->chart.n_alarms; i++) {
    const fit_chart_alarm *a = &c->chart.alarms[i];
    char at[24], until[24], since[24];
    printf("  %-7s %-8s %-10s  %-10s  %-10s %20s\n", fit_chart_names[a->kind],
           fit_chart_is_warning(a->kind) ? "warning" : "ALARM", name(r, &c->points[a->at], at),
           a->until + 1 == c->n ? "now" : name(r, &c->points[a->until], until),
           name(r, &c->points[a->since], since), percent(c, a->shift, a->u_shift, text));
  }
}

static void print_chart(const request *r, const lab_chart *c) {
  char what[240];
  lab_chart_what(c, what);
  printf("%s: %zu %s%s, %zu run%s (%s)\n", what, c->n, DAYS(&r->q), CB_S(c->n), c->n_runs, CB_S(c->n_runs),
         cb_origin_names[c->origin]);
  print_limits(r, c);
  print_alarms(r, c);
  if (c->chart.limits.n > 0)
    printf("verdict: the newest %s is %s\n", DAYS(&r->q),
           lab_chart_is_alarmed(c) ? "in alarm" : "without an alarm");
}

static cb_status draw(const request *r, const lab_chart *c, cb_err *err) {
  report_plot p;
  if (!r->figure) return CB_OK;
  report_figure_chart(c, &p);
  const cb_status st = report_gnuplot_draw(&p, r->figure, err);
  report_plot_clear(&p);
  return st;
}

/* ---- a specification ---- */

static void print_line(const request *r, const lab_spec *l) {
  char text[CB_PLUS_MINUS];
  printf("  %s, %g deg, %.4g N: mu = %s (95 %%) of %zu %s%s", cb_friction_kind_names[l->kind], l->angle_deg,
         l->normal_force_N, cb_plus_minus(l->mu, l->decision.U, " +- ", text), l->n, DAYS(&r->q), CB_S(l->n));
  if (isfinite(l->lower)) printf(", at least %.4g", l->lower);
  if (isfinite(l->upper)) printf(", at most %.4g", l->upper);
  printf(": %s\n    probability that it lies outside: %.2g %%", fit_decision_names[l->decision.verdict],
         100 * l->decision.p_outside);
  if (isfinite(l->cp)) printf("; Cp %.2f", l->cp);
  if (isfinite(l->cpk)) printf("; Cpk %s", cb_plus_minus_of_u(l->cpk, l->u_cpk, INFINITY, text));
  printf("\n");
}

static int run_spec(const request *r, cb_store *s) {
  cb_err err = {""};
  lab_spec list[LAB_SPEC_MAX];
  size_t n, kept = 0;
  const cb_status st = lab_spec_judge(s, r->spec, &r->q, list, &n, &err);
  if (st != CB_OK) return cli_fail("chart", st, &err);
  for (size_t i = 0; i < n; i++) kept += list[i].decision.verdict == FIT_KEEPS;
  const int code = kept == n ? CLI_DONE : CLI_NEGATIVE;
  if (r->json) return cli_print_json("chart", lab_spec_json(&r->q, list, n)) == CLI_DONE ? code : CLI_FAILED;
  printf("%s on %s by %s\n", r->q.cloth, r->q.body, r->spec);
  for (size_t i = 0; i < n; i++) print_line(r, &list[i]);
  printf("verdict: %zu of %zu line%s pass%s\n", kept, n, CB_S(n), n == 1 ? "es" : "");
  return code;
}

static int run_certificate(const request *r, cb_store *s) {
  cb_err err = {""};
  lab_certificate *c = malloc(sizeof *c);
  cb_status st = c ? lab_certificate_make(s, r->spec, &r->q, c, &err) : cb_no_memory(&err, "a certificate");
  if (st == CB_OK) st = report_certificate_write(c, r->spec, r->certificate, &err);
  if (st != CB_OK) {
    free(c);
    return cli_fail("chart", st, &err);
  }
  printf("wrote %s: certificate %s, %zu of %zu line%s pass%s\n", r->certificate, c->number, c->n_kept,
         c->n_lines, CB_S(c->n_lines), c->n_lines == 1 ? "es" : "");
  const int code = c->n_kept == c->n_lines ? CLI_DONE : CLI_NEGATIVE;
  free(c);
  return code;
}

/* ---- the command ---- */

static cb_status keep(cb_store *s, const lab_chart *c, cb_err *err) {
  size_t kept;
  CB_TRY(lab_alarms_keep(s, c, false, cli_person_name(), &kept, err));
  cli_say("chart", "%zu new alarm%s %s kept: 'db note' says what was done", kept, CB_S(kept), CB_ARE(kept));
  return CB_OK;
}

static int run_chart(const request *r, cb_store *s) {
  cb_err err = {""};
  lab_chart c;
  cb_status st = lab_chart_make(s, &r->q, &c, &err);
  if (st == CB_OK) st = draw(r, &c, &err);
  if (st == CB_OK && r->store) st = keep(s, &c, &err);
  int code = st == CB_OK ? CLI_DONE : cli_fail("chart", st, &err);
  if (st == CB_OK && r->json) code = cli_print_json("chart", lab_chart_json(&c));
  if (st == CB_OK && !r->json) print_chart(r, &c);
  if (code == CLI_DONE && lab_chart_is_alarmed(&c)) code = CLI_NEGATIVE;
  lab_chart_clear(&c);
  return code;
}

static int run_either(const request *r) {
  cb_err err = {""};
  cb_store *s = NULL;
  cb_status st = r->store ? cli_db_open_known(cli_db_path(r->db), &s, &err)
                          : cb_store_open(cli_db_to_read(r->db), CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = cli_selection_say("chart", s, &r->q.sel, r->q.cloth, r->q.body, &err);
  const int code = st != CB_OK      ? cli_fail("chart", st, &err)
                   : r->certificate ? run_certificate(r, s)
                   : r->spec        ? run_spec(r, s)
                                    : run_chart(r, s);
  (void)cb_store_close(s, NULL);
  return code;
}

/* Returns -1 to go on. */
static int choose(const char *option, const char *typed, const char *first, const char *other,
                  bool *is_other) {
  *is_other = strcmp(typed, other) == 0;
  if (*is_other || strcmp(typed, first) == 0) return -1;
  cli_say("chart", "--%s %s: %s or %s was wanted", option, typed, first, other);
  return CLI_USAGE;
}

static bool makes_sense(const request *r) {
  const lab_chart_query *q = &r->q;
  const bool chosen = r->kind || isfinite(q->angle_deg) || isfinite(q->normal_force_N);
  const char *wrong = NULL;
  if (r->weight_g > 0 ? q->cloth || q->body || chosen || r->spec : !q->cloth || !q->body)
    wrong = "--cloth and --body were wanted, or --weight-g without kind, angle, load and --spec";
  else if (r->spec && (chosen || r->figure || r->store || r->baseline >= 0))
    wrong =
        "--spec: the file says kind, angle and load, and there is no figure and no baseline, and no alarm is "
        "kept";
  else if (r->certificate && (!r->spec || r->json))
    wrong = "--certificate: --spec FILE was wanted with it, and no --json";
  if (wrong) cli_say("chart", "%s", wrong);
  return !wrong;
}

int cmd_chart(int argc, char **argv) {
  bool is_static;
  request r = {.by = "day", .baseline = -1, .q = {.angle_deg = NAN, .normal_force_N = NAN}};
  const cli_opt opts[] = {
      {"cloth", CLI_CLOTH, &r.q.cloth, "the cloth's name"},
      {"body", CLI_BODY, &r.q.body, "the body's name"},
      {"weight-g", CLI_NUMBER, &r.weight_g, "in place of a pair: this weight, as 'rig live --record' read it",
       .min = 1e-3, .max = 1e6},
      {"angle-deg", CLI_NUMBER, &r.q.angle_deg, "runs at this angle; else that of most runs", .min = -1e6,
       .max = 1e6},
      {"normal-force-N", CLI_NUMBER, &r.q.normal_force_N, "runs under this load; else that of most",
       .min = 1e-6, .max = 1e6},
      {"kind", CLI_TEXT, &r.kind, "kinetic or static; else kinetic"},
      {"by", CLI_TEXT, &r.by, "a point for every day or campaign; else day"},
      {"baseline", CLI_NUMBER, &r.baseline, "as many first points give the limits; 0: all; else 25", .min = 0,
       .max = 1e6},
      {"spec", CLI_TEXT, &r.spec, "in place of the charts: does the pair keep the limits of this file?"},
      {"certificate", CLI_OUT_FILE, &r.certificate,
       "with --spec: FILE.pdf or FILE.svg: a certificate on one sheet of A4"},
      CLI_SELECTION_OPTIONS(r.which),
      {"db", CLI_TEXT, &r.db, "the database"},
      {"figure", CLI_OUT_FILE, &r.figure,
       "FILE.svg, FILE.pdf or FILE.png: points, limits and EWMA over time"},
      {"store", CLI_SWITCH, &r.store, "keep the alarms, each once, signed"},
      {"json", CLI_SWITCH, &r.json, "one JSON document"},
  };
  int stop =
      cli_parse(argc, argv,
                "chart --cloth NAME --body NAME | --weight-g M [--angle-deg A] [--normal-force-N N] [--kind "
                "kinetic|static] "
                "[--by day|campaign] [--baseline N] [--spec FILE [--certificate FILE]] [SELECTION] [--db "
                "FILE] [--figure FILE] [--store] [--json]",
                opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop < 0) stop = cli_selection_take("chart", &r.which);
  if (stop < 0) stop = choose("kind", r.kind ? r.kind : "kinetic", "kinetic", "static", &is_static);
  if (stop < 0) stop = choose("by", r.by, "day", "campaign", &r.q.by_campaign);
  if (stop >= 0) return stop;
  if (!makes_sense(&r)) return CLI_USAGE;
  r.q.weight_kg = r.weight_g * 1e-3;
  r.q.kind = is_static ? CB_FRICTION_STATIC : CB_FRICTION_KINETIC;
  r.q.baseline = r.baseline < 0 ? FIT_CHART_BASELINE : (size_t)r.baseline;
  r.q.sel = r.which.sel;
  return run_either(&r);
}
