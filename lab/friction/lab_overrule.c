/* What people said of the verdicts on pulls: the points of a fit follow it, the stored ones stay. */
#include "lab_overrule.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab_point_parts.h"

#define TRUSTED "; valid: said"

/* ---- who said what ---- */

/* The newest word on every run counts, in order of time in list. */
static size_t keep_newest(cb_correction *list, size_t n) {
  size_t kept = 0;
  for (size_t i = 0; i < n; i++) {
    if (list[i].kind != CB_CORRECTION_AMEND || strcmp(list[i].field, "verdict") != 0) continue;
    for (size_t k = 0; k < kept; k++)
      if (list[k].run_id == list[i].run_id) {
        memmove(&list[k], &list[k + 1], (kept - k - 1) * sizeof *list);
        kept--;
        break;
      }
    list[kept++] = list[i];
  }
  return kept;
}

cb_status lab_overruled_list(cb_store *s, cb_correction **list, size_t *n, cb_err *err) {
  size_t all, kept = 0;
  CB_TRY(cb_store_corrections(s, 0, list, &all, err));
  all = keep_newest(*list, all);
  for (size_t i = 0; i < all; i++)
    if ((*list)[i].value >= CB_VERDICT_VALID && (*list)[i].value <= CB_VERDICT_INVALID)
      (*list)[kept++] = (*list)[i];
  *n = kept;
  return CB_OK;
}

/* ---- the points ---- */

static void say(fit_validity said, cb_friction_point *p) {
  char *found = strstr(p->method, "; ");
  if (found) *found = '\0';
  const size_t n = strlen(p->method);
  (void)snprintf(p->method + n, sizeof p->method - n, "; %s: said", fit_validity_names[said]);
}

/* The force that the reduction found, whatever it held of it. Valid: without the uncertainty of faults. */
static cb_status take_force(cb_store *s, const cb_run *run, fit_validity said, cb_friction_point *p,
                            cb_err *err) {
  cb_friction_point fresh;
  lab_point_detail d;
  cb_status st = lab_point_of_run(s, run, &fresh, &d, err);
  const fit_pull *pull = &d.pull;
  if (st == CB_OK && !d.is_cycle && (pull->outcome == FIT_PULL_OK || pull->outcome == FIT_PULL_INVALID)) {
    const double u_faults = said == FIT_VALID ? fit_faults_uncertainty_N(&pull->faults) : 0;
    p->static_N = pull->static_N, p->u_static_N = pull->u_static_N;
    p->kinetic_N = pull->kinetic_N;
    p->u_kinetic_N = sqrt(fmax(0, pull->u_kinetic_N * pull->u_kinetic_N - u_faults * u_faults));
  }
  lab_point_detail_clear(&d);
  return st;
}

static cb_status follow(cb_store *s, fit_validity said, cb_friction_obs *o, cb_err *err) {
  char words[96];
  const fit_validity found = lab_point_validity(&o->point, words);
  if (said != FIT_INVALID && found != FIT_VALID) CB_TRY(take_force(s, &o->run, said, &o->point, err));
  if (said == FIT_INVALID) o->point.kinetic_N = o->point.static_N = NAN;
  say(said, &o->point);
  return CB_OK;
}

cb_status lab_overrule(cb_store *s, cb_friction_obs *list, size_t n, cb_err *err) {
  cb_correction *said;
  size_t n_said;
  cb_status st = CB_OK;
  CB_TRY(lab_overruled_list(s, &said, &n_said, err));
  for (size_t k = 0; k < n_said; k++)
    for (size_t i = 0; i < n && st == CB_OK; i++)
      if (list[i].run.id == said[k].run_id) st = follow(s, (fit_validity)said[k].value, &list[i], err);
  free(said);
  return st;
}

cb_status lab_validity_said(cb_store *s, const cb_run *run, const cb_friction_point *p, const char **name,
                            char words[96], cb_err *err) {
  cb_friction_obs o = {.run = *run, .point = *p};
  CB_TRY(lab_overrule(s, &o, 1, err));
  *name = lab_validity_name(&o.point, words);
  return CB_OK;
}

bool lab_overrule_trusts(const cb_friction_point *p) { return strstr(p->method, TRUSTED) != NULL; }
