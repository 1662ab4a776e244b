#include "lab_sides.h"

#include <math.h>
#include <stdlib.h>

#include "cb_num.h"
#include "cb_plural.h"
#include "lab_friction_parts.h"
#include "lab_selection.h"

/* Angles and loads that are the same place of a plan. */
#define SAME_ANGLE_DEG 0.5
#define SAME_LOAD_REL 0.01

/* ---- the runs of a side ---- */

static cb_status fit_side(const lab_compare_side *side, const char *cloth, const char *body,
                          cb_friction_kind kind, lab_side *m, cb_err *err) {
  fit_friction_result r;
  fit_friction_options opt;
  CB_TRY(lab_friction_fit_runs(side->s, m->obs, m->n, cloth, body, &opt, &r, err));
  const fit_friction_law *f = kind == CB_FRICTION_KINETIC ? &r.kinetic : &r.stat;
  if (f->outcome != FIT_FRICTION_OK)
    return cb_fail(err, CB_E_NOTFOUND, "%s: no %s friction law can be fitted to these %zu run%s: %s",
                   cb_store_path(side->s), cb_friction_kind_names[kind], m->n, CB_S(m->n),
                   fit_friction_outcome_text[f->outcome]);
  m->law = f->law;
  return CB_OK;
}

cb_status lab_side_measure(const lab_compare_side *side, const char *cloth_name, const char *body_name,
                           cb_friction_kind kind, lab_side *m, cb_err *err) {
  cb_material cloth, body;
  m->obs = NULL;
  m->n = 0;
  CB_TRY(cb_store_material_find(side->s, CB_CLOTH, cloth_name, &cloth, err));
  CB_TRY(cb_store_material_find(side->s, CB_BODY, body_name, &body, err));
  CB_TRY(lab_friction_observations(side->s, cloth.id, body.id, &m->obs, &m->n, err));
  const lab_selection wanted = {.origin = LAB_ANY_ORIGIN, .lot = side->lot, .campaign_id = side->campaign_id};
  CB_TRY(lab_selection_keep(side->s, &wanted, m->obs, &m->n, err));
  m->n = cb_friction_obs_one_body_angle(m->obs, m->n);
  if (m->n == 0)
    return cb_fail(err, CB_E_NOTFOUND, "%s: '%s' on '%s' has no finished runs%s%s", cb_store_path(side->s),
                   cloth_name, body_name, side->lot ? " of lot " : "", side->lot ? side->lot : "");
  return fit_side(side, cloth_name, body_name, kind, m, err);
}

/* ---- cells ---- */

static bool all_measured(const lab_side *sides, size_t n_sides, double normal_force_N) {
  for (size_t k = 0; k < n_sides; k++) {
    cb_friction_value v;
    cb_friction_law_eval(&sides[k].law, 0, normal_force_N, &v);
    if (!v.inside_measured_range) return false;
  }
  return true;
}

static bool has_cell(const lab_compare_cell *cells, size_t n, const cb_run *r) {
  for (size_t i = 0; i < n; i++)
    if (fabs(cells[i].angle_deg - r->angle_deg) < SAME_ANGLE_DEG &&
        fabs(cells[i].normal_force_N / r->normal_force_N - 1) < SAME_LOAD_REL)
      return true;
  return false;
}

static int by_angle_and_load(const void *a, const void *b) {
  const lab_compare_cell *p = a, *q = b;
  if (p->angle_deg != q->angle_deg) return p->angle_deg < q->angle_deg ? -1 : 1;
  return (p->normal_force_N > q->normal_force_N) - (p->normal_force_N < q->normal_force_N);
}

cb_status lab_side_cells(const lab_side *sides, size_t n_sides, lab_compare_cell **cells, size_t *n,
                         cb_err *err) {
  size_t most = 0;
  for (size_t k = 0; k < n_sides; k++) most += sides[k].n;
  *n = 0;
  lab_compare_cell *list = *cells = calloc(most + 1, sizeof *list);
  if (!list) return cb_no_memory(err, "%zu cells", most);
  for (size_t k = 0; k < n_sides; k++)
    for (size_t i = 0; i < sides[k].n; i++) {
      const cb_run *r = &sides[k].obs[i].run;
      if (has_cell(list, *n, r) || !all_measured(sides, n_sides, r->normal_force_N)) continue;
      list[(*n)++] = (lab_compare_cell){.angle_deg = r->angle_deg, .normal_force_N = r->normal_force_N};
    }
  qsort(list, *n, sizeof *list, by_angle_and_load);
  return *n > 0 ? CB_OK : cb_fail(err, CB_E_RANGE, "the measured loads of the sides do not meet");
}

/* ---- a cell ---- */

void lab_side_evaluate(const cb_friction_law *law, const lab_compare_cell *c, bool one_calibration,
                       lab_side_value *out) {
  cb_friction_value v;
  cb_friction_law_eval(law, c->angle_deg * CB_PI / 180, c->normal_force_N, &v);
  out->n = cb_friction_law_effects(law, c->angle_deg * CB_PI / 180, c->normal_force_N, out->rel);
  if (one_calibration) out->rel[out->n - 1] = 0; /* the last of them */
  out->mu = v.force_N / c->normal_force_N;
  out->dof = v.dof;
}

double lab_root_of_squares(const double *v, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += v[i] * v[i];
  return sqrt(sum);
}
