/* clothbench import material: a material with its laws from a file of another laboratory, or of ARCSim. */
#include <stdio.h>

#include "cb_material_law.h"
#include "cb_plural.h"
#include "cli_import.h"
#include "lab_material.h"

typedef struct request {
  lab_import lab;
  lab_material_import how;
  bool json;
} request;

static int report_material(const request *q, const exch_material *m) {
  json_t *laws = json_array();
  if (m->unread[0]) cli_say("import", "%s: %s: not read, no law has a place for it", q->lab.file, m->unread);
  for (int kind = 0; kind < CB_LAW_KINDS; kind++)
    if (m->laws[kind].result_json)
      (void)json_array_append_new(laws, json_string(cb_material_law_kind_names[kind]));
  if (q->json)
    return cli_print_json(
        "import", json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:I}", "file", q->lab.file, "db", q->lab.db,
                            "kind", cb_material_kind_names[m->facts.kind], "name", m->facts.name, "origin",
                            cb_origin_names[m->facts.origin], "laws", laws, "friction_laws",
                            (json_int_t)m->n_friction));
  printf("%s: %s '%s' imported into %s:", q->lab.file, cb_material_kind_names[m->facts.kind], m->facts.name,
         q->lab.db);
  for (size_t i = 0; i < json_array_size(laws); i++)
    printf(" %s,", json_string_value(json_array_get(laws, i)));
  printf(" %zu friction law%s\n", m->n_friction, CB_S(m->n_friction));
  json_decref(laws);
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

static const char usage[] =
    "import material FILE --format json|arcsim|u3m [--name NAME] [--source TEXT] [--db FILE] [--json]\n"
    "  json    what 'export material --format json' wrote\n"
    "  arcsim  material file of ARCSim; wants --name\n"
    "  u3m     physics.json of U3M 1.1: the laws that clothbench wrote, else mass and thickness";

int cli_import_material(int argc, char **argv) {
  request q = {.lab.ask = cli_name_question()};
  const cli_opt opts[] = {
      {"format", CLI_TEXT, &q.how.format, "json, arcsim or u3m", .required = true},
      {"name", CLI_TEXT, &q.how.name, "arcsim, u3m: of the cloth"},
      {"source", CLI_TEXT, &q.how.source, "arcsim: who measured it; else the file's name"},
      {"db", CLI_TEXT, &q.lab.db, "the database file; made if it does not exist"},
      {"new", CLI_SWITCH, &q.lab.new_names, CLI_NEW_HELP},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  int stop = cli_parse(argc, argv, usage, opts, sizeof opts / sizeof opts[0], &q.lab.file, 1, 1, NULL);
  if (stop >= 0) return stop;
  q.lab.db = cli_db_path(q.lab.db);
  cb_err err = {""};
  exch_material m;
  const cb_status st = lab_import_material(&q.lab, &q.how, &m, &err);
  const int code = st == CB_OK ? report_material(&q, &m) : cli_fail("import", st, &err);
  exch_material_clear(&m);
  return code;
}
