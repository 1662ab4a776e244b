/* What the curtain meets: bodies, and itself. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_threads.h"
#include "sim_curtain_impl.h"
#include "sim_vec.h"

#define LANES SIM_CURTAIN_LANES
#define TURNS \
  8 /* out of a body and back to the rod's length: each leaves a share of what the one before left */
#define ROUNDS 4 /* of impulses, before what still collides moves as one */

/* ---- bodies ---- */

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

static bool push_node(const sim_curtain *c, double dt_s, const double from[3], double to[3]) {
  const double keep = c->setup.thickness_m / 2;
  bool pushed = false;
  for (int i = 0; i < c->setup.n_bodies; i++) {
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

/* Out of the bodies and back to the rod's length in turn, which ends with the length. */
static int lead_column(sim_curtain *c, double dt_s, int column) {
  const int l = column % LANES;
  double above[3], from[3], to[3];
  int n = 0;
  for (int node = 0; node < c->setup.nodes; node++) {
    const long at = 3 * sim_curtain_at(c, column / LANES, node);
    for (int k = 0; k < 3; k++) from[k] = c->x[at + k][l], to[k] = c->next[at + k][l];
    if (node > 0) {
      at_length(c->setup.rod_m, above, to);
      const bool touches = push_node(c, dt_s, from, to);
      for (int k = 0; k < TURNS && touches && (k == 0 || push_node(c, dt_s, from, to)); k++)
        at_length(c->setup.rod_m, above, to);
      n += touches;
    }
    for (int k = 0; k < 3; k++) above[k] = c->next[at + k][l] = to[k];
  }
  return n;
}

int sim_curtain_lead(sim_curtain *c, double dt_s) {
  int n = 0;
  for (int i = 0; i < c->setup.n_bodies; i++) {
    c->body[i] = c->setup.body[i];
    sim_body_move(&c->body[i], dt_s);
  }
#pragma omp parallel for schedule(static, LANES) num_threads(cb_threads_within(c->threads)) \
    if (c->threads > 1) reduction(+ : n)
  for (int column = 0; column < c->setup.columns; column++) n += lead_column(c, dt_s, column);
  return n;
}

/* ---- itself ---- */

/* Vertices by columns, as the vectors of eight lie; the flat cloth is weft_m wide. */
static cb_status make_mesh(sim_curtain *c, cb_err *err) {
  const sim_curtain_setup *s = &c->setup;
  const int n = s->nodes, cells = (s->columns - 1) * (n - 1);
  int(*triangle)[3] = calloc(2 * (size_t)cells + 1, sizeof *triangle);
  double(*corner)[3][2] = calloc(2 * (size_t)cells + 1, sizeof *corner);
  cb_status st = CB_OK;
  if (!triangle || !corner) CB_GOTO(cb_no_memory(err, "curtain"));
  for (int i = 0; i < cells; i++) {
    const int column = i / (n - 1), node = i % (n - 1), a = column * n + node;
    const int of[2][3] = {{a, a + 1, a + n}, {a + n, a + 1, a + n + 1}};
    for (int k = 0; k < 6; k++) {
      const int v = of[k / 3][k % 3];
      triangle[2 * i + k / 3][k % 3] = v;
      corner[2 * i + k / 3][k % 3][0] = v % n * s->rod_m;
      const int across = v / n;
      corner[2 * i + k / 3][k % 3][1] = across * s->weft_m;
    }
  }
  st = sim_mesh_build((const double(*)[3])c->from, s->columns * n, (const int(*)[3])triangle,
                      (const double(*)[3][2])corner, 2 * cells, &c->mesh, err);
done:
  free(triangle);
  free(corner);
  return st;
}

static void gather_nodes(const sim_curtain *c, const sim_f64x8 *from, double (*to)[3]) {
  for (int column = 0; column < c->setup.columns; column++)
    for (int node = 0; node < c->setup.nodes; node++)
      for (int k = 0; k < 3; k++)
        to[column * c->setup.nodes + node][k] =
            from[3 * sim_curtain_at(c, column / LANES, node) + k][column % LANES];
}

static void scatter(sim_curtain *c) {
  for (int column = 0; column < c->setup.columns; column++)
    for (int node = 1; node < c->setup.nodes; node++)
      for (int k = 0; k < 3; k++)
        c->next[3 * sim_curtain_at(c, column / LANES, node) + k][column % LANES] =
            c->to[column * c->setup.nodes + node][k];
}

cb_status sim_curtain_part_init(sim_curtain *c, cb_err *err) {
  const sim_curtain_setup *s = &c->setup;
  const size_t n = (size_t)s->columns * (size_t)s->nodes;
  const sim_self_options opt = {.thickness_m = s->thickness_m, .rounds = ROUNDS};
  if (s->columns < 2)
    return cb_fail(err, CB_E_RANGE, "curtain: one column does not meet itself: at least 2 were wanted");
  c->from = calloc(n, sizeof *c->from);
  c->to = calloc(n, sizeof *c->to);
  c->inverse_mass = calloc(n, sizeof *c->inverse_mass);
  if (!c->from || !c->to || !c->inverse_mass) return cb_no_memory(err, "curtain");
  gather_nodes(c, c->x, c->from);
  CB_TRY(make_mesh(c, err));
  for (size_t i = 0; i < n; i++) {
    const int column = (int)i / s->nodes, node = (int)i % s->nodes;
    c->inverse_mass[i] = node > 0 ? 1 / sim_curtain_mass(c, column, node) : 0;
  }
  const sim_mesh *mesh = &c->mesh;
  CB_TRY(sim_self_new(&mesh, NULL, 1, &opt, &c->self, err));
  sim_self_set_inverse_mass(c->self, c->inverse_mass);
  return CB_OK;
}

/* Impulses keep the momentum; the rods, which get their length back after them, hang on what holds them. What
 * they push through again is the next pass's. */
cb_status sim_curtain_part(sim_curtain *c, sim_curtain_report *report, cb_err *err) {
  gather_nodes(c, c->x, c->from);
  for (int k = 0; k < c->setup.self_passes; k++) {
    sim_self_report r;
    gather_nodes(c, c->next, c->to);
    CB_TRY(sim_self_resolve(c->self, (const double(*)[3])c->from, c->to, &r, err));
    report->self_left_over = r.outcome != SIM_SELF_FREE || r.met > 0;
    report->self_impacts += r.impacts;
    if (r.outcome == SIM_SELF_FREE) return CB_OK;
    scatter(c);
    for (int b = 0; b < c->blocks; b++) sim_curtain_straighten(c, b);
  }
  return CB_OK;
}
