/* The numbers of laws in a table of their own, where SQL finds them (view v_material). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_store_impl.h"
#include "cb_store_rows_impl.h"
#include "law.h"

/* Another processor's libm gives other last digits. */
#define SAME_REL 1e-9
#define MANY_DOF 1e9 /* stands for an infinite number */

typedef struct number {
  char name[32];
  double value, u, dof; /* NAN: not known */
} number;
typedef struct numbers {
  size_t n;
  number list[8];
} numbers;

typedef struct law_text {
  int64_t id;
  char kind[32];
  char *text;
} law_text;

static void read_law_text(sqlite3_stmt *q, void *item) {
  law_text *l = item;
  l->id = sqlite3_column_int64(q, 0);
  cbs_text(q, 1, l->kind, sizeof l->kind);
  l->text = cbs_text_dup(q, 2);
}

static void read_number(sqlite3_stmt *q, void *item) {
  number *v = item;
  cbs_text(q, 0, v->name, sizeof v->name);
  double *reals[] = {&v->value, &v->u, &v->dof};
  for (int i = 0; i < 3; i++) *reals[i] = cbs_real(q, 1 + i);
}

static void take_number(void *to, const law_figure *f) {
  numbers *out = to;
  if (!isfinite(f->value) || out->n == sizeof out->list / sizeof out->list[0]) return;
  number *v = &out->list[out->n++];
  *v = (number){.value = f->value, .u = isfinite(f->u) ? f->u : NAN, .dof = fmin(f->dof, MANY_DOF)};
  (void)snprintf(v->name, sizeof v->name, "%s", f->name);
  if (isnan(f->dof)) v->dof = NAN;
}

/* A law of a later version's kind, or that is damaged, tells none. */
static cb_status reckon(const law_text *l, numbers *out, cb_err *err) {
  *out = (numbers){.n = 0};
  int kind = CB_LAW_KINDS - 1;
  while (kind >= 0 && strcmp(cb_material_law_kind_names[kind], l->kind) != 0) kind--;
  if (!l->text) return cb_no_memory(err, "law %lld", (long long)l->id);
  if (kind < 0) return CB_OK;
  cb_err unread;
  return law_numbers((cb_material_law_kind)kind, l->text, take_number, out, &unread) == CB_E_NOMEM
             ? cb_no_memory(err, "law %lld", (long long)l->id)
             : CB_OK;
}

static bool same(double a, double b) {
  return (isnan(a) && isnan(b)) || fabs(a - b) <= SAME_REL * fmax(fabs(a), fabs(b));
}

static bool has(const number *list, size_t n, const number *v) {
  for (size_t i = 0; i < n; i++)
    if (strcmp(list[i].name, v->name) == 0)
      return same(list[i].value, v->value) && same(list[i].u, v->u) && same(list[i].dof, v->dof);
  return false;
}

static cb_status read_stored(cb_store *s, int64_t id, const numbers *wanted, bool *right, cb_err *err) {
  number *list;
  size_t n;
  CB_TRY(cbs_list(s, read_number, sizeof *list, (void **)&list, &n, err,
                  "SELECT name, value, u, dof FROM law_number WHERE law_id = ?", "i", id));
  *right = n == wanted->n;
  for (size_t i = 0; i < wanted->n && *right; i++) *right = has(list, n, &wanted->list[i]);
  free(list);
  return CB_OK;
}

static cb_status write_numbers(cb_store *s, int64_t id, const numbers *v, cb_err *err) {
  CB_TRY(cbs_run(s, NULL, err, "DELETE FROM law_number WHERE law_id = ?", "i", id));
  for (size_t i = 0; i < v->n; i++)
    CB_TRY(cbs_run(s, NULL, err, "INSERT INTO law_number VALUES(?, ?, ?, ?, ?)", "itddd", id, v->list[i].name,
                   v->list[i].value, v->list[i].u, v->list[i].dof));
  return CB_OK;
}

static cb_status settle_law(cb_store *s, const law_text *l, bool mend, cb_err *err) {
  numbers wanted;
  bool right;
  CB_TRY(reckon(l, &wanted, err));
  CB_TRY(read_stored(s, l->id, &wanted, &right, err));
  if (right) return CB_OK;
  if (mend) return write_numbers(s, l->id, &wanted, err);
  char ref[LAW_REF];
  return cb_fail(err, CB_E_DB,
                 "%s: the numbers of law %s are not those of its text: 'clothbench db init --db %s' writes "
                 "them anew",
                 s->path, law_ref(l->kind, l->id, ref), s->path);
}

cb_status cbs_law_numbers(cb_store *s, int64_t id, bool mend, cb_err *err) {
  law_text *list;
  size_t n;
  CB_TRY(cbs_list(s, read_law_text, sizeof *list, (void **)&list, &n, err,
                  "SELECT id, kind, result_json FROM material_law WHERE ?1 IN (0, id) ORDER BY id", "i", id));
  cb_status st = CB_OK;
  for (size_t i = 0; i < n; i++) {
    if (st == CB_OK) st = settle_law(s, &list[i], mend, err);
    free(list[i].text);
  }
  free(list);
  return st;
}
