#include "cb_store_drape.h"

#include <math.h>

#include "cb_store_impl.h"
#include "cb_time.h"
#include "cb_version.h"

cb_status cb_store_drape_put(cb_store *s, cb_drape_test *t, const char *profile_m_json,
                             const char *fingerprint, cb_err *err) {
  if (!isfinite(t->drape_coefficient) || !isfinite(t->u_drape_coefficient))
    return cb_fail(err, CB_E_NUM, "drape '%s': %g +- %g: finite numbers were wanted", t->capture,
                   t->drape_coefficient, t->u_drape_coefficient);
  cbs_uuid(s, fingerprint, t->uuid);
  cb_store_now(s, t->created_at);
  return cbs_run(s, &t->id, err,
                 "INSERT INTO drape_measurement(uuid, material_id, capture, method, support_m, specimen_m, "
                 "drape_coefficient,"
                 " u_drape_coefficient, nodes, node_height_m, area_m2, pixel_m, u_scale_rel, scale_from, "
                 "profile_m_json, origin, source,"
                 " file_fingerprint, program_version, created_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
                 "?, ?, ?, ?, ?, ?, ?, ?)",
                 "tittdddddddddoottttt", t->uuid, t->material_id, t->capture, t->method, t->support_m,
                 t->specimen_m, t->drape_coefficient, t->u_drape_coefficient, t->nodes, t->node_height_m,
                 t->area_m2, t->pixel_m, t->u_scale_rel, t->scale_from, profile_m_json,
                 cb_origin_names[t->origin], t->source, fingerprint, cb_version(), t->created_at);
}

static void read_drape(sqlite3_stmt *q, void *item) {
  cb_drape_test *t = item;
  int i = 0;
  t->id = sqlite3_column_int64(q, i++);
  cbs_text(q, i++, t->uuid, sizeof t->uuid);
  t->material_id = sqlite3_column_int64(q, i++);
  cbs_text(q, i++, t->capture, sizeof t->capture);
  cbs_text(q, i++, t->method, sizeof t->method);
  t->support_m = cbs_real(q, i++);
  t->specimen_m = cbs_real(q, i++);
  t->drape_coefficient = cbs_real(q, i++);
  t->u_drape_coefficient = cbs_real(q, i++);
  t->nodes = cbs_real(q, i++);
  t->node_height_m = cbs_real(q, i++);
  t->area_m2 = cbs_real(q, i++);
  t->pixel_m = cbs_real(q, i++);
  t->u_scale_rel = cbs_real(q, i++);
  cbs_text(q, i++, t->scale_from, sizeof t->scale_from);
  t->origin = (cb_origin)cbs_enum(q, i++, cb_origin_names);
  cbs_text(q, i++, t->source, sizeof t->source);
  cbs_text(q, i, t->created_at, sizeof t->created_at);
}

cb_status cb_store_drapes(cb_store *s, int64_t material_id, cb_drape_test **list, size_t *n, cb_err *err) {
  return cbs_list(s, read_drape, sizeof **list, (void **)list, n, err,
 "SELECT id, uuid, " CBS_IS(
                         "material_id") ", capture, method, support_m, specimen_m, "
                                        "drape_coefficient, u_drape_coefficient, nodes,"
                                        " node_height_m, area_m2, pixel_m, u_scale_rel, scale_from, origin, "
                                        "source, created_at "
                                        "FROM drape_measurement"
                                        " WHERE ?1 = 0 OR material_id IN (" CBS_ALL_OF("?1") ") ORDER BY id",
                     "i", material_id);
}

static void read_profile(sqlite3_stmt *q, void *item) { *(char **)item = cbs_text_dup(q, 0); }

cb_status cb_store_drape_profile(cb_store *s, const cb_drape_test *t, char **profile_m_json, cb_err *err) {
  bool found;
  *profile_m_json = NULL;
  CB_TRY(cbs_one(s, read_profile, profile_m_json, &found, err,
                 "SELECT profile_m_json FROM drape_measurement WHERE id = ?", "i", t->id));
  if (!found)
    return cb_fail(err, CB_E_NOTFOUND, "%s: there is no drape %lld", cb_store_path(s), (long long)t->id);
  return *profile_m_json ? CB_OK : cb_no_memory(err, "drape %lld, its outline", (long long)t->id);
}

static void read_created(sqlite3_stmt *q, void *item) { cbs_text(q, 0, item, 32); }

cb_status cb_store_drape_fingerprint(cb_store *s, const char *fingerprint, char created_at[32], cb_err *err) {
  bool found;
  created_at[0] = '\0';
  return cbs_one(s, read_created, created_at, &found, err,
                 "SELECT created_at FROM drape_measurement WHERE file_fingerprint = ? ORDER BY id LIMIT 1",
                 "t", fingerprint);
}
