/* What every ready-made body gives: its tetrahedra, its skin, its case, and how long each takes (processor
 * time, all threads).
 *   bench_shapes [SHAPE]   all of them without SHAPE
 * docs/reference/meshes.md, "Bodies and cases". */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "cb_num.h"
#include "sim_mesh_quality.h"
#include "sim_shape.h"

/* As large as the scenes of the paper (Chen, Feng, Wang 2013) want them: body about 5,000 vertices under the
 * vest, 18,000 of the car's surface. */
static const struct {
  sim_shape_ready which;
  double cell_m, gap_m;
  int skin, sewn;
} size[] = {{SIM_SHAPE_BALL, 0.05, 0.005, 5000, 21000},    {SIM_SHAPE_CAR, 0.1, 0.01, 18000, 18000},
            {SIM_SHAPE_TORSO, 0.028, 0.004, 5000, 20000},  {SIM_SHAPE_TOY, 0.018, 0.003, 5000, 20000},
            {SIM_SHAPE_VEST, 0.024, 0.004, 12000, 117000}, {SIM_SHAPE_MATTRESS, 0.08, 0.01, 5000, 20000},
            {SIM_SHAPE_PILLOW, 0.03, 0.005, 5000, 20000}};

static double seconds(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void edge_of(const double a[3], const double b[3], double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = b[k] - a[k];
}
static double dot(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static void cross(const double a[3], const double b[3], double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

/* Dihedral angles, deg. */
static void angles(const sim_tets *t, double *least, double *most) {
  static const int face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  *least = 180;
  *most = 0;
  for (int i = 0; i < t->n_tets; i++) {
    double n[4][3], d[3], e[3];
    for (int f = 0; f < 4; f++) {
      const double *a = t->position_m[t->tet[i][face[f][0]]];
      edge_of(a, t->position_m[t->tet[i][face[f][1]]], d);
      edge_of(a, t->position_m[t->tet[i][face[f][2]]], e);
      cross(d, e, n[f]);
    }
    for (int f = 0; f < 6; f++) {
      const double *p = n[f < 3 ? 0 : f < 5 ? 1 : 2], *q = n[f < 3 ? f + 1 : f < 5 ? f - 1 : 3];
      double angle = acos(-dot(p, q) / sqrt(dot(p, p) * dot(q, q))) / CB_DEG;
      *least = fmin(*least, angle);
      *most = fmax(*most, angle);
    }
  }
}

static void skin(int i, const sim_shape_body *body, cb_err *err) {
  sim_shape_surface s;
  double start = seconds(), mean = 0, longest = 0, least = 180;
  if (sim_shape_skin(body, 0, size[i].skin, &s, err) != CB_OK) return;
  double took = seconds() - start;
  for (int k = 0; k < 3 * s.n_triangles; k++) {
    const int *t = s.triangle[k / 3];
    double d[3], e[3], n[3];
    edge_of(s.x_m[t[k % 3]], s.x_m[t[(k + 1) % 3]], d);
    edge_of(s.x_m[t[k % 3]], s.x_m[t[(k + 2) % 3]], e);
    cross(d, e, n);
    mean += sqrt(dot(d, d)) / (3.0 * s.n_triangles);
    longest = fmax(longest, sqrt(dot(d, d)));
    least = fmin(least, atan2(sqrt(dot(n, n)), dot(d, e)) / CB_DEG);
  }
  printf(" | %d | %.0f | %.2f | %.2f", s.n_vertices, least, longest / mean, took);
  sim_shape_surface_clear(&s);
}

static cb_status row(int i, cb_err *err) {
  sim_shape_body body = sim_shape_make(size[i].which, 0);
  sim_tets t;
  sim_mesh m;
  double start = seconds(), least, most;
  CB_TRY(sim_shape_tets(&body, size[i].cell_m, &t, err));
  double took = seconds() - start;
  angles(&t, &least, &most);
  printf("| %s | %g | %d | %d | %.1f to %.1f | %.2f", sim_shape_ready_names[size[i].which], size[i].cell_m,
         t.n_tets, t.n_vertices, least, most, took);
  skin(i, &body, err);
  const sim_shape_case c = {
      size[i].gap_m, size[i].sewn, {0, 0, 1}, (const sim_vec3 *)t.position_m, (const int(*)[3])t.surface,
      t.n_vertices,  t.n_surface};
  start = seconds();
  cb_status st = sim_shape_sew(&body, &c, &m, err);
  if (st == CB_OK) {
    sim_mesh_quality q = sim_mesh_quality_of(&m);
    printf(" | %d | %.0f | %.2f | %.2f | %.2f |\n", m.n_vertices, q.angle_min_rad / CB_DEG,
           q.edge_max_m / q.edge_mean_m, q.edge_max_m / q.edge_min_m, seconds() - start);
  }
  sim_mesh_clear(&m);
  sim_tets_clear(&t);
  return st;
}

int main(int argc, char **argv) {
  cb_err err = {""};
  printf(
      "| body | cells, m | tetrahedra | vertices | dihedral, deg | s | skin's vertices | least angle, deg | "
      "longest/mean edge | s "
      "| case's vertices | least angle, deg | longest/mean edge | longest/shortest | s |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (size_t i = 0; i < sizeof size / sizeof *size; i++)
    if ((argc < 2 || strcmp(argv[1], sim_shape_ready_names[size[i].which]) == 0) &&
        row((int)i, &err) != CB_OK) {
      fprintf(stderr, "bench_shapes: %s\n", err.msg);
      return 1;
    }
  return 0;
}
