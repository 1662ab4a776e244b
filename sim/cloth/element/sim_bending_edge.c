#include "sim_bending_edge.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* The neighbourhood of the edge is laid flat: origin at its midpoint, s along it, r across it out of
 * triangle[0], unit the edge's length. A formula sum w u is exact for all quadratics if its moments against
 * 1, s, r, s^2, s r, r^2 are those of d/dr at the origin.
 *
 * On a parallelogram, differences of quadratics cancel. Elsewhere the four weights w0, exact for planes, get
 * the smallest correction (in the sum of squares) that makes the moments right. */
#define MOMENTS 6
#define MAX_RINGS 3
#define MAX_FLAT 30 /* triangles laid flat: 2 + 4 + 8 + 16 */
/* Tolerance of a parallelogram, relative to its lengths: a file with six decimals needs it. The curvature's
 * error is of this size. */
#define PARALLELOGRAM 1e-4
/* If weights are larger than this many times the four uncorrected ones, the vertices lie nearly on a conic:
 * take more of them. */
#define MAX_GROWTH 2.0

typedef struct datum {
  double moment[MOMENTS];
  double weight0, weight;
  int n, vertex[3]; /* a vertex, or those that make the slope of a gripped triangle */
  double share[3];
} datum;

typedef struct flat {
  int triangle, ring;
  double at[3][2];
} flat;

typedef struct patch {
  double length_m;
  int n_data, n_flat;
  datum data[SIM_SLOPE_MAX];
  flat flats[MAX_FLAT];
} patch;

static int corner_of(const sim_mesh *m, int triangle, int vertex) {
  const int *v = m->triangle[triangle];
  return v[0] == vertex ? 0 : v[1] == vertex ? 1 : 2;
}

/* Along the side opposite to corner k, from its middle, and out over it, in metres. */
static void beside(const sim_mesh *m, int triangle, int k, double *along, double *height, double *side) {
  const double(*c)[2] = (const double(*)[2])m->corner_m[triangle];
  const double *a = c[(k + 1) % 3], *b = c[(k + 2) % 3], *o = c[k];
  double d[2] = {b[0] - a[0], b[1] - a[1]}, e[2] = {o[0] - 0.5 * (a[0] + b[0]), o[1] - 0.5 * (a[1] + b[1])};
  *side = hypot(d[0], d[1]);
  *along = (e[0] * d[0] + e[1] * d[1]) / *side;
  *height = (d[0] * e[1] - d[1] * e[0]) / *side;
}

static void moments_of_point(const double at[2], double out[MOMENTS]) {
  double s = at[0], r = at[1], row[MOMENTS] = {1, s, r, 0.5 * s * s, s * r, 0.5 * r * r};
  memcpy(out, row, sizeof row);
}

static void moments_of_slope(const double at[2], const double dir[2], double out[MOMENTS]) {
  double row[MOMENTS] = {0, dir[0], dir[1], at[0] * dir[0], at[0] * dir[1] + at[1] * dir[0], at[1] * dir[1]};
  memcpy(out, row, sizeof row);
}

static void add_vertex(patch *p, int vertex, const double at[2]) {
  assert(p->n_data < SIM_SLOPE_MAX);
  datum *d = &p->data[p->n_data++];
  *d = (datum){.n = 1, .vertex = {vertex}, .share = {1}};
  moments_of_point(at, d->moment);
}

/* The slope of a gripped triangle over the side opposite to its corner k: (u_o - u along the side) /
 * height. */
static void flat_slope(const sim_mesh *m, int triangle, int k, int vertex[3], double per_m[3]) {
  double along, height, side;
  beside(m, triangle, k, &along, &height, &side);
  for (int i = 0; i < 3; i++) vertex[i] = m->triangle[triangle][(k + i) % 3];
  per_m[0] = 1 / height;
  per_m[1] = -(0.5 - along / side) / height;
  per_m[2] = -(0.5 + along / side) / height;
}

static void add_clamp(patch *p, const sim_mesh *m, int triangle, int k, const double middle[2],
                      const double out[2]) {
  assert(p->n_data < SIM_SLOPE_MAX);
  datum *d = &p->data[p->n_data++];
  *d = (datum){.n = 3};
  flat_slope(m, triangle, k, d->vertex, d->share);
  for (int i = 0; i < 3; i++) d->share[i] *= p->length_m;
  moments_of_slope(middle, out, d->moment);
}

static bool laid(const patch *p, int triangle) {
  for (int i = 0; i < p->n_flat; i++)
    if (p->flats[i].triangle == triangle) return true;
  return false;
}

