/* clothbench export material: a material with its laws as a file, for another laboratory or another program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "cli_card.h"
#include "cli_material.h"
#include "cli_sheet.h"

typedef struct request {
  cb_store *store;
  const exch_material *material;
  const char *body; /* NULL: none was named */
} request;

/* ---- the formats ---- */

static cb_status write_json(const request *q, char **text, cb_err *err) { return exch_material_write(q->material, text, err); }

static cb_status write_csv(const request *q, char **text, cb_err *err) {
  cli_card card;
  size_t size;
  CB_TRY(cli_card_make(q->store, q->material, &card, err));
  FILE *f = open_memstream(text, &size);
  if (f) cli_card_print_csv(q->material, &card, f);
  cli_card_clear(&card);
  return f && fclose(f) == 0 ? CB_OK : cb_fail(err, CB_E_NOMEM, "no memory for a table");
}

static cb_status write_arcsim(const request *q, char **text, cb_err *err) {
  exch_arcsim a;
  bool beyond;
  CB_TRY(cli_arcsim_of(q->material, &a, &beyond, err));
  if (beyond) cli_say("export", "the table of stretching reaches past the strains that were measured: there it repeats the last stiffness");
  return exch_arcsim_write(&a, text, err);
}

static cb_status write_sheet(const request *q, cb_status (*write)(const exch_sheet *, char **, cb_err *), char **text, cb_err *err) {
  exch_sheet sheet;
  CB_TRY(cli_sheet_of(q->material, q->body, &sheet, err));
  return write(&sheet, text, err);
}

static cb_status write_blender(const request *q, char **text, cb_err *err) { return write_sheet(q, exch_blender_write, text, err); }
static cb_status write_clo(const request *q, char **text, cb_err *err) { return write_sheet(q, exch_clo_table_write, text, err); }
static cb_status write_jfab(const request *q, char **text, cb_err *err) { return write_sheet(q, exch_clo_jfab_write, text, err); }

static const struct format {
  const char *name;
  cb_status (*write)(const request *q, char **text, cb_err *err);
  bool with_friction; /* of one body */
  const char *lost;   /* docs/interchange.md says it at length */
} formats[] = {
    {"json", write_json, false, "the measurements behind the laws"},
    {"csv", write_csv, false, "the laws between the listed points, and what their errors share"},
    {"arcsim", write_arcsim, false, "name, friction, air, hysteresis, every uncertainty"},
    {"blender", write_blender, true,
     "direction (warp and weft are averaged), curves, hysteresis, air, every uncertainty; friction is a comment"},
    {"clo", write_clo, true, "curves, hysteresis, air, friction at other loads and directions, what the errors share"},
    {"jfab", write_jfab, true, "curves, hysteresis, air, friction at other loads and directions, every uncertainty"},
};
#define N_FORMATS (sizeof formats / sizeof formats[0])

/* ---- the command ---- */

static cb_status export_from(cb_store *s, const char *name, const struct format *f, const char *body, const char *out, cb_err *err) {
  exch_material m;
  char *text = NULL;
  CB_TRY(cli_material_load(s, name, &m, err));
  cb_status st = f->write(&(request){s, &m, body}, &text, err);
  if (st == CB_OK) st = cli_write(out, text, err);
  free(text);
  exch_material_clear(&m);
  return st;
}

static int export_material(const char *db, const char *name, const struct format *f, const char *body, const char *out) {
  cb_err err = {""};
  cb_store *s = NULL;
  cb_status st = cb_store_open(db, CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = export_from(s, name, f, body, out, &err);
  cb_status closed = cb_store_close(s, st == CB_OK ? &err : NULL);
  if (st == CB_OK) st = closed;
  if (st != CB_OK) return cli_fail("export", st, &err);
  cli_say("export", "%s: not in this file: %s", out, f->lost);
  return CLI_DONE;
}

static const char usage[] =
    "export material NAME --format FORMAT --out FILE [--body BODY] [--db FILE]\n"
    "  json     every law with every digit and uncertainty; 'import material' reads it\n"
    "  csv      properties: value, uncertainty, unit, what stands behind it\n"
    "  arcsim   material file of ARCSim; 'import material' reads it\n"
    "  blender  cloth preset (Python)\n"
    "  clo      table in the units of CLO's property panel\n"
    "  jfab     fabric file of CLO";

int cmd_export(int argc, char **argv) {
  const char *words[2] = {NULL}, *format = NULL, *out = NULL, *body = NULL, *db = NULL;
  const cli_opt opts[] = {
      {.name = "format", .kind = CLI_TEXT, .value = &format, .help = "json, csv, arcsim, blender, clo or jfab", .required = true},
      {.name = "out", .kind = CLI_OUT_ANY, .value = &out, .help = "the file to write; -: standard output", .required = true},
      {.name = "body", .kind = CLI_TEXT, .value = &body, .help = "blender, clo, jfab: whose friction, where there are several bodies"},
      {.name = "db", .kind = CLI_TEXT, .value = &db, .help = "the database file"},
  };
  int stop = cli_parse(argc, argv, usage, opts, sizeof opts / sizeof opts[0], words, 2, 2, NULL);
  if (stop >= 0) return stop;
  if (strcmp(words[0], "material") != 0) {
    cli_say("export", "'%s': material was wanted", words[0]);
    return CLI_USAGE;
  }
  for (size_t i = 0; i < N_FORMATS; i++) {
    if (strcmp(format, formats[i].name) != 0) continue;
    if (!body || formats[i].with_friction) return export_material(cli_db_path(db), words[1], &formats[i], body, out);
    cli_say("export", "--body: %s holds the friction of all bodies or of none", format);
    return CLI_USAGE;
  }
  cli_say("export", "--format '%s': json, csv, arcsim, blender, clo or jfab was wanted", format);
  return CLI_USAGE;
}
