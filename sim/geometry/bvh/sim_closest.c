#include "sim_query.h"

#include <stdbool.h>
#include <string.h>

#include "sim_vec.h"

/* Squares of the sine between two sides. Below SLANTED their solution is checked against the borders; below
 * PARALLEL there is none. */
#define SLANTED 1e-12
#define PARALLEL 1e-24

typedef struct nearest {
  double square, weight[4];
} nearest;

static double clamp(double s) { return s < 0 ? 0 : s > 1 ? 1 : s; }

static void take_nearer(nearest *best, const double point[4][3], const double weight[4]) {
  double square = 0;
  for (int k = 0; k < 3; k++) {
    double d = 0;
    for (int i = 0; i < 4; i++) d += weight[i] * point[i][k];
    square += d * d;
  }
  if (!(square < best->square)) return;
  best->square = square;
  memcpy(best->weight, weight, sizeof best->weight);
}

/* Point v against the segment from a to b; the segment's weights have the sign `side`. */
static void point_segment(nearest *best, const double point[4][3], int v, int a, int b, double side) {
  double along[3], to[3], weight[4] = {0};
  sim_sub(point[b], point[a], along);
  sim_sub(point[v], point[a], to);
  double length = sim_dot(along, along), s = length > 0 ? clamp(sim_dot(along, to) / length) : 0;
  weight[v] = -side;
  weight[a] = side * (1 - s);
  weight[b] = side * s;
  take_nearer(best, point, weight);
}

/* Solves to = s e + t f + (along e x f). Cross products keep the digits that the normal equations would lose
 * where e and f are nearly parallel. Returns false if they are parallel. sure: the digits can be trusted. */
static bool solve_plane(const double to[3], const double e[3], const double f[3], double *s, double *t,
                        bool *sure) {
  double n[3], to_f[3], e_to[3];
  sim_cross(e, f, n);
  sim_cross(to, f, to_f);
  sim_cross(e, to, e_to);
  const double nn = sim_dot(n, n), scale = sim_dot(e, e) * sim_dot(f, f);
  if (!(nn > PARALLEL * scale)) return false;
  *s = sim_dot(to_f, n) / nn;
  *t = sim_dot(e_to, n) / nn;
  *sure = nn > SLANTED * scale;
  return true;
}

/* If the solution without borders lies inside of both features, it is the nearest. Returns true if nothing
 * else needs a test. */
static bool inside_triangle(nearest *best, const double point[4][3]) {
  double e[3], f[3], to[3], s, t;
  bool sure;
  sim_sub(point[2], point[1], e);
  sim_sub(point[3], point[1], f);
  sim_sub(point[0], point[1], to);
  if (!solve_plane(to, e, f, &s, &t, &sure) || s <= 0 || t <= 0 || s + t >= 1) return false;
  take_nearer(best, point, (const double[4]){1, -(1 - s - t), -s, -t});
  return sure;
}

static bool inside_edges(nearest *best, const double point[4][3]) {
  double e[3], f[3], to[3], s, t;
  bool sure;
  sim_sub(point[1], point[0], e);
  sim_sub(point[3], point[2], f);
  sim_sub(point[2], point[0], to);
  if (!solve_plane(to, e, f, &s, &t, &sure) || s <= 0 || s >= 1 || t >= 0 || t <= -1) return false;
  take_nearer(best, point, (const double[4]){1 - s, s, -1 - t, t});
  return sure;
}

double sim_closest(sim_pair pair, const double point[4][3], double weight[4]) {
  nearest best = {.square = HUGE_VAL};
  bool sure = pair == SIM_VERTEX_TRIANGLE ? inside_triangle(&best, point) : inside_edges(&best, point);
  if (!sure && pair == SIM_VERTEX_TRIANGLE) {
    for (int k = 0; k < 3; k++) point_segment(&best, point, 0, 1 + k, 1 + (k + 1) % 3, -1);
  } else if (!sure) {
    for (int k = 0; k < 2; k++) point_segment(&best, point, k, 2, 3, -1);
    for (int k = 2; k < 4; k++) point_segment(&best, point, k, 0, 1, 1);
  }
  memcpy(weight, best.weight, sizeof best.weight);
  return sqrt(best.square);
}

double sim_closest_crossing(const double point[4][3], double weight[4]) {
  nearest best = {.square = HUGE_VAL};
  const bool sure = inside_edges(&best, point);
  if (!sure && best.square < HUGE_VAL) return sim_closest(SIM_EDGE_EDGE, point, weight);
  memcpy(weight, best.weight, sizeof best.weight);
  return sure ? sqrt(best.square) : HUGE_VAL;
}

/* Vectors along the sides that have a nearest point in their inside, not at a corner. At most two. */
static int sides_between(sim_pair pair, const double point[4][3], const double weight[4], double side[2][3]) {
  int n = 0;
  if (pair == SIM_EDGE_EDGE) {
    for (int k = 0; k < 4; k += 2)
      if (weight[k] != 0 && weight[k + 1] != 0) sim_sub(point[k + 1], point[k], side[n++]);
    return n;
  }
  int corner[3], corners = 0;
  for (int k = 1; k < 4; k++)
    if (weight[k] != 0) corner[corners++] = k;
  for (int k = 1; k < corners; k++) sim_sub(point[corner[k]], point[corner[0]], side[n++]);
  return n;
}

void sim_closest_normal(sim_pair pair, const double point[4][3], const double weight[4], double normal[3]) {
  double side[2][3], exact[3], between[3] = {0};
  for (int i = 0; i < 4; i++) sim_add(between, weight[i], point[i]);
  memcpy(exact, between, sizeof exact);
  const int n = sides_between(pair, point, weight, side);
  if (n == 1) sim_add(exact, -sim_dot(between, side[0]) / sim_dot(side[0], side[0]), side[0]);
  if (n == 2) {
    sim_cross(side[0], side[1], exact);
    if (sim_dot(exact, between) < 0) sim_add(exact, -2, exact);
  }
  double length = sim_norm(exact);
  for (int k = 0; k < 3; k++) normal[k] = length > 0 ? exact[k] / length : 0;
}

sim_plane sim_closest_plane(sim_pair pair, const double start[4][3], const double end[4][3]) {
  const int first = pair == SIM_VERTEX_TRIANGLE ? 1 : 2;
  const double share = 1.0 / first, other = -1.0 / (4 - first);
  double n[3];
  for (int k = 0; k < 3; k++) {
    n[k] = 0;
    for (int i = 0; i < 4; i++) n[k] += (i < first ? share : other) * (start[i][k] + end[i][k]);
  }
  double lowest[2] = {HUGE_VAL, HUGE_VAL}, highest[2] = {-HUGE_VAL, -HUGE_VAL};
  for (int i = 0; i < 4; i++) {
    const double height[2] = {sim_dot(n, start[i]), sim_dot(n, end[i])};
    for (int k = 0; k < 2; k++) {
      if (i < first && height[k] < lowest[k]) lowest[k] = height[k];
      if (i >= first && height[k] > highest[k]) highest[k] = height[k];
    }
  }
  return (sim_plane){sim_lesser(lowest[0] - highest[0], lowest[1] - highest[1]), sim_dot(n, n)};
}
