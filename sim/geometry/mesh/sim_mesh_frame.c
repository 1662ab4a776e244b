#include "sim_mesh.h"
#include "sim_vec.h"

void sim_mesh_slopes(const double corner_m[3][2], double slope[2][3]) {
  const double ax = corner_m[1][0] - corner_m[0][0], ay = corner_m[1][1] - corner_m[0][1];
  const double bx = corner_m[2][0] - corner_m[0][0], by = corner_m[2][1] - corner_m[0][1],
               twice = ax * by - ay * bx;
  slope[0][1] = by / twice;
  slope[0][2] = -ay / twice;
  slope[1][1] = -bx / twice;
  slope[1][2] = ax / twice;
  for (int k = 0; k < 2; k++) slope[k][0] = -slope[k][1] - slope[k][2];
}

void sim_mesh_to_cloth(const sim_mesh *mesh, const double (*x)[3], int vertex, double out[2][3]) {
  double w[2][3] = {{0}};
  for (int i = mesh->fan_start[vertex]; i < mesh->fan_start[vertex + 1]; i++) {
    int t = mesh->fan[i] / 3;
    const int *v = mesh->triangle[t];
    double(*const m)[2] = mesh->corner_m[t];
    double a1 = m[1][0] - m[0][0], b1 = m[1][1] - m[0][1], a2 = m[2][0] - m[0][0], b2 = m[2][1] - m[0][1];
    for (int k = 0; k < 3; k++) {
      double e1 = x[v[1]][k] - x[v[0]][k], e2 = x[v[2]][k] - x[v[0]][k];
      /* Weighting by area cancels the division by area. */
      w[0][k] += e1 * b2 - e2 * b1;
      w[1][k] += e2 * a1 - e1 * a2;
    }
  }
  double g00 = sim_dot(w[0], w[0]), g01 = sim_dot(w[0], w[1]), g11 = sim_dot(w[1], w[1]),
         det = g00 * g11 - g01 * g01;
  for (int k = 0; k < 3; k++) {
    out[0][k] = (g11 * w[0][k] - g01 * w[1][k]) / det;
    out[1][k] = (g00 * w[1][k] - g01 * w[0][k]) / det;
  }
}
