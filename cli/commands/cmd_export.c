/* clothbench export material: a material with its laws as a file, for another laboratory or another
 * program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cb_text.h"
#include "cli_kind.h"
#include "cli_meant.h"
#include "cli_export.h"
#include "cli_prove.h"
#include "conf_tell.h"
#include "lab_export.h"
#include "report_eln.h"
#include "show_run.h"

static cb_status export_from(cb_store *s, const char *name, lab_export_format format, const char *body,
                             const char *out, cb_err *err) {
  char *text = NULL;
  bool beyond;
  cb_status st = lab_export_material(s, name, format, body, &text, &beyond, err);
  if (beyond)
    cli_say("export",
            "the table of stretching reaches past the strains that were measured: there it repeats the last "
            "stiffness");
  if (st == CB_OK) st = cli_write(out, text, err);
  free(text);
  return st;
}

static void say_lost(const char *out, lab_export_format format) {
  cli_say("export", "%s: not in this file: %s", out, lab_export_format_facts[format].lost);
}

typedef struct request {
  const char *const *words; /* what follows the word of the command */
  size_t n;
  int which; /* of the row of the word */
  const char *out, *db, *format, *body, *license, *against, *meshes, *engine;
  bool prove;
} request;

static int write_material(const request *q, const char *name, lab_export_format format) {
  cb_err err = {""};
  cb_store *s = NULL;
  cb_status st = cb_store_open(cli_db_to_read(q->db), CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = cb_store_close_after(s, export_from(s, name, format, q->body, q->out, &err), &err);
  if (st != CB_OK) return cli_fail("export", st, &err);
  say_lost(q->out, format);
  return CLI_DONE;
}

/* The passport goes into the file, the proof to standard error. */
static cb_status prove_and_write(const exch_cloth *cloth, const request *q, lab_export_format format,
                                 conf_proof *proof, cb_err *err) {
  char *text;
  CB_TRY(cli_prove("export", cloth, q->engine ? q->engine : q->format, q->meshes, NULL, NULL, true, true,
                   proof, err));
  CB_TRY(lab_export_format_facts[format].proved(cloth, &proof->passport, &text, err));
  const cb_status st = cli_write(q->out, text, err);
  free(text);
  if (st == CB_OK) conf_proof_write(proof, stderr);
  return st;
}

static int write_proved(const request *q, const char *name, lab_export_format format) {
  cb_err err = {""};
  exch_cloth cloth;
  conf_proof *proof = calloc(1, sizeof *proof);
  cb_status st = proof ? cli_prove_cloth(q->db, name, q->body, &cloth, &err) : cb_no_memory(&err, "a proof");
  if (st == CB_OK) st = prove_and_write(&cloth, q, format, proof, &err);
  free(proof);
  if (st != CB_OK) return cli_fail("export", st, &err);
  say_lost(q->out, format);
  return CLI_DONE;
}

/* "json, csv or jfab" */
static const char *list_formats(char out[200]) {
  out[0] = '\0';
  for (int i = 0; i < LAB_EXPORT_FORMATS; i++)
    cb_text_add(out, 200, i + 1 < LAB_EXPORT_FORMATS ? ", " : " or ", "%s", lab_export_format_facts[i].name);
  return out;
}

/* Returns LAB_EXPORT_FORMATS, after a message, for another word. */
static lab_export_format find_format(const char *name) {
  char list[200];
  for (int i = 0; i < LAB_EXPORT_FORMATS; i++)
    if (strcmp(name, lab_export_format_facts[i].name) == 0) return (lab_export_format)i;
  cli_say("export", "--format '%s': %s was wanted", name, list_formats(list));
  return LAB_EXPORT_FORMATS;
}

static int export_material(const void *asked) {
  const request *q = asked;
  const char *name = q->words[0];
  if (!q->format) {
    cli_say("export", "material %s: --format FORMAT was wanted", name);
    return CLI_USAGE;
  }
  const int stop = cli_meant("export", q->db, CLI_TEXT, &name);
  if (stop >= 0) return stop;
  const lab_export_format format = find_format(q->format);
  if (format == LAB_EXPORT_FORMATS) return CLI_USAGE;
  if ((q->prove || q->meshes || q->engine) &&
      !(q->prove && lab_export_format_facts[format].proved && format != LAB_EXPORT_PPF)) {
    cli_say("export",
            "--prove belongs to --format blender, mujoco, newton or pybullet, --meshes-mm and --engine to "
            "--prove");
    return CLI_USAGE;
  }
  if (q->prove) return write_proved(q, name, format);
  if (!q->body || lab_export_format_facts[format].with_friction) return write_material(q, name, format);
  cli_say("export", "--body: %s holds the friction of all bodies or of none", q->format);
  return CLI_USAGE;
}

/* ---- other words ---- */

#define MAX_RUNS 1000

/* Numbers of runs or campaigns; false after a message. */
static bool read_ids(const char *const *words, size_t n, const char *what, int64_t *ids) {
  for (size_t i = 0; i < n; i++) {
    cb_err err = {""};
    long long id;
    if (cb_parse_int(words[i], what, &id, &err) != CB_OK) {
      cli_say("export", "'%s': the number of a %s was wanted", words[i], what);
      return false;
    }
    ids[i] = id;
  }
  return true;
}

static int export_eln(const void *asked) {
  const request *q = asked;
  int64_t campaigns[MAX_RUNS];
  cb_err err = {""};
  cb_store *s = NULL;
  if (!read_ids(q->words, q->n, "campaign", campaigns)) return CLI_USAGE;
  const int stop = cli_refuse_dash("export", "eln --out", q->out);
  if (stop >= 0) return stop;
  const report_eln_request eln = {.campaigns = campaigns, .n_campaigns = q->n, .license = q->license};
  cb_status st = cb_store_open(cli_db_to_read(q->db), CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = cb_store_close_after(s, report_eln_write(s, &eln, q->out, &err), &err);
  if (st != CB_OK) return cli_fail("export", st, &err);
  printf("%s\n", q->out);
  return CLI_DONE;
}

static int export_view(const void *asked) {
  const request *q = asked;
  cb_err err = {""};
  const int stop = cli_refuse_dash("export", "view --out", q->out);
  if (stop >= 0) return stop;
  const cb_status st = show_run_view(q->words[0], q->against, q->out, &err);
  if (st != CB_OK) return cli_fail("export", st, &err);
  printf("%s\n", q->out);
  return CLI_DONE;
}

static int export_scene(const void *asked) {
  const request *q = asked;
  cb_err err = {""};
  const char *end = strrchr(q->out, '.');
  const int stop = cli_refuse_dash("export", "scene --out", q->out);
  if (stop >= 0) return stop;
  if (!end || (strcmp(end, ".glb") != 0 && strcmp(end, ".usda") != 0 && strcmp(end, ".mp4") != 0)) {
    cli_say("export", "--out '%s': a name that ends with .glb, .usda or .mp4 was wanted", q->out);
    return CLI_USAGE;
  }
  const cb_status st = show_run_scene(q->words[0], q->out, &err);
  if (st != CB_OK) return cli_fail("export", st, &err);
  printf("%s\n", q->out);
  return CLI_DONE;
}

static int export_tidy(const void *asked) {
  const request *q = asked;
  int64_t runs[MAX_RUNS];
  if (q->which == LAB_TIDY_LAWS && q->n > 0) {
    cli_say("export", "'%s': laws are exported all at once", q->words[0]);
    return CLI_USAGE;
  }
  if (!read_ids(q->words, q->n, "run", runs)) return CLI_USAGE;
  return cli_export_tidy_table(cli_db_to_read(q->db),
                               &(cli_export_tidy){(lab_tidy)q->which, q->out, runs, q->n});
}

/* ---- the words ---- */

enum { OF_MATERIAL = 1 /* takes --format and --body */ };

static const cli_kind words[] = {
    {"material", NULL, "a material with its laws, in one of the formats below",
     "NAME --format FORMAT [--body BODY] [--prove]", export_material, 1, 1, OF_MATERIAL},
    {"runs", NULL, "tidy table, a row for each run; FILE.columns.csv says what its columns are", "[RUN ...]",
     export_tidy, 0, MAX_RUNS, 0, LAB_TIDY_RUNS},
    {"points", NULL, "the same of points", "[RUN ...]", export_tidy, 0, MAX_RUNS, 0, LAB_TIDY_POINTS},
    {"traces", NULL, "the same of samples", "[RUN ...]", export_tidy, 0, MAX_RUNS, 0, LAB_TIDY_TRACES},
    {"laws", NULL, "the same of the knots of all laws", NULL, export_tidy, 0, MAX_RUNS, 0, LAB_TIDY_LAWS},
    {"view", NULL, "a page, FILE.html, that plays the frames of a run of 'sim' in a browser",
     "RUN-FOLDER [--against RUN-FOLDER|SCAN.obj]", export_view, 1, 1},
    {"scene", NULL,
     "a file of these frames for other programs: glTF 2.0 binary (FILE.glb), OpenUSD text (FILE.usda), or a "
     "film "
     "of its pictures (FILE.mp4, by ffmpeg)",
     "RUN-FOLDER", export_scene, 1, 1},
    {"eln", NULL,
     "a package, FILE.eln, for electronic laboratory notebooks: tables, laws, figures and provenance",
     "[CAMPAIGN ...] [--license TEXT]", export_eln, 0, MAX_RUNS},
};
#define N_WORDS (sizeof words / sizeof words[0])
#define USAGE_BYTES 3000

static void write_usage(char out[USAGE_BYTES]) {
  (void)snprintf(out, USAGE_BYTES, "export ");
  cli_kind_add_forms(words, N_WORDS, out, USAGE_BYTES);
  cb_text_add(out, USAGE_BYTES, " ", "--out FILE [--db FILE]");
  cli_kind_add_lines(words, N_WORDS, out, USAGE_BYTES);
  cb_text_add(out, USAGE_BYTES, "\n", " FORMAT of a material:");
  for (int i = 0; i < LAB_EXPORT_FORMATS; i++)
    cb_text_add(out, USAGE_BYTES, "\n", "  %-7s  %s", lab_export_format_facts[i].name,
                lab_export_format_facts[i].summary);
}

int cmd_export(int argc, char **argv) {
  const char *typed[1 + MAX_RUNS] = {NULL};
  char usage[USAGE_BYTES], list[200], format_help[220];
  size_t n;
  request q = {.words = typed + 1};
  const cli_opt opts[] = {
      {"format", CLI_TEXT, &q.format, format_help},
      {"out", CLI_OUT_ANY, &q.out, "the file to write; -: standard output", .required = true},
      {"body", CLI_BODY, &q.body, "whose friction, in a format that has one body's, where there are several"},
      {"prove", CLI_SWITCH, &q.prove, "play experiments in the engine, and calibrate the file"},
      {"engine", CLI_TEXT, &q.engine,
       "--prove: a command with {folder} that plays one, in place of FORMAT itself"},
      {"meshes-mm", CLI_TEXT, &q.meshes, "--prove: edges of the meshes; else 10,5,3.33"},
      {"license", CLI_TEXT, &q.license,
       "eln: an URL or a sentence; else the package says that none was stated"},
      {"against", CLI_TEXT, &q.against, "view: another run's folder, or a scan (OBJ, m), to compare with"},
      {"db", CLI_TEXT, &q.db, "the database file"},
  };
  write_usage(usage);
  (void)snprintf(format_help, sizeof format_help, "of a material: %s", list_formats(list));
  int stop = cli_parse(argc, argv, usage, opts, sizeof opts / sizeof opts[0], typed, 1, 1 + MAX_RUNS, &n);
  if (stop >= 0) return stop;
  const cli_kind *word = cli_kind_find(words, N_WORDS, typed[0]);
  q.n = n - 1;
  if (!word || q.n < word->least || q.n > word->most)
    return cli_kind_refuse_form("export", typed[0], q.n, words, N_WORDS);
  if ((q.format || q.body) && !(word->marks & OF_MATERIAL)) {
    cli_say("export", "--format and --body belong to material");
    return CLI_USAGE;
  }
  q.which = word->which;
  return word->obey(&q);
}
