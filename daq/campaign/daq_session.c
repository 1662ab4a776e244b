#include "daq_session.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_plural.h"
#include "cb_stats.h"
#include "cb_store_correction.h"
#include "cb_stray.h"
#include "daq_campaign_impl.h"

cb_origin daq_engine_origin(const cb_rig *rig) { return rig->virt.present ? CB_VIRTUAL : CB_MEASURED; }

/* ---- what all runs refer to ---- */

static cb_status ensure_rig(daq_session *s, cb_err *err) {
  const cb_rig *rig = s->job->rig;
  cb_calibration c = s->calibration->row;
  CB_TRY(cb_store_rig_ensure(s->job->store, rig->name, rig->text, &s->rig_id, err));
  if (c.kind == CB_CALIBRATION_DECLARED) {
    c.rig_id = s->rig_id;
    CB_TRY(cb_store_calibration_ensure(s->job->store, &c, err));
  }
  s->calibration_id = c.id;
  return CB_OK;
}

static cb_status ensure_pair(daq_session *s, cb_err *err) {
  const daq_campaign *c = s->job->campaign;
  cb_specimen specimen;
  CB_TRY(daq_specimen_find(s->job->store, c, &specimen, err));
  s->specimen_id = specimen.id;
  CB_TRY(cb_store_material_ensure(s->job->store, CB_CLOTH, c->cloth, s->origin, &s->cloth_id, err));
  return cb_store_material_ensure(s->job->store, CB_BODY, c->body, s->origin, &s->body_id, err);
}

/* ---- the campaign ---- */

static cb_status put_conditions(daq_session *s, cb_err *err) {
  const daq_campaign *plan = s->job->campaign;
  char outside[200];
  CB_TRY(cb_store_conditions_put(s->job->store, s->campaign_id, cb_standard_names[plan->preset],
                                 &plan->conditions, err));
  if (!cb_conditions_outside(&plan->conditions, outside)) return CB_OK;
  return cb_store_event_put(s->job->store, s->campaign_id, 0, 0, "atmosphere", outside, err);
}

static cb_status put_campaign(daq_session *s, cb_err *err) {
  const daq_campaign *plan = s->job->campaign;
  cb_campaign c = {.kind = (cb_campaign_kind)plan->kind,
                   .cloth_id = s->cloth_id,
                   .body_id = s->body_id,
                   .rig_id = s->rig_id,
                   .plan_text = plan->text,
                   .temperature_degC = plan->conditions.temperature_degC,
                   .humidity_percent = plan->conditions.humidity_percent,
                   .origin = s->origin};
  memcpy(c.name, plan->name, sizeof c.name);
  const char *person = s->job->person ? s->job->person : "";
  (void)snprintf(c.operator_name, sizeof c.operator_name, "%s",
                 plan->operator_name[0] ? plan->operator_name : person);
  CB_TRY(cb_store_campaign_put(s->job->store, &c, err));
  s->campaign_id = c.id;
  CB_TRY(cb_claim_take(cb_store_path(s->job->store), c.id, &s->claim, err));
  return put_conditions(s, err);
}

static bool is_cell(const cb_run *r, const daq_cell *c) {
  return r->angle_deg == c->angle_deg && cb_run_same_body_angle(r->body_angle_deg, c->body_angle_deg) &&
         r->added_mass_kg == c->added_mass_kg && r->repeat == c->repeat && r->direction == c->direction;
}

static cb_status mark_done(daq_session *s, cb_err *err) {
  cb_run_filter f = cb_run_filter_all();
  cb_run *runs;
  size_t n;
  f.campaign_id = s->campaign_id;
  f.status = CB_RUN_DONE;
  CB_TRY(cb_store_runs(s->job->store, &f, &runs, &n, err));
  for (size_t i = 0; i < daq_campaign_cells(s->job->campaign); i++) {
    daq_cell c = daq_campaign_cell(s->job->campaign, i);
    for (size_t k = 0; k < n && !s->done[i]; k++) s->done[i] = is_cell(&runs[k], &c);
    s->n_left -= s->done[i];
  }
  free(runs);
  return CB_OK;
}

/* Of the first run that has one, whatever became of it. */
static cb_status find_first_zero(daq_session *s, cb_err *err) {
  cb_run_filter f = cb_run_filter_all();
  cb_run_zero zero;
  cb_run *runs;
  size_t n;
  cb_status st = CB_E_NOTFOUND;
  f.campaign_id = s->campaign_id;
  CB_TRY(cb_store_runs(s->job->store, &f, &runs, &n, err));
  for (size_t i = 0; i < n && st == CB_E_NOTFOUND; i++)
    st = cb_store_run_zero_get(s->job->store, runs[i].id, CB_ZERO_BEFORE, &zero, err);
  free(runs);
  if (st == CB_OK) s->first_zero = zero.mean;
  return st == CB_E_NOTFOUND ? CB_OK : st;
}

