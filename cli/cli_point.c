#include "cli_point.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "fit_cycle.h"
#include "fit_pull.h"

/* ---- JSON ---- */

static json_t *ratio(double force_N, double normal_force_N) { return cb_json_real(normal_force_N > 0 ? force_N / normal_force_N : NAN); }

static json_t *stick_slip_json(const fit_stick_slip *s) {
  return json_pack("{s:s, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "outcome", fit_stick_slip_outcome_text[s->outcome], "peaks",
                   (json_int_t)s->n_peaks, "amplitude_N", cb_json_real(s->amplitude_N), "u_amplitude_N", cb_json_real(s->u_amplitude_N),
                   "amplitude_sd_N", cb_json_real(s->amplitude_sd_N), "frequency_Hz", cb_json_real(s->frequency_Hz), "u_frequency_Hz",
                   cb_json_real(s->u_frequency_Hz), "peaks_per_mm", cb_json_real(1e-3 * s->peaks_per_m), "u_peaks_per_mm",
                   cb_json_real(1e-3 * s->u_peaks_per_m), "readings_per_peak", cb_json_real(s->readings_per_peak), "irregularity",
                   cb_json_real(s->irregularity));
}

static json_t *plateau_json(const fit_plateau *p, double normal_force_N) {
  return json_pack("{s:s, s:I, s:f, s:f, s:f, s:f, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:f, s:f, s:o, s:o, s:o}", "verdict",
                   fit_plateau_verdict_text[p->verdict], "readings", (json_int_t)p->n, "n_eff", p->n_eff, "mean_N", p->mean_N, "u_mean_N",
                   p->u_mean_N, "sd_N", p->sd_N, "slope_N_per_m", cb_json_real(p->slope_N_per_m), "u_slope_N_per_m",
                   cb_json_real(p->u_slope_N_per_m), "slope_t", cb_json_real(p->slope_t), "slope_p", cb_json_real(p->slope_p),
                   "slope_percent", cb_json_real(100 * p->slope_rel), "step_N", cb_json_real(p->step_N), "step_at_m",
                   cb_json_real(p->step_at_m), "step_p", cb_json_real(p->step_p), "path_mean_N", p->path_mean_N, "path_deviation_N",
                   p->path_deviation_N, "miu", ratio(p->path_mean_N, normal_force_N), "mmd", ratio(p->path_deviation_N, normal_force_N),
                   "stick_slip", stick_slip_json(&p->stick_slip));
}

static json_t *cycle_json(const fit_cycle *c, double normal_force_N) {
  double mean = 0, deviation = 0, n = (double)(c->n_used[0] + c->n_used[1]);
  for (size_t k = 0; k < c->n_strokes; k++) {
    mean += c->strokes[k].plateau.path_mean_N / n;
    deviation += c->strokes[k].plateau.path_deviation_N / n;
  }
  return json_pack("{s:I, s:I, s:o, s:o, s:o, s:o, s:o, s:o}", "forward", (json_int_t)c->n_used[0], "backward", (json_int_t)c->n_used[1],
                   "zero_drift_N", cb_json_real(c->zero_drift_N), "u_zero_drift_N", cb_json_real(c->u_zero_drift_N), "friction_drift_N",
                   cb_json_real(c->friction_drift_N), "u_friction_drift_N", cb_json_real(c->u_friction_drift_N), "miu",
                   ratio(mean, normal_force_N), "mmd", ratio(deviation, normal_force_N));
}

static json_t *strokes_json(const fit_cycle *c, double normal_force_N) {
  json_t *list = json_array();
  for (size_t k = 0; k < c->n_strokes; k++) {
    const fit_cycle_stroke *s = &c->strokes[k];
    if (s->window.n == 0) continue;
    json_t *o = json_pack("{s:i, s:I, s:I}", "direction", s->window.direction, "first_reading", (json_int_t)s->window.first, "last_reading",
                          (json_int_t)(s->window.first + s->window.n - 1));
    json_t *p = plateau_json(&s->plateau, normal_force_N);
    if (o && p) (void)json_object_update(o, p);
    json_decref(p);
    (void)json_array_append_new(list, o);
  }
  return list;
}

static cb_status keep(json_t *made, json_t **detail, cb_err *err) {
  if (!made) return cb_fail(err, CB_E_NOMEM, "no memory for the details of a point");
  if (detail)
    *detail = made;
  else
    json_decref(made);
  return CB_OK;
}

/* ---- a pull ---- */

static cb_friction_point no_point(const cb_run *run) {
  return (cb_friction_point){
      .run_id = run->id, .static_N = NAN, .u_static_N = NAN, .kinetic_N = NAN, .u_kinetic_N = NAN, .mu_reported = NAN};
}

