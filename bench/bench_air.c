/* A step of the air by conjugate gradients in the pressures, and by BiCGSTAB in the amounts, from the same states.
 *
 *   ./run bench air
 *
 * A sheet of air, gaps uneven by a factor of three, over-pressure at random; steps of 1 and 5 ms, slow and fast flow along the layer.
 * Processor time, medians of 11 steps. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "cb_rng.h"
#include "sim_air.h"
#include "sim_mesh_make.h"

#define STEPS 11

static cb_err err;

static void must(cb_status st) {
  if (st == CB_OK) return;
  (void)fprintf(stderr, "bench_air: %s\n", err.msg);
  exit(2);
}

static double cpu_s(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b) {
  double d = *(const double *)a - *(const double *)b;
  return (d > 0) - (d < 0);
}

static void run(const sim_mesh *m, sim_air_solver solver, double dt_s, double flow) {
  size_t n = (size_t)m->n_vertices;
  double *gap = malloc(n * sizeof *gap), spent[STEPS];
  if (!gap) exit(2);
  cb_rng rng;
  cb_rng_init(&rng, 1, 0);
  for (size_t i = 0; i < n; i++) gap[i] = 0.01 * (1 + 2 * cb_rng_uniform(&rng));
  const sim_air_place place = {(const double(*)[3])m->position_m, m->vertex_area_m2, gap, NULL, NULL};
  sim_air_setup s = sim_air_setup_default(m);
  s.kappa_m_per_s = 0.05;
  s.flow_m_per_s = flow;
  s.solver = solver;
  sim_air *a;
  sim_air_report r = {0};
  must(sim_air_new(&s, &a, &err));
  for (int k = 0; k < STEPS; k++) {
    sim_air_fill(a, &place, SIM_ATMOSPHERE_PA);
    for (size_t i = 0; i < n; i++) sim_air_amount_J(a)[i] *= 1 + 0.01 * cb_rng_uniform(&rng);
    double begin = cpu_s();
    must(sim_air_step(a, &place, dt_s, &r, &err));
    spent[k] = cpu_s() - begin;
  }
  qsort(spent, STEPS, sizeof *spent, ascending);
  printf("%9d %6g ms %8g m/s  %-9s %5d iterations %9.2f ms\n", m->n_vertices, 1e3 * dt_s, flow, sim_air_solver_names[solver], r.iterations,
         1e3 * spent[STEPS / 2]);
  sim_air_free(a);
  free(gap);
}

int main(void) {
  static const int vertices[] = {5000, 80000};
  static const double dt_s[] = {1e-3, 5e-3}, flow[] = {1, 100};
  for (int v = 0; v < 2; v++) {
    const sim_rectangle rect = {.length_m = 1, .width_m = 1, .pattern = SIM_PATTERN_IRREGULAR, .about_vertices = vertices[v]};
    sim_mesh m;
    must(sim_mesh_rectangle(&rect, &m, &err));
    for (int d = 0; d < 2; d++)
      for (int f = 0; f < 2; f++)
        for (int solver = SIM_AIR_CG; solver <= SIM_AIR_BICGSTAB; solver++) run(&m, (sim_air_solver)solver, dt_s[d], flow[f]);
    sim_mesh_clear(&m);
  }
  return 0;
}
