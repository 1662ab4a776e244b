#include "sim_scene_limits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cb_num.h"
#include "sim_vec.h"

#define TOLERANCE 1e-5 /* of the residual of the smoothed surface */
#define ITERATIONS 2000

typedef struct smoother {
  const sim_mesh *mesh;
  double l4_m4;
  double *weight;   /* per edge: of the Laplacian */
  bool *border;     /* per vertex */
  double *diagonal; /* of the system, per vertex */
  double (*bent)[3];
  double (*y)[3], (*r)[3], (*z)[3], (*p)[3], (*product)[3];
} smoother;

static bool take_memory(smoother *s) {
  const size_t n = (size_t)s->mesh->n_vertices;
  double(**const vectors[])[3] = {&s->bent, &s->y, &s->r, &s->z, &s->p, &s->product};
  bool ok = true;
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
    ok = (*vectors[k] = calloc(n, sizeof **vectors[k])) && ok;
  s->weight = calloc((size_t)s->mesh->n_edges, sizeof *s->weight);
  s->border = calloc(n, sizeof *s->border);
  s->diagonal = calloc(n, sizeof *s->diagonal);
  return ok && s->weight && s->border && s->diagonal;
}

static void release(smoother *s) {
  void *const owned[] = {s->weight, s->border, s->diagonal, s->bent, s->y, s->r, s->z, s->p, s->product};
  for (size_t k = 0; k < sizeof owned / sizeof *owned; k++) free(owned[k]);
}

/* ---- the system ---- */

/* Half the cotangent of the angle at a corner, in the flat cloth. */
static double half_cotangent(const double corner[3][2], int c) {
  const double *o = corner[c], *a = corner[(c + 1) % 3], *b = corner[(c + 2) % 3];
  const double u[2] = {a[0] - o[0], a[1] - o[1]}, v[2] = {b[0] - o[0], b[1] - o[1]};
  return 0.5 * (u[0] * v[0] + u[1] * v[1]) / fabs(u[0] * v[1] - u[1] * v[0]);
}

static void weigh_edges(smoother *s) {
  const sim_mesh *m = s->mesh;
  for (int t = 0; t < m->n_triangles; t++)
    for (int c = 0; c < 3; c++)
      s->weight[m->triangle_edge[t][c]] += half_cotangent((const double(*)[2])m->corner_m[t], c);
  for (int e = 0; e < m->n_edges; e++)
    if (m->edge[e].triangle[1] < 0) s->border[m->edge[e].vertex[0]] = s->border[m->edge[e].vertex[1]] = true;
}

/* out = L in; symmetric. */
static void laplacian(const smoother *s, double (*in)[3], double (*out)[3]) {
  const sim_mesh *m = s->mesh;
  memset(out, 0, (size_t)m->n_vertices * sizeof *out);
  for (int e = 0; e < m->n_edges; e++) {
    double d[3];
    sim_sub(in[m->edge[e].vertex[1]], in[m->edge[e].vertex[0]], d);
    sim_add(out[m->edge[e].vertex[0]], s->weight[e], d);
    sim_add(out[m->edge[e].vertex[1]], -s->weight[e], d);
  }
}

/* out = (M + l^4 L P M^-1 L) in, P without border vertices. */
static void multiply(const smoother *s, double (*in)[3], double (*out)[3]) {
  const double *area = s->mesh->vertex_area_m2;
  laplacian(s, in, s->bent);
  for (int i = 0; i < s->mesh->n_vertices; i++)
    for (int k = 0; k < 3; k++) s->bent[i][k] *= s->border[i] ? 0 : s->l4_m4 / area[i];
  laplacian(s, s->bent, out);
  for (int i = 0; i < s->mesh->n_vertices; i++) sim_add(out[i], area[i], in[i]);
}

static void set_diagonal(smoother *s) {
  const sim_mesh *m = s->mesh;
  double *own = &s->bent[0][0]; /* the Laplacian's diagonal */
  memset(s->bent, 0, (size_t)m->n_vertices * sizeof *s->bent);
  for (int e = 0; e < m->n_edges; e++)
    for (int k = 0; k < 2; k++) own[m->edge[e].vertex[k]] -= s->weight[e];
  for (int i = 0; i < m->n_vertices; i++)
    s->diagonal[i] =
        m->vertex_area_m2[i] + (s->border[i] ? 0 : s->l4_m4 * own[i] * own[i] / m->vertex_area_m2[i]);
  for (int e = 0; e < m->n_edges; e++)
    for (int k = 0; k < 2; k++) {
      const int i = m->edge[e].vertex[k], j = m->edge[e].vertex[1 - k];
      if (!s->border[j]) s->diagonal[i] += s->l4_m4 * s->weight[e] * s->weight[e] / m->vertex_area_m2[j];
    }
}

