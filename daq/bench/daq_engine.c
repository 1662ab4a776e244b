#include "daq_engine.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cb_date.h"
#include "cb_text.h"
#include "cb_time.h"
#include "daq_air.h"
#include "daq_failure.h"
#include "daq_place.h"
#include "daq_stream_check.h"

#define ATTEMPTS 3 /* at a run whose readings cannot be placed, because the computer was busy elsewhere */

bool daq_engine_emulates(const cb_rig *rig) { return strcmp(rig->stage.port, "virtual") == 0; }

/* ---- one run ---- */

static cb_status take_zero(daq_engine *e, cb_err *err) {
  CB_TRY(daq_zero_take(&e->bench, e->job->campaign->zero_s, e->rig.calibration.resolution, &e->zero, err));
  e->zero.t_s -= e->record_s;
  return CB_OK;
}

static void report_progress(const daq_engine *e, daq_phase phase, const daq_cell *c) {
  const daq_progress p = {.phase = phase,
                          .done = e->n_done,
                          .total = e->n_total,
                          .cell = *c,
                          .zero = e->zero.mean,
                          .position_m = e->bench.position_m,
                          .last_run = e->last_run};
  if (e->job->progress) e->job->progress(e->job->context, &p);
}

static cb_status pull(daq_engine *e, const daq_cell *c, daq_recorder *recorder, cb_err *err) {
  const daq_campaign *plan = e->job->campaign;
  char text[96];
  double target_m = e->bench.position_m + c->direction * plan->travel_m;
  report_progress(e, DAQ_ZEROING, c);
  CB_TRY(take_zero(e, err));
  e->zeroed = true;
  daq_guard_set_zero(&e->bench.guard, e->zero.mean);
  daq_guard_set_still_limit(&e->bench.guard, e->zero.still_limit);
  (void)snprintf(text, sizeof text, "from %.3f to %.3f mm at %g mm/s", e->bench.position_m * 1e3,
                 target_m * 1e3, plan->speed_m_per_s * 1e3);
  CB_TRY(daq_recorder_event(recorder, daq_bench_time_s(&e->bench), "pull", text, err));
  report_progress(e, DAQ_PULLING, c);
  CB_TRY(daq_bench_move(&e->bench, target_m, plan->speed_m_per_s, err));
  report_progress(e, DAQ_ENDING_RUN, c);
  return daq_place_measure_link(e, c->direction, err);
}

/* Best effort: the run's row says the same. */
static void note_event(daq_engine *e, daq_recorder *recorder, const char *kind, const char *text) {
  (void)!daq_recorder_event(recorder, daq_bench_time_s(&e->bench), kind, text, NULL);
}

static void note_campaign(daq_engine *e, const char *kind, const char *text) {
  (void)!cb_store_event_put(e->job->store, e->session.campaign_id, 0, 0, kind, text, NULL);
}

/* The air as it is now, before every run. Best effort: a sensor that fails later is no reason to end. */
static void tell_air(daq_engine *e, int64_t run_id) {
  const char *folder = e->rig.bench.air;
  cb_conditions now = cb_conditions_unknown();
  char text[256] = "";
  cb_err why = {""};
  if (!folder[0]) return;
  const cb_status st = daq_air_fill(folder, &now, &why);
  if (st != CB_OK) (void)snprintf(text, sizeof text, "%.200s", why.msg);
  if (st == CB_OK && isfinite(now.temperature_degC))
    cb_text_add(text, sizeof text, ", ", "%g degC", now.temperature_degC);
  if (st == CB_OK && isfinite(now.humidity_percent))
    cb_text_add(text, sizeof text, ", ", "%g %%", now.humidity_percent);
  (void)!cb_store_event_put(e->job->store, e->session.campaign_id, run_id, 0, "air", text, NULL);
}

/* What went wrong and was got over is said, never hidden: in the run that is recorded, or else in the
 * campaign. */
static void tell_trouble(daq_engine *e, daq_recorder *recorder) {
  daq_trouble_note notes[DAQ_TROUBLE_NOTES];
  size_t n = daq_trouble_news(&e->bench, &e->told, notes);
  for (size_t i = 0; i < n; i++)
    if (recorder)
      note_event(e, recorder, notes[i].kind, notes[i].text);
    else
      note_campaign(e, notes[i].kind, notes[i].text);
}

