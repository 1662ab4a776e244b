/* Laws of cloth on cloth: a document each, and the points it rests on. */
#include "cb_store_rows_impl.h"

#include <stdlib.h>

#include "cb_run_row.h"
#include "cb_time.h"
#include "cb_version.h"

static cb_status put_row(cb_store *s, cb_self_friction_row *row, const int64_t *point_ids, size_t n_points,
                         cb_err *err) {
  CB_TRY(cbs_run(s, &row->id, err,
                 "INSERT INTO self_friction_law(cloth_id, body_id, form, origin, result_json, method, "
                 "program_version, created_at)"
                 " VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
                 "iitttttt", row->cloth_id, row->body_id, row->form, cb_origin_names[row->origin],
                 row->result_json, row->method, cb_version(), row->created_at));
  for (size_t i = 0; i < n_points; i++)
    CB_TRY(cbs_run(s, NULL, err, "INSERT INTO self_friction_law_input VALUES(?, ?)", "ii", row->id,
                   point_ids[i]));
  return CB_OK;
}

cb_status cb_store_self_friction_put(cb_store *s, cb_self_friction_row *row, const int64_t *point_ids,
                                     size_t n_points, cb_err *err) {
  cb_store_now(s, row->created_at);
  CB_TRY(cbs_exec(s, "SAVEPOINT self_friction", err));
  return cbs_end_savepoint(s, "self_friction", put_row(s, row, point_ids, n_points, err), err);
}

static void read_row(sqlite3_stmt *q, void *item) {
  cb_self_friction_row *r = item;
  *r = (cb_self_friction_row){.id = sqlite3_column_int64(q, 0),
                              .cloth_id = sqlite3_column_int64(q, 1),
                              .body_id = sqlite3_column_int64(q, 2)};
  cbs_text(q, 3, r->cloth, sizeof r->cloth);
  cbs_text(q, 4, r->body, sizeof r->body);
  cbs_text(q, 5, r->form, sizeof r->form);
  r->origin = (cb_origin)cbs_enum(q, 6, cb_origin_names);
  r->result_json = cbs_text_dup(q, 7);
  cbs_text(q, 8, r->method, sizeof r->method);
  cbs_text(q, 9, r->created_at, sizeof r->created_at);
}

#define SELECT_LAWS                                                                                        \
  "SELECT l.id, c.id, b.id, c.name, b.name, l.form, l.origin, l.result_json, l.method, l.created_at FROM " \
  "self_friction_law l JOIN material_now c ON c.id = " CBS_IS(                                             \
      "l.cloth_id") " JOIN material_now b ON b.id = " CBS_IS("l.body_id")
#define NEWEST_LAWS \
  "SELECT max(id) FROM self_friction_law GROUP BY " CBS_IS("cloth_id") ", " CBS_IS("body_id")

/* The newest of each pair, or every one. */
static cb_status list_rows(cb_store *s, bool all, int64_t cloth_id, int64_t body_id,
                           cb_self_friction_row **list, size_t *n, cb_err *err) {
  CB_TRY(cbs_list(s, read_row, sizeof **list, (void **)list, n, err,
                  SELECT_LAWS " WHERE (? OR l.id IN (" NEWEST_LAWS
                              ")) AND c.id = ifnull(?, c.id) AND b.id = ifnull(?, b.id)"
                              " ORDER BY c.name, b.name, l.id",
                  "inn", (int64_t)all, cloth_id, body_id));
  for (size_t i = 0; i < *n; i++) {
    if ((*list)[i].result_json) continue;
    cb_self_friction_rows_free(*list, *n);
    *list = NULL;
    return cb_no_memory(err, "%s, a law", s->path);
  }
  return CB_OK;
}

cb_status cb_store_self_friction_list(cb_store *s, int64_t cloth_id, int64_t body_id,
                                      cb_self_friction_row **list, size_t *n, cb_err *err) {
  return list_rows(s, false, cloth_id, body_id, list, n, err);
}

cb_status cb_store_self_friction_all(cb_store *s, cb_self_friction_row **list, size_t *n, cb_err *err) {
  return list_rows(s, true, 0, 0, list, n, err);
}

void cb_self_friction_rows_free(cb_self_friction_row *list, size_t n) {
  for (size_t i = 0; i < n; i++) free(list[i].result_json);
  free(list);
}

cb_status cb_store_self_friction_runs(cb_store *s, int64_t law_id, cb_run **list, size_t *n, cb_err *err) {
  return cbs_list(
      s, cbs_read_run, sizeof **list, (void **)list, n, err,
      "SELECT " CB_RUN_COLUMNS
      " FROM run_now r WHERE r.id IN (SELECT p.run_id FROM friction_point p JOIN self_friction_law_input i"
      " ON i.point_id = p.id WHERE i.law_id = ?) ORDER BY r.id",
      "i", law_id);
}
