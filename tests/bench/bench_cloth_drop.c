/* A square cloth of 1 m falls onto a sphere of radius 0.25 m, 4 mm below its middle (mu 0.3; 0.15 kg/m2, 1000
 * N/m along warp and weft, shear 300 N/m, bending 1e-5 N m): what a whole step costs, in wall-clock and in
 * processor time, and how far the method is from a converged one.
 *
 *   bench_cloth_drop [--vertices N] [--dt-s H] [--steps K] [--tolerance T] [--iterations L]
 *   [--contact-iterations C] [--case] [--two]
 *                    [--no-body] [--no-self] [--stretch N/m] [--bend Nm] [--before S] [--each]
 *                    [--reference] [--json]
 *
 * --case: a closed case of 0.6 x 0.5 x 0.2 m, blown up by 50 Pa, in place of the square; --two: two squares,
 * the second 2 cm above and in the same place of the cloth, as one mesh; --no-body: no sphere, held by four
 * corners (a case falls); --no-self: does not meet itself; --before: so much time first, in steps of 5 ms;
 * --stretch: of warp and weft, shear and what they cost in proportion; --bend: B.
 *
 * mean_stretch_error: mean over the edges of |length - length of the converged run| / length at rest, after
 * the last step; position_error_m: mean distance of the vertices, which in a cloth that folds says how
 * chaotic that is. The converged run solves every linear system to 1e-8 and contacts up to twenty times
 * (--reference: slow). A cloth that folds is chaotic, which hides what a method costs in accuracy. --each
 * tells it: every fifth step is made from the same state by a converged cloth, too; mean errors of these
 * steps. Bytes are what malloc gave for mesh and cloth. */
#include <errno.h>
#include <malloc.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench_lab.h"
#include "cb_num.h"
#include "cb_threads.h"
#include "sim_cloth.h"
#include "sim_mesh.h"

typedef struct options {
  int vertices, steps, iterations, contact_iterations;
  double dt_s, tolerance, stretch_N_per_m, bend_Nm, before_s;
  bool reference, each, json, closed, two, no_body, no_self;
} options;

typedef struct errors {
  double stretch, position_m;
} errors;

typedef struct outcome {
  double phase_s[SIM_CLOTH_PHASES], seconds, cpu_s, bytes, max_strain;
  long solves, solver_iterations, contacts, self_contacts, impacts;
  sim_cloth_energies energy;
  double (*x)[3];
  errors step; /* --each: mean of single steps */
} outcome;

static sim_material material(const options *o) {
  sim_material m = sim_material_isotropic(0.15, o->stretch_N_per_m, o->bend_Nm);
  m.shear = sim_curve_linear(0.3 * o->stretch_N_per_m);
  m.thickness_m = 5e-4;
  return m;
}

static sim_body sphere(const sim_material *m) {
  return (sim_body){.shape = SIM_SPHERE,
                    .origin_m = {0.5, 0.5, -(0.25 + m->thickness_m / 2 + 4e-3)},
                    .axis = {0, 0, 1},
                    .radius_m = 0.25,
                    .friction = {.mu_kinetic = 0.3, .mu_static = 0.3}};
}

static double length(const double (*x)[3], const sim_edge *e) {
  const double *a = x[e->vertex[0]], *b = x[e->vertex[1]];
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

static double max_strain(const sim_mesh *mesh, const double (*x)[3]) {
  double most = 0;
  for (int e = 0; e < mesh->n_edges; e++) {
    const double rest = length((const sim_vec3 *)mesh->position_m, &mesh->edge[e]);
    most = fmax(most, fabs(length(x, &mesh->edge[e]) / rest - 1));
  }
  return most;
}

static void set_method(sim_cloth_setup *s, const options *o, bool converged) {
  s->solve_tolerance = o->tolerance;
  s->iterations = o->iterations;
  s->contact_iterations = o->contact_iterations;
  if (!converged) return;
  s->solve_tolerance = 1e-8;
  s->solve_iterations = 5000;
  s->contact_iterations = 20;
}

#define PRESSURE_PA 50.0
#define BEFORE_STEP_S 0.005

/* What blows the case up. */
static void blow(const sim_mesh *mesh, const double (*x)[3], double (*push)[3]) {
  memset(push, 0, (size_t)mesh->n_vertices * sizeof *push);
  for (int t = 0; t < mesh->n_triangles; t++) {
    const int *v = mesh->triangle[t];
    double a[3], b[3];
    for (int k = 0; k < 3; k++) {
      a[k] = x[v[1]][k] - x[v[0]][k];
      b[k] = x[v[2]][k] - x[v[0]][k];
    }
    for (int k = 0; k < 3; k++) {
      const double force =
          PRESSURE_PA / 6 * (a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]);
      for (int c = 0; c < 3; c++) push[v[c]][k] += force;
    }
  }
}

