/* The balance (five pieces of 100 cm2, ISO 3801) and the thickness gauge (ten places, ISO 5084). */
#include <math.h>

#include "vlab_impl.h"

#define PIECES 5
#define PLACES 10
#define CUTTER_M2 100e-4
#define BALANCE_DIGIT_KG 1e-6
#define GAUGE_DIGIT_M 1e-5
#define THICKNESS_SD 0.015

enum { AXIS_CUTTER = 7, AXIS_GAUGE };

static double mean_rounded(cb_rng *rng, int n, double value, double sd, double digit) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += digit * round(value * vlab_specimen(rng, sd) / digit);
  return sum / n;
}

vlab_weighed vlab_weigh(const vlab *lab) {
  cb_rng rng;
  const vlab_truth *t = &lab->truth;
  const vlab_instruments *h = &lab->have;
  cb_rng_init(&rng, lab->seed, VLAB_STREAM_WEIGHED);
  const double cutter = vlab_calibration(lab, AXIS_CUTTER, h->u_mass_rel),
               gauge = vlab_calibration(lab, AXIS_GAUGE, h->u_thickness_rel);
  const double mass_kg = mean_rounded(&rng, PIECES, cutter * CUTTER_M2 * t->areal_density_kg_per_m2,
                                      lab->scatter.mass, BALANCE_DIGIT_KG),
               thickness_m = mean_rounded(&rng, PLACES, gauge * t->thickness_m, THICKNESS_SD, GAUGE_DIGIT_M);
  return (vlab_weighed){
      .areal_density_kg_per_m2 = mass_kg / CUTTER_M2,
      .u_areal_density_kg_per_m2 =
          mass_kg / CUTTER_M2 * hypot(h->u_mass_rel, lab->scatter.mass / sqrt(PIECES)),
      .thickness_m = thickness_m,
      .u_thickness_m = hypot(thickness_m * hypot(h->u_thickness_rel, THICKNESS_SD / sqrt(PLACES)),
                             GAUGE_DIGIT_M / sqrt(12)),
  };
}
