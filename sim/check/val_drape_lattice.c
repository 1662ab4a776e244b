#include "val_drape_lattice.h"

#include <math.h>
#include <stdlib.h>

#include "cb_num.h"
#include "cb_sobol.h"
#include "cb_stats.h"
#include "val_drape_impl.h"
#include "val_small.h"
#include "val_drape_table_impl.h"

/* The scatter that the table expects counts as much as that of so many measured drapes. */
#define SCATTER_DOF 10

/* Of bending lengths, ratios, shears: where the cloths stretch alike, and where not. */
static const int lattice_size[2][VAL_DRAPE_FREE] = {
    {VAL_DRAPE_LATTICE_LENGTHS, VAL_DRAPE_LATTICE_RATIOS, VAL_DRAPE_LATTICE_SHEARS}, {81, 11, 11}};
/* The outermost stretches stand for what lies beyond, too: with this reach, five of them have a standard
 * deviation of 0.98 of the prior's. */
#define STRETCH_SDS 2.2

/* ---- the lattice ---- */

static const double softening_share[VAL_DRAPE_LATTICE_SOFTENINGS] = {0.1, 0.2, 0.4, 0.2, 0.1};

val_drape_place val_drape_lattice_place(const val_drape_lattice *l, int node) {
  const int soft = node % VAL_DRAPE_LATTICE_SOFTENINGS;
  val_drape_place p = {.share = softening_share[soft]};
  node /= VAL_DRAPE_LATTICE_SOFTENINGS;
  for (int k = VAL_DRAPE_FREE - 1; k >= 0; k--) {
    p.at[k] = node % l->size[k];
    node /= l->size[k];
    p.ln[k] = l->low[k] + l->step[k] * p.at[k];
    if (p.at[k] == 0 || p.at[k] + 1 == l->size[k]) p.share /= 2;
  }
  p.ln_stretch = l->ln_stretch + l->stretch_step * node;
  p.softening = l->softening[p.at[0]][soft];
  return p;
}

/* Friction and onset as docs/method/bending.md doubts them, drawn evenly; sorted, and averaged over shares.
 */
static void set_softenings(val_drape_lattice *l, int length) {
  enum { DRAWN = 640 };
  double drawn[DRAWN];
  const val_drape_cloth c = {exp(l->low[0] + l->step[0] * length), 1, 1, 1, VAL_DRAPE_STRETCH_M};
  const val_drape_many of = val_drape_of_cloth(&c, 0.15);
  for (int i = 0; i < DRAWN; i++)
    drawn[i] =
        log(val_drape_softening_drawn(&of, c.bending_m, cb_normal_quantile(cb_sobol((uint32_t)i, 0, 1)),
                                      cb_normal_quantile(cb_sobol((uint32_t)i, 1, 1))));
  cb_sort(drawn, DRAWN);
  for (int k = 0, i = 0; k < VAL_DRAPE_LATTICE_SOFTENINGS; k++) {
    const int n = (int)round(softening_share[k] * DRAWN);
    double sum = 0;
    for (int last = i + n; i < last; i++) sum += drawn[i];
    l->softening[length][k] = exp(sum / n);
  }
}

static void expect_all(const val_drape_model *m, int specimen, val_drape_lattice *l) {
#pragma omp parallel for schedule(static)
  for (int i = 0; i < l->nodes; i++) {
    val_drape_place p = val_drape_lattice_place(l, i);
    const val_drape_cloth c = {exp(p.ln[0]), exp(p.ln[1]), exp(p.ln[2]), p.softening, exp(p.ln_stretch)};
    val_drape_expect(m, specimen, &c, &l->expected[specimen][i]);
  }
}

/* What the stretch length is before anything is seen. */
static void set_stretches(const val_drape_prior *q, val_drape_lattice *l) {
  const double ln = log(q->stretch_N_per_m / (q->mass_kg_per_m2 * CB_STANDARD_GRAVITY_M_PER_S2)),
               reach = STRETCH_SDS * hypot(q->sd_ln_stretch, q->sd_ln_mass);
  l->stretches = VAL_DRAPE_LATTICE_STRETCHES;
  l->ln_stretch = ln - reach;
  l->stretch_step = 2 * reach / (l->stretches - 1);
}

