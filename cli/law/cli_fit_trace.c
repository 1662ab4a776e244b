/* clothbench fit trace: what is in one run's record. */
#include <math.h>
#include <stdio.h>

#include "cli.h"
#include "cli_kind.h"
#include "lab_record.h"
#include "cb_plural.h"
#include "cb_plus_minus.h"

/* ---- words ---- */

/* "  name   value +- U unit", or nothing where the value is not known. u: a standard uncertainty; NAN: not
 * known. */
static void print_value(const char *name, double v, double u, const char *unit) {
  char text[CB_PLUS_MINUS];
  if (isfinite(v)) printf("  %-20s %s %s\n", name, cb_plus_minus_of_u(v, u, NAN, text), unit);
}

static void print_stick_slip(const fit_stick_slip *s) {
  char text[CB_PLUS_MINUS];
  printf("  %-20s %s", "stick-slip", fit_stick_slip_outcome_text[s->outcome]);
  if (!isnan(s->amplitude_N)) {
    printf(": %zu peak%s, falls of %s N", s->n_peaks, CB_S(s->n_peaks),
           cb_plus_minus_of_u(s->amplitude_N, s->u_amplitude_N, NAN, text));
    if (!isnan(s->frequency_Hz)) printf(", %.4g Hz", s->frequency_Hz);
    if (!isnan(s->peaks_per_m)) printf(", %.4g per mm", 1e-3 * s->peaks_per_m);
  }
  printf("\n");
}

static void print_kes(const lab_point_detail *d) {
  double miu, mmd;
  lab_point_kes(d, &miu, &mmd);
  print_value("MIU", miu, NAN, "");
  print_value("MMD", mmd, NAN, "");
}

static void print_pull(const lab_point_detail *d) {
  const fit_plateau *p = &d->pull.plateau;
  printf("  %-20s %s: slope %+.2g %% over it (t = %.3g, p = %.2g), step %+.3g N (p = %.2g)\n", "plateau",
         fit_plateau_verdict_text[p->verdict], 100 * p->slope_rel, p->slope_t, p->slope_p, p->step_N,
         p->step_p);
  print_kes(d);
  print_value("mean deviation", p->path_deviation_N, NAN, "N");
  print_stick_slip(&p->stick_slip);
}

static void print_stroke(const fit_cycle_stroke *s) {
  const fit_plateau *p = &s->plateau;
  char text[CB_PLUS_MINUS];
  printf("  %-20s %s N, %s, slope %+.2g %%, mean deviation %.3g N; stick-slip: %s\n",
         s->window.direction > 0 ? "  forward" : "  backward",
         cb_plus_minus_of_u(p->mean_N, p->u_mean_N, NAN, text), fit_plateau_verdict_text[p->verdict],
         100 * p->slope_rel, p->path_deviation_N, fit_stick_slip_outcome_text[p->stick_slip.outcome]);
}

static void print_cycle(const lab_point_detail *d) {
  const fit_cycle *c = &d->cycle;
  int shown = 0;
  printf("  %-20s %zu forward, %zu backward\n", "strokes", c->n_used[0], c->n_used[1]);
  print_kes(d);
  print_value("drift of the zero", c->zero_drift_N, c->u_zero_drift_N, "N over the record");
  print_value("drift of friction", c->friction_drift_N, c->u_friction_drift_N, "N over the record");
  for (size_t k = 0; k < c->n_strokes; k++) {
    if (c->strokes[k].window.n == 0) continue;
    if (shown++ == 10) printf("  ... (--json has them all)\n");
    if (shown > 10) break;
    print_stroke(&c->strokes[k]);
  }
}

static void print_faults(const fit_faults *f) {
  for (size_t i = 0; i < f->n; i++) {
    const fit_fault_kind *kind = &fit_fault_kinds[f->list[i].kind];
    printf("  %-20s %s: %s (%s); what helps: %s\n", fit_validity_names[kind->validity], kind->code,
           kind->sentence, f->list[i].what, kind->advice);
  }
}

static int print_words(const lab_record *r) {
  const cb_friction_point *p = &r->point;
  const lab_point_detail *d = &r->detail;
  bool force = !isnan(p->kinetic_N);
  printf("run %lld: %s on %s, %s%s%s\n", (long long)r->run.id, r->cloth, r->body,
         cb_origin_names[r->run.origin], r->run.flags[0] ? ", flagged " : "", r->run.flags);
  printf("  %-20s %s\n", "outcome",
         d->is_cycle ? fit_cycle_outcome_text[d->cycle.outcome] : fit_pull_outcome_text[d->pull.outcome]);
  print_faults(&d->pull.faults);
  if (force) printf("  %-20s +- is the 95 %% interval\n", "");
  print_value("normal force", r->normal_force_N, NAN, "N");
  print_value("zero", force ? p->zero_N : NAN, p->u_zero_N, "N");
  print_value("static force", p->static_N, p->u_static_N, "N");
  print_value("kinetic force", p->kinetic_N, p->u_kinetic_N, "N, without calibration");
  print_value("mu", r->mu, r->u_mu, "");
  const size_t left_out = d->is_cycle ? d->cycle.n_stray : d->pull.n_stray;
  if (left_out > 0) printf("  %-20s %zu, as they stand alone\n", "readings left out", left_out);
  if (lab_point_is_reduced(d)) d->is_cycle ? print_cycle(d) : print_pull(d);
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

/* ---- the command ---- */

static cb_status reduce_run(const char *db, int64_t id, lab_record *r, cb_err *err) {
  cb_store *s;
  CB_TRY(cb_store_open(db, CB_STORE_READ, &s, err));
  return cb_store_close_after(s, lab_record_read(s, id, r, err), err);
}

int cli_fit_trace(int argc, char **argv) {
  const char *db = NULL;
  double run = 0;
  bool json = false;
  const cli_opt opts[] = {
      {"run", CLI_NUMBER, &run, "the run's number", .required = true, .min = 1, .max = 1e15},
      {"db", CLI_TEXT, &db, "the database file; it is only read"},
      {"json", CLI_SWITCH, &json, "one JSON document"},
  };
  int stop = cli_parse(argc, argv, "fit trace --run N [--db FILE] [--json]", opts,
                       sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  cb_err err = {""};
  lab_record r = {.detail.is_cycle = false};
  cb_status st = reduce_run(cli_db_path(db), (int64_t)run, &r, &err);
  int code;
  if (st != CB_OK)
    code = cli_fail("fit", st, &err);
  else
    code = json ? cli_print_json("fit", lab_record_json(&r)) : print_words(&r);
  if (code == CLI_DONE && !isfinite(r.point.kinetic_N)) code = CLI_NEGATIVE;
  lab_record_clear(&r);
  return code;
}
