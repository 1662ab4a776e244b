/* clothbench run CAMPAIGN.yaml --rig RIG.yaml: the measurement. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "cli_ask.h"
#include "cli_batch.h"
#include "cli_forecast.h"
#include "cli_person.h"
#include "cli_run_prompt.h"
#include "cli_run_validity.h"
#include "cli_share.h"
#include "cb_claim.h"
#include "cb_date.h"
#include "cb_file.h"
#include "cb_plural.h"
#include "cb_signals.h"
#include "daq_air.h"
#include "daq_engine.h"
#include "daq_extend.h"
#include "daq_outlook.h"
#include "daq_specimen.h"
#include "lab_alarm.h"
#include "live.h"

/* What `run --practice` plays unless other files are named. */
#define PRACTICE_PLAN "rigs/campaign-small.yaml"
#define PRACTICE_RIG "rigs/virtual.yaml"
#define PRACTICE_FAULTS "rigs/practice.yaml"

typedef struct options {
  const char *plan, *rig, *db;
  daq_extension more;
  bool extend;
  bool yes, dry_run, new_names, resume, uncalibrated, anyway, practice, json;
} options;

/* The forecasts of the batch; n of them are made. */
typedef struct forecasts {
  cli_forecast *of; /* owned */
  size_t n;
} forecasts;

typedef struct measurement {
  options opt;
  cb_rig rig;
  daq_batch batch;
  forecasts ahead;
  size_t at;              /* which of the batch */
  daq_campaign *campaign; /* that one; NULL before the first */
  cb_store *store;
  const cb_stop *stop_flag;
  int64_t extended; /* the campaign, by --extend now or before; 0: none */
  live *view;       /* NULL: nothing to draw on */
  daq_engine_result result;
  lab_verdicts verdicts; /* of the campaign's pulls */
  int64_t judged;        /* the last run that was judged before the eyes of the person; 0: none */
} measurement;

/* ---- what the engine says, on its own thread ---- */

static const char *person_of(const measurement *m) {
  const char *name = m->campaign->operator_name[0] ? m->campaign->operator_name : cli_person_name();
  return name[0] ? name : "operator";
}

static cb_status ask_person(void *context, const daq_asked *q, daq_answer *answer, cb_err *err) {
  measurement *m = context;
  const cli_run_prompt prompt = {.store = m->store, .campaign = m->campaign, .person = person_of(m)};
  live_pause(m->view);
  fputc('\n', stderr);
  cli_run_judge_new(m->store, m->result.campaign_id, &m->verdicts);
  if (q->last_run != m->judged) cli_run_judge(&m->verdicts, q->last_run, q->of_cell);
  m->judged = q->last_run;
  cb_status st = cli_run_ask(&prompt, q, answer, err);
  live_resume(m->view);
  return st;
}

_Static_assert((int)DAQ_PREPARING == (int)LIVE_PREPARING && (int)DAQ_ZEROING == (int)LIVE_ZEROING &&
                   (int)DAQ_PULLING == (int)LIVE_PULLING && (int)DAQ_ENDING_RUN == (int)LIVE_ENDING_RUN &&
                   (int)DAQ_RUN_ENDED == (int)LIVE_RUN_ENDED &&
                   (int)DAQ_CAMPAIGN_ENDED == (int)LIVE_CAMPAIGN_ENDED &&
                   (int)DAQ_BROKEN_OFF == (int)LIVE_BROKEN_OFF &&
                   (int)DAQ_BROKEN_OFF_LOOSE == (int)LIVE_BROKEN_OFF_LOOSE,
               "the engine's phases are the viewer's");

