#include <string.h>

#include "sim_mesh.h"
#include "sim_vec.h"

void sim_mesh_area_normals(const double (*x_m)[3], int n_vertices, const int (*triangle)[3], int n_triangles,
                           double (*normal)[3]) {
  memset(normal, 0, (size_t)n_vertices * sizeof *normal);
  for (int t = 0; t < n_triangles; t++) {
    const int *v = triangle[t];
    double a[3], b[3], n[3];
    sim_sub(x_m[v[1]], x_m[v[0]], a);
    sim_sub(x_m[v[2]], x_m[v[0]], b);
    sim_cross(a, b, n);
    for (int c = 0; c < 3; c++) sim_add(normal[v[c]], 1, n);
  }
}
