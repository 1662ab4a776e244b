#include "cb_compression_law.h"

#include <math.h>

/* How far beyond the measured pressures a thickness is looked for. */
#define FAR 100
/* Of ln pressure: no gauge tells them apart. */
#define SAME 0.02

static cb_status check_knots(const cb_compression_law *l, cb_err *err) {
  for (size_t k = 0; k < l->n; k++) {
    const cb_compression_knot *at = &l->knot[k];
    const bool sound = at->pressure_Pa > 0 && isfinite(at->pressure_Pa) && at->thickness_m > 0 &&
                       isfinite(at->thickness_m) && at->u_ln >= 0 && isfinite(at->u_ln);
    const bool follows =
        k == 0 || (at->pressure_Pa > at[-1].pressure_Pa && at->thickness_m <= at[-1].thickness_m);
    if (!sound || !follows)
      return cb_fail(err, CB_E_RANGE,
                     "compression of '%s': knot %zu, %g Pa, %g m, u %g: numbers above 0, pressures that "
                     "ascend and thicknesses that do not were wanted",
                     l->material, k, at->pressure_Pa, at->thickness_m, at->u_ln);
  }
  return CB_OK;
}

cb_status cb_compression_law_check(const cb_compression_law *l, cb_err *err) {
  const double at_least_0[] = {l->u_pressure_rel, l->u_thickness_rel, l->specimen_sd};
  if (l->n < 2 || l->n > CB_COMPRESSION_KNOTS)
    return cb_fail(err, CB_E_RANGE, "compression of '%s': %zu knots: 2 to %d were wanted", l->material, l->n,
                   CB_COMPRESSION_KNOTS);
  for (size_t i = 0; i < sizeof at_least_0 / sizeof at_least_0[0]; i++)
    if (!(at_least_0[i] >= 0 && isfinite(at_least_0[i])))
      return cb_fail(err, CB_E_RANGE,
                     "compression of '%s': uncertainty %g: a number of at least 0 was wanted", l->material,
                     at_least_0[i]);
  if (!(l->dof >= 1))
    return cb_fail(err, CB_E_RANGE, "compression of '%s': %g degrees of freedom: at least 1 was wanted",
                   l->material, l->dof);
  return check_knots(l, err);
}

/* The knot at which the segment begins that the pressure is in, or is nearest to. */
static size_t find_segment(const cb_compression_law *l, double pressure_Pa) {
  size_t k = 0;
  while (k + 2 < l->n && pressure_Pa > l->knot[k + 1].pressure_Pa) k++;
  return k;
}

static double hold(double x, double low, double high) { return fmin(fmax(x, low), high); }

/* ln of how far the pressure is outside of the measured ones. */
static double find_distance(const cb_compression_law *l, double pressure_Pa) {
  return fmax(
      0, fmax(log(l->knot[0].pressure_Pa / pressure_Pa), log(pressure_Pa / l->knot[l->n - 1].pressure_Pa)));
}

void cb_compression_at_pressure(const cb_compression_law *l, double pressure_Pa, cb_compression_value *out) {
  const cb_compression_knot *a = &l->knot[find_segment(l, pressure_Pa)], *b = a + 1;
  const double whole = log(b->pressure_Pa / a->pressure_Pa), at = log(pressure_Pa / a->pressure_Pa),
               steep = log(b->thickness_m / a->thickness_m) / whole, far = find_distance(l, pressure_Pa);
  const double own = a->u_ln + hold(at / whole, 0, 1) * (b->u_ln - a->u_ln);
  /* rectangular: an e-fold away there may be no steepness, or twice that of the end */
  const double beyond = fabs(steep) * far * fmin(1, far) / sqrt(3);
  const double shared = hypot(l->u_thickness_rel, steep * l->u_pressure_rel);
  const double mean = hypot(own, hypot(beyond, shared));
  *out = (cb_compression_value){.thickness_m = a->thickness_m * exp(steep * at),
                                .steepness = steep,
                                .u_ln = mean,
                                .u_ln_piece = hypot(mean, l->specimen_sd),
                                .dof = own > 0 ? l->dof * pow(mean / own, 4) : INFINITY,
                                .inside_measured_range = far <= SAME};
}

double cb_compression_pressure(const cb_compression_law *l, double thickness_m) {
  double low = log(l->knot[0].pressure_Pa / FAR), high = log(l->knot[l->n - 1].pressure_Pa * FAR);
  cb_compression_value v;
  cb_compression_at_pressure(l, exp(low), &v);
  if (!(thickness_m <= v.thickness_m)) return NAN;
  cb_compression_at_pressure(l, exp(high), &v);
  if (!(thickness_m >= v.thickness_m)) return NAN;
  for (int i = 0; i < 100; i++) {
    const double middle = 0.5 * (low + high);
    cb_compression_at_pressure(l, exp(middle), &v);
    if (v.thickness_m > thickness_m)
      low = middle;
    else
      high = middle;
  }
  return exp(high);
}
