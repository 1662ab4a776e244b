#include "lab_validity.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cb_plural.h"
#include "lab_overrule.h"
#include "lab_point_parts.h"

/* Of a point that was imported as a number, a person may have said what is wrong. */
const char *lab_validity_name(const cb_friction_point *p, char words[96]) {
  const fit_validity validity = lab_point_validity(p, words);
  const bool judged =
      strncmp(p->method, "pull/", 5) == 0 && !lab_point_is_unjudged(p) && isfinite(p->kinetic_N);
  return judged || validity != FIT_VALID ? fit_validity_names[validity] : "";
}

/* ---- many ---- */

static void count_one(lab_tally *t, fit_validity validity, char words[96]) {
  t->n++;
  t->n_of[validity]++;
  for (char *word, *rest = words; (word = strtok_r(rest, " ", &rest));) {
    const fit_fault_kind *kind = fit_fault_find(word);
    if (kind) t->n_of_fault[kind - fit_fault_kinds]++;
  }
}

void lab_tally_point(lab_tally *t, const cb_friction_point *p) {
  char words[96];
  if (lab_validity_name(p, words)[0]) count_one(t, lab_point_validity(p, words), words);
}

/* "never-slid" -> "never slid" */
static size_t add_reasons(const lab_tally *t, fit_validity validity, size_t at, char out[LAB_TALLY_WORDS]) {
  const char *separator = ": ";
  for (size_t i = 0; i < FIT_N_FAULTS && at < LAB_TALLY_WORDS; i++) {
    if (t->n_of_fault[i] == 0 || fit_fault_kinds[i].validity != validity) continue;
    const size_t from = at;
    at += (size_t)snprintf(out + at, LAB_TALLY_WORDS - at, "%s%s", separator, fit_fault_kinds[i].code);
    for (size_t k = from; k < at && k < LAB_TALLY_WORDS; k++)
      if (out[k] == '-') out[k] = ' ';
    separator = ", ";
  }
  return at < LAB_TALLY_WORDS ? at : LAB_TALLY_WORDS - 1;
}

char *lab_tally_words(const lab_tally *t, char out[LAB_TALLY_WORDS]) {
  const size_t n_valid = t->n_of[FIT_VALID];
  size_t at = 0;
  out[0] = '\0';
  for (fit_validity v = FIT_INVALID; v > FIT_VALID; v--) {
    if (t->n_of[v] == 0) continue;
    char of[48] = "";
    if (at == 0) (void)snprintf(of, sizeof of, " of %zu pull%s", t->n, CB_S(t->n));
    at += (size_t)snprintf(out + at, LAB_TALLY_WORDS - at, "%s%zu%s %s %s", at > 0 ? "; " : "", t->n_of[v],
                           of, CB_ARE(t->n_of[v]), fit_validity_names[v]);
    at = add_reasons(t, v, at, out);
  }
  if (at == 0 && n_valid > 0)
    (void)snprintf(out, LAB_TALLY_WORDS, "%s%zu pull%s %s valid", n_valid > 1 ? "all " : "", n_valid,
                   CB_S(n_valid), CB_ARE(n_valid));
  return out;
}

/* ---- a campaign that is measured ---- */

void lab_verdicts_clear(lab_verdicts *v) {
  free(v->list);
  *v = (lab_verdicts){.n = 0};
}

const lab_verdict *lab_verdicts_find(const lab_verdicts *v, int64_t run_id) {
  for (size_t i = 0; i < v->n; i++)
    if (v->list[i].run_id == run_id) return v->list[i].judged ? &v->list[i] : NULL;
  return NULL;
}

static bool is_known(const lab_verdicts *v, int64_t run_id) {
  for (size_t i = 0; i < v->n; i++)
    if (v->list[i].run_id == run_id) return true;
  return false;
}

static bool is_done_pull(const cb_run *r) { return r->kind == CB_RUN_PULL && r->status == CB_RUN_DONE; }

/* Voided runs and those of another campaign leave. */
static void drop_others(const cb_run *runs, size_t n, lab_verdicts *v) {
  size_t kept = 0;
  for (size_t i = 0; i < v->n; i++) {
    bool stays = false;
    for (size_t k = 0; k < n && !stays; k++)
      stays = runs[k].id == v->list[i].run_id && is_done_pull(&runs[k]);
    if (stays) v->list[kept++] = v->list[i];
  }
  v->n = kept;
}

static lab_verdict judge(cb_store *s, const cb_run *run) {
  lab_verdict out = {.run_id = run->id};
  cb_friction_point p;
  lab_point_detail d;
  char words[96];
  if (lab_point_of_run(s, run, &p, &d, NULL) == CB_OK && lab_validity_name(&p, words)[0]) {
    out.judged = true;
    out.faults = d.pull.faults;
  }
  lab_point_detail_clear(&d);
  return out;
}

cb_status lab_verdicts_update(cb_store *s, const cb_run *runs, size_t n, size_t most, lab_verdicts *v,
                              cb_err *err) {
  drop_others(runs, n, v);
  lab_verdict *grown = realloc(v->list, (n + 1) * sizeof *grown);
  if (!grown) return cb_no_memory(err, "the verdicts of %zu runs", n);
  v->list = grown;
  for (size_t i = n; i-- > 0 && most > 0;) {
    if (!is_done_pull(&runs[i]) || is_known(v, runs[i].id)) continue;
    v->list[v->n++] = judge(s, &runs[i]);
    most--;
  }
  return CB_OK;
}

lab_tally lab_verdicts_count(const lab_verdicts *v) {
  lab_tally t = {.n = 0};
  for (size_t i = 0; i < v->n; i++) {
    char words[96];
    fit_faults_words(&v->list[i].faults, words, sizeof words);
    if (v->list[i].judged) count_one(&t, fit_faults_validity(&v->list[i].faults), words);
  }
  return t;
}

const fit_fault_found *lab_verdict_worst(const lab_verdict *v) {
  const fit_validity worst = fit_faults_validity(&v->faults);
  for (size_t i = 0; i < v->faults.n; i++)
    if (fit_fault_kinds[v->faults.list[i].kind].validity == worst) return &v->faults.list[i];
  return NULL;
}
