#include "cli_friction.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_json.h"
#include "cb_num.h"
#include "cb_rig.h"
#include "lab_placement.h"
#include "cli_point.h"
#include "cli_pooled.h"

/* ---- raw samples -> points ---- */

/* The pulls that want a point; caller frees. */
static cb_status unreduced(cb_store *s, const cb_run_filter *f, cb_run **list, size_t *n, cb_err *err) {
  cb_friction_point p;
  size_t all, kept = 0;
  CB_TRY(cb_store_runs(s, f, list, &all, err));
  for (size_t i = 0; i < all; i++) {
    cb_status st = cb_store_point_of_run(s, (*list)[i].id, &p, err);
    if (st == CB_E_NOTFOUND) (*list)[kept++] = (*list)[i];
    if (st == CB_OK || st == CB_E_NOTFOUND) continue;
    free(*list);
    *list = NULL;
    return st;
  }
  *n = kept;
  return CB_OK;
}

static cb_run_filter finished_pulls(void) {
  cb_run_filter f = cb_run_filter_all();
  f.kind = CB_RUN_PULL;
  f.status = CB_RUN_DONE;
  return f;
}

static cb_status put_detail(cb_store *s, int64_t point_id, const json_t *detail, cb_err *err) {
  char *text = cb_json_text(detail);
  if (!text) return cb_fail(err, CB_E_NOMEM, "no memory for the details of a point");
  cb_status st = cb_store_point_detail_put(s, point_id, text, err);
  free(text);
  return st;
}

static cb_status reduce_run(cb_store *s, const cb_run *run, cb_err *err) {
  cb_friction_point p;
  json_t *detail;
  CB_TRY(cli_point_of_run(s, run, &p, &detail, err));
  cb_status st = cb_store_point_put(s, &p, err);
  if (st == CB_OK) st = put_detail(s, p.id, detail, err);
  json_decref(detail);
  return st;
}

cb_status cli_friction_reduce(cb_store *s, int64_t campaign_id, size_t *n_reduced, cb_err *err) {
  cb_run *runs;
  size_t n;
  cb_status st = CB_OK;
  cb_run_filter f = finished_pulls();
  f.campaign_id = campaign_id;
  CB_TRY(unreduced(s, &f, &runs, &n, err));
  for (size_t i = 0; i < n && st == CB_OK; i++) {
    st = reduce_run(s, &runs[i], err);
  }
  free(runs);
  if (n_reduced) *n_reduced = n;
  return st;
}

static cb_status observe(cb_store *s, const cb_run *run, cb_friction_obs *o, cb_err *err) {
  cb_calibration c;
  CB_TRY(cb_store_calibration_get(s, run->calibration_id, &c, err));
  *o = (cb_friction_obs){.run = *run, .u_rel_calibration = c.u_rel, .u_floor_calibration_N = c.u_floor_N, .dof_calibration = c.dof};
  return cli_point_of_run(s, run, &o->point, NULL, err);
}

/* Without its load a force is no friction coefficient and lies on no law. */
static size_t keep_loaded(cb_friction_obs *list, size_t n) {
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (list[i].run.normal_force_N > 0) list[kept++] = list[i];
  return kept;
}

cb_status cli_friction_observations(cb_store *s, int64_t cloth_id, int64_t body_id, cb_friction_obs **list, size_t *n, cb_err *err) {
  cb_run *runs = NULL;
  size_t more = 0;
  cb_run_filter f = finished_pulls();
  f.cloth_id = cloth_id;
  f.body_id = body_id;
  CB_TRY(cb_store_observations(s, cloth_id, body_id, list, n, err));
  cb_status st = unreduced(s, &f, &runs, &more, err);
  if (st == CB_OK && more > 0) {
    cb_friction_obs *grown = realloc(*list, (*n + more) * sizeof *grown);
    if (grown)
      *list = grown;
    else
      st = cb_fail(err, CB_E_NOMEM, "%s: no memory for %zu runs", cb_store_path(s), more);
  }
  for (size_t i = 0; i < more && st == CB_OK; i++) {
    st = observe(s, &runs[i], &(*list)[*n], err);
    if (st == CB_OK) (*n)++;
  }
  free(runs);
  *n = keep_loaded(*list, *n);
  if (st == CB_OK) return CB_OK;
  free(*list);
  *list = NULL;
  *n = 0;
  return st;
}

/* ---- points -> law ---- */

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

cb_status cli_friction_fit(cb_store *s, const cb_friction_obs *obs, size_t n, const char *cloth, const char *body,
                           fit_friction_options *opt, fit_friction_result *out, cb_err *err) {
  int64_t last = 0;
  *opt = (fit_friction_options){0};
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
  return st == CB_OK ? CB_OK : cb_fail_in(err, st, "%s on %s", cloth, body);
}

