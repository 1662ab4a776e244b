/* The pattern is a T that lies flat, cut along the armholes. Front and back are its trunk, with two
 * necklines. A sleeve is one arm of the T, folded open at its upper edge. So the T lies flat without strain,
 * and all that is sewn together has equal lengths. The right half of the T, x to the right and z upwards as
 * on the mannequin:
 *
 *            N-__
 *     neck  /     S---___
 *     _____/     (        ---- cuff, upper end C
 *               (             /
 *     armhole   U-----___    /
 *               |         -- B
 *        side   |
 *     __________H  hem
 *
 * Each panel is a grid between four lines (a Coons patch), each square cut along one diagonal and the other
 * in turn. What stands in one place is sewn. */
#include "sim_limit_pattern.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_vec.h"

#define SAME_M 1e-7         /* places of one vertex */
#define BULGES_WITHIN_M 0.2 /* of the nearest seam or fold */

typedef double vec2[2];

/* A line of the pattern: a parabola from one end to the other, with its control point. */
typedef struct line {
  vec2 from, over, to;
} line;

/* metres; NECK: front, back */
static const line SIDE = {{0.28, 0.02}, {0.28, 0.17}, {0.28, 0.32}}, /* H to U */
    ARMHOLE = {{0.28, 0.32}, {0.215, 0.37}, {0.215, 0.579}},         /* U to S */
    SHOULDER = {{0.215, 0.579}, {0.165, 0.60235}, {0.115, 0.6257}},  /* S to N */
    UPPER = {{0.215, 0.579}, {0.3215, 0.52935}, {0.428, 0.4797}},    /* S to C */
    UNDER = {{0.28, 0.32}, {0.31595, 0.3183}, {0.3519, 0.3166}},     /* U to B */
    NECK[2] = {{{0.115, 0.6257}, {0, 0.455}, {-0.115, 0.6257}},
               {{0.115, 0.6257}, {0, 0.585}, {-0.115, 0.6257}}};

static void on_line(const line *l, double t, vec2 out) {
  for (int k = 0; k < 2; k++)
    out[k] = (1 - t) * (1 - t) * l->from[k] + 2 * t * (1 - t) * l->over[k] + t * t * l->to[k];
}

static double length_of(const line *l) {
  enum { PARTS = 64 };
  double sum = 0;
  vec2 a, b;
  for (int k = 0; k < PARTS; k++) {
    on_line(l, (double)k / PARTS, a);
    on_line(l, (k + 1.0) / PARTS, b);
    sum += hypot(b[0] - a[0], b[1] - a[1]);
  }
  return sum;
}

static int edges_on(const line *l, double edge_m) { return (int)fmax(1, round(length_of(l) / edge_m)); }

sim_limit_seams sim_limit_pattern_seams(double edge_m) {
  return (sim_limit_seams){.side = edges_on(&SIDE, edge_m),
                           .armhole = edges_on(&ARMHOLE, edge_m),
                           .shoulder = edges_on(&SHOULDER, edge_m),
                           .neck = (edges_on(&NECK[0], edge_m) + edges_on(&NECK[1], edge_m) + 3) / 4,
                           .sleeve = (edges_on(&UPPER, edge_m) + edges_on(&UNDER, edge_m) + 1) / 2};
}

/* ---- areas ---- */

static double cross2(const vec2 a, const vec2 b) { return a[0] * b[1] - a[1] * b[0]; }

/* Twice the area between a line and the origin: that of the chord, and two thirds of the triangle of the
 * control point. */
static double swept(const line *l) {
  const vec2 over = {l->over[0] - l->from[0], l->over[1] - l->from[1]},
             to = {l->to[0] - l->from[0], l->to[1] - l->from[1]};
  return cross2(l->from, l->to) + 2.0 / 3 * cross2(over, to);
}

double sim_limit_pattern_area_m2(void) {
  const vec2 hem[2] = {{-SIDE.from[0], SIDE.from[1]}, {SIDE.from[0], SIDE.from[1]}};
  const double right = swept(&SIDE) + swept(&ARMHOLE) + swept(&SHOULDER); /* the left half sweeps as much */
  const double sleeve = swept(&ARMHOLE) + swept(&UPPER) + cross2(UPPER.to, UNDER.to) - swept(&UNDER);
  double trunks = 0;
  for (int back = 0; back < 2; back++)
    trunks += (cross2(hem[0], hem[1]) + 2 * right + swept(&NECK[back])) / 2;
  return trunks + 4 * fabs(sleeve) / 2;
}

/* ---- triangles ---- */

/* Panels so far, not sewn yet. */
typedef struct draft {
  int n_vertices, n_triangles;
  vec2 *flat; /* warp, weft */
  double (*x)[3];
  bool *border;
  int (*triangle)[3];
} draft;