static cb_status pull_recorded(daq_engine *e, const daq_cell *c, const cb_run *run, cb_err *err) {
  daq_recorder *recorder;
  CB_TRY(daq_recorder_start(e->job->store, run->campaign_id, run->id, run->rate_Hz * e->bench.time_scale,
                            &recorder, err));
  cb_status st = daq_bench_resume(&e->bench, err);
  if (st == CB_OK) st = daq_place_settle(e, err);
  daq_bench_record(&e->bench, recorder);
  e->record_s = e->bench.recording_since_s * e->bench.time_scale;
  if (st == CB_OK) st = pull(e, c, recorder, err);
  if (st != CB_OK) note_event(e, recorder, st == CB_E_SAFETY ? "guard" : "stop", err->msg);
  tell_trouble(e, recorder);
  daq_bench_record(&e->bench, NULL);
  cb_status stored = daq_recorder_stop(recorder, st == CB_OK ? err : NULL);
  return st == CB_OK ? stored : st;
}

/* The link goes slack once more. The way back is no part of the record, which ends with the pull. */
static cb_status zero_afterwards(daq_engine *e, const cb_run *run, cb_err *err) {
  daq_zero before = e->zero;
  CB_TRY(daq_bench_resume(&e->bench, err));
  CB_TRY(daq_place_back_off(e, err));
  CB_TRY(daq_place_settle(e, err));
  CB_TRY(take_zero(e, err));
  return daq_session_zero_after(&e->session, run, &before, &e->zero, err);
}

/* The row of a run that is to be made again says why. Its bench is in order: the next attempt begins as any
 * run does. */
static cb_status give_up_run(daq_engine *e, const cb_run *run, cb_err *err) {
  return cb_store_run_finish(e->job->store, run->id, CB_RUN_FAILED,
                             "its readings cannot be placed: the run is made again", err);
}

/* *again: the run told too little, and another attempt is wanted. */
static cb_status make_run(daq_engine *e, const daq_cell *c, bool last, bool *again, cb_err *err) {
  cb_run run;
  bool sound;
  *again = false;
  CB_TRY(daq_place_prepare(e, c, err));
  if (e->answer != DAQ_GO_ON) return CB_OK;
  tell_trouble(e, NULL);
  CB_TRY(daq_session_begin_run(&e->session, c, e->bench.force.asked, &run, err));
  tell_air(e, run.id);
  cb_status st = daq_bench_put_channels(&e->bench, e->job->store, run.id, err);
  e->zeroed = false;
  if (st == CB_OK) st = pull_recorded(e, c, &run, err);
  cb_status checked =
      e->zeroed ? daq_session_zero_before(&e->session, &run, &e->zero, st == CB_OK ? err : NULL) : CB_OK;
  if (st == CB_OK) st = checked;
  checked = daq_stream_check(e->job->store, &run, e->bench.time_scale, &sound, st == CB_OK ? err : NULL);
  if (st == CB_OK) st = checked;
  *again = st == CB_OK && !sound && !last;
  if (*again) return give_up_run(e, &run, err);
  if (st == CB_OK) st = zero_afterwards(e, &run, err);
  CB_TRY(daq_session_end_run(&e->session, &run, st, err));
  e->last_run = run.id;
  return CB_OK;
}

/* A specimen that is used once cannot be pulled over again. */
static cb_status make_cell(daq_engine *e, const daq_cell *c, cb_err *err) {
  int attempts = e->job->campaign->fresh_specimens ? 1 : ATTEMPTS;
  bool again = true;
  for (int i = 1; i <= attempts && again; i++) CB_TRY(make_run(e, c, i == attempts, &again, err));
  return CB_OK;
}

/* ---- the campaign ---- */

/* What the bench can do of a cell, and how far the campaign is then. */
static cb_status count_cell(daq_engine *e, size_t i, daq_engine_result *result, cb_err *err) {
  const daq_cell c = e->cell = daq_campaign_cell(e->job->campaign, i);
  report_progress(e, DAQ_PREPARING, &c);
  const cb_status st = make_cell(e, &c, err);
  if (st != CB_OK) {
    result->runs_failed = st != CB_E_STOPPED;
    return cb_fail_in(err, st, "run at %g deg with %g g, repeat %d, %s", c.angle_deg, c.added_mass_kg * 1e3,
                      c.repeat, c.direction > 0 ? "forward" : "backward");
  }
  if (e->answer != DAQ_GO_ON) return CB_OK;
  e->last_cell = i;
  result->runs_done = ++e->n_done;
  report_progress(e, DAQ_RUN_ENDED, &c);
  return CB_OK;
}

/* Sample and cart lie as for the last run, unless its specimen can be used only once. */
static cb_status repeat_last(daq_engine *e, daq_engine_result *result, cb_err *err) {
  if (e->last_run == 0) return CB_OK;
  CB_TRY(daq_session_void(&e->session, e->last_run, err));
  if (e->job->campaign->fresh_specimens) e->placed = false;
  e->n_total++;
  return count_cell(e, e->last_cell, result, err);
}

