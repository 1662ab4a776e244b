/* clothbench report: one HTML page per campaign. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cb_text.h"
#include "cli.h"
#include "report_html.h"

/* The newest friction campaign; without one, the newest of any kind. 0: there are none. */
static int64_t newest(const cb_campaign *list, size_t n) {
  for (size_t i = n; i > 0; i--)
    if (list[i - 1].kind == CB_CAMPAIGN_FRICTION) return list[i - 1].id;
  return n > 0 ? list[n - 1].id : 0;
}

/* Where the choice was not the user's, and there was one. */
static void say_choice(const cb_campaign *list, size_t n, int64_t only) {
  char name[160];
  for (size_t i = 0; i < n && n > 1; i++)
    if (list[i].id == only)
      cli_say("report",
              "campaign %lld '%s' is the newest %s campaign; --campaign ID or --all shows the %s of %zu",
              (long long)only, cb_text_show(list[i].name, name, sizeof name),
              cb_campaign_kind_names[list[i].kind], n == 2 ? "other" : "others", n);
}

static cb_status write_reports(cb_store *s, int64_t id, bool all, const char *dir, cb_err *err) {
  cb_campaign *list;
  size_t n, written = 0;
  CB_TRY(report_folder_check(dir, cb_store_path(s), err));
  CB_TRY(cb_store_campaigns(s, &list, &n, err));
  cb_status st = CB_OK;
  int64_t only = id != 0 ? id : newest(list, n);
  if (id == 0 && !all) say_choice(list, n, only);
  for (size_t i = 0; i < n && st == CB_OK; i++) {
    char path[512];
    if (!all && list[i].id != only) continue;
    st = report_html_write(s, list[i].id, dir, path, err);
    if (st == CB_OK) printf("%s\n", path);
    written++;
  }
  free(list);
  if (st != CB_OK || written > 0) return st;
  if (id) return cb_fail(err, CB_E_NOTFOUND, "%s: no campaign %lld", cb_store_path(s), (long long)id);
  return cb_fail(err, CB_E_NOTFOUND,
                 "%s: there are no campaigns: 'clothbench run' or 'clothbench import friction' brings one",
                 cb_store_path(s));
}

static cb_status write_index(cb_store *s, const char *dir, cb_err *err) {
  char path[512];
  CB_TRY(report_folder_check(dir, cb_store_path(s), err));
  CB_TRY(report_index_write(s, dir, path, err));
  printf("%s\n", path);
  return CB_OK;
}

int cmd_report(int argc, char **argv) {
  const char *db = NULL, *out = NULL;
  double id = 0;
  bool all = false, index = false;
  const cli_opt opts[] = {
      {"campaign", CLI_NUMBER, &id,
       "this campaign; else the newest friction campaign, or the newest of any kind", .min = 1, .max = 9e15},
      {"all", CLI_SWITCH, &all, "every campaign, one page each"},
      {"index", CLI_SWITCH, &index, "the index of the database: pairs and cloths, with gaps and verdicts"},
      {"out", CLI_OUT_FOLDER, &out, "folder for the pages: a new one, an empty one, or an earlier report's",
       .required = true},
      {"db", CLI_TEXT, &db, "database file"},
  };
  int stop = cli_parse(argc, argv, "report [--campaign ID | --all | --index] [--db FILE] --out DIR", opts,
                       sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop >= 0) return stop;
  const bool two = (id != 0) + all + index > 1;
  if (two || id != floor(id)) {
    cli_say("report",
            two ? "--campaign, --all and --index exclude each other" : "--campaign must be a whole number");
    return CLI_USAGE;
  }
  cb_err err = {""};
  cb_store *s;
  cb_status st = cb_store_open(cli_db_path(db), CB_STORE_READ, &s, &err);
  if (st != CB_OK) return cli_fail("report", st, &err);
  st = index ? write_index(s, out, &err) : write_reports(s, (int64_t)id, all, out, &err);
  (void)cb_store_close(s, NULL);
  return st == CB_OK ? CLI_DONE : cli_fail("report", st, &err);
}
