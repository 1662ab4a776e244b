#include "lab_plan.h"

#include <math.h>
#include <stdlib.h>

#include "lab_friction_parts.h"

typedef struct known_pair {
  cb_friction_obs *obs; /* owned */
  size_t n;
  fit_friction_result fit; /* of these */
  double u_angle_rad;
} known_pair;

static bool is_wanted(const cb_run *run, const lab_plan_pair *pair) {
  return cb_origin_is_real(run->origin) == pair->is_real &&
         cb_run_same_body_angle(run->body_angle_deg, pair->body_angle_deg);
}

static cb_status read_pair(cb_store *s, const lab_plan_pair *pair, known_pair *k, cb_err *err) {
  cb_material cloth, body;
  fit_friction_options opt;
  size_t all;
  cb_status st = cb_store_material_find(s, CB_CLOTH, pair->cloth, &cloth, err);
  if (st == CB_OK) st = cb_store_material_find(s, CB_BODY, pair->body, &body, err);
  if (st == CB_E_NOTFOUND) return CB_OK; /* the first campaign makes the pair */
  CB_TRY(st);
  CB_TRY(lab_friction_observations(s, cloth.id, body.id, &k->obs, &all, err));
  for (size_t i = 0; i < all; i++)
    if (is_wanted(&k->obs[i].run, pair)) k->obs[k->n++] = k->obs[i];
  CB_TRY(lab_friction_fit_runs(s, k->obs, k->n, pair->cloth, pair->body, &opt, &k->fit, err));
  k->u_angle_rad = opt.u_angle_rad;
  return CB_OK;
}

cb_status lab_plan_next(cb_store *s, const lab_plan_pair *pair, const fit_plan_options *opt, fit_plan *plan,
                        size_t *n_runs, cb_err *err) {
  known_pair k = {.fit.kinetic.outcome = FIT_FRICTION_NO_DATA};
  cb_status st = s ? read_pair(s, pair, &k, err) : CB_OK;
  fit_plan_options more = *opt;
  more.u_angle_rad = fmax(opt->u_angle_rad, k.u_angle_rad);
  if (st == CB_OK) st = fit_plan_next(k.obs, k.n, &k.fit, &more, plan, err);
  *n_runs = k.n;
  free(k.obs);
  return st;
}
