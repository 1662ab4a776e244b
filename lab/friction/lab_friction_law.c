/* The newest law of a pair: stored, or fitted now. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lab_friction_parts.h"
#include "lab_pooled_impl.h"

/* origin: only runs that are as real. */
static cb_status fit_in_memory(cb_store *s, const char *cloth, const char *body, cb_friction_kind kind,
                               int origin, cb_friction_law *law, lab_pooled *pooled, cb_err *err) {
  cb_friction_obs *obs;
  size_t n;
  fit_friction_options opt;
  fit_friction_result r;
  CB_TRY(lab_friction_observations_like(s, cloth, body, origin, &obs, &n, err));
  cb_status st = lab_friction_fit_runs(s, obs, n, cloth, body, &opt, &r, err);
  if (st == CB_OK && pooled) st = lab_pooled_of(s, obs, n, pooled, err);
  free(obs);
  if (st != CB_OK) return st;
  const fit_friction_law *f = kind == CB_FRICTION_KINETIC ? &r.kinetic : &r.stat;
  if (f->outcome != FIT_FRICTION_OK) {
    char why[FIT_WHY];
    fit_friction_why(f, why);
    return cb_fail(err, CB_E_NOTFOUND, "%s: no %s friction law of '%s' on '%s' and none can be fitted: %s",
                   cb_store_path(s), cb_friction_kind_names[kind], cloth, body, why);
  }
  *law = f->law;
  return CB_OK;
}

cb_status lab_friction_law_find(cb_store *s, const char *cloth, const char *body, cb_friction_kind kind,
                                cb_friction_law *law, lab_pooled *pooled, cb_err *err) {
  if (pooled) *pooled = (lab_pooled){0};
  cb_status st = cb_store_law_find(s, cloth, body, kind, law, err);
  if (st != CB_OK && st != CB_E_NOTFOUND) return st;
  bool stored = st == CB_OK;
  size_t newer = 0;
  if (stored) CB_TRY(cb_store_law_stale(s, law, &newer, err));
  if (stored && newer == 0) return CB_OK;
  return fit_in_memory(s, cloth, body, kind, stored ? (int)law->origin : LAB_ANY_ORIGIN, law, pooled, err);
}

/* ---- what was stored ---- */

cb_status lab_friction_law_read(cb_store *s, const cb_friction_law *law, lab_friction *f, cb_err *err) {
  char *method, *text, created[32];
  CB_TRY(cb_store_law_info(s, law->id, &method, &text, created, err));
  cb_status st = lab_friction_verdicts_read(text, law->kind, f, err);
  free(method);
  free(text);
  if (st != CB_OK) return cb_fail_in(err, st, "%s: law F%lld", cb_store_path(s), (long long)law->id);
  (void)snprintf(f->cloth, sizeof f->cloth, "%s", law->cloth);
  (void)snprintf(f->body, sizeof f->body, "%s", law->body);
  (law->kind == CB_FRICTION_KINETIC ? &f->kinetic : &f->stat)->fit.law = *law;
  /* Documents of earlier versions have the tests alone. */
  if (law->kind == CB_FRICTION_KINETIC && !f->kinetic.has_far)
    fit_verdict_say(&f->verdict, law->knots[law->n_knots - 1].normal_force_N / law->knots[0].normal_force_N,
                    true);
  return CB_OK;
}

cb_status lab_friction_stored(cb_store *s, const char *cloth, const char *body, lab_friction *out,
                              cb_err *err) {
  cb_material m;
  cb_friction_law law;
  *out = (lab_friction){.body_angle_deg = NAN, .stat.fit.outcome = FIT_FRICTION_NO_DATA};
  CB_TRY(cb_store_material_find(s, CB_CLOTH, cloth, &m, err));
  CB_TRY(cb_store_material_find(s, CB_BODY, body, &m, err));
  CB_TRY(cb_store_law_find(s, cloth, body, CB_FRICTION_KINETIC, &law, err));
  CB_TRY(lab_friction_law_read(s, &law, out, err));
  cb_status st = cb_store_law_find(s, cloth, body, CB_FRICTION_STATIC, &law, err);
  if (st == CB_E_NOTFOUND) return CB_OK;
  return st == CB_OK ? lab_friction_law_read(s, &law, out, err) : st;
}