/* The corners of the square, where nothing else holds it. */
static void hold_corners(const sim_mesh *mesh, bool *gripped) {
  for (int i = 0; i < mesh->n_vertices; i++) {
    const double *x = mesh->position_m[i];
    gripped[i] = fabs(fabs(x[0] - 0.5) - 0.5) < 1e-9 && fabs(fabs(x[1] - 0.5) - 0.5) < 1e-9;
  }
}

static errors compare(const sim_mesh *mesh, const double (*x)[3], const double (*y)[3]) {
  errors e = {0};
  for (int k = 0; k < mesh->n_edges; k++) {
    const sim_edge *g = &mesh->edge[k];
    e.stretch +=
        fabs(length(x, g) - length(y, g)) / length((const sim_vec3 *)mesh->position_m, g) / mesh->n_edges;
  }
  for (int i = 0; i < mesh->n_vertices; i++)
    e.position_m +=
        sqrt((x[i][0] - y[i][0]) * (x[i][0] - y[i][0]) + (x[i][1] - y[i][1]) * (x[i][1] - y[i][1]) +
             (x[i][2] - y[i][2]) * (x[i][2] - y[i][2])) /
        mesh->n_vertices;
  return e;
}

#define EACH 5 /* steps from one comparison to the next */

/* A converged cloth that makes single steps of the run, too. */
typedef struct twin {
  sim_cloth *cloth; /* NULL: none */
  unsigned char *state;
} twin;

static twin twin_new(const options *o, const sim_cloth_setup *setup) {
  sim_cloth_setup exact = *setup;
  twin t = {0};
  if (!o->each) return t;
  set_method(&exact, o, true);
  LAB_TRY(sim_cloth_new(&exact, &t.cloth, err));
  LAB_TRY(sim_cloth_step(t.cloth, o->dt_s, NULL, err)); /* makes room for its state */
  t.state = malloc(sim_cloth_state_bytes(t.cloth));
  if (!t.state) exit(1);
  return t;
}

static void twin_step(const options *o, const twin *t, const sim_cloth *c) {
  sim_cloth_state_take(c, t->state);
  sim_cloth_state_give(t->cloth, t->state);
  LAB_TRY(sim_cloth_step(t->cloth, o->dt_s, NULL, err));
}

static void twin_compare(const options *o, const twin *t, const sim_cloth *c, errors *mean) {
  const errors e = compare(sim_cloth_mesh(c), (const sim_vec3 *)sim_cloth_position(c),
                           (const sim_vec3 *)sim_cloth_position(t->cloth));
  const int n = o->steps / EACH;
  mean->stretch += e.stretch / n;
  mean->position_m += e.position_m / n;
}

static outcome drop(const options *o, const sim_mesh *mesh, bool converged) {
  outcome out = {0};
  const double before = lab_bytes_in_use();
  const sim_material cloth_material = material(o);
  const sim_body ball = sphere(&cloth_material);
  sim_cloth_setup s = sim_cloth_setup_default(mesh, &cloth_material);
  double(*push)[3] = o->closed ? calloc((size_t)mesh->n_vertices, sizeof *push) : NULL;
  bool *gripped = calloc((size_t)mesh->n_vertices, sizeof *gripped);
  if ((o->closed && !push) || !gripped) exit(1);
  if (o->no_body && !o->closed) hold_corners(mesh, gripped);
  if (o->closed) s.push_N = (const sim_vec3 *)push;
  s.gripped = gripped;
  s.bodies = &ball;
  s.n_bodies = !o->no_body;
  s.self_collision = !o->no_self;
  s.self_friction = ball.friction;
  set_method(&s, o, converged);
  sim_cloth *c;
  LAB_TRY(sim_cloth_new(&s, &c, err));
  const twin exact = twin_new(o, &s);
  for (int k = 0; k < (int)(o->before_s / BEFORE_STEP_S); k++) {
    if (o->closed) blow(mesh, (const sim_vec3 *)sim_cloth_position(c), push);
    LAB_TRY(sim_cloth_step(c, BEFORE_STEP_S, NULL, err));
  }
  const double start = omp_get_wtime(), cpu = lab_cpu_s();
  cb_threads_share share = {0};
  for (int k = 0; k < o->steps; k++) {
    sim_step_report r;
    cb_threads_leave(&share);
    if (o->closed) blow(mesh, (const sim_vec3 *)sim_cloth_position(c), push);
    const bool look = exact.cloth && k % EACH == EACH - 1;
    if (look) twin_step(o, &exact, c);
    LAB_TRY(sim_cloth_step(c, o->dt_s, &r, err));
    if (look) twin_compare(o, &exact, c, &out.step);
    for (int p = 0; p < SIM_CLOTH_PHASES; p++) out.phase_s[p] += r.phase_s[p];
    out.solves += r.solves;
    out.solver_iterations += r.solver_iterations;
    out.contacts += r.contacts;
    out.self_contacts += r.self_contacts;
    out.impacts += r.impacts;
  }
  out.seconds = omp_get_wtime() - start;
  out.cpu_s = lab_cpu_s() - cpu;
  out.bytes = lab_bytes_in_use() - before;
  sim_cloth_energy(c, &out.energy);
  out.max_strain = max_strain(mesh, (const sim_vec3 *)sim_cloth_position(c));
  out.x = malloc((size_t)mesh->n_vertices * sizeof *out.x);
  if (!out.x) exit(1);
  memcpy(out.x, sim_cloth_position(c), (size_t)mesh->n_vertices * sizeof *out.x);
  sim_cloth_free(c);
  sim_cloth_free(exact.cloth);
  free(exact.state);
  free(push);
  free(gripped);
  return out;
}

