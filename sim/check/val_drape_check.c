/* Measured signs against what was expected of them. */
#include <math.h>

#include "cb_stats.h"
#include "val_drape_lattice.h"
#include "val_drape_table_impl.h"

#define NORMAL_95 1.959964

typedef struct moments {
  double mean, square, within; /* within: mean variance about the means */
} moments;

static void add_moments(moments *m, double probability, double mean, double variance) {
  m->mean += probability * mean;
  m->square += probability * mean * mean;
  m->within += probability * variance;
}

static void interval(const moments *m, int sign, double *low, double *high) {
  double sd = sqrt(fmax(m->square - m->mean * m->mean, 0) + m->within);
  *low = val_drape_uneven((val_drape_sign)sign, m->mean - NORMAL_95 * sd);
  *high = val_drape_uneven((val_drape_sign)sign, m->mean + NORMAL_95 * sd);
}

static val_drape_check check_sign(int s, double measured, const moments *before, const moments *after) {
  val_drape_check c = {.known = !isnan(measured)};
  if (!c.known) return c;
  c.measured = val_drape_uneven((val_drape_sign)s, measured);
  c.mean = val_drape_uneven((val_drape_sign)s, after->mean);
  interval(before, s, &c.prior_lo95, &c.prior_hi95);
  interval(after, s, &c.lo95, &c.hi95);
  c.inside = c.measured >= c.lo95 && c.measured <= c.hi95;
  return c;
}

void val_drape_check_signs(const val_drape_lattice *l, const val_drape_belief *b, const val_drape_group *g,
                           val_drape_check out[VAL_DRAPE_SIGNS]) {
  moments before[VAL_DRAPE_SIGNS] = {{0}}, after[VAL_DRAPE_SIGNS] = {{0}};
  for (int i = 0; i < l->nodes; i++) {
    double c[VAL_DRAPE_SIGNS][VAL_DRAPE_SIGNS];
    const val_drape_expected *e = &l->expected[g->specimen][i];
    val_drape_mean_covariance(e, l->correlation[g->specimen], g, c);
    for (int s = 0; s < VAL_DRAPE_SIGNS; s++) {
      add_moments(&before[s], b->prior[i], e->mean[s], c[s][s]);
      add_moments(&after[s], b->posterior[i], e->mean[s], c[s][s]);
    }
  }
  for (int s = 0; s < VAL_DRAPE_SIGNS; s++) out[s] = check_sign(s, g->mean[s], &before[s], &after[s]);
}

/* Upper tail of chi square: that of F with no doubt in its denominator. */
double val_drape_check_p(const val_drape_belief *b) {
  double p = 0;
  for (int i = 0; i < b->nodes; i++)
    if (b->posterior[i] > 1e-9) p += b->posterior[i] * cb_f_p_upper(b->misfit[i] / b->signs, b->signs, 1e9);
  return p;
}