static void fill_pull(const cb_run *run, const fit_pull *pull, const fit_pull_options *opt, cb_friction_point *p) {
  char method[160];
  fit_pull_method(opt, method);
  *p = no_point(run);
  p->zero_N = pull->zero_N, p->u_zero_N = pull->u_zero_N;
  if (pull->outcome != FIT_PULL_OK) {
    (void)snprintf(p->method, sizeof p->method, "%.100s: %s", method, fit_pull_outcome_text[pull->outcome]);
    return;
  }
  p->static_N = pull->static_N, p->u_static_N = pull->u_static_N;
  p->kinetic_N = pull->kinetic_N, p->u_kinetic_N = pull->u_kinetic_N;
  p->kinetic_sd_N = pull->kinetic_sd_N, p->n_eff = pull->n_eff;
  p->window_from_m = pull->window_from_m, p->window_to_m = pull->window_to_m;
  (void)snprintf(p->method, sizeof p->method, "%s", method);
}

static cb_status reduce_pull(cb_store *s, const cb_run *run, const cb_trace *trace, cb_friction_point *p, json_t **detail, cb_err *err) {
  fit_pull_options opt = fit_pull_options_default();
  fit_pull pull;
  double drift_N = 0;
  if (run->origin != CB_IMPORTED) CB_TRY(cli_point_zero_drift(s, run, &drift_N, err));
  CB_TRY(fit_pull_reduce(trace, run->direction, run->travel_m, &opt, &pull, err));
  fit_pull_zero_drift(&pull, run->direction, drift_N);
  fill_pull(run, &pull, &opt, p);
  json_t *plateau = pull.outcome == FIT_PULL_OK ? plateau_json(&pull.plateau, run->normal_force_N) : json_null();
  return keep(json_pack("{s:s, s:o, s:n, s:[]}", "outcome", fit_pull_outcome_text[pull.outcome], "plateau", plateau, "cycle", "strokes"),
              detail, err);
}

/* ---- to and fro ---- */

static void fill_cycle(const cb_run *run, const fit_cycle *c, const fit_cycle_options *opt, cb_friction_point *p) {
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

static cb_status reduce_cycle(const cb_run *run, const cb_trace *trace, const fit_stroke *strokes, size_t n, cb_friction_point *p,
                              json_t **detail, cb_err *err) {
  fit_cycle_options opt = fit_cycle_options_default();
  fit_cycle c;
  cb_status st = fit_cycle_reduce(trace, strokes, n, &opt, &c, err);
  if (st == CB_OK) {
    bool done = c.outcome == FIT_CYCLE_OK;
    fill_cycle(run, &c, &opt, p);
    st = keep(json_pack("{s:s, s:n, s:o, s:o}", "outcome", fit_cycle_outcome_text[c.outcome], "plateau", "cycle",
                        done ? cycle_json(&c, run->normal_force_N) : json_null(), "strokes",
                        done ? strokes_json(&c, run->normal_force_N) : json_array()),
              detail, err);
  }
  fit_cycle_clear(&c);
  return st;
}

/* ---- which of them ---- */

/* As they are labelled, or else as the motion tells; only records from elsewhere go to and fro. *n = 0: it is a pull. */
static cb_status strokes_of(cb_store *s, const cb_run *run, const cb_trace *trace, fit_stroke **list, size_t *n, cb_err *err) {
  cb_run_stroke *labelled = NULL;
  *list = NULL;
  *n = 0;
  if (run->origin != CB_IMPORTED) return CB_OK;
  CB_TRY(cb_store_run_strokes(s, run->id, &labelled, n, err));
  if (*n == 0) {
    free(labelled);
    return trace->position_m.n > 1 && isfinite(trace->doubt_s) ? fit_strokes_find(trace, list, n, err) : CB_OK;
  }
  *list = malloc(*n * sizeof **list);
  for (size_t i = 0; *list && i < *n; i++)
    (*list)[i] = (fit_stroke){labelled[i].direction, (size_t)labelled[i].first, (size_t)labelled[i].n};
  free(labelled);
  return *list ? CB_OK : cb_fail(err, CB_E_NOMEM, "no memory for %zu strokes", *n);
}

static bool goes_both_ways(const fit_stroke *list, size_t n) {
  for (size_t i = 1; i < n; i++)
    if (list[i].direction != list[0].direction) return true;
  return false;
}

static cb_status reduce(cb_store *s, const cb_run *run, const cb_trace *trace, cb_friction_point *p, json_t **detail, cb_err *err) {
  fit_stroke *strokes;
  size_t n;
  CB_TRY(strokes_of(s, run, trace, &strokes, &n, err));
  bool cycle = goes_both_ways(strokes, n) || (n > 0 && trace->position_m.n == 0);
  cb_status st = cycle ? reduce_cycle(run, trace, strokes, n, p, detail, err) : reduce_pull(s, run, trace, p, detail, err);
  free(strokes);
  return st;
}

cb_status cli_point_of_run(cb_store *s, const cb_run *run, cb_friction_point *p, json_t **detail, cb_err *err) {
  cb_trace trace;
  if (detail) *detail = NULL;
  CB_TRY(cb_store_trace(s, run, &trace, err));
  cb_status st = reduce(s, run, &trace, p, detail, err);
  if (st != CB_OK) (void)cb_fail_in(err, st, "run %lld", (long long)run->id);
  cb_trace_clear(&trace);
  return st;
}

cb_status cli_point_zero_drift(cb_store *s, const cb_run *run, double *drift_N, cb_err *err) {
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
