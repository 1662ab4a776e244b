/* An uneven sheet, bent at the start, falls freely. Inner forces move neither its centre of mass aside nor
 * give it angular momentum. */
#include <math.h>
#include <string.h>

#include "cb_num.h"
#include "cb_rng.h"
#include "conf_extra.h"

#define SIZE_M 0.1
#define FROM_M 1.0
#define FINER 0.4    /* cells at one side are 0.6 of the mean length, at the other 1.4 */
#define NARROWER 0.3 /* one side is so much shorter than its opposite */
#define SHAKE 0.2    /* in cells */
#define BEND_RAD 0.5 /* from the warp: the direction in which it is bent */
#define SEED 47

/* Angular momentum is wanted between the last two times, so they lie near each other. */
static const double times_s[CONF_TIMES] = {0.2, 0.396, 0.4};

static bool possible(double level, double edge_m, const exch_cloth *s) {
  (void)level, (void)s;
  return edge_m <= SIZE_M / 4;
}

static double graded(double u) { return u * (1 - FINER + FINER * u); }

static void lay_uneven(conf_case *c, int n) {
  cb_rng random;
  cb_rng_init(&random, SEED, 0);
  for (int k = 0; k < c->n_vertices; k++) {
    const double u = (k / (n + 1) + SHAKE * (2 * cb_rng_uniform(&random) - 1)) / n,
                 v = (k % (n + 1) + SHAKE * (2 * cb_rng_uniform(&random) - 1)) / n;
    c->vertex[k][0] = SIZE_M * graded(u) * (1 - NARROWER * v);
    c->vertex[k][1] = SIZE_M * graded(v) * (1 - NARROWER / 2 * u);
    c->vertex[k][2] = FROM_M;
  }
  for (int k = 0; k < n * n; k++) {
    const int a = k / n * (n + 1) + k % n, q[4] = {a, a + n + 1, a + n + 2, a + 1};
    const int turn = cb_rng_uniform(&random) < 0.5;
    for (int h = 0; h < 2; h++)
      memcpy(c->face[2 * k + h], (int[4]){q[turn], q[(1 + h + turn) % 4], q[(2 + h + turn) % 4], -1},
             sizeof *c->face);
  }
}

/* Around a cylinder; `level` is the angle over the sheet's size. */
static void bend(conf_case *c) {
  const double radius = SIZE_M / c->level, e[2] = {cos(BEND_RAD), sin(BEND_RAD)};
  for (int k = 0; k < c->n_vertices; k++) {
    const double *r = c->vertex[k], along = e[0] * (r[0] - SIZE_M / 2) + e[1] * (r[1] - SIZE_M / 2),
                 moved = radius * sin(along / radius) - along;
    c->start[k][0] = r[0] + moved * e[0];
    c->start[k][1] = r[1] + moved * e[1];
    c->start[k][2] = r[2] + radius * (1 - cos(along / radius));
  }
}

static cb_status make(conf_case *c, double edge_m, cb_err *err) {
  const int n = (int)lround(SIZE_M / edge_m);
  CB_TRY(conf_mesh_room(c, (n + 1) * (n + 1), 2 * n * n, true, err));
  c->edge_m = c->length_m = SIZE_M / n;
  c->gravity_m_per_s2[2] = -CB_STANDARD_GRAVITY_M_PER_S2;
  memcpy(c->time_s, times_s, sizeof times_s);
  lay_uneven(c, n);
  bend(c);
  return CB_OK;
}

/* ---- what came of it ---- */

/* Centre of mass at one place a, and sum of m (b - centre of b) x (c - centre of c) where b and c are places
 * of the same vertices. A vertex has a third of the triangles around it. */
typedef struct moments {
  double mass, first[2][3], product[3], square;
} moments;

static double area(const conf_case *c, const int f[4]) {
  const double *p = c->vertex[f[0]], *q = c->vertex[f[1]], *r = c->vertex[f[2]];
  return ((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])) / 2;
}

static void add(moments *m, double mass, const double a[3], const double b[3]) {
  m->mass += mass;
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    m->first[0][k] += mass * a[k];
    m->first[1][k] += mass * b[k];
    m->product[k] += mass * (a[i] * b[j] - a[j] * b[i]);
    m->square += mass * a[k] * a[k];
  }
}

/* Centres and product of two sets of positions, about the centres. */
static moments moments_of(const conf_case *c, const double (*a)[3], const double (*b)[3]) {
  moments m = {0};
  for (int f = 0; f < c->n_faces; f++)
    for (int k = 0; k < 3; k++) add(&m, area(c, c->face[f]) / 3, a[c->face[f][k]], b[c->face[f][k]]);
  for (int s = 0; s < 2; s++)
    for (int k = 0; k < 3; k++) m.first[s][k] /= m.mass;
  const double *p = m.first[0], *q = m.first[1];
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    m.product[k] -= m.mass * (p[i] * q[j] - p[j] * q[i]);
    m.square -= m.mass * p[k] * p[k];
  }
  return m;
}

static void judge(const conf_case *c, const exch_cloth *s, const double (*position)[3], conf_finding *out) {
  (void)s;
  const double(*last)[3] = position + (size_t)(CONF_TIMES - 1) * (size_t)c->n_vertices,
        (*before)[3] = last - c->n_vertices;
  const moments begin = moments_of(c, (const double(*)[3])c->start, last), spin = moments_of(c, before, last);
  const double *from = begin.first[0], *to = begin.first[1], time = c->time_s[CONF_TIMES - 1],
               *l = spin.product;
  out->wanted = CB_STANDARD_GRAVITY_M_PER_S2;
  out->found = 2 * (from[2] - to[2]) / (time * time);
  out->sideways_m_per_s = hypot(to[0] - from[0], to[1] - from[1]) / time;
  out->turn_rad_per_s =
      sqrt(l[0] * l[0] + l[1] * l[1] + l[2] * l[2]) / spin.square / (time - c->time_s[CONF_TIMES - 2]);
}

const conf_extra conf_drift = {possible, make, judge};
