/* clothbench export material: a material with its laws as a file, for another laboratory or another
 * program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "cli.h"
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

static int export_material(const char *db, const char *name, lab_export_format format, const char *body,
                           const char *out) {
  cb_err err = {""};
  cb_store *s = NULL;
  cb_status st = cb_store_open(db, CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = cb_store_close_after(s, export_from(s, name, format, body, out, &err), &err);
  if (st != CB_OK) return cli_fail("export", st, &err);
  say_lost(out, format);
  return CLI_DONE;
}

/* The passport goes into the preset, the proof to standard error. */
static cb_status prove_and_write(const exch_cloth *cloth, const char *meshes, const char *out,
                                 conf_proof *proof, cb_err *err) {
  char *text;
  CB_TRY(cli_prove("export", cloth, "blender", meshes, NULL, NULL, true, proof, err));
  CB_TRY(exch_blender_write(cloth, &proof->passport, &text, err));
  const cb_status st = cli_write(out, text, err);
  free(text);
  if (st == CB_OK) conf_proof_write(proof, stderr);
  return st;
}

static int export_proved(const char *db, const char *name, const char *body, const char *meshes,
                         const char *out) {
  cb_err err = {""};
  exch_cloth cloth;
  conf_proof *proof = calloc(1, sizeof *proof);
  cb_status st = proof ? cli_prove_cloth(db, name, body, &cloth, &err) : cb_no_memory(&err, "a proof");
  if (st == CB_OK) st = prove_and_write(&cloth, meshes, out, proof, &err);
  free(proof);
  if (st != CB_OK) return cli_fail("export", st, &err);
  say_lost(out, LAB_EXPORT_BLENDER);
  return CLI_DONE;
}

#define MAX_RUNS 1000

static const char usage[] =
    "export material NAME --format FORMAT --out FILE [--body BODY] [--prove] [--db FILE];\n"
    "  export runs|points|traces [RUN ...] --out FILE.csv [--db FILE]; export laws --out FILE.csv [--db "
    "FILE];\n  export view RUN-FOLDER --out FILE.html [--against RUN-FOLDER|SCAN.obj]"
    ";\n  export scene RUN-FOLDER --out FILE.glb|FILE.usda|FILE.mp4"
    ";\n  export eln [CAMPAIGN ...] --out FILE.eln [--license TEXT] [--db FILE]\n"
    "  view is a page that plays the frames of a run of 'sim' in a browser; scene is a file of them for "
    "other\n"
    "  programs: glTF 2.0 binary, OpenUSD text, or a film of its pictures (by ffmpeg).\n"
    "  eln is a package for electronic laboratory notebooks: tables, laws, figures and provenance.\n"
    "  runs, points, laws and traces are tidy tables; FILE.columns.csv says what their columns are. Of a "
    "material:\n"
    "  json     every law with every digit and uncertainty; 'import material' reads it\n"
    "  csv      properties: value, uncertainty, unit, what stands behind it\n"
    "  arcsim   material file of ARCSim; 'import material' reads it\n"
    "  u3m      physics.json of U3M 1.1; 'import material' reads it\n"
    "  blender  cloth preset (Python)\n"
    "  clo      table in the units of CLO's property panel\n"
    "  jfab     fabric file of CLO";

