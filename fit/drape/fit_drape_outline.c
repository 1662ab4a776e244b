#include "fit_drape_impl.h"

#include <math.h>

#include "cb_num.h"

/* Between the middles of four pixels; beyond the border there is nothing. */
static double at(const float *cover, size_t width, size_t height, double x, double y) {
  double fx = floor(x - 0.5), fy = floor(y - 0.5), u = x - 0.5 - fx, v = y - 0.5 - fy, sum = 0;
  for (int k = 0; k < 4; k++) {
    double i = fx + (k & 1), j = fy + (k >> 1);
    if (i < 0 || j < 0 || i >= (double)width || j >= (double)height) continue;
    sum += (k & 1 ? u : 1 - u) * (k >> 1 ? v : 1 - v) * (double)cover[(size_t)j * width + (size_t)i];
  }
  return sum;
}

/* From outside inwards in quarters of a pixel, to the first place that is half covered. */
static double edge(const float *cover, size_t width, size_t height, const fit_outline *o, double angle) {
  const double step = 0.25;
  double c = cos(angle), s = -sin(angle), outside = 0;
  for (int i = (int)(hypot((double)width, (double)height) / step); i > 0; i--) {
    double r = step * i;
    double here = at(cover, width, height, o->x_px + r * c, o->y_px + r * s);
    if (here >= 0.5) return r + step * (here - 0.5) / (here - outside);
    outside = here;
  }
  return 0;
}

cb_status fit_outline_of(const float *cover, size_t width, size_t height, const char *name, fit_outline *o,
                         cb_err *err) {
  *o = (fit_outline){0};
  double sum = 0, sum_x = 0, sum_y = 0;
  for (size_t j = 0; j < height; j++) {
    double row = 0, row_x = 0;
    for (size_t i = 0; i < width; i++) {
      double c = (double)cover[j * width + i];
      row += c;
      row_x += c * ((double)i + 0.5);
    }
    sum += row;
    sum_x += row_x;
    sum_y += row * ((double)j + 0.5);
  }
  if (!(sum > 0)) return cb_fail(err, CB_E_RANGE, "%s: nothing throws a shadow", name);
  o->area_px2 = sum;
  o->x_px = sum_x / sum;
  o->y_px = sum_y / sum;
  if (at(cover, width, height, o->x_px, o->y_px) < 0.5)
    return cb_fail(err, CB_E_RANGE,
                   "%s: the middle of the shadow is not in shadow: one shape around its middle was wanted",
                   name);
  for (int i = 0; i < FIT_DRAPE_ANGLES; i++) o->radius_px[i] = edge(cover, width, height, o, i * CB_DEG);
  return CB_OK;
}
