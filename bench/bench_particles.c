/* What a step of a cloth of particles costs, and what it is spent on; shadows in the wind against rays; the
 * sag of the paper's experiment.
 *
 *   bench_particles [--json]
 *
 * The sheet of `validate sag-particles` (lambda 51200 N/m3, damped), hung from two corners in a wind of 4
 * m/s, steps of 5 ms: 50 to begin with, then 40, each timed; the least and the median of processor time
 * (threads added up). One linearisation per step, which is the paper's scheme, and Newton's method to 1e-6
 * m/s. Xiao and Geng (2007) give no times. */
#include "bench_lab.h"
#include "sim_conditions_look.h"
#include "val_sag.h"

#define DT_S 5e-3
#define FIRST 50
#define TIMED 40

typedef struct cost {
  int vertices, shadowed, clamped;
  double least_s, median_s, solver_iterations, linearisations, shade_s, rays_s;
} cost;

typedef double vec3[3];

static double det(const double a[3], const double b[3], const double c[3]) {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
         a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* Cramer's rule for p - t wind = a + u ab + v ac. */
static bool stopped(const sim_mesh *m, const vec3 *x, int i, const double wind[3]) {
  for (int t = 0; t < m->n_triangles; t++) {
    const int *c = m->triangle[t];
    if (c[0] == i || c[1] == i || c[2] == i) continue;
    double ab[3], ac[3], ap[3];
    for (int k = 0; k < 3; k++)
      ab[k] = x[c[1]][k] - x[c[0]][k], ac[k] = x[c[2]][k] - x[c[0]][k], ap[k] = x[i][k] - x[c[0]][k];
    const double whole = det(ab, ac, wind), u = det(ap, ac, wind) / whole, v = det(ab, ap, wind) / whole,
                 far = det(ab, ac, ap) / whole;
    if (whole != 0 && u >= 0 && v >= 0 && u + v <= 1 && far > 0) return true;
  }
  return false;
}

static void wind_shadow(sim_conditions *p, const sim_conditions_setup *s, cost *c) {
  c->shade_s = INFINITY;
  const bool *shadowed = NULL;
  for (int k = 0; k < 20; k++) {
    const double begin = lab_cpu_s();
    shadowed = sim_conditions_shadowed(p);
    c->shade_s = fmin(c->shade_s, lab_cpu_s() - begin);
  }
  const double begin = lab_cpu_s();
  int other = 0;
  for (int i = 0; i < s->mesh->n_vertices; i++) {
    c->shadowed += shadowed[i];
    other += stopped(s->mesh, (const vec3 *)sim_conditions_position(p), i, s->wind_m_per_s) != shadowed[i];
  }
  c->rays_s = lab_cpu_s() - begin;
  if (other > 0) lab_die("shadows are not the rays'");
}

static cost measure(int cells, int iterations) {
  cost c = {0};
  double times[TIMED];
  val_sag e = val_sag_default();
  sim_mesh mesh;
  sim_conditions *p;
  e.lambda_N_per_m3 = 51200;
  e.cells = cells;
  LAB_TRY(val_sag_mesh(0.6, 0.8, cells, cells, &mesh, err));
  bool *held = calloc((size_t)mesh.n_vertices, sizeof *held);
  if (!held) lab_die("out of memory");
  sim_conditions_setup s = val_sag_setup(&e, &mesh, held);
  s.law[SIM_CONDITIONS_STRETCH].damping = 0.02;
  s.law[SIM_CONDITIONS_BEND].damping = 1e-6;
  s.wind_m_per_s[0] = 3.6, s.wind_m_per_s[1] = 1.6, s.wind_m_per_s[2] = 0.7;
  s.wind_Ns_per_m3 = 0.5;
  s.iterations = iterations;
  LAB_TRY(sim_conditions_new(&s, &p, err));
  for (int k = 0; k < FIRST + TIMED; k++) {
    sim_conditions_report r;
    const double begin = lab_cpu_s();
    LAB_TRY(sim_conditions_step(p, DT_S, &r, err));
    if (k < FIRST) continue;
    times[k - FIRST] = lab_cpu_s() - begin;
    c.solver_iterations += (double)r.solver_iterations / TIMED;
    c.clamped += r.clamped;
    c.linearisations += (double)r.linearisations / TIMED;
  }
  c.vertices = mesh.n_vertices;
  c.median_s = median(times, TIMED);
  c.least_s = times[0];
  wind_shadow(p, &s, &c);
  sim_conditions_free(p);
  sim_mesh_clear(&mesh);
  free(held);
  return c;
}

static void print_cost(const cost *c, bool json, const char *name, const char *more) {
  if (json)
    printf(
        "    \"%s\": {\"vertices\": %d, \"step_ms\": %.6g, \"median_ms\": %.6g, \"linearisations\": %.6g, "
        "\"clamped\": %d, "
        "\"solver_iterations\": %.6g, "
        "\"shade_us\": %.6g, \"rays_us\": %.6g, \"shadowed\": %d}%s\n",
        name, c->vertices, 1e3 * c->least_s, 1e3 * c->median_s, c->linearisations, c->clamped,
        c->solver_iterations, 1e6 * c->shade_s, 1e6 * c->rays_s, c->shadowed, more);
  else
    printf(
        "%-22s %6d vertices: step %.3f ms (median %.3f), %.1f linearisations (%d clamped in all), %.1f "
        "iterations of CG; shadows %.0f us, "
        "rays %.0f us, %d "
        "shadowed\n",
        name, c->vertices, 1e3 * c->least_s, 1e3 * c->median_s, c->linearisations, c->clamped,
        c->solver_iterations, 1e6 * c->shade_s, 1e6 * c->rays_s, c->shadowed);
}

static void print_sag(bool json) {
  static const double lambda[] = {0, 1600, 51200, 204800};
  for (int k = 0; k < 4; k++) {
    val_sag e = val_sag_default();
    val_sag_result r;
    e.lambda_N_per_m3 = lambda[k];
    LAB_TRY(val_sag_run(&e, &r, err));
    if (json)
      printf("%s{\"lambda_N_per_m3\": %g, \"sag_mm\": %.6g, \"pin_strain\": %.6g, \"bottom_sag_mm\": %.6g}",
             k ? ", " : "    \"sag\": [", lambda[k], 1e3 * r.sag_m, r.pin_strain, 1e3 * r.bottom_sag_m);
    else
      printf(
          "lambda %6g N/m3: sag at the pins %.2f mm, strain there %.1f %%, lower edge %.2f mm lower; %d "
          "steps, %.2f s\n",
          lambda[k], 1e3 * r.sag_m, 1e2 * r.pin_strain, 1e3 * r.bottom_sag_m, r.steps, r.seconds);
  }
  if (json) printf("]\n");
}

int main(int argc, char **argv) {
  const bool json = argc == 2 && strcmp(argv[1], "--json") == 0;
  if (argc > 1 && !json) lab_die("usage: bench_particles [--json]");
  const cost paper = measure(20, 1), newton = measure(20, 20), fine = measure(60, 1);
  if (json) printf("{\n  \"nonlinear\": {\n");
  print_cost(&paper, json, json ? "linear_20" : "one linearisation", ",");
  print_cost(&newton, json, json ? "newton_20" : "Newton's method", ",");
  print_cost(&fine, json, json ? "linear_60" : "one linearisation", ",");
  print_sag(json);
  if (json) printf("  }\n}\n");
  return 0;
}
