#include "sim_splash_impl.h"

#include <math.h>
#include <string.h>

#include "sim_vec.h"

#define DEPTH 40 /* halvings: 1e-12 of the step */
#define TRIED 64 /* places that are looked at: more mean that the four stay in one plane */
#define AROUND 1e-9

/* Point and corners relative to the first corner at the start, for the digits. */
typedef struct motion {
  double point[2][3], side[2][2][3]; /* [start, end]: p - x1; x2 - x1, x3 - x1 */
  int tried;
} motion;

static void between(const double a[3], const double b[3], double t, double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = (1 - t) * a[k] + t * b[k];
}

static void coefficients(const motion *m, double out[4]) {
  double n[3][3], other[3];
  sim_cross(m->side[0][0], m->side[0][1], n[0]);
  sim_cross(m->side[0][0], m->side[1][1], n[1]);
  sim_cross(m->side[1][0], m->side[0][1], other);
  sim_add(n[1], 1, other); /* twice the middle one */
  sim_cross(m->side[1][0], m->side[1][1], n[2]);
  out[0] = sim_dot(m->point[0], n[0]);
  out[1] = (sim_dot(m->point[1], n[0]) + sim_dot(m->point[0], n[1])) / 3;
  out[2] = (sim_dot(m->point[1], n[1]) + sim_dot(m->point[0], n[2])) / 3;
  out[3] = sim_dot(m->point[1], n[2]);
}

/* Weights of the closest point on the triangle's plane; whether it is within. */
static bool within(const motion *m, double t, double weight[3]) {
  double p[3], e[3], f[3], n[3], across[3];
  between(m->point[0], m->point[1], t, p);
  between(m->side[0][0], m->side[1][0], t, e);
  between(m->side[0][1], m->side[1][1], t, f);
  sim_cross(e, f, n);
  const double square = sim_dot(n, n);
  if (!(square > 0)) return false; /* no area: its neighbours have the place */
  sim_cross(p, f, across);
  weight[1] = sim_dot(across, n) / square;
  sim_cross(e, p, across);
  weight[2] = sim_dot(across, n) / square;
  weight[0] = 1 - weight[1] - weight[2];
  return weight[0] >= -AROUND && weight[1] >= -AROUND && weight[2] >= -AROUND;
}

static bool search_root(motion *m, const double b[4], double from, double to, int depth, sim_impact *out) {
  if ((b[0] > 0 && b[1] > 0 && b[2] > 0 && b[3] > 0) || (b[0] < 0 && b[1] < 0 && b[2] < 0 && b[3] < 0))
    return false;
  if (depth == 0 || m->tried >= TRIED) {
    m->tried++;
    out->time = from;
    out->side = b[0] > 0 || (b[0] == 0 && b[3] < 0) ? 1 : -1;
    return within(m, (from + to) / 2, out->weight);
  }
  const double ab = (b[0] + b[1]) / 2, bc = (b[1] + b[2]) / 2, cd = (b[2] + b[3]) / 2, abc = (ab + bc) / 2,
               bcd = (bc + cd) / 2, middle = (abc + bcd) / 2;
  return search_root(m, (const double[4]){b[0], ab, abc, middle}, from, (from + to) / 2, depth - 1, out) ||
         search_root(m, (const double[4]){middle, bcd, cd, b[3]}, (from + to) / 2, to, depth - 1, out);
}

bool sim_impact_find(const double point_start[3], const double point_end[3], const double start[3][3],
                     const double end[3][3], sim_impact *out) {
  motion m;
  double b[4];
  sim_sub(point_start, start[0], m.point[0]);
  sim_sub(point_end, end[0], m.point[1]);
  for (int k = 0; k < 2; k++) {
    sim_sub(start[1 + k], start[0], m.side[0][k]);
    sim_sub(end[1 + k], end[0], m.side[1][k]);
  }
  m.tried = 0;
  coefficients(&m, b);
  return search_root(&m, b, 0, 1, DEPTH, out);
}
