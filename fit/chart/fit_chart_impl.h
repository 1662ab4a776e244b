/* The charts of fit_chart.h one by one, private to fit. */
#ifndef FIT_CHART_IMPL_H
#define FIT_CHART_IMPL_H

#include "fit_chart.h"

/* What a chart is asked: is point i out of its limits? *since receives where the change began. */
typedef struct fit_chart_at {
  const double *x;
  size_t i;
  const fit_chart *chart;
} fit_chart_at;

/* POINT, SIDE, TREND and RANGE. */
bool fit_shewhart_is_out(fit_chart_kind kind, const fit_chart_at *at, size_t *since);

/* z[i] = lambda x[i] + (1 - lambda) z[i-1], z[-1] = center. */
void fit_ewma(const double *x, size_t n, double center, double lambda, double *z);
/* Returns half the width of the limits, k standard deviations of z after many points. */
double fit_ewma_limit(double sigma, double lambda, double k);
bool fit_ewma_is_out(const fit_chart_at *at, size_t *since);

/* up[i] = max(0, up[i-1] + (x[i] - center) / sigma - k), down likewise; neither is let above `most`, so that
 * it comes back soon after a repair. */
void fit_cusum(const double *x, size_t n, double center, double sigma, double k, double most, double *up,
               double *down);
bool fit_cusum_is_out(const fit_chart_at *at, size_t *since);

#endif
