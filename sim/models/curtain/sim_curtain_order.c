/* Keeps the cloth from crossing itself: every step ends with a cloth that is a graph over a plane.
 *
 * a is the direction along which the columns are held, d a direction across it, both unit vectors. Let every
 * vertex be looked at in the plane of a and d. If there all edges across run towards +a, and all corners of
 * all cells between two columns turn the same way, and let the first and the last column run towards +d. Then
 * no line across the plane meets the cloth twice: a plane of constant a meets every row at most once, and
 * from row to row these points go towards +d; where the plane leaves the cloth at a side and comes back, the
 * side has gone towards +d. The cloth therefore does not cross itself. Folds stay a graph if their segments
 * run towards +a, too (sim_curtain_fold.c).
 *
 * With e the edge between the upper ends of two neighbouring rods, f between their lower ends, q and r the
 * rods, and [u, v] = u_a v_d - u_d v_a, the conditions of a cell are
 *   [e, q], [e, r], [f, q], [f, r] >= room l e_a,    f_a >= gap,    q_d >= room l at the sides           (3)
 * Rows are visited from the top down. In a row that breaks (3), rods are turned out of the edges above them,
 * and what neighbours move against each other is reduced until it holds. Equal rods along d always fulfil
 * (3), so the row has a way out. All rods keep their length.
 *
 * Correcting places adds to velocities, which are changes of places. A step with corrections ends with no
 * more kinetic energy than its columns had by themselves: all velocities are scaled.
 *
 * d follows the cloth: it is turned around a towards the middle of all directions that rods want to have. */
#include <math.h>

#include "sim_f64x8.h"
#include "sim_vec.h"

#define LANES SIM_CURTAIN_LANES
#define ROOM 0.01  /* of (3) */
#define SPARE 2    /* times the room is made where there is too little, so that rounding does not matter */
#define ROUNDS 6   /* of corrections of a row, before all its rods are turned towards d */
#define STEEP 10.0 /* the greatest slope of a rod against d that d follows */
#define LAG 0.2    /* share of the way that d goes in a step */
#define TURNS 40   /* a row is corrected and led out of bodies in turn, and ends corrected */

/* Directions of a step: along the rod, down, out. */
typedef struct frame {
  double a[3], d[3], n[3];
} frame;

static frame frame_of(const sim_curtain *c) {
  frame f;
  for (int k = 0; k < 3; k++) {
    f.a[k] = c->order.a[k];
    f.d[k] = c->order.facing[0] * c->order.d[k] + c->order.facing[1] * c->order.n[k];
    f.n[k] = c->order.facing[0] * c->order.n[k] - c->order.facing[1] * c->order.d[k];
  }
  return f;
}

void sim_curtain_outward(const sim_curtain *c, double out[3]) {
  const frame f = frame_of(c);
  for (int k = 0; k < 3; k++) out[k] = f.n[k];
}

/* ---- a row, eight columns at once ---- */

SIM_F64X8_FN sim_f64x8 along(const sim_f64x8 x[3], const double d[3]) {
  return d[0] * x[0] + d[1] * x[1] + d[2] * x[2];
}

/* Places in the plane, [block][2]: of the row above, of this one. */
typedef struct rows {
  sim_f64x8 *up, *low;
  sim_f64x8 least, most; /* slopes that the rods want */
  bool moved;            /* a row above was corrected */
} rows;

SIM_F64X8_FN void look_at(const sim_curtain *c, const frame *f, int node, sim_f64x8 *to) {
  for (int b = 0; b < c->blocks; b++) {
    const sim_f64x8 *x = &c->next[3 * sim_curtain_at(c, b, node)];
    to[2L * b] = along(x, f->a);
    to[2L * b + 1] = along(x, f->d);
  }
}

SIM_F64X8_FN void straighten_row(sim_curtain *c, int node) {
  for (int b = 0; b < c->blocks; b++) {
    sim_f64x8 *x = &c->next[3 * sim_curtain_at(c, b, node)], side[3];
    for (int i = 0; i < 3; i++) side[i] = x[i] - x[i - 3];
    const sim_f64x8 scale = c->setup.rod_m / sim_f64x8_root(sim_f64x8_dot(side, side));
    for (int i = 0; i < 3; i++) x[i] = x[i - 3] + scale * side[i];
  }
}

