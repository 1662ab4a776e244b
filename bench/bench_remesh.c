/* What remeshing keeps, costs and comes to: a Cusick drape (30 cm on 18 cm) on a mesh that is remeshed,
 * against one that is uniform and fine.
 *
 *   bench_remesh [--starts 6] [--edge-mm 2.3] [--json]
 *
 * A cloth of 0.15 kg/m2, 10 uN m, 500 N/m. Starts are folded a little (10 mm at the rim) into 6, 7 and 8
 * waves in turn, with chance added (0.2 mm, 2 to 8 waves), so that every mesh comes to the same number of
 * folds: which equilibrium a cloth falls into is chance, what it looks like there is the mesh. Each falls for
 * 1 s in steps of 10 ms, is calmed and settled (docs/method/equilibria.md, "Statistics"); three ways:
 *   uniform          on the fine mesh
 *   coarse to fine   on one of twice the edge, whose calm shape the fine one takes: how `validate drape` does
 *                    it
 *   remeshed         from 12 mm on, remeshed every 20 steps by looser rules and three times on the way to
 *                    rest
 * Processor time of all of it, meshes made included; best with OMP_NUM_THREADS=1. Rules were chosen on seeds
 * 1 and 2; these are 11 and on.
 */
#include <errno.h>

#include "bench_lab.h"
#include "cb_num.h"
#include "fit_drape.h"
#include "sim_mesh.h"
#include "sim_remesh.h"
#include "sim_remesh_state.h"

#define SUPPORT_M 0.09
#define RIM_M 0.15
#define TOLERANCE 1e-4
#define DT_S 0.01
#define FALL 100 /* steps */
#define EVERY 20
#define STARTS_MAX 60

typedef struct start {
  int waves;
  uint64_t seed;
} start;

typedef struct outcome {
  double drape_coefficient, cpu_s;
  int nodes, vertices;
  bool settled, stable;
  double remesh_s, step_s; /* each, on the mean */
  int remeshings;
  double area_off, mass_off, momentum_off; /* the worst of all remeshings; momentum: over mass x the fastest
                                              vertex */
} outcome;

/* ---- the cloth ---- */

typedef struct lab_cloth {
  sim_mesh mesh;
  sim_material material;
  bool *held;
} lab_cloth;

static sim_material cloth_of_lab(void) {
  sim_material m = sim_material_isotropic(0.15, 500, 1e-5);
  m.shear = sim_curve_linear(40);
  m.drag_per_s = 5;
  return m;
}

static void cloth_init(const start *s, double edge_m, double rim_edge_m, lab_cloth *c) {
  const sim_disc d = {.n_circles = 3,
                      .circle = {{0, fmax(edge_m, 0.02)}, {SUPPORT_M, edge_m}, {RIM_M, rim_edge_m}},
                      .pattern = SIM_PATTERN_IRREGULAR,
                      .warp_rad = 0.3 * (double)s->seed,
                      .seed = s->seed};
  c->material = cloth_of_lab();
  LAB_TRY(sim_mesh_disc(&d, &c->mesh, err));
  c->held = calloc((size_t)c->mesh.n_vertices, sizeof *c->held);
  if (!c->held) lab_die("out of memory");
  for (int i = 0; i < c->mesh.n_vertices; i++)
    c->held[i] = hypot(c->mesh.position_m[i][0], c->mesh.position_m[i][1]) <= SUPPORT_M * (1 + 1e-9);
}

static void cloth_clear(lab_cloth *c) {
  free(c->held);
  sim_mesh_clear(&c->mesh);
}

static sim_cloth_setup setup_of(const lab_cloth *c) {
  sim_cloth_setup s = sim_cloth_setup_default(&c->mesh, &c->material);
  s.gripped = c->held;
  s.solve_tolerance = 1e-2;
  return s;
}

static void lay(const start *s, double (*x)[3], int n) {
  cb_rng rng;
  cb_rng_init(&rng, s->seed, 7);
  double a[9], b[9];
  for (int k = 2; k <= 8; k++) a[k] = 2e-4 * cb_rng_normal(&rng), b[k] = 2e-4 * cb_rng_normal(&rng);
  a[s->waves] += 0.01 * cos((double)s->seed);
  b[s->waves] += 0.01 * sin((double)s->seed);
  for (int i = 0; i < n; i++) {
    const double out = (hypot(x[i][0], x[i][1]) - SUPPORT_M) / (RIM_M - SUPPORT_M),
                 phi = atan2(x[i][1], x[i][0]);
    for (int k = 2; k <= 8 && out > 0; k++)
      x[i][2] += out * out * (a[k] * cos(k * phi) + b[k] * sin(k * phi));
  }
}

