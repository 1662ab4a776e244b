/* Friction points, laws and validations: what was derived, with what it was derived from. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_plural.h"
#include "cb_run_row.h"
#include "cb_time.h"
#include "cb_version.h"
#include "cb_store_impl.h"
#include "cb_store_rows_impl.h"

/* ---- points ---- */

#define POINT_COLUMNS                                                                            \
  "p.id, p.run_id, p.zero_N, p.u_zero_N, p.static_N, p.u_static_N, p.kinetic_N, p.u_kinetic_N, " \
  "p.kinetic_sd_N, p.n_eff, p.window_from_m,"                                                    \
  " p.window_to_m, p.mu_reported, p.mu_reported_decimals, p.method"
#define POINT_N_COLUMNS 15

static void read_point_at(sqlite3_stmt *q, int i, cb_friction_point *p) {
  p->id = sqlite3_column_int64(q, i++);
  p->run_id = sqlite3_column_int64(q, i++);
  double *reals[] = {&p->zero_N,        &p->u_zero_N,    &p->static_N,     &p->u_static_N,
                     &p->kinetic_N,     &p->u_kinetic_N, &p->kinetic_sd_N, &p->n_eff,
                     &p->window_from_m, &p->window_to_m, &p->mu_reported};
  for (size_t k = 0; k < sizeof reals / sizeof reals[0]; k++) *reals[k] = cbs_real(q, i++);
  p->mu_reported_decimals = sqlite3_column_int(q, i++);
  cbs_text(q, i, p->method, sizeof p->method);
}

static void read_point(sqlite3_stmt *q, void *item) { read_point_at(q, 0, item); }

cb_status cb_store_point_put(cb_store *s, cb_friction_point *p, cb_err *err) {
  char now[32];
  cb_store_now(s, now);
  return cbs_run(
      s, &p->id, err,
      "INSERT INTO friction_point(run_id, zero_N, u_zero_N, static_N, u_static_N, kinetic_N, u_kinetic_N, "
      "kinetic_sd_N, n_eff,"
      " window_from_m, window_to_m, mu_reported, mu_reported_decimals, method, program_version, created_at)"
      " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      "idddddddddddittt", p->run_id, p->zero_N, p->u_zero_N, p->static_N, p->u_static_N, p->kinetic_N,
      p->u_kinetic_N, p->kinetic_sd_N, p->n_eff, p->window_from_m, p->window_to_m, p->mu_reported,
      (int64_t)p->mu_reported_decimals, p->method, cb_version(), now);
}

cb_status cb_store_point_of_run(cb_store *s, int64_t run_id, cb_friction_point *p, cb_err *err) {
  bool found;
  CB_TRY(cbs_one(s, read_point, p, &found, err,
                 "SELECT " POINT_COLUMNS
                 " FROM friction_point p WHERE p.run_id = ? ORDER BY p.id DESC LIMIT 1",
                 "i", run_id));
  return found ? CB_OK
               : cb_fail(err, CB_E_NOTFOUND, "%s: run %lld has not been reduced to a friction point", s->path,
                         (long long)run_id);
}

cb_status cb_store_point_detail_put(cb_store *s, int64_t point_id, const char *result_json, cb_err *err) {
  return cbs_run(s, NULL, err, "INSERT INTO point_detail(point_id, result_json) VALUES(?, ?)", "it", point_id,
                 result_json);
}

static void read_observation(sqlite3_stmt *q, void *item) {
  cb_friction_obs *o = item;
  cbs_read_run(q, &o->run);
  read_point_at(q, CB_RUN_N_COLUMNS, &o->point);
  double *reals[] = {&o->u_rel_calibration, &o->u_floor_calibration_N, &o->dof_calibration};
  for (int i = 0; i < 3; i++) {
    double v = cbs_real(q, CB_RUN_N_COLUMNS + POINT_N_COLUMNS + i);
    *reals[i] = isnan(v) ? 0 : v;
  }
}