static cb_status find_campaign(daq_session *s, cb_err *err) {
  cb_campaign c;
  char text[64];
  size_t n;
  const daq_engine_job *job = s->job;
  CB_TRY(job->extended
             ? cb_store_campaign_get(job->store, job->extended, &c, err)
             : cb_store_campaign_unfinished(job->store, job->campaign->name, job->campaign->text, &c, err));
  s->was_finished = c.finished_at[0] != '\0';
  if (c.origin != s->origin)
    return cb_fail(err, CB_E_ARG, "campaign %lld '%s' is %s, this rig is %s: they cannot be one campaign",
                   (long long)c.id, c.name, cb_origin_names[c.origin], cb_origin_names[s->origin]);
  s->campaign_id = c.id;
  /* Before its rows are touched: a run that is under way elsewhere is none that was cut off. */
  CB_TRY(cb_claim_take(cb_store_path(s->job->store), c.id, &s->claim, err));
  CB_TRY(cb_store_runs_interrupt(s->job->store, c.id, &n, err));
  CB_TRY(mark_done(s, err));
  CB_TRY(find_first_zero(s, err));
  (void)snprintf(text, sizeof text, "%zu run%s %s left, %zu had been cut off", s->n_left, CB_S(s->n_left),
                 CB_ARE(s->n_left), n);
  return cb_store_event_put(s->job->store, s->campaign_id, 0, 0, "resume", text, err);
}

static cb_status open_rows(daq_session *s, const char *identity, cb_err *err) {
  CB_TRY(ensure_rig(s, err));
  CB_TRY(ensure_pair(s, err));
  CB_TRY(s->job->resume ? find_campaign(s, err) : put_campaign(s, err));
  CB_TRY(cb_store_event_put(s->job->store, s->campaign_id, 0, 0, "stage", identity, err));
  char runs[32];
  (void)snprintf(runs, sizeof runs, "%zu run%s", daq_campaign_cells(s->job->campaign),
                 CB_S(daq_campaign_cells(s->job->campaign)));
  return s->job->resume ? CB_OK : cb_store_event_put(s->job->store, s->campaign_id, 0, 0, "plan", runs, err);
}

cb_status daq_session_open(daq_session *s, const daq_engine_job *job, const daq_calibration *calibration,
                           const char *identity, cb_err *err) {
  size_t n = daq_campaign_cells(job->campaign);
  *s = (daq_session){.job = job,
                     .calibration = calibration,
                     .origin = daq_engine_origin(job->rig),
                     .n_left = n,
                     .first_zero = NAN,
                     .done = calloc(n, sizeof *s->done)};
  if (!s->done) return cb_no_memory(err, "a campaign of %zu runs", n);
  CB_TRY(cb_store_begin(job->store, err));
  cb_status st = open_rows(s, identity, err);
  if (st == CB_OK) st = cb_store_commit(job->store, err);
  if (st != CB_OK) {
    cb_store_rollback(job->store);
    cb_claim_release(&s->claim);
    s->campaign_id = 0;
  }
  return st;
}

void daq_session_clear(daq_session *s) {
  cb_claim_release(&s->claim);
  free(s->done);
  s->done = NULL;
}

/* ---- one run ---- */

cb_status daq_session_begin_run(daq_session *s, const daq_cell *cell, bool asked, cb_run *run, cb_err *err) {
  const cb_rig *rig = s->job->rig;
  const cb_rig_bench *b = &rig->bench;
  const daq_campaign *plan = s->job->campaign;
  *run = (cb_run){
      .campaign_id = s->campaign_id,
      .cloth_id = s->cloth_id,
      .body_id = s->body_id,
      .rig_id = s->rig_id,
      .calibration_id = s->calibration_id,
      .specimen_id = s->specimen_id,
      .kind = plan->kind == CB_CAMPAIGN_SLIDE ? CB_RUN_SLIDE : CB_RUN_PULL,
      .angle_deg = cell->angle_deg,
      .body_angle_deg = cell->body_angle_deg,
      .cart_mass_kg = b->cart_mass_kg,
      .added_mass_kg = cell->added_mass_kg,
      .normal_force_N = (b->cart_mass_kg + cell->added_mass_kg) * b->gravity_m_per_s2,
      .u_normal_force_N = b->u_mass_kg * b->gravity_m_per_s2,
      .contact_area_m2 = b->contact_area_m2,
      .speed_m_per_s = plan->speed_m_per_s,
      .travel_m = plan->travel_m,
      .direction = cell->direction,
      .repeat = cell->repeat,
      .rate_Hz = asked ? 0 : rig->force.rate_Hz,
      .origin = s->origin,
      .status = CB_RUN_RUNNING,
  };
  (void)snprintf(run->source, sizeof run->source, "%s", rig->name);
  CB_TRY(cb_store_run_put(s->job->store, run, err));
  return s->calibration->flag ? cb_store_run_flag(s->job->store, run->id, s->calibration->flag, err) : CB_OK;
}