SIM_F64X8_FN void note_slopes(const sim_curtain *c, const frame *f, int node, rows *r) {
  const sim_f64x8 steep = sim_f64x8_all(STEEP), low = sim_f64x8_all(1e-3 * c->setup.rod_m);
  for (int b = 0; b < c->blocks; b++) {
    const sim_f64x8 *x = &c->next[3 * sim_curtain_at(c, b, node)];
    const sim_f64x8 drawn = sim_f64x8_larger(c->block[b].left, c->block[b].right);
    sim_f64x8 side[3];
    for (int i = 0; i < 3; i++) side[i] = x[i] - x[i - 3];
    const sim_f64x8 t = drawn * along(side, f->n) / sim_f64x8_larger(along(side, f->d), low);
    r->least = sim_f64x8_smaller(r->least, sim_f64x8_larger(t, -steep));
    r->most = sim_f64x8_larger(r->most, sim_f64x8_smaller(t, steep));
  }
}

/* What is left of the least of (3) in the cells to the right of eight columns, and at the sides: < 0 where it
 * is broken. */
SIM_F64X8_FN sim_f64x8 left_over(const sim_curtain *c, const rows *r, int b) {
  const int beyond = b < c->blocks - 1 ? b + 1 : b;
  const sim_f64x8 *u = &r->up[2L * b], *ub = &r->up[2L * beyond], *w = &r->low[2L * b],
                  *wb = &r->low[2L * beyond];
  sim_f64x8 e[2], f[2], q[2], right[2];
  for (int i = 0; i < 2; i++) {
    const sim_f64x8 ur = sim_f64x8_halves_from_right(u[i], ub[i]),
                    wr = sim_f64x8_halves_from_right(w[i], wb[i]);
    e[i] = ur - u[i], f[i] = wr - w[i], q[i] = w[i] - u[i], right[i] = wr - ur;
  }
  const sim_f64x8 first = sim_f64x8_smaller(e[0] * q[1] - e[1] * q[0], e[0] * right[1] - e[1] * right[0]);
  const sim_f64x8 second = sim_f64x8_smaller(f[0] * q[1] - f[1] * q[0], f[0] * right[1] - f[1] * right[0]);
  const sim_f64x8 turn = sim_f64x8_smaller(first, second) - ROOM * c->setup.rod_m * e[0];
  const sim_f64x8 none = sim_f64x8_all(0), cell = sim_f64x8_smaller(turn, f[0] - c->order.gap_m);
  const sim_f64x8 *left = &c->block[b].left, *has_right = &c->block[b].right;
  const sim_f64x8 inner = *left * *has_right, drawn = sim_f64x8_larger(*left, *has_right);
  const sim_f64x8 side = sim_f64x8_where(drawn, inner, q[1] - ROOM * c->setup.rod_m, none);
  return sim_f64x8_smaller(sim_f64x8_where(*has_right, none, cell, none), side);
}

/* Whether a row breaks (3) somewhere. */
CB_WIDE static bool look_at_row(sim_curtain *c, const frame *f, int node, rows *r, bool last) {
  sim_f64x8_bits broken = {0};
  if (r->moved) straighten_row(c, node);
  if (last) note_slopes(c, f, node, r);
  look_at(c, f, node, r->low);
  for (int b = 0; b < c->blocks; b++) broken |= (sim_f64x8_bits)left_over(c, r, b);
  uint64_t any = 0;
  for (int l = 0; l < LANES; l++) any |= broken[l];
  return any >> 63; /* the sign */
}

CB_WIDE static void look_again(const sim_curtain *c, const frame *f, int node, sim_f64x8 *to) {
  look_at(c, f, node, to);
}

/* ---- a row that breaks (3) ---- */

static double turn_of(const double u[2], const double v[2]) { return u[0] * v[1] - u[1] * v[0]; }

/* A rod that has too little room beside an edge above it is turned away, by the shortest way. */
static void turn_from(const double e[2], double room_m, double q[3]) {
  const double slope = e[1] / e[0], lack = room_m + slope * q[0] - q[1];
  if (!(lack > 0)) return;
  const double way = lack / (1 + slope * slope);
  q[0] -= way * slope;
  q[1] += way;
}

static void restore_length(double rod_m, double q[3]) {
  const double scale = rod_m / sim_norm(q);
  for (int k = 0; k < 3; k++) q[k] *= scale;
}

/* The share of a motion for which there is room; 0 where there is none, also for no motion. */
static double share_of(double room, double motion) { return motion == 0 ? 0 : fmax(0, room / motion); }

