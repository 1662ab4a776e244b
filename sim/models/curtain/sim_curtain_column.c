/* A step of eight columns (equation (1) of sim_curtain.h). With B the inverse of A = (m + c) 1 + P of the
 * node below, c what h^2 b T/l adds between neighbours, g = f + q, d the rod, r what d.(a - a_above) must be
 * so that the rod keeps its length,
 *   s = d.Bd,  w = Bd/s,  B' = B - Bd w^T        (B' d = 0: what is across the rod)
 *   a = B'g + r w + w (d.a_above) + c B' a_above
 *   P_above = d d^T/s - c (d w^T + w d^T) + c (1 - c B'),   q_above = d (w.g - r/s) + c (B'g + r w) T = w.g -
 *   r/s + c r + c w.a_above - (d.a_above)/s
 * Without c these are the rods of a rigid chain, P_above = d d^T/s. */
#include <string.h>

#include "sim_f64x8.h"

#define STEADY                                                                                             \
  0.1 /* change of a square, per step, that is thought to go on: what jumps by more is noise, and would be \
         doubled */
#define NEWMARK \
  0.5 /* b: a tension may double within a step before the fastest modes go wild, as they do below 1/4 */

typedef struct kernel {
  const sim_curtain *c;
  const sim_curtain_block *block;
  const sim_f64x8 *x, *v, *left, *right; /* of this block; places in the ones beside it */
  sim_f64x8 *tension, *turning, *next, *work;
  double dt_s, per_rod;
  int number;
} kernel;

/* What the nodes below answer a node: q - P a. */
typedef struct answer {
  sim_f64x8 p[6], q[3];
} answer;

/* ---- forces ---- */

/* Normal of the surface at a node, four times as long as its area as the cloth stands. */
SIM_F64X8_FN void normal_of(const kernel *k, int node, sim_f64x8 out[3]) {
  const int last = k->c->setup.nodes - 1, below = node < last ? node + 1 : node;
  sim_f64x8 across[3], along[3];
  for (int i = 0; i < 3; i++) {
    const sim_f64x8 x = k->x[3 * node + i];
    const sim_f64x8 right = sim_f64x8_from_right(x, k->right[3 * node + i]),
                    left = sim_f64x8_from_left(x, k->left[3 * node + i]);
    across[i] = k->block->right * (right - x) + k->block->left * (x - left);
    along[i] = k->x[3 * below + i] - k->x[3 * (node - 1) + i];
  }
  sim_f64x8_cross(across, along, out);
}

SIM_F64X8_FN void add_gust(const kernel *k, int node, sim_f64x8 strength, sim_f64x8 force[3]) {
  const sim_curtain_source *s = &k->c->source;
  const unsigned row = (unsigned)(node - s->row);
  const sim_f64x8 *all = &k->c->gust[3L * SIM_CURTAIN_GUSTS * k->number];
  const sim_f64x8 *a = &all[3L * (row % SIM_CURTAIN_GUSTS)], *b = &all[3L * ((row - 1) % SIM_CURTAIN_GUSTS)];
  for (int i = 0; i < 3; i++) force[i] += strength * (a[i] + s->between * (b[i] - a[i]));
}

SIM_F64X8_FN void add_wind(const kernel *k, int node, sim_f64x8 area, sim_f64x8 force[3]) {
  const sim_curtain_source *s = &k->c->source;
  sim_f64x8 ray[3], normal[3], reach = sim_f64x8_all(0);
  for (int i = 0; i < 3; i++) {
    ray[i] = k->x[3 * node + i] - s->apex_m[i];
    reach += s->axis[i] * ray[i];
  }
  normal_of(k, node, normal);
  reach = sim_f64x8_larger(reach, sim_f64x8_all(s->apex_to_window_m)); /* behind the window: as in it */
  const sim_f64x8 square = sim_f64x8_dot(ray, ray), length = sim_f64x8_root(square),
                  share = s->apex_to_window_m / reach;
  /* B from the centre, squared */
  const sim_f64x8 off2 = square * share * share - s->apex_to_window_m * s->apex_to_window_m;
  sim_f64x8 open = (s->radius2_m2 - off2) * s->fade_per_m2;
  open = sim_f64x8_smaller(sim_f64x8_larger(open, sim_f64x8_all(0)), sim_f64x8_all(1));
  const sim_f64x8 far = s->near_m / sim_f64x8_larger(length * (1 - share), sim_f64x8_all(s->near_m));
  for (int i = 0; i < s->falloff; i++) open *= far;
  const sim_f64x8 per = 1 / length, straight = open * reach * per; /* direction.r */
  const sim_f64x8 push =
      s->pressure_Pa / 4 * straight * sim_f64x8_size(sim_f64x8_dot(normal, ray)) * per * per;
  for (int i = 0; i < 3; i++) force[i] += push * ray[i];
  if (s->gust_kg_per_m_s2 > 0) add_gust(k, node, s->gust_kg_per_m_s2 * straight * area, force);
}

