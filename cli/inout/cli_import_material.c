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

static json_t *laws_json(const exch_material *m) {
  json_t *laws = json_array();
  for (int kind = 0; kind < CB_LAW_KINDS; kind++)
    if (m->laws[kind].result_json)
      (void)json_array_append_new(laws, json_string(cb_material_law_kind_names[kind]));
  return laws;
}

static json_t *material_json(const request *q, const char *path, const exch_material *m) {
  return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:I}", "file", path, "db", q->lab.db, "kind",
                   cb_material_kind_names[m->facts.kind], "name", m->facts.name, "origin",
                   cb_origin_names[m->facts.origin], "laws", laws_json(m), "friction_laws",
                   (json_int_t)m->n_friction);
}

static void print_material(const request *q, const char *path, const exch_material *m) {
  json_t *laws = laws_json(m);
  printf("%s: %s '%s' imported into %s:", path, cb_material_kind_names[m->facts.kind], m->facts.name,
         q->lab.db);
  for (size_t i = 0; i < json_array_size(laws); i++)
    printf(" %s,", json_string_value(json_array_get(laws, i)));
  printf(" %zu friction law%s\n", m->n_friction, CB_S(m->n_friction));
  json_decref(laws);
}

/* A document for one file; of a folder, one with all. */
static int report(const request *q, const lab_materials *all) {
  json_t *list = json_array();
  for (size_t i = 0; i < all->n; i++) {
    const exch_material *m = &all->at[i].material;
    if (m->unread[0])
      cli_say("import", "%s: %s: not read, no law has a place for it", all->at[i].path, m->unread);
    if (m->strips)
      cli_say("import", "%s: its strips of a FAB are not read here: 'clothbench import fab' reads them",
              all->at[i].path);
    if (q->json) (void)json_array_append_new(list, material_json(q, all->at[i].path, m));
    if (!q->json) print_material(q, all->at[i].path, m);
  }
  if (!q->json) {
    json_decref(list);
    return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
  }
  if (q->how.names) return cli_print_json("import", json_pack("{s:o}", "materials", list));
  json_t *one = json_incref(json_array_get(list, 0));
  json_decref(list);
  return cli_print_json("import", one);
}

static const char usage[] =
    "import material FILE|FOLDER --format json|arcsim|u3m [--name NAME | --names CSV] [--source TEXT] "
    "[--db FILE] [--json]\n"
    "  json    what 'export material --format json' wrote\n"
    "  arcsim  material file of ARCSim; wants --name\n"
    "  u3m     physics.json of U3M 1.1: the laws that clothbench wrote, else mass and thickness";

int cli_import_material(int argc, char **argv) {
  request q = {.lab.ask = cli_name_question()};
  const cli_opt opts[] = {
      {"format", CLI_TEXT, &q.how.format, "json, arcsim or u3m", .required = true},
      {"name", CLI_TEXT, &q.how.name, "arcsim, u3m: of the cloth"},
      {"names", CLI_TEXT, &q.how.names, "a table of the folder's files: columns file and name"},
      {"source", CLI_TEXT, &q.how.source, "arcsim: who measured it; else the file's name"},
      {"db", CLI_TEXT, &q.lab.db, "the database file; made if it does not exist"},
      {"new", CLI_SWITCH, &q.lab.new_names, CLI_NEW_HELP},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  int stop = cli_parse(argc, argv, usage, opts, sizeof opts / sizeof opts[0], &q.lab.file, 1, 1, NULL);
  if (stop >= 0) return stop;
  q.lab.db = cli_db_path(q.lab.db);
  cb_err err = {""};
  lab_materials all;
  const cb_status st = lab_import_material(&q.lab, &q.how, &all, &err);
  const int code = st == CB_OK ? report(&q, &all) : cli_fail("import", st, &err);
  lab_materials_clear(&all);
  return code;
}
