/* Conditions of a campaign, and its evaluation by a test standard. */
#include <stdio.h>

#include "cb_store_impl.h"
#include "cb_time.h"
#include "cb_version.h"

static const char *name_or_null(const char *const *names, int index) { return index < 0 ? "" : names[index]; }

cb_status cb_store_conditions_put(cb_store *s, int64_t campaign_id, const char *preset,
                                  const cb_conditions *c, cb_err *err) {
  return cbs_run(s, NULL, err,
                 "INSERT INTO conditioning(campaign_id, preset, atmosphere, conditioning_h, cloth_lot, "
                 "cloth_side, body_specimen,"
                 " specimen_area_m2, wash_state, note) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                 "itodooodoo", campaign_id, preset, name_or_null(cb_atmosphere_names, c->atmosphere),
                 c->conditioning_h, c->cloth_lot, name_or_null(cb_side_names, c->cloth_side),
                 c->body_specimen, c->specimen_area_m2, c->wash_state, c->note);
}

typedef struct found_conditions {
  char *preset;
  cb_conditions c;
} found_conditions;

static int enum_or_unknown(sqlite3_stmt *q, int column, const char *const *names) {
  return sqlite3_column_type(q, column) == SQLITE_NULL ? -1 : cbs_enum(q, column, names);
}

/* A left join: without a row of its own everything but temperature and humidity is NULL. */
static void read_conditions(sqlite3_stmt *q, void *item) {
  found_conditions *f = item;
  cb_conditions *c = &f->c;
  *c = cb_conditions_unknown();
  c->temperature_degC = cbs_real(q, 0);
  c->humidity_percent = cbs_real(q, 1);
  if (sqlite3_column_type(q, 2) != SQLITE_NULL) cbs_text(q, 2, f->preset, 32);
  c->atmosphere = enum_or_unknown(q, 3, cb_atmosphere_names);
  c->conditioning_h = cbs_real(q, 4);
  cbs_text(q, 5, c->cloth_lot, sizeof c->cloth_lot);
  c->cloth_side = enum_or_unknown(q, 6, cb_side_names);
  cbs_text(q, 7, c->body_specimen, sizeof c->body_specimen);
  c->specimen_area_m2 = cbs_real(q, 8);
  cbs_text(q, 9, c->wash_state, sizeof c->wash_state);
  cbs_text(q, 10, c->note, sizeof c->note);
}

cb_status cb_store_conditions_get(cb_store *s, int64_t campaign_id, char preset[32], cb_conditions *c,
                                  cb_err *err) {
  bool found;
  found_conditions f = {.preset = preset};
  (void)snprintf(preset, 32, "custom");
  CB_TRY(cbs_one(
      s, read_conditions, &f, &found, err,
      "SELECT temperature_degC, humidity_percent, preset, atmosphere, conditioning_h, cloth_lot, cloth_side, "
      "body_specimen,"
      " specimen_area_m2, wash_state, note FROM campaign LEFT JOIN conditioning ON campaign_id = campaign.id"
      " WHERE campaign.id = ?",
      "i", campaign_id));
  *c = f.c;
  return found ? CB_OK : cb_fail(err, CB_E_NOTFOUND, "%s: no campaign %lld", s->path, (long long)campaign_id);
}

cb_status cb_store_standard_put(cb_store *s, int64_t campaign_id, const char *standard,
                                const char *result_json, cb_err *err) {
  char now[32];
  cb_store_now(s, now);
  return cbs_run(s, NULL, err,
                 "INSERT INTO standard_result(campaign_id, standard, result_json, program_version, "
                 "created_at) VALUES(?, ?, ?, ?, ?)",
                 "itttt", campaign_id, standard, result_json, cb_version(), now);
}

static void read_result(sqlite3_stmt *q, void *item) { *(char **)item = cbs_text_dup(q, 0); }

cb_status cb_store_standard_find(cb_store *s, int64_t campaign_id, char **result_json, cb_err *err) {
  bool found;
  *result_json = NULL;
  CB_TRY(cbs_one(s, read_result, result_json, &found, err,
                 "SELECT result_json FROM standard_result WHERE campaign_id = ? ORDER BY id DESC LIMIT 1",
                 "i", campaign_id));
  if (!found)
    return cb_fail(err, CB_E_NOTFOUND, "%s: campaign %lld was not evaluated by a standard", s->path,
                   (long long)campaign_id);
  return *result_json ? CB_OK : cb_no_memory(err, "%s, an evaluation", s->path);
}
