#include "fit_drape.h"

#include <math.h>
#include <stdlib.h>

#include "cb_num.h"
#include "fit_drape_impl.h"

const char *const fit_scale_from_names[] = {"given", "disc", "assumed", "mesh"};

void fit_shadow_clear(fit_shadow *s) {
  free(s->cover);
  *s = (fit_shadow){0};
}

fit_drape_setup fit_drape_setup_default(void) {
  return (fit_drape_setup){.support_m = 0.18, .specimen_m = 0.30};
}

cb_status fit_drape_setup_check(const fit_drape_setup *q, cb_err *err) {
  CB_TRY(cb_check_range(q->support_m, 0.01, 1, "diameter of the support", "m", err));
  CB_TRY(cb_check_range(q->specimen_m, 0.01, 2, "diameter of the specimen", "m", err));
  if (q->scale_m_per_px != 0)
    CB_TRY(cb_check_range(q->scale_m_per_px, 1e-6, 0.01, "scale", "m per pixel", err));
  if (q->specimen_m < 1.1 * q->support_m)
    return cb_fail(err, CB_E_RANGE,
                   "a specimen of %g cm on a support of %g cm: it must be larger by a tenth or more",
                   100 * q->specimen_m, 100 * q->support_m);
  return CB_OK;
}

static double disc_area(double diameter) { return CB_PI * diameter * diameter / 4; }

/* The cloth lies on the whole support, and nothing of it is farther out than it was when it lay flat; 5 % for
 * stretch, a crooked camera and a centroid that is not the centre. */
static cb_status check_possible(const fit_drape *d, const char *name, const fit_drape_setup *q, cb_err *err) {
  double support = q->support_m / 2, specimen = q->specimen_m / 2;
  if (d->radius_min_m >= 0.95 * support && d->radius_max_m <= 1.05 * specimen) return CB_OK;
  if (d->scale_from == FIT_SCALE_MESH)
    return cb_fail(err, CB_E_RANGE,
                   "%s: the outline lies between %.3g and %.3g m from its middle: between %g and %g m was "
                   "wanted (metres, z up, seen from above?)",
                   name, d->radius_min_m, d->radius_max_m, support, specimen);
  return cb_fail(err, CB_E_RANGE,
                 "%s: at %.4g mm per pixel (%s) the outline lies between %.1f and %.1f cm from its middle: "
                 "between %g and %g cm was wanted, "
                 "that is a scale of %.3f to %.3f mm per pixel",
                 name, 1e3 * d->pixel_m, fit_scale_from_names[d->scale_from], 100 * d->radius_min_m,
                 100 * d->radius_max_m, 100 * support, 100 * specimen,
                 1e3 * d->pixel_m * support / d->radius_min_m, 1e3 * d->pixel_m * specimen / d->radius_max_m);
}

static void radii(fit_drape *d) {
  d->radius_min_m = d->radius_max_m = d->radius_m[0];
  d->radius_mean_m = 0;
  for (int i = 0; i < FIT_DRAPE_ANGLES; i++) {
    d->radius_mean_m += d->radius_m[i] / FIT_DRAPE_ANGLES;
    d->radius_min_m = fmin(d->radius_min_m, d->radius_m[i]);
    d->radius_max_m = fmax(d->radius_max_m, d->radius_m[i]);
  }
}

static double perimeter_m(const fit_drape *d) {
  double sum = 0;
  for (int i = 0; i < FIT_DRAPE_ANGLES; i++) {
    double a = d->radius_m[i], b = d->radius_m[(i + 1) % FIT_DRAPE_ANGLES];
    sum += sqrt(a * a + b * b - 2 * a * b * cos(2 * CB_PI / FIT_DRAPE_ANGLES));
  }
  return sum;
}

static void uncertainty(const fit_shadow *s, double ring_m2, fit_drape *d) {
  double perimeter = perimeter_m(d);
  /* Counting pixels is off by a twelfth of a pixel (variance) at each that the edge crosses, each for
   * itself. */
  double counting = s->pixel_m * s->pixel_m * sqrt(perimeter / s->pixel_m / 12);
  d->u_edge = hypot(s->u_edge_px * s->pixel_m * perimeter, counting) / ring_m2;
  d->u_scale = 2 * s->u_scale_rel * d->area_m2 / ring_m2;
  d->u = hypot(d->u_edge, d->u_scale);
  d->u_area_m2 = d->u * ring_m2;
}

static void count_nodes(double least_m, fit_drape *d) {
  double height;
  d->nodes_least = fit_drape_nodes(d->radius_m, FIT_DRAPE_ANGLES, 2 * least_m, &height);
  d->nodes_most = fit_drape_nodes(d->radius_m, FIT_DRAPE_ANGLES, least_m / 2, &height);
  d->nodes = fit_drape_nodes(d->radius_m, FIT_DRAPE_ANGLES, least_m, &d->node_height_m);
}

cb_status fit_drape_reduce(const fit_shadow *s, const char *name, const fit_drape_setup *q, fit_drape *out,
                           cb_err *err) {
  fit_outline o;
  *out = (fit_drape){.pixel_m = s->pixel_m, .u_scale_rel = s->u_scale_rel, .scale_from = s->scale_from};
  CB_TRY(fit_drape_setup_check(q, err));
  CB_TRY(fit_outline_of(s->cover, s->width, s->height, name, &o, err));
  for (int i = 0; i < FIT_DRAPE_ANGLES; i++) out->radius_m[i] = o.radius_px[i] * s->pixel_m;
  radii(out);
  CB_TRY(check_possible(out, name, q, err));
  double support_m2 = disc_area(q->support_m), ring_m2 = disc_area(q->specimen_m) - support_m2;
  out->area_m2 = o.area_px2 * s->pixel_m * s->pixel_m;
  out->drape_coefficient = (out->area_m2 - support_m2) / ring_m2;
  uncertainty(s, ring_m2, out);
  count_nodes(FIT_DRAPE_PROMINENCE * q->support_m / 2, out);
  return CB_OK;
}
