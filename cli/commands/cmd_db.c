/* clothbench db: the table of its words, and those that make, show and write the database itself. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab_reference.h"
#include "cb_num.h"
#include "cb_text.h"
#include "cli.h"
#include "cli_card.h"
#include "cli_db.h"
#include "cli_db_specimen.h"
#include "cli_meant.h"
#include "lab_material.h"
#include "cb_plus_minus.h"
#include "lab_point.h"
#include "lab_campaign.h"
#include "lab_show.h"
#include "cb_json.h"

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
  printf("  run %-6lld %s", (long long)r->id, cb_run_kind_names[r->kind]);
  if (r->kind != CB_RUN_LOOK) printf("%s %g deg", r->kind == CB_RUN_PULL ? " " : "", r->angle_deg);
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

static int db_init(const void *request) {
  const cli_db_request *q = request;
  cb_err err = {""};
  cb_store *s = NULL;
  cb_status st = cb_store_open(q->db, CB_STORE_TAKE, &s, &err);
  if (st == CB_OK) cli_say("db", "%s is ready (schema %d)", q->db, cb_store_schema_version());
  return cli_db_finish(s, st, &err);
}

/* ---- show: one material ---- */

static cb_status print_document(json_t *doc, cb_err *err) {
  return cli_print_json("db", doc) == CLI_DONE ? CB_OK
                                               : cb_fail(err, CB_E_IO, "the document could not be written");
}

static cb_status show_card(cb_store *s, const exch_material *m, bool json, cb_err *err) {
  lab_card card;
  CB_TRY(lab_card_make(s, m, &card, err));
  const cb_status st = json ? print_document(lab_card_json(m, &card), err) : CB_OK;
  if (!json) cli_card_print(m, &card, stdout);
  lab_card_clear(&card);
  return json || m->facts.kind != CB_CLOTH ? st : cli_db_print_missing(s, m->facts.name, err);
}

static cb_status show_campaign(cb_store *s, int64_t id, bool json, cb_err *err) {
  lab_campaign c;
  json_t *doc;
  if (json) {
    CB_TRY(lab_show_campaign(s, id, &doc, err));
    return print_document(doc, err);
  }
  cb_status st = lab_campaign_load(s, id, &c, err);
  if (st == CB_OK) print_campaign(&c);
  lab_campaign_clear(&c);
  return st;
}

/* F12 */
static bool is_law(const char *name) {
  return isupper((unsigned char)name[0]) && name[1] && strspn(name + 1, "0123456789") == strlen(name + 1);
}

static cb_status show_law(cb_store *s, const char *ref, bool json, cb_err *err) {
  json_t *law, *v;
  const char *key;
  size_t i;
  char shown[400];
  CB_TRY(lab_show_law(s, ref, &law, err));
  if (json) return print_document(law, err);
  json_object_foreach(law, key, v) if (json_is_string(v))
      printf("%-10s  %s\n", key, cb_text_show(json_string_value(v), shown, sizeof shown));
  json_array_foreach(json_object_get(law, "numbers"), i, v)
      printf("%-10s  %s = %g, u %g\n", "number", json_string_value(json_object_get(v, "name")),
             cb_json_number(v, "value"), cb_json_number(v, "u"));
  json_decref(law);
  return CB_OK;
}

/* A material, else a specimen, else a law, else the number of a campaign. */
static cb_status show_entry(cb_store *s, const char *name, bool json, cb_err *err) {
  exch_material m;
  cb_specimen p;
  long long id;
  cb_status st = lab_material_load(s, name, &m, err);
  if (st == CB_E_NOTFOUND && cb_store_specimen_find(s, name, &p, NULL) == CB_OK)
    return cli_specimen_show(s, name, json, err);
  const bool law = st == CB_E_NOTFOUND && is_law(name);
  if (law || (st == CB_E_NOTFOUND && cb_parse_int(name, "campaign", &id, NULL) == CB_OK))
    return law ? show_law(s, name, json, err) : show_campaign(s, id, json, err);
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
  if (is_law(name) || cb_parse_int(name, "campaign", &id, NULL) == CB_OK) return true;
  if (cb_store_open(db, CB_STORE_READ, &s, NULL) != CB_OK) return false;
  const bool specimen = cb_store_specimen_find(s, name, &p, NULL) == CB_OK;
  (void)!cb_store_close(s, NULL);
  return specimen;
}