static cb_status store_law(cb_store *s, const cb_friction_obs *obs, const int64_t *points, size_t n, const char *calibration,
                           const fit_friction_options *opt, const fit_friction_result *r, fit_friction_law *f, cb_err *err) {
  char method[FIT_METHOD], full[400];
  json_t *verdicts;
  CB_TRY(cli_friction_verdicts(s, r, obs, n, f->law.kind, &verdicts, err));
  char *text = cb_json_text(verdicts);
  json_decref(verdicts);
  if (!text) return cb_fail(err, CB_E_NOMEM, "no memory for the verdicts");
  fit_friction_method(f, opt, method);
  (void)snprintf(full, sizeof full, "%s; calibration: %s", method, calibration);
  cb_status st = cb_store_law_put(s, &f->law, obs[0].run.cloth_id, obs[0].run.body_id, points, n, full, text, err);
  free(text);
  return st;
}

static cb_status store_laws(cb_store *s, const cb_friction_obs *obs, const int64_t *points, size_t n, const fit_friction_options *opt,
                            fit_friction_result *r, cb_err *err) {
  cb_calibration c = {.certificate = "none"};
  if (obs[0].run.calibration_id) CB_TRY(cb_store_calibration_get(s, obs[0].run.calibration_id, &c, err));
  CB_TRY(store_law(s, obs, points, n, c.certificate, opt, r, &r->kinetic, err));
  return r->stat.outcome == FIT_FRICTION_OK ? store_law(s, obs, points, n, c.certificate, opt, r, &r->stat, err) : CB_OK;
}

cb_status cli_friction_store(cb_store *s, const cb_friction_obs *obs, size_t n, const fit_friction_options *opt, fit_friction_result *r,
                             cb_err *err) {
  int64_t *points = malloc((n + 1) * sizeof *points);
  if (!points) return cb_fail(err, CB_E_NOMEM, "no memory for %zu points", n);
  for (size_t i = 0; i < n; i++) points[i] = obs[i].point.id;
  cb_status st = cli_pooled_warn(s, obs, n, r->kinetic.law.cloth, r->kinetic.law.body, err);
  if (st == CB_OK) st = cb_store_begin(s, err);
  if (st == CB_OK) st = store_laws(s, obs, points, n, opt, r, err);
  if (st == CB_OK) st = cb_store_commit(s, err);
  if (st != CB_OK) cb_store_rollback(s);
  free(points);
  return st;
}

/* Only runs that are as real as the law itself. */
static size_t keep_like(cb_friction_obs *obs, size_t n, cb_origin origin) {
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (cb_origin_is_real(obs[i].run.origin) == cb_origin_is_real(origin)) obs[kept++] = obs[i];
  return kept;
}

static cb_status fit_in_memory(cb_store *s, const char *cloth, const char *body, cb_friction_kind kind, const cb_origin *like,
                               cb_friction_law *law, cb_err *err) {
  cb_material c, b;
  cb_friction_obs *obs;
  size_t n;
  fit_friction_options opt;
  fit_friction_result r;
  CB_TRY(cb_store_material_find(s, CB_CLOTH, cloth, &c, err));
  CB_TRY(cb_store_material_find(s, CB_BODY, body, &b, err));
  CB_TRY(cli_friction_observations(s, c.id, b.id, &obs, &n, err));
  if (like) n = keep_like(obs, n, *like);
  n = cb_friction_obs_one_body_angle(obs, n);
  cb_status st = cli_friction_fit(s, obs, n, cloth, body, &opt, &r, err);
  if (st == CB_OK) st = cli_pooled_warn(s, obs, n, cloth, body, err);
  free(obs);
  if (st != CB_OK) return st;
  const fit_friction_law *f = kind == CB_FRICTION_KINETIC ? &r.kinetic : &r.stat;
  if (f->outcome != FIT_FRICTION_OK)
    return cb_fail(err, CB_E_NOTFOUND, "%s: no %s friction law of '%s' on '%s' and none can be fitted: %s", cb_store_path(s),
                   cb_friction_kind_names[kind], cloth, body, fit_friction_outcome_text[f->outcome]);
  *law = f->law;
  return CB_OK;
}

cb_status cli_friction_law(cb_store *s, const char *cloth, const char *body, cb_friction_kind kind, cb_friction_law *law, bool *fresh,
                           cb_err *err) {
  *fresh = false;
  cb_status st = cb_store_law_find(s, cloth, body, kind, law, err);
  if (st != CB_OK && st != CB_E_NOTFOUND) return st;
  bool stored = st == CB_OK;
  size_t newer = 0;
  if (stored) CB_TRY(cb_store_law_stale(s, law, &newer, err));
  if (stored && newer == 0) return CB_OK;
  cb_origin like = stored ? law->origin : CB_MEASURED;
  *fresh = true;
  return fit_in_memory(s, cloth, body, kind, stored ? &like : NULL, law, err);
}