static double segment_distance(const line *l, const vec2 p) {
  const vec2 along = {l->to[0] - l->from[0], l->to[1] - l->from[1]},
             from = {p[0] - l->from[0], p[1] - l->from[1]};
  const double t = fmin(
      fmax((along[0] * from[0] + along[1] * from[1]) / (along[0] * along[0] + along[1] * along[1]), 0), 1);
  return hypot(from[0] - t * along[0], from[1] - t * along[1]);
}

/* From a place of the T, with the half that it belongs to, into space. */
static void put_in_space(const vec2 p, bool back, double x[3]) {
  static const line *const closed[] = {&SIDE, &SHOULDER, &UPPER, &UNDER};
  const vec2 right = {fabs(p[0]), p[1]};
  double away = BULGES_WITHIN_M;
  for (size_t k = 0; k < sizeof closed / sizeof *closed; k++)
    away = fmin(away, segment_distance(closed[k], right));
  const double bulge = SIM_PATTERN_BULGE_M * sin(acos(0) * away / BULGES_WITHIN_M);
  x[0] = p[0];
  x[1] = back ? bulge : -bulge;
  x[2] = p[1];
}

/* The four lines of a panel: sides[0] and [1] along the grid's rows, lower and upper; [2] and [3] along its
 * columns, left and right. */
typedef struct grid {
  int columns, rows;
  vec2 *side[4];
} grid;

static cb_status new_grid(int columns, int rows, grid *out, cb_err *err) {
  const size_t n[4] = {(size_t)columns + 1, (size_t)columns + 1, (size_t)rows + 1, (size_t)rows + 1};
  *out = (grid){.columns = columns, .rows = rows};
  vec2 *all = malloc((n[0] + n[1] + n[2] + n[3]) * sizeof *all);
  if (!all) return cb_no_memory(err, "pattern of a shirt");
  for (size_t k = 0; k < 4; all += n[k++]) out->side[k] = all;
  return CB_OK;
}

static void between(const grid *g, int i, int j, vec2 out) {
  const double s = (double)i / g->columns, t = (double)j / g->rows;
  vec2 *a = g->side[0], *b = g->side[1];
  for (int k = 0; k < 2; k++)
    out[k] = (1 - t) * a[i][k] + t * b[i][k] + (1 - s) * g->side[2][j][k] + s * g->side[3][j][k] -
             (1 - t) * ((1 - s) * a[0][k] + s * a[g->columns][k]) -
             t * ((1 - s) * b[0][k] + s * b[g->columns][k]);
}

/* Where a place of a panel's grid is in the cloth and in space. */
typedef struct panel {
  bool sleeve, back, left;
} panel;

/* Axes of the right sleeve: along its fold, and away from it into the front. */
static void sleeve_axes(vec2 along, vec2 away) {
  const double length = hypot(UPPER.to[0] - UPPER.from[0], UPPER.to[1] - UPPER.from[1]);
  for (int k = 0; k < 2; k++) along[k] = (UPPER.to[k] - UPPER.from[k]) / length;
  away[0] = along[1];
  away[1] = -along[0];
}

static void put_vertex(const panel *p, const vec2 at, bool border, draft *d) {
  vec2 place = {at[0], at[1]}, *flat = &d->flat[d->n_vertices];
  bool back = p->back;
  if (p->sleeve) {
    vec2 along, away;
    sleeve_axes(along, away);
    for (int k = 0; k < 2; k++) place[k] = UPPER.from[k] + at[0] * along[k] + fabs(at[1]) * away[k];
    back = at[1] > 0;
    (*flat)[0] = at[0];
    (*flat)[1] = p->left ? -at[1] : at[1];
  } else {
    (*flat)[0] = at[1];
    (*flat)[1] = p->back ? at[0] : -at[0];
  }
  if (p->left) place[0] = -place[0];
  put_in_space(place, back, d->x[d->n_vertices]);
  d->border[d->n_vertices++] = border;
}

/* Counter-clockwise in the cloth. */
static void put_triangle(int a, int b, int c, draft *d) {
  vec2 *f = d->flat;
  const vec2 ab = {f[b][0] - f[a][0], f[b][1] - f[a][1]}, ac = {f[c][0] - f[a][0], f[c][1] - f[a][1]};
  const bool turned = cross2(ab, ac) < 0;
  memcpy(d->triangle[d->n_triangles++], ((int[3]){a, turned ? c : b, turned ? b : c}), sizeof *d->triangle);
}

