/* clothbench run CAMPAIGN.yaml --rig RIG.yaml: the measurement. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "cli_batch.h"
#include "cli_person.h"
#include "cli_run_prompt.h"
#include "cb_signals.h"
#include "daq_engine.h"
#include "daq_specimen.h"
#include "live.h"

typedef struct options {
  const char *plan, *rig, *db;
  bool yes, dry_run, new_names, resume, uncalibrated, plot, json;
} options;

typedef struct measurement {
  options opt;
  cb_rig rig;
  daq_batch batch;
  size_t at;              /* which of the batch */
  daq_campaign *campaign; /* that one; NULL before the first */
  cb_store *store;
  const cb_stop *stop_flag;
  live *view; /* NULL: nothing to draw on */
  daq_engine_result result;
} measurement;

/* ---- what the engine says, on its own thread ---- */

static const char *person_of(const measurement *m) {
  const char *name = m->campaign->operator_name[0] ? m->campaign->operator_name : cli_person_name();
  return name[0] ? name : "operator";
}

static cb_status ask_person(void *context, const daq_asked *q, daq_answer *answer, cb_err *err) {
  measurement *m = context;
  const cli_run_prompt prompt = {.store = m->store, .person = person_of(m)};
  live_pause(m->view);
  fputc('\n', stderr);
  cb_status st = cli_run_ask(&prompt, q, answer, err);
  live_resume(m->view);
  return st;
}

_Static_assert((int)DAQ_PREPARING == (int)LIVE_PREPARING && (int)DAQ_ZEROING == (int)LIVE_ZEROING &&
                   (int)DAQ_PULLING == (int)LIVE_PULLING && (int)DAQ_ENDING_RUN == (int)LIVE_ENDING_RUN &&
                   (int)DAQ_RUN_ENDED == (int)LIVE_RUN_ENDED &&
                   (int)DAQ_CAMPAIGN_ENDED == (int)LIVE_CAMPAIGN_ENDED,
               "the engine's phases are the viewer's");

static void show_progress(void *context, const daq_progress *p) {
  const measurement *m = context;
  const live_moment moment = {.phase = (live_phase)p->phase,
                              .done = p->done,
                              .total = p->total,
                              .angle_deg = p->cell.angle_deg,
                              .added_mass_kg = p->cell.added_mass_kg,
                              .repeat = p->cell.repeat,
                              .direction = p->cell.direction,
                              .zero = p->zero,
                              .position_m = p->position_m};
  live_say(m->view, &moment);
}

static void show_sample(void *context, cb_channel channel, double value) {
  const measurement *m = context;
  if (channel == CB_CHANNEL_FORCE) live_sample(m->view, LIVE_FORCE, value);
  if (channel == CB_CHANNEL_POSITION) live_sample(m->view, LIVE_POSITION, value);
}

static cb_status open_view(measurement *m, cb_err *err) {
  const cb_rig *rig = &m->rig;
  const daq_campaign *c = m->campaign;
  const live_plan plan = {.slope_N_per_unit = rig->calibration.slope_N_per_unit,
                          .cart_mass_kg = rig->bench.cart_mass_kg,
                          .gravity_m_per_s2 = rig->bench.gravity_m_per_s2,
                          .travel_m = c->travel_m,
                          .speed_m_per_s = c->speed_m_per_s,
                          .zero_s = c->zero_s,
                          .time_scale = rig->virt.present ? rig->virt.time_scale : 1,
                          .repeats = c->repeats,
                          .is_virtual = rig->virt.present};
  live_options o = live_options_of(STDERR_FILENO);
  cb_err no_window = {""};
  /* A view that cannot be had is no reason not to measure. */
  if (m->opt.plot && live_window_find(&o.window, &no_window) != CB_OK)
    cli_say("run", "--plot: %s", no_window.msg);
  return o.terminal >= 0 || o.window ? live_start(&plan, &o, &m->view, err) : CB_OK;
}

/* ---- the campaign ---- */

static bool is_unfinished(const measurement *m, cb_campaign *c) {
  return cb_store_campaign_unfinished(m->store, m->campaign->name, m->campaign->text, c, NULL) == CB_OK;
}