/* To rest, and its shadow. */
static void finish(sim_cloth *cloth, const sim_mesh *mesh, double from_s, outcome *out) {
  sim_settle_report rest;
  int steps;
  LAB_TRY(sim_cloth_calm(cloth, 2 * DT_S, 2 * TOLERANCE, 500, &steps, err));
  LAB_TRY(sim_cloth_settle(cloth, TOLERANCE, 200, &rest, err));
  out->cpu_s = lab_cpu_s() - from_s;
  out->vertices = mesh->n_vertices;
  out->settled = rest.outcome == SIM_SETTLED;
  out->stable = rest.stable;
  fit_shadow shadow;
  fit_drape drape;
  const fit_drape_setup size = fit_drape_setup_default();
  LAB_TRY(fit_drape_mesh_shadow((const sim_vec3 *)sim_cloth_position(cloth), (size_t)mesh->n_vertices,
                                (const int(*)[3])mesh->triangle, (size_t)mesh->n_triangles, "drape", &shadow,
                                err));
  LAB_TRY(fit_drape_reduce(&shadow, "drape", &size, &drape, err));
  fit_shadow_clear(&shadow);
  out->drape_coefficient = drape.drape_coefficient;
  out->nodes = drape.nodes;
}

/* ---- three ways ---- */

static sim_cloth *fall(const start *s, const lab_cloth *c) {
  const sim_cloth_setup setup = setup_of(c);
  sim_cloth *cloth;
  LAB_TRY(sim_cloth_new(&setup, &cloth, err));
  lay(s, sim_cloth_position(cloth), c->mesh.n_vertices);
  for (int k = 0; k < FALL; k++) LAB_TRY(sim_cloth_step(cloth, DT_S, NULL, err));
  return cloth;
}

static outcome uniform(const start *s, double edge_m) {
  outcome out = {0};
  lab_cloth c;
  const double from = lab_cpu_s();
  cloth_init(s, edge_m, edge_m, &c);
  sim_cloth *cloth = fall(s, &c);
  finish(cloth, &c.mesh, from, &out);
  sim_cloth_free(cloth);
  cloth_clear(&c);
  return out;
}

static outcome coarse_to_fine(const start *s, double edge_m) {
  outcome out = {0};
  lab_cloth coarse, c;
  sim_cloth *cloth;
  int steps;
  const double from = lab_cpu_s();
  cloth_init(s, 2 * edge_m, 2 * edge_m, &coarse);
  sim_cloth *first = fall(s, &coarse);
  LAB_TRY(sim_cloth_calm(first, 2 * DT_S, 2 * TOLERANCE, 500, &steps, err));
  cloth_init(s, edge_m, edge_m, &c);
  const sim_cloth_setup setup = setup_of(&c);
  LAB_TRY(sim_cloth_new(&setup, &cloth, err));
  double(*x)[3] = calloc((size_t)c.mesh.n_vertices, sizeof *x);
  if (!x) lab_die("out of memory");
  LAB_TRY(sim_mesh_carry(&coarse.mesh, (const sim_vec3 *)sim_cloth_position(first), &c.mesh, x, err));
  for (int i = 0; i < c.mesh.n_vertices; i++)
    if (!c.held[i]) memcpy(sim_cloth_position(cloth)[i], x[i], sizeof *x);
  finish(cloth, &c.mesh, from, &out);
  free(x);
  sim_cloth_free(first);
  sim_cloth_free(cloth);
  cloth_clear(&coarse);
  cloth_clear(&c);
  return out;
}

typedef struct sums {
  double area, mass, momentum[3], size;
} sums;

static sums sums_of(const sim_remesh *r) {
  const sim_mesh *m = &sim_remesh_of(r)->mesh;
  sim_cloth *c = sim_remesh_cloth(r);
  sums s = {0};
  double fastest = 0;
  for (int t = 0; t < m->n_triangles; t++) s.area += m->area_m2[t];
  for (int i = 0; i < m->n_vertices; i++) {
    const double *v = sim_cloth_velocity(c)[i], mass = sim_cloth_mass(c)[i];
    s.mass += mass;
    for (int k = 0; k < 3; k++) s.momentum[k] += mass * v[k];
    fastest = fmax(fastest, sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]));
  }
  s.size = s.mass * fastest;
  return s;
}

