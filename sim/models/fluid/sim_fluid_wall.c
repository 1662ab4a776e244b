/* The kernel's integral over the half space behind a wall, at the share q = distance/h before it. With W =
 * 8/(pi h^3) (2 (1-q)^3 - 8 (1/2-q)_+^3), over circles around the closest point and then over depth:
 *   part(q) = 16 (2 ((1-q)^5/20 - (1-q)^6/30) - 8 (a^5/40 - a^6/30)),  a = (1/2-q)_+;  part(0) = 1/2,
 *   part(-q) = 1 - part(q)
 * Where walls meet, what is before none of them is the product of the shares before each: exact for a kernel
 * that is a product itself (a Gaussian), and free of counting a corner twice.
 *
 * The half space begins 0.0833 d behind the wall: there it weighs as much as the half of a cubic lattice
 * whose other half stands in the box, its first layer d/2 from the wall, so that a lattice which fills the
 * box is at rest. */
#include <math.h>

#include "sim_fluid_impl.h"

#define BEHIND 0.0833 /* of d */

static float power5(float s) { return s * s * s * s * s; }

static float part_beyond(float q) {
  const float s = 1 - q, a = q < 0.5f ? 0.5f - q : 0;
  return 16 * (2 * power5(s) * (1.0f / 20 - s / 30) - 8 * power5(a) * (1.0f / 40 - a / 30));
}

/* d part / dq = -16 (2 ((1-q)^4/4 - (1-q)^5/5) - 8 (a^4/8 - a^5/5)) */
static float slope_beyond(float q) {
  const float s = 1 - q, a = q < 0.5f ? 0.5f - q : 0;
  return -16 * (2 * s * s * s * s * (0.25f - s / 5) - 8 * a * a * a * a * (0.125f - a / 5));
}

static float part_of(float q, float *slope) {
  const float size = q < 0 ? -q : q;
  *slope = 0;
  if (size >= 1) return q < 0 ? 1 : 0;
  *slope = slope_beyond(size);
  return q < 0 ? 1 - part_beyond(size) : part_beyond(size);
}

float sim_fluid_wall(const sim_fluid *f, sim_v4 place, sim_v4 *gradient) {
  const float h = (float)f->support;
  *gradient = (sim_v4){0};
  bool near = false;
  for (int k = 0; k < 3; k++)
    near = near || fabsf(place[k]) > (float)((f->setup.box_hi_m[k] - f->setup.box_lo_m[k]) / 2 - f->support);
  if (!near) return 0;
  float free_share = 1, share[3] = {1, 1, 1}, slope[3] = {0};
  for (int k = 0; k < 3; k++) {
    const float half =
        (float)((f->setup.box_hi_m[k] - f->setup.box_lo_m[k]) / 2 + BEHIND * f->setup.spacing_m);
    float lower, upper;
    share[k] = 1 - part_of((half + place[k]) / h, &lower) - part_of((half - place[k]) / h, &upper);
    slope[k] = (lower - upper) / h;
    free_share *= share[k];
  }
  *gradient = (sim_v4){slope[0] * share[1] * share[2], slope[1] * share[0] * share[2],
                       slope[2] * share[0] * share[1], 0};
  return 1 - free_share;
}
