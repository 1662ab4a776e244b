/* clothbench db init | check | ls | show | backup | merge | build | text: the database itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_materials.h"
#include "cb_num.h"
#include "cb_store_self_friction.h"
#include "cli.h"
#include "cli_campaign.h"
#include "cli_card.h"
#include "cli_db.h"
#include "cli_material.h"

static int finish(cb_store *s, cb_status st, cb_err *err) {
  cb_status closed = cb_store_close(s, st == CB_OK ? err : NULL);
  if (st == CB_OK) st = closed;
  return st == CB_OK ? CLI_DONE : cli_fail("db", st, err);
}

static int db_init(const char *db) {
  cb_err err = {""};
  cb_store *s = NULL;
  cb_status st = cb_store_open(db, CB_STORE_WRITE, &s, &err);
  if (st == CB_OK) cli_say("db", "%s is ready (schema %d)", db, cb_store_schema_version());
  return finish(s, st, &err);
}

/* ---- ls: what is in the file, one line each ---- */

static cb_status list_materials(cb_store *s, cb_err *err) {
  cb_material *list;
  size_t n;
  CB_TRY(cb_store_materials(s, &list, &n, err));
  for (size_t i = 0; i < n; i++) {
    printf("%-8s  %-24s", cb_material_kind_names[list[i].kind], list[i].name);
    if (list[i].areal_density_kg_per_m2 > 0) printf("  %6.1f g/m2", 1e3 * list[i].areal_density_kg_per_m2);
    printf("\n");
  }
  free(list);
  return CB_OK;
}

static cb_status list_campaigns(cb_store *s, cb_err *err) {
  cb_campaign *list;
  size_t n;
  CB_TRY(cb_store_campaigns(s, &list, &n, err));
  for (size_t i = 0; i < n; i++) {
    cb_run *runs;
    size_t n_runs, done = 0, flagged = 0;
    cb_run_filter f = cb_run_filter_all();
    f.campaign_id = list[i].id;
    cb_status st = cb_store_runs(s, &f, &runs, &n_runs, err);
    if (st != CB_OK) {
      free(list);
      return st;
    }
    for (size_t k = 0; k < n_runs; k++) done += runs[k].status == CB_RUN_DONE, flagged += runs[k].flags[0] != '\0';
    free(runs);
    printf("campaign  %-4lld %-24s %-9s %-9s %zu of %zu runs done, %s%s", (long long)list[i].id, list[i].name,
           cb_campaign_kind_names[list[i].kind], cb_origin_names[list[i].origin], done, n_runs, list[i].created_at,
           list[i].finished_at[0] ? "" : ", unfinished");
    if (flagged) printf(", %zu flagged", flagged);
    printf("\n");
  }
  free(list);
  return CB_OK;
}

static cb_status list_laws(cb_store *s, cb_err *err) {
  cb_friction_law *list;
  size_t n;
  CB_TRY(cb_store_laws(s, &list, &n, err));
  for (size_t i = 0; i < n; i++)
    printf("law       %-4lld %s on %s, %s, %s, %s, %zu loads %.3g to %.3g N\n", (long long)list[i].id, list[i].cloth, list[i].body,
           cb_friction_kind_names[list[i].kind], cb_friction_form_names[list[i].form], cb_origin_names[list[i].origin], list[i].n_knots,
           list[i].knots[0].normal_force_N, list[i].knots[list[i].n_knots - 1].normal_force_N);
  free(list);
  return CB_OK;
}

static cb_status list_self_friction(cb_store *s, cb_err *err) {
  cb_self_friction_row *list;
  size_t n;
  CB_TRY(cb_store_self_friction_list(s, 0, 0, &list, &n, err));
  for (size_t i = 0; i < n; i++)
    printf("law       %-4lld %s on %s, both turned, two tensors, %s, %s\n", (long long)list[i].id, list[i].cloth, list[i].body,
           list[i].form, cb_origin_names[list[i].origin]);
  cb_self_friction_rows_free(list, n);
  return CB_OK;
}

