#include "cb_store_specimen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_nearest.h"
#include "cb_plural.h"
#include "cb_store_impl.h"
#include "cb_version.h"

const char *const cb_specimen_event_names[] = {"condition", "wash", NULL};

/* Those of cb_specimen in order; the washes are all there were. */
#define COLUMNS \
  "p.id, p.uuid, upper(substr(p.uuid, 1, 8)), p.name, " CBS_IS("p.material_id") ", p.lot, p.side, "  \
  "p.cut_deg, p.washes + (SELECT count(*) FROM specimen_log l WHERE l.specimen_id = p.id AND l.kind" \
  " = 'wash'), p.note, p.operator_name, p.created_at, (SELECT m.name FROM material_now m WHERE "     \
  "m.id = " CBS_IS("p.material_id") ") FROM specimen p "

static void read_specimen(sqlite3_stmt *q, void *item) {
  cb_specimen *p = item;
  *p = (cb_specimen){.id = sqlite3_column_int64(q, 0), .side = -1, .washes = -1};
  cbs_text(q, 1, p->uuid, sizeof p->uuid);
  cbs_text(q, 2, p->mark, sizeof p->mark);
  cbs_text(q, 3, p->name, sizeof p->name);
  p->cloth_id = sqlite3_column_int64(q, 4);
  cbs_text(q, 5, p->lot, sizeof p->lot);
  if (sqlite3_column_type(q, 6) != SQLITE_NULL) p->side = cbs_enum(q, 6, cb_side_names);
  p->cut_deg = cbs_real(q, 7);
  if (sqlite3_column_type(q, 8) != SQLITE_NULL) p->washes = sqlite3_column_int(q, 8);
  cbs_text(q, 9, p->note, sizeof p->note);
  cbs_text(q, 10, p->operator_name, sizeof p->operator_name);
  cbs_text(q, 11, p->created_at, sizeof p->created_at);
  cbs_text(q, 12, p->cloth, sizeof p->cloth);
}

cb_status cb_store_specimens(cb_store *s, cb_specimen **list, size_t *n, cb_err *err) {
  return cbs_list(s, read_specimen, sizeof **list, (void **)list, n, err, "SELECT " COLUMNS "ORDER BY p.id",
                  "");
}

/* ---- by name ---- */

static cb_status list_named(cb_store *s, const char *name, cb_specimen **list, size_t *n, cb_err *err) {
  return cbs_list(s, read_specimen, sizeof **list, (void **)list, n, err,
                  "SELECT " COLUMNS
                  "WHERE p.name = ?1 OR upper(substr(p.uuid, 1, 8)) = upper(?1) "
                  "ORDER BY p.name = ?1 DESC, p.id",
                  "t", name);
}

static cb_status fail_unknown(cb_store *s, const char *name, cb_err *err) {
  cb_specimen *all;
  size_t n, at;
  char meant[120] = "";
  CB_TRY(cb_store_specimens(s, &all, &n, err));
  const char **names = malloc((n + 1) * sizeof *names);
  for (at = 0; names && at < n; at++) names[at] = all[at].name;
  const int near = names ? cb_nearest(name, names, n) : -1;
  if (near >= 0) (void)snprintf(meant, sizeof meant, ": did you mean '%s'?", all[near].name);
  free(names);
  free(all);
  return cb_fail(err, CB_E_NOTFOUND, "%s: no specimen '%s'%s", s->path, name,
                 meant[0] ? meant : "; 'clothbench db specimen add' adds one");
}

static cb_status fail_several(cb_store *s, const char *name, const cb_specimen *list, size_t n, cb_err *err) {
  char marks[120] = "";
  for (size_t i = 0; i < n && i < 8; i++)
    (void)snprintf(marks + strlen(marks), sizeof marks - strlen(marks), " %s", list[i].mark);
  return cb_fail(err, CB_E_RANGE, "%s: %zu specimen%s are called '%s': one of their marks was wanted,%s",
                 s->path, n, CB_S(n), name, marks);
}

