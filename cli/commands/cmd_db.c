/* clothbench db init | check | ls | show | missing | backup | merge | build | text: the database itself. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab_reference.h"
#include "cb_nearest.h"
#include "cb_num.h"
#include "cli.h"
#include "cli_card.h"
#include "cli_db.h"
#include "cli_db_specimen.h"
#include "cli_meant.h"
#include "lab_material.h"
#include "cb_plus_minus.h"
#include "lab_point.h"
#include "lab_campaign.h"

/* ---- one campaign on stdout ---- */

static void print_text(const char *name, const char *text) {
  if (text[0]) printf("  %-14s %s\n", name, text);
}

static void print_number(const char *name, double value, const char *unit) {
  if (isfinite(value)) printf("  %-14s %g %s\n", name, value, unit);
}

static void print_conditions(const cb_conditions *c) {
  char outside[200];
  print_text("atmosphere", c->atmosphere >= 0 ? cb_atmosphere_names[c->atmosphere] : "");
  print_number("temperature", c->temperature_degC, "degC");
  print_number("humidity", c->humidity_percent, "%");
  if (cb_conditions_outside(c, outside)) print_text("deviation", outside);
  print_number("conditioned", c->conditioning_h, "h");
  print_text("cloth lot", c->cloth_lot);
  print_text("cloth side", c->cloth_side >= 0 ? cb_side_names[c->cloth_side] : "");
  print_text("body specimen", c->body_specimen);
  print_number("specimen area", 1e4 * c->specimen_area_m2, "cm2");
  print_text("washed", c->wash_state);
  print_text("note", c->note);
}

/* As the page of the report has it: 95 %, without the calibration. */
static void print_force(const char *name, double force_N, double u_N) {
  char text[CB_PLUS_MINUS];
  if (isfinite(force_N)) printf(", %s %s N", name, cb_plus_minus_of_u(force_N, u_N, NAN, text));
}

static void print_run(const lab_campaign_run *reduced) {
  const cb_run *r = &reduced->run;
  const cb_friction_point *p = reduced->has_point ? &reduced->point : NULL;
  printf("  run %-6lld %-5s %g deg", (long long)r->id, cb_run_kind_names[r->kind], r->angle_deg);
  if (isfinite(r->body_angle_deg)) printf(" on %g deg", r->body_angle_deg);
  if (r->normal_force_N > 0) printf(", load %.4g N", r->normal_force_N);
  if (p) print_force("static", p->static_N, p->u_static_N);
  if (p) print_force("kinetic", p->kinetic_N, p->u_kinetic_N);
  if (p && isfinite(p->kinetic_N) && r->normal_force_N > 0)
    printf(", mu %.3f", p->kinetic_N / r->normal_force_N);
  char faults[96];
  const fit_validity validity = p ? lab_point_validity(p, faults) : FIT_VALID;
  if (validity != FIT_VALID) printf(", %s: %s", fit_validity_names[validity], faults);
  printf(", %s%s%s", cb_run_status_names[r->status], r->flags[0] ? ", flagged " : "", r->flags);
  printf(r->reason[0] ? " (%s)\n" : "\n", r->reason);
}

/* Prints conditions, specimen and runs. */
static void print_campaign(const lab_campaign *c) {
  const cb_campaign *f = &c->facts;
  printf("campaign %lld %s\n", (long long)f->id, f->name);
  print_text("kind", cb_campaign_kind_names[f->kind]);
  print_text("origin", cb_origin_names[f->origin]);
  print_text("preset", c->preset);
  print_text("operator", f->operator_name);
  print_text("begun", f->created_at);
  print_text("finished", f->finished_at);
  print_conditions(&c->conditions);
  bool any = false;
  for (size_t i = 0; i < c->n_runs; i++) any = any || c->runs[i].has_point;
  if (any) printf("  %-14s +- is the 95 %% interval of one run, without the calibration\n", "forces");
  for (size_t i = 0; i < c->n_runs; i++) print_run(&c->runs[i]);
}

static int db_init(const char *db) {
  cb_err err = {""};
  cb_store *s = NULL;
  cb_status st = cb_store_open(db, CB_STORE_TAKE, &s, &err);
  if (st == CB_OK) cli_say("db", "%s is ready (schema %d)", db, cb_store_schema_version());
  return cli_db_finish(s, st, &err);
}