static int db_ls(const char *db) {
  cb_err err = {""};
  cb_store *s = NULL;
  cb_status st = cb_store_open(db, CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = list_materials(s, &err);
  if (st == CB_OK) st = list_campaigns(s, &err);
  if (st == CB_OK) st = list_laws(s, &err);
  if (st == CB_OK) st = list_self_friction(s, &err);
  return finish(s, st, &err);
}

/* ---- show: one material ---- */

static cb_status show_card(cb_store *s, const exch_material *m, bool json, cb_err *err) {
  cli_card card;
  CB_TRY(cli_card_make(s, m, &card, err));
  bool shown = !json || cli_print_json("db", cli_card_json(m, &card)) == CLI_DONE;
  if (!json) cli_card_print(m, &card, stdout);
  cli_card_clear(&card);
  return shown ? CB_OK : cb_fail(err, CB_E_IO, "the card of '%s' could not be written", m->facts.name);
}

/* A number that is no material's name is a campaign's. */
static cb_status show(cb_store *s, const char *name, bool json, cb_err *err) {
  exch_material m;
  long long id;
  cb_status st = cli_material_load(s, name, &m, err);
  if (st == CB_E_NOTFOUND && cb_parse_int(name, "campaign", &id, NULL) == CB_OK) return cli_campaign_show(s, id, err);
  CB_TRY(st);
  st = show_card(s, &m, json, err);
  exch_material_clear(&m);
  return st;
}

static int db_show(const char *db, const char *name, bool json) {
  cb_err err = {""};
  cb_store *s = NULL;
  cb_status st = cb_store_open(db, CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = show(s, name, json, &err);
  return finish(s, st, &err);
}

/* ---- the shipped database <-> its reviewable text ---- */

static int db_build(const char *folder, const char *file) {
  cb_err err = {""};
  cb_status st = cb_materials_build(folder, file, &err);
  return st == CB_OK ? CLI_DONE : cli_fail("db", st, &err);
}

static int db_text(const char *db, const char *folder) {
  cb_err err = {""};
  cb_store *s = NULL;
  cb_status st = cb_store_open(db, CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = cb_materials_write(s, folder, &err);
  return finish(s, st, &err);
}

static const char usage[] =
    "db init | check | ls | show NAME | backup FILE | merge FILE | build FOLDER FILE | text FOLDER [--db FILE] [--json]\n"
    "  init               make the database, or upgrade an older one\n"
    "  check              integrity, references, units, origins, every sample\n"
    "  ls                 what is in it\n"
    "  show NAME          a cloth or body: every property with its uncertainty and what stands behind it; a campaign's number: its "
    "conditions and specimen\n"
    "  backup FILE        a verified copy, also while a campaign runs\n"
    "  merge FILE         take over what FILE has and --db has not; exit 3 where they contradict each other\n"
    "  build FOLDER FILE  make a reference database from its text (materials/ -> materials.db)\n"
    "  text FOLDER        write materials and laws of --db as that text";

int cmd_db(int argc, char **argv) {
  const char *db = NULL, *words[3] = {NULL};
  bool json = false;
  size_t n;
  const cli_opt opts[] = {
      {.name = "db", .kind = CLI_TEXT, .value = &db, .help = "the database file"},
      {.name = "json", .kind = CLI_SWITCH, .value = &json, .help = "check, backup, merge, show of a material: the result as JSON"}};
  int stop = cli_parse(argc, argv, usage, opts, 2, words, 1, 3, &n);
  if (stop >= 0) return stop;
  db = cli_db_path(db);
  for (size_t i = 1; i < n; i++) {
    stop = cli_refuse_dash("db", words[0], words[i]);
    if (stop >= 0) return stop;
  }
  if (n == 1 && strcmp(words[0], "init") == 0) return db_init(db);
  if (n == 1 && strcmp(words[0], "check") == 0) return cli_db_check(db, json);
  if (n == 1 && strcmp(words[0], "ls") == 0) return db_ls(db);
  if (n == 2 && strcmp(words[0], "show") == 0) return db_show(db, words[1], json);
  if (n == 2 && strcmp(words[0], "backup") == 0) return cli_db_backup(db, words[1], json);
  if (n == 2 && strcmp(words[0], "merge") == 0) return cli_db_merge(db, words[1], json);
  if (n == 3 && strcmp(words[0], "build") == 0) return db_build(words[1], words[2]);
  if (n == 2 && strcmp(words[0], "text") == 0) return db_text(db, words[1]);
  cli_say("db",
          "'%s' with %zu argument%s: init, check, ls, show NAME, backup FILE, merge FILE, build FOLDER FILE or text FOLDER was wanted",
          words[0], n - 1, n == 2 ? "" : "s");
  return CLI_USAGE;
}
