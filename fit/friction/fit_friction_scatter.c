/* How much the same pull varies from run to run, and from one laying of the sample to the next. */
#include <math.h>

#include "cb_stats.h"
#include "fit_friction_impl.h"

/* Sum of squares with its degrees of freedom, and the points' own share of it. */
typedef struct pool {
  double square, dof, own;
} pool;

/* Relative scatter inside the cells. */
static pool pool_repeats(const fit_data *d) {
  pool p = {0};
  for (size_t k = 0; k < d->n_cells; k++) {
    const fit_cell *c = &d->cells[k];
    if (c->n < 2 || !(c->mean_N > 0)) continue;
    for (size_t i = c->first; i < c->first + c->n; i++) {
      double r = d->data[i].force_N / c->mean_N - 1;
      p.square += r * r;
    }
    double dof = (double)c->n - 1, u = c->u_point_N / c->mean_N;
    p.dof += dof;
    p.own += dof * u * u;
  }
  return p;
}

const fit_cell *fit_cell_at(const fit_data *d, size_t level, size_t angle) {
  const fit_level *l = &d->levels[level];
  for (size_t k = l->first; k < l->first + l->n; k++)
    if (d->cells[k].angle == angle) return d->cells[k].mean_N > 0 ? &d->cells[k] : NULL;
  return NULL;
}

/* Three neighbouring loads of one direction: what the middle one departs from the power law through the outer
 * two. */
typedef struct triple {
  double e, bend;     /* departure of ln F; what unit curvature of ln F over ln N would make of it */
  double worth;       /* sum of squared weights: its variance is that of a single cell times worth */
  double own, within; /* the same sum over what the points state, and over 1 / runs */
} triple;

static triple triple_of(const fit_data *d, const fit_cell *const c[3]) {
  double x[3], weights[3];
  for (int i = 0; i < 3; i++) x[i] = d->levels[c[i]->level].ln_load;
  double w = (x[1] - x[0]) / (x[2] - x[0]);
  triple t = {.e = log(c[1]->mean_N) - (1 - w) * log(c[0]->mean_N) - w * log(c[2]->mean_N),
              .bend = -0.5 * (x[1] - x[0]) * (x[2] - x[1])};
  weights[0] = 1 - w, weights[1] = 1, weights[2] = w;
  for (int i = 0; i < 3; i++) {
    double u = c[i]->u_point_N / c[i]->mean_N, w2 = weights[i] * weights[i];
    t.worth += w2;
    t.own += w2 * u * u / (double)c[i]->n;
    t.within += w2 / (double)c[i]->n;
  }
  return t;
}

typedef void use_triple(const triple *t, void *context);

static void for_triples(const fit_data *d, use_triple *use, void *context) {
  for (size_t a = 0; a < d->n_angles; a++) {
    const fit_cell *last[3] = {NULL};
    for (size_t l = 0; l < d->n_levels; l++) {
      const fit_cell *c = fit_cell_at(d, l, a);
      if (!c) continue;
      last[0] = last[1], last[1] = last[2], last[2] = c;
      if (!last[0]) continue;
      triple t = triple_of(d, last);
      use(&t, context);
    }
  }
}

/* Without repeats, curvature counts as scatter, which is on the safe side. */
static void add_residual(const triple *t, void *context) {
  pool *p = context;
  p->square += t->e * t->e / t->worth;
  p->own += t->own / t->worth;
  p->dof += 1;
}

static pool pool_residuals(const fit_data *d) {
  pool p = {0};
  for_triples(d, add_residual, &p);
  return p;
}

/* Neighbouring residuals share loads: for even spacing m of them are worth m / 1.94 independent ones
 * (correlations -2/3 and 1/6). */
#define RESIDUAL_WORTH (1 / (1 + 2 * (4.0 / 9 + 1.0 / 36)))

/* Weighted sums of the triples, with one curvature that all directions and loads of the pair share. */
typedef struct bend_fit {
  double n, ee, eb, bb, own, within;
} bend_fit;

static void add_bend(const triple *t, void *context) {
  bend_fit *f = context;
  f->n++;
  f->ee += t->e * t->e / t->worth;
  f->eb += t->e * t->bend / t->worth;
  f->bb += t->bend * t->bend / t->worth;
  f->own += t->own / t->worth;
  f->within += t->within / t->worth;
}

/* Of one direction only: about power laws with one curvature. */
static fit_grid sweep_of(const fit_data *d, double repeat_rel) {
  bend_fit f = {0};
  for_triples(d, add_bend, &f);
  if (!(f.n > 1) || !(f.bb > 0)) return (fit_grid){0};
  return (fit_grid){.dof = f.n * RESIDUAL_WORTH - 1,
                    .square = fmax(0, f.ee - f.eb * f.eb / f.bb) / (f.n - 1),
                    .explained = (f.own + repeat_rel * repeat_rel * f.within) / f.n};
}

