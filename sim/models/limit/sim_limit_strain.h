/* The limited strains of one triangle, with their derivatives by W = [w_u w_v]. */
#ifndef SIM_LIMIT_STRAIN_H
#define SIM_LIMIT_STRAIN_H

#include "sim_limit.h"

/* Singular value decomposition W = sum sigma_k u_k v_k^T, sigma[0] >= sigma[1] >= 0. u[2] is the normal of
 * the triangle. */
typedef struct sim_limit_svd {
  double sigma[2], u[3][3], v[2][2];
} sim_limit_svd;
void sim_limit_svd_of(const double w[2][3], sim_limit_svd *out);

#define SIM_LIMIT_GAUGES 4

/* Gauges: the strains of one triangle that must stay within ranges. */
typedef struct sim_limit_gauges {
  int n;
  int range[SIM_LIMIT_GAUGES], which[SIM_LIMIT_GAUGES]; /* number of the range; singular value, or 0 for w_u,
                                                           1 for w_v */
  double value[SIM_LIMIT_GAUGES];                       /* strain; mapped: strain x share */
  double inner[SIM_LIMIT_GAUGES];                       /* |<e, g>|; 1 if not mapped */
  double share[SIM_LIMIT_GAUGES];                       /* inner, blurred */
  double slope[SIM_LIMIT_GAUGES][2][3]; /* derivatives of value by w_u and w_v; set if slopes are wanted */
  sim_limit_svd svd;                    /* not set for warp-weft */
} sim_limit_gauges;
/* Evaluates the gauges of a triangle. blur >= 0 is for mapped limits: singular values whose squares differ
 * by about blur or less count as equal. */
void sim_limit_gauges_of(sim_limit_kind kind, double blur, const double w[2][3], bool slopes,
                         sim_limit_gauges *out);

/* k[3 a + r][3 b + c] is the second derivative by w_a,r and w_b,c of the sum of penalty value^2 / 2 over the
 * values that pull, where value i pulls with pull[i]. exact: as it is; else with the absolute values of its
 * eigenvalues, positive semi-definite. */
void sim_limit_curvature(sim_limit_kind kind, double blur, const double w[2][3], const sim_limit_gauges *g,
                         const double *pull, double penalty, bool exact, double k[6][6]);

#endif
