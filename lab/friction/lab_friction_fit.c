/* Observations -> laws, stored. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_store_correction.h"
#include "cb_json.h"
#include "cb_num.h"
#include "cb_rig.h"
#include "lab_friction_parts.h"
#include "lab_point_parts.h"
#include "lab_overrule.h"
#include "lab_pooled_impl.h"
#include "lab_selection_parts.h"

void lab_friction_clear(lab_friction *f) {
  lab_pooled_clear(&f->pooled);
  free(f->sources.calibrations);
  free(f->sources.flags);
  free(f->overruled);
  *f = (lab_friction){0};
}

/* ---- observations -> laws ---- */

/* The worst of the rigs stands for all. */
static cb_status look_at_rig(cb_store *s, int64_t rig_id, fit_friction_options *opt, cb_err *err) {
  char *text = NULL;
  cb_rig rig = {0};
  CB_TRY(cb_store_rig_text(s, rig_id, &text, err));
  cb_status st = cb_rig_parse(text, "rig in the database", &rig, err);
  if (st == CB_OK) {
    opt->u_angle_rad = fmax(opt->u_angle_rad, rig.bench.u_angle_deg * CB_DEG);
    opt->u_pitch_rad = fmax(opt->u_pitch_rad, rig.bench.u_line_pitch_deg * CB_DEG);
    opt->u_yaw_rad = fmax(opt->u_yaw_rad, rig.bench.u_line_yaw_deg * CB_DEG);
  }
  cb_rig_clear(&rig);
  free(text);
  return st;
}

static cb_status fit_with_rigs(cb_store *s, const cb_friction_obs *obs, size_t n, const char *cloth,
                               const char *body, fit_friction_options *opt, fit_friction_result *out,
                               cb_err *err) {
  int64_t last = 0;
  for (size_t i = 0; i < n; i++) {
    if (obs[i].run.rig_id == last || obs[i].run.rig_id == 0) continue;
    last = obs[i].run.rig_id;
    CB_TRY(look_at_rig(s, last, opt, err));
  }
  cb_status st = fit_friction(obs, n, cloth, body, opt, out, err);
  if (st == CB_OK && out->kinetic.outcome == FIT_FRICTION_OK && !out->kinetic.placement_tested) {
    CB_TRY(lab_placement_of_others(s, &obs[0].run, &opt->placement, err));
    if (opt->placement.dof > 0) st = fit_friction(obs, n, cloth, body, opt, out, err);
  }
  return st;
}

cb_status lab_friction_fit_runs(cb_store *s, const cb_friction_obs *obs, size_t n, const char *cloth,
                                const char *body, fit_friction_options *opt, fit_friction_result *out,
                                cb_err *err) {
  lab_lots lots;
  bool *trusted = malloc(n + 1);
  if (!trusted) return cb_no_memory(err, "%zu runs", n);
  for (size_t i = 0; i < n; i++) trusted[i] = lab_overrule_trusts(&obs[i].point);
  *opt = (fit_friction_options){.trusted = trusted};
  cb_status st = lab_lots_of(s, obs, n, &lots, err);
  opt->lot = lots.of;
  opt->n_lots = lots.n;
  if (st == CB_OK) st = fit_with_rigs(s, obs, n, cloth, body, opt, out, err);
  opt->lot = NULL, opt->trusted = NULL;
  free(lots.of);
  free(trusted);
  return st == CB_OK ? CB_OK : cb_fail_in(err, st, "%s on %s", cloth, body);
}

/* ---- what the forces rest on ---- */

static cb_status add_calibration(cb_store *s, int64_t id, lab_friction_sources *out, cb_err *err) {
  bool seen = id == 0;
  for (size_t k = 0; k < out->n_calibrations && !seen; k++) seen = out->calibrations[k].id == id;
  if (seen) return CB_OK;
  cb_calibration *grown = realloc(out->calibrations, (out->n_calibrations + 1) * sizeof *grown);
  if (!grown) return cb_no_memory(err, "the calibrations of a law");
  out->calibrations = grown;
  CB_TRY(cb_store_calibration_get(s, id, &grown[out->n_calibrations], err));
  out->n_calibrations++;
  return CB_OK;
}