/* Takes from two rods what they move against each other beyond (3). The heavier one moves less. */
static void keep_apart(const sim_curtain *c, int column, double room_m, double gap_m) {
  const double *e = c->order.edge[column], *u = &c->lightness[column];
  double *q = c->order.rod[column], *r = c->order.rod[column + 1];
  const double closing = turn_of(q, r), nearing = q[0] - r[0];
  const double space = fmin(turn_of(e, q), turn_of(e, r)) - room_m * e[0];
  double keep = 1;
  if (closing > space) keep = share_of(space, closing);
  if (nearing > e[0] - gap_m) keep = fmin(keep, share_of(e[0] - gap_m, nearing));
  for (int k = 0; k < 2 && keep < 1; k++) {
    const double less = (1 - keep) * (r[k] - q[k]) / (u[0] + u[1]);
    q[k] += u[0] * less;
    r[k] -= u[1] * less;
  }
}

static bool is_apart(const sim_curtain *c, int column) {
  const double *e = c->order.edge[column], *q = c->order.rod[column], *r = c->order.rod[column + 1],
               room = ROOM * c->setup.rod_m * e[0];
  const double f[2] = {e[0] + r[0] - q[0], e[1] + r[1] - q[1]};
  return turn_of(e, q) >= room && turn_of(e, r) >= room && turn_of(f, q) >= room && turn_of(f, r) >= room &&
         f[0] >= c->order.gap_m;
}

static bool is_row_apart(const sim_curtain *c) {
  const double low = ROOM * c->setup.rod_m;
  if (c->order.rod[0][1] < low || c->order.rod[c->setup.columns - 1][1] < low) return false;
  for (int i = 0; i < c->setup.columns - 1; i++)
    if (!is_apart(c, i)) return false;
  return true;
}

static void correct_rods(const sim_curtain *c, int round) {
  const int n = c->setup.columns;
  const double l = c->setup.rod_m, room = SPARE * ROOM * l;
  double(*rod)[3] = c->order.rod;
  static const double level[2] = {1, 0};
  for (int i = 0; i < n; i++) {
    turn_from(i > 0 ? c->order.edge[i - 1] : level, room, rod[i]);
    turn_from(i < n - 1 ? c->order.edge[i] : level, room, rod[i]);
    restore_length(l, rod[i]);
  }
  for (int i = 0; i < n - 1; i++) keep_apart(c, round % 2 ? n - 2 - i : i, room, SPARE * c->order.gap_m);
  for (int i = 0; i < n; i++) restore_length(l, rod[i]);
}

/* Turns all rods towards d, in the end all the way, which fulfils (3). */
static void turn_down(const sim_curtain *c, double share) {
  for (int i = 0; i < c->setup.columns; i++) {
    double *q = c->order.rod[i];
    for (int k = 0; k < 3; k++) q[k] *= 1 - share;
    q[1] += share * c->setup.rod_m;
    restore_length(c->setup.rod_m, q);
  }
}

static void take_rods(const sim_curtain *c, const frame *f, int node, const sim_f64x8 *up) {
  for (int i = 0; i < c->setup.columns; i++) {
    const int b = i / LANES, l = i % LANES;
    const sim_f64x8 *x = &c->next[3 * sim_curtain_at(c, b, node)];
    const double side[3] = {x[0][l] - x[-3][l], x[1][l] - x[-2][l], x[2][l] - x[-1][l]};
    c->order.rod[i][0] = sim_dot(side, f->a);
    c->order.rod[i][1] = sim_dot(side, f->d);
    c->order.rod[i][2] = sim_dot(side, f->n);
    if (i == c->setup.columns - 1) continue;
    const int br = (i + 1) / LANES, lr = (i + 1) % LANES;
    for (int k = 0; k < 2; k++) c->order.edge[i][k] = up[2L * br + k][lr] - up[2L * b + k][l];
  }
}

static void put_rods(const sim_curtain *c, const frame *f, int node) {
  for (int i = 0; i < c->setup.columns; i++) {
    const double *q = c->order.rod[i];
    const int l = i % LANES;
    sim_f64x8 *x = &c->next[3 * sim_curtain_at(c, i / LANES, node)];
    for (int k = 0; k < 3; k++) x[k][l] = x[k - 3][l] + q[0] * f->a[k] + q[1] * f->d[k] + q[2] * f->n[k];
  }
}

