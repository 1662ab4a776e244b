/* Friction points, laws and validations: what was derived, with what it was derived from. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_array.h"
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

/* "[1,2,3]" for SQL's json_each. The caller frees it; NULL: no memory. */
static char *run_ids_json(const cb_run *runs, size_t n) {
  char *text = malloc(22 * n + 3), *end = text;
  if (!text) return NULL;
  *end++ = '[';
  for (size_t i = 0; i < n; i++) end += sprintf(end, i ? ",%lld" : "%lld", (long long)runs[i].id);
  (void)strcpy(end, "]");
  return text;
}

static int by_run(const void *a, const void *b) {
  const cb_friction_point *p = a, *q = b;
  return (p->run_id > q->run_id) - (p->run_id < q->run_id);
}

/* found: by run */
static cb_friction_point *in_order_of(const cb_run *runs, size_t n, const cb_friction_point *found,
                                      size_t n_found) {
  cb_friction_point *list = malloc((n + 1) * sizeof *list);
  for (size_t i = 0; list && i < n; i++) {
    const cb_friction_point wanted = {.run_id = runs[i].id, .static_N = NAN, .kinetic_N = NAN},
                            *p = n_found ? bsearch(&wanted, found, n_found, sizeof *found, by_run) : NULL;
    list[i] = p ? *p : wanted;
  }
  return list;
}

