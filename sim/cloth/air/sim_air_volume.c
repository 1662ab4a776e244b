#include "sim_air_volume.h"

#include "sim_vec.h"

/* a x b . d */
static inline double box_product(const double a[3], const double b[3], const double d[3]) {
  return d[0] * (a[1] * b[2] - a[2] * b[1]) + d[1] * (a[2] * b[0] - a[0] * b[2]) +
         d[2] * (a[0] * b[1] - a[1] * b[0]);
}

static inline double sweep(const int v[3], const double (*x)[3], const double (*f)[3]) {
  double x1[3], x2[3], f1[3], f2[3], way[3];
  for (int k = 0; k < 3; k++) {
    x1[k] = x[v[1]][k] - x[v[0]][k], x2[k] = x[v[2]][k] - x[v[0]][k];
    f1[k] = f[v[1]][k] - f[v[0]][k], f2[k] = f[v[2]][k] - f[v[0]][k];
    way[k] = (x[v[0]][k] + x[v[1]][k] + x[v[2]][k] - f[v[0]][k] - f[v[1]][k] - f[v[2]][k]) / 3;
  }
  return (box_product(f1, f2, way) + box_product(x1, x2, way)) / 6 +
         (box_product(f1, x2, way) + box_product(x1, f2, way)) / 12;
}

void sim_air_gaps(const sim_mesh *m, const double (*x)[3], const double (*closest)[3], double side,
                  const double *area_m2, double *swept_m3, double *gap_m) {
  double swept = 0, flat = 0;
#pragma omp parallel for schedule(static)
  for (int t = 0; t < m->n_triangles; t++) swept_m3[t] = side * sweep(m->triangle[t], x, closest);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < m->n_vertices; i++) {
    double way[3];
    sim_sub(x[i], closest[i], way);
    gap_m[i] = sim_norm(way);
  }
  for (int t = 0; t < m->n_triangles; t++) swept += swept_m3[t];
  for (int i = 0; i < m->n_vertices; i++) flat += area_m2[i] * gap_m[i];
  double factor = swept > SIM_AIR_FACTOR_LEAST * flat ? swept / flat : SIM_AIR_FACTOR_LEAST;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < m->n_vertices; i++) gap_m[i] *= factor;
}
