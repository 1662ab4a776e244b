#include "sim_wind_shadow.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim_vec.h"

#define EDGE_ON 1e-9 /* of its size: a triangle seen narrower than that has a side that rounding chose */

cb_status sim_wind_shadow_init(int n_vertices, sim_wind_shadow *out, cb_err *err) {
  const size_t n = (size_t)n_vertices + 1;
  *out = (sim_wind_shadow){.at = calloc(n, sizeof *out->at),
                           .start = calloc(n + 1, sizeof *out->start),
                           .particle = calloc(n, sizeof *out->particle),
                           .shadowed = calloc(n, sizeof *out->shadowed)};
  if (out->at && out->start && out->particle && out->shadowed) return CB_OK;
  sim_wind_shadow_clear(out);
  return cb_no_memory(err, "shadows of %d vertices", n_vertices);
}

void sim_wind_shadow_clear(sim_wind_shadow *s) {
  free(s->at);
  free(s->start);
  free(s->particle);
  free(s->shadowed);
  *s = (sim_wind_shadow){0};
}

/* The wind's own axes; the last along it. */
static void project(sim_wind_shadow *s, int n, const double (*x)[3], const double wind[3]) {
  double axis[3][3] = {{0}};
  const double speed = sim_norm(wind);
  int least = 0;
  for (int k = 1; k < 3; k++)
    if (fabs(wind[k]) < fabs(wind[least])) least = k;
  axis[1][least] = 1;
  for (int k = 0; k < 3; k++) axis[2][k] = wind[k] / speed;
  sim_cross(axis[1], axis[2], axis[0]);
  const double length = sim_norm(axis[0]);
  for (int k = 0; k < 3; k++) axis[0][k] /= length;
  sim_cross(axis[2], axis[0], axis[1]);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < 3; k++) s->at[i][k] = sim_dot(axis[k], x[i]);
}

/* As many cells as particles, about as wide as high. */
static void lay_cells(sim_wind_shadow *s, int n) {
  double size[2];
  for (int k = 0; k < 2; k++) {
    double high = s->low[k] = s->at[0][k];
    for (int i = 1; i < n; i++) {
      s->low[k] = fmin(s->low[k], s->at[i][k]);
      high = fmax(high, s->at[i][k]);
    }
    size[k] = high - s->low[k];
  }
  const double wanted = size[1] > 0 ? sqrt(n * size[0] / size[1]) : n;
  s->columns = (int)fmax(1, fmin(n, wanted));
  s->rows = n / s->columns;
  const int count[2] = {s->columns, s->rows};
  for (int k = 0; k < 2; k++) s->cell_per_m[k] = size[k] > 0 ? count[k] / size[k] : 0;
}

static int cell_along(const sim_wind_shadow *s, int k, double at) {
  const int last = (k == 0 ? s->columns : s->rows) - 1;
  return (int)fmax(0, fmin(last, (at - s->low[k]) * s->cell_per_m[k]));
}

static int cell_of(const sim_wind_shadow *s, const double at[3]) {
  return cell_along(s, 1, at[1]) * s->columns + cell_along(s, 0, at[0]);
}

static void sort_particles(sim_wind_shadow *s, int n) {
  const int cells = s->columns * s->rows;
  memset(s->start, 0, (size_t)(cells + 1) * sizeof *s->start);
  for (int i = 0; i < n; i++) s->start[cell_of(s, s->at[i]) + 1]++;
  for (int c = 0; c < cells; c++) s->start[c + 1] += s->start[c];
  for (int i = n - 1; i >= 0; i--) s->particle[--s->start[cell_of(s, s->at[i]) + 1]] = i;
  /* every start has moved to that of the cell before */
  memmove(s->start, s->start + 1, (size_t)cells * sizeof *s->start);
  s->start[cells] = n;
}

/* Twice the area of p, a, b across the wind: exactly the opposite for p, b, a, so that no ray slips between
 * two triangles. */
static double turn_sense(const double p[3], const double a[3], const double b[3]) {
  return (a[0] - p[0]) * (b[1] - p[1]) - (a[1] - p[1]) * (b[0] - p[0]);
}

static bool before(const double p[3], const double *const corner[3]) {
  const double w[3] = {turn_sense(p, corner[1], corner[2]), turn_sense(p, corner[2], corner[0]),
                       turn_sense(p, corner[0], corner[1])};
  const bool inside = (w[0] >= 0 && w[1] >= 0 && w[2] >= 0) || (w[0] <= 0 && w[1] <= 0 && w[2] <= 0);
  const double whole = w[0] + w[1] + w[2];
  return inside && whole != 0 &&
         (w[0] * corner[0][2] + w[1] * corner[1][2] + w[2] * corner[2][2]) / whole < p[2];
}

static bool edge_on(const double *const corner[3]) {
  double a[3], b[3];
  sim_sub(corner[1], corner[0], a);
  sim_sub(corner[2], corner[0], b);
  return fabs(turn_sense(corner[0], corner[1], corner[2])) <= EDGE_ON * (sim_dot(a, a) + sim_dot(b, b));
}

static void cast_triangle(sim_wind_shadow *s, const int v[3]) {
  const double *corner[3] = {s->at[v[0]], s->at[v[1]], s->at[v[2]]};
  if (edge_on(corner)) return;
  int first[2], last[2];
  for (int k = 0; k < 2; k++) {
    first[k] = cell_along(s, k, fmin(corner[0][k], fmin(corner[1][k], corner[2][k])));
    last[k] = cell_along(s, k, fmax(corner[0][k], fmax(corner[1][k], corner[2][k])));
  }
  for (int row = first[1]; row <= last[1]; row++)
    for (int i = s->start[row * s->columns + first[0]]; i < s->start[row * s->columns + last[0] + 1]; i++) {
      const int p = s->particle[i];
      if (!s->shadowed[p] && p != v[0] && p != v[1] && p != v[2]) s->shadowed[p] = before(s->at[p], corner);
    }
}

void sim_wind_shadow_cast(sim_wind_shadow *s, const sim_mesh *mesh, const double (*x)[3],
                          const double wind[3]) {
  memset(s->shadowed, 0, (size_t)mesh->n_vertices * sizeof *s->shadowed);
  if (mesh->n_triangles == 0 || !(sim_norm(wind) > 0)) return;
  project(s, mesh->n_vertices, x, wind);
  lay_cells(s, mesh->n_vertices);
  sort_particles(s, mesh->n_vertices);
  for (int t = 0; t < mesh->n_triangles; t++) cast_triangle(s, mesh->triangle[t]);
}