static cb_status put_zero(daq_session *s, const cb_run *run, cb_zero_phase phase, const daq_zero *z,
                          cb_err *err) {
  const cb_run_zero row = {
      .run_id = run->id, .phase = phase, .mean = z->mean, .sd = z->sd, .n = z->n, .t_s = z->t_s};
  return cb_store_run_zero_put(s->job->store, &row, err);
}

cb_status daq_session_zero_before(daq_session *s, const cb_run *run, const daq_zero *before, cb_err *err) {
  return put_zero(s, run, CB_ZERO_BEFORE, before, err);
}

/* The readings before the pull are part of the record, whose check has told of them. */
static cb_status tell_stray_zero(daq_session *s, const cb_run *run, const daq_zero *after, cb_err *err) {
  char text[120];
  if (after->n_stray == 0) return CB_OK;
  (void)snprintf(text, sizeof text, "%zu of the %zu reading%s of the zero after the pull %s alone",
                 after->n_stray, after->n, CB_S(after->n), CB_PLURAL(after->n_stray, "stands", "stand"));
  CB_TRY(cb_store_event_put(s->job->store, s->campaign_id, run->id, after->t_s, "spike", text, err));
  return cb_store_run_flag(s->job->store, run->id, CB_STRAY_FLAG, err);
}

cb_status daq_session_zero_after(daq_session *s, const cb_run *run, const daq_zero *before,
                                 const daq_zero *after, cb_err *err) {
  char text[160];
  double slope = s->calibration->row.slope_N_per_unit, chance;
  CB_TRY(put_zero(s, run, CB_ZERO_AFTER, after, err));
  CB_TRY(tell_stray_zero(s, run, after, err));
  if (!daq_zero_drifted(before, after, &chance)) return CB_OK;
  (void)snprintf(text, sizeof text,
                 "the zero went by %.3g N from before the pull to after it; chance explains %.2g N",
                 slope * (after->mean - before->mean), fabs(slope) * chance);
  CB_TRY(cb_store_event_put(s->job->store, s->campaign_id, run->id, after->t_s, "zero-drift", text, err));
  return cb_store_run_flag(s->job->store, run->id, "zero-drift", err);
}

cb_status daq_session_end_run(daq_session *s, const cb_run *run, cb_status outcome, cb_err *err) {
  cb_run_status status = outcome == CB_OK          ? CB_RUN_DONE
                         : outcome == CB_E_STOPPED ? CB_RUN_ABORTED
                                                   : CB_RUN_FAILED;
  /* What went wrong first is what the person must hear, not that it could not be written down. */
  cb_status st = cb_store_run_finish(s->job->store, run->id, status, outcome == CB_OK ? "" : err->msg,
                                     outcome == CB_OK ? err : NULL);
  return outcome == CB_OK ? st : outcome;
}

/* ---- after a run ---- */

cb_status daq_session_void(daq_session *s, int64_t run_id, cb_err *err) {
  const daq_campaign *plan = s->job->campaign;
  const char *person = s->job->person ? s->job->person : plan->operator_name;
  cb_run run;
  cb_correction c = {
      .run_id = run_id, .kind = CB_CORRECTION_VOID, .reason = "repeated at once, at the bench"};
  CB_TRY(cb_store_run_get(s->job->store, run_id, &run, err));
  if (run.status == CB_RUN_VOIDED) return CB_OK;
  (void)snprintf(c.operator_name, sizeof c.operator_name, "%s", person[0] ? person : "operator");
  return cb_store_correction_put(s->job->store, &c, err);
}

cb_status daq_session_count_left(daq_session *s, size_t *n, cb_err *err) {
  const size_t cells = daq_campaign_cells(s->job->campaign);
  memset(s->done, 0, cells * sizeof *s->done);
  s->n_left = cells;
  CB_TRY(mark_done(s, err));
  *n = s->n_left;
  return CB_OK;
}
