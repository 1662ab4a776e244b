/* Neighbours pulled together, and rods made as long as they are. */
#include <string.h>

#include "sim_f64x8.h"

#define NEARLY                                                                                       \
  2e-3 /* of the cloth's width: an edge that is slack by less counts as taut, as it will be when its \
          neighbours are pulled */
#define TRACE                                                                                             \
  1e-12 /* of it: so much is left of a pull when a step begins; the edge counts as taut until it would be \
           pushed */
#define TINY 1e-300 /* a distance of 0 pulls at nothing, and divides nothing */

/* A row's neighbours that are too far apart, all at once: with e the edge from i to i + 1, n_e along it (0
 * where it is slack), c_e what it is too long by, u_i the inverse masses (over that of a whole column), x_i
 * += u_i (t_i n_i - t_i-1 n_i-1),   (u_i + u_i+1) t_e - u_i n_e-1.n_e t_e-1 - u_i+1 n_e.n_e+1 t_e+1 = c_e
 * which keeps the row's momentum and is tridiagonal. An edge that was pulled in a round before may be let out
 * again, but none is ever pushed: where it would be, on the way back through the elimination, it is left out
 * (M. Brennan, E. Schwartz, J. Finance 32:449, 1977). Eight rows side by side. */
typedef struct edge {
  sim_f64x8 n[3], back, pull; /* of the elimination: t_e = pull - back t_e+1 */
} edge;

/* 0 where it is slack and was not pulled. */
SIM_F64X8_FN void taut_edge(const sim_f64x8 *x, double weft_m, sim_f64x8 so_far, sim_f64x8 n[3],
                            sim_f64x8 *over) {
  for (int i = 0; i < 3; i++) n[i] = x[3 + i] - x[i];
  const sim_f64x8 length = sim_f64x8_root(sim_f64x8_dot(n, n) + TINY), none = sim_f64x8_all(0);
  const sim_f64x8 apart = length - weft_m,
                  taut = sim_f64x8_where(so_far, none, length, apart + NEARLY * weft_m); /* > 0 */
  const sim_f64x8 one = sim_f64x8_where(taut, none, 1 / length, none);
  *over = sim_f64x8_where(taut, none, apart, none);
  for (int i = 0; i < 3; i++) n[i] *= one;
}

SIM_F64X8_FN void eliminate_edge(const sim_f64x8 *x, const sim_f64x8 *so_far, edge *e, const double *u,
                                 int columns, double weft_m) {
  const sim_f64x8 none = sim_f64x8_all(0);
  sim_f64x8 n[3] = {none, none, none}, one = none, pull = none;
  for (int c = 0; c < columns - 1; c++) {
    sim_f64x8 over;
    taut_edge(&x[3L * c], weft_m, so_far[c], e[c].n, &over);
    const sim_f64x8 side = -u[c] * sim_f64x8_dot(n, e[c].n), back = side * one;
    if (c > 0) e[c - 1].back = back;
    one = 1 / (u[c] + u[c + 1] - side * back);
    pull = e[c].pull = (over - side * pull) * one;
    for (int i = 0; i < 3; i++) n[i] = e[c].n[i];
  }
  e[columns - 2].back = none;
}

SIM_F64X8_FN void pull_rows(sim_f64x8 *x, sim_f64x8 *so_far, edge *e, const double *u, int columns,
                            double weft_m) {
  sim_f64x8 t = sim_f64x8_all(0), right[3] = {t, t, t};
  eliminate_edge(x, so_far, e, u, columns, weft_m);
  for (int c = columns - 2; c >= 0; c--) {
    t = sim_f64x8_larger(e[c].pull - e[c].back * t, -so_far[c]);
    so_far[c] += t;
    for (int i = 0; i < 3; i++) {
      const sim_f64x8 way = t * e[c].n[i];
      x[3 * c + 3 + i] += u[c + 1] * (right[i] - way);
      right[i] = way;
    }
  }
  for (int i = 0; i < 3; i++) x[i] += u[0] * right[i];
}

/* Four rows of four, rows for columns: half a vector at a time, which AVX2 has instructions for. */
SIM_F64X8_FN void transpose_four(const double *const from[4], double *const to[4]) {
  sim_f64x4 r[4], t[4];
  for (int i = 0; i < 4; i++) memcpy(&r[i], from[i], sizeof r[i]);
  for (int i = 0; i < 4; i += 2) {
    t[i] = __builtin_shufflevector(r[i], r[i + 1], 0, 4, 2, 6);
    t[i + 1] = __builtin_shufflevector(r[i], r[i + 1], 1, 5, 3, 7);
  }
  for (int i = 0; i < 2; i++) {
    r[i] = __builtin_shufflevector(t[i], t[i + 2], 0, 1, 4, 5);
    r[i + 2] = __builtin_shufflevector(t[i], t[i + 2], 2, 3, 6, 7);
  }
  for (int i = 0; i < 4; i++) memcpy(to[i], &r[i], sizeof r[i]);
}

/* Eight rows of eight, rows for columns. */
SIM_F64X8_FN void transpose_lanes(const sim_f64x8 *const from[8], sim_f64x8 *const to[8]) {
  for (int a = 0; a < 8; a += 4)
    for (int b = 0; b < 8; b += 4) {
      const double *in[4];
      double *out[4];
      for (int i = 0; i < 4; i++) {
        in[i] = (const double *)from[a + i] + b;
        out[i] = (double *)to[b + i] + a;
      }
      transpose_four(in, out);
    }
}

