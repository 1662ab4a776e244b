/* What the truth tests of bending share with its bench: strips and plates of four patterns, a banded Cholesky
 * solver, and the heavy cantilever at large deflection, solved by Newton's method. */
#ifndef BENDLAB_H
#define BENDLAB_H

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "cb_rng.h"
#include "sim_bending.h"

typedef enum lab_pattern {
  LAB_RIGHT,
  LAB_ALTERNATING,
  LAB_EQUILATERAL,
  LAB_IRREGULAR,
  LAB_PATTERNS
} lab_pattern;
static const char *const lab_pattern_text[] = {"right", "alternating", "equilateral", "irregular"};

static inline void *lab_get(size_t n, size_t size) {
  void *p = calloc(n + 1, size);
  if (!p) abort();
  return p;
}

/* ---- meshes ---- */

/* Columns of vertices from x = -clamp to length (whole numbers of columns), numbered column by column: all
 * lines x = const of the first three patterns are lines of edges. Irregular: vertices moved by up to 0.3
 * cells, diagonals by lot; the border and the column x = 0 stay straight. The material is turned by
 * warp_rad. */
typedef struct lab_strip {
  lab_pattern pattern;
  double length, width;
  int columns, rows, clamp_columns;
  double warp_rad;
  uint64_t seed;
} lab_strip;

typedef struct lab_draft {
  int nv, nt;
  double (*x)[3];
  int (*t)[3];
} lab_draft;

static inline void lab_triangle(lab_draft *d, int a, int b, int c) {
  memcpy(d->t[d->nt++], ((int[3]){a, b, c}), sizeof d->t[0]);
}

/* Twice the area over the square of the longest side. */
static inline double lab_height(const lab_draft *d, int a, int b, int c) {
  const double *p = d->x[a], *q = d->x[b], *r = d->x[c];
  double u[2] = {q[0] - p[0], q[1] - p[1]}, v[2] = {r[0] - p[0], r[1] - p[1]};
  double side = fmax(fmax(hypot(u[0], u[1]), hypot(v[0], v[1])), hypot(u[0] - v[0], u[1] - v[1]));
  return (u[0] * v[1] - u[1] * v[0]) / (side * side);
}

static inline void lab_squares(const lab_strip *s, lab_draft *d) {
  int nx = s->columns + s->clamp_columns, ny = s->rows;
  cb_rng rng;
  cb_rng_init(&rng, s->seed, 0);
  double h = s->length / s->columns, k = s->width / ny;
  for (int i = 0; i <= nx; i++)
    for (int j = 0; j <= ny; j++) {
      double *x = d->x[d->nv++],
             move[2] = {0.6 * (cb_rng_uniform(&rng) - 0.5), 0.6 * (cb_rng_uniform(&rng) - 0.5)};
      x[0] = (i - s->clamp_columns) * h, x[1] = j * k, x[2] = 0;
      if (s->pattern != LAB_IRREGULAR) continue;
      if (i != 0 && i != nx && i != s->clamp_columns) x[0] += move[0] * h;
      if (j != 0 && j != ny) x[1] += move[1] * k;
    }
  for (int i = 0; i < nx; i++)
    for (int j = 0; j < ny; j++) {
      int a = i * (ny + 1) + j, b = a + ny + 1, c = b + 1, e = a + 1;
      bool other = s->pattern == LAB_ALTERNATING ? (i + j) % 2
                                                 : s->pattern == LAB_IRREGULAR && cb_rng_uniform(&rng) < 0.5;
      /* Not one that would make a sliver, or turn a triangle over. */
      if (s->pattern == LAB_IRREGULAR)
        other = other ? lab_height(d, a, b, e) > 0.1 && lab_height(d, b, c, e) > 0.1
                      : lab_height(d, a, b, c) < 0.1 || lab_height(d, a, c, e) < 0.1;
      if (other)
        lab_triangle(d, a, b, e), lab_triangle(d, b, c, e);
      else
        lab_triangle(d, a, b, c), lab_triangle(d, a, c, e);
    }
}