static int export_eln(const char *db, const report_eln_request *q, const char *out) {
  cb_err err = {""};
  cb_store *s = NULL;
  const int stop = cli_refuse_dash("export", "eln --out", out);
  if (stop >= 0) return stop;
  cb_status st = cb_store_open(db, CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = cb_store_close_after(s, report_eln_write(s, q, out, &err), &err);
  if (st != CB_OK) return cli_fail("export", st, &err);
  printf("%s\n", out);
  return CLI_DONE;
}

static int export_view(const char *folder, const char *against, const char *out) {
  cb_err err = {""};
  const int stop = cli_refuse_dash("export", "view --out", out);
  if (stop >= 0) return stop;
  const cb_status st = show_run_view(folder, against, out, &err);
  if (st != CB_OK) return cli_fail("export", st, &err);
  printf("%s\n", out);
  return CLI_DONE;
}

static int export_scene(const char *folder, const char *out) {
  cb_err err = {""};
  const char *end = strrchr(out, '.');
  const int stop = cli_refuse_dash("export", "scene --out", out);
  if (stop >= 0) return stop;
  if (!end || (strcmp(end, ".glb") != 0 && strcmp(end, ".usda") != 0 && strcmp(end, ".mp4") != 0)) {
    cli_say("export", "--out '%s': a name that ends with .glb, .usda or .mp4 was wanted", out);
    return CLI_USAGE;
  }
  const cb_status st = show_run_scene(folder, out, &err);
  if (st != CB_OK) return cli_fail("export", st, &err);
  printf("%s\n", out);
  return CLI_DONE;
}

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

/* export runs | points | traces | laws | eln; -1: another word. */
static int export_tidy(const char *db, const char *const *words, size_t n, const char *out,
                       const char *license) {
  int64_t runs[MAX_RUNS];
  if (strcmp(words[0], "eln") == 0) {
    if (!read_ids(words + 1, n - 1, "campaign", runs)) return CLI_USAGE;
    return export_eln(db, &(report_eln_request){.campaigns = runs, .n_campaigns = n - 1, .license = license},
                      out);
  }
  for (int what = 0; lab_tidy_names[what]; what++) {
    if (strcmp(words[0], lab_tidy_names[what]) != 0) continue;
    if (what == LAB_TIDY_LAWS && n > 1) {
      cli_say("export", "'%s': laws are exported all at once", words[1]);
      return CLI_USAGE;
    }
    if (!read_ids(words + 1, n - 1, "run", runs)) return CLI_USAGE;
    return cli_export_tidy_table(db, &(cli_export_tidy){(lab_tidy)what, out, runs, n - 1});
  }
  return -1;
}

int cmd_export(int argc, char **argv) {
  const char *words[1 + MAX_RUNS] = {NULL}, *format = NULL, *out = NULL, *body = NULL, *db = NULL,
                        *license = NULL, *against = NULL, *meshes = NULL;
  bool prove = false;
  size_t n;
  const cli_opt opts[] = {
      {"format", CLI_TEXT, &format, "of a material: json, csv, arcsim, u3m, blender, clo or jfab"},
      {"out", CLI_OUT_ANY, &out, "the file to write; -: standard output", .required = true},
      {"body", CLI_BODY, &body, "blender, clo, jfab: whose friction, where there are several bodies"},
      {"prove", CLI_SWITCH, &prove, "blender: play experiments in Blender, and calibrate the preset"},
      {"meshes-mm", CLI_TEXT, &meshes, "--prove: edges of the meshes; else 10,5,3.33"},
      {"license", CLI_TEXT, &license,
       "eln: an URL or a sentence; else the package says that none was stated"},
      {"against", CLI_TEXT, &against, "view: another run's folder, or a scan (OBJ, m), to compare with"},
      {"db", CLI_TEXT, &db, "the database file"},
  };
  int stop = cli_parse(argc, argv, usage, opts, sizeof opts / sizeof opts[0], words, 1, 1 + MAX_RUNS, &n);
  if (stop >= 0) return stop;
  if (strcmp(words[0], "view") == 0 && n == 2) return export_view(words[1], against, out);
  if (strcmp(words[0], "scene") == 0 && n == 2) return export_scene(words[1], out);
  stop = format || body ? -1 : export_tidy(cli_db_to_read(db), words, n, out, license);
  if (stop >= 0) return stop;
  if (strcmp(words[0], "material") != 0 || n != 2 || !format) {
    cli_say(
        "export",
        "'%s': 'material NAME --format FORMAT', runs, points, traces, laws, view, scene or eln was wanted",
        words[0]);
    return CLI_USAGE;
  }
  stop = cli_meant("export", db, CLI_TEXT, &words[1]);
  if (stop >= 0) return stop;
  if (prove || meshes) {
    if (prove && strcmp(format, "blender") == 0) return export_proved(db, words[1], body, meshes, out);
    cli_say("export", "--prove belongs to --format blender, --meshes-mm to --prove");
    return CLI_USAGE;
  }
  for (int i = 0; i < LAB_EXPORT_FORMATS; i++) {
    const lab_export_facts *f = &lab_export_format_facts[i];
    if (strcmp(format, f->name) != 0) continue;
    if (!body || f->with_friction)
      return export_material(cli_db_to_read(db), words[1], (lab_export_format)i, body, out);
    cli_say("export", "--body: %s holds the friction of all bodies or of none", format);
    return CLI_USAGE;
  }
  cli_say("export", "--format '%s': json, csv, arcsim, u3m, blender, clo or jfab was wanted", format);
  return CLI_USAGE;
}
