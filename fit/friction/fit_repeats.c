#include "fit_repeats.h"

#include <math.h>

#include "cb_stats.h"
#include "fit_friction_impl.h"

#define FIT_PLANNED_SCATTER (2 * FIT_TYPICAL_SCATTER) /* a plan must do for a bench worse than typical */

/* Half width at 95 % of a mean of n pulls; the degrees of freedom are Welch's and Satterthwaite's, of the
 * scatter alone, since what is shared is taken as known. */
static double band_of(double s, double dof, double shared, double n) {
  const double u = hypot(shared, s / sqrt(n)), part = s / sqrt(n) / u;
  return cb_student_t(0.95, dof / pow(part, 4)) * u;
}

void fit_repeats_for(const fit_friction_law *known, double u_shared_rel, int pulls_per_repeat,
                     double band_rel, fit_repeats *out) {
  const bool has_law = known && known->outcome == FIT_FRICTION_OK && known->scatter_basis != FIT_ASSUMED;
  const double shared = hypot(u_shared_rel, has_law ? known->placement_rel : 0);
  double dof = has_law ? known->scatter_dof : INFINITY; /* nobody has measured it: taken as it is */
  *out = (fit_repeats){.scatter_rel = has_law ? known->scatter_rel : FIT_PLANNED_SCATTER,
                       .basis = has_law ? known->scatter_basis : FIT_ASSUMED,
                       .floor_rel = cb_normal_quantile(0.975) * shared};
  const double wanted = fmax(band_rel, 1.1 * out->floor_rel);
  do {
    out->n++;
    out->band_rel = band_of(out->scatter_rel, dof, shared, (double)out->n * pulls_per_repeat);
  } while (out->band_rel > wanted && out->n < FIT_REPEATS_MOST);
}
