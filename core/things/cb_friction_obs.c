/* What belongs together among the observations of a pair. */
#include <math.h>

#include "cb_friction_obs.h"

#define KINDS 64 /* more than anybody turns a body to; others are not counted */

size_t cb_friction_obs_keep_most(cb_friction_obs *obs, size_t n,
                                 bool (*same)(const cb_run *a, const cb_run *b)) {
  struct {
    const cb_run *run;
    size_t count;
  } kinds[KINDS];
  size_t n_kinds = 0, best = 0, kept = 0;
  for (size_t i = 0; i < n; i++) {
    size_t k = 0;
    while (k < n_kinds && !same(kinds[k].run, &obs[i].run)) k++;
    if (k == KINDS) continue;
    if (k == n_kinds) kinds[n_kinds++].run = &obs[i].run, kinds[k].count = 0;
    kinds[k].count++;
  }
  if (n_kinds < 2) return n;
  for (size_t k = 1; k < n_kinds; k++)
    if (kinds[k].count > kinds[best].count) best = k;
  cb_run like = *kinds[best].run;
  for (size_t i = 0; i < n; i++)
    if (same(&obs[i].run, &like)) obs[kept++] = obs[i];
  return kept;
}

static bool same_body_angle(const cb_run *a, const cb_run *b) {
  return cb_run_same_body_angle(a->body_angle_deg, b->body_angle_deg);
}

size_t cb_friction_obs_one_body_angle(cb_friction_obs *obs, size_t n) {
  for (size_t i = 1; i < n; i++)
    if (cb_origin_is_real(obs[i].run.origin) != cb_origin_is_real(obs[0].run.origin)) return n;
  return cb_friction_obs_keep_most(obs, n, same_body_angle);
}
