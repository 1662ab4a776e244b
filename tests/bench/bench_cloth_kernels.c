/* What a step of the cloth simulator spends in its elements and in its linear system, on square cloths of 1 m
 * (0.15 kg/m2, 5000 N/m along warp and weft, 500 N/m in shear, bending 1e-5 N m, steps of 5 ms), waved and a
 * little strained. Times are the best of several turns: what the machine can do, not what its neighbours left
 * of it. bench_cloth_kernels [--json] [VERTICES...] */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_lab.h"
#include "cb_rng.h"
#include "sim_bending.h"
#include "sim_mesh.h"
#include "sim_pcg.h"

#define STEP_S 0.005
#define TURNS 7

static void *room(size_t n, size_t size) {
  void *p = calloc(n, size);
  if (!p) {
    (void)fprintf(stderr, "out of memory\n");
    exit(1);
  }
  return p;
}

typedef struct cloth {
  sim_mesh mesh;
  sim_material material;
  sim_membrane membrane;
  sim_bending bending;
  sim_matrix matrix;
  sim_multilevel multilevel;
  sim_pcg pcg;
  double (*x)[3], (*force)[3], *mass;
  float (*b)[4], (*y)[4];
} cloth;

/* Waves along a slanting direction whose heading is 1.2 sin: developable, so strained only by what is added:
 * 0.6 % smoothly, 0.1 % of an edge at random. */
static void wave(cloth *c) {
  enum { PARTS = 20000 };
  static double along[PARTS + 1], up[PARTS + 1];
  const double length = 1.4, part = length / PARTS, slant = sqrt(1.09), h = sqrt(1.0 / c->mesh.n_vertices);
  cb_rng rng;
  cb_rng_init(&rng, 1, 0);
  for (int k = 0; k < PARTS; k++) {
    const double heading = 1.2 * sin(2 * 3.14159265358979 * 5 * k * part);
    along[k + 1] = along[k] + cos(heading) * part;
    up[k + 1] = up[k] + sin(heading) * part;
  }
  for (int i = 0; i < c->mesh.n_vertices; i++) {
    const double u = c->mesh.position_m[i][0], v = c->mesh.position_m[i][1], d = (u + 0.3 * v) / slant / part,
                 rest = d - floor(d);
    const int k = (int)d;
    c->x[i][0] = along[k] + rest * (along[k + 1] - along[k]) + 2e-3 * sin(3 * v) * u;
    c->x[i][1] = (v - 0.3 * u) / slant + 2e-3 * cos(4 * u + v);
    c->x[i][2] = up[k] + rest * (up[k + 1] - up[k]) + 2e-3 * sin(5 * u * v);
    for (int a = 0; a < 3; a++) c->x[i][a] += 1e-3 * h * (2 * cb_rng_uniform(&rng) - 1);
  }
}

static void cloth_init(int vertices, cloth *c) {
  *c = (cloth){.material = sim_material_isotropic(0.15, 5000, 1e-5)};
  c->material.shear = sim_curve_linear(500);
  const sim_rectangle square = {
      .length_m = 1, .width_m = 1, .pattern = SIM_PATTERN_ALTERNATING, .about_vertices = vertices};
  LAB_TRY(sim_mesh_rectangle(&square, &c->mesh, err));
  LAB_TRY(sim_membrane_init(&c->mesh, &c->material, &c->membrane, err));
  LAB_TRY(sim_bending_init(&c->mesh, (const sim_vec3 *)c->material.bending_Nm, NULL, NULL, &c->bending, err));
  LAB_TRY(sim_matrix_init(&c->bending.pairs, &c->matrix, err));
  LAB_TRY(sim_multilevel_init(&c->mesh, &c->multilevel, err));
  LAB_TRY(sim_pcg_init(c->mesh.n_vertices, &c->pcg, err));
  const size_t n = (size_t)c->mesh.n_vertices;
  c->x = room(n, sizeof *c->x);
  c->force = room(n, sizeof *c->force);
  c->mass = room(n, sizeof *c->mass);
  c->b = room(n, sizeof *c->b);
  c->y = room(n, sizeof *c->y);
  for (size_t i = 0; i < n; i++) c->mass[i] = c->material.areal_density_kg_per_m2 * c->mesh.vertex_area_m2[i];
  wave(c);
}

static void cloth_clear(cloth *c) {
  sim_pcg_clear(&c->pcg);
  sim_multilevel_clear(&c->multilevel);
  sim_matrix_clear(&c->matrix);
  sim_bending_clear(&c->bending);
  sim_membrane_clear(&c->membrane);
  sim_mesh_clear(&c->mesh);
  free(c->x);
  free(c->force);
  free(c->mass);
  free(c->b);
  free(c->y);
}

/* ---- the kernels ---- */

static void tangent(cloth *c) {
  memset(c->force, 0, (size_t)c->mesh.n_vertices * sizeof *c->force);
  (void)sim_membrane_evaluate(&c->membrane, (const sim_vec3 *)c->x, SIM_TANGENT_CLAMPED, c->force);
}

static void assemble(cloth *c) {
  sim_matrix_assemble(&c->matrix, c->mass, NULL, STEP_S * STEP_S, &c->membrane, STEP_S * STEP_S);
}

static void build(cloth *c) {
  sim_multilevel_build(&c->multilevel, &c->matrix, c->mass, NULL, STEP_S * STEP_S, &c->membrane, NULL, 0);
}

static void product(cloth *c) { (void)sim_matrix_product(&c->matrix, c->b, c->y, c->pcg.chunk_sum); }

static void precondition(cloth *c) {
  (void)sim_multilevel_apply(&c->multilevel, c->b, c->y, c->pcg.chunk_sum);
}

