#include "cli_db.h"

#include <stdio.h>
#include <unistd.h>

#include "cb_plural.h"
#include "cb_store_file.h"
#include "cli.h"
#include "cb_signals.h"
#include "lab_pull.h"

cb_status cli_db_open_known(const char *db, cb_store **s, cb_err *err) {
  return cb_store_open(db, access(db, F_OK) == 0 ? CB_STORE_WRITE : CB_STORE_READ, s, err);
}

int cli_db_finish(cb_store *s, cb_status st, cb_err *err) {
  st = cb_store_close_after(s, st, err);
  return st == CB_OK ? CLI_DONE : cli_fail("db", st, err);
}

/* ---- check ---- */

static void print_tally(const char *db, const cb_store_tally *t) {
  printf("%s: whole; integrity, schema, seals, ranges, references and origins verified\n", db);
  printf(
      "  %zu run%s, %zu channel%s, %llu sample%s in %zu chunk%s and %zu tail row%s: every CRC, every value, "
      "no "
      "gap, time never goes back\n",
      t->n_runs, CB_S(t->n_runs), t->n_channels, CB_S(t->n_channels), (unsigned long long)t->n_samples,
      CB_S(t->n_samples), t->n_chunks, CB_S(t->n_chunks), t->n_tails, CB_S(t->n_tails));
  printf(
      "  %zu calibration%s: every unit is known; %zu friction law%s: none passes for more than its runs "
      "are\n",
      t->n_calibrations, CB_S(t->n_calibrations), t->n_laws, CB_S(t->n_laws));
}

static int print_tally_json(const char *db, const cb_store_tally *t) {
  return cli_print_json(
      "db", json_pack("{s:s, s:b, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "database", db, "whole", 1, "runs",
                      (json_int_t)t->n_runs, "channels", (json_int_t)t->n_channels, "samples",
                      (json_int_t)t->n_samples, "chunks", (json_int_t)t->n_chunks, "tail_rows",
                      (json_int_t)t->n_tails, "calibrations", (json_int_t)t->n_calibrations, "laws",
                      (json_int_t)t->n_laws));
}

int cli_db_say_tally(const char *db, const cb_store_tally *t, bool json) {
  if (json) return print_tally_json(db, t);
  print_tally(db, t);
  return CLI_DONE;
}

int cli_db_check(const void *request) {
  const cli_db_request *q = request;
  cb_err err = {""};
  cb_store *s = NULL;
  cb_store_tally t = {0};
  cb_status st = cb_store_open(q->db, CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = cb_store_check(s, &t, &err);
  int code = cli_db_finish(s, st, &err);
  return code == CLI_DONE ? cli_db_say_tally(q->db, &t, q->json) : code;
}

/* ---- merge ---- */

typedef struct conflicts {
  const char *other;
  json_t *list; /* NULL: words */
} conflicts;

static void on_conflict(void *context, const char *sentence) {
  const conflicts *c = context;
  if (c->list)
    (void)json_array_append_new(c->list, json_string(sentence));
  else
    cli_say("db", "conflict with %s: %s", c->other, sentence);
}

typedef struct merge_line {
  const char *name;
  const cb_merge_counts *counts;
} merge_line;

#define N_LINES 11

static void make_lines(const cb_merge_result *r, merge_line lines[N_LINES]) {
  const merge_line all[N_LINES] = {
      {"materials", &r->materials}, {"rigs", &r->rigs},          {"calibrations", &r->calibrations},
      {"campaigns", &r->campaigns}, {"runs", &r->runs},          {"events", &r->events},
      {"points", &r->points},       {"laws", &r->laws},          {"validations", &r->validations},
      {"tests", &r->tests},         {"specimens", &r->specimens}};
  for (int i = 0; i < N_LINES; i++) lines[i] = all[i];
}

static void print_merge(const char *db, const char *other, const cb_merge_result *r) {
  merge_line lines[N_LINES];
  make_lines(r, lines);
  printf("%s: merged from %s\n  %-14s %8s %8s %9s %9s\n", db, other, "", "taken", "known", "left out",
         "conflicts");
  for (int i = 0; i < N_LINES; i++) {
    const cb_merge_counts *c = lines[i].counts;
    printf("  %-14s %8zu %8zu %9zu %9zu\n", lines[i].name, c->taken, c->known, c->left_out, c->conflicts);
  }
  printf("  %llu sample%s %s taken over\n", (unsigned long long)r->samples_taken, CB_S(r->samples_taken),
         CB_WERE(r->samples_taken));
}

static int print_merge_json(const char *db, const char *other, const cb_merge_result *r, json_t *list) {
  merge_line lines[N_LINES];
  make_lines(r, lines);
  json_t *doc = json_pack("{s:s, s:s, s:I, s:O}", "database", db, "other", other, "samples_taken",
                          (json_int_t)r->samples_taken, "conflicts", list);
  for (int i = 0; i < N_LINES && doc; i++) {
    const cb_merge_counts *c = lines[i].counts;
    json_t *o =
        json_pack("{s:I, s:I, s:I, s:I}", "taken", (json_int_t)c->taken, "known", (json_int_t)c->known,
                  "left_out", (json_int_t)c->left_out, "conflicts", (json_int_t)c->conflicts);
    (void)json_object_set_new(doc, lines[i].name, o);
  }
  return cli_print_json("db", doc);
}

static int merge_file(const char *db, const char *other, bool json) {
  cb_err err = {""};
  cb_store *s = NULL;
  cb_merge_result r = {0};
  conflicts c = {.other = other, .list = json ? json_array() : NULL};
  cb_status st = cb_store_open(db, CB_STORE_WRITE, &s, &err);
  if (st == CB_OK) st = cb_store_merge(s, other, on_conflict, &c, &r, &err);
  int code = cli_db_finish(s, st, &err);
  if (code == CLI_DONE && json) code = print_merge_json(db, other, &r, c.list);
  if (code == CLI_DONE && !json) print_merge(db, other, &r);
  json_decref(c.list);
  return code == CLI_DONE && r.all.conflicts > 0 ? CLI_NEGATIVE : code;
}

int cli_db_merge(const void *request) {
  const cli_db_request *q = request;
  return merge_file(q->db, q->words[0], q->json);
}

static int pull_one(const cli_db_request *q, const char *source) {
  char copy[LAB_PULL_PATH_BYTES];
  cb_err err = {""};
  const cb_status st = lab_pull_fetch(q->db, source, copy, &err);
  return st == CB_OK ? merge_file(q->db, copy, q->json) : cli_fail("db", st, &err);
}

/* Fetches every HOST:PATH (lab_pull.h) and merges it; a machine that does not answer stops none of the
 * others. */
int cli_db_pull(const void *request) {
  const cli_db_request *q = request;
  int code = CLI_DONE;
  for (size_t i = 0; i < q->n; i++)
    if (!lab_pull_is_remote(q->words[i])) {
      cli_say("db", "pull %s: HOST:PATH was wanted; 'db merge FILE' takes a file of this machine",
              q->words[i]);
      return CLI_USAGE;
    }
  if (q->json && q->n > 1) {
    cli_say("db", "pull --json: one HOST:PATH was wanted, not %zu", q->n);
    return CLI_USAGE;
  }
  for (size_t i = 0; i < q->n; i++) {
    const int one = pull_one(q, q->words[i]);
    if (code == CLI_DONE || one == CLI_FAILED) code = one;
  }
  return code;
}