static void set_axes(const val_drape_model *m, const val_drape_prior *q, val_drape_lattice *l) {
  const double low[] = {log(m->low.bending_m), 0, log(m->low.shear_m)};
  const double high[] = {log(m->high.bending_m), log(m->high.ratio), log(m->high.shear_m)};
  l->stretches = 1, l->ln_stretch = log(m->low.stretch_m);
  if (m->stretches) set_stretches(q, l);
  l->nodes = VAL_DRAPE_LATTICE_SOFTENINGS * l->stretches;
  for (int k = 0; k < VAL_DRAPE_FREE; k++) {
    l->size[k] = lattice_size[m->stretches][k];
    l->nodes *= l->size[k];
    l->low[k] = low[k], l->step[k] = (high[k] - low[k]) / (l->size[k] - 1);
  }
  for (int k = 0; k < l->size[0]; k++) set_softenings(l, k);
}

static bool is_wanted(const val_drape_group *groups, int n_groups, int specimen) {
  for (int i = 0; groups && i < n_groups; i++)
    if (groups[i].specimen == specimen) return true;
  return !groups;
}

cb_status val_drape_lattice_make(const val_drape_model *m, const val_drape_prior *prior,
                                 const val_drape_group *groups, int n_groups, val_drape_lattice **out,
                                 cb_err *err) {
  val_drape_lattice *l = *out = calloc(1, sizeof *l);
  if (!l) return cb_no_memory(err, "drapes, the lattice of cloths");
  l->n_specimens = m->n;
  set_axes(m, prior, l);
  for (int s = 0; s < m->n; s++) {
    l->support_m[s] = m->specimen[s].support_m;
    l->specimen_m[s] = m->specimen[s].specimen_m;
    for (int i = 0; i < VAL_DRAPE_SIGNS; i++)
      for (int j = 0; j < VAL_DRAPE_SIGNS; j++) l->correlation[s][i][j] = m->specimen[s].correlation[i][j];
    if (!is_wanted(groups, n_groups, s)) continue;
    l->expected[s] = calloc((size_t)l->nodes, sizeof *l->expected[s]);
    if (!l->expected[s]) {
      const int nodes = l->nodes;
      val_drape_lattice_free(l);
      *out = NULL;
      return cb_no_memory(err, "drapes, %d cloths", nodes);
    }
    expect_all(m, s, l);
  }
  return CB_OK;
}

void val_drape_lattice_free(val_drape_lattice *l) {
  for (int s = 0; l && s < l->n_specimens; s++) free(l->expected[s]);
  free(l);
}

/* ---- prior ---- */

/* ln of the density at a place, but for a constant; the areal mass is integrated over. With a mass of exp(x)
 * times its median, ln B, ln G and the ln of
 * the stretch lie x beyond what they are with the median. */
static double prior_ln(const val_drape_prior *q, const val_drape_place *p, bool stretches, double *weight,
                       double *u_weight) {
  double w0 = log(q->mass_kg_per_m2 * CB_STANDARD_GRAVITY_M_PER_S2), b = 1 / (q->sd_ln_B * q->sd_ln_B),
         g = 1 / (q->sd_ln_G * q->sd_ln_G), s = stretches ? 1 / (q->sd_ln_stretch * q->sd_ln_stretch) : 0;
  double B = 3 * p->ln[0] + w0 - log(q->B_Nm), G = p->ln[2] + w0 - log(q->G_N_per_m),
         S = p->ln_stretch + w0 - log(q->stretch_N_per_m), ratio = p->ln[1] / q->sd_ln_ratio;
  double mass = q->sd_ln_mass * q->sd_ln_mass, variance = mass / (1 + mass * (b + g + s)),
         pull = b * B + g * G + s * S;
  *weight = w0 - pull * variance;
  *u_weight = sqrt(variance);
  return -0.5 * (b * B * B + g * G * G + s * S * S - pull * pull * variance + ratio * ratio);
}

/* ---- likelihood ---- */

static double square(double x) { return x * x; }

/* What the measured scatter says of the expected one. */
static double scatter_of(double expected_sd, const val_drape_group *g, int s) {
  double dof = g->n > 1 && !isnan(g->sd[s]) ? g->n - 1 : 0;
  return sqrt((SCATTER_DOF * square(expected_sd) + (dof > 0 ? dof * square(g->sd[s]) : 0)) /
              (SCATTER_DOF + dof));
}