cb_status cb_store_observations(cb_store *s, int64_t cloth_id, int64_t body_id, cb_friction_obs **list,
                                size_t *n, cb_err *err) {
  return cbs_list(
      s, read_observation, sizeof **list, (void **)list, n, err,
      "SELECT " CB_RUN_COLUMNS ", " POINT_COLUMNS
      ", c.u_rel, c.u_floor_N, c.dof FROM run_now r"
      " JOIN friction_point p ON p.id = (SELECT max(id) FROM friction_point WHERE run_id = r.id)"
      " LEFT JOIN calibration c ON c.id = r.calibration_id"
      " WHERE " CB_RUNS_OF("cloth_id", "?1") " AND r.body_id = ?2 AND r.kind = 'pull' AND " CB_RUN_STATUS
                                             " = 'done' ORDER BY r.id",
      "ii", cloth_id, body_id);
}

/* ---- laws ---- */

static cb_status put_knot(cb_store *s, int64_t law_id, const cb_friction_knot *k, cb_err *err) {
  return cbs_run(s, NULL, err, "INSERT INTO friction_knot VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                 "idddddddddd", law_id, k->normal_force_N, k->f_N[0], k->f_N[1], k->f_N[2], k->cov_N2[0][0],
                 k->cov_N2[0][1], k->cov_N2[0][2], k->cov_N2[1][1], k->cov_N2[1][2], k->cov_N2[2][2]);
}

static cb_status put_shared(cb_store *s, const cb_friction_law *law, size_t part, cb_err *err) {
  const cb_friction_shared *p = &law->shared[part];
  CB_TRY(cbs_run(s, NULL, err, "INSERT INTO friction_shared VALUES(?, ?, ?, ?, ?)", "iitdd", law->id,
                 (int64_t)part, p->source, p->exponent[0], p->exponent[1]));
  for (size_t k = 0; k < law->n_knots; k++)
    CB_TRY(cbs_run(s, NULL, err, "INSERT INTO friction_shared_knot VALUES(?, ?, ?, ?, ?, ?)", "iidddd",
                   law->id, (int64_t)part, law->knots[k].normal_force_N, p->f_N[k][0], p->f_N[k][1],
                   p->f_N[k][2]));
  return CB_OK;
}

static cb_status put_law(cb_store *s, cb_friction_law *law, int64_t cloth_id, int64_t body_id,
                         const int64_t *point_ids, size_t n_points, const char *method,
                         const char *verdicts_json, cb_err *err) {
  char now[32];
  cb_store_now(s, now);
  CB_TRY(cbs_run(
      s, &law->id, err,
      "INSERT INTO friction_law(cloth_id, body_id, kind, form, origin, contact_area_m2, exponent, "
      "u_exponent, u_rel_common, u_rel_model,"
      " dof, model, bend, offset_N, speed_m_per_s, method, verdicts_json, program_version, created_at)"
      " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
      "iitttddddddtdddtttt", cloth_id, body_id, cb_friction_kind_names[law->kind],
      cb_friction_form_names[law->form], cb_origin_names[law->origin], law->contact_area_m2, law->exponent,
      law->u_exponent, law->u_rel_common, law->u_rel_model, isinf(law->dof) ? 1e9 : law->dof,
      cb_friction_model_names[law->model], law->bend, law->offset_N, law->speed_m_per_s, method,
      verdicts_json, cb_version(), now));
  for (size_t i = 0; i < law->n_knots; i++) CB_TRY(put_knot(s, law->id, &law->knots[i], err));
  for (size_t i = 0; i < law->n_shared; i++) CB_TRY(put_shared(s, law, i, err));
  for (size_t i = 0; i < n_points; i++)
    CB_TRY(cbs_run(s, NULL, err, "INSERT INTO friction_law_input VALUES(?, ?)", "ii", law->id, point_ids[i]));
  return CB_OK;
}

cb_status cb_store_law_put(cb_store *s, cb_friction_law *law, int64_t cloth_id, int64_t body_id,
                           const int64_t *point_ids, size_t n_points, const char *method,
                           const char *verdicts_json, cb_err *err) {
  CB_TRY(cb_friction_law_check(law, err));
  CB_TRY(cbs_exec(s, "SAVEPOINT law", err));
  cb_status st = put_law(s, law, cloth_id, body_id, point_ids, n_points, method, verdicts_json, err);
  st = cbs_end_savepoint(s, "law", st, err);
  if (st != CB_OK) law->id = 0;
  return st;
}

#define LAW_COLUMNS                                                                               \
  "l.id, c.name, b.name, l.kind, l.form, l.origin, l.contact_area_m2, l.exponent, l.u_exponent, " \
  "l.u_rel_common, l.u_rel_model, l.dof,"                                                         \
  " l.bend, l.offset_N, l.speed_m_per_s, l.model"
