/* Tests of one material and the laws made of them. */
#include "law.h"
#include "cb_store_material_test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_store_impl.h"
#include "cb_store_rows_impl.h"
#include "cb_time.h"
#include "cb_version.h"

/* Where the points of a kind are kept. */
static const struct curve {
  const char *insert, *select;
} curves[] = {
#define CURVE(table, x, y)                                                    \
  {                                                                           \
    "INSERT INTO " table "(test_id, i, " x ", " y ") VALUES(?1, ?2, ?3, ?4)", \
        "SELECT " x ", " y " FROM " table " WHERE test_id = ? ORDER BY i"     \
  }
    [CB_TEST_PERMEABILITY] = CURVE("permeability_point", "pressure_Pa", "velocity_m_per_s"),
    [CB_TEST_STRETCH] = CURVE("stretch_point", "displacement_m", "force_N"),
    [CB_TEST_CANTILEVER] = CURVE("cantilever_point", "overhang_m", "chord_angle_rad"),
    [CB_TEST_BENDING_MOMENT] = CURVE("bending_moment_point", "curvature_per_m", "moment_per_width_N"),
    [CB_TEST_SHEAR] = CURVE("shear_point", "shear_angle_rad", "shear_force_N_per_m"),
    [CB_TEST_COMPRESSION] = CURVE("compression_point", "pressure_Pa", "thickness_m"),
    [CB_TEST_BUCKLING] = CURVE("buckling_point", "shortening_m", "force_N"),
};

/* ---- tests ---- */

static cb_status put_test(cb_store *s, cb_material_test *t, const char *mapping_text, const char *fingerprint,
                          cb_err *err) {
  return cbs_run(s, &t->id, err,
                 "INSERT INTO material_test(uuid, material_id, kind, method, specimen, direction_deg, "
                 "repeat, layers, area_m2, length_m,"
                 " width_m, areal_density_kg_per_m2, temperature_degC, u_x_rel, u_y_rel, x_digit, y_digit, "
                 "origin, source, mapping_text,"
                 " file_fingerprint, program_version, created_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                 "?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                 "titttdiippppdddddtttttt", t->uuid, t->material_id, cb_test_kind_names[t->kind], t->method,
                 t->specimen, t->direction_deg, (int64_t)t->repeat, (int64_t)t->layers, t->area_m2,
                 t->length_m, t->width_m, t->areal_density_kg_per_m2, t->temperature_degC, t->u_x_rel,
                 t->u_y_rel, t->x_digit, t->y_digit, cb_origin_names[t->origin], t->source, mapping_text,
                 fingerprint, cb_version(), t->created_at);
}

static cb_status put_points(cb_store *s, const cb_material_test *t, const cb_test_point *p, size_t n,
                            cb_err *err) {
  sqlite3_stmt *q;
  const char *sql = curves[t->kind].insert;
  cb_status st = CB_OK;
  CB_TRY(cbs_prepare(s, &q, err, sql, ""));
  sqlite3_bind_int64(q, 1, t->id);
  for (size_t i = 0; i < n && st == CB_OK; i++) {
    sqlite3_bind_int64(q, 2, (sqlite3_int64)i);
    sqlite3_bind_double(q, 3, p[i].x);
    sqlite3_bind_double(q, 4, p[i].y);
    if (sqlite3_step(q) != SQLITE_DONE) st = cbs_fail(s, sql, err);
    sqlite3_reset(q);
  }
  sqlite3_finalize(q);
  return st;
}

cb_status cb_store_test_put(cb_store *s, cb_material_test *t, const cb_test_point *points, size_t n,
                            const char *mapping_text, const char *fingerprint, cb_err *err) {
  for (size_t i = 0; i < n; i++)
    if (!isfinite(points[i].x) || !isfinite(points[i].y))
      return cb_fail(err, CB_E_NUM, "%s test '%s': point %zu is (%g, %g): finite numbers were wanted",
                     cb_test_kind_names[t->kind], t->specimen, i + 1, points[i].x, points[i].y);
  cbs_uuid(s, fingerprint, t->uuid);
  cb_store_now(s, t->created_at);
  CB_TRY(cbs_exec(s, "SAVEPOINT test", err));
  cb_status st = put_test(s, t, mapping_text, fingerprint, err);
  if (st == CB_OK) st = put_points(s, t, points, n, err);
  return cbs_end_savepoint(s, "test", st, err);
}

