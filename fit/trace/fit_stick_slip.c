#include "fit_plateau_describe.h"

#include <math.h>
#include <stdbool.h>

#include "cb_stats.h"

#define MIN_PEAKS 8
#define MIN_READINGS 12
#define MOST_IRREGULAR 0.3

const char *const fit_stick_slip_outcome_text[] = {"none", "not resolved: fewer than 12 readings a swing",
                                                   "irregular swings", "regular stick-slip"};

/* Sums over peaks, each with the valley that follows it. */
typedef struct swings {
  size_t n_falls, n_peaks, first, last; /* first, last: readings at the first and last peak */
  double fall, fall2;
  double length2; /* squares of the distances between peaks, in readings */
} swings;

static void add_peak(swings *s, size_t at) {
  if (s->n_peaks++ == 0) s->first = at;
  if (s->n_peaks > 1) s->length2 += (double)(at - s->last) * (double)(at - s->last);
  s->last = at;
}

/* The highest reading since the last valley is a peak once the force has fallen by the threshold from it; the
 * lowest since then is a valley once the force has risen by as much. The first rise begins somewhere before
 * the stretch: its peak counts. */
static swings count_swings(const double *f, size_t n, double threshold) {
  swings s = {0};
  bool rising = true;
  size_t top = 0, low = 0;
  for (size_t i = 1; i < n; i++) {
    if (rising && f[i] > f[top]) top = i;
    if (!rising && f[i] < f[low]) low = i;
    if (rising && f[i] <= f[top] - threshold) {
      /* A stretch that begins falling has no peak to show. */
      if (top > 0) add_peak(&s, top);
      rising = false;
      low = i;
    } else if (!rising && f[i] >= f[low] + threshold) {
      double fall = f[top] - f[low];
      if (top > 0) s.n_falls++, s.fall += fall, s.fall2 += fall * fall;
      rising = true;
      top = i;
    }
  }
  return s;
}

/* From the lowest to the highest of n normal readings it is about this far (extreme values: sqrt(2 ln n)
 * standard deviations each way); noise alone does not swing so far time and again. */
static double noise_range(size_t n, double sd) { return 2 * sqrt(2 * log((double)n)) * sd; }

static void describe_falls(const swings *s, fit_stick_slip *out) {
  double n = (double)s->n_falls, mean = s->fall / n, missed = mean / out->readings_per_peak;
  out->amplitude_sd_N = s->n_falls > 1 ? sqrt(fmax(0, s->fall2 - n * mean * mean) / (n - 1)) : 0;
  out->amplitude_N = mean + 0.5 * missed;
  out->u_amplitude_N = hypot(out->amplitude_sd_N / sqrt(n), missed / sqrt(12));
}

static void describe_lengths(const swings *s, const double *t_s, const double *x_m, fit_stick_slip *out) {
  double n = (double)(s->n_peaks - 1), mean = out->readings_per_peak,
         var = fmax(0, s->length2 / n - mean * mean);
  out->irregularity = sqrt(var * n / (n - 1)) / mean;
  double u_rel = out->irregularity / sqrt(n);
  if (t_s)
    out->frequency_Hz = n / (t_s[s->last] - t_s[s->first]), out->u_frequency_Hz = u_rel * out->frequency_Hz;
  if (x_m)
    out->peaks_per_m = n / (x_m[s->last] - x_m[s->first]), out->u_peaks_per_m = u_rel * out->peaks_per_m;
}

fit_stick_slip fit_stick_slip_find(const double *t_s, const double *x_m, const double *force_N, size_t n,
                                   double noise_sd_N) {
  fit_stick_slip out = {.amplitude_N = NAN,
                        .u_amplitude_N = NAN,
                        .amplitude_sd_N = NAN,
                        .frequency_Hz = NAN,
                        .u_frequency_Hz = NAN,
                        .peaks_per_m = NAN,
                        .u_peaks_per_m = NAN,
                        .readings_per_peak = NAN,
                        .irregularity = NAN};
  double sd = n > 1 ? cb_sd(force_N, n) : 0;
  if (!(sd > 0)) return out;
  swings s = count_swings(force_N, n, fmax(2 * sd, noise_range(n, noise_sd_N)));
  out.n_peaks = s.n_peaks;
  if (s.n_peaks < MIN_PEAKS) return out;
  out.readings_per_peak = (double)(s.last - s.first) / (double)(s.n_peaks - 1);
  out.outcome = FIT_STICK_SLIP_UNRESOLVED;
  if (out.readings_per_peak < MIN_READINGS) return out;
  describe_falls(&s, &out);
  describe_lengths(&s, t_s, x_m, &out);
  out.outcome = out.irregularity > MOST_IRREGULAR ? FIT_STICK_SLIP_IRREGULAR : FIT_STICK_SLIP_REGULAR;
  return out;
}
