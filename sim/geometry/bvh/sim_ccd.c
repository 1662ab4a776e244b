#include "sim_query.h"

#include <stdbool.h>

#include "sim_vec.h"

#define STRIDES 256 /* rotating features need a few; what needs more counts as a hit */
#define MET_SHARE 1e-6

/* Points relative to the first one at the start, which keeps their digits. */
typedef struct motion {
  sim_pair pair;
  double start[4][3], change[4][3];
} motion;

static motion motion_of(sim_pair pair, const double start_m[4][3], const double end_m[4][3]) {
  motion m = {.pair = pair};
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 3; k++) {
      m.start[i][k] = start_m[i][k] - start_m[0][k];
      m.change[i][k] = (end_m[i][k] - start_m[i][k]) - (end_m[0][k] - start_m[0][k]);
    }
  return m;
}

static void points_at(const motion *m, double t, double out[4][3]) {
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 3; k++) out[i][k] = m->start[i][k] + t * m->change[i][k];
}

/* The time until which all heights over the plane stay above near_m; more than 1 if they do to the end. */
static double stride(const motion *m, const double at[4][3], const double n[3], double t, double near_m) {
  const int first = m->pair == SIM_VERTEX_TRIANGLE ? 1 : 2;
  double height[4], rate[4], until = 2;
  for (int i = 0; i < 4; i++) {
    height[i] = sim_dot(n, at[i]);
    rate[i] = sim_dot(n, m->change[i]);
  }
  for (int i = 0; i < first; i++)
    for (int j = first; j < 4; j++) {
      double h = height[i] - height[j], r = rate[i] - rate[j];
      if (h > near_m && h + (1 - t) * r > near_m) continue;
      double reached = h > near_m ? t + (h - near_m) / -r : t;
      until = reached < until ? reached : until;
    }
  return until;
}

static void nearest_at(const motion *m, double t, double at[4][3], sim_ccd_hit *hit) {
  points_at(m, t, at);
  hit->time = t;
  hit->distance_m = sim_closest(m->pair, (const sim_vec3 *)at, hit->weight);
  sim_closest_normal(m->pair, (const sim_vec3 *)at, hit->weight, hit->normal);
}

sim_ccd_outcome sim_ccd(sim_pair pair, const double start_m[4][3], const double end_m[4][3], double near_m,
                        sim_ccd_hit *hit) {
  const motion m = motion_of(pair, start_m, end_m);
  double at[4][3];
  nearest_at(&m, 0, at, hit);
  if (!(hit->distance_m > MET_SHARE * near_m)) return SIM_CCD_MET;
  const double level = fmin(near_m, hit->distance_m / 4);
  for (int k = 0; k < STRIDES && hit->distance_m > SIM_CCD_HIT_NEAR * level; k++) {
    double t = stride(&m, (const sim_vec3 *)at, hit->normal, hit->time, level);
    if (t > 1) return SIM_CCD_APART;
    if (!(t > hit->time)) break;
    nearest_at(&m, t, at, hit);
  }
  return SIM_CCD_HIT;
}
