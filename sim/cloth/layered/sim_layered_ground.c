/* Elastic bodies on the scene's rigid bodies, where no cloth is between. A vertex that would end inside is
 * stopped, with friction. */
#include <math.h>

#include "sim_layered_impl.h"
#include "sim_vec.h"

static void apply_friction(const sim_layered_layer *l, int i, const double normal[3], double normal_N,
                           double dt_s, double slip[3]) {
  sim_add(slip, -sim_dot(slip, normal), normal);
  double speed = sim_norm(slip);
  if (!(speed > 0) || !(normal_N > 0)) {
    slip[0] = slip[1] = slip[2] = 0;
    return;
  }
  const double any[2] = {1, 0};
  double force = sim_friction_eval(&l->given->friction, any, normal_N, l->ground_m2[i]).kinetic_N;
  double change = fmin(force * dt_s / sim_elastic_mass(l->elastic)[i], speed);
  for (int k = 0; k < 3; k++) slip[k] *= -change / speed;
}

/* Puts a vertex out of a body. The velocity changes by what stops the approach; the rest of the depth is a
 * shift, which makes no energy. */
static bool put_out(sim_layered_layer *l, int i, const sim_body *b, double dt_s) {
  double *x = sim_elastic_position(l->elastic)[i], *v = sim_elastic_velocity(l->elastic)[i], w[3];
  sim_touch touch;
  if (!sim_body_near(b, x, 0, &touch)) return false;
  sim_sub(v, touch.velocity_m_per_s, w);
  double depth = -touch.distance_m, stop = fmin(fmax(0, -sim_dot(w, touch.normal)), depth / dt_s);
  apply_friction(l, i, touch.normal, stop * sim_elastic_mass(l->elastic)[i] / dt_s, dt_s, w);
  sim_add(v, stop, touch.normal);
  sim_add(v, 1, w);
  sim_add(x, depth, touch.normal);
  sim_add(x, dt_s, w);
  return true;
}

int sim_layered_ground(const sim_layered *t, sim_layered_layer *l, double dt_s) {
  int grounded = 0;
  const sim_body *body = sim_cloth_bodies(t->cloth);
#pragma omp parallel for schedule(static) reduction(+ : grounded)
  for (int i = 0; i < l->hull.n_vertices; i++) {
    bool lies = false;
    for (int b = 0; b < t->setup.cloth.n_bodies && l->ground_m2[i] > 0; b++)
      lies = put_out(l, i, &body[b], dt_s) || lies;
    grounded += lies;
  }
  return grounded;
}
