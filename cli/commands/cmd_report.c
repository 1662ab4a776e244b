/* clothbench report: HTML pages of campaigns, cloths and pairs, and their index. */
#include <stdio.h>
#include <stdlib.h>

#include "cb_text.h"
#include "cli_plan.h"
#include "cli_selection.h"
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

static void print_path(void *context, const char *path) {
  (void)context;
  printf("%s\n", path);
}

typedef struct request {
  bool all, index;
  const char *cloth, *out, *sweep;
  cli_selection which; /* its campaign alone is the choice of a page, no selection of runs */
  bool selects;
} request;

static cb_status list_campaigns(cb_store *s, const request *q, cb_campaign **list, size_t *n, cb_err *err) {
  CB_TRY(cb_store_campaigns(s, list, n, err));
  const cb_status st = q->selects ? lab_selection_campaigns(s, &q->which.sel, *list, n, err) : CB_OK;
  if (st != CB_OK) free(*list);
  return st;
}

static cb_status write_reports(cb_store *s, const request *q, cb_err *err) {
  cb_campaign *list;
  size_t n, written = 0;
  const int64_t id = q->which.sel.campaign_id;
  CB_TRY(list_campaigns(s, q, &list, &n, err));
  cb_status st = CB_OK;
  int64_t only = id != 0 ? id : newest(list, n);
  if (id == 0 && !q->all) say_choice(list, n, only);
  for (size_t i = 0; i < n && st == CB_OK; i++) {
    char path[512];
    if (!q->all && list[i].id != only) continue;
    st = report_html_write(s, q->selects ? &q->which.sel : NULL, list[i].id, q->out, path, err);
    if (st == CB_OK) printf("%s\n", path);
    written++;
  }
  free(list);
  if (st != CB_OK || written > 0 || q->all) return st;
  if (id) return cb_fail(err, CB_E_NOTFOUND, "%s: no campaign %lld", cb_store_path(s), (long long)id);
  return cb_fail(err, CB_E_NOTFOUND,
                 "%s: there are no campaigns: 'clothbench run' or 'clothbench import friction' brings one; "
                 "--cloth NAME writes the page of a cloth",
                 cb_store_path(s));
}

static cb_status write_index(cb_store *s, const char *dir, cb_err *err) {
  char path[512];
  CB_TRY(report_index_write(s, dir, path, err));
  printf("%s\n", path);
  return CB_OK;
}

static cb_status write_cloths(cb_store *s, const request *q, const lab_selection *sel, cb_err *err) {
  lab_drape_influences next;
  if (q->sweep) CB_TRY(cli_plan_influences(q->sweep, &next, err));
  const report_cloths what = {
      .cloth = q->cloth, .sel = sel, .next = q->sweep ? &next : NULL, .on_page = print_path};
  return report_cloth_write(s, &what, q->out, err);
}

static cb_status write_pages(cb_store *s, const request *q, cb_err *err) {
  const lab_selection *sel = q->selects ? &q->which.sel : NULL;
  CB_TRY(report_folder_check(q->out, cb_store_path(s), err));
  if (q->index) return write_index(s, q->out, err);
  if (sel) CB_TRY(cli_selection_say("report", s, sel, q->cloth, NULL, err));
  if (!q->cloth) CB_TRY(write_reports(s, q, err));
  if (q->cloth || q->all) CB_TRY(write_cloths(s, q, sel, err));
  return q->all ? write_index(s, q->out, err) : CB_OK;
}

/* -1 to go on, or the exit code. */
static int check_request(request *q) {
  const lab_selection *sel = &q->which.sel;
  const int stop = cli_selection_take("report", &q->which);
  if (stop >= 0) return stop;
  lab_selection rest = *sel;
  rest.campaign_id = q->cloth ? sel->campaign_id : 0;
  q->selects = lab_selection_is_partial(&rest) || q->which.origin_name;
  if (q->sweep && !q->cloth) {
    cli_say("report",
            "--sweep belongs to --cloth NAME: it is the sweep that 'clothbench plan --cloth' wrote");
    return CLI_USAGE;
  }
  const int pages = (sel->campaign_id != 0 && !q->cloth) + q->all + q->index + (q->cloth != NULL);
  if (pages <= 1 && !(q->selects && (q->all || q->index))) return -1;
  cli_say("report", pages > 1 ? "--campaign or --cloth, --all and --index exclude each other"
                              : "--all and --index are of every run: a selection has no meaning");
  return CLI_USAGE;
}

int cmd_report(int argc, char **argv) {
  const char *db = NULL;
  request q = {.cloth = NULL};
  const cli_opt opts[] = {
      {"cloth", CLI_CLOTH, &q.cloth, "this cloth, and each of its pairs, with all their figures"},
      {"sweep", CLI_TEXT, &q.sweep, "--cloth: what this gathered sweep says to measure next (plan --cloth)"},
      {"all", CLI_SWITCH, &q.all, "every campaign, cloth and pair, one page each, and the index"},
      {"index", CLI_SWITCH, &q.index, "the index of the database: pairs and cloths, with gaps and verdicts"},
      CLI_SELECTION_OPTIONS(q.which),
      {"out", CLI_OUT_FOLDER, &q.out, "folder for the pages: a new one, an empty one, or an earlier report's",
       .required = true},
      {"db", CLI_TEXT, &db, "database file"},
  };
  int stop = cli_parse(argc, argv,
                       "report [--campaign ID | --cloth NAME [--sweep FOLDER] | --all | --index] [SELECTION] "
                       "[--db FILE] --out "
                       "DIR\n"
                       "Without a choice: the newest friction campaign, or the newest of any kind.",
                       opts, sizeof opts / sizeof opts[0], NULL, 0, 0, NULL);
  if (stop < 0) stop = check_request(&q);
  if (stop >= 0) return stop;
  cb_err err = {""};
  cb_store *s;
  cb_status st = cb_store_open(cli_db_to_read(db), CB_STORE_READ, &s, &err);
  if (st == CB_OK) st = cb_store_close_after(s, write_pages(s, &q, &err), &err);
  return st == CB_OK ? CLI_DONE : cli_fail("report", st, &err);
}