cb_status cb_store_points_of_runs(cb_store *s, const cb_run *runs, size_t n, cb_friction_point **list,
                                  cb_err *err) {
  cb_friction_point *found = NULL;
  size_t n_found;
  *list = NULL;
  char *ids = run_ids_json(runs, n);
  cb_status st = ids ? CB_OK : cb_no_memory(err, "%s, %zu runs", s->path, n);
  if (st == CB_OK)
    st = cbs_list(s, read_point, sizeof *found, (void **)&found, &n_found, err,
                  "SELECT " POINT_COLUMNS
                  " FROM json_each(?) j JOIN friction_point p ON p.id = (SELECT max(id) FROM friction_point"
                  " WHERE run_id = j.value) ORDER BY p.run_id",
                  "t", ids);
  if (st == CB_OK) *list = in_order_of(runs, n, found, n_found);
  if (st == CB_OK && !*list) st = cb_no_memory(err, "%s, %zu points", s->path, n);
  free(ids);
  free(found);
  return st;
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

/* Rows of a law's tables. */
typedef struct knot_row {
  int64_t law_id;
  cb_friction_knot knot;
} knot_row;

static void read_knot(sqlite3_stmt *q, void *item) {
  knot_row *r = item;
  cb_friction_knot *k = &r->knot;
  r->law_id = sqlite3_column_int64(q, 0);
  k->normal_force_N = cbs_real(q, 1);
  for (int i = 0; i < 3; i++) k->f_N[i] = cbs_real(q, 2 + i);
  int column = 5;
  for (int i = 0; i < 3; i++)
    for (int j = i; j < 3; j++) k->cov_N2[i][j] = k->cov_N2[j][i] = cbs_real(q, column++);
}

/* A part at a knot. */
typedef struct shared_row {
  int64_t law_id;
  size_t part;
  char source[24];
  double exponent[2], f_N[3];
} shared_row;

static void read_shared_row(sqlite3_stmt *q, void *item) {
  shared_row *r = item;
  r->law_id = sqlite3_column_int64(q, 0);
  r->part = (size_t)sqlite3_column_int64(q, 1);
  cbs_text(q, 2, r->source, sizeof r->source);
  for (int i = 0; i < 2; i++) r->exponent[i] = cbs_real(q, 3 + i);
  for (int i = 0; i < 3; i++) r->f_N[i] = cbs_real(q, 5 + i);
}

/* The rows of some laws, ascending in law_id. */
typedef struct law_parts {
  knot_row *knots;
  shared_row *shared;
  size_t n_knots, n_shared;
} law_parts;

static void free_parts(law_parts *p) {
  free(p->knots);
  free(p->shared);
}

/* SQL: the law ?1; with 0 the newest of each pair and kind, of the material ?2, with 0 of all. */
#define LAWS_MEANT                                                                                      \
  " IN (SELECT ?1 WHERE ?1 > 0 UNION ALL SELECT max(id) FROM friction_law WHERE ?1 = 0 AND (?2 = 0 OR " \
  "cloth_id IN (" CBS_ALL_OF("?2") ") OR body_id IN (" CBS_ALL_OF("?2") ")) GROUP BY " CBS_IS(          \
      "cloth_id") ", " CBS_IS("body_id") ", kind)"

static cb_status read_parts(cb_store *s, int64_t law_id, int64_t material_id, law_parts *p, cb_err *err) {
  *p = (law_parts){0};
  CB_TRY(cbs_list(s, read_knot, sizeof *p->knots, (void **)&p->knots, &p->n_knots, err,
                  "SELECT law_id, normal_force_N, f00_N, f01_N, f11_N, cov_00_00_N2, cov_00_01_N2, "
                  "cov_00_11_N2, cov_01_01_N2, cov_01_11_N2, cov_11_11_N2"
                  " FROM friction_knot WHERE law_id" LAWS_MEANT " ORDER BY law_id, normal_force_N",
                  "ii", law_id, material_id));
  cb_status st = cbs_list(
      s, read_shared_row, sizeof *p->shared, (void **)&p->shared, &p->n_shared, err,
      "SELECT p.law_id, p.part, p.source, p.exponent_below, p.exponent_above, k.f00_N, k.f01_N, k.f11_N"
      " FROM friction_shared p JOIN friction_shared_knot k ON k.law_id = p.law_id AND k.part = p.part"
      " WHERE p.law_id" LAWS_MEANT " ORDER BY p.law_id, p.part, k.normal_force_N",
      "ii", law_id, material_id);
  if (st != CB_OK) free_parts(p);
  return st;
}

static cb_status take_shared(const cb_store *s, const shared_row *rows, size_t n, cb_friction_law *law,
                             cb_err *err) {
  if (n == 0) return CB_OK;
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

/* The rows of one law among those of an array whose elements begin with the law's number. */
static const void *rows_of(const void *rows, size_t n, size_t size, int64_t law_id, size_t *count) {
  const char *at = rows;
  size_t from = 0, to = n;
  while (from < to) {
    const size_t middle = from + (to - from) / 2;
    if (*(const int64_t *)(const void *)(at + middle * size) < law_id)
      from = middle + 1;
    else
      to = middle;
  }
  while (to < n && *(const int64_t *)(const void *)(at + to * size) == law_id) to++;
  *count = to - from;
  return n > 0 ? at + from * size : NULL;
}

static cb_status take_parts(const cb_store *s, const law_parts *p, cb_friction_law *law, cb_err *err) {
  size_t n, n_shared;
  const knot_row *knots = rows_of(p->knots, p->n_knots, sizeof *knots, law->id, &n);
  const shared_row *shared = rows_of(p->shared, p->n_shared, sizeof *shared, law->id, &n_shared);
  if (n > CB_LAW_MAX_KNOTS)
    return cb_fail(err, CB_E_DB, "%s: law F%lld has %zu knot%s, at most %d are allowed", s->path,
                   (long long)law->id, n, CB_S(n), CB_LAW_MAX_KNOTS);
  law->n_knots = n;
  for (size_t i = 0; i < n; i++) law->knots[i] = knots[i].knot;
  if (n > 0) CB_TRY(take_shared(s, shared, n_shared, law, err));
  return cb_friction_law_check(law, err);
}

static cb_status read_knots(cb_store *s, cb_friction_law *law, cb_err *err) {
  law_parts p;
  CB_TRY(read_parts(s, law->id, 0, &p, err));
  cb_status st = take_parts(s, &p, law, err);
  free_parts(&p);
  return st;
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

static cb_status visit_laws(cb_store *s, sqlite3_stmt *q, const law_parts *p, cb_law_visit *visit,
                            void *context, cb_err *err) {
  cb_friction_law *law = malloc(sizeof *law);
  cb_status st = law ? CB_OK : cb_no_memory(err, "%s, a law", s->path);
  bool row = true;
  while (st == CB_OK && (st = cbs_step(s, &q, &row, err)) == CB_OK && row) {
    read_law(q, law);
    st = take_parts(s, p, law, err);
    if (st == CB_OK) st = visit(law, context, err);
  }
  sqlite3_finalize(q);
  free(law);
  return st;
}

/* most, material_id: 0: all */
static cb_status each_law(cb_store *s, size_t most, int64_t material_id, cb_law_visit *visit, void *context,
                          cb_err *err) {
  sqlite3_stmt *q;
  law_parts p;
  CB_TRY(read_parts(s, 0, material_id, &p, err));
  cb_status st = cbs_prepare(s, &q, err,
                             "SELECT " LAW_COLUMNS LAW_FROM " WHERE l.id" LAWS_MEANT
                             " ORDER BY c.name, b.name, l.kind LIMIT ?3",
                             "iii", (int64_t)0, material_id, most > 0 ? (int64_t)most : (int64_t)-1);
  if (st == CB_OK) st = visit_laws(s, q, &p, visit, context, err);
  free_parts(&p);
  return st;
}

cb_status cb_store_each_law(cb_store *s, cb_law_visit *visit, void *context, cb_err *err) {
  return each_law(s, 0, 0, visit, context, err);
}

typedef struct law_list {
  cb_friction_law *laws;
  size_t n, capacity;
} law_list;

static cb_status append_law(const cb_friction_law *law, void *context, cb_err *err) {
  law_list *l = context;
  cb_friction_law *grown = cb_array_grow(l->laws, &l->capacity, l->n + 1, sizeof *grown);
  if (!grown) return cb_no_memory(err, "a list of %zu laws", l->n + 1);
  l->laws = grown;
  l->laws[l->n++] = *law;
  return CB_OK;
}

static cb_status list_laws(cb_store *s, size_t most, int64_t material_id, cb_friction_law **list, size_t *n,
                           cb_err *err) {
  law_list l = {0};
  const cb_status st = each_law(s, most, material_id, append_law, &l, err);
  if (st != CB_OK) free(l.laws);
  *list = st == CB_OK ? l.laws : NULL;
  *n = st == CB_OK ? l.n : 0;
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
