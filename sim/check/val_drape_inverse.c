/* Drapes gathered, and what follows from them, summed up. */
#include "val_drape_inverse.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "val_drape_lattice.h"
#include "val_small.h"
#include "val_drape_table_impl.h"

/* Ends of the table: the outermost twentieths of the bending lengths; how probable it may be that the cloth
 * lies there. */
#define END 0.05
#define END_PROBABILITY 0.05
#define P_LEAST 0.01

#define BINS 1000

const char *const val_drape_outcome_text[] = {
    "the drapes tell the bending rigidity",
    "the cloth may be limper than any of the table: a smaller specimen tells more",
    "the cloth may be stiffer than any of the table: a larger specimen tells more",
    "no cloth of the table drapes like that: the signs contradict each other"};
const char *const val_drape_unknown_names[] = {"B_Nm",           "ratio", "G_N_per_m", "bending_length_m",
                                               "shear_length_m", NULL};
const char *const val_drape_telling_text[] = {"told by the drapes", "told by drapes and prior",
                                              "told by the prior"};

val_drape_telling val_drape_tells(double sd_over_prior) {
  return sd_over_prior <= 0.5   ? VAL_DRAPE_BY_DATA
         : sd_over_prior <= 0.9 ? VAL_DRAPE_BY_BOTH
                                : VAL_DRAPE_BY_PRIOR;
}

val_drape_prior val_drape_prior_default(void) {
  /* Ten cloths of Wang, O'Brien, Ramamoorthi 2011 (bending entries / 4: cb_bending_law.h) and three of Petrak
   * et al. 2025: B 7.3 uN m, standard deviation of ln B 1.26; ln ratio 0.67 (root mean square); G 39 N/m,
   * 0.60; areal mass 0.193 kg/m2, 0.41. Rounded, and wider. B of KES is a slope: at 2 / c the moment over the
   * curvature is 1.4 times that, by the friction of docs/method/bending.md. The first slopes of stretch (root
   * of warp x weft) are 162 N/m, 1.72; their correlation with G, 0.32 of thirteen, is not used. */
  return (val_drape_prior){.B_Nm = 10e-6,
                           .sd_ln_B = 1.5,
                           .sd_ln_ratio = 0.7,
                           .G_N_per_m = 40,
                           .sd_ln_G = 0.8,
                           .mass_kg_per_m2 = 0.19,
                           .sd_ln_mass = 0.5,
                           .stretch_N_per_m = 160,
                           .sd_ln_stretch = 1.8};
}

/* ---- gathering ---- */

static void list_sizes(const val_drape_model *m, char *out, size_t size) {
  out[0] = '\0';
  for (int s = 0; s < m->n; s++) {
    size_t used = strlen(out);
    (void)snprintf(out + used, size - used, "%s%g on %g",
                   s == 0         ? ""
                   : s + 1 < m->n ? ", "
                                  : " and ",
                   100 * m->specimen[s].specimen_m, 100 * m->specimen[s].support_m);
  }
}

static void add_drape(val_drape_group *g, const val_drape_seen *seen, double squares[VAL_DRAPE_SIGNS]) {
  g->n++;
  for (int s = 0; s < VAL_DRAPE_SIGNS; s++) {
    /* A sign that one of the drapes does not have is not used at all. */
    double even = val_drape_even((val_drape_sign)s, seen->sign[s]), step = even - g->mean[s];
    g->mean[s] += step / g->n;
    squares[s] += step * (even - g->mean[s]);
    g->sd[s] = g->n > 1 ? sqrt(squares[s] / (g->n - 1)) : NAN;
    g->u[s] += (seen->u[s] * val_drape_even_slope((val_drape_sign)s, seen->sign[s]) - g->u[s]) / g->n;
  }
}

cb_status val_drape_gather(const val_drape_model *m, const val_drape_seen *seen, size_t n,
                           val_drape_group *groups, int *n_groups, cb_err *err) {
  double squares[VAL_DRAPE_SPECIMENS_MAX][VAL_DRAPE_SIGNS] = {{0}};
  *n_groups = 0;
  for (size_t i = 0; i < n; i++) {
    int specimen = val_drape_model_find(m, seen[i].support_m, seen[i].specimen_m), k = 0;
    if (specimen < 0) {
      char sizes[200];
      list_sizes(m, sizes, sizeof sizes);
      return cb_fail(err, CB_E_RANGE, "drape of %g cm on %g cm: the table has %s", 100 * seen[i].specimen_m,
                     100 * seen[i].support_m, sizes);
    }
    while (k < *n_groups && groups[k].specimen != specimen) k++;
    if (k == *n_groups) groups[(*n_groups)++] = (val_drape_group){.specimen = specimen};
    add_drape(&groups[k], &seen[i], squares[k]);
  }
  return CB_OK;
}

/* ---- summing up ---- */

/* What a node says of an unknown's logarithm: where, and how wide. */
typedef struct smear {
  double mean, sd;
} smear;

