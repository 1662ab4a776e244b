#include "cb_store_correction.h"

#include <math.h>
#include <string.h>

#include "cb_column.h"
#include "cb_num.h"
#include "cb_run_row.h"
#include "cb_version.h"

const char *const cb_correction_kind_names[] = {"void", "unvoid", "note", "amend", NULL};
const char *const cb_correction_fields[] = {
    "cloth",        "body",          "angle_deg",      "body_angle_deg",
    "cart_mass_kg", "added_mass_kg", "normal_force_N", "contact_area_m2",
    "incline_deg",  "speed_m_per_s", "verdict",        NULL};
const char *const cb_verdict_names[] = {"valid", "doubtful", "invalid", "found", NULL};

static cb_status check_amendment(const cb_correction *c, cb_err *err) {
  bool known = false;
  for (int i = 0; cb_correction_fields[i]; i++) known |= strcmp(c->field, cb_correction_fields[i]) == 0;
  if (!known) return cb_fail(err, CB_E_ARG, "'%s' of a run cannot be amended", c->field);
  if (c->material_id) return CB_OK;
  if (strcmp(c->field, "verdict") == 0)
    return c->value == (int)c->value ? cb_check_range(c->value, 0, CB_VERDICT_FOUND, "verdict", "", err)
                                     : cb_fail(err, CB_E_RANGE, "verdict = %g: 0 to 3 was wanted", c->value);
  const bool positive = strcmp(c->field, "contact_area_m2") == 0 || strcmp(c->field, "normal_force_N") == 0;
  if (positive && !(c->value > 0))
    return cb_fail(err, CB_E_RANGE, "%s = %g: must be above 0", c->field, c->value);
  return cb_column_check(cb_column_find("run", c->field), c->value, c->field, err);
}

static cb_status check_change(cb_store *s, const cb_correction *c, cb_err *err) {
  cb_run run;
  CB_TRY(cb_store_run_get(s, c->run_id, &run, err));
  if (c->kind == CB_CORRECTION_NOTE) return CB_OK;
  if (c->kind == CB_CORRECTION_AMEND) return check_amendment(c, err);
  const cb_run_status wanted = c->kind == CB_CORRECTION_VOID ? CB_RUN_DONE : CB_RUN_VOIDED;
  return run.status == wanted
             ? CB_OK
             : cb_fail(err, CB_E_RANGE, "%s: run %lld is %s: a run that is %s was wanted", cb_store_path(s),
                       (long long)run.id, cb_run_status_names[run.status], cb_run_status_names[wanted]);
}

cb_status cb_store_correction_put(cb_store *s, cb_correction *c, cb_err *err) {
  char uuid[37];
  CB_TRY(check_change(s, c, err));
  cbs_uuid(s, "", uuid);
  cb_store_now(s, c->created_at);
  const bool number = c->kind == CB_CORRECTION_AMEND && !c->material_id;
  return cbs_run(s, &c->id, err,
                 "INSERT INTO correction(uuid, run_id, kind, field, value, material_id, reason, "
                 "operator_name, program_version, created_at)"
                 " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                 "tittdntttt", uuid, c->run_id, cb_correction_kind_names[c->kind], c->field,
                 number ? c->value : NAN, c->material_id, c->reason, c->operator_name, cb_version(),
                 c->created_at);
}

static void read_correction(sqlite3_stmt *q, void *item) {
  cb_correction *c = item;
  *c = (cb_correction){.id = sqlite3_column_int64(q, 0), .run_id = sqlite3_column_int64(q, 1)};
  c->kind = (cb_correction_kind)cbs_enum(q, 2, cb_correction_kind_names);
  cbs_text(q, 3, c->reason, sizeof c->reason);
  cbs_text(q, 4, c->operator_name, sizeof c->operator_name);
  cbs_text(q, 5, c->created_at, sizeof c->created_at);
  cbs_text(q, 6, c->field, sizeof c->field);
  c->value = cbs_real(q, 7);
  c->material_id = sqlite3_column_int64(q, 8);
  cbs_text(q, 9, c->was, sizeof c->was);
  cbs_text(q, 10, c->is, sizeof c->is);
}

#define SHOWN(value, material)                                                                          \
  "CASE x.field WHEN 'verdict' THEN CASE " value                                                        \
  " WHEN 0 THEN 'valid' WHEN 1 THEN 'doubtful' WHEN 2 THEN "                                            \
  "'invalid' ELSE 'found' END ELSE ifnull((SELECT mn.name FROM material_now mn WHERE mn.id = " material \
  "), printf('%.10g', " value ")) END"
/* The amendment before this one; else what was typed. */
#define WAS \
  "CASE WHEN x.kind = 'amend' THEN ifnull((SELECT " SHOWN("y.value", "y.material_id")                     \
  " FROM correction y WHERE y.run_id = x.run_id AND y.field = x.field AND (y.created_at < x.created_at OR " \
  "(y.created_at = x.created_at AND y.id < x.id)) ORDER BY y.created_at DESC, y.id DESC LIMIT 1), "       \
  "CASE x.field WHEN 'verdict' THEN 'found' WHEN 'cloth' THEN (SELECT name FROM material WHERE id = "     \
  "r.cloth_id) WHEN 'body' THEN "                                                                         \
  "(SELECT name FROM material WHERE id = r.body_id) WHEN 'angle_deg' THEN printf('%.10g', r.angle_deg) "  \
  "WHEN 'body_angle_deg' THEN printf('%.10g', r.body_angle_deg) WHEN 'cart_mass_kg' THEN "                \
  "printf('%.10g', r.cart_mass_kg) WHEN 'added_mass_kg' THEN printf('%.10g', r.added_mass_kg) WHEN "      \
  "'normal_force_N' THEN printf('%.10g', r.normal_force_N) WHEN 'contact_area_m2' THEN printf('%.10g', "  \
  "r.contact_area_m2) WHEN 'incline_deg' THEN printf('%.10g', r.incline_deg) ELSE printf('%.10g', "       \
  "r.speed_m_per_s) END) END"
#define IS "CASE WHEN x.kind = 'amend' THEN " SHOWN("x.value", "x.material_id") " END"

cb_status cb_store_corrections(cb_store *s, int64_t run_id, cb_correction **list, size_t *n, cb_err *err) {
  return cbs_list(s, read_correction, sizeof **list, (void **)list, n, err,
                  "SELECT x.id, x.run_id, x.kind, x.reason, x.operator_name, x.created_at, x.field, "
                  "x.value, x.material_id, " WAS ", " IS
                  " FROM correction x JOIN run r ON r.id = x.run_id"
                  " WHERE x.run_id = ifnull(?, x.run_id) ORDER BY x.created_at, x.id",
                  "n", run_id);
}

cb_status cb_store_amended(cb_store *s, int64_t cloth_id, int64_t body_id, size_t *n, cb_err *err) {
  bool found;
  *n = 0;
  return cbs_one(s, cbs_read_count, n, &found, err,
                 "SELECT count(DISTINCT r.id) FROM correction a JOIN run_now r ON r.id = a.run_id"
                 " WHERE a.kind = 'amend' AND a.field <> 'verdict' AND r.kind = 'pull' AND r.cloth_id = "
                 "? AND r.body_id = ?"
                 " AND " CB_RUN_STATUS " = 'done'",
                 "ii", cloth_id, body_id);
}