/* The spring of a hand, at the step's end: it adds to what the node has of inertia, too. */
SIM_F64X8_FN void add_hand(const kernel *k, int node, sim_f64x8 *inertia, sim_f64x8 force[3]) {
  const sim_curtain_drag *d = &k->c->drag;
  const int lane = d->column % SIM_CURTAIN_LANES;
  const double h = k->dt_s, rate = h * d->stiffness_N_per_m + d->damping_Ns_per_m;
  if (!k->c->dragged || node != d->node || k->number != d->column / SIM_CURTAIN_LANES) return;
  (*inertia)[lane] += h * rate;
  for (int i = 0; i < 3; i++) {
    const double v = k->v[3 * node + i][lane] - d->velocity_m_per_s[i];
    force[i][lane] += d->stiffness_N_per_m * (d->target_m[i] - k->x[3 * node + i][lane]) - rate * v;
  }
}

/* What resists an acceleration: mass, and the air at the velocity that the step will end with. */
SIM_F64X8_FN sim_f64x8 forces_on(const kernel *k, int node, sim_f64x8 force[3]) {
  const sim_curtain_setup *s = &k->c->setup;
  const bool end = node == s->nodes - 1;
  const sim_f64x8 area = end ? k->block->area_m2 / 2 : k->block->area_m2,
                  mass = s->areal_density_kg_per_m2 * area;
  const sim_f64x8 *v = &k->v[3L * node], least = sim_f64x8_all(s->air.threshold_m_per_s);
  const sim_f64x8 speed = sim_f64x8_larger(sim_f64x8_root(sim_f64x8_dot(v, v)), least);
  const sim_f64x8 drag =
      (end ? k->block->end_kg_per_m : k->block->drag_kg_per_m) * (speed + s->air.fast * (speed - least));
  for (int i = 0; i < 3; i++) force[i] = s->gravity_m_per_s2[i] * mass - drag * v[i];
  sim_f64x8 inertia = mass + k->dt_s * drag;
  if (k->c->source.pressure_Pa > 0) add_wind(k, node, area, force);
  add_hand(k, node, &inertia, force);
  return inertia;
}

/* ---- up and down the columns ---- */

typedef struct link {
  sim_f64x8 d[3], r, c; /* d: from the node above; c: inertia between its ends */
} link;

/* |l d + h (v - v_above)| = l. What is of second order, the square of v - v_above, changes once more as it
 * did from the step before: that it stood still would cost the step an order. */
SIM_F64X8_FN link rod_of(const kernel *k, int node) {
  const double h = k->dt_s, l = k->c->setup.rod_m;
  sim_f64x8 turn[3];
  link out;
  for (int i = 0; i < 3; i++) {
    out.d[i] = k->per_rod * (k->x[3 * node + i] - k->x[3 * node - 3 + i]);
    turn[i] = k->v[3 * node + i] - k->v[3 * node - 3 + i];
  }
  const sim_f64x8 square = sim_f64x8_dot(turn, turn), most = STEADY * square;
  const sim_f64x8 change = sim_f64x8_smaller(sim_f64x8_larger(square - k->turning[node], -most), most),
                  soon = square + change;
  k->turning[node] = square;
  out.r = -(h / (2 * l) * soon + sim_f64x8_dot(out.d, turn)) / h;
  out.c = NEWMARK * h * h / l * sim_f64x8_larger(k->tension[node], sim_f64x8_all(0));
  return out;
}

/* P_above. */
SIM_F64X8_FN void pass_on(const link *rod, const sim_f64x8 w[3], const sim_f64x8 s[6], sim_f64x8 one,
                          sim_f64x8 p[6]) {
  static const int row[] = {0, 0, 0, 1, 1, 2}, column[] = {0, 1, 2, 1, 2, 2};
  for (int i = 0; i < 6; i++) {
    const int r = row[i], c = column[i];
    p[i] = rod->d[r] * rod->d[c] * one - rod->c * (rod->d[r] * w[c] + w[r] * rod->d[c] + s[i]);
    if (r == c) p[i] += rod->c;
  }
}

