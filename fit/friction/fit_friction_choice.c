/* Which law: coulomb, power, offset or the curve through the loads, each isotropic, orthotropic or
 * general. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fit_friction_impl.h"
#include "fit_import.h"

/* Candidates that Akaike's weight gives less do not widen the band. */
#define LEAST_WEIGHT 1e-3
#define MOST_ALTERNATIVES 3

/* A formula is a few numbers; its law is written out where it is wanted. */
typedef struct entry {
  fit_candidate c;
  const cb_friction_law *curve; /* NULL: the formula */
  fit_formula formula;
} entry;

/* All cells share one scatter that was estimated beside the candidates, with nu degrees of freedom: the
 * cells' departures are a multivariate t, and -2 ln L = (n + nu) ln(1 + chi2 / nu). The second-order term of
 * AICc pays for a variance that is estimated from the candidate's own residuals; here none is. For nu to
 * infinity this is chi2 + 2 p, Mallows' C_p. */
static double aicc_of(const fit_candidate *c, size_t n_cells, double nu) {
  return ((double)n_cells + nu) * log1p(c->chi2 / nu) + 2 * (double)c->n_parameters;
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
  fit_test falling[3];    /* of the curve of each form */
} task;

static void enter(const task *t, fit_candidate c, const cb_friction_law *curve, const fit_formula *formula,
                  entry *list, size_t *n) {
  entry *e = &list[(*n)++];
  c.aicc = aicc_of(&c, t->d->n_cells, fit_scatter_dof(t->s));
  e->c = c, e->curve = curve;
  if (formula) e->formula = *formula;
}

static cb_status enter_curve(task *t, cb_friction_law *law, entry *list, size_t *n, cb_err *err) {
  fit_test quadratic = {0};
  fit_fitness fitness;
  CB_TRY(
      fit_curve(t->d, t->s, t->dir, t->u_angle_rad, law, &fitness, &quadratic, &t->falling[law->form], err));
  if (!fitness.possible) return CB_OK;
  fit_test linearity = fit_curve_outside(law, t->s);
  if (law->form == t->shown) t->v->linearity = linearity, t->v->form = quadratic;
  enter(t,
        (fit_candidate){.model = CB_MODEL_CURVE,
                        .form = law->form,
                        .n_parameters = fitness.n_parameters,
                        .chi2 = fitness.chi2},
        law, NULL, list, n);
  return CB_OK;
}

