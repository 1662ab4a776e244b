#include "daq_engine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cb_date.h"
#include "cb_time.h"
#include "daq_bench.h"
#include "daq_calibration.h"
#include "daq_emulator.h"
#include "daq_prompt.h"
#include "daq_session.h"
#include "daq_stream_check.h"
#include "daq_trouble.h"
#include "daq_zero.h"

#define ATTEMPTS 3   /* at a run whose readings cannot be placed, because the computer was busy elsewhere */
#define SETTLE_S 0.2 /* rig time until the force has settled after a move, and all older readings have arrived */

typedef struct engine {
  const daq_engine_job *job;
  cb_rig rig; /* the job's, with the calibration that is in force; its text is borrowed */
  daq_calibration calibration;
  daq_emulator *emulator; /* NULL: a person is the operator */
  daq_bench bench;
  daq_session session;
  daq_trouble told; /* of what went wrong on the bench */
  bool placed;      /* sample and cart are as the cell before wanted them */
  double angle_deg, added_mass_kg;
  daq_zero zero;       /* from the last rest with a slack link */
  double record_s;     /* when the record of the run began, rig seconds */
  int pulling;         /* direction of the last move with the cart: the side on which the link is taut */
  double taut_force_N; /* what it left in the link; >= 0 */
  bool slack;          /* the stage has backed off since */
  int repeat;
  size_t n_done, n_total; /* runs of this session */
} engine;

bool daq_engine_emulates(const cb_rig *rig) { return strcmp(rig->stage.port, "virtual") == 0; }

/* ---- the operator ---- */

static cb_status tell_emulator(engine *e, const daq_cell *c, cb_err *err) {
  if (!e->placed || c->angle_deg != e->angle_deg) CB_TRY(daq_emulator_turn_sample(e->emulator, c->angle_deg, err));
  return daq_emulator_load_cart(e->emulator, c->added_mass_kg, err);
}

/* What the link pulls with, now that the stage stands. */
static cb_status link_force(engine *e, double *force_N, cb_err *err) {
  double reading;
  CB_TRY(daq_bench_rest(&e->bench, SETTLE_S, &reading, err));
  *force_N = e->job->rig->calibration.slope_N_per_unit * (reading - e->zero.mean);
  return CB_OK;
}

static cb_status tell_person(engine *e, const daq_cell *c, cb_err *err) {
  char text[DAQ_PROMPT_SIZE];
  daq_prompt p = {.rig = e->job->rig,
                  .plan = e->job->campaign,
                  .cell = c,
                  .position_m = e->bench.position_m,
                  .turn = !e->placed || c->angle_deg != e->angle_deg,
                  .weigh = !e->placed || c->added_mass_kg != e->added_mass_kg};
  if (!e->job->prompt) return CB_OK;
  if (e->placed) CB_TRY(link_force(e, &p.link_force_N, err));
  daq_prompt_place(&p, text);
  return e->job->prompt(e->job->context, text, err);
}

/* Homing would drag or push whatever hangs on the link to the end of the stage. */
static cb_status home(engine *e, cb_err *err) {
  char text[DAQ_PROMPT_SIZE];
  if (e->job->prompt && !e->emulator) {
    daq_prompt_home(e->job->rig, text);
    CB_TRY(e->job->prompt(e->job->context, text, err));
    CB_TRY(daq_bench_resume(&e->bench, err));
  }
  return daq_bench_home(&e->bench, err);
}

static cb_status set_up(engine *e, const daq_cell *c, cb_err *err) {
  CB_TRY(e->emulator ? tell_emulator(e, c, err) : tell_person(e, c, err));
  e->placed = e->slack = true;
  e->angle_deg = c->angle_deg;
  e->added_mass_kg = c->added_mass_kg;
  e->repeat = c->repeat;
  return daq_bench_resume(&e->bench, err);
}

/* ---- where a pull begins ---- */

static double nominal_begin_m(const engine *e, const daq_cell *c) {
  return e->rig.stage.start_m + (c->direction > 0 ? 0 : e->job->campaign->travel_m);
}

static double back_off_m(const engine *e) {
  const cb_rig_bench *b = &e->rig.bench;
  return b->link_slack_m + e->taut_force_N / b->link_stiffness_N_per_m;
}

