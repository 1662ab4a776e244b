/* Calibrations, their points and their budgets. */
#include <endian.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "cb_store_impl.h"
#include "cb_store_rows_impl.h"
#include "cb_time.h"

/* ---- reading ---- */

#define SELECT_CALIBRATION                                                                              \
  "SELECT c.id, c.rig_id, c.kind, c.origin, c.cell, c.unit, c.slope_N_per_unit, c.u_rel, c.u_floor_N, " \
  "c.dof, c.resolution_N,"                                                                              \
  " c.certificate, c.valid_from, c.valid_until, c.operator_name, c.gravity_m_per_s2, "                  \
  "c.air_density_kg_per_m3, c.full_scale_N,"                                                            \
  " c.sensitivity_unit_per_N, c.u_sensitivity_unit_per_N, c.intercept_unit, c.u_intercept_unit,"        \
  " c.cov_intercept_sensitivity_unit2_per_N, c.residual_sd_unit, c.nonlinearity_N, c.hysteresis_N, "    \
  "c.repeatability_N, c.zero_return_N,"                                                                 \
  " c.creep_N, c.temperature_degC, r.name, c.created_at FROM calibration c LEFT JOIN rig r ON r.id = "  \
  "c.rig_id "

static double or_zero(double v) { return isnan(v) ? 0 : v; }

static void read_calibration(sqlite3_stmt *q, void *item) {
  cb_calibration *c = item;
  int i = 0;
  *c = (cb_calibration){.id = sqlite3_column_int64(q, i++)};
  c->rig_id = sqlite3_column_int64(q, i++);
  c->kind = (cb_calibration_kind)cbs_enum(q, i++, cb_calibration_kind_names);
  c->origin = (cb_origin)cbs_enum(q, i++, cb_origin_names);
  cbs_text(q, i++, c->cell, sizeof c->cell);
  cbs_text(q, i++, c->unit, sizeof c->unit);
  double *known[] = {&c->slope_N_per_unit, &c->u_rel, &c->u_floor_N, &c->dof, &c->resolution_N};
  for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) *known[k] = or_zero(cbs_real(q, i++));
  cbs_text(q, i++, c->certificate, sizeof c->certificate);
  cbs_text(q, i++, c->valid_from, sizeof c->valid_from);
  cbs_text(q, i++, c->valid_until, sizeof c->valid_until);
  cbs_text(q, i++, c->operator_name, sizeof c->operator_name);
  double *sources[] = {&c->gravity_m_per_s2, &c->air_density_kg_per_m3, &c->full_scale_N};
  for (size_t k = 0; k < sizeof sources / sizeof sources[0]; k++) *sources[k] = or_zero(cbs_real(q, i++));
  double *results[] = {&c->sensitivity,
                       &c->u_sensitivity,
                       &c->intercept,
                       &c->u_intercept,
                       &c->cov_intercept_sensitivity,
                       &c->residual_sd,
                       &c->nonlinearity_N,
                       &c->hysteresis_N,
                       &c->repeatability_N,
                       &c->zero_return_N,
                       &c->creep_N,
                       &c->temperature_degC};
  for (size_t k = 0; k < sizeof results / sizeof results[0]; k++) *results[k] = cbs_real(q, i++);
  cbs_text(q, i++, c->rig_name, sizeof c->rig_name);
  cbs_text(q, i, c->created_at, sizeof c->created_at);
}

cb_status cb_store_calibration_get(cb_store *s, int64_t id, cb_calibration *c, cb_err *err) {
  bool found;
  CB_TRY(cbs_one(s, read_calibration, c, &found, err, SELECT_CALIBRATION "WHERE c.id = ?", "i", id));
  return found ? CB_OK : cb_fail(err, CB_E_NOTFOUND, "%s: no calibration %lld", s->path, (long long)id);
}

cb_status cb_store_calibrations(cb_store *s, cb_calibration **list, size_t *n, cb_err *err) {
  return cbs_list(s, read_calibration, sizeof **list, (void **)list, n, err,
                  SELECT_CALIBRATION "ORDER BY c.id", "");
}

/* ---- declared and imported ---- */

