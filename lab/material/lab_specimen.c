#include "lab_material_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_json.h"
#include "cb_num.h"
#include "cb_text.h"

/* ---- the cut ---- */

static const struct {
  const char *word;
  double deg;
} cuts[] = {{"warp", 0}, {"weft", 90}, {"bias", 45}};
#define N_CUTS (sizeof cuts / sizeof cuts[0])

static cb_status read_cut(const char *text, double *cut_deg, cb_err *err) {
  for (size_t i = 0; i < N_CUTS; i++)
    if (strcmp(text, cuts[i].word) == 0) return *cut_deg = cuts[i].deg, CB_OK;
  const cb_status st = cb_parse_double(text, "cut", cut_deg, NULL);
  if (st == CB_OK && fabs(*cut_deg) <= 180) return CB_OK;
  return cb_fail(err, CB_E_ARG, "--cut '%s': warp, weft, bias or degrees from the warp were wanted", text);
}

static void cut_text(double cut_deg, char out[32]) {
  out[0] = '\0';
  if (isnan(cut_deg)) return;
  (void)snprintf(out, 32, "%g deg", cut_deg);
  for (size_t i = 0; i < N_CUTS; i++)
    if (cut_deg == cuts[i].deg) (void)snprintf(out, 32, "%s", cuts[i].word);
}

void lab_specimen_text(const cb_specimen *p, char out[256]) {
  char cut[32];
  cut_text(p->cut_deg, cut);
  (void)snprintf(out, 256, "%s", p->cloth);
  if (p->lot[0]) cb_text_add(out, 256, ", ", "lot %s", p->lot);
  if (p->side >= 0) cb_text_add(out, 256, ", ", "%s", cb_side_names[p->side]);
  if (cut[0]) cb_text_add(out, 256, ", ", "cut %s", cut);
  if (p->washes >= 0) cb_text_add(out, 256, ", ", "%d wash%s", p->washes, p->washes == 1 ? "" : "es");
}

/* ---- what was typed ---- */

static cb_status copy_text(const char *what, const char *text, char *out, size_t size, cb_err *err) {
  if (!text) return CB_OK;
  CB_TRY(cb_check_line(text, what, err));
  if (strlen(text) >= size)
    return cb_fail(err, CB_E_ARG, "%s: a text below %zu bytes was wanted", what, size);
  memcpy(out, text, strlen(text) + 1);
  return CB_OK;
}

static cb_status read_side(const char *text, int *side, cb_err *err) {
  for (int i = 0; text && cb_side_names[i]; i++)
    if (strcmp(text, cb_side_names[i]) == 0) *side = i;
  return !text || *side >= 0 ? CB_OK : cb_fail(err, CB_E_ARG, "--side '%s': face or back was wanted", text);
}

cb_status lab_specimen_read(const lab_specimen_typed *typed, cb_specimen *p, cb_err *err) {
  *p = (cb_specimen){.side = -1, .cut_deg = NAN, .washes = isnan(typed->washes) ? -1 : (int)typed->washes};
  CB_TRY(copy_text("the specimen's name", typed->name, p->name, sizeof p->name, err));
  CB_TRY(copy_text("--lot", typed->lot, p->lot, sizeof p->lot, err));
  CB_TRY(copy_text("--note", typed->note, p->note, sizeof p->note, err));
  CB_TRY(copy_text("--operator", typed->operator_name, p->operator_name, sizeof p->operator_name, err));
  CB_TRY(read_side(typed->side, &p->side, err));
  if (typed->washes != floor(typed->washes) && !isnan(typed->washes))
    return cb_fail(err, CB_E_ARG, "--washes %g: a whole number was wanted", typed->washes);
  return typed->cut ? read_cut(typed->cut, &p->cut_deg, err) : CB_OK;
}

cb_status lab_specimen_entry(const char *note, const char *operator_name, cb_specimen_entry *e, cb_err *err) {
  CB_TRY(copy_text("--note", note, e->text, sizeof e->text, err));
  return copy_text("--operator", operator_name, e->operator_name, sizeof e->operator_name, err);
}

/* ---- a specimen ---- */

static cb_status count_runs(cb_store *s, lab_specimen_card *out, cb_err *err) {
  cb_run *runs;
  size_t n;
  const cb_run_filter all = cb_run_filter_all();
  CB_TRY(cb_store_runs(s, &all, &runs, &n, err));
  for (size_t i = 0; i < n; i++) {
    if (runs[i].specimen_id != out->facts.id) continue;
    out->n_runs++;
    out->n_done += runs[i].status == CB_RUN_DONE;
  }
  free(runs);
  return CB_OK;
}

cb_status lab_specimen_load(cb_store *s, const char *name, lab_specimen_card *out, cb_err *err) {
  *out = (lab_specimen_card){.n_entries = 0};
  CB_TRY(cb_store_specimen_find(s, name, &out->facts, err));
  CB_TRY(cb_store_specimen_entries(s, out->facts.id, &out->entries, &out->n_entries, err));
  return count_runs(s, out, err);
}

void lab_specimen_clear(lab_specimen_card *p) {
  free(p->entries);
  *p = (lab_specimen_card){.n_entries = 0};
}

/* ---- the document ---- */

json_t *lab_specimen_facts_json(const cb_specimen *p) {
  return json_pack("{s:s, s:s, s:s, s:s?, s:s?, s:o, s:o, s:s, s:s, s:s}", "specimen", p->name, "mark",
                   p->mark, "cloth", p->cloth, "lot", p->lot[0] ? p->lot : NULL, "side",
                   p->side >= 0 ? cb_side_names[p->side] : NULL, "cut_deg", cb_json_real(p->cut_deg),
                   "washes", p->washes >= 0 ? json_integer(p->washes) : json_null(), "note", p->note,
                   "operator", p->operator_name, "created_at", p->created_at);
}

json_t *lab_specimen_json(const lab_specimen_card *p) {
  json_t *doc = lab_specimen_facts_json(&p->facts), *log = json_array();
  for (size_t i = 0; i < p->n_entries; i++) {
    const cb_specimen_entry *e = &p->entries[i];
    (void)json_array_append_new(
        log, json_pack("{s:s, s:s, s:s, s:s}", "kind", cb_specimen_event_names[e->kind], "text", e->text,
                       "operator", e->operator_name, "created_at", e->created_at));
  }
  (void)json_object_set_new(doc, "log", log);
  (void)json_object_set_new(doc, "runs", json_integer((json_int_t)p->n_runs));
  (void)json_object_set_new(doc, "runs_done", json_integer((json_int_t)p->n_done));
  return doc;
}