static void remesh(sim_remesh *r, outcome *out) {
  const sums before = sums_of(r);
  const double from = lab_cpu_s();
  LAB_TRY(sim_remesh_now(r, NULL, err));
  out->remesh_s += lab_cpu_s() - from;
  out->remeshings++;
  const sums now = sums_of(r);
  out->area_off = fmax(out->area_off, fabs(now.area / before.area - 1));
  out->mass_off = fmax(out->mass_off, fabs(now.mass / before.mass - 1));
  for (int k = 0; k < 3 && before.size > 0; k++)
    out->momentum_off = fmax(out->momentum_off, fabs(now.momentum[k] - before.momentum[k]) / before.size);
}

/* What counts is where it rests. */
static sim_remesh_rules rules_of(const sim_material *m, double turn_rad, double share) {
  sim_remesh_rules r = sim_remesh_rules_default(0.002, 0.02);
  r.turn_rad = turn_rad;
  r.soft_m = share > 0 ? sim_remesh_soft_m(m, share) : 0;
  r.change_m_per_s = r.compression = 0;
  return r;
}

static outcome remeshed(const start *s) {
  outcome out = {0};
  lab_cloth c;
  const double from = lab_cpu_s();
  cloth_init(s, 0.012, 0.006, &c);
  const sim_cloth_setup setup = setup_of(&c);
  const sim_remesh_rules falling = rules_of(&c.material, 37.5 * CB_DEG, 0),
                         resting = rules_of(&c.material, 25 * CB_DEG, 0.15);
  sim_remesh *r;
  LAB_TRY(sim_remesh_new(&setup, &falling, &r, err));
  lay(s, sim_cloth_position(sim_remesh_cloth(r)), c.mesh.n_vertices);
  for (int k = 0; k < FALL; k++) {
    if (k % EVERY == 0) remesh(r, &out);
    const double step = lab_cpu_s();
    LAB_TRY(sim_cloth_step(sim_remesh_cloth(r), DT_S, NULL, err));
    out.step_s += (lab_cpu_s() - step) / FALL;
  }
  LAB_TRY(sim_remesh_set_rules(r, &resting, err));
  for (int k = 0, steps; k < 3; k++) {
    remesh(r, &out);
    if (k < 2) LAB_TRY(sim_cloth_calm(sim_remesh_cloth(r), 2 * DT_S, 20 * TOLERANCE, 60, &steps, err));
  }
  finish(sim_remesh_cloth(r), &sim_remesh_of(r)->mesh, from, &out);
  out.remesh_s /= out.remeshings;
  sim_remesh_free(r);
  cloth_clear(&c);
  return out;
}

/* ---- all of them ---- */

typedef struct comparison {
  int starts, same_folds;
  double mean_uniform, mean_remeshed; /* drape coefficients where both have as many folds */
  double difference, difference_sd;   /* remeshed less uniform over uniform: mean and scatter of the pairs */
  double difference_largest;          /* of the magnitudes */
  double cpu_uniform, cpu_coarse, cpu_remeshed; /* sums */
  double cost[STARTS_MAX];                      /* of each pair */
  outcome last, worst;                          /* worst: what is kept, over all */
  double vertices_remeshed, remesh_s, step_s;
} comparison;

static void add(comparison *c, const outcome *u, const outcome *f, const outcome *r, double *difference) {
  c->cpu_uniform += u->cpu_s;
  c->cpu_coarse += f->cpu_s;
  c->cpu_remeshed += r->cpu_s;
  c->cost[c->starts++] = r->cpu_s / u->cpu_s;
  c->vertices_remeshed += r->vertices;
  c->remesh_s += r->remesh_s;
  c->step_s += r->step_s;
  c->worst.area_off = fmax(c->worst.area_off, r->area_off);
  c->worst.mass_off = fmax(c->worst.mass_off, r->mass_off);
  c->worst.momentum_off = fmax(c->worst.momentum_off, r->momentum_off);
  c->last = *u;
  if (u->nodes != r->nodes || !u->settled || !r->settled) return;
  difference[c->same_folds++] = r->drape_coefficient / u->drape_coefficient - 1;
  c->mean_uniform += u->drape_coefficient;
  c->mean_remeshed += r->drape_coefficient;
}