static double known(double v) { return isnan(v) ? 0 : v; }

#define TEST_COLUMNS \
  "id, uuid, " CBS_IS("material_id") ", kind, method, specimen, direction_deg, repeat, layers, " \
  "area_m2, length_m, " \
  "width_m,"                                                                                          \
  " areal_density_kg_per_m2, temperature_degC, u_x_rel, u_y_rel, x_digit, y_digit, origin, source, "  \
  "created_at"

static void read_test(sqlite3_stmt *q, void *item) {
  cb_material_test *t = item;
  int i = 0;
  t->id = sqlite3_column_int64(q, i++);
  cbs_text(q, i++, t->uuid, sizeof t->uuid);
  t->material_id = sqlite3_column_int64(q, i++);
  t->kind = (cb_test_kind)cbs_enum(q, i++, cb_test_kind_names);
  cbs_text(q, i++, t->method, sizeof t->method);
  cbs_text(q, i++, t->specimen, sizeof t->specimen);
  t->direction_deg = cbs_real(q, i++);
  t->repeat = sqlite3_column_int(q, i++);
  t->layers = sqlite3_column_int(q, i++);
  double *positive[] = {&t->area_m2, &t->length_m, &t->width_m, &t->areal_density_kg_per_m2};
  for (size_t k = 0; k < sizeof positive / sizeof positive[0]; k++) *positive[k] = known(cbs_real(q, i++));
  double *reals[] = {&t->temperature_degC, &t->u_x_rel, &t->u_y_rel, &t->x_digit, &t->y_digit};
  for (size_t k = 0; k < sizeof reals / sizeof reals[0]; k++) *reals[k] = cbs_real(q, i++);
  t->origin = (cb_origin)cbs_enum(q, i++, cb_origin_names);
  cbs_text(q, i++, t->source, sizeof t->source);
  cbs_text(q, i, t->created_at, sizeof t->created_at);
}

cb_status cb_store_tests(cb_store *s, int64_t material_id, int kind, cb_material_test **list, size_t *n,
                         cb_err *err) {
  return cbs_list(s, read_test, sizeof **list, (void **)list, n, err,
                  "SELECT " TEST_COLUMNS " FROM material_test WHERE (?1 = 0 OR material_id IN (" CBS_ALL_OF(
                      "?1") ")) AND (?2 = '' OR kind = ?2) ORDER BY id",
                  "it", material_id, kind < 0 ? "" : cb_test_kind_names[kind]);
}

static void read_test_point(sqlite3_stmt *q, void *item) {
  *(cb_test_point *)item = (cb_test_point){cbs_real(q, 0), cbs_real(q, 1)};
}

cb_status cb_store_test_points(cb_store *s, const cb_material_test *t, cb_test_point **list, size_t *n,
                               cb_err *err) {
  return cbs_list(s, read_test_point, sizeof **list, (void **)list, n, err, curves[t->kind].select, "i",
                  t->id);
}

static void read_created(sqlite3_stmt *q, void *item) { cbs_text(q, 0, item, 32); }

cb_status cb_store_test_fingerprint(cb_store *s, cb_test_kind kind, const char *fingerprint,
                                    char created_at[32], cb_err *err) {
  bool found;
  created_at[0] = '\0';
  return cbs_one(
      s, read_created, created_at, &found, err,
      "SELECT created_at FROM material_test WHERE kind = ? AND file_fingerprint = ? ORDER BY id LIMIT 1",
      "tt", cb_test_kind_names[kind], fingerprint);
}

/* ---- laws ---- */

static cb_status put_law(cb_store *s, cb_material_law *law, const int64_t *test_ids, size_t n_tests,
                         cb_err *err) {
  CB_TRY(cbs_run(s, &law->id, err,
                 "INSERT INTO material_law(material_id, kind, form, origin, source, result_json, method, "
                 "program_version, created_at)"
                 " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
                 "itttttttt", law->material_id, cb_material_law_kind_names[law->kind], law->form,
                 cb_origin_names[law->origin], law->source, law->result_json, law->method, cb_version(),
                 law->created_at));
  CB_TRY(cbs_law_owners_check(s, law->id, err));
  CB_TRY(cbs_law_numbers(s, law->id, true, err));
  for (size_t i = 0; i < n_tests; i++)
    CB_TRY(cbs_run(s, NULL, err, "INSERT INTO material_law_input(law_id, test_id) VALUES(?, ?)", "ii",
                   law->id, test_ids[i]));
  return CB_OK;
}