/* Eight rows of `next` from a node on, as vectors of eight of rows: [column][3]. Rows beyond the last stand
 * for the last. */
SIM_F64X8_FN void rows_of(const sim_curtain *c, int node, sim_f64x8 *x) {
  const int nodes = c->setup.nodes;
  for (int b = 0; b < c->blocks; b++)
    for (int i = 0; i < 3; i++) {
      const sim_f64x8 *at = &c->next[3 * sim_curtain_at(c, b, 0) + i], *from[SIM_CURTAIN_LANES];
      sim_f64x8 *to[SIM_CURTAIN_LANES];
      for (long l = 0; l < SIM_CURTAIN_LANES; l++) {
        from[l] = &at[3 * (node + l < nodes ? node + l : nodes - 1)];
        to[l] = &x[3 * (SIM_CURTAIN_LANES * (long)b + l) + i];
      }
      transpose_lanes(from, to);
    }
}

SIM_F64X8_FN void rows_back(const sim_curtain *c, int node, const sim_f64x8 *x) {
  const int nodes = c->setup.nodes;
  for (int b = 0; b < c->blocks; b++)
    for (int i = 0; i < 3; i++) {
      sim_f64x8 beyond, *at = &c->next[3 * sim_curtain_at(c, b, node) + i], *to[SIM_CURTAIN_LANES];
      const sim_f64x8 *from[SIM_CURTAIN_LANES];
      for (long l = 0; l < SIM_CURTAIN_LANES; l++) {
        from[l] = &x[3 * (SIM_CURTAIN_LANES * (long)b + l) + i];
        to[l] = node + l < nodes ? &at[3 * l] : &beyond;
      }
      transpose_lanes(from, to);
    }
}

CB_WIDE static void pull(const sim_curtain *c, int node, bool first, sim_f64x8 *so_far, sim_f64x8 *work) {
  const int columns = c->setup.columns;
  edge *e = (edge *)(work + 3L * SIM_CURTAIN_LANES * c->blocks);
  const sim_f64x8 trace = sim_f64x8_all(TRACE * c->setup.weft_m);
  for (int i = 0; first && i < columns; i++) so_far[i] = sim_f64x8_smaller(so_far[i], trace);
  rows_of(c, node, work);
  pull_rows(work, so_far, e, c->lightness, columns, c->setup.weft_m);
  rows_back(c, node, work);
}

void sim_curtain_pull(sim_curtain *c, int eight, bool first, sim_f64x8 *work) {
  pull(c, 1 + eight * SIM_CURTAIN_LANES, first, &c->pulled[(long)eight * c->setup.columns], work);
}

CB_WIDE static void straighten(sim_f64x8 *x, int nodes, double rod_m) {
  sim_f64x8 at[3] = {x[0], x[1], x[2]};
  for (int node = 1; node < nodes; node++) {
    sim_f64x8 side[3], *own = &x[3L * node];
    for (int i = 0; i < 3; i++) side[i] = own[i] - at[i];
    const sim_f64x8 scale = rod_m / sim_f64x8_root(sim_f64x8_dot(side, side));
    for (int i = 0; i < 3; i++) own[i] = at[i] += scale * side[i];
  }
}

void sim_curtain_straighten(sim_curtain *c, int block) {
  straighten(&c->next[3 * sim_curtain_at(c, block, 0)], c->setup.nodes, c->setup.rod_m);
}

CB_WIDE static void arrive(sim_f64x8 *x, sim_f64x8 *v, const sim_f64x8 *next, int n, double per_s) {
  for (int i = 0; i < n; i++) {
    v[i] = per_s * (next[i] - x[i]);
    x[i] = next[i];
  }
}

/* Places are found from the top down: one that is nowhere takes all below with it. */
bool sim_curtain_arrive(sim_curtain *c, int block, double dt_s, double share) {
  const long at = 3 * sim_curtain_at(c, block, 0), end = at + 3L * c->setup.nodes;
  arrive(&c->x[at], &c->v[at], &c->next[at], 3 * c->setup.nodes, share / dt_s);
  double sum = 0;
  for (int i = 0; i < SIM_CURTAIN_LANES; i++) sum += c->v[end - 1][i] + c->v[end - 2][i] + c->v[end - 3][i];
  return isfinite(sum);
}

CB_WIDE static double widest(const sim_curtain *c) {
  const long stride = 3L * c->setup.nodes;
  sim_f64x8 most = sim_f64x8_all(0);
  for (int b = 0; b < c->blocks; b++)
    for (int node = 1; node < c->setup.nodes; node++) {
      const sim_f64x8 *x = &c->x[b * stride + 3L * node], *beyond = b < c->blocks - 1 ? x + stride : x;
      sim_f64x8 way[3];
      for (int i = 0; i < 3; i++) way[i] = c->block[b].right * (sim_f64x8_from_right(x[i], beyond[i]) - x[i]);
      most = sim_f64x8_larger(most, sim_f64x8_dot(way, way));
    }
  double out = 0;
  for (int i = 0; i < SIM_CURTAIN_LANES; i++) out = fmax(out, most[i]);
  return sqrt(out);
}

double sim_curtain_stretch(const sim_curtain *c) { return fmax(1, widest(c) / c->setup.weft_m); }
