/* A step of the air by conjugate gradients in the pressures, and by BiCGSTAB in the amounts, from the same
 * states.
 *
 *   ./run bench air
 *
 * A sheet of air, gaps uneven by a factor of three, over-pressure at random; steps of 1 and 5 ms, slow and
 * fast flow along the layer. Processor time, medians of 11 steps. */
#include "bench_lab.h"
#include "cb_rng.h"
#include "cb_stats.h"
#include "sim_mesh.h"
#include "sim_layered.h"

#define STEPS 11

static void run(const sim_mesh *m, sim_air_solver solver, double dt_s, double flow) {
  size_t n = (size_t)m->n_vertices;
  double *gap = malloc(n * sizeof *gap), spent[STEPS], work[STEPS];
  if (!gap) exit(2);
  cb_rng rng;
  cb_rng_init(&rng, 1, 0);
  for (size_t i = 0; i < n; i++) gap[i] = 0.01 * (1 + 2 * cb_rng_uniform(&rng));
  const sim_air_place place = {(const sim_vec3 *)m->position_m, m->vertex_area_m2, gap, NULL};
  sim_air_setup s = sim_air_setup_default(m);
  s.kappa_m_per_s = 0.05;
  s.flow_m_per_s = flow;
  s.solver = solver;
  sim_air *a;
  sim_air_report r = {0};
  LAB_TRY(sim_air_new(&s, &a, err));
  for (int k = 0; k < STEPS; k++) {
    sim_air_fill(a, &place, SIM_ATMOSPHERE_PA);
    for (size_t i = 0; i < n; i++) sim_air_amount_J(a)[i] *= 1 + 0.01 * cb_rng_uniform(&rng);
    double begin = lab_cpu_s();
    LAB_TRY(sim_air_step(a, &place, dt_s, &r, err));
    spent[k] = lab_cpu_s() - begin;
  }
  printf("%9d %6g ms %8g m/s  %-9s %5d iterations %9.2f ms\n", m->n_vertices, 1e3 * dt_s, flow,
         sim_air_solver_names[solver], r.iterations, 1e3 * cb_median(spent, STEPS, work));
  sim_air_free(a);
  free(gap);
}

int main(void) {
  static const int vertices[] = {5000, 80000};
  static const double dt_s[] = {1e-3, 5e-3}, flow[] = {1, 100};
  for (int v = 0; v < 2; v++) {
    const sim_rectangle rect = {
        .length_m = 1, .width_m = 1, .pattern = SIM_PATTERN_IRREGULAR, .about_vertices = vertices[v]};
    sim_mesh m;
    LAB_TRY(sim_mesh_rectangle(&rect, &m, err));
    for (int d = 0; d < 2; d++)
      for (int f = 0; f < 2; f++)
        for (int solver = SIM_AIR_CG; solver <= SIM_AIR_BICGSTAB; solver++)
          run(&m, (sim_air_solver)solver, dt_s[d], flow[f]);
    sim_mesh_clear(&m);
  }
  return 0;
}
