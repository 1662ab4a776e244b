/* clothbench run init. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cb_file.h"
#include "cb_language.h"
#include "cli.h"
#include "cli_ask.h"
#include "cli_forecast.h"
#include "cli_person.h"
#include "cli_run_prompt.h"
#include "cb_signals.h"
#include "daq_interview.h"
#include "lab_repeats.h"

typedef struct request {
  const char *file, *db;
  daq_interview v;
} request;

static int count_repeats(void *context, const daq_campaign *c, const cb_rig *rig, double band_percent,
                         char why[400]) {
  const request *q = context;
  fit_repeats r = {.n = 3};
  size_t n_runs = 0;
  const lab_repeats_wish w = {.cloth = c->cloth,
                              .body = c->body,
                              .is_real = !rig->virt.present,
                              .u_shared_rel = daq_interview_shared_u(q->v.store, c, rig),
                              .pulls_per_repeat = c->directions == DAQ_BOTH ? 2 : 1,
                              .band_rel = band_percent / 100};
  if (lab_repeats_for(q->v.store, &w, &r, &n_runs, NULL) != CB_OK) return 3;
  lab_repeats_say(&r, n_runs, why);
  return r.n;
}

static cb_status write_campaign(request *q, cb_err *err) {
  char *text = NULL;
  daq_campaign c;
  cb_status st = daq_interview_end(&q->v, &text, &c, err);
  if (st == CB_OK) st = cb_file_write(q->file, text, strlen(text), err);
  if (st == CB_OK) {
    const size_t n = daq_campaign_cells(&c);
    printf("%s", text);
    (void)fflush(stdout);
    cli_say("run",
            cb_tr_count("%s is written: %zu pull, about %.0f min without the steps by hand",
                        "%s is written: %zu pulls, about %.0f min without the steps by hand", n),
            q->file, n, ceil((double)n * cli_forecast_pull_s(&c) / 60));
  }
  free(text);
  daq_campaign_clear(&c);
  return st;
}

/* Asks, writes, and asks whether to go on. */
static cb_status interview(request *q, bool *go_on, cb_err *err) {
  char draft[512], left[700], begun[700];
  if (!isatty(STDIN_FILENO))
    return cb_fail(err, CB_E_ARG,
                   "init asks, but standard input is no terminal: 'run CAMPAIGN.yaml' was wanted");
  if (access(q->file, F_OK) == 0)
    return cb_fail(err, CB_E_ARG, "%s exists already: a new name was wanted", q->file);
  if (snprintf(draft, sizeof draft, "%s.draft", q->file) >= (int)sizeof draft)
    return cb_fail(err, CB_E_ARG, "the name of the file is longer than %zu bytes", sizeof draft - 7);
  (void)snprintf(left, sizeof left, _("%s keeps the answers; 'clothbench run init %s' goes on"), draft,
                 q->file);
  (void)snprintf(begun, sizeof begun, _("'clothbench run %s --rig RIG.yaml' makes its runs"), q->file);
  q->v.q.left = left;
  CB_TRY(cli_ask("run", &q->v.q, draft, err));
  CB_TRY(write_campaign(q, err));
  (void)unlink(draft);
  return cli_ask_yes(N_("Run it now"), N_("The stage moves only after a further question"), begun, go_on,
                     err);
}

int cli_run_init(int argc, char **argv) {
  static request q;
  bool go_on = false;
  cb_err err = {""};
  q = (request){.file = NULL};
  const cli_opt opts[] = {{"rig", CLI_TEXT, &q.v.rig_file, "rig file; else it is asked"},
                          {"db", CLI_TEXT, &q.db, "database to write to"}};
  const int stop = cli_parse(argc, argv, CLI_RUN_INIT_USAGE, opts, 2, &q.file, 0, 1, NULL);
  if (stop >= 0) return stop;
  if (!q.file) q.file = "campaign.yaml";
  if (!q.v.rig_file && access("rig.yaml", F_OK) == 0) q.v.rig_file = "rig.yaml";
  q.v.file = q.file;
  q.v.operator_name = cli_person_name();
  q.v.repeats = count_repeats;
  q.v.context = &q;
  (void)cb_signals_listen();
  daq_interview_begin(&q.v);
  const char *path = cli_db_path(q.db);
  if (access(path, F_OK) == 0) (void)!cb_store_open(path, CB_STORE_READ, &q.v.store, NULL);
  const cb_status st = interview(&q, &go_on, &err);
  (void)!cb_store_close_after(q.v.store, CB_OK, NULL);
  int code = st == CB_OK ? CLI_DONE : cli_fail("run", st, &err);
  if (go_on) {
    const char *words[] = {"run", q.file, "--rig", q.v.q.answer[0], "--db", cli_db_path(q.db), NULL};
    code = cmd_run(6, (char **)(uintptr_t)words);
  }
  daq_interview_clear(&q.v);
  return code;
}