cb_status cb_store_material_law_put(cb_store *s, cb_material_law *law, const int64_t *test_ids,
                                    size_t n_tests, cb_err *err) {
  cb_store_now(s, law->created_at);
  CB_TRY(cbs_exec(s, "SAVEPOINT material_law", err));
  return cbs_end_savepoint(s, "material_law", put_law(s, law, test_ids, n_tests, err), err);
}

/* A later version may have stored others. */
#define QUOTED(NAME, name) ", '" #name "'"
#define KNOWN_KINDS "kind IN (''" CB_LAWS(QUOTED) ")"

#define LAW_COLUMNS_WITH(text) \
  "id, " CBS_IS("material_id") ", kind, form, origin, source, " text ", method, created_at"
#define LAW_COLUMNS LAW_COLUMNS_WITH("result_json")

static void read_law(sqlite3_stmt *q, void *item) {
  cb_material_law *law = item;
  law->id = sqlite3_column_int64(q, 0);
  law->material_id = sqlite3_column_int64(q, 1);
  law->kind = (cb_material_law_kind)cbs_enum(q, 2, cb_material_law_kind_names);
  cbs_text(q, 3, law->form, sizeof law->form);
  law->origin = (cb_origin)cbs_enum(q, 4, cb_origin_names);
  cbs_text(q, 5, law->source, sizeof law->source);
  law->result_json = cbs_text_dup(q, 6);
  cbs_text(q, 7, law->method, sizeof law->method);
  cbs_text(q, 8, law->created_at, sizeof law->created_at);
}

cb_status cb_store_material_law_find(cb_store *s, const cb_material *m, cb_material_law_kind kind,
                                     cb_material_law *law, cb_err *err) {
  bool found;
  *law = (cb_material_law){0};
  CB_TRY(cbs_one(s, read_law, law, &found, err,
                 "SELECT " LAW_COLUMNS " FROM material_law"
                 " WHERE material_id IN (" CBS_ALL_OF("?1") ") AND kind = ?2 ORDER BY id DESC LIMIT 1",
                 "it", m->id, cb_material_law_kind_names[kind]));
  if (!found)
    return cb_fail(err, CB_E_NOTFOUND, "%s: '%s' has no law of %s: %s", s->path, m->name,
                   cb_material_law_kind_names[kind], law_of_kind(kind)->made_by);
  return law->result_json ? CB_OK : cb_no_memory(err, "%s, a law", s->path);
}

cb_status cb_store_material_laws(cb_store *s, bool newest, cb_material_law **list, size_t *n, cb_err *err) {
  CB_TRY(cbs_list(s, read_law, sizeof **list, (void **)list, n, err,
                  newest ? "SELECT " LAW_COLUMNS_WITH(
                               "''") " FROM material_law WHERE " KNOWN_KINDS
                                     " AND id IN (SELECT max(id) FROM material_law GROUP BY " CBS_IS(
                                         "material_id") ", kind)"
                         : "SELECT " LAW_COLUMNS " FROM material_law WHERE " KNOWN_KINDS " ORDER BY id",
                  ""));
  for (size_t i = 0; i < *n; i++) {
    if ((*list)[i].result_json) continue;
    cb_material_laws_free(*list, *n);
    return cb_no_memory(err, "%s, %zu laws", s->path, *n);
  }
  return CB_OK;
}

void cb_material_laws_free(cb_material_law *list, size_t n) {
  for (size_t i = 0; i < n; i++) free(list[i].result_json);
  free(list);
}

cb_status cb_store_material_law_tests(cb_store *s, int64_t law_id, cb_material_test **list, size_t *n,
                                      cb_err *err) {
  return cbs_list(
      s, read_test, sizeof **list, (void **)list, n, err,
      "SELECT " TEST_COLUMNS
      " FROM material_test WHERE id IN (SELECT test_id FROM material_law_input WHERE law_id = ?) ORDER BY id",
      "i", law_id);
}
