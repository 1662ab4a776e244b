/* A step of eight columns (equation (1) of sim_curtain.h). With B the inverse of A = (m + c) 1 + P of the node below, c what h^2 b T/l adds
 * between neighbours, g = f + q, d the rod, r what d.(a - a_above) must be so that the rod keeps its length,
 *   s = d.Bd,  w = Bd/s,  B' = B - Bd w^T        (B' d = 0: what is across the rod)
 *   a = B'g + r w + w (d.a_above) + c B' a_above
 *   P_above = d d^T/s - c (d w^T + w d^T) + c (1 - c B'),   q_above = d (w.g - r/s) + c (B'g + r w)
 *   T = w.g - r/s + c r + c w.a_above - (d.a_above)/s
 * Without c these are the rods of a rigid chain, P_above = d d^T/s. */
#include <string.h>

#include "sim_octet.h"

#define STEADY 0.1  /* change of a square, per step, that is thought to go on: what jumps by more is noise, and would be doubled */
#define NEWMARK 0.5 /* b: a tension may double within a step before the fastest modes go wild, as they do below 1/4 */

typedef struct kernel {
  const sim_curtain *c;
  const sim_curtain_block *block;
  const sim_octet *x, *v, *left, *right; /* of this block; places in the ones beside it */
  sim_octet *tension, *turning, *next, *work;
  double dt_s, per_rod;
  int number;
} kernel;

/* What the nodes below answer a node: q - P a. */
typedef struct answer {
  sim_octet p[6], q[3];
} answer;

/* ---- forces ---- */

/* Normal of the surface at a node, four times as long as its area as the cloth stands. */
SIM_OCTET_FN void normal_of(const kernel *k, int node, sim_octet out[3]) {
  const int last = k->c->setup.nodes - 1, below = node < last ? node + 1 : node;
  sim_octet across[3], along[3];
  for (int i = 0; i < 3; i++) {
    const sim_octet x = k->x[3 * node + i];
    const sim_octet right = sim_octet_from_right(x, k->right[3 * node + i]), left = sim_octet_from_left(x, k->left[3 * node + i]);
    across[i] = k->block->right * (right - x) + k->block->left * (x - left);
    along[i] = k->x[3 * below + i] - k->x[3 * (node - 1) + i];
  }
  sim_octet_cross(across, along, out);
}

SIM_OCTET_FN void add_gust(const kernel *k, int node, sim_octet strength, sim_octet force[3]) {
  const sim_curtain_source *s = &k->c->source;
  const unsigned row = (unsigned)(node - s->row);
  const sim_octet *all = &k->c->gust[3L * SIM_CURTAIN_GUSTS * k->number];
  const sim_octet *a = &all[3L * (row % SIM_CURTAIN_GUSTS)], *b = &all[3L * ((row - 1) % SIM_CURTAIN_GUSTS)];
  for (int i = 0; i < 3; i++) force[i] += strength * (a[i] + s->between * (b[i] - a[i]));
}

SIM_OCTET_FN void add_wind(const kernel *k, int node, sim_octet area, sim_octet force[3]) {
  const sim_curtain_source *s = &k->c->source;
  sim_octet ray[3], normal[3], reach = sim_octet_all(0);
  for (int i = 0; i < 3; i++) {
    ray[i] = k->x[3 * node + i] - s->apex_m[i];
    reach += s->axis[i] * ray[i];
  }
  normal_of(k, node, normal);
  reach = sim_octet_larger(reach, sim_octet_all(s->apex_to_window_m)); /* behind the window: as in it */
  const sim_octet square = sim_octet_dot(ray, ray), length = sim_octet_root(square), share = s->apex_to_window_m / reach;
  const sim_octet off2 = square * share * share - s->apex_to_window_m * s->apex_to_window_m; /* B from the centre, squared */
  sim_octet open = (s->radius2_m2 - off2) * s->fade_per_m2;
  open = sim_octet_smaller(sim_octet_larger(open, sim_octet_all(0)), sim_octet_all(1));
  const sim_octet far = s->near_m / sim_octet_larger(length * (1 - share), sim_octet_all(s->near_m));
  for (int i = 0; i < s->falloff; i++) open *= far;
  const sim_octet per = 1 / length, straight = open * reach * per; /* direction.r */
  const sim_octet push = s->pressure_Pa / 4 * straight * sim_octet_size(sim_octet_dot(normal, ray)) * per * per;
  for (int i = 0; i < 3; i++) force[i] += push * ray[i];
  if (s->gust_kg_per_m_s2 > 0) add_gust(k, node, s->gust_kg_per_m_s2 * straight * area, force);
}