static cb_status move_fast(engine *e, double target_m, cb_err *err) {
  const cb_rig_stage *s = &e->rig.stage;
  return daq_bench_move(&e->bench, fmin(fmax(target_m, s->limit_min_m), s->limit_max_m), s->max_speed_m_per_s, err);
}

/* The link is taut on the side `pulling`, by the force that is in it now. */
static cb_status measure_link(engine *e, int pulling, cb_err *err) {
  double reading;
  CB_TRY(daq_bench_rest(&e->bench, SETTLE_S, &reading, err));
  e->pulling = pulling;
  e->slack = false;
  e->taut_force_N = fmax(0, pulling * e->rig.calibration.slope_N_per_unit * (reading - e->zero.mean));
  return CB_OK;
}

/* A pull that alternates with its opposite begins where that one ended, less the play: near enough, if its travel fits. */
static bool good_begin(const engine *e, const daq_cell *c, double x_m) {
  const cb_rig_stage *s = &e->rig.stage;
  double end_m = x_m + c->direction * e->job->campaign->travel_m;
  return fabs(x_m - nominal_begin_m(e, c)) <= back_off_m(e) + e->rig.bench.link_slack_m && end_m >= s->limit_min_m &&
         end_m <= s->limit_max_m;
}

/* Where the link is slack, as the stage stands now. */
static double slack_m(const engine *e) { return e->bench.position_m - (e->slack ? 0 : e->pulling * back_off_m(e)); }

static cb_status back_off(engine *e, cb_err *err) {
  if (e->slack) return CB_OK;
  CB_TRY(move_fast(e, slack_m(e), err));
  e->slack = true;
  return CB_OK;
}

/* Leaves the link slack and in its middle, the stage near where the pull begins. */
static cb_status slacken(engine *e, const daq_cell *c, cb_err *err) {
  double begin_m = nominal_begin_m(e, c), x_m = slack_m(e);
  if (!good_begin(e, c, x_m)) {
    /* Take the cart along, beyond the begin by as much as will be backed off. */
    int towards = begin_m > x_m ? 1 : -1;
    CB_TRY(move_fast(e, begin_m + towards * back_off_m(e), err));
    CB_TRY(measure_link(e, towards, err));
  }
  return back_off(e, err);
}

/* The operator has nothing to do. */
static bool as_it_lies(const engine *e, const daq_cell *c) {
  return e->placed && c->angle_deg == e->angle_deg && c->added_mass_kg == e->added_mass_kg &&
         (c->repeat == e->repeat || !e->job->campaign->fresh_specimens);
}

static cb_status prepare(engine *e, const daq_cell *c, cb_err *err) {
  if (as_it_lies(e, c)) return slacken(e, c, err);
  CB_TRY(move_fast(e, nominal_begin_m(e, c), err));
  return set_up(e, c, err);
}

/* ---- one run ---- */

/* Readings from before the link was slack may still be on their way. */
static cb_status settle(engine *e, cb_err *err) {
  double unused;
  return daq_bench_rest(&e->bench, SETTLE_S, &unused, err);
}

static cb_status take_zero(engine *e, cb_err *err) {
  CB_TRY(daq_zero_take(&e->bench, e->job->campaign->zero_s, e->rig.calibration.resolution, &e->zero, err));
  e->zero.t_s -= e->record_s;
  return CB_OK;
}

static void report_progress(const engine *e, daq_phase phase, const daq_cell *c) {
  const daq_progress p = {
      .phase = phase, .done = e->n_done, .total = e->n_total, .cell = *c, .zero = e->zero.mean, .position_m = e->bench.position_m};
  if (e->job->progress) e->job->progress(e->job->context, &p);
}

