/* clothbench db void | unvoid | note | amend | corrections: what people say of runs afterwards. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_text.h"
#include "cli.h"
#include "cli_db.h"
#include "cli_person.h"
#include "lab_correction.h"

/* ---- corrections ---- */

typedef struct correction {
  cb_correction_kind kind;
  const char *reason, *operator_name; /* reason NULL: the last of runs; operator_name NULL: who is logged in
                                       */
  const char *const *runs;            /* numbers, as typed */
  size_t n_runs;
  const char *set; /* amend: FIELD=VALUE, as typed; else NULL */
} correction;

static cb_status put_all(cb_store *s, const correction *q, cb_err *err) {
  for (size_t i = 0; i < q->n_runs; i++) {
    cb_correction c;
    const lab_said said = {.kind = cb_correction_kind_names[q->kind],
                           .run = q->runs[i],
                           .set = q->set,
                           .reason = q->reason,
                           .person = q->operator_name ? q->operator_name : cli_person_name()};
    CB_TRY(lab_correction_read(s, &said, &c, err));
    CB_TRY(cb_store_correction_put(s, &c, err));
  }
  return CB_OK;
}

static cb_status print_changes(cb_store *s, const correction *q, cb_err *err) {
  static const char *const done[] = {"is voided", "is back in use", "has a note", "is amended"};
  for (size_t i = 0; i < q->n_runs; i++) {
    cb_run run;
    CB_TRY(cb_store_run_get(s, strtoll(q->runs[i], NULL, 10), &run, err));
    printf("run %lld", (long long)run.id);
    if (run.kind != CB_RUN_LOOK) printf(" (%g deg, %.4g N)", run.angle_deg, run.normal_force_N);
    printf(" %s: %s\n", done[q->kind], q->reason);
  }
  return CB_OK;
}

/* All of them or none. */
static cb_status correct_runs(cb_store *s, const correction *q, cb_err *err) {
  CB_TRY(cb_store_begin(s, err));
  cb_status st = put_all(s, q, err);
  if (st == CB_OK) st = cb_store_commit(s, err);
  if (st != CB_OK) cb_store_rollback(s);
  return st;
}

/* The last word is the reason where it is no number: db note 4 "cloth looked creased". */
static void take_reason(correction *q) {
  long long id;
  if (q->n_runs < 2 || cb_parse_int(q->runs[q->n_runs - 1], "run", &id, NULL) == CB_OK) return;
  if (!q->reason) q->reason = q->runs[--q->n_runs];
}

static int refuse_form(const correction *q) {
  const char *word = cb_correction_kind_names[q->kind],
             *set = q->kind == CB_CORRECTION_AMEND ? " --set FIELD=VALUE" : "";
  cli_say("db", "%s: %s, such as: db %s 12%s \"cloth looked creased\"", word,
          q->n_runs == 0 ? "the number of a run was wanted"
                         : "after the run, a text that says what or why was wanted",
          word, set);
  return CLI_USAGE;
}

int cli_db_refuse_set(void) {
  cli_say("db", "--set FIELD=VALUE belongs to amend, which needs it");
  return CLI_USAGE;
}

int cli_db_correct(const void *request) {
  const cli_db_request *typed = request;
  cb_err err = {""};
  cb_store *s = NULL;
  correction whole = {(cb_correction_kind)typed->which,
                      typed->reason,
                      typed->operator_name,
                      typed->words,
                      typed->n,
                      typed->set};
  const correction *q = &whole;
  take_reason(&whole);
  if ((q->set != NULL) != (q->kind == CB_CORRECTION_AMEND)) return cli_db_refuse_set();
  if (!q->reason || !q->reason[0] || q->n_runs == 0) return refuse_form(q);
  cb_status st = cli_db_open_known(typed->db, &s, &err);
  if (st == CB_OK) st = correct_runs(s, q, &err);
  if (st == CB_OK) st = print_changes(s, q, &err);
  if (st == CB_OK && q->kind != CB_CORRECTION_NOTE)
    cli_say("db", "the laws of %s change: 'clothbench fit friction --db %s' makes them anew",
            q->n_runs == 1 ? "its pair" : "their pairs", typed->db);
  return cli_db_finish(s, st, &err);
}

/* ---- the list ---- */

static void print_correction(const cb_correction *c) {
  char reason[sizeof c->reason], person[sizeof c->operator_name],
      change[sizeof c->was + sizeof c->is + 40] = "";
  if (c->kind == CB_CORRECTION_AMEND)
    (void)snprintf(change, sizeof change, "%s %s -> %s: ", c->field, c->was, c->is);
  printf("%s  run %-6lld %-6s %s%s (%s)\n", c->created_at, (long long)c->run_id,
         cb_correction_kind_names[c->kind], change, cb_text_show(c->reason, reason, sizeof reason),
         cb_text_show(c->operator_name, person, sizeof person));
}

static cb_status list_corrections(cb_store *s, int64_t run_id, bool json, cb_err *err) {
  cb_correction *list;
  size_t n;
  CB_TRY(cb_store_corrections(s, run_id, &list, &n, err));
  json_t *rows = json ? json_array() : NULL;
  for (size_t i = 0; i < n; i++) {
    if (json)
      (void)json_array_append_new(rows, lab_correction_json(&list[i]));
    else
      print_correction(&list[i]);
  }
  free(list);
  if (json && cli_print_json("db", json_pack("{s:s, s:o}", "database", cb_store_path(s), "corrections",
                                             rows)) != CLI_DONE)
    return cb_fail(err, CB_E_IO, "the list of corrections could not be written");
  if (!json && n == 0) printf("no corrections\n");
  return CB_OK;
}

int cli_db_corrections(const void *request) {
  const cli_db_request *q = request;
  const char *run = q->n > 0 ? q->words[0] : NULL; /* NULL: all */
  cb_err err = {""};
  cb_store *s = NULL;
  long long id = 0;
  cb_status st = run ? cb_parse_int(run, "run", &id, &err) : CB_OK;
  if (st == CB_OK) st = cb_store_open(q->db, CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = list_corrections(s, id, q->json, &err);
  return cli_db_finish(s, st, &err);
}
