/* Rigs, campaigns and events. */
#include <math.h>
#include <string.h>

#include "cb_store_impl.h"
#include "cb_time.h"
#include "cb_version.h"

cb_status cb_store_rig_ensure(cb_store *s, const char *name, const char *text, int64_t *id, cb_err *err) {
  bool found;
  char now[32];
  CB_TRY(cbs_one(s, cbs_read_id, id, &found, err, "SELECT id FROM rig WHERE text = ?", "t", text));
  if (found) return CB_OK;
  cb_store_now(s, now);
  return cbs_run(s, id, err, "INSERT INTO rig(name, text, created_at) VALUES(?, ?, ?)", "ttt", name, text,
                 now);
}

static void read_text(sqlite3_stmt *q, void *item) { *(char **)item = cbs_text_dup(q, 0); }

cb_status cb_store_rig_text(cb_store *s, int64_t id, char **text, cb_err *err) {
  bool found;
  *text = NULL;
  CB_TRY(cbs_one(s, read_text, text, &found, err, "SELECT text FROM rig WHERE id = ?", "i", id));
  if (!found) return cb_fail(err, CB_E_NOTFOUND, "%s: no rig %lld", s->path, (long long)id);
  return *text ? CB_OK : cb_no_memory(err, "%s, a rig file", s->path);
}

#define CAMPAIGN_COLUMNS \
  "id, uuid, name, kind, " CBS_IS("cloth_id") ", " CBS_IS("body_id") ", rig_id, operator_name, " \
  "temperature_degC, humidity_percent, " \
  "origin, created_at, finished_at"

static void read_campaign(sqlite3_stmt *q, void *item) {
  cb_campaign *c = item;
  *c = (cb_campaign){.id = sqlite3_column_int64(q, 0)};
  cbs_text(q, 1, c->uuid, sizeof c->uuid);
  cbs_text(q, 2, c->name, sizeof c->name);
  c->kind = (cb_campaign_kind)cbs_enum(q, 3, cb_campaign_kind_names);
  c->cloth_id = sqlite3_column_int64(q, 4);
  c->body_id = sqlite3_column_int64(q, 5);
  c->rig_id = sqlite3_column_int64(q, 6);
  cbs_text(q, 7, c->operator_name, sizeof c->operator_name);
  c->temperature_degC = cbs_real(q, 8);
  c->humidity_percent = cbs_real(q, 9);
  c->origin = (cb_origin)cbs_enum(q, 10, cb_origin_names);
  cbs_text(q, 11, c->created_at, sizeof c->created_at);
  cbs_text(q, 12, c->finished_at, sizeof c->finished_at);
}

cb_status cb_store_campaign_put(cb_store *s, cb_campaign *c, cb_err *err) {
  cbs_uuid(s, c->name, c->uuid);
  cb_store_now(s, c->created_at);
  c->finished_at[0] = '\0';
  return cbs_run(s, &c->id, err,
                 "INSERT INTO campaign(uuid, name, kind, cloth_id, body_id, rig_id, plan_text, "
                 "operator_name, temperature_degC, humidity_percent,"
                 " origin, program_version, created_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                 "tttnnnttddttt", c->uuid, c->name, cb_campaign_kind_names[c->kind], c->cloth_id, c->body_id,
                 c->rig_id, c->plan_text, c->operator_name, c->temperature_degC, c->humidity_percent,
                 cb_origin_names[c->origin], cb_version(), c->created_at);
}

cb_status cb_store_campaign_finish(cb_store *s, int64_t id, cb_err *err) {
  char now[32];
  cb_store_now(s, now);
  return cbs_run(s, NULL, err, "UPDATE campaign SET finished_at = ? WHERE id = ?", "ti", now, id);
}

cb_status cb_store_campaign_reopen(cb_store *s, int64_t id, cb_err *err) {
  return cbs_run(s, NULL, err, "UPDATE campaign SET finished_at = NULL WHERE id = ?", "i", id);
}