/* The person may ask for the last run again, and is then asked anew. */
static cb_status make_next(daq_engine *e, size_t i, daq_engine_result *result, cb_err *err) {
  CB_TRY(count_cell(e, i, result, err));
  while (e->answer == DAQ_REPEAT) {
    CB_TRY(repeat_last(e, result, err));
    CB_TRY(count_cell(e, i, result, err));
  }
  return CB_OK;
}

static cb_status make_runs(daq_engine *e, daq_engine_result *result, cb_err *err) {
  daq_cell last = {0};
  e->n_total = e->session.n_left;
  for (size_t i = 0; i < daq_campaign_cells(e->job->campaign); i++) {
    if (e->session.done[i]) continue;
    last = daq_campaign_cell(e->job->campaign, i);
    CB_TRY(make_next(e, i, result, err));
  }
  report_progress(e, DAQ_CAMPAIGN_ENDED, &last);
  CB_TRY(daq_session_count_left(&e->session, &result->runs_left, err));
  if (result->runs_left > 0 || e->session.was_finished) return CB_OK;
  return cb_store_campaign_finish(e->job->store, e->session.campaign_id, err);
}

static cb_status open_bench(daq_engine *e, cb_err *err) {
  const cb_rig *rig = &e->rig;
  const char *stage_port = rig->stage.port, *force_port = rig->force.port;
  if (daq_engine_emulates(rig)) {
    CB_TRY(daq_emulator_play(e->job->program, rig->path, e->job->practice, &e->emulator, err));
    stage_port = daq_emulator_stage_port(e->emulator);
    force_port = daq_emulator_force_port(e->emulator);
  }
  CB_TRY(daq_bench_open(&e->bench, &e->rig, stage_port, force_port, e->job->stop_flag, err));
  e->bench.watcher = e->job->watcher;
  if (e->calibration.row.kind == CB_CALIBRATION_MEASURED && isfinite(e->calibration.row.intercept))
    daq_guard_set_calibrated_zero(&e->bench.guard, e->calibration.row.intercept);
  return CB_OK;
}

static cb_status choose_calibration(daq_engine *e, cb_err *err) {
  char today[CB_DATE_SIZE];
  cb_date_today(today);
  CB_TRY(daq_calibration_choose(e->job->store, e->job->rig, e->job->today ? e->job->today : today,
                                e->job->uncalibrated, &e->calibration, err));
  daq_calibration_apply(&e->calibration, &e->rig);
  return CB_OK;
}

/* The stage first, then the words about it: whoever reads them must know whether it stands. */
static cb_status end_session(daq_engine *e, cb_status st, daq_engine_result *result, cb_err *err) {
  const bool told = daq_bench_halt(&e->bench, result->stage);
  result->stage_may_move = e->bench.may_move;
  if (st == CB_OK && !told) st = cb_fail(err, CB_E_DEVICE, "all runs were made, and then %s", result->stage);
  if (e->session.campaign_id == 0) return st;
  tell_trouble(e, NULL);
  if (st != CB_OK) {
    note_campaign(e, "end", err->msg);
    if (!told) note_campaign(e, "untold", result->stage);
    report_progress(e, result->stage_may_move ? DAQ_BROKEN_OFF_LOOSE : DAQ_BROKEN_OFF, &e->cell);
  }
  return st;
}

cb_status daq_engine_run(const daq_engine_job *job, daq_engine_result *result, cb_err *err) {
  cb_err own = {""};
  if (!err) err = &own; /* the reason goes into the run's row in any case */
  daq_engine e = {.job = job, .rig = *job->rig};
  double began_s = cb_now_monotonic_s();
  cb_status st = CB_OK;
  *result = (daq_engine_result){0};
  CB_GOTO(choose_calibration(&e, err));
  CB_GOTO(open_bench(&e, err));
  CB_GOTO(daq_session_open(&e.session, job, &e.calibration, e.bench.stage.identity, err));
  result->campaign_id = e.session.campaign_id;
  daq_guard_set_first_zero(&e.bench.guard, e.session.first_zero);
  CB_GOTO(daq_place_home(&e, err));
  CB_GOTO(make_runs(&e, result, err));
done:
  st = end_session(&e, st, result, err);
  daq_bench_close(&e.bench);
  daq_emulator_stop(e.emulator);
  daq_session_clear(&e.session);
  result->seconds = cb_now_monotonic_s() - began_s;
  if (st != CB_OK) daq_failure_tell(job, result, st, err);
  return st;
}
