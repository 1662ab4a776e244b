#include "lab_friction_parts.h"

#include <stdlib.h>
#include <string.h>

static bool same_pair(const cb_run *a, const cb_run *b) {
  return a->cloth_id == b->cloth_id && a->body_id == b->body_id;
}

/* The source of a run that a rig made is the rig's name. One law holds for one area. */
static bool same_bench(const cb_run *a, const cb_run *b) {
  return b->rig_id != 0 && cb_origin_is_real(a->origin) == cb_origin_is_real(b->origin) &&
         strcmp(a->source, b->source) == 0;
}

static bool is_comparable(const cb_run *of, const cb_run *run) {
  return same_bench(of, run) && run->normal_force_N > 0 && run->contact_area_m2 == of->contact_area_m2;
}

static cb_status add_pair(cb_store *s, const cb_run *of, fit_placement *sum, cb_err *err) {
  cb_friction_obs *obs;
  size_t all, n = 0;
  const fit_friction_options opt = {0};
  fit_friction_result r;
  CB_TRY(cb_store_observations(s, of->cloth_id, of->body_id, &obs, &all, err));
  for (size_t i = 0; i < all; i++)
    if (is_comparable(of, &obs[i].run)) obs[n++] = obs[i];
  cb_status st = fit_friction(obs, n, "", "", &opt, &r, err);
  free(obs);
  if (st != CB_OK) return st == CB_E_NOMEM ? st : CB_OK; /* what is wrong with that pair, its own fit says */
  const fit_placement *p = &r.kinetic.placement_found;
  sum->var_rel += p->dof * p->var_rel;
  sum->dof += p->dof;
  return CB_OK;
}

/* One run of every other pair is kept, in place; returns how many. */
static size_t others(cb_run *runs, size_t n, const cb_run *own) {
  size_t kept = 0;
  for (size_t i = 0; i < n; i++) {
    bool fresh = same_bench(own, &runs[i]) && !same_pair(own, &runs[i]);
    for (size_t k = 0; k < kept && fresh; k++) fresh = !same_pair(&runs[k], &runs[i]);
    if (fresh) runs[kept++] = runs[i];
  }
  return kept;
}

cb_status lab_placement_of_others(cb_store *s, const cb_run *run, fit_placement *out, cb_err *err) {
  cb_run *runs;
  size_t n;
  cb_status st = CB_OK;
  cb_run_filter f = cb_run_filter_all();
  *out = (fit_placement){0};
  if (run->rig_id == 0) return CB_OK;
  f.kind = CB_RUN_PULL;
  f.status = CB_RUN_DONE;
  CB_TRY(cb_store_runs(s, &f, &runs, &n, err));
  n = others(runs, n, run);
  for (size_t i = 0; i < n && st == CB_OK; i++) st = add_pair(s, &runs[i], out, err);
  free(runs);
  if (out->dof > 0) out->var_rel /= out->dof;
  return st;
}