/* Odd columns are half a cell higher, with a vertex more, and half triangles at the sides. */
static inline void lab_equilateral(const lab_strip *s, lab_draft *d) {
  int nx = s->columns + s->clamp_columns, ny = s->rows;
  double h = s->length / s->columns, k = s->width / ny;
  int *first = lab_get((size_t)nx + 2, sizeof *first);
  for (int i = 0; i <= nx; i++) {
    bool odd = (i + s->clamp_columns) % 2;
    first[i] = d->nv;
    for (int j = 0; j <= ny + odd; j++) {
      double y = odd ? fmin(fmax((j - 0.5) * k, 0), s->width) : j * k, *x = d->x[d->nv++];
      x[0] = (i - s->clamp_columns) * h, x[1] = y, x[2] = 0;
    }
  }
  first[nx + 1] = d->nv;
  for (int i = 0; i < nx; i++) {
    int a = first[i], b = first[i + 1], a_end = first[i + 1] - 1, b_end = first[i + 2] - 1;
    while (a < a_end || b < b_end) {
      bool up_left = a < a_end && (b == b_end || d->x[a + 1][1] < d->x[b + 1][1]);
      if (up_left)
        lab_triangle(d, a, b, a + 1), a++;
      else
        lab_triangle(d, a, b, b + 1), b++;
    }
  }
  free(first);
}

static inline sim_mesh lab_mesh(const lab_strip *s) {
  size_t most = (size_t)(s->columns + s->clamp_columns + 1) * (size_t)(s->rows + 2);
  lab_draft d = {.x = lab_get(most, sizeof *d.x), .t = lab_get(2 * most, sizeof *d.t)};
  if (s->pattern == LAB_EQUILATERAL)
    lab_equilateral(s, &d);
  else
    lab_squares(s, &d);
  double(*corner)[3][2] = lab_get((size_t)d.nt, sizeof *corner), c = cos(s->warp_rad), sn = sin(s->warp_rad);
  for (int t = 0; t < d.nt; t++)
    for (int k = 0; k < 3; k++) {
      const double *x = d.x[d.t[t][k]];
      corner[t][k][0] = c * x[0] + sn * x[1], corner[t][k][1] = -sn * x[0] + c * x[1];
    }
  sim_mesh m;
  cb_err err = {""};
  if (sim_mesh_build((const sim_vec3 *)d.x, d.nv, (const int(*)[3])d.t, (const double(*)[3][2])corner, d.nt,
                     &m, &err) != CB_OK) {
    fprintf(stderr, "bendlab: %s\n", err.msg);
    abort();
  }
  free(d.x), free(d.t), free(corner);
  return m;
}

/* Everything at x <= 0. */
static inline bool *lab_clamp(const sim_mesh *m) {
  bool *gripped = lab_get((size_t)m->n_vertices, sizeof *gripped);
  for (int v = 0; v < m->n_vertices; v++) gripped[v] = m->position_m[v][0] < 1e-9;
  return gripped;
}

/* ---- banded Cholesky ---- */

typedef struct lab_band {
  int n, half;
  double *a; /* row i: columns i - half .. i */
} lab_band;

static inline lab_band lab_band_new(int n, int half) {
  return (lab_band){.n = n, .half = half, .a = lab_get((size_t)n * (size_t)(half + 1), sizeof(double))};
}

static inline double *lab_at(const lab_band *b, int i, int j) {
  assert(j <= i && i - j <= b->half);
  return &b->a[(size_t)i * (size_t)(b->half + 1) + (size_t)(j - i + b->half)];
}

static inline void lab_add(const lab_band *b, int i, int j, double value) {
  if (j <= i) *lab_at(b, i, j) += value;
}

