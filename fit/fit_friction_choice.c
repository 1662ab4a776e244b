/* Which law: coulomb, power, offset or the curve through the loads, each isotropic, orthotropic or general. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit_friction_steps.h"

/* Candidates that Akaike's weight gives less do not widen the band. */
#define LEAST_WEIGHT 1e-3
#define MOST_ALTERNATIVES 3

typedef struct entry {
  fit_candidate c;
  cb_friction_law law;
} entry;

/* All cells share one scatter that was estimated beside the candidates, with nu degrees of freedom: the cells' departures are a
 * multivariate t, and -2 ln L = (n + nu) ln(1 + chi2 / nu). The second-order term of AICc pays for a variance that is estimated from the
 * candidate's own residuals; here none is. For nu to infinity this is chi2 + 2 p, Mallows' C_p. */
static double aicc_of(const fit_fitness *f, size_t n_cells, double nu) {
  return ((double)n_cells + nu) * log1p(f->chi2 / nu) + 2 * (double)f->n_parameters;
}

static int by_aicc(const void *a, const void *b) {
  const entry *x = *(const entry *const *)a, *y = *(const entry *const *)b;
  if (x->c.aicc != y->c.aicc) return x->c.aicc < y->c.aicc ? -1 : 1;
  if (x->c.model != y->c.model) return x->c.model < y->c.model ? -1 : 1;
  return (x->c.form > y->c.form) - (x->c.form < y->c.form);
}

typedef struct task {
  const fit_data *d;
  const fit_scatter *s;
  const fit_directions *dir;
  double u_angle_rad;
  fit_verdict *v;
  cb_friction_form shown; /* the curve of this form is the one that the tests are about */
} task;

static cb_status fit_one(const task *t, cb_friction_model model, entry *e, fit_fitness *fitness, cb_err *err) {
  if (model != CB_MODEL_CURVE) {
    fit_parametric(t->d, model, t->dir, t->u_angle_rad, &e->law, fitness);
    return CB_OK;
  }
  fit_test quadratic = {0};
  CB_TRY(fit_curve(t->d, t->s, t->dir, t->u_angle_rad, &e->law, fitness, &quadratic, err));
  if (!fitness->possible) return CB_OK;
  e->law.u_rel_model = fit_model_error(&e->law);
  fit_test linearity = fit_curve_exponent(&e->law, t->s);
  if (e->law.form == t->shown) t->v->linearity = linearity, t->v->form = quadratic;
  return CB_OK;
}

/* Fills list with those that are possible; all of it must be 0 before. */
static cb_status fit_all(const task *t, entry *list, size_t *n, cb_err *err) {
  double nu = t->s->place_rel > 0 ? t->s->place_dof : t->s->dof;
  *n = 0;
  for (int form = CB_FORM_ISOTROPIC; form <= CB_FORM_GENERAL; form++) {
    if (!fit_form_allowed(t->d, (cb_friction_form)form)) continue;
    for (int model = CB_MODEL_CURVE; model <= CB_MODEL_OFFSET; model++) {
      fit_fitness fitness;
      entry *e = &list[*n];
      e->law.form = (cb_friction_form)form;
      CB_TRY(fit_one(t, (cb_friction_model)model, e, &fitness, err));
      if (!fitness.possible) {
        memset(e, 0, sizeof *e);
        continue;
      }
      e->c = (fit_candidate){.model = (cb_friction_model)model, .form = (cb_friction_form)form, .n_parameters = fitness.n_parameters};
      e->c.chi2 = fitness.chi2;
      e->c.aicc = aicc_of(&fitness, t->d->n_cells, nu);
      (*n)++;
    }
  }
  return CB_OK;
}

static void weigh(entry **list, size_t n) {
  double sum = 0;
  qsort(list, n, sizeof *list, by_aicc);
  for (size_t i = 0; i < n; i++) list[i]->c.delta = list[i]->c.aicc - list[0]->c.aicc;
  for (size_t i = 0; i < n; i++) sum += list[i]->c.weight = exp(-0.5 * list[i]->c.delta);
  for (size_t i = 0; i < n; i++) list[i]->c.weight /= sum;
}

