/* What is limited in one triangle, with its derivatives by W = [w_u w_v]. */
#ifndef SIM_LIMIT_STRAIN_H
#define SIM_LIMIT_STRAIN_H

#include "sim_limit.h"

/* W = sum sigma_k u_k v_k^T, sigma[0] >= sigma[1] >= 0; u[2] is the normal. */
typedef struct sim_limit_svd {
  double sigma[2], u[3][3], v[2][2];
} sim_limit_svd;
void sim_limit_svd_of(const double w[2][3], sim_limit_svd *out);

#define SIM_LIMIT_GAUGES 4

/* Strains that are to stay within ranges. */
typedef struct sim_limit_gauges {
  int n;
  int range[SIM_LIMIT_GAUGES], which[SIM_LIMIT_GAUGES]; /* range; singular value, or 0 for w_u, 1 for w_v */
  double value[SIM_LIMIT_GAUGES];                       /* strain; mapped: times share */
  double inner[SIM_LIMIT_GAUGES];                       /* |<e, g>|; 1: not mapped */
  double share[SIM_LIMIT_GAUGES];                       /* the same, blurred */
  double slope[SIM_LIMIT_GAUGES][2][3];                 /* d value / d w_u, d w_v */
  sim_limit_svd svd;                                    /* not of warp-weft */
} sim_limit_gauges;
/* blur: of mapped; singular values whose squares differ by about as much count as the same; >= 0. */
void sim_limit_gauges_of(sim_limit_kind kind, double blur, const double w[2][3], bool slopes,
                         sim_limit_gauges *out);

/* k[3 a + r][3 b + c] = d2 / dw_a,r dw_b,c of the sum over the values that pull of penalty value^2 / 2, as it
 * is where value pulls with `pull`: exact, or with the sizes of its eigenvalues, positive semi-definite. */
void sim_limit_curvature(sim_limit_kind kind, double blur, const double w[2][3], const sim_limit_gauges *g,
                         const double *pull, double penalty, bool exact, double k[6][6]);

#endif