/* Repeats of one laying share what laying the sample anew would change. How much that is, only other cells
 * can tell: what their means scatter about a common function of the load beyond what repeats and points
 * explain. Counted only where an F test says that it is not chance: the few degrees of freedom would
 * otherwise widen every band for nothing. */
static void add_placement(const fit_data *d, fit_scatter *s) {
  if (s->basis != FIT_FROM_REPEATS) return;
  fit_grid g = fit_grid_of(d, s->rel);
  if (g.dof < FIT_PLACEMENT_MIN_DOF) g = sweep_of(d, s->rel);
  if (g.dof < FIT_PLACEMENT_MIN_DOF) return;
  s->place_tested = true;
  s->place_found = (fit_placement){.var_rel = g.square - g.explained, .dof = g.dof};
  if (!(g.square > g.explained)) return;
  if (cb_f_p_upper(g.square / g.explained, g.dof, s->dof) > FIT_PLACEMENT_P) return;
  s->place_dof = g.dof;
  s->place_rel = sqrt(g.square - g.explained);
}

/* Experience with the same bench and hands: an estimate as good as its degrees of freedom (JCGM 100, 4.2.4).
 * Chance is averaged over pairs, so that it is taken as it is. */
void fit_scatter_assume_placement(fit_scatter *s, const fit_placement *others) {
  if (s->place_tested || s->basis != FIT_FROM_REPEATS || others->dof < FIT_PLACEMENT_MIN_DOF) return;
  s->place_tested = true;
  if (!(others->var_rel > 0)) return;
  s->place_rel = sqrt(others->var_rel);
  s->place_dof = others->dof;
}

#define UNEQUAL_P 0.01

/* The cells' squares over what scatter and points explain of each: their degrees of freedom, if it does. */
static double explained_squares(const fit_data *d, double scatter_var) {
  double sum = 0;
  for (size_t k = 0; k < d->n_cells; k++) {
    const fit_cell *c = &d->cells[k];
    if (c->n < 2 || !(c->mean_N > 0)) continue;
    const double u = c->u_point_N / c->mean_N, var = scatter_var + u * u;
    for (size_t i = c->first; i < c->first + c->n && var > 0; i++) {
      const double r = d->data[i].force_N / c->mean_N - 1;
      sum += r * r / var;
    }
  }
  return sum;
}

/* A few points that know little of themselves must not take the scatter from all others: where the cells
 * scatter more than the pooled figure explains, that which explains each cell (Paule and Mandel, J. Res. NBS
 * 87, 1982). */
static double scatter_of_unequal(const fit_data *d, const pool *p, double rel) {
  const double sum = explained_squares(d, fmax(rel * rel, 1e-18));
  if (!(cb_f_p_upper(sum / p->dof, p->dof, 1e6) < UNEQUAL_P)) return rel;
  double low = rel * rel, high = p->square;
  for (int i = 0; i < 60; i++) {
    const double middle = 0.5 * (low + high);
    if (explained_squares(d, middle) > p->dof)
      low = middle;
    else
      high = middle;
  }
  return sqrt(high);
}

fit_scatter fit_scatter_of(const fit_data *d) {
  pool p = pool_repeats(d);
  fit_basis basis = FIT_FROM_REPEATS;
  double worth = 1;
  if (p.dof < 1) {
    p = pool_residuals(d);
    basis = FIT_FROM_RESIDUALS;
    worth = RESIDUAL_WORTH;
  }
  if (p.dof < 1)
    return (fit_scatter){.rel = FIT_TYPICAL_SCATTER,
                         .dof = FIT_TYPICAL_SCATTER_DOF,
                         .pooled_var = FIT_TYPICAL_SCATTER * FIT_TYPICAL_SCATTER,
                         .basis = FIT_ASSUMED};
  fit_scatter s = {.rel = sqrt(fmax(0, p.square - p.own) / p.dof),
                   .dof = fmax(1, p.dof * worth),
                   .pooled_var = p.square / p.dof,
                   .basis = basis};
  if (basis == FIT_FROM_REPEATS && !fit_runs_are_alike(d))
    fit_scatter_weigh(d, p.dof, p.square, &s);
  else if (basis == FIT_FROM_REPEATS)
    s.rel = scatter_of_unequal(d, &p, s.rel);
  add_placement(d, &s);
  return s;
}

double fit_scatter_dof(const fit_scatter *s) { return s->place_rel > 0 ? s->place_dof : s->dof; }

double fit_cell_var(const fit_cell *c, const fit_scatter *s) {
  double run = s->rel * c->mean_N, place = s->place_rel * c->mean_N;
  return place * place + (run * run + c->u_point_N * c->u_point_N) / (double)c->n;
}