static void put_panel(const panel *p, const grid *g, draft *d) {
  const int first = d->n_vertices, row = g->columns + 1;
  for (int j = 0; j <= g->rows; j++)
    for (int i = 0; i <= g->columns; i++) {
      vec2 at;
      between(g, i, j, at);
      put_vertex(p, at, i == 0 || j == 0 || i == g->columns || j == g->rows, d);
    }
  for (int j = 0; j < g->rows; j++)
    for (int i = 0; i < g->columns; i++) {
      const int a = first + j * row + i, corner[4] = {a, a + 1, a + 1 + row, a + row}, k = (i + j) % 2;
      put_triangle(corner[k], corner[k + 1], corner[k + 2], d);
      put_triangle(corner[k], corner[k + 2], corner[(k + 3) % 4], d);
    }
}

/* ---- panels ---- */

static void put_on(const line *l, int edges, vec2 *out) {
  for (int k = 0; k <= edges; k++) on_line(l, (double)k / edges, out[k]);
}

static void mirror(vec2 *from, int edges, bool reverse, vec2 *out) {
  for (int k = 0; k <= edges; k++) {
    out[k][0] = -from[reverse ? edges - k : k][0];
    out[k][1] = from[reverse ? edges - k : k][1];
  }
}

static void straight(const vec2 from, const vec2 to, int edges, vec2 *out) {
  const line l = {{from[0], from[1]}, {(from[0] + to[0]) / 2, (from[1] + to[1]) / 2}, {to[0], to[1]}};
  put_on(&l, edges, out);
}

static cb_status cut_trunk(const sim_limit_seams *n, bool back, draft *d, cb_err *err) {
  const vec2 hem = {-SIDE.from[0], SIDE.from[1]};
  grid g;
  CB_TRY(new_grid(2 * (n->shoulder + n->neck), n->side + n->armhole, &g, err));
  straight(hem, SIDE.from, g.columns, g.side[0]);
  put_on(&SIDE, n->side, g.side[3]);
  put_on(&ARMHOLE, n->armhole, g.side[3] + n->side);
  mirror(g.side[3], g.rows, false, g.side[2]);
  vec2 *right = g.side[1] + n->shoulder + (ptrdiff_t)2 * n->neck; /* from the neck outwards */
  for (int k = 0; k <= n->shoulder; k++) on_line(&SHOULDER, 1 - (double)k / n->shoulder, right[k]);
  mirror(right, n->shoulder, true, g.side[1]);
  for (int k = 0; k < 2 * n->neck; k++)
    on_line(&NECK[back], 1 - (double)k / (2 * n->neck), g.side[1][n->shoulder + k]);
  put_panel(&(panel){.back = back}, &g, d);
  free(g.side[0]);
  return CB_OK;
}

/* From the T to the sleeve's own axes, front (sign -1) or back (1) of the fold. */
static void unfold(const vec2 p, double sign, vec2 out) {
  vec2 along, away;
  sleeve_axes(along, away);
  const vec2 from = {p[0] - UPPER.from[0], p[1] - UPPER.from[1]};
  out[0] = from[0] * along[0] + from[1] * along[1];
  out[1] = sign * (from[0] * away[0] + from[1] * away[1]);
}

static cb_status cut_sleeve(const sim_limit_seams *n, bool left, draft *d, cb_err *err) {
  grid g;
  vec2 corner[4];
  CB_TRY(new_grid(2 * n->armhole, n->sleeve, &g, err));
  for (int k = 0; k <= n->armhole; k++) {
    vec2 p;
    on_line(&ARMHOLE, (double)k / n->armhole, p);
    unfold(p, -1, g.side[0][k]);
    unfold(p, 1, g.side[0][2 * n->armhole - k]);
  }
  for (int k = 0; k < 4; k++) unfold(k < 2 ? UNDER.from : UNDER.to, k % 2 ? 1 : -1, corner[k]);
  straight(corner[2], corner[3], g.columns, g.side[1]);
  straight(corner[0], corner[2], g.rows, g.side[2]);
  straight(corner[1], corner[3], g.rows, g.side[3]);
  put_panel(&(panel){.sleeve = true, .left = left}, &g, d);
  free(g.side[0]);
  return CB_OK;
}

/* ---- sewing ---- */

/* Border vertices in one place become one vertex. number: of each vertex of the draft; returns how many there
 * are. */
static int sew(const draft *d, int *number, double (*x)[3], int *on_border) {
  int n = 0, borders = 0;
  for (int i = 0; i < d->n_vertices; i++) {
    number[i] = -1;
    for (int k = 0; d->border[i] && number[i] < 0 && k < borders; k++) {
      double apart[3];
      sim_sub(d->x[i], x[on_border[k]], apart);
      if (sim_norm(apart) < SAME_M) number[i] = on_border[k];
    }
    if (number[i] >= 0) continue;
    if (d->border[i]) on_border[borders++] = n;
    memcpy(x[n], d->x[i], sizeof *x);
    number[i] = n++;
  }
  return n;
}