static bool known(const patch *p, int vertex) {
  for (int i = 0; i < p->n_data; i++)
    if (p->data[i].n == 1 && p->data[i].vertex[0] == vertex) return true;
  return false;
}

/* The neighbour over the side opposite to corner k of flat f: its free corner, with the sides' own
 * lengths. */
static void cross_side(patch *p, const sim_mesh *m, const bool *rigid, const flat *f, int k) {
  const sim_edge *e = &m->edge[m->triangle_edge[f->triangle][k]];
  int other = e->triangle[0] == f->triangle ? e->triangle[1] : e->triangle[0];
  if (other < 0 || laid(p, other)) return;
  const double *a = f->at[(k + 1) % 3], *b = f->at[(k + 2) % 3], *o = f->at[k];
  double t[2] = {b[0] - a[0], b[1] - a[1]}, length = hypot(t[0], t[1]);
  t[0] /= length, t[1] /= length;
  double middle[2] = {0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])}, out[2] = {t[1], -t[0]};
  if ((o[0] - middle[0]) * out[0] + (o[1] - middle[1]) * out[1] > 0) out[0] = -out[0], out[1] = -out[1];
  int first = corner_of(m, other, m->triangle[f->triangle][(k + 1) % 3]);
  int second = corner_of(m, other, m->triangle[f->triangle][(k + 2) % 3]), corner = 3 - first - second;
  if (rigid[other]) {
    add_clamp(p, m, other, corner, middle, out);
    return;
  }
  assert(p->n_flat < MAX_FLAT);
  double along, height, side;
  beside(m, other, corner, &along, &height, &side);
  /* The neighbour turns over the side from b to a. */
  along *= -1 / p->length_m, height /= p->length_m;
  flat *g = &p->flats[p->n_flat++];
  g->triangle = other, g->ring = f->ring + 1;
  for (int i = 0; i < 2; i++) {
    g->at[first][i] = a[i], g->at[second][i] = b[i];
    g->at[corner][i] = middle[i] + along * t[i] + height * out[i];
  }
  if (!known(p, m->triangle[other][corner])) add_vertex(p, m->triangle[other][corner], g->at[corner]);
}

static void start_patch(patch *p, const sim_mesh *m, const sim_edge *e) {
  p->n_data = p->n_flat = 0;
  add_vertex(p, e->vertex[0], (double[2]){-0.5, 0});
  add_vertex(p, e->vertex[1], (double[2]){0.5, 0});
  double s[2], r[2];
  for (int side = 0; side < 2; side++) {
    int triangle = e->triangle[side], corner = e->opposite[side];
    double along, height, length, sign = side ? 1 : -1;
    beside(m, triangle, corner, &along, &height, &length);
    if (!side) p->length_m = length;
    s[side] = -sign * along / length, r[side] = sign * height / length;
    flat *f = &p->flats[p->n_flat++];
    f->triangle = triangle, f->ring = 0;
    memcpy(f->at[corner_of(m, triangle, e->vertex[0])], ((double[2]){-0.5, 0}), sizeof f->at[0]);
    memcpy(f->at[corner_of(m, triangle, e->vertex[1])], ((double[2]){0.5, 0}), sizeof f->at[0]);
    memcpy(f->at[corner], ((double[2]){s[side], r[side]}), sizeof f->at[0]);
    add_vertex(p, m->triangle[triangle][corner], f->at[corner]);
  }
  double across = 1 / (r[1] - r[0]), tilt = across * (s[1] - s[0]);
  p->data[0].weight0 = tilt, p->data[1].weight0 = -tilt;
  p->data[2].weight0 = -across, p->data[3].weight0 = across;
  for (int i = 0; i < 4; i++) p->data[i].weight = p->data[i].weight0;
}

static bool is_parallelogram(const patch *p) {
  const double *a = p->data[2].moment, *b = p->data[3].moment;
  return fabs(a[1] + b[1]) <= PARALLELOGRAM && fabs(a[2] + b[2]) <= PARALLELOGRAM;
}

/* L L^T of a symmetric matrix, in its lower half. */
static bool factor(double a[MOMENTS][MOMENTS]) {
  for (int j = 0; j < MOMENTS; j++) {
    double before = a[j][j];
    for (int k = 0; k < j; k++) a[j][j] -= a[j][k] * a[j][k];
    if (!(a[j][j] > 1e-7 * before)) return false;
    a[j][j] = sqrt(a[j][j]);
    for (int i = j + 1; i < MOMENTS; i++) {
      for (int k = 0; k < j; k++) a[i][j] -= a[i][k] * a[j][k];
      a[i][j] /= a[j][j];
    }
  }
  return true;
}