static int db_show(const void *request) {
  const cli_db_request *q = request;
  const char *name = q->words[0];
  cb_err err = {""};
  cb_store *s = NULL;
  const int stop = is_other_entry(q->db, name) ? -1 : cli_meant("db", q->db, CLI_TEXT, &name);
  if (stop >= 0) return stop;
  cb_status st = cb_store_open(q->db, CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = show_entry(s, name, q->json, &err);
  return cli_db_finish(s, st, &err);
}

/* ---- the shipped database <-> its reviewable text ---- */

static int db_build(const void *request) {
  const cli_db_request *q = request;
  cb_err err = {""};
  cb_status st = lab_reference_build(q->words[0], q->words[1], &err);
  return st == CB_OK ? CLI_DONE : cli_fail("db", st, &err);
}

static int db_text(const void *request) {
  const cli_db_request *q = request;
  cb_err err = {""};
  cb_store *s = NULL;
  cb_status st = cb_store_open(q->db, CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = lab_reference_write(s, q->words[0], &err);
  return cli_db_finish(s, st, &err);
}

/* ---- the words ---- */

#define MAX_RUNS 200

enum {
  READS = 1, /* tells what is known: without a database, of the shipped one */
  SAYS_JSON = 2,
  REASONED = 4, /* takes --reason, --operator and --set */
};

static const cli_kind words[] = {
    {"init", NULL, "make the database, or upgrade an older one", NULL, db_init},
    {"check", NULL, "integrity, references, units, origins, every sample", NULL, cli_db_check, 0, 0,
     SAYS_JSON},
    {"ls", NULL,
     "how much is in it, what is due, and the first of each kind; all cloths, bodies, specimens, campaigns "
     "or laws; "
     "the newest runs",
     "[KIND]", cli_db_list, 0, 1, READS | SAYS_JSON},
    {"show", NULL,
     "a cloth or body: every property with its uncertainty and what stands behind it; a specimen: what it is "
     "and what was done to it; a campaign by number, a law as F12",
     "NAME", db_show, 1, 1, READS | SAYS_JSON},
    {"specimen", cli_db_specimen,
     "a piece that was cut from a cloth; specimen condition and specimen wash write its log", "add NAME"},
    {"labels", cli_db_labels, "labels of specimens to print, with QR codes", "FILE.svg"},
    {"query", NULL,
     "what is known, asked in words (docs/guide/query.md) or in SQL: query 'mu < 0.4 on \"Plastic Foam\" at "
     "1 N, "
     "sorted'",
     "TEXT", cli_db_query, 1, 1, READS | SAYS_JSON},
    {"missing", NULL,
     "what would have to be measured before the cloth (else every cloth) can be simulated by name", "[NAME]",
     cli_db_missing, 0, 1, READS | SAYS_JSON},
    {"void", NULL,
     "take finished runs out of use: no fit, figure or verdict counts them. They stay as they are",
     "RUN ... TEXT", cli_db_correct, 0, MAX_RUNS, REASONED, CB_CORRECTION_VOID},
    {"unvoid", NULL, "take them back", "RUN ... TEXT", cli_db_correct, 0, MAX_RUNS, REASONED,
     CB_CORRECTION_UNVOID},
    {"note", NULL, "say something of a run: note 12 \"cloth looked creased\"", "RUN ... TEXT", cli_db_correct,
     0, MAX_RUNS, REASONED, CB_CORRECTION_NOTE},
    {"amend", NULL,
     "say what a condition of runs really was, such as --set added_mass_g=200 or --set cloth=Twill, or what "
     "the "
     "verdict on a pull should be: --set verdict=valid; what was typed stays readable",
     "RUN ... --set FIELD=VALUE TEXT", cli_db_correct, 0, MAX_RUNS, REASONED, CB_CORRECTION_AMEND},
    {"rename", NULL, "give a cloth or body another name", "OLD NEW --reason TEXT", cli_db_name, 0, 2,
     REASONED, CLI_DB_RENAME},
    {"alias", NULL, "say that NAME means the cloth or body MEANT; what was measured of NAME counts for MEANT",
     "NAME MEANT --reason TEXT", cli_db_name, 0, 2, REASONED, CLI_DB_ALIAS},
    {"unalias", NULL, "take that back", "NAME --reason TEXT", cli_db_name, 0, 2, REASONED, CLI_DB_UNALIAS},
    {"corrections", NULL, "what was said of runs, when and by whom", "[RUN]", cli_db_corrections, 0, 1,
     SAYS_JSON},
    {"backup", NULL,
     "a verified copy, also while a campaign runs; with --keep N into a folder, of which the newest N stay",
     "FILE", cli_db_backup, 1, 1, SAYS_JSON},
    {"merge", NULL, "take over what FILE has and --db has not; exit 3 where they contradict each other",
     "FILE", cli_db_merge, 1, 1, SAYS_JSON},
    {"pull", NULL, "the same from other laboratories' machines, by ssh and rsync; only what is new travels",
     "HOST:PATH ...", cli_db_pull, 1, MAX_RUNS, SAYS_JSON},
    {"build", NULL, "make a reference database from its text (materials/ -> materials.db)", "FOLDER FILE",
     db_build, 2, 2},
    {"text", NULL, "write materials and laws of --db as that text", "FOLDER", db_text, 1, 1},
};
#define N_WORDS (sizeof words / sizeof words[0])
#define USAGE_BYTES 5000

static void write_usage(char out[USAGE_BYTES]) {
  (void)snprintf(out, USAGE_BYTES, "db ");
  cli_kind_add_forms(words, N_WORDS, out, USAGE_BYTES);
  cb_text_add(out, USAGE_BYTES, " ", "[--db FILE] [--operator NAME] [--json]");
  cli_kind_add_lines(words, N_WORDS, out, USAGE_BYTES);
}

/* Up to the first option. */
static size_t count_words(int argc, char **argv) {
  int n = 1;
  while (n < argc && argv[n][0] != '-') n++;
  return (size_t)n - 1;
}

/* -1: what was typed fits the word. */
static int check_request(const cli_kind *k, const cli_db_request *q) {
  char list[200];
  for (size_t i = 0; i < q->n; i++) {
    const int stop = cli_refuse_dash("db", k->name, q->words[i]);
    if (stop >= 0) return stop;
  }
  if (q->n < k->least || q->n > k->most) return cli_kind_refuse_form("db", k->name, q->n, words, N_WORDS);
  if (q->json && !(k->marks & SAYS_JSON)) {
    cli_say("db", "--json: %s have it, '%s' has not",
            cli_kind_marked(words, N_WORDS, SAYS_JSON, list, sizeof list), k->name);
    return CLI_USAGE;
  }
  if (q->keep > 0 && k->obey != cli_db_backup) {
    cli_say("db", "--keep belongs to backup");
    return CLI_USAGE;
  }
  if ((q->reason || q->operator_name || q->set) && !(k->marks & REASONED)) {
    cli_say("db", "--reason, --operator and --set belong to %s",
            cli_kind_marked(words, N_WORDS, REASONED, list, sizeof list));
    return CLI_USAGE;
  }
  return -1;
}

int cmd_db(int argc, char **argv) {
  const char *db = NULL, *typed[1 + MAX_RUNS] = {NULL};
  char usage[USAGE_BYTES], json_help[300], names[200];
  size_t n;
  cli_db_request q = {.words = typed + 1};
  const bool help = argc > 1 && strcmp(argv[1], "--help") == 0;
  const cli_opt opts[] = {
      {"db", CLI_TEXT, &db, "the database file"},
      {"reason", CLI_TEXT, &q.reason, "of a correction: why, or what, instead of TEXT"},
      {"set", CLI_TEXT, &q.set, "amend: FIELD=VALUE, units as in the field's name"},
      {"all", CLI_SWITCH, &q.all, "ls: every line"},
      {"sql", CLI_SWITCH, &q.sql, "query: print the SQL of the question, and do not ask"},
      {"kind", CLI_TEXT, &q.kind, "rename, alias: cloth or body, where both have the name"},
      {"keep", CLI_NUMBER, &q.keep, "backup: FILE is a folder of copies, named by time; so many stay",
       .min = 1, .max = 10000},
      {"operator", CLI_TEXT, &q.operator_name, "of a correction: who; else $USER"},
      {"json", CLI_SWITCH, &q.json, json_help}};
  int stop = cli_kind_run_own(argc, argv, words, N_WORDS);
  if (stop >= 0) return stop;
  if (argc > 1 && argv[1][0] != '-' && !cli_kind_find(words, N_WORDS, argv[1]))
    return cli_kind_refuse_form("db", argv[1], count_words(argc, argv) - 1, words, N_WORDS);
  write_usage(usage);
  (void)snprintf(json_help, sizeof json_help, "%s: the result as JSON",
                 cli_kind_marked(words, N_WORDS, SAYS_JSON, names, sizeof names));
  stop = cli_parse(argc, argv, usage, opts, sizeof opts / sizeof opts[0], typed, 1, 1 + MAX_RUNS, &n);
  if (help) return cli_kind_help("db", words, N_WORDS);
  if (stop >= 0) return stop;
  const cli_kind *word = cli_kind_find(words, N_WORDS, typed[0]);
  if (!word || word->run) return cli_kind_refuse_form("db", typed[0], n - 1, words, N_WORDS);
  q.n = n - 1;
  q.which = word->which;
  q.db = word->marks & READS ? cli_db_to_read(db) : cli_db_path(db);
  stop = check_request(word, &q);
  return stop >= 0 ? stop : word->obey(&q);
}
