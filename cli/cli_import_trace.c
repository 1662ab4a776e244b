/* A log of a friction rig -> one run with its raw samples, in one transaction. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_time.h"
#include "cli_import.h"
#include "fit_trace.h"

static cb_status put_run(cb_store *s, const cli_import *q, fit_trace *t, cb_err *err) {
  cb_run *r = &t->run;
  cb_campaign c = {
      .kind = CB_CAMPAIGN_IMPORT, .plan_text = t->mapping_text, .temperature_degC = NAN, .humidity_percent = NAN, .origin = CB_IMPORTED};
  CB_TRY(cb_store_material_ensure(s, CB_CLOTH, t->cloth, CB_IMPORTED, &r->cloth_id, err));
  CB_TRY(cb_store_material_ensure(s, CB_BODY, t->body, CB_IMPORTED, &r->body_id, err));
  CB_TRY(cb_store_calibration_ensure(s, &t->calibration, err));
  cli_import_name(q, t->fingerprint, c.name);
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
  CB_TRY(cb_store_chunk_put(s, run, CB_CHANNEL_FORCE, 0, t->force_raw.n, t->force_raw.t_s, t->force_raw.v, err));
  if (t->has_zero) CB_TRY(cb_store_run_zero_put(s, &t->zero, err));
  if (t->motion_raw.n > 0) {
    CB_TRY(cb_store_run_channel_put(s, &t->motion, err));
    CB_TRY(cb_store_chunk_put(s, run, t->motion.channel, 0, t->motion_raw.n, t->motion_raw.t_s, t->motion_raw.v, err));
  }
  for (size_t i = 0; i < t->n_strokes; i++) {
    t->strokes[i].run_id = run;
    CB_TRY(cb_store_run_stroke_put(s, &t->strokes[i], err));
  }
  return CB_OK;
}

static cb_status put_all(cb_store *s, const cli_import *q, fit_trace *t, cb_err *err) {
  CB_TRY(cli_import_refuse_again(s, q, t->fingerprint, err));
  CB_TRY(put_run(s, q, t, err));
  CB_TRY(put_flags(s, &t->run, err));
  CB_TRY(put_samples(s, t, err));
  CB_TRY(cb_store_run_finish(s, t->run.id, CB_RUN_DONE, "", err));
  return cb_store_campaign_finish(s, t->run.campaign_id, err);
}

static cb_status store(const cli_import *q, fit_trace *t, cb_err *err) {
  cb_store *s;
  CB_TRY(cb_store_open(q->db, CB_STORE_WRITE, &s, err));
  cb_status st = cb_store_begin(s, err);
  if (st == CB_OK) st = put_all(s, q, t, err);
  if (st == CB_OK) st = cb_store_commit(s, err);
  if (st != CB_OK) cb_store_rollback(s);
  cb_status closed = cb_store_close(s, st == CB_OK ? err : NULL);
  return st == CB_OK ? closed : st;
}

static json_t *clocks_json(const fit_trace *t) {
  if (!t->two_clocks) return json_null();
  return json_pack("{s:o, s:o, s:o}", "offset_s", cb_json_real(t->clocks.offset_s), "u_offset_s", cb_json_real(t->clocks.u_offset_s),
                   "correlation", t->clocks.scale != 0 ? cb_json_real(t->clocks.correlation) : json_null());
}

static int report(const cli_import *q, const fit_trace *t) {
  if (t->holes) cli_say("import", "%zu hole%s skipped", t->holes, t->holes == 1 ? " was" : "s were");
  if (t->run.flags[0]) cli_say("import", "run %lld is flagged '%s'", (long long)t->run.id, t->run.flags);
  if (q->json)
    return cli_print_json(
        "import", json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:o, s:o, s:s}", "file", q->file, "db", q->db, "origin",
                            "imported", "campaign_id", (json_int_t)t->run.campaign_id, "run_id", (json_int_t)t->run.id, "force_samples",
                            (json_int_t)t->force_raw.n, "motion_samples", (json_int_t)t->motion_raw.n, "labelled_strokes",
                            (json_int_t)t->n_strokes, "holes", (json_int_t)t->holes, "rate_Hz",
                            t->run.rate_Hz > 0 ? json_real(t->run.rate_Hz) : json_null(), "clocks", clocks_json(t), "flags", t->run.flags));
  printf("%s: run %lld with %zu samples of force and %zu of the motion imported into %s (campaign %lld)\n", q->file, (long long)t->run.id,
         t->force_raw.n, t->motion_raw.n, q->db, (long long)t->run.campaign_id);
  if (t->two_clocks)
    printf("  the motion's clock: %+.2g ms to be added to it, u = %.2g ms\n", 1e3 * t->clocks.offset_s, 1e3 * t->clocks.u_offset_s);
  printf("'clothbench fit trace --run %lld --db %s' tells what is in it\n", (long long)t->run.id, q->db);
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

int cli_import_trace(const cli_import *q) {
  cb_err err = {""};
  fit_trace t;
  cb_status st = fit_trace_read(q->mapping, q->file, q->motion_mapping, q->motion, &t, &err);
  if (st == CB_OK) st = store(q, &t, &err);
  int code = st == CB_OK ? report(q, &t) : cli_fail("import", st, &err);
  fit_trace_clear(&t);
  return code;
}