cb_status cb_store_calibration_ensure(cb_store *s, cb_calibration *c, cb_err *err) {
  bool found;
  char now[32];
  const char *kind = cb_calibration_kind_names[c->kind], *origin = cb_origin_names[c->origin];
  CB_TRY(cbs_one(
      s, cbs_read_id, &c->id, &found, err,
      "SELECT id FROM calibration WHERE rig_id IS ? AND kind = ? AND origin = ? AND cell = ? AND unit = ?"
      " AND slope_N_per_unit = ? AND u_rel = ? AND resolution_N = ? AND certificate = ? AND valid_from = ? "
      "AND valid_until = ?",
      "nttttdddttt", c->rig_id, kind, origin, c->cell, c->unit, c->slope_N_per_unit, c->u_rel,
      c->resolution_N, c->certificate, c->valid_from, c->valid_until));
  if (found) return CB_OK;
  cb_store_now(s, now);
  return cbs_run(s, &c->id, err,
                 "INSERT INTO calibration(rig_id, kind, origin, cell, unit, slope_N_per_unit, u_rel, "
                 "resolution_N, certificate, valid_from,"
                 " valid_until, created_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                 "nttttdddtttt", c->rig_id, kind, origin, c->cell, c->unit, c->slope_N_per_unit, c->u_rel,
                 c->resolution_N, c->certificate, c->valid_from, c->valid_until, now);
}

/* ---- measured ---- */

static uint64_t swap(double v) {
  uint64_t bits;
  memcpy(&bits, &v, sizeof bits);
  return htole64(bits);
}

static cb_status put_point(cb_store *s, int64_t id, const cb_calibration_point *p, cb_err *err) {
  uint64_t *payload = malloc((2 * p->raw.n + 1) * sizeof *payload);
  if (!payload) return cb_no_memory(err, "%s, %zu readings", s->path, p->raw.n);
  for (size_t i = 0; i < p->raw.n; i++) {
    payload[2 * i] = swap(p->raw.t_s[i]);
    payload[2 * i + 1] = swap(p->raw.v[i]);
  }
  size_t bytes = 2 * p->raw.n * sizeof *payload;
  cb_status st = cbs_run(s, NULL, err,
                         "INSERT INTO calibration_point(calibration_id, step, cycle, direction, mass_kg, "
                         "force_N, u_force_N, reading, sd, n,"
                         " t_s, crc32, payload) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                         "iiitdddddidib", id, (int64_t)p->step, (int64_t)p->cycle,
                         cb_calibration_direction_names[p->direction], p->mass_kg, p->force_N, p->u_force_N,
                         p->reading, p->sd, (int64_t)p->n, p->t_s,
                         (int64_t)crc32_z(0, (const unsigned char *)payload, bytes), payload, bytes);
  free(payload);
  return st;
}

static cb_status put_row(cb_store *s, cb_calibration *c, const char *weights_text, const char *budget_json,
                         cb_err *err) {
  cb_store_now(s, c->created_at);
  return cbs_run(s, &c->id, err,
                 "INSERT INTO calibration(rig_id, kind, origin, cell, unit, slope_N_per_unit, u_rel, "
                 "u_floor_N, dof, resolution_N,"
                 " certificate, valid_from, valid_until, operator_name, weights_text, gravity_m_per_s2, "
                 "air_density_kg_per_m3, full_scale_N,"
                 " sensitivity_unit_per_N, u_sensitivity_unit_per_N, intercept_unit, u_intercept_unit,"
                 " cov_intercept_sensitivity_unit2_per_N, residual_sd_unit, nonlinearity_N, hysteresis_N, "
                 "repeatability_N, zero_return_N,"
                 " creep_N, temperature_degC, budget_json, created_at)"
                 " VALUES(?, 'measured', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                 "?, ?, ?, ?, ?, ?, ?, ?)",
                 "ntttdddpdtttttpppddddddddddddtt", c->rig_id, cb_origin_names[c->origin], c->cell, c->unit,
                 c->slope_N_per_unit, c->u_rel, c->u_floor_N, c->dof, c->resolution_N, c->certificate,
                 c->valid_from, c->valid_until, c->operator_name, weights_text, c->gravity_m_per_s2,
                 c->air_density_kg_per_m3, c->full_scale_N, c->sensitivity, c->u_sensitivity, c->intercept,
                 c->u_intercept, c->cov_intercept_sensitivity, c->residual_sd, c->nonlinearity_N,
                 c->hysteresis_N, c->repeatability_N, c->zero_return_N, c->creep_N, c->temperature_degC,
                 budget_json, c->created_at);
}