static cb_status count_flag(const char *word, lab_friction_sources *out, cb_err *err) {
  size_t k = 0;
  while (k < out->n_flags && strcmp(out->flags[k].word, word) != 0) k++;
  if (k == out->n_flags) {
    lab_flag *grown = realloc(out->flags, (out->n_flags + 1) * sizeof *grown);
    if (!grown) return cb_no_memory(err, "the flags of a law's runs");
    out->flags = grown;
    grown[out->n_flags] = (lab_flag){.n_runs = 0};
    (void)snprintf(grown[out->n_flags++].word, sizeof grown->word, "%s", word);
  }
  out->flags[k].n_runs++;
  return CB_OK;
}

static cb_status count_flags(const char *flags, lab_friction_sources *out, cb_err *err) {
  char words[sizeof(((cb_run *)0)->flags)], *rest = words;
  (void)snprintf(words, sizeof words, "%s", flags);
  for (char *word; (word = strtok_r(rest, " ", &rest));) CB_TRY(count_flag(word, out, err));
  return CB_OK;
}

/* What the pulls beside them say. */
static void count_contradicted(const fit_friction_law *f, const cb_friction_obs *obs,
                               lab_friction_sources *out) {
  char words[96];
  out->n_left_out = f->n_outliers;
  for (size_t i = 0; i < f->n_outliers; i++) out->judged.n_of_fault[f->outliers[i].fault]++;
  for (size_t i = 0; i < f->n_doubtful; i++) {
    out->judged.n_of_fault[f->doubtful[i].fault]++;
    out->judged.n_of[FIT_DOUBTFUL] +=
        lab_point_validity(&obs[f->doubtful[i].index].point, words) == FIT_VALID;
  }
}

static cb_status list_sources(cb_store *s, const cb_friction_obs *obs, size_t n, lab_friction_sources *out,
                              cb_err *err) {
  for (size_t i = 0; i < n; i++) {
    CB_TRY(add_calibration(s, obs[i].run.calibration_id, out, err));
    CB_TRY(count_flags(obs[i].run.flags, out, err));
    out->n_without_force += isnan(obs[i].point.kinetic_N) ? 1 : 0;
    out->n_pulls++;
    out->n_unjudged += lab_point_is_unjudged(&obs[i].point);
    lab_tally_point(&out->judged, &obs[i].point);
  }
  return CB_OK;
}

/* ---- store ---- */

static cb_status store_law(cb_store *s, const cb_friction_obs *obs, const int64_t *points, size_t n,
                           const char *calibration, const fit_friction_options *opt, const lab_friction *f,
                           fit_friction_law *fit, cb_err *err) {
  char method[FIT_METHOD], full[400];
  json_t *verdicts = lab_friction_verdicts_json(f, fit->law.kind);
  char *text = cb_json_text(verdicts);
  json_decref(verdicts);
  if (!text) return cb_no_memory(err, "the verdicts");
  fit_friction_method(fit, opt, method);
  (void)snprintf(full, sizeof full, "%s; calibration: %s", method, calibration);
  cb_status st =
      cb_store_law_put(s, &fit->law, obs[0].run.cloth_id, obs[0].run.body_id, points, n, full, text, err);
  free(text);
  return st;
}

static cb_status store_both(cb_store *s, const cb_friction_obs *obs, const int64_t *points, size_t n,
                            const fit_friction_options *opt, lab_friction *f, cb_err *err) {
  cb_calibration c = {.certificate = "none"};
  if (obs[0].run.calibration_id) CB_TRY(cb_store_calibration_get(s, obs[0].run.calibration_id, &c, err));
  CB_TRY(store_law(s, obs, points, n, c.certificate, opt, f, &f->kinetic.fit, err));
  bool has_static = f->stat.fit.outcome == FIT_FRICTION_OK;
  return has_static ? store_law(s, obs, points, n, c.certificate, opt, f, &f->stat.fit, err) : CB_OK;
}

/* One transaction. */
static cb_status store_laws(cb_store *s, const cb_friction_obs *obs, size_t n,
                            const fit_friction_options *opt, lab_friction *f, cb_err *err) {
  int64_t *points = malloc((n + 1) * sizeof *points);
  if (!points) return cb_no_memory(err, "%zu points", n);
  for (size_t i = 0; i < n; i++) points[i] = obs[i].point.id;
  cb_status st = cb_store_begin(s, err);
  if (st == CB_OK) st = store_both(s, obs, points, n, opt, f, err);
  if (st == CB_OK) st = cb_store_commit(s, err);
  if (st != CB_OK) cb_store_rollback(s);
  free(points);
  return st;
}