static void solve_factored(double l[MOMENTS][MOMENTS], double x[MOMENTS]) {
  for (int i = 0; i < MOMENTS; i++) {
    for (int k = 0; k < i; k++) x[i] -= l[i][k] * x[k];
    x[i] /= l[i][i];
  }
  for (int i = MOMENTS - 1; i >= 0; i--) {
    for (int k = i + 1; k < MOMENTS; k++) x[i] -= l[k][i] * x[k];
    x[i] /= l[i][i];
  }
}

static void correct_once(patch *p, double l[MOMENTS][MOMENTS]) {
  double miss[MOMENTS] = {0, 0, 1, 0, 0, 0};
  for (int i = 0; i < p->n_data; i++)
    for (int k = 0; k < MOMENTS; k++) miss[k] -= p->data[i].weight * p->data[i].moment[k];
  solve_factored(l, miss);
  for (int i = 0; i < p->n_data; i++)
    for (int k = 0; k < MOMENTS; k++) p->data[i].weight += p->data[i].moment[k] * miss[k];
}

static bool correct_weights(patch *p) {
  double gram[MOMENTS][MOMENTS] = {{0}}, before = 0, after = 0;
  for (int i = 0; i < p->n_data; i++) {
    datum *d = &p->data[i];
    for (int k = 0; k < MOMENTS; k++)
      for (int j = 0; j <= k; j++) gram[k][j] += d->moment[k] * d->moment[j];
    d->weight = d->weight0;
  }
  if (p->n_data < MOMENTS || !factor(gram)) return false;
  correct_once(p, gram);
  correct_once(p, gram); /* removes rounding errors */
  for (int i = 0; i < p->n_data; i++)
    before += p->data[i].weight0 * p->data[i].weight0, after += p->data[i].weight * p->data[i].weight;
  return after <= MAX_GROWTH * MAX_GROWTH * before;
}

static sim_slope_kind widen_patch(patch *p, const sim_mesh *m, const bool *rigid) {
  int next = 0;
  for (int ring = 0; ring < MAX_RINGS; ring++) {
    for (; next < p->n_flat && p->flats[next].ring == ring; next++)
      for (int k = 0; k < 3; k++) cross_side(p, m, rigid, &p->flats[next], k);
    if (correct_weights(p)) return ring ? SIM_SLOPE_WIDE : SIM_SLOPE_PATCH;
  }
  p->n_data = 4;
  for (int i = 0; i < 4; i++) p->data[i].weight = p->data[i].weight0;
  return SIM_SLOPE_UNCORRECTED;
}

static void collect_entries(const patch *p, sim_slope *out) {
  for (int i = 0; i < p->n_data; i++)
    for (int k = 0; k < p->data[i].n; k++) {
      int at = 0, vertex = p->data[i].vertex[k];
      while (at < out->n && out->vertex[at] != vertex) at++;
      if (at == out->n) out->vertex[at] = vertex, out->weight_per_m[at] = 0, out->n++;
      out->weight_per_m[at] += p->data[i].weight * p->data[i].share[k] / p->length_m;
    }
}

static void clamp(const sim_mesh *m, const sim_edge *e, int side, sim_slope *out) {
  *out = (sim_slope){.kind = SIM_SLOPE_CLAMP, .n = 3};
  flat_slope(m, e->triangle[side], e->opposite[side], out->vertex, out->weight_per_m);
  if (side == 0)
    for (int i = 0; i < 3; i++) out->weight_per_m[i] *= -1; /* its height points into itself */
}

void sim_slope_of_edge(const sim_mesh *mesh, const bool *rigid, int edge, sim_slope *out) {
  const sim_edge *e = &mesh->edge[edge];
  *out = (sim_slope){.kind = SIM_SLOPE_FREE};
  if (e->triangle[1] < 0 || (rigid[e->triangle[0]] && rigid[e->triangle[1]])) return;
  for (int side = 0; side < 2; side++)
    if (rigid[e->triangle[side]]) {
      clamp(mesh, e, side, out);
      return;
    }
  patch p;
  start_patch(&p, mesh, e);
  out->kind = is_parallelogram(&p) ? SIM_SLOPE_COMPACT : widen_patch(&p, mesh, rigid);
  collect_entries(&p, out);
}
