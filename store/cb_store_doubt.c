/* New names that are near to known ones: refused, all at once, or settled by a person. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_plural.h"
#include "cb_store_correction.h"
#include "cb_store_impl.h"

cb_status cb_store_open_named(const char *path, bool trusts, cb_name_question *ask, cb_store **out,
                              cb_err *err) {
  CB_TRY(cb_store_open(path, CB_STORE_WRITE, out, err));
  (*out)->trusts_names = trusts;
  (*out)->ask = ask;
  return CB_OK;
}

static bool is_listed(const cb_name_doubt *list, size_t n, cb_material_kind kind, const char *name) {
  for (size_t i = 0; i < n; i++)
    if (list[i].kind == kind && strcmp(list[i].name, name) == 0) return true;
  return false;
}

bool cbs_names_noted(const cb_store *s, cb_material_kind kind, const char *name) {
  return is_listed(s->doubts, s->n_doubts, kind, name) || is_listed(s->trusted, s->n_trusted, kind, name);
}

static cb_status append(cb_name_doubt **list, size_t *n, const cb_name_doubt *d, cb_err *err) {
  cb_name_doubt *grown = realloc(*list, (*n + 1) * sizeof *grown);
  if (!grown) return cb_no_memory(err, "names");
  grown[(*n)++] = *d;
  *list = grown;
  return CB_OK;
}

/* ---- refused ---- */

static cb_status refuse_one(const cb_store *s, const cb_name_doubt *d, cb_err *err) {
  return cb_fail(err, CB_E_ARG,
                 "%s: the %s '%s' is new, and there is '%s': did you mean that one? --new says that it is "
                 "another",
                 s->path, cb_material_kind_names[d->kind], d->name, d->known);
}

cb_status cbs_names_doubt(cb_store *s, const cb_name_doubt *d, cb_err *err) {
  if (sqlite3_get_autocommit(s->db)) return refuse_one(s, d, err);
  return append(&s->doubts, &s->n_doubts, d, err);
}

cb_status cbs_names_check(const cb_store *s, cb_err *err) {
  char list[400] = "";
  if (s->n_doubts == 0) return CB_OK;
  if (s->n_doubts == 1) return refuse_one(s, s->doubts, err);
  for (size_t i = 0; i < s->n_doubts; i++) {
    const cb_name_doubt *d = &s->doubts[i];
    const size_t n = strlen(list);
    if (n + strlen(d->name) + strlen(d->known) + 40 > sizeof list) {
      (void)snprintf(list + n, sizeof list - n, " and %zu more", s->n_doubts - i);
      break;
    }
    (void)snprintf(list + n, sizeof list - n, "%s%s '%s' ('%s'?)", n > 0 ? ", " : "",
                   cb_material_kind_names[d->kind], d->name, d->known);
  }
  return cb_fail(err, CB_E_ARG,
                 "%s: %zu name%s %s new and near to known ones: %s; --new says that all are others", s->path,
                 s->n_doubts, CB_S(s->n_doubts), CB_ARE(s->n_doubts), list);
}

/* ---- settled ---- */

static cb_status settle(cb_store *s, const cb_name_doubt *d, cb_err *err) {
  bool meant = false, joined;
  char person[64] = "";
  CB_TRY(s->ask(s->ask_context, d, &meant, person, err));
  if (!meant) return append(&s->trusted, &s->n_trusted, d, err);
  const cb_naming alias = {.kind = d->kind,
                           .name = d->name,
                           .other = d->known,
                           .reason = "said when it was typed",
                           .operator_name = person};
  return cb_store_alias(s, &alias, &joined, err);
}

cb_status cb_store_names_settle(cb_store *s, cb_status refused, cb_err *err) {
  if (refused != CB_E_ARG || !s->ask || s->n_doubts == 0) return refused;
  const size_t n = s->n_doubts;
  cb_status st = CB_OK;
  s->n_doubts = 0; /* the aliases are transactions of their own */
  for (size_t i = 0; i < n && st == CB_OK; i++) st = settle(s, &s->doubts[i], err);
  return st;
}
