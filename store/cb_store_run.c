/* Runs: their conditions and how they ended. */
#include <stdio.h>
#include <stdlib.h>

#include "cb_run_row.h"
#include "cb_sample_row.h"
#include "cb_time.h"
#include "cb_version.h"

void cbs_read_run(sqlite3_stmt *q, void *item) {
  cb_run *r = item;
  int i = 0;
  *r = (cb_run){.id = sqlite3_column_int64(q, i++)};
  cbs_text(q, i++, r->uuid, sizeof r->uuid);
  r->campaign_id = sqlite3_column_int64(q, i++);
  r->cloth_id = sqlite3_column_int64(q, i++);
  r->body_id = sqlite3_column_int64(q, i++);
  r->rig_id = sqlite3_column_int64(q, i++);
  r->calibration_id = sqlite3_column_int64(q, i++);
  r->kind = (cb_run_kind)cbs_enum(q, i++, cb_run_kind_names);
  r->angle_deg = cbs_real(q, i++);
  r->cart_mass_kg = cbs_real(q, i++);
  r->added_mass_kg = cbs_real(q, i++);
  r->normal_force_N = cbs_real(q, i++);
  r->u_normal_force_N = cbs_real(q, i++);
  r->contact_area_m2 = cbs_real(q, i++);
  r->incline_deg = cbs_real(q, i++);
  r->speed_m_per_s = cbs_real(q, i++);
  r->travel_m = cbs_real(q, i++);
  r->direction = sqlite3_column_int(q, i++);
  r->repeat = sqlite3_column_int(q, i++);
  r->rate_Hz = cbs_real(q, i++);
  r->origin = (cb_origin)cbs_enum(q, i++, cb_origin_names);
  cbs_text(q, i++, r->source, sizeof r->source);
  cbs_text(q, i++, r->started_at, sizeof r->started_at);
  cbs_text(q, i++, r->finished_at, sizeof r->finished_at);
  r->status = (cb_run_status)cbs_enum(q, i++, cb_run_status_names);
  cbs_text(q, i++, r->reason, sizeof r->reason);
  cbs_text(q, i++, r->flags, sizeof r->flags);
  r->body_angle_deg = cbs_real(q, i++);
  r->specimen_id = sqlite3_column_int64(q, i);
}

cb_status cb_store_run_put(cb_store *s, cb_run *r, cb_err *err) {
  cb_campaign campaign = {.uuid = ""};
  if (s->stamp[0]) CB_TRY(cb_store_campaign_get(s, r->campaign_id, &campaign, err));
  cbs_uuid(s, campaign.uuid, r->uuid);
  cb_store_now(s, r->started_at);
  return cbs_run(
      s, &r->id, err,
      "INSERT INTO run(uuid, campaign_id, cloth_id, body_id, rig_id, calibration_id, kind, "
      "angle_deg, cart_mass_kg, added_mass_kg,"
      " normal_force_N, u_normal_force_N, contact_area_m2, incline_deg, speed_m_per_s, travel_m, "
      "direction, repeat, rate_Hz, origin,"
      " source, program_version, started_at, finished_at, status, reason, body_angle_deg, "
      "specimen_id)"
      " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      "tinnnntdddddddddiidttttottdn", r->uuid, r->campaign_id, r->cloth_id, r->body_id, r->rig_id,
      r->calibration_id, cb_run_kind_names[r->kind], r->angle_deg, r->cart_mass_kg, r->added_mass_kg,
      r->normal_force_N, r->u_normal_force_N, r->contact_area_m2, r->incline_deg, r->speed_m_per_s,
      r->travel_m, (int64_t)r->direction, (int64_t)r->repeat, r->rate_Hz, cb_origin_names[r->origin],
      r->source, cb_version(), r->started_at, r->finished_at, cb_run_status_names[r->status], r->reason,
      r->body_angle_deg, r->specimen_id);
}

cb_status cb_store_run_finish(cb_store *s, int64_t id, cb_run_status status, const char *reason,
                              cb_err *err) {
  char now[32];
  cb_store_now(s, now);
  cbs_pack_run(s, id);
  return cbs_run(s, NULL, err, "UPDATE run SET status = ?, reason = ?, finished_at = ? WHERE id = ?", "ttti",
                 cb_run_status_names[status], reason, now, id);
}

static cb_status pack_running(cb_store *s, int64_t campaign_id, cb_err *err) {
  int64_t *ids;
  size_t n;
  CB_TRY(cbs_list(s, cbs_read_id, sizeof *ids, (void **)&ids, &n, err,
                  "SELECT id FROM run WHERE campaign_id = ? AND status = 'running'", "i", campaign_id));
  for (size_t i = 0; i < n; i++) cbs_pack_run(s, ids[i]);
  free(ids);
  return CB_OK;
}

cb_status cb_store_runs_interrupt(cb_store *s, int64_t campaign_id, size_t *n, cb_err *err) {
  char now[32];
  cb_store_now(s, now);
  CB_TRY(pack_running(s, campaign_id, err));
  CB_TRY(cbs_run(s, NULL, err,
                 "UPDATE run SET status = 'interrupted', reason = 'the program ended before the run did', "
                 "finished_at = ?"
                 " WHERE campaign_id = ? AND status = 'running'",
                 "ti", now, campaign_id));
  if (n) *n = (size_t)sqlite3_changes(s->db);
  return CB_OK;
}

cb_status cb_store_run_get(cb_store *s, int64_t id, cb_run *r, cb_err *err) {
  bool found;
  CB_TRY(cbs_one(s, cbs_read_run, r, &found, err, "SELECT " CB_RUN_COLUMNS " FROM run_now r WHERE r.id = ?",
                 "i", id));
  return found ? CB_OK : cb_fail(err, CB_E_NOTFOUND, "%s: no run %lld", s->path, (long long)id);
}

cb_run_filter cb_run_filter_all(void) { return (cb_run_filter){.kind = -1, .status = -1}; }

cb_status cb_store_runs(cb_store *s, const cb_run_filter *f, cb_run **list, size_t *n, cb_err *err) {
  const char *kind = f->kind < 0 ? "" : cb_run_kind_names[f->kind],
             *status = f->status < 0 ? "" : cb_run_status_names[f->status];
  char sql[8192];
  /* A condition that may be absent is none that an index serves. */
  (void)snprintf(
      sql, sizeof sql,
      "SELECT " CB_RUN_COLUMNS
      " FROM run_now r WHERE %s AND %s AND %s AND %s AND r.kind = ifnull(?4, r.kind) AND ifnull(?5 "
      "= " CB_RUN_STATUS ", 1) ORDER BY r.id",
      f->unjudged ? "NOT EXISTS(SELECT 1 FROM friction_point p WHERE p.run_id = r.id AND p.method "
                    "NOT GLOB 'pull/[1-6][^0-9]*')"
                  : "1",
      f->campaign_id ? "r.campaign_id = ?1" : "?1 IS NULL",
      f->cloth_id ? CB_RUNS_OF("cloth_id", "?2") : "?2 IS NULL",
      !f->body_id   ? "?3 IS NULL"
      : f->cloth_id ? "r.body_id = ?3"
                    : CB_RUNS_OF("body_id", "?3"));
  return cbs_list(s, cbs_read_run, sizeof **list, (void **)list, n, err, sql, "nnnoo", f->campaign_id,
                  f->cloth_id, f->body_id, kind, status);
}
