/* clothbench fit standard: a campaign by the test standard of its preset. */
#include <stdio.h>
#include <stdlib.h>

#include "cb_num.h"
#include "cli_kind.h"
#include "cli_standard.h"

static cb_status evaluate(cb_store *s, int64_t id, json_t **doc, cb_err *err) {
  CB_TRY(cli_standard_evaluate(s, id, doc, err));
  char *text = cb_json_text(*doc);
  if (!text) return cb_fail(err, CB_E_NOMEM, "no memory for the evaluation");
  cb_status st = cb_store_standard_put(s, id, json_string_value(json_object_get(*doc, "standard")), text, err);
  free(text);
  return st;
}

static int evaluate_campaign(const char *campaign, const char *db, bool as_json) {
  cb_err err = {""};
  cb_store *s = NULL;
  json_t *doc = NULL;
  long long id;
  cb_status st = cb_parse_int(campaign, "the campaign's number", &id, &err);
  if (st != CB_OK) return cli_fail("fit", CB_E_ARG, &err);
  st = cb_store_open(db, CB_STORE_WRITE, &s, &err);
  if (st == CB_OK) st = evaluate(s, id, &doc, &err);
  cb_status closed = cb_store_close(s, st == CB_OK ? &err : NULL);
  if (st == CB_OK) st = closed;
  int code = CLI_DONE;
  if (st != CB_OK) code = cli_fail("fit", st, &err);
  /* A deviation from the standard is a verdict: what was measured is shown all the same. */
  bool conforms = json_array_size(json_object_get(doc, "deviations")) == 0;
  if (st == CB_OK && !as_json) cli_standard_print(doc);
  if (st == CB_OK && as_json) code = cli_print_json("fit", json_incref(doc));
  json_decref(doc);
  return code == CLI_DONE && !conforms ? CLI_NEGATIVE : code;
}

int cli_fit_standard(int argc, char **argv) {
  const char *campaign, *db = NULL;
  bool json = false;
  const cli_opt opts[] = {{.name = "db", .kind = CLI_TEXT, .value = &db, .help = "the database file"},
                          {.name = "json", .kind = CLI_SWITCH, .value = &json, .help = "one JSON document"}};
  int stop = cli_parse(argc, argv, "fit standard CAMPAIGN_ID [--db FILE] [--json]", opts, 2, &campaign, 1, 1, NULL);
  return stop >= 0 ? stop : evaluate_campaign(campaign, cli_db_path(db), json);
}