/* Keeps, per row: a when the node above is at rest, w, c B', T likewise, 1/s. */
SIM_F64X8_FN void row_up(const kernel *k, int node, answer *below) {
  const link rod = rod_of(k, node);
  sim_f64x8 *keep = &k->work[(long)SIM_CURTAIN_WORK * node], *rest = keep, *w = keep + 3, *s = keep + 6;
  sim_f64x8 g[3], b[6], bd[3];
  const sim_f64x8 inertia = forces_on(k, node, g) + rod.c;
  for (int i = 0; i < 3; i++) g[i] += below->q[i];
  below->p[0] += inertia, below->p[3] += inertia, below->p[5] += inertia;
  sim_f64x8_invert(below->p, b);
  sim_f64x8_multiply(b, rod.d, bd);
  const sim_f64x8 one = 1 / sim_f64x8_dot(rod.d, bd);
  for (int i = 0; i < 3; i++) w[i] = bd[i] * one;
  b[0] -= bd[0] * w[0], b[1] -= bd[0] * w[1], b[2] -= bd[0] * w[2];
  b[3] -= bd[1] * w[1], b[4] -= bd[1] * w[2], b[5] -= bd[2] * w[2];
  sim_f64x8_multiply(b, g, rest);
  const sim_f64x8 along = sim_f64x8_dot(w, g) - rod.r * one;
  for (int i = 0; i < 3; i++) rest[i] += rod.r * w[i];
  for (int i = 0; i < 6; i++) s[i] = rod.c * b[i];
  keep[12] = along + rod.c * rod.r;
  keep[13] = one;
  for (int i = 0; i < 3; i++) below->q[i] = rod.d[i] * along + rod.c * rest[i];
  pass_on(&rod, w, s, one, below->p);
}

/* a, v: of the node above, then of this one. */
SIM_F64X8_FN void row_down(const kernel *k, int node, sim_f64x8 a[3], sim_f64x8 v[3]) {
  const double h = k->dt_s, l = k->c->setup.rod_m;
  const sim_f64x8 *keep = &k->work[(long)SIM_CURTAIN_WORK * node], *rest = keep, *w = keep + 3, *s = keep + 6;
  const sim_f64x8 c = NEWMARK * h * h / l * sim_f64x8_larger(k->tension[node], sim_f64x8_all(0));
  sim_f64x8 side[3], carried[3];
  for (int i = 0; i < 3; i++) side[i] = k->x[3 * node + i] - k->x[3 * node - 3 + i];
  const sim_f64x8 da = k->per_rod * sim_f64x8_dot(side, a);
  k->tension[node] = keep[12] + c * sim_f64x8_dot(w, a) - da * keep[13];
  sim_f64x8_multiply(s, a, carried);
  for (int i = 0; i < 3; i++) {
    a[i] = rest[i] + w[i] * da + carried[i];
    const sim_f64x8 now = k->v[3 * node + i] + h * a[i];
    side[i] += h * (now - v[i]);
    v[i] = now;
  }
  const sim_f64x8 scale = l / sim_f64x8_root(sim_f64x8_dot(side, side));
  for (int i = 0; i < 3; i++) k->next[3 * node + i] = k->next[3 * node - 3 + i] + scale * side[i];
}

CB_WIDE static void climb(const kernel *k) {
  const kernel own = *k;
  const int last = own.c->setup.nodes - 1;
  const sim_f64x8 none = sim_f64x8_all(0);
  answer below = {{none, none, none, none, none, none}, {none, none, none}};
  sim_f64x8 a[3] = {none, none, none}, v[3] = {none, none, none};
  for (int node = last; node > 0; node--) row_up(&own, node, &below);
  for (int i = 0; i < 3; i++) own.next[i] = own.x[i];
  for (int node = 1; node <= last; node++) row_down(&own, node, a, v);
}

void sim_curtain_column(sim_curtain *c, int block, double dt_s, sim_f64x8 *work) {
  const long at = sim_curtain_at(c, block, 0), size = c->setup.nodes;
  const kernel k = {.c = c,
                    .block = &c->block[block],
                    .x = &c->x[3 * at],
                    .v = &c->v[3 * at],
                    .left = &c->x[3 * (block > 0 ? at - size : at)],
                    .right = &c->x[3 * (block < c->blocks - 1 ? at + size : at)],
                    .tension = &c->tension[at],
                    .turning = &c->turning[at],
                    .next = &c->next[3 * at],
                    .work = work,
                    .dt_s = dt_s,
                    .per_rod = 1 / c->setup.rod_m,
                    .number = block};
  climb(&k);
}
