/* What a form and the tested directions say of a direction between them.
 *
 * ln of the compliance departs from the form as a random walk over the angle. Between two directions the
 * departure is thus linear, and may be off by more the farther both are away; what the fit itself took of the
 * departures counts, too. How far a cloth walks follows from its misfits and from published cloths, whose
 * walk counts as so many degrees of freedom. docs/method/stretch-directions.md has the evidence. */
#include <math.h>
#include <string.h>

#include "cb_stretch_impl.h"

#define WALK 0.15 /* of ln S in WALK_DEG, from the tables of Wang et al. 2011 */
#define WALK_DEG 22.5
#define WALK_DOF 2

typedef struct weights {
  double of[CB_STRETCH_MAX_DIRECTIONS]; /* d ln S / d ln S_i; their sum is 1 */
} weights;

/* The variance between ln S in a direction and what the others with these weights say, for WALK = 1. */
static double walked(const cb_stretch_moduli *m, const weights *w, double angle_deg) {
  double sum = 0;
  for (size_t i = 0; i < m->n; i++) {
    sum += w->of[i] * fabs(m->angle_deg[i] - angle_deg);
    for (size_t k = 0; k < i; k++) sum -= w->of[i] * w->of[k] * fabs(m->angle_deg[i] - m->angle_deg[k]);
  }
  return fmax(sum, 0) / WALK_DEG;
}

/* Adds a part of what the form itself takes from the directions. */
static void add_form(const cb_stretch_moduli *m, double angle_deg, double part, weights *w) {
  for (size_t i = 0; i < m->n; i++) w->of[i] += part * cb_stretch_form_weight(m, i, angle_deg);
}

/* Adds a direction's misfit, and its weights, to what the form says. */
static double add_misfit(const cb_stretch_moduli *m, size_t i, double part, weights *w) {
  add_form(m, m->angle_deg[i], -part, w);
  w->of[i] += part;
  return part * log1p(m->misfit_rel[i]);
}

/* Linear between the neighbours; beyond the last direction its own. Returns the sum. */
static double add_misfits(const cb_stretch_moduli *m, double angle_deg, weights *w) {
  size_t k = 0;
  while (k < m->n && m->angle_deg[k] <= angle_deg) k++;
  if (k == 0) return add_misfit(m, 0, 1, w);
  if (k == m->n) return add_misfit(m, k - 1, 1, w);
  const double from = m->angle_deg[k - 1], t = (angle_deg - from) / (m->angle_deg[k] - from);
  return add_misfit(m, k - 1, 1 - t, w) + add_misfit(m, k, t, w);
}

/* The variance of the walk in WALK_DEG: the misfits over what a walk of variance 1 leaves of them. */
static double variance_of_walk(const cb_stretch_moduli *m) {
  double square = 0, expected = 0, spare = (double)m->n - 3;
  if (m->n <= 3) return WALK * WALK;
  for (size_t i = 0; i < m->n; i++) {
    weights w = {{0}};
    add_form(m, m->angle_deg[i], 1, &w);
    square += pow(log1p(m->misfit_rel[i]), 2);
    expected += walked(m, &w, m->angle_deg[i]);
  }
  return (WALK_DOF * WALK * WALK + square / expected * spare) / (WALK_DOF + spare);
}

cb_stretch_place cb_stretch_between(const cb_stretch_moduli *m, double angle_deg) {
  const double a = cb_stretch_fold_deg(angle_deg);
  cb_stretch_place p = {.walk_var = variance_of_walk(m), .walk_dof = WALK_DOF + (double)m->n - 3};
  weights w = {{0}};
  double means = 0;
  add_form(m, a, 1, &w);
  p.compliance_m_per_N = cb_stretch_compliance(m, a, NULL) * exp(add_misfits(m, a, &w));
  for (size_t i = 0; i < m->n; i++) means += pow(w.of[i] * m->u_rel[i], 2);
  p.u_means_rel = sqrt(means);
  p.u_walk_rel = sqrt(p.walk_var * walked(m, &w, a));
  return p;
}