cb_status cb_store_specimen_find(cb_store *s, const char *name, cb_specimen *p, cb_err *err) {
  cb_specimen *list;
  size_t n;
  CB_TRY(list_named(s, name, &list, &n, err));
  if (n == 1) *p = list[0];
  cb_status st = n == 1 ? CB_OK : n > 1 ? fail_several(s, name, list, n, err) : fail_unknown(s, name, err);
  free(list);
  return st;
}

/* ---- new rows ---- */

static cb_status check_new(cb_store *s, const cb_specimen *p, cb_err *err) {
  cb_specimen *same;
  size_t n;
  if (!p->name[0] || !p->operator_name[0])
    return cb_fail(err, CB_E_RANGE, "a specimen: its name and who adds it were wanted");
  CB_TRY(list_named(s, p->name, &same, &n, err));
  cb_status st = n == 0
                     ? CB_OK
                     : cb_fail(err, CB_E_RANGE, "%s: there is a specimen '%s' (%s): another name was wanted",
                               s->path, same[0].name, same[0].mark);
  free(same);
  return st;
}

static cb_status read_back(cb_store *s, int64_t id, cb_specimen *p, cb_err *err) {
  bool found;
  return cbs_one(s, read_specimen, p, &found, err, "SELECT " COLUMNS "WHERE p.id = ?", "i", id);
}

cb_status cb_store_specimen_put(cb_store *s, cb_specimen *p, cb_err *err) {
  CB_TRY(check_new(s, p, err));
  cbs_uuid(s, p->name, p->uuid);
  cb_store_now(s, p->created_at);
  const double washes = p->washes < 0 ? (double)NAN : (double)p->washes;
  CB_TRY(cbs_run(s, &p->id, err,
                 "INSERT INTO specimen(uuid, name, material_id, lot, side, cut_deg, washes, note, "
                 "operator_name, program_version, created_at) VALUES(?, ?, ?, ?, ?, ?, CAST(? AS INTEGER), "
                 "?, ?, ?, ?)",
                 "ttitoddtttt", p->uuid, p->name, p->cloth_id, p->lot,
                 p->side < 0 ? "" : cb_side_names[p->side], p->cut_deg, washes, p->note, p->operator_name,
                 cb_version(), p->created_at));
  return read_back(s, p->id, p, err);
}

cb_status cb_store_specimen_log(cb_store *s, int64_t specimen_id, cb_specimen_entry *e, cb_err *err) {
  char uuid[37];
  if (!e->text[0] || !e->operator_name[0])
    return cb_fail(err, CB_E_RANGE, "the log of a specimen: a note and who writes it were wanted");
  cbs_uuid(s, "", uuid);
  cb_store_now(s, e->created_at);
  return cbs_run(s, NULL, err,
                 "INSERT INTO specimen_log(uuid, specimen_id, kind, text, operator_name, program_version, "
                 "created_at) VALUES(?, ?, ?, ?, ?, ?, ?)",
                 "tittttt", uuid, specimen_id, cb_specimen_event_names[e->kind], e->text, e->operator_name,
                 cb_version(), e->created_at);
}

static void read_entry(sqlite3_stmt *q, void *item) {
  cb_specimen_entry *e = item;
  e->kind = (cb_specimen_event)cbs_enum(q, 0, cb_specimen_event_names);
  cbs_text(q, 1, e->text, sizeof e->text);
  cbs_text(q, 2, e->operator_name, sizeof e->operator_name);
  cbs_text(q, 3, e->created_at, sizeof e->created_at);
}

cb_status cb_store_specimen_entries(cb_store *s, int64_t specimen_id, cb_specimen_entry **list, size_t *n,
                                    cb_err *err) {
  return cbs_list(s, read_entry, sizeof **list, (void **)list, n, err,
                  "SELECT kind, text, operator_name, created_at FROM specimen_log WHERE specimen_id = ? "
                  "ORDER BY created_at, id",
                  "i", specimen_id);
}
