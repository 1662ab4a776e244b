#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_text.h"
#include "cb_plural.h"
#include "cb_store_specimen.h"
#include "lab_selection_parts.h"

bool lab_selection_is_partial(const lab_selection *sel) {
  return sel->lot || sel->specimen || sel->rig || sel->campaign_id || sel->since || sel->until;
}

/* ---- dates ---- */

/* The beginning of a stamp, cut after its year, month, day, minute or second. */
static bool is_date(const char *text) {
  static const char form[] = "dddd-dd-ddTdd:dd:ddZ";
  const size_t n = strlen(text);
  if (n != 4 && n != 7 && n != 10 && n != 16 && n != 19 && n != 20) return false;
  for (size_t i = 0; i < n; i++)
    if (form[i] == 'd' ? !isdigit((unsigned char)text[i]) : text[i] != form[i]) return false;
  return true;
}

static cb_status check_date(const char *name, const char *text, cb_err *err) {
  if (!text || is_date(text)) return CB_OK;
  return cb_fail(err, CB_E_ARG,
                 "--%s '%s': a date was wanted, such as 2026-11, 2026-11-24 or 2026-11-24T10:30", name, text);
}

cb_status lab_selection_check(cb_store *s, const lab_selection *sel, cb_err *err) {
  cb_campaign c;
  cb_specimen p;
  CB_TRY(check_date("since", sel->since, err));
  CB_TRY(check_date("until", sel->until, err));
  if (sel->campaign_id) CB_TRY(cb_store_campaign_get(s, sel->campaign_id, &c, err));
  return sel->specimen ? cb_store_specimen_find(s, sel->specimen, &p, err) : CB_OK;
}

/* ---- words ---- */

static void add_words(char out[320], const char *what, const char *value) {
  if (value) cb_text_add(out, 320, ", ", "%s %s", what, value);
}

void lab_selection_text(const lab_selection *sel, char out[320]) {
  char campaign[32];
  out[0] = '\0';
  (void)snprintf(campaign, sizeof campaign, "%lld", (long long)sel->campaign_id);
  if (sel->origin != LAB_ANY_ORIGIN) (void)snprintf(out, 320, "%s", cb_origin_names[sel->origin]);
  add_words(out, "lot", sel->lot);
  add_words(out, "specimen", sel->specimen);
  add_words(out, "campaign", sel->campaign_id ? campaign : NULL);
  add_words(out, "rig", sel->rig);
  add_words(out, "since", sel->since);
  add_words(out, "until", sel->until);
}

/* ---- runs ---- */

/* A selection at work: what it looked up last. */
typedef struct sieve {
  cb_store *store;
  const lab_selection *sel;
  int64_t specimen_id; /* 0: any */
  int64_t campaign_id; /* whose lot was asked; 0: none yet */
  bool of_lot;         /* that campaign is */
} sieve;

static cb_status make_sieve(cb_store *s, const lab_selection *sel, sieve *out, cb_err *err) {
  cb_specimen p;
  *out = (sieve){.store = s, .sel = sel};
  if (!sel->specimen) return CB_OK;
  CB_TRY(cb_store_specimen_find(s, sel->specimen, &p, err));
  out->specimen_id = p.id;
  return CB_OK;
}

static bool passes(const sieve *v, const cb_run *r) {
  const lab_selection *sel = v->sel;
  if (sel->origin != LAB_ANY_ORIGIN && (int)r->origin != sel->origin) return false;
  if (v->specimen_id && r->specimen_id != v->specimen_id) return false;
  if (sel->campaign_id && r->campaign_id != sel->campaign_id) return false;
  if (sel->rig && strcmp(r->source, sel->rig) != 0) return false;
  if (sel->since && strncmp(r->started_at, sel->since, strlen(sel->since)) < 0) return false;
  return !sel->until || strncmp(r->started_at, sel->until, strlen(sel->until)) <= 0;
}