/* ---- a pair ---- */

static bool mixes_origins(const cb_friction_obs *obs, size_t n) {
  for (size_t i = 1; i < n; i++)
    if (obs[i].run.origin != obs[0].run.origin) return true;
  return false;
}

static void name_outliers(const fit_outlier *found, size_t n, const cb_friction_obs *obs, lab_outlier *out) {
  for (size_t i = 0; i < n; i++) {
    const cb_run *run = &obs[found[i].index].run;
    out[i] = (lab_outlier){found[i], run->id, run->angle_deg, run->normal_force_N};
  }
}

static void take_force(const fit_friction_law *fit, const cb_friction_obs *obs, lab_friction_force *out) {
  out->fit = *fit;
  out->has_far = true;
  name_outliers(fit->outliers, fit->n_outliers, obs, out->outliers);
  name_outliers(fit->doubtful, fit->n_doubtful, obs, out->doubtful);
  name_outliers(fit->far, fit->n_far < FIT_MAX_OUTLIERS ? fit->n_far : FIT_MAX_OUTLIERS, obs, out->far);
}

static cb_status fit_and_store(cb_store *s, const cb_friction_obs *obs, size_t n, bool store,
                               lab_friction *out, cb_err *err) {
  fit_friction_options opt;
  fit_friction_result r;
  cb_status st = lab_friction_fit_runs(s, obs, n, out->cloth, out->body, &opt, &r, err);
  out->mixes_origins = st == CB_E_RANGE && mixes_origins(obs, n);
  CB_TRY(st);
  take_force(&r.kinetic, obs, &out->kinetic);
  take_force(&r.stat, obs, &out->stat);
  out->verdict = r.verdict;
  out->speed = r.speed;
  out->has_tests = true;
  if (r.kinetic.outcome != FIT_FRICTION_OK) return CB_OK;
  CB_TRY(lab_pooled_of(s, obs, n, &out->pooled, err));
  if (store) CB_TRY(store_laws(s, obs, n, &opt, out, err));
  CB_TRY(list_sources(s, obs, n, &out->sources, err));
  count_contradicted(&r.kinetic, obs, &out->sources);
  return CB_OK;
}

static cb_status count_voided(cb_store *s, const cb_material *cloth, const cb_material *body, size_t *n,
                              cb_err *err) {
  cb_run *runs;
  const cb_run_filter f = {
      .cloth_id = cloth->id, .body_id = body->id, .kind = CB_RUN_PULL, .status = CB_RUN_VOIDED};
  CB_TRY(cb_store_runs(s, &f, &runs, n, err));
  free(runs);
  return CB_OK;
}

/* Of the runs that are fitted. */
static cb_status list_overruled(cb_store *s, const cb_friction_obs *obs, size_t n, lab_friction *out,
                                cb_err *err) {
  size_t all;
  CB_TRY(lab_overruled_list(s, &out->overruled, &all, err));
  for (size_t k = 0; k < all; k++)
    for (size_t i = 0; i < n; i++)
      if (obs[i].run.id == out->overruled[k].run_id) out->overruled[out->n_overruled++] = out->overruled[k];
  return CB_OK;
}

static cb_status fit_observations(cb_store *s, cb_friction_obs *obs, size_t all, const lab_selection *sel,
                                  const cb_material *cloth, const cb_material *body, bool store,
                                  lab_friction *out, cb_err *err) {
  out->n_runs = cb_friction_obs_one_body_angle(obs, all);
  out->n_other_body = all - out->n_runs;
  CB_TRY(count_voided(s, cloth, body, &out->n_voided, err));
  CB_TRY(cb_store_amended(s, cloth->id, body->id, &out->n_amended, err));
  CB_TRY(list_overruled(s, obs, out->n_runs, out, err));
  out->body_angle_deg = out->n_runs > 0 ? obs[0].run.body_angle_deg : NAN;
  store &= !lab_selection_is_partial(sel);
  return out->n_runs > 0 ? fit_and_store(s, obs, out->n_runs, store, out, err) : CB_OK;
}