static void conclude(comparison *c, const double *difference) {
  const int n = c->same_folds;
  if (n == 0) lab_die("no two came to the same folds at rest");
  for (int i = 0; i < n; i++) {
    c->difference += difference[i] / n;
    c->difference_largest = fmax(c->difference_largest, fabs(difference[i]));
  }
  for (int i = 0; i < n && n > 1; i++) c->difference_sd += pow(difference[i] - c->difference, 2) / (n - 1);
  c->difference_sd = sqrt(c->difference_sd);
  c->mean_uniform /= n;
  c->mean_remeshed /= n;
}

static void print_one(const start *s, const char *name, const outcome *o) {
  printf("%d waves, seed %2d  %-15s %6d vertices  drape coefficient %.5f, %d folds  %6.2f s%s%s\n", s->waves,
         (int)s->seed, name, o->vertices, o->drape_coefficient, o->nodes, o->cpu_s,
         o->settled ? "" : "  not settled", o->stable ? "" : "  a saddle");
}

static void print(comparison *c, double edge_m, bool json) {
  const double n = c->starts, middle = median(c->cost, (size_t)c->starts);
  const struct {
    const char *name;
    double value;
  } all[] = {{"starts", n},
             {"same_folds", c->same_folds},
             {"uniform_edge_mm", 1e3 * edge_m},
             {"drape_uniform", c->mean_uniform},
             {"drape_remeshed", c->mean_remeshed},
             {"drape_difference_rel", c->difference},
             {"drape_difference_sd", c->difference_sd},
             {"drape_difference_largest", c->difference_largest},
             {"cost_ratio", c->cpu_remeshed / c->cpu_uniform},
             {"cost_ratio_median", middle},
             {"cost_ratio_coarse_to_fine", c->cpu_remeshed / c->cpu_coarse},
             {"uniform_s", c->cpu_uniform / n},
             {"coarse_to_fine_s", c->cpu_coarse / n},
             {"remeshed_s", c->cpu_remeshed / n},
             {"vertices_uniform", c->last.vertices},
             {"vertices_adaptive", c->vertices_remeshed / n},
             {"ms_per_remesh", 1e3 * c->remesh_s / n},
             {"ms_per_step", 1e3 * c->step_s / n},
             {"area_rel", c->worst.area_off},
             {"mass_rel", c->worst.mass_off},
             {"momentum_rel", c->worst.momentum_off}};
  if (json) printf("{\n  \"remeshing\": {");
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    printf(json ? "%s\n    \"%s\": %.6g" : "%s%s %.6g\n", json && k ? "," : "", all[k].name, all[k].value);
  if (json) printf("\n  }\n}\n");
}

static void usage(void) {
  (void)fprintf(stderr, "usage: bench_remesh [--starts N] [--edge-mm H] [--json]\n");
  exit(2);
}

static double number(int argc, char **argv, int *i, double low, double high) {
  char *end = NULL;
  errno = 0;
  const double x = ++*i < argc ? strtod(argv[*i], &end) : -1;
  if (!end || end == argv[*i] || *end != '\0' || errno != 0 || !(x >= low && x <= high)) usage();
  return x;
}

int main(int argc, char **argv) {
  static double difference[STARTS_MAX];
  static comparison c;
  double edge_m = 0.0023;
  int starts = 6;
  bool json = false;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--starts") == 0)
      starts = (int)number(argc, argv, &i, 1, STARTS_MAX);
    else if (strcmp(argv[i], "--edge-mm") == 0)
      edge_m = 1e-3 * number(argc, argv, &i, 0.5, 6);
    else if (strcmp(argv[i], "--json") == 0)
      json = true;
    else
      usage();
  }
  for (int i = 0; i < starts; i++) {
    const start s = {.waves = 6 + i % 3, .seed = 11 + (uint64_t)i};
    const outcome r = remeshed(&s), u = uniform(&s, edge_m), f = coarse_to_fine(&s, edge_m);
    add(&c, &u, &f, &r, difference);
    if (json) continue;
    print_one(&s, "remeshed", &r);
    print_one(&s, "uniform", &u);
    print_one(&s, "coarse to fine", &f);
  }
  conclude(&c, difference);
  print(&c, edge_m, json);
  return 0;
}
