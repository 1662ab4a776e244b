/* A published or foreign table of friction measurements -> runs and points, in one transaction. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_time.h"
#include "cli_import.h"
#include "fit_import.h"

typedef struct summary {
  int64_t campaign_id;
  size_t pairs;
} summary;

static size_t count_pairs(const fit_import *im) {
  size_t pairs = 0;
  for (size_t i = 0; i < im->n_rows; i++) {
    size_t j = 0;
    while (j < i && (im->rows[j].run.cloth_id != im->rows[i].run.cloth_id || im->rows[j].run.body_id != im->rows[i].run.body_id)) j++;
    pairs += j == i;
  }
  return pairs;
}

static cb_status name_materials(cb_store *s, fit_import *im, cb_err *err) {
  for (size_t i = 0; i < im->n_rows; i++) {
    fit_import_row *row = &im->rows[i];
    CB_TRY(cb_store_material_ensure(s, CB_CLOTH, row->cloth, CB_IMPORTED, &row->run.cloth_id, err));
    CB_TRY(cb_store_material_ensure(s, CB_BODY, row->body, CB_IMPORTED, &row->run.body_id, err));
  }
  return CB_OK;
}

static cb_status put_campaign(cb_store *s, const cli_import *q, fit_import *im, summary *sum, cb_err *err) {
  cb_campaign c = {
      .kind = CB_CAMPAIGN_IMPORT, .plan_text = im->mapping_text, .temperature_degC = NAN, .humidity_percent = NAN, .origin = CB_IMPORTED};
  cli_import_name(q, im->fingerprint, c.name);
  if (sum->pairs == 1) c.cloth_id = im->rows[0].run.cloth_id, c.body_id = im->rows[0].run.body_id;
  CB_TRY(cb_store_campaign_put(s, &c, err));
  sum->campaign_id = c.id;
  if (im->n_conflicts == 0) return CB_OK;
  char text[256];
  (void)snprintf(text, sizeof text, "%zu conflicts; %.200s", im->n_conflicts, im->first_conflict);
  return cb_store_event_put(s, c.id, 0, 0, "import", text, err);
}

static cb_status put_rows(cb_store *s, fit_import *im, const summary *sum, cb_err *err) {
  char now[32];
  cb_now_iso8601(now);
  for (size_t i = 0; i < im->n_rows; i++) {
    fit_import_row *row = &im->rows[i];
    row->run.campaign_id = sum->campaign_id;
    row->run.calibration_id = im->calibration.id;
    memcpy(row->run.finished_at, now, sizeof now);
    CB_TRY(cb_store_run_put(s, &row->run, err));
    row->point.run_id = row->run.id;
    CB_TRY(cb_store_point_put(s, &row->point, err));
  }
  return cb_store_campaign_finish(s, sum->campaign_id, err);
}

static cb_status put_all(cb_store *s, const cli_import *q, fit_import *im, summary *sum, cb_err *err) {
  CB_TRY(cli_import_refuse_again(s, q, im->fingerprint, err));
  CB_TRY(cb_store_calibration_ensure(s, &im->calibration, err));
  CB_TRY(name_materials(s, im, err));
  sum->pairs = count_pairs(im);
  CB_TRY(put_campaign(s, q, im, sum, err));
  return put_rows(s, im, sum, err);
}

static cb_status store(const cli_import *q, fit_import *im, summary *sum, cb_err *err) {
  cb_store *s;
  CB_TRY(cb_store_open(q->db, CB_STORE_WRITE, &s, err));
  cb_status st = cb_store_begin(s, err);
  if (st == CB_OK) st = put_all(s, q, im, sum, err);
  if (st == CB_OK) st = cb_store_commit(s, err);
  if (st != CB_OK) cb_store_rollback(s);
  cb_status closed = cb_store_close(s, st == CB_OK ? err : NULL);
  return st == CB_OK ? closed : st;
}

static int report(const cli_import *q, const fit_import *im, const summary *sum) {
  if (im->n_conflicts)
    cli_say("import", "%zu row%s kept whose reading and coefficient disagree, first %s", im->n_conflicts,
            im->n_conflicts == 1 ? " was" : "s were", im->first_conflict);
  if (im->n_holes)
    cli_say("import", "%zu hole%s skipped: neither reading nor coefficient", im->n_holes, im->n_holes == 1 ? " was" : "s were");
  if (q->json)
    return cli_print_json(
        "import", json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I}", "file", q->file, "db", q->db, "origin", "imported", "campaign_id",
                            (json_int_t)sum->campaign_id, "points", (json_int_t)im->n_rows, "pairs", (json_int_t)sum->pairs, "holes",
                            (json_int_t)im->n_holes, "conflicts", (json_int_t)im->n_conflicts));
  printf("%s: %zu points of %zu pair%s imported into %s (campaign %lld)\n", q->file, im->n_rows, sum->pairs, sum->pairs == 1 ? "" : "s",
         q->db, (long long)sum->campaign_id);
  return fflush(stdout) == 0 ? CLI_DONE : CLI_FAILED;
}

int cli_import_friction(const cli_import *q) {
  cb_err err = {""};
  fit_import im;
  summary sum = {0};
  cb_status st = fit_import_read(q->mapping, q->file, &im, &err);
  if (st == CB_OK) st = store(q, &im, &sum, &err);
  int code = st == CB_OK ? report(q, &im, &sum) : cli_fail("import", st, &err);
  fit_import_clear(&im);
  return code;
}