static void show_progress(void *context, const daq_progress *p) {
  measurement *m = context;
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
  if (p->phase != DAQ_RUN_ENDED) return;
  cli_run_judge_new(m->store, m->result.campaign_id, &m->verdicts);
  cli_run_show(m->view, &m->verdicts, p->last_run);
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
  const live_options o = live_options_of(STDERR_FILENO);
  return o.terminal >= 0 ? live_start(&plan, &o, &m->view, err) : CB_OK;
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
  char who[CB_CLAIM_WHO];
  if (m->opt.resume || !is_unfinished(m, &c)) return;
  if (cb_claim_holder(cb_store_path(m->store), c.id, who)) {
    cli_say("run", "campaign %lld '%s' is being measured by %s; this is a new one", (long long)c.id, c.name,
            who);
    return;
  }
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
      .extended = m->extended,
      .uncalibrated = m->opt.uncalibrated,
      .program = "/proc/self/exe",
      .practice = m->opt.practice ? cli_share_find(PRACTICE_FAULTS) : NULL,
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

/* What was said of a new campaign before it stays with it: best effort, as it was said already. */
static void keep_forecast(const measurement *m) {
  char text[LAB_FORECAST_TEXT];
  if (!m->result.campaign_id || resumes(m)) return;
  for (int t = 0; t < LAB_N_TROUBLES; t++)
    if (lab_forecast_say(&m->ahead.of[m->at].f, (lab_trouble)t, text) >= LAB_LIKELY)
      (void)!cb_store_event_put(m->store, m->result.campaign_id, 0, 0, "forecast", text, NULL);
}

static cb_status measure_campaign(measurement *m, bool ask, cb_err *err) {
  char outside[200];
  warn_unfinished(m);
  if (!resumes(m)) CB_TRY(daq_air_fill(m->rig.bench.air, &m->campaign->conditions, err));
  daq_batch_keep_air(&m->batch, m->at);
  if (ask && !resumes(m)) CB_TRY(cli_ask_conditions(&m->campaign->conditions, err));
  if (cb_conditions_outside(&m->campaign->conditions, outside))
    cli_say("run", "%s; the campaign says so", outside);
  CB_TRY(open_view(m, err));
  cb_status st = run_engine(m, ask, err);
  live_stop(m->view);
  m->view = NULL;
  keep_forecast(m);
  return st;
}

static json_t *result_json(const measurement *m) {
  return json_pack("{s:I, s:s, s:s, s:I, s:I, s:I, s:b, s:f}", "campaign_id",
                   (json_int_t)m->result.campaign_id, "name", m->campaign->name, "origin",
                   cb_origin_names[daq_engine_origin(&m->rig)], "runs_done", (json_int_t)m->result.runs_done,
                   "runs_left", (json_int_t)m->result.runs_left, "runs_failed",
                   (json_int_t)m->result.runs_failed, "stage_may_move", m->result.stage_may_move, "seconds",
                   m->result.seconds);
}

static void say_next(const measurement *m) {
  const cb_standard *s = cb_standard_at(m->campaign->preset);
  if (s && s->window_m > 0)
    cli_say("run", "'clothbench fit standard %lld' evaluates it by %s", (long long)m->result.campaign_id,
            s->title);
}

static void say_done(const measurement *m) {
  cli_say("run", "campaign %lld '%s': %zu run%s in %.1f s, %s", (long long)m->result.campaign_id,
          m->campaign->name, m->result.runs_done, CB_S(m->result.runs_done), m->result.seconds,
          cb_origin_names[daq_engine_origin(&m->rig)]);
  if (m->result.runs_left > 0)
    cli_say("run", "%zu of its runs %s left: --resume goes on with %s", m->result.runs_left,
            CB_ARE(m->result.runs_left), CB_PLURAL(m->result.runs_left, "it", "them"));
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
  if (m->result.untold[0]) cli_say("run", "%s", m->result.untold);
  if (m->result.campaign_id)
    cli_say("run", "%s; %zu run%s %s stored, --resume goes on with campaign %lld", m->result.stage,
            m->result.runs_done, CB_S(m->result.runs_done), CB_WERE(m->result.runs_done),
            (long long)m->result.campaign_id);
  return code;
}

/* Before anything moves: every specimen is there, and of its cloth. */
static cb_status fill_specimens(measurement *m, cb_err *err) {
  for (size_t i = 0; i < m->batch.n; i++) CB_TRY(daq_specimen_fill(m->store, &m->batch.campaigns[i], err));
  return CB_OK;
}

/* One after the other; a batch that is resumed leaves out what is finished. */
static cb_status measure_batch(measurement *m, bool ask, json_t *results, cb_err *err) {
  char alarms[400];
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
    cli_run_judge_new(m->store, m->result.campaign_id, &m->verdicts);
    cli_run_judge_campaign(&m->verdicts);
    cli_run_judge_between(m->store, &m->verdicts);
    CB_TRY(lab_alarms_after(m->store, m->result.campaign_id, person_of(m), alarms, err));
    if (alarms[0]) cli_say("run", "%s", alarms);
  }
  return CB_OK;
}

/* ---- the outlook ---- */

static void clear_forecasts(forecasts *all) {
  for (size_t i = 0; i < all->n; i++) cli_forecast_clear(&all->of[i]);
  free(all->of);
}

