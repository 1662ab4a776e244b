#include "lab_point_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void lab_point_detail_clear(lab_point_detail *d) {
  fit_cycle_clear(&d->cycle);
  *d = (lab_point_detail){0};
}

bool lab_point_is_reduced(const lab_point_detail *d) {
  return d->is_cycle ? d->cycle.outcome == FIT_CYCLE_OK : d->pull.outcome == FIT_PULL_OK;
}

static double per_load(double force_N, double normal_force_N) {
  return normal_force_N > 0 ? force_N / normal_force_N : NAN;
}

void lab_point_kes(const lab_point_detail *d, double *miu, double *mmd) {
  const fit_cycle *c = &d->cycle;
  double mean_N = d->pull.plateau.path_mean_N, deviation_N = d->pull.plateau.path_deviation_N;
  if (d->is_cycle) {
    double n = (double)(c->n_used[0] + c->n_used[1]);
    mean_N = deviation_N = 0;
    for (size_t k = 0; k < c->n_strokes; k++) {
      mean_N += c->strokes[k].plateau.path_mean_N / n;
      deviation_N += c->strokes[k].plateau.path_deviation_N / n;
    }
  }
  *miu = per_load(mean_N, d->normal_force_N);
  *mmd = per_load(deviation_N, d->normal_force_N);
}

/* ---- a pull ---- */

static cb_friction_point no_point(const cb_run *run) {
  return (cb_friction_point){.run_id = run->id,
                             .static_N = NAN,
                             .u_static_N = NAN,
                             .kinetic_N = NAN,
                             .u_kinetic_N = NAN,
                             .mu_reported = NAN};
}

/* "pull/9 ...; invalid: never-slid". */
static void add_faults(const fit_faults *f, const char *method, cb_friction_point *p) {
  const fit_validity validity = fit_faults_validity(f);
  char words[72];
  fit_faults_words(f, words, sizeof words);
  (void)snprintf(p->method, sizeof p->method, "%.76s%s%s%s%s", method, validity == FIT_VALID ? "" : "; ",
                 validity == FIT_VALID ? "" : fit_validity_names[validity], validity == FIT_VALID ? "" : ": ",
                 words);
}

fit_validity lab_point_validity(const cb_friction_point *p, char words[96]) {
  words[0] = '\0';
  for (fit_validity v = FIT_DOUBTFUL; v <= FIT_INVALID; v++) {
    char mark[24];
    (void)snprintf(mark, sizeof mark, "; %s: ", fit_validity_names[v]);
    const char *at = strstr(p->method, mark);
    if (at) return (void)snprintf(words, 96, "%s", at + strlen(mark)), v;
  }
  return FIT_VALID;
}

#define FIRST_JUDGED 7

bool lab_point_is_unjudged(const cb_friction_point *p) {
  return strncmp(p->method, "pull/", 5) == 0 && strtol(p->method + 5, NULL, 10) < FIRST_JUDGED;
}

static void make_point_of_pull(const cb_run *run, const fit_pull *pull, const fit_pull_options *opt,
                               cb_friction_point *p) {
  char method[160];
  fit_pull_method(opt, method);
  *p = no_point(run);
  p->zero_N = pull->zero_N, p->u_zero_N = pull->u_zero_N;
  if (pull->outcome != FIT_PULL_OK && pull->outcome != FIT_PULL_INVALID) {
    (void)snprintf(p->method, sizeof p->method, "%.100s: %s", method, fit_pull_outcome_text[pull->outcome]);
    return;
  }
  add_faults(&pull->faults, method, p);
  if (pull->outcome == FIT_PULL_INVALID) return;
  p->static_N = pull->static_N, p->u_static_N = pull->u_static_N;
  p->kinetic_N = pull->kinetic_N, p->u_kinetic_N = pull->u_kinetic_N;
  p->kinetic_sd_N = pull->kinetic_sd_N, p->n_eff = pull->n_eff;
  p->window_from_m = pull->window_from_m, p->window_to_m = pull->window_to_m;
}

static cb_status reduce_pull(cb_store *s, const cb_run *run, const cb_trace *trace, cb_friction_point *p,
                             lab_point_detail *d, cb_err *err) {
  fit_pull_options opt = fit_pull_options_default();
  double drift_N = 0;
  if (run->origin != CB_IMPORTED) CB_TRY(lab_point_zero_drift(s, run, &drift_N, err));
  CB_TRY(fit_pull_reduce(trace, run->direction, run->travel_m, &opt, &d->pull, err));
  CB_TRY(lab_point_find_repeats(s, run, trace, &d->pull, err));
  fit_pull_zero_drift(&d->pull, run->direction, drift_N);
  make_point_of_pull(run, &d->pull, &opt, p);
  return CB_OK;
}

/* ---- to and fro ---- */

