/* What the contact offset between a cloth and a body costs a step: every vertex of a sheet presses on a block
 * and slides.
 *
 *   ./run bench offset [VERTICES]
 *
 * Processor time of the calling program's threads together, medians of 21 steps. */
#include "bench_lab.h"
#include "cb_stats.h"
#include "sim_offset.h"
#include "sim_mesh.h"
#include "sim_shape.h"

#define STEPS 21
#define DT_S 1e-3

typedef struct scene {
  sim_mesh mesh;
  sim_tets tets;
  sim_hull hull;
  sim_traverse *surface;
  sim_closest_point *closest;
  double *mass, *body_mass;
  double (*x)[3], (*v)[3], (*bx)[3], (*bv)[3];
} scene;

static void make(scene *s, int vertices) {
  const sim_rectangle r = {
      .length_m = 2, .width_m = 2, .pattern = SIM_PATTERN_IRREGULAR, .about_vertices = vertices};
  const sim_block b = {{-0.2, -0.2, -0.2}, {2.2, 2.2, 0}, {80, 80, 4}};
  LAB_TRY(sim_mesh_rectangle(&r, &s->mesh, err));
  LAB_TRY(sim_tets_block(&b, &s->tets, err));
  LAB_TRY(
      sim_hull_build((const int(*)[3])s->tets.surface, s->tets.n_surface, s->tets.n_vertices, &s->hull, err));
  LAB_TRY(sim_traverse_new(&s->hull, &s->surface, err));
  size_t n = (size_t)s->mesh.n_vertices, nb = (size_t)s->tets.n_vertices;
  s->closest = calloc(n, sizeof *s->closest);
  s->mass = calloc(n, sizeof *s->mass);
  s->body_mass = calloc(nb, sizeof *s->body_mass);
  s->x = calloc(n, sizeof *s->x);
  s->v = calloc(n, sizeof *s->v);
  s->bx = calloc(nb, sizeof *s->bx);
  s->bv = calloc(nb, sizeof *s->bv);
  if (!s->closest || !s->mass || !s->body_mass || !s->x || !s->v || !s->bx || !s->bv) exit(2);
  for (size_t i = 0; i < n; i++) s->mass[i] = 0.1 * s->mesh.vertex_area_m2[i];
  for (size_t i = 0; i < nb; i++) s->body_mass[i] = 30 * 2.4 * 2.4 * 0.2 / (double)nb;
}

/* The same state before every step. */
static void put(scene *s, double height_m) {
  for (int i = 0; i < s->mesh.n_vertices; i++) {
    memcpy(s->x[i], s->mesh.position_m[i], sizeof s->x[i]);
    s->x[i][2] = height_m;
    s->v[i][0] = 0.2, s->v[i][1] = 0.1, s->v[i][2] = -9.81 * DT_S;
  }
  memcpy(s->bx, s->tets.position_m, (size_t)s->tets.n_vertices * sizeof *s->bx);
  memset(s->bv, 0, (size_t)s->tets.n_vertices * sizeof *s->bv);
  LAB_TRY(sim_traverse_surface(s->surface, (const sim_vec3 *)s->bx, 0.05, err));
}

static void run(scene *s, const char *words, sim_friction friction, bool elastic) {
  sim_offset_setup setup = sim_offset_setup_default(&s->mesh, 0.05);
  setup.friction = friction;
  sim_offset *b;
  LAB_TRY(sim_offset_new(&setup, s->mesh.n_vertices, s->tets.n_vertices, &b, err));
  sim_offset_cloth cloth = {.mesh = &s->mesh, .x_m = s->x, .v_m_per_s = s->v, .mass_kg = s->mass};
  sim_offset_body body = {&s->hull, s->bx, s->bv, elastic ? s->body_mass : NULL};
  double cpu[STEPS], wall[STEPS], work[STEPS];
  sim_offset_report r;
  for (int k = 0; k < STEPS; k++) {
    put(s, setup.thickness_m * 0.999);
    if (k == 0)
      LAB_TRY(sim_traverse_start(s->surface, (const sim_vec3 *)s->x, s->mesh.n_vertices, s->closest, err));
    double c = lab_cpu_s(), w = cb_now_monotonic_s();
    sim_offset_press(b, s->surface, s->closest, &cloth, &body, DT_S, &r);
    wall[k] = cb_now_monotonic_s() - w;
    cpu[k] = lab_cpu_s() - c;
  }
  printf("%-8s %-22s %9d contacts %8.2f ms of processor %8.2f ms\n", elastic ? "elastic" : "prescribed",
         words, r.contacts, 1e3 * cb_median(cpu, STEPS, work), 1e3 * cb_median(wall, STEPS, work));
  sim_offset_free(b);
}

int main(int argc, char **argv) {
  static scene s;
  static cb_friction_law law = {.contact_area_m2 = 0.005, .n_knots = 3, .exponent = 0.9, .dof = 1e9};
  make(&s, argc > 1 ? atoi(argv[1]) : 80000);
  for (int k = 0; k < 3; k++)
    law.knots[k] =
        (cb_friction_knot){.normal_force_N = pow(10, k - 1),
                           .f_N = {0.25 * pow(10, 0.9 * (k - 1)), 0.02 * k, 0.45 * pow(10, 0.9 * (k - 1))}};
  for (int elastic = 0; elastic < 2; elastic++) {
    run(&s, "no friction", (sim_friction){0}, elastic);
    run(&s, "two numbers", (sim_friction){.mu_kinetic = 0.3, .mu_static = 0.35}, elastic);
    run(&s, "a law that is turned", (sim_friction){.kinetic_law = &law}, elastic);
  }
  return 0;
}