static smear unknown_at(const val_drape_lattice *l, const val_drape_belief *b, int node,
                        val_drape_unknown u) {
  val_drape_place p = val_drape_lattice_place(l, node);
  double length = l->step[0] / sqrt(12), shear = l->step[2] / sqrt(12);
  switch (u) {
    case VAL_DRAPE_B: return (smear){3 * p.ln[0] + b->weight[node], hypot(3 * length, b->u_weight)};
    case VAL_DRAPE_RATIO: return (smear){p.ln[1], l->step[1] / sqrt(12)};
    case VAL_DRAPE_G: return (smear){p.ln[2] + b->weight[node], hypot(shear, b->u_weight)};
    case VAL_DRAPE_LENGTH: return (smear){p.ln[0], length};
    default: return (smear){p.ln[2], shear};
  }
}

typedef struct histogram {
  double low, step, sd, bin[BINS];
} histogram;

/* Below which x lies that share. */
static double quantile(const histogram *h, double share) {
  double below = h->low - 10 * h->sd, above = h->low + h->step * BINS + 10 * h->sd;
  for (int round = 0; round < 40; round++) {
    double x = (below + above) / 2, sum = 0;
    for (int i = 0; i < BINS; i++)
      if (h->bin[i] > 1e-12)
        sum += h->bin[i] * 0.5 * erfc((h->low + h->step * (i + 0.5) - x) / (h->sd * sqrt(2)));
    *(sum < share ? &below : &above) = x;
  }
  return (below + above) / 2;
}

/* Moments, and the nodes sorted into bins. */
static void marginal(const val_drape_lattice *l, const val_drape_belief *b, const double *p,
                     val_drape_unknown u, double *mean, double *sd, histogram *h) {
  double high = -INFINITY, square = 0;
  *h = (histogram){.low = INFINITY};
  *mean = 0;
  for (int i = 0; i < l->nodes; i++) {
    smear x = unknown_at(l, b, i, u);
    h->low = fmin(h->low, x.mean), high = fmax(high, x.mean), h->sd = x.sd;
    *mean += p[i] * x.mean;
    square += p[i] * x.mean * x.mean;
  }
  *sd = sqrt(fmax(square - *mean * *mean, 0) + h->sd * h->sd);
  h->step = (high - h->low) / BINS;
  for (int i = 0; i < l->nodes; i++)
    h->bin[(int)fmin((unknown_at(l, b, i, u).mean - h->low) / h->step, BINS - 1)] += p[i];
}

static void estimate(const val_drape_lattice *l, const val_drape_belief *b, val_drape_unknown u,
                     val_drape_estimate *out) {
  histogram h;
  double least = u == VAL_DRAPE_RATIO ? 1 : 0; /* the outermost cells reach beyond their nodes */
  marginal(l, b, b->prior, u, &out->prior_mean_ln, &out->prior_sd_ln, &h);
  out->prior_lo95 = fmax(exp(quantile(&h, 0.025)), least);
  out->prior_hi95 = exp(quantile(&h, 0.975));
  marginal(l, b, b->posterior, u, &out->mean_ln, &out->sd_ln, &h);
  out->median = fmax(exp(quantile(&h, 0.5)), least);
  out->lo95 = fmax(exp(quantile(&h, 0.025)), least);
  out->hi95 = exp(quantile(&h, 0.975));
}

static void covariance(const val_drape_lattice *l, const val_drape_belief *b, const double *p,
                       double c[VAL_DRAPE_FREE][VAL_DRAPE_FREE]) {
  double mean[VAL_DRAPE_FREE] = {0}, square[VAL_DRAPE_FREE][VAL_DRAPE_FREE] = {{0}};
  for (int i = 0; i < l->nodes; i++) {
    double x[VAL_DRAPE_FREE];
    if (p[i] == 0) continue;
    for (int a = 0; a < VAL_DRAPE_FREE; a++) {
      x[a] = unknown_at(l, b, i, (val_drape_unknown)a).mean;
      mean[a] += p[i] * x[a];
      for (int k = 0; k <= a; k++) square[a][k] += p[i] * x[a] * x[k];
    }
  }
  for (int a = 0; a < VAL_DRAPE_FREE; a++)
    for (int k = 0; k <= a; k++) {
      double within = a == k ? pow(unknown_at(l, b, 0, (val_drape_unknown)a).sd, 2)
                      : a == VAL_DRAPE_G && k == VAL_DRAPE_B ? b->u_weight * b->u_weight
                                                             : 0;
      c[a][k] = c[k][a] = square[a][k] - mean[a] * mean[k] + within; /* the areal mass moves B and G alike */
    }
}

/* Directions in which the posterior is narrow beside the prior: both standardised by the prior's standard
 * deviations. */