static void make_point_of_cycle(const cb_run *run, const fit_cycle *c, const fit_cycle_options *opt,
                                cb_friction_point *p) {
  char method[160];
  fit_cycle_method(opt, method);
  *p = no_point(run);
  if (c->outcome != FIT_CYCLE_OK) {
    (void)snprintf(p->method, sizeof p->method, "%.100s: %s", method, fit_cycle_outcome_text[c->outcome]);
    return;
  }
  p->zero_N = c->zero_N, p->u_zero_N = c->u_zero_N;
  p->kinetic_N = c->friction_N, p->u_kinetic_N = c->u_friction_N;
  p->kinetic_sd_N = c->sd_N, p->n_eff = c->n_eff;
  p->window_from_m = opt->from_rel * run->travel_m, p->window_to_m = opt->to_rel * run->travel_m;
  (void)snprintf(p->method, sizeof p->method, "%s", method);
}

static cb_status reduce_cycle(const cb_run *run, const cb_trace *trace, const fit_stroke *strokes, size_t n,
                              cb_friction_point *p, lab_point_detail *d, cb_err *err) {
  fit_cycle_options opt = fit_cycle_options_default();
  CB_TRY(fit_cycle_reduce(trace, strokes, n, &opt, &d->cycle, err));
  make_point_of_cycle(run, &d->cycle, &opt, p);
  return CB_OK;
}

/* ---- which of them ---- */

/* As they are labelled, or else as the motion shows; only records from elsewhere go to and fro. *n = 0: it is
 * a pull. */
static cb_status find_strokes(cb_store *s, const cb_run *run, const cb_trace *trace, fit_stroke **list,
                              size_t *n, cb_err *err) {
  cb_run_stroke *labelled = NULL;
  *list = NULL;
  *n = 0;
  if (run->origin != CB_IMPORTED) return CB_OK;
  CB_TRY(cb_store_run_strokes(s, run->id, &labelled, n, err));
  if (*n == 0) {
    free(labelled);
    return trace->position_m.n > 1 && isfinite(trace->doubt_s) ? fit_strokes_find(trace, list, n, err)
                                                               : CB_OK;
  }
  *list = malloc(*n * sizeof **list);
  for (size_t i = 0; *list && i < *n; i++)
    (*list)[i] = (fit_stroke){labelled[i].direction, (size_t)labelled[i].first, (size_t)labelled[i].n};
  free(labelled);
  return *list ? CB_OK : cb_no_memory(err, "%zu strokes", *n);
}

static bool goes_both_ways(const fit_stroke *list, size_t n) {
  for (size_t i = 1; i < n; i++)
    if (list[i].direction != list[0].direction) return true;
  return false;
}

static cb_status reduce_trace(cb_store *s, const cb_run *run, const cb_trace *trace, cb_friction_point *p,
                              lab_point_detail *d, cb_err *err) {
  fit_stroke *strokes;
  size_t n;
  CB_TRY(find_strokes(s, run, trace, &strokes, &n, err));
  d->is_cycle = goes_both_ways(strokes, n) || (n > 0 && trace->position_m.n == 0);
  cb_status st =
      d->is_cycle ? reduce_cycle(run, trace, strokes, n, p, d, err) : reduce_pull(s, run, trace, p, d, err);
  free(strokes);
  return st;
}

cb_status lab_point_of_run(cb_store *s, const cb_run *run, cb_friction_point *p, lab_point_detail *detail,
                           cb_err *err) {
  cb_trace trace;
  lab_point_detail own, *d = detail ? detail : &own;
  *d = (lab_point_detail){.normal_force_N = run->normal_force_N};
  if (run->kind == CB_RUN_LOOK)
    return cb_fail(err, CB_E_RANGE, "%s: run %lld is a look of 'rig live': no point is made of it",
                   cb_store_path(s), (long long)run->id);
  CB_TRY(cb_store_trace(s, run, &trace, err));
  cb_status st = reduce_trace(s, run, &trace, p, d, err);
  if (st != CB_OK) (void)cb_fail_in(err, st, "run %lld", (long long)run->id);
  cb_trace_clear(&trace);
  if (!detail) lab_point_detail_clear(&own);
  return st;
}

cb_status lab_point_zero_drift(cb_store *s, const cb_run *run, double *drift_N, cb_err *err) {
  cb_run_zero before, after;
  cb_calibration c;
  *drift_N = 0;
  cb_status st = cb_store_run_zero_get(s, run->id, CB_ZERO_BEFORE, &before, err);
  if (st == CB_OK) st = cb_store_run_zero_get(s, run->id, CB_ZERO_AFTER, &after, err);
  if (st == CB_E_NOTFOUND) return CB_OK;
  CB_TRY(st);
  CB_TRY(cb_store_calibration_get(s, run->calibration_id, &c, err));
  *drift_N = c.slope_N_per_unit * (after.mean - before.mean);
  return CB_OK;
}
