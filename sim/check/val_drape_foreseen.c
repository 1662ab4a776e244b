#include "val_drape_foreseen.h"

#include <math.h>

#include "cb_num.h"
#include "cb_stats.h"
#include "val_drape_impl.h"
#include "val_drape_table_impl.h"

/* ---- the cloth ---- */

static double moment_over_curvature(const sim_material *m, int k, double K) {
  return m->bending_Nm[k][k] + m->bending_friction_N[k] / fmax(K, m->bending_friction_onset_per_m);
}

/* Of warp and weft in one. */
static double rigidity_at(const sim_material *m, double K) {
  return sqrt(moment_over_curvature(m, 0, K) * moment_over_curvature(m, 1, K));
}

/* The rigidity depends on the curvature, which is that of the bending length; it depends little. */
#define ROUNDS 30

static val_drape_cloth cloth_of(const sim_material *m) {
  const double w = m->areal_density_kg_per_m2 * CB_STANDARD_GRAVITY_M_PER_S2;
  double c = cbrt(rigidity_at(m, INFINITY) / w);
  for (int i = 0; i < ROUNDS; i++) c = cbrt(rigidity_at(m, VAL_DRAPE_BEND / c) / w);
  const double K = VAL_DRAPE_BEND / c;
  return (val_drape_cloth){
      .bending_m = c,
      .ratio = exp(fabs(log(moment_over_curvature(m, 0, K) / moment_over_curvature(m, 1, K)))),
      .shear_m = sim_curve_slope(&m->shear) / (2 * w), /* angle = 2 E_uv */
      .softening = rigidity_at(m, VAL_DRAPE_BEND_LITTLE / c) / rigidity_at(m, K),
      .stretch_m = sqrt(sim_curve_slope(&m->warp) * sim_curve_slope(&m->weft)) / w};
}

/* What stretches less or more than any of the table drapes as the last of it. */
static bool is_within(const val_drape_model *m, const val_drape_cloth *c) {
  return c->bending_m >= m->low.bending_m && c->bending_m <= m->high.bending_m && c->ratio <= m->high.ratio &&
         c->shear_m >= m->low.shear_m && c->shear_m <= m->high.shear_m;
}

/* ---- its drape ---- */

/* With one property so many standard uncertainties above its value. */
static val_drape_cloth moved(const val_drape_many *e, int axis, double score) {
  double scores[VAL_DRAWN_AXES] = {0};
  val_drape_many one = *e;
  scores[axis] = score;
  one.score = scores;
  const val_drape d = val_drape_drawn(&one, 0);
  return cloth_of(&d.material);
}

static double logit_of(const val_drape_model *m, int specimen, const val_drape_cloth *c) {
  val_drape_expected x;
  val_drape_expect(m, specimen, c, &x);
  return x.mean[VAL_DRAPE_COEFFICIENT];
}

static double square(double x) { return x * x; }

void val_drape_foresee(const val_drape_model *m, const val_drape_many *e, val_drape_foreseen *out) {
  const int s = val_drape_model_find(m, e->one.size.support_m, e->one.size.specimen_m);
  const val_drape_cloth c = moved(e, 0, 0);
  *out = (val_drape_foreseen){.known = s >= 0 && is_within(m, &c)};
  if (!out->known) return;
  val_drape_expected x;
  val_drape_expect(m, s, &c, &x);
  const double mean = x.mean[VAL_DRAPE_COEFFICIENT];
  out->share_laying = square(x.sd[VAL_DRAPE_COEFFICIENT]);
  out->share_table =
      square(x.doubt[VAL_DRAPE_COEFFICIENT]) + square(val_drape_u_simulation(VAL_DRAPE_COEFFICIENT, mean));
  double variance = out->share_laying + out->share_table;
  for (int a = 0; a < VAL_DRAWN_AXES; a++) {
    const val_drape_cloth more = moved(e, a, 1), less = moved(e, a, -1);
    out->share[a] = square((logit_of(m, s, &more) - logit_of(m, s, &less)) / 2);
    variance += out->share[a];
  }
  for (int a = 0; a < VAL_DRAWN_AXES; a++) out->share[a] /= variance;
  out->share_laying /= variance, out->share_table /= variance;
  const double half = cb_normal_quantile(0.975) * sqrt(variance);
  out->coefficient = val_drape_uneven(VAL_DRAPE_COEFFICIENT, mean);
  out->lo95 = val_drape_uneven(VAL_DRAPE_COEFFICIENT, mean - half);
  out->hi95 = val_drape_uneven(VAL_DRAPE_COEFFICIENT, mean + half);
}