/* Of a batch that is resumed, what was not begun is new. */
static bool resumes(const measurement *m) {
  cb_campaign c;
  return m->opt.resume && (m->batch.n == 1 || is_unfinished(m, &c));
}

/* A new campaign beside an unfinished one is allowed, but rarely meant. */
static void warn_unfinished(measurement *m) {
  cb_campaign c;
  if (m->opt.resume || !is_unfinished(m, &c)) return;
  cli_say("run",
          "campaign %lld '%s' of %s is unfinished; this is a new one (--resume would have gone on with it)",
          (long long)c.id, c.name, c.created_at);
}

static cb_status run_engine(measurement *m, bool ask, cb_err *err) {
  const daq_engine_job job = {
      .rig = &m->rig,
      .campaign = m->campaign,
      .store = m->store,
      .resume = resumes(m),
      .uncalibrated = m->opt.uncalibrated,
      .program = "/proc/self/exe",
      .stop_flag = m->stop_flag,
      .prompt = ask ? ask_person : NULL,
      .person = person_of(m),
      .progress = m->view ? show_progress : NULL,
      .watcher = {.sample = m->view ? show_sample : NULL, .context = m},
      .context = m,
  };
  return daq_engine_run(&job, &m->result, err);
}

static cb_status check_terminal(cb_err *err) {
  if (isatty(STDIN_FILENO)) return CB_OK;
  return cb_fail(err, CB_E_ARG,
                 "somebody must turn samples and change weights, but standard input is no terminal; --yes "
                 "goes on without asking");
}

static cb_status load_rig(measurement *m, cb_err *err) {
  static cb_rig other;
  cb_status st = cb_rig_load(m->opt.rig, &m->rig, err);
  if (st == CB_OK || cb_rig_load(m->opt.plan, &other, NULL) != CB_OK) return st;
  return cb_fail(
      err, CB_E_ARG,
      "%s is a rig file: 'run CAMPAIGN.yaml --rig RIG.yaml' was wanted; have the two files changed places?",
      m->opt.plan);
}

static cb_status measure_campaign(measurement *m, bool ask, cb_err *err) {
  char outside[200];
  warn_unfinished(m);
  daq_batch_keep_air(&m->batch, m->at);
  if (ask && !resumes(m)) CB_TRY(cli_person_conditions(&m->campaign->conditions, err));
  if (cb_conditions_outside(&m->campaign->conditions, outside))
    cli_say("run", "%s; the campaign says so", outside);
  CB_TRY(open_view(m, err));
  cb_status st = run_engine(m, ask, err);
  live_stop(m->view);
  m->view = NULL;
  return st;
}

static json_t *result_json(const measurement *m) {
  return json_pack("{s:I, s:s, s:s, s:I, s:I, s:I, s:f}", "campaign_id", (json_int_t)m->result.campaign_id,
                   "name", m->campaign->name, "origin", cb_origin_names[daq_engine_origin(&m->rig)],
                   "runs_done", (json_int_t)m->result.runs_done, "runs_left", (json_int_t)m->result.runs_left,
                   "runs_failed", (json_int_t)m->result.runs_failed, "seconds", m->result.seconds);
}

static void say_next(const measurement *m) {
  const cb_standard *s = cb_standard_at(m->campaign->preset);
  if (s && s->window_m > 0)
    cli_say("run", "'clothbench fit standard %lld' evaluates it by %s", (long long)m->result.campaign_id,
            s->title);
}

static void say_done(const measurement *m) {
  cli_say("run", "campaign %lld '%s': %zu runs in %.1f s, %s", (long long)m->result.campaign_id,
          m->campaign->name, m->result.runs_done, m->result.seconds,
          cb_origin_names[daq_engine_origin(&m->rig)]);
  if (m->result.runs_left > 0)
    cli_say("run", "%zu of its runs are left: --resume goes on with them", m->result.runs_left);
  say_next(m);
}