static cb_status make_forecasts(const measurement *m, cb_store *s, double calibrated_N, forecasts *all,
                                cb_err *err) {
  *all = (forecasts){.of = calloc(m->batch.n, sizeof *all->of)};
  if (!all->of) return cb_no_memory(err, "the forecasts");
  lab_known_laws known;
  cb_status st = lab_known_laws_read(s, &known, err);
  while (all->n < m->batch.n && st == CB_OK) {
    st = cli_forecast_make(s, &known, &m->rig, &m->batch.campaigns[all->n], calibrated_N, &all->of[all->n],
                           err);
    all->n++;
  }
  lab_known_laws_clear(&known);
  return st;
}

/* All pairs have the same loads: of those that are not known, one is enough. */
static bool is_said_already(const forecasts *all, size_t i) {
  for (size_t k = 0; k < i; k++)
    if (all->of[i].f.from == LAB_EXPECTED_ASSUMED && all->of[k].f.from == LAB_EXPECTED_ASSUMED) return true;
  return false;
}

/* Before anything moves: forces that can be measured. What is only doubtful is said. */
static cb_status judge_batch(const measurement *m, const daq_calibration *k, const forecasts *all,
                             cb_err *err) {
  char doubt[DAQ_DOUBT_TEXT];
  if (daq_outlook_doubts_sign(&m->rig, &k->row, doubt)) cli_say("run", "%s", doubt);
  for (size_t i = 0; i < m->batch.n; i++) {
    const daq_campaign *c = &m->batch.campaigns[i];
    CB_TRY(daq_outlook_judge(c, &m->rig, &k->row, doubt, err));
    if (is_said_already(all, i)) continue;
    if (doubt[0] && all->of[i].f.from != LAB_EXPECTED_PAIR) cli_say("run", "%s", doubt);
    cb_status st = cli_forecast_say("run", &all->of[i], m->opt.anyway, err);
    if (st != CB_OK && m->batch.n > 1) st = cb_fail_in(err, st, "%s on %s", c->cloth, c->body);
    CB_TRY(st);
  }
  return CB_OK;
}

/* s may be NULL. A calibration that does not hold today is refused after the plan was printed. */
static cb_status look_ahead(measurement *m, cb_store *s, bool print, cb_err *err) {
  char today[CB_DATE_SIZE];
  daq_calibration k;
  cb_err refused = {""};
  cb_date_today(today);
  const cb_status chosen = daq_calibration_choose(s, &m->rig, today, m->opt.uncalibrated, &k, &refused);
  cb_status st = make_forecasts(m, s, chosen == CB_OK ? k.row.full_scale_N : 0, &m->ahead, err);
  if (st == CB_OK && print) st = cli_batch_print(&m->batch, &m->rig, m->ahead.of, m->opt.json, err);
  if (st == CB_OK && chosen != CB_OK) {
    *err = refused;
    st = chosen;
  }
  return st == CB_OK ? judge_batch(m, &k, &m->ahead, err) : st;
}

/* The plan, and then whether it would run. A database that does not exist yet has no calibration. */
static cb_status try_out(measurement *m, cb_err *err) {
  const char *db = cli_db_path(m->opt.db);
  cb_store *s = NULL;
  if (access(db, F_OK) == 0) CB_TRY(cb_store_open(db, CB_STORE_READ, &s, err));
  cb_status st = look_ahead(m, s, true, err);
  return cb_store_close_after(s, st, err);
}

/* One that was extended goes on as one that was not finished. */
static cb_status extend(measurement *m, cb_err *err) {
  daq_campaign *c = &m->batch.campaigns[0];
  const daq_extension *more = &m->opt.more;
  if (!m->opt.extend && (more->repeats || more->angles_deg || more->added_masses_g))
    return cb_fail(err, CB_E_ARG, "--repeats, --angles and --loads go with --extend");
  if (m->opt.extend && m->batch.n > 1)
    return cb_fail(err, CB_E_ARG, "--extend: a file of one cloth and one body was wanted");
  if (m->opt.extend) {
    m->campaign = c;
    CB_TRY(daq_extend(m->store, c, more, person_of(m), &m->extended, err));
    m->opt.resume = true;
  } else if (m->opt.resume && m->batch.n == 1) {
    CB_TRY(daq_extend_again(m->store, c, &m->extended, err));
  }
  return CB_OK;
}

static cb_status measure(measurement *m, json_t *results, cb_err *err) {
  CB_TRY(load_rig(m, err));
  CB_TRY(daq_batch_load(m->opt.plan, &m->rig, &m->batch, err));
  if (m->opt.dry_run) return try_out(m, err);
  const bool ask = m->opt.practice || (!m->opt.yes && !daq_engine_emulates(&m->rig));
  if (ask) CB_TRY(check_terminal(err));
  CB_TRY(cli_open_named(cli_db_path(m->opt.db), m->opt.new_names, &m->store, err));
  cb_status st = extend(m, err);
  if (st == CB_OK) st = look_ahead(m, m->store, false, err);
  if (st == CB_OK) st = fill_specimens(m, err);
  if (st == CB_OK) st = measure_batch(m, ask, results, err);
  return cb_store_close_after(m->store, st, err);
}

