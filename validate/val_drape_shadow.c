#include "val_drape_shadow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Areas as weights. */
static void add_normals(const sim_mesh *m, const double (*x)[3], double (*normal)[3]) {
  for (int t = 0; t < m->n_triangles; t++) {
    const int *v = m->triangle[t];
    double p[3], q[3];
    for (int k = 0; k < 3; k++) p[k] = x[v[1]][k] - x[v[0]][k], q[k] = x[v[2]][k] - x[v[0]][k];
    const double n[3] = {p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
    for (int c = 0; c < 3; c++)
      for (int k = 0; k < 3; k++) normal[v[c]][k] += n[k];
  }
}

/* normal: of length 1, times half the thickness; then the two sides, one after the other. */
static void put_sides(const sim_mesh *m, const double (*x)[3], double half_m, double (*normal)[3],
                      double (*side)[3], int (*triangle)[3]) {
  const int n = m->n_vertices;
  for (int i = 0; i < n; i++) {
    double length =
        sqrt(normal[i][0] * normal[i][0] + normal[i][1] * normal[i][1] + normal[i][2] * normal[i][2]);
    for (int k = 0; k < 3; k++) {
      double out = length > 0 ? half_m * normal[i][k] / length : 0;
      side[i][k] = x[i][k] + out;
      side[n + i][k] = x[i][k] - out;
    }
  }
  for (int t = 0; t < m->n_triangles; t++)
    for (int c = 0; c < 3; c++) {
      triangle[t][c] = m->triangle[t][c];
      triangle[m->n_triangles + t][c] = n + m->triangle[t][c];
    }
}

cb_status val_drape_shadow(const sim_mesh *m, const double (*x_m)[3], double thickness_m, fit_shadow *out,
                           cb_err *err) {
  size_t n = (size_t)m->n_vertices, nt = (size_t)m->n_triangles;
  double(*normal)[3] = calloc(n, sizeof *normal), (*side)[3] = calloc(2 * n, sizeof *side);
  int(*triangle)[3] = calloc(2 * nt, sizeof *triangle);
  cb_status st = CB_OK;
  memset(out, 0, sizeof *out);
  if (!normal || !side || !triangle)
    CB_GOTO(cb_no_memory(err, "drape of %d vertices, its shadow", m->n_vertices));
  add_normals(m, x_m, normal);
  put_sides(m, x_m, thickness_m / 2, normal, side, triangle);
  CB_GOTO(fit_drape_mesh_shadow((const sim_vec3 *)side, 2 * n, (const int(*)[3])triangle, 2 * nt, "drape",
                                out, err));
done:
  free(normal), free(side), free(triangle);
  return st;
}
