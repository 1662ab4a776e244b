/* clothbench import elasticity: what a body is made of, in numbers that somebody measured or published. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cb_material_law.h"
#include "cb_law_json.h"
#include "cli_import.h"
#include "lab_import.h"

typedef struct request {
  lab_import lab;
  const char *body, *source, *method;
  cb_elasticity_law law;
  bool json;
} request;

static cb_status check_texts(const request *q, cb_err *err) {
  const cb_material_law *row = NULL;
  if (strlen(q->source) < sizeof row->source && strlen(q->method) < sizeof row->method) return CB_OK;
  return cb_fail(err, CB_E_ARG, "--source and --method: at most %zu and %zu bytes were wanted",
                 sizeof row->source - 1, sizeof row->method - 1);
}

static int report_law(const request *q, int64_t id) {
  if (q->json)
    return cli_print_json(
        "import", json_pack("{s:s, s:s, s:I, s:s, s:o}", "body", q->body, "db", q->lab.db, "law_id",
                            (json_int_t)id, "source", q->source, "elasticity", cb_elasticity_json(&q->law)));
  printf("body '%s': law E%lld of elasticity stored in %s\n", q->body, (long long)id, q->lab.db);
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

#define VALUE(flag, index, least, most, text) \
  { .name = flag, .kind = CLI_NUMBER, .value = &q.law.value[index], .min = least, .max = most, .help = text }
#define U(flag, index, text) \
  { .name = flag, .kind = CLI_NUMBER, .value = &q.law.u[index], .min = 0, .max = 1e9, .help = text }

int cli_import_elasticity(int argc, char **argv) {
  request q = {.lab.ask = cli_name_question(), .method = "", .law = cb_elasticity_law_unknown()};
  const cli_opt opts[] = {
      VALUE("density-kg-per-m3", CB_ELASTIC_DENSITY, 1e-3, 1e5, "density"),
      U("u-density-kg-per-m3", CB_ELASTIC_DENSITY, "its standard uncertainty; else not known"),
      VALUE("young-kPa", CB_ELASTIC_YOUNG, 1e-3, 1e9, "Young's modulus at small strain"),
      U("u-young-kPa", CB_ELASTIC_YOUNG, "its standard uncertainty"),
      VALUE("poisson", CB_ELASTIC_POISSON, -1, 0.5, "Poisson's ratio"),
      U("u-poisson", CB_ELASTIC_POISSON, "its standard uncertainty"),
      {"source", CLI_TEXT, &q.source, "who says so: citation, data sheet, laboratory", .required = true},
      {"method", CLI_TEXT, &q.method, "how it was measured: \"compression, first 5 %\""},
      {"db", CLI_TEXT, &q.lab.db, "the database file; made if it does not exist"},
      {"new", CLI_SWITCH, &q.lab.new_names, CLI_NEW_HELP},
      {"json", CLI_SWITCH, &q.json, "one JSON document"},
  };
  int stop = cli_parse(
      argc, argv,
      "import elasticity BODY [--density-kg-per-m3 D] [--young-kPa E] [--poisson N] [--u-... U] --source TEXT"
      " [--method TEXT] [--db FILE] [--json]",
      opts, sizeof opts / sizeof opts[0], &q.body, 1, 1, NULL);
  if (stop >= 0) return stop;
  q.lab.db = cli_db_path(q.lab.db);
  q.law.value[CB_ELASTIC_YOUNG] *= 1e3;
  q.law.u[CB_ELASTIC_YOUNG] *= 1e3;
  cb_err err = {""};
  int64_t id = 0;
  cb_status st = check_texts(&q, &err);
  if (st == CB_OK) st = lab_import_elasticity(&q.lab, q.body, &q.law, q.source, q.method, &id, &err);
  return st == CB_OK ? report_law(&q, id) : cli_fail("import", st, &err);
}