static cb_status pull(engine *e, const daq_cell *c, daq_recorder *recorder, cb_err *err) {
  const daq_campaign *plan = e->job->campaign;
  char text[96];
  double target_m = e->bench.position_m + c->direction * plan->travel_m;
  report_progress(e, DAQ_ZEROING, c);
  CB_TRY(take_zero(e, err));
  daq_guard_set_zero(&e->bench.guard, e->zero.mean);
  (void)snprintf(text, sizeof text, "from %.3f to %.3f mm at %g mm/s", e->bench.position_m * 1e3, target_m * 1e3,
                 plan->speed_m_per_s * 1e3);
  CB_TRY(daq_recorder_event(recorder, daq_bench_time_s(&e->bench), "pull", text, err));
  report_progress(e, DAQ_PULLING, c);
  CB_TRY(daq_bench_move(&e->bench, target_m, plan->speed_m_per_s, err));
  return measure_link(e, c->direction, err);
}

/* Best effort: the run's row says the same. */
static void note(engine *e, daq_recorder *recorder, const char *kind, const char *text) {
  (void)!daq_recorder_event(recorder, daq_bench_time_s(&e->bench), kind, text, NULL);
}

/* What went wrong and was got over is said, never hidden: in the run that is recorded, or else in the campaign. */
static void tell_trouble(engine *e, daq_recorder *recorder) {
  daq_trouble_note notes[DAQ_TROUBLE_NOTES];
  size_t n = daq_trouble_news(&e->bench, &e->told, notes);
  for (size_t i = 0; i < n; i++)
    if (recorder)
      note(e, recorder, notes[i].kind, notes[i].text);
    else
      (void)!cb_store_event_put(e->job->store, e->session.campaign_id, 0, 0, notes[i].kind, notes[i].text, NULL);
}

static cb_status pull_recorded(engine *e, const daq_cell *c, const cb_run *run, cb_err *err) {
  daq_recorder *recorder;
  CB_TRY(daq_recorder_start(e->job->store, run->campaign_id, run->id, run->rate_Hz * e->bench.time_scale, &recorder, err));
  cb_status st = daq_bench_resume(&e->bench, err);
  if (st == CB_OK) st = settle(e, err);
  daq_bench_record(&e->bench, recorder);
  e->record_s = e->bench.recording_since_s * e->bench.time_scale;
  if (st == CB_OK) st = pull(e, c, recorder, err);
  if (st != CB_OK) note(e, recorder, st == CB_E_SAFETY ? "guard" : "stop", err->msg);
  tell_trouble(e, recorder);
  daq_bench_record(&e->bench, NULL);
  cb_status stored = daq_recorder_stop(recorder, st == CB_OK ? err : NULL);
  return st == CB_OK ? stored : st;
}

/* The link goes slack once more. The way back is no part of the record, which ends with the pull. */
static cb_status zero_afterwards(engine *e, const cb_run *run, cb_err *err) {
  daq_zero before = e->zero;
  CB_TRY(daq_bench_resume(&e->bench, err));
  CB_TRY(back_off(e, err));
  CB_TRY(settle(e, err));
  CB_TRY(take_zero(e, err));
  return daq_session_zeros(&e->session, run, &before, &e->zero, err);
}

/* What turns a board's counts into its quantities belongs to the run. */
static cb_status describe_channels(engine *e, int64_t run_id, cb_err *err) {
  const daq_force *f = &e->bench.force;
  cb_run_channel list[CB_N_CHANNELS];
  size_t n = f->driver->channels ? f->driver->channels(f, list) : 0;
  for (size_t i = 0; i < n; i++) {
    list[i].run_id = run_id;
    CB_TRY(cb_store_run_channel_put(e->job->store, &list[i], err));
  }
  return CB_OK;
}

/* The row of a run that is to be made again says why. Its bench is in order: the next attempt begins as any run does. */
static cb_status give_up_run(engine *e, const cb_run *run, cb_err *err) {
  return cb_store_run_finish(e->job->store, run->id, CB_RUN_FAILED, "its readings cannot be placed: the run is made again", err);
}

/* *again: the run told too little, and another attempt is wanted. */
static cb_status make_run(engine *e, const daq_cell *c, bool last, bool *again, cb_err *err) {
  cb_run run;
  bool sound;
  CB_TRY(prepare(e, c, err));
  tell_trouble(e, NULL);
  CB_TRY(daq_session_begin_run(&e->session, c, &run, err));
  cb_status st = describe_channels(e, run.id, err);
  if (st == CB_OK) st = pull_recorded(e, c, &run, err);
  cb_status checked = daq_stream_check(e->job->store, &run, e->bench.time_scale, &sound, st == CB_OK ? err : NULL);
  if (st == CB_OK) st = checked;
  *again = st == CB_OK && !sound && !last;
  if (*again) return give_up_run(e, &run, err);
  if (st == CB_OK) st = zero_afterwards(e, &run, err);
  return daq_session_end_run(&e->session, &run, st, err);
}