static inline bool lab_factor(lab_band *b) {
  for (int i = 0; i < b->n; i++) {
    int first = i > b->half ? i - b->half : 0;
    for (int j = first; j <= i; j++) {
      int from = j > b->half ? j - b->half : 0;
      if (from < first) from = first;
      double sum = *lab_at(b, i, j);
      const double *ri = lab_at(b, i, first) - first,
                   *rj = b->a + (size_t)j * (size_t)(b->half + 1) + (size_t)b->half - j;
      for (int k = from; k < j; k++) sum -= ri[k] * rj[k];
      if (j < i) {
        *lab_at(b, i, j) = sum / *lab_at(b, j, j);
      } else {
        if (!(sum > 0)) return false;
        *lab_at(b, i, i) = sqrt(sum);
      }
    }
  }
  return true;
}

static inline void lab_solve(const lab_band *b, double *x) {
  for (int i = 0; i < b->n; i++) {
    for (int k = i > b->half ? i - b->half : 0; k < i; k++) x[i] -= *lab_at(b, i, k) * x[k];
    x[i] /= *lab_at(b, i, i);
  }
  for (int i = b->n - 1; i >= 0; i--) {
    x[i] /= *lab_at(b, i, i);
    for (int k = i > b->half ? i - b->half : 0; k < i; k++) x[k] -= *lab_at(b, i, k) * x[i];
  }
}

/* ---- the heavy cantilever ---- */

/* Isotropic St. Venant-Kirchhoff without cross coupling, S = k E, on triangles of constant strain. */
typedef struct heavy_strip {
  const sim_mesh *mesh;
  const sim_bending *bending;
  double stretch_N_per_m, weight_N_per_m2; /* down: -z */
  int *unknown;                            /* per vertex, -1: fixed */
  int n_unknown, half;
} heavy_strip;

static inline void lab_gradients(const sim_mesh *m, int t, double b[3][2]) {
  for (int k = 0; k < 3; k++) {
    const double *p = m->corner_m[t][(k + 1) % 3], *q = m->corner_m[t][(k + 2) % 3];
    b[k][0] = (p[1] - q[1]) / (2 * m->area_m2[t]), b[k][1] = (q[0] - p[0]) / (2 * m->area_m2[t]);
  }
}

static inline void lab_stress(const heavy_strip *s, int t, const double (*x)[3], double b[3][2],
                              double F[3][2], double S[2][2]) {
  lab_gradients(s->mesh, t, b);
  for (int c = 0; c < 3; c++)
    for (int a = 0; a < 2; a++) {
      F[c][a] = 0;
      for (int k = 0; k < 3; k++) F[c][a] += x[s->mesh->triangle[t][k]][c] * b[k][a];
    }
  for (int a = 0; a < 2; a++)
    for (int d = 0; d < 2; d++) {
      S[a][d] = -0.5 * (a == d);
      for (int c = 0; c < 3; c++) S[a][d] += 0.5 * F[c][a] * F[c][d];
      S[a][d] *= s->stretch_N_per_m;
    }
}

static inline double lab_energy(const heavy_strip *s, const double (*x)[3]) {
  double e = sim_bending_energy_J(s->bending, x), b[3][2], F[3][2], S[2][2];
  for (int t = 0; t < s->mesh->n_triangles; t++) {
    lab_stress(s, t, x, b, F, S);
    e += 0.5 * s->mesh->area_m2[t] * (S[0][0] * S[0][0] + S[1][1] * S[1][1] + 2 * S[0][1] * S[0][1]) /
         s->stretch_N_per_m;
  }
  for (int v = 0; v < s->mesh->n_vertices; v++)
    e += s->weight_N_per_m2 * s->mesh->vertex_area_m2[v] * x[v][2];
  return e;
}

static inline void lab_positive(double S[2][2]) {
  double mean = 0.5 * (S[0][0] + S[1][1]), half = 0.5 * (S[0][0] - S[1][1]), r = hypot(half, S[0][1]);
  double l1 = fmax(mean + r, 0), l2 = fmax(mean - r, 0), c = r > 0 ? half / r : 1,
         s = r > 0 ? S[0][1] / r : 0;
  double m = 0.5 * (l1 + l2), d = 0.5 * (l1 - l2);
  S[0][0] = m + d * c, S[1][1] = m - d * c, S[0][1] = S[1][0] = d * s;
}