/* Arrays of a sewn mesh, before and after it is numbered for caches. */
typedef struct sewn {
  int *number, *on_border, *order, *triangle_order;
  double (*x)[3], (*ordered_x)[3], (*corner)[3][2];
  int (*triangle)[3], (*renumbered)[3];
} sewn;

static bool take_sewn(const draft *d, sewn *s) {
  const size_t n = (size_t)d->n_vertices, nt = (size_t)d->n_triangles;
  s->number = malloc(n * sizeof *s->number);
  s->on_border = malloc(n * sizeof *s->on_border);
  s->order = malloc(n * sizeof *s->order);
  s->triangle_order = malloc(nt * sizeof *s->triangle_order);
  s->x = malloc(n * sizeof *s->x);
  s->ordered_x = malloc(n * sizeof *s->ordered_x);
  s->corner = malloc(nt * sizeof *s->corner);
  s->triangle = malloc(nt * sizeof *s->triangle);
  s->renumbered = malloc(nt * sizeof *s->renumbered);
  return s->number && s->on_border && s->order && s->triangle_order && s->x && s->ordered_x && s->corner &&
         s->triangle && s->renumbered;
}

static void release_sewn(sewn *s) {
  void *const owned[] = {s->number,    s->on_border, s->order,    s->triangle_order, s->x,
                         s->ordered_x, s->corner,    s->triangle, s->renumbered};
  for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) free(owned[k]);
}

/* The corners of a renumbered triangle may begin at another one: each finds its place in the draft. */
static void lay_corners(const draft *d, const sewn *s, int t) {
  const int *old = d->triangle[s->triangle_order[t]];
  for (int c = 0; c < 3; c++)
    for (int k = 0; k < 3; k++)
      if (s->number[old[k]] == s->order[s->renumbered[t][c]])
        memcpy(s->corner[t][c], d->flat[old[k]], sizeof s->corner[t][c]);
}

static cb_status sew_draft(const draft *d, sim_mesh *out, cb_err *err) {
  sewn s = {0};
  cb_status st = CB_OK;
  if (!take_sewn(d, &s)) CB_GOTO(cb_no_memory(err, "shirt of %d vertices", d->n_vertices));
  const int n = sew(d, s.number, s.x, s.on_border);
  for (int t = 0; t < d->n_triangles; t++)
    for (int c = 0; c < 3; c++) s.triangle[t][c] = s.number[d->triangle[t][c]];
  CB_GOTO(sim_mesh_order((const int(*)[3])s.triangle, d->n_triangles, n, s.order, s.triangle_order,
                         s.renumbered, err));
  for (int i = 0; i < n; i++) memcpy(s.ordered_x[i], s.x[s.order[i]], sizeof *s.x);
  for (int t = 0; t < d->n_triangles; t++) lay_corners(d, &s, t);
  CB_GOTO(sim_mesh_build((const sim_vec3 *)s.ordered_x, n, (const int(*)[3])s.renumbered,
                         (const double(*)[3][2])s.corner, d->n_triangles, out, err));
done:
  release_sewn(&s);
  return st;
}

static cb_status take_draft(const sim_limit_seams *n, draft *d, cb_err *err) {
  const size_t trunk[2] = {2 * (size_t)(n->shoulder + n->neck), (size_t)(n->side + n->armhole)};
  const size_t sleeve[2] = {2 * (size_t)n->armhole, (size_t)n->sleeve};
  const size_t vertices = 2 * ((trunk[0] + 1) * (trunk[1] + 1) + (sleeve[0] + 1) * (sleeve[1] + 1));
  d->flat = malloc(vertices * sizeof *d->flat);
  d->x = malloc(vertices * sizeof *d->x);
  d->border = malloc(vertices * sizeof *d->border);
  d->triangle = malloc(4 * (trunk[0] * trunk[1] + sleeve[0] * sleeve[1]) * sizeof *d->triangle);
  return d->flat && d->x && d->border && d->triangle ? CB_OK : cb_no_memory(err, "pattern of a shirt");
}

cb_status sim_limit_pattern(double edge_m, sim_mesh *out, cb_err *err) {
  const sim_limit_seams n = sim_limit_pattern_seams(edge_m);
  draft d = {0};
  cb_status st = CB_OK;
  CB_GOTO(take_draft(&n, &d, err));
  for (int k = 0; k < 2; k++) CB_GOTO(cut_trunk(&n, k, &d, err));
  for (int k = 0; k < 2; k++) CB_GOTO(cut_sleeve(&n, k, &d, err));
  CB_GOTO(sew_draft(&d, out, err));
done:
  free(d.flat);
  free(d.x);
  free(d.border);
  free(d.triangle);
  return st;
}