#define LAW_FROM                                                \
  " FROM friction_law l JOIN material_now c ON c.id = " CBS_IS( \
      "l.cloth_id") " JOIN material_now b ON b.id = " CBS_IS("l.body_id")

static void read_law(sqlite3_stmt *q, void *item) {
  cb_friction_law *l = item;
  *l = (cb_friction_law){.id = sqlite3_column_int64(q, 0)};
  cbs_text(q, 1, l->cloth, sizeof l->cloth);
  cbs_text(q, 2, l->body, sizeof l->body);
  l->kind = (cb_friction_kind)cbs_enum(q, 3, cb_friction_kind_names);
  l->form = (cb_friction_form)cbs_enum(q, 4, cb_friction_form_names);
  l->origin = (cb_origin)cbs_enum(q, 5, cb_origin_names);
  double *reals[] = {&l->contact_area_m2, &l->exponent, &l->u_exponent, &l->u_rel_common,
                     &l->u_rel_model,     &l->dof,      &l->bend,       &l->offset_N,
                     &l->speed_m_per_s};
  for (int k = 0; k < 9; k++) *reals[k] = cbs_real(q, 6 + k);
  l->model = (cb_friction_model)cbs_enum(q, 15, cb_friction_model_names);
}

static void read_knot(sqlite3_stmt *q, void *item) {
  cb_friction_knot *k = item;
  k->normal_force_N = cbs_real(q, 0);
  for (int i = 0; i < 3; i++) k->f_N[i] = cbs_real(q, 1 + i);
  int column = 4;
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++) k->cov_N2[i][j] = k->cov_N2[j][i] = cbs_real(q, column++);
}

/* One row: a part at a knot. */
typedef struct shared_row {
  size_t part;
  char source[24];
  double exponent[2], f_N[3];
} shared_row;

static void read_shared_row(sqlite3_stmt *q, void *item) {
  shared_row *r = item;
  r->part = (size_t)sqlite3_column_int64(q, 0);
  cbs_text(q, 1, r->source, sizeof r->source);
  for (int i = 0; i < 2; i++) r->exponent[i] = cbs_real(q, 2 + i);
  for (int i = 0; i < 3; i++) r->f_N[i] = cbs_real(q, 4 + i);
}

static cb_status take_shared(const cb_store *s, const shared_row *rows, size_t n, cb_friction_law *law,
                             cb_err *err) {
  if (n % law->n_knots != 0 || n / law->n_knots > CB_LAW_MAX_SHARED)
    return cb_fail(
        err, CB_E_DB,
        "%s: law F%lld has %zu row%s in friction_shared_knot: one for each of %zu knot%s and at most "
        "%d parts were wanted",
        s->path, (long long)law->id, n, CB_S(n), law->n_knots, CB_S(law->n_knots), CB_LAW_MAX_SHARED);
  law->n_shared = n / law->n_knots;
  for (size_t i = 0; i < n; i++) {
    size_t part = i / law->n_knots;
    cb_friction_shared *p = &law->shared[part];
    if (rows[i].part != part)
      return cb_fail(err, CB_E_DB,
                     "%s: law F%lld: row %zu of friction_shared_knot is of part %zu, %zu was wanted", s->path,
                     (long long)law->id, i, rows[i].part, part);
    memcpy(p->source, rows[i].source, sizeof p->source);
    memcpy(p->exponent, rows[i].exponent, sizeof p->exponent);
    memcpy(p->f_N[i % law->n_knots], rows[i].f_N, sizeof rows[i].f_N);
  }
  return CB_OK;
}

static cb_status read_shared(cb_store *s, cb_friction_law *law, cb_err *err) {
  shared_row *rows;
  size_t n;
  CB_TRY(cbs_list(
      s, read_shared_row, sizeof *rows, (void **)&rows, &n, err,
      "SELECT p.part, p.source, p.exponent_below, p.exponent_above, k.f00_N, k.f01_N, k.f11_N"
      " FROM friction_shared p JOIN friction_shared_knot k ON k.law_id = p.law_id AND k.part = p.part"
      " WHERE p.law_id = ? ORDER BY p.part, k.normal_force_N",
      "i", law->id));
  cb_status st = take_shared(s, rows, n, law, err);
  free(rows);
  return st;
}