/* n_runs 0: there are none. */
static cb_status fit_pair(cb_store *s, const cb_material *cloth, const cb_material *body,
                          const lab_selection *sel, bool store, lab_friction *out, cb_err *err) {
  cb_friction_obs *obs;
  size_t all;
  (void)snprintf(out->cloth, sizeof out->cloth, "%s", cloth->name);
  (void)snprintf(out->body, sizeof out->body, "%s", body->name);
  CB_TRY(lab_friction_observations(s, cloth->id, body->id, &obs, &all, err));
  cb_status st = lab_selection_keep(s, sel, obs, &all, err);
  if (st == CB_OK) st = fit_observations(s, obs, all, sel, cloth, body, store, out, err);
  free(obs);
  return st;
}

/* Why there is nothing to fit. */
static cb_status fail_no_runs(cb_store *s, const char *cloth, const char *body, const lab_selection *sel,
                              cb_err *err) {
  char selected[320];
  const char *word = sel->origin == LAB_ANY_ORIGIN ? "" : cb_origin_names[sel->origin];
  lab_selection_text(sel, selected);
  if (lab_selection_is_partial(sel))
    return cb_fail(err, CB_E_NOTFOUND,
                   "%s: no finished run of '%s' on '%s' with a known load is selected: %s", cb_store_path(s),
                   cloth, body, selected);
  return cb_fail(err, CB_E_NOTFOUND,
                 "%s: there are no finished %s%sruns of '%s' on '%s' with a known load: 'clothbench run' or "
                 "'clothbench import' adds some",
                 cb_store_path(s), word, word[0] ? " " : "", cloth, body);
}

static cb_status fit_named(cb_store *s, const char *cloth, const char *body, const lab_selection *sel,
                           bool store, lab_friction *out, cb_err *err) {
  cb_material c, b;
  CB_TRY(cb_store_material_find(s, CB_CLOTH, cloth, &c, err));
  CB_TRY(cb_store_material_find(s, CB_BODY, body, &b, err));
  if (store) CB_TRY(lab_friction_reduce(s, 0, &out->n_reduced, err));
  CB_TRY(fit_pair(s, &c, &b, sel, store, out, err));
  return out->n_runs > 0 ? CB_OK : fail_no_runs(s, cloth, body, sel, err);
}

cb_status lab_friction_fit(cb_store *s, const char *cloth, const char *body, const lab_selection *sel,
                           lab_friction *out, cb_err *err) {
  *out = (lab_friction){.n_runs = 0};
  CB_TRY(lab_selection_check(s, sel, err));
  return fit_named(s, cloth, body, sel, true, out, err);
}

cb_status lab_friction_preview(cb_store *s, const char *cloth, const char *body, const lab_selection *sel,
                               lab_friction *out, cb_err *err) {
  *out = (lab_friction){.n_runs = 0};
  return fit_named(s, cloth, body, sel, false, out, err);
}

/* ---- every pair ---- */

typedef struct every_pair {
  cb_store *store;
  int origin;
  void (*on_pair)(void *context, const lab_friction *f);
  void *context;
  size_t n_laws;
} every_pair;

static cb_status fit_next(every_pair *e, const cb_material *cloth, const cb_material *body, cb_err *err) {
  lab_friction f = {.n_runs = 0};
  const lab_selection sel = {.origin = e->origin};
  cb_status st = fit_pair(e->store, cloth, body, &sel, true, &f, err);
  if (st == CB_OK && f.n_runs > 0) {
    e->n_laws += f.kinetic.fit.outcome == FIT_FRICTION_OK;
    e->on_pair(e->context, &f);
  }
  lab_friction_clear(&f);
  return st;
}

static cb_status fit_pairs(every_pair *e, const cb_material *list, size_t n, cb_err *err) {
  for (size_t c = 0; c < n; c++)
    for (size_t b = 0; b < n; b++)
      if (list[c].kind == CB_CLOTH && list[b].kind == CB_BODY) CB_TRY(fit_next(e, &list[c], &list[b], err));
  return CB_OK;
}

cb_status lab_friction_fit_all(cb_store *s, int origin, void (*on_pair)(void *context, const lab_friction *f),
                               void *context, size_t *n_laws, cb_err *err) {
  every_pair e = {s, origin, on_pair, context, 0};
  cb_material *list;
  size_t n;
  *n_laws = 0;
  CB_TRY(lab_friction_reduce(s, 0, NULL, err));
  CB_TRY(cb_store_materials(s, &list, &n, err));
  cb_status st = fit_pairs(&e, list, n, err);
  free(list);
  *n_laws = e.n_laws;
  return st;
}
