#include "cb_store_figure.h"

#include <math.h>

#include "cb_store_impl.h"
#include "cb_time.h"
#include "cb_version.h"

cb_status cb_store_figure_put(cb_store *s, cb_material_figure *f, const char *fingerprint, cb_err *err) {
  if (!isfinite(f->value))
    return cb_fail(err, CB_E_NUM, "figure '%s': %g: a finite number was wanted", f->name, f->value);
  cbs_uuid(s, fingerprint, f->uuid);
  cb_store_now(s, f->created_at);
  return cbs_run(s, &f->id, err,
                 "INSERT INTO material_figure(uuid, material_id, name, value, u, unit, conditions, method, "
                 "origin, source, file_fingerprint, program_version, created_at) VALUES(?, ?, ?, ?, ?, ?, ?, "
                 "?, ?, ?, ?, ?, ?)",
                 "titddtttttttt", f->uuid, f->material_id, f->name, f->value, f->u, f->unit, f->conditions,
                 f->method, cb_origin_names[f->origin], f->source, fingerprint, cb_version(), f->created_at);
}

static void read_figure(sqlite3_stmt *q, void *item) {
  cb_material_figure *f = item;
  f->id = sqlite3_column_int64(q, 0);
  cbs_text(q, 1, f->uuid, sizeof f->uuid);
  f->material_id = sqlite3_column_int64(q, 2);
  cbs_text(q, 3, f->name, sizeof f->name);
  f->value = cbs_real(q, 4);
  f->u = cbs_real(q, 5);
  cbs_text(q, 6, f->unit, sizeof f->unit);
  cbs_text(q, 7, f->conditions, sizeof f->conditions);
  cbs_text(q, 8, f->method, sizeof f->method);
  f->origin = (cb_origin)cbs_enum(q, 9, cb_origin_names);
  cbs_text(q, 10, f->source, sizeof f->source);
  cbs_text(q, 11, f->created_at, sizeof f->created_at);
}

cb_status cb_store_figures(cb_store *s, int64_t material_id, cb_material_figure **list, size_t *n,
                           cb_err *err) {
  return cbs_list(s, read_figure, sizeof **list, (void **)list, n, err,
 "SELECT id, uuid, " CBS_IS("material_id") ", name, value, u, unit, conditions, method, origin, "
                                                "source, created_at FROM material_figure WHERE ?1 = 0 OR "
                                                "material_id IN (" CBS_ALL_OF("?1") ") ORDER BY id",
      "i", material_id);
}

static void read_created(sqlite3_stmt *q, void *item) { cbs_text(q, 0, item, 32); }

cb_status cb_store_figure_fingerprint(cb_store *s, const char *fingerprint, char created_at[32],
                                      cb_err *err) {
  bool found;
  created_at[0] = '\0';
  return cbs_one(s, read_created, created_at, &found, err,
                 "SELECT created_at FROM material_figure WHERE file_fingerprint = ? ORDER BY id LIMIT 1", "t",
                 fingerprint);
}