static inline void lab_put(const heavy_strip *s, lab_band *K, int v, int c, int w, int d, double value) {
  if (s->unknown[v] >= 0 && s->unknown[w] >= 0)
    lab_add(K, 3 * s->unknown[v] + c, 3 * s->unknown[w] + d, value);
}

static inline void lab_membrane(const heavy_strip *s, const double (*x)[3], double (*f)[3], lab_band *K) {
  for (int t = 0; t < s->mesh->n_triangles; t++) {
    double b[3][2], F[3][2], S[2][2], A = s->mesh->area_m2[t], k = s->stretch_N_per_m;
    const int *v = s->mesh->triangle[t];
    lab_stress(s, t, x, b, F, S);
    for (int i = 0; i < 3; i++)
      for (int c = 0; c < 3; c++)
        for (int a = 0; a < 2; a++) f[v[i]][c] -= A * F[c][a] * (S[a][0] * b[i][0] + S[a][1] * b[i][1]);
    lab_positive(S);
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        double bSb = 0, bb = b[i][0] * b[j][0] + b[i][1] * b[j][1], Fi[3], Fj[3];
        for (int a = 0; a < 2; a++)
          for (int d = 0; d < 2; d++) bSb += b[i][a] * S[a][d] * b[j][d];
        for (int c = 0; c < 3; c++)
          Fi[c] = F[c][0] * b[i][0] + F[c][1] * b[i][1], Fj[c] = F[c][0] * b[j][0] + F[c][1] * b[j][1];
        for (int c = 0; c < 3; c++)
          for (int d = 0; d < 3; d++)
            lab_put(s, K, v[i], c, v[j], d,
                    A * ((c == d ? bSb : 0) +
                         0.5 * k * (Fj[c] * Fi[d] + bb * (F[c][0] * F[d][0] + F[c][1] * F[d][1]))));
      }
  }
}

#define LAB_ROW_MAX 400 /* entries in a row of the bending matrix */

/* Residual forces and the positive definite tangent. */
static inline void lab_assemble(const heavy_strip *s, const double (*x)[3], double (*f)[3], lab_band *K) {
  const sim_mesh *m = s->mesh;
  const sim_bending *b = s->bending;
  int column[LAB_ROW_MAX];
  double value[LAB_ROW_MAX];
  memset(f, 0, (size_t)m->n_vertices * sizeof *f);
  memset(K->a, 0, (size_t)K->n * (size_t)(K->half + 1) * sizeof *K->a);
  lab_membrane(s, x, f, K);
  sim_bending_add_force(b, x, f);
  for (int v = 0; v < m->n_vertices; v++) {
    f[v][2] -= s->weight_N_per_m2 * m->vertex_area_m2[v];
    const int n = sim_pairs_row(&b->pairs, v, column, value);
    for (int i = 0; i < n; i++)
      for (int c = 0; c < 3; c++) lab_put(s, K, v, c, column[i], c, value[i]);
  }
}

static inline heavy_strip lab_exch_cloth_new(const sim_mesh *m, const sim_bending *b, const bool *fixed,
                                             double stretch, double weight) {
  heavy_strip s = {.mesh = m, .bending = b, .stretch_N_per_m = stretch, .weight_N_per_m2 = weight};
  s.unknown = lab_get((size_t)m->n_vertices, sizeof *s.unknown);
  for (int v = 0; v < m->n_vertices; v++) s.unknown[v] = fixed[v] ? -1 : s.n_unknown++;
  if (sim_pairs_longest_row(&b->pairs) > LAB_ROW_MAX) abort();
  for (int v = 0; v < m->n_vertices; v++) {
    int column[LAB_ROW_MAX];
    double value[LAB_ROW_MAX];
    const int n = sim_pairs_row(&b->pairs, v, column, value);
    for (int i = 0; i < n; i++) {
      int w = column[i], reach = 3 * (s.unknown[v] - s.unknown[w]) + 2;
      if (s.unknown[v] >= 0 && s.unknown[w] >= 0 && reach > s.half) s.half = reach;
    }
  }
  return s;
}