/* The spring of a hand, at the step's end: it adds to what the node has of inertia, too. */
SIM_OCTET_FN void add_hand(const kernel *k, int node, sim_octet *inertia, sim_octet force[3]) {
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
SIM_OCTET_FN sim_octet forces_on(const kernel *k, int node, sim_octet force[3]) {
  const sim_curtain_setup *s = &k->c->setup;
  const bool end = node == s->nodes - 1;
  const sim_octet area = end ? k->block->area_m2 / 2 : k->block->area_m2, mass = s->areal_density_kg_per_m2 * area;
  const sim_octet *v = &k->v[3L * node], least = sim_octet_all(s->air.threshold_m_per_s);
  const sim_octet speed = sim_octet_larger(sim_octet_root(sim_octet_dot(v, v)), least);
  const sim_octet drag = (end ? k->block->end_kg_per_m : k->block->drag_kg_per_m) * (speed + s->air.fast * (speed - least));
  for (int i = 0; i < 3; i++) force[i] = s->gravity_m_per_s2[i] * mass - drag * v[i];
  sim_octet inertia = mass + k->dt_s * drag;
  if (k->c->source.pressure_Pa > 0) add_wind(k, node, area, force);
  add_hand(k, node, &inertia, force);
  return inertia;
}

/* ---- up and down the columns ---- */

typedef struct link {
  sim_octet d[3], r, c; /* d: from the node above; c: inertia between its ends */
} link;

/* |l d + h (v - v_above)| = l. What is of second order, the square of v - v_above, changes once more as it did from the step
 * before: that it stood still would cost the step an order. */
SIM_OCTET_FN link rod_of(const kernel *k, int node) {
  const double h = k->dt_s, l = k->c->setup.rod_m;
  sim_octet turn[3];
  link out;
  for (int i = 0; i < 3; i++) {
    out.d[i] = k->per_rod * (k->x[3 * node + i] - k->x[3 * node - 3 + i]);
    turn[i] = k->v[3 * node + i] - k->v[3 * node - 3 + i];
  }
  const sim_octet square = sim_octet_dot(turn, turn), most = STEADY * square;
  const sim_octet change = sim_octet_smaller(sim_octet_larger(square - k->turning[node], -most), most), soon = square + change;
  k->turning[node] = square;
  out.r = -(h / (2 * l) * soon + sim_octet_dot(out.d, turn)) / h;
  out.c = NEWMARK * h * h / l * sim_octet_larger(k->tension[node], sim_octet_all(0));
  return out;
}

/* P_above. */
SIM_OCTET_FN void pass_on(const link *rod, const sim_octet w[3], const sim_octet s[6], sim_octet one, sim_octet p[6]) {
  static const int row[] = {0, 0, 0, 1, 1, 2}, column[] = {0, 1, 2, 1, 2, 2};
  for (int i = 0; i < 6; i++) {
    const int r = row[i], c = column[i];
    p[i] = rod->d[r] * rod->d[c] * one - rod->c * (rod->d[r] * w[c] + w[r] * rod->d[c] + s[i]);
    if (r == c) p[i] += rod->c;
  }
}

/* Keeps, per row: a when the node above is at rest, w, c B', T likewise, 1/s. */
SIM_OCTET_FN void row_up(const kernel *k, int node, answer *below) {
  const link rod = rod_of(k, node);
  sim_octet *keep = &k->work[(long)SIM_CURTAIN_WORK * node], *rest = keep, *w = keep + 3, *s = keep + 6;
  sim_octet g[3], b[6], bd[3];
  const sim_octet inertia = forces_on(k, node, g) + rod.c;
  for (int i = 0; i < 3; i++) g[i] += below->q[i];
  below->p[0] += inertia, below->p[3] += inertia, below->p[5] += inertia;
  sim_octet_invert(below->p, b);
  sim_octet_multiply(b, rod.d, bd);
  const sim_octet one = 1 / sim_octet_dot(rod.d, bd);
  for (int i = 0; i < 3; i++) w[i] = bd[i] * one;
  b[0] -= bd[0] * w[0], b[1] -= bd[0] * w[1], b[2] -= bd[0] * w[2];
  b[3] -= bd[1] * w[1], b[4] -= bd[1] * w[2], b[5] -= bd[2] * w[2];
  sim_octet_multiply(b, g, rest);
  const sim_octet along = sim_octet_dot(w, g) - rod.r * one;
  for (int i = 0; i < 3; i++) rest[i] += rod.r * w[i];
  for (int i = 0; i < 6; i++) s[i] = rod.c * b[i];
  keep[12] = along + rod.c * rod.r;
  keep[13] = one;
  for (int i = 0; i < 3; i++) below->q[i] = rod.d[i] * along + rod.c * rest[i];
  pass_on(&rod, w, s, one, below->p);
}

/* a, v: of the node above, then of this one. */
SIM_OCTET_FN void row_down(const kernel *k, int node, sim_octet a[3], sim_octet v[3]) {
  const double h = k->dt_s, l = k->c->setup.rod_m;
  const sim_octet *keep = &k->work[(long)SIM_CURTAIN_WORK * node], *rest = keep, *w = keep + 3, *s = keep + 6;
  const sim_octet c = NEWMARK * h * h / l * sim_octet_larger(k->tension[node], sim_octet_all(0));
  sim_octet side[3], carried[3];
  for (int i = 0; i < 3; i++) side[i] = k->x[3 * node + i] - k->x[3 * node - 3 + i];
  const sim_octet da = k->per_rod * sim_octet_dot(side, a);
  k->tension[node] = keep[12] + c * sim_octet_dot(w, a) - da * keep[13];
  sim_octet_multiply(s, a, carried);
  for (int i = 0; i < 3; i++) {
    a[i] = rest[i] + w[i] * da + carried[i];
    const sim_octet now = k->v[3 * node + i] + h * a[i];
    side[i] += h * (now - v[i]);
    v[i] = now;
  }
  const sim_octet scale = l / sim_octet_root(sim_octet_dot(side, side));
  for (int i = 0; i < 3; i++) k->next[3 * node + i] = k->next[3 * node - 3 + i] + scale * side[i];
}

CB_WIDE static void climb(const kernel *k) {
  const kernel own = *k;
  const int last = own.c->setup.nodes - 1;
  const sim_octet none = sim_octet_all(0);
  answer below = {{none, none, none, none, none, none}, {none, none, none}};
  sim_octet a[3] = {none, none, none}, v[3] = {none, none, none};
  for (int node = last; node > 0; node--) row_up(&own, node, &below);
  for (int i = 0; i < 3; i++) own.next[i] = own.x[i];
  for (int node = 1; node <= last; node++) row_down(&own, node, a, v);
}

void sim_curtain_column(sim_curtain *c, int block, double dt_s, sim_octet *work) {
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