/* d ln F / d ln (N + offset) of the other law at the edge, in the terms of this one. */
static double exponent_at(const cb_friction_law *of, const cb_friction_law *in, double N) {
  return of->exponent * (N + in->offset_N) / (N + of->offset_N);
}

/* Buckland, Burnham and Augustin (1997): the spread between the candidates, by Akaike's weights, is uncertainty. */
static void add_alternative(cb_friction_law *law, const entry *other) {
  cb_friction_shared *part = &law->shared[law->n_shared++];
  double size = sqrt(other->c.weight);
  *part = (cb_friction_shared){.source = "candidates"};
  for (size_t k = 0; k < law->n_knots; k++)
    for (int i = 0; i < 3; i++) part->f_N[k][i] = size * (other->law.knots[k].f_N[i] - law->knots[k].f_N[i]);
  for (int side = 0; side < 2; side++) {
    double N = law->knots[side ? law->n_knots - 1 : 0].normal_force_N;
    part->exponent[side] = size * (exponent_at(&other->law, law, N) - law->exponent);
  }
}

static const cb_friction_law *curve_of(entry *const *list, size_t n, cb_friction_form form) {
  for (size_t i = 0; i < n; i++)
    if (list[i]->c.model == CB_MODEL_CURVE && list[i]->c.form == form) return &list[i]->law;
  return NULL;
}

/* f->law keeps what was known of it before the fit. */
static void take_best(entry *const *list, size_t n, fit_friction_law *f) {
  cb_friction_law *best = &list[0]->law;
  memcpy(best->cloth, f->law.cloth, sizeof best->cloth);
  memcpy(best->body, f->law.body, sizeof best->body);
  best->kind = f->law.kind;
  best->origin = f->law.origin;
  best->contact_area_m2 = f->law.contact_area_m2;
  best->speed_m_per_s = f->law.speed_m_per_s;
  f->law = *best;
  f->n_candidates = n;
  for (size_t i = 0; i < n; i++) f->candidates[i] = list[i]->c;
  const cb_friction_law *curve = curve_of(list, n, f->law.form);
  if (curve && f->law.model != CB_MODEL_CURVE) f->law.u_exponent = fit_end_spread(curve, &f->law);
  for (size_t i = 1; i < n && i <= MOST_ALTERNATIVES && list[i]->c.weight > LEAST_WEIGHT; i++) add_alternative(&f->law, list[i]);
}

static bool any_level_without_force(const fit_data *d) {
  for (size_t l = 0; l < d->n_levels; l++) {
    double sum = 0;
    for (size_t k = d->levels[l].first; k < d->levels[l].first + d->levels[l].n; k++) sum += d->cells[k].mean_N;
    if (!(sum > 0)) return true;
  }
  return false;
}

cb_status fit_choose(const fit_data *d, const fit_scatter *s, const fit_directions *dir, double u_angle_rad, fit_friction_law *f,
                     fit_verdict *v, cb_err *err) {
  size_t n = 0;
  entry *sorted[FIT_MAX_CANDIDATES];
  task t = {.d = d, .s = s, .dir = dir, .u_angle_rad = u_angle_rad, .v = v, .shown = fit_form_of(d, v, dir)};
  f->outcome = FIT_FRICTION_NO_FORCE;
  if (any_level_without_force(d)) return CB_OK;
  entry *list = calloc(FIT_MAX_CANDIDATES, sizeof *list);
  if (!list) return cb_fail(err, CB_E_NOMEM, "no memory for %d candidate laws", FIT_MAX_CANDIDATES);
  cb_status st = fit_all(&t, list, &n, err);
  if (st == CB_OK && n > 0) {
    for (size_t i = 0; i < n; i++) sorted[i] = &list[i];
    weigh(sorted, n);
    take_best(sorted, n, f);
    f->outcome = FIT_FRICTION_OK;
  }
  free(list);
  return st;
}