cb_status cb_store_calibration_put(cb_store *s, cb_calibration *c, const cb_calibration_point *points,
                                   size_t n, const char *weights_text, const char *budget_json, cb_err *err) {
  CB_TRY(cb_store_begin(s, err));
  cb_status st = put_row(s, c, weights_text, budget_json, err);
  for (size_t i = 0; st == CB_OK && i < n; i++) st = put_point(s, c->id, &points[i], err);
  if (st == CB_OK) st = cb_store_commit(s, err);
  if (st != CB_OK) {
    cb_store_rollback(s);
    c->id = 0;
  }
  return st;
}

static void read_point(sqlite3_stmt *q, void *item) {
  cb_calibration_point *p = item;
  p->step = sqlite3_column_int(q, 0);
  p->cycle = sqlite3_column_int(q, 1);
  p->direction = (cb_calibration_direction)cbs_enum(q, 2, cb_calibration_direction_names);
  double *reals[] = {&p->mass_kg, &p->force_N, &p->u_force_N, &p->reading, &p->sd, &p->t_s};
  for (int i = 0; i < 6; i++) *reals[i] = cbs_real(q, 3 + i);
  p->n = (size_t)sqlite3_column_int64(q, 9);
}

cb_status cb_store_calibration_points(cb_store *s, int64_t id, cb_calibration_point **list, size_t *n,
                                      cb_err *err) {
  return cbs_list(
      s, read_point, sizeof **list, (void **)list, n, err,
      "SELECT step, cycle, direction, mass_kg, force_N, u_force_N, reading, sd, t_s, n FROM calibration_point"
      " WHERE calibration_id = ? ORDER BY step",
      "i", id);
}

/* ---- raw readings and budget ---- */

static cb_status unpack(cb_store *s, int64_t id, int step, sqlite3_stmt *q, cb_series *out, cb_err *err) {
  const unsigned char *payload = sqlite3_column_blob(q, 1);
  size_t bytes = (size_t)sqlite3_column_bytes(q, 1);
  if (bytes % 16 != 0 || (int64_t)crc32_z(0, payload, bytes) != sqlite3_column_int64(q, 0))
    return cb_fail(err, CB_E_DB, "%s: calibration %lld, step %d: the readings are damaged (CRC)", s->path,
                   (long long)id, step);
  for (size_t i = 0; i < bytes; i += 16) {
    uint64_t bits[2];
    double pair[2];
    memcpy(bits, payload + i, sizeof bits);
    for (int k = 0; k < 2; k++) bits[k] = le64toh(bits[k]);
    memcpy(pair, bits, sizeof pair);
    CB_TRY(cb_series_push(out, pair[0], pair[1], err));
  }
  return CB_OK;
}

cb_status cb_store_calibration_raw(cb_store *s, int64_t id, int step, cb_series *out, cb_err *err) {
  sqlite3_stmt *q;
  bool row;
  *out = (cb_series){0};
  CB_TRY(cbs_prepare(s, &q, err,
                     "SELECT crc32, payload FROM calibration_point WHERE calibration_id = ? AND step = ?",
                     "ii", id, (int64_t)step));
  CB_TRY(cbs_step(s, &q, &row, err));
  if (!row)
    return cb_fail(err, CB_E_NOTFOUND, "%s: calibration %lld has no step %d", s->path, (long long)id, step);
  cb_status st = unpack(s, id, step, q, out, err);
  sqlite3_finalize(q);
  if (st != CB_OK) cb_series_clear(out);
  return st;
}

static void read_text(sqlite3_stmt *q, void *item) { *(char **)item = cbs_text_dup(q, 0); }

cb_status cb_store_calibration_budget(cb_store *s, int64_t id, char **budget_json, cb_err *err) {
  bool found;
  *budget_json = NULL;
  CB_TRY(cbs_one(s, read_text, budget_json, &found, err, "SELECT budget_json FROM calibration WHERE id = ?",
                 "i", id));
  if (!found) return cb_fail(err, CB_E_NOTFOUND, "%s: no calibration %lld", s->path, (long long)id);
  return *budget_json ? CB_OK : cb_no_memory(err, "%s, a budget", s->path);
}
