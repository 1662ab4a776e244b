#include "val_layers.h"

#include <math.h>
#include <stdlib.h>

#include "val_small.h"

/* The middle of a triangle of the mesh. */
static void middle(const val_network *w, int triangle, double out[3]) {
  for (int k = 0; k < 3; k++) {
    out[k] = 0;
    for (int c = 0; c < 3; c++) out[k] += w->x_m[w->mesh->triangle[triangle][c]][k] / 3;
  }
}

/* Width between the middles of the two triangles, or from the one to its border's middle, times the mean
 * gap. */
static double section(const val_network *w, const sim_edge *e) {
  double from[3], to[3], d2 = 0;
  middle(w, e->triangle[0], from);
  if (e->triangle[1] >= 0) middle(w, e->triangle[1], to);
  for (int k = 0; k < 3 && e->triangle[1] < 0; k++)
    to[k] = (w->x_m[e->vertex[0]][k] + w->x_m[e->vertex[1]][k]) / 2;
  for (int k = 0; k < 3; k++) d2 += (from[k] - to[k]) * (from[k] - to[k]);
  return sqrt(d2) * (w->gap_m[e->vertex[0]] + w->gap_m[e->vertex[1]]) / 2;
}

cb_status val_network_solve(const val_network *w, double *p, cb_err *err) {
  int n = w->mesh->n_vertices;
  size_t stride = (size_t)n;
  double *a = calloc(stride * stride, sizeof *a);
  if (!a) return cb_no_memory(err, "network of %d vertices", n);
  for (int i = 0; i < n; i++) {
    a[(size_t)i * stride + (size_t)i] = w->out_m3_per_s[i];
    p[i] = w->out_m3_per_s[i] * w->outside_Pa[i];
  }
  for (int e = 0; e < w->mesh->n_edges; e++) {
    size_t i = (size_t)w->mesh->edge[e].vertex[0], j = (size_t)w->mesh->edge[e].vertex[1];
    double g = w->flow_m_per_s * section(w, &w->mesh->edge[e]);
    a[i * stride + i] += g, a[j * stride + j] += g;
    a[i * stride + j] -= g, a[j * stride + i] -= g;
  }
  bool definite = val_cholesky(a, n, n);
  if (definite) {
    val_forward(a, n, n, p);
    val_backward(a, n, n, p);
  }
  free(a);
  return definite ? CB_OK : cb_fail(err, CB_E_NUM, "network of %d vertices: part of it leads nowhere", n);
}
