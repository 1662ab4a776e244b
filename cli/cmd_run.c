/* clothbench run CAMPAIGN.yaml --rig RIG.yaml: the measurement. */
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "daq_engine.h"

/* What a signal handler may touch, and the threads of the program see. */
static atomic_bool stop_flag;

static void on_signal(int number) {
  (void)number;
  atomic_store(&stop_flag, true);
}

/* A hang-up that is ignored (nohup) stays ignored. */
static void catch_signals(void) {
  const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
  struct sigaction a = {.sa_handler = on_signal}, before;
  bool hang_up = sigaction(SIGHUP, NULL, &before) != 0 || before.sa_handler != SIG_IGN;
  sigemptyset(&a.sa_mask);
  atomic_store(&stop_flag, false);
  for (int i = 0; i < (hang_up ? 3 : 2); i++) (void)sigaction(numbers[i], &a, NULL);
}

typedef struct options {
  const char *plan, *rig, *db;
  bool yes, resume, uncalibrated, json;
} options;

typedef struct measurement {
  options opt;
  cb_rig rig;
  daq_campaign campaign;
  cb_store *store;
  daq_engine_result result;
} measurement;

/* Waits in short turns: a signal that comes just before the wait must end it too. */
static cb_status ask_person(void *context, const char *text, cb_err *err) {
  (void)context;
  fprintf(stderr, "%s Press Enter (Ctrl-C stops): ", text);
  for (;;) {
    struct pollfd p = {.fd = STDIN_FILENO, .events = POLLIN};
    char line[256];
    int ready = poll(&p, 1, 100);
    if (atomic_load(&stop_flag)) break;
    if (ready <= 0) continue;
    ssize_t n = read(STDIN_FILENO, line, sizeof line);
    if (n <= 0) break;
    if (memchr(line, '\n', (size_t)n)) return CB_OK;
  }
  return cb_fail(err, CB_E_STOPPED, "stopped by the operator");
}

static void show_progress(void *context, size_t done, size_t total, const char *next) {
  (void)context;
  cli_progress("run", (double)done, (double)total, next);
}

/* A new campaign beside an unfinished one is allowed, but rarely meant. */
static void warn_unfinished(measurement *m) {
  cb_campaign c;
  if (m->opt.resume || cb_store_campaign_unfinished(m->store, m->campaign.name, m->campaign.text, &c, NULL) != CB_OK) return;
  cli_say("run", "campaign %lld '%s' of %s is unfinished; this is a new one (--resume would have gone on with it)", (long long)c.id, c.name,
          c.created_at);
}

static cb_status measure(measurement *m, cb_err *err) {
  CB_TRY(cb_rig_load(m->opt.rig, &m->rig, err));
  CB_TRY(daq_campaign_load(m->opt.plan, &m->rig, &m->campaign, err));
  bool ask = !m->opt.yes && !daq_engine_emulates(&m->rig);
  if (ask && !isatty(STDIN_FILENO))
    return cb_fail(err, CB_E_ARG,
                   "somebody must turn samples and change weights, but standard input is no terminal; --yes goes on without asking");
  CB_TRY(cb_store_open(cli_db_path(m->opt.db), CB_STORE_WRITE, &m->store, err));
  warn_unfinished(m);
  const daq_engine_job job = {
      .rig = &m->rig,
      .campaign = &m->campaign,
      .store = m->store,
      .resume = m->opt.resume,
      .uncalibrated = m->opt.uncalibrated,
      .program = "/proc/self/exe",
      .stop_flag = &stop_flag,
      .prompt = ask ? ask_person : NULL,
      .progress = ask ? NULL : show_progress,
  };
  return daq_engine_run(&job, &m->result, err);
}

static int print_result(const measurement *m) {
  json_t *doc = json_object();
  json_object_set_new(doc, "campaign_id", json_integer(m->result.campaign_id));
  json_object_set_new(doc, "name", json_string(m->campaign.name));
  json_object_set_new(doc, "origin", json_string(cb_origin_names[daq_engine_origin(&m->rig)]));
  json_object_set_new(doc, "runs_done", json_integer((json_int_t)m->result.runs_done));
  json_object_set_new(doc, "runs_failed", json_integer((json_int_t)m->result.runs_failed));
  json_object_set_new(doc, "seconds", json_real(m->result.seconds));
  return cli_print_json("run", doc);
}

static int conclude(const measurement *m, cb_status st, const cb_err *err) {
  int code = CLI_DONE;
  if (m->opt.json && m->result.campaign_id) code = print_result(m);
  if (st == CB_OK) {
    cli_say("run", "campaign %lld '%s': %zu runs in %.1f s, %s", (long long)m->result.campaign_id, m->campaign.name, m->result.runs_done,
            m->result.seconds, cb_origin_names[daq_engine_origin(&m->rig)]);
    return code;
  }
  code = cli_fail("run", st, err);
  if (m->result.campaign_id)
    cli_say("run", "the stage was told to stop; %zu runs were stored, --resume goes on with campaign %lld", m->result.runs_done,
            (long long)m->result.campaign_id);
  return code;
}

int cmd_run(int argc, char **argv) {
  measurement m = {0};
  const cli_opt opts[] = {
      {.name = "rig", .kind = CLI_TEXT, .value = &m.opt.rig, .help = "rig file", .required = true},
      {.name = "db", .kind = CLI_TEXT, .value = &m.opt.db, .help = "database to write to"},
      {.name = "yes", .kind = CLI_SWITCH, .value = &m.opt.yes, .help = "do not ask before samples and weights change"},
      {.name = "resume", .kind = CLI_SWITCH, .value = &m.opt.resume, .help = "go on with the newest unfinished campaign of this file"},
      {.name = "uncalibrated",
       .kind = CLI_SWITCH,
       .value = &m.opt.uncalibrated,
       .help = "go on with a calibration that is over or of another cell, and mark the runs"},
      {.name = "json", .kind = CLI_SWITCH, .value = &m.opt.json, .help = "one JSON document on standard output"},
  };
  int stop = cli_parse(argc, argv, "run CAMPAIGN.yaml --rig RIG.yaml [--db FILE] [--yes] [--resume] [--uncalibrated] [--json]", opts,
                       sizeof opts / sizeof opts[0], &m.opt.plan, 1, 1, NULL);
  if (stop >= 0) return stop;
  cb_err err = {""};
  catch_signals();
  cb_status st = measure(&m, &err);
  cb_status closed = cb_store_close(m.store, st == CB_OK ? &err : NULL);
  int code = conclude(&m, st == CB_OK ? closed : st, &err);
  daq_campaign_clear(&m.campaign);
  cb_rig_clear(&m.rig);
  return code;
}