/* A specimen that is used once cannot be pulled over again. */
static cb_status make_cell(engine *e, const daq_cell *c, cb_err *err) {
  int attempts = e->job->campaign->fresh_specimens ? 1 : ATTEMPTS;
  bool again = true;
  for (int i = 1; i <= attempts && again; i++) CB_TRY(make_run(e, c, i == attempts, &again, err));
  return CB_OK;
}

/* ---- the campaign ---- */

static cb_status make_runs(engine *e, daq_engine_result *result, cb_err *err) {
  daq_cell c = {0};
  e->n_total = e->session.n_left;
  for (size_t i = 0; i < daq_campaign_cells(e->job->campaign); i++) {
    if (e->session.done[i]) continue;
    c = daq_campaign_cell(e->job->campaign, i);
    report_progress(e, DAQ_PREPARING, &c);
    cb_status st = make_cell(e, &c, err);
    if (st != CB_OK) {
      result->runs_failed = st != CB_E_STOPPED;
      return cb_fail_in(err, st, "run at %g deg with %g g, repeat %d, %s", c.angle_deg, c.added_mass_kg * 1e3, c.repeat,
                        c.direction > 0 ? "forward" : "backward");
    }
    result->runs_done = ++e->n_done;
    report_progress(e, DAQ_RUN_ENDED, &c);
  }
  report_progress(e, DAQ_CAMPAIGN_ENDED, &c);
  return cb_store_campaign_finish(e->job->store, e->session.campaign_id, err);
}

static cb_status open_bench(engine *e, cb_err *err) {
  const cb_rig *rig = &e->rig;
  const char *stage_port = rig->stage.port, *force_port = rig->force.port;
  if (daq_engine_emulates(rig)) {
    CB_TRY(daq_emulator_start(e->job->program, rig->path, &e->emulator, err));
    stage_port = daq_emulator_stage_port(e->emulator);
    force_port = daq_emulator_force_port(e->emulator);
  }
  CB_TRY(daq_bench_open(&e->bench, &e->rig, stage_port, force_port, e->job->stop_flag, err));
  e->bench.watcher = e->job->watcher;
  return CB_OK;
}

static cb_status choose_calibration(engine *e, cb_err *err) {
  char today[CB_DATE_SIZE];
  cb_date_today(today);
  CB_TRY(daq_calibration_choose(e->job->store, e->job->rig, e->job->today ? e->job->today : today, e->job->uncalibrated, &e->calibration,
                                err));
  daq_calibration_apply(&e->calibration, &e->rig);
  return CB_OK;
}

cb_status daq_engine_run(const daq_engine_job *job, daq_engine_result *result, cb_err *err) {
  cb_err own = {""};
  if (!err) err = &own; /* the reason goes into the run's row in any case */
  engine e = {.job = job, .rig = *job->rig};
  double began_s = cb_now_monotonic_s();
  cb_status st = CB_OK;
  *result = (daq_engine_result){0};
  CB_GOTO(choose_calibration(&e, err));
  CB_GOTO(open_bench(&e, err));
  CB_GOTO(daq_session_open(&e.session, job, &e.calibration, e.bench.stage.identity, err));
  result->campaign_id = e.session.campaign_id;
  CB_GOTO(home(&e, err));
  CB_GOTO(make_runs(&e, result, err));
done:
  if (e.session.campaign_id) tell_trouble(&e, NULL);
  if (e.session.campaign_id && st != CB_OK) (void)!cb_store_event_put(job->store, e.session.campaign_id, 0, 0, "end", err->msg, NULL);
  daq_bench_close(&e.bench);
  daq_emulator_stop(e.emulator);
  daq_session_clear(&e.session);
  result->seconds = cb_now_monotonic_s() - began_s;
  return st;
}
