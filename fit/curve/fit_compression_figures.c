/* Thickness over pressure -> T0, TM, LC, WC, RC. */
#include <math.h>

#include "cb_num.h"
#include "fit_branch.h"
#include "fit_figures_impl.h"

#define GF_PER_CM2_PA (10 * CB_STANDARD_GRAVITY_M_PER_S2)
#define LOW_PA (0.5 * GF_PER_CM2_PA)
#define HIGH_PA (50 * GF_PER_CM2_PA)
#define REACHED_REL 0.98 /* of HIGH_PA: the instrument turns there, and no reading need lie on it */

/* Where the branch passes the pressure: the mean, if noise makes it pass several times. NAN: it does not. */
static double thickness_at(const cb_test_point *p, fit_branch b, double pressure) {
  double sum = 0;
  size_t n = 0;
  for (size_t i = b.from; i + 1 < b.to; i++) {
    const double d0 = p[i].x - pressure, d1 = p[i + 1].x - pressure;
    if ((d0 > 0 && d1 > 0) || (d0 < 0 && d1 < 0) || d0 == d1) continue;
    sum += p[i].y + (p[i + 1].y - p[i].y) * (d0 / (d0 - d1));
    n++;
  }
  return n > 0 ? sum / (double)n : NAN;
}

static double clamp(double x, double low, double high) { return fmin(fmax(x, low), high); }

/* Integral of the pressure over the thickness that is lost, as far as the pressure is low to high. */
static double work(const cb_test_point *p, fit_branch b, double low, double high) {
  double sum = 0;
  for (size_t i = b.from; i + 1 < b.to; i++) {
    const double rise = p[i + 1].x - p[i].x, from = clamp(p[i].x, low, high),
                 to = clamp(p[i + 1].x, low, high);
    const bool outside = (p[i].x < low && p[i + 1].x < low) || (p[i].x > high && p[i + 1].x > high);
    if (outside) continue;
    const double part = rise != 0 ? (to - from) / rise : 1;
    sum -= part * (p[i + 1].y - p[i].y) * (from + to) / 2;
  }
  return sum;
}

bool fit_compression_branches(const cb_test_point *p, size_t n, fit_branch *up, fit_branch *down) {
  const double turn = fit_branch_turn(p, n);
  for (size_t from = 0; from + 1 < n;) {
    *up = fit_branch_next(p, n, from, turn);
    from = up->to - 1 > from ? up->to - 1 : n;
    if (up->sign < 0) continue;
    *down = from + 1 < n ? fit_branch_next(p, n, from, turn) : (fit_branch){from, from, -1};
    return true;
  }
  return false;
}

static double highest(const cb_test_point *p, fit_branch b) {
  double high = -INFINITY;
  for (size_t i = b.from; i < b.to; i++) high = fmax(high, p[i].x);
  return high;
}

/* Standard uncertainty of a thickness from the last digits of both columns. */
static double u_thickness(const cb_material_test *t, double slope) {
  return hypot(t->y_digit, slope * t->x_digit) / sqrt(12);
}

typedef struct reading {
  double t0, tm, work, back; /* of all layers */
  double high_Pa;
  double slope_0, slope_m; /* of the thickness over the pressure, absolute */
} reading;

static void fill(const cb_material_test *t, const reading *r, fit_figures *out) {
  const double layers = t->layers > 0 ? t->layers : 1, lost = r->t0 - r->tm, u0 = u_thickness(t, r->slope_0),
               um = u_thickness(t, r->slope_m), u_lost = hypot(u0, um),
               u_work = hypot(hypot(r->high_Pa * um, LOW_PA * u0), lost * t->x_digit / sqrt(12)),
               lc = 2 * r->work / (r->high_Pa * lost), rc = r->back / r->work;
  fit_figure *f = out->of;
  f[FIT_COMPRESSION_T0] =
      (fit_figure){r->t0 / layers, u0 / layers, hypot(t->u_y_rel, r->slope_0 * LOW_PA * t->u_x_rel / r->t0)};
  f[FIT_COMPRESSION_TM] = (fit_figure){r->tm / layers, um / layers,
                                       hypot(t->u_y_rel, r->slope_m * r->high_Pa * t->u_x_rel / r->tm)};
  f[FIT_COMPRESSION_LC] = (fit_figure){lc, lc * hypot(u_work / r->work, u_lost / lost), t->u_x_rel};
  f[FIT_COMPRESSION_WC] = (fit_figure){r->work / layers, u_work / layers, hypot(t->u_x_rel, t->u_y_rel)};
  f[FIT_COMPRESSION_RC] = (fit_figure){rc, hypot(u_work, rc * u_work) / r->work, 0};
  if (isnan(rc)) f[FIT_COMPRESSION_RC].u = NAN;
}

void fit_compression_reduce(const cb_material_test *t, const cb_test_point *p, size_t n, fit_figures *out) {
  fit_branch up, down;
  if (!fit_compression_branches(p, n, &up, &down)) return;
  reading r = {.high_Pa = fmin(highest(p, up), HIGH_PA), .t0 = thickness_at(p, up, LOW_PA)};
  if (!(r.high_Pa >= REACHED_REL * HIGH_PA) || isnan(r.t0)) return;
  r.tm = thickness_at(p, up, r.high_Pa);
  r.work = work(p, up, LOW_PA, r.high_Pa);
  const bool returns = !isnan(thickness_at(p, down, LOW_PA));
  r.back = returns ? -work(p, down, LOW_PA, r.high_Pa) : NAN;
  r.slope_0 = fabs(thickness_at(p, up, 2 * LOW_PA) - r.t0) / LOW_PA;
  r.slope_m = fabs(thickness_at(p, up, 0.9 * r.high_Pa) - r.tm) / (0.1 * r.high_Pa);
  out->defect = r.t0 > r.tm && r.tm > 0 && r.work > 0 ? FIT_FIGURES_USED : FIT_FIGURES_NOT_POSITIVE;
  if (out->defect == FIT_FIGURES_USED) fill(t, &r, out);
}
