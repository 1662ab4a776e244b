#include "lab_watch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_claim.h"
#include "cb_json.h"
#include "cb_trace.h"

/* Events that the engine leaves for this page. */
#define PLANNED "plan"
#define ASKED "asks"
#define RESUMED "resume"
#define ENDED "end"
#define UNTOLD "untold"

/* Readings at the beginning that are taken for the zero where nobody knows how long the link was slack. */
#define FIRST_READINGS 20

/* ---- curves ---- */

static void append_point(json_t *list, double t_s, double force_N) {
  (void)json_array_append_new(list, json_pack("[f, f]", t_s, force_N));
}

/* The lowest and the highest reading of the span, in their order. */
static void append_span(json_t *list, const cb_series *f, size_t from, size_t to, double zero_N) {
  size_t low = from, high = from;
  for (size_t i = from; i < to; i++) {
    if (f->v[i] < f->v[low]) low = i;
    if (f->v[i] > f->v[high]) high = i;
  }
  const size_t first = low < high ? low : high, second = low < high ? high : low;
  append_point(list, f->t_s[first], f->v[first] - zero_N);
  if (second != first) append_point(list, f->t_s[second], f->v[second] - zero_N);
}

static json_t *curve_json(const cb_series *f, double zero_N) {
  json_t *list = json_array();
  const size_t spans = f->n < LAB_WATCH_POINTS ? f->n : LAB_WATCH_POINTS / 2;
  for (size_t i = 0; i < spans; i++) append_span(list, f, f->n * i / spans, f->n * (i + 1) / spans, zero_N);
  return list;
}

/* The run begins at rest, with a slack link. */
static double zero_of(const cb_trace *t) {
  const size_t wanted = t->n_rest > 0 ? t->n_rest : FIRST_READINGS,
               n = t->force_N.n < wanted ? t->force_N.n : wanted;
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += t->force_N.v[i];
  return n > 0 ? sum / (double)n : 0;
}

/* A run whose samples cannot be read is shown without a curve: this is a view, and the check is `db check`.
 */
static json_t *run_json(cb_store *s, const cb_run *r, double *last_N) {
  cb_trace t;
  json_t *samples = NULL;
  *last_N = NAN;
  if (cb_store_trace(s, r, &t, NULL) == CB_OK) {
    const double zero_N = zero_of(&t);
    samples = curve_json(&t.force_N, zero_N);
    if (t.force_N.n > 0) *last_N = t.force_N.v[t.force_N.n - 1] - zero_N;
    cb_trace_clear(&t);
  }
  return json_pack("{s:I, s:s, s:o, s:o, s:o, s:i, s:i, s:o}", "run_id", (json_int_t)r->id, "status",
                   cb_run_status_names[r->status], "angle_deg", cb_json_real(r->angle_deg), "added_mass_kg",
                   cb_json_real(r->added_mass_kg), "normal_force_N", cb_json_real(r->normal_force_N),
                   "repeat", r->repeat, "direction", r->direction, "samples",
                   samples ? samples : json_array());
}

/* ---- the campaign ---- */

static cb_status find_campaign(cb_store *s, cb_campaign *c, cb_err *err) {
  cb_campaign *list;
  size_t n;
  *c = (cb_campaign){.id = 0};
  CB_TRY(cb_store_campaigns(s, &list, &n, err));
  for (size_t i = 0; i < n; i++)
    if (list[i].kind < CB_CAMPAIGN_IMPORT) *c = list[i];
  free(list);
  return CB_OK;
}

static cb_status name_materials(cb_store *s, const cb_campaign *c, char cloth[64], char body[64],
                                cb_err *err) {
  cb_material *list;
  size_t n;
  cloth[0] = body[0] = '\0';
  CB_TRY(cb_store_materials(s, &list, &n, err));
  for (size_t i = 0; i < n; i++) {
    if (list[i].id == c->cloth_id) (void)snprintf(cloth, 64, "%s", list[i].name);
    if (list[i].id == c->body_id) (void)snprintf(body, 64, "%s", list[i].name);
  }
  free(list);
  return CB_OK;
}

typedef struct routine {
  char planned[32], asked[256], asked_at[32]; /* "": none */
  char holder[CB_CLAIM_WHO];                  /* the process that measures the campaign; "": none */
  char ended[256], untold[256]; /* why the campaign broke off, and that its stage heard no stop; "": not so */
} routine;

static void note_end(routine *r, const cb_event *e) {
  if (strcmp(e->kind, RESUMED) == 0) r->ended[0] = r->untold[0] = '\0';
  if (strcmp(e->kind, ENDED) == 0) memcpy(r->ended, e->text, sizeof r->ended);
  if (strcmp(e->kind, UNTOLD) == 0) memcpy(r->untold, e->text, sizeof r->untold);
}

/* The newest of each kind; a question is answered once a run begins after it. */
static cb_status read_events(cb_store *s, int64_t campaign_id, routine *r, cb_err *err) {
  cb_event *list;
  size_t n;
  *r = (routine){.planned = ""};
  (void)cb_claim_holder(cb_store_path(s), campaign_id, r->holder);
  CB_TRY(cb_store_events(s, campaign_id, &list, &n, err));
  for (size_t i = 0; i < n; i++) {
    if (strcmp(list[i].kind, PLANNED) == 0)
      (void)snprintf(r->planned, sizeof r->planned, "%.31s", list[i].text);
    note_end(r, &list[i]);
    if (strcmp(list[i].kind, ASKED) != 0) continue;
    memcpy(r->asked, list[i].text, sizeof r->asked);
    memcpy(r->asked_at, list[i].at, sizeof r->asked_at);
  }
  free(list);
  return CB_OK;
}