static double milliseconds(void (*kernel)(cloth *), cloth *c) {
  double best = INFINITY;
  for (int k = 0; k < TURNS; k++) {
    const double start = omp_get_wtime();
    kernel(c);
    best = fmin(best, omp_get_wtime() - start);
  }
  return 1e3 * best;
}

typedef struct solved {
  double ms;
  sim_pcg_result result;
} solved;

/* Momentum that elasticity and gravity give in a step. */
static solved solve(cloth *c, double tolerance) {
  solved s = {.ms = INFINITY};
  for (int i = 0; i < c->mesh.n_vertices; i++)
    for (int a = 0; a < 3; a++)
      c->b[i][a] = (float)(STEP_S * (c->force[i][a] - (a == 2 ? 9.80665 * c->mass[i] : 0)));
  for (int k = 0; k < 3; k++) {
    memset(c->y, 0, (size_t)c->mesh.n_vertices * sizeof *c->y);
    const double start = omp_get_wtime();
    s.result = sim_pcg_solve(&c->pcg, &c->matrix, &c->multilevel, NULL, 0, c->b, c->y, tolerance,
                             (sim_pcg_size){0, 0}, 2000);
    s.ms = fmin(s.ms, 1e3 * (omp_get_wtime() - start));
  }
  return s;
}

/* What a product has to fetch and store once. */
static double product_bytes(const sim_matrix *a) {
  return 52.0 * a->n_edges + (24 + 16 + 16 + 12) * (double)a->n + (a->step ? 6.0 : 8.0) * a->far_start[a->n];
}

/* Memory read at best by all threads [GB/s]: sums over 256 MB. */
static double read_gb_per_s(void) {
  enum { COUNT = 1 << 25, PARTS = 64 };
  double *a = room(COUNT, sizeof *a), part[PARTS], best = INFINITY, sum = 0;
#pragma omp parallel for schedule(static)
  for (int i = 0; i < COUNT; i++) a[i] = i;
  for (int k = 0; k < TURNS; k++) {
    const double start = omp_get_wtime();
#pragma omp parallel for schedule(static)
    for (int p = 0; p < PARTS; p++) {
      double s[8] = {0};
      for (int i = p * (COUNT / PARTS); i < (p + 1) * (COUNT / PARTS); i += 8)
        for (int l = 0; l < 8; l++) s[l] += a[i + l];
      part[p] = s[0] + s[1] + s[2] + s[3] + s[4] + s[5] + s[6] + s[7];
    }
    best = fmin(best, omp_get_wtime() - start);
    sum += part[k];
  }
  free(a);
  return sum > 0 ? 8.0 * COUNT / best / 1e9 : 0;
}

static void run(int vertices, int json, double gb_per_s) {
  cloth c;
  cloth_init(vertices, &c);
  const double t = milliseconds(tangent, &c), a = milliseconds(assemble, &c), g = milliseconds(build, &c);
  const solved coarse = solve(&c, 1e-3), fine = solve(&c, 1e-5);
  const double p = milliseconds(product, &c), m = milliseconds(precondition, &c),
               bytes = product_bytes(&c.matrix);
  const double share = bytes / (p * 1e-3) / 1e9 / gb_per_s;
  if (json) {
    printf(
        "{\"vertices\": %d, \"threads\": %d, \"tangent_ms\": %.4g, \"assemble_ms\": %.4g, \"build_ms\": "
        "%.4g, \"product_ms\": %.4g, ",
        c.mesh.n_vertices, omp_get_max_threads(), t, a, g, p);
    printf(
        "\"precondition_ms\": %.4g, \"product_bytes_per_vertex\": %.4g, \"read_GB_per_s\": %.4g, "
        "\"product_read_share\": %.3g, ",
        m, bytes / c.mesh.n_vertices, gb_per_s, share);
    printf(
        "\"solve_1e-3_ms\": %.4g, \"iterations_1e-3\": %d, \"solve_1e-5_ms\": %.4g, \"iterations_1e-5\": "
        "%d}\n",
        coarse.ms, coarse.result.iterations, fine.ms, fine.result.iterations);
  } else {
    printf("%8d %9.2f %9.2f %9.2f %9.3f %9.3f %8.0f %8.2f %9.1f (%d) %9.1f (%d)\n", c.mesh.n_vertices, t, a,
           g, p, m, bytes / c.mesh.n_vertices, share, coarse.ms, coarse.result.iterations, fine.ms,
           fine.result.iterations);
  }
  (void)fflush(stdout);
  cloth_clear(&c);
}

int main(int argc, char **argv) {
  int json = 0, sizes[16] = {5000, 20000, 80000}, n = 0;
  for (int i = 1; i < argc && n < 16; i++) {
    if (strcmp(argv[i], "--json") == 0) {
      json = 1;
    } else if ((sizes[n++] = atoi(argv[i])) < 4) {
      (void)fprintf(stderr, "usage: bench_cloth_kernels [--json] [VERTICES...]\n");
      return 2;
    }
  }
  const double gb_per_s = read_gb_per_s();
  if (!json) {
    printf(
        "%d threads, memory read at %.1f GB/s; milliseconds; product: bytes per vertex, share of the reading "
        "speed; solves (iterations)\n",
        omp_get_max_threads(), gb_per_s);
    printf("%8s %9s %9s %9s %9s %9s %8s %8s %14s %14s\n", "vertices", "tangent", "assemble", "build",
           "product", "precond.", "bytes", "share", "to 1e-3", "to 1e-5");
  }
  for (int i = 0; i < (n ? n : 3); i++) run(sizes[i], json, gb_per_s);
  return 0;
}
