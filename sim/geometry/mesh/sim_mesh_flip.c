#include "sim_mesh_draft.h"

#include <stdlib.h>
#include <string.h>

/* An edge is flipped if the angles opposite to it exceed half a turn by more than rounding. Each flip
 * improves the triangulation, so the flips end. */
#define DELAUNAY_ROUNDING 1e-10
#define SWEEPS_MAX 1000

static const int next_corner[] = {1, 2, 0};

static int corner_of(const int t[3], int v) { return t[0] == v ? 0 : t[1] == v ? 1 : 2; }

/* Finds the neighbours through a mesh of the present draft. */
static cb_status neighbours(sim_flip *f, cb_err *err) {
  const sim_draft *d = f->draft;
  sim_mesh m = {0};
  double(*position)[3] = calloc((size_t)d->n_vertices, sizeof *position),
  (*corner)[3][2] = malloc((size_t)d->n_triangles * sizeof *corner);
  cb_status st = CB_OK;
  if (!position || !corner) {
    st = cb_no_memory(err, "mesh, %d vertices", d->n_vertices);
    goto done;
  }
  for (int t = 0; t < d->n_triangles; t++)
    for (int k = 0; k < 3; k++) memcpy(corner[t][k], d->point_m[d->triangle[t][k]], sizeof corner[t][k]);
  CB_GOTO(sim_mesh_build((const sim_vec3 *)position, d->n_vertices, (const int(*)[3])d->triangle,
                         (const double(*)[3][2])corner, d->n_triangles, &m, err));
  for (int e = 0; e < m.n_edges; e++) {
    const sim_edge *g = &m.edge[e];
    f->neighbour[g->triangle[0]][g->opposite[0]] = g->triangle[1];
    if (g->triangle[1] >= 0) f->neighbour[g->triangle[1]][g->opposite[1]] = g->triangle[0];
  }
done:
  sim_mesh_clear(&m);
  free(position);
  free(corner);
  return st;
}

cb_status sim_flip_init(sim_flip *f, sim_draft *draft, cb_err *err) {
  *f = (sim_flip){.draft = draft,
                  .neighbour = malloc((size_t)draft->n_triangles * sizeof *f->neighbour),
                  .at = malloc((size_t)draft->n_vertices * sizeof *f->at)};
  cb_status st = f->neighbour && f->at ? neighbours(f, err)
                                       : cb_no_memory(err, "mesh, %d triangles", draft->n_triangles);
  if (st != CB_OK) {
    sim_flip_clear(f);
    return st;
  }
  for (int t = 0; t < draft->n_triangles; t++)
    for (int k = 0; k < 3; k++) f->at[draft->triangle[t][k]] = t;
  return CB_OK;
}

void sim_flip_clear(sim_flip *f) {
  free(f->neighbour);
  free(f->at);
  *f = (sim_flip){0};
}

int sim_flip_next(const sim_flip *f, int v, int t, int *corner) {
  int next = f->neighbour[t][next_corner[*corner]];
  *corner = corner_of(f->draft->triangle[next], v);
  return next;
}

/* Sine and cosine, times the sides' lengths, of the angle at p from a to b. */
static void angle_at(const double p[2], const double a[2], const double b[2], double *sine, double *cosine) {
  double ax = a[0] - p[0], ay = a[1] - p[1], bx = b[0] - p[0], by = b[1] - p[1];
  *sine = ax * by - ay * bx;
  *cosine = ax * bx + ay * by;
}

/* Whether the edge b-c of the triangles (a, b, c) and (d, c, b) is not Delaunay and may be flipped. */
static bool is_bad(const sim_draft *draft, int a, int b, int c, int d) {
  const double(*x)[2] = (const double(*)[2])draft->point_m;
  const unsigned char *curve = draft->curve;
  if ((curve[b] && curve[b] == curve[c]) || (curve[a] && curve[a] == curve[d])) return false;
  double sa, ca, sd, cd, rest, left, right;
  angle_at(x[a], x[b], x[c], &sa, &ca);
  angle_at(x[d], x[c], x[b], &sd, &cd);
  double sum = sa * cd + ca * sd; /* sine of the sum, times the sides' lengths */
  if (!(sum < 0 &&
        sum * sum > DELAUNAY_ROUNDING * DELAUNAY_ROUNDING * (sa * sa + ca * ca) * (sd * sd + cd * cd)))
    return false;
  angle_at(x[a], x[b], x[d], &left, &rest);
  angle_at(x[a], x[d], x[c], &right, &rest);
  return left > 0 && right > 0;
}

static void repoint_neighbour(sim_flip *f, int triangle, int from, int to) {
  if (triangle < 0) return;
  int *n = f->neighbour[triangle];
  n[n[0] == from ? 0 : n[1] == from ? 1 : 2] = to;
}

/* (a, b, c) and (d, c, b) become (a, b, d) and (d, c, a). */
static void flip_edge(sim_flip *f, int t, int k, int u, int l) {
  int k1 = next_corner[k], k2 = next_corner[k1], l1 = next_corner[l], l2 = next_corner[l1];
  int *tv = f->draft->triangle[t], *uv = f->draft->triangle[u], *tn = f->neighbour[t], *un = f->neighbour[u];
  int beyond_bd = un[l1], beyond_ca = tn[k1];
  f->at[tv[k1]] = t;
  f->at[tv[k2]] = u;
  tv[k2] = uv[l];
  uv[l2] = tv[k];
  f->at[tv[k]] = f->at[uv[l]] = t;
  tn[k] = beyond_bd;
  tn[k1] = u;
  un[l] = beyond_ca;
  un[l1] = t;
  repoint_neighbour(f, beyond_bd, u, t);
  repoint_neighbour(f, beyond_ca, t, u);
}

static bool improve(sim_flip *f, int t, int k) {
  int u = f->neighbour[t][k];
  if (u < t) return false; /* the border, or seen from u */
  const int *tv = f->draft->triangle[t], *uv = f->draft->triangle[u];
  int b = tv[next_corner[k]], c = tv[next_corner[next_corner[k]]];
  int l = corner_of(uv, uv[0] + uv[1] + uv[2] - b - c);
  if (!is_bad(f->draft, tv[k], b, c, uv[l])) return false;
  flip_edge(f, t, k, u, l);
  return true;
}

void sim_flip_delaunay(sim_flip *f) {
  bool again = true;
  for (int sweep = 0; again && sweep < SWEEPS_MAX; sweep++) {
    again = false;
    for (int t = 0; t < f->draft->n_triangles; t++)
      for (int k = 0; k < 3; k++) again |= improve(f, t, k);
  }
}