/* ---- conjugate gradients ---- */

static double product_of(const smoother *s, double (*a)[3], double (*b)[3]) {
  double sum = 0;
  for (int i = 0; i < s->mesh->n_vertices; i++) sum += sim_dot(a[i], b[i]);
  return sum;
}

/* z = r / diagonal */
static double precondition(smoother *s) {
  for (int i = 0; i < s->mesh->n_vertices; i++)
    for (int k = 0; k < 3; k++) s->z[i][k] = s->r[i][k] / s->diagonal[i];
  return product_of(s, s->r, s->z);
}

static void smooth(smoother *s, const double (*x)[3]) {
  const int n = s->mesh->n_vertices;
  memcpy(s->y, x, (size_t)n * sizeof *x);
  multiply(s, s->y, s->product);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) s->r[i][k] = s->mesh->vertex_area_m2[i] * x[i][k] - s->product[i][k];
  double rho = precondition(s);
  const double enough = TOLERANCE * TOLERANCE * rho;
  memcpy(s->p, s->z, (size_t)n * sizeof *s->p);
  for (int it = 0; it < ITERATIONS && rho > enough; it++) {
    multiply(s, s->p, s->product);
    const double alpha = rho / product_of(s, s->p, s->product), before = rho;
    for (int i = 0; i < n; i++) {
      sim_add(s->y[i], alpha, s->p[i]);
      sim_add(s->r[i], -alpha, s->product[i]);
    }
    rho = precondition(s);
    for (int i = 0; i < n; i++)
      for (int k = 0; k < 3; k++) s->p[i][k] = s->z[i][k] + rho / before * s->p[i][k];
  }
}

/* ---- the measure ---- */

/* Widens `border` by about the width in which the smoothed surface feels its end. */
static void widen_border(smoother *s) {
  const sim_mesh *m = s->mesh;
  double area_m2 = 0;
  for (int t = 0; t < m->n_triangles; t++) area_m2 += m->area_m2[t];
  const int rings = (int)ceil(SIM_WRINKLE_M / 2 / sqrt(2 * area_m2 / m->n_triangles));
  for (int k = 0; k < rings; k++) {
    double(*const near)[3] = s->p;
    for (int i = 0; i < m->n_vertices; i++) near[i][0] = s->border[i];
    for (int e = 0; e < m->n_edges; e++) {
      const int *v = m->edge[e].vertex;
      for (int end = 0; end < 2; end++) s->border[v[end]] = s->border[v[end]] || near[v[1 - end]][0] > 0;
    }
  }
}

static double depth_of(smoother *s, const double (*x_m)[3]) {
  const sim_mesh *m = s->mesh;
  double sum = 0, area_m2 = 0;
  weigh_edges(s);
  set_diagonal(s);
  smooth(s, x_m);
  sim_mesh_area_normals((const sim_vec3 *)s->y, m->n_vertices, (const int(*)[3])m->triangle, m->n_triangles,
                        s->z);
  widen_border(s);
  for (int i = 0; i < m->n_vertices; i++) {
    double d[3];
    if (s->border[i]) continue;
    sim_sub(x_m[i], s->y[i], d);
    const double length = sim_norm(s->z[i]), high = length > 0 ? sim_dot(d, s->z[i]) / length : 0;
    sum += m->vertex_area_m2[i] * high * high;
    area_m2 += m->vertex_area_m2[i];
  }
  return area_m2 > 0 ? sqrt(sum / area_m2) : 0;
}

double sim_wrinkle_depth_m(const sim_mesh *mesh, const double (*x_m)[3]) {
  smoother s = {.mesh = mesh, .l4_m4 = pow(SIM_WRINKLE_M / (2 * CB_PI), 4)};
  const double out = take_memory(&s) ? depth_of(&s, x_m) : NAN;
  release(&s);
  return out;
}