cb_status cb_store_campaign_get(cb_store *s, int64_t id, cb_campaign *c, cb_err *err) {
  bool found;
  CB_TRY(cbs_one(s, read_campaign, c, &found, err, "SELECT " CAMPAIGN_COLUMNS " FROM campaign WHERE id = ?",
                 "i", id));
  return found ? CB_OK : cb_fail(err, CB_E_NOTFOUND, "%s: no campaign %lld", s->path, (long long)id);
}

cb_status cb_store_campaigns(cb_store *s, cb_campaign **list, size_t *n, cb_err *err) {
  return cbs_list(s, read_campaign, sizeof **list, (void **)list, n, err,
                  "SELECT " CAMPAIGN_COLUMNS " FROM campaign ORDER BY id", "");
}

cb_status cb_store_campaign_unfinished(cb_store *s, const char *name, const char *plan_text, cb_campaign *c,
                                       cb_err *err) {
  bool found;
  CB_TRY(cbs_one(
      s, read_campaign, c, &found, err,
      "SELECT " CAMPAIGN_COLUMNS
      " FROM campaign WHERE name = ? AND plan_text = ? AND finished_at IS NULL ORDER BY id DESC LIMIT 1",
      "tt", name, plan_text));
  return found ? CB_OK
               : cb_fail(err, CB_E_NOTFOUND, "%s: no unfinished campaign '%s' with exactly this plan",
                         s->path, name);
}

cb_status cb_store_campaign_newest(cb_store *s, const char *name, const char *plan_text, cb_campaign *c,
                                   cb_err *err) {
  bool found;
  CB_TRY(cbs_one(s, read_campaign, c, &found, err,
                 "SELECT " CAMPAIGN_COLUMNS
                 " FROM campaign WHERE name = ? AND plan_text = ? ORDER BY id DESC LIMIT 1",
                 "tt", name, plan_text));
  return found ? CB_OK
               : cb_fail(err, CB_E_NOTFOUND, "%s: no campaign '%s' with exactly this plan", s->path, name);
}

cb_status cb_store_campaign_finished(cb_store *s, const char *name, const char *plan_text, bool *finished,
                                     cb_err *err) {
  cb_campaign c;
  return cbs_one(s, read_campaign, &c, finished, err,
                 "SELECT " CAMPAIGN_COLUMNS
                 " FROM campaign WHERE name = ? AND plan_text = ? AND finished_at IS NOT NULL LIMIT 1",
                 "tt", name, plan_text);
}

cb_status cb_store_event_put(cb_store *s, int64_t campaign_id, int64_t run_id, double t_s, const char *kind,
                             const char *text, cb_err *err) {
  char now[32];
  cb_store_now(s, now);
  return cbs_run(s, NULL, err,
                 "INSERT INTO event(campaign_id, run_id, t_s, at, kind, text) VALUES(?, ?, ?, ?, ?, ?)",
                 "indttt", campaign_id, run_id, t_s, now, kind, text);
}

static void read_event(sqlite3_stmt *q, void *item) {
  cb_event *e = item;
  e->campaign_id = sqlite3_column_int64(q, 0);
  e->run_id = sqlite3_column_int64(q, 1);
  e->t_s = cbs_real(q, 2);
  cbs_text(q, 3, e->at, sizeof e->at);
  cbs_text(q, 4, e->kind, sizeof e->kind);
  cbs_text(q, 5, e->text, sizeof e->text);
}

cb_status cb_store_events(cb_store *s, int64_t campaign_id, cb_event **list, size_t *n, cb_err *err) {
  return cbs_list(
      s, read_event, sizeof **list, (void **)list, n, err,
      "SELECT campaign_id, run_id, t_s, at, kind, text FROM event WHERE campaign_id = ? ORDER BY id", "i",
      campaign_id);
}
