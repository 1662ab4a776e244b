/* clothbench import material: a material with its laws from a file of another laboratory, or of ARCSim. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_material_law.h"
#include "cb_file.h"
#include "cb_plural.h"
#include "cli_import.h"
#include "lab_material.h"

#define MAX_BYTES ((size_t)16 << 20)

typedef struct request {
  const char *file, *name, *source, *db; /* name, source NULL: as the file says */
  bool new_names, json;
} request;

/* ---- the formats ---- */

static cb_status read_json(const request *q, const char *text, size_t n, exch_material *m, cb_err *err) {
  if (q->name || q->source)
    return cb_fail(err, CB_E_ARG, "--name and --source are for arcsim: this file has its own");
  return lab_material_read(text, n, q->file, m, err);
}

static cb_status read_arcsim(const request *q, const char *text, size_t n, exch_material *m, cb_err *err) {
  if (!q->name || !q->name[0] || strlen(q->name) >= sizeof m->facts.name)
    return cb_fail(err, CB_E_ARG, "--name, 1 to %zu bytes, was wanted: the file has none",
                   sizeof m->facts.name - 1);
  return lab_material_read_arcsim(text, n, q->file, q->name, q->source, m, err);
}

static cb_status read_u3m(const request *q, const char *text, size_t n, exch_material *m, cb_err *err) {
  if (q->name && (!q->name[0] || strlen(q->name) >= sizeof m->facts.name))
    return cb_fail(err, CB_E_ARG, "--name: 1 to %zu bytes were wanted", sizeof m->facts.name - 1);
  return lab_material_read_u3m(text, n, q->file, q->name, m, err);
}

typedef cb_status reader(const request *q, const char *text, size_t n, exch_material *m, cb_err *err);

/* ---- the command ---- */

static cb_status import_file(const request *q, reader *read, exch_material *m, cb_err *err) {
  char *text = NULL;
  size_t n;
  cb_store *s = NULL;
  CB_TRY(cb_file_read(q->file, MAX_BYTES, &text, &n, err));
  cb_status st = read(q, text, n, m, err);
  free(text);
  if (st == CB_OK) st = cli_open_named(q->db, q->new_names, &s, err);
  if (st == CB_OK) st = lab_material_store(s, q->file, m, err);
  return cb_store_close_after(s, st, err);
}

static int report_material(const request *q, const exch_material *m) {
  json_t *laws = json_array();
  if (m->unread[0]) cli_say("import", "%s: %s: not read, no law has a place for it", q->file, m->unread);
  for (int kind = 0; kind < CB_LAW_KINDS; kind++)
    if (m->laws[kind].result_json)
      (void)json_array_append_new(laws, json_string(cb_material_law_kind_names[kind]));
  if (q->json)
    return cli_print_json("import", json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:I}", "file", q->file, "db",
                                              q->db, "kind", cb_material_kind_names[m->facts.kind], "name",
                                              m->facts.name, "origin", cb_origin_names[m->facts.origin],
                                              "laws", laws, "friction_laws", (json_int_t)m->n_friction));
  printf("%s: %s '%s' imported into %s:", q->file, cb_material_kind_names[m->facts.kind], m->facts.name,
         q->db);
  for (size_t i = 0; i < json_array_size(laws); i++)
    printf(" %s,", json_string_value(json_array_get(laws, i)));
  printf(" %zu friction law%s\n", m->n_friction, CB_S(m->n_friction));
  json_decref(laws);
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

static int import_material(const request *q, reader *read) {
  cb_err err = {""};
  exch_material m = {.n_friction = 0};
  cb_status st = import_file(q, read, &m, &err);
  int code = st == CB_OK ? report_material(q, &m) : cli_fail("import", st, &err);
  exch_material_clear(&m);
  return code;
}

static const char usage[] =
    "import material FILE --format json|arcsim|u3m [--name NAME] [--source TEXT] [--db FILE] [--json]\n"
    "  json    what 'export material --format json' wrote\n"
    "  arcsim  material file of ARCSim; wants --name\n"
    "  u3m     physics.json of U3M 1.1: the laws that clothbench wrote, else mass and thickness";

int cli_import_material(int argc, char **argv) {
  request q = {0};
  const char *format = NULL;
  const cli_opt opts[] = {
      {"format", CLI_TEXT, &format, "json, arcsim or u3m", .required = true},
      {"name", CLI_TEXT, &q.name, "arcsim, u3m: of the cloth"},
      {"source", CLI_TEXT, &q.source, "arcsim: who measured it; else the file's name"},
      {"db", CLI_TEXT, &q.db, "the database file; made if it does not exist"},
      {"new", CLI_SWITCH, &q.new_names, CLI_NEW_HELP},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  int stop = cli_parse(argc, argv, usage, opts, sizeof opts / sizeof opts[0], &q.file, 1, 1, NULL);
  if (stop >= 0) return stop;
  q.db = cli_db_path(q.db);
  if (strcmp(format, "json") == 0) return import_material(&q, read_json);
  if (strcmp(format, "arcsim") == 0) return import_material(&q, read_arcsim);
  if (strcmp(format, "u3m") == 0) return import_material(&q, read_u3m);
  cli_say(
      "import",
      "--format '%s': json, arcsim or u3m was wanted; csv, blender, clo and jfab hold no laws and are only "
      "written",
      format);
  return CLI_USAGE;
}
