/* Folds of an outline: maxima of its smoothed Fourier series that stand out. */
#include "fit_drape_impl.h"

#include <math.h>

#include "cb_num.h"
#include "fit_drape.h"

/* 36 harmonics: waves shorter than 10 degrees are edges of pixels, not folds (the limpest of 25 fabrics have
 * about 11). */
#define HARMONICS 36
#define FINE 1440

static void smooth(const double *r, size_t n, double fine[FINE]) {
  double mean = 0;
  for (size_t i = 0; i < n; i++) mean += r[i] / (double)n;
  for (int j = 0; j < FINE; j++) fine[j] = mean;
  for (size_t k = 1; k <= HARMONICS && 2 * k < n; k++) {
    double c = 0, s = 0;
    for (size_t i = 0; i < n; i++) {
      double x = 2 * CB_PI * (double)(k * i % n) / (double)n;
      c += 2 * r[i] * cos(x) / (double)n;
      s += 2 * r[i] * sin(x) / (double)n;
    }
    for (size_t j = 0; j < FINE; j++) {
      double x = 2 * CB_PI * (double)(k * j % FINE) / FINE;
      fine[j] += c * cos(x) + s * sin(x);
    }
  }
}

static int around(int i) { return (i + FINE) % FINE; }

/* The lowest point between the peak and the first place beyond that is higher (step: +1 or -1), or all
 * around. */
static double lowest(const double fine[FINE], int peak, int step) {
  double low = fine[peak];
  for (int i = 1; i < FINE && fine[around(peak + step * i)] <= fine[peak]; i++)
    low = fmin(low, fine[around(peak + step * i)]);
  return low;
}

/* The lowest point between two peaks, going up from a to b; all around where they are the same. */
static double valley(const double fine[FINE], int a, int b) {
  double low = fine[a];
  for (int i = around(a + 1); i != b; i = around(i + 1)) low = fmin(low, fine[i]);
  return low;
}

int fit_drape_nodes(const double *radius_m, size_t n, double least_m, double *height_m) {
  double fine[FINE];
  int peak[FINE], nodes = 0;
  smooth(radius_m, n, fine);
  for (int i = 0; i < FINE; i++) {
    if (!(fine[i] > fine[around(i - 1)] && fine[i] >= fine[around(i + 1)])) continue;
    if (fine[i] - fmax(lowest(fine, i, 1), lowest(fine, i, -1)) >= least_m) peak[nodes++] = i;
  }
  double sum = 0;
  for (int i = 0; i < nodes; i++) {
    int before = peak[(i + nodes - 1) % nodes], after = peak[(i + 1) % nodes];
    sum += fine[peak[i]] - (valley(fine, before, peak[i]) + valley(fine, peak[i], after)) / 2;
  }
  *height_m = nodes > 0 ? sum / nodes : 0;
  return nodes;
}
