#include "cli_db_specimen.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cb_text.h"
#include "cli.h"
#include "cli_db.h"
#include "cli_person.h"

typedef struct request {
  const char *word;         /* add | condition | wash */
  lab_specimen_typed typed; /* name, note and operator_name of every word */
  cb_specimen specimen;     /* add: what was typed */
  const char *cloth, *db;
  bool new_names;
} request;

/* ---- add ---- */

static cb_status add_specimen(cb_store *s, const request *q, cb_err *err) {
  cb_specimen p = q->specimen;
  char text[256], shown[512];
  CB_TRY(cb_store_material_ensure(s, CB_CLOTH, q->cloth, CB_MEASURED, &p.cloth_id, err));
  CB_TRY(cb_store_specimen_put(s, &p, err));
  lab_specimen_text(&p, text);
  printf("specimen '%s', mark %s: %s\n", p.name, p.mark, cb_text_show(text, shown, sizeof shown));
  return CB_OK;
}

/* ---- the log ---- */

static cb_status log_entry(cb_store *s, const request *q, cb_err *err) {
  cb_specimen p;
  cb_specimen_entry e = {.kind = strcmp(q->word, "wash") == 0 ? CB_SPECIMEN_WASH : CB_SPECIMEN_CONDITION};
  CB_TRY(lab_specimen_entry(q->typed.note, q->typed.operator_name, &e, err));
  CB_TRY(cb_store_specimen_find(s, q->typed.name, &p, err));
  CB_TRY(cb_store_specimen_log(s, p.id, &e, err));
  printf("specimen '%s' %s: %s (%s, %s)\n", p.name,
         e.kind == CB_SPECIMEN_WASH ? "is washed" : "is conditioned", e.text, e.operator_name, e.created_at);
  return CB_OK;
}

/* ---- show ---- */

static void print_line(const char *what, const char *text) {
  char shown[1024];
  if (text[0]) printf("  %-14s %s\n", what, cb_text_show(text, shown, sizeof shown));
}

static void print_card(const lab_specimen_card *p) {
  const cb_specimen *f = &p->facts;
  char text[256], shown[1024];
  lab_specimen_text(f, text);
  printf("specimen %s\n", cb_text_show(f->name, shown, sizeof shown));
  print_line("mark", f->mark);
  print_line("is", text);
  print_line("note", f->note);
  print_line("added", f->created_at);
  print_line("by", f->operator_name);
  printf("  %-14s %zu, %zu done\n", "runs", p->n_runs, p->n_done);
  for (size_t i = 0; i < p->n_entries; i++) {
    const cb_specimen_entry *e = &p->entries[i];
    char person[256];
    printf("  %s  %-9s  %s (%s)\n", e->created_at, cb_specimen_event_names[e->kind],
           cb_text_show(e->text, shown, sizeof shown), cb_text_show(e->operator_name, person, sizeof person));
  }
}

cb_status cli_specimen_show(cb_store *s, const char *name, bool json, cb_err *err) {
  lab_specimen_card p;
  cb_status st = lab_specimen_load(s, name, &p, err);
  if (st == CB_OK && !json) print_card(&p);
  if (st == CB_OK && json && cli_print_json("db", lab_specimen_json(&p)) != CLI_DONE)
    st = cb_fail(err, CB_E_IO, "the card of specimen '%s' could not be written", name);
  lab_specimen_clear(&p);
  return st;
}

/* ---- the command ---- */

static int refuse(const char *sentence) {
  cli_say("db", "specimen: %s", sentence);
  return CLI_USAGE;
}

/* -1 to go on, or the exit code. */
static int check_request(const request *q) {
  const bool add = strcmp(q->word, "add") == 0;
  if (!add && strcmp(q->word, "condition") != 0 && strcmp(q->word, "wash") != 0)
    return refuse("add NAME, condition NAME or wash NAME was wanted");
  if (add && !q->cloth) return refuse("add: --cloth NAME was wanted");
  if (!add && !q->typed.note) return refuse("condition and wash: --note TEXT was wanted");
  if (!add && (q->cloth || q->typed.lot || q->typed.side || q->typed.cut || !isnan(q->typed.washes)))
    return refuse("--cloth, --lot, --side, --cut and --washes belong to add");
  return -1;
}

static int obey(request *q) {
  cb_err err = {""};
  cb_store *s = NULL;
  const bool add = strcmp(q->word, "add") == 0;
  /* What cannot be makes no file. */
  cb_status st = add ? lab_specimen_read(&q->typed, &q->specimen, &err) : CB_OK;
  if (st == CB_OK)
    st = add ? cli_open_named(q->db, q->new_names, &s, &err) : cli_db_open_known(q->db, &s, &err);
  if (st == CB_OK) st = cb_store_begin(s, &err);
  if (st == CB_OK) st = add ? add_specimen(s, q, &err) : log_entry(s, q, &err);
  if (st == CB_OK) st = cb_store_commit(s, &err);
  if (st != CB_OK && s) cb_store_rollback(s);
  return cli_db_finish(s, st, &err);
}

int cli_db_specimen(int argc, char **argv) {
  const char *words[2];
  request q = {.typed.washes = NAN};
  const cli_opt opts[] = {
      {"cloth", CLI_TEXT, &q.cloth, "add: the cloth that it was cut from"},
      {"lot", CLI_TEXT, &q.typed.lot, "add: lot or roll of the cloth"},
      {"side", CLI_TEXT, &q.typed.side, "add: the side that is rubbed: face or back"},
      {"cut", CLI_TEXT, &q.typed.cut, "add: its long side: warp, weft, bias, or degrees from the warp"},
      {"washes", CLI_NUMBER, &q.typed.washes, "add: how often it was washed so far", .min = 0, .max = 1e6},
      {"note", CLI_TEXT, &q.typed.note, "condition, wash: what was done, such as \"20 C, 65 % RH, 24 h\""},
      {"operator", CLI_TEXT, &q.typed.operator_name, "who; else $USER"},
      {"new", CLI_SWITCH, &q.new_names, CLI_NEW_HELP},
      {"db", CLI_TEXT, &q.db, "the database file"},
  };
  int stop =
      cli_parse(argc, argv,
                "db specimen add NAME --cloth CLOTH [--lot LOT] [--side SIDE] [--cut CUT] [--washes N] | "
                "condition NAME --note TEXT | wash NAME --note TEXT [--operator NAME] [--db FILE]",
                opts, sizeof opts / sizeof opts[0], words, 2, 2, NULL);
  if (stop >= 0) return stop;
  q.word = words[0], q.typed.name = words[1];
  q.db = cli_db_path(q.db);
  if (!q.typed.operator_name) q.typed.operator_name = cli_person_name();
  stop = check_request(&q);
  return stop >= 0 ? stop : obey(&q);
}