void val_drape_mean_covariance(const val_drape_expected *e,
                               const double correlation[VAL_DRAPE_SIGNS][VAL_DRAPE_SIGNS],
                               const val_drape_group *g, double c[VAL_DRAPE_SIGNS][VAL_DRAPE_SIGNS]) {
  double sd[VAL_DRAPE_SIGNS];
  for (int s = 0; s < VAL_DRAPE_SIGNS; s++) sd[s] = isnan(g->mean[s]) ? 0 : scatter_of(e->sd[s], g, s);
  for (int i = 0; i < VAL_DRAPE_SIGNS; i++) {
    for (int j = 0; j < VAL_DRAPE_SIGNS; j++) c[i][j] = correlation[i][j] * sd[i] * sd[j] / g->n;
    if (isnan(g->mean[i])) {
      c[i][i] = 1;
      continue;
    }
    c[i][i] +=
        square(e->doubt[i]) + square(val_drape_u_simulation((val_drape_sign)i, e->mean[i])) + square(g->u[i]);
  }
}

/* Minus half of what is returned, less half of *ln_det, is the logarithm of the density. */
static double misfit(const val_drape_lattice *l, int node, const val_drape_group *g, double *ln_det) {
  const val_drape_expected *e = &l->expected[g->specimen][node];
  double c[VAL_DRAPE_SIGNS][VAL_DRAPE_SIGNS], r[VAL_DRAPE_SIGNS], sum = 0;
  val_drape_mean_covariance(e, l->correlation[g->specimen], g, c);
  for (int s = 0; s < VAL_DRAPE_SIGNS; s++) r[s] = isnan(g->mean[s]) ? 0 : g->mean[s] - e->mean[s];
  if (!val_cholesky(&c[0][0], VAL_DRAPE_SIGNS, VAL_DRAPE_SIGNS)) return INFINITY;
  val_forward(&c[0][0], VAL_DRAPE_SIGNS, VAL_DRAPE_SIGNS, r);
  for (int s = 0; s < VAL_DRAPE_SIGNS; s++) sum += r[s] * r[s], *ln_det += 2 * log(c[s][s]);
  return sum;
}

/* From logarithms to probabilities of the nodes. */
static void normalize(const val_drape_lattice *l, double *p) {
  double top = -INFINITY, sum = 0;
  for (int i = 0; i < l->nodes; i++) top = fmax(top, p[i]);
  for (int i = 0; i < l->nodes; i++) {
    p[i] = exp(p[i] - top) * val_drape_lattice_place(l, i).share;
    sum += p[i];
  }
  for (int i = 0; i < l->nodes; i++) p[i] /= sum;
}

cb_status val_drape_believe(const val_drape_lattice *l, const val_drape_group *groups, int n_groups,
                            const val_drape_prior *prior, val_drape_belief *out, cb_err *err) {
  *out = (val_drape_belief){.prior = calloc((size_t)l->nodes, sizeof(double)),
                            .posterior = calloc((size_t)l->nodes, sizeof(double)),
                            .misfit = calloc((size_t)l->nodes, sizeof(double)),
                            .weight = calloc((size_t)l->nodes, sizeof(double)),
                            .nodes = l->nodes};
  if (!out->prior || !out->posterior || !out->misfit || !out->weight)
    return cb_no_memory(err, "drapes, %d cloths", l->nodes);
  for (int k = 0; k < n_groups; k++)
    for (int s = 0; s < VAL_DRAPE_SIGNS; s++) out->signs += !isnan(groups[k].mean[s]);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < l->nodes; i++) {
    double ln_det = 0, u_weight;
    val_drape_place p = val_drape_lattice_place(l, i);
    for (int k = 0; k < n_groups; k++) out->misfit[i] += misfit(l, i, &groups[k], &ln_det);
    out->prior[i] = prior_ln(prior, &p, l->stretches > 1, &out->weight[i], &u_weight);
    if (i == 0) out->u_weight = u_weight;
    out->posterior[i] = out->prior[i] - 0.5 * (out->misfit[i] + ln_det);
  }
  normalize(l, out->prior);
  normalize(l, out->posterior);
  return CB_OK;
}

void val_drape_belief_clear(val_drape_belief *b) {
  free(b->prior);
  free(b->posterior);
  free(b->misfit);
  free(b->weight);
  *b = (val_drape_belief){.prior = NULL};
}
