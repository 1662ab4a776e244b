/* Divides a step so that bodies do not jump past the cloth. */
#include "sim_pace.h"

#include <math.h>

#include "cb_threads.h"
#include "sim_body_inner.h"
#include "sim_cloth_impl.h"
#include "sim_vec.h"

#define SHARE 0.5 /* of the inner radius: largest motion in a part of a divided step */

int sim_pace_parts(double travel_m, double inner_m) {
  if (!(travel_m > inner_m)) return 1;
  return (int)fmin(1e9, ceil(travel_m / (SHARE * inner_m)));
}

/* Motion of a vertex against the body in the step, if it is more than the inner radius and the body is in
 * reach; else 0. */
static double travel_of(const sim_cloth *c, int i, const sim_body *b, double inner_m, double dt_s) {
  double w[3], shape[3];
  sim_touch touch;
  if (c->setup.gripped && c->setup.gripped[i]) return 0;
  sim_body_shape_velocity(b, c->now.x[i], shape);
  sim_sub(c->now.v[i], shape, w);
  const double travel = dt_s * (sim_norm(w) + dt_s * sim_norm(c->setup.gravity_m_per_s2));
  if (!(travel > inner_m)) return 0;
  return sim_body_near(b, c->now.x[i], travel + c->setup.material->thickness_m, &touch) ? travel : 0;
}

static double longest_travel(const sim_cloth *c, const sim_body *b, double inner_m, double dt_s) {
  double most = 0;
#pragma omp parallel for schedule(static) reduction(max : most) if (c->now.n > CB_FEW)
  for (int i = 0; i < c->now.n; i++) most = fmax(most, travel_of(c, i, b, inner_m, dt_s));
  return most;
}

cb_status sim_pace_of_cloth(const sim_cloth *c, double dt_s, int *parts, cb_err *err) {
  *parts = 1;
  for (int b = 0; b < c->setup.n_bodies; b++) {
    const double inner_m = sim_body_inner_m(&sim_cloth_bodies(c)[b]);
    if (!(inner_m > 0 && isfinite(inner_m))) continue;
    const double travel = longest_travel(c, &sim_cloth_bodies(c)[b], inner_m, dt_s);
    const int n = sim_pace_parts(travel, inner_m);
    if (n > SIM_PACE_MOST)
      return cb_fail(err, CB_E_RANGE,
                     "body %d (%s) moves %.3g mm against the cloth at t = %g s, at %.3g m/s in a step of "
                     "%.4g ms, and is %.3g mm thick from "
                     "its middle: a step of at most %.2g ms is wanted",
                     b + 1, sim_shape_names[sim_cloth_bodies(c)[b].shape], 1e3 * travel, c->time_s,
                     travel / dt_s, 1e3 * dt_s, 1e3 * inner_m, 1e3 * dt_s * SIM_PACE_MOST / n);
    *parts = n > *parts ? n : *parts;
  }
  return CB_OK;
}