static void correct_row(const sim_curtain *c, const frame *f, int node, const sim_f64x8 *up) {
  bool apart = false;
  take_rods(c, f, node, up);
  for (int round = 0; round < ROUNDS && !apart; round++) {
    correct_rods(c, round);
    apart = is_row_apart(c);
  }
  for (double share = 0.125; !apart && share <= 1; share *= 2) {
    turn_down(c, share);
    apart = is_row_apart(c);
  }
  put_rods(c, f, node);
}

/* ---- all rows ---- */

/* d goes some of the way to the middle of the directions that the rods want. */
static void follow(sim_curtain *c, const rows *r) {
  double least = 0, most = 0;
  for (int l = 0; l < LANES; l++) {
    least = fmin(least, r->least[l]);
    most = fmax(most, r->most[l]);
  }
  const double a = 1 / sqrt(1 + least * least), b = 1 / sqrt(1 + most * most), down = a + b,
               out = a * least + b * most, share = LAG / sqrt(down * down + out * out);
  c->order.wish[0] = 1 - LAG + share * down;
  c->order.wish[1] = share * out;
}

void sim_curtain_face(sim_curtain *c) {
  double *f = c->order.facing;
  const double *w = c->order.wish, down = f[0] * w[0] - f[1] * w[1], out = f[0] * w[1] + f[1] * w[0],
               length = sqrt(down * down + out * out);
  f[0] = down / length;
  f[1] = out / length;
}

CB_WIDE double sim_curtain_motion(const sim_curtain *c) {
  sim_f64x8 sum = sim_f64x8_all(0);
  for (int b = 0; b < c->blocks; b++) {
    sim_f64x8 own = sum - sum, square = own;
    for (int node = 1; node < c->setup.nodes; node++) {
      const long at = 3 * sim_curtain_at(c, b, node);
      own += square;
      square = own - own;
      for (int i = 0; i < 3; i++)
        square += (c->next[at + i] - c->x[at + i]) * (c->next[at + i] - c->x[at + i]);
    }
    own += square / 2; /* the last node has half of the mass */
    sum += c->block[b].area_m2 * sim_f64x8_larger(c->block[b].left, c->block[b].right) * own;
  }
  double total = 0;
  for (int l = 0; l < LANES; l++) total += sum[l];
  return total;
}

int sim_curtain_order(sim_curtain *c, double dt_s, bool last) {
  int corrected = 0;
  const frame f = frame_of(c);
  rows r = {.up = c->order.row, .low = c->order.row + 2L * c->blocks};
  r.least = r.most = sim_f64x8_all(0);
  look_again(c, &f, 0, r.up);
  for (int node = 1; node < c->setup.nodes; node++) {
    if (r.moved) (void)sim_curtain_lead_row(c, dt_s, node);
    const bool broken = look_at_row(c, &f, node, &r, last);
    corrected += broken;
    for (int k = 0; broken; k++) {
      correct_row(c, &f, node, r.up);
      if (k == TURNS || sim_curtain_lead_row(c, dt_s, node) == 0) break;
    }
    if (broken) look_again(c, &f, node, r.low);
    r.moved = r.moved || broken;
    sim_f64x8 *up = r.up;
    r.up = r.low;
    r.low = up;
  }
  if (last) follow(c, &r);
  return corrected;
}

cb_status sim_curtain_order_init(sim_curtain *c, cb_err *err) {
  const sim_curtain_setup *s = &c->setup;
  sim_curtain_ordering *o = &c->order;
  const double across = sim_norm(s->across);
  for (int k = 0; k < 3; k++) o->a[k] = s->across[k] / across, o->d[k] = s->down[k];
  sim_add(o->d, -sim_dot(o->a, o->d), o->a);
  const double down = sim_norm(o->d);
  if (!(s->spacing_m > 0) || !(down > 1e-6))
    return cb_fail(err, CB_E_RANGE,
                   "curtain: spacing %g m, sine of the angle between `across` and `down` %g: self-collision "
                   "needs both to be > 0",
                   s->spacing_m, down);
  for (int k = 0; k < 3; k++) o->d[k] /= down;
  sim_cross(o->a, o->d, o->n);
  o->facing[0] = o->wish[0] = 1;
  o->gap_m = fmin(s->thickness_m, s->spacing_m / 4);
  return CB_OK;
}
