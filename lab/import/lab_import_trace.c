#include <math.h>
#include <stdio.h>
#include <string.h>

#include "lab_import_parts.h"
#include "lab_transact.h"

static cb_status put_run(cb_store *s, const char *file, fit_trace *t, cb_err *err) {
  cb_run *r = &t->run;
  cb_campaign c = {.kind = CB_CAMPAIGN_IMPORT,
                   .plan_text = t->mapping_text,
                   .temperature_degC = NAN,
                   .humidity_percent = NAN,
                   .origin = CB_IMPORTED};
  CB_TRY(cb_store_material_ensure(s, CB_CLOTH, t->cloth, CB_IMPORTED, &r->cloth_id, err));
  CB_TRY(cb_store_material_ensure(s, CB_BODY, t->body, CB_IMPORTED, &r->body_id, err));
  CB_TRY(cb_store_calibration_ensure(s, &t->calibration, err));
  lab_import_name(file, t->fingerprint, c.name);
  c.cloth_id = r->cloth_id;
  c.body_id = r->body_id;
  CB_TRY(cb_store_campaign_put(s, &c, err));
  r->campaign_id = c.id;
  r->calibration_id = t->calibration.id;
  return cb_store_run_put(s, r, err);
}

static cb_status put_flags(cb_store *s, const cb_run *r, cb_err *err) {
  char words[sizeof r->flags], *rest = words;
  (void)snprintf(words, sizeof words, "%s", r->flags);
  for (char *word; (word = strtok_r(rest, " ", &rest));) CB_TRY(cb_store_run_flag(s, r->id, word, err));
  return CB_OK;
}

static cb_status put_samples(cb_store *s, fit_trace *t, cb_err *err) {
  int64_t run = t->run.id;
  t->force.run_id = t->motion.run_id = t->zero.run_id = run;
  CB_TRY(cb_store_run_channel_put(s, &t->force, err));
  CB_TRY(
      cb_store_chunk_put(s, run, CB_CHANNEL_FORCE, 0, t->force_raw.n, t->force_raw.t_s, t->force_raw.v, err));
  if (t->has_zero) CB_TRY(cb_store_run_zero_put(s, &t->zero, err));
  if (t->motion_raw.n > 0) {
    CB_TRY(cb_store_run_channel_put(s, &t->motion, err));
    CB_TRY(cb_store_chunk_put(s, run, t->motion.channel, 0, t->motion_raw.n, t->motion_raw.t_s,
                              t->motion_raw.v, err));
  }
  for (size_t i = 0; i < t->n_strokes; i++) {
    t->strokes[i].run_id = run;
    CB_TRY(cb_store_run_stroke_put(s, &t->strokes[i], err));
  }
  return CB_OK;
}

typedef struct record {
  const char *file;
  fit_trace *trace;
} record;

static cb_status put_record(cb_store *s, void *context, cb_err *err) {
  const record *r = context;
  fit_trace *t = r->trace;
  CB_TRY(lab_import_refuse_again(s, r->file, t->fingerprint, err));
  CB_TRY(put_run(s, r->file, t, err));
  CB_TRY(put_flags(s, &t->run, err));
  CB_TRY(put_samples(s, t, err));
  CB_TRY(cb_store_run_finish(s, t->run.id, CB_RUN_DONE, "", err));
  return cb_store_campaign_finish(s, t->run.campaign_id, err);
}

cb_status lab_trace_store(cb_store *s, const char *file, fit_trace *t, cb_err *err) {
  return lab_transact(s, put_record, &(record){file, t}, err);
}

cb_status lab_import_trace(const lab_import *q, fit_trace *out, cb_err *err) {
  cb_store *s;
  CB_TRY(fit_trace_read(q->mapping, q->file, q->motion_mapping, q->motion, out, err));
  CB_TRY(lab_import_open(q, &s, err));
  return cb_store_close_after(s, lab_trace_store(s, q->file, out, err), err);
}
