/* clothbench report: one HTML page per campaign. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli.h"
#include "report_html.h"

/* id 0: the newest friction campaign. all: every one. Otherwise only the campaign with this id. */
static bool wanted(const cb_campaign *list, size_t n, size_t i, int64_t id, bool all) {
  if (all || id != 0) return all || list[i].id == id;
  for (size_t k = i + 1; k < n; k++)
    if (list[k].kind == CB_CAMPAIGN_FRICTION) return false;
  return list[i].kind == CB_CAMPAIGN_FRICTION;
}

static cb_status write_reports(cb_store *s, int64_t id, bool all, const char *dir, cb_err *err) {
  cb_campaign *list;
  size_t n, written = 0;
  cb_status st = CB_OK;
  CB_TRY(cb_store_campaigns(s, &list, &n, err));
  for (size_t i = 0; i < n && st == CB_OK; i++) {
    char path[512];
    if (!wanted(list, n, i, id, all)) continue;
    st = report_html_write(s, list[i].id, dir, path, err);
    if (st == CB_OK) printf("%s\n", path);
    written++;
  }
  free(list);
  if (st != CB_OK || written > 0) return st;
  if (id) return cb_fail(err, CB_E_NOTFOUND, "%s: no campaign %lld", cb_store_path(s), (long long)id);
  return cb_fail(err, CB_E_NOTFOUND, all ? "%s: there are no campaigns" : "%s: there is no friction campaign; --all takes every kind",
                 cb_store_path(s));
}

int cmd_report(int argc, char **argv) {
  const char *db = NULL, *out = NULL;
  double id = 0;
  bool all = false;
  const cli_opt opts[] = {
      {.name = "campaign",
       .kind = CLI_NUMBER,
       .value = &id,
       .min = 1,
       .max = 9e15,
       .help = "this campaign; else the newest friction campaign"},
      {.name = "all", .kind = CLI_SWITCH, .value = &all, .help = "every campaign, one page each"},
      {.name = "out", .kind = CLI_TEXT, .value = &out, .help = "folder for the pages; made if missing", .required = true},
      {.name = "db", .kind = CLI_TEXT, .value = &db, .help = "database file"},
  };
  int stop =
      cli_parse(argc, argv, "report [--campaign ID | --all] [--db FILE] --out DIR", opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  if ((id != 0 && all) || id != floor(id)) {
    cli_say("report", id != 0 && all ? "--campaign and --all exclude each other" : "--campaign must be a whole number");
    return CLI_USAGE;
  }
  cb_err err = {""};
  cb_store *s;
  cb_status st = cb_store_open(cli_db_path(db), CB_STORE_READ, &s, &err);
  if (st != CB_OK) return cli_fail("report", st, &err);
  st = write_reports(s, (int64_t)id, all, out, &err);
  (void)cb_store_close(s, NULL);
  return st == CB_OK ? CLI_DONE : cli_fail("report", st, &err);
}
