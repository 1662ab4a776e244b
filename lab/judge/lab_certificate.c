#include "lab_certificate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_array.h"
#include "cb_text.h"
#include "lab_spec_parts.h"

/* ---- the file ---- */

#define TEXT(key) \
  { #key, CB_Y_STR, offsetof(lab_certificate, key), sizeof((lab_certificate *)NULL)->key }

static cb_status read_head(cb_ynode head, lab_certificate *out, cb_err *err) {
  static const cb_yfield fields[] = {TEXT(laboratory),    TEXT(address), TEXT(customer), TEXT(item),
                                     TEXT(authorised_by), TEXT(remark),  TEXT(logo),     TEXT(number)};
  return head.doc ? cb_yaml_bind(head, fields, sizeof fields / sizeof fields[0], out, err) : CB_OK;
}

static cb_status read_file(const char *path, lab_certificate *out, cb_err *err) {
  cb_yaml *doc;
  cb_ynode head;
  CB_TRY(cb_yaml_load(path, &doc, err));
  cb_status st = lab_spec_read(doc, out->lines, &out->n_lines, &head, err);
  if (st == CB_OK) st = read_head(head, out, err);
  cb_yaml_free(doc);
  return st;
}

/* ---- the runs of all lines ---- */

typedef struct run_set {
  cb_run *list; /* by id, each once */
  size_t n, capacity;
} run_set;

static int by_id(const void *a, const void *b) {
  const cb_run *p = a, *q = b;
  return (p->id > q->id) - (p->id < q->id);
}

static cb_status add_runs(run_set *set, const cb_run *runs, size_t n, cb_err *err) {
  cb_run *grown = cb_array_grow(set->list, &set->capacity, set->n + n, sizeof *grown);
  size_t kept = 0;
  if (!grown) return cb_no_memory(err, "%zu runs", set->n + n);
  set->list = grown;
  memcpy(grown + set->n, runs, n * sizeof *grown);
  qsort(grown, set->n + n, sizeof *grown, by_id);
  for (size_t i = 0; i < set->n + n; i++)
    if (kept == 0 || grown[kept - 1].id != grown[i].id) grown[kept++] = grown[i];
  set->n = kept;
  return CB_OK;
}

static cb_status judge(cb_store *s, const lab_chart_query *q, lab_certificate *out, run_set *set,
                       cb_err *err) {
  cb_status st = CB_OK;
  for (size_t i = 0; i < out->n_lines && st == CB_OK; i++) {
    lab_chart c;
    st = lab_spec_judge_line(s, q, &out->lines[i], &c, err);
    if (st == CB_OK) st = add_runs(set, c.runs, c.n_runs, err);
    if (st == CB_OK && (i == 0 || c.origin > out->origin)) out->origin = c.origin;
    out->n_kept += st == CB_OK && out->lines[i].decision.verdict == FIT_KEEPS;
    lab_chart_clear(&c);
  }
  return st;
}

/* ---- what is said of them ---- */

static void add_once(char out[LAB_CERTIFICATE_WORDS], const char *text) {
  char listed[LAB_CERTIFICATE_WORDS + 4], wanted[LAB_CERTIFICATE_WORDS + 4];
  if (!text[0]) return;
  (void)snprintf(listed, sizeof listed, "; %s; ", out);
  (void)snprintf(wanted, sizeof wanted, "; %s; ", text);
  if (!strstr(listed, wanted)) cb_text_add(out, LAB_CERTIFICATE_WORDS, "; ", "%s", text);
}

static void widen(double range[2], double value) {
  range[0] = fmin(range[0], value); /* of NAN and a number the number */
  range[1] = fmax(range[1], value);
}

static cb_status take_campaign(cb_store *s, int64_t id, lab_certificate *out, cb_err *err) {
  char preset[32];
  cb_campaign c;
  cb_conditions air;
  CB_TRY(cb_store_campaign_get(s, id, &c, err));
  CB_TRY(cb_store_conditions_get(s, id, preset, &air, err));
  free(c.plan_text);
  add_once(out->operators, c.operator_name);
  add_once(out->lots, air.cloth_lot);
  widen(out->temperature_degC, isnan(air.temperature_degC) ? c.temperature_degC : air.temperature_degC);
  widen(out->humidity_percent, isnan(air.humidity_percent) ? c.humidity_percent : air.humidity_percent);
  return CB_OK;
}

static cb_status take_calibration(cb_store *s, int64_t id, lab_certificate *out, cb_err *err) {
  cb_calibration c;
  char text[LAB_CERTIFICATE_WORDS] = "";
  if (id == 0) return CB_OK;
  CB_TRY(cb_store_calibration_get(s, id, &c, err));
  cb_text_add(text, sizeof text, "", "%s%s%s",
              c.certificate[0] ? c.certificate : cb_calibration_kind_names[c.kind],
              c.cell[0] ? ", cell " : "", c.cell);
  if (c.valid_until[0]) cb_text_add(text, sizeof text, ", ", "valid until %.10s", c.valid_until);
  add_once(out->calibrations, text);
  add_once(out->rigs, c.rig_name);
  return CB_OK;
}

static cb_status describe(cb_store *s, const run_set *set, lab_certificate *out, cb_err *err) {
  out->n_runs = set->n;
  for (size_t i = 0; i < set->n; i++) {
    const cb_run *r = &set->list[i];
    if (i == 0 || strncmp(r->started_at, out->first_day, 10) < 0)
      (void)snprintf(out->first_day, sizeof out->first_day, "%.10s", r->started_at);
    if (i == 0 || strncmp(r->started_at, out->last_day, 10) > 0)
      (void)snprintf(out->last_day, sizeof out->last_day, "%.10s", r->started_at);
    if (i == 0 || r->campaign_id != r[-1].campaign_id) CB_TRY(take_campaign(s, r->campaign_id, out, err));
    if (i == 0 || r->calibration_id != r[-1].calibration_id)
      CB_TRY(take_calibration(s, r->calibration_id, out, err));
  }
  return CB_OK;
}

/* Of which runs, and what came out: the same data give the same digest on every machine. */
static cb_status digest(const run_set *set, lab_certificate *out, cb_err *err) {
  char *text = NULL;
  size_t n;
  FILE *to = open_memstream(&text, &n);
  if (!to) return cb_no_memory(err, "a digest");
  fprintf(to, "%s\n%s\n", out->cloth.name, out->body.name);
  for (size_t i = 0; i < out->n_lines; i++) {
    const lab_spec *l = &out->lines[i];
    fprintf(to, "%d %.6g %.6g %.6g %.6g %.6g %.6g %d\n", l->kind, l->angle_deg, l->normal_force_N, l->lower,
            l->upper, l->mu, l->u, (int)l->decision.verdict);
  }
  for (size_t i = 0; i < set->n; i++) fprintf(to, "%s\n", set->list[i].uuid);
  if (fclose(to) != 0) {
    free(text);
    return cb_no_memory(err, "a digest");
  }
  lab_sha256(text, n, out->digest);
  free(text);
  if (!out->number[0]) (void)snprintf(out->number, sizeof out->number, "%s-%.8s", out->last_day, out->digest);
  return CB_OK;
}

cb_status lab_certificate_make(cb_store *s, const char *path, const lab_chart_query *q, lab_certificate *out,
                               cb_err *err) {
  run_set set = {0};
  *out = (lab_certificate){
      .by_campaign = q->by_campaign, .temperature_degC = {NAN, NAN}, .humidity_percent = {NAN, NAN}};
  CB_TRY(read_file(path, out, err));
  CB_TRY(cb_store_material_find(s, CB_CLOTH, q->cloth, &out->cloth, err));
  CB_TRY(cb_store_material_find(s, CB_BODY, q->body, &out->body, err));
  lab_selection_text(&q->sel, out->selection);
  cb_status st = judge(s, q, out, &set, err);
  if (st == CB_OK) st = describe(s, &set, out, err);
  if (st == CB_OK) st = digest(&set, out, err);
  free(set.list);
  return st;
}
