/* Neighbours pulled together, and rods made as long as they are. */
#include "sim_octet.h"

#define TINY 1e-300 /* a distance of 0 pulls at nothing, and divides nothing */

/* A pair's two lanes find the same pull: what one gets, times its mass, the other gives. x: own places; other: the partners'. */
SIM_OCTET_FN void pull_lanes(sim_octet share, double weft_m, const sim_octet other[3], sim_octet x[3]) {
  sim_octet way[3];
  for (int i = 0; i < 3; i++) way[i] = other[i] - x[i];
  const sim_octet over = 1 - weft_m / sim_octet_root(sim_octet_dot(way, way) + TINY);
  const sim_octet pull = share * sim_octet_larger(over, sim_octet_all(0));
  for (int i = 0; i < 3; i++) x[i] += pull * way[i];
}

/* Pairs 1-2, 3-4 ... reach over to the blocks beside: `before` is what the one to the left was. */
SIM_OCTET_FN void pull_odd(const sim_curtain_block *b, double weft_m, const sim_octet *beyond, sim_octet before[3], sim_octet *x) {
  sim_octet other[3], was[3];
  for (int i = 0; i < 3; i++) {
    was[i] = x[i];
    const sim_octet right = sim_octet_from_right(x[i], beyond[i]), left = sim_octet_from_left(x[i], before[i]);
    other[i] = __builtin_shufflevector(left, right, 0, 9, 2, 11, 4, 13, 6, 15);
  }
  pull_lanes(b->odd, weft_m, other, x);
  for (int i = 0; i < 3; i++) before[i] = was[i];
}

SIM_WIDE static void pull_row(const sim_curtain *c, sim_octet *row) {
  const long stride = 3L * c->setup.nodes;
  const double weft_m = c->setup.weft_m;
  for (int b = 0; b < c->blocks; b++) {
    sim_octet *x = &row[b * stride], other[3];
    for (int i = 0; i < 3; i++) other[i] = __builtin_shufflevector(x[i], x[i], 1, 0, 3, 2, 5, 4, 7, 6);
    pull_lanes(c->block[b].even, weft_m, other, x);
  }
  sim_octet before[3] = {row[0], row[1], row[2]};
  for (int b = 0; b < c->blocks; b++) {
    sim_octet *x = &row[b * stride];
    pull_odd(&c->block[b], weft_m, b < c->blocks - 1 ? x + stride : x, before, x);
  }
}

void sim_curtain_pull(sim_curtain *c, int node) { pull_row(c, &c->next[3 * node]); }

SIM_WIDE static void straighten(sim_octet *x, int nodes, double rod_m) {
  sim_octet at[3] = {x[0], x[1], x[2]};
  for (int node = 1; node < nodes; node++) {
    sim_octet side[3], *own = &x[3 * node];
    for (int i = 0; i < 3; i++) side[i] = own[i] - at[i];
    const sim_octet scale = rod_m / sim_octet_root(sim_octet_dot(side, side));
    for (int i = 0; i < 3; i++) own[i] = at[i] += scale * side[i];
  }
}

void sim_curtain_straighten(sim_curtain *c, int block) {
  straighten(&c->next[3 * sim_curtain_at(c, block, 0)], c->setup.nodes, c->setup.rod_m);
}

SIM_WIDE static void arrive(sim_octet *x, sim_octet *v, const sim_octet *next, int n, double per_s) {
  for (int i = 0; i < n; i++) {
    v[i] = per_s * (next[i] - x[i]);
    x[i] = next[i];
  }
}

/* Places are found from the top down: one that is nowhere takes all below with it. */
bool sim_curtain_arrive(sim_curtain *c, int block, double dt_s) {
  const long at = 3 * sim_curtain_at(c, block, 0), end = at + 3L * c->setup.nodes;
  arrive(&c->x[at], &c->v[at], &c->next[at], 3 * c->setup.nodes, 1 / dt_s);
  double sum = 0;
  for (int i = 0; i < SIM_CURTAIN_LANES; i++) sum += c->v[end - 1][i] + c->v[end - 2][i] + c->v[end - 3][i];
  return isfinite(sum);
}

SIM_WIDE static double widest(const sim_curtain *c) {
  const long stride = 3L * c->setup.nodes;
  sim_octet most = sim_octet_all(0);
  for (int b = 0; b < c->blocks; b++)
    for (int node = 1; node < c->setup.nodes; node++) {
      const sim_octet *x = &c->x[b * stride + 3L * node], *beyond = b < c->blocks - 1 ? x + stride : x;
      sim_octet way[3];
      for (int i = 0; i < 3; i++) way[i] = c->block[b].right * (sim_octet_from_right(x[i], beyond[i]) - x[i]);
      most = sim_octet_larger(most, sim_octet_dot(way, way));
    }
  double out = 0;
  for (int i = 0; i < SIM_CURTAIN_LANES; i++) out = fmax(out, most[i]);
  return sqrt(out);
}

double sim_curtain_stretch(const sim_curtain *c) { return fmax(1, widest(c) / c->setup.weft_m); }