static cb_status select_run(sieve *v, const cb_run *r, bool *is, cb_err *err) {
  char preset[32];
  cb_conditions c;
  *is = passes(v, r);
  if (!*is || !v->sel->lot) return CB_OK;
  if (v->campaign_id != r->campaign_id) {
    CB_TRY(cb_store_conditions_get(v->store, r->campaign_id, preset, &c, err));
    v->of_lot = strcmp(c.cloth_lot, v->sel->lot) == 0;
    v->campaign_id = r->campaign_id;
  }
  *is = v->of_lot;
  return CB_OK;
}

cb_status lab_selection_runs(cb_store *s, const lab_selection *sel, cb_run *runs, size_t *n, cb_err *err) {
  size_t kept = 0;
  sieve v;
  bool is;
  CB_TRY(make_sieve(s, sel, &v, err));
  for (size_t i = 0; i < *n; i++) {
    CB_TRY(select_run(&v, &runs[i], &is, err));
    if (is) runs[kept++] = runs[i];
  }
  *n = kept;
  return CB_OK;
}

cb_status lab_selection_keep(cb_store *s, const lab_selection *sel, cb_friction_obs *obs, size_t *n,
                             cb_err *err) {
  size_t kept = 0;
  sieve v;
  bool is;
  CB_TRY(make_sieve(s, sel, &v, err));
  for (size_t i = 0; i < *n; i++) {
    CB_TRY(select_run(&v, &obs[i].run, &is, err));
    if (is) obs[kept++] = obs[i];
  }
  *n = kept;
  return CB_OK;
}

/* ---- how many ---- */

/* Finished runs: those there are, and those that are selected. */
static cb_status count_runs(cb_store *s, const lab_selection *sel, const cb_run_filter *among,
                            size_t *selected, size_t *all, cb_err *err) {
  cb_run *runs;
  CB_TRY(cb_store_runs(s, among, &runs, all, err));
  *selected = *all;
  const cb_status st = lab_selection_runs(s, sel, runs, selected, err);
  free(runs);
  return st;
}

static cb_status find_id(cb_store *s, cb_material_kind kind, const char *name, int64_t *id, cb_err *err) {
  cb_material m;
  if (!name) return CB_OK;
  CB_TRY(cb_store_material_find(s, kind, name, &m, err));
  *id = m.id;
  return CB_OK;
}

cb_status lab_selection_say(cb_store *s, const lab_selection *sel, const char *cloth, const char *body,
                            char out[400], cb_err *err) {
  char selected[320];
  size_t n, all;
  cb_run_filter among = cb_run_filter_all();
  among.status = CB_RUN_DONE;
  out[0] = '\0';
  lab_selection_text(sel, selected);
  if (!selected[0]) return CB_OK;
  CB_TRY(lab_selection_check(s, sel, err));
  CB_TRY(find_id(s, CB_CLOTH, cloth, &among.cloth_id, err));
  CB_TRY(find_id(s, CB_BODY, body, &among.body_id, err));
  CB_TRY(count_runs(s, sel, &among, &n, &all, err));
  (void)snprintf(out, 400, "%zu of %zu run%s: %s", n, all, CB_S(all), selected);
  return n > 0 ? CB_OK
               : cb_fail(err, CB_E_NOTFOUND, "%s: none of %zu finished run%s is selected: %s",
                         cb_store_path(s), all, CB_S(all), selected);
}

cb_status lab_selection_campaigns(cb_store *s, const lab_selection *sel, cb_campaign *list, size_t *n,
                                  cb_err *err) {
  size_t kept = 0;
  for (size_t i = 0; i < *n; i++) {
    cb_run_filter among = cb_run_filter_all();
    size_t selected, all;
    among.status = CB_RUN_DONE;
    among.campaign_id = list[i].id;
    CB_TRY(count_runs(s, sel, &among, &selected, &all, err));
    if (selected > 0) list[kept++] = list[i];
  }
  *n = kept;
  return CB_OK;
}
