/* What a step of an elastic body costs: frames, forces and matrix; and the solve, by tolerance and length of
 * the step.
 *
 *   bench_elastic [--steps K]
 *
 * A cushion and a ball of foam (25 kg/m3, 4 kPa, damping 10 ms) fall at 2 m/s on the ground, which stops
 * their lowest vertices: K steps (else 40) from there, each from the same states. Processor time of all
 * threads. */
#include "bench_lab.h"
#include "sim_blocks.h"
#include "sim_elastic.h"

#define SPEED_M_PER_S 2

typedef struct cost {
  double make_s, solve_s, iterations;
} cost;

static cost fall(const sim_tets *t, const bool *held, double dt_s, double tolerance, int steps) {
  sim_elastic_setup s = sim_elastic_setup_default(t);
  s.density_kg_per_m3 = 25;
  s.young_Pa = 4e3;
  s.poisson = 0.2;
  s.damping_s = 0.01;
  s.held = held;
  sim_elastic *e;
  sim_elastic_report r;
  cost c = {0, 0, 0};
  LAB_TRY(sim_elastic_new(&s, &e, err));
  for (int i = 0; i < t->n_vertices; i++) sim_elastic_velocity(e)[i][2] = held[i] ? 0 : -SPEED_M_PER_S;
  for (int k = 0; k < steps; k++) {
    double begin = lab_cpu_s();
    sim_elastic_system a = sim_elastic_begin(e, dt_s, &r);
    double made = lab_cpu_s();
    sim_blocks_result solved =
        sim_blocks_solve(a.matrix, a.held, a.b, sim_elastic_velocity(e), tolerance, s.max_iterations);
    c.solve_s += (lab_cpu_s() - made) / steps;
    c.make_s += (made - begin) / steps;
    c.iterations += (double)solved.iterations / steps;
    LAB_TRY(sim_elastic_end(e, dt_s, err));
  }
  sim_elastic_free(e);
  return c;
}

static void measure(const sim_cushion *shape, int steps) {
  static const double length_s[] = {1e-3, 4e-3}, tolerance[] = {1e-2, 1e-4, 1e-6};
  sim_tets t;
  LAB_TRY(sim_tets_cushion(shape, &t, err));
  bool *held = calloc((size_t)t.n_vertices, sizeof *held);
  if (!held) lab_die("out of memory");
  for (int i = 0; i < t.n_vertices; i++) held[i] = t.position_m[i][2] < -0.8 * shape->half_m[2];
  printf("%d vertices, %d tetrahedra\n", t.n_vertices, t.n_tets);
  for (int k = 0; k < 6; k++) {
    cost c = fall(&t, held, length_s[k / 3], tolerance[k % 3], steps);
    printf("  step %g ms, tolerance %g: matrix %.2f ms, solve %.2f ms, %.1f iterations\n",
           1e3 * length_s[k / 3], tolerance[k % 3], 1e3 * c.make_s, 1e3 * c.solve_s, c.iterations);
  }
  free(held);
  sim_tets_clear(&t);
}

int main(int argc, char **argv) {
  int steps = argc == 3 && strcmp(argv[1], "--steps") == 0 ? atoi(argv[2]) : argc == 1 ? 40 : 0;
  if (steps < 1) lab_die("usage: bench_elastic [--steps K], K at least 1");
  measure(&(sim_cushion){{0.35, 0.25, 0.08}, {4, 2}, {24, 18, 4}}, steps);
  measure(&(sim_cushion){{0.3, 0.3, 0.3}, {2, 2}, {16, 16, 16}}, steps);
  return 0;
}