/* ---- show: one material ---- */

static cb_status show_card(cb_store *s, const exch_material *m, bool json, cb_err *err) {
  lab_card card;
  CB_TRY(lab_card_make(s, m, &card, err));
  bool shown = !json || cli_print_json("db", lab_card_json(m, &card)) == CLI_DONE;
  if (!json) cli_card_print(m, &card, stdout);
  lab_card_clear(&card);
  if (!json && m->facts.kind == CB_CLOTH) CB_TRY(cli_db_print_missing(s, m->facts.name, err));
  return shown ? CB_OK : cb_fail(err, CB_E_IO, "the card of '%s' could not be written", m->facts.name);
}

static cb_status show_campaign(cb_store *s, int64_t id, cb_err *err) {
  lab_campaign c;
  cb_status st = lab_campaign_load(s, id, &c, err);
  if (st == CB_OK) print_campaign(&c);
  lab_campaign_clear(&c);
  return st;
}

/* A material, else a specimen, else the number of a campaign. */
static cb_status show_entry(cb_store *s, const char *name, bool json, cb_err *err) {
  exch_material m;
  cb_specimen p;
  long long id;
  cb_status st = lab_material_load(s, name, &m, err);
  if (st == CB_E_NOTFOUND && cb_store_specimen_find(s, name, &p, NULL) == CB_OK)
    return cli_specimen_show(s, name, json, err);
  if (st == CB_E_NOTFOUND && cb_parse_int(name, "campaign", &id, NULL) == CB_OK)
    return json
               ? cb_fail(err, CB_E_ARG,
                         "--json: the name of a material or specimen was wanted; a campaign is shown as text")
               : show_campaign(s, id, err);
  CB_TRY(st);
  st = show_card(s, &m, json, err);
  exch_material_clear(&m);
  return st;
}

/* A specimen's name or mark and the number of a campaign are no parts of a material's name. */
static bool is_other_entry(const char *db, const char *name) {
  cb_store *s;
  cb_specimen p;
  long long id;
  if (cb_parse_int(name, "campaign", &id, NULL) == CB_OK) return true;
  if (cb_store_open(db, CB_STORE_READ, &s, NULL) != CB_OK) return false;
  const bool specimen = cb_store_specimen_find(s, name, &p, NULL) == CB_OK;
  (void)!cb_store_close(s, NULL);
  return specimen;
}