/* The whole dialogue on the virtual rig, into a database that is thrown away. -1 to go on, or the exit code.
 */
static int begin_practice(measurement *m, char folder[300], char db[400]) {
  cb_err err = {""};
  if (!m->opt.practice) {
    if (m->opt.plan && m->opt.rig) return -1;
    cli_say("run", m->opt.plan ? "--rig is required ('clothbench run --help' tells more)"
                               : "'run CAMPAIGN.yaml --rig RIG.yaml' was wanted, or 'run --practice'");
    return CLI_USAGE;
  }
  if (m->opt.db || m->opt.yes || m->opt.resume || m->opt.dry_run) {
    cli_say(
        "run",
        "--practice keeps nothing and asks everything: it goes without --db, --yes, --resume and --dry-run");
    return CLI_USAGE;
  }
  if (!m->opt.plan) m->opt.plan = cli_share_find(PRACTICE_PLAN);
  if (!m->opt.rig) m->opt.rig = cli_share_find(PRACTICE_RIG);
  const cb_status st = cb_dir_make_temporary("clothbench-practice", folder, 300, &err);
  if (st != CB_OK) return cli_fail("run", st, &err);
  (void)snprintf(db, 400, "%s/practice.db", folder);
  m->opt.db = db;
  cli_say("run", "this is practice: the rig is virtual, some pulls go wrong, and nothing is kept");
  return -1;
}

int cmd_run(int argc, char **argv) {
  measurement m = {0};
  char folder[300] = "", db[400];
  const cli_opt opts[] = {
      {"rig", CLI_TEXT, &m.opt.rig, "rig file; wanted but for --practice"},
      {"db", CLI_TEXT, &m.opt.db, "database to write to"},
      {"new", CLI_SWITCH, &m.opt.new_names, CLI_NEW_HELP},
      {"dry-run", CLI_SWITCH, &m.opt.dry_run,
       "print what would be run in which order, and whether it can; move nothing"},
      {"yes", CLI_SWITCH, &m.opt.yes, "do not ask before samples and weights change"},
      {"resume", CLI_SWITCH, &m.opt.resume, "go on with the newest unfinished campaign of this file"},
      {"extend", CLI_SWITCH, &m.opt.extend, "more runs for a finished campaign of this file, signed"},
      {"repeats", CLI_TEXT, &m.opt.more.repeats, "with --extend: of every direction and load"},
      {"angles", CLI_TEXT, &m.opt.more.angles_deg, "with --extend: directions more [deg]"},
      {"loads", CLI_TEXT, &m.opt.more.added_masses_g, "with --extend: added masses more [g]"},
      {"uncalibrated", CLI_SWITCH, &m.opt.uncalibrated,
       "go on with a calibration that is over or of another cell, and mark the runs"},
      {"anyway", CLI_SWITCH, &m.opt.anyway, CLI_ANYWAY_HELP},
      {"practice", CLI_SWITCH, &m.opt.practice,
       "the whole dialogue on a virtual rig on which some pulls go wrong; nothing is kept"},
      {"json", CLI_SWITCH, &m.opt.json, "one JSON document on standard output"},
  };
  if (argc > 1 && strcmp(argv[1], "init") == 0) {
    argv[1] = argv[0];
    return cli_run_init(argc - 1, argv + 1);
  }
  int stop = cli_parse(argc, argv,
                       "run CAMPAIGN.yaml --rig RIG.yaml [--db FILE] [--dry-run] [--yes] [--resume] "
                       "[--uncalibrated] [--anyway] [--json] "
                       "[--extend [--repeats N] [--angles LIST] [--loads LIST]] | --practice"
                       "\n       clothbench " CLI_RUN_INIT_USAGE,
                       opts, sizeof opts / sizeof opts[0], &m.opt.plan, 0, 1, NULL);
  if (stop < 0) stop = begin_practice(&m, folder, db);
  if (stop >= 0) return stop;
  cb_err err = {""};
  m.stop_flag = cb_signals_listen();
  json_t *results = json_array();
  cb_status st = measure(&m, results, &err);
  int code = report_outcome(&m, results, st, &err);
  clear_forecasts(&m.ahead);
  lab_verdicts_clear(&m.verdicts);
  daq_batch_clear(&m.batch);
  cb_rig_clear(&m.rig);
  if (folder[0]) cb_dir_remove(folder);
  return code;
}