static void print_text(const options *o, const sim_mesh *mesh, const outcome *r, double mesh_bytes,
                       const errors *e) {
  const double n = o->steps;
  printf("%d vertices, %d steps of %g s, %d threads: %.4f s per step, processors %.4f s\n ", mesh->n_vertices,
         o->steps, o->dt_s, omp_get_max_threads(), r->seconds / n, r->cpu_s / n);
  for (int p = 0; p < SIM_CLOTH_PHASES; p++) printf(" %s %.4f", sim_cloth_phase_names[p], r->phase_s[p] / n);
  printf("\n  per step: %.2f solves, %.1f iterations, %.0f contacts, %.0f self-contacts, %.1f impacts\n",
         (double)r->solves / n, (double)r->solver_iterations / n, (double)r->contacts / n,
         (double)r->self_contacts / n, (double)r->impacts / n);
  printf("  at the end: kinetic %.4f J, stretch %.4f, bending %.5f, gravity %.4f\n", r->energy.kinetic,
         r->energy.stretch, r->energy.bending, r->energy.gravity);
  printf("  %.0f bytes per vertex, largest strain %.4f\n", (r->bytes + mesh_bytes) / mesh->n_vertices,
         r->max_strain);
  if (o->each)
    printf("  single steps against converged ones: mean stretch error %.3e, position %.3e m\n",
           r->step.stretch, r->step.position_m);
  if (e)
    printf("  against the converged run: mean stretch error %.2e, position %.2e m\n", e->stretch,
           e->position_m);
}

static void print_json(const options *o, const sim_mesh *mesh, const outcome *r, double mesh_bytes,
                       const errors *e) {
  const double n = o->steps;
  printf(
      "{\"vertices\": %d, \"steps\": %d, \"dt_s\": %g, \"threads\": %d, \"seconds_per_step\": %.6g, "
      "\"cpu_s_per_step\": %.6g, \"phases\": "
      "{",
      mesh->n_vertices, o->steps, o->dt_s, omp_get_max_threads(), r->seconds / n, r->cpu_s / n);
  for (int p = 0; p < SIM_CLOTH_PHASES; p++)
    printf("%s\"%s\": %.6g", p ? ", " : "", sim_cloth_phase_names[p], r->phase_s[p] / n);
  printf(
      "}, \"solves_per_step\": %.4g, \"iterations_per_step\": %.4g, \"contacts_per_step\": %.5g, "
      "\"self_contacts_per_step\": %.5g",
      (double)r->solves / n, (double)r->solver_iterations / n, (double)r->contacts / n,
      (double)r->self_contacts / n);
  printf(", \"bytes_per_vertex\": %.0f, \"max_strain\": %.5g", (r->bytes + mesh_bytes) / mesh->n_vertices,
         r->max_strain);
  if (e) printf(", \"mean_stretch_error\": %.4g, \"position_error_m\": %.4g", e->stretch, e->position_m);
  printf("}\n");
}

static void usage(void) {
  (void)fprintf(
      stderr,
      "usage: bench_cloth_drop [--vertices N] [--dt-s H] [--steps K] [--tolerance T] [--iterations L] "
      "[--contact-iterations C] "
      "[--case] [--two] [--no-body] [--no-self] [--stretch N/m] [--bend Nm] [--before S] [--each] "
      "[--reference] [--json]\n");
  exit(2);
}

static double number(int argc, char **argv, int *i, double lowest) {
  char *end = NULL;
  errno = 0;
  const double x = ++*i < argc ? strtod(argv[*i], &end) : NAN;
  if (!end || *end != '\0' || errno != 0 || !(x >= lowest && x <= 1e7)) usage();
  return x;
}