static int db_show(const char *db, const char *name, bool json) {
  cb_err err = {""};
  cb_store *s = NULL;
  const int stop = is_other_entry(db, name) ? -1 : cli_meant("db", db, CLI_TEXT, &name);
  if (stop >= 0) return stop;
  cb_status st = cb_store_open(db, CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = show_entry(s, name, json, &err);
  return cli_db_finish(s, st, &err);
}

/* ---- the shipped database <-> its reviewable text ---- */

static int db_build(const char *folder, const char *file) {
  cb_err err = {""};
  cb_status st = lab_reference_build(folder, file, &err);
  return st == CB_OK ? CLI_DONE : cli_fail("db", st, &err);
}

static int db_text(const char *db, const char *folder) {
  cb_err err = {""};
  cb_store *s = NULL;
  cb_status st = cb_store_open(db, CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = lab_reference_write(s, folder, &err);
  return cli_db_finish(s, st, &err);
}

#define MAX_RUNS 200

static bool names_materials(const char *word) {
  return strcmp(word, "rename") == 0 || strcmp(word, "alias") == 0 || strcmp(word, "unalias") == 0;
}

static bool speaks_json(const char *word) {
  for (int i = 0; cb_correction_kind_names[i]; i++)
    if (strcmp(word, cb_correction_kind_names[i]) == 0) return false;
  return strcmp(word, "init") != 0 && !names_materials(word) && strcmp(word, "build") != 0 &&
         strcmp(word, "text") != 0;
}

static const char usage[] =
    "db init | check | ls | show NAME | specimen add NAME | labels FILE.svg | query TEXT | missing [NAME] | "
    "void RUN ... TEXT | unvoid RUN ... TEXT | note RUN ... TEXT | amend RUN ... --set FIELD=VALUE TEXT | "
    "rename OLD NEW --reason TEXT | alias NAME MEANT --reason TEXT | unalias NAME "
    "--reason TEXT | corrections [RUN] | backup FILE | merge FILE | pull HOST:PATH | build FOLDER FILE | "
    "text FOLDER "
    "[--db FILE] [--operator NAME] [--json]\n"
    "  init               make the database, or upgrade an older one\n"
    "  check              integrity, references, units, origins, every sample\n"
    "  ls                 what is in it\n"
    "  show NAME          a cloth or body: every property with its uncertainty and what stands behind "
    "it; a specimen: what it is and what was done to it; a campaign's number: its conditions\n"
    "  specimen add NAME  a piece that was cut from a cloth; specimen condition and specimen wash write its "
    "log ('db specimen --help')\n"
    "  labels FILE.svg    labels of specimens to print, with QR codes ('db labels --help')\n"
    "  query TEXT         what is known, asked in words (docs/guide/query.md) or in SQL: query 'mu < 0.4 on "
    "\"Plastic Foam\" at 1 N, sorted'\n"
    "  missing [NAME]     what would have to be measured before the cloth (else every cloth) can be "
    "simulated by name\n"
    "  void RUN ...       take finished runs out of use: no fit, figure or verdict counts them. They "
    "stay as they are; unvoid takes them back\n"
    "  note RUN ... TEXT  say something of a run: note 12 \"cloth looked creased\"\n"
    "  amend RUN ...      say what a condition of runs really was, such as --set added_mass_g=200 or "
    "--set cloth=Twill, or what the verdict on a pull should be: --set verdict=valid; what was typed stays "
    "readable\n"
    "  rename OLD NEW     give a cloth or body another name\n"
    "  alias NAME MEANT   say that NAME means the cloth or body MEANT; what was measured of NAME "
    "counts for MEANT; unalias takes that back\n"
    "  corrections [RUN]  what was said of runs, when and by whom\n"
    "  backup FILE        a verified copy, also while a campaign runs\n"
    "  merge FILE         take over what FILE has and --db has not; exit 3 where they contradict each "
    "other\n"
    "  pull HOST:PATH     the same from another laboratory's machine, by ssh and rsync; only what is new "
    "travels\n"
    "  build FOLDER FILE  make a reference database from its text (materials/ -> materials.db)\n"
    "  text FOLDER        write materials and laws of --db as that text";

/* db void | unvoid | note | amend; -1: another word. */
static int run_correction(const char *db, const char *word, cli_db_correction *q, size_t n_runs) {
  for (int kind = 0; cb_correction_kind_names[kind]; kind++) {
    if (strcmp(word, cb_correction_kind_names[kind]) != 0) continue;
    q->kind = (cb_correction_kind)kind;
    q->n_runs = n_runs;
    return cli_db_correct(db, q);
  }
  if (!q->reason && !q->operator_name && !q->set) return -1;
  cli_say("db", "--reason, --operator and --set belong to void, unvoid, note, amend, rename and alias");
  return CLI_USAGE;
}

static const char *const known[] = {"init",        "query",    "check", "ls",    "show",   "missing",
                                    "void",        "unvoid",   "note",  "amend", "rename", "alias",
                                    "unalias",     "backup",   "merge", "pull",  "build",  "text",
                                    "corrections", "specimen", "labels"};
#define N_KNOWN (sizeof known / sizeof known[0])

static bool is_known(const char *word) {
  for (size_t i = 0; i < N_KNOWN; i++)
    if (strcmp(word, known[i]) == 0) return true;
  return false;
}

static int refuse_word(const char *word, size_t n) {
  const int meant = is_known(word) ? -1 : cb_nearest(word, known, N_KNOWN);
  cli_say("db",
          "'%s' with %zu argument%s:%s%s%s init, check, ls, show NAME, specimen, labels FILE, query TEXT, "
          "missing [NAME], "
          "void, "
          "unvoid, note, "
          "amend, rename OLD NEW, alias NAME MEANT, unalias NAME, corrections, backup FILE, merge FILE, "
          "pull HOST:PATH, "
          "build FOLDER FILE or text FOLDER was wanted",
          word, n - 1, n == 2 ? "" : "s", meant >= 0 ? " did you mean '" : "", meant >= 0 ? known[meant] : "",
          meant >= 0 ? "'?" : "");
  return CLI_USAGE;
}

static int obey_word(const char *db, const char *const *words, size_t n, bool json, bool all) {
  if (n <= 2 && strcmp(words[0], "corrections") == 0) return cli_db_corrections(db, words[1], json);
  if (n == 1 && strcmp(words[0], "init") == 0) return db_init(db);
  if (n == 1 && strcmp(words[0], "check") == 0) return cli_db_check(db, json);
  if (n == 1 && strcmp(words[0], "ls") == 0) return cli_db_list(db, json, all);
  if (n <= 2 && strcmp(words[0], "missing") == 0) return cli_db_missing(db, words[1], json);
  if (n == 2 && strcmp(words[0], "show") == 0) return db_show(db, words[1], json);
  if (n == 2 && strcmp(words[0], "backup") == 0) return cli_db_backup(db, words[1], json);
  if (n == 2 && strcmp(words[0], "merge") == 0) return cli_db_merge(db, words[1], json);
  if (n == 2 && strcmp(words[0], "pull") == 0) return cli_db_pull(db, words[1], json);
  if (n == 3 && strcmp(words[0], "build") == 0) return db_build(words[1], words[2]);
  if (n == 2 && strcmp(words[0], "text") == 0) return db_text(db, words[1]);
  return refuse_word(words[0], n);
}

/* Up to the first option. */
static size_t count_words(int argc, char **argv) {
  int n = 1;
  while (n < argc && argv[n][0] != '-') n++;
  return (size_t)n - 1;
}

/* Words that tell what is known: without a database, of the shipped one. */
static bool only_reads(const char *word) {
  static const char *const words[] = {"ls", "show", "query", "missing"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strcmp(word, words[i]) == 0) return true;
  return false;
}

int cmd_db(int argc, char **argv) {
  const char *db = NULL, *words[1 + MAX_RUNS] = {NULL};
  bool json = false, sql = false, all = false;
  size_t n;
  if (argc > 1 && strcmp(argv[1], "specimen") == 0) return cli_db_specimen(argc - 1, argv + 1);
  if (argc > 1 && strcmp(argv[1], "labels") == 0) return cli_db_labels(argc - 1, argv + 1);
  if (argc > 1 && argv[1][0] != '-' && !is_known(argv[1]))
    return refuse_word(argv[1], count_words(argc, argv));
  cli_db_correction correction = {.runs = words + 1};
  cli_db_naming naming = {.kind = NULL};
  const cli_opt opts[] = {
      {"db", CLI_TEXT, &db, "the database file"},
      {"reason", CLI_TEXT, &correction.reason, "of a correction: why, or what, instead of TEXT"},
      {"set", CLI_TEXT, &correction.set, "amend: FIELD=VALUE, units as in the field's name"},
      {"all", CLI_SWITCH, &all, "ls: every line, also on a terminal"},
      {"sql", CLI_SWITCH, &sql, "query: print the SQL of the question, and do not ask"},
      {"kind", CLI_TEXT, &naming.kind, "rename, alias: cloth or body, where both have the name"},
      {"operator", CLI_TEXT, &correction.operator_name, "of a correction: who; else $USER"},
      {"json", CLI_SWITCH, &json,
       "ls, check, missing, corrections, backup, merge, pull, show of a material: the result as JSON"}};
  int stop = cli_parse(argc, argv, usage, opts, sizeof opts / sizeof opts[0], words, 1, 1 + MAX_RUNS, &n);
  if (stop >= 0) return stop;
  db = only_reads(words[0]) ? cli_db_to_read(db) : cli_db_path(db);
  for (size_t i = 1; i < n; i++) {
    stop = cli_refuse_dash("db", words[0], words[i]);
    if (stop >= 0) return stop;
  }
  if (json && !speaks_json(words[0])) {
    cli_say("db",
            "--json: ls, check, missing, corrections, backup, merge, pull and show of a material have it, "
            "'%s' has not",
            words[0]);
    return CLI_USAGE;
  }
  if (n <= 3 && names_materials(words[0]) && !correction.set) {
    naming.word = words[0], naming.name = words[1], naming.other = words[2];
    naming.reason = correction.reason, naming.operator_name = correction.operator_name;
    return cli_db_name(db, &naming);
  }
  if (n == 2 && strcmp(words[0], "query") == 0) return cli_db_query(db, words[1], sql, json);
  stop = run_correction(db, words[0], &correction, n - 1);
  if (stop >= 0) return stop;
  return obey_word(db, words, n, json, all);
}
