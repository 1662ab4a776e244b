#include "cli_run_validity.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cb_language.h"
#include "cb_plural.h"
#include "cli.h"
#include "cli_friction.h"
#include "lab_friction_words.h"
#include "lab_record.h"

void cli_run_judge_new(cb_store *s, int64_t campaign_id, lab_verdicts *v) {
  cb_run_filter filter = cb_run_filter_all();
  cb_run *runs;
  size_t n;
  filter.campaign_id = campaign_id;
  if (cb_store_runs(s, &filter, &runs, &n, NULL) != CB_OK) return;
  (void)!lab_verdicts_update(s, runs, n, SIZE_MAX, v, NULL);
  free(runs);
}

void cli_run_judge(const lab_verdicts *v, int64_t run_id, bool again) {
  const lab_verdict *found = lab_verdicts_find(v, run_id);
  if (!found) return;
  const fit_faults *f = &found->faults;
  for (size_t i = 0; i < f->n; i++) {
    const fit_fault_kind *kind = &fit_fault_kinds[f->list[i].kind];
    cli_say("run", _("run %lld is %s: %s (%s); what helps: %s"), (long long)run_id,
            _(fit_validity_names[kind->validity]), _(kind->sentence), f->list[i].what, _(kind->advice));
  }
  if (again && fit_faults_validity(f) == FIT_INVALID) cli_say("run", "%s", _("'r' makes it again"));
}

void cli_run_judge_campaign(const lab_verdicts *v) {
  char words[LAB_TALLY_WORDS];
  const lab_tally t = lab_verdicts_count(v);
  if (t.n == t.n_of[FIT_VALID]) return;
  cli_say("run", "%s", lab_tally_words(&t, words));
  cli_faults_say("run", t.n_of_fault);
}

static void say_contradicted(const lab_outlier *o, size_t n, const lab_verdicts *v) {
  char words[LAB_WORDS];
  for (size_t k = 0; k < n; k++)
    if (lab_verdicts_find(v, o[k].run_id) && o[k].found.fault < FIT_N_FAULTS)
      cli_say("run", _("run %lld is %+.1f %% off what the pulls beside it say; %s; what helps: %s"),
              (long long)o[k].run_id, o[k].found.departure_percent,
              lab_friction_fault_words(&o[k].found, words), _(fit_fault_kinds[o[k].found.fault].advice));
}

void cli_run_judge_between(cb_store *s, const lab_verdicts *v) {
  lab_record r;
  lab_friction f = {.n_runs = 0};
  if (v->n == 0) return;
  cb_status st = lab_record_read(s, v->list[0].run_id, &r, NULL);
  const lab_selection sel = {.origin = (int)r.run.origin};
  if (st == CB_OK) st = lab_friction_preview(s, r.cloth, r.body, &sel, &f, NULL);
  if (st == CB_OK) {
    say_contradicted(f.kinetic.outliers, f.kinetic.fit.n_outliers, v);
    say_contradicted(f.kinetic.doubtful, f.kinetic.fit.n_doubtful, v);
  }
  lab_friction_clear(&f);
  lab_record_clear(&r);
}

_Static_assert(LIVE_TEXT >= LAB_TALLY_WORDS, "the count has room");

void cli_run_show(live *view, const lab_verdicts *v, int64_t run_id) {
  const lab_verdict *found = lab_verdicts_find(v, run_id);
  const lab_tally t = lab_verdicts_count(v);
  live_verdict shown = {.strikes = false};
  if (found) {
    const fit_fault_found *f = lab_verdict_worst(found);
    const fit_fault_kind *kind = f ? &fit_fault_kinds[f->kind] : NULL;
    shown.strikes = kind && kind->validity == FIT_INVALID;
    (void)snprintf(shown.verdict, sizeof shown.verdict, _("run %lld is %s%s%s"), (long long)run_id,
                   shown.strikes ? _("INVALID") : _(fit_validity_names[kind ? kind->validity : FIT_VALID]),
                   kind ? _(": ") : "", kind ? _(kind->sentence) : "");
    if (kind) (void)snprintf(shown.advice, sizeof shown.advice, _("what helps: %s"), _(kind->advice));
  }
  (void)lab_tally_words(&t, shown.count);
  if (t.n > 0 && t.n == t.n_of[FIT_VALID])
    (void)snprintf(shown.count, sizeof shown.count,
                   cb_tr_count("%zu pull is valid", "all %zu pulls are valid", t.n), t.n);
  live_judge(view, &shown);
}