static bool same_cell(const cb_run *a, const cb_run *b) {
  return a->angle_deg == b->angle_deg && a->added_mass_kg == b->added_mass_kg &&
         a->direction == b->direction && cb_run_same_body_angle(a->body_angle_deg, b->body_angle_deg);
}

static json_t *repeats_json(cb_store *s, const cb_run *runs, size_t n) {
  json_t *list = json_array();
  double last_N;
  for (size_t i = n - 1, found = 0; i-- > 0 && found < LAB_WATCH_REPEATS;) {
    if (runs[i].status != CB_RUN_DONE || !same_cell(&runs[i], &runs[n - 1])) continue;
    (void)json_array_insert_new(list, 0, run_json(s, &runs[i], &last_N));
    found++;
  }
  return list;
}

static size_t count_done(const cb_run *runs, size_t n) {
  size_t done = 0;
  for (size_t i = 0; i < n; i++) done += runs[i].status == CB_RUN_DONE;
  return done;
}

static cb_status campaign_json(cb_store *s, const cb_campaign *c, const routine *r, size_t done, json_t **out,
                               cb_err *err) {
  char cloth[64], body[64], preset[32];
  cb_conditions conditions;
  CB_TRY(name_materials(s, c, cloth, body, err));
  CB_TRY(cb_store_conditions_get(s, c->id, preset, &conditions, err));
  *out = json_pack(
      "{s:I, s:s, s:s, s:s?, s:s, s:b, s:s?, s:s?, s:s?, s:I, s:o}", "campaign_id", (json_int_t)c->id, "name",
      c->name, "cloth", cloth, "lot", conditions.cloth_lot[0] ? conditions.cloth_lot : NULL, "body", body,
      "finished", c->finished_at[0] != '\0', "measured_by", r->holder[0] ? r->holder : NULL, "broken_off",
      r->ended[0] ? r->ended : NULL, "stage", r->untold[0] ? r->untold : NULL, "runs_done", (json_int_t)done,
      "runs_planned", r->planned[0] ? json_integer(strtoll(r->planned, NULL, 10)) : json_null());
  return CB_OK;
}

/* ---- verdicts ---- */

static json_t *verdict_json(const lab_verdict *v) {
  const fit_fault_found *f = lab_verdict_worst(v);
  const fit_fault_kind *kind = f ? &fit_fault_kinds[f->kind] : NULL;
  return json_pack("{s:I, s:s, s:s?, s:s?, s:s?}", "run_id", (json_int_t)v->run_id, "validity",
                   fit_validity_names[kind ? kind->validity : FIT_VALID], "sentence",
                   kind ? kind->sentence : NULL, "figures", f ? f->what : NULL, "advice",
                   kind ? kind->advice : NULL);
}

/* That of the last pull which has one, and the count so far. */
static void add_verdicts(const cb_run *runs, size_t n, const lab_verdicts *v, json_t *doc) {
  char words[LAB_TALLY_WORDS];
  const lab_tally tally = lab_verdicts_count(v);
  const lab_verdict *last = NULL;
  for (size_t i = n; i-- > 0 && !last;) last = lab_verdicts_find(v, runs[i].id);
  json_object_set_new(doc, "verdict", last ? verdict_json(last) : json_null());
  json_object_set_new(doc, "verdicts",
                      tally.n > 0 ? json_string(lab_tally_words(&tally, words)) : json_null());
}

static cb_status fill_campaign(cb_store *s, const cb_campaign *c, lab_verdicts *v, json_t *doc, cb_err *err) {
  cb_run_filter f = cb_run_filter_all();
  cb_run *runs;
  size_t n;
  routine r;
  json_t *campaign;
  double last_N = NAN;
  f.campaign_id = c->id;
  CB_TRY(read_events(s, c->id, &r, err));
  CB_TRY(cb_store_runs(s, &f, &runs, &n, err));
  cb_status st = lab_verdicts_update(s, runs, n, LAB_WATCH_JUDGED, v, err);
  if (st == CB_OK) st = campaign_json(s, c, &r, count_done(runs, n), &campaign, err);
  if (st == CB_OK) {
    add_verdicts(runs, n, v, doc);
    const bool asks = r.asked[0] && r.holder[0] && (n == 0 || strcmp(runs[n - 1].started_at, r.asked_at) < 0);
    json_object_set_new(doc, "campaign", campaign);
    json_object_set_new(doc, "run", n > 0 ? run_json(s, &runs[n - 1], &last_N) : json_null());
    json_object_set_new(doc, "repeats", n > 0 ? repeats_json(s, runs, n) : json_array());
    json_object_set_new(doc, "instruction", asks ? json_string(r.asked) : json_null());
    json_object_set_new(doc, "force_N", cb_json_real(last_N));
  }
  free(runs);
  return st;
}

cb_status lab_watch_json(cb_store *s, lab_verdicts *v, json_t **out, cb_err *err) {
  cb_campaign c;
  CB_TRY(find_campaign(s, &c, err));
  *out = json_pack("{s:s, s:n, s:n, s:[], s:n, s:n, s:n, s:n}", "database", cb_store_path(s), "campaign",
                   "run", "repeats", "instruction", "force_N", "verdict", "verdicts");
  if (!*out) return cb_no_memory(err, "%s, the page's state", cb_store_path(s));
  cb_status st = c.id ? fill_campaign(s, &c, v, *out, err) : CB_OK;
  if (st == CB_OK) return CB_OK;
  json_decref(*out);
  *out = NULL;
  return st;
}
