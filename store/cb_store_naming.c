/* Names of materials: another one, one more, or two that are one. */
#include <stdlib.h>
#include <string.h>

#include "cb_store_correction.h"
#include "cb_store_impl.h"
#include "cb_version.h"

static cb_status put_row(cb_store *s, const cb_naming *n, const char *kind, int64_t material_id,
                         const char *name, int64_t same_id, cb_err *err) {
  char uuid[37], now[32];
  cbs_uuid(s, "", uuid);
  cb_store_now(s, now);
  return cbs_run(s, NULL, err,
                 "INSERT INTO material_name(uuid, material_id, kind, name, same_id, reason, operator_name, "
                 "program_version, created_at) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?)",
                 "tittntttt", uuid, material_id, kind, name, same_id, n->reason, n->operator_name,
                 cb_version(), now);
}

/* 0: no material goes by the name. */
static cb_status find_id(cb_store *s, cb_material_kind kind, const char *name, int64_t *id, cb_err *err) {
  bool found;
  *id = 0;
  return cbs_one(s, cbs_read_id, id, &found, err, CBS_NAMED("?1", "?2"), "tt", cb_material_kind_names[kind],
                 name);
}

static cb_status check_name(const char *name, cb_err *err) {
  if (name[0] && strlen(name) < sizeof((cb_material *)0)->name) return CB_OK;
  return cb_fail(err, CB_E_RANGE, "name '%.40s': 1 to %zu bytes were wanted", name,
                 sizeof((cb_material *)0)->name - 1);
}

cb_status cb_store_rename(cb_store *s, const cb_naming *n, cb_err *err) {
  cb_material m;
  int64_t other;
  CB_TRY(check_name(n->other, err));
  CB_TRY(cb_store_material_find(s, n->kind, n->name, &m, err));
  CB_TRY(find_id(s, n->kind, n->other, &other, err));
  if (other != 0 && other != m.id)
    return cb_fail(err, CB_E_RANGE,
                   "%s: '%s' is another %s: 'db alias' says that one name means the other material", s->path,
                   n->other, cb_material_kind_names[n->kind]);
  return put_row(s, n, "name", m.id, n->other, 0, err);
}

/* ---- two that are one ---- */

/* Every material that is `from` is `to` from now on. */
static cb_status join(cb_store *s, const cb_naming *n, int64_t from, int64_t to, cb_err *err) {
  int64_t *ids;
  size_t count;
  CB_TRY(cbs_list(s, cbs_read_id, sizeof *ids, (void **)&ids, &count, err, CBS_ALL_OF("?1"), "i", from));
  cb_status st = cbs_exec(s, "SAVEPOINT join_materials", err);
  if (st == CB_OK) {
    for (size_t i = 0; i < count && st == CB_OK; i++) st = put_row(s, n, "same", ids[i], "", to, err);
    st = cbs_end_savepoint(s, "join_materials", st, err);
  }
  free(ids);
  return st;
}

cb_status cb_store_alias(cb_store *s, const cb_naming *n, bool *joined, cb_err *err) {
  cb_material m;
  int64_t known;
  CB_TRY(check_name(n->name, err));
  CB_TRY(cb_store_material_find(s, n->kind, n->other, &m, err));
  CB_TRY(find_id(s, n->kind, n->name, &known, err));
  if (known == m.id)
    return cb_fail(err, CB_E_RANGE, "%s: '%s' means the %s '%s' already", s->path, n->name,
                   cb_material_kind_names[n->kind], m.name);
  *joined = known != 0;
  return *joined ? join(s, n, known, m.id, err) : put_row(s, n, "alias", m.id, n->name, 0, err);
}

cb_status cb_store_unalias(cb_store *s, const cb_naming *n, cb_err *err) {
  int64_t id = 0;
  bool found;
  CB_TRY(cbs_one(s, cbs_read_id, &id, &found, err,
                 "SELECT id FROM material_now WHERE kind = ? AND (name = ?2 OR first_name = ?2) AND is_id "
                 "<> id",
                 "tt", cb_material_kind_names[n->kind], n->name));
  if (!found)
    return cb_fail(err, CB_E_NOTFOUND, "%s: no %s '%s' was joined with another one", s->path,
                   cb_material_kind_names[n->kind], n->name);
  return put_row(s, n, "same", id, "", id, err);
}
