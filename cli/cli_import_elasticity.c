/* clothbench import elasticity: what a body is made of, in numbers that somebody measured or published. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_law_json.h"
#include "cli_import.h"

typedef struct request {
  const char *body, *source, *method, *db;
  cb_elasticity_law law;
  bool json;
} request;

static cb_status fill_row(const request *q, cb_material_law *row, cb_err *err) {
  *row = (cb_material_law){.kind = CB_LAW_ELASTICITY, .form = "isotropic", .origin = CB_IMPORTED};
  if (strlen(q->source) >= sizeof row->source || strlen(q->method) >= sizeof row->method)
    return cb_fail(err, CB_E_ARG, "--source and --method: at most %zu and %zu bytes were wanted", sizeof row->source - 1,
                   sizeof row->method - 1);
  CB_TRY(cb_elasticity_law_check(&q->law, err));
  (void)snprintf(row->source, sizeof row->source, "%s", q->source);
  (void)snprintf(row->method, sizeof row->method, "%s", q->method);
  json_t *doc = json_pack("{s:o}", "law", cb_elasticity_json(&q->law));
  row->result_json = cb_json_text(doc);
  json_decref(doc);
  return row->result_json ? CB_OK : cb_fail(err, CB_E_NOMEM, "no memory for a law of elasticity");
}

static cb_status put(cb_store *s, const request *q, cb_material_law *row, cb_err *err) {
  CB_TRY(cb_store_begin(s, err));
  cb_status st = cb_store_material_ensure(s, CB_BODY, q->body, CB_IMPORTED, &row->material_id, err);
  if (st == CB_OK) st = cb_store_material_law_put(s, row, NULL, 0, err);
  if (st == CB_OK) st = cb_store_commit(s, err);
  if (st != CB_OK) cb_store_rollback(s);
  return st;
}

static cb_status import(const request *q, int64_t *id, cb_err *err) {
  cb_material_law row;
  cb_store *s = NULL;
  CB_TRY(fill_row(q, &row, err));
  cb_status st = cb_store_open(q->db, CB_STORE_WRITE, &s, err);
  if (st == CB_OK) st = put(s, q, &row, err);
  *id = row.id;
  free(row.result_json);
  cb_status closed = cb_store_close(s, st == CB_OK ? err : NULL);
  return st == CB_OK ? closed : st;
}

static int report(const request *q, int64_t id) {
  if (q->json)
    return cli_print_json("import", json_pack("{s:s, s:s, s:I, s:s, s:o}", "body", q->body, "db", q->db, "law_id", (json_int_t)id, "source",
                                              q->source, "elasticity", cb_elasticity_json(&q->law)));
  printf("body '%s': law %lld of elasticity stored in %s\n", q->body, (long long)id, q->db);
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

#define VALUE(flag, index, least, most, text) \
  { .name = flag, .kind = CLI_NUMBER, .value = &q.law.value[index], .min = least, .max = most, .help = text }
#define U(flag, index, text) \
  { .name = flag, .kind = CLI_NUMBER, .value = &q.law.u[index], .min = 0, .max = 1e9, .help = text }

int cli_import_elasticity(int argc, char **argv) {
  request q = {.method = "", .law = cb_elasticity_law_unknown()};
  const cli_opt opts[] = {
      VALUE("density-kg-per-m3", CB_ELASTIC_DENSITY, 1e-3, 1e5, "density"),
      U("u-density-kg-per-m3", CB_ELASTIC_DENSITY, "its standard uncertainty; else not known"),
      VALUE("young-kPa", CB_ELASTIC_YOUNG, 1e-3, 1e9, "Young's modulus at small strain"),
      U("u-young-kPa", CB_ELASTIC_YOUNG, "its standard uncertainty"),
      VALUE("poisson", CB_ELASTIC_POISSON, -1, 0.5, "Poisson's ratio"),
      U("u-poisson", CB_ELASTIC_POISSON, "its standard uncertainty"),
      {.name = "source", .kind = CLI_TEXT, .value = &q.source, .help = "who says so: citation, data sheet, laboratory", .required = true},
      {.name = "method", .kind = CLI_TEXT, .value = &q.method, .help = "how it was measured: \"compression, first 5 %\""},
      {.name = "db", .kind = CLI_TEXT, .value = &q.db, .help = "the database file; made if it does not exist"},
      {.name = "json", .kind = CLI_SWITCH, .value = &q.json, .help = "one JSON document"},
  };
  int stop = cli_parse(argc, argv,
                       "import elasticity BODY [--density-kg-per-m3 D] [--young-kPa E] [--poisson N] [--u-... U] --source TEXT"
                       " [--method TEXT] [--db FILE] [--json]",
                       opts, sizeof opts / sizeof opts[0], &q.body, 1, 1, NULL);
  if (stop >= 0) return stop;
  q.db = cli_db_path(q.db);
  q.law.value[CB_ELASTIC_YOUNG] *= 1e3;
  q.law.u[CB_ELASTIC_YOUNG] *= 1e3;
  cb_err err = {""};
  int64_t id = 0;
  cb_status st = import(&q, &id, &err);
  return st == CB_OK ? report(&q, id) : cli_fail("import", st, &err);
}