/* results: a document for each campaign; released. */
static int report_outcome(const measurement *m, json_t *results, cb_status st, const cb_err *err) {
  int code = CLI_DONE;
  const size_t n = json_array_size(results);
  if (m->opt.json && !m->opt.dry_run && m->batch.n > 1)
    code = cli_print_json("run", json_pack("{s:O}", "campaigns", results));
  else if (m->opt.json && n > 0)
    code = cli_print_json("run", json_incref(json_array_get(results, 0)));
  json_decref(results);
  if (st == CB_OK) return code;
  code = cli_fail("run", st, err);
  if (m->result.campaign_id)
    cli_say("run", "the stage was told to stop; %zu runs were stored, --resume goes on with campaign %lld",
            m->result.runs_done, (long long)m->result.campaign_id);
  return code;
}

/* Before anything moves: every specimen is there, and of its cloth. */
static cb_status fill_specimens(measurement *m, cb_err *err) {
  for (size_t i = 0; i < m->batch.n; i++) CB_TRY(daq_specimen_fill(m->store, &m->batch.campaigns[i], err));
  return CB_OK;
}

/* One after the other; a batch that is resumed leaves out what is finished. */
static cb_status measure_batch(measurement *m, bool ask, json_t *results, cb_err *err) {
  for (m->at = 0; m->at < m->batch.n; m->at++) {
    bool finished = false;
    m->campaign = &m->batch.campaigns[m->at];
    if (m->opt.resume && m->batch.n > 1)
      CB_TRY(cb_store_campaign_finished(m->store, m->campaign->name, m->campaign->text, &finished, err));
    if (m->batch.n > 1) cli_batch_say(&m->batch, m->at, finished);
    if (finished) continue;
    m->result = (daq_engine_result){.campaign_id = 0};
    const cb_status st = measure_campaign(m, ask, err);
    if (m->result.campaign_id) (void)json_array_append_new(results, result_json(m));
    CB_TRY(st);
    say_done(m);
  }
  return CB_OK;
}

static cb_status measure(measurement *m, json_t *results, cb_err *err) {
  CB_TRY(load_rig(m, err));
  CB_TRY(daq_batch_load(m->opt.plan, &m->rig, &m->batch, err));
  if (m->opt.dry_run) return cli_batch_print(&m->batch, m->opt.json, err);
  const bool ask = !m->opt.yes && !daq_engine_emulates(&m->rig);
  if (ask) CB_TRY(check_terminal(err));
  CB_TRY(cli_open_named(cli_db_path(m->opt.db), m->opt.new_names, &m->store, err));
  cb_status st = fill_specimens(m, err);
  if (st == CB_OK) st = measure_batch(m, ask, results, err);
  const cb_status closed = cb_store_close(m->store, st == CB_OK ? err : NULL);
  return st == CB_OK ? closed : st;
}

int cmd_run(int argc, char **argv) {
  measurement m = {0};
  const cli_opt opts[] = {
      {"rig", CLI_TEXT, &m.opt.rig, "rig file", .required = true},
      {"db", CLI_TEXT, &m.opt.db, "database to write to"},
      {"new", CLI_SWITCH, &m.opt.new_names, CLI_NEW_HELP},
      {"dry-run", CLI_SWITCH, &m.opt.dry_run, "print what would be run in which order, and move nothing"},
      {"yes", CLI_SWITCH, &m.opt.yes, "do not ask before samples and weights change"},
      {"resume", CLI_SWITCH, &m.opt.resume, "go on with the newest unfinished campaign of this file"},
      {"uncalibrated", CLI_SWITCH, &m.opt.uncalibrated,
       "go on with a calibration that is over or of another cell, and mark the runs"},
      {"plot", CLI_SWITCH, &m.opt.plot, "force over displacement in a gnuplot window, while running"},
      {"json", CLI_SWITCH, &m.opt.json, "one JSON document on standard output"},
  };
  int stop = cli_parse(argc, argv,
                       "run CAMPAIGN.yaml --rig RIG.yaml [--db FILE] [--dry-run] [--yes] [--resume] "
                       "[--uncalibrated] [--plot] [--json]",
                       opts, sizeof opts / sizeof opts[0], &m.opt.plan, 1, 1, NULL);
  if (stop >= 0) return stop;
  cb_err err = {""};
  m.stop_flag = cb_signals_listen();
  json_t *results = json_array();
  cb_status st = measure(&m, results, &err);
  int code = report_outcome(&m, results, st, &err);
  daq_batch_clear(&m.batch);
  cb_rig_clear(&m.rig);
  return code;
}
