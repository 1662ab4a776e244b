#include "daq_look_record.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "daq_engine.h"

/* ---- begin ---- */

/* A program that was killed has closed nothing; the claim tells it from one that goes on. */
static cb_status close_cut_off(cb_store *s, cb_err *err) {
  cb_campaign *list;
  size_t n;
  cb_status st = CB_OK;
  CB_TRY(cb_store_campaigns(s, &list, &n, err));
  for (size_t i = 0; i < n && st == CB_OK; i++) {
    cb_claim claim = {.campaign_id = 0};
    if (list[i].kind != CB_CAMPAIGN_LOOK || list[i].finished_at[0] ||
        cb_claim_take(cb_store_path(s), list[i].id, &claim, NULL) != CB_OK)
      continue;
    st = cb_store_runs_interrupt(s, list[i].id, NULL, err);
    if (st == CB_OK) st = cb_store_campaign_finish(s, list[i].id, err);
    cb_claim_release(&claim);
  }
  free(list);
  return st;
}

static cb_status put_campaign(daq_look_record *r, const daq_look_job *job, cb_err *err) {
  const cb_rig *rig = job->rig;
  char none[] = "";
  cb_campaign c = {.name = "rig live",
                   .kind = CB_CAMPAIGN_LOOK,
                   .plan_text = none,
                   .temperature_degC = NAN,
                   .humidity_percent = NAN,
                   .origin = daq_engine_origin(rig)};
  (void)snprintf(c.operator_name, sizeof c.operator_name, "%s", job->operator_name);
  CB_TRY(cb_store_rig_ensure(r->store, rig->name, rig->text, &c.rig_id, err));
  CB_TRY(cb_store_campaign_put(r->store, &c, err));
  r->run.campaign_id = c.id;
  r->run.rig_id = c.rig_id;
  return cb_claim_take(cb_store_path(r->store), c.id, &r->claim, err);
}

/* Without a calibration in use there is none. */
static cb_status put_calibration(daq_look_record *r, const daq_look_job *job, cb_err *err) {
  if (!job->calibration || job->calibration->row.slope_N_per_unit == 0) return CB_OK;
  cb_calibration c = job->calibration->row;
  c.rig_id = r->run.rig_id;
  if (c.kind == CB_CALIBRATION_DECLARED) CB_TRY(cb_store_calibration_ensure(r->store, &c, err));
  r->run.calibration_id = c.id;
  return CB_OK;
}

/* Pauses leave gaps in the clock of the read-out (rate_Hz 0: the stamps are the times). */
static cb_status put_rows(daq_look_record *r, const daq_look_job *job, const daq_bench *b, cb_err *err) {
  cb_run *n = &r->run;
  *n = (cb_run){.kind = CB_RUN_LOOK, .direction = 1, .repeat = 1, .origin = daq_engine_origin(job->rig)};
  n->angle_deg = n->body_angle_deg = n->incline_deg = n->cart_mass_kg = n->added_mass_kg = NAN;
  n->normal_force_N = n->u_normal_force_N = n->contact_area_m2 = n->speed_m_per_s = n->travel_m = NAN;
  (void)snprintf(n->source, sizeof n->source, "%s", job->rig->name);
  CB_TRY(close_cut_off(r->store, err));
  CB_TRY(put_campaign(r, job, err));
  CB_TRY(put_calibration(r, job, err));
  CB_TRY(cb_store_run_put(r->store, n, err));
  return daq_bench_put_channels(b, r->store, n->id, err);
}

cb_status daq_look_record_begin(daq_look_record *r, const daq_look_job *job, daq_bench *b, cb_err *err) {
  CB_TRY(cb_store_begin(job->store, err));
  r->store = job->store;
  cb_status st = put_rows(r, job, b, err);
  if (st == CB_OK) st = cb_store_commit(r->store, err);
  if (st != CB_OK) {
    cb_store_rollback(r->store);
    r->run.id = 0;
    return st;
  }
  CB_TRY(daq_recorder_start(r->store, r->run.campaign_id, r->run.id, job->rig->force.rate_Hz * b->time_scale,
                            &r->recorder, err));
  daq_bench_record(b, r->recorder);
  if (job->run_id) *job->run_id = r->run.id;
  return CB_OK;
}

/* ---- after that ---- */

cb_status daq_look_record_event(const daq_look_record *r, const daq_bench *b, const char *kind,
                                const char *text, cb_err *err) {
  return r->recorder ? daq_recorder_event(r->recorder, daq_bench_time_s(b), kind, text, err) : CB_OK;
}

static cb_status close_rows(const daq_look_record *r, bool failed, const char *why, cb_err *err) {
  CB_TRY(cb_store_run_finish(r->store, r->run.id, failed ? CB_RUN_FAILED : CB_RUN_DONE, why, err));
  return cb_store_campaign_finish(r->store, r->run.campaign_id, err);
}

cb_status daq_look_record_end(daq_look_record *r, daq_bench *b, cb_status st, cb_err *err) {
  const bool failed = st != CB_OK && st != CB_E_STOPPED;
  cb_err own = {""};
  daq_bench_record(b, NULL);
  cb_status stored = daq_recorder_stop(r->recorder, &own);
  if (r->run.id && stored == CB_OK)
    stored = close_rows(r, failed, failed ? err->msg : "", &own);
  else if (r->run.id)
    (void)!close_rows(r, true, failed ? err->msg : own.msg, NULL);
  cb_claim_release(&r->claim);
  *r = (daq_look_record){.store = NULL};
  if (failed || stored == CB_OK) return st;
  *err = own;
  return stored;
}