static cb_status read_knots(cb_store *s, cb_friction_law *law, cb_err *err) {
  cb_friction_knot *knots;
  size_t n;
  CB_TRY(cbs_list(s, read_knot, sizeof *knots, (void **)&knots, &n, err,
                  "SELECT normal_force_N, f00_N, f01_N, f11_N, cov_00_00_N2, cov_00_01_N2, cov_00_11_N2, "
                  "cov_01_01_N2, cov_01_11_N2, cov_11_11_N2"
                  " FROM friction_knot WHERE law_id = ? ORDER BY normal_force_N",
                  "i", law->id));
  law->n_knots = n < CB_LAW_MAX_KNOTS ? n : CB_LAW_MAX_KNOTS;
  if (n) memcpy(law->knots, knots, law->n_knots * sizeof *knots);
  free(knots);
  if (n > CB_LAW_MAX_KNOTS)
    return cb_fail(err, CB_E_DB, "%s: law F%lld has %zu knot%s, at most %d are allowed", s->path,
                   (long long)law->id, n, CB_S(n), CB_LAW_MAX_KNOTS);
  if (n > 0) CB_TRY(read_shared(s, law, err));
  return cb_friction_law_check(law, err);
}

cb_status cb_store_law_find(cb_store *s, const char *cloth, const char *body, cb_friction_kind kind,
                            cb_friction_law *law, cb_err *err) {
  bool found;
  CB_TRY(cbs_one(s, read_law, law, &found, err,
                 "SELECT " LAW_COLUMNS LAW_FROM
                 " WHERE c.id = (" CBS_NAMED("'cloth'", "?1") ") AND b.id = (" CBS_NAMED(
                     "'body'", "?2") ")"
                                     " AND l.kind = ?3"
                                     " ORDER BY l.id DESC LIMIT 1",
                 "ttt", cloth, body, cb_friction_kind_names[kind]));
  if (!found)
    return cb_fail(
        err, CB_E_NOTFOUND,
        "%s: no %s friction law of '%s' on '%s': 'clothbench fit friction' makes one from its runs", s->path,
        cb_friction_kind_names[kind], cloth, body);
  return read_knots(s, law, err);
}

static void read_texts(sqlite3_stmt *q, void *item) {
  char **texts = item;
  texts[0] = cbs_text_dup(q, 0);
  texts[1] = cbs_text_dup(q, 1);
  texts[2] = cbs_text_dup(q, 2);
}

cb_status cb_store_law_info(cb_store *s, int64_t law_id, char **method, char **verdicts_json,
                            char created_at[32], cb_err *err) {
  char *texts[3] = {NULL, NULL, NULL};
  bool found;
  *method = *verdicts_json = NULL;
  CB_TRY(cbs_one(s, read_texts, texts, &found, err,
                 "SELECT method, verdicts_json, created_at FROM friction_law WHERE id = ?", "i", law_id));
  if (!found) return cb_fail(err, CB_E_NOTFOUND, "%s: no law F%lld", s->path, (long long)law_id);
  if (texts[0] && texts[1] && texts[2]) {
    *method = texts[0];
    *verdicts_json = texts[1];
    created_at[31] = '\0';
    (void)strncpy(created_at, texts[2], 31);
    free(texts[2]);
    return CB_OK;
  }
  for (int i = 0; i < 3; i++) free(texts[i]);
  return cb_no_memory(err, "%s, law F%lld", s->path, (long long)law_id);
}

/* material_id: 0: of all */
static cb_status list_laws(cb_store *s, size_t most, int64_t material_id, cb_friction_law **list, size_t *n,
                           cb_err *err) {
  CB_TRY(cbs_list(s, read_law, sizeof **list, (void **)list, n, err,
                  "SELECT " LAW_COLUMNS LAW_FROM
                  " WHERE l.id IN (SELECT max(id) FROM friction_law GROUP BY " CBS_IS("cloth_id") ", " CBS_IS(
                      "body_id") ", kind) "
                                 "AND (?2 IN (0, c.id, b.id)) ORDER BY c.name, b.name, l.kind LIMIT ?1",
                  "ii", most > 0 ? (int64_t)most : -1, material_id));
  cb_status st = CB_OK;
  for (size_t i = 0; i < *n && st == CB_OK; i++) st = read_knots(s, &(*list)[i], err);
  if (st == CB_OK) return CB_OK;
  free(*list);
  *list = NULL;
  *n = 0;
  return st;
}