static void directions(const val_drape_inverse *v, double prior[VAL_DRAPE_FREE][VAL_DRAPE_FREE],
                       val_drape_direction *out) {
  double a[4][4] = {{0}}, value[4], vector[4][4];
  for (int i = 0; i < VAL_DRAPE_FREE; i++)
    for (int j = 0; j < VAL_DRAPE_FREE; j++) a[i][j] = v->covariance[i][j] / sqrt(prior[i][i] * prior[j][j]);
  val_eigen(a, VAL_DRAPE_FREE, value, vector);
  for (int k = 0; k < VAL_DRAPE_FREE; k++) {
    out[k].sd_over_prior = sqrt(fmax(value[k], 0));
    int largest = 0;
    for (int i = 0; i < VAL_DRAPE_FREE; i++)
      if (fabs(vector[i][k]) > fabs(vector[largest][k])) largest = i;
    for (int i = 0; i < VAL_DRAPE_FREE; i++)
      out[k].share[i] = vector[i][k] * (vector[largest][k] < 0 ? -1 : 1);
  }
}

static void ends(const val_drape_lattice *l, const val_drape_belief *b, val_drape_inverse *out) {
  for (int i = 0; i < l->nodes; i++) {
    double part = (double)val_drape_lattice_place(l, i).at[0] / (l->size[0] - 1);
    if (part < END) out->at_limp_end += b->posterior[i];
    if (part > 1 - END) out->at_stiff_end += b->posterior[i];
  }
}

/* Beyond the end, as its coefficient goes: +1 the stiff one, -1 the limp one. */
static bool beyond(const val_drape_inverse *v, int n_groups, int end) {
  for (int k = 0; k < n_groups; k++) {
    const val_drape_check *c = &v->check[k][VAL_DRAPE_COEFFICIENT];
    if (c->known && end * (c->measured - c->mean) < 0) return false;
  }
  return true;
}

/* Signs that contradict each other may drive the cloth to an end, but not their own way. */
static val_drape_outcome outcome_of(const val_drape_inverse *v, int n_groups) {
  bool fits = v->p >= P_LEAST;
  if (v->at_limp_end > END_PROBABILITY && (fits || beyond(v, n_groups, -1))) return VAL_DRAPE_TOO_LIMP;
  if (v->at_stiff_end > END_PROBABILITY && (fits || beyond(v, n_groups, 1))) return VAL_DRAPE_TOO_STIFF;
  return fits ? VAL_DRAPE_TOLD : VAL_DRAPE_CONTRADICTED;
}

static cb_status check_groups(const val_drape_group *groups, int n_groups, const val_drape_prior *q,
                              cb_err *err) {
  const double positive[] = {q->B_Nm,    q->sd_ln_B,        q->sd_ln_ratio,     q->G_N_per_m,
                             q->sd_ln_G, q->mass_kg_per_m2, q->stretch_N_per_m, q->sd_ln_stretch};
  int signs = 0;
  for (int k = 0; k < n_groups; k++) {
    if (groups[k].n < 1) return cb_fail(err, CB_E_RANGE, "drapes: n = %d: must be 1 or more", groups[k].n);
    for (int s = 0; s < VAL_DRAPE_SIGNS; s++) signs += isfinite(groups[k].mean[s]);
  }
  if (signs == 0) return cb_fail(err, CB_E_NOTFOUND, "drapes: nothing was measured");
  for (size_t k = 0; k < sizeof positive / sizeof positive[0]; k++)
    if (!(positive[k] > 0)) return cb_fail(err, CB_E_RANGE, "drapes: prior: %g: must be > 0", positive[k]);
  return q->sd_ln_mass >= 0
             ? CB_OK
             : cb_fail(err, CB_E_RANGE, "drapes: prior: sd_ln_mass = %g: must be >= 0", q->sd_ln_mass);
}

cb_status val_drape_infer(const val_drape_lattice *l, const val_drape_group *groups, int n_groups,
                          const val_drape_prior *prior, val_drape_inverse *out, cb_err *err) {
  val_drape_belief b;
  double before[VAL_DRAPE_FREE][VAL_DRAPE_FREE];
  *out = (val_drape_inverse){.signs = 0};
  CB_TRY(check_groups(groups, n_groups, prior, err));
  cb_status st = val_drape_believe(l, groups, n_groups, prior, &b, err);
  if (st == CB_OK) {
    out->signs = b.signs;
    for (int u = 0; u < VAL_DRAPE_UNKNOWNS; u++) estimate(l, &b, (val_drape_unknown)u, &out->estimate[u]);
    covariance(l, &b, b.posterior, out->covariance);
    covariance(l, &b, b.prior, before);
    directions(out, before, out->direction);
    out->mean_square_ln_ratio = out->covariance[1][1] + out->estimate[VAL_DRAPE_RATIO].mean_ln *
                                                            out->estimate[VAL_DRAPE_RATIO].mean_ln;
    for (int k = 0; k < n_groups; k++) val_drape_check_signs(l, &b, &groups[k], out->check[k]);
    out->p = val_drape_check_p(&b);
    ends(l, &b, out);
    out->outcome = outcome_of(out, n_groups);
  }
  val_drape_belief_clear(&b);
  return st;
}