static options read_options(int argc, char **argv) {
  options o = {.vertices = 5000,
               .steps = 200,
               .dt_s = 0.005,
               .tolerance = 3e-2,
               .iterations = 1,
               .contact_iterations = 2,
               .stretch_N_per_m = 1000,
               .bend_Nm = 1e-5};
  const struct {
    const char *name;
    bool *set;
  } flag[] = {{"--reference", &o.reference}, {"--each", &o.each}, {"--json", &o.json},
              {"--case", &o.closed},         {"--two", &o.two},   {"--no-body", &o.no_body},
              {"--no-self", &o.no_self}};
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--vertices") == 0)
      o.vertices = (int)number(argc, argv, &i, 4);
    else if (strcmp(argv[i], "--steps") == 0)
      o.steps = (int)number(argc, argv, &i, 1);
    else if (strcmp(argv[i], "--dt-s") == 0)
      o.dt_s = number(argc, argv, &i, 1e-9);
    else if (strcmp(argv[i], "--tolerance") == 0)
      o.tolerance = number(argc, argv, &i, 1e-12);
    else if (strcmp(argv[i], "--iterations") == 0)
      o.iterations = (int)number(argc, argv, &i, 1);
    else if (strcmp(argv[i], "--contact-iterations") == 0)
      o.contact_iterations = (int)number(argc, argv, &i, 1);
    else if (strcmp(argv[i], "--before") == 0)
      o.before_s = number(argc, argv, &i, 0);
    else if (strcmp(argv[i], "--bend") == 0)
      o.bend_Nm = number(argc, argv, &i, 0);
    else if (strcmp(argv[i], "--stretch") == 0)
      o.stretch_N_per_m = number(argc, argv, &i, 1e-3);
    else {
      size_t k = 0;
      while (k < sizeof flag / sizeof flag[0] && strcmp(argv[i], flag[k].name) != 0) k++;
      if (k == sizeof flag / sizeof flag[0]) usage();
      *flag[k].set = true;
    }
  }
  return o;
}

/* The mesh and itself above, with the same places in the cloth. */
static sim_mesh doubled(sim_mesh *one) {
  const int n = one->n_vertices, nt = one->n_triangles;
  double(*x)[3] = malloc(2 * (size_t)n * sizeof *x),
  (*corner)[3][2] = malloc(2 * (size_t)nt * sizeof *corner);
  int(*triangle)[3] = malloc(2 * (size_t)nt * sizeof *triangle);
  sim_mesh two;
  if (!x || !corner || !triangle) exit(1);
  for (int i = 0; i < 2 * n; i++)
    for (int k = 0; k < 3; k++) x[i][k] = one->position_m[i % n][k] + (k == 2 && i >= n ? 0.02 : 0);
  for (int t = 0; t < 2 * nt; t++) {
    for (int k = 0; k < 3; k++) triangle[t][k] = one->triangle[t % nt][k] + (t >= nt ? n : 0);
    memcpy(corner[t], one->corner_m[t % nt], sizeof *corner);
  }
  LAB_TRY(sim_mesh_build((const sim_vec3 *)x, 2 * n, (const int(*)[3])triangle, (const double(*)[3][2])corner,
                         2 * nt, &two, err));
  free(x);
  free(corner);
  free(triangle);
  sim_mesh_clear(one);
  return two;
}

static sim_mesh mesh_of(const options *o) {
  sim_mesh mesh;
  if (o->closed) {
    const int cells = (int)sqrt(o->vertices / 2.0);
    const sim_case shape = {{0.3, 0.25, 0.1}, {2.5, 2}, {cells, cells}};
    LAB_TRY(sim_mesh_case(&shape, &mesh, err));
    for (int i = 0; i < mesh.n_vertices; i++)
      for (int k = 0; k < 3; k++) mesh.position_m[i][k] += k < 2 ? 0.5 : 0.11;
    return mesh;
  }
  const sim_rectangle square = {.length_m = 1,
                                .width_m = 1,
                                .pattern = SIM_PATTERN_ALTERNATING,
                                .about_vertices = o->vertices / (o->two ? 2 : 1)};
  LAB_TRY(sim_mesh_rectangle(&square, &mesh, err));
  return o->two ? doubled(&mesh) : mesh;
}

int main(int argc, char **argv) {
  const options o = read_options(argc, argv);
  const double before = lab_bytes_in_use();
  sim_mesh mesh = mesh_of(&o);
  const double mesh_bytes = lab_bytes_in_use() - before;
  outcome r = drop(&o, &mesh, false);
  errors e = {0};
  if (o.reference) {
    outcome converged = drop(&o, &mesh, true);
    e = compare(&mesh, (const sim_vec3 *)r.x, (const sim_vec3 *)converged.x);
    free(converged.x);
  }
  (o.json ? print_json : print_text)(&o, &mesh, &r, mesh_bytes, o.reference ? &e : NULL);
  free(r.x);
  sim_mesh_clear(&mesh);
  return 0;
}
