/* Raw samples -> points -> observations. */
#include <stdlib.h>

#include "cb_json.h"
#include "lab_friction_parts.h"
#include "lab_overrule.h"
#include "lab_point_parts.h"

/* ---- points ---- */

static bool has_readings(cb_store *s, const cb_run *run) {
  cb_trace t = {.digit_N = 0};
  const bool has = cb_store_trace(s, run, &t, NULL) == CB_OK && t.force_N.n > 1 && t.position_m.n > 1;
  cb_trace_clear(&t);
  return has;
}

/* The pulls that want a point: they have none, or none with a verdict. Caller frees. */
static cb_status list_unreduced(cb_store *s, const cb_run_filter *f, cb_run **list, size_t *n, cb_err *err) {
  cb_friction_point *points;
  size_t all, kept = 0;
  CB_TRY(cb_store_runs(s, f, list, &all, err));
  const cb_status st = cb_store_points_of_runs(s, *list, all, &points, err);
  for (size_t i = 0; st == CB_OK && i < all; i++) {
    const cb_run *run = &(*list)[i];
    if (!points[i].id || (lab_point_is_unjudged(&points[i]) && has_readings(s, run))) (*list)[kept++] = *run;
  }
  free(points);
  if (st != CB_OK) free(*list);
  if (st != CB_OK) *list = NULL;
  *n = kept;
  return st;
}

static cb_run_filter finished_pulls(void) {
  cb_run_filter f = cb_run_filter_all();
  f.kind = CB_RUN_PULL;
  f.status = CB_RUN_DONE;
  return f;
}

static cb_status put_detail(cb_store *s, int64_t point_id, const lab_point_detail *detail, cb_err *err) {
  json_t *doc = lab_point_detail_json(detail);
  char *text = cb_json_text(doc);
  json_decref(doc);
  if (!text) return cb_no_memory(err, "the details of a point");
  cb_status st = cb_store_point_detail_put(s, point_id, text, err);
  free(text);
  return st;
}

static cb_status reduce_run(cb_store *s, const cb_run *run, cb_err *err) {
  cb_friction_point p;
  lab_point_detail detail;
  cb_status st = lab_point_of_run(s, run, &p, &detail, err);
  if (st == CB_OK) st = cb_store_point_put(s, &p, err);
  if (st == CB_OK) st = put_detail(s, p.id, &detail, err);
  lab_point_detail_clear(&detail);
  return st;
}

cb_status lab_friction_reduce(cb_store *s, int64_t campaign_id, size_t *n_reduced, cb_err *err) {
  cb_run *runs;
  size_t n;
  cb_status st = CB_OK;
  cb_run_filter f = finished_pulls();
  f.campaign_id = campaign_id;
  f.unjudged = true;
  CB_TRY(list_unreduced(s, &f, &runs, &n, err));
  for (size_t i = 0; i < n && st == CB_OK; i++) st = reduce_run(s, &runs[i], err);
  free(runs);
  if (n_reduced) *n_reduced = n;
  return st;
}

/* ---- observations ---- */

static cb_status observe_run(cb_store *s, const cb_run *run, cb_friction_obs *o, cb_err *err) {
  cb_calibration c;
  CB_TRY(cb_store_calibration_get(s, run->calibration_id, &c, err));
  *o = (cb_friction_obs){.run = *run,
                         .u_rel_calibration = c.u_rel,
                         .u_floor_calibration_N = c.u_floor_N,
                         .dof_calibration = c.dof};
  return lab_point_of_run(s, run, &o->point, NULL, err);
}

/* Without its load a force is no friction coefficient and lies on no law. */
static size_t keep_loaded(cb_friction_obs *list, size_t n) {
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (list[i].run.normal_force_N > 0) list[kept++] = list[i];
  return kept;
}

static cb_status make_room(cb_store *s, cb_friction_obs **list, size_t n, cb_err *err) {
  cb_friction_obs *grown = realloc(*list, n * sizeof *grown);
  if (!grown) return cb_no_memory(err, "%s, %zu runs", cb_store_path(s), n);
  *list = grown;
  return CB_OK;
}

/* Where the observation of a run is, or will be. */
static size_t place_of(const cb_friction_obs *list, size_t n, const cb_run *run) {
  size_t i = 0;
  while (i < n && list[i].run.id != run->id) i++;
  return i;
}

/* Those of the pair that have no point yet, behind the others; those without a verdict in their place. */
static cb_status add_unreduced(cb_store *s, const cb_run_filter *f, cb_friction_obs **list, size_t *n,
                               cb_err *err) {
  cb_run *runs = NULL;
  size_t more = 0;
  cb_status st = list_unreduced(s, f, &runs, &more, err);
  if (st == CB_OK && more > 0) st = make_room(s, list, *n + more, err);
  for (size_t i = 0; i < more && st == CB_OK; i++) {
    const size_t at = place_of(*list, *n, &runs[i]);
    st = observe_run(s, &runs[i], &(*list)[at], err);
    if (st == CB_OK && at == *n) (*n)++;
  }
  free(runs);
  return st;
}

cb_status lab_friction_observations(cb_store *s, int64_t cloth_id, int64_t body_id, cb_friction_obs **list,
                                    size_t *n, cb_err *err) {
  cb_run_filter f = finished_pulls();
  f.cloth_id = cloth_id;
  f.body_id = body_id;
  CB_TRY(cb_store_observations(s, cloth_id, body_id, list, n, err));
  cb_status st = add_unreduced(s, &f, list, n, err);
  *n = keep_loaded(*list, *n);
  if (st == CB_OK) st = lab_overrule(s, *list, *n, err);
  if (st == CB_OK) st = lab_friction_share_doubt(*list, *n, err);
  if (st == CB_OK) return CB_OK;
  free(*list);
  *list = NULL;
  *n = 0;
  return st;
}

static size_t keep_as_real(cb_friction_obs *obs, size_t n, int origin) {
  size_t kept = 0;
  for (size_t i = 0; i < n; i++)
    if (origin == LAB_ANY_ORIGIN ||
        cb_origin_is_real(obs[i].run.origin) == cb_origin_is_real((cb_origin)origin))
      obs[kept++] = obs[i];
  return kept;
}

cb_status lab_friction_observations_like(cb_store *s, const char *cloth, const char *body, int origin,
                                         cb_friction_obs **list, size_t *n, cb_err *err) {
  cb_material c, b;
  CB_TRY(cb_store_material_find(s, CB_CLOTH, cloth, &c, err));
  CB_TRY(cb_store_material_find(s, CB_BODY, body, &b, err));
  CB_TRY(lab_friction_observations(s, c.id, b.id, list, n, err));
  *n = cb_friction_obs_one_body_angle(*list, keep_as_real(*list, *n, origin));
  return CB_OK;
}