/* Fills list with those that are possible; curves: room for a law of each form. */
static cb_status fit_all(task *t, cb_friction_law *curves, entry *list, size_t *n, cb_err *err) {
  *n = 0;
  for (int form = CB_FORM_ISOTROPIC; form <= CB_FORM_GENERAL; form++) {
    if (!fit_form_allowed(t->d, (cb_friction_form)form)) continue;
    curves[form].form = (cb_friction_form)form;
    CB_TRY(enter_curve(t, &curves[form], list, n, err));
    for (int model = CB_MODEL_COULOMB; model <= CB_MODEL_OFFSET; model++) {
      fit_formula x = fit_formula_of(t->d, (cb_friction_model)model, (cb_friction_form)form, t->u_angle_rad);
      if (!x.possible) continue;
      enter(t,
            (fit_candidate){.model = x.model, .form = x.form, .n_parameters = x.n_parameters, .chi2 = x.chi2},
            NULL, &x, list, n);
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

/* Buckland, Burnham and Augustin (1997): the spread between the candidates, by Akaike's weights, is
 * uncertainty. */
static void add_alternative(cb_friction_law *law, const cb_friction_law *other, double weight) {
  cb_friction_shared *part = &law->shared[law->n_shared++];
  double size = sqrt(weight);
  *part = (cb_friction_shared){.source = "candidates"};
  for (size_t k = 0; k < law->n_knots; k++)
    for (int i = 0; i < 3; i++) part->f_N[k][i] = size * (other->knots[k].f_N[i] - law->knots[k].f_N[i]);
  for (int side = 0; side < 2; side++) {
    double N = law->knots[side ? law->n_knots - 1 : 0].normal_force_N;
    part->exponent[side] = size * (exponent_at(other, law, N) - law->exponent);
  }
}

/* As above; the other law has other knots. */
void fit_add_doubt(cb_friction_law *law, const cb_friction_law *without) {
  cb_friction_shared *part = fit_new_part(law, "doubtful runs");
  const double size = sqrt(0.5);
  double f[3];
  for (size_t k = 0; k < law->n_knots; k++) {
    cb_friction_law_matrix(without, law->knots[k].normal_force_N, f);
    for (int i = 0; i < 3; i++) part->f_N[k][i] = size * (f[i] - law->knots[k].f_N[i]);
  }
  for (int side = 0; side < 2; side++)
    part->exponent[side] =
        size *
        (exponent_at(without, law, law->knots[side ? law->n_knots - 1 : 0].normal_force_N) - law->exponent);
}

static const cb_friction_law *curve_of(entry *const *list, size_t n, cb_friction_form form) {
  for (size_t i = 0; i < n; i++)
    if (list[i]->curve && list[i]->c.form == form) return list[i]->curve;
  return NULL;
}

/* law keeps what was known of it before the fit. */
static void take_curve(const cb_friction_law *curve, cb_friction_law *law) {
  law->form = curve->form, law->model = curve->model;
  law->bend = curve->bend;
  law->exponent = curve->exponent, law->u_exponent = curve->u_exponent;
  law->u_rel_model = curve->u_rel_model;
  law->n_knots = curve->n_knots, law->n_shared = curve->n_shared;
  memcpy(law->knots, curve->knots, curve->n_knots * sizeof law->knots[0]);
  memcpy(law->shared, curve->shared, curve->n_shared * sizeof law->shared[0]);
}

/* scratch: a law to write formulas out in. */
static void take_best(const task *t, entry *const *list, size_t n, cb_friction_law *scratch,
                      fit_friction_law *f) {
  cb_friction_law *law = &f->law;
  f->n_candidates = n;
  f->falling = t->falling[list[0]->c.form];
  for (size_t i = 0; i < n; i++) f->candidates[i] = list[i]->c;
  if (list[0]->curve) {
    take_curve(list[0]->curve, law);
  } else {
    fit_formula_law(t->d, &list[0]->formula, t->dir, t->u_angle_rad, law);
    const cb_friction_law *curve = curve_of(list, n, law->form);
    if (curve) law->u_exponent = fit_end_spread(curve, law);
  }
  for (size_t i = 1; i < n && i <= MOST_ALTERNATIVES && list[i]->c.weight > LEAST_WEIGHT; i++) {
    if (!list[i]->curve) fit_formula_knots(t->d, &list[i]->formula, scratch);
    add_alternative(law, list[i]->curve ? list[i]->curve : scratch, list[i]->c.weight);
  }
}

static bool any_level_without_force(const fit_data *d) {
  for (size_t l = 0; l < d->n_levels; l++) {
    double sum = 0;
    for (size_t k = d->levels[l].first; k < d->levels[l].first + d->levels[l].n; k++)
      sum += d->cells[k].mean_N;
    if (!(sum > FIT_LEAST_MU * d->levels[l].normal_force_N * (double)d->levels[l].n)) return true;
  }
  return false;
}

cb_status fit_choose(const fit_data *d, const fit_scatter *s, const fit_directions *dir, double u_angle_rad,
                     fit_friction_law *f, fit_verdict *v, cb_err *err) {
  size_t n = 0;
  entry list[FIT_MAX_CANDIDATES], *sorted[FIT_MAX_CANDIDATES];
  task t = {.d = d, .s = s, .dir = dir, .u_angle_rad = u_angle_rad, .v = v, .shown = fit_form_of(d, v, dir)};
  f->outcome = FIT_FRICTION_NO_FORCE;
  if (any_level_without_force(d)) return CB_OK;
  cb_friction_law *laws = malloc(4 * sizeof *laws); /* a curve of each form; one to work in */
  if (!laws) return cb_no_memory(err, "%d candidate laws", FIT_MAX_CANDIDATES);
  cb_status st = fit_all(&t, laws, list, &n, err);
  if (st == CB_OK && n > 0) {
    for (size_t i = 0; i < n; i++) sorted[i] = &list[i];
    weigh(sorted, n);
    take_best(&t, sorted, n, &laws[3], f);
    f->outcome = FIT_FRICTION_OK;
  }
  free(laws);
  return st;
}
