#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_plural.h"
#include "cb_time.h"
#include "lab_import_parts.h"
#include "lab_transact.h"

static size_t count_pairs(const fit_import *im) {
  size_t pairs = 0;
  for (size_t i = 0; i < im->n_rows; i++) {
    size_t j = 0;
    while (j < i && (im->rows[j].run.cloth_id != im->rows[i].run.cloth_id ||
                     im->rows[j].run.body_id != im->rows[i].run.body_id))
      j++;
    pairs += j == i;
  }
  return pairs;
}

/* Finds the material of a row, or makes it. Names come again and again: seen has a row of each that was
 * looked up before, the last one first. */
static cb_status name_material(cb_store *s, cb_material_kind kind, fit_import_row *row, fit_import_row **seen,
                               size_t *n, cb_err *err) {
  const bool cloth = kind == CB_CLOTH;
  const char *name = cloth ? row->cloth : row->body;
  int64_t *id = cloth ? &row->run.cloth_id : &row->run.body_id;
  for (size_t k = *n; k-- > 0;)
    if (strcmp(name, cloth ? seen[k]->cloth : seen[k]->body) == 0) {
      *id = cloth ? seen[k]->run.cloth_id : seen[k]->run.body_id;
      return CB_OK;
    }
  seen[(*n)++] = row;
  return cb_store_material_ensure(s, kind, name, row->run.origin, id, err);
}

static cb_status name_materials(cb_store *s, fit_import *im, cb_err *err) {
  fit_import_row **seen = calloc(2 * im->n_rows + 1, sizeof *seen);
  size_t n[2] = {0, 0};
  cb_status st = seen ? CB_OK : cb_no_memory(err, "%zu rows", im->n_rows);
  for (size_t i = 0; st == CB_OK && i < im->n_rows; i++) {
    st = name_material(s, CB_CLOTH, &im->rows[i], seen, &n[0], err);
    if (st == CB_OK) st = name_material(s, CB_BODY, &im->rows[i], seen + im->n_rows, &n[1], err);
  }
  free((void *)seen);
  return st;
}

/* A cell of the table that was never measured: nobody should look for a lost run. */
static cb_status put_hole(cb_store *s, int64_t campaign_id, const fit_import_row *row, cb_err *err) {
  char text[256];
  (void)snprintf(text, sizeof text, "%s on %s, %g deg, %g g added: not measured", row->cloth, row->body,
                 row->run.angle_deg, 1e3 * row->run.added_mass_kg);
  return cb_store_event_put(s, campaign_id, 0, 0, "hole", text, err);
}

static cb_status put_campaign(cb_store *s, const char *file, fit_import *im, lab_friction_import *sum,
                              cb_err *err) {
  cb_campaign c = {.kind = CB_CAMPAIGN_IMPORT,
                   .plan_text = im->mapping_text,
                   .temperature_degC = NAN,
                   .humidity_percent = NAN,
                   .origin = im->calibration.origin};
  lab_import_name(file, im->fingerprint, c.name);
  if (sum->pairs == 1) c.cloth_id = im->rows[0].run.cloth_id, c.body_id = im->rows[0].run.body_id;
  CB_TRY(cb_store_campaign_put(s, &c, err));
  sum->campaign_id = c.id;
  for (size_t i = 0; i < im->n_holes; i++) CB_TRY(put_hole(s, c.id, &im->holes[i], err));
  if (im->n_conflicts == 0) return CB_OK;
  char text[256];
  (void)snprintf(text, sizeof text, "%zu conflict%s; %.200s", im->n_conflicts, CB_S(im->n_conflicts),
                 im->first_conflict);
  return cb_store_event_put(s, c.id, 0, 0, "import", text, err);
}

/* The distances that a sled went down an incline. */
static cb_status put_distance(cb_store *s, const fit_import_row *row, cb_err *err) {
  const cb_series *d = &row->distance_m;
  if (d->n == 0) return CB_OK;
  cb_run_channel c = {.run_id = row->run.id,
                      .channel = CB_CHANNEL_DISPLACEMENT,
                      .conversion = "mapping",
                      .c = {0, 1, 0, 0},
                      .scale = 1};
  CB_TRY(cb_store_run_channel_put(s, &c, err));
  return cb_store_chunk_put(s, row->run.id, c.channel, 0, d->n, d->t_s, d->v, err);
}

static cb_status put_rows(cb_store *s, fit_import *im, const lab_friction_import *sum, cb_err *err) {
  char now[32];
  cb_store_now(s, now);
  for (size_t i = 0; i < im->n_rows; i++) {
    fit_import_row *row = &im->rows[i];
    row->run.campaign_id = sum->campaign_id;
    row->run.calibration_id = im->calibration.id;
    memcpy(row->run.finished_at, now, sizeof now);
    CB_TRY(cb_store_run_put(s, &row->run, err));
    CB_TRY(put_distance(s, row, err));
    row->point.run_id = row->run.id;
    CB_TRY(cb_store_point_put(s, &row->point, err));
  }
  return cb_store_campaign_finish(s, sum->campaign_id, err);
}

typedef struct table {
  const char *file;
  fit_import *im;
  lab_friction_import *out;
} table;

static cb_status put_table(cb_store *s, void *context, cb_err *err) {
  const table *t = context;
  CB_TRY(lab_import_refuse_again(s, t->file, t->im->fingerprint, err));
  CB_TRY(cb_store_calibration_ensure(s, &t->im->calibration, err));
  CB_TRY(name_materials(s, t->im, err));
  t->out->pairs = count_pairs(t->im);
  CB_TRY(put_campaign(s, t->file, t->im, t->out, err));
  return put_rows(s, t->im, t->out, err);
}

cb_status lab_friction_store(cb_store *s, const char *file, fit_import *im, lab_friction_import *out,
                             cb_err *err) {
  *out = (lab_friction_import){0};
  return lab_transact(s, put_table, &(table){file, im, out}, err);
}

/* Stores a table that was read with status st. */
static cb_status import_rows(const lab_import *q, cb_status st, lab_friction_report *out, cb_err *err) {
  cb_store *s;
  CB_TRY(st);
  CB_TRY(lab_import_open(q, &s, err));
  return cb_store_close_after(s, lab_friction_store(s, q->file, &out->table, &out->stored, err), err);
}

cb_status lab_import_friction(const lab_import *q, lab_friction_report *out, cb_err *err) {
  return import_rows(q, fit_import_read(q->mapping, q->file, &out->table, err), out, err);
}

cb_status lab_import_incline(const lab_import *q, fit_incline_kind kind, lab_friction_report *out,
                             cb_err *err) {
  return import_rows(q, fit_incline_read(kind, q->mapping, q->file, &out->table, err), out, err);
}