/* Newton with line search from x to equilibrium; number of iterations, -1: none. */
static inline int lab_equilibrium(const heavy_strip *s, double (*x)[3], double tolerance_N) {
  int n = s->mesh->n_vertices, it = 0;
  double(*f)[3] = lab_get((size_t)n, sizeof *f), (*y)[3] = lab_get((size_t)n, sizeof *y),
  *u = lab_get((size_t)(3 * n), sizeof *u);
  lab_band K = lab_band_new(3 * s->n_unknown, s->half);
  double e = lab_energy(s, (const sim_vec3 *)x);
  for (; it < 300; it++) {
    double worst = 0, slope = 0, step = 1;
    lab_assemble(s, (const sim_vec3 *)x, f, &K);
    for (int v = 0; v < n; v++)
      for (int c = 0; c < 3 && s->unknown[v] >= 0; c++)
        worst = fmax(worst, fabs(f[v][c])), u[3 * s->unknown[v] + c] = f[v][c];
    if (worst <= tolerance_N) break;
    if (!lab_factor(&K)) abort();
    lab_solve(&K, u);
    for (int v = 0; v < n; v++)
      for (int c = 0; c < 3 && s->unknown[v] >= 0; c++) slope += u[3 * s->unknown[v] + c] * f[v][c];
    for (int halvings = 0;; halvings++) {
      for (int v = 0; v < n; v++)
        for (int c = 0; c < 3; c++)
          y[v][c] = x[v][c] + (s->unknown[v] >= 0 ? step * u[3 * s->unknown[v] + c] : 0);
      double now = lab_energy(s, (const sim_vec3 *)y);
      if (now <= e - 1e-4 * step * slope + 1e-13 * fabs(e) || halvings == 30) {
        e = now;
        break;
      }
      step *= 0.5;
    }
    memcpy(x, y, (size_t)n * sizeof *x);
  }
  free(f), free(y), free(u), free(K.a);
  return it < 300 ? it : -1;
}

typedef struct lab_droop {
  double h_over_w; /* of the middle of the far end; NAN: no equilibrium found */
  int iterations;
} lab_droop;

/* Rigidity 1, length 1: weight per area = load; stretch stiffness as given. The loads ascend, each solution
 * starts the next. */
static inline void lab_cantilever(const lab_strip *strip, double stretch, int n, const double load[],
                                  lab_droop out[]) {
  sim_mesh m = lab_mesh(strip);
  bool *gripped = lab_clamp(&m);
  sim_bending b;
  if (sim_bending_init(&m, (const double[3][3]){{1, 0, 0}, {0, 1, 0}, {0, 0, 0.5}}, gripped, NULL, &b,
                       NULL) != CB_OK ||
      sim_bending_prepare(&b, NULL) != CB_OK)
    abort();
  double(*x)[3] = lab_get((size_t)m.n_vertices, sizeof *x),
  cell = strip->width / strip->rows * strip->length / strip->columns;
  memcpy(x, m.position_m, (size_t)m.n_vertices * sizeof *x);
  heavy_strip s = lab_exch_cloth_new(&m, &b, gripped, stretch, 0);
  for (int i = 0; i < n; i++) {
    s.weight_N_per_m2 = load[i];
    out[i].iterations = lab_equilibrium(&s, x, 1e-6 * load[i] * cell + 3e-10 /* rounding */);
    double tip[3] = {0};
    int count = 0;
    for (int v = 0; v < m.n_vertices; v++)
      if (m.position_m[v][0] > strip->length - 1e-9) {
        count++;
        for (int c = 0; c < 3; c++) tip[c] += x[v][c];
      }
    for (int c = 0; c < 3; c++) tip[c] /= count;
    out[i].h_over_w = out[i].iterations < 0 ? NAN : -tip[2] / tip[0];
  }
  free(gripped), free(x), free(s.unknown);
  sim_bending_clear(&b), sim_mesh_clear(&m);
}

#endif