cb_status cb_store_laws_first(cb_store *s, size_t most, cb_friction_law **list, size_t *n, cb_err *err) {
  return list_laws(s, most, 0, list, n, err);
}

cb_status cb_store_laws(cb_store *s, cb_friction_law **list, size_t *n, cb_err *err) {
  return list_laws(s, 0, 0, list, n, err);
}

cb_status cb_store_laws_of(cb_store *s, int64_t material_id, cb_friction_law **list, size_t *n, cb_err *err) {
  return list_laws(s, 0, material_id, list, n, err);
}

static cb_status check_laws(cb_store *s, cb_friction_law *list, size_t n, cb_err *err) {
  for (size_t i = 0; i < n; i++) {
    cb_status st = read_knots(s, &list[i], err);
    if (st == CB_E_NOMEM) return st;
    if (st != CB_OK) return cb_fail_in(err, CB_E_DB, "%s: law F%lld", s->path, (long long)list[i].id);
  }
  return CB_OK;
}

cb_status cbs_laws_check(cb_store *s, cb_err *err) {
  cb_friction_law *list;
  size_t n;
  CB_TRY(cbs_list(s, read_law, sizeof *list, (void **)&list, &n, err,
                  "SELECT " LAW_COLUMNS LAW_FROM " ORDER BY l.id", ""));
  cb_status st = check_laws(s, list, n, err);
  free(list);
  return st;
}

cb_status cb_store_law_points(cb_store *s, int64_t law_id, int64_t **ids, size_t *n, cb_err *err) {
  return cbs_list(s, cbs_read_id, sizeof **ids, (void **)ids, n, err,
                  "SELECT point_id FROM friction_law_input WHERE law_id = ? ORDER BY point_id", "i", law_id);
}

static void read_run(sqlite3_stmt *q, void *item) { cbs_read_run(q, item); }

cb_status cb_store_law_runs(cb_store *s, int64_t law_id, cb_run **list, size_t *n, cb_err *err) {
  return cbs_list(s, read_run, sizeof **list, (void **)list, n, err,
                  "SELECT " CB_RUN_COLUMNS
                  " FROM run_now r WHERE r.id IN (SELECT p.run_id FROM friction_point p JOIN "
                  "friction_law_input i ON i.point_id = p.id"
                  " WHERE i.law_id = ?) ORDER BY r.id",
                  "i", law_id);
}

cb_status cb_store_law_stale(cb_store *s, const cb_friction_law *law, size_t *n_newer, cb_err *err) {
  bool found;
  *n_newer = 0;
  return cbs_one(s, cbs_read_count, n_newer, &found, err,
 "SELECT (SELECT count(*) FROM friction_law l"
      " LEFT JOIN run f ON f.id = (SELECT p.run_id FROM friction_law_input i JOIN friction_point p ON p.id = "
      "i.point_id"
      "   WHERE i.law_id = l.id LIMIT 1)"
      " JOIN run_now r ON " CB_RUNS_OF("cloth_id", CBS_IS("l.cloth_id")) " AND r.body_id = " CBS_IS(
          "l.body_id") " AND r.kind = 'pull' "
                       "AND " CB_RUN_STATUS
                       " = 'done' AND (f.id IS NULL OR r.body_angle_deg IS f.body_angle_deg)"
                       " LEFT JOIN friction_point p ON p.id = (SELECT max(id) FROM friction_point WHERE "
                       "run_id = r.id)"
                       " WHERE l.id = ?1 AND (p.id IS NULL OR NOT EXISTS(SELECT 1 FROM friction_law_input i "
                       "WHERE i.law_id = "
                       "l.id AND i.point_id = p.id)))"
                       " + (SELECT count(*) FROM friction_law_input i JOIN friction_point p ON p.id = "
                       "i.point_id"
                       "   JOIN run r ON r.id = p.run_id JOIN friction_law l ON l.id = i.law_id WHERE "
                       "i.law_id = ?1"
                       " AND (" CB_RUN_IS_VOIDED " OR EXISTS(SELECT 1 FROM correction x WHERE x.run_id = "
                       "r.id AND x.kind = 'amend' AND x.created_at"
                       " >= l.created_at)))",
      "i", law->id);
}
