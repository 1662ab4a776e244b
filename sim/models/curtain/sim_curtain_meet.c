/* Bodies that the curtain meets. */
#include <math.h>

#include "cb_threads.h"
#include "sim_curtain_impl.h"
#include "sim_vec.h"

#define LANES SIM_CURTAIN_LANES
#define TURNS \
  8 /* out of a body and back to the rod's length: each leaves a share of what the one before left */
#define SECANTS 4 /* of how deep a fold may be; what is not out of the body then lies flat */

/* Share of the way out that holds back what slides along. A law of the body takes the normal force that moves
 * the node out by that depth in a step, in the direction of sliding between warp (down) and weft (across). */
static double coefficient(const sim_curtain *c, const sim_friction *f, const double way[3], double depth,
                          double dt_s) {
  const sim_curtain_setup *s = &c->setup;
  const double area_m2 = s->rod_m * s->weft_m,
               normal_N = s->areal_density_kg_per_m2 * area_m2 * depth / (dt_s * dt_s);
  const double direction[2] = {sim_dot(way, s->down), sim_dot(way, s->across)};
  if (f->kinetic_law == NULL || !(normal_N > 0) || hypot(direction[0], direction[1]) == 0)
    return f->mu_kinetic;
  return sim_friction_eval(f, direction, normal_N, area_m2).kinetic_N / normal_N;
}

/* Out along the normal, by `depth`; what slides along is held back by as much as that, times the friction
 * (both are ways within the step). */
static void push_out(const sim_curtain *c, const sim_friction *f, const sim_touch *t, double depth,
                     double dt_s, const double from[3], double to[3]) {
  double way[3];
  for (int k = 0; k < 3; k++) way[k] = to[k] - from[k] - dt_s * t->velocity_m_per_s[k];
  sim_add(way, -sim_dot(way, t->normal), t->normal);
  const double friction = coefficient(c, f, way, depth, dt_s), length = sim_norm(way),
               hold = length > friction * depth ? friction * depth / length : 1;
  sim_add(to, depth, t->normal);
  if (friction > 0) sim_add(to, -hold, way);
}

/* Nodes stay so far away that the triangle between three of them, as wide as the cloth, is half the thickness
 * away from a round body. */
static double distance_kept(const sim_curtain *c, const sim_body *body) {
  const double half = c->setup.thickness_m / 2;
  if (body->shape != SIM_SPHERE && body->shape != SIM_CYLINDER) return half;
  const double circle = hypot(c->setup.rod_m, c->setup.weft_m) / 2; /* around the triangle */
  return hypot(body->radius_m + half, circle) - body->radius_m;
}

static bool push_node(const sim_curtain *c, double dt_s, const double from[3], double to[3]) {
  bool pushed = false;
  for (int i = 0; i < c->setup.n_bodies; i++) {
    const double keep = distance_kept(c, &c->body[i]);
    sim_touch t;
    if (!sim_body_near(&c->body[i], to, keep, &t)) continue;
    push_out(c, &c->body[i].friction, &t, keep - t.distance_m, dt_s, from, to);
    pushed = true;
  }
  return pushed;
}

static void at_length(double rod_m, const double above[3], double to[3]) {
  double side[3];
  sim_sub(to, above, side);
  const double scale = rod_m / sim_norm(side);
  for (int k = 0; k < 3; k++) to[k] = above[k] + scale * side[k];
}

/* Out of the bodies and back to the rod's length in turn, which ends with the length. Returns whether it was
 * in a body. */
static bool lead_node(sim_curtain *c, double dt_s, int column, int node) {
  const int l = column % LANES;
  const long at = 3 * sim_curtain_at(c, column / LANES, node);
  double above[3], from[3], to[3];
  for (int k = 0; k < 3; k++) {
    above[k] = c->next[at - 3 + k][l];
    from[k] = c->x[at + k][l];
    to[k] = c->next[at + k][l];
  }
  at_length(c->setup.rod_m, above, to);
  const bool touches = push_node(c, dt_s, from, to);
  for (int k = 0; k < TURNS && touches && (k == 0 || push_node(c, dt_s, from, to)); k++)
    at_length(c->setup.rod_m, above, to);
  for (int k = 0; k < 3; k++) c->next[at + k][l] = to[k];
  return touches;
}

static int lead_column(sim_curtain *c, double dt_s, int column) {
  int n = 0;
  for (int node = 1; node < c->setup.nodes; node++) n += lead_node(c, dt_s, column, node);
  return n;
}

int sim_curtain_lead_row(sim_curtain *c, double dt_s, int node) {
  int n = 0;
  for (int column = 0; column < c->setup.columns && c->setup.n_bodies > 0; column++)
    n += lead_node(c, dt_s, column, node);
  return n;
}

void sim_curtain_move_bodies(sim_curtain *c, double dt_s) {
  for (int i = 0; i < c->setup.n_bodies; i++) {
    c->body[i] = c->setup.body[i];
    sim_body_move(&c->body[i], dt_s);
  }
}

int sim_curtain_lead(sim_curtain *c, double dt_s) {
  int n = 0;
#pragma omp parallel for schedule(static, LANES) num_threads(cb_threads_within(c->threads)) \
    if (c->threads > 1) reduction(+ : n)
  for (int column = 0; column < c->setup.columns; column++) n += lead_column(c, dt_s, column);
  return n;
}

/* ---- folds ---- */

/* The greatest share of the way from `foot` to `tip` that is out of a body. Along a line into a convex body
 * the distance is convex, so secants come from the inside. */
static double share_outside(const sim_body *body, double keep_m, const double foot[3], const double tip[3]) {
  sim_touch t;
  double share = 1;
  if (!sim_body_near(body, tip, keep_m, &t)) return 1;
  const double there = t.distance_m;
  sim_body_touch(body, foot, &t);
  const double here = t.distance_m - keep_m;
  double end = there - keep_m;
  for (int k = 0; k < SECANTS && here > 0; k++) {
    double at[3];
    share *= here / (here - end);
    for (int i = 0; i < 3; i++) at[i] = foot[i] + share * (tip[i] - foot[i]);
    sim_body_touch(body, at, &t);
    end = t.distance_m - keep_m;
    if (end >= -keep_m / 2) return share;
  }
  return 0;
}

void sim_curtain_flatten(const sim_curtain *c, double (*chain)[3]) {
  const int n = c->setup.segments;
  const double keep = c->setup.thickness_m / 2, reach = c->setup.weft_m + keep;
  double foot[SIM_CURTAIN_SEGMENTS][3], along[3], middle[3], share = 1;
  sim_sub(chain[n], chain[0], along);
  const double per2 = 1 / sim_dot(along, along);
  for (int k = 0; k < 3; k++) middle[k] = (chain[0][k] + chain[n][k]) / 2;
  for (int j = 1; j < n; j++) {
    double side[3];
    sim_sub(chain[j], chain[0], side);
    const double part = sim_dot(side, along) * per2;
    for (int k = 0; k < 3; k++) foot[j][k] = chain[0][k] + part * along[k];
  }
  for (int b = 0; b < c->setup.n_bodies; b++) {
    sim_touch t;
    if (!sim_body_near(&c->setup.body[b], middle, reach, &t)) continue;
    for (int j = 1; j < n; j++)
      share = fmin(share, share_outside(&c->setup.body[b], keep, foot[j], chain[j]));
  }
  for (int j = 1; j < n && share < 1; j++)
    for (int k = 0; k < 3; k++) chain[j][k] = foot[j][k] + share * (chain[j][k] - foot[j][k]);
}
